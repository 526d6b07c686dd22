"""Citations of lines as `path::name`: the one definition that the cited lines lie in, or why there
is none to cite."""

from __future__ import annotations

from typing import NamedTuple

from grounded_ingest.audit.citation_inventory import CitationFate, InventoryItem, shares_a_word
from grounded_ingest.audit.model import EvidenceState
from grounded_ingest.audit.path_fates import is_record
from grounded_ingest.audit.quote_fates import LineRange
from grounded_ingest.code.definitions import definitions_in, lying_in, named
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import CitationKind, Evidence, Verdict
from grounded_ingest.pipeline import Result
from grounded_ingest.verify.path import resolve_path


class DefinitionAnchor(NamedTuple):
    """The file and the name of the definition to cite; without a name, why not."""

    path: str = ""
    name: str = ""
    why: str = ""


def cites_lines(asked: InventoryItem) -> bool:
    """Whether it cites lines of a file of the tree by their numbers."""
    return asked.evidence.kind is CitationKind.PATH and bool(asked.citation.lines)


def anchor_of(asked: InventoryItem, found: CitationFate, result: Result) -> DefinitionAnchor:
    """What to cite in place of lines that are those the claim was written for."""
    if why := _kept_as_lines(asked, found, result):
        return DefinitionAnchor(why=why)
    tree = result.scoped.tree
    paths = [found.path] if found.path else resolve_path(asked.request, tree)
    lines = found.lines or asked.citation.lines
    if len(paths) != 1 or lines is None:
        return DefinitionAnchor(why="several files end so")
    text = text_of(tree, paths[0]) if tree.size(paths[0]) <= LARGEST else None
    quote = "\n".join(rows_of(text)[lines[0] - 1 : lines[1]]) if text is not None else ""
    if quote and not shares_a_word(asked, quote):
        return DefinitionAnchor(why="the lines share no word with the claim")
    return _defined_at(paths[0], lines, tree)


def _kept_as_lines(asked: InventoryItem, found: CitationFate, result: Result) -> str:
    if asked.citation.link:
        return "a link leads to lines"
    if asked.decision.rule == "approved":
        return "a reviewer approved its exact text"
    if is_record(asked):
        return "it records a day"
    moved = found.state is EvidenceState.MOVED and found.certain
    if not moved and found.state is not EvidenceState.OK:
        return f"what it was written for is not certain ({found.state})"
    if not moved and not _is_as_written(asked, result):
        return "history does not tell which lines it was written for"
    return ""


def _is_as_written(asked: InventoryItem, result: Result) -> bool:
    """Whether history, or the evidence file, has told that the lines are those that were cited: a
    line that is not committed means what stands there now."""
    if asked.origin is not None and not asked.origin.cut:
        return True
    recorded = asked.recorded.fingerprint if asked.recorded is not None else ""
    if recorded and recorded == asked.evidence.fingerprint:
        return True
    if asked.origin is not None:
        return False
    scoped = result.scoped
    held = scoped.head and result.judge.context.repo.objects.get(f"{scoped.head}:{asked.document}")
    entry = scoped.tree.entry(asked.document)
    return not held or entry is None or entry.oid != held.oid


def _defined_at(path: str, lines: LineRange, tree: Tree) -> DefinitionAnchor:
    text = text_of(tree, path) if tree.size(path) <= LARGEST else None
    found = definitions_in(path, text) if text is not None else None
    if text is None or found is None:
        return DefinitionAnchor(why="no parser here reads that file")
    rows = rows_of(text)
    said = [n for n in range(lines[0], lines[1] + 1) if rows[n - 1 : n] and rows[n - 1].strip()]
    inner = lying_in(found, said[0], said[-1]) if said else None
    if inner is None:
        return DefinitionAnchor(why="the lines do not lie in one definition")
    names = dict.fromkeys((inner.name, inner.qualified))
    name = next((n for n in names if len(named(found, n)) == 1), "")
    if not name:
        return DefinitionAnchor(why=f"{path} defines several {inner.qualified}")
    return DefinitionAnchor(path, name)


def is_as_good(before: tuple[Evidence, ...], after: tuple[Evidence, ...]) -> bool:
    """Whether a claim is borne out as well or better: by its worst and by its best evidence."""
    old, new = ([*map(_standing, (e for e in some if e.own))] for some in (before, after))
    return bool(new) and (not old or (min(new) >= min(old) and max(new) >= max(old)))


_VERDICTS = (Verdict.REFUTED, Verdict.UNKNOWN, Verdict.SKIPPED, Verdict.CONFIRMED)


def _standing(evidence: Evidence) -> tuple[int, bool]:
    return (_VERDICTS.index(evidence.verdict), evidence.proves)
