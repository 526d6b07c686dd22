"""Finds the command-line options that programs in Go, Rust and JavaScript declare.

Go programs declare options with cobra and pflag, Rust programs with clap's derive macros.
JavaScript programs use commander or a library with the same interface."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from grounded_ingest.code.grammars import node_text, nodes_in
from grounded_ingest.text.patterns import compiled

LONGEST = 1_000_000
"""Maximum length of a source text that is parsed, in characters."""
_DEEPEST, _LONGEST_CHAIN = 8, 400
"""Maximum number of nested subcommands, and of chained calls such as `a().b().c()`, that are
followed."""


class CommandOption(Struct, frozen=True, array_like=True):
    """The option `--name` of a command.

    `commands` are the subcommands between the program and the option. `everywhere` is true if all
    subcommands below the command take the option too."""

    name: str
    commands: tuple[str, ...]
    everywhere: bool = False

    def belongs_to(self, commands: tuple[str, ...]) -> bool:
        """Returns whether the command with these subcommands takes the option."""
        own = self.commands
        return commands == own or (self.everywhere and commands[: len(own)] == own)


def command_options(path: str, text: str) -> frozenset[CommandOption]:
    """Returns the options in a source text.

    An option is left out if the text does not declare all subcommands above the option."""
    known = _LANGUAGES.get(path.rpartition(".")[2].lower())
    if known is None or len(text) > LONGEST:
        return frozenset()
    language, read = known
    try:
        return frozenset(read(list(nodes_in(language, text))))
    except (ValueError, RecursionError, MemoryError):  # the parse was stopped
        return frozenset()


def _field(node: Any, name: str) -> Any:
    return node.child_by_field_name(name) if node is not None else None


def _field_text(node: Any, name: str) -> str:
    return node_text(_field(node, name))


def _literal(node: Any) -> str:
    """Returns the content of a string literal. Returns an empty string for other nodes."""
    known = node is not None and node.type.endswith(("string", "string_literal"))
    return node_text(node).strip("\"'`") if known else ""


def _arguments(call: Any) -> list[Any]:
    return list(call.child_by_field_name("arguments").named_children)


# cobra: `var syncCmd = &cobra.Command{Use: "sync"}`, `rootCmd.AddCommand(syncCmd)`,
# `syncCmd.Flags().Bool("all", …)`. Package variables contain the commands.

_DEFINES = compiled(
    r"(?:Bool|String|Int|Uint|Float|Duration|Count|IP|Bytes|Text|Time)\w*?(?P<var>Var)?P?$"
)
_FLAG_SETS = {"Flags": False, "LocalFlags": False, "PersistentFlags": True}


def _cobra_options(nodes: Sequence[Any]) -> Iterator[CommandOption]:
    names: dict[str, str] = {}
    parents: dict[str, str] = {}
    repeated: set[str] = set()
    flags: list[tuple[str, str, bool]] = []
    for node in nodes:
        if node.type == "composite_literal":
            if _field_text(node, "type").endswith("cobra.Command"):
                variable = _assigned_variable(node)
                repeated |= {variable} & names.keys()
                names[variable] = _use(node).split(" ")[0]
        elif node.type == "call_expression":
            function, arguments = _field(node, "function"), _arguments(node)
            if _method(function) == "AddCommand":
                parent = _field_text(function, "operand")
                parents.update((node_text(a), parent) for a in arguments)
            elif flag := _flag(function, arguments):
                flags.append(flag)
    for variable, name, everywhere in flags:
        commands = (
            _subcommands_from_root(variable, names, parents) if variable not in repeated else None
        )
        if commands is not None:
            yield CommandOption(name, commands, everywhere)


def _method(function: Any) -> str:
    return _field_text(function, "field") if function.type == "selector_expression" else ""


def _flag(function: Any, arguments: list[Any]) -> tuple[str, str, bool] | None:
    """Returns (command variable, flag, whether subcommands take the flag) for a call.

    Returns None if the call does not add a flag."""
    defines = _DEFINES.match(_method(function))
    flag_set = _field(function, "operand") if defines else None
    if not defines or flag_set is None or flag_set.type != "call_expression":
        return None
    getter = _field(flag_set, "function")
    at = 1 if defines["var"] else 0
    name = _literal(arguments[at]) if len(arguments) > at else ""
    if _method(getter) not in _FLAG_SETS or not name:
        return None
    return _field_text(getter, "operand"), name, _FLAG_SETS[_method(getter)]


def _assigned_variable(node: Any) -> str:
    for _ in range(4):
        node = node.parent
        if node is None or node.type in ("var_spec", "short_var_declaration"):
            break
    return _field_text(node, "name" if node is not None and node.type == "var_spec" else "left")


def _use(node: Any) -> str:
    """Returns the value of the field `Use` in a cobra command: the command's name and arguments."""
    body = _field(node, "body")
    for element in body.named_children if body is not None else ():
        key, value = _field(element, "key"), _field(element, "value")
        if node_text(key) == "Use" and value is not None and value.named_children:
            return _literal(value.named_children[0])
    return ""


def _subcommands_from_root(
    variable: str, names: dict[str, str], parents: dict[str, str]
) -> tuple[str, ...] | None:
    """Returns the subcommands from the root command to the command in a variable.

    Returns None if the chain of subcommands is unknown."""
    found: list[str] = []
    for _ in range(_DEEPEST):
        if "root" in variable.lower():
            return tuple(reversed(found))
        if not names.get(variable) or variable not in parents:
            return None
        found.append(names[variable])
        variable = parents[variable]
    return None


