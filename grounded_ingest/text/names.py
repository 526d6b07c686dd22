"""Normalises names, finds misspelt names, and splits words into stems and parts."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache

from grounded_ingest.text.lexicon import names as lexicon
from grounded_ingest.text.patterns import compiled

SHORTEST = 5
"""Minimum number of letters and digits in a name that may be misspelt by one letter. A shorter name
with one other letter is usually another word."""

_DROPPED = frozenset(lexicon.ARTICLES.split())
_SUFFIXES = frozenset(lexicon.SUFFIXES.split())
_SINGULAR = frozenset(("kubernetes", "redis", "series", "species", "news", "physics", "economics"))
_ENDINGS = (
    "ization", "isation", "ational", "fulness", "iveness", "ations", "ation", "ments", "ment",
    "ities", "ility", "ingly", "ness", "edly", "ions", "able", "ible", "ally", "ical", "ings",
    "ion", "ity", "ing", "ies", "ied", "ers", "ors", "ed", "er", "or", "ly", "es", "al", "s", "e",
    "y",
)  # fmt: skip
"""Endings to cut off a word, the longest first. At least three letters stay."""

_IRREGULAR = {
    "is": "be", "are": "be", "was": "be", "were": "be", "am": "be", "been": "be", "'s": "be",
    "'re": "be", "'m": "be",
    "began": "begin", "begun": "begin", "born": "birth", "bought": "buy", "brought": "bring",
    "built": "build", "children": "child", "chose": "choose", "chosen": "choose", "died": "death",
    "die": "death", "dead": "death", "drawn": "draw", "drew": "draw", "driven": "drive",
    "fell": "fall", "fought": "fight", "gave": "give", "grew": "grow", "grown": "grow",
    "held": "hold", "hid": "hide", "hidden": "hide", "kept": "keep", "led": "lead", "left": "leave",
    "lost": "lose", "men": "man", "met": "meet", "paid": "pay", "people": "person", "ran": "run",
    "rose": "rise", "sang": "sing", "sent": "send", "sold": "sell", "spent": "spend",
    "spoke": "speak", "taken": "take", "taught": "teach", "thought": "think", "told": "tell",
    "took": "take", "women": "woman", "won": "win", "wrote": "write", "written": "write",
    "wives": "wife", "payment": "pay", "writer": "write", "writing": "write",
}  # fmt: skip

_PARTS = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")


@cache
def _aliases() -> dict[str, str]:
    """Returns a map from other spellings to names ("k8s": "kubernetes"), in lower case."""
    from grounded_ingest.text.lexicon.technologies import KINDS  # large, and only `verify` needs it

    found: dict[str, str] = {}
    for entry in (*lexicon.ALIASES, *(e for names in KINDS.values() for e in names.split(", "))):
        name, *others = entry.lower().split("=")
        for other in others:
            found.setdefault(other, found.get(name, name))
    return found


@lru_cache(maxsize=65536)
def canonical(name: str) -> str:
    """Returns the usual name for another spelling ("kubernetes" for "k8s"), in lower case and
    without articles, company suffixes and possessives."""
    plain = " ".join(name.lower().replace("’", "'").split()).strip("\"'`*_.,;:() ")
    known = _aliases().get(plain)
    if known:
        return known
    words = [w.removesuffix("'s").strip(".,") or w for w in plain.split()]
    while len(words) > 1 and words[0] in _DROPPED:
        words = words[1:]
    while len(words) > 1 and words[-1] in _SUFFIXES:
        words = words[:-1]
    plain = " ".join(words)
    return _aliases().get(plain, plain)


@lru_cache(maxsize=65536)
def singular(word: str) -> str:
    """Returns the singular of a noun. The result is a word, unlike the result of `word_stem`."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith(("ss", "us", "is", "ws")):
        return word
    if word in _SINGULAR:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


@lru_cache(maxsize=65536)
def word_stem(word: str) -> str:
    """Returns a word without its ending, to compare it with other forms of the same word."""
    word = word.lower().replace("’", "'").removesuffix("'s").replace("'", "")
    word = _IRREGULAR.get(word, word)
    for ending in _ENDINGS:
        least = 4 if ending in ("able", "ible") else 3  # `disable` is a form of `disabled`
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "eiy" else word


@lru_cache(maxsize=65536)
def word_parts(token: str) -> tuple[str, ...]:
    """Returns the words in a path or an identifier, in lower case."""
    if token.isascii() and token.isalpha() and token[1:].islower():
        return (token.lower(),)
    return tuple(p.lower() for p in _PARTS.findall(token))


def near_name(name: str, names: Iterable[str]) -> str:
    """Returns the name in `names` that the misspelt `name` most likely means.

    Returns an empty string if no name or several names are likely. First looks for names that
    differ only in case and punctuation. Then looks for names with the same words in another order,
    and for names with one letter added, missing, changed or swapped.
    """
    others = [n for n in names if n != name]
    if same := [n for n in others if is_same_but_for_signs(n, name)]:
        return same[0] if len(same) == 1 else ""
    bare, words = _bare(name), _sorted_words(name)
    near = [n for n in others if _sorted_words(n) == words or _differs_by_one(bare, _bare(n))]
    return near[0] if len(near) == 1 else ""


def is_same_but_for_signs(name: str, other: str) -> bool:
    """Returns whether two names have the same letters and digits, case aside."""
    return _bare(name) == _bare(other)


def _sorted_words(name: str) -> list[str]:
    return sorted(re.findall(r"[^\W_]+", name.casefold()))


def _bare(name: str) -> str:
    return "".join(c for c in name.casefold() if c.isalnum())


def _differs_by_one(one: str, other: str) -> bool:
    """Returns whether one letter is missing, added, changed, or swapped with the next letter. The
    first letter has to be the same, and a digit may not differ: `step1` and `step2` are two
    steps."""
    if abs(len(one) - len(other)) > 1 or min(len(one), len(other)) < SHORTEST:
        return False
    start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), -1)
    start = min(len(one), len(other)) if start < 0 else start
    rest, others = one[start:], other[start:]
    swapped = rest[:2] == others[1::-1] and rest[2:] == others[2:]
    same = rest[1:] == others or rest == others[1:] or rest[1:] == others[1:] or swapped
    return start > 0 and same and not any(c.isdigit() for c in rest[:1] + others[:1])
