"""What a repository may set, as frozen types, and which class a path has."""

from __future__ import annotations

from functools import lru_cache
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct, field

from grounded_ingest.config.globs import matches
from grounded_ingest.model.claims import DocClass, Source

PolicyAction = Literal["block", "review", "off"]
FailOn = Literal["block", "wrong", "review", "never"]
FAILS_ON: dict[str, FailOn] = {"advisory": "never", "default": "wrong", "strict": "review"}
"""What a run fails on by its preset, if neither the command line nor the action says."""
Share = Annotated[float, Meta(ge=0, le=1)]
Seconds = Annotated[float, Meta(gt=0, le=3600)]
Count = Annotated[int, Meta(ge=1, le=1_000_000)]
Days = Annotated[int, Meta(ge=1, le=36_500)]

TEXT_SUFFIXES = (".md", ".markdown", ".mdx", ".mdc")
RECORD_SUFFIXES = (".json", ".jsonl", ".ndjson", ".yaml", ".yml")
# Rule files of agents, whole names without any suffix.
RULE_FILES = (".cursorrules", ".windsurfrules", ".clinerules", ".roorules", ".goosehints")
MEMORY_SUFFIXES = (*TEXT_SUFFIXES, ".txt", *RECORD_SUFFIXES, *RULE_FILES)

