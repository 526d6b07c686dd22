"""What is written is what the published schemas say."""

from __future__ import annotations

import json
from typing import Any

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, PROJECT, Repo
from jsonschema import Draft202012Validator

from grounded_ingest.model.claims import CitationKind, Kind, MemoryType, Source, Verdict
from grounded_ingest.records.evidence import CitationLine, EvidenceLine
from grounded_ingest.references.registry import VERIFIERS

RECORDS = """\
[{"text": "Ann prefers short answers over long ones.", "source": "chat"},
 {"text": "The staging host was moved on Monday (`src/app.py:1`).", "timestamp": "2026-01-01",
  "valid_until": "2027-01-01"}]
"""
RICH = f"""{PAGE}
{BLOCKED}

The gateway listens on port 9443 (`src/app.py:2`).

The gateway listens on port 9443 (`src/app.py:2`).

We decided to keep sessions, see [the decision](../docs/adr/0001-sessions.md) and `src/gone.py:4`.

Retries are usually enabled, see https://www.rfc-editor.org/rfc/rfc9110 and #12.

The port was set in commit 0123456789abcdef0123.

## Structure

`GATEWAY_PORT` is in `src/app.py`.
"""


def schema(name: str) -> Any:
    found = json.loads((PROJECT / "docs" / name).read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(found)
    return found


LINE = {"id": "0123456789abcdef", "claim": "y"}
REPORT, SIDECAR = schema("report.schema.json"), schema("sidecar.schema.json")


@pytest.fixture
def rich(repo: Repo) -> Repo:
    """Every kind of citation, record, hedge and problem."""
    repo.commit(
        "docs/adr/0001-sessions.md", "# 1. Keep sessions\n\nStatus: accepted\n\nWe keep them.\n"
    )
    repo.write(DOCUMENT, RICH)
    repo.write("memory/ann.json", RECORDS)
    repo.write("memory/broken.json", "[{")
    repo.write("docs/latin.md", b"caf\xe9\n")
    repo.write("memory-bank/copy.md", PAGE)
    return repo


@pytest.mark.parametrize(
    "args", [[], ["--all"], ["--staged"], ["--range", "HEAD~1..HEAD"], ["src"]]
)
def test_reports(rich: Repo, args: list[str]) -> None:
    report = rich.report(*args)
    Draft202012Validator(REPORT).validate(report)
    rows = Draft202012Validator({"$defs": REPORT["$defs"], "$ref": "#/$defs/row"})
    lines = rich.check(*args, "--output-format", "jsonl").out.splitlines()
    for line in lines:
        rows.validate(json.loads(line))
    listed = (len(report[part]) for part in ("findings", "decisions", "problems"))
    assert len(lines) == sum(listed) + 1


def test_the_rich_one_is_rich(rich: Repo) -> None:
    report = rich.report("--all")
    cited = {c["kind"] for d in report["decisions"] for c in d["citations"]}
    assert cited >= {kind.value for kind in VERIFIERS}
    assert REPORT["$defs"]["citation_kind"]["enum"] == [kind.value for kind in CitationKind]
    assert {d["tier"] for d in report["decisions"]} == {1, 2, 3}
    assert {p["rule"] for p in report["problems"]} >= {"unreadable"}


def test_evidence(rich: Repo) -> None:
    assert rich.check("--all", "--write", "--fail-on", "never").code == 0
    found = sorted((rich.root / ".grounded" / "evidence").rglob("*.jsonl"))
    rows = [json.loads(x) for f in found for x in f.read_text("utf-8").splitlines()]
    for row in rows:
        Draft202012Validator(SIDECAR).validate(row)
    assert {key for row in rows for key in row} >= {
        "id", "claim", "tier", "rule", "kind", "citations", "similarity",
        "conflict",
    }  # fmt: skip


@pytest.mark.parametrize(
    "row",
    [
        {**LINE, "document": "a.md"},
        {**LINE, "id": "x"},
        {**LINE, "tier": 2},
        {**LINE, "rule": "ungrounded"},
        {**LINE, "section": "A"},
        {**LINE, "citations": [{"kind": "path"}]},
    ],
)
def test_the_sidecar_schema_refuses(row: dict[str, Any]) -> None:
    assert Draft202012Validator(SIDECAR).is_valid(LINE)
    assert not Draft202012Validator(SIDECAR).is_valid(row)


def test_the_schemas_name_what_the_code_names() -> None:
    defined, line = REPORT["$defs"], SIDECAR["properties"]
    decision, citation = defined["decision"]["properties"], line["citations"]["items"]["properties"]
    for enum, everything, without_default in (
        (Kind, decision["kind"], line["kind"]),
        (MemoryType, decision["memory_type"], line["memory_type"]),
        (Source, decision["source"], line["source"]),
    ):
        assert everything["enum"] == [e.value for e in enum]
        assert [*without_default["enum"], without_default["default"]] == sorted(
            everything["enum"], key=lambda e: e == without_default["default"]
        )
    assert defined["verdict"]["enum"] == citation["verdict"]["enum"] == [e.value for e in Verdict]
    assert set(line) == set(EvidenceLine.__struct_fields__)
    assert set(citation) == set(CitationLine.__struct_fields__)
