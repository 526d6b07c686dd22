"""The files that a change touches, and the claims elsewhere that refer to them.

The index finds claims by the names that they cite or have in backticks, so that the work grows with
the change and not with the repository.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from posixpath import basename, dirname, splitext

from grounded_ingest.code.command_lines import RUNNERS as PROGRAMS
from grounded_ingest.code.manifest_facts import own_version, pins
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.extract.heading_anchors import anchors_of
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import Document, Place
from grounded_ingest.references.adr import adr_number
from grounded_ingest.references.adr_status import standing as status_of
from grounded_ingest.references.manifests import RUNNERS
from grounded_ingest.references.path import OWN_FILES
from grounded_ingest.repository.index_record import MENTION, SHORTEST, VERSIONED
from grounded_ingest.repository.scope import Scoped
from grounded_ingest.text.patterns import compiled

FILES = 400
"""Changed files whose text is compared; a change of more is a move or an import of code."""
NAMES = 20_000
"""Names taken out by one change that are looked up."""

_NAME = compiled(r"[^\W\d][\w-]*")
_FLAG = compiled(r"(?<![\w-])--[a-zA-Z][\w-]+")
_INDEXES = ("index", "readme", "_index")
"""Pages that a site serves at the address of their directory."""
_PAGES = (":(icase)*.md", ":(icase)*.mdx", ":(icase)*.mdc", ":(icase)*.markdown")


class TouchedFiles:
    """What a change does to files. `before` is the tree of its first parent. `edited` maps files
    whose text it changes to their former paths; `gone` maps former paths to the new ones, or to
    nothing where the file is removed."""

    def __init__(self, scoped: Scoped, standing: BaseView) -> None:
        self.context, self._documents = standing.context, standing.kb.documents
        self.before = standing.tree_of(scoped.parents[0] if scoped.parents else "")
        changes = [c for c in scoped.changes or () if not c.path.startswith(OWN_FILES)]
        self.judged = {c.path for c in changes} & self._documents.keys()
        """Documents of the change, which are judged as a whole anyway."""
        self.gone = {p: to for p, to in scoped.gone.items() if not p.startswith(OWN_FILES)}
        self.edited = {
            c.path: c.old_path
            for c in changes
            if c.old is not None and c.new is not None and c.old.oid != c.new.oid
        }

    @cached_property
    def edited_code(self) -> Mapping[str, str]:
        """The edited files that are no documents; none if there are too many to compare."""
        code = {p: old for p, old in self.edited.items() if p not in self._documents}
        return code if len(code) <= FILES else {}

    @cached_property
    def removed_names(self) -> frozenset[str]:
        """What the index calls the files, pages and directories that are not there any more."""
        found: set[str] = set()
        for path in self.gone:
            name, directory = basename(path).lower(), dirname(path)
            page = splitext(name)[0]
            found |= {name, page, f"{page}.html"}
            if page in _INDEXES:
                found.add(basename(directory).lower())
            while directory and not self.context.tree.is_dir(directory):
                found.add(basename(directory).lower())
                directory = dirname(directory)
        numbers = (*self.gone, *filter(self._ended, self.edited))
        return frozenset(found | {f"adr {n}" for p in numbers if (n := adr_number(p)) is not None})

    def _ended(self, path: str) -> bool:
        """Whether the change gives an edited decision another status."""
        if adr_number(path) is None:
            return False
        then, now = self._texts(path)
        return status_of(then) != status_of(now)

    @cached_property
    def shortened(self) -> list[str]:
        """The edited files in which a heading or a cited line may be missing now."""
        return [p for p in self.edited if p not in self._documents or self._is_shorter(p)]

    def _is_shorter(self, path: str) -> bool:
        then, now = self._texts(path)
        fewer = len(rows_of(then)) > len(rows_of(now))
        return fewer or not anchors_of(then).exact <= anchors_of(now).exact

    def _texts(self, path: str) -> tuple[str, str]:
        """Returns the text of an edited file before and after the change."""
        return text_in(self.before, self.edited[path]), text_in(self.context.tree, path)

    @cached_property
    def _compared(self) -> list[tuple[str, str, str]]:
        """The path, the former and the new text of code that is edited or removed."""
        gone = [p for p, to in self.gone.items() if not to and p not in self.edited.values()]
        removed = [(p, text_in(self.before, p), "") for p in gone[:FILES]]
        return [*((p, *self._texts(p)) for p in self.edited_code), *removed]

    @cached_property
    def removed_commands(self) -> frozenset[str]:
        """The scripts, targets and flags that a file had before the change and has no longer."""
        moved = ((p, text_in(self.before, p), "") for p, to in self.gone.items() if to)
        found: set[str] = set()
        for path, then, now in (*self._compared, *moved):
            found.update(_entries(path, then) - _entries(path, now))
            found.update(set(_FLAG.findall(then)).difference(_FLAG.findall(now)))
        return frozenset(found)

    @property
    def moves_versions(self) -> bool:
        """Whether a file asks for another version of a runtime now, or has another one itself."""
        return any(_versions(p, then) != _versions(p, now) for p, then, now in self._compared)

    @cached_property
    def removed_mentions(self) -> list[str]:
        """What the index calls names that no changed file has any more, and removed commands."""
        had, have = set[str](), set[str]()
        for _, then, now in self._compared:
            had.update(_NAME.findall(then))
            have.update(_NAME.findall(now))
        words = {max(_NAME.findall(c), key=len, default="") for c in self.removed_commands}
        if any(len(word) < SHORTEST for word in words):  # `make up`: `make` alone is in the index
            words |= PROGRAMS
        return [f"{MENTION}{name}" for name in sorted((had - have) | words)[:NAMES] if name]


def text_in(tree: Tree, path: str) -> str:
    return (text_of(tree, path) or "") if tree.size(path) <= LARGEST else ""


def _entries(path: str, text: str) -> set[str]:
    """Returns what a manifest offers to run; nothing of another file."""
    runners = [r for r in RUNNERS.values() if basename(path) in r.files] if text else []
    return {name for runner in runners for name in runner.parse(text, path).entries}


def _versions(path: str, text: str) -> tuple[str, list[tuple[str, tuple[int, ...]]]]:
    return own_version(path, text), [(p.runtime, p.version) for p in pins(path, text)]


def claims_citing(standing: BaseView, paths: Iterable[str]) -> list[Place]:
    """Returns the claims that cite a file of one of these names."""
    return _found(standing, {basename(p).lower() for p in paths})


def _found(standing: BaseView, names: Iterable[str]) -> list[Place]:
    return standing.kb.at_rows(sorted(set(standing.kb.index.citing(sorted(names)))))


def claims_at_risk(change: TouchedFiles, standing: BaseView) -> list[Place]:
    """Returns the claims of other documents whose references the change may have made wrong."""
    versions = (VERSIONED,) if change.moves_versions else ()
    found = _found(standing, {*change.removed_names, *change.removed_mentions, *versions})
    found += filter(_cites_a_part, claims_citing(standing, change.shortened))
    for path, written in _importing(change, standing):
        found += (p for p in standing.kb.places(path) if f"@{written}" in p.claim.text)
    others = (p for p in found if p.path not in change.judged)
    return list({(p.path, p.claim.line, p.claim.column): p for p in others}.values())


def _cites_a_part(place: Place) -> bool:
    """Whether a claim refers to lines, a definition or a heading of a file."""
    return "#" in place.claim.text or any(c.lines or c.anchor for c in place.claim.citations)


def _importing(change: TouchedFiles, standing: BaseView) -> list[tuple[str, str]]:
    """Returns the documents that import a file that is gone, with the import as written."""
    return [
        (path, written)
        for path, written in standing.kb.imported
        if basename(written).lower() in change.removed_names
    ]


def documents_at_risk(change: TouchedFiles, standing: BaseView) -> list[Document]:
    """Returns the other documents whose code blocks may show a command that the change removes, or
    that import what it removes."""
    kb, context = standing.kb, change.context
    found = {path for path, _ in _importing(change, standing)}
    if words := change.removed_commands:
        named = files_with(context.repo, context.tree, words, _PAGES, keeper=context.ledger)
        found.update(path for paths in named.values() for path in paths)
    others = sorted(found - change.judged)
    return [document for path in others if (document := kb.document(path)) is not None]
