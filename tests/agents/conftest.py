"""Tests that run coding agents from npm are asked for: `-m agents`, or GROUNDED_INGEST_AGENTS."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import pytest
from real_agents import CACHE, REAL_AGENTS


def asked_for(config: pytest.Config) -> bool:
    return "agents" in str(config.option.markexpr) or bool(os.environ.get(CACHE))


def cache_directory() -> Path:
    user = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(os.environ.get(CACHE) or Path(user, "grounded-ingest-agents")).absolute()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if asked_for(config):
        return
    left = [item for item in items if item.get_closest_marker("agents")]
    items[:] = [item for item in items if item not in left]
    if left:
        config.hook.pytest_deselected(items=left)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """The versions that were run, for docs/agents.md."""
    if not asked_for(terminalreporter.config):
        return
    for agent in {agent.name: agent for agent in REAL_AGENTS}.values():
        if version := agent.version(cache_directory()):
            terminalreporter.write_line(f"{agent.name} {version}, {datetime.now(UTC):%Y-%m-%d}")


@pytest.fixture(scope="session")
def agents_cache() -> Path:
    return cache_directory()
