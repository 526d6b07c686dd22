"""What setting up a repository writes: never over a user's file, never through a link."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.config.files import FILE, PYPROJECT, load, parse_yaml
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.hooks import NAME, PRE_COMMIT, entry_lines, with_entry
from grounded_ingest.language.printable import printable
from grounded_ingest.report.verbosity import Look

ATTRIBUTES = ".gitattributes"
GENERATED = ".grounded/evidence/** linguist-generated=true merge=union"
UNION = ".grounded/reviews/** merge=union"
GUARDED = ("/.grounded/reviews/", "/.github/")
OWNERS = (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS", ".gitlab/CODEOWNERS")

CONFIGURATION = """\
# What grounded-ingest may do here; every key is described in its docs/configuration.md.
# advisory never fails a commit, default fails on blocked claims, strict on waiting memories too.
preset: {preset}

# Which files are documents, beside the defaults (CLAUDE.md, AGENTS.md, memory-bank/, docs/, ADRs):
# classes:
#   memory: ["notes/agents/**"]
# exclude: ["docs/generated"]

# Copies of each other on purpose:
# mirrors:
#   - [CLAUDE.md, AGENTS.md]

# Where documents come from, and which of these sources need no citation:
# sources:
#   "docs/manual/**": manual
# trusted_sources: [manual]
"""


class FileChange(NamedTuple):
    """One file: what it holds now (empty where there is none) and what it shall hold."""

    path: str
    before: str
    after: str


class InstallationPlan(NamedTuple):
    """What is to be written, and what only a person can do. `judged`: a judge is configured."""

    steps: tuple[FileChange, ...]
    hints: tuple[str, ...]
    judged: bool


def steps(root: str, preset: str, source: str, rev: str, judge: str = "") -> InstallationPlan:
    """What a repository lacks, and the lines of a judge that was asked for. Raises
    GroundedIngestError for links among the files."""
    found: list[FileChange] = []
    hints: list[str] = []
    for path in (FILE, PRE_COMMIT, ATTRIBUTES, *OWNERS):
        _refuse_links(root, path)
    judged = _configuration(root, preset, judge, found, hints)
    _hook(root, source, rev, found, hints)
    _attributes(root, found, hints)
    _owners(root, found, hints)
    return InstallationPlan(tuple(found), tuple(hints), judged)


def _configuration(
    root: str, preset: str, judge: str, found: list[FileChange], hints: list[str]
) -> bool:
    """Whether a judge is configured already."""
    config = load(lambda path: _read(root, path))  # an unreadable one stops here
    judged = config.wishes.judge.kind != "rules"
    if config.origin not in (FILE, PYPROJECT) and not _exists(root, FILE):
        start = CONFIGURATION.format(preset=preset)
        found.append(FileChange(FILE, "", start + (f"\n{judge}" if judge else "")))
    elif judge and not judged:
        before = _editable(root, FILE) if config.origin == FILE else None
        after = _appended(before, judge.splitlines()) if before else ""
        if before and _configures(after, judge):
            found.append(FileChange(FILE, before, after))
        else:
            hints.append(f"add this to the configuration in {config.origin} by hand:")
            hints += judge.splitlines()
    return judged


def _configures(text: str, judge: str) -> bool:
    """Whether the lines of a judge say in this file what they say alone."""
    try:
        return parse_yaml(text, FILE).wishes.judge == parse_yaml(judge, FILE).wishes.judge
    except GroundedIngestError:
        return False


def _hook(root: str, source: str, rev: str, found: list[FileChange], hints: list[str]) -> None:
    entry = "\n".join(["repos:", *entry_lines(source, rev)]) + "\n"
    if not _exists(root, PRE_COMMIT):
        found.append(FileChange(PRE_COMMIT, "", entry))
        return
    before = _editable(root, PRE_COMMIT)
    after = with_entry(before, source, rev) if before is not None else None
    if before is None or after is None:
        hints.append(f"{PRE_COMMIT} cannot be edited safely; add this to its `repos` by hand:")
        hints += entry_lines(source, rev)
    elif after != before:
        found.append(FileChange(PRE_COMMIT, before, after))


def _attributes(root: str, found: list[FileChange], hints: list[str]) -> None:
    before = _editable(root, ATTRIBUTES)
    if before is None:
        lines = f"{GENERATED} and {UNION}"
        hints.append(f"{ATTRIBUTES} cannot be read as UTF-8; add these lines by hand: {lines}")
        return
    there = before.splitlines()
    wanted = {GENERATED: ("evidence", "linguist-generated"), UNION: ("reviews", "merge")}
    missing = [w for w, named in wanted.items() if not any(_sets(line, *named) for line in there)]
    if missing:
        found.append(FileChange(ATTRIBUTES, before, _appended(before, missing)))


def _sets(line: str, directory: str, attribute: str) -> bool:
    """Whether a line says anything of an attribute of our files in a directory."""
    ours = (f".grounded/{directory}/", ".grounded/**")
    return line.split("#")[0].strip().startswith(ours) and attribute in line


def _owners(root: str, found: list[FileChange], hints: list[str]) -> None:
    path = next((p for p in OWNERS if _exists(root, p)), "")
    if not path:
        hints.append(
            "there is no CODEOWNERS: approvals count once they have landed, so protect the default"
            f" branch and name owners of {' and '.join(GUARDED)}"
        )
        return
    before = _editable(root, path) or ""
    rules = _owner_rules(before)
    named = {rule[0] for rule in rules}
    missing = [g for g in GUARDED if not named & _spellings(g)]
    owners = next((rule[1:] for rule in reversed(rules) if rule[0] == "*"), [])
    if not missing:
        return
    if not owners or any(rule[0].startswith(("[", "^[")) for rule in rules):
        hints.append(f"name owners in {path} for {' and '.join(missing)}")
        return
    lines = [f"{g} {' '.join(owners)}" for g in missing]
    found.append(FileChange(path, before, _appended(before, lines)))


def _owner_rules(text: str) -> list[list[str]]:
    """The rows of a CODEOWNERS as words: a pattern and its owners."""
    return [words for line in text.splitlines() if (words := line.split("#")[0].split())]


def _spellings(guarded: str) -> set[str]:
    bare = guarded.strip("/")
    return {f"{a}{bare}{b}" for a in ("", "/") for b in ("", "/", "/*", "/**")}


def _appended(before: str, lines: list[str]) -> str:
    ending = "\r\n" if "\r\n" in before else "\n"
    gap = ending if before and not before.endswith(("\n", "\r")) else ""
    return before + gap + "".join(line + ending for line in lines)


def _exists(root: str, path: str) -> bool:
    return os.path.lexists(f"{root}/{path}")


def _read(root: str, path: str) -> str | None:
    """A file's text with its line ends; None where there is none."""
    try:
        with open(f"{root}/{path}", "rb") as file:
            return file.read().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise GroundedIngestError(f"{path}:1: not UTF-8") from None
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None


