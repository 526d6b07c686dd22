"""One rewrite of a held-back claim, as somebody makes it who does what the message says and no
more: take the words of the place that it quotes, or drop the words that it names."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"paraphrase: .*? says “(?P<quote>.+)”\s*$", re.DOTALL)
_NAMED = re.compile(r"“([^”]+)” (?:is not what|does not stand in|says more than|stands elsewhere)")


def rewrite(text: str, reason: str, cites: str) -> str:
    """The claim as it reads afterwards; empty where the message offers neither."""
    if quoted := _QUOTED.search(reason):
        return f"{' '.join(quoted['quote'].split())} (`{cites}`)."
    words = list(dict.fromkeys(_NAMED.findall(reason)))
    if not words:
        return ""
    for word in words:
        text = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", "", text, count=1)
    return re.sub(r"\s+([.,;:)])", r"\1", " ".join(text.split()))


def in_place(lines: list[str], block: range, text: str) -> tuple[list[str], int]:
    """A document in which a text stands for a block (1-based lines), and the line of it. Of a table
    row it is a paragraph below the table."""
    first, last = block.start, block.stop - 1
    old = lines[first - 1]
    if old.lstrip().startswith("|"):
        below = last
        while below < len(lines) and lines[below].lstrip().startswith("|"):
            below += 1
        kept = [*lines[: first - 1], *lines[last:below]]
        return [*kept, "", text, "", *lines[below:]], len(kept) + 2
    mark = re.match(r"\s*(?:[-*+]|\d+[.)])\s+(?:\[[ xX]\]\s+)?", old)
    new = f"{mark[0] if mark else ''}{text}"
    return [*lines[: first - 1], new, *lines[last:]], first
