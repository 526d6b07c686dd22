"""Row `repeat`: a text that stands elsewhere already (docs/memory.md). `duplicate` finds it."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="repeat",
    tier=2,
    fixed=False,
    severity="quiet",
    summary="The same text already stands elsewhere in the knowledge base.",
    way_out="Keep one and link to it; name deliberate copies in `mirrors`.",
)


def applies(case: Case) -> bool:
    return case.shows(META)


_SETUP = {"docs/setup.md": "# Setup\n\nRun the migrations before the first start of the worker.\n"}

EXAMPLES = (
    Examples(
        flags=(
            Example("Run the migrations before the first start of the worker.", base=_SETUP),
            "The nightly export writes one file per customer and day.\n\n## Exports\n\nThe nightly export writes one file per customer and day.",
            Example(
                "The nightly export of billing writes one file for each customer and day into the archive bucket.",
                base={
                    "docs/exports.md": "# Exports\n\nThe nightly export of billing writes one small file for each customer and day into the archive bucket.\n"
                },
            ),
        ),
        passes=(
            Example(
                "Run the migrations.", base={"docs/setup.md": "# Setup\n\nRun the migrations.\n"}
            ),
            Example("Run the migrations before the first stop of the scheduler.", base=_SETUP),
            Example(
                "Run the migrations before the first start of the worker.",
                base={
                    "docs/setup.md": "# Setup\n\nRun the migrations before the first start of the worker.\n\n## Old worker\n\nRun the migrations before the first start of the worker.\n\n## New worker\n\nRun the migrations before the first start of the worker.\n"
                },
            ),
            Example(
                "Run the migrations before the first start of the worker.",
                base=_SETUP,
                change={"docs/setup.md": None},
            ),
        ),
    ),
)
