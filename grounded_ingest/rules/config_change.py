"""The change itself makes the configuration let more pass."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="config-change",
    tier=0,
    fixed=True,
    severity="note",
    summary="This change loosens the guard: preset, excludes, ignores, the baseline or the policy.",
    way_out="Review that as you would review code.",
)


EXAMPLES = (
    Examples(
        flags=(
            Example(
                "I think so.",
                config="policy: {speculation: block}",
                change={".grounded-ingest.yaml": "policy: {speculation: review}\n"},
            ),
            Example("", change={".grounded-ingest.yaml": "preset: advisory\n"}),
            Example("", change={".grounded-ingest.yaml": 'exclude: ["docs/**"]\n'}),
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
            Example("", change={".grounded-ingest.yaml": "preset: strict\n"}),
            Example("", change={"src/.grounded-ingest.txt": "preset: advisory\n"}),
        ),
    ),
)
