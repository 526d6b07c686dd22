"""Which of 33 classes of defects are named, by what and at which command; docs/fixture.md shows it.

`REGOLD=1` writes the page anew.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from plantedrepo import CLASSES, DefectClass, Line, PlantedRepo, Planting

from benchmarks.other_tools import OTHERS, lines_named
from benchmarks.tools import find, version
from grounded_ingest.model.report import Report
from grounded_ingest.report.horizons import with_expired
from grounded_ingest.rules.reference_rules import reference_rule, severity_of

PAGE = Path(__file__).parents[2] / "docs/fixture.md"
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

TOOLS = ("grounded-ingest", *OTHERS)
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
    expired = (p for p in with_expired(result, TODAY).report.problems if p.rule == "expired")
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


def test_the_page_is_what_is_measured(planted: PlantedRepo, named: Named) -> None:
    whole = sum(count(c, planted, named) == len(c.planted) for c in CLASSES)
    text = "\n".join(page(planted, named, whole))
    if os.environ.get("REGOLD"):
        PAGE.write_text(text, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == text


def by_tool(planted: PlantedRepo) -> dict[str, str]:
    """The row of each other tool: as it was measured here, or as the page has it where it is not
    installed."""
    kept = {r.split("`")[1]: r for r in PAGE.read_text("utf-8").split("\n") if r.startswith("| `")}
    root = planted.repo.root
    files = sorted({path for path, _ in planted.lines.values()})
    for tool in filter(find, OTHERS):
        if not os.environ.get("REGOLD") and f"`{tool}` {version(tool)} " not in kept.get(tool, ""):
            continue  # another version than the page is of
        lines = lines_named(tool, str(root), files)
        found = {c.name: [bool(planted.where(p) & lines) for p in c.planted] for c in CLASSES}
        names = ", ".join(name for name, of in found.items() if all(of))
        true = sum(bool(planted.where(p) & lines) for c in CLASSES for p in c.true)
        count = sum(map(all, found.values()))
        told = f"{count} | {names or '-'} | {true}"
        kept[tool] = f"| `{tool}` {version(tool)} | {OTHERS[tool].looks_at} | {told} |"
    return {tool: kept[tool] for tool in OTHERS}


def of_others(planted: PlantedRepo, whole: int) -> Iterator[str]:
    yield from (
        "",
        "## Other tools on the same files",
        "",
        "Without network, after the commit of code; a class is named when a tool names the line of each of its plantings. They look for",
        "something else, but for docs-drift, and are good at it: the table says what is not looked for otherwise. The test measures those",
        "that are installed (`pip install '.[bench]'`). vale is left out: its styles have to be fetched.",
        "",
        "| tool | looks at | classes of 33 | which | true sentences named |",
        "|---|---|--:|---|--:|",
        f"| grounded-ingest | what sentences say of the repository | {whole} | above | 0 |",
        *by_tool(planted).values(),
    )


def page(planted: PlantedRepo, named: Named, whole: int) -> Iterator[str]:
    true = sum(len(p) for c in CLASSES for p in c.true)
    yield from (
        "# Fixture of planted defects",
        "",
        f"{whole} of {len(CLASSES)} classes of defects that agents' documents have are named whole, and none of {true} true",
        "sentences of the same forms. The repository is [made by a test](../tests/plantedrepo.py): Python, TypeScript and Go with their",
        "manifests, decisions and a workflow; CLAUDE.md, AGENTS.md, GEMINI.md, rules of Cursor and Copilot, a memory bank and docs; then a",
        "commit of code alone. Each class is planted at least twice in different words; it is named when every one of them is, in the file",
        "and line where it stands. The hook (`check --staged`) sees the commit of code, `check --all` and `audit` the tree after it, all",
        "offline. Rows that are quiet name nothing. It was written by those who build the tool,",
        "and what it showed was mended, so it says what is covered, not how often: [evaluation](evaluation.md) has figures on repositories",
        "of others.",
        "",
        "## Examples, class by class",
        "",
        "| class | example | named | by |",
        "|---|---|--:|---|",
    )
    for defect in CLASSES:
        told = (naming(p, planted, named) for p in defect.planted)
        rules = list(dict.fromkeys(r for rules in told for r in rules))
        # No link of the page itself, which would lead nowhere.
        texts = (s.text.replace("](", "] (") for s in defect.planted[0])
        shown = "<br>".join(f"`` {text} ``" for text in texts)
        number = f"{count(defect, planted, named)} of {len(defect.planted)}"
        yield f"| {defect.name} | {shown} | {number} | {', '.join(rules) or 'not named'} |"
    yield from of_others(planted, whole)
    yield ""
