"""Causes of holding back, and the one rewrite that the message asks for."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from benchmarks.quality.friction_figures import as_text, of_references
from benchmarks.quality.held_back import cause
from benchmarks.quality.references import Judged, Reference, fingerprint, judged
from benchmarks.quality.rewrites import in_place, rewrite

SAID = "x: “fast” does not stand in the place"
PARAPHRASE = "a.py:2: paraphrase: “ten” does not stand in the place; line 2 says “PORT = 8443”"


@pytest.mark.parametrize(
    ("text", "reason", "after"),
    [
        ("The fast port is 8443 (`a.py:2`).", SAID, "The port is 8443 (`a.py:2`)."),
        ("It is breakfast, fast.", SAID, "It is breakfast,."),
        ("The port is ten (`a.py:2`).", PARAPHRASE, "PORT = 8443 (`a.py:2`)."),
        ("It is so.", "x: the place says “never”, the claim does not", ""),
        ("It is so.", "a.py:9: a.py has 3 lines", ""),
    ],
)
def test_a_rewrite_does_what_the_message_says(text: str, reason: str, after: str) -> None:
    assert rewrite(text, reason, "a.py:2") == after


@pytest.mark.parametrize(
    ("page", "block", "after", "line"),
    [
        ("A\nb\n\nC", range(1, 3), "X\n\nC", 1),
        ("# H\n\n- [x] a\n  b\n- c", range(3, 5), "# H\n\n- [x] X\n- c", 3),
        ("| a |\n|---|\n| b |\n| c |\nD", range(3, 4), "| a |\n|---|\n| c |\n\nX\n\nD", 5),
    ],
)
def test_it_stands_where_the_claim_stood(page: str, block: range, after: str, line: int) -> None:
    lines, at = in_place(page.split("\n"), block, "X")
    assert ("\n".join(lines), at, lines[at - 1].endswith("X")) == (after, line, True)


@pytest.mark.parametrize(
    ("rule", "detail", "said"),
    [
        ("unseen", "", "unseen"),
        ("unsupported", PARAPHRASE, "other words: too few of its words in one place"),
        ("unsupported", SAID, "a word that the place has not"),
        ("unsupported", "“all” is not what the code says; “x” stands elsewhere", "a word of force"),
        ("unsupported", "too long to compare", "other"),
    ],
)
def test_a_cause_has_a_name(rule: str, detail: str, said: str) -> None:
    reference = Reference("a/b", "c", "d.md", 1, "path:line", "a.py:2", "")
    assert cause(Judged(reference, 2, rule, detail)) == said


def test_a_true_claim_is_rewritten_once_and_a_false_one_never(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "own+er")
    repo.commit({"src/app.py": "GATEWAY_PORT = 8443\n"}, "code")
    page = ["# G", "", "The gateway always listens on port 8443 (`src/app.py:1`).", "",
            "The gateway always listens on port 9443 (`src/app.py:1`)."]  # fmt: skip
    commit = repo.commit({"docs/g.md": "\n".join(page)}, "notes")
    known = {"repo": "own/er", "commit": commit or repo.git("rev-parse", "HEAD"),
             "path": "docs/g.md", "kind": "path:line", "cites": "src/app.py:1"}  # fmt: skip
    true = Reference(line=3, sha256=fingerprint(page[2]), **known)
    false = Reference(line=5, sha256=fingerprint(page[4]), label="false", **known)
    outcome = judged([true, false], str(tmp_path), lambda *_: None)
    told = as_text(of_references(outcome, "refs.jsonl"))
    assert [bool(j.again and j.again.approved) for j in outcome.judged] == [True, False]
    assert "0 of 1 true claims approved" in told
    assert "rewritten once: 1, of these approved: 1" in told
    assert "labelled false: 0 of 1 approved" in told
