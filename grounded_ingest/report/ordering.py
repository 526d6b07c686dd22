"""What a report has to say in one list: what is wrong, then doubts, then notes on the run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.language.dated_paths import tells_of_a_day
from grounded_ingest.language.printable import printable
from grounded_ingest.model.claims import Decision, DocClass, Problem, Tier, Verdict
from grounded_ingest.model.digests import blake2b
from grounded_ingest.model.report import Report
from grounded_ingest.references.removal_history import UNREAD
from grounded_ingest.report.verbosity import PLAIN, Look
from grounded_ingest.report.wording import cause
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.rules.rule import Signal

_DOUBTFUL = (
    "contradicted-by-source", "unsupported", "contamination", "ignored", "unread", "repeat",
    "technical-hedge", "unverified-citation",
)  # fmt: skip
"""Rules of doubt by how often somebody could act on them."""
CERTAINTY = {
    rule: place
    for place, rule in enumerate(
        [*(r for r in EVERY_RULE if EVERY_RULE[r].signal == "wrong")]
        + [r for r in EVERY_RULE if EVERY_RULE[r].signal != "wrong" and r not in _DOUBTFUL]
        + [*_DOUBTFUL]
    )
}
"""Rules by how sure it is that something is wrong, the surest first."""
_TURNS = ("stale-sidecar",)
"""A note, and still somebody's turn."""
_SIGNALS: dict[Signal, int] = {"wrong": 0, "doubt": 1, "note": 2, "silent": 3}


class ReportItem(NamedTuple):
    """One of them. `path` is raw, as git has it; `text` (the claim, or the problem's message) and
    `cause` are printable. `line` is 0 where there is none. `id` is empty for problems.
    `fingerprint` stays the same while lines move, and is the entry's alone in its report. `topic`
    is what entries of one document have in common that say the same, `dated` a plan, report or
    decision that stood there before."""

    signal: Signal
    tier: int
    rule: str
    path: str
    line: int
    column: int
    end_line: int
    section: str
    id: str
    text: str
    cause: str
    fingerprint: str
    topic: str
    dated: bool

    @property
    def severity(self) -> int:
        """3 blocks, 2 is somebody's turn, 0 is said about the run or the claim."""
        if self.tier == Tier.BLOCK:
            return 3
        return 2 if self.signal in ("wrong", "doubt") or self.rule in _TURNS else 0

    @property
    def said(self) -> str:
        """What is wrong, and the way out: one line. Notes that are nobody's turn have none."""
        return self.told(PLAIN)

    def told(self, look: Look) -> str:
        """The same where it is read."""
        what = self.cause or (EVERY_RULE[self.rule].summary if self.id else self.text)
        if self.signal == "note" and not self.path:  # said of the run, by us
            return look.commands(what)
        way_out = look.commands(EVERY_RULE[self.rule].way_out)
        return f"{what.rstrip('.')}. {way_out}" if self.severity else what

    @property
    def message(self) -> str:
        """The claim's words as well, for formats that do not show the line itself."""
        return f"{self.text}\n{self.said}" if self.id else self.said


def entries(report: Report, *, silent: bool = False) -> list[ReportItem]:
    """Counted claims and problems that somebody can act on: what is wrong before doubts before
    notes, and ungrounded claims where the report asks for them; of a change what blocks first;
    memory that agents load before documents, and last of all those that tell of a day; by
    certainty, then by place. With `silent` all other claims."""
    seen: Counter[tuple[str, ...]] = Counter()
    landed = report.scope.mode in ("paths", "all")
    memory = {d.place.path for d in report.decisions if d.place.doc_class is DocClass.MEMORY}
    decided = {d.place.path for d in report.decisions if d.place.doc_class is DocClass.DECISIONS}
    found = []
    for decision in report.decisions:
        key: tuple[str, ...] = (decision.place.path, decision.place.claim.id)
        seen[key] += 1  # claims that do not count as well: they must not renumber their equals
        if decision.counts and (silent or _is_told(decision, report)):
            found.append(_of_decision(decision, seen[key]))
    for problem in report.problems:
        key = (problem.path, problem.rule, problem.message)
        seen[key] += 1
        found.append(_of_problem(problem, seen[key]))

    def rank(e: ReportItem) -> tuple[object, ...]:
        blocks = 0 if landed else -(e.tier == Tier.BLOCK)
        where = e.dated, e.path not in memory
        order = _SIGNALS[e.signal], blocks, *where, CERTAINTY[e.rule]
        return (*order, e.path, e.line, e.column)

    if landed:
        found = [
            e._replace(dated=e.path in decided or tells_of_a_day(e.path)) if e.path else e
            for e in found
        ]
    return sorted(found, key=rank)


DOUBTS = 20
"""Doubts about a change that are listed; the rest, and those about what stood before, is counted
by rule."""


