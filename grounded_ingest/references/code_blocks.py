"""Checks the references outside of claims: in code blocks, in drawings of directory trees, and in
imports (`@path`) on their own lines. A code block may also show a user's project or sample output.
Only wrong references are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from posixpath import basename, dirname, split
from typing import NamedTuple

from grounded_ingest.code.command_lines import ENTERS
from grounded_ingest.config.settings import classify
from grounded_ingest.extract.citations import line_citations, looks_like_path
from grounded_ingest.extract.code_blocks import CodeBlock, code_blocks, shell_blocks
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    DocClass,
    Document,
    Evidence,
    Place,
    Problem,
    Verdict,
)
from grounded_ingest.references import (
    code_import,
    command_path,
    imported_name,
    keyword_argument,
    manifest_command,
    memory_import,
    option_name,
    program_flag,
    shown_name,
)
from grounded_ingest.references.cited_lines import find_drift
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.drawn_tree import entry_answers
from grounded_ingest.references.exemptions import (
    counts_against,
    exemption_reason,
    find_exemption,
    is_generic_name,
    names_any,
    why_left_alone,
)
from grounded_ingest.references.kept_parses import KeptParses, in_markdown, page_text
from grounded_ingest.references.other_project import is_in_other_project
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import (
    BlockAnswer,
    BlockLine,
    TreeAnswer,
    block_line,
    line_claim,
)
from grounded_ingest.references.registry import answer_references, verify_citations
from grounded_ingest.references.written_links import anchors_in, written_links
from grounded_ingest.rules.reference_rules import WRONG, reference_rule
from grounded_ingest.text.dated_paths import is_about_one_day
from grounded_ingest.text.lexicon.drawn_words import OTHER_LAYOUT
from grounded_ingest.text.patterns import compiled


class WrongLine(NamedTuple):
    """A line with a wrong reference. `problem` is the finding, and `text` is the wrong part of the
    line."""

    problem: Problem
    text: str


NO_FIX = ("", "")


def refuted_lines(documents: Sequence[Document], context: Context) -> list[WrongLine]:
    """Returns the lines with a wrong command, import, listed path, cited line or entry of a drawn
    directory tree. At most one finding is returned for each line. Documents that call themselves a
    record or a plan are left out."""
    found: dict[tuple[str, int], WrongLine] = {}
    current = [d for d in documents if not any(c.recorded for c in d.extraction.claims)]
    for wrong in _wrong_lines(current, context):
        if not why_left_alone(wrong.problem.path, wrong.problem.rule, context):
            found.setdefault((wrong.problem.path, wrong.problem.line), wrong)
    return list(found.values())


def _wrong_lines(documents: Sequence[Document], context: Context) -> Iterator[WrongLine]:
    drawn: dict[tuple[str, int], WrongLine] = {}
    for entry in entry_answers(documents, context):
        if entry.verdict is Verdict.REFUTED:
            message = f"{entry.target}: {entry.reason}"
            rule, (folder, name) = f"{WRONG}[{entry.kind}]", split(entry.target.rstrip("/"))
            # The drawing shows only the name, so a file that moved to another folder has no fix.
            same = entry.instead and dirname(entry.instead.rstrip("/")) == folder
            fix = (name, basename(entry.instead.rstrip("/"))) if same else NO_FIX
            problem = Problem(entry.path, entry.line, rule, message, fix=fix)
            drawn[entry.path, entry.line] = WrongLine(problem, entry.target)
    yield from drawn.values()
    for line, answer in block_answers(documents, context):
        place, claim = line.place, line.place.claim
        if answer.verdict is Verdict.REFUTED and not skip_reason(line, answer, context):
            is_path = line.reference.kind is CitationKind.PATH
            message = f"{line.reference.name if is_path else claim.text}: {answer.reason}"
            rule = f"{WRONG}[{line.reference.kind}]"
            fix = answer.target.rpartition("#")[2], answer.instead.rpartition("#")[2]
            fix = fix if fix[1] and line.reference.name.endswith(fix[0]) else NO_FIX
            yield WrongLine(Problem(place.path, claim.line, rule, message, fix=fix), claim.text)
    for place, wrong in _wrong_paths(documents, context):
        message = f"{wrong.target}: {wrong.reason}"
        fix = (wrong.target, wrong.instead) if wrong.instead else NO_FIX
        problem = Problem(place.path, place.claim.line, reference_rule(wrong), message, fix=fix)
        yield WrongLine(problem, wrong.target)


def skip_reason(line: BlockLine, answer: TreeAnswer, context: Context) -> str:
    """Returns why a wrong reference in a code block is not reported. Returns an empty string if the
    reference is reported."""
    claim = line.place.claim
    over = (*line.over, ("directory", line.entered), ("comment", claim.masked))
    if names_any(answer.elsewhere, line.reference.name, claim, over):
        return "the text names another folder or package that has this command"
    if is_in_other_project(line.place, line.reference.kind, answer.reason, context):
        return exemption_reason("foreign")
    exempt = find_exemption(claim, line.over)
    if exempt == "example" and line.reference.kind is CitationKind.SYMBOL:
        exempt = ""  # an example imports the names of the repository
    counts = counts_against(line.reference, answer, line.place, exempt)
    return "" if counts else exemption_reason(exempt)


def block_answers(documents: Sequence[Document], context: Context) -> list[BlockAnswer]:
    """Returns the results for the commands and imports in the code blocks of documents."""
    blocks = KeptParses(context.tree, context.cache, _blocks, tuple[CodeBlock, ...])
    lines = [line for document in documents for line in _block_lines(document, blocks, context)]
    blocks.keep()
    found = answer_references((line.reference for line in lines), context, guarded=False)
    answers = [(li, found[li.reference]) for li in lines if li.reference in found]
    return [
        *answers,
        *code_import.wrong_imports(documents, context.tree),
        *keyword_argument.wrong_arguments(documents, context),
        *shown_name.lost_names(documents, context),
        *imported_name.wrong_names(documents, context),
    ]


def _blocks(path: str, text: str) -> tuple[CodeBlock, ...]:
    return tuple(shell_blocks(in_markdown(path, text)))


def _block_lines(
    document: Document, blocks: KeptParses[tuple[CodeBlock, ...]], context: Context
) -> Iterator[BlockLine]:
    path = document.path
    if (text := page_text(path, context.tree)) is None:
        return
    entered = ""
    for block in blocks.of(path):
        yield from _command_lines(document, block, entered)
        entered = " ".join((entered, *ENTERS.findall(block.text)))
    for number, shown, reference in anchors_in(document, context):
        claim = line_claim(shown, shown, "", number)
        yield BlockLine(reference, Place(path, document.doc_class, claim), ())
    yield from _import_lines(document, text, context)


# Parsers read a line with four spaces below a list as a paragraph, but its author means code.
_INDENTED = compiled(r"(?: {4}|\t)\s*@")


def _import_lines(document: Document, text: str, context: Context) -> Iterator[BlockLine]:
    """Yields the imports outside of claims in a memory document. If agents read the document only
    as an import of another document, also yields the imports in claims, which no other check reads.
    """
    path, found = document.path, document.extraction
    named = memory_import.follows_imports(path)
    imported = bool(found.imports) and classify(context.config, path) is not DocClass.MEMORY
    if "@" not in text or not (named or imported):
        return
    # Agents do not follow imports in code blocks.
    covered = {b.line + n for b in code_blocks(text) for n in range(b.text.count("\n") + 1)}
    if named:
        covered |= {n for c in found.claims for n in range(c.line, c.end_line + 1)}
    for number, row in enumerate(text.split("\n"), 1):
        if number not in covered and not _INDENTED.match(row):
            yield from _imports_in(row, number, document)


def _imports_in(row: str, number: int, document: Document) -> Iterator[BlockLine]:
    for reference in memory_import.imports_in(document.path, row):
        if reference.name in document.extraction.imports or row.startswith("#"):
            claim = line_claim(f"@{reference.name}", row[: reference.start], "", number)
            yield BlockLine(reference, Place(document.path, document.doc_class, claim), ())


_COMMENT = compiled(r"(?:^|\s)#.*$")


def _command_lines(document: Document, block: CodeBlock, entered: str) -> Iterator[BlockLine]:
    path, text = document.path, block.text
    found = manifest_command.commands_in(path, text, 0)
    if block.language:
        found += (*command_path.paths_in(path, text, 0), *program_flag.flags_in(path, text, 0))
    else:  # a block without a language may be any text, so only calls of runners count
        found = [r for r in found if manifest_command.is_of_runner(r)]
    found += option_name.option_names_in(path, text, 0)
    rows = text.split("\n")
    for reference in found:
        number = text.count("\n", 0, reference.start)
        row, before = rows[number].strip(), rows[number - 1].strip() if number else ""
        comment = _COMMENT.search(row)
        above = before if before[:1] == "#" else ""
        beside = f"{above} {comment[0] if comment else ''}"
        called = _COMMENT.sub("", row).rstrip()
        shown = called if reference.kind is not CitationKind.COMMAND else reference.name
        line = block_line(document, block, number, reference, f"`{shown}`", beside)
        yield line._replace(entered=entered)


_LIST_LANGUAGES = frozenset(("", "text", "txt", "plaintext", "plain", "ascii", "mermaid", "tree"))
_SAMPLE_OUTPUT = compiled(
    r"(?i)\berror\b|\bwarn|\bat \w|traceback|^\s*[$>%] |\b(?:19|20)\d\d-\d\d-\d\d[T ]\d\d:\d\d"
)


def _wrong_paths(
    documents: Sequence[Document], context: Context
) -> Iterator[tuple[Place, Evidence]]:
    """Yields the wrong paths in blocks that only list paths and in the titles of blocks, and the
    wrong cited lines in drawings such as a call graph. Each place has the line number of its row in
    the document."""
    places: list[Place] = []
    asked: list[list[Request]] = []
    for document in documents:
        rows = chain(_drawn_rows(document, context), _titles(document, context))
        for row, line, block, requests in rows:
            claim = line_claim(row.strip(), row.strip(), block.section, line)
            if not find_exemption(claim, (("lead-in", block.lead),)):
                places.append(Place(document.path, document.doc_class, claim))
                asked.append(requests)
    for link in written_links(documents, context):
        path, claim = link.document.path, line_claim(link.row.strip(), "", "", link.line)
        places.append(Place(path, link.document.doc_class, claim))
        asked.append([Request(path, link.citation)])
    found = verify_citations(chain.from_iterable(asked), context)
    drifts = find_drift(places, asked, found, context)
    for n, place in enumerate(places):
        judged = (drifts.get((n, r), found[r]) for r in dict.fromkeys(asked[n]))
        yield from ((place, e) for e in judged if e and e.verdict is Verdict.REFUTED)


def _drawn_rows(
    document: Document, context: Context
) -> Iterator[tuple[str, int, CodeBlock, list[Request]]]:
    """Yields (text, line number in the document, block, requests) for each row that lists paths or
    cites lines of exactly one file of the tree."""
    path, text = document.path, page_text(document.path, context.tree)
    for block in code_blocks(text) if text and _DRAWN.search(text) else ():
        if block.language in _LIST_LANGUAGES and not _SAMPLE_OUTPUT.search(block.text):
            rows = block.text.split("\n")
            other = _OTHER_LIST.search(f"{block.section.partition(' > ')[2]} > {block.lead}")
            listed = {} if other else _listed_paths(path, rows, context)
            for number, row in enumerate(rows):
                cited = (Request(path, c.citation) for c in line_citations(row))
                there = [r for r in cited if len(resolve_path(r, context.tree)) == 1]
                if requests := there + listed.get(number, []):
                    yield row, block.line + number, block, requests


_TITLE = compiled(r"[ \t]*(?://|#|--)[ \t]*`?([\w.@-]+(?:/[\w.@-]+)+)`?(?:$|[ \t(:])")


def _titles(
    document: Document, context: Context
) -> Iterator[tuple[str, int, CodeBlock, list[Request]]]:
    """Yields (text, line number in the document, block, requests) for each code block whose first
    line is a comment that names a file, such as `// src/worker.rs`. A path that no commit had may
    be a file of the example, so it is not reported."""
    path, text = document.path, page_text(document.path, context.tree)
    past = document.doc_class is DocClass.DECISIONS or is_about_one_day(path)
    for block in code_blocks(text) if text and not past else ():
        row = block.text.partition("\n")[0]
        found = _TITLE.match(row)
        if found and looks_like_path(found[1]) and not is_generic_name(found[1]):
            cited = Citation(CitationKind.PATH, found[1], around=("example",))
            if _is_in_known_folder(found[1], context):
                yield row, block.line, block, [Request(path, cited)]


def _is_in_known_folder(path: str, context: Context) -> bool:
    """Returns whether the tree has the first folder of a path, or the folder of the only removed
    file whose path has this end. An example may be made from a package that is gone."""
    if context.tree.is_dir(path.partition("/")[0]):
        return True
    former = context.removals.removed_ends(context.start, [path]).get(path, "")
    return bool(former) and context.tree.is_dir(dirname(former))


_DRAWN = compiled(r"(?m)^[ \t*•-]*[\w.@-]+/[\w.@/-]*[ \t]*(?:$|[→,#(]|[=-]>)|\w\.[A-Za-z]\w*:\d")
_REMARK = compiled(r"[ \t]+(?:#.*|\(.*\))[ \t]*$")
_BETWEEN = compiled(r"[ \t]*(?:[→,]|[=-]>)[ \t]*")
_LISTED = compiled(r"[\w.@:*/-]*")
_OTHER_LIST = compiled(OTHER_LAYOUT)
_FEWEST = 2
"""Minimum number of paths in a list that must exist before the other paths are checked."""


def _listed_paths(
    document: str, rows: Sequence[str], context: Context
) -> Mapping[int, list[Request]]:
    """Returns the paths in a block that only lists paths (`home/data → core/common`), by row number
    from 0. Returns an empty mapping if fewer than two of the paths exist."""
    found: dict[int, list[Request]] = {}
    for number, row in enumerate(rows):
        names = _BETWEEN.split(_REMARK.sub("", row).lstrip(" \t*•-").rstrip())
        if not all(map(_LISTED.fullmatch, names)):
            return {}
        paths = (n for n in names if "/" in n and ":" not in n and "*" not in n)
        found[number] = [Request(document, Citation(CitationKind.PATH, p)) for p in paths]
    every = {r for some in found.values() for r in some}
    there = sum(bool(resolve_path(r, context.tree)) for r in every)
    return found if there >= _FEWEST else {}
