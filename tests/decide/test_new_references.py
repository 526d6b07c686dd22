"""A reference is new if its document has it wrong more often than before the change.

Each test is a commit on a real repository, and what the check of the staged change says.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.report.findings import fails_at, list_findings
from grounded_ingest.report.selection import Selection, mute_findings

GUIDE = "docs/guide.md"
DEAD = "Retries are explained in [the notes](gone.md)."


def findings(repo: Repo, mode: str = "staged", start: str = "") -> list[str]:
    """Errors and warnings, as a user reads them: path, line, rule and what is wrong."""
    found = list_findings(mute_findings(repo.check(mode, start=start)).report)
    return [
        f"{e.path}:{e.line}: {e.rule}: {e.fact}"
        for e in found
        if e.severity in ("error", "warning")
    ]


def changed(tmp_path: Path, base: Files, change: Files) -> list[str]:
    repo = Repo(tmp_path)
    repo.commit(base)
    repo.stage(change)
    return findings(repo)


def page(*lines: str) -> str:
    return "\n\n".join(("# Guide", *lines)) + "\n"


@pytest.mark.parametrize(
    ("after", "told"),
    [
        pytest.param(page(DEAD.replace("Retries", "All retries")), 0, id="a typo beside it"),
        pytest.param(page("Read this first.", DEAD), 0, id="moved within the document"),
        pytest.param(page(DEAD, DEAD.replace("Retries", "Timeouts")), 1, id="a second copy"),
        pytest.param(page(DEAD.replace("gone.md", "lost.md")), 1, id="another dead link"),
        pytest.param(page(DEAD, "See [the notes](lost.md)."), 1, id="a dead link beside it"),
    ],
)
def test_an_old_dead_link_is_told_only_if_its_count_grows(
    tmp_path: Path, after: str, told: int
) -> None:
    """Edits beside an old dead link report nothing; another copy does."""
    found = changed(tmp_path, {GUIDE: page(DEAD)}, {GUIDE: after})
    assert len(found) == told, found


def test_an_old_dead_link_hides_no_other_finding_of_its_sentence(tmp_path: Path) -> None:
    """The row of wrong references comes first, but must not hide a new guess."""
    memory = "memory-bank/notes.md"
    said = "The old host keeps sessions, see [the notes](gone.md)."
    after = said.replace("The old host keeps", "I think the old host keeps")
    found = changed(tmp_path, {memory: page(said)}, {memory: page(after)})
    assert [row.split(": ")[1] for row in found] == ["speculation"]


def test_a_policy_that_blocks_is_about_new_references(tmp_path: Path) -> None:
    """`policy: block` does not stop edits beside old dead links."""
    policy = {".grounded-ingest.yaml": "policy: {refuted-citation: block}\n"}
    edited = {GUIDE: page(DEAD.replace("Retries", "All retries"))}
    assert changed(tmp_path, {GUIDE: page(DEAD), **policy}, edited) == []


def test_a_renamed_document_keeps_its_old_dead_links(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"docs/guide.md": page(DEAD, "See [above](#nothing-here).", "More.")})
    repo.git("mv", "docs/guide.md", "docs/manual.md")
    assert findings(repo) == []


def test_a_moved_document_leaves_its_relative_links_behind(tmp_path: Path) -> None:
    """A link that the move breaks is new."""
    repo = Repo(tmp_path)
    repo.commit({"docs/guide.md": page("See [the notes](notes.md)."), "docs/notes.md": page("A.")})
    (tmp_path / "manual").mkdir()
    repo.git("mv", "docs/guide.md", "manual/guide.md")
    (row,) = findings(repo)
    assert row.startswith("manual/guide.md:3: refuted-citation[link]: notes.md: ")


LIMITS = {"src/limits.py": "UPLOAD_MB = 20\n", "src/other.py": "A = 1\n"}


@pytest.mark.parametrize(
    ("document", "base", "change", "said"),
    [
        pytest.param(
            "The limit is 20 MB (`src/limits.py`).",
            LIMITS,
            {"src/limits.py": None},
            "refuted-citation[path]: src/limits.py: removed by this change",
            id="a cited file",
        ),
        pytest.param(
            "The limit is 20 MB (`src/limits.py:1`).",
            LIMITS,
            {"src/limits.py": None, "src/bounds.py": "UPLOAD_MB = 20\n"},
            "refuted-citation[line]: src/limits.py:1: moved to src/bounds.py",
            id="a cited file that moves",
        ),
        pytest.param(
            "The limit is 20 MB (`limits/upload.py`).",
            {"src/limits/upload.py": "UPLOAD_MB = 20\n", "src/limits/other.py": "A = 1\n"},
            {"src/limits/upload.py": None},
            "refuted-citation[path]: limits/upload.py: removed by this change",
            id="a file cited by the end of its path",
        ),
        pytest.param(
            "Adapters live in `src/adapters/`.",
            {"src/adapters/a.py": "A = 1\n", "src/b.py": "B = 1\n"},
            {"src/adapters/a.py": None},
            "refuted-citation[path]: src/adapters/: removed by this change",
            id="the last file of a cited directory",
        ),
        pytest.param(
            "See [the setup](setup.md#install).",
            {"docs/setup.md": "# Setup\n\n## Install\n\nUnpack it.\n"},
            {"docs/setup.md": "# Setup\n\n## Unpacking\n\nUnpack it.\n"},
            "refuted-citation[anchor]: docs/setup.md has no heading #install",
            id="a heading",
        ),
        pytest.param(
            "Run `npm run e2e` before a release.",
            {"package.json": '{"scripts": {"e2e": "playwright", "test": "vitest"}}\n'},
            {"package.json": '{"scripts": {"test": "vitest"}}\n'},
            "refuted-citation[command]: package.json has no script e2e",
            id="a script",
        ),
        pytest.param(
            "Run `npm run test:e2e` before a release.",
            {"package.json": '{"scripts": {"test:e2e": "a e2e", "test": "vitest"}}\n'},
            {"package.json": '{"scripts": {"test": "vitest e2e"}}\n'},
            "refuted-citation[command]: package.json has no script test:e2e",
            id="a script whose words are still there",
        ),
        pytest.param(
            "Run `make up` first.",
            {"Makefile": "up:\n\techo\n\ndown:\n\techo\n"},
            {"Makefile": "down:\n\techo\n"},
            "refuted-citation[command]: Makefile has no target up",
            id="a target of two letters",
        ),
        pytest.param(
            "```sh\nnpm run e2e\n```",
            {"package.json": '{"scripts": {"e2e": "playwright", "test": "vitest"}}\n'},
            {"package.json": '{"scripts": {"test": "vitest"}}\n'},
            "refuted-citation[command]: `npm run e2e`: package.json has no script e2e",
            id="a script that a code block runs",
        ),
        pytest.param(
            "It requires Node 18 or newer.",
            {"package.json": '{"engines": {"node": ">=18"}}\n'},
            {"package.json": '{"engines": {"node": ">=20"}}\n'},
            "refuted-citation[version]: package.json requires node 20 or newer, not 18",
            id="a version",
        ),
        pytest.param(
            "Per ADR-1, the ledger is kept in PostgreSQL.",
            {
                "docs/adr/0001-store.md": "# 1. Store\n\nStatus: accepted\n\nKept in PostgreSQL.\n",
                "docs/adr/0002-x.md": "# 2. X\n\nStatus: accepted\n\nX.\n",
            },
            {"docs/adr/0001-store.md": None},
            "refuted-citation[adr]: ADR-001: docs/adr/0001-store.md is removed by this change",
            id="a decision",
        ),
        pytest.param(
            "At start `start` is called (`src/app.py::start`).",
            {"src/app.py": "def start():\n    pass\n\n\ndef stop():\n    pass\n"},
            {"src/app.py": "def stop():\n    pass\n"},
            "refuted-citation[symbol]: src/app.py::start: removed ",
            id="a definition",
        ),
        pytest.param(
            "The limit is 20 MB (`src/limits.py:3`).",
            {"src/limits.py": "A = 1\nB = 2\nUPLOAD_MB = 20\n"},
            {"src/limits.py": "A = 1\nB = 2\n"},
            "refuted-citation[line]: src/limits.py:3: src/limits.py has 2 lines",
            id="the last line of a file",
        ),
    ],
)
def test_a_commit_of_code_tells_what_it_makes_wrong(
    tmp_path: Path, document: str, base: Files, change: Files, said: str
) -> None:
    """The commit that removes what a document names is told, in the hook and in its range, and no
    later commit is. The range shows what the commit removed with its id."""
    repo = Repo(tmp_path)
    repo.commit({GUIDE: page(document), **base})
    repo.stage(change)
    (row,) = findings(repo)
    assert row.startswith(f"{GUIDE}:"), row
    assert f": {said}" in row
    assert fails_at(list_findings(repo.check().report), "wrong") is ("[adr]" not in row)
    repo.git("reset", "--quiet")  # the same edit on disk only
    assert len(findings(repo, "worktree")) == 1
    repo.git("add", "--all")
    repo.commit()
    (later,) = findings(repo, "range", "HEAD~1")
    by_commit = "[command]" in row or "[symbol]" in row
    assert later.startswith(row.replace(" by this change", " in ") if by_commit else row)
    repo.commit({"src/unrelated.py": "B = 1\n"})
    assert findings(repo, "range", "HEAD~1") == []


@pytest.mark.parametrize(
    ("document", "change"),
    [
        pytest.param("It is 20 MB (`src/limits.py`).", {"src/other.py": "A = 2\n"}, id="unrelated"),
        pytest.param("It is 20 MB (`src/limits.py`).", {"src/other.py": None}, id="another file"),
        pytest.param("It is 20 MB (`src/none.py`).", {"src/other.py": None}, id="wrong before"),
        pytest.param(
            "It is 20 MB (`limits.py`).",
            {"src/limits.py": None, "lib/limits.py": "UPLOAD_MB = 20\n"},
            id="a bare name that is there still",
        ),
        pytest.param("The file `src/limits.py` was removed.", {"src/limits.py": None}, id="said"),
        pytest.param(
            "See [the setup](setup.md#nowhere).",
            {"docs/setup.md": "# Setup\n\n## Another\n"},
            id="an anchor that was wrong before",
        ),
        pytest.param(
            "```sh\nnpm run nothing\n```",
            {"package.json": '{"scripts": {"b": "b"}}\n'},
            id="a shown command that was wrong before",
        ),
    ],
)
def test_a_commit_of_code_is_silent_about_the_rest(
    tmp_path: Path, document: str, change: Files
) -> None:
    """Other edits, and references that were wrong before, are not reported."""
    base: Files = {
        "docs/setup.md": "# Setup\n\n## Install\n",
        "package.json": '{"scripts": {"a": "a", "b": "b"}}\n',
    }
    assert changed(tmp_path, {GUIDE: page(document), **LIMITS, **base}, change) == []


@pytest.mark.parametrize(
    ("path", "told"),
    [("docs/plans/port.md", 0), ("docs/log/2026-01-05.md", 0), ("docs/adr/0001-port.md", 1)],
)
def test_records_are_told_as_the_full_check_tells_them(
    tmp_path: Path, path: str, told: int
) -> None:
    """Dated plans and logs may cite what is gone."""
    repo = Repo(tmp_path)
    repo.commit({path: page("The limit is 20 MB (`src/limits.py`)."), **LIMITS})
    repo.stage({"src/limits.py": None})
    assert len(findings(repo)) == told
    repo.commit()
    assert len(findings(repo, "all")) == told


def test_a_directory_that_moves_is_told_where_it_is_cited(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    said = page("Adapters live in `src/adapters/`, see [one](../src/adapters/a.py).")
    repo.commit({GUIDE: said, "src/adapters/a.py": "A = 1\n", "src/b.py": "B = 1\n"})
    repo.git("mv", "src/adapters", "src/plugins")
    assert findings(repo) == [
        f"{GUIDE}:3: refuted-citation[path]: src/adapters/: moved to src/plugins/",
        f"{GUIDE}:3: refuted-citation[link]: ../src/adapters/a.py: moved to src/plugins/a.py",
    ]


def test_an_unchanged_sentence_of_an_edited_document_is_told_too(tmp_path: Path) -> None:
    cites = "The limit is 20 MB (`src/limits.py`)."
    base = {GUIDE: page(cites, "One."), **LIMITS}
    (row,) = changed(tmp_path, base, {GUIDE: page(cites, "Two."), "src/limits.py": None})
    assert row == f"{GUIDE}:3: refuted-citation[path]: src/limits.py: removed by this change"


def test_an_import_whose_file_goes_is_told(tmp_path: Path) -> None:
    base = {"CLAUDE.md": "# Notes\n\n@docs/style.md\n", "docs/style.md": "# Style\n\nShort.\n"}
    (row,) = changed(tmp_path, base, {"docs/style.md": None})
    assert "CLAUDE.md:3: refuted-citation[import]: " in row
    assert "removed by this change" in row


def test_a_merge_is_told_what_neither_side_had_wrong(tmp_path: Path) -> None:
    """A reference that only the merge breaks is new."""
    repo = Repo(tmp_path)
    repo.commit(LIMITS)
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({GUIDE: page("The limit is 20 MB (`src/limits.py`).", DEAD)})
    repo.git("checkout", "-q", "main")
    repo.commit({"src/limits.py": None})
    repo.git("merge", "-q", "--no-commit", "--no-verify", "side")
    (row,) = findings(repo)
    assert "src/limits.py" in row


CITING = "The limit is 20 MB (`src/limits.py`)."
IGNORED = '<!-- grounded: ignore[{}] reason="to come" -->\n' + CITING


@pytest.mark.parametrize(
    ("named", "told"),
    [("refuted-citation[path]", 0), ("refuted-citation", 0), ("refuted-citation[link]", 1)],
)
def test_an_ignore_comment_holds_for_them(tmp_path: Path, named: str, told: int) -> None:
    """Ignore comments apply to documents that the change does not edit."""
    base = {GUIDE: page(IGNORED.format(named)), **LIMITS}
    assert len(changed(tmp_path, base, {"src/limits.py": None})) == told


@pytest.mark.parametrize(("selector", "told"), [("refuted", 0), ("lost-source", 1), ("stale", 1)])
def test_per_file_ignores_hold_for_them(tmp_path: Path, selector: str, told: int) -> None:
    """So do ignores by file, under current and former rule names."""
    config = f"per_file_ignores: {{'docs/**': [{selector}]}}\n"
    base = {GUIDE: page(CITING), ".grounded-ingest.yaml": config, **LIMITS}
    assert len(changed(tmp_path, base, {"src/limits.py": None})) == told


def test_a_baseline_holds_for_them(tmp_path: Path) -> None:
    """So does the baseline."""
    repo = Repo(tmp_path)
    repo.commit({GUIDE: page(CITING), **LIMITS})
    repo.stage({"src/limits.py": None})
    accepted = Selection(baseline=str(tmp_path / "accepted"), update=True)
    mute_findings(repo.check("all"), accepted)
    repo.git("add", "accepted")
    checked = repo.check()
    with checked.scoped.tree.repo:
        left = mute_findings(checked, accepted._replace(update=False)).report
    assert [e.rule for e in list_findings(left) if e.severity == "error"] == []


def test_a_change_of_documents_alone_judges_no_former_claims(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The hook does not judge a document twice if nothing in it is wrong."""
    from grounded_ingest.decide import former_references

    asked: list[int] = []
    judge = former_references.judge_references

    def counted(places, *rest):  # type: ignore[no-untyped-def]
        asked.append(len(places))
        return judge(places, *rest)

    monkeypatch.setattr(former_references, "judge_references", counted)
    repo = Repo(tmp_path)
    repo.commit({GUIDE: page(CITING, *(f"Sentence {n} is here." for n in range(40))), **LIMITS})
    repo.stage({GUIDE: page(CITING, "Another one.")})
    assert findings(repo) == []
    assert asked == []
    repo.stage({GUIDE: page(CITING, "Another one.", DEAD)})
    assert len(findings(repo)) == 1
    assert sum(asked) == 0
