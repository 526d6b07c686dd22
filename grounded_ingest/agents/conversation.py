"""Writes the replies to the events of a coding agent's hook.

A reply lists the findings about the text that the agent wrote, one in a line. If there is no
finding, the hook prints nothing.
"""

from __future__ import annotations

import os
import shlex
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress

from grounded_ingest.agents.registry import AgentEvent, FileEdit, HookReply
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.git.repository import path_below
from grounded_ingest.model.claims import Tier
from grounded_ingest.model.digests import blake2b
from grounded_ingest.pipeline import Result
from grounded_ingest.references.heading_anchor import NO_HEADING
from grounded_ingest.references.proofs.offer import offer_for
from grounded_ingest.report.findings import ReportItem, affected_findings
from grounded_ingest.report.formats import Look
from grounded_ingest.report.selection import mute_findings
from grounded_ingest.repository.scope import Asked
from grounded_ingest.servers.model_text import HOW_TO_WRITE, NO_INSTRUCTIONS, ModelText
from grounded_ingest.servers.session import Session, actionable, lines_with
from grounded_ingest.text.dated_paths import is_generated
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import json_quoted, number_of, printable, quoted_name

MOST, LONGEST = 10, 2000
"""Maximum number of findings, and of characters, in one reply."""
SHOWN = 160
"""Maximum number of characters that a finding's line quotes from the claim."""


def reply_to(event: AgentEvent, session: Session, program: str) -> HookReply | None:
    """Returns the text for the agent's model about an event, or None if there is nothing to report.
    Raises GroundedIngestError if the repository cannot be checked."""
    match event.moment:
        case "wrote":
            return _after_writing(event, session, program)
        case "before-write":
            return _before_writing(event, session, program)
        case "before-command" | "after-command":
            return _around_command(event, session, program)
        case "stop":
            return None if event.again else _at_stop(event, session, program)
        case "session-start":
            return _at_start(session, program)
        case _:
            return None


def _after_writing(event: AgentEvent, session: Session, program: str) -> HookReply | None:
    edits = _edits_below_root(event, session)
    if not edits:
        return None
    with session.check(Asked("worktree", tuple(edits))) as result:
        root, report = result.engine.context.repo.root, mute_findings(result).report
        affected = {e.fingerprint for e in affected_findings(report)}
        caused = (e for e in actionable(report) if _is_caused_by_edit(e, edits, root, affected))
        found = [e for e in caused if not _may_come_next(e, edits)]
        lines = _lines(result, found, program)
        offers = [] if lines else _offers(result, edits, root)
    if offers:
        return HookReply("\n".join((PROVABLE, *offers)))
    where = "a document" if len({item.path for item in found}) == 1 else "documents"
    if all(item.path in edits for item in found):
        where = "the text you just wrote"
    return _reply(f"grounded-ingest found problems in {where}:", lines, program)


PROVABLE = "If you write this form of the claim under `## Facts`, grounded-ingest can prove it:"


def _offers(result: Result, edits: dict[str, FileEdit], root: str) -> list[str]:
    """Returns a line for each edited document: a claim that the agent wrote, in a form that can be
    proved. Leaves out generated documents, and documents for which an earlier reply had a line."""
    found: dict[str, str] = {}
    for decision in result.report.decisions:
        path, line = decision.place.path, decision.place.claim.line
        edit = edits.get(path)
        if path in found or edit is None or edit.added is None or not decision.changed:
            continue
        text = _read(os.path.join(root, path))
        if (
            line in lines_with(text, edit.added)
            and not is_generated(text)
            and (said := offer_for(decision, result.engine.context, places=False))
        ):
            found[path] = f"{quoted_name(path)}:{line} {json_quoted(said, SHOWN)}"
    kept = f"{result.engine.context.repo.git_dir}/grounded-ingest/offered"
    known = set(_read(kept).splitlines())
    new = {path: said for path, said in found.items() if _digest(path) not in known}
    try:
        os.makedirs(os.path.dirname(kept), exist_ok=True)
        with open(kept, "a", encoding="ascii") as file:
            file.writelines(f"{_digest(path)}\n" for path in new)
    except OSError:  # if the offer cannot be recorded, it could repeat for ever
        return []
    return [*new.values()]


