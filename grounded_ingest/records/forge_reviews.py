"""Reviews of a range's head commit, asked of the tracker when an approval depends on them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from grounded_ingest.git.repository import Repo
from grounded_ingest.records.authority import Person, is_agent
from grounded_ingest.records.pull_requests import Pull, address_of, ask_request, find_request
from grounded_ingest.text.patterns import compiled

if TYPE_CHECKING:
    from grounded_ingest.net.client import Web
    from grounded_ingest.references.tracker import Tracker

_MERGE_REF = compiled(r"refs/pull/(\d+)/(?:merge|head)")


class Reviews:
    """Implements `vouching.HeadReviews`."""

    def __init__(
        self, tracker: Tracker, web: Web, repo: Repo, end: str, environ: Mapping[str, str]
    ) -> None:
        self._tracker, self._web = tracker, web
        self._heads = _heads(repo, end)
        self._number = request_number(environ)

    @cached_property
    def pull(self) -> Pull:
        number = self._number
        for head in () if number else self._heads:
            number = number or self._web.converse({"": find_request(head, self._tracker)})[""]
        if not number:
            return Pull(trouble="no open pull request has this commit as its head")
        found = self._web.converse({"": ask_request(number, self._tracker)})[""]
        if found.trouble or found.head in self._heads:
            return found
        return Pull(number, found.head, trouble=f"{number} has another head by now")

    def approvers(self) -> tuple[tuple[Person, bool], ...]:
        """People who approved it, and whether each belongs to the project."""
        return tuple(
            (Person(address_of(a.login, self._tracker), frozenset({a.login})), a.belongs)
            for a in self.pull.approvers
            if not is_agent(address_of(a.login, self._tracker), a.login)
        )

    @property
    def reason(self) -> str:
        """Why nobody did, as far as could be found out."""
        if self.pull.trouble:
            return self.pull.trouble
        return "" if self.pull.approvers else f"nobody approved the head of {self.pull.number}"


def reviews_of(
    tracker: Tracker | None, web: Web | None, repo: Repo, end: str, environ: Mapping[str, str]
) -> Reviews | None:
    """Reviews of a commit, where there is a tracker to ask and a network to ask it over."""
    return None if tracker is None or web is None else Reviews(tracker, web, repo, end, environ)


def request_number(environ: Mapping[str, str]) -> int:
    """The request that a CI system works for; 0 where it names none."""
    found = _MERGE_REF.fullmatch(environ.get("GITHUB_REF", ""))
    number = found[1] if found else environ.get("CI_MERGE_REQUEST_IID", "")
    return int(number) if number.isdecimal() else 0


def _heads(repo: Repo, end: str) -> tuple[str, ...]:
    """The commit, and what it merges: CI systems check out a merge with the target branch."""
    text = (repo.objects.read(end) or b"").partition(b"\n\n")[0].decode("latin-1")
    parents = re.findall(r"(?m)^parent ([0-9a-f]+)$", text)
    return (end, *parents[1:2])
