"""Searches the files of a tree for the options of its programs, in any language.

A program may have an option if a file other than prose contains `--name`, or if a code file that
uses a parser of options contains the name where the parser reads names: at the start of a string
(`"name"`), or as a field or key (`name:`). Some programs declare options in other ways. So an
option is absent only if this search finds nearly all options that documents give to the program. An
option whose name no file except prose contains in any spelling is absent, too.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from itertools import islice
from typing import NamedTuple

from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.git.word_search import all_except, files_with
from grounded_ingest.references.context import Context
from grounded_ingest.text.dated_paths import is_about_one_day, is_current_path, is_test_or_sample
from grounded_ingest.text.lexicon import manifest_words

_NOT_PROSE = all_except("md mdx mdc markdown rst txt adoc jsonl lock svg csv")
"""Returns whether a path is not prose. Notebooks are not prose."""
CODE = {
    "go": (".go",),
    "rust": (".rs",),
    "node": (".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx"),
    "python": (".py",),
    "ruby": (".rb",),
}
"""Maps a language to the endings of its code files."""
_FIELDS = "dataclass"
"""The decorator of classes from whose fields some parsers of Python make options."""
_GIVEN = frozenset(manifest_words.OPTIONS_GIVEN.split())
_PROSE = (".md", ".mdx", ".markdown", ".rst", ".adoc")
_MOST_FILES = 2000
"""Maximum number of files that are searched for one option. If more contain its name, the option
counts as declared."""
_FEWEST, _SHARE, _MOST_OPTIONS = 5, 9, 300
"""At least `_FEWEST` other documented options of a program must be found, and `_SHARE` for each
one not found. At most `_MOST_OPTIONS` are searched."""


class AskedOption(NamedTuple):
    """An option to look up, as it is written. `program` is the program's name in command lines.
    `languages` are those of the programs with this name, such as a Go program and its JavaScript
    wrapper. One of the directories in `homes` has to contain a parser of options; "" means that
    the parser may be anywhere. `is_current` is false for options in plans and in documents about
    the past."""

    program: str
    option: str
    languages: tuple[str, ...]
    homes: tuple[str, ...]
    is_current: bool

    @property
    def name(self) -> str:
        """The option without dashes."""
        return self.option.lstrip("-")


def absent_options(
    options: Collection[AskedOption], documented: Mapping[str, Set[str]], context: Context
) -> set[AskedOption]:
    """Returns the options that their program certainly does not have. `documented` maps a program
    to the options that documents give to it."""
    given = {option for some in documented.values() for option in some}
    names = {option.lstrip("-") for option in given.union(one.option for one in options)}
    # Code may join `--web.max-rows` from `web` and `max-rows`.
    ways = {n: [*_spellings(n), *_spellings(n.rpartition(".")[2])] for n in names}
    libraries, opening = manifest_words.OPTION_LIBRARIES, manifest_words.OPTIONS_OPEN
    lists = (*libraries.values(), *opening.values(), _FIELDS)
    known = (w for words in lists for w in words.split())
    words = (*(w for written in ways.values() for w in written), *known)
    files = files_with(context.repo, context.tree, words, _may_declare, cache=context.cache)
    search = _Search(context.tree, files, ways)
    return {
        one
        for one in options
        if (one.option.startswith("--") or search.is_single_dashed(one))
        and (search.is_unnamed(one) or search.is_undeclared(one, documented[one.program]))
    }


class _Search:
    """Looks up options. `ways` maps each option's name to its spellings, and `files` maps words to
    the files that contain them."""

    def __init__(
        self, tree: Tree, files: Mapping[str, Sequence[str]], ways: Mapping[str, Sequence[str]]
    ) -> None:
        self.tree, self.files, self.ways = tree, files, ways
        self.parsing = {
            path
            for language, words in manifest_words.OPTION_LIBRARIES.items()
            for path in self.code_with(words, language)
        } | self.code_with(_FIELDS, "python")
        self._declared: dict[str, bool] = {}

    def code_with(self, words: str, language: str) -> set[str]:
        """Returns the code files of a language, without tests, that contain one of the words."""
        found = (path for word in words.split() for path in self.files.get(word, ()))
        return {p for p in found if p.endswith(CODE[language]) and not is_test_or_sample(p)}

    def is_unnamed(self, asked: AskedOption) -> bool:
        """Returns whether only prose has the option's name, and the program uses a known parser."""
        named = asked.name in _GIVEN or not self.files.keys().isdisjoint(self.ways[asked.name])
        return not named and self.is_parsed(asked.languages)

    def is_parsed(self, languages: Collection[str]) -> bool:
        """Returns whether a program uses a known parser. False if it may accept options that its
        code does not name."""
        libraries, opening = manifest_words.OPTION_LIBRARIES, manifest_words.OPTIONS_OPEN
        known = any(self.code_with(libraries[language], language) for language in languages)
        return known and not any(self.code_with(opening[lang], lang) for lang in languages)

    def is_single_dashed(self, asked: AskedOption) -> bool:
        """Returns whether a program writes its options with one dash: a Go program, in a tree whose
        only parser of options in Go is `flag`."""
        _, _, others = manifest_words.OPTION_LIBRARIES["go"].partition('"flag" ')
        others = f"{others} {manifest_words.OPTIONS_OPEN['go']}"
        return asked.languages == ("go",) and not self.code_with(others, "go")

    def is_undeclared(self, asked: AskedOption, documented: Set[str]) -> bool:
        """Returns whether no file declares an option, but files declare nearly all other options
        that documents give to the program."""
        parsing = (p for home in asked.homes for p in self.parsing if p.startswith(f"{home}/"))
        parsed = asked.is_current and ("" in asked.homes or any(parsing))
        if not parsed or asked.name in _GIVEN:
            return False
        if self.is_declared(asked.name) or self.is_string(asked):
            return False
        others = self._others(asked, documented)
        most = len(others) // (_SHARE + 1)
        lost = islice((name for name in others if not self.is_declared(name)), most + 1)
        undeclared = len(list(lost))
        readable = undeclared <= most and len(others) - undeclared >= _FEWEST
        return readable or (not undeclared and self.is_certain(asked, others))

    def _others(self, asked: AskedOption, documented: Set[str]) -> Sequence[str]:
        dashes = "-" if self.is_single_dashed(asked) else "--"
        names = {option.lstrip("-") for option in documented if option.startswith(dashes)}
        return sorted(names - {asked.name, *_GIVEN})[:_MOST_OPTIONS]

    def is_certain(self, asked: AskedOption, others: Collection[str]) -> bool:
        """Returns whether a program's parser is known and does not join the name from parts."""
        joined = "." in asked.name and not any("." in name for name in others)
        return not joined and self.is_parsed(asked.languages)

    def is_string(self, asked: AskedOption) -> bool:
        """Returns whether a code file of the program's languages has the option's name, in any
        spelling, as a whole string, as a constant has, or `"maxRows"` in yargs."""
        ways = self.ways[asked.name]
        written = re.compile(rf"[\"'`]-{{0,2}}(?:{'|'.join(map(re.escape, ways))})[\"'`]")
        endings = tuple(end for language in asked.languages for end in CODE[language])
        paths = {p for way in ways for p in self.files.get(way, ()) if p.endswith(endings)}
        return len(paths) > _MOST_FILES or any(
            written.search(text_of(self.tree, path) or "") for path in sorted(paths)
        )

    def is_declared(self, name: str) -> bool:
        """Returns whether a file may declare an option."""
        if name not in self._declared:
            paths = dict.fromkeys(p for way in self.ways[name] for p in self.files.get(way, ()))
            written, read = _patterns(name)
            self._declared[name] = len(paths) > _MOST_FILES or any(
                (text := text_of(self.tree, path)) is not None
                and (written.search(text) or (path in self.parsing and read.search(text)))
                for path in sorted(paths, key=lambda p: p not in self.parsing)
            )
        return self._declared[name]


