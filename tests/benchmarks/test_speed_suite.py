"""The speed suite: it runs, its figures are figures, and what misses its budget is shown so."""

from __future__ import annotations

import json
import math
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from benchmarks import full, tools
from benchmarks.__main__ import FAMILIES
from benchmarks.page import BEGIN, END, with_table
from benchmarks.prose import Prose, project_pages
from benchmarks.repository import Repository, check
from benchmarks.rows import Budget, Row, as_json, exponent, markdown, text
from benchmarks.setup import small
from benchmarks.timing import Command, interleave, said, take
from benchmarks.tools import TOOLS

PROJECT = Path(__file__).parents[2]
SIZES = (1e3, 1e4, 1e5, 1e6)
AT_MOST, AT_LEAST = Budget(9), Budget(5, least=True)


@pytest.fixture
def prose() -> Prose:
    return Prose(project_pages(str(PROJECT)), 7)


def row(figure: float, budget: Budget | None) -> Row:
    return Row("hook", "a | b", "90 ms", "10 ms", figure, "x", 9, budget)


def python(code: str, **more: Any) -> Command:
    return Command("python", (sys.executable, "-c", code), str(PROJECT), **more)


@pytest.mark.parametrize(
    ("grows", "expected"),
    [
        (lambda n: 3e-6 * n, 1.0),
        (lambda n: 2e-9 * n**1.5, 1.5),
        (lambda n: n**0, 0.0),
        (lambda n: 7 / n, -1.0),
        (lambda n: n * math.log(n), 1.1),
    ],
)
def test_exponents_are_fitted(grows: Any, expected: float) -> None:
    assert exponent((n, grows(n)) for n in SIZES) == pytest.approx(expected, abs=0.005)


def test_one_size_has_no_exponent() -> None:
    assert math.isnan(exponent([(1e3, 1.0), (1e3, 2.0)]))


@pytest.mark.parametrize(
    ("figure", "budget", "met", "shown"),
    [
        (8.99, AT_MOST, True, "yes"),
        (9.0, AT_MOST, True, "yes"),
        (9.01, AT_MOST, False, "**no**"),
        (5.0, AT_LEAST, True, "yes"),
        (0.7, AT_LEAST, False, "**no**"),
        (math.nan, AT_MOST, False, "**no**"),
        (math.nan, AT_LEAST, False, "**no**"),
        (12.0, None, None, ""),
    ],
)
def test_a_missed_budget_is_shown_as_missed(
    figure: float, budget: Budget | None, met: bool | None, shown: str
) -> None:
    made = row(figure, budget)
    assert made.met is met
    (record,) = json.loads(as_json([made], {}))["rows"]
    assert record["met"] is met
    cells = [cell.strip() for cell in markdown([made]).splitlines()[-1].split(" | ")]
    assert cells[6] == shown
    assert cells[1] == "a / b"
    assert not shown or shown in text([made])


def test_only_what_is_between_the_markers_is_replaced() -> None:
    page = f"before\n\n{BEGIN}\nold\n{END}\n\nafter\n"
    assert with_table(page, "| new |\n") == f"before\n\n{BEGIN}\n\n| new |\n\n{END}\n\nafter\n"
    with pytest.raises(ValueError, match="holds no"):
        with_table(f"{END} {BEGIN}", "new")


def test_the_page_can_take_the_table() -> None:
    page = (PROJECT / "docs/performance.md").read_text("utf-8")
    assert "| new |" in with_table(page, "| new |")


def test_wall_cpu_and_memory_are_those_of_the_process() -> None:
    slept = take(python("import time; time.sleep(0.3)"))
    assert slept.wall >= 0.3 > slept.cpu
    worked = take(python("import time\nwhile time.process_time() < 0.3: pass"))
    assert 0.3 <= worked.cpu <= worked.wall + 0.1
    assert take(python("held = b'x' * 200_000_000")).memory > 200e6