# commander: `program.command('run').option('--fast')`. The program is in a variable called
# `program` or `cli`.

_DECLARED = compiled(r"--(?:\[no-\])?(?P<name>[A-Za-z][\w-]*)")


def _commander_options(nodes: Sequence[Any]) -> Iterator[CommandOption]:
    variables: dict[str, tuple[str, ...] | None] = {}
    for node in nodes:
        if node.type == "variable_declarator" and (name := _field_text(node, "name")):
            chain = _commands_of_chain(_field(node, "value"), variables)
            variables[name] = None if name in variables else chain
    for node in nodes:
        if node.type != "call_expression":
            continue
        function = _field(node, "function")
        if _field_text(function, "property") not in ("option", "requiredOption"):
            continue
        commands = _commands_of_chain(_field(function, "object"), variables)
        arguments = _arguments(node)
        declared = _DECLARED.search(_literal(arguments[0])) if arguments else None
        if commands is not None and declared:
            yield CommandOption(declared["name"], commands)


def _commands_of_chain(
    node: Any, variables: dict[str, tuple[str, ...] | None]
) -> tuple[str, ...] | None:
    """Returns the subcommands in a chain of calls.

    Returns None if the chain does not begin at the program's variable."""
    command: tuple[str, ...] = ()
    for _ in range(_LONGEST_CHAIN):
        if node is None:
            return None
        if node.type == "identifier":
            name = node_text(node)
            is_program = name == "cli" or "program" in name.lower()
            start = () if is_program else variables.get(name)
            return None if start is None else (*start, *command)
        if node.type != "call_expression":
            return None
        function = _field(node, "function")
        if _field_text(function, "property") == "command":
            arguments = _arguments(node)
            name = _literal(arguments[0]).split(" ")[0] if arguments else ""
            if not name or command:
                return None
            command = (name,)
        node = _field(function, "object")
    return None


# clap: the search starts at the type that derives `Parser`. It follows the types of fields and
# variants that the same file defines.

_LONG = compiled(r"\blong\b(?:\s*=\s*\"([\w-]+)\")?")
_GLOBAL = compiled(r"\bglobal\s*=\s*true\b")
_NAME = compiled(r"\bname\s*=\s*\"([\w-]+)\"")
_RENAME_ALL = compiled(r"\brename_all\b")
_HUMP = compiled(r"(?<=[a-z0-9])(?=[A-Z])")
_WRAPPED = compiled(r"(?:Option|Box|Vec)<(.*)>$")


def _clap_options(nodes: Sequence[Any]) -> Iterator[CommandOption]:
    types = {_field_text(n, "name"): n for n in nodes if n.type in ("struct_item", "enum_item")}
    for node in types.values():
        attributes = _attributes(node)
        if "Parser" in attributes and not _RENAME_ALL.search(attributes):
            yield from _type_options(node, (), types, 0)


def _attributes(node: Any) -> str:
    """Returns the text of the attributes (`#[…]`) before an item in Rust."""
    found: list[str] = []
    node = node.prev_named_sibling
    while node is not None and node.type in ("attribute_item", "line_comment", "block_comment"):
        found += [node_text(node)] if node.type == "attribute_item" else []
        node = node.prev_named_sibling
    return " ".join(found)


def _type_options(
    node: Any, commands: tuple[str, ...], types: dict[str, Any], depth: int
) -> Iterator[CommandOption]:
    body = _field(node, "body") if depth <= _DEEPEST else None
    for child in body.named_children if body is not None else ():
        if child.type == "enum_variant":
            yield from _variant_options(child, commands, types, depth)
        elif child.type == "field_declaration":
            yield from _field_options(child, commands, types, depth)


def _variant_options(
    node: Any, commands: tuple[str, ...], types: dict[str, Any], depth: int
) -> Iterator[CommandOption]:
    given = _NAME.search(_attributes(node))
    name = given[1] if given else _HUMP.sub("-", _field_text(node, "name")).lower()
    below, body = (*commands, name), _field(node, "body")
    if body is not None and body.type == "field_declaration_list":
        yield from _type_options(node, below, types, depth + 1)
    elif body is not None and body.named_children:
        inner = types.get(_type_name(node_text(body.named_children[-1])))
        yield from _type_options(inner, below, types, depth + 1)


def _field_options(
    node: Any, commands: tuple[str, ...], types: dict[str, Any], depth: int
) -> Iterator[CommandOption]:
    attributes = _attributes(node)
    if "flatten" in attributes or "subcommand" in attributes:
        inner = types.get(_type_name(_field_text(node, "type")))
        yield from _type_options(inner, commands, types, depth + 1)
    elif long := _LONG.search(attributes):
        name = long[1] or _field_text(node, "name").removeprefix("r#").replace("_", "-")
        yield CommandOption(name, commands, _GLOBAL.search(attributes) is not None)


def _type_name(text: str) -> str:
    while wrapped := _WRAPPED.match(text):
        text = wrapped[1]
    return text.rpartition("::")[2]


_LANGUAGES: dict[str, tuple[str, Callable[[Sequence[Any]], Iterator[CommandOption]]]] = {
    "go": ("go", _cobra_options),
    "rs": ("rust", _clap_options),
    **dict.fromkeys(("js", "mjs", "cjs"), ("javascript", _commander_options)),
    **dict.fromkeys(("ts", "mts", "cts"), ("typescript", _commander_options)),
}
"""Maps a file extension to its language and to the function that finds options."""