def _digest(path: str) -> str:
    return blake2b(path.encode(errors="surrogateescape"), digest_size=8).hexdigest()


def _blocking_findings(result: Result) -> list[ReportItem]:
    """Returns the findings that stop a commit: the errors, and also the warnings if the repository
    uses the preset `strict`.
    """
    found = actionable(mute_findings(result).report)
    return [e for e in found if e.severity == "error" or result.config.fail_on == "review"]


def _edits_below_root(event: AgentEvent, session: Session) -> dict[str, FileEdit]:
    """Returns the edits of files inside the repository, by their paths relative to its root."""
    found = {}
    with suppress(GroundedIngestError), session.repository() as repo:
        for edit in event.edits:
            with suppress(GroundedIngestError):
                path = path_below(repo.root, os.path.join(session.directory, edit.path))
                found[path] = edit
    return found


def _is_caused_by_edit(
    item: ReportItem, edits: dict[str, FileEdit], root: str, affected: Collection[str]
) -> bool:
    """Returns whether the agent's edit caused a finding. A finding in an edited file counts if the
    finding is in a line that the edit added. In another file, an error counts, because the edit may
    have removed the cited source. A finding whose fingerprint is in `affected` counts too."""
    edit = edits.get(item.path)
    if edit is None:
        return item.fingerprint in affected or (bool(item.path) and item.severity == "error")
    if edit.added is None:
        return True
    lines = lines_with(_read(os.path.join(root, item.path)), edit.added)
    return any(n in lines for n in range(item.line, max(item.line, item.end_line) + 1))


def _may_come_next(item: ReportItem, edits: dict[str, FileEdit]) -> bool:
    """Returns whether the agent's next edit may repair a finding: a link to a heading that an
    edited document does not have yet. Of 31 lines in a replay of edits, 12 were about such links.
    If the agent wrote the whole document, no further edit is expected."""
    partly = (path for path, edit in edits.items() if edit.content is None)
    return any(item.fact.startswith(f"{printable(path)} {NO_HEADING}") for path in partly)


