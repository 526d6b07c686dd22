"""Whom a noun phrase speaks of, by its words: what is said of people only needs a person."""

from __future__ import annotations

from functools import cache
from typing import Literal

from grounded_ingest.language.closed_classes import function_words, group
from grounded_ingest.language.lexicon import frame_words, people, verbs
from grounded_ingest.language.lexicon.number_words import MONTHS, WEEKDAYS
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.tokens import Token, entities

Who = Literal["speaker", "belonging", "we", "person", "thing", "elided"]
"""`speaker`: first or second person singular, or the user. `belonging`: something of theirs.
`elided`: the sentence has no subject, as in notes."""

SOMEBODY: frozenset[Who] = frozenset(("speaker", "we", "person", "elided"))

_SPEAKERS = frozenset(frame_words.PERSONS_SPEAKERS.split())
_MINE = frozenset(frame_words.PERSONS_MINE.split())
_PERSONAL_PRONOUNS = frozenset(frame_words.PERSONS_PRONOUNS.split())
_PLURAL_VERBS = frozenset(frame_words.PERSONS_PLURAL_VERBS.split())
_INFINITIVES = frozenset(frame_words.MORE_VERBS.split())
_LONGEST_NAME = 5


@cache
def _words(name: str) -> frozenset[str]:
    return frozenset(getattr(people, name).split())


@cache
def _common_nouns() -> frozenset[str]:
    """Stems of words that stand capitalised at the start of a sentence and are no names."""
    from grounded_ingest.language.slots import noun_stems

    known = {stem(w) for w in f"{verbs.REGULAR} {verbs.IRREGULAR}".split()}
    known |= {"whatever", "whoever", "whichever"}
    known |= {stem(w) for w in _words("OCCUPATIONS") | group("WHOLE") | group("LIGHT")}
    return frozenset(known | noun_stems())


def whose(head: list[Token], verb: Token | None = None, *, opens: bool = False) -> Who:
    """Whom a noun phrase stands for. `opens`: it begins its sentence, so that a capital shows
    nothing by itself; `verb` tells one from several."""
    head = [t for t in head if t.kind != "punct" and t.low not in group("ADVERBS")]
    if not head:
        return "elided"
    lows = [t.low for t in head]
    several = verb is not None and _plural(verb)
    if (who := _pronoun(lows, several=several)) is not None:
        return who
    if _is_human(lows) or (not several and _is_name(head, opens=opens)):
        return "person"
    return "belonging" if _MINE.intersection(lows) else "thing"


def _pronoun(lows: list[str], *, several: bool) -> Who | None:
    """Whom a pronoun stands for: `they` for things when the verb is of several."""
    if lows[-1] in _SPEAKERS and lows[0] not in group("PREPOSITIONS"):
        return "speaker"
    if lows[-1] in ("we", "us", "ourselves"):
        return "we"
    if len(lows) == 1 and lows[0] in _PERSONAL_PRONOUNS:
        return "thing" if several else "person"
    return None


def holder(label: list[Token]) -> Who:
    """Whose attribute a noun phrase names: `my role`, `Ada's role`, `the role of Ada`."""
    lows = [t.low for t in label]
    if "'s" in lows:
        return whose(label[: lows.index("'s")])
    behind = next((i for i, w in enumerate(lows) if i and w in ("of", "for")), -1)
    if behind > 0 and behind + 1 < len(label):
        return whose(label[behind + 1 :])
    if set(lows) & group("SELF"):
        return "speaker"
    return "person" if lows and lows[0] in ("his", "her") else "thing"


def _is_human(lows: list[str]) -> bool:
    """`my sister Ana`, `the woman`: a noun for one person, said of whom where it has to be."""
    if lows[-1] in _words("HUMANS"):
        return True
    possessed = bool(set(lows) & (group("SELF") | {"his", "her", "their", "'s"}))
    return possessed and any(w in _words("RELATIVES") for w in lows)


def _is_name(head: list[Token], *, opens: bool) -> bool:
    """Whether a phrase is the name of a person and not of a place, a day or a product."""
    names = [t for t in head if t.low not in _words("NAME_PARTS")]
    if not names or len(head) > _LONGEST_NAME:
        return False
    if not all(t.kind == "word" and _titled(t.text) for t in names):
        return False
    other = function_words() | _words("PLACES") | MONTHS.keys() | WEEKDAYS.keys()
    if any(t.low in other for t in names):
        return False
    if any(e.end - e.first == len(head) for e in entities(head, governed=True)):
        return False
    return not (opens and len(names) == 1 and names[0].stem in _common_nouns())


def _titled(word: str) -> bool:
    """Whether a word is written as names of people are: no abbreviation, identifier or version."""
    parts = word.replace("’", "'").replace("-", "'").removesuffix(".").split("'")
    return word[:1].isupper() and all(
        p.isalpha() and (p.istitle() or p.islower() or p[:2] == "Mc") for p in parts
    )


def is_order(tokens: list[Token], at: int) -> bool:
    """Whether a verb without a subject tells to do something (`prefer small steps`), and not to
    do it to the speaker (`call me`)."""
    behind = tokens[at + 1].low if at + 1 < len(tokens) else ""
    return _base(tokens[at].low) and behind not in _SPEAKERS


def _base(low: str) -> bool:
    return low in _INFINITIVES or low in verbs.REGULAR.split()


def _plural(verb: Token) -> bool:
    low = verb.low
    if low in _PLURAL_VERBS:
        return True
    return _base(low)
