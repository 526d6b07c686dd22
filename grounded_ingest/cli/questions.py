"""Defines the commands `explain`, `cite`, `prove`, `rule`, `status`, `clean` and `config`."""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import click
from msgspec import to_builtins
from msgspec.structs import replace

from grounded_ingest.cli.check_run import from_root
from grounded_ingest.cli.group import cli, color_option, json_option, offline_option
from grounded_ingest.cli.terminal import coloured, done, emit, progress
from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.errors import Exit, GroundedIngestError
from grounded_ingest.git.hooks import find_hook
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.references.citable import CitablePlace, citable, citable_at
from grounded_ingest.references.proofs.offer import offers_about, offers_at, proof_row
from grounded_ingest.report.as_json import format_json
from grounded_ingest.report.as_text import ignore_example
from grounded_ingest.report.explanation import explanation_lines
from grounded_ingest.report.formats import Look
from grounded_ingest.report.rule_page import find_rule, rule_json, rule_lines, rules_overview
from grounded_ingest.report.status import status_json, status_lines
from grounded_ingest.repository.scope import NOTHING, Asked
from grounded_ingest.review.claim_answers import explain_claims, read_last_run
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

_PLACE = re.compile(r"(?P<path>[^\s:]+):(?P<line>\d{1,7})$")


def _print(found: Any, lines: Iterable[str], *, as_json: bool) -> None:
    text = format_json(found) if as_json else "".join(f"{line}\n" for line in lines)
    emit(text, exact=as_json)


_PRINTED = compiled(r"(\S[^\n]*?:\d+)(?::\d+)?: [a-z]")
"""Matches a printed finding from PATH:LINE, the group, to the first letter of the rule's name."""


@cli.command("explain")
@click.argument("what", metavar="ID|TEXT|PATH:LINE|RULE")
@click.option(
    "--staged",
    is_flag=True,
    help="Explain the staged version of the document, as the hook reads it.",
)
@json_option
@click.option(
    "--offline/--online",
    default=None,
    help="Do not use the network. Default: like the last run that printed findings.",
)
@color_option
def explain_command(
    what: str, *, staged: bool, as_json: bool, offline: bool | None, color: Any
) -> None:
    """Explain a line of the report, the decision for a claim, or why a line has no claim.

    \b
    grounded-ingest explain docs/setup.md:12


    ID: at least the first 4 digits of the claim's id. TEXT: the claim's text, or some of its words.
    RULE: explains the lines with this rule in the report of this check and of the last run.
    """
    if pasted := _PRINTED.match(what):
        what = pasted[1]
    with Repo() as repo:
        online = read_last_run(repo)["online"] if offline is None else not offline
        asked = Asked("staged") if staged else _asked_file(repo, what)
        result = run(repo, asked, Options(online=online), progress(quiet=as_json))
        answer = explain_claims(repo, result, what)
        done()
        result.kb.index.close()
    lines = _explained(answer, Look(color=coloured(color)))
    _print({"schema": "grounded-ingest/explain/1", **answer}, lines, as_json=as_json)
    sys.exit(Exit.OK)


def _asked_file(repo: Repo, what: str) -> Asked:
    path = re.sub(r"(:\d{1,7}){0,2}:?$", "", what)
    with suppress(GroundedIngestError):
        if path and os.path.isfile(f"{repo.root}/{(found := from_root(repo, path))}"):
            return Asked("paths", (found,))
    return NOTHING


def _explained(answer: dict[str, Any], look: Look) -> Iterator[str]:
    if answer["note"]:
        yield printable(answer["note"])
    if answer["found_in"] != "knowledge base":
        yield f"the claim was found in the {answer['found_in']}; it is not in the documents now"
    for line in answer["lines"]:
        where = f"{printable(line['path'])}:{line['line']}: " if line["path"] else ""
        yield f"{look.paint(where, 'bold')}{line['rule']}: {printable(line['message'])}"
        yield f"  printed by {line['found_in']}"
        yield f"  reason     {line['summary']}"
        yield f"  way out    {look.commands(line['way_out'])}"
        wrong = line["path"] and line["severity"] in ("error", "warning")
        if wrong and (comment := ignore_example(line["rule"], line["path"])):
            yield f"  ignore     {comment}"
    for number, decision in enumerate(answer["decisions"]):
        if number:
            yield ""
        yield from explanation_lines(decision, look)


@cli.command("cite")
@click.argument("what", metavar="TEXT|PATH|PATH:LINE|PATH::NAME")
@json_option
@color_option
def cite_command(what: str, *, as_json: bool, color: Any) -> None:
    """Find up to three places to cite for TEXT, or the definitions around PATH:LINE. For PATH or
    PATH::NAME, print assertions that a claim can contain as proof.

    \b
    grounded-ingest cite src/settings.py::PORT

    Definitions come first, written as `path::name`. Read a place before you cite it: the command
    only compares words and does not know whether the place supports TEXT. A printed assertion such
    as `src/settings.py::PORT = 8443` is true in the present tree.
    """
    with Repo() as repo:
        result = run(repo, NOTHING, Options(online=False))
        context = result.engine.context
        at, (path, _, name) = _PLACE.match(what), what.replace("#/", "::/", 1).partition("::")
        if context.tree.has(path):
            offers = offers_at(path, name, context.tree) or offers_about(path, name, context.tree)
            places = [CitablePlace(offer, "") for offer in offers]
        elif at and context.tree.has(at["path"]):
            places = citable_at(at["path"], int(at["line"]), context)
        else:
            places = citable(what, context)
        result.kb.index.close()
    look = Look(color=coloured(color))
    lines = [f"{look.paint(p.target, 'bold')}  {p.quote}".rstrip() for p in places]
    lines = lines or ["nothing to cite: no place in the repository has these words"]
    found = {"schema": "grounded-ingest/cite/1", "places": [p._asdict() for p in places]}
    _print(found, lines, as_json=as_json)
    sys.exit(Exit.OK if places else Exit.FOUND)


