"""Plans and writes the files that `init` sets up.

Never overwrites a user's file, and never writes through a symbolic link.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Literal, NamedTuple
from urllib.parse import urlsplit

from grounded_ingest.agents.registry import AGENTS
from grounded_ingest.config.files import FILE, PYPROJECT, load, parse_yaml
from grounded_ingest.config.settings import FAILS_ON, Config
from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.hooks import (
    NAME,
    OFFLINE,
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
from grounded_ingest.records.authority import OWNER_FILES, CodeOwners
from grounded_ingest.records.signatures import GPG_KEYS, SSH_KEYS
from grounded_ingest.records.whole_file import locked, refuse_links, write_whole
from grounded_ingest.report.formats import Colour, Look
from grounded_ingest.text.printable import printable

ATTRIBUTES = ".gitattributes"
GENERATED = ".grounded/evidence/** linguist-generated=true merge=union"
UNION = ".grounded/reviews/** merge=union"
WORKFLOWS = ".github/workflows"
WORKFLOW = f"{WORKFLOWS}/grounded-ingest.yml"
BASELINE = ".grounded/baseline.jsonl"
FOR_AGENTS = ("AGENTS.md", "CLAUDE.md")
MOST = 10
"""Maximum number of lines that the diff shows for a generated file."""

CONFIGURATION = """\
# Configuration of grounded-ingest; its docs/configuration.md describes every key.
# advisory never fails a commit; default fails on errors; strict fails on warnings, too.
preset: {preset}

# Which files are documents, besides the defaults (CLAUDE.md, AGENTS.md, memory-bank/, docs/, ADRs):
# classes:
#   memory: ["notes/agents/**"]
# exclude: ["docs/generated"]

# Files that are copies of each other on purpose:
# mirrors:
#   - [CLAUDE.md, AGENTS.md]

# Where documents come from, and which sources need no citation:
# sources:
#   "docs/manual/**": manual
# trusted_sources: [manual]
"""


AGENT_LINES = """\
## Writing facts into memory and docs

When you add a fact to memory or docs, write it so that grounded-ingest can check it at the commit:

- After the fact, name its source in backticks: a definition (file, two colons, its name),
  a file, a decision record, a commit.
- Say what that source says, with its numbers and names, and nothing else.
- Find out instead of guessing; put what is open under a heading that says so.
- When a fact changes, edit the sentence that states it and say what it was before.
- Correct the lines that the hook names if it stops a commit; do not skip the hook.
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
_PUBLIC = re.compile(r"https://[\w.-]+(?::\d+)?/[\w./~-]+")
_BY_ACTION = """\
      - uses: {action}
        with:
          fail-on: {fail_on} # set from the preset by init; may be wrong, block, review or never
"""
_BY_PIP = """\
      - run: python3 -m venv "$RUNNER_TEMP/venv" && "$RUNNER_TEMP/venv/bin/pip" install "$SOURCE"
        env:
          SOURCE: {source}
      - run: >-
          "$RUNNER_TEMP/venv/bin/grounded-ingest" check --since "origin/$GITHUB_BASE_REF"
          --fail-on {fail_on} --output-format github
"""

HookRunner = Literal["pre-commit", "git", "none"]


class SetUp(NamedTuple):
    """The settings that the user chose for `init`.

    source, rev: the address and revision that pre-commit and CI install this program from; empty if
    unknown. A package file has no revision. program: the command that starts this program on this
    machine, quoted for a shell. agents: the instruction files that get lines for coding agents.
    offline: the hook does not use the network. agent_hooks: the agents that get a hook.
    """

    preset: str = "advisory"
    hook: HookRunner = "pre-commit"
    source: str = ""
    rev: str = ""
    ci: bool = False
    agents: tuple[str, ...] = ()
    program: str = NAME
    offline: bool = False
    agent_hooks: tuple[str, ...] = ()


class FileChange(NamedTuple):
    """The content of a file before and after the set-up. before: empty if the file does not exist.
    derived: the file is generated and long, so the diff shows only its first lines."""

    path: str
    before: str
    after: str
    executable: bool = False
    derived: bool = False


