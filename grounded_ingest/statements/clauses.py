"""Splits sentences into clauses and words, from which facts are read.

Finds subjects, verbs and technologies, and whether a clause is about the present, negated or
planned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain
from typing import NamedTuple

from msgspec import Struct

from grounded_ingest.text.code_spans import blank_code
from grounded_ingest.text.lexicon import fact_words, verbs
from grounded_ingest.text.lexicon.function_words import SETTINGS
from grounded_ingest.text.lexicon.technologies import AMBIGUOUS, KIND_WORDS, KINDS, RIVALS
from grounded_ingest.text.names import singular, word_stem
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.sentences import stops
from grounded_ingest.text.words import NEGATIONS, function_words, group

_WORD = compiled(
    r"""(?P<url>https?://[^\s<>)\]"'`|]*[^\s<>)\]"'`|.,;:!?])"""
    r"|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>(?:~|\.{1,2})?/[\w.@{}*$-]*[\w@{}*$](?:/[\w.@{}*$-]*[\w@{}*$])*/?|(?:\.?[\w-][\w.@-]*/)+(?:[\w.@{}*-]*[\w@{}*])?)"
    r"|(?P<num>v?\d+(?:[.,:_]\d+)*(?:[-–]\d+(?:[.:]\d+)*)*(?:\.[x*])?(?:%|(?:st|nd|rd|th)\b|[A-Za-zµ]+(?!\w))?\+?)"
    r"|(?P<word>\.?[^\W\d][\w]*(?:\.[\w+#]+)*(?:\+\+|\#)?(?:-[\w.+#]*[\w+#])*(?:['’](?!(?:s|m|re|ve|ll|d)\b)\w+)*)"
    r"|(?P<clitic>['’](?:s|m|re|ve|ll|d)\b)"
    r"|(?P<line>\n+)"
    r"|(?P<punct>->|[^\w\s])"
)
_QUIET = frozenset('`*"“”')


