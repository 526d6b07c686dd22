"""Text to claims. Pure: the same bytes and class give the same Extraction."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.extract.memory_type import role_of
from grounded_ingest.extract.unreadable import LIMIT, reader_failed, unread, unreadable
from grounded_ingest.model.claims import DocClass, Extraction

VERSION = "17"
"""Part of every cache key; raised whenever a text may yield other claims."""


Extractor = Callable[[bytes, DocClass, str], Extraction]
"""Bytes, class and role of a document to what it yields."""


def _markdown(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.markdown_document import extract_markdown

    return extract_markdown(source, doc_class, role)


def _json(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.records import extract_json

    return extract_json(source, doc_class, role)


def _json_lines(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.records import extract_json_lines

    return extract_json_lines(source, doc_class, role)


def _yaml(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.records import extract_yaml

    return extract_yaml(source, doc_class, role)


def _other(name: str) -> Extractor:
    def read(source: bytes, doc_class: DocClass, role: str) -> Extraction:
        from grounded_ingest.extract import formats

        extractor: Extractor = getattr(formats, f"extract_{name}")
        return extractor(source, doc_class, role)

    return read


EXTRACTORS: dict[str, Extractor] = {
    "json": _json,
    "jsonl": _json_lines,
    "ndjson": _json_lines,
    "yaml": _yaml,
    "yml": _yaml,
    "ipynb": _json,
    "csv": _other("table"),
    "tsv": _other("table"),
    "html": _other("markup"),
    "htm": _other("markup"),
    "xhtml": _other("markup"),
    "xml": _other("markup"),
    "svg": _other("markup"),
    "toml": _other("toml"),
}
"""By file name extension."""

MARKDOWN = frozenset(
    "md markdown mdx mdc txt cursorrules windsurfrules clinerules roorules goosehints".split()  # noqa: SIM905
)
"""What is read as Markdown; everything else in class `memory` is by paragraphs."""

_RECORDS = frozenset("json jsonl ndjson yaml yml".split())  # noqa: SIM905
_plain = _other("plain")


def extract(source: bytes, path: str, doc_class: DocClass) -> Extraction:
    """Claims of a document's bytes; what cannot be read becomes a problem, never an exception."""
    try:
        return _extract(source, path, doc_class)
    except BaseException as error:  # noqa: BLE001  the Markdown parser's panics are no Exception
        return reader_failed(error, doc_class)


def _extract(source: bytes, path: str, doc_class: DocClass) -> Extraction:
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    documented = doc_class is not DocClass.MEMORY or extension in MARKDOWN | _RECORDS
    if problem := _no_text(source):
        line, message = problem
        if documented:
            return unreadable(message, doc_class, line)
        return unread(f"{message}; agents who can read it do")
    reader = EXTRACTORS.get(extension, _markdown if documented else _plain)
    found = reader(source, doc_class, role_of(path, doc_class))
    return found if source.isascii() or doc_class is not DocClass.MEMORY else _unseen(source, found)


def _no_text(source: bytes) -> tuple[int, str] | None:
    """(line, why) bytes are no text that is read."""
    if len(source) > LIMIT:
        return 1, f"larger than {LIMIT // 1024**2} MB"
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return source[: error.start].count(b"\n") + 1, "not UTF-8"
    if (nul := source.find(b"\0")) >= 0:
        return source[:nul].count(b"\n") + 1, "holds a NUL byte: not text"
    return None


def _unseen(source: bytes, found: Extraction) -> Extraction:
    """With a word on characters that nobody sees and no claim shows."""
    from grounded_ingest.extract.hidden_text import invisible, reported

    text = source.decode()
    runs, line, reached = [], 1, 0
    for start, _, said in invisible(text):
        line, reached = line + text.count("\n", reached, start), start
        runs.append((line, said))
    return reported(found, runs) if runs else found
