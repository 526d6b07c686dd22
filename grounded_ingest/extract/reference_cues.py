"""Finds cues: words that say that a referenced file is gone, planned or unwanted, that a hex number
is a commit, or that a reference belongs to another repository. Words right beside a reference set
the reference's field `cue` and decide: "the removed `x.py`". Words elsewhere in the clause, in
introducing paragraphs and in headings set the field `around`, which is used only if the tree and
its history do not decide."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from re import Pattern
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.extract.passage import CitationSpan, Passage
from grounded_ingest.model.claims import Around, Citation, CitationKind, Cue, Frame, context_in
from grounded_ingest.text.code_spans import MASK, blank_code
from grounded_ingest.text.dated_paths import is_dated_row, is_dated_section
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.patterns import compiled

FileCue = Literal["", "gone", "planned", "unwanted", "conditional"]

_NAMES = (
    r"(?:(?:the|a|an|any|your|our|its|old|new|nested|file|files|module|directory|to|in|from|at|with)"
    r"\s+){0,3}"
)
"""Matches words that may be between "removed" or a similar word and the name of the file."""

# Matches the cue in "removed `x`" and "no longer `x`".
_GONE_BEFORE = compiled(
    r"\b(?:removed?|removes|removing|deleted?|deletes|deleting|dropped|drops|renamed?|renames|"
    r"missing|dead|broken|stale|non-?existent|no longer(?: \w+ (?:in|under|at|inside))?|"
    r"formerly|obsolete|retired?|replaced?|replaces|not in|"
    r"no(?: \w+ (?:ships?|has|have|contains?))?|no (?:methods?|functions?|classes|class|files?|"
    r"options?|commands?)(?: like| such as| named| called)?:?)\s+(?:(?:the|a|an|old|file|files|"
    r"module|link|path|reference|references|to|from|legacy|its|our|single)\s+){0,3}$",
    re.IGNORECASE,
)
# Matches the cue in "`x` was deleted", "`x` (gone)" and "`x` does not exist".
_GONE_AFTER = compiled(
    r"[\s,)—–-]*(?:(?:that|this|the|which|it)\s+)?(?:file|files|folder|directory|link|links|"
    r"module|package|path|reference)?\s*(?:\((?:missing|deleted|removed|retired|dropped|obsolete|renamed|replaced|"
    r"dead|gone|404|broken|moved)\b|(?<=[—–-] )(?:removed|deleted|renamed|moved|replaced)\b|"
    r"(?:(?:was|were|is|are|has been|have been|got|now)\s+(?:\w+\s+){0,2}?(?:removed|superseded|"
    r"deleted|dropped|gone|missing|renamed|moved|replaced|broken|retired|obsolete|dead)\b)|(?:do|"
    r"does|did)(?:n't|n’t| not) "
    r"(?:exist|resolve)|no longer exists?|not found|(?:is|are) not (?:in|a|there)|never existed)",
    re.IGNORECASE,
    needs=(
        " not ", "404", "broken", "dead", "deleted", "dropped", "exist", "gone", "missing", "moved",
        "not found", "obsolete", "renamed", "replaced", "resolve", "retired", "superseded",
    ),
)  # fmt: skip
# The same in Chinese: "删除旧文件 `x`", "删除 `x` 与 `y`" and "`x` 已删除". Before the name, only
# other names may stand: 删除旧行的 `x` is a file that deletes old rows.
_GONE_BEFORE_CHINESE = compiled(
    r"(?<![勿要别不])(?:删除|移除|去掉|废弃|弃用|取代|退役|已删)了?旧?(?:文件|模块|路由)?\s*"
    r"(?:`[^`]+`\s*(?:路由|文件)?\s*[与和、及，,（(]\s*)*`?$",
    needs=("删除", "移除", "去掉", "废弃", "弃用", "取代", "退役", "已删"),
)
_GONE_AFTER_CHINESE = compiled(
    r"[\s`)）]*(?:文件|路由|模块)?(?:已经?(?:被)?(?:删除?|移除|废弃|退役)|被删除)(?=[\s，。；、,;.)）]|$)",
    needs=("删", "移除", "废弃", "退役"),
)
# Matches the cue in "will create `x`", "writes to `x`" and "the new file `x`".
_PLANNED_BEFORE = compiled(
    r"\b(?:will (?:be )?(?:create|created in|add|write|live in|go in|go into|put in)|creates?|"
    r"creating|created|generates?|generated(?: in| to| at| as)?|outputs?(?: to)?|writes?(?: to|"
    r" into)?|written to|saved?(?: to| in| as)?|saves(?: to| in)?|produces?|emits?|planned|"
    r"proposed|new|touch|mkdir(?: -p)?)\s+"
    r"(?:(?:the|a|an|new|file|files|to|in|at|directory|report|output)\s+){0,3}$",
    re.IGNORECASE,
)
# Matches the cue in "`x` (planned)", "`x` is generated" and "`x` if present".
_PLANNED_AFTER = compiled(
    r"\s*(?:\((?:new|planned|todo|to be |generated|not yet|git-?ignored|ignored|optional|"
    r"auto|if )|(?:is|are) "
    r"(?:(?:auto-?)?generated|git-?ignored|created|written|not committed)|will be|does not yet|"
    r"doesn't yet|if (?:it|present))",
    re.IGNORECASE,
)

_MAKING = (
    r"(?:re-?)?(?:create|creat|add|introduc|restor|writ|mak|put|us|import|commit|check in|generat|"
    r"read|rely on|depend on|bring back|run|call|invok|execut)(?:e|es|ing|ed)?"
)
# Matches the cue in "do not create `x`", "instead of `x`" and "Bad: `x`".
_UNWANTED_BEFORE = compiled(
    rf"(?i)(?:\b(?:do not|don['’]?t|never|must not|should not|shouldn['’]t|cannot|can['’]t)[*_]*"
    rf"\s+{_MAKING}(?:(?: or \w+)?(?: \w+){{0,4}} under)?"
    rf"|\bavoid(?:\s+{_MAKING})?|\b(?:instead of|rather than|in place of)|,\s*(?:and |but )?not"
    r"|\b(?:bad|wrong|incorrect|don['’]?ts?|anti-?patterns?)\s*:|❌|✗|🚫)"
    rf"\s+{_NAMES}$"
)
# Matches the cue in "`x` is forbidden" and "`x` must not exist".
_UNWANTED_AFTER = compiled(
    r"(?i)\s+(?:(?:is|are)\s+(?:forbidden|prohibited|banned|disallowed|not allowed|off[- ]limits)"
    r"|(?:must|should|may|shall)\s+(?:not|never)\s+(?:exist|be\s+(?:created|added|committed|used|there)))",
    needs=("forbidden", "prohibited", "banned", "disallowed", "allowed", "limits", "not", "never"),
)
# Matches the cue in "if you have `x`", "when there is `x`" and "a skill might have `x`".
_CONDITIONAL_BEFORE = compiled(
    r"(?i)\b(?:(?:if|when|where|unless|once)\s+(?:(?:there\s+(?:is|are)|you\s+(?:have|use|add|create)|it\s+has"
    r"|(?:it\s+is\s+)?(?:present|available|needed|absent|missing),?)\s+)"
    r"|(?:might|could|may)\s+(?:have|contain|include)\s+)"
    rf"{_NAMES}$"
)
# Matches "your" in "open your `src/main.py`": the file belongs to the reader's project.
_READERS = compiled(r"(?i)\b(?:your|their)\s+(?:own\s+|project['’]?s?\s+|local\s+)?$")
_CONDITIONAL_AFTER = compiled(
    r"(?i)\s+(?:(?:does\s+not\s+|doesn['’]t\s+)?exists?\b|(?:is|are)\s+(?:present|absent|missing|found|available))",
    needs=("exist", "present", "absent", "missing", "found", "available"),
)
# Matches "if" in "if `x` exists". Counts only if `_CONDITIONAL_AFTER` matches too.
_IF = compiled(rf"(?i)\b(?:if|when|where|unless|once|in case)\s+(?:the\s+|a\s+|your\s+)?{_NAMES}$")
# Matches the text before `x` in "copy `a` to `x`". The target of a copy need not exist.
_COPIED_TO = compiled(
    r"(?i)\b(?:copy|cp|rename|mv|move|link|symlink)\b(?:[^.;:]|\.(?=\w)){1,80}?\s(?:to|as|into)\s+"
    rf"{_NAMES}$",
    needs=("copy", "cp", "rename", "mv", "move", "link"),
)
_STRUCK_BEFORE, _STRUCK_AFTER = compiled(r"~~$"), compiled(r"~~")
# Matches the arrow in "`x` → `y`", so that `x` counts as a former name. A copied `x` does not.
_NOT_COPIED = compiled(r"(?i)(?<!\s)(?<!\bcopy)(?<!\bcp)\s*$")
_REPLACED = compiled(r"\s*(?:→|⇒|->|=>)\s")


class CueRow(Struct, frozen=True):
    """A row in `TABLE`: what a sentence says about a file (`cue`, such as `gone`), and patterns for
    the text right before and right after the file name. One pattern has to match, or both if `both`
    is true."""

    cue: FileCue
    before: Pattern[str] | None
    after: Pattern[str] | None
    both: bool = False


TABLE: tuple[CueRow, ...] = (
    CueRow("gone", _STRUCK_BEFORE, _STRUCK_AFTER, both=True),
    CueRow("gone", _NOT_COPIED, _REPLACED, both=True),
    CueRow("conditional", _IF, _CONDITIONAL_AFTER, both=True),
    CueRow("conditional", _CONDITIONAL_BEFORE, None),
    CueRow("conditional", _READERS, None),
    CueRow("unwanted", _UNWANTED_BEFORE, _UNWANTED_AFTER),
    CueRow("gone", _GONE_BEFORE, _GONE_AFTER),
    CueRow("gone", _GONE_BEFORE_CHINESE, _GONE_AFTER_CHINESE),
    CueRow("planned", _COPIED_TO, None),
    CueRow("planned", _PLANNED_BEFORE, _PLANNED_AFTER),
)
"""The patterns for what a sentence says about a file. The first row that matches decides."""
NEAR = 60
"""Number of characters before a file name that are searched for words such as "removed". "copy …
to" is searched in the whole text before the name."""