class InstallationPlan:
    """The file changes that `init` plans, and hints about steps that the user does by hand."""

    def __init__(self, root: str) -> None:
        self.root = root
        self.changes: list[FileChange] = []
        self.hints: list[str] = []

    def change(self, path: str, before: str, after: str, *, executable: bool = False) -> None:
        """Adds a change, unless the file already has the content `after`."""
        if before != after:
            self.changes.append(FileChange(path, before, after, executable))

    def hint(self, *lines: str) -> None:
        """Adds lines that tell the user what to do by hand."""
        self.hints += lines

    @property
    def configuration(self) -> FileChange | None:
        """Returns the planned change of the configuration file, or None."""
        return next((c for c in self.changes if c.path == FILE), None)

    def diff(self, look: Look) -> Iterator[str]:
        """Yields all changes as unified diffs."""
        colours: dict[str, Colour] = {"+": "green", "-": "red"}
        for change in self.changes:
            after = change.after.splitlines()
            shown = after[:MOST] if change.derived else after
            names = f"a/{change.path}" if change.before else os.devnull, f"b/{change.path}"
            for line in unified_diff(change.before.splitlines(), shown, *names, lineterm=""):
                colour = colours.get(line[:1])
                yield look.paint(printable(line), colour) if colour else printable(line)
            if more := len(after) - len(shown):
                yield look.paint(f"… and {more} more lines of this file", "dim")

    def name_baseline(self) -> None:
        """Adds the setting `baseline` (the file with accepted findings) to the configuration file,
        or tells the user to add it by hand if that is not safe."""
        planned = self.configuration
        before = planned.after if planned else _read_text(self.root, FILE) or ""
        after = _append(before, [*([""] if planned else []), f"baseline: {BASELINE}"])
        if planned:
            self.changes[self.changes.index(planned)] = planned._replace(after=after)
        elif before and _baseline_in(after) == BASELINE:
            self.change(FILE, before, after)
        else:
            self.hint(f"add this line to the configuration by hand: baseline: {BASELINE}")


def read_configuration(root: str) -> Config:
    """Returns the configuration in the work tree. Raises GroundedIngestError if the configuration
    file cannot be read or is a symbolic link."""
    refuse_links(root, FILE)
    return load(lambda path: _read(root, path))


def plan_set_up(repo: Repo, wanted: SetUp) -> InstallationPlan:
    """Returns the changes that set up the repository as the user chose. Raises GroundedIngestError
    if a file to change is a symbolic link."""
    plan = InstallationPlan(repo.root)
    for path in (FILE, PRE_COMMIT, ATTRIBUTES, *wanted.agents, WORKFLOWS):
        refuse_links(repo.root, path)
    known = read_configuration(repo.root).origin in (FILE, PYPROJECT)
    if not known and not _exists(repo.root, FILE):
        plan.change(FILE, "", CONFIGURATION.format(preset=wanted.preset))
    if wanted.hook == "pre-commit":
        _plan_pre_commit(plan, wanted)
    elif wanted.hook == "git":
        _plan_scripts(plan, repo, wanted)
    if wanted.ci:
        new = plan.configuration is not None and not plan.configuration.before
        preset = wanted.preset if new else read_configuration(repo.root).preset
        plan.change(WORKFLOW, "", workflow_text(wanted.source, wanted.rev, FAILS_ON[preset]))
    for path in wanted.agents:
        before = _read_text(repo.root, path)
        if before is not None:
            gap = [""] if before.strip() else []
            plan.change(path, before, _append(before, gap + AGENT_LINES.splitlines()))
    hooks = plan_agents(repo.root, wanted.agent_hooks, wanted.program)
    plan.changes += hooks.changes
    plan.hint(*hooks.hints)
    _plan_attributes(plan)
    return plan


def plan_agents(root: str, names: Sequence[str], program: str) -> InstallationPlan:
    """Returns the changes that add hooks for coding agents to the agents' configuration files.
    Raises GroundedIngestError if such a file cannot be edited."""
    plan = InstallationPlan(root)
    for name in dict.fromkeys(names):
        shape = AGENTS[name]
        for path in shape.files:
            refuse_links(root, path)
        before = {path: _read(root, path) or "" for path in shape.files}
        for file in shape.installed(program, before):
            plan.change(file.path, before[file.path], file.text, executable=file.executable)
        if shape.trust:
            plan.hint(shape.trust)
    if program != NAME and plan.changes:
        plan.hint(
            f"These files contain {program}, a path on this machine. To share the files, install"
            " grounded-ingest on PATH (uv tool install, pipx install) and run init again."
        )
    return plan


def workflow_text(source: str, rev: str, fail_on: str) -> str:
    """Returns the text of a GitHub workflow that checks pull requests. The workflow uses the GitHub
    action if the source is on GitHub, and else installs with pip."""
    url = urlsplit(source)
    if url.hostname == "github.com" and rev:
        name = url.path.strip("/").removesuffix(".git")
        return _WORKFLOW + _BY_ACTION.format(action=yaml_scalar(f"{name}@{rev}"), fail_on=fail_on)
    wanted = f"git+{source}@{rev}" if rev else source
    return _WORKFLOW + _BY_PIP.format(source=yaml_scalar(wanted), fail_on=fail_on)


