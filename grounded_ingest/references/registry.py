"""Lists the kinds of references, and runs their checks.

There are two groups. Citations are paths, ADRs, commits, issues and URLs; they are found when the
document is read (VERIFIERS). Mentions are all others, such as commands and options; they are found
later in the text of a claim (KINDS). A new kind needs a file in this folder, a line in this module,
and a section in docs/references.md.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import lru_cache
from itertools import chain, islice, pairwise
from types import MappingProxyType
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.assertions import last_name, read_assertion
from grounded_ingest.extract.citation_places import footnotes_of
from grounded_ingest.extract.citations import RESOURCE
from grounded_ingest.git.trees import CommitTree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Evidence, Place, Verdict
from grounded_ingest.references import (
    command_path,
    defined_symbol,
    heading_anchor,
    keyword_argument,
    manifest_command,
    memory_import,
    option_name,
    program_flag,
    runtime_version,
    stated_count,
    stated_value,
)
from grounded_ingest.references.adr import is_decided, verify_adrs
from grounded_ingest.references.cited_lines import find_drift
from grounded_ingest.references.commit import verify_commits
from grounded_ingest.references.context import BROKEN, Context, Request, evidence, requests_of
from grounded_ingest.references.exemptions import (
    ABSENT,
    counts_against,
    find_exemption,
    names_any,
    why_left_alone,
)
from grounded_ingest.references.misread import without_misread
from grounded_ingest.references.other_project import (
    REASON,
    is_for_other_place,
    is_in_other_project,
)
from grounded_ingest.references.path import verify_paths
from grounded_ingest.references.proofs import ignored_path, kept_place, recipe, value
from grounded_ingest.references.proofs.proof_frames import find_limit, says_only
from grounded_ingest.references.reference import Answers, Over, Reference, ReferenceKind, TreeAnswer
from grounded_ingest.rules.reference_rules import reference_rule
from grounded_ingest.text.code_spans import MASK, code_spans
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import number_of
from grounded_ingest.text.words import limiting_word

KINDS: tuple[ReferenceKind, ...] = (
    manifest_command,
    option_name,
    program_flag,
    command_path,
    memory_import,
    runtime_version,
    heading_anchor,
    stated_count,
    stated_value,
    defined_symbol,
    keyword_argument,
    value,
    recipe,
    ignored_path,
    kept_place,
)

Verifier = Callable[[Sequence[Request], Context], Mapping[Request, Evidence | None]]


def _verify_urls(
    requests: Sequence[Request], context: Context
) -> Mapping[Request, Evidence | None]:
    from grounded_ingest.references.url import verify_url_citations  # imported late for speed

    return verify_url_citations(requests, context)


def _verify_issues(
    requests: Sequence[Request], context: Context
) -> Mapping[Request, Evidence | None]:
    from grounded_ingest.references.issue import verify_issue_citations  # imported late for speed

    return verify_issue_citations(requests, context)


NOT_LANDED = "not-landed"
"""The note of evidence that will prove a claim only when the current change is on the base branch.
"""

VERIFIERS: dict[CitationKind, Verifier] = {
    CitationKind.PATH: verify_paths,
    CitationKind.ADR: verify_adrs,
    CitationKind.COMMIT: verify_commits,
    CitationKind.ISSUE: _verify_issues,  # before URLs, because both share one time budget
    CitationKind.URL: _verify_urls,
}


class Mention(NamedTuple):
    """A reference such as a command or an option in a claim, with its result. `exempt` says why it
    is not checked, or is empty. `counts` is true if the result is reported."""

    reference: Reference
    answer: TreeAnswer
    exempt: str
    counts: bool


def judge_references(
    places: Sequence[Place],
    over: Callable[[int], Over],
    context: Context,
    verified: dict[Request, Evidence | None],
    progress: Callable[[str], object] = lambda _: None,
) -> list[tuple[Evidence, ...]]:
    """Returns the evidence for each claim, from its citations and its mentions.

    `over` returns the texts above a claim, by the index of the claim. The results for citations are
    added to `verified`. Citations that are in `verified` already are not looked up again.
    """
    asked = [requests_of(place.path, place.claim) for place in places]
    progress(f"looking up {number_of(sum(map(len, asked)), 'citation')}")
    new = (r for r in chain.from_iterable(asked) if r not in verified)
    verified.update(verify_citations(new, context))
    progress("looking up names in the tree")
    mentioned = _mention_evidence(places, over, context)
    drifts = find_drift(places, asked, verified, context)
    cited = [
        [
            _locate(_excuse(found, place, context), place, r.citation.raw, 0, context)
            for r in asked[n]
            if (found := drifts.get((n, r), verified[r]))
        ]
        for n, place in enumerate(places)
    ]
    judged = [
        _merge(_leave_alone(e, place.path, context) for e in (*cited[n], *mentioned[n]))
        for n, place in enumerate(places)
    ]
    return without_misread(judged) if context.whole else judged


def _leave_alone(found: Evidence, path: str, context: Context) -> Evidence:
    wrong = found.verdict is Verdict.REFUTED
    reason = why_left_alone(path, reference_rule(found), context) if wrong else ""
    return replace(found, verdict=Verdict.SKIPPED, reason=reason) if reason else found


def _merge(found: Iterable[Evidence]) -> tuple[Evidence, ...]:
    """Returns the evidence without repetitions. A target that a claim names twice is listed once,
    at its first line."""
    merged: dict[Evidence, Evidence] = {}
    for one in found:
        merged.setdefault(replace(one, at=0), one)
    return tuple(merged.values())


def _excuse(found: Evidence, place: Place, context: Context) -> Evidence:
    """Changes the verdict of a wrong path to unknown if the path may belong to another project, or
    if the text says that the linked page is not written yet."""
    if found.verdict is not Verdict.REFUTED or found.kind is not CitationKind.PATH:
        return found
    if found.link:
        reason = _why_unlinked(found, place, context)
    else:
        excused = is_in_other_project(place, found.kind, found.reason, context)
        reason = REASON if excused else ""
    unknown = replace(found, verdict=Verdict.UNKNOWN, reason=f"{ABSENT}; {reason}", instead="")
    return unknown if reason else found


def _why_unlinked(found: Evidence, place: Place, context: Context) -> str:
    """Returns why the missing file of a link is no error, or an empty string."""
    if _is_unwritten(place.claim.text):
        return "the text says that the page is not written yet"
    lost = found.reason == ABSENT and is_for_other_place(place.path, context)
    return "none of the page's links leads to a file of this repository" if lost else ""


def _locate(found: Evidence, place: Place, written: str, start: int, context: Context) -> Evidence:
    """Returns the evidence with the line of a wrong reference, if the claim has several lines or
    footnotes. `written` is the reference as the claim writes it, at or after the offset `start`."""
    claim = place.claim
    noted = _is_noted(claim.text)
    if found.verdict is not Verdict.REFUTED or (claim.line == claim.end_line and not noted):
        return found
    text = text_of(context.tree, place.path) or ""
    source = _lines_of(text, claim.line, claim.end_line)
    role = RESOURCE.fullmatch(written)
    words = (role["target"] if role else written).split()
    name = re.compile(r"\s+".join(map(re.escape, words)))
    # `find` is much faster than the expression.
    first = max(0, source.find(words[0])) if words else 0
    spot = next(
        islice(name.finditer(source, first), claim.text.count(written, 0, start), None), None
    )
    for at, note in footnotes_of(text, claim) if noted and spot is None else ():
        if there := name.search(note):
            return replace(found, at=at + note.count("\n", 0, there.start()))
    if spot is None and (
        label := re.search(rf"(?m)^ {{0,3}}(\[[^]]+\]):\s*<?{re.escape(written)}", text)
    ):
        spot = re.search(re.escape(label[1]), source)
    return replace(found, at=claim.line + source.count("\n", 0, spot.start())) if spot else found


@lru_cache(maxsize=1)  # a claim can have thousands of references
def _is_noted(text: str) -> bool:
    return "[^" in text


@lru_cache(maxsize=1)
def _lines_of(text: str, first: int, last: int) -> str:
    return "\n".join(text.splitlines()[first - 1 : last])


def verify_citations(
    requests: Iterable[Request], context: Context
) -> dict[Request, Evidence | None]:
    """Returns the evidence for every citation. The value is None for text that is not a citation.

    If a verifier raises an error, the verifier's citations are unknown, so that no claim is
    approved by accident.
    """
    by_kind: dict[str, list[Request]] = {}
    for request in dict.fromkeys(requests):
        by_kind.setdefault(request.citation.kind, []).append(request)
    found: dict[Request, Evidence | None] = {}
    for kind, verifier in VERIFIERS.items():
        asked = by_kind.get(kind)
        if not asked:
            continue
        try:
            found.update(verifier(asked, context))
        except Exception as error:  # noqa: BLE001  any error makes the citations unknown
            first_line = str(error).partition("\n")[0] or type(error).__name__
            reason = f"{BROKEN}: {first_line}"
            found.update((r, evidence(r, Verdict.UNKNOWN, reason)) for r in asked)
    return found


def references_in(path: str, claim: Claim) -> list[Reference]:
    """Returns all mentions in a claim, in the order of the text."""
    found = [r for kind in KINDS for r in kind.mentions(path, claim) if not _is_quoted(r, claim)]
    return sorted(dict.fromkeys(found), key=lambda r: (r.start, r.end))


def _is_quoted(reference: Reference, claim: Claim) -> bool:
    """Returns whether a mention is in quotation marks, such as a person's words or an example.
    Never true for a link to a heading."""
    masked = claim.masked[reference.start : reference.end]
    if not masked or masked.strip(MASK) or reference.kind is CitationKind.ANCHOR:
        return False
    spans = code_spans(claim.text)
    return not any(s.start <= reference.start <= s.start + len(s.text) for s in spans)


def answer_references(
    asked: Iterable[Reference], context: Context, *, guarded: bool = True
) -> Answers:
    """Returns the results for references. The check of each kind of reference is called once.

    If the check of one kind raises an error, only the references of this kind become unknown. If
    `guarded` is false, the error is raised. A GroundedIngestError is always raised.
    """
    wanted = list(dict.fromkeys(asked))
    found: Answers = {}
    for kind in KINDS:
        own = [r for r in wanted if r.kind is kind.KIND]
        if not own:
            continue
        try:
            found.update(kind.answers(own, context))
        except Exception as error:
            if not guarded or isinstance(error, GroundedIngestError):
                raise
            reason = _broken(error)  # unknown references never approve a claim
            found.update((r, TreeAnswer(Verdict.UNKNOWN, r.name, reason)) for r in own)
    return found


def _broken(error: Exception) -> str:
    return f"{BROKEN}: {type(error).__name__}: {error}"


def judge_mentions(
    places: Sequence[Place], over: Callable[[int], Over], context: Context
) -> list[list[Mention]]:
    """Returns for each claim its mentions that have a result. `over` returns the texts above a
    claim, by the index of the claim. If the search in a claim raises an error, the claim gets a
    single mention whose verdict is unknown."""
    asked: list[list[Reference]] = []
    broken: dict[int, Mention] = {}
    for n, place in enumerate(places):
        try:
            asked.append(references_in(place.path, place.claim))
        except Exception as error:  # noqa: BLE001  any error makes the claim unknown
            asked.append([])
            name = place.claim.id
            answer = TreeAnswer(Verdict.UNKNOWN, name, _broken(error))
            reference = Reference(CitationKind.SYMBOL, place.path, name, 0, 0)
            broken[n] = Mention(reference, answer, "", counts=True)
    found = answer_references(chain.from_iterable(asked), context)
    return [
        [broken[n]]
        if n in broken
        else [_mention(r, found[r], place, over(n), context) for r in _told(asked[n], found)]
        for n, place in enumerate(places)
    ]


def _told(asked: Sequence[Reference], found: Answers) -> Iterator[Reference]:
    """Yields the references with a result. If a proof of the claim is wrong, its values and counts
    are left out, because the proof says the same."""
    wrong = {r.kind for r in asked if r in found and found[r].verdict is Verdict.REFUTED}
    proved = CitationKind.PROOF in wrong
    yield from (r for r in asked if r in found and not (proved and r.kind is CitationKind.COUNT))


def _mention(
    reference: Reference, answer: TreeAnswer, place: Place, over: Over, context: Context
) -> Mention:
    exempt = find_exemption(place.claim, over, reference)
    wrong = answer.verdict is Verdict.REFUTED
    if wrong and not exempt and is_in_other_project(place, reference.kind, answer.reason, context):
        exempt = "foreign"
    return Mention(reference, answer, exempt, counts_against(reference, answer, place, exempt))


def _mention_evidence(
    places: Sequence[Place], over: Callable[[int], Over], context: Context
) -> list[tuple[Evidence, ...]]:
    """Returns the evidence from each claim's mentions. Only confirmed mentions and reported
    mentions become evidence."""
    judged = [_outermost(some) for some in judge_mentions(places, over, context)]
    meant = [
        [
            m
            for m in judged[n]
            if not names_any(m.answer.elsewhere, m.reference.name, place.claim, over(n))
        ]
        for n, place in enumerate(places)
    ]
    said = [_is_proof(place.claim, meant[n]) for n, place in enumerate(places)]
    limits = [
        _limit(place, meant[n], over(n), context) if said[n] else MORE
        for n, place in enumerate(places)
    ]
    on_base = _on_base({m for n, some in enumerate(meant) if not limits[n] for m in some}, context)
    landed = [on_base >= {*some} for some in meant]
    return [
        tuple(
            _locate(e, places[n], _written(m, places[n]), m.reference.start, context)
            for m in some
            for e in _evidence(m, limits[n], landed=landed[n])
        )
        for n, some in enumerate(meant)
    ]


def _on_base(mentions: Set[Mention], context: Context) -> Set[Mention]:
    """Returns the mentions that hold on the base branch too. A file that the change edits proves
    nothing before the change is merged."""
    base = context.base
    on_base = isinstance(context.tree, CommitTree) and context.tree.commit == base.commit
    if not mentions or on_base:
        return mentions
    if not base.known:
        return frozenset()
    before = context._replace(tree=base.tree, gone=MappingProxyType({}), staged=False, brief=True)
    then = answer_references((m.reference for m in mentions), before, guarded=True)
    confirmed = {r for r, a in then.items() if a.verdict is Verdict.CONFIRMED and not a.loose}
    return {m for m in mentions if m.reference in confirmed}


_UNWRITTEN = compiled(
    r"^[^\w\[]*(?:TODO|WIP|TBD)\b"
    r"|\((?:coming soon|to be written|not (?:yet )?written|todo|tbd|wip)\)",
    re.IGNORECASE,
)
"""Matches a note that a page of a table of contents does not exist yet, such as "(coming soon)"."""


@lru_cache(maxsize=8)  # without a cache, a claim is searched again for each of its links
def _is_unwritten(text: str) -> bool:
    return _UNWRITTEN.search(text) is not None


MORE = "the proofs cover only a part of the claim"


def _is_proof(claim: Claim, meant: Sequence[Mention]) -> bool:
    """Returns whether the claim says only what its mentions prove, and all of them hold."""
    return (
        bool(meant)
        and not any(m.exempt or m.answer.loose for m in meant)
        and all(_holds(m) for m in meant)
        and _says_only(claim, [m.reference for m in meant])
    )


def _limit(place: Place, meant: Sequence[Mention], over: Over, context: Context) -> str:
    names = " ".join(_subject(m.reference.name) for m in meant)
    return find_limit(place, over, names, context)


def is_quoted(place: Place, over: Over, context: Context) -> bool:
    """Returns whether the claim quotes the decision of an ADR ("Per ADR-3, S."), and no text around
    the claim can limit or deny it."""
    decided = is_decided(place.claim, place.path, context)
    return decided and not find_limit(place, over, "", context)


def _subject(name: str) -> str:
    assertion = read_assertion(name)
    return assertion.place if assertion else ""


def _evidence(mention: Mention, limit: str, *, landed: bool) -> Iterator[Evidence]:
    """Yields the evidence from a mention. `limit` is the reason why the claim is not proved, or
    empty."""
    reference, answer, _, counts = mention
    if counts or answer.verdict is Verdict.CONFIRMED:
        beside = reference.kind is CitationKind.PROOF and answer.verdict is Verdict.CONFIRMED
        yield Evidence(
            reference.kind,
            answer.target,
            answer.verdict,
            answer.reason or (limit if beside else ""),
            line=answer.line,
            proves=not limit and landed,
            instead=answer.instead,
            note=NOT_LANDED if not limit and not landed else "",
        )


def _written(mention: Mention, place: Place) -> str:
    return place.claim.text[mention.reference.start : mention.reference.end]


def _holds(mention: Mention) -> bool:
    return mention.answer.verdict is Verdict.CONFIRMED


def _outermost(mentions: Sequence[Mention]) -> list[Mention]:
    confirmed = [m.reference for m in mentions if _holds(m)]
    return [m for m in mentions if not any(_is_part(m.reference, c) for c in confirmed)]


def _is_part(one: Reference, other: Reference) -> bool:
    """Returns whether the mention `one` is a shorter piece of the mention `other`. `make nope
    check` has two targets whose mentions both start at `make`; neither target is a piece of the
    other."""
    inside = other.start <= one.start and one.end <= other.end
    shorter = one.end - one.start < other.end - other.start
    targets = one.kind is other.kind is CitationKind.COMMAND and one.start == other.start
    return inside and shorter and not targets


def _says_only(claim: Claim, confirmed: Sequence[Reference]) -> bool:
    kinds = {r.kind for r in confirmed}
    if CitationKind.PROOF not in kinds:
        return _says_no_more(claim, confirmed)
    proofs = [(r.start, r.end, last_name(r.name)) for r in confirmed]
    return len(kinds) == 1 and says_only(claim.text, proofs)


_WORD = compiled(r"[^\W_]+(?:['’][^\W_]+)?")
_DENYING_SIGN = compiled(r"[^\w\s.,;:!()&/|`'\"*\[\]_–—-]|~~")
"""Matches signs that may deny or question a claim: `?`, `≠`, `✗`, `~~`."""
_LISTED = compiled(r"[\s,;/&|`]*(?:and|or)?[\s,;/&|`]*$")


def _says_no_more(claim: Claim, confirmed: Sequence[Reference]) -> bool:
    """Returns whether a claim only says that the mentioned things exist.

    Every word beside the mentions has to be a usual word for their kind ("the command is") that
    neither denies nor requires anything. The claim has no code beside the mentions, and several
    mentions form a list."""
    frames = {lexicon.FRAMES.get(r.kind) for r in confirmed}
    frame = frames.pop() if len(frames) == 1 else None
    between = (claim.text[one.end : other.start] for one, other in pairwise(confirmed))
    if frame is None or any(_LISTED.match(text) is None for text in between):
        return False
    if any(r.kind is CitationKind.SYMBOL and not r.of for r in confirmed):
        return False  # a name alone states nothing; the claim has to name the file as well
    rest = claim.text
    for reference in sorted(confirmed, key=lambda r: -r.start):
        rest = f"{rest[: reference.start]} {rest[reference.end :]}"
    if _DENYING_SIGN.search(rest) or limiting_word(rest) or _has_code(rest):
        return False
    allowed = frozenset(f"{lexicon.GLUE} {frame}".split())
    return allowed.issuperset(w.lower() for w in _WORD.findall(rest))


def _has_code(text: str) -> bool:
    return any(_WORD.search(span.text) for span in code_spans(text))
