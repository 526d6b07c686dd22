"""Places that a text could cite: definitions first, then the lines that have most of its words.

Advice alone: nothing here knows what support would say of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.code.definitions import CodeDefinition, definitions_in
from grounded_ingest.config.settings import classify
from grounded_ingest.extract.citations import blanked
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import Claim, DocClass, Form, Verdict
from grounded_ingest.references import defined_symbol
from grounded_ingest.references.context import Context
from grounded_ingest.text.closed_classes import function_words
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.terms import word_parts

PLACES = 3
"""Places that are offered."""
FILES = 24
"""Files whose lines are compared, those that hold the most of the words."""
SHARE = 0.6
"""Share of a text's words that a line has to hold."""
SHORT = 40
"""Lines of a definition that is offered as a whole."""
_QUOTE = 160
_SHORTEST = 3
_TOKEN = compiled(r"[^\W_][\w./-]*")
_WIDEST = 400
"""Characters of the longest line that is compared."""
_NO_DATA = (":/", *(f":(exclude)*.{end}" for end in ("jsonl", "csv", "lock", "svg", "ipynb")))
"""Pathspecs: what tables and logs hold is nobody's statement."""


class CitablePlace(NamedTuple):
    """A place as it is cited (`path::name`, `path:12`), and what stands there."""

    target: str
    quote: str


def citable_at(path: str, line: int, context: Context) -> list[CitablePlace]:
    """The definitions that a line of a file lies in, the innermost first; else the line."""
    text = _text(path, context)
    rows = rows_of(text)
    inside = _around(definitions_in(path, text) or (), line)
    found = [_defined(path, d, rows) for d in inside]
    if not found and 0 < line <= len(rows):
        found = [CitablePlace(f"{path}:{line}", printable(rows[line - 1].strip(), _QUOTE))]
    return found[:PLACES]


def citable(text: str, context: Context) -> list[CitablePlace]:
    """Up to three places for a text, the likeliest first; none where nothing has most of it."""
    found = [*_by_name(text, context), *_by_words(text, context)]
    return list({place.target: place for place in found}.values())[:PLACES]


def _text(path: str, context: Context) -> str:
    tree = context.tree
    return (text_of(tree, path) if tree.size(path) <= LARGEST else None) or ""


def _around(found: Sequence[CodeDefinition], line: int) -> list[CodeDefinition]:
    inside = [d for d in found if d.line <= line <= d.end_line]
    return sorted(inside, key=lambda d: d.end_line - d.line)


def _defined(path: str, defined: CodeDefinition, rows: Sequence[str]) -> CitablePlace:
    quote = rows[defined.line - 1].strip() if defined.line <= len(rows) else ""
    return CitablePlace(f"{path}::{defined.qualified}", printable(quote, _QUOTE))


def _by_name(text: str, context: Context) -> Iterator[CitablePlace]:
    """The definitions of names that a text has in backticks."""
    claim = Claim("", text, blanked(text, []), "", 0, 1, 1, 1, 0, Form.PROSE)
    asked = defined_symbol.mentions("", claim)
    for answer in defined_symbol.answers(asked, context).values():
        if answer.verdict is Verdict.CONFIRMED:
            path, _, name = answer.target.partition("::")
            rows = rows_of(_text(path, context))
            quote = rows[answer.line - 1] if 0 < answer.line <= len(rows) else ""
            target = f"{path}::{name.replace('::', '.')}"
            yield CitablePlace(target, printable(quote.strip(), _QUOTE))


def _by_words(text: str, context: Context) -> list[CitablePlace]:
    words = _telling(text)
    long = {w for w in words if len(w) > _SHORTEST and w.isalnum()}
    holding: Counter[str] = Counter()
    found = files_with(context.repo, context.tree, long, _NO_DATA, parts=True)
    for paths in found.values():
        holding.update(p for p in paths if _may_be_cited(p, context))
    scored = [
        (share, path, number)
        for path, _ in sorted(holding.items(), key=lambda e: (-e[1], e[0]))[:FILES]
        for share, number in _best_lines(words, rows_of(_text(path, context)))
    ]
    scored.sort(key=lambda s: (-s[0], s[1], s[2]))
    return [_as_cited(path, number, context) for _, path, number in scored[:PLACES]]


def _telling(text: str) -> frozenset[str]:
    """Returns the words of a text, and the parts of its identifiers, without function words."""
    parts = (p for token in _TOKEN.findall(text) for p in word_parts(token))
    return frozenset(p for p in parts if p not in function_words())


def _may_be_cited(path: str, context: Context) -> bool:
    """Memory bears no witness for memory; this tool's own files bear none at all."""
    if path.startswith(".grounded/"):
        return False
    return classify(context.config, path) is not DocClass.MEMORY


def _best_lines(words: frozenset[str], rows: Sequence[str]) -> Iterator[tuple[float, int]]:
    """Yields the share of the words that a line holds, and its number, for lines that hold most."""
    for number, row in enumerate(rows, 1):
        if row.strip() and len(row) <= _WIDEST:
            share = len(words & _telling(row)) / max(1, len(words))
            if share >= SHARE:
                yield round(share, 3), number


def _as_cited(path: str, line: int, context: Context) -> CitablePlace:
    """A line by the definition it is in, where that is short."""
    text = _text(path, context)
    inside = _around(definitions_in(path, text) or (), line)
    quote = printable(rows_of(text)[line - 1].strip(), _QUOTE)
    if inside and inside[0].end_line - inside[0].line < SHORT:
        return CitablePlace(f"{path}::{inside[0].qualified}", quote)
    return CitablePlace(f"{path}:{line}", quote)
