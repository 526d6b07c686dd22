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

_TWO = {"src/one.py": "A = 1\n", "src/two.py": "B = 2\n"}

EXAMPLES = (
    Examples(
        flags=(
            Example("The command is `npm run test`.", base=_NODE),
            Example("The script is `npm run test`.", base=_NODE),
            Example("There are 2 modules in `src`.", base=_TWO),
        ),
        passes=(
            Example("The tests take an hour with `npm run test`.", base=_NODE),
            Example("It requires Node 18 or newer.", base=_NODE),
            Example("There are 3 modules in `src`.", base=_TWO),
            Example("There are 3 modules in `src`.", base={**_TWO, "src/__init__.py": ""}),
        ),
    ),
)
