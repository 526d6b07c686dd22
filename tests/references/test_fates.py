"""Missing files: the words of the text decide whether they are wrong, unknown or no reference."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo, page, path

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Decision, DocClass, Verdict
from grounded_ingest.references.exemptions import is_example_name, is_template_path
from grounded_ingest.report.findings import list_findings

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
Decided = dict[tuple[str, str], list[Decision]]

TREE: Files = {
    "src/app.py": "PORT = 80\n",
    "src/gone.py": "X = 1\n",
    "db/schema.sql": "CREATE TABLE t (id INT);\n",
    "src/rows.ex": "defmodule Rows do\n  def a, do: 1\nend\n",
    "src/leaves.py": "Y = 2\nZ = 3\n",
    "src/old_name.py": "A = 1\nB = 2\nC = 3\nD = 4\n",
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """`src/gone.py` and the directory `db` went before, `src/leaves.py` and `src/old_name.py` go with this change."""
    repo = Repo(tmp_path_factory.mktemp("fates") / "repo")
    repo.commit(TREE)
    repo.commit({"src/gone.py": None, "db/schema.sql": None})
    repo.git("mv", "src/rows.ex", "src/rows.ex.eex")
    repo.commit({})
    repo.git("mv", "src/old_name.py", "src/new_name.py")
    repo.git("rm", "-q", "src/leaves.py")
    return repo


def verdicts(repo: Repo, text: str, document: str = "docs/notes.md") -> list[tuple[Verdict, str]]:
    """What became of every own citation of a document that is staged."""
    return own(repo.decide({document: text})[document])


def own(decided: list[Decision]) -> list[tuple[Verdict, str]]:
    return [(e.verdict, e.reason) for d in decided for e in d.own_evidence]


FATES = [
    # What this change removes is removed, as it says; the tree itself bears that out.
    ("The proxy (`src/leaves.py`) is removed.", C, "removed by this change, as the text says"),
    ("We removed `src/leaves.py`.", C, "removed by this change, as the text says"),
    ("Files deleted: the two in `src/leaves.py`.", C, "removed by this change, as the text says"),
    ("Files deleted:\n\n- `src/leaves.py` held it", C, "removed by this change, as the text says"),
    ("- Deleted files\n  - `src/leaves.py` held it", C, "removed by this change, as the text says"),
    ("## Removed\n\nIt was `src/leaves.py` there.", C, "removed by this change, as the text says"),
    ("| File | Fate |\n|-|-|\n| `src/leaves.py` | deleted |", C, "removed by this change"),
    ("`src/old_name.py` → `src/new_name.py` it is.", C, "moved to src/new_name.py, as the text"),
    ("Code no longer lives under `src/leaves.py` there.", C, "removed by this change, as the text"),
    ("The host is in `src/rows.ex` there.", U, "it is made from src/rows.ex.eex"),
    # "old" elsewhere in the sentence does not say that the file is gone.
    ("The old loader is `src/gone.py` there.", R, "deleted in "),
    # Nobody says that it goes.
    ("The proxy is in `src/leaves.py` now.", R, "removed by this change"),
    ("The loader is in `src/gone.py` now.", R, "deleted in "),
    ("We removed the retries; `src/gone.py` loads.", R, "deleted in "),
    ("Files deleted:\n\n- x y\n\n## Port\n\nIt is in `src/gone.py` now.", R, "deleted in "),
    ("Deleted two untracked scripts: `src/never.py`, `src/none.py`.", U, "as the text seems to say"),
    # What was never there is planned, where the text plans.
    ("The loader is in `src/never.py` now.", R, "no such file"),
    ("Create: the loader `src/never.py` first", U, "perhaps it is planned"),
    ("Files to be created:\n\n- `src/never.py` loads", U, "perhaps it is planned"),
    ("- [ ] The loader is in `src/never.py`", U, "perhaps it is planned"),
    ("- [x] The loader is in `src/never.py`", R, "no such file"),
    ("## Roadmap\n\nThe loader is in `src/never.py`.", U, "perhaps it is planned"),
    ("| Step | File |\n|-|-|\n| Create | `src/never.py` |", U, "perhaps it is planned"),
    # A plan does not cite lines of what is not there, and what was there is no plan.
    ("## Roadmap\n\nThe loader is in `src/never.py:3`.", R, "no such file"),
    ("## Roadmap\n\nThe loader is in [it](../src/never.py).", R, "no such file"),
    ("## Roadmap\n\nThe loader is in `src/gone.py`.", R, "deleted in "),
    # Of a directory that is not there only what a commit deleted is known.
    ("The schema is in `db/schema.sql` now.", R, "deleted in "),
    ("The old schema is `db/schema.sql` there.", R, "deleted in "),
    ("The schema is in `db/tables.sql` now.", U, "no such file in this repository"),
    ("The schema is below `db/migrations/` now.", U, "no such file in this repository"),
    ("## Roadmap\n\nThe schema is in `db/schema.sql`.", R, "deleted in "),
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
    ("## Examples\n\nA test is `src/test_login.py:3` here.", U, "perhaps it is an example"),
    ("## Output format\n\n### Pattern\n\nIt is `src/never.py:3`.", U, "perhaps it is an example"),
]  # fmt: skip


def titled(text: str) -> str:
    return f"{text}\n" if text.startswith(("Scope", "See http")) else f"# Notes\n\n{text}\n"


@pytest.mark.parametrize("document", ["docs/notes.md"])
@pytest.mark.parametrize(
    ("text", "verdict", "reason"), [(titled(text), *rest) for text, *rest in FATES]
)
def test_what_the_text_says_of_a_missing_file(
    decided: Decided, document: str, text: str, verdict: Verdict, reason: str
) -> None:
    found = own(decided[document, text])
    assert {v for v, why in found if reason in why} == {verdict}, found


@pytest.mark.parametrize("text", [page("The loader is in `src/never.py` and loads.")])
@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        ("docs/plans/next.md", U),
        ("docs/QUEUE-DESIGN.md", U),
        ("docs/adr/0009-queue.md", U),
        ("docs/TEMPLATE.md", U),
        ("docs/planets.md", R),
        (".claude/commands/plan.md", R),
        ("docs/design/queue.md", U),
    ],
)
def test_documents_that_tell_what_is_to_come(
    decided: Decided, document: str, text: str, verdict: Verdict
) -> None:
    assert [v for v, _ in own(decided[document, text])] == [verdict]


@pytest.mark.parametrize(
    ("document", "verdict"),
    [
        ("docs/archive/old.md", U),
        ("docs/issues/issue-12.md", U),
        ("docs/ISSUES.md", U),
        ("docs/design/queue.md", R),  # a design is kept up to date
        ("docs/requirements/queue.md", R),
        ("docs/now.md", R),
    ],
)
def test_a_record_names_what_was_there_then(repo: Repo, document: str, verdict: Verdict) -> None:
    found = verdicts(repo, page("The loader is in `src/gone.py` and loads."), document)
    assert [v for v, _ in found] == [verdict]
    found = verdicts(repo, page("The loader is [here](../../src/gone.py) and loads."), document)
    assert [v for v, _ in found] == [R if document.count("/") > 1 else U]


MADE = [
    ("`.tool/state.json`", U),
    ("`out/report.json`", U),
    ("`.tool/absent.json`", R),
    ("`out/other.json`", R),
    ("`out/writer.py`", R),
    ("`.tool/gone.json`", R),  # history knows it
    ("[it](../out/report.json)", R),
]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> list[list[Decision]]:
    made = Repo(tmp_path_factory.mktemp("made"))
    code = 'HOME = ".tool"\nNAME = "state.json"\nREPORT = "out/report.json"\nOLD = ".tool/gone.json"\nW = "out/writer.py"\n'
    files = {".tool/config.yml": "a: 1\n", "out/kept.txt": "x\n", "README.txt": "other.json\n"}
    made.commit({"src/store.py": code, ".tool/gone.json": "{}", **files})
    made.commit({".tool/gone.json": None})
    pages = [page(f"The state is kept in {cited} always.") for cited, _ in MADE]
    return [*made.decide({f"docs/store_{n}.md": text for n, text in enumerate(pages)}).values()]


@pytest.mark.parametrize(("row", "verdict"), [(n, v) for n, (_, v) in enumerate(MADE)])
def test_what_programs_name_may_be_made_where_they_run(
    made: list[list[Decision]], row: int, verdict: Verdict
) -> None:
    assert [v for v, _ in own(made[row])] == [verdict], MADE[row]


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
        ("db/YYYYMMDDHHMMSS_add_x.sql", True, False),
        ("docs/cycle-N.md", True, False),
        ("src/path/to/x.py", True, False),
        ("file.ts", False, True),
        ("tests/test_foo.py", False, True),
        ("src/example.py", False, True),
        ("tests/test_your_rule.py", False, True),
        ("src/X.tsx", False, False),
        ("src/phase-D.md", False, False),
        ("src/file_store.py", False, False),
        ("src/example_loader.py", False, False),
        ("main.py", False, False),
    ],
)
def test_templates_and_names_of_examples(raw: str, template: bool, prop: bool) -> None:
    assert (is_template_path(raw), is_example_name(raw)) == (template, prop)


@pytest.mark.parametrize("document", ["docs/notes.md"])
@pytest.mark.parametrize(
    "text",
    [
        page(f"A place is given as {cited} in reports.")
        for cited in ("`file.ts:123`", "`src/foo.py:12`", "[it]({pattern}.md)", "[it](docs/<x>.md)")
    ],
)
def test_what_only_shows_a_form_cites_nothing(decided: Decided, document: str, text: str) -> None:
    assert own(decided[document, text]) == []


def test_a_file_that_is_called_like_an_example_is_one(repo: Repo) -> None:
    repo.stage({"src/foo.py": "A = 1\n"})
    found = verdicts(repo, page("It is set in `src/foo.py:9` here."))
    assert found == [(R, "src/foo.py has 1 line")]


def test_what_stands_around_is_of_own_paths_adrs_and_commits_alone() -> None:
    text = b"Removed: `src/a.py` and ADR-3 for #4. The port is 80.\n"
    first, second = extract(text, "a.md", DocClass.DOCS).claims
    around = [(c.raw, c.around) for c in first.citations]
    assert around == [("src/a.py", ("gone",)), ("3", ("gone",)), ("#4", ())]
    assert {c.around for c in second.citations} == {()}
    assert path("src/a.py").around == ()


CODE = 'ROOT = ".tool"\nSETTINGS = join(ROOT, "notes.jsonl")\nHOOK = "./hooks.sh"  # of a user\nGONE = join(ROOT, "gone.jsonl")\n'


USED = [
    ("Notes are kept in `.tool/notes.jsonl` here.", U),
    ("The hook is read from `./hooks.sh` here.", U),
    ("Notes are kept in `.tool/other.jsonl` here.", R),
    ("The hook is in [`hooks.sh`](./hooks.sh).", R),
    ("The hook is in `./app.py:3` here.", R),
    ("The lock is taken in `core/src/auth.rs:5` here.", U),
    ("The lock is taken in `core/src/auth.py:5` here.", U),
    ("The name is kept in `.tool/gone.jsonl` here.", R),
    ("The name is kept in `.tool/old.jsonl` here.", R),
    ("`$REPOS/site`: `src/never.py` reads the orders.", U),
    ("**~/code/site:** `src/never.py` reads the orders.", U),
    ("The cache in `~/cache` is filled by `src/never.py` at night.", R),
]


@pytest.fixture(scope="module")
def used(tmp_path_factory: pytest.TempPathFactory) -> list[list[Decision]]:
    repo = Repo(tmp_path_factory.mktemp("used"))
    own: Files = {".tool/gone.jsonl": "{}\n", ".tool/old.jsonl": "[]\n"}
    repo.commit({"src/app.py": CODE, ".tool/config": "x\n", "docs/a.txt": "a\n", **own})
    repo.commit(dict.fromkeys(own))
    rows = {f"docs/notes_{n}.md": page(text) for n, (text, _) in enumerate(USED)}
    return [*repo.decide(rows).values()]


@pytest.mark.parametrize(("row", "verdict"), [(n, v) for n, (_, v) in enumerate(USED)])
def test_files_of_the_project_it_is_used_in(
    used: list[list[Decision]], row: int, verdict: Verdict
) -> None:
    assert [v for v, _ in own(used[row])] == [verdict], USED[row]


def test_a_withdrawn_document_names_what_was_there_then(repo: Repo) -> None:
    banner = "# Notes\n\n> **Withdrawn 2026-03-01.** The code is gone.\n\n## Parts\n\n"
    said = "It reads `src/gone.py` here.\n"
    assert [v for v, _ in verdicts(repo, banner + said)] == [U]
    assert [v for v, _ in verdicts(repo, f"# Notes\n\n## Parts\n\n{said}")] == [R]


@pytest.mark.parametrize(
    ("document", "cited", "verdict"),
    [
        ("docs/now.md", "src/app.py::never_there", R),
        ("docs/research/then.md", "src/app.py::never_there", U),
        ("docs/archive/then.md", "src/app.py::never_there", U),
        ("docs/now.md", "twin.py::never_there", U),
        ("docs/now.md", "src/twin.py::never_there", R),
    ],
)
def test_a_definition_that_is_not_there(
    tmp_path: Path, document: str, cited: str, verdict: Verdict
) -> None:
    """Of a record, and of a bare name that two files have."""
    repo = Repo(tmp_path / "repo")
    code = "def there(): ...\n"
    repo.commit({"src/app.py": code, "twin.py": code, "src/twin.py": code})
    found = verdicts(repo, page(f"The loader is `{cited}` and loads."), document)
    assert [v for v, _ in found] == [verdict]


HEADS = [
    ("# Audit\n\nSnapshot: 2026-04-30\n", U),
    ("# Audit\n\n**Snapshot date:** 30 April 2026\n", U),
    ("# Audit\n\n> As of 2026-04-30, on main.\n", U),
    ("# Audit\n\nThis page is a point-in-time snapshot of the tree.\n", U),
    ("---\nsnapshot: 2026-04-30\n---\n\n# Audit\n", U),
    ("---\nas_of: 2026-04-30\n---\n\n# Audit\n", U),
    # A text that is kept up, and words that speak of another snapshot.
    ("# Guide\n\nLast updated: 2026-04-30\n", R),
    ("# Guide\n\nSnapshot tests are run by make.\n", R),
    ("# Guide\n\nAs of version 2.0 there are rows.\n", R),
    ("# Guide\n\nIt runs.\n\n## Old\n\nAs of 2026-04-30, none.\n\n## New\n", R),
]


@pytest.mark.parametrize("document", ["docs/loader.md"])
@pytest.mark.parametrize(
    ("text", "verdict"),
    [(f"{head}\nThe loader is in `src/gone.py` now.\n", verdict) for head, verdict in HEADS],
)
def test_the_snapshot_of_a_day_names_what_was_there(
    decided: Decided, document: str, text: str, verdict: Verdict
) -> None:
    assert [v for v, _ in own(decided[document, text])] == [verdict]


@pytest.mark.parametrize(
    ("heading", "verdict"),
    [
        ("Recently completed (November 16, 2025)", U),
        ("2025-11-16", U),
        ("The loader", R),
    ],
)
def test_a_section_of_a_day_names_what_was_there(
    repo: Repo, heading: str, verdict: Verdict
) -> None:
    text = f"# Progress\n\n## {heading}\n\n### Files\n\n- `src/gone.py` - The loader is new.\n"
    assert [v for v, _ in verdicts(repo, text, "memory-bank/progress.md")] == [verdict]


def test_one_path_that_git_refuses_spoils_no_other(tmp_path: Path) -> None:
    """`git check-ignore` ends at a path beyond a symbolic link, or at an absolute one, and says
    nothing about the others."""
    repo = Repo(tmp_path / "repo")
    repo.commit({".gitignore": "made.md\n", "src/app.py": "PORT = 80\n"})
    (repo.root / "linked").symlink_to("src")
    repo.git("add", "linked")
    repo.git("commit", "-qm", "Link")
    links = "[a](/not/here.md), [b](linked/no.md), [c](made.md) and [d](../away.md)."
    found = verdicts(repo, f"# A\n\nSee {links}\n", "docs/a.md")
    assert (R, "ignored by git, so readers cannot follow the link") in found


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("See [c](made.md).", R),
        ("It is in `docs/made.md`.", U),
        ("See [c](out/made.md).", U),  # a build makes it
        ("See [c](../../src/app.py).", R),
        ("See [c](../../src/never.py).", U),
        ("See [c](../../issues).", U),  # an address of the forge
    ],
)
def test_a_link_to_a_file_that_only_its_author_has(
    tmp_path: Path, text: str, verdict: Verdict
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({".gitignore": "made.md\n", "src/app.py": "PORT = 80\n"})
    assert [v for v, _ in verdicts(repo, f"# A\n\n{text}\n", "docs/a.md")] == [verdict]
    repo.commit({"mkdocs.yml": "site_name: A\n"})  # a plug-in of the site may make the page
    found = verdicts(repo, "# A\n\nSee [c](made.md).\n", "docs/b.md")
    assert [v for v, _ in found] == [U]


@pytest.mark.parametrize(
    ("rules", "ignored"),
    [(b"made/\r\n\r\n*.log\r\n", False), (b"**/never\r\n", True), (b"docs/never/\n", True)],
)
def test_an_empty_line_of_a_gitignore_ignores_nothing(
    tmp_path: Path, rules: bytes, ignored: bool
) -> None:
    """git takes the path `x/` for ignored if the .gitignore has an empty line that ends with CRLF."""
    repo = Repo(tmp_path / "repo")
    repo.commit({".gitignore": rules, "docs/b.md": "# B\n"})
    found = verdicts(repo, "# A\n\nSee [it](never/it.md) there.\n", "docs/a.md")
    assert [why.startswith("ignored by git") for _, why in found] == [ignored]


OWN_NAMES: Files = {
    "build.gradle": "x\n",
    "setup.py": "x\n",
    "named.lock": "x\n",
    "tools/run.sh": "x\n",
    "kept/two.yml": "x\n",
    "two.yml": "y\n",
    "src/app.py": 'LOCK = "named.lock"\n',
}


@pytest.mark.parametrize(
    ("document", "text", "verdict"),
    [
        ("CLAUDE.md", "The app is built by `build.gradle` here.", R),
        ("README.md", "The app is built by `build.gradle` here.", R),
        ("CONTRIBUTING.md", "The app is built by `build.gradle` here.", R),
        ("CLAUDE.md", "The app is set up by `setup.py` here.", R),
        ("tools/README.md", "All is run by `run.sh` here.", R),
        # Readers' projects have files of this name.
        ("README.md", "The app is set up by `setup.py` here.", U),
        # A page speaks of anything; a file elsewhere has the name; code names it; it never was.
        ("docs/page.md", "The app is built by `build.gradle` here.", U),
        ("CLAUDE.md", "The rest is in `two.yml` here.", C),
        ("CLAUDE.md", "The lock is kept in `named.lock` here.", U),
        ("CLAUDE.md", "The app is built by `other.gradle` here.", U),
        ("CLAUDE.md", "All is run by `run.sh` here.", U),
        # A skill is for any project.
        (".claude/skills/x/SKILL.md", "The app is built by `build.gradle` here.", U),
        # A skill for other projects names their files; a project's own skill names its own.
        ("skills/x/SKILL.md", "All is run by `src/never.py` here.", U),
        (".claude/skills/x/SKILL.md", "All is run by `src/never.py` here.", R),
        ("skills/x/SKILL.md", "All is run by `tools/run.sh` here.", R),
        # The text speaks of a plan, an example, or of what went.
        ("CLAUDE.md", "For example `build.gradle` is such a file.", None),
        ("CLAUDE.md", "The old `build.gradle` was removed.", None),
    ],
)
def test_a_bare_name_of_a_removed_file(
    tmp_path: Path, document: str, text: str, verdict: Verdict | None
) -> None:
    repo = Repo(tmp_path)
    repo.commit(OWN_NAMES)
    repo.commit(dict.fromkeys(p for p in OWN_NAMES if p not in ("kept/two.yml", "src/app.py")))
    found = verdicts(repo, f"# Page\n\n{text}\n", document)
    assert [v for v, _ in found] == ([] if verdict is None else [verdict]), found


@pytest.mark.parametrize(
    ("document", "text", "verdict"),
    [
        ("AGENTS.md", "The app is in `src/core/app.py` here.", R),
        ("AGENTS.md", "The app is in `core/app.py` here.", C),  # the root never had `core/app.py`
        ("AGENTS.md", "In `apps/shop`, the app is in `src/core/app.py` here.", C),
        ("AGENTS.md", "# A\n\nSee `apps/shop`.\n\n# B\n\nThe app is in `src/core/app.py`.", R),
        ("AGENTS.md", "The old app was removed from `src/core/app.py` there.", None),
        ("apps/shop/AGENTS.md", "The app is in `src/core/app.py` here.", C),
        ("docs/snippets/see.md", "See [that](other.md) here.", U),
        ("docs/see.md", "See [that](other.md) here.", R),
        ("docs/see.md", "See [that](module-a.html) here.", U),
        ("docs/see.md", "A skill might have `src/a.md`, `src/b.md` and more.", None),
    ],
)
def test_a_path_that_lives_deeper_since_a_commit_moved_it(
    tmp_path: Path, document: str, text: str, verdict: Verdict | None
) -> None:
    """Only a path that the root had is wrong; an end of a path was always meant as an end."""
    repo = Repo(tmp_path)
    repo.commit({"src/core/app.py": "A = 1\nB = 2\nC = 3\n"})
    (tmp_path / "apps/shop").mkdir(parents=True)
    repo.git("mv", "src", "apps/shop/src")
    repo.commit({})
    found = verdicts(repo, f"{text}\n", document)
    own = [(v, reason) for v, reason in found if reason or v is not C]
    if verdict is R and document == "AGENTS.md":
        ((wrong, reason),) = own
        assert wrong is R
        assert reason.startswith("moved to apps/shop/src/core/app.py in ")
    elif verdict is not None:
        assert {v for v, _ in found} == {verdict}, found
    else:
        assert R not in {v for v, _ in found}, found


@pytest.mark.parametrize(
    ("document", "text", "wrong"),
    [
        ("AGENTS.md", "# Guide to the shop repository\n\n## Folders\n\n- `resolving/`: rows.", "next/resolving/"),
        ("AGENTS.md", "In `next/`, `resolving/` has the rows.", ""),
        ("docs/a.md", "The rows are in `resolving/`.", ""),  # no guide to the repository
        ("AGENTS.md", "The rows are in `src/`.", ""),  # any project has one
        ("README.md", "Run `pnpm add ./resolving/dev -g` first.", "next/resolving/dev/"),
        ("AGENTS.md", "# A\n\nAll is in `next/`.\n\n# B\n\n`resolving/` has the rows.", ""),
        ("AGENTS.md", "# A\n\nNext, nextly: `resolving/` has the rows.", "next/resolving/"),
        ("next/docs/README.md", "Run `npm ci resolving/dev/a.ts` first.", ""),
    ],
)  # fmt: skip
def test_a_directory_that_was_moved_into_another(
    tmp_path: Path, document: str, text: str, wrong: str
) -> None:
    repo = Repo(tmp_path)
    repo.commit({"resolving/dev/a.ts": "a\n", "resolving/b.ts": "b\n", "src/c.ts": "c\n"})
    (tmp_path / "next").mkdir()
    repo.git("mv", "resolving", "src", "next")
    repo.commit({})
    repo.stage({document: f"{text}\n"})
    report = repo.check().report
    told = [e.fact for e in list_findings(report) if e.rule == "refuted-citation[path]"]
    assert len(told) == bool(wrong), told
    assert not told or f": moved to {wrong} in " in told[0]


def test_a_directory_keeps_its_fate_whatever_becomes_of_a_file(tmp_path: Path) -> None:
    """A file that comes back alone, or is deleted after the move, says nothing about the rest."""
    repo = Repo(tmp_path)
    repo.commit({f"crates/app/{name}.rs": f"fn {name}() {{}}\n" for name in "abcdfghijklm"})
    repo.git("mv", "crates/app", "app")
    moved = repo.commit({})
    repo.commit({"app/a.rs": None, "crates/app/e.rs": "fn e() {}\n"})
    repo.commit({"crates/app/e.rs": None})
    (tmp_path / "crates/app").rmdir()
    found = verdicts(repo, page("The code is in `crates/app/` here."))
    assert [reason.partition(" (")[0] for _, reason in found] == [f"moved to app/ in {moved[:12]}"]


def test_no_fix_replaces_a_directory_by_the_one_above_it(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({f"pkg/kn/{n}.go": f"package {n}\n" for n in "abc"})
    repo.git("mv", *(f"pkg/kn/{n}.go" for n in "abc"), "pkg")
    repo.commit({"CLAUDE.md": "All is in `pkg/kn/` and not in `pkg/`.\n"})
    (found,) = list_findings(repo.check("all").report)
    assert found.fact.startswith("pkg/kn/: moved to pkg/ in ")
    assert not found.instead


def test_a_directory_that_came_back_is_gone_since_its_last_file(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({f"tools/{n}.py": f"A = {n}\n" for n in range(30)}, day="2020-01-01")
    repo.commit({f"tools/{n}.py": None for n in range(30)}, day="2020-02-01")
    repo.commit({"tools/gen.py": "B = 1\n"}, day="2022-01-01")
    guide = {"CONTRIBUTING.md": "The generators are in `tools/` here.\n"}
    repo.commit(guide, day="2022-03-01")
    repo.commit({"tools/gen.py": None}, day="2023-01-01")
    (tmp_path / "tools").rmdir()
    told = [e.fact for e in list_findings(repo.check("all").report)]
    assert len(told) == 1, "the document is younger than the first removal"


@pytest.mark.parametrize(("second", "verdict"), [("", R), ("web/core/app.py", U)])
def test_the_end_of_a_removed_path_that_was_moved_before(
    tmp_path: Path, second: str, verdict: Verdict
) -> None:
    """A file that is moved with its directory and then removed is one file. Two files with the same
    end are ambiguous."""
    repo = Repo(tmp_path)
    repo.commit({"src/core/app.py": CODE, **({second: f"x = 1\n{CODE}"} if second else {})})
    (tmp_path / "apps").mkdir()
    repo.git("mv", "src", "apps/src")
    repo.commit({})
    repo.commit({"apps/src/core/app.py": None, **({second: None} if second else {})})
    found = verdicts(repo, page("The app is in `core/app.py` here."), "docs/a.md")
    assert [v for v, _ in found] == [verdict], found


@pytest.mark.parametrize("text", [page("It reads `src/gone.py` here.")])
@pytest.mark.parametrize(
    ("document", "verdict"),
    [("docs/upgrade/v1.14.0.md", U), ("docs/2.10.3-notes.md", U), ("docs/v2/notes.md", R)],
)
def test_a_page_about_a_version_names_what_was_there_then(
    decided: Decided, document: str, text: str, verdict: Verdict
) -> None:
    assert [v for v, _ in own(decided[document, text])] == [verdict]


def test_a_page_in_an_ignored_directory_excuses_no_file_beside_it(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/app.py": CODE, ".gitignore": "notes/\nout/\n"})
    text = page("It is `notes/src/b.py` here.", "[This](other.md) is it.", "It is `out/src/b.py`.")
    repo.write({"notes/a.md": text, "notes/src/a.py": "x = 1\n"})
    repo.git("add", "-f", "notes")
    decided = [d for d in repo.decisions() if d.place.path == "notes/a.md"]
    assert [e.verdict for d in decided for e in d.evidence] == [R, R, U]


def test_an_example_name_is_not_the_end_of_a_path(tmp_path: Path) -> None:
    """`file.ts:123` in a template for evidence does not cite `web/lib/file.ts`."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"web/lib/file.py": CODE})
    assert verdicts(repo, page("Evidence: `file.py:123` shows this.")) == []
    assert [v for v, _ in verdicts(repo, page("See `web/lib/file.py:123` here."))] == [R]


