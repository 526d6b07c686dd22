"""The baseline cannot be read, or is out of date."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="baseline",
    tier=0,
    fixed=True,
    severity="note",
    summary="The baseline is missing or broken, or has entries of what is found no more.",
    way_out="Run `grounded-ingest check --all --update-baseline` and commit the file.",
)

_FILE = ".grounded/baseline.jsonl"
_KEY = f"baseline: {_FILE}"
_GUESS = "I think the cache is shared."
_ENTRY = '{"path":"CLAUDE.md","rule":"speculation","id":"d776884b5b6baf53"}\n'

EXAMPLES = (
    Examples(
        flags=(
            Example(_GUESS, base={_FILE: "no JSON\n"}, config=_KEY),
            Example("The cache is shared.", config=_KEY),
            Example("The cache is shared.", base={_FILE: "<<<<<<< ours\n"}, config=_KEY),
        ),
        passes=(
            Example(_GUESS, base={_FILE: _ENTRY}),
            Example(_GUESS, base={_FILE: _ENTRY}, config=_KEY),
            Example(_GUESS, base={_FILE: ""}, config=_KEY),
            Example("The cache is shared.", base={_FILE: _ENTRY}, config=_KEY),
        ),
    ),
)
