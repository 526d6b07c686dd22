"""Returns the names that a repository has for itself."""

from __future__ import annotations

import re
from functools import lru_cache
from posixpath import basename

from grounded_ingest.code.manifest_facts import NAMING, own_name
from grounded_ingest.git.repository import Repo
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.references.context import Context
from grounded_ingest.text.lexicon.drawn_words import ROOTS


def own_names(context: Context) -> frozenset[str]:
    """Returns the repository's names: of its folder, remote and manifests, and those in ROOTS."""
    return _own_names(context.repo, context.tree)


@lru_cache(maxsize=4)
def _own_names(repo: Repo, tree: Tree) -> frozenset[str]:
    remote = repo.remote_url().rstrip("/").removesuffix(".git")
    names = [basename(repo.root), re.split("[/:]", remote)[-1], *ROOTS.split()]
    own = (own_name(path, text_of(tree, path) or "") for path in NAMING)
    names += [_MAJOR.sub("", name).rpartition("/")[2] for name in own]
    names += [p.removesuffix(".gemspec") for p in tree.files if p.endswith(".gemspec")]
    return frozenset(plain_name(name) for name in names if name)


_MAJOR = re.compile(r"/v\d+$")
"""Matches the major version in the path of a Go module."""


def plain_name(name: str) -> str:
    """Returns a name in small letters, without signs: `shopqueue` for `shop-queue`."""
    return re.sub(r"[\W_]", "", name).lower()
