"""Finds the memory type of a claim from cues: its form, its words, its section, its document.

Also suggests to split a claim that mixes memory types. Such a suggestion needs strong evidence: two
whole clauses with different types, and a joining word or sign that shows the difference.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import pairwise
from math import exp
from typing import Any, NamedTuple

from msgspec import Struct

from grounded_ingest.model.claims import Form, MemoryType
from grounded_ingest.text.clause_form import (
    BREAKS,
    CODE,
    asks_later,
    is_bare_verb,
    list_words,
    main_verb,
    shape,
    table,
)
from grounded_ingest.text.lexicon import memory_cues as lexicon
from grounded_ingest.text.lexicon.memory_weights import BIAS, WEIGHTS
from grounded_ingest.text.lexicon.number_words import MONTH
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import Reading
from grounded_ingest.text.sentences import third_person

_DAY = compiled(r"(?<!\d)(?:19|20)\d\d-[01]\d(?!\d)|\b\d\d?/\d\d?/(?:19|20)\d\d")
_LABEL = 6
_SHORT = 6
_STANDING = ("main third person", "main present", "main can")
"""Cues for verbs in statements of lasting facts. `_LABEL` is the maximum number of words in a label
before its colon. A claim with fewer than `_SHORT` words is too short to show its form."""


@cache
def _marks() -> dict[str, str]:
    return {mark: name for name, marks in lexicon.MARKS.items() for mark in marks}


def cues_of(text: str, tokens: list[str], section: str, form: Form, role: str) -> list[str]:
    """Returns the names of all cues for the memory type of a claim.

    Cues from the form and the words come first, then cues from the section and the document.
    `tokens` are the tokens of the claim's masked text."""
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
    """Splits a claim at a colon or dash near its beginning. Returns the words before it and the
    words after it."""
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
    """Returns cues for the beginning of a clause: its shape, and perhaps `event first`.

    `event first` means that the first word reports an event, as in "Added a test"."""
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
    """Returns whether the first code span in a text is a command line."""
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
    """Returns the cues in the cells of a table row.

    The cues are the kinds of headers, the marks in cells, and whether a cell is an instruction."""
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
    """Returns a situation such as `rules` or `changes`, and the cues from a claim's place.

    The situation follows from the section and from the role of the document. It decides how the
    verb form in the claim is interpreted."""
    place = (*section_cues(section), *(f"{r} document" for r in role.split()))
    situations = (name for cue, name in lexicon.SITUATIONS.items() if cue in place)
    return next(situations, "other"), place


_TYPES = (MemoryType.SEMANTIC, MemoryType.EPISODIC, MemoryType.PROCEDURAL)
_NAMED = 3
_SURE = 0.9
"""`_NAMED` is the maximum number of deciding cues that are reported. `_SURE` is the certainty from
which a claim's cues contradict the memory type that the document declares."""


class Typed(NamedTuple):
    """The memory type of a claim, the cues for this type, and the certainty of the type (0.5 to 1).

    If the claim mixes types, `split` lists the types and the parts of the claim; otherwise `split`
    is empty. `all_cues` also contains the cues for other types. `by_cues` is the type that the cues
    suggest, even if the record or document declares another type."""

    memory_type: MemoryType
    cues: tuple[str, ...]
    certainty: float
    split: tuple[str, ...] = ()
    by_cues: MemoryType = MemoryType.SEMANTIC
    all_cues: tuple[str, ...] = ()


def typed(
    text: str, masked: str, tokens: list[str], fields: Mapping[str, Any], role: str = ""
) -> Typed:
    """Returns the memory type of a claim.

    `masked` is the text with code and links masked, and `tokens` are its words and marks. `fields`
    are the claim's other fields, including `section` and `form`. `role` is the role of the
    document. A declared `memory_type` always wins. If front matter declares the type and the cues
    clearly suggest another type, the result's field `split` is `("declared|OTHER_TYPE",)`. For a
    type that a record declares, `split` is empty."""
    found = _decided(cues_of(text, tokens, fields["section"], fields["form"], role))
    declared: MemoryType | None = fields.get("memory_type")
    if declared is None:
        return found._replace(split=split_of(text, masked, tokens))
    other = found.memory_type is not declared and fields["form"] is not Form.RECORD
    against = other and found.certainty >= _SURE
    split = (f"declared|{found.memory_type}",) if against else ()
    return found._replace(memory_type=declared, cues=("declared",), certainty=1.0, split=split)


