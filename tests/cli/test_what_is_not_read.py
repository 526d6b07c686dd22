"""What a run did not read is counted, and listed with its reason where it is asked for."""

from __future__ import annotations

import os

import pytest
from clirepo import Repo

FILES = {
    "CHANGELOG.md": ("# Changes\n", "excluded by default: {,{docs,doc}/**/}{CHANGELOG,CHANGE_LOG,CHANGE-LOG}*"),
    "vendor/a.md": ("# A\n", "the file is vendored or generated (**/{vendor,vendored,third_party,third-party,3rdparty,3rd-party,bower_components}/**)"),
    "deps/shop/a.md": ("# A\n", "the file is vendored or generated (deps/*/**)"),
    "pkg/testdata/b.md": ("# B\n", "excluded by default: **/{fixtures,__fixtures__,testdata,golden,goldens}/**"),
    "pkg/snapshots/c.md": ("# C\n", "the file is a changelog, test data or generated (**/{testdata,test-data,test_data,fixture,fixtures,__fixtures__,__snapshots__,snapshots}/**)"),
    "docs/drafts/d.md": ("# D\n", "excluded: docs/drafts"),
    "tests/pages/rows.md": ("[x](gone.md)\n", "the file is a changelog, test data or generated (**/{test,tests,__tests__,e2e}/*/**/[!A-Z]*)"),
    "docs/g.txt": ("G\n", ".txt files are read only in memory directories"),
    "docs/i.md": ("x" * (4 * 1024 * 1024 + 1), "the file is larger than 4 MB"),
}  # fmt: skip
"""Documents, and why each is not read."""
READ = {
    "docs/page.md": "# Page\n\nParcels are sent by `src/app.py` at night.\n\nIt is `<name>.py`, see `origin/main` too.\n",
    "requirements.txt": "x\n",
    "docs/requirements.txt": "x\n",
    "notes.txt": "x\n",
    "tests/pages/README.md": "# Pages\n\nThe pages of the tests.\n",
    "tests/pages/readme.md": "# Pages\n\nThe pages of the tests.\n",
    "tests/guide.md": "# Guide\n\nThe tests run at night.\n",
}  # fmt: skip


@pytest.fixture
def full(repo: Repo) -> Repo:
    for path, text in {**READ, **{p: text for p, (text, _) in FILES.items()}}.items():
        repo.write(path, text)
    repo.write("docs/h.md", b"# H\n\n\xff\xfe\n")
    repo.write(".grounded-ingest.yaml", "exclude: [docs/drafts]\n")
    repo.git("add", "--all")
    repo.git("commit", "--quiet", "--message", "Add pages")
    return repo


def test_the_last_line_counts_documents_that_were_not_read(full: Repo) -> None:
    ran = full.check("--all", "--exit-zero")
    assert f"documents ({len(FILES) + 1} not read)" in ran.out.splitlines()[-1]
    assert " not read: " not in ran.out
    summary = full.report("--all", "--exit-zero")["summary"]
    assert summary["documents_unread"] == len(FILES) + 1
    part = full.check("docs/page.md", "--exit-zero")
    assert "not read" not in part.out


def test_a_range_counts_what_it_does_not_read(full: Repo) -> None:
    """A pull request that put its text into `vendor/` was told: no documents to check."""
    full.commit("vendor/notes.md", "# Notes\n\nSee `src/gone.py:3`.\n")
    for form in ("text", "github"):
        ran = full.check("--range", "HEAD~1..HEAD", "--output-format", form, CI="true")
        assert ran.out.endswith("0 references hold in 0 documents (1 not read)\n"), form


def test_each_has_its_reason(full: Repo) -> None:
    ran = full.check("--all", "--exit-zero", "--show-skipped")
    lines = ran.out.splitlines()
    unread = dict(line.split(": not read: ", 1) for line in lines if ": not read: " in line)
    reasons = {p: why for p, (_, why) in FILES.items()}
    assert unread == {**reasons, "docs/h.md": "the file is not UTF-8"}
    assert [
        line for line in lines if ": skipped: " in line and line.startswith("docs/page.md")
    ] == [
        "docs/page.md:5: skipped: origin/main: no such path, now or in history; perhaps it is a branch,"
        " a package or a route"
    ]
    assert "not read)" in lines[-1]


def test_no_reason_is_empty(full: Repo) -> None:
    full.write(
        "CLAUDE.md",
        "# Notes\n\n- Use `src/new.py`, not `src/old.py`.\n- We removed `src/gone.py`.\n- If `src/x.py` exists, read it.\n"
        "- It is `/api/parcels` and `@scope/name`.\n- See https://example.com/a and https://docs.python.org/3/.\n"
        "- For example, run `make none`.\n\n## Example\n\n```\na/\n├── b.py\n└── c.py\n```\n",
    )  # fmt: skip
    ran = full.check("CLAUDE.md", "--exit-zero", "--show-skipped")
    skipped = [line for line in ran.out.splitlines() if ": skipped: " in line]
    assert len(skipped) >= 5
    assert not [line for line in skipped if line.rstrip().endswith(":")]


def test_a_hook_that_passes_stays_silent(full: Repo) -> None:
    full.write("docs/page.md", READ["docs/page.md"] + "\nMore.\n")
    full.git("add", "--all")
    assert full.check("--staged").out == ""


@pytest.mark.parametrize("scope", ["--all", "--staged"])
def test_a_file_whose_name_is_not_utf_8(repo: Repo, scope: str) -> None:
    """The report could not be cached, and code blocks of all documents were not checked."""
    repo.write(os.fsdecode(b"docs/b\xff.md"), "# B\n\nSee [x](gone.md).\n")
    repo.git("add", "--all")
    ran = repo.check(scope)
    assert (ran.code, "check-failed" in ran.out) == (1, False), ran.err
    assert "gone.md: no such file" in ran.out


def test_explain_gives_the_same_reason(full: Repo) -> None:
    """It said that no document class includes `tests/pages/rows.md`."""
    assert FILES["tests/pages/rows.md"][1] in full.ask("explain", "tests/pages/rows.md").out
