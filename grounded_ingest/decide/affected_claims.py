"""Finds claims in unchanged documents whose references a change may break.

The index finds claims by the names that the claims cite or have in backticks, so the run time
depends on the size of the change and not on the size of the repository."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from posixpath import basename, dirname, splitext

from msgspec.structs import replace

from grounded_ingest.code.command_lines import RUNNERS as PROGRAMS
from grounded_ingest.code.definitions import definitions_in, definitions_of, has_parser
from grounded_ingest.code.manifest_facts import pins
from grounded_ingest.code.package_versions import package_versions
from grounded_ingest.code.workspace_parts import declared_names, found_target
from grounded_ingest.decide.base_view import BaseView
from grounded_ingest.extract.assertions import assertions_in
from grounded_ingest.extract.heading_anchors import anchors_of
from grounded_ingest.git.trees import LARGEST, Tree, rows_of, text_of
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import Document, Place, Problem, Tier
from grounded_ingest.references import stated_count, stated_value
from grounded_ingest.references.adr import adr_number
from grounded_ingest.references.adr_status import read_status
from grounded_ingest.references.cited_lines import Drift, describe_drift, drift_of, is_about_today
from grounded_ingest.references.context import Request, as_cited
from grounded_ingest.references.kept_parses import is_page
from grounded_ingest.references.manifests import RUNNERS
from grounded_ingest.references.path import OWN_FILES
from grounded_ingest.references.path_resolution import directories_from, resolve_path
from grounded_ingest.references.proofs import recipe
from grounded_ingest.repository.index import MENTION, SHORTEST, VERSIONED
from grounded_ingest.repository.scope import Scoped
from grounded_ingest.rules.reference_rules import CHANGED, WRONG
from grounded_ingest.statements.knowledge_protocol import position
from grounded_ingest.text.dated_paths import is_work_log
from grounded_ingest.text.patterns import compiled

MAX_FILES = 400
"""Maximum number of changed files whose text is compared. A larger change usually moves or imports
code."""
MAX_NAMES = 20_000
"""Maximum number of names removed by one change that the index is searched for."""

_NAME = compiled(r"[^\W\d][\w-]*")
_FLAG = compiled(r"(?<![\w-])--[a-zA-Z][\w-]+")
_INDEXES = ("index", "readme", "_index")
"""Names of pages that a website serves under the address of the page's directory."""
CONTENTS = "toctree"
"""The word in each table of contents of a Sphinx site."""


