"""Parses source code with tree-sitter, and stops a parse that costs too much.

The queries in `queries/*.scm` select the nodes that define names. A grammar is imported only when
it is needed, because most runs parse no source code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib import import_module
from typing import Any

from grounded_ingest.code.python_nodes import python_root
from grounded_ingest.text.patterns import compiled

LANGUAGES = {
    **dict.fromkeys(("py", "pyi"), "python"),
    **dict.fromkeys(("js", "jsx", "mjs", "cjs"), "javascript"),
    **dict.fromkeys(("ts", "mts", "cts"), "typescript"),
    "tsx": "tsx", "go": "go", "rs": "rust", "java": "java", "cs": "c_sharp",
    **dict.fromkeys(("rb", "rake"), "ruby"),
    **dict.fromkeys(("sh", "bash"), "bash"),
    **dict.fromkeys(("c", "h", "cc", "cpp", "cxx", "hh", "hpp", "hxx"), "cpp"),
    **dict.fromkeys(("kt", "kts"), "kotlin"),
    "php": "php", "swift": "swift",
}  # fmt: skip
"""Maps a file extension to the language whose code can be parsed."""


def language_of(path: str) -> str:
    """Returns the language of a file by its extension, or an empty string."""
    return LANGUAGES.get(path.rpartition("/")[2].rpartition(".")[2].lower(), "")


DEEPEST = 400
"""Maximum depth of a visited node. Deeper nodes are not visited."""

_FACTORIES = {"typescript": "language_typescript", "tsx": "language_tsx", "php": "language_php"}
"""Maps a language to the factory function in its grammar package, if not `language`."""
_BRACED = (
    "javascript", "typescript", "tsx", "rust", "java", "c_sharp", "cpp", "kotlin", "swift",
)  # fmt: skip


class CutParseError(ValueError):
    """Raised if a parse was stopped because it costs too much for the length of the text."""


class _Work:
    """Gives a parser its text, and counts the work of the parse in units.

    A unit is a progress call, which tree-sitter makes every 100 operations. Each of 1,491 files in
    seven languages took at most 0.02 units per byte, minified files included. A text of `<!--` in
    Ruby takes 8 units per byte at 3 kB, and longer texts take more. Counting work instead of time
    gives the same result on every machine."""

    RATES, MOST = {"": 1 / 40, "ruby": 1 / 25}, 64
    """`RATES` maps a language to the work units that are allowed per byte of new text. `MOST` is
    the maximum number of units above that allowance. Ruby's grammar needs twice as many operations
    as the other grammars."""
    CHUNK, READ = 256, 1 / 8
    """`CHUNK` is the number of bytes that one read returns. `READ` is the cost of a read in units.
    Reads have a cost because the shell scanner reads far ahead many times between two progress
    calls."""

    def __init__(self, source: bytes, language: str) -> None:
        self._rate = self.RATES.get(language, self.RATES[""])
        self._source, self._farthest, self._owed = source, 0, 0.0
        self._at_end, self._balancing = False, len(source) * self._rate
        self.chunk = self.CHUNK

    def read(self, offset: int, _: object) -> bytes:
        """Returns at most `CHUNK` bytes of the text from `offset`, as input for the parser."""
        self._owed += self.READ
        self._at_end = self._at_end or offset >= len(self._source)
        return self._source[offset : offset + self.chunk]

    def is_too_much(self, offset: int, _: object) -> bool:
        """Returns whether the parse has done too much work and must stop. The parser asks while it
        works."""
        if self._at_end and offset == self._farthest and self._balancing > 0:
            self._balancing -= 1  # the parser balances the tree after it has read the last byte
            return False
        paid = max(0, offset - self._farthest) * self._rate
        self._farthest = max(self._farthest, offset)
        self._owed = max(0.0, self._owed + 1 - paid)
        return self._owed > self.MOST


CHAIN = 500
"""Maximum number of unclosed `<`, arrows and `a?` in a row, or of `#` side by side, in a text that
is parsed."""
_LINK = compiled(
    r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*+|\"(?:[^\"\\\n]|\\.)*+\"?|[=-]>|\w\?|[<>;{},]"
)


def _is_chained(text: str) -> bool:
    """Returns whether a text has a chain of more than `CHAIN` unclosed `<`, arrows and `a?`.

    After a syntax error that follows `a<a<a<…`, tree-sitter keeps one version of its stack for each
    `<`. With such a text, tree-sitter makes no progress call, so `_Work` cannot stop it. A chain of
    8,000 `<` took 3.8 GB in C#, and 100,000 `a?` in Swift took 128 seconds."""
    opened = arrows = 0
    if "#" * CHAIN in text:
        return True  # perhaps the beginning of a string in Swift: 60,000 `#` took 2.2 GB
    for link in _LINK.finditer(text):
        match link[0]:
            case "<":
                opened += 1
            case ">":
                opened = max(0, opened - 1)
            case "=>" | "->":
                arrows += 1
            case mark if len(mark) == 2 and mark[-1] == "?":
                arrows += 1
            case ",":
                arrows = 0
            case ";" | "{" | "}":
                opened = arrows = 0
            case _:  # skips a string or a comment
                continue
        if opened + arrows > CHAIN:
            return True
    return False


