"""Finds the memory type of a claim (fact, event or procedure) from cues: its words, the form of its
clause, and its place in the document. If the text shows no type, the type is `unknown`.

Also suggests to split a claim with two clauses of different types, if a joining word or sign shows
the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec import Struct

from grounded_ingest.model.claims import Form, MemoryType
from grounded_ingest.text.clause_form import (
    BREAKS,
    PRESENT,
    list_words,
    main_verb,
    shape,
    states_present,
    table,
)
from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.lexicon import memory_cues as lexicon
from grounded_ingest.text.lexicon.number_words import MONTH
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.reading import Reading
from grounded_ingest.text.sentences import third_person

_LABEL = 6
"""Maximum number of words in a label before its colon."""
_DATED = compiled(r"\b(?:19|20)\d\d\b")
_PAST = ("main past", "main ed", "main perfect")
_BEFORE_FACT = ("condition first", "with first", "to first")
_IN_RULES = ("bare verb", "negated noun", "main should")
_SPEAKING = ("we first", "article first", "noun", "with first")


class Typed(NamedTuple):
    """The memory type of a claim, and the cue that decided it, such as "imperative". `split` has
    the types and parts of a claim that mixes types. `all_cues` also has the cues that did not
    decide. `by_cues` is the type that the cues show, even if the record or document declares
    another type."""

    memory_type: MemoryType
    cues: tuple[str, ...]
    split: tuple[str, ...] = ()
    by_cues: MemoryType = MemoryType.UNKNOWN
    all_cues: tuple[str, ...] = ()


def typed(
    text: str, masked: str, tokens: list[str], fields: Mapping[str, Any], role: str = ""
) -> Typed:
    """Returns the memory type of a claim.

    `masked` is the text with code and links masked, and `tokens` are its words and marks. `fields`
    are the claim's other fields, including `section` and `form`. `role` is the purpose of the
    document, such as `rules`. A declared `memory_type` always wins. If front matter declares the
    type and the words show another type, the result's field `split` is `("declared|OTHER_TYPE",)`.
    For a type that a record declares, `split` is empty."""
    signs = _Signs(tokens, fields["section"], fields["form"], role)
    found = _decide_type(signs, text)
    declared: MemoryType | None = fields.get("memory_type")
    if declared is None:
        return found._replace(split=split_of(text, masked, tokens))
    other = found.by_cues not in (declared, MemoryType.UNKNOWN)
    against = other and fields["form"] is not Form.RECORD
    split = (f"declared|{found.by_cues}",) if against else ()
    return found._replace(memory_type=declared, cues=("declared",), split=split)


class _Signs:
    """The signs of a claim's memory type in its words and its place. `shape` is the form of the
    beginning, such as "imperative", and `verb` the form of the first finite verb, such as "main
    must". Both are read after a label that ends in a colon."""

    def __init__(self, tokens: list[str], section: str, form: Form, role: str) -> None:
        while tokens and not tokens[0][0].isalnum() and tokens[0][0] != MASK:
            tokens = tokens[1:]
        self.tokens, self.form = tokens, form
        self.label, self.rest = _label(tokens)
        self.shape = shape(self.rest)
        self.verb = main_verb(self.rest)
        if self.shape == "bare verb" and self.verb in PRESENT:
            self.shape = "noun"
        if self.shape == "to first" and self.rest[-1] == ":":
            self.shape = "to do"
        self.situation, self.place = _place(section, role)

    @property
    def past(self) -> bool:
        """Returns whether the claim's first verb is in the past tense."""
        return self.shape == "past verb" or self.verb in _PAST

    @property
    def reports_action(self) -> bool:
        """Returns whether the claim reports what somebody did: "They met", not "It was built"."""
        early = main_verb(self.rest[:_EARLY]) == "main past"
        return early and self.shape in _SPEAKING and {"was", "were", "had"}.isdisjoint(self.rest)

    def is_dated(self, text: str) -> bool:
        """Returns whether the text has a year or a word such as "yesterday"."""
        times = map(table("WORDS").get, self.tokens)
        return bool(_DATED.search(text)) or "time" in times

    @property
    def cues(self) -> tuple[str, ...]:
        """Returns the names of all signs of the type: words, then headings and the document."""
        known = table("WORDS")
        found = [self.shape, *("label" for _ in self.label[:1])]
        if self.shape not in _ASKING:  # "Implement scheduled jobs": "scheduled" is no verb here
            found.append(self.verb or "no verb")
        found += [cue for word in self.tokens if (cue := known.get(word))]
        return tuple(dict.fromkeys((*found, *self.place)))


