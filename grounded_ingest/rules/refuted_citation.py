"""What the claim cites is not there."""

from __future__ import annotations

from grounded_ingest.model.claims import Verdict
from grounded_ingest.rules.rule import Case, Example, Examples, Rule

META = Rule(
    id="refuted-citation",
    tier=2,
    fixed=False,
    severity="error",
    summary="Something this claim cites or names does not exist, or no longer holds.",
    way_out="Name one that is there; if it is gone on purpose, say “removed `x`”.",
)


def applies(case: Case) -> bool:
    return any(e.verdict is Verdict.REFUTED and not e.muted for e in case.own)


_NODE = {"package.json": '{"scripts": {"test": "vitest"}, "engines": {"node": ">=20"}}\n'}
_MAKE = {"Makefile": "check:\n\truff check\n"}
_JUST = {"justfile": "build:\n    cargo build\n"}
_GUIDE = {"guide.md": "# Guide\n\n## Install\n\nUnpack it.\n"}
_TOOL = {
    "src/one.py": "A = 1\n",
    "tool.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--slow')\n",
}

EXAMPLES = (
    Examples(
        group="citations",
        flags=(
            "The double charge was fixed in commit 4f9c1d2e.",
            Example("Per ADR-12, sessions are kept in Redis.", adr="The ledger is kept."),
            Example(
                "The upload limit is 20 MB (`src/settings.py:40`).",
                base={"src/settings.py": "LIMIT_MB = 20\n"},
            ),
            "Retries are explained in [the guide](docs/guide.md).",
        ),
        passes=(
            "The file `src/guide.py` was removed.",
            "Mark it in the card, such as “contradicts ADR-12, worth reopening”.",
            "The colour of the banner is #4f9c1d2e.",
            Example(
                "The upload limit is 20 MB (`src/settings.py:1`).",
                base={"src/settings.py": "LIMIT_MB = 20\n"},
            ),
            "Settings are read from `local.env` at start.",
        ),
    ),
    Examples(
        group="references",
        flags=(
            Example("The tests run with `npm run test:unit`.", base=_NODE),
            Example("Everything is checked by `make verify`.", base=_MAKE),
            Example("The reports are built by `just report`.", base=_JUST),
            Example("It requires Node 18 or newer.", base=_NODE),
            Example("Each setting is explained in [the guide](guide.md#settings).", base=_GUIDE),
            Example("The style of commits is told in @docs/style.md and kept.", base=_GUIDE),
            Example("Reports are made with `python tool.py --fast`.", base=_TOOL),
            Example("There are 7 modules in `src` at the moment.", base=_TOOL),
        ),
        passes=(
            Example("The tests run with `npm run test`.", base=_NODE),
            Example("Everything is checked by `make check`.", base=_MAKE),
            Example("The script `npm run test:unit` was removed.", base=_NODE),
            Example("Their upstream repository tests with `npm run test:unit`.", base=_NODE),
            Example("It requires Node 20 or newer.", base=_NODE),
            Example("Each step is explained in [the guide](guide.md#install).", base=_GUIDE),
            Example("Reports are made with `python tool.py --slow`.", base=_TOOL),
            Example("Everything is compiled with `gcc --fast`.", base=_TOOL),
            Example("Review `tool.py` (462 lines changed) before the merge.", base=_TOOL),
            Example("A submodule is listed with `just --list storage`.", base=_JUST),
            "The tests run with `npm run test:unit`.",
        ),
    ),
)
