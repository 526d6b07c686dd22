"""A decision in the record of a conversation."""

from __future__ import annotations

from grounded_ingest.model.claims import Kind, Source
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="stated-decision",
    tier=1,
    fixed=True,
    severity="quiet",
    summary=(
        "A decision taken from a conversation, in a document that the configuration names as such."
    ),
    way_out="Nothing to do; see `sources` in the configuration.",
)


def applies(case: Case) -> bool:
    return case.kind is Kind.DECISION and case.configured is Source.CONVERSATION


_DECISIONS = 'sources: {"memory-bank/decisions.md": conversation}'

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "We decided to use PostgreSQL for the ledger.",
                path="memory-bank/decisions.md",
                config=_DECISIONS,
            ),
            Example(
                "The team agreed to drop support for Python 3.9.",
                path="memory-bank/decisions.md",
                config=_DECISIONS,
            ),
            Example(
                "We chose Fly.io over Heroku for the workers.",
                path="memory-bank/decisions.md",
                config=_DECISIONS,
            ),
        ),
        passes=(
            Example(
                "The ledger has 14 tables.", path="memory-bank/decisions.md", config=_DECISIONS
            ),
            Example(
                "We decided to use PostgreSQL for the ledger.",
                path="memory-bank/decisions.md",
                config='sources: {"memory-bank/decisions.md": chat}',
            ),
            Example(
                "We decided to use PostgreSQL for the ledger.", path="memory-bank/decisions.md"
            ),
            Example(
                '{"text": "We decided to use PostgreSQL.", "source": "conversation"}\n',
                path="memory/decisions.jsonl",
            ),
        ),
    ),
)
