"""Where the clones of labelled repositories are."""

from __future__ import annotations

import os


def clone_of(repos: str, name: str) -> str:
    """The clone of `owner/name` below a directory: `owner+name`, `owner/name`, or `repo` in one of
    these. Empty where there is none."""
    for place in (f"{repos}/{name.replace('/', '+')}", f"{repos}/{name}"):
        if os.path.isdir(f"{place}/repo") and not _is_repository(place):
            return f"{place}/repo"
        if os.path.isdir(place):
            return place
    return ""


def _is_repository(place: str) -> bool:
    return os.path.exists(f"{place}/.git") or os.path.exists(f"{place}/HEAD")
