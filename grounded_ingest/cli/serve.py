"""Defines the commands `mcp` and `lsp`, which run as servers until the client ends them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from grounded_ingest.cli.group import cli
from grounded_ingest.cli.invocation import program
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.rule_page import rule_docs
from grounded_ingest.servers.session import Session
from grounded_ingest.version import install_command, origin


@contextmanager
def _needs(server: str, extra: str) -> Iterator[None]:
    """Raises GroundedIngestError if an import fails because an extra is not installed."""
    try:
        yield
    except ImportError as error:
        name = (error.name or "").partition(".")[0]
        if name in ("", "grounded_ingest"):
            raise
        reason = f"{server} needs the Python package {name}"
        raise GroundedIngestError(reason, f"install it: {install_command(extra)}") from None


@cli.command("mcp")
def mcp_command() -> None:
    """Serve a coding agent over MCP on stdin and stdout, until the agent closes them.

    \b
    claude mcp add grounded -- grounded-ingest mcp

    Offers seven tools that only read: check_text, check, explain, prove, recall, verify, status.
    The tools do not approve claims, do not write files, and read nothing outside this repository.
    """
    with Repo() as repo:  # reports a missing repository before the slow import
        session = Session(repo.root or os.getcwd())
    with _needs("the MCP server", "mcp"):
        from grounded_ingest.servers.mcp_server import mcp_server  # the extra `mcp`
    mcp_server(session, program()).run("stdio")  # until the client closes the input


@cli.command("lsp")
@click.option(
    "--stdio",
    is_flag=True,
    help="Talk over stdin and stdout. This is the default; many clients pass the option.",
)
def lsp_command(*, stdio: bool) -> None:
    """Serve an editor over the language server protocol, until it ends the session.

    \b
    grounded-ingest lsp


    Checks documents when they are opened, edited or saved. Does not use the network. Writes only
    the cache in the git directory. Needs the extra `lsp`.
    """
    del stdio
    with _needs("the language server", "lsp"):
        from grounded_ingest.servers.lsp_server import serve_editor  # the extra `lsp`
    serve_editor(program(), _rule_address)


def _rule_address(rule: str) -> str:
    """Returns the address of a rule's documentation page. The page is in this checkout or in the
    public repository that the program was installed from. Returns an empty string if neither
    exists."""
    page = Path(__file__).parents[2] / rule_docs(rule)
    if page.is_file():
        return page.as_uri()
    url, commit = origin()
    return f"{url.removesuffix('.git')}/blob/{commit}/{rule_docs(rule)}" if url and commit else ""
