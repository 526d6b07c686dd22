"""`grounded-ingest lsp`: the language server that an editor starts."""

from __future__ import annotations

from pathlib import Path

import click

from grounded_ingest.cli.invocation import origin, program
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.rule_page import rule_docs


@click.command()
@click.option("--stdio", is_flag=True, help="Speak over stdin and stdout, as it does anyway.")
def command(*, stdio: bool) -> None:
    """Serve an editor over the language server protocol, until it ends the session.

    Documents are judged offline when they are opened or saved, and while they are written. Nothing
    is written but the index; needs the extra `lsp`.
    """
    del stdio  # what many clients add
    try:
        from grounded_ingest.servers.lsp_server import EditorLook, serve_editor
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise GroundedIngestError(
            f"the language server needs {error.name}", "pip install 'grounded-ingest[lsp]'"
        ) from None
    serve_editor(EditorLook(program(), _page))


def _page(rule: str) -> str:
    """The address of a rule's page: of this checkout, or in the public repository that this program
    was installed from; empty where there is neither."""
    here = Path(__file__).parents[2] / rule_docs(rule)
    if here.is_file():
        return here.as_uri()
    url, commit = origin()
    return f"{url.removesuffix('.git')}/blob/{commit}/{rule_docs(rule)}" if url and commit else ""
