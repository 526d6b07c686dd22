"""What texts state: (subject, slot, value) as a table, in words of this project's own."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from grounded_ingest.facts import extraction
from grounded_ingest.language.lexicon import slots_personal, slots_repository

facts = partial(extraction.facts, persons=True)


STATED = {
    # people
    "My name is Ines Duarte": [("name", "Ines Duarte")],
    "Call me Tobi": [("name", "Tobi")],
    "I'm Marta": [("name", "Marta")],
    "FACT: name = Olu": [("name", "Olu")],
    "PREF: communication_style = terse": [("communication_style", "terse")],
    "FACT: timezone = Europe/Lisbon": [("timezone", "Europe/Lisbon")],
    "I work for Siemens": [("employer", "Siemens")],
    "The user is employed by Bosch as a Test Engineer": [("employer", "Bosch"), ("title", "Test Engineer")],
    "Kofi is a data analyst at Jumia": [("title", "data analyst"), ("employer", "Jumia")],
    "You currently work at Spotify": [("employer", "Spotify")],
    "My role is Staff Engineer": [("title", "Staff Engineer")],
    "You were promoted to Principal Engineer": [("title", "Principal Engineer")],
    "I live in Porto": [("location", "Porto")],
    "User resides in Lyon, France": [("location", "Lyon")],
    "I moved to Oslo": [("location", "Oslo")],
    "User lives in Turin and works at Fiat": [("location", "Turin"), ("employer", "Fiat")],
    "I studied physics at ETH Zurich": [("major", "physics"), ("school", "ETH Zurich")],
    "I graduated in 2011": [("graduation_year", "2011")],
    "You graduated with a minor in History": [("minor", "History")],
    "My undergraduate degree was from Coimbra": [("undergrad_school", "Coimbra")],
    "My master's degree was from Delft": [("masters_school", "Delft")],
    "I'm 41 years old": [("age", "41")],
    "I am 29": [("age", "29")],
    "My birthday is July 9": [("birthday", "July 9")],
    "I was born in 1987": [("birth_year", "1987")],
    "Our anniversary is May 4": [("anniversary", "May 4")],
    "I have three siblings": [("siblings", "three")],
    "User lives with 3 kids": [("children", "3")],
    "I speak four languages": [("languages_spoken", "four")],
    "My favorite colour is teal": [("favorite_colour", "teal")],
    "My favourite sport is curling": [("favorite_sport", "curling")],
    "You enjoy rowing and baking": [("hobby", "rowing"), ("hobby", "baking")],
    "My hobby is beekeeping": [("hobby", "beekeeping")],
    "User is proficient in Kotlin and Scala": [("skill", "Kotlin"), ("skill", "Scala")],
    "My salary is $92k": [("salary", "$92k")],
    "I weigh 70 kg": [("weight", "70 kg")],
    "My email is ines@example.org": [("email", "ines@example.org")],
    "Your phone number is 555-0142": [("phone", "555-0142")],
    "I'm vegetarian": [("diet", "vegetarian")],
    "User was diagnosed with asthma": [("diagnosis", "asthma")],
    "User's account status is suspended": [("account_status", "suspended")],
    "I have a beagle named Pico": [("pet", "beagle"), ("pet_name", "Pico")],
    "You're on the payments team": [("team", "payments team")],
    "I have 2 monitors on my desk": [("number_of_monitor", "2")],
    "My goal is to sail around the world": [("goal", "sail around the world")],
    # what repositories say about themselves
    "Our database is MariaDB": [("database", "MariaDB")],
    "The project uses SQLite as its database": [("database", "SQLite")],
    "CockroachDB is the primary database": [("database", "CockroachDB")],
    "We're using Valkey for caching": [("cache", "Valkey")],
    "NATS serves as the message broker": [("message_queue", "NATS")],
    "The service is written in Elixir": [("language", "Elixir")],
    "Built with Laravel": [("backend_framework", "Laravel")],
    "The frontend is Svelte, the backend is Flask": [("frontend_framework", "Svelte"), ("backend_framework", "Flask")],
    "We run on Python 3.12": [("language", "Python"), ("version", "3.12")],
    "Running Node 20.11": [("runtime", "Node"), ("version", "20.11")],
    "The port is 8443": [("port", "8443")],
    "The gateway listens on port 9000": [("port", "9000")],
    "Timeout is 45s": [("timeout", "45s")],
    "a timeout of 45 seconds": [("timeout", "45 seconds")],
    "Requests have a 45-second timeout": [("timeout", "45-second")],
    "`timeout`: 45s": [("timeout", "45s")],
    "Setting: timeout; Value: 45s": [("timeout", "45s")],
    "Tokens expire after 2 hours": [("expiry", "2 hours")],
    "Logs are kept for 14 days": [("retention", "14 days")],
    "The worker polls every 5 minutes": [("interval", "5 minutes")],
    "Failed jobs are retried up to 4 times": [("retries", "4")],
    "Max retries should be 6": [("retries", "6")],
    "The API rate limit is 300 requests per minute": [("rate_limit", "300 requests per minute")],
    "The upload limit is 25 MB": [("size_limit: upload limit", "25 MB")],
    "DB_HOST=10.0.0.7": [("db_host", "10.0.0.7")],
    "The project is licensed under Apache-2.0": [("license", "Apache-2.0")],
    "The billing module is owned by the payments team": [("owner", "payments team")],
    "Maintained by Priya": [("maintainer", "Priya")],
    "The deadline is March 15, 2027": [("deadline", "March 15, 2027")],
    "The release is due on Friday": [("deadline", "Friday")],
    "The default branch is trunk": [("default_branch", "trunk")],
    "Authentication is handled by Keycloak": [("auth", "Keycloak")],
    "Users log in with OAuth2": [("auth", "OAuth2")],
    "Config files are stored as TOML": [("format", "TOML")],
    "Services communicate over gRPC": [("protocol", "gRPC")],
    "Everything is deployed to Fly.io": [("cloud_provider", "Fly.io")],
    "CI runs on Buildkite": [("ci_cd", "Buildkite")],
    "We use Pulumi for infrastructure": [("iac_tool", "Pulumi")],
    "Dependencies are managed with Poetry": [("package_manager", "Poetry")],
    "Migrations live in `db/migrate/`": [("path", "db/migrate/")],
    "The project status is beta": [("status", "beta")],
    "We decided to use Meilisearch for search": [("search_engine", "Meilisearch")],
    "Ditched Webpack for Vite": [("build_tool", "Vite")],
    "We moved from Travis CI to CircleCI": [("ci_cd", "CircleCI")],
    "MySQL was replaced by PostgreSQL": [("database", "PostgreSQL")],
    "The app runs on port 3000 in development": [("port", "3000")],
    "The AWS region is eu-west-1": [("region", "eu-west-1")],
    "Passwords are hashed with Argon2": [("encryption", "Argon2")],
    "The budget is $40,000": [("budget", "$40,000")],
    "max memory equals 8gb": [("size_limit: memory", "8gb")],
    "We use REST, not GraphQL": [("protocol", "REST")],
    "The cache is set to 256mb": [("cache_size", "256mb")],
}  # fmt: skip

NOT_STATED = [
    "", "   ", "Hello, how are you?", "Which database do we use?", "Not sure whether we should pick Vue or Svelte",
    "We are considering MongoDB", "We're evaluating Kafka", "Thinking about moving to Rust", "Maybe we could try Deno",
    "I'm ready", "I'm good", "The thing is that nobody knows", "The problem is a tricky one", "The weather is nice today",
    "I don't know if we need Elasticsearch", "We might switch to Bun", "We plan to explore Nomad",
]  # fmt: skip


def now(text: str) -> list[tuple[str, str]]:
    return [(f.slot, f.value) for f in facts(text) if f.time == "now" and f.polarity]


@pytest.mark.parametrize("text", STATED)
def test_what_a_text_states(text: str) -> None:
    found = now(text)
    assert [pair for pair in STATED[text] if pair not in found] == [], found


@pytest.mark.parametrize("text", NOT_STATED)
def test_what_states_nothing(text: str) -> None:
    assert [f for f in now(text) if not f[0].startswith(("says", "opinion"))] == []


@pytest.mark.parametrize(
    ("text", "slot", "value", "time"),
    [
        ("We migrated from MySQL to PostgreSQL", "database", "MySQL", "before"),
        ("We dropped Jenkins", "ci_cd", "Jenkins", "before"),
        ("Ripped out Webpack, happier with Vite", "build_tool", "Webpack", "before"),
        ("You previously worked at Nokia", "employer", "Nokia", "before"),
        ("I used to live in Riga", "location", "Riga", "before"),
        ("Redis was replaced by Valkey", "cache", "Redis", "before"),
        ("The port was 8080", "port", "8080", "before"),
        ("We plan to migrate from Heroku to Render", "cloud_provider", "Render", "planned"),
    ],
)
def test_what_no_longer_or_not_yet_holds(text: str, slot: str, value: str, time: str) -> None:
    assert (slot, value, time) in [(f.slot, f.value, f.time) for f in facts(text)]


@pytest.mark.parametrize(
    ("text", "subject", "setting"),
    [
        ("service-a listens on port 8080", "service-a", ""),
        ("The port of service-b is 9090", "service-b", ""),
        ("service-b's port is 9090", "service-b", ""),
        ("The staging port is 9090", "", "staging"),
        ("In production the port is 9090", "", "production"),
        ("The port is 9090", "", ""),
        ("Our project's port is 9090", "", ""),
    ],
)
def test_of_whom_and_where(text: str, subject: str, setting: str) -> None:
    (fact,) = [f for f in facts(text) if f.slot == "port"]
    assert (fact.subject, fact.setting) == (subject, setting)


def test_a_heading_can_be_the_subject() -> None:
    assert [f.subject for f in facts("The port is 9090", "Architecture > Billing service")] == [
        "billing"
    ]
    assert [f.subject for f in facts("The port is 9090", "Notes > Configuration")] == [""]


def test_positions_are_those_of_the_text() -> None:
    text = "Well, the port is `8080` and our cache is Redis."
    assert [text[f.start : f.end] for f in facts(text)] == [f.value for f in facts(text)]


DOC = Path(__file__).parents[2] / "docs" / "grounding.md"


@pytest.mark.parametrize(
    "slots", [slots_personal.SLOTS, slots_repository.SLOTS], ids=["personal", "repository"]
)
def test_the_documentation_lists_every_slot_as_it_is(slots: dict[str, dict[str, Any]]) -> None:
    page = DOC.read_text("utf-8")
    for name, row in slots.items():
        nouns = ", ".join(row["nouns"].split(", ")[:2]) or row["relations"].split(", ")[0]
        several = "yes" if row.get("many") else ""
        assert f"| `{name}` | {row['values']} | {several} | {nouns} |" in page


def test_there_are_enough_slots() -> None:
    assert len(slots_personal.SLOTS) >= 25