def _decided(cues: Iterable[str]) -> Typed:
    every = tuple(dict.fromkeys(cues))
    known = [(cue, WEIGHTS[cue]) for cue in every if cue in WEIGHTS]
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
    best_type = _TYPES[winner]
    return Typed(best_type, named, round(max(0.5, certainty), 2), by_cues=best_type, all_cues=every)


_WORD = compiled(r"[^\W\d_][\w'’-]*")
_VERSION = compiled(r"^\W*(?:(?:version|release)\s+v?\d|v\d|\d+\.\d+\.\d)|^\[(?:v?\d|unrel)")
_ASIDE = compiled(r"`[^`]*`|\([^()]*[a-z][^()\d]*\)")
_HEADING_DAY = compiled(
    r"(?:19|20)\d\d-[01]\d-[0-3]\d|\d\d?[./]\d\d?[./](?:19|20)\d\d|"
    rf"\b(?:{MONTH}|mai)\w*\.? "
    r"(?:\d\d?,? )?(?:19|20)\d\d",
    needs=("19", "20"),
)
_GROUPS = {
    word: group for group, words in reversed(lexicon.SECTIONS.items()) for word in words.split()
}


def section_cues(section: str) -> tuple[str, ...]:
    """Returns the cues in a section's headings.

    The name of a cue begins with `in` if the cue is in the last heading. It begins with `under` if
    the cue is in a heading above the last heading."""
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


_LEAST = 3
_SPLIT_FROM, _SPLIT_TO = 24, 600
_EARLY = 6
"""`_LEAST` is the minimum number of words in a clause that can be stored alone. A claim is split
only if its length is between `_SPLIT_FROM` and `_SPLIT_TO` characters. The verb of an event must be
among the first `_EARLY` words."""
_JOINT = compiled(
    rf"(?i)(?:[,;:.—–(-]\s*|\s)(?:and\s+)?\b(?P<word>{'|'.join(lexicon.JOINTS)})\b"
    rf"\s*,?\s*(?:that )?"
)
_JOINTS = frozenset(joint.split()[-1] for joint in lexicon.JOINTS)
_STOP = compiled(r";| [—–] ")
_STOPS = (";", " — ", " – ")
_PAST = ("main past", "main ed", "main perfect")
_ASKING = ("imperative", "prohibition")
_NO_FACT = (*_ASKING, "condition", "wh")


class ClauseSpan(Struct, frozen=True):
    """A clause in a claim: its offsets, its words and its finite verb. `shape` is the form of its
    beginning, such as "imperative"."""

    start: int
    end: int
    tokens: list[str]
    shape: str
    verb: str

    @property
    def past(self) -> bool:
        """Returns whether the clause reports an event.

        The clause must have a verb in the past tense near its beginning. A participle does not
        count."""
        if self.shape in ("past verb", "noun", "article first", "we first", "infinitive", "code"):
            early = self.tokens[:_EARLY]
            return self.shape == "past verb" or main_verb(early) in _PAST
        return False

    @property
    def is_fact(self) -> bool:
        """Returns whether the clause states a lasting fact."""
        return self.verb in _STANDING and not self.shape.startswith(_NO_FACT)

    @property
    def asks(self) -> bool:
        """Returns whether the clause is an instruction."""
        return self.shape in _ASKING or self.verb == "main must"

    @property
    def whole(self) -> bool:
        """Returns whether the clause has enough words to be stored alone."""
        return sum(t[0].isalnum() or t[0] == CODE for t in self.tokens) >= _LEAST


