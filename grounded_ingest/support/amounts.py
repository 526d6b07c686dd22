"""Numbers in a text: their value in the first unit of their dimension, and what they count."""

from __future__ import annotations

from functools import cache, lru_cache
from re import Match, Pattern
from typing import NamedTuple

from grounded_ingest.lexicon import number_words, support_words
from grounded_ingest.lexicon.units import DIMENSIONS
from grounded_ingest.patterns import compiled
from grounded_ingest.support.terms import function, root, split
from grounded_ingest.values.counts import shown
from grounded_ingest.values.dates import Date, agree, date, entailed
from grounded_ingest.values.names import stem
from grounded_ingest.values.quantities import quantity
from grounded_ingest.values.versions import compatible, version

_MONTH = "|".join(sorted(number_words.MONTHS, key=len, reverse=True))
_DATE = compiled(
    rf"(?i)\b(?:\d{{4}}-\d\d-\d\d|\d{{1,2}}/\d{{1,2}}/(?:\d{{4}}|\d\d)|(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?,? \d{{4}}"
    rf"|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH}),? \d{{4}}|(?:{_MONTH}),? (?:of )?\d{{4}}"
    rf"|(?:{_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?(?!\d)|\d{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTH}))\b"
)
_ERA = compiled(r"(?i)\b(?:(\d{3}0)['’]?s|(\d{1,2})(?:st|nd|rd|th)[ -]centur(?:y|ies)|['’]?(\d0)['’]?s)\b")
_WORDS = "|".join(
    sorted((*number_words.UNITS, *number_words.TENS, *number_words.ORDINALS, *support_words.ORDINALS, "twice", "half"), key=len, reverse=True)
)
_NUMBER = compiled(
    r"(?i)(?<![\w.#])(?<![a-z]-)(?:v(?=\d)|[$€£¥])?\d(?:[\d,_]*\d)?(?:\.\d+)*(?:[.]x)?(?:%|[a-zµ]+)?(?![\w])"
    rf"|\b(?:{_WORDS})\b(?!'s)"
)
_CALLS = compiled(r"(?i)\b(?:from_|of)?(millis|secs?|seconds|minutes|mins|hours|days|weeks)\s*[(=:]\s*(\d[\d_]*(?:\.\d+)?)")
_TIMES = compiled(r"(\d[\d_]*)\s*\*\s*(?:time\.)?(Millisecond|Second|Minute|Hour)\b")
_PRODUCT = compiled(r"(?<![\w.])\d[\d_]*(?:\s*\*\s*\d[\d_]*)+(?![\w.])")
_ASSIGNED = compiled(r"([A-Za-z_][\w.-]*)[\"']?\s*(?::\s*[\w\[\]| &.<>]+\s*)?(?:=|:|=>|:=)\s*[\"']?$")
_LOWER = compiled(rf"(?i)(?:\b|(?=[><]))(?:{support_words.LOWER_BOUND})\s*(?:the\s|a\s|an\s|of\s)?$")
_UPPER = compiled(rf"(?i)(?:\b|(?=[><]))(?:{support_words.UPPER_BOUND})\s*(?:the\s|a\s|an\s|of\s)?$")
_ABOUT = compiled(rf"(?i)(?:(?<!\w)(?:{support_words.ABOUT}))\s*(?:the\s|a\s|an\s)?$")
_RELATIVE = compiled(rf"(?i)\b(?:{support_words.RELATIVE})[ -](?:the )?(?:\w+ of )?$")
_SINGLE = compiled(r"(?i)\b(?:his|her|its|their|the|an?) (?:only|sole|single) ([a-z]+)")
_YEAR = compiled(r"\b1[0-8]\d\d\b")
_FROM = compiled(r"(?i)\b(?:from|between) (?:\w+ ){0,2}$")
_TO = compiled(r"(?i)\b(?:from|between) [^.;]{2,30}?(?:to|through|until|till|and|[–-]) ?(?:\w+ ){0,2}$")
_LIFE = compiled(r"\(([^()]*?)[–—]([^()]*)\)")
_TWICE = compiled(r"\s*\(\s*([\d,]+)\s*\)")
_WORD = compiled(r"[^\W\d_][\w'’-]*|%")


