"""Plans and does `init --remove`: takes out what `init` wrote.

Lines that a person wrote stay. If only white space then differs from an earlier version of the file
in git, the file gets the bytes of that version.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress

from grounded_ingest.agents.registry import AGENTS, without_hooks
from grounded_ingest.cli.installation import (
    AGENT_LINES,
    ATTRIBUTES,
    BASELINE,
    CONFIGURATION,
    FOR_AGENTS,
    GENERATED,
    UNION,
    WORKFLOW,
    InstallationPlan,
    workflow_text,
    write_changes,
)
from grounded_ingest.config.files import FILE, PYPROJECT
from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.hooks import (
    NAME,
    PRE_COMMIT,
    REMOTE,
    STAGES,
    find_hook,
    hook_directory,
    is_runner_script,
    is_script,
    without_entry,
)
from grounded_ingest.git.repository import Repo, lies_in
from grounded_ingest.records.evidence import DIRECTORY
from grounded_ingest.records.whole_file import locked

_HEADER = CONFIGURATION.splitlines()[0]
_CONFIGURATION = {
    *CONFIGURATION.splitlines(),
    *(f"preset: {preset}" for preset in ("advisory", "default", "strict")),
}
"""Lines of the configuration file that `init` writes."""
_SECTION = AGENT_LINES.splitlines()
_ATTRIBUTES = {GENERATED, UNION}
_VARIABLE = re.compile(r"(?<=uses: ).*|(?<=SOURCE: ).*|(?<=fail-on)[: ].*|(?<=name: Check ).*")
"""Parts of the workflow that depend on the options of `init`."""
_VERSIONS = 40
"""Number of earlier versions of a file that are searched for the text before `init`."""


class RemovalPlan(InstallationPlan):
    """The changes that `init --remove` plans. deletions: the content of each file to delete. cache:
    the path of the cache, or empty."""

    def __init__(self, repo: Repo) -> None:
        super().__init__(repo.root)
        self.repo = repo
        self.deletions: dict[str, bytes] = {}
        cache = os.path.relpath(repo.cache_directory, repo.root)
        self.cache = cache if os.path.isdir(repo.cache_directory) else ""

    @property
    def is_empty(self) -> bool:
        return not (self.changes or self.deletions or self.cache)

    def list_deletions(self) -> Iterator[str]:
        """Yields a line for each file and directory to delete."""
        yield from (f"delete {path}" for path in self.deletions)
        if self.cache:
            yield f"delete {self.cache} (the cache)"

    def read(self, path: str) -> str | None:
        """Returns a file's text, or None if the file is missing, a link, or not UTF-8."""
        full = f"{self.repo.root}/{path}"
        if os.path.islink(full) or not lies_in(os.path.realpath(full), self.repo.root):
            return None
        try:
            with open(full, "rb") as file:
                return file.read().decode()
        except (OSError, UnicodeDecodeError):
            return None

    def delete(self, path: str) -> None:
        with open(f"{self.repo.root}/{path}", "rb") as file:
            self.deletions[path] = file.read()

    def edit(
        self, path: str, before: str, after: str, same: Callable[[str], object] | None = None
    ) -> None:
        """Plans to replace the text of a file with `after`. If `after` is blank, plans to delete
        the file, except AGENTS.md and CLAUDE.md.

        If an earlier version in git differs from `after` only in white space at the end, the file
        gets exactly the bytes of that version. With `same`, it gets those of a version for which
        `same` returns an equal value."""
        if after == before:
            return
        reduce = same or str.rstrip
        old = next((t for t in self._versions(path) if reduce(t) == reduce(after)), None)
        if old is not None:
            self.change(path, before, old)
        elif after.strip() or path in FOR_AGENTS:
            self.change(path, before, after)
        else:
            self.delete(path)

    def _versions(self, path: str) -> Iterator[str]:
        entry = self.repo.index().get(path)
        oids = [entry.oid] if entry else []
        if self.repo.head() and not path.startswith("../"):
            command = ("log", f"-{_VERSIONS}", "--format=", "--raw", "--no-abbrev", "--no-renames")
            rows = os.fsdecode(self.repo.run(*command, "--", path)).splitlines()
            oids += [oid for row in rows if row.startswith(":") for oid in row.split()[2:4]]
        for oid in dict.fromkeys(oids):
            content = self.repo.objects.read(oid) if oid.strip("0") else None
            if content is not None:
                yield content.decode(errors="surrogateescape")


