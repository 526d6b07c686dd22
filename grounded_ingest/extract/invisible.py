"""Characters that no screen shows and every agent reads: what they spell, and where."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec.structs import replace

from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Extraction, Form, Problem, Tier

# Tags that are no flag of a region, and runs of variation selectors or of characters without a
# width; one alone, or a selector with a joiner, makes an emoji or a word of Persian.
_RUN = compiled(
    r"(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"
    r"|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
    r"|[\u200b-\u200f\u2060-\u2064\ufeff]{6,}"
)


def invisible(text: str) -> Iterator[tuple[int, int, str]]:
    """(start, end, what it spells) of every run of invisible characters."""
    if text.isascii():
        return
    for found in _RUN.finditer(text):
        yield found.start(), found.end(), spelled(found)


def reported(found: Extraction, runs: list[tuple[int, str]]) -> Extraction:
    """An extraction with a word on runs, each (line, what it spells), that no hidden claim shows:
    in headings, code, keys."""
    hidden = (c for c in found.claims if c.form is Form.HIDDEN)
    shown = {line for claim in hidden for line in range(claim.line, claim.end_line + 1)}
    left = [run for run in runs if run[0] not in shown]
    if not left:
        return found
    spells = next((f" that spell “{said[:80]}”" for _, said in left if said), "")
    message = f"characters that nobody sees{spells}: remove them"
    problem = Problem("", left[0][0], "unread", message, int(Tier.REVIEW))
    return replace(found, problems=(*found.problems, problem))


def spelled(found: re.Match[str]) -> str:
    """The words a run of tags or selectors carries; empty where it carries none that are known."""
    codes = [ord(char) for char in found[0]]
    if codes[0] >= 0xE0100 or 0xFE00 <= codes[0] <= 0xFE0F:
        carried = bytes(c - 0xFE00 if c < 0xE0000 else c - 0xE0100 + 16 for c in codes)
        text = carried.decode(errors="replace")
    elif codes[0] >= 0xE0000:
        text = "".join(chr(c - 0xE0000) for c in codes if c < 0xE007F)
    else:
        return ""
    return "".join(char for char in text if char.isprintable() and char != "\ufffd").strip()
