"""Facts about people: what somebody is, is called, studied, keeps as a pet."""

from __future__ import annotations

from grounded_ingest.facts.collector import Finder
from grounded_ingest.facts.value_spans import (
    TokenSpan,
    group_words,
    is_title,
    listed_values,
    parse_value,
    phrase,
    value_start,
)
from grounded_ingest.language.clauses import Segment
from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.persons import SOMEBODY
from grounded_ingest.language.polarity import NEGATIONS
from grounded_ingest.language.tokens import Token, entities

_COPULAS = frozenset(frame_words.PEOPLE_COPULAS.split())
REFLEXIVES = frozenset(frame_words.REFLEXIVES.split())
SELF_EMPLOYED = "self-employed"
_LEARNT = frozenset(("graduat", "studi", "degre", "attend"))


def find(finder: Finder) -> None:
    """Everything that is said of a person without a noun or verb that names the slot."""
    for piece in finder.sentence.pieces:
        if piece.verb >= 0 and finder.tokens[piece.verb].low in _COPULAS:
            _is(finder, piece)
        elif piece.verb < 0 and piece.start == 0 and finder.tokens[0].low in ("user", "i"):
            _is(finder, piece._replace(verb=0))
    _after_work(finder)
    _studies(finder)
    _has(finder)
    _schedule(finder)


def _is(finder: Finder, piece: Segment) -> None:
    """What somebody is said to be: `vegan`, `from Porto`, `on the data team`."""
    tokens, start = finder.tokens, piece.verb + 1
    while start < finder.end and tokens[start].low in group("ADVERBS") | NEGATIONS:
        start += 1
    low = tokens[start].low if start < finder.end else ""
    about_person = piece.who in SOMEBODY
    if low in ("on", "in") and about_person:
        _team(finder, start)
    elif low == "from" and piece.personal and finder.free(start + 1, start + 2):
        origin = parse_value(tokens, start + 1, finder.end, "place")
        if origin:
            finder.add("origin", origin)
    elif about_person:
        span = phrase(tokens, start, finder.end)
        if span and finder.free(*span):
            _described(finder, piece, span, start)


def _described(finder: Finder, piece: Segment, span: TokenSpan, start: int) -> None:
    """What the phrase behind a copula says of a person."""
    first, alone = finder.tokens[span[0]], span[1] - span[0] == 1
    if is_title(finder.tokens, span):
        _title(finder, span)
    elif first.low in group_words("DIETS"):
        finder.add("diet", (span[0], span[0] + 1))
    elif first.low in group_words("RELATIONSHIPS"):
        finder.add("relationship", (span[0], span[0] + 1))
    elif alone and first.low in group_words("NATIONALITIES"):
        finder.add("nationality", span)
    elif alone and piece.personal and _is_age(first):
        finder.add("age", span)
    elif piece.personal and span[0] == start and _is_name(finder, span):
        finder.add("name", span)


def _is_age(token: Token) -> bool:
    return token.kind == "num" and token.low.isdigit() and int(token.low) < 130


def _is_name(finder: Finder, span: tuple[int, int]) -> bool:
    mine = finder.tokens[span[0] : span[1]]
    return (
        len(mine) <= 3
        and all(t.text[:1].isupper() and t.kind == "word" for t in mine)
        and not any(
            t.low
            in group_words("STATES_OF_MIND") | group_words("PLACES") | group_words("NATIONALITIES")
            for t in mine
        )
        and not entities(mine)
    )


def _title(finder: Finder, span: tuple[int, int]) -> None:
    """`a Software Engineer at Google from Seattle`."""
    finder.add("title", span, take=True)
    tokens, at = finder.tokens, span[1]
    while at < finder.end and tokens[at].low in ("at", "for", "with", "from", "in"):
        prep = tokens[at].low
        behind = phrase(tokens, at + 1, finder.end)
        if behind is None:
            return
        capital = tokens[behind[0]].text[:1].isupper()
        if prep in ("at", "for", "with") and capital and finder.free(*behind):
            finder.add("employer", behind)
        elif (
            prep in ("from", "in")
            and finder.free(*behind)
            and (tokens[behind[0]].low in group_words("PLACES"))
        ):
            finder.add("location", behind)
        at = behind[1]


