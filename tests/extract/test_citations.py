"""What counts as a citation, what only looks like one, and what the sentence says of it."""

from __future__ import annotations

import pytest

from grounded_ingest.extract.citations import looks_like_path, path_citation, url_citation
from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Citation, DocClass


def cited(source: str, *, own: bool = True) -> list[Citation]:
    found = extract(source.encode(), "a.md", DocClass.MEMORY)
    return [c for claim in found.claims for c in claim.citations if c.own is own]


def short(source: str) -> list[str]:
    """Citations as `kind raw:first-last`."""
    return [
        f"{c.kind} {c.raw}" + (":{}-{}".format(*c.lines) if c.lines else "") for c in cited(source)
    ]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("See `src/a.py` for it.", ["path src/a.py"]),
        ("See `src/a.py:12` for it.", ["path src/a.py:12-12"]),
        ("See `src\\app\\main.py` for it.", ["path src/app/main.py"]),
        ("See `src\\main.py:12` for it.", ["path src/main.py:12-12"]),
        ("See `.\\tools\\run.ps1` for it.", ["path ./tools/run.ps1"]),
        ("See `logo@2x.png` for it.", ["path logo@2x.png"]),
        ("See `src/a.py:12-14` for it.", ["path src/a.py:12-14"]),
        ("See `src/a.py:12:5` for it.", ["path src/a.py:12-12"]),
        ("See `a.py:62, 106-9` for it.", ["path a.py:62-62", "path a.py:106-9"]),
        ("See `src/a.py#L3-L9` for it.", ["path src/a.py:3-9"]),
        ("See `src/a.py#L3C1-L9C2` for it.", ["path src/a.py:3-9"]),
        ("See `src/a.py:12:5-20:3` for it.", ["path src/a.py:12-20"]),
        ("See `src/a.py:12:5-20` for it.", ["path src/a.py:12-12"]),
        ("See `src/a.py:12:` for it.", ["path src/a.py:12-12"]),
        (f"See `a.py:3-{'9' * 26}` for it.", ["path a.py:3-1000000000"]),
        (f"See a.py:{'9' * 26} for it.", ["path a.py:1000000000-1000000000"]),
        ("See `a.py#L3-999999999` for it.", ["path a.py:3-999999999"]),
        ("See [it](a.py#L3-L99999999).", ["path a.py:3-99999999"]),
        (f"See `a.py:3, {'9' * 26}`.", ["path a.py:3-3", "path a.py:1000000000-1000000000"]),
        ("See `a.py:0` for it.", ["path a.py:0-0"]),
        ("See `a.py:9-3` for it.", ["path a.py:9-3"]),
        *(
            (f"See `a.py{tail}` for it.", ["path a.py:0-0"])
            for tail in (":-3", ":3-", ":3--5", ":3-5-9", "#L-3", "#L3--9")
        ),
        *(
            (f"See `docs/a.md{tail}` for it.", ["path docs/a.md"])
            for tail in (
                ":name",
                "::name",
                ":1.2.3",
                ":12ff",
                "#3-install",
                "#L-shaped",
                "#L3-notes",
                ":-",
            )
        ),
        ("It is a.py:- as it was.", []),
        ("See `example.com:8080` for it.", []),
        ("See src/a.py:12 for it.", ["path src/a.py:12-12"]),
        ("See src/a.py:12: it is so.", ["path src/a.py:12-12"]),
        ("See (a.py:1–2) for it.", ["path a.py:1-2"]),
        ("See src/a.py for it.", ["path src/a.py"]),
        ("See ./src/a.py, b/c.py and d/e.go.", ["path ./src/a.py", "path b/c.py", "path d/e.go"]),
        ("See Node.js and x/y for it, and/or.js.", []),
        ("It is in the directory src/store.", ["path src/store"]),
        (
            "It is in the folder src/store/ there, not in lib/store.",
            ["path src/store", "path lib/store"],
        ),
        ("See `pkg/m.py::K.method()` for it.", ["path pkg/m.py"]),
        ("See `foo.go:Bar` for it.", ["path foo.go"]),
        ("See `Makefile` and `docs/` for it.", ["path Makefile", "path docs/"]),
        ("See [it](src/a.py#L10-L20) now.", ["path src/a.py:10-20"]),
        ("See [it](../b%20c.md#part) now.", ["path ../b c.md"]),
        ("See [it](b.md?plain=1) now.", ["path b.md"]),
        ("See [`a.py`](src/a.py) now.", ["path src/a.py"]),
        ("See [it][r] now.\n\n[r]: x.md", ["path x.md"]),
        ("It is in `docs/index.html` now.", ["path docs/index.html"]),
        ("It is in `text/0001-x.md` now.", ["path text/0001-x.md"]),
        ("It is in `.github/w.yml` now.", ["path .github/w.yml"]),
        ("See ADR-3 for it.", ["adr 3"]),
        ("See ADR-003, ADR 0020 and adr_4.", ["adr 003", "adr 0020", "adr 4"]),
        ("See `ADR-003` for it.", ["adr 003"]),
        ("See [ADR-3](docs/adr/0003-x.md).", ["path docs/adr/0003-x.md"]),
        ("Done in 3f2a1bc for it.", ["commit 3f2a1bc"]),
        ("Done in `3F2A1BC` for it.", ["commit 3f2a1bc"]),
        ("It is 5c621ffb..ca60d89f now.", ["commit 5c621ffb", "commit ca60d89f"]),
        (f"It is {'3f2a1bcd' * 5} now.", [f"commit {'3f2a1bcd' * 5}"]),
        ("See https://e.com/a_(b), it is.", ["url https://e.com/a_(b)"]),
        ("It is (https://e.com/d).", ["url https://e.com/d"]),
        ("It is **https://e.com/d**.", ["url https://e.com/d"]),
        ("It is <https://e.com/d>.", ["url https://e.com/d"]),
        ("It is [there](https://e.com/d).", ["url https://e.com/d"]),
        ("See #12 for it.", ["issue #12"]),
        ("See GH-12 for it.", ["issue #12"]),
        ("See !12 for it.", ["issue !12"]),
        ("See owner/repo#12 for it.", ["issue owner/repo#12"]),
        ("It is fixed (#12, #13).", ["issue #12", "issue #13"]),
        *(
            (f"{word} #12 it is done.", ["issue #12"])
            for word in (
                "See",
                "Fixes",
                "Closes",
                "Issue",
                "PR",
                "Bug",
                "pull request",
                "Merged",
                "Tracked in",
                "blocked by",
                "Epic",
                "Follow-up",
                "also",
                "Landed as",
                "PRs",
            )
        ),
        ("The user is told: #12 does it.", ["issue #12"]),
        ("It needs issues #12, #13 and #14.", ["issue #12", "issue #13", "issue #14"]),
        ("See #132-167 for it.", ["issue #132", "issue #167"]),
        ("It is so【21†L55-L63】.", ["url 【21†L55-L63】"]),
    ],
)
def test_references_are_found_as_written(source: str, expected: list[str]) -> None:
    assert short(source) == expected


