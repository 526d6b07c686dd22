"""Files that agents load together, of which only one can be followed."""

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.statements.agreed_facts import is_narrowed, loaded_for

PAIRS = (
    ("The gateway listens on port 8443.", "The gateway listens on port 9000."),
    ("The billing API runs on port 3000.", "The billing API runs on port 3001."),
    ("The billing API runs on port 3000.", "Billing API: port 3001, behind the proxy."),
    ("Use pnpm to install packages.", "Use npm to install packages."),
    ("The package manager of this project is yarn.", "Run `bun install` before the first build."),
    ("Always use pnpm, never npm.", "Run `npm run build` before every commit."),
    ("Run `yarn run build` before a commit.", "Check the types with `npm run typecheck`."),
    ("Always use uv, never poetry.", "Dependencies are managed with poetry."),
    ("Use pnpm to install packages.", "Never use pnpm in this repository."),
    ("The project requires Python 3.12+ to run.", "The project requires Python 3.10+ to run."),
    ("The runtime of all services is Node 20.", "The runtime of all services is Node 22."),
    ("The importer runs on Node 20 today.", "The importer runs on Node 22 today."),
    ("Use vitest for unit tests.", "Use Jest for unit tests."),
    ("Tests are written with pytest.", "Tests are written with unittest."),
    ("Pull requests target `develop` in this repository.", "Open a PR to `main` for every change."),
    ("The default branch is `main` here.", "The default branch is `master` here."),
    ("Branch off `develop` for every change.", "Branch from `main` for every change."),
)
NO_PAIRS = (
    ("The gateway listens on port 8443.", "The mailer listens on port 9000."),
    ("The gateway listens on port 8443.", "The gateway listens on port 8443."),
    ("The gateway listens on port 8443.", "In CI the gateway listens on port 9000."),
    ("The gateway listens on port 8443.", "If 8443 is taken, the gateway listens on port 9000."),
    ("The gateway listens on port 8443.", "The gateway listened on port 9000 previously."),
    ("Use pnpm to install packages.", "Use npm or pnpm to install packages."),
    ("Use pnpm to install packages.", "Run `npm run build` before every commit."),
    ("Always use pnpm for packages.", "Use `bun run build` for every script."),
    ("Always use pnpm for packages.", "Always use Bun as the runtime of scripts."),
    ("Always use pnpm in CI/CD pipelines.", "Run `npm run build` before every commit."),
    ("Use pnpm to install packages.", "Use uv to install Python packages."),
    ("Use pnpm to install packages.", "Use pnpm instead of npm for every package."),
    ("Use pnpm to install packages.", "Run `npm install -g tsx` once on a new machine."),
    ("Use pnpm to install packages.", "Users install the tool with `npm install our-tool`."),
    ("Use pnpm to install packages.", "Publish a release with `npm publish` from the CI."),
    ("Use pnpm to install packages.", "NEVER use: `yarn add`, `npm install`, `bun run`."),
    ("Use pnpm to install packages.", "Run the script with pnpm rather than `npm run x`."),
    ("The billing API runs on port 3000.", "Mailing API: port 3001, behind the proxy."),
    ("The gateway listens on port 8443.", "Listens on port 80 for plain requests."),
    ("Use pnpm to install packages.", "Do not run `pnpm dev` while the stack is up."),
    ("The project requires Python 3.10+ to run.", "The runtime of the project is Python 3.12."),
    ("The project requires Python 3.10+ to run.", "The library is tested on Python 3.9 and 3.14."),
    ("The runtime of all services is Node 20.", "The runtime of all services is Node 20.11."),
    ("The importer runs on Node 20 today.", "The exporter runs on Node 22 today."),
    ("The web client needs Node 20+.", "The label printer needs Node 22+."),
    ("Use vitest for unit tests.", "Use playwright for end-to-end tests."),
    (
        "Pull requests target `develop` in this repository.",
        "The release branch is cut from `main`.",
    ),
    (
        "Pull requests target `develop` in this repository.",
        "Hotfix PRs target `main` in this repository.",
    ),
)
READERS = (
    "AGENTS.md",
    "GEMINI.md",
    ".cursorrules",
    ".windsurfrules",
    ".github/copilot-instructions.md",
    ".cursor/rules/project.mdc",
    ".claude/CLAUDE.md",
)


def page(*claims: str) -> str:
    return "# Notes\n\n" + "".join(f"{claim}\n\n" for claim in claims)


def named(repo: Repo) -> list[tuple[str, str, str]]:
    """Contradictions of the whole repository: both places and what is compared."""
    found = repo.check("all").report.decisions
    return [
        (f"{d.place.path}:{d.place.claim.line}", f"{f.other.path}:{f.other.claim.line}", f.message)
        for d in found
        for f in d.findings
        if f.rule == "contradiction" and f.other is not None
    ]


