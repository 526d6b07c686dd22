"""Contamination at write time: a memory that is not what its source is (docs/memory.md).

By the names of the taxonomy, from what the support stage read and from what a change takes out.
Pure. Precision comes before recall: what is only not in a source is `unsupported`, not this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from grounded_ingest.detect.knowledge import Knowledge, told_apart
from grounded_ingest.detect.updates import disclosed, masks, said_of_subject
from grounded_ingest.lexicon import contamination as lexicon
from grounded_ingest.model import (
    Claim,
    DocClass,
    Evidence,
    Finding,
    Form,
    MemoryType,
    Operation,
    Place,
    Support,
)
from grounded_ingest.patterns import compiled
from grounded_ingest.support.judging import Judged, judge, weigh
from grounded_ingest.support.matching import Amount
from grounded_ingest.support.source import Source
from grounded_ingest.support.terms import Term, terms

if TYPE_CHECKING:
    import re

    from grounded_ingest.support.comparing import Beside, Found

RULE = "contamination"

PROSE = ("adr", "commit", "issue", "page", "section", "text")
"""Sources that would tell a reason, or of an event; a line of code tells neither."""

COMPARED = 32


class Read(NamedTuple):
    """A citation of a claim that was compared with its source."""

    evidence: Evidence
    source: Source
    judged: Judged


def suspicious(said: str, read: Sequence[Read]) -> bool:
    """Whether a look at a claim and its sources can show anything."""
    if any(r.judged.support is not Support.SUPPORTED for r in read):
        return bool(read)
    return any(r.source.kind in PROSE for r in read) and bool(_pattern("SUSPICIOUS").search(said))


def of_sources(place: Place, said: str, read: Sequence[Read], *, whole: bool) -> Iterator[Finding]:
    """What a memory makes of its sources. `said` is the claim without its citations, `read` are its
    own citations; `whole`: all of them were read."""
    if place.doc_class is not DocClass.MEMORY or not read:
        return
    for check in (_abstraction, _hallucination, _generalization, _inference):
        message = check(place.claim, said, read, whole)
        if message:
            yield Finding(RULE, message)
            return


def _abstraction(claim: Claim, said: str, read: Sequence[Read], whole: bool) -> str:
    """A number, name or negation of the source lost or changed in the memory of it."""
    del claim, whole
    if any(r.judged.support is Support.SUPPORTED for r in read):
        return ""
    for one in read:
        if one.evidence.support is Support.CONTRADICTED:
            return f"abstraction_error: {one.judged.differs}"
        if (
            one.judged.support is not Support.UNSUPPORTED
            or one.evidence.support is not Support.UNSUPPORTED
        ):
            continue
        held = weigh(said, one.source).held
        changed = _changed(held) if held else ""
        if changed:
            return f"abstraction_error: {changed}"
    return ""


_TURNED = ("the source denies it", "the source denies nothing", "the source leaves it free")


def _changed(held: Beside) -> str:
    """The value of a clause that is another one where the source says the same."""
    for found in held.found:
        rest = [t for t in found.clause.terms if t not in found.missing]
        telling = [t for t in rest if t.weight >= 1]
        if not found.missing or len(telling) < 3 or found.at < 0:
            continue
        if sum(_there(t, found) for t in telling) < len(telling) - (len(telling) > 4):
            continue
        rival = _rival(found, held)
        if rival:
            lost = ", ".join(dict.fromkeys(m.text for m in found.missing))
            return f"the source says {rival} where this says {lost}"
    return ""


def _there(term: Term, found: Found) -> bool:
    return any(g > 0 for t, g in zip(found.clause.terms, found.grades, strict=True) if t is term)


def _rival(found: Found, held: Beside) -> str:
    """What stands in the source in the place of what is missing; empty where nothing of its kind."""
    from grounded_ingest.support.amounts import amounts

    passage = held.passages[found.at]
    if all(isinstance(m, Amount) for m in found.missing):
        units = {m.unit for m in found.missing if isinstance(m, Amount)}
        there = [a for a in amounts(passage.text, passage.code) if a.unit in units]
        return there[0].text if len(there) == 1 else ""
    if all(isinstance(m, Term) and m.kind == "name" for m in found.missing):
        mine = {t.low for t in held.read.terms}
        names = [t for t in terms(passage.text) if t.kind == "name" and t.low not in mine]
        return names[0].text if len(names) == 1 else ""
    return ""


def _hallucination(claim: Claim, said: str, read: Sequence[Read], whole: bool) -> str:
    """Nothing of the memory in any source it cites."""
    if not whole or not _english(said) or claim.form not in (Form.PROSE, Form.RECORD):
        return ""
    if any(r.judged.support is not Support.UNSUPPORTED for r in read):
        return ""
    if not any(r.source.kind != "file" for r in read):
        return ""
    for one in read:
        held = weigh(said, one.source).held
        if held is None or _shares(held):
            return ""
    cited = ", ".join(r.evidence.target for r in read[:3])
    return f"hallucinated_memory_write: nothing of it stands in what it cites ({cited})"


def _shares(held: Beside) -> bool:
    """Whether a source has a telling word, a name or a number of a claim; or too few are told."""
    grades = [
        g
        for f in held.found
        for t, g in zip(f.clause.terms, f.grades, strict=True)
        if t.weight >= 1
    ]
    counted = [c for f in held.found for c in f.counted]
    return len(grades) + len(counted) < 4 or any(grades) or any(counted)


def _generalization(claim: Claim, said: str, read: Sequence[Read], whole: bool) -> str:
    """An event of the source stored as a standing fact or rule."""
    del whole
    if claim.memory_type is MemoryType.EPISODIC:
        return ""
    habit = _pattern("HABITUAL").search(said)
    if habit is None or _pattern("ANCHORS").search(said):
        return ""
    events = [_event(said, r.source) for r in read if r.source.kind in PROSE]
    if not events or len(events) < len(read) or not all(events):
        return ""
    return f"generalization_error: the source tells of one event (“{events[0][:120]}”), this says {habit[0]!r}"


def _event(said: str, source: Source) -> str:
    """The sentence of a source that a memory was made of, if all it tells is that something
    happened once."""
    held = weigh(said, source).held
    if held is None or held.coverage < 0.4:
        return ""
    near = [held.passages[f.at] for f in held.found if f.at >= 0]
    if not near or any(p.code for p in near):
        return ""
    if any(_pattern("LASTING").search(p.text) or _pattern("HABITUAL").search(p.text) for p in near):
        return ""
    told = [p.text for p in near if _pattern("PAST").search(p.text)]
    anchored = [t for t in told if _pattern("ANCHORS").search(t)]
    return anchored[0] if anchored and len(told) == len(near) else ""


def _inference(claim: Claim, said: str, read: Sequence[Read], whole: bool) -> str:
    """A cause, motive or universal that no source has, beside what one of them says."""
    del claim
    if not whole or any(r.source.kind not in PROSE for r in read):
        return ""
    return _reason(said, read) or _universal(said, read)


def _reason(said: str, read: Sequence[Read]) -> str:
    for found in _pattern("INFERRING").finditer(said):
        seed, added = said[: found.start()].strip(" ,"), said[found.start("marker") :]
        if len(seed.split()) < 4 or len(added.split()) < 4:
            continue
        if not any(judge(seed, r.source).support is Support.SUPPORTED for r in read):
            continue
        if all(_absent(said[found.end() :], r.source) for r in read):
            return f"spurious_inference_stored: the source does not say “{added.rstrip('.')}”"
    return ""


def _absent(added: str, source: Source) -> bool:
    """Whether hardly a telling word of a reason stands in a source."""
    held = weigh(added, source).held
    if held is None:
        return False
    grades = [
        g
        for f in held.found
        for t, g in zip(f.clause.terms, f.grades, strict=True)
        if t.weight >= 1
    ]
    return len(grades) >= 2 and sum(g > 0 for g in grades) * 3 <= len(grades)


def _universal(said: str, read: Sequence[Read]) -> str:
    """A memory without exception of a source that states one."""
    universal = _pattern("UNIVERSAL").search(said)
    if universal is None or _pattern("RESTRICTED").search(said):
        return ""
    for one in read:
        held = weigh(said, one.source).held
        if held is None or held.coverage < 0.6:
            continue
        for found in held.found:
            passage = held.passages[found.at] if found.at >= 0 else None
            if passage is None or passage.code or found.coverage < 0.6:
                continue
            bound = _pattern("RESTRICTED").search(passage.text)
            if bound and not _pattern("UNIVERSAL").search(passage.text):
                return (
                    f"spurious_inference_stored: the source says {bound[0]!r} "
                    f"where this says {universal[0]!r}"
                )
    return ""


def of_type(claim: Claim) -> Iterator[Finding]:
    """A memory that mixes types, with the split that is proposed."""
    if not claim.split:
        return
    what, *parts = claim.split
    if what.startswith("declared|"):
        yield Finding(
            RULE, f"mixed: {what.partition('|')[2]}, in a document declared {claim.memory_type}"
        )
        return
    split = " | ".join(f"“{part}”" for part in parts)
    yield Finding(
        RULE, f"mixed: {what.replace('|', ' and ')}" + (f"; split it: {split}" if split else "")
    )


def left_behind(
    place: Place, operation: Operation, removed: Iterable[Claim], knowledge: Knowledge
) -> Iterator[Finding]:
    """The old version of what a change revises here, where it still stands in another memory."""
    former = operation.of
    if operation.name != "UPDATE" or former is None or disclosed(place.claim.text):
        return
    if former.claim not in removed or place.doc_class is not DocClass.MEMORY:
        return
    own = {m.key: m for m in masks(place)}
    was = {
        m.key: m.word
        for m in masks(former)
        if m.key in own and m.word.lower() != own[m.key].word.lower()
        and m.kind in ("number", "name", "negation") and said_of_subject(place, own[m.key])
    }  # fmt: skip
    for other in islice(knowledge.sharing(was), COMPARED) if was else ():
        if other.path == place.path or other.doc_class is not DocClass.MEMORY:
            continue
        if told_apart(place, other) or disclosed(other.claim.text) or not knowledge.on_base(other):
            continue
        held = next(
            (m for m in masks(other) if was.get(m.key, "\0").lower() == m.word.lower()), None
        )
        if held is not None:
            now = own[held.key].word or "(not negated)"
            message = (
                f"update_error: {other.path}:{other.claim.line} still says "
                f"{held.word or '(not negated)'} where this now says {now}"
            )
            yield Finding(RULE, message, words=now, other=other)
            return


def _english(text: str) -> bool:
    """Whether a text is in the language of the words that are compared."""
    words = text.lower().split()
    return text.isascii() and any(w in _COMMON for w in words)


_COMMON = frozenset(("the", "a", "an", "is", "are", "of", "to", "in", "for", "and", "with", "by"))


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return compiled(f"(?i){getattr(lexicon, name)}")
