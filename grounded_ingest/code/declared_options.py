"""The options and subcommands that a program declares, as the readers of code return them.

The subcommands are a flat set of names, because a command line names each command on the way to the
option. An option whose command is not certain counts for every command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

EVERYWHERE = ""
"""The owner of an option that each command may have: the program itself, or an unknown command."""


class DeclaredOptions(NamedTuple):
    """The options and subcommands that a program declares.

    `owners` maps an option to the commands that declare it. `certain` maps a subcommand to the
    options that certainly belong to it. `open` lists the commands that may have more options.
    `known` is true if the program uses a library that was read, `whole` if all options were found,
    and `named` if all names of commands were found. `choices` maps an option to the values that it
    accepts, in lower case, if the code lists them."""

    owners: Mapping[str, frozenset[str]]
    commands: frozenset[str]
    certain: Mapping[str, frozenset[str]]
    open: frozenset[str] = frozenset()
    known: bool = False
    whole: bool = False
    named: bool = False
    choices: Mapping[str, frozenset[str]] = MappingProxyType({})

    def confirms(self, option: str, words: Sequence[str]) -> bool:
        """Returns whether the last subcommand in `words` certainly has an option.

        In a program without subcommands, the option must be declared by the program."""
        named = [word for word in words if word in self.commands]
        if named:
            return option == "--help" or option in self.certain.get(named[-1], ())
        return not self.commands and (option == "--help" or option in self.owners)

    def lacks(self, option: str, words: Sequence[str]) -> bool:
        """Returns whether a command line with the plain `words` certainly has no such option.

        A prefix of an option counts as the option, because argparse accepts `--verb` for
        `--verbose`."""
        having = [owners for name, owners in self.owners.items() if name.startswith(option)]
        if option in ("--help", "--version") or not (self.known and self.whole):
            return False
        if not words or words[0] not in self.commands:
            # A first word that is no known command may be a command that a plugin adds.
            return not (having or self.open or not self.named or (words and self.commands))
        own = {EVERYWHERE, *self.commands.intersection(words)}
        return own.isdisjoint(self.open) and all(own.isdisjoint(owners) for owners in having)

    def options_of(self, words: Sequence[str]) -> frozenset[str]:
        """Returns the options that a command line with the plain `words` may have."""
        own = {EVERYWHERE, *words}
        return frozenset(option for option, owners in self.owners.items() if own & owners)


NOTHING_DECLARED = DeclaredOptions({}, frozenset(), {})


class Declarations:
    """Collects what the files of a program declare."""

    def __init__(self) -> None:
        self.owners: dict[str, set[str]] = {}
        self.certain: dict[str, set[str]] = {}
        self.commands: set[str] = set()
        self.open: set[str] = set()
        self.choices: dict[str, frozenset[str]] = {}
        self.known, self.whole = False, True

    def add(
        self, options: Iterable[str], commands: Iterable[str], certain: Iterable[str] = ()
    ) -> None:
        """Adds options of commands. Options without a command count for every command. `certain`
        are the commands that certainly have the options."""
        names = set(commands) or {EVERYWHERE}
        for option in options:
            self.owners.setdefault(option, set()).update(names)
            for command in certain:
                self.certain.setdefault(command, set()).add(option)

    def limit(self, options: Iterable[str], choices: Iterable[str]) -> None:
        """Adds the values that options accept. Without `choices`, they accept any value. An option
        that accepts any value in one command accepts any value here, because it may be meant."""
        limited = frozenset(choices)
        for option in options:
            known = self.choices.get(option, limited)
            self.choices[option] = known | limited if known and limited else frozenset()

    def may_have_more(self, commands: Iterable[str]) -> None:
        """Marks commands as having options that the code does not show. Without a command, the
        whole program may have them."""
        names = set(commands)
        self.open |= names
        self.whole = self.whole and bool(names)

    def result(self) -> DeclaredOptions:
        """Returns what was collected."""
        return DeclaredOptions(
            {option: frozenset(names) for option, names in self.owners.items()},
            frozenset(self.commands),
            {command: frozenset(options) for command, options in self.certain.items()},
            frozenset(self.open), self.known, self.whole, named=True,
            choices={option: values for option, values in self.choices.items() if values},
        )  # fmt: skip
