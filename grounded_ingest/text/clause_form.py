"""Finds the grammatical form of a clause from its first words and its first finite verb."""

from __future__ import annotations

from functools import cache

from grounded_ingest.text.code_spans import MASK
from grounded_ingest.text.lexicon import memory_cues as lexicon
from grounded_ingest.text.lexicon import verbs
from grounded_ingest.text.sentences import third_person
from grounded_ingest.text.words import group

BREAKS = frozenset((":", "—", "–", "-", "→", "="))
PRESENT = ("main third person", "main present", "main can")
_ASKING = frozenset(("do", "don't", "never"))


@cache
def table(name: str) -> dict[str, str]:
    """Maps each word in the list `name` of `lexicon.memory_cues` to its group in that list, such as
    "never" to `not`. A word in several groups belongs to the first of them."""
    groups: dict[str, str] = getattr(lexicon, name)
    return {word: group for group, words in reversed(groups.items()) for word in words.split()}


@cache
def list_words(name: str) -> frozenset[str]:
    """Returns the words in the list `name` of `lexicon.memory_cues`, such as "ADVERBS"."""
    if name == "AUXILIARIES":
        return frozenset(verbs.AUXILIARIES.split())
    if name == "BARE":
        return frozenset([*verbs.REGULAR.split(), *lexicon.BARE.split()])
    listed: str = getattr(lexicon, name)
    return frozenset(listed.split())


def is_bare_verb(word: str) -> bool:
    """Returns whether a word can be a verb without an ending: `run`, `re-run`."""
    return word.removeprefix("re-") in list_words("BARE")


def shape(tokens: list[str]) -> str:
    """Returns the form of a clause by its first words: "imperative" for "run the tests"."""
    if len(tokens) > 1 and tokens[0] in list_words("ADVERBS"):
        rest = tokens[2:] if tokens[1] == "," else tokens[1:]
        if rest and is_bare_verb(rest[0]):
            return "imperative"
        if rest and rest[0] in _ASKING:
            tokens = rest
    if not tokens:
        return ""
    first, second = tokens[0], tokens[1] if len(tokens) > 1 else ""
    if first[0] == MASK:
        return "code"
    if opener := table("OPENERS").get(first):
        return _opened(opener, first, second, tokens)
    return _verb_shape(first, second)


def _opened(opener: str, first: str, second: str, tokens: list[str]) -> str:
    if opener == "not":
        if first in ("never", "avoid", "don't") or (first, second) == ("do", "not"):
            return "prohibition"
        return "imperative" if first == "do" else "negated noun"
    if opener in ("condition", "to", "with") and _asks_later(tokens):
        return "condition, imperative"
    return f"{opener} first"


def _verb_shape(first: str, second: str) -> str:
    if is_bare_verb(first):
        return _bare_shape(first, second)
    object_follows = second in list_words("OPENING_OBJECTS") and first.isalpha()
    if object_follows and not first.endswith(lexicon.NOUN_ENDINGS):
        third = first[-1] == "s" and first[-2:] not in ("ss", "us", "is")
        return "third person" if third else "imperative"
    if _past(first):
        return "participle first" if second in list_words("AFTER_PARTICIPLE") else "past verb"
    if first in third_person() or (first.endswith("s") and is_bare_verb(first[:-1])):
        return "third person"
    if first.endswith("ing") and len(first) > 5:
        return "gerund"
    return "number" if first[0].isdigit() else "noun"


@cache
def _third_person() -> frozenset[str]:
    return third_person() | {w for w in verbs.IRREGULAR.split() if w[-1] == "s"}


def _past(word: str) -> bool:
    """Returns whether a word is an irregular past form, or ends in -ed without being a compound
    like "role-based"."""
    if table("WORDS").get(word) == "past" and word not in list_words("AUXILIARIES"):
        return True
    return word.endswith("ed") and len(word) > 4 and "-" not in word.removeprefix("re-")


def _bare_shape(first: str, second: str) -> str:
    if second in (":", "=", ""):
        return "noun"
    if first not in list_words("NOUN_VERBS"):
        return "noun" if second in list_words("AUXILIARIES") else "imperative"
    asks = second in list_words("OBJECTS") or second[0] == MASK or second == "and"
    return "imperative" if asks else "bare verb"


def _asks_later(tokens: list[str]) -> bool:
    """Returns whether a clause has an instruction after a comma, arrow, dash or colon. An
    instruction begins with a verb in its base form: "If it fails, run …"."""
    for at, word in enumerate(tokens[:-1]):
        if word in (",", "→", "—", "-", ":"):
            after = tokens[at + 1 : at + 3]
            if after[0] in list_words("ADVERBS") and len(after) > 1:
                after = after[1:]
            if is_bare_verb(after[0]) or after[0] in _ASKING:
                return True
    return False


def main_verb(tokens: list[str]) -> str:
    """Returns "main " and the first finite verb: "main must" for "it must restart". Returns an
    empty string if there is none, or if a subordinate clause ("because …") comes before it."""
    known = table("WORDS")
    for at, word in enumerate(tokens):
        if at and word in list_words("SUBORDINATE"):
            return ""
        cue = known.get(word)
        if cue == "present" and _perfect(word, tokens[at + 1 : at + 3]):
            return "main perfect"
        if cue in ("must", "should", "can", "past", "present", "future"):
            return f"main {cue}"
        if at and (form := _form_between(tokens[at - 1], word, "".join(tokens[at + 1 : at + 2]))):
            return form
    return ""


def states_present(tokens: list[str]) -> bool:
    """Returns whether a clause is about the present: "failed jobs are repeated"."""
    return main_verb(tokens) in PRESENT or not {"is", "are"}.isdisjoint(tokens)


def _form_between(before: str, word: str, after: str) -> str:
    """Returns the verb form of `word` by its ending and its neighbours, or an empty string."""
    if word in _third_person() and (not _is_noun_too(word) or _begins_object(after)):
        return "main third person"
    if word[-1] == "s" and after in list_words("OPENING_OBJECTS") and _may_be_verb(word, before):
        return "main third person"
    if before in group("PLURAL_SUBJECTS") and is_bare_verb(word):
        return "main present"
    if word.endswith("ed") and len(word) > 4 and before not in list_words("BEFORE_NOUN"):
        return "participle" if after in list_words("AFTER_PARTICIPLE") else "main ed"
    return ""


def _may_be_verb(word: str, before: str) -> bool:
    """Returns whether a word in -s that is in no list can be a verb: it has four letters or more,
    and the word before it can be a noun."""
    plain = len(word) > 3 and not word.endswith(("ss", "us", "is", "'s"))
    return plain and before.isalpha() and before not in list_words("BEFORE_NOUN")


def _is_noun_too(word: str) -> bool:
    """Returns whether a third-person verb can also be a plural noun: `tests`, `changes`."""
    nouns = list_words("NOUN_VERBS")
    return word[:-1] in nouns or word[:-2] in nouns


def _begins_object(after: str) -> bool:
    return after in list_words("OBJECTS") or after[:1] == MASK or after[:1].isdigit()


def _perfect(word: str, after: list[str]) -> bool:
    return word in ("has", "have") and any(w == "been" or w.endswith(("ed", "en")) for w in after)
