"""Hooks in a JSON file of an agent: what stands there stays, ours is added once."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from grounded_ingest.agents.event import InstalledHook
from grounded_ingest.errors import GroundedIngestError

MARK = "hook --agent"
"""What every command of ours has in it, so that one is known that stands there."""


def with_hooks(
    path: str,
    standing: Mapping[str, str],
    hooks: Mapping[str, Sequence[Mapping[str, Any]]],
    top: Mapping[str, Any] | None = None,
) -> InstalledHook:
    """The file with these entries at the end of each event's list, in place of ours that stood
    there. Raises GroundedIngestError where the file holds no such object."""
    text = standing.get(path, "")
    try:
        settings = json.loads(text) if text.strip() else dict(top or {})
    except ValueError as error:
        raise GroundedIngestError(f"{path}: {error}", "mend the file, or move it away") from None
    if not isinstance(settings, dict):
        raise GroundedIngestError(f"{path}: not an object", "mend the file, or move it away")
    events = settings.setdefault("hooks", {})
    if not isinstance(events, dict):
        raise GroundedIngestError(f"{path}: `hooks` is not an object", "mend it, or move it away")
    for event, entries in hooks.items():
        listed = events.setdefault(event, [])
        if not isinstance(listed, list):
            raise GroundedIngestError(f"{path}: hooks.{event} is not a list", "mend it")
        events[event] = [*(e for e in listed if not _is_ours(e)), *entries]
    return InstalledHook(path, json.dumps(settings, indent=2, ensure_ascii=False) + "\n")


def for_tools(
    command: Mapping[str, Any], tools: Mapping[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """One command for each event, matched with the tools it is for; with all where none are
    named."""
    return {
        event: [{**({"matcher": names} if names else {}), "hooks": [command]}]
        for event, names in tools.items()
    }


def _is_ours(entry: Any) -> bool:
    said = json.dumps(entry)
    return "grounded-ingest" in said and MARK in said
