"""Quotes that left their file: looked for in the whole tree of HEAD."""

from __future__ import annotations

import os
from time import monotonic

from grounded_ingest.audit.quote_fates import Quote, stands
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree

_TELLING = 16
"""Letters and digits of a line that is worth a search."""

_PROSE = (".md", ".mdx", ".markdown", ".mdc", ".rst", ".adoc", ".txt", ".html", ".ipynb")
_FILES = 5
_SECONDS = 30.0
"""Time for all searches of an audit."""


class Elsewhere:
    """Searches with `git grep`, within a time for all of them; the same question once."""

    def __init__(self, repo: Repo, head: str, tree: Tree) -> None:
        self.repo, self.head, self.tree = repo, head, tree
        self._known: dict[str, list[tuple[str, tuple[int, int]]]] = {}
        self._until = 0.0

    @property
    def is_over(self) -> bool:
        """Whether the time for searches is used up."""
        return bool(self._until) and monotonic() > self._until

    def places(self, quote: Quote, but: str) -> list[tuple[str, tuple[int, int]]]:
        """Other files, with lines, where the quote stands; none where it says too little."""
        if quote.fingerprint not in self._known:
            self._known[quote.fingerprint] = self._search(quote)
        code = not but.endswith(_PROSE)  # a document that quotes code is not where the code went
        return [
            (path, lines)
            for path, lines in self._known[quote.fingerprint]
            if path != but and not (code and path.endswith(_PROSE))
        ]

    def _search(self, quote: Quote) -> list[tuple[str, tuple[int, int]]]:
        rows = rows_of(quote.text)[quote.lines[0] - 1 : quote.lines[1]]
        line = max((r.strip() for r in rows), key=len, default="")
        if sum(c.isalnum() for c in line) < _TELLING or not self.head:
            return []
        self._until = self._until or monotonic() + _SECONDS
        left = self._until - monotonic()
        if left <= 0:
            return []
        try:
            out = self.repo.run(
                "grep", "-z", "-l", "-I", "-F", "--no-color", "-e", line, self.head, "--", ":/",
                ok=(0, 1), timeout=left,
            )  # fmt: skip
        except GroundedIngestError:
            return []
        names = os.fsdecode(out).split("\0")[:-1]
        return [
            (path, lines)
            for path in (n.partition(":")[2] for n in names[: 4 * _FILES])
            for lines in self._in(path, quote)
        ][:_FILES]

    def _in(self, path: str, quote: Quote) -> tuple[tuple[int, int], ...]:
        if path.startswith(".grounded/") or self.tree.size(path) > LARGEST:
            return ()
        text = text_of(self.tree, path) if self.tree.has(path) else None
        return stands(quote, text).places if text else ()
