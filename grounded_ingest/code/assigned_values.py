"""Finds the values that source code assigns to names. The names are constants, members of
enumerations, keys of literal objects, and parameters and environment variables with a default.

The value of a name is certain only if the file assigns it once, outside of functions and
conditions.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from grounded_ingest.code.definitions import LONGEST
from grounded_ingest.code.grammars import language_of, node_text, nodes_in
from grounded_ingest.code.literals import (
    Value,
    grammar_value,
    key_value,
    parameter_defaults,
    python_value,
)
from grounded_ingest.text.patterns import compiled


class AssignedValue(NamedTuple):
    """What a file assigns to a name.

    `owner` are the names of the enclosing definitions, the outermost first. `value` is None if the
    file assigns no literal. `written` is the source text of the value. `default` is the value that
    applies if an environment variable or an argument is missing. `open` says why the value is not
    certain, or is empty. `members` are the names or texts inside a container, and `closed` is true
    if the list is complete. `pair` is true for a key in a literal object."""

    name: str
    owner: tuple[str, ...]
    line: int
    value: Value | None = None
    written: str = ""
    default: Value | None = None
    open: str = ""
    members: tuple[str, ...] = ()
    closed: bool = False
    parameter: bool = False
    pair: bool = False


_CLAIMED = {
    "python": "x = {}", "javascript": "const x = {};", "typescript": "const x = {};",
    "tsx": "const x = {};", "go": "package p\nvar x = {}\n", "rust": "const x: T = {};",
    "java": "class A {{ Object x = {}; }}", "c_sharp": "class A {{ object x = {}; }}",
    "ruby": "X = {}", "bash": "x={}",
}  # fmt: skip
"""Maps a language to a short program that assigns the value `{}`. With this program, the value in a
claim is read in the same way as a value in a file."""


def claimed_value(text: str, language: str) -> Value | None:
    """Returns the value of a literal that a document writes in the syntax of `language`: 8443 for
    `8_443` in Python. Returns None if the text is not exactly one literal."""
    if "\n" in text or len(text) > 2_000 or _REMARK.search(text):
        return None
    found = _values(language, _CLAIMED[language].format(text))
    if found is None or len(found) != 1 or found[0].written != text.strip():
        return None
    return found[0].value


_REMARK = compiled(r"/\*|^[^\"'`]*(?://|#(?!\d))")
"""Matches a comment, which could say that the literal beside it does not apply."""


def values_in(path: str, text: str) -> tuple[AssignedValue, ...] | None:
    """Returns the values that a source file assigns, in the order of the file.

    Returns None if there is no parser for the language, or if the file has syntax errors or is too
    long."""
    language = language_of(path)
    return _values(language, text) if language and len(text) <= LONGEST else None


@lru_cache(maxsize=16)
def _values(language: str, text: str) -> tuple[AssignedValue, ...] | None:
    try:
        read = _in_python(text) if language == "python" else _by_grammar(language, text)
        return tuple(_with_doubts(list(read), text, language))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_SCRIPT = (
    r"\b(?:eval|Function)\b|\b(?:Object\.(?:assign|define\w+)|Reflect\.\w+)\(|\bwith\s*\("
    r"|env(?:\.\w+|\[[^\]]*\])\s*(?:\?\?|\|\|)?=(?!=)|\bstatic\s*\{|\bdelete\s"
)
_INDIRECT = {
    "ruby": r"(?:&&|\|\|)\s*[A-Z]\w*\s*=(?!=)|\b(?:(?:__|public_)?send|define_method|and|or)\b"
    r"|\b(?:const_set|remove_const|instance_variable_set|\w*eval|\w*exec)\b",
    "bash": r"(?m)\r|\(\(|\+=|^[ \t]*exit\b|\b(?:source|eval|read|mapfile|readarray|getopts)\b"
    r"|\b(?:unset|let|declare|typeset|local|printf)\b|\b(?:export|readonly)[ \t]+[-\"']"
    r"|(?:^|[\s;&|({!])\.[ \t]|\$\{\w+:?=",
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
}
"""Matches code that can change values without an assignment to their names, by language."""
_TAKEN = compiled(
    r"(?:&|addr_of(?:_mut)?!)\s*\(?\s*(?:mut\s+)?([A-Za-z_]\w*)|\b(?:ref|out)\s+([A-Za-z_]\w*)"
)
"""Matches a variable that other code may change by its address: `flag.IntVar(&port)`."""
_LENDING = ("go", "rust", "c_sharp")
_NAMES = compiled(r"[A-Za-z_$][\w$]*")
_READS = compiled(
    r"(?:\b(?:in|of|typeof|keyof)\s+|\b(?:len|sorted|tuple|set|frozenset)\()"
    r"(?P<before>[A-Za-z_$][\w$]*)\b(?!\s*[.\[])"
    r"|[\"'](?P<quoted>[A-Za-z_$][\w$]*)[\"']"
    r"|\b(?P<name>[A-Za-z_$][\w$]*)(?:\.(?:get|items|keys|values|includes?|indexOf|map|filter|forEach|join|has"
    r"|length|len|iter|contains|some|every|find|copy|index|count|each|size|parse|safeParse)\b"
    r"|\.\w+\b(?!\s*(?:[-+*/|&?]{0,2}=(?!=)|[(.\[]))"
    r"|\[[^\]\n]*\](?!\s*(?:[-+*/|&]?=(?!=)|[.\[])))"
)
"""Matches code that reads a container and leaves it as it is."""


INDIRECT = "the file may change the value"
"""Says why a value is not certain: code such as `setattr` may change it without naming it."""


def _with_doubts(found: list[AssignedValue], text: str, language: str) -> Iterator[AssignedValue]:
    """Yields the values, with the reason in `open` if a value is not certain: the name is assigned
    twice in the same place, or other code in the file may change the name or its container."""
    times = Counter((v.owner, v.name, v.parameter) for v in found)
    indirect = _changes_indirectly(language, text)
    taken = _referenced_variables(text) if language in _LENDING else set()
    uses = _uses(text)
    for value in found:
        number = times[value.owner, value.name, value.parameter]
        open_ = value.open
        if number > 1:
            open_ = f"the name is assigned {number} times"
        elif value.name in taken or _is_given(value, found):
            open_ = "the file may assign the value elsewhere"
        elif _is_mutable(value) and uses[value.name] > 1:
            open_ = "the file may change the content of the value"
        elif value.pair and uses[value.owner[0]] > 1:
            open_ = f"the file may change {value.owner[0]}"
        elif indirect and not (open_ or _is_constant(value, language, text)):
            open_ = INDIRECT
        yield value._replace(open=open_, closed=value.closed and not open_)


def _changes_indirectly(language: str, text: str) -> bool:
    if language == "python":
        return _python_changes_indirectly(text)
    return language in _INDIRECT and re.search(_INDIRECT[language], text) is not None


def _is_constant(value: AssignedValue, language: str, text: str) -> bool:
    """Returns whether a value is a number, string or boolean that JavaScript declares with `const`,
    so that no other code can change it."""
    if value.owner or value.parameter or language not in ("javascript", "typescript", "tsx"):
        return False
    scalar = value.value is not None and value.value[0] not in ("list", "set", "map")
    declared = rf"(?m)^(?:export[ \t]+)?const[ \t]+{re.escape(value.name)}\b"
    return scalar and re.search(declared, text) is not None


def _is_mutable(value: AssignedValue) -> bool:
    constant = value.written.endswith(" as const")
    return value.value is not None and value.value[0] in ("list", "set", "map") and not constant


_GIVEN = compiled(r"\"?\$\{(\w+):?-")


def _is_given(value: AssignedValue, found: list[AssignedValue]) -> bool:
    """Returns whether a shell script also assigns the variable whose default is `value`."""
    given = _GIVEN.match(value.written) if value.default is not None else None
    return given is not None and any(v.name == given[1] for v in found)


def _referenced_variables(text: str) -> set[str]:
    return {m[1] or m[2] for m in _TAKEN.finditer(text)}


def _uses(text: str) -> Counter[str]:
    """Counts the uses of each name in a text, except those that only read the value."""
    uses = Counter(_NAMES.findall(text))
    uses.subtract(m[m.lastgroup or 0] for m in _READS.finditer(text))
    return uses


def named(found: Sequence[AssignedValue], name: str) -> list[AssignedValue]:
    """Returns the assigned values whose name is `name`. The name may be qualified: `PORT`,
    `Settings.PORT`."""
    parts = name.replace("::", ".").split(".")
    return [v for v in found if not v.parameter and [*v.owner, v.name][-len(parts) :] == parts]


def parameter_of(
    found: tuple[AssignedValue, ...], function: str, parameter: str
) -> list[AssignedValue]:
    """Returns the default of the parameter `parameter` in each function with the name `function`,
    which may be qualified."""
    parts = [*function.replace("::", ".").split("."), parameter]
    return [v for v in found if v.parameter and [*v.owner, v.name][-len(parts) :] == parts]


# Python


_ENCODING = compiled(r"\A(?:[^\n]*\n)?[ \t\f]*#[^\n]*coding[:=][ \t]*(?!utf-?8\b)", re.I)
_POWERS = frozenset(
    (
        "globals", "locals", "vars", "exec", "eval", "setattr", "delattr", "putenv",
        "__import__", "extend_enum", "patch", "modules", "_getframe", "f_globals", "__setattr__",
    )
)  # fmt: skip
_HANDLES = frozenset(("__dict__", "__class__", "__defaults__", "__kwdefaults__"))
"""Python code can change other names by the names in `_POWERS`, and by assignments to the
attributes in `_HANDLES`."""


def _python_changes_indirectly(text: str) -> bool:
    return _ENCODING.search(text) is not None or any(map(_is_indirect, ast.walk(ast.parse(text))))


def _is_indirect(node: ast.AST) -> bool:
    """Returns whether a syntax node may change variables without an assignment: `globals()`,
    `setattr(settings, …)`, `os.environ["PORT"] = …`."""
    match node:
        case ast.Name(id=name):
            return name in _POWERS
        case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del()):
            return name in _HANDLES
        case (
            ast.Attribute(attr="update", value=ast.Attribute(attr=name))
            | ast.Subscript(ctx=ast.Store() | ast.Del(), value=ast.Attribute(attr=name))
        ):
            return name in _HANDLES or name == "environ"
        case ast.Attribute(attr=name):
            return name in _POWERS
        case ast.Call(func=ast.Attribute(attr="setdefault", value=value)):
            return _dotted(value) in ("os.environ", "environ")
        case ast.Subscript(value=value, ctx=ast.Store()):
            return _dotted(value) in ("os.environ", "environ")
        case ast.FunctionDef(name=name):
            return name in _CONVERTERS
        case _:
            return False


_CONDITION = "the definition may not apply: it is inside a condition, a loop or a function"
_CLOSED_BASES = frozenset(("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag"))
_MAKERS = ("__new__", "__getattr__", "__getattribute__", "_generate_next_value_")
_PLAIN_DECORATORS = frozenset(
    ("dataclass", "dataclasses.dataclass", "final", "unique", "enum.unique")
)
_ENVIRONMENT = frozenset(("os.environ.get", "os.getenv"))
_CONVERTERS = frozenset(
    ("int", "float", "str", "Path", "Number", "String", "parseInt", "parseFloat")
)


def _in_python(text: str) -> Iterator[AssignedValue]:
    module = ast.parse(text)
    stored = Counter(_assigned_names(module))
    waiting: list[tuple[ast.AST, tuple[str, ...], bool]] = [(n, (), False) for n in module.body]
    while waiting:
        node, owner, conditional = waiting.pop()
        if isinstance(node, _conditions()):
            waiting += [(child, owner, True) for child in ast.iter_child_nodes(node)]
            continue
        name = _name_of(node)
        why = _CONDITION if conditional else _why_reassigned(stored, name, within_class=bool(owner))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _python_parameters(node, (*owner, name), text, why or _why_wrapped(node))
            if name == "__init__" and owner:
                yield from _python_attributes(node, owner, text, stored)
        elif isinstance(node, ast.ClassDef):
            why = why or _why_remade(node)
            yield _python_class(node, owner, why)
            waiting += [(s, (*owner, name), conditional or bool(why)) for s in node.body]
        elif (target := _python_target(node)) is not None:
            yield _python_value(name, owner, target[1], text, why)


def _python_attributes(
    init: ast.FunctionDef | ast.AsyncFunctionDef,
    owner: tuple[str, ...],
    text: str,
    stored: Counter[str],
) -> Iterator[AssignedValue]:
    """Yields the attributes that a constructor sets from an environment variable with a default,
    such as `self.port = os.getenv("PORT", "8443")`."""
    for statement in init.body:
        match statement:
            case (
                ast.Assign(
                    targets=[ast.Attribute(attr=name, value=ast.Name(id="self"))], value=value
                )
                | ast.AnnAssign(
                    target=ast.Attribute(attr=name, value=ast.Name(id="self")),
                    value=ast.expr() as value,
                )
            ) if stored[name] == 2:  # the module assigns it nowhere else
                found = _python_value(name, owner, value, text, "")
                if found.default is not None:
                    yield (found := found._replace(value=None, members=(), closed=False))
                    if (variable := _variable_of(value)) != name:
                        yield found._replace(name=variable, owner=())
            case _:
                pass


def _why_reassigned(stored: Counter[str], name: str, *, within_class: bool) -> str:
    again = stored[name] > (0 if within_class else 1) or (stored["*"] > 0 and not within_class)
    return "the name is assigned again or imported" if again else ""


def _name_of(node: ast.AST) -> str:
    target = _python_target(node)
    return target[0] if target else str(getattr(node, "name", ""))


def _why_wrapped(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """Returns why the parameters of a function may differ from its definition, for example a
    decorator, or an empty string."""
    plain = ("staticmethod", "classmethod", "override", "typing.override")
    wrapped = any(_dotted(d) not in plain for d in node.decorator_list)
    return "a decorator can change the parameters" if wrapped else ""


def _why_remade(node: ast.ClassDef) -> str:
    """Returns why the values of a class may differ from its body, for example a metaclass, or an
    empty string."""
    made = any(_dotted(d) not in _PLAIN_DECORATORS for d in node.decorator_list)
    made = made or any(isinstance(s, ast.FunctionDef) and s.name in _MAKERS for s in node.body)
    if made or any(k.arg == "metaclass" for k in node.keywords):
        return "a decorator, a metaclass or the class itself can change its values"
    return ""


def _python_target(node: ast.AST) -> tuple[str, ast.expr] | None:
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=value):
            return name, value
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
            return name, value
        case _:
            return None


def _python_class(node: ast.ClassDef, owner: tuple[str, ...], open_: str) -> AssignedValue:
    members = tuple(n for statement in node.body for n in _member_names(statement))
    known = bool(node.bases) and all(_is_enum(_dotted(b)) for b in node.bases)
    simple = (ast.Assign, ast.AnnAssign, ast.Expr, ast.FunctionDef)
    closed = known and all(isinstance(s, simple) for s in node.body) and not node.keywords
    if known and any(m.startswith("_") for m in members):
        open_ = open_ or "the enumeration computes its members"
    if any(isinstance(s, ast.Delete) for s in node.body):
        open_ = open_ or "the class deletes members"
    return AssignedValue(
        node.name, owner, node.lineno, written=node.name, open=open_, members=members, closed=closed
    )


def _is_enum(base: str) -> bool:
    return base.removeprefix("enum.") in _CLOSED_BASES


def _conditions() -> tuple[type, ...]:
    return (
        ast.If, ast.For, ast.While, ast.Try, ast.TryStar, ast.With, ast.ExceptHandler, ast.Match,
        ast.match_case, ast.AsyncFor, ast.AsyncWith,
    )  # fmt: skip


def _assigned_names(module: ast.Module) -> Iterator[str]:
    """Yields each name that the module level assigns to, once for every assignment. Assignments in
    functions that declare the name as global are included."""
    waiting: list[tuple[ast.AST, frozenset[str] | None]] = [(module, None)]
    while waiting:
        node, only = waiting.pop()
        name = _bound_name(node)
        if name and (only is None or name in only):
            yield name
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                only = _global_names(node)
            case ast.ClassDef():
                only = frozenset()
            # An update, `Settings.PORT = 1` and `del LIMITS["a"]` alone make a value uncertain.
            case ast.Attribute(attr=name, ctx=ast.Store() | ast.Del(), value=value):
                yield from (name, name)
                if isinstance(value, ast.Name) and value.id not in ("self", "cls"):
                    yield from (value.id, value.id)
            case (
                ast.AugAssign(target=ast.Name(id=name))
                | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del())
            ):
                yield from (name, name)
            case _:
                pass
        waiting += [(child, only) for child in ast.iter_child_nodes(node)]


def _bound_name(node: ast.AST) -> str:
    match node:
        case (
            ast.FunctionDef(name=name)
            | ast.AsyncFunctionDef(name=name)
            | ast.ClassDef(name=name)
            | ast.ExceptHandler(name=str() as name)
            | ast.MatchAs(name=str() as name)
            | ast.MatchStar(name=str() as name)
            | ast.MatchMapping(rest=str() as name)
            | ast.Name(id=name, ctx=ast.Store() | ast.Del())
        ):
            return name
        case ast.alias(name=name, asname=asname):
            return asname or name.partition(".")[0]
        case _:
            return ""


def _global_names(function: ast.AST) -> frozenset[str]:
    return frozenset(
        name for n in ast.walk(function) if isinstance(n, ast.Global) for name in n.names
    )


def _python_value(
    name: str, owner: tuple[str, ...], value: ast.expr, text: str, open_: str
) -> AssignedValue:
    folded = python_value(value)
    return AssignedValue(
        name, owner, value.lineno, folded, (ast.get_source_segment(text, value) or "").strip(),
        _python_default(value), open_, *_contents(folded),
    )  # fmt: skip


def _contents(value: Value | None, *, constant: bool = False) -> tuple[tuple[str, ...], bool]:
    """Returns the texts in a list, or the keys of a map, and whether they are complete. Other files
    can add to a list or map that is not `constant`, but not to a tuple."""
    if value is None or value[0] not in ("list", "tuple", "set", "map"):
        return (), False
    items = [pair[0] for pair in value[1]] if value[0] == "map" else list(value[1])
    texts = tuple(i[1] for i in items if i[0] == "text")
    return texts, (constant or value[0] == "tuple") and len(texts) == len(items)


def _python_default(value: ast.expr) -> Value | None:
    match value:
        case ast.Call(func=func, args=[_, default], keywords=[]) if _dotted(func) in _ENVIRONMENT:
            return python_value(default)
        case ast.Call(func=ast.Name(id=name), args=[inner], keywords=[]) if name in _CONVERTERS:
            return _convert(_python_default(inner), name)
        case _:
            return None


def _variable_of(value: ast.expr) -> str:
    """Returns the environment variable that a call such as `int(os.getenv("PORT", "1"))` reads."""
    match value:
        case ast.Call(args=[ast.Constant(value=str() as name), _]):
            return name
        case ast.Call(args=[inner]):
            return _variable_of(inner)
        case _:
            return ""


def _convert(value: Value | None, converter: str) -> Value | None:
    """Returns the value after a conversion such as `int("8443")`."""
    if value is None or value[0] != "text":
        return value if value and value[0] == "int" and converter in ("int", "Number") else None
    if converter in ("int", "Number", "parseInt") and value[1].isdecimal():
        return ("int", Fraction(int(value[1])))
    return value if converter in ("str", "String", "Path") else None


def _dotted(node: ast.AST) -> str:
    return ast.unparse(node) if isinstance(node, ast.Name | ast.Attribute) else ""


def _member_names(statement: ast.AST) -> Iterator[str]:
    match statement:
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Assign(targets=targets):
            yield from (n.id for t in targets for n in ast.walk(t) if isinstance(n, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name)):
            yield name
        case _:
            pass


def _python_parameters(
    node: ast.FunctionDef | ast.AsyncFunctionDef, owner: tuple[str, ...], text: str, open_: str
) -> Iterator[AssignedValue]:
    for name, default in parameter_defaults(node.args):
        found = _python_value(name, owner, default, text, open_)
        yield found._replace(parameter=True, default=found.value)


# Other languages


_DEFINING = {
    "variable_declarator": ("name", "value"), "public_field_definition": ("name", "value"),
    "field_definition": ("property", "value"), "enum_assignment": ("name", "value"),
    "pair": ("key", "value"), "const_spec": ("name", "value"), "var_spec": ("name", "value"),
    "const_item": ("name", "value"), "static_item": ("name", "value"),
    "enum_variant": ("name", "value"), "enum_member_declaration": ("name", "value"),
    "assignment": ("left", "right"), "variable_assignment": ("name", "value"),
    "property_declaration": ("name", "value"),
}  # fmt: skip
"""Maps each type of node that assigns a value to its fields for the name and the value."""
_PARAMETERS = {
    "required_parameter": ("pattern", "value"), "optional_parameter": ("name", "value"),
    "keyword_parameter": ("name", "value"), "assignment_pattern": ("left", "right"),
}  # fmt: skip
_OWNING = compiled(
    r"^(?:(?:abstract_)?class(?:_declaration)?|(?:enum|interface|struct|record|namespace)_declaration|"
    r"(?:internal_)?module|(?:impl|mod|trait|enum|struct)_item)$"
)
_LOCAL = compiled(
    r"function|lambda|closure|constructor|accessor|initializer$|^do_block$"
    r"|^(?:singleton_)?method(?:_declaration|_definition)?$|^(?:command|subshell|pipeline)$"
)
_CONDITIONAL = compiled(
    r"(?:^|_)(?:if|unless|for|foreach|while|until|loop|switch|match|try|catch|rescue|case|ternary)(?:_|$)"
    r"|^(?:block|statement_block|do_statement)$"
)
_ASSIGNING = compiled(
    r"^(?:augmented_)?assignment_expression$|^assignment_statement$|^operator_assignment$|"
    r"^(?:update_expression|inc_statement|dec_statement|compound_assignment_expr|postfix_unary_expression|for_in_statement|range_clause)$"
)  # fmt: skip


class _Around(NamedTuple):
    """The definitions around a syntax node: their names, their last byte, and whether they are
    local or conditional."""

    end: int
    owner: tuple[str, ...] = ()
    function: str = ""
    local: bool = False
    conditional: bool = False


def _by_grammar(language: str, text: str) -> Iterator[AssignedValue]:
    nodes = list(nodes_in(language, text))
    if not nodes or nodes[0].has_error:
        raise ValueError("the file has syntax errors")
    changed = {name for n in nodes if _ASSIGNING.search(n.type) for name in _changed_names(n)}
    if language == "bash":
        changed |= _assigned_twice(nodes)
    around = [_Around(len(text.encode()) + 1)]
    for node in nodes:
        while len(around) > 1 and around[-1].end < max(node.end_byte, node.start_byte + 1):
            around.pop()
        here = around[-1]
        found = list(_read_node(node, here, language))
        for value in found:
            again = value.name in changed and not value.parameter
            yield value._replace(open="the name is assigned again") if again else value
        around.append(_inside(node, here, _name_below(node, found), language))


def _name_below(node: Any, found: Sequence[AssignedValue]) -> str:
    """Returns the name that a node defines as owner of the nodes inside it, or an empty string."""
    plain = found and not found[0].parameter and node.type in _DEFINING
    return found[0].name if plain else _owner_name(node)


def _read_node(node: Any, here: _Around, language: str) -> Iterator[AssignedValue]:
    if node.type in _PARAMETERS and here.function and not here.conditional:
        yield from _parameter(node, here, language)
    elif (fields := _DEFINING.get(node.type)) and not here.local:
        yield from _read_assignment(node, fields, here, language)
    elif node.type in ("enum_declaration", "enum_item") and not here.local:
        yield _enumeration(node, here, language)


_ENUM_MEMBER = compiled(
    r"enum_(?:assignment|variant|constant|member_declaration)|property_identifier"
)


def _enumeration(node: Any, here: _Around, language: str) -> AssignedValue:
    body = node.child_by_field_name("body")
    inner = body.named_children if body is not None else []
    inner = [n for n in inner if _ENUM_MEMBER.fullmatch(n.type)]
    members = tuple(node_text(n.child_by_field_name("name") or n) for n in inner)
    conditional = here.conditional or "cfg" in node_text(node) or _is_configured(node, language)
    name = node_text(node.child_by_field_name("name"))
    return AssignedValue(
        name, here.owner, node.start_point[0] + 1, written=name,
        open=_CONDITION if conditional else "", members=members, closed=bool(members),
    )  # fmt: skip


def _owner_name(node: Any) -> str:
    if not _OWNING.match(node.type):
        return ""
    named_by = node.child_by_field_name("name") or node.child_by_field_name("type")
    return node_text(named_by).partition("<")[0]


def _inside(node: Any, here: _Around, name: str, language: str) -> _Around:
    """Returns the `_Around` for the nodes inside `node`. `name` is the definition that owns the
    inner nodes, or empty."""
    inside = here._replace(end=node.end_byte, owner=(*here.owner, name) if name else here.owner)
    if _LOCAL.search(node.type):
        function = "" if here.local else node_text(node.child_by_field_name("name"))
        inside = inside._replace(local=True, function=function)
    if _CONDITIONAL.search(node.type) or _is_configured(node, language):
        inside = inside._replace(conditional=True)
    return inside


def _is_configured(node: Any, language: str) -> bool:
    """Returns whether a Rust item is compiled only under a condition (`#[cfg(...)]`)."""
    if language != "rust":
        return False
    before = node.prev_named_sibling
    while before is not None and ("attribute" in before.type or "comment" in before.type):
        if "cfg" in node_text(before):
            return True
        before = before.prev_named_sibling
    return False


def _changed_names(node: Any) -> list[str]:
    """Returns the names on an assignment's left side: `CONFIG` and `port` for `CONFIG.port = 1`."""
    for field in ("left", "argument", "operand"):
        if (target := node.child_by_field_name(field)) is not None:
            break
    else:
        target = node.named_children[0] if node.named_children else None
    return _NAMES.findall(node_text(target)) if target is not None else []


