"""The shipped repository: small but real, built by a script, with claims known to be true.

Code, configuration, ADRs, docs, memory files, two people and an agent, merges, moved and deleted
files, and a remote whose main branch is base.
"""

from __future__ import annotations

import os
import subprocess
from typing import NamedTuple

from grounded_ingest.git import environment

PEOPLE = {"ana": "Ana <ana@example.org>", "ben": "Ben <ben@example.org>"}
AGENT = "Claude <noreply@anthropic.com>"


class TrueClaim(NamedTuple):
    """A claim that is true by construction, and the document it stands in."""

    text: str
    path: str


CONFIG = '''\
"""Settings of the courier service."""

HOST = "0.0.0.0"
PORT = 8443
METRICS_PORT = 9102
REQUEST_TIMEOUT_SECONDS = 30
MAX_RETRIES = 5
BATCH_SIZE = 200
CACHE_TTL_SECONDS = 900
QUEUE_NAME = "deliveries"
LOG_LEVEL = "info"
SESSION_DAYS = 14
'''
QUEUE = '''\
"""The delivery queue."""

from collections import deque


class DeliveryQueue:
    """First in, first out, bounded."""

    def __init__(self, limit: int = 10_000) -> None:
        self.limit = limit
        self.items = deque()

    def push(self, item: object) -> None:
        if len(self.items) >= self.limit:
            raise OverflowError("queue is full")
        self.items.append(item)

    def pop(self) -> object:
        return self.items.popleft()
'''
API = '''\
"""HTTP endpoints."""

API_VERSION = "v2"
MAX_BODY_BYTES = 1_048_576


def health() -> dict:
    return {"status": "ok"}


def deliver(payload: dict) -> int:
    if "address" not in payload:
        return 422
    return 202
'''
SERVICE = """\
service:
  name: courier
  replicas: 3
  memory_limit: 512Mi
database:
  engine: postgresql
  version: 15
  pool_size: 20
auth:
  method: oauth2
  token_minutes: 60
"""
ADRS = {
    "0001-postgresql-for-the-ledger": ("accepted", "We use PostgreSQL 15 for the ledger."),
    "0002-one-queue-in-memory": ("accepted", "Deliveries wait in one bounded queue in memory."),
    "0003-json-over-http": ("accepted", "Clients talk JSON over HTTP; the API version is v2."),
    "0004-redis-for-sessions": ("superseded by ADR-0006", "Sessions are kept in Redis."),
    "0005-oauth2-for-every-endpoint": ("accepted", "OAuth2 is required for every endpoint."),
    "0006-sessions-in-postgresql": ("accepted", "Sessions are kept in PostgreSQL for 14 days."),
    "0007-graphql-gateway": ("rejected", "A GraphQL gateway stands before the API."),
    "0008-retries-with-backoff": ("accepted", "A delivery is retried 5 times with backoff."),
    "0009-event-log": ("proposed", "Every delivery is written to an event log."),
    "0010-two-regions": ("accepted", "The service runs in two regions."),
    "0010-three-replicas": ("accepted", "Each region runs 3 replicas."),
}


def _adr(name: str, status: str, decision: str) -> str:
    number, _, title = name.partition("-")
    heading = title.replace("-", " ").capitalize()
    return f"# {int(number)}. {heading}\n\nStatus: {status}\n\n## Decision\n\n{decision}\n"


def _line(text: str, word: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if word in line)


