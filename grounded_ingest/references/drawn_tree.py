"""Checks drawings of directory trees. Each entry is a path below the root of the drawing. A list or
table of file names below a text that names their directory counts as a drawing, too.

A drawing is checked only if it shows this repository: at least a quarter of the drawn entries exist
below one root, and at least two of these entries have a distinctive name. Most other drawings show
a user's project, build output or an example, and are skipped.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from posixpath import basename, dirname, normpath, relpath

from msgspec import Struct

from grounded_ingest.extract.code_blocks import DrawnEntry, DrawnTree, drawn_trees
from grounded_ingest.extract.listed_names import directories_in, listed_trees
from grounded_ingest.extract.reference_cues import without_plan_adjuncts
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import (
    Citation,
    CitationKind,
    DocClass,
    Document,
    Evidence,
    Verdict,
)
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.exemptions import (
    ABSENT,
    OF_A_DAY,
    PLAN_PATHS,
    is_generic_name,
    is_own_guide,
    is_runtime_folder,
)
from grounded_ingest.references.kept_parses import KeptParses, is_page
from grounded_ingest.references.missing_path import NO_TREE, NOWHERE
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.path import look_up_paths
from grounded_ingest.references.path_resolution import directories_from, resolve_path
from grounded_ingest.references.receipts import removals_of
from grounded_ingest.references.stated_count import answer_count
from grounded_ingest.text.dated_paths import is_about_one_day, is_dated_section
from grounded_ingest.text.lexicon import drawn_words as words
from grounded_ingest.text.patterns import compiled

_OTHER = compiled(words.OTHER_LAYOUT)
_PLAN = compiled(words.PLAN)
_MADE = compiled(words.MADE_ENTRY)
_OTHER_LIST = compiled(words.OTHER_LIST)
_BLANK = compiled(words.BLANK)
_CHANGE = compiled(words.CHANGE)
_NUMBERED = compiled(
    r"(?:^|\()(?P<n>[≈~]?\d{1,3}(?:,\d{3})+|[≈~]?\d{1,6}) (?:test )?(?P<what>files|lines|LOC)\)?$"
)
"""Matches a comment that is the number of files or lines, or ends with this number."""
_HERE = (".", "./", "/", "")
_FEWEST = 2
"""Minimum number of existing entries with a distinctive name. A drawing with fewer such entries is
not checked."""

_SHARE = 4
"""A drawing is checked only if at least one in four entries exists."""

_SHARE_OF_UNNAMED = 2
"""The same for a drawing whose root has a name that neither a folder nor the repository has."""


class EntryAnswer(Struct, frozen=True):
    """The result for an entry of a drawn directory tree, or for the whole tree. `target` is the
    path in the repository that the entry means. `kind` is COUNT if only the number beside the entry
    is wrong. `instead` is the path to which a commit moved the target, or empty."""

    path: str
    line: int
    target: str
    verdict: Verdict
    reason: str
    kind: CitationKind = CitationKind.PATH
    instead: str = ""


class _Missing(Struct, frozen=True):
    """A missing entry. `request` looks for the entry below the drawn directory. `own` looks for a
    listed name in the whole tree, because the name may mean a file elsewhere."""

    entry: DrawnEntry
    path: str
    request: Request
    own: Request | None = None


def entry_answers(documents: Sequence[Document], context: Context) -> list[EntryAnswer]:
    """Returns the wrong, unknown and skipped entries in the trees that documents draw."""
    found: list[EntryAnswer] = []
    missing: list[_Missing] = []
    drawings = KeptParses(context.tree, context.cache, _drawings, tuple[DrawnTree, ...])
    for document in (d for d in documents if is_page(d.path)):
        dated = is_about_one_day(document.path)
        for drawn in drawings.of(document.path):
            base, reason = _base(document.path, drawn, context), _other_layout(document, drawn)
            if base is None or reason:
                target = drawn.root or drawn.entries[0].path
                verdict = (Verdict.SKIPPED, reason or words.ELSEWHERE)
                found.append(EntryAnswer(document.path, drawn.line, target, *verdict))
            else:
                missing += _missing_entries(document.path, drawn, base, context.tree)
                if not (dated or PLAN_PATHS.search(document.path)):
                    found += _wrong_counts(document.path, drawn, base, context.tree)
        for listed in () if dated else listed_trees(document.extraction):
            home = _home(document.path, listed, context)
            if home and not _other_layout(document, listed):
                missing += _missing_entries(document.path, listed, home, context.tree)
    drawings.keep()
    return found + _judge_missing(missing, context)


def _wrong_counts(document: str, drawn: DrawnTree, base: str, tree: Tree) -> Iterator[EntryAnswer]:
    """Yields the entries whose comment is a wrong number: `api/  # routes (7 files)`."""
    for entry in drawn.entries:
        m = _NUMBERED.search(entry.comment)
        path = _place_of(base, entry, tree) if m else ""
        is_folder = tree.is_dir(path)
        if m is None or not path or is_folder != (m["what"] == "files"):
            continue
        stated = re.sub(r"^[≈~]", "~", m["n"].replace(",", ""))
        what = "files" if is_folder else "lines"
        answer = answer_count(what, stated, path + "/" * is_folder, tree)
        if answer and answer.verdict is Verdict.REFUTED:
            reason = answer.reason.partition(" ")[2]  # without the path, which is the target
            yield EntryAnswer(
                document, entry.line, path, answer.verdict, reason, CitationKind.COUNT
            )


def _drawings(path: str, text: str) -> tuple[DrawnTree, ...]:
    del path
    return tuple(drawn_trees(text))


def _other_layout(document: Document, drawn: DrawnTree) -> str:
    """Returns the reason why a drawing does not show the current tree, such as a heading "Before".
    Returns an empty string if no text around the drawing suggests another layout."""
    # The document's title names its subject. The subject may be an example that is in the tree.
    title, *headings = drawn.section.split(" > ")
    above = " > ".join((*headings, drawn.lead))
    # Agents read their memory file as the present, whatever its title says.
    plan = document.doc_class is not DocClass.MEMORY and _PLAN.search(without_plan_adjuncts(title))
    found = _OTHER.search(above) or plan or None
    found = found or (_OTHER_LIST.search(above) if drawn.homes else None)
    if found:
        return f"the text above the drawing says “{found[0]}”"
    if marked := next(filter(None, (_CHANGE.match(e.comment) for e in drawn.entries)), None):
        return f"the drawing says “{marked[1]}”, so it shows a planned change"
    dated = document.doc_class is DocClass.DECISIONS or is_dated_section(drawn.section)
    return OF_A_DAY if dated else ""


def _base(document: str, drawn: DrawnTree, context: Context) -> str | None:
    """Returns the directory that a drawing shows, with a slash at its end: the directory below
    which most entries of the drawing exist, or existed before commits removed them. Returns None if
    there is no such directory."""
    best, most = None, 0
    bases, share = _bases(document, drawn.root, context), _SHARE
    if not bases and "/" not in drawn.root.rstrip("/") and not _BLANK.match(drawn.root):
        # The repository may have another name here, so most of the drawing has to be there.
        bases, share = _bases(document, "", context), _SHARE_OF_UNNAMED
    if drawn.root in _HERE:
        bases += [b for d in directories_in(drawn.lead) for b in _bases(document, d, context)]
    for base in bases:
        there = [e for e in drawn.entries if _place_of(base, e, context.tree)]
        own = sum(not is_generic_name(e.path) for e in there)
        enough = share * len(there) >= len(drawn.entries) and own >= _FEWEST
        if enough and len(there) > most:
            best, most = base, len(there)
    return _former_base(document, drawn, context) if best is None else best


def _former_base(document: str, drawn: DrawnTree, context: Context) -> str | None:
    """Returns the directory that a drawing showed: at least half of its entries exist below it, or
    commits removed them from there. Returns None if there is no such directory."""
    name = "" if drawn.root in _HERE else normpath(drawn.root.rstrip("/"))
    if context.brief or name.startswith(("~", "$", "/", "..")) or is_generic_name(name):
        return None  # `src` may be the folder of any package
    here = dirname(document)
    named = [f"{d}/".lstrip("/") for d in (name, f"{here}/{name}".strip("/"))]
    for base in dict.fromkeys((*_bases(document, drawn.root, context), *named)):
        paths = [normpath(f"{base}{e.path}") for e in drawn.entries]
        removed = removals_of(paths, context)
        was = [p for p in paths if p in removed or context.tree.has(p) or context.tree.is_dir(p)]
        own = sum(not is_generic_name(p) for p in was)
        if _SHARE_OF_UNNAMED * len(was) >= len(paths) and own >= _FEWEST:
            return base
    return None


def _home(document: str, listed: DrawnTree, context: Context) -> str:
    """Returns the directory that a list of names shows, with a slash at its end. At least two names
    and a third of all names have to exist in the directory. Returns an empty string if there is no
    such directory."""
    if not listed.homes:
        return _own_folder(document, listed, context)
    bases: list[str] = []
    for name in listed.homes:
        inside = [d for base in bases if context.tree.is_dir(d := normpath(f"{base}{name}"))]
        named = _bases(document, name.strip("/"), context)
        bases = list(dict.fromkeys((*(f"{d}/" for d in inside), *named, *bases)))
    below = {b: sum(_is_below(b, e.path, context.tree) for e in listed.entries) for b in bases if b}
    best = max(below, key=below.__getitem__, default="")
    enough = best and below[best] >= _FEWEST and 3 * below[best] >= len(listed.entries)
    return best if enough else ""


def _own_folder(document: str, listed: DrawnTree, context: Context) -> str:
    """Returns the folder of a guide, with a slash at its end, if a list without a directory shows
    this folder: at least three of its names and two thirds of them have to exist. Returns an empty
    string otherwise."""
    base = f"{dirname(document) or '.'}/"
    if not is_own_guide(document, context):
        return ""
    there = sum(bool(_place_of(base, e, context.tree)) for e in listed.entries)
    return base if there >= 3 and 3 * there >= 2 * len(listed.entries) else ""


def _is_below(base: str, path: str, tree: Tree) -> bool:
    first, slash, _ = path.partition("/")
    return tree.has(f"{base}{path}") or bool(slash and tree.is_dir(f"{base}{first}"))


def _bases(document: str, root: str, context: Context) -> list[str]:
    """Returns the directories that a drawing may show, each with a slash at its end.

    If the first line names a directory, the candidates are directories of that name near the root
    or the document. The only directory of that name in the tree is a candidate, too. Otherwise, or
    if the first line names the repository, the candidates are the root and the document's own
    directory.
    """
    here, name = dirname(document), "" if root in _HERE else normpath(root.rstrip("/"))
    if name.startswith(("~", "$", "/", "..")):
        return []

    found: list[str] = []
    if name:
        anywhere = context.tree.directories_ending_with(name)
        above = [d for d in directories_from(here) if d == name or d.endswith(f"/{name}")]
        named = (name, f"{here}/{name}".lstrip("/"), *above, *anywhere[: len(anywhere) == 1])
        found = [f"{d}/" for d in named if context.tree.is_dir(d)]
    if not name or plain_name(name) in own_names(context):
        found += ["", f"{here}/" if here else ""]
    return list(dict.fromkeys(found))


def _place_of(base: str, entry: DrawnEntry, tree: Tree) -> str:
    """Returns the path of an entry in the tree, or an empty string if there is none. The entry's
    path may be relative to `base` or to the root, because some drawings give full paths."""
    bare = entry.path.rstrip("/")
    places = (normpath(f"{base}{bare}"), bare)
    return next((p for p in places if tree.has(p) or tree.is_dir(p)), "")


def _missing_entries(document: str, drawn: DrawnTree, base: str, tree: Tree) -> Iterator[_Missing]:
    """Yields a request for each missing entry. Skips entries below a missing directory."""
    missing, gone = _absent_entries(drawn, base, tree), tuple[str, ...]()
    if (home := normpath(base)) != "." and not tree.is_dir(home):  # the whole directory is gone
        missing, base = [DrawnEntry(base, drawn.line, "")], ""
    for entry in missing:
        if entry.path.startswith(gone):
            continue
        gone = (*gone, f"{entry.path.rstrip('/')}/")
        path = f"{base}{entry.path}".removeprefix("./")
        own = Request(document, Citation(CitationKind.PATH, entry.path)) if drawn.homes else None
        yield _Missing(entry, path, _request_from(document, path), own)


def _absent_entries(drawn: DrawnTree, base: str, tree: Tree) -> list[DrawnEntry]:
    """Returns the entries that the tree lacks. Leaves out a directory whose entries are planned,
    and a numbered series such as `task-1.md`, `task-2.md` if no file of the series exists."""
    missing = [e for e in drawn.entries if not _place_of(base, e, tree)]
    there = {_shape(e) for e in drawn.entries} - {_shape(e) for e in missing}
    series = Counter(_shape(e) for e in missing)
    numbered = {s for s, number in series.items() if "#" in s and number > 1} - there
    return [e for e in missing if _shape(e) not in numbered and not _is_made_inside(e, drawn)]


def _request_from(document: str, path: str) -> Request:
    """Returns the request for a path from the root, written as it is from the document."""
    raw = f"./{relpath(path, dirname(document) or '.')}{'/' * path.endswith('/')}"
    return Request(document, Citation(CitationKind.PATH, raw))


def _is_made_inside(entry: DrawnEntry, drawn: DrawnTree) -> bool:
    """Returns whether the comments beside all entries below a directory say that they are planned
    or generated."""
    folder = f"{entry.path.rstrip('/')}/"
    inside = [e for e in drawn.entries if e.path.startswith(folder) and e.path != entry.path]
    leaves = [e for e in inside if not e.path.endswith("/")]
    return bool(leaves) and all(_MADE.search(e.comment) for e in leaves)


def _shape(entry: DrawnEntry) -> str:
    return re.sub(r"\d+", "#", entry.path)


def _judge_missing(missing: Sequence[_Missing], context: Context) -> list[EntryAnswer]:
    requests = [r for one in missing for r in (one.request, one.own) if r]
    looked_up = look_up_paths(requests, context) if missing else {}
    return [
        EntryAnswer(
            one.request.path,
            one.entry.line,
            one.path,
            *_verdict(one, looked_up[one.request], context),
            instead=looked_up[one.request].instead,
        )
        for one in missing
        if not one.own
        or (looked_up[one.own].verdict is Verdict.UNKNOWN and _only_here(one, context))
    ]


def _only_here(one: _Missing, context: Context) -> bool:
    """Returns whether a listed name can only mean a file below the directory above the list: either
    its first folder is there, or it has no folder and no other file in the tree has this name."""
    if "/" in one.entry.path.rstrip("/"):
        home = one.path.removesuffix(one.entry.path)
        return context.tree.is_dir(f"{home}{one.entry.path.partition('/')[0]}")
    return not (one.own and resolve_path(one.own, context.tree))


def _verdict(one: _Missing, found: Evidence, context: Context) -> tuple[Verdict, str]:
    if _MADE.search(one.entry.comment):
        return Verdict.SKIPPED, "the drawing says that the file is generated or planned"
    if _BLANK.match(basename(one.path.rstrip("/"))):
        return Verdict.SKIPPED, "the name contains a placeholder"
    if found.verdict is Verdict.SKIPPED:
        return found.verdict, found.reason
    if context.brief:  # a brief run only compares verdicts, so history is not read
        return Verdict.REFUTED, found.reason
    parent = dirname(one.path.rstrip("/"))
    # No commit had the path. A program may still create such a folder when it runs.
    invented = found.reason == NOWHERE and (not parent or context.tree.is_dir(parent))
    if invented and one.path.endswith("/") and not is_about_one_day(one.request.path):
        if is_runtime_folder(one.path):
            return Verdict.SKIPPED, "programs usually create a folder of this name"
        return Verdict.REFUTED, NO_TREE
    if one.own and found.reason == NOWHERE:  # the first folder of a listed name is there
        return Verdict.REFUTED, ABSENT
    return found.verdict, found.reason
