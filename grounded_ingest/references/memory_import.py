"""Resolves `import` references: `@docs/style.md` in a memory document."""

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
"""Documents whose reader follows imports; it does so in what they import, too."""
_PERSONAL = ".local."
_READ = (".md", ".mdc", ".mdx", ".txt", ".json", ".yaml", ".yml", ".toml")
"""Endings that no package has: `@scope/name.js` is one."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the imports of a claim, in documents whose imports agents follow."""
    return imports_in(path, claim.masked) if follows_imports(path) else ()


def follows_imports(path: str) -> bool:
    """Whether agents follow the imports of a document because of its name."""
    return _READERS.search(path) is not None


def imports_in(path: str, text: str) -> list[Reference]:
    """Returns the imports in a text, without those of places outside of every repository."""
    found = ((m[1].rstrip("."), m.start()) for m in _IMPORT.finditer(text) if "@" in text)
    return [Reference(KIND, path, n, at, at + 1 + len(n)) for n, at in found if n[:1] != "/"]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns the answers of the tree; a missing file is refuted unless git ignores it, or each
    user may have one."""
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
            why = "ignored by git" if path in ignored else "a file that each user may have"
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
    """Returns which file was likely meant, as the end of a message."""
    if near := hint_for_path(path, context.tree).words:
        return near
    named = context.tree.ending_with(path.rpartition("/")[2])
    return f"; there is {named[0]}" if len(named) == 1 and not is_generic_name(path) else ""


def _places(reference: Reference) -> list[str]:
    """Returns the paths that an import can mean: from the document, from the project that has its
    `.claude`, and from the root."""
    project = reference.path.partition(".claude/")[0].rstrip("/")
    starts = (dirname(reference.path), project if ".claude/" in reference.path else "", "")
    return list(dict.fromkeys(normpath(join(start, reference.name)) for start in starts))


def _would_be_seen(path: str, context: Context) -> bool:
    """Whether the tree would show a file of this path."""
    tree = context.tree
    return not (path.startswith("..") or tree.submodule_above(path) or tree.link_above(path))
