"""Restricts a repository's first configuration until it is on the base branch: only stricter
settings apply.

Otherwise the author of a change could decide how the change is checked (docs/decisions/base.md).
`TIGHTENS` defines the stricter direction for each key. All other keys have no effect until the
configuration is on the base branch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from msgspec import Struct
from msgspec.structs import fields, replace

from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.rules.registry import RULES

_STRICTNESS = ("off", "review", "block")
_PRESETS = ("advisory", "existence", "default", "strict")


def _accept_any(_default: Any, proposed: Any) -> Any:
    return proposed


def _inclusions_only(default: tuple[str, ...], proposed: tuple[str, ...]) -> tuple[str, ...]:
    return (*default, *(g for g in proposed[len(default) :] if not g.startswith("!")))


def _exclusions_cancelled(default: tuple[str, ...], proposed: tuple[str, ...]) -> tuple[str, ...]:
    """Returns the default globs, and the proposed `!globs`, which cancel default exclusions."""
    return (*default, *(g for g in proposed[len(default) :] if g.startswith("!")))


def _stricter_actions(_default: Any, proposed: dict[str, str]) -> dict[str, str]:
    """Returns the rules for which `proposed` has a stricter action than the default, with this
    action."""
    usual = {rule: "block" if RULES[rule].tier == 3 else "review" for rule in proposed}
    stricter = _STRICTNESS.index
    return {r: a for r, a in proposed.items() if stricter(a) > stricter(usual[r])}


TIGHTENS: dict[str, Callable[[Any, Any], Any]] = {
    # More files are judged, and files become memory first.
    "classes.memory": _inclusions_only,
    "classes.docs": _inclusions_only,
    "exclude": _exclusions_cancelled,
    "agents": _accept_any,
    # With lower values, more texts count as repetitions, and more memories can contradict each
    # other.
    "dedup.threshold": min,
    "dedup.exact_words": min,
    "dedup.near_words": min,
    "trust.threshold": min,
    "trust.difference": max,
    # Asking fewer servers confirms fewer claims.
    "network.deny": _accept_any,
    "tracker.kind": lambda default, proposed: proposed if proposed == "none" else default,
    "horizons": _accept_any,
    "policy": _stricter_actions,
    "evidence": _accept_any,
    "stage_evidence": _accept_any,
    "review.require_signed": max,
    "preset": lambda default, proposed: max(default, proposed, key=_PRESETS.index),
}
"""Maps each key that can be made stricter to a function of the default and the proposed value. The
function returns the value that applies until the configuration is on the base branch. Every other
key keeps its default until then: `sources`, `decisions` globs and `reviewers` decide what is
trusted, `baseline` and `per_file_ignores` hide findings, and with a shorter time limit, refuted
claims could pass as unknown."""


UNMERGED = "the defaults apply until the merge"
"""Begins the message about a first configuration that is less strict than the defaults."""
_WHY = {False: "this change makes the configuration less strict:", True: f"{UNMERGED}, not yet"}
"""Begins the message; true for a first configuration."""


def stricter_settings(proposed: Config) -> Config:
    """Returns the default configuration, changed only by those settings in `proposed` that are
    stricter than the default."""
    config: Config = _stricter_fields("", DEFAULTS, proposed)
    return replace(config, origin=proposed.origin)


def list_loosened(old: Config, new: Config, *, first: bool = False) -> str:
    """Returns a one-line list of the settings that are less strict in `new` than in `old`. Compares
    preset, excludes, ignores, baseline and policy. `first` is true if base has no configuration.
    Returns an empty string if no setting is less strict.
    """
    found = []
    if _PRESETS.index(new.preset) < _PRESETS.index(old.preset):
        found.append(f"preset {old.preset} -> {new.preset}")
    for key in ("exclude", "per_file_ignores"):
        known = getattr(old, key)
        added = [one for one in getattr(new, key) if one not in known]
        shown = (one if isinstance(one, str) else f"{one[0]}: {', '.join(one[1])}" for one in added)
        found += [f"{key} {one}" for one in shown if not one.startswith("!")]
    if new.baseline and new.baseline != old.baseline:
        found.append(f"baseline {new.baseline}")
    for rule in sorted({*new.policy, *old.policy}):
        usual = "block" if RULES[rule].tier == 3 else "review"
        before, action = old.policy.get(rule, usual), new.policy.get(rule, usual)
        if _STRICTNESS.index(action) < _STRICTNESS.index(before):
            found.append(f"policy.{rule} {before} -> {action}")
    return f"{_WHY[first]} {'; '.join(found)}" if found else ""


def _stricter_fields(prefix: str, default: Any, proposed: Any) -> Any:
    values = {}
    for name in (f.name for f in fields(default)):
        key, old, new = f"{prefix}{name}", getattr(default, name), getattr(proposed, name)
        if key in TIGHTENS:
            values[name] = TIGHTENS[key](old, new)
        elif isinstance(old, Struct) and name != "wishes":
            values[name] = _stricter_fields(f"{key}.", old, new)
    return replace(default, **values)
