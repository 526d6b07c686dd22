"""A text, read once: every stage reads a text through its Reading, and none reads it again.

Each notion is imported when it is asked for: a commit that touches no claim needs none of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grounded_ingest.text.lexicon import citation_forms as forms
from grounded_ingest.text.lexicon import negation
from grounded_ingest.text.mask import MASK
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.polarity import NEGATIONS, plain_words

if TYPE_CHECKING:
    from functools import cached_property

    from grounded_ingest.model.claims import Claim
else:

    class cached_property:  # noqa: N801
        """The standard library's without the lock that Python 3.11 still takes at each first use:
        with it a check of 10,000 claims takes 3% longer."""

        def __init__(self, compute: Any) -> None:
            self.compute, self.__doc__ = compute, compute.__doc__

        def __set_name__(self, owner: type, name: str) -> None:
            self.name = name

        def __get__(self, reading: Any, owner: type) -> Any:
            value = reading.__dict__[self.name] = self.compute(reading)
            return value


_OUTER = " \t.,:;!?*_~\"'“”‘’()[]{}<>|`–—-…/\\#"
_TOKEN = compiled(r"\0+|[^\W_][\w'’]*(?:-\w+)*|[:;,.!?()→—–|=]|-(?=\s)|[✅✔☑✓⏳🔄🚧☐⬜❌🚫⛔✗⚠]")
_LINK = compiled(forms.LINK, needs=("](",))
_CITED = compiled(forms.CITED)
_LINES = compiled(forms.LINES)
_LEFT_OUT = compiled(forms.LEFT_OUT)
_NUMBER = compiled(forms.NUMBER)
_CITING = compiled(r"(?i)[\d\[]|http|commit|\bsha\b")
"""One of these stands in whatever cites by its form: a look at them is cheaper."""

_LETTERS = 4
"""Letters of the shortest citation that is looked for as it is written: shorter ones are known by
their form."""

_DENYING = compiled(r"\bn[eo]|n['’]t|cannot|without", 2)
"""One of these stands in every text that denies: a look at them is cheaper."""
_ADVERBIAL = frozenset(negation.ADVERBIAL.split())
_DENY_NOTHING = compiled(negation.DENY_NOTHING)


KEPT = 1 << 12
"""Texts whose Readings are kept: what is read of more of them takes more memory than time."""


class Reading:
    """What a text says, notion by notion: each is computed when it is first asked for, and kept.

    `masked` has code, links and quotations blanked, character for character; `cited` are its
    citations as written.
    """

    def __init__(self, text: str, masked: str = "", cited: tuple[str, ...] = ()) -> None:
        self.text, self.masked, self.cited = text, masked, cited

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Lower case, in order, outer punctuation stripped."""
        return word_list(self.text)

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def folded(self) -> tuple[str, list[int] | None]:
        """The masked text in plain lower-case letters, and for each of them where it came from
        (None: same places)."""
        if self.masked.isascii():
            return self.masked.lower(), None
        from grounded_ingest.text.confusables import fold

        return fold(self.masked)

    @cached_property
    def cues(self) -> list[str]:
        """Words, marks and stops of the masked text: what tells the form of a clause."""
        return tokens_of(self.masked)

    @cached_property
    def has_verb(self) -> bool:
        from grounded_ingest.text.statements import has_verb

        return has_verb(self.text)

    @cached_property
    def negated(self) -> bool:
        return negated(self.text)

    @cached_property
    def uncited_words(self) -> tuple[str, ...]:
        """Its words as written, those of its citations left out."""
        return tuple(filter(bare_word, self.uncited.text.split()))

    @cached_property
    def uncited(self) -> Reading:
        """Without its citations, what leads to them and their marks: what the claim itself says."""
        return read_text(uncited(self.text, self.cited))


@lru_cache(maxsize=KEPT)
def read_text(text: str) -> Reading:
    """The Reading of a text that nothing is known of."""
    return Reading(text)


