"""Finds every literal that a source file gives a name: in assignments, fields, keyword arguments
and defaults, also inside calls (`timeout = Parameter(60.0)`), and as default of a name that code
looks up by its text (`env("BODY_LIMIT", "512K")`, `process.env.PORT ?? 8443`)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, NamedTuple

from grounded_ingest.code.data_values import format_of, values_of
from grounded_ingest.code.definitions import LONGEST
from grounded_ingest.code.grammars import language_of, node_text, nodes_in
from grounded_ingest.code.literals import NOTHING, Value, grammar_value
from grounded_ingest.text.patterns import compiled

Literals = list[Value | None]
"""The literals to which an expression leads, or `("name", x)` for another name of the file. None
stands for a part that only a run can tell."""


class GivenValue(NamedTuple):
    """A place that gives a name a value: its line, source text and literals. `used` is true if the
    place may be one of many uses of the name, such as a keyword argument or a key outside of
    anything that is called a default. `declared` is true if the place declares an option with its
    default, as `{type: "int", default: 3}`. Such a place decides over uses and computed values."""

    line: int
    written: str
    literals: Literals
    used: bool = False
    declared: bool = False


_MOST = 50
"""Maximum number of places of a name that are read in a file."""


def given_values(path: str, text: str, name: str) -> list[GivenValue] | None:
    """Returns the places in a source or data file that give `name` a value. A place that only
    passes on a value of the same name, such as `self.port = port`, is left out.

    Returns None if the file cannot be parsed or is too long."""
    if format_of(path):
        return [GivenValue(0, v.written, [v.value]) for v in values_of(path, text, name)]
    if not language_of(path) or len(text) > LONGEST:
        return None
    try:
        return _resolve(path, text, _places_in(path, text, name))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _resolve(path: str, text: str, found: list[GivenValue]) -> list[GivenValue]:
    """Returns the places with the literals of the constants that they name."""
    constants = {v[1] for place in found for v in place.literals if v and v[0] == "name"}
    known = sorted(constants)[:_FEW]
    values = {("name", c): _literal_of(_places_in(path, text, c)) for c in known}
    named = {("name", c): None for c in constants} | values
    return [
        p._replace(
            literals=[
                named.get(v) or _member_in(p.written) if v in named else v for v in p.literals
            ]
        )
        for p in found
    ]


def _member_in(written: str) -> Value | None:
    """Returns the text of an expression such as `Level::INFO`, a member of a type whose names begin
    with capitals, or None."""
    return ("text", written) if MEMBER.fullmatch(written) else None


MEMBER = compiled(r"[A-Z]\w*(?:\.|::)(?P<name>[A-Z]\w*)")
"""Matches a member of a type: `Level::WARN`."""


_FEW = 3
"""Maximum number of constants in the same file whose values are looked up for a name."""


def _literal_of(places: Sequence[GivenValue]) -> Value | None:
    """Returns the literal if all places lead to one and the same, else None."""
    found = {v for place in places for v in place.literals}
    literal = found.pop() if len(found) == 1 else None
    return literal if literal and literal[0] != "name" else None


def _places_in(path: str, text: str, name: str) -> list[GivenValue]:
    language, own = language_of(path), re.escape(name)
    read = _all_places(language, text, name)
    passed_on = compiled(
        rf"[&*]*(?:[\w$]+(?:\.|::|\?\.|->))*_*{own}(?:\.\w+\(\))*|\"?\$\{{?{own}\b[^$]*"
    )
    found = [v for v in islice(read, _MOST) if not passed_on.fullmatch(v.written)]
    # A default inside an expression decides alone: `LIMIT = bounded(env.LIMIT, 8, 1, 32)`.
    inner = [v.written for v in found if _is_certain(v) and name in v.written]
    return [v for v in found if _is_certain(v) or not any(i in v.written for i in inner)]


def _is_certain(place: GivenValue) -> bool:
    (first, *others) = place.literals or [None]
    return first is not None and first[0] != "name" and not others


def _scalar(value: Value | None) -> Literals | None:
    scalar = value is not None and value[0] in ("int", "float", "duration", "text", "truth")
    return [value] if scalar else None


_LOOKING_UP = compiled(
    r"(?i)env|get|fetch|lookup|default|conf|option|setting|param|flag|add_argument|(?:varp?|set)\b"
)
"""Matches functions that look up a value by its name, set it, or give it a default."""


def _of_alternatives(first: Literals, others: Literals) -> Literals:
    """Returns the literals of `first || others`. What `first` computes may be missing."""
    return [*(v for v in first if v and v[0] != "name"), *others] or [None]


_DEFAULT = compiled(r"(?i)default")


_NAMES = compiled(
    r"(?:property_|field_|private_property_|shorthand_property_)?identifier(?:_pattern)?|constant|variable_name|hash_key_symbol"
    r"|(?:instance|class)_variable"
    r"|simple_symbol|string_(?:fragment|content)|interpreted_string_literal_content"
    r"|string_literal_content"
)
"""Matches the types of leaves that may be a name or its text."""
_FIELDS = (("left", "right"), ("name", "value"), ("key", "value"), ("property", "value"),
           ("pattern", "value"), ("field", "value"), ("targets", "value"), ("target", "value"),
           ("arg", "value"))  # fmt: skip
"""Fields of a syntax node with the name and the value that the name gets."""
_THROUGH = compiled(
    r"string|.*string_literal|literal_element|expression_list|argument|computed_property_name"
)
"""Matches nodes around a name that stand for the name."""
_LOOKED_UP = compiled(r"^\S*string|\benv\b")
"""Matches the type and text of a name that a call looks up: a text, or a variable of `env`."""
_MEMBERS = compiled(
    r"(?:member|field|selector|member_access|subscript)_expression|field_access|element_reference"
    r"|attribute|subscript"
)
_CALLS = compiled(
    r"call(?:_expression)?|invocation_expression|method_invocation|new_expression"
    r"|object_creation_expression"
)
_SAME = compiled(
    r"parenthesized_expression|await_expression|try_expression|as_expression|reference_expression"
    r"|non_null_expression|expression_list|literal_element|argument|equals_value_clause"
)
"""Matches expressions with the value of their first part."""


def _all_places(language: str, text: str, name: str) -> Iterator[GivenValue]:
    nodes = list(nodes_in(language, text, name))
    if not nodes or nodes[0].has_error:
        raise ValueError("the file has syntax errors")
    for node in nodes:
        if _NAMES.fullmatch(node.type):
            written = node_text(node).strip(":")
            if name in (written, written.removeprefix("@@")):  # a variable of a class in Ruby
                yield from _places(node, language)
                yield from _default_of_field(node)


def _places(node: Any, language: str) -> Iterator[GivenValue]:
    """Yields the place that gives a name its value, if the syntax node is in such a place. `None`
    and `null` are no values, because another place gives the name its value then."""
    while (parent := node.parent) is not None:
        if (value := _given(node, parent)) is not None:
            if not _is_in_setter(node, value) and grammar_value(value, language) != NOTHING:
                yield _given_value(value, parent, language)
            return
        listed = parent.type in ("arguments", "argument_list", "argument")
        if (listed and _LOOKED_UP.search(f"{node.type} {node_text(node)}")) or _is_alternative(
            parent, node
        ):
            yield from _looked_up(node, parent, language)
            return
        member = _MEMBERS.fullmatch(parent.type) or _is_attribute(parent, language)
        last = member and parent.named_children[-1] == node
        if last and "subscript" in parent.type and node.type == "identifier":
            return  # the name is a variable with the key
        if not (last or _THROUGH.fullmatch(parent.type)):
            return
        node = parent


def _is_attribute(node: Any, language: str) -> bool:
    """Returns whether a node is an attribute in Ruby, as `self.port`, which is a call there."""
    return language == "ruby" and node.type == "call" and not node.child_by_field_name("arguments")


def _given_value(value: Any, parent: Any, language: str) -> GivenValue:
    value = _only_member(value) or value
    written, default = node_text(value), _default_of(value)
    used = not _DEFAULT.match(written) and default is None and _is_used(parent)
    literals = _literals(value if default is None else default, language)
    return GivenValue(value.start_point[0] + 1, written, literals, used, default is not None)


_STRUCT = compiled(r"composite_literal|struct_expression")


def _only_member(node: Any) -> Any:
    """Returns the value of the only member of a struct, as of `Store{Size: 3}`, or None."""
    while _SAME.fullmatch(node.type) and len(node.named_children) == 1:
        node = node.named_children[0]
    body = node.child_by_field_name("body") if _STRUCT.fullmatch(node.type) else None
    members = [n for n in body.named_children if "comment" not in n.type] if body else []
    gift = gift_of(members[0]) if len(members) == 1 else None
    return gift[1] if gift else None


_NAME = compiled(r"[A-Za-z_$][\w$]*")
_PASSED = compiled(r"[A-Za-z_$][\w$]*(?:\.\w+\(\))?")


def _is_in_setter(node: Any, value: Any) -> bool:
    """Returns whether a value is a bare name, or a method of it, in the setter of the name (`port`,
    `setPort` or `withPort`), as in `this.port = value`."""
    if not _PASSED.fullmatch(node_text(value)):
        return False
    name = re.split(r"\W", node_text(node))[-1].replace("_", "").lower()
    around = node.parent
    while around is not None:
        called = around.child_by_field_name("name")
        if called is not None and around.child_by_field_name("parameters") is not None:
            plain = node_text(called).replace("_", "").lower()
            return plain in (name, f"set{name}", f"with{name}")
        around = around.parent
    return False


_USING = compiled(
    r"pair|dict_item|argument|keyword|keyed_element|field_initializer|element_value_pair"
)

_NAMED = ("name", "left", "targets", "target")


def _is_used(giving: Any) -> bool:
    """Returns whether the node that gives a name a value is a key or an argument outside of
    anything that is called a default."""
    node = giving.parent
    if not (_USING.fullmatch(giving.type) or "initializer" in node.type):
        return False
    while node is not None:
        named = next(filter(None, map(node.child_by_field_name, _NAMED)), None)
        if named is not None and node.type != "compare" and _DEFAULT.search(node_text(named)):
            return False
        node = node.parent
    return True


_CSHARP = ("variable_declarator", "argument", "parameter")
"""Nodes whose value has no field name in C#."""


