"""Chooses the configuration that judges a run: base's in a range, else that of what is checked."""

from __future__ import annotations

import os
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.config.adoption import loosened, tightened
from grounded_ingest.config.files import (
    FILE,
    PYPROJECT,
    apply_nested,
    load,
    parse_toml,
    parse_yaml,
)
from grounded_ingest.config.globs import matches
from grounded_ingest.config.settings import DEFAULTS, NEVER_GLOBS, Config
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import SYMLINK, Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Problem
from grounded_ingest.repository.scope import Asked, Base, Scoped, base_of


class Judging(NamedTuple):
    """The configuration that judges a run, and problems about it.

    `then` are the configurations that gave files their classes before the change. `proposed` is the
    change's own configuration, if it does not judge and chooses or classes documents differently.
    """

    config: Config
    said: tuple[Problem, ...] = ()
    then: tuple[Config, ...] = (DEFAULTS,)
    proposed: Config | None = None

    @classmethod
    def given(cls, config: Config) -> Judging:
        """Returns the judging of a configuration from outside the repository: no change alters
        it."""
        return cls(config, then=(config,))


def read_config(tree: Tree) -> Config:
    """Returns the configuration at a tree's root. Raises GroundedIngestError with file and line."""

    def read_file(path: str) -> str | None:
        content = tree.read(path) if tree.entry(path) is not None else None
        try:
            return content.decode() if content is not None else None
        except UnicodeDecodeError:
            raise GroundedIngestError(f"{path}:1: not UTF-8") from None

    return load(read_file)


def configured_base(repo: Repo, asked: Asked) -> str:
    """Returns the `base` that the configuration of base names: a change does not choose what it is
    judged against. Without a base, the one that HEAD's configuration names; empty in a range."""
    base = base_of(repo, asked, "", os.environ)
    if base.commit:
        return _read_landed(base.tree)[0].base
    head = repo.head()
    if asked.mode == "range" or asked.before or not head:
        return ""
    return _read_landed(CommitTree(repo, head))[0].base


def judging_config(
    scoped: Scoped, *, explicit: str, isolated: bool, landed: bool = False
) -> Judging:
    """Returns the configuration that judges a run. `landed`: base's, whatever the scope. Raises
    GroundedIngestError with file and line."""
    if isolated:
        return Judging.given(DEFAULTS)
    if explicit:
        return Judging.given(explicit_config(explicit))
    _refuse_links(scoped.tree)
    proposed = read_config(scoped.tree)
    if scoped.mode != "range" and not landed:
        return _by_its_own(scoped, proposed)
    protected = protected_tree(scoped)
    on_base, broken = _read_landed(protected)
    if broken:
        why = f"base's cannot be read, the defaults judge: {broken}"
        return Judging(DEFAULTS, (Problem(FILE, 1, "config-change", why),))
    change = with_nested(proposed, scoped.tree)
    then = with_nested(on_base, protected, landed=True)
    judge = then
    if on_base.origin == DEFAULTS.origin and proposed.origin != DEFAULTS.origin:
        judge = with_nested(tightened(proposed), protected, landed=True)
    file = proposed.origin if proposed.origin != DEFAULTS.origin else FILE
    why = loosened(then, change)
    problems = (Problem(file, 1, "config-change", why),) if why else ()
    if change.fingerprint == judge.fingerprint == then.fingerprint:
        return Judging(judge, problems, (then,))
    return Judging(judge, problems, _then(scoped, protected), change)


def _by_its_own(scoped: Scoped, proposed: Config) -> Judging:
    """Returns the configuration of what is checked, and one line if the commit loosens it."""
    config = _with_landed_sources(with_nested(proposed, scoped.tree), scoped)
    changed = any(_is_config(c.path) for c in scoped.changes or ())
    base = scoped.base.tree if scoped.base.commit else None
    before = _then(scoped, base) if changed else (config,)
    why = loosened(before[-1], config) if changed and scoped.mode == "staged" else ""
    said = (Problem(config.origin, 1, "config-change", why),) if why else ()
    return Judging(config, said, before)


