"""What a place of a source licenses, check by check: every false claim beside its true twin."""

from __future__ import annotations

import pytest

from grounded_ingest.model.claims import Strength, Support
from grounded_ingest.support.excerpt import adr_excerpt, cited_lines, commit
from grounded_ingest.support.source import SourceText
from grounded_ingest.support.verdict import judge

SETTINGS = """\
GATEWAY_PORT = 8443
METRICS_PORT = 9102
CACHE_ENABLED = False
TIMEOUT = 300
RETRIES = 5
# RETRY_BACKOFF = 20
"""
LEDGER = '''\
def append(entry):
    """Entries are appended once and never changed."""
    if not entry.balanced:
        raise UnbalancedError(entry)
    store.write(entry)
    audit.log(entry)


def verify_token(token):
    return decode(token)
'''
ADR = """\
# 3. Keep the ledger in PostgreSQL

Status: accepted

## Context

Backups were taken by hand.

## Considered options

We considered MongoDB. MongoDB keeps documents without a schema.

## Decision

The ledger is kept in PostgreSQL. Only the owner may read it, unless an audit is open.
Events are hashed before they are stored. Drafts and invoices are kept for 10 years.
"""


def settings(first: int, last: int) -> SourceText:
    return cited_lines("src/settings.py", SETTINGS, first, last, code=True)


def ledger(first: int, last: int) -> SourceText:
    return cited_lines("src/ledger.py", LEDGER, first, last, code=True)


RECORD = adr_excerpt("docs/adr/0003-ledger.md", ADR)
CHANGE = commit("Convert NULL to empty strings in exports")

TWINS = [
    # check, false, true, source
    ("negation", "The cache is enabled.", "The cache is not enabled.", settings(3, 3)),
    ("value", "The gateway port is 9443.", "The gateway port is 8443.", settings(1, 1)),
    ("crossed", "The gateway port is 9102.", "The metrics port is 9102.", settings(1, 2)),
    ("silence", "The timeout of the login form is 300.", "The timeout is 300.", settings(4, 4)),
    (
        "dead code",
        "The retry backoff is 20.",
        "The retry backoff is commented out.",
        settings(6, 6),
    ),
    (
        "roles",
        "`decode` calls `verify_token`.",
        "`verify_token` calls `decode`.",
        ledger(9, 10),
    ),
    (
        "addition",
        "Entries are appended once, mailed and never changed.",
        "Entries are appended once and never changed.",
        ledger(2, 2),
    ),
    (
        "time",
        "The ledger is no longer kept in PostgreSQL.",
        "The ledger is kept in PostgreSQL.",
        RECORD,
    ),
    ("rejected", "The ledger is kept in MongoDB.", "The ledger is kept in PostgreSQL.", RECORD),
    ("context", "Backups are taken by hand.", "Events are hashed before they are stored.", RECORD),
    (
        "quantifier",
        "The owner may read it, unless an audit is open.",
        "Only the owner may read it, unless an audit is open.",
        RECORD,
    ),
    (
        "condition",
        "Only the owner may read it.",
        "Only the owner may read it, unless an audit is open.",
        RECORD,
    ),
    (
        "order",
        "Events are stored before they are hashed.",
        "Events are hashed before they are stored.",
        RECORD,
    ),
    (
        "cause",
        "The ledger is kept in PostgreSQL because of audits.",
        "The ledger is kept in PostgreSQL.",
        RECORD,
    ),
    ("bound", "The timeout is at most 300.", "The timeout is 300.", settings(4, 4)),
    (
        "which one",
        "`on_retry` is called on the last retry.",
        "`on_retry` is called on each retry.",
        cited_lines("src/retry.py", "# on_retry: called on each retry.\n", 1, 1, code=True),
    ),
    (
        "remark",
        "`quiet` counts logins.",
        "`quiet` does not count logins.",
        cited_lines("src/limit.js", "quiet: true, // Don't count logins\n", 1, 1, code=True),
    ),
    (
        "which key",
        "The default status of a player is `ready`.",
        "The default status of a player is `pending`.",
        cited_lines(
            "src/match.js",
            "status: {\nenum: ['pending', 'ready', 'playing'],\ndefault: 'pending'\n}\n",
            1,
            4,
            code=True,
        ),
    ),
    (
        "any",
        "All of `times` are below `LEAST`.",
        "Any of `times` is below `LEAST`.",
        cited_lines("src/bench.rs", "if times.iter().any(|&t| t < LEAST) {\n", 1, 1, code=True),
    ),
    ("unit", "Invoices are kept for 10 days.", "Invoices are kept for 10 years.", RECORD),
    (
        "direction",
        "Empty strings are converted to NULL in exports.",
        "NULL is converted to empty strings in exports.",
        CHANGE,
    ),
    (
        "letters",
        "The ledger is kept in P\u043estgreSQL.",
        "The ledger is kept in PostgreSQL.",
        RECORD,
    ),
    ("unseen", "The gateway port is n\u200bot 8443.", "The gateway port is 8443.", settings(1, 1)),
]


@pytest.mark.parametrize(("check", "false", "true", "source"), TWINS, ids=[t[0] for t in TWINS])
def test_the_false_twin_is_held_and_the_true_one_passes(
    check: str, false: str, true: str, source: SourceText
) -> None:
    assert judge(false, source).support is not Support.SUPPORTED, check
    told = judge(true, source)
    assert told.support is Support.SUPPORTED, told.differs


def test_the_message_names_the_word() -> None:
    told = judge("The timeout of the login form is 300.", settings(4, 4))
    assert "“login”" in told.differs or "“form”" in told.differs


@pytest.mark.parametrize(
    ("claim", "source", "strength"),
    [
        ("The gateway port is 8443.", settings(1, 1), Strength.FACT),
        ("The ledger is kept in PostgreSQL.", RECORD, Strength.QUOTE),
        ("In PostgreSQL the ledger is kept.", RECORD, Strength.MATCH),
        ("For the ledger in PostgreSQL, see the record.", RECORD, Strength.POINTER),
    ],
)
def test_how_strongly(claim: str, source: SourceText, strength: Strength) -> None:
    told = judge(claim, source)
    assert (told.support, told.strength) == (Support.SUPPORTED, strength), told.differs


def test_other_words_alone_are_a_paraphrase() -> None:
    assert judge("The book of accounts lives in PostgreSQL.", RECORD).paraphrase
    assert not judge("The ledger is never kept in PostgreSQL.", RECORD).paraphrase


def test_tests_speak_of_themselves_alone() -> None:
    source = cited_lines("tests/test_port.py", "PORT = 8443\n", 1, 1, code=True)
    assert judge("The port is 8443.", source).support is Support.UNSUPPORTED
    assert judge("The test port is 8443.", source).support is Support.SUPPORTED


def test_another_environment_says_nothing() -> None:
    source = cited_lines("deploy/staging.yaml", "pool:\n  size: 5\n", 1, 2, code=True)
    assert judge("The production pool size is 5.", source).support is Support.UNSUPPORTED
    assert judge("The staging pool size is 5.", source).support is Support.SUPPORTED
