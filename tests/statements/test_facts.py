"""Which facts (subject, slot, value) a text states, and which texts state none."""

from __future__ import annotations

import pytest

from grounded_ingest.statements.facts import Fact, read_facts


def facts(text: str, section: str = "") -> tuple[Fact, ...]:
    return read_facts(text, section)[1]


STATED = {
    # people
    "I'm Marta": [("name", "Marta")],
    "FACT: timezone = Europe/Lisbon": [("timezone", "Europe/Lisbon")],
    "Kofi is a data analyst at Jumia": [("title", "data analyst"), ("employer", "Jumia")],
    "You were promoted to Principal Engineer": [("title", "Principal Engineer")],
    "I moved to Oslo": [("location", "Oslo")],
    "I graduated in 2011": [("graduation_year", "2011")],
    "My master's degree was from Delft": [("masters_school", "Delft")],
    "My birthday is July 9": [("birthday", "July 9")],
    "I have three siblings": [("siblings", "three")],
    "My favorite colour is teal": [("favorite_colour", "teal")],
    "My hobby is beekeeping": [("hobby", "beekeeping")],
    "I weigh 70 kg": [("weight", "70 kg")],
    "I'm vegetarian": [("diet", "vegetarian")],
    "I have a beagle named Pico": [("pet", "beagle"), ("pet_name", "Pico")],
    "My goal is to sail around the world": [("goal", "sail around the world")],
    # technologies by their kind, and the few other slots of repositories
    "CockroachDB is the primary database": [("database", "CockroachDB")],
    "The service is written in Elixir": [("language", "Elixir")],
    "We run on Python 3.12": [("language", "Python"), ("version", "3.12")],
    "The gateway listens on port 9000": [("port", "9000")],
    "Tokens expire after 2 hours": [("expiry", "2 hours")],
    "Failed jobs are retried up to 4 times": [("retries", "4")],
    "The upload limit is 25 MB": [("upload_limit", "25 MB")],
    "The billing module is owned by the payments team": [("owner", "payments team")],
    "The release is due on Friday": [("deadline", "Friday")],
    "Users log in with OAuth2": [("auth", "OAuth2")],
    "Everything is deployed to Fly.io": [("cloud_provider", "Fly.io")],
    "Dependencies are managed with Poetry": [("package_manager", "Poetry")],
    "We decided to use Meilisearch for search": [("search_engine", "Meilisearch")],
    "MySQL was replaced by PostgreSQL": [("database", "PostgreSQL")],
    "We use REST, not GraphQL": [("protocol", "REST")],
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
