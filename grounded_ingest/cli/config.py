"""Defines `grounded-ingest config show`, which prints the settings that are in force."""

from __future__ import annotations

from typing import Any

import click
from msgspec import to_builtins
from msgspec.structs import replace

from grounded_ingest.cli.group import json_option
from grounded_ingest.cli.terminal import emit
from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import format_json
from grounded_ingest.repository.scope import NOTHING


@click.group("config")
def command() -> None:
    """Show the settings of this repository.

    \b
    grounded-ingest config show
    """


@command.command("show")
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
