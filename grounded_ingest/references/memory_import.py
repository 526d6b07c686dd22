"""Checks `import` references, such as `@docs/style.md` in an agent's memory document."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import dirname, join, normpath

from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import is_generic_name
from grounded_ingest.references.receipts import fate_of_path, hint_for_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.IMPORT

_IMPORT = compiled(r"(?:^|(?<=[\s(]))@((?:\.{0,2}/)?\w[\w.-]*(?:/[\w.-]+)*)")
_READERS = compiled(r"(?i)(?:^|/)(?:(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$|\.claude/)")
"""Matches documents in which agents follow imports. Agents also follow the imports in imported
files."""
_PERSONAL = ".local."
_READ = (".md", ".mdc", ".mdx", ".txt", ".json", ".yaml", ".yml", ".toml")
"""Endings of names that mean a file and not a package, unlike `@scope/name.js`."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the imports in a claim, if agents follow the imports in this document."""
    return imports_in(path, claim.masked) if follows_imports(path) else ()


def follows_imports(path: str) -> bool:
    """Returns whether agents follow the imports in a document, judged by the document's name."""
    return _READERS.search(path) is not None


def imports_in(path: str, text: str) -> list[Reference]:
    """Returns the imports in a text, except imports of absolute paths."""
    found = ((m[1].rstrip("."), m.start()) for m in _IMPORT.finditer(text) if "@" in text)
    return [Reference(KIND, path, n, at, at + 1 + len(n)) for n, at in found if n[:1] != "/"]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up imported files in the tree. Returns a result for each import that is certainly right
    or wrong. A missing file is wrong, unless git ignores the file, or it may be a user's personal
    file."""
    found: Answers = {}
    absent: dict[Reference, str] = {}
    for reference in asked:
        places = _places(reference)
        there = [p for p in places if context.tree.has(p)]
        if there:
            found[reference] = TreeAnswer(Verdict.CONFIRMED, there[0])
        elif reference.name.lower().endswith(_READ) and _would_be_seen(places[0], context):
            absent[reference] = places[0]
    ignored = context.repo.ignored(absent.values()) if absent else set()
    for reference, path in list(absent.items()):
        if path in ignored or _PERSONAL in path:
            why = "ignored by git" if path in ignored else "a personal file that each user may have"
            found[reference] = TreeAnswer(Verdict.UNKNOWN, path, why)
            del absent[reference]
    asked_history = () if context.brief else absent.values()
    gone = context.removals.removed_files(context.start, asked_history)
    for reference, path in absent.items():
        became = fate_of_path(path, gone, context).words
        hint = f": {became}" if became else _hint(path, context)
        found[reference] = TreeAnswer(Verdict.REFUTED, path, f"no such file{hint}")
    return found


def _hint(path: str, context: Context) -> str:
    """Returns the end of a message: the file that was probably meant, or nothing."""
    if near := hint_for_path(path, context.tree).words:
        return near
    named = context.tree.ending_with(path.rpartition("/")[2])
    return f"; there is {named[0]}" if len(named) == 1 and not is_generic_name(path) else ""


def _places(reference: Reference) -> list[str]:
    """Returns the paths that an import can mean. An import may be relative to the document, to the
    project with the `.claude` folder, or to the root."""
    project = reference.path.partition(".claude/")[0].rstrip("/")
    starts = (dirname(reference.path), project if ".claude/" in reference.path else "", "")
    return list(dict.fromkeys(normpath(join(start, reference.name)) for start in starts))


def _would_be_seen(path: str, context: Context) -> bool:
    """Returns whether the tree would list a file at this path. Files in submodules or behind
    symbolic links are not listed."""
    tree = context.tree
    return not (path.startswith("..") or tree.submodule_above(path) or tree.link_above(path))