def _assigned_twice(nodes: Sequence[Any]) -> set[str]:
    fields = {"variable_assignment": "name", "for_statement": "variable"}
    names = (n.child_by_field_name(fields[n.type]) for n in nodes if n.type in fields)
    times = Counter(node_text(name) for name in names if name is not None)
    return {name for name, number in times.items() if number > 1}


def _last_child(node: Any, language: str) -> Any:
    """Returns the value in a C# declaration. The C# grammar has no field name for this node."""
    declares = language == "c_sharp" and node.type == "variable_declarator"
    return node.named_children[-1] if declares and len(node.named_children) > 1 else None


def _read_assignment(
    node: Any, fields: tuple[str, str], here: _Around, language: str
) -> Iterator[AssignedValue]:
    names = node.children_by_field_name(fields[0])
    value = node.child_by_field_name(fields[1]) or _last_child(node, language)
    if len(names) != 1 or value is None:
        return
    if node.type == "pair":
        key = key_value(names[0], language)
        if key is None or not here.owner:
            return
        name = str(key[1])
    else:
        name = node_text(names[0])
    if not _NAMES.fullmatch(name) and node.type != "pair":
        return  # a pattern that takes values apart
    open_ = _why_open(node, here, language)
    folded = grammar_value(value, language)
    members, closed = _contents(folded, constant=node_text(value).endswith(" as const"))
    yield AssignedValue(
        name, here.owner, node.start_point[0] + 1, folded, node_text(value),
        _grammar_default(value, language), open_, members, closed, pair=node.type == "pair",
    )  # fmt: skip


