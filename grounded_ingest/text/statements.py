"""Which sentences state something. The reasons are what `explain PATH:LINE` says."""

from __future__ import annotations

import re
from functools import cache

from grounded_ingest.text.closed_classes import group
from grounded_ingest.text.lexicon import boilerplate, verbs
from grounded_ingest.text.mask import MASK
from grounded_ingest.text.patterns import compiled

_WORD = compiled(r"[^\W\d_][\w'’-]*")
_SLOT = compiled(boilerplate.SLOT, re.IGNORECASE)
_URL = compiled(r"(?:https?://|www\.)\S+")
_CODES = compiled(r"\0++")
# Scripts that set no space between words; two characters count as a word.
_CODE = compiled(r"`[^`]*`")
_HEADING_WORD = compiled(r"[^\W\d_][\w'’-]*|\0")
_NUMBERED = compiled(r"^\W*\d[\w.]*[.):]?\s+")
_LABEL = compiled(r"^(?:[^\s:—–]+\s+){0,3}[^\s:—–]*(?:\s*[:—–]|\s+-)\s+")
_FORMS_OF_BE = frozenset(("is", "are", "was", "were"))
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
    """Words that can be the verb of a statement, lower case."""
    regular = (form for verb in verbs.REGULAR.split() for form in _forms(verb))
    return frozenset([*verbs.AUXILIARIES.split(), *verbs.IRREGULAR.split(), *regular])


@cache
def third_person() -> frozenset[str]:
    """Third-person forms only: `timeout` and `limit` are subjects more often than verbs."""
    return frozenset(_forms(verb)[1] for verb in verbs.REGULAR.split())


@cache
def _irregular() -> frozenset[str]:
    return frozenset(verbs.IRREGULAR.split())


def has_verb(text: str) -> bool:
    known = finite_verbs()
    return any(w in known for w in _WORD.findall(text.lower().replace("’", "'")))


def only_cites(text: str) -> bool:
    """Whether a sentence, its citations and links blanked, says no more than where to look."""
    words = _WORD.findall(text.lower())
    return len(words) <= 2 and all(word in _POINTERS for word in words)


_ENUMERATED = compiled(r"^\(?[a-z\d]{1,2}[.)]\s+")


def no_statement(text: str, masked: str, plain: str, *, cites: bool) -> str:
    """Why a sentence is no claim; empty when it is one.

    `masked` blanks code and link targets, `plain` the texts of links and images too; `cites`: the
    sentence holds a citation.
    """
    words = _WORD.findall(_URL.sub(" ", plain) if "://" in plain or "www." in plain else plain)
    if not words:
        return _wordless(text, masked, plain)
    if _is_slot(text) and not _states_anyway(words):
        return "an empty slot of a template"
    if _asks(text):
        return "a question"
    if _ENUMERATED.sub("", text.lower()).startswith(boilerplate.LICENCE):
        return "licence text"
    if text.endswith((":", "：")):
        return "" if len(words) > 5 or _states(text, plain, cites) else "a label"
    enough = 3 if text.rstrip('*_"”’)').endswith((".", "!")) else 4
    if len(words) >= enough or _states(text, plain, cites):
        return ""
    if len(words) + len(_CODES.findall(plain)) + len(_UNSPACED.findall(plain)) // 2 >= 4:
        return ""
    return "a fragment too short to state anything"


def _states(text: str, plain: str, cites: bool) -> bool:
    return cites or any(char.isdigit() for char in text) or has_verb(plain)


def asserts(title: str) -> bool:
    """Whether a heading states something though it does not close like a sentence.

    Precision first: an auxiliary behind a subject, or a third-person verb where no plural noun can
    be meant ("The queue stores", "Redis keeps"; not "Cloud Commands", "`try` blocks").
    """
    bare = _NUMBERED.sub("", _CODE.sub(" \0 ", title))
    bare = _LABEL.sub("", bare)
    if bare.rstrip(_TRIM + "`").endswith(("?", "…")) or bare.rstrip("*_` ").endswith(":"):
        return False
    written = [w for w in _HEADING_WORD.findall(bare) if w]
    words = [w.lower().replace("’", "'") for w in written]
    if len(words) < 4 or words[0] in verbs.SUBORDINATORS.split():
        return False
    if words[0] in _subjects():
        return words[1] in finite_verbs()
    for at, word in enumerate(words[1:-1], 1):
        if word in verbs.SUBORDINATORS.split():
            return False
        if _asserts_at(at, words, written):
            return True
    return False


def _asserts_at(at: int, words: list[str], written: list[str]) -> bool:
    """Whether a word of a heading is its verb, or the pronoun before it."""
    word = words[at]
    if word in _subjects() and not finite_verbs().isdisjoint(words[at + 1 : at + 3]):
        return True
    if word in _FORMS_OF_BE:  # as titles write it: "The SDK Is Opinionated"
        return True
    if written[at] != word:
        return False
    if word in _asserting():
        return True
    return _is_third_person(word) and _has_subject(written, at)


@cache
def _asserting() -> frozenset[str]:
    """What can only be the verb of a statement."""
    return _auxiliaries() - frozenset(verbs.UNSURE.split())


@cache
def _subjects() -> frozenset[str]:
    """Pronouns that a heading has a subject of its own in; `I` it quotes."""
    return group("SUBJECTS") - {"i"}


@cache
def _joining() -> frozenset[str]:
    return group("PREPOSITIONS") | group("CONJUNCTIONS") | {"vs"}


def _is_third_person(word: str) -> bool:
    return word in third_person() or (word.endswith("s") and word in _irregular())


def _has_subject(written: list[str], at: int) -> bool:
    """Whether the word at `at` follows a whole subject and something of its own follows it."""
    first, then = written[0], written[at + 1].lower()
    if then in _joining() and first.lower() not in group("DETERMINERS"):
        return False
    if first.lower() in group("DETERMINERS"):
        return at > 1
    return at == 1 and first[:1].isupper()


def _asks(text: str) -> bool:
    """Whether a sentence is a question, and not a statement that ends by quoting one."""
    bare = text.rstrip("*_~ ")
    body = bare.rstrip("\"”’')»*_~ ")
    if not body.endswith(("?", "？")):
        return False
    return body == bare or max(body.rfind(opening) for opening in "\"“‘'«(") <= 1


def _states_anyway(words: list[str]) -> bool:
    """Whether what looks like a slot holds a sentence rather than a request to fill it in."""
    rest = words[1:]
    if len(words) >= 4:
        return has_verb(" ".join(rest))
    return len(words) == 3 and any(w.lower() in _auxiliaries() for w in rest)


@cache
def _auxiliaries() -> frozenset[str]:
    return frozenset(verbs.AUXILIARIES.split())


def _is_slot(text: str) -> bool:
    return bool(_SLOT.match(text.strip(_TRIM + "`")) or _SLOT.match(text.strip()))


def _wordless(text: str, masked: str, plain: str) -> str:
    if _is_slot(text):
        return "an empty slot of a template"
    inside = masked.replace(MASK, " ")
    words = _WORD.findall(_URL.sub(" ", inside))
    if not words and MASK in plain and not text.lstrip(_TRIM).startswith(("[", "!")):
        return "only code or paths"
    if len(words) >= 6 and has_verb(inside):
        return ""
    return "nothing but links, images or punctuation"
