from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from configs import as_written
from msgspec.structs import fields, replace

from grounded_ingest.config.files import (
    FILE,
    load,
    parse_toml,
    parse_yaml,
)
from grounded_ingest.config.settings import (
    DEFAULTS,
    Config,
    Dedup,
    classify,
    source_of,
)
from grounded_ingest.config.validators import READERS
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.model.claims import DocClass, Source, Tier
from grounded_ingest.rules.registry import EVERY_RULE, PROBLEMS, ROWS

MEMORY = [
    "CLAUDE.md",
    "claude.md",
    "pkg/api/AGENTS.md",
    "GEMINI.md",
    "MEMORY.md",
    "CLAUDE.local.md",
    "pkg/AGENTS.local.md",
    "docs/CLAUDE.md",
    ".claude/commands/release.md",
    ".claude/agents/x/news.md",
    ".cursor/rules/style.mdc",
    "services/api/.cursor/rules/style.mdc",
    ".cursorrules",
    "packages/web/.clinerules",
    ".roo/rules-code/style.md",
    ".agents/skills/review/SKILL.md",
    ".github/prompts/fix.prompt.md",
    "AGENT.md",
    ".clinerules/a.txt",
    ".windsurf/rules/a.md",
    ".kiro/steering/tech.md",
    ".serena/memories/core.md",
    ".github/copilot-instructions.md",
    ".github/instructions/py.instructions.md",
    "memory-bank/progress.md",
    "memory-bank/changelog.md",
    "memory-bank/license-strategy.md",
    "memory/license/mit.md",
    "memory/notice.md",
    "memory/history.jsonl",
    "memories/a.ndjson",
    ".memory/graph.json",
    "memory/a/b.yaml",
    "memory/notes.markdown",
]
DECISIONS = [
    "docs/adr/0001-x.md",
    "doc/adr/0001-x.md",
    "docs/ADR/ADR-001.md",
    "adr/1.md",
    "docs/decisions/2024/1.md",
    "docs/architecture/decisions/1.md",
    "decisions/x.md",
    "docs/architecture/adr/x.md",
]
DOCS = [
    "README.md",
    "Readme.MD",
    "CONTRIBUTING.md",
    "RELEASING.md",
    "docs/guide.mdx",
    "docs/a/b/c.md",
    "doc/x.markdown",
    "docs/newsletter.md",
    "docs/history-api.md",
    "docs/build/linux.md",
    "docs/value.md",
]
OTHER = ["pkg/README.md", "tests/README.md", "engdocs/x.markdown", "web/src/x.mdx"]
NOTHING = [
    "src/x.py",
    "pkg/CHANGELOG.md",
    "pkg/testdata/a.md",
    "pkg/dist/a.md",
    "src/memory/a.json",
    "docs/data.json",
    "docs/a.txt",
    "notes.txt",
    "docs/adr/index.yaml",
    "CLAUDE.txt",
    "CHANGELOG.md",
    "changelog.md",
    "HISTORY.md",
    "CHANGES-v1.md",
    "RELEASE_NOTES.md",
    "RELEASE.md",
    "NEWS.md",
    "docs/CHANGELOG.md",
    "docs/a/release-notes.md",
    "docs/whats_new_3_0.rst",
    "docs/release-notes/1.2.md",
    "LICENSE.md",
    "LICENSE-MIT.md",
    "NOTICE.md",
    "docs/LICENSE.txt",
    ".claude/skills/pdf/LICENSE.txt",
    "CODE_OF_CONDUCT.md",
    ".claude/settings.json",
    ".claude/settings.local.json",
    "memory/package-lock.json",
    "memory/pnpm-lock.yaml",
    "node_modules/a/CLAUDE.md",
    "web/node_modules/a/README.md",
    "vendor/a/CLAUDE.md",
    "x/third_party/AGENTS.md",
    "3rdparty/x/README.md",
    "lib/zstd-1.5.7/README.md",
    "docs/site/versioned_docs/version-1/a.md",
    "dist/AGENTS.md",
    "build/README.md",
    "docs/_build/index.md",
    "docs/versioned_docs/version-1/a.md",
    "versioned_docs/version-1/a.md",
    "site/api_versioned_docs/version-1/a.md",
    ".grounded/evidence/CLAUDE.md.jsonl",
    "memory/.git/x.md",
    "",
]


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        *((p, DocClass.MEMORY) for p in MEMORY),
        *((p, DocClass.DECISIONS) for p in DECISIONS),
        *((p, DocClass.DOCS) for p in DOCS),
        *((p, DocClass.OTHER) for p in OTHER),
        *((p, None) for p in NOTHING),
    ],
)
def test_default_classes(path: str, expected: DocClass | None) -> None:
    assert classify(DEFAULTS, path) is expected


