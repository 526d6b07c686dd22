"""Splits command lines into words, and finds the names that commands look up in manifests: `x` in
`npm run x`, `make x` and `just x`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import pairwise, takewhile
from posixpath import basename, join, normpath
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.patterns import compiled

LONGEST = 20_000
"""Maximum number of characters that are read from a text with shell commands."""
_PIECE = compiled(
    r"(?P<end>&&|\|\||[;|]|(?<!\\)\n)|(?P<comment>(?:(?<=\s)|^)#[^\n]*)|"
    r"(?P<word>(?:\$\([^()\n]*\)|\"[^\"\n]*\"|'[^'\n]*'|<[\w ,.:/|-]{1,60}>|[^\s;|&\"']|&(?!&))+)"
)
_HERE = compiled(r"#\s{1,4}(?:from|in|inside)\s+`?((?:[\w@.-]+/)+)`?:?\s*$")
"""Matches a comment that tells where the next commands run: `# from web/`."""
ENTERS = compiled(
    r"(?m)(?:^[ \t$%>]*|(?:&&|;)[ \t$]*)(?:cd|pushd)[ \t]+([\w./@+~$-]*\w/?)[ \t]*(?=$|[;&|#])"
)
"""Matches a command that enters a directory. The group is the directory."""
_ASSIGNMENT = compiled(r"[A-Za-z_]\w*=.*")
_PROMPTS = ("$", "%", ">", "sudo", "time", "env", "exec", "nohup", "command")
_PLACEHOLDERS = frozenset(words_of.PLACEHOLDERS.split())


class Word(Struct, frozen=True):
    """A word in a command line without its quotes, and its character offsets in the text."""

    text: str
    start: int
    end: int


class Command(Struct, frozen=True):
    """A command in a text of shell commands.

    `words` do not include prompts and assignments. `directory` is the current directory after
    earlier `cd` commands, or comments such as `# from web/`. `~` means that the directory is
    unknown: lines that follow `cd web && npm test` after an empty line may be meant for the root
    again."""

    words: tuple[Word, ...]
    directory: str


@lru_cache(maxsize=256)  # each kind of reference reads the same lines
def commands(text: str) -> tuple[Command, ...]:
    """Returns the commands in a text with one or more lines, in order."""
    text = text[:LONGEST]
    outside = _SUBSHELL.sub(lambda m: " " * len(m[0]), text)
    found, entered = _commands(outside), ENTERS.search(outside)
    for shell in _SUBSHELL.finditer(text):
        below = "~" if entered and entered.start() < shell.start() else ""
        for one in _commands(shell[1]):
            at = shell.start(1)
            words = tuple(Word(w.text, w.start + at, w.end + at) for w in one.words)
            found.append(Command(words, below or one.directory))
    return tuple(sorted(found, key=lambda one: one.words[0].start))


_SUBSHELL = compiled(r"\(((?:cd|pushd) [^()\n]{1,500})\)", needs=("(cd ", "(pushd "))
"""Matches commands after which the shell is in the same directory as before: `(cd x && make)`."""


def _commands(text: str) -> list[Command]:
    found: list[Command] = []
    directory, before, cloned = "", None, ""
    # `before` is the directory before a `cd x &&`, and where that `cd` ends.
    for words in _parts(text):
        while words and (words[0].text in _PROMPTS or _ASSIGNMENT.fullmatch(words[0].text)):
            words = words[1:]
        if not words or _is_row_of_table(words, text):
            continue
        if before and _EMPTY_LINE.search(text, before[1], words[0].start):
            above, before = before[0], None
            directory = above if words[0].text in ("cd", "pushd") else "~"
        if len(words) == 2 and words[0].text in ("cd", "pushd"):
            joined = _JOINED.match(text, words[1].end)
            before = (directory, words[1].end) if joined else None
            directory = _change_directory(directory, words[1].text, cloned)
        else:
            cloned = _cloned_folder(words) or cloned
            found.append(Command(tuple(words), directory))
    return found


def _cloned_folder(words: Sequence[Word]) -> str:
    """Returns the folder that `git clone` creates, or an empty string for another command."""
    clones = " ".join(word.text for word in words[:2]) == "git clone"
    return basename(words[-1].text.rstrip("/")).removesuffix(".git") if clones else ""


def _is_row_of_table(words: Sequence[Word], text: str) -> bool:
    """Returns whether a line is a row of a table in output, as "make    x86_64    4.4" is."""
    gaps = [text[one.end : other.start] for one, other in pairwise(words[:3])]
    return len(gaps) > 1 and all(len(gap) > 2 and not gap.strip(" ") for gap in gaps)


_JOINED = compiled(r"[\"']?[ \t]*&&")
_EMPTY_LINE = compiled(r"\n[ \t]*\n")


def _change_directory(directory: str, target: str, cloned: str) -> str:
    """Returns the directory after `cd target`. The folder of a clone is the root of a repository:
    of this one, unless the text is about another project."""
    first, _, inside = normpath(target).partition("/")
    if cloned and first == cloned:
        return inside
    if target.startswith(("/", "~", "-", "$", "<")) or directory == "~":
        return "~"
    path = normpath(join(directory, target))
    return "" if path == "." else path


def _parts(line: str) -> Iterator[list[Word]]:
    words: list[Word] = []
    for piece in _PIECE.finditer(line):
        if piece["end"]:
            yield words
            words = []
        elif piece["word"] and piece["word"] != "\\":  # a backslash continues the command line
            text = piece["word"].replace('"', "").replace("'", "")
            words.append(Word(text, piece.start(), piece.end()))
        elif not words and piece["comment"] and (here := _HERE.match(piece["comment"])):
            yield [Word("cd", piece.start(), piece.start()), Word(here[1], *piece.span())]
    yield words


def is_placeholder(word: str) -> bool:
    """Returns whether a word is a placeholder: `<name>`, `[args]`, `{a,b}`, `$X`, `*`, `foo`,
    `SCRIPT_NAME`, `lint-some-package`."""
    signs = any(c in word for c in "<>[]{}$*…|") or "..." in word
    capitals = word.isupper() and ("_" in word or word.endswith("NAME"))
    return signs or capitals or word.lower() in _PLACEHOLDERS or "-some-" in f"-{word.lower()}"


class Call(NamedTuple):
    """A command that looks up `name` in the manifest of a `runner`, such as npm or make.

    `last` is the last word of the call. `directory` is the value of an option such as `-C`.
    `packages` selects workspaces, and `*` selects any workspace. `sure` is true if the runner finds
    names only in the manifest."""

    runner: str
    name: str
    last: Word
    directory: str = ""
    packages: str = ""
    sure: bool = True


_NAME = compiled(r"[A-Za-z0-9_@.][\w@.:/+=-]*")
_WRAPPERS = ("uv", "poetry", "pdm", "rye", "pipenv", "hatch", "pixi")
_WRAPPED = ("poe", "nox", "tox", "make", "just", "task")
"""Runners that are recognised after a wrapper, such as `make` in `uv run make`."""

_REDIRECT = compiled(r"\d?[<>](?!\w)|\d?>\w")
"""Matches the beginning of a redirection: `>`, `2>&1`, `<`. A placeholder `<name>` is none."""


def calls(command: Command) -> list[Call]:
    """Returns the scripts or targets that a command runs, such as `test` in `npm run test`. Returns
    an empty list if the command's program is not a runner such as npm or make."""
    words = _unwrap(tuple(takewhile(lambda w: not _REDIRECT.match(w.text), command.words)))
    reader = _READERS.get(words[0].text) if words else None
    found = list(reader(words)) if reader else []
    return [c for c in found if _NAME.fullmatch(c.name) and not is_placeholder(c.name)]


