"""More waits for review than the configuration lets wait."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="queue-full",
    tier=0,
    fixed=True,
    signal="note",
    summary="More claims wait for review than the configuration lets wait.",
    way_out=(
        "Review some (`grounded-ingest review`), cite sources, or raise the limits under `review`."
    ),
)


EXAMPLES = (
    Examples(
        flags=(
            Example(
                "The cache is shared.\n\nThe queue is bounded.",
                config="review: {max_pending: 1, over: block}",
            ),
            Example(
                "The cache is shared.\n\nThe queue is bounded.",
                config='review: {max_pending_per_owner: 1, over: block}\nreviewers: {"**": [ann@example.org]}',
            ),
            Example(
                "",
                base={"CLAUDE.md": "The cache is shared.\n\nThe queue is bounded.\n"},
                config="review: {max_pending: 1}",
            ),
        ),
        passes=(
            Example("The cache is shared.", config="review: {max_pending: 1, over: block}"),
            Example(
                "The cache is shared.\n\nThe queue is bounded.", config="review: {max_pending: 1}"
            ),
            Example(
                "The cache is shared.\n\nThe queue is bounded.",
                config="review: {max_pending_per_owner: 1, over: block}",
            ),
        ),
    ),
)
