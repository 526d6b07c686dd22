"""Checks `path` references in command lines: `pytest tests/test_app.py`, `cd ui/react`,
`go test ./ledger/...`, `make -C tools`. In `test_app.py::test_port`, the test is a `symbol`.

A path is wrong if a commit removed it from the tree. Any other missing path is not wrong: the
command may create the file, or the file may be in the reader's own project. Only a sample that the
reader of a README copies, such as `.env.example`, has to be in the tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname, join, normpath

from grounded_ingest.code.command_lines import Word, commands
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import (
    NO_SAMPLE,
    SAMPLE,
    is_example_name,
    is_own_guide,
    is_own_sample,
)
from grounded_ingest.references.receipts import fate_of_path, removals_of
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer, find_in_commands
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PATH

_FILE = compiled(r"(?:\./)?(?:[\w@.+-]+/)+[\w@+-][\w@.+-]*\.[A-Za-z]\w*")
_NAME = compiled(r"(?:\./)?[\w@.+-]+\.[A-Za-z]\w*")
_DIRECTORY = compiled(r"(?:\./)?[\w@+-][\w@.+-]*(?:/[\w@.+-]+)+/?")
_FOLDER = compiled(r"\./[\w@+-][\w@.+-]*(?:/[\w@.+-]+)*/?(?:/\.\.\.)?")
_IN_DIRECTORY = ("-C", "--directory", "--dir", "--cwd", "--prefix", "--project", "--manifest-path")
"""Options of package tools that name the directory in which they run."""
_WRITING = (
    "touch", "mkdir", "tee", "curl", "wget", "mv", "ln", "rm", "rmdir", "rsync", "scp", "git",
    "find",
)  # fmt: skip
"""Programs that create, remove or look for the files in their arguments."""
_TEST = compiled(r"(?:[A-Za-z_]\w*::)*test_?\w+")
_CD = compiled(r"(?m)(?:^|&&|;)[ \t$]*cd[ \t]+([^\s;&|]+)")
_OUTPUT = compiled(r"-{1,2}(?:o|out\w*|output[\w-]*|save[\w-]*|dest\w*|target[\w-]*|report[\w-]*)")


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the paths in the command lines of a claim's code spans."""
    return find_in_commands(path, claim, paths_in)


def paths_in(path: str, line: str, start: int) -> Iterator[Reference]:
    """Yields the files that the commands read, and the directories that `cd` enters."""
    for command in commands(line):
        before = ""
        for word in _words_read(command.words):
            name, _, within = word.text.partition("::")
            at = start + word.start
            written = before.startswith(">") or _OUTPUT.fullmatch(before)
            if not written and (_is_file(name) or _is_folder(word.text, before)):
                name = name.removesuffix("/...")
                yield Reference(KIND, path, name, at, at + len(name), command.directory)
            if name.endswith(".py") and _TEST.fullmatch(within) and command.directory != "~":
                test, file = within.rpartition("::")[2], join(command.directory, name)
                end = at + len(name) + 2 + len(within)
                yield Reference(CitationKind.SYMBOL, path, test, end - len(test), end, file)
            before = word.text
    for found in _CD.finditer(line):
        if _DIRECTORY.fullmatch(found[1]):
            yield Reference(KIND, path, found[1], start + found.start(1), start + found.end(1))


def _words_read(words: Sequence[Word]) -> Sequence[Word]:
    """Returns the words of a command that may name files to read. `cp a b` writes only `b`."""
    if words[0].text == "cp":
        return words[:-1]
    return () if words[0].text in _WRITING else words


def _is_file(word: str) -> bool:
    """Returns whether a word names a file: `src/app.py`, `requirements.txt`, `.env.example`."""
    alone = _NAME.fullmatch(word) and (looks_like_path(word) or SAMPLE.search(word))
    return bool(alone or _FILE.fullmatch(word))


def _is_folder(word: str, before: str) -> bool:
    """Returns whether a word names a directory: `./ledger`, or the word after `-C`."""
    known = before in _IN_DIRECTORY and _FOLDER.fullmatch(f"./{word}")
    return bool(known) or bool(_FOLDER.fullmatch(word))


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result with the verdict "refuted" (wrong) for each path that was removed from the
    tree, and for each missing sample in a guide. Other paths get no result."""
    if context.brief:
        return {}
    places = {r: p for r in asked if (p := _places(r, context))}
    removed = removals_of([p for paths in places.values() for p in paths], context)
    # A file that git ignores now is on each person's disk, although a commit once had it.
    ignored = context.repo.ignored(sorted(removed))
    found: Answers = {}
    for reference, paths in places.items():
        if is_own_sample(reference.name, reference.path, context):
            found[reference] = TreeAnswer(Verdict.REFUTED, paths[0], NO_SAMPLE)
            continue
        if not ignored.isdisjoint(paths):
            continue
        fate = next((f for p in paths if (f := fate_of_path(p, removed, context)).words), None)
        if fate is not None:
            found[reference] = TreeAnswer(Verdict.REFUTED, paths[0], fate.words)
    return found


def _places(reference: Reference, context: Context) -> list[str]:
    """Returns the full paths that a missing reference may mean. Returns an empty list if one of the
    full paths exists, or if any path in the tree ends with the reference."""
    from grounded_ingest.references.own_forge import (  # imported late for a fast start
        own_names,
        plain_name,
    )

    tree, name = context.tree, reference.name
    if reference.of == "~" or is_example_name(name):
        return []
    if "/" not in normpath(name) and not is_own_guide(reference.path, context):
        return []  # a tutorial's `requirements.txt` is in its reader's project
    # After `git clone …/shop`, `cd shop/ui` enters `ui` of this repository.
    clone, _, inside = reference.of.partition("/")
    of = inside if clone and plain_name(clone) in own_names(context) else reference.of
    bases = dict.fromkeys((of, "", join(dirname(reference.path), of)))
    places = [normpath(join(base, name)) for base in bases]
    places = [p for p in dict.fromkeys(places) if not p.startswith("..")]
    end = normpath(name)
    there = any(tree.has(p) or tree.is_dir(p) for p in places)
    if there or tree.ending_with(end) or tree.directories_ending_with(end):
        return []
    return places
