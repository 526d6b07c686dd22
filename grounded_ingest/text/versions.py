"""Versions: 15 and 15.2 are compatible, 15 and 16 are not."""

from __future__ import annotations

from grounded_ingest.text.patterns import compiled

_VERSION = compiled(
    r"v?(\d+(?:\.(?:\d+|[x*]))*)(\+|(?:[-.]?(?:alpha|beta|rc|dev|lts|post)[\w.]*)?)"
)


def version(text: str) -> tuple[str, ...] | None:
    """The parts of a version (`v3.11.x` is 3, 11); None for anything else."""
    found = _VERSION.fullmatch(text.lower().strip())
    if found is None:
        return None
    parts = [p for p in found[1].split(".") if p not in ("x", "*")]
    tail = found[2].strip("-.") if found[2] not in ("", "+") and "lts" not in found[2] else ""
    return (*parts, *([tail] if tail else []))


def compatible(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether one is as exact as the other or only says it in more parts."""
    return all(a == b for a, b in zip(one, other, strict=False))
