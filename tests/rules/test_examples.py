"""Every rule is shown by examples that the real pipeline decides as they say."""

from __future__ import annotations

import importlib
import pkgutil
from pathlib import Path

import pytest
from examplerepo import Yard

import grounded_ingest.rules
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
    if rule in PROBLEMS:
        assert (rule in shown.problems) == flagged, shown
    else:
        assert (shown.rule == rule) == flagged, shown


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_rule_has_enough_examples_each_once(rule: str) -> None:
    flags = [repr(e) for group in EXAMPLES[rule] for e in group.flags]
    passes = [repr(e) for group in EXAMPLES[rule] for e in group.passes]
    assert min(len(flags), len(passes)) >= LEAST
    assert len({*flags, *passes}) == len(flags) + len(passes)
    assert all(group.flags and group.passes for group in EXAMPLES[rule])
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


PAGE = Path(__file__).parents[2] / "docs/rules/README.md"
TIERS = {1: "1 approve", 2: "2 review", 3: "3 block"}
COUNTS = {0: "said", 2: "review", 3: "block in memory, else review"}
COUNTS_ALSO = {"queue-full": "; block with `review.over: block`"}


def test_the_table_of_rows_is_what_the_rules_say() -> None:
    table = ["| # | rule | tier | policy | when |", "|--:|---|---|---|---|"]
    for number, row in enumerate(ROWS, 1):
        rule = EVERY_RULE[row]
        policy = ", ".join(f"`{action}`" for action in rule.actions) or "fixed"
        cells = (number, f"[`{row}`]({row}.md)", TIERS[rule.tier], policy, rule.summary)
        table.append(f"| {' | '.join(map(str, cells))} |")
    assert "\n\n" + "\n".join(table) + "\n\n" in PAGE.read_text("utf-8")


def test_the_table_of_problems_is_what_the_rules_say() -> None:
    table = ["| problem | counts as | when |", "|---|---|---|"]
    for name in PROBLEMS:
        counts = COUNTS[EVERY_RULE[name].tier] + COUNTS_ALSO.get(name, "")
        table.append(f"| [`{name}`]({name}.md) | {counts} | {EVERY_RULE[name].summary} |")
    assert "\n\n" + "\n".join(table) + "\n\n" in PAGE.read_text("utf-8")


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_a_page_begins_with_the_tier_of_its_rule(rule: str) -> None:
    lines = (PAGE.parent / f"{rule}.md").read_text("utf-8").splitlines()
    tier = EVERY_RULE[rule].tier
    lead = f"**Tier {TIERS[tier].replace(' ', ', ')}.**" if rule in ROWS else "**Problem.**"
    if tier == 0:
        lead = "**Problem, said and not counted.**"
    assert lines[0] == f"# {rule}"
    assert lines[2].startswith(lead)
