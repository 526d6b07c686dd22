"""Commits: resolve first, judge the shape second, and only what base reaches counts."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from judged import World, said

UNREACHABLE = "not reachable from base: only on this branch, or on none"


class History(NamedTuple):
    """A repository; a commit on base, one beside it, a tree, and a tag that looks like an id."""

    world: World
    landed: str
    beside: str
    tree: str
    tag: str


@pytest.fixture(scope="module")
def history(tmp_path_factory: pytest.TempPathFactory) -> History:
    world = World(tmp_path_factory.mktemp("commit") / "work")
    landed = world.commit(a="1\n")
    world.git("switch", "--quiet", "--create", "side")
    beside = world.commit(b="2\n")
    world.git("switch", "--quiet", "main")
    world.commit(c="3\n")
    world.git("tag", "1234abd", landed)
    return History(world, landed, beside, world.git("rev-parse", f"{landed}^{{tree}}"), "1234abd")


CASES = [
    ("The port was changed in commit {landed:.7}.", "landed", "confirmed", ""),
    ("The port was changed in {landed}.", "landed", "confirmed", ""),
    ("The run {landed:.12} changed the port.", "landed", "confirmed", ""),
    ("The port was changed in commit {beside:.7}.", "beside", "unknown", UNREACHABLE),
    ("The port was changed in commit 4f9c1d2e.", "4f9c1d2e", "refuted", "this repository has no"),
    ("The port was changed in commit {tree:.9}.", "tree:.9", "refuted", "this repository has no"),
    ("The port was changed in commit {tag}.", "tag", "refuted", "this repository has no"),
    (
        "The image is pinned to upstream commit 4f9c1d2e.",
        "4f9c1d2e",
        "unknown",
        "a commit of another repository",
    ),
]
NONE = [
    "The run 4f9c1d2e took nine minutes in all.",
    "The service handled 1234567 requests on 20240115 without an error.",
    "The old banner was defaced and then taken away.",
    "The key is of the type ed25519 on every machine.",
    "The record has the id 550e8400-e29b-41d4-a716-446655440000 here.",
]


@pytest.mark.parametrize(("claim", "target", "verdict", "reason"), CASES)
def test_verdicts(history: History, claim: str, target: str, verdict: str, reason: str) -> None:
    known = history._asdict()
    (decision,) = history.world.decide(claim.format(**known))
    name, _, width = target.partition(":")
    expected = f"{known[name]:{width}}" if name in known else target
    ((found, judged, why),) = said(decision)
    assert (found, judged) == (expected, verdict)
    assert why.startswith(reason)


@pytest.mark.parametrize("claim", NONE)
def test_no_citation(history: History, claim: str) -> None:
    (decision,) = history.world.decide(claim)
    assert said(decision) == []


def test_a_shallow_clone_knows_that_it_does_not_know(history: History, tmp_path: Path) -> None:
    clone = World(tmp_path / "clone")
    clone.git("fetch", "--quiet", "--depth=1", history.world.root.as_uri(), "main")
    clone.git("reset", "--quiet", "--hard", "FETCH_HEAD")
    (decision,) = clone.decide(f"The port was changed in commit {history.landed[:7]}.")
    ((_, verdict, reason),) = said(decision)
    assert (verdict, reason) == ("unknown", "not in this shallow clone (fetch-depth: 0)")
