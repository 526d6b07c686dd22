"""Finds members that a code block shows for a type, but that the type lacks in the tree.

A shown type is compared only if the tree defines a type of this name exactly once, in the language
of the block, and if the members that it may inherit are known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.code.definitions import CodeDefinition, definitions_in
from grounded_ingest.code.grammars import LANGUAGES, language_of
from grounded_ingest.extract.code_blocks import CodeBlock, code_blocks
from grounded_ingest.model.claims import CitationKind, Document, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.defined_symbol import DefinedNames, known_body
from grounded_ingest.references.kept_parses import page_text
from grounded_ingest.references.reference import BlockAnswer, Reference, TreeAnswer, block_line
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.patterns import compiled

_TYPE = compiled(
    r"(?m)^[ \t]*(?:(?:pub|export|public|abstract|final|data)[ \t(]+(?:crate\)[ \t]+)?)*"
    r"(?:type|struct|enum|class|interface|record)[ \t]+[A-Z]"
)


class ShownType(NamedTuple):
    """A type in a code block, and the names that the block gives its members, with their rows in
    the block, counted from 0."""

    document: Document
    block: CodeBlock
    name: str
    members: dict[str, int]


def wrong_members(documents: Sequence[Document], context: Context) -> Iterator[BlockAnswer]:
    """Yields the shown members that a type lacks. If the type lacks most of them, yields only the
    first."""
    shown = [s for d in documents for s in _shown_types(d, context)]
    if not shown:
        return
    tree = DefinedNames(context.tree, context, {})
    tree.search({s.name for s in shown})
    for one in shown:
        path, lacking = _lacking(one, tree)
        left = len(lacking) - 1 if 2 * len(lacking) > len(one.members) else 0
        others = f", nor {left} other member{'s' * (left > 1)} in this code block" if left else ""
        for member in lacking[:1] if left else lacking:
            name = f"{one.name}.{member}"
            reference = Reference(CitationKind.SYMBOL, one.document.path, name, 0, 0)
            target, why = f"{path}::{one.name}::{member}", f"{path} has no such member{others}"
            row = one.members[member]
            beside = one.block.text.split("\n")[row].strip()
            line = block_line(one.document, one.block, row, reference, name, beside)
            yield line, TreeAnswer(Verdict.REFUTED, target, why)
    tree.keep()


def _lacking(shown: ShownType, tree: DefinedNames) -> tuple[str, list[str]]:
    """Returns the file that defines a shown type, and the shown members that the type lacks.

    Returns no members if the block may show another type: if the type's name is one word, if the
    type has none of the members, or if it has only one and its name is two words."""
    path, body = _body(shown, tree)
    # `part_*` stands for several members, and a parser may find a member without a name.
    named = (m for m in shown.members if m[-1:] not in ("", "_"))
    lacking = [m for m in named if not re.search(rf"(?<!\w){re.escape(m)}\b", body)]
    shared = len(shown.members) - len(lacking)
    words = len(_WORD.findall(shown.name))
    sure = path and shared and words >= (3 if shared == 1 else 2)
    return path, lacking if sure else []


def _body(shown: ShownType, tree: DefinedNames) -> tuple[str, str]:
    """Returns the file that defines a shown type, and the text of all types of this name with their
    bases. Returns empty texts if the tree does not define the type, or may give it other members.
    Of several files, returns the one with the most shown members."""
    language = language_family(file_name(shown.block))
    places = [
        (path, known_body(path, defined, tree))
        for path, defined in tree.places(shown.name)
        if defined.kind in _TYPES
        and language_family(path) == language
        and not is_test_or_sample(path)
    ]
    if not places or not all(body for _, body in places):
        return "", ""
    best = max(places, key=lambda p: sum(m in (p[1] or "") for m in shown.members))
    return best[0], "\n".join(body or "" for _, body in places)


_TYPES = ("class", "type")


def _shown_types(document: Document, context: Context) -> Iterator[ShownType]:
    text = page_text(document.path, context.tree) or ""
    if is_test_or_sample(document.path) or not _TYPE.search(text):
        return
    for block in code_blocks(text):
        if _DESIGN.search(f"{block.section.replace(' > ', ' # ')}\n{block.text}"):
            continue
        found = definitions_in(file_name(block), block.text) or ()
        for defined in found:
            if defined.kind in _TYPES and not defined.owner:
                members = {m.name: m.line - 1 for m in _members(defined, found)}
                if len(members) > 1:
                    yield ShownType(document, block, defined.name, members)


def _members(defined: CodeDefinition, found: Sequence[CodeDefinition]) -> Iterator[CodeDefinition]:
    """Yields the members of a type. Leaves out members of an unnamed type inside a member."""
    last = 0
    for member in found:
        if member.owner == (defined.name,) and member.kind == "value":
            if member.line > last or defined.line == defined.end_line:
                yield member
            last = max(last, member.end_line)


_WORD = compiled(r"[A-Z]+[a-z\d]+")
_DESIGN = compiled(
    r"(?im)(?://|#|/\*|--|\()[^\w\n]*(?:\d+[.)][ \t]*)?"
    r"(?:adding|add(?:s|ed)?|new|enhanced|extended|propos\w+|planned|future|todo)\b"
)
"""Matches the beginning of a heading or comment which says that the type is to be changed."""
_EXTENSIONS = {language: extension for extension, language in LANGUAGES.items()} | {"csharp": "cs"}


def file_name(block: CodeBlock) -> str:
    """Returns a file name with the extension of a code block's language."""
    word = block.language.lower()
    return f"block.{_EXTENSIONS.get(word, word)}"


def language_family(path: str) -> str:
    """Returns the language of a file. TypeScript with and without JSX is one language."""
    return language_of(path).replace("tsx", "typescript")