def _read(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read()
    except OSError:
        return ""


def _before_writing(event: AgentEvent, session: Session, program: str) -> HookReply | None:
    """Returns a reply that refuses a write if the new text has a claim of tier 3 (block). Returns
    None if the repository does not use the preset `strict`."""
    whole = {path: e.content for path, e in _edits_below_root(event, session).items() if e.content}
    if not whole or session.count_documents()[0].preset != "strict":
        return None
    lines: list[str] = []
    for path, content in whole.items():
        with session.check_proposed(path, content) as result:
            found = [e for e in _blocking_findings(result) if e.tier == Tier.BLOCK]
            lines += _lines(result, found, program)
    reply = _reply("grounded-ingest refuses this text (preset strict):", lines, program)
    return reply._replace(refused=True) if reply else None


def _around_command(event: AgentEvent, session: Session, program: str) -> HookReply | None:
    """Returns the findings in the changes since HEAD that would stop a commit, if the agent is
    about to run `git commit --no-verify`. With preset `strict`, an error refuses the command. For
    an agent whose model gets no reply before a command, returns those in the last commit."""
    if not skips_the_hook(event.command):
        return None
    before = event.moment == "before-command"
    asked = Asked("worktree") if before else Asked("range", start="HEAD^", end="HEAD")
    with session.check(asked) as result:
        found, strict = _blocking_findings(result), result.config.preset == "strict"
        lines = _lines(result, found, program)
    what = "would skip these problems in the changes since HEAD:"
    head = what if before else "skipped these problems in the last commit:"
    reply = _reply(f"--no-verify {head}", lines, program)
    refused = before and strict and any(e.severity == "error" for e in found)
    return reply._replace(refused=refused) if reply else None


def skips_the_hook(command: str) -> bool:
    """Returns whether a shell command line runs `git commit` with `--no-verify` or `-n`."""
    return any(
        _skips(words[words.index("commit") + 1 :])
        for words in _commands(command)
        if "commit" in words and os.path.basename(words[0]) == "git"
    )


def _skips(options: Sequence[str]) -> bool:
    """Returns whether the words after `git commit` contain the option `--no-verify` or `-n`. In
    `-m -n`, the word `-n` is the commit message and not the option."""
    words = iter(options)
    for word in words:
        if word == "--":
            return False
        short = _SHORT_OPTIONS.fullmatch(word)
        if word == "--no-verify" or (short and "n" in short["flags"]):
            return True
        if short and short["value"] == "":  # the next word is the value of the last option
            next(words, None)
    return False


_SHORT_OPTIONS = compiled(r"(?s)-(?!-)(?P<flags>[^mFCct]*)(?:[mFCct](?P<value>.*))?")
"""Matches a group of short options of `git commit`, such as `-anm`. The letters in `flags` are
options without a value, and `value` is the value of the option after them."""
_BETWEEN = "();<>|&\n"
"""Characters that separate simple commands in a shell command line."""


def _commands(line: str) -> Iterator[list[str]]:
    """Yields the simple commands in a shell command line as lists of words. A quoted text is one
    word."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=_BETWEEN)
    lexer.whitespace, lexer.whitespace_split = " \t\r", True
    words: list[str] = []
    with suppress(ValueError):  # an unclosed quotation: the commands before it count
        for word in lexer:
            if word and set(word) <= set(_BETWEEN):
                yield from ([words] if words else ())
                words = []
            elif words or "=" not in word:
                words.append(word)
    if words:
        yield words


def _at_stop(event: AgentEvent, session: Session, program: str) -> HookReply | None:
    """Returns a reply with the findings in the changes since HEAD when the agent wants to stop. The
    same findings are reported only once, and only one reply is given for each user message."""
    with session.check(Asked("worktree")) as result:
        lines = _lines(result, _blocking_findings(result), program)
        reply = _reply("grounded-ingest found problems in changes since HEAD:", lines, program)
        if reply is None or not _is_new_at_stop(result, reply.text, event.turn):
            return None
    return reply._replace(refused=True)


def _is_new_at_stop(result: Result, text: str, turn: str) -> bool:
    """Returns whether this stop differs from the last one in both the reply `text` and the user
    message `turn`. Otherwise an agent that does not fix a finding could never stop.
    """
    path = f"{result.engine.context.repo.git_dir}/grounded-ingest/said-at-stop"
    digests = [blake2b(said.encode()).hexdigest() for said in (text, turn)]
    with suppress(OSError), open(path, encoding="ascii") as file:
        last = file.read().split("\n")
        if last[0] == digests[0] or (turn and last[1:] == digests[1:]):
            return False
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="ascii") as file:
            file.write("\n".join(digests))
    except OSError:  # if the reply cannot be recorded, it could repeat for ever
        return False
    return True


def _at_start(session: Session, program: str) -> HookReply | None:
    """Returns one line for the start of a session, which names the number of checked documents and
    the command `recall`. Returns None if there are no documents."""
    _, documents = session.count_documents()
    if not documents:
        return None
    return HookReply(
        f"grounded-ingest checks claims in {number_of(documents, 'document')} against this"
        " repository."
        f" {' '.join(HOW_TO_WRITE)}"
        f' `{program} recall "QUESTION"` finds claims with their evidence.'
    )


def _reply(head: str, findings: Sequence[str], program: str) -> HookReply | None:
    """Returns a reply with at most `MOST` findings and `LONGEST` characters. The reply also says
    how many findings it does not list. Returns None if there is no finding.
    """
    if not findings:
        return None
    lines, left = [head, NO_INSTRUCTIONS], len(findings)
    for line in findings[:MOST]:
        if sum(map(len, lines)) + len(lines) + len(line) > LONGEST - len(_more(left, program)):
            break
        lines.append(line)
        left -= 1
    return HookReply("\n".join([*lines, _more(left, program)] if left else lines))


def _more(left: int, program: str) -> str:
    return f"{left} more findings: run `{program} check`" if left else ""


def _lines(result: Result, found: Sequence[ReportItem], program: str) -> list[str]:
    """Returns a line for each finding: place, rule, problem, fix, and the words of the claim."""
    if not found:
        return []
    text = ModelText(result, result.report, Look(program=program))
    lines = []
    for item in found:
        where = f"{quoted_name(item.path)}:{item.line} " if item.path else ""
        words = f" {json_quoted(item.text, SHOWN)}" if item.id else ""
        lines.append(f"{where}{item.rule}: {text.message(item)}{words}")
    return lines
