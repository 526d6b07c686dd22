"""A decision in the record of a conversation."""

from __future__ import annotations

from grounded_ingest.model.claims import Kind, Source
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="stated-decision",
    tier=1,
    fixed=True,
    summary=(
        "A decision taken from a conversation, in a document that the configuration names as such."
    ),
    way_out="Nothing to do. See `sources` in the configuration.",
)


def applies(case: Case) -> bool:
    return case.kind is Kind.DECISION and case.configured is Source.CONVERSATION


EXAMPLES: tuple[Examples, ...] = ()
