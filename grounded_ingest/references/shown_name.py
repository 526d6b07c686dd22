"""Finds names in code blocks whose last definition a commit removed, or that code does not have
although their prefix belongs to this repository.

Names are left out that the page itself defines in a code block, and all names on two kinds of
pages: pages of web sites, which may be about another version, and pages whose blocks mostly have
names that no code file contains, which show patterns or plans.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.code.definitions import definitions_in, has_parser
from grounded_ingest.code.grammars import LANGUAGES, language_of
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.code_blocks import CodeBlock, code_blocks
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import CitationKind, Document, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.defined_symbol import (
    CURRENT,
    DEFINES,
    answer_removed,
    is_in_path,
    is_shaped,
)
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.prefixed_name import absent_names, absent_settings
from grounded_ingest.references.reference import Answers, BlockAnswer, Reference, block_line
from grounded_ingest.references.site_pages import is_site_page
from grounded_ingest.text.patterns import compiled

_NAME = compiled(r"(?<![\w$@/-])([A-Za-z_$][\w$]{2,})(?![\w$/-])(\.\w+|\(?)")
"""Matches a name and what follows it: `.rs` after the name of a file, `(` after a called name."""
_ASSIGNED = compiled(
    r"(?m)^[ \t]*+(?:>>> |\.\.\. )?(?:[\w<>\[\]?]++[ \t]++)*?(\w++)[ \t]*+"
    r"(?::[^=\n]*)?=(?!=).*[^,\s]\s*$"
)
"""Matches the assignment of a variable, also in a session of Python (`>>> rows = 3`). A row that
ends in a comma passes an argument."""
_SETTING = compiled(
    r"\s*(?:export\s+)?([A-Z][A-Z\d]*(?:_[A-Z\d]+)+)=(?:\"[^\"]*\"|'[^']*'|\S*)\s*(?:#.*)?"
)
"""Matches a row that sets one environment variable and does nothing else."""
_NO_LANGUAGE = (
    "", "text", "txt", "plaintext", "mermaid", "env", "dotenv", "ini", "properties", "sh", "bash",
    "shell", "console",
)  # fmt: skip
"""Languages of blocks that may contain names of any programming language."""


class ShownName(NamedTuple):
    """A name in a row of a code block. The row is counted from 0. `beside` are the other words in
    the row, without names."""

    document: Document
    block: CodeBlock
    row: int
    beside: str
    reference: Reference


def lost_names(documents: Sequence[Document], context: Context) -> Iterator[BlockAnswer]:
    """Yields the names that no code file contains, each with the commit that removed it or with
    another reason why it is certainly wrong. Yields nothing if git fails."""
    shown = [s for d in documents for s in _shown_names(d, context)]
    removed, absent = _look_up(shown, context)
    for one in shown:
        answer = removed.get(one.reference)
        refuted = answer is not None and answer.verdict is Verdict.REFUTED
        if answer is None or not refuted or not _may_mean(one.block, answer.target):
            answer = absent.get(one.reference)
        if answer:
            document, block, row, beside, reference = one
            yield block_line(document, block, row, reference, reference.name, beside), answer


def _look_up(shown: Sequence[ShownName], context: Context) -> tuple[Answers, Answers]:
    """Returns the results for names that a commit removed, and for other names that are wrong."""
    try:
        words = {s.reference.name for s in shown}
        found = files_with(context.repo, context.tree, words, NO_PROSE, cache=context.cache)
    except GroundedIngestError:
        return {}, {}
    current = _current_pages(shown, found)
    asked = dict.fromkeys(s.reference for s in shown)
    lost = [r for r in asked if r.name not in found and not is_in_path(r.name, context.tree)]
    removed = answer_removed([r for r in lost if r.path in current], context) if lost else {}
    left = [r for r in lost if r not in removed]
    return removed, absent_names(left, context) | _absent_settings(shown, found, context)


def _absent_settings(
    shown: Sequence[ShownName], found: Container[str], context: Context
) -> Answers:
    """Returns a "refuted" (wrong) result for each environment variable that no file contains, if
    files contain at least three of the variables in its code block, and two for each one that they
    lack."""
    blocks: dict[tuple[str, int], dict[str, Reference]] = {}
    for one in shown:
        row = _SETTING.fullmatch(one.block.text.split("\n")[one.row])
        if row and row[1] == one.reference.name:
            names = blocks.setdefault((one.document.path, one.block.line), {})
            names[row[1]] = one.reference
    lost: list[Reference] = []
    for names in blocks.values():
        missing = [r for name, r in names.items() if name not in found]
        if len(names) >= max(3, 2 * len(missing)) + len(missing):
            lost += missing
    return absent_settings(lost, context)


def _current_pages(shown: Sequence[ShownName], found: Container[str]) -> set[str]:
    """Returns the pages of whose shown names enough are in `found`, the names in code files."""
    pages: dict[str, dict[str, bool]] = {}
    for one in shown:
        name = one.reference.name
        pages.setdefault(one.document.path, {})[name] = name in found
    return {path for path, names in pages.items() if sum(names.values()) >= CURRENT * len(names)}


def _may_mean(block: CodeBlock, target: str) -> bool:
    """Returns whether a block is in the language of a removed definition, or in no language."""
    if block.language in _NO_LANGUAGE:
        return True
    return _language_family(_file_name(block)) == _language_family(target.partition("::")[0])


def _shown_names(document: Document, context: Context) -> Iterator[ShownName]:
    path = document.path
    text = page_text(path, context.tree) or ""
    blocks = code_blocks(text)
    if not blocks or is_site_page(path, context.tree):
        return
    defined = _defined_in(text)
    for block in (
        b for b in blocks if b.language in _NO_LANGUAGE or _language_family(_file_name(b))
    ):
        code = block.language not in _NO_LANGUAGE
        for number, row in enumerate(block.text.split("\n")):
            found = [m for m in _NAME.finditer(row) if _is_code_name(*m.groups(), code=code)]
            beside = _NAME.sub(lambda m: "" if is_shaped(m[1]) else m[0], row).strip()
            for name in dict.fromkeys(m[1] for m in found if m[1] not in defined):
                reference = Reference(CitationKind.SYMBOL, path, name, 0, 0)
                yield ShownName(document, block, number, beside, reference)


def _is_code_name(name: str, behind: str, *, code: bool) -> bool:
    """Returns whether a name looks like a name of code, and not like a file's name or a word. In
    code, a name in small letters that is not called may be the reader's own variable or field."""
    own = code and not name[0].isupper() and behind != "("
    acronym = name.isupper() and "_" not in name
    return is_shaped(name) and not (own or acronym) and not has_parser(name + behind)


