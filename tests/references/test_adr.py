"""ADR citations: which file a number means, and what its status makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, adr, ask, ask_each, path

from grounded_ingest.config.settings import ADR_DIRS, DEFAULTS, Classes, Config
from grounded_ingest.model.claims import CitationKind, Verdict
from grounded_ingest.references.adr import adr_number
from grounded_ingest.references.adr_status import read_status

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
BELOW = "## Implementation Status\n\n> [!NOTE]\n"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("# A\n\nStatus: accepted\n", C),
        ("---\nstatus: accepted\n---\n# A", C),
        ('---\nstatus: "rejected"\n---\n# A\n## Status\naccepted', R),
        ("---\nstatus: accepted\nsuperseded-by: null\n---", C),
        ("---\nstatus: accepted\nsuperseded_by: ADR-0009\n---", R),
        ("# A\n\n## Status\n\nAccepted\n\n## Context\nrejected ideas", C),
        ("## Status\r\n\r\nRejected\r\n", R),
        ("## 1. Status\n\nImplemented", C),
        ("### Status\n**Accepted** 2024", C),
        ("# A\n## Status: Rejected\n", R),
        ("# A\n## Status: Accepted\n", C),
        ("# A\n\nStatus\n------\n\nRejected\n", R),
        ("= A\n\n== Status\n\nAccepted\n", C),
        (":Status: accepted", C),
        ("# A\n\n**Status:** Accepted", C),
        ("# A\n\n**Status**: Superseded by [ADR-4](0004-x.md)", R),
        ("**Status**\n\nDeprecated\n", R),
        ("**Status** — Accepted", C),
        ("- Status: proposed", U),
        ("- **Status:** Accepted\n- **Date:** 2024", C),
        ("* **Status**: ✅ Accepted", C),
        ("> Status: Rejected", R),
        ("Decision status: rejected", R),
        ("Status (2024-05-01): Rejected", R),
        ("| Status | Accepted |\n|---|---|\n", C),
        ("| Status | Date |\n|---|---|\n| Rejected | 2024 |", R),
        ("| Date | Status |\n|---|---|\n| 2024 | Accepted |", C),
        ("## Status\n\n~~Accepted~~ Proposed", U),
        ("## Status\n\n- [ ] Proposed\n- [x] Accepted", C),
        ("Status: [x] Proposed [ ] Accepted", U),
        ("Status: Accepted (supersedes ADR-3)", C),
        ("Status: Accepted, replaces the deprecated queue", C),
        ("Status: Proposed -> Accepted", C),
        ("## Status\n\nAccepted on 2024-01-01, deprecated on 2025-01-01", R),
        ("Status: Partly superseded by ADR-9", U),
        ("Status: Accepted, amended; partially superseded by ADR-9", U),
        ("Status: Partially Implemented", C),
        ("Status: Accepted; the cache (Redis) clause is superseded by ADR-9", U),
        ("Status: Accepted (the tray variant is superseded as first target by ADR-9)", U),
        ("Status: Accepted (§4 tools + §8 phases superseded by ADR-9: they ship)", U),
        ("Status: Accepted; the decision is superseded by ADR-9", R),
        ("Status: Accepted; the cache clause is superseded by ADR-8; superseded by ADR-9", R),
        ("Status: Accepted 2024, now superseded by ADR-9", R),
        ("Status: Superseded by Amendment 2", U),
        ("Status: Accepted (the tray is superseded by [ADR-9](./9.md) — not rejected)", U),
        ("Status: Accepted, never deprecated", C),
        (f"# A\n\nStatus: Accepted\n\n{BELOW}> **Superseded by Amendment 1 (2026).** Old\n", C),
        (f"# A\n\nStatus: Accepted\n\n{BELOW}> **Superseded by [§7](#7).** The table\n", C),
        (f"# A\n\nStatus: Accepted\n\n{BELOW}> **Superseded by ADR-9 (2026).** Old\n", R),
        ("| Status | Accepted 2026-05-08 |\n|---|---|\n| Date | 2026-05-08 |", C),
        ("| Status | Superseded by ADR-9 |\n|---|---|\n| Date | 2026-05-08 |", R),
        ("| Status | Date |\n|---|---|\n| Rejected | 2026-05-08 |", R),
        ("Status: accepted\n\n> The wire format is superseded by the amendment below.", C),
        ("Status: accepted\n\n> Superseded by the new design of billing.", R),
        ("Status: Partially superseded", U),
        ("Status: Accepted\n\n### Alternative 2: Nothing (Status Quo)\n\n**Rejected**: slow", C),
        ('# One\n\n* ![Example "status: superseded"](badge.png)', C),
        ("# One\n\nThe status is superseded.", U),
        ("Status: to be accepted", U),
        ("Status: not yet accepted", U),
        ("Status: Under review", U),
        ("Status: bananas", U),
        ("# ADR 4 (superseded by ADR-9)\n\n## Status\n\nAccepted", R),
        ("> **Superseded by ADR-9**\n\n# A\nStatus: accepted", R),
        ("Superseded by: none\nStatus: accepted", C),
        ("```\nstatus: accepted\n```\n\n## Status\n\nRejected", R),
        ("<!-- Status: accepted -->\nStatus: draft", U),
        ("## Status\n\n## Context\nrejected", C),
        ("# A\n\nThe state machine is rejected by nobody.", C),
        ("# A\n\nNo status at all.", C),
        ("", U),
        ("## Status\n\nAccepted\n\nSuperseded by [ADR-10](0010-x.md)", R),
        ("## Status\n\nAccepted\n\nSuperceded by [ADR-10](0010-x.md)", R),
        ("## Status\n\n2024-01-02 Accepted\n\n2024-05-01 Rejected", R),
        ("## Status\n\nAccepted\n\nSuperseded by: none", C),
        ("## 📋 Status\n\nRejected", R),
        ("## Status ❌\n\nRejected\n\n## Context\n\nx", R),
        ("# A\n\n<b>Status</b>: Rejected", U),
        ('+++\nstatus = "rejected"\n+++\n\n# A', U),
        ("# A\r\rStatus: rejected\r", R),
        ("# [DRAFT] A\n\nWe use it.", U),
        ("## Status\n\nAccepted. The lookup is superseded by ADR 16; the decision remains\n", U),
        ("## Status\n\nAccepted. The way names are looked up is\nsuperseded by ADR 16.\n", U),
        ("> The lookup of names is\n> superseded by ADR 16.\n\nStatus: accepted\n", U),
        ('Status: decided. The "`db.query` injects it" mechanism is superseded by ADR-8', U),
        ("Status: Accepted. Amendment of May: §1's reuse (of `x`) is SUPERSEDED by ADR-8", U),
        ("Status: the drop-in is superseded by ADR-8; the reasons for a file stand.", U),
        ("Status: Accepted. Superseded in part by\n[ADR 47](0047-x.md), which adds a slot", U),
        ("Status: Accepted. ADR 22 supersedes its front end. The pattern stays in force.", C),
        ("Status: Accepted\nsuperseded by ADR-9", R),
        ("## Status\n\nAccepted on a day in May,\nsuperseded by ADR-9 in June", R),
        ("Status: The decision is superseded by ADR-9", R),
        ("Status: The lookup is superseded by ADR-9", R),
        ("> This ADR is superseded by ADR-9, see\n> there.\n\nStatus: accepted", R),
        ("# A\n\nThe status of this ADR is rejected.", U),
    ],
)
def test_status(text: str, verdict: Verdict) -> None:
    assert read_status(text)[0] is verdict, read_status(text)


def test_what_ended_a_decision_is_said() -> None:
    text = "# A\n\nStatus: Superseded by [ADR-4](0004-x.md)\n"
    assert read_status(text) == (R, "superseded by ADR-4")


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("0001-title.md", 1),
        ("ADR-001-title.md", 1),
        ("ADR-0001-title.md", 1),
        ("ADR-001.md", 1),
        ("adr_12_x.md", 12),
        ("adr 7.md", 7),
        ("1.txt", None),
        ("2024-05-01-meeting.md", None),
        ("0138-x.rst", 138),
        ("20240101-title.md", None),
        ("README.md", None),
        ("template.md", None),
        ("adr-template.md", None),
        ("0000-template.md", None),
        ("ADR-000-template.md", None),
        ("0000-record-decisions.md", 0),
        ("0005-template-inheritance.md", 5),
        ("0007-prompt-templates.md", 7),
        ("0001-title.png", None),
        ("v2-title.md", None),
    ],
)
def test_number(name: str, number: int | None) -> None:
    assert adr_number(f"docs/adr/{name}") == number


ACCEPTED = "# {0}\n\nStatus: accepted\n"


@pytest.mark.parametrize("directory", [*ADR_DIRS, "docs/internal/adr", "doc/a/b/adrs", "docs/x"])
def test_every_usual_directory_and_width(tmp_path: Path, directory: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({f"{directory}/ADR-0003-x.md": ACCEPTED.format("x")})
    found = ask_each(repo, map(adr, ("3", "003", "0003")))
    assert [(e.verdict, e.target, e.quote) for e in found if e] == [(C, "ADR-0003", "x")] * 3


BASE: Files = {
    "docs/adr/0001-a.md": ACCEPTED.format("a"),
    "docs/adr/0002-b.md": "# b\n\nStatus: proposed\n",
    "docs/adr/0003-c.md": "# c\n\nStatus: superseded by ADR-1\n",
    "docs/adr/0004-d.md": ACCEPTED.format("d"),
    "docs/adr/0004-e.md": ACCEPTED.format("e"),
    "docs/adr/0005-f.md": ACCEPTED.format("f"),
    "docs/adr/0006-g.md": ACCEPTED.format("g"),
    "docs/adr/0007-h.md": ACCEPTED.format("h"),
    "docs/adr/0011-k.md": b"\x00\x01",
    "docs/adr/README.md": "# Decisions\n",
    "docs/adr/template.md": "# Template\n\nStatus: {proposed | accepted}\n",
    "notes/0099-x.md": ACCEPTED.format("x"),
}
CHANGE: Files = {
    "docs/adr/0002-b.md": "# b\n\nStatus: accepted\n",
    "docs/adr/0005-f.md": "# f\n\nStatus: rejected\n",
    "docs/adr/0006-g.md": None,
    "docs/adr/0008-i.md": ACCEPTED.format("i"),
}


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("adr"))
    repo.commit(BASE)
    repo.stage(CHANGE)
    return repo


NUMBERS = (
    (adr("1"), C, ""),
    (adr("2"), U, "on the base branch, the status differs: proposed"),
    (adr("3"), R, "superseded by ADR-1"),
    (adr("4"), U, "2 files have this number"),
    (adr("5"), R, "rejected"),
    (adr("6"), R, "removed by this change"),
    (adr("8"), U, "the record is not on the base branch yet"),
    (adr("9"), R, "no ADR 9 in docs/adr"),
    (adr("11"), U, "not text"),
    (adr("99"), R, "no ADR 99"),
    (adr("9", cue="gone"), None, ""),
    (adr("3", cue="gone"), None, ""),
    (adr("1", cue="gone"), C, ""),
    (path("../docs/adr/0001-a.md", link=True), C, ""),
    (path("../docs/adr/0003-c.md", link=True), R, "superseded"),
    (path("docs/adr/0002-b.md"), U, "on the base branch"),
    (path("0001-a.md"), C, ""),
)


def test_number_to_verdict(repo: Repo) -> None:
    every = ask_each(repo, (citation for citation, *_ in NUMBERS))
    for (citation, verdict, said), found in zip(NUMBERS, every, strict=True):
        assert (found and found.verdict) is verdict, citation
        assert found is None or found.kind == CitationKind.ADR
        assert said in (found.reason if found else ""), citation


def test_other_files_of_the_directory_are_paths(repo: Repo) -> None:
    names = ("README.md", "template.md")
    found = ask_each(repo, (path(f"docs/adr/{name}") for name in names))
    assert [(e.kind, e.verdict) for e in found if e] == [(CitationKind.PATH, C)] * 2


@pytest.mark.parametrize(
    ("name", "text", "verdict"),
    [
        ("0005-template-inheritance.md", "# 5. Template inheritance\n\nStatus: accepted\n", C),
        ("0005-issue-template.md", "# 5. One template per kind of issue\n\nAll have one.\n", C),
        ("0005-template.md", "# {short title}\n\nStatus: accepted\n", R),
        ("0005-template.md", "# ADR-NNNN: <title>\n\nStatus: accepted\n", R),
        ("0005-adr-template.md", "# 5. Title\n\nStatus: accepted\n", R),
        ("0005-template.md", "# A decision\n\nStatus: Proposed | Accepted | Rejected\n", R),
        ("0005-template.md", "", R),
        ("0000-template.md", "# Templates of pages\n\nStatus: accepted\n", R),
    ],
)
def test_a_template_is_no_decision(tmp_path: Path, name: str, text: str, verdict: Verdict) -> None:
    repo = Repo(tmp_path)
    repo.commit({f"docs/adr/{name}": text, "docs/adr/0001-a.md": ACCEPTED.format("a")})
    number = name[:4].lstrip("0") or "0"
    citations = (adr(number), path(f"../docs/adr/{name}", link=True))
    found, linked = ask_each(repo, citations)
    assert found is not None
    assert found.verdict is verdict, found
    assert linked is not None
    assert linked.kind is (CitationKind.ADR if verdict is C else CitationKind.PATH)


def test_a_link_to_an_adr_has_its_path_as_target(repo: Repo) -> None:
    found = ask(repo, path("../docs/adr/0001-a.md", link=True))
    assert found is not None
    assert found.target == "docs/adr/0001-a.md"


@pytest.mark.parametrize(
    "config",
    [Config(adr_dirs=("notes",)), Config(classes=Classes(decisions=("notes/*.md",)))],
    ids=["adr_dirs", "classes"],
)
def test_configured_places(repo: Repo, config: Config) -> None:
    assert ask(repo, adr("99"), config=DEFAULTS) is not None
    found = ask(repo, adr("99"), config=config)
    assert found is not None
    assert found.verdict is C


def test_without_a_known_base_nothing_is_confirmed(repo: Repo) -> None:
    found = ask(repo, adr("1"), base="")
    assert found is not None
    assert (found.verdict, found.reason) == (U, "the base branch is unknown")


@pytest.mark.parametrize(("number", "verdict"), [(5, "refuted"), (6, "unknown")])
def test_many_missing_records_are_kept_elsewhere(tmp_path: Path, number: int, verdict: str) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/adr/0001-use-git.md": "# 1. Use git\n\nStatus: accepted\n\nWe use git.\n"})
    text = "\n\n".join(f"The rows are kept by ADR-{n:04}." for n in range(50, 50 + number))
    repo.stage({NOTES: f"# Notes\n\n{text}\n"})
    found = {e.verdict.value for d in repo.decisions() for e in d.own_evidence}
    assert found == {verdict}
