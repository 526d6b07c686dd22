"""What setting up a repository writes: never over a user's file, never through a link."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from grounded_ingest.config.files import FILE, PYPROJECT, load, parse_yaml
from grounded_ingest.config.settings import FAILS_ON, Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.hooks import (
    NAME,
    PRE_COMMIT,
    SCRIPT_STAGES,
    entry_lines,
    find_hook,
    hook_directory,
    script_text,
    with_entry,
    yaml_scalar,
)
from grounded_ingest.git.repository import Repo
from grounded_ingest.records.authority import OWNER_FILES as OWNERS
from grounded_ingest.records.authority import CodeOwners, is_owner
from grounded_ingest.records.signatures import GPG_KEYS, SSH_KEYS
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.formats import Look
from grounded_ingest.text.printable import printable

ATTRIBUTES = ".gitattributes"
GENERATED = ".grounded/evidence/** linguist-generated=true merge=union"
UNION = ".grounded/reviews/** merge=union"
WORKFLOWS = ".github/workflows"
WORKFLOW = f"{WORKFLOWS}/grounded-ingest.yml"
BASELINE = ".grounded/baseline.jsonl"
FOR_AGENTS = ("AGENTS.md", "CLAUDE.md")

CONFIGURATION = """\
# What grounded-ingest may do here; every key is described in its docs/configuration.md.
# advisory never fails a commit, default fails on errors, strict on warnings too.
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


AGENT_LINES = """\
## Writing down what is so

When you add a fact to memory or docs, write it so that grounded-ingest can check it at the commit:

- Name what it rests on behind it, in backticks: a definition (file, two colons, its name),
  a file, a decision record, a commit.
- Say what that source says, with its numbers and names, and leave out what it does not say.
- Find out instead of guessing; put what is open under a heading that says so.
- When a fact changes, edit the sentence that states it and say what it was before.
- Mend the lines that the hook names when it stops a commit; do not go around it.
"""
_WORKFLOW = """\
name: grounded-ingest

on:
  pull_request:

permissions:
  contents: read

jobs:
  check:
    name: Check what the change writes into documents
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0
        with:
          fetch-depth: 0
          persist-credentials: false
"""
_FETCHED = re.compile(r"https://[\w.-]+(?::\d+)?/[\w./~-]+")
_BY_ACTION = """\
      - uses: {action}
        with:
          fail-on: {fail_on} # as the preset says; wrong, block, review or never
"""
_BY_PIP = """\
      - run: python3 -m venv "$RUNNER_TEMP/venv" && "$RUNNER_TEMP/venv/bin/pip" install "$SOURCE"
        env:
          SOURCE: {source}
      - run: >-
          "$RUNNER_TEMP/venv/bin/grounded-ingest" check --since "origin/$GITHUB_BASE_REF"
          --fail-on {fail_on} --output-format github
"""


class SetUp(NamedTuple):
    """What is wanted. `source` and `rev`: where pre-commit and CI install from, empty where that is
    not known; `program` starts this one, as a shell reads it; `agents` are the files that get lines
    for agents, `judge` the lines of a judge."""

    preset: str = "advisory"
    hook: Literal["pre-commit", "git", "none"] = "pre-commit"
    source: str = ""
    rev: str = ""
    ci: bool = False
    agents: tuple[str, ...] = ()
    judge: str = ""
    program: str = NAME


class FileChange(NamedTuple):
    """One file, by its path from the root: what it holds now (empty where there is none) and what
    it shall hold. `derived` is long, and nobody writes it by hand."""

    path: str
    before: str
    after: str
    executable: bool = False
    derived: bool = False


class InstallationPlan(NamedTuple):
    """What is to be written, and what only a person can do. `judged`: a judge is configured."""

    steps: tuple[FileChange, ...]
    hints: tuple[str, ...]
    judged: bool

    def configuration(self) -> FileChange | None:
        """The step that writes the configuration."""
        return next((s for s in self.steps if s.path == FILE), None)