def _why_open(node: Any, here: _Around, language: str) -> str:
    if here.conditional or _is_configured(node, language):
        return _CONDITION
    if node.type == "var_spec":
        return "other files of the package may assign another value to the variable"
    plain = node.type != "pair" or _is_of_literal(node)
    return "" if plain else "the object is not a plain literal"


_WRAPPERS = ("object", "hash", "pair", "as_expression", "parenthesized_expression")


def _is_of_literal(pair: Any) -> bool:
    """Returns whether a key's object has only plain keys and is assigned to a name unchanged."""
    node = pair.parent
    while node is not None and node.type in _WRAPPERS:
        if node.type in ("object", "hash") and not _has_plain_keys(node):
            return False
        node = node.parent
        if node is not None and node.type == "arguments":  # `z.object({…})`
            call = node.parent
            node = call.parent if node_text(call).startswith("z.object(") else None
    return node is not None and node.type in ("variable_declarator", "assignment")


def _has_plain_keys(literal: Any) -> bool:
    inner = [n for n in literal.named_children if "comment" not in n.type]
    keys = [node_text(n.child_by_field_name("key")) for n in inner if n.type == "pair"]
    computed = any(key.startswith("[") for key in keys)
    return len(set(keys)) == len(inner) and not computed


def _parameter(node: Any, here: _Around, language: str) -> Iterator[AssignedValue]:
    name, value = (node.child_by_field_name(f) for f in _PARAMETERS[node.type])
    in_pattern = node.type == "assignment_pattern" and node.parent.type != "formal_parameters"
    if in_pattern or name is None or value is None:
        return
    if _NAMES.fullmatch(node_text(name)):
        folded = grammar_value(value, language)
        yield AssignedValue(
            node_text(name), (*here.owner, here.function), node.start_point[0] + 1, folded,
            node_text(value), folded, parameter=True,
        )  # fmt: skip