class Amount(NamedTuple):
    """`low` to `high` in the first unit of `unit`: a dimension of `lexicon.units`, `date`, `era`,
    `ordinal`, `version`, or "" for a bare number. `noun` is the stem of what is counted, `bound`
    `min`, `max`, `about`, `when` or "". `side` is `from` or `to` in a range. `near` are the stems around it, `first` nearest."""

    low: float
    high: float
    unit: str
    text: str
    start: int
    end: int
    noun: str = ""
    bound: str = ""
    when: Date | None = None
    parts: tuple[str, ...] = ()
    near: frozenset[str] = frozenset()
    label: str = ""
    side: str = ""


@cache
def _unit_words() -> dict[str, tuple[str, float]]:
    return {
        name: (dimension, size)
        for dimension, units in DIMENSIONS.items()
        for names, size in units
        for name in names.split()
        if len(name) > 1
    }


@lru_cache(maxsize=8192)
def amounts(text: str, code: bool = False) -> tuple[Amount, ...]:
    """The numbers of a sentence, or of a line of code."""
    if not any(c.isdigit() for c in text) and (code or not _has_word(text)):
        return ()
    found: list[Amount] = []
    taken: list[tuple[int, int]] = []
    for match in _DATE.finditer(text):
        if when := _date(match[0]):
            taken.append(match.span())
            found.append(_placed(text, Amount(0, 0, "date", match[0], *match.span(), when=when)))
    for match in _ERA.finditer(text):
        if not _over(taken, match.start()):
            taken.append(match.span())
            found.append(_placed(text, _era(match)))
    if code:
        _of_code(text, found, taken)
    for match in _NUMBER.finditer(text):
        if not _over(taken, match.start()) and (one := _plain(text, match, code)):
            taken.append((one.start, one.end))
            found.append(one)
    for match in _SINGLE.finditer(text) if not code else ():
        if not _over(taken, match.start()) and match[1].lower() not in function():
            found.append(_placed(text, Amount(1, 1, "", match[0], match.start(), match.start(1) - 1)))
    return tuple(sorted(found, key=lambda a: a.start))


def _date(text: str) -> Date | None:
    """A date of any century."""
    if text[-3:-2] == "/":  # the century is left out, and compared with nothing
        short = date(f"{text[:-2]}2000")
        return Date(0, short.month, short.day) if short else None
    found = date(text)
    if found is None and (year := _YEAR.search(text)) and (found := date(_YEAR.sub("2000", text))):
        found = Date(int(year[0]), found.month, found.day)
    return found


@cache
def _spelt_words() -> Pattern[str]:
    return compiled(rf"(?i)\b(?:{_WORDS})\b")


def _has_word(text: str) -> bool:
    return _spelt_words().search(text) is not None


def _over(taken: list[tuple[int, int]], at: int) -> bool:
    return any(a <= at < b for a, b in taken)


def _era(match: Match[str]) -> Amount:
    if match[1]:
        first = int(match[1])
        last = first + (99 if first % 100 == 0 else 9)
    elif match[2]:
        first, last = int(match[2]) * 100 - 99, int(match[2]) * 100
    else:
        first, last = 1900 + int(match[3]), 1909 + int(match[3])
    return Amount(first, last, "era", match[0], *match.span())


_SIZES = {"millis": 0.001, "sec": 1.0, "second": 1.0, "min": 60.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "week": 604800.0}


