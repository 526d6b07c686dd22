"""Finds out whether the git hook is installed, and writes the configuration with which pre-commit
installs it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import Any, NamedTuple

from grounded_ingest.git.repository import Repo, lies_in

PRE_COMMIT = ".pre-commit-config.yaml"
NAME = "grounded-ingest"
COMMAND = "grounded-ingest check --staged --write"
_ELSEWHERE = (
    "lefthook.yml", "lefthook.yaml", ".lefthook.yml", ".lefthook.yaml", ".husky/pre-commit",
    "prek.toml", "package.json",
)  # fmt: skip
_SPELT = ("grounded-ingest", "grounded_ingest")
STAGES = ("pre-commit", "pre-merge-commit", "pre-push")
INSTALL = ("install", *(word for stage in STAGES for word in ("--hook-type", stage)))
"""Command-line arguments with which pre-commit installs its scripts for all hook stages that
grounded-ingest uses.
"""
SCRIPT_STAGES = STAGES[:2]
"""Hook stages whose script gets no input from git."""


class Hook(NamedTuple):
    """The files that configure the hook, and the git script that runs the hook. The script is empty
    if there is none.
    """

    configured: tuple[str, ...]
    installed: str

    @property
    def said(self) -> str:
        """Describes in one line whether the hook is configured and installed."""
        if self.installed:
            return f"installed ({', '.join((self.installed, *self.configured))})"
        if self.configured:
            return f"configured in {', '.join(self.configured)}, not installed (pre-commit install)"
        return "not installed (grounded-ingest init)"


def find_hook(repo: Repo) -> Hook:
    """Looks for the hook in the work tree and in git's hook directory."""
    if repo.bare:
        return Hook((), "")
    configured = tuple(f for f in (PRE_COMMIT, *_ELSEWHERE) if _mentions(f"{repo.root}/{f}"))
    script = f"{hook_directory(repo)}/pre-commit"
    direct = _mentions(script)
    # pre-commit's own script does not name a hook. It reads the configuration when it runs.
    runner = PRE_COMMIT in configured and _mentions(script, ("pre-commit", "pre_commit"))
    shown = os.path.relpath(script, repo.root) if lies_in(script, repo.root) else script
    return Hook(configured, shown if direct or runner else "")


def unattended_stages(repo: Repo) -> list[str]:
    """Returns the stages at which git does not run pre-commit."""
    where, runners = hook_directory(repo), ("pre-commit", "pre_commit")
    return [stage for stage in STAGES if not _mentions(f"{where}/{stage}", runners)]


def script_text(program: str) -> str:
    """Returns a hook script for git without pre-commit. `program` must already be quoted for a
    shell.
    """
    return f"#!/bin/sh\n# Written by `{NAME} init`.\nexec {program} check --staged --write\n"


def hook_directory(repo: Repo) -> str:
    """Returns the repository's hook directory, as set by `core.hooksPath`. Ignores the empty
    `core.hooksPath` with which this package runs git.
    """
    values = os.fsdecode(repo.run("config", "--get-all", "core.hooksPath", ok=(0, 1))).splitlines()
    own = [v for v in values if v != os.devnull]
    if own:
        return os.path.join(repo.root, os.path.expanduser(own[-1]))
    return f"{repo.common_dir}/hooks"


def _mentions(path: str, words: tuple[str, ...] = _SPELT) -> bool:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read(1_000_000)
    except OSError:
        return False
    return any(word in text for word in words)


def hook_item(repo: str, rev: str, *, shows: bool = False) -> dict[str, Any]:
    """Returns an item for `repos` in pre-commit's configuration. Without `repo`, returns a local
    hook that runs the installed command.

    If `shows` is true, pre-commit prints the hook's output even if the hook passes. pre-commit then
    adds two lines of its own at each commit.
    """
    verbose = {"verbose": True} if shows else {}
    if repo:
        return {"repo": repo, "rev": rev, "hooks": [{"id": NAME, **verbose}]}
    return {
        "repo": "local",
        "hooks": [
            {
                "id": NAME,
                "name": NAME,
                "entry": COMMAND,
                "language": "system",
                "pass_filenames": False,
                "always_run": True,
                "require_serial": True,
                **verbose,
                "stages": [*STAGES, "manual"],
            }
        ],
    }


