"""Every rule, detector, verifier, extractor and format has its place, its page and its tests."""

from __future__ import annotations

import json
import re
from functools import cache
from pathlib import Path

import pytest

from grounded_ingest.extract.documents import EXTRACTORS
from grounded_ingest.model.claims import CitationKind
from grounded_ingest.references.reference import ReferenceKind
from grounded_ingest.references.registry import KINDS, VERIFIERS
from grounded_ingest.report.formats import FORMATS
from grounded_ingest.rules import reference_rules
from grounded_ingest.rules.registry import DETECTORS, EVERY_RULE, PROBLEMS, ROWS

PROJECT = Path(__file__).parents[1]
DOCS = PROJECT / "docs"

# The decision table: the order is the contract (docs/decisions/deciding.md).
TABLE = [
    ("rejected", 3),
    ("proof-failed", 3),
    ("speculation", 3),
    ("conflicting-update", 3),
    ("duplicate", 3),
    ("approved", 1),
    ("check-failed", 2),
    ("refuted-citation", 2),
    ("contradiction", 2),
    ("judge-denies", 2),
    ("hidden-text", 2),
    ("technical-hedge", 2),
    ("repeat", 2),
    ("ignored", 2),
    ("proved", 1),
    ("quoted", 1),
    ("judged", 1),
    ("pointer", 1),
    ("verified-citation", 1),
    ("trusted-source", 1),
    ("stated-decision", 1),
    ("stated-preference", 1),
    ("proof-new", 2),
    ("proof-open", 2),
    ("proof-beside", 2),
    ("cited", 2),
    ("nothing-to-check", 2),
    ("ungrounded", 2),
]
FIXED = {
    "rejected", "approved", "check-failed", "ignored", "proved", "quoted", "pointer",
    "trusted-source", "stated-decision", "stated-preference", "cited", "ungrounded",
    "proof-failed", "proof-new", "proof-open", "proof-beside",
}  # fmt: skip
# Rows that policy reads from evidence or from the claim, and not from findings of detectors.
BY_EVIDENCE = {
    "verified-citation",
    "refuted-citation",
    "judge-denies",
    "judged",
    "nothing-to-check",
}


@cache
def all_tests() -> str:
    """All tests but this one, and the examples they read."""
    found = [p for p in PROJECT.glob("tests/**/*") if p.suffix in (".py", ".jsonl")]
    return "\n".join(p.read_text("utf-8") for p in found if p != Path(__file__))


def page(path: Path) -> str:
    return " ".join(path.read_text("utf-8").split())


def headings(path: Path) -> list[str]:
    return re.findall(r"^#+ (.+)$", path.read_text("utf-8"), re.MULTILINE)


def test_the_table_is_the_designs() -> None:
    assert [(row, EVERY_RULE[row].tier) for row in ROWS] == TABLE
    assert {row for row in ROWS if EVERY_RULE[row].fixed} == FIXED
    assert list(EVERY_RULE) == [*ROWS, *PROBLEMS]


def test_detectors_report_rules_that_exist() -> None:
    named = [rule for names in DETECTORS for rule in names.split()]
    assert len(named) == len(set(named))
    assert set(named) == set(ROWS) - FIXED - BY_EVIDENCE


def test_every_kind_has_one_who_answers() -> None:
    answered = {*VERIFIERS, *(kind.KIND for kind in KINDS)}  # a path also stands in commands
    assert sorted(answered) == sorted(CitationKind)


def test_every_kind_is_a_rule_with_a_way_out() -> None:
    """Without its row a kind crashes SARIF, cannot be selected and has no advice."""
    assert (
        set(reference_rules.WAYS_OUT) == set(reference_rules.KINDS) >= set(CitationKind) - {"proof"}
    )
    shape = json.loads((DOCS / "sidecar.schema.json").read_text("utf-8"))
    assert set(CitationKind) <= set(re.findall(r'"([a-z]+)"', json.dumps(shape)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.KIND)
def test_a_kind_of_reference_has_its_section(kind: ReferenceKind) -> None:
    if kind.KIND is CitationKind.PROOF:
        assert f"\n| {kind.FORM} |" in (DOCS / "proofs.md").read_text("utf-8")
        return
    assert f"## {kind.KIND}\n" in (DOCS / "references.md").read_text("utf-8")


def test_there_are_no_pages_of_other_rules() -> None:
    pages = {p.stem for p in (DOCS / "rules").glob("*.md")}
    assert pages == {*EVERY_RULE, "README"}


def test_a_policy_that_may_be_set_is_in_the_configuration_page() -> None:
    text = page(DOCS / "configuration.md")
    assert [r for r in EVERY_RULE if EVERY_RULE[r].actions and f"`{r}`" not in text] == []


@pytest.mark.parametrize("kind", VERIFIERS)
def test_a_verifier_has_its_section_and_tests(kind: CitationKind) -> None:
    assert kind.value in headings(DOCS / "references.md")
    assert list((PROJECT / "tests/references").glob(f"test_{kind.value}*.py"))


@pytest.mark.parametrize("extension", EXTRACTORS)
def test_an_extractor_is_documented_and_has_tests(extension: str) -> None:
    assert f"`.{extension}`" in page(DOCS / "configuration.md")
    assert re.search(rf"[\".]{extension}\b", all_tests())


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_is_documented_and_has_tests(name: str) -> None:
    assert f"`{name}`" in (DOCS / "formats.md").read_text("utf-8")
    assert name == "text" or re.search(rf"\"{name}\"", all_tests())
