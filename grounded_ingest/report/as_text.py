"""Renders a report as text: a line for each finding, errors first, then a line with the counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from grounded_ingest.model.report import Report
from grounded_ingest.net.messages import LOST, Failure
from grounded_ingest.report.findings import (
    ReportItem,
    affected_findings,
    drop_repeats,
    fails_at,
    findings_of_change,
    list_findings,
    merge_equal,
    name_lines,
)
from grounded_ingest.report.formats import NAME, Look
from grounded_ingest.rules.reference_rules import FAILED, WRONG
from grounded_ingest.rules.registry import RULES
from grounded_ingest.text.lexicon.paths import LANGUAGES
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import number_of, printable


def render(report: Report, look: Look) -> str:
    """Returns the report as text for terminals, files and logs."""
    return _text(_lines(report, look), look)


def _text(lines: Iterable[str], look: Look) -> str:
    """Returns the lines as text. If one of them names a command of this program, and the program is
    not on PATH, a last line says how to start it."""
    text = "".join(f"{line}\n" for line in lines)
    if look.program != NAME and f"`{NAME} " in text:
        text += f"{NAME} is not on PATH: start it as {look.program}\n"
    return text


PER_PAGE, FEW = 3, 5
"""Maximum number of lines of a document (PER_PAGE) and of a rule or kind (FEW) in the first look.
FEW is also its maximum if no finding is certain, and the maximum in `_few_of_each`: of a rule in a
document, and of documents with a finding."""


def render_first_look(report: Report, look: Look) -> str:
    """Returns the certain findings (`_is_certain`), or if there is none, the other errors except
    the kinds in `_DOUBTFUL`, and how many findings are left out. Documents with the same finding
    share a line. Documents that few people keep up to date are left out (`_is_kept_up`)."""
    found = [*merge_equal(e for e in list_findings(report) if e.severity in ("error", "warning"))]
    errors = [r for r in found if r[0].severity == "error" and _is_kept_up(r[0].path)]
    certain = [row for row in errors if _is_certain(row[0])]
    plain = [row for row in errors if row[0].rule not in _DOUBTFUL]
    rows = [*_shared(certain)] if certain else [*_shared(plain)][:FEW]
    lines = [_line(item, others, look) + _name_copies(copies) for item, others, copies in rows]
    more = len(found) - sum(1 + copies for *_, copies in rows)
    lead, noun = ("…", "more line") if rows else ("No error is certain;", "other line")
    left = f"{lead} {number_of(more, noun)}: run `{NAME} check --all`"
    return _text((*lines, *([left] if more else ()), counts(report)), look)


def _is_kept_up(path: str) -> bool:
    """Returns whether people probably correct a document when the code changes. False for plans,
    designs and records, where 30 of 90 errors were useful, for numbered series and for
    translations."""
    # imported late for a fast start of hooks
    from grounded_ingest.text.dated_paths import is_about_one_day

    return not is_about_one_day(path) and not _RARELY_EDITED.search(path)


_RARELY_EDITED = compiled(
    rf"(?:^|/)(?:(?!en[-_/])(?:{'|'.join(LANGUAGES.split())}|cn|jp|kr|[a-z]{{3}}(?=-[A-Z]{{2}}/))"
    r"(?:[-_]\w{2,4})?/|\d{3,}[-_][^/]*$)"
)
"""Matches translations such as `docs/de/a.md`, and documents of a series: `033-backend.md`."""


def _shared(
    rows: list[tuple[ReportItem, list[int]]],
) -> Iterator[tuple[ReportItem, list[int], int]]:
    """Yields the first findings of each document (PER_PAGE) and each rule or kind (FEW), with their
    further lines and with the number of other documents that have the same finding. What a commit
    proves is first. The check may misread one kind in a repository, so no kind fills the screen."""
    same: dict[tuple[str, ...], list[tuple[ReportItem, list[int]]]] = {}
    for row in sorted(rows, key=lambda r: (r[0].rule == "speculation", not _by_commit(r[0]))):
        same.setdefault((row[0].rule, _UPWARD.sub("", row[0].description)), []).append(row)
    shown: Counter[str] = Counter()
    for (rule, _), copies in same.items():
        free = next((row for row in copies if shown[row[0].path] < PER_PAGE), None)
        if free and shown[rule] < FEW:
            shown.update((free[0].path, rule))
            yield *free, len(copies) - 1


def _name_copies(copies: int) -> str:
    return f" (also in {number_of(copies, 'other document')})" if copies else ""


def _is_certain(item: ReportItem) -> bool:
    """Returns whether a commit proves an error, or the page or manifest exists that would contain
    what is missing."""
    return item.rule in _CERTAIN or _by_commit(item)


def _by_commit(item: ReportItem) -> bool:
    """Returns whether the message names a commit: "deleted in 97b300c1a2b3 (2026-03-01, …"."""
    return _BY_COMMIT.search(item.fact) is not None


_CERTAIN = {f"{WRONG}[{kind}]" for kind in ("anchor", "command", "count")}
_DOUBTFUL = {f"{WRONG}[{kind}]" for kind in ("path", "flag", "version")}
"""Kinds of errors that are rarely useful in old text if no commit proves them: 1 of 7 was."""
_BY_COMMIT = compiled(r" in [0-9a-f]{12} \(")


def render_warnings(report: Report, look: Look) -> str:
    """Returns the lines that a commit hook prints if it passes (`findings_of_change`)."""
    rows = merge_equal(findings_of_change(report))
    return _text((_line(item, others, look) for item, others in rows), look)


def counts(report: Report) -> str:
    """Returns the last line of the text report, which counts findings and references.

    For example "Found 4 problems (3 wrong references, 1 guess) in 29 documents; 812 references
    hold, 16 unknown, 40 skipped, 2 ignored". "ignored" counts claims that a comment ignores.
    Without findings: "812 references hold in 29 documents". Without documents: "no documents to
    check", or "no document changed" for a check of a change.
    """
    found = drop_repeats(list_findings(report))
    errors = Counter(
        _NOUNS.get(e.rule.partition("[")[0], OTHER) for e in found if e.severity == "error"
    )
    warnings = sum(e.severity == "warning" for e in found)
    where = _where(report)
    hold, *rest = _reference_counts(report)
    kinds = ", ".join(_kind(n, noun) for noun, n in errors.most_common())
    first = [f"Found {number_of(errors.total(), 'problem')} ({kinds})"] if errors else []
    first += [number_of(warnings, "warning")] if warnings else []
    if not first and not report.documents and not report.unread:
        return _NOTHING.get(report.scope.mode, "no document changed")
    if not first:
        return ", ".join((f"{hold} {where}", *rest))
    counted = [", ".join((hold, *rest))] if report.references.hold or rest else []
    if report.fail_on == "never" and fails_at(found, "wrong"):
        counted.append("nothing fails, but `preset: default` would fail")
    return "; ".join((f"{' and '.join(first)}{_place(report)}", *counted))


_NOTHING = dict.fromkeys(("all", "paths"), "no documents to check")


def _place(report: Report) -> str:
    """Returns where findings are, for the end of their count. Empty if the change makes documents
    wrong that it does not touch, or touches no document."""
    elsewhere = any(affected_findings(report)) or not (report.documents or report.unread)
    return "" if elsewhere else f" {_where(report)}"


def _reference_counts(report: Report) -> list[str]:
    references = report.references
    hold = "1 reference holds" if references.hold == 1 else f"{references.hold} references hold"
    ignored = sum(d.rule == "ignored" for d in report.decisions)
    found = {e.reason for d in report.decisions for e in d.own_evidence if e.network}
    cut_off = Failure.NO_NETWORK in found or (found and found <= LOST)
    unknown = "unknown (no host answered; --offline skips them)" if cut_off else "unknown"
    more = ((references.unknown, unknown), (references.skipped, "skipped"), (ignored, "ignored"))
    return [hold, *(f"{number} {word}" for number, word in more if number)]


_NOUNS = {
    "refuted-citation": "wrong reference", "proof-failed": "failed proof", "speculation": "guess",
    "duplicate": "repetition", "conflicting-update": "conflicting update",
    "rejected": "rejected claim",
}  # fmt: skip
OTHER = "other"


def _kind(number: int, noun: str) -> str:
    return f"{number} {noun}" if noun == OTHER else number_of(number, noun)


def _where(report: Report) -> str:
    read = number_of(report.documents, "document")
    return f"in {read} ({report.unread} not read)" if report.unread else f"in {read}"


def _lines(report: Report, look: Look) -> Iterator[str]:
    found = list_findings(report, quiet=look.verbosity > 1)
    if look.verbosity < 1:
        yield from _few_of_each(merge_equal(found), look)
    for item in found if look.verbosity > 0 else ():
        yield _line(item, [], look)
        if item.text:
            yield f"    {look.paint(item.text, 'dim')}"
        wrong = item.path and item.severity in ("error", "warning")
        if wrong and (comment := ignore_example(item.rule, item.path)):
            yield f"    {look.paint(comment, 'dim')}"
    for left in report.left_out:
        where = f"{look.path(left.path)}:{left.line}" if left.line else look.path(left.path)
        what = f"skipped: {left.target}" if left.target else "not read"
        yield f"{look.paint(f'{where}: ', 'bold')}{printable(f'{what}: {left.reason}', 500)}"
    if look.verbosity >= 0:
        yield counts(report)


def _few_of_each(rows: list[tuple[ReportItem, list[int]]], look: Look) -> Iterator[str]:
    """Yields the lines of the first findings of each rule in each document, and one line for the
    other findings. A page about another project can have a hundred wrong links, and a tool can
    write the same comment into a hundred documents."""
    keys = [((item.path, item.rule), _repeated(item)) for item, _ in rows]
    equal = Counter(same for _, same in keys)
    total = Counter(place for place, same in keys if equal[same] <= FEW + 1)
    printed: Counter[tuple[str, ...]] = Counter()
    for (item, others), (place, same) in zip(rows, keys, strict=True):
        crowded = equal[same] > FEW + 1
        key, number = (same, equal[same]) if crowded else (place, total[place])
        printed[key] += 1
        few = printed[key] <= FEW or number == FEW + 1
        if few or item.severity not in ("error", "warning"):
            yield _line(item, others, look)
        elif printed[key] == number:
            rule = _rule(item, look)
            where = "" if crowded else look.paint(f"{look.path(item.path)}: ", "bold")
            last = f"line {item.line}" if not crowded else f"{look.path(item.path)}:{item.line}"
            yield f"{where}{rule}: {number - FEW} more, the last in {last}; -v prints them"


def _repeated(item: ReportItem) -> tuple[str, ...]:
    """Returns what is equal in documents that repeat a finding: the same text, and the same name in
    it, even if `[MIT](LICENSE)` needs another number of folders in each document."""
    named = item.description.partition(": ")[0]
    return item.rule, named.rpartition("/")[2], _UPWARD.sub("", item.text)


_UPWARD = compiled(r"\.{1,2}/")


def ignore_example(rule: str, path: str) -> str:
    """Returns the comment that ignores a finding in a document on its own line or on the line
    below, in the syntax of the document. Returns an empty string for a rule that no comment
    suppresses, such as `rejected`.
    """
    if rule in RULES and RULES[rule].fixed and rule != FAILED:
        return ""
    begin, end = _COMMENTS.get(path.rpartition(".")[2].lower(), ("<!-- ", " -->"))
    return f'{begin}grounded: ignore[{rule}] reason="..."{end}'


_COMMENTS = {
    "rst": (".. ", ""),
    "adoc": ("// ", ""),
    "asciidoc": ("// ", ""),
    "mdx": ("{/* ", " */}"),
}
"""Maps the ending of a document to the beginning and the end of its comments."""


def _line(item: ReportItem, others: list[int], look: Look) -> str:
    line = f":{item.line}" if item.line else ""
    column = f":{item.column}" if line and item.text else ""
    where = f"{look.path(item.path)}{line}{column}: " if item.path else ""
    return f"{look.paint(where, 'bold')}{_rule(item, look)}: {item.sentence()}{name_lines(others)}"


def _rule(item: ReportItem, look: Look) -> str:
    """Returns the rule of a finding, behind its severity if this is "warning" or "note"."""
    label = f"{item.severity}: " if item.severity in ("warning", "note") else ""
    return look.rule(f"{label}{item.rule}", item.severity)