def test_a_moved_file_is_not_taken_for_a_copy_that_was_removed_before(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/hooks.py": "A = 1\n", "build/src/hooks.py": "A = 1\n", ".gitignore": ""})
    repo.commit({"build/src/hooks.py": None, ".gitignore": "build/\n"})
    repo.commit({"AGENTS.md": "The hooks are in `src/hooks.py`.\n"})
    repo.stage({"src/hooks.py": None, "src/plugins.py": "A = 1\n"})
    (found,) = list_findings(repo.check("staged").report)
    assert found.fact == "src/hooks.py: moved to src/plugins.py"


def test_commits_of_a_subtree_and_files_that_come_and_go(tmp_path: Path) -> None:
    """`git subtree` makes commits whose paths begin at the root of the other repository."""
    repo = Repo(tmp_path)
    squashed = "Squashed 'docs/' changes\n\ngit-subtree-dir: docs\ngit-subtree-split: 0123abcd"
    for message, times in (("change", 1), ("change", 3), (squashed, 1)):
        repo.commit({"README.md": "# Shop\n", "src/app.py": "A = 1\n"})
        for _ in range(times):
            repo.commit({"src/rows/next.md": "x\n"})
            repo.commit({"src/rows/next.md": None}, message)
        repo.commit({"README.md": "# Shop\n\nRows are in `src/rows/next.md` now.\n"})
        wrong = [e for e in list_findings(repo.check("all").report) if e.severity == "error"]
        assert len(wrong) == (message == "change" and times == 1), (message, times)
        repo = Repo(tmp_path / f"{times}{len(message)}")
