"""Defines `grounded-ingest recall`, which finds grounded memories for a question."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

import click

from grounded_ingest.cli.group import cli, color_option, format_option, rare_option
from grounded_ingest.cli.terminal import coloured, done, emit, progress, say
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.model.claims import MemoryType, Tier, Verdict
from grounded_ingest.report.as_json import format_json
from grounded_ingest.report.formats import Look
from grounded_ingest.retrieval.answer import RecallQuery, recall_json
from grounded_ingest.retrieval.bm25 import Lexical
from grounded_ingest.retrieval.session import by_meaning, recall_in, timed
from grounded_ingest.text.printable import printable

_TEXT, _RELATED, _FEW, _LINES = 600, 120, 3, 12


@cli.command("recall")
@click.argument("query")
@click.option(
    "-k",
    "--limit",
    "k",
    default=20,
    type=click.IntRange(1, 1000),
    help="Maximum number of memories to return. Default: 20.",
)
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    metavar="TOKENS",
    help="Maximum length of all results in tokens; a token counts as four characters.",
)
@click.option(
    "--type",
    "--types",
    "types",
    default="",
    metavar="TYPES",
    help="Return only these types: semantic, episodic, procedural, unknown; comma-separated.",
)
@rare_option(
    "--semantic",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Also rank by meaning, with the ONNX embedding model in this directory.",
)
@rare_option(
    "--pending/--grounded",
    default=True,
    help="Also return claims that are not grounded (default), or only grounded claims.",
)
@format_option("text", "json", "markdown")
@color_option
def command(
    query: str,
    k: int,
    budget: int | None,
    types: str,
    semantic: str | None,
    *,
    pending: bool,
    form: str,
    color: Any,
) -> None:
    """Find the memories that answer a question, with their evidence.

    \b
    grounded-ingest recall "How do I run the tests?"

    A memory is a passage of a document: a paragraph, a list item, a record or a code block. A
    memory is grounded if it is approved (tier 1) or a code block, or if all its references are
    right. Wrong claims are never returned.

    Exit codes: 0 found, 1 nothing found, 2 wrong usage.
    """
    wanted = RecallQuery(query, k, budget or 0, _types(types), pending)
    with Repo() as repo:
        ranking = by_meaning(semantic, progress()) if semantic else Lexical
        answer = recall_in(repo, wanted, progress(), ranking)
        found = recall_json(answer, timed(repo, answer))
        done()
    if form == "json":
        emit(format_json(found), exact=True)
    elif form == "markdown":
        emit(_markdown(found), exact=True)
    else:
        look = Look(color=coloured(color))
        emit("".join(f"{line}\n" for line in _lines(found, look)))
        if found["reason"]:
            say(found["reason"])
    sys.exit(Exit.OK if answer.results else Exit.FOUND)


def _types(named: str) -> tuple[Any, ...]:
    if not named:
        return tuple(MemoryType)
    asked = [n.strip().lower() for n in named.split(",")]
    unknown = [n for n in asked if n not in {t.value for t in MemoryType}]
    if unknown:
        raise GroundedIngestError(
            f"unknown memory type: {unknown[0] or '(empty)'}",
            "use semantic, episodic, procedural or unknown",
        )
    return tuple(t for t in MemoryType if t.value in asked)


def _lines(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    """Yields the lines of each result: the place and the text, then type, rule and evidence, then
    related claims."""
    for result in found["results"]:
        first, *more = _text(result).split("\n")
        yield f"{look.paint(f'{_place(result)}:', 'bold')} {first}"
        yield from (f"    {line}" for line in more)
        yield f"    {look.paint(', '.join(_about(result)), 'dim')}"
        for other in result["related"]:
            kind, place = other["relation"].replace("_", " "), printable(other["place"])
            said = printable(other["claim"], _RELATED)
            yield f"    {look.paint(f'→ {kind} {place}:', 'dim')} {said}"


def _markdown(found: Mapping[str, Any]) -> str:
    if not found["results"]:
        return f"{found['reason'].capitalize()}.\n"
    rows = (
        (printable(r["claim"], _TEXT), ", ".join((_place(r), *_about(r)))) for r in found["results"]
    )
    return "".join(f"- {_inert(claim)}\n  ({_inert(about)})\n" for claim, about in rows)


def _place(result: Mapping[str, Any]) -> str:
    return f"{printable(result['path'])}:{result['line']}"


def _text(result: Mapping[str, Any]) -> str:
    """Returns the text of a result for a terminal, with the line breaks of a code block."""
    lines = [printable(line) for line in result["claim"].split("\n")]
    if len(lines) == 1:
        return printable(result["claim"], _TEXT)
    return "\n".join(lines[:_LINES] + ["…"] * (len(lines) > _LINES))


def _inert(text: str) -> str:
    """Returns Markdown in which document text cannot act as HTML, comment or image."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("![", "!\\[")


def _about(result: Mapping[str, Any]) -> Iterator[str]:
    yield result["memory_type"]
    tier = result["tier"]
    grounded = "approved" if tier == Tier.APPROVE else f"not approved, tier {tier}"
    yield f"{grounded} ({result['rule']})"
    own = [e for e in result["evidence"] if not e["inherited"]]
    confirmed = [e["target"] for e in own if e["verdict"] == Verdict.CONFIRMED]
    if confirmed:
        yield f"confirmed by {'; '.join(printable(target, 100) for target in confirmed[:_FEW])}"
    if result["when"]:
        yield printable(result["when"], 40)
    if against := result["contradicted_by"]:
        yield f"contradicted by {', '.join(printable(place) for place in against[:_FEW])}"
