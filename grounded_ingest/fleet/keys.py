"""What rows of different repositories are told apart, and brought together, by."""

from __future__ import annotations

from datetime import UTC, datetime

from grounded_ingest.git.repository import Repo
from grounded_ingest.model.digests import blake2b
from grounded_ingest.references.tracker import host_and_path


def digest(*parts: str) -> str:
    """16 hex digits, other ones for other parts."""
    joined = "\0".join(parts).encode(errors="surrogateescape")
    return blake2b(joined, digest_size=8).hexdigest()


def key(*parts: str) -> int:
    """The same as a signed integer of 64 bits."""
    return int.from_bytes(bytes.fromhex(digest(*parts)), "big", signed=True)


def moment(seconds: int) -> str:
    """A time since 1970 in ISO 8601, UTC."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def origin_of(repo: Repo) -> str:
    """`host/owner/name` of a repository's remote, lower case; empty where it has none."""
    return origin_key(repo.remote_url())


def origin_key(url: str) -> str:
    """The same of a URL as git writes remotes."""
    return "/".join(part for part in host_and_path(url) if part).lower()
