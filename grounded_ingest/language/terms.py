"""The words of a text, as keys that are equal for what may stand for each other."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Literal

from msgspec import Struct

from grounded_ingest.language.closed_classes import function_words, light_words
from grounded_ingest.language.identifiers import is_joined
from grounded_ingest.language.lexicon import support_words
from grounded_ingest.language.lexicon.synonym_stems import STEMS
from grounded_ingest.language.lexicon.synonyms import GROUPS
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.stemming import aliases, stem

TermKind = Literal["word", "name", "id", "path"]

_TOKEN = compiled(
    r"https?://[^\s)>\]]+"
    r"|(?:[\w.@~*{}-]*/)+[\w.@*{}-]*[\w*}]"
    r"|[^\W\d_]+[’'](?:t|s|re|ve|ll|d|m)\b"
    r"|(?<![\w-])--?[a-z][\w-]+(?<![-_])(?=[\s`,.)=]|$)"
    r"|[^\W\d][\w]*(?:(?:\.|::|->|#)[^\W\d]\w*)*(?:-\d\w*)*(?:\(\))?(?:\+\+|\#)?"
)
_PARTS = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\d_A-Za-z]+")
_CODE = compiled(r"`([^`]+)`")
# What labels a claim or a part of it is written with capitals and names nothing.
_LABEL = compiled(r"\W*(?:[^\s:.;`]+\s+){0,5}[^\s:.;`]+\s?:(?=\s|$)")
_PLAIN = compiled(r"[A-Z][a-z]+")
# Ticks, crosses and other pictures, as they open an item.
_SIGN = compiled(r"[\u2500-\u2bff\ufe0f\U0001f000-\U0001faff]$")


class Term(Struct, frozen=True):
    """A word of a claim that has to be found: `keys` are its stem, its root, groups of synonyms."""

    kind: TermKind
    text: str
    low: str
    stem: str
    root: str
    groups: tuple[str, ...]
    weight: float
    start: int


def stemmed_groups() -> dict[str, tuple[str, ...]]:
    """Groups of synonyms by the stems of their words, from the tables."""
    found: dict[str, list[str]] = {}
    for number, words in enumerate(
        (*GROUPS, *support_words.CODE_GROUPS, *support_words.PROSE_GROUPS)
    ):
        for word in words.split():
            found.setdefault(stem(word), []).append(f"~{number}")
    return {word: tuple(dict.fromkeys(numbers)) for word, numbers in found.items()}


@cache
def synonyms() -> dict[str, tuple[str, ...]]:
    """The groups of `lexicon.synonyms` alone, without what code and acts say: as memories license
    words, where a false partner lets an invention pass."""
    prose = frozenset(f"~{n}" for n in range(len(GROUPS)))
    kept = ((word, tuple(g for g in groups if g in prose)) for word, groups in _groups().items())
    return {word: groups for word, groups in kept if groups}


@cache
def _groups() -> dict[str, tuple[str, ...]]:
    """The same as it was drawn: stemming every table takes longer than comparing ten claims."""
    rows = (row.rpartition(":") for row in STEMS.split())
    return {word: tuple(f"~{n}" for n in numbers.split(",")) for word, _, numbers in rows}


@cache
def words_of(name: str) -> frozenset[str]:
    """A list of `lexicon.support_words` as a set."""
    return frozenset(getattr(support_words, name).split())


@cache
def _generic() -> frozenset[str]:
    return frozenset(stem(w) for w in support_words.GENERIC.split())


@cache
def _light() -> frozenset[str]:
    return frozenset(map(stem, light_words()))


@cache
def _endings() -> tuple[frozenset[str], range]:
    """The endings, and their lengths from the longest."""
    endings = frozenset(support_words.ENDINGS.split())
    return endings, range(max(map(len, endings)), 0, -1)


@lru_cache(maxsize=65536)
def root(word: str) -> str:
    """A word without derivation: authentication, authenticated; deliver, delivery."""
    bare = stem(word)
    if not bare.isascii() or not bare.isalpha():
        return bare
    endings, lengths = _endings()
    for length in lengths:
        if len(bare) - length >= 4 and bare[-length:] in endings:
            bare = bare[:-length]
            break
    return bare.rstrip("aeiouy") if len(bare) > 4 else bare


@lru_cache(maxsize=65536)
def word_parts(token: str) -> tuple[str, ...]:
    """The words a path or an identifier is made of, lower case."""
    return tuple(p.lower() for p in _PARTS.findall(token))


@lru_cache(maxsize=65536)
def _keys(token: str) -> frozenset[str]:
    """Every key a token of a source has: its own, of its parts, of its last name."""
    low = token.lower().removesuffix("()")
    if low.isalpha() and (low == token or token[1:].islower()):
        return _part(low) | {f"`{low}"}
    parts = word_parts(token)
    found = {f"`{low}"}.union(*map(_part, (*parts, low)))
    for separator in (".", "::", "/", "->"):
        if separator in low:
            found.update(f"`{p}" for p in low.split(separator))
    if len(parts) > 1:
        found.add(f"=`{''.join(parts)}")
    return frozenset(found)


@lru_cache(maxsize=65536)
def _part(word: str) -> frozenset[str]:
    """The keys of one word, lower case."""
    bare = stem(word)
    found = {bare, f"^{root(word)}", f"={word}", *_groups().get(bare, ())}
    if (alias := aliases().get(word)) is not None:
        found.update(f"={alias} ={alias.split()[0]}".split())
    return frozenset(found)


class PlacedWord(Struct, frozen=True):
    """A token of a source where it stands, with every key it has."""

    start: int
    text: str
    keys: frozenset[str]


def placed_words(text: str) -> tuple[PlacedWord, ...]:
    """The tokens of a source's text, in order."""
    return tuple(PlacedWord(m.start(), m[0], _keys(m[0])) for m in _TOKEN.finditer(text))


