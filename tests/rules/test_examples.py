"""Every rule is shown by examples, and the real pipeline decides them as they say."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from examplerepo import Yard
from rulepages import markdown_overview, markdown_page

from grounded_ingest.rules.example import Example, examples_of
from grounded_ingest.rules.registry import DETECTORS, EVERY_RULE, PROBLEMS

LEAST = 3

ALL = [
    pytest.param(rule, example, flagged, id=f"{rule}-{number}-{'flags' if flagged else 'passes'}")
    for rule in EVERY_RULE
    for number, (example, flagged) in enumerate(
        (example, flagged)
        for group in examples_of(rule)
        for flagged, examples in ((True, group.flags), (False, group.passes))
        for example in examples
    )
]


@pytest.fixture(scope="module")
def yard(tmp_path_factory: pytest.TempPathFactory) -> Yard:
    return Yard(tmp_path_factory.mktemp("examples"))


@pytest.fixture(scope="module")
def together(yard: Yard) -> dict[str, str]:
    """The rules of the examples that are no more than a text."""
    return yard.show_together([p.values[1] for p in ALL if isinstance(p.values[1], str)])


@pytest.mark.parametrize(("rule", "example", "flagged"), ALL)
def test_example(
    yard: Yard, together: dict[str, str], rule: str, example: Example | str, flagged: bool
) -> None:
    if rule == "unknown-reference":
        assert (rule in dict(yard.show(example).said)) == flagged
    elif rule in PROBLEMS:
        assert (rule in yard.show(example).problems) == flagged
    elif isinstance(example, str) and example in together:
        assert (together[example] == rule) == flagged, together[example]
    else:
        shown = yard.show(example)
        assert (shown.rule == rule) == flagged, shown


UNSHOWN = {"expired", "judged", "judge-denies", "not-staged", "scope"}
"""Rules that need a model, a file on disk or a clone: tests/decide and tests/hook show them."""


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rule_has_enough_examples_each_once(rule: str) -> None:
    groups = examples_of(rule)
    flags = [repr(e) for group in groups for e in group.flags]
    passes = [repr(e) for group in groups for e in group.passes]
    assert len(passes) >= LEAST
    assert len(flags) >= (0 if rule in UNSHOWN else LEAST)
    assert len({*flags, *passes}) == len(flags) + len(passes)
    assert all(group.passes for group in groups)
    names = [group.group for group in groups]
    assert len(set(names)) == len(names)
    assert names == [""] or all(names)


def test_there_are_no_examples_of_other_rules() -> None:
    files = Path(sys.modules[Example.__module__].__file__ or "").parent.glob("examples/*")
    assert {file.name for file in files} == {f"{rule}.yaml" for rule in EVERY_RULE}


def test_an_example_that_is_wrong_is_noticed(yard: Yard, monkeypatch: pytest.MonkeyPatch) -> None:
    assert yard.show("I think the cache is shared.").rule == "speculation"
    monkeypatch.setitem(DETECTORS, "speculation technical-hedge", lambda *_: ())
    assert yard.show("I think the cache is shared.").rule == "ungrounded"


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
        assert rule.way_out.count(". ") <= 1, f"{rule.id}: at most two sentences"
