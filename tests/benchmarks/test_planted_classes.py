"""Which of 33 classes of planted defects are reported, and that no true twin is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

import pytest
from plantedrepo import CLASSES, DefectClass, Line, PlantedRepo, Planting

from grounded_ingest.model.report import Report
from grounded_ingest.report.horizons import add_expired
from grounded_ingest.rules.reference_rules import reference_rule, severity_of

NAMED = 22
NOT_NAMED = {
    "install line of another package manager": 0,
    "package that no manifest has": 0,
    "test command, two files of agents": 0,
    "owner, twice in a section": 0,
    "number, twice in a section": 0,
    "environment variable that is gone": 0,
    "hedge": 1,
    "claim that stands there twice": 0,
    "cited lines whose text changed": 1,
    "cited source, turned round": 0,
    "default that the cited line does not have": 0,
}
"""Classes that are not named whole, and how many of their plantings are."""

COMMANDS = ("check --staged", "check --all", "audit")
TODAY = date(2026, 11, 23)
Named = dict[str, dict[Line, set[str]]]
"""By command: the rules that name a line."""


def of_report(report: Report) -> Iterator[tuple[Line, str]]:
    for decision in report.decisions:
        place = decision.place.path, decision.place.claim.line
        if severity_of(decision.rule, int(decision.tier)) != "quiet":
            yield place, decision.rule
        for wrong in decision.wrong:
            yield place, reference_rule(wrong)
    for decision in report.elsewhere:
        for wrong in decision.wrong:
            yield (decision.place.path, decision.place.claim.line), reference_rule(wrong)
    for problem in report.problems:
        yield (problem.path, problem.line), problem.rule


def by_line(found: Iterator[tuple[Line, str]]) -> dict[Line, set[str]]:
    lines: dict[Line, set[str]] = {}
    for line, rule in found:
        lines.setdefault(line, set()).add(rule)
    return lines


@pytest.fixture(scope="module")
def planted(tmp_path_factory: pytest.TempPathFactory) -> PlantedRepo:
    return PlantedRepo(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def named(planted: PlantedRepo) -> Named:
    """What each command says: the hook of the commit of code, then the others after it; of `audit`
    what it adds to `check --all`."""
    repo = planted.repo
    staged = by_line(of_report(repo.check(cache=True).report))
    repo.commit(message="Change the code")
    result = repo.check("all", cache=True)
    expired = (p for p in add_expired(result, TODAY).report.problems if p.rule == "expired")
    audit = by_line(((p.path, p.line), p.rule) for p in expired)
    return dict(zip(COMMANDS, (staged, by_line(of_report(result.report)), audit), strict=True))


def naming(planting: Planting, planted: PlantedRepo, named: Named) -> list[str]:
    """The rules that name a planting, each with its command."""
    lines = planted.where(planting)
    return [
        f"`{rule}` ({command})"
        for command, found in named.items()
        for rule in sorted({r for at in lines for r in found.get(at, ())})
    ]


def count(defect: DefectClass, planted: PlantedRepo, named: Named) -> int:
    return sum(bool(naming(p, planted, named)) for p in defect.planted)


def test_every_class_is_planted_twice_beside_as_many_true_sentences() -> None:
    assert len(CLASSES) == 33
    assert all(len(c.planted) >= 2 and len(c.planted) == len(c.true) for c in CLASSES)
    texts = [s.text for c in CLASSES for p in (*c.planted, *c.true) for s in p]
    repeated = {t for t in texts if texts.count(t) > 1}
    assert repeated == {"Invoices are rounded once at the end of the month."}


def test_what_is_named_and_what_is_not(planted: PlantedRepo, named: Named) -> None:
    counts = {c.name: count(c, planted, named) for c in CLASSES}
    missed = {c.name: counts[c.name] for c in CLASSES if counts[c.name] < len(c.planted)}
    assert missed == NOT_NAMED
    assert len(CLASSES) - len(missed) == NAMED


def test_no_true_sentence_is_named(planted: PlantedRepo, named: Named) -> None:
    found = {p: n for c in CLASSES for p in c.true if (n := naming(p, planted, named))}
    assert found == {}
