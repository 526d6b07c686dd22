"""Definitions by tree-sitter: a table per language, one walk for all. Imported only where a file of
such a language is asked about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

from grounded_ingest.code.code_definition import CodeDefinition
from grounded_ingest.text.patterns import compiled

DEEPEST = 400
"""Nodes above a definition that is found."""


class _Grammar(NamedTuple):
    """`package` is the wheel's module, `factory` what gives its language. `defines` are the types
    of nodes that define what their field `name` holds, by kind; `owners` those that only own what
    is in them, by the field that names them; `local` those inside which values are local."""

    package: str
    factory: str
    defines: Mapping[str, str]
    owners: Mapping[str, str] = {}
    local: frozenset[str] = frozenset()


def _kinds(**kinds: str) -> dict[str, str]:
    """Types of nodes by kind."""
    return {node: kind for kind, nodes in kinds.items() for node in nodes.split()}


_SCRIPT = _kinds(
    function="function_declaration generator_function_declaration method_definition"
    " function_signature method_signature abstract_method_signature",
    type="class_declaration abstract_class_declaration interface_declaration"
    " type_alias_declaration enum_declaration internal_module module",
    value="variable_declarator public_field_definition field_definition property_signature"
    " enum_assignment",
)
_SCRIPT_LOCAL = frozenset(
    {
        *("function_declaration", "generator_function_declaration", "method_definition"),
        *("arrow_function", "function_expression", "generator_function"),
    }
)

_GRAMMARS = {
    "javascript": _Grammar("tree_sitter_javascript", "language", _SCRIPT, {}, _SCRIPT_LOCAL),
    "typescript": _Grammar(
        "tree_sitter_typescript", "language_typescript", _SCRIPT, {}, _SCRIPT_LOCAL
    ),
    "tsx": _Grammar("tree_sitter_typescript", "language_tsx", _SCRIPT, {}, _SCRIPT_LOCAL),
    "go": _Grammar(
        "tree_sitter_go",
        "language",
        _kinds(
            function="function_declaration method_declaration method_elem",
            type="type_spec type_alias",
            value="const_spec var_spec field_declaration",
        ),
        {},
        frozenset(("function_declaration", "method_declaration", "func_literal")),
    ),
    "rust": _Grammar(
        "tree_sitter_rust",
        "language",
        _kinds(
            function="function_item function_signature_item macro_definition",
            type="struct_item enum_item trait_item type_item union_item mod_item",
            value="const_item static_item enum_variant field_declaration",
        ),
        {"impl_item": "type"},
        frozenset(("function_item", "closure_expression")),
    ),
    "java": _Grammar(
        "tree_sitter_java",
        "language",
        _kinds(
            function="method_declaration constructor_declaration",
            type="class_declaration interface_declaration enum_declaration record_declaration"
            " annotation_type_declaration",
            value="variable_declarator enum_constant",
        ),
        {},
        frozenset(("method_declaration", "constructor_declaration", "lambda_expression")),
    ),
    "c_sharp": _Grammar(
        "tree_sitter_c_sharp",
        "language",
        _kinds(
            function="method_declaration constructor_declaration delegate_declaration",
            type="class_declaration struct_declaration interface_declaration enum_declaration"
            " record_declaration record_struct_declaration",
            value="property_declaration variable_declarator enum_member_declaration",
        ),
        {},
        frozenset(("method_declaration", "constructor_declaration", "lambda_expression")),
    ),
    "ruby": _Grammar(
        "tree_sitter_ruby",
        "language",
        _kinds(function="method singleton_method alias", type="class module", value="assignment"),
        {},
        frozenset(("method", "singleton_method", "lambda", "block", "do_block")),
    ),
    "bash": _Grammar(
        "tree_sitter_bash",
        "language",
        _kinds(function="function_definition", value="variable_assignment"),
        {},
        frozenset(("function_definition",)),
    ),
}


class CutParseError(ValueError):
    """A parse that cost too much for the length of its text: what the text defines is unknown."""


class _Work:
    """Gives a parser its text, and counts what the parse costs.

    A unit is one progress call, which tree-sitter makes every 100 operations. None of 1,491 files
    in seven languages took more than 0.02 units a byte, minified ones included; `<!--` in Ruby
    takes 8 a byte at 3 kB, and more the longer it is. Time is not looked at: the same text is cut
    short on every machine, or on none.
    """

    RATES, MOST = {"": 1 / 40, "ruby": 1 / 25}, 64
    """Units that each byte read for the first time pays for, by language, and units that may be
    owed. Ruby's grammar takes twice the operations of the others."""
    CHUNK, READ = 256, 1 / 8
    """Bytes given at once, and the units for that: scanners of shell read far ahead, again and
    again, between two progress calls."""

    def __init__(self, source: bytes, language: str) -> None:
        self._rate = self.RATES.get(language, self.RATES[""])
        self._source, self._farthest, self._owed = source, 0, 0.0
        self._at_end, self._balancing = False, len(source) * self._rate
        self.chunk = self.CHUNK

    def read(self, offset: int, _: object) -> bytes:
        self._owed += self.READ
        self._at_end = self._at_end or offset >= len(self._source)
        return self._source[offset : offset + self.chunk]

    def is_too_much(self, offset: int, _: object) -> bool:
        if self._at_end and offset == self._farthest and self._balancing > 0:
            self._balancing -= 1  # when all is read the tree is balanced
            return False
        paid = max(0, offset - self._farthest) * self._rate
        self._farthest = max(self._farthest, offset)
        self._owed = max(0.0, self._owed + 1 - paid)
        return self._owed > self.MOST


