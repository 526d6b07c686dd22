"""Finds the names that options of package tools select in a command line: packages, features,
targets, extras and groups. Examples: `cargo test -p x`, `uv sync --extra x`, `pnpm --filter x`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from msgspec import Struct

from grounded_ingest.code.command_lines import Command, Word, is_placeholder, without_starters
from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.patterns import compiled


class Choice(Struct, frozen=True):
    """A name that a command of `tool` selects.

    `what` is the kind of the name: "package", or a part of a package such as "feature". `last` is
    the word with the name. `package` is the package of the selected part, or empty if the command's
    directory decides. `directory` is the value of an option such as `--directory`."""

    tool: str
    what: str
    name: str
    last: Word
    package: str = ""
    directory: str = ""


class _Tool(Struct, frozen=True):
    """A tool's options that select names. `options` maps each option to the kind of its names. Only
    the subcommands in `commands` take these options; if `commands` is empty, all subcommands do.
    The subcommands in `runs` start a program. Options after the program's name belong to the
    program."""

    options: Mapping[str, str]
    commands: str = ""
    runs: str = ""


def _kinds(**options: str) -> dict[str, str]:
    return {option: what for what, listed in options.items() for option in listed.split()}


_TOOLS = {
    "cargo": _Tool(
        _kinds(
            package="-p --package", feature="--features -F", bin="--bin", example="--example",
            test="--test", bench="--bench", directory="--manifest-path --path",
        ),
        words_of.CARGO,
    ),
    "uv": _Tool(
        _kinds(
            package="--package", extra="--extra", group="--group --only-group --no-group",
            directory="--directory --project", value="--with --python -p --env-file -m --index",
        ),
        "sync run export lock build",
        "run",
    ),
    "poetry": _Tool(
        _kinds(extra="-E --extras", group="--with --without --only", directory="-C --directory"),
        "install sync update",
    ),
    "pdm": _Tool(_kinds(group="-G --group"), "install sync"),
    "pnpm": _Tool(_kinds(package="--filter -F --filter-prod")),
    "npm": _Tool(_kinds(package="-w --workspace")),
    "bun": _Tool(_kinds(package="--filter -F")),
    "turbo": _Tool(_kinds(package="--filter -F")),
}  # fmt: skip
_EXTRAS = compiled(r"(?P<of>\.|\.?/?[\w./-]*[\w.-])\[(?P<names>[\w., -]+)\]")
_NAME = compiled(r"@?[A-Za-z0-9][\w./-]*")
_SAMPLE = compiled(words_of.SAMPLE_NAMES)


def choices(command: Command) -> list[Choice]:
    """Returns the packages, features and other parts that the options of a command select. Globs,
    variables, placeholders and the names of new packages are left out."""
    words = without_starters(command.words, ("turbo",))
    if len(words) > 1 and words[1].text in ("init", "create"):
        return []
    end = next((n for n, w in enumerate(words) if w.text == "--"), len(words))
    found = list(_read(words[:end])) if end > 1 else []
    named = [c for c in found if _NAME.fullmatch(c.name) and not is_placeholder(c.name)]
    return [c for c in named if not _SAMPLE.search(c.name)]


def _read(words: Sequence[Word]) -> Iterator[Choice]:
    texts = [w.text for w in words]
    if "install" in texts[:4] and any(t in ("pip", "pip3") for t in texts[:3]):
        yield from _pip_choices(words)
    elif texts[0] == "yarn":
        if texts[1] == "workspace" and len(texts) > 2:
            yield Choice("yarn", "package", texts[2], words[2])
    elif tool := _TOOLS.get(texts[0]):
        at = 2 if texts[1].startswith("+") else 1
        command = next((t for t in texts[at:] if not t.startswith("-")), "")
        if not tool.commands or command in tool.commands.split():
            yield from _of_tool(words, command, tool)


def _of_tool(words: Sequence[Word], command: str, tool: _Tool) -> Iterator[Choice]:
    """Yields the names that the options of a tool select. Each name comes with its package and
    directory, which other options select."""
    given = list(_options(words, command, tool))
    values = [(what, _value(word)) for what, word in given]
    packages = [value for what, value in values if what == "package"]
    package = packages[0] if len(packages) == 1 else ""
    directory = dict(values).get("directory", "").removesuffix("Cargo.toml")
    if words[0].text == "cargo" and command in ("add", "install") and not directory:
        package = next((w.text for w in words[2:] if not w.text.startswith("-")), "")
    for what, word in given:
        of = "" if what == "package" else package
        for name in _names(what, _value(word)):
            yield Choice(words[0].text, what, name, word, of, directory)


def _value(word: Word) -> str:
    return word.text.partition("=")[2] if word.text.startswith("-") else word.text


def _names(what: str, value: str) -> Sequence[str]:
    """Returns the names in the value of an option, without signs such as the dots of `...name`."""
    if what in ("directory", "value"):
        return ()
    if what in ("feature", "extra", "group"):
        return value.replace(",", " ").split()
    return [value.removeprefix("!").strip("^.") if "..." in value else value]


def _options(words: Sequence[Word], command: str, tool: _Tool) -> Iterator[tuple[str, Word]]:
    """Yields (kind of name, word with the value). An option after the name of a script may belong
    to the script, so it is yielded only with a scoped package (`@scope/name`)."""
    runs = command in tool.runs.split()
    scripts = words[0].text in ("pnpm", "bun") and command not in words_of.PNPM.split()
    before, behind = "", False
    for word in words[1:]:
        option, joined, _ = word.text.partition("=")
        if not word.text.startswith("-"):
            option = before
        if option in tool.options and (joined or option == before):
            if not (behind and scripts) or _value(word).startswith("@"):
                yield tool.options[option], word
        elif not word.text.startswith("-"):
            if behind and runs:
                return
            behind = behind or runs or word.text != "run"
        before = word.text


def _pip_choices(words: Sequence[Word]) -> Iterator[Choice]:
    """Yields the extras in `pip install -e .[x]` and `pip install package[x]`, but not those of a
    fixed version (`package[x]==1.0`), and the groups in `pip install --group x`."""
    for before, word in pairwise(words):
        if before.text == "--group" and ":" not in word.text:
            yield Choice("pip", "group", word.text, word)
        if found := _EXTRAS.fullmatch(word.text):
            of = found["of"]
            is_directory = of.startswith(".") or "/" in of
            for name in found["names"].replace(",", " ").split():
                package, directory = ("", of) if is_directory else (of, "")
                yield Choice("pip", "extra", name, word, package, directory)
