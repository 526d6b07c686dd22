"""The run looked at something else than was asked for."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="scope",
    tier=0,
    fixed=True,
    severity="note",
    summary="The run looked at something else than was asked for, and says at what.",
    way_out="Nothing to do, unless the scope surprises you.",
)


EXAMPLES = (
    Examples(
        flags=(
            "",
            Example("", base={"CLAUDE.md": "# Notes\n\nThe gateway listens on port 8443.\n"}),
            Example("The gateway listens on port 8443.", review="approve"),
        ),
        passes=(
            "The gateway listens on port 8443.",
            Example("", change={"src/settings.py": "GATEWAY_PORT = 8443\n"}),
            Example("", base={"docs/guide.md": "# Guide\n"}, change={"docs/guide.md": None}),
        ),
    ),
)