def _label(tokens: list[str]) -> tuple[list[str], list[str]]:
    """Splits a claim at a colon or dash near its beginning into the words before and after it."""
    for at, word in enumerate(tokens[: _LABEL + 1]):
        if word in BREAKS and at and at + 1 < len(tokens):
            label = tokens[:at]
            clause = main_verb(label) in PRESENT or shape(label) == "past verb"
            return ([], tokens) if clause else (label, tokens[at + 1 :])
        if word in ",.;(":
            break
    return [], tokens


def _decide_type(signs: _Signs, text: str) -> Typed:
    every = signs.cues
    for memory_type, cue in (
        (MemoryType.PROCEDURAL, _instruction(signs)),
        (MemoryType.EPISODIC, _event(signs, text)),
        (MemoryType.SEMANTIC, _fact(signs)),
    ):
        if cue:
            return Typed(memory_type, (cue,), by_cues=memory_type, all_cues=every)
    return Typed(MemoryType.UNKNOWN, (), all_cues=every)


def _instruction(signs: _Signs) -> str:
    if signs.form is Form.ROW:
        return ""
    if signs.shape in ("prohibition", "to do"):
        return signs.shape
    if signs.verb == "main must":
        return signs.verb
    if signs.shape == "condition, imperative" and signs.situation not in ("plan", "changes"):
        return signs.shape
    if signs.situation in ("plan", "changes", "log"):
        return ""
    if signs.shape == "imperative":
        return "" if signs.situation == "reference" else signs.shape
    if signs.situation not in ("rules", "howto"):
        return ""
    return next((s for s in (signs.shape, signs.verb) if s in _IN_RULES), "")


def _event(signs: _Signs, text: str) -> str:
    if signs.form is Form.ROW:
        return ""
    if signs.situation == "plan" and signs.shape in ("imperative", "bare verb"):
        return "in a plan"
    if (signs.past or signs.verb == "participle") and signs.is_dated(text):
        return "past, dated"
    if signs.past and signs.situation in ("changes", "log"):
        return f"past, {signs.situation}"
    if signs.shape == "past verb":
        follows = not list_words("OPENING_OBJECTS").isdisjoint(signs.rest[1:2])
        return "past, object" if follows else ""
    if signs.shape == "we first" and signs.past:
        return "past, we"
    return "main past" if signs.reports_action else ""


def _fact(signs: _Signs) -> str:
    if signs.situation in ("plan", "changes"):
        return ""
    if signs.form is Form.ROW:
        return "" if signs.situation == "log" else "row"
    if signs.label and signs.label[0][0] == MASK:
        return "term"
    if signs.shape in ("third person", "wh first", "see first"):
        return signs.shape
    return signs.verb if signs.verb in PRESENT and signs.shape not in _BEFORE_FACT else ""


@lru_cache(maxsize=1024)
def _place(section: str, role: str) -> tuple[str, tuple[str, ...]]:
    """Returns a situation such as `rules`, and the cues from the section and the role of the
    document. The situation decides how the verb form in the claim is interpreted."""
    place = (*section_cues(section), *(f"{r} document" for r in role.split()))
    situations = (name for cue, name in lexicon.SITUATIONS.items() if cue in place)
    return next(situations, "other"), place


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
    """Returns what headings say about the memory type: `in changes` for a last heading "Changelog",
    `under changes` for a heading "Changelog" above the last."""
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
_SAME_SUBJECT = compiled(r"\sand\s(?=[a-z]+s\b)")
"""Matches “and” before a verb whose subject may be in the clause before: “and works at Acme”."""
_STOP = compiled(r";| [—–] ")
_ASKING = ("imperative", "prohibition")
_NO_FACT = (*_ASKING, "condition", "wh")


