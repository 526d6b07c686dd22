"""Directory trees drawn in code blocks: each entry is a path if the drawing shows this repository."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.extract.code_blocks import drawn_trees

PAGE = "docs/map.md"
FILES = {
    "pyproject.toml": '[project]\nname = "courier"\n',
    "src/ledger/rows.py": "A = 1\n",
    "src/ledger/totals.py": "B = 1\n",
    "src/sender.py": "C = 1\n",
    "web/ledger.ts": "export const d = 1;\n",
    ".gitignore": "secrets.toml\nkept/\n",
}
TREE = """```
courier/
├── src/
│   ├── ledger/
│   │   ├── rows.py      # the rows
│   │   └── {entry}
│   └── sender.py
└── web/
    └── ledger.ts
```
"""


def wrong(repo: Repo, mode: str = "staged") -> list[tuple[int, str]]:
    found = repo.check(mode).report.problems
    return [(p.line, p.message) for p in found if p.rule == "refuted-citation[path]"]


COUNTED = """# Map

```
courier/
├── src/               # the code (7 files)
│   ├── ledger/        # 2 files
│   │   └── rows.py    # the rows (9 lines)
│   └── sender.py      # 1 lines
└── web/               # 4 files, which were 5 files
```
"""


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("docs/map.md", [(5, "src: has 3 files, not 7"),
                         (7, "src/ledger/rows.py: has 1 line, not 9")]),
        ("docs/plans/map.md", []),  # a plan only had to be right when it was written
    ],
)  # fmt: skip
def test_numbers_beside_entries(repo: Repo, path: str, said: list[tuple[int, str]]) -> None:
    repo.commit({path: COUNTED})
    found = repo.check("all").report.problems
    counts = [(p.line, p.message) for p in found if p.rule == "refuted-citation[count]"]
    assert counts == said


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit(FILES)
    return repo


def paths(text: str) -> list[list[str]]:
    return [[e.path for e in t.entries] for t in drawn_trees(f"# A\n\n{text}\n")]


@pytest.mark.parametrize(
    ("block", "entries"),
    [
        ("```\na/\n├── b.py\n└── c/\n    └── d.py\n```", ["b.py", "c/", "c/d.py"]),
        ("```text\na/\n|-- b.py\n`-- c/\n    `-- d.py\n```", ["b.py", "c/", "c/d.py"]),
        ("```text\na/\n+-- b.py\n\\-- c/\n    \\-- d.py\n```", ["b.py", "c/", "c/d.py"]),
        ("```\na/\n  b.py\n  c/\n    d.py  # x\n```", ["b.py", "c/", "c/d.py"]),
        ("```\nmain.go   The entry\na/\n  b.py\n  c/\n    d.py\n```", ["b.py", "c/", "c/d.py"]),
        ("```\n├── b.py # one\n├── c.py // two\n├── d.py <- three\n└── e.py - four\n```",
         ["b.py", "c.py", "d.py", "e.py"]),
        ("```\n├── b.py ← one\n├── c.py   two words\n└── d.py The entry\n```", ["b.py", "c.py", "d.py"]),
        ("```\n├── b/\n│   │\n│   ├── ...\n│   └── c.py\n└── d.py\n```", ["b/", "b/c.py", "d.py"]),
        ("```\n├── b/c/\n│   └── d.py\n└── [id].tsx\n```", ["b/c/", "b/c/d.py", "[id].tsx"]),
        ("```\n├── b\n│   └── d.py\n└── Makefile\n```", ["b/", "b/d.py", "Makefile"]),
        # Placeholders are no entries, nor is what stands below them or below a file.
        ("```\n├── <name>/\n│   └── c.py\n├── *.md\n├── {a,b}.py\n├── 2026-MM-YYYY.md\n├── d.py\n│   └── run()\n"
         "├── e.py\n├── f.py\n├── g.py\n└── h.py\n```", ["d.py", "e.py", "f.py", "g.py", "h.py"]),
        ("```\n├── old.py → new.py\n├── c.py\n└── d.py\n```", ["c.py", "d.py"]),
    ],
)  # fmt: skip
def test_entries(block: str, entries: list[str]) -> None:
    assert paths(block) == [entries]


@pytest.mark.parametrize(
    "block",
    [
        "```\nmain\n  |\n  +-- two workers\n  +-- a queue of rows\n```",
        "```\n┌────────┐\n│ src/   │\n└────────┘\n```",
        "```python\nclass A:\n  x = 1\n```",
        "```\na/\n  b.py is what runs first\n```",
        "```\nmake check\n  src/a.py\n```",
    ],
)
def test_other_drawings(block: str) -> None:
    assert paths(block) == []


def test_several_roots_in_one_block() -> None:
    found = list(drawn_trees("```\nsrc/\n├── a.py\n└── b.py\n\nweb/\n└── c.ts\n```"))
    assert [(t.root, [e.line for e in t.entries]) for t in found] == [
        ("src/", [3, 4]),
        ("web/", [7]),
    ]


def test_wrong_entries_are_reported_at_their_line(repo: Repo) -> None:
    repo.stage({PAGE: "# Map\n\n" + TREE.format(entry="sums.py")})
    assert wrong(repo) == [(8, "src/ledger/sums.py: no such file")]


ENTRIES = (
    "totals.py", "totals.py  # all of them", "secrets.toml", "...", "*.py", "<name>.py", "{a,b}.py",
    "sums.py  # generated", "sums.py  # planned", "your_rule.py", "cache/", "kept/",
)  # fmt: skip


def test_right_entries_and_open_ones(repo: Repo) -> None:
    drawn = {f"docs/map{n}.md": TREE.format(entry=entry) for n, entry in enumerate(ENTRIES)}
    repo.stage({path: f"# Map\n\n{tree}" for path, tree in drawn.items()})
    assert wrong(repo) == []


OVER = (
    "## Proposed layout", "## Example", "It generates:", "The plan is to have this:",
    "Your project looks like this:", "## Old structure", "## 2026-01-05",
)  # fmt: skip


def test_what_stands_over_a_tree_exempts_it(repo: Repo) -> None:
    tree = TREE.format(entry="sums.py")
    repo.stage({f"docs/map{n}.md": f"# Map\n\n{over}\n\n{tree}" for n, over in enumerate(OVER)})
    assert wrong(repo) == []


def test_a_root_with_another_name(repo: Repo) -> None:
    """The repository was renamed: most of the drawing is here, but no folder has its name."""
    tree = TREE.format(entry="sums.py").replace("courier/", "parcels/")
    repo.stage(
        {"docs/a.md": f"# A\n\n{tree}", "docs/b.md": f"# B\n\n{tree.replace('src/', 'lib/')}"}
    )
    assert wrong(repo) == [(8, "src/ledger/sums.py: no such file")]


def test_drawings_of_other_projects(repo: Repo) -> None:
    other = TREE.format(entry="sums.py")
    repo.stage({
        "docs/a.md": "# A\n\n" + other.replace("courier/", "my-shop/"),
        "docs/b.md": "# B\n\n```\ncourier/\n├── src/\n├── app.py\n├── README.md\n└── docs/\n```\n",
        "docs/c.md": "# C\n\n" + other.replace("courier/", "~/courier/"),
        "docs/plans/d.md": "# D\n\n" + other,
    })  # fmt: skip
    assert wrong(repo) == []


@pytest.mark.parametrize(
    ("page", "root", "below"),
    [
        ("docs/map.md", ".", "src/ledger/"),
        ("docs/map.md", "courier/", "src/ledger/"),
        ("docs/map.md", "Overview of all files", "src/ledger/"),
        ("docs/map.md", "src/ledger/", ""),
        ("docs/map.md", "ledger/", ""),  # the only folder that is called so
        ("src/ledger/README.md", "ledger/", ""),
    ],
)
def test_roots(repo: Repo, page: str, root: str, below: str) -> None:
    rows = "".join(f"├── {below}{name}\n" for name in ("rows.py", "totals.py", "gone.py"))
    repo.stage({page: f"# Map\n\n```\n{root}\n{rows}```\n"})
    assert wrong(repo) == [(7, "src/ledger/gone.py: no such file")]


def test_history_says_what_became_of_an_entry(repo: Repo) -> None:
    text = "".join(f"ROW_{n} = {n}\n" for n in range(20))
    repo.commit({"src/ledger/sums.py": text, "src/old/a.py": "A = 1\n", "src/old/b.py": "B = 1\n"})
    repo.git("mv", "src/ledger/sums.py", "src/ledger/adds.py")
    repo.git("rm", "-q", "-r", "src/old")
    repo.git("commit", "-q", "-m", "Drop the old code")
    old = "│   ├── old/\n│   │   └── a.py\n│   └── sender.py"
    tree = TREE.format(entry="sums.py").replace("│   └── sender.py", old)
    repo.stage({PAGE: "# Map\n\n" + tree})
    found = wrong(repo)
    assert found[0][0] == 8
    assert found[0][1].startswith("src/ledger/sums.py: moved to src/ledger/adds.py in ")
    assert found[1][0] == 9
    assert found[1][1].startswith("src/old/: deleted in")
    assert len(found) == 2  # nothing below a folder that is told


def test_a_change_is_asked_for_what_is_new_alone(repo: Repo) -> None:
    repo.commit({PAGE: "# Map\n\n" + TREE.format(entry="sums.py")})
    repo.stage({PAGE: "# Map\n\nMore.\n\n" + TREE.format(entry="sums.py")})
    assert wrong(repo) == []
    more = TREE.format(entry="sums.py").replace("web/\n", "web/\n    ├── none.ts\n")
    repo.stage({PAGE: "# Map\n\n" + more})
    assert wrong(repo) == [(11, "web/none.ts: no such file")]


@pytest.mark.parametrize("moved", ["", "src/sums.py"])
def test_a_commit_that_takes_a_file_from_a_drawing_elsewhere(repo: Repo, moved: str) -> None:
    repo.commit({PAGE: f"# Map\n\n{TREE.format(entry='totals.py')}\n"})
    repo.stage({"src/ledger/totals.py": None, **({moved: "B = 1\n"} if moved else {})})
    ((line, message),) = wrong(repo)
    assert line == 8
    assert f"moved to {moved}" in message if moved else "removed by this change" in message
    repo.commit()
    repo.stage({"src/sender.py": "C = 2\n"})
    assert wrong(repo) == []


GONE = "# Map\n\n```\n{root}\n├── rows.py\n├── totals.py\n└── helpers.py\n```\n"


@pytest.mark.parametrize(
    ("root", "kept", "said"),
    [
        ("tools/ledger/", {}, [(4, "tools/ledger/")]),
        ("docs/ledger/", {}, []),  # never had the files
        ("src/", {}, []),  # may be the folder of any package
        ("tools/ledger/", {"tools/ledger/new.py": "D = 1\n"}, [(5, "tools/ledger/rows.py")]),
    ],
)
def test_drawings_of_files_that_a_commit_removed(
    tmp_path: Path, root: str, kept: dict[str, str], said: list[tuple[int, str]]
) -> None:
    repo = Repo(tmp_path / "repo")
    files = ("tools/ledger/rows.py", "tools/ledger/totals.py", "src/rows.py", "src/totals.py")
    repo.commit({"docs/a.md": "", **dict.fromkeys(files, "A = 1\n"), **kept})
    repo.commit(dict.fromkeys(files))
    repo.commit({PAGE: GONE.format(root=root)})
    told = [(line, text.partition(": ")[0]) for line, text in wrong(repo, "all")]
    assert told[: len(said)] == said
    assert bool(told) == bool(said)


def test_an_entry_below_a_folder_that_the_drawing_shows(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(
        {"web/.config/rules.json": "", "web/tools/build_rules.py": "", "web/app_home.ts": ""}
    )
    tree = (
        "```\nweb/\n├── .config/\n│   └── rules.json\n├── tools/\n│   ├── build_rules.py\n"
        "│   └── build_pages.py\n└── app_home.ts\n```\n"
    )
    repo.commit({"web/README.md": tree})
    assert [line for line, _ in wrong(repo, "all")] == [7]
