"""A memory that is not what its source is, or was (docs/memory.md).

By the names of the taxonomy: what its sources say is read in `faithfulness`; here stand mixed types
and old versions that a change leaves behind.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

from msgspec import Struct

from grounded_ingest.language.lexicon import contamination as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_claim
from grounded_ingest.language.statements import finite_verbs, third_person
from grounded_ingest.model.claims import (
    Claim,
    DocClass,
    Evidence,
    Finding,
    MemoryType,
    Place,
    Support,
)
from grounded_ingest.rules.knowledge_protocol import Knowledge, told_apart
from grounded_ingest.rules.masked_sequences import (
    Masked,
    differs,
    disclosed,
    masks,
    said_of_subject,
)
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.support.source import SourceText, SourceVerdict

if TYPE_CHECKING:
    import re

META = Rule(
    id="contamination",
    tier=2,
    fixed=False,
    signal="doubt",
    summary=(
        "A memory is not what its source is: a value changed, a reason invented, an event made a"
        " rule, an old version left, types mixed."
    ),
    way_out="Say what the source says, date the event, or store apart what is mixed.",
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
    own = {m.key: m for m in masks(read_claim(place.claim))}
    was = _revised(place, own, former)
    for other in islice(knowledge.sharing(was), COMPARED) if was else ():
        if not _can_be_behind(other, place, knowledge):
            continue
        held = next(
            (
                m
                for m in masks(read_claim(other.claim))
                if was.get(m.key, "\0").lower() == m.word.lower()
            ),
            None,
        )
        if held is not None:
            now, where = own[held.key].word, f"{other.path}:{other.claim.line}"
            message = f"update_error: {differs(f'{where} still says', held.word, now)}"
            yield Finding(META.id, message, words=now, other=other)
            return


def _revised(place: Place, own: Mapping[int, Masked], former: Place) -> dict[int, str]:
    """What a claim's former version said where it says otherwise, by place."""
    return {
        m.key: m.word
        for m in masks(read_claim(former.claim))
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


_WORDS = {
    n: compiled(f"(?i){w}", needs=lexicon.NEEDS.get(n, ()))
    for n, w in vars(lexicon).items()
    if n.isupper() and isinstance(w, str)
}


def pattern(name: str) -> re.Pattern[str]:
    """A group of words of the lexicon, whatever their case."""
    return _WORDS[name]


EXAMPLES = (
    Examples(
        group="abstraction_error",
        flags=(
            Example(
                "The nightly backup of the ledger is copied to the vault in Oslo by the scheduler (ADR-1).",
                adr="The nightly backup of the ledger is copied to the vault in Bergen by the scheduler.",
            ),
            Example(
                "The support team answers each ticket about billing within 4 hours of its arrival (ADR-1).",
                adr="The support team answers each ticket about billing within 8 hours of its arrival.",
            ),
        ),
        passes=(
            Example(
                "A failed upload is retried three times (ADR-1).",
                adr="A failed upload is retried 3 times.",
            ),
            Example(
                "A failed upload is retried (ADR-1).", adr="A failed upload is retried 3 times."
            ),
            Example(
                "Exports are not sent without encryption (ADR-1).",
                adr="Exports are never sent without encryption.",
            ),
        ),
    ),
    Examples(
        group="hallucinated_memory_write",
        flags=(
            Example(
                "The ledger is replicated to two regions (ADR-1).",
                adr="Labels are printed by a print service.",
            ),
            Example(
                "Webhooks must be signed with a shared secret (ADR-1).",
                adr="Tours start at the depot.",
            ),
        ),
        passes=(
            Example(
                "The ledger is replicated to two regions (ADR-1).",
                adr="The ledger is kept in PostgreSQL.",
            ),
            Example(
                "The ADR-1 rule holds for every replicated ledger of a region.",
                adr="Labels are printed by a print service.",
            ),
            Example(
                "Das Hauptbuch wird in zwei Regionen repliziert (ADR-1).",
                adr="Labels are printed by a print service.",
            ),
        ),
    ),
    Examples(
        group="spurious_inference_stored",
        flags=(
            Example(
                "Tours are planned at night because traffic reports arrive late (ADR-1).",
                adr="Tours are planned at night.",
            ),
            Example(
                "Invoices are sent as PDF files to satisfy the tax office (ADR-1).",
                adr="Invoices are sent as PDF files.",
            ),
            Example(
                "All receivers always skip the check of a signature (ADR-1).",
                adr="Receivers may skip the check of a signature.",
            ),
            Example(
                "All parcels are weighed twice at the depot (ADR-1).",
                adr="Some parcels are weighed twice at the depot.",
            ),
        ),
        passes=(
            Example(
                "Tours are planned at night because traffic is low (ADR-1).",
                adr="Tours are planned at night, because traffic is low.",
            ),
            Example("Tours are planned at night (ADR-1).", adr="Tours are planned at night."),
            Example(
                "All parcels are weighed twice at the depot (ADR-1).",
                adr="Parcels are weighed twice at the depot.",
            ),
            Example(
                "Some parcels are weighed twice at the depot (ADR-1).",
                adr="Some parcels are weighed twice at the depot.",
            ),
        ),
    ),
    Examples(
        group="generalization_error",
        flags=(
            Example(
                "The import always fails after a map update (commit {commit}).",
                said="The import failed on 2026-03-04 after the map update.",
            ),
            Example(
                "The scanner loses its pairing every week in depot 2 (commit {commit}).",
                said="Last week the scanner lost its pairing in depot 2.",
            ),
        ),
        passes=(
            Example(
                "The import failed on 2026-03-04 after the map update (commit {commit}).",
                said="The import failed on 2026-03-04 after the map update.",
            ),
            Example(
                "The import always fails after a map update (commit {commit}).",
                said="The import always fails after a map update.",
            ),
            Example(
                "Imports are retried every night (commit {commit}).",
                said="Imports are retried every night.",
            ),
            Example(
                "The map is updated by the import (commit {commit}).",
                said="The import failed on 2026-03-04 after the map update.",
            ),
        ),
    ),
    Examples(
        group="update_error",
        flags=(
            Example(
                "The upload limit is 25 MB.",
                was="The upload limit is 10 MB.",
                base={"memory-bank/other.md": "# Notes\n\nThe upload limit is 10 MB.\n"},
            ),
            Example(
                "The gateway is written in Go.",
                was="The gateway is written in Python.",
                base={"memory-bank/other.md": "# Notes\n\nThe gateway is written in Python.\n"},
            ),
            Example(
                "The ledger is replicated to other regions.",
                was="The ledger is not replicated to other regions.",
                base={
                    "memory-bank/other.md": "# Notes\n\nThe ledger is not replicated to other regions.\n"
                },
            ),
        ),
        passes=(
            Example(
                "The upload limit is 25 MB (changed from 10 MB).",
                was="The upload limit is 10 MB.",
                base={"memory-bank/other.md": "# Notes\n\nThe upload limit is 10 MB.\n"},
            ),
            Example(
                "The limit of an upload is 10 MB.",
                was="The upload limit is 10 MB.",
                base={"memory-bank/other.md": "# Notes\n\nThe upload limit is 10 MB.\n"},
            ),
            Example(
                "The release of the app was on 2026-04-04.",
                was="The release of the app was on 2026-03-04.",
                base={
                    "memory-bank/other.md": "# Notes\n\nThe release of the app was on 2026-03-04.\n"
                },
            ),
            Example(
                "Use port 81 for it.",
                was="Use port 80 for it.",
                base={"memory-bank/other.md": "# Notes\n\nUse port 80 for it.\n"},
            ),
        ),
    ),
    Examples(
        group="mixed",
        flags=(
            "The build broke on 2026-03-01, which shows that the cache is unsafe.",
            "We moved to Fly.io last week because it is cheaper for small teams.",
            "Redis stores the sessions; PostgreSQL keeps the ledger.",
        ),
        passes=(
            "The build broke on 2026-03-01.",
            "The cache is unsafe; never share it between jobs.",
            "Ana owns the billing module and the gateway.",
            "We moved to Fly.io because it is cheaper for small teams.",
        ),
    ),
)


PROSE = ("adr", "commit", "issue", "page", "section", "text")
"""Sources that would tell a reason, or of an event; a line of code tells neither."""


class ComparedCitation(Struct, frozen=True):
    """A citation of a claim that was compared with its source."""

    evidence: Evidence
    source: SourceText
    judged: SourceVerdict


def suspicious(text: str, read: Sequence[ComparedCitation]) -> bool:
    """Whether a look at a claim and its sources can show anything."""
    if any(r.judged.support is not Support.SUPPORTED for r in read):
        return bool(read)
    return any(r.source.kind in PROSE for r in read) and bool(pattern("SUSPICIOUS").search(text))
