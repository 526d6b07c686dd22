"""Checks the keyword arguments of calls in Python: `shop.send(parcel, retries=3)`, in code blocks
and in backticks.

An argument is wrong if the called function or class is defined in this tree and no definition of
its name takes the argument, so that the call raises a TypeError. A name in a code block means the
repository's own package if an import on the page says so.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from textwrap import dedent
from typing import NamedTuple

from grounded_ingest.code.python_signatures import Signature, signatures_in
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.code_blocks import code_blocks
from grounded_ingest.git.trees import Tree
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import CitationKind, Claim, Document, Verdict
from grounded_ingest.references.code_import import import_root, is_invented, is_of_edition
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import ARGUMENT
from grounded_ingest.references.kept_parses import KeptParses, page_text
from grounded_ingest.references.reference import (
    Answers,
    BlockAnswer,
    BlockLine,
    Reference,
    TreeAnswer,
    block_line,
)
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.names import near_name

KIND = CitationKind.SYMBOL
_LANGUAGES = ("python", "py", "python3", "pycon")
_FILES = 60
"""Maximum number of files with the name of a called function that are parsed."""
_SHOWN = 6
"""Maximum number of arguments that a message lists."""


class _Keyword(NamedTuple):
    """A keyword argument in a call. `called` is the dotted name of what is called, as written. The
    row is counted from 0."""

    called: str
    name: str
    row: int


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the keyword arguments in the code spans of a claim."""
    found: list[Reference] = []
    for span in code_spans(claim.text):
        if "(" in span.text and "=" in span.text:
            tree = _parsed(span.text.strip().replace("…", "..."))
            end = span.start + len(span.text)
            for called, name, _ in _keywords(tree) if tree else ():
                found.append(Reference(KIND, path, name, span.start, end, ARGUMENT + called))
    return found


def wrong_arguments(documents: Sequence[Document], context: Context) -> Iterator[BlockAnswer]:
    """Yields the wrong keyword arguments in the code blocks of documents."""
    lines = [line for document in documents for line in _block_lines(document, context)]
    found = answers([line.reference for line in lines], context)
    yield from ((li, found[li.reference]) for li in lines if li.reference in found)


def _block_lines(document: Document, context: Context) -> Iterator[BlockLine]:
    """Yields the keyword arguments in calls of what the page imports from an own package."""
    path = document.path
    text = page_text(path, context.tree) or ""
    if "import " not in text or is_of_edition(path) or is_test_or_sample(path):
        return
    blocks = [b for b in code_blocks(text) if b.language in _LANGUAGES]
    parsed = [(b, tree) for b in blocks if (tree := _parsed(_without_prompts(b.text)))]
    defined = {name for _, tree in parsed for name in _defined(tree)}
    imports: dict[str, str] = {}
    for block, tree in parsed:
        imports.update(_imports(tree))
        for called, name, row in _keywords(tree):
            first, dot, rest = called.partition(".")
            if first in imports and first not in defined:
                whole = f"{imports[first]}{dot}{rest}"
                reference = Reference(KIND, path, name, 0, 0, ARGUMENT + whole)
                yield block_line(document, block, row, reference, f"{called}({name}=...)")


def _without_prompts(text: str) -> str:
    """Returns the code of a session in the interactive interpreter without prompts and output."""
    if ">>> " not in text:
        return dedent(text)
    prompts = (">>> ", "... ")
    return "\n".join(r[4:] if r.startswith(prompts) else "" for r in dedent(text).split("\n"))


def _parsed(code: str) -> ast.AST | None:
    flags = ast.PyCF_ONLY_AST | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        return compile(code, "<document>", "exec", flags, dont_inherit=True)  # type: ignore[no-any-return]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yields the names that imports define, with the dotted names that they stand for."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (first, first)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _defined(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.arg(arg=name):
                yield name
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case _:
                pass


def _keywords(tree: ast.AST) -> Iterator[_Keyword]:
    """Yields the keyword arguments of calls whose function is a plain or dotted name."""
    for node in ast.walk(tree):
        called = _dotted(node.func) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and called:
            given = ((k.arg, k.lineno - 1) for k in node.keywords)
            yield from (_Keyword(called, name, row) for name, row in given if name)


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            before = _dotted(value)
            return before and f"{before}.{name}"
        case _:
            return ""


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a wrong result for each argument that no definition of the called name takes. Returns
    nothing if git fails."""
    own = {r: r.of.removeprefix(ARGUMENT) for r in asked if r.of.startswith(ARGUMENT)}
    own = {r: called for r, called in own.items() if not is_invented(f"{called} {r.name}")}
    words = {called.rpartition(".")[2] for called in own.values()}
    try:
        files = _python_files(words, context)
    except GroundedIngestError:
        return {}
    parses = KeptParses(context.tree, context.cache, signatures_in, tuple[Signature, ...])
    found: Answers = {}
    for reference, called in own.items():
        name = called.rpartition(".")[2]
        paths = files.get(name, ()) if len(files.get(name, ())) <= _FILES else ()
        same = [(p, s) for p in paths for s in parses.of(p) if s.name == name]
        if why := _why_wrong(reference.name, called, same, context.tree):
            found[reference] = why
    parses.keep()
    return found


def _why_wrong(
    argument: str, called: str, same: Sequence[tuple[str, Signature]], tree: Tree
) -> TreeAnswer | None:
    """Returns a wrong result if no definition in `same`, all those of the called name, takes an
    argument. Each definition has the path of its file."""
    meant = _meant(called, same, tree)
    if meant is None or any(s.arguments is None or argument in s.arguments for _, s in same):
        return None
    path, signature = meant
    hint = _hint(argument, signature.arguments or ())
    why = f"{signature.name} takes no argument {argument}{hint} ({path}:{signature.line})"
    return TreeAnswer(Verdict.REFUTED, path, why)


def _hint(argument: str, taken: Sequence[str]) -> str:
    if near := near_name(argument, taken):
        return f"; perhaps {near}"
    return f"; it takes {', '.join(taken)}" if 0 < len(taken) <= _SHOWN else ""


def _python_files(words: set[str], context: Context) -> dict[str, list[str]]:
    def is_own_python(path: str) -> bool:
        return path.endswith(".py") and not is_test_or_sample(path)

    return files_with(context.repo, context.tree, words, is_own_python, cache=context.cache)


def _meant(
    called: str, same: Sequence[tuple[str, Signature]], tree: Tree
) -> tuple[str, Signature] | None:
    """Returns the definition that a dotted name means, of those with its last part: one in the own
    package that the name begins with, or the only class with this name, in the module before it."""
    *module, name = called.split(".")
    root = import_root(module[0], tree) if module else None
    if root is not None:
        place, package = root + "/".join(module), f"{root}{module[0]}"
        known = tree.is_dir(place) or tree.has(f"{place}.py")
        inside = (d for d in same if d[0].startswith((f"{package}/", f"{package}.py")))
        return next(inside, None) if known else None
    parts = same[0][0].removesuffix(".py").split("/") if len(same) == 1 else ()
    return same[0] if parts and name[0].isupper() and {*module[-1:]} <= {*parts} else None