def _with_landed_sources(config: Config, scoped: Scoped) -> Config:
    """Returns the configuration with the trusted sources that base has: no change approves its own
    text by trusting the place where the text stands."""
    if not scoped.base.commit:
        return config
    landed = _read_landed(scoped.base.tree)[0]
    return replace(config, sources=landed.sources, trusted_sources=landed.trusted_sources)


def _then(scoped: Scoped, landed: CommitTree | None) -> tuple[Config, ...]:
    """Returns the configurations that gave files their classes before the change: that of base, and
    that of the commit at which the change begins."""
    trees = [landed] if landed is not None else []
    if scoped.parents[0] and (landed is None or landed.commit != scoped.parents[0]):
        trees.append(CommitTree(scoped.tree.repo, scoped.parents[0]))
    found = tuple(with_nested(_read_landed(t)[0], t, landed=True) for t in trees)
    return found or (DEFAULTS,)


def _is_config(path: str) -> bool:
    return path == PYPROJECT or path.rpartition("/")[2] == FILE


def protected_tree(scoped: Scoped) -> CommitTree:
    """Returns the tree whose configuration judges: base, or HEAD if a hook knows no base."""
    if scoped.base.commit or scoped.mode != "staged":
        return scoped.base.tree
    return CommitTree(scoped.tree.repo, scoped.head)


def landed_config(base: Base, otherwise: Config) -> Config:
    """Returns base's configuration, `otherwise` without a base. It says who reviews: no change
    names its own reviewers."""
    return _read_landed(base.tree)[0] if base.commit else otherwise


def _read_landed(tree: Tree) -> tuple[Config, str]:
    """Returns a configuration that has landed and an empty text; the defaults and the error if it
    is broken, which must not stop the change that mends it."""
    try:
        return read_config(tree), ""
    except GroundedIngestError as error:
        return DEFAULTS, str(error).partition("\n")[0]


def _refuse_links(tree: Tree) -> None:
    if tree.mode(FILE) == SYMLINK:
        raise GroundedIngestError(
            f"{FILE}:1: a symbolic link is not read", "put the configuration into the file itself"
        )


def explicit_config(path: str) -> Config:
    """Returns the configuration of a file that the user named. Raises GroundedIngestError."""
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise GroundedIngestError(f"{path}: cannot be read: {error}") from None
    return parse_toml(text, path) if path.endswith(".toml") else parse_yaml(text, path)


def with_nested(config: Config, tree: Tree, *, landed: bool = False) -> Config:
    """Returns the configuration with what nested files exclude and classify. Files in excluded
    directories belong to other projects and are left out, and so is a broken one that has
    landed."""
    tail = f"/{FILE}"
    outer = (*NEVER_GLOBS, *config.exclude)
    for path in sorted(p for p in tree.files if p.endswith(tail)):
        content = None if matches(outer, path, fold=True, below=True) else tree.read(path)
        if content is None:
            continue
        try:
            text = content.decode(errors="replace")
            config = apply_nested(config, path[: -len(tail)], text, path)
        except GroundedIngestError:
            if not landed:
                raise
    return config


def agent_at_work(repo: Repo, scoped: Scoped, config: Config) -> bool:
    """Whether a coding agent is at work: its environment variable is set, or a commit of the range
    has its address, trailer or signature. False means unknown, not that it is a person."""
    from grounded_ingest.text.lexicon.agents import AUTHORS, BODY, ENVIRONMENT, TRAILERS

    if any(os.environ.get(name) for name in ENVIRONMENT):
        return True
    if scoped.mode != "range":
        return False
    written = repo.messages(scoped.base.commit, scoped.end).lower()
    signs = (*AUTHORS, *BODY, *(f"\n{t}" for t in TRAILERS), *(a.lower() for a in config.agents))
    return any(sign in written for sign in signs)
