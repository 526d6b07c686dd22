"""Decides whether a claim has nothing to check, and why.

A claim has nothing to check if it gives an instruction, plans work, reports finished work, or only
labels other text. If the decision is not certain, the claim counts as checkable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from grounded_ingest.extract.memory_type import Typed
from grounded_ingest.model.claims import Form, MemoryType
from grounded_ingest.text.clause_form import (
    BREAKS,
    PRESENT,
    is_bare_verb,
    list_words,
    main_verb,
    shape,
)
from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.patterns import compiled

Nothing = Literal["", "instruction", "plan", "history", "label"]
"""The reason why a claim has nothing to check; empty if it may have something to check."""

_ASKING = frozenset(("imperative", "prohibition", "condition, imperative", "to do"))
_NORMS = frozenset(("must", "shall", "should", "mustn't", "shouldn't"))
_STANDING = frozenset(PRESENT)
_AHEAD = ("", "main must", "main should", "main future")
_TELLING = frozenset(("third person", "past verb", "participle first"))
_TELLS = _STANDING | {"now", "main past", "main ed", "main perfect"}
_LOGS = frozenset(
    ("in changes", "in done", "in version", "in day", "under done", "under version", "under day",
     "changelog document", "dated document")
)  # fmt: skip
_RULES = frozenset(("in rules", "under rules", "in howto", "in plan", "rules document"))
_REFERENCE = frozenset(("in reference", "under reference"))
_JOINTS = frozenset((",", "→", "—", "-", ":"))
_STOPS = frozenset((";", "—", "–", ".", "(", "→"))
_POINTER, _CLAUSE = 8, 40
"""`_POINTER` is the maximum number of words in a text such as "See the guide". `_CLAUSE` is the
maximum number of words that are read from a clause."""

_LINK = compiled(r"\[[^\[\]\n]*\]\([^()\[\n]*\)|https?://\S+")
_WORD = compiled(r"[^\W\d_]{2,}")


def nothing_to_check(
    text: str,
    tokens: Sequence[str],
    found: Typed,
    form: Form,
    box: str,
) -> Nothing:
    """Returns the reason why a claim has nothing to check, or an empty string. `tokens` are the
    words and marks of the claim's masked text. `found` is the claim's memory type with all cues.
    `box` is the state of the check box above the claim: `done`, `open` or empty."""
    if form in (Form.ROW, Form.HIDDEN):
        return ""
    if _only_names(text, tokens, found, form):
        return "label"
    if _asks(text, tokens, found):
        return "instruction"
    if box == "open":
        return "plan"
    return _episode(found, tokens)


def _only_names(text: str, tokens: Sequence[str], found: Typed, form: Form) -> bool:
    """Returns whether a text is only a label for other text, or a pointer such as "See x.md"."""
    if "](" in text and not _WORD.search(_LINK.sub("", text)):
        return True
    cues = found.all_cues
    if not text.isascii() or _exact(tokens) or not _STANDING.isdisjoint(cues):
        return False
    if tokens and tokens[-1] == ":":
        return _TELLING.isdisjoint(cues)
    if "no verb" not in cues:
        return False
    if "see first" in cues:
        return len(tokens) <= _POINTER
    return form is Form.METADATA and _TELLING.isdisjoint(cues) and BREAKS.isdisjoint(tokens)


def _exact(tokens: Sequence[str]) -> bool:
    return any(t[0] == MASK or t[0].isdigit() for t in tokens)


def _asks(text: str, tokens: Sequence[str], found: Typed) -> bool:
    cues = found.all_cues
    if found.by_cues is not MemoryType.PROCEDURAL or _states_later(tokens):
        return False
    ruled = not _RULES.isdisjoint(cues)
    if not _ASKING.isdisjoint(cues):
        listed = "label" in cues and not (ruled and _REFERENCE.isdisjoint(cues))
        return not listed and not _draws_attention(tokens) and not _noun_later(tokens, cues)
    if not text.isascii():
        return "main must" in cues
    if not _NORMS.isdisjoint(tokens) and not {"main must", "main should"}.isdisjoint(cues):
        return ruled and not _exact(tokens)
    return _asks_unclearly(tokens, cues)


def _asks_unclearly(tokens: Sequence[str], cues: Sequence[str]) -> bool:
    """Returns whether a text without a finite verb is probably an instruction: it begins with a
    word that can be a noun or a verb ("Use hooks"), or forbids with "no"."""
    # In "Retry logic takes …", the first word is a noun, because a verb follows.
    noun = any(t[-1] == "s" and is_bare_verb(t[:-1]) for t in tokens[2:3])
    if "no verb" not in cues or "label" in cues or noun:
        return False
    return "bare verb" in cues or ("negated noun" in cues and "in rules" in cues)


def _draws_attention(tokens: Sequence[str]) -> bool:
    """Returns whether a claim only introduces a fact with an instruction: "Note that …"."""
    that = next((at for at, t in enumerate(tokens[:4]) if t == "that"), 0)
    return that > 0 and tokens[that - 1] in list_words("KNOWING")


def _noun_later(tokens: Sequence[str], cues: Sequence[str]) -> bool:
    """Returns whether the word after a condition is a noun and not a verb.

    Example: `pull` in "In short, pull requests …"."""
    if "condition, imperative" not in cues:
        return False
    rests = [
        list(tokens[at + 1 : at + _CLAUSE]) for at, t in enumerate(tokens[:-1]) if t in _JOINTS
    ]
    return not any(shape(rest) in _ASKING for rest in rests)


def _states_later(tokens: Sequence[str]) -> bool:
    """Returns whether a later clause has its own verb and states a fact.

    A later clause begins after a semicolon, dash, full stop, bracket or arrow."""
    for at, word in enumerate(tokens):
        if word in _STOPS:
            rest = list(tokens[at + 1 : at + _CLAUSE])
            verb = main_verb(rest)
            states = verb in _STANDING or (word in ";." and verb not in _AHEAD)
            if states and shape(rest) not in _ASKING:
                return True
    return False


def _episode(found: Typed, tokens: Sequence[str]) -> Nothing:
    """Returns `history` for an event about finished work, `plan` for planned work, else ""."""
    cues = found.all_cues
    if found.by_cues is not MemoryType.EPISODIC or _states_later(tokens):
        return ""
    if "past verb" in cues:  # "Added …" is history, but "We added …" may state a fact
        return "history" if not _LOGS.isdisjoint(cues) and _STANDING.isdisjoint(cues) else ""
    ahead = _ASKING | {"bare verb", "main future"}
    return "plan" if not ahead.isdisjoint(cues) and _TELLS.isdisjoint(cues) else ""
