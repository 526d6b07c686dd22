"""The knowledge base as a tree holds it: which files are documents, their claims, the index."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from posixpath import dirname, join, normpath

from grounded_ingest.config import MEMORY_SUFFIXES, Config, classify
from grounded_ingest.extract import LIMIT, extract, unreadable
from grounded_ingest.git import SUBMODULE, SYMLINK
from grounded_ingest.index import Index, Key
from grounded_ingest.model import DocClass, Document, Extraction, Place
from grounded_ingest.tree import Tree

_ROUNDS = 4
"""How deep imports of imports are followed."""


class KnowledgeBase:
    """The documents of one tree. `documents` maps paths to what their extraction depends on."""

    def __init__(
        self, tree: Tree, config: Config, index: Index, *, only: Iterable[str] | None = None
    ) -> None:
        self.tree, self.config, self.index = tree, config, index
        self.documents: dict[str, Key] = {}
        self._paths: dict[int, list[str]] | None = None
        paths = tree.files if only is None else [p for p in only if p in tree.files]
        for path in paths:
            doc_class = classify(config, path)
            if doc_class is not None:
                self._add(path, doc_class)
        self._ensure()
        if only is None:
            self._follow_imports()

    def _add(self, path: str, doc_class: DocClass) -> str:
        """Add a document; of a symbolic link what it shows, where that is a file of the tree."""
        entry = self.tree.entry(path)
        if entry is None or entry.mode == SUBMODULE:
            return ""
        if entry.mode == SYMLINK:
            path, entry = self._target(path), None
            if path in self.tree.files and path.lower().endswith(MEMORY_SUFFIXES):
                entry = self.tree.entry(path)
            if entry is None or entry.mode in (SYMLINK, SUBMODULE):
                return ""
        known = self.documents.get(path)
        if known is not None and (known.doc_class is doc_class or doc_class is not DocClass.MEMORY):
            return ""
        self.documents[path] = Key(entry.oid, doc_class, path.rpartition(".")[2].lower())
        return path

    def _target(self, path: str) -> str:
        content = (
            self.tree.repo.objects.read(entry.oid) if (entry := self.tree.entry(path)) else None
        )
        return normpath(join(dirname(path), (content or b"").decode(errors="replace")))

    def _ensure(self) -> None:
        by_key = {str(key): path for path, key in self.documents.items()}
        self.index.ensure(
            list(self.documents.values()), lambda key: self._extract(by_key[str(key)], key)
        )

    def _extract(self, path: str, key: Key) -> Extraction:
        if self.tree.size(path) > LIMIT:
            return unreadable(f"larger than {LIMIT // 1024**2} MB", key.doc_class)
        content = self.tree.read(path)
        if content is None:
            return unreadable("its content is not in this clone", key.doc_class)
        return extract(content, path, key.doc_class)

    def _follow_imports(self) -> None:
        """What memory documents import (`@docs/x.md`) agents read as memory."""
        fresh = [p for p, k in self.documents.items() if k.doc_class is DocClass.MEMORY]
        for _ in range(_ROUNDS):
            rows: dict[int, list[str]] = {}
            for path in fresh:
                rows.setdefault(self.index.row(self.documents[path]), []).append(path)
            found = self.index.imports(self.documents[p] for p in fresh)
            fresh = []
            for row, written in found:
                for importer in rows[row]:
                    fresh += filter(
                        None,
                        (self._add(p, DocClass.MEMORY) for p in self._imported(importer, written)),
                    )
            if not fresh:
                return
            self._paths = None
            self._ensure()

    def _imported(self, importer: str, written: str) -> list[str]:
        candidates = (normpath(join(dirname(importer), written)), normpath(written))
        found = [
            c
            for c in candidates
            if c in self.tree.files and re.search(r"\.(?:mdx?|mdc|markdown|txt)$", c)
        ]
        return found[:1]

    def document(self, path: str) -> Document | None:
        """A document with its claims, None where the path is none."""
        key = self.documents.get(path)
        if key is None:
            return None
        return Document(path, key.doc_class, key.oid, self.index.extraction(key))

    def places(self, path: str) -> tuple[Place, ...]:
        document = self.document(path)
        if document is None:
            return ()
        return tuple(Place(path, document.doc_class, claim) for claim in document.extraction.claims)

    def at_rows(self, found: Iterable[tuple[int, int]]) -> Iterator[Place]:
        """The live places of (blob row, claim number) pairs of the index."""
        if self._paths is None:
            self._paths = {}
            for path, key in self.documents.items():
                self._paths.setdefault(self.index.row(key), []).append(path)
        for row, number in found:
            for path in self._paths.get(row, ()):
                key = self.documents[path]
                yield Place(path, key.doc_class, self.index.extraction(key).claims[number])
