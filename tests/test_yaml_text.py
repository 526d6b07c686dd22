"""What a YAML text could make of its reader is counted before anything is built of it."""

from __future__ import annotations

import pytest
import yaml
from hostile import aliases

from grounded_ingest.extract.documents import extract
from grounded_ingest.git.hooks import with_entry
from grounded_ingest.model.claims import DocClass
from grounded_ingest.text.yaml_text import DEPTH, YamlError, nodes_of, value_of

SAID = "The ledger keeps its rows in PostgreSQL"


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (aliases(9), 7, "aliases expanded"),
        ("a: &a\n  b: *a", 2, "an alias is inside the collection to which it refers"),
        ("&a [*a]", 1, "an alias is inside the collection to which it refers"),
        ("[" * (DEPTH + 1), 1, "nested deeper than"),
        ("a: 1\nb: c: d", 2, "not valid YAML"),
    ],
)
def test_what_is_refused(text: str, line: int, message: str) -> None:
    with pytest.raises(YamlError, match=message) as refused:
        nodes_of(text)
    assert refused.value.line == line


@pytest.mark.parametrize("path", ["memory/a.yaml", "memory/a.md"])
def test_nine_levels_of_nine_aliases_are_told_and_not_expanded(path: str) -> None:
    text = f"---\n{aliases(9)}---\n\n{SAID}.\n" if path.endswith(".md") else aliases(9)
    found = extract(text.encode(), path, DocClass.MEMORY)
    assert any("aliases expanded" in p.message for p in found.problems)
    assert path.endswith(".yaml") or any(c.text == f"{SAID}." for c in found.claims)


@pytest.mark.parametrize(
    "text",
    [
        f"- &a {{text: {SAID}}}\n- *a\n",
        f"- text: &a {SAID}\n  more: *a\n  most: [*a, *a]\n",
        f"a: &a [{SAID}]\nmemories:\n- {{text: They are there too, more: *a}}\n- {{text: They are there too, more: *a}}\n",
    ],
)
def test_a_text_under_many_aliases_is_one_claim(text: str) -> None:
    found = extract(text.encode(), "memory/a.yaml", DocClass.MEMORY)
    assert [c.text for c in found.claims].count(SAID) == 1


@pytest.mark.parametrize("number", ["1:" * 200 + "1", "9" * 5000, "1." + "1" * 200])
def test_a_long_number_is_refused(number: str) -> None:
    (node,) = nodes_of(f"a: {number}")
    with pytest.raises(ValueError, match="too long"):
        value_of(node)


def test_values_are_those_of_the_safe_schema() -> None:
    text = "a: &a {x: 1, y: 2026-01-02, z: ~}\nb: {<<: *a, x: 2.5}\nc: [yes, '1', 1:30:00]\n"
    assert value_of(nodes_of(text)[0]) == yaml.safe_load(text)


def test_a_hostile_configuration_of_hooks_is_left_alone() -> None:
    assert with_entry(aliases(9) + "repos: []\n", "https://example.com/r", "v1") is None
