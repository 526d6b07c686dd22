"""A command line as words: its commands, where they run, what they call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.language.patterns import compiled

_PIECE = compiled(
    r"(?P<end>&&|\|\||[;|\n])|(?P<comment>(?:(?<=\s)|^)#[^\n]*)|"
    r"(?P<word>(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s;|&\"']|&(?!&))+)"
)
_ASSIGNMENT = compiled(r"[A-Za-z_]\w*=.*")
_PROMPTS = ("$", "%", ">", "sudo", "time", "env", "exec", "nohup", "command")
LONGEST = 500
"""Characters of the longest line that is read."""


class Word(NamedTuple):
    """A word without its quotes, and where it stands."""

    text: str
    start: int
    end: int


class Command(NamedTuple):
    """`words` without assignments and prompts; `directory` is where `cd` before it led."""

    words: tuple[Word, ...]
    directory: str


def commands(line: str) -> Iterator[Command]:
    """The commands of a line in order; none of one that is too long."""
    directory = ""
    for words in _parts(line[:LONGEST]):
        while words and (words[0].text in _PROMPTS or _ASSIGNMENT.fullmatch(words[0].text)):
            words = words[1:]
        if len(words) == 2 and words[0].text == "cd":
            directory = words[1].text
        elif words:
            yield Command(tuple(words), directory)


def _parts(line: str) -> Iterator[list[Word]]:
    words: list[Word] = []
    for piece in _PIECE.finditer(line):
        if piece["end"]:
            yield words
            words = []
        elif piece["word"]:
            text = piece["word"].replace('"', "").replace("'", "")
            words.append(Word(text, piece.start(), piece.end()))
    yield words


def is_placeholder(word: str) -> bool:
    """Whether a word stands for others: `<name>`, `[args]`, `{a,b}`, `$X`, `...`, `*`, `foo`."""
    return any(c in word for c in "<>[]{}$*…|") or "..." in word or word.lower() in _PROPS


_PROPS = frozenset("foo bar baz x xxx name target task script command something".split())
