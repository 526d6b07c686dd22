"""What becomes of a document that could not be read."""

from __future__ import annotations

from grounded_ingest.model.claims import DocClass, Extraction, Problem, Tier

LIMIT = 4 * 1024 * 1024
"""Bytes of the largest document that is read."""


def unreadable(message: str, doc_class: DocClass, line: int = 1) -> Extraction:
    """The extraction of a document that could not be read."""
    tier = Tier.BLOCK if doc_class is DocClass.MEMORY else Tier.REVIEW
    return Extraction(problems=(Problem("", line, "unreadable", message, int(tier)),))


def unread(message: str, line: int = 1) -> Extraction:
    """The extraction of a text in a memory place that no reader takes in."""
    return Extraction(problems=(Problem("", line, "unread", message, int(Tier.REVIEW)),))


def reader_failed(error: BaseException, doc_class: DocClass) -> Extraction:
    """The extraction of a document that our own reader fails on: that document waits, or blocks,
    and every other one is read. Raises what ends a process again."""
    if isinstance(error, KeyboardInterrupt | SystemExit | GeneratorExit):
        raise error
    told = (str(error).splitlines() or [""])[0][:200]
    return unreadable(f"our reader failed ({type(error).__name__}: {told})", doc_class)