@pytest.mark.parametrize(
    ("yaml", "path", "expected"),
    [
        ("classes: {memory: ['notes/**']}", "notes/a.json", DocClass.MEMORY),
        ("classes: {memory: ['notes/**']}", "CLAUDE.md", DocClass.MEMORY),
        ("classes: {memory: ['!memory/**']}", "memory/a.json", None),
        ("classes: {memory: ['!memory/**'], docs: ['memory/**']}", "memory/a.md", DocClass.DOCS),
        ("classes: {decisions: ['rfcs/*.md']}", "rfcs/1.md", DocClass.DECISIONS),
        ("classes: {docs: ['**/README.md']}", "pkg/README.md", DocClass.DOCS),
        ("adr_dirs: [rfcs/]", "rfcs/1.md", DocClass.DECISIONS),
        ("adr_dirs: [rfcs]", "docs/adr/1.md", DocClass.DOCS),
        ("exclude: [docs/gen]", "docs/gen/a.md", None),
        ("exclude: [docs/gen]", "docs/generic.md", DocClass.DOCS),
        ("exclude: ['**/CLAUDE.md']", "CLAUDE.md", None),
        ("exclude: ['!CHANGELOG.md']", "CHANGELOG.md", DocClass.DOCS),
        ("exclude: ['!CHANGELOG.md']", "HISTORY.md", None),
        ("exclude: ['!vendor/ours/**']", "vendor/ours/CLAUDE.md", DocClass.MEMORY),
        ("exclude: ['!**']", "node_modules/CLAUDE.md", None),
        ("exclude: ['!**']", ".grounded/CLAUDE.md", None),
        ("exclude: ['!**']", ".git/CLAUDE.md", None),
    ],
)
def test_configured_classes(yaml: str, path: str, expected: DocClass | None) -> None:
    assert classify(parse_yaml(yaml, "f.yaml"), path) is expected


def test_the_first_source_glob_counts_and_case_matters() -> None:
    config = parse_yaml("sources: {memory/u.md: user, 'memory/**': chat}", "f.yaml")
    found = [source_of(config, p) for p in ("memory/u.md", "memory/x.md", "Memory/u.md", "a.md")]
    assert found == [Source.USER, Source.CHAT, Source.UNKNOWN, Source.UNKNOWN]


FULL_YAML = """\
classes:
  memory: ["notes/**"]
exclude: ["docs/generated"]
mirrors:
  - [CLAUDE.md, AGENTS.md]
sources:
  "memory/users/**": user
trusted_sources: [user, manual]
agents: ["bot@example.org"]
reviewers:
  "docs/**": [ann@example.org, bob@example.org]
base: main
adr_dirs: [rfcs]
dedup: {threshold: 0.95, exact_words: 6, near_words: 8}
trust: {threshold: 0.8, difference: 1}
network:
  timeout: 3
  budget: 20.5
  per_host: 2
  allow: ["localhost:8080"]
  deny: [Example.org]
  cache_ttl: 0
tracker: {kind: gitlab, url: "https://git.example.org", repository: a/b/c, token_env: MY_TOKEN}
horizons: {episodic: 90, cited: 30, decision: 365}
policy: {speculation: review, repeat: off, technical-hedge: block, contradiction: "off"}
evidence: full
per_file_ignores: {"docs/archive/**": [technical, repeat], "**/old.md": [ALL]}
baseline: .grounded/baseline.jsonl
stage_evidence: false
review: {require_signed: true}
judge:
  kind: openai
  base_url: "http://localhost:1234/v1"
  model: m
  key_env: HOUSE_JUDGE_KEY
  timeout: 7
  budget: 40.5
  max_requests: 12
  may_support: true
  in_hook: true
preset: strict
"""