def _of_code(text: str, found: list[Amount], taken: list[tuple[int, int]]) -> None:
    """`Duration::from_secs(30)`, `timedelta(days=30)`, `30 * time.Second`, `1024 * 1024`."""
    for pattern, number, unit in ((_CALLS, 2, 1), (_TIMES, 1, 2)):
        for match in pattern.finditer(text):
            size = _SIZES.get(match[unit].lower().rstrip("s") if match[unit].lower() != "millis" else "millis")
            if match[unit] == "Millisecond":
                size = 0.001
            if size and not _over(taken, match.start(number)):
                value = float(match[number].replace("_", "")) * size
                taken.append(match.span(number))
                found.append(_placed(text, Amount(value, value, "time", match[0], *match.span(number)), code=True))
    for match in _PRODUCT.finditer(text):
        value = 1.0
        for factor in match[0].split("*"):
            value *= float(factor.replace("_", ""))
        found.append(_placed(text, _labelled(text, Amount(value, value, "", match[0], *match.span())), code=True))


def _plain(text: str, match: Match[str], code: bool) -> Amount | None:
    """A number as digits or words, with its unit."""
    written, start = match[0], match.start()
    low = written.lower()
    ordinal = number_words.ORDINALS.get(low) or support_words.ORDINALS.get(low)
    if ordinal or (low[:1].isdigit() and low.endswith(("st", "nd", "rd", "th"))):
        value = float(ordinal or int("".join(c for c in low if c.isdigit()) or 0))
        return _placed(text, Amount(value, value, "ordinal", written, start, match.end()))
    if code and not low[:1].isdigit() and low[:1] not in "$€£v":
        return None
    behind = text[start : start + 60]
    words = behind.lower().replace("-", " ").replace("(", " ( ").split()[:6]
    words = [w.strip(".,;:)`\"'*") if n else w.rstrip(".,;:)`\"'*") for n, w in enumerate(words)]
    if not words or not words[0]:
        return None
    parts = version(low)
    if parts and ("." in low or low[0] == "v" or low.endswith("x")) and not _measured(words):
        value = float(parts[0]) if parts[0].isdigit() else 0.0
        decimal = low.count(".") == 1 and low[0] != "v"
        if decimal:
            value = float(low.rstrip(".x")) if low.replace(".", "").isdigit() else value
        return _placed(text, Amount(value, value, "version", written, start, match.end(), parts=parts), code=code)
    return _counted(text, match, words, code)


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
    if unit.startswith("percent") and found[0].dimension != unit:
        value, count = quantity(words[:1])[0].amount if quantity(words[:1]) else value, 1
    if unit in ("dollar", "euro", "pound", "yen") and words[count : count + 1] and words[count] in number_words.SCALES:
        value, count = value * number_words.SCALES[words[count]], count + 1
    if not written[:1].isdigit() and words[0] in ("one", "second") and count == 1:
        return None
    end = match.end()
    for word in words[1:count]:
        at = text.lower().find(word, end)
        end = at + len(word) if 0 <= at <= end + 6 else end
    one = Amount(value, value, unit, text[start:end], start, end)
    if not unit:
        one = _labelled(text, one)
    return _placed(text, one, code=code)


def _labelled(text: str, one: Amount) -> Amount:
    """A bare number with the unit that the name before it says: `TIMEOUT_SECONDS = 30`."""
    label = _ASSIGNED.search(text[: one.start])
    if label is None:
        return one
    for part in reversed(split(label[1])):
        unit = _unit_words().get(part)
        if unit is not None and part not in ("in", "min", "mi"):
            value = one.low * unit[1]
            return one._replace(low=value, high=value, unit=unit[0], label=label[1])
    return one._replace(label=label[1])


