"""Finds judge models that `init` can configure: coding agents on PATH and model servers on this
machine. Does not start any program and does not contact other machines."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.cli.invocation import program
from grounded_ingest.config.settings import Network
from grounded_ingest.judge.command import find_program, program_environment
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.client import Web
from grounded_ingest.net.messages import Ask, Response, Talk
from grounded_ingest.references.grants import grant_line, program_grant_line
from grounded_ingest.text.lexicon.judge_programs import PROGRAMS, SERVERS
from grounded_ingest.text.printable import printable

_WAIT_S = 0.5
_LARGEST = 65_536


class JudgeOffer(NamedTuple):
    """A judge model that was found on this machine.

    configuration: the lines for the configuration file. grants: the lines with which a user allows
    the judge model.
    """

    name: str
    description: str
    configuration: str
    grants: tuple[str, ...]


class _Model(Struct, frozen=True):
    id: str


class _Models(Struct, frozen=True):
    data: list[_Model]


def find_judges(root: str, ports: dict[str, int] = SERVERS) -> list[JudgeOffer]:
    """Returns the judge models found on PATH and on the local `ports` (port by server name)."""
    return [*_find_programs(root), *_find_servers(ports)]


def _find_programs(root: str) -> Iterator[JudgeOffer]:
    env = program_environment(os.environ, (), root)
    for name, command in PROGRAMS.items():
        found, _ = find_program(command, env, root)
        if found:
            argv = json.dumps([*command])
            text = f"judge: {{kind: command, command: {argv}, timeout: 120}}\n"
            grants = (program_grant_line(command),)
            yield JudgeOffer(name, f"the program {found}", text, grants)


def _find_servers(ports: dict[str, int]) -> Iterator[JudgeOffer]:
    hosts = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    web = Web(Network(timeout=_WAIT_S, allow=tuple(hosts.values())), 2 * _WAIT_S)
    talks = {name: _list_models(f"http://{host}/v1/models") for name, host in hosts.items()}
    for name, models in web.converse(talks).items():
        if not models:
            continue
        host, model = hosts[name], json.dumps(models[0])
        url = f"http://{host}/v1"
        judge = f"judge: {{kind: openai, base_url: {json.dumps(url)}, model: {model}}}"
        text = f"{judge}\nnetwork: {{allow: [{json.dumps(host)}]}}\n"
        listed = ", ".join(printable(m, 60) for m in models[:4])
        grants = tuple(map(grant_line, (f"judge {url}", f"allow {host}")))
        yield JudgeOffer(name, f"a server on {host} with {listed}", text, grants)


def _list_models(url: str) -> Talk[list[str]]:
    """Asks a server for its models. Returns an empty list if it is not a model server."""
    answer: Response = yield Ask("GET", url, limit=_LARGEST, follow=False)
    if answer.failure or answer.status != 200:
        return []
    try:
        models = msgspec.json.decode(answer.body, type=_Models).data
    except NOT_JSON:
        return []
    return [m.id for m in models if m.id and m.id.isprintable()]


def describe_offers(offers: list[JudgeOffer], chosen: JudgeOffer | None) -> Iterator[str]:
    """Yields lines for the user about judge models.

    If a judge model is chosen, the lines contain the commands with which each user allows it.
    Otherwise they list the judge models in `offers`, which could be configured.
    """
    if chosen:
        yield f"To allow the judge model {chosen.name}, each user runs this once (docs/judge.md):"
        yield from (f"  {grant}" for grant in chosen.grants)
        return
    if offers:
        yield "No judge model is configured. This machine has models to use (docs/judge.md):"
    for offer in offers:
        yield f"  {offer.description}: {program()} init --judge {offer.name}"
