"""The cues a claim gives of its memory type: form, words, section, document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from math import exp
from typing import Any, NamedTuple

from grounded_ingest.extract.mixed_claims import split_of
from grounded_ingest.language.clause_form import (
    BREAKS,
    CODE,
    asks_later,
    is_bare_verb,
    list_words,
    main_verb,
    shape,
    table,
)
from grounded_ingest.language.lexicon import memory_cues as lexicon
from grounded_ingest.language.lexicon.memory_weights import BIAS, WEIGHTS
from grounded_ingest.language.lexicon.number_words import MONTH
from grounded_ingest.language.patterns import compiled
from grounded_ingest.model.claims import Form, MemoryType

_DAY = compiled(r"(?<!\d)(?:19|20)\d\d-[01]\d(?!\d)|\b\d\d?/\d\d?/(?:19|20)\d\d")
_LABEL = 6
_SHORT = 6
_STANDING = ("main third person", "main present", "main can")
"""Words before the colon of the longest label; words of a claim too short to show its form."""


@cache
def _marks() -> dict[str, str]:
    return {mark: name for name, marks in lexicon.MARKS.items() for mark in marks}


def cues_of(text: str, tokens: list[str], section: str, form: Form, role: str) -> list[str]:
    """Names of all cues of a claim: of its own form and words first, then of its place. `tokens`
    are those of its masked text."""
    marks = _marks()
    found: list[str] = []
    while tokens and tokens[0] in marks:
        found.append(marks[tokens[0]])
        tokens = tokens[1:]
    label, rest = _label(tokens)
    labelled = _label_cues(label, rest)
    found += labelled
    begins = _begins(rest, text)
    if begins[0] in ("imperative", "bare verb") and labelled == ["term"]:
        begins = ["term does"]
    found += begins
    found += _anywhere(tokens, begins[0], rest)
    if form is Form.ROW:
        found += _cells(tokens)
    if form is not Form.PROSE:
        found.append(form.value)
    if not text.isascii():
        found += [cue for cue, some in lexicon.ENDINGS.items() if _ends(text, some)]
    if ("20" in text or "19" in text) and _DAY.search(text):
        found.append("date")
    situation, place = _place(section, role)
    found.append(f"{begins[0]}, {situation}")
    found += place
    return found


def _label(tokens: list[str]) -> tuple[list[str], list[str]]:
    """The words before a colon or dash near the beginning, and the rest."""
    for at, word in enumerate(tokens[: _LABEL + 1]):
        if word in BREAKS and at and at + 1 < len(tokens):
            return tokens[:at], tokens[at + 1 :]
        if word in ",.;(":
            break
    return [], tokens


def _label_cues(label: list[str], rest: list[str]) -> list[str]:
    if not label:
        return ["code first"] if rest and rest[0][0] == CODE else []
    if label[0][0] == CODE:
        return ["term"]
    groups = table("LABELS")
    named = [f"{groups[word]} label" for word in label if word in groups]
    asking = is_bare_verb(label[0]) and (len(label) > 1 or label[0] not in list_words("NOUN_VERBS"))
    return [*(named[:1] or ["label"]), *(["asking label"] if asking else [])]


def _begins(tokens: list[str], text: str) -> list[str]:
    """The shape of the clause, and whether its first word reports an event."""
    found = shape(tokens)
    if found == "code" and _command(text):
        return ["command"]
    if found == "noun" and not text.isascii() and _ends(text, lexicon.ASKING_ENDINGS):
        return ["bare verb"]
    if found == "bare verb" and main_verb(tokens) in _STANDING:
        return ["noun"]
    if found == "to first" and tokens[-1] == ":":
        return ["to do"]
    if found == "past verb" and table("WORDS").get(tokens[0]) == "event":
        return [found, "event first"]
    return [found]


def _command(text: str) -> bool:
    """Whether the first code of a text is typed into a shell."""
    code = text.partition("`")[2].partition("`")[0]
    return " " in code and code.partition(" ")[0] in list_words("TOOLS")


def _anywhere(tokens: list[str], begins: str, rest: list[str]) -> list[str]:
    known = table("WORDS")
    found = list(dict.fromkeys(cue for word in tokens if (cue := known.get(word))))
    if begins not in ("imperative", "prohibition"):
        found.append(main_verb(rest) or "no verb")
    if len(tokens) < _SHORT:
        found.append("short")
    if asks_later(tokens):
        found.append("asks later")
    if tokens and tokens[-1] == ":":
        found.append("announces")
    return found


def _cells(tokens: list[str]) -> list[str]:
    """What the headers of a row announce, its marks, and whether a cell asks for something."""
    groups, marks, found, start = table("LABELS"), _marks(), list[str](), 0
    for at, word in enumerate(tokens):
        if word == ";":
            start = at + 1
        elif word == ":":
            found += [f"{groups[w]} cell" for w in tokens[start:at] if w in groups]
            if start and shape(tokens[at + 1 : at + 4]) in ("imperative", "prohibition"):
                found.append("imperative cell")
            start = at + 1
        elif word in marks:
            found.append(f"{marks[word]} cell")
    return list(dict.fromkeys(found))


def _ends(text: str, endings: tuple[str, ...]) -> bool:
    return text.rstrip("。.!！:： `").endswith(endings)


@lru_cache(maxsize=1024)
def _place(section: str, role: str) -> tuple[str, tuple[str, ...]]:
    """What a claim's place makes of its form, and the cues of the place."""
    place = (*section_cues(section), *(f"{r} document" for r in role.split()))
    situations = (name for cue, name in lexicon.SITUATIONS.items() if cue in place)
    return next(situations, "other"), place


