"""What issues and merge requests say: kept from the answer that showed that they exist."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from grounded_ingest.language.lexicon.page_elements import UNSEEN_CHARACTERS
from grounded_ingest.language.patterns import compiled
from grounded_ingest.verify.context import fingerprint
from grounded_ingest.verify.response_cache import CachedText

if TYPE_CHECKING:
    from grounded_ingest.verify.response_cache import Answers
    from grounded_ingest.verify.tracker import Tracker

LIMIT = 65_536
"""Characters of a body that are kept."""

_LONGEST_TITLE = 300
_UNSEEN = compiled(UNSEEN_CHARACTERS)
# Comments are not shown, and templates are full of them; in code they are text.
_COMMENT = compiled(
    r"(^ {0,3}(?P<fence>`{3,9}|~{3,9}).*?(?:^ {0,3}(?P=fence)|\Z)"
    r"|(?<!`)(?P<ticks>`{1,3})(?!`)[^`\n]+(?P=ticks))|<!--.*?(?:-->|\Z)",
    8 | 16,
)


class IssueText(Struct, frozen=True):
    """An issue, pull request or merge request (`kind`). `state` is `open`, `closed` or `merged`.

    `association` is what the tracker says of its author, `` where it does not. `at` is when it was
    asked, in epoch seconds. `cut`: the body is longer.
    """

    title: str
    body: str
    state: str
    kind: str
    merged: bool = False
    association: str = ""
    cut: bool = False
    fingerprint: str = ""
    at: float = 0.0


def text_from(said: Mapping[str, Any], kind: str, merged: bool, at: float) -> IssueText:
    """The text in a tracker's answer that is known to be one."""
    raw = said.get("body", said.get("description"))
    raw = raw if isinstance(raw, str) else ""
    body = visible_markdown(raw[: LIMIT + 1])
    title = " ".join(_UNSEEN.sub("", said["title"]).split())[:_LONGEST_TITLE]
    state = "merged" if merged else said["state"].replace("opened", "open")[:20]
    association = said.get("author_association")
    return IssueText(
        title,
        body[:LIMIT],
        state,
        kind,
        merged,
        association[:40] if isinstance(association, str) else "",
        len(raw) > LIMIT,
        fingerprint(f"{title}\n{body[:LIMIT]}"),
        at,
    )


def visible_markdown(text: str) -> str:
    """Markdown without what its readers do not see."""
    plain = _UNSEEN.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _COMMENT.sub(lambda found: found[1] or "", plain).strip()


def held_texts(
    targets: Iterable[str], tracker: Tracker, answers: Answers | None
) -> dict[str, IssueText]:
    prefix = _prefix(tracker)
    kept = answers.texts(prefix + target for target in targets) if answers else {}
    found = {}
    for key, text in kept.items():
        try:
            said = msgspec.json.decode(text.content, type=IssueText)
        except msgspec.DecodeError:
            continue
        found[key.removeprefix(prefix)] = said
    return found


def keep_texts(found: Mapping[str, IssueText], tracker: Tracker, answers: Answers | None) -> None:
    if answers:
        prefix = _prefix(tracker)
        answers.put_texts(
            {
                prefix + t: CachedText(text.at, msgspec.json.encode(text))
                for t, text in found.items()
            }
        )


def _prefix(tracker: Tracker) -> str:
    return f"issue {tracker.kind} {tracker.api} {tracker.repository} "
