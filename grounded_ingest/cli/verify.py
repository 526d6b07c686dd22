"""`grounded-ingest verify`: is a text grounded in memories?"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from grounded_ingest.cli.terminal import done, emit, progress
from grounded_ingest.errors import Exit, GroundedIngestError

if TYPE_CHECKING:
    from grounded_ingest.facts.fact import Verification
    from grounded_ingest.grounding.verify import VerificationMode

LARGEST = 4 * 1024 * 1024
"""Bytes of a text that are taken in."""


@click.command()
@click.argument("stdin", required=False, metavar="[-]", type=click.Choice(["-"]))
@click.option("--text", metavar="T", help="The text.")
@click.option("--text-file", metavar="F", type=click.Path(), help="Read the text from this file.")
@click.option(
    "--memories",
    "files",
    metavar="FILE",
    multiple=True,
    type=click.Path(),
    help="Memories as JSON or JSON Lines; may be repeated.",
)
@click.option(
    "--knowledge-base", is_flag=True, help="Take the repository's own grounded claims as memories."
)
@click.option(
    "--source",
    metavar="FILE",
    type=click.Path(),
    help="Compare with this source: does it say what the text says?",
)
@click.option(
    "--mode",
    default="strict",
    type=click.Choice(["strict", "permissive"]),
    help="Does a detail that no slot covers and no memory licenses make the text ungrounded?",
)
@click.option(
    "--output-format",
    "form",
    default="text",
    type=click.Choice(["text", "json"]),
    help="How the result is written.",
)
def command(
    stdin: str | None,
    text: str | None,
    text_file: str | None,
    files: tuple[str, ...],
    *,
    knowledge_base: bool,
    source: str | None,
    mode: VerificationMode,
    form: str,
) -> None:
    """Say whether memories, or a source, ground a text, and what in it they do not.

    Exit codes: 0 grounded, 1 not, 2 bad input.
    """
    given = _text(text, text_file, stdin)
    if source is not None:
        if files or knowledge_base:
            raise GroundedIngestError("--source stands alone", "leave out memories")
        _beside(given, source, form)
        return
    if not files and not knowledge_base:
        raise GroundedIngestError(
            "nothing to verify against", "name --memories FILE, --knowledge-base, or --source FILE"
        )
    from grounded_ingest.grounding.memory_files import LARGEST as LARGEST_FILE

    contents = [(path, _read(path, LARGEST_FILE)) for path in files]
    quiet = form == "json"
    result = (
        _with_knowledge_base(given, contents, mode, quiet=quiet)
        if knowledge_base
        else _by_files(given, contents, mode, quiet=quiet)
    )
    if form == "json":
        from grounded_ingest.grounding.render import as_json
        from grounded_ingest.report.as_json import pretty

        emit(pretty(as_json(result)), exact=True)
    else:
        from grounded_ingest.grounding.render import as_text

        emit(as_text(result))
    sys.exit(Exit.OK if result.grounded else Exit.FOUND)


def _beside(text: str, path: str, form: str) -> None:
    """The verdict on a text beside one source. Exit code 1: it should not be returned."""
    from grounded_ingest.support.source import SourceText
    from grounded_ingest.support.text_report import as_text, check_text
    from grounded_ingest.verify.admissibility import is_subject_matter

    content = _decoded(_read(path, LARGEST), path)
    result = check_text(text, SourceText("text", content, path, code=is_subject_matter(path)))
    if form == "json":
        from grounded_ingest.report.as_json import pretty

        emit(pretty({"schema": "grounded-ingest/support/1", **result.as_json}), exact=True)
    else:
        emit(as_text(result, path))
    sys.exit(Exit.OK if result.should_return else Exit.FOUND)


def _text(text: str | None, text_file: str | None, stdin: str | None) -> str:
    if sum(x is not None for x in (text, text_file, stdin)) != 1:
        raise GroundedIngestError("name one text", "--text T, --text-file F, or - for stdin")
    if text is not None:
        return text
    content = sys.stdin.buffer.read(LARGEST + 1) if stdin else _read(str(text_file), LARGEST)
    return _decoded(content, "stdin" if stdin else str(text_file))


def _decoded(content: bytes, name: str) -> str:
    if len(content) > LARGEST:
        raise GroundedIngestError(f"{name}: larger than {LARGEST >> 20} MiB", "verify it in parts")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GroundedIngestError(f"{name}: not UTF-8 at byte {error.start}") from None


def _read(path: str, most: int) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise GroundedIngestError(f"{path}: {error.strerror}") from None


def _by_files(
    text: str, files: list[tuple[str, bytes]], mode: VerificationMode, *, quiet: bool
) -> Verification:
    """The judgement by the memories of files, whose index is kept."""
    from grounded_ingest.grounding.kept_memories import memories_of_files, without_kept
    from grounded_ingest.grounding.verify import verify_text
    from grounded_ingest.knowledge.sqlite_files import DAMAGE

    memories = memories_of_files(files, _kept_at(), progress(quiet=quiet))
    done()
    try:
        return verify_text(text, memories, mode=mode)
    except DAMAGE:
        return verify_text(text, without_kept(memories, files), mode=mode)


def _kept_at() -> str:
    """Where this user's indexes of memories are kept; empty where there is no such place."""
    named = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA", "")
    home = os.path.expanduser("~")
    if not os.path.isabs(named):
        named = os.path.join(home, ".cache") if os.path.isabs(home) else ""
    return named and os.path.join(named, "grounded-ingest", "memories")


def _with_knowledge_base(
    text: str, files: list[tuple[str, bytes]], mode: VerificationMode, *, quiet: bool
) -> Verification:
    """The judgement by the repository's grounded claims as well, by its rule of trust."""
    from grounded_ingest.git.repository import Repo
    from grounded_ingest.grounding.kept_memories import read_files
    from grounded_ingest.grounding.knowledge_base import repository_memories
    from grounded_ingest.grounding.verify import verify_text

    found = read_files(files)
    with Repo() as repo:
        try:
            memories = repository_memories(repo, progress(quiet=quiet), found)
        finally:
            done()
    return verify_text(text, memories, mode=mode)
