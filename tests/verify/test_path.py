"""Files and lines: what the tree says, and who may bear witness."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged import World, said

from grounded_ingest.model import Decision

CONFIRMED = [
    ("The port is set in `src/app.py:2`.", "src/app.py:2"),
    ("The port is set in `app.py:2`.", "src/app.py:2"),
    ("The port is set in src/app.py:2 alone.", "src/app.py:2"),
    ("Port and host are set in `src/app.py#L2-L3`.", "src/app.py:2-3"),
    ("The comment in `src/app.py:1` names the owner.", "src/app.py:1"),
    ("The new limit is set in `src/fresh.py:2`.", "src/fresh.py:2"),
    ("The start is described in [the guide](guide.md).", "docs/guide.md"),
    ("The port is set somewhere in `src/app.py`.", "src/app.py"),
]
OTHERWISE = [
    ("The port is set in `src/app.py:9`.", "refuted", "src/app.py has 3 lines"),
    ("The port is set in `src/app.py:3-2`.", "refuted", "src/app.py has 3 lines"),
    ("The port is set in `src/nowhere.py:1`.", "refuted", "no such file"),
    ("The port is set in `src/nowhere.py` alone.", "refuted", "no such file"),
    ("All of it is described in [the plan](plan.md).", "refuted", "no such file"),
    ("The port was set in `src/old.py:1` before.", "refuted", "moved to lib/old.py"),
    ("The port was set in `src/dead.py:1` before.", "refuted", "deleted in "),
    ("The port is set in `other/nowhere.py` alone.", "unknown", "no such file in this repository"),
    ("The name is set in `pkg/one.py:1` alone.", "unknown", "ambiguous: 2 files end so"),
    ("The start is described in `docs/guide.md:3`.", "unknown", "source not grounded"),
    ("The comment in `src/fresh.py:1` names the owner.", "unknown", "not on base yet"),
    ("The table `table.csv:2` lists the port.", "unknown", "not on base yet"),
    ("The report is kept as [a file](../build/out.json).", "unknown", "ignored by git"),
    ("The plan is kept [beside it](../../plan.md).", "unknown", "outside the repository"),
    ("The start is described in [the guide](/guide).", "unknown", "an absolute link"),
]
NONE = [
    "We removed `src/nothing.py` in the spring.",
    "The worker will create `src/later.py` at the first start.",
    "The header is `application/json` for every answer.",
    "The machine reads `/etc/hosts` at the first start.",
]


@pytest.fixture(scope="module")
def decided(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Decision]:
    world = World(tmp_path_factory.mktemp("path") / "work")
    world.commit(
        src__app_dot_py="# owner: platform\nPORT = 8443\nHOST = 'db'\n",
        src__old_dot_py="# old\nNAME = 'a long enough line to be found again'\n",
        src__dead_dot_py="PORT = 1\n",
        src__pkg__one_dot_py="NAME = 1\n",
        lib__pkg__one_dot_py="NAME = 2\n",
        docs__guide_dot_md="# Guide\n\nThe start takes a minute on every machine.\n",
        _dot_gitignore="build/\n",
    )
    world.git("mv", "src/old.py", "lib/old.py")
    world.git("rm", "--quiet", "src/dead.py")
    world.commit()
    world.write("src/fresh.py", "# owner: platform\nLIMIT = 20\n")
    world.write("table.csv", "name,port\napp,8443\n")
    claims = [*(c for c, *_ in CONFIRMED + OTHERWISE), *NONE]
    return dict(zip(claims, world.decide(*claims), strict=True))


@pytest.mark.parametrize(("claim", "target"), CONFIRMED)
def test_confirmed(decided: dict[str, Decision], claim: str, target: str) -> None:
    assert said(decided[claim]) == [(target, "confirmed", "")]


@pytest.mark.parametrize(("claim", "verdict", "reason"), OTHERWISE)
def test_not_confirmed(decided: dict[str, Decision], claim: str, verdict: str, reason: str) -> None:
    ((_, found, why),) = said(decided[claim])
    assert found == verdict
    assert why.startswith(reason)


@pytest.mark.parametrize("claim", NONE)
def test_no_citation(decided: dict[str, Decision], claim: str) -> None:
    assert said(decided[claim]) == []


def test_lines_ground_a_claim_and_a_whole_file_does_not(decided: dict[str, Decision]) -> None:
    assert decided[CONFIRMED[0][0]].rule == "verified-citation"
    assert decided[CONFIRMED[-1][0]].rule == "ungrounded"


def test_a_file_that_left_the_tree_of_a_submodule_is_unknown(tmp_path: Path) -> None:
    other = World(tmp_path / "other")
    other.commit(a_dot_py="A = 1\n")
    world = World(tmp_path / "work")
    world.git("submodule", "--quiet", "add", str(other.root), "ext/sub")
    world.commit()
    (decision,) = world.decide("The value is set in `ext/sub/a.py:1` alone.")
    ((_, verdict, reason),) = said(decision)
    assert (verdict, reason) == ("unknown", "inside the submodule ext/sub")
