"""Words of force: what a claim and a place say with not, only, all, if, may, licensed both ways."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.force import ForceWord, code_licenses
from grounded_ingest.language.lexicon import force_words as lexicon
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.stemming import stem
from grounded_ingest.language.terms import grade
from grounded_ingest.support.aligned_clause import (
    ASSIGNED,
    EXACT,
    AlignedClause,
    Objection,
    bare_name,
    lexicon_words,
    part_at,
    sentence_parts,
    shared_lines,
    strong_lines,
)
from grounded_ingest.support.compare import Beside
from grounded_ingest.support.passages import SourcePassage
from grounded_ingest.support.places import (
    ExaminedPlace,
    is_decision_file,
)


def force_unlicensed(aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """Words of force are licensed both ways: the claim's in the place, the place's in the claim."""
    said = aligned.clause.reading.force
    place = aligned.place
    told = _told_at(aligned) if place.code else 0
    if told is None:
        yield from _force_beside_code(aligned, held)
        return
    known = place.passages[told].reading.force
    theirs = force_groups(known)
    free = _DONE if held.source.kind == "commit" else frozenset[str]()
    stated = {stem(w.text) for w in known}
    for word in said:
        licensed = word.groups & (theirs | free) or stem(word.text) in stated
        ordered = place.code and _orders(word, aligned)
        if not (licensed or ordered or _counts(word, aligned)):
            yield Objection("force", word.text, f"“{word.text}” is not what the place says")
    whole = said if place.code else held.read.reading.force
    if "not" in force_groups(whole) & theirs and _odd(whole) != _odd(known):
        yield Objection("force", "not", "the one denies what the other says")
    yield from _unstated(told, aligned, held)


def _orders(word: ForceWord, aligned: AlignedClause) -> bool:
    """Whether a word puts what is told in an order, which is looked at by itself: `runs first`,
    and not `the first run`."""
    before = aligned.clause.reading.text[: word.start].split()
    picks_out = bool(before) and before[-1].lower() in group("DETERMINERS")
    return bool(word.groups & _TIMES) and len(aligned.there) > 1 and not picks_out


def _told_at(aligned: AlignedClause) -> int | None:
    """The sentence of a comment that holds all of a clause, but for the name that is declared
    below it and stands first in the clause; None where code itself says some of it."""
    passages = aligned.place.passages
    declared = _declarations(aligned.place)
    lines = [frozenset(s.line for s in spots) for _, spots in aligned.there]
    lines += [frozenset(found) for _, found in aligned.amounts if found]
    asked = [own - declared for own in lines if own - declared]
    if not asked or any(own <= declared for own in lines[1:]):
        return None
    shared = frozenset.intersection(*asked)
    return next((n for n in sorted(shared) if not passages[n].code), None)


def _declarations(place: ExaminedPlace) -> frozenset[int]:
    """The lines of code right below a comment."""
    return frozenset(
        n + 1 for n, (one, next_) in enumerate(pairwise(place.passages)) if next_.code > one.code
    )


def force_groups(words: Sequence[ForceWord]) -> frozenset[str]:
    return frozenset[str]().union(*(w.groups for w in words))


def _unstated(line: int, aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """What a sentence of the place says with force, and the claim leaves out: conditions of the
    whole sentence, the rest where the claim's words stand."""
    passage = aligned.place.passages[line]
    ours = force_groups(held.read.reading.force)
    parts = sentence_parts(passage.text)
    held_by = {
        part_at(s.word.start, parts)
        for _, spots, _ in aligned.terms
        for s in spots
        if s.line == line
    }
    for word in passage.reading.force:
        if word.groups & ours or not word.groups & _BINDING or _counted_by(word):
            continue
        if _left_free(word, passage.text, held, aligned):
            continue
        governs = word.groups & _CONDITIONAL or ":" in passage.text[word.start :].rstrip(":")
        if governs or part_at(word.start, parts) in held_by:
            yield Objection("force", word.text, f"the place says “{word.text}”, the claim does not")


def _left_free(word: ForceWord, text: str, held: Beside, aligned: AlignedClause) -> bool:
    """Whether a claim may leave out a word of force: it tells the condition in another form; a
    record says "will" of what it decides, a comment of what the code does."""
    if word.text == "will":
        decides = is_decision_file(held.source.path) or held.source.kind == "adr"
        return decides or aligned.place.code
    if word.text in _WHEN:
        return _told_whole(_clause_from(word, text), held)
    return word.text in _LEFT_FREE


_WHEN = frozenset(("if", "when", "whenever", "once", "while"))


_STOP = compiled(r"[,;.:](?=\s|$)| -- | — ")


