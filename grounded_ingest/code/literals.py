"""Converts a literal in source code to a value, so that different spellings are equal.

`8_443`, `(8443)`, `8443u16` and `0x20FB` are the same value, and so are `"a"` and `'a'`. A call, a
name or a template has no value (None), because such a value is known only when the code runs."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any

from grounded_ingest.code.grammars import node_text
from grounded_ingest.text.patterns import compiled

Value = tuple[Any, ...]
"""A value as (kind, content). The kinds are `int`, `float`, `big`, `duration`, `text`, `bytes`,
`truth`, `nothing`, `list`, `tuple`, `set` and `map`. `1` and `1.0` differ, except in languages with
one number type."""

NOTHING: Value = ("nothing",)
_LARGEST = 1 << 4096
"""An expression whose result is above this limit is not evaluated."""
_SMALL = 1 << 31
"""In languages other than Python, a result of arithmetic or a hexadecimal number that reaches this
limit has no value, because it overflows in some of these languages."""
_EXACT = 1 << 53
"""Whole numbers above this limit are not exact in JavaScript."""

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
    """Returns the value of a list. Returns None if one of the items has no value."""
    found = tuple(items)
    return None if None in found else ("list", found)


def map_value(pairs: Iterable[tuple[Value | None, Value | None]]) -> Value | None:
    """Returns the value of a map. The order of the keys does not count. Returns None if a key or
    value is unknown, or if a key occurs twice."""
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
        return ("float", Fraction(repr(value))) if abs(value) < float("inf") else None
    if isinstance(value, str):
        return text_value(str(value))
    if value is None:
        return NOTHING
    if isinstance(value, list):
        return list_value(map(plain_value, value))
    if isinstance(value, dict):
        return map_value((plain_value(k), plain_value(v)) for k, v in value.items())
    return None


def _arithmetic(
    left: Value | None, sign: str, right: Value | None, largest: int = _LARGEST
) -> Value | None:
    if left is None or right is None or left[0] != "int" or right[0] != "int":
        return None
    if sign not in _OPERATIONS:
        return None
    result = _OPERATIONS[sign](int(left[1]), int(right[1]))
    return None if result is None or abs(result) >= largest else whole(result)


def _negative(value: Value | None) -> Value | None:
    return (value[0], -value[1]) if value is not None and value[0] in ("int", "float") else None


# Python


_SIGNS = {"Add": "+", "Sub": "-", "Mult": "*", "LShift": "<<", "Pow": "**"}


def _python_value(node: ast.AST | None) -> Value | None:
    """Returns the value of a Python expression. Returns None if the expression is not a literal."""
    match node:
        case ast.Constant(value=bytes() as content):
            return ("bytes", content)
        case ast.Constant(value=bool() | int() | float() | str() | None as content):
            return plain_value(content)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _negative(_python_value(operand))
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _negative(_negative(_python_value(operand)))
        case ast.BinOp(left=left, op=op, right=right):
            sign = _SIGNS.get(type(op).__name__, "")
            return _arithmetic(_python_value(left), sign, _python_value(right))
        case ast.List(elts=items):
            return list_value(map(_python_value, items))
        case ast.Tuple(elts=items):
            found = list_value(map(_python_value, items))
            return found and ("tuple", found[1])
        case ast.Set(elts=items):
            members = [_python_value(i) for i in items]
            return None if None in members else ("set", frozenset(members))
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return map_value((_python_value(k), _python_value(v)) for k, v in pairs)
        case _:
            return None


# Other languages


_SAME = frozenset((
    "parenthesized_expression", "literal_element",
    "expression_list", "non_null_expression", "reference_expression", "argument",
))  # fmt: skip
"""Types of nodes whose value is the value of their first child."""
_DECIMAL = compiled(
    r"(?P<digits>\d+)(?P<rest>\.\d*)?(?:e(?P<power>[+-]?\d+))?"
    r"(?P<suffix>[iuf](?:8|16|32|64|128|size)|[ulmdfn]{1,3})?"
)
_IN_BASE = compiled(
    r"0(?P<base>[xbo])(?P<digits>[0-9a-f]+?)(?:[ul]{1,3}|[iu](?:8|16|32|64|128|size))?"
)
_DIGITS = {"x": "0123456789abcdef", "o": "01234567", "b": "01"}
_STRINGS = frozenset((
    "string", "string_literal", "interpreted_string_literal", "raw_string_literal",
    "template_string", "verbatim_string_literal", "raw_string",
))  # fmt: skip
_NUMBERS = compiled(r"^(?:number|integer|float|int|real|decimal\w*|hex\w*|octal\w*|binary\w*)")
_TRUE, _FALSE = ("true", "True"), ("false", "False")
_NONE = frozenset(("null", "nil", "null_literal"))
_LISTS = frozenset(("array", "array_expression", "array_initializer", "initializer_expression"))
_SIGNED = frozenset(("unary_expression", "prefix_unary_expression", "unary", "negative_literal"))
_COMPUTED = compiled(r"interpolation|substitution|expansion")
_UNESCAPED = (("'", "bash"), ("'", "ruby"), ("`", "go"))
"""Quotes in which a backslash is a plain character, as (quote, language)."""
_QUOTED = compiled(r"(?s)(?P<raw>r#*|@)?(?P<quote>\"{1,3}|'{1,3}|`)(?P<body>.*)(?P=quote)#*$")
_ESCAPE = compiled(r"\\(?:([nrt\\\"'`])|u([0-9a-fA-F]{4}))")
_ESCAPED = {"n": "\n", "r": "\r", "t": "\t"}


def grammar_value(node: Any, language: str) -> Value | None:
    """Returns the value of a syntax node. Returns None if the node is not a literal."""
    kind = node.type
    if language == "python":
        return _python_value(node.node)
    if kind == "as_expression" and node_text(node).endswith(" as const"):
        return grammar_value(node.named_children[0], language)
    if kind in _SAME:
        inner = node.named_children[:1]
        return grammar_value(inner[0], language) if inner else None
    if kind in _STRINGS:
        return _string(node, language)
    if language == "bash":
        text = node_text(node)
        return text_value(text) if kind in ("number", "word") and "\\" not in text else None
    if kind in _SIGNED:
        return _signed(node, language)
    if kind in ("binary_expression", "binary"):
        return _sum(node, language)
    if kind in _LISTS or kind in ("object", "hash", "string_array", "composite_literal"):
        return _container(node, language)
    return _word(node_text(node), kind, language)


_DURATIONS = {
    "Nanosecond": 1, "Microsecond": 10**3, "Millisecond": 10**6, "Second": 10**9,
    "Minute": 60 * 10**9, "Hour": 3600 * 10**9,
}  # fmt: skip
"""Durations in Go's package `time`, in nanoseconds."""


