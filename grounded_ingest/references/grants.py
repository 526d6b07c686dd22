"""Reads grants. A grant permits a repository's configuration to use an address, a secret or a
program on this machine.

Only the user of the machine can give a grant. A grant has one of these forms: `allow HOST[:PORT]`,
`tracker URL [VARIABLE]`, `judge URL [VARIABLE]` or `judge ["PROGRAM", "ARGUMENT"...]
[VARIABLE...]`.

Grants are read from `grounded-ingest.grant` in the user's or the system's git configuration (`git
config --global`) and from the environment variable GROUNDED_INGEST_GRANT. A grant in `.git/config`
or in a file that it includes is ignored, because a downloaded archive may contain that file.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, get_args
from urllib.parse import urlsplit

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import Config, JudgeSettings, TrackerSettings, Wishes
from grounded_ingest.config.syntax import one_line
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import Repo
from grounded_ingest.net.addresses import host_and_port, names_host
from grounded_ingest.references.tracker import is_known, kind_and_api

VARIABLE = "GROUNDED_INGEST_GRANT"
KEY = "grounded-ingest.grant"
_HINT = (
    'write "allow HOST[:PORT]", "tracker URL [VARIABLE]", "judge URL [VARIABLE]" or '
    '"judge [PROGRAM AND ARGUMENTS AS A JSON LIST] [VARIABLE...]"'
)
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,63}")
_PORTS = {"http": 80, "https": 443}

What = Literal["allow", "tracker", "judge"]


class Grant(Struct, frozen=True):
    """A permission from the user of this machine.

    `what` is `allow`, `tracker` or `judge`. `where` is the host, the URL, or the judge program with
    its arguments as a JSON list. `variable` is the environment variable with the secret, and
    `others` lists further variables of a program. `said` says where the user gave the grant, such
    as the git configuration."""

    what: What
    where: str
    variable: str = ""
    said: str = ""
    others: tuple[str, ...] = ()

    @property
    def variables(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.variable, *self.others)))


def grants_of(repo: Repo, environ: Mapping[str, str]) -> tuple[tuple[Grant, ...], tuple[str, ...]]:
    """Returns all grants (permissions by the user to use an address, a secret or a program) from
    the environment and from the user's and the system's git configuration. Also returns messages
    about grants that are ignored. Raises GroundedIngestError if a value is not a grant."""
    rows = [r.strip() for r in re.split(r"[\n;]", environ.get(VARIABLE, ""))]
    found = [parse_grant(row, VARIABLE) for row in rows if row]
    passed_over = []
    for setting in repo.settings():
        if setting.key != KEY:
            continue
        if setting.of_user:
            found.append(parse_grant(setting.value, f"git configuration, {setting.file or '-c'}"))
        else:
            why = "is in the work tree" if setting.in_tree else "belongs to the repository"
            passed_over.append(
                f"{KEY} in {setting.file} is ignored, because that file {why}; if the grant is"
                f" yours, repeat it with git config --global --add {KEY}"
            )
    return tuple(dict.fromkeys(found)), tuple(dict.fromkeys(passed_over))


def parse_grant(text: str, said: str) -> Grant:
    """Returns the grant that a text states. Raises GroundedIngestError if the text is not a
    grant."""
    if program := re.match(r"judge\s+(?=\[)", text):
        return _program_grant(text, program.end(), said)
    what, *rest = text.split() or [""]
    where, variable = (*rest, "", "")[:2]
    if what not in get_args(What) or not 1 <= len(rest) <= (1 if what == "allow" else 2):
        raise _bad(text, said)
    if variable and not _NAME.fullmatch(variable):
        raise _bad(text, said)
    if what == "allow":
        where = where.lower()
        if not host_and_port(where)[0] or "/" in where:
            raise _bad(text, said)
    else:
        where = where if "://" in where else f"https://{where}"
        place = _place(where)
        if place is None:
            raise _bad(text, said)
        if what == "tracker" and place[:3] == ("https", "github.com", 443):
            where = "https://api.github.com"
    return Grant(what, where.rstrip("/"), variable, said)  # type: ignore[arg-type]  # one of What


def _program_grant(text: str, start: int, said: str) -> Grant:
    try:
        command, end = json.JSONDecoder().raw_decode(text, start)
    except (ValueError, RecursionError):
        raise _bad(text, said) from None
    variables = text[end:].split()
    words = isinstance(command, list) and command and all(isinstance(c, str) for c in command)
    if not words or not all(map(_NAME.fullmatch, variables)):
        raise _bad(text, said)
    first, *others = (*variables, "")
    return Grant("judge", _as_where(command), first, said, tuple(filter(None, others)))


def _as_where(command: Sequence[str]) -> str:
    return json.dumps([*command])


def _bad(text: str, said: str) -> GroundedIngestError:
    return GroundedIngestError(one_line(f"`{text[:200]}` is not a grant ({said})"), _HINT)


class _Place(NamedTuple):
    scheme: str
    host: str
    port: int
    path: str


def _place(url: str) -> _Place | None:
    """Splits a URL into scheme, host, port and path. Returns None if the URL is invalid, or if two
    URL parsers could understand it differently."""
    if any(c <= " " or c in "\\@?#%" for c in url):
        return None
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        return None
    host = (parts.hostname or "").rstrip(".")
    if not host or parts.scheme not in _PORTS or {".", ".."} & set(parts.path.split("/")):
        return None
    return _Place(parts.scheme, host, port or _PORTS[parts.scheme], parts.path.rstrip("/"))


def _covers(grant: str, url: str) -> bool:
    """Returns whether a URL has the scheme, host and port of the granted URL and lies below its
    path."""
    one, other = _place(grant), _place(url)
    if one is None or other is None or one[:3] != other[:3]:
        return False
    return f"{other.path}/".startswith(f"{one.path}/")


class Reach(NamedTuple):
    """A configuration with only those addresses, secrets and programs that the user granted.
    `refused` has a message for each part that was removed."""

    config: Config
    refused: tuple[str, ...] = ()


def within_reach(
    repo: Repo, config: Config, environ: Mapping[str, str], *, judge: bool = True
) -> Reach:
    """Returns a configuration without the parts that the user did not grant. Every run calls this
    function before the run sends a request or reads a secret. `judge` is false if this run does not
    use a judge model."""
    wishes = config.wishes
    if not judge:
        wishes = replace(wishes, judge=JudgeSettings())
    if wishes == Wishes():
        return Reach(config)
    grants, passed_over = grants_of(repo, environ)
    allowed = tuple(g.where for g in grants if g.what == "allow")
    allow = tuple(host for host in wishes.allow if _is_allowed(host, allowed))
    refused = [f"network.allow: {h}" for h in wishes.allow if h not in allow]
    tracker, no_tracker = _granted_tracker(repo, config, grants, environ)
    second, no_judge = _granted_judge(config, wishes.judge, grants)
    refused += [*no_tracker, *no_judge]
    said = (f"{line} is ignored: your git configuration does not grant it" for line in refused)
    network = replace(config.network, allow=(*config.network.allow, *allow))
    config = replace(config, network=network, tracker=tracker, judge=second)
    return Reach(config, (*said, *(passed_over if refused else ())))


def _is_allowed(entry: str, allowed: Sequence[str]) -> bool:
    host, port = host_and_port(entry)
    # An entry without a port allows all ports, so the grant must not name a port either.
    return names_host(host, -1 if port is None else port, allowed)


def _granted_tracker(
    repo: Repo, config: Config, grants: Sequence[Grant], environ: Mapping[str, str]
) -> tuple[TrackerSettings, list[str]]:
    """Returns the granted tracker settings and the refused parts. The address has to be granted, or
    be the server of the git remote or CI system. The variable has to be granted for that
    address."""
    wishes, refused = config.wishes, []
    mine = [g for g in grants if g.what == "tracker"]
    own = config.tracker.url or config.tracker.token_env  # set by a program, not by a file
    if own or not (wishes.url or wishes.token_env):
        return config.tracker, []
    remote, url = repo.remote_url(), wishes.url
    if url and not (is_known(url, remote, environ) or any(_covers(g.where, url) for g in mine)):
        refused.append(f"tracker.url: {url}")
        url = ""
    settings = replace(config.tracker, url=url)
    _, api = kind_and_api(settings, remote, environ)
    chosen = _variable(wishes.token_env, mine, api)
    if wishes.token_env not in ("", chosen):
        to = api or wishes.url or "an unknown tracker"
        refused.append(f"tracker.token_env: {wishes.token_env} for {to}")
    return replace(settings, token_env=chosen), refused


def _variable(wished: str, mine: Sequence[Grant], api: str) -> str:
    """Returns the configured variable if it is granted for the address, else the first variable
    that is granted for the address, else an empty string."""
    granted = [g.variable for g in mine if g.variable and api and _covers(g.where, api)]
    return wished if wished in granted else next(iter(granted), "")


def _granted_judge(
    config: Config, wished: JudgeSettings, grants: Sequence[Grant]
) -> tuple[JudgeSettings, list[str]]:
    """Returns the granted settings of the judge model and the refused parts. A judge model receives
    the cited texts, so a grant is always required."""
    if wished.kind == "rules":
        return config.judge, []
    if wished.kind == "command":
        return _granted_program(config, wished, grants)
    mine = [g for g in grants if g.what == "judge" and _covers(g.where, wished.base_url)]
    variables = [g.variable for g in mine if g.variable]
    if not mine:
        return config.judge, [f"judge.base_url: {wished.base_url}"]
    if wished.key_env and wished.key_env not in variables:
        return config.judge, [f"judge.key_env: {wished.key_env} for {wished.base_url}"]
    return replace(wished, key_env=wished.key_env or (variables or [""])[0]), []


def _granted_program(
    config: Config, wished: JudgeSettings, grants: Sequence[Grant]
) -> tuple[JudgeSettings, list[str]]:
    """Returns the granted settings of a judge program and the refused parts. A grant covers the
    program with exactly its arguments."""
    where = _as_where(wished.command)
    mine = [g for g in grants if g.what == "judge" and g.where == where]
    granted = tuple(dict.fromkeys(v for g in mine for v in g.variables))
    if not mine:
        return config.judge, [f"judge.command: {where}"]
    if lacking := [v for v in wished.variables if v not in granted]:
        return config.judge, [f"judge.variables: {', '.join(lacking)} for {where}"]
    return replace(wished, variables=wished.variables or granted), []


def shown_grants(grants: Sequence[Grant], environ: Mapping[str, str]) -> list[dict[str, object]]:
    """Returns the grants as records for the `status` command. A record shows only whether a
    variable is set, never its value."""
    return [
        {
            "what": grant.what,
            "where": grant.where,
            "variable": " ".join(grant.variables),
            "set": all(environ.get(v) for v in grant.variables) if grant.variable else False,
            "said": grant.said,
        }
        for grant in grants
    ]
