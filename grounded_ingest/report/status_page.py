"""The state of a knowledge base as text, for `status`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grounded_ingest.report.verbosity import Look
from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.text.printable import printable

SHOWN = 5
"""Names listed before the rest is only counted."""


def status_lines(found: Mapping[str, Any], hook: str, look: Look) -> Iterator[str]:
    """Text of what `status` found; `hook` is the line about the hook."""
    base, configuration = found["base"], found["configuration"]
    commit = base["commit"][:12] or "none"
    doubt = "" if base["known"] else ", unknown"
    yield _row("base", f"{commit} ({printable(base['reason'])}{doubt})", look)
    where = printable(configuration["file"]) or "defaults (no file)"
    yield _row("configuration", f"{where}, preset {configuration['preset']}", look)
    yield _row("hook", printable(hook), look)
    yield from _reach(found, look)
    index = found["index"]
    size = f"{index['bytes'] / 1e6:.1f} MB" if index["bytes"] else "not built"
    yield _row("index", f"{printable(index['path'])} ({size})", look)
    for name, held in found["classes"].items():
        yield _row(name, _class(held), look)
    held = found["references"]
    said = f"{held['hold']} hold, {held['wrong']} wrong, {held['unknown']} unknown"
    yield _row("references", f"{said}, {held['skipped']} skipped", look)
    yield from _tiers(found, look)
    yield from _evidence(found["evidence"], look)
    if past := found["expired"]:
        claims = "1 claim is" if past == 1 else f"{past} claims are"
        yield _row("expired", f"{claims} past the date given or named (audit lists them)", look)
    for problem in found["problems"]:
        at = f"{printable(problem['path'])}:{problem['line']}: " if problem["path"] else ""
        rule = look.rule(problem["rule"], "error" if problem["tier"] == 3 else "note")
        yield _row("problem", f"{at}{rule}: {printable(problem['message'], 300)}", look)
    if not found["online"]:
        yield "offline: citations of pages and issues were not looked up (--online asks)"


def _row(name: str, text: str, look: Look) -> str:
    return f"{look.paint(name, 'bold')}{' ' * (14 - len(name))}{text}"


def _reach(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    """Who is asked with which variable, what is granted, and what is not."""
    tracker = found["tracker"]
    if tracker:
        secret = _secret(tracker) or " without a token"
        yield _row("tracker", printable(f"{tracker['api']}{secret}", 300), look)
    for grant in found["grants"]:
        text = f"{grant['what']} {grant['where']}{_secret(grant)}; {grant['said']}"
        yield _row("granted", printable(text, 300), look)
    for line in found["refused"]:
        yield _row("not granted", printable(line, 300), look)


def _secret(held: Mapping[str, Any]) -> str:
    state = "" if held["set"] else " (not set)"
    return f" {held['variable']}{state}" if held["variable"] else ""


def _class(held: Mapping[str, Any]) -> str:
    return f"{held['documents']} documents, {held['claims']} claims"


def _tiers(found: Mapping[str, Any], look: Look) -> Iterator[str]:
    tiers = found["tiers"]
    named = (
        f"{tiers['tier_1']} approved",
        f"{tiers['tier_2']} open",
        f"{tiers['tier_3']} blocked",
    )
    yield _row("claims", f"{found['claims']}: {', '.join(named)}", look)
    for rule, count in found["rules"].items():
        yield f"{' ' * 14}{count:>7} {look.rule(rule, EVERY_RULE[rule].severity)}"


def _evidence(evidence: Mapping[str, Any], look: Look) -> Iterator[str]:
    missing, behind, orphaned = evidence["missing"], evidence["behind"], evidence["orphaned"]
    counts = f"{len(missing)} missing, {len(behind)} behind, {len(orphaned)} orphaned"
    yield _row("evidence", f"{evidence['present']} present, {counts}", look)
    yield from _names("missing", missing)
    yield from _names("behind", [f"{path}: {why}" for path, why in behind.items()])
    yield from _names("orphaned", orphaned)


def _names(state: str, names: Sequence[str]) -> Iterator[str]:
    for name in names[:SHOWN]:
        yield f"{' ' * 14}{state} {printable(name, 200)}"
    if len(names) > SHOWN:
        yield f"{' ' * 14}{state} {len(names) - SHOWN} more"
