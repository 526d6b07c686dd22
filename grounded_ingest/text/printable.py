"""Makes text from documents harmless for terminals, CI logs and models."""

from __future__ import annotations

import re

from grounded_ingest.text.patterns import compiled

# Invisible: controls, bidirectional marks, characters without width, tags, half surrogates.
_UNSEEN = compiled(
    "[\x00-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164"
    "\ud800-\udfff\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e01ef]"
)
_JOINED = compiled(
    "(?<=[\u2190-\u2bff\ufe0f\U0001f300-\U0001faff])\u200d(?=[\u2190-\u2bff\U0001f300-\U0001faff])",
    needs=("\u200d",),
)
# `##[group]` and `##vso[…]` (Azure Pipelines), `##teamcity[…]`: read anywhere in a line of a log.
_LOG_COMMAND = compiled(r"##(?=[A-Za-z\[])", needs=("##",))
_LOG_COMMAND_JSON = compiled(r"#(?=#[A-Za-z\[])", needs=("##",))

_PLAIN_NAME = compiled(r"[\w.@+~/=,$()\[\]{}%&-]+")
LONGEST_NAME = 120
"""Characters of a file's name in a message for a model."""


def printable(text: str, limit: int = 0) -> str:
    """Returns text as one line without characters that move the cursor or hide, and without what
    a CI service would take for a command (`::error::`, `##vso[…]`); cut at `limit` characters."""
    text = _JOINED.sub("\0", text.replace("\0", "\ufffd"))  # emoji joined into one stay whole
    if not (text.isascii() and text.isprintable()):
        text = _UNSEEN.sub(_visible, text)
    text = inert_text(text)
    if text.lstrip().startswith("::"):
        text = text.replace("::", ":\\u003a", 1)
    return text[: limit - 1] + "…" if limit and len(text) > limit else text


def quoted_name(name: str) -> str:
    """Returns a file's name as it is if it has neither spaces nor marks that could end it and is
    no longer than LONGEST_NAME, else as a JSON string cut there."""
    return name if has_plain_name(name) else json_quoted(name, LONGEST_NAME)


def has_plain_name(name: str) -> bool:
    """Returns whether a file's name cannot be taken for anything else, such as an instruction."""
    short = len(name) <= LONGEST_NAME
    return short and bool(_PLAIN_NAME.fullmatch(name)) and printable(name) == name


def json_quoted(text: str, limit: int = 0) -> str:
    """Returns text as a JSON string, printable and cut at `limit` characters before escapes."""
    import json  # start-up: most runs quote nothing

    return json.dumps(printable(text, limit), ensure_ascii=False)


def inert_text(text: str) -> str:
    """Returns text with a space behind every `##` that a CI service would take for the beginning
    of a command; lines, tabs and colours stay."""
    return _LOG_COMMAND.sub("## ", text)


def inert_json(text: str) -> str:
    """Returns the same JSON with escapes in place of commands to a CI log and of characters that
    hide or reorder text. Only characters inside strings are replaced, so the values stay exact."""
    text = _LOG_COMMAND_JSON.sub(r"\\u0023", text)
    return text if text.isascii() else _UNSEEN.sub(_json_escape, text)


def _json_escape(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[n : n + 2].hex()}" for n in range(0, len(units), 2))


def unseen() -> str:
    """Returns a pattern of invisible characters that Python and JavaScript both understand."""
    return f"(?!{_JOINED.pattern}){_UNSEEN.pattern}"


def _visible(found: re.Match[str]) -> str:
    char = found[0]
    if char == "\0":
        return "\u200d"
    if char in "\n\t\r":
        return " "
    return f"\\u{ord(char):04x}" if ord(char) <= 0xFFFF else f"\\U{ord(char):08x}"
