"""Caches the results of parsers for the files in a tree. A file is parsed again only if its content
changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Generic, TypeVar

from msgspec.msgpack import Decoder, encode

from grounded_ingest.extract.mdx import mdx_as_markdown
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.digests import blake2b
from grounded_ingest.version import code_stamp

if TYPE_CHECKING:
    from grounded_ingest.git.cache import Cache

T = TypeVar("T")
_PARSERS = (
    "code",
    os.path.join("code", "queries"),
    "extract",
    "text",
    os.path.join("text", "lexicon"),
)
"""The source folders of the parsers. A change in these folders makes cached results invalid."""


_PAGES = (".md", ".mdc", ".mdx", ".markdown", ".rst")


def is_page(path: str) -> bool:
    """Returns whether a file is Markdown or reStructuredText, judged by its extension."""
    return path.lower().endswith(_PAGES)


def page_text(path: str, tree: Tree) -> str | None:
    """Returns the text of a page in Markdown. Returns None if the file is no page or is too
    large."""
    return document_text(path, tree) if is_page(path) else None


def document_text(path: str, tree: Tree) -> str | None:
    """Returns the text of a document, in Markdown if it is a page. Returns None if the file is too
    large."""
    text = text_of(tree, path) if tree.size(path) <= LARGEST else None
    return text and in_markdown(path, text)


def in_markdown(path: str, text: str) -> str:
    """Returns the text of a file, translated to Markdown if it is reStructuredText or MDX. Returns
    an empty text if its parser fails, because the document is then reported as `unreadable`."""
    if path.lower().endswith(".mdx"):
        return mdx_as_markdown(text)
    return _translated(text) if path.lower().endswith(".rst") else text


@lru_cache(maxsize=16)
def _translated(text: str) -> str:
    from grounded_ingest.extract.rst import rst_as_markdown  # not in most runs

    try:
        return rst_as_markdown(text)
    except RecursionError:
        return ""


class KeptParses(Generic[T]):
    """The cached results of one parser for the files in one tree. The cache key contains the file's
    name, its content and the version of the parser's code."""

    def __init__(
        self, tree: Tree, cache: Cache, parse: Callable[[str, str], T], kept_as: type[T]
    ) -> None:
        self._tree, self._cache, self._parse = tree, cache, parse
        self._decode = Decoder(kept_as).decode
        self._known: dict[str, T] = {}
        self._new: dict[bytes, bytes] = {}

    def of(self, path: str) -> T:
        """Returns the parser's result for a file. The parser gets an empty text if the file cannot
        be read."""
        if path not in self._known:
            self._known[path] = self._read(path)
        return self._known[path]

    def _read(self, path: str) -> T:
        key = self._key(path)
        if key and (kept := self._cache.get_one("parse", key)) is not None:
            return self._decode(kept)
        text = text_of(self._tree, path) if self._tree.size(path) <= LARGEST else None
        found = self._parse(path, text or "")
        if key and text is not None:
            self._new[key] = encode(found)
        return found

    def _key(self, path: str) -> bytes:
        """Returns the cache key for a file. Returns an empty key if the result cannot be cached."""
        entry = self._tree.entry(path)
        if entry is None or not entry.oid:
            return b""
        name = os.fsencode(path.rpartition("/")[2])
        said = (_code(), self._parse.__module__, self._parse.__qualname__, name, entry.oid)
        return blake2b(encode(said), digest_size=16).digest()

    def keep(self) -> None:
        """Writes the new results to the cache."""
        if self._new:
            self._cache.put("parse", self._new)
            self._new = {}


@cache
def _code() -> bytes:
    return blake2b(os.fsencode(code_stamp(*_PARSERS)), digest_size=16).digest()
