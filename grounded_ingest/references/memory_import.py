"""`import`: `@docs/style.md` in a memory document is there when the tree has the file."""

from __future__ import annotations

from collections.abc import Sequence
from posixpath import dirname, join, normpath

from grounded_ingest.git.commit_walk import Removal
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.verify.context import Context

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
    asked_history = () if context.brief else absent.values()
    gone = context.removals.removed_files(context.start, asked_history)
    for reference, path in absent.items():
        found[reference] = TreeAnswer(Verdict.REFUTED, path, _fate(path, gone, context))
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


def _fate(path: str, gone: dict[str, Removal], context: Context) -> str:
    if moved := context.gone.get(path):
        return f"no such file: moved to {moved}"
    if path in context.gone:
        return "no such file: removed by this change"
    elsewhere = context.tree.ending_with(path.rpartition("/")[2])
    if path in gone:
        return f"no such file: deleted in {gone[path].commit[:12]}"
    return f"no such file; there is {elsewhere[0]}" if len(elsewhere) == 1 else "no such file"
