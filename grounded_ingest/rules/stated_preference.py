"""A preference in the record of a conversation or chat."""

from __future__ import annotations

from grounded_ingest.model.claims import Kind, Source
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="stated-preference",
    tier=1,
    fixed=True,
    severity="quiet",
    summary=(
        "A preference stated in a conversation or chat, in a document that the configuration names"
        " as such."
    ),
    way_out="Nothing to do; see `sources` in the configuration.",
)


def applies(case: Case) -> bool:
    return case.kind is Kind.PREFERENCE and case.configured in (Source.CONVERSATION, Source.CHAT)


_CHAT = 'sources: {"memory-bank/users.md": chat}'

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "I prefer short functions and early returns.",
                path="memory-bank/users.md",
                config=_CHAT,
            ),
            Example(
                "I prefer short functions and early returns.",
                path="memory-bank/users.md",
                config='sources: {"memory-bank/users.md": conversation}',
            ),
            Example("Ana prefers tabs over spaces.", path="memory-bank/users.md", config=_CHAT),
        ),
        passes=(
            Example("I prefer short functions and early returns.", path="memory-bank/users.md"),
            Example("I think I prefer tabs.", path="memory-bank/users.md", config=_CHAT),
            Example("Ana owns the billing module.", path="memory-bank/users.md", config=_CHAT),
            Example(
                "I prefer short functions.",
                path="memory-bank/users.md",
                config='sources: {"memory-bank/users.md": ai_synthesis}',
            ),
        ),
    ),
)
