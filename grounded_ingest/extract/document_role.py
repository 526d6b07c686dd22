"""What a document is for, by its name: part of how its claims are typed."""

from __future__ import annotations

from functools import lru_cache

from grounded_ingest.language.lexicon import memory_cues as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import DocClass

_PART = compiled(r"[^\W\d_]+")
_FILE_DAY = compiled(r"(?:19|20)\d\d[-_]?[01]\d[-_]?[0-3]\d")
_ROLES = {word: role for role, words in reversed(lexicon.ROLES.items()) for word in words.split()}
_RULES = frozenset(lexicon.RULES_DIRECTORIES.split())


@lru_cache(maxsize=4096)
def role_of(path: str, doc_class: DocClass) -> str:
    """The role of a document and `dated` where its name has a day; empty where its name says
    nothing. Part of cache keys."""
    role = _named(path.lower()) or ("decisions" if doc_class is DocClass.DECISIONS else "")
    return f"{role} dated".strip() if _FILE_DAY.search(path) else role


def _named(path: str) -> str:
    """The role of a name's last word, else of the nearest directory, else of any of its words."""
    *directories, name = path.rpartition(".")[0].split("/")
    if not _RULES.isdisjoint(d.lstrip(".") for d in directories):
        return "rules"
    words = _PART.findall(name)
    parts = [words[-1:], *(_PART.findall(d)[-1:] for d in reversed(directories)), words[:-1]]
    return next((_ROLES[word] for part in parts for word in part if word in _ROLES), "")