class TouchedFiles:
    """The files that a change edits, moves or removes. `before` is the tree of the first parent
    commit. `edited` maps edited files to their paths before the change. `gone` maps the old path of
    a moved file to its new path, and that of a removed file to "". `added` are the new files."""

    def __init__(self, scoped: Scoped, view: BaseView) -> None:
        self.context, self._documents = view.context, view.kb.documents
        self.before = view.former.tree(scoped.parents[0] if scoped.parents else "")
        changes = [c for c in scoped.changes or () if not c.path.startswith(OWN_FILES)]
        self.judged = {c.path for c in changes} & self._documents.keys()
        """Paths of the documents in the change. The run checks all claims in them anyway."""
        self.gone = {p: to for p, to in scoped.gone.items() if not p.startswith(OWN_FILES)}
        self.added = [c.path for c in changes if c.old is None]
        self.edited = {
            c.path: c.old_path
            for c in changes
            if c.old is not None and c.new is not None and c.old.oid != c.new.oid
        }

    @cached_property
    def edited_code(self) -> Mapping[str, str]:
        """The edited files that are not documents, mapped to their paths before the change. Empty
        if more than MAX_FILES were edited."""
        code = {p: old for p, old in self.edited.items() if p not in self._documents}
        return code if len(code) <= MAX_FILES else {}

    @cached_property
    def removed_names(self) -> frozenset[str]:
        """The names under which claims may cite the removed files and directories, such as `guide`
        and `guide.html` for `docs/Guide.md`, and decision records whose status the change edits."""
        found: set[str] = set()
        for path in self.gone:
            name, directory = basename(path).lower(), dirname(path)
            page = splitext(name)[0]
            found |= {name, page, f"{page}.html"}  # sites link `guide.md` as `guide.html`
            if page in _INDEXES:
                found.add(basename(directory).lower())
            # The last file of a directory takes the directory along.
            while directory and not self.context.tree.is_dir(directory):
                found.add(basename(directory).lower())
                directory = dirname(directory)
        # Claims cite a decision record by its number, and an edit can withdraw the record.
        numbers = (*self.gone, *filter(self._has_other_status, self.edited))
        return frozenset(found | {f"adr {n}" for p in numbers if (n := adr_number(p)) is not None})

    def _has_other_status(self, path: str) -> bool:
        if adr_number(path) is None:
            return False
        then, now = self._texts(path)
        return read_status(then) != read_status(now)

    @cached_property
    def shortened_files(self) -> list[str]:
        """The edited files in which the change may have removed a heading or a cited line."""
        return [p for p in self.edited if p not in self._documents or self._is_shorter(p)]

    def _is_shorter(self, path: str) -> bool:
        then, now = self._texts(path)
        fewer = len(rows_of(then)) > len(rows_of(now))
        return fewer or not anchors_of(then).exact <= anchors_of(now).exact

    def _texts(self, path: str) -> tuple[str, str]:
        return _text_in(self.before, self.edited[path]), _text_in(self.context.tree, path)

    @cached_property
    def _compared_texts(self) -> list[tuple[str, str, str]]:
        gone = [p for p, to in self.gone.items() if not to and p not in self.edited.values()]
        removed = [(p, _text_in(self.before, p), "") for p in gone[:MAX_FILES]]
        return [*((p, *self._texts(p)) for p in self.edited_code), *removed]

    @cached_property
    def removed_commands(self) -> frozenset[str]:
        """The names that the change removes from a file: scripts, targets, flags, packages, and
        what packages declare, such as features and extras."""
        # A moved manifest does not define any command at its former path.
        moved = ((p, _text_in(self.before, p), "") for p, to in self.gone.items() if to)
        found = {name for p in self.gone if (name := found_target(p)[1])}
        for path, then, now in (*self._compared_texts, *moved):
            found.update(_recipes(path, then).keys() - _recipes(path, now).keys())
            parts = declared_names(path, then) - declared_names(path, now)
            found.update(name for _, name in parts)
            found.update(set(_FLAG.findall(then)).difference(_FLAG.findall(now)))
        return frozenset(found)

    @cached_property
    def changed_recipes(self) -> list[str]:
        """The scripts and targets whose commands the change edits, as search keys for the index of
        claims."""
        found: set[str] = set()
        for path, then, now in self._compared_texts:
            old, new = _recipes(path, then), _recipes(path, now)
            found.update(n for n, body in old.items() if n in new and new[n] != body)
        return [f"{MENTION}{max(_NAME.findall(n), key=len, default='')}" for n in sorted(found)]

    @property
    def changes_versions(self) -> bool:
        """Whether the change edits a runtime version that a manifest requires."""
        return any(_versions(p, then) != _versions(p, now) for p, then, now in self._compared_texts)

    @cached_property
    def changed_packages(self) -> frozenset[str]:
        """The packages whose version a manifest changes, by the last part of their names."""
        found: set[str] = set()
        for path, then, now in self._compared_texts:
            had, have = (package_versions(path, text) for text in (then, now))
            found.update(n for n, version in had.items() if have.get(n, version) != version)
        return frozenset(name.rpartition("/")[2].lower() for name in found)

    @cached_property
    def resized_directories(self) -> frozenset[str]:
        """The names of the directories in which the change adds or removes files."""
        paths = (*self.added, *self.gone)
        above = (folder for p in paths for folder in directories_from(dirname(p)) if folder)
        return frozenset(basename(folder).lower() for folder in above)

    @cached_property
    def removed_mentions(self) -> list[str]:
        """The removed commands, the names of removed files, which a command may read, and the words
        that the edited files do not contain any more, as search keys for the index of claims."""
        had, have = set[str](), set[str]()
        for _, then, now in self._compared_texts:
            had.update(_NAME.findall(then))
            have.update(_NAME.findall(now))
        names = (*self.removed_commands, *map(basename, self.gone))
        words = {max(_NAME.findall(name), key=len, default="") for name in names}
        if any(len(word) < SHORTEST for word in words):  # the index lists `make up` under `make`
            words |= PROGRAMS
        return [f"{MENTION}{name}" for name in sorted((had - have) | words)[:MAX_NAMES] if name]


def _text_in(tree: Tree, path: str) -> str:
    return (text_of(tree, path) or "") if tree.size(path) <= LARGEST else ""


def _recipes(path: str, text: str) -> dict[str, str]:
    runners = [r for r in RUNNERS.values() if basename(path) in r.files] if text else []
    return {n: e.body for runner in runners for n, e in runner.parse(text, path).entries.items()}


def _versions(path: str, text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(p.runtime, p.version) for p in pins(path, text)]


# Claims whose references have to be looked up again


def claims_at_risk(change: TouchedFiles, view: BaseView) -> list[Place]:
    """Returns the claims in unchanged documents whose references the change may break."""
    versions = (VERSIONED,) if change.changes_versions else ()
    found = _claims_with(view, {*change.removed_names, *change.removed_mentions, *versions})
    found += filter(_cites_a_part, _claims_citing(view, change.shortened_files))
    found += filter(_asserts_a_value, _claims_citing(view, change.edited_code))
    found += filter(_states_a_count, _claims_with(view, change.resized_directories))
    if packages := change.changed_packages:
        stated = _claims_with(view, (VERSIONED,))
        found += (p for p in stated if any(n in p.claim.text.lower() for n in packages))
    found += filter(_says_what_runs, _claims_with(view, change.changed_recipes))
    for path, written in _importing(change, view):
        found += (p for p in view.kb.places(path) if f"@{written}" in p.claim.text)
    others = (p for p in found if p.path not in change.judged and not is_work_log(p.path))
    return list({position(p): p for p in others}.values())


