"""Reads configuration files. Every error message shows the file, the line and the most similar
known key.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec.structs import replace

from grounded_ingest.config.settings import DEFAULTS, Config, JudgeSettings, Wishes

if TYPE_CHECKING:
    from grounded_ingest.config.syntax import Located

FILE = ".grounded-ingest.yaml"
MISNAMED = (".grounded-ingest.yml", "grounded-ingest.yaml", "grounded-ingest.yml")
PYPROJECT = "pyproject.toml"
TABLE = ("tool", "grounded-ingest")


def load(read_file: Callable[[str], str | None]) -> Config:
    """Returns the configuration of a tree. `read_file` returns the text of a file at the root, or
    None if there is no such file. All functions in this module raise GroundedIngestError with a
    message that begins with `path:line:`."""
    text, pyproject = read_file(FILE), read_file(PYPROJECT)
    table = _pyproject_table(pyproject or "")
    if text is None:
        _refuse_misnamed(read_file)
        return DEFAULTS if table is None else _config(table)
    if table is not None:
        message = f"[{'.'.join(TABLE)}] and {FILE} both configure this repository"
        raise table.error((), message, "Keep one of the two configurations and delete the other.")
    return parse_yaml(text, FILE)


def _pyproject_table(text: str) -> Located | None:
    misspelt = f"[{TABLE[0]}.grounded_ingest"
    if TABLE[-1] not in text and misspelt not in text:
        return None
    # Imported late for a fast start: most repositories have no configuration to parse.
    from grounded_ingest.config.syntax import error_at, read_toml

    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(misspelt):
            raise error_at(PYPROJECT, number, f"unknown table, did you mean [{'.'.join(TABLE)}]?")
    return read_toml(text, PYPROJECT, TABLE)


def parse_yaml(text: str, path: str) -> Config:
    """Returns the configuration from a YAML file."""
    from grounded_ingest.config.syntax import read_config_yaml

    return _config(read_config_yaml(text, path))


def parse_toml(text: str, path: str) -> Config:
    """Returns the configuration from the TOML table `[tool.grounded-ingest]`. Returns the defaults
    if the table does not exist.
    """
    from grounded_ingest.config.syntax import read_toml

    table = read_toml(text, path, TABLE)
    return DEFAULTS if table is None else _config(table)


def line_of(text: str, path: str, keys: tuple[str, ...]) -> int:
    """Returns the line of a setting in the text of a configuration file, or 1 if it is not there.
    `keys` is the path to the setting.
    """
    from grounded_ingest.config.syntax import read_config_yaml, read_toml

    toml = path.endswith(".toml")
    source = read_toml(text, path, TABLE) if toml else read_config_yaml(text, path)
    return source.lines.get(keys, 1) if source else 1


def _refuse_misnamed(read_file: Callable[[str], str | None]) -> None:
    for name in MISNAMED:
        if read_file(name) is not None:
            from grounded_ingest.config.syntax import error_at

            message = "the tool does not read a configuration file with this name"
            raise error_at(name, 1, message, f"Rename it to {FILE}.")


def _config(source: Located) -> Config:
    """Returns the configuration with the settings in a file, after checking them. Globs from the
    file are added to the default globs. All other settings replace the defaults.
    """
    from grounded_ingest.config.validators import read_settings

    values = read_settings(source)
    if added := values.get("classes"):
        own = DEFAULTS.classes
        longer = {name: (*getattr(own, name), *globs) for name, globs in added.items()}
        values["classes"] = replace(own, **longer)
    if "exclude" in values:
        values["exclude"] = (*DEFAULTS.exclude, *values["exclude"])
    return _without_grants(Config(**values, origin=source.path, asks_evidence="evidence" in values))


def _without_grants(config: Config) -> Config:
    """Returns the configuration without the settings that only the user of the machine can grant.
    Moves those settings into the field `wishes`."""
    network, tracker = config.network, config.tracker
    return replace(
        config,
        wishes=Wishes(network.allow, tracker.url, tracker.token_env, config.judge),
        network=replace(network, allow=()),
        tracker=replace(tracker, url="", token_env=""),
        judge=JudgeSettings(),
    )
