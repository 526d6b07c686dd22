"""Whose configuration judges: base's in a range, so that no change loosens its own policy; in the
hook the index's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from repos import NOTES, Files, Repo, page

from grounded_ingest.config.settings import DEFAULTS, classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.model.claims import DocClass
from grounded_ingest.model.report import Report
from grounded_ingest.pipeline import Options, run
from grounded_ingest.repository.scope import Asked
from grounded_ingest.text.lexicon.agents import ENVIRONMENT

FILE = ".grounded-ingest.yaml"
SPECULATION = "I think the ledger is in Oracle."
PLAIN = "The ledger keeps its rows in one table."


def rules(report: Report, path: str = NOTES) -> list[str]:
    return [d.rule for d in report.counted if d.place.path == path]


def said(report: Report) -> list[str]:
    return [p.message for p in report.problems if p.rule == "config-change"]


LOOSER = {
    "policy": ("policy: {speculation: review}\n", SPECULATION, NOTES, 3),
    "trusted": ('sources: {"**/*.md": manual}\ntrusted_sources: [manual]\n', PLAIN, NOTES, 2),
    "exclude": ("exclude: [memory-bank/**]\n", SPECULATION, NOTES, 3),
    "adr_dirs": ("adr_dirs: [notes]\n", f"{PLAIN} (ADR-5)", NOTES, 2),
    "base": ("base: topic\n", f"{PLAIN} (ADR-1)", NOTES, 2),
}


@pytest.mark.parametrize(("config", "claim", "path", "tier"), LOOSER.values(), ids=LOOSER)
def test_a_range_cannot_loosen_its_own_policy(
    tmp_path: Path, config: str, claim: str, path: str, tier: int
) -> None:
    origin = Repo(tmp_path / "origin")
    landed: Files = {FILE: "preset: default\n", "notes/0005-x.md": "# x\n\nStatus: accepted\n"}
    origin.commit(landed)
    origin.git("clone", "-q", str(origin.root), str(tmp_path / "repo"))
    repo = Repo(tmp_path / "repo")
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit({FILE: config, "docs/adr/0001-x.md": "# x\n\nStatus: accepted\n"})
    repo.stage({path: page(claim)})
    repo.commit()
    report = repo.check("range", start="origin/main").report
    assert [d.tier.value for d in report.counted if d.place.path == path] == [tier]
    assert bool(said(report)) is ("policy" in config or "exclude" in config)


def test_the_hook_says_in_one_line_that_a_commit_loosens_the_guard(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({FILE: "policy: {repeat: block}\n"})
    repo.stage({FILE: None, NOTES: page(PLAIN, "Another statement of the file.", PLAIN)})
    report = repo.check().report
    assert [d.tier.value for d in report.counted] == [2, 2, 2]
    assert said(report) == [
        "this change makes the configuration less strict: policy.repeat block -> review"
    ]


@pytest.mark.parametrize(
    "broken", ["polic: {}\n", "a: [\n", "- 1\n", "policy: {speculation: off}\n"]
)
def test_a_broken_configuration_on_base_can_be_mended(tmp_path: Path, broken: str) -> None:
    repo = Repo(tmp_path)
    start = repo.commit({FILE: broken})
    repo.stage({FILE: "preset: default\n", NOTES: page(SPECULATION)})
    assert rules(repo.check().report) == ["speculation"]
    repo.commit()
    report = repo.check("range", start=start).report
    assert rules(report) == ["speculation"]
    assert "the defaults apply" in said(report)[0]


@pytest.mark.parametrize("broken", ["polic: {}\n", "a: [\n", "&a [*a]\n", "!!python/none x\n"])
def test_a_broken_configuration_in_the_change_is_an_error(tmp_path: Path, broken: str) -> None:
    repo = Repo(tmp_path)
    repo.commit({FILE: "preset: default\n"})
    repo.stage({FILE: broken})
    with pytest.raises(GroundedIngestError, match=r"\.grounded-ingest\.yaml:[12]: "):
        repo.check()


def test_a_linked_configuration_is_an_error(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"conf.yaml": "preset: strict\n"})
    repo.stage({FILE: "link:conf.yaml"})
    with pytest.raises(GroundedIngestError, match="link"):
        repo.check()


@pytest.mark.parametrize(
    ("message", "config", "source"),
    [
        ("Write notes", {}, "unknown"),
        ("Write notes\n\nCo-Authored-By: Claude <noreply@anthropic.com>", {}, "ai_synthesis"),
        ("Write notes\n\nClaude-Session: 12", {}, "ai_synthesis"),
        ("Write notes about a claude-session: none", {}, "unknown"),
        (
            "Write notes\n\nBy: robot@ours.example",
            {"agents": ("robot@ours.example",)},
            "ai_synthesis",
        ),
    ],
)
def test_an_agent_shows_in_the_commits_of_a_range(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    message: str,
    config: dict[str, Any],
    source: str,
) -> None:
    for name in ENVIRONMENT:
        monkeypatch.delenv(name, raising=False)
    repo = Repo(tmp_path)
    start = repo.commit({"README.md": "# P\n"})
    repo.commit({NOTES: page("The ledger is kept in one table.")}, message)
    with Opened(str(repo.root), own=False) as opened:
        judged = replace(DEFAULTS, **config)
        found = run(opened, Asked("range", start=start), Options(online=False), judged_by=judged)
    assert [d.source for d in found.report.counted] == [source]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("AGENTS.md", DocClass.MEMORY),
        ("agents.md", DocClass.MEMORY),
        ("pkg/claude.md", DocClass.MEMORY),
        ("docs/AGENTS.md", DocClass.MEMORY),
        ("docs/docs/agents/agents.md", DocClass.DOCS),
        ("docs/memory.md", DocClass.DOCS),
        ("pkg/docs/gemini.md", DocClass.OTHER),
        ("docs/.claude/rules.md", DocClass.MEMORY),
    ],
)
def test_a_page_about_agents_is_no_file_of_theirs(path: str, expected: DocClass) -> None:
    assert classify(DEFAULTS, path) is expected
