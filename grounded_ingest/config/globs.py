"""Matches path globs with `**`, `*`, `?`, `[…]` and `{a,b}`. A glob with a leading `!` excludes
paths that the other globs match.

Every path segment becomes an atomic regular-expression group, which matches the whole segment or
nothing, so that the matcher never backtracks. An attacker may have written globs and paths:
matching `*a*a*a*a*a*ab` against an 80-letter name took `pathspec` 14 seconds (2026-11-27). With
atomic groups the time is too short to measure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.text.patterns import compiled

MAX_LENGTH = 500
MAX_ALTERNATIVES = 500
MAX_PATTERN, MAX_UNION = 20_000, 1_000_000
"""Maximum length in characters of the regular expression for one glob, and of the joined expression
for several globs.
"""
# In `[]a]` and `[!]a]`, the first `]` is a character in the set.
_PART = re.compile(r"(?s)\[[!^]?+.[^\]]*\]|[^\[*?{},]+|.")


def matches(globs: tuple[str, ...], path: str, *, fold: bool = False, below: bool = False) -> bool:
    """Returns whether one of the globs matches `path`, and no glob with a leading `!` excludes it.
    Globs and path begin at the same directory, usually the root of the repository.

    If `fold` is true, case does not matter. If `below` is true, a glob that matches a directory
    also matches everything in it. Raises GroundedIngestError if a glob is malformed.
    """
    wanted, unwanted = _compile(globs, fold, below)
    path = path.lower() if fold else path
    if wanted is None or not wanted.match(path):
        return False
    return unwanted is None or not unwanted.match(path)


def glob_pattern(glob: str, end: str = r"\Z") -> str:
    """Returns the regular expression for a glob without its leading `!`. Raises GroundedIngestError
    if the glob is malformed or the expression is longer than MAX_PATTERN.
    """
    _refuse_malformed(glob)
    patterns, size = [], 0
    for one in _expand(glob, across=True):
        patterns.append(_path(one.split("/"), end))
        size += len(patterns[-1])
        if size > MAX_PATTERN:
            raise _bad(glob, "the alternatives in `{...}` are too many or too long")
    return "|".join(patterns)


@lru_cache(maxsize=256)
def _compile(
    globs: tuple[str, ...], fold: bool, below: bool
) -> tuple[re.Pattern[str] | None, re.Pattern[str] | None]:
    end = r"(?:\Z|/)" if below else r"\Z"
    globs = tuple(g.lower() for g in globs) if fold else globs
    wanted = [glob_pattern(g, end) for g in globs if not g.startswith("!")]
    unwanted = [glob_pattern(g[1:], end) for g in globs if g.startswith("!")]
    return _union(wanted), _union(unwanted)


def _union(patterns: list[str]) -> re.Pattern[str] | None:
    if not patterns:
        return None
    union = "|".join(patterns)
    if len(union) > MAX_UNION:
        raise GroundedIngestError(
            f"{len(patterns)} globs have too many alternatives in `{{...}}` together"
        )
    return compiled(union)


def _bad(glob: str, why: str) -> GroundedIngestError:
    return GroundedIngestError(f'bad glob "{glob}": {why}')


def _refuse_malformed(glob: str) -> None:
    if not glob or len(glob) > MAX_LENGTH:
        raise _bad(glob[:80], f"a glob must have 1 to {MAX_LENGTH} characters")
    if "\\" in glob:
        raise _bad(glob, "the glob contains a backslash; use forward slashes in paths")
    if glob.startswith("/"):
        raise _bad(
            glob, "the glob starts with a slash; remove it, because globs start at the root anyway"
        )


def _expand(glob: str, *, across: bool) -> list[str]:
    """Returns the globs that a glob with braces combines: `a.md` and `b.md` for `{a,b}.md`. If
    `across` is true, expands only braces that contain a slash.
    """
    done, at = [""], 0
    for found in _braces(glob):
        if across and "/" not in glob[found[0] : found[-1]]:
            continue
        inner = (glob[a + 1 : b] for a, b in pairwise(found))
        choices = [glob[at : found[0]] + c for i in inner for c in _expand(i, across=across)]
        if len(done) * len(choices) > MAX_ALTERNATIVES:
            raise _bad(glob, f"the glob has more than {MAX_ALTERNATIVES} alternatives in `{{...}}`")
        done = [d + c for d in done for c in choices]
        at = found[-1] + 1
    return [d + glob[at:] for d in done]


def _braces(glob: str) -> Iterator[list[int]]:
    """Yields the positions of each outer pair of braces: the opening brace, the commas, and the
    closing brace.
    """
    cuts: list[int] = []
    depth = at = 0
    for part in _parts(glob):
        match part:
            case "{":
                depth += 1
                cuts = [at] if depth == 1 else cuts
            case "," if depth == 1:
                cuts.append(at)
            case "}" if depth:
                depth -= 1
                if not depth:
                    yield [*cuts, at]
        at += len(part)
    if depth:
        raise _bad(glob, "a brace is not closed")


def _parts(glob: str) -> list[str]:
    """Returns the parts of a glob: character sets such as `[a-z]`, special characters, and the text
    between them.
    """
    parts = _PART.findall(glob)
    if "[" in parts:
        raise _bad(glob, "a bracket is not closed")
    return parts


def _path(segments: list[str], end: str) -> str:
    """Returns the regular expression for a path. Each group of segments between two `**` matches at
    the leftmost position.
    """
    if segments[-1] == "":
        segments = [*segments[:-1], "**"]
    if any(s in ("", ".", "..") for s in segments):
        raise _bad("/".join(segments), "empty, '.' and '..' segments in a path match no file")
    groups: list[list[str]] = [[]]
    for segment in segments:
        if segment == "**":
            groups.append([])
        else:
            groups[-1].append(_segment(segment))
    first, *rest = ["/".join(g) for g in groups]
    if not rest:
        return first + end
    parts = [f"{first}/" if first else ""]
    parts += [f"(?>(?:[^/]+/)*?{g}/)" for g in rest[:-1] if g]
    parts.append(f"(?>(?:[^/]+/)*?{rest[-1]}{end})" if rest[-1] else "[^/]")
    return "".join(parts)


def _segment(segment: str) -> str:
    choices = [_stars(s) for s in _expand(segment, across=False)]
    if len(choices) == 1:
        return choices[0]
    return f"(?>(?:{'|'.join(choices)})(?![^/]))"


def _stars(segment: str) -> str:
    """Returns the regular expression for a path segment. Each text between two stars matches at the
    leftmost position.
    """
    chunks = [""]
    for part in _parts(segment):
        if part == "*":
            chunks.append("")
        elif part == "?":
            chunks[-1] += "[^/]"
        else:
            chunks[-1] += _bracket(part) if part.startswith("[") else re.escape(part)
    if len(chunks) == 1:
        return chunks[0]
    inner = "".join(f"(?>[^/]*?{c})" for c in chunks[1:-1] if c)
    last = f"(?>[^/]*?{chunks[-1]}(?![^/]))" if chunks[-1] else "[^/]*+"
    return chunks[0] + inner + last


def _bracket(text: str) -> str:
    inside = text[1:-1]
    negated = inside[0] in "!^"
    inside = inside[1:] if negated else inside
    ranges = re.sub(r"[\\\[\]^&~|]", r"\\\g<0>", inside)
    pattern = f"(?!/)[{'^' if negated else ''}{ranges}]"
    try:
        re.compile(pattern)
    except re.error as error:
        raise _bad(text, str(error)) from None
    return pattern
