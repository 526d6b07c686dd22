"""Reads documents in every format. The same bytes, path and class give the same Extraction.

The reader for a format is imported only when it is needed, to keep the hook fast."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from msgspec.structs import replace

from grounded_ingest.model.claims import DocClass, Extraction, Problem, Tier
from grounded_ingest.text.lexicon import memory_cues as lexicon
from grounded_ingest.text.patterns import compiled

VERSION = "36"
"""Version of the extraction, and a part of every cache key. Increase the version if a code change
may extract other claims from the same text."""
LIMIT = 4 * 1024 * 1024
"""Maximum size of a document that is read, in bytes."""

Extractor = Callable[[bytes, DocClass, str], Extraction]
"""A function that reads a document. The arguments are the document's bytes, class and role."""


def _markdown(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.markdown_document import extract_markdown

    return extract_markdown(source, doc_class, role)


def _mdx(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.mdx import mdx_as_markdown

    return _markdown(mdx_as_markdown(source.decode()).encode(), doc_class, role)


def _asciidoc(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.asciidoc import as_markdown

    return _translated(as_markdown, source, doc_class, role)


def _restructured(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.rst import rst_as_markdown

    return _translated(rst_as_markdown, source, doc_class, role)


def _translated(
    translate: Callable[[str], str], source: bytes, doc_class: DocClass, role: str
) -> Extraction:
    """Reads a text that is translated to Markdown. Only its lines are those of the document. A
    memory is read as it is, because agents read it without a program."""
    if doc_class is DocClass.MEMORY:
        return _plain(source, doc_class, role)
    found = _markdown(translate(source.decode()).encode(), doc_class, role)
    return replace(found, claims=tuple(replace(claim, column=1) for claim in found.claims))


def _records(name: str) -> Extractor:
    def read(source: bytes, doc_class: DocClass, role: str) -> Extraction:
        from grounded_ingest.extract import records

        extractor: Extractor = getattr(records, f"extract_{name}")
        return extractor(source, doc_class, role)

    return read


def _plain(source: bytes, doc_class: DocClass, role: str) -> Extraction:
    from grounded_ingest.extract.formats import extract_plain

    return extract_plain(source, doc_class, role)


EXTRACTORS: dict[str, Extractor] = {
    **dict.fromkeys(("json", "ipynb"), _records("json")),
    **dict.fromkeys(("jsonl", "ndjson"), _records("json_lines")),
    **dict.fromkeys(("yaml", "yml"), _records("yaml")),
    **dict.fromkeys(("adoc", "asciidoc"), _asciidoc),
    "mdx": _mdx,
    "rst": _restructured,
}
"""Maps a file extension to the function that reads such files."""
MARKDOWN = frozenset((
    "md", "markdown", "mdx", "mdc", "txt", "cursorrules", "windsurfrules", "clinerules",
    "roorules", "goosehints",
))  # fmt: skip
"""File extensions that are read as Markdown. In class `memory`, files with unknown extensions are
read paragraph by paragraph."""
_RECORDS = frozenset(("json", "jsonl", "ndjson", "yaml", "yml"))


def extract(source: bytes, path: str, doc_class: DocClass) -> Extraction:
    """Returns the claims and problems in a document.

    A document that cannot be read gives a problem and does not raise an exception."""
    try:
        return _extract(source, path, doc_class)
    except BaseException as error:  # noqa: BLE001  a panic in the Markdown parser is no Exception
        return reader_failed(error, doc_class)


def _extract(source: bytes, path: str, doc_class: DocClass) -> Extraction:
    extension = path.rpartition("/")[2].rpartition(".")[2].lower()
    documented = doc_class is not DocClass.MEMORY or extension in MARKDOWN | _RECORDS
    if problem := _binary(source):
        line, message = problem
        if documented:
            return unreadable(message, doc_class, line)
        message = f"{message}; agents that can read the file still use it"
        return Extraction(problems=(Problem("", 1, "unread", message, int(Tier.REVIEW)),))
    reader = EXTRACTORS.get(extension, _markdown if documented else _plain)
    found = reader(source, doc_class, role_of(path, doc_class))
    if source.isascii() or doc_class is not DocClass.MEMORY:
        return found
    return _with_invisible_runs(source, found)


def _binary(source: bytes) -> tuple[int, str] | None:
    """Returns (line, reason) if the bytes cannot be read as text; otherwise None."""
    if len(source) > LIMIT:
        return 1, f"the file is larger than {LIMIT // 1024**2} MB"
    try:
        source.decode()
    except UnicodeDecodeError as error:
        return source[: error.start].count(b"\n") + 1, "the file is not UTF-8"
    if (nul := source.find(b"\0")) >= 0:
        return source[:nul].count(b"\n") + 1, "the file has a NUL byte, so it is not text"
    return None


def _with_invisible_runs(source: bytes, found: Extraction) -> Extraction:
    """Returns the extraction, with a problem for invisible characters outside of claims."""
    # The import is late, because few documents have invisible characters.
    from grounded_ingest.extract.hidden_text import invisible_runs, with_invisible

    text = source.decode()
    runs, line, reached = [], 1, 0
    for start, words in invisible_runs(text):
        line, reached = line + text.count("\n", reached, start), start
        runs.append((line, words))
    return with_invisible(found, runs) if runs else found


def unreadable(message: str, doc_class: DocClass, line: int = 1) -> Extraction:
    """Returns an extraction with only the problem that the document cannot be read."""
    tier = Tier.BLOCK if doc_class is DocClass.MEMORY else Tier.REVIEW
    return Extraction(problems=(Problem("", line, "unreadable", message, int(tier)),))


def reader_failed(error: BaseException, doc_class: DocClass) -> Extraction:
    """Returns an extraction with the problem that a reader raised `error`, so that the run can
    continue with the other documents. Raises `error` again if the error ends the process, such as
    KeyboardInterrupt."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise error
    message = (str(error).splitlines() or [""])[0][:200]
    return unreadable(f"reading the document failed ({type(error).__name__}: {message})", doc_class)


_PART = compiled(r"[^\W\d_]+")
_FILE_DAY = compiled(r"(?:19|20)\d\d[-_]?[01]\d[-_]?[0-3]\d")
_ROLES = {word: role for role, words in reversed(lexicon.ROLES.items()) for word in words.split()}
_RULES = frozenset(lexicon.RULES_DIRECTORIES.split())


@lru_cache(maxsize=4096)
def role_of(path: str, doc_class: DocClass) -> str:
    """Returns the purpose of a document, judged by its path, such as `rules` or `decisions`, or an
    empty string. Adds ` dated` if the path contains a date. The claims in a document depend on the
    role, so cache keys contain it."""
    role = _named_role(path.lower()) or ("decisions" if doc_class is DocClass.DECISIONS else "")
    return f"{role} dated".strip() if _FILE_DAY.search(path) else role


def _named_role(path: str) -> str:
    """Returns the role that a path names. The last word in the file name has priority, then the
    nearest directory, then any other word."""
    *directories, name = path.rpartition(".")[0].split("/")
    if not _RULES.isdisjoint(d.lstrip(".") for d in directories):
        return "rules"
    words = _PART.findall(name)
    parts = [words[-1:], *(_PART.findall(d)[-1:] for d in reversed(directories)), words[:-1]]
    return next((_ROLES[word] for part in parts for word in part if word in _ROLES), "")
