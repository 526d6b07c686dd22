"""What a sentence says of its own citation: meant as a commit, gone, planned, of elsewhere."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Literal

from grounded_ingest.language.closed_classes import function_words
from grounded_ingest.language.lexicon import citation_cues as citing
from grounded_ingest.language.patterns import compiled
from grounded_ingest.language.statements import finite_verbs
from grounded_ingest.model.claims import CitationKind

Cue = Literal["", "meant", "gone", "planned", "foreign"]

_NUMBERED = compiled(r"([^\W\d_][\w'’-]*)\.?[ \0]?$")
_DERIVED = compiled(r"\w{3}(?:ed|ing|ly)$")
_TOPMOST = compiled(r"\b(?:the|our|is|are|your|my)[ \0]?$", re.IGNORECASE)
_MEANT = compiled(
    r"\b(?:commits?|sha|sha1|revisions?|changesets?|receipts?|cherry-?picked|(?:fixed|introduced|"
    r"reverted|landed|"
    r"merged|added|removed|shipped|implemented|resolved|done|changed)\s+(?:in|by|as|with))\b"
    r"[^.;!?]{0,60}$",
    re.IGNORECASE,
)
# Several may be listed: "commits 1234567, abcdefa and deadbee1".
_NAMED_COMMIT = compiled(
    rf"\b(?:{citing.COMMIT})[\s`:=(*_]{{0,3}}(?:`?[0-9a-f]{{7,40}}`?[\s,/&]+(?:(?:and|or|to)\s+)?`?)*$",
    re.IGNORECASE,
)
_FOREIGN = compiled(
    r"\b(?:upstream|pinned|submodule|vendored|digest|sha-?256|fork|docker|image)\b", re.IGNORECASE
)
_GONE_BEFORE = compiled(
    r"\b(?:removed?|removes|removing|deleted?|deletes|deleting|dropped|drops|renamed?|"
    r"renames|missing|"
    r"dead|broken|stale|non-?existent|no longer|formerly|obsolete|retired?|replaced?|"
    r"replaces|not in|no)\s+"
    r"(?:(?:the|a|an|old|file|files|module|link|path|reference|references|to|legacy|its|"
    r"our)\s+){0,3}$",
    re.IGNORECASE,
)
_GONE_AFTER = compiled(
    r"[\s,—–-]*(?:(?:that|this|the|which|it)\s+)?(?:file|files|link|links|module|path|"
    r"reference)?\s*(?:\((?:missing|deleted|"
    r"removed|dead|gone|404|broken|moved)\b|"
    r"(?:(?:was|were|is|are|has been|have been|got|now)\s+(?:\w+\s+){0,2}?(?:removed|"
    r"deleted|dropped|gone|"
    r"missing|renamed|moved|replaced|broken|retired|obsolete|dead)\b)|(?:do|does|"
    r"did)(?:n't|n’t| not) "
    r"(?:exist|resolve)|no longer exists?|not found|(?:is|are) not (?:in|a|there)|never existed)",
    re.IGNORECASE,
)
_PLANNED_BEFORE = compiled(
    r"\b(?:will (?:be )?(?:create|created in|add|write|live in|go in|go into|put in)|"
    r"creates?|creating|created|"
    r"generates?|generated(?: in| to| at| as)?|outputs?(?: to)?|writes?(?: to| into)?|"
    r"written to|saved?(?: to| in| as)?|"
    r"saves(?: to| in)?|produces?|emits?|planned|proposed|new|touch|mkdir(?: -p)?)\s+"
    r"(?:(?:the|a|an|new|file|files|to|in|at|directory|report|output)\s+){0,3}$",
    re.IGNORECASE,
)
_PLANNED_AFTER = compiled(
    r"\s*(?:\((?:new|planned|todo|to be |generated|not yet|git-?ignored|ignored|optional|"
    r"auto|if )|(?:is|are) "
    r"(?:(?:auto-?)?generated|git-?ignored|created|written|not committed)|will be|does not yet|"
    r"doesn't yet|if (?:it|present))",
    re.IGNORECASE,
)

# What a sentence offers as an example it does not cite.
_EXAMPLE = compiled(
    r"(?:\b(?:for example|for instance|such as|e\.g\.|example(?: \w+)?:|examples?:)|\blike)"
    r"[\s,:(]*(?:(?:a|an|the)\s+)?(?:`[^`]*`[\s,/]*(?:(?:and|or)\s+)?)*$",
    re.IGNORECASE,
)
# Only other decisions may stand between: "Supersedes ADR-039 (router), ADR-043".
_SUPERSEDING = compiled(
    r"\b(?:supersed(?:es|ed|ing)?|obsoletes?|deprecates?|replaces?|subsumes?):?\s+"
    r"(?:(?:drafts?|decisions?)\s+)?(?:ADRs?[-\s]?\d+[a-z]?(?:\s*\([^()]*\))?[\s,/&]*(?:and\s+)?)*$",
    re.IGNORECASE,
)

_COLOUR = compiled(r"\b(?:colou?rs?|background|foreground|palette|hex)\b", re.IGNORECASE)
_PLACEHOLDER = compiled(
    r"ed25519|abc123[0-9a-f]*|abcdef[0-9a-f]*|a1b2c3[0-9a-f]*|12345[0-9a-f]*|deadbee[0-9a-f]*|"
    r"cafebabe|([0-9a-f])\1+"
)


_NO_FILE_BEFORE = compiled(
    r"\b(?:branch|branches|tag|remote|repo|repository|image|model|package|import|namespace|"
    r"endpoint|route|label|topic|scope|crate|org)s?\W{0,4}$",
    re.IGNORECASE,
)
_NO_FILE_AFTER = compiled(
    r"\W{0,2}\s?(?:branch|branches|tag|remote|repo|repository|image|model|package|namespace|"
    r"endpoint|route|label|topic|crate|org|API)s?\b"
)


def names_no_file(text: str, start: int, end: int) -> bool:
    """Whether the sentence calls the citation a branch, a model, a package, a route."""
    before, after = text[max(0, start - 24) : start], text[end : end + 24]
    return bool(_NO_FILE_BEFORE.search(before) or _NO_FILE_AFTER.match(after))


def is_ordinal(text: str, start: int) -> bool:
    """Whether `#N` at `start` counts things (Finding #3, User #1) or is a colour, and is no issue:
    it stands right behind a noun that is no word for issues."""
    if _COLOUR.search(text[max(0, start - 40) : start]):
        return True
    head = text[max(0, start - 40) : start]
    if _TOPMOST.search(head) and re.match(r"#\d(?!\d)", text[start : start + 3]):
        return True
    found = _NUMBERED.search(head)
    return found is not None and _counts(found[1].lower().replace("’", "'"))


@lru_cache(maxsize=4096)
def _counts(word: str) -> bool:
    """Whether a word is the noun of things that a text numbers itself."""
    singular = word.removesuffix("s")
    last = singular.rpartition("-")[2]
    if {word, singular, last} & _words(citing.COUNTED):
        return True
    if {word, singular, last} & _words(citing.TRACKED) or _DERIVED.search(word):
        return False
    return word not in finite_verbs() and word not in function_words()


@cache
def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


def cue(text: str, start: int, end: int, kind: CitationKind) -> Cue:
    """The cue for the citation at text[start:end]; empty where the sentence says nothing of it."""
    if kind is CitationKind.ISSUE:
        return ""
    before, after = text[max(0, start - 100) : start].rstrip("`("), text[end : end + 80].lstrip("`")
    near = before[-48:]
    if _GONE_BEFORE.search(near) or _GONE_AFTER.match(after):
        return "gone" if kind is not CitationKind.COMMIT else "meant"
    if kind is CitationKind.ADR and _SUPERSEDING.search(before):
        return "gone"
    if kind is CitationKind.PATH and (
        _PLANNED_BEFORE.search(near)
        or _PLANNED_AFTER.match(after)
        or _EXAMPLE.search(near)
        or _quoted(text[:start])
    ):
        return "planned"
    if kind is CitationKind.COMMIT:
        return _of_commit(text[start:end].strip("`").lower(), before)
    return ""


def _of_commit(cited: str, before: str) -> Cue:
    named = _NAMED_COMMIT.search(before) is not None
    shaped = not _PLACEHOLDER.fullmatch(cited)
    if (named or shaped) and _FOREIGN.search(before[-40:]):
        return "foreign"
    if named:
        return "" if _EXAMPLE.search(before[: -len("commit ")]) and not shaped else "meant"
    return "meant" if shaped and not cited.isdigit() and _MEANT.search(before) else ""


def _quoted(text: str) -> bool:
    """Whether a quotation that began before is still open."""
    tail = text[-300:]
    return tail.rfind("“") > tail.rfind("”") or tail.count('"') % 2 == 1
