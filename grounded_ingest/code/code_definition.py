"""What parsing code gives, as types."""

from __future__ import annotations

from typing import NamedTuple


class CodeDefinition(NamedTuple):
    """A name that a text defines. `line` to `end_line` (1-based) is all of its definition, `owner`
    are the names of what it is defined in, the outermost first."""

    name: str
    kind: str
    line: int
    end_line: int
    owner: tuple[str, ...] = ()

    @property
    def qualified(self) -> str:
        return ".".join((*self.owner, self.name))
