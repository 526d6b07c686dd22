"""`import`: `@docs/style.md` in a memory document is there when the tree has the file."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import dirname, join, normpath

from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.verify.context import Context
from grounded_ingest.verify.receipts import fate_of_path, hint_for_path

KIND = CitationKind.IMPORT

_IMPORT = compiled(r"(?:^|(?<=[\s(]))@((?:\.{0,2}/)?\w[\w.-]*(?:/[\w.-]+)*)")
_READERS = compiled(r"(?i)(?:^|/)(?:(?:CLAUDE|AGENTS|GEMINI)(?:\.local)?\.md$|\.claude/)")
"""Documents whose reader follows imports."""
_READ = (".md", ".mdc", ".mdx", ".txt", ".json", ".yaml", ".yml", ".toml")
"""Endings that no package has: `@scope/name.js` is one."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    if "@" not in claim.masked or not _READERS.search(path):
        return ()
    found = ((m[1].rstrip("."), m.start()) for m in _IMPORT.finditer(claim.masked))
    return [Reference(KIND, path, name, at, at + 1 + len(name)) for name, at in found]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
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
    absent = {r: p for r, p in absent.items() if p not in ignored}
    on_base = context.tree is context.base.tree
    gone = {} if on_base else context.removals.removed_files(context.start, absent.values())
    for reference, path in absent.items():
        became = fate_of_path(path, gone, context).said
        hint = f": {became}" if became else hint_for_path(path, context.tree).said
        found[reference] = TreeAnswer(Verdict.REFUTED, path, f"no such file{hint}")
    return found


def _places(reference: Reference) -> list[str]:
    """From the document, the project that holds its `.claude`, and the root."""
    project = reference.path.partition(".claude/")[0].rstrip("/")
    starts = (dirname(reference.path), project if ".claude/" in reference.path else "", "")
    return list(dict.fromkeys(normpath(join(start, reference.name)) for start in starts))


def _would_be_seen(path: str, context: Context) -> bool:
    """Whether the tree would show a file of this path."""
    tree = context.tree
    return not (path.startswith("..") or tree.submodule_above(path) or tree.link_above(path))
