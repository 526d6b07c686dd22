"""Targets of a makefile. A small exact reader: what it cannot resolve makes the offer not whole.

https://www.gnu.org/software/make/manual/html_node/Rule-Syntax.html
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from grounded_ingest.code.offers import Entry, Include, Offer
from grounded_ingest.text.patterns import compiled

_ASSIGNS = compiled(
    r"^(?:(?:export|override|private|unexport)\s+)*([\w.-]+)\s*(\?|\+|::?:?|!)?=\s*(.*)$"
)
_INCLUDE = compiled(r"^(-|s)?include\s+(.*)$")
_REFERENCE = compiled(r"\$(?:\(([\w.-]+)\)|\{([\w.-]+)\}|\$)")
_DEFINE = compiled(r"^(?:override\s+)?define\b")
_CONDITION = compiled(r"^(?:ifeq|ifneq|ifdef|ifndef|else|endif|vpath|undefine|export|unexport)\b")
_SPECIAL = compiled(r"\.[A-Z_]+|\.[a-z]+\.[a-z]+")
_SAYS = compiled(r"^\$[({](?:error|info|warning)\b.*[)}]$")
"""It prints, and makes no rule."""
_HERE = ("CURDIR", "MAKEFILE_DIR", "ROOT_DIR")
_ROUNDS = 8
_LONGEST = 4_000
"""Characters of a line after its variables are put in."""


def make_targets(text: str) -> Offer:
    return _Makefile().read(text)


class _Makefile:
    """What was read so far."""

    def __init__(self) -> None:
        self.entries: dict[str, Entry] = {}
        self.patterns: list[str] = []
        self.includes: list[Include] = []
        self.variables: dict[str, str | None] = {}
        self.whole = True

    def read(self, text: str) -> Offer:
        for number, line, body in _rules(text):
            if _SAYS.match(line):
                continue
            if found := _INCLUDE.match(line):
                self._include(found[2], optional=bool(found[1]))
            elif found := _ASSIGNS.match(line):
                _assign(self.variables, found[1], found[2] or "", found[3])
            elif line.startswith("$") and ":" not in line:  # what it makes are rules, perhaps
                self.whole = self.whole and _expanded(line, self.variables) == ""
            elif ":" in line:
                self._rule(number, line, body)
        return Offer(self.entries, self.whole, tuple(self.patterns), tuple(self.includes))

    def _include(self, said: str, *, optional: bool) -> None:
        paths = _expanded(said, self.variables)
        self.whole = self.whole and paths is not None
        self.includes += [Include(p, "", optional) for p in (paths or "").split()]

    def _rule(self, number: int, line: str, body: str) -> None:
        targets, _, behind = line.partition(":")
        names = _expanded(targets, self.variables)
        if names is None or names.strip() == ".DEFAULT":
            self.whole = False
            return
        if names.strip() == ".PHONY":
            for name in (_expanded(behind, self.variables) or "").split():
                self.entries.setdefault(name, Entry(number))
            return
        for name in names.rstrip("&").split():
            if "%" in name:
                self.patterns.append(name)
            elif not _is_special(name):
                known = self.entries.get(name)
                if known is None or not known.body:
                    self.entries[name] = Entry(number, body)


def _is_special(name: str) -> bool:
    """`.PHONY`, `.SUFFIXES`, and rules of suffixes (`.c.o`)."""
    return _SPECIAL.fullmatch(name) is not None


def _rules(text: str) -> Iterator[tuple[int, str, str]]:
    """(line, text without comment, recipe below it) of what stands in column one."""
    rows = text.replace("\r\n", "\n").split("\n")
    at, depth = 0, 0
    while at < len(rows):
        first, line = at + 1, rows[at]
        while line.endswith("\\") and at + 1 < len(rows) and len(line) < _LONGEST:
            at += 1
            line = f"{line[:-1]} {rows[at].strip()}"
        at += 1
        if _DEFINE.match(line.strip()):
            depth += 1
        elif line.strip() == "endef":
            depth = max(depth - 1, 0)
        elif not depth and line.strip() and not line.startswith("\t"):
            plain = re.sub(r"(?<!\\)#.*", "", line).strip()
            if plain and not _CONDITION.match(plain):
                end = at
                while end < len(rows) and (rows[end].startswith("\t") or not rows[end].strip()):
                    end += 1
                yield first, plain, "\n".join(rows[at:end]).strip()


def _assign(variables: dict[str, str | None], name: str, how: str, value: str) -> None:
    before = variables.get(name, "")
    if how == "!":
        variables[name] = None
    elif how == "+":
        variables[name] = None if before is None else f"{before} {value}"[:_LONGEST]
    elif how != "?" or name not in variables:
        variables[name] = value[:_LONGEST] if name not in variables else None


def _expanded(text: str, variables: dict[str, str | None]) -> str | None:
    """A text with the values of its variables; None where one is not known."""
    for _ in range(_ROUNDS):
        if "$" not in text:
            return text
        found = _REFERENCE.search(text)
        if found is None:
            return None
        name = found[1] or found[2] or ""
        value = "." if name in _HERE else variables.get(name)
        if value is None or len(text) + len(value) > _LONGEST:
            return None
        text = text[: found.start()] + value + text[found.end() :]
    return None if "$" in text else text
