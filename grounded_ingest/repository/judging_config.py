"""Chooses which configuration file applies to a run. For a commit range, the one on the base branch
applies, so that a change cannot loosen its own check. Otherwise, the one in the checked tree
applies."""

from __future__ import annotations

import os

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.adoption import list_loosened, stricter_settings
from grounded_ingest.config.files import FILE, PYPROJECT, load, parse_toml, parse_yaml
from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.errors import GroundedIngestError, os_errors_as
from grounded_ingest.git.repository import SYMLINK, Repo
from grounded_ingest.git.trees import CommitTree, Tree
from grounded_ingest.model.claims import Problem
from grounded_ingest.repository.scope import Asked, Base, Scoped, base_of
from grounded_ingest.text.lexicon.agents import AUTHORS, BODY, ENVIRONMENT, TRAILERS


class Judging(Struct, frozen=True):
    """The configuration that a run uses, and the `problems` found in it.

    `former` has the configurations that applied before the change. They tell which class, such as
    `memory` or `docs`, a file had. `proposed` is the configuration in the change if the run uses
    another one and classes, excludes or sources differ; else None."""

    config: Config
    problems: tuple[Problem, ...] = ()
    former: tuple[Config, ...] = (DEFAULTS,)
    proposed: Config | None = None


def read_config(tree: Tree) -> Config:
    """Returns the configuration at the root of a tree. Raises GroundedIngestError with file and
    line if the configuration is invalid."""

    def read_file(path: str) -> str | None:
        content = tree.read(path) if tree.entry(path) is not None else None
        try:
            return content.decode() if content is not None else None
        except UnicodeDecodeError:
            raise GroundedIngestError(
                f"{path}:1: the file is not UTF-8", "convert the file to UTF-8"
            ) from None

    return load(read_file)


def configured_base(repo: Repo, asked: Asked) -> str:
    """Returns the `base` setting from the configuration on the base branch, because a change must
    not choose its own base.

    Without a base branch, returns the setting from HEAD's configuration. For a commit range without
    a base, returns an empty string."""
    base = base_of(repo, asked, "", os.environ)
    if base.commit:
        return _read_landed(base.tree)[0].base
    head = repo.head()
    if asked.mode == "range" or asked.before or not head:
        return ""
    return _read_landed(CommitTree(repo, head))[0].base


def judging_config(
    scoped: Scoped, *, explicit: str, isolated: bool, landed: bool = False, hook: bool = False
) -> Judging:
    """Returns the configuration that a run uses. If `landed` is true, the configuration on the base
    branch applies to every scope. If `hook` is true and the base branch has no configuration yet,
    the configuration in the push applies, so that the push that adds `preset: advisory` is already
    checked with this preset. Raises GroundedIngestError with file and line if the configuration is
    invalid."""
    if isolated:
        return Judging(DEFAULTS)
    if explicit:
        config = explicit_config(explicit)
        return Judging(config, former=(config,))
    if scoped.tree.mode(FILE) == SYMLINK:
        raise GroundedIngestError(
            f"{FILE}:1: the configuration file must not be a symbolic link",
            "replace the link by a regular file with the configuration",
        )
    proposed = read_config(scoped.tree)
    if scoped.mode != "range" and not landed:
        return _own_configuration(scoped, proposed)
    protected = protected_tree(scoped)
    on_base, broken = _read_landed(protected)
    if broken:
        why = f"the defaults apply: the configuration on the base branch is invalid: {broken}"
        return Judging(DEFAULTS, (Problem(FILE, 1, "config-change", why),))
    if hook and on_base.origin == DEFAULTS.origin:
        return _own_configuration(scoped, proposed)
    first = on_base.origin == DEFAULTS.origin
    judge = stricter_settings(proposed) if first and proposed.origin != DEFAULTS.origin else on_base
    file = proposed.origin if proposed.origin != DEFAULTS.origin else FILE
    why = list_loosened(on_base, proposed, first=first)
    problems = (Problem(file, 1, "config-change", why),) if why else ()
    if proposed.fingerprint == judge.fingerprint == on_base.fingerprint:
        return Judging(judge, problems, (on_base,))
    return Judging(judge, problems, _former_configs(scoped, protected), proposed)


