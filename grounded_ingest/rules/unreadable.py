"""A document could not be read."""

from __future__ import annotations

from grounded_ingest.rules.rule import Examples, Rule

META = Rule(
    id="unreadable",
    tier=3,
    fixed=True,
    summary=(
        "A document could not be read, so none of its text was judged. It blocks in class `memory`,"
        " where agents will read it anyway, and waits for review elsewhere."
    ),
    way_out=(
        "Repair the document (UTF-8, size and nesting within the limits), or list it in `exclude`."
    ),
)

EXAMPLES: tuple[Examples, ...] = ()
