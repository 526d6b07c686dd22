"""Checks citations of decision records (ADRs). A citation is right if exactly one record has the
number, is accepted and is on the base branch.

A record is a file in an ADR directory, or a heading in a decision log (`## ADR-0004: Use X`). If a
repository does not have any records, the verdict for every number is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.config.settings import DEFAULTS, Classes, Config, classify, is_adr
from grounded_ingest.extract.documents import extract
from grounded_ingest.extract.heading_anchors import without_fences
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import Claim, DocClass, Evidence, Form, Origin, Verdict
from grounded_ingest.references.adr_status import is_adr_template, read_status
from grounded_ingest.references.context import Context, Request, evidence, fingerprint
from grounded_ingest.references.exemptions import OF_A_DAY, find_withdrawal
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.text.dated_paths import is_about_one_day
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.words import is_about_neighbour

_LOG = compiled(
    r"(?:.*/)?(?:(?:architect\w*[-_ ])?decisions?(?:[-_ ](?:log|records?))?|adrs?(?:[-_ ]log)?)"
    r"\.(?:md|markdown|mdx)",
    re.IGNORECASE,
)
# A separator or the line's end has to follow the number, so `## ADR-7 follow-up` does not match.
_HEADING = compiled(
    r"(?im)^(?P<level>#{1,6})[ \t]+[*_`\[]*(?P<word>adr|(?:architect\w* )?decision)[-_ #]*"
    r"(?P<number>\d{1,5})[\]*_`]*[ \t]*(?:[:.|(—–-](?!\d)|$)[^\n]*",
    needs=("adr", "decision"),
)


class LogRecord(Struct, frozen=True):
    """A decision record that is a section of a decision log.

    `path` is the path of the log. `text` extends from the record's heading to the next heading of
    the same or a higher level. `says_adr` is true if the heading says "ADR", and false if it says
    "Decision"."""

    path: str
    text: str
    says_adr: bool


def log_records(tree: Tree, config: Config) -> Mapping[int, tuple[LogRecord, ...]]:
    """Maps each record number to the sections about it in the decision logs among the documents."""
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
    text = without_fences(text)
    found: dict[int, LogRecord] = {}
    for heading in _HEADING.finditer(text):
        deep = len(heading["level"])
        end = re.compile(rf"^#{{1,{deep}}}[ \t]", re.MULTILINE).search(text, heading.end())
        body = text[heading.end() : end.start() if end else len(text)]
        # Headings are raised, because `read_status` expects a title of the first level.
        body = re.sub(rf"(?m)^#{{{deep - 1}}}(?=#)", "", body) if deep > 1 else body
        record = f"{heading[0][deep - 1 :]}\n{body}"
        says_adr = heading["word"].lower() == "adr"
        found.setdefault(int(heading["number"]), LogRecord(path, record, says_adr))
    return found


_FILE = compiled(
    r"(?:adr[-_ ]?)?(?![0-9]{4}-[0-9]{2}-[0-9]{2})([0-9]{1,5})(?:[-_. ].*)?"
    r"\.(?:md|markdown|mdx|rst|adoc)",
    re.IGNORECASE,
)
_DATED = compiled(r"(?:19|20)\d\d([-_]?)[01]\d\1[0-3]\d[-_. ].+\.(?:md|markdown|mdx|rst|adoc)")
_STATUS = compiled(r"(?im)^(?:#+|[-*+])?[ \t]*(?:\*\*|__)?status\b")
_HEAD = 2000
"""Number of characters at the start of a record that are searched for its status."""
_FILED = compiled(
    r"(?i)/(rejected|super[sc]eded|deprecated|drafts?|proposed|proposals?|archived?|obsolete|"
    r"withdrawn)/",
    needs=(
        "rejected", "super", "deprecated", "draft", "propos", "archive", "obsolete", "withdrawn",
    ),
)  # fmt: skip

_NAMED = compiled(r"(?i)\badr[-_ #]*(\d{1,5})")
_NUMBERS = compiled(r"(?i)\b(?:adrs?[-_ #]*|and )(\d{1,5})\b")
_SAYS_ENDED = compiled(
    r"(?i)\b(?:super[sc]ed(?:ed|ing)|deprecated|rejected|declined|withdrawn|obsoleted?|retired|"
    r"replaced|historical(?:ly)?|no longer)\b"
)

Catalog = Mapping[int, Sequence[str]]


def adr_number(path: str) -> int | None:
    """Returns the number in the file name of a decision record (ADR). Returns None for a name
    without a number, and for a template with the number 0."""
    name = path.rpartition("/")[2]
    found = _FILE.fullmatch(name)
    return int(found[1]) if found and (int(found[1]) or not _called_template(name)) else None


def is_decision(config: Config, path: str, tree: Tree) -> bool:
    """Returns whether a file is a decision record (ADR). The file has to lie in an ADR directory,
    have a number in its name, and not be an unfilled template. A file with a date instead of a
    number in its name is a record if the file has a status."""
    if not is_adr(config, path):
        return False
    if adr_number(path) is None:
        dated = _DATED.fullmatch(path.rpartition("/")[2])
        return bool(dated and _STATUS.search((_text(tree, path) or "")[:_HEAD]))
    return not _is_template(path, tree)


def _is_template(path: str, tree: Tree) -> bool:
    return _called_template(path) and is_adr_template(_text(tree, path) or "")


def _called_template(path: str) -> bool:
    return "template" in path.rpartition("/")[2].lower()


def _label(path: str) -> str:
    found = _FILE.fullmatch(path.rpartition("/")[2])
    return f"ADR-{found[1]}" if found else path


def verify_adrs(requests: Sequence[Request], context: Context) -> Mapping[Request, Evidence | None]:
    """Returns the evidence for each citation of a decision record (ADR). The value is None if the
    sentence calls the record removed or planned."""
    found = {r: _adjust_to_sentence(r, _judge_number(r, context)) for r in requests}
    # A project kept its later decisions in a register of another form, and cited 27 of them.
    missing = {e.target for e in found.values() if e and e.reason.startswith(_NONE)}
    if len(missing) <= CONTINUED:
        return found
    return {
        r: evidence(r, Verdict.UNKNOWN, f"{e.reason}; perhaps it is elsewhere", target=e.target)
        if e and e.target in missing
        else e
        for r, e in found.items()
    }


_NONE = "no ADR "
CONTINUED = 5
"""If more cited ADRs than this are missing, the project probably keeps some of its records
elsewhere, and the verdict for these ADRs is unknown."""


def _adjust_to_sentence(request: Request, found: Evidence) -> Evidence | None:
    """Returns the evidence, adjusted to the citation's sentence. A wrong citation becomes unknown
    if the sentence says that the decision ended, names its successor, gives an example or means
    another repository, and None if it calls the record removed or planned."""
    if found.verdict is not Verdict.REFUTED:
        return found
    around = request.citation.around
    if request.citation.cue in ("gone", "planned"):
        return None
    if "foreign" in around or "example" in around:
        why = f"{found.reason}; perhaps the text means another repository or an example"
        return replace(found, verdict=Verdict.UNKNOWN, reason=why)
    if _SAYS_ENDED.match(found.reason) and ("gone" in around or _says_ended(request)):
        why = f"{found.reason}, as the text seems to say"
        return replace(found, verdict=Verdict.UNKNOWN, reason=why)
    successors = {int(n) for n in _NAMED.findall(found.reason)} - {int(request.citation.raw)}
    if successors & {int(n) for n in _NUMBERS.findall(request.sentence)}:
        return replace(
            found,
            verdict=Verdict.UNKNOWN,
            reason=f"{found.reason}; the text also names the successor",
        )
    return found


def _says_ended(request: Request) -> bool:
    """Returns whether a sentence or table row says that the cited decision ended. The last ADR
    number, if any, before a word such as "superseded" has to be the cited number."""
    cited = int(request.citation.raw)
    for word in _SAYS_ENDED.finditer(request.sentence):
        before = _NUMBERS.findall(request.sentence[: word.start()])
        if not before or int(before[-1]) == cited:
            return True
    return False


def _nearest_records(document: str, number: int, context: Context) -> Sequence[str]:
    """Returns the records with a number in the ADR directories nearest to the document. Searches
    from the document's folder up to the root, and stops at the first match."""
    for home in directories_from(dirname(document)) if document else ():
        records = _below(context.tree, home, context.config.adr_dirs)
        if number in records:
            return records[number]
    return ()


