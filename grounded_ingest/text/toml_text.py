"""Reads TOML files from strangers within limits on memory.

`tomllib` stores every beginning of a dotted key. For `a.a.a…=1`, the memory is quadratic in the
number of parts: a file of 60 kB took 3.5 GB. Therefore this module counts parts and nesting before
`tomllib` runs."""

from __future__ import annotations

import re
from typing import Any

from grounded_ingest.text.patterns import compiled

PARTS = 16
"""Maximum number of parts in a key or table header. `a."b.c".d` has three parts."""
DEPTH = 64
"""Maximum number of arrays and inline tables that are nested inside each other."""
VALUES = 500_000
"""Maximum number of values and parts of keys in a text. A lock file of 1 MB has about 100,000."""

# Strings and comments match as a whole, so that dots and brackets inside them do not count. The
# last line is for an unclosed string: tomllib stops there with an error.
_TOKEN = compiled(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}|"(?!"")(?:[^"\\\n]|\\[^\n])*+"'
    r"|'''(?:[^']|'(?!''))*+'{3,5}|'(?!'')[^'\n]*+'"
    r"|#[^\n]*+|[.=,\n\[\]{}]"
    r"|(?:\"\"\"|''').*+|[\"'][^\n]*+",
    16,  # re.DOTALL
)


class TomlError(Exception):
    """Raised if a TOML text cannot be read. `line` is the number of the line, counted from 1."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


def load_toml(text: str) -> dict[str, Any]:
    """Returns the values in a TOML text. Raises TomlError if it is not TOML or exceeds a limit."""
    import tomllib  # imported late: most runs read no TOML

    _bound(text)
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of 5,000 digits is a ValueError
        place = re.search(r"at line (\d+)", str(error))
        problem = str(error).partition(" (at line ")[0]
        raise TomlError(f"not valid TOML: {problem}", int(place[1]) if place else 1) from None


def _bound(text: str) -> None:
    """Raises TomlError if a key has too many parts, if the text has too many values, or if the text
    is nested too deep."""
    parts, depth, values = 1, 0, 0
    for token in _TOKEN.finditer(text):
        match token[0]:
            case ".":
                parts, values = parts + 1, values + 1
            case "[" | "{":
                parts, depth = 1, depth + 1
            case "]" | "}":
                depth = max(depth - 1, 0)
            case "=" | ",":
                parts, values = 1, values + 1
            case "\n":
                parts = 1
            case _:
                continue
        if parts <= PARTS and depth <= DEPTH and values <= VALUES:
            continue
        line = text.count("\n", 0, token.start()) + 1
        if parts > PARTS:
            raise TomlError(f"a key has more than {PARTS} parts", line)
        if depth > DEPTH:
            raise TomlError(f"the text is nested deeper than {DEPTH} levels", line)
        raise TomlError(f"the text has more than {VALUES:,} values", line)
