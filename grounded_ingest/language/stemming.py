"""Names: case, articles, company suffixes, other spellings, and words without their endings."""

from __future__ import annotations

from functools import cache, lru_cache

from grounded_ingest.language.lexicon import names as lexicon
from grounded_ingest.language.lexicon.irregular import STEMS

_DROPPED = frozenset(lexicon.ARTICLES.split())
_SUFFIXES = frozenset(lexicon.SUFFIXES.split())
_VOWELS = frozenset("aeiouy")


@cache
def aliases() -> dict[str, str]:
    """Other spellings to the name they stand for, both lower case."""
    from grounded_ingest.language.lexicon.technologies import KINDS

    found: dict[str, str] = {}
    for entry in (*lexicon.ALIASES, *(e for names in KINDS.values() for e in names.split(", "))):
        name, *others = entry.lower().split("=")
        for other in others:
            found.setdefault(other, found.get(name, name))
    return found


@lru_cache(maxsize=65536)
def canonical(name: str) -> str:
    """A name without case, articles, company suffix, possessive; aliases resolved."""
    plain = " ".join(name.lower().replace("’", "'").split()).strip("\"'`*_.,;:() ")
    known = aliases().get(plain)
    if known:
        return known
    words = [w.removesuffix("'s").strip(".,") or w for w in plain.split()]
    while len(words) > 1 and words[0] in _DROPPED:
        words = words[1:]
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words = words[:-1]
    plain = " ".join(words)
    return aliases().get(plain, plain)


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """A noun without its plural ending; it can still be read."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is", "ws")):
        return word
    if STEMS.get(word) == word or word == "kubernetes":
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its ending; equal for the forms of one word, not meant to be read."""
    known = STEMS.get(word)
    if known is not None:
        return known
    if len(word) <= 3 or not word.isascii():
        return word
    if not word.isalpha() and any(c.isdigit() for c in word):
        return word
    if word.endswith("'s"):
        return stem(word[:-2])
    for ending in ("ies", "ied"):
        if word.endswith(ending) and len(word) > 4:
            return word[:-3] + "i"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return _bare(word[:-2])
    if word.endswith("s") and word[-2] not in "su":
        return _bare(word[:-1]) if word[-2] != "i" else word
    return _bare(word)


def _bare(word: str) -> str:
    for ending in ("ing", "ed"):
        root = word[: -len(ending)]
        if word.endswith(ending) and len(root) > 2 and _VOWELS & set(root):
            if root[-1] == root[-2] and root[-1] not in "lsz":
                return root[:-1]
            return root.removesuffix("e") if not root.endswith("i") else root
    if word.endswith("y") and len(word) > 3 and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > 3 else word
