"""`grounded-ingest lsp` end to end: a client of the protocol, and the process that editors start."""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
import weakref
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import pytest
import pytest_lsp
from lsprotocol import types as lsp
from pytest_lsp import ClientServerConfig, LanguageClient
from repos import Repo, environment

from grounded_ingest.servers.session import Session

SETTINGS = (
    'HOST = "127.0.0.1"\nGATEWAY_PORT = 8443\nUPLOAD_LIMIT_MB = 20\n\n\n'
    'def retry_delay(attempt):\n    """Seconds before the next attempt."""\n    return 2**attempt\n'
)
ADR = "# 3. Keep the ledger in PostgreSQL\n\nStatus: accepted\n\nIt needs transactions.\n"
NOTES = "memory-bank/notes.md"
GROUNDED = "The gateway listens on port 8443 (`src/settings.py:2`)."
UNGROUNDED = "Sessions are stored in PostgreSQL for one day."
REFUTED = "Sessions are made in `src/sessions.py:3`."
GUESS = "I think we should use Redis for the session cache."
COMMAND = [sys.executable, "-m", "grounded_ingest", "lsp", "--stdio"]
LONG = 60
"""Seconds that a busy machine may take."""


def doc(*claims: str, end: str = "\n") -> str:
    return (end * 2).join(["# Notes", *claims]) + end


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "work")
    repo.commit({"src/settings.py": SETTINGS, "docs/adr/0003-ledger.md": ADR})
    repo.commit({NOTES: doc(GROUNDED, REFUTED)})
    return repo


@pytest_lsp.fixture(config=ClientServerConfig(server_command=COMMAND, server_env=environment()))
async def client(lsp_client: LanguageClient) -> AsyncIterator[None]:
    yield
    if lsp_client.capabilities is not None:
        await lsp_client.shutdown_session()


async def start(client: LanguageClient, encoding: str = "", *, markdown: bool = True) -> str:
    """Begin a session as an editor does; the encoding that the server chose."""
    formats = [lsp.MarkupKind.Markdown] if markdown else [lsp.MarkupKind.PlainText]
    general = lsp.GeneralClientCapabilities(position_encodings=[encoding] if encoding else None)
    document = lsp.TextDocumentClientCapabilities(
        hover=lsp.HoverClientCapabilities(content_format=formats)
    )
    able = lsp.ClientCapabilities(general=general, text_document=document)
    answer = await client.initialize_session(lsp.InitializeParams(able))
    chosen = answer.capabilities.position_encoding
    return str(getattr(chosen, "value", chosen))


async def told(client: LanguageClient) -> Sequence[lsp.Diagnostic]:
    """The diagnostics that are published next."""
    published = await asyncio.wait_for(
        client.wait_for_notification(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), LONG
    )
    return sorted(published.diagnostics, key=lambda d: d.range.start.line)


def show(client: LanguageClient, repo: Repo, text: str | None = None, path: str = NOTES) -> str:
    """Open a file as it is on disk, or with another text; its address."""
    uri = (repo.root / path).as_uri()
    text = (repo.root / path).read_bytes().decode() if text is None else text
    item = lsp.TextDocumentItem(uri, "markdown", 1, text)
    client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    return uri


def write(client: LanguageClient, uri: str, text: str, version: int = 2) -> None:
    whole = lsp.TextDocumentContentChangeWholeDocument(text)
    document = lsp.VersionedTextDocumentIdentifier(version, uri)
    client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [whole]))


def at(text: str, words: str, encoding: str = "utf-16-le") -> lsp.Position:
    """Where words begin, as a client counts."""
    before = text[: text.index(words)]
    size = {"utf-16-le": 2, "utf-8": 1, "utf-32-le": 4}[encoding]
    row = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(row.encode(encoding)) // size)


