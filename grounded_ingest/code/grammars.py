"""Parses source code by tree-sitter, within bounds.

`queries/*.scm` say which nodes of a language define names. tree-sitter and its grammars are
imported when a file of their language is first asked about: most runs need none of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from grounded_ingest.text.patterns import compiled

DEEPEST = 400
"""Nodes above the deepest node that is visited."""

_FACTORIES = {"typescript": "language_typescript", "tsx": "language_tsx"}
"""Languages whose package has another factory than `language`."""
_BRACED = ("javascript", "typescript", "tsx", "rust", "java", "c_sharp")


class CutParseError(ValueError):
    """The parse costs too much for the length of the text, so that its content is unknown."""


class _Work:
    """Gives a parser its text, and counts the work of the parse.

    A unit is one progress call, which tree-sitter makes every 100 operations. None of 1,491 files
    in seven languages took more than 0.02 units a byte, minified ones included. `<!--` in Ruby
    takes 8 a byte at 3 kB, and more the longer it is. Work is counted and not time, so that a text
    is cut short on every machine or on none.
    """

    RATES, MOST = {"": 1 / 40, "ruby": 1 / 25}, 64
    """Units that each byte pays for when it is first read, by language, and the most units that may
    be owed. Ruby's grammar takes twice the operations of the others."""
    CHUNK, READ = 256, 1 / 8
    """Bytes given at once, and the units for that: between two progress calls, scanners of shell
    read far ahead again and again."""

    def __init__(self, source: bytes, language: str) -> None:
        self._rate = self.RATES.get(language, self.RATES[""])
        self._source, self._farthest, self._owed = source, 0, 0.0
        self._at_end, self._balancing = False, len(source) * self._rate
        self.chunk = self.CHUNK

    def read(self, offset: int, _: object) -> bytes:
        """Returns the next bytes of the text."""
        self._owed += self.READ
        self._at_end = self._at_end or offset >= len(self._source)
        return self._source[offset : offset + self.chunk]

    def is_too_much(self, offset: int, _: object) -> bool:
        """Whether the parse has to stop."""
        if self._at_end and offset == self._farthest and self._balancing > 0:
            self._balancing -= 1  # after the last byte the tree is balanced
            return False
        paid = max(0, offset - self._farthest) * self._rate
        self._farthest = max(self._farthest, offset)
        self._owed = max(0.0, self._owed + 1 - paid)
        return self._owed > self.MOST


CHAIN = 500
"""The longest chain of `<` and arrows that nothing closes."""
_LINK = compiled(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*+|\"(?:[^\"\\\n]|\\.)*+\"?|[=-]>|[<>;{},]")


def _is_chained(text: str) -> bool:
    """Whether a text has a longer chain.

    At an error behind `a<a<a<…` tree-sitter keeps a version of its stack for each link, and makes
    no progress call meanwhile: 8,000 of them took 3.8 GB in C#.
    """
    opened = arrows = 0
    for link in _LINK.finditer(text):
        match link[0]:
            case "<":
                opened += 1
            case ">":
                opened = max(0, opened - 1)
            case "=>" | "->":
                arrows += 1
            case ",":
                arrows = 0
            case ";" | "{" | "}":
                opened = arrows = 0
            case _:  # a string or a comment
                continue
        if opened + arrows > CHAIN:
            return True
    return False


@cache
def _language(name: str) -> Any:
    from importlib import import_module

    from tree_sitter import Language

    package = "typescript" if name == "tsx" else name
    grammar = import_module(f"tree_sitter_{package}")
    return Language(getattr(grammar, _FACTORIES.get(name, "language"))())


def _root(language: str, text: str) -> Any:
    """Returns the root node of a text. Raises CutParseError.

    Each parse has its own parser: a stopped parser would go on where it stopped, and the callbacks
    let other threads run.
    """
    from tree_sitter import Parser

    if language in _BRACED and _is_chained(text):
        raise CutParseError(f"a text of {language} with a chain of more than {CHAIN} `<` or arrows")
    work = _Work(text.encode(errors="replace"), language)
    parser = Parser(_language(language))
    try:
        tree = parser.parse(work.read, progress_callback=work.is_too_much)
    except ValueError:  # "Parsing failed", also if it was stopped
        raise CutParseError(f"a text of {language} that costs too much to parse") from None
    work.chunk = 4096  # `Node.text` reads through the same function
    return tree.root_node


def nodes_in(language: str, text: str) -> Iterator[Any]:
    """Yields the named nodes of a text, parents before children; none if most of the text is not in
    this language. Raises CutParseError."""
    root = _root(language, text)
    waiting: list[tuple[Any, int]] = [(root, 0)] if root.type != "ERROR" else []
    while waiting:
        node, depth = waiting.pop()
        yield node
        if depth < DEEPEST:
            waiting += [(child, depth + 1) for child in reversed(node.named_children)]


def captures_in(language: str, text: str) -> list[tuple[Any, set[str]]] | None:
    """Returns the nodes that the language's query captures, parents before children, each with its
    capture names; None if most of the text is not in this language. Raises CutParseError."""
    from tree_sitter import QueryCursor

    root = _root(language, text)
    if root.type == "ERROR":
        return None
    names: dict[int, tuple[Any, set[str]]] = {}
    for name, nodes in QueryCursor(_query(language)).captures(root).items():
        for node in nodes:
            names.setdefault(node.id, (node, set()))[1].add(name)
    return sorted(
        names.values(),
        key=lambda one: (one[0].start_byte, -one[0].end_byte, -one[0].descendant_count),
    )


@cache
def _query(language: str) -> Any:
    from pkgutil import get_data

    from tree_sitter import Query

    file = "typescript" if language == "tsx" else language
    source = get_data(__name__, f"queries/{file}.scm") or b""
    return Query(_language(language), source.decode())


def node_text(node: Any) -> str:
    """Returns the source of a node; empty for None."""
    return node.text.decode(errors="replace") if node is not None and node.text else ""
