"""Which sentences state something. The reasons are what `explain PATH:LINE` says."""

from __future__ import annotations

import re
from functools import cache

from grounded_ingest.extract.passage import MASK
from grounded_ingest.lexicon import boilerplate, verbs

_WORD = re.compile(r"[^\W\d_][\w'’-]*")
_SLOT = re.compile(boilerplate.SLOT, re.IGNORECASE)
_LINKED = re.compile(r"!?\0+[^\0]*\0+")
_URL = re.compile(r"(?:https?://|www\.)\S+")
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


def has_verb(text: str) -> bool:
    return any(w.lower().replace("’", "'") in finite_verbs() for w in _WORD.findall(text))


def no_statement(text: str, masked: str, *, cites: bool) -> str:
    """Why a sentence is no claim; empty when it is one. `cites`: it holds a citation."""
    plain = _URL.sub(" ", _LINKED.sub(" ", masked))
    words = _WORD.findall(plain)
    if not words and not _WORD.search(masked.replace(MASK, " ")):
        only_code = MASK in masked and not text.lstrip(_TRIM).startswith(("[", "!["))
        return "only code or paths" if only_code else "nothing but links, images or punctuation"
    if _SLOT.match(text.strip(_TRIM + "`")) or _SLOT.match(text.strip()):
        return "an empty slot of a template"
    if text.rstrip("*_\"”’') ").endswith(("?", "？")):
        return "a question"
    lowered = text.lower()
    if any(lowered.startswith(start) for start in boilerplate.LICENCE):
        return "licence text"
    if not words:
        return _linked(masked)
    stated = bool(re.search(r"\d", text)) or cites or has_verb(plain)
    if text.endswith((":", "：")) and len(words) <= 5 and not stated:
        return "a label"
    if len(words) < 4 and not stated and (len(words) + masked.count(" ") < 5 or MASK not in masked):
        return "a fragment too short to state anything"
    return ""


def _linked(masked: str) -> str:
    inside = masked.replace(MASK, " ")
    if len(_WORD.findall(inside)) >= 6 and has_verb(inside):
        return ""
    return "nothing but links, images or punctuation"