class Listing(Struct, frozen=True):
    """What a page for people lists: entries that say the same of one document stand as one, with
    the lines of the others, unless all is listed. `asked` are ungrounded claims, `left_out` says
    in a line each what is only counted."""

    wrong: list[tuple[ReportItem, list[int]]]
    doubts: list[tuple[ReportItem, list[int]]]
    notes: list[tuple[ReportItem, list[int]]]
    asked: list[tuple[ReportItem, list[int]]]
    left_out: list[str]


def listing(report: Report, *, whole: bool = False) -> Listing:
    """What is wrong, doubts about a change, notes; what is wrong in documents that tell of a day
    is counted, unless it blocks. `whole` lists all of it."""
    found, asked = _apart(entries(report))
    dated: list[ReportItem] = []
    shown: list[ReportItem] = []
    for entry in found:
        counted = entry.dated and entry.tier != Tier.BLOCK and not whole
        (dated if counted else shown).append(entry)
    wrong, doubts, notes = (
        _folded([e for e in shown if e.signal == s], alone=whole)
        for s in ("wrong", "doubt", "note")
    )
    most = len(doubts) if whole else 0 if report.scope.mode in ("paths", "all") else DOUBTS
    left_out = list(_left_out([e for e, _ in doubts[most:]], dated, "more " if most else ""))
    return Listing(wrong, doubts[:most], notes, asked, left_out)


def _apart(
    found: Sequence[ReportItem],
) -> tuple[list[ReportItem], list[tuple[ReportItem, list[int]]]]:
    """What is said in any case, and what is because it was asked for."""
    asked = [e for e in found if e.signal == "silent"]
    return [e for e in found if e.signal != "silent"], [(e, []) for e in asked]


def _left_out(doubts: list[ReportItem], dated: list[ReportItem], more: str) -> Iterator[str]:
    if doubts:
        what = "doubt" if len(doubts) == 1 else "doubts"
        yield f"{len(doubts)} {more}{what} ({_by_rule(doubts)})"
    if dated:
        yield f"{len(dated)} more in plans, reports and decision records ({_by_rule(dated)})"


def _by_rule(found: list[ReportItem]) -> str:
    """How many there are of each rule, the most first."""
    rules = Counter(e.rule for e in found)
    return ", ".join(f"{count} {rule}" for rule, count in rules.most_common())


def also(lines: Sequence[int]) -> str:
    """The other lines where an entry's words hold."""
    if not lines:
        return ""
    more = f" and {len(lines) - 4} more" if len(lines) > 4 else ""
    return (
        f" (also {'line' if len(lines) == 1 else 'lines'} {', '.join(map(str, lines[:4]))}{more})"
    )


def _folded(found: Sequence[ReportItem], *, alone: bool) -> list[tuple[ReportItem, list[int]]]:
    """Entries of one document and topic as one; `alone`: each for itself."""
    same: dict[tuple[str, str, str], tuple[ReportItem, list[int]]] = {}
    for entry in found:
        own = alone or not entry.topic
        key = entry.rule, entry.path, entry.fingerprint if own else entry.topic
        first, others = same.setdefault(key, (entry, []))
        if first is not entry:
            others.append(entry.line)
    return list(same.values())


def _is_told(decision: Decision, report: Report) -> bool:
    asked = report.show_ungrounded and decision.rule == "ungrounded"
    return asked or not (
        _signal(decision.rule, decision.tier) == "silent" or _says_unread(decision)
    )


def _says_unread(decision: Decision) -> bool:
    """Whether all that is unknown of a claim are names that history was not searched for: the
    report says that in one line, and nobody can mend it at the claim."""
    unknown = [e.reason for e in decision.evidence if e.verdict is Verdict.UNKNOWN]
    return decision.rule == "unverified-citation" and set(unknown) == {UNREAD}


def _signal(rule: str, tier: int) -> Signal:
    return "wrong" if tier == Tier.BLOCK else EVERY_RULE[rule].signal


def _of_decision(decision: Decision, count: int) -> ReportItem:
    claim, path = decision.place.claim, decision.place.path
    return ReportItem(
        _signal(decision.rule, decision.tier), int(decision.tier), decision.rule, path,
        claim.line, claim.column, claim.end_line, printable(claim.section, 200), claim.id,
        printable(claim.text, 500), cause(decision), _fingerprint(path, claim.id, count),
        _topic(decision), dated=False,
    )  # fmt: skip


def _topic(decision: Decision) -> str:
    finding = decision.deciding
    if finding is None:
        return cause(decision)
    # That much of a document repeats another one is said once.
    return finding.other.path if finding.other and decision.rule == "repeat" else ""


def _of_problem(problem: Problem, count: int) -> ReportItem:
    path, rule, line = problem.path, problem.rule, problem.line
    digest = _fingerprint(path, rule, problem.message, count)
    text, signal = printable(problem.message, 500), _signal(rule, problem.tier)
    return ReportItem(
        signal, problem.tier, rule, path, line, 1, line, "", "", text, "", digest, text, dated=False
    )


def _fingerprint(*parts: object) -> str:
    told = "\0".join(map(str, parts)).encode("utf-8", "backslashreplace")
    return blake2b(told, digest_size=16).hexdigest()
