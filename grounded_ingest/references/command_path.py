"""Checks `path` references in command lines: `pytest tests/test_app.py`, `cd ui/react`,
`go test ./ledger/...`, `make -C tools`. In `test_app.py::test_port`, the test is a `symbol`.

A path is wrong if a commit removed it from the tree. Most other missing paths are not wrong: the
command may create the file, or the file may be in the reader's own project. In a guide about the
repository, a sample to copy, such as `.env.example`, code in a folder, a script beside other
scripts (`script/lint`), and what `docker -f` and `go test ./x` read have to be in the tree. In
every document, `./gradlew` and a folder that `cd` enters have to be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import basename, dirname, join, normpath

from grounded_ingest.code.command_lines import ENTERS, Word, commands
from grounded_ingest.code.definitions import has_parser
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.commit_walk import Removal
from grounded_ingest.git.repository import EXECUTABLE
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import (
    ABSENT,
    NO_SAMPLE,
    SAMPLE,
    is_example_name,
    is_generic_name,
    is_own_guide,
    is_own_sample,
    is_runtime_folder,
    is_shown_in_code,
    is_template_path,
)
from grounded_ingest.references.missing_path import was_moved_deeper
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.receipts import Fate, fate_of_path, removals_of
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer, find_in_commands
from grounded_ingest.references.site_pages import is_site_page
from grounded_ingest.references.written_options import is_current_prose
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import drawn_words
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PATH

_FILE = compiled(r"(?:\./)?(?:[\w@.+-]+/)+[\w@+-][\w@.+-]*\.[A-Za-z]\w*")
_NAME = compiled(r"(?:\./)?[\w@.+-]+\.[A-Za-z]\w*")
_DIRECTORY = compiled(r"(?:\./)?[\w@+-][\w@.+-]*(?:/[\w@.+-]+)+/?")
_FOLDER = compiled(r"\./[\w@+-][\w@.+-]*(?:/[\w@.+-]+)*/?(?:/\.\.\.)?")
_IN_DIRECTORY = ("-C", "--directory", "--dir", "--cwd", "--prefix", "--project", "--manifest-path")
"""Options of package tools that name the directory in which they run."""
_CHOOSING = {"cargo": ("--manifest-path", "--path"), "make": ("-C", "--directory")}
"""Maps programs to such options wherever they are, if the directory has to be there."""
_WRITING = (
    "touch", "mkdir", "tee", "curl", "wget", "mv", "ln", "rm", "rmdir", "rsync", "scp", "git",
    "find",
)  # fmt: skip
"""Programs that create, remove or look for the files in their arguments."""
_WRAPPER = compiled(r"(?:\./)?(?:gradlew|mvnw)")
"""Matches a build script that its tool tells people to commit."""
_BUILDS = {"gradlew": ("build.gradle", "build.gradle.kts"), "mvnw": ("pom.xml",)}
"""The files of the builds that these scripts run."""
_CONTAINERS = ("docker", "docker-compose", "podman", "kubectl")
"""Programs that read the file after `-f`."""
_ENDS = ("", ".js", ".mjs", ".cjs", ".ts")
"""Endings that `node` or its loader may add to a name."""
_TEST = compiled(
    r"(?:[A-Za-z_]\w*::)*test_?(?!(?:_?(?:case|class|function|method|my|name|some\w*|your))+$)\w+"
)
"""Matches a test of pytest, but not `test_function_name`."""
_BLANK = compiled(drawn_words.BLANK)
_OUTPUT = compiled(r"-{1,2}(?:o|out\w*|output[\w-]*|save[\w-]*|dest\w*|target[\w-]*|report[\w-]*)")
_PROGRAM = compiled(r"(?:\./)?[a-z][\w.-]*/[a-z][\w-]*")
"""Matches a program in a folder of the tree: `script/lint`."""
_READ, _RUN, _ENTERED, _CHOSEN = "\0read", "\0run", "\0entered", "\0chosen"
_GIVEN = "\0given "
"""What follows the command's directory in `Reference.of`. `_READ`: the command certainly reads the
file. `_RUN`: the name is the program. `_ENTERED`: `cd` enters the folder. `_CHOSEN`: an option such
as `make -C` names the folder. `_GIVEN` and the program: any other argument, or a program that is a
file."""


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the paths in the command lines of a claim's code spans."""
    return find_in_commands(path, claim, paths_in)