def documents_at_risk(change: TouchedFiles, view: BaseView) -> list[Document]:
    """Returns the unchanged documents that may show a removed command or file in a code block or a
    drawn tree, or that import a removed file."""
    kb, context = view.kb, change.context
    found = {path for path, _ in _importing(change, view)}
    files = {basename(path) for path in change.gone} if len(change.gone) <= MAX_FILES else set()
    if any(map(is_page, files)):
        files.add(CONTENTS)  # a table of contents names pages without their endings
    if words := change.removed_commands | files:
        showing = files_with(context.repo, context.tree, words, is_page, cache=context.cache)
        found.update(path for paths in showing.values() for path in paths)
    others = sorted(p for p in found - change.judged if not is_work_log(p))
    return [document for path in others if (document := kb.document(path)) is not None]


def _claims_citing(view: BaseView, paths: Iterable[str]) -> list[Place]:
    """Returns the claims that cite a file with the same file name as one of `paths`."""
    return _claims_with(view, {basename(p).lower() for p in paths})


def _claims_with(view: BaseView, names: Iterable[str]) -> list[Place]:
    return view.kb.at_rows(sorted(set(view.kb.index.citing(sorted(names)))))


def _cites_a_part(place: Place) -> bool:
    """Returns whether a claim cites lines, a definition or a heading in a file."""
    return "#" in place.claim.text or any(c.lines or c.anchor for c in place.claim.citations)


def _asserts_a_value(place: Place) -> bool:
    claim = place.claim
    return any(assertions_in(claim.text)) or any(stated_value.mentions(place.path, claim))


def _states_a_count(place: Place) -> bool:
    return any(stated_count.mentions(place.path, place.claim))


def _says_what_runs(place: Place) -> bool:
    return any(recipe.mentions(place.path, place.claim))


def _importing(change: TouchedFiles, view: BaseView) -> list[tuple[str, str]]:
    return [
        (path, written)
        for path, written in view.kb.imported
        if basename(written).lower() in change.removed_names
    ]


# Claims whose references still resolve, but to other text


def changed_lines(
    change: TouchedFiles, view: BaseView, is_reported: Callable[[Place], bool]
) -> Iterator[Problem]:
    """Yields a problem for each cited line or definition whose text the change replaces, except in
    claims for which `is_reported` is true."""
    seen: set[tuple[str, int, str]] = set()
    for place in _claims_citing(view, change.edited_code):
        if is_reported(place):
            continue
        for request in (Request(place.path, c) for c in place.claim.citations if c.own):
            why = _how_changed(request, place, change)
            key = place.path, place.claim.line, why
            if why and key not in seen:
                seen.add(key)
                yield Problem(*key[:2], f"{WRONG}[{CHANGED}]", why, Tier.REVIEW)


def _how_changed(request: Request, place: Place, change: TouchedFiles) -> str:
    """Returns a message about how the change edits the cited lines or definition. Returns an empty
    string if they are unchanged or still support the claim."""
    citation = request.citation
    if not citation.lines and not (citation.anchor and has_parser(citation.raw)):
        return ""
    found = resolve_path(request, change.context.tree)
    if not is_about_today(place, request, change.context):
        return ""
    if len(found) != 1 or found[0] not in change.edited_code:
        return ""
    before = _text_in(change.before, change.edited_code[found[0]])
    after = _text_in(change.context.tree, found[0])
    if citation.lines:
        drift = drift_of(before, after, citation.lines)
        target = as_cited(replace(citation, raw=found[0]))
    else:
        drift = _definition_drift(citation.anchor, found[0], before, after)
        target = f"{found[0]}::{citation.anchor}"
    message = describe_drift(drift, place.claim, "before this change") if drift else ""
    return f"{target}: {message}" if message else ""


def _definition_drift(name: str, path: str, before: str, after: str) -> Drift | None:
    """Returns how the definition `name` differs between two texts of a file. Returns None if it is
    unchanged or removed; a removed definition is reported as a wrong reference."""
    rows = []
    for text in (before, after):
        meant = definitions_of(definitions_in(path, text) or (), name)
        lines = rows_of(text)[meant[0].line - 1 : meant[0].end_line] if meant else ()
        rows.append("\n".join(lines))
    return Drift(rows[0], rows[1], None) if all(rows) and rows[0] != rows[1] else None
