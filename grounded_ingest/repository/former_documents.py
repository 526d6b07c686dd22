"""Reads documents as they were in earlier commits, to find out which claims are new.

A claim is old only if the earlier document was checked as strictly: `memory` is the strictest
class, followed by `decisions`, `docs` and `other`. For example, if a test file is renamed to
`memory-bank/facts.md`, all its claims are new, because they were never checked as memory. The
claims of an existing file are also new if an import, a link or the configuration makes the file a
memory."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from grounded_ingest.config.settings import Config, classify, is_as_strict
from grounded_ingest.extract.documents import extract
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, Repo, TreeEntry
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import Claim, ClaimKey, DocClass, Extraction
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.index import ExtractionKey, key_of
from grounded_ingest.repository.scope import Base, Scoped


class FormerDocuments:
    """The documents as they were before the change, on the base branch and in other commits. They
    are compared with the present documents in `kb`.

    `renamed` maps present paths to paths on the base branch. `configs` are the configurations that
    gave documents their classes before the change: those of the base branch and of the commit at
    which the change begins."""

    def __init__(
        self,
        kb: KnowledgeBase,
        repo: Repo,
        base: Base,
        renamed: Mapping[str, str],
        configs: Sequence[Config],
    ) -> None:
        self.kb, self.base, self.renamed = kb, base, renamed
        self._repo, self._configs = repo, configs
        known = {c.fingerprint for c in configs}
        now = (kb.config, kb.proposed or kb.config)
        self._reclassified = any(c.fingerprint not in known for c in now)
        self._classes: dict[str, dict[str, DocClass]] = {}
        self._trees = {base.commit: base.tree}
        self._base_claims: dict[str, dict[ClaimKey, str]] = {}

    def tree(self, commit: str) -> CommitTree:
        if commit not in self._trees:
            self._trees[commit] = CommitTree(self._repo, commit)
        return self._trees[commit]

    def path_on_base(self, path: str) -> str:
        return self.renamed.get(path, path)

    def on_base(self, path: str) -> Extraction:
        """Returns the claims and problems of a document as it is on the base branch. Returns an
        empty extraction if the base branch does not have the document."""
        if not self.base.known or not self.base.commit:
            return Extraction()
        tree, old = self.base.tree, self.path_on_base(path)
        return self.extraction(path, tree, old, tree.entry(old))

    def base_claims(self, path: str) -> dict[ClaimKey, str]:
        """Maps each claim that a document has on the base branch to the digest of its context."""
        if path not in self._base_claims:
            self._base_claims[path] = {c.key: c.context for c in self.on_base(path).claims}
        return self._base_claims[path]

    def extraction(
        self, path: str, before: CommitTree, old_path: str, entry: TreeEntry | None
    ) -> Extraction:
        """Returns the claims and problems of a document before the change, when it was at
        `old_path` in the tree `before`. Returns an empty extraction if it was not a document then,
        or had a less strict class, such as `docs` before and `memory` now."""
        doc_class = self.kb.class_of(path)
        if entry is None or doc_class is None:
            return Extraction()
        if not self._was_as_strict(path, before, old_path, entry):
            return Extraction()
        return self._read(old_path, entry.oid, doc_class)

    def claims_at(self, path: str, oid: str) -> tuple[Claim, ...]:
        """Returns the claims in the blob `oid` of a document with this path on the base branch."""
        now = next((new for new, old in self.renamed.items() if old == path), path)
        return self._read(path, oid, self.kb.class_of(now) or DocClass.DOCS).claims

    def _read(self, path: str, oid: str, doc_class: DocClass) -> Extraction:
        """Returns the claims and problems in a blob, and stores them in the index."""

        def read(_: ExtractionKey) -> Extraction:
            content = self._repo.objects.read(oid)
            return Extraction() if content is None else extract(content, path, doc_class)

        key = key_of(path, oid, doc_class)
        self.kb.index.ensure([key], read)
        return self.kb.index.extraction(key)

    def _was_as_strict(
        self, path: str, before: CommitTree, old_path: str, entry: TreeEntry | None
    ) -> bool:
        """Returns whether `old_path` was a document in the tree `before` with a class at least as
        strict as that of `path`."""
        if entry is None or entry.mode in (SYMLINK, SUBMODULE):
            return False
        wanted = self.kb.strictest(path)
        if any(is_as_strict(classify(c, old_path), wanted) for c in self._configs):
            return True
        return is_as_strict(self._classes_in(before).get(old_path), wanted)

    def _classes_in(self, tree: CommitTree) -> dict[str, DocClass]:
        """Returns the classes of the documents in a tree, including those that result from imports
        and links."""
        if tree.commit not in self._classes:
            first, last = self._configs[0], self._configs[-1]
            documents = KnowledgeBase(tree, first, self.kb.index, proposed=last).documents
            self._classes[tree.commit] = {path: key.doc_class for path, key in documents.items()}
        return self._classes[tree.commit]

    def newly_classed(self, scoped: Scoped, before: CommitTree) -> Iterator[str]:
        """Yields the paths of documents whose text is the same as in `before` but which are now
        checked more strictly, for example as `memory` instead of `docs`.

        The class can come from the configuration, an import or a link. For example, an import leads
        to another file after the change removed its first target."""
        changed = {c.path for c in scoped.changes or ()}
        for path in tuple(self.kb.documents if self._reclassified else self.kb.shown_by):
            if path in changed or path not in self.kb.documents:
                continue
            shown = scoped.gone or not self.kb.showing(path).isdisjoint(changed)
            if (self._reclassified or shown) and not self._was_as_strict(
                path, before, path, before.entry(path)
            ):
                yield path
