"""Returns the names that a repository has for itself."""

from __future__ import annotations

import re
from posixpath import basename

from grounded_ingest.code.manifest_facts import own_name
from grounded_ingest.git.trees import text_of
from grounded_ingest.references.context import Context
from grounded_ingest.text.lexicon.drawn_words import ROOTS


def own_names(context: Context) -> set[str]:
    """Returns the repository's names: of its folder, remote and manifests, and those in ROOTS."""
    remote = context.repo.remote_url().rstrip("/").removesuffix(".git")
    names = [basename(context.repo.root), re.split("[/:]", remote)[-1], *ROOTS.split()]
    manifests = ("pyproject.toml", "package.json", "Cargo.toml")
    texts = ((path, text_of(context.tree, path) or "") for path in manifests)
    names += [own_name(path, text).rpartition("/")[2] for path, text in texts]
    return {plain_name(name) for name in names if name}


def plain_name(name: str) -> str:
    return re.sub(r"[\W_]", "", name).lower()