def plan_removal(repo: Repo) -> RemovalPlan:
    """Returns the changes that remove everything that `init` wrote into the repository."""
    plan = RemovalPlan(repo)
    _plan_runner(plan)
    _plan_scripts(plan)
    _plan_settings(plan)
    for path in (WORKFLOW, BASELINE):
        _plan_whole_file(plan, path)
    _plan_evidence(plan)
    _plan_lines(plan)
    _plan_agents_hooks(plan)
    return plan


def apply_removal(repo: Repo, plan: RemovalPlan) -> None:
    """Edits and deletes the planned files, and deletes folders that this leaves empty. Raises
    GroundedIngestError if a file changed after the plan was made, or cannot be written."""
    write_changes(repo, plan.changes)
    with locked(repo):
        for path, content in plan.deletions.items():
            _delete_file(f"{repo.root}/{path}", path, content)
            if not lies_in(os.path.realpath(f"{repo.root}/{path}"), repo.common_dir):
                _delete_empty_folders(repo.root, os.path.dirname(path))
    shutil.rmtree(repo.cache_directory, ignore_errors=True)


def _delete_file(full: str, path: str, content: bytes) -> None:
    with os_errors_as(f"{path} cannot be deleted"):
        with open(full, "rb") as file:
            found = file.read()
        if found == content:
            os.unlink(full)
    if found != content:
        raise GroundedIngestError(
            f"{path} changed while init was running", "run init --remove again"
        )


def _delete_empty_folders(root: str, path: str) -> None:
    with suppress(OSError):  # a folder that is not empty stays
        while path:
            os.rmdir(f"{root}/{path}")
            path = os.path.dirname(path)


def _plan_runner(plan: RemovalPlan) -> None:
    for path in find_hook(plan.repo).configured:
        if path != PRE_COMMIT:
            plan.hint(f"{path} runs {NAME}; delete the call there by hand.")
    text = plan.read(PRE_COMMIT)
    if text is None:
        return
    after = without_entry(text)
    if after is None:
        plan.hint(f"{PRE_COMMIT} cannot be edited safely; delete the {NAME} hook by hand.")
    else:
        plan.edit(PRE_COMMIT, text, after)


def _plan_scripts(plan: RemovalPlan) -> None:
    """Plans the removal of git's hook scripts, so that the next commit, merge and push work.

    Removes pre-commit's scripts if no configuration is left, because they would refuse each push,
    or if no hook is left. If other hooks are left, removes only the stages that `init` added and
    that no other hook names.
    """
    repo = plan.repo
    where = os.path.realpath(hook_directory(repo))
    if not any(lies_in(where, os.path.realpath(d)) for d in (repo.root, repo.common_dir)):
        plan.hint(f"Hook scripts in {where}, outside this repository, were not changed.")
        return
    left = "".join(c.after for c in plan.changes if c.path == PRE_COMMIT)
    gone = PRE_COMMIT in plan.deletions or not os.path.lexists(f"{repo.root}/{PRE_COMMIT}")
    gone = gone or re.search(r"^repos: \[\]", left, re.MULTILINE) is not None
    for stage in STAGES:
        full = f"{where}/{stage}"
        path = os.path.relpath(full, os.path.realpath(repo.root))
        text = _read_script(full)
        if is_script(text):
            plan.edit(path, text, _without_call(text))
        elif is_runner_script(text):
            named = stage == "pre-commit" or stage[4:] in left
            if gone or (left and not named):
                _plan_legacy(plan, path, text)
            elif left:
                plan.hint(f"{path} stays: pre-commit runs the other hooks of {PRE_COMMIT} with it.")


def _plan_legacy(plan: RemovalPlan, path: str, text: str) -> None:
    """Plans the deletion of pre-commit's script, and restores the script that it had replaced."""
    plan.delete(path)
    legacy = f"{path}.legacy"
    if earlier := _read_script(f"{plan.repo.root}/{legacy}"):
        del plan.deletions[path]
        plan.change(path, text, earlier)
        plan.delete(legacy)


def _read_script(full: str) -> str:
    try:
        with open(full, encoding="utf-8") as file:
            return "" if os.path.islink(full) else file.read(1_000_000)
    except (OSError, UnicodeDecodeError):
        return ""


