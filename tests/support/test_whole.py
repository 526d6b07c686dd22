"""A whole text beside a source: the four phases and the verdict's fields."""

from __future__ import annotations

import pytest

from grounded_ingest.support.text_report import check_text

TERMS = "Payment shall be made within thirty (30) days. A late fee of 1.5% per month is charged."


@pytest.mark.parametrize(
    ("text", "confidence", "hallucinated", "returned"),
    [
        ("Payment is due within 30 days. The late fee is 5%.", 0.6, True, False),
        ("The late fee is 5%.", 0.2, True, False),
        ("Payment is due within 30 days.", 1.0, False, True),
        ("The moon is full of green cheese.", 0.7, False, True),
        ("See ADR-3.", 1.0, False, False),
        ("", 1.0, False, False),
    ],
)
def test_confidence(text: str, confidence: float, hallucinated: bool, returned: bool) -> None:
    result = check_text(text, TERMS)
    assert result.confidence_score == pytest.approx(confidence)
    assert (result.is_hallucinated, result.should_return) == (hallucinated, returned)


def test_the_verdict_as_json() -> None:
    built = check_text("# Terms\n\nThe late fee is 5%.\n", TERMS).as_json
    assert built == {
        "claims": [
            {
                "text": "The late fee is 5%.",
                "type": "quantitative",
                "found_in_source": False,
                "source_quote": "A late fee of 1.5% per month is charged.",
                "status": "contradicted",
                "source_line": 1,
                "differs": "the source says 1.5%, the claim 5%",
            }
        ],
        "confidence_score": 0.2,
        "is_hallucinated": True,
        "should_return": False,
        "summary": "1 claim compared: 1 contradicted",
        "reasoning": "'The late fee is 5%.': contradicted, the source says 1.5%, the claim 5%",
    }


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("The fee is 5%.", "quantitative"),
        ("It holds 10 items for 3 days.", "quantitative"),
        ("Payment is due within 30 days.", "temporal"),
        ("Support ends on 2027-03-31.", "temporal"),
        ("Clients must use TLS.", "obligation"),
        ("The queue is bounded.", "general"),
    ],
)
def test_types_in_their_order(text: str, kind: str) -> None:
    assert check_text(text, TERMS).claims[0].type == kind
