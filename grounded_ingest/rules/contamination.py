"""Contamination at write time: a memory that is not what its source is (docs/memory.md).

By the names of the taxonomy, from what the support stage read and from what a change takes out.
Pure. Precision comes before recall: what is only not in a source is `unsupported`, not this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from grounded_ingest.language.amount_match import Amount, bears_out_amount
from grounded_ingest.language.lexicon import contamination as lexicon
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.statements import finite_verbs, third_person
from grounded_ingest.language.terms import Term, grade
from grounded_ingest.model.claims import Claim, DocClass, Finding, MemoryType, Place, Support
from grounded_ingest.rules.conflicting_update import Masked, disclosed, masks, said_of_subject
from grounded_ingest.rules.inferences import (
    PROSE,
    ComparedCitation,
    evident,
    generalization,
    inference,
    pattern,
)
from grounded_ingest.rules.knowledge_protocol import Knowledge, told_apart
from grounded_ingest.support.alignment import back
from grounded_ingest.support.passages import SourcePassage, SourceText
from grounded_ingest.support.verdict import weigh

if TYPE_CHECKING:
    from grounded_ingest.support.compare import Beside, ClauseMatch

RULE = "contamination"

COMPARED, LEAST, TELLING, ONE_OF = 32, 2, 3, 4
"""Claims that are compared with one; the fewest telling words of a clause beside a value, and
without one; of so many of a hallucination a source may have one by chance."""

_COMMON = frozenset(lexicon.COMMON.split())
_TITLES = frozenset(lexicon.TITLES.split())

BACK, LITTLE = 0.5, 0.3
"""Share of a sentence of a source that has to stand in a clause that is made of it, and of a claim
in what it is made of; share of a claim that anything may hold."""


def suspicious(said: str, read: Sequence[ComparedCitation]) -> bool:
    """Whether a look at a claim and its sources can show anything."""
    if any(r.judged.support is not Support.SUPPORTED for r in read):
        return bool(read)
    return any(r.source.kind in PROSE for r in read) and bool(pattern("SUSPICIOUS").search(said))


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
            yield Finding(RULE, message)
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


_TURNED = ("the source denies it", "the source denies nothing")
_COMPARABLE = ("adr", "lines", "section", "issue", "page", "text")


def _turned(held: Beside, one: ComparedCitation) -> str:
    """A negation that the source has not, or has, where one sentence of it says the rest."""
    if one.judged.differs not in _TURNED or len(held.found) != 1:
        return ""
    found = held.found[0]
    if not _says_rest(found, held) or not all(found.counted):
        return ""
    denying = pattern("DENYING").search(held.passages[found.at].text)
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
    if not whole or not evident(claim) or not pattern("CLOSING").search(claim.text):
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


def of_type(claim: Claim) -> Iterator[Finding]:
    """A memory that mixes types, with the split that is proposed, or an event or rule in a document
    of another type. A rule beside its reason is none: most rules are written so."""
    what, *parts = claim.split
    kind, _, other = what.partition("|")
    if kind == "declared" and other != MemoryType.SEMANTIC:
        told = f"{other} memory in a document declared {claim.memory_type}"
        yield Finding(RULE, f"mixed: {'an' if other[:1] in 'aeiou' else 'a'} {told}", words=other)
    elif kind in lexicon.MIXED and _apart(kind, claim.text, parts):
        split = " | ".join(f"“{part}”" for part in parts)
        yield Finding(RULE, f"mixed: {lexicon.MIXED[kind]}; store apart {split}", words=kind)


def _apart(kind: str, text: str, parts: Sequence[str]) -> bool:
    """Whether the parts of a mix are surely what they are taken for: an event that says when it
    was, or two sentences, each with its subject and verb at the beginning."""
    if kind == "subject":
        begins = [p.split()[:2] for p in parts]
        verbs = finite_verbs() | third_person()
        return text.startswith(parts[0]) and all(len(b) > 1 and b[1] in verbs for b in begins)
    event = parts[-1] if kind == "preference" else parts[0]
    return bool(pattern("ANCHORS").search(event) and pattern("PAST").search(event))


def left_behind(place: Place, former: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The old version of what a change revises here, where it still stands in another memory."""
    if disclosed(place.claim.text) or place.doc_class is not DocClass.MEMORY:
        return
    own = {m.key: m for m in masks(place)}
    was = _revised(place, own, former)
    for other in islice(knowledge.sharing(was), COMPARED) if was else ():
        if not _can_be_behind(other, place, knowledge):
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


def _revised(place: Place, own: Mapping[int, Masked], former: Place) -> dict[int, str]:
    """What a claim's former version said where it says otherwise, by place."""
    return {
        m.key: m.word
        for m in masks(former)
        if m.key in own and m.word.lower() != own[m.key].word.lower()
        and m.kind in ("number", "name", "negation") and said_of_subject(place, own[m.key])
    }  # fmt: skip


def _can_be_behind(other: Place, place: Place, knowledge: Knowledge) -> bool:
    """Whether a claim is of another memory, on base, and may be of the same thing."""
    if other.path == place.path or other.doc_class is not DocClass.MEMORY:
        return False
    if told_apart(place, other) or disclosed(other.claim.text) or not knowledge.on_base(other):
        return False
    return not _other_subject(place, other)


def _other_subject(place: Place, other: Place) -> bool:
    """Whether the titles of two documents name different things, as `Staging` and `Production`."""
    mine, theirs = _titled(place), _titled(other)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _titled(place: Place) -> frozenset[str]:
    """What the title of a document names, beside what documents are called."""
    title = place.claim.section.partition(" > ")[0].lower()
    return frozenset(w for w in title.split() if w.isalpha()) - _TITLES


def _english(text: str) -> bool:
    """Whether a text is in the language of the words that are compared."""
    return text.isascii() and not _COMMON.isdisjoint(text.lower().split())