def entry_lines(repo: str, rev: str, indent: int = 2, *, shows: bool = False) -> list[str]:
    """Returns the item for pre-commit's configuration as lines of YAML, with its dash in column
    `indent`."""
    found = hook_item(repo, rev, shows=shows)
    pad = " " * indent
    lines = [f"{pad}- repo: {yaml_scalar(found['repo'])}"]
    if rev:
        lines.append(f"{pad}  rev: {yaml_scalar(rev)}")
    lines.append(f"{pad}  hooks:")
    for hook in found["hooks"]:
        for number, (key, value) in enumerate(hook.items()):
            lines.append(f"{pad}    {'  ' if number else '- '}{key}: {yaml_scalar(value)}")
    return lines


def yaml_scalar(value: Any) -> str:
    """Returns a value as YAML on one line."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list):
        return f"[{', '.join(value)}]"
    return value if _is_plain(value) else json.dumps(value, ensure_ascii=False)


def _is_plain(text: str) -> bool:
    return bool(_loaded(text) == text)


def _loaded(text: str) -> Any:
    """Returns the value of a YAML text. Returns None if the text contains no value or several
    values.
    """
    # Imported late for a fast start: only `init` and `status` read pre-commit's configuration.
    from grounded_ingest.text.yaml_text import YamlError, nodes_of, value_of

    try:
        nodes = nodes_of(text)
        return value_of(nodes[0]) if len(nodes) == 1 else None
    except (YamlError, ValueError):
        return None


def with_entry(text: str, repo: str, rev: str, *, shows: bool = False) -> str | None:
    """Returns pre-commit's configuration with the entry of this program added at the end of
    `repos`. The rest is
    unchanged.

    Returns the same text if it already contains the hook. Returns None if the text cannot be edited
    safely.
    """
    from grounded_ingest.text.yaml_text import nodes_of

    before = _loaded(text)
    if not isinstance(before, dict) or not isinstance(before.get("repos"), list):
        return None
    if _has_hook(before["repos"]):
        return text
    node: Any = nodes_of(text)[0]
    repos = next(value for key, value in node.value if key.value == "repos")
    if repos.flow_style or not repos.value:
        return None
    dash = repos.start_mark.column
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.splitlines(keepends=True)
    at = _behind(repos.value[-1], lines, dash)
    if not lines[at - 1].endswith(("\n", "\r")):
        lines[at - 1] += ending
    lines[at:at] = [line + ending for line in entry_lines(repo, rev, dash, shows=shows)]
    edited = "".join(lines)
    before["repos"].append(hook_item(repo, rev, shows=shows))
    return edited if _loaded(edited) == before else None


def _has_hook(repos: list[Any]) -> bool:
    hooks = [h for r in repos if isinstance(r, dict) for h in r.get("hooks") or ()]
    return any(
        isinstance(h, dict)
        and (str(h.get("id", "")).startswith(NAME) or NAME in str(h.get("entry", "")))
        for h in hooks
    )


def _behind(node: Any, lines: list[str], dash: int) -> int:
    """Returns the number of the line after an item. Comments that are indented deeper than the
    item's dash belong to the item.
    """
    at = _last_line(node) + 1
    while at < len(lines):
        bare = lines[at].strip()
        if not bare.startswith("#") or len(lines[at]) - len(lines[at].lstrip()) <= dash:
            break
        at += 1
    return at


def _last_line(node: Any) -> int:
    """Returns the number of the last line with content in a node. The first line is 0."""
    children = node.value if isinstance(node.value, list) else []
    flat = [
        part for child in children for part in (child if isinstance(child, tuple) else (child,))
    ]
    if flat and not node.flow_style:
        return max(_last_line(part) for part in flat)
    end = node.end_mark
    return int(end.line - 1 if end.column == 0 and end.line > node.start_mark.line else end.line)


_RUNNER = "pre-commit"


def find_runner() -> str:
    """Returns the full path of pre-commit, from PATH or from the directory of the running
    interpreter. Returns an empty string if it is not found.

    Ignores relative entries in PATH, because a repository could contain a program there.
    """
    places = [p for p in os.environ.get("PATH", os.defpath).split(os.pathsep) if os.path.isabs(p)]
    beside = os.path.dirname(os.path.abspath(sys.executable))
    return shutil.which(_RUNNER, path=os.pathsep.join([*places, beside])) or ""


def install_hooks(root: str, runner: str) -> str:
    """Runs pre-commit to install its scripts. Returns the reason if this fails, else an empty
    string.
    """
    try:
        done = subprocess.run(
            [runner, *INSTALL], cwd=root, stdin=subprocess.DEVNULL, capture_output=True,
            check=False, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{runner}: {error}"
    said = (done.stdout + done.stderr).decode(errors="replace").strip()
    return (said or f"exit code {done.returncode}") if done.returncode else ""