@lru_cache(maxsize=64)
def _below(tree: Tree, home: str, directories: tuple[str, ...]) -> Catalog:
    found: dict[int, list[str]] = {}
    for directory in directories:
        place = f"{home}/{directory}" if home else directory
        for path in tree.below(place) if tree.is_dir(place) else ():
            number = None if _is_template(path, tree) else adr_number(path)
            if number is not None and path not in found.get(number, ()):
                found.setdefault(number, []).append(path)
    return found


def _catalog(tree: Tree, config: Config) -> Catalog:
    return _numbered_files(tree, config.adr_dirs, config.classes.decisions)


@lru_cache(maxsize=4)
def _numbered_files(tree: Tree, directories: tuple[str, ...], globs: tuple[str, ...]) -> Catalog:
    config = replace(DEFAULTS, adr_dirs=directories, classes=Classes(decisions=globs))
    found: dict[int, list[str]] = {}
    for path in tree.files:
        number = adr_number(path)
        if number is not None and is_decision(config, path, tree):
            found.setdefault(number, []).append(path)
    return found


def _judge_number(request: Request, context: Context) -> Evidence:
    number = int(request.citation.raw)
    found = _nearest_records(request.path, number, context) or _catalog(
        context.tree, context.config
    ).get(number, ())
    if not found:
        return _judge_log_record(request, number, context) or _judge_unknown_number(
            request, number, context
        )
    if len(found) > 1:
        reason = f"{len(found)} files have this number: {', '.join(found[:3])}"
        return evidence(request, Verdict.UNKNOWN, reason, target=_label(found[0]))
    return judge_adr_file(request, found[0], context)