def _team(finder: Finder, start: int) -> None:
    span = phrase(finder.tokens, start + 1, finder.end)
    if (
        span
        and finder.tokens[span[1] - 1].low in ("team", "squad", "department")
        and finder.free(*span)
    ):
        finder.add("team", span)


def _after_work(finder: Finder) -> None:
    """`works at Microsoft as a Product Manager`."""
    tokens = finder.tokens
    for fact in tuple(finder.facts):
        if fact.slot not in ("employer", "school"):
            continue
        at = next((i for i in range(finder.end) if tokens[i].start >= fact.end), finder.end)
        low = tokens[at].low if at < finder.end else ""
        span = phrase(tokens, at + 1, finder.end) if low in ("as", "in") else None
        if span is None or not finder.free(*span):
            continue
        placed = fact.slot == "employer" and tokens[span[0]].low in group_words("PLACES")
        if low == "as" and is_title(tokens, span):
            finder.add("title", span)
        elif low == "in" and placed:
            finder.add("location", span)


def _studies(finder: Finder) -> None:
    """`studied CS at Stanford`, `graduated from MIT in 2018 with a minor in Mathematics`."""
    tokens = finder.tokens
    learnt = [i for i, t in enumerate(tokens) if t.stem in _LEARNT]
    if not learnt:
        return
    for at in range(learnt[0] + 1, finder.end - 1):
        low = tokens[at].low
        if (
            low in ("at", "from")
            and tokens[at + 1].text[:1].isupper()
            and finder.free(at + 1, at + 2)
        ):
            span = phrase(tokens, at + 1, finder.end)
            if span:
                finder.add("school", span)
        elif low == "in" and tokens[learnt[0]].stem == "graduat":
            year = tokens[at + 1].low
            if len(year) == 4 and year.isdigit() and finder.free(at + 1, at + 2):
                finder.add("graduation_year", (at + 1, at + 2))


def _has(finder: Finder) -> None:
    """Pets with their names, degrees, certifications."""
    tokens = finder.tokens
    for piece in finder.sentence.pieces:
        if piece.verb < 0 or tokens[piece.verb].stem not in ("have", "own", "adopt"):
            continue
        span = phrase(tokens, piece.verb + 1, finder.end)
        for each in listed_values(tokens, span, finder.end, "any") if span else ():
            last = tokens[each[1] - 1].low
            certified = last in ("certification", "certificate", "certifications")
            if not _pet(finder, each) and certified:
                finder.add("certification", each, many=True)


def _pet(finder: Finder, span: TokenSpan) -> bool:
    """`a dog named Rex`: whether a phrase is a pet, stated with its name."""
    tokens, pets = finder.tokens, group_words("PETS")
    lows = [t.low for t in tokens[slice(*span)]]
    named = next((lows.index(w) for w in ("named", "called") if w in lows), -1)
    head = lows[named - 1] if named > 0 else lows[-1]
    if head not in pets and head.rstrip("s") not in pets:
        return False
    stop = span[0] + named if named > 0 else span[1]
    finder.add("pet", (span[0], stop), many=True)
    if stop + 1 < finder.end and tokens[stop].low in ("named", "called"):
        finder.add("pet_name", (stop + 1, stop + 2), many=True)
    return True


def _schedule(finder: Finder) -> None:
    for piece in finder.sentence.pieces:
        if piece.verb < 0 or finder.tokens[piece.verb].stem not in ("work", "be"):
            continue
        at = value_start(finder.tokens, piece.verb + 1, finder.end)
        if (
            at < finder.end
            and finder.tokens[at].low in group_words("SCHEDULES")
            and finder.free(at, at + 1)
        ):
            remote = finder.tokens[at].low in ("remote", "remotely", "hybrid", "on-site", "onsite")
            finder.add("work_place" if remote else "work_schedule", (at, at + 1))
