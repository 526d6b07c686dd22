"""What could be asked for a second opinion here: programs on PATH, servers on loopback."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import NamedTuple

import msgspec
from msgspec import Struct

from grounded_ingest.cli.invocation import program
from grounded_ingest.config.settings import Network
from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.net.messages import Ask, Response, Talk
from grounded_ingest.text.lexicon.judge_programs import PROGRAMS, SERVERS
from grounded_ingest.text.printable import printable

_LOOK_S = 0.5
_MAX_LISTING = 65_536


class JudgeOffer(NamedTuple):
    """A judge that could be configured: lines for the configuration, and the grants it needs."""

    name: str
    told: str
    configuration: str
    grants: tuple[str, ...]


class _Model(Struct, frozen=True):
    id: str


class _Models(Struct, frozen=True):
    data: list[_Model]


def judge_offers(root: str, ports: dict[str, int] | None = None) -> list[JudgeOffer]:
    """What is found; nothing is started, and only this machine is asked."""
    return [*_programs(root), *_servers(SERVERS if ports is None else ports)]


def _programs(root: str) -> Iterator[JudgeOffer]:
    from grounded_ingest.judge.command import find_program, program_environment
    from grounded_ingest.references.grants import program_grant_line

    env = program_environment(os.environ, (), root)
    for name, command in PROGRAMS.items():
        found, _ = find_program(command, env, root)
        if found:
            listed = json.dumps([*command])
            text = f"judge: {{kind: command, command: {listed}, timeout: 120}}\n"
            yield JudgeOffer(name, f"the program {found}", text, (program_grant_line(command),))


def _servers(ports: dict[str, int]) -> Iterator[JudgeOffer]:
    from grounded_ingest.net.client import Web

    hosts = {name: f"127.0.0.1:{port}" for name, port in ports.items()}
    web = Web(Network(timeout=_LOOK_S, allow=tuple(hosts.values())), 2 * _LOOK_S)
    talks = {name: _listing(f"http://{host}/v1/models") for name, host in hosts.items()}
    for name, models in web.converse(talks).items():
        if models:
            yield _served(name, hosts[name], models)


def _listing(url: str) -> Talk[list[str]]:
    """The models a server offers; none where it is no server of models."""
    answer: Response = yield Ask("GET", url, limit=_MAX_LISTING, follow=False)
    if answer.failure or answer.status != 200:
        return []
    try:
        models = msgspec.json.decode(answer.body, type=_Models).data
    except NOT_JSON:
        return []
    return [m.id for m in models if m.id and m.id.isprintable()]


def _served(name: str, host: str, models: list[str]) -> JudgeOffer:
    from grounded_ingest.references.grants import grant_line

    url = f"http://{host}/v1"
    asked = f"judge: {{kind: openai, base_url: {json.dumps(url)}, model: {json.dumps(models[0])}}}"
    text = f"{asked}\nnetwork: {{allow: [{json.dumps(host)}]}}\n"
    lines = (f"judge {url}", f"allow {host}")
    told = f"a server on {host} with {', '.join(printable(m, 60) for m in models[:4])}"
    grants = tuple(map(grant_line, lines))
    return JudgeOffer(name, told, text, grants)


def told_offers(offers: list[JudgeOffer], chosen: JudgeOffer | None) -> Iterator[str]:
    """What was found and how it is switched on; of the chosen one what only its user can do."""
    if chosen:
        yield f"judge {chosen.name}: grant it on each machine that shall ask it (docs/judge.md):"
        yield from (f"  {grant}" for grant in chosen.grants)
        return
    if offers:
        yield "a second opinion on what sources say could be had here, and is off (docs/judge.md):"
    for offer in offers:
        yield f"  {offer.told}: {program()} init --judge {offer.name}"
