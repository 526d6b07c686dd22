"""Pages whose references are about another place or any project, shown by the pages themselves."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.report.findings import list_findings

FOUR = "See [a](../web/a.md), [b](../web/b.md), [c](../web/c.md) and [d](../web/d.md).\n"
ONE = "See [e](../web/e.md).\n"
RUN = "Run `scripts/build.ts` and read `scripts/notes.md`.\n"

PAGES = (
    ({"docs/new/a.md": FOUR}, 0),
    ({"docs/new/a.md": FOUR, "docs/new/b.md": ONE}, 0),
    ({"docs/new/b.md": ONE}, 1),
    ({"docs/new/a.md": FOUR, "docs/old/b.md": ONE}, 1),
    # One link leads to a file, or would from the root.
    ({"docs/new/a.md": f"{FOUR}[f](../guide.md)\n"}, 4),
    ({"docs/new/a.md": f"{FOUR}[f](../src/app.py)\n"}, 5),
    ({"docs/new/README.md": FOUR}, 4),
    ({"docs/a.md": FOUR, "docs/b.md": f"{FOUR}[x](https://a.org)\n"}, 0),
    # A page for agents that names nothing of this tree.
    ({".claude/agents/tester.md": RUN}, 0),
    ({"tools/skills/build/SKILL.md": RUN}, 0),
    ({".claude/agents/tester.md": f"{RUN}The entry is `src/app.py`.\n"}, 2),
    ({".claude/CLAUDE.md": RUN}, 2),
    ({"CLAUDE.md": RUN}, 2),
)


@pytest.mark.parametrize(("pages", "wrong"), PAGES)
def test_pages_that_are_not_about_their_place(
    tmp_path: Path, pages: dict[str, str], wrong: int
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/guide.md": "", "src/app.py": "", "scripts/a.sh": "", **pages})
    found = list_findings(repo.check("all").report)
    assert sum(e.rule.startswith("refuted") for e in found) == wrong


def test_a_new_page_does_not_excuse_itself(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"docs/guide.md": "", "scripts/a.sh": ""})
    repo.stage({"docs/new/a.md": FOUR, ".claude/agents/tester.md": RUN})
    found = list_findings(repo.check("staged").report)
    assert sum(e.rule.startswith("refuted") for e in found) == 6
