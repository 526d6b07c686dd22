"""A memory that is not what its source is, or was (docs/memory.md).

By the names of the taxonomy: what its sources say is read in `faithfulness`; here stand mixed types
and old versions that a change leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING

from grounded_ingest.language.lexicon import contamination as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.statements import finite_verbs, third_person
from grounded_ingest.model.claims import Claim, DocClass, Finding, MemoryType, Place
from grounded_ingest.rules.knowledge_protocol import Knowledge, told_apart
from grounded_ingest.rules.masked_sequences import disclosed, masks, said_of_subject
from grounded_ingest.rules.rule import Case, Examples, Rule

if TYPE_CHECKING:
    import re

META = Rule(
    id="contamination",
    tier=2,
    fixed=False,
    summary=(
        "A memory is not what its source is: a value changed, a reason invented, an event made a"
        " rule, an old version left, types mixed."
    ),
    way_out=(
        "Say what the source says, date the event, store apart what is mixed, or correct the old"
        " version in the same commit."
    ),
)

COMPARED = 32
"""Claims that are compared with one."""

_TITLES = frozenset(lexicon.TITLES.split())


def applies(case: Case) -> bool:
    return case.shows(META)


def of_type(claim: Claim) -> Iterator[Finding]:
    """A memory that mixes types, with the split that is proposed, or an event or rule in a document
    of another type. A rule beside its reason is none: most rules are written so."""
    what, *parts = claim.split
    kind, _, other = what.partition("|")
    if kind == "declared" and other != MemoryType.SEMANTIC:
        told = f"{other} memory in a document declared {claim.memory_type}"
        yield Finding(
            META.id, f"mixed: {'an' if other[:1] in 'aeiou' else 'a'} {told}", words=other
        )
    elif kind in lexicon.MIXED and _apart(kind, claim.text, parts):
        split = " | ".join(f"“{part}”" for part in parts)
        yield Finding(META.id, f"mixed: {lexicon.MIXED[kind]}; store apart {split}", words=kind)


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
        if _other_subject(place, other):
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
            yield Finding(META.id, message, words=now, other=other)
            return


def _other_subject(place: Place, other: Place) -> bool:
    """Whether the titles of two documents name different things, as `Staging` and `Production`."""
    mine, theirs = _titled(place), _titled(other)
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _titled(place: Place) -> frozenset[str]:
    """What the title of a document names, beside what documents are called."""
    title = place.claim.section.partition(" > ")[0].lower()
    return frozenset(w for w in title.split() if w.isalpha()) - _TITLES


@cache
def pattern(name: str) -> re.Pattern[str]:
    """A group of words of the lexicon, whatever their case."""
    return compiled(f"(?i){getattr(lexicon, name)}")


EXAMPLES: tuple[Examples, ...] = ()