def _without_call(text: str) -> str:
    rest = _without(
        text,
        lambda line: (
            line in (f"# Written by `{NAME} init`.", REMOTE)
            or (line.startswith("exec ") and "check --staged --write" in line)
        ),
    )
    return "" if rest.strip() == "#!/bin/sh" else rest


def _plan_settings(plan: RemovalPlan) -> None:
    if f"[tool.{NAME}" in (plan.read(PYPROJECT) or ""):
        plan.hint(f"Delete the table [tool.{NAME}] in {PYPROJECT} by hand.")
    text = plan.read(FILE)
    if text is None:
        return
    whole = _HEADER in text.splitlines()

    def is_added(line: str) -> bool:
        return line == f"baseline: {BASELINE}" or (whole and bool(line) and line in _CONFIGURATION)

    after = _without(text, is_added)
    if whole and after.strip():
        after = re.sub(r"\n{3,}", "\n\n", after.strip("\n")) + "\n"
        plan.hint(f"{FILE} keeps the settings that `init` did not write.")
    plan.edit(FILE, text, after if after.strip() else "")


def _plan_whole_file(plan: RemovalPlan, path: str) -> None:
    text = plan.read(path)
    if text is None:
        return
    if path == WORKFLOW and not _is_own_workflow(text):
        plan.hint(f"{path} was changed by a person; delete it by hand.")
    else:
        plan.delete(path)


def _is_own_workflow(text: str) -> bool:
    known = {
        _VARIABLE.sub("", line)
        for source in ("https://github.com/o/n", "https://example.org/o/n")
        for line in workflow_text(source, "v1", "never").splitlines()
    }
    return all(_VARIABLE.sub("", line) in known for line in text.splitlines())


def _plan_lines(plan: RemovalPlan) -> None:
    for path in FOR_AGENTS:
        text = plan.read(path) or ""
        plan.edit(path, text, _without_section(text))
    text = plan.read(ATTRIBUTES) or ""
    plan.edit(ATTRIBUTES, text, _without(text, lambda line: line in _ATTRIBUTES))


def _plan_agents_hooks(plan: RemovalPlan) -> None:
    for path in dict.fromkeys(path for agent in AGENTS.values() for path in agent.files):
        text = plan.read(path) or ""
        if NAME in text:
            plan.edit(path, text, without_hooks(path, text), _settings_in)


def _plan_evidence(plan: RemovalPlan) -> None:
    top = f"{plan.repo.root}/{DIRECTORY}"
    for where, _, names in os.walk(top):
        for name in sorted(names):
            path = os.path.relpath(os.path.join(where, name), plan.repo.root)
            if plan.read(path) is not None:
                plan.delete(path.replace(os.sep, "/"))


def _without(text: str, is_added: Callable[[str], bool]) -> str:
    return "".join(
        line for line in text.splitlines(keepends=True) if not is_added(line.rstrip("\r\n"))
    )


def _without_section(text: str) -> str:
    """Returns an instruction file without the section for agents. Lines that a person wrote stay.
    The heading stays only if such a line is above a line that `init` wrote."""
    lines = text.splitlines(keepends=True)
    bare = [line.rstrip("\r\n") for line in lines]
    start = next((at for at, line in enumerate(bare) if line == _SECTION[0]), None)
    if start is None:
        return text
    after = range(start + 1, len(bare))
    end = next((at for at in after if bare[at].startswith("#")), len(bare))
    cut = _added_lines(bare, start, end)
    return "".join(line for at, line in enumerate(lines) if at not in cut)


def _added_lines(lines: list[str], start: int, end: int) -> set[int]:
    """Returns the indexes of the lines that `init` wrote in the section from `start` to `end`."""
    known = {start, *(at for at in range(start, end) if lines[at] and lines[at] in _SECTION)}
    behind = max(known) + 1
    cut = {at for at in range(start, behind) if at in known or not lines[at].strip()}
    if len(cut) < behind - start:
        return cut - {start, start + 1}
    gap = start and not lines[start - 1] and not "".join(lines[behind : behind + 1])
    return cut | {start - 1} if gap else cut


def _settings_in(text: str) -> object:
    """Returns the value of an agent's settings without empty parts, for comparisons."""
    try:
        value = json.loads(text)
    except ValueError:
        return text.rstrip()
    if isinstance(value, dict) and isinstance(value.get("hooks"), dict):
        value["hooks"] = {event: entries for event, entries in value["hooks"].items() if entries}
    if isinstance(value, dict) and not value.get("hooks"):
        value.pop("hooks", None)
    return value or ""
