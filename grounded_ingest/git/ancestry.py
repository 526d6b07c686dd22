"""Ancestry of commits, and where a shallow clone ends."""

from __future__ import annotations

from collections.abc import Iterable

from grounded_ingest.git.repository import Repo
from grounded_ingest.text.patterns import compiled

_PARENT = compiled("(?m)^parent ([0-9a-f]+)$")
_RECENT = 50
"""Commits that are read one by one before git is asked for all ancestors."""


def unreachable(repo: Repo, oids: Iterable[str], base: str) -> set[str]:
    """Those commits that are not ancestors of `base`; one process for all, if any."""
    asked = set(oids) - {base}
    if not asked or not base:
        return asked
    asked -= _recent(repo, base, asked)
    if not asked:
        return asked
    stdin = "\n".join([*sorted(asked), f"^{base}"]) + "\n"
    listed = repo.run("rev-list", "--stdin", stdin=stdin.encode()).decode().split()
    return asked.intersection(listed)


def _recent(repo: Repo, base: str, asked: set[str]) -> set[str]:
    """Those that are among the last ancestors of `base`: what is cited is mostly news."""
    seen, todo = {base}, [base]
    while todo and len(seen) < _RECENT and not asked <= seen:
        content = repo.objects.read(todo.pop(0)) or b""
        head = content.partition(b"\n\n")[0].decode(errors="replace")
        parents = [n for n in _PARENT.findall(head) if n not in seen]
        todo += parents
        seen.update(parents)
    return asked & seen


def shallow_ends(repo: Repo) -> frozenset[str]:
    """Commits at which a shallow clone ends."""
    if not repo.shallow:
        return frozenset()
    try:
        with open(f"{repo.common_dir}/shallow", encoding="ascii") as file:
            return frozenset(file.read().split())
    except OSError:
        return frozenset()
