"""Options that programs in Go, Rust and JavaScript declare: cobra and pflag, clap's derive,
commander and what is written like it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from grounded_ingest.text.patterns import compiled

LONGEST = 1_000_000
"""Characters of the longest text that is parsed."""
_DEEPEST = 8


class CommandOption(NamedTuple):
    """`--name`, by its name, and the commands below the program that it belongs to; `everywhere`:
    it belongs to those below them as well."""

    name: str
    commands: tuple[str, ...]
    everywhere: bool = False

    def belongs_to(self, commands: tuple[str, ...]) -> bool:
        own = self.commands
        return commands == own or (self.everywhere and commands[: len(own)] == own)


def command_options(path: str, text: str) -> frozenset[CommandOption]:
    """The options of a text whose commands it names up to the program; none of other languages."""
    known = _LANGUAGES.get(path.rpartition(".")[2].lower())
    if known is None or len(text) > LONGEST:
        return frozenset()
    from grounded_ingest.code.grammars import nodes_in

    language, read = known
    try:
        return frozenset(read(list(nodes_in(language, text))))
    except (ValueError, RecursionError, MemoryError):  # cut short
        return frozenset()


def _text(node: Any) -> str:
    return node.text.decode(errors="replace") if node is not None and node.text else ""


def _literal(node: Any) -> str:
    """What a string literal holds; empty for what is none."""
    known = node is not None and node.type.endswith(("string", "string_literal"))
    return _text(node).strip("\"'`") if known else ""


def _first_word(text: str) -> str:
    return text.split(" ")[0] if text else ""


_DEFINES = compiled(
    r"(?:Bool|String|Int|Uint|Float|Duration|Count|IP|Bytes|Text|Time)\w*?(?P<var>Var)?P?$"
)
_SETS = {"Flags": False, "LocalFlags": False, "PersistentFlags": True}


def _of_cobra(nodes: list[Any]) -> Iterator[CommandOption]:
    """Commands held by variables of a package: `var syncCmd = &cobra.Command{Use: "sync"}`."""
    named: dict[str, str] = {}
    above: dict[str, str] = {}
    twice: set[str] = set()
    found: list[tuple[str, str, bool]] = []
    for node in nodes:
        if node.type == "composite_literal" and _text(node.child_by_field_name("type")).endswith(
            "cobra.Command"
        ):
            variable = _held_by(node)
            twice |= {variable} & named.keys()
            named[variable] = _first_word(_use_of(node))
        elif node.type == "call_expression":
            called = node.child_by_field_name("function")
            arguments = node.child_by_field_name("arguments").named_children
            if _method(called) == "AddCommand":
                owner = _text(called.child_by_field_name("operand"))
                above.update((_text(a), owner) for a in arguments)
            elif flag := _flag_of(called, arguments):
                found.append(flag)
    for variable, name, everywhere in found:
        commands = _below_root(variable, named, above) if variable not in twice else None
        if commands is not None:
            yield CommandOption(name, commands, everywhere)


def _method(called: Any) -> str:
    known = called.type == "selector_expression"
    return _text(called.child_by_field_name("field")) if known else ""


def _flag_of(called: Any, arguments: list[Any]) -> tuple[str, str, bool] | None:
    """The variable of a command, and the flag that a call adds to it."""
    defines = _DEFINES.match(_method(called))
    owner = called.child_by_field_name("operand") if defines else None
    if not defines or owner is None or owner.type != "call_expression":
        return None
    flags = owner.child_by_field_name("function")
    at = 1 if defines["var"] else 0
    name = _literal(arguments[at]) if len(arguments) > at else ""
    if _method(flags) not in _SETS or not name:
        return None
    return _text(flags.child_by_field_name("operand")), name, _SETS[_method(flags)]


def _held_by(node: Any) -> str:
    """The variable that a literal is given to."""
    for _ in range(4):
        node = node.parent
        if node is None or node.type in ("var_spec", "short_var_declaration"):
            break
    field = "name" if node is not None and node.type == "var_spec" else "left"
    return _text(node.child_by_field_name(field)) if node is not None else ""


def _use_of(node: Any) -> str:
    body = node.child_by_field_name("body")
    for element in body.named_children if body is not None else ():
        key, value = element.child_by_field_name("key"), element.child_by_field_name("value")
        if _text(key) == "Use" and value is not None and value.named_children:
            return _literal(value.named_children[0])
    return ""


def _below_root(
    variable: str, named: dict[str, str], above: dict[str, str]
) -> tuple[str, ...] | None:
    """The commands from the program down to that of a variable; None where that is not told."""
    found: list[str] = []
    for _ in range(_DEEPEST):
        if "root" in variable.lower():
            return tuple(reversed(found))
        if not named.get(variable) or variable not in above:
            return None
        found.append(named[variable])
        variable = above[variable]
    return None


_CHAINED = compiled(r"--(?:\[no-\])?(?P<name>[A-Za-z][\w-]*)")


def _is_program(name: str) -> bool:
    return name == "cli" or "program" in name.lower()


def _of_commander(nodes: list[Any]) -> Iterator[CommandOption]:
    """`program.command('run').option('--fast')`; what holds the program is called so, or `cli`."""
    held: dict[str, tuple[str, ...] | None] = {}
    for node in nodes:
        if node.type == "variable_declarator" and (name := _text(node.child_by_field_name("name"))):
            chain = _chain_of(node.child_by_field_name("value"), held)
            held[name] = None if name in held else chain
    for node in nodes:
        if node.type != "call_expression":
            continue
        called = node.child_by_field_name("function")
        if _text(called.child_by_field_name("property")) not in ("option", "requiredOption"):
            continue
        commands = _chain_of(called.child_by_field_name("object"), held)
        arguments = node.child_by_field_name("arguments").named_children
        declared = _CHAINED.search(_literal(arguments[0])) if arguments else None
        if commands is not None and declared:
            yield CommandOption(declared["name"], commands)


def _chain_of(node: Any, held: dict[str, tuple[str, ...] | None]) -> tuple[str, ...] | None:
    """The commands that a chain of calls is about; None where it begins with something else."""
    below: list[str] = []
    for _ in range(400):
        if node is None:
            return None
        if node.type == "identifier":
            start = () if _is_program(_text(node)) else held.get(_text(node))
            return None if start is None else (*start, *reversed(below))
        if node.type != "call_expression":
            return None
        called = node.child_by_field_name("function")
        if _text(called.child_by_field_name("property")) == "command":
            arguments = node.child_by_field_name("arguments").named_children
            name = _first_word(_literal(arguments[0])) if arguments else ""
            if not name or below:
                return None
            below.append(name)
        node = called.child_by_field_name("object")
    return None


_LONG = compiled(r"\blong\b(?:\s*=\s*\"([\w-]+)\")?")
_GLOBAL = compiled(r"\bglobal\s*=\s*true\b")
_NAMED = compiled(r"\bname\s*=\s*\"([\w-]+)\"")
_RENAMED = compiled(r"\brename_all\b")
_HUMP = compiled(r"(?<=[a-z0-9])(?=[A-Z])")
_WRAPPED = compiled(r"(?:Option|Box|Vec)<(.*)>$")


class _Field(NamedTuple):
    attributes: str
    name: str
    type: str


def _of_clap(nodes: list[Any]) -> Iterator[CommandOption]:
    """From the type that derives `Parser` down, as far as this text defines the types."""
    structs = {
        _text(n.child_by_field_name("name")): n
        for n in nodes
        if n.type in ("struct_item", "enum_item")
    }
    for node in structs.values():
        attributes = _attributes(node)
        if "Parser" in attributes and not _RENAMED.search(attributes):
            yield from _of_type(node, (), structs, 0)


def _attributes(node: Any) -> str:
    """The attributes that stand before an item."""
    found: list[str] = []
    node = node.prev_named_sibling
    while node is not None and node.type in ("attribute_item", "line_comment", "block_comment"):
        found += [_text(node)] if node.type == "attribute_item" else []
        node = node.prev_named_sibling
    return " ".join(found)


def _of_type(
    node: Any, commands: tuple[str, ...], structs: dict[str, Any], depth: int
) -> Iterator[CommandOption]:
    if node is None or depth > _DEEPEST:
        return
    body = node.child_by_field_name("body")
    for child in body.named_children if body is not None else ():
        if child.type == "enum_variant":
            attributes = _attributes(child)
            named = _NAMED.search(attributes)
            name = named[1] if named else _kebab(_text(child.child_by_field_name("name")))
            held = child.child_by_field_name("body")
            below = (*commands, name)
            if held is not None and held.type == "field_declaration_list":
                yield from _of_type(child, below, structs, depth + 1)
            elif held is not None and held.named_children:
                inner = structs.get(_type_name(_text(held.named_children[-1])))
                yield from _of_type(inner, below, structs, depth + 1)
        elif child.type == "field_declaration":
            field = _Field(
                _attributes(child),
                _text(child.child_by_field_name("name")),
                _text(child.child_by_field_name("type")),
            )
            yield from _of_field(field, commands, structs, depth)


def _of_field(
    field: _Field, commands: tuple[str, ...], structs: dict[str, Any], depth: int
) -> Iterator[CommandOption]:
    inner = structs.get(_type_name(field.type))
    if "flatten" in field.attributes or "subcommand" in field.attributes:
        yield from _of_type(inner, commands, structs, depth + 1)
    elif long := _LONG.search(field.attributes):
        name = long[1] or field.name.removeprefix("r#").replace("_", "-")
        yield CommandOption(name, commands, _GLOBAL.search(field.attributes) is not None)


def _type_name(text: str) -> str:
    while wrapped := _WRAPPED.match(text):
        text = wrapped[1]
    return text.rpartition("::")[2]


def _kebab(name: str) -> str:
    return _HUMP.sub("-", name).lower()


_Reader = Callable[[list[Any]], Iterator[CommandOption]]
_LANGUAGES: dict[str, tuple[str, _Reader]] = {
    "go": ("go", _of_cobra),
    "rs": ("rust", _of_clap),
    **dict.fromkeys(("js", "mjs", "cjs"), ("javascript", _of_commander)),
    **dict.fromkeys(("ts", "mts", "cts"), ("typescript", _of_commander)),
}
"""By the ends of file names."""
