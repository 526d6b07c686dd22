"""Where a sentence ends, for documents, notes and sources alike, as a table."""

from __future__ import annotations

import pytest

from grounded_ingest.language.mask import masked_code
from grounded_ingest.language.reading import read_text
from grounded_ingest.language.sentences import sentences
from grounded_ingest.support.passages import SourceText, passages


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The port is 80. The host is x.", ["The port is 80.", "The host is x."]),
        ("It reads text, e.g. Markdown.", ["It reads text, e.g. Markdown."]),
        ("Ask Dr. Smith, vol. 3. He knows.", ["Ask Dr. Smith, vol. 3.", "He knows."]),
        ("Run `a. B` first. Then stop!", ["Run `a. B` first.", "Then stop!"]),
        ("He said “Stop.” They did.", ["He said “Stop.”", "They did."]),
        ("It fits. 12. Finish it.", ["It fits.", "12. Finish it."]),
        ("Node.js 2.0 is used.", ["Node.js 2.0 is used."]),
    ],
)
def test_documents_and_sources_end_alike(text: str, said: list[str]) -> None:
    assert [text[start:end] for start, end in sentences(masked_code(text))] == said
    assert [p.text for p in passages(SourceText("text", text))] == said


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("i like tea. i live in Oslo.", 2),
        ("We use a cache, e.g. Redis, for sessions.", 1),
        ("The flag is `--a.b` now. it works", 2),
        ("Is it Redis? It is.", 2),
        ("It waits approx. 5 seconds.", 1),
    ],
)
def test_in_notes_the_next_may_begin_in_lower_case(text: str, count: int) -> None:
    assert len(read_text(text).sentences) == count
