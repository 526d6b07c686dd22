"""Whether a text stood in a document before a change: the one answer to what is new.

A text is old only where it stood in a document of the same or a stricter class. A file of tests
that is renamed to `memory-bank/facts.md` was never judged as memory, so all its claims are new;
the same holds where an import, a link or the configuration makes a memory of a file that is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from grounded_ingest.config.settings import Config, classify, is_as_strict
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, TreeEntry
from grounded_ingest.git.trees import CommitTree
from grounded_ingest.model.claims import DocClass
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.repository.scope import Scoped


class FormerDocuments:
    """Documents as commits before the change have them. `then` are the configurations that gave
    them their classes: base's, and that of the commit the change begins at."""

    def __init__(self, kb: KnowledgeBase, then: Sequence[Config]) -> None:
        self.kb, self.then = kb, then
        known = {c.fingerprint for c in then}
        now = (kb.config, kb.proposed or kb.config)
        self._reclassified = any(c.fingerprint not in known for c in now)
        self._classes: dict[str, dict[str, DocClass]] = {}

    def stood(self, path: str, before: CommitTree, old_path: str, entry: TreeEntry | None) -> bool:
        """Whether what is at `path` now was a document of the same or a stricter class as `entry`,
        at `old_path` in the tree `before`."""
        if entry is None or entry.mode in (SYMLINK, SUBMODULE):
            return False
        wanted = self.kb.strictest(path)
        if any(is_as_strict(classify(c, old_path), wanted) for c in self.then):
            return True
        return is_as_strict(self._classes_in(before).get(old_path), wanted)

    def _classes_in(self, tree: CommitTree) -> dict[str, DocClass]:
        """The classes of a tree's documents, those that imports and links give included."""
        if tree.commit not in self._classes:
            kb = self.kb
            held = KnowledgeBase(tree, self.then[0], kb.index, proposed=self.then[-1]).documents
            self._classes[tree.commit] = {path: key.doc_class for path, key in held.items()}
        return self._classes[tree.commit]

    def newly_classed(self, scoped: Scoped, before: CommitTree) -> Iterator[str]:
        """Yields documents that are as they were in `before` and have a stricter class now.

        The configuration, an import or a link gave it to them. An import can also lead to another
        file because the first one is gone.
        """
        changed = {c.path for c in scoped.changes or ()}
        for path in tuple(self.kb.documents if self._reclassified else self.kb.shown_by):
            if path in changed or path not in self.kb.documents:
                continue
            shown = scoped.gone or not self.kb.showing(path).isdisjoint(changed)
            if (self._reclassified or shown) and not self.stood(
                path, before, path, before.entry(path)
            ):
                yield path