def applied(text: str, edit: lsp.TextEdit) -> str:
    rows = text.split("\n")
    start, end = (
        sum(len(r) + 1 for r in rows[: p.line])
        + len(rows[p.line].encode("utf-16-le")[: p.character * 2].decode("utf-16-le"))
        for p in (edit.range.start, edit.range.end)
    )
    return text[:start] + edit.new_text + text[end:]


async def actions(
    client: LanguageClient, uri: str, where: lsp.Position, **context: object
) -> list[lsp.CodeAction]:
    told = lsp.CodeActionContext([], **context)
    found = await client.text_document_code_action_async(
        lsp.CodeActionParams(lsp.TextDocumentIdentifier(uri), lsp.Range(where, where), told)
    )
    return list(found or ())


def edit_of(action: lsp.CodeAction, uri: str) -> lsp.TextEdit:
    assert action.kind == lsp.CodeActionKind.QuickFix
    assert action.edit is not None
    assert action.edit.changes is not None
    ((there, (edit,)),) = action.edit.changes.items()
    assert there == uri
    return edit


async def hover(client: LanguageClient, uri: str, where: lsp.Position) -> lsp.Hover | None:
    asked = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), where)
    return await client.text_document_hover_async(asked)


async def places(client: LanguageClient, uri: str, where: lsp.Position) -> list[tuple[str, int]]:
    """The end of each path that definition leads to, and its line from 1."""
    asked = lsp.DefinitionParams(lsp.TextDocumentIdentifier(uri), where)
    found = await client.text_document_definition_async(asked)
    return [(p.uri.rpartition("/")[2], p.range.start.line + 1) for p in found]


@pytest.mark.asyncio
async def test_what_is_wrong_is_told_when_a_file_is_opened_written_and_saved(
    client: LanguageClient, repo: Repo
) -> None:
    assert await start(client) == "utf-16"
    uri = show(client, repo)
    (stood,) = await told(client)
    assert (stood.code, stood.severity) == ("refuted-citation[line]", lsp.DiagnosticSeverity.Error)
    assert stood.range.start == lsp.Position(4, 0)
    assert stood.range.end == lsp.Position(4, len(REFUTED))

    text = doc(GROUNDED, UNGROUNDED, GUESS)
    write(client, uri, text)
    (guess,) = await told(client)
    assert (guess.code, guess.severity) == ("speculation", lsp.DiagnosticSeverity.Error)
    assert guess.source == "grounded-ingest"
    assert guess.message.startswith("“I think”: The author is guessing. ")
    assert guess.code_description is not None
    assert guess.code_description.href.endswith("/docs/rules/speculation.md")
    repo.write({NOTES: text})
    checked = repo.check("worktree").report
    (claim,) = [d.place.claim for d in checked.decisions if d.rule == "speculation"]
    assert guess.data == {"id": claim.id}

    (repo.root / NOTES).write_text(doc(GROUNDED), encoding="utf-8")
    write(client, uri, doc(GROUNDED), 3)
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    assert await told(client) == []
    assert client.log_messages == []


@pytest.mark.asyncio
async def test_many_changes_are_judged_once_as_the_last_has_it(
    client: LanguageClient, repo: Repo
) -> None:
    await start(client)
    uri = show(client, repo)
    await told(client)
    for version in range(2, 8):
        write(
            client,
            uri,
            doc(*[GUESS.replace("Redis", f"Redis {n}") for n in range(version)]),
            version,
        )
        await asyncio.sleep(0.05)
    published = await told(client)
    assert len(published) == 7


@pytest.mark.asyncio
async def test_hover_says_what_explain_says(client: LanguageClient, repo: Repo) -> None:
    await start(client)
    uri = show(client, repo)
    text = (repo.root / NOTES).read_text("utf-8")
    ran = repo.command("explain", "--offline", f"{NOTES}:3")
    found = await hover(client, uri, at(text, "listens"))
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    assert found.contents.kind == lsp.MarkupKind.Markdown
    assert found.contents.value == f"```text\n{ran.stdout.decode().rstrip()}\n```"
    assert found.range == lsp.Range(lsp.Position(2, 0), lsp.Position(2, len(GROUNDED)))
    assert await hover(client, uri, at(text, "# Notes")) is None
    assert await hover(client, uri, lsp.Position(99, 99)) is None


