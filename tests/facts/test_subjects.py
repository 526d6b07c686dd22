"""Of whom a text speaks: by its grammar, never the speaker by default."""

from __future__ import annotations

from functools import partial

import pytest

from grounded_ingest.facts import extraction
from grounded_ingest.facts.fact import Memory
from grounded_ingest.grounding.memory_index import Memories
from grounded_ingest.grounding.verify import verify_text
from grounded_ingest.language.slots import tables

facts = partial(extraction.facts, persons=True)


# what is said of a person, and of whom
OF_PEOPLE = {
    "Located in Porto, the mill is old": [],
    "Raised in Porto, Ida Duarte moved to Oslo": [("origin", "ida duarte", "Porto"), ("location", "ida duarte", "Oslo")],
    "Born in Porto in 1921, Duarte was a Portuguese painter": [("origin", "duarte", "Porto"), ("title", "duarte", "Portuguese painter")],
    "Ida Duarte (born 1921) is a retired painter": [("title", "ida duarte", "retired painter")],
    "Ida Duarte, the eldest of four, lives in Oslo": [("location", "ida duarte", "Oslo")],
    "A member of the Liberal Party, Duarte also wrote novels": [("team", "duarte", "Liberal Party")],
    "Marek Holub died of a fever in 1954 at his home in Brno": [("location", "marek holub", "Brno")],
    "Although born in Brno, Holub stayed Polish": [("origin", "holub", "Brno")],
    "Your job is to review the change": [],
    "On his 18th birthday, shortly after graduating from Aldenham School, he enlisted": [("school", "?", "Aldenham School")],
    "He currently serves as a consultant": [("title", "?", "consultant")],
    "My sister lives in Oslo": [("location", "sister", "Oslo")],
    "I live in Oslo": [("location", "", "Oslo")],
    "Living in Oslo, I work at Jolla": [("location", "", "Oslo"), ("employer", "", "Jolla")],
    "Lives in Oslo and works at Jolla": [("location", "", "Oslo"), ("employer", "", "Jolla")],
    "Employed by Jolla": [("employer", "", "Jolla")],
    "Diet: vegan": [("diet", "", "vegan")],
    "Call me Tobi": [("name", "", "Tobi")],
    # of things, or of several, or of nobody in particular
    "The role has been performed by many actors": [],
    "The company was founded in 2007": [],
    "The archive was converted into a swimming pool": [],
    "The parser knows nothing about video": [],
    "Fixtures drive the harness": [],
    "Transport: the app speaks MCP itself": [],
    "The port is vegetarian": [],
    "It has been translated into 300 languages": [],
    "Boys and girls aged six joined the march": [],
    "Many members of the new council favoured it": [],
    "All of whom are students at Aldenham": [],
    "Prefer small functions": [],
    "Play a declared range": [],
    "If the user wants to change a rule, tell them": [],
    "Merged without known issues": [],
    "Component: Wiring; Role: engineer": [],
}  # fmt: skip


def of_people(text: str) -> list[tuple[str, str, str]]:
    known = tables().slots
    return [
        (f.slot, f.subject, f.value)
        for f in facts(text)
        if f.slot in known and known[f.slot].of_person
    ]


@pytest.mark.parametrize("text", OF_PEOPLE)
def test_of_whom_something_personal_is_said(text: str) -> None:
    assert of_people(text) == OF_PEOPLE[text]


def test_below_a_heading_a_label_is_of_what_the_heading_names() -> None:
    assert [f.slot for f in facts("Role: engineer", "Services > Billing worker")] != ["title"]
    found = facts("It listens on port 9000", "Billing worker")
    assert {f.subject for f in found} == {"billing worker"}


PERSON = [
    Memory(f"p{number}", text, 0.9)
    for number, text in enumerate(
        [
            "User lives in Turin", "User works at Ericsson", "User works as a software engineer",
            "User was born in Lisbon", "User is 38 years old", "User drives a Volvo",
            "User attended ETH Zurich", "User speaks four languages", "User is on the payments team",
        ]
    )
]  # fmt: skip


@pytest.mark.parametrize("text", [t for t, found in OF_PEOPLE.items() if all(f[1] for f in found)])
def test_third_person_prose_contradicts_no_speaker(text: str) -> None:
    assert Memories([*PERSON, Memory("m", text, 0.9)]).contradictions == ()
    assert [h.expected for h in verify_text(text, PERSON).hallucinations if h.expected] == []


def test_two_unknown_subjects_are_not_one() -> None:
    texts = ("He lives in Oslo", "He lives in Porto")
    assert Memories(Memory(t, t, 0.9) for t in texts).contradictions == ()


@pytest.mark.parametrize(
    ("held", "said", "corrected"),
    [
        ("Beads uses Dolt", "Beads uses SQLite", ""),
        ("User lives in Turin", "You live in Turin. Beads uses Dolt as its database.", "You live in Turin."),
        ("User lives in Turin", "Beads uses Dolt! You live in Turin.", "You live in Turin."),
        ("User lives in Turin", "You play chess and live in Turin", "You live in Turin"),
        ("User lives in Turin", "You live in Turin and play chess", "You live in Turin"),
        ("User lives in Turin", "Your manager is Ada, and you live in Turin", "You live in Turin"),
        ("User lives in Turin", "You live in Turin with two cats", "You live in Turin"),
    ],
)  # fmt: skip
def test_a_correction_is_made_of_sentences(held: str, said: str, corrected: str) -> None:
    assert verify_text(said, [Memory("m", held, 0.9)]).corrected == corrected


@pytest.mark.parametrize(
    "text", ["I live in Oslo", "Call me Tobi", "I work at Jolla", "I am vegan"]
)
def test_a_check_of_things_asks_nothing_about_people(text: str) -> None:
    personal = {name for name, slot in tables().slots.items() if slot.of_person}
    assert [f for f in facts(text) if f.slot in personal]
    assert not [f for f in extraction.facts(text) if f.slot in personal]
