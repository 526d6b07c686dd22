"""What a document's code blocks and bare imports ask of the tree: no claims, and read by agents all
the same. Only what is refuted is said."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.code.manifest_entries import just_recipes, make_targets
from grounded_ingest.config.settings import classify
from grounded_ingest.extract.shell_blocks import ShellBlock, code_blocks, shell_blocks
from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    DocClass,
    Document,
    Place,
    Problem,
    Verdict,
)
from grounded_ingest.references import command_path, manifest_command, memory_import, program_flag
from grounded_ingest.references.context import Context
from grounded_ingest.references.drawn_tree import entry_answers
from grounded_ingest.references.kept_parses import KeptParses, page_text
from grounded_ingest.references.reference import (
    Over,
    Reference,
    TreeAnswer,
    exemption,
    is_said,
    names_one,
    why_exempt,
)
from grounded_ingest.references.shown_lines import wrong_lines
from grounded_ingest.rules.reference_rules import WRONG, reference_rule
from grounded_ingest.text.patterns import compiled

_INDENTED = compiled(r"(?: {4}|\t)\s*@")
_COMMENT = compiled(r"(?:^|\s)#.*$")


class ShownLine(Struct, frozen=True):
    """A reference, the line it stands in as a place, and what stands over that."""

    reference: Reference
    place: Place
    over: Over


class ShownAnswer(NamedTuple):
    """What the tree says of what a line shows."""

    shown: ShownLine
    answer: TreeAnswer


class WrongLine(NamedTuple):
    """A line that shows what the tree refutes: the finding, and the text that is shown."""

    problem: Problem
    text: str


def refuted_lines(documents: Sequence[Document], context: Context) -> list[WrongLine]:
    """What the tree refutes of the commands, imports, trees and lines that documents show; once a
    line."""
    found = {(w.problem.path, w.problem.line): w for w in _drawn_wrongly(documents, context)}
    for shown, answer in shown_answers(documents, context):
        place, claim = shown.place, shown.place.claim
        if answer.verdict is Verdict.REFUTED and not skip_reason(shown, answer):
            path = shown.reference.kind is CitationKind.PATH
            said = f"{shown.reference.name if path else claim.text}: {answer.reason}"
            rule = f"{WRONG}[{shown.reference.kind}]"
            problem = Problem(place.path, claim.line, rule, said)
            found.setdefault((place.path, claim.line), WrongLine(problem, claim.text))
    for place, one in wrong_lines(documents, context):
        problem = Problem(
            place.path, place.claim.line, reference_rule(one), f"{one.target}: {one.reason}"
        )
        found.setdefault((place.path, place.claim.line), WrongLine(problem, one.target))
    return list(found.values())


def skip_reason(shown: ShownLine, answer: TreeAnswer) -> str:
    """Why what a line shows is not meant as a reference to this tree; empty if it is."""
    claim = shown.place.claim
    if answer.elsewhere and names_one(answer.elsewhere, claim, shown.over):
        return "the text names another place that has it"
    exempt = exemption(claim, shown.over)
    said = is_said(shown.reference, answer, shown.place, exempt)
    return "" if said else why_exempt(exempt)


def _drawn_wrongly(documents: Sequence[Document], context: Context) -> Iterator[WrongLine]:
    for found in entry_answers(documents, context):
        if found.verdict is Verdict.REFUTED:
            said = f"{found.target}: {found.reason}"
            problem = Problem(found.path, found.line, f"{WRONG}[path]", said)
            yield WrongLine(problem, found.target)


def shown_answers(documents: Sequence[Document], context: Context) -> list[ShownAnswer]:
    """What the tree says of the commands and imports that documents show."""
    blocks = KeptParses(context.tree, context.ledger, _blocks, tuple[ShellBlock, ...])
    shown = [line for document in documents for line in _lines(document, blocks, context)]
    blocks.keep()
    if not shown:
        return []
    found: dict[Reference, TreeAnswer] = {}
    for kind in (manifest_command, program_flag, command_path, memory_import):
        if asked := [s.reference for s in shown if s.reference.kind is kind.KIND]:
            found.update(kind.answers(list(dict.fromkeys(asked)), context))
    return [ShownAnswer(s, found[s.reference]) for s in shown if s.reference in found]


def _blocks(path: str, text: str) -> tuple[ShellBlock, ...]:
    del path
    return tuple(shell_blocks(text))


def _lines(
    document: Document, blocks: KeptParses[tuple[ShellBlock, ...]], context: Context
) -> Iterator[ShownLine]:
    path = document.path
    if (text := page_text(path, context.tree)) is None:
        return
    own = _shown_targets(text)
    for block in blocks.of(path):
        for shown in _of_block(document, block):
            words = shown.reference.name.split()
            if not (words and words[-1] in own.get(words[0], ())):
                yield shown
    yield from _imports(document, text, context)


def _imports(document: Document, text: str, context: Context) -> Iterator[ShownLine]:
    """The imports of a memory document that stand in no claim; those of an imported document in
    claims as well, since nobody follows them by its name."""
    path, found = document.path, document.extraction
    named = memory_import.follows_imports(path)
    imported = bool(found.imports) and classify(context.config, path) is not DocClass.MEMORY
    if "@" not in text or not (named or imported):
        return
    code = _lines_of_code(text)
    if named:
        code |= {n for c in found.claims for n in range(c.line, c.end_line + 1)}
    for line, row in enumerate(text.split("\n"), 1):
        # Four spaces below a list are a paragraph of it to parsers, and code to who wrote them.
        shown = line in code or _INDENTED.match(row)
        for reference in () if shown else memory_import.imports_in(path, row):
            if reference.name in found.imports or row.startswith("#"):
                claim = _as_claim(f"@{reference.name}", row[: reference.start], "", line)
                yield ShownLine(reference, Place(path, document.doc_class, claim), ())


def _lines_of_code(text: str) -> set[int]:
    """The lines that stand in code blocks, where no agent follows an import."""
    return {
        block.line + n for block in code_blocks(text) for n in range(block.text.count("\n") + 1)
    }


_MANIFESTS = {"just": just_recipes, "justfile": just_recipes, "make": make_targets,
              "makefile": make_targets}  # fmt: skip
"""What reads a code block in these languages."""
_SHOWN = compiled(r"(?mi)^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:just|make)")


def _shown_targets(text: str) -> dict[str, set[str]]:
    """Targets that a document's own code blocks define, by runner: its commands may be of these."""
    found: dict[str, set[str]] = {}
    for block in code_blocks(text) if _SHOWN.search(text) else ():
        if read := _MANIFESTS.get(block.language):
            runner = block.language.removesuffix("file")
            found.setdefault(runner, set()).update(read(block.text).entries)
    return found


def _of_block(document: Document, block: ShellBlock) -> Iterator[ShownLine]:
    found = [*manifest_command.commands_in(document.path, block.text, 0)]
    found += command_path.paths_in(document.path, block.text, 0) if block.labelled else ()
    found += program_flag.flags_in(document.path, block.text, 0) if block.labelled else ()
    rows = block.text.split("\n")
    over = (("lead-in", block.lead),) if block.lead else ()
    for reference in found:
        if not block.labelled and not manifest_command.is_of_runner(reference):
            continue
        number = block.text.count("\n", 0, reference.start)
        row = rows[number].strip()
        comment = _COMMENT.search(row)
        said = comment[0] if comment else ""
        above = rows[number - 1].strip() if number and rows[number - 1].strip()[:1] == "#" else ""
        text = row if reference.kind is not CitationKind.COMMAND else reference.name
        claim = _as_claim(f"`{text}`", f"{above} {said}", block.section, block.line + number)
        yield ShownLine(reference, Place(document.path, document.doc_class, claim), over)


def _as_claim(text: str, said: str, section: str, line: int) -> Claim:
    """A line as what is exempted or not: `masked` are the words that speak beside it."""
    return Claim("", text, said, section, 0, line, 1, line, 0)
