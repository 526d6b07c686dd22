"""Suggests places in the repository that a text could cite. Definitions come first, then the lines
that share most words with the text.

The suggestions are only advice. This module does not decide whether a place proves the text.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from grounded_ingest.code.definitions import CodeDefinition, definitions_in
from grounded_ingest.config.settings import classify
from grounded_ingest.extract.passage import blanked
from grounded_ingest.git.trees import LARGEST, rows_of, text_of
from grounded_ingest.git.word_search import files_with_part
from grounded_ingest.model.claims import Claim, DocClass, Form, Verdict
from grounded_ingest.references import defined_symbol
from grounded_ingest.references.context import Context
from grounded_ingest.text.names import word_parts
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.words import function_words

PLACES = 3
"""Maximum number of suggested places."""
FILES = 24
"""Maximum number of files whose lines are compared. Files that contain the most words of the text
are compared first."""
SHARE = 0.6
"""Smallest share of the text's words that a suggested line must contain (0 to 1)."""
SHORT = 40
"""Maximum number of lines of a definition that is suggested as `path::name`."""
_QUOTE = 160
_SHORTEST = 3
_SEARCHED = 8
"""Maximum number of words that files are searched for. The longest words are taken."""
_TOKEN = compiled(r"[^\W_][\w./-]*")
_WIDEST = 400
"""Maximum number of characters in a compared line."""
_NO_DATA = (":/", *(f":(exclude)*.{end}" for end in ("jsonl", "csv", "lock", "svg", "ipynb")))
"""Git pathspecs that exclude data tables, lock files, images and notebooks."""


class CitablePlace(NamedTuple):
    """A place that a text could cite. `target` is the citation (`path::name` or `path:12`), and
    `quote` is the first line of the cited text."""

    target: str
    quote: str


def citable_at(path: str, line: int, context: Context) -> list[CitablePlace]:
    """Returns the definitions around a line of a file, innermost first. Returns the line itself if
    no definition contains the line."""
    text = _text(path, context)
    rows = rows_of(text)
    inside = _around(definitions_in(path, text) or (), line)
    found = [_definition_place(path, d, rows) for d in inside]
    if not found and 0 < line <= len(rows):
        found = [CitablePlace(f"{path}:{line}", printable(rows[line - 1].strip(), _QUOTE))]
    return found[:PLACES]


def citable(text: str, context: Context) -> list[CitablePlace]:
    """Returns up to three places that a text could cite, best first. Returns an empty list if no
    definition or line matches."""
    found = [*_by_name(text, context), *_by_words(text, context)]
    return list({place.target: place for place in found}.values())[:PLACES]


def _text(path: str, context: Context) -> str:
    tree = context.tree
    return (text_of(tree, path) if tree.size(path) <= LARGEST else None) or ""


def _around(found: Sequence[CodeDefinition], line: int) -> list[CodeDefinition]:
    inside = [d for d in found if d.line <= line <= d.end_line]
    return sorted(inside, key=lambda d: d.end_line - d.line)


def _definition_place(path: str, defined: CodeDefinition, rows: Sequence[str]) -> CitablePlace:
    quote = rows[defined.line - 1].strip() if defined.line <= len(rows) else ""
    return CitablePlace(f"{path}::{defined.qualified}", printable(quote, _QUOTE))


def _by_name(text: str, context: Context) -> Iterator[CitablePlace]:
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
    words = _content_words(text)
    long = sorted(
        (w for w in words if len(w) > _SHORTEST and w.isalnum()), key=lambda w: (len(w), w)
    )[-_SEARCHED:]
    holding: Counter[str] = Counter()
    for word in long:
        paths = files_with_part(context.repo, context.tree, word, _NO_DATA)
        holding.update(p for p in paths if _may_be_cited(p, context))
    scored = [
        (share, path, number)
        for path, _ in sorted(holding.items(), key=lambda e: (-e[1], e[0]))[:FILES]
        for share, number in _best_lines(words, rows_of(_text(path, context)))
    ]
    scored.sort(key=lambda s: (-s[0], s[1], s[2]))
    return [_line_place(path, number, context) for _, path, number in scored[:PLACES]]


def _content_words(text: str) -> frozenset[str]:
    parts = (p for token in _TOKEN.findall(text) for p in word_parts(token))
    return frozenset(p for p in parts if p not in function_words())


def _may_be_cited(path: str, context: Context) -> bool:
    """Returns whether a file may be suggested. Agents' memory files and this tool's own files are
    never suggested, because they cannot prove a claim."""
    if path.startswith(".grounded/"):
        return False
    return classify(context.config, path) is not DocClass.MEMORY


def _best_lines(words: frozenset[str], rows: Sequence[str]) -> Iterator[tuple[float, int]]:
    """Yields (share, line number) for the lines that contain many of `words`. The share is the part
    of `words` in the line, from `SHARE` to 1."""
    for number, row in enumerate(rows, 1):
        if row.strip() and len(row) <= _WIDEST:
            share = len(words & _content_words(row)) / max(1, len(words))
            if share >= SHARE:
                yield round(share, 3), number


def _line_place(path: str, line: int, context: Context) -> CitablePlace:
    """Returns a citable place for a line: the definition around the line if the definition is
    short, else the line."""
    text = _text(path, context)
    inside = _around(definitions_in(path, text) or (), line)
    quote = printable(rows_of(text)[line - 1].strip(), _QUOTE)
    if inside and inside[0].end_line - inside[0].line < SHORT:
        return CitablePlace(f"{path}::{inside[0].qualified}", quote)
    return CitablePlace(f"{path}:{line}", quote)
