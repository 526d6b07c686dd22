"""Commit citations: the object database decides, and only what base reaches counts."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo, ask, sha

from grounded_ingest.model.claims import Evidence, Verdict
from grounded_ingest.report.findings import list_findings

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`main` with two commits, `side` with one more, and names that look like object ids."""
    repo = Repo(tmp_path_factory.mktemp("commit") / "repo")
    repo.commit({"a.txt": "1\n"}, "First of all")
    repo.commit({"a.txt": "2\n"}, "Second\n\nwith a body")
    repo.git("tag", "base")
    repo.git("checkout", "-q", "-b", "side")
    repo.commit({"a.txt": "3\n"}, "Third")
    repo.git("checkout", "-q", "main")
    repo.git("tag", "deadbee")
    repo.git("tag", "-a", "-m", "annotated", "cafebabe")
    repo.git("branch", "feedface")
    repo.git("remote", "add", "origin", "git@github.com:owner/name.git")
    return repo


def commit(repo: Repo, name: str) -> str:
    return repo.git("rev-parse", name)


def verdict(found: Evidence | None) -> Verdict | None:
    return None if found is None else found.verdict


@pytest.mark.parametrize("length", [7, 8, 12, 39, 40])
@pytest.mark.parametrize("cue", ["", "meant"])
def test_a_prefix_of_its_object_id_names_a_commit(repo: Repo, length: int, cue: str) -> None:
    oid = commit(repo, "HEAD~1")
    found = ask(repo, sha(oid[:length], cue=cue))
    assert found is not None
    assert (found.verdict, found.target, found.quote) == (C, oid, "First of all")


@pytest.mark.parametrize("name", ["deadbee", "cafebabe", "feedface"])
def test_a_tag_or_branch_is_no_object_id(repo: Repo, name: str) -> None:
    assert ask(repo, sha(name)) is None
    found = ask(repo, sha(name, cue="meant"))
    assert found is not None
    assert (found.verdict, found.reason) == (R, "this repository has no such commit")


def test_a_commit_whose_name_a_tag_takes(repo: Repo) -> None:
    oid = commit(repo, "HEAD")
    repo.git("tag", oid[:9], "HEAD~1")
    try:
        found = ask(repo, sha(oid[:9]))
    finally:
        repo.git("tag", "-d", oid[:9])
    assert found is not None
    assert (found.verdict, found.target) == (C, oid)


@pytest.mark.parametrize("name", ["refs/tags/cafebabe", "HEAD:a.txt", "HEAD^{tree}"])
def test_other_objects_are_no_commits(repo: Repo, name: str) -> None:
    oid = commit(repo, name)
    assert ask(repo, sha(oid)) is None
    assert verdict(ask(repo, sha(oid[:12], cue="meant"))) is R


@pytest.mark.parametrize(
    ("cue", "want"), [("", None), ("meant", R), ("foreign", U)], ids=["plain", "meant", "foreign"]
)
@pytest.mark.parametrize("raw", ["1234567", "3f00aa1", "2024010", "0" * 40])
def test_no_such_object(repo: Repo, raw: str, cue: str, want: Verdict | None) -> None:
    assert verdict(ask(repo, sha(raw, cue=cue))) is want


def test_only_on_another_branch(repo: Repo) -> None:
    oid = commit(repo, "side")
    assert verdict(ask(repo, sha(oid))) is U
    assert verdict(ask(repo, sha(oid), base="side")) is C


def test_on_no_branch(repo: Repo) -> None:
    tree = commit(repo, "HEAD^{tree}")
    oid = repo.git("commit-tree", tree, "-m", "loose")
    found = ask(repo, sha(oid))
    assert found is not None
    assert found.verdict is U
    assert "not on the base branch" in found.reason


def test_without_a_known_base(repo: Repo) -> None:
    found = ask(repo, sha(commit(repo, "HEAD")), base="")
    assert found is not None
    assert (found.verdict, found.reason) == (U, "the base branch is unknown")


