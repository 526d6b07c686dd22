"""Row `contradiction`: two memories that agents load together state facts that exclude each other:
port, package manager, runtime version, test runner, branch (`rules/agreed_facts.py`)."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.model.claims import Finding, Place
from grounded_ingest.rules.rule import Case, Example, Examples, Rule
from grounded_ingest.statements.agreed_facts import (
    Agreed,
    AgreedFacts,
    StatedFact,
    agreed_facts,
    disagree,
)
from grounded_ingest.statements.knowledge_protocol import Loaded, comes_after

META = Rule(
    id="contradiction",
    tier=2,
    fixed=False,
    severity="warning",
    summary="Two memories that agents load together state facts that exclude each other.",
    way_out="Keep the one that is true; if the fact changed, say “is now Y, previously X”.",
)


def applies(case: Case) -> bool:
    return case.shows(META)


def detect(place: Place, knowledge: Loaded) -> Iterator[Finding]:
    """Yields the claim of the same section, or of a file that agents load with this one, that
    excludes this claim."""
    if not any(agreed_facts(place)):
        return
    own = knowledge.agreed(place.path)
    for mine in own.of_claim(place.claim.key):
        for other in (*_beside(mine, own), *_elsewhere(mine, own, knowledge)):
            if comes_after(place, other.place, knowledge):
                yield _finding(mine.fact, other.fact, other.place)
                return


def _beside(mine: Agreed, own: AgreedFacts) -> Iterator[Agreed]:
    """Yields what the same section states, rather than uses in passing."""
    section = mine.place.claim.section
    for other in own.of_thing(mine.fact):
        stated = mine.fact.firm and other.fact.firm
        if stated and other.place.claim.section == section and disagree(mine.fact, other.fact):
            yield other


def _elsewhere(mine: Agreed, own: AgreedFacts, knowledge: Loaded) -> Iterator[Agreed]:
    """Yields what other files state. The first claim of a file speaks for the file, unless another
    claim of the file disagrees with it."""
    same = own.of_thing(mine.fact)
    if same[0].place.claim.key != mine.place.claim.key:
        return
    if any(disagree(mine.fact, a.fact) for a in same):
        return
    for path in knowledge.loaded_with(mine.place.path):
        theirs = knowledge.agreed(path).of_thing(mine.fact)
        if theirs and all(disagree(mine.fact, a.fact) for a in theirs):
            yield theirs[0]


def _finding(mine: StatedFact, theirs: StatedFact, other: Place) -> Finding:
    now, was = (f.value if f.polarity else f"not {f.value}" for f in (mine, theirs))
    about = f"{mine.slot} of {mine.subject}" if mine.subject else mine.slot
    return Finding(
        META.id,
        f"{other.path}:{other.claim.line} says {was} where this says {now} ({about})",
        words=mine.value,
        other=other,
    )


EXAMPLES = (
    Examples(
        flags=(
            "Use `pnpm` for all packages.\n\nUse `npm` for all packages.",
            Example(
                "The gateway listens on port 9443.",
                base={"AGENTS.md": "# Notes\n\nThe gateway listens on port 8443.\n"},
            ),
            Example(
                "Pull requests target `main`.",
                base={"AGENTS.md": "# Notes\n\nPull requests target `develop`.\n"},
            ),
        ),
        passes=(
            "The upload limit is 20 MB for every plan.\n\nThe upload limit is 50 MB for every plan.",
            Example(
                "The gateway listens on port 9443.",
                base={"AGENTS.md": "# Notes\n\nThe ledger listens on port 8443.\n"},
            ),
            Example(
                "Pull requests target `main`.",
                base={"docs/notes.md": "# Notes\n\nPull requests target `develop`.\n"},
            ),
        ),
    ),
)