def _unwrap(words: Sequence[Word]) -> Sequence[Word]:
    words = without_starters(words, ("lerna", "turbo"))
    if len(words) > 2 and (words[0].text, words[1].text) == ("bundle", "exec"):
        return words[2:]
    if len(words) > 2 and words[0].text in _WRAPPERS and words[1].text == "run":
        rest, _ = _without_options(words[2:], UV)
        if rest and rest[0].text in _WRAPPED:
            return rest
    return words


_STARTERS = ("npx", "bunx", "pnpm", "yarn", "exec", "dlx")


def without_starters(words: Sequence[Word], programs: Sequence[str]) -> Sequence[Word]:
    """Returns a command without the words that start one of the programs: `npx`, `pnpm exec`."""
    started = (*_STARTERS, *programs)
    while len(words) > 1 and words[0].text in _STARTERS and words[1].text in started:
        words = words[1:]
    return words


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


class _Options(NamedTuple):
    """The options of a runner, in groups.

    `valued` options take a value. `directory` options take a directory. `packages` options select
    packages by name, and `any_package` options select several packages. `elsewhere` options select
    another manifest. `bare` options take no value."""

    valued: frozenset[str]
    directory: frozenset[str] = frozenset()
    packages: frozenset[str] = frozenset()
    any_package: frozenset[str] = frozenset()
    elsewhere: frozenset[str] = frozenset()
    bare: frozenset[str] = frozenset()

    def knows(self, option: str) -> bool:
        """Returns whether it is known how many values the option takes: it is in one of the groups,
        or contains its value after `=`."""
        return "=" in option or any(option in some for some in self)


