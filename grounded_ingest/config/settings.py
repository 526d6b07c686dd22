"""Defines all settings of a repository as immutable types. Also decides which document class
(memory, decisions, docs or other) a path has."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from grounded_ingest.config.globs import matches
from grounded_ingest.model.claims import DocClass, Source
from grounded_ingest.model.digests import sha256

PolicyAction = Literal["block", "review", "off"]
FailOn = Literal["block", "wrong", "review", "never"]
FAILS_ON: dict[str, FailOn] = {
    "advisory": "never", "existence": "block", "default": "wrong", "strict": "review",
}  # fmt: skip
"""For each preset, the least serious finding that makes a run fail, as a value of `--fail-on`. The
command line and the action can override it."""
Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(gt=0, le=3600)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Days = Annotated[int, Meta(ge=1, le=36_500)]

TEXT_SUFFIXES = (".md", ".markdown", ".mdx", ".mdc")
RECORD_SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")
# Names of agents' rule files. The names are complete and have no extension.
RULE_FILES = (".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints")
MEMORY_SUFFIXES = (*TEXT_SUFFIXES, ".txt", *RECORD_SUFFIXES, *RULE_FILES)

# Files in memory directories that are not read as memory: programs and their configuration,
# pictures, sound, and files of tools.
_PROGRAMS_AND_MEDIA = (
    "py pyi pyc js cjs mjs ts mts cts tsx jsx sh bash zsh fish ps1 psm1 bat cmd go rs java kt"
    " kts scala groovy gradle swift m mm c h cc cpp cxx hpp cs fs vb rb php pl pm lua sql css"
    " scss sass less r jl clj ex exs erl hs ml dart vue svelte astro zig nix tf hcl proto"
    " graphql wasm so dll dylib exe o a class jar lock sum map patch diff snap env bak orig"
    " xml props targets csproj fsproj vbproj sln svg"
    " png jpg jpeg gif webp avif ico bmp tiff mp3 mp4 wav ogg webm mov ttf otf woff woff2 eot"
)
_TOOLS_FILES = (
    ".gitignore .gitattributes .gitkeep .gitmodules .keep .dockerignore .editorconfig .npmrc"
    " .npmignore .nvmrc .prettierrc .prettierignore .eslintrc .eslintignore .env .ds_store"
    " thumbs.db dockerfile makefile justfile gemfile rakefile procfile license licence copying"
)
_SILENT = frozenset(_PROGRAMS_AND_MEDIA.split())
_SILENT_NAMES = frozenset(_TOOLS_FILES.split())

ADR_DIRS = (
    "docs/adr", "doc/adr", "docs/adrs", "docs/decisions", "docs/architecture/decisions", "adr",
    "docs/architecture/adr", "doc/architecture/decisions", "architecture/decisions", "docs/ADR",
    "architecture-decision-record", "architecture-decision-records",
    "docs/architecture-decision-records",
    "adrs", "decisions",
)  # fmt: skip

# Documentation with several parts has its decision records (ADRs) in deeper directories, sometimes
# among other files. If `adr_dirs` is not set, these globs find such records.
NESTED_ADRS = ("{docs,doc}/**/{adr,adrs}/**", "{docs,doc}/**/adr-[0-9]*.md")

MEMORY_GLOBS = (
    "**/{CLAUDE,AGENTS,AGENT,GEMINI,MEMORY}{,.local}.md",
    "**/{.claude,.agent,.agents,.clinerules,.kilocode,.windsurf,.kiro,.roo,.junie,.augment,.trae}/**",
    "**/{.cursor/rules,.amazonq/rules,.serena/memories}/**",
    "**/{.cursorrules,.windsurfrules,.clinerules,.roorules,.goosehints}",
    "**/{.continue,.codex,.gemini,.opencode,.openhands,.factory,.goose,.qwen,.aiassistant,.rules}/**",
    "**/.specify/memory/**",
    "**/skills/**/SKILL.md",
    "llms.txt",
    ".github/copilot-instructions.md",
    ".github/{instructions,prompts,agents,chatmodes,skills}/**",
    "memory-bank/**",
    "memory/**",
    "memories/**",
    ".memory/**",
)

DOCS_GLOBS = ("docs/**", "doc/**", "*.{md,markdown,mdx}")

PAGE_SUFFIXES = (".md", ".markdown", ".mdx", ".rst", ".adoc", ".asciidoc")
"""Extensions of the files that are always read for references, in every directory."""
UNREAD_GLOBS = (
    "**/{CHANGELOG,CHANGE_LOG,CHANGE-LOG,CHANGES,HISTORY,NEWS,RELEASE_NOTES,RELEASE-NOTES}*",
    "**/{WHATS_NEW,WHATS-NEW,WHATSNEW}*",
    "**/{changelog,changelogs,changes,changesets,.changeset,newsfragments}/**",
    "**/release[-_ ]notes/**",
    "{docs,doc}/**/{release,releases}/*[0-9].[0-9]*",
    "**/{testdata,test-data,test_data,fixture,fixtures,__fixtures__,__snapshots__,snapshots}/**",
    "**/{testsuite,golden,goldens,cassettes,__mocks__}/**",
    "**/{build,dist,out,target,_build,_site,_generated,generated,autogen}/**",
    "**/{versioned_docs,*_versioned_docs,versioned}/**",
    "**/{test,tests}/{bats,test_helper/bats-*}/**",
    "**/src/{test,it}/**",
    "**/{test,tests,__tests__}/**/{spec,specs,cases,data,resources,input,inputs,expected}/**",
)
"""Pages that are not read unless a document class includes them: release notes, test data and
generated files. Bats is in the list because many repositories contain a copy of Bats.
"""
TEST_PAGES = "**/{test,tests,__tests__,e2e}/*/**/[!A-Z]*"
"""Matches test data among tests, which is not read either: of 11 reports, none was useful. Letters
match exactly, because names in capitals, such as `TESTING.md`, are those of guides."""

# No configuration can include these paths again.
_NEVER = (".git", ".grounded", "node_modules")
_INSIDE_NEVER = tuple(f"/{name}/" for name in _NEVER)
NEVER_GLOBS = (f"**/{{{','.join(_NEVER)}}}/**",)

# These globs match only at the root and in docs, so that `.claude/commands/release.md` is still
# judged.
OTHERS_GLOBS = (
    "**/{vendor,vendored,third_party,third-party,3rdparty,3rd-party,bower_components}/**",
    "**/{site-packages,.venv,.tox}/**",
    "**/*-[0-9]*.[0-9]*.[0-9]*/**",
    "{build,dist,out,target}/**",
    "deps/*/**",
    "{docs,doc}/**/{_build,dist,_site}/**",
    "{docs,doc}/**/{_generated,generated,autogen,apidocs}/**",
    "**/*.generated.{md,mdx,json,yaml,yml}",
    "**/versioned_docs/**",
)
"""Directories with text that other projects or programs wrote."""

EXCLUDE_GLOBS = (
    *OTHERS_GLOBS,
    "{,{docs,doc}/**/}{CHANGELOG,CHANGE_LOG,CHANGE-LOG}*",
    "{,{docs,doc}/**/}{CHANGES,HISTORY,NEWS,RELEASE,RELEASES}{,[-_.]{,v}[0-9]*}.*",
    "{,{docs,doc}/**/}*-CHANGES.*",
    "{,{docs,doc}/**/}{RELEASE_NOTES,RELEASE-NOTES,RELEASENOTES,WHATS_NEW,WHATS-NEW,WHATSNEW}*",
    "{docs,doc}/**/{changelog,changelogs,release-notes,release_notes,releases,whatsnew}/**",
    "**/{LICENSE,LICENCE,COPYING,UNLICENSE}.{md,markdown,txt}",
    "{LICENSE,LICENCE,COPYING,NOTICE}{,[-_]*}.md",
    "**/*{THIRD,Third,third}{_,-,}{PARTY,Party,party}{_,-,}{LICEN,Licen,licen,NOTICE,Notice,notice}*",
    "**/CODE_OF_CONDUCT.md",
    "**/{package-lock,npm-shrinkwrap,composer.lock}.json",
    "**/{pnpm-lock,conda-lock}.{yaml,yml}",
    "**/.claude/settings*.json",
    "**/evals/**/*.{json,jsonl}",
    "**/{fixtures,__fixtures__,testdata,golden,goldens}/**",
)


class Classes(Struct, frozen=True):
    """The globs for the document classes `memory`, `decisions` and `docs`. The globs in `decisions`
    add files to the directories of decision records (ADRs)."""

    memory: tuple[str, ...] = MEMORY_GLOBS
    decisions: tuple[str, ...] = ()
    docs: tuple[str, ...] = DOCS_GLOBS


class Dedup(Struct, frozen=True):
    threshold: Annotated[float, Meta(ge=0.5, le=1)] = 0.92
    exact_words: Count = 5
    near_words: Count = 7


class Trust(Struct, frozen=True):
    threshold: Share = 0.75
    difference: Share = 0.3


class Network(Struct, frozen=True):
    """Settings for network requests. `timeout`, `budget` and `cache_ttl` are in seconds. Without a
    budget, a hook has 5 seconds and any other run has 60 seconds.
    """

    timeout: Seconds = 5.0
    budget: Annotated[float, Meta(ge=0, le=86_400)] | None = None
    per_host: Annotated[int, Meta(ge=1, le=64)] = 4
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    cache_ttl: Annotated[int, Meta(ge=0, le=31_536_000)] = 604_800


class TrackerSettings(Struct, frozen=True):
    """Settings for the issue tracker. Empty fields are filled from the git remote and the
    environment.
    """

    kind: Literal["", "github", "gitlab", "none"] = ""
    url: str = ""
    repository: str = ""
    token_env: str = ""


class ReviewSettings(Struct, frozen=True):
    require_signed: bool = False


class JudgeSettings(Struct, frozen=True):
    """Settings for the judge model, which says whether a cited text supports a claim. `timeout`
    limits a request and `budget` limits a run, both in seconds. `variables` names the environment
    variables that are passed to the program in `command`."""

    kind: Literal["rules", "openai", "command"] = "rules"
    base_url: str = ""
    model: str = ""
    key_env: str = ""
    timeout: Seconds = 30.0
    budget: Annotated[float, Meta(gt=0, le=86_400)] = 120.0
    max_requests: Count = 200
    may_support: bool = False
    in_hook: bool = False
    command: tuple[str, ...] = ()
    variables: tuple[str, ...] = ()


class Wishes(Struct, frozen=True):
    """Settings in the repository's configuration that have an effect only if the user of the
    machine allows them outside the repository (docs/decisions/reach.md). These settings are hosts
    with private addresses, the tracker's address and token, and all settings of the judge model."""

    allow: tuple[str, ...] = ()
    url: str = ""
    token_env: str = ""
    judge: JudgeSettings = JudgeSettings()


