"""Finds the values that source code assigns to names. The names are constants, members of
enumerations, keys of literal objects, and parameters and environment variables with a default.

The value of a name is certain only if the file assigns it once, outside of functions and
conditions.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain
from typing import Any, NamedTuple
from unicodedata import normalize

from grounded_ingest.code.definitions import LONGEST
from grounded_ingest.code.given_values import gift_of
from grounded_ingest.code.grammars import DEEPEST, language_of, node_text, root_of
from grounded_ingest.code.literals import Value, grammar_value, key_value, text_value, whole
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

    Returns None if values in the language are not read, or if the file has syntax errors or is too
    long."""
    language = language_of(path)
    return _values(language, text) if language in _CLAIMED and len(text) <= LONGEST else None


@lru_cache(maxsize=16)
def _values(language: str, text: str) -> tuple[AssignedValue, ...] | None:
    try:
        return tuple(_with_doubts(*_read(language, text), text, language))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


_SCRIPT = (
    r"\b(?:eval|Function)\b|\b(?:Object\.(?:assign|define\w+)|Reflect\.\w+)\(|\bwith\s*\("
    r"|env(?:\.\w+|\[[^\]]*\])\s*(?:\?\?|\|\|)?=(?!=)|\bstatic\s*\{|\bdelete\s|\bthis\s*\["
)
_INDIRECT = {
    "ruby": r"(?:&&|\|\|)\s*[A-Z]\w*\s*=(?!=)|\b(?:(?:__|public_)?send|define_method|and|or)\b"
    r"|\b(?:const_set|remove_const|instance_variable_set|\w*eval|\w*exec)\b",
    "python": r"\A(?:[^\n]*\n)?[ \t\f]*#[^\n]*(?i:coding)[:=][ \t]*(?!(?i:utf-?8)\b)"
    r"|\bimport\s*\\?\s*\*|\bdef\s+int\b"
    r"|\b(?:environ|__dict__)\W*(?:update|setdefault)\b",
    "bash": r"(?m)\r|\(\(|\+=|^[ \t]*exit\b|\b(?:source|eval|read|mapfile|readarray|getopts)\b"
    r"|\b(?:unset|let|declare|typeset|local|printf)\b|\b(?:export|readonly)[ \t]+[^\w\s]"
    r"|(?:^|[\s;&|({!])\.[ \t]|\$\{\w+:?="
    # A name that is put together, as in `readonly ${X}RT=1`.
    r"|(?:[$\\]|\w[\"'`)}]+)\w*=|\w\\\n\w|\bwait[ \t]+-",
    # Java reads these escapes before it looks for comments and strings.
    "java": r"(?<!\\)(?:\\\\)*\\u+00[0-7]",
    "javascript": _SCRIPT,
    "typescript": _SCRIPT,
    "tsx": _SCRIPT,
}
"""Matches code that can change values without an assignment to their names, by language."""
_POWERS = frozenset((
    "globals", "locals", "vars", "exec", "eval", "setattr", "delattr", "putenv",
    "__import__", "extend_enum", "patch", "modules", "_getframe", "f_globals", "__setattr__",
))  # fmt: skip
_HANDLES = frozenset(("__dict__", "__class__", "__defaults__", "__kwdefaults__", "environ"))
"""Python code can change other names by the names in `_POWERS`, and by assignments to the
attributes in `_HANDLES`."""
_TAKEN = compiled(
    r"(?:(?<!&)&(?!&)|addr_of(?:_mut)?!|\b(?:ref|out)\b)[\s(@]*(?:mut\s+)?((?:\w+\.@?)*[A-Za-z_]\w*)"
)
"""Matches a variable that other code may change by its address: `flag.IntVar(&port)`."""
_NAMES = compiled(r"[A-Za-z_$][\w$]*")
_BARE = compiled(r"(?<![\w$])(?<!\$\{)[A-Za-z_]\w*")
"""Matches a word in a shell script that does not stand behind `$`. It may be any argument, such as
the variable that `wait -p PORT` sets."""
_FROZEN = compiled(r"# frozen_string_literal: true\n", needs=("frozen_string_literal",))
_KEPT = r"(?!\s*(?:[-+*/|&?]{0,2}=(?!=)|[(.\[<`]|\?\.|!+\s*[(.\[]|/[/*]|\)[)\s!]*(?:\?\.)?[(`]))"
"""Matches where the code that follows neither assigns nor calls what stands before."""
_READS = compiled(
    r"\b(?:in|of|typeof|keyof)\s+(?P<before>[A-Za-z_$][\w$]*)\b(?!\s*[.\[,])"
    r"|\b(?:len|sorted|tuple|set|frozenset)\((?P<passed>[A-Za-z_$][\w$]*)\b(?!\s*[.\[])"
    r"|[\"'](?P<quoted>[A-Za-z_$][\w$]*)[\"']"
    r"|\b(?P<name>[A-Za-z_$][\w$]*)(?:\.(?:get|items|keys|values|includes?|indexOf|join|has"
    r"|length|len|iter|contains|copy|index|count|size|parse|safeParse)\b(?!\s*[.\[])"
    r"|\.(?:map|filter|forEach|some|every|find)\(\s*(?:\w+|\([^(),]*(?:,[^(),]*)?\))\s*=>"
    rf"|\[(?:[^\[\]\n\"'`]|\"\w*\"|'\w*')*\]{_KEPT})"
    rf"|\b(?P<object>[A-Za-z_$][\w$]*)\.\w+\b{_KEPT}"
)
"""Matches code that reads a container and leaves it as it is. `passed` is such code only in Python,
and `object` only in other languages, because a Python list has only methods, such as `append`."""


