"""Splits a text into sentences, and finds the sentences that state something.

The functions use masked text, so that code and link targets do not end a sentence and do not count
as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.lexicon import boilerplate, verbs
from grounded_ingest.text.lexicon.number_words import MONTHS_CUT
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import group

_END = compiled(
    r"(?<![.!?…])[.!?…]++[\"'”’)\]»*_~]*+\0*+(?:\s*$|\s+(?=(?P<lead>[\"'“‘(\[«*_~]*+)(?P<next>.)))|"
    r"[。！？]++[」』”）]*+\s*"
)
_ABBREVIATION = compiled(
    r"(?:^|[\s(\[])(?:vs|cf|dr|mr|mrs|ms|prof|st|no|nos|fig|figs|eq|sec|ch|vol|approx|incl|esp|"
    rf"resp|ca|al|pp|refs?|viz|inc|ltd|corp|{'|'.join(MONTHS_CUT)}|"
    r"(?:[a-z]\.)+[a-z]|[cpv]|(?-i:[A-Z]))\.$|^\d{1,3}\.$",
    re.IGNORECASE,
)
_REACH = 16
"""Number of characters before a full stop in which an abbreviation is looked for."""
_CLOSING = compiled(r"[.!?…。！？]")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each sentence, without the space after it. A full stop ends a
    sentence only if the next word can begin one, so "e.g. this" is not split."""
    start = 0
    # The full stop at the end of the text is skipped, because no sentence follows.
    for end in _ends(text) if _CLOSING.search(text, 0, len(text) - 1) else ():
        if end["next"] and not _opens(end["next"]):
            continue
        stop = end.start() + len(end[0].rstrip())
        if stop > start:
            yield start, stop
        start = end.end()
    tail = text[start:].rstrip()
    if tail:
        yield start, start + len(tail)


def stops(text: str) -> frozenset[int]:
    """Returns the offsets of the full stops that end a sentence. The next sentence may begin with a
    lower-case letter, as in notes."""
    return frozenset(end.start() for end in _ends(text))


def _ends(text: str) -> Iterator[re.Match[str]]:
    """Yields the marks that can end a sentence, with closing quotes and the space after them."""
    start = 0
    for end in _END.finditer(text):
        stop = end.start() + len(end[0].rstrip())
        if not (end[0].startswith(".") and _abbreviates(text, start, stop)):
            start = end.end()
            yield end


def _opens(char: str) -> bool:
    """Returns whether this character can begin a sentence: a capital, a digit, code or an emoji."""
    if char.isalnum():
        return not char.islower()
    return char == MASK or ord(char) > 0x2100


def _abbreviates(text: str, start: int, stop: int) -> bool:
    if stop - start <= _REACH:
        return bool(_ABBREVIATION.search(text[start:stop]))
    return bool(_ABBREVIATION.search("\n" + text[stop - _REACH + 1 : stop]))


_WORD = compiled(r"[^\W\d_][\w'’-]*")
_SLOT = compiled(boilerplate.SLOT, re.IGNORECASE)
_URL = compiled(r"(?:https?://|www\.)\S+")
_CODES = compiled(r"\0++")
_CODE = compiled(r"`[^`]*`")
_HEADING_WORD = compiled(r"[^\W\d_][\w'’-]*|\0")
_NUMBERED = compiled(r"^\W*\d[\w.]*[.):]?\s+")
_LABEL = compiled(r"^(?:[^\s:—–]+\s+){0,3}[^\s:—–]*(?:\s*[:—–]|\s+-)\s+")
_AUXILIARIES = frozenset(verbs.AUXILIARIES.split())
_IRREGULAR = frozenset(verbs.IRREGULAR.split())
_ASSERTING = _AUXILIARIES - frozenset(verbs.UNSURE.split())
"""Words that are always the verb of a statement, such as auxiliaries."""
_SUBJECTS = group("SUBJECTS") - {"i"}
"""Pronouns that can be the subject of a heading. Leaves out "I", because a heading with "I" usually
quotes somebody."""
_JOINING = group("PREPOSITIONS") | group("CONJUNCTIONS") | {"vs"}
_SUBORDINATORS = frozenset(verbs.SUBORDINATORS.split())
# Scripts without spaces between words: two characters count as a word.
_UNSPACED = compiled(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]")
_POINTERS = frozenset(
    ("see", "source", "sources", "ref", "refs", "cf", "commit", "pr", "issue", "per", "via", "adr")
)
_TRIM = " \t.,:;!*_~#>|-–—•✓✅❌☑✗()[]"


def _forms(verb: str) -> tuple[str, ...]:
    if verb.endswith("y") and verb[-2] not in "aeou":
        return (verb, verb[:-1] + "ies", verb[:-1] + "ied")
    past = verb + ("d" if verb.endswith("e") else "ed")
    doubled = verb + verb[-1] + "ed"
    third = verb + ("es" if verb.endswith(("s", "x", "ch", "sh", "ss")) else "s")
    return (verb, third, past, doubled)


@cache
def finite_verbs() -> frozenset[str]:
    """Returns the words that can be the verb of a statement, in lower case."""
    regular = (form for verb in verbs.REGULAR.split() for form in _forms(verb))
    return _AUXILIARIES | _IRREGULAR | frozenset(regular)


@cache
def third_person() -> frozenset[str]:
    """Returns the third-person verbs, without those that are more often nouns: `timeout`."""
    return frozenset(_forms(verb)[1] for verb in verbs.REGULAR.split())


