"""A package that a list of the project's stack names is wrong once a commit removes it."""

from __future__ import annotations

from pathlib import Path

from repos import Files, Repo

PACKAGES = '{{"name": "shop", "dependencies": {{{}}}}}'
OLD = ", ".join(f'"{n}": "^1"' for n in ("react", "leva", "redux", "prisma", "@x/tools", "redis"))
STACK = """\
# Shop

## Tech stack

| Layer | Library | Notes |
|---|---|---|
| GUI | **leva** | panels |
| State | redux | code imports it |
| View | React | a manifest has it |
| Router | Golden-Layout | no manifest had it |
| Cache | Redis | a server |
| Old | leva | removed in March |
| Rows | SQLAlchemy | of another file |

All tools are of `@x/tools` now.

## Supported libraries

| Layer | Library |
|---|---|
| Database | prisma |

## Glossary

| Word | Meaning |
|---|---|
| Client | prisma |
"""


def test_a_package_that_a_commit_removed(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    files: Files = {"README.md": STACK, "src/state.ts": "import { store } from 'redux';\n"}
    files |= {"requirements.txt": "attrs==25.1\nSQLAlchemy==1.4\n"}
    repo.commit({**files, "package.json": PACKAGES.format(OLD)})
    left = PACKAGES.format('"react": "^1"')
    fewer: Files = {"package.json": left, "requirements.txt": "attrs==25.1\n"}
    commit = repo.commit(fewer, "Drop leva", day="2026-02-03")
    wrong = [
        (d.place.claim.line, e.reason)
        for d in repo.decisions("all")
        for e in d.evidence
        if e.verdict == "refuted"
    ]
    removed = f"removed in {commit[:12]} (2026-02-03, “Drop leva”)"
    assert wrong == [
        (7, f"package.json has no leva: {removed}"),
        (13, f"requirements.txt has no SQLAlchemy: {removed}"),
        (15, f"package.json has no @x/tools: {removed}"),
    ]