def _judge_log_record(request: Request, number: int, context: Context) -> Evidence | None:
    found = log_records(context.tree, context.config).get(number, ())
    label = f"ADR-{number:03}"
    if len(found) > 1:
        reason = f"{len(found)} decision logs have this number: {', '.join(r.path for r in found)}"
        return evidence(request, Verdict.UNKNOWN, reason, target=label)

    def text(tree: Tree) -> str | None:
        records = log_records(tree, context.config).get(number, ())
        return next((r.text for r in records if r.path == found[0].path), None)

    return _judge_record(request, found[0].path, label, text, context) if found else None


def _judge_unknown_number(request: Request, number: int, context: Context) -> Evidence:
    """Returns the evidence for a number that no file or log has. If only the base branch has a file
    with the number, the reason says that this change removes the file."""
    plain = f"ADR-{number:03}"
    landed = _catalog(context.base.tree, context.config).get(number, ())
    if landed:
        reason = f"{landed[0]} is removed by this change"
        return evidence(request, Verdict.REFUTED, reason, target=plain)
    directories = context.config.adr_dirs
    logged = [r for some in log_records(context.tree, context.config).values() for r in some]
    logs = {r.path for r in logged if r.says_adr}
    here = _catalog(context.tree, context.config).values()
    if not (here or logs or context.removals.removed_below(context.start, directories)):
        return evidence(
            request, Verdict.UNKNOWN, "this repository has no decision records", target=plain
        )
    places = sorted({p.rpartition("/")[0] for paths in here for p in paths} | logs)
    where = ", ".join(places) or "any ADR directory"
    return evidence(request, Verdict.REFUTED, f"{_NONE}{number} in {where}", target=plain)