_NEXT = 8
"""Maximum number of characters between two names in a list."""
_LISTED_BEHIND = compiled(
    r"`?(?:(?:\s*[,/&]\s*|,?\s+(?:and|or)\s+)`[^`\n]{1,60}`)+(?=\s+(?:are|were|have)\b)"
)
_LISTED_BEFORE = compiled(r"(?:`[^`\n]{1,60}`(?:\s*[,/&]\s*|,?\s+(?:and|or)\s+))+`?$")
"""Match the names that are listed beside a name and share its verb: "`x` and `y` are gone",
"removed `x` and `y`"."""


def file_cue(before: str, after: str) -> FileCue:
    """Returns what the text right beside a file name says about the file: `gone` for "the removed
    `x.py`", `planned` for "`x.py` is generated". Empty if it says nothing."""
    near = before[-NEAR:]
    if "`" in near and (listed := _LISTED_BEFORE.search(before[-LONGEST:])):
        near = before[-LONGEST:][: listed.start()][-NEAR:]
    if "`" in after[:_NEXT] and (listed := _LISTED_BEHIND.match(after)):
        after = after[listed.end() :]
    for row in TABLE:
        text = before if row.before is _COPIED_TO else near
        first = row.before is not None and row.before.search(text) is not None
        if row.both and not first:
            continue
        behind = row.after is not None and row.after.match(after) is not None
        if (first and behind) if row.both else (first or behind):
            return row.cue
    return ""


