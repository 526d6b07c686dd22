"""Implements the language server, which sends findings to an editor over standard input and output.

No other module uses the types of the language server protocol (docs/decisions/agents.md).
"""

from __future__ import annotations

import asyncio
import gc
import os
import re
import sys
from collections.abc import Callable, Hashable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import from_fs_path, to_fs_path

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.report.formats import NAME, Look
from grounded_ingest.servers.editor_document import (
    EditorDocument,
    EditorFinding,
    Span,
    cited_places,
    editor_findings,
    editor_hover,
)
from grounded_ingest.servers.latest_work import LatestWork
from grounded_ingest.servers.quick_fixes import QuickFix, quick_fixes
from grounded_ingest.servers.session import Session
from grounded_ingest.servers.text_positions import TextPositions
from grounded_ingest.text.printable import printable
from grounded_ingest.version import __version__

T = TypeVar("T")
PAUSE_S = 0.5
"""Seconds after the last change until the unsaved text is checked."""
_SEVERITY = {"error": lsp.DiagnosticSeverity.Error, "warning": lsp.DiagnosticSeverity.Warning}


class GroundedLanguageServer(LanguageServer):
    """A language server that reports its internal errors only in the client's log."""

    def report_server_error(self, error: Exception, source: object) -> None:
        del source
        self.log(f"{type(error).__name__}: {error}")

    def log(self, message: str) -> None:
        told = lsp.LogMessageParams(lsp.MessageType.Error, f"{NAME}: {printable(message)}")
        self.window_log_message(told)