def _with_doubts(
    found: Sequence[AssignedValue], times: _Times, text: str, language: str
) -> Iterator[AssignedValue]:
    """Yields the values, with the reason in `open` if a value is not certain: the name or an owner
    is assigned again, or other code in the file may change the name or its container."""
    indirect = re.search(_INDIRECT.get(language, "(?!)"), text) is not None
    indirect = indirect or (language == "python" and any(map(times.get, _POWERS | _HANDLES)))
    uses, reads = _uses_and_reads(text, language)
    for value in found:
        mutable = _is_mutable(value, language, text)
        containers = [*(value.owner if value.pair else ()), *([value.name] if mutable else ())]
        # Code that reads a container may get, and change, a container inside.
        inner = containers if _is_deep(value, language) else containers[:-1]
        doubts = {
            "the name is assigned again": _is_again(value, times),
            "the file may assign the value elsewhere": _is_given(value, uses),
            "the file may change the content": any(uses[name] > 1 for name in inner)
            or any(uses[name] - reads[name] > 1 for name in containers),
            "the file may change the value": indirect and not _is_constant(value, language, text),
        }
        open_ = value.open or next((why for why, doubtful in doubts.items() if doubtful), "")
        yield value._replace(open=open_, closed=value.closed and not open_)


def _uses_and_reads(text: str, language: str) -> tuple[Counter[str], Counter[str]]:
    """Counts how often a file uses each name, and how often such a use only reads a container."""
    text = _folded(text) if language == "python" else text
    uses = Counter((_BARE if language == "bash" else _NAMES).findall(text))
    other = "object" if language == "python" else "passed"
    reads = ((m.lastgroup or "", m) for m in _READS.finditer(text))
    return uses, Counter(m[group] for group, m in reads if group != other)


def _is_deep(value: AssignedValue, language: str) -> bool:
    """Returns whether a use of a value may change it, even if the use looks like a read."""
    return language in ("ruby", "bash") or _has_container(value.value)


def _folded(text: str) -> str:
    """Returns a text with the letters that Python reads in names: `A` for a wide `\uff21`."""
    return text if text.isascii() else normalize("NFKC", text)


def _is_again(value: AssignedValue, times: _Times) -> bool:
    """Returns whether a value or one of its owners is defined twice or changed."""
    names = (*value.owner, value.name)
    twice = any(times[names[:n], name] > 1 for n, name in enumerate(names))
    return twice or any(times[name] for name in (value.owner if value.parameter else names))


def _is_container(value: Value | None) -> bool:
    return value is not None and value[0] in ("list", "set", "map")


def _has_container(value: Value | None) -> bool:
    """Returns whether a list, tuple or map has a list or map inside."""
    if value is None or value[0] not in ("list", "tuple", "map"):
        return False
    parts = [v for _, v in value[1]] if value[0] == "map" else value[1]
    return any(_is_container(part) or _has_container(part) for part in parts)


