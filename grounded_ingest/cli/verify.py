"""Defines `grounded-ingest verify`, which compares a text with memories or with sources."""

from __future__ import annotations

import sys

import click

from grounded_ingest.cli.group import cli, format_option
from grounded_ingest.cli.terminal import done, emit, progress
from grounded_ingest.errors import Exit, GroundedIngestError, os_errors_as
from grounded_ingest.git.repository import Repo
from grounded_ingest.report.as_json import format_json
from grounded_ingest.verify.knowledge_base import repository_memories
from grounded_ingest.verify.memory_files import LARGEST as LARGEST_FILE
from grounded_ingest.verify.memory_files import memories_in
from grounded_ingest.verify.memory_index import Memories
from grounded_ingest.verify.render import as_json, as_text, source_text
from grounded_ingest.verify.result import Memory
from grounded_ingest.verify.text_judge import NamedSource, check_text
from grounded_ingest.verify.verify import VerificationMode, verify_text

LARGEST = 4 * 1024 * 1024
"""Maximum size of a text or a source in bytes."""


@cli.command("verify")
@click.argument("stdin", required=False, metavar="[-]", type=click.Choice(["-"]))
@click.option("--text", metavar="T", help="The text to verify.")
@click.option(
    "--text-file", metavar="F", type=click.Path(), help="Read the text to verify from this file."
)
@click.option(
    "--memories",
    "files",
    metavar="FILE",
    multiple=True,
    type=click.Path(),
    help="Compare with the memories in this JSON or JSON Lines file. May be repeated.",
)
@click.option(
    "--knowledge-base",
    is_flag=True,
    help="Also compare with the grounded claims of this repository.",
)
@click.option(
    "--source",
    "sources",
    metavar="FILE",
    multiple=True,
    type=click.Path(),
    help="Compare with the words of this document. May be repeated.",
)
@click.option(
    "--mode",
    default="strict",
    type=click.Choice(["strict", "permissive"]),
    help="strict: a detail that no memory mentions fails; permissive: it passes. Default: strict.",
)
@format_option("text", "json")
def command(
    stdin: str | None,
    text: str | None,
    text_file: str | None,
    files: tuple[str, ...],
    *,
    knowledge_base: bool,
    sources: tuple[str, ...],
    mode: VerificationMode,
    form: str,
) -> None:
    """Compare a text with memories or with sources, and show what they do not support.

    \b
    grounded-ingest verify --text "The port is 8443." --source docs/setup.md

    Exit codes: 0 supported, 1 not supported (or, with sources, no statement), 2 wrong input.
    """
    given = _text(text, text_file, stdin)
    if sources and (files or knowledge_base):
        raise GroundedIngestError(
            "--source does not work together with --memories and --knowledge-base",
            "run `grounded-ingest verify` once with --source and once with the others",
        )
    if not sources and not files and not knowledge_base:
        raise GroundedIngestError(
            "there is nothing to compare the text with",
            "give --source FILE, --memories FILE or --knowledge-base",
        )
    if sources:
        passed = _by_sources(given, sources, form)
    else:
        passed = _by_memories(given, files, mode, form, knowledge_base=knowledge_base)
    sys.exit(Exit.OK if passed else Exit.FOUND)


def _by_sources(text: str, paths: tuple[str, ...], form: str) -> bool:
    result = check_text(text, [NamedSource(p, _decoded(_read(p, LARGEST), p)) for p in paths])
    _print(result.as_json if form == "json" else source_text(result), form)
    return result.should_return


def _by_memories(
    text: str, paths: tuple[str, ...], mode: VerificationMode, form: str, *, knowledge_base: bool
) -> bool:
    given = memories_in((p, _read(p, LARGEST_FILE)) for p in paths)
    memories: list[Memory] | Memories = given
    if knowledge_base:
        with Repo() as repo:
            try:
                memories = repository_memories(repo, progress(quiet=form == "json"), given)
            finally:
                done()
    result = verify_text(text, memories, mode=mode)
    _print(as_json(result) if form == "json" else as_text(result), form)
    return result.grounded


def _print(result: object, form: str) -> None:
    if form == "json":
        emit(format_json(result), exact=True)
    else:
        emit(str(result))


def _text(text: str | None, text_file: str | None, stdin: str | None) -> str:
    if sum(x is not None for x in (text, text_file, stdin)) != 1:
        raise GroundedIngestError(
            "expected exactly one text to verify",
            "give exactly one of --text T, --text-file F, and - for stdin",
        )
    if text is not None:
        return text
    content = sys.stdin.buffer.read(LARGEST + 1) if stdin else _read(str(text_file), LARGEST)
    return _decoded(content, "stdin" if stdin else str(text_file))


def _decoded(content: bytes, name: str) -> str:
    if len(content) > LARGEST:
        raise GroundedIngestError(
            f"{name}: the text is larger than {LARGEST >> 20} MiB",
            "split the text and verify each part",
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise GroundedIngestError(
            f"{name}: the text is not UTF-8 at byte {error.start}", "convert the file to UTF-8"
        ) from None


def _read(path: str, most: int) -> bytes:
    cannot = os_errors_as(f"{path} cannot be read", "name a file that can be read")
    with cannot, open(path, "rb") as file:
        return file.read(most + 1)