# Matches the words before an example. The writer of an example does not say that the file exists.
_EXAMPLE = compiled(
    r"\b(?:for example|for instance|e\.g\.|example(?: \w+)?:|examples?:)"
    r"[\s,:(]*(?:(?:a|an|the)\s+)?(?:`[^`]*`[\s,/]*(?:(?:and|or)\s+)?)*$",
    re.IGNORECASE,
)
# Matches "Supersedes" before an ADR. Only other ADRs may be between: "Supersedes ADR-039, ADR-043".
_SUPERSEDING = compiled(
    r"\b(?:supersed(?:es|ed|ing)?|obsoletes?|deprecates?|replaces?|subsumes?):?\s+"
    r"(?:(?:drafts?|decisions?)\s+)?(?:ADRs?[-\s]?\d+[a-z]?(?:\s*\([^()]*\))?[\s,/&]*(?:and\s+)?)*$",
    re.IGNORECASE,
    needs=("supersed", "obsolete", "deprecate", "replace", "subsume"),
)


def cue_of(text: str, start: int, end: int, kind: CitationKind) -> Cue:
    """Returns what a sentence says about its citation at text[start:end], such as `gone` for a
    removed file or `meant` for "commit 1234567". Empty if it says nothing."""
    if kind is CitationKind.ISSUE:
        return ""
    before = text[max(0, start - 100) : start].rstrip("`(")
    after = text[end : end + 200].lstrip("`")
    near = before[-48:]
    cue = file_cue(before, after)
    if kind is CitationKind.PATH and cue:
        return cue
    if cue == "gone":
        return "gone" if kind is not CitationKind.COMMIT else "meant"
    if kind is CitationKind.ADR and _SUPERSEDING.search(before):
        return "gone"
    if kind is CitationKind.COMMIT:
        return _commit_cue(text[start:end].strip("`").lower(), before)
    can_be_example = kind in (CitationKind.PATH, CitationKind.ADR)
    return (
        "planned" if can_be_example and (_EXAMPLE.search(near) or is_quoting(text[:start])) else ""
    )


