"""Names in code blocks that a commit removed from the code."""

from __future__ import annotations

import pytest
from repos import NOTES, Files, Repo

from grounded_ingest.report.findings import list_findings

BEFORE: Files = {
    "src/chips.py": "def expand_template():\n    return 1\n\n\nTICK_DAMAGE = 7\n\n\ndef kept_name():\n"
    "    return 2\n\n\ndef read_notes():\n    return 3\n",
    "tests/test_chips.py": "def spawn_in_world():\n    return 1\n",
    "site/mkdocs.yml": "site_name: Chips\n",
    "CLAUDE.md": "# Chips\n\n`expand_template`, `TICK_DAMAGE`\n",
}
AFTER: Files = {
    "src/chips.py": "def kept_name():\n    return 2\n\n\ndef kept_row():\n    return 3\n",
    "tests/test_chips.py": "",
}
COMMITS = (BEFORE, AFTER)


CURRENT = "\n```\nkept_name -> kept_row\n```\n"
"""A block with names that the code has. A page without such names may show a plan."""


def found(repo: Repo, text: str, path: str = NOTES, beside: str = CURRENT) -> list[int]:
    repo.git("reset", "-q", "--hard")
    repo.stage({path: f"# Notes\n\n{text}\n{beside}"})
    return [f.line for f in list_findings(repo.check().report) if f.path == path]


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("```\nload -> expand_template -> kept_name\n```", [4]),
        ("```python\nchips = expand_template(rows)\n```", [4]),
        ("```env\nTICK_DAMAGE=9\n```", [4]),
        ("```python\nkept_name()\n```", []),
        ("```python\nnever_written()\n```", []),
        ("```python\nrow.expand_template = 3\n```", []),  # a field of the reader
        # The page defines or assigns the name itself, or passes an argument.
        ("```python\ndef expand_template():\n    pass\n\nexpand_template()\n```", []),
        ("```python\n    TICK_DAMAGE = 3\n    use(TICK_DAMAGE)\n```", []),
        ("```python\nuse(\n    TICK_DAMAGE=3,\n)\n```", [5]),
        ("```csharp\npublic const int TICK_DAMAGE = 3;\n```", []),
        ("```rust\nexpand_template(rows);\n```", []),
        ("```cpp\nexpand_template(rows);\n```", []),
        ("```diff\n- expand_template()\n```", []),
        ("```\nsrc/expand_template.py\nexpand_template.py\n```", []),  # names of files
        ("It is in `expand_template.py`:\n\n```sh\nuvicorn expand_template:app\n```", []),
        ("```python\nspawn_in_world()\n```", []),  # was removed from a test
        ("We removed these functions:\n\n```python\nexpand_template()\n```", []),
        ("```python\n# formerly expand_template()\nkept_name()\n```", []),
    ],
)
def test_a_shown_name(repo: Repo, text: str, lines: list[int]) -> None:
    assert found(repo, text) == lines


def test_the_message_names_the_commit(repo: Repo) -> None:
    repo.stage({NOTES: f"# Notes\n\n```\nexpand_template\n```\n{CURRENT}"})
    (finding,) = (f for f in list_findings(repo.check().report) if f.path == NOTES)
    assert finding.message.startswith("expand_template: removed in ")
    assert finding.rule == "refuted-citation[symbol]"


def test_plans_and_pages_of_sites_show_other_versions(repo: Repo) -> None:
    block = "```python\nexpand_template()\n```"
    for path in ("docs/plans/chips.md", "site/docs/chips.md"):
        assert not found(repo, block, path)


def test_a_page_whose_names_are_mostly_unknown(repo: Repo) -> None:
    assert not found(repo, "```\nexpand_template -> kept_name\n```", beside="")
