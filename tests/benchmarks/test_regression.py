"""No version takes a quarter more CPU than the one it is compared with; the comparison would see it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import regression
from benchmarks.regression import ALLOWED, NoBaseError, base_of, compare, copy

PROJECT = Path(__file__).parents[2]
SLOW = "for _ in range(20_000_000):\n    pass\n"
"""About as long as a hook run takes, on whatever machine."""


@pytest.mark.slow  # compares measurements, which a busy machine makes worthless
def test_this_checkout_is_no_slower() -> None:
    argv = [sys.executable, "-m", "benchmarks", "--regression"]
    done = subprocess.run(argv, cwd=PROJECT, capture_output=True, text=True, check=False)
    if done.returncode == 3:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.slow  # measures twice, as above
def test_a_planted_slow_down_is_seen(tmp_path: Path) -> None:
    before, now = copy(str(tmp_path / "a")), copy(str(tmp_path / "b"))
    with open(f"{now}/grounded_ingest/errors.py", "a", encoding="utf-8") as file:
        file.write(SLOW)
    said: list[str] = []
    changes = compare(before, now, str(tmp_path), said.append, rounds=1)
    assert [c.scenario for c in changes if c.ratio > ALLOWED][:2] == [
        "hook, a change",
        "hook, again",
    ]
    assert said[-1] == "measuring again"


@pytest.mark.parametrize("named", ["0" * 40, "no-such-tag"])
def test_a_base_that_is_not_here_is_said(
    named: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    with pytest.raises(NoBaseError, match=named):
        base_of(named)
    (tmp_path / "kept").write_text(f"{named}\n")
    monkeypatch.setattr(regression, "KEPT", str(tmp_path / "kept"))
    said: list[str] = []
    assert regression.run("", said.append) == 3
    assert said[-1].startswith(f"not compared: {named}")


def test_a_base_that_does_not_run_is_said(tmp_path: Path) -> None:
    broken = copy(str(tmp_path / "a"))
    (tmp_path / "a/grounded_ingest/errors.py").write_text("import no_such_package\n")
    with pytest.raises(NoBaseError, match="no_such_package"):
        compare(broken, copy(str(tmp_path / "b")), str(tmp_path))
