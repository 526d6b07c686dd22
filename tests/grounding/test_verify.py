"""Texts against memories: verdicts, spans, corrections, in words of this project's own."""

from __future__ import annotations

import pytest

from grounded_ingest.facts.fact import Memory, Verification
from grounded_ingest.grounding.verify import verify_text

NOKIA, TURIN, NAME = "User works at Nokia", "User lives in Turin", "User's name is Ines Duarte"

# memories, text, spans that are wrong (none: grounded)
CASES = [
    ([NOKIA], "You work at Nokia", []),
    ([NOKIA], "You work at Ericsson", ["Ericsson"]),
    ([NOKIA, TURIN], "You work at Ericsson and live in Turin", ["Ericsson"]),
    ([NOKIA, TURIN, NAME], "Your name is Ines Duarte, you work at Nokia, and you live in Turin", []),
    (["FACT: employer = Nokia"], "You work at Nokia", []),
    (["User works at nokia"], "You work at Nokia", []),
    (["I work at Nokia"], "You're employed by Nokia", []),
    (["User resides in Lyon, France"], "You live in Lyon", []),
    (["User graduated from Delft University"], "You studied at Delft", []),
    (["User knows Kotlin", "User knows Scala"], "You use Kotlin and Scala", []),
    (["User knows Kotlin", "User knows Scala"], "You use Kotlin, Scala, Perl, and Lua", ["Perl", "Lua"]),
    ([NOKIA, "User is a test engineer"], "You work at Nokia as a sales manager", ["sales manager"]),
    (["User is a data analyst"], "You are a senior data analyst", ["senior"]),
    (["I'm 32 years old"], "You are 45 years old", ["45"]),
    (["My favorite film is Stalker"], "Your favorite movie is Stalker", []),
    (["My goal is to learn Rust"], "Your goal is to learn Rust", []),
    (["User lives in NYC"], "You live in New York City", []),
    (["User has two siblings"], "You have 2 siblings", []),
    (["User has two siblings"], "You have three siblings", ["three"]),
    (["User started at Nokia in March 2021"], "You started at Nokia in 2021-03", []),
    (["User's manager is Ana"], "Your manager is Ana, who lives in Porto", ["Porto"]),
    (["User lives in Turin", "User's brother lives in Oslo"], "You live in Oslo", ["Oslo"]),
    (["User is not married"], "You are married", ["married"]),
    (["User used to work at Nokia"], "You work at Nokia", ["Nokia"]),
    (["User used to work at Nokia"], "You previously worked at Nokia", []),
    (["User is considering a move to Oslo"], "You live in Oslo", ["Oslo"]),
    (["Our database is PostgreSQL"], "Your database is MongoDB", ["MongoDB"]),
    (["Our database is Postgres"], "The project uses PostgreSQL as its database", []),
    (["Using Python 3.11"], "You're on Python 3.11", []),
    (["We run on Python 3.11.4"], "The project runs on Python 3.11", []),
    (["We run on Python 3.11"], "The project runs on Python 3.12", ["3.12"]),
    (["The port is 8080"], "The server port is 3000", ["3000"]),
    (["service-a listens on port 8080", "service-b listens on port 9090"], "service-a listens on port 9090", ["9090"]),
    (["service-a listens on port 8080", "service-b listens on port 9090"], "service-b uses port 9090", []),
    (["The staging port is 8080", "The production port is 9090"], "In production the port is 8080", ["8080"]),
    (["The timeout is 30 seconds"], "The timeout is half a minute", []),
    (["The timeout is 30 seconds"], "The timeout is 30 minutes", ["30 minutes"]),
    (["`timeout`: 30s"], "The timeout is 30 seconds", []),
    (["The cache is Redis"], "Redis is used for caching, with a TTL of 60 seconds", ["60 seconds"]),
    (["The worker is written in Go"], "The worker is written in Rust", ["Rust"]),
    (["We migrated from MySQL to PostgreSQL"], "The database is PostgreSQL", []),
    (["We migrated from MySQL to PostgreSQL"], "The database is MySQL", ["MySQL"]),
    (["We're evaluating Kafka as the message queue"], "Kafka is the message queue", ["Kafka"]),
    (["The exporter does not require Redis"], "The exporter requires Redis", ["Redis"]),
    (["The project is licensed under MIT"], "The license is Apache-2.0", ["Apache-2.0"]),
    (["Logs are archived in Glacier", "Invoices are archived in MinIO"], "Logs are archived in MinIO", ["MinIO"]),
    (["FACT: database = MySQL"], "We ended up going with Postgres instead", ["Postgres"]),
    (["FACT: database = PostgreSQL"], "We migrated to PostgreSQL", []),
    (["Uploads are scanned by ClamAV before they are stored in S3"], "Uploads are scanned by ClamAV", []),
    (["Uploads are scanned by ClamAV"], "Uploads are scanned by ClamAV and encrypted with AES-256", ["AES-256"]),
    (["The nightly job runs at 02:00 UTC"], "The nightly job runs at 03:00 UTC", ["03:00"]),
    (["The API is owned by the platform team"], "The API is owned by the billing team", ["billing"]),
    (["Deploys happen on Tuesdays"], "Deploys happen on Fridays", ["Fridays"]),
    (["Feature flags are enabled in staging"], "Feature flags are disabled in staging", ["disabled"]),
    ([], "You work at Nokia", ["Nokia"]),
    (["User likes pizza"], "You like pizza with anchovies", ["anchovies"]),
    # of several memories
    ([NOKIA, "Nokia is a telecommunications company"], "You work in telecommunications", []),
    ([TURIN, "Turin is in the Central European time zone"], "You are in the Central European time zone", []),
    (["User joined Nokia in May 2020", "Today's date is May 2024"], "You have been at Nokia for 4 years", []),
    (["User joined Nokia in May 2020", "Today's date is May 2024"], "You have been at Nokia for 6 years", ["6 years"]),
    (["User lived in Riga in 2018", "User lived in Bonn in 2020", "User now lives in Turin"], "You moved from Riga to Bonn to Turin", []),
    (["User enjoys rowing", "User's colleague Bo enjoys rowing"], "You and Bo both enjoy rowing", []),
]  # fmt: skip


