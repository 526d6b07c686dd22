"""The change alters the configuration."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="config-change",
    tier=0,
    fixed=True,
    severity="note",
    summary=(
        "This change alters the configuration. It was judged by the one on base; the new one holds"
        " once it has landed."
    ),
    way_out="Review the differences listed as you would review code.",
)


EXAMPLES = (
    Examples(
        flags=(
            Example(
                "I think so.",
                config="policy: {speculation: block}",
                change={".grounded-ingest.yaml": "policy: {speculation: review}\n"},
            ),
            Example("", change={".grounded-ingest.yaml": "preset: strict\n"}),
            Example(
                "", config="policy: {speculation: review}", change={".grounded-ingest.yaml": None}
            ),
        ),
        passes=(
            Example(
                "",
                config="policy: {speculation: review}",
                change={
                    ".grounded-ingest.yaml": "# Ann asked for it\npolicy:\n  speculation: review\n"
                },
            ),
            Example(
                "The file `.grounded-ingest.yaml` says what blocks.",
                config="policy: {speculation: review}",
            ),
            Example("", change={"src/.grounded-ingest.txt": "preset: strict\n"}),
        ),
    ),
)
