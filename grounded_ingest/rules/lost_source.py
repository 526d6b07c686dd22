"""The change takes the ground from a claim elsewhere."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="lost-source",
    tier=0,
    fixed=True,
    severity="error",
    summary="This change takes away, or turns into something else, what an existing claim rests on.",
    way_out="Correct the claim: cite what took the place of its source, or remove it.",
)


_CITED = {
    "docs/guide.md": "# Guide\n\nThe upload limit is 20 MB (`src/limits.py:1`).\n",
    "src/limits.py": "UPLOAD_MB = 20\n",
}

EXAMPLES = (
    Examples(
        flags=(
            Example("", base=_CITED, change={"src/limits.py": None}),
            Example("", base=_CITED, change={"src/limits.py": "UPLOAD_MB = 30\n"}),
            Example(
                "",
                base=_CITED,
                change={"src/limits.py": None, "src/config/bounds.py": "UPLOAD_MB = 20\n"},
            ),
            Example(
                "",
                base={"docs/guide.md": "# Guide\n\nPer ADR-1, the ledger is kept in PostgreSQL.\n"},
                adr="The ledger is kept in PostgreSQL.",
                change={"docs/adr/0001-decision.md": None},
            ),
        ),
        passes=(
            Example(
                "",
                base={
                    "docs/guide.md": "# Guide\n\nThe upload limit is 20 MB (`limits.py:1`).\n",
                    "src/limits.py": "UPLOAD_MB = 20\n",
                },
                change={"src/limits.py": None, "lib/limits.py": "UPLOAD_MB = 20\n"},
            ),
            Example("", base=_CITED, change={"src/limits.py": None, "docs/guide.md": None}),
            Example("", base=_CITED, change={"src/limits.py": "import os\n\nUPLOAD_MB = 20\n"}),
        ),
    ),
)
