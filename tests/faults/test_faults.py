"""Killed at every write, no room, no leave to write, a git that dies, a clock that jumps, others at
work: nothing is lost, and the next run is equal.

One write of each of a few kinds is broken; all of them are with GROUNDED_INGEST_FAULTS=all
(CONTRIBUTING.md)."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from grounded_ingest.records.whole_file import write_whole
from tests.faults.conftest import SCENES
from tests.faults.injection import Scene, ended

Scenes = Callable[[str], Scene]
EVERY = os.environ.get("GROUNDED_INGEST_FAULTS") == "all"
NO_ROOM, READ_ONLY, ONCE = str(errno.ENOSPC), str(errno.EROFS), f"once:{errno.EIO}"
KILLS, FAILURES = ("kill", "all", "torn"), (NO_ROOM, ONCE)
FEW = {
    ("hook", "kill"): 4, ("hook", "all"): 3, ("hook", "torn"): 2, ("review", "all"): 2,
    ("fix", "all"): 2, ("init", "all"): 2, ("baseline", "all"): 1, ("recall", "all"): 1,
    ("hook", NO_ROOM): 3, ("hook", ONCE): 2, ("review", NO_ROOM): 2, ("fix", NO_ROOM): 2,
}  # fmt: skip
"""How many writes of a command are broken in a way, where not all are."""


def cases(ways: Sequence[str]) -> list[tuple[str, str]]:
    """A fleet says of a repository that it could not read it, and goes on: that is its own test."""
    every = [(n, how) for n in SCENES for how in ways if n != "fleet" or ways == KILLS]
    return [case for case in every if EVERY or case in FEW]


SAYS_THE_SAME = ("hook", "recall")
"""Commands that say the same however often."""


def writes(scene: Scene, name: str, how: str) -> Iterator[int]:
    """The numbers of the calls to break: of each kind the first, spread over all of the command."""
    calls = scene.whole.calls
    if EVERY:
        yield from range(1, len(calls) + 1)
        return
    first = {call.kind: number for number, call in reversed([*enumerate(calls, 1)])}
    numbers = sorted(number for kind, number in first.items() if kind[2] != "pipe")
    most = FEW[name, how]
    yield from (numbers[(2 * n + 1) * len(numbers) // (2 * most)] for n in range(most))


def goes_on(scene: Scene, name: str) -> None:
    """The next run leaves what a run leaves that nothing befell. A git that was killed in the
    middle of writing its index leaves its lock, as git does; what is said names it."""
    ran = scene.run()
    lock = scene.repo.root / ".git/index.lock"
    if lock.exists():
        assert ran.code == 2
        assert f"{lock}': File exists" in ran.err
        assert "remove that file" in ran.err
        lock.unlink()
        ran = scene.run()
    assert ran.code == scene.whole.code, ran.err
    assert scene.left() == scene.after
    assert scene.remains() == []
    assert name not in SAYS_THE_SAME or ran.out == scene.whole.out


@pytest.mark.parametrize(("name", "how"), cases(KILLS))
def test_killed_at_every_write(scenes: Scenes, name: str, how: str) -> None:
    """`kill`: the process that writes, which may be a git; `torn`: with half of it written; `all`:
    with all that are at it."""
    scene = scenes(name)
    for number in writes(scene, name, how):
        scene.renew()
        ran = scene.run(number, how)
        assert ran.code in (-9, 2) or name == "fleet", (number, ran)
        assert name == "fleet" or scene.half_done() == [], number
        goes_on(scene, name)


def test_a_file_is_replaced_as_a_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def replace(*_: str) -> None:
        raise OSError(errno.EIO, "the last step fails")

    (tmp_path / "a").write_text("old")
    monkeypatch.setattr(os, "replace", replace)
    with pytest.raises(OSError, match="the last step"):
        write_whole(str(tmp_path / "a"), b"new")
    assert [(p.name, p.read_text()) for p in tmp_path.iterdir()] == [("a", "old")]


@pytest.mark.parametrize(("name", "how"), cases(FAILURES))
def test_a_write_that_fails_is_said_or_changes_nothing(scenes: Scenes, name: str, how: str) -> None:
    """A full disk from a write on, and one write that fails alone: of what is only kept to be
    faster nobody notices."""
    scene = scenes(name)
    for number in writes(scene, name, how):
        scene.renew()
        ran = scene.run(number, how)
        assert "Traceback" not in ran.err, number
        assert scene.half_done() == [], number
        if ran.code == 2:
            said = os.strerror(int(how.rpartition(":")[2]))
            assert said in ran.err or "Out of diskspace" in ran.err  # git's own words
        else:
            assert (ran.code, ran.out) == (scene.whole.code, scene.whole.out), number
            assert scene.left() == scene.after
        goes_on(scene, name)


@pytest.mark.parametrize("name", ["hook", "review", "fix", "recall"])
def test_a_read_only_disk_is_said_or_changes_nothing(scenes: Scenes, name: str) -> None:
    scene = scenes(name)
    ran = scene.run(1, READ_ONLY)
    if name == "recall":
        assert (ran.code, ran.out) == (scene.whole.code, scene.whole.out)
    else:
        assert ran.code == 2
        assert "Read-only file system" in ran.err
        assert scene.left() == scene.before
    goes_on(scene, name)


DYING_GIT = """#!/bin/sh
printf x >> "$FAULTY_CALLS"
[ "$(wc -c < "$FAULTY_CALLS")" -eq "$FAULTY_AT" ] || exec {git} "$@"
{git} "$@" | {{ dd bs=1 count="$FAULTY_BYTES" status=none; kill -9 $$; }}
"""


@pytest.mark.parametrize("size", [0, 1, 7, 41, 70, 150, 500, 4000] if EVERY else [70])
def test_a_git_that_dies(scenes: Scenes, tmp_path: Path, size: int) -> None:
    """Each git of the hook in turn, after so many bytes of its answer: the hook starts it again or
    gives up, and decides nothing by half an answer."""
    scene = scenes("hook")
    git, calls = tmp_path / "git", tmp_path / "calls"
    git.write_text(DYING_GIT.format(git=shutil.which("git")), "utf-8")
    git.chmod(0o755)
    env = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "FAULTY_CALLS": str(calls)}
    env["FAULTY_BYTES"] = str(size)
    scene.run(FAULTY_AT="0", **env)
    codes = []
    for number in range(1, len(calls.read_bytes()) + 1):
        scene.renew()
        calls.write_bytes(b"")
        ran = scene.run(FAULTY_AT=str(number), **env)
        codes.append(ran.code)
        assert scene.half_done() == []
        if ran.code == 2:
            assert "was killed (signal 9)" in ran.err
        else:
            assert (ran.code, ran.out) == (scene.whole.code, scene.whole.out), number
        goes_on(scene, "hook")
    assert set(codes) == {scene.whole.code, 2}


JUMPS = ("-100000000", "100000000", "~-100000000")


@pytest.mark.parametrize(
    ("name", "clock"),
    [(n, c) for n in SCENES for c in JUMPS]
    if EVERY
    else [("hook", JUMPS[2]), ("review", JUMPS[0]), ("recall", JUMPS[1])],
)
def test_a_clock_that_jumps(scenes: Scenes, name: str, clock: str) -> None:
    """Three years back, on, and back at every second look at it."""
    scene = scenes(name)
    ran = scene.run(FAULTS_CLOCK=clock)
    assert ran.code == scene.whole.code, ran.err
    assert scene.left() == scene.after
    goes_on(scene, name)


def _without_additions(err: str) -> str:
    return "".join(x for x in err.splitlines(True) if not x.startswith("added to this commit: "))


def test_two_hooks_and_a_job_at_once(scenes: Scenes) -> None:
    """In one clone, from no index on; the job in a work tree of its own."""
    scene = scenes("hook")
    tree = scene.at / "job"
    job = ("check", "--range", "HEAD~1..HEAD", "--offline"), tree
    asked = [(scene.argv, None), job, (scene.argv, None), job, (("recall", "Which port?"), None)]
    answers = []
    for at_once in (False, True):
        scene.renew()
        scene.repo.git("worktree", "add", "-q", "--detach", str(tree))
        started = (scene.start(*argv, cwd=cwd) for argv, cwd in asked)
        ran = [ended(p) for p in (list(started) if at_once else started)]
        # Each hook that does not see the other's evidence file says that it adds one.
        answers.append([(r.code, r.out, _without_additions(r.err)) for r in ran])
        scene.repo.git("worktree", "remove", "--force", str(tree))
        assert scene.left() == scene.after
    assert answers[0] == answers[1]
    goes_on(scene, "hook")
