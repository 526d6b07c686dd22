"""Every exemption and every way in which a path is absent applies to its own example."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo, context

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, Verdict
from grounded_ingest.references.context import Request
from grounded_ingest.references.exemptions import EXEMPTIONS, Exemption, find_exemption
from grounded_ingest.references.path import ABSENT_CASES, AbsentCase
from grounded_ingest.references.registry import references_in


@pytest.mark.parametrize("exemption", EXEMPTIONS.values(), ids=lambda e: e.name)
def test_an_example_is_exempt_for_the_reason_it_stands_beside(exemption: Exemption) -> None:
    (claim,) = extract(exemption.example.encode(), NOTES, DocClass.MEMORY).claims
    (reference,) = references_in(NOTES, claim)
    assert find_exemption(claim, (), reference) == exemption.name


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
        "book/book.toml": "",
        "blog/docusaurus.config.js": "",
        "blog/static/images/logo.png": "x",
        "book/src/guides/set-up.md": "# Set up\n",
    }
    labels = "# Labels\n\n[guide]: guide.md\n"
    pages = {"docs/guide.md": "# Guide\n", "docs/labels.md": labels}
    repo.commit({"src/app.py": "x = 1\n", **pages, **site})
    return repo


@pytest.mark.parametrize("case", ABSENT_CASES, ids=lambda c: c.name)
def test_the_first_case_that_applies_to_an_example_is_its_own(repo: Repo, case: AbsentCase) -> None:
    documents = {
        "denied-page": "site/guide.mdx",
        "included-text": "docs/snippets/guide.md",
        "label-as-target": "docs/labels.md",
        "missing-asset": "blog/docs/a.md",
        "page-without-slash": "book/src/a/start.md",
        "sample": "README.md",
    }
    document = documents.get(case.name, "docs/guide.md")
    request = Request(document, case.example)
    with context(repo) as asked:
        gone = {"src/old.py": ""} if case.name == "removed-here" else {}
        asked = asked._replace(gone=gone)
        first = next(c for c in ABSENT_CASES if c.applies(request, asked))
    assert first.name == case.name
    assert first.verdict in (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.SKIPPED)


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
