"""The agents whose hooks are known."""

from __future__ import annotations

from grounded_ingest.agents.claude import Claude
from grounded_ingest.agents.cline import Cline
from grounded_ingest.agents.codex import Codex
from grounded_ingest.agents.copilot import Copilot
from grounded_ingest.agents.cursor import Cursor
from grounded_ingest.agents.event import AgentShape, Payload
from grounded_ingest.agents.gemini import Gemini
from grounded_ingest.agents.kiro import Kiro
from grounded_ingest.agents.opencode import OpenCode
from grounded_ingest.agents.windsurf import Windsurf

_SHAPES: tuple[AgentShape, ...] = (
    OpenCode(), Cline(), Windsurf(), Cursor(), Copilot(), Kiro(), Codex(), Gemini(), Claude(),
)  # fmt: skip

AGENTS: dict[str, AgentShape] = {shape.name: shape for shape in _SHAPES}
"""By the name that `--agent` takes; asked for a payload in this order."""


def agent_of(payload: Payload) -> AgentShape | None:
    """The agent that sent a payload, by its keys; None for one of nobody known."""
    return next((shape for shape in AGENTS.values() if shape.sent(payload)), None)
