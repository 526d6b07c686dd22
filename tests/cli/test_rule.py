"""Every rule a report can name is described."""

from __future__ import annotations

import re

import pytest
from clirepo import PROJECT, Repo

from grounded_ingest.report.formats import Look
from grounded_ingest.report.rule_page import examples, rule_docs, rule_json, rule_lines
from grounded_ingest.rules.registry import EVERY_RULE, PROBLEMS, ROWS

UNSHOWN = ("expired", "judged", "judge-denies", "not-staged", "scope")
"""A program or a work tree decides these: no example of a document shows one."""


def test_overview_has_every_rule_in_the_order_of_the_table(repo: Repo) -> None:
    names = [line.split()[0] for line in repo.ask("rule").out.splitlines()]
    assert names == [*ROWS, *PROBLEMS]


@pytest.mark.parametrize("name", EVERY_RULE)
def test_page(name: str) -> None:
    rule = EVERY_RULE[name]
    text = "\n".join(rule_lines(rule, Look()))
    assert rule.summary in text
    assert rule.way_out in text
    assert ("a policy cannot change this rule" in text) == rule.fixed
    assert all(action in text for action in rule.actions)
    assert [group["group"] or "Examples" for group in examples(name)] == re.findall(
        r"^  ([\w-]+):$", text, re.MULTILINE
    )
    lists = [kind for group in examples(name) for kind in ("flags", "passes") if group[kind]]
    assert set(re.findall(r"^    (flags|passes) ", text, re.MULTILINE)) == set(lists)
    assert set(lists) >= ({"passes"} if name in UNSHOWN else {"flags", "passes"})
    assert rule_json(rule)["row"] == (ROWS.index(name) + 1 if name in ROWS else 0)


@pytest.mark.parametrize("name", EVERY_RULE)
def test_its_documentation_exists(name: str) -> None:
    assert (PROJECT / rule_docs(name)).read_text(encoding="utf-8").startswith(f"# {name}\n")


def test_json_of_all_and_of_one(repo: Repo) -> None:
    assert [r["id"] for r in repo.ask("rule", "--json").json] == [*EVERY_RULE]
    one = repo.ask("rule", "--json", "speculation").json
    assert one["policy"] == ["block", "review"]
    assert "I think the cache is shared." in one["examples"][0]["flags"]


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("specluation", "did you mean speculation?"),
        ("xyzzy", "`grounded-ingest rule` lists the rules"),
    ],
)
def test_unknown(repo: Repo, name: str, hint: str) -> None:
    ran = repo.ask("rule", name)
    assert ran.code == 2
    assert ran.err == f"grounded-ingest: unknown rule: {name}\n  {hint}\n"
