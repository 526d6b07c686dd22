"""A record of a readable file could not be understood."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="broken-record",
    tier=3,
    fixed=True,
    severity="error",
    summary=(
        "A record of a readable file could not be understood, so it was not judged. It blocks in"
        " class `memory` and waits for review elsewhere. Beside such a line of a review log no"
        " approval counts; a change that brings it is blocked."
    ),
    way_out="Correct the record at the line named.",
)


EXAMPLES = (
    Examples(
        flags=(
            Example(
                '{"text": "The queue holds 500 jobs at most"}\n{"text": "The worker takes\n',
                path="memory/a.jsonl",
            ),
            Example(
                '{"text": "The queue holds 500 jobs", "trust": "high"}\n', path="memory/a.jsonl"
            ),
            Example(
                "", change={"CLAUDE.md": "---\nmemory_type: [\n---\n\nThe queue holds 500 jobs.\n"}
            ),
        ),
        passes=(
            Example(
                '{"text": "The queue holds 500 jobs at most", "colour": "red"}\n',
                path="memory/a.jsonl",
            ),
            Example('\n{"colour": "red"}\n', path="memory/a.jsonl"),
            Example(
                "", change={"CLAUDE.md": "---\ntitle: Queue\n---\n\nThe queue holds 500 jobs.\n"}
            ),
        ),
    ),
)
