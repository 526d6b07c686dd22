"""The agents whose hooks are known."""

from __future__ import annotations

from grounded_ingest.agents.claude import Claude
from grounded_ingest.agents.event import AgentShape, Payload

AGENTS: dict[str, AgentShape] = {shape.name: shape for shape in (Claude(),)}
"""By the name that `--agent` takes; asked for a payload in this order."""


def agent_of(payload: Payload) -> AgentShape | None:
    """The agent that sent a payload, by its keys; None for one of nobody known."""
    return next((shape for shape in AGENTS.values() if shape.sent(payload)), None)
