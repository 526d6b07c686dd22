"""Each format is what its consumer accepts and shows, up to the consumer's limits."""

from __future__ import annotations

import json
import re
from html import unescape
from urllib.parse import unquote

import consumers
import pytest
import sample
from msgspec.structs import force_setattr

from grounded_ingest.model.report import Report, Scope
from grounded_ingest.report.as_markdown import COMMENT, SUMMARY
from grounded_ingest.report.as_markdown import render as markdown
from grounded_ingest.report.as_text import counts
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.formats import FORMATS, PLAIN
from grounded_ingest.rules.reference_rules import KINDS
from grounded_ingest.rules.registry import EVERY_RULE


def written(name: str, *args: str) -> str:
    return FORMATS[name](sample.report(*args), PLAIN)


def test_github_annotations() -> None:
    found = consumers.commands(written("github"))
    assert [c.name for c in found] == ["error"] * 3 + ["warning"] * 3 + ["notice"] * 2
    first = next(c for c in found if c.properties["title"].endswith("speculation"))
    long = next(c for c in found if c.properties.get("file") == sample.MANUAL)
    assert first.properties == {
        "file": sample.PROGRESS, "line": "9", "endLine": "9", "col": "3",
        "title": "grounded-ingest: speculation",
    }  # fmt: skip
    assert first.data.split("\n")[1].endswith(EVERY_RULE["speculation"].way_out)
    assert (long.properties["endLine"], "col" in long.properties) == ("14", False)


def test_github_says_what_it_does_not_show() -> None:
    found = consumers.commands(FORMATS["github"](sample.big(14), PLAIN))
    assert [c.name for c in found] == ["error"] * 10 + ["warning"] * 10 + ["notice"]
    assert found[-1].data.endswith("not shown: 4 more errors, 4 more warnings")


def test_gitlab() -> None:
    rows = consumers.gitlab(written("gitlab"))
    assert [row["severity"] for row in rows] == ["major"] * 3 + ["minor"] * 3


def test_sarif() -> None:
    (run,) = consumers.sarif(written("sarif"))["runs"]
    rules = run["tool"]["driver"]["rules"]
    kinds = [f"refuted-citation[{kind}]" for kind in KINDS]
    assert [rule["id"] for rule in rules] == [*EVERY_RULE, *kinds]
    assert all(len(rule["fullDescription"]["text"]) <= 1024 for rule in rules)
    results = run["results"]
    assert [r["level"] for r in results] == ["error"] * 3 + ["warning"] * 3
    assert all(rules[r["ruleIndex"]]["id"] == r["ruleId"] for r in results)
    where = results[4]["locations"][0]["physicalLocation"]
    assert where["artifactLocation"]["uri"] == "docs/manual%2C%20part%201.md"
    assert where["region"] == {"startLine": 12, "startColumn": 3, "endLine": 14}
    (note,) = run["invocations"][0]["toolExecutionNotifications"]
    assert note["associatedRule"] == {"id": "scope"}


def test_sarif_fingerprints_stay_while_lines_and_sections_move() -> None:
    def prints(section: str, above: int = 0) -> list[str]:
        report = sample.report(section=section)
        for decision in report.decisions:
            force_setattr(decision.place.claim, "line", decision.place.claim.line + above)
            force_setattr(decision.place.claim, "end_line", decision.place.claim.end_line + above)
        log = json.loads(FORMATS["sarif"](report, PLAIN))
        return [
            r["partialFingerprints"]["primaryLocationLineHash"] for r in log["runs"][0]["results"]
        ]

    assert prints("Progress") == prints("Elsewhere") == prints("Progress", above=1)
    assert len(set(prints(""))) == len(prints(""))


def test_sarif_within_the_limits() -> None:
    log = json.loads(FORMATS["sarif"](sample.big(12_600), PLAIN))
    (run,) = log["runs"]
    assert len(run["results"]) == 25_000
    assert [r["level"] for r in run["results"][:12_600]] == ["error"] * 12_600
    first, second = run["invocations"][0]["toolExecutionNotifications"]
    assert first["message"]["text"].startswith("200 results are missing")
    assert "5000" in second["message"]["text"]
    long = json.loads(written("sarif", "long words " * 400))["runs"][0]["results"]
    assert max(len(r["message"]["text"]) for r in long) <= 1000


def test_junit() -> None:
    root = consumers.junit(written("junit"))
    assert (root.get("tests"), root.get("failures")) == ("7", "3")
    assert [f.get("type") for f in root.iter("failure")] == [
        "refuted-citation[line]", "speculation", "refuted-citation[path]",
    ]  # fmt: skip
    assert len(root.findall(".//skipped")) == 3


def test_markdown() -> None:
    page = consumers.markdown(written("markdown"))
    assert [rule.text for rule in page.iter("strong")] == [
        "refuted-citation[line]", "speculation", "refuted-citation[path]",
    ]  # fmt: skip
    assert page.find(".//p").text == counts(sample.report())


def test_every_format_says_the_same_of_each_error_and_warning() -> None:
    """A reader who goes from a comment to the log or to code scanning finds the same sentence."""
    said = [
        (e.rule, e.description, e.way_out)
        for e in list_findings(sample.report())
        if e.severity != "note"
    ]
    assert len(said) == 6
    for name in FORMATS:
        text = (
            unescape(re.sub("</?code>", "`", written(name)))
            .replace("%25", "%")
            .replace("\\u003c", "<")
            .replace("\\u003e", ">")
        )
        text = text.replace("\\u0026", "&").replace('\\"', '"')
        for rule, what, way_out in said:
            assert rule in text.replace("%3A", ":"), (name, rule)
            assert what.rstrip(".") in text, (name, what)
            assert way_out in text, (name, way_out)


@pytest.mark.parametrize("name", ["text", "markdown", "html"])
def test_a_clean_run_says_one_line(name: str) -> None:
    """Nothing to act on: the counts and no list, no heading of a list, no advice."""
    clean = Report(Scope("all"), sample.report().decisions[:2], documents=29)
    text = FORMATS[name](clean, PLAIN)
    assert text.count("1 reference holds in 29 documents, 1 unknown") == 1
    shown = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert len(shown) == 1 or name == "html"


@pytest.mark.parametrize("limit", [COMMENT, SUMMARY])
def test_markdown_within_the_limits(limit: int) -> None:
    text = markdown(sample.big(9_000), limit)
    assert limit // 2 < len(text.encode()) <= limit
    last = text.splitlines()[-1]
    assert last.endswith(f"more entries are not shown: GitHub accepts at most {limit} bytes.")
    assert int(last.split()[0]) + sum(line.startswith("- ") for line in text.splitlines()) == 18_000


@pytest.mark.parametrize("name", ["json", "sarif"])
def test_a_path_that_is_no_text(name: str) -> None:
    path = b"docs/caf\xe9.md".decode("utf-8", "surrogateescape")
    text = written(name, "A claim.", path)
    text.encode()
    if name == "sarif":
        uris = [
            r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            for r in json.loads(text)["runs"][0]["results"]
        ]
        assert path in [unquote(uri, errors="surrogateescape") for uri in uris]
