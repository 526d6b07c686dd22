"""Decision logs: files that keep each record below a heading, `## ADR-0004: Use X`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from grounded_ingest.config.settings import Config, classify
from grounded_ingest.extract.heading_anchors import without_fences
from grounded_ingest.git.quoted_lines import LARGEST, text_of
from grounded_ingest.git.trees import Tree
from grounded_ingest.text.patterns import compiled

_LOG = compiled(
    r"(?:.*/)?(?:(?:architect\w*[-_ ])?decisions?(?:[-_ ](?:log|records?))?|adrs?(?:[-_ ]log)?)"
    r"\.(?:md|markdown|mdx)",
    re.IGNORECASE,
)
# Behind the number the title begins, or the line ends: `## ADR-7 follow-up` is no record.
_HEADING = compiled(
    r"(?im)^(?P<level>#{1,6})[ \t]+[*_`\[]*(?P<word>adr|(?:architect\w* )?decision)[-_ #]*"
    r"(?P<number>\d{1,5})[\]*_`]*[ \t]*(?:[:.|(—–-](?!\d)|$)[^\n]*",
    needs=("adr", "decision"),
)


class LogRecord(NamedTuple):
    """A record of a log: the log's path, and the text from its heading to the next of its level
    or above. `says_adr` is true if the heading says "ADR", false if it says "Decision"."""

    path: str
    text: str
    says_adr: bool


def log_records(tree: Tree, config: Config) -> Mapping[int, tuple[LogRecord, ...]]:
    """Returns the records that the documents of a tree keep as headings, by number."""
    found: dict[int, tuple[LogRecord, ...]] = {}
    for path, records in _of_logs(tree).items():
        for number, record in records.items() if classify(config, path) else ():
            found[number] = (*found.get(number, ()), record)
    return found


@lru_cache(maxsize=4)
def _of_logs(tree: Tree) -> Mapping[str, Mapping[int, LogRecord]]:
    logs = (p for p in tree.files if _LOG.fullmatch(p) and tree.size(p) <= LARGEST)
    return {p: _records(p, text_of(tree, p) or "") for p in logs}


def _records(path: str, text: str) -> dict[int, LogRecord]:
    """Returns the records of one log; of headings with the same number the first."""
    text = without_fences(text)
    found: dict[int, LogRecord] = {}
    for heading in _HEADING.finditer(text):
        deep = len(heading["level"])
        end = re.compile(rf"^#{{1,{deep}}}[ \t]", re.MULTILINE).search(text, heading.end())
        body = text[heading.end() : end.start() if end else len(text)]
        # As a file of its own: the status is looked for below a title of the first level.
        body = re.sub(rf"(?m)^#{{{deep - 1}}}(?=#)", "", body) if deep > 1 else body
        record = f"{heading[0][deep - 1 :]}\n{body}"
        says_adr = heading["word"].lower() == "adr"
        found.setdefault(int(heading["number"]), LogRecord(path, record, says_adr))
    return found
