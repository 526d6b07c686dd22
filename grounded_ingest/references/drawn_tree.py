"""Checks drawings of directory trees. Each entry is a path below the root of the drawing.

A drawing is checked only if it shows this repository: at least half of the drawn entries exist
below one root, and at least two of these entries have a distinctive name. Most other drawings show
a user's project, build output or an example, and are skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname, normpath, relpath

from msgspec import Struct

from grounded_ingest.extract.code_blocks import DrawnEntry, DrawnTree, drawn_trees
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
    OF_A_DAY,
    is_generic_name,
    is_runtime_folder,
)
from grounded_ingest.references.kept_parses import KeptParses, is_page
from grounded_ingest.references.path import NO_TREE, NOWHERE, look_up_paths
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.text.dated_paths import is_about_one_day, is_dated_section
from grounded_ingest.text.lexicon import drawn_words as words
from grounded_ingest.text.patterns import compiled

_OTHER = compiled(words.OTHER_LAYOUT)
_PLAN = compiled(words.PLAN)
_MADE = compiled(words.MADE_ENTRY)
_DIRECTORY = compiled(r"`([^`\s]*/[^`\s]*)`|(?<![\w`/.@-])((?:[\w.@-]+/)+)(?![\w`])")
"""Matches a path that may be a directory: code with a slash, or a word that ends in a slash."""
_HERE = (".", "./", "/", "")
_FEWEST = 2
"""Minimum number of existing entries with a distinctive name. A drawing with fewer such entries is
not checked."""


class EntryAnswer(Struct, frozen=True):
    """The result for an entry of a drawn directory tree, or for the whole tree. `target` is the
    path in the repository that the entry means."""

    path: str
    line: int
    target: str
    verdict: Verdict
    reason: str


class _Missing(Struct, frozen=True):
    """A missing entry. `path` is its path from the root of the repository."""

    entry: DrawnEntry
    path: str
    request: Request


def entry_answers(documents: Sequence[Document], context: Context) -> list[EntryAnswer]:
    """Returns the wrong, unknown and skipped entries in the trees that documents draw."""
    found: list[EntryAnswer] = []
    missing: list[_Missing] = []
    drawings = KeptParses(context.tree, context.cache, _drawings, tuple[DrawnTree, ...])
    for document in (d for d in documents if is_page(d.path)):
        for drawn in drawings.of(document.path):
            base, reason = _base(document.path, drawn, context), _other_layout(document, drawn)
            if base is None or reason:
                target = drawn.root or drawn.entries[0].path
                verdict = (Verdict.SKIPPED, reason or words.ELSEWHERE)
                found.append(EntryAnswer(document.path, drawn.line, target, *verdict))
            else:
                missing += _missing_entries(document.path, drawn, base, context.tree)
    drawings.keep()
    return found + _judge_missing(missing, context)


def _drawings(path: str, text: str) -> tuple[DrawnTree, ...]:
    del path
    return tuple(drawn_trees(text))


def _other_layout(document: Document, drawn: DrawnTree) -> str:
    """Returns the reason why a drawing does not show the current tree, such as a heading "Before".
    Returns an empty string if no text around the drawing suggests another layout."""
    # The document's title names its subject. The subject may be an example that is in the tree.
    title, *headings = drawn.section.split(" > ")
    above = " > ".join((*headings, drawn.lead))
    if found := _OTHER.search(above) or _PLAN.search(title):
        return f"the text above the drawing says “{found[0]}”"
    dated = document.doc_class is DocClass.DECISIONS or is_dated_section(drawn.section)
    return OF_A_DAY if dated else ""


def _base(document: str, drawn: DrawnTree, context: Context) -> str | None:
    """Returns the directory that a drawing shows, with a slash at its end: the directory below
    which most entries of the drawing exist. Returns None if there is no such directory."""
    best, most = None, 0
    bases = _bases(document, drawn.root, context)
    if drawn.root in _HERE:
        named = (code or bare for code, bare in _DIRECTORY.findall(drawn.lead))
        bases += [b for d in named for b in _bases(document, d, context)]
    for base in bases:
        there = [e for e in drawn.entries if _is_there(base, e, context.tree)]
        own = sum(not is_generic_name(e.path) for e in there)
        if 2 * len(there) >= len(drawn.entries) and own >= _FEWEST and len(there) > most:
            best, most = base, len(there)
    return best


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
    from grounded_ingest.references.own_forge import (  # imported late for a fast start
        own_names,
        plain_name,
    )

    found: list[str] = []
    if name:
        anywhere = context.tree.directories_ending_with(name)
        above = [d for d in directories_from(here) if d == name or d.endswith(f"/{name}")]
        named = (name, f"{here}/{name}".lstrip("/"), *above, *anywhere[: len(anywhere) == 1])
        found = [f"{d}/" for d in named if context.tree.is_dir(d)]
    if not name or plain_name(name) in own_names(context):
        found += ["", f"{here}/" if here else ""]
    return list(dict.fromkeys(found))


def _is_there(base: str, entry: DrawnEntry, tree: Tree) -> bool:
    """Returns whether an entry exists. The entry's path may be relative to `base` or to the root,
    because some drawings give full paths."""
    bare = entry.path.rstrip("/")
    return any(tree.has(p) or tree.is_dir(p) for p in (normpath(f"{base}{bare}"), bare))


def _missing_entries(document: str, drawn: DrawnTree, base: str, tree: Tree) -> Iterator[_Missing]:
    """Yields a request for each missing entry. Skips entries below a missing directory."""
    gone: tuple[str, ...] = ()
    for entry in drawn.entries:
        if _is_there(base, entry, tree) or entry.path.startswith(gone):
            continue
        gone = (*gone, f"{entry.path.rstrip('/')}/")
        path = f"{base}{entry.path}"
        raw = f"./{relpath(path, dirname(document) or '.')}{'/' * path.endswith('/')}"
        yield _Missing(entry, path, Request(document, Citation(CitationKind.PATH, raw)))


def _judge_missing(missing: Sequence[_Missing], context: Context) -> list[EntryAnswer]:
    looked_up = look_up_paths([one.request for one in missing], context) if missing else {}
    return [
        EntryAnswer(
            one.request.path,
            one.entry.line,
            one.path,
            *_verdict(one, looked_up[one.request], context),
        )
        for one in missing
    ]


def _verdict(one: _Missing, found: Evidence, context: Context) -> tuple[Verdict, str]:
    if _MADE.search(one.entry.comment):
        return Verdict.SKIPPED, "the drawing says that the file is generated or planned"
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
    return found.verdict, found.reason
