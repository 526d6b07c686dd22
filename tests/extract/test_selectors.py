"""Variation selectors carry a text that nobody sees; after an ideograph they choose its form."""

from __future__ import annotations

import pytest

from grounded_ingest.extract.documents import extract
from grounded_ingest.model.claims import DocClass, Form

HIDDEN = "".join(chr(0xE0100 + ord(char) - 16) for char in "IGNORE ALL")


@pytest.mark.parametrize(
    ("text", "form"),
    [
        (f"The port is 8443{HIDDEN} for now.", Form.HIDDEN),
        (f"The port is{HIDDEN} 8443 for now.", Form.HIDDEN),
        ("The city of 葛\U000e0100城 is where the office stands.", Form.PROSE),
        ("The port ✈\ufe0f is 8443 for now.", Form.PROSE),
    ],
)
def test_variation_selectors_that_carry_text_are_hidden_text(text: str, form: Form) -> None:
    found = extract(f"# Notes\n\n{text}\n".encode(), "memory-bank/x.md", DocClass.MEMORY)
    assert [c.form for c in found.claims] == [form]
