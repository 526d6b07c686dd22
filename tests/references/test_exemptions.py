"""Every exemption and every way in which a path is absent has an example."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo, context

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import Citation, CitationKind, DocClass
from grounded_ingest.references.context import Request
from grounded_ingest.references.exemptions import EXEMPTIONS, find_exemption
from grounded_ingest.references.path import look_up_paths
from grounded_ingest.references.registry import references_in

EXEMPT = {
    "gone": "We removed `make lint`.",
    "planned": "We will add `make lint`.",
    "unwanted": "Do not add `make lint`.",
    "conditional": "If `make lint` exists, go.",
    "example": "For example: `make lint`.",
    "foreign": "In the upstream repo: `make lint`.",
}


@pytest.mark.parametrize("name", EXEMPTIONS)
def test_an_example_is_exempt_for_the_reason_it_stands_beside(name: str) -> None:
    (claim,) = extract(EXEMPT[name].encode(), NOTES, DocClass.MEMORY).claims
    (reference,) = references_in(NOTES, claim)
    assert find_exemption(claim, (), reference) == name


def test_a_plain_sentence_is_not_exempt() -> None:
    (claim,) = extract(b"Run `make lint` before a commit.", NOTES, DocClass.MEMORY).claims
    (reference,) = references_in(NOTES, claim)
    assert find_exemption(claim, (), reference) == ""


@pytest.mark.parametrize(
    ("title", "planned"),
    [
        ("Shop: Terraform Plan Analysis Tool", False),
        ("Protein Design Agent", False),
        ("Plan for the shop", True),
        ("Design document", True),
        ("Planned features", True),
    ],
)
def test_a_title_of_a_plan(title: str, planned: bool) -> None:
    text = f"# {title}\n\nRun `make lint` before a commit.\n"
    (claim,) = extract(text.encode(), NOTES, DocClass.MEMORY).claims
    (reference,) = references_in(NOTES, claim)
    assert find_exemption(claim, (), reference) == "planned" * planned


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("absent") / "repo")
    site = {
        "site/docs.json": '{"$schema": "https://mintlify.com/docs.json", "navigation": {}}',
        "site/guide.mdx": "# Guide\n",
        "blog/docusaurus.config.js": "",
        "blog/static/images/logo.png": "x",
    }
    repo.commit({"src/app.py": "x = 1\n", "docs/guide.md": "# Guide\n", **site})
    return repo


def cite(raw: str, lines: tuple[int, int] | None = None, **more: object) -> Citation:
    return Citation(CitationKind.PATH, raw, lines, **more)  # type: ignore[arg-type]


GUIDE = "docs/guide.md"
ABSENT = (
    ("removed here", GUIDE, cite("src/old.py", cue="gone"), "refuted no such file"),
    ("sample", "README.md", cite(".env.example"), "refuted no such file, so readers cannot"),
    ("gone", GUIDE, cite("src/gone.py", cue="gone"), "skipped the text says"),
    ("planned", GUIDE, cite("src/next.py", cue="planned"), "skipped the text says"),
    ("unwanted", GUIDE, cite("src/bad.py", cue="unwanted"), "skipped the text says"),
    ("conditional", GUIDE, cite("src/maybe.py", cue="conditional"), "skipped the text says"),
    ("template", GUIDE, cite("src/<name>.py"), "skipped the path contains a placeholder"),
    ("URL", GUIDE, cite("URL", link=True), "skipped the path contains a placeholder"),
    ("alias", GUIDE, cite("@/pages/home.ts"), "unknown the path is an alias"),
    ("denied page", "site/guide.mdx", cite("/guides/gone", link=True), "refuted no such file"),
    ("absolute link", GUIDE, cite("/pricing.md", link=True), "unknown no such file; perhaps"),
    ("outside", GUIDE, cite("../../other/a.md", link=True), "unknown the path is outside"),
    ("page", GUIDE, cite("../set-up", link=True), "unknown no such file; perhaps"),
    ("included", "docs/snippets/guide.md", cite("a.md", link=True), "unknown the link is relative"),
    ("broken link", GUIDE, cite("setup.md", link=True), "refuted no such file"),
    ("example name", GUIDE, cite("src/foo.py"), "skipped the file name is typical"),
    ("machine", GUIDE, cite("/etc/hosts"), "skipped the absolute path is on a machine"),
    ("directory", GUIDE, cite("release/next"), "unknown no such directory"),
    ("no path", GUIDE, cite("@scope/name"), "skipped no such path"),
    ("example file", GUIDE, cite("example-report.md"), "skipped the file name is typical"),
    ("in a directory", GUIDE, cite("src/worker.py"), "refuted no such file"),
    ("elsewhere", GUIDE, cite("lib/worker.py"), "unknown no such file in this repository"),
)


@pytest.mark.parametrize(
    ("document", "cited", "told"), [a[1:] for a in ABSENT], ids=[a[0] for a in ABSENT]
)
def test_why_a_path_is_absent(repo: Repo, document: str, cited: Citation, told: str) -> None:
    request = Request(document, cited)
    with context(repo) as asked:
        asked = asked._replace(gone={"src/old.py": ""}, brief=True)
        found = look_up_paths([request], asked)[request]
    assert f"{found.verdict} {found.reason}".startswith(told)


def test_only_a_past_clause_excuses_the_name_in_it(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"Makefile": "retry:\n\techo 1\nbuild:\n\techo 2\n"})
    repo.commit({"Makefile": "build:\n\techo 2\n"})
    past = "We moved the jobs to `make retry` on 2026-03-04."
    others = (
        "We moved the jobs on 2026-03-04, and they are repeated by `make retry`.",
        "On Monday failed jobs are repeated by `make retry`.",
        "Failed jobs are repeated by `make retry` every hour.",
    )
    judged = repo.judge_each((past, *others))
    assert [c for c, found in judged.items() if found.rule != "refuted-citation"] == [past]