def has_workflow(root: str) -> bool:
    """Returns whether a GitHub workflow in the repository already mentions grounded-ingest."""
    places = f"{root}/{WORKFLOWS}"
    names = os.listdir(places) if os.path.isdir(places) else []
    texts = (_read_text(places, name) or "" for name in names)
    return _exists(root, WORKFLOW) or any(NAME in text for text in texts)


def is_public(source: str) -> bool:
    """Returns whether a CI job on another machine can install from this address."""
    return _PUBLIC.fullmatch(source) is not None


def files_for_agents(root: str) -> tuple[str, ...]:
    """Returns the instruction files to which `init` adds lines for coding agents. Leaves out files
    that already mention this program, and files that import another instruction file, because the
    imported file gets the lines."""
    found: list[str] = []
    for path in FOR_AGENTS:
        if os.path.islink(f"{root}/{path}") or not os.path.isfile(f"{root}/{path}"):
            continue
        text = _read_text(root, path) or ""
        if NAME not in text and not any(f"@{other}" in text for other in FOR_AGENTS):
            found.append(path)
    return tuple(found)


def agents_of(root: str) -> dict[str, bool]:
    """Returns the coding agents of the repository, and whether each has the hook. An agent counts
    if it has the hook or its folder is there. `.github` does not count, because most repositories
    have it for other reasons. CLAUDE.md counts for Claude Code, AGENTS.md for no agent."""
    found = {}
    for name, agent in AGENTS.items():
        has_hook = any(NAME in (_read_text(root, path) or "") for path in agent.files)
        folder = agent.files[0].split("/")[0]
        named = name == "claude" and _exists(root, "CLAUDE.md")
        if has_hook or named or (folder != ".github" and os.path.isdir(f"{root}/{folder}")):
            found[name] = has_hook
    return found


def _baseline_in(text: str) -> str:
    try:
        return parse_yaml(text, FILE).baseline
    except GroundedIngestError:
        return ""


def _plan_pre_commit(plan: InstallationPlan, wanted: SetUp) -> None:
    # pre-commit hides the output of a hook that passes. Only with strict, it has no findings.
    shows, offline = wanted.preset != "strict", wanted.offline
    lines = entry_lines(wanted.source, wanted.rev, shows=shows, offline=offline)
    if not _exists(plan.root, PRE_COMMIT):
        plan.change(PRE_COMMIT, "", "\n".join(["repos:", *lines]) + "\n")
        return
    before, after = _read_text(plan.root, PRE_COMMIT), None
    if before is not None:
        after = with_entry(before, wanted.source, wanted.rev, shows=shows, offline=offline)
    if before is None or after is None:
        plan.hint(f"{PRE_COMMIT} cannot be edited safely; add these lines to its `repos` by hand:")
        plan.hint(*lines)
    else:
        plan.change(PRE_COMMIT, before, after)


def _plan_scripts(plan: InstallationPlan, repo: Repo, wanted: SetUp) -> None:
    """Plans hook scripts for git. Does not replace existing scripts, and writes no script outside
    this repository.
    """
    if find_hook(repo).installed:
        return
    where = os.path.realpath(hook_directory(repo))
    tracked = _is_below(where, repo.root) and not _is_below(where, repo.common_dir)
    if not tracked and not _is_below(where, repo.common_dir):
        offline = OFFLINE if wanted.offline else ""
        command = f"`{wanted.program} check --staged --write{offline}`"
        plan.hint(
            f"core.hooksPath is {printable(where)}, a directory outside this repository.",
            f"Add {command} to the pre-commit script in that directory by hand.",
        )
        return
    program = NAME if tracked else wanted.program  # a tracked script runs on other machines
    text = script_text(program, offline=wanted.offline)
    # The script `pre-commit` is written last, because its presence marks a complete set-up.
    for stage in reversed(SCRIPT_STAGES):
        path = os.path.relpath(f"{where}/{stage}", os.path.realpath(repo.root))
        if _read_text(repo.root, path) == text:
            continue
        if _exists(repo.root, path):
            line = text.splitlines()[-1].removeprefix("exec ")
            plan.hint(f"{path} exists; add this line to it by hand:", f"  {line} || exit 1")
        else:
            plan.change(path, "", text, executable=True)


