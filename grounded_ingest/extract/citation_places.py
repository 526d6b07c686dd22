"""Finds the byte offsets of a citation in its document, so that a fix can edit the citation."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from grounded_ingest.extract.positions import LineIndex
from grounded_ingest.model.claims import Citation, CitationKind, Claim
from grounded_ingest.text.patterns import compiled

_LEFT = r"(?<![\w./@%-])"
_LABEL = compiled(r"\[\^([^\[\]\s]+)\]")
_NUMBERS = r"(?:\d{1,7}(?:[-–]\d{1,7})?,\s?)*"


class CitationPlace(NamedTuple):
    """The byte offsets of a citation in its document.

    The citation reaches from `start` to `end`. The other fields are (start, end) pairs: `name` of
    the path or id, `first` and `last` of the numbers of the first and last cited line. Without
    line numbers, `first` and `last` are None."""

    start: int
    end: int
    name: tuple[int, int]
    first: tuple[int, int] | None = None
    last: tuple[int, int] | None = None


def citation_places(
    text: LineIndex, claims: Sequence[Claim], number: int, citation: Citation
) -> list[CitationPlace]:
    """Returns the places where the document writes a citation of the claim at index `number`: in
    the claim, or else in its footnotes, or else outside of claims. A citation outside of claims, as
    in a link definition, is found only if it occurs once."""
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
    source = text.source
    found = list(_search(source, start, end, citation))
    if not found:
        found = [p for at in _footnotes(source, claim) for p in _search(source, *at, citation)]
    if not found:
        of_claims = {n for c in claims for n in range(c.line, c.end_line + 1)}
        everywhere = _search(source, 0, len(source), citation)
        outside = [p for p in everywhere if text.line(p.start) not in of_claims]
        found = outside if len(outside) == 1 else []
    return found


def footnotes_of(text: str, claim: Claim) -> Iterator[tuple[int, str]]:
    """Yields the line and the text of each footnote of a claim. A footnote ends at the next empty
    line."""
    source = text.encode(errors="surrogateescape")
    for start, end in _footnotes(source, claim):
        note = source[start:end].decode(errors="surrogateescape")
        yield source.count(b"\n", 0, start) + 1, note


def _footnotes(source: bytes, claim: Claim) -> Iterator[tuple[int, int]]:
    """Yields the byte spans of a claim's footnotes. A footnote ends at the next empty line."""
    for label in dict.fromkeys(_LABEL.findall(claim.text)):
        written = re.escape(label.encode())
        found = re.search(rb"(?m)^[ \t>]*\[\^" + written + rb"\]:(?:.*\S.*\n?)+", source)
        if found:
            yield found.span()


def _search(source: bytes, start: int, end: int, citation: Citation) -> Iterator[CitationPlace]:
    part = source[start:end].decode(errors="surrogateescape")
    for raw in dict.fromkeys((citation.raw, quote(citation.raw))):
        if found := [*_pattern_of(raw, citation).finditer(part)]:
            yield from (_place(part, start, match) for match in found)
            return


def _pattern_of(raw: str, citation: Citation) -> re.Pattern[str]:
    """Returns the pattern that finds a citation, whose path or id the document writes as `raw`."""
    name = f"(?P<name>{re.escape(raw)})"
    if citation.kind is CitationKind.COMMIT:
        return re.compile(rf"(?<![0-9a-zA-Z])(?ai:{name})(?![0-9a-zA-Z])")
    if citation.kind is not CitationKind.PATH:
        return re.compile(name)
    if citation.lines is None:
        return re.compile(rf"{_LEFT}{name}(?![\w/-]|\.\w|:\d|#L\d)")
    first, last = citation.lines
    several = rf":{_NUMBERS}(?P<a>{first})"
    anchor = rf"#L(?P<c>{first})(?:C\d+)?"
    if first == last:
        ends = rf"(?:[-–](?P<b>{last}))?(?!\d|[-–]\d)"
        anchor_ends = rf"(?:-L?(?P<d>{last})(?:C\d+)?)?(?!\d|-L?\d)"
    else:
        ends, anchor_ends = rf"[-–](?P<b>{last})(?!\d)", rf"-L?(?P<d>{last})(?:C\d+)?(?!\d)"
    return re.compile(rf"{_LEFT}{name}(?:{several}{ends}|{anchor}{anchor_ends})")


def _place(part: str, start: int, match: re.Match[str]) -> CitationPlace:
    def at(offset: int) -> int:
        return start + len(part[:offset].encode(errors="surrogateescape"))

    def span(*names: str) -> tuple[int, int] | None:
        groups = match.groupdict()
        group = next((n for n in names if groups.get(n)), None)
        return (at(match.start(group)), at(match.end(group))) if group else None

    name = (at(match.start("name")), at(match.end("name")))
    return CitationPlace(name[0], at(match.end()), name, span("a", "c"), span("b", "d"))