def is_quoting(text: str) -> bool:
    """Returns whether a text ends inside a quotation that is still open."""
    tail = text[-300:]
    return tail.rfind("“") > tail.rfind("”") or tail.count('"') % 2 == 1


# Matches the words before a commit id: "fixed in 1234567", "cherry-picked … 1234567".
_MEANT = compiled(
    r"\b(?:commits?|sha|sha1|revisions?|changesets?|receipts?|cherry-?picked|(?:fixed|introduced|"
    r"reverted|landed|"
    r"merged|added|removed|shipped|implemented|resolved|done|changed)\s+(?:in|by|as|with))\b"
    r"[^.;!?]{0,60}$",
    re.IGNORECASE,
)
# Matches the word "commit" and ids listed after it: "commits 1234567, abcdefa and deadbee1".
_NAMED_COMMIT = compiled(
    rf"\b(?:{citing.COMMIT})[\s`:=(*_]{{0,3}}(?:`?[0-9a-f]{{7,40}}`?[\s,/&]+(?:(?:and|or|to)\s+)?`?)*$",
    re.IGNORECASE,
    needs=("commit", "sha", "revision", "changeset", "git"),
)
# Matches words before ids from elsewhere: "pinned to 1234567", "docker digest 1234567".
_OTHER_COMMIT = compiled(
    r"\b(?:upstream|pinned|submodule|vendored|digest|sha-?256|fork|docker|image)\b", re.IGNORECASE
)
# Matches hex numbers that people use as examples: `abc1234`, `deadbeef`, `1111111`.
_PLACEHOLDER = compiled(
    r"ed25519|abc123[0-9a-f]*|abcdef[0-9a-f]*|a1b2c3[0-9a-f]*|12345[0-9a-f]*|deadbee[0-9a-f]*|"
    r"cafebabe|([0-9a-f])\1+"
)


def _commit_cue(cited: str, before: str) -> Cue:
    named = _NAMED_COMMIT.search(before) is not None
    shaped = not _PLACEHOLDER.fullmatch(cited)
    if (named or shaped) and _OTHER_COMMIT.search(before[-60:]):
        return "foreign"
    if named:
        return "" if _EXAMPLE.search(before[: -len("commit ")]) and not shaped else "meant"
    return "meant" if shaped and not cited.isdigit() and _MEANT.search(before) else ""


