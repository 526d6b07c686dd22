"""Finds the files in a tree that contain given words, with `git grep` or by reading the files."""

from __future__ import annotations

import os
import re
import zlib
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from typing import NamedTuple
from weakref import WeakKeyDictionary

from grounded_ingest.git.cache import Cache
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import CommitTree, Tree, WorkTree
from grounded_ingest.text.patterns import compiled

FEW = 30
"""Maximum number of words for `git grep`, which looks for each word in each line. For more words,
this module reads the files itself.
"""
LARGEST = 16 * 1024 * 1024
"""Size in bytes of the largest file to read. A larger file counts as containing every word."""

_PROSE = "md mdx mdc markdown rst txt adoc jsonl lock svg csv ipynb"
NO_PROSE = (":/", *(f":(exclude,icase)*.{e}" for e in _PROSE.split()), ":(exclude).grounded/")
"""Git pathspecs that leave out prose and data. The remaining files are those where code defines,
reads or creates names.
"""

WORDS = "words 1"
"""Kind of cache rows for the words in files. Change it if the definition of a word changes."""

_PLAIN = compiled(r"[A-Za-z0-9_]+(?:-[A-Za-z0-9_]+)*")
_SPECIAL = compiled(r"[\\.\[\](){}*+?|^$]")
_CHAIN = re.compile(rb"\w+(?:-\w+)+")
_ONLY_WORDS = bytes(c if bytes((c,)).isalnum() or c in b"_-" else 32 for c in range(256))
"""Table that translates every byte outside words to a blank. This is three times as fast as a
regular expression.
"""
_PARTS = 8
"""Maximum number of parts in a word with hyphens. For longer words, this module uses `git grep`."""


def files_with(
    repo: Repo,
    tree: Tree,
    words: Iterable[str],
    patterns: Sequence[str] = (),
    *,
    parts: bool = False,
    cache: Cache | None = None,
) -> dict[str, list[str]]:
    """Maps each word to the sorted files that contain the word as a whole word. Leaves out words
    that no file contains.

    `patterns` are git pathspecs. If `parts` is true, a lower-case word is also found as a part of
    another word, in upper or lower case. `cache` stores the words in each file content. Raises
    GroundedIngestError if git fails.
    """
    asked = [w for w in dict.fromkeys(words) if w and "\n" not in w]
    plain = [] if parts else [w for w in asked if _is_plain(w)]
    if len(plain) <= FEW:
        return _search(repo, tree, asked, patterns, parts=parts) if asked else {}
    rest = [w for w in asked if not _is_plain(w)]
    found = _search(repo, tree, rest, patterns, parts=False) if rest else {}
    return found | _read(repo, tree, plain, patterns, cache)


def _is_plain(word: str) -> bool:
    return _PLAIN.fullmatch(word) is not None and word.count("-") < _PARTS


def _words_in(content: bytes) -> Collection[bytes]:
    """Returns the words in a text. For a word with hyphens, returns the whole word and also its
    parts.
    """
    tokens = set(content.translate(_ONLY_WORDS).split())
    joined = {t for t in tokens if b"-" in t}
    if not joined:
        return tokens
    text = b" ".join(joined)
    found = (tokens - joined).union(text.replace(b"-", b" ").split())
    for chain in set(_CHAIN.findall(text)):
        parts = chain.split(b"-")
        for start in range(len(parts) - 1):
            ends = range(start + 2, min(len(parts), start + _PARTS) + 1)
            found.update(b"-".join(parts[start:end]) for end in ends)
    return found


class FileWords:
    """The words in a repository's files, stored as numbers. Each file content is read only once,
    and later runs use the cache.
    """

    def __init__(self) -> None:
        self._numbers = defaultdict[bytes, int](count().__next__)
        self._of: dict[str, array[int]] = {}
        self._new: dict[bytes, bytes] = {}

    def number(self, word: bytes) -> int:
        return self._numbers[word]

    def words_of(self, tree: Tree, path: str, cache: Cache | None) -> array[int] | None:
        """Returns the distinct words in a file as numbers. Returns None if the file is too large to
        read.
        """
        entry = tree.entry(path)
        oid = entry.oid if entry is not None else ""
        if oid in self._of:
            return self._of[oid]
        if tree.size(path) > LARGEST:
            return None
        words = self._read(tree, path, oid, cache)
        held = array("I", map(self._numbers.__getitem__, words or ()))
        if oid and words is not None:
            self._of[oid] = held
        return held

    def _read(
        self, tree: Tree, path: str, oid: str, cache: Cache | None
    ) -> Collection[bytes] | None:
        key = bytes.fromhex(oid)
        if key and cache is not None and (kept := cache.get_one(WORDS, key)) is not None:
            return zlib.decompress(kept).split()
        content = tree.read(path)
        if content is None:
            return None
        words = _words_in(content)
        if key and cache is not None:
            self._new[key] = zlib.compress(b" ".join(sorted(words)), 1)
        return words

    def keep(self, cache: Cache | None) -> None:
        """Stores the words that this run found in the cache."""
        if cache is not None and self._new:
            cache.put(WORDS, self._new)
            self._new = {}


