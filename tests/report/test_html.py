"""The HTML report as bytes: what it shows, what its policy allows, what text of others cannot do."""

from __future__ import annotations

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape

import pytest
from htmlpages import ATTACKS, HIDING, decided, hostile, many, placed, small
from sample import report as shared

from grounded_ingest.model.report import Report, Scope
from grounded_ingest.report.as_html import render
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import list_findings, merge_equal
from grounded_ingest.text.printable import printable

TAGS = "head|meta|title|style|body|main|p|h1|h2|section|details|summary|ul|li|bdi|code|b|html"


def body(page: str) -> str:
    return page.partition("<main>")[2]


def words(page: str) -> str:
    return unescape(re.sub(r"<[^>]*>", "", body(page)))


@pytest.mark.parametrize("report", [small(), hostile(), Report(Scope("all"))])
def test_the_policy_allows_this_style_and_nothing_else(report: Report) -> None:
    page = render(report)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.S)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    assert policy.split("; ")[:2] == ["default-src 'none'", f"style-src 'sha256-{digest}'"]
    assert "script-src" not in policy
    assert page.index("Content-Security-Policy") < page.index("<style>")
    assert not re.search(r"@import|url\(|https?:", style)


def test_text_of_others_is_neither_markup_nor_hidden() -> None:
    page = render(hostile())
    tags = re.findall(r"<(?!!doctype)[^>]*>", page)
    assert all(re.fullmatch(rf"</?(?:{TAGS})(?: [^<>]*)?>", tag) for tag in tags)
    inside = [tag for tag in tags[tags.index("<main>") :] if " " in tag]
    known = {f"<b class={s}>" for s in ("error", "warning", "note")}
    assert {*inside} <= {"<details open>", '<p class="scope">', *known}
    assert not HIDING.search(page.replace("\n", ""))
    shown = words(page)
    assert [a for a in ATTACKS if printable(a).replace("`", "") not in shown] == []
    page.encode("utf-8")


def test_the_page_lists_the_findings_that_every_other_format_lists() -> None:
    """One list, one message: errors first, then the documents, then what was not checked."""
    page, shown = render(shared()), words(render(shared()))
    assert counts(shared()) in shown
    for item, _ in merge_equal(list_findings(shared())):
        place = f"{item.path}:{item.line} " if item.line else item.path
        for text in (item.rule, f"{place}{item.description}", item.text):
            assert text.replace("`", "") in shown, text
    heads = re.findall("<h2>(.*?)</h2>", page)
    every = ["Wrong", "Warnings", "About this run", "Documents", "Not checked"]
    assert heads == [h for h in every if h in heads]
    assert {"Wrong", "Documents"} <= {*heads}
    assert "%" not in shown


def test_the_findings_are_open_and_what_was_skipped_is_folded() -> None:
    """Both can be read without JavaScript."""
    found, skipped = body(render(small())).split("<h2>Not checked</h2>")
    assert "<details>" not in found
    assert "<details><summary>no server was asked: 1</summary>" in skipped
    assert "<script" not in render(small())


def test_documents_with_errors_come_first() -> None:
    shown = words(render(small())).partition("3 documents")[2].split("\n")[1:4]
    assert shown == [
        "memory-bank/tech.md 2 errors, 1 reference holds, 1 unknown",
        "memory-bank/latin.md 1 error, 0 references hold",
        "docs/notes.md 0 references hold",
    ]


def test_a_claim_without_a_finding_has_no_row() -> None:
    """16,124 claims once made a page of 10.6 MB, and nobody opened a row of a quiet one."""
    quiet = decided("ungrounded", placed("Nothing is wrong here.", 1))
    page = render(Report(Scope("all"), (quiet,) * 3, (), 1))
    assert "Nothing is wrong here" not in page
    assert "There are no findings." in page


def test_ten_thousand_claims_stay_a_file_that_can_be_mailed() -> None:
    assert len(render(many())) < 1_000_000
