"""Every format of the shared report, byte for byte. `REGOLD=1 pytest` writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import sample
from msgspec.structs import replace

from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.model.report import Report, Scope
from grounded_ingest.net.messages import Failure
from grounded_ingest.report.formats import FORMATS, PLAIN
from grounded_ingest.version import __version__

GOLDEN = Path(__file__).parent / "golden"
SUFFIXES = {
    "text": "txt", "json": "json", "jsonl": "jsonl", "github": "github.txt", "gitlab": "gitlab.json",
    "sarif": "sarif", "junit": "junit.xml", "markdown": "md",
    "html": "html",
}  # fmt: skip


def test_every_format_has_its_golden_file() -> None:
    assert set(FORMATS) == set(SUFFIXES)
    assert {p.name for p in GOLDEN.iterdir()} >= {f"report.{s}" for s in SUFFIXES.values()}


@pytest.mark.parametrize("name", SUFFIXES)
def test_the_shared_report(name: str) -> None:
    written = FORMATS[name](sample.report(), PLAIN)
    written = re.sub(rf'("semanticVersion": "){re.escape(__version__)}"', r'\1VERSION"', written)
    file = GOLDEN / f"report.{SUFFIXES[name]}"
    if os.environ.get("REGOLD"):
        file.write_bytes(written.encode())
    assert written == file.read_bytes().decode()
    assert FORMATS[name](sample.report(), PLAIN) == FORMATS[name](sample.report(), PLAIN)


def test_a_summary_is_as_short_as_the_screen() -> None:
    """A title, the counts, and a line for each line of the text: it once had two, and headings."""
    text, page = (FORMATS[name](sample.report(), PLAIN) for name in ("text", "markdown"))
    lines = [line for line in page.splitlines() if line]
    assert len(lines) == len(text.splitlines()) + 1
    for shown, printed in zip(lines[2:], text.splitlines(), strict=False):
        rule = re.sub("warning: |note: ", "", printed).partition(": ")[2].partition(":")[0]
        assert rule in shown


def test_a_run_without_network_says_so() -> None:
    """The last line said only "181 unknown"."""
    said = "1 unknown (no host answered; --offline skips them)"
    for reason, shown in (
        (Failure.TIMEOUT, True),
        (Failure.NO_NETWORK, True),
        ("redirects", False),
    ):
        evidence = Evidence(CitationKind.URL, "x", Verdict.UNKNOWN, str(reason), network=True)
        claim = sample.decision("ungrounded", sample.place("a.md", "See x.", 1), evidence)
        report = Report(Scope("all"), (claim,), documents=1)
        assert (said in FORMATS["text"](report, PLAIN)) is shown


def test_a_line_that_the_change_does_not_edit_gets_no_annotation() -> None:
    """GitHub shows an annotation on an unchanged line beside code that nobody changed. The log
    keeps the finding, once for a line that names a file twice."""
    report = sample.report()
    wrong = next(d for d in report.decisions if d.rule == "refuted-citation")
    claim = replace(wrong.place.claim, end_line=wrong.place.claim.line + 1)
    below = tuple(replace(e, at=claim.end_line) for e in wrong.evidence)
    left = replace(
        wrong, changed=False, place=replace(wrong.place, claim=claim), evidence=(*below, *below)
    )
    only = replace(report, decisions=(), problems=(), elsewhere=(left,))
    log = FORMATS["github"](only, PLAIN).splitlines()
    assert [line.partition(":")[0] for line in log[:-1]] == [
        "on a line that the change does not touch"
    ] * len(log[:-1])
    assert f"{sample.PROGRESS}:6: refuted-citation[line]: " in log[0]
    assert len({*log}) == len(log)
    assert log[-1].startswith("::notice title=grounded-ingest::Found ")