def configured(root: str) -> Config:
    """What is configured on disk. Raises GroundedIngestError where that cannot be read."""
    _refuse_links(root, FILE)
    return load(lambda path: _read(root, path))


def steps(repo: Repo, wanted: SetUp) -> InstallationPlan:
    """What a repository lacks. Raises GroundedIngestError for links among the files."""
    root = repo.root
    found: list[FileChange] = []
    hints: list[str] = []
    for path in (FILE, PRE_COMMIT, ATTRIBUTES, *OWNERS, *wanted.agents, WORKFLOWS):
        _refuse_links(root, path)
    judged = _configuration(root, wanted.preset, wanted.judge, found, hints)
    if wanted.hook == "pre-commit":
        _hook(root, wanted, found, hints)
    elif wanted.hook == "git":
        _scripts(repo, wanted.program, found, hints)
    if wanted.ci:
        new = any(change.path == FILE and not change.before for change in found)
        fail_on = FAILS_ON[wanted.preset if new else configured(root).preset]
        workflow = workflow_text(wanted.source, wanted.rev, fail_on)
        found.append(FileChange(WORKFLOW, "", workflow))
    for path in wanted.agents:
        before = _editable(root, path)
        if before is not None:
            found.append(FileChange(path, before, _appended(before, _section(before))))
    _attributes(root, found, hints)
    _owners(root, found, hints)
    return InstallationPlan(tuple(found), tuple(hints), judged)


def agent_steps(root: str, names: Sequence[str], program: str) -> InstallationPlan:
    """The files with which agents call the hook, merged with what stands there, and what a person
    has to do before they do. Raises GroundedIngestError where a file cannot be merged with."""
    from grounded_ingest.agents.registry import AGENTS

    found: list[FileChange] = []
    hints: list[str] = []
    for name in dict.fromkeys(names):
        shape = AGENTS[name]
        for path in shape.files:
            _refuse_links(root, path)
        standing = {path: _read(root, path) or "" for path in shape.files}
        for file in shape.installed(program, standing):
            before = standing[file.path]
            if file.text != before:
                found.append(FileChange(file.path, before, file.text, file.executable))
        if shape.trust:
            hints.append(shape.trust)
    if program != NAME and found:
        hints.append(
            f"These files name {program}, of this machine: to share them, install grounded-ingest"
            " where PATH finds it (uv tool install, pipx install), and run this again."
        )
    return InstallationPlan(tuple(found), tuple(hints), judged=True)


def _section(before: str) -> list[str]:
    return ([""] if before.strip() else []) + AGENT_LINES.splitlines()


def workflow_text(source: str, rev: str, fail_on: str) -> str:
    """A workflow that checks pull requests: by the action where the source is on GitHub."""
    url = urlsplit(source)
    if url.hostname == "github.com":
        name = url.path.strip("/").removesuffix(".git")
        return _WORKFLOW + _BY_ACTION.format(action=yaml_scalar(f"{name}@{rev}"), fail_on=fail_on)
    return _WORKFLOW + _BY_PIP.format(source=yaml_scalar(f"git+{source}@{rev}"), fail_on=fail_on)


def has_workflow(root: str) -> bool:
    """Whether a workflow of GitHub's names us, or has our name."""
    places = f"{root}/{WORKFLOWS}"
    names = os.listdir(places) if os.path.isdir(places) else []
    texts = (_editable(places, name) or "" for name in names)
    return _exists(root, WORKFLOW) or any(NAME in text for text in texts)


def is_fetched(source: str) -> bool:
    """Whether a job on another machine can install from there."""
    return _FETCHED.fullmatch(source) is not None


def files_for_agents(root: str) -> tuple[str, ...]:
    """Files of instructions that say nothing of us, and do not import one that is listed."""
    found: list[str] = []
    for path in FOR_AGENTS:
        if os.path.islink(f"{root}/{path}") or not os.path.isfile(f"{root}/{path}"):
            continue
        text = _editable(root, path) or ""
        if NAME not in text and not any(f"@{other}" in text for other in FOR_AGENTS):
            found.append(path)
    return tuple(found)


