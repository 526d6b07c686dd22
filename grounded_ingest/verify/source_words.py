"""Reads the words and numbers in a sentence, so that a text can be compared with its sources."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib import resources
from typing import NamedTuple

from grounded_ingest.text.dates import Date, dates_in, entailed, same_day
from grounded_ingest.text.lexicon.number_words import CARDINALS, ORDINALS, SCALES, TENS
from grounded_ingest.text.names import word_stem
from grounded_ingest.text.values import Quantity, quantity


def word_set(words: str) -> frozenset[str]:
    """Returns the set of words in a string that are separated by whitespace."""
    return frozenset(words.split())


STOP_WORDS = word_set(
    """
    a about above according across actually after again against all along already also although
    among an and another any anyone anything are around as at be became because become becomes
    been before being below between both but by called can could did do does doing done down
    during each either else etc even ever every few first for from further get gets given gives
    giving go goes got had has have having he her here hers herself him himself his how however i
    if in including into is it its itself just known like made make makes making many may me might
    mine more most much must my myself named next of off often on once one only onto or other
    others our ours out over part per quite rather really same shall she should since so some
    something still such than that the their theirs them themselves then there these they thing
    things this those though through thus to together too toward towards under until up upon us
    use used uses using usually very via was we well were what whatever when where whether which
    while who whom whose why will with within would yet you your yours yourself
    """
)
"""Words that are not compared. A few of them (`before`, `first`, `only`) are still compared with
their opposites (`after`, `last`)."""

PREPOSITIONS = word_set("at by for from in near of on to under with")
NEGATIONS = word_set("not no never neither nor none cannot without nobody nothing nowhere instead")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*|\d[\d.,]*\w*")
_CONTRACTED = re.compile(r"(?<=\w)'(?:re|ve|ll|m|s|d)$")
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z][a-z]{2})")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_CLOCK = re.compile(r"\d{1,2}:\d\d(?::\d\d)?|v?\d+(?:\.\d+){2,}")
_DECADE = re.compile(r"(\d{3}0)['’]?s")
_TWICE = re.compile(r"\b[a-z-]{2,40} \((\d[\d.,]*)\)", re.IGNORECASE)
# `REQUEST_TIMEOUT_SECONDS = 30` means 30 seconds: the unit is part of the name.
_UNIT_IN_NAME = re.compile(
    r"(?i)_(ms|seconds?|secs?|minutes|hours|days|bytes|kb|mb|gb|percent)\b[\"']?\s*[:=]\s*\d+\b"
)
_PIECE = re.compile(
    rf"{_CLOCK.pattern}"
    r"|(?<!\w)\d{3}0['’]?s\b|[$€£¥]?\.?\d[\d,]*(?:\.\d+)?%?[a-zµ]*(?:/[a-z]+)?|[$€£¥%]"
    rf"|(?i:(?:{'|'.join(TENS)})-[a-z]+)|[^\W\d_]+(?:['’][^\W\d_]+)*|[^\w\s]"
)
_BOUNDS = {
    sign: re.compile(rf"(?i)(?:{words})\s+(?:the |a |an )?$")
    for sign, words in {
        ">": "more than|over|at least|(?:great|larg)er than|no less than|above|exceeding",
        "<": "less than|under|fewer than|at most|up to|no more than|below|smaller than",
        "~": "about|around|approximately|roughly|some|circa|c\\.|almost|nearly",
    }.items()
}


class ContentWord(NamedTuple):
    """A word in a sentence that is compared, at the character offsets `start` to `end`.

    `negated` is true if one of the three words before this word is a negation. `name` is true if
    the word starts with a capital letter inside a sentence. `preposition` is the preposition before
    the word, or empty.
    """

    text: str
    stem: str
    negated: bool
    name: bool
    preposition: str
    start: int
    end: int


class Measure(NamedTuple):
    """A number with its unit, or a date. `value` is in the base unit of the dimension: `30 days` is
    2,592,000 seconds. `kind` is the dimension of the unit, such as `time`, or `year`, `date`,
    `ordinal`; for a plain count, it is empty and `noun` is the stem of the counted noun. `bound` is
    `>` for "more than", `<` for "less than", `~` for "about", or empty. `context` has the stems of
    the words close to the number."""

    text: str
    value: float
    kind: str
    noun: str = ""
    bound: str = ""
    day: Date | None = None
    context: frozenset[str] = frozenset()
    start: int = 0


class SentenceWords(NamedTuple):
    """The parts of a sentence that are compared with another sentence.

    `words` contains the compared words in order, and `amounts` contains the numbers and dates.
    `low` contains all words in lower case, including those that are usually not compared.
    """

    words: tuple[ContentWord, ...]
    amounts: tuple[Measure, ...]
    low: frozenset[str]


@cache
def opposites() -> dict[str, frozenset[str]]:
    """Returns for each word stem in the file `opposites.txt` the stems that contradict it."""
    found: dict[str, set[str]] = {}
    data = resources.files("grounded_ingest.verify").joinpath("opposites.txt")
    for line in data.read_text("utf-8").splitlines():
        stems = {word_stem(word) for word in line.partition("#")[0].split()}
        for one in stems:
            found.setdefault(one, set()).update(stems - {one})
    return {one: frozenset(others) for one, others in found.items()}


def with_units(text: str) -> str:
    """Adds the unit in a variable name after the number: `TIMEOUT_SECONDS = 30` becomes
    `TIMEOUT_SECONDS = 30 SECONDS`."""
    return _UNIT_IN_NAME.sub(r"\g<0> \1", text)


@lru_cache(maxsize=16384)
def read_words(text: str) -> SentenceWords:
    """Returns the words and amounts in a sentence. A number is returned as an amount only, not as
    a word."""
    # `thirty (30) days`: `thirty` is replaced by spaces, so that all offsets stay valid.
    text = _TWICE.sub(lambda m: m[1].rjust(len(m[0])), text)
    amounts, taken = _read_amounts(text)
    words: list[ContentWord] = []
    low: set[str] = set()
    denied, preposition = 0, ""
    for number, match in enumerate(_WORD.finditer(text.replace("_", " "))):
        plain = match[0].lower().replace("’", "'")
        low.add(plain)
        plain = _CONTRACTED.sub("", plain)
        if plain in NEGATIONS or plain.endswith("n't"):
            denied = 4
            continue
        denied -= denied > 0
        if plain in PREPOSITIONS:
            preposition = plain
        if plain in STOP_WORDS or match[0][0].isdigit() or len(plain) < 2 or plain in taken:
            continue
        name = match[0][0].isupper() and number > 0
        for part in _HUMP.split(match[0]):
            word = ContentWord(
                part, word_stem(part), denied > 0, name, preposition, match.start(), match.end()
            )
            words.append(word)
        preposition = ""
    return SentenceWords(tuple(words), amounts, frozenset(low))


def _read_amounts(text: str) -> tuple[tuple[Measure, ...], frozenset[str]]:
    """Returns the amounts in a text, and the words of these amounts in lower case."""
    found: list[Measure] = []
    taken: set[str] = set()
    for start, end, day in dates_in(text):
        near = _stems(text[max(0, start - 40) : start].split() + text[end : end + 30].split())
        found.append(Measure(text[start:end], 0.0, "date", day=day, context=near, start=start))
        taken.update(text[start:end].lower().replace(",", "").split())
    for measure in found:
        end = measure.start + len(measure.text)
        text = text[: measure.start] + " " * len(measure.text) + text[end:]
    pieces = list(_PIECE.finditer(text))
    words = [p[0].lower() for p in pieces]
    at = 0
    while at < len(words):
        amount, size = _amount_at(words, at)
        if amount:
            start, end = pieces[at].start(), pieces[at + size - 1].end()
            near = _stems(words[max(0, at - 6) : at] + words[at + size : at + size + 5])
            before = text[max(0, start - 24) : start]
            bound = next((sign for sign, form in _BOUNDS.items() if form.search(before)), "")
            placed = amount._replace(text=text[start:end], start=start)
            found.append(placed._replace(bound=bound, context=near))
            taken.update(w for piece in words[at : at + size] for w in (piece, *piece.split("-")))
        at += size
    return tuple(found), frozenset(taken)


def _stems(words: Iterable[str]) -> frozenset[str]:
    plain = (w.strip(".,;:()'\"").lower() for w in words)
    return frozenset(
        word_stem(w) for w in plain if w.isalpha() and w not in STOP_WORDS and len(w) > 1
    )


CURRENCIES = ("dollar", "euro", "pound", "yen")
TIMES = word_set("minute hour day week month year")
_LASTS = word_set("after within for in takes take lasts last is every")
_NO_AMOUNT = (None, 1)
_RANKED = word_set("party parties class person hand rate aid")
"""Nouns that make a name with an ordinal: a "third party" is not counted."""
_THE = word_set("the a an his her its their our my")


def _amount_at(words: list[str], at: int) -> tuple[Measure | None, int]:
    """Returns the amount that begins at the word with index `at`, and its number of words.

    Returns None and 1 if no amount begins at this word.
    """
    word, behind = words[at], words[at + 1] if at + 1 < len(words) else ""
    before = words[at - 1] if at else ""
    rank = _rank_of(words, at)
    if rank and (word != "second" or before in _THE):
        noun = word_stem(behind) if behind.isalpha() else ""
        return Measure("", float(rank), "ordinal", noun), 1
    one_unit = word in ("a", "an") and behind in TIMES and before in _LASTS
    if one_unit or _begins_number(word):
        return _written_time(word) or _quantity_at(words, at) or _NO_AMOUNT
    return _NO_AMOUNT


def _begins_number(word: str) -> bool:
    spelt = word.partition("-")[0] in CARDINALS or word in ("twice", "half", "$", "€", "£", "¥")
    return spelt or any(c.isdigit() for c in word)


def _rank_of(words: list[str], at: int) -> int:
    """Returns the number of an ordinal, such as 3 for `third` and `3rd`. Returns 0 if the word is
    not an ordinal, or is part of a name such as `third-party`."""
    ordinal = _ORDINAL.fullmatch(words[at])
    rank = int(ordinal[1]) if ordinal else ORDINALS.get(words[at], 0)
    noun = next((w for w in words[at + 1 : at + 3] if w != "-"), "") if rank else ""
    return 0 if noun in _RANKED else rank


def _written_time(word: str) -> tuple[Measure, int] | None:
    """Returns the value of a decade (`1990s`), a clock time (`02:00`) or a version (`1.2.3`), with
    its number of words, or None."""
    if decade := _DECADE.fullmatch(word):
        return Measure("", float(decade[1]), "decade"), 1
    if _CLOCK.fullmatch(word):
        parts = [int(p) for p in word.lstrip("v").replace(":", ".").split(".")]
        value = sum(part / 1000.0**power for power, part in enumerate(parts))
        return Measure("", value, "clock" if ":" in word else "version"), 1
    return None


def _quantity_at(words: list[str], at: int) -> tuple[Measure, int] | None:
    """Returns the number at the index `at` with its unit or counted noun, and its number of words.

    Returns None if there is no number.
    """
    # In `four in memory`, "in" is a preposition and not the unit inch.
    found = _without_rate([w if w != "in" else "," for w in words[at : at + 6]])
    if found is None or (words[at] == "one" and not found[0].dimension):
        return None
    what, size = found
    scale = SCALES.get("".join(words[at + size : at + size + 1]), 1)
    if what.dimension in CURRENCIES and scale > 1:
        what, size = what._replace(amount=what.amount * scale), size + 1
    if what.dimension:
        return Measure("", what.amount, what.dimension.partition("/")[0]), max(1, size)
    if size == 1 and _YEAR.fullmatch(words[at]):
        return Measure("", what.amount, "year"), 1
    # In `8 young wild cats`, the last word is the counted noun.
    nouns = [w for w in words[at + size : at + size + 3] if w.isalpha() and w not in STOP_WORDS]
    return Measure("", what.amount, "", word_stem(nouns[-1]) if nouns else ""), max(1, size)


def _without_rate(words: list[str]) -> tuple[Quantity, int] | None:
    """Returns the quantity without its rate, and the number of its words: `1.5%` for `1.5% per
    month`. The word `month` is then compared like any other word."""
    found = quantity(words)
    rate = found and "/" in found[0].dimension and found[1] > 2
    return (quantity(words[: found[1] - 2]) or found) if found and rate else found


def alike(one: str, other: str) -> bool:
    """Returns whether two stems are forms of the same word, such as `electric` and `electricit`."""
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or other in opposites().get(one, ()):
        return False
    return long.startswith(short) and len(long) - len(short) <= 3


def same_measure(one: Measure, other: Measure) -> bool:
    """Returns whether the amounts in a claim and in a source measure the same kind of thing: they
    have the same dimension, and a shared word close to both. If the claim is only an amount ("60
    days"), the dimension is enough."""
    dates = ("date", "year", "decade")
    if one.kind != other.kind and not (one.kind in dates and other.kind in dates):
        return False
    if not one.context and one.kind not in ("", *dates):
        return True
    shared = one.context & other.context
    return bool(shared) and (one.kind != "" or one.noun == other.noun or other.noun in one.context)


def same_amount(claim: Measure, source: Measure) -> bool:
    """Returns whether the amount in a source supports the one in a claim: 7 supports `more than 5`,
    and 98 supports `about 100`."""
    if {claim.kind, source.kind} & {"date", "year", "decade"}:
        return _equal_dates(claim, source)
    if claim.kind != source.kind:
        return False
    if abs(claim.value - source.value) <= 1e-9 * max(abs(claim.value), abs(source.value)):
        return True
    if claim.bound == ">" and not source.bound:
        return source.value >= claim.value
    if claim.bound == "<" and not source.bound:
        return source.value <= claim.value
    if "~" in (claim.bound, source.bound):
        return abs(claim.value - source.value) <= 0.05 * max(abs(claim.value), abs(source.value))
    return False


def _equal_dates(claim: Measure, source: Measure) -> bool:
    if claim.day and source.day:
        return entailed(source.day, claim.day) or same_day(source.day, claim.day)
    if claim.kind == "decade":
        year = source.day.year if source.day else source.value
        return 0 <= year - claim.value < (100 if claim.value % 100 == 0 else 10)
    if claim.kind == "year" and source.day:
        return source.day.year == claim.value
    if claim.day and source.kind == "year":
        return claim.day.year == source.value and not claim.day.month
    return claim.value == source.value
