"""Finds commands of tools that the repository does not use: `pnpm build` in a repository whose only
lock file is `bun.lock`, `make test` in one without a Makefile."""

from __future__ import annotations

import re
from collections.abc import Collection
from posixpath import dirname

from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.trees import text_of
from grounded_ingest.git.word_search import files_with
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import SKILL, is_own_guide
from grounded_ingest.references.manifests import Manifests
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.references.site_pages import is_site_page
from grounded_ingest.references.written_options import is_current_prose
from grounded_ingest.text.dated_paths import is_test_or_sample
from grounded_ingest.text.patterns import compiled

_FILES = {
    "npm": ("package-lock.json", "npm-shrinkwrap.json"),
    "pnpm": ("pnpm-lock.yaml", "pnpm-workspace.yaml"),
    "yarn": ("yarn.lock",),
    "bun": ("bun.lock", "bun.lockb"),
}
"""The files by which a repository shows its package manager. npm is installed with Node.js, so its
commands run everywhere."""
_RUNNING = compiled(
    r"(?i)(?:^|/)(?:package\.json|[^/]+\.(?:ya?ml|sh|toml|[cm]?[jt]s|py)|(?:make|just|docker)file[^/]*)$"
)
"""Matches code, manifests and workflows. They name a package manager if the project uses it."""


def answer_unused(asked: Collection[Reference], manifests: Manifests, context: Context) -> Answers:
    """Returns a wrong result for each script run by pnpm, yarn or bun although all lock files of
    the tree are those of another manager. One of these has to be in a folder above the document.
    Returns none if code, a manifest or a workflow names the manager, or if the page names both."""
    files = {m: paths for m, names in _FILES.items() if (paths := manifests.everywhere(names))}
    if len(files) != 1:
        return {}
    used, locks = next(iter(files.items()))
    others = {r: r.name.split()[0] for r in asked}
    others = {r: m for r, m in others.items() if m in _FILES and m not in (used, "npm")}
    named = _named_in_code({*others.values()}, context) if others else ()
    found: Answers = {}
    for reference, other in others.items():
        folders = [*directories_from(dirname(reference.path))]
        lock = next((path for path in locks if dirname(path) in folders), "")
        if lock and other not in named and _is_about_tree(reference, used, context):
            why = f"{lock} is the lock file of {used}, and no code or workflow names {other}"
            found[reference] = TreeAnswer(Verdict.REFUTED, lock, why)
    return found


_BUILDING = {
    "make": compiled(
        r"(?i)(?:^|/)(?:gnu|bsd)?makefile[^/]*$|\.(?:mk|mak|pro)$"
        r"|(?:^|/)(?:cmakelists\.txt|configure[^/]*|kbuild|extconf\.rb|meson\.build|premake\d*\.lua)$"
    ),
    "just": compiled(r"(?i)(?:^|/)\.?justfile$|\.just$"),
    "nox": compiled(r"(?:^|/)noxfile\.py$"),
    "tox": compiled(r"(?:^|/)(?:tox\.(?:ini|toml)|setup\.cfg|pyproject\.toml)$"),
}
"""Matches the files that a tool reads, and those from which other programs make such files."""


def answer_without_file(asked: Collection[Reference], context: Context) -> Answers:
    """Returns a wrong result for each target of a tool such as make in a guide for contributors, if
    the tree has no file that the tool reads. In changed lines, a file in a folder that is not above
    the document counts only if it contains the target."""
    found: Answers = {}
    for reference in asked:
        tool, _, target = reference.name.partition(" ")
        named = tool in _BUILDING and (target[:1].isalnum() or target.startswith(("-s ", "-e ")))
        asked_here = named and reference.of in ("", ".") and is_own_guide(reference.path, context)
        if not asked_here or SKILL.search(reference.path):
            continue
        files = [*filter(_BUILDING[tool].search, context.tree.files)]
        if not context.whole:
            above = {*directories_from(dirname(reference.path))}
            word = re.compile(rf"(?<![\w-]){re.escape(target.split()[-1])}(?![\w-])")
            files = [
                path
                for path in files
                if dirname(path) in above or word.search(text_of(context.tree, path) or "")
            ]
        if not files:
            why = f"no file of this repository has targets for {tool}"
            found[reference] = TreeAnswer(Verdict.REFUTED, reference.name, why)
    return found


def _named_in_code(managers: Collection[str], context: Context) -> Collection[str]:
    """Returns the package managers that files in `_RUNNING` name, and all if git fails."""
    try:
        return files_with(
            context.repo, context.tree, managers, _may_run, cache=context.cache
        ).keys()
    except GroundedIngestError:
        return managers


def _may_run(path: str) -> bool:
    return _RUNNING.search(path) is not None and not is_test_or_sample(path)


def _is_about_tree(reference: Reference, used: str, context: Context) -> bool:
    """Returns whether a command is for this repository, on a page that does not name `used`. If the
    README names the other package manager, too, that is a habit and no mistake."""
    if not is_current_prose(reference.path) or is_site_page(reference.path, context.tree):
        return False
    if SKILL.search(reference.path):
        return False  # a skill is used in many projects
    page = text_of(context.tree, reference.path) or ""
    guide = text_of(context.base.tree, _GUIDE) or ""
    habit = reference.path != _GUIDE and re.search(rf"\b{reference.name.split()[0]}\b", guide)
    return not (habit or re.search(rf"\b{used}\b", page))


_GUIDE = "README.md"