def _clause_from(word: ForceWord, text: str) -> str:
    """What a word of condition governs, as far as the next stop."""
    stop = _STOP.search(text, word.start)
    return text[word.start + len(word.text) : stop.start() if stop else len(text)]


def _told_whole(condition: str, held: Beside) -> bool:
    """Whether a claim has every telling word of a condition: it tells it in another form."""
    terms = [t for t in read_text(condition).terms if t.weight >= 0.6]
    return bool(terms) and all(grade(t, held.read.reading.keys) >= EXACT for t in terms)


_CONDITIONAL = frozenset(("only", "if"))


_DONE = frozenset(("past", "now"))
"""What a commit did is past, and holds since: these words are free beside one."""


_LEFT_FREE = frozenset(("can", "able", "allowed", "allows", "allow", "permitted", "permits"))


_TIMES = frozenset(("before", "after", "first", "last"))


_BINDING = frozenset(("not", "only", "if", "some", "most", "past", "planned", "may", "option"))


def _odd(words: Sequence[ForceWord]) -> bool:
    return sum("not" in w.groups for w in words) % 2 == 1


def _counts(word: ForceWord, aligned: AlignedClause) -> bool:
    """Whether a word belongs to a number that was compared with it: `at most 5`."""
    numbers = frozenset(lexicon.OF_NUMBERS.split()) | ({"all"} if word.text == "every" else set())
    return bool(word.groups & numbers) and any(
        lines and abs(a.start - word.start) < 30 for a, lines in aligned.amounts
    )


def _counted_by(word: ForceWord) -> bool:
    numbers = frozenset(lexicon.OF_NUMBERS.split())
    return bool(word.groups <= numbers)


