"""A claim is proved only if it says no more than that its references hold."""

from __future__ import annotations

from repos import Repo

FILES = {
    "src/a.py": "def parse_config(): ...\n\n\nclass StoreOne:\n    def load_row(self): ...\n\n\nMAX_ROWS = 3\n",
    "package.json": '{"scripts": {"build": "tsc", "test": "jest"}, "engines": {"node": ">=20"}}',
    "Makefile": "lint:\n\truff .\n",
}


COMMITS = (FILES,)


RELATIONS = (
    "`parse_config` is a class.",
    "`StoreOne` is a function.",
    "The default value is `MAX_ROWS`.",
    "`parse_config()` equals `MAX_ROWS`.",
    "`parse_config` is called by `load_row`.",
    "`load_row` in `src/a.py` is kept in `StoreOne`.",
    "`parse_config` in `src/a.py` is `load_row` in `src/a.py`.",
    "The test command is `npm run build`.",
    "The default script is `npm run build`.",
    "`npm run build` is `make lint`.",
    "`make lint` runs `npm run test`.",
    "`npm run build` is the command of `StoreOne` in `src/a.py`.",
    "Node 20 is the default.",
)


def test_a_relation_between_references_is_not_proved(repo: Repo) -> None:
    assert not [claim for claim, found in repo.judge_each(RELATIONS).items() if found.tier == 1]


def test_that_a_reference_holds_is_proved(repo: Repo) -> None:
    claims = (
        "`parse_config` is defined in `src/a.py`.",
        "Run `npm run build` and `make lint`.",
        "The command is `npm run build`.",
    )
    assert {found.rule for found in repo.judge_each(claims).values()} == {"proved"}