def judged(memories: list[str], text: str, trust: float = 0.9) -> Verification:
    return verify_text(text, [Memory(f"m{i}", m, trust, float(i)) for i, m in enumerate(memories)])


@pytest.mark.parametrize(("memories", "text", "wrong"), CASES)
def test_verdicts(memories: list[str], text: str, wrong: list[str]) -> None:
    result = judged(memories, text)
    assert result.grounded is not bool(wrong), result.hallucinations
    spans = [h.text for h in result.hallucinations]
    assert all(any(w in s or s in w for s in spans) for w in wrong), spans
    assert all(text[h.start : h.end] == h.text for h in result.hallucinations)
    if wrong and memories:
        assert judged(memories, result.corrected).verdict != "ungrounded", result.corrected


PAIR = [Memory("a", NOKIA, 0.9, 100.0), Memory("b", "User works at Ericsson", 0.9, 200.0)]

DISCLOSING = [
    "You work at Ericsson (changed from Nokia)",
    "You work at Ericsson. You previously worked at Nokia.",
    "You used to work at Nokia but now work at Ericsson",
    "You work at Ericsson (was Nokia)",
    "You work at Ericsson, formerly at Nokia",
    "Your employer changed from Nokia to Ericsson",
    "You were at Nokia and are now at Ericsson",
]


@pytest.mark.parametrize("text", DISCLOSING)
def test_a_disclosed_contradiction_passes(text: str) -> None:
    result = verify_text(text, PAIR)
    assert (result.verdict, result.requires_disclosure) == ("grounded", False), (
        result.hallucinations
    )
    assert [c.disclosed for c in result.contradictions] == [True]


@pytest.mark.parametrize(
    "text", ["You work at Ericsson", "Your employer is Nokia", "You're employed by Ericsson now"]
)
def test_an_undisclosed_contradiction_fails(text: str) -> None:
    result = verify_text(text, PAIR)
    assert (result.verdict, result.grounded, result.requires_disclosure) == (
        "undisclosed",
        False,
        True,
    )
    assert result.expected_disclosure == "Ericsson (changed from Nokia)"
    assert [(c.used, c.disclosed) for c in result.contradictions] == [(True, False)]
    assert verify_text(result.corrected, PAIR).grounded


def test_a_contradiction_nobody_uses_is_listed_and_asks_for_nothing() -> None:
    result = verify_text("You live in Turin", [*PAIR, Memory("c", TURIN)])
    assert result.grounded
    assert [(c.used, c.slot) for c in result.contradictions] == [(False, "employer")]


