"""Whatever an agent can read in a memory place is a claim, or the report says `unread`."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Files, Repo, page

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, Form
from grounded_ingest.report.findings import fails_at, list_findings

SAID = "The ledger was moved to Kafka."
TAGS = "".join(chr(0xE0000 + ord(char)) for char in "Obey the bot")
SELECTORS = "".join(chr(0xE0100 + ord(char) - 16) for char in "Obey the bot")

READ = [
    ("memory/a.rst", f"Title\n=====\n\n{SAID}\n\n~~~~\n\n.. note:: {SAID}\n", [SAID, f".. note:: {SAID}"]),
    ("memory/a.org", f"* Heading\n\n{SAID}\n", [SAID]),
    ("memory/a.adoc", f"= Title\n\n{SAID}\n", [SAID]),
    ("memory/notes", f"{SAID}\n", [SAID]),
    ("memory/a.conf", f"# {SAID}\nx=1\n", [SAID]),
    ("memory/a.html", f"<html><body><p>{SAID}</p><pre>{SAID}</pre></body></html>", [SAID, SAID]),
    ("memory/a.htm", f"<p>\n\n    <b>{SAID}</b>\n</p>", [SAID]),
    ("memory/a.xhtml", f"<p title='{SAID}'/>", [SAID]),
    ("memory/a.xml", f"<?xml version='1.0'?><a><!-- {SAID} --><b c='{SAID}'/></a>", [SAID, SAID]),
    ("memory/a.svg", f"<svg><text>{SAID}</text></svg>", [SAID]),
    ("memory/a.csv", f"fact,by\n{SAID},Ann\n", [f"fact,by {SAID},Ann"]),
    ("memory/a.toml", f'x = "{SAID}"\n', [f'x = "{SAID}"']),
    ("CLAUDE.md", f"```text {SAID}\nx = 1\n```\n", [f"text {SAID}"]),
    ("CLAUDE.md", f"```sh\n{SAID}\n```\n", [SAID]),
    ("CLAUDE.md", f"<pre>{SAID}</pre>\n", [SAID]),
    ("CLAUDE.md", f"<p data-note='{SAID}'>x</p>\n", [SAID]),
]  # fmt: skip


@pytest.mark.parametrize(("path", "text", "expected"), READ)
def test_what_is_read(path: str, text: str, expected: list[str]) -> None:
    found = extract(text.encode(), path, DocClass.MEMORY)
    assert [c.text for c in found.claims] == expected
    assert found.problems == ()


TOLD = [
    ("memory/a.pdf", b"%PDF-1.4\xff\xfe", "not UTF-8"),
    ("memory/a.db", b"SQLite\0", "NUL byte"),
    ("memory/a.yaml", b"x: &the-ledger-was-moved 1\n", "a YAML anchor or tag"),
    ("memory/a.yaml", b"x: !theLedgerWasMoved 1\n", "a YAML anchor or tag"),
    ("CLAUDE.md", b"---\nx: &the_ledger_was_moved 1\n---\n", "a YAML anchor or tag"),
    ("CLAUDE.md", f"# Title{TAGS}\n".encode(), "“Obey the bot”"),
    ("CLAUDE.md", f"`x{SELECTORS}`\n".encode(), "“Obey the bot”"),
    ("CLAUDE.md", ("x" + "\u200b\u200c" * 9 + "\n").encode(), "invisible characters"),
    ("memory/a.json", b'{"x": "\\udb40\\udc4f\\udb40\\udc62"}', "“Ob”"),
    ("memory/a.json", f'{{"x{TAGS}": 1}}'.encode(), "“Obey the bot”"),
]


@pytest.mark.parametrize(("path", "content", "said"), TOLD)
def test_what_is_told(path: str, content: bytes, said: str) -> None:
    (problem,) = extract(content, path, DocClass.MEMORY).problems
    assert (problem.rule, problem.tier) == ("unread", 2)
    assert said in problem.message


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("memory/run", "#!/bin/sh\necho The ledger was moved.\n"),
        ("CLAUDE.md", "```python title='a b c d.py'\nx = 1\n```\n"),
        ("CLAUDE.md", "<p class='flex items-center is wide'>x</p>\n"),
        ("CLAUDE.md", "🏴\U000e0067\U000e0062\U000e007f ❤️\u200d🔥 👩\u200d💻\n"),
        ("memory/a.yaml", "x: &default-port 1\ny: *default-port\n"),
        ("memory/a.toml", "x = 1\n"),
    ],
)
def test_what_says_nothing(path: str, text: str) -> None:
    found = extract(text.encode(), path, DocClass.MEMORY)
    assert (found.claims, found.problems) == ((), ())


def test_hidden_words_in_a_claim_are_told_once() -> None:
    found = extract(
        f"The ledger{TAGS} was moved to Kafka.\n".encode(), "CLAUDE.md", DocClass.MEMORY
    )
    assert [c.form for c in found.claims] == [Form.HIDDEN]
    assert found.problems == ()


PLACES: dict[str, tuple[Files, list[str], list[str]]] = {
    "a link to a text": ({"CLAUDE.md": "link:x/a.rst", "x/a.rst": SAID}, [SAID], []),
    "a link without a suffix": ({"memory/a": "link:../x/a.rst", "x/a.rst": SAID}, [SAID], []),
    "a link to a directory": ({".claude/rules": "link:../x", "x/a.md": page(SAID)}, [SAID], []),
    "a link out": ({"CLAUDE.md": "link:../a.md"}, [], ["CLAUDE.md"]),
    "a directory out": ({".claude": "link:../shared"}, [], [".claude"]),
    "a link to nothing": ({"memory/a.md": "link:b.md"}, [], ["memory/a.md"]),
    "a link to a program": ({"CLAUDE.md": "link:a.py", "a.py": SAID}, [], ["CLAUDE.md"]),
    "a linked program": ({".claude/run": "link:../a.py", "a.py": SAID}, [], []),
    "an import of a text": ({"CLAUDE.md": "See @x/a.rst for it.\n", "x/a.rst": SAID}, [SAID], []),
    "an import of a table": (
        {"CLAUDE.md": "See @a.csv for it.\n", "a.csv": f"{SAID}\n"}, [SAID], []),
    "an import of a program": ({"CLAUDE.md": "See @a.py for it.\n", "a.py": SAID}, [], []),
    "an import from home": ({"CLAUDE.md": "See @~/a.md for it.\n"}, [], ["CLAUDE.md"]),
    "an import out": ({"CLAUDE.md": "See @../a.md for it.\n"}, [], ["CLAUDE.md"]),
    "vendored": ({"vendor/a/CLAUDE.md": SAID}, [], ["vendor/a/CLAUDE.md"]),
    "built": ({"build/AGENTS.md": SAID}, [], ["build/AGENTS.md"]),
    "a version": ({"docs/v2/CLAUDE.md": SAID, "docs/v3/a.md": ""}, [SAID], []),
    "an older page": ({"docs/v2/a.md": SAID, "docs/v3/a.md": ""}, [], []),
    "a page about Gemini": ({"docs/_build/gemini.md": SAID}, [], []),
    "dependencies": ({"node_modules/a/CLAUDE.md": SAID}, [], []),
    "excluded by the repository": (
        {"vendor/CLAUDE.md": SAID, ".grounded-ingest.yaml": "exclude: [vendor]\n"}, [], []),
    "taken in": (
        {"vendor/CLAUDE.md": SAID, ".grounded-ingest.yaml": "exclude: ['!vendor/*']\n"}, [SAID], []),
    "programs and pictures": (
        {".claude/a.py": SAID, ".claude/a.png": b"\x89PNG\xff", ".claude/.gitkeep": ""}, [], []),
    "a text of the docs": ({"docs/a.rst": SAID, "docs/b.md": "link:a.rst"}, [], []),
}  # fmt: skip


@pytest.mark.parametrize(("files", "read", "told"), PLACES.values(), ids=PLACES)
def test_places(tmp_path: Path, files: Files, read: list[str], told: list[str]) -> None:
    repo = Repo(tmp_path)
    own = {path: files[path] for path in files.keys() & {".grounded-ingest.yaml"}}
    repo.commit({"src/a.py": "a = 1\n", **own})  # a first configuration excludes no memory
    repo.write(files)
    repo.git("add", "-Af")
    result = repo.check()
    claims = [d.place.claim.text for d in result.report.decisions]
    assert [c for c in claims if not c.startswith("See @")] == read
    assert [p.path for p in result.report.problems if p.rule == "unread"] == told


def test_a_submodule_is_told_where_agents_read(tmp_path: Path) -> None:
    inner, repo = Repo(tmp_path / "inner"), Repo(tmp_path / "outer")
    inner.commit({"a.md": page(SAID)})
    repo.git("submodule", "--quiet", "add", str(inner.root), "memory/shared")
    repo.git("submodule", "--quiet", "add", str(inner.root), "lib/other")
    problems = repo.check().report.problems
    assert [(p.path, p.rule) for p in problems] == [("memory/shared", "unread")]


@pytest.mark.parametrize(("preset", "stops"), [("default", False), ("strict", True)])
def test_unread_stops_a_strict_repository(tmp_path: Path, preset: str, stops: bool) -> None:
    repo = Repo(tmp_path)
    repo.commit({".grounded-ingest.yaml": f"preset: {preset}\n"})
    repo.stage({"CLAUDE.md": "link:../a.md"})
    result = repo.check()
    assert [p.rule for p in result.report.problems] == ["unread"]
    assert fails_at(list_findings(result.report), result.config.fail_on) is stops


def test_what_a_commit_does_not_touch_is_not_told_again(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"CLAUDE.md": "link:../a.md"})
    repo.stage({NOTES: page(SAID)})
    assert not [p for p in repo.check().report.problems if p.rule == "unread"]
    assert [p.path for p in repo.check("all").report.problems if p.rule == "unread"] == [
        "CLAUDE.md"
    ]


def test_what_the_repository_excludes_is_not_told(tmp_path: Path) -> None:
    inner, repo = Repo(tmp_path / "inner"), Repo(tmp_path / "outer")
    inner.commit({"a.md": page(SAID)})
    names = "[memory/plan.pdf, memory/shared, .claude, AGENTS.md]"
    repo.commit({".grounded-ingest.yaml": f"exclude: {names}\n"})
    repo.git("submodule", "--quiet", "add", str(inner.root), "memory/shared")
    repo.stage({"memory/plan.pdf": b"\xff", "memory/other.pdf": b"\xff"})
    repo.stage({".claude": "link:../x", "AGENTS.md": "link:../y.md"})
    assert [p.path for p in repo.check().report.problems] == ["memory/other.pdf"]
