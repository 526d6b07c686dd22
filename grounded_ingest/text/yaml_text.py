"""Reads YAML files from strangers within limits on memory.

Checks the nesting and the number of values, with aliases expanded, before any value is built."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

    import yaml

DEPTH = 64
VALUES = 200_000
"""Maximum number of values in a text. An alias counts as all values that it repeats."""
LONGEST_NUMBER = 100
"""Maximum number of characters in a number. Reading a number in base 60 (`1:30:00`) takes quadratic
time."""
_NUMBERS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")


class YamlError(Exception):
    """Raised if a YAML text cannot be read. `line` is the number of the line, counted from 1.
    `offset` is the number of characters before the error."""

    def __init__(self, message: str, line: int, offset: int) -> None:
        super().__init__(message)
        self.line, self.offset = line, offset


def nodes_of(text: str, *, depth: int = DEPTH, plain: bool = False) -> list[yaml.Node]:
    """Returns the root node of each document in a text. Raises YamlError if the text is not YAML or
    exceeds a limit; if `plain` is true, also for anchors, aliases, tags and a second document."""
    import yaml  # imported late: many runs read no YAML

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        _bound(yaml.parse(text, Loader=loader), depth, plain=plain)
        return [node for node in yaml.compose_all(text, Loader=loader) if node is not None]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
        # The C parser gives the position in bytes.
        before = text.encode()[: getattr(error, "position", 0)]
        offset = mark.index if mark else len(before.decode(errors="ignore"))
        line = mark.line + 1 if mark else text.count("\n", 0, offset) + 1
        parts = [getattr(error, name, None) for name in ("context", "problem", "reason")]
        reason = ", ".join(p for p in parts if p) or "unreadable"
        raise YamlError(f"not valid YAML: {reason}", line, offset) from None


def value_of(node: yaml.Node) -> Any:
    """Returns the value of a node, as PyYAML's safe loader does. Changes the node if it has a merge
    key (`<<`). Raises ValueError if the node has no value."""
    from yaml.constructor import ConstructorError, SafeConstructor  # as in `nodes_of`

    for one in nodes_below(node):
        if one.tag in _NUMBERS and isinstance(one.value, str) and len(one.value) > LONGEST_NUMBER:
            raise ValueError("a number is too long to read")
    try:
        return SafeConstructor().construct_document(node)
    except (ConstructorError, ArithmeticError, AttributeError, LookupError, TypeError) as error:
        raise ValueError(str(error)) from None  # `!!timestamp x`, `!!int ""`, `!!bool x`, `=`


def nodes_below(root: Any) -> Iterator[Any]:
    """Yields a node and all nodes inside it, each once."""
    waiting, seen = [root], set[int]()
    while waiting:
        node = waiting.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        yield node
        for child in node.value if isinstance(node.value, list) else ():
            waiting += child if isinstance(child, tuple) else (child,)


class _Open:
    """A collection that is being read: its anchor, and the number of its values so far."""

    def __init__(self, anchor: str = "") -> None:
        self.anchor, self.values = anchor, 1


def _bound(events: Any, depth: int, *, plain: bool) -> None:
    """Raises YamlError if the `events` of the YAML parser are nested too deep, are too many with
    aliases expanded, or have an alias inside the collection to which it refers."""
    bounds, documents = _Bounds(depth), 0
    for event in events:
        name = type(event).__name__
        documents += name == "DocumentStartEvent"
        problem = bounds.take(name, getattr(event, "anchor", None) or "")
        if plain and documents > 1:
            problem = "not valid YAML: expected a single document"
        elif plain and getattr(event, "anchor", None):
            problem = "anchors and aliases are not allowed here"
        elif plain and getattr(event, "tag", None):
            problem = "tags are not allowed here"
        if problem:
            mark = event.start_mark
            raise YamlError(problem, mark.line + 1 if mark else 1, mark.index if mark else 0)


class _Bounds:
    """Counts the values of a text, event by event, without building them."""

    def __init__(self, depth: int) -> None:
        self.depth = depth
        self.open = [_Open()]
        self.known: dict[str, int] = {}

    def take(self, event: str, anchor: str) -> str:
        """Counts the values and the nesting after one more parser event. Returns a message if a
        limit is exceeded, else an empty string."""
        match event:
            case "MappingStartEvent" | "SequenceStartEvent":
                self.open.append(_Open(anchor))
                self.known.pop(anchor, None)
                deep = len(self.open) > self.depth + 1
                return f"the text is nested deeper than {self.depth} levels" if deep else ""
            case "MappingEndEvent" | "SequenceEndEvent":
                ended = self.open.pop()
                return self._put(ended.values, ended.anchor)
            case "AliasEvent" if any(o.anchor == anchor for o in self.open):
                return "an alias is inside the collection to which it refers"
            case "AliasEvent":
                return self._put(self.known.get(anchor, 1))
            case "ScalarEvent":
                return self._put(1, anchor)
            case _:
                return ""

    def _put(self, values: int, anchor: str = "") -> str:
        if anchor:
            self.known[anchor] = values
        self.open[-1].values += values
        if self.open[-1].values <= VALUES:
            return ""
        return f"the text has more than {VALUES:,} values, with its aliases expanded"
