"""Finds claims by place, by id or by words, and explains why a file is not read."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import (
    EXCLUDE_GLOBS,
    NEVER_GLOBS,
    OTHERS_GLOBS,
    PAGE_SUFFIXES,
    TEST_PAGES,
    UNREAD_GLOBS,
    Config,
    classify,
    is_silent,
    is_test_page,
)
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import SUBMODULE, SYMLINK, lies_in
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import Document, Place
from grounded_ingest.model.report import LeftOut
from grounded_ingest.repository.documents import KnowledgeBase
from grounded_ingest.statements.near_duplicates import jaccard
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.reading import read_claim, read_text

NEAREST = 0.5
"""Minimum share of the searched words that a claim must contain to be found by words."""

SHOWN = 200
"""Maximum number of characters from the question that a message repeats."""

_PLACE = compiled(r"(?P<path>.+?)(?::(?P<line>\d+)(?::\d+)?)?:?$", re.DOTALL)
_DIGITS = 12
"""Maximum number of digits in a line number. Python refuses to parse numbers with more than 4,300
digits."""
_ID = compiled(r"[0-9a-f]{4,16}")

# A `.txt` file in a documentation directory is a page. In other directories, it is a list for a
# program.
_DOCUMENT = compiled(
    r"(?i)(?:.*\.(?:md|markdown|mdx|mdc|rst|adoc)|(?:.*/)?docs?/(?!.*(?:requirements|constraints|robots"
    r"|cmakelists)[^/]*$).*\.txt)$"
)


class FileLine(NamedTuple):
    """A line in a file. Line 0 stands for the whole file."""

    path: str
    line: int


def parse_place(asked: str, root: str, tree: Tree) -> FileLine | None:
    """Parses `PATH`, `PATH:LINE` or `PATH:LINE:COLUMN`. Returns None for any other text.

    Paths are relative to the current directory, or else to the root. Raises GroundedIngestError if
    the path is outside the repository."""
    found = _PLACE.fullmatch(asked)
    if found is None or not found["path"].strip():
        return None
    written, line = found["path"], int((found["line"] or "0")[:_DIGITS])
    within = _within(written, root)
    for path in within:
        if path in tree.files or os.path.lexists(f"{root}/{path}"):
            return FileLine(path, line)
    if not within and " " not in written and (line or os.path.lexists(written)):
        raise GroundedIngestError(
            f"{printable(written[:SHOWN])} is outside the repository",
            "give the path of a file in the repository, from the current directory or the root",
        )
    named = line and " " not in written and ("/" in written or "." in written)
    return FileLine(written, line) if named else None


def _within(written: str, root: str) -> list[str]:
    """Returns the paths in the repository that the text `written` can mean: relative to the current
    directory, and relative to the root."""
    top, here = os.path.realpath(root), os.path.join(os.path.realpath("."), written)
    full = os.path.normpath(here)
    meant = [os.path.relpath(full, top)] if lies_in(full, top) else []
    if not os.path.isabs(written):
        meant.append(os.path.normpath(written))
    return [p for m in meant if (p := m.replace(os.sep, "/")) != ".." and p[:3] != "../"]


def by_id(kb: KnowledgeBase, prefix: str) -> list[Place]:
    """Returns the claims whose id begins with `prefix`."""
    if not is_id(prefix):
        return []
    return [place for place in _all(kb) if place.claim.id.startswith(prefix)]


def is_id(asked: str) -> bool:
    return bool(_ID.fullmatch(asked))


def by_text(kb: KnowledgeBase, text: str) -> tuple[list[Place], float]:
    """Returns the claims with exactly this text, and 1.0. If there are none, returns the claim that
    shares the most words with the text, and the share of the text's words in it (0 to 1)."""
    wanted = " ".join(text.split())
    exact = [place for place in _all(kb) if place.claim.text == wanted]
    if exact:
        return exact, 1.0
    words = read_text(wanted).word_set
    best: tuple[float, float, Place] | None = None
    for place in _all(kb) if words else ():
        held = read_claim(place.claim).word_set
        score = (len(words & held) / len(words), jaccard(words, held))
        if score[0] >= NEAREST and (best is None or score > best[:2]):
            best = (*score, place)
    return ([best[2]], best[0]) if best else ([], 0.0)


def _all(kb: KnowledgeBase) -> Iterator[Place]:
    for path in sorted(kb.documents):
        yield from kb.places(path)


