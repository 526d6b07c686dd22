"""Files and directories that a command line names: wrong only where history had them."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.model.claims import Verdict

NOTES = "memory-bank/notes.md"


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "repo")
    gone = {"tests/test_old.py": "A = 1\n", "ui/react/app.ts": "x\n", "pkg/scripts/run.sh": "x\n"}
    gone[".state/now.md"] = "x\n"
    gone |= {"rows.txt": "x\n", "ui/kept.ts": "x\n"}
    gone |= {"pkg/ledger/a.go": "x\n", "tools/Makefile": "x:\n\ttrue\n"}
    tests = "class TestPort:\n    def test_port(self): pass\n"
    repo.commit({"tests/test_app.py": tests.replace("port", "address")})
    repo.commit({"tests/test_app.py": tests})
    repo.commit({**gone, "src/app.py": "A = 2\n", "pkg/package.json": "{}"})
    kept = {"ui/kept.ts": "y\n", "ui/.env.sample": "x\n"}
    repo.commit({**dict.fromkeys(gone), **kept, ".gitignore": ".state/\n.env.example\n"})
    return repo


COMMANDS = (
    ("pytest tests/test_old.py -v", "tests/test_old.py"),
    ("uv run pytest tests/test_old.py::test_it", "tests/test_old.py"),
    ("cd ui/react && npm install", "ui/react"),
    ("cd pkg && bash scripts/run.sh", "scripts/run.sh"),
    ("go test ./pkg/ledger/...", "./pkg/ledger"),
    ("cd pkg && go test ./ledger", "./ledger"),
    ("make -C tools x", "tools"),
    ("scripts/never.sh --all", "scripts/never.sh"),
    ("make -C toolz x", "toolz"),
    ("make -C build x", ""),
    ("tar xf toolz.tgz && make -C toolz x", ""),
    ("cargo run --manifest-path toolz/Cargo.toml", "toolz/Cargo.toml"),
    ("cargo install --path ./toolz", "./toolz"),
    ("cargo run -- --path ./toolz", ""),
    ("pytest tests/test_app.py::TestPort::test_address", "test_address"),
    ("pytest tests/test_app.py::TestPort::test_port", ""),
    ("pytest tests/test_app.py::TestPort::test_never", "test_never"),
    ("go test ./pkg/never/...", "./pkg/never"),
    ("go build -o ./pkg/ledger", ""),
    ("cd /tmp && go test ./pkg/ledger/...", ""),
    ("python src/app.py", ""),
    ("cat .state/now.md", ""),
    ("pytest tests/test_never.py", "tests/test_never.py"),
    ("pytest tests/new_rule_test.py", ""),  # the reader writes it
    ("npx convert src/config.ts", ""),  # a name of any project
    ("node dist/src/start.js", ""),
    ("python src/path/to/it.py", ""),
    ("cat src/rows.csv", ""),
    ("touch tests/test_old.py", ""),
    ("shop report > tests/test_old.py", ""),
    ("shop report --output tests/test_old.py", ""),
    ("cd ~/work && pytest tests/test_old.py", ""),
    ("pytest tests/test_<name>.py", ""),
    ("pip install -r rows.txt", "rows.txt"),
    ("cd ui && pip install -r ../rows.txt", "../rows.txt"),
    ("cd project-root/ui && pip install -r ../rows.txt", "../rows.txt"),
    ("cp rows.txt kept.txt", "rows.txt"),
    ("cp kept.txt rows.txt", ""),
    ("find . -name rows.txt -type f", ""),
    ("pip install -r never.txt", ""),
    ("cp .env.example .env", ".env.example"),
    ("cp .env.sample .env", ""),
)


def test_a_path_of_a_command(repo: Repo) -> None:
    for form in ("```sh\n{}\n```", "All of it is checked with `{}` here."):
        pages = {f"memory-bank/n{n}.md": row for n, row in enumerate(COMMANDS)}
        repo.stage({path: f"# Notes\n\n{form.format(c)}\n" for path, (c, _) in pages.items()})
        report = repo.check().report
        found = [
            (d.place.path, e.reason)
            for d in report.decisions
            for e in d.own_evidence
            if e.verdict is Verdict.REFUTED
        ]
        rules = ("refuted-citation[path]", "refuted-citation[symbol]")
        found += [(p.path, p.message) for p in report.problems if p.rule in rules]
        assert sorted(p for p, _ in found) == sorted(p for p, (_, wrong) in pages.items() if wrong)
        told = ("deleted in", "renamed to", "has no test_never", "moved to", "no such file")
        assert all(any(words in reason for words in told) for _, reason in found)


def test_a_file_without_a_directory_in_a_tutorial(repo: Repo) -> None:
    text = "# Set up\n\n```sh\npip install -r rows.txt\ncp .env.example .env\n```\n"
    repo.commit({"docs/tutorial.md": text, "README.md": text})
    problems = repo.check("all").report.problems
    assert {p.path for p in problems if p.rule == "refuted-citation[path]"} == {"README.md"}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Copy `.env.example` to `.env` and set the port.", "refuted-citation"),
        ("Copy `.env.example` → `.env` and set the port.", "refuted-citation"),
        ("- [ ] No secrets are in `.env.example`", "ungrounded"),
        ("We removed `.env.example` and set the port.", "ungrounded"),
        ("Copy `ui/.env.sample` to `.env` and set the port.", "cited"),
    ],
)
def test_a_sample_that_a_reader_copies(repo: Repo, text: str, rule: str) -> None:
    repo.stage({"README.md": f"# Set up\n\n{text}\n"})
    assert [d.rule for d in repo.check().report.decisions] == [rule]
