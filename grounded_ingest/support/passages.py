"""What a claim is compared with: a source as text, in passages with their lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.language.lexicon import support_patterns
from grounded_ingest.language.lexicon.support_words import ASIDES, CHOSEN
from grounded_ingest.language.mask import masked_code
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import Reading, read_text
from grounded_ingest.language.sentences import sentences
from grounded_ingest.support.claim_view import told_by_name
from grounded_ingest.support.source import SourceText

_UNREAD = Reading("")


class SourcePassage(NamedTuple):
    """A sentence of prose or a line of code.

    `block` numbers paragraphs, blocks of code and hunks; `about` is the heading above; `aside`
    marks what is weighed and not decided; `focus` what is cited, not only around it.
    """

    text: str
    line: int
    end_line: int
    block: int
    about: str = ""
    code: bool = False
    aside: bool = False
    focus: bool = True
    reading: Reading = _UNREAD

    def reworded(self, text: str) -> SourcePassage:
        """The same place with another text, and the reading of that."""
        _, line, end, block, about, code, aside, focus, _ = self
        reading = read_text(text, code=code)
        return SourcePassage(text, line, end, block, about, code, aside, focus, reading)


LONGEST = 1000
"""Characters of a passage: a longer line is data, and would take its square in time."""
_PIECE = compiled(r"(?s).{1,1000}(?=\s|$)|.{1,1000}")
_HEADING = compiled(r"#{1,6}\s+(.*?)\s*#*$|(=+ .*)$")
_ITEM = compiled(r"^\s*(?:[-*+]|\d+[.)]|>)\s+")
_ASIDE = compiled(ASIDES, 2)
_CHOSEN = compiled(CHOSEN, 2)
_COMMENT = compiled(
    r"\s*(?:#(?!\[|include|define|if)|//+!?|\*(?!\w|/)|/\*+|--\s|\"\"\"|'''|<!--|;;?\s|%\s)"
)


@lru_cache(maxsize=16)
def passages(source: SourceText) -> tuple[SourcePassage, ...]:
    """The passages of a source, in order; what is longer than LONGEST in pieces."""
    return tuple(
        piece.reworded(piece.text)
        for passage in _passages(source)
        for piece in ([passage] if len(passage.text) <= LONGEST else _pieces(passage))
    )


def _pieces(passage: SourcePassage) -> Iterator[SourcePassage]:
    for piece in _PIECE.findall(passage.text):
        yield passage.reworded(piece.strip())


def _passages(source: SourceText) -> Sequence[SourcePassage]:
    if source.kind == "commit":
        return _commit(source)
    if "\xa0" in source.text:
        source = SourceText(
            source.kind,
            source.text.replace("\xa0", " "),
            source.path,
            source.line,
            source.cited,
            source.enclosing,
            source.title,
            code=source.code,
        )
    if source.code:
        return tuple(_code(source))
    return tuple(_prose(source))


def _code(source: SourceText) -> list[SourcePassage]:
    found, block, gap = [], 0, False
    for number, text in enumerate(source.text.split("\n"), source.line):
        if not text.strip():
            gap = True
            continue
        block, gap = block + gap, False
        said = _COMMENT.match(text) is None
        found.append(
            SourcePassage(
                text.strip(), number, number, block, "", said, False, _cited(source, number, number)
            )
        )
    return found


def _cited(source: SourceText, first: int, last: int) -> bool:
    return source.cited is None or (first <= source.cited[1] and last >= source.cited[0])


def _prose(source: SourceText) -> list[SourcePassage]:
    """Sentences of paragraphs; items, rows and lines of code blocks by themselves."""
    found: list[SourcePassage] = []
    block, about, aside, fenced = 0, source.title, False, False
    held: list[tuple[int, str]] = []

    def end() -> None:
        nonlocal block, held
        if held:
            found.extend(_sentences(held, block, about, aside, source))
            block, held = block + 1, []

    edges = (source.cited[0], source.cited[1] + 1) if source.cited else ()
    for number, text in enumerate(source.text.split("\n"), source.line):
        plain = text.strip()
        if number in edges:  # what is cited holds its numbers itself: no sentence crosses its edge
            end()
        if plain.startswith(("```", "~~~")):
            end()
            fenced = not fenced
        elif fenced and plain:
            found.append(
                SourcePassage(
                    plain, number, number, block, about, True, aside, _cited(source, number, number)
                )
            )
        elif not plain:
            end()
        elif heading := _HEADING.match(plain):
            end()
            about = (heading[1] or heading[2]).strip("= ")
            aside = source.kind == "adr" and _weighs(about)
            found.append(
                SourcePassage(
                    about, number, number, block, "", False, aside, _cited(source, number, number)
                )
            )
        else:
            if plain.startswith("|") or _ITEM.match(text):
                end()
            held.append((number, _ITEM.sub("", text, count=1).strip()))
    end()
    return [_other(p, source) for p in found] if source.kind == "adr" else found


def _weighs(heading: str) -> bool:
    """Whether a section of an ADR tells what is weighed and not what is decided."""
    return bool(_ASIDE.search(heading)) and not _CHOSEN.search(heading)


_NUMBER = compiled(r"(?:^|/)(?:adr[-_])?0*(\d+)", 2)
_RECORD = compiled(r"\bADRs?[-\s_#]{0,2}0*(\d+)", 2)
_RELATED = compiled(support_patterns.RELATED, 2)


def _other(passage: SourcePassage, source: SourceText) -> SourcePassage:
    """A passage of an ADR, set aside where it only names other ADRs."""
    own = _NUMBER.search(source.path.rpartition("/")[2])
    others = [n for n in _RECORD.findall(passage.text) if not own or n != own[1]]
    lists = (
        _RELATED.search(passage.about)
        or _RELATED.search(passage.text[:30])
        or passage.text.startswith("|")
    )
    if others and (lists or len(passage.text.split()) <= 14):
        return passage._replace(aside=True)
    return passage


def _sentences(
    held: list[tuple[int, str]], block: int, about: str, aside: bool, source: SourceText
) -> list[SourcePassage]:
    """The sentences of consecutive lines, each with the lines it stands on."""
    text = " ".join(t for _, t in held)
    ends, at = [], 0
    for number, line in held:
        at += len(line) + 1
        ends.append((at, number))
    found, start, row = [], 0, 0
    for _, stop in sentences(masked_code(text)):
        said = text[start:stop].strip()
        while ends[row][0] <= start and row + 1 < len(ends):
            row += 1
        last = row
        while ends[last][0] < stop and last + 1 < len(ends):
            last += 1
        first, end_line = ends[row][1], ends[last][1]
        if said:
            found.append(
                SourcePassage(
                    said,
                    first,
                    end_line,
                    block,
                    about,
                    False,
                    aside,
                    _cited(source, first, end_line),
                )
            )
        start = stop
    return found


def _commit(source: SourceText) -> tuple[SourcePassage, ...]:
    """Message, touched paths, and the lines a diff adds and takes out."""
    found = _prose(SourceText("text", source.text))
    block = found[-1].block + 1 if found else 0
    found += [SourcePassage(p, 0, 0, block, "", True) for p in source.paths]
    about = ""
    for line in source.diff.split("\n"):
        if line.startswith(("+++", "---", "diff ", "index ")):
            about = line[6:] if line.startswith("+++") else about
        elif line.startswith("@@"):
            block += 1
        elif line[:1] in ("+", "-") and len(line) < 400 and (said := line[1:].strip()):
            found.append(
                SourcePassage(
                    said, 0, 0, block, about, _COMMENT.match(said) is None, line[0] == "-"
                )
            )
    return (*found, *_facts(source, block + 1))


FACTS = "\0facts"
"""What facts of a commit are about, that its text does not say."""


def _facts(source: SourceText, block: int) -> Iterator[SourcePassage]:
    """When a commit was made, and how many lines it adds and takes out."""
    for date in dict.fromkeys(d[:10] for d in source.dates):
        yield SourcePassage(date, 0, 0, block, FACTS, False)
    rows = source.diff.split("\n")
    added = sum(r[:1] == "+" and not r.startswith("+++") for r in rows)
    removed = sum(r[:1] == "-" and not r.startswith("---") for r in rows)
    if source.diff and source.whole:
        for number in (added, removed, added + removed):
            yield SourcePassage(str(number), 0, 0, block, FACTS, False)


def carried(source: SourceText) -> str:
    """What stands over every passage: path and what its ending says, title, enclosing
    definitions."""
    told = told_by_name(source.path.rpartition(".")[2].lower()) if source.kind != "page" else ""
    return "\n".join((source.path, told, source.title, *source.enclosing))
