"""Pages behind a slow server on the loopback address, beside lychee with the same limit."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from benchmarks.repository import git
from benchmarks.rows import Budget, Row, seconds
from benchmarks.setup import Setup
from benchmarks.timing import Command, interleave, said
from benchmarks.tools import PROJECT, find, ours, runs

NOT_SLOWER = Budget(1.2)
LIMITS = (10, 64)
"""Requests to one host at a time: lychee's default, and the highest of ours."""
DOCUMENTS = 5


def run(setup: Setup) -> Iterator[Row]:
    with _server(setup.delay) as port:
        root = os.path.join(setup.directory, "pages")
        files = _write(setup, root, port)
        for limit in LIMITS:
            yield from _rows(setup, root, files, port, limit)


def _rows(setup: Setup, root: str, files: list[str], port: int, limit: int) -> Iterator[Row]:
    what = f"{setup.urls} URLs answered after {setup.delay * 1e3:g} ms, {limit} at a time"
    us = _ours(root, port, limit)
    _confirm(us, setup.urls)
    commands = [us]
    if runs("lychee"):
        them = _lychee(root, files, limit)
        _confirm_theirs(them, setup.urls)
        commands.append(them)
    setup.say(f"{what}, {setup.rounds} rounds")
    timed = interleave(commands, setup.rounds)
    mine = timed["ours"]
    took = f"{seconds(mine.wall)}, {seconds(mine.cpu)} CPU"
    if "lychee" not in timed:
        return
    theirs = timed["lychee"]
    to = f"{seconds(theirs.wall)}, {seconds(theirs.cpu)} CPU lychee"
    ratio = mine.wall / theirs.wall
    yield Row("urls", what, took, to, ratio, "x", setup.rounds, NOT_SLOWER)


def _ours(root: str, port: int, limit: int) -> Command:
    config = f"{root}/.git/limit-{limit}.yaml"
    with open(config, "w", encoding="utf-8") as file:
        network = {"allow": [f"127.0.0.1:{port}"], "per_host": limit, "budget": 300}
        file.write(json.dumps({"network": network}))
    flags = ("--all", "--online", "--no-cache", "--config", config, "--color", "never")
    granted = {"GROUNDED_INGEST_GRANT": f"allow 127.0.0.1:{port}"}
    return Command("ours", (*ours(), "check", *flags), root, env=granted)


def _lychee(root: str, files: list[str], limit: int) -> Command:
    """The same method and limit; its pause between requests to a host is switched off."""
    flags = ["--no-progress", "--method", "head", "--host-request-interval", "0ms"]
    flags += ["--host-concurrency", str(limit), "--max-concurrency", str(max(limit, 128))]
    return Command("lychee", (find("lychee"), *flags, *files), root)


def _confirm(command: Command, urls: int) -> None:
    """That the timed command asks for every page. Raises RuntimeError."""
    report = json.loads(said(command, "--output-format", "json"))
    found = [c for d in report["decisions"] for c in d["citations"] if c["kind"] == "url"]
    confirmed = sum(c["verdict"] == "confirmed" for c in found)
    if confirmed != urls:
        raise RuntimeError(f"{confirmed} of {urls} URLs confirmed, {len(found)} found")


def _confirm_theirs(command: Command, urls: int) -> None:
    report = json.loads(said(command, "--format", "json"))
    if report["successful"] != urls:
        raise RuntimeError(f"lychee found {report['successful']} of {urls} URLs")


def _write(setup: Setup, root: str, port: int) -> list[str]:
    """Documents that cite every page once."""
    prose = setup.prose(2)
    files = []
    os.makedirs(f"{root}/docs")
    for number in range(DOCUMENTS):
        pages = range(number, setup.urls, DOCUMENTS)
        text = "".join(
            f"{prose.sentence()[:-1]} (see http://127.0.0.1:{port}/page/{page}).\n\n"
            for page in pages
        )
        files.append(f"{root}/docs/pages-{number}.md")
        with open(files[-1], "w", encoding="utf-8") as file:
            file.write(f"# Pages\n\n{text}")
    git(root, "init", "-q", "-b", "main", "--template=")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Cite pages")
    return files


@contextmanager
def _server(delay: float) -> Iterator[int]:
    command = (sys.executable, "-m", "benchmarks.slow_server", str(delay))
    with subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        try:
            yield int(process.stdout.readline())
        finally:
            process.terminate()
