"""Decides whether a claim says only what its proofs say. The words beside the proofs must match
`FRAMES`, such as "see …" or "the port is …". A name in these words must repeat all words of the
proved name: "The max retries are …" for `MAX_RETRIES`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import takewhile

from grounded_ingest.code.manifest_facts import NAMING, own_name
from grounded_ingest.extract.assertions import last_name
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import Claim, Form, Place
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import find_withdrawal
from grounded_ingest.references.manifests import manifests_of
from grounded_ingest.references.reference import Over
from grounded_ingest.text.code_spans import blank_code
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.words import denying_word, is_about_neighbour

_PROOF = "\1"
FRAMES = compiled(
    rf"see {_PROOF}|(?:(?:the|our) )?(?:(?P<label>[a-z0-9 ]+?)(?: (?:is|is set to|equals)|:)? )?"
    rf"{_PROOF}(?:,? (?:and )?{_PROOF})*"
)
"""Matches the only words that may be beside proofs, in lower case and without a final stop: "the
port is `…`", "port: `…`", "`…` and `…`", "see `…`"."""

_WORD = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ALIASES = {"decisions": ("adr", "adrs"), "adrs": ("decisions",), "documentation": ("docs",)}
_SPACE = compiled(r"\s+")


def names_it(text: str, name: str) -> bool:
    """Returns whether a text consists of all words of a name, in their order: "max retries" for
    `MAX_RETRIES` and for `maxRetries`."""
    words, named = _words(text), _words(name.rpartition(".")[0] or name)
    aliases = _ALIASES.get(words[0], ()) if len(words) == 1 else ()
    return words in (named, _words(name)) or (len(named) == 1 and named[0] in aliases)


def _words(text: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(text)]


def find_limit(place: Place, over: Over, names: str, context: Context) -> str:
    """Returns a message if text around a claim may limit or deny the claim, else an empty string.

    A list of denying words would never be complete, so all text around the claim has to be known to
    be harmless:

    - The claim is a whole paragraph or list item in plain Markdown.
    - The rest of its section has only code spans and connecting words (`lexicon.BESIDE`).
    - The headings above have only words such as "Configuration" (`lexicon.HEADINGS`) and words of
      `names`, the files and keys of the claim's proofs.
    - In a memory record, the other fields are harmless too.
    """
    claim = place.claim
    if withdrawn := find_withdrawal(claim, over):
        return withdrawn
    if claim.form is Form.RECORD:
        plain = _is_plain_record(claim, over, names)
        return "" if plain else "another field of the record may restrict when the claim holds"
    plain = claim.form is Form.PROSE and all(kind == "lead-in" for kind, _ in over)
    if claim.doubt or claim.recorded or not plain:
        return "a proof needs a claim that is a separate paragraph or list item"
    return _limit_in_document(place, names, context) if place.path else ""


def _limit_in_document(place: Place, names: str, context: Context) -> str:
    text = text_of(context.tree, place.path) or ""
    if not _has_plain_path(place.path, context):
        return "the name of the document may mean that the claim is not always true"
    title, *others = place.claim.section.split(" > ")
    titles = (_without_project(title, context.tree), *others)
    if bad := next((t for t in titles if not _has_only(t, f"{lexicon.HEADINGS} {names}")), ""):
        return (
            f"the heading “{printable(bad, 40).strip()}” may mean that the claim is not always true"
        )
    if markup := _MARKUP.search(_FENCE.sub("", blank_code(text))):
        shown = printable(markup[0], 20)
        return f"HTML, a comment, a footnote or front matter may restrict the claim ({shown})"
    lines = text.splitlines()
    spoils = (n for n, line in _around(place.claim, lines) if not _is_harmless(line))
    if number := next(spoils, 0):
        return f"line {number} of the same section may mean that the claim is not always true"
    top = next((n for n, line in _top(lines) if _withdraws(line)), 0)
    return f"line {top} may mean that the document is not always true" if top else ""


def _is_plain_record(claim: Claim, over: Over, names: str) -> bool:
    """Returns whether the other fields of a record are empty, or say only what its proofs say."""
    allowed = f"{lexicon.BESIDE} {lexicon.RECORD_FIELDS} {names} {claim.text}"
    return all(kind in ("fields", "content") and _has_only(text, allowed) for kind, text in over)


def _has_plain_path(path: str, context: Context) -> bool:
    """Returns whether the path of a document cannot limit its claims: the file has a plain name
    such as CLAUDE.md, and its directory existed on the base branch and does not look like an
    archive."""
    directory, _, name = path.rpartition("/")
    there = _has_only(directory, lexicon.HEADINGS) or context.base.tree.is_dir(directory)
    aside = _ASIDE.search(directory) or denying_word(_SEPARATOR.sub(" ", directory))
    return there and not aside and _has_only(name.rpartition(".")[0], lexicon.HEADINGS)