def _is_mutable(value: AssignedValue, language: str, text: str) -> bool:
    """Returns whether code can change a value without an assignment to its name. In Ruby, code can
    change a text. In shell, any command can set a variable."""
    if language == "ruby" and value.value and value.value[0] == "text":
        return not value.parameter and _FROZEN.match(text) is None
    container = _is_container(value.value) or _has_container(value.value)
    return language == "bash" or (container and not value.written.endswith(" as const"))


def _is_constant(value: AssignedValue, language: str, text: str) -> bool:
    """Returns whether JavaScript declares a number, a text or a boolean with `const`, so that no
    other code can change it."""
    if value.owner or language not in ("javascript", "typescript", "tsx"):
        return False
    declared = rf"(?m)^(?:export[ \t]+)?const[ \t]+{re.escape(value.name)}\b"
    scalar = value.value is not None and not _is_container(value.value)
    return scalar and re.search(declared, text) is not None


def _is_given(value: AssignedValue, uses: Counter[str]) -> bool:
    """Returns whether a shell script may also assign the variable whose default is `value`."""
    given = _DEFAULT.fullmatch(value.written) if value.default is not None else None
    return given is not None and uses[given["shell"] or ""] > 0


def named(found: Sequence[AssignedValue], name: str, parameter: str = "") -> list[AssignedValue]:
    """Returns the assigned values whose name is `name`, or the defaults of the parameter
    `parameter` in each function with this name. The name may be qualified: `Settings.PORT`."""
    parts = [*name.replace("::", ".").split("."), *([parameter] if parameter else [])]
    same = (v for v in found if v.parameter == bool(parameter))
    return [v for v in same if [*v.owner, v.name][-len(parts) :] == parts]


# Where a value stands, and what changes it


_DEFINING = compiled(
    r"variable_declarator|(?:public_)?field_definition|enum_assignment|pair|const_spec|var_spec"
    r"|const_item|static_item|enum_variant|enum_member_declaration|(?:variable_)?assignment"
    r"|property_declaration|(?:ann_)?assign"
)
"""Matches the types of nodes that define a name."""
_PARAMETER = compiled(
    r"\w+ (?:required|optional|keyword|default)_parameter|formal_parameters assignment_pattern"
)
"""Matches the types of nodes that give a parameter a default, each behind the type around it."""
_FUNCTION = compiled(r"function_(?:declaration|definition)|(?:async_)?function_def")
_OWNING = compiled(
    r"^(?:(?:abstract_)?class(?:_declaration|_def)?"
    r"|(?:enum|interface|struct|record|namespace)_declaration"
    r"|(?:internal_)?module|(?:impl|mod|trait|enum|struct)_item)$"
)
_LOCAL = compiled(
    r"function|lambda|closure|constructor|accessor|initializer$|^do_block$"
    r"|^(?:singleton_)?method(?:_declaration|_definition)?$|^(?:command|subshell|pipeline)$"
)
_CONDITIONAL = compiled(
    r"(?:^|_)(?:if|unless|for|foreach|while|until|loop|switch|match|try|catch|rescue|case|ternary"
    r"|with)(?:_|$)|^(?:block|statement_block|do_statement)$"
)
_CONDITION = "the definition may not apply: it is inside a condition, a loop or a function"
_ASSIGNING = compiled(
    r"(?:augmented_)?assignment_expression|assignment_statement|operator_assignment"
    r"|update_expression|inc_statement|dec_statement|compound_assignment_expr"
    r"|postfix_unary_expression|for_in_statement|range_clause|variable_assignment|for_statement"
    r"|(?:aug_|ann_)?assign|delete|(?:async_)?for|comprehension|withitem|named_expr|alias|global"
    r"|except_handler|match_(?:as|star|mapping)|type_alias"
)
_CHANGED = (
    "left", "argument", "operand", "targets", "target", "optional_vars", "name", "asname",
    "names", "rest", "variable",
)  # fmt: skip
"""`_ASSIGNING` matches the types of nodes that change a name, and `_CHANGED` are their fields with
the name."""
_INDEX = compiled(r"(?<=[\w)\]])\[[\w.]+\]")


