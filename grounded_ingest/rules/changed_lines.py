"""The change turns cited lines into something else."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="changed-lines",
    tier=0,
    fixed=True,
    severity="warning",
    summary="This change turns the lines that an existing claim cites into something else.",
    way_out="Correct the claim, or cite the lines that say it now.",
)


_CITED = {
    "docs/guide.md": "# Guide\n\nThe upload limit is 20 MB (`src/limits.py:1`).\n",
    "src/limits.py": "UPLOAD_MB = 20\n",
}

_APP = {
    "docs/guide.md": "# Guide\n\nAt start `listen` is called (`src/app.py::start`).\n",
    "src/app.py": "def start():\n    listen(1)\n",
}

EXAMPLES = (
    Examples(
        flags=(
            Example("", base=_CITED, change={"src/limits.py": "UPLOAD_MB = 30\n"}),
            Example("", base=_APP, change={"src/app.py": "def start():\n    serve(1)\n"}),
            Example("", base=_APP, change={"src/app.py": "def start(:\n    listen(1)\n"}),
        ),
        passes=(
            Example("", base=_CITED, change={"src/limits.py": None, "docs/guide.md": None}),
            Example("", base=_CITED, change={"src/limits.py": "import os\n\nUPLOAD_MB = 20\n"}),
            Example("", base=_APP, change={"src/app.py": "def start():\n    listen(2)\n"}),
        ),
    ),
)
