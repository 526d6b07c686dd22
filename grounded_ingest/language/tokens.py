"""Text as words with their positions, stems and what they can name."""

from __future__ import annotations

from functools import cache

from msgspec import Struct

from grounded_ingest.language.closed_classes import group
from grounded_ingest.language.lexicon import frame_words
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.phrase_table import Phrases
from grounded_ingest.language.stemming import canonical, stem

_TOKEN = compiled(
    r"""(?P<url>https?://[^\s<>)\]"'`|]*[^\s<>)\]"'`|.,;:!?])"""
    r"|(?P<email>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)"
    r"|(?P<path>(?:~|\.{1,2})?/[\w.@{}*$-]*[\w@{}*$](?:/[\w.@{}*$-]*[\w@{}*$])*/?|(?:\.?[\w-][\w.@-]*/)+(?:[\w.@{}*-]*[\w@{}*])?)"
    r"|(?P<num>v?\d+(?:[.,:_]\d+)*(?:[-–]\d+(?:[.:]\d+)*)*(?:\.[x*])?(?:%|(?:st|nd|rd|th)\b|[A-Za-zµ]+(?!\w))?\+?)"
    r"|(?P<word>\.?[^\W\d][\w]*(?:\.[\w+#]+)*(?:\+\+|\#)?(?:-[\w.+#]*[\w+#])*(?:['’](?!(?:s|m|re|ve|ll|d)\b)\w+)*)"
    r"|(?P<clitic>['’](?:s|m|re|ve|ll|d)\b)"
    r"|(?P<line>\n+)"
    r"|(?P<punct>->|[^\w\s])"
)
_PAIRS = frozenset(frame_words.TOKENS_PAIRS.split())
_LETTERS = frozenset(frame_words.TOKENS_LETTERS.split())
_WORDS = frozenset(frame_words.TOKENS_WORDS.split())
_BEHIND = frozenset(frame_words.TOKENS_BEHIND.split())
_QUIET = frozenset('`*"“”')


class Token(Struct, frozen=True):
    """`kind`: word, num, path, url, email, line or punct."""

    text: str
    low: str
    stem: str
    start: int
    end: int
    kind: str


def tokenize(text: str) -> list[Token]:
    """The tokens of a text; quotation and code marks left out."""
    found: list[Token] = []
    for match in _TOKEN.finditer(text):
        kind, start, end = match.lastgroup or "punct", match.start(), match.end()
        written = match[0]
        if written in _QUIET:
            continue
        if kind == "path" and not _is_path(written):
            found.extend(_split(written, start))
            continue
        if kind in ("word", "clitic"):
            low = written.lower().replace("’", "'")
            found.append(Token(written, low, stem(low), start, end, "word"))
        else:
            low = written.lower()
            found.append(Token(written, low, low, start, end, kind))
    return found


def _is_path(written: str) -> bool:
    low = written.lower()
    if low in _PAIRS:
        return False
    if (low,) in technologies().exact:
        return True
    parts = [p for p in written.split("/") if p]
    if written.startswith(("/", "~", ".")) or written.endswith("/") or len(parts) < 2:
        return True
    plain = all(p.replace("-", "").replace("+", "").replace("#", "").isalpha() for p in parts)
    return not (plain and any(p[:1].isupper() for p in parts))


def _split(written: str, at: int) -> list[Token]:
    found = []
    for part in written.split("/"):
        if part:
            low = part.lower()
            found.append(Token(part, low, stem(low), at, at + len(part), "word"))
        at += len(part)
        found.append(Token("/", "/", "/", at, at + 1, "punct"))
        at += 1
    return found[:-1]


class Entity(Struct, frozen=True):
    """A technology in a text: the tokens it takes, its name and its kinds."""

    first: int
    end: int
    name: str
    kinds: frozenset[str]


class _Technologies(Struct, frozen=True):
    phrases: Phrases
    exact: dict[tuple[str, ...], tuple[str, frozenset[str]]]
    ambiguous: frozenset[str]


@cache
def technologies() -> _Technologies:
    from grounded_ingest.language.lexicon.technologies import AMBIGUOUS, KINDS

    kinds: dict[str, set[str]] = {}
    spelt: dict[str, str] = {}
    for kind, listed in KINDS.items():
        for entry in listed.split(", "):
            name, *others = entry.split("=")
            for spelling in (name, *others):
                spelt.setdefault(spelling.lower(), name)
                kinds.setdefault(spelt[spelling.lower()], set()).add(kind)
    exact, phrases = {}, Phrases(stems=False)
    for spelling, name in spelt.items():
        key = tuple(spelling.replace("(", " ").split())
        exact[key] = (name, frozenset(kinds[name]))
        phrases.add(spelling, spelling)
    return _Technologies(phrases, exact, frozenset(a.lower() for a in AMBIGUOUS))


def entities(tokens: list[Token], *, governed: bool = False) -> list[Entity]:
    """The technologies that tokens name. `governed`: a verb says that one must stand here."""
    table, found, at = technologies(), [], 0
    while at < len(tokens):
        hit = table.phrases.at(tokens, at)
        if hit is None or not (governed or _meant(tokens, at, hit[0], table.ambiguous)):
            at += 1
            continue
        length, spelling = hit
        name, kinds = table.exact[tuple(spelling.split())]
        found.append(Entity(at, at + length, name, kinds))
        at += length
    return found


def _meant(tokens: list[Token], at: int, length: int, ambiguous: frozenset[str]) -> bool:
    """Whether a name that is an English word too is meant as a name."""
    token = tokens[at]
    if length > 1 or token.low not in ambiguous:
        return True
    if not token.text[:1].isupper():
        return False
    first = at == 0 or (tokens[at - 1].kind in ("line", "punct") and tokens[at - 1].low in ".!?:\n")
    if len(token.low) == 1:
        return not first and tokens[at - 1].low in _LETTERS
    if token.low in _WORDS:
        behind = tokens[at + 1].low if at + 1 < len(tokens) else ""
        return not first or behind in _BEHIND or behind[:1].isdigit()
    return True


def name_key(tokens: list[Token]) -> str:
    """Tokens as a key: canonical, without determiners."""
    left_out = group("DETERMINERS") | group("SELF")
    return canonical(" ".join(t.low for t in tokens if t.low not in left_out and t.low != "'s"))
