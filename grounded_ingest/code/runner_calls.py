"""Commands that ask a manifest for something by name: `npm run x`, `make x`, `just x`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from grounded_ingest.code.command_line import Command, Word, is_placeholder
from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.patterns import compiled


class Call(NamedTuple):
    """`name` is asked of the manifest of a `runner`; `last` is the word that names it. `directory`
    is given by an option, `packages` selects workspaces: `*` for any of them. `sure`: where the
    manifest has no such name, nothing else answers to it."""

    runner: str
    name: str
    last: Word
    directory: str = ""
    packages: str = ""
    sure: bool = True


def calls(command: Command) -> list[Call]:
    """What a command asks of manifests; nothing where it is no runner's."""
    words = _unwrapped(command.words)
    reader = _READERS.get(words[0].text) if words else None
    found = list(reader(words)) if reader else []
    return [c for c in found if _NAME.fullmatch(c.name) and not is_placeholder(c.name)]


_NAME = compiled(r"[A-Za-z0-9_@.][\w@.:/+=-]*")
_WRAPPERS = ("uv", "poetry", "pdm", "rye", "pipenv", "hatch", "pixi")
"""`uv run X`: what X is, if it is a runner itself."""


def _unwrapped(words: Sequence[Word]) -> Sequence[Word]:
    """The words behind `uv run`, if a runner stands there."""
    if len(words) > 2 and words[0].text in _WRAPPERS and words[1].text == "run":
        rest, _ = _without_options(words[2:], _UV)
        if rest and rest[0].text in ("poe", "nox", "tox", "make", "just", "task"):
            return rest
    return words


class _Options(NamedTuple):
    """Options that take a word, those of them that give a directory, and that select packages."""

    valued: frozenset[str]
    directory: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    any_package: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    """Name another manifest."""
    bare: frozenset[str] = frozenset()
    """Take no word."""

    def knows(self, option: str) -> bool:
        """Whether it is known how many words an option takes."""
        taking = (self.valued, self.directory, self.packages, self.any_package, self.elsewhere)
        return "=" in option or any(option in some for some in (*taking, self.bare))


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_UV = _Options(
    _set("--with --extra --group --package --python -p --project --directory --env-file -m")
)
_NPM = _Options(
    _set("--loglevel"), _set("--prefix -C"), _set("-w --workspace"), _set("--workspaces -ws"),
    _set("--if-present"),
)  # fmt: skip
_PNPM = _Options(
    _set("--reporter --workspace-concurrency --loglevel --resume-from"), _set("-C --dir --prefix"),
    _set("--filter -F --filter-prod"), _set("-r --recursive"), _set("--if-present"),
)  # fmt: skip
_YARN = _Options(_set("--mutex"), _set("--cwd"))
_BUN = _Options(
    _set("--env-file"), _set("--cwd"), _set("--filter -F"), elsewhere=_set("--if-present")
)
_MAKE = _Options(
    _set("-o -W -I -j -l --eval"), _set("-C --directory"), elsewhere=_set("-f --file --makefile")
)
_JUST = _Options(
    _set("--set --shell --dotenv-path --dotenv-filename -E --color"),
    _set("-d --working-directory"),
    elsewhere=_set("-f --justfile -g --global-justfile"),
    bare=_set("-n --dry-run -q --quiet -v --verbose --yes --unstable --no-deps --one --explain"),
)  # fmt: skip
_TASK = _Options(
    _set("-o --output -c -C --concurrency -I"),
    _set("-d --dir"),
    elsewhere=_set("-t --taskfile -g --global"),
    bare=_set("-f --force -p --parallel -s --silent -v --verbose -w --watch -y --yes -n --dry"),
)


class _Given(NamedTuple):
    """What options select."""

    directory: str = ""
    packages: str = ""
    elsewhere: bool = False

    def also(self, more: _Given) -> _Given:
        return _Given(
            self.directory or more.directory,
            self.packages or more.packages,
            self.elsewhere or more.elsewhere,
        )


def _without_options(words: Sequence[Word], options: _Options) -> tuple[Sequence[Word], _Given]:
    """The words behind the leading options, and what these select."""
    given, at = _Given(), 0
    while at < len(words) and words[at].text.startswith("-") and words[at].text != "--":
        option, joined, value = words[at].text.partition("=")
        at += 1
        takes = option in options.valued | options.directory | options.packages | options.elsewhere
        flag = option == "--if-present" or option in ("-g", "--global")
        if takes and not joined and not flag and not (option == "-j" and not _digits(words, at)):
            value = words[at].text if at < len(words) else ""
            at += 1
        given = _given(given, option, value, options)
    return words[at:], given


def _digits(words: Sequence[Word], at: int) -> bool:
    return at < len(words) and words[at].text.isdigit()


def _given(given: _Given, option: str, value: str, options: _Options) -> _Given:
    if option in options.directory:
        return given._replace(directory=value)
    if option in options.packages:
        several = given.packages or any(c in value for c in "*{[!^$<") or "..." in value
        return given._replace(packages="*" if several or not value else value)
    if option in options.any_package:
        return given._replace(packages="*")
    return given._replace(elsewhere=True) if option in options.elsewhere else given


def _call(runner: str, word: Word, given: _Given, *, sure: bool = True) -> Iterator[Call]:
    if not given.elsewhere:
        yield Call(runner, word.text, word, given.directory, given.packages, sure)


