"""Mutes findings by `--select`, `--ignore`, `per_file_ignores` and the baseline.

Findings are muted before the report is printed in any format. Muting does not change decisions or
evidence: a claim whose finding is muted is neither approved nor removed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.files import line_of
from grounded_ingest.config.globs import matches
from grounded_ingest.config.syntax import nearest
from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import Decision, Evidence, Problem, Tier
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Result, scope_test
from grounded_ingest.records.whole_file import locked, write_whole
from grounded_ingest.report.findings import (
    ReportItem,
    finding_of_problem,
    findings_of_decision,
    list_findings,
    reporting_rule,
)
from grounded_ingest.report.fixes import drop_unfixable
from grounded_ingest.repository.judging_config import protected_tree
from grounded_ingest.repository.scope import Scoped
from grounded_ingest.rules.rule_selectors import is_chosen, matches_any, selector_words, selects_any
from grounded_ingest.text.printable import number_of, printable

Keeps = Callable[[str, str], bool]


class Selection(NamedTuple):
    """The options that select findings, in addition to the configuration. select, ignore: rule
    selectors. baseline: the file that `--baseline` names. update: write the current findings to the
    baseline. landed: always read the baseline from the base branch."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    baseline: str = ""
    update: bool = False
    landed: bool = False


def parse_selectors(option: str, values: Sequence[str]) -> tuple[str, ...]:
    """Returns the rule selectors in the comma-separated values of an option. Raises
    GroundedIngestError if a selector does not match any rule, or if there is no selector."""
    found = tuple(s for value in values for part in value.split(",") if (s := part.strip()))
    if values and not found:
        raise GroundedIngestError(
            f"the value of {option} is empty", "give a rule id, the beginning of rule ids, or ALL"
        )
    for selector in found:
        if not selects_any(selector):
            near = nearest(selector, selector_words())
            hint = f"did you mean {near}?" if near else "`grounded-ingest rule` lists the rules"
            raise GroundedIngestError(f"{option}: unknown rule: {selector}", hint)
    return found


def rule_filter(selection: Selection, result: Result) -> Keeps:
    """Returns a function of a rule and a path, which returns whether findings of the rule in that
    document are shown and counted."""
    per_file = result.config.per_file_ignores

    @cache
    def keeps(rule: str, path: str) -> bool:
        here = [s for glob, some in per_file if path and matches((glob,), path) for s in some]
        chosen = is_chosen(rule, selection.select, selection.ignore)
        return chosen and is_chosen(rule, (), here)

    return keeps


def mute_findings(
    result: Result,
    selection: Selection = Selection(),  # noqa: B008  frozen
) -> Result:
    """Returns the result with muted findings. Mutes findings that the options do not select, and
    findings that the baseline accepts. With `selection.update`, first writes the baseline. Raises
    GroundedIngestError if the baseline cannot be read or written."""
    keeps = rule_filter(selection, result)
    config, scoped = result.config, result.scoped
    unused_ignores = (p for p in _unused_ignores(result) if keeps(p.rule, p.path))
    report = _without_deselected(result.report, keeps)
    report = replace(report, problems=(*report.problems, *unused_ignores))
    remarks: list[str] = []
    file = find_baseline(scoped, selection.baseline, config.baseline, landed=selection.landed)
    if file is not None:
        entries, remarks = read_baseline(scoped, file, update=selection.update)
        if selection.update:
            entries, remark = _update(result, report, file, entries, keeps)
            remarks.append(remark)
        accepted, unused = accept_findings(list_findings(report), entries)
        report = _without_accepted(report, accepted)
        many = sum(_covers(result, e) for e in unused)
        if many and not selection.update:
            verb = "1 entry no longer matches" if many == 1 else f"{many} entries no longer match"
            remarks.append(f"{verb} a finding; --update-baseline removes unused entries")
    elif selection.update:
        raise GroundedIngestError(
            "--update-baseline needs a baseline file",
            "add --baseline FILE, or set `baseline` in the configuration",
        )
    if file is not None and remarks and keeps("baseline", file.inside):
        problem = Problem(file.inside, int(bool(file.inside)), "baseline", "; ".join(remarks))
        report = replace(report, problems=(*report.problems, problem))
    return replace(result, report=report)