class ClauseSpan(Struct, frozen=True):
    """A clause in a claim: its offsets, its words, the form of its beginning (`shape`), such as
    "imperative", and its finite verb."""

    start: int
    end: int
    tokens: list[str]
    shape: str
    verb: str

    @property
    def past(self) -> bool:
        """Returns whether the clause reports an event: a verb in the past tense, and not a
        participle, is near its beginning."""
        if self.shape in ("past verb", "noun", "article first", "we first", "code"):
            early = self.tokens[:_EARLY]
            return self.shape == "past verb" or main_verb(early) in _PAST
        return False

    @property
    def is_fact(self) -> bool:
        """Returns whether the clause states a lasting fact: it is in the present tense and is no
        instruction."""
        return self.verb in PRESENT and not self.shape.startswith(_NO_FACT)

    @property
    def asks(self) -> bool:
        """Returns whether the clause is an instruction or a prohibition."""
        return self.shape in _ASKING or self.verb == "main must"

    @property
    def whole(self) -> bool:
        """Returns whether the clause has at least three words, so that it can be stored alone."""
        return sum(t[0].isalnum() or t[0] == MASK for t in self.tokens) >= _LEAST


def split_of(text: str, masked: str, tokens: Sequence[str]) -> tuple[str, ...]:
    """Returns the mixed types of a claim, such as "fact|rule", and its two parts, or () if the
    claim mixes no types.

    `tokens` are the words and marks of the claim's masked text."""
    if not _SPLIT_FROM < len(text) < _SPLIT_TO:
        return ()
    for kind, before, after in _mixtures(masked, tokens):
        return kind, text[before.start : before.end].strip(), text[after.start : after.end].strip()
    return ()


def _mixtures(text: str, tokens: Sequence[str]) -> Iterator[tuple[str, ClauseSpan, ClauseSpan]]:
    if "and" in tokens or not _JOINTS.isdisjoint(tokens):
        yield from _at_joints(text)
    for before, after in pairwise(_clauses(text)):
        if kind := _mixture("", before, after):
            yield kind, before, after


def _at_joints(masked: str) -> Iterator[tuple[str, ClauseSpan, ClauseSpan]]:
    for m in _JOINT.finditer(masked):
        before, after = _clause(masked, 0, m.start()), _clause(masked, m.end(), len(masked))
        if kind := _mixture(lexicon.JOINTS[m["word"].lower()], before, after):
            yield kind, before, after
    for m in _SAME_SUBJECT.finditer(masked):
        before, after = _clause(masked, 0, m.start()), _clause(masked, m.end(), len(masked))
        later = after.shape == "third person" and after.whole
        present = states_present(before.tokens) or not third_person().isdisjoint(before.tokens)
        if later and before.past and before.whole and not present:
            yield "event|belief", before, after


def _clause(masked: str, start: int, end: int) -> ClauseSpan:
    tokens = Reading("", masked[start:end]).cues
    label = next((at + 1 for at, t in enumerate(tokens[:_LABEL]) if t == ":"), 0)
    tokens = tokens[label:]
    return ClauseSpan(start, end, tokens, shape(tokens), main_verb(tokens))


def _clauses(text: str) -> list[ClauseSpan]:
    if not any(stop in text for stop in (";", " — ", " – ")):
        return []
    stops = list(_STOP.finditer(text))
    starts = [0, *(m.end() for m in stops)]
    ends = [*(m.start() for m in stops), len(text)]
    return [_clause(text, *span) for span in zip(starts, ends, strict=True)] if stops else []


def _mixture(joint: str, before: ClauseSpan, after: ClauseSpan) -> str:
    """Returns the mixed types of two clauses, or an empty string if the clauses belong together.
    `joint` is the relation that a joining word shows, such as `motive`. `joint` is empty for a
    semicolon or dash."""
    if not (before.whole and after.whole):
        return ""
    if joint == "motive":
        return "occurrence|motive" if before.past and not after.past and not after.asks else ""
    if before.is_fact and after.asks:
        return "fact|rule"
    return "event|belief" if joint == "belief" and before.past and after.is_fact else ""
