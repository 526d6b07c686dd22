"""Text to claims. Pure: the same bytes and class give the same Extraction."""

from __future__ import annotations

from collections.abc import Callable

from grounded_ingest.memory.roles import role_of
from grounded_ingest.model import DocClass, Extraction, Problem, Tier

VERSION = "8"
"""Part of every cache key; raised whenever a text may yield other claims."""

LIMIT = 4 * 1024 * 1024
"""Bytes of the largest document that is read."""

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


EXTRACTORS: dict[str, Extractor] = {
    "json": _json,
    "jsonl": _json_lines,
    "ndjson": _json_lines,
    "yaml": _yaml,
    "yml": _yaml,
}
"""By file name extension; everything else is read as Markdown."""


def unreadable(message: str, doc_class: DocClass, line: int = 1) -> Extraction:
    """The extraction of a document that could not be read."""
    tier = Tier.BLOCK if doc_class is DocClass.MEMORY else Tier.REVIEW
    return Extraction(problems=(Problem("", line, "unreadable", message, int(tier)),))


def failed(error: BaseException, doc_class: DocClass) -> Extraction:
    """The extraction of a document that our own reader fails on: that document waits, or blocks,
    and every other one is read. Raises what ends a process again."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise error
    told = (str(error).splitlines() or [""])[0][:200]
    return unreadable(f"our reader failed ({type(error).__name__}: {told})", doc_class)


def extract(source: bytes, path: str, doc_class: DocClass) -> Extraction:
    """Claims of a document's bytes; what cannot be read becomes a problem, never an exception."""
    try:
        return _extract(source, path, doc_class)
    except BaseException as error:  # noqa: BLE001  the Markdown parser's panics are no Exception
        return failed(error, doc_class)


def _extract(source: bytes, path: str, doc_class: DocClass) -> Extraction:
    if len(source) > LIMIT:
        return unreadable(f"larger than {LIMIT // 1024**2} MB", doc_class)
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return unreadable("not UTF-8", doc_class, source[: error.start].count(b"\n") + 1)
    if (nul := source.find(b"\0")) >= 0:
        return unreadable("holds a NUL byte: not text", doc_class, source[:nul].count(b"\n") + 1)
    extension = path.rpartition(".")[2].lower()
    return EXTRACTORS.get(extension, _markdown)(source, doc_class, role_of(path, doc_class))
