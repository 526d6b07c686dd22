"""Paths that are written from another root, with a short folder, or as a bare name with a line."""

from __future__ import annotations

from repos import Repo

from grounded_ingest.model.claims import CitationKind, Verdict

LONG = "\n".join(f"# row {n}" for n in range(1, 30))
FILES = {
    "packages/api/src/routes/users.ts": "export const a = 1;\n",
    "one/rows.py": f"def parse_row():\n    return 1\n{LONG}\n",
    "two/rows.py": f"def send_row():\n    return 1\n{LONG}\n",
}


COMMITS = (FILES,)


MEANT = (
    # The root of a package. A missing file there may be planned or belong elsewhere.
    ("The routes are in `src/routes/users.ts`.", Verdict.CONFIRMED),
    ("The routes are in `src/routes/carts.ts`.", Verdict.UNKNOWN),
    # The name beside a bare file name decides which file is meant.
    ("The function `parse_row()` (`rows.py:20`) reads.", Verdict.CONFIRMED),
    ("The code `read(parse_row, 1)` (`rows.py:20`) reads.", Verdict.UNKNOWN),  # only a use
    ("The function `read_row()` (`rows.py:20`) reads.", Verdict.UNKNOWN),
)


def test_the_path_that_is_meant(repo: Repo) -> None:
    judged = repo.judge_each(text for text, _ in MEANT)
    for text, verdict in MEANT:
        found = [e for e in judged[text].evidence if e.kind is CitationKind.PATH]
        assert [e.verdict for e in found] == [verdict], text
