"""What a report says beside its decisions, by rule: said where it applies, and not elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from worktrees import WorkTree, environment, new_repository

from grounded_ingest.api import check
from grounded_ingest.model.claims import Tier
from grounded_ingest.repository.scope import Asked

PAGE = "memory-bank/progress.md"
GUESS = "I think the primary lost its lease first.\n"
PLAIN = "The primary lost its lease first.\n"
IGNORE = '<!-- grounded: ignore[speculation] reason="quoted from the call" -->\n'
CASES = [
    ("ignore-without-reason", "<!-- grounded: ignore[speculation] -->\n" + GUESS, True),
    ("ignore-without-reason", IGNORE + GUESS, False),
    ("unused-ignore", IGNORE + PLAIN, True),
    ("unused-ignore", IGNORE.replace("speculation", "duplicate") + GUESS, True),
    ("unused-ignore", IGNORE + GUESS, False),
    # Behind a text, a comment belongs to its own line alone.
    ("unused-ignore", f"- {PLAIN[:-1]} {IGNORE}- {GUESS}", True),
    ("unused-ignore", f"- {GUESS[:-1]} {IGNORE}- {PLAIN}", False),
    ("unreadable", b"caf\xe9\n", True),
    ("unreadable", "café\n", False),
]


class Work(WorkTree):
    def commit(self, path: str, text: str) -> None:
        self.write(path, text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", "Change")

    def check(self, *options: str) -> tuple[int, list[str]]:
        """Exit code, and what the command says of evidence."""
        code, out, _ = self.ask("check", "--all", "--offline", *options)
        return code, [x for x in out.splitlines() if "stale-sidecar" in x]

    def problems(self, scope: Asked) -> list[tuple[str, str, str]]:
        """(rule, path, message) of every problem."""
        found = check(str(self.root), scope, online=False).problems
        return [(p.rule, p.path, p.message) for p in found]


@pytest.fixture
def work(tmp_path: Path) -> Work:
    new_repository(tmp_path)
    return Work(tmp_path, environment(tmp_path.parent))


@pytest.mark.parametrize(("rule", "text", "expected"), CASES)
def test_problems_of_a_document(work: Work, rule: str, text: str | bytes, expected: bool) -> None:
    work.write(PAGE, text)
    said = [p for p in work.problems(Asked("all")) if p[0] == rule]
    assert [path for _, path, _ in said] == [PAGE] * expected


def test_a_loosened_configuration_is_said_and_judges_at_once(work: Work) -> None:
    config = ".grounded-ingest.yaml"
    work.commit(config, "policy: {speculation: block}\n")
    work.write(config, "policy: {speculation: review}\n")
    work.write(PAGE, GUESS)
    work.git("add", "--all")
    ((rule, path, message),) = work.problems(Asked("staged"))
    assert (rule, path) == ("config-change", config)
    assert (
        message
        == "this change makes the configuration less strict: policy.speculation block -> review"
    )
    assert check(str(work.root), Asked("staged"), online=False).tier(Tier.BLOCK) == 0
    work.git("commit", "--quiet", "--message", "Change")
    assert work.problems(Asked("all")) == []
    assert check(str(work.root), Asked("all"), online=False).tier(Tier.BLOCK) == 0


def test_evidence_behind_its_text_is_said_only_where_it_is_asked_for(work: Work) -> None:
    path = "memory-bank/night.md"
    work.write(path, PLAIN + f"\nSee `{path}`.\n")
    assert work.check("--write") == (0, [])
    work.git("add", "--all")
    assert work.check("--locked") == (0, [])
    work.write(path, PLAIN)
    assert work.check() == (0, [])
    code, said = work.check("--locked")
    assert (code, len(said)) == (1, 1)
    assert said[0].startswith(
        f"{path}:1: stale-sidecar: its evidence has a line for a claim that is not in the document"
    )
    work.write(".grounded-ingest.yaml", "evidence: off\n")
    assert work.check("--locked") == (0, []), "nothing is behind where nothing is to be written"


class Panic(BaseException):
    """As the Markdown parser's: no Exception."""


@pytest.mark.parametrize("error", [ValueError("boom\nmore"), RecursionError(), Panic("at 7")])
def test_what_a_reader_fails_on_is_one_documents_problem(
    work: Work, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    import grounded_ingest.extract.documents as module

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setitem(module.EXTRACTORS, "json", fail)
    work.write("memory/a.json", '["The port is 80."]')
    work.write(PAGE, PLAIN)
    report = check(str(work.root), Asked("all"), online=False)
    assert [(p.path, p.rule, p.tier) for p in report.problems] == [
        ("memory/a.json", "unreadable", 3)
    ]
    assert type(error).__name__ in report.problems[0].message
    assert [d.place.path for d in report.decisions] == [PAGE]


def test_what_cannot_be_kept_is_one_documents_problem(
    work: Work, monkeypatch: pytest.MonkeyPatch
) -> None:
    import grounded_ingest.repository.index as module

    make = module.make_record

    def fail(
        key: module.ExtractionKey, extraction: module.Extraction, keys: module.KeysOf
    ) -> module.IndexRecord:
        if key.extension == "json" and extraction.claims:
            raise TypeError("Encoding objects of type Text is unsupported")
        return make(key, extraction, keys)

    monkeypatch.setattr(module, "make_record", fail)
    work.write("memory/a.json", '["The port is 80."]')
    work.write(PAGE, PLAIN)
    report = check(str(work.root), Asked("all"), online=False)
    assert [(p.path, p.rule) for p in report.problems] == [("memory/a.json", "unreadable")]
    assert [d.place.path for d in report.decisions] == [PAGE]