# What stands in memory places and is no text that is read as memory: programs and what configures
# them, which are the subject matter; pictures and sound; what tools keep beside it.
_PROGRAMS_AND_MEDIA = (
    "py pyi pyc js cjs mjs ts mts cts tsx jsx sh bash zsh fish ps1 psm1 bat cmd go rs java kt"
    " kts scala groovy gradle swift m mm c h cc cpp cxx hpp cs fs vb rb php pl pm lua sql css"
    " scss sass less r jl clj ex exs erl hs ml dart vue svelte astro zig nix tf hcl proto"
    " graphql wasm so dll dylib exe o a class jar lock sum map patch diff snap env"
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

# Documentation of several parts keeps them a level deeper, some among other files. Where nothing
# is said of `adr_dirs`: these too.
NESTED_ADRS = ("{docs,doc}/**/{adr,adrs}/**", "{docs,doc}/**/adr-[0-9]*.md")

MEMORY_GLOBS = (
    "**/{CLAUDE,AGENTS,AGENT,GEMINI,MEMORY}{,.local}.md",
    "**/{.claude,.agents,.clinerules,.windsurf,.kiro,.roo,.junie,.augment,.trae}/**",
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

PAGE_SUFFIXES = (".md", ".markdown", ".mdx")
"""What is read for its references wherever it lies."""
UNREAD_GLOBS = (
    "**/{CHANGELOG,CHANGE_LOG,CHANGE-LOG,CHANGES,HISTORY,NEWS,RELEASE_NOTES,RELEASE-NOTES}*",
    "**/{changelog,changelogs,changes,changesets,.changeset,release-notes,newsfragments}/**",
    "**/{testdata,test-data,test_data,fixture,fixtures,__fixtures__,__snapshots__,snapshots}/**",
    "**/{golden,goldens,cassettes,__mocks__}/**",
    "**/{build,dist,out,target,_build,_site,_generated,generated,autogen}/**",
    "**/{versioned_docs,versioned}/**",
    "**/{test,tests}/{bats,test_helper/bats-*}/**",
)
"""Pages of no class that are not read: records of releases, data of tests, what programs write,
and Bats, which is copied into repositories that use it."""

# Nobody's knowledge: no configuration brings these back.
_NEVER = (".git", ".grounded", "node_modules")
_INSIDE_NEVER = tuple(f"/{name}/" for name in _NEVER)
NEVER_GLOBS = (f"**/{{{','.join(_NEVER)}}}/**",)

# Anchored at the root and in docs, so that `.claude/commands/release.md` stays under judgement.
OTHERS_GLOBS = (
    "**/{vendor,vendored,third_party,third-party,bower_components,site-packages,.venv,.tox}/**",
    "{build,dist,out,target}/**",
    "{docs,doc}/**/{_build,dist,_site}/**",
    "{docs,doc}/**/{_generated,generated,autogen,apidocs}/**",
    "**/*.generated.{md,mdx,json,yaml,yml}",
    "{versioned_docs,website/versioned_docs,docs/versioned_docs}/**",
    "{docs,doc}/{v,version-}[0-9]*/**",
)
"""Directories of text that others wrote or a program did."""

EXCLUDE_GLOBS = (
    *OTHERS_GLOBS,
    "{,{docs,doc}/**/}{CHANGELOG,CHANGE_LOG,CHANGE-LOG}*",
    "{,{docs,doc}/**/}{CHANGES,HISTORY,NEWS,RELEASE,RELEASES}{,[-_.]{,v}[0-9]*}.*",
    "{,{docs,doc}/**/}{RELEASE_NOTES,RELEASE-NOTES,RELEASENOTES}*",
    "{docs,doc}/**/{changelog,changelogs,release-notes,release_notes,releases,whatsnew}/**",
    "**/{LICENSE,LICENCE,COPYING,UNLICENSE}.{md,markdown,txt}",
    "{LICENSE,LICENCE,COPYING,NOTICE,THIRD_PARTY,THIRD-PARTY}{,[-_]*}.md",
    "**/CODE_OF_CONDUCT.md",
    "**/{package-lock,npm-shrinkwrap,composer.lock}.json",
    "**/{pnpm-lock,conda-lock}.{yaml,yml}",
    "**/.claude/settings*.json",
    "**/evals/**/*.{json,jsonl}",
    "**/{fixtures,__fixtures__,testdata,golden,goldens}/**",
)


class Classes(Struct, frozen=True):
    """The globs of each document class. `decisions` are beside the ADR directories."""

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
    """`timeout` and `budget` in seconds (no budget: hook 5, CI 60); `cache_ttl` in seconds."""

    timeout: Seconds = 5.0
    budget: Annotated[float, Meta(ge=0, le=86_400)] | None = None
    per_host: Annotated[int, Meta(ge=1, le=64)] = 4
    allow: tuple[str, ...] = ()
    deny: tuple[str, ...] = ()
    witness_hosts: tuple[str, ...] = ()
    cache_ttl: Annotated[int, Meta(ge=0, le=31_536_000)] = 604_800


class TrackerSettings(Struct, frozen=True):
    """The issue tracker; empty fields are found from the remote and the environment."""

    kind: Literal["", "github", "gitlab", "none"] = ""
    url: str = ""
    repository: str = ""
    token_env: str = ""


class ReviewSettings(Struct, frozen=True):
    require_signed: bool = False


class JudgeSettings(Struct, frozen=True):
    """Who compares claim and source. `timeout` of a request and `budget` of a run in seconds;
    `variables` are names of what the program of `command` is given of the environment."""

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
    """What a file asks for and only the user of a machine may grant (`reach`): hosts behind the
    address check, the tracker's address and token, and all of the judge."""

    allow: tuple[str, ...] = ()
    url: str = ""
    token_env: str = ""
    judge: JudgeSettings = JudgeSettings()


class Config(Struct, frozen=True):
    """Everything a repository may set. `origin` is the file it was read from, `old` names what the
    file has of earlier versions and has no effect any more.

    What was read from a file reaches nothing by itself: `network.allow`, `tracker.url`,
    `tracker.token_env` and `judge` are empty then, and stand in `wishes` (docs/decisions/reach.md).
    """

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
    preset: Literal["advisory", "default", "strict"] = "default"
    origin: str = "defaults"
    old: tuple[str, ...] = ()
    wishes: Wishes = Wishes()

    def records(self, doc_class: DocClass) -> bool:
        """Whether documents of a class have evidence; `sparse` and `full` mean `all`."""
        if doc_class is DocClass.OTHER:
            return False
        if self.evidence == "memory":
            return doc_class is not DocClass.DOCS
        return self.evidence != "off"

    @property
    def fail_on(self) -> FailOn:
        """What a run fails on if neither the command line nor the action says."""
        return FAILS_ON[self.preset]

    @property
    def only_witness_hosts(self) -> bool:
        """Whether pages bear witness only on `network.witness_hosts`."""
        return self.preset == "strict"

    @property
    def fingerprint(self) -> str:
        """16 hex digits over what decides which files are documents, their class and source."""
        from grounded_ingest.model.digests import sha256

        parts = (self.classes, self.exclude, self.adr_dirs, self.sources)
        return sha256(msgspec.json.encode(parts)).hexdigest()[:16]

    def horizon(self, name: str) -> int | None:
        """Days a claim of this rule, kind or memory type stays valid; None: no limit."""
        return dict(self.horizons).get(name)


DEFAULTS = Config()


def classify(config: Config, path: str) -> DocClass | None:
    """The class of a path from the root, or None where it is no document. Case is not told apart:
    on many file systems an agent that looks for CLAUDE.md opens claude.md."""
    found, excluded = classified(config, path)
    return None if excluded else found


_BY_STRICTNESS = (DocClass.OTHER, DocClass.DOCS, DocClass.DECISIONS, DocClass.MEMORY)


def is_as_strict(found: DocClass | None, wanted: DocClass | None) -> bool:
    """Whether a class is the same as `wanted` or stricter: memory before decisions before docs
    before other before none."""
    return wanted is None or (
        found is not None and _BY_STRICTNESS.index(found) >= _BY_STRICTNESS.index(wanted)
    )


def is_silent(path: str) -> bool:
    """Whether a file is no text that is read as memory: a program, a picture, a tool's own."""
    name = path.lower().rpartition("/")[2]
    stem, _, suffix = name.rpartition(".")
    return (bool(stem) and suffix in _SILENT) or name in _SILENT_NAMES


def excluded_by_default(config: Config, path: str) -> bool:
    """Whether a memory place is excluded by nothing but the defaults' directories of others, as
    `vendor/`: agents who work there read it all the same."""
    _, excluded = classified(config, path)
    if not excluded or not matches(config.classes.memory, path):  # `gemini.md` is a page of docs
        return False
    return not matches(_beyond_others(config.exclude), path, fold=True, below=True)


@lru_cache(maxsize=64)
def _beyond_others(exclude: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(glob for glob in exclude if glob not in OTHERS_GLOBS)


def classified(config: Config, path: str) -> tuple[DocClass | None, bool]:
    """(class, whether it is excluded) of a path."""
    lower = path.lower()
    if not lower or is_silent(lower) or any(d in f"/{lower}" for d in _INSIDE_NEVER):
        return None, False
    found = _listed(config, path, lower.endswith(TEXT_SUFFIXES))
    # A name excludes what lies below it, as in other tools' `exclude`.
    return found, found is not None and matches(config.exclude, path, fold=True, below=True)


def is_adr(config: Config, path: str) -> bool:
    """Whether the path lies in an ADR directory or is classed as a decision by glob."""
    return matches(_decisions(config.adr_dirs, config.classes.decisions), path, fold=True)


def source_of(config: Config, path: str) -> Source:
    """The source the configuration gives this document, first glob first; else unknown."""
    return next((s for glob, s in config.sources if matches((glob,), path)), Source.UNKNOWN)


def _listed(config: Config, path: str, text: bool) -> DocClass | None:
    if matches(config.classes.memory, path, fold=True) and not _is_page_of_docs(config, path):
        return DocClass.MEMORY
    if not text:
        return None
    if is_adr(config, path):
        return DocClass.DECISIONS
    if matches(config.classes.docs, path, fold=True):
        return DocClass.DOCS
    is_read = path.lower().endswith(PAGE_SUFFIXES) and not matches(UNREAD_GLOBS, path, fold=True)
    return DocClass.OTHER if is_read else None


def _is_page_of_docs(config: Config, path: str) -> bool:
    """Whether a file is no agents' file for the letters' case of its name: `docs/api/agents.md` is
    a page about agents. Elsewhere an agent may find it where case is not told apart."""
    below = {"docs", "doc"} & {*path.lower().split("/")[:-1]}
    return bool(below) and not matches(config.classes.memory, path)


@lru_cache(maxsize=64)
def _decisions(directories: tuple[str, ...], globs: tuple[str, ...]) -> tuple[str, ...]:
    nested = NESTED_ADRS if directories == ADR_DIRS else ()
    return (*(f"{d}/**" for d in directories), *nested, *globs)