_FOREIGN = compiled(citing.FOREIGN)
_ELSEWHERE = compiled(citing.ELSEWHERE)
_REPOSITORY_NAME = compiled(f"(?i){citing.NAMED_REPOSITORY}")
_REPOSITORY_CELL = compiled(r"(?i)(?:^|; )(?:repo(?:sitory)?|project|upstream): [^;]*\w")
_WORD = compiled(r"[a-z]+(?:'ll)?")
# Matches the end of a clause: `;`, `,`, a bracket, a full stop or a dash. A match inside a list of
# names does not count.
_CLAUSE_END = compiled(r"[;,()]\s?|[.!?]\s|\s[—–-]\s")
_LISTED = compiled(r"[\0\s,/&]*(?:(?:and|or)[\0\s,/&]*)?")
# Matches what the named thing does: "`cleaner.py` - Deletes old rows", "`x` removes empty rows",
# "`x` decides if a row is skipped".
_WHAT_IT_DOES = compiled(
    r"^[\0`\s*]*(?:(?::|[—–-])[\s*]+(?!(?:was|is|has|does|this|its)\b)[A-Za-z]+s\b.*"
    r"|(?:\w+ly )?(?:(?:delete|remove|retire|rename|replace|purge|migrate)s\b"
    r"|(?:decide|determine|check|test|tell|say|know|return)s (?:if|whether) [^,.;]*))",
    re.I | re.S,
)
_COUNTER_EXAMPLE = compiled(
    r"(?i)\W*(?:instead of|rather than|bad|wrong|avoid|incorrect|don['’]?ts?|do not|not|before"
    r"|old)\b"
)
_JUDGED = (CitationKind.PATH, CitationKind.COMMIT, CitationKind.ADR)
SHORT_CELL = 2
"""Maximum number of words in a table cell that counts as a remark on the names in its row."""
_NEAR_CLAUSE = 160
"""Maximum number of characters of a clause before a reference, and after a reference."""
LABEL = 12
"""Maximum number of words in a text without a final colon that counts as a label for text below."""
LONGEST = 2000
"""Maximum number of characters of a text that are searched for words about references."""


class Surroundings:
    """The texts above a passage: the headings in `section`, and the nearest text above, which
    `frames` has under the digest `frame`. `of_all` returns what the document says about all its
    references, such as `foreign` for another repository."""

    def __init__(
        self,
        section: str,
        frames: Mapping[str, Frame],
        frame: str,
        of_all: Callable[[], frozenset[Around]],
    ) -> None:
        self.section, self.frames, self.frame, self.of_all = section, frames, frame, of_all

    def citations(
        self, cited: Sequence[CitationSpan], passage: Passage, start: int, end: int
    ) -> list[Citation]:
        """Returns the citations in the sentence from `start` to `end`, with their field `around`
        set to words such as `planned` or `gone`.

        These words come from the citation's clause, the texts above the passage, and names of other
        repositories in the sentence."""
        if not any(c.citation.kind in _JUDGED for c in cited):
            return [c.citation for c in cited]
        above = {*_heading_suggestions(self.section), *self._labels, *self.of_all()}
        if _is_foreign(passage.text[start : min(end, start + LONGEST)]):
            above.add("foreign")
        if passage.asides and is_dated_row(passage.text):
            above.add("dated")
        cells = _short_cells(passage.masked[start:end]) if passage.asides else ""
        found = []
        for one in cited:
            citation = one.citation
            if citation.kind in _JUDGED:
                clause = clause_around(passage.masked, one.start, one.end, start, end)
                before = passage.masked[max(start, one.start - LONGEST) : one.start]
                words = _clause_suggestions(clause, before, cells)
                around = tuple(sorted({*above, *_column_suggestions(passage, one), *words}))
                citation = replace(citation, around=around) if around else citation
            found.append(citation)
        return found

    @cached_property
    def _labels(self) -> frozenset[Around]:
        return _label_suggestions(context_in(self.frames, self.frame))