def mute_explained(result: Result) -> tuple[Result, Callable[[str, str], str]]:
    """Returns the result as a check reports it, with muted findings and without the fixes that
    `check --fix` would not write. Also returns a function of a rule and a path, which says what
    mutes such a finding."""
    if result.report.has_fix:
        result = drop_unfixable(result)
    keeps = rule_filter(Selection(), result)

    def muting(rule: str, path: str) -> str:
        setting = f"`per_file_ignores` in {result.config.origin}"
        return "the baseline" if keeps(rule, path) else setting

    return mute_findings(result), muting


_SOMETIMES = ("expired", "stale-sidecar", "not-staged")
_ONLINE = ("refuted-citation[url]", "refuted-citation[issue]")
"""Rules whose findings `check --all` may miss: always (`_SOMETIMES`), or if offline (`_ONLINE`)."""


def _unused_ignores(result: Result) -> Iterator[Problem]:
    """Yields a problem for each entry of `per_file_ignores` that ignores nothing in a check of all
    documents. An entry with `ALL` counts as used if its glob matches a document, because `ALL` also
    ignores future findings."""
    config, tree = result.config, result.scoped.tree
    if result.scoped.mode != "all" or not config.per_file_ignores:
        return
    found = list_findings(result.report, quiet=True)
    text = (tree.read(config.origin) or b"").decode(errors="replace")
    rare = _SOMETIMES if result.report.scope.online else (*_SOMETIMES, *_ONLINE)
    for glob, selectors in config.per_file_ignores:
        rules = {*rare, *(e.rule for e in found if matches((glob,), e.path))}
        unused = [s for s in selectors if not any(matches_any((s,), rule) for rule in rules)]
        if not any(matches((glob,), path) for path in result.kb.documents):
            message = f"`per_file_ignores`: {glob} matches no document"
        elif unused:
            names = f"{', '.join(unused)} report{'s' * (len(unused) == 1)} nothing"
            message = f"`per_file_ignores`: {names} in the documents that match {glob}"
        else:
            continue
        line = line_of(text, config.origin, ("per_file_ignores", glob))
        yield Problem(config.origin, line, "unused-ignore", message)


def _without_deselected(report: Report, keeps: Keeps) -> Report:

    def mute(decision: Decision) -> Decision:
        path = decision.place.path
        evidence = tuple(
            _mute(e)
            if (rule := reporting_rule(e, report, changed=True)) and not keeps(rule, path)
            else e
            for e in decision.evidence
        )
        row = decision.tier is not Tier.APPROVE and not keeps(decision.rule, path)
        return _changed(decision, evidence, muted=row)

    problems = tuple(p for p in report.problems if keeps(p.rule, p.path))
    return _with(report, mute, problems)


def _with(
    report: Report, mute: Callable[[Decision], Decision], problems: tuple[Problem, ...]
) -> Report:
    return replace(
        report,
        decisions=tuple(map(mute, report.decisions)),
        elsewhere=tuple(map(mute, report.elsewhere)),
        problems=problems,
    )


def _without_accepted(report: Report, accepted: frozenset[str]) -> Report:
    if not accepted:
        return report
    # Findings are matched by key and not by fingerprint, because a fingerprint depends on the order
    # of equal findings in the whole list.
    left = Counter(baseline_key(e) for e in list_findings(report) if e.fingerprint in accepted)

    def takes(item: ReportItem) -> bool:
        key = baseline_key(item)
        left[key] -= 1
        return left[key] >= 0

    def mute(decision: Decision) -> Decision:
        muted, evidence = decision.muted, list(decision.evidence)
        for item, at in findings_of_decision(decision, report):
            if takes(item):
                if at is None:
                    muted = True
                else:
                    evidence[at] = _mute(evidence[at])
        return _changed(decision, tuple(evidence), muted=muted)

    problems = tuple(p for p in report.problems if not takes(finding_of_problem(p)))
    return _with(report, mute, problems)


def _mute(evidence: Evidence) -> Evidence:
    return evidence if evidence.muted else replace(evidence, muted=True)


def _changed(decision: Decision, evidence: tuple[Evidence, ...], *, muted: bool) -> Decision:
    if evidence == decision.evidence and muted == decision.muted:
        return decision
    return replace(decision, evidence=evidence, muted=muted)


