"""`grounded-ingest hook`: what a coding agent's own hook runs."""

from __future__ import annotations

import json
import os
import sys

import click

from grounded_ingest.agents.event import AgentEvent, HookOutput
from grounded_ingest.agents.registry import AGENTS, agent_of
from grounded_ingest.cli.invocation import program
from grounded_ingest.cli.terminal import say
from grounded_ingest.errors import Exit, GroundedIngestError

LARGEST = 16_000_000
"""Bytes of a payload."""


@click.command()
@click.option(
    "--agent",
    type=click.Choice([*AGENTS, "auto"]),
    default="auto",
    help="Whose hook this is; auto tells by the payload.",
)
@click.pass_context
def command(ctx: click.Context, *, agent: str) -> None:
    """Answer a coding agent's hook: read its payload on stdin, tell its model what is wrong.

    Only what was just written is judged, offline. Nothing wrong is silence; a failure of its own
    is said to you, never to the model, with exit code 0.
    """
    ctx.exit(_answer(agent))


def _answer(agent: str) -> int:
    from grounded_ingest.agents.conversation import reply_to
    from grounded_ingest.servers.session import Session

    try:
        payload = json.loads(sys.stdin.buffer.read(LARGEST))
        shape = AGENTS.get(agent) or (agent_of(payload) if isinstance(payload, dict) else None)
        if not isinstance(payload, dict) or shape is None:
            raise GroundedIngestError("no payload of an agent's hook on standard input")
        event = shape.event(payload)
        session = Session(_directory(event), landed=True, patient=False)
        reply = reply_to(event, session, program())
        output = shape.output(event, reply) if reply else HookOutput()
    except Exception as error:  # noqa: BLE001  an agent's session outlives whatever fails here
        from grounded_ingest.text.printable import printable

        said = f"{type(error).__name__}: {error}"
        say(f"grounded-ingest: nothing was checked: {printable(said)}")
        return Exit.OK
    sys.stdout.write(output.out)
    sys.stderr.write(output.err)
    return output.code


def _directory(event: AgentEvent) -> str:
    """Where the agent works; for one that does not say, where the file lies that it wrote."""
    written = os.path.dirname(event.edits[0].path) if event.edits else ""
    there = event.directory or (written if os.path.isabs(written) else "") or os.getcwd()
    while not os.path.isdir(there) and os.path.dirname(there) != there:  # still to be made
        there = os.path.dirname(there)
    return there