FULL_TOML = """\
[project]
name = "x"

[tool.grounded-ingest]
exclude = ["docs/generated"]
mirrors = [["CLAUDE.md", "AGENTS.md"]]
trusted_sources = ["user", "manual"]
agents = ["bot@example.org"]
base = "main"
adr_dirs = ["rfcs"]
trust = { threshold = 0.8, difference = 1 }
evidence = "full"
stage_evidence = false
baseline = ".grounded/baseline.jsonl"
preset = "strict"
classes.memory = ["notes/**"]

[tool.grounded-ingest.sources]
"memory/users/**" = "user"

[tool.grounded-ingest.reviewers]
"docs/**" = ["ann@example.org", "bob@example.org"]

[tool.grounded-ingest.dedup]
threshold = 0.95
exact_words = 6
near_words = 8

[tool.grounded-ingest.network]
timeout = 3
budget = 20.5
per_host = 2
allow = ["localhost:8080"]
deny = ["Example.org"]
cache_ttl = 0

[tool.grounded-ingest.tracker]
kind = "gitlab"
url = "https://git.example.org"
repository = "a/b/c"
token_env = "MY_TOKEN"

[tool.grounded-ingest.horizons]
episodic = 90
cited = 30
decision = 365

[tool.grounded-ingest.policy]
speculation = "review"
repeat = "off"
technical-hedge = "block"
contradiction = "off"

[tool.grounded-ingest.per_file_ignores]
"docs/archive/**" = ["technical", "repeat"]
"**/old.md" = ["ALL"]

[tool.grounded-ingest.review]
require_signed = true

[tool.grounded-ingest.judge]
kind = "openai"
base_url = "http://localhost:1234/v1"
model = "m"
key_env = "HOUSE_JUDGE_KEY"
timeout = 7
budget = 40.5
max_requests = 12
may_support = true
in_hook = true
"""


def test_every_key_is_read_the_same_from_both_formats() -> None:
    yaml, toml = parse_yaml(FULL_YAML, "f"), parse_toml(FULL_TOML, "f")
    assert yaml == toml
    yaml = replace(as_written(yaml), wishes=yaml.wishes)
    unset = [
        f.name
        for f in fields(Config)
        if f.name not in ("old", "asks_evidence")
        and getattr(yaml, f.name) == getattr(DEFAULTS, f.name)
    ]
    assert unset == []
    assert yaml.network.deny == ("example.org",)
    assert dict(yaml.horizons)["episodic"] == 90
    assert "semantic" not in dict(yaml.horizons)
    assert yaml.policy == {
        "speculation": "review",
        "repeat": "off",
        "technical-hedge": "block",
        "contradiction": "off",
    }


def test_every_field_has_a_reader() -> None:
    assert set(READERS) == {f.name for f in fields(Config)} - {
        "origin",
        "old",
        "asks_evidence",
        "wishes",
    }


