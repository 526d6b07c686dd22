"""Every format of the shared report, byte for byte. `REGOLD=1 pytest` writes them anew."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
import sample

from grounded_ingest.report.formats import FORMATS, PLAIN
from grounded_ingest.version import __version__

GOLDEN = Path(__file__).parent / "golden"
SUFFIXES = {
    "text": "txt", "json": "json", "jsonl": "jsonl", "github": "github.txt", "gitlab": "gitlab.json",
    "sarif": "sarif", "junit": "junit.xml", "markdown": "md",
}  # fmt: skip


def test_every_format_has_its_golden_file() -> None:
    """All but the HTML report, which is looked at in a browser."""
    assert set(FORMATS) - {"html"} == set(SUFFIXES)
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
