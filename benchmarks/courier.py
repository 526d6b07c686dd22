"""The files of the shipped repository: a courier service, its decisions, and what is true of it."""

from __future__ import annotations

from typing import NamedTuple


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
  engine: PostgreSQL 15
  version: 15
  pool_size: 20
auth:
  method: oauth2
  token_minutes: 60
support:
  ends: 2027-03-31
"""
ADRS = {
    "0001-postgresql-for-the-ledger": ("accepted", "We use PostgreSQL 15 for the ledger."),
    "0002-one-queue-in-memory": ("accepted", "Deliveries wait in one bounded queue in memory."),
    "0003-json-over-http": ("accepted", "Clients must talk JSON over HTTP; the API version is v2."),
    "0004-redis-for-sessions": ("superseded by ADR-0006", "Sessions are kept in Redis."),
    "0005-oauth2-for-every-endpoint": ("accepted", "OAuth2 is required for every endpoint."),
    "0006-sessions-in-postgresql": ("accepted", "Sessions are kept in PostgreSQL for 14 days."),
    "0007-graphql-gateway": ("rejected", "A GraphQL gateway stands before the API."),
    "0008-retries-with-backoff": ("accepted", "A delivery is retried 5 times with backoff."),
    "0009-event-log": ("proposed", "Every delivery is written to an event log."),
    "0010-two-regions": ("accepted", "The service runs in two regions."),
    "0010-three-replicas": ("accepted", "Each region runs 3 replicas."),
}


def adr(name: str, status: str, decision: str) -> str:
    number, _, title = name.partition("-")
    heading = title.replace("-", " ").capitalize()
    return f"# {int(number)}. {heading}\n\nStatus: {status}\n\n## Decision\n\n{decision}\n"


def _line(text: str, word: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if word in line)


def true_claims(commits: dict[str, str]) -> list[TrueClaim]:
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
            f"A replica has 512 MiB of memory ({at(service, SERVICE, 'memory_limit')}).",
        ),
        (ops, f"The database is PostgreSQL 15 ({at(service, SERVICE, 'engine')})."),
        (ops, f"The connection pool holds 20 connections ({at(service, SERVICE, 'pool_size')})."),
        (ops, f"A token is valid for 60 minutes ({at(service, SERVICE, 'token_minutes')})."),
        (ops, f"Support ends on 2027-03-31 ({at(service, SERVICE, 'ends')})."),
        (
            ops,
            f"The service never runs as one replica ({at(service, SERVICE, 'replicas')}).",
        ),
        (arch, f"A delivery is always appended to the queue ({at(queue, QUEUE, 'items.append')})."),
        (arch, f"The health endpoint returns the status ok ({at(api, API, 'status')})."),
        (arch, "Per ADR-0001, the ledger uses PostgreSQL 15."),
        (arch, "Per ADR-0002, deliveries wait in one bounded queue in memory."),
        (arch, "Clients must talk JSON over HTTP (ADR-0003)."),
        (arch, "OAuth2 is required for every endpoint (ADR-0005)."),
        (arch, "Sessions are kept in PostgreSQL for 14 days (ADR-0006)."),
        (arch, "A delivery is retried 5 times with backoff, per ADR-0008."),
        (
            arch,
            "Every client must authenticate with OAuth2, "
            "see [ADR-0005](../docs/adr/0005-oauth2-for-every-endpoint.md).",
        ),
        (
            arch,
            "The choice of one queue is recorded in "
            "[ADR-0002](../docs/adr/0002-one-queue-in-memory.md).",
        ),
        (arch, "Sessions are no longer kept in Redis (ADR-0006)."),
        (arch, "The delivery queue is implemented in `src/courier/delivery.py`."),
        (arch, "The session table is named in `src/courier/sessions.py`."),
        (notes, "All settings are constants in `src/courier/config.py`."),
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
