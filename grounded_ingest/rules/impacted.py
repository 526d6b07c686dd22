"""An existing claim rests on what the change touches."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="impacted",
    tier=0,
    fixed=True,
    severity="note",
    summary="An existing claim rests on what this change touches (`check --impacted` lists them).",
    way_out="Read the claim beside the change; correct it where it no longer holds.",
)

_CITED = {
    "docs/guide.md": "# Guide\n\nThe upload limit is 20 MB (`src/limits.py:1`).\n",
    "docs/map.md": "# Map\n\nLimits are explained in [the source](../src/limits.py).\n",
    "src/limits.py": "UPLOAD_MB = 20\nDOWNLOAD_MB = 30\n",
    "src/other.py": "A = 1\n",
}
_GUIDE = {path: _CITED[path] for path in ("docs/guide.md", "src/limits.py", "src/other.py")}

EXAMPLES = (
    Examples(
        flags=(
            Example(
                "", base=_CITED, change={"src/limits.py": "UPLOAD_MB = 30\nDOWNLOAD_MB = 30\n"}
            ),
            Example("", base=_CITED, change={"src/limits.py": "UPLOAD_MB = 20\nDOWNLOAD_MB = 1\n"}),
            Example("", base=_GUIDE, change={"src/limits.py": None}),
        ),
        passes=(
            Example("", base=_GUIDE, change={"src/limits.py": "UPLOAD_MB = 20\nDOWNLOAD_MB = 1\n"}),
            Example("", base=_CITED, change={"src/other.py": "A = 2\n"}),
            Example(
                "",
                base=_GUIDE,
                change={
                    "src/limits.py": "UPLOAD_MB = 30\n",
                    "docs/guide.md": "# Guide\n\nThe upload limit is 30 MB (`src/limits.py:1`).\n",
                },
            ),
        ),
    ),
)