def _npm(words: Sequence[Word]) -> Iterator[Call]:
    rest, given = _without_options(words[1:], _NPM)
    if not rest:
        return
    if rest[0].text in ("run", "run-script", "rum", "urn"):
        rest, more = _without_options(rest[1:], _NPM)
        given = given.also(more)
        before = given
        if len(rest) > 1 and not given.packages:  # `npm run x -w web`
            given = _trailing(rest[1:], given, _NPM)
        own = next((n for n, w in enumerate(rest) if w.text == "--"), len(rest))
        last = rest[own - 1] if given != before else None
        for call in _call("npm", rest[0], given) if rest else ():
            yield call._replace(last=last) if last else call
    elif rest[0].text in ("test", "t", "tst", "start", "stop", "restart"):
        name = "test" if rest[0].text in ("t", "tst") else rest[0].text
        given = _trailing(rest[1:], given, _NPM)
        yield from (
            c._replace(name=name)
            for c in _call("npm", rest[0], given, sure=name in ("test", "start"))
        )


def _trailing(words: Sequence[Word], given: _Given, options: _Options) -> _Given:
    """Options behind the name; what stands behind `--` is the script's."""
    for at, word in enumerate(words):
        if word.text == "--":
            break
        if word.text.startswith("-"):
            _, more = _without_options(words[at:], options)
            given = given.also(more)
    return given


_PNPM_OWN = _set(words_of.PNPM)
_YARN_OWN = _set(words_of.YARN)
_BUN_OWN = _set(words_of.BUN)


def _pnpm(words: Sequence[Word]) -> Iterator[Call]:
    rest, given = _without_options(words[1:], _PNPM)
    if not rest:
        return
    if rest[0].text in ("run", "run-script"):
        rest, more = _without_options(rest[1:], _PNPM)
        given = given.also(more)
        if rest:
            yield from _call("npm", rest[0], given)
    elif rest[0].text in ("test", "t", "tst", "start"):
        name = "start" if rest[0].text == "start" else "test"
        yield from (c._replace(name=name) for c in _call("npm", rest[0], given))
    elif rest[0].text not in _PNPM_OWN:
        yield from _call("npm", rest[0], given, sure=False)


def _yarn(words: Sequence[Word]) -> Iterator[Call]:
    rest, given = _without_options(words[1:], _YARN)
    if len(rest) > 2 and rest[0].text == "workspace":
        given, rest = given._replace(packages=rest[1].text), rest[2:]
    elif len(rest) > 2 and rest[0].text == "workspaces" and "run" in [w.text for w in rest]:
        given = given._replace(packages="*")
        rest = rest[[w.text for w in rest].index("run") :]
    if rest and rest[0].text == "run":
        rest, _ = _without_options(rest[1:], _YARN)
        yield from _call("npm", rest[0], given, sure=False) if rest else ()
    elif rest and rest[0].text not in _YARN_OWN:
        yield from _call("npm", rest[0], given, sure=False)


def _bun(words: Sequence[Word]) -> Iterator[Call]:
    rest, given = _without_options(words[1:], _BUN)
    if rest and rest[0].text == "run":
        rest, more = _without_options(rest[1:], _BUN)
        given = given.also(more)
        yield from _call("npm", rest[0], given, sure=False) if rest else ()
    elif rest and rest[0].text not in _BUN_OWN:
        yield from _call("npm", rest[0], given, sure=False)


def _make(words: Sequence[Word]) -> Iterator[Call]:
    rest, given = _without_options(words[1:], _MAKE)
    at = 0
    while at < len(rest):
        if rest[at].text.startswith("-"):
            behind, more = _without_options(rest[at:], _MAKE)
            given = given.also(more)
            rest, at = behind, 0
        elif "=" in rest[at].text:
            at += 1
        else:
            yield from _call("make", rest[at], given)
            at += 1


def _first(runner: str, options: _Options) -> Callable[[Sequence[Word]], Iterator[Call]]:
    """A runner whose first word names what it runs."""

    def read(words: Sequence[Word]) -> Iterator[Call]:
        rest, given = _without_options(words[1:], options)
        before = [w.text for w in words[1 : len(words) - len(rest)] if w.text.startswith("-")]
        rest = [w for w in rest if "=" not in w.text]
        if rest and not rest[0].text.startswith("-") and all(map(options.knows, before)):
            yield from _call(runner, rest[0], given)

    return read


def _behind(runner: str, *before: str, sure: bool) -> Callable[[Sequence[Word]], Iterator[Call]]:
    """A runner that takes a name behind certain words: `deno task x`, `composer run x`."""

    def read(words: Sequence[Word]) -> Iterator[Call]:
        if len(words) > 2 and words[1].text in before and not words[2].text.startswith("-"):
            yield Call(runner, words[2].text, words[2], sure=sure)

    return read


def _environments(runner: str, *options: str) -> Callable[[Sequence[Word]], Iterator[Call]]:
    """`tox -e a,b`, `nox -s a b`."""

    def read(words: Sequence[Word]) -> Iterator[Call]:
        for option, word in pairwise(words):
            if option.text in options and not word.text.startswith("-"):
                for name in word.text.split(","):
                    yield Call(runner, name, word)

    return read


_READERS: dict[str, Callable[[Sequence[Word]], Iterator[Call]]] = {
    "npm": _npm,
    "pnpm": _pnpm,
    "yarn": _yarn,
    "bun": _bun,
    "make": _make,
    "gmake": _make,
    "just": _first("just", _JUST),
    "task": _first("task", _TASK),
    "go-task": _first("task", _TASK),
    "poe": _first("poe", _Options(_set("-C --directory"), elsewhere=_set("-C --directory"))),
    "deno": _behind("deno", "task", sure=True),
    "composer": _behind("composer", "run", "run-script", sure=True),
    "hatch": _behind("hatch", "run", sure=False),
    "pdm": _behind("pdm", "run", sure=False),
    "tox": _environments("tox", "-e", "--env"),
    "nox": _environments("nox", "-s", "--session", "--sessions", "-e"),
}
RUNNERS = frozenset(_READERS)
"""Programs whose commands are asked for."""