def at_line(document: Document, line: int) -> list[Place]:
    """Returns the claims on a line."""
    return [
        Place(document.path, document.doc_class, claim)
        for claim in document.extraction.claims
        if claim.line <= line <= claim.end_line
    ]


def why_no_claim(document: Document, line: int, content: bytes) -> str:
    """Returns the reason why a line contains no claim. Returns an empty string if the document does
    not have this line."""
    lines = content.split(b"\n")
    if lines and not lines[-1]:
        lines.pop()
    if not 1 <= line <= len(lines):
        return ""
    reasons = [s.reason for s in document.extraction.skipped if s.line <= line <= s.end_line]
    if reasons:
        return "; ".join(dict.fromkeys(reasons))
    if not lines[line - 1].strip():
        return "a blank line"
    return "the line is a heading, or has only marks and no statement"


def why_no_document(tree: Tree, config: Config, path: str) -> str:
    """Returns the reason why a file is not a document. Returns an empty string if the file does not
    exist."""
    entry = tree.entry(path)
    if entry is None:
        return _why_not_in_tree(tree, path)
    if entry.mode == SUBMODULE:
        return "the path is a submodule, which is checked in its own repository"
    if entry.mode == SYMLINK:
        leads = tree.repo.objects.read(entry.oid) if entry.oid else None
        to = f" to {os.fsdecode(leads)}" if leads else ""
        return f"the path is a symbolic link{to}; only the file to which the link leads is checked"
    if matches(NEVER_GLOBS, path, fold=True):
        return "the path is in a directory that never contains documents"
    if classify(replace(config, exclude=()), path) is not None:
        glob = _matching(config.exclude, path)
        return f"excluded by `{glob}`" if glob else "excluded"
    if is_silent(path):
        return "the file is a program, a picture or a tool's own file, judging by its name"
    if path.lower().endswith(PAGE_SUFFIXES):
        return _why_unread(config, path)
    return "no document class includes this path (see `classes` in the configuration)"


def _why_not_in_tree(tree: Tree, path: str) -> str:
    if tree.is_dir(path):
        return "the path is a directory"
    above = tree.submodule_above(path)
    if above:
        return f"the path is inside the submodule {above}, which is checked in its own repository"
    if tree.repo.bare or not os.path.lexists(f"{tree.repo.root}/{path}"):
        return ""
    if path in tree.repo.ignored([path]):
        return "ignored by git"
    return "the file is not in the checked tree (check whether it is staged)"


_ASIDE = "the file documents an older version, or is generated"


def left_out(kb: KnowledgeBase, in_scope: Callable[[str], bool]) -> Iterator[LeftOut]:
    """Yields the tracked files in the scope that look like documents by their extension and that
    this configuration does not read."""
    for path in sorted(filter(in_scope, kb.tree.files)):
        if path in kb.documents:
            problems = kb.index.extraction(kb.documents[path]).problems
            why = next((p.message for p in problems if p.rule in ("unreadable", "unread")), "")
            if why and not kb.index.extraction(kb.documents[path]).claims:
                yield LeftOut(path, why)
        elif _DOCUMENT.match(path) and kb.tree.mode(path) != SYMLINK:
            aside = path.startswith(kb.aside)
            yield LeftOut(path, _ASIDE if aside else _why_unread(kb.config, path))


def _why_unread(config: Config, path: str) -> str:
    if glob := _matching(NEVER_GLOBS, path):
        return f"files that match {glob} are never read"
    if glob := _matching(tuple(g for g in config.exclude if g[:1] != "!"), path):
        if glob in OTHERS_GLOBS:
            return f"the file is vendored or generated ({glob})"
        default = " by default" if glob in EXCLUDE_GLOBS else ""
        return f"excluded{default}: {glob}"
    if glob := _matching(UNREAD_GLOBS, path) or (TEST_PAGES if is_test_page(path) else ""):
        return f"the file is a changelog, test data or generated ({glob})"
    suffix = path.rpartition(".")[2]
    return f".{suffix} files are read only in memory directories"


def _matching(globs: tuple[str, ...], path: str) -> str:
    """Returns the first glob that matches a path or a directory above the path. Returns an empty
    string if no glob matches."""
    return next((g for g in globs if matches((g,), path, fold=True, below=True)), "")
