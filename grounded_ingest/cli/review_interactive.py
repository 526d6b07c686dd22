"""The walk through the queue, section by section, in the manner of `git add -p`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

import click

from grounded_ingest.cli.review_bulk import claims
from grounded_ingest.cli.terminal import emit
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.trees import rows_of, text_of
from grounded_ingest.report.explanation import pending_lines, queue_line, section_page
from grounded_ingest.report.formats import Look
from grounded_ingest.review.context_view import SimilarClaims, sources
from grounded_ingest.review.context_view import section_lines as lines_of
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

if TYPE_CHECKING:
    from grounded_ingest.model.claims import Decision
    from grounded_ingest.records.review_log import ReviewAction
    from grounded_ingest.review.desk import Desk, QueueFilter

HELP = """\
a          approve every claim of the section that is still open
1 3-5      approve these
r 2        reject claim 2 (several: r 2 4-5); asks for the reason
r          reject every open claim of the section
s          skip the section
e          edit the document in $VISUAL or $EDITOR, then read the queue again
u          undo the last action
q          quit
?          this help
"""
_NUMBERS = compiled(r"\d+(?:-\d+)?(?:[\s,]+\d+(?:-\d+)?)*")


class _Taken(NamedTuple):
    """What undo takes back."""

    action: ReviewAction
    decisions: tuple[Decision, ...]
    at: tuple[str, str]


def need_terminal() -> None:
    """Raises GroundedIngestError where nobody can answer."""
    if not sys.stdin.isatty():
        raise GroundedIngestError(
            "the queue is walked on a terminal, and there is none",
            "use: grounded-ingest review list, show, approve, reject",
        )


def walk_queue(desk: Desk, wanted: QueueFilter, look: Look) -> None:
    """Show section after section until the queue or the reviewer is done."""
    desk.refuse_agents()
    _QueueWalk(desk, wanted, look).run()


class _QueueWalk:
    """`passed` are sections that were skipped, `taken` the actions so far, the last one last."""

    def __init__(self, desk: Desk, wanted: QueueFilter, look: Look) -> None:
        self.desk, self.wanted, self.look = desk, wanted, look
        self.passed: set[tuple[str, str]] = set()
        self.taken: list[_Taken] = []
        self.settled: set[tuple[str, tuple[str, str, int]]] = set()
        self.counts: dict[str, int] = {}
        self.nearest = SimilarClaims(desk.result.kb)
        self.foremost = desk.foremost(desk.find(wanted))

    def run(self) -> None:
        hidden = self.desk.hidden(self.wanted)
        if self.foremost:
            emit(f"The {len(self.foremost)} that matter most come first:\n")
            for decision in self.foremost:
                emit(f"  {queue_line(decision, 'pending', self.look)}\n")
            emit("\n")
        while (found := self._next()) is not None:
            if not self._section(*found):
                break
        else:
            emit("the queue is empty\n" if not self.passed else "no more sections\n")
        done = ", ".join(f"{n} {action}" for action, n in self.counts.items() if n)
        emit(f"{done or 'nothing decided'}\n")
        if self.counts.get("approved"):
            emit("approvals are advisory until they land: commit .grounded/reviews with the text\n")
        if hidden:
            emit(f"{claims(hidden)} of other owners (--all-owners)\n")

    def _next(self) -> tuple[tuple[str, str], list[Decision]] | None:
        """The next section with claims that are open."""
        for at, decisions in self._sections():
            if at not in self.passed:
                return at, decisions
        return None

    def _sections(self) -> Iterator[tuple[tuple[str, str], list[Decision]]]:
        grouped: dict[tuple[str, str], list[Decision]] = {}
        for decision in self.desk.find(self.wanted):
            place = decision.place
            if (place.path, place.claim.key) not in self.settled:
                grouped.setdefault((place.path, place.claim.section), []).append(decision)
        first: dict[tuple[str, str], int] = {}
        for rank, decision in enumerate(self.foremost):
            first.setdefault((decision.place.path, decision.place.claim.section), rank)
        yield from sorted(grouped.items(), key=lambda s: first.get(s[0], len(self.foremost)))

    def _section(self, at: tuple[str, str], decisions: list[Decision]) -> bool:
        """Ask about one section until it is settled or left. False: quit."""
        self._show(at, decisions)
        left = sum(1 for s, _ in self._sections() if s not in self.passed)
        while True:
            open_ones = f"{claims(len(decisions))}, {left} to go"
            answer = self._ask(f"{open_ones} [a,1-9,r,s,e,u,q,?] ")
            if answer is None or answer in ("q", "quit"):
                return False
            if answer in ("s", "skip"):
                self.passed.add(at)
                return True
            if answer in ("e", "edit"):
                self._edit(at[0])
                return True
            if answer in ("u", "undo"):
                if self._undo():
                    return True
            elif self._decide(answer, at, decisions):
                return True

    def _decide(self, answer: str, at: tuple[str, str], decisions: list[Decision]) -> bool:
        """Approve or reject; whether anything was done."""
        verb, _, rest = answer.partition(" ")
        if verb in ("a", "all") and not rest:
            return self._act("approve", decisions, at)
        if verb in ("r", "reject"):
            chosen = _chosen(rest, decisions) if rest else decisions
            if chosen is not None:
                reason = self._ask(f"reject {claims(len(chosen))}, because: ")
                if reason:
                    return self._act("reject", chosen, at, reason)
                emit("not rejected: a rejection needs its reason\n")
                return False
        chosen = _chosen(answer, decisions)
        if chosen is not None:
            return self._act("approve", chosen, at)
        emit(HELP)
        return False

    def _act(
        self,
        action: ReviewAction,
        chosen: Sequence[Decision],
        at: tuple[str, str],
        reason: str = "",
    ) -> bool:
        did = self.desk.act(action, chosen, reason)
        for decision, why in did.refused:
            emit(f"refused line {decision.place.claim.line}: {printable(why)}\n")
        refused = {d.place for d, _ in did.refused}
        done = tuple(d for d in chosen if d.place not in refused)
        if done:
            self.taken.append(_Taken(action, done, at))
            self.settled.update((d.place.path, d.place.claim.key) for d in done)
            self._count(action, len(done))
        return bool(done)

    def _count(self, action: ReviewAction, by: int) -> None:
        name = {"approve": "approved", "reject": "rejected"}[action]
        self.counts[name] = self.counts.get(name, 0) + by

    def _undo(self) -> bool:
        if not self.taken:
            emit("nothing to undo\n")
            return False
        last = self.taken.pop()
        self.desk.act("revoke", last.decisions, "undone")
        self.settled.difference_update((d.place.path, d.place.claim.key) for d in last.decisions)
        self._count(last.action, -len(last.decisions))
        self.passed.discard(last.at)
        emit(f"undone: {last.action} of {claims(len(last.decisions))}\n")
        return True

    def _edit(self, path: str) -> None:
        try:
            click.edit(filename=f"{self.desk.repo.root}/{path}")
        except click.ClickException as error:  # no such editor, or it failed
            emit(f"{printable(error.format_message())}\n")
        self.desk.reload()
        self.nearest = SimilarClaims(self.desk.result.kb)

    def _show(self, at: tuple[str, str], decisions: list[Decision]) -> None:
        path, title = at
        tree = self.desk.result.scoped.tree
        marks = {d.place.claim.line: f"[{n}]" for n, d in enumerate(decisions, 1)}
        for line in self._text(path, title, marks):
            emit(f"{line}\n")
        emit("\n")
        for number, decision in enumerate(decisions, 1):
            for line in pending_lines(number, decision, self.desk.context(decision), self.look):
                emit(f"{line}\n")
            for source in sources(decision, tree):
                emit(f"      | {printable(source.target)}\n")
                for n, text in source.lines:
                    emit(f"      | {n:>5}  {printable(text, 160)}\n")
            for near, share in self.nearest.to(decision.place):
                where = f"{printable(near.path)}:{near.claim.line}"
                emit(f"      ~ {where} ({share:.2f}) {printable(near.claim.text, 160)}\n")

    def _text(self, path: str, title: str, marks: dict[int, str]) -> Iterator[str]:
        text = text_of(self.desk.result.scoped.tree, path)
        document = self.desk.result.kb.document(path)
        if text is None or document is None:
            return iter(())
        every = document.extraction.claims
        ranges = [(c.line, c.end_line) for c in every if c.section == title]
        others = [n for c in every if c.section != title for n in range(c.line, c.end_line + 1)]
        return section_page(path, title, lines_of(rows_of(text), ranges, others), marks, self.look)

    def _ask(self, prompt: str) -> str | None:
        """A line of the reviewer's; None at the end of input."""
        emit(self.look.paint(prompt, "bold"))
        line = sys.stdin.readline()
        return re.sub(r"\s+", " ", line).strip() if line else None


def _chosen(text: str, decisions: Sequence[Decision]) -> list[Decision] | None:
    """Claims by their numbers (`1 3-5`); None where it names none, or one that is not there."""
    if not _NUMBERS.fullmatch(text):
        return None
    found: dict[int, Decision] = {}
    for part in re.split(r"[\s,]+", text):
        first, _, last = part.partition("-")
        for number in range(int(first), int(last or first) + 1):
            if not 1 <= number <= len(decisions):
                return None
            found[number] = decisions[number - 1]
    return list(found.values())