def split_of(text: str, masked: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """Returns the mixed types and the two parts of a claim, or () if the claim mixes no types.

    `tokens` are the tokens of the claim's masked text."""
    if not _SPLIT_FROM < len(text) < _SPLIT_TO:
        return ()
    for kind, before, after in _mixtures(masked, tokens):
        return kind, text[before.start : before.end].strip(), text[after.start : after.end].strip()
    return ()


def _mixtures(text: str, tokens: Sequence[str]) -> Iterator[tuple[str, ClauseSpan, ClauseSpan]]:
    if not _JOINTS.isdisjoint(tokens):
        yield from _at_joints(text)
    for before, after in pairwise(_clauses(text)):
        if before.whole and after.whole and (kind := _beside(before, after, text)):
            yield kind, before, after


def _at_joints(masked: str) -> Iterator[tuple[str, ClauseSpan, ClauseSpan]]:
    for m in _JOINT.finditer(masked):
        before, after = _clause(masked, 0, m.start()), _clause(masked, m.end(), len(masked))
        whole = before.whole and after.whole
        if whole and (kind := _joined(lexicon.JOINTS[m["word"].lower()], before, after)):
            yield kind, before, after


def _clause(masked: str, start: int, end: int) -> ClauseSpan:
    tokens = Reading("", masked[start:end]).cues
    label = next((at + 1 for at, t in enumerate(tokens[:_LABEL]) if t == ":"), 0)
    tokens = tokens[label:]
    return ClauseSpan(start, end, tokens, shape(tokens), main_verb(tokens))


def _clauses(text: str) -> list[ClauseSpan]:
    if not any(stop in text for stop in _STOPS):
        return []
    stops = list(_STOP.finditer(text))
    starts = [0, *(m.end() for m in stops)]
    ends = [*(m.start() for m in stops), len(text)]
    return [_clause(text, *span) for span in zip(starts, ends, strict=True)] if stops else []


def _joined(joint: str, before: ClauseSpan, after: ClauseSpan) -> str:
    if _prefers(before) and _is_sign(after):
        return "preference|event"
    if joint == "belief":
        if before.past and after.is_fact:
            return "event|belief"
        return "fact|rule" if before.is_fact and after.asks else ""
    return "occurrence|motive" if before.past and not after.past and not after.asks else ""


def _beside(before: ClauseSpan, after: ClauseSpan, masked: str) -> str:
    """Returns the mixed types of two clauses that only a semicolon or dash separates.

    Returns an empty string if the clauses belong together."""
    if _prefers(before) and _is_sign(after):
        return "preference|event"
    stop = masked[before.end : after.start].strip()
    if before.is_fact and after.asks and stop in (";", "—", "–"):
        return "fact|rule"
    subjects = _subject(masked, before), _subject(masked, after)
    apart = all(subjects) and subjects[0] != subjects[1] and not _shared(before, after)
    return "subject|subject" if apart else ""


def _prefers(clause: ClauseSpan) -> bool:
    return not _words(lexicon.PREFERRING).isdisjoint(clause.tokens)


def _is_sign(clause: ClauseSpan) -> bool:
    """Returns whether a clause reports an event that shows a preference."""
    return clause.past and not _words(lexicon.SHOWN).isdisjoint(clause.tokens)


def _subject(masked: str, clause: ClauseSpan) -> str:
    """Returns the name at the beginning of a clause if a verb follows immediately, else ""."""
    words = masked[clause.start : clause.end].split()
    if len(words) < _LEAST or not words[0].isalpha() or not words[0][0].isupper():
        return ""
    known = words[1] in third_person() or words[1] in ("is", "are")
    finite = known or (words[1].islower() and words[1][-1] == "s" and words[1][-2:] != "ss")
    return words[0] if finite and words[0].lower() not in _words(lexicon.ANAPHORS) else ""


def _shared(before: ClauseSpan, after: ClauseSpan) -> bool:
    """Returns whether both clauses mention the same name."""
    before_words = {t for t in before.tokens if len(t) > 3 or t[0] == CODE}
    return any(t in before_words or t in _words(lexicon.ANAPHORS) for t in after.tokens)


@cache
def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())