UV = _Options(
    _set("--with --extra --group --package --python -p --env-file -m"),
    _set("--project --directory"),
    bare=_set("--active --all-extras --all-groups --all-packages --frozen --locked --no-sync"),
)
_NPM = _Options(
    _set("--loglevel"), _set("--prefix -C"), _set("-w --workspace"), _set("--workspaces -ws"),
    _set("--if-present"),
)  # fmt: skip
_PNPM = _Options(
    _set("--reporter --workspace-concurrency --loglevel --resume-from"), _set("-C --dir --prefix"),
    _set("--filter -F --filter-prod"), _set("-r --recursive"), _set("--if-present"),
)  # fmt: skip
_POE = _Options(_set("-C --directory"), elsewhere=_set("-C --directory"))
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
)
_COMPOSE = _Options(
    _set(
        "-u --user -e --env -w --workdir --name -v --volume --entrypoint --tail -n --since --until"
    )
    | _set("-t --timeout --scale --pull --wait-timeout -s --signal --index --env-file --profile"),
    elsewhere=_set("-f --file -p --project-name --project-directory"),
)
_TASK = _Options(
    _set("-o --output -c -C --concurrency -I"),
    _set("-d --dir"),
    elsewhere=_set("-t --taskfile -g --global"),
    bare=_set("-f --force -p --parallel -s --silent -v --verbose -w --watch -y --yes -n --dry"),
)


class _Selection(NamedTuple):
    """The directory and the packages in which a command is run, as its options say.

    `elsewhere` is true if an option names another manifest."""

    directory: str = ""
    packages: str = ""
    elsewhere: bool = False

    def also(self, more: _Selection) -> _Selection:
        """Returns this choice of directory and packages, with empty fields taken from `more`."""
        return _Selection(
            self.directory or more.directory,
            self.packages or more.packages,
            self.elsewhere or more.elsewhere,
        )

    def with_option(self, option: str, value: str, options: _Options) -> _Selection:
        """Returns this choice of directory and packages, changed by an option such as `-C DIR`."""
        if option in options.directory:
            return self._replace(directory=value)
        if option in options.packages:
            several = self.packages or any(c in value for c in "*{[!^$<") or "..." in value
            return self._replace(packages="*" if several or not value else value)
        if option in options.any_package:
            return self._replace(packages="*")
        return self._replace(elsewhere=True) if option in options.elsewhere else self


def _without_options(words: Sequence[Word], options: _Options) -> tuple[Sequence[Word], _Selection]:
    selection, at = _Selection(), 0
    while at < len(words) and words[at].text.startswith("-") and words[at].text != "--":
        option, joined, value = words[at].text.partition("=")
        at += 1
        takes = option in options.valued | options.directory | options.packages | options.elsewhere
        flag = option == "--if-present" or option in ("-g", "--global")
        jobs = option == "-j" and not (at < len(words) and words[at].text.isdigit())
        if takes and not joined and not flag and not jobs:
            value = words[at].text if at < len(words) else ""
            at += 1
        selection = selection.with_option(option, value, options)
    return words[at:], selection


def _trailing(words: Sequence[Word], selection: _Selection) -> _Selection:
    """Returns `selection`, with its empty fields filled from npm's options after a script's name.
    Options after `--` belong to the script."""
    for at, _ in enumerate(takewhile(lambda w: w.text != "--", words)):
        if words[at].text.startswith("-"):
            selection = selection.also(_without_options(words[at:], _NPM)[1])
    return selection


