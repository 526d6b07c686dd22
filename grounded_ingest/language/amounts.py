"""Numbers in a text: their value in the first unit of their dimension, and what they count."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from re import Match

from grounded_ingest.language.amount_match import Amount, dated
from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.dates import YEAR, Date, date
from grounded_ingest.language.lexicon import amount_words, number_words
from grounded_ingest.language.lexicon.number_words import MONTH
from grounded_ingest.language.number_words import CODE_INTEGER, INTEGER, digits
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.quantities import quantity, units
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.terms import root, word_parts
from grounded_ingest.language.versions import version

_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_IN_TEXT = compiled(
    rf"(?<![\w.])(?:{YEAR}-(?:0\d|1[0-2])(?:-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:?\d\d)?)?)?(?!-?\d)"
    rf"|\d{{1,2}}\.\d{{1,2}}\.(?:19|20)\d\d|\d{{1,2}}/\d{{1,2}}/(?:{YEAR}|\d\d)(?!/)"
    rf"|(?:{MONTH})\.? {_DAY},? {YEAR}|{_DAY} (?:of )?(?:{MONTH})\.?,? {YEAR}"
    rf"|(?:{MONTH})\.?,? (?:of )?{YEAR}|(?:{MONTH})\.? {_DAY}(?!\d)|{_DAY} (?:of )?(?:{MONTH})"
    rf"|q[1-4][ /-]?{YEAR})(?!\w)",
    2,
)
_ERA = compiled(
    r"(?i)\b(?:(\d{3}0)['’]?s|(\d{1,2})(?:st|nd|rd|th)[ -]centur(?:y|ies)|['’]?(\d0)['’]?s)\b"
)
_WORDS = "|".join(
    sorted(
        (
            *number_words.CARDINALS,
            *number_words.ORDINALS,
            "twice",
            "half",
        ),
        key=len,
        reverse=True,
    )
)
_NUMBER, _CODE_NUMBER = (
    compiled(
        rf"(?i)(?<![\w.#])(?<![a-z]-)(?:v(?=\d)|[$€£¥])?{whole}(?:\.\d+)*(?:[.]x)?(?:%|[a-zµ]+)?(?![\w])"
        rf"|\b(?:{_WORDS})\b(?!'s)"
    )
    for whole in (INTEGER, CODE_INTEGER)
)
_SPELT = compiled(rf"(?i)\b(?:{_WORDS}|only|sole|single)\b")
_PLACEHOLDERS = compiled(r"\$\d+(?:,\$\d+)+", needs=("$",))
_CALLS = compiled(
    r"(?i)\b(?:from_|of)?(millis|secs?|seconds|minutes|mins|hours|days|weeks)\s*[(=:]\s*(\d[\d_]*(?:\.\d+)?)"
)
_TIMES = compiled(
    r"(?i)(\d[\d_]*)(?:\s*\*\s*(?:time\.)?|\.)(millisecond|second|minute|hour|day|week|month|year)s?\b"
)
_WIDTH = compiled(
    r"\b[uif](8|16|32|64|128|256)(?:_t)?\b|\b(?:u?int|float)(8|16|32|64|128|256)(?:_t)?\b"
)
_PRODUCT = compiled(r"(?<![\w.])\d[\d_]*(?:\s*\*\s*\d[\d_]*)+(?![\w.])")
NAME = 100
"""Characters before a number in which the name it is assigned to is looked for."""
_ASSIGNED = compiled(
    r"([A-Za-z_][\w.-]*)[\"']?\s*(?::\s*[\w\[\]| &.<>]+\s*)?(?:=|:|=>|:=)\s*[\"']?$",
    needs=("=", ":"),
)
_LOWER = compiled(rf"(?i)(?:\b|(?=[><]))(?:{amount_words.LOWER_BOUND})\s*(?:the\s|a\s|an\s|of\s)?$")
_UPPER = compiled(rf"(?i)(?:\b|(?=[><]))(?:{amount_words.UPPER_BOUND})\s*(?:the\s|a\s|an\s|of\s)?$")
_ABOUT = compiled(rf"(?i)(?:(?<!\w)(?:{amount_words.ABOUT}))\s*(?:the\s|a\s|an\s)?$")
_RELATIVE = compiled(rf"(?i)\b(?:{amount_words.RELATIVE})[ -](?:the )?(?:\w+ of )?$")
_ONLY = ("only", "sole", "single")
_SINGLE = compiled(
    r"(?i)\b(?:his|her|its|their|the|an?) (?:only|sole|single) ([a-z]+)", needs=_ONLY
)
_FROM = compiled(r"(?i)\b(?:from|between) (?:\w+ ){0,2}$", needs=("from", "between"))
_TO = compiled(
    r"(?i)\b(?:from|between) [^.;]{2,30}?(?:to|through|until|till|and|[–-]) ?(?:\w+ ){0,2}$",
    needs=("from", "between"),
)
_OR_MORE = ("+", " or more", " or newer", " or later", " or higher")
_LIFE = compiled(r"\(([^()]*?)[–—]([^()]*)\)", needs=("–", "—"))
_MOST = frozenset(("max", "maximum", "limit", "cap"))
_LEAST = frozenset(("min", "minimum"))
_CLOCK = compiled(r"(?<![\w:.])([01]?\d|2[0-3]):([0-5]\d)(?::[0-5]\d)?(?![\w:])", needs=(":",))
_TWICE = compiled(r"\s*\(\s*([\d,]+)\s*\)")
_DIGITS = frozenset("0123456789")
_WORD = compiled(r"[^\W\d_][\w'’-]*|%")


def amounts(text: str, code: bool = False) -> tuple[Amount, ...]:
    """The numbers of a sentence, or of a line of code."""
    if not _has_digit(text) and (code or not _SPELT.search(text)):
        return ()
    found: list[Amount] = []
    taken: list[tuple[int, int]] = [m.span() for m in _PLACEHOLDERS.finditer(text)]
    _of_time(text, found, taken)
    if code:
        _of_code(text, found, taken)
    for match in (_CODE_NUMBER if code else _NUMBER).finditer(text):
        if not _over(taken, match.start()) and (one := _plain(text, match, code)):
            taken.append((one.start, one.end))
            found.append(one)
    if not code:
        found += [
            _one(text, m) for m in _SINGLE.finditer(text) if m[1].lower() not in function_words()
        ]
    return tuple(sorted(found, key=lambda a: a.start))


def _has_digit(text: str) -> bool:
    if text.isascii():
        return not _DIGITS.isdisjoint(text)
    return any(c.isdigit() for c in text)


def dates_in(text: str) -> Iterator[tuple[int, int, Date]]:
    """The dates of a text that name more than a year, with where they stand."""
    for match in _IN_TEXT.finditer(text):
        if when := date(match[0]):
            yield *match.span(), when


def _of_time(text: str, found: list[Amount], taken: list[tuple[int, int]]) -> None:
    """Dates, eras and times of day."""
    for start, end, when in dates_in(text):
        taken.append((start, end))
        found.append(_placed(text, Amount(0, 0, "date", text[start:end], start, end, when=when)))
    for match in _ERA.finditer(text):
        if not _over(taken, match.start()):
            taken.append(match.span())
            found.append(_placed(text, era(match)))
    for match in _CLOCK.finditer(text):
        if not _over(taken, match.start()):
            minutes = int(match[1]) * 60 + int(match[2])
            taken.append(match.span())
            found.append(_placed(text, Amount(minutes, minutes, "clock", match[0], *match.span())))


def _one(text: str, match: Match[str]) -> Amount:
    """`his only award` is one award."""
    return _placed(text, Amount(1, 1, "", match[0], match.start(), match.start(1) - 1))


def _over(taken: list[tuple[int, int]], at: int) -> bool:
    return any(a <= at < b for a, b in taken)


def _of_code(text: str, found: list[Amount], taken: list[tuple[int, int]]) -> None:
    """`Duration::from_secs(30)`, `timedelta(days=30)`, `30 * time.Second`, `1024 * 1024`."""
    for match in _WIDTH.finditer(text):
        width = int(match[1] or match[2]) / 8
        taken.append(match.span())
        found.append(
            _placed(text, Amount(width, width, "size", match[0], *match.span()), code=True)
        )
    for pattern, number, unit in ((_CALLS, 2, 1), (_TIMES, 1, 2)):
        for match in pattern.finditer(text):
            if not _over(taken, match.start(number)):
                value = digits(match[number]) * units()[match[unit].lower()][1]
                taken.append(match.span(number))
                found.append(
                    _placed(
                        text, Amount(value, value, "time", match[0], *match.span(number)), code=True
                    )
                )
    for match in _PRODUCT.finditer(text):
        value = 1.0
        for factor in match[0].split("*"):
            value *= digits(factor)
        found.append(
            _placed(
                text, _labelled(text, Amount(value, value, "", match[0], *match.span())), code=True
            )
        )


def _plain(text: str, match: Match[str], code: bool) -> Amount | None:
    """A number as digits or words, with its unit."""
    written, start = match[0], match.start()
    low = written.lower()
    place = _ordinal(low)
    if place is not None:
        return _placed(text, Amount(place, place, "ordinal", written, start, match.end()))
    if code and not low[:1].isdigit() and low[:1] not in "$€£v":
        return None
    words = _words_from(text, match)
    if not words or not words[0]:
        return None
    parts = version(low)
    if parts and ("." in low or low[0] == "v" or low.endswith("x")) and not _measured(words):
        value = _as_number(low, parts)
        one = Amount(value, value, "version", written, start, match.end(), parts=parts)
        return _placed(text, one, code=code)
    return _counted(text, match, words, code)


def _ordinal(low: str) -> float | None:
    """What place a number names: `third`, `3rd`."""
    ordinal = number_words.ORDINALS.get(low)
    if ordinal:
        return float(ordinal)
    if low[:1].isdigit() and low.endswith(("st", "nd", "rd", "th")):
        return float("".join(c for c in low if c.isdigit()))
    return None


def _words_from(text: str, match: Match[str]) -> list[str]:
    """A number and the words behind it, as units are looked for."""
    behind = text[match.end() : match.start() + 60]
    if behind[:2].removeprefix("/").isdigit():  # 104/0: two numbers
        behind = ""
    elif behind.startswith(","):
        behind = f" {behind}"
    words = f"{match[0]}{behind}".lower().replace("-", " ").replace("(", " ( ").split()[:6]
    return [w.strip(".,;:)`\"'*") if n else w.rstrip(".,;:)`\"'*") for n, w in enumerate(words)]


def _as_number(low: str, parts: Sequence[str]) -> float:
    """A version as the number it can also be: `3.11`; else its first part."""
    if low.count(".") == 1 and low[0] != "v" and low.replace(".", "").isdigit():
        return float(low.rstrip(".x"))
    return float(parts[0]) if parts[0].isdigit() else 0.0


def _measured(words: list[str]) -> bool:
    found = quantity(words)
    return bool(found and (found[0].dimension or found[1] > 1))


def _counted(text: str, match: Match[str], words: list[str], code: bool) -> Amount | None:
    start, written = match.start(), match[0]
    if _TWICE.match(text, match.end()):
        return None
    found = quantity(words)
    if found is None:
        return None
    (value, unit), count = found
    unit = unit.partition("/")[0] if unit.startswith("percent") else unit
    if found[0].dimension != unit and (alone := quantity(words[:1])):
        value, count = alone[0].amount, 1
    if (
        unit in ("dollar", "euro", "pound", "yen")
        and words[count : count + 1]
        and words[count] in number_words.SCALES
    ):
        value, count = value * number_words.SCALES[words[count]], count + 1
    if not written[:1].isdigit() and words[0] in ("one", "second") and count == 1:
        return None
    end = match.end()
    for word in words[1:count]:
        at = text[end : end + 6 + len(word)].lower().find(word)
        end = end + at + len(word) if at >= 0 else end
    one = Amount(value, value, unit, text[start:end], start, end)
    if not unit:
        one = _labelled(text, one)
    return _placed(text, one, code=code)


def _labelled(text: str, one: Amount) -> Amount:
    """A bare number with the unit that the name before it says: `TIMEOUT_SECONDS = 30`."""
    label = _ASSIGNED.search(text[max(0, one.start - NAME) : one.start])
    if label is None:
        return one
    parts = word_parts(label[1])
    if not _MOST.isdisjoint(parts):
        one = one._replace(bound="max")
    elif not _LEAST.isdisjoint(parts):
        one = one._replace(bound="min")
    for part in reversed(parts):
        unit = units().get(part) if len(part) > 1 else None
        if unit is not None and part not in ("in", "min", "mi"):
            value = one.low * unit[1]
            return one._replace(low=value, high=value, unit=unit[0], label=label[1])
    return one._replace(label=label[1])


def _placed(text: str, one: Amount, code: bool = False) -> Amount:
    """An amount with its bound and the words around it."""
    before, after = text[max(0, one.start - 60) : one.start], text[one.end : one.end + 60]
    noun = "" if code or one.unit not in ("", "ordinal") else _noun(after)
    behind = _near(after)
    if dated(one):
        behind += _event_of_life(text, one)
    reach = 12 if code else 9
    near = frozenset((*_near(before)[::-1][:reach], *behind[:reach]))
    side = "to" if _TO.search(before) else "from" if _FROM.search(before) else ""
    return one._replace(noun=noun, bound=_bound(before, after, one), near=near, side=side)


def _bound(text: str, after: str, one: Amount) -> str:
    if _LOWER.search(text) or after.startswith(_OR_MORE):
        return "min"
    if _UPPER.search(text) or after.startswith((" or less", " or fewer")):
        return "max"
    if dated(one) and _RELATIVE.search(text):
        return "when"
    return "about" if _ABOUT.search(text) else one.bound


def _noun(after: str) -> str:
    """The stem of the word that a number counts."""
    first = _WORD.match(after.lstrip(" -"))
    if first is None or after.startswith((",", ".", ";", ")")):
        return ""
    word = first[0].lower()
    return "" if word in function_words() else stem(word)


def _event_of_life(text: str, one: Amount) -> list[str]:
    """What a date in brackets behind a name says: `(1815–1852)` are birth and death."""
    for life in _LIFE.finditer(text):
        if life.start() < one.start < life.end():
            born = one.start < life.end(1)
            return ["^born", "^birth"] if born else ["^die", "^died", "^death", "^dead", "^pass"]
    return []


def _near(text: str) -> list[str]:
    words = [p for w in _WORD.findall(text) for p in word_parts(w.replace("’", "'"))]
    return [f"^{root(w)}" for w in words if w not in function_words() and len(w) > 1]


def era(match: Match[str]) -> Amount:
    """The years of a decade or a century."""
    if match[1]:
        first = int(match[1])
        last = first + (99 if first % 100 == 0 else 9)
    elif match[2]:
        first, last = int(match[2]) * 100 - 99, int(match[2]) * 100
    else:
        first, last = 1900 + int(match[3]), 1909 + int(match[3])
    return Amount(first, last, "era", match[0], *match.span())
