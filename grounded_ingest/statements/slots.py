"""The slots of `slots.txt`, and which of them a noun phrase or a verb names."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import NamedTuple

from grounded_ingest.statements.sentence import subject_key
from grounded_ingest.statements.words import PhraseTable, Token, stems_of
from grounded_ingest.text.lexicon import frame_words
from grounded_ingest.text.words import group

_RANKS = frozenset(frame_words.NAMING_RANKS.split())
_NO_SLOTS = frozenset(frame_words.NO_SLOTS.split())
ONE_OF_A_KIND = frozenset(frame_words.ONE_OF_A_KIND.split())
"""Kinds of technology of which "we use X" means one, so that two of them contradict."""


class Slot(NamedTuple):
    """`values` is the kind of its values; `many`: several can hold together; `planned`: what is
    only planned fills it, too."""

    name: str
    values: str
    many: bool = False
    planned: bool = False


class _Tables(NamedTuple):
    slots: dict[str, Slot]
    nouns: PhraseTable
    verbs: PhraseTable


@cache
def _tables() -> _Tables:
    found = _Tables({}, PhraseTable(), PhraseTable())
    data = resources.files("grounded_ingest.statements").joinpath("slots.txt").read_text("utf-8")
    for line in (one for one in data.splitlines() if not one.startswith("#")):
        name, kind, nouns, verbs = (part.strip() for part in line.split("|"))
        values, *flags = kind.split()
        found.slots[name] = Slot(name, values, "many" in flags, "planned" in flags)
        for table, phrases in ((found.nouns, nouns), (found.verbs, verbs)):
            for one in filter(None, phrases.split(", ")):
                table.add(stems_of(one), name)
    return found


def slot_named(name: str) -> Slot | None:
    return _tables().slots.get(name)


def slots_of_verb(stems: Sequence[str], at: int) -> list[tuple[int, Slot]]:
    """Returns the slots whose verbs begin at a place, with their lengths, the longest first."""
    return [(length, _tables().slots[name]) for length, name in _tables().verbs.at(stems, at)]


def named_slot(label: Sequence[Token]) -> tuple[str, str]:
    """Returns slot and subject of a noun phrase: `the port of service-b`. A noun that the table
    does not have is a slot of its own; both are empty if it is none."""
    out = group("DETERMINERS") | group("ADVERBS") | group("SELF") | {"'s"}
    while label and label[0].low in out:
        label = label[1:]
    lows = [w.low for w in label]
    prep = next((i for i, low in enumerate(lows) if i and low in ("of", "for", "on", "in")), 0)
    if prep and lows[:prep] != ["number"]:
        slot, subject = named_slot(label[:prep])
        return slot, " ".join(filter(None, (subject, subject_key(label[prep:]))))
    if not label or any(w.kind not in ("word", "num") for w in label):
        return "", ""
    if lows[0] in ("favorite", "favourite") and len(lows) > 1:
        return f"favorite_{'_'.join(lows[1:])}", ""
    return _slot_of_table(label) or _own_slot(label)


def _slot_of_table(label: Sequence[Token]) -> tuple[str, str] | None:
    """Returns the slot that the longest end of a noun phrase names, and what stands before it."""
    stems = [w.stem for w in label]
    for at in range(len(stems)):
        for length, name in _tables().nouns.at(stems, at):
            if length == len(stems) - at:
                return name, subject_key([w for w in label[:at] if w.low not in _RANKS])
    return None


def _own_slot(label: Sequence[Token]) -> tuple[str, str]:
    words = [w for w in label if w.low not in _RANKS]
    if not words or len(words) > 4 or words[-1].low in _NO_SLOTS | group("WHOLE"):
        return "", ""
    at = next((i for i, w in enumerate(words) if w.low == "'s"), -1)
    owner, own = words[: max(at, 0)], words[at + 1 :]
    plain = [w for w in own if subject_key([w]) or w is own[-1]]
    if not own or not all(w.low.replace("-", "").replace("_", "").isalnum() for w in own):
        return "", ""
    return "_".join(w.stem for w in plain), subject_key(owner)
