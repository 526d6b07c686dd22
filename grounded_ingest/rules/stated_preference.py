"""A preference in the record of a conversation or chat."""

from __future__ import annotations

from grounded_ingest.model.claims import Kind, Source
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="stated-preference",
    tier=1,
    fixed=True,
    summary=(
        "A preference stated in a conversation or chat, in a document that the configuration names"
        " as such."
    ),
    way_out="Nothing to do. See `sources` in the configuration.",
)


def applies(case: Case) -> bool:
    return case.kind is Kind.PREFERENCE and case.configured in (Source.CONVERSATION, Source.CHAT)


EXAMPLES: tuple[Examples, ...] = ()
