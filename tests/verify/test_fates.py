"""Files that are not in the tree: what the text says of them tells which answer is meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo, page, path

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, Verdict
from grounded_ingest.verify.placeholder_urls import has_blanks, is_prop

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN

TREE: Files = {
    "src/app.py": "PORT = 80\n",
    "src/gone.py": "X = 1\n",
    "src/leaves.py": "Y = 2\nZ = 3\n",
    "src/old_name.py": "A = 1\nB = 2\nC = 3\nD = 4\n",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`src/gone.py` went before, `src/leaves.py` and `src/old_name.py` go with this change."""
    repo = Repo(tmp_path_factory.mktemp("fates") / "repo")
    repo.commit(TREE)
    repo.commit({"src/gone.py": None})
    repo.git("mv", "src/old_name.py", "src/new_name.py")
    repo.git("rm", "-q", "src/leaves.py")
    return repo


def verdicts(repo: Repo, text: str, document: str = "docs/notes.md") -> list[tuple[Verdict, str]]:
    """What became of every own citation of a document that is staged."""
    repo.stage({document: text})
    decided = [d for d in repo.decisions() if d.place.path == document]
    repo.git("rm", "-q", "-f", document)
    return [(e.verdict, e.reason) for d in decided for e in d.own_evidence]


@pytest.mark.parametrize(
    ("text", "verdict", "reason"),
    [
        # What this change removes is removed, as it says; the tree itself bears that out.
        ("The proxy (`src/leaves.py`) is removed.", C, "removed by this change, as it says"),
        ("We removed `src/leaves.py`.", C, "removed by this change, as it says"),
        ("Files deleted: the two in `src/leaves.py`.", C, "removed by this change, as it says"),
        ("Files deleted:\n\n- `src/leaves.py` held it", C, "removed by this change, as it says"),
        ("- Deleted files\n  - `src/leaves.py` held it", C, "removed by this change, as it says"),
        ("## Removed\n\nIt was `src/leaves.py` there.", C, "removed by this change, as it says"),
        ("| File | Fate |\n|-|-|\n| `src/leaves.py` | deleted |", C, "removed by this change"),
        ("`src/old_name.py` → `src/new_name.py` it is.", C, "moved to src/new_name.py, as it"),
        # What went before seems to be what it says; nothing proves that.
        ("The old loader is `src/gone.py` there.", U, "deleted in "),
        # Nobody says that it goes.
        ("The proxy is in `src/leaves.py` now.", R, "removed by this change"),
        ("The loader is in `src/gone.py` now.", R, "deleted in "),
        ("Files deleted:\n\n- x y\n\n## Port\n\nIt is in `src/gone.py` now.", R, "deleted in "),
        ("Deleted two untracked scripts: `src/never.py`, `src/none.py`.", U, "as it seems to say"),
        # What was never there is planned, where the text plans.
        ("The loader is in `src/never.py` now.", R, "no such file"),
        ("Create: the loader `src/never.py` first", U, "if it is planned"),
        ("Files to be created:\n\n- `src/never.py` loads", U, "if it is planned"),
        ("- [ ] The loader is in `src/never.py`", U, "if it is planned"),
        ("- [x] The loader is in `src/never.py`", R, "no such file"),
        ("## Roadmap\n\nThe loader is in `src/never.py`.", U, "if it is planned"),
        ("| Step | File |\n|-|-|\n| Create | `src/never.py` |", U, "if it is planned"),
        # A plan does not cite lines of what is not there, and what was there is no plan.
        ("## Roadmap\n\nThe loader is in `src/never.py:3`.", R, "no such file"),
        ("## Roadmap\n\nThe loader is in [it](../src/never.py).", R, "no such file"),
        ("## Roadmap\n\nThe loader is in `src/gone.py`.", R, "deleted in "),
        # Another repository's.
        ("It is in `src/never.py:3` of the courier repo.", U, "other repository"),
        ("The sister repository has it in `src/never.py:3`.", U, "other repository"),
        ("Upstream fixed `src/never.py:3` then.", U, "other repository"),
        ("| Repo | Place |\n|-|-|\n| courier | `src/never.py:3` |", U, "other repository"),
        ("Scope: `~/x`, a separate git repo.\n\n## A\n\nIt is `src/never.py:3`.", U, "other repos"),
        ("## The courier repo\n\nThe loader is `src/never.py:3`.", U, "other repository"),
        ("It is in `src/never.py:3` of this repo.", R, "no such file"),
        ("See https://github.com/o/r/issues now.\n\n## A\n\nIt is `src/never.py:3`.", R, "no such"),
        # An example.
        ("## Examples\n\nA test is `src/test_login.py:3` here.", U, "perhaps an example"),
        ("## Output format\n\n### Pattern\n\nIt is `src/never.py:3`.", U, "perhaps an example"),
    ],
)  # fmt: skip
def test_what_the_text_says_of_a_missing_file(
    repo: Repo, text: str, verdict: Verdict, reason: str
) -> None:
    title = "" if text.startswith(("Scope", "See http")) else "# Notes\n\n"
    found = verdicts(repo, f"{title}{text}\n")
    assert {v for v, why in found if reason in why} == {verdict}, found


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        ("docs/plans/next.md", U),
        ("docs/QUEUE-DESIGN.md", U),
        ("docs/adr/0009-queue.md", U),
        ("docs/TEMPLATE.md", U),
        ("docs/planets.md", R),
        ("docs/design/queue.md", R),
    ],
)
def test_documents_that_tell_what_is_to_come(repo: Repo, document: str, verdict: Verdict) -> None:
    found = verdicts(repo, page("The loader is in `src/never.py` and loads."), document)
    assert [v for v, _ in found] == [verdict]


