"""What the index holds of a document, made anywhere: its extraction, keys, and what it cites."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import Struct
from msgspec.msgpack import encode

from grounded_ingest.extract.memory_type import role_of
from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Extraction, Place
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.lexicon import manifest_words as words
from grounded_ingest.text.patterns import compiled

KeysOf = Callable[[Place], Iterable[int]]
MENTION = "`"
"""Begins what the index calls a name that a claim mentions; a file's name has none."""
VERSIONED = "#version"
"""What the index calls a claim that gives the version of a runtime, or the repository's own."""
SHORTEST = 3
"""Characters of a name that is indexed."""
_MOST = 24
BATCH = 1 << 20
"""Bytes of extractions written at once."""


class ExtractionKey(Struct, frozen=True):
    """What an extraction depends on: the bytes, the class, how the name is read, what the document
    is for."""

    oid: str
    doc_class: DocClass
    extension: str
    role: str = ""

    def __str__(self) -> str:
        return f"{self.oid}:{self.doc_class}:{self.extension}:{self.role}"


def key_of(path: str, oid: str, doc_class: DocClass) -> ExtractionKey:
    """The key of a blob that stands at a path."""
    return ExtractionKey(oid, doc_class, path.rpartition(".")[2].lower(), role_of(path, doc_class))


class IndexRecord(Struct, frozen=True, array_like=True):
    """What is indexed of a document. `keys` and `numbers` are 64-bit integers: of each key a
    claim of this number has."""

    name: str
    content: bytes
    keys: bytes
    numbers: bytes
    cites: list[tuple[str, int]]
    imports: tuple[str, ...]


def make_entry(key: ExtractionKey, extraction: Extraction, keys_of: KeysOf) -> IndexRecord:
    """An extraction as it is indexed."""
    keys, numbers = array("q"), array("q")
    cites: list[tuple[str, int]] = []
    for number, claim in enumerate(extraction.claims):
        own = keys_of(Place("", key.doc_class, claim))
        keys.extend(own)
        numbers.extend([number] * (len(keys) - len(numbers)))
        if "`" in claim.text:
            cites += [(f"{MENTION}{name}", number) for name in names_in(claim.text)]
        if any(p.search(claim.text) for p in _VERSIONS):
            cites.append((VERSIONED, number))
        if claim.citations:
            cites += [(name, number) for name in {_name(c) for c in claim.citations} if name]
    content = encode(extraction)
    packed = keys.tobytes(), numbers.tobytes()
    return IndexRecord(str(key), content, *packed, cites, extraction.imports)


_VERSIONS = (
    compiled(words.RUNTIME),
    compiled(words.OWN_VERSION, needs=("version",)),
    compiled(words.OWN_VERSION_OF, needs=("version",)),
)
_MENTIONED = compiled(rf"[^\W\d][\w-]{{{SHORTEST - 1},}}")


def names_in(text: str) -> tuple[str, ...]:
    """The names of code that a claim's text has in backticks, the first ones of many."""
    found = (name for span in code_spans(text) for name in _MENTIONED.findall(span.text))
    return tuple(dict.fromkeys(found))[:_MOST]


def _name(citation: Citation) -> str:
    """The last component of a cited path, or of a URL that shows a file, lower case; ADRs by
    number."""
    if citation.kind is CitationKind.PATH:
        return citation.raw.rstrip("/").rpartition("/")[2].lower()
    if citation.kind is CitationKind.URL and any(s in citation.raw for s in ("/blob/", "/tree/")):
        page = citation.raw.partition("#")[0].partition("?")[0]
        return page.rstrip("/").rpartition("/")[2].lower()
    return (
        f"adr {int(citation.raw)}"
        if citation.kind is CitationKind.ADR and citation.raw.isdigit()
        else ""
    )


def batches(entries: Iterable[IndexRecord]) -> Iterator[list[IndexRecord]]:
    some: list[IndexRecord] = []
    size = 0
    for entry in entries:
        some.append(entry)
        size += len(entry.content)
        if size > BATCH:
            yield some
            some, size = [], 0
    if some:
        yield some


def chunks(items: Sequence[object]) -> Iterator[Sequence[object]]:
    for start in range(0, len(items), 500):
        yield items[start : start + 500]