class Config(Struct, frozen=True):
    """All settings of a repository.

    `origin` is the path of the configuration file. `old` lists settings from earlier versions in
    the file, which have no effect. `asks_evidence` is true if the file contains the setting
    `evidence`. A file cannot open a network connection on its own: the loader leaves
    `network.allow`, `tracker.url`, `tracker.token_env` and `judge` empty, and puts their values
    from the file into `wishes` (docs/decisions/reach.md)."""

    classes: Classes = Classes()
    exclude: tuple[str, ...] = EXCLUDE_GLOBS
    mirrors: tuple[tuple[str, ...], ...] = ()
    sources: tuple[tuple[str, Source], ...] = ()
    trusted_sources: tuple[Source, ...] = ()
    agents: tuple[str, ...] = ()
    reviewers: tuple[tuple[str, tuple[str, ...]], ...] = ()
    base: str = ""
    adr_dirs: tuple[str, ...] = ADR_DIRS
    dedup: Dedup = Dedup()
    trust: Trust = Trust()
    network: Network = Network()
    tracker: TrackerSettings = TrackerSettings()
    horizons: tuple[tuple[str, int], ...] = ()
    policy: dict[str, PolicyAction] = field(default_factory=dict)
    evidence: Literal["all", "memory", "off", "sparse", "full"] = "all"
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    baseline: str = ""
    stage_evidence: bool = True
    review: ReviewSettings = ReviewSettings()
    judge: JudgeSettings = JudgeSettings()
    preset: Literal["advisory", "existence", "default", "strict"] = "default"
    origin: str = "defaults"
    old: tuple[str, ...] = ()
    asks_evidence: bool = False
    wishes: Wishes = Wishes()

    def records(self, doc_class: DocClass) -> bool:
        """Returns whether the results for documents in this class are written to evidence files in
        `.grounded`. The old values `sparse` and `full` of the setting `evidence` mean `all`."""
        if doc_class is DocClass.OTHER:
            return False
        if self.evidence == "memory":
            return doc_class is not DocClass.DOCS
        return self.evidence != "off"

    @property
    def fail_on(self) -> FailOn:
        """Returns which findings make a run fail: `block` (blocked claims), `wrong` (errors),
        `review` (warnings too) or `never`. The command line and the action can override this."""
        return FAILS_ON[self.preset]

    @property
    def fingerprint(self) -> str:
        """Returns a digest (16 hex digits) of the settings that decide the class and source of
        documents. A changed digest means that documents may change their class."""
        parts = (self.classes, self.exclude, self.adr_dirs, self.sources)
        return sha256(msgspec.json.encode(parts)).hexdigest()[:16]


