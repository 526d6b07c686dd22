"""Proves assertions about values: "`PORT` in `src/settings.py` is 8443.", `src/a.py::serve(port) =
8443`, `package.json#/dependencies has zustand`. The answer is "no" only if the file has another
literal of the same type. If the file computes the value, the answer is "open" (unknown).
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec import Struct

from grounded_ingest.code.assigned_values import (
    AssignedValue,
    claimed_value,
    named,
    values_in,
)
from grounded_ingest.code.data_values import Missing, claimed_data, format_of, value_at
from grounded_ingest.code.grammars import language_of
from grounded_ingest.code.literals import Value
from grounded_ingest.extract.assertions import Assertion, assertions_in, read_assertion
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.path_resolution import is_whole_path, resolve_path
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PROOF
FORM = "value"


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the assertions about values in a claim."""
    if "`" not in claim.text:
        return ()
    return [
        Reference(KIND, path, a.text, start, end, FORM)
        for a, start, end in assertions_in(claim.text)
    ]


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Returns the answer for each assertion about a value, read from the tree."""
    own = [r for r in asked if r.of == FORM]
    return {r: answer for r in own if (answer := _answer(r, context.tree))}


def _answer(reference: Reference, tree: Tree) -> TreeAnswer | None:
    assertion = read_assertion(reference.name)
    if assertion is None:
        return None
    found = resolve_path(Request(reference.path, Citation(CitationKind.PATH, assertion.path)), tree)
    if len(found) != 1:
        return None  # the path is a reference of its own, and is reported as one
    if not is_whole_path(assertion.path, found[0], reference.path, tree):
        return TreeAnswer(Verdict.UNKNOWN, assertion.text, f"write the whole path: {found[0]}")
    text = text_of(tree, found[0]) if tree.size(found[0]) <= LARGEST else None
    there = assertion._replace(path=found[0])
    answer = answer_assertion(there, text or "")
    return TreeAnswer(
        answer.verdict, there.text, answer.reason, answer.line, instead=answer.instead
    )


class ProofAnswer(Struct, frozen=True):
    """The answer to an assertion. `reason` says what the file has instead, or why the verdict is
    unknown. `instead` is the literal in the file if nothing but the literal differs."""

    verdict: Verdict
    reason: str = ""
    line: int = 0
    instead: str = ""


_EXTENDS = compiled(r"\b(?:extends?|inherits?|includes?|imports?|workspace|target)\b|\$ref|<<|&\w")
"""Matches keys by which other files or sections add to a data file."""
_INHERITED = compiled(r"_|(?:name|value)$")
"""Matches names that every class or enumeration in Python has."""
_QUOTES = "\"'`"
_YES = Verdict.CONFIRMED
_NO = Verdict.REFUTED


def _open(why: str) -> ProofAnswer:
    return ProofAnswer(Verdict.UNKNOWN, why)


def answer_assertion(assertion: Assertion, text: str) -> ProofAnswer:
    """Answers an assertion from the text of its file."""
    if format_of(assertion.path):
        return _answer_from_data(assertion, text)
    found = values_in(assertion.path, text)
    if found is None:
        return _open("the file cannot be parsed")
    name = ".".join(assertion.keys)
    meant = named(found, name, assertion.parameter)
    if len(meant) != 1:
        return _open(f"the file has {len(meant) or 'no'} values for {name}")
    value = meant[0]
    if assertion.operator in ("has", "lacks"):
        if value.open:
            return _open(value.open)
        closed = value.closed and not (value.value is None and _may_get(assertion, text))
        return _answer_member(assertion, value.members, closed=closed, line=value.line)
    if value.open:
        return _open(value.open)
    if value.value and value.value[0] == "text" and _is_unknown_word(assertion.rest, text):
        return ProofAnswer(_NO, f"the file says {value.written}", value.line, value.written)
    return _compare(assertion, value)


def _may_get(assertion: Assertion, text: str) -> bool:
    """Returns whether a type may have a member that its body does not list: one that all classes in
    Python have, or in other languages a word of the file, as of a namespace in TypeScript."""
    word = rf"(?<!\w){re.escape(assertion.rest.strip(_QUOTES))}(?!\w)"
    elsewhere = language_of(assertion.path) != "python" and re.search(word, text)
    return bool(elsewhere or _INHERITED.match(assertion.rest))


def _is_unknown_word(claimed: str, text: str) -> bool:
    """Returns whether a claimed value is a single word that the file does not contain. Such a word
    is a text without quotes, and not the name of another value."""
    return claimed.isidentifier() and re.search(rf"\b{claimed}\b", text) is None


def _compare(assertion: Assertion, value: AssignedValue) -> ProofAnswer:
    actual = value.default if assertion.operator == "default" else value.value
    if actual is None:
        return _open("the value is not a literal")
    claimed = claimed_value(assertion.rest, language_of(assertion.path))
    whole = actual is value.value
    return _equal(assertion.rest, claimed, actual, value.written, value.line, whole=whole)


def _equal(
    rest: str,
    claimed: Value | None,
    actual: Value,
    written: str,
    line: int,
    *,
    whole: bool = True,
) -> ProofAnswer:
    if claimed is None and actual == ("text", rest):  # `main` beside "main" in the file
        return ProofAnswer(_YES, line=line)
    if claimed is None:
        return _open("the claimed value is not a literal of the file's language")
    if claimed == actual:
        return ProofAnswer(_YES, line=line)
    texts = claimed[0] == "text" == actual[0]
    if texts and "".join(claimed[1].split()) == "".join(actual[1].split()):
        return _open(f"the file has {written}, which differs only in white space")
    if claimed[0] != actual[0]:
        return _open(f"the file has {written}, which is of another type")
    shown = written if whole else str(actual[1])
    return ProofAnswer(_NO, f"the file says {shown}", line, written if whole else "")


def _answer_member(
    assertion: Assertion, members: tuple[str, ...] | None, *, closed: bool, line: int = 0
) -> ProofAnswer:
    if members is None or not (members or closed):
        return _open("the value has no members that can be listed")
    name = assertion.rest.strip(_QUOTES)
    wants = assertion.operator == "has"
    if name not in members and (other := _member_like(name, members)):
        return _open(f"{name} is not a member, but the member {other} may mean it")
    if name in members:
        return (
            ProofAnswer(_YES, line=line) if wants else ProofAnswer(_NO, f"{name} is a member", line)
        )
    if not closed:
        return _open("the value may have members that the file does not list")
    return (
        ProofAnswer(_NO, f"{name} is not a member", line) if wants else ProofAnswer(_YES, line=line)
    )


def _member_like(name: str, members: tuple[str, ...]) -> str:
    """Returns a member that may mean the missing name: a pattern, or a text that contains the name,
    such as `requests>=2` for `requests`. Returns an empty string if there is none."""
    wanted = _SIGNS.sub("", name.casefold())
    for member in members:
        has = _SIGNS.sub("", member.casefold())
        if _PATTERN.search(member) or wanted in has or (has and has in wanted):
            return member
    return ""


_SIGNS = compiled(r"[\W_]+")
_PATTERN = compiled(r"[*?{}$%]")


def _answer_from_data(assertion: Assertion, text: str) -> ProofAnswer:
    found = value_at(assertion.path, text, assertion.keys)
    if found is None:
        return _open("the file cannot be read, or the keys are ambiguous")
    if isinstance(found, Missing):
        return _open(f"the file has no key {found.key}")
    if assertion.operator in ("has", "lacks"):
        return _answer_member(
            assertion, found.members, closed=found.plain and not _EXTENDS.search(text)
        )
    if found.value is None or assertion.operator == "default":
        return _open("the value is not a literal")
    claimed = claimed_data(assertion.rest, assertion.path)
    return _equal(assertion.rest, claimed, found.value, found.written, 0)
