"""ADR numbers in running text: `ADR-3`, `ADR-015/031`, `ADRs 3, 4 and 7`, `ADR-048 to ADR-138`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grounded_ingest.language.patterns import compiled

_ADR = compiled(
    r"(?:(?<![\w/.-])|(?<=\bpre-)|(?<=\bpost-))ADRs?[-‐‑\s_#]{0,2}(\d{1,4}[a-z]?)(?![\d\w]|[\w.-]*\.md\b|-[a-zA-Z])",
    re.IGNORECASE,
)
_MORE = compiled(
    r"(?P<join>\s*(?:\.\.\.?|[-–—/,&]|,?\s*(?:and|to|through|until|or)\b)\s*)"
    r"(?:and\s+|or\s+)?(?P<name>ADRs?[-‐‑\s_#]{0,2})?(?P<n>\d{1,20})(?!%|[\w.]*\w)",
    re.IGNORECASE,
)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_RANGES = ("-", "–", "—", "..", "...", "to", "through", "until")


def adr_references(plain: str) -> Iterator[tuple[int, int, str]]:
    """Yield (start, end, number) of each reference; a range is `first-last`."""
    last = 0
    for m in _ADR.finditer(plain):
        if m.start() < last:
            continue
        yield m.start(), m.end(), m[1]
        plural, previous, at = m[0][3] in "sS", m[1], m.end()
        while (more := _MORE.match(plain, at)) and (plural or _belongs(more, previous)):
            ranged = more["join"].strip(" ,").lower() in _RANGES and previous.isdigit()
            raw = f"{previous}-{more['n']}" if ranged else more["n"]
            yield (m.start() if ranged else more.start("n")), more.end(), raw
            plural = plural or "s" in (more["name"] or "").lower()
            previous, at = more["n"], more.end()
        last = at


def _belongs(more: re.Match[str], previous: str) -> bool:
    """Whether a number behind an ADR is one too, and does not count something else."""
    if more["name"]:
        return True
    number = more["n"]
    padded = number.startswith("0") and len(number) == len(previous)
    tight = more["join"] in ("-", "–", "/", "..", "...")
    return (padded or tight) and int(number) > int(previous.rstrip(LETTERS))
