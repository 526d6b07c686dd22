"""Names of code that a claim mentions, asked of the tree and of its history."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from repos import NOTES, Repo, made_wrong, page

from grounded_ingest.git import word_search
from grounded_ingest.git.cache import FILE, Cache
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.git.trees import CommitTree, WorkTree
from grounded_ingest.references import defined_symbol
from grounded_ingest.text.dated_paths import is_about_one_day

APP = "def decode(token):\n    return token\n\n\nclass Store:\n    def load_row(self): ...\n"
OTHER = "def parse_config(): ...\n\n\ndef twice_defined(): ...\n"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path)
    repo.commit(
        {
            "src/app.py": APP + "\n\ndef old_name(x):\n    return x + 1\n\n\ndef gone_now(): ...\n",
            "src/other.py": OTHER,
            "src/third.py": "def twice_defined(): ...\n",
        }
    )
    removed = APP + "\n\ndef new_name(x):\n    return x + 1\n"
    repo.commit({"src/app.py": removed}, "Rename one, drop one")
    return repo


NAMES = (
    ("`parse_config()` is defined in `src/other.py`.", "proved", ""),
    ("The function is `Store.load_row`.", "cited", ""),
    ("`load_row` in `src/app.py` is called by `decode`.", "cited", ""),
    (
        "`old_name()` adds one to what it is given.",
        "refuted-citation",
        "renamed to new_name in ",
    ),
    ("`gone_now` runs at start.", "refuted-citation", "removed in"),
    ("`load_row` in `src/other.py` reads a row.", "refuted-citation", "src/app.py defines it"),
    (
        "It calls `load_row`, which is defined in `src/other.py`.",
        "refuted-citation",
        "src/app.py defines it",
    ),
    ("`twice_defined()` runs at start.", "ungrounded", ""),
    ("`never_there()` runs at start.", "ungrounded", ""),
    ("`gone_now` was removed.", "ungrounded", ""),
    ("`gone_now` does not run at start.", "refuted-citation", "removed in"),
    ("Rows are dropped by `gone_now()` at night.", "refuted-citation", "removed in"),
    ("Rows were dropped by `gone_now()` at night.", "ungrounded", ""),
    ("`gone_now()` removes empty rows at night.", "refuted-citation", "removed in"),
    ("`gone_now()` decides if a row is skipped.", "refuted-citation", "removed in"),
    ("`old_name()` is replaced by `new_name()` today.", "cited", ""),
    ("`os.path_join` joins paths at start.", "ungrounded", ""),
    ("`parse_config` reads twelve files.", "cited", ""),
    ("`decode` in `src/app.py` gives the token.", "cited", ""),
    ("`decode` is in `src/app.py`.", "proved", ""),
)


def test_a_name_of_code(repo: Repo) -> None:
    judged = repo.judge_each(claim for claim, *_ in NAMES)
    for claim, rule, said in NAMES:
        decided = judged[claim]
        assert decided.rule == rule, (claim, decided.own_evidence)
        reasons = [e.reason for e in decided.own_evidence if e.kind == "symbol"]
        assert not said or any(said in reason for reason in reasons), (claim, reasons)


def test_a_change_of_code_names_the_claims_it_makes_wrong(repo: Repo) -> None:
    repo.commit({NOTES: "# N\n\n- `parse_config` reads all files at start.\n- Other text.\n"})
    repo.stage({"src/other.py": OTHER.replace("parse_config", "read_config")})
    ((path, line, said),) = made_wrong(repo.check())
    assert (path, line) == (NOTES, 3)
    assert "renamed to read_config by this change" in said


def test_what_is_kept_says_the_same(repo: Repo) -> None:
    claim = "# Notes\n\n`Store.load_row` is in `src/app.py`.\n"
    repo.stage({NOTES: claim})
    cold = repo.check(cache=True).report.decisions
    warm = repo.check(cache=True).report.decisions
    assert cold == warm
    assert cold[0].rule == "proved"


def test_a_name_that_never_was_is_wrong_once_a_commit_removed_it(repo: Repo) -> None:
    """What the first run kept of history does not outlive the commits that came since."""
    repo.stage({NOTES: "# N\n\n`never_there()` runs at start.\n"})
    assert repo.check(cache=True).report.decisions[-1].rule == "ungrounded"
    repo.commit({"src/new.py": "def never_there(): ...\n"})
    repo.commit({"src/new.py": "A = 1\n"}, "Drop it again")
    repo.stage({NOTES: "# N\n\n`never_there()` runs at start, always.\n"})
    decided = repo.check(cache=True).report.decisions
    assert [d.rule for d in decided] == ["refuted-citation"]


def test_a_document_of_base_is_asked_about_at_once(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = ("is in", "is defined in", "lives in")
    lines = [f"`parse_config` {words} `src/other.py`, and reads all files." for words in said]
    repo.commit({"memory-bank/list.md": page(*lines)})
    asked: list[int] = []
    real = defined_symbol.files_with

    def counted(*given: Any, **more: Any) -> Any:
        asked.append(1)
        return real(*given, **more)

    monkeypatch.setattr(defined_symbol, "files_with", counted)
    repo.stage({NOTES: page(*lines)})
    assert [d.rule for d in repo.decisions()] == ["duplicate"] * 3
    assert len(asked) == 2, "once for the documents of the change, once for that of base"


def test_a_document_that_took_a_name_up_when_it_was_gone_tells_of_what_was(repo: Repo) -> None:
    """The same sentence in a document that named it before, in one that records its end, and new."""
    said = "`gone_now` is called by the importer at start."
    first = repo.git("rev-list", "--max-parents=0", "HEAD")
    repo.git("checkout", "--quiet", "-b", "other", first)
    repo.commit({"docs/guide.md": f"# Guide\n\n{said}\n"})
    repo.commit({"src/app.py": APP}, "Drop both")
    repo.commit({"docs/later.md": f"# Later\n\n{said}\n"})
    decided = repo.check("all").report.decisions
    refuted = {d.place.path: any(e.verdict == "refuted" for e in d.evidence) for d in decided}
    assert (refuted["docs/guide.md"], refuted["docs/later.md"]) == (True, False)
    assert any(e.verdict == "refuted" for e in repo.judge(said).evidence)


def git_grep(repo: Repo, word: str, *where: str) -> list[str]:
    """Returns the text files that contain a word, as git finds them."""
    options = ("-I", "-l", "-w", "-F", "--full-name", "-e", word, *where)
    with Opened(str(repo.root), own=False) as opened:
        return sorted(opened.run("grep", *options, ok=(0, 1)).decode().splitlines())


WORDS = (
    "foo", "bar", "foo_bar", "foo$x", "3foo", "_foo", "missing", "über", "漢", '"foo"', "a b/c.py",
    "dry-run", "no-dry-run", "run-now", "dry-now", "run", "a-b-c-d-e-f-g-h-i", "b-c-d-e-f-g-h-i-j",
)  # fmt: skip


def test_the_index_of_words_says_what_git_says(repo: Repo) -> None:
    text = "über foo_bar 3foo foo-bar\nFOO _foo foo$x\n漢foo字 'foo' a-b-c-d-e-f-g-h-i-j\n"
    text += '--no-dry-run-now x-dry-run\nfoo"foo" x"foo"x\n'
    files = {"a.txt": text, "b.bin": b"foo\0", "empty": "", "docs/a b.md": "foo bar a b/c.py\n"}
    repo.commit({**files, "same.txt": text, "c.txt": 'x"foo" foo"\n'})
    head = repo.git("rev-parse", "HEAD")
    repo.write({"loose.py": "bar\n"})
    with Opened(str(repo.root), own=False) as opened:
        in_work_tree = word_search.files_with(opened, WorkTree(opened), WORDS, cache=Cache(""))
        in_commit = word_search.files_with(opened, CommitTree(opened, head), WORDS, cache=Cache(""))
    assert in_work_tree["foo"] == ["a.txt", "c.txt", "docs/a b.md", "same.txt"]
    for word in WORDS:
        assert in_work_tree.get(word, []) == git_grep(repo, word, "--untracked"), word
        found = [line.partition(":")[2] for line in git_grep(repo, word, head)]
        assert in_commit.get(word, []) == found, word


def test_only_files_that_changed_are_read_again(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run reads from the cache file, even if several files have the same content."""
    repo.commit({"a.txt": "foo bar-baz\n", "b.txt": "foo\n", "c.txt": "foo\n", "empty.txt": "\n"})
    kept, words, read = Cache(str(tmp_path / ".git/kept")), ["foo", "bar-baz", "qux"], list[str]()
    real = WorkTree.read
    monkeypatch.setattr(WorkTree, "read", lambda self, path: read.append(path) or real(self, path))

    def search(cache: Cache) -> dict[str, list[str]]:
        with Opened(str(repo.root), own=False) as opened:
            chosen = word_search.all_except("md py")
            return word_search.files_with(opened, WorkTree(opened), words, chosen, cache=cache)

    assert search(kept) == {"foo": ["a.txt", "b.txt", "c.txt"], "bar-baz": ["a.txt"]}
    repo.write({"b.txt": "qux\n"})
    read.clear()
    found = search(kept)
    assert read == ["b.txt"]
    assert (
        found
        == search(Cache(""))
        == {"foo": ["a.txt", "c.txt"], "bar-baz": ["a.txt"], "qux": ["b.txt"]}
    )


