"""Searches the code of a program for its commands, in any language.

Code declares the commands of a program in few ways, such as `Use: "list"`, `case "list":`, a
variant `List(`, or a file `commands/list.ts`. So a command counts as declared if code declares two
other documented commands in the same way. A command that is not declared is absent if nearly all
others are declared, and if no document gives the program an argument that is no command.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import takewhile
from posixpath import dirname

from grounded_ingest.code.command_lines import commands, is_placeholder
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.trees import text_of
from grounded_ingest.git.word_search import files_with
from grounded_ingest.references.context import Context
from grounded_ingest.references.program_flag import called_name, documented_lines, program_words
from grounded_ingest.references.programs import CompiledProgram, compiled_programs
from grounded_ingest.references.written_options import CODE
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.lexicon import manifest_words
from grounded_ingest.text.patterns import compiled

DEPTH = 4
"""Maximum number of words after a program that name a command or subcommand."""
WORD = compiled(r"_?[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*")
"""Matches the name of a command."""
_OF_COMMAND = compiled(
    r"(?i)\W*(?:sub-?)?(?:command|cmd)s?\W*(?:name\W*)?|-.*|\W+|\W*(?:global[-_ ])?options?\W*"
)
"""Matches an option, and a placeholder for a command or options: `<command>`, `[options]`."""
_FEWEST, _SHARE = 3, 10
"""At least `_FEWEST` other commands have to be declared, or other subcommands of the same command.
At most one in `_SHARE` of them may be undeclared."""
_MOST_FILES = 4000
"""Maximum number of files that are searched. Nothing is absent if more contain the words."""

Chain = tuple[str, ...]
"""The words after a program's name, such as ("session", "list"). An empty string stands for an
argument that is no command, such as `my/file`, and is always last."""

Asked = tuple[str, Chain]
"""The name of a program, and a chain of its commands."""

_Way = tuple[str, str]
"""A way in which code contains a name: the word and the sign before a string, or the form of a
definition."""


def absent_commands(asked: Set[Asked], context: Context) -> dict[Asked, int]:
    """Returns, for each command that its program certainly does not have, the index of the wrong
    word in the chain."""
    found: dict[Asked, int] = {}
    programs = compiled_programs(context.tree)
    own = {name: some for name in {n for n, _ in asked} if (some := programs.command(name))}
    try:
        documented = _documented(own.keys(), context) if own else {}
        for name, some in own.items():
            chains = {chain for program, chain in asked if program == name}
            words = {word for chain in chains | documented[name] for word in chain if word}
            search = _CommandSearch(documented[name], _ways(some, words, context))
            places = ((chain, search.absent(chain)) for chain in chains)
            found |= {(name, chain): at for chain, at in places if at is not None}
    except GroundedIngestError:
        return {}
    return found


def _documented(programs: Set[str], context: Context) -> dict[str, set[Chain]]:
    """Maps each program to the chains in the command lines of documents about the present."""
    found: dict[str, set[Chain]] = {program: set() for program in programs}
    for program, line in documented_lines(programs, context):
        found[program].update(chain for name, chain in chains_in(line) if name == program)
    return found


def chains_in(line: str) -> Iterator[tuple[str, Chain]]:
    """Yields the program and the chain of each command in a command line."""
    for command in commands(line):
        words = list(command.words)
        at = program_words(words)
        own = [w.text for w in words[:at]]
        if at and "-m" not in own and command.directory != "~":
            yield called_name(own), tuple(_chain(w.text for w in words[at : at + DEPTH]))


def _chain(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        if WORD.fullmatch(word) and not is_placeholder(word):
            yield word
            continue
        if not (WORD.fullmatch(word) or _OF_COMMAND.fullmatch(word) or "..." in word):
            yield ""
        return


def _ways(
    programs: Sequence[CompiledProgram], words: Set[str], context: Context
) -> dict[str, set[_Way]]:
    """Maps each word to the ways in which the code of programs contains it. Returns an empty
    mapping if the code may run other programs as commands, or if too many files have the words."""
    found: dict[str, set[_Way]] = {}
    for path in _code_with(programs, words, context):
        for word, way in _ways_in(path, text_of(context.tree, path) or ""):
            if word in words:
                found.setdefault(word, set()).add(way)
    return found


def _code_with(
    programs: Sequence[CompiledProgram], words: Set[str], context: Context
) -> Sequence[str]:
    endings = tuple(ending for program in programs for ending in CODE[program.language])
    main = {program.path for program in programs}
    code = [p for p in context.tree.files if p.endswith(endings) or p in main]
    code = [p for p in code if not is_test_or_sample(p)]
    open_ = manifest_words.COMMANDS_OPEN.split()
    wanted = (*words, *map(_in_humps, words), *open_)
    chosen = frozenset(code).__contains__
    files = files_with(context.repo, context.tree, wanted, chosen, cache=context.cache)
    paths = {p for p in code if _stem(p) in words}.union(*files.values())
    return () if len(paths) > _MOST_FILES or any(map(files.get, open_)) else sorted(paths)


class _CommandSearch:
    """Looks up the commands of one program. `documented` has the chains in documents, and `ways`
    has the ways in which code contains their words."""

    def __init__(self, documented: Set[Chain], ways: Mapping[str, Set[_Way]]) -> None:
        self.documented, self.ways = documented, ways
        self.known = ways.keys() & {word for chain in documented for word in chain}

    def absent(self, chain: Chain) -> int | None:
        """Returns the index of the first word that is certainly no command, or None."""
        for at, word in enumerate(takewhile(bool, chain[:2])):
            if not self.is_declared(word):
                return at if self.are_mostly_declared(chain[:at], word) else None
        return None

    def are_mostly_declared(self, before: Chain, asked: str) -> bool:
        """Returns whether the words after `before` are commands, and code declares enough others
        than `asked`: three, and at most a tenth is undeclared. If code does not have `asked` in a
        string, definition or file name, two and half of the others suffice."""
        at = len(before)
        others = {c[at] for c in self.documented if c[:at] == before and len(c) > at} - {asked}
        lost = sum(not self.is_declared(word) for word in others)
        fewest, share = (_FEWEST, _SHARE) if asked in self.ways else (2, 2)
        return "" not in others and len(others) - lost >= fewest and lost * share <= len(others)

    def is_declared(self, word: str) -> bool:
        """Returns whether code contains a word in a way in which it contains other commands."""
        others = self.known - {word}
        least = 1 if len(others) < _FEWEST else 2
        shared = (sum(way in self.ways[o] for o in others) for way in self.ways.get(word, ()))
        return any(n >= least for n in shared)


_QUOTED = compiled(r"[\"'`]([a-z_][\w-]*)(?=[\"'`]|[ |,:<\[(])")
_BEFORE = compiled(r"(\w*)[)\]]?\s*([^\w\s\"'`)\]]?)\s*$")
_NAMED = compiled(
    r"(?m)^[ \t]+(?:pub )?([A-Z]\w*)[({, \t]|\bdef (\w+)"
    r"|^[ \t]*((?:[a-z][\w-]*\|)*[a-z][\w-]*)\)"
)
"""Matches the beginning of a line with a variant or field, a method, or a branch of a shell
script's `case`."""
_REACH = 40


def _ways_in(path: str, text: str) -> Iterator[tuple[str, _Way]]:
    """Yields the names in a code file that may be commands, each with the way in which the file
    contains it."""
    yield _stem(path), ("file", dirname(path))
    for found in _QUOTED.finditer(text):
        before = _BEFORE.search(text[max(0, found.start() - _REACH) : found.start()])
        yield found[1], (before[1], before[2]) if before else ("", "")
    for found in _NAMED.finditer(text):
        if found[1]:
            yield _HUMP.sub("-", found[1]).lower(), ("variant", "")
        elif found[2]:
            yield found[2].replace("_", "-"), ("def", "")
        else:
            yield from ((name, ("case", "")) for name in found[3].split("|"))


def _stem(path: str) -> str:
    """Returns the command that a file with this name may declare: `list-all` for `list_all.ts`."""
    return path.rpartition("/")[2].partition(".")[0].replace("_", "-")


_HUMP = re.compile(r"(?<=[a-z\d])(?=[A-Z])")


def _in_humps(word: str) -> str:
    """Returns a command as the name of a variant: `ListAll` for `list-all`."""
    return "".join(part.capitalize() for part in re.split("[-_]", word))