def paths_in(path: str, line: str, start: int) -> Iterator[Reference]:
    """Yields the files that the commands read, and the directories that `cd` enters."""
    for command in commands(line):
        before, program = "", command.words[0].text
        choosing = _CHOOSING.get(program, ())
        for word in _words_read(command.words):
            choosing = () if before == "--" else choosing  # what follows is for another program
            name, _, within = word.text.partition("::")
            chosen = before in choosing and _FOLDER.fullmatch(f"./{name.removeprefix('./')}")
            at, of = start + word.start, _CHOSEN if chosen else _use_of(word.text, before, program)
            if of and not _is_written(before):
                name = name.removesuffix("/...")
                yield Reference(KIND, path, name, at, at + len(name), f"{command.directory}{of}")
            if name.endswith(".py") and _TEST.fullmatch(within) and command.directory != "~":
                test, file = within.rpartition("::")[2], join(command.directory, name)
                end = at + len(name) + 2 + len(within)
                yield Reference(CitationKind.SYMBOL, path, test, end - len(test), end, file)
            before = word.text
    for found in ENTERS.finditer(line):
        if _DIRECTORY.fullmatch(found[1]):
            at, end = start + found.start(1), start + found.end(1)
            yield Reference(KIND, path, found[1], at, end, _ENTERED)


def _use_of(word: str, before: str, program: str) -> str:
    """Returns the end of `Reference.of` for a word that names a file or folder, or an empty
    string. `before` is the word before, and empty for the program itself."""
    name = word.partition("::")[0]
    if not before and _PROGRAM.fullmatch(name):
        return _RUN
    if before == "node" and _DIRECTORY.fullmatch(name):
        return _READ
    if not (_is_file(name) or _is_folder(word, before)):
        return ""
    return _READ if _is_read(program, before, word) else f"{_GIVEN}{program}"


def _words_read(words: Sequence[Word]) -> Sequence[Word]:
    """Returns the words of a command that may name files to read. `cp a b` writes only `b`."""
    if words[0].text == "cp":
        return words[:-1]
    return () if words[0].text in _WRITING else words


def _is_file(word: str) -> bool:
    """Returns whether a word names a file: `src/app.py`, `requirements.txt`, `.env.example`."""
    alone = _NAME.fullmatch(word) and (looks_like_path(word) or SAMPLE.search(word))
    return bool(alone or _FILE.fullmatch(word) or _WRAPPER.fullmatch(word))


def _is_read(program: str, before: str, word: str) -> bool:
    """Returns whether a program certainly reads a word: `docker -f x.yml`, `go test ./x`."""
    of_docker = program in _CONTAINERS and before in ("-f", "--file")
    return of_docker or (program == "go" and word.startswith("./") and before != "-o")


def _is_written(before: str) -> bool:
    """Returns whether a command writes the file after the word `before`."""
    return before.startswith(">") or _OUTPUT.fullmatch(before) is not None


