"""Commands in code blocks and bare imports are no claims; they are reported if the tree refutes them."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.extract.code_blocks import shell_blocks

NOTES = "memory-bank/notes.md"


def problems(repo: Repo, mode: str = "staged") -> list[tuple[int, str]]:
    found = repo.check(mode).report.problems
    return [(p.line, p.message) for p in found if p.rule.startswith("refuted-citation[")]


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    repo.commit({
        "package.json": '{"scripts": {"build": "tsc"}}',
        "web/package.json": '{"scripts": {"dev": "vite"}}',
        "Makefile": "check:\n\ttrue\n",
    })  # fmt: skip
    return repo


BLOCKS = (
    ("```bash\nnpm run build\nnpm run nope\n```", [6]),
    ("```\nmake check\nmake nope\n```", [6]),
    ("    make nope", [4]),
    ("```sh\nmake check && make nope  # again\n```", [5]),
    ("```sh\nmake nope  # planned\n```", []),
    ("```sh\n# the fast ones (no network)\nmake nope\n```", [6]),
    ("```sh\n# Generate the report\nmake nope\n```", [6]),
    ("```sh\n# removed in 2.0\nmake nope\n```", []),
    ("```sh\ncd web\nnpm run dev\ncd ..\nmake check\n```", []),
    ("```sh\ncd web\nnpm run build\n```", [6]),
    ("In `web`:\n\n```sh\nnpm run dev\n```", []),
    ("```sh\nnpm run dev\n```", [5]),
    ("```sh\ncd web\nnpm run nope\n```", [6]),
    ("```sh\n(cd web && npm run nope)\nmake check\n```", [5]),
    ("```sh\n(cd web; npm run dev)\nmake nope\n```", [6]),
    ("```sh\ncd web\n```\n\n```sh\nnpm run dev\nnpm run nope\n```", [10]),
    ("```sh\nnpm run nope\n```\n\n```sh\ncd web\n```", [5]),
    ("```sh\ngit clone x && cd x\nnpm run nope\n```", []),
    ("```console\n$ make check\nmake nope\n$ make gone\n```", [7]),
    ("```sh\nmake \\\n  nope\n```", [5]),
    ("```\nmake    x86_64    4.4.1\n```", []),  # a row of a table that a program printed
    ("```yaml\nrun: make nope\n```", []),
    ("```python\nmake nope\n```", []),
    ("```sh\nmake <target>\nmake $X\n```", []),
    ("> ```sh\n> make nope\n> ```", [5]),
    ("- item\n\n  ```sh\n  make nope\n  ```", [7]),
    ("For example:\n\n```sh\nmake nope\n```", []),
)


def test_blocks(repo: Repo) -> None:
    pages = {f"memory-bank/n{n}.md": f"# Notes\n\n\n{row[0]}\n" for n, row in enumerate(BLOCKS)}
    repo.stage({**pages})
    problems = repo.check().report.problems
    for (path, text), (_, lines) in zip(pages.items(), BLOCKS, strict=True):
        found = [p for p in problems if p.path == path and p.rule.startswith("refuted-citation[")]
        assert [p.line for p in found] == lines, text
        assert all("has no" in p.message for p in found)


def test_a_wrong_command_that_was_there_before_is_not_reported_again(repo: Repo) -> None:
    repo.commit({NOTES: "# Notes\n\n```sh\nmake nope\n```\n"})
    repo.stage({NOTES: "# Notes\n\nA line.\n\n```sh\nmake nope\nmake gone\n```\n"})
    assert [said for _, said in problems(repo)] == ["`make gone`: Makefile has no target gone"]
    assert len(problems(repo, "all")) == 2


def test_a_bare_import_of_a_missing_file_is_reported(repo: Repo) -> None:
    repo.commit({"docs/style.md": "# Style\n"})
    repo.stage({"CLAUDE.md": "# Memory\n\n@docs/style.md\n\n- @docs/nope.md\n"})
    assert problems(repo) == [(5, "@docs/nope.md: no such file")]


def test_where_a_block_stands() -> None:
    text = "# A\n\n## B\n\nRun it:\n\n```sh\nx\n```\n\n# C\n\n```\ny\n```\n\n```json\nz\n```\n"
    found = list(shell_blocks(text))
    assert [(b.text, b.line, b.section, b.lead, bool(b.language)) for b in found] == [
        ("x\n", 8, "A > B", "Run it:", True),
        ("y\n", 14, "C", "", False),
    ]
