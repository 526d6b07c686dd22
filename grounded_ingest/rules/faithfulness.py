"""Faithfulness: what a memory makes of the sources it cites (docs/memory.md).

By the names of the taxonomy. A value, name or negation lost; nothing of it in any source; an event
made a rule; a reason or a universal added. Precision comes before recall: what is only not in a
source is `unsupported`, not this.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from grounded_ingest.language.amount_match import Amount, bears_out_amount
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.terms import Term, grade
from grounded_ingest.model.claims import (
    Claim,
    DocClass,
    Finding,
    Form,
    MemoryType,
    Place,
    Support,
)
from grounded_ingest.rules.contamination import META, PROSE, ComparedCitation, pattern
from grounded_ingest.support.alignment import aligned, back
from grounded_ingest.support.claim_view import Clause
from grounded_ingest.support.passages import SourcePassage
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge, weigh

if TYPE_CHECKING:
    from grounded_ingest.support.compare import Beside, ClauseMatch


LEAST, TELLING, ONE_OF = 2, 3, 4
"""The fewest telling words of a clause beside a value, and without one; of so many of a
hallucination a source may have one by chance."""

BACK, LITTLE = 0.5, 0.3
"""Share of a sentence of a source that has to stand in a clause that is made of it, and of a claim
in what it is made of; share of a claim that anything may hold."""

ALIKE, MADE_OF = 0.7, 0.6
"""Share of a claim's words in a sentence, and of the sentence's in the claim, from which on the one
is made of the other."""

_TURNED = ("the source denies it", "the source denies nothing")
_COMPARABLE = ("adr", "lines", "section", "issue", "page", "text")


def of_sources(
    place: Place, said: str, read: Sequence[ComparedCitation], *, whole: bool
) -> Iterator[Finding]:
    """What a memory makes of its sources. `said` is the claim without its citations, `read` are its
    own citations; `whole`: all of them were read."""
    if place.doc_class is not DocClass.MEMORY or not read:
        return
    for check in (_abstraction, _hallucination, generalization, inference):
        message = check(place.claim, said, read, whole)
        if message:
            yield Finding(META.id, message)
            return


def _abstraction(claim: Claim, said: str, read: Sequence[ComparedCitation], whole: bool) -> str:
    """A number, name or negation of the source lost or changed in the memory of it."""
    del whole
    if any(r.judged.support is Support.SUPPORTED for r in read):
        return ""
    for one in read:
        cut = one.judged.differs.startswith("the source goes on")
        if one.evidence.support is Support.CONTRADICTED and not cut:
            return f"abstraction_error: {one.judged.differs}"
    if not evident(claim) or not read_text(said).has_verb:
        return ""
    for one in read:
        judged, known = one.judged, one.source.kind in _COMPARABLE
        if one.evidence.support is Support.UNSUPPORTED and known and judged.coverage >= BACK:
            held = weigh(said, one.source).held
            if held and (changed := _turned(held, one) or _changed(held)):
                return f"abstraction_error: {changed}"
    return ""


def _turned(held: Beside, one: ComparedCitation) -> str:
    """A negation that the source has not, or has, where one sentence of it says the rest."""
    if one.judged.differs not in _TURNED or len(held.found) != 1:
        return ""
    found = held.found[0]
    if not _says_rest(found, held) or not all(found.counted):
        return ""
    there = held.passages[found.at].reading
    denying = there.denials or pattern("EXCEPTING").search(there.text)
    return "" if denying and found.clause.reading.negated else one.judged.differs


def _changed(held: Beside) -> str:
    """A number or name that is another one in the sentence of the source that says the rest."""
    for found in held.found:
        if len(found.missing) != 1 or not _says_rest(found, held):
            continue
        passage, mine = held.passages[found.at], found.missing[0]
        known = (
            _number(mine, held, passage) if isinstance(mine, Amount) else _name(mine, held, passage)
        )
        if known:
            return f"the source says {known} where this says {mine.text}"
    return ""


def _number(mine: Amount, held: Beside, passage: SourcePassage) -> str:
    """The one number of a sentence that has the unit of another, or counts the same."""
    if any(bears_out_amount(mine, a) for p in held.passages for a in p.reading.amounts):
        return ""
    there = [a for a in passage.reading.amounts if a.unit == mine.unit]
    same = len(there) == 1 and (mine.unit or mine.noun == there[0].noun != "")
    return there[0].text if same and not passage.code else ""


def _name(mine: Term, held: Beside, passage: SourcePassage) -> str:
    """The one name of a sentence that a claim has not."""
    if mine.kind != "name" or passage.code:
        return ""
    said = {t.low for t in held.read.terms}
    names = [t for t in passage.reading.terms if t.kind == "name" and t.low not in said]
    return names[0].text if len(names) == 1 else ""


def _says_rest(found: ClauseMatch, held: Beside) -> bool:
    """Whether one sentence of a source has what else a clause says, and hardly more: all telling
    words, of four or more one may be missing."""
    if found.at < 0:
        return False
    passage = held.passages[found.at]
    known = passage.reading.keys
    rest = [t for t in found.clause.terms if t.weight >= 1 and t not in found.missing]
    there = sum(grade(t, known) > 0 for t in rest)
    if len(rest) < LEAST or there < len(rest) - (len(rest) > TELLING):
        return False
    return back(found.clause, passage, frozenset()) >= BACK


def _hallucination(claim: Claim, said: str, read: Sequence[ComparedCitation], whole: bool) -> str:
    """Nothing of the memory in any source it cites."""
    if not whole or not evident(claim) or not _evidence(claim, "BEHIND", "POINTED"):
        return ""
    if not _english(said) or not read_text(said).has_verb:
        return ""
    if any(
        r.judged.support is not Support.UNSUPPORTED
        or r.judged.coverage > LITTLE
        or not _is_prose(r.source)
        for r in read
    ):
        return ""
    if any((held := weigh(said, r.source).held) is None or _shares(held) for r in read):
        return ""
    cited = ", ".join(r.evidence.target for r in read[:3])
    return f"hallucinated_memory_write: nothing of it stands in what it cites ({cited})"


def _shares(held: Beside) -> bool:
    """Whether a source has more than a word that any text has of a claim, or too few are told."""
    parts = [p for f in held.found for p in zip(f.clause.terms, f.grades, strict=True)]
    telling = [(t, g) for t, g in parts if t.weight >= 1]
    counted = [c for f in held.found for c in f.counted]
    if len(telling) + len(counted) < TELLING or any(counted):
        return True
    if any(g for t, g in telling if t.kind != "word"):
        return True
    there = sum(g > 0 for _, g in telling)
    return there > len(telling) // ONE_OF


def _is_prose(source: SourceText) -> bool:
    """Whether a source would say it in words. Lines of code move away from those who cite them, and
    a commit is cited for the state it left."""
    if source.kind == "lines":
        return not source.code
    return source.kind in PROSE and source.kind != "commit"


def _english(text: str) -> bool:
    """Whether a text is in the language of the words that are compared."""
    return text.isascii() and not function_words().isdisjoint(text.lower().split())


def generalization(claim: Claim, said: str, read: Sequence[ComparedCitation], whole: bool) -> str:
    """An event of the source stored as a standing fact or rule."""
    del whole
    if claim.memory_type is MemoryType.EPISODIC or not evident(claim):
        return ""
    habit = pattern("HABITUAL").search(said)
    if habit is None or pattern("ANCHORS").search(said):
        return ""
    events = [_event(said, r.source) for r in read if r.source.kind in PROSE]
    if not events or len(events) < len(read) or not all(events):
        return ""
    return (
        f"generalization_error: the source tells of one event (“{events[0][:120]}”), "
        f"this says {habit[0]!r}"
    )


def _event(said: str, source: SourceText) -> str:
    """The sentence of a source that a memory was made of, if all it tells is that something
    happened once."""
    held = weigh(said, source).held
    if held is None or held.coverage < 0.4:
        return ""
    near = [held.passages[f.at] for f in held.found if f.at >= 0]
    if any(p.code or _lasts(p.text) or not pattern("PAST").search(p.text) for p in near):
        return ""
    return next((p.text for p in near if pattern("ANCHORS").search(p.text)), "")


def _lasts(text: str) -> bool:
    return bool(pattern("LASTING").search(text) or pattern("HABITUAL").search(text))


def inference(claim: Claim, said: str, read: Sequence[ComparedCitation], whole: bool) -> str:
    """A cause, motive or universal that no source has, beside what one of them says."""
    if not whole or not evident(claim) or any(r.source.kind not in PROSE for r in read):
        return ""
    return _reason(said, read) or _universal(said, read)


def _reason(said: str, read: Sequence[ComparedCitation]) -> str:
    for found in pattern("INFERRING").finditer(said):
        seed, added = said[: found.start()].strip(" ,"), said[found.start("marker") :]
        if len(seed.split()) < 4 or len(added.split()) < 4:
            continue
        if not any(judge(seed, r.source).support is Support.SUPPORTED for r in read):
            continue
        if all(_absent(said[found.end() :], r.source) for r in read):
            return f"spurious_inference_stored: the source does not say “{added.rstrip('.')}”"
    return ""


def _absent(added: str, source: SourceText) -> bool:
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


def _universal(said: str, read: Sequence[ComparedCitation]) -> str:
    """A memory without exception of a sentence of a source that states one."""
    universal = pattern("UNIVERSAL").search(said)
    if universal is None or pattern("RESTRICTED").search(said):
        return ""
    for one in read:
        held = weigh(said, one.source).held
        for found in held.found if held else ():
            passage = held.passages[found.at] if held and found.at >= 0 else None
            if passage is None or passage.code or not _made_of(found.clause, passage):
                continue
            bound = pattern("RESTRICTED").search(passage.text)
            if bound and not pattern("UNIVERSAL").search(passage.text):
                said_there = f"the source says {bound[0]!r} where this says {universal[0]!r}"
                return f"spurious_inference_stored: {said_there}"
    return ""


def _made_of(clause: Clause, passage: SourcePassage) -> bool:
    if not pattern("UNIVERSAL").search(clause.reading.text):
        return False
    nothing = frozenset[str]()
    return aligned(clause, passage, nothing) >= ALIKE and back(clause, passage, nothing) >= MADE_OF


def evident(claim: Claim) -> bool:
    """Whether a claim is a sentence that stands on what it cites, and no part of one."""
    told = claim.form in (Form.PROSE, Form.RECORD)
    return told and _evidence(claim, "BEHIND", "POINTED", "BEFORE")


def _evidence(claim: Claim, *places: str) -> bool:
    """Whether a citation stands at one of these places as what the whole claim rests on."""
    return any(pattern(place).search(claim.text) for place in places)