def _clause_suggestions(clause: str, before: str, cells: str) -> frozenset[Around]:
    """Returns what a clause and the cells beside a reference suggest. "Add a test to `x`" needs the
    file `x`, but "add the test `x`" is about a new file. Only a label such as "Deleted:" or a cell
    says that a file is gone."""
    planned = "COMING" if _WITHIN.search(before[-NEAR:]) else "PLANNED"
    label = re.split(r"[.;] ", before)[-1].rpartition(":")[0]
    beside = _word_suggestions(_ILLUSTRATING.sub("", clause), planned, "SHOWN") - {"gone"}
    if _ILLUSTRATED.search(before):
        beside |= {"example"}
    return beside | _word_suggestions(f"{label} {cells}")


_FOR_EXAMPLE = r"(?i)(?:\be\.g\.|\bfor (?:instance|example)\b)"
_EXAMPLE_NEEDS = ("e.g.", "for instance", "for example")
_ILLUSTRATING = compiled(_FOR_EXAMPLE, needs=_EXAMPLE_NEEDS)
_ILLUSTRATED = compiled(
    rf"{_FOR_EXAMPLE}[,:]?[ (`]*(?:[a-z-]+ ){{0,2}}[ (`]*$"
    r"|^In (?:the|this) (?:[a-z]+ )?example,",
    needs=(*_EXAMPLE_NEEDS, "example,"),
)
"""Match words before an example: "for example `a.py`", "In the above example, `a.py` is ". "Files
such as `a.py`" names a file that has to exist."""
_WITHIN = compiled(
    r"\b(?:to|in|into|from|of|by)[ \0]+(?:the (?:file|module|directory|folder)[ \0])?$"
)


def _column_suggestions(passage: Passage, cited: CitationSpan) -> set[Around]:
    """Returns `example` if the column header above a citation announces bad examples, such as
    "Avoid"."""
    headers = [(start, end) for start, end in passage.asides if end <= cited.start]
    is_counter = headers and _COUNTER_EXAMPLE.match(passage.text[slice(*headers[-1])])
    return {"example"} if is_counter else set()


def _short_cells(row: str) -> str:
    values = (cell.partition(": ")[2] or cell for cell in row.split("; "))
    return " ".join(v for v in values if MASK not in v and len(v.split()) <= SHORT_CELL)


def clause_around(masked: str, at: int, to: int, start: int, end: int) -> str:
    """Returns the clause around a reference, without the reference itself.

    The reference is at `at` to `to`, in the sentence from `start` to `end`. Names that are listed
    beside the reference belong to the clause."""
    before = masked[max(start, at - _NEAR_CLAUSE) : at]
    behind = masked[to : min(end, to + _NEAR_CLAUSE)]
    left_ends, right_ends = _CLAUSE_END.finditer(before), _CLAUSE_END.finditer(behind)
    # A clause can begin with its reference: "We removed the loop; `src/app.py` retries."
    starts = [
        m.end() for m in left_ends if m[0][0] == ";" or not _LISTED.fullmatch(before, m.end())
    ]
    stops = (m.start() for m in right_ends if not _LISTED.fullmatch(behind, 0, m.start()))
    left, right = before[starts[-1] if starts else 0 :], behind[: next(stops, len(behind))]
    right = _WHAT_IT_DOES.sub(" ", right)
    return f"{left} {right}".replace(MASK, " ")


def suggestions(
    text: str, clause: str, section: str, above: Sequence[tuple[str, str]]
) -> frozenset[Around]:
    """Returns what the text around a reference suggests about its target, such as `planned`.
    `clause` is the text beside the reference, `section` the headings, and `above` the texts above
    as pairs (kind, text). `text` is the whole claim, which may name another repository."""
    plain, written = clause[:LONGEST].replace(MASK, " "), text[:LONGEST]
    found = {
        *_word_suggestions(plain, "COMING"),
        *_heading_suggestions(section),
        *_label_suggestions(above, "COMING"),
    }
    return frozenset(found | ({"foreign"} if _is_foreign(written) else set()))


