"""What authors, branches and file names say does nothing in any format."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import consumers
import pytest
import sample

from grounded_ingest.model.report import Report
from grounded_ingest.report.findings import list_findings
from grounded_ingest.report.formats import FORMATS, PLAIN

HOSTILE = {
    "command": "::error::owned",
    "command on a line": "words\n::error::owned\r\n ::set-output name=x::owned",
    "old command": "words ##[error]owned ##[add-mask]x",
    "command of Azure": "words ##vso[task.complete result=Failed;]owned",
    "command of TeamCity": "words ###teamcity[buildStop comment='owned']",
    "escaped command": "words%0A::error::owned%250A",
    "properties": "a,line=1,title=owned::owned",
    "end of cdata": "]]><owned/>",
    "script": "<script>owned()</script><img src=x onerror=owned()>",
    "comment": "--> </details> <!-- owned",
    "backticks": "`<b>owned</b>` ``more``` `",
    "only backticks": "```",
    "bidi": "\u202eowned\u2066 \u200f \u2069",
    "controls": "nul\0 bell\a escape\x1b[31m owned\x9b31m",
    "half a character": "half \ud800 owned \udc80",
    "no characters": "none \ufffe \uffff owned",
    "tags": "tags \U000e0041\U000e0042 owned",
    "markdown link": "[owned](https://owned.example) ![owned](https://owned.example/x.png)",
    "sarif link": "[owned](1) {0} {{1}}",
    "mention": "@owned owned/owned#1 #1 https://owned.example www.owned.example",
    "table": "| owned | owned |\\| \\`owned\\`",
    "heading": "# owned\n\n- owned\n\n---\n",
    "entity": "&lt;script&gt;owned&#x3c;",
    "formula": "$`owned`$ =cmd|' /C owned'!A0",
    "nothing": " \u200b ",
}
# Controls but the line feed; what reorders, hides or is no character.
UNSEEN = re.compile(
    "[\0-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff\ufffe"
    "\uffff\U000e0000-\U000e007f]"
)


def hostile(text: str) -> Report:
    return sample.report(text, f"memory-bank/{text}.md", text, text, text, text)


def no_command(text: str, _: Report) -> None:
    assert consumers.commands(text) == []


def one_object(text: str, report: Report) -> None:
    found = consumers.report(text)
    told = [d["claim"] for d in found["decisions"]]
    assert told == [_whole(d.place.claim.text) for d in report.counted]


def one_object_a_line(text: str, report: Report) -> None:
    rows = [json.loads(line) for line in text.splitlines()]
    assert len(rows) == len(list_findings(report)) + len(report.counted) + len(report.problems) + 1


def _whole(text: str) -> str:
    return text.encode("utf-8", "backslashreplace").decode()


def annotations(text: str, _: Report) -> None:
    found = consumers.commands(text)
    benign = consumers.commands(FORMATS["github"](sample.report(), PLAIN))
    assert [(c.name, sorted(c.properties)) for c in found] == [
        (c.name, sorted(c.properties)) for c in benign
    ]
    assert len(text.splitlines()) == len(found)


def sarif(text: str, _: Report) -> None:
    (run,) = consumers.sarif(text)["runs"]
    notes = run["invocations"][0]["toolExecutionNotifications"]
    for told in [r["message"]["text"] for r in (*run["results"], *notes)]:
        assert not re.search(r"\]\(|\{\d", told)
        assert not UNSEEN.search(told)


def gitlab(text: str, _: Report) -> None:
    for row in consumers.gitlab(text):
        assert not UNSEEN.search(row["description"] + row["location"]["path"])


def junit(text: str, _: Report) -> None:
    root = consumers.junit(text)
    assert {e.tag for e in root.iter()} == {
        "testsuites", "testsuite", "testcase", "failure", "skipped", "system-out",
    }  # fmt: skip
    assert (root.get("tests"), root.get("failures")) == ("7", "3")


def markdown(text: str, _: Report) -> None:
    page = consumers.markdown(text)
    assert {e.tag for e in page.iter()} <= {
        "html", "body", "h2", "h3", "h4", "p", "ul", "li", "strong", "code", "table", "thead",
        "tbody", "tr", "th", "td",
    }  # fmt: skip
    for code in page.iter("code"):
        code.text = ""
    assert "owned" not in "".join(page.itertext())
    assert len(page.findall(".//li")) == 7


READERS: dict[str, tuple[Callable[[str, Report], None], ...]] = {
    "text": (no_command,),
    "json": (no_command, one_object),
    "jsonl": (no_command, one_object_a_line),
    "github": (annotations,),
    "gitlab": (no_command, gitlab),
    "sarif": (no_command, sarif),
    "junit": (no_command, junit),
    "markdown": (no_command, markdown),
}


@pytest.mark.parametrize("name", FORMATS)
@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_it_comes_out_inert(name: str, text: str) -> None:
    report = hostile(text)
    out = FORMATS[name](report, PLAIN)
    out.encode()
    assert not UNSEEN.search(out)
    for reader in READERS.get(name, (no_command,)):
        reader(out, report)