def gift_of(giving: Any) -> tuple[list[Any], Any] | None:
    """Returns the nodes that get a value from a syntax node, and the node of the value. Returns
    None for a node that gives no value."""
    if giving.type in ("keyed_element", "expansion"):
        inner = giving.named_children
        return (inner[:1], inner[1]) if len(inner) == 2 else None
    if "binary" in giving.type or giving.type == "bin_op":
        return None
    for key, field in _FIELDS:
        names, value = giving.children_by_field_name(key), giving.child_by_field_name(field)
        if names and value is None and giving.type in _CSHARP:
            last = giving.named_children[-1]
            value = last if last != names[0] and "=" in node_text(giving) else None
        if names and value is not None:
            return names, value
    return None


def _given(node: Any, parent: Any) -> Any:
    """Returns the value that `parent` gives the name in `node`, or None. Returns `parent` itself
    if the value is computed from the old value, as by `+=`."""
    names, value = gift_of(parent) or ([], parent)
    in_dict = parent.type in ("dict_item", "dict_comp")
    variable = in_dict and node.type in ("identifier", "attribute")
    if node not in names or variable or value.start_byte <= node.start_byte:
        return None
    sign = node_text(parent.child_by_field_name("operator"))
    return value if sign in ("", "=", ":=") or parent.type == "expansion" else parent


