"""What stands around a citation suggests of it: gone, planned, of elsewhere, an example.

Suggestions, never verdicts: the verifier asks the tree and its history first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache

from msgspec.structs import replace

from grounded_ingest.extract.citations import CitationSpan
from grounded_ingest.extract.passage import Passage
from grounded_ingest.model.claims import Around, Citation, CitationKind, Frame, context_in
from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.patterns import compiled

_FOREIGN = compiled(citing.FOREIGN)
_ELSEWHERE = compiled(citing.ELSEWHERE)
_NAMED = compiled(f"(?i){citing.NAMED_REPOSITORY}")
_WORD = compiled(r"[a-z]+(?:'ll)?")
_COLUMN = compiled(r"(?i)(?:^|; )(?:repo(?:sitory)?|project|upstream): [^;]*\w")

_CLAUSE_END = compiled(r"[;,()]\s?|[.!?]\s|\s[—–-]\s")
_LISTED = compiled(r"[\0\s,/&]*(?:(?:and|or)[\0\s,/&]*)?")
_COUNTER = compiled(
    r"(?i)\W*(?:instead of|rather than|bad|wrong|avoid|incorrect|don['’]?ts?|do not|not|before"
    r"|old)\b"
)
_LABELS = ("lead-in", "item")
_JUDGED = (CitationKind.PATH, CitationKind.COMMIT, CitationKind.ADR)
SHORT_CELL = 2
_NEAR = 160
"""Characters before and behind a mention in which its clause is looked for."""
LABEL = 12
"""Words of the longest text that labels what stands below it without ending in a colon."""
_LONGEST = 2000
"""Characters of a text that is looked into."""


class Surroundings:
    """What stands over a passage: headings, and the frames it stands in (`frame` in `frames`).
    `of_all` is what the head of the document suggests."""

    def __init__(
        self,
        section: str,
        frames: Mapping[str, Frame],
        frame: str,
        of_all: Callable[[], frozenset[Around]],
    ) -> None:
        self.section, self.frames, self.frame, self.of_all = section, frames, frame, of_all

    def of(
        self, cited: Sequence[CitationSpan], passage: Passage, start: int, end: int
    ) -> list[Citation]:
        """The citations of the sentence from `start` to `end` of a passage with what stands around
        them: in their clause, above them, and of other repositories in the sentence."""
        if not any(c.citation.kind in _JUDGED for c in cited):
            return [c.citation for c in cited]
        over = {*_of_heading(self.section), *self._labelled, *self.of_all()}
        if _is_foreign(passage.text[start : min(end, start + _LONGEST)]):
            over.add("foreign")
        labels = _cells(passage.masked[start:end]) if passage.asides else ""
        return [
            self._around(c, passage.masked, start, end, over | _of_column(passage, c), labels)
            for c in cited
        ]

    def _around(
        self,
        cited: CitationSpan,
        masked: str,
        start: int,
        end: int,
        over: set[Around],
        labels: str,
    ) -> Citation:
        if cited.citation.kind not in _JUDGED:
            return cited.citation
        said = clause(masked, cited.start, cited.end, start, end)
        found = tuple(sorted({*over, *_says(f"{said} {labels}")}))
        return replace(cited.citation, around=found) if found else cited.citation

    @cached_property
    def _labelled(self) -> frozenset[Around]:
        return _of_labels(context_in(self.frames, self.frame))


def _of_column(passage: Passage, cited: CitationSpan) -> set[Around]:
    """`example` if the head of the mention's column says that its cells are not to be followed."""
    heads = [(start, end) for start, end in passage.asides if end <= cited.start]
    return {"example"} if heads and _COUNTER.match(passage.text[slice(*heads[-1])]) else set()


def _cells(row: str) -> str:
    """The cells of a row that are one or two words: what is done with what the others name."""
    values = (cell.partition(": ")[2] or cell for cell in row.split("; "))
    return " ".join(v for v in values if MASK not in v and len(v.split()) <= SHORT_CELL)


def clause(masked: str, at: int, to: int, start: int, end: int) -> str:
    """The words of the clause that a mention at `at` to `to` stands in, without the mention's own,
    in the sentence from `start` to `end`. Names listed beside it are of the same clause."""
    before, behind = masked[max(start, at - _NEAR) : at], masked[to : min(end, to + _NEAR)]
    cuts = [m.end() for m in _CLAUSE_END.finditer(before) if not _LISTED.fullmatch(before, m.end())]
    stop = next(
        (
            m.start()
            for m in _CLAUSE_END.finditer(behind)
            if not _LISTED.fullmatch(behind, 0, m.start())
        ),
        len(behind),
    )
    return f"{before[cuts[-1] if cuts else 0 :]} {behind[:stop]}".replace(MASK, " ")


def suggested(
    text: str, said: str, section: str, over: Sequence[tuple[str, str]]
) -> frozenset[Around]:
    """Returns what the words beside a mention, the headings and what its claim stands under (kind,
    text) suggest of it. `text`: the whole claim, which may name another repository."""
    plain, written = said[:_LONGEST].replace(MASK, " "), text[:_LONGEST]
    found = {*_says(plain, "COMING"), *_of_heading(section), *_of_labels(over, "COMING")}
    return frozenset(found | ({"foreign"} if _is_foreign(written) else set()))


def _of_labels(over: Sequence[tuple[str, str]], planned: str = "PLANNED") -> frozenset[Around]:
    labels = "\n".join(_label(text) for kind, text in over if kind in _LABELS)
    found: set[Around] = set(_says(labels, planned))
    if _is_foreign(labels):
        found.add("foreign")
    if ("check box", "open") in over:
        found.add("planned")
    return frozenset(found)


def of_elsewhere(head: Sequence[Passage]) -> bool:
    """Whether the head of a document says that it is about another repository."""
    return any(_ELSEWHERE.search(passage.text[:_LONGEST]) for passage in head)


@cache
def _lexicon(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    return frozenset(getattr(citing, name).split()), getattr(citing, f"{name}_PHRASES")


def _has(name: str, words: set[str], text: str) -> bool:
    known, phrases = _lexicon(name)
    return not known.isdisjoint(words) or any(map(text.__contains__, phrases))


def _says(text: str, planned: str = "PLANNED") -> frozenset[Around]:
    """Which words of the lexicon a text holds."""
    if not text:
        return frozenset()
    text = text.lower().replace("’", "'")
    words = set(_WORD.findall(text))
    found: list[tuple[Around, str]] = [
        ("gone", "GONE"), ("planned", planned), ("example", "EXAMPLE"),
    ]  # fmt: skip
    return frozenset(around for around, name in found if _has(name, words, text))


@lru_cache(maxsize=1024)
def _of_heading(section: str) -> frozenset[Around]:
    foreign: set[Around] = {"foreign"} if _is_foreign(section) else set()
    return _says(section, "PLANNING") | foreign


def _is_foreign(text: str) -> bool:
    if not any(map(text.lower().__contains__, citing.FOREIGN_SIGNS)):
        return False
    if _FOREIGN.search(text) or _COLUMN.search(text):
        return True
    own = citing.OWN.split()
    return any(m["name"].lower() not in own for m in _NAMED.finditer(text))


def _label(text: str) -> str:
    if text.endswith((":", "：")):
        return text[-_LONGEST:].rpartition(". ")[2]
    return text if len(text.split()) <= LABEL else ""