BAD_YAML = [
    # text, line, words of the message
    ("exclud: []", 1, ["exclud", 'did you mean "exclude"']),
    ("base: main\ntrusted-sources: [user]", 2, ['did you mean "trusted_sources"']),
    ("dedup:\n  treshold: 1", 2, ["dedup.treshold", 'did you mean "threshold"']),
    ("dedup:\n  threshold: high", 2, ["dedup.threshold: expected a number, got text"]),
    ("dedup: {threshold: 1.5}", 1, ["of at most 1"]),
    ("dedup: {threshold: .nan}", 1, ["of at least 0.5"]),
    ("dedup: {exact_words: 2.5}", 1, ["expected a whole number, got a number"]),
    ("dedup: {exact_words: true}", 1, ["got true or false"]),
    ("network:\n\n  timeout: -1", 3, ["network.timeout: expected a number above 0"]),
    ("network: {allow: ['http://x/']}", 1, ["host name"]),
    ("network: {deny: ['*.org']}", 1, ["host name"]),
    ("tracker: {kind: gitab}", 1, ['did you mean "gitlab"']),
    ("tracker: {token_env: ghp_a-b}", 1, ["not the token itself"]),
    ("tracker: {url: 'ftp://x'}", 1, ["http or https"]),
    ("tracker: {repository: x}", 1, ["owner/name"]),
    ("judge: {kind: opnai}", 1, ['did you mean "openai"']),
    ("judge:\n  baseurl: x", 2, ['did you mean "base_url"']),
    ("judge:\n  model: m\n  kind: openai", 3, ["judge.kind", "needs judge.base_url"]),
    ("judge: {kind: openai, base_url: 'https://x.test/v1'}", 1, ["needs judge.model"]),
    ("judge: {kind: command}", 1, ["needs judge.command"]),
    ("judge: {kind: command, command: []}", 1, ["needs judge.command"]),
    ("judge: {kind: command, command: claude -p}", 1, ["expected a list"]),
    ("judge: {kind: command, command: ['']}", 1, ["with a program and its arguments"]),
    ('judge: {kind: command, command: [claude, "a\\nb"]}', 1, ["with a program and its arguments"]),
    ("judge: {kind: command, command: [claude, 5]}", 1, ["expected text"]),
    ("judge: {variables: ['sk-proj-1']}", 1, ["not its value"]),
    ("judge: {base_url: 'file:///etc/passwd'}", 1, ["http or https"]),
    ("judge: {base_url: 'https://u:p@x.test/v1'}", 1, ["without user name"]),
    ("judge: {base_url: 'https://x.test/v1?key=1'}", 1, ["query"]),
    ("judge: {key_env: sk-proj-1}", 1, ["not the key itself"]),
    ("judge: {key_env: AWS_SECRET_ACCESS_KEY}", 1, ["ends in JUDGE_KEY"]),
    ("judge: {max_requests: 0}", 1, ["of at least 1"]),
    ("judge: {budget: 0}", 1, ["above 0"]),
    ("judge: {in_hook: sometimes}", 1, ["true or false"]),
    ("preset: strct", 1, ["advisory, existence, default, strict", 'did you mean "strict"']),
    ("preset: [strict]", 1, ["expected one of"]),
    ("preset: stict", 1, ['did you mean "strict"']),
    ("base: -x", 1, ["a branch name that git"]),
    ("base: 1.0", 1, ["expected text, got a number"]),
    ("stage_evidence: maybe", 1, ["true or false"]),
    ("evidence: ful", 1, ["sparse, full", 'did you mean "full"']),
    ("exclude: docs", 1, ["expected a list, got text"]),
    ("exclude:", 1, ["expected a list, got nothing"]),
    ("exclude:\n  - a.md\n  - 3", 3, ["expected text, got a whole number"]),
    ("exclude:\n  - a.md\n  - '[a'", 3, ["bad glob", "bracket"]),
    ("exclude: ['!{a']", 1, ["bad glob", "brace"]),
    ("classes:\n  memroy: []", 2, ["unknown class", 'did you mean "memory"']),
    ("classes:\n  docs:\n  - guides", 3, ['"guides" cannot match a document', "guides/**"]),
    ("classes: {docs: ['*.rst']}", 1, ["cannot match a document"]),
    ("mirrors: [[a.md]]", 1, ["at least two globs"]),
    ("mirrors: [a.md, b.md]", 1, ["expected a list, got text"]),
    ("sources:\n  a.md: user\n  b.md: usr", 3, ["sources.b.md", 'did you mean "user"']),
    ("sources: {'!a.md': user}", 1, ["has no effect"]),
    ("sources: {docs: user}", 1, ["cannot match a document"]),
    ("trusted_sources: [user, me]", 1, ["expected one of"]),
    ("reviewers: {'docs/**': ann@example.org}", 1, ["expected a list"]),
    ("adr_dirs: ['docs/*']", 1, ["not a glob"]),
    ("adr_dirs: [../adr]", 1, ["match no file"]),
    ("horizons: {episodic: 0}", 1, ["of at least 1"]),
    ("horizons: {episodc: 3}", 1, ['did you mean "episodic"']),
    ("policy: {dupicate: review}", 1, ["unknown rule", 'did you mean "duplicate"']),
    ("policy: {repeat: review,\n  duplicate: off}", 2, ["policy.duplicate", "cannot turn it off"]),
    ("policy: {repeat: blok}", 1, ['did you mean "block"']),
    ("policy: {repeat: true}", 1, ['found "true"']),
    ("policy: {repeat: [off]}", 1, ["expected one of"]),
    ("policy: [repeat]", 1, ["expected keys and values, got a list"]),
    ("- a", 1, ["a mapping of keys"]),
    ("just text", 1, ["a mapping of keys"]),
    ("base: a\nbase: b", 2, ["twice"]),
    ("? [a]\n: b", 1, ["plain text"]),
    ("1: a", 1, ["unknown key"]),
    ("base: a\n  b: c", 2, ["not valid YAML"]),
    ("base: 'a", 1, ["not valid YAML"]),
    ("base: a\n---\nbase: b", 2, ["not valid YAML", "single document"]),
    ("base: \x00", 1, ["not valid YAML"]),
    ("base: 2024-99-99", 1, ["cannot read"]),
    ("base: " + "9" * 5000, 1, ["cannot read"]),
    ("exclude: &a [x]\nagents: *a", 1, ["anchors"]),
    ("base: &a main", 1, ["anchors"]),
    ("base: main\nagents: *a", 2, ["aliases"]),
    ("base: !!python/object/apply:os.getcwd []", 1, ["tags"]),
    ("base: !x main", 1, ["tags"]),
    ("base: main\nx: " + "[" * 100_000, 2, ["nest"]),
    ("x" * 200_001, 1, ["characters"]),
    ('"\\e[2J": 1', 1, [r"\x1b[2J"]),
]