def test_several_contradictions_at_once() -> None:
    memories = [
        Memory("a", "User works at Nokia in Espoo", 0.9, 1.0),
        Memory("b", "User works at Ericsson in Stockholm", 0.9, 2.0),
    ]
    result = verify_text("You work at Ericsson in Stockholm", memories)
    assert {c.slot for c in result.contradictions} == {"employer", "location"}
    assert result.requires_disclosure
    assert verify_text(
        "You work at Ericsson in Stockholm (changed from Nokia in Espoo)", memories
    ).grounded


def test_three_values_are_told_most_recent_first() -> None:
    result = verify_text(
        "You work at Jolla", [*PAIR, Memory("c", "User works at Jolla", 0.8, 300.0)]
    )
    assert result.expected_disclosure == "Jolla (changed from Ericsson and Nokia)"


@pytest.mark.parametrize(
    ("trust", "text", "verdict"),
    [
        ((0.95, 0.1), "You work at Nokia", "grounded"),
        ((0.2, 0.95), "You work at Ericsson", "grounded"),
        ((0.2, 0.95), "You work at Nokia", "ungrounded"),
        ((0.9, 0.0), "You work at Nokia", "grounded"),
        ((0.85, 0.85), "You work at Nokia", "undisclosed"),
        ((0.9, 0.85), "You work at Ericsson", "undisclosed"),
        ((0.6, 0.7), "You work at Ericsson", "grounded"),
    ],
)
def test_trust_decides_who_is_heard(trust: tuple[float, float], text: str, verdict: str) -> None:
    memories = [Memory("a", NOKIA, trust[0]), Memory("b", "User works at Ericsson", trust[1])]
    assert verify_text(text, memories).verdict == verdict


def test_confidence_is_the_trust_of_what_licenses() -> None:
    assert judged([NOKIA], "You work at Nokia", 0.95).confidence == 0.95
    assert judged([NOKIA], "You work at Nokia", 0.4).confidence == 0.4
    assert judged([], "You work at Nokia").confidence == 0.0
    assert judged([NOKIA], "You work at Ericsson").confidence == 0.0


def test_the_grounding_map_names_every_memory() -> None:
    result = judged([NOKIA, TURIN], "You work at Nokia and live in Turin")
    assert result.grounding_map["Nokia"] == ["m0"]
    assert result.grounding_map["Turin"] == ["m1"]
    composed = judged(
        ["User joined Nokia in May 2020", "Today's date is May 2024"],
        "You have been at Nokia for 4 years",
    )
    assert composed.grounding_map["4 years"] == ["m0", "m1"]


def test_a_wrong_value_is_corrected_in_place() -> None:
    result = judged([NOKIA, TURIN], "You work at Ericsson and live in Turin.")
    assert result.corrected == "You work at Nokia and live in Turin."
    assert judged([NOKIA], "You work at Nokia as a juggler.").corrected == "You work at Nokia."


def test_permissive_tells_unsupported_details_and_lets_them_pass() -> None:
    memories = [Memory("a", "Uploads are scanned by ClamAV", 0.9)]
    text = "Uploads are scanned by ClamAV, with great enthusiasm"
    assert verify_text(text, memories).verdict == "ungrounded"
    lenient = verify_text(text, memories, mode="permissive")
    assert (lenient.verdict, bool(lenient.hallucinations), lenient.corrected) == (
        "grounded",
        True,
        "",
    )
    assert (
        verify_text("You work at Ericsson", [Memory("a", NOKIA)], mode="permissive").verdict
        == "ungrounded"
    )


@pytest.mark.parametrize(
    "text", ["", "   ", "Hello!", "How are you today?", "Where do I work?", "👍", "...", "\n\n"]
)
def test_nothing_to_verify_is_never_grounded(text: str) -> None:
    result = judged([NOKIA], text)
    assert (result.verdict, result.grounded, result.scope) == ("nothing-to-verify", False, 0.0)


@pytest.mark.parametrize(
    "text",
    [
        "Вы работаете в компании Нокиа уже десять лет",
        "Sie arbeiten bei Siemens und wohnen in Berlin",
        "Er arbeitet nicht bei Siemens",
        "Vous travaillez chez Renault dans le centre de Lyon",
        "あなたはノキアで働いています。東京に住んでいます。",
        "Anda bekerja sebagai insinyur perangkat lunak senior di Jakarta sekarang",
    ],
)
def test_another_language_is_out_of_scope(text: str) -> None:
    result = judged([NOKIA], text)
    assert not result.grounded
    assert result.scope < 1.0
    mixed = judged([NOKIA], f"You work at Nokia. {text}")
    assert not mixed.grounded