def named_baseline(root: str, step: FileChange | None) -> FileChange | None:
    """The configuration with a baseline named in it; None where it has to be done by hand."""
    if step is not None:
        return step._replace(after=_appended(step.after, ["", f"baseline: {BASELINE}"]))
    before = _editable(root, FILE)
    after = _appended(before, [f"baseline: {BASELINE}"]) if before else ""
    try:
        named = bool(before) and parse_yaml(after, FILE).baseline == BASELINE
    except GroundedIngestError:
        named = False
    return FileChange(FILE, before or "", after) if named else None


def _configuration(
    root: str, preset: str, judge: str, found: list[FileChange], hints: list[str]
) -> bool:
    """Whether a judge is configured already."""
    config = configured(root)
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


def _hook(root: str, wanted: SetUp, found: list[FileChange], hints: list[str]) -> None:
    source, rev = wanted.source, wanted.rev
    shows = wanted.preset == "advisory"  # only there a hook that passes has something to say
    lines = entry_lines(source, rev, shows=shows)
    entry = "\n".join(["repos:", *lines]) + "\n"
    if not _exists(root, PRE_COMMIT):
        found.append(FileChange(PRE_COMMIT, "", entry))
        return
    before = _editable(root, PRE_COMMIT)
    after = with_entry(before, source, rev, shows=shows) if before is not None else None
    if before is None or after is None:
        hints.append(f"{PRE_COMMIT} cannot be edited safely; add this to its `repos` by hand:")
        hints += lines
    elif after != before:
        found.append(FileChange(PRE_COMMIT, before, after))


def _scripts(repo: Repo, program: str, found: list[FileChange], hints: list[str]) -> None:
    """Scripts for git itself: of a directory of this repository alone, never over one there."""
    if find_hook(repo).installed:
        return
    where = os.path.realpath(hook_directory(repo))
    tracked = _is_below(where, repo.root) and not _is_below(where, repo.common_dir)
    if not tracked and not _is_below(where, repo.common_dir):
        hints.append(f"core.hooksPath leads to {printable(where)}, which is not this repository's:")
        hints.append(f"add `{program} check --staged --write` to its pre-commit script by hand")
        return
    text = script_text(NAME if tracked else program)  # a path of this machine is no other's
    for stage in reversed(SCRIPT_STAGES):  # the first, by which others see that all are there
        path = os.path.relpath(f"{where}/{stage}", os.path.realpath(repo.root))
        if _editable(repo.root, path) == text:
            continue
        if _exists(repo.root, path):
            hints.append(f"{path} is there already; add this line to it by hand:")
            hints.append(f"  {text.splitlines()[-1].removeprefix('exec ')} || exit 1")
        else:
            found.append(FileChange(path, "", text, executable=True))


def _is_below(path: str, directory: str) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(directory) + os.sep)


def _attributes(root: str, found: list[FileChange], hints: list[str]) -> None:
    before = _editable(root, ATTRIBUTES)
    if before is None:
        lines = f"{GENERATED} and {UNION}"
        hints.append(f"{ATTRIBUTES} cannot be read as UTF-8; add these lines by hand: {lines}")
        return
    there = before.splitlines()
    wanted = {UNION: ("reviews", "merge")}
    if configured(root).evidence != "off":
        wanted = {GENERATED: ("evidence", "linguist-generated"), **wanted}
    missing = [w for w, named in wanted.items() if not any(_sets(line, *named) for line in there)]
    if missing:
        found.append(FileChange(ATTRIBUTES, before, _appended(before, missing)))


def _sets(line: str, directory: str, attribute: str) -> bool:
    """Whether a line says anything of an attribute of our files in a directory."""
    ours = (f".grounded/{directory}/", ".grounded/**")
    return line.split("#")[0].strip().startswith(ours) and attribute in line