@cache
def _language(name: str) -> Any:
    from tree_sitter import Language  # late for a fast start: 15 ms, and few runs parse code

    package = "typescript" if name == "tsx" else name
    grammar = import_module(f"tree_sitter_{package}")
    return Language(getattr(grammar, _FACTORIES.get(name, "language"))())


def root_of(language: str, text: str) -> Any:
    """Returns the root node of a parsed text. Raises CutParseError if the parse costs too much, and
    SyntaxError for wrong Python.

    Each parse uses a new parser. A stopped parser would continue the old parse, and other threads
    may parse at the same time."""
    if language == "python":
        return python_root(text)
    from tree_sitter import Parser

    if language in _BRACED and _is_chained(text):
        raise CutParseError(
            f"{language} not parsed: more than {CHAIN} unclosed `<`, arrows, `?` or `#`"
        )
    work = _Work(text.encode(errors="replace"), language)
    parser = Parser(_language(language))
    try:
        tree = parser.parse(work.read, progress_callback=work.is_too_much)
    except ValueError:  # tree-sitter says "Parsing failed", also if the callback stopped the parse
        raise CutParseError(f"{language} not parsed: the parser needs too many steps") from None
    work.chunk = 4096  # `Node.text` also reads the text through `work.read`
    return tree.root_node


def nodes_in(language: str, text: str, word: str = "") -> Iterator[Any]:
    """Yields the named nodes of a parsed text that contain `word`, parents before children.

    Yields nothing if most of the text is not in `language`. Raises CutParseError if the parse costs
    too much."""
    content, sought = text.encode(errors="replace"), word.encode(errors="replace")
    root = root_of(language, text)
    waiting: list[tuple[Any, int]] = [(root, 0)] if root.type != "ERROR" else []
    while waiting:
        node, depth = waiting.pop()
        yield node
        if depth < DEEPEST:
            waiting += [
                (child, depth + 1)
                for child in reversed(node.named_children)
                if content.find(sought, child.start_byte, child.end_byte) >= 0
            ]


def captures_in(language: str, text: str) -> list[tuple[Any, set[str]]] | None:
    """Returns the nodes that define names, as the language's query in `queries/*.scm` finds them,
    with their capture names. Parents come before children.

    Returns None if most of the text is not in `language`. Raises CutParseError if the parse costs
    too much."""
    from tree_sitter import QueryCursor

    root = root_of(language, text)
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
    """Returns the source text of a syntax node. Returns an empty string if `node` is None."""
    return node.text.decode(errors="replace") if node is not None and node.text else ""
