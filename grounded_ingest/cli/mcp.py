"""`grounded-ingest mcp`: an MCP server for the repository it is started in."""

from __future__ import annotations

import os

import click

from grounded_ingest.cli.invocation import program
from grounded_ingest.errors import GroundedIngestError


@click.command()
def command() -> None:
    """Answer a coding agent over MCP, on standard input and output, until it closes them.

    Six tools that read: check_text, check, explain, recall, verify, status. Nothing is approved,
    nothing written, and nothing outside this repository is looked at.
    """
    from grounded_ingest.servers.session import Session

    with Session(os.getcwd()).repository() as repo:  # none: said before anything is imported
        session = Session(repo.root or os.getcwd())
    try:
        from grounded_ingest.servers.mcp_server import serve_mcp
    except ModuleNotFoundError as error:
        name = (error.name or "").partition(".")[0]
        if name == "grounded_ingest":
            raise
        raise GroundedIngestError(
            f"the MCP server needs {name}", "pip install 'grounded-ingest[mcp]'"
        ) from None
    serve_mcp(session, program())
