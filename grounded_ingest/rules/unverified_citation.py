"""Whether a citation holds is unknown."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="unverified-citation",
    tier=2,
    fixed=False,
    signal="doubt",
    summary="Whether the citation holds could not be found out; the reason stands beside it.",
    way_out="Do what the reason asks for, or cite what can be looked up.",
)


def applies(case: Case) -> bool:
    return case.cites(Verdict.UNKNOWN)


EXAMPLES = (
    Examples(
        flags=(
            "The decoder rejects NaN (https://docs.python.org/3/library/json.html).",
            Example(
                "Per ADR-1, the ledger is kept in PostgreSQL.",
                change={
                    "docs/adr/0001-ledger.md": "# 1. Ledger\n\nStatus: accepted\n\n## Decision\n\nThe ledger is kept in PostgreSQL.\n"
                },
            ),
            Example(
                "The limit is 20 MB (`settings.py:1`).",
                base={"one/settings.py": "LIMIT_MB = 20\n", "two/settings.py": "LIMIT_MB = 30\n"},
            ),
            "The leak was fixed in #412.",
        ),
        passes=(
            Example(
                "The gateway listens on port 8443 (`src/settings.py:1`).",
                base={"src/settings.py": "GATEWAY_PORT = 8443\n"},
            ),
            Example(
                "The limit is 20 MB (`src/settings.py:1`).", base={"src/other.py": "LIMIT = 20\n"}
            ),
            "The header begins with the bytes 4f9c1d2e.",
        ),
    ),
)
