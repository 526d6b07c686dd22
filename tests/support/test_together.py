"""Claims that cite several sources: each part in one of them, and a swapped one is still seen."""

from __future__ import annotations

from grounded_ingest.model.claims import Support
from grounded_ingest.support.excerpt import adr_excerpt, cited_lines
from grounded_ingest.support.multi_source import judge_together
from grounded_ingest.support.source import SourceText

CONFIG = cited_lines(
    "courier/config.py", "HOST = '0.0.0.0'\nPORT = 8443\nMAX_RETRIES = 5\n", 2, 2, code=True
)
QUEUE = cited_lines(
    "courier/queue.py",
    "class DeliveryQueue:\n    def drain(self):\n        return self.items.popleft()\n",
    1, 3, code=True,
)  # fmt: skip
OTHER = cited_lines("courier/labels.py", "COLOURS = ('red', 'blue')\n", 1, 1, code=True)
BOTH = "The courier port is 8443, and `DeliveryQueue.drain` returns the items."


def verdicts(claim: str, *sources: SourceText) -> list[Support]:
    return [j.support for j in judge_together(claim, sources)]


def test_what_no_source_holds_alone_they_hold_together() -> None:
    assert verdicts(BOTH, CONFIG) == [Support.UNSUPPORTED]
    assert verdicts(BOTH, QUEUE) == [Support.UNSUPPORTED]
    assert verdicts(BOTH, CONFIG, QUEUE) == [Support.SUPPORTED, Support.SUPPORTED]


def test_one_of_several_swapped_is_seen() -> None:
    assert verdicts(BOTH, CONFIG, OTHER) == [Support.UNSUPPORTED, Support.UNSUPPORTED]
    assert verdicts(BOTH, CONFIG, QUEUE, OTHER)[2] is Support.UNSUPPORTED


def test_a_value_none_of_them_holds_is_missing() -> None:
    assert Support.SUPPORTED not in verdicts(BOTH.replace("8443", "9000"), CONFIG, QUEUE)


def test_one_source_is_judged_as_alone() -> None:
    assert verdicts("The courier port is 8443.", CONFIG) == [Support.SUPPORTED]
    assert judge_together("The courier port is 8443.", ()) == []


RECORD = adr_excerpt("docs/adr/0003-x.md", "# 3. Ledger\n\n## Decision\n\nWe use a small cache.\n")


def test_records_with_other_titles_bear_nothing_together() -> None:
    assert Support.SUPPORTED not in verdicts(": Small cache", RECORD, RECORD)
