"""Every rule is shown by examples that the real pipeline decides as they say."""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path

import pytest
from examplerepo import Yard

import grounded_ingest.rules
from grounded_ingest.report.rule_page import markdown_overview, markdown_page
from grounded_ingest.rules.problems import EVERY_RULE, EXAMPLES, PROBLEMS
from grounded_ingest.rules.registry import APPLIES, DETECTORS, ROWS
from grounded_ingest.rules.rule import Example

LEAST = 3

ALL = [
    pytest.param(rule, example, flagged, id=f"{rule}-{number}-{'flags' if flagged else 'passes'}")
    for rule, groups in EXAMPLES.items()
    for number, (example, flagged) in enumerate(
        (example, flagged)
        for group in groups
        for flagged, examples in ((True, group.flags), (False, group.passes))
        for example in examples
    )
]

MODULES = {
    name: importlib.import_module(f"{grounded_ingest.rules.__name__}.{name}")
    for _, name, _ in pkgutil.iter_modules(grounded_ingest.rules.__path__)
}
RULE_FILES = {
    name: module for name, module in MODULES.items() if {"META", "EXAMPLES"} <= {*vars(module)}
}


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return Yard(tmp_path_factory.mktemp("examples"))


@pytest.mark.parametrize(("rule", "example", "flagged"), ALL)
def test_example(yard: Yard, rule: str, example: Example | str, flagged: bool) -> None:
    shown = yard.show(example)
    if rule == "unknown-reference":
        assert (rule in dict(shown.said)) == flagged, shown
    elif rule in PROBLEMS:
        assert (rule in shown.problems) == flagged, shown
    else:
        assert (shown.rule == rule) == flagged, shown


UNSHOWN = {"expired", "judged", "judge-denies", "not-staged"}
"""Rules that need a model or a file on disk: tests/decide and tests/hook show them."""


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rule_has_enough_examples_each_once(rule: str) -> None:
    flags = [repr(e) for group in EXAMPLES[rule] for e in group.flags]
    passes = [repr(e) for group in EXAMPLES[rule] for e in group.passes]
    assert len(passes) >= LEAST
    assert len(flags) >= (0 if rule in UNSHOWN else LEAST)
    assert len({*flags, *passes}) == len(flags) + len(passes)
    assert all(group.passes for group in EXAMPLES[rule])
    groups = [group.group for group in EXAMPLES[rule]]
    assert len(set(groups)) == len(groups)
    assert groups == [""] or all(groups)


def test_an_example_that_is_wrong_is_noticed(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert yard.show("I think the cache is shared.").rule == "speculation"
    monkeypatch.setitem(DETECTORS, "speculation technical-hedge", ())
    assert yard.show("I think the cache is shared.").rule == "ungrounded"


def test_a_rule_is_one_file_of_its_name() -> None:
    assert {m.META.id for m in RULE_FILES.values()} == set(EVERY_RULE)
    assert all(m.META.id.replace("-", "_") == name for name, m in RULE_FILES.items())
    assert all(EVERY_RULE[m.META.id] is m.META for m in RULE_FILES.values())


def test_what_a_rule_defines_is_used() -> None:
    found = {m.META.id: m for m in RULE_FILES.values()}
    assert {r for r, m in found.items() if hasattr(m, "applies")} == set(ROWS) == set(APPLIES)
    used = {detect for detectors in DETECTORS.values() for detect in detectors}
    assert {m.detect for m in RULE_FILES.values() if hasattr(m, "detect")} == used


PAGES = Path(__file__).parents[2] / "docs/rules"


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rule_has_the_page_that_the_program_makes_of_it(rule: str) -> None:
    held(PAGES / f"{rule}.md", markdown_page(EVERY_RULE[rule]))


def test_the_overview_of_rules_is_what_the_rules_say() -> None:
    held(PAGES / "README.md", markdown_overview())
    assert {p.stem for p in PAGES.glob("*.md")} == {*EVERY_RULE, "README"}


def held(page: Path, text: str) -> None:
    """Compares a page with the text that it should hold; `REGOLD=1` writes it."""
    if os.environ.get("REGOLD"):
        page.write_text(text, "utf-8")
    assert page.read_text("utf-8") == text


def test_a_message_is_one_line_that_says_what_to_do() -> None:
    for rule in EVERY_RULE.values():
        assert "\n" not in rule.way_out
        assert rule.way_out.endswith(".")
        assert rule.way_out.count(". ") == 0, f"{rule.id}: one sentence"
