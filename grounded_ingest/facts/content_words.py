"""The words of a sentence that have to be licensed, and the keys by which a memory does it."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from grounded_ingest.language.closed_classes import function_words, light_words
from grounded_ingest.language.dates import Date
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.quantities import quantity
from grounded_ingest.language.slots import tables
from grounded_ingest.language.status import Status
from grounded_ingest.language.stemming import aliases, stem
from grounded_ingest.language.tokens import Token
from grounded_ingest.language.value_normal_form import normal


class ContentWord(Struct, frozen=True):
    """A word or several that are one thing (`30 seconds`, `New York City`, `March 3, 2024`).

    A memory licenses it when it has one of `keys`. `bare` words only carry others.
    """

    first: int
    end: int
    keys: tuple[str, ...]
    status: Status
    bare: bool = False


@cache
def _first_words() -> frozenset[str]:
    spellings = (*aliases(), *aliases().values())
    return frozenset(s.split()[0] for s in spellings if s)


@cache
def _names() -> frozenset[str]:
    return frozenset((*aliases(), *aliases().values()))


def pieces(sentence: Sentence) -> list[ContentWord]:
    """The content of a sentence, in order."""
    tokens, found, at = sentence.tokens, [], 0
    while at < len(tokens):
        token = tokens[at]
        piece = (
            _number(tokens, at) or _name(tokens, at)
            if token.kind != "punct" or token.low in "$€£"
            else None
        )
        if piece is None:
            if token.kind == "punct" or token.kind == "line":
                at += 1
                continue
            piece = (at + 1, _word(token))
        stop, keys = piece
        named = any(e.first <= at < e.end for e in sentence.named)
        bare = (
            stop == at + 1
            and token.kind == "word"
            and not named
            and (token.low in function_words() or token.low in light_words())
        )
        found.append(ContentWord(at, stop, keys, sentence.meant[at], bare))
        at = stop
    return found


def _word(token: Token) -> tuple[str, ...]:
    if token.kind != "word":
        return (token.low.strip("/"), token.low)
    keys = [token.stem]
    if (alias := aliases().get(token.low)) is not None:
        keys.append(f"={alias}")
    return tuple(keys)


def _name(tokens: list[Token], at: int) -> tuple[int, tuple[str, ...]] | None:
    """A name of several words, or one with other spellings."""
    if tokens[at].low not in _first_words():
        return None
    for stop in range(min(len(tokens), at + 4), at, -1):
        text = " ".join(t.low for t in tokens[at:stop])
        if text in _names():
            known = aliases().get(text, text)
            if stop == at + 1:
                return stop, (*_word(tokens[at]), f"={known}")
            return stop, (f"={known}",)
    return None


def _number(tokens: list[Token], at: int) -> tuple[int, tuple[str, ...]] | None:
    """An amount, a date or a version."""
    token = tokens[at]
    if token.kind == "path" or token.kind == "url":
        return None
    if (found := _date(tokens, at)) is not None:
        return found
    if token.kind != "num" and token.low not in _spelt() and token.low not in "$€£":
        return None
    lows = [t.low for t in tokens[at : at + 6]]
    read = quantity(lows)
    if read is None:
        return at + 1, (f"v{token.low.lstrip('v')}", token.low)
    amount, taken = read
    key = normal(" ".join(lows[:taken])).key
    version = f"v{token.low}" if "." in token.low and not amount.dimension else ""
    return at + taken, (version or f"#{key}",)


def _date(tokens: list[Token], at: int) -> tuple[int, tuple[str, ...]] | None:
    """The longest date that begins at a word and has a number in it."""
    words = tokens[at : at + 4]
    kinds = [t.kind for t in words]
    if "num" not in kinds:
        return None
    for count in range(len(words), kinds.index("num"), -1):
        when = normal(" ".join(t.low for t in words[:count])).date
        if when is not None and (when.month or when.year):
            return at + count, (_dated(when),)
    return None


@cache
def _spelt() -> frozenset[str]:
    from grounded_ingest.language.lexicon.number_words import CARDINALS
    from grounded_ingest.language.lexicon.units import EVERY

    return frozenset((*CARDINALS, *EVERY)) - {"one", "second"}


def _dated(when: Date) -> str:
    return f"@{when.year}-{when.month}-{when.day}"


def licences(sentence: Sentence, piece: ContentWord) -> set[str]:
    """Every key that a piece of a memory licenses: its own, and those that say less."""
    keys = set(piece.keys)
    for key in piece.keys:
        keys |= _less_exact(key)
    for token in sentence.tokens[piece.first : piece.end]:
        keys |= {token.stem, token.low}
        if token.kind == "word":
            keys |= set(_word(token))
        if token.kind == "num":
            bounds = [p for p in token.low.replace("–", "-").split("-") if p]
            keys |= {f"#{normal(p).key}" for p in bounds}
            keys |= {f"@{p}-0-0" for p in bounds if len(p) == 4 and p.isdigit()}
        for part in token.low.replace("/", "-").replace("_", "-").replace(".", "-").split("-"):
            if part and part != token.low:
                keys |= {stem(part), part}
    return keys


def _less_exact(key: str) -> set[str]:
    """The keys that a key implies: of a name its words, of a date its year, of 15.2 also 15."""
    if key.startswith("="):
        stems = [stem(word) for word in key[1:].split()]
        return set(stems)
    if key.startswith("@"):
        year, month, day = key[1:].split("-")
        return {f"@{year}-0-0", f"@{year}-{month}-0", f"@0-{month}-{day}", f"#{year}"}
    if key.startswith("v"):
        parts = key[1:].split(".")
        return {f"#{parts[0]}", *(f"v{'.'.join(parts[:n])}" for n in range(1, len(parts) + 1))}
    return set()


def parts_of(token: Token) -> list[str]:
    """The words a compound is made of, as stems."""
    return (
        [stem(p) for p in token.low.split("-") if p]
        if token.kind == "word" and "-" in token.low
        else []
    )


_MEASURED = frozenset(("quantity", "count", "interval"))


def slot_words(sentence: Sentence, stated: set[str]) -> set[int]:
    """The tokens that only name a slot that is stated (`favorite color`, `port number`)."""
    found: set[int] = set()
    nouns, known = tables().nouns, tables().slots
    for at, token in enumerate(sentence.tokens):
        if token.low in ("favorite", "favourite") and any(s.startswith("favorite") for s in stated):
            found |= {at, at + 1}
        hit = nouns.at(sentence.tokens, at)
        bound = hit is not None and "size_limit" in hit[1].split("|") and hit[0] == 1
        if bound and any(tables().slots[s].values in _MEASURED for s in stated & set(known)):
            found.add(at)  # `a maximum of 12 retries` names no slot besides that of retries
        if hit and stated & set(hit[1].split("|")):
            found |= set(range(at, at + hit[0]))
    return found
