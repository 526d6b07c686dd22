"""Who may bear witness: subject matter counts as the tree says, testimony as it stands on base."""

from __future__ import annotations

from functools import cache

from grounded_ingest.lexicon import paths

_FENCES = ('"""', "'''")


@cache
def _names(group: str) -> frozenset[str]:
    return frozenset(group.split())


def is_subject_matter(path: str) -> bool:
    """Whether a file is source code or configuration, by language and well-known names."""
    name = path.rpartition("/")[2]
    if name in _names(paths.WELL_KNOWN) or name in _names(paths.CONFIGURATION_NAMES):
        return True
    extension = name.rpartition(".")[2].lower()
    return "." in name and extension in (_names(paths.CODE) | _names(paths.CONFIGURATION))


def is_commentary(path: str, text: str, first: int, last: int) -> bool:
    """Whether the lines first..last (1-based) of a source file hold nothing but comments."""
    lines = text.splitlines()
    inside = _docstring_lines(lines) | _block_comment_lines(lines)
    said = [(n, lines[n - 1].strip()) for n in range(first, min(last, len(lines)) + 1)]
    said = [(n, line) for n, line in said if line]
    starts = tuple(
        s for s in paths.COMMENT_STARTS if s != "#" or not path.endswith((".c", ".h", ".css"))
    )
    return bool(said) and all(n in inside or line.startswith(starts) for n, line in said)


def _docstring_lines(lines: list[str]) -> set[int]:
    """Lines of texts between triple quotes that begin a line."""
    found: set[int] = set()
    fence = ""
    for number, line in enumerate(lines, 1):
        stripped = line.strip().lstrip("rRbBuUfF")
        if fence:
            found.add(number)
            if fence in line:
                fence = ""
        elif stripped.startswith(_FENCES):
            found.add(number)
            opening = stripped[:3]
            fence = "" if opening in stripped[3:] else opening
    return found


def _block_comment_lines(lines: list[str]) -> set[int]:
    found: set[int] = set()
    inside = False
    for number, line in enumerate(lines, 1):
        if inside:
            found.add(number)
            inside = "*/" not in line
        elif line.strip().startswith("/*"):
            found.add(number)
            inside = "*/" not in line
    return found