def _call(runner: str, word: Word, selection: _Selection, *, sure: bool = True) -> Iterator[Call]:
    if not selection.elsewhere:
        yield Call(runner, word.text, word, selection.directory, selection.packages, sure)


def _npm(words: Sequence[Word]) -> Iterator[Call]:
    rest, selection = _without_options(words[1:], _NPM)
    if not rest:
        return
    if rest[0].text in ("run", "run-script", "rum", "urn"):
        rest, more = _without_options(rest[1:], _NPM)
        leading = selection = selection.also(more)
        if len(rest) > 1 and not selection.packages:  # options after the name: `npm run x -w web`
            selection = _trailing(rest[1:], selection)
        own = next((n for n, w in enumerate(rest) if w.text == "--"), len(rest))
        last = rest[own - 1] if selection != leading else None
        for call in _call("npm", rest[0], selection) if rest else ():
            yield call._replace(last=last) if last else call
    elif rest[0].text in ("test", "t", "tst", "start", "stop", "restart"):
        name = "test" if rest[0].text in ("t", "tst") else rest[0].text
        selection = _trailing(rest[1:], selection)
        for call in _call("npm", rest[0], selection, sure=name != "restart"):
            yield call._replace(name=name)


def _in_packages(words: Sequence[Word]) -> Iterator[Call]:
    """Yields the scripts that a program runs in any package: `turbo run NAME`, `lerna run NAME`."""
    if [word.text for word in words[1:2]] == ["run"]:
        for word in takewhile(lambda w: not w.text.startswith("-"), words[2:]):
            yield Call("npm", word.text, word, packages="*")


def _pnpm(words: Sequence[Word]) -> Iterator[Call]:
    rest, selection = _without_options(words[1:], _PNPM)
    if not rest:
        return
    if rest[0].text in ("run", "run-script"):
        rest, more = _without_options(rest[1:], _PNPM)
        yield from _call("npm", rest[0], selection.also(more)) if rest else ()
    elif rest[0].text in ("test", "t", "tst", "start", "stop"):
        name = "test" if rest[0].text in ("t", "tst") else rest[0].text
        yield from (c._replace(name=name) for c in _call("npm", rest[0], selection))
    elif rest[0].text not in _set(words_of.PNPM):
        yield from _call("npm", rest[0], selection, sure=False)


def _yarn(words: Sequence[Word]) -> Iterator[Call]:
    rest, selection = _without_options(words[1:], _YARN)
    texts = [w.text for w in rest]
    if len(rest) > 2 and texts[0] == "workspace":
        selection, rest = selection._replace(packages=texts[1]), rest[2:]
    elif len(rest) > 2 and texts[0] == "workspaces" and "run" in texts:
        selection, rest = selection._replace(packages="*"), rest[texts.index("run") :]
    for call in _run_or_name(rest, selection, _YARN, words_of.YARN):
        yield call._replace(sure=call.name in _set(words_of.SCRIPTS))


def _bun(words: Sequence[Word]) -> Iterator[Call]:
    rest, selection = _without_options(words[1:], _BUN)
    yield from _run_or_name(rest, selection, _BUN, words_of.BUN)


def _run_or_name(
    rest: Sequence[Word], selection: _Selection, options: _Options, own: str
) -> Iterator[Call]:
    """Yields the script that `run NAME` or `NAME` calls.

    `own` lists the built-in commands of the program. A built-in command is not a script."""
    if rest and rest[0].text == "run":
        rest, more = _without_options(rest[1:], options)
        yield from _call("npm", rest[0], selection.also(more), sure=False) if rest else ()
    elif rest and rest[0].text not in _set(own):
        yield from _call("npm", rest[0], selection, sure=False)


def _make(words: Sequence[Word]) -> Iterator[Call]:
    rest, selection = _without_options(words[1:], _MAKE)
    at = 0
    while at < len(rest):
        if rest[at].text == "--":  # `_without_options` stops here
            at += 1
        elif rest[at].text.startswith("-"):
            behind, more = _without_options(rest[at:], _MAKE)
            selection = selection.also(more)
            rest, at = behind, 0
        elif rest[at].text in ("or", "and"):  # words of a text, not of the command
            return
        elif "=" in rest[at].text:
            at += 1
        else:
            yield from _call("make", rest[at], selection)
            at += 1