@pytest.mark.parametrize(
    "lookalike",
    [
        *("User #1", "Cycle #146", "cycle #146", "Users #1, #2 and #3", "Session #12", "Guard #4"),
        *("Bed #7", "the bug class #2", "Waves #1/#2", "Walrus #1 and #2"),
        *("Finding #3", "Step #1", "the #1 choice", "our #2", "Build #3", "Task #42"),
        *("&#9889;", "#fff", "color #123456", "`#123456`", "C#7", "a#b", "#0", "#1st", "#12%"),
        *("docs/x.md#3", "[x](#12)"),
        *("12345678-1234-1234-1234-123456789abc", "sha256:3f2a1bcdeadbeef0", "max-age=31536000"),
        *("claude-sonnet-4-20250514", "v1.2.3", "`1.2.3`", "`3.11`", "2025-05-14", "10:30"),
        *("host:8080", "127.0.0.1:80", "`localhost:8080`", "`example.com/path`"),
        *("`application/json`", "`text/html`", "`@scope/pkg`", "`github.com/a/b`"),
        *("`res.json()`", "`console.log`", "`process.env`", "`Node.js`", "`response.text`"),
        *("`/api/users`", "`/etc/hosts`", "`~/x/y.py`", "`$HOME/x.py`", "`C:\\x.py`"),
        *("`*.py`", "`.py`", "`path/to/x.py`", "`and/or`", "`YYYY-MM-DD.md`", "`a b/c.py`"),
        *("branch `feat/x`", "the `openai/gpt-4` model", "`--flag/x`", "`<name>.md`"),
        *("ADR-003-title", "QUADR-3", "ADR-12345"),
        *("facade", "3f2a1b", "0x3f2a1bcd", "g3f2a1bc", "3f2a1bc-x", "a" * 41),
        *("`shop/orders:edge`", "`shop/orders:<tag name>`"),
        *("`me@mail.sh`", "[x](me@mail.sh)", "`App\\Models\\User`", "`\\d+\\.py`", "`a\\n.b`"),
        *("ADRs are", "mailto:a@b.c", "[x](mailto:a@b.c)", "【x】"),
    ],
)
def test_lookalikes_are_no_references(lookalike: str) -> None:
    assert short(f"It is {lookalike} that is here.") == []


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("ADR-012, 15 tests are here.", ["adr 012"]),
        ("ADR-3 and 4 people are here.", ["adr 3"]),
        ("ADR-3 – 5 reasons are here.", ["adr 3"]),
    ],
)
def test_numbers_behind_an_adr_are_not_always_adrs(source: str, expected: list[str]) -> None:
    assert short(source) == expected


