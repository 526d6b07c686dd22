"""Whether a quote stands in a source, and where."""

from __future__ import annotations

import re

from grounded_ingest.judges.question import fields_of
from grounded_ingest.support.source import Source

MAX_QUOTE = 2_000
SHORTEST = 8
"""Characters of a quote that is not a whole line: a few letters stand in every source."""

# Models straighten these; as many characters before as after.
_STRAIGHT = str.maketrans("‘’“”\xa0", "''\"\" ")


def place(quote: str, source: Source, *, focused: bool) -> tuple[int, int] | None:
    """First and last line of a quote, (0, 0) where what is quoted has none; None: not there.

    Whole words, and numbers with their decimals; spaces and line ends are alike. `focused`: in
    the cited lines, where lines are cited.
    """
    words = quote.translate(_STRAIGHT).split()
    if not words or len(quote) > MAX_QUOTE:
        return None
    wanted = _wanted(words)
    for found in wanted.finditer(source.text.translate(_STRAIGHT)):
        if _says_enough(found):
            first = source.line + source.text.count("\n", 0, found.start())
            last = first + found[0].count("\n")
            if not focused or _cited(source, first, last):
                return first, last
    if focused and source.cited is not None:
        return None
    parts = fields_of(source)
    others = [parts.get(name, "") for name in ("title", "definitions", "touched", "diff")]
    inside = any(_says_enough(m) for o in others for m in wanted.finditer(o.translate(_STRAIGHT)))
    return (0, 0) if inside else None


def _wanted(words: list[str]) -> re.Pattern[str]:
    before = r"(?<![\w])(?<!\w-)" if _is_word(words[0][0]) else ""
    before += r"(?<!\d[.,])" if words[0][0].isdigit() else ""
    after = r"(?!\w)" if _is_word(words[-1][-1]) else ""
    after += r"(?![.,]\d)" if words[-1][-1].isdigit() else ""
    return re.compile(before + r"\s+".join(map(re.escape, words)) + after)


def _is_word(char: str) -> bool:
    return char == "_" or char.isalnum()


def _says_enough(found: re.Match[str]) -> bool:
    if len(found[0]) >= SHORTEST:
        return True
    start = found.string.rfind("\n", 0, found.start()) + 1
    end = found.string.find("\n", found.end())
    return found.string[start : end if end >= 0 else None].strip() == found[0]


def _cited(source: Source, first: int, last: int) -> bool:
    return source.cited is None or (first <= source.cited[1] and last >= source.cited[0])