def test_children_count() -> None:
    child = "import time\nheld = b'x' * 100_000_000\nwhile time.process_time() < 0.5: pass"
    code = f"import subprocess, sys\nheld = b'x' * 100_000_000\nsubprocess.run([sys.executable, '-c', {child!r}])"
    taken = take(python(code, tree=True))
    assert taken.cpu >= 0.5
    assert sys.platform != "linux" or taken.memory > 200e6


def test_a_run_that_fails_is_no_figure() -> None:
    with pytest.raises(RuntimeError, match=r"exit code 3\n.*told"):
        take(python("import sys; print('told'); sys.exit(3)"))
    assert take(python("import sys; sys.exit(3)", codes=(0, 3))).wall > 0


def test_commands_take_turns_after_a_warm_up() -> None:
    turns: list[tuple[str, int]] = []
    one = python("pass", prepare=lambda n: turns.append(("one", n)))._replace(name="one")
    two = python("pass", prepare=lambda n: turns.append(("two", n)))._replace(name="two")
    timed = interleave([one, two], 2)
    assert turns == [(name, n) for n in (0, 1, 2) for name in ("one", "two")]
    assert [len(series.runs) for series in timed.values()] == [2, 2]


def test_the_caller_configures_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("PYTHONPATH", "/nowhere")
    seen = said(python("import os; print(*sorted(os.environ))")).split()
    assert not {"GIT_DIR", "PYTHONPATH"} & set(seen)


def test_the_change_is_what_the_budget_speaks_of(prose: Prose, tmp_path: Path) -> None:
    repository = Repository(str(tmp_path / "work"), 200, prose)
    for number in range(2):
        repository.stage(number, 150)
        hook = check(repository.root, "hook", "--staged", "--write", "--output-format", "json")
        report = json.loads(said(hook))
        cited = [c["kind"] for d in report["decisions"] for c in d["citations"]]
        assert report["summary"]["documents"] == 3
        assert report["summary"]["claims"] == pytest.approx(150, abs=2)  # of mixed words
        assert sorted(cited) == ["adr"] * 5 + ["commit"] * 5
        assert report["summary"]["tier_3"] == 0
    whole = json.loads(said(check(repository.root, "all", "--all", "--output-format", "json")))
    assert whole["summary"]["claims"] == pytest.approx(200, rel=0.1)


@pytest.mark.slow  # measures this checkout whole, for a table of a page
def test_a_missing_tool_has_no_row(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(full, "runs", lambda _: False)
    (row,) = full.run(small(str(tmp_path), "", lambda _: None))
    assert row.what == "peak memory"


def test_a_tool_that_does_not_start_has_no_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    program = tmp_path / "typos"
    program.write_text("#!/bin/sh\necho 'no such file' >&2\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setattr(tools, "find", lambda _: str(program))
    assert not tools.version.__wrapped__("typos")
    monkeypatch.setattr(tools, "find", lambda _: "")
    assert not tools.version.__wrapped__("typos")


def test_the_tools_are_in_the_extra() -> None:
    with open(PROJECT / "pyproject.toml", "rb") as file:
        extra = tomllib.load(file)["project"]["optional-dependencies"]["bench"]
    assert {re.match(r"[a-z-]+", r)[0] for r in extra} == {t.package for t in TOOLS.values()}  # type: ignore[index]


@pytest.mark.slow  # runs every benchmark, which are no part of the product
@pytest.mark.parametrize("family", [name for name in FAMILIES if name != "full"])
def test_every_family_runs(family: str) -> None:
    page = (PROJECT / "docs/performance.md").read_bytes()
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--only", family, "--output-format=json"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {"cores", "Python", "system", "date"} <= answer["notes"].keys()
    figures = [r["figure"] for r in answer["rows"]]
    assert figures or family == "urls"  # without lychee
    assert all(isinstance(f, float) for f in figures), answer["rows"]
    assert not [r for r in answer["rows"] if r["what"].startswith("failed")]
    assert (PROJECT / "docs/performance.md").read_bytes() == page