DEFAULTS = Config()


def classify(config: Config, path: str) -> DocClass | None:
    """Returns the document class of a path: memory, decisions, docs or other. Returns None if the
    path is not a document. Ignores upper and lower case: on many file systems, an agent that looks
    for CLAUDE.md opens claude.md."""
    found, excluded = class_and_exclusion(config, path)
    return None if excluded else found


_BY_STRICTNESS = (DocClass.OTHER, DocClass.DOCS, DocClass.DECISIONS, DocClass.MEMORY)


def is_as_strict(found: DocClass | None, wanted: DocClass | None) -> bool:
    """Returns whether the class `found` is the class `wanted` or stricter. The strictest class is
    memory, followed by decisions, docs, other and None.
    """
    return wanted is None or (
        found is not None and _BY_STRICTNESS.index(found) >= _BY_STRICTNESS.index(wanted)
    )


def is_silent(path: str) -> bool:
    """Returns whether the name shows that the file contains no memory: a program, a picture, or a
    tool's own file such as `.gitignore`."""
    stem, _, suffix = path.lower().rpartition(".")
    if suffix in _SILENT and stem[-1:] not in ("", "/"):
        return True
    return path.lower().rpartition("/")[2] in _SILENT_NAMES


def excluded_by_default(config: Config, path: str) -> bool:
    """Returns whether a memory file is excluded only because it lies in a directory such as
    `vendor` (`OTHERS_GLOBS`). An agent that works there reads the file, although no run checks it.
    """
    _, excluded = class_and_exclusion(config, path)
    # In a docs directory, `gemini.md` is an ordinary page.
    if not excluded or not matches(config.classes.memory, path):
        return False
    return not _is_excluded(_split_exclude(config.exclude)[:1], path)