@pytest.mark.parametrize(("text", "line", "words"), BAD_YAML, ids=[b[0][:30] for b in BAD_YAML])
def test_bad_yaml_names_file_line_and_what_was_meant(
    text: str, line: int, words: list[str]
) -> None:
    with pytest.raises(GroundedIngestError) as caught:
        parse_yaml(text, "dir/f.yaml")
    message = str(caught.value)
    assert message.startswith(f"dir/f.yaml:{line}: ")
    assert [w for w in words if w not in message] == []
    assert len(message) < 600


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("[tool.grounded-ingest]\nexclud = []", 2, ['did you mean "exclude"']),
        ("[tool.grounded-ingest.dedup]\nthresold = 1", 2, ['did you mean "threshold"']),
        ("[tool.grounded-ingest]\n\ndedup.threshold = 'x'", 3, ["expected a number, got text"]),
        ("[tool.grounded-ingest]\ndedup = { a = 1 }", 2, ["dedup.a"]),
        ("[tool.grounded-ingest]\nexclude = [\n'a',\n3]", 2, ["expected text"]),
        (
            "[tool]\n[tool.'grounded-ingest'.policy]\n\"speculation\" = 'off'",
            3,
            ["cannot turn it off"],
        ),
        ("[tool.grounded-ingest.policy]\nrepeat = true", 2, ['found "true"']),
        ("[tool.grounded-ingest]\nbase = 2020-01-01", 2, ["expected text"]),
        ("[[tool.grounded-ingest]]\nbase = 'x'", 1, ["must be a table"]),
        ("[tool]\ngrounded-ingest = 3", 2, ["must be a table"]),
        ("a = 1\n[tool.grounded-ingest\n", 2, ["not valid TOML"]),
        ("a = 1\na = 2\n[tool.grounded-ingest]", 2, ["not valid TOML"]),
        ("a = " + "[" * 100_000, 1, ["nested deeper"]),
    ],
)
def test_bad_toml_names_file_line_and_what_was_meant(
    text: str, line: int, words: list[str]
) -> None:
    with pytest.raises(GroundedIngestError) as caught:
        parse_toml(text, "pyproject.toml")
    message = str(caught.value)
    assert message.startswith(f"pyproject.toml:{line}: ")
    assert [w for w in words if w not in message] == []


