"""A document could not be read."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="unreadable",
    tier=3,
    fixed=True,
    severity="warning",
    summary=(
        "A document could not be read, so none of its text was judged. It blocks in class `memory`,"
        " where agents will read it anyway, and waits for review elsewhere."
    ),
    way_out="Repair it (UTF-8, size and nesting within the limits), or list it in `exclude`.",
)


EXAMPLES = (
    Examples(
        flags=(
            Example("", change={"CLAUDE.md": b"caf\xe9 opens at nine.\n"}),
            Example("", change={"memory-bank/a.md": "The cache is shared.\0\n"}),
            Example('{"text": "The queue holds 500 jobs"', path="memory/a.json"),
        ),
        passes=(
            Example("", change={"CLAUDE.md": "café opens at nine.\n"}),
            Example('{"text": "The worker takes\n', path="memory/a.jsonl"),
            Example("", change={"memory/plan.pdf": b"%PDF-1.4\0\xe9"}),
            Example('{"name": "gateway"', path="src/package.json"),
        ),
    ),
)
