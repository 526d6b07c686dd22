"""`verify --memories`: which facts ground a text, and what is said where memories disagree."""

from __future__ import annotations

import pytest

import grounded_ingest
from grounded_ingest.verify.memory_index import Memories
from grounded_ingest.verify.result import Memory, Verification
from grounded_ingest.verify.verify import verify_text

EMPLOYED = "User is employed by Spotify"
OLDER, NEWER = Memory("m1", "User works at Nokia", 0.9, 1.0), Memory("m2", "User works at Ericsson", 0.9, 2.0)  # fmt: skip


def judged(text: str, *memories: str | Memory) -> Verification:
    given = [m if isinstance(m, Memory) else Memory(m, m) for m in memories]
    return verify_text(text, Memories(given))


@pytest.mark.parametrize("text", ["You work at Spotify.", "You are employed by Spotify."])
def test_one_relation_in_other_words_grounds(text: str) -> None:
    assert judged(text, EMPLOYED).verdict == "grounded"


@pytest.mark.parametrize(
    "text",
    ["Spotify fired you.", "You own Spotify.", "You left Spotify.", "You founded Spotify.",
     "Spotify was sold by you.", "Your brother works at Spotify."],
)  # fmt: skip
def test_another_relation_or_person_does_not_ground(text: str) -> None:
    """The employer of a memory used to bear out whatever names it."""
    result = judged(text, EMPLOYED)
    assert (result.verdict, result.checked) == ("ungrounded", True)


def test_a_verb_of_another_memory_is_no_relation_with_this_value() -> None:
    assert judged("You own Spotify.", EMPLOYED, "User owns a bike").verdict == "ungrounded"


@pytest.mark.parametrize(
    ("memory", "true", "false", "reason"),
    [
        ("User lives in Rome", "You live in Rome", "You live in Oslo", "wrong-value"),
        ("The timeout is 60 seconds", "The timeout is 1 minute", "The timeout is 60 minutes",
         "wrong-value"),
        ("User previously worked at Nokia", "You previously worked at Nokia", "You work at Nokia",
         "past"),
        ("User lives in Rome", "You live in Rome", "You live in Rome with two cats", "unsupported"),
        ("We are not using Redis as our cache", "We do not use Redis as our cache",
         "We use Redis as our cache", "negated"),
    ],
)  # fmt: skip
def test_a_fact_of_the_same_slot_grounds_its_value_alone(
    memory: str, true: str, false: str, reason: str
) -> None:
    assert judged(true, memory).grounded
    result = judged(false, memory)
    assert (result.grounded, [h.reason for h in result.hallucinations]) == (False, [reason])


@pytest.mark.parametrize("text", ["", "Hello there!", "Thanks, that helps."])
def test_a_text_without_slots_is_grounded_and_said_to_be_unchecked(text: str) -> None:
    """As in the seed. Whoever reads only `grounded` has to look at `checked`, too."""
    result = judged(text, EMPLOYED)
    assert (result.verdict, result.grounded, result.checked) == ("nothing-to-verify", True, False)


@pytest.mark.parametrize("text", ["Have a nice day at Spotify!", "Spotify is great for playlists."])
def test_a_value_in_a_text_that_states_nothing_about_the_speaker_is_not_checked(text: str) -> None:
    """Each word of such a text used to need a memory. "You own Spotify" is still refused."""
    result = judged(text, EMPLOYED)
    assert (result.verdict, result.checked) == ("nothing-to-verify", False)


@pytest.mark.parametrize(
    ("memory", "true", "false"),
    [
        ("User's account is active", "Your account is active.", "You have a suspended account."),
        ("The account was put on hold", "Your account is on hold.", "Your account is in good standing."),
        ("User's subscription has expired", "Your subscription is expired.", "Your subscription is active."),
        ("User was diagnosed with asthma", "You have asthma.", "Your diagnosis is diabetes."),
        ("User has type 2 diabetes", "You live with type 2 diabetes.", "You have type 1 diabetes."),
        ("The doctor diagnosed you with migraines", "You suffer from migraines.", "You have epilepsy."),
    ],
)  # fmt: skip
def test_the_status_of_an_account_and_a_diagnosis_in_common_words(
    memory: str, true: str, false: str
) -> None:
    assert (judged(true, memory).verdict, judged(false, memory).grounded) == ("grounded", False)