def _is_folder(word: str, before: str) -> bool:
    """Returns whether a word names a directory: `./ledger`, or the word after `-C`."""
    known = before in _IN_DIRECTORY and _FOLDER.fullmatch(f"./{word}")
    return bool(known) or bool(_FOLDER.fullmatch(word))


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns a result with the verdict "refuted" (wrong) for each path that was removed from the
    tree, and for missing samples and code in a guide. Other paths get no result."""
    if context.brief:
        return {}
    places = {r: p for r in asked if (p := _places(r, context))}
    every = sorted({p for paths in places.values() for p in paths})
    removed = removals_of(every, context)
    # A file that git ignores now is on each person's disk, although a commit once had it.
    ignored = context.repo.ignored(every)
    found: Answers = {}
    for reference, paths in places.items():
        if is_own_sample(reference.name, reference.path, context):
            if not _is_an_end(reference.name, context.tree):
                found[reference] = TreeAnswer(Verdict.REFUTED, paths[0], NO_SAMPLE)
        elif ignored.isdisjoint(paths) and (a := _answer(reference, paths, removed, context)):
            found[reference] = a
    return found


def _answer(
    reference: Reference, paths: Sequence[str], removed: Mapping[str, Removal], context: Context
) -> TreeAnswer | None:
    """Returns a "refuted" result for a path that is not at any of `paths`, or None if it need not
    be there. `removed` has the removals of the paths."""
    name, document = reference.name, reference.path
    fates = (fate_of_path(p, removed, context) for p in paths)
    fate = next((f for f in fates if f.words), Fate())
    if _is_an_end(name, context.tree):
        # Another directory has such a path, so only a move into that directory counts.
        wrong = was_moved_deeper(name, document, fate, context)
    else:
        wrong = bool(fate.words) or _has_to_be_there(reference, context)
    if not wrong:
        return None
    return TreeAnswer(Verdict.REFUTED, paths[0], fate.words or ABSENT, instead=fate.to)


def _has_to_be_there(reference: Reference, context: Context) -> bool:
    """Returns whether a document about this repository runs a script in a folder (`script/lint`) or
    a file of code, gives `./x` to `go` or a file to `docker -f`, or enters a folder. Other missing
    files may be made by a build, or belong to the reader. The reader may write tests, too, but
    their names say so (`new_test.py`)."""
    name, document = reference.name, reference.path
    if _WRAPPER.fullmatch(name):
        builds = _BUILDS[normpath(name)]
        return is_current_prose(document) and any(map(context.tree.ending_with, builds))
    if reference.of.endswith(_RUN):
        return is_own_guide(document, context) and is_among_scripts(normpath(name), context.tree)
    sure = reference.of.endswith((_READ, _ENTERED, _CHOSEN))
    if not (_shows_folder(reference) and (sure or has_parser(name))):
        return False
    if not _is_about_tree(reference, context):
        return False
    if _is_open(reference) or (not sure and _is_of_any_project(name)):
        return False
    return not is_shown_in_code(document, name, context, commands=False)


def _is_of_any_project(name: str) -> bool:
    return is_generic_name(name) and not is_test_or_sample(name)


def _shows_folder(reference: Reference) -> bool:
    """Returns whether a name shows where it lies: `a/b`, `./x` that is read, `make -C x`."""
    name, of = reference.name, reference.of
    read = name.startswith("./") and of.endswith((_READ, _ENTERED))
    return read or of.endswith(_CHOSEN) or "/" in normpath(name)


def _is_open(reference: Reference) -> bool:
    """Returns whether a reader replaces a part of a path, or a program makes its folder."""
    name = reference.name
    folder = name if reference.of.endswith(_CHOSEN) else dirname(name)
    made = is_template_path(name) or is_runtime_folder(folder)
    return made or _BLANK.match(basename(name)) is not None


def is_among_scripts(raw: str, tree: Tree) -> bool:
    """Returns whether most files in the folder of a path are programs without an ending, as in
    `scripts/format` beside `scripts/lint` and `scripts/test`."""
    folder, _, name = raw.rpartition("/")
    if "." in name or not name or basename(folder) == "bin" or not tree.is_dir(folder):
        return False
    beside = [p for p in tree.below(folder) if dirname(p) == folder]
    programs = [p for p in beside if "." not in basename(p) and tree.mode(p) == EXECUTABLE]
    return len(programs) > 1 and 2 * len(programs) > len(beside)


def _below_clone(path: str, context: Context) -> str:
    """Returns a path without its first folder if that may be the directory of a clone: `ui` for
    `shop/ui`. Returns an empty string for any other path."""
    first, _, inside = path.partition("/")
    return inside if first and plain_name(first) in own_names(context) else ""


def _is_about_tree(reference: Reference, context: Context) -> bool:
    """Returns whether a command belongs to this repository: its document is a guide, or it is no
    page of a web site and the tree has the folder of the file. The page may not create a folder
    that a command enters, and the tree must have its first part, but not in a guide for `make -C`.
    """
    name, document = reference.name, reference.path
    guide = is_own_guide(document, context)
    if _is_given_to_own_program(reference, context):
        return False
    if name.startswith("./") and reference.of.endswith(_READ):
        return guide  # another page may tell of a folder that a build makes
    if not guide and (not is_current_prose(document) or is_site_page(document, context.tree)):
        return False
    if reference.of.endswith((_ENTERED, _CHOSEN)):
        page, folder = text_of(context.tree, document) or "", name.removesuffix("/Cargo.toml")
        made = re.search(rf"{_MAKING}[^\n]*{re.escape(normpath(folder))}", page)
        top = normpath(join(reference.of.partition("\0")[0], name)).partition("/")[0]
        chosen = guide and reference.of.endswith(_CHOSEN)
        return not made and (chosen or context.tree.is_dir(top))
    return guide or context.tree.is_dir(dirname(normpath(name)))


_MAKING = r"(?:\b(?:add|clone|configure|create|init|mkdir|new|setup|tar|unzip)\b|-B)"
"""Matches commands that may create a folder."""


def _may_be_of_reader(reference: Reference, context: Context) -> bool:
    """Returns whether a name without a folder may be a file of the reader: any name in a tutorial,
    any name behind this project's own program, and a hidden file such as `.travis.yml`."""
    name = reference.name
    hidden = normpath(name).startswith(".") and not SAMPLE.search(name)
    if hidden or _is_given_to_own_program(reference, context):
        return True
    return not (is_own_guide(reference.path, context) or _WRAPPER.fullmatch(name))


