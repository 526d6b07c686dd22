"""Whatever a repository holds, no command ends in a bug: random files, damaged ones among them.

python tests/test_generated.py FIRST LAST      runs as many rounds as are asked for
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import sys
import tempfile
import traceback
from collections.abc import Iterator
from pathlib import Path

import pytest
from generated import Generator, commands, round_of
from repos import Repo, environment

from grounded_ingest.cli.entry import _run
from grounded_ingest.config.files import load
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass
from grounded_ingest.repository.index import key_of, make_record

ROUNDS = range(6)
"""Each of some 34 files and ten commands."""


@contextlib.contextmanager
def at(root: Path) -> Iterator[None]:
    """As a process that stands in a repository."""
    before, env = Path.cwd(), dict(os.environ)
    os.environ.clear()
    os.environ.update(environment())
    os.chdir(root)
    try:
        yield
    finally:
        os.chdir(before)
        os.environ.clear()
        os.environ.update(env)


def ask(command: list[str]) -> tuple[int, str]:
    """Exit code and standard output of a command, run in this process. A bug raises."""
    out, argv = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace"), sys.argv
    sys.argv = ["grounded-ingest", *command]
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            code = _run()
    except SystemExit as leaving:
        code = leaving.code if isinstance(leaving.code, int) else 0
    finally:
        sys.argv = argv
    out.flush()
    return code, out.buffer.getvalue().decode()  # type: ignore[attr-defined]


def bugs_of(seed: int, root: Path) -> Iterator[str]:
    """What one round finds: what commands raise, and the failures that are contained."""
    files, staged, made = round_of(seed, damage=seed % 3 == 0)
    repo = Repo(root)
    repo.commit({"src/a.py": "PORT = 8443\n", "docs/adr/0001-a.md": "# ADR-1\n\nAccepted.\n"})
    _put(repo, files)
    repo.commit()
    _put(repo, staged)
    repo.git("add", "-A")
    with at(root):
        for command in commands(made.rng, sorted(files | staged)):
            try:
                code, out = ask(command)
            except Exception:  # noqa: BLE001  that is what is looked for
                yield f"seed {seed}: {command}\n{traceback.format_exc()}"
                continue
            if code not in (0, 1, 2):
                yield f"seed {seed}: {command}: exit {code}"
            for said in ("reading the document failed", "check-failed"):
                if said in out and "json" in command:
                    yield f"seed {seed}: {command}: {_line_with(said, out)}"


def _put(repo: Repo, files: dict[str, bytes]) -> None:
    """Write files; one whose name is a directory of others, or the other way round, is left out."""
    for path, content in files.items():
        with contextlib.suppress(OSError):
            repo.write({path: content})


def _line_with(said: str, out: str) -> str:
    at = out.index(said)
    return out[max(0, at - 200) : at + 300]


@pytest.mark.parametrize("seed", ROUNDS)
def test_no_repository_ends_a_command_in_a_bug(seed: int, tmp_path: Path) -> None:
    assert list(bugs_of(seed, tmp_path)) == []


@pytest.mark.parametrize("who", ["Ada 1 +9", "Ada <a> 99999999999999999999 +0000", "Ada"])
def test_commits_without_a_time_end_no_command_in_a_bug(who: str, tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {"CLAUDE.md": "The gateway was moved to port 8443 (`a.py`).\n", "a.py": "PORT = 8443\n"}
    )
    tree = repo.git("write-tree")
    raw = f"tree {tree}\nauthor {who}\ncommitter {who}\n\nfirst\n"
    oid = repo.git("hash-object", "-t", "commit", "-w", "--literally", "--stdin", stdin=raw)
    repo.git("update-ref", "HEAD", oid)
    with at(tmp_path):
        for command in (
            ["verify", "--text", "The port is 8443.", "--knowledge-base"],
            ["recall", "gateway port"],
        ):
            assert ask(command)[0] in (0, 1), command


def test_every_document_yields_what_can_be_kept() -> None:
    made = Generator(1)
    for number in range(400):
        path = made.rng.choice(["a.json", "a.jsonl", "a.yaml", "a.md", "a.txt"])
        doc_class = made.rng.choice(list(DocClass))
        content = made.content(path)
        found = extract(content, path, doc_class)
        told = [p.message for p in found.problems if "reading the document failed" in p.message]
        assert told == [], (number, content)
        make_record(key_of(path, "", doc_class), found, lambda _: ())


def test_every_configuration_is_read_or_refused() -> None:
    made = Generator(2)
    refused = 0
    for _ in range(300):
        text = made.configuration().decode(errors="replace")
        files = {".grounded-ingest.yaml": text}
        try:
            load(files.get)
        except GroundedIngestError:
            refused += 1
    assert 30 < refused < 290


def test_the_generator_reaches_what_it_is_for(tmp_path: Path) -> None:
    """Claims, problems and refusals all occur: a generator of noise would find nothing."""
    files, staged, _ = round_of(3, damage=False)
    repo = Repo(tmp_path)
    _put(repo, files | staged)
    repo.git("add", "-A")
    with at(tmp_path):
        _, out = ask(["check", "--all", "--offline", "--output-format", "json"])
    report = json.loads(out)
    assert report["summary"]["claims"] > 40
    assert {"broken-record"} <= {p["rule"] for p in report["problems"]}
    assert {"ungrounded", "refuted-citation"} <= {d["rule"] for d in report["decisions"]}


if __name__ == "__main__":
    first, last = map(int, sys.argv[1:])
    for number in random.Random(first).sample(range(first, last), last - first):
        with tempfile.TemporaryDirectory() as directory:
            for bug in bugs_of(number, Path(directory)):
                print(bug, flush=True)
    print(f"rounds {first} to {last} done")
