"""Which configuration judges a run: base's in the hook and in ranges, the tree's by hand."""

from __future__ import annotations

import os

from msgspec.structs import replace

from grounded_ingest.config import DEFAULTS, Config
from grounded_ingest.config_file import (
    FILE,
    apply_nested,
    differences,
    load,
    parse_toml,
    parse_yaml,
)
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model import Problem
from grounded_ingest.rules import ROWS, RULES
from grounded_ingest.scope import Scoped
from grounded_ingest.tree import Tree


def read_config(tree: Tree) -> Config:
    """The configuration of a tree's root. Raises GroundedIngestError naming file and line."""

    def read_file(path: str) -> str | None:
        content = tree.read(path) if tree.entry(path) is not None else None
        try:
            return content.decode() if content is not None else None
        except UnicodeDecodeError:
            raise GroundedIngestError(f"{path}:1: not UTF-8") from None

    return load(read_file)


def configured_base(tree: Tree) -> str:
    """The `base` a tree's configuration names; asked before base is known."""
    return read_config(tree).base


def judging_config(
    scoped: Scoped, *, explicit: str, isolated: bool
) -> tuple[Config, list[Problem]]:
    """The configuration a run is judged by, and what has to be said of it."""
    if isolated:
        return DEFAULTS, []
    if explicit:
        return _explicit(explicit), []
    proposed = read_config(scoped.tree)
    if scoped.mode not in ("staged", "range"):
        return _with_nested(proposed, scoped.tree, scoped.tree), []
    on_base = read_config(scoped.base.tree) if scoped.base.commit else DEFAULTS
    if on_base.origin == DEFAULTS.origin and proposed.origin != DEFAULTS.origin:
        staged = scoped.mode == "staged"
        judge = proposed if staged else DEFAULTS
        what = "it judges this commit already" if staged else "the defaults judge this range"
        problems = [
            Problem(proposed.origin, 1, "config-change", f"base has no configuration yet: {what}")
        ]
        return _with_nested(
            judge, scoped.tree, scoped.tree if staged else scoped.base.tree
        ), problems
    problems = [
        Problem(
            proposed.origin if proposed.origin != DEFAULTS.origin else FILE,
            1,
            "config-change",
            text,
        )
        for text in differences(on_base, proposed)
    ]
    return _with_nested(on_base, scoped.tree, scoped.base.tree), problems


def _explicit(path: str) -> Config:
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise GroundedIngestError(f"{path}: cannot be read: {error}") from None
    return parse_toml(text, path) if path.endswith(".toml") else parse_yaml(text, path)


def _with_nested(config: Config, listed: Tree, read_from: Tree) -> Config:
    """Nested files may exclude and classify; which ones there are is seen in the tree, what they
    say is read where policy is read."""
    tail = f"/{FILE}"
    for path in [p for p in listed.files if p.endswith(tail)]:
        content = read_from.read(path) if read_from.entry(path) is not None else None
        if content is not None:
            config = apply_nested(
                config, path[: -len(tail)], content.decode(errors="replace"), path
            )
    return config


def with_rules(config: Config, select: tuple[str, ...], ignore: tuple[str, ...]) -> Config:
    """The configuration with `--select` and `--ignore` applied; fixed rows stay."""
    for rule in (*select, *ignore):
        if rule not in RULES:
            from difflib import get_close_matches

            near = get_close_matches(rule, RULES, 1)
            hint = f"did you mean {near[0]}?" if near else "see: grounded-ingest rule"
            raise GroundedIngestError(f"unknown rule: {rule}", hint)
        if RULES[rule].fixed:
            raise GroundedIngestError(f"{rule} cannot be selected or ignored: it is fixed")
    off = {r for r in ROWS if not RULES[r].fixed and (r in ignore or (select and r not in select))}
    return replace(config, policy={**config.policy, **dict.fromkeys(off, "off")}) if off else config


def environment_agent() -> bool:
    """Whether the environment says that a coding agent runs this."""
    from grounded_ingest.lexicon.agents import ENVIRONMENT

    return any(os.environ.get(name) for name in ENVIRONMENT)