class _Around(NamedTuple):
    """The definitions around a syntax node: their names, the function, and whether they are local.
    `open` says why the definitions may not apply, or is empty."""

    owner: tuple[str, ...] = ()
    function: str = ""
    local: bool = False
    open: str = ""
    depth: int = 0


_LINE_ENDS = compiled(r"\r(?!\n)|[\x85\u2028\u2029]", needs=("\r", "\x85", "\u2028", "\u2029"))
"""Matches ends of lines, and so of comments, that a parser may not know."""
_Times = Counter[str | tuple[tuple[str, ...], str]]
"""Counts the definitions of a name by (owner, name), and other changes by the name alone."""


def _read(language: str, text: str) -> tuple[list[AssignedValue], _Times]:
    root = root_of(language, text)
    if root.has_error or _LINE_ENDS.search(text):
        raise ValueError("the file has syntax errors, or unusual ends of lines")
    found: list[AssignedValue] = []
    times: _Times = Counter()
    waiting = [(root, _Around())]
    while waiting:
        node, here = waiting.pop()
        if here.depth > DEEPEST:
            raise ValueError("the file is nested too deeply")
        if "identifier" in node.type and "\\" in node_text(node):
            raise ValueError("a name has an escape sequence")
        open_ = here.open or ("" if here.local else _why_open(node, language))
        here = here._replace(open=open_, depth=here.depth + 1)
        values = list(_read_node(node, here, language))
        found += values
        times.update((v.owner, v.name) for v in values)
        if not values:
            times.update(_changed_names(node, here, language))
        if _FUNCTION.fullmatch(node.type) and not here.local:
            times[here.owner, node_text(node.child_by_field_name("name"))] += 1
        inside = _inside(node, here, values, language)
        waiting += [(child, inside) for child in reversed(node.named_children)]
    if language in ("go", "rust", "c_sharp"):
        times.update(_NAMES.findall(" ".join(_TAKEN.findall(text))))
    return found, times


def _inside(node: Any, here: _Around, found: Sequence[AssignedValue], language: str) -> _Around:
    """Returns the `_Around` for the nodes inside `node`, which assigns `found`."""
    if found and _DEFINING.fullmatch(node.type) and language != "python":
        return here._replace(owner=(*here.owner, found[0].name))
    name = node.child_by_field_name("name") or node.child_by_field_name("type")
    if name and _OWNING.match(node.type):
        return here._replace(owner=(*here.owner, node_text(name).partition("<")[0]))
    if _LOCAL.search(node.type):
        return here._replace(local=True, function="" if here.local else node_text(name))
    return here


def _is_configured(node: Any) -> bool:
    """Returns whether a Rust item is compiled only under a condition (`#[cfg(...)]`)."""
    if node.type == "enum_item" and "cfg" in node_text(node):
        return True
    before = node.prev_named_sibling
    while before is not None and ("attribute" in before.type or "comment" in before.type):
        if "cfg" in node_text(before):
            return True
        before = before.prev_named_sibling
    return False


_PLAIN_DECORATORS = frozenset((
    "dataclass", "dataclasses.dataclass", "final", "unique", "enum.unique",
    "staticmethod", "classmethod", "override", "typing.override",
))  # fmt: skip
_MAKERS = frozenset(
    ("__new__", "__getattr__", "__getattribute__", "_generate_next_value_", "_ignore_")
)
"""Members by which a class in Python can change or hide its other members."""


def _why_open(node: Any, language: str) -> str:
    """Returns why what a syntax node defines, or contains, is not certain, or an empty string."""
    if _CONDITIONAL.search(node.type) or (language == "rust" and _is_configured(node)):
        return _CONDITION
    if _is_shared(node):
        return "a macro, or other files of the package, may assign another value to the variable"
    if node.type in ("object", "hash") and not _is_plain_literal(node):
        return "the object is not a plain literal"
    if not _PLAIN_DECORATORS.issuperset(map(node_text, _in_field(node, "decorator_list"))):
        return "a decorator can change the definition"
    if node.type == "class_def":
        deletes = any(n.type == "delete" for n in _in_field(node, "body"))
        made = any(node_text(k).startswith("metaclass") for k in _in_field(node, "keywords"))
        if deletes or made or not _MAKERS.isdisjoint(_members_of(node)):
            return "a metaclass or the class itself can change its members"
    return ""