def _covers(result: Result, entry: Accepted) -> bool:
    """Returns whether this run would find the entry's finding again. A check of a change would not
    find it, because such a check reads only the change. Only some runs find `_SOMETIMES`."""
    whole = result.scoped.changes is None and entry.rule not in _SOMETIMES
    return whole and scope_test(result.scoped)(entry.path)


def _update(
    result: Result, report: Report, file: BaselineFile, old: list[Accepted], keeps: Keeps
) -> tuple[list[Accepted], str]:
    """Writes the current findings to the baseline. Keeps an old entry if this run did not check the
    entry's document and rule. Returns the entries in the baseline, and a message that counts
    accepted and removed entries."""
    kept = [e for e in old if not (_covers(result, e) and keeps(e.rule, e.path))]
    after = [*kept, *baseline_entries(list_findings(report))]
    had, has = Counter(e.key for e in old), Counter(e.key for e in after)
    write_baseline(result.scoped.tree.repo, file, after)
    new, dropped = (has - had).total(), (had - has).total()
    accepted = f"the baseline accepts {number_of(len(after), 'finding')} ({new} new)"
    return after, f"{accepted}; removed entries of fixed findings: {dropped}"


# The baseline: a file with the findings that a repository accepts

_TEXT = 100
"""Maximum number of characters of a claim in an entry, for people who read the file."""


AcceptedKey = tuple[str, str, str]
"""Path, rule and id. They identify a finding even if its line number changes."""


class Accepted(Struct, frozen=True, omit_defaults=True):
    """An accepted finding, written as one line in a baseline. id: the id of the claim, a digest of
    claim and target if a reference is wrong, or a digest of the message if the finding has no
    claim. text: the claim or message, for people who read the file."""

    path: str
    rule: str
    id: str
    text: str = ""

    @property
    def key(self) -> AcceptedKey:
        return (self.path, self.rule, self.id)


class BaselineFile(NamedTuple):
    """The location of a baseline, the file with accepted findings.

    name: the name that the user wrote. inside: the path relative to the root, empty if the file is
    outside the repository. full: the absolute path. by_base: read the version on the base branch,
    so that a change cannot accept its own findings. configured: true if the configuration names the
    file, false if the command line names it.
    """

    name: str
    inside: str
    full: str
    by_base: bool
    configured: bool = False


def find_baseline(
    scoped: Scoped, given: str, configured: str, *, landed: bool
) -> BaselineFile | None:
    """Returns the location of the baseline, or None if no baseline is named.

    The path from the command line (`given`, relative to the current directory) wins over the path
    in the configuration, which is relative to the root. If `landed` is true, every check reads the
    version on the base branch. Otherwise, only the check of a commit range reads that version.
    """
    repo, by_base = scoped.tree.repo, landed or scoped.mode == "range"
    if given:
        full = os.path.abspath(given)
        return BaselineFile(given, _path_inside(repo, full), full, by_base)
    if configured:
        return BaselineFile(configured, configured, f"{repo.root}/{configured}", by_base, True)
    return None


def _path_inside(repo: Repo, full: str) -> str:
    """Returns the path relative to the root, or an empty string if it is outside the repository.

    A symbolic link into the repository counts as inside. A symbolic link in the repository that
    leads out of it also counts as inside. Otherwise a change could replace the baseline by a link
    to another file.
    """
    root = os.path.realpath(repo.root)
    for path in (full, os.path.realpath(full)):
        above, below = os.path.split(path)
        while os.path.realpath(above) != root and os.path.dirname(above) != above:
            above, name = os.path.split(above)
            below = f"{name}/{below}"
        if os.path.realpath(above) == root:
            return below
    return ""


def read_baseline(
    scoped: Scoped, file: BaselineFile, *, update: bool
) -> tuple[list[Accepted], list[str]]:
    """Returns the entries in a baseline, and remarks about the file for the report. Returns no
    entries if a configured file is missing or broken. Raises GroundedIngestError if the command
    line names a missing or broken file, unless this run updates the file."""
    if file.by_base and file.inside:
        return _read_from_base(scoped, file.inside)
    content = _read_current(scoped, file)
    if content is not None:
        return _entries_in(content, file.name, strict=not (update or file.configured))
    if not (update or file.configured):
        raise GroundedIngestError(
            f"the baseline {file.name} does not exist", "add --update-baseline to create the file"
        )
    return [], [] if update else ["the baseline file does not exist"]