def _patterns(name: str) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Returns the pattern for an option with one or two dashes, and the pattern for its name where
    a parser reads names."""
    bare = "|".join(re.escape(n) for n in dict.fromkeys((name, name.removeprefix("no-"))))
    fields = "|".join(map(re.escape, _spellings(name)))
    return re.compile(rf"(?<![\w-])--?(?:\[no-\])?(?:{bare})(?![\w-])"), re.compile(
        rf"[\"'`](?:-\w[,|/ ]+)?-{{0,2}}(?:{bare})(?:[\"'`,|=\[<:]|\s+[<\[])"
        rf"|(?<![\w.])(?:r#)?(?:{fields})[ \t]*\??:(?![:=])"
    )


def is_current_prose(path: str) -> bool:
    """Returns whether a file is prose that can be about the present, judged by its path."""
    prose = path.lower().endswith(_PROSE) and not path.startswith(".grounded/")
    return prose and is_current_path(path) and not is_about_one_day(path)


def _may_declare(path: str) -> bool:
    """Returns whether a file may declare options, such as code or a script without an ending."""
    return _NOT_PROSE(path) and "/node_modules/" not in f"/{path}"


def _spellings(name: str) -> Iterator[str]:
    """Yields the spellings of an option in code: as written, in snake case, in camel case, and with
    or without `no-`."""
    for bare in dict.fromkeys((name, name.removeprefix("no-"))):
        first, *others = bare.split("-")
        hump = first + "".join(w.capitalize() for w in others)
        yield from (bare, bare.replace("-", "_"), hump, hump[:1].upper() + hump[1:])