def _owners(root: str, found: list[FileChange], hints: list[str]) -> None:
    path = next((p for p in OWNERS if _exists(root, p)), "")
    guarded = _guarded(root, path)
    if not path:
        hints.append(
            "there is no CODEOWNERS: approvals count once they have landed, so protect the default"
            f" branch and name owners of {_listed(guarded)}"
        )
        return
    before = _editable(root, path) or ""
    missing = _without_owners(before, path, guarded)
    rules = _owner_rules(before)
    owners = next((rule[1:] for rule in reversed(rules) if rule[0] == "*"), [])
    if not missing:
        return
    sections = any(rule[0].startswith(("[", "^[")) for rule in rules)
    if not owners or sections or not all(map(is_owner, owners)):
        hints.append(f"name owners in {path} for {_listed(missing)}")
        return
    lines = [f"{g} {' '.join(owners)}" for g in missing]
    found.append(FileChange(path, before, _appended(before, lines)))


def _guarded(root: str, code_owners: str) -> list[str]:
    """What decides what is judged and which approvals count, as patterns of CODEOWNERS. Whoever
    may change one of these files alone can approve their own text."""
    config = configured(root)
    found = ["/.grounded/reviews/", *(f"/{p}" for p in (SSH_KEYS, GPG_KEYS))]
    found += [f"/{config.baseline or BASELINE}", FILE]  # FILE: also the nested ones
    found += [f"/{PYPROJECT}"] if config.origin == PYPROJECT else []
    inside = code_owners.startswith(".github/")
    return [*found, *([] if inside or not code_owners else [f"/{code_owners}"]), "/.github/"]


def _without_owners(text: str, path: str, guarded: list[str]) -> list[str]:
    """The patterns for which no line but the one for everything names an owner."""
    owners, lines = CodeOwners(text, path), text.splitlines()
    missing = []
    for pattern in guarded:
        names, line = owners.owners(f"{pattern.strip('/')}{'/x' if pattern.endswith('/') else ''}")
        if not names or not line or lines[line - 1].split()[0] == "*":
            missing.append(pattern)
    return missing


def _listed(patterns: list[str]) -> str:
    *first, last = patterns
    return f"{', '.join(first)} and {last}" if first else last


def _owner_rules(text: str) -> list[list[str]]:
    """The rows of a CODEOWNERS as words: a pattern and its owners."""
    return [words for line in text.splitlines() if (words := line.split("#")[0].split())]


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


SHOWN = 10
"""Lines that are shown of a derived file."""


def as_diff(step: FileChange, look: Look) -> Iterator[str]:
    """A step as a unified diff; of a derived file its beginning."""
    from difflib import unified_diff

    before, after = step.before.splitlines(), step.after.splitlines()
    more = len(after) - SHOWN if step.derived else 0
    if more > 0:
        after = after[:SHOWN]
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
    if more > 0:
        yield look.paint(f"… and {more} more lines of this file", "dim")


def carry_out(repo: Repo, plan: tuple[FileChange, ...]) -> None:
    """Write the files, each at once. Raises GroundedIngestError where one has changed meanwhile."""
    root = repo.root
    with locked(repo):
        for step in plan:
            _refuse_links(root, step.path)
            if (_read(root, step.path) or "") != step.before:
                raise GroundedIngestError(f"{step.path} has changed meanwhile", "run init again")
        # The configuration at the end: what stands there says that there is nothing left to do.
        for step in sorted(plan, key=lambda step: step.path == FILE):
            full, new = f"{root}/{step.path}", 0o755 if step.executable else 0o644
            try:
                mode = os.stat(full).st_mode & 0o777 if os.path.exists(full) else new
                write_whole(full, step.after.encode(), mode=mode)
            except OSError as error:
                raise GroundedIngestError(f"{step.path}: {error.strerror}") from None
