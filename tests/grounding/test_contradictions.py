"""Which two claims cannot both hold, as a table in words of this project's own."""

from __future__ import annotations

import pytest

from grounded_ingest.facts.fact import Memory
from grounded_ingest.grounding.memory_index import Memories

CONTRADICTING = [
    ("Our database is MariaDB", "We use PostgreSQL as the database"),
    ("The port is 8080", "The port is 9090"),
    ("service-a listens on port 8080", "The port of service-a is 9090"),
    ("The request timeout is 30 s", "Requests have a 1 minute request timeout"),
    ("`timeout`: 30s", "`timeout`: 45s"),
    ("Setting: timeout; Value: 30s", "The timeout is 45 seconds"),
    ("Tokens expire after 15 minutes", "Tokens expire after an hour"),
    ("Python version is 3.11", "We run on Python 3.12"),
    ("The project is licensed under MIT", "The license is Apache-2.0"),
    ("The default branch is main", "The default branch is develop"),
    ("Failed jobs are retried 3 times", "Failed jobs are retried up to five times"),
    ("Logs are kept for 14 days", "Logs are retained for 30 days"),
    ("CI runs on Jenkins", "CI runs on GitHub Actions"),
    ("The worker polls every 5 minutes", "The worker polls every 30 seconds"),
    ("The API rate limit is 300 requests per minute", "The API rate limit is 10 requests per second"),
    ("The billing module is owned by the payments team", "The billing module is owned by the core team"),
    ("The release deadline is March 15, 2027", "The release deadline is 2027-04-01"),
    ("Authentication uses OAuth2", "Authentication uses SAML"),
    ("The staging port is 8080", "The staging port is 9090"),
    ("DB_POOL_SIZE=10", "DB_POOL_SIZE=25"),
    ("The feature flag is enabled", "The feature flag is disabled"),
    ("The exporter requires Redis", "The exporter does not require Redis"),
    ("Services communicate over gRPC", "Services communicate over REST"),
    ("User works at Nokia", "User works at Ericsson"),
    ("User lives in Turin", "User lives in Milan"),
    ("User is a nurse", "User is a dentist"),
    ("User's favorite tea is oolong", "User's favourite tea is sencha"),
    ("User's account status is active", "User's account status is suspended"),
    ("User is vegan", "User is vegetarian"),
    ("User was diagnosed with asthma", "User was diagnosed with bronchitis"),
    ("Reports are archived by the nightly worker", "Reports are archived by the weekly worker"),
    ("The sprint deadline is Friday", "The sprint deadline is Monday"),
    ('The gateway retries failed calls three times', 'The gateway retries failed calls five times'),
    ('Access tokens live for 15 minutes', 'Access tokens are valid for one hour'),
    ('Backups run nightly at 02:00', 'Backups run nightly at 04:00'),
    ('The scheduler runs every 10 minutes', 'The scheduler runs hourly'),
    ('Pull requests are squash-merged', 'Pull requests are rebased'),
    ('Use pnpm for dependency installs', 'Use npm for dependency installs'),
    ('Indentation is 4 spaces', 'Indentation is 2 spaces'),
    ('Node 18 is required', 'Node 20 is required'),
    ('The CLI requires Python 3.9 or newer', 'The CLI requires Python 3.11 or newer'),
    ('Errors are reported to Sentry', 'Errors are reported to Rollbar'),
    ('The search index is rebuilt every night', 'The search index is rebuilt every week'),
    ('The importer skips duplicate rows', 'The importer does not skip duplicate rows'),
    ('Feature branches branch off develop', 'Feature branches branch off main'),
    ('Images are hosted on Docker Hub', 'Images are hosted on GHCR'),
    ('Team Falcon owns the checkout service', 'The checkout service is owned by team Heron'),
    ('The maximum page size is 100', 'The maximum page size is 250'),
    ('Secrets live in Vault', 'Secrets are kept in AWS Secrets Manager'),
    ('We deploy on Fridays', 'We deploy on Mondays'),
    ('The API is synchronous', 'The API is asynchronous'),
    ('The `debug` flag defaults to false', 'The `debug` flag defaults to true'),
    ('Passwords must be at least 8 characters', 'Passwords must be at least 12 characters'),
    ('Coverage must stay above 80%', 'Coverage must stay above 90%'),
    ('The staging cluster has 3 nodes', 'The staging cluster has 5 nodes'),
    ('MAX_UPLOAD_MB is 25', 'MAX_UPLOAD_MB=50'),
    ('The build uses Bazel', 'The build uses Gradle'),
    ('The cache TTL is 5 minutes', 'The cache TTL is 300 minutes'),
    ('Kafka is our event bus', 'RabbitMQ is our event bus'),
    ('The default log level is info', 'The default log level is warn'),
    ('Rate limiting is disabled', 'Rate limiting is enabled'),
    ('Telemetry is opt-in', 'Telemetry is opt-out'),
    ('The frontend talks to the backend over GraphQL', 'The frontend talks to the backend over REST'),
    ('The mobile app is written in Flutter', 'The mobile app is written in React Native'),
    ('Releases are cut every two weeks', 'Releases are cut monthly'),
]  # fmt: skip

