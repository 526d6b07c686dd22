"""What holds of any bytes (docs/fuzzing.md): of the kept seeds everywhere, and of what atheris makes
of them by coverage, the same bounded run each time."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from fuzz.targets import SEEDS, TARGETS, Target

PROJECT = Path(__file__).parents[1]
OUTCOMES = """
from fuzz import repositories, targets
from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass
for name, end in (("markdown", "md"), ("json", "jsonl"), ("yaml", "yaml"), ("formats", "org")):
    for seed in sorted((targets.SEEDS / name).iterdir()):
        print(extract(seed.read_bytes(), f"memory/a.{end}", DocClass.MEMORY))
files = repositories.landed()
said = b"\\n\\n".join(repositories.SAID)
print(repositories.tiers_of(files, {repositories.NOTES: said}, cache=False))
"""


def python(*args: str, cwd: Path, **env: str) -> subprocess.CompletedProcess[str]:
    known = {**os.environ, "PYTHONPATH": str(PROJECT), **env}
    return subprocess.run(
        [sys.executable, *args], cwd=cwd, env=known, capture_output=True, text=True
    )


@pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)
def test_what_has_to_hold_holds_of_the_seeds(target: Target) -> None:
    for seed in target.seeds:
        target.run(seed.read_bytes())


def test_every_folder_of_seeds_is_a_targets() -> None:
    assert {t.name for t in TARGETS} == {p.name for p in SEEDS.iterdir()}


def test_a_seed_shows_that_its_mend_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grounded_ingest.report.selection.NOT_JSON", ())
    with pytest.raises((UnicodeDecodeError, msgspec.DecodeError)):  # msgspec 0.22 raises the first
        test_what_has_to_hold_holds_of_the_seeds(next(t for t in TARGETS if t.name == "baseline"))


@pytest.mark.slow  # a minute of the same inputs each time; what they once found is among the seeds
def test_it_holds_of_what_coverage_leads_to(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="has no wheel for this Python")
    done = python("-m", "fuzz", "all", cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count(" runs, ") == len(TARGETS), done.stdout + done.stderr


def test_answers_do_not_depend_on_the_hash_seed(tmp_path: Path) -> None:
    one, other = (python("-c", OUTCOMES, cwd=tmp_path, PYTHONHASHSEED=n) for n in ("1", "2"))
    assert one.returncode == 0, one.stderr
    assert len(one.stdout) > 10_000
    assert one.stdout == other.stdout
