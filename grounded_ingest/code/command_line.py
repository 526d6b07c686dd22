"""A command line as words: its commands, where they run, what they call."""

from __future__ import annotations

from collections.abc import Iterator
from posixpath import join, normpath
from typing import NamedTuple

from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.patterns import compiled

_PIECE = compiled(
    r"(?P<end>&&|\|\||[;|]|(?<!\\)\n)|(?P<comment>(?:(?<=\s)|^)#[^\n]*)|"
    r"(?P<word>(?:\"[^\"\n]*\"|'[^'\n]*'|<[\w ,.:/|-]{1,60}>|[^\s;|&\"']|&(?!&))+)"
)
_ASSIGNMENT = compiled(r"[A-Za-z_]\w*=.*")
_PROMPTS = ("$", "%", ">", "sudo", "time", "env", "exec", "nohup", "command")
LONGEST = 20_000
"""Characters that are read."""


class Word(NamedTuple):
    """A word without its quotes, and where it stands."""

    text: str
    start: int
    end: int


class Command(NamedTuple):
    """`words` without assignments and prompts; `directory` is where `cd` before it led."""

    words: tuple[Word, ...]
    directory: str


def commands(text: str) -> Iterator[Command]:
    """The commands of a line, or of several, in order; `~` is a directory that is not known."""
    directory = ""
    for words in _parts(text[:LONGEST]):
        while words and (words[0].text in _PROMPTS or _ASSIGNMENT.fullmatch(words[0].text)):
            words = words[1:]
        if len(words) == 2 and words[0].text in ("cd", "pushd"):
            directory = _led(directory, words[1].text)
        elif words:
            yield Command(tuple(words), directory)


def _led(directory: str, target: str) -> str:
    if target.startswith(("/", "~", "-", "$", "<")) or directory == "~":
        return "~"
    led = normpath(join(directory, target))
    return "" if led == "." else led


def _parts(line: str) -> Iterator[list[Word]]:
    words: list[Word] = []
    for piece in _PIECE.finditer(line):
        if piece["end"]:
            yield words
            words = []
        elif piece["word"]:
            if piece["word"] == "\\":  # the line goes on
                continue
            text = piece["word"].replace('"', "").replace("'", "")
            words.append(Word(text, piece.start(), piece.end()))
    yield words


def is_placeholder(word: str) -> bool:
    """Whether a word stands for others: `<name>`, `[args]`, `{a,b}`, `$X`, `...`, `*`, `foo`."""
    return any(c in word for c in "<>[]{}$*…|") or "..." in word or word.lower() in _PROPS


_PROPS = frozenset(words_of.PLACEHOLDERS.split())