def _entries_in(content: bytes, name: str, *, strict: bool) -> tuple[list[Accepted], list[str]]:
    try:
        return parse_baseline(content, name), []
    except GroundedIngestError as error:
        if strict:
            raise
        return [], [f"all entries of the baseline are ignored: {error}"]


def _read_from_base(scoped: Scoped, path: str) -> tuple[list[Accepted], list[str]]:
    content = protected_tree(scoped).read(path)
    if content is None:
        return [], ["the baseline file is not on the base branch yet, so its entries do not count"]
    entries, remarks = _entries_in(content, f"{path} on the base branch", strict=False)
    now = scoped.tree.read(path) if scoped.tree.entry(path) is not None else b""
    if not remarks and not {*(now or b"").split(b"\n")} <= {*content.split(b"\n")}:
        remarks = ["entries that this change adds do not count before they are on the base branch"]
    return entries, remarks


def _read_current(scoped: Scoped, file: BaselineFile) -> bytes | None:
    if file.inside and (scoped.tree.repo.bare or scoped.mode == "staged"):
        return scoped.tree.read(file.inside) if scoped.tree.entry(file.inside) else None
    with os_errors_as(f"{file.name} cannot be read"):
        try:
            with open(file.full, "rb") as opened:
                return opened.read()
        except FileNotFoundError:
            return None


def parse_baseline(content: bytes, name: str) -> list[Accepted]:
    """Returns the entries in the content of a baseline file. Raises GroundedIngestError with file
    and line if a line is not an entry."""
    found = []
    for number, line in enumerate(content.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            found.append(msgspec.json.decode(line, type=Accepted))
        except NOT_JSON:
            raise GroundedIngestError(
                f"{name}:{number}: this line is not an entry in a baseline",
                "run check with --update-baseline to write the file again",
            ) from None
    return found


def baseline_text(entries: Iterable[Accepted]) -> bytes:
    """Returns the content of a baseline file. The lines are sorted, so that a diff shows only
    changed findings."""
    lines = [msgspec.json.encode(e) for e in sorted(entries, key=lambda e: (*e.key, e.text))]
    return b"".join(line + b"\n" for line in lines)


def write_baseline(repo: Repo, file: BaselineFile, entries: list[Accepted]) -> None:
    """Writes the baseline file. Raises GroundedIngestError if the file is a symbolic link or cannot
    be written."""
    if os.path.islink(file.full):
        raise GroundedIngestError(
            f"the baseline {file.name} is a symbolic link", "name the real file instead"
        )
    with os_errors_as(f"{file.name} cannot be written"), locked(repo):
        write_whole(file.full, baseline_text(entries))


def accept_findings(
    found: Iterable[ReportItem], entries: Iterable[Accepted]
) -> tuple[frozenset[str], list[Accepted]]:
    """Returns the fingerprints of the accepted findings, and the entries that accept no finding. An
    entry accepts only one finding, so that a second copy of a sentence is a new finding."""
    unused: dict[AcceptedKey, list[Accepted]] = {}
    for entry in entries:
        unused.setdefault(entry.key, []).append(entry)
    accepted = set()
    for item in found:
        if unused.get(baseline_key(item)):
            unused[baseline_key(item)].pop()
            accepted.add(item.fingerprint)
    return frozenset(accepted), [entry for rest in unused.values() for entry in rest]


def baseline_entries(found: Iterable[ReportItem]) -> list[Accepted]:
    """Returns an entry for each error and each warning in a file. A baseline cannot accept notes,
    findings without a file, or references that a server did not answer in this run."""
    return [
        Accepted(*baseline_key(e), printable(e.text or e.fact, _TEXT))
        for e in found
        if e.path and e.severity in ("error", "warning") and not e.passing
    ]


def baseline_key(item: ReportItem) -> AcceptedKey:
    """Returns the key that identifies a finding in a baseline: its path, its rule and its `key`."""
    path = item.path.encode("utf-8", "backslashreplace").decode()  # in git, paths are bytes
    return (path, item.rule, item.key)
