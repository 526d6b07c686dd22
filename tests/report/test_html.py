"""The HTML report as bytes: what is embedded, what the policy allows, what the assets do not do."""

from __future__ import annotations

import json
import os
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from htmlpages import ATTACKS, HIDING, decided, hostile, many, placed, small
from sample import report as shared

from grounded_ingest.model.report import Report, Scope
from grounded_ingest.report.as_html import render
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.formats import FORMATS, PLAIN

GOLDEN = Path(__file__).parent / "golden" / "report.html.json"
ASSETS = Path(__file__).parents[2] / "grounded_ingest/report/html"


def data(page: str) -> Any:
    (found,) = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page, re.S)
    return json.loads(found)


def test_what_is_embedded_is_the_golden_data() -> None:
    """`REGOLD=1 pytest` writes it anew."""
    found = json.dumps(data(render(shared())), indent=1, ensure_ascii=True) + "\n"
    if os.environ.get("REGOLD"):
        GOLDEN.parent.mkdir(exist_ok=True)
        GOLDEN.write_text(found, "utf-8")
    assert found == GOLDEN.read_text("utf-8")


def test_the_same_report_gives_the_same_bytes() -> None:
    assert FORMATS["html"](small(), PLAIN) == FORMATS["html"](small(), PLAIN) == render(small())


@pytest.mark.parametrize("report", [small(), hostile(), Report(Scope("all"))])
def test_the_policy_allows_this_style_and_this_script_and_nothing_else(report: Report) -> None:
    page = render(report)
    (policy,) = re.findall(r'Content-Security-Policy" content="([^"]*)"', page)
    directives = dict(d.strip().partition(" ")[::2] for d in policy.split(";"))
    assert directives["default-src"] == "'none'"
    for tag in ("style", "script"):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.S)
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert directives[f"{tag}-src"] == f"'sha256-{digest}'"
    assert page.index("Content-Security-Policy") < page.index("<style>")
    assert page.count("<script") == page.count("</script") == 2


def test_no_judged_text_is_markup_or_hides_in_an_editor() -> None:
    page = render(hostile())
    (embedded,) = re.findall(r'id="data">(.*)</script>\n<script>', page, re.S)
    assert not re.search("[<>&\u2028\u2029]", embedded)
    assert not HIDING.search(page.replace("\n", ""))
    targets = {target for _, _, target, _ in data(page)["skipped"]}
    assert targets == set(ATTACKS)


def test_the_page_lists_the_findings_that_every_other_format_lists() -> None:
    """One list, one message: what the page shows is what the text report has, line for line."""
    shown = data(render(shared()))
    lines = [
        (shown["advice"][advice][1], "" if path is None else shown["paths"][path], line, message)
        for advice, path, line, _, message in shown["findings"]
    ]
    printed = FORMATS["text"](shared(), PLAIN).splitlines()
    assert len(lines) == len(printed) - 1
    for (rule, path, line, message), text in zip(lines, printed, strict=False):
        assert text.startswith(f"{path}:{line}:" if line else path)
        assert f" {rule}: {message.partition(' (also')[0].rstrip('.')}" in f" {text}"
    assert counts(shared()) in render(shared())


def test_a_claim_without_a_finding_has_no_row() -> None:
    """16,124 claims once made a page of 10.6 MB, and nobody opened a row of a quiet one."""
    quiet = decided("ungrounded", placed("Nothing is wrong here.", 1))
    page = render(Report(Scope("all"), (quiet,) * 3, (), 1))
    assert "Nothing is wrong here" not in page
    assert data(page)["documents"] == [[0, 0, 0, 0, 0, 0]]


def test_the_file_is_utf8_whatever_the_paths_are() -> None:
    assert "\\udcff" in render(hostile_path("docs/\udcff.md"))
    render(hostile_path("docs/\udcff.md")).encode("utf-8")


def hostile_path(path: str) -> Report:
    return Report(Scope("all"), (decided("ungrounded", placed("It is so.", 1, path)),), (), 1)


@pytest.mark.parametrize("asset", sorted(p.name for p in ASSETS.iterdir()))
def test_assets_name_no_address_and_parse_no_markup(asset: str) -> None:
    text = (ASSETS / asset).read_text("utf-8")
    for name in ("innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval(", "fetch(",
                 "import(", "@import", "url(", "style=", "src=", "XMLHttp", "setTimeout("):  # fmt: skip
        assert name not in text, name
    assert re.findall(r"https?://[^\"]*", text) in ([], ["http://www.w3.org/2000/svg"])
    assert not re.search(r"\son\w+=", text)
    assert len(text.splitlines()) <= 300


def test_ten_thousand_claims_stay_a_file_that_can_be_mailed() -> None:
    assert len(render(many())) < 1_000_000
