"""Checks `variable` references: names of environment variables.

A variable is right if code reads it or a file declares it. A variable is wrong in two cases: a
commit renamed it, or a commit removed it from the declaring file. In both cases no remaining code
may compose the name at run time.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.word_search import files_with, leave_out
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.kept_parses import KeptParses
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.lexicon import force_words
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.references.removal_history import RemovingChange, Words

KIND = CitationKind.VARIABLE

# For a fast start, functions import `code.environment_names` only if a claim names a variable.

FILES = 60
"""Maximum number of files with the name that are parsed."""
READING = "environment 3"
"""Prefix of the cache keys for results from history. Raise the number if a parser changes."""

_NAME = r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+"
_SPAN = compiled(
    rf"(?:export\s+)?(?:\$\{{?|process\.env\.|import\.meta\.env\.)?(?P<name>{_NAME})\}}?(?:=.*)?$"
)
_CUE = compiled(lexicon.SPEAKS_OF_VARIABLES)
_PLAINLY = ("$", "export ", "process.env.", "import.meta.env.")


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the variable names in code spans. The claim or the heading above it has to be about
    variables, or the span has to look like a use of a variable."""
    if "_" not in claim.text or "`" not in claim.text:
        return ()
    head = " > ".join(claim.section.split(" > ")[-2:])
    speaks = _CUE.search(claim.masked) or _CUE.search(head)
    return [
        Reference(KIND, path, m["name"], span.start + m.start("name"), span.start + m.end("name"))
        for span in code_spans(claim.text)
        if (m := _SPAN.match(span.text)) and (speaks or span.text.startswith(_PLAINLY))
    ]


NOT_PROSE = leave_out("md mdx mdc markdown rst txt adoc jsonl lock svg csv")
"""Chooses all files except prose. Notebooks are included, because their code reads variables."""


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up environment variables in code, in declaring files and in the git history. Returns a
    result for each name that is certainly right or wrong."""
    names = dict.fromkeys(r.name for r in asked)
    try:
        files = files_with(context.repo, context.tree, names, NOT_PROSE, cache=context.cache)
        absent = [name for name in names if name not in files]
        lost = set(_uncomposed(absent, context))
    except GroundedIngestError:
        return {}
    found_answers: Answers = {}
    read = KeptParses(context.tree, context.cache, _variables, dict[str, int])
    for reference in asked:
        if found := _first_place(reference.name, read, files):
            found_answers[reference] = found
    read.keep()
    if not lost:
        return found_answers
    from grounded_ingest.references.removal_history import find_removals  # not in most runs

    words = {r.name: r for r in asked if r.name in lost}
    gone = find_removals(words, context, READING, _removed_names, NOT_PROSE)
    by_name = {r.name: removal.answer for r, removal in gone.items()}
    return found_answers | {r: by_name[r.name] for r in asked if r.name in by_name}


def _uncomposed(names: Sequence[str], context: Context) -> list[str]:
    """Returns the names that no code in the tree can compose at run time."""
    parts = {name: list(_composing_texts(name)) for name in names}
    every = [part for own in parts.values() for part in own]
    files = (
        files_with(context.repo, context.tree, every, NOT_PROSE, cache=context.cache)
        if every
        else {}
    )
    return [name for name, own in parts.items() if not any(part in files for part in own)]


def _composing_texts(name: str) -> Iterator[str]:
    """Yields the texts from which code may compose a name at run time. These are its beginnings
    (`APP_`, "APP"), its ends (`_API_KEY`), and the field of a settings class."""
    yield name.lower()
    words = name.split("_")
    for at in range(1, len(words)):
        before, behind = "_".join(words[:at]), "_".join(words[at:])
        yield from (f"{before}_", f"_{behind}", f'"{before}"', f"'{before}'")


def _first_place(
    name: str, read: KeptParses[dict[str, int]], files: Mapping[str, Sequence[str]]
) -> TreeAnswer | None:
    """Returns a confirmed result for the first place that reads or declares a name. Tests and
    examples do not count. Returns None if there is no such place."""
    # Imported late: few documents name environment variables.
    from grounded_ingest.code.environment_names import may_hold_environment

    likely = [p for p in files.get(name, ()) if may_hold_environment(p) and not is_trial(p)]
    for path in likely[:FILES]:
        if line := read.of(path).get(name):
            return TreeAnswer(Verdict.CONFIRMED, f"{path}#{name}", line=line)
    return None


def is_trial(path: str) -> bool:
    """Returns whether a file is a test, a fixture or an example. Such a file does not declare
    anything for the project."""
    return _TRIAL.search(path) is not None


_TRIAL = compiled(force_words.TRIALS)


def _variables(path: str, text: str) -> dict[str, int]:
    """Returns the environment variables in a file with the line of their first use."""
    from grounded_ingest.code.environment_names import environment_in

    found: dict[str, int] = {}
    for one in environment_in(path, text):
        found.setdefault(one.name, one.line)
    return found


def _removed_names(change: RemovingChange, left: Words) -> Answers:
    """Returns the results for names that a file had before a change and does not have after it.

    A name that was removed from code counts only if a new name replaced it. Otherwise a library may
    read the variable now.
    """
    from grounded_ingest.code.environment_names import may_hold_environment, only_declares

    path = change.path
    if is_trial(path) or not may_hold_environment(path):
        return {}
    had, has = (_variables(path, text) for text in (change.before, change.after))
    gone, new = had.keys() - has.keys(), has.keys() - had.keys()
    why = f"renamed to {min(new)}" if len(gone) == len(new) == 1 else "removed"
    if why == "removed" and not only_declares(path):
        return {}
    return {
        reference: TreeAnswer(Verdict.REFUTED, f"{path}#{name}", why)
        for name, reference in left.items()
        if name in gone
    }
