"""A claim and its quote side by side, with what each has alone marked as `git diff` marks words."""

from __future__ import annotations

from collections.abc import Iterator

from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.terms import root, word_parts
from grounded_ingest.report.verbosity import Colour, Look

_WORD = compiled(r"[^\W_]+(?:[._:/'’-]?[^\W_]+)*%?")


def marked(text: str, other: str, mark: tuple[str, str], look: Look, colour: Colour) -> str:
    """A text with the words that the other has not: `[-…-]`, `{+…+}`, in colour where there is
    any. Inflection and words that state nothing make no difference."""
    found = parts(text, other)
    found[1::2] = [look.paint(p, colour) if look.color else p.join(mark) for p in found[1::2]]
    return "".join(found)


def parts(text: str, other: str) -> list[str]:
    """A text in pieces: what the other has too and what it has not, in turn, the former first."""
    known = {r for w in _WORD.findall(other) for r in _roots(w)}
    pieces: list[str] = []
    at = 0
    for start, end in _runs(text, known):
        pieces += [text[at:start], text[start:end]]
        at = end
    return [*pieces, text[at:]]


def _runs(text: str, known: set[str]) -> Iterator[tuple[int, int]]:
    """Spans of words that are not known, neighbours joined."""
    start = end = -1
    for found in _WORD.finditer(text):
        alone = found[0].lower() not in function_words() and not known.issuperset(_roots(found[0]))
        if alone and start >= 0 and not text[end : found.start()].strip():
            end = found.end()
        elif alone:
            if start >= 0:
                yield start, end
            start, end = found.span()
        elif start >= 0:
            yield start, end
            start = -1
    if start >= 0:
        yield start, end


def _roots(word: str) -> frozenset[str]:
    """What a word is compared by: the parts of an identifier each for itself."""
    return frozenset(root(p) for p in word_parts(word)) or frozenset({word.lower()})