COMPATIBLE = [
    ("service-a listens on port 8080", "service-b listens on port 9090"),
    ("The staging port is 8080", "The production port is 9090"),
    ("The timeout is 30 s", "The timeout is 0.5 min"),
    ("The timeout is 30 seconds", "`timeout`: 30s"),
    ("We run on Node 20", "We run on Node 20.11"),
    ("Our database is Postgres", "We use PostgreSQL as our database"),
    ("Deployed on k8s", "Everything is deployed on Kubernetes"),
    ("Our frontend is React", "We are considering Vue for the frontend"),
    ("The database is PostgreSQL", "The cache is Redis"),
    ("User knows Python", "User knows Haskell"),
    ("User speaks Polish", "User speaks Czech"),
    ("User enjoys rowing", "User enjoys baking"),
    ("User has two siblings", "User has a dog"),
    ("The port was 8080", "The port is 9090"),
    ("User works at Siemens AG", "User is employed by Siemens"),
    ("User lives in Lyon", "User lives in Lyon, France"),
    ("User previously worked at Nokia", "User works at Ericsson"),
    ("The SDK is published for Go", "The SDK is published for Rust"),
    ("The API supports JSON", "The API supports XML"),
    ("Is the port 8080?", "The port is 9090"),
    ("The limit is 1000 requests per minute", "The limit is 1,000 requests per minute"),
    ("The deadline is March 2027", "The deadline is March 15, 2027"),
    ("Tests use pytest", "Tests use Hypothesis"),
    ("The parser reads YAML", "The parser reads TOML"),
    ("The project is licensed under Apache 2.0", "License: Apache-2.0"),
    ("User graduated from Delft University", "User graduated from Delft"),
    ("User works at Nokia", "User lives in Espoo"),
    ('The importer supports CSV', 'The exporter supports JSON'),
    ('Unit tests run with pytest', 'End-to-end tests run with Playwright'),
    ('The web app uses React', 'The admin panel uses Vue'),
    ('The default timeout is 30 s', 'The upload timeout is 120 s'),
    ('Retries are limited to 3', 'Uploads are limited to 5 MB'),
    ('Read replicas use port 5433', 'The primary uses port 5432'),
    ('Linux builds take 5 minutes', 'Windows builds take 9 minutes'),
    ('On free plans the limit is 10 projects', 'On pro plans the limit is 100 projects'),
    ('v1 of the API uses XML', 'v2 of the API uses JSON'),
    ('The timeout was raised from 10 s to 30 s', 'The timeout is 30 s'),
    ('We use Docker', 'We use Kubernetes'),
    ('The cache lives in Redis', 'The queue lives in Redis'),
    ('Logs are written to stdout', 'Metrics are written to Prometheus'),
    ('Alice reviews database changes', 'Bob reviews frontend changes'),
    ('The job runs every 60 minutes', 'The job runs hourly'),
    ('The file limit is 1 GB', 'The file limit is 1000 MB'),
    ('Set DEBUG=1 locally', 'Set DEBUG=0 in production'),
    ('If the token is missing the API returns 401', 'If the token is expired the API returns 403'),
    ('Run `make test` before committing', 'Run `make lint` before pushing'),
    ('The service is written in Go', 'The service is deployed on AWS'),
    ('The API returns 404 for missing users', 'The API returns 403 for missing tokens'),
    ('The parser is written in Rust', 'The docs are written in Markdown'),
    ('Deploys go to staging first', 'Deploys go to production on Monday'),
    ('The team uses Slack', 'The team uses Jira'),
]  # fmt: skip

# Real ones that are not seen yet; when one is, it moves up.
UNSEEN = [
    ('Pull requests need two approvals', 'Pull requests need one approval'),
    ('All timestamps are stored in UTC', 'All timestamps are stored in local time'),
    ('The line length limit is 100', 'Lines may be at most 120 characters'),
    ('The public API is versioned in the URL', 'The public API is versioned by header'),
    ('Sessions are stored in Redis', 'Sessions are stored in the database'),
    ('Migrations are applied automatically on deploy', 'Migrations are applied manually'),
    ('Support for Windows was dropped', 'Windows is supported'),
]  # fmt: skip