def _is_shared(node: Any) -> bool:
    """Returns whether a node declares a variable in Go, or a `static mut` in Rust."""
    mutable = any(n.type == "mutable_specifier" for n in node.named_children)
    return node.type == "var_spec" or (node.type == "static_item" and mutable)


def _in_field(node: Any, field: str) -> list[Any]:
    return list(node.children_by_field_name(field))


def _changed_names(node: Any, here: _Around, language: str) -> list[str]:
    """Returns the names that a syntax node changes other than by a definition: `CONFIG` and `port`
    for `CONFIG.port = 1`, or a variable that a shell function or a loop assigns."""
    if language == "python" and node.type == "identifier" and node_text(node) in _POWERS:
        return [node_text(node)]
    if not _ASSIGNING.fullmatch(node.type):
        return []
    targets = [t for field in _CHANGED for t in node.children_by_field_name(field)]
    first = node.named_children[: node.type != "for_statement"]
    text = " ".join(map(node_text, targets or first))
    local = here.local and language == "python" and node.type not in ("global", "named_expr")
    if (local or node.type == "ann_assign") and "." not in text and "[" not in text:
        return []  # a local variable, or a type without a value
    return _NAMES.findall(_folded(_INDEX.sub("", text)))


# The values


def _read_node(node: Any, here: _Around, language: str) -> Iterator[AssignedValue]:
    if _TYPE.fullmatch(node.type) and not here.local:
        yield _read_type(node, here)
    parameter = here.function and _PARAMETER.fullmatch(f"{node.parent.type} {node.type}")
    defined = _DEFINING.fullmatch(node.type) and (not here.local or here.function == "__init__")
    found = _read_assignment(node, here, language) if parameter or defined else None
    if found and parameter:
        owner = (*here.owner, here.function)
        yield found._replace(owner=owner, default=found.value, parameter=True)
    elif found and not here.local:
        yield found
    elif found and node.parent.type == "function_def" and node_text(node).startswith("self."):
        yield from _of_environment(found)


def _of_environment(found: AssignedValue) -> Iterator[AssignedValue]:
    """Yields an attribute that a constructor in Python sets from an environment variable with a
    default, such as `self.port = os.getenv("PORT", "8443")`, and the variable."""
    match = _DEFAULT.fullmatch(found.written) if found.default else None
    if match is not None:
        yield (found := found._replace(value=None, members=()))
        if match["variable"] != found.name:
            yield found._replace(name=match["variable"], owner=())


def _read_assignment(node: Any, here: _Around, language: str) -> AssignedValue | None:
    names, value = gift_of(node) or ([], None)
    is_pair = node.type == "pair"
    if len(names) != 1 or (is_pair and not here.owner):
        return None
    key = key_value(names[0], language) if is_pair else text_value(node_text(names[0]))
    name = str(key[1]).removeprefix("self." * here.local) if key else ""
    if not _NAMES.fullmatch(name) and not (is_pair and key):
        return None  # a pattern that takes values apart
    folded, written = grammar_value(value, language), node_text(value)
    members, closed = _contents(folded, constant=written.endswith(" as const"))
    return AssignedValue(
        name, here.owner, node.start_point[0] + 1, folded, written,
        _default_in(written, language), here.open, members, closed, pair=is_pair,
    )  # fmt: skip


def _contents(value: Value | None, *, constant: bool = False) -> tuple[tuple[str, ...], bool]:
    """Returns the texts in a list, or the keys of a map, and whether they are complete. Other files
    can add to a list or map that is not `constant`, but not to a tuple."""
    if value is None or value[0] not in ("list", "tuple", "set", "map"):
        return (), False
    items = [pair[0] for pair in value[1]] if value[0] == "map" else list(value[1])
    texts = tuple(i[1] for i in items if i[0] == "text")
    return texts, (constant or value[0] == "tuple") and len(texts) == len(items)