_ASIDE = compiled(
    r"(?i)(?:^|[/_.-])(?:old|legacy|archived?|attic|backup|bak|draft|lie)s?(?:[/_.-]|$)"
)
_SEPARATOR = compiled(r"[/_.-]")
_PLAIN_TEXT = compiled(r"[\w\s.,:;&()/'\"`*+#@=-]*")


def _has_only(text: str, words: str) -> bool:
    """Returns whether a text has only the given words, and numbers of sections."""
    if not text.isascii() or _PLAIN_TEXT.fullmatch(text) is None:
        return False
    allowed = frozenset(_words(words))
    return allowed.issuperset(w for w in _words(text) if not (w.isdigit() and len(w) < 3))


def _without_project(title: str, tree: Tree) -> str:
    """Returns a title without the project's names, which the manifests at the root give."""
    manifests = manifests_of(tree)
    names = [own_name(path, manifests.text(path) or "") for path in NAMING]
    for name in filter(None, names):
        title = re.sub(rf"(?i)(?<!\w){re.escape(name.rpartition('/')[2])}(?!\w)", " ", title)
    return title


_MARKUP = compiled(
    r"<!|</?(?:a|abbr|b|blockquote|br|center|cite|dd|del|details|div|dl|dt|em|font|h[1-6]|hr|i|img|ins|li"
    r"|mark|ol|p|picture|pre|s|script|small|span|strike|strong|style|su[bp]|summary|svg|t[dhr]|table"
    r"|tbody|template|tt|u|ul|var)\b|\{[/%*]|^---|^\+\+\+|\[\^|^ {4,}(?![-*+\d ])|~~",
    re.M | re.I,
)
"""Matches HTML, comments, front matter, footnotes, struck-out text and indented code."""


_FENCE = compiled(r"(?ms)^(`{3,}|~{3,}).*?^\1")


def _around(claim: Claim, lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields the other lines in the section of a claim with their numbers, counted from 1. Yields
    the claim's own line if the claim is in a block quote, or not in `lines`."""
    first, last = claim.line - 1, claim.end_line
    if last > len(lines) or _QUOTE.match(lines[first]):
        yield claim.line, "?"
        return
    numbered = [*enumerate(lines, 1)]
    yield from takewhile(_is_no_heading, reversed(numbered[:first]))
    yield from takewhile(_is_no_heading, numbered[last:])


def _withdraws(line: str) -> bool:
    """Returns whether a line below the title of a document may limit or deny the whole document."""
    return bool(denying_word(line) or is_about_neighbour(line) or _OF_ALL.search(line))


_OF_ALL = compiled(
    r"(?i)\b(?:here|below|following|everything|anything|nothing|none|all|any|document|file|page|text"
    r"|sections?|facts?|claims?|values?|lie|joke|fiction|only|old|draft)\b"
)


def _is_no_heading(numbered: tuple[int, str]) -> bool:
    return not numbered[1].startswith("#")


def _top(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yields the lines between the title of a document and its first section, without code."""
    for number, line in enumerate(takewhile(lambda line: not line.startswith("##"), lines), 1):
        if not line.startswith("# ") and not _PURPOSE.fullmatch(line.strip()):
            yield number, _CODE.sub("", line)


def _is_harmless(line: str) -> bool:
    """Returns whether a line cannot limit a claim: it has only code spans, connecting words and
    labels. A label repeats words of the last name in a code span, as in "The port is
    `src/a.py::PORT = 1`"."""
    if line.startswith("# ") or _PURPOSE.fullmatch(line.strip()):
        return True
    words = _CODE.sub("", line)
    spans = [span.strip("`") for span in _CODE.findall(line)]
    names = " ".join(last_name(span) or span.rstrip("/").rpartition("/")[2] for span in spans)
    return _has_only(words, lexicon.BESIDE if denying_word(words) else f"{lexicon.BESIDE} {names}")


_QUOTE = compiled(r"[\s\d*+.)-]*>")
_CODE = compiled(r"`[^`]*`")
_PURPOSE = compiled(
    r"This file provides guidance to [\w ()./,-]+ when working with code in this repository\."
)
"""The sentence that `claude /init` writes at the top of CLAUDE.md."""


def says_only(text: str, proofs: Sequence[tuple[int, int, str]]) -> bool:
    """Returns whether a claim says only what its proofs say. `proofs` has the start and end of each
    proof in the text, and the proved name: `PORT` for `src/a.py::PORT = 80`."""
    if not text.isascii():
        return False
    rest, names = text, {name for _, _, name in proofs}
    for start, end, _ in sorted(proofs, reverse=True):
        rest = f"{rest[:start]}{_PROOF}{rest[end:]}"
    rest = _SPACE.sub(" ", rest.replace(f"`{_PROOF}`", _PROOF)).strip().rstrip(".").lower()
    match = FRAMES.fullmatch(rest)
    if match is None:
        return False
    label = match["label"]
    return not label or (len(names) == 1 and names_it(label, next(iter(names))))