_words_of: WeakKeyDictionary[Repo, FileWords] = WeakKeyDictionary()


def _read(
    repo: Repo,
    tree: Tree,
    asked: Sequence[str],
    patterns: Sequence[str],
    cache: Cache | None,
) -> dict[str, list[str]]:
    """Returns the same result as `files_with` by reading each file once. The search compares bytes,
    because these words have the same bytes in every encoding.
    """
    words = _words_of.setdefault(repo, FileWords())
    wanted = {words.number(w.encode()): w for w in asked}
    found: dict[str, list[str]] = {}
    for path in _texts(repo, tree, patterns):
        held = words.words_of(tree, path, cache)
        for number in wanted if held is None else wanted.keys() & held:
            found.setdefault(wanted[number], []).append(path)
    words.keep(cache)
    return found


def _texts(repo: Repo, tree: Tree, patterns: Sequence[str]) -> list[str]:
    """Returns the paths of the non-empty text files in a tree."""
    found: list[str] = []
    for place in _places(tree):
        out = repo.run(
            "grep", "-I", "-l", "-z", "--full-name", "-e", "", place.named,
            "--", *(patterns or (":/",)), ok=(0, 1),
        )  # fmt: skip
        found += filter(None, map(place.path, os.fsdecode(out).split("\0")[:-1]))
    return found


def _search(
    repo: Repo, tree: Tree, asked: Sequence[str], patterns: Sequence[str], *, parts: bool
) -> dict[str, list[str]]:
    found: dict[str, dict[str, None]] = {}
    for place in _places(tree):
        out = repo.run(
            "grep", "-I", "-o", "-i" if parts else "-w", "-E", "-z", "--full-name", "-f", "-",
            place.named, "--", *(patterns or (":/",)),
            stdin="\n".join(_alternations(asked)).encode(), ok=(0, 1),
        )  # fmt: skip
        for row in os.fsdecode(out).split("\n"):  # path NUL word
            said, _, word = row.partition("\0")
            if word and (path := place.path(said)):
                found.setdefault(word.lower() if parts else word, {})[path] = None
    return {word: list(paths) for word, paths in found.items()}


def _alternations(words: Sequence[str]) -> list[str]:
    """Joins words into a few extended regular expressions.

    After each match, git searches the rest of the line again for each pattern. This takes minutes
    if a line has megabytes. A word that begins another word goes into a separate expression,
    because an alternation finds only the longer word.
    """
    found: list[list[str]] = []
    for word in sorted(words, key=len, reverse=True):
        for apart in found:
            if len(apart) < FEW and not any(w.startswith(word) for w in apart):
                apart.append(word)
                break
        else:
            found.append([word])
    return ["|".join(_SPECIAL.sub(r"\\\g<0>", w) for w in together) for together in found]


class _GrepPlace(NamedTuple):
    """An argument that tells `git grep` where to search. If `only` contains paths, only these paths
    count.
    """

    named: str
    only: Collection[str] = ()

    def path(self, said: str) -> str:
        """Returns the path in a row of git's output, relative to the root. Returns an empty string
        if `only` has paths, but not this path.
        """
        path = said if self.named.startswith("-") else said[len(self.named) + 1 :]
        return path if not self.only or path in self.only else ""


def _places(tree: Tree) -> list[_GrepPlace]:
    if isinstance(tree, CommitTree):
        return [_GrepPlace(tree.commit)]
    if not isinstance(tree, WorkTree):
        return [_GrepPlace("--cached")]
    return [
        _GrepPlace("--untracked"),
        *([_GrepPlace("--cached", tree.left_out)] if tree.left_out else []),
    ]
