"""Documents in which nobody corrects a reference, and texts that only look like references."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.report.findings import affected_findings, list_findings

LINK = "See [the guide](gone.md)."
MADE = "<!-- DO NOT EDIT.\n\nThis file is generated from src/. -->\n\n"


def wrong(repo: Repo, mode: str) -> list[tuple[int, str]]:
    found = list_findings(repo.check(mode).report)
    return [(e.line, e.fact) for e in found if e.rule.startswith("refuted")]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/app.py": "A = 1\n", "web/src/main/a.py": "", "api/src/main/a.py": ""})
    return repo


UNCORRECTED = (
    ("docs/guide.md", LINK, 1, 1),
    # Plans and logs are records of a day, but what is written today can still be corrected.
    ("docs/plans/3-paths/paths.md", LINK, 0, 1),
    ("docs/plans/3-paths/paths.md", "- [x] Run `make nothing`.", 0, 0),
    ("docs/phase-1/execution.log.md", LINK, 0, 1),
    ("docs/tasks/book.md", "The rows are in `src/gone.py` there.", 0, 0),
    ("book/src/tasks/book.md", "The rows are in `src/gone.py` there.", 1, 1),  # a chapter
    ("docs/catalog.md", LINK, 1, 1),
    ("docs/catalog.md", "See [1.0](../CHANGELOG.md#10).", 0, 1),  # old entries leave a changelog
    ("book/chapter01.md", MADE + LINK, 0, 1),
    ("book/chapter01.md", f"---\ntitle: One\n---\n{MADE}{LINK}", 0, 1),
    (
        "api/Rows.md",
        f"---\nid: Rows\n---\n\n# Class: Rows\n\nDefined in: src/app.py:1\n\n{LINK}",
        0,
        1,
    ),
    ("api/rows.md", f"+++\ntitle = 'Rows'\n+++\n\n## Packages\n- [a/v1](#av1)\n\n{LINK}", 0, 2),
    ("api/rows.md", f"# API\n\n## Packages\n- [a/v1](#av1)\n\n{LINK}", 0, 2),
    ("api/rows.api.md", f'## API Report File for "rows"\n\n{LINK}', 0, 1),
    ("docs/perf-done.md", LINK, 0, 1),
    # The text is about another file, or the comment is not at the top.
    ("book/chapter01.md", f"The schema is generated. Do not edit it.\n\n{LINK}", 1, 1),
    ("book/chapter01.md", f"# One\n\n{MADE}{LINK}", 1, 1),
)


def test_documents_that_nobody_corrects(repo: Repo) -> None:
    for path, text, whole, changed in UNCORRECTED:
        files = {"Makefile": "all:\n\ttrue\n", "CHANGELOG.md": "# 2.0\n"}
        repo.stage({path: f"{text}\n", **files})
        assert len(wrong(repo, "staged")) == changed, text
        repo.commit()
        assert len(wrong(repo, "all")) == whole, text
        repo.commit({path: None})


REPORT = "# Check of the app\n\n**Checked:** 2026-01-05\n\n"
DATED = (
    ("docs/check.md", REPORT, (), 3, 0),
    ("docs/check.md", "# Check, 5 January 2026\n\n", (), 3, 0),
    ("docs/check.md", "# 检查\n\n**日期**: 2026-01-05\n\n", (), 3, 0),
    ("docs/check.md", REPORT, ("2026-01-07",), 3, 0),
    # Somebody keeps the document up to date, or may still do so.
    ("docs/check.md", REPORT, ("2026-01-07", "2026-01-09"), 3, 1),
    ("docs/check.md", REPORT, (), 2, 1),
    ("docs/check.md", "# The app\n\nLast updated: 2026-01-05\n\n", (), 3, 1),
    ("README.md", REPORT, (), 3, 1),
    ("docs/check.md", "# Check\n\nDate: 2026-01-05\n\nLast updated: 2026-01-06\n\n", (), 3, 1),
    # The date is not the document's own.
    ("docs/check.md", "---\ndate: 2026-01-05\n---\n\n# The app\n\n", (), 3, 1),
    ("docs/check.md", "# Using the 2026-01-05 API\n\n", (), 3, 1),
    ("docs/check.md", "# The app\n\n- 2026-01-05 first release\n\n", (), 3, 1),
    ("docs/check.md", "# The app\n\nEffective date: 2026-01-05\n\n", (), 3, 1),
    ("docs/check.md", "# The app\n\nProtocol version: 2026-01-05\n\n", (), 3, 1),
    ("docs/check.md", "# The app\n\nIt was tried on 2026-01-05.\n\n", (), 3, 1),
    ("docs/check.md", "# The app\n\n## 2026-01-05\n\nA day.\n\n## Guide\n\n", (), 3, 1),
)


@pytest.mark.parametrize(("path", "above", "edits", "later", "told"), DATED)
def test_a_report_that_nobody_keeps_up_to_date(
    repo: Repo, path: str, above: str, edits: tuple[str, ...], later: int, told: int
) -> None:
    text = f"{above}{LINK}\n"
    repo.stage({path: text})
    assert len(wrong(repo, "staged")) == 1, "the author can still correct it"
    repo.commit(day="2026-01-05")
    for day in edits:
        text += "\nAnother line.\n"
        repo.commit({path: text}, day=day)
    for n in range(later):
        repo.commit({"src/app.py": f"A = {n + 2}\n"}, day=f"2026-02-0{n + 1}")
    assert len(wrong(repo, "all")) == told


def test_paths_of_a_document_that_is_younger_than_the_move(repo: Repo) -> None:
    """It means the end of the new path. An older document still means the old path."""
    page = "# Rows\n\nThe parser is in `rows/parse.py`.\n"
    repo.commit({"rows/parse.py": "def parse(): ...\n", "docs/old.md": page}, day="2026-01-05")
    repo.write({"shop/app/core/rows/parse.py": "def parse(): ...\n", "rows/parse.py": None})
    repo.commit(day="2026-01-06")
    repo.commit({"docs/new.md": page.replace("Rows", "Parser")}, day="2026-01-09")
    found = list_findings(repo.check("all").report)
    told = [e.path for e in found if e.rule.startswith("refuted")]
    assert told == ["docs/old.md"], found


SKILL = "Run `make nothing`. Then read `src/app/rows.py` and [the guide](gone.md).\n"


def test_a_skill_for_other_projects(repo: Repo) -> None:
    """Its commands and files are of these projects, but its links lead to its own pages."""
    repo.commit({".claude/skills/a/SKILL.md": SKILL, "src/app/a.py": "", "Makefile": "all:\n"})
    repo.commit({"tools/skills/a/SKILL.md": SKILL})
    found = list_findings(repo.check("all").report)
    told = [(e.path.partition("/")[0], e.rule) for e in found if e.rule.startswith("refuted")]
    assert (".claude", "refuted-citation[command]") in told
    assert [rule for top, rule in told if top == "tools"] == ["refuted-citation[link]"]


@pytest.mark.parametrize(
    ("base", "path", "told"),
    [("NOTICE", "one.md", 0), ("", "one.md", 1), ("NOTICE", "two.md", 0), ("", "two.md", 1)],
)
def test_a_notice_counts_in_a_change_if_base_has_it(
    repo: Repo, base: str, path: str, told: int
) -> None:
    """An agent could write "generated, do not edit" above its own text, and the hook passed. But a
    program that writes a new page beside its others is left alone (rust-lang/book, 87f3d05dd)."""
    repo.commit({"book/one.md": f"{base and MADE}Read this.\n"})
    repo.stage({f"book/{path}": f"{MADE}Read this.\n\n{LINK}\n"})
    assert len(wrong(repo, "staged")) == told


@pytest.mark.parametrize(("path", "told"), [("docs/guide.md", 1), ("docs/plans/1/plan.md", 0)])
def test_a_commit_of_code_does_not_make_a_plan_wrong(repo: Repo, path: str, told: int) -> None:
    up = "../" * path.count("/")
    repo.commit({path: f"The port is in [the settings]({up}src/app.py).\n"})
    repo.git("mv", "src/app.py", "web/app.py")
    assert len(affected_findings(repo.check().report)) == told


def test_a_wrong_link_in_a_footnote_is_told_at_its_line(repo: Repo) -> None:
    repo.stage(
        {"docs/guide.md": f"The port is 8443.[^1]\n\nMore.\n\n[^1]: Set by hand.\n  {LINK}\n"}
    )
    assert {line for line, _ in wrong(repo, "all")} == {6}


LOOKALIKES = (
    'Refer to sections by number (e.g., "see [rule 5](#rule-five)").',
    "- `tasks/TASKID-name.md` — one file for each task",
    "Leave the note out if only `src/main` changes.",
)


def test_texts_that_only_look_like_references(repo: Repo) -> None:
    repo.commit({"src/main/a.py": "B = 1\n", "tasks/one.md": "# One\n"})
    repo.commit({"src/main/a.py": None, "CLAUDE.md": "\n\n".join(("# Rules", *LOOKALIKES))})
    assert wrong(repo, "all") == []


def test_old_text_of_a_translation_is_checked_for_links_only(tmp_path: Path) -> None:
    """What is stale in it is stale in the original, which is reported."""
    repo = Repo(tmp_path / "repo")
    page = "# A\n\nThe rows are in `src/gone.py` there.\n\nSee [b](gone.md) and [c](#gone).\n"
    repo.commit({"src/gone.py": "a = 1\n", "src/b.py": ""})
    repo.commit({"src/gone.py": None})
    original, translation = "docs/en/guide/a.md", "docs/pt-BR/guide/a.md"
    repo.stage({original: page, translation: page, "notes/ja/a.md": page, "notes/a.md": page})
    repo.stage({"notes/go/a.md": page})
    staged = [f for f in list_findings(repo.check("staged").report) if f.path == translation]
    assert sorted(f.line for f in staged) == [3, 5], "a change is checked as usual"
    repo.commit()
    found = list_findings(repo.check("all").report)
    lines = {p: sorted(f.line for f in found if f.path == p) for p in (original, translation)}
    assert lines == {original: [3, 5, 5], translation: [5]}
    lines = {
        p: sorted(f.line for f in found if f.path == p) for p in ("notes/ja/a.md", "notes/go/a.md")
    }
    assert lines == {"notes/ja/a.md": [5, 5], "notes/go/a.md": [3, 5, 5]}


def anchors(*names: str) -> str:
    return "".join(f"See [there](made.md#{name}).\n\n" for name in names)


def test_a_kind_that_is_mostly_wrong_is_probably_misread(repo: Repo) -> None:
    # A build adds the headings to this page.
    found = "one", "two", "three", "four", "five"
    repo.stage({"docs/made.md": "# Made\n", "docs/guide.md": anchors(*found)})
    assert len(wrong(repo, "staged")) == 5
    repo.commit()
    assert wrong(repo, "all") == []
    unknown = {e.reason for d in repo.check("all").report.decisions for e in d.evidence}
    assert any(r.startswith("docs/made.md has no heading #one; only 0 of 5") for r in unknown)
    # Five wrong references to one heading, four wrong ones, and as many right ones.
    for anchored in (("one",) * 5, found[:4], (*found, *"abcde")):
        repo.commit(
            {"docs/made.md": "# A\n# B\n# C\n# D\n# E\n", "docs/guide.md": anchors(*anchored)}
        )
        assert len(wrong(repo, "all")) == min(len(anchored), 5), anchored


def test_missing_files_are_never_misread(repo: Repo) -> None:
    repo.commit({"AGENTS.md": "".join(f"- Rows are in `src/{n}.py`.\n" for n in "bcdefgh")})
    assert len(wrong(repo, "all")) == 7