def _is_given_to_own_program(reference: Reference, context: Context) -> bool:
    """Returns whether a file is an argument of this project's program, and so the reader's."""
    return plain_name(reference.of.partition(_GIVEN)[2]) in own_names(context)


def _places(reference: Reference, context: Context) -> list[str]:
    """Returns the full paths that a missing reference may mean. Returns an empty list if one of the
    full paths exists."""

    tree, name = context.tree, reference.name
    directory = reference.of.partition("\0")[0]
    if directory == "~" or is_example_name(name):
        return []
    if "/" not in normpath(name) and _may_be_of_reader(reference, context):
        return []
    # After `git clone …/shop`, `cd shop/ui` enters `ui` of this repository.
    inside = _below_clone(name, context)
    of = _below_clone(directory, context) or directory
    bases = dict.fromkeys((of, "", join(dirname(reference.path), of)))
    places = [normpath(join(base, name)) for base in bases]
    places = [p for p in dict.fromkeys(places) if not p.startswith("..")]
    above = (normpath(join(d, of, name)) for d in directories_from(dirname(reference.path)))
    known = (*places, *above, *filter(None, [inside]))
    if any(tree.is_dir(p) or any(tree.has(f"{p}{ending}") for ending in _ENDS) for p in known):
        return []
    if any(map(tree.submodule_above, known)):
        return []
    return places


def _is_an_end(name: str, tree: Tree) -> bool:
    end = normpath(name)
    return bool(tree.ending_with(end) or tree.directories_ending_with(end))


def entered_folders(page: str) -> list[str]:
    """Returns the folders that commands on a page enter with `cd`, as the page writes them."""
    return [folder.rstrip("/") for folder in re.findall(r"\bcd +([^\s;&|`]+)", page)]