@lru_cache(maxsize=4)
def _defined_in(page: str) -> frozenset[str]:
    """Returns the names that code blocks of a page define or assign, and the modules that the page
    names as files: `uvicorn shop_app:app` below a block with the title `shop_app.py`."""
    files = filter(has_parser, re.findall(r"\b\w+\.\w+\b", page))
    found = {file.partition(".")[0] for file in files}
    for block in code_blocks(page):
        path = _file_name(block)
        found.update(DEFINES.findall(block.text))
        # A shell sets the variables of a program, and a session of Python its own.
        shell = language_of(path) in ("", "bash") and ">>> " not in block.text
        defined = definitions_in(path, block.text) or ()
        found.update(d.name for d in defined if not (shell and d.kind == "value"))
        if not shell:
            found.update(_ASSIGNED.findall(block.text))
    return frozenset(found)


_EXTENSIONS = {language: extension for extension, language in LANGUAGES.items()} | {"csharp": "cs"}


def _file_name(block: CodeBlock) -> str:
    """Returns a file name with the extension of a code block's language."""
    word = block.language.lower()
    return f"block.{_EXTENSIONS.get(word, word)}"


def _language_family(path: str) -> str:
    """Returns the language of a file. TypeScript with and without JSX is one language."""
    return language_of(path).replace("tsx", "typescript")
