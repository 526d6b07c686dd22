"""Versions, imports, flags, packages and counts beside real repositories."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Files, Repo

from grounded_ingest.model.claims import CitationKind, Decision, Tier, Verdict

C, R, U = Verdict.CONFIRMED, Verdict.REFUTED, Verdict.UNKNOWN
Judged = dict[str, Decision]
CLICK = """import click

@click.group()
def main(): ...

@main.command("run")
@click.option("--fast/--slow", "-f")
@click.option("--form", type=click.Choice(["text", "JSON"]))
@click.option("--other", type=click.Choice(FORMS))
def run_it(fast): ...

@main.command()
@click.option("--deep")
def show(): ...
"""
TREE: Files = {
    "package.json": '{"name": "app", "version": "1.2.3", "engines": {"node": ">=20"}, "dependencies": {"react": "18"}}',
    ".python-version": "3.12\n",
    "pyproject.toml": "[project]\nname = 'tool'\nrequires-python = '>=3.11'\ndependencies = ['httpx']\n[project.scripts]\ntool = 'tool.cli:main'\n",
    "go.mod": "module example.org/x\n\ngo 1.22\n",
    "tool/__init__.py": "",
    "tool/cli.py": CLICK,
    "scripts/typed.py": "import typer\napp = typer.Typer()\n@app.command()\ndef go(dry_run: bool = False): ...\n",
    "scripts/plain.py": "import argparse\np = argparse.ArgumentParser()\np.add_argument('--verbose', '-v')\np.add_argument('--kind', choices=('late', 'new'))\n",
    "scripts/open.py": "import argparse\np = argparse.ArgumentParser()\np.parse_known_args()\n",
    "scripts/made.py": "import argparse\np = argparse.ArgumentParser()\nfor n in N: p.add_argument(f'--{n}')\n",
    "scripts/child.py": "import argparse\np = argparse.ArgumentParser(parents=[x])\n",
    "scripts/bare.py": "print(1)\n",
    "docs/adr/0001-a.md": "# ADR-1: a\n\nStatus: accepted\n",
    "docs/adr/0002-b.md": "# ADR-2: b\n\nStatus: accepted\n",
    "docs/adr/README.md": "# Decisions\n",
    "checks/a.py": "def a(): ...\ndef b(): ...\n",
    "docs/style.md": "# Style\n",
    "docs/runbooks/outage.md": "# Outage\n",
    "sub/near.md": "# Near\n",
    "src/long.py": "x = 1\n" * 121,
    "src/open.py": "x = 1\n" * 70 + "y = 1",
}  # fmt: skip


COMMITS = ({"docs/old.md": "# Old\n"}, {**TREE, "docs/old.md": None})


def told(decision: Decision, kind: CitationKind) -> list[tuple[Verdict, str]]:
    return [(e.verdict, e.reason) for e in decision.evidence if e.kind is kind]


def refuted(decision: Decision, kind: CitationKind) -> list[str]:
    return [reason for verdict, reason in told(decision, kind) if verdict is R]


@pytest.mark.parametrize(
    "claim",
    [f"The runtime is {version}" for version in ("Node.js 20+", "Runtime: Node >= 20", "Python 3.11 or newer.", "Go 1.22+", "Python 3.12", "Requires Node 20.")],
)  # fmt: skip
def test_a_version_that_agrees_is_no_refutation(judged: Judged, claim: str) -> None:
    found = judged[claim]
    assert not refuted(found, CitationKind.VERSION)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("It requires Node 18 or newer.", "package.json requires node 20 or newer, not 18"),
        (
            "It requires Python 3.10, see `.python-version`.",
            ".python-version has python 3.12, not 3.10",
        ),
        (
            "It requires Python 3.10, see `go.mod`.",
            "pyproject.toml requires python 3.11 or newer, not 3.10",
        ),
        (
            "It requires Node.js >= 18.12 to run.",
            "package.json requires node 20 or newer, not 18.12",
        ),
        (
            "Prerequisites: Python 3.10+ and git.",
            "pyproject.toml requires python 3.11 or newer, not 3.10",
        ),
        ("[Go 1.21+](https://go.dev/dl/)", "go.mod requires go 1.22 or newer, not 1.21"),
        (
            "[Go](https://go.dev/dl/) 1.21+ (any system)",
            "go.mod requires go 1.22 or newer, not 1.21",
        ),
        ("The language is Go 1.21 for everything.", "go.mod requires go 1.22 or newer, not 1.21"),
        ("The current version is 1.2.4 of all that.", "package.json has version 1.2.3"),
        ("The current version of the project is 1.2.4.", "package.json has version 1.2.3"),
        ("This page describes v1.2.4 of this package.", "package.json has version 1.2.3"),
    ],
)
def test_a_version_that_is_too_low(judged: Judged, claim: str, said: str) -> None:
    found = judged[claim]
    assert refuted(found, CitationKind.VERSION) == [said]
    assert found.rule == "refuted-citation"


@pytest.mark.parametrize(
    ("path", "claim", "said"),
    [
        (
            "CLAUDE.md",
            "The site builds using Node.js 22.",
            "package.json requires node 24 or newer, not 22",
        ),
        ("CLAUDE.md", "The site builds using Node.js 24.", ""),
        ("tool/CLAUDE.md", "Node.js 16+", "tool/package.json requires node 18 or newer, not 16"),
        ("tool/CLAUDE.md", "Node.js 18+", ""),
        ("tool/CLAUDE.md", "Corepack manages pnpm and is included in Node.js 16+", ""),
        ("tool/CLAUDE.md", "On a newer Node version (16.3 and above) set the option.", ""),
        ("tool/CLAUDE.md", "| Node.js | shop |\n|---|---|\n| v16.x | ~5.x |", ""),
        ("tool/CLAUDE.md", "| Node version | shop |\n|---|---|\n| 16.x | 3.1.3 - 3.28.0 |", ""),
        ("tool/CLAUDE.md", "| Node version | shop |\n|---|---|\n| 16.x | 5.4.0 - Current |", ""),
    ],
)
def test_the_version_of_the_own_package(tmp_path: Path, path: str, claim: str, said: str) -> None:
    repo = Repo(tmp_path / "repo")
    files = {"package.json": '{"engines": {"node": "24"}}'}
    if path != "CLAUDE.md":
        files["tool/package.json"] = '{"engines": {"node": ">=18"}}'
        files["old/package.json"] = '{"engines": {"node": ">=14"}}'
    repo.commit(files)
    found = refuted(repo.judge(claim, path), CitationKind.VERSION)
    assert found == ([said] if said else [])


@pytest.mark.parametrize(
    "claim",
    [
        "It requires Node 22 or newer.",
        "Node.js >= 15 ends at a rejection that nobody handles.",
        "Python 3.9 changed how dictionaries merge.",
        "Support for Node 18 was removed.",
        "It requires Ruby 2.7 or newer.",
        "Calls were slow on Python 3.8-3.10.",
        "Version 1.2.4 fixed it all.",
        "v1.2.4 of this package added rows.",
        "This page describes v1.2.3 of this package.",
        '"The current version is 1.2.4" stands there.',
    ],
)
def test_a_version_that_nothing_speaks_against(judged: Judged, claim: str) -> None:
    found = judged[claim]
    assert not refuted(found, CitationKind.VERSION)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("The current version of the courier is 1.4.0.", "package.json has version 1.2.3"),
        (
            "By the way, the courier is now at version `1.4.1`.",
            "package.json has version 1.2.3",
        ),
        ("The current version of the courier is 1.2.3.", ""),
        ("The current version of the API is 1.4.0.", ""),
        ("The gateway is at version 1.4.0.", ""),
    ],
)
def test_the_version_of_what_a_manifest_names(tmp_path: Path, claim: str, said: str) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"package.json": '{"name": "courier", "version": "1.2.3"}'})
    assert refuted(repo.judge(claim), CitationKind.VERSION) == ([said] if said else [])


@pytest.mark.parametrize(
    ("heading", "refutes"),
    [
        ("Requirements", True),
        ("System requirements", True),
        ("Planned", False),
    ],
)
def test_what_is_needed_stands_under_requirements(repo: Repo, heading: str, refutes: bool) -> None:
    text = f"# Notes\n\n## {heading}\n\nIt requires Node 18 or newer.\n"
    repo.stage({"memory-bank/notes.md": text})
    (found,) = [d for d in repo.decisions() if d.place.path == "memory-bank/notes.md"]
    assert bool(refuted(found, CitationKind.VERSION)) is refutes


def test_a_version_in_a_table_is_right_and_proves_nothing(repo: Repo) -> None:
    repo.stage(
        {"memory-bank/notes.md": "# Notes\n\n| Runtime | Version |\n|---|---|\n| Node | 20+ |\n"}
    )
    (found,) = [d for d in repo.decisions() if d.place.path == "memory-bank/notes.md"]
    assert (found.tier, found.rule) == (Tier.REVIEW, "cited")


def test_another_version_of_the_tree_is_no_refutation(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({
        "package.json": '{"engines": {"node": ">=20"}}',
        "legacy/package.json": '{"engines": {"node": ">=16"}}',
        "pyproject.toml": "[project]\nrequires-python = '>=3.11'\n",
        ".github/workflows/ci.yml": "jobs:\n  a:\n    strategy:\n      matrix:\n        python-version: ['3.9']\n",
    })  # fmt: skip
    assert not refuted(repo.judge("It requires Node 18 or newer."), CitationKind.VERSION)
    assert not refuted(repo.judge("It requires Python 3.9 or newer."), CitationKind.VERSION)


@pytest.mark.parametrize(
    ("path", "claim", "said"),
    [
        ("CLAUDE.md", "The style is told in @docs/style.md for all.", ""),
        ("CLAUDE.md", "The style is told in @docs/nope.md for all.", "no such file"),
        ("CLAUDE.md", "The style is told in @docs/old.md for all.", "no such file: deleted in "),
        ("CLAUDE.md", "The style is told in @elsewhere/style.md for all.", "no such file"),
        ("CLAUDE.md", "The style is told in @docs/Style.md for all.", "no such file: the name is docs/style.md"),
        ("CLAUDE.md", "The style is told in `@docs/nope.md` for all.", ""),
        ("CLAUDE.md", "The style is told in @~/nope.md for all.", ""),
        ("CLAUDE.md", "It is made with @octokit/rest.js and @scope/name for all.", ""),
        ("CLAUDE.md", "It was written by @somebody for all.", ""),
        ("sub/.claude/commands/x.md", "The style is told in @near.md for all.", ""),
        ("docs/page.md", "The style is told in @docs/nope.md for all.", ""),
    ],
)  # fmt: skip
def test_imports(repo: Repo, path: str, claim: str, said: str) -> None:
    found = refuted(repo.judge(claim, path), CitationKind.IMPORT)
    repo.git("rm", "-q", "-f", path)
    assert bool(found) == bool(said)
    assert all(reason.startswith(said) for reason in found)


FLAGS = [
    ("tool run --fast", [C]),
    ("tool run --slow", [C]),
    ("tool run --deep", [R]),  # an option of `tool show`
    ("tool show --deep", [C]),
    ("tool run --nope", [R]),
    ("tool run --fast --nope", [C, R]),
    ("uv run tool run --nope", [R]),
    ("tool run --fast -- --nope", [C]),
    ("python scripts/typed.py --dry-run", []),
    ("python scripts/typed.py --no-dry-run", []),
    ("python scripts/typed.py --wet", [R]),
    ("python3 scripts/plain.py --verb", []),
    ("./scripts/plain.py --nope", [R]),
    ("tool run --form json", []),
    ("tool run --form=yaml", [R]),
    ("tool run --form FORM", []),
    ("tool run --other yaml", []),
    ("python3 scripts/plain.py --kind old", [R]),
    ("python3 scripts/plain.py --kind new", []),
    ("python -m tool.cli --nope", [R]),
    ("python scripts/open.py --nope", []),
    ("python scripts/made.py --nope", []),
    ("python scripts/child.py --nope", []),
    ("python scripts/bare.py --nope", []),
    ("python scripts/gone.py --nope", []),
    ("git commit --nope", []),
    ("tool run --<name>", []),
    ("pytest --nope", []),
]


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [(f"It is started with `{command}` by everybody.", R in found) for command, found in FLAGS],
)
def test_flags(judged: Judged, claim: str, wrong: bool) -> None:
    found = judged[claim]
    assert bool(refuted(found, CitationKind.FLAG)) is wrong


@pytest.mark.parametrize(
    ("claim", "proved"),
    [
        (f"The command is `{command}`.", found == [C] and "--" not in command.split())
        for command, found in FLAGS
    ],
)
def test_a_claim_about_flags_alone_is_proved(judged: Judged, claim: str, proved: bool) -> None:
    found = judged[claim]
    assert found.tier is (Tier.APPROVE if proved else Tier.REVIEW)


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("There are 2 decision records in `docs/adr` today.", ""),
        ("There are 3 files in `docs/adr` today.", ""),
        ("There are 7 decision records in `docs/adr` today.", "docs/adr/ has 3 files, not 7"),
        ("There are about 7 decision records in `docs/adr` today.", ""),
        ("There are 4 runbooks in `docs/runbooks` today.", "docs/runbooks/ has 1 file, not 4"),
        ("There is all of 1 runbooks in `docs/runbooks/` today.", ""),
        (
            "There are 4 cautious runbooks in `docs/runbooks` today.",
            "docs/runbooks/ has 1 file, not 4",
        ),
        ("There are 4 owners in `docs/runbooks` today.", ""),
        ("There are 17 checks in `checks` today.", ""),
        ("There are 7+ decision records in `docs/adr` today.", ""),
        ("There are 50 decision records in `docs/adr` today.", ""),
        ("`docs/adr` has 7 files.", "docs/adr/ has 3 files, not 7"),
        ("All is in `docs/adr/` (7 records).", "docs/adr/ has 3 files, not 7"),
        ("- `docs/adr/` — 7 records", "docs/adr/ has 3 files, not 7"),
        ("The [records](docs/adr/) are there: [all](docs/adr/) holds 3 files.", ""),
        ("The folder [of records](docs/adr/) contains 7 records.", "docs/adr/ has 3 files, not 7"),
        ("There are 7 files in [docs](docs/adr/).", "docs/adr/ has 3 files, not 7"),
        ("`docs/adr` has 7 files with a date.", ""),
        ("`docs/adr` has 7 sections.", ""),
        ("`docs/adr` contains 7 decision makers.", ""),
        ("All of it is in `src/long.py` (121 lines) today.", ""),
        ("All of it is in `src/long.py` (119 lines) today.", "src/long.py has 121 lines, not 119"),
        ("All of it is in `src/open.py` (70 lines) today.", ""),
        ("All of it is in `src/open.py` (71 lines) today.", ""),
        ("All of it is in `src/long.py` (~119 lines) today.", ""),
        (
            "All of it is in `src/long.py` (~ 2,100 lines) today.",
            "src/long.py has 121 lines, not ~2100",
        ),
        ("All of it is in `src/long.py` (≈150 lines) today.", ""),
        (
            "All of it is in `src/long.py` (about 200 lines) today.",
            "src/long.py has 121 lines, not ~200",
        ),
        ("There are about 140 lines in `src/long.py` today.", ""),
        (
            "There are about 1,400 lines in `src/long.py` today.",
            "src/long.py has 121 lines, not ~1400",
        ),
        ("All of it is in `src/long.py` (100 lines) today.", ""),
        (
            "All of it is in `src/long.py` (1,000 lines) today.",
            "src/long.py has 121 lines, not 1000",
        ),
        ("At most about 20 lines of `src/long.py` are read.", ""),
        ("There are about 400 records in `docs/adr` today.", ""),
        ("`src/long.py` was 119 lines before.", ""),
        ("The first 20 lines of `src/long.py` say it.", ""),
        ("At most 119 lines of `src/long.py` are read.", ""),
    ],
)
def test_counts(judged: Judged, claim: str, said: str) -> None:
    found = judged[claim]
    assert refuted(found, CitationKind.COUNT) == ([said] if said else [])


STATED = [
    ("A page has at most 250 results (`MAX_RESULTS` in `src/api.ts`).", "100, not 250"),
    ("A page has at most 250 results (`src/api.ts::MAX_RESULTS`).", "100, not 250"),
    ("A page has at most 250 results (`MAX_RESULTS`).", "100, not 250"),
    ("It reads `MAX_RESULTS` rows at most, which is 80.", "100, not 80"),
    (
        "It reads 80 rows and no more of them at a time (`MAX_RESULTS` in `src/api.ts`).",
        "100, not 80",
    ),
    ("It reads 80 rows, 20 at a time, and so on (`MAX_RESULTS` in `src/api.ts`).", ""),
    ("It asks again `MAX_RETRIES` (5) times.", "3, not 5"),
    ("`MAX_RETRIES` defaults to `5` in all runs.", "3, not 5"),
    ("The updater gives up after 60 seconds (`timeout` in `src/api.ts`).", "20, not 60 seconds"),
    (
        "The client gives up after 60 seconds (`deadline` in `src/wait.go`).",
        "2 * time.Minute, not 60 seconds",
    ),
    ("The client gives up after 2 minutes (`deadline` in `src/wait.go`).", ""),
    (
        "Names are cut after `MAX_LENGTH`, which is 80 characters.",
        "100, not 80",
    ),  # beside setattr
    ("A page has at most 100 results (`MAX_RESULTS` in `src/api.ts`).", ""),
    ("The cache lives 24 hours (`CACHE_TTL_MS` in `src/api.ts`).", ""),
    ("The cache lives 25 hours (`CACHE_TTL_MS`).", "86_400_000, not 25 hours"),
    ("The index lives 1 week (`INDEX_TTL`).", ""),  # 604,800 seconds
    ("The index lives 2 weeks (`INDEX_TTL`).", "604_800, not 2 weeks"),
    ("The updater gives up after 60 seconds (`timeout`).", ""),
    ("The limit is about 250 (`MAX_RESULTS`).", "100, not 250"),
    ("The limit is ~250 (`MAX_RESULTS`).", ""),
    ("We tried 10-20 values (`MAX_RESULTS`).", ""),
    ("See version 1.2.3 (`MAX_RESULTS`).", ""),
    ("There are 5 names (`OTHER_LIMIT`).", ""),
    ("Both have 5 rows (`TWICE_SET`).", ""),
    ("The test waits 5 seconds (`TEST_LIMIT`).", ""),
    ("`MAX_RESULTS` was 250 before.", ""),
    ("We raised `MAX_RESULTS` from 250.", ""),
    ("`requestLimit` is 7 for all.", "5, not 7"),
    ("It waits 30 seconds by default (`read_timeout` in `src/settings.py`).", "60, not 30 seconds"),
    ("It waits 1 minute by default (`read_timeout` in `src/settings.py`).", ""),
    ("It waits five seconds (`keep_alive` in `src/settings.py`).", "9, not five seconds"),
    ("It reads `retries` (3) times, see `src/settings.py`.", ""),  # the name may be of another file
    ("It tries 3 times (`attempts` in `src/settings.py`).", ""),  # two values
    ("It runs 3 workers (`workers` in `src/settings.py`).", ""),  # depends on the machine
    ("It runs 3 threads (`threads` in `src/settings.py`).", ""),
    ("Bodies have up to 1M by default (`BODY_LIMIT` in `src/server.js`).", "512K, not 1M"),
    ("Bodies have up to 512K by default (`BODY_LIMIT` in `src/server.js`).", ""),
    ("`BODY_LIMIT` (default `1M`) is for all.", "512K, not 1M"),
    ("The host is `SERVER_HOST` (default `0.0.0.0`).", "127.0.0.1, not 0.0.0.0"),
    ("`SERVER_HOST` (default `127`) is the host.", ""),  # a part of the text
    ("`serverPort` (default 80) is open.", "8443, not 80"),
    ("It keeps 5 rows (`kept_rows` in `src/default.rs`).", "3, not 5"),
    ("It keeps 3 rows (`kept_rows` in `src/default.rs`).", ""),
    ("It keeps `useColor` (default on) too.", "false, not on"),
    ("It keeps `lineHeight` (default 3) too.", ""),  # a use may differ from the default
    ("It keeps `lineHeight` (default `null`) too.", ""),
    ("It polls every 5 seconds (`interval` in `deploy/app.yaml`).", "30, not 5 seconds"),
    ("It polls every 5 seconds (`pollEvery`).", ""),  # data files are samples of a setting
]


COUNTED = """\
| Folder | Files |
|---|---|
| `src/rules/` | 12 |
| [docs](docs/) | 9 |