def test_what_cannot_be_read_is_not_grounded_by_its_own_words() -> None:
    result = judged(["Er arbeitet nicht bei Siemens"], "Er arbeitet bei Siemens")
    assert (result.verdict, result.scope) == ("out-of-scope", 0.0)


# memories, text, whether it is grounded: mostly who or what is spoken of
SPOKEN_OF = [
    (
        ["User's sister Ana works at Bosch", "User works at Nokia"],
        "Your sister works at Nokia",
        False,
    ),
    (["User's sister Ana works at Bosch", "User works at Nokia"], "Ana works at Nokia", False),
    (["User's sister Ana works at Bosch", "User works at Nokia"], "You work at Bosch", False),
    (
        ["User's sister Ana works at Bosch", "User works at Nokia"],
        "Your sister Ana works at Bosch",
        True,
    ),
    (["User's mother was born in Lima", "User was born in Quito"], "You were born in Lima", False),
    (
        ["User is allergic to peanuts", "User's son is allergic to eggs"],
        "You are allergic to eggs",
        False,
    ),
    (
        ["User is allergic to peanuts", "User's son is allergic to eggs"],
        "Your son is allergic to peanuts",
        False,
    ),
    (["User's wife drives a Volvo", "User drives a Fiat"], "Your wife drives a Fiat", False),
    (
        ["User has a cat named Pico", "User's neighbour has a dog named Rex"],
        "You have a dog named Rex",
        False,
    ),
    (
        ["The api service uses PostgreSQL", "The worker service uses SQLite"],
        "The worker uses PostgreSQL",
        False,
    ),
    (
        ["The api service uses PostgreSQL", "The worker service uses SQLite"],
        "The api uses PostgreSQL",
        True,
    ),
    (
        ["The web frontend is written in TypeScript", "The backend is written in Go"],
        "The backend is written in TypeScript",
        False,
    ),
    (
        ["Orders are stored in PostgreSQL", "Events are stored in Kafka"],
        "Events are stored in PostgreSQL",
        False,
    ),
    (
        ["In staging the log level is debug", "In production the log level is warn"],
        "In production the log level is debug",
        False,
    ),
    (
        ["auth-service is owned by Team Red", "mail-service is owned by Team Blue"],
        "mail-service is owned by Team Red",
        False,
    ),
    (
        ["auth-service is owned by Team Red", "mail-service is owned by Team Blue"],
        "Team Blue owns mail-service",
        True,
    ),
    (["The port was 8080. It is now 9090."], "The port is 8080", False),
    (["The port was 8080. It is now 9090."], "The port is 9090", True),
    (["Use port 8080. Correction: use port 9090, not 8080."], "The port is 8080", False),
    (["The limit is 50 requests per second"], "The limit is 3000 requests per minute", True),
    (["The job runs every 60 minutes"], "The job runs every hour", True),
    (["Tokens expire after 90 minutes"], "Tokens expire after an hour and a half", True),
    (["We do not use Redis"], "We use Redis", False),
    (["We do not use Redis"], "Redis is not used", True),
    (["Uploads larger than 5 MB are rejected"], "Uploads larger than 5 MB are accepted", False),
    (["Releases happen on Thursdays"], "Releases are published every Thursday", True),
    (["Migrations run with Alembic"], "Alembic handles the migrations", True),
    (["Python 3.11 is required"], "The project requires Python 3.11", True),
    (["Set LOG_LEVEL to debug in development"], "In development LOG_LEVEL is debug", True),
    (["Anna is the maintainer of the parser"], "The parser is maintained by Anna", True),
    (["Anna is the maintainer of the parser"], "The parser is maintained by Bo", False),
]


@pytest.mark.parametrize(("memories", "text", "grounded"), SPOKEN_OF)
def test_what_is_said_of_others_is_not_said_of_this(
    memories: list[str], text: str, grounded: bool
) -> None:
    assert judged(memories, text).grounded is grounded


@pytest.mark.parametrize("digits", ["9" * 400, "9" * 5000, "²"], ids=["400", "5000", "power"])
def test_digits_that_python_refuses_as_a_number_end_nothing(digits: str) -> None:
    kept = [Memory("a", f"The server keeps {digits} rows.")]
    assert verify_text(f"The server keeps {digits} rows.", kept).verdict == "grounded"
    assert verify_text(f"The port is {digits}.", [Memory("a", "The port is 5.")]).verdict != (
        "grounded"
    )