@pytest.mark.parametrize(
    ("source", "cue"),
    [
        ("It was fixed in commit 3f2a1bc.", "meant"),
        ("It was introduced by 3f2a1bc.", "meant"),
        ("Commit `3138710` did it.", "meant"),
        ("It was added in run 3138710.", ""),
        ("The run is 3138710.", ""),
        ("It was done in commit deadbee1.", "meant"),
        ("It was done in commit `1234567`.", "meant"),
        ("It was done in commit abcdefa.", "meant"),
        ("The receipt cbdeaef shows it.", "meant"),
        ("Receipt: `cbdeaef` shows it.", "meant"),
        ("The receipt 1234987 was paid.", ""),
        ("The action is pinned to commit 3f2a1bc of it.", "foreign"),
        ("An id, for example `abc1234`, is short.", ""),
        ("It was fixed in 1234567 steps.", ""),
        ("Added in 2024, ed25519 is here.", ""),
        ("It was fixed in abc1234 then.", ""),
        ("The action is pinned to 3f2a1bc.", "foreign"),
        ("It is upstream 3f2a1bc.", "foreign"),
        ("We removed `src/a.py`.", "gone"),
        ("There are no files like: `src/a.py`.", "gone"),
        ("There is no doubt: `src/a.py` runs.", ""),
        ("The file `src/a.py` was deleted.", "gone"),
        ("It says `src/a.py` does not exist.", "gone"),
        ("It is `src/a.py` (missing).", "gone"),
        ("We renamed the file `src/a.py`.", "gone"),
        ("We will create `src/a.py`.", "planned"),
        ("It writes the report to `src/a.py`.", "planned"),
        ("It is `src/a.py` (generated).", "planned"),
        ("It reads `src/a.py`.", ""),
        ("It is in ADR-3.", ""),
        ("It no longer uses ADR-3.", ""),
    ],
)
def test_words_beside_a_reference_are_its_cue(source: str, cue: str) -> None:
    assert [c.cue for c in cited(source)] == [cue]


def test_one_word_makes_several_numbers_commits() -> None:
    found = cited("The commits deadbee1, `1234567` and abcdefa did it.")
    assert [(c.raw, c.cue) for c in found] == [
        ("deadbee1", "meant"), ("1234567", "meant"), ("abcdefa", "meant"),
    ]  # fmt: skip


def test_references_of_the_sentence_are_own_and_others_inherited() -> None:
    source = "The port is 80 (`a.py:1`). It is open. See #12 for it."
    found = extract(source.encode(), "a.md", DocClass.MEMORY).claims
    owned = [[c.raw for c in claim.citations if c.own] for claim in found]
    inherited = [[c.raw for c in claim.citations if not c.own] for claim in found]
    assert owned == [["a.py"], [], ["#12"]]
    assert inherited == [["#12"], ["a.py", "#12"], ["a.py"]]


@pytest.mark.parametrize(
    "source",
    [
        "The port is 80.[^n]\n\n[^n]: See `a.py:1` for it.",
        "The port[^n] is 80.\n\n[^n]:\n    See `a.py:1` for it.",
        "The port is 80[^n].\n\n[^n]: See [it](a.py#L1) here.",
    ],
)
def test_the_references_of_a_footnote_are_own(source: str) -> None:
    (claim, *_) = extract(source.encode(), "a.md", DocClass.DOCS).claims
    assert [(c.raw, c.lines, c.own) for c in claim.citations] == [("a.py", (1, 1), True)]


@pytest.mark.parametrize(
    ("url", "kind", "raw", "label"),
    [
        ("https://github.com/o/r/issues/12#x", "issue", "https://github.com/o/r/issues/12#x", ""),
        ("https://github.com/o/r/pull/12/", "issue", "https://github.com/o/r/pull/12/", ""),
        (
            "https://gitlab.com/g/s/p/-/merge_requests/7",
            "issue",
            "https://gitlab.com/g/s/p/-/merge_requests/7",
            "",
        ),
        (
            "https://gitlab.e.com/g/p/-/issues/7?x=1",
            "issue",
            "https://gitlab.e.com/g/p/-/issues/7?x=1",
            "",
        ),
        (
            "https://github.com/o/r/commit/3f2a1bc",
            "url",
            "https://github.com/o/r/commit/3f2a1bc",
            "",
        ),
        ("https://github.com/o/r/issues", "url", "https://github.com/o/r/issues", ""),
        ("https://github.com/o/r/pull/12/files", "url", "https://github.com/o/r/pull/12/files", ""),
    ],
)
def test_pages_of_trackers_are_issues(url: str, kind: str, raw: str, label: str) -> None:
    found = url_citation(url)
    assert (found.kind, found.raw, found.label) == (kind, raw, label)


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.py", True), ("Makefile", True), (".gitignore", True), (".py", False), ("e.g", False)],
)
def test_file_names_are_told_from_words(name: str, expected: bool) -> None:
    assert looks_like_path(name) is expected
    assert (path_citation(name) is not None) is expected