def _placed(text: str, one: Amount, code: bool = False) -> Amount:
    """An amount with its bound and the words around it."""
    before, after = text[max(0, one.start - 60) : one.start], text[one.end : one.end + 60]
    bound = ""
    if _LOWER.search(before) or after.startswith(("+", " or more", " or newer", " or later", " or higher")):
        bound = "min"
    elif _UPPER.search(before) or after.startswith((" or less", " or fewer")):
        bound = "max"
    elif dated(one) and _RELATIVE.search(before):
        bound = "when"
    elif _ABOUT.search(before):
        bound = "about"
    behind = _near(after)
    ahead = _near(before)[::-1]
    noun = ""
    if not code and one.unit in ("", "ordinal") and (first := _WORD.match(after.lstrip(" -"))):
        word = first[0].lower()
        noun = stem(word) if word not in function() and not after.startswith((",", ".", ";", ")")) else ""
    if dated(one) and (life := next((m for m in _LIFE.finditer(text) if m.start() < one.start < m.end()), None)):
        behind += ["^born", "^birth"] if one.start < life.end(1) else ["^die", "^died", "^death", "^dead", "^pass"]
    near = frozenset((*ahead[: 12 if code else 9], *behind[: 12 if code else 9]))
    side = "to" if _TO.search(before) else "from" if _FROM.search(before) else ""
    return one._replace(noun=noun, bound=bound, near=near, side=side)


def _near(text: str) -> list[str]:
    words = [p for w in _WORD.findall(text) for p in split(w.replace("’", "'"))]
    return [f"^{root(w)}" for w in words if w not in function() and len(w) > 1]


def dated(one: Amount) -> bool:
    return one.unit in ("date", "era") or is_year(one)


def is_year(one: Amount) -> bool:
    """Whether a bare number can be a year."""
    return (
        one.unit == "" and one.low == int(one.low) and 1000 <= one.low <= 2100
        and len(one.text) == 4 and one.text.isdigit()
    )  # fmt: skip


def year(one: Amount) -> int:
    """The year an amount names, 0 if none."""
    if one.unit == "date":
        return one.when.year if one.when else 0
    return int(one.low) if is_year(one) else 0


def matches(said: Amount, known: Amount, *, loose: bool = True) -> bool:
    """Whether a source's number bears out a claim's. `loose`: a count may be above a lower bound
    or near an approximate number."""
    if {said.bound, known.bound} == {"min", "max"}:
        return False
    if said.unit == "era" or known.unit == "era":
        return _in_era(said, known)
    if "date" in (said.unit, known.unit):
        return _same_date(said, known)
    if "ordinal" in (said.unit, known.unit):
        return said.unit == known.unit and said.low == known.low
    if said.unit == known.unit == "version":
        return compatible(said.parts, known.parts)
    if "version" in (said.unit, known.unit):
        one, other = (said, known) if said.unit == "version" else (known, said)
        return other.unit == "" and (one.parts[:1] == (shown(other.low),) if one.text[:1] in "vV" or len(one.parts) > 2 else one.low == other.low)
    if said.unit and known.unit and said.unit != known.unit:
        return False
    if said.unit != known.unit:
        return _raw(said) == _raw(known) if not (said.unit and known.label) else said.low == known.low
    if abs(said.low - known.low) <= 1e-6 * max(abs(said.low), abs(known.low)):
        return True
    return loose and _near_enough(said, known)


def _near_enough(said: Amount, known: Amount) -> bool:
    if said.bound == "min":
        return said.low <= known.low <= said.low * 3 and known.bound != "max"
    if said.bound == "about" or known.bound == "about":
        return abs(said.low - known.low) <= 0.1 * max(said.low, known.low)
    return False


def _raw(one: Amount) -> str:
    """The number as written, without its unit."""
    digits = compiled(r"\d[\d,_]*(?:\.\d+)?").search(one.text)
    if digits:
        return shown(float(digits[0].rstrip(",_").replace(",", "").replace("_", "")))
    return one.text.split()[0].lower()


def _in_era(said: Amount, known: Amount) -> bool:
    if said.unit == known.unit:
        return min(said.high, known.high) - max(said.low, known.low) >= 9
    era, other = (said, known) if said.unit == "era" else (known, said)
    return era.low <= year(other) <= era.high


def _same_date(said: Amount, known: Amount) -> bool:
    if said.when and known.when:
        return entailed(known.when, said.when) and agree(known.when, said.when)
    one, other = (said, known) if said.when else (known, said)
    return bool(one.when and year(other) == one.when.year) and one is known
