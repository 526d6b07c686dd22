"""Names: case, articles, company suffixes, other spellings, and words without their endings."""

from __future__ import annotations

from functools import cache, lru_cache

from grounded_ingest.text.lexicon import names as lexicon

_DROPPED = frozenset(lexicon.ARTICLES.split())
_SUFFIXES = frozenset(lexicon.SUFFIXES.split())
_SINGULAR = frozenset(("kubernetes", "redis", "series", "species", "news", "physics", "economics"))
ENDINGS = (
    "ization", "isation", "ational", "fulness", "iveness", "ations", "ation", "ments", "ment",
    "ities", "ility", "ingly", "ness", "edly", "ions", "able", "ible", "ally", "ical", "ings",
    "ion", "ity", "ing", "ies", "ied", "ers", "ors", "ed", "er", "or", "ly", "es", "al", "s", "e",
    "y",
)  # fmt: skip
"""Endings that are cut off a word, the longest first; three letters of it always stay."""

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


@cache
def aliases() -> dict[str, str]:
    """Other spellings to the name they stand for, both lower case."""
    from grounded_ingest.text.lexicon.technologies import KINDS

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
    if word in _SINGULAR:
        return word
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("sses", "shes", "ches", "xes", "zes")) else word[:-1]


@lru_cache(maxsize=65536)
def word_stem(word: str) -> str:
    """Returns a word without its ending; equal for most forms of one word, not to be shown."""
    word = word.lower().replace("’", "'").removesuffix("'s").replace("'", "")
    word = _IRREGULAR.get(word, word)
    for ending in ENDINGS:
        least = 4 if ending in ("able", "ible") else 3  # `disable` is a form of `disabled`
        if word.endswith(ending) and len(word) - len(ending) >= least and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz":
        word = word[:-1]
    return word[:-1] if len(word) > 3 and word[-1] in "eiy" else word
