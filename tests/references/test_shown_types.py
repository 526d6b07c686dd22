"""Types that code blocks show with members that the type lacks."""

from __future__ import annotations

import pytest
from repos import NOTES, Files, Repo

from grounded_ingest.report.findings import list_findings

FILES: Files = {
    "src/device.rs": "#[derive(Clone)]\npub struct DeviceRow {\n    pub id: String,\n"
    "    pub kind: String,\n}\n\npub struct Crate {\n    id: u8,\n    kind: u8,\n}\n\npub enum JobState { Open, Shut, Kept }\n",
    "src/plan.go": "package plan\n\ntype PlanRow struct {\n\tName string\n\tRisk int\n\tSize int\n}\n"
    "\ntype WholePlan struct {\n\tPlan\n\tName string\n}\n",
    "src/parcel.py": "from dataclasses import dataclass\n\n\nclass Base:\n    weight: int\n\n\n"
    "class ParcelRow(Base):\n    name: str\n    size: int\n\n    def __init__(self):\n"
    "        self.paid = True\n\n\nclass Row(Model):\n    name: str\n    size: int\n",
    "src/api.ts": "export interface JobReply {\n  id: string;\n  text: string;\n}\n"
    "export interface JobRunReply {\n  id: string;\n  $code: number;\n}\n",
    "src/late.ts": "export interface LateReply\n  extends Omit<JobReply, 'id'> {\n  day: string;\n"
    "  hour: string;\n}\nexport interface WordMap {\n  a: string;\n  b: string;\n  [k: string]: string;\n}\n",
    "src/DepotRow.cs": "class DepotRow : Base\n{\n    int Size;\n    int Rank;\n}\n",
    "src/shape.ts": "export interface DeviceRow {\n  id: string;\n  place: string;\n}\n",
    "tests/reply.ts": "interface JobReply {\n  code: number;\n}\ninterface OnlyTest {\n  a: string;\n}\n",
}
COMMITS = (FILES,)
RUST = (
    "```rust\npub struct DeviceRow {{\n    pub id: String,\n    pub kind: String,\n    {}\n}}\n```"
)


def found(repo: Repo, text: str, path: str = NOTES) -> list[tuple[int, str]]:
    repo.git("reset", "-q", "--hard")
    repo.stage({path: f"# Notes\n\n{text}\n"})
    return [(f.line, f.message) for f in list_findings(repo.check().report) if f.path == path]


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        (RUST.format("pub made_*: u8,"), []),
        (RUST.format("pub owner: String,"), [7]),
        (RUST.format(""), []),
        # TypeScript has another type of this name.
        (RUST.format("pub place: String,"), [7]),
        ("```rust\nenum JobState {\n    Open,\n    Shut,\n    Ajar,\n}\n```", [7]),
        ("```go\ntype PlanRow struct {\n\tName string\n\tRisk int\n\tCost int\n}\n```", [7]),
        ("```go\ntype WholePlan struct {\n\tName string\n\tRisk int\n}\n```", []),  # embeds PlanRow
        ("```python\nclass ParcelRow:\n    name: str\n    weight: int\n    paid: bool\n```", []),
        ("```py\nclass ParcelRow:\n    name: str\n    size: int\n    colour: str\n```", [7]),
        ("```python\nclass Row:\n    name: str\n    colour: str\n```", []),  # unknown base
        (
            "```ts\ninterface JobReply {\n  id: string;\n  text: string;\n  code: number;\n}\n```",
            [7],
        ),
        (
            "```ts\ninterface JobReply {\n  id: string;\n  text: {\n    row: number;\n  };\n}\n```",
            [],
        ),
        ("```ts\ninterface JobRunReply {\n  id: string;\n  $code: number;\n  c: X;\n}\n```", [7]),
        # A name of one word may be a reader's type.
        (
            "```rust\npub struct Crate {\n    pub id: u8,\n    pub kind: u8,\n    pub x: u8,\n}\n```",
            [],
        ),
        (
            "```ts\ninterface LateReply {\n  day: string;\n  hour: string;\n  text: string;\n}\n```",
            [],
        ),
        ("```ts\ninterface WordMap {\n  a: string;\n  b: string;\n  c: string;\n}\n```", []),
        ("```cs\nclass DepotRow {\n    int Size;\n    int Rank;\n    int Age;\n}\n```", []),
        ("```ts\ninterface OnlyTest {\n  a: string;\n  b: string;\n}\n```", []),  # of a test
        ("```ts\ninterface Other {\n  id: string;\n  code: number;\n}\n```", []),
        # Most members are missing: one finding. A common name and one member: another type.
        ("```ts\ninterface JobRunReply {\n  id: string;\n  a: string;\n  b: string;\n}\n```", [6]),
        ("```ts\ninterface JobReply {\n  id: string;\n  a: string;\n  b: string;\n}\n```", []),
        (RUST.format("// New\n    pub owner: String,"), []),
        ("## 2. Add the owner\n\n" + RUST.format("pub owner: String,"), []),
        (RUST.format("pub owner: String, // ← NEW"), []),
        ("## Enhanced device\n\n" + RUST.format("pub owner: String,"), []),
        ("```ts\ninterface JobReply {\n  a: string;\n  b: string;\n}\n```", []),
        ("```\npub struct DeviceRow {\n    pub id: String,\n    pub owner: String,\n}\n```", []),
        ("We plan a new field:\n\n" + RUST.format("pub owner: String,"), []),
    ],
)
def test_a_shown_type(repo: Repo, block: str, lines: list[int]) -> None:
    assert [line for line, _ in found(repo, block)] == lines


CUT = (
    "```cs\npublic partial class DepotRow {\n    private readonly Rank _rank;\n    public DepotRow(\n"
    "        int size,\n        // ... others)\n    {\n        Rank();\n\n        _rank = new Rank(this, /* ... */);\n"
    "    }\n}\n```"
)


def test_a_member_without_a_name_stops_no_other_check(repo: Repo) -> None:
    """A placeholder in a comment can leave a member without a name."""
    broken = f"{CUT}\n\n{RUST.format('pub owner: String,')}"
    ((_, message),) = found(repo, broken)
    assert message.startswith("DeviceRow.owner: src/device.rs has no such member")


def test_the_message_names_the_member_and_the_file(repo: Repo) -> None:
    ((_, few),) = found(repo, RUST.format("pub owner: String,"))
    shown = "interface JobRunReply {\n  id: string;\n  a: string;\n  b: string;\n}"
    ((_, most),) = found(repo, f"```ts\n{shown}\n```")
    assert few.startswith("DeviceRow.owner: src/device.rs has no such member")
    assert "nor 1 other member in this code block" in most


def test_plans_and_tests_show_other_types(repo: Repo) -> None:
    block = RUST.format("pub owner: String,")
    for path in ("docs/specs/device.md", "docs/requirements/device.md", "tests/README.md"):
        assert not found(repo, block, path)
