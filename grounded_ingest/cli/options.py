"""Options that several commands have."""

from __future__ import annotations

import click

color_option = click.option(
    "--color",
    type=click.Choice(["auto", "always", "never"]),
    default="auto",
    help="Colour in text on the terminal; auto follows NO_COLOR, FORCE_COLOR and the terminal.",
)
network_option = click.option("--offline/--online", default=False, help="Leave the network alone.")
