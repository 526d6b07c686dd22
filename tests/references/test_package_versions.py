"""Versions of packages in technology tables and sentences, beside real manifests."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import Repo

from grounded_ingest.code.package_versions import allows, begins_at, package_versions
from grounded_ingest.model.claims import CitationKind, Decision, Verdict

TREE = {
    "package.json": '{"name": "app", "dependencies": {"zod": "^4.3.5", "next": "15.1.0", "redis": "^5.0.0", "own": "workspace:*", "@docusaurus/core": "3.1.0", "@nestjs/typeorm": "10.0.0"}, "devDependencies": {"framer-motion": "^12.1.0", "@types/react": "^19"}}',
    "src/App.csproj": '<Project><PackageReference Include="Riok.Mapperly" Version="4.3.1" /></Project>',
    "pom.xml": "<artifactId>junit</artifactId>\n<version>4.13</version>",
    "old/package.json": '{"name": "old", "dependencies": {"express": "^4.0.0"}}',
    "new/package.json": '{"name": "new", "dependencies": {"express": "^5.0.0"}}',
    ".tool-versions": "golangci-lint 2.11.4\n",
    "pyproject.toml": '[project]\nname = "server"\n',
    "mise.toml": '[tools]\ntuist = "4.203.0"\n',
    "deploy/compose.yaml": "services:\n  db:\n    image: postgres:18-alpine\n  geo:\n    image: 'acme/geo:2'\n",
    "go.mod": "module example.org/shop\n\nrequire github.com/fatih/color v1.18.0\nrequire k8s.io/kubectl v0.36.0\n",
    "gradle/libs.versions.toml": "[versions]\nkotlin = '2.2.20'\ntargetSdk = '36'\n",
    "shop.gemspec": "  spec.add_dependency 'mustermann', '~> 3.0'\n",
    "core/Cargo.toml": '[package]\nname = "core"\nedition = "2024"\n',
    "to/go.mod": "module example.org/to\n\nrequire github.com/acme/go/to v0.4.0\n",
    "tools/go.mod": "module example.org/shop/tools\n\nrequire example.org/shop v1.2.0\n",
    "client/pyproject.toml": '[project]\ndependencies = ["server>=3.1"]\n',
}  # fmt: skip


COMMITS = (TREE,)


def row(name: str, version: str, head: str = "Version") -> str:
    return f"| Technology | {head} |\n|---|---|\n| {name} | {version} |"


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        (row("**Zod**", "3.0"), "package.json has zod ^4.3.5"),
        (row("**Zod**", "4.0"), ""),
        (row("Zod", "3+"), ""),
        (row("Zod", "3.0", "New version"), ""),  # a table of an upgrade
        (row("Zod Form", "3.0"), ""),  # another package
        (row("Framer Motion", "11.x"), "package.json has framer-motion ^12.1.0"),
        (row("Mapperly", "3.0"), "src/App.csproj has Riok.Mapperly 4.3.1"),
        (row("React", "18"), ""),  # `@types/react` is not React
        (row("Redis", "7"), ""),  # the server, and not its client
        (row("JUnit", "5"), ""),  # whose packages have other names
        (row("own", "1.0"), ""),  # the manifest states no range
        (row("Express", "4"), ""),  # one of two packages has it
        (row("Express", "3"), "new/package.json has express ^5.0.0"),
        ("The stack is Next.js 14 (App Router).", "package.json has next 15.1.0"),
        ("The stack is Next.js 15 (App Router).", ""),
        ("The supported frameworks are Next.js 14 and others.", ""),  # a user may have it
        (
            "golangci-lint 2.5.0 is pinned in `.tool-versions`.",
            ".tool-versions has golangci-lint 2.11.4",
        ),
        ("golangci-lint 2.11 is pinned in `.tool-versions`.", ""),
        ("Our `package.json` has zod 3.2 or newer.", "package.json has zod ^4.3.5"),
        ("- **Zod**: v3", "package.json has zod ^4.3.5"),
        ("- next (App Router) - v14", "package.json has next 15.1.0"),
        ("- **Kotlin Version**: 1.8.0", "gradle/libs.versions.toml has kotlin 2.2.20"),
        ("- **Target SDK**: 34", "gradle/libs.versions.toml has targetSdk 36"),
        ("- Next: 14 pages", ""),  # a count
        ("- **Zod**: 3, 4", ""),  # a matrix
        ("Zod 3.2 works, too.", ""),  # the sentence names no manifest
        ("The stack is Server 2 (core).", ""),  # the repository's own package
        ("We moved to the router of Next.js 14 in May.", ""),  # no list of the stack
        ("Zod 3", "package.json has zod ^4.3.5"),
        ("Frontend: Svelte 5 + TypeScript + Zod 3", "package.json has zod ^4.3.5"),
        ("If you use Zod 3 (`zod` < 4), add the types.", ""),  # not what the project uses
        ("Docs are built with Docusaurus 2.", "package.json has @docusaurus/core 3.1.0"),
        ("- **Tuist**: 4.43.1 (project files)", "mise.toml has tuist 4.203.0"),
        ("Starts: PostgreSQL 16, Zod 4", "deploy/compose.yaml has postgres 18"),
        ("Starts: PostgreSQL 18, Zod 4", ""),
        ("Starts: Geo 3, Zod 4", ""),  # another owner's image may have another version
        ("The harness is not from `compose.yaml`: it has Postgres 17.5.", ""),
        (
            "Our stack: [fatih/color](https://go.dev/c) v1.16.0",
            "go.mod has github.com/fatih/color 1.18.0",
        ),
        ("Our stack: [fatih/color](https://go.dev/c) v1.18.0", ""),
        ("TypeORM 0.3 is the mapper.", ""),  # `@nestjs/typeorm` is another package
        ("Zod 3 added pipelines.", ""),
        # Sentences about what the project itself uses.
        ("The forms are parsed with Zod 3.2.", "package.json has zod ^4.3.5"),
        ("The forms are parsed with Zod 4.3.", ""),
        ("If the forms are parsed with Zod 3.2, add the types.", ""),
        ("Until May, the forms were parsed with Zod 3.2.", ""),
        ("The app supports Zod 3.2 and uses it.", ""),
        ("The forms use `zod` 3 for everything.", "package.json has zod ^4.3.5"),
        (
            "Pages move by framer-motion, for which we declare the range `^11.0.0`.",
            "package.json has framer-motion ^12.1.0",
        ),
        (
            "The lowest framer-motion that the app accepts is 12.0.",
            "package.json has framer-motion ^12.1.0",
        ),
        ("The lowest framer-motion that the app accepts is 12.1.", ""),
        ("The lowest router that the app accepts is 12.0.", ""),
        (
            "Routes need Mustermann, which the gemspec pins to the 2.x series.",
            "shop.gemspec has mustermann ~> 3.0",
        ),
        ("All crates use the 2021 edition of Rust.", "core/Cargo.toml has rust-edition 2024"),
        ("Cargo.toml has `edition = 2021`.", "core/Cargo.toml has rust-edition 2024"),
        ("All crates use the 2024 edition of Rust.", ""),
        ("The 2021 edition of the book is out.", ""),
        ("In code of the 2018 edition of Rust, names are shorter.", ""),
        ("The pages need framer-motion 13.2 or newer.", ""),  # perhaps one task needs it
        ("The pages need framer-motion 11.2 or newer.", "package.json has framer-motion ^12.1.0"),
        ("The forms are parsed with Zod 3.2 or greater.", ""),  # which allows 4.3
        ("`install zod 3.2`: it uses the network.", ""),
        ("The app uses all changes from v0.1 to v0.2.", ""),  # `to` is a package
        ("The first app was based on Zod 2 and XML.", ""),
        ("The image comes with kubectl 1.36.1.", ""),  # the program, not the package of Go
        ("Zod 2.16.5 added an experimental way to parse it.", ""),
        ("A form, which is available in Zod 3.2, is used.", ""),
        ("The stack is Shop 1.9 (rows).", ""),  # the repository's own module
        ("Express 4.2 is pinned in `new/package.json`.", "new/package.json has express ^5.0.0"),
        ("Express 4.2 is pinned in `package.json`.", ""),
        ("`new/package.json` has its own Express, but the root uses Express 4.18.", ""),
        ("`package.json` declares zod 5.0+.", "package.json has zod ^4.3.5"),
        ("`core/Cargo.toml` sets `edition = 2021`.", "core/Cargo.toml has rust-edition 2024"),
        ("All crates are on the 2021 edition.", "core/Cargo.toml has rust-edition 2024"),
    ],
)
def test_a_stated_version_is_held_against_every_manifest(
    judged: dict[str, Decision], claim: str, wrong: str
) -> None:
    decision = judged[claim]
    found = [e for e in decision.evidence if e.kind is CitationKind.VERSION]
    said = [e.reason.partition(", not ") for e in found if e.verdict is Verdict.REFUTED]
    assert [has for has, _, _ in said] == [wrong] * bool(wrong)
    assert all(told and told.lstrip("v^~>= ") in claim for _, _, told in said)


@pytest.mark.parametrize(
    ("spec", "stated", "answer"),
    [
        ("^1.2.3", "1.9", True), ("^1.2.3", "1.1", False), ("^0.4.1", "0.5", False),
        ("~=1.2.3", "1.3", False), ("~> 7.1", "7.2", True), (">=0.100,<1", "0.115", True),
        ("^18 || ^19", "18", True), ("10.0.4", "10.0.2", False), ("10.0.4", "10.0", True),
        ("^2.4.6", "^2.4.0", True), ("^4", "5+", False), ("1.x", "1.2", True),
        ("workspace:^1", "1.0", None), ("latest", "3", None), ("", "1", None),
    ],
)  # fmt: skip
def test_ranges(spec: str, stated: str, answer: bool | None) -> None:
    assert allows(spec, stated) is answer


@pytest.mark.parametrize(
    ("spec", "stated", "answer"),
    [
        (">=3,<5", ">=3.0", True), (">=3,<5", ">=4.1", False), ("^18.2 || ^19", ">=18.2", True),
        ("<5", ">=3", None), ("workspace:^1", ">=1", None),
    ],
)  # fmt: skip
def test_where_a_range_begins(spec: str, stated: str, answer: bool | None) -> None:
    assert begins_at(spec, stated) is answer


@pytest.mark.parametrize(
    ("path", "text", "found"),
    [
        ("pyproject.toml", "[project]\ndependencies = ['fastapi[all]>=0.1']", {"fastapi": ">=0.1"}),
        ("requirements.txt", "httpx==0.27  # client\n-r other.txt", {"httpx": "==0.27"}),
        ("Cargo.toml", "[dependencies]\nserde = { version = '1.0' }", {"serde": "^1.0"}),
        ("go.mod", "require github.com/spf13/cobra v1.8.0", {"github.com/spf13/cobra": "1.8.0"}),
        (".tool-versions", "# tools\nbuf v1.2.3 # x\n", {"buf": "1.2.3"}),
        ("Gemfile", "gem 'rails', '~> 7.1'", {"rails": "~> 7.1"}),
        (
            "gradle/libs.versions.toml",
            "[versions]\nagp = '8.13.2'\nx = {require = '1'}",
            {"agp": "8.13.2"},
        ),
        (
            "gradle/wrapper/gradle-wrapper.properties",
            "distributionUrl=https\\://x/gradle-8.5-bin.zip",
            {"gradle": "8.5"},
        ),
        (
            "build.gradle",
            "id 'org.springframework.boot' version '3.2.0'\nid 'x' version '1'",
            {"spring-boot": "3.2.0", "x": "1"},
        ),
        ("build.gradle", "x2Version = '1.2'\nx3Version = '3.4'", {"x": "1.2 || 3.4"}),
        ("pom.xml", "<guava.version>33.6</guava.version>", {"guava": "33.6"}),
        ("build.gradle.kts", 'kotlin("jvm") version "2.0.0" apply false', {"kotlin": "2.0.0"}),
        (
            "build.gradle.kts",
            'id("org.jetbrains.kotlin.android") version "2.0.0"',
            {"kotlin": "2.0.0"},
        ),
        (
            "pom.xml",
            "<artifactId>spring-boot-starter-parent</artifactId>\n<version>3.3.1</version>",
            {"spring-boot": "3.3.1"},
        ),
    ],
)
def test_versions_in_manifests(path: str, text: str, found: dict[str, str]) -> None:
    assert package_versions(path, text) == found


def test_a_setup_file_that_requires_a_runtime(tmp_path: Path) -> None:
    repo = Repo(tmp_path / "repo")
    repo.commit({"setup.py": "setup(python_requires='>=3.10')"})
    judged = repo.judge("It requires Python 3.8.").evidence
    (found,) = (e.verdict for e in judged if e.kind is CitationKind.VERSION)
    assert found is Verdict.REFUTED


@pytest.mark.parametrize(
    ("claim", "wrong"),
    [
        (
            "`packages/shop` uses React 17.",
            ["packages/shop/package.json has react ^18.2.0, not 17"],
        ),
        ("`packages/shop` uses React 18.", []),
        ("`packages/till` uses React 17.", []),
        ("The shop uses React 17.", []),
        (
            "`@shop/till` wants React 17, as `packages/shop/package.json` declares.",
            ["packages/shop/package.json has react ^18.2.0, not 17"],
        ),
        ("`packages/none` uses React 17.", []),
    ],
)
def test_a_named_folder_says_whose_version_is_meant(
    tmp_path: Path, claim: str, wrong: list[str]
) -> None:
    repo = Repo(tmp_path / "repo")
    package = '{{"name": "{}", "dependencies": {{"react": "^{}"}}}}'
    versions = (("shop", "18.2.0"), ("till", "17.0.1"))
    repo.commit({f"packages/{n}/package.json": package.format(n, v) for n, v in versions})
    judged = repo.judge(claim).evidence
    found = [e.reason for e in judged if e.verdict is Verdict.REFUTED]
    assert [reason for reason in found if "react" in reason] == wrong
