"""`@imports` of memory files: agents load nothing if the file is missing, and do not say so."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.model.claims import Verdict


def wrong(repo: Repo, mode: str = "staged") -> list[tuple[str, int]]:
    """Returns where an import is reported, in a claim or beside all claims."""
    report = repo.check(mode).report
    found = [(p.path, p.line) for p in report.problems if p.rule == "refuted-citation[import]"]
    for d in report.decisions:
        found += [(d.place.path, d.place.claim.line) for e in d.wrong if e.kind == "import"]
    return sorted(found)


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({
        "docs/style.md": "# Style\n\nLines have at most 100 characters.\n",
        "pkg/rules/tests.md": "# Tests\n\nTests stand beside the code.\n",
        ".gitignore": "notes/\n",
    })  # fmt: skip
    return repo


MISSING = (
    "@docs/none.md", "- @docs/none.md", "1. @docs/none.md", "See @docs/none.md", "**Style**: @docs/none.md",
    "> @docs/none.md", "## @docs/none.md", "The rules of style are kept in @docs/none.md and hold here.",
    "@docs/style.md and @docs/none.md", "@./docs/none.md",
)  # fmt: skip


def test_missing_imports(repo: Repo) -> None:
    names = ("CLAUDE.md", "AGENTS.md", "GEMINI.md", "pkg/CLAUDE.md", ".claude/a.md")
    for line in MISSING:
        repo.stage(dict.fromkeys(names, f"# Notes\n\n{line}\n"))
        assert wrong(repo) == sorted((name, 3) for name in names), line


def test_a_cell_of_a_table(repo: Repo) -> None:
    repo.stage({"CLAUDE.md": "# Notes\n\n| of | in |\n|---|---|\n| Style | @docs/none.md |\n"})
    assert wrong(repo) == [("CLAUDE.md", 5)]


RIGHT = (
    "@docs/style.md", "- @docs/style.md", "@~/.claude/mine.md", "@/home/ann/mine.md", "@/docs/none.md",
    "@scope/package", "@types/node", "@scope/name.js", "Ask @ann, or write to ann@docs/none.md.",
    "`@docs/none.md`", "```\n@docs/none.md\n```", "    @docs/none.md", "- In a list:\n\n    @docs/none.md", "A `@docs/none.md` is how to import.",
    "@CLAUDE.local.md", "@notes/mine.md", "<!-- @docs/none.md -->",
)  # fmt: skip


def test_what_is_no_missing_import(repo: Repo) -> None:
    repo.stage({f"pkg{n}/CLAUDE.md": f"# Notes\n\n{line}\n" for n, line in enumerate(RIGHT)})
    assert wrong(repo) == []


def test_only_agents_files_import(repo: Repo) -> None:
    repo.stage({"docs/page.md": "# Notes\n\n@docs/none.md\n", "README.md": "@docs/none.md\n"})
    assert wrong(repo) == []


def test_imports_of_imported_files_count_from_there(repo: Repo) -> None:
    repo.commit({"CLAUDE.md": "# Notes\n\n@pkg/rules/all.md\n"})
    all_ = "# All\n\n@tests.md\n\n@none.md\n\nThe rest is told in @more/none.md for everybody.\n"
    repo.stage({"pkg/rules/all.md": all_})
    assert wrong(repo) == [("pkg/rules/all.md", 5), ("pkg/rules/all.md", 7)]


def test_an_ignored_file_is_unknown(repo: Repo) -> None:
    repo.stage(
        {"CLAUDE.md": "# Notes\n\nThe rest of the rules is kept in @notes/mine.md by each.\n"}
    )
    [decision] = repo.decisions()
    assert [(e.verdict, e.reason) for e in decision.evidence] == [
        (Verdict.UNKNOWN, "ignored by git")
    ]


def test_the_only_file_of_that_name_is_named(repo: Repo) -> None:
    repo.stage({"CLAUDE.md": "# Notes\n\n@wording.md\n", "docs/wording.md": "# Wording\n"})
    [problem] = [p for p in repo.check().report.problems if "import" in p.rule]
    assert problem.message == "@wording.md: no such file; there is docs/wording.md"