def describes_elsewhere(head: Sequence[Passage]) -> bool:
    """Returns whether a document is about another repository, as its first passages say."""
    return any(_ELSEWHERE.search(passage.text[:LONGEST]) for passage in head)


def _label_suggestions(
    above: Sequence[tuple[str, str]], planned: str = "PLANNED"
) -> frozenset[Around]:
    labels = "\n".join(_label(text) for kind, text in above if kind in ("lead-in", "item"))
    found: set[Around] = set(_word_suggestions(blank_code(labels), planned))
    if _is_foreign(labels):
        found.add("foreign")
    if ("check box", "open") in above:
        found.add("planned")
    return frozenset(found)


def _label(text: str) -> str:
    if text.endswith((":", "：")):
        return text[-LONGEST:].rpartition(". ")[2]
    return text if len(text.split()) <= LABEL and not text.endswith(".") else ""


_TARGET = compiled(r"\]\([^()]*\)", needs=("](",))


@lru_cache(maxsize=1024)
def _heading_suggestions(section: str) -> frozenset[Around]:
    # The title "Agent guide to the shop repository" names its own repository.
    _, _, below = section.partition(" > ")
    found: set[Around] = {"foreign"} if _is_foreign(_TARGET.sub("", below)) else set()
    if is_dated_section(section):
        found.add("dated")
    return _word_suggestions(without_plan_adjuncts(section), "PLANNING") | found


# Matches a plan word that describes the next noun.
_PLAN_ADJUNCT = compiled(
    rf"(?i)\b(?:{'|'.join(citing.PLAN_NOUNS.split())}) (?=[a-z])"
    rf"(?!(?:{'|'.join(citing.AFTER_PLAN.split())})\b)"
)


def without_plan_adjuncts(heading: str) -> str:
    """Returns a heading without words such as "Plan" that only describe the next noun: the title
    "Terraform Plan Analysis Tool" is not the title of a plan."""
    return _PLAN_ADJUNCT.sub(" ", heading)


_NO_CUE = compiled(
    r"\b(?:generated|produced|emitted|created) (?:from|out of)\b"
    r"|\b(?:an?|the|this|each|every) future (?=that|which|is\b|has|returns|from|must|should)"
    r"|\b(?:when|whenever|if|once|before|after|while) (?:you|we|they|someone) \w+(?= [a-z])"
    r"|\b(?:can|could|may|might|should|must) be (?:deleted|dropped|removed)\b"
)
"""Matches words that say nothing about a file: words before a source, which exists ("the parser is
generated from `x`"), the future of an asynchronous program ("a future that waits"), and what
somebody may do with something else ("when you add a rule", "the cluster can be deleted by `x`")."""


def _word_suggestions(
    text: str, planned: str = "PLANNED", example: str = "EXAMPLE"
) -> frozenset[Around]:
    """Returns words such as `gone` for the phrases found in a text. `planned` and `example` are the
    names of the lists of phrases that express a plan or an example."""
    if not text:
        return frozenset()
    # "The todo benchmark is in `x`" is no plan.
    text = without_plan_adjuncts(_NO_CUE.sub("", text.lower().replace("’", "'")))
    words = set(_WORD.findall(text))
    found: set[Around] = set()
    lists: dict[Around, str] = {"gone": "GONE", "planned": planned, "example": example}
    for around, name in lists.items():
        known, phrases = _lexicon(name)
        if not known.isdisjoint(words) or any(map(text.__contains__, phrases)):
            found.add(around)
    return frozenset(found)


@cache
def _lexicon(name: str) -> tuple[frozenset[str], tuple[str, ...]]:
    return frozenset(getattr(citing, name).split()), getattr(citing, f"{name}_PHRASES")


def _is_foreign(text: str) -> bool:
    if not any(map(text.lower().__contains__, citing.FOREIGN_SIGNS)):
        return False
    if _FOREIGN.search(text) or _REPOSITORY_CELL.search(text):
        return True
    own = citing.OWN.split()
    return any(m["name"].lower() not in own for m in _REPOSITORY_NAME.finditer(text))
