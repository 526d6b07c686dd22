"""The author guesses. The words stand in `lexicon/speculation.py`."""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.rules.hedges import find_hedges
from grounded_ingest.rules.knowledge_protocol import Knowledge
from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="speculation",
    tier=3,
    fixed=False,
    summary=(
        "The author is guessing: a personal guess, an admitted doubt, or a suggestion (“I think”,"
        " “not sure if”, “maybe we should”)."
    ),
    way_out=(
        "Find out and state it with its source, or label it as open (“Open questions:”,"
        " “Hypothesis:”). Wording it more firmly without a source only moves it to review."
    ),
)


def applies(case: Case) -> bool:
    return case.shows(META)


def detect(place: Place, knowledge: Knowledge) -> Iterable[Finding]:
    """Guesses, and what else hedges: rule `technical-hedge`."""
    del knowledge
    return find_hedges(place.claim)


EXAMPLES: tuple[Examples, ...] = ()
