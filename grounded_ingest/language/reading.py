"""A text, read once: every stage reads a text through its Reading, and none reads it again.

Each notion is imported when it is asked for: a commit that touches no claim needs none of them.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from grounded_ingest.language.word_keys import bare_word, word_list

if TYPE_CHECKING:
    from functools import cached_property

    from grounded_ingest.language.amount_match import Amount
    from grounded_ingest.language.force import ForceWord
    from grounded_ingest.language.parse import Sentence
    from grounded_ingest.language.polarity import Modality
    from grounded_ingest.language.terms import PlacedWord, Term
    from grounded_ingest.language.tokens import Token
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


class Reading:
    """What a text says, notion by notion: each is computed when it is first asked for, and kept.

    `masked` has code, links and quotations blanked, character for character; `cited` are its
    citations as written; `code`: it is a line of code or configuration.
    """

    def __init__(
        self, text: str, masked: str = "", cited: tuple[str, ...] = (), *, code: bool = False
    ) -> None:
        self.text, self.masked, self.cited, self.code = text, masked, cited, code

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Lower case, in order, outer punctuation stripped."""
        return word_list(self.text)

    @cached_property
    def word_set(self) -> frozenset[str]:
        return frozenset(self.words)

    @cached_property
    def folded(self) -> tuple[str, list[int] | None]:
        """The masked text in plain lower-case letters, and where each of them came from."""
        from grounded_ingest.language.confusables import fold

        return fold(self.masked)

    @cached_property
    def cues(self) -> list[str]:
        """Words, marks and stops of the masked text: what tells the form of a clause."""
        from grounded_ingest.language.clause_form import tokens_of

        return tokens_of(self.masked)

    @cached_property
    def tokens(self) -> list[Token]:
        """With their places, stems and kinds."""
        from grounded_ingest.language.tokens import tokenize

        return tokenize(self.text)

    @cached_property
    def sentences(self) -> list[Sentence]:
        """In clauses, every word with the way it is meant: now, before, planned, denied."""
        from grounded_ingest.language.mask import masked_code
        from grounded_ingest.language.parse import read_sentences
        from grounded_ingest.language.sentences import stops

        return read_sentences(self.tokens, stops(self.masked or masked_code(self.text)))

    @cached_property
    def has_verb(self) -> bool:
        from grounded_ingest.language.statements import has_verb

        return has_verb(self.text)

    @cached_property
    def negated(self) -> bool:
        from grounded_ingest.language.polarity import negated

        return negated(self.text)

    @cached_property
    def denials(self) -> list[str]:
        """Its words that deny something, be it only one of its adverbials."""
        from grounded_ingest.language.polarity import denials

        return denials(self.text)

    @cached_property
    def denies_within(self) -> bool:
        """Whether a compound of it denies a part of itself."""
        from grounded_ingest.language.polarity import denies_within

        return denies_within(self.text)

    @cached_property
    def modality(self) -> Modality:
        from grounded_ingest.language.polarity import modality

        return modality(self.text)

    @cached_property
    def amounts(self) -> tuple[Amount, ...]:
        """Numbers with what they count or measure, dates among them."""
        from grounded_ingest.language.amounts import amounts

        return amounts(self.text, self.code)

    @cached_property
    def terms(self) -> list[Term]:
        """What it holds beside numbers and words that state nothing."""
        from grounded_ingest.language.terms import claim_terms

        return claim_terms(self.text)

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all its words: what terms are looked up by."""
        from grounded_ingest.language.terms import source_keys

        return source_keys(self.text)

    @cached_property
    def placed(self) -> tuple[PlacedWord, ...]:
        """Its tokens with their places and keys: what a claim's terms are aligned with."""
        from grounded_ingest.language.terms import placed_words

        return placed_words(self.text)

    @cached_property
    def force(self) -> tuple[ForceWord, ...]:
        """Its words that change what it claims: denials, quantifiers, conditions, time, cause."""
        from grounded_ingest.language.force import force_words

        return force_words(self.text)

    @cached_property
    def uncited_words(self) -> tuple[str, ...]:
        """Its words as written, those of its citations left out."""
        return tuple(filter(bare_word, self.uncited.text.split()))

    @cached_property
    def uncited(self) -> Reading:
        """Without its citations, what leads to them and their marks: what the claim itself says."""
        from grounded_ingest.language.citation_removal import uncited

        return read_text(uncited(self.text, self.cited))


@lru_cache(maxsize=1 << 14)
def read_text(text: str, *, code: bool = False) -> Reading:
    """The Reading of a text that nothing is known of."""
    return Reading(text, code=code)


def read_claim(claim: Claim) -> Reading:
    """The Reading of a claim."""
    return _of_claim(claim.text, claim.masked, tuple([c.raw for c in claim.citations]))


@lru_cache(maxsize=1 << 14)
def _of_claim(text: str, masked: str, cited: tuple[str, ...]) -> Reading:
    return Reading(text, masked, cited)