def _is_below(path: str, directory: str) -> bool:
    return os.path.realpath(path).startswith(os.path.realpath(directory) + os.sep)


def _plan_attributes(plan: InstallationPlan) -> None:
    before = _read_text(plan.root, ATTRIBUTES)
    if before is None:
        both = f"{GENERATED} and {UNION}"
        plan.hint(f"{ATTRIBUTES} is not UTF-8; add these lines by hand: {both}")
        return
    lines = {UNION: ("reviews", "merge")}
    if read_configuration(plan.root).evidence != "off":
        lines = {GENERATED: ("evidence", "linguist-generated"), **lines}
    present = before.splitlines()
    missing = [w for w, key in lines.items() if not any(_sets(line, *key) for line in present)]
    plan.change(ATTRIBUTES, before, _append(before, missing))


def _sets(line: str, directory: str, attribute: str) -> bool:
    """Returns whether a line in .gitattributes sets `attribute` for `.grounded/{directory}`."""
    patterns = (f".grounded/{directory}/", ".grounded/**")
    return line.split("#")[0].strip().startswith(patterns) and attribute in line


def hint_owners(plan: InstallationPlan) -> None:
    """Hints at missing code owners of the configuration, the review logs and the key files, if they
    exist or are planned. Without code owners, a person could approve their own text by changing
    these files alone."""
    path = next((p for p in OWNER_FILES if _exists(plan.root, p)), "")
    if not path:
        return
    config = read_configuration(plan.root)
    guarded = ["/.grounded/reviews/", *(f"/{p}" for p in (SSH_KEYS, GPG_KEYS))]
    guarded += [f"/{config.baseline or BASELINE}", FILE, "/.github/"]
    written = {parent for c in plan.changes for parent in (c.path, c.path.partition("/")[0])}
    known = [p for p in guarded if _exists(plan.root, p) or p.strip("/") in written]
    if missing := _without_owners(_read_text(plan.root, path) or "", path, known):
        plan.hint(f"Name code owners in {path} for {', '.join(missing)}.")


def _without_owners(text: str, path: str, guarded: list[str]) -> list[str]:
    owners, lines = CodeOwners(text, path), text.splitlines()
    missing = []
    for pattern in guarded:
        names, line = owners.owners(f"{pattern.strip('/')}{'/x' if pattern.endswith('/') else ''}")
        if not names or not line or lines[line - 1].split()[0] == "*":
            missing.append(pattern)
    return missing


def _append(before: str, lines: list[str]) -> str:
    """Returns the text with `lines` at its end. Keeps the line ends (LF or CRLF) of the text."""
    ending = "\r\n" if "\r\n" in before else "\n"
    gap = ending if lines and before and not before.endswith(("\n", "\r")) else ""
    return before + gap + "".join(line + ending for line in lines)


def _exists(root: str, path: str) -> bool:
    return os.path.lexists(f"{root}/{path}")


def _read(root: str, path: str) -> str | None:
    """Returns a file's text with its line ends, or None if the file does not exist. Raises
    GroundedIngestError if the file cannot be read."""
    try:
        with open(f"{root}/{path}", "rb") as file:
            return file.read().decode()
    except FileNotFoundError:
        return None
    except UnicodeDecodeError:
        raise GroundedIngestError(
            f"{path}:1: the file is not UTF-8", "convert the file to UTF-8"
        ) from None
    except OSError as error:
        raise GroundedIngestError(f"{path} cannot be read: {error.strerror}") from None


def _read_text(root: str, path: str) -> str | None:
    """Returns a file's text, or an empty string if the file does not exist. Returns None if the
    file cannot be read."""
    try:
        return _read(root, path) or ""
    except GroundedIngestError:
        return None


def write_changes(repo: Repo, changes: Sequence[FileChange]) -> None:
    """Writes the planned files. Raises GroundedIngestError if a file changed after the plan was
    made, or cannot be written."""
    root = repo.root
    with locked(repo):
        for change in changes:
            refuse_links(root, change.path)
            if (_read(root, change.path) or "") != change.before:
                raise GroundedIngestError(
                    f"{change.path} changed while init was running", "run init again"
                )
        # The configuration is written last, because its presence marks a complete set-up.
        for change in sorted(changes, key=lambda c: c.path == FILE):
            full, new = f"{root}/{change.path}", 0o755 if change.executable else 0o644
            with os_errors_as(f"{change.path} cannot be written"):
                mode = os.stat(full).st_mode & 0o777 if os.path.exists(full) else new
                write_whole(full, change.after.encode(), mode=mode)
