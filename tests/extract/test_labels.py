"""Labels that say that what stands below them is open, and the text over which they stand."""

from __future__ import annotations

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.extract.frames import doubt_of, is_doubt_label
from grounded_ingest.model.claims import Claim, DocClass


@pytest.mark.parametrize(
    "label",
    [
        "Open questions",
        "❓ Questions for the owner",
        "Working hypothesis",
        "The founder's hypothesis, in his words:",
        "Assumptions & constraints",
        "Risks and mitigations",
        "Known limitations (of the parser)",
        "Predictions recorded before the result",
        "TBD",
        "Unverified",
        "Not verified yet",
        "To be decided",
        "Unresolved issues",
        "Low confidence",
        "What I'm still uncertain about.",
        "What I couldn't figure out",
        "What we don't know",
        "What this measurement does NOT establish",
        "Where I might be wrong",
    ],
)
def test_labels_of_doubt(label: str) -> None:
    assert doubt_of(label)


@pytest.mark.parametrize(
    "label",
    [
        "",
        "Decisions",
        "No open questions",
        "Open questions, answered",
        "Questions and answers",
        "Risk management service",
        "How we handle risks",
        "Separation of concerns",
        "Theory of operation",
        "Open the file",
        "Confirmed assumptions",
        "What I am no longer unsure about",
        "I am not sure about these",
        "Not sure if the cache is shared",
        "What I'm unsure about is whether the cache is shared",
        "The port is unverified, and the assumption is that it is 80",
    ],
)
def test_texts_that_are_no_labels_of_doubt(label: str) -> None:
    assert not doubt_of(label)


@pytest.mark.parametrize(
    ("sentence", "label"),
    [
        ("What I'm still uncertain about.", True),
        ("Open questions.", True),
        ("What is still open.", False),
        ("Risks of the cache that holds 5 keys.", False),
        ("What I could not verify: the port is 80.", False),
    ],
)
def test_a_sentence_that_is_nothing_but_a_label(sentence: str, label: bool) -> None:
    assert is_doubt_label(sentence) is label


DOUBT = "I think the cache is shared."


def claims(text: str) -> list[Claim]:
    return list(extract(text.encode(), "CLAUDE.md", DocClass.MEMORY).claims)


def labels(text: str) -> list[str]:
    """The labels over the claims that doubt."""
    return [c.doubt for c in claims(text) if DOUBT.rstrip(".") in c.text]


OVER = {
    "heading": f"## Open questions\n\n{DOUBT}\n",
    "a part of the heading": f"# Cache — open questions raised in May\n\n{DOUBT}\n",
    "heading above": f"## Open questions\n\n### Cache\n\n{DOUBT}\n",
    "lead-in": f"These are our assumptions:\n\nAssumptions:\n\n- {DOUBT}\n",
    "lead-in behind a sentence": f"It was moved. Open questions:\n\n1. {DOUBT}\n",
    "bold run-in": f"**Open questions.** {DOUBT}\n",
    "bold run-in with a colon": f"**Open questions**: {DOUBT}\n",
    "bold line": f"**Open questions**\n\n{DOUBT}\n\n- {DOUBT}\n",
    "bold item": f"- **Risk:** It is old. {DOUBT}\n",
    "item": f"- Hypothesis: {DOUBT}\n",
    "item behind a dash": f"- Hypothesis — {DOUBT}\n",
    "tag": f"- [hypothesis] {DOUBT}\n",
    "parent item": f"- Open questions\n  - Cache\n    - {DOUBT}\n",
    "parent item that says more": f"- Hypothesis: it is old.\n  - {DOUBT}\n",
    "table header": f"| Step | Risk |\n|---|---|\n| One | {DOUBT} |\n",
    "table cell": f"| State | What |\n|---|---|\n| unverified | {DOUBT} |\n",
    "lead-in of a table": f"Open questions:\n\n| What | Who |\n|---|---|\n| {DOUBT} | A |\n",
    "sentence": f"The cache moved. Assumption: {DOUBT}\n",
    "quotation by its lead-in": f"The owner wrote:\n\n> It is slow.\n>\n> {DOUBT}\n",
}


@pytest.mark.parametrize("text", OVER.values(), ids=OVER)
def test_a_label_covers_the_claims_below(text: str) -> None:
    found = labels(text)
    assert found
    assert all(found)


NOT_OVER = {
    "nothing": f"{DOUBT}\n",
    "another heading": f"## Open questions\n\nNone are left.\n\n## Cache\n\n{DOUBT}\n",
    "behind the paragraph": f"**Open questions.** It is slow.\n\n{DOUBT}\n",
    "the next item": f"- Hypothesis: It is slow.\n- {DOUBT}\n",
    "the next paragraph": f"Assumption: it is slow.\n\n{DOUBT}\n",
    "behind its list": f"Open questions:\n\n- Is it slow?\n\n{DOUBT}\n",
    "the next sentence": f"We moved it. Assumption: it is slow. We tested it. {DOUBT}\n",
    "emphasis in the middle": f"We list **open questions** here. {DOUBT}\n",
    "a guess for a label": f"I think:\n\n- {DOUBT}\n",
    "other rows": f"| State | What |\n|---|---|\n| unverified | It is. |\n| done | {DOUBT} |\n",
    "an empty cell": f"| What | Risk |\n|---|---|\n| {DOUBT} | |\n",
    "a note": f"> {DOUBT}\n",
    "behind the quotation": f'> "It is slow."\n\n{DOUBT}\n',
}


@pytest.mark.parametrize("text", NOT_OVER.values(), ids=NOT_OVER)
def test_a_label_does_not_cover_other_claims(text: str) -> None:
    found = labels(text)
    assert found
    assert not any(found)


def test_a_label_alone_is_no_claim() -> None:
    text = "**What I'm still uncertain about.** Whether the cache is shared by all workers.\n"
    assert [c.text for c in claims(text)] == ["Whether the cache is shared by all workers."]


def test_a_long_quotation_is_read_as_one() -> None:
    words = "We keep the words as they were said, all of them. " * 8
    (*_, last) = claims(f'He said: "{words}{DOUBT} So it was." Then it ended for good.\n')
    said = [c for c in claims(f'He said: "{words}{DOUBT} So it was."\n') if DOUBT in c.text]
    assert said
    assert all("I think" not in c.masked for c in said)
    assert "ended" in last.masked
