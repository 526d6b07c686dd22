"""Nothing is known of the claim: the last row."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Examples, Rule

META = Rule(
    id="ungrounded",
    tier=2,
    fixed=True,
    summary="Nothing shows yet where this claim comes from.",
    way_out=(
        "Cite what it rests on (`src/x.py:12`, an ADR, a commit, an issue, a URL), or have a"
        " reviewer approve it in the document's review log (`.grounded/reviews/`)."
    ),
)


def applies(case: Case) -> bool:
    del case
    return True


EXAMPLES: tuple[Examples, ...] = ()