class Token(NamedTuple):
    """A word, number or punctuation mark between two offsets in a text. `kind` is word, num, path,
    url, email, line or punct. `low` is the text in lower case."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    kind: str


def words_of(text: str) -> list[Token]:
    """Returns the words and marks of a text without its quotation marks and backticks."""
    found: list[Token] = []
    for match in _WORD.finditer(text):
        kind, written = match.lastgroup or "punct", match[0]
        low = written.lower().replace("’", "'")
        if kind == "clitic":
            kind = "word"
        if written not in _QUIET:
            end = low if kind != "word" else word_stem(low)
            found.append(Token(written, low, end, match.start(), match.end(), kind))
    return found


class PhraseTable:
    """A table that maps phrases, which are sequences of words, to values."""

    def __init__(self) -> None:
        self._by_first: dict[str, list[tuple[tuple[str, ...], str]]] = {}

    def add(self, phrase: Sequence[str], value: str) -> None:
        listed = self._by_first.setdefault(phrase[0], [])
        listed.append((tuple(phrase), value))
        listed.sort(key=lambda entry: -len(entry[0]))

    def entries(self) -> Iterator[tuple[tuple[str, ...], str]]:
        yield from chain.from_iterable(self._by_first.values())

    def at(self, words: Sequence[str], at: int) -> list[tuple[int, str]]:
        """Returns the length and value of each phrase in the table that begins at the index `at` of
        `words`, the longest phrase first."""
        return [
            (len(phrase), value)
            for phrase, value in self._by_first.get(words[at], ())
            if tuple(words[at : at + len(phrase)]) == phrase
        ]


class Technology(NamedTuple):
    """A technology in a text: the indices of its words, and its kinds."""

    first: int
    end: int
    kinds: tuple[str, ...]


@cache
def _technologies() -> tuple[PhraseTable, frozenset[str]]:
    kinds: dict[str, dict[str, None]] = {}
    names: dict[str, str] = {}
    for kind, listed in KINDS.items():
        for entry in listed.split(", "):
            first, *others = entry.lower().split("=")
            for spelling in (first, *others):
                names.setdefault(spelling, first)
                kinds.setdefault(names[spelling], {})[kind] = None
    table = PhraseTable()
    for spelling, name in names.items():
        table.add([w.low for w in words_of(spelling)], " ".join(kinds[name]))
    return table, frozenset(name.lower() for name in AMBIGUOUS)


def technologies_in(words: Sequence[Token]) -> list[Technology]:
    """Returns the technologies in a list of words. A name that is also an English word ("Go")
    counts only with a capital letter, or beside a word for its kind ("install with yarn")."""
    table, ambiguous = _technologies()
    lows = [w.low for w in words]
    found: list[Technology] = []
    for at, word in enumerate(words):
        if found and at < found[-1].end:
            continue
        for length, kinds in table.at(lows, at)[:1]:
            listed = tuple(kinds.split())
            sure = length > 1 or word.low not in ambiguous or _is_name(words, at)
            if sure or _is_tool(words, at, listed):
                found.append(Technology(at, at + length, listed))
    return found


def _is_tool(words: Sequence[Token], at: int, kinds: Sequence[str]) -> bool:
    """Returns whether a word such as "yarn" or "black" means the tool: it is beside a word for its
    kind, or is the whole object of "use" ("use yarn", not "use black ink")."""
    rivals = [kind for kind in kinds if rival_tools(kind, words[at].low)]
    stems = {w.stem for w in words} if rivals else set()
    behind = words[at + 1] if at + 1 < len(words) else None
    ends = behind is None or behind.kind != "word" or behind.low in function_words()
    used = ends and at > 0 and words[at - 1].low in ("use", "uses", "using")
    return any(used or stems & kind_stems(kind) for kind in rivals)


@cache
def kind_stems(kind: str) -> frozenset[str]:
    """Returns the stems of the words for a kind of technology or a property, such as "port"."""
    named = (*stems_of(kind.replace("_", " ")), *map(word_stem, KIND_WORDS.get(kind, "").split()))
    return frozenset(named)


@cache
def rival_tools(kind: str, tool: str) -> frozenset[str]:
    """Returns the tools of a kind, including `tool`, of which a project uses only one, if any."""
    rows = (row.split() for row in RIVALS.get(kind, ()))
    return frozenset(other for row in rows if tool in row for other in row)


def _is_name(words: Sequence[Token], at: int) -> bool:
    """Returns whether a name that is also an English word, such as "Go", is used as a name."""
    if not words[at].text[:1].isupper():
        return False
    behind = words[at + 1].low if at + 1 < len(words) else ""
    listed = behind in ("is", ",", "and", "everywhere", "for", "licensed")
    return at > 0 or len(words[at].low) > 4 or listed or behind[:1].isdigit()


@lru_cache(maxsize=4096)
def stems_of(phrase: str) -> tuple[str, ...]:
    return tuple(w.stem for w in words_of(phrase))


UNKNOWN = "?"
"""The value of `Clause.subject` if the subject of the clause is a pronoun."""
BE = frozenset(fact_words.COPULAS.split())
_BREAKS = frozenset((
    ",", ";", "(", ")", "—", "–", "|", "and", "but", "or", "while", "whereas", "because",
))  # fmt: skip
_SUBORDINATE = frozenset((
    "when", "while", "if", "although", "though", "because", "as", "after", "before", "since",
))  # fmt: skip
_ASKING = frozenset((
    "what", "how", "why", "do", "does", "can", "could", "should", "would", "which", "who",
    "where",
))  # fmt: skip
_ASKED = frozenset(("you", "we", "i", "database", "the", "your", "my", "is", "are", "do", "does"))
_SETTINGS = {word: name for name, listed in SETTINGS.items() for word in listed.split()}


class Meaning(NamedTuple):
    """What a sentence says about one of its words: whether it is denied, and its time, which is
    `now`, `before`, `planned` or `maybe`: "npm" is `before` in "we formerly used npm"."""

    time: str = "now"
    denied: bool = False


_CHANGES = [
    (compiled(pattern), meaning)
    for patterns, meaning in (
        (fact_words.OVER, Meaning("before")),
        (fact_words.CHANGES, Meaning("before")),
        (fact_words.DENIED, Meaning(denied=True)),
        (fact_words.PLANNED, Meaning("planned")),
        (fact_words.CONSIDERED, Meaning("maybe")),
    )
    for pattern in patterns
]


class Clause(NamedTuple):
    """A part of a sentence. `start`, `end` and `verb` are indices of its words; `verb` is -1 if
    there is none. `subject` is empty for the speaker or the project. `setting` is an environment
    such as "production", or empty."""

    start: int
    end: int
    verb: int
    subject: str
    setting: str


class Sentence(Struct, frozen=True):
    """A sentence with its clauses, `pieces`. Their indices refer to `tokens`. `meant` has the
    meaning of each token."""

    tokens: list[Token]
    pieces: list[Clause]
    meant: list[Meaning]
    question: bool

    def piece(self, at: int) -> Clause:
        """Returns the clause that contains the word at the index `at`. For a punctuation mark
        between two clauses, returns the first clause."""
        return next((p for p in reversed(self.pieces) if p.start <= at), self.pieces[0])

    @property
    def start(self) -> int:
        return self.tokens[0].start

    @property
    def end(self) -> int:
        return self.tokens[-1].end


def sentences_of(text: str) -> list[Sentence]:
    ends, found, mine = stops(blank_code(text) if "`" in text else text), [], []
    for word in (*words_of(text), None):
        if word is not None and word.start not in ends and word.kind != "line":
            mine.append(word)
            continue
        if mine and (pieces := _clauses(mine)):
            asks = word is not None and word.low == "?"
            asks = asks or (mine[0].low in _ASKING and len(mine) > 2 and mine[1].low in _ASKED)
            meant = _Meanings(text, mine).read(pieces)
            found.append(Sentence(mine, pieces, meant, asks))
        mine = []
    return found


def _clauses(tokens: list[Token]) -> list[Clause]:
    found: list[Clause] = []
    start = 0
    for at in range(len(tokens) + 1):
        if at == len(tokens) or tokens[at].low in _BREAKS:
            if at > start:
                found.append(_clause(tokens, start, at, found[-1] if found else None))
            start = at + 1
    return found


def _clause(tokens: list[Token], start: int, end: int, before: Clause | None) -> Clause:
    verb = _verb_of(tokens, start, end)
    head = tokens[start : verb if verb >= 0 else start]
    named = [w for w in head if w.low not in group("ADVERBS") and w.kind != "punct"]
    named = [w for w in named if w.low not in group("AUXILIARIES") | NEGATIONS | _SUBORDINATE]
    others = [w for i, w in enumerate(tokens[start:end], start) if i != verb]
    setting = next((_SETTINGS[w.low] for w in others if w.low in _SETTINGS), "")
    if named or before is None:
        return Clause(start, end, verb, subject_key(named), setting)
    return Clause(start, end, verb, before.subject, setting or before.setting)


def _verb_of(tokens: list[Token], start: int, end: int) -> int:
    """Returns the index of the verb in a clause, or -1. In "the upload limit is" the verb is "is",
    although "limit" can be a verb."""
    found = [i for i in range(start, end) if is_verb(tokens, i, start)]
    be = next((i for i in found if tokens[i].low in BE), -1)
    if be >= 0 and tokens[start].low in group("DETERMINERS"):
        return be
    if found[1:] and found[0] == start and (found[1] == be or tokens[start].low.endswith("s")):
        between = {t.low for t in tokens[start + 1 : found[1]]}
        return found[0] if between & function_words() else found[1]  # "Failed requests are"
    return found[0] if found else -1


_NOUN_ENDINGS = ("er", "ment", "ion", "al", "ity")
_LISTED_VERBS = frozenset(f"{verbs.REGULAR} {verbs.IRREGULAR} {fact_words.MORE_VERBS}".split())


_VERB_STEMS = frozenset(map(word_stem, _LISTED_VERBS)) - {"last", "test", "port", "host", "cod"}


def is_verb(tokens: Sequence[Token], at: int, start: int) -> bool:
    """Returns whether a word of the clause that begins at `start` is a verb."""
    word = tokens[at]
    before = tokens[at - 1].low if at > start else ""
    if word.low in BE:
        hour = word.low == "am" and at > 0 and tokens[at - 1].kind == "num"
        return not hour and not (word.low == "'s" and _possesses(tokens, at))
    if before == "'s" or before in group("DETERMINERS") | group("PREPOSITIONS") - {"to"}:
        return False
    if word.low in ("have", "has", "had", "'ve"):
        return at + 1 >= len(tokens) or not tokens[at + 1].low.endswith(("ed", "en"))
    if word.kind != "word":
        return False
    if before in group("PLURAL_SUBJECTS") | {"he", "she", "it", "user"}:
        return word.low not in group("ADVERBS") | group("AUXILIARIES")
    return _known(word, named=at > start and tokens[at - 1].text[:1].isupper(), opens=at == start)


def _known(word: Token, *, named: bool, opens: bool) -> bool:
    """Returns whether a word is a known verb, or ends in -ed after a name: "Spotify hired you"."""
    if word.text[:1].isupper() and not opens:
        return False
    plain = word.low.removesuffix("s")
    if plain.endswith(_NOUN_ENDINGS) and plain not in _LISTED_VERBS:
        return False  # "Worker metrics are", "Payment requests time out"
    return word.stem in _VERB_STEMS or (named and word.low.endswith("ed"))


def _possesses(tokens: Sequence[Token], at: int) -> bool:
    """Returns whether `'s` marks a possessor, as in "User's name" and not in "he's vegan"."""
    before = tokens[at - 1].low if at else ""
    behind = tokens[at + 1] if at + 1 < len(tokens) else None
    pronoun = before in ("he", "she", "it", "that", "there", "what", "who")
    return not pronoun and behind is not None and behind.low not in ("a", "an", "the", "not")


_GENERAL = frozenset(_SETTINGS).union(
    {"'s", "service", "team", "server", "module", "new"},
    *map(group, ("DETERMINERS", "SELF", "ADVERBS", "WHOLE", "PREPOSITIONS")),
)
"""Words that are ignored when subjects are compared, because any subject may have them."""


def subject_key(tokens: Sequence[Token]) -> str:
    """Returns a string that identifies a subject. It is empty for the speaker ("we") or the
    project, and `UNKNOWN` for other pronouns."""
    kept = [w for w in tokens if w.low not in _GENERAL and w.kind != "punct"]
    if any(w.low in group("PRONOUNS") for w in kept):
        return UNKNOWN
    names = {w for w in kept[1:] if w.text[:1].isupper()}  # "Jenkins" is not a plural
    return " ".join(w.low if w in names else singular(w.low) for w in kept)


class _Meanings:
    """Finds out which words of a sentence are about the present, the past or a plan, and which are
    negated. Later patterns override earlier patterns."""

    def __init__(self, text: str, tokens: list[Token]) -> None:
        self.tokens, self.first = tokens, tokens[0].start
        self.found = [Meaning()] * len(tokens)
        low = text[self.first : tokens[-1].end].lower().replace("’", "'")
        self.changes = [(m, how) for pattern, how in _CHANGES for m in pattern.finditer(low)]

    def read(self, pieces: list[Clause]) -> list[Meaning]:
        for match, meaning in self.changes:
            for name in match.groupdict().keys() - {"come"}:
                self._fill(match.span(name), meaning)
        self._settle()
        for at, token in enumerate(self.tokens):
            behind = self.tokens[at + 1].low if at + 1 < len(self.tokens) else ""
            if token.low in NEGATIONS and behind not in ("only", "just", "sure", "more", "longer"):
                end = next((p.end for p in pieces if p.start <= at < p.end), len(self.tokens))
                for i in range(at + 1, end):
                    self.found[i] = Meaning(self.found[i].time, denied=True)
        return self.found

    def _settle(self) -> None:
        """Sets the meaning of both values in a change such as "from Redis to Kafka". The new value
        is the current value, or the old one if the change is only planned or considered."""
        open_ends = [m.span() for m, how in self.changes if how.time in ("planned", "maybe")]
        for match, how in self.changes:
            undecided = any(start <= match.start() < end for start, end in open_ends)
            side = "gone" if undecided else "come"
            if how.time == "before" and match.groupdict().get(side):
                self._fill(match.span(side), Meaning())

    def _fill(self, span: tuple[int, int], meaning: Meaning) -> None:
        for at, token in enumerate(self.tokens):
            if span[0] <= token.start - self.first < span[1]:
                self.found[at] = meaning
