"""Asks a reviewer about waiting claims, one section at a time, like `git add -p`."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import click

from grounded_ingest.cli.terminal import emit
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.trees import rows_of, text_of
from grounded_ingest.model.claims import Decision
from grounded_ingest.records.review_log import ReviewAction
from grounded_ingest.report.explanation import pending_lines, queue_line, section_page
from grounded_ingest.report.formats import Look
from grounded_ingest.review.context_view import SimilarClaims, section_lines, source_excerpts
from grounded_ingest.review.desk import Desk, QueueFilter
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import number_of, printable

HELP = """\
a          approve all open claims in this section
1 3-5      approve the claims 1, 3, 4 and 5
r 2        reject claim 2, after asking for the reason (several claims: r 2 4-5)
r          reject all open claims in this section, after asking for the reason
s          skip this section
e          edit the document in $VISUAL or $EDITOR, then check it again
u          undo the last action
q          quit
?          show this help
"""
MERGE_FIRST = (
    "an approval counts only after it is merged into the base branch: commit .grounded/reviews"
    " together with the text\n"
)
_NUMBERS = compiled(r"\d+(?:-\d+)?(?:[\s,]+\d+(?:-\d+)?)*")


class _Undoable(NamedTuple):
    """An action that `u` can undo. decisions: the decisions for the affected claims. at: path and
    title of their section."""

    action: ReviewAction
    decisions: tuple[Decision, ...]
    at: tuple[str, str]


def need_terminal() -> None:
    """Raises GroundedIngestError if there is no terminal to ask on."""
    if not sys.stdin.isatty():
        raise GroundedIngestError(
            "review needs a terminal to ask on",
            "use `grounded-ingest review list`, `show`, `approve` or `reject`",
        )


class QueueWalk:
    """Goes through the review queue with the reviewer, and remembers the skipped sections, the
    actions and the decided claims."""

    def __init__(self, desk: Desk, wanted: QueueFilter, look: Look) -> None:
        self.desk, self.wanted, self.look = desk, wanted, look
        self.skipped: set[tuple[str, str]] = set()
        self.actions: list[_Undoable] = []
        self.decided: set[tuple[str, tuple[str, str, int]]] = set()
        self.counts: dict[str, int] = {}
        self.nearest = SimilarClaims(desk.result.kb)
        self.priority = desk.foremost(desk.find(wanted))

    def run(self) -> None:
        """Asks the reviewer about each section until the queue is empty or the reviewer quits."""
        hidden = self.desk.hidden(self.wanted)
        if self.priority:
            emit(f"The {len(self.priority)} most important claims come first:\n")
            for decision in self.priority:
                emit(f"  {queue_line(decision, 'pending', self.look)}\n")
            emit("\n")
        while sections := self._sections():
            if not self._ask_section(*sections[0], left=len(sections)):
                break
        else:
            emit("the queue is empty\n" if not self.skipped else "no more sections\n")
        done = ", ".join(f"{n} {action}" for action, n in self.counts.items() if n)
        emit(f"{done or 'no claim was decided'}\n")
        if self.counts.get("approved"):
            emit(MERGE_FIRST)
        if hidden:
            emit(
                f"{number_of(hidden, 'claim')} with other owners are not shown; add --all-owners\n"
            )

    def _sections(self) -> list[tuple[tuple[str, str], list[Decision]]]:
        """Returns the sections with open claims that are not skipped, and the decisions for these
        claims."""
        grouped: dict[tuple[str, str], list[Decision]] = {}
        for decision in self.desk.find(self.wanted):
            place = decision.place
            at = place.path, place.claim.section
            if at not in self.skipped and (place.path, place.claim.key) not in self.decided:
                grouped.setdefault(at, []).append(decision)
        first: dict[tuple[str, str], int] = {}
        for rank, decision in enumerate(self.priority):
            first.setdefault((decision.place.path, decision.place.claim.section), rank)
        return sorted(grouped.items(), key=lambda s: first.get(s[0], len(self.priority)))

    def _ask_section(self, at: tuple[str, str], decisions: list[Decision], *, left: int) -> bool:
        """Asks the reviewer about the claims in a section until all are decided or the section is
        skipped. `left` is the number of sections that are left. Returns False if the reviewer
        quits."""
        self._show(at, decisions)
        while True:
            open_ones = f"{number_of(len(decisions), 'claim')}, sections left: {left}"
            answer = self._ask(f"{open_ones} [a,1-9,r,s,e,u,q,?] ")
            if answer is None or answer in ("q", "quit"):
                return False
            if answer in ("s", "skip"):
                self.skipped.add(at)
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
        """Approves or rejects claims as the answer says. Returns whether any claim was decided."""
        verb, _, rest = answer.partition(" ")
        if verb in ("a", "all") and not rest:
            return self._act("approve", decisions, at)
        if verb in ("r", "reject"):
            chosen = _parse_numbers(rest, decisions) if rest else decisions
            if chosen is not None:
                reason = self._ask(f"reject {number_of(len(chosen), 'claim')}, because: ")
                if reason:
                    return self._act("reject", chosen, at, reason)
                emit("nothing was rejected, because a rejection needs a reason\n")
                return False
        chosen = _parse_numbers(answer, decisions)
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
            self.actions.append(_Undoable(action, done, at))
            self.decided.update((d.place.path, d.place.claim.key) for d in done)
            self._count(action, len(done))
        return bool(done)

    def _count(self, action: ReviewAction, by: int) -> None:
        name = {"approve": "approved", "reject": "rejected"}[action]
        self.counts[name] = self.counts.get(name, 0) + by

    def _undo(self) -> bool:
        if not self.actions:
            emit("there is nothing to undo\n")
            return False
        last = self.actions.pop()
        self.desk.act("revoke", last.decisions, "undone")
        self.decided.difference_update((d.place.path, d.place.claim.key) for d in last.decisions)
        self._count(last.action, -len(last.decisions))
        self.skipped.discard(last.at)
        emit(f"undone: {last.action} of {number_of(len(last.decisions), 'claim')}\n")
        return True

    def _edit(self, path: str) -> None:
        try:
            click.edit(filename=f"{self.desk.repo.root}/{path}")
        except click.ClickException as error:  # the editor does not exist, or it failed
            emit(f"{printable(error.format_message())}\n")
        self.desk.close()
        self.desk.load()
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
            for target, lines in source_excerpts(decision, tree):
                emit(f"      | {printable(target)}\n")
                for n, text in lines:
                    emit(f"      | {n:>5}  {printable(text, 160)}\n")
            for near, share in self.nearest.similar_to(decision.place):
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
        return section_page(
            path, title, section_lines(rows_of(text), ranges, others), marks, self.look
        )

    def _ask(self, prompt: str) -> str | None:
        emit(self.look.paint(prompt, "bold"))
        line = sys.stdin.readline()
        return re.sub(r"\s+", " ", line).strip() if line else None


def _parse_numbers(text: str, decisions: Sequence[Decision]) -> list[Decision] | None:
    """Returns the claims whose numbers are in a text such as `1 3-5`. Returns None if the text is
    not a list of numbers, or if a number belongs to no claim."""
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