def test_an_index_that_another_process_emptied_is_not_believed(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    repo.commit({"a.txt": "foo\n"})
    monkeypatch.setattr(word_search, "KEPT", -2)
    with Opened(str(repo.root), own=False) as opened, Opened(str(repo.root), own=False) as other:
        for each in (opened, other, opened):
            kept = Cache(str(tmp_path / ".git/kept"))
            found = word_search.files_with(each, WorkTree(each), ["foo"], cache=kept)
            assert found == {"foo": ["a.txt"]}


def test_a_full_cache_neither_hides_words_nor_takes_them_again(
    repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file packed all words again, so a repository with large files took minutes."""
    files = {f"{n}.txt": f"foo bar{n}\n" for n in range(60)}
    repo.commit(files)
    monkeypatch.setattr(word_search, "BATCH", 1)
    packed: list[int] = []
    real = word_search._packed
    monkeypatch.setattr(word_search, "_packed", lambda numbers: packed.append(1) or real(numbers))
    for room, once in ((word_search.ROOM, True), (0, False)):
        monkeypatch.setattr(word_search, "ROOM", room)
        with Opened(str(repo.root), own=False) as opened:
            kept = Cache(str(tmp_path / f".git/kept-{room}"))
            found = word_search.files_with(opened, WorkTree(opened), ["foo", "bar7"], cache=kept)
        assert found == {"foo": sorted(files), "bar7": ["7.txt"]}
        assert bool(packed) is once
        packed.clear()


def test_a_damaged_index_is_read_again(repo: Repo, tmp_path: Path) -> None:
    repo.commit({"a.txt": "foo\n", "b.txt": "foo bar\n"})
    for damage in ("UPDATE word SET files=x'00'", "UPDATE word SET first='x'", "DROP TABLE word"):
        for _ in range(2):
            with Opened(str(repo.root), own=False) as opened:
                found = word_search.files_with(
                    opened, WorkTree(opened), ["foo"], cache=Cache(str(tmp_path / ".git/kept"))
                )
                assert found == {"foo": ["a.txt", "b.txt"]}, damage
        with closing(sqlite3.connect(tmp_path / ".git/kept" / FILE)) as db:
            db.execute(damage)
            db.commit()


def test_a_kind_that_breaks_on_a_claim_makes_it_wait(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise RuntimeError("no such luck")

    monkeypatch.setattr(defined_symbol, "mentions", broken)
    decided = repo.judge("`parse_config` is in `src/other.py`.")
    assert decided.rule == "check-failed"
    assert any("no such luck" in e.reason for e in decided.own_evidence)


def test_a_range_reports_the_names_that_the_hook_reports(repo: Repo) -> None:
    """In a range, the commit that wrote the sentence counted as landed, so that only the hook, which
    `--no-verify` skips, reported the name."""
    start = repo.git("rev-parse", "HEAD")
    hook = repo.judge("`gone_now` runs at start.")
    repo.git("switch", "-q", "-c", "topic")
    repo.commit()
    (ranged,) = repo.decisions("range", start=start)
    assert (hook.rule, ranged.rule) == ("refuted-citation", "refuted-citation")


def test_a_heading_that_takes_back_what_stands_below(repo: Repo) -> None:
    heads = ("## Pilot (parked)", "## Pilot, withdrawn in July")
    assert _rules_below(repo, heads) == ["ungrounded"] * 2


HEADS = (
    ("> **Withdrawn 2026-03-01. The code this describes no longer exists.**", "ungrounded"),
    ("> Warning: HISTORICAL \u2014 the code this assesses no longer exists.", "ungrounded"),
    ("Superseded by `other.md`.", "ungrounded"),
    ("This guide is no longer maintained.", "ungrounded"),
    ("Kept as a record of the approach, and of why it was dropped.", "ungrounded"),
    ("**Runtime:** 4.6\n**Start commit:** `33e9567b04d0`", "ungrounded"),
    ("**Status**: Phase 2 complete\n**Priority**: high", "ungrounded"),
    ("This guide is not deprecated.", "refuted-citation"),
    ("Historical data is loaded by the importer.", "refuted-citation"),
    ("Deprecated flags are listed at the end.", "refuted-citation"),
    ("Replaces `caldav.md`, which told of an API that was removed.", "refuted-citation"),
    ("The commit: its author and its day are shown.", "refuted-citation"),
    ("**Status**: stable", "refuted-citation"),
)


def test_the_head_of_a_document_says_that_it_is_a_record(repo: Repo) -> None:
    heads = (f"{head}\n\n## Parts" for head, _ in HEADS)
    assert _rules_below(repo, heads) == [rule for _, rule in HEADS]


def test_a_section_of_a_day_names_what_was_there_then(repo: Repo) -> None:
    heads = ("## 2026-03-01", "## Recent changes", "## P")
    assert _rules_below(repo, heads) == ["ungrounded", "ungrounded", "refuted-citation"]


def _rules_below(repo: Repo, heads: Iterable[str]) -> list[str]:
    """The rules for a claim about a name that is gone, below each of these heads."""
    said = "`gone_now` runs at start."
    texts = {f"memory-bank/n{n}.md": f"# N\n\n{head}\n\n{said}\n" for n, head in enumerate(heads)}
    decided = repo.decide(texts).values()
    return [next(d.rule for d in found if d.place.claim.text == said) for found in decided]


def test_each_branch_knows_what_its_own_commits_removed(repo: Repo) -> None:
    def said() -> list[str]:
        decided = repo.check("all", cache=True).report.decisions
        return [
            e.reason.partition(" (")[0]
            for d in decided
            for e in d.evidence
            if e.verdict == "refuted"
        ]

    first = repo.git("rev-list", "--max-parents=0", "HEAD")
    # The document named it while it was there: it is behind, and no record.
    repo.git("checkout", "--quiet", "-b", "other", first)
    repo.commit({NOTES: "# N\n\n`gone_now` runs at start.\n"})
    head = repo.commit({"src/app.py": APP}, "Drop both")
    assert said() == said() == [f"removed in {head[:12]}"]
    repo.commit({"src/more.py": "A = 1\n"})
    assert said() == [f"removed in {head[:12]}"]
    repo.git("checkout", "--quiet", "-b", "third", first)
    repo.commit({NOTES: "# N\n\n`gone_now` runs at start.\n"})
    there = repo.commit({"src/app.py": None}, "Drop all")
    assert said() == [f"removed in {there[:12]}"]


@pytest.mark.parametrize(
    ("path", "dated"),
    [
        ("docs/ui/hpa-376/contract.md", True),
        (".claude/PRPs/issues/issue-396.md", True),
        ("docs/epics/EPIC-23_README.md", True),
        ("docs/completed/gateway.md", True),
        ("docs/part-01/gateway.md", False),
        ("docs/utf-8.md", False),
        ("docs/issue-tracker.md", False),
        ("docs/tasks.md", False),
        ("CLAUDE.md", False),
    ],
)
def test_a_document_of_one_piece_of_work_tells_of_its_day(path: str, dated: bool) -> None:
    assert is_about_one_day(path) is dated


def test_a_name_that_the_page_itself_defines_is_not_the_removed_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/a.py": "class MyNode:\n    pass\n"})
    repo.commit({"src/a.py": "X = 1\n"})
    shown = "```python\nclass MyNode:\n    pass\n```\n"
    assert repo.judge("The class `MyNode` runs.").rule == "refuted-citation"
    assert repo.judge(f"The class `MyNode` runs.\n\n{shown}").rule != "refuted-citation"


def test_a_method_that_a_struct_of_go_does_not_have(repo: Repo) -> None:
    """A struct with an embedded type has the methods of that type, which may be elsewhere."""
    for fields, rule in {
        "\tname string\n": "refuted-citation",
        '\tname string\n\tBase `json:"x"`\n': "ungrounded",
    }.items():
        repo.commit({"src/row.go": f"package row\n\ntype RowStore struct {{\n{fields}}}\n"})
        assert repo.judge("Rows are kept by `RowStore.KeepRows`.").rule == rule


def test_a_method_that_the_only_object_of_a_class_does_not_have(repo: Repo) -> None:
    code = "class Kept {\n  loadRow() {}\n}\nconst StoreManager = new Kept();\n"
    users = {f"src/user{n}.ts": "StoreManager.loadRow();\n" for n in range(defined_symbol.FILES)}
    repo.commit({"src/manager.ts": f"{code}export default StoreManager;\n", **users})
    names = ("StoreManager.keepRow", "StoreManager.loadRow")
    judged = repo.judge_each(f"Rows are kept by `{name}`." for name in names)
    assert [found.rule for found in judged.values()] == ["refuted-citation", "ungrounded"]


RUST = """pub struct RowStore<'a> { rows: &'a str }
impl<'a> RowStore<'a> { pub fn keep_rows(&self) {} }
pub trait Counted { fn count_rows(&self) {} }
impl Counted for RowStore<'_> {}
pub struct Other {}
impl Other { pub fn drop_rows(&self) {} }
"""
PYTHON = """class Meta(type): ...


class BookShelf(metaclass=Meta):
    def keep_books(self): ...


class Lamp:
    def toString(self): ...

    def light_room(self): ...
"""
MEMBERS = (
    ("RowStore::drop_rows", "src/row.rs has no RowStore.drop_rows"),
    ("RowStore::never_there", "src/row.rs has no RowStore.never_there"),
    ("RowStore::keep_rows", ""),
    ("RowStore::count_rows", ""),  # from a trait
    (
        "BookShelf.light_room",
        "src/api.py has no BookShelf.light_room",
    ),  # two classes have this name
    ("BookShelf.lend_books", ""),  # only one of the two classes has it
    ("BookShelf.toString", ""),
    ("Kiln::drop_rows", "src/kiln.rs has no Kiln.drop_rows"),
    ("Kiln::heat", ""),
    ("Lamp::drop_rows", ""),  # Python writes a dot
    ("Lamp.drop_rows", ""),  # a class with a name of one word
    ("LentBook.lightRoom", "src/LentBook.java has no LentBook.lightRoom"),
    ("MadeBook.lightRoom", ""),  # Lombok gives it methods
)


def test_a_member_that_only_another_type_has(repo: Repo) -> None:
    second = "class BookShelf:\n    def lend_books(self): ...\n"
    java = "@{}\nclass {} {{}}\nclass Room {{ void lightRoom() {{}} }}\n"
    repo.commit(
        {
            "src/row.rs": RUST,
            "src/fault.rs": "enum Fault {\n    RowStore { row: u8 },\n}\n",
            "src/shelf.py": PYTHON,
            "src/kiln.rs": "pub struct Kiln(Clay);\nimpl Kiln { pub fn heat(&self) {} }\n",
            "src/api.py": second,
            "src/LentBook.java": java.format("Old", "LentBook"),
            "src/MadeBook.java": java.format("Data", "MadeBook"),
        }
    )
    judged = repo.judge_each(f"Rows are kept by `{name}`." for name, _ in MEMBERS)
    repo.commit({"site/mkdocs.yml": "site_name: Rows\n", "site/docs/index.md": "# Rows\n"})
    on_site = "site/docs/rows.md"
    assert repo.judge("Rows are kept by `RowStore::drop_rows`.", on_site).wrong
    repo.commit()
    assert [d for d in repo.decisions("all") if d.place.path == on_site and d.wrong] == []
    for (name, why), decided in zip(MEMBERS, judged.values(), strict=True):
        found = [e.reason for e in decided.own_evidence if e.verdict == "refuted"]
        assert found == [why] * bool(why), name


CALLS = "Use `store.add_row()`, `store.drop_row()`, `store.load_rows(3)` and `store.find_row(1)`.\n"
STORE = "class Rows:\n" + "".join(
    f"    def {name}(self, n=0):\n        return n\n\n"
    for name in ("add_row", "drop_row", "load_rows", "find_row")
)


@pytest.mark.parametrize(
    ("claim", "above", "told"),
    [
        ("Close it with `store.close_rows()`.", CALLS, "although it has 4 others"),
        ("Close it with `cart.close_rows()`.", CALLS, ""),  # nothing else is called on it
        ("Close it with `store.close_rows()`.", "Use `store.add_row()`.\n", ""),
        ("Close it with `store.close()`.", CALLS, ""),  # any library has it
        (
            "Close it with `depot.close_rows()`.",
            "`depot.add_row()` `depot.range()` `depot.return()`\n",
            "although it has 3 others",
        ),
        # The code has only a part of the others, so `store` may be of another package.
        (
            "Close it with `store.close_rows()`.",
            f"{CALLS}`store.put_row()` `store.get_row()`\n",
            "",
        ),
    ],
)
def test_calls_on_a_receiver(tmp_path: Path, claim: str, above: str, told: str) -> None:
    """A new call that no code has is wrong beside calls of functions that code defines."""
    repo = Repo(tmp_path)
    repo.commit({"src/rows.py": f"{STORE}range(3)\n", "README.md": f"# Shop\n\n{above}"})
    decision = repo.judge(claim)
    assert told in " ".join(e.reason for e in decision.wrong), decision
    assert bool(decision.wrong) == bool(told)
    repo.commit()
    old = [d for d in repo.decisions("all") if d.wrong]
    assert old == [], "what stood there before may have been about another version"


def test_removed_names_on_a_page_of_a_site(repo: Repo) -> None:
    """Old text may be about another version of the code, but a new sentence is about this one."""
    repo.commit({"site/mkdocs.yml": "site_name: Rows\n", "site/docs/index.md": "# Rows\n"})
    page, claim = "site/docs/rows.md", "`gone_now` runs at start."
    assert repo.judge(claim, page).rule == "refuted-citation"
    repo.commit()
    assert [d for d in repo.decisions("all") if d.place.path == page and d.wrong] == []
    repo.git("mv", page, "site/docs/columns.md")
    assert not any(d.wrong for d in repo.decisions()), "a moved page is old text"