@pytest.mark.asyncio
async def test_hover_is_of_the_text_that_is_not_saved_and_never_markup(
    client: LanguageClient, repo: Repo
) -> None:
    await start(client)
    text = doc("The port is in ``` <b>`x`</b> ``` and *nowhere* else.")
    uri = show(client, repo, text)
    found = await hover(client, uri, at(text, "nowhere"))
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    fence = found.contents.value.partition("text\n")[0]
    assert set(fence) == {"`"}
    assert found.contents.value.count(fence) == 2


@pytest.mark.asyncio
async def test_hover_is_plain_for_clients_without_markdown(
    client: LanguageClient, repo: Repo
) -> None:
    await start(client, markdown=False)
    found = await hover(client, show(client, repo), lsp.Position(2, 5))
    assert found is not None
    assert isinstance(found.contents, lsp.MarkupContent)
    assert found.contents.kind == lsp.MarkupKind.PlainText
    assert found.contents.value.startswith(f"{NOTES}:3:1: {GROUNDED}")


@pytest.mark.asyncio
async def test_definition_leads_to_what_is_cited(client: LanguageClient, repo: Repo) -> None:
    await start(client)
    text = doc(
        f"{GROUNDED} The ledger is kept in PostgreSQL (ADR-3).",
        "The wait doubles (`src/settings.py::retry_delay`).",
        "Each attempt waits as [settings](../src/settings.py#L7-L8) and [ADR](../docs/adr/0003-ledger.md) say.",
        "The function `retry_delay()` is called for each attempt.",
        UNGROUNDED,
    )
    uri = show(client, repo, text)
    for words, there in {
        "src/settings.py:2": [("settings.py", 2)],
        "gateway": [("settings.py", 2)],
        "ADR-3": [("0003-ledger.md", 1)],
        "ledger is kept": [("0003-ledger.md", 1)],
        "retry_delay`)": [("settings.py", 6)],
        "py#L7": [("settings.py", 7)],
        "docs/adr": [("0003-ledger.md", 1)],
        "Each attempt": [("settings.py", 7), ("0003-ledger.md", 1)],
        "retry_delay()": [("settings.py", 6)],
        "Sessions": [],
        "# Notes": [],
    }.items():
        assert await places(client, uri, at(text, words)) == there, words


@pytest.mark.asyncio
async def test_a_place_to_cite_is_offered_and_holds(client: LanguageClient, repo: Repo) -> None:
    await start(client)
    text = doc("It is **new**. The upload limit is 20 MB. Nobody needs more.", GUESS)
    uri = show(client, repo, text)
    found = await actions(client, uri, at(text, "upload"))
    (fix,) = [a for a in found if a.title.startswith("Cite src/settings.py::UPLOAD_LIMIT_MB")]
    after = applied(text, edit_of(fix, uri))
    assert "The upload limit is 20 MB (`src/settings.py::UPLOAD_LIMIT_MB`). Nobody" in after
    repo.write({NOTES: after})
    decided = {d.place.claim.text: d.rule for d in repo.check("worktree").report.decisions}
    rules = [rule for text, rule in decided.items() if text.startswith("The upload limit")]
    assert rules == ["cited"]
    assert await actions(client, uri, at(text, "I think")) == []  # no place grounds a guess
    assert await actions(client, uri, at(text, "upload"), only=["refactor"]) == []


