"""Makes text from documents harmless for terminals, CI logs and models."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from grounded_ingest.text.patterns import compiled

T = TypeVar("T")

# Invisible characters: controls, bidirectional marks, zero-width characters, tags, surrogates.
_UNSEEN = compiled(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e01ef]"
)
_JOINED = compiled(
    "(?<=[\u2190-\u2bff\ufe0f\U0001f300-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f300-\U0001faff])",
    needs=("\u200d",),
)
# CI services read `##[group]`, `##vso[…]` (Azure Pipelines) and `##teamcity[…]` anywhere in a line.
_LOG_COMMAND = compiled(r"##(?=[A-Za-z\[])", needs=("##",))
_LOG_COMMAND_JSON = compiled(r"#(?=#[A-Za-z\[])", needs=("##",))

_PLAIN_NAME = compiled(r"[\w.@+~/=,$()\[\]{}%&-]+")
LONGEST_NAME = 120
"""Maximum number of characters of a file name in a message to a model."""


def number_of(number: int, noun: str) -> str:
    """Returns a number with its noun: "1 claim", "2 guesses", "3 repositories"."""
    if number == 1:
        return f"1 {noun}"
    ending = "es" if noun.endswith("s") else "s"
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else noun + ending
    return f"{number} {plural}"


def printable(text: str, limit: int = 0) -> str:
    """Returns text as one line that is safe to print, cut at `limit` characters if `limit` is not
    0. Removes invisible characters and characters that move the cursor. Breaks up commands for CI
    services (`::error::`, `##vso[…]`)."""
    text = _JOINED.sub("\0", text.replace("\0", "\ufffd"))  # emoji joined into one stay whole
    if not (text.isascii() and text.isprintable()):
        text = _UNSEEN.sub(_visible, text)
    text = inert_text(text)
    if text.lstrip().startswith("::"):
        text = text.replace("::", ":\\u003a", 1)
    return text[: limit - 1] + "…" if limit and len(text) > limit else text


def quoted_name(name: str) -> str:
    """Returns a file name unchanged if it is short and has only plain characters. Otherwise returns
    the name as a JSON string, cut at LONGEST_NAME characters."""
    return name if has_plain_name(name) else json_quoted(name, LONGEST_NAME)


def has_plain_name(name: str) -> bool:
    """Returns whether a file's name is short and has only plain characters, so that a model cannot
    take the name for an instruction."""
    short = len(name) <= LONGEST_NAME
    return short and bool(_PLAIN_NAME.fullmatch(name)) and printable(name) == name


def json_quoted(text: str, limit: int = 0) -> str:
    """Returns text as a printable JSON string, cut at `limit` characters before it is escaped."""
    import json  # imported late: most runs quote nothing

    return json.dumps(printable(text, limit), ensure_ascii=False)


def counted(
    items: Iterable[T], total: int, what: str, tell: Callable[[str], object], first: int = 0
) -> Iterator[T]:
    """Yields the items. Before every hundredth of them, calls `tell` with a text such as `deciding
    claims, 20 of 900`. `first` is the number of earlier items."""
    every = max(1, total // 100)
    for number, item in enumerate(items, first):
        if number % every == 0:
            tell(f"{what}, {number:,} of {total:,}")
        yield item


def inert_text(text: str) -> str:
    """Returns text with a space after every `##` that begins a command of a CI service. Keeps line
    ends, tabs and colours."""
    return _LOG_COMMAND.sub("## ", text)


def inert_json(text: str) -> str:
    """Returns JSON with the same values that is safe to print in a CI log. Escapes, in strings, the
    start of a command for a CI service, and characters that hide or reorder text."""
    text = _LOG_COMMAND_JSON.sub(r"\\u0023", text)
    return text if text.isascii() else _UNSEEN.sub(_json_escape, text)


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[n : n + 2].hex()}" for n in range(0, len(units), 2))


def _visible(found: re.Match[str]) -> str:
    char = found[0]
    if char == "\0":
        return "\u200d"
    if char in "\n\t\r":
        return " "
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"