def _is_alternative(parent: Any, node: Any) -> bool:
    """Returns whether `parent` gives another value if the first, `node`, is missing."""
    if parent.type not in ("binary_expression", "binary", "bool_op"):
        return False
    sign = node_text(parent.child_by_field_name("operator"))
    return sign in ("??", "||", "or") and parent.named_children[0] == node


def _looked_up(node: Any, parent: Any, language: str) -> Iterator[GivenValue]:
    """Yields the default in an expression that looks up a name: the arguments after the name, or
    what follows if nothing is found."""
    around, used = parent, False
    if _is_alternative(parent, node):
        around = _chain(parent)
        # `${data.version || "N/A"}` in a text shows a value, and gives none.
        used = around.parent.type in ("template_substitution", "interpolation")
        literals = _literals(around, language)
    else:
        around = parent.parent if parent.type != "argument" else parent.parent.parent
        function = around.child_by_field_name("function") or around.child_by_field_name("name")
        looking = _LOOKING_UP.search(node_text(function or around.named_children[0]))
        if not (looking or _MEMBERS.fullmatch(node.type)):
            return
        after = [n for n in _arguments(parent) if n.start_byte > node.start_byte]
        called = node_text(function).rpartition(".")[2]
        if language == "go" and _GO_FLAG.fullmatch(called):
            yield from _default_of_flag(around, after)
            return
        if after:
            literals = _literals(after[0], language)
        elif (chain := _chain(around)) != around:
            around, literals = chain, _literals(chain, language, but=node_text(node))
        else:
            return
    yield GivenValue(around.start_point[0] + 1, node_text(around), literals, used)


_GO_FLAG = compiled(r"(?:Bool|Duration|Float\d+|U?Int\d*|String)(?:Var)?P?|Flag")
_DEFAULT_TEXT = compiled(
    r"\.Default\(\"([^\"]*)\"\)|default_value(?:_t)?\s*=\s*(?:\"([^\"]*)\"|(\d[\w.]*))\s*[,)]"
)
"""Matches the default of an option of kingpin, and of clap: `#[arg(long, default_value_t = 5)]`."""


def _default_text(node: Any) -> Iterator[GivenValue]:
    """Yields the text in `_DEFAULT_TEXT` that a node contains, if any."""
    if found := _DEFAULT_TEXT.search(node_text(node)):
        text = found[found.lastindex or 0]
        yield GivenValue(node.start_point[0] + 1, text, [("text", text)], declared=True)