def judge_adr_file(request: Request, path: str, context: Context) -> Evidence:
    """Returns the evidence for a citation of the decision record (ADR) at `path`."""
    target = path if request.citation.link or "/" in request.citation.raw else _label(path)
    return _judge_record(request, path, target, lambda tree: _text(tree, path), context)


def _judge_record(
    request: Request,
    path: str,
    target: str,
    text: Callable[[Tree], str | None],
    context: Context,
) -> Evidence:
    now = text(context.tree)
    if now is None:
        reason = "the file is not in this clone, or is not text"
        return evidence(request, Verdict.UNKNOWN, reason, target=target)
    filed = _FILED.search(f"/{path}")
    verdict, reason = read_status(now)
    if filed and verdict is Verdict.CONFIRMED:
        verdict, reason = Verdict.UNKNOWN, f"the record is in a folder named {filed[1]}/"
    if verdict is Verdict.REFUTED and _may_cite_ended(request.path, path, reason, context):
        return evidence(request, Verdict.CONFIRMED, reason, target=target)
    if verdict is Verdict.REFUTED and _is_dated(request.path, context):
        verdict, reason = Verdict.UNKNOWN, f"{reason}; {OF_A_DAY}"
    if verdict is not Verdict.CONFIRMED:
        return evidence(request, verdict, reason, target=target)
    if not context.base.known:
        return evidence(request, Verdict.UNKNOWN, "the base branch is unknown", target=target)
    landed = text(context.base.tree)
    if landed is None:
        return evidence(
            request, Verdict.UNKNOWN, "the record is not on the base branch yet", target=target
        )
    verdict, reason = read_status(landed)
    if verdict is not Verdict.CONFIRMED:
        return evidence(
            request,
            Verdict.UNKNOWN,
            f"on the base branch, the status differs: {reason}",
            target=target,
        )
    title = _title(landed)
    judged = evidence(request, Verdict.CONFIRMED, target=target)
    origins = () if path == request.path else (Origin("adr", path),)
    return replace(judged, quote=title, fingerprint=fingerprint(title), origins=origins)


def _may_cite_ended(document: str, path: str, reason: str, context: Context) -> bool:
    """Returns whether a document may cite a decision that ended. The decision's own record, its
    successor, and lists of decisions may cite an ended decision."""
    if not is_adr(context.config, document):
        return False
    number = adr_number(document)
    listed = number is None and not is_decision(context.config, document, context.tree)
    after = number is not None and number in map(int, _NAMED.findall(reason))
    return document == path or listed or after


def _is_dated(document: str, context: Context) -> bool:
    """Returns whether a document is a decision record, a plan or a dated record. Later changes do
    not make its citations wrong."""
    return is_decision(context.config, document, context.tree) or is_about_one_day(document)


def _text(tree: Tree, path: str) -> str | None:
    content = tree.read(path)
    if content is None or b"\0" in content[:8000]:
        return None
    return content.decode("utf-8-sig", errors="replace")


def _title(text: str) -> str:
    found = re.search(r"^#\s+(.+)$", text, re.MULTILINE)
    return found[1].strip()[:300] if found else ""


_PER = compiled(r"(?i)per ADR[-_ #]?(?P<number>\d{1,5}), (?P<sentence>.+)")
_DECISION = r"(?i)(?:\d+[.)] *)?(?:(?:the |our )?decision|decision outcome|resolution"
_DECIDES = compiled(f"{_DECISION})")
_HEADINGS = compiled(
    rf"{_DECISION}|status|date|deciders?|context|(?:context and )?problem statement|background"
    r"|motivation|rationale|decision drivers|(?:considered )?options|alternatives(?: considered)?"
    r"|(?:positive |negative )?consequences|pros and cons of the options|links|references"
    r"|more information|related|confirmation|validation)"
)
"""Matches the usual headings of a decision record. Below another heading, such as "Amendment", the
record may change its decision."""
_OURS = compiled(
    r"(?i)we (?!\w+ed\b|were\b|had\b|will\b|may\b|might\b|could\b|would\b|do not\b|never\b)\w+ "
)
_STATUS_LINE = compiled(r"(?i)\W*(?:status|date|deciders?|authors?|supersed\w+( by)?)\W*:")