@lru_cache(maxsize=64)
def _split_exclude(exclude: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns two groups of globs: those that are not in `OTHERS_GLOBS`, and those that are or that
    are negated. Two short regular expressions compile faster than one for all globs."""
    ours = tuple(glob for glob in exclude if glob not in OTHERS_GLOBS)
    return ours, tuple(glob for glob in exclude if glob in OTHERS_GLOBS or glob.startswith("!"))


def _is_excluded(parts: Iterable[tuple[str, ...]], path: str) -> bool:
    # As in other tools, a glob also excludes everything below the paths that it names.
    return any(matches(globs, path, fold=True, below=True) for globs in parts)


def class_and_exclusion(config: Config, path: str) -> tuple[DocClass | None, bool]:
    """Returns the document class of a path, and whether the configuration excludes the path from
    checks."""
    lower = path.lower()
    if not lower or is_silent(lower) or any(d in f"/{lower}" for d in _INSIDE_NEVER):
        return None, False
    found = _class_by_globs(config, path, lower.endswith(TEXT_SUFFIXES))
    # As in other tools, a glob that matches a directory also excludes everything in the directory.
    return found, found is not None and _is_excluded(_split_exclude(config.exclude), path)


def is_adr(config: Config, path: str) -> bool:
    """Returns whether the path is in a directory of decision records (ADRs), or matches a glob of
    the class `decisions`.
    """
    return matches(_decisions(config.adr_dirs, config.classes.decisions), path, fold=True)


def source_of(config: Config, path: str) -> Source:
    """Returns who wrote a document, such as `user` or `ai_synthesis`, by the first glob in the
    setting `sources` that matches its path. Returns `unknown` if no glob matches."""
    return next((s for glob, s in config.sources if matches((glob,), path)), Source.UNKNOWN)


def _class_by_globs(config: Config, path: str, text: bool) -> DocClass | None:
    if matches(config.classes.memory, path, fold=True) and not _is_page_of_docs(config, path):
        return DocClass.MEMORY
    if text and is_adr(config, path):
        return DocClass.DECISIONS
    if text and matches(config.classes.docs, path, fold=True):
        return DocClass.DOCS
    unread = matches(UNREAD_GLOBS, path, fold=True) or is_test_page(path)
    return DocClass.OTHER if path.lower().endswith(PAGE_SUFFIXES) and not unread else None


def is_test_page(path: str) -> bool:
    """Returns whether a page is test data (`TEST_PAGES`), and not a `readme.md`."""
    guide = path.rpartition("/")[2].lower().startswith("readme")
    return matches((TEST_PAGES,), path) and not guide


def _is_page_of_docs(config: Config, path: str) -> bool:
    """Returns whether a file below `docs/` has an agents' file name in other upper or lower case.
    `docs/api/agents.md` is a page about agents. In other directories, an agent may open such a file
    as AGENTS.md, if the file system ignores case."""
    below = {"docs", "doc"} & {*path.lower().split("/")[:-1]}
    return bool(below) and not matches(config.classes.memory, path)


@lru_cache(maxsize=64)
def _decisions(directories: tuple[str, ...], globs: tuple[str, ...]) -> tuple[str, ...]:
    nested = NESTED_ADRS if directories == ADR_DIRS else ()
    return (*(f"{d}/**" for d in directories), *nested, *globs)
