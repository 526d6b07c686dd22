"""Paths that are written from another root or with a short folder."""

from __future__ import annotations

from repos import Repo

from grounded_ingest.model.claims import CitationKind, Verdict

FILES = {"packages/api/src/routes/users.ts": "export const a = 1;\n"}


COMMITS = (FILES,)


MEANT = (
    # The root of a package. A missing file there may be planned or belong elsewhere.
    ("The routes are in `src/routes/users.ts`.", Verdict.CONFIRMED),
    ("The routes are in `src/routes/carts.ts`.", Verdict.UNKNOWN),
)


def test_the_path_that_is_meant(repo: Repo) -> None:
    judged = repo.judge_each(text for text, _ in MEANT)
    for text, verdict in MEANT:
        found = [e for e in judged[text].evidence if e.kind is CitationKind.PATH]
        assert [e.verdict for e in found] == [verdict], text