@pytest.mark.asyncio
async def test_what_fix_would_rewrite_is_offered(client: LanguageClient, repo: Repo) -> None:
    repo.git("mv", "src/settings.py", "src/limits.py")
    repo.commit(message="Rename settings")
    await start(client)
    text = (repo.root / NOTES).read_text("utf-8")
    uri = show(client, repo)
    (wrong, *_) = await told(client)
    asked = lsp.CodeActionParams(
        lsp.TextDocumentIdentifier(uri), wrong.range, lsp.CodeActionContext([wrong])
    )
    found = list(await client.text_document_code_action_async(asked) or ())
    (moved,) = (edit_of(a, uri) for a in found)
    assert found[0].is_preferred
    assert found[0].title == "Replace src/settings.py:2 by src/limits.py:2"
    assert list(found[0].diagnostics or ()) == [wrong]
    assert "(`src/limits.py:2`)" in applied(text, moved)
    repo.command("check", "--all", "--offline", "--fix")
    assert (repo.root / NOTES).read_text("utf-8") == applied(text, moved)


@pytest.mark.asyncio
@pytest.mark.parametrize(
    ("encoding", "codec"), [("", "utf-16-le"), ("utf-8", "utf-8"), ("utf-32", "utf-32-le")]
)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
async def test_positions_are_counted_as_the_client_does(
    client: LanguageClient, repo: Repo, encoding: str, codec: str, end: str
) -> None:
    assert await start(client, encoding) == (encoding or "utf-16")
    line = f"Übermut 😀 tut 🏳️‍🌈 gut. {GUESS} The upload limit is 20 MB."
    text = doc(UNGROUNDED, line, end=end)
    uri = show(client, repo, text)
    (guess,) = await told(client)
    assert guess.range.start == at(text, GUESS, codec)
    assert guess.range.end == at(text, " The upload limit", codec)
    found = await hover(client, uri, at(text, "upload", codec))
    assert found is not None
    assert found.range is not None
    assert found.range.start == at(text, "The upload", codec)
    fixes = await actions(client, uri, at(text, "upload", codec))
    assert edit_of(fixes[0], uri).range.start.character == at(text, "20 MB", codec).character + 5


@pytest.mark.asyncio
async def test_half_a_character_is_a_character(client: LanguageClient, repo: Repo) -> None:
    await start(client)
    text = doc(f"Half \ud83d of it. {GUESS}")
    show(client, repo, text)
    (guess,) = await told(client)
    assert guess.range.start.character == len("Half \ud83d of it. ")


@pytest.mark.asyncio
async def test_a_file_of_no_repository_is_passed_over_in_silence(
    client: LanguageClient, repo: Repo, tmp_path: Path
) -> None:
    await start(client)
    (tmp_path / "AGENTS.md").write_text(doc(GUESS), encoding="utf-8")
    outside = lsp.TextDocumentItem((tmp_path / "AGENTS.md").as_uri(), "markdown", 1, doc(GUESS))
    unsaved = lsp.TextDocumentItem("untitled:Untitled-1", "markdown", 1, doc(GUESS))
    for item in (outside, unsaved):
        client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        assert await hover(client, item.uri, lsp.Position(2, 3)) is None
        assert await actions(client, item.uri, lsp.Position(2, 3)) == []
        assert await places(client, item.uri, lsp.Position(2, 3)) == []
    uri = show(client, repo)
    await told(client)
    assert list(client.diagnostics) == [uri]
    assert client.log_messages == []


@pytest.mark.asyncio
async def test_what_is_no_document_has_nothing_said_of_it(
    client: LanguageClient, repo: Repo
) -> None:
    await start(client)
    uri = show(client, repo, path="src/settings.py")
    assert await told(client) == []
    assert await hover(client, uri, lsp.Position(1, 3)) is None
    assert await actions(client, uri, lsp.Position(1, 3)) == []


@pytest.mark.asyncio
async def test_closing_takes_back_what_was_said(client: LanguageClient, repo: Repo) -> None:
    await start(client)
    uri = show(client, repo)
    assert await told(client)
    write(client, uri, doc(GUESS))
    client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    assert await told(client) == []
    await asyncio.sleep(1)  # the change before it would have been judged by now
    assert not client.diagnostics[uri]


