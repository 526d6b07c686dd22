"""Falsehoods planted in the shipped repository: what comes out, and each trial again."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.quality.__main__ import command as quality
from benchmarks.quality.shipped import build
from grounded_ingest.bench import figures
from grounded_ingest.bench.mutations import MUTATIONS
from grounded_ingest.bench.pages import Pages
from grounded_ingest.bench.workshop import Workshop
from grounded_ingest.bench.writeback import Bench, Trial
from grounded_ingest.cli.group import cli
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import Tier

ONCE = {"adr-superseded": "ADR-000", "commit-ref-name": "commit", "dead-url": "/gone/"}


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bench]:
    directory = str(tmp_path_factory.mktemp("bench"))
    with Pages() as pages:
        yield Bench(Workshop(build(directory).root, directory), pages)


@pytest.fixture(scope="module")
def trials(bench: Bench) -> list[Trial]:
    return list(bench.trials(7, 2))


def test_every_mutation_has_trials_on_the_shipped_repository(trials: list[Trial]) -> None:
    counts = {name: sum(t.mutation == name for t in trials) for name in MUTATIONS}
    assert set(counts.values()) == {2}
    assert len({t.id for t in trials}) == len(trials)


@pytest.mark.parametrize("name", [n for n, w in MUTATIONS.items() if w.group in figures.FIRST])
def test_existence_form_and_authority_are_never_written_back(
    trials: list[Trial], name: str
) -> None:
    mine = [t for t in trials if t.mutation == name]
    assert len(mine) == 2
    assert not any(t.written_back for t in mine), mine


def test_plants_are_falsehoods_of_whole_sentences(bench: Bench, trials: list[Trial]) -> None:
    true = {s.text for s in bench.world.cited} | {s.bare for s in bench.world.cited}
    for trial in trials:
        text = trial.plant.text
        assert text not in true
        assert text[0].isupper()
        assert text.endswith(".") or trial.mutation == "in-heading"
        assert not [
            wrong for wrong in ("-it", "  ", "..", "None", "\0") if wrong in text.replace("../", "")
        ]
        assert ONCE.get(trial.mutation, "") in text


def test_reading_the_source_finds_what_it_does_not_say(trials: list[Trial]) -> None:
    content = [t for t in trials if MUTATIONS[t.mutation].group == "content"]
    assert sum(t.written_back for t in content) <= 0.05 * len(content)
    rules = {rule for t in content for rule in t.rules}
    assert "unsupported" in rules


@pytest.mark.parametrize("name", ["two-commit-adr", "dead-url", "number", "in-import"])
def test_a_trial_can_be_had_again(bench: Bench, trials: list[Trial], name: str) -> None:
    former = next(t for t in trials if t.mutation == name)
    shown = bench.reproduce(7, former.id)
    assert shown.trial == former
    text, found = figures.shown_as_text(shown), json.loads(figures.shown_as_json(shown))
    assert former.plant.text in text
    assert found["id"] == former.id
    assert {d["rule"] for d in found["decisions"]} >= set(former.rules)
    for path, content in {**former.plant.landed, **shown.planted.files}.items():
        assert {**found["files"], **found["landed"]}[path] == content


@pytest.mark.parametrize(
    "wrong", ["", "number", "number-0", "nothing-0-0", "number-9999-0", "x-y-z"]
)
def test_what_names_no_trial_is_said(bench: Bench, wrong: str) -> None:
    with pytest.raises(GroundedIngestError, match="no trial"):
        bench.reproduce(7, wrong)


def test_the_clone_is_as_it_was(bench: Bench, trials: list[Trial]) -> None:
    assert trials
    assert bench.workshop.git("rev-parse", "HEAD") == bench.workshop.head
    assert bench.workshop.git("diff-index", "--cached", "HEAD") == ""


def test_figures_add_up_in_every_format(trials: list[Trial]) -> None:
    run = figures.gathered(trials, repository="courier", revision="f" * 40, seed=7, n=2)
    whole = run.totals[-1]
    assert whole.trials == len(trials)
    assert whole.tier_1 + whole.tier_2 + whole.tier_3 + whole.unseen == whole.trials
    assert len(run.misses) == whole.tier_1 + whole.unseen
    assert sum(row.trials for row in run.rows) == sum(t.trials for t in run.totals[:-1])
    text, markdown, said = figures.as_text(run), figures.as_markdown(run), figures.as_json(run)
    for name in MUTATIONS:
        assert f"| {name} | 2 |" in markdown
        assert f"\n  {name} " in text
    assert json.loads(said)["totals"][-1]["trials"] == len(trials)


@pytest.mark.parametrize(
    ("tier", "written_back"), [(0, True), (Tier.APPROVE, True), (Tier.REVIEW, False)]
)
def test_what_counts_as_written_back(trials: list[Trial], tier: int, written_back: bool) -> None:
    assert trials[0]._replace(tier=tier).written_back is written_back


# Known values: Wilson (1927) as R's binom.confint(method = "wilson") gives them.
@pytest.mark.parametrize(
    ("hits", "trials", "low", "high"),
    [(0, 10, 0.0, 0.27753), (5, 10, 0.23659, 0.76341), (1, 20, 0.00888, 0.23613),
     (10, 10, 0.72247, 1.0), (0, 0, 0.0, 1.0)],
)  # fmt: skip
def test_wilson(hits: int, trials: int, low: float, high: float) -> None:
    assert figures.wilson(hits, trials) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize(
    ("build_it", "said"),
    [
        (False, "not in a git repository"),
        (True, "no true cited claims"),
    ],
)
def test_unfit_repositories_are_usage_errors(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, build_it: bool, said: str
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.setattr("tempfile.tempdir", None)
    (tmp_path / "tmp").mkdir()
    (tmp_path / "there").mkdir()
    if build_it:
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org"]
        for command in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "-m", "Start"]):
            subprocess.run(["git", *command], cwd=tmp_path / "there", check=True)
    ran = CliRunner().invoke(cli, ["bench", "writeback", "--repo", str(tmp_path / "there")])
    assert isinstance(ran.exception, GroundedIngestError)
    assert said in str(ran.exception)
    assert list((tmp_path / "tmp").iterdir()) == []


def test_the_command_shows_one_trial_and_cleans_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trials: list[Trial]
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    former = next(t for t in trials if t.mutation == "same-change-adr")
    arguments = ["writeback", "--seed", "7", "--trial", former.id]
    ran = CliRunner().invoke(quality, arguments, catch_exceptions=False)
    assert ran.output.startswith(f"{former.id}: caught (tier {former.tier})")
    assert former.plant.text in ran.output
    assert list(tmp_path.iterdir()) == []
