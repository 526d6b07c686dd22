"""Sentences and how they become false: one value, name or word changed, the rest left readable.

A change is None where a sentence has nothing for it. What is cited, code and links stay.
"""

from __future__ import annotations

import datetime
import random
import re
from collections.abc import Callable, Iterable, Sequence

Falsifier = Callable[[str, random.Random], str | None]

_KEPT = re.compile(
    r"`[^`]*`|\[[^\]]*\]\([^)]*\)|\bADRs?[- ]?\d+\w*|\b[0-9a-f]{7,40}\b|https?://\S+|#\d+"
    r"|\b[A-Z]+-\d+\w*"
)
_HELD = 0xE000  # private use characters stand for what is kept
_CITED = (  # how a sentence carries a citation that it can be read without
    r"\s*\((?:(?:see |per |cf\. |, | and |; )*(?:`[^`]*`|ADRs?[- ]?\d+|\[[^\]]*\]\([^)]*\)))+\)",
    r"^(?:Per|As per|According to) (?:ADR-?\s?\d+|\[[^\]]*\]\([^)]*\)),? ",
    r",? (?:see|per) (?:ADR-?\s?\d+|`[^`]*`|\[[^\]]*\]\([^)]*\))(?=[.,]|$)",
    r",?(?: (?:in|with|by|as))? commit `?[0-9a-f]{7,40}`?",
)
_LEFT = r"\bADRs?[- ]?\d|\]\(|https?://|\b(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\b|`[^`]*[/:][^`]*`"
_VERBS = {  # none that is a plural as well
    "uses": "use", "holds": "hold", "keeps": "keep", "listens": "listen", "requires": "require",
    "provides": "provide", "raises": "raise", "contains": "contain", "sends": "send",
    "includes": "include", "prevents": "prevent", "enables": "enable", "defines": "define",
    "allows": "allow", "becomes": "become", "exists": "exist", "remains": "remain",
}  # fmt: skip
_DENIED = (
    (r"\b(is|are|was|were|must|can|does|do|has|have|will) not\b", r"\1"),
    (r"\bcannot\b", "can"),
    (r"\bnever\b", "always"),
)
_AFFIRMED = (
    (r"\b(is|are|was|were|must|will)\b(?! not\b)", r"\1 not"),
    (r"\b(has|have)(?= been\b)", r"\1 not"),
    (r"\bcan\b(?! not\b)", "cannot"),
    *((rf"\b{third}\b", f"does not {plain}") for third, plain in _VERBS.items()),
)
_WEAKER = (
    (r"\bmust not\b", "may"), (r"\bmust\b", "may"), (r"\b(is|are) required\b", r"\1 optional"),
    (r"\bnever\b", "sometimes"), (r"\balways\b", "sometimes"), (r"\bat most\b", "at least"),
)  # fmt: skip
_UNITS = {
    "seconds": "minutes", "minutes": "hours", "hours": "days", "days": "weeks", "weeks": "months",
    "bytes": "kilobytes", "ms": "s", "MiB": "GiB", "MB": "GB", "KB": "MB", "characters": "words",
    "tokens": "characters",
}  # fmt: skip
_HEDGED = (
    r"(?i)\b(?:may|might|could|would|should|probably|likely|typically|usually|often|seems?|maybe|"
    r"perhaps|roughly|approximately|think|believe|unclear|todo|tbd|planned|e\.g)\b"
)
_VERB = (
    r"\b(?:is|are|was|were|must|can|cannot|has|have|will|does|do|ends|runs|reads|writes|stores|"
    r"returns|needs|handles|supports|" + "|".join(_VERBS) + r")\b"
)

_PORT = r"\b[Pp]orts? (?P<value>\d{2,5})\b"
_VERSION = (
    r"(?:\bv|\b(?:[Vv]ersion|PostgreSQL|Python|Node|Redis|MySQL|Java|Go|Rust|Django|Ruby) v?)"
    r"(?P<value>\d+(?:\.\d+)*)\b(?!\.\d)|(?<![\w.])(?P<plain>\d+\.\d+\.\d+)\b(?!\.\d)"
)
_DATE = r"\b(?P<value>\d{4}-\d{2}-\d{2})\b"
_NUMBER = (
    r"(?<![\w.,:/#$-])(?!(?:19|20)\d\d\b)(?P<value>\d[\d,_]*\d|\d)(?P<rest>\.\d+)?(?!\.?\d|\w|:)"
)


def readable(text: str) -> bool:
    """Whether a text is one whole sentence of prose that asserts something without a doubt."""
    words = text.split()
    return (
        4 <= len(words) <= 45
        and (text[0].isupper() or text[0] == "`")
        and re.search(r"[\w`)]\.?$", text) is not None
        and not re.search(r"[|→✅❌<>?\[]\s|\s[-–]\s|\*\*|\.\s+[A-Z`]|^[^.]{0,50}(?::\s| — )", text)
        and text.count("(") == text.count(")")
        and text.count("`") % 2 == 0
        and not re.match(
            r"(?:See|Note|Source|This|It|That|These|They|Then|If|When|Both|But)\b", text
        )
        and " NOT " not in text
        and re.search(_VERB, re.sub(r"\([^)]*\)", "", text)) is not None
        and re.search(_HEDGED, text) is None
    )