CHAIN = 500
"""`<` and arrows behind each other that nothing closes or ends."""
_BRACED = ("javascript", "typescript", "tsx", "rust", "java", "c_sharp")
_LINK = compiled(r"/\*(?:[^*]|\*(?!/))*+(?:\*/)?|//[^\n]*+|\"(?:[^\"\\\n]|\\.)*+\"?|[=-]>|[<>;{},]")


def _is_chained(text: str) -> bool:
    """Whether a text holds such a chain.

    At an error behind `a<a<a<…` tree-sitter keeps a version of its stack for each link: 8,000 of
    them took 3.8 GB in C#, and it makes no progress call meanwhile.
    """
    opened = arrows = 0
    for link in _LINK.finditer(text):
        match link[0]:
            case "<":
                opened += 1
            case ">":
                opened = max(0, opened - 1)
            case "=>" | "->":
                arrows += 1
            case ",":
                arrows = 0
            case ";" | "{" | "}":
                opened = arrows = 0
            case _:  # a string or a comment
                continue
        if opened + arrows > CHAIN:
            return True
    return False


@cache
def _known(language: str) -> Any:
    from importlib import import_module

    from tree_sitter import Language

    grammar = _GRAMMARS[language]
    return Language(getattr(import_module(grammar.package), grammar.factory)())


def _root(language: str, text: str) -> Any:
    """Returns the root node of a text. Raises CutParseError.

    Each parse has a parser of its own: one that was stopped goes on where it stopped, and the
    callbacks let other threads run.
    """
    from tree_sitter import Parser

    if language in _BRACED and _is_chained(text):
        raise CutParseError(f"a text of {language} with a chain of more than {CHAIN} `<` or arrows")
    work = _Work(text.encode(errors="replace"), language)
    parser = Parser(_known(language))
    try:
        tree = parser.parse(work.read, progress_callback=work.is_too_much)
    except ValueError:  # "Parsing failed", also if it was stopped
        raise CutParseError(f"a text of {language} that costs too much to parse") from None
    work.chunk = 4096  # `Node.text` reads through the same function
    return tree.root_node


def defined_in(language: str, text: str) -> tuple[CodeDefinition, ...] | None:
    """Returns the definitions of a text; None if most of it is not in this language. Raises
    CutParseError."""
    root = _root(language, text)
    if root.type == "ERROR":
        return None
    return tuple(_defined(root, language))


def nodes_in(language: str, text: str) -> Iterator[Any]:
    """Yields the named nodes of a text, each before those in it; none if most of it is not in this
    language. Raises CutParseError."""
    root = _root(language, text)
    waiting: list[tuple[Any, int]] = [(root, 0)] if root.type != "ERROR" else []
    while waiting:
        node, depth = waiting.pop()
        yield node
        if depth < DEEPEST:
            waiting += [(child, depth + 1) for child in reversed(node.named_children)]


@cache
def _query(language: str) -> Any:
    """What finds the nodes of a language that define, own or make local: in C, not node by node."""
    from tree_sitter import Query

    grammar, known = _GRAMMARS[language], _known(language)
    telling = sorted({*grammar.defines, *grammar.owners, *grammar.local})
    there = (kind for kind in telling if known.id_for_node_kind(kind, True))
    return Query(known, "\n".join(f"({kind}) @node" for kind in there))


def _telling_nodes(root: Any, language: str) -> list[Any]:
    """Those nodes, each before those in it."""
    from tree_sitter import QueryCursor

    found = QueryCursor(_query(language)).captures(root).get("node", [])
    return sorted(found, key=lambda n: (n.start_byte, -n.end_byte, -n.descendant_count))


def _defined(root: Any, language: str) -> Iterator[CodeDefinition]:
    grammar = _GRAMMARS[language]
    around: list[tuple[int, tuple[str, ...], bool]] = [(root.end_byte, (), False)]
    for node in _telling_nodes(root, language):
        while len(around) > 1 and around[-1][0] < max(node.end_byte, node.start_byte + 1):
            around.pop()
        _, owner, local = around[-1]
        inside = owner
        kind = grammar.defines.get(node.type)
        if kind and not (local and kind == "value"):
            names = _names(node)
            own = (*owner, *_receiver(node))
            for name in names:
                yield CodeDefinition(
                    name, kind, node.start_point[0] + 1, node.end_point[0] + 1, own
                )
            inside = (*own, *names[:1]) if kind != "value" else owner
        elif field := grammar.owners.get(node.type):
            held = node.child_by_field_name(field)
            inside = (*owner, _text(held).partition("<")[0]) if held is not None else owner
        around.append((node.end_byte, inside, local or node.type in grammar.local))


def _names(node: Any) -> list[str]:
    """The names that a node defines; a pattern or a computed name defines none here."""
    field = "left" if node.type == "assignment" else "name"
    held = node.children_by_field_name(field)
    if node.type == "assignment":
        held = [n for n in held if n.type == "constant"]
    if node.type == "variable_declarator" and not held:
        held = [n for n in node.named_children[:1] if n.type == "identifier"]
    return [_text(n).strip("\"'") for n in held if "\n" not in _text(n) and n.type in _PLAIN]


_PLAIN = frozenset(
    {
        *("identifier", "property_identifier", "type_identifier", "field_identifier", "constant"),
        *("word", "variable_name", "private_property_identifier", "string", "scope_resolution"),
        *("nested_identifier", "name", "setter", "operator"),
    }
)


def _receiver(node: Any) -> tuple[str, ...]:
    """The type that a method of Go belongs to."""
    held = node.child_by_field_name("receiver") if node.type == "method_declaration" else None
    if held is None:
        return ()
    text = _text(held).strip("()").split()
    return (text[-1].lstrip("*").partition("[")[0],) if text else ()


def _text(node: Any) -> str:
    return node.text.decode(errors="replace") if node.text else ""
