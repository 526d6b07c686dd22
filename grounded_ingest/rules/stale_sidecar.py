"""Recorded evidence is behind its document."""

from __future__ import annotations

from grounded_ingest.rules.rule import Example, Examples, Rule

META = Rule(
    id="stale-sidecar",
    tier=0,
    fixed=True,
    severity="warning",
    summary=(
        "The evidence file of a document is missing, broken or behind its text. `--locked` and the"
        " preset `strict` fail for it; no other check says it."
    ),
    way_out="Run `grounded-ingest check --write` on the document and commit its evidence file.",
)


_ELSEWHERE = {".grounded/evidence/docs/a.md.jsonl": ""}
_FILE = ".grounded/evidence/CLAUDE.md.jsonl"
_OTHER = '{"id":"00000000000000a1","claim":"The gateway listens on port 9443."}\n'

EXAMPLES = (
    Examples(
        flags=(
            Example("The gateway listens on port 8443.", base={_FILE: "{}\n"}),
            Example("The gateway listens on port 8443.", base={_FILE: _OTHER}),
            Example("The gateway listens on port 8443.", base={_FILE: "<<<<<<< ours\n"}),
        ),
        passes=(
            "The gateway listens on port 8443.",
            Example("The gateway listens on port 8443.", base=_ELSEWHERE),
            Example("", change={"src/settings.py": "GATEWAY_PORT = 8443\n"}, base=_ELSEWHERE),
            Example("## Ports", base=_ELSEWHERE),
        ),
    ),
)