def source_keys(text: str) -> frozenset[str]:
    """The keys of all the words of a source's text."""
    return frozenset().union(*map(_keys, _TOKEN.findall(text)))


def claim_terms(text: str) -> list[Term]:
    """What a claim holds beside numbers and words that state nothing."""
    found: list[Term] = []
    label = _LABEL.match(text)
    labelled = label.end() if label else 0
    code = [(m.start(1), m.end(1), " " not in m[1].strip()) for m in _CODE.finditer(text)]
    for match in _TOKEN.finditer(text):
        token, start = match[0], match.start()
        if _names_nothing(token):
            continue
        inside = next((single for a, b, single in code if a <= start < b), None)
        kind = _kind(token, text, start, inside)
        labels = start < labelled or text.startswith(": ", match.end())
        if kind == "word" or (kind == "name" and labels and _is_capitalised(token)):
            found += (_term("word", w, start) for w in _telling_words(token))
        else:
            found.append(_term(kind, token, start))
    return found


def _names_nothing(token: str) -> bool:
    """Whether a token is an address, an abbreviation or a fraction."""
    if token.startswith("http") or token.lower() in ("e.g", "i.e", "a.k.a"):
        return True
    return "/" in token and token.replace("/", "").isdigit()


def _is_capitalised(token: str) -> bool:
    """Whether a token may be any word with a capital."""
    return bool(_PLAIN.fullmatch(token)) and token.lower() not in aliases()


def _telling_words(token: str) -> Iterator[str]:
    """The words of a token that state something, lower case."""
    for part in word_parts(token) if "-" in token else (token.lower().replace("’", "'"),):
        word = part.removesuffix("'s")
        if word not in function_words() and len(word) > 1:
            yield word


def _term(kind: TermKind, token: str, start: int) -> Term:
    low = token.lower().removesuffix("()").lstrip("-")
    bare = stem(low)
    weight = 1.5 if kind == "name" else 2.0
    if kind == "word":
        weight = 0.3 if bare in _light() else 0.6 if bare in _generic() else 1.0
    return Term(kind, token, low, bare, root(low), _groups().get(bare, ()), weight, start)


