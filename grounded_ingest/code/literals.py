"""Folds a literal in source code to a value that can be compared across spellings.

`8_443`, `(8443)`, `8443u16` and `0x20FB` are the same value, and so are `"a"` and `'a'`. Anything
that is not a literal, such as a call, a name or a template, has no value (None): nobody can say
what it is without running the code.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from grounded_ingest.code.grammars import node_text
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    import ast

Value = tuple[Any, ...]
"""A value as (kind, content). The kinds are `int`, `float`, `text`, `bytes`, `truth`, `nothing`,
`list` and `map`. `1` and `1.0` differ, except in languages with a single type of number."""

NOTHING: Value = ("nothing",)
_LARGEST = 1 << 4096
"""Numbers above this limit are not folded."""

_OPERATIONS: dict[str, Callable[[int, int], int | None]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "<<": lambda a, b: a << b if 0 <= b <= 512 else None,
    "**": lambda a, b: a**b if 0 <= b <= 512 and abs(a) <= 1 << 64 else None,
}
"""Arithmetic on whole numbers that gives the same result in every supported language. Division is
missing, because languages round differently."""


def whole(number: int) -> Value:
    return ("int", Fraction(number))


def text_value(text: str) -> Value:
    return ("text", text)


def list_value(items: Iterable[Value | None]) -> Value | None:
    """Returns a list of values. Returns None if one of the items has no value."""
    found = tuple(items)
    return None if None in found else ("list", found)


def map_value(pairs: Iterable[tuple[Value | None, Value | None]]) -> Value | None:
    """Returns a map from keys to values, in which the order does not count. Returns None if a key
    or value is unknown, or if a key occurs twice."""
    found = list(pairs)
    if any(k is None or v is None for k, v in found) or len({k for k, _ in found}) < len(found):
        return None
    return ("map", frozenset(found))


def plain_value(value: Any) -> Value | None:
    """Returns the value of data from a JSON, YAML or TOML file. Returns None for other types, such
    as dates."""
    if isinstance(value, bool):
        return ("truth", value)
    if isinstance(value, int):
        return whole(value)
    if isinstance(value, float):
        return ("float", Fraction(value)) if abs(value) < float("inf") else None
    if isinstance(value, str):
        return text_value(str(value))
    if value is None:
        return NOTHING
    if isinstance(value, list):
        return list_value(map(plain_value, value))
    if isinstance(value, dict):
        return map_value((plain_value(k), plain_value(v)) for k, v in value.items())
    return None


def _arithmetic(left: Value | None, sign: str, right: Value | None) -> Value | None:
    if left is None or right is None or left[0] != "int" or right[0] != "int":
        return None
    if sign not in _OPERATIONS:
        return None
    result = _OPERATIONS[sign](int(left[1]), int(right[1]))
    return None if result is None or abs(result) > _LARGEST else whole(result)


def _negative(value: Value | None) -> Value | None:
    return (value[0], -value[1]) if value is not None and value[0] in ("int", "float") else None


# Python


_SIGNS = {"Add": "+", "Sub": "-", "Mult": "*", "LShift": "<<", "Pow": "**"}


def python_value(node: ast.AST | None) -> Value | None:
    """Returns the value of a Python expression. Returns None if the expression is not a literal."""
    import ast  # imported late, because the hook rarely parses Python

    match node:
        case ast.Constant(value=bytes() as content):
            return ("bytes", content)
        case ast.Constant(value=bool() | int() | float() | str() | None as content):
            return plain_value(content)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _negative(python_value(operand))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _negative(_negative(python_value(operand)))
        case ast.BinOp(left=left, op=op, right=right):
            sign = _SIGNS.get(type(op).__name__, "")
            return _arithmetic(python_value(left), sign, python_value(right))
        case ast.List(elts=items) | ast.Tuple(elts=items):
            return list_value(map(python_value, items))
        case ast.Set(elts=items):
            found = [python_value(i) for i in items]
            return None if None in found else ("set", frozenset(found))
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return map_value((python_value(k), python_value(v)) for k, v in pairs)
        case _:
            return None


# Other languages


_SAME = frozenset(
    (
        "parenthesized_expression", "as_expression", "satisfies_expression", "literal_element",
        "expression_list", "non_null_expression", "reference_expression", "argument",
    )
)  # fmt: skip
"""Types of nodes whose value is the value of their first child."""
_NUMBER = compiled(
    r"(?P<base>0[xXbBoO])?(?P<digits>[0-9a-fA-F_]+?)(?P<rest>\.[0-9_]*)?(?P<power>[eE][+-]?[0-9_]+)?"
    r"(?P<suffix>_?(?:[iuf](?:8|16|32|64|128|size)?|[uUlLmMdDfFn]{1,3}))?$"
)
_BASES = {"0x": 16, "0b": 2, "0o": 8}
_STRINGS = frozenset(
    (
        "string", "string_literal", "interpreted_string_literal", "raw_string_literal",
        "template_string", "verbatim_string_literal", "raw_string",
    )
)  # fmt: skip
_NUMBERS = compiled(r"^(?:number|integer|float|int|real|decimal\w*|hex\w*|octal\w*|binary\w*)")
_TRUE, _FALSE = ("true", "True"), ("false", "False")
_NONE = frozenset(("null", "undefined", "nil", "null_literal"))
_LISTS = frozenset(("array", "array_expression", "array_initializer", "initializer_expression"))
_MAPS = frozenset(("object", "hash"))
_QUOTED = compiled(r"(?s)(?P<raw>r#*|@)?(?P<quote>\"{1,3}|'{1,3}|`)(?P<body>.*)(?P=quote)#*$")
_ESCAPE = compiled(r"\\(?:([nrt0\\\"'`$])|x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4}))")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def grammar_value(node: Any, language: str) -> Value | None:
    """Returns the value of a syntax node. Returns None if the node is not a literal."""
    kind = node.type
    if kind in _SAME:
        inner = node.named_children[:1]
        return grammar_value(inner[0], language) if inner else None
    if kind in _STRINGS:
        return _string(node, language)
    if language == "bash":
        return text_value(node_text(node)) if kind in ("number", "word") else None
    if kind in ("unary_expression", "prefix_unary_expression", "unary", "negative_literal"):
        return _signed(node, language)
    if kind in ("binary_expression", "binary"):
        left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
        sign = node_text(node.child_by_field_name("operator"))
        if left is None or right is None or language in ("javascript", "typescript", "tsx"):
            return None if left is None or right is None else _js_sum(left, sign, right, language)
        return _arithmetic(grammar_value(left, language), sign, grammar_value(right, language))
    if kind in _LISTS:
        return list_value(grammar_value(n, language) for n in node.named_children)
    if kind == "string_array":
        return list_value(text_value(node_text(n)) for n in node.named_children)
    if kind in _MAPS:
        return map_value(_pair(n, language) for n in node.named_children)
    if kind == "composite_literal":
        return _go_list(node)
    return _word(node_text(node), kind, language)


def _word(text: str, kind: str, language: str) -> Value | None:
    if kind in _NONE:
        return NOTHING
    if text in (*_TRUE, *_FALSE) and kind in (*_TRUE, *_FALSE, "boolean_literal", "boolean"):
        return ("truth", text in _TRUE)
    return _number(text, language) if _NUMBERS.match(kind) else None


def _js_sum(left: Any, sign: str, right: Any, language: str) -> Value | None:
    values = [grammar_value(n, language) for n in (left, right)]
    if any(v is None or v[0] != "int" or v[1].denominator != 1 for v in values):
        return None
    return _arithmetic(values[0], sign, values[1])


def _signed(node: Any, language: str) -> Value | None:
    operand = node.named_children[-1:]
    if not operand or not node_text(node).startswith("-"):
        return None
    return _negative(grammar_value(operand[0], language))


def _number(text: str, language: str) -> Value | None:
    match = _NUMBER.match(text)
    if match is None or len(text) > 200:
        return None
    suffix = (match["suffix"] or "").strip("_").lower()
    base = _BASES.get((match["base"] or "").lower(), 10)
    if base == 16:  # the last digits of a hexadecimal number look like a suffix
        found = re.fullmatch(
            r"0[xX]([0-9a-fA-F_]+?)(?:[uUlLn]{1,3}|[iu](?:8|16|32|64|128|size))?", text
        )
        return whole(int(found[1].replace("_", "") or "0", 16)) if found else None
    digits = match["digits"].replace("_", "")
    if base != 10:
        return whole(int(digits, base)) if set(digits) <= set("01234567"[:base]) else None
    if len(digits) > 1 and digits[0] == "0" and not match["rest"]:
        return None  # `010` is eight in some languages and ten in others
    if not digits.isdigit():
        return None
    if suffix == "n":
        return ("big", Fraction(int(digits)))
    power = (match["power"] or "").replace("_", "")
    if power and abs(int(power[1:])) > 400:
        return None
    number = Fraction(f"{digits}{(match['rest'] or '').replace('_', '')}{power}".rstrip("."))
    floats = bool(match["rest"] or power) or suffix[:1] in ("f", "d", "m")
    single = language in ("javascript", "typescript", "tsx")
    return ("int" if single or not floats else "float", number)


def _string(node: Any, language: str) -> Value | None:
    kinds = {n.type for n in node.named_children}
    if any("interpolation" in k or "substitution" in k or "expansion" in k for k in kinds):
        return None
    match = _QUOTED.match(node_text(node))
    if match is None:
        return None
    body, quote = match["body"], match["quote"]
    raw = match["raw"] or (quote == "'" and language in ("bash", "ruby"))
    raw = raw or (quote == "`" and language == "go")
    if len(quote) == 3 and language != "java" and "\n" in body:
        return None  # languages strip the indentation differently
    if raw or "\\" not in body:
        return text_value(body) if not (raw and language == "ruby" and "\\" in body) else None
    if "\\" in _ESCAPE.sub("", body):
        return None
    return text_value(_ESCAPE.sub(_unescaped, body))


def _unescaped(match: re.Match[str]) -> str:
    sign, *codes = match.groups()
    return _ESCAPED.get(sign, sign) if sign else chr(int(codes[0] or codes[1], 16))


def _pair(node: Any, language: str) -> tuple[Value | None, Value | None]:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if node.type != "pair" or key is None or value is None:
        return None, None  # a spread, a method or a shorthand
    return key_value(key, language), grammar_value(value, language)


def key_value(key: Any, language: str) -> Value | None:
    """Returns the value of a key in an object, whose quotes do not count. Returns None for a
    computed key."""
    if key.type in ("property_identifier", "hash_key_symbol", "identifier"):
        return text_value(node_text(key))
    found = grammar_value(key, language)
    return text_value(str(found[1])) if found and found[0] in ("int", "text") else None


def _go_list(node: Any) -> Value | None:
    kind, body = node.child_by_field_name("type"), node.child_by_field_name("body")
    if kind is None or body is None or kind.type not in ("slice_type", "array_type", "map_type"):
        return None
    if kind.type != "map_type":
        return list_value(grammar_value(n, "go") for n in body.named_children)
    pairs = [
        (n.child_by_field_name("key"), n.child_by_field_name("value")) for n in body.named_children
    ]
    if any(k is None or v is None for k, v in pairs):
        return None
    return map_value((grammar_value(k, "go"), grammar_value(v, "go")) for k, v in pairs)
