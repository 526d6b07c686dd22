"""The language server: what an editor is told of documents over standard input and output. The
protocol is here alone, and nothing else (docs/decisions/agents.md)."""

from __future__ import annotations

import asyncio
import gc
import os
import re
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

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
from grounded_ingest.servers.text_positions import ClientPosition, TextPositions
from grounded_ingest.text.printable import printable
from grounded_ingest.version import __version__

T = TypeVar("T")
PAUSE_S = 0.5
"""Seconds without a change after which unsaved text is judged."""
_SEVERITY = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
}


class EditorLook(NamedTuple):
    """How things are said: `program` starts this one, `page` is the address of a rule's page or
    nothing."""

    program: str
    page: Callable[[str], str]


class OpenText(NamedTuple):
    """What a client says that a document holds."""

    text: str
    version: int | None


class GroundedLanguageServer(LanguageServer):
    """A server whose own errors are in the client's log, and nowhere else."""

    def report_server_error(self, error: Exception, source: object) -> None:
        del source
        self.log(f"{type(error).__name__}: {error}")

    def log(self, message: str) -> None:
        told = lsp.LogMessageParams(lsp.MessageType.Error, f"{NAME}: {printable(message)}")
        self.window_log_message(told)


class OpenDocuments:
    """The open documents of one client: when each is judged, and by whose repository."""

    def __init__(self, server: GroundedLanguageServer, look: EditorLook) -> None:
        self.server, self._page = server, look.page
        self._look = Look(program=look.program)
        self._work = LatestWork()
        self._sessions: dict[str, Session] = {}
        self._waiting: dict[str, asyncio.TimerHandle] = {}
        self._judging: set[asyncio.Task[None]] = set()

    def judge(self, uri: str, after: float = 0.0) -> None:
        """Publish diagnostics of a document after so many seconds without another call."""
        self.forget(uri)
        loop = asyncio.get_running_loop()
        self._waiting[uri] = loop.call_later(after, self._start, uri)

    def judge_others(self, uri: str) -> None:
        """What other open documents cite may be another now."""
        for other in [d.uri for d in self.server.workspace.text_documents.values()]:
            if other != uri:
                self.judge(other, PAUSE_S)

    def forget(self, uri: str) -> None:
        if waiting := self._waiting.pop(uri, None):
            waiting.cancel()

    def clear(self, uri: str) -> None:
        """Take back what was said of a document."""
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
            return  # not ours, or another text by now, which is judged in its turn
        document, findings = found
        self.server.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(
                uri, [self._diagnostic(document, f) for f in findings], judged.version
            )
        )

    async def ask(self, what: Hashable, uri: str, about: Callable[[EditorDocument], T]) -> T | None:
        """Ask about an open document in the other thread. None where it is in no repository,
        where a newer question of that kind took its turn, and where something failed: the log
        says what."""
        opened, file = self._opened(uri), to_fs_path(uri)
        if opened is None or not file:
            return None
        encoding = str(getattr(self._encoding, "value", self._encoding))
        try:
            return await asyncio.wrap_future(
                self._work.submit(
                    (what, uri), partial(self._answer, file, opened.text, encoding, about)
                )
            )
        except GroundedIngestError as error:
            self.server.log(str(error))
        except Exception as error:  # noqa: BLE001  an editor outlives whatever fails here
            self.server.log(f"{os.path.basename(file)}: {type(error).__name__}: {error}")
        return None

    def _answer(
        self, file: str, text: str, encoding: str, about: Callable[[EditorDocument], T]
    ) -> T | None:
        """In the other thread."""
        root = _repository_around(file)
        if not root:
            return None
        session = self._sessions.setdefault(root, Session(root))
        path = session.from_root(file)
        return about(EditorDocument(session, path, TextPositions(text, encoding)))

    @property
    def _encoding(self) -> object:
        return self.server.workspace.position_encoding

    def _opened(self, uri: str) -> OpenText | None:
        found = [d for d in self.server.workspace.text_documents.values() if d.uri == uri]
        return OpenText(found[0].source, found[0].version) if found else None

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
        said = _marked_up("\n".join(found.lines), markdown=self._takes_markdown())
        return lsp.Hover(said, range_of(found.span, answer[0].positions))

    def _takes_markdown(self) -> bool:
        of_text = self.server.client_capabilities.text_document
        formats = of_text.hover.content_format if of_text and of_text.hover else None
        return lsp.MarkupKind.Markdown in (formats or ())

    async def definition(self, params: lsp.DefinitionParams) -> list[lsp.Location]:
        uri, at = params.text_document.uri, params.position
        found = await self.ask("definition", uri, lambda d: cited_places(d, offset_of(at, d)))
        return [
            lsp.Location(there, lsp.Range(lsp.Position(p.line - 1, 0), lsp.Position(p.line - 1, 0)))
            for p in found or ()
            if (there := from_fs_path(p.file))
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
    """Whether quick fixes are of a kind that is asked for."""
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
    return document.positions.offset(ClientPosition(position.line, position.character))


def range_of(span: Span, positions: TextPositions) -> lsp.Range:
    start, end = (lsp.Position(*positions.position(offset)) for offset in span)
    return lsp.Range(start, end)


def _marked_up(text: str, *, markdown: bool) -> lsp.MarkupContent:
    """Text in columns, as it is: what a document says is never read as markup of ours."""
    if not markdown:
        return lsp.MarkupContent(lsp.MarkupKind.PlainText, text)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", text)), default=0))
    return lsp.MarkupContent(lsp.MarkupKind.Markdown, f"{fence}text\n{text}\n{fence}")


def _repository_around(file: str) -> str:
    """Returns the nearest directory above a file that git takes for a work tree; empty if there is
    none, or if no file can have this name (a NUL)."""
    try:
        real = os.path.realpath(file)
    except ValueError:
        return ""
    return next((d for d in _above(real) if os.path.exists(f"{d}/.git")), "")


def _above(path: str) -> Iterator[str]:
    while (parent := os.path.dirname(path)) != path:
        yield parent
        path = parent


def language_server(look: EditorLook) -> GroundedLanguageServer:
    """A server with all that it answers. Texts come whole: the lines that edits would be counted in
    are not those of the protocol everywhere."""
    whole = lsp.TextDocumentSyncKind.Full
    server = GroundedLanguageServer(NAME, __version__, text_document_sync_kind=whole)
    documents = OpenDocuments(server, look)

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

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    async def hovered(params: lsp.HoverParams) -> lsp.Hover | None:
        return await documents.hover(params)

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    async def led(params: lsp.DefinitionParams) -> list[lsp.Location]:
        return await documents.definition(params)

    fixes = lsp.CodeActionOptions(code_action_kinds=[lsp.CodeActionKind.QuickFix])

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, fixes)
    async def offered(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        return await documents.actions(params)

    return server


def serve_editor(look: EditorLook) -> None:
    """Speak the language server protocol over standard input and output until the client ends it.
    What else is printed goes to standard error."""
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    gc.freeze()  # what is imported stays: collecting need not look at it
    language_server(look).start_io(sys.stdin.buffer, out)