@pytest.mark.parametrize(("text", "line"), [(b[0], b[1]) for b in BAD_YAML if len(b[0]) < 100])
def test_without_the_c_loader_the_lines_are_the_same(
    text: str, line: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr("yaml.CSafeLoader", raising=False)
    with pytest.raises(GroundedIngestError, match=rf"^f\.yaml:{line}: "):
        parse_yaml(text, "f.yaml")
    assert parse_yaml(FULL_YAML, "f") == parse_toml(FULL_TOML, "f")


def reader(files: dict[str, str]) -> Callable[[str], str | None]:
    return files.get


@pytest.mark.parametrize(
    ("files", "origin", "preset"),
    [
        ({}, "defaults", "default"),
        ({FILE: ""}, FILE, "default"),
        ({FILE: "# nothing yet\n"}, FILE, "default"),
        ({FILE: "preset: strict"}, FILE, "strict"),
        ({"pyproject.toml": "[tool.grounded-ingest]\npreset='strict'"}, "pyproject.toml", "strict"),
        (
            {"pyproject.toml": "[project]\ndependencies = ['grounded-ingest']"},
            "defaults",
            "default",
        ),
        ({"pyproject.toml": "not toml at all"}, "defaults", "default"),
        ({FILE: "preset: strict", "pyproject.toml": "[tool.x]\n"}, FILE, "strict"),
    ],
)
def test_load(files: dict[str, str], origin: str, preset: str) -> None:
    config = load(reader(files))
    assert (config.origin, config.preset) == (origin, preset)


@pytest.mark.parametrize(
    ("files", "message"),
    [
        (
            {FILE: "", "pyproject.toml": "[a]\n[tool.grounded-ingest]\n"},
            "pyproject.toml:2: [tool.grounded-ingest] and .grounded-ingest.yaml both",
        ),
        ({".grounded-ingest.yml": ""}, ".grounded-ingest.yml:1: the tool does not read"),
        (
            {"pyproject.toml": "[a]\n\n[tool.grounded_ingest.policy]\n"},
            "pyproject.toml:3: unknown table, did you mean [tool.grounded-ingest]?",
        ),
    ],
)
def test_load_refuses(files: dict[str, str], message: str) -> None:
    with pytest.raises(GroundedIngestError, match=re.escape(message)):
        load(reader(files))


def test_without_a_file_no_parser_is_imported() -> None:
    code = (
        "import sys\n"
        "from grounded_ingest.config.files import load\n"
        "load({}.get)\n"
        "print(sorted({'yaml', 'tomllib', 'grounded_ingest.config.validators'} & set(sys.modules)))"
    )
    root = Path(__file__).parent.parent
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize(
    ("preset", "fail_on"),
    [("advisory", "never"), ("default", "wrong"), ("strict", "review")],
)
def test_presets(preset: str, fail_on: str) -> None:
    config = parse_yaml(f"preset: {preset}", "f")
    assert config.fail_on == fail_on


def test_settings_of_earlier_versions_are_read_and_named() -> None:
    """A configuration of an earlier version goes on working; what has no effect is said."""
    old = "approve_at: quote\nreview: {over: block}\npolicy: {unsupported: block, repeat: off}\n"
    config = parse_yaml(old, "f")
    assert config.old == ("approve_at", "review.over", "policy.unsupported")
    assert config.policy == {"repeat": "off"}
    with pytest.raises(GroundedIngestError, match="approve_att"):
        parse_yaml("approve_att: quote", "f")


@pytest.mark.parametrize(
    ("change", "same"),
    [
        ("exclude: [a.md]", False),
        ("classes: {docs: [a.md]}", False),
        ("adr_dirs: [rfcs]", False),
        ("sources: {a.md: user}", False),
        ("preset: strict", True),
        ("policy: {repeat: off}", True),
    ],
)
def test_fingerprint_covers_what_classifies(change: str, same: bool) -> None:
    changed = parse_yaml(change, "f")
    assert (changed.fingerprint == DEFAULTS.fingerprint) is same
    assert re.fullmatch("[0-9a-f]{16}", changed.fingerprint)
    assert changed.fingerprint == parse_yaml(change, "g").fingerprint


def test_configurations_are_frozen() -> None:
    with pytest.raises(AttributeError):
        DEFAULTS.preset = "strict"  # type: ignore[misc]
    assert replace(DEFAULTS, dedup=Dedup(near_words=9)) != DEFAULTS


def test_rules_and_problems_are_apart() -> None:
    assert not set(ROWS) & set(PROBLEMS)
    assert list(EVERY_RULE) == [*ROWS, *PROBLEMS]


@pytest.mark.parametrize("rule", [*ROWS, *PROBLEMS])
@pytest.mark.parametrize("action", ["block", "review", "off"])
def test_policy_moves_what_may_move(rule: str, action: str) -> None:
    movable = {r for r in ROWS if not EVERY_RULE[r].fixed}
    text = f"policy: {{{rule}: {action}}}"
    if rule in movable and not (EVERY_RULE[rule].tier == Tier.BLOCK and action == "off"):
        assert parse_yaml(text, "f").policy == {rule: action}
    else:
        with pytest.raises(GroundedIngestError, match=rule):
            parse_yaml(text, "f")


@pytest.mark.parametrize("rule", EVERY_RULE.values(), ids=list(EVERY_RULE))
def test_rules_say_what_they_mean_and_the_way_out(rule: object) -> None:
    for text in (rule.summary, rule.way_out):  # type: ignore[attr-defined]
        assert text[0].isupper()
        assert text.endswith(".")
        assert "  " not in text


def test_every_key_and_default_is_documented() -> None:
    page = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text("utf-8")
    names = [
        f.name for f in fields(Config) if f.name not in ("origin", "old", "asks_evidence", "wishes")
    ]
    sections = [n for n in names if isinstance(getattr(DEFAULTS, n), msgspec.Struct)]
    inner = [f"{n}.{f.name}" for n in sections for f in fields(getattr(DEFAULTS, n))]
    plain = [n for n in (*names, *inner) if n not in sections and not n.startswith("classes.")]
    missing = [n for n in plain if f"`{n}`" not in page]
    globs = (*DEFAULTS.classes.memory, *DEFAULTS.classes.docs, *DEFAULTS.exclude)
    missing += [g for g in (*globs, *DEFAULTS.adr_dirs) if f"- {g}\n" not in page]
    movable = [r for r in ROWS if not EVERY_RULE[r].fixed]
    missing += [r for r in movable if f"| [`{r}`](" not in page]
    assert missing == []


def test_the_example_of_the_documentation_is_valid() -> None:
    page = (Path(__file__).parent.parent / "docs" / "configuration.md").read_text("utf-8")
    examples = re.findall(r"^```(yaml|toml)\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert {kind for kind, _ in examples} == {"yaml", "toml"}
    for kind, text in examples:
        (parse_yaml if kind == "yaml" else parse_toml)(text, "docs/configuration.md")