_JS_ENVIRONMENT = compiled(
    r"(?:process|import\.meta)\.env(?:\.\w+|\[[\"']\w+[\"']\])|Deno\.env\.get\([\"']\w+[\"']\)"
)


def _grammar_default(node: Any, language: str) -> Value | None:
    """Returns the default of an environment variable: `process.env.X ?? 1`, `Number(…)`,
    `z.number().default(1)` or `${X:-1}`."""
    if language == "bash":
        return _shell_default(node_text(node))
    if node.type == "call_expression":
        return _default_of_call(node, language)
    if node.type != "binary_expression":
        return None
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    sign = node_text(node.child_by_field_name("operator"))
    is_default = sign in ("??", "||") and _JS_ENVIRONMENT.fullmatch(node_text(left))
    return grammar_value(right, language) if is_default else None


def _default_of_call(node: Any, language: str) -> Value | None:
    function = node_text(node.child_by_field_name("function"))
    given = node.child_by_field_name("arguments")
    inner = given.named_children if given is not None else []
    if function in _CONVERTERS and [node_text(n) for n in inner[1:]] in ([], ["10"]):
        return _convert(_grammar_default(inner[0], language), function)
    if _ZOD.match(function) and function.endswith(".default") and len(inner) == 1:
        return grammar_value(inner[0], language)
    return None


_ZOD = compiled(r"(?:z|zod|v)\.")
_SHELL_DEFAULT = compiled(r"(\"?)\$\{\w+:?-([^${}`\"']*)\}\1")


def _shell_default(text: str) -> Value | None:
    match = _SHELL_DEFAULT.fullmatch(text)
    return ("text", match[2]) if match else None
