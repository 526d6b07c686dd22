"""Rules and settings of earlier versions: a configuration that names them is read, and told once."""

from __future__ import annotations

OLD_RULES = frozenset({
    "contamination", "contradicted-by-source", "lost-source", "queue-full", "unsupported", "unverified-citation",
    "verified-citation",
})  # fmt: skip
OLD_KEYS = frozenset({
    "approve_at", "review.max_pending", "review.max_pending_per_owner", "review.over",
})  # fmt: skip