def _true_claims(commits: dict[str, str]) -> list[TrueClaim]:
    """Written with the repository: each is true and cites what bears it out."""
    notes, arch, ops = (
        "memory-bank/techContext.md",
        "memory-bank/architecture.md",
        "docs/operations.md",
    )

    def at(path: str, text: str, word: str) -> str:
        return f"`{path}:{_line(text, word)}`"

    config, queue, api, service = (
        "src/courier/config.py",
        "src/courier/delivery.py",
        "src/courier/api.py",
        "config/service.yaml",
    )
    lines = [
        (notes, f"The service listens on port 8443 ({at(config, CONFIG, 'PORT = 8443')})."),
        (notes, f"Metrics are served on port 9102 ({at(config, CONFIG, 'METRICS_PORT')})."),
        (notes, f"A request times out after 30 seconds ({at(config, CONFIG, 'REQUEST_TIMEOUT')})."),
        (notes, f"A delivery is retried at most 5 times ({at(config, CONFIG, 'MAX_RETRIES')})."),
        (notes, f"Deliveries are sent in batches of 200 ({at(config, CONFIG, 'BATCH_SIZE')})."),
        (notes, f"Cached answers live for 900 seconds ({at(config, CONFIG, 'CACHE_TTL')})."),
        (notes, f"The queue is named deliveries ({at(config, CONFIG, 'QUEUE_NAME')})."),
        (notes, f"The log level is info ({at(config, CONFIG, 'LOG_LEVEL')})."),
        (notes, f"Sessions are kept for 14 days ({at(config, CONFIG, 'SESSION_DAYS')})."),
        (arch, f"The queue holds at most 10000 items ({at(queue, QUEUE, 'limit: int')})."),
        (arch, f"A full queue raises OverflowError ({at(queue, QUEUE, 'OverflowError')})."),
        (arch, f"A payload without an address is answered with 422 ({at(api, API, '422')})."),
        (arch, f"An accepted delivery is answered with 202 ({at(api, API, '202')})."),
        (arch, f"The API version is v2 ({at(api, API, 'API_VERSION')})."),
        (arch, f"A request body holds at most 1048576 bytes ({at(api, API, 'MAX_BODY')})."),
        (ops, f"The service runs with 3 replicas ({at(service, SERVICE, 'replicas')})."),
        (
            ops,
            f"Each replica is limited to 512 MiB of memory ({at(service, SERVICE, 'memory_limit')}).",
        ),
        (ops, f"The database is PostgreSQL 15 ({at(service, SERVICE, 'version')})."),
        (ops, f"The connection pool holds 20 connections ({at(service, SERVICE, 'pool_size')})."),
        (ops, f"A token is valid for 60 minutes ({at(service, SERVICE, 'token_minutes')})."),
        (arch, "Per ADR-0001, the ledger uses PostgreSQL 15."),
        (arch, "Per ADR-0002, deliveries wait in one bounded queue in memory."),
        (arch, "Clients must talk JSON over HTTP (ADR-0003)."),
        (arch, "OAuth2 is required for every endpoint (ADR-0005)."),
        (arch, "Sessions are kept in PostgreSQL for 14 days (ADR-0006)."),
        (arch, "A delivery is retried 5 times with backoff, per ADR-0008."),
        (
            arch,
            "Every client must authenticate with OAuth2, see [ADR-0005](../docs/adr/0005-oauth2-for-every-endpoint.md).",
        ),
        (
            arch,
            "The choice of one queue is recorded in [ADR-0002](../docs/adr/0002-one-queue-in-memory.md).",
        ),
        *((notes, f"{what} in commit {commits[key][:10]}.") for key, what in _LANDED.items()),
        (ops, f"The first version of the queue came with commit {commits['queue'][:12]}."),
        (ops, f"The health endpoint was added in commit {commits['api'][:8]}."),
    ]
    return [TrueClaim(text, path) for path, text in lines]


_LANDED = {
    "config": "The settings were added",
    "queue": "The delivery queue was added",
    "api": "The HTTP endpoints were added",
    "service": "The service configuration was added",
    "adrs": "The decisions were recorded",
    "move": "The queue module was renamed to delivery",
    "merge": "The session work was merged",
}


class Shipped(NamedTuple):
    """The built repository: its work tree, its commits by name, its true claims."""

    root: str
    commits: dict[str, str]
    claims: list[TrueClaim]