def without_citations(text: str) -> str | None:
    """A sentence without what it cites; None where it cannot be read without."""
    for pattern in _CITED:
        text = re.sub(pattern, "", text)
    text = text.strip()
    text = text[:1].upper() + text[1:]
    return None if re.search(_LEFT, text) or not readable(text) else text


def inside_sentence(text: str, names: Iterable[str]) -> str:
    """A sentence's text inside another: its first letter small, unless it begins with a name."""
    first = re.split(r"\W", text, maxsplit=1)[0]
    usual = first[1:].islower() or first in ("A", "I")
    return text[:1].lower() + text[1:] if usual and first not in names else text


def outside(change: Falsifier) -> Falsifier:
    """The change made outside code, links, references and object ids alone."""

    def careful(text: str, rng: random.Random) -> str | None:
        kept: list[str] = []

        def hold(match: re.Match[str]) -> str:
            kept.append(match[0])
            return chr(_HELD + len(kept) - 1)

        changed = change(_KEPT.sub(hold, text), rng)
        if changed is None:
            return None
        for number, original in enumerate(kept):
            changed = changed.replace(chr(_HELD + number), original)
        return changed if changed != text else None

    return careful


def _value(pattern: str, new: Callable[[str, random.Random], str]) -> Falsifier:
    def change(text: str, rng: random.Random) -> str | None:
        hits = [_span(m) for m in re.finditer(pattern, text)]
        if not hits:
            return None
        start, end = rng.choice(hits)
        return text[:start] + new(text[start:end], rng) + text[end:]

    return outside(change)


def _span(match: re.Match[str]) -> tuple[int, int]:
    return match.span("value") if match["value"] is not None else match.span("plain")


def _other_port(value: str, rng: random.Random) -> str:
    return rng.choice([p for p in ("80", "3000", "5432", "8080", "9000", "9443") if p != value])


def _other_version(value: str, rng: random.Random) -> str:
    parts = value.split(".")
    at = rng.randrange(len(parts))
    parts[at] = str(int(parts[at]) + rng.randint(1, 3))
    return ".".join(parts)


def _other_date(value: str, rng: random.Random) -> str:
    try:
        day = datetime.date.fromisoformat(value)
    except ValueError:
        return value
    return str(day + datetime.timedelta(days=rng.choice([-365, -90, 31, 200, 366])))


def _other_number(text: str, rng: random.Random) -> str | None:
    taken = [m.span() for p in (_PORT, _VERSION, _DATE) for m in re.finditer(p, text)]
    hits = [
        m
        for m in re.finditer(_NUMBER, text)
        if not any(a < m.end() and m.start() < b for a, b in taken)
    ]
    if not hits:
        return None
    hit = rng.choice(hits)
    if hit["rest"]:
        new = f"{float(hit[0].replace(',', '').replace('_', '')) * 2 + 0.5:g}"
    else:
        value = int(hit[0].replace(",", "").replace("_", ""))
        new = str(value * rng.choice([2, 3, 10]) + rng.choice([0, 1]) or 7)
        new = str(value + 3) if new == str(value) else new
    return text[: hit.start()] + new + text[hit.end() :]


def _word(table: Iterable[tuple[str, str]], first: Sequence[tuple[str, str]] = ()) -> Falsifier:
    """One hit of a table of patterns replaced; those of `first` go before."""

    def change(text: str, rng: random.Random) -> str | None:
        denied = first is _DENIED and re.search(r"\b(?:not|never|neither|nor|no)\b|n't\b", text)
        for rules in (first, () if denied else tuple(table)):
            hits = [(m, to) for pattern, to in rules for m in re.finditer(pattern, text)]
            if hits:
                match, to = rng.choice(hits)
                return text[: match.start()] + match.expand(to) + text[match.end() :]
        return None

    return outside(change)


number = outside(_other_number)
port = _value(_PORT, _other_port)
version = _value(_VERSION, _other_version)
date = _value(_DATE, _other_date)
unit = _word(tuple((rf"(?<=\d )\b{a}\b", b) for a, b in _UNITS.items()))
obligation = _word(_WEAKER, first=_WEAKER[:1])
negation = _word(_AFFIRMED, first=_DENIED)


def other_entity(names: Sequence[str]) -> Falsifier:
    """A name swapped for another of the same shape that occurs in the repository."""

    def change(text: str, rng: random.Random) -> str | None:
        words = set(re.findall(r"\w+", text))
        hits = [n for n in names if n in words]
        if not hits:
            return None
        name = rng.choice(hits)
        others = [n for n in names if n not in words and n.isupper() == name.isupper()]
        if not others:
            return None
        return re.sub(rf"\b{name}\b", lambda _: rng.choice(others), text, count=1)

    return outside(change)


def falsified(text: str, names: Sequence[str], rng: random.Random) -> str | None:
    """The sentence made false in one of these ways."""
    changes = [number, port, version, date, unit, obligation, negation, other_entity(names)]
    rng.shuffle(changes)
    return next((new for change in changes if (new := change(text, rng))), None)
