"""Finds commands of tools that the repository does not use: `make test` without a Makefile."""

from __future__ import annotations

import re
from collections.abc import Collection
from posixpath import dirname

from grounded_ingest.git.trees import text_of
from grounded_ingest.model.claims import Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.exemptions import SKILL, is_own_guide
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.patterns import compiled

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
