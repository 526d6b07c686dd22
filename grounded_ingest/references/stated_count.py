"""Checks `count` references: "7 decision records in `docs/adr`", "`src/x.py` (705 lines)".

Lines and files are counted in several ways, for example as `wc -l` does, or without subdirectories.
Approximate and round numbers may differ from the count by 25%.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname

from grounded_ingest.git.trees import LARGEST, Tree, rows_of, text_of
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COUNT

_LINES_FIRST = compiled(words.COUNTED + words.LINES_BEFORE)
_LINES_LAST = compiled(words.LINES_OF + words.COUNTED + words.LINES_BEHIND)
_FILES = compiled(words.COUNTED + words.FILES_IN)
_ABOUT, _ROUGHLY = compiled(words.ABOUT), compiled(words.ROUGHLY)
_ROUND = 50
"""A multiple of this number counts as an approximation."""
_SHARE = 0.25
"""Largest allowed difference between an approximation and the count, as a share of the count."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the stated counts in a claim."""
    return list(_mentions(path, claim.text)) if "`" in claim.text else ()


def _mentions(path: str, text: str) -> Iterator[Reference]:
    for pattern, kind in ((_LINES_FIRST, "lines"), (_LINES_LAST, "lines"), (_FILES, "files")):
        for m in pattern.finditer(text):
            what = "pages" if m.groupdict().get("noun") else kind
            before = text[max(0, m.start("n") - 40) : m.start("n")]
            roughly = _ROUGHLY.search(before)
            if not _ABOUT.search(before[: roughly.start()] if roughly else before):
                number, sign = m["n"].replace(",", ""), "~" if roughly else ""
                of = f"{what} {m['path']}"
                yield Reference(KIND, path, f"{sign}{number}", m.start(), m.end(), of)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Counts the files or lines for which claims state a number. Returns a result for each number
    that is certainly right or wrong. In old text, a wrong number has to be less than half or more
    than twice the count: of 20 other reports, 1 was useful."""
    own = [r for r in asked if r.of.partition(" ")[0] in ("files", "lines", "pages")]
    found = {r: answer for r in own if (answer := _answer(r, context.tree))}
    return {r: a for r, a in found.items() if not (context.whole and _is_near(r, a))}


def _is_near(asked: Reference, answer: TreeAnswer) -> bool:
    if answer.verdict is Verdict.CONFIRMED:
        return False
    counted = int(_COUNT.findall(answer.reason)[0].replace(",", ""))
    return counted < 2 * int(asked.name.lstrip("~")) < 4 * counted


_COUNT = compiled(r" has ([\d,]+) ")


def _answer(asked: Reference, tree: Tree) -> TreeAnswer | None:
    what, _, raw = asked.of.partition(" ")
    found = resolve_path(Request(asked.path, Citation(CitationKind.PATH, raw)), tree)
    return answer_count(what, asked.name, found[0], tree) if len(found) == 1 else None


def answer_count(what: str, stated: str, path: str, tree: Tree) -> TreeAnswer | None:
    """Compares a stated number of `files`, `pages` or `lines` with a path in the tree. A `~` before
    the number marks an approximation. Returns None if the result is not certain."""
    if what == "pages":
        if not all(p.endswith(_PAGES) for p in tree.below(path)):
            return None
        what = "files"
    counts = _line_counts(path, tree) if what == "lines" else _file_counts(path, tree)
    claimed, target = int(stated.lstrip("~")), f"{path}#{stated} {what}"
    if claimed in counts:
        return TreeAnswer(Verdict.CONFIRMED, target, loose=len(set(counts)) > 1)
    if not counts:
        return None
    # The ratio decides: for "280 files", a directory has 3,000 files and not the 8 at its top.
    nearest = min(counts, key=lambda n: (max(n, claimed) + 1) / (min(n, claimed) + 1))
    if stated.startswith("~") or claimed % _ROUND == 0:
        if abs(nearest - claimed) <= _SHARE * nearest:
            return TreeAnswer(Verdict.CONFIRMED, target, loose=True)
        if what == "files":  # a rough number of files may leave out some kinds of files
            return None
    shown = counts[0] if what == "lines" else nearest
    message = f"{path} has {shown} {what if shown != 1 else what[:-1]}"
    return TreeAnswer(Verdict.REFUTED, target, f"{message}, not {stated}")


_PAGES = (".md", ".mdx", ".rst", ".adoc", ".txt")
"""Endings of files that usually contain one record or rule. A code file often
contains several records or rules."""


def _line_counts(path: str, tree: Tree) -> list[int]:
    """Returns the possible line counts of a file: the count in editors first, the count by `wc`,
    and the count without blank lines."""
    text = text_of(tree, path) if not path.endswith("/") and tree.size(path) <= LARGEST else None
    if text is None:
        return []
    rows = rows_of(text)
    return [len(rows), text.count("\n"), sum(bool(row.strip()) for row in rows)]


_SIDE = ("readme", "index", "template", "__init__", "_", ".")
"""Prefixes of file names that some people do not count, such as index pages."""


def _file_counts(path: str, tree: Tree) -> list[int]:
    """Returns the possible file counts of a directory: with or without subdirectories, by file
    ending, and without index pages."""
    if not path.endswith("/"):
        return []
    below = tree.below(path)
    direct = [p for p in below if dirname(p) == path.rstrip("/")]
    found: list[int] = []
    for files in (direct, below):
        endings = {p.rpartition(".")[2] for p in files}
        sets = [files, *([p for p in files if p.endswith(f".{e}")] for e in endings)]
        for some in sets:
            bare = [p for p in some if not p.rpartition("/")[2].lower().startswith(_SIDE)]
            found += [len(some), len(bare)]
    tests = sum("test" in p.rpartition("/")[2] for p in below)  # without fixtures
    return [*found, tests, len({p[len(path) :].partition("/")[0] for p in below})]
