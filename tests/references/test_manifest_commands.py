"""Commands beside the manifests of real repositories: there, not there, and where they went."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.model.claims import CitationKind, Decision, Tier, Verdict
from grounded_ingest.report.findings import list_findings

Judged = dict[str, Decision]

PACKAGE = '{"name": "root", "workspaces": ["packages/*"], "scripts": {"build": "tsc", "lint:all": "eslint"}}'
CLI = """import argparse
parser = argparse.ArgumentParser()
sub = parser.add_subparsers()
serve = sub.add_parser("serve")
serve.add_argument("--port")
sub.add_parser("list", aliases=["ls"]).add_argument("--all")
"""
TREE: Files = {
    "package.json": PACKAGE,
    "packages/web/package.json": '{"name": "@x/web", "scripts": {"dev": "vite"}}',
    "yarn.lock": "",
    "turbo.json": '{"tasks": {"//#format": {}}}',
    "pnpm-lock.yaml": "",
    "Makefile": "include mk/*.mk\n-include .env\ncheck:\n\ttrue\nbuild-%:\n\ttrue\n",
    "mk/more.mk": "extra:\n\ttrue\ninclude ../Makefile\n",
    "docs/readme.txt": "x\n",
    "justfile": "import 'other.just'\nimport? 'my.just'\nmod? own\nmod db\nbuild:\n  true\n",
    "other.just": "fmt:\n  true\n",
    "db.just": "migrate:\n  true\n",
    "Taskfile.yml": "includes: {docs: ./docs}\ntasks:\n  test: {cmds: [x]}\n",
    "docs/Taskfile.yml": "tasks:\n  serve: x\n  default: y\n",
    "sub/Makefile": "only:\n\ttrue\n",
    "Rakefile": "require 'rubocop/rake_task'\nRuboCop::RakeTask.new\ntask :spec\ntask 'db:up'\n",
    "rakelib/more.rake": "task :extra\n",
    "fastlane/Fastfile": "platform :ios do\n  lane :beta do\n  end\nend\n",
    "pom.xml": "<project><modules><module>server</module></modules></project>\n",
    "server/inner/pom.xml": "<project/>\n",
    "compose.yaml": "services:\n  web: {image: x}\n  db: {image: y}\n",
    "docker-compose.dev.yml": "services:\n  proxy: {image: z}\n",
    "pyproject.toml": "[project]\nname = 'tool'\n[project.scripts]\ntool = 'tool.cli:main'\n"
    "[tool.hatch.envs.lint.scripts]\nfmt = 'x'\n[[tool.hatch.envs.lint.matrix]]\npython = ['3.12']\n",
    "src/tool/__init__.py": "",
    "src/tool/cli.py": CLI,
}


COMMITS = (
    {
        "package.json": PACKAGE.replace(
            '"build"', '"compile": "tsc", "old": "x", "rows": "rows .", "build2"'
        )
    },
    TREE,
)


def told(
    decision: Decision, kind: CitationKind = CitationKind.COMMAND
) -> list[tuple[str, str, str]]:
    return [(e.verdict.value, e.target, e.reason) for e in decision.evidence if e.kind is kind]


THERE = [
    "npm run build", "npm run build -- --watch", "pnpm build", "yarn build", "yarn lint:all",
    "npm run dev -w @x/web", "pnpm --filter web dev", "pnpm -r run dev", "npx turbo run dev build", "yarn workspace @x/web dev",
    "npm --prefix packages/web run dev", "cd packages/web && npm run dev", "make check",
    "make extra", "make -j4 check", "make -- check", "make extra --", "make build-linux", "make -C sub only", "just build", "just fmt",
    "just db::migrate", "just db migrate", "just build release", "task test", "task docs:serve", "task docs", "hatch run lint:fmt", "tool serve", "tool ls",
    "CI=1 npm run build", "sudo make check",
    "rake spec", "bundle exec rake db:up[3] X=1", "rake rubocop:autocorrect", "rake extra",
    "fastlane ios beta",
    "mvn test -pl server,server/inner", "mvn test -pl :server",
    "docker compose up -d web db", "docker-compose exec -T web sh", "docker compose logs -f --tail 5 proxy > x.log",
    "docker compose -f other.yml up cache", "docker compose run --rm db psql cache", "docker run cache",
]  # fmt: skip


@pytest.mark.parametrize("claim", [f"The command is `{command}`." for command in THERE])
def test_a_command_that_is_there(judged: Judged, claim: str) -> None:
    found = judged[claim]
    assert {e.verdict for e in found.evidence} <= {Verdict.CONFIRMED}, told(found)


@pytest.mark.parametrize(
    "claim",
    [
        f"```bash\n{command}\n```\n\nThis paragraph says that there is a command."
        for command in THERE
    ],
)
def test_a_command_in_a_block_is_no_claim(judged: Judged, claim: str) -> None:
    found = judged[claim]
    assert not told(found)


ABSENT = [
    ("npm run build` in `packages/web/", "packages/web/package.json has no script build"),
    (
        "all`: Go to the `packages/web` folder and run `npm run build",
        "packages/web/package.json has no script build",
    ),
    ("npm run nope", "package.json has no script nope"),
    ("npm run biuld", "package.json has no script biuld; perhaps build"),
    ("npm run compile", "package.json has no script compile: renamed to build"),
    ("npm run old", "package.json has no script old: removed in "),
    ("npm test", "package.json has no script test"),
    ("yarn lint:none", "package.json has no script lint:none"),
    ("yarn old", "package.json has no script old: removed in "),
    ("yarn run compile", "package.json has no script compile: renamed to build"),
    ("yarn start", "package.json has no script start"),
    ("yarn workspace @x/web run build", "packages/web/package.json has no script build"),
    ("npm stop", "package.json has no script stop"),
    ("pnpm turbo run nope --filter @x/web", "package.json and packages/web/package.json have no"),
    ("make nope", "Makefile has no target nope"),
    ("make check nope", "Makefile has no target nope"),
    ("make nope check", "Makefile has no target nope"),
    ("just nope", "justfile has no recipe nope"),
    ("just db nope", "justfile has no recipe db::nope"),
    ("task nope", "Taskfile.yml has no task nope"),
    ("tool nope", "tool has no command nope"),
    ("hatch run nope:fmt", "pyproject.toml has no script nope:fmt"),
    ("bundle exec rake db:down", "Rakefile has no task db:down"),
    ("fastlane ios store", "fastlane/Fastfile has no lane store"),
    ("mvn -q test -pl client", "pom.xml has no module client"),
    ("docker compose up -d cache", "compose.yaml has no service cache"),
    ("docker compose exec cache sh", "compose.yaml has no service cache"),
]


@pytest.mark.parametrize(
    ("claim", "said"),
    [(f"The tests are run with `{command}`.", said) for command, said in ABSENT],
)
def test_a_command_that_is_not_there(judged: Judged, claim: str, said: str) -> None:
    found = judged[claim]
    (reason,) = [reason for verdict, _, reason in told(found) if verdict == "refuted"]
    assert found.rule == "refuted-citation"
    assert reason.startswith(said)


@pytest.mark.parametrize(
    "claim",
    [
        "The command `npm run old` was removed.",
        "There is no `npm run nope` here.",
        "There is no single `npm run nope` script.",
        "Their upstream repository has `npm run nope` for that.",
        "A script `npm run nope` is planned.",
        "It is run with `npm run <name>`, as an argument.",
        "From the `packages/web` directory, run `npm run dev`.",
        "After you change files in `packages/web`, run `npm run build`.",
        "It is run with `npm run $NAME`.",
        "It is run with `npm run SCRIPT_NAME`.",
        "It starts with `npm run nope --if-present`.",
        "It starts with `yarn nope`, a program of some package.",
        "It starts with `yarn rows`, a program that a removed script ran.",
        "It starts with `bun run a:b` in other projects.",
        "It starts with `cd elsewhere && npm run only`.",
        "It is made by `make docs`, a directory.",
        "It is run with `cargo nope`.",
        "The packages are run with `npm run dev`.",
        "It is run with `make -f other.mk nope`.",
        "It is run with `pnpm --filter @acme/ghost nope`.",
        "It is run with `pdm run nope`.",
        "It is run with `hatch run nope`.",
        "It is run with `hatch run lint:nope`, a program.",
        "It is run with `hatch run lint.py3.12:nope`.",
        "It is run with `hatch run hatch-test:nope`.",
        "It is run with `git nope`.",
        "It is run with `turbo run format`.",
        "It is run with `lerna run nope` in other projects.",
        "It is run with `just own::nope`, a module of the developer.",
    ],
)
def test_what_no_manifest_answers_is_not_refuted(judged: Judged, claim: str) -> None:
    found = judged[claim]
    assert "refuted" not in [verdict for verdict, _, _ in told(found)]


def test_a_claim_that_says_no_more_is_proved(repo: Repo) -> None:
    found = repo.judge("Run `npm run build` and `make check`.")
    assert (found.tier, found.rule) == (Tier.APPROVE, "proved")
    assert [t for _, t, _ in told(found)] == ["package.json#build", "Makefile#check"]


@pytest.mark.parametrize(
    "claim",
    [
        "The command `npm run build` deploys production.",
        "Run `npm run build` with `FORCE`.",
        "Only `npm run build` builds it.",
        "Run `npm run build -- --watch`.",
        "`npm run build` must come first.",
    ],
)
def test_a_claim_that_says_more_is_not_proved(judged: Judged, claim: str) -> None:
    assert judged[claim].tier == Tier.REVIEW


@pytest.mark.parametrize(
    ("path", "claim", "said"),
    [
        ("packages/web/CLAUDE.md", "The server is started with `npm run dev`.", ""),
        ("packages/web/CLAUDE.md", "All is built with `npm run build`.", ""),
        ("packages/web/CLAUDE.md", "All is tested with `npm run nope`.", "packages/web/package.json and package.json have"),
        ("CLAUDE.md", "The server is started with `npm run dev`.", ""),
        ("CLAUDE.md", "The server is started with `npm run dev` in the root.", "package.json has no script dev"),
        ("CLAUDE.md", "It starts with `npm run dev -w @x/web` in the project root.", ""),
        ("CLAUDE.md", "It starts with `npm run dev` in the root of the web package.", ""),
        ("CLAUDE.md", "All is tested with `make nope` in the root directory.", "Makefile has no target nope"),
        ("packages/web/CLAUDE.md", "It starts with `npm run dev` in the project root.", ""),
        ("sub/CLAUDE.md", "All is tested with `make only`.", ""),
        ("docs/plans/x.md", "All is tested with `npm run nope`.", ""),
        ("docs/proposals-done/x.md", "All is tested with `npm run nope`.", ""),
        ("docs/88_ARCHIVE/x.md", "All is tested with `npm run nope`.", ""),
        ("docs/02_research/x.md", "All is tested with `npm run nope`.", ""),
        ("docs/workplans/x.md", "All is tested with `npm run nope`.", ""),
        ("docs/audits/one.md", "All is tested with `npm run nope`.", ""),
        ("docs/session-12.md", "All is tested with `npm run nope`.", ""),
        ("memory-bank/progress-log.md", "All is tested with `npm run nope`.", ""),
        ("docs/blog/new.md", "All is tested with `npm run nope`.", ""),
        ("CHANGELOG.md", "All is tested with `npm run nope`.", ""),
        ("docs/adr/0001-x.md", "All is tested with `npm run nope`.", ""),
    ],
)  # fmt: skip
def test_the_nearest_manifest_is_asked(repo: Repo, path: str, claim: str, said: str) -> None:
    repo.stage({path: f"# Notes\n\n{claim}\n"})
    found = [d for d in repo.decisions("all") if d.place.path == path]
    reasons = [reason for d in found for verdict, _, reason in told(d) if verdict == "refuted"]
    repo.git("rm", "-q", "-f", path)
    assert bool(reasons) == bool(said)
    assert all(reason.startswith(said) for reason in reasons)


@pytest.mark.parametrize(
    ("manifest", "why"),
    [
        ({"Makefile": "include $(X)\ncheck:\n"}, "an include that a variable names"),
        ({"Makefile": "include gone.mk\ncheck:\n"}, "an include that is not there"),
        ({"Makefile": "$(X):\ncheck:\n"}, "a target that a variable names"),
        ({"justfile": "set fallback\ncheck:\n"}, "a justfile that falls back"),
        ({"justfile": "import? '../x.just'\ncheck:\n"}, "an import that may be outside"),
        ({"package.json": "{"}, "a manifest that is broken"),
        ({"Makefile": "%:\n\ttrue\n"}, "a pattern that matches anything"),
    ],
    ids=str,
)
def test_a_manifest_that_is_not_understood_refutes_nothing(
    tmp_path: Path, manifest: Files, why: str
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"x.txt": "x", **manifest})
    name = next(iter(manifest)).lower()
    command = {"makefile": "make", "justfile": "just", "package.json": "npm run"}[name]
    found = repo.judge(f"It is checked with `{command} nope` each day.")
    assert "refuted" not in [v for v, _, _ in told(found)], why


def test_a_pattern_that_gives_targets_another_name(tmp_path: Path) -> None:
    """The makefiles of Prometheus have `%: common-% ;`."""
    repo = Repo(tmp_path / "repo")
    common = "%: common-% ;\ncommon-test:\n\ttrue\n$(ARCHS): common-docker-%:\n\ttrue\n"
    repo.commit({"Makefile": "include Makefile.common\nui:\n", "Makefile.common": common})
    found = {
        name: "refuted" in [v for v, _, _ in told(repo.judge(f"It is checked with `make {name}`."))]
        for name in ("ui", "test", "common-test", "docker-arm", "lint", "common-lint")
    }
    assert [name for name, wrong in found.items() if wrong] == ["lint", "common-lint"]


def test_includes_that_loop_end(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({
        "Makefile": "include a.mk\ncheck:\n", "a.mk": "include b.mk\n", "b.mk": "include a.mk\nfar:\n",
        "justfile": "import 'justfile'\nmod justfile 'justfile'\nb:\n",
        "Taskfile.yml": "includes: {x: ./Taskfile.yml}\ntasks: {t: x}\n",
    })  # fmt: skip
    assert told(repo.judge("It is `make far`."))[0][0] == "confirmed"
    assert told(repo.judge("It is checked by `make nope`."))[0][0] == "refuted"
    assert told(repo.judge("It is checked by `just nope`."))[0][0] == "refuted"
    assert told(repo.judge("It is checked by `task nope`."))[0][0] == "refuted"


def test_a_kind_that_breaks_makes_its_own_references_wait(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    from grounded_ingest.references import manifest_command, runtime_version

    def broken(*_: object) -> object:
        raise ValueError("a bug")

    monkeypatch.setattr(manifest_command, "answers", broken)
    found = repo.judge("It requires `npm run build` and Go 1.22 or newer.")
    assert told(found) == [("unknown", "npm run build", "could not be checked: ValueError: a bug")]
    assert found.rule == "check-failed"
    monkeypatch.setattr(runtime_version, "answers", broken)
    shown = "```sh\nnpm run nope\n```\n"
    repo.stage({"memory-bank/notes.md": shown})
    said = [p.message for p in repo.check("staged").report.problems]
    assert "code blocks could not be checked: ValueError: a bug" in said


@pytest.mark.parametrize(
    ("files", "wrong"),
    [
        ({}, True),
        ({"cmd/task/main.go": "package main\n"}, False),
        ({"Cargo.toml": "[package]\nname = 'task'\n"}, False),
    ],
)
def test_the_source_of_a_runner_shows_tasks_of_others(
    tmp_path: Path, files: Files, wrong: bool
) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"Taskfile.yml": "tasks:\n  test: {cmds: [x]}\n", **files})
    decision = repo.judge("The command is `task deploy`.")
    assert bool(decision.wrong) is wrong


def test_a_page_that_enters_the_folder_of_a_script(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit(
        {"package.json": "{}", "web/package.json": '{"scripts": {"dev": "x"}}', "api/a": ""}
    )
    for folder, wrong in (("api", 1), ("web/", 0)):
        repo.stage({"CLAUDE.md": f"# Notes\n\n- Enter it: `cd {folder}`\n- Start `npm run dev`.\n"})
        assert len(list_findings(repo.check().report)) == wrong, folder


@pytest.mark.parametrize(
    ("path", "command", "wrong"),
    [
        ("packages/web/README.md", "npm run migrate", 1),
        ("packages/web/README.md", "npm run dev", 0),
        ("packages/web/README.md", "npm run dev:api", 1),  # its own words name no package
        ("packages/web/README.md", "npm run dev:api # of api", 0),
        ("CLAUDE.md", "npm run migrate -w @x/web", 1),
        ("CLAUDE.md", "npm run migrate -w @x/api", 0),
        ("CLAUDE.md", "cd packages/web && npm run migrate", 1),
        ("CLAUDE.md", "cd packages/web && npm run dev\ncd packages/api && npm run seed", 1),
        ("CLAUDE.md", "cd packages/web && npm run dev\ncd packages/api && npm run migrate", 0),
        ("CLAUDE.md", "cd packages/web && npm run dev\ncd packages/web/in && npm run seed", 0),
        ("CLAUDE.md", "cd other && npm run dev\ncd packages/api && npm run seed", 0),
    ],
)
def test_a_command_of_one_folder(tmp_path: Path, path: str, command: str, wrong: int) -> None:
    repo = Repo(tmp_path)
    web, api = (
        '{"name": "@x/web", "scripts": {"dev": "y"}}',
        '{"scripts": {"migrate": "y", "dev:api": "y"}}',
    )
    api = api.replace("{", '{"name": "@x/api", ', 1)
    files = {"packages/web/package.json": web, "packages/api/package.json": api}
    files |= {"packages/web/in/x.txt": ""}
    repo.commit({**files, "package.json": "{}"})
    repo.commit({path: f"# @x/web\n\nSee `packages/web`.\n\n```sh\n{command}\n```\n"})
    assert len(list_findings(repo.check("all").report)) == wrong


def test_a_build_makes_the_makefile_at_the_root(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({"docs/Makefile": "html:\n\ttrue\n", "docs/guide.md": "Run `make install`.\n"})
    assert [e.line for e in list_findings(repo.check("all").report)] == [1]
    repo.commit({"CMakeLists.txt": "project(rows)\n", "README.md": "Run `make install`.\n"})
    assert [e.path for e in list_findings(repo.check("all").report)] == ["docs/guide.md"]


def test_cmake_writes_the_makefile(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    block = "```sh\n{}make row_tests\n```\n"
    repo.commit({"Makefile": "all:\n\ttrue\n", "README.md": block.format("")})
    assert [e.line for e in list_findings(repo.check("all").report)] == [2]
    repo.commit({"README.md": block.format("mkdir build; cd build\ncmake ..\n")})
    repo.commit({"README.md": block.format("cmake .\n")})
    assert list_findings(repo.check("all").report) == []


def test_a_makefile_for_other_projects_defines_its_targets(tmp_path: Path) -> None:
    """Pelican writes such a makefile for the sites of its users, and its manual describes it."""
    repo = Repo(tmp_path / "repo")
    repo.commit({"Makefile": "build:\n\techo\n", "templates/Makefile.jinja2": "serve:\n\techo\n"})
    for target, wrong in (("serve", False), ("stop", True)):
        said = [e.reason for e in repo.judge(f"Run `make {target}` to see the site.").evidence]
        assert any("has no target" in reason for reason in said) is wrong, target