@pytest.mark.asyncio
async def test_each_repository_judges_its_own(
    client: LanguageClient, repo: Repo, tmp_path: Path
) -> None:
    other = Repo(tmp_path / "other")
    other.commit({NOTES: doc(REFUTED), "src/sessions.py": "A = 1\nB = 2\nSESSIONS = 3\n"})
    await start(client)
    show(client, repo)
    assert [d.code for d in await told(client)] == ["refuted-citation[line]"]
    show(client, other)
    assert await told(client) == []


@pytest.mark.asyncio
async def test_what_another_file_made_wrong_is_told_once_that_is_saved(
    client: LanguageClient, repo: Repo
) -> None:
    await start(client)
    repo.commit({NOTES: doc(GROUNDED)})
    show(client, repo)
    assert await told(client) == []
    repo.write({"src/settings.py": 'HOST = "127.0.0.1"\n'})
    saved = (repo.root / "src/settings.py").as_uri()
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(saved)))
    assert [d.code for d in await told(client)] == ["refuted-citation[line]"]


@pytest.mark.asyncio
async def test_what_a_configuration_passes_over_is_not_told(
    client: LanguageClient, repo: Repo
) -> None:
    repo.commit({".grounded-ingest.yaml": f"per_file_ignores: {{{NOTES}: [speculation]}}\n"})
    await start(client)
    show(client, repo, doc(GUESS, REFUTED))
    assert [d.code for d in await told(client)] == ["refuted-citation[line]"]


@pytest.mark.asyncio
async def test_our_own_failure_is_in_the_log_and_nowhere_else(
    client: LanguageClient, repo: Repo
) -> None:
    await start(client)
    repo.write({".grounded-ingest.yaml": "clases: {}\n"})
    uri = show(client, repo)
    assert await hover(client, uri, lsp.Position(2, 3)) is None
    while not any("clases" in m.message for m in client.log_messages):
        await asyncio.wait_for(client.wait_for_notification(lsp.WINDOW_LOG_MESSAGE), LONG)
    assert {m.type for m in client.log_messages} == {lsp.MessageType.Error}
    assert client.diagnostics == {}
    repo.write({".grounded-ingest.yaml": None})
    client.text_document_did_save(lsp.DidSaveTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    assert [d.code for d in await told(client)] == ["refuted-citation[line]"]


@pytest.mark.asyncio
async def test_nothing_is_written_into_the_work_tree(client: LanguageClient, repo: Repo) -> None:
    await start(client)
    text = doc(GROUNDED, GUESS)
    uri = show(client, repo, text)
    await told(client)
    await hover(client, uri, at(text, "gateway"))
    await actions(client, uri, at(text, "gateway"))
    assert repo.git("status", "--porcelain", "--ignored") == ""


def test_a_question_leaves_nothing_of_the_one_before(repo: Repo) -> None:
    session = Session(str(repo.root))
    trees = []
    for number in range(9):
        with session.check_proposed(NOTES, doc(GROUNDED, f"The limit is {number} MB.")) as result:
            assert result.report.decisions
            trees.append(weakref.ref(result.scoped.tree))
    del result
    gc.collect()
    # What is known of manifests is kept for the last four trees.
    assert len([tree for tree in trees if tree() is not None]) <= 4


def test_the_server_ends_with_its_client(tmp_path: Path) -> None:
    ran = subprocess.run(COMMAND, cwd=tmp_path, input=b"", capture_output=True, timeout=LONG)
    assert (ran.returncode, ran.stdout) == (0, b"")


@pytest.mark.parametrize("missing", ["pygls", "lsprotocol"])
def test_without_the_extra_it_says_how_to_get_it(missing: str) -> None:
    code = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['grounded-ingest', 'lsp']\n"
        "from grounded_ingest.__main__ import main; main()"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LONG)
    assert ran.returncode == 2
    advice = ran.stderr.splitlines()[1].strip()
    assert advice.startswith("install it: ")
    assert "[lsp]" in advice
