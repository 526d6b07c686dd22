"""Finds the documents in a tree, their classes and their claims."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from posixpath import dirname, join, normpath

from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import (
    MEMORY_SUFFIXES,
    Config,
    class_and_exclusion,
    classify,
    excluded_by_default,
    is_as_strict,
    is_silent,
)
from grounded_ingest.extract.documents import LIMIT, extract, unreadable
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, TreeEntry
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import (
    ClaimKey,
    DocClass,
    Document,
    Extraction,
    Place,
    Problem,
    Tier,
)
from grounded_ingest.repository.index import ExtractionKey, Index, key_of
from grounded_ingest.text.patterns import compiled

_ROUNDS, _LINKS = 4, 8
"""Maximum number of steps for imports inside imports (first value) and for links to links (second
value)."""


_LEFT_OUT = (
    "is in a directory that is excluded by default, but agents in this directory read the file:"
    " include the file (`exclude: ['!…']`) or list it in `exclude`"
)
_SUBMODULE = "the directory is a submodule, so its documents are not checked here"
_NO_TEXT = "which is not a text file in this repository"


def _printed(path: str) -> str:
    return path.encode(errors="replace").decode().replace("\0", "nothing")[:200]


_VERSION = compiled(
    r"(?:^|/)(?:docs?|documentation|content)/(?:[^/]+/)*?"
    r"(?:(?:v|version-)(?P<number>\d+(?:\.\d+)*)|(?P<bare>\d+(?:\.\d+)+))(?=/)"
)
_NEWEST = ("main", "master", "latest", "next", "current", "dev", "edge", "unstable", "nightly")
"""Names of the folder beside those of released versions that people still edit."""
_GENERATED = ".openapi-generator/FILES"


def unmaintained_paths(tree: Tree) -> tuple[str, ...]:
    """Returns path prefixes of documents that nobody edits: docs of an older version (`v2` if `v3`
    or `main` exists), and docs of generated OpenAPI clients."""
    versions: dict[str, set[tuple[tuple[int, ...], str]]] = {}
    for path in tree.files:
        if found := _VERSION.search(path):
            folder = path[: found.end()]
            number = tuple(map(int, (found["number"] or found["bare"]).split(".")))
            versions.setdefault(dirname(folder), set()).add((number, f"{folder}/"))
    old = set[str]()
    for above, some in versions.items():
        newest = any(tree.is_dir(f"{above}/{name}") for name in _NEWEST)
        old.update(folder for number, folder in some if newest or number < max(some)[0])
    made = {
        path.removesuffix(_GENERATED) + name
        for path in tree.files
        if path.endswith(_GENERATED) and f"/{path}".endswith(f"/{_GENERATED}")
        for name in (text_of(tree, path) or "").split()
        if name.endswith(".md")
    }
    return tuple(sorted(old | made))


class KnowledgeBase:
    """All documents in a tree, with their classes (`memory`, `decisions`, `docs`, `other`) and
    claims.

    `documents` maps each path to the key under which the index stores the document's claims.
    `config` is the configuration that applies to the change. `proposed` is the configuration that
    the change itself would introduce, or None. A file that only `proposed` makes a document or a
    memory is checked now, because later runs check only what is new."""

    def __init__(
        self, tree: Tree, config: Config, index: Index, *, proposed: Config | None = None
    ) -> None:
        self.tree, self.config, self.index = tree, config, index
        self.proposed = proposed
        self.documents: dict[str, ExtractionKey] = {}
        self.shown_by: dict[str, set[str]] = {}
        """Maps each document that is reached by an import or a link to the paths that lead to it.
        """
        self._paths: dict[int, list[str]] = {}
        self._followed_links: set[str] = set()
        self.imported: list[tuple[str, str]] = []
        """Pairs of a document's path and an import in that document. The import is spelled as in
        the document."""
        self.unread: list[Problem] = []
        """Problems about text in memory directories that is not part of any document."""
        self.aside = unmaintained_paths(tree)
        for path, entry in tree.files.items():
            if is_silent(path) and entry.mode not in (SYMLINK, SUBMODULE):
                continue  # most files of a large tree, so they take no further step
            doc_class, excluded = self._classified(path)
            if doc_class in (DocClass.DOCS, DocClass.OTHER) and path.startswith(self.aside):
                continue
            if doc_class is not None and not excluded:
                self._add(path, doc_class)
            elif doc_class is DocClass.MEMORY and excluded_by_default(config, path):
                self._note_unread(path, _LEFT_OUT)
            elif entry.mode == SYMLINK:
                self._add_linked(path, self._followed(path)[0])
            if entry.mode == SUBMODULE and self._is_memory_place(path):
                self._note_unread(path, _SUBMODULE)
        self._ensure()
        self._follow_imports()

    def _classified(self, path: str) -> tuple[DocClass | None, bool]:
        """Returns the class of a path, and whether the path is excluded. If `config` and `proposed`
        give different classes, the stricter class counts.

        If only the proposed configuration gives a path the class `decisions`, the path has the
        class `docs` for now, so that a change cannot turn its own documents into decision records
        (ADRs), which can prove claims."""
        found = class_and_exclusion(self.config, path)
        if self.proposed is None:
            return found
        doc_class = classify(self.proposed, path)
        doc_class = DocClass.DOCS if doc_class is DocClass.DECISIONS else doc_class
        held = None if found[1] else found[0]
        return found if is_as_strict(held, doc_class) else (doc_class, False)

    def class_of(self, path: str) -> DocClass | None:
        key = self.documents.get(path)
        return key.doc_class if key is not None else classify(self.config, path)

    def strictest(self, path: str) -> DocClass | None:
        """Returns the class of a document. If `config` and `proposed` give different classes, the
        stricter class counts. Returns None if the path is not a document."""
        held = self.class_of(path)
        then = classify(self.proposed, path) if self.proposed is not None else None
        return held if is_as_strict(held, then) else then

    def showing(self, path: str) -> set[str]:
        """Returns the paths of all files that import or link to a document, also indirectly."""
        found: set[str] = set()
        waiting = [path]
        while waiting:
            above = self.shown_by.get(waiting.pop(), set()) - found
            found |= above
            waiting += above
        return found

    def _add(self, path: str, doc_class: DocClass, shown_by: str = "") -> str:
        """Adds a document. For a symbolic link, adds the file in the tree to which the link leads.

        Returns the added path, or an empty string if nothing was added. `shown_by` is the path of
        the importing document or of the link to the directory."""
        entry = self.tree.entry(path)
        if entry is None or entry.mode == SUBMODULE:
            return ""
        if shown_by:
            self.shown_by.setdefault(path, set()).add(shown_by)
        if entry.mode == SYMLINK:
            link, (path, entry) = path, self._followed(path)
            if entry is None or not self._is_read(path, doc_class):
                if doc_class is DocClass.MEMORY:
                    self._add_other(link, path)
                return ""
            self.shown_by.setdefault(path, set()).add(link)
        known = self.documents.get(path)
        if known is not None and (known.doc_class is doc_class or doc_class is not DocClass.MEMORY):
            return ""
        self.documents[path] = key_of(path, entry.oid, doc_class)
        return path

    def _followed(self, path: str) -> tuple[str, TreeEntry | None]:
        """Returns the path to which a link leads, and its tree entry. Returns None as entry if the
        path is not a file in this tree."""
        for _ in range(_LINKS):
            path = self.tree.link_target(path)
            entry = self.tree.entry(path) if path in self.tree.files else None
            if entry is None or entry.mode != SYMLINK:
                return path, None if entry is None or entry.mode == SUBMODULE else entry
        return path, None

    def _is_read(self, path: str, doc_class: DocClass) -> bool:
        if doc_class is DocClass.MEMORY:
            return not is_silent(path)
        return path.lower().endswith(MEMORY_SUFFIXES)

    def _add_other(self, link: str, target: str) -> None:
        """Adds the files in a linked directory. Reports a problem if the link leads to no text in
        this tree."""
        program = is_silent(target) and self.tree.has(target)
        if self.tree.is_dir(target):
            self._add_linked(link, target)
        elif not program or link.lower().endswith(MEMORY_SUFFIXES):
            self._note_unread(link, f"links to {_printed(target)}, {_NO_TEXT}")

    def _note_unread(self, path: str, message: str, line: int = 1) -> None:
        self.unread.append(Problem(path, line, "unread", message, int(Tier.REVIEW)))

    def _is_memory_place(self, directory: str) -> bool:
        return classify(self.config, f"{directory}/notes.md") is DocClass.MEMORY

    def _add_linked(self, link: str, target: str) -> None:
        """Adds the files that agents read through a linked directory (`.claude -> .agents`)."""
        if link in self._followed_links:  # The directory contains a link to itself.
            return
        self._followed_links.add(link)
        if not self.tree.is_dir(target) and self._is_memory_place(link):
            self._note_unread(link, f"links to {_printed(target)}, {_NO_TEXT}")
        for path in self.tree.below(target) if self.tree.is_dir(target) else ():
            if classify(self.config, link + path[len(target) :]) is DocClass.MEMORY:
                self._add(path, DocClass.MEMORY, link)

    def _ensure(self) -> None:
        by_key = {str(key): path for path, key in self.documents.items()}
        keys = list(self.documents.values())
        self.index.ensure(keys, lambda key: self._extract(by_key[str(key)], key))

    def _extract(self, path: str, key: ExtractionKey) -> Extraction:
        if self.tree.size(path) > LIMIT:
            return unreadable(f"the file is larger than {LIMIT // 1024**2} MB", key.doc_class)
        content = self.tree.read(path)
        if content is None:
            return unreadable("the content of the file is not in this clone", key.doc_class)
        return extract(content, path, key.doc_class)

    def _follow_imports(self) -> None:
        """Adds the files that memory documents import (`@docs/x.md`), because agents read them as
        memory."""
        fresh = [p for p, k in self.documents.items() if k.doc_class is DocClass.MEMORY]
        for _ in range(_ROUNDS):
            rows: dict[int, list[str]] = {}
            for path in fresh:
                rows.setdefault(self.index.row(self.documents[path]), []).append(path)
            found = self.index.imports(self.documents[p] for p in fresh)
            fresh = []
            for row, written in found:
                for importer in rows[row]:
                    self.imported.append((importer, written))
                    for path in self._imported(importer, written):
                        if added := self._add(path, DocClass.MEMORY, importer):
                            fresh.append(added)
            if not fresh:
                return
            self._paths = {}
            self._ensure()

    def _imported(self, importer: str, written: str) -> list[str]:
        candidates = (normpath(join(dirname(importer), written)), normpath(written))
        found = [c for c in candidates if c in self.tree.files and not is_silent(c)]
        if not found and (written.startswith("~") or candidates[0].startswith("../")):
            self._note_import(importer, written, "outside this repository")
        elif not found and (inside := self.tree.submodule_above(candidates[0])):
            self._note_import(importer, written, f"in the submodule {inside}")
        return found[:1]

    def _note_import(self, importer: str, written: str, where: str) -> None:
        claims = self.index.extraction(self.documents[importer]).claims
        line = next((c.line for c in claims if f"@{written}" in c.text), 1)
        self._note_unread(importer, f"imports {_printed(written)}, which is {where}", line)

    def document(self, path: str) -> Document | None:
        """Returns a document with its claims. Returns None if the path is not a document."""
        key = self.documents.get(path)
        if key is None:
            return None
        return Document(path, key.doc_class, key.oid, self.index.extraction(key))

    def places(self, path: str) -> tuple[Place, ...]:
        document = self.document(path)
        if document is None:
            return ()
        return tuple(Place(path, document.doc_class, claim) for claim in document.extraction.claims)

    def context_of(self, place: Place) -> tuple[tuple[str, str], ...]:
        """Returns the text around a claim in a document as (kind, text) pairs, the outermost pair
        first."""
        document = self.document(place.path)
        return document.extraction.context(place.claim) if document is not None else ()

    def _place_rows(self) -> None:
        if not self._paths:
            for path, key in self.documents.items():
                self._paths.setdefault(self.index.row(key), []).append(path)

    def at_rows(self, found: Iterable[tuple[int, int]]) -> list[Place]:
        """Returns the claims that the index found, sorted by path and line. `found` has pairs: the
        number of a file content in the index, and the position of the claim in it. Claims whose
        document is not in this tree are left out."""
        self._place_rows()
        live = [(path, n) for row, n in found for path in self._paths.get(row, ())]
        places = []
        for path, number in sorted(live):  # The claim numbers follow the order in the text.
            key = self.documents[path]
            claims = self.index.extraction(key).claims
            if 0 <= number < len(claims):
                places.append(Place(path, key.doc_class, claims[number]))
            else:
                self.index.distrust()
        return places

    def accompanied(self, path: str) -> frozenset[ClaimKey] | None:
        """Returns the claims in a document that may repeat or contradict another claim in this
        tree, because the index lists both under the same key. The others need no comparison.
        Returns None if the document is not indexed, or if copies of it exist at other paths."""
        key = self.documents.get(path)
        if key is None:
            return None
        self._place_rows()
        row = self.index.row(key)
        if len(self._paths[row]) > 1:
            return None
        claims = self.index.extraction(key).claims
        numbers = self.index.accompanied(row, self._paths)
        if any(not 0 <= n < len(claims) for n in numbers):
            self.index.distrust()
            return None
        return frozenset(claims[n].key for n in numbers)


class Mirrors:
    """Decides whether two documents are copies of each other, so that their equal claims are not
    duplicates.

    Two documents are copies if the setting `mirrors` names them, or if they share at least 5 claims
    and at least half of the claims in the shorter document."""

    def __init__(self, kb: KnowledgeBase, config: Config) -> None:
        self._groups = config.mirrors
        self._ids = cache(lambda path: frozenset(p.claim.id for p in kb.places(path)))
        self.mirrored = cache(self._mirrored)

    def _mirrored(self, one: str, other: str) -> bool:
        if any(matches(group, one) and matches(group, other) for group in self._groups):
            return True
        mine, theirs = self._ids(one), self._ids(other)
        common = len(mine & theirs)
        return common >= 5 and 2 * common >= min(len(mine), len(theirs))
