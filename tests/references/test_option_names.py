"""Names that options select: packages, features, targets, extras and groups of a workspace."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo, made_wrong, parameters

NOTES = "memory-bank/notes.md"
WORKSPACE: Files = {
    "package.json": '{"name": "root", "scripts": {"build": "x"}}',
    "packages/web/package.json": '{"name": "@x/site", "scripts": {"dev": "vite"}}',
    "packages/jobs/package.json": '{"name": "@x/jobs"}',
    "Cargo.toml": '[workspace]\nmembers = ["crates/*"]\n',
    "Cargo.lock": '[[package]]\nname = "serde"\n',
    "crates/store/Cargo.toml": (
        '[package]\nname = "store"\n[features]\nfast = []\n[[bin]]\nname = "storectl"\n'
        '[dependencies]\nzip = {version = "1", optional = true}\n'
    ),
    "crates/store/examples/copy.rs": "",
    "crates/store/examples/move/main.rs": "",
    "crates/store/tests/round_trip.rs": "",
    "crates/store/tests/main.rs": "",
    "crates/tool/Cargo.toml": '[package]\nname = "tool-cli"\n',
    "crates/tool/src/main.rs": "",
    "pyproject.toml": (
        '[project]\nname = "courier"\n[project.optional-dependencies]\nfast_mail = ["x"]\n'
        '[dependency-groups]\nlint = ["y"]\n[tool.poetry.group.docs]\n'
    ),
    "python/mail/pyproject.toml": '[project]\nname = "courier-mail"\n',
}


COMMITS = (WORKSPACE,)


def problems(repo: Repo, *rows: str, path: str = NOTES) -> list[str]:
    """What is reported of a code block with these rows."""
    return problems_of(repo, {path: "\n".join(rows)})[path]


def problems_of(repo: Repo, blocks: dict[str, str]) -> dict[str, list[str]]:
    """What one check reports of the code block in each document."""
    repo.stage({path: f"# Notes\n\n```sh\n{block}\n```\n" for path, block in blocks.items()})
    found = repo.check("all").report.problems
    repo.git("rm", "-q", "-f", "--", *blocks)
    wrong = [p for p in found if p.rule == "refuted-citation[command]"]
    return {path: [p.message for p in wrong if p.path == path] for path in blocks}


@pytest.fixture(scope="module")
def reported(request: pytest.FixtureRequest, repo: Repo) -> dict[str, list[str]]:
    commands = [command for (command,) in parameters(request, "command")]
    paths = {f"memory-bank/notes_{n}.md": command for n, command in enumerate(commands)}
    return {paths[path]: found for path, found in problems_of(repo, paths).items()}


@pytest.mark.parametrize(
    "command",
    [
        "pnpm -F @x/jobs dev", "pnpm --filter jobs... build", "turbo run build --filter=@x/site",
        "npm run dev -w packages/web", "yarn workspace @x/site dev", "cargo test -p store",
        "cargo +nightly test -p tool-cli", "cargo tree -p ghost", "cargo test -p serde",
        "cargo run --bin storectl", "cargo run --bin tool-cli", "cargo run -p store --example copy",
        "cargo run --example move", "cargo test --test round_trip", "cargo test -p store --test main", "cargo test --features store/zip",
        "cargo build --features 'fast zip' -p store", "cargo add serde --features ghost",
        "cargo run -p store -- --features ghost", "uv run --package courier-mail pytest",
        "uv sync --extra fast-mail --group lint", "uv run --group lint pytest --extra ghost",
        "pip install -e '.[fast_mail]'", "pip install 'courier[fast-mail]'",
        "pip install 'courier[ghost]==1.0'", "pip install 'other[ghost]'", "poetry install --with docs",
    ],
)  # fmt: skip
def test_a_name_that_is_there_or_is_not_this_trees(
    reported: dict[str, list[str]], command: str
) -> None:
    assert reported[command] == []


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("pnpm --filter ghost dev", "no package of this tree is called ghost"),
        ("npm run dev -w @x/ghost", "no package of this tree is called @x/ghost"),
        ("yarn workspace @x/ghost dev", "no package of this tree is called @x/ghost"),
        ("npx turbo build --filter=@x/ghost...", "no package of this tree is called @x/ghost"),
        ("cargo test -p ghost", "no package of this tree is called ghost"),
        ("cargo test -p store --features ghost", "crates/store/Cargo.toml has no feature ghost"),
        ("cargo test --features ghost -p store", "crates/store/Cargo.toml has no feature ghost"),
        ("cargo build --features store/ghost", "crates/store/Cargo.toml has no feature ghost"),
        ("cargo run --bin ghost", "Cargo.toml has no bin ghost"),
        ("cargo run -p tool-cli --example copy", "crates/tool/Cargo.toml has no example copy"),
        ("cargo test --test round_trap", "Cargo.toml has no test round_trap; perhaps round_trip"),
        ("uv run --package ghost pytest", "no package of this tree is called ghost"),
        ("uv sync --extra ghost", "pyproject.toml has no extra ghost"),
        ("uv sync --group lint --group ghost", "pyproject.toml has no group ghost"),
        ("cd python/mail && uv sync --extra ghost", "python/mail/pyproject.toml has no extra ghost"),
        ("pip install -e '.[fast-mail,ghost]'", "pyproject.toml has no extra ghost"),
        ("uv pip install 'courier[ghost]'", "pyproject.toml has no extra ghost"),
        ("poetry install --with ghost", "pyproject.toml has no group ghost"),
    ],
)  # fmt: skip
def test_a_name_that_no_manifest_declares(
    reported: dict[str, list[str]], command: str, said: str
) -> None:
    (message,) = reported[command]
    assert message.partition("`: ")[2] == said


@pytest.mark.parametrize(
    "command",
    [
        "pnpm --filter '@x/*' dev", "pnpm --filter @acme/ghost dev", "pnpm --filter web dev",
        "pnpm build --filter ghost", "npm init -w packages/ghost", "turbo build --filter='[HEAD^1]'",
        "cargo test -p my-crate", "cargo test -p $CRATE", "cargo test -p <crate>",
        "cargo test -p crate-name", "cargo bench --bench name_of_benchmark", "cargo test -p re_XXX",
        "pip install 'courier[extra1,extra2]'", "cd /tmp && cargo run --example ghost",
        "cargo install --path elsewhere --features ghost", "uv sync --extra EXTRA",
    ],
)  # fmt: skip
def test_a_name_that_is_not_meant_as_one_of_this_tree(
    reported: dict[str, list[str]], command: str
) -> None:
    assert reported[command] == []


@pytest.mark.parametrize(
    ("files", "command", "why"),
    [
        ({"pyproject.toml": "[project]\nname = 'courier'\ndynamic = ['optional-dependencies']\n"},
         "uv sync --extra ghost", "a backend computes the extras"),
        ({"pyproject.toml": None, "setup.py": "x"}, "pip install -e '.[ghost]'", "no manifest"),
        ({"crates/tool/Cargo.toml": "[package\n# ghost\n"}, "cargo run --bin ghost",
         "an unreadable manifest contains the word"),
        ({"packages/jobs/package.json": '{"name": "pnpm"}'}, "pnpm --filter ghost dev",
         "the tree is the tool's own"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_what_no_manifest_answers_is_not_reported(
    tmp_path: Path, files: Files, command: str, why: str
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({k: v for k, v in (WORKSPACE | files).items() if v is not None})
    assert problems(repo, command) == [], why


def test_a_document_about_a_tool_shows_projects_of_others(repo: Repo) -> None:
    assert problems(repo, "pnpm --filter ghost dev", path="skills/turborepo/filters.md") == []


@pytest.mark.parametrize(("name", "count"), [("courier", 1), ("other-app", 0)])
def test_a_page_that_clones_another_repository_runs_commands_there(
    tmp_path: Path, name: str, count: int
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(WORKSPACE)
    repo.git("remote", "add", "origin", "git@github.com:acme/courier.git")
    clone = f"git clone https://github.com/acme/{name}.git"
    assert len(problems(repo, clone, "cargo run -p ghost")) == count


def test_the_word_example_exempts_no_example_of_cargo(repo: Repo) -> None:
    lead = "Run the example:\n\n```sh\n{}\n```\n"
    shown = [lead.format(c) for c in ("cargo run --example ghost", "cargo run --bin ghost")]
    repo.stage({NOTES: "# Notes\n\n" + "\n".join(shown)})
    found = [p.message for p in repo.check().report.problems]
    repo.git("rm", "-q", "-f", NOTES)
    assert found == ["`cargo run --example ghost`: Cargo.toml has no example ghost"]


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"crates/tool/Cargo.toml": "[package]\nname = 'tools'\n"}, "cargo test -p tool-cli"),
        ({"crates/store/examples/copy.rs": None}, "cargo run --example copy"),
        ({"pyproject.toml": "[project]\nname = 'courier'\n[dependency-groups]\nfast_mail = []\n"},
         "uv sync --extra fast_mail"),
        ({"packages/jobs/package.json": '{"name": "@x/work"}'}, "pnpm --filter @x/jobs dev"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)  # fmt: skip
def test_a_change_that_removes_a_name_is_reported_where_it_is_shown(
    tmp_path: Path, change: Files, shown: str
) -> None:
    repo = Repo(tmp_path / "repo")
    text = f"# Notes\n\nThe command is `{shown}`.\n\n```sh\n{shown}\n```\n"
    repo.commit({**WORKSPACE, NOTES: text})
    repo.stage(change)
    result = repo.check()
    assert [line for _, line, _ in made_wrong(result)] == [3]
    assert [p.line for p in result.report.problems] == [6]


def test_the_nearest_package_of_the_document_is_meant(repo: Repo) -> None:
    """`pip install -e .[x]` in a package's README means this package, not the root."""
    page = "python/mail/README.md"
    (message,) = problems(repo, "pip install -e '.[ghost]'", path=page)
    assert "python/mail/pyproject.toml has no extra ghost" in message


def test_a_selected_name_proves_only_itself(repo: Repo) -> None:
    found = repo.judge("Run `cargo test -p store --example ghost` before a release.")
    assert [(e.verdict.value, e.target) for e in found.evidence] == [
        ("confirmed", "crates/store/Cargo.toml#store"),
        ("refuted", "crates/store/Cargo.toml#example ghost"),
    ]


def test_a_feature_that_a_tutorial_adds_to_a_manifest(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit(WORKSPACE)
    row = "cargo build -p store --features ghost"
    assert len(problems(repo, row)) == 1
    assert problems(repo, "ghost = []", row) == []