def _is_plain_literal(literal: Any) -> bool:
    """Returns whether an object has only plain keys, and is assigned unchanged to a name or a key,
    perhaps in `z.object({…})`."""
    inner = [n for n in literal.named_children if "comment" not in n.type]
    keys = [node_text(n.child_by_field_name("key")) for n in inner if n.type == "pair"]
    if len(set(keys)) < len(inner) or any(key.startswith("[") for key in keys):
        return False
    node = literal.parent
    if node.type == "arguments" and node_text(node.parent).startswith("z.object("):
        node = node.parent.parent
    while node.type in ("as_expression", "parenthesized_expression"):
        node = node.parent
    return node.type in ("pair", "variable_declarator", "assignment")


_TYPE = compiled(r"enum_declaration|enum_item|class_def")
_MEMBER = compiled(
    r"enum_(?:assignment|variant|constant|member_declaration)|property_identifier"
    r"|(?:ann_)?assign|(?:async_)?function_def|class_def"
)
_CLOSED_BASES = frozenset(
    f"{module}{base}"
    for module in ("", "enum.")
    for base in ("Enum", "IntEnum", "StrEnum", "Flag", "IntFlag")
)
_SIMPLE = compiled(r"(?:ann_)?assign|expr|function_def")
_PLAIN_TARGETS = compiled(r"[\w\s,()]+")


def _members_of(node: Any) -> tuple[str, ...]:
    """Returns the names that the body of a type defines."""
    body = _in_field(node, "body")
    found: list[str] = []
    for member in body if node.type == "class_def" or not body else body[0].named_children:
        if _MEMBER.fullmatch(member.type):
            fields = (_in_field(member, field) for field in ("name", "targets", "target"))
            texts = map(node_text, list(chain(*fields)) or [member])
            found += _NAMES.findall(" ".join(filter(_PLAIN_TARGETS.fullmatch, texts)))
    return tuple(found)


def _read_type(node: Any, here: _Around) -> AssignedValue:
    """Returns the members of an enumeration, or of a class in Python."""
    name, members = node_text(node.child_by_field_name("name")), _members_of(node)
    escapes = node.type == "enum_declaration" and "\\" in node_text(node)
    closed = bool(members) and not escapes
    if node.type == "class_def":
        bases = [node_text(b) for b in _in_field(node, "bases")]
        simple = all(_SIMPLE.fullmatch(n.type) for n in _in_field(node, "body"))
        closed = simple and bool(bases) and _CLOSED_BASES.issuperset(bases)
        closed = closed and not _in_field(node, "keywords")
    line = node.start_point[0] + 1
    return AssignedValue(name, here.owner, line, None, name, None, here.open, members, closed)


# Defaults


_DEFAULT = compiled(
    r"(?P<number>(?:(?:int|Number|parseInt)\(\s*)?)"
    r"(?:os\.(?:environ\.get|getenv)\(\s*[\"'](?P<variable>\w+)[\"']\s*,"
    r"|(?:(?:process|import\.meta)\.env(?:\.\w+|\[[\"']\w+[\"']\])|Deno\.env\.get\([\"']\w+[\"']\))"
    r"\s*(?:\?\?|\|\|)|(?:z|zod|v)(?:\.\w+(?:\((?:[^()\"']|\"[^\"]*\"|'[^']*')*+\))?)*\.default\()"
    r"\s*+(?P<literal>(?:\"[^\"\n]*\"|'[^'\n]*'|[^\"'`(){},|?]++)\s*+)(?:(?:,\s*10\s*)?,?\s*\)\s*)*+"
    r"|(?P<quote>\"?)\$\{(?P<shell>\w+):?-(?P<text>[^${}`\"']*)\}(?P=quote)"
)
"""Matches a value that applies if an environment variable is missing."""


def _default_in(written: str, language: str) -> Value | None:
    """Returns the default of an environment variable: `process.env.X ?? 1`, `Number(…)`,
    `int(os.getenv("X", "1"))`, `z.number().default(1)` or `${X:-1}`."""
    match = _DEFAULT.fullmatch(written)
    if match is None or (language == "python") != bool(match["variable"]):
        return None
    if match["shell"]:
        return text_value(match["text"]) if language == "bash" else None
    value = claimed_value(match["literal"], language)
    if value is None or not match["number"] or value[0] == "int":
        return value
    return whole(int(value[1])) if value[0] == "text" and value[1].isdecimal() else None