def _duration(left: Value | None, right: Value | None, sign: str) -> Value | None:
    """Returns the product of a number and a duration, as in `10 * time.Second`."""
    kinds = sorted(v[0] for v in (left, right) if v is not None)
    if left is None or right is None or sign != "*" or kinds != ["duration", "int"]:
        return None
    return ("duration", left[1] * right[1])


def _sum(node: Any, language: str) -> Value | None:
    sides = (node.child_by_field_name(field) for field in ("left", "right"))
    left, right = (None if n is None else grammar_value(n, language) for n in sides)
    numbers = (v for v in (left, right) if v is not None and v[0] == "int")
    if any(v[1].denominator != 1 for v in numbers):  # JavaScript has one type of number
        return None
    sign = node_text(node.child_by_field_name("operator"))
    return _duration(left, right, sign) or _arithmetic(left, sign, right, _SMALL)


def _container(node: Any, language: str) -> Value | None:
    if node.type == "string_array":
        return list_value(text_value(node_text(n)) for n in node.named_children)
    if node.type == "composite_literal":
        return _go_list(node)
    if node.type in _LISTS:
        items = [n for n in node.named_children if "comment" not in n.type]
        signs = [n.type for n in node.children if n.type in (",", ";")]
        whole = len(items) - 1 <= len(signs) <= len(items) and ";" not in signs
        trailing = len(signs) < len(items) or node_text(node).rstrip("]} \n\t").endswith(",")
        if not whole or not trailing:  # `[1; 3]` in Rust, `[1, , 2]` in JavaScript
            return None
        return list_value(grammar_value(n, language) for n in items)
    return map_value(_pair(n, language) for n in node.named_children)


