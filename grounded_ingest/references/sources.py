"""Reads the texts behind citations, bounded and once each, for a judge.

Files and decisions are read as base has them, so that a change cannot write the words that a judge
is shown.
"""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.git.quoted_lines import LARGEST, text_of
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Origin
from grounded_ingest.references import excerpt
from grounded_ingest.references.context import Context
from grounded_ingest.references.source_text import SourceText

WHOLE = 100_000
"""Bytes of the largest file that is read as a whole."""


class UnreadError(Exception):
    """Says why a source's text cannot be had."""


class Sources:
    """Reads the sources of one run and keeps what it read."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._read: dict[Origin, SourceText | UnreadError] = {}

    def of(self, origin: Origin) -> SourceText:
        """Returns the text behind a citation. Raises UnreadError."""
        if origin not in self._read:
            try:
                self._read[origin] = self._of(origin)
            except UnreadError as why:
                self._read[origin] = why
        held = self._read[origin]
        if isinstance(held, UnreadError):
            raise held
        return held

    def fetch(self, origins: Iterable[Origin]) -> None:
        """Reads pages and issues, all at once; other origins are read by `of`."""
        wanted = [o for o in dict.fromkeys(origins) if o not in self._read]
        if pages := [o for o in wanted if o.kind == "page"]:
            from grounded_ingest.references.page_text import PageText, pages_of

            texts = pages_of([o.path for o in pages], self._context)
            for origin in pages:
                page = texts[origin.path]
                if isinstance(page, PageText):
                    self._read[origin] = SourceText("page", page.text, title=page.title)
                else:
                    self._read[origin] = UnreadError(page.reason)
        if issues := [o for o in wanted if o.kind == "issue"]:
            from grounded_ingest.references.issue import issue_texts

            said = issue_texts([o.path for o in issues], self._context)
            for origin in issues:
                if issue := said[origin.path]:
                    text = f"{issue.title}.\n\nThe {issue.kind} is {issue.state}.\n\n{issue.body}"
                    self._read[origin] = SourceText("issue", text, title=issue.title)
                else:
                    self._read[origin] = UnreadError("its text is not there")

    def _of(self, origin: Origin) -> SourceText:
        match origin.kind:
            case "commit":
                return self._commit(origin.commit)
            case "adr":
                return excerpt.adr_excerpt(origin.path, self._text(self._base, origin.path))
            case "file":
                return self._file(origin)
            case _:
                self.fetch([origin])
                return self.of(origin)

    @property
    def _base(self) -> Tree:
        return self._context.base.tree

    def _commit(self, commit: str) -> SourceText:
        from grounded_ingest.git.commit_text import commit_text

        found = commit_text(self._context.repo, commit)
        if found is None:
            raise UnreadError("its content is not in this clone")
        return excerpt.commit(found.message, found.paths, found.diff)

    def _file(self, origin: Origin) -> SourceText:
        path, lines = origin.path, origin.lines
        tree = CommitTree(self._context.repo, origin.commit) if origin.commit else self._base
        if not origin.commit and tree.entry(path) != self._context.tree.entry(path):
            raise UnreadError("not on base as it is now")
        text = self._text(tree, path, LARGEST if lines else WHOLE)
        if lines is not None:
            return excerpt.cited_lines(path, text, *lines)
        section = excerpt.section_excerpt(path, text, origin.anchor) if origin.anchor else None
        return section or SourceText("file", text, path)

    def _text(self, tree: Tree, path: str, largest: int = LARGEST) -> str:
        if tree.size(path) > largest:
            raise UnreadError("too large to read")
        text = text_of(tree, path)
        if text is None:
            raise UnreadError("its content is not in this clone, or no text")
        if text.startswith("version https://git-lfs"):
            raise UnreadError("stored in LFS")
        return text.removeprefix("\ufeff")
