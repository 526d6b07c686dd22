"""Defines `grounded-ingest hook`, the command that a coding agent's own hook runs."""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import click

from grounded_ingest.agents.conversation import reply_to
from grounded_ingest.agents.registry import AGENTS, AgentEvent, HookOutput, agent_of
from grounded_ingest.cli.group import cli
from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import say
from grounded_ingest.errors import Exit
from grounded_ingest.servers.session import Session
from grounded_ingest.text.printable import printable

LARGEST = 16_000_000
"""Maximum number of bytes to read from the hook's payload."""


@cli.command("hook")
@click.option(
    "--agent",
    type=click.Choice([*AGENTS, "auto"]),
    default="auto",
    help="The coding agent that runs this hook. Default: auto, recognised from the payload.",
)
@click.pass_context
def command(ctx: click.Context, *, agent: str) -> None:
    """Check what a coding agent has just written. The agent's own hook runs this command.

    \b
    grounded-ingest hook --agent claude < payload.json

    Reads the hook's payload on stdin and prints the findings for the agent's model. Without
    findings, it prints nothing, except one line at the start of a session, and suggestions of
    proofs. Does not use the network. If the command itself fails, it reports that to you and not to
    the model, and exits with code 0.

    Exit codes: 0 done, 2 something to tell the model, for Windsurf and Kiro.
    """
    ctx.exit(_answer(agent))


def _answer(agent: str) -> int:
    try:
        payload = _payload()
        if payload is None or (shape := AGENTS.get(agent) or agent_of(payload)) is None:
            say(
                "grounded-ingest: nothing was checked, because this command expects on stdin the"
                " payload of a known coding agent's hook, which is a JSON object"
            )
            return Exit.OK
        event = shape.event(payload)
        session = Session(_directory(event), landed=True, patient=False)
        reply = reply_to(event, session, program())
        output = shape.reply(event, reply) if reply else HookOutput()
    except Exception as error:  # noqa: BLE001  a bug of ours must not end an agent's session
        message = printable(f"{type(error).__name__}: {error}")
        say(f"grounded-ingest: nothing was checked, because the hook failed: {message}")
        return Exit.OK
    sys.stdout.write(output.out)
    sys.stderr.write(output.err)
    return output.code


def _payload() -> dict[str, Any] | None:
    """Returns the JSON object on stdin, or None if there is none."""
    try:
        found = json.loads(sys.stdin.buffer.read(LARGEST))
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _directory(event: AgentEvent) -> str:
    """Returns the directory where the agent works, else the directory of the file it wrote. If that
    directory does not exist, returns the nearest parent directory that exists."""
    written = os.path.dirname(event.edits[0].path) if event.edits else ""
    there = event.directory or (written if os.path.isabs(written) else "") or os.getcwd()
    while not os.path.isdir(there) and os.path.dirname(there) != there:
        there = os.path.dirname(there)
    return there