def contradicted(repo: Repo, files: dict[str, str | None]) -> list[tuple[str, str]]:
    repo.commit(files)
    return [places[:2] for places in named(repo)]


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_two_files_tell_agents_different_things(tmp_path: Path, one: str, other: str) -> None:
    repo = Repo(tmp_path / "work")
    true = "The exporter writes one file a day into the archive."
    found = contradicted(repo, {"AGENTS.md": page(true, one), "CLAUDE.md": page(true + " ", other)})
    assert found == [("CLAUDE.md:5", "AGENTS.md:5")]


@pytest.mark.parametrize(("one", "other"), NO_PAIRS)
def test_what_both_files_may_say(tmp_path: Path, one: str, other: str) -> None:
    repo = Repo(tmp_path / "work")
    assert contradicted(repo, {"AGENTS.md": page(one), "CLAUDE.md": page(other)}) == []


@pytest.mark.parametrize("reader", READERS)
def test_every_file_that_agents_load(tmp_path: Path, reader: str) -> None:
    repo = Repo(tmp_path / "work")
    one, other = PAIRS[0]
    found = contradicted(repo, {reader: page(one), "CLAUDE.md": page(other)})
    assert {frozenset(f) for f in found} == {frozenset((f"{reader}:3", "CLAUDE.md:3"))}


@pytest.mark.parametrize(
    "files",
    [
        {"CLAUDE.md": 0, "packages/web/CLAUDE.md": 1},
        {"packages/api/AGENTS.md": 0, "packages/web/AGENTS.md": 1},
        {"CLAUDE.md": 0, "docs/CLAUDE.md": 1},
        {"CLAUDE.md": 0, "examples/demo/CLAUDE.md": 1},
        {"CLAUDE.md": 0, "memory-bank/tech.md": 1},
        {"CLAUDE.md": 0, "README.md": 1},
    ],
)
def test_other_directories_and_other_readers(tmp_path: Path, files: dict[str, int]) -> None:
    repo = Repo(tmp_path / "work")
    for pair in PAIRS[:3]:
        assert contradicted(repo, {p: page(pair[n]) for p, n in files.items()}) == []


def test_a_rule_that_is_loaded_for_some_paths_is_about_these(tmp_path: Path) -> None:
    one, other = PAIRS[2]
    for number, (globs, told) in enumerate((("web/**", 0), ('"**/*"', 1), ("", 1))):
        repo = Repo(tmp_path / str(number))
        rule = f"---\ndescription: rules\nglobs: {globs}\nalwaysApply: false\n---\n{page(other)}"
        found = contradicted(repo, {"CLAUDE.md": page(one), ".cursor/rules/web.mdc": rule})
        assert len(found) == told, globs


def test_a_file_of_two_minds_takes_no_side_and_one_section_has_one_value(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "work")
    one, other = PAIRS[2]
    both = f"# Notes\n\n## Web\n\n{one}\n\n## Site\n\n{other}\n"
    assert contradicted(repo, {"AGENTS.md": page(one), "CLAUDE.md": both}) == []
    beside = contradicted(repo, {"AGENTS.md": None, "CLAUDE.md": page(one, other)})
    assert beside == [("CLAUDE.md:5", "CLAUDE.md:3")]


def test_a_change_is_told_at_the_hook_and_names_both(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "work")
    one, other = PAIRS[0]
    repo.commit({"AGENTS.md": page(one), "CLAUDE.md": page("The gateway is written in Go.")})
    repo.stage({"CLAUDE.md": page("The gateway is written in Go.", other)})
    decision = next(
        d for d in repo.check().report.decisions if d.place.path == "CLAUDE.md" and d.findings
    )
    (finding,) = decision.findings
    assert (decision.rule, decision.tier) == ("contradiction", 2)
    assert finding.message.startswith(
        "AGENTS.md:3 says 8443, this claim says 9000 (port of gateway)"
    )


@pytest.mark.parametrize(
    ("path", "scope"),
    [
        ("CLAUDE.md", ""),
        ("web/AGENTS.md", "web/"),
        ("web/.cursor/rules/deep/a.mdc", "web/"),
        (".github/copilot-instructions.md", ""),
        (".claude/CLAUDE.md", ""),
        (".claude/skills/x/SKILL.md", None),
        ("docs/agents.md", None),
        ("templates/CLAUDE.md", None),
        ("README.md", None),
    ],
)
def test_for_which_directory_agents_load_a_file(path: str, scope: str | None) -> None:
    assert loaded_for(path) == scope


def test_front_matter_that_narrows() -> None:
    assert is_narrowed("---\nglobs: src/**/*.ts\n---\n")
    assert is_narrowed('---\ndescription: x\napplyTo: "**/*.py"\n---\n')
    assert not is_narrowed('---\napplyTo: "**"\n---\n')
    assert not is_narrowed("---\nglobs:\nalwaysApply: true\n---\n")
    assert not is_narrowed("The key globs: x\n")