| Folder | Count |
|---|---|
| `lib` | 7 |
| `src` | 5 |

- `src/rules/` has 12 rules
- `lib` holds 6 files
"""


def test_a_number_that_was_right_when_it_was_written(tmp_path: Path) -> None:
    """A column `Count` may count anything, and rules are no files, unless history shows it."""
    repo = Repo(tmp_path / "repo")
    files: Files = {f"src/rules/r{n}.ts": "x\n" for n in range(12)}
    files |= {f"lib/m{n}.py": "x\n" for n in range(7)} | {"docs/a.md": "# A\n"}
    commit = repo.commit({**files, "README.md": COUNTED}, "Count", day="2026-02-03")
    repo.commit({f"src/rules/s{n}.ts": "x\n" for n in range(3)})
    repo.commit({f"lib/s{n}.py": "x\n" for n in range(3)})
    wrong = [
        (d.place.claim.line, message)
        for d in repo.decisions("all")
        for message in refuted(d, CitationKind.COUNT)
    ]
    since = f"in {commit[:12]} (2026-02-03, “Count”)"
    assert wrong == [
        (3, f"src/rules/ has 15 files, not 12; it had 12 {since}"),
        (4, "docs/ has 1 file, not 9"),
        (8, f"lib/ has 10 files, not 7; it had 7 {since}"),
        (11, f"src/rules/ has 15 files, not 12; it had 12 {since}"),
    ]


ROWS = """\
| option | default | text |
|---|---|---|
| `pageSize` | `25` | rows |
| `pageLimit` | `10` | rows |
| `unknownLimit` | `10` | rows |
"""


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> Judged:
    repo = Repo(tmp_path_factory.mktemp("stated"))
    repo.commit({
        "src/api.ts": "export const MAX_RESULTS = 100;\nconst timeout = 20;\n"
        "const CACHE_TTL_MS = 86_400_000;\nconst TWICE_SET = 1;\nconst INDEX_TTL = 604_800;\n",
        "src/other.py": "import os\nMAX_RETRIES = int(os.getenv('MAX_RETRIES', '3'))\nTWICE_SET = 2\n",
        "src/names.py": "MAX_LENGTH: int = 100\n\ndef put(o): setattr(o, 'a', 1)\n",
        "src/wait.go": 'package wait\n\nimport "time"\n\nconst deadline = 2 * time.Minute\n',
        "tests/test_limits.py": "TEST_LIMIT = 9\n",
        "src/names.ts": "export const requestLimit = 5;\n",
        "src/settings.py": "read_timeout = Loader(Primitive(60.0, element=(int, float)))\n"
        "def load(keep_alive=9): Config(keep_alive=keep_alive)\n"
        "retries = 4\nattempts = 4\nattempts = 5\nworkers = max(1, cpus())\nthreads = 4\n"
        "threads += 1\n",
        "src/server.js": "const size = parse(env('BODY_LIMIT', '512K'));\n"
        "const host = process.env.SERVER_HOST || '127.0.0.1';\nconst FALLBACK = 8443;\n"
        "const serverPort = Number(process.env.serverPort ?? FALLBACK);\n"
        "const defaults = { useColor: false };\nserve({ lineHeight: 2 });\n",
        "src/default.rs": "impl Default for Rows {\n fn default() -> Self { Rows { kept_rows: 3 } }\n}\n",
        "deploy/app.yaml": "job:\n  interval: 30\npollEvery: 30\n",
    })  # fmt: skip
    return repo.judge_each(claim for claim, _ in STATED)


@pytest.mark.parametrize(("claim", "said"), STATED)
def test_stated_values(stated: Judged, claim: str, said: str) -> None:
    decision = stated[claim]
    found = refuted(decision, CitationKind.COUNT)
    assert [message.partition(" is ")[2] for message in found] == ([said] if said else [])


def test_defaults_in_a_table(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({
        "src/page.ts": "export const defaults = { pageSize: 50, pageLimit: 10 };\n",
        "docs/options.md": ROWS,
    })  # fmt: skip
    wrong = {
        d.place.claim.line: message
        for d in repo.decisions("all")
        for message in refuted(d, CitationKind.COUNT)
    }
    assert wrong == {3: "pageSize in src/page.ts is 50, not 25"}


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        ("You need Go 1.21 or newer.", True),  # the version of test data does not count
        ("Storybook needs Go 1.21 or newer.", False),
        ("You need Go 1.27 or newer.", False),
    ],
)
def test_whose_runtime_a_sentence_means(tmp_path: Path, claim: str, wrong: bool) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({
        "go.mod": "module example.org/shop\n\ngo 1.27.0\n",
        "package.json": '{"name": "shop"}',
        "internal/testdata/go.mod": "module x\n\ngo 1.19\n",
    })  # fmt: skip
    assert bool(refuted(repo.judge(claim), CitationKind.VERSION)) is wrong
