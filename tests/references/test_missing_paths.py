"""Paths that no commit had, and removed folders: what is reported, and what stays unknown."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.model.claims import Verdict

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
TEXT = "".join(f"ROW_{n} = {n}\n" for n in range(20))


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("missing") / "repo")
    repo.commit({
        "src/ledger/totals.py": TEXT, "src/parcel_sender.py": "A = 1\n", "web/one/rows.py": "B = 1\n",
        "web/two/rows.py": "C = 1\n", "src/index.ts": "export {};\n", "examples/shown.py": "D = 1\n",
        "README.md": "# Courier\n", "src/map/deep/place.py": TEXT, "src/map/deep/area.py": "E = 1\n",
        "crates/resolver/lib.rs": "fn a() {}\n", "tools/a.py": "F = 1\n", "olddocs/a.txt": "G\n",
        "logs/a.txt": "H\n", "syntaxes/Page.sublime-syntax": "J\n", "src/graphs/__init__.py": "", "src/graphs/draw.py": TEXT + "X = 1\n",
        "src/graphs/axes.py": "Y = 1\n", ".tool/a.txt": "I\n", ".gitignore": "kept/\n",
    })  # fmt: skip
    repo.git("mv", "src/map", "src/places")
    repo.git("mv", "src/graphs/__init__.py", "web/__init__.py")
    repo.git("rm", "-q", "-r", "src/graphs", "crates", "olddocs", "logs", ".tool", "syntaxes")
    repo.commit(message="Call maps places")
    return repo


def reasons(repo: Repo, text: str, document: str = "memory/notes.md") -> list[tuple[Verdict, str]]:
    return reasons_of_each(repo, [text], document)[0]


def reasons_of_each(
    repo: Repo, texts: Iterable[str], document: str = "memory/notes{}.md"
) -> list[list[tuple[Verdict, str]]]:
    """What became of the paths in texts, each in a document of its own."""
    pages = {document.format(n): f"# Notes\n\n{text}\n" for n, text in enumerate(texts)}
    return [
        [(e.verdict, e.reason) for d in decided for e in d.own_evidence if e.kind == "path"]
        for decided in repo.decide(pages).values()
    ]


ELSEWHERE = (
    ("lib/parcel_sender.py", "src/parcel_sender.py"),
    ("app/core/parcel_sender.py", "src/parcel_sender.py"),
    ("app/ledger/totals.py", "src/ledger/totals.py"),
    ("app/ledger/core/totals.py", "src/ledger/totals.py"),
    ("lib/core/totals.py", "src/ledger/totals.py"),  # in a guide, one word is enough
    ("src/core/parcel_sender.py", "src/parcel_sender.py"),
    ("lib/two/rows.py", "web/two/rows.py"),  # two are called so, and one ends so,
)


def test_the_only_file_of_that_name(repo: Repo) -> None:
    texts = (f"Parcels are sent by `{path}` every night." for path, _ in ELSEWHERE)
    wants = [[(R, f"no such file; there is {there}")] for _, there in ELSEWHERE]
    assert reasons_of_each(repo, texts) == wants


def test_a_name_with_the_other_suffix_of_yaml(repo: Repo) -> None:
    repo.commit(
        {
            "src/limits.yml": "a: 1\n",
            "tests/rows.yaml": "b: 2\n",
            "src/action.yml": "c: 3\n",
            "clippy.toml": "d = 4\n",
            "src/fmt.toml": "e = 5\n",
        }
    )
    texts = {
        "All is set in `limits.yaml` there.": [(R, "no such file; there is src/limits.yml")],
        "All is set in `rows.yml` there.": [(U, "no such file in this repository")],
        "All is set in `src/limits.yml` there.": [(C, "")],
        "All is set in `.clippy.toml` there.": [(R, "no such file; perhaps clippy.toml")],
        "All is set in `.fmt.toml` there.": [(U, "no such file in this repository")],
        "All is set in `never.yaml` there.": [(U, "no such file in this repository")],
        "## Roadmap\n\nAll is set in `limits.yaml` then.": [
            (U, "no such file; perhaps it is planned")
        ],
        "In the courier repo, all is set in `limits.yaml` there.": [
            (U, "no such file here; perhaps it is in the other repository that the text names")
        ],
    }
    assert reasons_of_each(repo, texts, "docs/notes{}.md") == [*texts.values()]


UNKNOWN = (
    "Rows are written by `lib/rows.py` every night.",  # two are called so
    "Rows are written by `lib/never.py` every night.",
    "Rows are written by `lib/index.ts` every night.",  # any project has one
    "The start is told in `guide/README.md` of each part.",
    "Rows are written by `lib/shown.py` every night.",  # only an example is called so
    "Rows are written to `output/parcel_sender.py` every night.",
    "The courier repo keeps it in `lib/parcel_sender.py` for all.",
    "## Roadmap\n\nParcels are to be sent by `lib/parcel_sender.py` then.",
    "## Example\n\nParcels are sent by `lib/parcel_sender.py` there.",
)


def test_other_paths_stay_unknown(repo: Repo) -> None:
    for text, found in zip(UNKNOWN, reasons_of_each(repo, UNKNOWN), strict=True):
        assert {verdict for verdict, _ in found} <= {U}, text


def test_pages_that_name_missing_code_are_wrong(repo: Repo) -> None:
    text = "Parcels are sent by `lib/parcel_sender.py` every night."
    found = [(R, "no such file; there is src/parcel_sender.py")]
    assert reasons(repo, text, "docs/page.md") == found
    repo.commit({"data/parcel-rows.csv": "1\n"})
    text = "Parcels are kept in `rows/parcel-rows.csv` every night."
    assert reasons(repo, text, "docs/page.md") == [(U, "no such file in this repository")]


NOTHING = (
    "release/3.x", "feature/parcels", "origin/main", "@courier/sender", "github.com/courier/sender",
    "no-unused/vars", "scratch/", "node_modules/", "logs/", ".tool/",
)  # fmt: skip


def test_spans_that_name_nothing_here(repo: Repo) -> None:
    found = reasons_of_each(repo, (f"The work is kept in `{span}` for now." for span in NOTHING))
    wrong = [(span, told) for span, told in zip(NOTHING, found, strict=True) if R in dict(told)]
    assert wrong == []


WENT = (
    ("src/map/", "moved to src/places/"), ("src/map", "moved to src/places"),
    ("src/map/deep/", "moved to src/places/deep/"), ("src/map/deep", "moved to src/places/deep/"),
    ("crates/resolver/", "deleted in "), ("crates/resolver", "deleted in "),
    ("olddocs/", "deleted in "),
    ("src/graphs/", "deleted in "),  # its empty file went elsewhere: that tells nothing,
)  # fmt: skip


def test_folders_that_went(repo: Repo) -> None:
    for folder in ("memory/notes{}.md", "docs/page{}.md"):
        texts = (f"Maps are drawn in `{span}` every night." for span, _ in WENT)
        for (span, reason), found in zip(WENT, reasons_of_each(repo, texts, folder), strict=True):
            [(verdict, said)] = found
            assert verdict is R, span
            assert said.startswith(reason), span


@pytest.mark.parametrize(
    ("target", "verdict"), [("../syntaxes/Page.sublime-syntax", R), ("../guides/start", U)]
)
def test_a_link_without_a_known_ending_is_wrong_if_history_had_it(
    repo: Repo, target: str, verdict: Verdict
) -> None:
    found = reasons(repo, f"See [the page]({target}).", "docs/page.md")
    assert [v for v, _ in found] == [verdict]


def test_a_folder_that_goes_with_this_change(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"src/map/a.py": TEXT, "src/map/b.py": "A = 1\n", "lib/old/c.py": "B = 1\n"})
    repo.git("mv", "src/map", "src/places")
    repo.git("rm", "-q", "-r", "lib/old")
    assert reasons(repo, "Maps are drawn in `src/map/` every night.") == [
        (R, "moved to src/places/")
    ]
    assert reasons(repo, "Maps are drawn in `lib/old` every night.") == [
        (R, "removed by this change")
    ]


def test_an_alias_of_the_sources_leads_somewhere(repo: Repo) -> None:
    repo.commit({"web/src/lib/gaps.ts": "x\n"})
    text = "The gaps are in `@/lib/gaps.ts` and `@/lib/no.ts`."
    assert not [v for v, _ in reasons(repo, text) if v is R]


LINKS = (
    (
        "[it](src/index.ts)",
        "a link begins at the folder of its document: write ../src/index.ts",
    ),
    ("[it](web/never.md), as an example", ""),
    ("[it](../web/never.md) of the shop repository", ""),
    ("[it](../web/never)", ""),  # the forge shows a guide, so this is no route of a site
)


def test_a_link_is_wrong_whatever_the_text_around_it_is_about(repo: Repo) -> None:
    texts = [f"All of this is told in {link}." for link, _ in LINKS]
    said = [f"no such file{'; ' * bool(words)}{words}" for _, words in LINKS]
    assert reasons_of_each_link(repo, texts) == [[(R, words)] for words in said]


def reasons_of_each_link(repo: Repo, texts: Iterable[str]) -> list[list[tuple[Verdict, str]]]:
    pages = {f"memory/links{n}.md": f"# Notes\n\n{text}\n" for n, text in enumerate(texts)}
    return [
        [(e.verdict, e.reason) for d in decided for e in d.evidence if e.link]
        for decided in repo.decide(pages).values()
    ]


def test_code_that_names_a_moved_file_makes_no_new_one(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {
            "needs-vcs.txt": TEXT,
            "left.txt": TEXT[::-1],
            "build.py": "A = 'needs-vcs.txt left.txt'\n",
        }
    )
    repo.git("mv", "needs-vcs.txt", "vcs.txt")
    repo.git("rm", "-q", "left.txt")
    repo.commit(message="Move it")
    texts = ["Change `needs-vcs.txt` first.", "Change `left.txt` first."]
    found = reasons_of_each(repo, texts, "memory/n{}.md")
    assert [v for some in found for v, _ in some] == [R, U]


def test_a_file_that_was_deleted_before_the_document_was_there(tmp_path: Path) -> None:
    """A guide of nuxt from 2023 about `test/unit/` did not mean a folder deleted in 2020."""
    repo = Repo(tmp_path / "repo")
    line = "# A\n\nThe rows are in `src/lib/rows.py` there.\n"
    repo.commit({"src/lib/rows.py": "a = 1\n", "src/lib/b.py": "", "docs/a.md": line})
    repo.commit({"src/lib/rows.py": None}, day="2026-01-07")
    repo.commit({"docs/b.md": line}, day="2026-01-09")
    said = {d.place.path: d.evidence[0].reason for d in repo.decisions("all") if d.evidence}
    assert said["docs/a.md"].startswith("deleted in ")
    assert said["docs/b.md"] == "no such file"
