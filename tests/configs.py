"""Configurations for tests, as if the user of this machine granted what their file asks for."""

from __future__ import annotations

from msgspec.structs import replace

from grounded_ingest.config.settings import Config, Wishes


def as_written(config: Config) -> Config:
    """Returns a configuration with all that its file asks for, granted or not."""
    wishes = config.wishes
    return replace(
        config,
        wishes=Wishes(),
        network=replace(config.network, allow=wishes.allow),
        tracker=replace(config.tracker, url=wishes.url, token_env=wishes.token_env),
        judge=wishes.judge,
    )
