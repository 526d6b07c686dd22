"""Problem `judge`: the configured judge was not asked, or could not be."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="judge",
    tier=0,
    fixed=True,
    severity="note",
    summary="The configured judge was not asked, or could not be.",
    way_out="Do what the message asks for.",
)


_MODEL = 'judge: {kind: openai, base_url: "https://models.example.org/v1", model: small}'

EXAMPLES = (
    Examples(
        flags=(
            Example("The gateway listens on port 8443.", config=_MODEL),
            Example("The gateway listens on port 8443.", config=_MODEL, online=True),
            Example("", config=_MODEL),
        ),
        passes=(
            Example("The gateway listens on port 8443.", config="judge: {kind: rules}"),
            Example(
                "The gateway listens on port 8443.", config="judge: {kind: rules}", online=True
            ),
            "The gateway listens on port 8443.",
        ),
    ),
)
