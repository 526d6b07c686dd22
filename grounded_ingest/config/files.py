"""Configuration files: text -> Config; every error has its file, line and the nearest known key."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from msgspec.structs import fields, replace

from grounded_ingest.config.settings import DEFAULTS, Classes, Config, JudgeSettings, Wishes

if TYPE_CHECKING:
    from grounded_ingest.config.syntax import Located

FILE = ".grounded-ingest.yaml"
MISNAMED = (".grounded-ingest.yml", "grounded-ingest.yaml", "grounded-ingest.yml")
PYPROJECT = "pyproject.toml"
TABLE = ("tool", "grounded-ingest")


def load(read_file: Callable[[str], str | None]) -> Config:
    """The configuration of a tree; `read_file` gives the text of a root file, None without one.

    Raises GroundedIngestError, as do all readers here, its message beginning `path:line:`.
    """
    text, pyproject = read_file(FILE), read_file(PYPROJECT)
    table = _pyproject_table(pyproject or "")
    if text is None:
        _refuse_misnamed(read_file)
        return DEFAULTS if table is None else _config(table)
    if table is not None:
        message = f"[{'.'.join(TABLE)}] and {FILE} both configure this repository"
        raise table.error((), message, "Keep one of them.")
    return parse_yaml(text, FILE)


def _pyproject_table(text: str) -> Located | None:
    misspelt = f"[{TABLE[0]}.grounded_ingest"
    if TABLE[-1] not in text and misspelt not in text:
        return None
    from grounded_ingest.config.syntax import at, read_toml

    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith(misspelt):
            raise at(PYPROJECT, number, f"unknown table, did you mean [{'.'.join(TABLE)}]?")
    return read_toml(text, PYPROJECT, TABLE)


def parse_yaml(text: str, path: str) -> Config:
    """The configuration a YAML file describes."""
    from grounded_ingest.config.syntax import read_config_yaml

    return _config(read_config_yaml(text, path))


def parse_toml(text: str, path: str) -> Config:
    """The configuration of `[tool.grounded-ingest]`; the defaults where there is no such table."""
    from grounded_ingest.config.syntax import read_toml

    table = read_toml(text, path, TABLE)
    return DEFAULTS if table is None else _config(table)


def apply_nested(config: Config, directory: str, text: str, path: str) -> Config:
    """The configuration with what a nested file excludes and classifies below its directory."""
    from grounded_ingest.config.syntax import read_config_yaml
    from grounded_ingest.config.validators import READERS, read_settings

    source = read_config_yaml(text, path)
    for key in source.values:
        if key in READERS and key not in ("exclude", "classes"):
            hint = "A nested file may hold `exclude` and `classes`."
            raise source.error((key,), "only the configuration at the root may set this", hint)
    values = read_settings(source, ("exclude", "classes"))
    added = {n: _below(directory, g) for n, g in values.get("classes", {}).items()}
    exclude = (*config.exclude, *_below(directory, values.get("exclude", ())))
    return replace(config, classes=_extend(config.classes, added), exclude=exclude)


def _below(directory: str, patterns: tuple[str, ...]) -> tuple[str, ...]:
    from grounded_ingest.config.globs import literal

    prefix = literal(directory.strip("/"))
    return tuple(f"!{prefix}/{g[1:]}" if g[0] == "!" else f"{prefix}/{g}" for g in patterns)


def _extend(classes: Classes, added: dict[str, tuple[str, ...]]) -> Classes:
    return replace(classes, **{n: (*getattr(classes, n), *g) for n, g in added.items()})


def _refuse_misnamed(read_file: Callable[[str], str | None]) -> None:
    for name in MISNAMED:
        if read_file(name) is not None:
            from grounded_ingest.config.syntax import at

            raise at(name, 1, "this file is not read", f"Rename it to {FILE}.")


def _config(source: Located) -> Config:
    """Globs add to the defaults, everything else replaces them."""
    from grounded_ingest.config.validators import read_settings

    values = read_settings(source)
    if "classes" in values:
        values["classes"] = _extend(DEFAULTS.classes, values["classes"])
    if "exclude" in values:
        values["exclude"] = (*DEFAULTS.exclude, *values["exclude"])
    return _wishing(Config(**values, origin=source.path))


def _wishing(config: Config) -> Config:
    """A configuration as it is written, without what its file cannot give itself."""
    network, tracker = config.network, config.tracker
    return replace(
        config,
        wishes=Wishes(network.allow, tracker.url, tracker.token_env, config.judge),
        network=replace(network, allow=()),
        tracker=replace(tracker, url="", token_env=""),
        judge=JudgeSettings(),
    )


def as_written(config: Config) -> Config:
    """A configuration with all that its file asks for, granted or not."""
    wishes = config.wishes
    return replace(
        config,
        wishes=Wishes(),
        network=replace(config.network, allow=wishes.allow),
        tracker=replace(config.tracker, url=wishes.url, token_env=wishes.token_env),
        judge=wishes.judge,
    )


_BY_NAME = ("sources", "reviewers", "horizons", "policy", "per_file_ignores")


def config_differences(old: Config, new: Config) -> tuple[str, ...]:
    """What differs, one line per key: `dedup.threshold: 0.92 -> 0.8`, `exclude: added "x"`."""
    from grounded_ingest.config.syntax import one_line

    return tuple(
        one_line(line) for line in _struct_differences("", as_written(old), as_written(new))
    )


def _struct_differences(prefix: str, old: Struct, new: Struct) -> Iterator[str]:
    for name in (f.name for f in fields(old) if f.name != "origin"):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            yield from _value_differences(f"{prefix}{name}", before, after)


def _value_differences(key: str, old: Any, new: Any) -> Iterator[str]:
    if isinstance(old, Struct):
        yield from _struct_differences(f"{key}.", old, new)
    elif key in _BY_NAME:
        yield from _table_differences(key, dict(old), dict(new))
    elif isinstance(old, tuple):
        yield from _list_differences(key, old, new)
    else:
        yield f"{key}: {_shown(old)} -> {_shown(new)}"


def _table_differences(key: str, old: dict[str, Any], new: dict[str, Any]) -> Iterator[str]:
    changed = [n for n in dict.fromkeys((*old, *new)) if old.get(n) != new.get(n)]
    for name in changed:
        yield f"{key}.{name}: {_shown(old.get(name))} -> {_shown(new.get(name))}"
    if not changed:
        yield f"{key}: order of entries changed"


def _list_differences(key: str, old: tuple[Any, ...], new: tuple[Any, ...]) -> Iterator[str]:
    before, after = set(old), set(new)
    gone = [_shown(i) for i in old if i not in after]
    come = [_shown(i) for i in new if i not in before]
    if gone:
        yield f"{key}: removed {', '.join(gone)}"
    if come:
        yield f"{key}: added {', '.join(come)}"
    if not gone and not come:
        yield f"{key}: order or number of entries changed"


def _shown(value: Any) -> str:
    match value:
        case None:
            return "unset"
        case bool():
            return str(value).lower()
        case tuple():
            return f"[{', '.join(_shown(v) for v in value)}]"
        case str():
            return f'"{value}"'
        case _:
            return str(value)
