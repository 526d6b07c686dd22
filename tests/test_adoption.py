"""The first configuration of a repository may only tighten until it has landed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import fields, replace
from repos import NOTES, Repo, page

from grounded_ingest.config.adoption import TIGHTENS, stricter_settings
from grounded_ingest.config.files import parse_yaml
from grounded_ingest.config.settings import DEFAULTS, Wishes
from grounded_ingest.git.repository import Repo as Opened
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.findings import list_findings
from grounded_ingest.repository.scope import Asked

FILE = ".grounded-ingest.yaml"
GUESS = "I think the ledger is in Oracle."
PLAIN = "The ledger keeps its rows in one table."

# What is proposed, and what of it holds at once.
KEYS = {
    "classes.memory": ("classes: {memory: ['notes/**', '!memory-bank/**']}", ['added "notes/**"']),
    "classes.docs": ("classes: {docs: ['pkg/*.md', '!docs/x.md']}", ['added "pkg/*.md"']),
    "classes.decisions": ("classes: {decisions: ['rfcs/*.md']}", []),
    "exclude": ("exclude: ['memory-bank/**', '!CHANGELOG.md']", ['added "!CHANGELOG.md"']),
    "mirrors": ("mirrors: [[CLAUDE.md, AGENTS.md]]", []),
    "sources": ("sources: {'**/*.md': manual}", []),
    "trusted_sources": ("trusted_sources: [manual]", []),
    "reviewers": ("reviewers: {'**/*.md': [eve@example.org]}", []),
    "agents": ("agents: [bot@example.org]", ['added "bot@example.org"']),
    "base": ("base: topic", []),
    "adr_dirs": ("adr_dirs: [notes]", []),
    "dedup.threshold": ("dedup: {threshold: 0.8}", ["0.92 -> 0.8"]),
    "dedup.threshold up": ("dedup: {threshold: 0.99}", []),
    "dedup.exact_words": ("dedup: {exact_words: 4}", ["5 -> 4"]),
    "dedup.exact_words up": ("dedup: {exact_words: 50}", []),
    "dedup.near_words": ("dedup: {near_words: 6}", ["7 -> 6"]),
    "dedup.near_words up": ("dedup: {near_words: 50}", []),
    "trust.threshold": ("trust: {threshold: 0.6}", ["0.75 -> 0.6"]),
    "trust.threshold up": ("trust: {threshold: 1}", []),
    "trust.difference": ("trust: {difference: 0.5}", ["0.3 -> 0.5"]),
    "trust.difference down": ("trust: {difference: 0}", []),
    "network.deny": ("network: {deny: [x.test]}", ['added "x.test"']),
    "network.timeout": ("network: {timeout: 1}", []),
    "network.budget": ("network: {budget: 0}", []),
    "network.per_host": ("network: {per_host: 64}", []),
    "network.cache_ttl": ("network: {cache_ttl: 31536000}", []),
    "network.allow": ("network: {allow: [localhost]}", []),
    "tracker.kind": ("tracker: {kind: none}", ['"" -> "none"']),
    "tracker.kind other": ("tracker: {kind: github}", []),
    "tracker.repository": ("tracker: {repository: o/r}", []),
    "tracker.url": ("tracker: {url: 'https://x.test'}", []),
    "tracker.token_env": ("tracker: {token_env: X}", []),
    "judge": ("judge: {kind: openai, base_url: 'https://x.test', model: m}", []),
    "horizons": ("horizons: {episodic: 90}", ["unset -> 90"]),
    "policy down": ("policy: {speculation: review, repeat: off}", []),
    "policy": ("policy: {speculation: review, hidden-text: block}", ['unset -> "block"']),
    "evidence": ("evidence: memory", ['"all" -> "memory"']),
    "per_file_ignores": ("per_file_ignores: {'**/*.md': [ALL]}", []),
    "baseline": ("baseline: .grounded/baseline.jsonl", []),
    "stage_evidence": ("stage_evidence: false", ["true -> false"]),
    "review.require_signed": ("review: {require_signed: true}", ["false -> true"]),
    "preset": ("preset: strict", ['"default" -> "strict"']),
    "preset down": ("preset: advisory", []),
}


@pytest.mark.parametrize(("text", "holds"), KEYS.values(), ids=KEYS)
def test_what_a_first_configuration_may(text: str, holds: list[str]) -> None:
    config = stricter_settings(parse_yaml(text, FILE))
    assert (replace(config, origin=DEFAULTS.origin, old=()) != DEFAULTS) is bool(holds)
    assert config.wishes == Wishes()


def test_every_key_says_what_tightening_means() -> None:
    """A key without a function keeps its default, as `KEYS` says of each. Keys that are only wished
    for cannot be given by a file at all."""
    values = {f.name: getattr(DEFAULTS, f.name) for f in fields(DEFAULTS)}
    sections = {name: v for name, v in values.items() if isinstance(v, msgspec.Struct)}
    inner = {f"{n}.{f.name}" for n, v in sections.items() for f in fields(v)}
    keys = {k for k in inner if not k.startswith(("wishes.", "judge."))}
    keys |= values.keys() - sections.keys() - {"origin", "old", "asks_evidence"}
    keys -= {"network.allow", "tracker.url", "tracker.token_env"}
    assert set(TIGHTENS) <= keys
    assert {name.partition(" ")[0] for name in KEYS} >= keys
    page = (Path(__file__).parents[1] / "docs" / "configuration.md").read_text("utf-8")
    table = page.partition("### Before the first configuration is merged")[2].partition("\n## ")[0]
    missing = [k for k in keys if f"`{k}`" not in table and f"`{k.partition('.')[0]}`" not in table]
    assert missing == []


def test_the_defaults_tighten_nothing() -> None:
    assert replace(stricter_settings(parse_yaml("", FILE)), origin=DEFAULTS.origin) == DEFAULTS


LOOSER = {
    "policy": ("policy: {speculation: review}\n", GUESS, 3),
    "exclude": ("exclude: [memory-bank/**]\n", GUESS, 3),
    "advisory": ("preset: advisory\n", GUESS, 3),
    "classes": ("classes: {memory: ['!**']}\n", GUESS, 3),
    "trusted": ('sources: {"**/*.md": manual}\ntrusted_sources: [manual]\n', PLAIN, 2),
    "stated": ('sources: {"**/*.md": conversation}\n', "We decided to keep the ledger.", 2),
    "nothing": ("preset: default\n", PLAIN, 2),
}


@pytest.mark.parametrize(("config", "claim", "tier"), LOOSER.values(), ids=LOOSER)
def test_a_first_configuration_loosens_nothing_in_a_range(
    tmp_path: Path, config: str, claim: str, tier: int
) -> None:
    """A pull request is judged by base. Where base has no configuration, the change's own may only
    tighten."""
    repo = Repo(tmp_path)
    start = repo.commit({"README.md": "# x\n"})
    repo.stage({FILE: config, NOTES: page(claim)})
    repo.commit()
    report = repo.check("range", start=start).report
    assert [d.tier.value for d in report.counted if d.place.path == NOTES] == [tier]


def test_a_first_configuration_is_in_force_at_once_in_the_hook(tmp_path: Path) -> None:
    """A hook is advice to its author: a trial works from the first minute."""
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# x\n"})
    repo.stage({FILE: "preset: advisory\npolicy: {speculation: review}\n", NOTES: page(GUESS)})
    result = repo.check()
    assert [d.tier.value for d in result.report.counted] == [2]
    assert result.report.fail_on == "never"


def test_a_change_does_not_trust_itself(tmp_path: Path) -> None:
    """What approves comes from base alone: no change makes its own text a trusted source."""
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# x\n"})
    repo.stage({FILE: LOOSER["trusted"][0], NOTES: page(PLAIN)})
    assert [d.tier.value for d in repo.decisions()] == [2]


@pytest.mark.parametrize("mode", ["staged", "range"])
def test_a_first_configuration_tightens_at_once(tmp_path: Path, mode: str) -> None:
    repo = Repo(tmp_path)
    start = repo.commit({"README.md": "# x\n"})
    config = "policy: {technical-hedge: block}\nclasses: {memory: ['pkg/**']}\n"
    repo.stage({FILE: config, "pkg/a.md": page("The ledger usually lies in one table.")})
    if mode == "range":
        repo.commit()
    decided = repo.check(mode, start=start).report.counted
    assert [(d.place.path, d.tier.value) for d in decided] == [("pkg/a.md", 3)]


@pytest.mark.parametrize(("hook", "fails"), [(True, "never"), (False, "wrong")])
def test_the_first_push_is_as_advisory_as_its_configuration(
    tmp_path: Path, *, hook: bool, fails: str
) -> None:
    repo = Repo(tmp_path / "repo")
    base = repo.commit({"src/a.py": "a = 1\n"})
    repo.commit({FILE: "preset: advisory\n", NOTES: page("See `src/gone.py`.")})
    with Opened(str(repo.root), own=False) as opened:
        asked = Asked("range", start=base, base=base, hook=hook)
        report = run(opened, asked, Options(online=False)).report
    assert report.fail_on == fails
    shown = {e.rule for e in list_findings(report)}
    assert ("config-change" in shown) is not hook  # CI fails and tells why