def _kind(token: str, text: str, start: int, inside: bool | None) -> TermKind:
    if "/" in token:
        plain = all(p.isalpha() for p in token.split("/"))
        return "word" if plain and inside is None else "path"
    if inside:
        return _file_or_identifier(token)
    if is_joined(token):
        return "id"
    return _file_or_identifier(token) if "." in token else _name_or_word(token, text, start)


def _file_or_identifier(token: str) -> TermKind:
    _, dot, ending = token.rpartition(".")
    return "path" if dot and ending.lower() in _EXTENSIONS else "id"


def _name_or_word(token: str, text: str, start: int) -> TermKind:
    if token in words_of("WEAK_NAMES"):
        return "word"
    if token.lower() in function_words() and not token.isupper():
        return "word"
    if "-" in token:
        return "name"
    if any(c.isupper() for c in token[1:]):
        named = token.isupper() or token[0].isupper() or any(c.isdigit() for c in token)
        return "name" if named else "id"
    if not token[0].isupper():
        return "word"
    return "word" if _begins(text, start) and token.lower() not in aliases() else "name"


_EXTENSIONS = frozenset(support_words.EXTENSIONS.split())


def _begins(text: str, start: int) -> bool:
    """Whether a word begins a sentence, an item or a quotation, where anything is capitalised."""
    before = text[:start].rstrip(" \t\"'“‘([*_~")
    return not before or before[-1] in ".!?:;\n|•–—-→/" or bool(_SIGN.search(before[-1]))


@lru_cache(maxsize=8192)
def reach(term: Term) -> frozenset[str]:
    """Every key by which a term can be found; where none of them is, its grade is 0."""
    low = term.low
    found = {term.stem, f"^{term.root}", *term.groups}
    if term.kind != "word":
        last = low.replace("::", ".").replace("->", ".").replace("/", ".")
        parts = word_parts(term.text)
        found |= {f"`{low}", f"={low}", f"`{low.rpartition('/')[2]}", f"`{last.rpartition('.')[2]}"}
        found |= {f"=`{''.join(parts)}", f"={aliases().get(low, low)}"}
        found |= {k for p in parts for k in (stem(p), f"={p}")}
    return frozenset(found)


def grade(term: Term, known: frozenset[str]) -> float:
    """How surely a term is among keys: 1 itself, less for kin and synonyms, 0 not at all."""
    if term.kind in ("id", "path", "name"):
        return _named(term, known)
    if term.stem in known:
        return 1.0
    if f"^{term.root}" in known:
        return 0.9
    return 0.6 if any(g in known for g in term.groups) else 0.0


def _named(term: Term, known: frozenset[str]) -> float:
    low = term.low
    if f"`{low}" in known or f"={low}" in known or f"={aliases().get(low, low)}" in known:
        return 1.0
    if term.kind == "path":
        return float(f"`{low.rpartition('/')[2]}" in known)
    return _name_grade(term, known) if term.kind == "name" else _identifier_grade(term, known)


def _name_grade(term: Term, known: frozenset[str]) -> float:
    parts = word_parts(term.text)
    if f"=`{''.join(parts)}" in known:
        return 1.0
    if term.stem in known or (len(parts) > 1 and all(stem(p) in known for p in parts)):
        return 0.9
    return 0.0


def _identifier_grade(term: Term, known: frozenset[str]) -> float:
    names = term.low.replace("::", ".").replace("->", ".").replace("/", ".")
    last = names.rpartition(".")[2]
    if last != names and f"`{last}" in known:
        return 0.9
    parts = word_parts(term.text)
    if f"=`{''.join(parts)}" in known:
        return 1.0
    if len(parts) == 1:
        return 0.9 if term.stem in known else 0.0
    return 0.8 if parts and all(stem(p) in known or f"={p}" in known for p in parts) else 0.0
