"""A memory that says what a grounded one says (docs/decisions/statements.md)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from grounded_ingest.model.claims import DocClass, Finding, Place
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.statements.knowledge_protocol import Knowledge
from grounded_ingest.statements.near_duplicates import is_repeat, leads_on, similarity_of
from grounded_ingest.text.reading import read_claim
from grounded_ingest.text.word_keys import set_keys

META = Rule(
    id="duplicate",
    tier=3,
    fixed=False,
    severity="error",
    summary="The claim says what a grounded memory already says.",
    way_out=(
        "Remove it, or refer to the memory that holds it; to revise that memory, edit it in place."
    ),
)

TEMPLATE = 3
"""A text that stands this often already is a template line, not a duplicate."""

COMPARED = 128
"""Claims that are compared with one. Keys that many claims share are those of a template, whose
lines differ by what is filled in; equal texts come first, so that none of them is lost."""


def applies(case: Case) -> bool:
    return case.shows(META)


def detect(place: Place, knowledge: Knowledge) -> Iterator[Finding]:
    """The nearest claim that this one repeats: rule `duplicate` or `repeat`."""
    words = read_claim(place.claim).word_set
    if len(words) < knowledge.exact_words or leads_on(place.claim.text):
        return
    near: list[tuple[float, Place]] = []
    equal = 0
    keys = set_keys(words, knowledge.threshold)
    for other in islice(knowledge.sharing(keys), COMPARED):
        similarity = similarity_of(place, words, other, knowledge)
        equal += similarity > 0 and other.claim.id == place.claim.id
        if equal >= TEMPLATE:
            return
        if similarity and is_repeat(place, other, knowledge):
            near.append((similarity, other))
    if not near:
        return
    near.sort(key=lambda n: (-n[0], n[1].path, n[1].claim.line, n[1].claim.column))
    new = not knowledge.on_base(place)
    stored = next((n for n in near if new and _stored(place, n[1], knowledge)), None)
    similarity, other = stored or near[0]
    rule = "duplicate" if stored else "repeat"
    yield Finding(
        rule,
        f"says again what {other.path}:{other.claim.line} says",
        other=other,
        similarity=round(similarity, 4),
    )


def _stored(place: Place, other: Place, knowledge: Knowledge) -> bool:
    if place.doc_class is not DocClass.MEMORY or other.doc_class is not DocClass.MEMORY:
        return False
    return knowledge.on_base(other) and knowledge.grounded(other)


_STORE = {"memory-bank/store.md": "# Store\n\nPer ADR-1, we use PostgreSQL for the ledger.\n"}

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "Per ADR-1, we use PostgreSQL for the ledger.",
                base=_STORE,
                adr="We use PostgreSQL for the ledger.",
            ),
            Example(
                "The gateway listens on port 8443 (`src/settings.py:1`).",
                base={
                    "memory-bank/ports.md": "# Ports\n\nThe gateway listens on port 8443 (`src/settings.py:1`).\n",
                    "src/settings.py": "GATEWAY_PORT = 8443\n",
                },
            ),
            Example(
                "Deploys to production go through the release branch only.",
                base={
                    "memory-bank/manual/deploy.md": "# Deploys\n\nDeploys to production go through the release branch only.\n"
                },
                config='sources: {"memory-bank/manual/**": manual}\ntrusted_sources: [manual]',
            ),
        ),
        passes=(
            Example(
                "We use PostgreSQL for the ledger of customers.",
                base={
                    "memory-bank/store.md": "# Store\n\nWe use PostgreSQL for the ledger of customers.\n"
                },
            ),
            Example(
                "Per ADR-1, we use PostgreSQL for the ledger.",
                path="docs/store.md",
                base=_STORE,
                adr="We use PostgreSQL for the ledger.",
            ),
            Example(
                "Per ADR-1, we use PostgreSQL for the ledger.",
                base=_STORE,
                change={"memory-bank/store.md": None},
                adr="We use PostgreSQL for the ledger.",
            ),
            Example(
                "Per ADR-1, we use PostgreSQL for the ledger.",
                base={"AGENTS.md": "# Notes\n\nPer ADR-1, we use PostgreSQL for the ledger.\n"},
                adr="We use PostgreSQL for the ledger.",
                config="mirrors: [[CLAUDE.md, AGENTS.md]]",
            ),
        ),
    ),
)