def _rake(words: Sequence[Word]) -> Iterator[Call]:
    for word in words[1:]:
        if word.text.startswith("-"):  # the next word may be its value
            return
        if "=" not in word.text:
            yield Call("rake", word.text.partition("[")[0], word)


def _compose(words: Sequence[Word]) -> Iterator[Call]:
    if words[0].text == "docker":
        words = words[1:] if len(words) > 1 and words[1].text == "compose" else ()
    rest, selection = _without_options(words[1:], _COMPOSE)
    command = rest[0].text if rest else ""
    while len(rest) > 1:
        rest, more = _without_options(rest[1:], _COMPOSE)
        if not rest or rest[0].text.startswith("-"):
            return
        if command in _set(words_of.COMPOSE):
            yield from _call("compose", rest[0], selection.also(more))
        if command in ("exec", "run"):
            return


def _maven(words: Sequence[Word]) -> Iterator[Call]:
    for option, word in pairwise(words):
        if option.text in ("-pl", "--projects"):
            for name in word.text.split(","):
                if not name.startswith(":"):  # the name of an artifact, and no folder
                    yield Call("mvn", name.lstrip("!+"), word)


def _first_word(runner: str, options: _Options, words: Sequence[Word]) -> Iterator[Call]:
    """Yields the first word after a runner: `just NAME`."""
    rest, selection = _without_options(words[1:], options)
    before = [w.text for w in words[1 : len(words) - len(rest)] if w.text.startswith("-")]
    rest = [w for w in rest if "=" not in w.text]
    if rest and not rest[0].text.startswith("-") and all(map(options.knows, before)):
        yield from _call(runner, rest[0], selection)


def _just(words: Sequence[Word]) -> Iterator[Call]:
    """Yields the first word after `just`, and `web::dev` for `just web dev`: `web` may be a module
    or a recipe with an argument."""
    for call in _first_word("just", _JUST, words):
        yield call
        for word in [w for w in words if w.start > call.last.start][:1]:
            if word.text[:1].isalpha() and ":" not in f"{call.name}{word.text}":
                yield call._replace(name=f"{call.name}::{word.text}", last=word)


def _behind(
    runner: str, before: Sequence[str], words: Sequence[Word], *, sure: bool = True
) -> Iterator[Call]:
    """Yields the word behind a fixed word: `deno task NAME`."""
    if len(words) > 2 and words[1].text in before and not words[2].text.startswith("-"):
        yield Call(runner, words[2].text, words[2], sure=sure)


def _option_values(runner: str, options: Sequence[str], words: Sequence[Word]) -> Iterator[Call]:
    """Yields the values of an option: `tox -e a,b`."""
    for option, word in pairwise(words):
        if option.text in options and not word.text.startswith("-"):
            for name in word.text.split(","):
                yield Call(runner, name, word)


_READERS: dict[str, Callable[[Sequence[Word]], Iterator[Call]]] = {
    "npm": _npm,
    "pnpm": _pnpm,
    "yarn": _yarn,
    "bun": _bun,
    "turbo": _in_packages,
    "lerna": _in_packages,
    "make": _make,
    "gmake": _make,
    "just": _just,
    "task": partial(_first_word, "task", _TASK),
    "go-task": partial(_first_word, "task", _TASK),
    "poe": partial(_first_word, "poe", _POE),
    "deno": partial(_behind, "deno", ("task",)),
    "composer": partial(_behind, "composer", ("run", "run-script")),
    "hatch": partial(_behind, "hatch", ("run",), sure=False),
    "pdm": partial(_behind, "pdm", ("run",), sure=False),
    "rake": _rake,
    "fastlane": partial(_behind, "fastlane", ("ios", "android", "mac")),
    "mvn": _maven,
    "mvnw": _maven,
    "./mvnw": _maven,
    "docker": _compose,
    "docker-compose": _compose,
    "tox": partial(_option_values, "tox", ("-e", "--env")),
    "nox": partial(_option_values, "nox", ("-s", "--session", "--sessions", "-e")),
}
RUNNERS = frozenset(_READERS)
"""Programs whose arguments are names from a manifest, such as a target in a makefile."""