def _editable(root: str, path: str) -> str | None:
    """A file's text, empty where there is none; None where it is not UTF-8."""
    try:
        return _read(root, path) or ""
    except GroundedIngestError:
        return None


def _refuse_links(root: str, path: str) -> None:
    parts = path.split("/")
    for depth in range(1, len(parts) + 1):
        part = "/".join(parts[:depth])
        if os.path.islink(f"{root}/{part}"):
            raise GroundedIngestError(
                f"{part} is a symbolic link", "replace it by a file, or set up by hand"
            )


def as_diff(step: FileChange, look: Look) -> Iterator[str]:
    """A step as a unified diff."""
    from difflib import unified_diff

    before, after = step.before.splitlines(), step.after.splitlines()
    old = f"a/{step.path}" if step.before else os.devnull
    for line in unified_diff(before, after, old, f"b/{step.path}", lineterm=""):
        text = printable(line)
        match line[:1]:
            case "+":
                yield look.paint(text, "green")
            case "-":
                yield look.paint(text, "red")
            case _:
                yield text


def carry_out(root: str, plan: tuple[FileChange, ...]) -> None:
    """Write the files, each at once. Raises GroundedIngestError where one has changed meanwhile."""
    for step in plan:
        _refuse_links(root, step.path)
        if (_read(root, step.path) or "") != step.before:
            raise GroundedIngestError(f"{step.path} has changed meanwhile", "run init again")
    for step in plan:
        try:
            _write(f"{root}/{step.path}", step.after)
        except OSError as error:
            raise GroundedIngestError(f"{step.path}: {error.strerror}") from None


def _write(path: str, text: str) -> None:
    mode = os.stat(path).st_mode & 0o777 if os.path.exists(path) else 0o644
    handle, temporary = tempfile.mkstemp(dir=os.path.dirname(path), prefix=f".{NAME}-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text.encode())
        os.chmod(temporary, mode)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
