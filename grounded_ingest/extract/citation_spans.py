"""Where a citation is written in the bytes of its document."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote

from grounded_ingest.model.claims import Citation, CitationKind, Claim
from grounded_ingest.text.patterns import compiled

_BOM = b"\xef\xbb\xbf"
_LEFT = r"(?<![\w./@%-])"
_LABEL = compiled(r"\[\^([^\[\]\s]+)\]")
_NUMBERS = r"(?:\d{1,7}(?:[-–]\d{1,7})?,\s?)*"


class CitationSpot(NamedTuple):
    """One place of a citation, as byte offsets: the whole of it, its path or id, and the numbers of
    its first and last line where it has them."""

    start: int
    end: int
    name: tuple[int, int]
    first: tuple[int, int] | None = None
    last: tuple[int, int] | None = None


class DocumentBytes:
    """The bytes of a document, by line."""

    def __init__(self, content: bytes) -> None:
        self.content = content
        self._starts = [0, *(m.end() for m in re.finditer(rb"\n", content))]

    def line_at(self, offset: int) -> int:
        """The line (1-based) of a byte."""
        from bisect import bisect_right

        return bisect_right(self._starts, offset)

    def offset(self, line: int, column: int = 1) -> int:
        """The byte where a column (1-based, in characters) of a line begins."""
        if line > len(self._starts):
            return len(self.content)
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self.content)
        row = self.content[start:end]
        if line == 1 and row.startswith(_BOM):
            start, row = start + len(_BOM), row[len(_BOM) :]
        text = row.decode(errors="replace")
        return start + len(text[: column - 1].encode())


def spots(
    text: DocumentBytes, claims: Sequence[Claim], number: int, citation: Citation
) -> list[CitationSpot]:
    """Where a citation of the claim of that number stands: within the claim, in its footnotes, or
    at the only place outside of claims (a link's definition). In order."""
    claim = claims[number]
    start = text.offset(claim.line, claim.column)
    end = text.offset(claim.end_line + 1)
    for other in claims[number + 1 :]:
        begins = text.offset(other.line, other.column)
        if begins > start:
            end = min(end, begins)
            break
        if other.line > claim.end_line:
            break
    found = list(_search(text.content, start, end, citation))
    if not found:
        found = [s for at in _footnotes(text, claim) for s in _search(text.content, *at, citation)]
    if not found:
        held = {n for c in claims for n in range(c.line, c.end_line + 1)}
        everywhere = _search(text.content, 0, len(text.content), citation)
        outside = [s for s in everywhere if text.line_at(s.start) not in held]
        found = outside if len(outside) == 1 else []
    return found


def _footnotes(text: DocumentBytes, claim: Claim) -> Iterator[tuple[int, int]]:
    """Where the footnotes of a claim stand, each up to the next empty line."""
    for label in dict.fromkeys(_LABEL.findall(claim.text)):
        written = re.escape(label.encode())
        found = re.search(rb"(?m)^[ \t>]*\[\^" + written + rb"\]:(?:.*\S.*\n?)+", text.content)
        if found:
            yield found.span()


def _search(content: bytes, start: int, end: int, citation: Citation) -> Iterator[CitationSpot]:
    part = content[start:end].decode(errors="surrogateescape")
    for raw in dict.fromkeys((citation.raw, quote(citation.raw))):
        found = [*_matches(raw, citation, part)]
        if found:
            for name, match in found:
                yield _spot(part, start, name, match)
            return


def _matches(
    raw: str, citation: Citation, part: str
) -> Iterator[tuple[tuple[int, int], re.Match[str]]]:
    """Where a citation's path or id stands, and what follows it there: patterns are of what
    stands around, so that none is compiled for each name."""
    folded = citation.kind is CitationKind.COMMIT
    text, name = (_folded(part), _folded(raw)) if folded else (part, raw)
    before, after = _around(citation.kind, citation.lines)
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        match = after.match(part, end) if before.match(part, at) else None
        if match:
            yield (at, end), match
        at = text.find(name, max(match.end(), at + 1) if match else at + 1)


_ASCII = {c: c + 32 for c in range(ord("A"), ord("Z") + 1)}


def _folded(text: str) -> str:
    return text.translate(_ASCII)


@lru_cache(maxsize=1024)
def _around(
    kind: CitationKind, lines: tuple[int, int] | None
) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What has to stand before a name, and after it."""
    if kind is CitationKind.COMMIT:
        return re.compile("(?<![0-9a-zA-Z])"), re.compile("(?![0-9a-zA-Z])")
    if kind is not CitationKind.PATH:
        return re.compile(""), re.compile("")
    if lines is None:
        return re.compile(_LEFT), re.compile(r"(?![\w/-]|\.\w|:\d|#L\d)")
    first, last = lines
    several = rf":{_NUMBERS}(?P<a>{first})"
    anchor = rf"#L(?P<c>{first})(?:C\d+)?"
    if first == last:
        ends = rf"(?:[-–](?P<b>{last}))?(?!\d|[-–]\d)"
        anchor_ends = rf"(?:-L?(?P<d>{last})(?:C\d+)?)?(?!\d|-L?\d)"
    else:
        ends, anchor_ends = rf"[-–](?P<b>{last})(?!\d)", rf"-L?(?P<d>{last})(?:C\d+)?(?!\d)"
    return re.compile(_LEFT), re.compile(rf"(?:{several}{ends}|{anchor}{anchor_ends})")


def _spot(part: str, start: int, name: tuple[int, int], match: re.Match[str]) -> CitationSpot:
    def at(offset: int) -> int:
        return start + len(part[:offset].encode(errors="surrogateescape"))

    def span(*names: str) -> tuple[int, int] | None:
        groups = match.groupdict()
        group = next((n for n in names if groups.get(n)), None)
        return (at(match.start(group)), at(match.end(group))) if group else None

    first, last = span("a", "c"), span("b", "d")
    return CitationSpot(at(name[0]), at(match.end()), (at(name[0]), at(name[1])), first, last)
