"""Which slot a noun phrase names, and of what: `the API rate limit`, `the port of service-a`."""

from __future__ import annotations

from grounded_ingest.language.clauses import subject_key
from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.lexicon.slots_repository import NO_SLOTS
from grounded_ingest.language.parse import Sentence
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.slots import Tables, tables
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.tokens import Token, name_key

_PARTS = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_RANKS = frozenset(frame_words.NAMING_RANKS.split())
_NO_SLOTS = frozenset(NO_SLOTS.split())


def named_slot(label: list[Token], tables: Tables) -> tuple[str, str]:
    """Slot and subject of a noun phrase; a slot of its own where the tables have none, or empty."""
    label = _trimmed(label)
    if not label:
        return "", ""
    known = _counted(label, tables) or _qualified(label, tables)
    if known is not None:
        return known
    if len(label) == 1:
        return _identifier(label[0], tables)
    if label[0].low in ("favorite", "favourite"):
        return f"favorite_{'_'.join(t.low for t in label[1:])}", ""
    for at in range(len(label)):
        slot_name = tables.nouns.whole(label[at:])
        if slot_name:
            return slot_name.split("|")[0], _qualifier(label[:at])
    return _own(label)


def _counted(label: list[Token], tables: Tables) -> tuple[str, str] | None:
    """`number of retries`: the slot of what is counted, where the tables have one."""
    if len(label) < 3 or [t.low for t in label[:2]] != ["number", "of"]:
        return None
    counted = named_slot(label[2:], tables)
    return counted if counted[0] in tables.slots else None


def _qualified(label: list[Token], tables: Tables) -> tuple[str, str] | None:
    """`port of service-a`: a slot of the tables, its subject behind the first such preposition."""
    lows = [t.low for t in label[1:]]
    prep = next((p for p in ("of", "for", "on", "in", "to") if p in lows), None)
    if prep is None:
        return None
    at = lows.index(prep) + 1
    slot, subject = named_slot(label[:at], tables)
    if slot not in tables.slots:
        return None
    return slot, " ".join(filter(None, (subject, subject_key(label[at + 1 :]))))


def _trimmed(label: list[Token]) -> list[Token]:
    out = group("DETERMINERS") | group("ADVERBS")
    while label and (label[0].low in out or label[0].low in group("SELF") or label[0].low == "'s"):
        label = label[1:]
    while label and (label[-1].kind == "punct" or label[-1].low in ("now", "currently")):
        label = label[:-1]
    return label


def _identifier(token: Token, tables: Tables) -> tuple[str, str]:
    """A key of a configuration is its own slot; a word may be one of the tables'."""
    known = tables.nouns.whole([token])
    if known:
        return known.split("|")[0], ""
    parts = [p.lower() for p in _PARTS.findall(token.text)]
    if len(parts) > 1:
        return "_".join(parts), ""
    if (
        token.low in _NO_SLOTS | group("WHOLE")
        or token.low in function_words()
        or token.kind == "num"
    ):
        return "", ""
    return stem(token.low), ""


def _qualifier(tokens: list[Token]) -> str:
    kept = [t for t in tokens if t.low not in _RANKS]
    return subject_key(kept)


def _own(label: list[Token]) -> tuple[str, str]:
    words = [t for t in label if t.low not in ("'s",) and t.low not in _RANKS]
    if (
        not words
        or words[-1].low in _NO_SLOTS | group("WHOLE")
        or len(words) > 4
        or any(t.low in group("PREPOSITIONS") for t in words)
    ):
        return "", ""
    if len(words) > 1 and label[1].low == "'s":
        return stem(words[-1].low), name_key(words[:-1])
    return "_".join(t.stem for t in words), ""


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