_TYPES = (MemoryType.SEMANTIC, MemoryType.EPISODIC, MemoryType.PROCEDURAL)
_NAMED = 3
_SURE = 0.9
"""Cues that are named as those that decided; certainty from which a claim's own cues speak against
the type its document declares."""


class Typed(NamedTuple):
    """A claim's memory type, the cues that decided, how sure they are (0.5 to 1), and what is mixed
    in it: empty, or a name and the parts."""

    memory_type: MemoryType
    cues: tuple[str, ...]
    certainty: float
    split: tuple[str, ...] = ()


def typed(
    text: str, masked: str, tokens: list[str], fields: Mapping[str, Any], role: str = ""
) -> Typed:
    """The type of a claim in a document of a role; `tokens` are those of its masked text, `fields`
    its other ones, with `section` and `form`. The type that its record or document declares
    (`memory_type`) wins; a record speaks of this claim alone, so that nothing is said against
    it."""
    found = _decided(cues_of(text, tokens, fields["section"], fields["form"], role))
    declared: MemoryType | None = fields.get("memory_type")
    if declared is None:
        return found._replace(split=split_of(text, masked, tokens))
    other = found.memory_type is not declared and fields["form"] is not Form.RECORD
    against = other and found.certainty >= _SURE
    split = (f"declared|{found.memory_type}",) if against else ()
    return Typed(declared, ("declared",), 1.0, split)


def _decided(cues: Iterable[str]) -> Typed:
    known = [(cue, WEIGHTS[cue]) for cue in dict.fromkeys(cues) if cue in WEIGHTS]
    sums = list(BIAS)
    for _, weights in known:
        sums[0] += weights[0]
        sums[1] += weights[1]
        sums[2] += weights[2]
    best = max(sums)
    winner = sums.index(best)
    second = max((at for at in range(3) if at != winner), key=sums.__getitem__)
    certainty = 1 / sum(exp(other - best) for other in sums)
    spoke = [(w[second] - w[winner], cue) for cue, w in known if w[winner] > w[second]]
    named = tuple(cue for _, cue in sorted(spoke)[:_NAMED])
    return Typed(_TYPES[winner], named, round(max(0.5, certainty), 2))


_WORD = compiled(r"[^\W\d_][\w'’-]*")
_VERSION = compiled(r"^\W*(?:(?:version|release)\s+v?\d|v\d|\d+\.\d+\.\d)|^\[(?:v?\d|unrel)")
_ASIDE = compiled(r"`[^`]*`|\([^()]*[a-z][^()\d]*\)")
_HEADING_DAY = compiled(
    r"(?:19|20)\d\d-[01]\d-[0-3]\d|\d\d?[./]\d\d?[./](?:19|20)\d\d|"
    rf"\b(?:{MONTH}|mai)\w*\.? "
    r"(?:\d\d?,? )?(?:19|20)\d\d"
)
_GROUPS = {
    word: group for group, words in reversed(lexicon.SECTIONS.items()) for word in words.split()
}


def section_cues(section: str) -> tuple[str, ...]:
    """Cues of a section's path of headings: `in …` of the last one, `under …` of those above."""
    titles = _ASIDE.sub(" ", section.lower()).split(" > ")
    found = dict.fromkeys(f"in {cue}" for cue in _title(titles[-1]))
    for title in titles[:-1]:
        found |= dict.fromkeys(f"under {cue}" for cue in _title(title))
    return tuple(found)


def _title(title: str) -> list[str]:
    cues = [group for word in _WORD.findall(title) if (group := _GROUPS.get(word))]
    if _VERSION.match(title):
        cues.append("version")
    if _HEADING_DAY.search(title):
        cues.append("day")
    return cues
