"""Where a claim may be said: sentences and rows of a source one by one, code by what is cited."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from grounded_ingest.language.lexicon import force_words as lexicon
from grounded_ingest.language.mask import masked_code
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.sentences import sentences
from grounded_ingest.language.terms import PlacedWord, Term, reach
from grounded_ingest.support.compare import Beside, ClauseMatch
from grounded_ingest.support.passages import SourcePassage, carried, passages
from grounded_ingest.support.source import SourceText

WIDEST = 24
"""Lines of code that make one place: what is cited, as long as it is no longer."""
AROUND = 4
"""Lines of code around the best one that are read with it, where more is cited."""


class Spot(Struct, frozen=True):
    """A token of a place: the passage it stands in, and where in the place it comes."""

    line: int
    at: int
    word: PlacedWord


class ExaminedPlace(Struct, frozen=True):
    """One place of a source: a sentence or row, or some lines of code."""

    passages: tuple[SourcePassage, ...]
    code: bool
    over: frozenset[str]
    """Keys of what stands over it: path, title, headings, enclosing definitions."""
    enclosing: frozenset[str] = frozenset()
    """Keys of the enclosing definitions and key path alone: they are part of what is said."""

    @property
    def text(self) -> str:
        return "\n".join(p.text for p in self.passages)

    def spots(self) -> PlaceIndex:
        return _spots(self.passages)


class PlaceIndex(Struct, frozen=True):
    """The tokens of a place in order, and by each of their keys where they come in it."""

    spots: tuple[Spot, ...]
    by_key: Mapping[str, Sequence[int]]

    def reached(self, term: Term) -> list[Spot]:
        """The tokens that may be a term, in order: all others are not."""
        held = self.by_key
        found = {at for key in reach(term) if key in held for at in held[key]}
        return [self.spots[at] for at in sorted(found)]


@lru_cache(maxsize=256)
def _spots(passages: tuple[SourcePassage, ...]) -> PlaceIndex:
    found = ((line, w) for line, p in enumerate(passages) for w in p.reading.placed)
    spots = tuple(Spot(line, at, word) for at, (line, word) in enumerate(found))
    by_key: dict[str, list[int]] = {}
    for spot in spots:
        for key in spot.word.keys:
            by_key.setdefault(key, []).append(spot.at)
    return PlaceIndex(spots, by_key)


MANY = 24
"""Places beyond which only those near the best passage of a clause are examined."""


def places_near(
    found: ClauseMatch, places: Sequence[ExaminedPlace], held: Beside
) -> Sequence[ExaminedPlace]:
    """All places of a short source; of a long one those near the passage that holds most."""
    if len(places) <= MANY or found.at < 0:
        return places[:MANY]
    at = held.passages[found.at]
    wanted = {p.line for p in held.passages[max(0, found.at - AROUND) : found.at + AROUND + 1]}
    return [
        p
        for p in places
        if at.text in p.text or not wanted.isdisjoint(q.line for q in p.passages if q.line)
    ][:MANY]


def places_in(held: Beside) -> Sequence[ExaminedPlace]:
    """Where a claim may be said: sentences and rows one by one, code by what is cited together."""
    source, said = held.source, held.read.reading.text
    if source.code:
        return _code_places(source, dead=bool(_OF_COMMENTS.search(said)))
    removes = source.kind == "commit" and bool(_REMOVES.search(said))
    return _told_places(source, removes=removes)


@lru_cache(maxsize=64)
def _code_places(source: SourceText, *, dead: bool) -> Sequence[ExaminedPlace]:
    """The places of a file of code; `dead`: comments and code that is commented out too."""
    above = read_text(carried(source)).keys
    enclosing = read_text("\n".join(source.enclosing)).keys
    blocks = _blocks(_of_code(source, dead=dead), cited=source.kind == "lines")
    return tuple(ExaminedPlace(tuple(block), True, above, enclosing) for block in blocks)


@lru_cache(maxsize=64)
def _told_places(source: SourceText, *, removes: bool) -> Sequence[ExaminedPlace]:
    """The places of any other text; `removes`: what a commit takes out too."""
    above = read_text(carried(source)).keys
    speaking = list(_speaking(source, removes=removes))
    lines = [p for p in speaking if p.code and not _DOCUMENT.search(p.about)]
    found = [
        ExaminedPlace((p,), False, above if p.code else above | read_text(p.about).keys)
        for p in speaking
        if not p.code or _DOCUMENT.search(p.about)
    ]
    told = read_text(source.text).keys if source.kind == "commit" else frozenset[str]()
    for block in _blocks(lines, cited=source.kind == "lines"):
        over = above | told | read_text(block[0].about).keys
        found.append(ExaminedPlace(tuple(block), True, over, told))
    return tuple(found)


def _speaking(source: SourceText, *, removes: bool) -> Iterator[SourcePassage]:
    """The cited passages that say what holds, and those of a commit that it takes out."""
    for passage in passages(source):
        if passage.focus and (_speaks(passage, source) or (removes and passage.aside)):
            yield passage


_REMOVES = compiled(
    r"(?i)\b(?:remov|drop|delet|replac|no longer|instead|renam|mov|from|strip|revert)"
)
_DOCUMENT = compiled(r"(?i)\.(?:md|rst|txt|adoc)$")
_OF_COMMENTS = compiled(r"(?i)\bcomment(?:s|ed)?\b|\bTODO\b")
_WISHED = compiled(r"\b(?:TODO|FIXME|XXX|HACK)\b")


def _of_code(source: SourceText, *, dead: bool) -> list[SourcePassage]:
    """What is cited of a file of code, comments in sentences, and the declaration that a comment
    at its end is of."""
    found: list[SourcePassage] = []
    wished = False
    off = frozenset[int]() if dead else _switched_off(source)
    for passage in passages(source):
        if passage.line in off:
            continue
        wished = not passage.code and (wished or bool(_WISHED.search(passage.text)))
        if not passage.focus:
            if found:
                found += [passage] * _declares(passage, found[-1])
                break
        elif dead or (not wished and _speaks(passage, source)):
            found.append(passage._replace(code=passage.code and not _PROSE.match(passage.text)))
    return [p for run in _runs(found) for p in (run if run[0].code else _told_in(run))]


_SETTINGS = compiled(r"(?i)\.(?:ya?ml|toml|ini|cfg|conf|env|properties)$")


def _switched_off(source: SourceText) -> frozenset[int]:
    """The lines of comments in a configuration that end with a setting that is commented out:
    they tell what would be."""
    found: set[int] = set()
    if not _SETTINGS.search(source.path):
        return frozenset()
    for run in _runs(passages(source)):
        if not run[0].code and _DEAD_CODE.match(run[-1].text):
            found.update(p.line for p in run)
    return frozenset(found)


_PROSE = compiled(r"(?:\"\"\"|'''|\*)?\s*[A-Z][a-z]+(?:\s+[\w'’,-]+){3,}[.:]?(?:\"\"\"|''')?$")
"""A line of a docstring."""


def _declares(passage: SourcePassage, comment: SourcePassage) -> bool:
    """Whether a line is the one right below a comment."""
    return passage.code and not comment.code and passage.line - comment.line == 1


def _runs(found: Sequence[SourcePassage]) -> Iterator[list[SourcePassage]]:
    """Lines of code, and lines of comment that stand together."""
    run: list[SourcePassage] = []
    for passage in found:
        if run and (passage.code or run[-1].code or passage.line != run[-1].line + 1):
            yield run
            run = []
        run.append(passage)
    if run:
        yield run


_MARK = compiled(
    r"^\s*(?:#+|//+!?|/\*+|\*(?!\w)|--|;+|%+|<!--|\"\"\"|\'\'\')\s?|\s*(?:\*/|-->|\"\"\"|\'\'\')\s*$"
)


def _told_in(run: Sequence[SourcePassage]) -> Iterator[SourcePassage]:
    """The sentences of a comment, each at the line on which the comment begins."""
    items: list[list[str]] = [[]]
    for line in (_MARK.sub("", p.text).strip() for p in run):
        if _ITEM.match(line):
            items.append([])
        items[-1].append(line)
    for text in map(" ".join, items):
        for start, end in sentences(masked_code(text)):
            if said := text[start:end].strip():
                yield run[0]._replace(end_line=run[-1].line).reworded(said)


_ITEM = compiled(r"(?:[-*•]|\d{1,2}[.)])\s+\S")


def _blocks(code: Sequence[SourcePassage], *, cited: bool) -> Iterator[Sequence[SourcePassage]]:
    """Lines of code that are read together: all that is cited, or windows of a longer text."""
    if cited and len(code) <= WIDEST:
        if code:
            yield code
        return
    step = AROUND
    for start in range(0, len(code), step):
        yield code[max(0, start - step) : start + 2 * step]


def _speaks(passage: SourcePassage, source: SourceText) -> bool:
    """Whether a passage says what holds: not what a record weighs, not code that is commented
    out, nothing that is struck out."""
    if "~~" in passage.text:
        return False
    if source.code and not passage.code and _DEAD_CODE.match(passage.text):
        return False
    if source.kind == "adr" or is_decision_file(source.path):
        if _OPTION.match(passage.text) and not _CHOSEN.search(passage.text):
            return False
        return not passage.aside and _decides(passage, source)
    return not passage.aside


_DEAD_CODE = compiled(
    r"\s*(?:#|//|--|/\*|\*|;+|%|<!--)+\s*(?:[\w.\-\"'\[\]]+\s*(?:=|:=|\+=)\s*\S|-?\s*[a-z][\w.-]*:\s+[^\s.]+$"
    r"|[\w.]+\(.*\)\s*[;{]?\s*$|.*[;{}]\s*$|.*[\"')\]],\s*$|-\s+\w[\w.-]*(?::.*)?$"
    r"|(?:return|import|from|def|if|for|export|const|let|var|use)\s[^.]*[(){}=;\"'][^.]*$)"
)
_OPTION = compiled(r"(?i)\W*(?:option|alternative)\s+\w+\W*[:.—–-]")
_CHOSEN = compiled(r"(?i)\bchos|\bselected|\bpicked|\baccepted")
_RECORD = compiled(r"(?i)(?:^|/)(?:adrs?|decisions?|architecture-decision-records?)/")


def is_decision_file(path: str) -> bool:
    return path.endswith(".md") and bool(_RECORD.search(path))


@lru_cache(maxsize=64)
def _sections(source: SourceText) -> tuple[tuple[int, tuple[str, ...]], ...]:
    """From which line on which headings stand over a text, the outermost first."""
    found: list[tuple[int, tuple[str, ...]]] = []
    open_: list[tuple[int, str]] = []
    for number, line in enumerate(source.text.split("\n"), source.line):
        if heading := _HEADING.match(line):
            level = len(heading[1])
            open_ = [o for o in open_ if o[0] < level] + [(level, heading[2])]
            found.append((number, tuple(h for _, h in open_)))
    return tuple(found)


_HEADING = compiled(r"(#{1,6})\s+(.*?)\s*#*$")
_DECIDES, _WEIGHS = compiled(lexicon.DECIDES), compiled(lexicon.WEIGHS)


def _decides(passage: SourcePassage, source: SourceText) -> bool:
    """Whether a passage of a decision record stands under what it decides, or under its title."""
    over: tuple[str, ...] = ()
    for line, headings in _sections(source):
        if line <= passage.line:
            over = headings
    if not over or not passage.line:
        return not _WEIGHS.search(passage.about)
    for heading in reversed(over[1:] if len(over) > 1 else ()):
        if _DECIDES.search(heading):
            return True
        if _WEIGHS.search(heading):
            return False
    return True