def found(*texts: str, trust: tuple[float, ...] = (0.9, 0.9, 0.9, 0.9)) -> list[tuple[str, ...]]:
    memories = [Memory(f"m{i}", text, trust[i], float(i)) for i, text in enumerate(texts)]
    return [c.values for c in Memories(memories).contradictions]


@pytest.mark.parametrize(("one", "other"), CONTRADICTING)
def test_contradicting(one: str, other: str) -> None:
    assert len(found(one, other)) == 1
    assert len(found(other, one)) == 1


@pytest.mark.parametrize(("one", "other"), UNSEEN)
def test_not_seen_yet(one: str, other: str) -> None:
    assert found(one, other) == []


@pytest.mark.parametrize(("one", "other"), COMPATIBLE)
def test_compatible(one: str, other: str) -> None:
    assert found(one, other) == []
    assert found(other, one) == []


@pytest.mark.parametrize(
    ("one", "other", "contradicts"),
    [
        (0.75, 0.75, True), (0.74, 0.9, False), (0.75, 1.0, True), (0.8, 1.0, True), (1.0, 0.7, False),
        (0.2, 0.95, False), (0.0, 0.9, False), (1.0, 1.0, True),
    ],
)  # fmt: skip
def test_the_trust_rule(one: float, other: float, contradicts: bool) -> None:
    texts = ("User works at Nokia", "User works at Ericsson")
    assert bool(found(*texts, trust=(one, other))) is contradicts


def test_the_trust_rule_can_be_set() -> None:
    memories = [Memory("a", "The port is 1", 0.5), Memory("b", "The port is 2", 0.9)]
    assert not Memories(memories).contradictions
    assert Memories(memories, threshold=0.5, difference=0.5).contradictions


def test_several_values_are_one_contradiction_pair_by_pair() -> None:
    texts = (
        "User works at Nokia",
        "User works at Ericsson",
        "User works at Jolla",
        "User works at Nokia",
    )
    assert found(*texts) == [("Nokia", "Ericsson", "Jolla")]
    # Jolla is too little trusted to take part, whatever the others are.
    assert found(*texts[:3], trust=(0.8, 0.9, 0.3)) == [("Nokia", "Ericsson")]
    # 0.76 and 1.0 differ by less than 0.3, as do 0.9 and both.
    assert found(*texts[:3], trust=(0.76, 0.9, 1.0)) == [("Nokia", "Ericsson", "Jolla")]


def test_most_recent_and_most_trusted() -> None:
    (found,) = Memories(
        [
            Memory("a", "User works at Nokia", 0.8, 200.0, path="a.md", line=3),
            Memory("b", "User works at Ericsson", 0.95, 100.0, path="b.md", line=7),
        ]
    ).contradictions
    assert (found.most_recent, found.most_trusted) == ("Nokia", "Ericsson")
    assert found.places == ("a.md:3", "b.md:7")


def test_without_timestamps_the_most_trusted_is_the_most_recent() -> None:
    (found,) = Memories(
        [Memory("a", "User works at Nokia", 0.8), Memory("b", "User works at Ericsson", 0.9)]
    ).contradictions
    assert found.most_recent == "Ericsson"


def test_a_move_that_is_told_contradicts_only_what_comes_after_it() -> None:
    told = "We migrated from MySQL to PostgreSQL"
    assert found("We use MySQL", told) == []
    assert found(told, "We use MySQL") == [("PostgreSQL", "MySQL")]


@pytest.mark.parametrize(
    "correction",
    [
        "Actually, I meant Ericsson, not Nokia",
        "Correction: Ericsson, not Nokia",
        "It is Ericsson, not Nokia",
        "User moved from Nokia to Ericsson",
    ],
)
def test_what_is_taken_back_contradicts_nothing(correction: str) -> None:
    assert found("User works at Nokia", correction) == []


def test_headings_tell_subjects_apart() -> None:
    def of(one: str, other: str) -> int:
        pair = [
            Memory("a", "The port is 8080", section=one),
            Memory("b", "The port is 9090", section=other),
        ]
        return len(Memories(pair).contradictions)

    assert of("Billing service", "Mail service") == 0
    assert of("Billing service", "Billing") == 1
    assert of("Configuration", "Settings") == 1