def _default_of_field(name: Any) -> Iterator[GivenValue]:
    """Yields the default in an attribute of a field in Rust, if it has one."""
    before = name.parent.prev_named_sibling if name.parent.type == "field_declaration" else None
    while before is not None and before.type in ("attribute_item", "line_comment"):
        yield from _default_text(before)
        before = before.prev_named_sibling


def _default_of_flag(call: Any, after: Sequence[Any]) -> Iterator[GivenValue]:
    """Yields the default of an option in Go: the argument before its description, as in
    `flag.Int("rows", 5, "…")`, or that of `kingpin.Flag("rows", "…").Default("5")`."""
    if len(after) < 2:
        yield from _default_text(_chain(call))
    else:
        written, literals = node_text(after[-2]).strip('"'), _literals(after[-2], "go")
        yield GivenValue(call.start_point[0] + 1, written, literals, declared=True)


def _chain(node: Any) -> Any:
    """Returns the whole chain of calls and alternatives that begins with a syntax node."""
    while (parent := node.parent) is not None and (
        _is_alternative(parent, node)
        or (_SAME.fullmatch(parent.type) and len(parent.named_children) == 1)
        or (_MEMBERS.fullmatch(parent.type) and parent.named_children[0] == node)
        or (_CALLS.fullmatch(parent.type) and parent.named_children[0] == node)
    ):
        node = parent
    return node


def _default_of(node: Any) -> Any:
    """Returns the value of the key `default` in an object such as `{type: "int", default: 3}`, or
    None."""
    pairs = (n for n in node.named_children if n.type in ("pair", "dict_item"))
    keys = (n for n in pairs if _DEFAULT_KEY.fullmatch(node_text(n.child_by_field_name("key"))))
    found = next(keys, None)
    return None if found is None else found.child_by_field_name("value")


_DEFAULT_KEY = compiled(r"[\"']?default(?:Value)?[\"']?")


def _literals(node: Any, language: str, *, but: str | None = None) -> Literals:
    """Returns the literals to which an expression leads, without the text `but`."""
    if node_text(node) == but:
        return []
    if (found := _scalar(grammar_value(node, language))) is not None:
        return found
    inner = node.named_children
    if _SAME.fullmatch(node.type) and inner:
        return _literals(inner[-1] if node.type == "argument" else inner[0], language, but=but)
    if _CALLS.fullmatch(node.type):
        return _literals_of_call(node, language, but)
    if inner and _is_alternative(node, inner[0]):
        first, *others = (_literals(part, language, but=but) for part in inner)
        return _of_alternatives(first, [v for other in others for v in other])
    name = node_text(node).rpartition(".")[2].rpartition("::")[2]
    named = node.type in ("identifier", "constant") or name.isupper()
    return [("name", name)] if named and _NAME.fullmatch(name) else [None]


_DECIDING = {"default": None, "map_or": 1}
"""Maps methods to how many of their first arguments give the value: one of `map_or(20, parse)`, all
of `z.number().min(1).default(20)`."""


def _literals_of_call(call: Any, language: str, but: str | None) -> Literals:
    found = _literals_of_arguments(call, language, but)
    function = call.child_by_field_name("function") or call.named_children[0]
    called = node_text(function).rpartition(".")[2]
    if called in _DECIDING:
        return found[: _DECIDING[called]] or [None]
    before = function.named_children[0] if _MEMBERS.fullmatch(function.type) else None
    before = before or call.child_by_field_name("object") or call.child_by_field_name("receiver")
    if language == "python":
        chained = before is not None and before.type == "call"
        return [*found, *(_literals(before, language, but=but) if chained else ())] or [None]
    if before is not None:  # `env("PORT").unwrap_or("1".into())`
        found = _of_alternatives(_literals(before, language, but=but), found)
    return found or [None]


def _literals_of_arguments(call: Any, language: str, but: str | None) -> Literals:
    arguments = _arguments(call.child_by_field_name("arguments"))
    each = [_literals(part, language, but=but) for part in arguments]
    plain = [grammar_value(part, language) is not None for part in arguments]
    # After an expression with a default, literals are details: `int(env or "8", 10)`.
    if each and not plain[0] and None not in each[0] and all(plain[1:]):
        each = each[:1]
    return [v for literals in each for v in literals]


def _arguments(given: Any) -> list[Any]:
    """Returns the arguments of a call that may be its value: those with the keyword `default`, else
    those without a keyword, else all."""
    inner = [n for n in given.named_children if "comment" not in n.type] if given else []
    keywords = [n for n in inner if n.type == "keyword"]
    named = [n for n in keywords if re.match(r"default(?:_value)?\b", node_text(n))]
    chosen = named or [n for n in inner if n not in keywords] or inner
    return [n.child_by_field_name("value") if n in keywords else n for n in chosen]