def is_decided(claim: Claim, path: str, context: Context) -> bool:
    """Returns whether a claim reads "Per ADR-N, S" and ADR N states the sentence S as its decision
    on the base branch. ADR N has to be accepted, only one record may have the number N, and no
    other record may say that it changes ADR N.

    S is compared exactly, except for emphasis, white space and the case of the first letter. In an
    ADR with sections, S has to be in the section "Decision". The sentence S has to be the only one
    in the section, or to begin with "We". Other sentences may report another opinion or a rejected
    idea."""
    found = _PER.fullmatch(claim.text)
    if found is None or not context.base.known:
        return False
    number = int(found["number"])
    files = _catalog(context.tree, context.config).get(number, ())
    if len(files) != 1:
        return False
    own = next((c for c in claim.citations if c.own), None)
    if own is None or path == files[0]:
        return False
    if judge_adr_file(Request(path, own), files[0], context).verdict is not Verdict.CONFIRMED:
        return False
    content = context.base.tree.read(files[0])
    return (
        content is not None
        and _plain(found["sentence"]) in _read_decisions(content, files[0])
        and not _is_changed(number, files[0], context.base.tree)
    )


def _is_changed(number: int, path: str, tree: Tree) -> bool:
    says = re.compile(
        rf"(?i)\b(?:supersed|amend|replac|revok|overrul|revert|withdr)\w*[^\n]{{0,60}}\b0*{number}\b"
    )
    others = (p for p in tree.below(dirname(path)) if p != path)
    return any(says.search(_text(tree, other) or "") for other in others)


@lru_cache(maxsize=64)
def _read_decisions(content: bytes, path: str) -> frozenset[str]:
    read = extract(content, path, DocClass.DECISIONS)
    headings = re.findall(rb"(?m)^##+ +(.+?) *#* *$", content)
    if not all(_HEADINGS.fullmatch(h.decode(errors="replace")) for h in headings):
        return frozenset()
    claims = [c for c in read.claims if not _STATUS_LINE.match(c.text)]
    chosen = [c for c in claims if _is_decision_section(c.section)]
    own = chosen if len(chosen) == 1 else [c for c in chosen if _OURS.match(c.text)]
    return frozenset(_plain(c.text) for c in own if _is_stated(c, read.context(c)))


def _is_decision_section(section: str) -> bool:
    """Returns whether `section`, the headings above a sentence, ends in "Decision" or has only the
    title of the record."""
    return " > " not in section or _DECIDES.fullmatch(section.rpartition(" > ")[2]) is not None


def _is_stated(claim: Claim, over: Sequence[tuple[str, str]]) -> bool:
    """Returns whether a record states the claim in prose, without doubt, a lead-in that can change
    its meaning, or a text near it that takes it back. `over` lists the texts above it."""
    plain = claim.form is Form.PROSE and not claim.doubt and not _has_frame(over)
    beside = (part for _, text in over for part in text.split(claim.text))
    sentences = (one for part in beside for one in re.split(r"(?<=[.!?])\s+", part))
    spoken_of = any(map(is_about_neighbour, sentences))
    return plain and not spoken_of and not find_withdrawal(claim, over)


def _has_frame(context: Sequence[tuple[str, str]]) -> bool:
    """Returns whether a text above a sentence can change the meaning of the sentence: a lead-in, a
    parent item, a table header or a check box. A status line above a sentence is ignored."""
    return any(
        kind != "paragraph" and not (kind == "lead-in" and _STATUS_LINE.match(text))
        for kind, text in context
    )


def _plain(text: str) -> str:
    bare = text.strip().rstrip(".")
    return bare[:1].lower() + bare[1:]
