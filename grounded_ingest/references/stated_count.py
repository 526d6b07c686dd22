"""Checks `count` references: "7 decision records in `docs/adr`", "`src/x.py` (705 lines)".

Lines and files are counted in several ways, for example as `wc -l` does, or without subdirectories.
Approximate and round numbers may differ from the count by 25%. Where a number may count something
else than files, it is wrong only if it was right in the commit that wrote it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import basename, dirname

from grounded_ingest.git.trees import LARGEST, CommitTree, Tree, rows_of, text_of
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Form, Verdict
from grounded_ingest.references.commit import dated_subject
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.COUNT

_LINES_FIRST = compiled(words.COUNTED + words.LINES_BEFORE)
_LINES_LAST = compiled(words.LINES_OF + words.COUNTED + words.LINES_BEHIND)
_FILES = compiled(words.COUNTED + words.FILES_IN)
_FILES_OF = compiled(
    words.FILES_OF + words.COUNTED + words.FILES_BEHIND, needs=words.FILES_OF_NEEDS
)
_CELL = compiled(words.FILES_CELL + words.COUNTED + words.FILES_ENDS)
_ABOUT, _ROUGHLY = compiled(words.ABOUT), compiled(words.ROUGHLY)
_ROUND = 50
"""A multiple of this number counts as an approximation."""
_SHARE = 0.25
"""Largest allowed difference between an approximation and the count, as a share of the count."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the stated counts in a claim."""
    return list(_mentions(path, claim)) if "`" in claim.text or "](" in claim.text else ()


def _mentions(path: str, claim: Claim) -> Iterator[Reference]:
    forms = [(_LINES_FIRST, "lines"), (_LINES_LAST, "lines"), (_FILES, "files")]
    forms += [(_CELL, "files")] if claim.form is Form.ROW else [(_FILES_OF, "files")]
    for pattern, kind in forms:
        for m in pattern.finditer(claim.text):
            groups = m.groupdict()
            noun, place = groups.get("noun"), m["path"] or m["link"]
            if noun and basename(place.rstrip("/")) != noun:
                continue
            what = f"{UNSURE}files" if groups.get("held") else "pages" if noun else kind
            before = claim.text[max(0, m.start("n") - 40) : m.start("n")]
            roughly = _ROUGHLY.search(before)
            if not _ABOUT.search(before[: roughly.start()] if roughly else before):
                number, sign = m["n"].replace(",", ""), "~" if roughly else ""
                of = f"{what} {place}"
                yield Reference(KIND, path, f"{sign}{number}", m.start(), m.end(), of)


UNSURE = "?"
"""Precedes the counted things in `Reference.of` if they may be no files."""


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Counts the files or lines for which claims state a number. Returns a result for each number
    that is certainly right or wrong.

    In old text, a wrong number has to be less than half or more than twice the count, because of 20
    other reports, 1 was useful; or it was right when it was written."""
    own = (r for r in asked if r.of.partition(" ")[0].lstrip(UNSURE) in ("files", "lines", "pages"))
    found = {r: _answer(r, context) for r in own}
    return {r: answer for r, answer in found.items() if answer}


def _answer(asked: Reference, context: Context) -> TreeAnswer | None:
    what, _, raw = asked.of.partition(" ")
    found = resolve_path(Request(asked.path, Citation(CitationKind.PATH, raw)), context.tree)
    if len(found) != 1:
        return None
    path = found[0]
    unsure = what[0] == UNSURE or (what == "pages" and not _has_pages_only(path, context.tree))
    kind = "lines" if what == "lines" else "files"
    answer = answer_count(kind, asked.name, path, context.tree)
    if answer is None or answer.verdict is Verdict.CONFIRMED:
        return None if unsure else answer
    if unsure or (context.whole and _is_near(asked, answer)):
        return _with_commit(asked, kind, path, answer, context)
    return answer


def _is_near(asked: Reference, answer: TreeAnswer) -> bool:
    counted = int(_COUNT.findall(answer.reason)[0].replace(",", ""))
    return counted < 2 * int(asked.name.lstrip("~")) < 4 * counted


def _with_commit(
    asked: Reference, kind: str, path: str, answer: TreeAnswer, context: Context
) -> TreeAnswer | None:
    """Returns a wrong number of files with the commit that wrote it. Returns None if the number was
    wrong in this commit, too, if several commits wrote it, or if it is not on the line of the
    path."""
    if kind != "files" or asked.name.startswith("~"):
        return None
    raw = asked.of.partition(" ")[2]
    rows = _rows_with_numbers(asked.path, context.tree).get(asked.name, ())
    origins = context.origins([asked.path]).get(asked.path, {})
    commits = {o.commit for n, text in rows if raw in text and (o := origins.get(n))}
    if len(commits) != 1:
        return None
    (commit,) = commits
    then = _whole_counts(path, CommitTree(context.repo, commit))
    both = zip(then, _whole_counts(path, context.tree), strict=True)
    counted = next((now for was, now in both if was == int(asked.name)), 0)
    if not counted:
        return None
    receipt = f"{commit[:12]} {dated_subject(commit, context)}".rstrip()
    why = f"{path} has {counted} file{'s' * (counted > 1)}, not {asked.name}"
    return answer._replace(reason=f"{why}; it had {asked.name} in {receipt}")


@lru_cache(maxsize=4)
def _rows_with_numbers(document: str, tree: Tree) -> Mapping[str, list[tuple[int, str]]]:
    """Maps each number in a document to the rows that contain it, with their line numbers."""
    found: dict[str, list[tuple[int, str]]] = {}
    for n, row in enumerate(rows_of(text_of(tree, document) or ""), 1):
        for number in {m.replace(",", "") for m in _NUMBER.findall(row)}:
            found.setdefault(number, []).append((n, row))
    return found


_NUMBER = compiled(r"\d[\d,]*")
_COUNT = compiled(r" has ([\d,]+) ")


def answer_count(what: str, stated: str, path: str, tree: Tree) -> TreeAnswer | None:
    """Compares a stated number of `files` or `lines` with a path in the tree. A `~` before
    the number marks an approximation. Returns None if the result is not certain."""
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


def _has_pages_only(path: str, tree: Tree) -> bool:
    return all(p.endswith(_PAGES) for p in tree.below(path))


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


def _whole_counts(path: str, tree: Tree) -> list[int]:
    """Returns the counts of all files of a directory: of those directly in it and of all below it,
    each with and without index pages."""
    below = tree.below(path)
    direct = [p for p in below if dirname(p) == path.rstrip("/")]
    return [len(some) for files in (direct, below) for some in (files, _without_sides(files))]


def _without_sides(files: Sequence[str]) -> list[str]:
    return [p for p in files if not basename(p).lower().startswith(_SIDE)]


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
            found += [len(some), len(_without_sides(some))]
    tests = sum("test" in p.rpartition("/")[2] for p in below)  # without fixtures
    return [*found, tests, len({p[len(path) :].partition("/")[0] for p in below})]