def _own_configuration(scoped: Scoped, proposed: Config) -> Judging:
    """Returns the configuration in the checked tree, with a problem if the staged change makes the
    configuration at HEAD less strict. A first configuration sets the check up and loosens nothing.
    """
    config = _with_landed_sources(proposed, scoped)
    changed = any(c.path in (FILE, PYPROJECT) for c in scoped.changes or ())
    base = scoped.base.tree if scoped.base.commit else None
    before = _former_configs(scoped, base) if changed else (config,)
    compared = changed and scoped.mode == "staged" and before[-1].origin != DEFAULTS.origin
    why = list_loosened(before[-1], config) if compared else ""
    problems = (Problem(config.origin, 1, "config-change", why),) if why else ()
    return Judging(config, problems, before)


def _with_landed_sources(config: Config, scoped: Scoped) -> Config:
    """Returns the configuration with the trusted sources from the base branch, so that a change
    cannot approve its own text by declaring its files as trusted."""
    if not scoped.base.commit:
        return config
    landed = _read_landed(scoped.base.tree)[0]
    return replace(config, sources=landed.sources, trusted_sources=landed.trusted_sources)


def _former_configs(scoped: Scoped, landed: CommitTree | None) -> tuple[Config, ...]:
    """Returns the configurations before the change, which show the class of each file at that time.
    The configurations come from the base branch and from the commit at which the change begins."""
    trees = [landed] if landed is not None else []
    if scoped.parents[0] and (landed is None or landed.commit != scoped.parents[0]):
        trees.append(CommitTree(scoped.tree.repo, scoped.parents[0]))
    found = tuple(_read_landed(t)[0] for t in trees)
    return found or (DEFAULTS,)


def protected_tree(scoped: Scoped) -> CommitTree:
    """Returns the tree whose configuration a run uses: the tree of the base branch. If a hook does
    not know the base branch, returns the tree of HEAD."""
    if scoped.base.commit or scoped.mode != "staged":
        return scoped.base.tree
    return CommitTree(scoped.tree.repo, scoped.head)


def landed_config(base: Base, otherwise: Config) -> Config:
    """Returns the configuration on the base branch, or `otherwise` if there is no base branch."""
    return _read_landed(base.tree)[0] if base.commit else otherwise


def _read_landed(tree: Tree) -> tuple[Config, str]:
    """Returns the configuration in a tree of the base branch and an empty text. If that
    configuration is invalid, returns the defaults and the error, so that a change can still repair
    the configuration."""
    try:
        return read_config(tree), ""
    except GroundedIngestError as error:
        return DEFAULTS, str(error).partition("\n")[0]


def explicit_config(path: str) -> Config:
    """Returns the configuration from the file that the user named. Raises GroundedIngestError if
    the file cannot be read or is invalid."""
    try:
        with (
            os_errors_as(f"{path}: the configuration file cannot be read"),
            open(path, encoding="utf-8") as file,
        ):
            text = file.read()
    except UnicodeDecodeError as error:
        raise GroundedIngestError(f"{path}: the configuration file is not UTF-8: {error}") from None
    return parse_toml(text, path) if path.endswith(".toml") else parse_yaml(text, path)


def agent_at_work(repo: Repo, scoped: Scoped, config: Config) -> bool:
    """Returns whether a coding agent made the change.

    Returns true if an agent's environment variable is set, or if a commit in the range has an
    agent's address, trailer or signature. False means that the author is unknown, and does not
    prove that a person made the change."""
    if any(os.environ.get(name) for name in ENVIRONMENT):
        return True
    if scoped.mode != "range":
        return False
    written = repo.messages(scoped.base.commit, scoped.end).lower()
    signs = (*AUTHORS, *BODY, *(f"\n{t}" for t in TRAILERS), *(a.lower() for a in config.agents))
    return any(sign in written for sign in signs)