def has_verb(text: str) -> bool:
    known = finite_verbs()
    return any(w in known for w in _WORD.findall(text.lower().replace("’", "'")))


def only_cites(text: str) -> bool:
    """Returns whether a sentence only says where to look, such as "See". Citations and links in the
    sentence have to be blanked already."""
    words = _WORD.findall(text.lower())
    return len(words) <= 2 and all(word in _POINTERS for word in words)


_ENUMERATED = compiled(r"^\(?[a-z\d]{1,2}[.)]\s+")


def no_statement(text: str, masked: str, plain: str, *, cites: bool) -> str:
    """Returns the reason why a sentence is not a claim, which `explain PATH:LINE` prints, or an
    empty string. In `masked`, code and link targets are blanked; in `plain`, the texts of links and
    images, too. `cites` is true if the sentence has a citation."""
    words = _WORD.findall(_URL.sub(" ", plain) if "://" in plain or "www." in plain else plain)
    if not words:
        return _wordless(text, masked, plain)
    if _is_slot(text) and not _states_anyway(words):
        return "the text is an empty slot of a template"
    if _asks(text):
        return "a question"
    if _ENUMERATED.sub("", text.lower()).startswith(boilerplate.LICENCE):
        return "licence text"
    if text.endswith((":", "：")):
        return "" if len(words) > 5 or _states(text, plain, cites) else "a label"
    enough = 3 if text.rstrip('*_"”’)').endswith((".", "!")) else 4
    if len(words) >= enough or _states(text, plain, cites):
        return ""
    if len(words) + len(_CODES.findall(plain)) + count_unspaced(plain) // 2 >= 4:
        return ""
    return "the text is too short to state anything"


def count_unspaced(text: str) -> int:
    """Returns the number of characters of scripts that have no spaces between words, such as
    Chinese."""
    return 0 if text.isascii() else len(_UNSPACED.findall(text))


def _states(text: str, plain: str, cites: bool) -> bool:
    return cites or any(char.isdigit() for char in text) or has_verb(plain)


def asserts(title: str) -> bool:
    """Returns whether a heading states something although it has no full stop. The heading needs an
    auxiliary verb after a subject, or a third-person verb that cannot be a plural noun ("The queue
    stores", "Redis keeps"). "Cloud Commands" and "`try` blocks" state nothing. In doubt, a heading
    is not a statement."""
    bare = _NUMBERED.sub("", _CODE.sub(" \0 ", title))
    bare = _LABEL.sub("", bare)
    if bare.rstrip(_TRIM + "`").endswith(("?", "…")) or bare.rstrip("*_` ").endswith(":"):
        return False
    written = [w for w in _HEADING_WORD.findall(bare) if w]
    words = [w.lower().replace("’", "'") for w in written]
    if len(words) < 4 or words[0] in _SUBORDINATORS:
        return False
    if words[0] in _SUBJECTS:
        return words[1] in finite_verbs()
    for at, word in enumerate(words[1:-1], 1):
        if word in _SUBORDINATORS:
            return False
        if _asserts_at(at, words, written):
            return True
    return False


def _asserts_at(at: int, words: list[str], written: list[str]) -> bool:
    """Returns whether the word at an index of a heading is its verb, or a pronoun before its verb.
    `words` are in lower case, `written` are the same words as written."""
    word = words[at]
    if word in _SUBJECTS and not finite_verbs().isdisjoint(words[at + 1 : at + 3]):
        return True
    if word in ("is", "are", "was", "were"):  # as titles write it: "The SDK Is Opinionated"
        return True
    if written[at] != word:
        return False
    if word in _ASSERTING:
        return True
    third = word in third_person() or (word.endswith("s") and word in _IRREGULAR)
    return third and _has_subject(written, at)


def _has_subject(written: list[str], at: int) -> bool:
    """Returns whether the verb at the index `at` has a subject before it and may have an object
    after it."""
    first, then = written[0], written[at + 1].lower()
    if then in _JOINING and first.lower() not in group("DETERMINERS"):
        return False
    if first.lower() in group("DETERMINERS"):
        return at > 1
    return at == 1 and first[:1].isupper()


def _asks(text: str) -> bool:
    """Returns whether a sentence is a question. A quoted question at its end does not count."""
    bare = text.rstrip("*_~ ")
    body = bare.rstrip("\"”’')»*_~ ")
    if not body.endswith(("?", "？")):
        return False
    return body == bare or max(body.rfind(opening) for opening in "\"“‘'«(") <= 1


def _states_anyway(words: list[str]) -> bool:
    """Returns whether a text in brackets is a sentence, and not a placeholder to fill in."""
    rest = words[1:]
    if len(words) >= 4:
        return has_verb(" ".join(rest))
    return len(words) == 3 and any(w.lower() in _AUXILIARIES for w in rest)


def _is_slot(text: str) -> bool:
    return bool(_SLOT.match(text.strip(_TRIM + "`")) or _SLOT.match(text.strip()))


def _wordless(text: str, masked: str, plain: str) -> str:
    if _is_slot(text):
        return "the text is an empty slot of a template"
    inside = masked.replace(MASK, " ")
    words = _WORD.findall(_URL.sub(" ", inside))
    if not words and MASK in plain and not text.lstrip(_TRIM).startswith(("[", "!")):
        return "only code or paths"
    if len(words) >= 6 and has_verb(inside):
        return ""
    return "the text has only links, images or punctuation"