@pytest.mark.parametrize(("document", "verdict"), [("docs/archive/old.md", U), ("docs/now.md", R)])
def test_a_record_names_what_was_there_then(repo: Repo, document: str, verdict: Verdict) -> None:
    found = verdicts(repo, page("The loader is in `src/gone.py` and loads."), document)
    assert [v for v, _ in found] == [verdict]


@pytest.mark.parametrize(
    ("cited", "verdict"),
    [
        ("`.tool/state.json`", U),
        ("`out/report.json`", U),
        ("`.tool/absent.json`", R),
        ("`out/other.json`", R),
        ("`out/writer.py`", R),
        ("`out/report.json:3`", R),
        ("[it](../out/report.json)", R),
    ],
)
def test_what_programs_name_may_be_made_where_they_run(
    tmp_path: Path, cited: str, verdict: Verdict
) -> None:
    made = Repo(tmp_path / "work")
    code = 'HOME = ".tool"\nNAME = "state.json"\nREPORT = "out/report.json"\nW = "out/writer.py"\n'
    files = {".tool/config.yml": "a: 1\n", "out/kept.txt": "x\n", "README.txt": "other.json\n"}
    made.commit({"src/store.py": code, **files})
    found = verdicts(made, page(f"The state is kept in {cited} always."), "docs/store.md")
    assert [v for v, _ in found] == [verdict], found


def test_an_exemption_never_approves(repo: Repo) -> None:
    """A removal that the tree bears out grounds nothing, nor does what is planned or foreign."""
    for said in (
        "The port is 80 since `src/leaves.py` was removed.",
        "The port is 80, planned in `src/never.py`.",
        "The port is 80 by `src/never.py:1` of the courier repo.",
    ):
        repo.stage({"docs/notes.md": page(said)})
        (decided,) = (d for d in repo.decisions() if d.place.path == "docs/notes.md")
        assert not decided.approved, (said, decided)


@pytest.mark.parametrize(
    ("raw", "template", "prop"),
    [
        ("patterns/{pattern}.md", True, False),
        ("docs/<name>.md", True, False),
        ("docs/ADR-NNN-title.md", True, False),
        ("docs/2026-MM-DD-x.md", True, False),
        ("logs/build/YYYYMMDD.md", True, False),
        ("docs/cycle-N.md", True, False),
        ("src/path/to/x.py", True, False),
        ("file.ts", False, True),
        ("tests/test_foo.py", False, True),
        ("src/example.py", False, True),
        ("src/X.tsx", False, False),
        ("src/phase-D.md", False, False),
        ("src/file_store.py", False, False),
        ("src/example_loader.py", False, False),
        ("main.py", False, False),
    ],
)
def test_templates_and_names_of_examples(raw: str, template: bool, prop: bool) -> None:
    assert (has_blanks(raw), is_prop(raw)) == (template, prop)


@pytest.mark.parametrize(
    "cited", ["`file.ts:123`", "`src/foo.py:12`", "[it]({pattern}.md)", "[it](docs/<x>.md)"]
)
def test_what_only_shows_a_form_cites_nothing(repo: Repo, cited: str) -> None:
    assert verdicts(repo, page(f"A place is given as {cited} in reports.")) == []


def test_a_file_that_is_called_like_an_example_is_one(repo: Repo) -> None:
    repo.stage({"src/foo.py": "A = 1\n"})
    found = verdicts(repo, page("It is set in `src/foo.py:9` here."))
    assert found == [(R, "src/foo.py has 1 line")]


def test_what_stands_around_is_of_own_paths_and_commits_alone() -> None:
    text = b"Removed: `src/a.py` and ADR-3. The port is 80.\n"
    first, second = extract(text, "a.md", DocClass.DOCS).claims
    assert [(c.raw, c.around) for c in first.citations] == [("src/a.py", ("gone",)), ("3", ())]
    assert {c.around for c in second.citations} == {()}
    assert path("src/a.py").around == ()
