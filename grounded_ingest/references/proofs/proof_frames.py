"""Decides whether a claim says only what its proofs say.

What is left of the claim beside its proofs has to be one of the FRAMES, or a label: all words of
the name that the proof is about. A claim with any other word says more than its proofs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import dropwhile, takewhile

from grounded_ingest.code.manifest_facts import own_name
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.model.claims import Claim, Form, Place
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import find_withdrawal
from grounded_ingest.references.manifests import manifests_of
from grounded_ingest.references.reference import Over
from grounded_ingest.text.lexicon import reference_words as lexicon
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import disowning, points_aside

_PROOF = "\1"
FRAMES = compiled(
    rf"see {_PROOF}|(?:(?:the|our) )?(?:(?P<label>[a-z0-9 ]+?)(?: (?:is|is set to|equals)|:)? )?"
    rf"{_PROOF}(?:,? (?:and )?{_PROOF})*"
)
"""The only words that may stand beside proofs, in lower case and without a final stop: "the port
is `…`", "port: `…`", "`…` and `…`", "see `…`"."""

_WORD = compiled(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_ALIASES = {"decisions": ("adr", "adrs"), "adrs": ("decisions",), "documentation": ("docs",)}
_SPACE = compiled(r"\s+")


def names_it(text: str, name: str) -> bool:
    """Returns whether a text consists of all words of a name, in their order: "max retries" for
    `MAX_RETRIES` and for `maxRetries`."""
    words, named = _words(text), _words(name.rpartition(".")[0] or name)
    return (
        words == named
        or words == _words(name)
        or named[:1]
        in ([alias] for word in words[:1] for alias in _ALIASES.get(word, ()) if len(words) == 1)
    )


def _words(text: str) -> list[str]:
    return [w.lower() for w in _WORD.findall(text)]


def stands_alone(place: Place, over: Over, names: str, context: Context) -> bool:
    """Returns whether nothing around a claim can limit or deny what it says.

    The claim has to be a whole paragraph or list item, outside of tables and quotes. The headings
    and lead-ins above it may have only words that say nothing about truth, such as "Configuration",
    and words of `names`, the names in its proofs. The paragraphs beside it may not point at it
    ("That is wrong."), and the top of the document may not withdraw the document.
    """
    claim = place.claim
    if claim.doubt or claim.recorded or find_withdrawal(claim, over):
        return False
    if claim.form is Form.RECORD:
        return all(kind == "fields" and not disowning(text) for kind, text in over)
    if claim.form is not Form.PROSE or not all(kind in ("lead-in", "item") for kind, _ in over):
        return False
    if not place.path:  # the claim is in no document
        return not over
    lines = (text_of(context.tree, place.path) or "").splitlines()
    return (
        not disowning(_SEPARATOR.sub(" ", place.path))
        and _has_neutral_titles(claim, over, f"{names} {_project(context.tree)}")
        and _is_plain_there(claim, lines)
    )


def _has_neutral_titles(claim: Claim, over: Over, names: str) -> bool:
    """Returns whether the headings and lead-ins above a claim say nothing about its truth."""
    allowed = frozenset(_words(f"{lexicon.NEUTRAL} {names}"))
    above = (*claim.section.split(" > "), *(text for _, text in over))
    return all(_is_neutral(title, allowed) for title in above)


_SEPARATOR = compiled(r"[/_.-]")
_PLAIN_TITLE = compiled(r"[\w\s.,:&()/'\"`*+#@-]*")


def _is_neutral(title: str, allowed: frozenset[str]) -> bool:
    """Returns whether a heading or lead-in has only allowed words and numbers of sections."""
    if not title.isascii() or _PLAIN_TITLE.fullmatch(title) is None:
        return False
    return allowed.issuperset(w for w in _words(title) if not (w.isdigit() and len(w) < 3))


def _project(tree: Tree) -> str:
    """Returns the names that the manifests at the root of the tree give the project."""
    manifests = manifests_of(tree)
    return " ".join(own_name(path, manifests.text(path) or "") for path in _MANIFESTS)


_MANIFESTS = ("package.json", "pyproject.toml", "Cargo.toml")


def _is_plain_there(claim: Claim, lines: list[str]) -> bool:
    """Returns whether the lines around a claim leave it as it is. The paragraphs before and after
    it may not point at it, HTML may not strike it out or fold it away, and it may not be a block of
    code. `lines` are the lines of the document."""
    first, last = claim.line - 1, claim.end_line
    if last > len(lines) or (lines[first].startswith(("    ", "\t")) and not claim.depth):
        return False
    if _QUOTE.match(lines[first]):
        return False
    before = "\n".join(lines[:first])
    if len(_OPENS.findall(before)) > len(_CLOSES.findall(before)):
        return False
    beside = [*_near(lines[:first][::-1]), *_near(lines[last:])]
    sentences = [s for line in beside for s in _SENTENCE_END.split(_MARK.sub("", line))]
    top = [line for line in takewhile(lambda x: not x.startswith("##"), lines[:first]) if line]
    return not any(map(points_aside, sentences)) and not any(map(_withdraws, top))


_OPENS = compiled(r"(?i)<(?:del|s|strike|details|template|blockquote)\b")
_CLOSES = compiled(r"(?i)</(?:del|s|strike|details|template|blockquote)\b")
_QUOTE = compiled(r"[\s\d*+.)-]*>")
_MARK = compiled(r"^\W+")
_SENTENCE_END = compiled(r"(?<=[.!?;:])\s+")


def _near(lines: Sequence[str]) -> Iterator[str]:
    """Yields the lines up to the end of the next paragraph, without headings."""
    rest = iter(lines)
    yield from takewhile(str.strip, rest)
    yield from takewhile(str.strip, dropwhile(lambda line: not line.strip(), rest))


def _withdraws(line: str) -> bool:
    """Returns whether a line at the top of a document says that the document is not to be believed.
    "This file provides guidance" only says what the document is for."""
    return bool(disowning(line)) or (points_aside(line) and _PURPOSE.search(line) is None)


_PURPOSE = compiled(
    r"(?i)^\W*this (?:file|document|guide|page|repository|project) (?:provides|contains|describes"
    r"|gives|explains|lists|covers|tells|is (?:for|the|a|an))\b"
)


def says_only(text: str, proofs: Sequence[tuple[int, int, str]]) -> bool:
    """Returns whether a claim says only what its proofs say. `proofs` are the start and end of each
    proof in the text, and the last name that the proof is about."""
    rest, names = text, {name for _, _, name in proofs}
    for start, end, _ in sorted(proofs, reverse=True):
        rest = f"{rest[:start]}{_PROOF}{rest[end:]}"
    rest = _SPACE.sub(" ", rest.replace(f"`{_PROOF}`", _PROOF)).strip().rstrip(".").lower()
    match = FRAMES.fullmatch(rest)
    if match is None:
        return False
    label = match["label"]
    return not label or (len(names) == 1 and names_it(label, next(iter(names))))
