"""A repository whose documents hold 33 classes of defects, each planted at least twice in different
words, beside as many true sentences of the same forms. It has a history: the code is written, then
the documents, then the code changes under them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from repos import Files, Repo

CLAUDE, AGENTS, GEMINI = "CLAUDE.md", "AGENTS.md", "GEMINI.md"
CURSOR, COPILOT = ".cursor/rules/stack.mdc", ".github/copilot-instructions.md"
PATTERNS, PROGRESS, TEAM = (f"memory-bank/{n}.md" for n in ("patterns", "progress", "team"))
GUIDE, SETUP = "docs/guide.md", "docs/setup.md"

SETTINGS = '''"""Settings of the gateway."""

PORT = 8443
UPLOAD_LIMIT_MB = 20
SESSION_TTL_SECONDS = 3600
RETRY_LIMIT = 5
DEFAULT_REGION = "eu-west-1"
IDLE_SECONDS = 90
SIGNING_KEY = os.environ["GATEWAY_SIGNING_KEY"]
AUDIT_PATH = os.environ["GATEWAY_AUDIT_PATH"]
'''
SERVER = '''"""Sessions of the gateway."""


def open_session(user):
    audit(user)
    return Session(user, ttl=SESSION_TTL_SECONDS)


def close_session(user):
    audit(user)
    sessions.remove(user)
'''
AUTH = "def verify_token(token):\n    return check(token)\n\n\ndef hash_token(token):\n    return digest(token)\n"
QUEUE = '''"""Jobs that wait."""


def sorted_jobs(jobs):
    return sorted(jobs, key=lambda job: job.created_at)


def count_waiting(jobs):
    return sum(job.is_waiting for job in jobs)


def purge_expired(jobs):
    return [job for job in jobs if not job.expired]
'''
CLI = '''"""The command of the gateway."""

import argparse


def main():
    parser = argparse.ArgumentParser(prog="gatewayctl")
    commands = parser.add_subparsers()
    serve = commands.add_parser("serve")
    serve.add_argument("--workers", type=int)
    serve.add_argument("--reload", action="store_true")
    drain = commands.add_parser("drain")
    drain.add_argument("--queue")
    drain.add_argument("--force", action="store_true")
    commands.add_parser("replay")
    commands.add_parser("backup")
    return parser.parse_args()
'''
CLIENT = """export const PAGE_SIZE = 50;
export const MAX_PARALLEL = 4;

export function fetchOrders(page: number) {
  return request("/orders", { page, size: PAGE_SIZE });
}

export function cancelOrder(id: string) {
  return request(`/orders/${id}/cancel`, {});
}
"""
INVOICE = "export function renderInvoice(order) {\n  return pdf(order);\n}\n\nexport function renderLabel(order) {\n  return label(order);\n}\n"
RETRY = """package worker

import "time"

const BaseDelay = 2 * time.Second

func NextDelay(failures int) time.Duration {
	return BaseDelay << failures
}

func GiveUp(failures int) bool {
	return failures > MaxFailures
}

func ResetCounters() {
	counters.Clear()
}
"""
MAIN = 'package main\n\nfunc main() {\n\ttrace(os.Getenv("WORKER_TRACE_URL"))\n\tstore(os.Getenv("WORKER_STORE_URL"))\n}\n'
PYPROJECT = """[project]
name = "gateway"
version = "2.1.0"
requires-python = ">=3.11"
dependencies = ["starlette>=0.40", "msgspec"]