class _Builder:
    def __init__(self, directory: str) -> None:
        self.root = f"{directory}/courier"
        self.clock = 1_700_000_000
        os.makedirs(self.root)
        self.git("init", "--quiet", "--initial-branch=main")

    def git(self, *args: str, author: str = "Ana <ana@example.org>") -> str:
        name, _, address = author.rstrip(">").partition(" <")
        self.clock += 3600
        who = {
            f"GIT_{role}_{what}": value
            for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", name), ("EMAIL", address), ("DATE", f"{self.clock} +0000"))
        }
        env = {
            **environment(own=False),
            **who,
            "GIT_ALLOW_PROTOCOL": "file",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
        done = subprocess.run(
            ["git", *args], cwd=self.root, env=env, check=True, capture_output=True
        )
        return done.stdout.decode().strip()

    def commit(self, message: str, files: dict[str, str], author: str) -> str:
        for path, text in files.items():
            full = f"{self.root}/{path}"
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as file:
                file.write(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--message", message, author=author)
        return self.git("rev-parse", "HEAD")


def build(directory: str) -> Shipped:
    """Build the shipped repository below a directory; the same bytes and ids every time."""
    b, ana, ben = _Builder(directory), PEOPLE["ana"], PEOPLE["ben"]
    commits = {
        "config": b.commit(
            "Add settings",
            {"README.md": "# Courier\n\nDelivers parcels.\n", "src/courier/config.py": CONFIG},
            ana,
        )
    }
    commits["queue"] = b.commit("Add the delivery queue", {"src/courier/queue.py": QUEUE}, ben)
    commits["api"] = b.commit(
        "Add HTTP endpoints",
        {"src/courier/api.py": API, "src/courier/legacy.py": "OLD = True\n"},
        ana,
    )
    commits["service"] = b.commit(
        "Add service configuration", {"config/service.yaml": SERVICE}, ben
    )
    adrs = {f"docs/adr/{name}.md": _adr(name, *rest) for name, rest in ADRS.items()}
    commits["adrs"] = b.commit("Record decisions", adrs, ana)
    b.git("mv", "src/courier/queue.py", "src/courier/delivery.py")
    commits["move"] = b.commit("Rename queue to delivery", {}, ben)
    b.git("rm", "--quiet", "src/courier/legacy.py")
    commits["removal"] = b.commit("Remove the legacy module", {}, ana)
    b.git("checkout", "--quiet", "-b", "sessions")
    commits["sessions"] = b.commit(
        "Keep sessions in PostgreSQL", {"src/courier/sessions.py": "TABLE = 'sessions'\n"}, ben
    )
    b.git("checkout", "--quiet", "main")
    b.git("merge", "--quiet", "--no-ff", "--message", "Merge sessions", "sessions", author=ana)
    commits["merge"] = b.git("rev-parse", "HEAD")
    claims = _true_claims(commits)
    documents: dict[str, str] = {
        "CLAUDE.md": "# Courier\n\n@memory-bank/techContext.md\n\nRun the tests before every commit.\n"
    }
    for claim in claims:
        documents.setdefault(claim.path, "# Notes\n")
        documents[claim.path] += f"\n{claim.text}\n"
    message = "Write down what we know\n\nCo-Authored-By: " + AGENT
    commits["memory"] = b.commit(message, documents, AGENT)
    _surroundings(b, commits, directory)
    return Shipped(b.root, commits, claims)


def _surroundings(b: _Builder, commits: dict[str, str], directory: str) -> None:
    """A remote, an unmerged branch, names that look like object ids."""
    b.git("checkout", "--quiet", "-b", "experiment")
    commits["unmerged"] = b.commit(
        "Try an event log", {"src/courier/events.py": "EVENTS = True\n"}, PEOPLE["ben"]
    )
    b.git("checkout", "--quiet", "main")
    b.git("tag", "deadbee")
    b.git("branch", "facade1")
    b.git("clone", "--quiet", "--bare", ".", f"{directory}/origin.git")
    b.git("remote", "add", "origin", f"{directory}/origin.git")
    b.git("fetch", "--quiet", "origin")
    b.git("update-ref", "-d", "refs/remotes/origin/experiment")
