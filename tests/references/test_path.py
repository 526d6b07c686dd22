"""Path citations: files and lines of the tree, and which of them count as evidence."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, ask, ask_each, page, path

from grounded_ingest.model.claims import Evidence, Verdict

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
CODE = "a = 1\n\nb = 2\r\nc = 3\x0cd = 4\n"

TREE: Files = {
    "src/app.py": CODE,
    "src/pkg/unique_name.py": "x = 1\n",
    "a/same.py": "x = 1\n",
    "b/same.py": "x = 1\n",
    "memory-bank/near.py": "x = 1\n",
    "src/link.py": "link:app.py",
    "src/away.py": "link:../../outside.py",
    "linked": "link:src",
    "big.py": b"x = 1\n" * 400_000,
    "bin.py": b"\x00\x01",
    "lfs.py": "version https://git-lfs.github.com/spec/v1\noid sha256:1\n",
    ".gitignore": "build/\n*.log\n",
    "Makefile": "all: x\n# note\n",
    ".github/workflows/ci.yml": "on: push\n",
    "data/table.csv": "a,b\n1,2\n",
    "docs/adr/0001-x.md": "# ADR-1: x\n\nStatus: accepted\n\nText.\n",
    "docs/adr/0002-x.md": "# ADR-2: x\n\nStatus: superseded by ADR-1\n\nText.\n",
    "moved/old.py": "x = 1\n",
    "moved/gone.py": "x = 1\n",
    "moved/stays.py": "x = 1\n",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("path") / "repo")
    (repo.root.parent / "outside.py").write_text("secret = 1\n")
    inner = Repo(repo.root.parent / "inner")
    inner.commit({"lib.py": "x = 1\n"})
    repo.commit(TREE)
    repo.git("submodule", "--quiet", "add", str(inner.root), "vendored-lib")
    repo.git("mv", "moved/old.py", "src/old.py")
    repo.git("rm", "-q", "moved/gone.py")
    repo.commit()
    return repo


CITATIONS = (
    (path("src/app.py"), C, ""),
    (path("src/app.py", (1, 1)), C, ""),
    (path("src/app.py", (1, 4)), C, ""),
    (path("src/app.py", (5, 5)), R, "has 4 lines"),
    (path("src/app.py", (3, 10**9)), R, "src/app.py has 4 lines"),
    (
        path("src/app.py", (0, 0)),
        R,
        "this is not a valid range of lines; src/app.py has 4 lines",
    ),
    (path("src/app.py", (0, 1)), R, "this is not a valid range of lines"),
    (path("src/app.py", (3, 1)), R, "this is not a valid range of lines"),
    (path("src/app.py", (2, 2)), U, "blank"),
    (path("near.py", (1, 1)), C, ""),
    (path("unique_name.py", (1, 1)), C, ""),
    (path("pkg/unique_name.py", (1, 1)), C, ""),
    (path("same.py", (1, 1)), U, "ambiguous"),
    (path("ame.py", (1, 1)), U, "no such file"),
    (path("src/"), C, ""),
    (path("src", (1, 1)), R, "directory"),
    (path("pkg/"), C, ""),
    (path("/src/app.py", (1, 1)), C, ""),
    (path("/docs/guide", link=True), U, "route of a web site"),
    (path("/docs/guide"), None, ""),
    (path("../src/app.py", (1, 1), link=True), C, ""),
    (path("src/app.py", link=True), R, "no such file"),  # a browser starts at the page
    (path("../../outside.py", link=True), U, "outside"),
    (path("../../outside.py", (1, 1)), U, "no such file"),
    (path("src/link.py", (1, 1)), U, "link"),
    (path("src/away.py", (1, 1)), U, "link"),
    (path("linked/app.py", (1, 1)), U, "symbolic link linked"),
    (path("../linked/app.py", link=True), U, "symbolic link linked"),
    (path("vendored-lib", (1, 1)), U, "submodule"),
    (path("vendored-lib/lib.py", (1, 1)), U, "submodule vendored-lib"),
    (path("lfs.py", (1, 1)), U, "LFS"),
    (path("bin.py", (1, 1)), U, "not text"),
    (path("big.py", (1, 1)), U, "too large"),
    (path("build/out.py", (1, 1)), U, "ignored"),
    (path("src/debug.log"), U, "ignored"),
    (path("moved/old.py", (1, 1)), R, "moved to src/old.py"),
    (path("moved/gone.py", (1, 1)), R, "deleted in "),
    (path("src/never.py"), R, "no such file"),
    (path("elsewhere/never.py"), U, "no such file in this repository"),
    (path("never.py"), U, "no such file in this repository"),
    (path("src/never.py", cue="planned"), None, ""),
    (path("src/never.py", (3, 3), cue="gone"), None, ""),
    (path("feature/login"), None, ""),
    (path("users/{id}"), None, ""),
    (path(".github/workflows/ci.yml", (1, 1)), C, ""),
    (path("data/table.csv", (2, 2)), C, ""),
    (path("docs/adr/0001-x.md", (5, 5)), C, ""),
    (path("docs/adr/0002-x.md", (5, 5)), R, "superseded"),
    (path("..", link=True), C, ""),
    (path("../..", link=True), U, "outside"),
)


def test_path(repo: Repo) -> None:
    every = ask_each(repo, (citation for citation, *_ in CITATIONS))
    for (citation, verdict, said), found in zip(CITATIONS, every, strict=True):
        assert (found and found.verdict) is verdict, citation
        assert said in (found.reason if found else ""), citation


def test_a_page_may_include_a_file_from_the_folder_of_its_site(repo: Repo) -> None:
    found = ask(repo, path("../../src/app.py"), document="site/en/docs/deep/a.md")
    assert found is not None
    assert found.verdict is C


def test_lines_are_counted_as_git_counts_them(repo: Repo) -> None:
    found = ask(repo, path("src/app.py", (4, 4)))
    assert found is not None
    assert found.quote == "c = 3\x0cd = 4"


def test_a_quote_has_one_fingerprint_whatever_its_indent_and_line_ends(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"a.py": "if x:\n    y = 1\n", "b.py": "if x:\r\n  y = 1\r\n"})
    found = [ask(repo, path(name, (1, 2))) for name in ("a.py", "b.py")]
    assert all(isinstance(e, Evidence) for e in found)
    assert len({e.fingerprint for e in found if e}) == 1


def test_a_thousand_citations_of_a_large_file_are_cheap(tmp_path: Path) -> None:
    import time

    repo = Repo(tmp_path)
    repo.commit({"notes/log.txt": "".join(f"row {n}\n" for n in range(100_000))})
    claims = (f"Row {n} is in the log (`notes/log.txt:{n + 1}`)." for n in range(0, 99_000, 990))
    repo.stage({NOTES: page(*claims)})
    started = time.monotonic()
    told = repo.decisions()
    assert {d.rule for d in told} == {"cited"}
    assert time.monotonic() - started < 10


def test_a_path_that_this_change_moves_or_removes(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"src/old.py": "PORT = 80\nHOST = 'a'\n", "src/gone.py": "X = 1\nY = 2\nZ = 3\n"})
    repo.git("mv", "src/old.py", "src/new.py")
    repo.git("rm", "-q", "src/gone.py")
    repo.stage({NOTES: page("The port is 80 (`src/old.py:1`).", "X is 1 (`src/gone.py:1`).")})
    reasons = [d.evidence[0].reason for d in repo.decisions() if d.place.path == NOTES]
    assert reasons == ["moved to src/new.py", "removed by this change"]
