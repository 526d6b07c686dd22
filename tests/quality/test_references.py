"""Claims that were read and found true, judged as they would have been when they came in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from repos import Repo

from benchmarks.quality.__main__ import command as quality
from benchmarks.quality.references import Reference, fingerprint, judged, read_references
from grounded_ingest.errors import GroundedIngestError

APP = "gateway.host = 'x'; log(requests)\nGATEWAY_PORT = 8443\n"
RIGHT = "The gateway listens on port 8443 (`src/app.py:2`)."
WRONG = "The gateway has ten workers (`src/app.py:90`)."
ITEM = "* Requests are logged\n  by `src/app.py:1`."
ROW = "| gateway | its host is set in `src/app.py:1` |"
BARE = "Every setting of the gateway stands in `src/app.py` alone."
PAGE = f"""# Gateway

Before it runs, the gateway reads its settings.
{RIGHT}

{WRONG}

{ITEM}
* Errors are counted by the minute.

| part | what holds |
|---|---|
{ROW}

{BARE}

    Not a claim (`src/app.py:2`).
"""
NOTES = "docs/gateway.md"


@pytest.fixture
def repos(tmp_path: Path) -> Path:
    """Where clones are; `own/er` is one, its document came with the last commit."""
    repo = Repo(tmp_path / "repos" / "own+er")
    repo.commit({"src/app.py": APP}, "code")
    repo.commit({NOTES: PAGE}, "notes")
    return tmp_path / "repos"


def head(repos: Path) -> str:
    return Repo(repos / "own+er").git("rev-parse", "HEAD")


def reference(repos: Path, cites: str, at: str, **other: Any) -> Reference:
    """A reference to the line of PAGE that holds some words."""
    lines = PAGE.split("\n")
    line = next(n for n, text in enumerate(lines, 1) if at in text)
    known = {"repo": "own/er", "commit": head(repos), "path": NOTES, "kind": "path:line"}
    fields = {**known, "line": line, "cites": cites, "sha256": fingerprint(lines[line - 1])}
    return Reference(**{**fields, **other})


def quiet(share: float, what: str) -> None:
    assert 0 < share <= 1
    assert what


@pytest.mark.parametrize(
    ("at", "cites", "rule"),
    [
        ("port 8443", "src/app.py:2", "verified-citation"),
        ("ten workers", "src/app.py:90", "refuted-citation"),
        ("are logged", "src/app.py:1", "verified-citation"),
        ("| gateway |", "src/app.py:1", "verified-citation"),
        ("Every setting", "src/app.py", "ungrounded"),
        ("Not a claim", "src/app.py:2", "unseen"),
    ],
)
def test_a_reference_is_judged_as_its_claim(repos: Path, at: str, cites: str, rule: str) -> None:
    (found,) = judged([reference(repos, cites, at)], str(repos), quiet).judged
    assert found.rule == rule
    assert found.approved is (rule == "verified-citation")
    assert found.detail


def test_evidence_that_only_comes_after_the_claim_does_not_count(repos: Path) -> None:
    repo = Repo(repos / "own+er")
    repo.commit({"src/app.py": "\n" * 100}, "later")
    (found,) = judged([_early(repos)], str(repos), quiet).judged
    assert found.rule == "refuted-citation"


def _early(repos: Path) -> Reference:
    commit = Repo(repos / "own+er").git("rev-parse", "HEAD^")
    return reference(repos, "src/app.py:90", "ten workers", commit=commit)


def test_the_clone_is_only_read(repos: Path) -> None:
    repo = Repo(repos / "own+er")
    before = repo.git("for-each-ref"), repo.git("status", "--porcelain"), head(repos)
    judged([reference(repos, "src/app.py:2", "port 8443")], str(repos), quiet)
    assert (repo.git("for-each-ref"), repo.git("status", "--porcelain"), head(repos)) == before
    assert not (repo.root / ".git/grounded-ingest").exists()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"line": 1}, "own/er:docs/gateway.md:1 at {head}: it is line 4 now: left out"),
        ({"line": 400}, "own/er:docs/gateway.md:400 at {head}: it is line 4 now: left out"),
        ({"sha256": "0" * 64}, "docs/gateway.md:4 at {head}: the line is another now: left out"),
        ({"path": "docs/no.md"}, "docs/no.md is not there at {head}: 1 reference left out"),
        ({"commit": "ab" * 20}, "is not there at abababababab: 1 reference left out"),
        ({"repo": "no/where"}, "no/where: no clone below {repos}: 1 reference left out"),
    ],
)
def test_what_does_not_stand_is_left_out_and_said(
    repos: Path, changed: dict[str, Any], said: str
) -> None:
    good = reference(repos, "src/app.py:2", "port 8443")
    bad = reference(repos, "src/app.py:2", "port 8443", **changed)
    outcome = judged([good, bad], str(repos), quiet)
    assert [j.reference for j in outcome.judged] == [good]
    (left_out,) = outcome.left_out
    assert said.format(head=head(repos)[:12], repos=repos) in left_out


def test_clones_in_directories_of_their_owner_are_found(repos: Path) -> None:
    (repos / "own").mkdir()
    (repos / "own+er").rename(repos / "own" / "er")
    commit = Repo(repos / "own" / "er").git("rev-parse", "HEAD")
    line = PAGE.split("\n").index(RIGHT) + 1
    told = Reference("own/er", commit, NOTES, line, "path:line", "8443", fingerprint(RIGHT))
    assert judged([told], str(repos), quiet).judged[0].approved


def test_no_clone_at_all_is_an_error(repos: Path, tmp_path: Path) -> None:
    with pytest.raises(GroundedIngestError, match="none of the repositories"):
        judged([reference(repos, "src/app.py:2", "port 8443")], str(tmp_path), quiet)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no labels"),
        ("\n\n", "no labels"),
        ("{}\n", "refs.jsonl:1: "),
        ('\n{"repo": 1}\n', "refs.jsonl:2: "),
        ("not json\n", "refs.jsonl:1: "),
    ],
)
def test_files_that_hold_no_references_are_errors(tmp_path: Path, text: str, said: str) -> None:
    file = tmp_path / "refs.jsonl"
    file.write_text(text)
    with pytest.raises(GroundedIngestError) as error:
        read_references(str(file))
    assert said in str(error.value)


def command(repos: Path, tmp_path: Path, form: str) -> str:
    rows = [
        reference(repos, "src/app.py:2", "port 8443"),
        reference(repos, "src/app.py:90", "ten workers"),
        reference(repos, "src/app.py", "Every setting", kind="path"),
        reference(repos, "src/app.py:2", "port 8443", repo="no/where"),
    ]
    fields = list(Reference.__struct_fields__)
    lines = [json.dumps({f: getattr(r, f) for f in fields}) for r in rows]
    (tmp_path / "refs.jsonl").write_text("\n".join(lines))
    arguments = ["--references", str(tmp_path / "refs.jsonl"), "--repos", str(repos)]
    ran = CliRunner().invoke(
        quality, ["friction", *arguments, "--output-format", form], catch_exceptions=False
    )
    assert ran.exit_code == 0
    return ran.stdout


def test_json_counts_by_kind_and_lists_the_rest(repos: Path, tmp_path: Path) -> None:
    said = json.loads(command(repos, tmp_path, "json"))
    counts = {k["citation"]: (k["claims"], k["approved"], k["friction"]) for k in said["kinds"]}
    assert counts == {"path:line": (2, 1, 0.5), "path": (1, 0, 1.0)}
    assert said["kinds"][1]["rules"] == {"refuted-citation": 1, "verified-citation": 1}
    assert said["kinds"][1]["interval"] == [0.0945, 0.9055]  # Wilson, 1 of 2
    assert [(m["line"], m["rule"]) for m in said["missed"]] == [
        (6, "refuted-citation"), (16, "ungrounded"),
    ]  # fmt: skip
    assert "no/where" in said["left_out"][0]


@pytest.mark.parametrize("form", ["text", "markdown"])
def test_people_read_the_same(repos: Path, tmp_path: Path, form: str) -> None:
    said = command(repos, tmp_path, form)
    assert "own/er:docs/gateway.md:6: refuted-citation (path:line src/app.py:90): " in said
    assert "50.0% (9." in said
    assert "no/where: no clone below" in said


@pytest.mark.parametrize("option", ["--references", "--repos"])
def test_one_option_without_the_other_is_an_error(repos: Path, option: str) -> None:
    value = str(repos) if option == "--repos" else str(Path(__file__))
    ran = CliRunner().invoke(quality, ["friction", option, value])
    assert isinstance(ran.exception, GroundedIngestError)
    assert "go together" in str(ran.exception)


def test_without_references_it_is_the_shipped_repository() -> None:
    ran = CliRunner().invoke(quality, ["friction", "--output-format", "json"])
    said = json.loads(ran.stdout)
    assert said["source"] == "shipped"
    assert {k["citation"] for k in said["kinds"]} >= {"adr", "commit", "path:line"}


def test_the_references_of_this_repository_can_be_read() -> None:
    """At least 200 of at least 6 repositories, none of which has two fifths of a kind."""
    found = read_references(
        str(Path(__file__).parents[2] / "benchmarks/corpus" / "references.jsonl")
    )
    assert len(found) >= 200
    assert len({(r.place, r.cites) for r in found}) == len(found)
    for kind in {r.kind for r in found}:
        owners = [r.repo for r in found if r.kind == kind]
        assert len(set(owners)) >= 4
        assert max(owners.count(o) for o in owners) <= 0.4 * len(owners), kind
    assert all(r.why and len(r.sha256) == 64 and len(r.commit) == 40 for r in found)