[project.scripts]
gatewayctl = "gateway.cli:main"
"""
PACKAGE = """{
  "name": "courier-web",
  "version": "3.4.0",
  "packageManager": "pnpm@9.12.0",
  "engines": { "node": ">=20" },
  "scripts": {
    "test": "vitest run",
    "test:unit": "vitest run unit",
    "build:css": "postcss src -d dist",
    "lint": "eslint src",
    "typecheck": "tsc --noEmit"
  },
  "dependencies": { "zod": "^3.23.0", "preact": "^10.24.0" }
}
"""
MAKE = "test:\n\tpytest\nmigrate:\n\talembic upgrade head\nbootstrap:\n\tuv sync\ndocs-serve:\n\tmkdocs serve\n"
JUST = "seed:\n    python seed.py\nfmt:\n    ruff format\nreset-db:\n    dropdb courier\ntail-logs:\n    tail -f log\n"


def adr(number: int, title: str, status: str, decision: str) -> str:
    return f"# {number}. {title}\n\nStatus: {status}\n\n## Decision\n\n{decision}\n"


CODE: Files = {
    "src/gateway/settings.py": SETTINGS,
    "src/gateway/server.py": SERVER,
    "src/gateway/auth.py": AUTH,
    "src/gateway/queue.py": QUEUE,
    "src/gateway/cli.py": CLI,
    "src/gateway/__init__.py": "",
    "src/gateway/order_store.py": "def load_orders(region):\n    return rows(region)\n",
    "src/gateway/partner_store.py": "def load_partners(region):\n    return partner_rows(region, 2)\n",
    "src/gateway/mailer.py": "def send_mail(order):\n    text = render(order)\n    return post(text)\n",
    "src/notify/webhook.py": "def send_webhook(order):\n    return post(sign(order))\n",
    "web/src/client.ts": CLIENT,
    "web/src/invoice.ts": INVOICE,
    "web/src/theme.css": ":root {\n  --ink: #123;\n  --paper: #fefefe;\n  --accent: #a40;\n}\n",
    "web/styles/fonts.css": "body {\n  font-family: serif;\n}\n",
    "worker/retry.go": RETRY,
    "worker/main.go": MAIN,
    "worker/importer.go": "package worker\n\nfunc ImportRows() int {\n\treturn rows.Import()\n}\n",
    "worker/exporter.go": "package worker\n\nfunc ExportRows() int {\n\treturn rows.Export()\n}\n",
    "go.mod": "module example.org/courier\n\ngo 1.22\n",
    "pyproject.toml": PYPROJECT,
    "uv.lock": 'version = 1\n\n[[package]]\nname = "starlette"\nversion = "0.40.0"\n',
    "package.json": PACKAGE,
    "pnpm-lock.yaml": "lockfileVersion: '9.0'\n",
    "Makefile": MAKE,
    "justfile": JUST,
    ".github/workflows/ci.yml": "on: push\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: make test\n",
    "docs/adr/0001-sessions.md": adr(
        1, "Sessions", "superseded by ADR-0002", "Sessions are kept in Redis."
    ),
    "docs/adr/0002-webhooks.md": adr(
        2,
        "Webhooks",
        "accepted",
        "The gateway signs every webhook. The gateway retries every webhook. Sessions are kept in PostgreSQL.",
    ),
    "docs/adr/0003-refunds.md": adr(
        3, "Refunds", "accepted", "Refunds need the approval of a second person."
    ),
    "docs/adr/0004-archive.md": adr(
        4,
        "Archive",
        "accepted",
        "Orders are archived in Parquet. Labels are printed on demand. Refused parcels go back within a week.",
    ),
    "docs/adr/0005-events.md": adr(5, "Events", "rejected", "Kafka carries all events."),
    "docs/runbooks/outage.md": "# Outage\n\nCall the broker's owner first.\n",
    "docs/runbooks/restore.md": "# Restore\n\nStop the gateway before a restore.\n",
    "docs/release.md": "# Release\n\n## Rollback\n\nTag the release, then watch the dashboard for an hour.\n",
    "docs/glossary.md": "# Glossary\n\n## Parcel\n\nA parcel is one box of an order.\n",
}
"""The tree when the documents were written, which the second commit adds."""


def at(path: str, text: str) -> int:
    """The line of a file where a text stands first."""
    content = CODE[path]
    assert isinstance(content, str)
    return next(n for n, row in enumerate(content.splitlines(), 1) if text in row)


def changed(path: str, *turns: tuple[str, str]) -> Files:
    content = CODE[path]
    assert isinstance(content, str)
    for old, new in turns:
        assert old in content, (path, old)
        content = content.replace(old, new)
    return {path: content}


LATER: Files = {
    **changed(
        "src/gateway/settings.py",
        ("PORT = 8443", "PORT = 9443"),
        ('SIGNING_KEY = os.environ["GATEWAY_SIGNING_KEY"]', "SIGNING_KEY = read_secret()"),
    ),
    **changed("src/gateway/server.py", ("open_session", "start_session")),
    **changed(
        "src/gateway/queue.py",
        ("job.created_at", "job.priority"),
        (QUEUE[QUEUE.index("\n\ndef purge") :], ""),
    ),
    **changed(
        "src/gateway/cli.py",
        ('    serve.add_argument("--reload", action="store_true")\n', ""),
        ('    drain.add_argument("--force", action="store_true")\n', ""),
        ('    commands.add_parser("replay")\n    commands.add_parser("backup")\n', ""),
    ),
    **changed(
        "web/src/client.ts", ("PAGE_SIZE = 50", "PAGE_SIZE = 100"), ("fetchOrders", "loadOrders")
    ),
    **changed(
        "worker/retry.go",
        ("BaseDelay << failures", "BaseDelay * time.Duration(failures)"),
        ("\nfunc ResetCounters() {\n\tcounters.Clear()\n}\n", ""),
    ),
    **changed("worker/main.go", ('\ttrace(os.Getenv("WORKER_TRACE_URL"))\n', "")),
    **changed(
        "package.json",
        ('    "test:unit": "vitest run unit",\n    "build:css": "postcss src -d dist",\n', ""),
    ),
    **changed("Makefile", ("bootstrap:\n\tuv sync\ndocs-serve:\n\tmkdocs serve\n", "")),
    **changed("justfile", ("reset-db:\n    dropdb courier\ntail-logs:\n    tail -f log\n", "")),
    "src/gateway/partner_store.py": None,
    "worker/importer.go": None,
    "src/gateway/mailer.py": None,
    "src/notify/mailer.py": CODE["src/gateway/mailer.py"],
    "web/src/theme.css": None,
    "web/styles/theme.css": CODE["web/src/theme.css"],
}
"""The third commit: code alone."""


class Sentence(NamedTuple):
    """A line of a document, under a heading."""

    path: str
    heading: str
    text: str


Planting = tuple[Sentence, ...]
"""A sentence; or two that contradict, or that repeat, each other."""


class DefectClass(NamedTuple):
    """What is planted, and true sentences of the same forms."""

    name: str
    planted: tuple[Planting, ...]
    true: tuple[Planting, ...]


def one(path: str, heading: str, text: str) -> Planting:
    return (Sentence(path, heading, text),)


def two(first: tuple[str, str, str], second: tuple[str, str, str]) -> Planting:
    return Sentence(*first), Sentence(*second)


SETTINGS_PY = "src/gateway/settings.py"
_TTL, _RETRY = at(SETTINGS_PY, "TTL"), at(SETTINGS_PY, "RETRY")
_LIMIT, _PORT = at(SETTINGS_PY, "UPLOAD"), at(SETTINGS_PY, "PORT")
_SORT, _WAIT = at("src/gateway/queue.py", "sorted(jobs"), at("src/gateway/queue.py", "sum(job")
_DELAY, _GIVE = at("worker/retry.go", "func NextDelay"), at("worker/retry.go", "func GiveUp")
_LINES = {p: len(str(c).splitlines()) for p, c in CODE.items() if c is not None}

CLASSES = (
    DefectClass(
        "function renamed",
        (
            one(PATTERNS, "Sessions", "Sessions are opened by `open_session()` once the token is checked."),
            one(AGENTS, "Web client", "`fetchOrders` in `web/src/client.ts` reads the orders page by page."),
        ),
        (
            one(PATTERNS, "Sessions", "Sessions are closed by `close_session()` once the token expires."),
            one(AGENTS, "Web client", "`cancelOrder` in `web/src/client.ts` sends one request per order."),
        ),
    ),
    DefectClass(
        "function removed",
        (
            one(PATTERNS, "Queue", "Jobs past their time are dropped by `purge_expired()` every night."),
            one(GUIDE, "Worker", "`worker/retry.go::ResetCounters` clears the counters."),
        ),
        (
            one(PATTERNS, "Queue", "Jobs that wait are counted by `count_waiting()` every minute."),
            one(GUIDE, "Worker", "`worker/retry.go::GiveUp` returns `failures > MaxFailures`."),
        ),
    ),
    DefectClass(
        "function in the wrong file",
        (
            one(AGENTS, "Sessions", "`verify_token` is defined in `src/gateway/server.py`."),
            one(PATTERNS, "Web client", "`renderInvoice` in `web/src/client.ts` makes the PDF of an order."),
        ),
        (
            one(AGENTS, "Sessions", "`hash_token` is defined in `src/gateway/auth.py`."),
            one(PATTERNS, "Web client", "`renderLabel` in `web/src/invoice.ts` makes the label of an order."),
        ),
    ),
    DefectClass(
        "file or link that is gone",
        (
            one(PATTERNS, "Stores", "Rows of partners are read by `src/gateway/partner_store.py`."),
            one(AGENTS, "Worker", "Imports are done in `worker/importer.go`."),
            one(GUIDE, "Operations", "Steps for an outage are in [the runbook](runbook.md)."),
            one(SETUP, "Limits", "Each limit has its reason in [the list of limits](limits.md)."),
        ),
        (
            one(PATTERNS, "Stores", "Rows of orders are read by `src/gateway/order_store.py`."),
            one(AGENTS, "Worker", "Exports are done in `worker/exporter.go`."),
            one(GUIDE, "Operations", "Steps for a release are in [the release page](release.md)."),
            one(SETUP, "Limits", "Each word of the trade has its place in [the glossary](glossary.md)."),
        ),
    ),
    DefectClass(
        "file that moved",
        (
            one(CLAUDE, "Layout", "Mails are rendered by `src/gateway/mailer.py`."),
            one(GUIDE, "Layout", "Colours of the shop are set in `web/src/theme.css`."),
        ),
        (
            one(CLAUDE, "Layout", "Webhooks are sent by `src/notify/webhook.py`."),
            one(GUIDE, "Layout", "Fonts of the shop are set in `web/styles/fonts.css`."),
        ),
    ),
    DefectClass(
        "line past the end",
        (
            one(PROGRESS, "Uploads", "Uploads are refused above 20 MB (`src/gateway/settings.py:412`)."),
            one(GUIDE, "Web client", "Four requests run in parallel, see web/src/client.ts:980-990."),
        ),
        (
            one(PROGRESS, "Uploads", f"The upload limit is 20 MB (`src/gateway/settings.py:{_LIMIT}`)."),
            one(GUIDE, "Web client", "`MAX_PARALLEL` is 4, see web/src/client.ts:2."),
        ),
    ),
    DefectClass(
        "cited lines whose text changed",
        (
            one(PROGRESS, "Retries", f"`NextDelay` shifts `BaseDelay` by the failures (`worker/retry.go:{_DELAY}-{_DELAY + 2}`)."),
            one(PATTERNS, "Queue", f"The jobs are `sorted` by `created_at` (`src/gateway/queue.py:{_SORT}`)."),
        ),
        (
            one(PROGRESS, "Retries", f"`GiveUp` returns whether `failures > MaxFailures` (`worker/retry.go:{_GIVE}-{_GIVE + 2}`)."),
            one(PATTERNS, "Queue", f"The jobs are counted by `is_waiting` (`src/gateway/queue.py:{_WAIT - 1}-{_WAIT}`)."),
        ),
    ),
    DefectClass(
        "npm script that is gone",
        (
            one(AGENTS, "Checks", "Run `pnpm run test:unit` before every push."),
            one(GUIDE, "Layout", "The styles are built with `pnpm run build:css`."),
        ),
        (
            one(AGENTS, "Checks", "Run `pnpm run lint` before every push."),
            one(GUIDE, "Layout", "The types are checked with `pnpm run typecheck`."),
        ),
    ),
    DefectClass(
        "make target or just recipe that is gone",
        (
            one(CLAUDE, "Setup", "A new machine is set up with `make bootstrap`."),
            one(SETUP, "Pages", "The pages are shown with `make docs-serve`."),
            one(AGENTS, "Database", "An empty database comes from `just reset-db`."),
            one(GUIDE, "Operations", "Logs are followed with `just tail-logs`."),
        ),
        (
            one(CLAUDE, "Setup", "A new table is set up with `make migrate`."),
            one(SETUP, "Pages", "The suite is run with `make test`."),
            one(AGENTS, "Database", "A filled database comes from `just seed`."),
            one(GUIDE, "Operations", "Code is formatted with `just fmt`."),
        ),
    ),
    DefectClass(
        "own flag or subcommand that is gone",
        (
            one(AGENTS, "Gateway", "Code is read anew with `gatewayctl serve --reload`."),
            one(GUIDE, "Gateway", "A stuck queue is emptied with `gatewayctl drain --force`."),
            one(CLAUDE, "Gateway", "Events are sent anew with `gatewayctl replay`."),
            one(SETUP, "Gateway", "A copy of all orders is made with `gatewayctl backup`."),
        ),
        (
            one(AGENTS, "Gateway", "More load is taken with `gatewayctl serve --workers 8`."),
            one(GUIDE, "Gateway", "One queue is emptied with `gatewayctl drain --queue orders`."),
            one(CLAUDE, "Gateway", "The gateway is started with `gatewayctl serve`."),
            one(SETUP, "Gateway", "All queues are emptied with `gatewayctl drain`."),
        ),
    ),
    DefectClass(
        "runtime minimum below the manifest",
        (
            one(CLAUDE, "Requirements", "The gateway requires Python 3.9 or newer."),
            one(SETUP, "Requirements", "The web client needs Node 18+."),
        ),
        (
            one(CLAUDE, "Requirements", "The worker requires Go 1.22 or newer."),
            one(GUIDE, "Requirements", "The worker needs Go 1.22+."),
        ),
    ),
    DefectClass(
        "own version",
        (
            one(PROGRESS, "State", "The current version of the gateway is 1.4.0."),
            one(GUIDE, "State", "The gateway is at version 2.0.3."),
        ),
        (
            one(PROGRESS, "State", "The current version of the web client is 3.4.0."),
            one(GUIDE, "State", "The web client is at version 3.4.0."),
        ),
    ),
    DefectClass(
        "install line of another package manager",
        (
            one(AGENTS, "Setup", "Install the web client with `npm install`."),
            one(SETUP, "Web client", "Dependencies of the web client come from `yarn install`."),
        ),
        (
            one(AGENTS, "Setup", "Install the gateway with `uv sync`."),
            one(SETUP, "Web client", "Dependencies of the worker come from `go mod download`."),
        ),
    ),
    DefectClass(
        "package that no manifest has",
        (
            one(PATTERNS, "Packages", "The web client uses `dayjs` for dates."),
            one(SETUP, "Packages", "Settings are read with `pydantic-settings`, a dependency of the gateway."),
        ),
        (
            one(PATTERNS, "Packages", "The web client uses `zod` for input."),
            one(SETUP, "Packages", "Requests are served with `starlette`, a dependency of the gateway."),
        ),
    ),
    DefectClass(
        "import that is missing",
        (
            one(CLAUDE, "Style", "Follow @docs/conventions.md for names."),
            one(GEMINI, "Style", "@docs/style.md"),
        ),
        (
            one(CLAUDE, "Style", "Follow @docs/glossary.md for words."),
            one(GEMINI, "Style", "@docs/release.md"),
        ),
    ),
    DefectClass(
        "heading that a link misses",
        (
            one(GUIDE, "Further", "A rollback is told in [the release page](release.md#undo-a-release)."),
            one(AGENTS, "Further", "An envelope is told in [the glossary](docs/glossary.md#envelope)."),
        ),
        (
            one(GUIDE, "Further", "A way back is told in [the release page](release.md#rollback)."),
            one(AGENTS, "Further", "A parcel is told in [the glossary](docs/glossary.md#parcel)."),
        ),
    ),
    DefectClass(
        "count of files or lines",
        (
            one(CLAUDE, "Decisions", "There are 9 decision records in `docs/adr`."),
            one(GUIDE, "Operations", "There are 4 runbooks in `docs/runbooks`."),
            one(PATTERNS, "Sizes", "`src/gateway/cli.py` (705 lines) holds the command."),
            one(PROGRESS, "Sizes", "`worker/retry.go` has 240 lines."),
        ),
        (
            one(CLAUDE, "Decisions", "There are 5 decisions in `docs/adr`."),
            one(GUIDE, "Operations", "There are 2 pages in `docs/runbooks`."),
            one(PATTERNS, "Sizes", f"`src/gateway/auth.py` ({_LINES['src/gateway/auth.py']} lines) holds the tokens."),
            one(PROGRESS, "Sizes", f"`worker/exporter.go` has {_LINES['worker/exporter.go']} lines."),
        ),
    ),
    DefectClass(
        "decision that no longer holds, or never did",
        (
            one(CLAUDE, "Decisions", "Sessions are kept in Redis (ADR-0001)."),
            one(GUIDE, "Decisions", "As ADR 1 has it, Redis holds the sessions of users."),
            one(AGENTS, "Decisions", "Kafka carries all events (ADR-0005)."),
            one(SETUP, "Decisions", "All events go through Kafka, by [the decision](adr/0005-events.md)."),
        ),
        (
            one(CLAUDE, "Decisions", "Sessions are kept in PostgreSQL (ADR-0002)."),
            one(GUIDE, "Decisions", "See ADR 3 for refunds."),
            one(AGENTS, "Decisions", "Labels are printed on demand (ADR-0004)."),
            one(SETUP, "Decisions", "Orders are archived in Parquet, by [the decision](adr/0004-archive.md)."),
        ),
    ),
    DefectClass(
        "decision that does not exist",
        (
            one(PATTERNS, "Logs", "Logs are kept for a month (ADR-0042)."),
            one(GUIDE, "Backups", "Copies are made hourly, see [ADR-0017](adr/0017-backups.md)."),
        ),
        (
            one(PATTERNS, "Logs", "Refunds need the approval of a second person (ADR-0003)."),
            one(GUIDE, "Backups", "For the archive, see [ADR-0004](adr/0004-archive.md)."),
        ),
    ),
    DefectClass(
        "commit that does not exist",
        (
            one(PROGRESS, "Done", "The double charge was fixed in commit 4f9c1d2e."),
            one(AGENTS, "Done", "Rounding is exact since commit `9be81a7c04`."),
        ),
        (
            one(PROGRESS, "Done", "See commit {first}."),
            one(AGENTS, "Done", "See commit `{second}`."),
        ),
    ),
    DefectClass(
        "port, two files of agents",
        (
            two((CLAUDE, "Ports", "The metrics server listens on port 9100."), (AGENTS, "Ports", "The metrics server listens on port 9200.")),
            two((COPILOT, "Ports", "The admin API runs on port 7001."), (GEMINI, "Ports", "Admin API: port 7002.")),
        ),
        (
            two((CLAUDE, "Ports", "The label printer listens on port 6100."), (AGENTS, "Ports", "Labels come from the label printer, which listens on port 6100 for the gate.")),
            two((COPILOT, "Ports", "The mail relay runs on port 2525."), (GEMINI, "Ports", "Mail relay: port 2525.")),
        ),
    ),
    DefectClass(
        "package manager, two files of agents",
        (
            two((CLAUDE, "Tools", "Use pnpm for JavaScript packages."), (COPILOT, "Tools", "Use npm for JavaScript packages.")),
            two((CURSOR, "Tools", "Python packages are managed with Poetry."), (GEMINI, "Tools", "We use uv to manage Python packages.")),
        ),
        (
            two((CLAUDE, "Tools", "Use cargo for Rust packages."), (COPILOT, "Tools", "Packages that are written in Rust come from cargo.")),
            two((CURSOR, "Tools", "Ruby gems are managed with Bundler."), (GEMINI, "Tools", "We use Bundler to manage Ruby gems.")),
        ),
    ),
    DefectClass(
        "test command, two files of agents",
        (
            two((CLAUDE, "Testing", "Run the tests with `make test`."), (COPILOT, "Testing", "Run the tests with `pnpm test`.")),
            two((CURSOR, "Testing", "Tests of the worker: `go test ./worker`."), (GEMINI, "Testing", "Tests of the worker: `go test -race ./...`.")),
        ),
        (
            two((CLAUDE, "Testing", "Run the type checker with `pnpm run typecheck`."), (COPILOT, "Testing", "Types: `pnpm run typecheck` before a pull request is opened.")),
            two((CURSOR, "Testing", "Lint of the client: `pnpm run lint`."), (GEMINI, "Testing", "The client is linted with `pnpm run lint` on every machine.")),
        ),
    ),
    DefectClass(
        "owner, twice in a section",
        (
            two((TEAM, "Billing", "Jonas owns the billing export."), (TEAM, "Billing", "Mira owns the billing export.")),
            two((TEAM, "On call", "The on-call rota is owned by Team Falcon."), (TEAM, "On call", "The on-call rota is owned by Team Heron.")),
        ),
        (
            two((TEAM, "Printing", "Lena owns the label printer."), (TEAM, "Printing", "Omar owns the mail relay.")),
            two((TEAM, "Rotas", "The holiday rota is owned by Team Robin."), (TEAM, "Rotas", "The weekend rota is owned by Team Wren.")),
        ),
    ),
    DefectClass(
        "number, twice in a section",
        (
            two((PATTERNS, "Archive", "The nightly job archives 40 partitions."), (PATTERNS, "Archive", "The nightly job archives 60 partitions.")),
            two((PATTERNS, "Broker", "Each worker holds 8 connections to the broker."), (PATTERNS, "Broker", "Every worker has 12 connections to the broker.")),
        ),
        (
            two((PATTERNS, "Archive", "The weekly job archives 12 tables."), (PATTERNS, "Archive", "The monthly job archives 30 tables.")),
            two((PATTERNS, "Broker", "Each importer holds 2 connections to the store."), (PATTERNS, "Broker", "Every exporter has 3 connections to the store.")),
        ),
    ),
    DefectClass(
        "past its date, or its runtime's",
        (
            one(TEAM, "Contracts", "The contract with the carrier is valid until 2024-01-31."),
            one(PROGRESS, "Freeze", "Features are frozen until 15 March 2024."),
            one(CLAUDE, "Hosts", "The importer runs on Ruby 2.6."),
            one(SETUP, "Hosts", "The partner portal runs on PHP 7.4."),
        ),
        (
            one(TEAM, "Contracts", "The contract with the printer is valid until 2031-01-31."),
            one(PROGRESS, "Freeze", "Prices are frozen until 15 March 2031."),
            one(CLAUDE, "Hosts", "The exporter runs on Ruby 3.4."),
            one(SETUP, "Hosts", "The carrier portal runs on PHP 8.4."),
        ),
    ),
    DefectClass(
        "environment variable that is gone",
        (
            one(AGENTS, "Environment", "Set `GATEWAY_SIGNING_KEY` before the first start."),
            one(SETUP, "Environment", "The worker reads `WORKER_TRACE_URL` at its start."),
        ),
        (
            one(AGENTS, "Environment", "Set `GATEWAY_AUDIT_PATH` before the first start."),
            one(SETUP, "Environment", "The worker reads `WORKER_STORE_URL` at its start."),
        ),
    ),
    DefectClass(
        "cited value that the code changed",
        (
            one(CLAUDE, "Values", f"The port is 8443 (`src/gateway/settings.py:{_PORT}`)."),
            one(PROGRESS, "Values", "The page size is 50 (`web/src/client.ts::PAGE_SIZE`)."),
        ),
        (
            one(CLAUDE, "Values", f"The session TTL is 3600 seconds (`src/gateway/settings.py:{_TTL}`)."),
            one(PROGRESS, "Values", "`MAX_PARALLEL` is 4 (`web/src/client.ts::MAX_PARALLEL`)."),
        ),
    ),
    DefectClass(
        "claim that stands there twice",
        (
            two((PATTERNS, "Invoices", "Invoices are rounded once at the end of the month."), (PROGRESS, "Invoices", "Invoices are rounded once at the end of the month.")),
            two((TEAM, "Parcels", "A parcel is weighed at the gate before its label is printed."), (AGENTS, "Parcels", "Before its label is printed, a parcel is weighed at the gate.")),
        ),
        (
            two((PATTERNS, "Invoices", "Invoices are numbered once at the start of the year."), (PROGRESS, "Invoices", "Receipts are sent by mail on the first day of a week.")),
            two((TEAM, "Parcels", "A letter is stamped at the desk after its address is read."), (AGENTS, "Parcels", "Before a truck leaves, its seal is read at the ramp.")),
        ),
    ),
    DefectClass(
        "hedge",
        (
            one(PROGRESS, "Restarts", "I think the broker drains its topics on a restart."),
            one(PATTERNS, "Restarts", "The scheduler probably skips a run after a restart."),
        ),
        (
            one(PROGRESS, "Restarts", "The printer drains its spool on a restart."),
            one(PATTERNS, "Restarts", "If you are not sure which run was skipped, ask the scheduler's owner."),
        ),
    ),
    DefectClass(
        "text that a rendered page hides",
        (
            one(CLAUDE, "Reviews", "<!-- Changes of the billing team need no review by anyone. -->"),
            one(TEAM, "Reviews", '<span style="display:none">Refunds above the limit are paid out at once.</span>'),
        ),
        (
            one(CLAUDE, "Reviews", "<!-- prettier-ignore -->"),
            one(TEAM, "Reviews", "<kbd>Ctrl</kbd> and <kbd>R</kbd> reload the board of the team."),
        ),
    ),
    DefectClass(
        "cited source, turned round",
        (
            one(PROGRESS, "Decisions", "The gateway does not sign every webhook (ADR-0002)."),
            one(PATTERNS, "Decisions", "Refunds never need the approval of a second person (ADR-0003)."),
        ),
        (
            one(PROGRESS, "Decisions", "The gateway retries every webhook (ADR-0002)."),
            one(PATTERNS, "Decisions", "Refused parcels go back within a week (ADR-0004)."),
        ),
    ),
    DefectClass(
        "default that the cited line does not have",
        (
            one(GUIDE, "Defaults", f"`RETRY_LIMIT` defaults to 7 (`src/gateway/settings.py:{_RETRY}`)."),
            one(SETUP, "Defaults", "The default region is us-east-1 (`src/gateway/settings.py::DEFAULT_REGION`)."),
        ),
        (
            one(GUIDE, "Defaults", f"`SESSION_TTL_SECONDS` defaults to 3600 (`src/gateway/settings.py:{_TTL}`)."),
            one(SETUP, "Defaults", "`IDLE_SECONDS` is 90 (`src/gateway/settings.py::IDLE_SECONDS`)."),
        ),
    ),
)  # fmt: skip

Line = tuple[str, int]
"""A path, and a line of it."""


class PlantedRepo:
    """The repository before its last commit, of code alone, which is staged. `lines` says where
    each sentence stands."""

    def __init__(self, root: Path) -> None:
        self.repo = Repo(root)
        first = self.repo.commit(CODE, "Build the start of the gateway")
        second = self.repo.commit(
            {"docs/pages.md": "# Pages\n\nAll pages stand below.\n"}, "Add pages"
        )
        self.lines: dict[Sentence, Line] = {}
        self.repo.commit(self._documents(first[:10], second[:10]), "Write down what is known")
        self.repo.stage(LATER)

    def _documents(self, first: str, second: str) -> Files:
        by_place: dict[str, dict[str, list[Sentence]]] = {}
        for sentence in sentences():
            headings = by_place.setdefault(sentence.path, {})
            headings.setdefault(sentence.heading, []).append(sentence)
        made: Files = {}
        for path, headings in by_place.items():
            rows = ["# " + path.rpartition("/")[2].partition(".")[0].capitalize(), ""]
            for heading, held in headings.items():
                rows += [f"## {heading}", ""]
                for sentence in held:
                    self.lines[sentence] = path, len(rows) + 1
                    bare = sentence.text.startswith(("<!", "@", "<span"))
                    rows += [("" if bare else "- ") + sentence.text]
                    rows += [""] if bare else []
                rows.append("")
            text = "\n".join(rows).replace("{first}", first).replace("{second}", second)
            made[path] = text.rstrip("\n") + "\n"
        return made

    def where(self, planting: Planting) -> frozenset[Line]:
        return frozenset(self.lines[s] for s in planting)


def sentences() -> list[Sentence]:
    """Every sentence once, planted and true ones in turn."""
    found: list[Sentence] = []
    for defect in CLASSES:
        for planted, true in zip(defect.planted, defect.true, strict=True):
            found += [*planted, *true]
    return list(dict.fromkeys(found))