@lru_cache(maxsize=KEPT)
def read_claim(claim: Claim) -> Reading:
    """The Reading of a claim; claims that differ in nothing but their place share it."""
    return _of_claim(claim.text, claim.masked, tuple([c.raw for c in claim.citations]))


@lru_cache(maxsize=KEPT)
def _of_claim(text: str, masked: str, cited: tuple[str, ...]) -> Reading:
    return Reading(text, masked, cited)


@lru_cache(maxsize=1 << 15)
def _word(raw: str) -> str:
    """A lower-case token as a word; empty where it holds no letter or digit."""
    word = raw.strip(_OUTER)
    return word if word.isalnum() or any(c.isalnum() for c in word) else ""


def word_list(text: str) -> tuple[str, ...]:
    """Lower-cased words of a text in order, outer punctuation stripped."""
    return tuple(filter(None, map(_word, text.lower().split())))


@lru_cache(maxsize=1 << 15)
def bare_word(word: str) -> str:
    """A word without outer punctuation."""
    return word.strip(_OUTER)


def tokens_of(text: str) -> list[str]:
    """Words, marks and stops of a masked text, lower case."""
    return _TOKEN.findall(text.lower().replace("’", "'"))


def denials(text: str) -> list[str]:
    """The words of a text that deny something, be it only one of its adverbials."""
    return [w for w in plain_words(text) if w in NEGATIONS] if _DENYING.search(text) else []


def negated(text: str) -> bool:
    """Whether a clause denies what it speaks of: it holds an odd number of denials, and `nor` goes
    on with one."""
    if not _DENYING.search(text):
        return False
    plain = _DENY_NOTHING.sub(" ", text.lower())
    found = [w for w in denials(plain) if w not in _ADVERBIAL]
    return bool((sum(w != "nor" for w in found) or len(found)) % 2)


def uncited(text: str, cited: Iterable[str] = ()) -> str:
    """A text without its citations, what leads to them and their marks, in single spaces; `cited`
    are its citations as written."""
    text = text.replace(MASK, " ")
    cited = tuple(cited)
    if not cited and not _CITING.search(text):
        return " ".join(text.split())
    text = _LINK.sub(_label, text)
    text = " ".join(_CITED.sub(MASK, _without(text, cited)).split())
    return " ".join(_LEFT_OUT.sub("", text).split()) if MASK in text else text


def _label(match: re.Match[str]) -> str:
    """The text of a link, unless it is the citation again."""
    label = match[1].strip("`*_ ")
    path = " " not in label and ("/" in label or "." in label.rstrip("."))
    return MASK if path or not label else match[1]


def _without(text: str, cited: Iterable[str]) -> str:
    """A text with its citations and their lines, several of them too, as marks."""
    kept: list[str] = []
    behind = 0
    for start, end in _places(text, cited):
        if start >= behind:
            lines = _LINES.match(text, end)
            kept += text[behind:start], MASK
            behind = lines.end() if lines else end
    return "".join((*kept, text[behind:])) if kept else text


def _places(text: str, cited: Iterable[str]) -> Iterator[tuple[int, int]]:
    """Where citations stand, found by their first letters: a claim may cite thousands."""
    of: dict[str, dict[int, set[str]]] = {}
    for raw in cited:
        if len(raw) >= _LETTERS and not _NUMBER.fullmatch(raw):
            of.setdefault(raw[:_LETTERS], {}).setdefault(len(raw), set()).add(raw)
    for at in range(len(text) - _LETTERS + 1) if of else ():
        sizes = of.get(text[at : at + _LETTERS], {})
        for size in sorted(sizes, reverse=True):
            if text[at : at + size] in sizes[size] and _apart(text, at, at + size):
                yield at, at + size
                break


def _apart(text: str, start: int, end: int) -> bool:
    """Whether what stands here is not a part of a longer word."""
    inside = (
        text[at - 1].isalnum() and text[at].isalnum() for at in (start, end) if 0 < at < len(text)
    )
    return not any(inside)
