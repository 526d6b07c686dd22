"""Row `proved`: the claim says no more than that its references hold, and they do."""

from __future__ import annotations

from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="proved",
    tier=1,
    fixed=True,
    severity="quiet",
    summary="The claim says no more than what the tree answers, and the tree agrees.",
    way_out="Nothing to do.",
)


def applies(case: Case) -> bool:
    return any(e.proves for e in case.own)


_NODE = {"package.json": '{"scripts": {"test": "vitest"}, "engines": {"node": ">=20"}}\n'}

EXAMPLES = (
    Examples(
        flags=(
            Example("Requires Node 20.", base=_NODE),
            Example("The test command is `npm run test`.", base=_NODE),
        ),
        passes=(
            Example("The tests take an hour with `npm run test`.", base=_NODE),
            Example("It requires Node 18 or newer.", base=_NODE),
        ),
    ),
)