def test_ambiguous(tmp_path: Path) -> None:
    """Two commits that share seven digits cannot be had cheaply; two of four are looked for."""
    from grounded_ingest.references.commit import _object_id

    repo = Repo(tmp_path)
    repo.commit()
    tree = repo.git("rev-parse", "HEAD^{tree}")
    seen: dict[str, str] = {}
    for n in range(600):
        oid = repo.git("commit-tree", tree, "-m", str(n))
        if oid[:4] in seen:
            break
        seen[oid[:4]] = oid
    from repos import context

    with context(repo) as asked:
        assert _object_id(oid[:4], asked) == "ambiguous"
        assert _object_id(oid, asked) == oid


def test_in_a_shallow_clone_missing_is_unknown(repo: Repo, tmp_path: Path) -> None:
    oid = commit(repo, "HEAD~1")
    repo.git("clone", "-q", "--depth", "1", f"file://{repo.root}", str(tmp_path / "c"))
    found = ask(Repo(tmp_path / "c"), sha(oid, cue="meant"))
    assert found is not None
    assert found.verdict is U
    assert "shallow" in found.reason


@pytest.mark.parametrize("filtered", ["blob:none", "tree:0"])
def test_in_a_partial_clone_nothing_is_fetched(repo: Repo, tmp_path: Path, filtered: str) -> None:
    bare, there = tmp_path / "bare.git", tmp_path / "c"
    repo.git("clone", "-q", "--bare", str(repo.root), str(bare))
    repo.git("-C", str(bare), "config", "uploadpack.allowfilter", "true")
    source = f"file://{bare}"
    repo.git("clone", "-q", "--no-checkout", f"--filter={filtered}", source, str(there))
    clone, oid = Repo(there), commit(repo, "HEAD~1")
    before = clone.git("count-objects", "-v")
    assert verdict(ask(clone, sha(oid[:10]))) is C
    found = ask(clone, sha("3f00aa1", cue="meant"))
    assert found is not None
    assert (found.verdict, found.reason) == (U, "the commit is not in this partial clone")
    assert ask(clone, sha(commit(repo, "HEAD:a.txt"))) is None
    assert clone.git("count-objects", "-v") == before


def test_replaced_and_grafted_history_is_not_honoured(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    first = repo.commit({"a.txt": "1\n"})
    tree = repo.git("rev-parse", "HEAD^{tree}")
    invented = repo.git("commit-tree", tree, "-m", "invented")
    repo.git("replace", "--graft", "HEAD", invented)
    found = ask(repo, sha(invented))
    assert verdict(found) is U
    repo.git("replace", "-d", first)
    (tmp_path / ".git/info").mkdir(exist_ok=True)
    (tmp_path / ".git/info/grafts").write_text(f"{first} {invented}\n")
    assert verdict(ask(repo, sha(invented))) is U


def test_a_sha256_repository(tmp_path: Path) -> None:
    repo = Repo(tmp_path, "--object-format=sha256")
    oid = repo.commit({"src/a.py": "a = 1\n"}, "First")
    found = ask(repo, sha(oid[:12]))
    assert found is not None
    assert (found.verdict, found.target) == (C, oid)
    assert repo.judge(f"Fixed in commit {oid[:12]} (`src/a.py:1`).").rule == "cited"


def test_ancestry_is_asked_once(repo: Repo) -> None:
    from repos import context

    from grounded_ingest.references.context import Request
    from grounded_ingest.references.registry import verify_citations

    with context(repo) as asked:
        requests = [Request("a.md", sha(commit(repo, n)[:10])) for n in ("HEAD", "HEAD~1", "side")]
        verify_citations(requests, asked)
        before = asked.repo.processes
        verify_citations(requests, asked)
        assert asked.repo.processes == before


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("It was mended in commit 4f9c1d2e.", [3]),
        ("Head is commit `4f9c1d2e`.\n\n```console\n$ tool st\nx 4f9c1d2e main\n```", []),
        ("The hash went from commit `4f9c1d2e` to `5d39e19d`.", []),
    ],
)
def test_a_whole_check_of_an_absent_commit(tmp_path: Path, text: str, wrong: list[int]) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/a.md": f"# A\n\n{text}\n"})
    found = list_findings(repo.check("all").report)
    assert [f.line for f in found if f.rule == "refuted-citation[commit]"] == wrong
