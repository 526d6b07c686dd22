"""Reads the options that a shell script accepts in a `case` over its arguments."""

from __future__ import annotations

from grounded_ingest.code.declared_options import EVERYWHERE, NOTHING_DECLARED, DeclaredOptions
from grounded_ingest.text.patterns import compiled

_OPTION = compiled(r"(?<![\w-])--[A-Za-z][\w-]*")
_LABEL = compiled(r"(?m)^[ \t]*+(?=[^\n()]*--[A-Za-z])[-\w|\"'= \t]+\)")
"""Matches the label of a branch for an option: `-v|--verbose)`."""
_LOOP = compiled(r"for[ \t]+\w+[ \t]+in[ \t]+\"\$@\"|\bgetopt\b[^\n]*\"\$@\"")
_DEFINED = compiled(r"(?m)^[ \t]*(?:function[ \t]+)?(\w+)[ \t]*(?:\(\)|(?=\{))")
_CALLED = compiled(r"(?m)^[ \t]*(\w+)[ \t]+\"\$@\"")
_ALL = compiled(r"\$[@*]|\$\{[@*]")
_REST = compiled(
    r"(?m)^[ \t]*\*\)(?:(?!;;)[^\0]){0,400}?(?:=|\()[^\n;]*\$\{?(?:1\b|arg\b|key\b|opt\b)"
)
"""Matches the branch for unknown arguments if it keeps them: `*) FILES+=("$1") ;;`."""


def script_options(text: str) -> DeclaredOptions:
    """Returns the options that a shell script contains. They are all that it accepts only if it
    neither passes its arguments to another program nor keeps unknown ones."""
    if not _LABEL.search(text):
        return NOTHING_DECLARED
    own = set(_DEFINED.findall(text))
    left = _CALLED.sub(lambda m: "" if m[1] in own else m[0], _LOOP.sub("", text))
    owners = dict.fromkeys(_OPTION.findall(text), frozenset((EVERYWHERE,)))
    whole = not (_ALL.search(left) or _REST.search(left))
    return DeclaredOptions(owners, frozenset(), {}, known=True, whole=whole, named=True)
