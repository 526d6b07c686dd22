"""What a document is for, by its name: part of how its claims are typed."""

from __future__ import annotations

from grounded_ingest.model import DocClass


def role_of(path: str, doc_class: DocClass) -> str:
    """The role of a document, empty where its name says nothing. Part of cache keys."""
    del path
    return "decisions" if doc_class is DocClass.DECISIONS else ""
