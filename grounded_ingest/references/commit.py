"""Checks citations of commits. The commit has to be in git's object database, and the base branch
has to contain it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache

from msgspec.structs import replace

from grounded_ingest.git import ancestry
from grounded_ingest.model.claims import Evidence, Origin, Verdict
from grounded_ingest.references.context import Context, Request, evidence, fingerprint
from grounded_ingest.references.exemptions import OF_A_DAY, is_shown_in_code
from grounded_ingest.text.dated_paths import is_about_one_day
from grounded_ingest.text.patterns import compiled


def verify_commits(
    requests: Sequence[Request], context: Context
) -> Mapping[Request, Evidence | None]:
    """Returns the evidence for each citation of a commit. The value is None for hex digits that do
    not mean a commit."""
    objects = context.repo.objects
    cited = dict.fromkeys(r.citation.raw for r in requests)
    objects.look_up(f"{raw}^{{commit}}" for raw in cited)
    # Git distinguishes an ambiguous name from a missing one only if no object type is given.
    objects.look_up(raw for raw in cited if objects.get(f"{raw}^{{commit}}") is None)
    named = {r: _object_id(r.citation.raw, context) for r in requests}
    oids = {oid for oid in named.values() if len(oid) > len("ambiguous")}
    base = context.base
    unreachable = _unreachable(oids, context) if base.known else oids
    return {r: _judge(r, oid, unreachable, context) for r, oid in named.items()}


def _unreachable(oids: set[str], context: Context) -> set[str]:
    """Returns those of the given commits that are not on the base branch. A run asks git only once
    about each commit."""
    base = context.base
    reached = base.tree.reached
    if new := oids - reached.keys():
        missed = ancestry.unreachable(context.repo, new, base.commit)
        reached.update((oid, oid not in missed) for oid in new)
    return {oid for oid in oids if not reached[oid]}


def _object_id(cited: str, context: Context) -> str:
    """Returns the full id of the cited commit. Returns "ambiguous" if several commits begin with
    the cited digits, and an empty string if none does."""
    objects = context.repo.objects
    found = objects.get(f"{cited}^{{commit}}")
    if found is not None and found.oid.startswith(cited):
        return found.oid
    if found is None and objects.get(cited) is None and cited not in objects.ambiguous:
        return ""
    # A branch or tag has the same name, or several objects begin with these digits.
    ids = context.repo.disambiguate(cited)
    commits = [i for i in ids if (o := objects.get(i)) is not None and o.type == "commit"]
    if len(commits) > 1:
        return "ambiguous"
    return commits[0] if commits else ""


def _judge(request: Request, oid: str, unreachable: set[str], context: Context) -> Evidence | None:
    base = context.base
    if not oid:
        return _judge_absent(request, context)
    if oid == "ambiguous":
        return evidence(request, Verdict.UNKNOWN, "the id is ambiguous; write more of its digits")
    if not base.known:
        return evidence(request, Verdict.UNKNOWN, "the base branch is unknown", target=oid)
    if oid in unreachable:
        return _judge_off_base(request, oid, context)
    subject = _subject(oid, context)
    judged = evidence(request, Verdict.CONFIRMED, target=oid)
    origins = (Origin("commit", commit=oid),)
    return replace(judged, quote=subject, fingerprint=fingerprint(subject), origins=origins)


def _judge_off_base(request: Request, oid: str, context: Context) -> Evidence:
    """Returns the evidence for a commit that is not on the base branch. The citation is wrong if
    exactly one commit on the base branch has the same patch. Otherwise the citation is unknown. A
    commit on the current branch may still be merged, and a squash merge replaces the commits of a
    branch. Of 20 findings about such commits, 1 was right."""
    if context.repo.shallow:
        reason = (
            "the base branch of this shallow clone lacks the commit; fetch the whole history"
            " (fetch-depth: 0)"
        )
        return evidence(request, Verdict.UNKNOWN, reason, target=oid)
    landings = ancestry.landings_of(context.repo, context.base.commit, context.cache)
    landed = None if context.staged else landings.of(oid, context.start)
    if landed is None:
        reason = "the commit is not on the base branch; perhaps it is on the current branch"
        return evidence(request, Verdict.UNKNOWN, reason, target=oid)
    there = f"{landed.commit[:12]} ({landed.how})"
    reason = f"the commit is not on the base branch; its change is there as {there}"
    if not landed.certain or is_about_one_day(request.path):
        return evidence(request, Verdict.UNKNOWN, reason, target=oid)
    gone = evidence(request, Verdict.REFUTED, reason, target=oid)
    return replace(gone, instead=landed.commit)


def _judge_absent(request: Request, context: Context) -> Evidence | None:
    cited = request.citation
    if cited.cue == "foreign" or (cited.cue == "meant" and "foreign" in cited.around):
        return evidence(request, Verdict.UNKNOWN, "the commit is in another repository")
    if cited.cue != "meant":
        return None
    if context.repo.shallow:
        return evidence(
            request,
            Verdict.UNKNOWN,
            "the commit is not in this shallow clone; fetch the whole history (fetch-depth: 0)",
        )
    if context.repo.partial:
        return evidence(request, Verdict.UNKNOWN, "the commit is not in this partial clone")
    if is_about_one_day(request.path):
        return evidence(request, Verdict.UNKNOWN, f"this repository has no such commit; {OF_A_DAY}")
    if is_shown_in_code(request.path, cited.raw, context):
        return evidence(request, Verdict.UNKNOWN, "the document shows this id in sample output")
    if len(cited.raw) >= _WHOLE and request.sentence:
        reason = "this repository has no such commit; perhaps another repository has it"
        return evidence(request, Verdict.UNKNOWN, reason)
    if _tells_of_rewrite(request.sentence):
        reason = "this repository has no such commit; perhaps it was rebased or amended"
        return evidence(request, Verdict.UNKNOWN, reason)
    return evidence(request, Verdict.REFUTED, "this repository has no such commit")


@lru_cache(maxsize=1)  # a sentence can have thousands of commits
def _tells_of_rewrite(sentence: str) -> bool:
    return _FROM_TO.search(sentence) is not None


_COMMITTED = compiled(r"(?m)^committer [^\n]*> (\d+) ")
_FROM_TO = compiled(
    r"(?i)\bfrom (?:commit )?`?[0-9a-f]{7,40}`? to (?:commit )?`?[0-9a-f]{7,40}\b", needs=("from",)
)
_LONGEST_SUBJECT = 60
_WHOLE = 40
"""Number of hexadecimal digits in a full commit id."""


def dated_subject(oid: str, context: Context) -> str:
    """Returns the date and the subject of a commit, such as `(2026-04-03, “add zizmor”)`. Returns
    an empty string if the commit cannot be read."""
    head = (context.repo.objects.read(oid) or b"").partition(b"\n\n")[0]
    found = _COMMITTED.search(head.decode(errors="replace"))
    subject = _subject(oid, context)
    if found is None or not subject:
        return ""
    day = datetime.fromtimestamp(int(found[1]), UTC).date()
    short = subject if len(subject) <= _LONGEST_SUBJECT else f"{subject[: _LONGEST_SUBJECT - 1]}…"
    return f"({day}, “{short}”)"


def _subject(oid: str, context: Context) -> str:
    raw = context.repo.objects.read(oid) or b""
    message = raw.partition(b"\n\n")[2].decode(errors="replace")
    return message.strip().split("\n", 1)[0][:300]
