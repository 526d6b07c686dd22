"""Reads assertions, which state a value in a file: `src/settings.py::PORT = 8443`,
`package.json#/dependencies has zustand`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from grounded_ingest.code.data_values import format_of
from grounded_ingest.code.grammars import language_of
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.patterns import compiled


class Assertion(NamedTuple):
    """A statement about one value in one file.

    `path` is the file as the document writes it. `keys` are the names or keys that lead to the
    value. `parameter` is set if the statement is about the default of a function's parameter.
    `operator` is `=`, `default`, `has` or `lacks`. `rest` is the literal or member as written.
    """

    path: str
    keys: tuple[str, ...]
    operator: str
    rest: str
    parameter: str = ""

    @property
    def text(self) -> str:
        """Returns the assertion in its usual spelling: `src/settings.py::PORT = 8443`."""
        return f"{self.place} {self.operator} {self.rest}"

    @property
    def place(self) -> str:
        """Returns the file and the keys: `src/settings.py::PORT`, `package.json#/engines/node`."""
        if format_of(self.path):
            escaped = (key.replace("~", "~0").replace("/", "~1") for key in self.keys)
            return f"{self.path}#/{'/'.join(escaped)}"
        inside = f"({self.parameter})" if self.parameter else ""
        return f"{self.path}::{'.'.join(self.keys)}{inside}"


_ASSERTION = compiled(
    r"(?P<path>[^\s:#`]+)(?:::(?P<names>[\w$-]+(?:(?:\.|::)[\w$-]+)*)(?:\((?P<parameter>[\w$]+)\))?"
    r"|#(?P<pointer>(?:/[^\s/]+)+))(?:\s*(?P<is>=)(?!=)\s*|\s+(?P<word>default|has|lacks)\s+)"
    r"(?P<rest>\S.*)$"
)


def read_assertion(text: str) -> Assertion | None:
    """Returns the assertion in the text of a code span, or None. The text before `::` or `#/` must
    be a file that can be parsed: `Foo::BAR = 3` is code, not an assertion."""
    match = _ASSERTION.fullmatch(text.strip())
    if match is None or not (language_of(match["path"]) or format_of(match["path"])):
        return None
    keys = keys_of(match["names"] or "", match["pointer"] or "")
    operator, rest = match["is"] or match["word"], match["rest"].strip()
    return Assertion(match["path"], keys, operator, rest, match["parameter"] or "")


def keys_of(names: str, pointer: str) -> tuple[str, ...]:
    """Returns the keys in `PORT`, in `project.name`, or in the JSON pointer `/project/name` (RFC
    6901)."""
    if pointer:
        return tuple(k.replace("~1", "/").replace("~0", "~") for k in pointer[1:].split("/"))
    return tuple(names.replace("::", ".").split("."))


def last_name(assertion: str) -> str:
    """Returns the last name or key in an assertion, or an empty string for another text."""
    found = read_assertion(assertion)
    return (found.parameter or found.keys[-1]) if found else ""


_FILE, _NAME = r"`(?P<path>[^`\s:#]+)`", r"`(?P<name>[\w$]+(?:(?:\.|::)[\w$]+)*)`"
_SUBJECT = (
    r"(?:`(?P<file>[^`\s:#]+)(?:::(?P<names>[\w$-]+(?:(?:\.|::)[\w$-]+)*)|#(?P<pointer>(?:/[^`\s/]+)+))`"
    rf"|{_NAME} (?:in {_FILE}|\({_FILE.replace('path', 'beside')}\)))"
)
_SENTENCE = compiled(
    rf"(?:[Tt]he )?{_SUBJECT} (?P<verb>is|equals|is set to|defaults to|=) "
    r"(?:`(?P<code>[^`]+)`|(?P<number>-?\d[\d_]*(?:\.\d+)?)|(?P<text>\"[^\"`]*\")|(?P<word>true|false))\.?$"
)


def read_sentence(text: str) -> Assertion | None:
    """Returns the assertion that a whole claim states in words: "`PORT` in `src/settings.py` is
    8443." Returns None if the claim says anything else."""
    match = _SENTENCE.fullmatch(text.strip()) if "`" in text else None
    if match is None:
        return None
    path = match["file"] or match["path"] or match["beside"]
    if not (language_of(path) or format_of(path)):
        return None
    keys = keys_of(match["names"] or match["name"] or "", match["pointer"] or "")
    operator = "default" if match["verb"] == "defaults to" else "="
    rest = match["code"] or match["number"] or match["text"] or match["word"]
    return Assertion(path, keys, operator, rest.strip())


def assertions_in(text: str) -> Iterator[tuple[Assertion, int, int]]:
    """Yields each assertion in a claim with its start and end in the text."""
    if (whole := read_sentence(text)) is not None:
        yield whole, 0, len(text)
        return
    for span in code_spans(text):
        if (found := read_assertion(span.text)) is not None:
            yield found, span.start, span.start + len(span.text)