@cli.command("prove")
@click.argument("path", metavar="FILE")
@json_option
@color_option
def prove_command(path: str, *, as_json: bool, color: Any) -> None:
    """Check each proof in the document FILE, such as `src/settings.py::PORT = 8443`.

    \b
    grounded-ingest prove CLAUDE.md

    The answers are: proved, denied, open (the repository cannot decide), says more (than the
    proof), and not landed (proved only by files that the same change edits). For a claim without a
    proof that names a definition or a command, suggests a form that can be proved. Exit codes: 0 no
    proof is denied, 1 a proof is denied, 2 FILE is not a document.
    """
    with Repo() as repo:
        result = run(repo, Asked("paths", (from_root(repo, path),)), Options(online=False))
        if result.undocumented:
            raise GroundedIngestError(f"{path} is not a document that is checked")
        context = result.engine.context
        rows = [row for d in result.report.decisions if (row := proof_row(d, context))]
        result.kb.index.close()
    look = Look(color=coloured(color))
    lines = [
        f"{path}:{row['line']}: {look.paint(row['answer'], 'bold')}: {row['text']}"
        + (f" ({row['reason']})" if row["reason"] else "")
        for row in rows
    ]
    lines = lines or [f"{path} has no proofs: no sentence states a value or place in the code"]
    _print({"schema": "grounded-ingest/prove/1", "proofs": rows}, lines, as_json=as_json)
    sys.exit(Exit.FOUND if any(r["answer"] == "denied" for r in rows) else Exit.OK)


def _complete_rule(_context: click.Context, _name: click.Parameter, begun: str) -> list[str]:
    return [rule for rule in EVERY_RULE if rule.startswith(begun)]


@cli.command("rule")
@click.argument("name", required=False, shell_complete=_complete_rule)
@json_option
@color_option
def rule_command(name: str | None, *, as_json: bool, color: Any) -> None:
    """Describe all rules, or the rule NAME in full.

    \b
    grounded-ingest rule refuted-citation

    The rules are listed in the order in which they are tried. The first rule that applies to a
    claim decides the claim's tier. A rule with "-" as tier only reports findings and does not
    decide a tier.
    """
    rules = [find_rule(name)] if name else list(EVERY_RULE.values())
    look, found = Look(color=coloured(color)), [rule_json(r) for r in rules if as_json]
    lines = rule_lines(rules[0], look) if name else rules_overview(rules, look)
    _print(found[0] if as_json and name else found, lines, as_json=as_json)


@cli.command("status")
@json_option
@offline_option
@color_option
def status_command(*, as_json: bool, offline: bool, color: Any) -> None:
    """Count documents, references, claims and evidence in the repository, and show the set-up.

    \b
    grounded-ingest status --offline
    """
    with Repo() as repo:
        result = run(repo, Asked("all"), Options(online=not offline), progress(quiet=as_json))
        found, hook = status_json(repo, result), find_hook(repo).said
        done()
        result.kb.index.close()
    _print(found, status_lines(found, hook, Look(color=coloured(color))), as_json=as_json)


@cli.command("clean")
def clean_command() -> None:
    """Delete the cache and the last report from the git directory.

    Results stay the same, but the next run reads all documents again.

    \b
    grounded-ingest clean
    """
    with Repo() as repo:
        directory = repo.cache_directory
    size = sum(e.stat().st_size for e in os.scandir(directory)) if os.path.isdir(directory) else 0
    shutil.rmtree(directory, ignore_errors=True)
    emit(f"deleted {size / 1e6:.1f} MB in {directory}\n" if size else "nothing to delete\n")


@cli.group("config")
def config_command() -> None:
    """Show the settings of this repository.

    \b
    grounded-ingest config show
    """


@config_command.command("show")
@json_option
def show_settings(*, as_json: bool) -> None:
    """Print every setting that is in force, in the form of the configuration file.

    \b
    grounded-ingest config show
    """
    with Repo() as repo:
        result = run(repo, NOTHING, Options(online=False))
        result.kb.index.close()
    settings = settings_of(result.config)
    if as_json:
        emit(format_json(settings), exact=True)
        return
    import yaml  # imported late: only this command writes YAML

    emit(f"# {_origin(result.config)}\n{yaml.safe_dump(settings, sort_keys=False)}", exact=True)


def _origin(config: Config) -> str:
    if config.origin == DEFAULTS.origin:
        return "The defaults. There is no configuration file."
    return f"The settings of {config.origin}, and the defaults."


_BY_NAME = ("sources", "reviewers", "horizons", "per_file_ignores")
_INTERNAL = ("origin", "old", "asks_evidence", "wishes")


def settings_of(config: Config) -> dict[str, Any]:
    """Returns the settings in the form of the configuration file. Includes the settings that have
    no effect until the user of this machine allows them, such as the judge model."""
    wishes = config.wishes
    whole = replace(
        config,
        network=replace(config.network, allow=wishes.allow),
        tracker=replace(config.tracker, url=wishes.url, token_env=wishes.token_env),
        judge=wishes.judge,
    )
    found = {k: v for k, v in to_builtins(whole).items() if k not in _INTERNAL}
    return found | {name: dict(found[name]) for name in _BY_NAME}
