"""A path that the commit lacks and the work tree has."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="not-staged",
    tier=0,
    fixed=True,
    severity="note",
    summary="A path that the text names lies on disk and is not staged.",
    way_out="Run `git add` on it.",
)

EXAMPLES = (
    Examples(
        flags=(),
        passes=(
            "The gateway keeps its sessions in Redis.",
            "Read `src/missing.py` first.",
            Example("Read `src/there.py` first.", base={"src/there.py": "A = 1\n"}),
        ),
    ),
)
"""No example is flagged: it takes a file that is not staged (tests/hook)."""
