"""What the language server costs: a session over one document, as an editor would have it.

python -m benchmarks.editor_session REPOSITORY DOCUMENT [ROUNDS]
"""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

COMMAND = (sys.executable, "-m", "grounded_ingest", "lsp")


def cpu(process: int) -> float:
    """Seconds of a process and its ended children (Linux)."""
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def memory(process: int) -> int:
    """Its resident megabytes."""
    status = Path(f"/proc/{process}/status").read_text("ascii").splitlines()
    return int(next(row for row in status if row.startswith("VmRSS")).split()[1]) // 1024


async def measured(
    what: str, process: int, rounds: int, ask: Callable[[int], Awaitable[object]]
) -> None:
    before, began = cpu(process), time.monotonic()
    for number in range(rounds):
        await ask(number)
    spent, passed = (cpu(process) - before) / rounds, (time.monotonic() - began) / rounds
    print(f"| {what} | {spent:.2f} s | {passed:.2f} s | {memory(process)} MB |")


async def session(root: Path, path: str, rounds: int) -> None:
    client, told = LanguageClient("benchmark", "1"), asyncio.Queue[object]()
    client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)(lambda found: told.put_nowait(found))
    await client.start_io(*COMMAND)
    process = client._server.pid  # type: ignore[union-attr]
    text, uri = (root / path).read_text("utf-8"), (root / path).as_uri()
    document = lsp.TextDocumentIdentifier(uri)
    last = lsp.Position(text.count("\n") + 1, 3)
    here = lsp.Range(last, last)

    async def start(_: int) -> None:
        await client.initialize_async(lsp.InitializeParams(lsp.ClientCapabilities()))
        client.initialized(lsp.InitializedParams())

    async def show(_: int) -> None:
        item = lsp.TextDocumentItem(uri, "markdown", 1, text)
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await told.get()

    async def write(number: int) -> None:
        whole = lsp.TextDocumentContentChangeWholeDocument(f"{text}\nA page has {number} rows.\n")
        at = lsp.VersionedTextDocumentIdentifier(number + 2, uri)
        client.text_document_did_change(lsp.DidChangeTextDocumentParams(at, [whole]))
        await told.get()

    print("| | CPU | wall | memory after |\n|---|--:|--:|--:|")
    await measured("start, `initialize`", process, 1, start)
    await measured("the document is opened", process, 1, show)
    await measured("a pause in writing, with its 0.5 s", process, rounds, write)
    hover = lsp.HoverParams(document, last)
    await measured("hover", process, rounds, lambda _: client.text_document_hover_async(hover))
    where = lsp.DefinitionParams(document, last)
    await measured(
        "definition", process, rounds, lambda _: client.text_document_definition_async(where)
    )
    fixes = lsp.CodeActionParams(document, here, lsp.CodeActionContext([]))
    await measured(
        "quick fixes", process, rounds, lambda _: client.text_document_code_action_async(fixes)
    )
    await measured("5 s of nothing", process, 1, lambda _: asyncio.sleep(5))
    await client.shutdown_async(None)
    client.exit(None)
    await client.stop()  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    repository, asked, *rest = sys.argv[1:]
    asyncio.run(session(Path(repository).resolve(), asked, int(rest[0]) if rest else 20))
