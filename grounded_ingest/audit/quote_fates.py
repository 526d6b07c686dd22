"""Where quoted lines stand now: by their fingerprint, and by what became of the lines around."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import SequenceMatcher
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.verify.context import fingerprint

LineRange = tuple[int, int]

_PLACES = 20
_LONGEST = 20_000
"""Lines of a file that are aligned with another version of it."""

_TELLING = 12
"""Letters and digits of a quote that is known by its fingerprint alone."""


class Quote(NamedTuple):
    """Lines as they were cited: their fingerprint, how many they are, and the text they stood in
    where history still has it."""

    fingerprint: str
    lines: LineRange
    text: str = ""

    @property
    def size(self) -> int:
        return self.lines[1] - self.lines[0] + 1

    @property
    def said(self) -> str:
        """The cited lines themselves; empty where only their fingerprint is known."""
        return "\n".join(rows_of(self.text)[self.lines[0] - 1 : self.lines[1]])


class Stands(NamedTuple):
    """Where a quote stands: `places` are all, `certain` says that the only one is the one meant,
    `near` is where its first and last line went if the quote itself is nowhere."""

    places: tuple[LineRange, ...]
    certain: bool = False
    near: LineRange | None = None


def quoted(text: str, lines: LineRange) -> Quote | None:
    """The cited lines of a text; None where it has not so many, or they say nothing."""
    rows, (first, last) = rows_of(text), lines
    if not 1 <= first <= last <= len(rows):
        return None
    quote = "\n".join(rows[first - 1 : last])
    if not any(c.isalnum() for c in quote):
        return None
    return Quote(fingerprint(quote), lines, text)


def stands(quote: Quote, now: str) -> Stands:
    """Look for a quote in a text."""
    places = quote_places(quote, now)
    if quote.text:
        if not places:
            return Stands((), near=_aligned(quote, now))
        once = len(_standing(_cited(quote), quote.text)) == 1
        return Stands(places, len(places) == 1 and (once or _aligned(quote, now) == places[0]))
    said = "".join(rows_of(now)[places[0][0] - 1 : places[0][1]]) if places else ""
    telling = sum(c.isalnum() for c in said) >= _TELLING
    return Stands(places, len(places) == 1 and telling)


def quote_places(quote: Quote, text: str) -> tuple[LineRange, ...]:
    """Where a quote stands in a text, the first twenty places."""
    if quote.text:
        return tuple(_standing(_cited(quote), text)[:_PLACES])
    return tuple(_places(quote.fingerprint, quote.size, text)[:_PLACES])


def _cited(quote: Quote) -> tuple[str, ...]:
    return _bare(quote.text)[quote.lines[0] - 1 : quote.lines[1]]


def _standing(bare: tuple[str, ...], text: str) -> list[LineRange]:
    """Where lines stand in a text, outer space left aside."""
    rows, size = _bare(text), len(bare)
    found, at = [], -1
    try:
        while True:
            at = rows.index(bare[0], at + 1)
            if rows[at : at + size] == bare:
                found.append((at + 1, at + size))
    except ValueError:
        return found


@lru_cache(maxsize=64)
def _places(wanted: str, size: int, text: str) -> list[LineRange]:
    known = _windows(text, size)
    return [(n, n + size - 1) for n in known.get(wanted, ())]


@lru_cache(maxsize=16)
def _windows(text: str, size: int) -> dict[str, list[int]]:
    """First lines by the fingerprint of as many lines as asked for."""
    rows = rows_of(text)
    found: dict[str, list[int]] = {}
    for at in range(len(rows) - size + 1):
        found.setdefault(fingerprint("\n".join(rows[at : at + size])), []).append(at + 1)
    return found


def _aligned(quote: Quote, now: str) -> LineRange | None:
    """Where the first and the last line went, if both still stand between the same lines."""
    old, new = _bare(quote.text), _bare(now)
    if len(old) + len(new) > _LONGEST:
        return None
    went = _alignment(old, new)
    first, last = (went.get(n - 1) for n in quote.lines)
    if first is None or last is None or last < first:
        return None
    return first + 1, last + 1


@lru_cache(maxsize=32)
def _alignment(old: tuple[str, ...], new: tuple[str, ...]) -> dict[int, int]:
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > 2000)
    return {a + n: b + n for a, b, size in matcher.get_matching_blocks() for n in range(size)}


@lru_cache(maxsize=32)
def _bare(text: str) -> tuple[str, ...]:
    return tuple(row.strip() for row in rows_of(text))


_TELLING_LINES = 16
"""Letters and digits of a line that is worth a search."""

_PROSE = (".md", ".mdx", ".markdown", ".mdc", ".rst", ".adoc", ".txt", ".html", ".ipynb")
_FILE_MODES = ("100644", "100755")
_FILES = 5
_AT_ONCE = 16
"""Files that are held in memory together."""


class Elsewhere:
    """Finds where quotes stand in the files of HEAD, which are read once for all quotes."""

    def __init__(self, repo: Repo, head: CommitTree, tree: Tree) -> None:
        self.repo, self.head, self.tree = repo, head, tree
        self._wanted: set[str] = set()
        self._holding: dict[str, list[str]] | None = None
        self._known: dict[str, list[tuple[str, LineRange]]] = {}

    def look_up(self, quotes: Iterable[Quote]) -> None:
        """Say which quotes may be asked for. What is read anew is read when one is."""
        self._wanted.update(filter(None, map(_telling_line, quotes)))
        self._holding = None

    def places(self, quote: Quote, but: str) -> list[tuple[str, LineRange]]:
        """Other files, with lines, where the quote stands; none where it says too little."""
        if quote.fingerprint not in self._known:
            self._known[quote.fingerprint] = self._search(quote)
        code = not but.endswith(_PROSE)  # a document that quotes code is not where the code went
        return [
            (path, lines)
            for path, lines in self._known[quote.fingerprint]
            if path != but and not (code and path.endswith(_PROSE))
        ]

    def _search(self, quote: Quote) -> list[tuple[str, LineRange]]:
        line = _telling_line(quote)
        if line not in self._wanted:
            return []
        if self._holding is None:
            self._holding = self._read()
        return [
            (path, lines)
            for path in self._holding.get(line, ())[: 4 * _FILES]
            for lines in self._in(path, quote)
        ][:_FILES]

    def _read(self) -> dict[str, list[str]]:
        """The files that hold each of the lines that are wanted, by path."""
        found: dict[str, list[str]] = {}
        files = [(p, e.oid) for p, e in sorted(self.head.files.items()) if e.mode in _FILE_MODES]
        objects = self.repo.objects
        objects.look_up(oid for _, oid in files)
        small = [(p, oid) for p, oid in files if (o := objects.get(oid)) and o.size <= LARGEST]
        for at in range(0, len(small), _AT_ONCE):
            some = small[at : at + _AT_ONCE]
            texts = objects.read_many(oid for _, oid in some)
            for path, oid in some:
                content = texts[oid] or b""
                if b"\0" not in content[:8000]:
                    rows = set(map(str.strip, content.decode(errors="replace").split("\n")))
                    for line in self._wanted & rows:
                        found.setdefault(line, []).append(path)
        return found

    def _in(self, path: str, quote: Quote) -> tuple[LineRange, ...]:
        if path.startswith(".grounded/") or self.tree.size(path) > LARGEST:
            return ()
        text = text_of(self.tree, path) if self.tree.has(path) else None
        return quote_places(quote, text) if text else ()


def _telling_line(quote: Quote) -> str:
    """The longest line of a quote; empty where it says too little to be searched for."""
    line = max((r.strip() for r in rows_of(quote.said)), key=len, default="")
    return line if sum(c.isalnum() for c in line) >= _TELLING_LINES else ""