def _word(text: str, kind: str, language: str) -> Value | None:
    if kind == "selector_expression" and language == "go":
        unit = _DURATIONS.get(text.removeprefix("time."))
        return ("duration", Fraction(unit)) if unit else None
    if kind in _NONE:
        return NOTHING
    if text in (*_TRUE, *_FALSE) and kind in (*_TRUE, *_FALSE, "boolean_literal", "boolean"):
        return ("truth", text in _TRUE)
    return _number(text, language) if _NUMBERS.match(kind) else None


def _signed(node: Any, language: str) -> Value | None:
    operand = node.named_children[-1:]
    if not operand or not node_text(node).startswith("-"):
        return None
    return _negative(grammar_value(operand[0], language))


def _number(text: str, language: str) -> Value | None:
    text = text.replace("_", "").lower()
    if match := _IN_BASE.fullmatch(text):
        allowed, digits = _DIGITS[match["base"]], match["digits"]
        number = int(digits, len(allowed)) if set(digits) <= set(allowed) else _SMALL
        return whole(number) if number < _SMALL else None
    match = _DECIMAL.fullmatch(text)
    return None if match is None or len(text) > 200 else _decimal(match, language)


def _decimal(match: re.Match[str], language: str) -> Value | None:
    digits, rest, power = match["digits"], match["rest"] or "", int(match["power"] or 0)
    if abs(power) > 400 or (digits[0] == "0" != digits and not rest):
        return None  # `010` is eight in some languages and ten in others
    suffix = match["suffix"] or ""
    if suffix == "n":  # 1n is not 1 in JavaScript
        return ("big", Fraction(int(digits)))
    is_float = bool(rest or match["power"]) or suffix[:1] in ("f", "d", "m")
    single = language in ("javascript", "typescript", "tsx")
    number = Fraction(f"{digits}{rest.rstrip('.')}e{power}")
    if single and number > _EXACT:
        return None
    return ("int" if single or not is_float else "float", number)


def _string(node: Any, language: str) -> Value | None:
    if any(_COMPUTED.search(n.type) for n in node.named_children):
        return None
    match = _QUOTED.match(node_text(node))
    if match is None:
        return None
    body, quote = match["body"], match["quote"]
    if len(quote) == 3 and "\n" in body:
        return None  # languages remove the indentation differently
    if match["raw"] and quote in body:
        return None  # `""` is a quote in a verbatim string of C#
    if "\\" not in body or match["raw"] or (quote, language) in _UNESCAPED:
        return text_value(body) if "\\'" not in body else None
    if language in ("bash", "ruby") or "\\" in _ESCAPE.sub("", body):
        return None  # these languages do not have the same escapes
    return text_value(_ESCAPE.sub(_unescaped, body))


def _unescaped(match: re.Match[str]) -> str:
    sign, *codes = match.groups()
    return _ESCAPED.get(sign, sign) if sign else chr(int(codes[0], 16))


def _pair(node: Any, language: str) -> tuple[Value | None, Value | None]:
    key, value = node.child_by_field_name("key"), node.child_by_field_name("value")
    if node.type != "pair" or key is None or value is None:
        return None, None  # a spread, a method or a shorthand
    return key_value(key, language), grammar_value(value, language)


def key_value(key: Any, language: str) -> Value | None:
    """Returns the name of a key in an object, without quotes. Returns None for a computed key."""
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
