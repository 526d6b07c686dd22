"""What the claim cites is not there."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="refuted-citation",
    tier=2,
    fixed=False,
    summary="Something this claim cites does not exist, or no longer holds.",
    way_out=(
        "Correct the citation. If the thing is gone on purpose, say so (“removed `x`”), or cite"
        " what replaced it."
    ),
)


def applies(case: Case) -> bool:
    return case.cites(Verdict.REFUTED)


EXAMPLES = (
    Examples(
        flags=(
            "The double charge was fixed in commit 4f9c1d2e.",
            "Per ADR-12, sessions are kept in Redis.",
            Example(
                "The upload limit is 20 MB (`src/settings.py:40`).",
                base={"src/settings.py": "LIMIT_MB = 20\n"},
            ),
            "Retries are explained in [the guide](docs/guide.md).",
        ),
        passes=(
            "The file `src/guide.py` was removed.",
            "The colour of the banner is #4f9c1d2e.",
            Example(
                "The upload limit is 20 MB (`src/settings.py:1`).",
                base={"src/settings.py": "LIMIT_MB = 20\n"},
            ),
            "Settings are read from `local.env` at start.",
        ),
    ),
)