@pytest.mark.parametrize(
    ("memory", "text"),
    [
        # the subject is another one, although the slot is the same
        ("The worker retries failed uploads five times", "The mailer retries failed mails twice"),
        ("Feature branches start from develop", "Release branches are cut from main"),
        # tools that a project uses side by side
        ("We install packages with npm", "Python packages are installed with pip"),
        ("Tests are run with pytest", "Browser tests are run with Playwright"),
        ("We run on Node 20", "CI runs on Node 18 and 20"),
    ],
)
def test_what_can_both_be_true_of_a_repository_is_no_other_value(memory: str, text: str) -> None:
    assert {h.reason for h in judged(text, memory).hallucinations} <= {"unsupported"}


@pytest.mark.parametrize("text", ["You work at Nokia.", "You work at Ericsson."])
def test_a_correction_names_the_newer_value_as_the_new_one(text: str) -> None:
    """It used to keep the older value where memories disagree."""
    result = judged(text, OLDER, NEWER)
    assert result.verdict == "undisclosed"
    assert result.expected_disclosure == "Ericsson (changed from Nokia)"
    assert result.corrected == "You work at Ericsson (changed from Nokia)."


def test_a_text_that_names_both_values_is_grounded() -> None:
    assert judged("You work at Ericsson (changed from Nokia).", OLDER, NEWER).grounded


@pytest.mark.parametrize(
    ("text", "corrected"),
    [
        ("You work at IBM.", "You work at Spotify."),
        ("You work at Spotify and live in Rome.", "You work at Spotify."),
        ("You own Spotify.", ""),
        ("You work at Spotify. The moon is bright.", "You work at Spotify."),
    ],
)
def test_a_correction_is_a_sentence_or_nothing(text: str, corrected: str) -> None:
    assert judged(text, EMPLOYED).corrected == corrected


@pytest.mark.parametrize(
    ("one", "other", "found"),
    [
        (Memory("a", "User works at Nokia", 0.9), Memory("b", "User works at IBM", 0.9), True),
        # a memory that is trusted too little, or much less, contradicts nothing
        (Memory("a", "User works at Nokia", 0.9), Memory("b", "User works at IBM", 0.7), False),
        (Memory("a", "User works at Nokia", 1.0), Memory("b", "User works at IBM", 0.75), True),
        # several values can hold together, and other settings are other slots
        (Memory("a", "User has a dog"), Memory("b", "User has a cat"), False),
        (Memory("a", "The staging port is 80"), Memory("b", "The production port is 81"), False),
        # what a memory takes back, or says was left, contradicts nothing
        (Memory("a", "I work at Nokia"), Memory("b", "I meant IBM, not Nokia"), False),
        (Memory("a", "User lives in Rome"), Memory("b", "User moved from Rome to Oslo"), False),
    ],
)
def test_memories_contradict_by_the_rule_of_trust(one: Memory, other: Memory, found: bool) -> None:
    assert bool(Memories([one, other]).contradictions) == found


def test_two_dates_bear_out_the_time_between_them() -> None:
    memories = ("User joined Microsoft in January 2022", "The date is January 2024")
    assert judged("You've been at Microsoft for 2 years", *memories).grounded
    assert not judged("You've been at Microsoft for 3 years", *memories).grounded


def test_a_detail_that_no_slot_covers_passes_in_permissive_mode() -> None:
    text, memory = "You work at Spotify with two cats", Memory("a", EMPLOYED)
    assert not verify_text(text, [memory]).grounded
    assert verify_text(text, [memory], mode="permissive").grounded
    assert not verify_text("You work at IBM", [memory], mode="permissive").grounded


def test_spans_are_places_of_the_text_and_the_map_names_memories() -> None:
    text = "Hi! You work at Ericsson in `Rome`, and live in Turin with two cats."
    result = judged(text, OLDER, NEWER, "User lives in Turin")
    spans = [*result.hallucinations, *result.grounding]
    assert [text[s.start : s.end] for s in spans] == [s.text for s in spans]
    assert result.grounding_map["Ericsson"] == ["m2"]


def test_the_python_api_takes_objects_memories_and_an_index() -> None:
    rows = [{"id": "a", "text": EMPLOYED}]
    for given in (rows, [Memory("a", EMPLOYED)], Memories([Memory("a", EMPLOYED)])):
        assert grounded_ingest.ground("You work at Spotify", given).grounded
