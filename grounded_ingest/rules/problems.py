"""Problems: what reports name beside decisions. A run that has none needs none of these files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grounded_ingest.rules import (
    advisory_approval,
    baseline,
    broken_record,
    config_change,
    expired,
    ignore_without_reason,
    impacted,
    judge,
    not_granted,
    not_staged,
    old_setting,
    scope,
    stale_sidecar,
    unknown_reference,
    unread,
    unreadable,
    unused_ignore,
)
from grounded_ingest.rules.registry import TABLE
from grounded_ingest.rules.rule import Examples, Rule

if TYPE_CHECKING:
    from types import ModuleType

_PROBLEMS: tuple[ModuleType, ...] = (
    scope,
    not_granted,
    judge,
    unknown_reference,
    impacted,
    expired,
    unreadable,
    unread,
    broken_record,
    stale_sidecar,
    config_change,
    baseline,
    advisory_approval,
    not_staged,
    old_setting,
    unused_ignore,
    ignore_without_reason,
)

PROBLEMS: tuple[str, ...] = tuple(m.META.id for m in _PROBLEMS)
EVERY_RULE: dict[str, Rule] = {m.META.id: m.META for m in (*TABLE, *_PROBLEMS)}
EXAMPLES: dict[str, tuple[Examples, ...]] = {m.META.id: m.EXAMPLES for m in (*TABLE, *_PROBLEMS)}