def _force_beside_code(aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """The same beside code, whose form says some of these words."""
    said = aligned.clause.reading.force
    lines = aligned.lines or frozenset(range(len(aligned.place.passages)))
    for word in said:
        if held.source.kind == "commit" and word.groups & _DONE:
            continue
        if not _said_by_code(word, lines, aligned):
            yield Objection("force", word.text, f"“{word.text}” is not what the code says")
    yield from _directions(aligned)
    yield from _bounds(aligned)
    yield from _unsaid(aligned, held)
    for number in sorted(strong_lines(aligned) | shared_lines(aligned)):
        if not aligned.place.passages[number].code:
            yield from _unstated(number, aligned, held)


def _said_by_code(word: ForceWord, lines: frozenset[int], aligned: AlignedClause) -> bool:
    """Whether the lines that hold a clause, or their comments, say a word of force. The order of
    what is told is looked at by itself."""
    if "not" in word.groups and word.text not in lexicon_words("CONTENT"):
        close = strong_lines(aligned) | shared_lines(aligned)
        code, told = _texts_near(close, aligned, 2)
        return code_licenses("not", f"{code}\n{told}")
    if _orders(word, aligned):
        return True
    if word.text in lexicon_words("CONTENT") and any(
        t.start == word.start and sure >= EXACT for t, _, sure in aligned.terms
    ):
        return True
    code, _ = _texts_near(lines, aligned, 1)
    told_groups = force_groups(
        [w for n in _around_lines(lines, aligned, 1) for w in _of_comment(n, aligned)]
    )
    licensed = word.groups & told_groups or any(code_licenses(g, code) for g in word.groups)
    return bool(licensed) or _counts(word, aligned)


def _of_comment(number: int, aligned: AlignedClause) -> Sequence[ForceWord]:
    passage = aligned.place.passages[number]
    return () if passage.code else passage.reading.force


def _around_lines(lines: frozenset[int], aligned: AlignedClause, reach: int) -> list[int]:
    return [
        n for n in range(len(aligned.place.passages)) if any(abs(n - at) <= reach for at in lines)
    ]


def _texts_near(lines: frozenset[int], aligned: AlignedClause, reach: int) -> tuple[str, str]:
    """The code and the comments around some lines."""
    near = [aligned.place.passages[n] for n in _around_lines(lines, aligned, reach)]
    return (
        "\n".join(p.text for p in near if p.code),
        "\n".join(p.text for p in near if not p.code),
    )


def _bounds(aligned: AlignedClause) -> Iterator[Objection]:
    """`at least 5` beside a maximum, or beside what sets no bound, as a default does not."""
    for amount, found in aligned.amounts:
        shown = " ".join(aligned.place.passages[n].text for n in found)
        bounds = {b for b, p in _BOUNDS.items() if p.search(shown)}
        if not found or amount.bound not in _BOUNDS or amount.bound in bounds:
            continue
        if bounds:
            yield Objection("force", amount.text, f"“{amount.text}” is the other bound")
        elif not (_MORE.search(shown) or _LESS.search(shown)):
            yield Objection("force", amount.text, f"the place sets no bound of “{amount.text}”")


_MORE, _LESS = compiled(r"(?<![-=<>])>(?!>)=?|-g[te]\b"), compiled(r"(?<![-=<>])<(?!<)=?|-l[te]\b")


_OPPOSED = (("more", "less"), ("less", "more"), ("before", "after"), ("after", "before"))


_BOUNDS = {"min": compiled(r"(?i)min|least|>="), "max": compiled(r"(?i)max|limit|cap|most|<=")}


def _directions(aligned: AlignedClause) -> Iterator[Objection]:
    """`more than` beside `<`, `before` where a comment says "after"."""
    code, _ = _texts_near(aligned.lines, aligned, 1)
    known = force_groups([w for p in aligned.place.passages for w in p.reading.force])
    for word in aligned.clause.reading.force:
        if _opposed(word, known) or _compared_otherwise(word, code):
            yield Objection("force", word.text, f"“{word.text}” is not what the place compares")


def _opposed(word: ForceWord, known: frozenset[str]) -> bool:
    """Whether a place says the opposite of a word, and not the word."""
    return any(
        one in word.groups and other not in word.groups and other in known and one not in known
        for one, other in _OPPOSED
    )


def _compared_otherwise(word: ForceWord, code: str) -> bool:
    rises, falls = bool(_MORE.search(code)), bool(_LESS.search(code))
    if rises == falls:
        return False
    if _AGO.search(code):  # what lies before a time is older than that
        rises, falls = falls, rises
    return word.text in lexicon_words("RISING" if falls else "FALLING")


_AGO = compiled(r"\.ago\b|(?i:\bnow\b|getdate|current_timestamp)\W*(?:\(\))?\s*-")


_CONDITION, _GUARD = compiled(lexicon.CONDITIONS), compiled(lexicon.GUARDS)


_DENYING = compiled(
    r"\bnot\b(?! (?:None|in))|\wn['’]t\b|(?<!\w)!(?=\w|\()|\bunless\b"
    r"|!==?(?!\s*(?:''|\"\"|None|nil|null|undefined|0\b|-1))"
)


_OFF = compiled(
    r"(?i)[=:]\s*[\"']?(?:false|off|no|none|null|nil|disabled?|0)\b[\"']?\s*[,;})]?\s*(?:#.*|//.*)?$"
)


def _unsaid(aligned: AlignedClause, held: Beside) -> Iterator[Objection]:
    """What a line of code hangs on, or denies, and the claim leaves out."""
    said = aligned.clause.reading.force
    groups = force_groups(said)
    content = lexicon_words("CONTENT") - {"disabled"}
    if "not" in force_groups([w for w in said if w.text not in content]):
        return
    for number in sorted(_weighty(aligned, conditional="if" in groups)):
        passage = aligned.place.passages[number]
        if not passage.code:
            continue
        off = "not" not in groups and _switched_off(passage, aligned)
        if off or _DENYING.search(passage.text):
            yield Objection("force", "not", f"the code denies it: {passage.text[:60]}")
            return
        hangs = not groups & {"only", "if"} and _CONDITION.search(_unquoted(passage.text))
        if hangs and not (_told_of(number, aligned) or _told_whole(hangs[0], held)):
            yield Objection(
                "force", "if", f"the code says it under a condition: {passage.text[:60]}"
            )
            return


def _weighty(aligned: AlignedClause, *, conditional: bool) -> frozenset[int]:
    """The lines that carry a clause; with their conditions where it tells one as well."""
    found = strong_lines(aligned) | _named_lines(aligned) or aligned.lines
    if not conditional:
        return found
    guards = {n for n in aligned.lines if _GUARD.match(aligned.place.passages[n].text)}
    return found | guards


def _told_of(line: int, aligned: AlignedClause) -> bool:
    """Whether a clause names what a condition is of: a word that stands in its line alone."""
    return any({s.line for s in spots} == {line} for _, spots, _ in aligned.terms if spots)


def _named_lines(aligned: AlignedClause) -> frozenset[int]:
    """The lines whose assigned name is a word of the clause."""
    found = set()
    for _, spots, _ in aligned.terms:
        for spot in spots:
            named = ASSIGNED.match(aligned.place.passages[spot.line].text)
            if named and bare_name(named[1]) == bare_name(spot.word.text):
                found.add(spot.line)
    return frozenset(found)


def _switched_off(passage: SourcePassage, aligned: AlignedClause) -> bool:
    off = _OFF.search(passage.text)
    if not off:
        return False
    said = aligned.clause.reading.text.lower()
    return not re.search(r"\b(?:false|off|no|none|null|nil|disabled?|0|zero)\b", said)


_STRING = compiled(r"\"[^\"]*\"|'[^']*'")


def _unquoted(text: str) -> str:
    return _STRING.sub("''", text)