class OpenDocuments:
    """The documents that the client has open. Schedules their checks, and opens the session for the
    repository of a document."""

    def __init__(
        self, server: GroundedLanguageServer, program: str, page: Callable[[str], str]
    ) -> None:
        self.server, self._page = server, page
        self._look = Look(program=program)
        self._work = LatestWork()
        self._sessions: dict[str, Session] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._judging: set[asyncio.Task[None]] = set()

    def judge(self, uri: str, after: float = 0.0) -> None:
        """Checks a document and publishes its diagnostics after a delay of `after` seconds. Another
        call for the same document restarts the delay."""
        self.forget(uri)
        loop = asyncio.get_running_loop()
        self._waiting[uri] = loop.call_later(after, self._start, uri)

    def judge_others(self, uri: str) -> None:
        """Checks all other open documents again, because the files that they cite may have
        changed."""
        for other in [d.uri for d in self.server.workspace.text_documents.values()]:
            if other != uri:
                self.judge(other, PAUSE_S)

    def forget(self, uri: str) -> None:
        if waiting := self._waiting.pop(uri, None):
            waiting.cancel()

    def clear(self, uri: str) -> None:
        """Removes the diagnostics of a document from the editor, and cancels a waiting check."""
        self.forget(uri)
        self.server.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def _start(self, uri: str) -> None:
        self._waiting.pop(uri, None)
        task = asyncio.get_running_loop().create_task(self._publish(uri))
        self._judging.add(task)
        task.add_done_callback(self._judging.discard)

    async def _publish(self, uri: str) -> None:
        judged = self._opened(uri)
        found = await self.ask("judge", uri, lambda d: (d, editor_findings(d, self._look)))
        if judged is None or found is None or judged != self._opened(uri):
            return  # the file is in no repository, or the text changed and is checked again
        document, findings = found
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri, [self._diagnostic(document, f) for f in findings], judged[1]
            )
        )

    async def ask(self, what: Hashable, uri: str, about: Callable[[EditorDocument], T]) -> T | None:
        """Calls `about` with an open document on the worker thread and returns the result. Returns
        None if the file is in no repository, if a newer request with the same `what` replaced this
        request, or if `about` failed. Writes an error to the client's log."""
        opened, file = self._opened(uri), to_fs_path(uri)
        if opened is None or not file:
            return None
        encoding = str(getattr(self._encoding, "value", self._encoding))
        try:
            return await asyncio.wrap_future(
                self._work.submit(
                    (what, uri), partial(self._answer, file, opened[0], encoding, about)
                )
            )
        except GroundedIngestError as error:
            self.server.log(str(error))
        except Exception as error:  # noqa: BLE001  the server must keep running
            self.server.log(f"{os.path.basename(file)}: {type(error).__name__}: {error}")
        return None

    def _answer(
        self, file: str, text: str, encoding: str, about: Callable[[EditorDocument], T]
    ) -> T | None:
        """Runs on the worker thread: opens the session for the file's repository and calls `about`
        with the document. Returns None if the file is in no repository."""
        root = _repository_around(file)
        if not root:
            return None
        session = self._sessions.setdefault(root, Session(root))
        path = session.from_root(file)
        return about(EditorDocument(session, path, TextPositions(text, encoding)))

    @property
    def _encoding(self) -> object:
        return self.server.workspace.position_encoding

    def _opened(self, uri: str) -> tuple[str, int | None] | None:
        """Returns the text of an open document, and the version number that the client sent."""
        found = [d for d in self.server.workspace.text_documents.values() if d.uri == uri]
        return (found[0].source, found[0].version) if found else None

    def _diagnostic(self, document: EditorDocument, finding: EditorFinding) -> lsp.Diagnostic:
        page = self._page(finding.rule)
        return lsp.Diagnostic(
            range=range_of(finding.span, document.positions),
            message=finding.message,
            severity=_SEVERITY[finding.severity],
            code=finding.rule,
            code_description=lsp.CodeDescription(page) if page else None,
            source=NAME,
            data={"id": finding.id},
        )

    async def hover(self, params: lsp.HoverParams) -> lsp.Hover | None:
        uri, at = params.text_document.uri, params.position
        answer = await self.ask(
            "hover", uri, lambda d: (d, editor_hover(d, offset_of(at, d), self._look))
        )
        if answer is None or (found := answer[1]) is None:
            return None
        span, lines = found
        said = _marked_up("\n".join(lines), markdown=self._takes_markdown())
        return lsp.Hover(said, range_of(span, answer[0].positions))

    def _takes_markdown(self) -> bool:
        of_text = self.server.client_capabilities.text_document
        formats = of_text.hover.content_format if of_text and of_text.hover else None
        return lsp.MarkupKind.Markdown in (formats or ())

    async def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        uri, at = params.text_document.uri, params.position
        found = await self.ask("definition", uri, lambda d: cited_places(d, offset_of(at, d)))
        return [
            lsp.Location(there, lsp.Range(lsp.Position(line - 1, 0), lsp.Position(line - 1, 0)))
            for file, line in found or ()
            if (there := from_fs_path(file))
        ]

    async def actions(self, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        only = params.context.only
        if only is not None and not any(_holds(kind) for kind in only):
            return []
        uri, asked = params.text_document.uri, params.range
        answer = await self.ask(
            "actions",
            uri,
            lambda d: (
                d, quick_fixes(d, (offset_of(asked.start, d), offset_of(asked.end, d)))
            ),
        )  # fmt: skip
        if answer is None:
            return []
        document, found = answer
        return [_action(f, uri, document, params.context.diagnostics) for f in found]


def _holds(kind: lsp.CodeActionKind | str) -> bool:
    """Returns whether the requested kind of code actions includes quick fixes."""
    return f"{lsp.CodeActionKind.QuickFix.value}.".startswith(
        f"{getattr(kind, 'value', kind)}.".lstrip(".")
    )


def _action(
    fix: QuickFix, uri: str, document: EditorDocument, told: Sequence[lsp.Diagnostic]
) -> lsp.CodeAction:
    where = range_of(fix.span, document.positions)
    line = where.start.line
    return lsp.CodeAction(
        title=fix.title,
        kind=lsp.CodeActionKind.QuickFix,
        diagnostics=[
            d for d in told if d.source == NAME and d.range.start.line <= line <= d.range.end.line
        ],
        is_preferred=fix.certain or None,
        edit=lsp.WorkspaceEdit(changes={uri: [lsp.TextEdit(where, fix.text)]}),
    )


def offset_of(position: lsp.Position, document: EditorDocument) -> int:
    return document.positions.offset(position.line, position.character)


def range_of(span: Span, positions: TextPositions) -> lsp.Range:
    start, end = (lsp.Position(*positions.position(offset)) for offset in span)
    return lsp.Range(start, end)


def _marked_up(text: str, *, markdown: bool) -> lsp.MarkupContent:
    """Returns the text as a code block in Markdown, or as plain text. In a code block, the client
    does not interpret markup from the document."""
    if not markdown:
        return lsp.MarkupContent(lsp.MarkupKind.PlainText, text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, f"{fence}text\n{text}\n{fence}")


def _repository_around(file: str) -> str:
    """Returns the nearest directory above a file that contains `.git`. Returns an empty string if
    there is none, or if the file name is invalid (has a NUL byte)."""
    try:
        real = os.path.realpath(file)
    except ValueError:
        return ""
    return next((str(d) for d in Path(real).parents if (d / ".git").exists()), "")


def serve_editor(program: str, page: Callable[[str], str]) -> None:
    """Runs the language server on standard input and output until the client stops the server. All
    other output goes to standard error. `program` is the command line that starts grounded-ingest.
    `page` returns the URL of a rule's page, or an empty string."""
    # The client sends the whole text: it and pygls can count the lines of an edit differently.
    whole = lsp.TextDocumentSyncKind.Full
    server = GroundedLanguageServer(NAME, __version__, text_document_sync_kind=whole)
    documents = OpenDocuments(server, program, page)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        documents.judge(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def edited(params: lsp.DidChangeTextDocumentParams) -> None:
        documents.judge(params.text_document.uri, PAUSE_S)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        documents.judge(params.text_document.uri)
        documents.judge_others(params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        documents.clear(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def moved_on_disk(_: lsp.DidChangeWatchedFilesParams) -> None:
        documents.judge_others("")

    # pygls sets attributes of a feature, which a bound method does not allow.
    fixes = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(partial(documents.hover))
    server.feature(lsp.TEXT_DOCUMENT_DEFINITION)(partial(documents.definition))
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, fixes)(partial(documents.actions))

    out, sys.stdout = sys.stdout.buffer, sys.stderr
    gc.freeze()  # imported modules stay in memory: the garbage collector can skip them
    server.start_io(sys.stdin.buffer, out)
