"""Decides which references are exempt from the check, because the text says that the file is
planned, removed or in another project. EXEMPTIONS lists the reasons in the order in which they are
tried. They read only the words beside the reference, its clause, and the texts above the claim.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from posixpath import dirname, join

from grounded_ingest.config.settings import classify
from grounded_ingest.extract.code_blocks import PLACEHOLDER, code_blocks
from grounded_ingest.extract.reference_cues import (
    LONGEST,
    clause_around,
    file_cue,
    suggestions,
)
from grounded_ingest.git.line_origins import days_of_edits, latest_days
from grounded_ingest.git.trees import Tree
from grounded_ingest.model.claims import (
    CitationKind,
    Claim,
    DocClass,
    Form,
    MemoryType,
    Place,
    Verdict,
)
from grounded_ingest.references.context import Context, Request
from grounded_ingest.references.kept_parses import document_text, page_text
from grounded_ingest.references.path_resolution import directories_from
from grounded_ingest.references.reference import Over, Reference, TreeAnswer
from grounded_ingest.references.site_pages import is_translation
from grounded_ingest.text.clause_form import states_present
from grounded_ingest.text.code_spans import blank_code
from grounded_ingest.text.dated_paths import (
    has_own_date,
    is_about_one_day,
    is_dated_row,
    is_dated_section,
    is_generated,
    is_of_one_date,
    is_record,
    is_work_log,
)
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.lexicon import paths
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable
from grounded_ingest.text.reading import Reading
from grounded_ingest.text.sentences import sentences
from grounded_ingest.text.words import denying_cell, denying_neighbour, denying_word, limiting_word

EXEMPTIONS = {
    "gone": "the text says that the target is gone",
    "planned": "the text says that the target is planned",
    "unwanted": "the text says that the target must not exist",
    "conditional": "the text says that the target may be missing",
    "example": "the text shows an example",
    "foreign": "the text is about another repository",
}
"""Maps the name of each exemption to its reason, which reports print. The words beside a reference
are searched first, then its clause and the texts above the claim. For a proof, a limiting word in
its clause comes last, and the reason quotes that word."""

ABSENT = "no such file"
NO_SAMPLE = "no such file, so readers cannot copy it"
OF_A_DAY = "the document is a dated record"
"""The reason for not reporting a reference in a text that was right when it was written, such as a
decision record, a log or a dated report."""

# "dropped by `x`": `x` is the actor and still exists, so "dropped" does not exempt `x`.
_BY_IT = compiled(
    r"\b(?:is|are|gets?|be) (?:\w+ly )?(\w+)(?: again)? (?:by|with|using|via) [`\s\0]*$"
)
ARGUMENT = "argument of "
"""Begins the field `of` of an argument in a call."""
# "write `send(p, retries=3)`" says what readers write, and plans nothing.
_WRITTEN = compiled(r"(?i)\b(write|create|add)(?: an?)? *$")
# "`just unit` (no coverage)": the "no" in parentheses does not deny the command.
_ASIDE = compiled(r"\([^()]*\)?")
# "the `make x` target is planned" says this of `make x`.
_NOUN = compiled(r"\s+(?:target|recipe|command|script|task|option|flag)s?\b")
_PLACE_NAME = compiled(r"[a-z0-9][a-z0-9._-]*")


_MADE = "a program wrote the document"


_OF_ORIGINAL = "the document is a translation"


def why_left_alone(path: str, rule: str, context: Context) -> str:
    """Returns why a wrong reference in a document is not reported: a program wrote the document, or
    it is a work log or a dated report, or it is a translation and the reference is no link. What a
    change writes in a work log, a report or a translation is still checked. Returns an empty string
    for any other document. `rule` is the rule that reports the reference."""
    if context.whole and (is_work_log(path) or _is_left_report(path, context)):
        return OF_A_DAY
    mentioned = context.whole and not rule.endswith(("[anchor]", "[link]"))
    if mentioned and is_translation(path, context.tree):
        return _OF_ORIGINAL
    made = context.is_page_noticed(
        path, lambda p, tree: is_generated(page_text(p, tree) or "") or _is_built(p, tree)
    )
    return _MADE if made else ""


_EDITED, _LEFT = 2, 3
"""Maximum number of days on which commits changed a dated report, and minimum number of later days
with other commits."""


def _is_left_report(path: str, context: Context) -> bool:
    """Returns whether a document is a report about one time: a date stands near its top, it was
    written within one or two days, and the work on other files went on without it.

    Of 43 judged findings in 11 such documents, a maintainer would act on 1."""
    text = page_text(path, context.tree) or ""
    if not has_own_date(text) or is_own_guide(path, context) or context.repo.shallow:
        return False
    committed = context.repo.objects.get(f"{context.start}:{path}")
    entry = context.tree.entry(path)
    if not (committed and entry and committed.oid == entry.oid):
        return False  # somebody edits it now
    written = days_of_edits(context.repo, context.start).get(path, [])
    latest = latest_days(context.repo, context.start)[:_LEFT]
    return 0 < len(written) <= _EDITED and len(latest) == _LEFT and latest[-1] > written[0]


_BUILT = ("index.html", "404.html", "sitemap.xml")
"""Files that a site generator writes into the folder of a whole site."""


def _is_built(path: str, tree: Tree) -> bool:
    """Returns whether a page lies in the output of a site generator. Its source is elsewhere."""
    above = directories_from(dirname(path)) if "/" in path else ()
    return any(
        all(tree.has(join(folder, name)) for name in _BUILT)
        and not (document_text(join(folder, "index.html"), tree) or "").startswith("---")
        for folder in above
        if folder
    )


def find_exemption(claim: Claim, over: Over, reference: Reference | None = None) -> str:
    """Returns why a reference is not checked: the name of an exemption, such as `planned` for "we
    will add `x.py`", or for a proof a word in its clause that limits it ("may"). Empty if it is
    checked.

    If `reference` is None, all words of the claim are searched, and the result applies to every
    reference in the claim. `over` lists the texts above the claim.
    """
    words, limit = claim.masked, ""
    if reference is not None:
        start, end = reference.start, reference.end
        before = claim.text[max(0, start - LONGEST) : start].rstrip("`")
        after = _NOUN.sub("", claim.text[end : end + LONGEST].lstrip("`"))
        told = _WRITTEN.search(before) if reference.of.startswith(ARGUMENT) else None
        if cue := file_cue("" if told else before, after):
            return cue
        words = clause_around(claim.masked, start, end, 0, len(claim.masked))
        if does := told or _BY_IT.search(claim.masked[max(0, start - 60) : start]):
            words = words.replace(does[1], "", 1)
        if reference.kind is CitationKind.PROOF:
            # "We may set `x.py::PORT = 1`" does not say that the port is 1.
            limit = limiting_word(_ASIDE.sub(" ", words))
    found = suggestions(claim.text, words, claim.section, over)
    if reference:
        found -= _not_meant(claim, over, reference, after)
    if found:
        return min(found)
    if any(c.cue == "foreign" or "foreign" in c.around for c in claim.citations):
        return "foreign"
    return limit


def _not_meant(claim: Claim, over: Over, reference: Reference, after: str) -> set[str]:
    """Returns the exemptions that words in the clause of a command, option or version do not mean.
    `after` is the text behind the reference."""
    if reference.kind is CitationKind.VERSION:
        return {"example"} - suggestions("", "", claim.section, over)
    if reference.kind not in (CitationKind.COMMAND, CitationKind.FLAG):
        return set()
    # "`shop rm` removes an order" does not say that the command is gone, and "`tox -e docs` runs
    # the bad examples" is none.
    before = clause_around(claim.masked, reference.start, reference.start, 0, reference.start)
    wrong = {"gone"} - suggestions("", "", claim.section, over)
    if not _AN_EXAMPLE.match(after):
        wrong |= {"example"} - suggestions("", before, claim.section, over)
    return wrong


_AN_EXAMPLE = compiled(r"`?,? (?:is (?:an?|the) (?:[a-z]+ )?example\b|for (?:example|instance)\b)")
"""Matches the words behind an example."""


def exemption_reason(name: str) -> str:
    """Returns the printed reason for skipping a reference. `name` is the result of
    `find_exemption`. An empty name means that the document is a dated record."""
    if name in EXEMPTIONS:
        return EXEMPTIONS[name]
    return f"the text says “{name}”" if name else OF_A_DAY


def counts_against(reference: Reference, answer: TreeAnswer, place: Place, exempt: str) -> bool:
    """Returns whether a wrong or unknown reference is reported. It must not be exempt (`exempt` is
    the result of `find_exemption`); a wrong one must be in a text about the present. Broken links
    to headings are always reported. The word "example" does not exempt the `x` of `cargo run
    --example x`, and the name of another repository does not exempt a URL of a file in this
    repository."""
    if reference.kind is CitationKind.ANCHOR:
        return True
    if (exempt == "example" and " --example" in reference.name) or (
        exempt == "foreign" and "://" in reference.of
    ):
        exempt = ""
    return not exempt and (answer.verdict is not Verdict.REFUTED or _is_about_now(reference, place))


def _is_about_now(reference: Reference, place: Place) -> bool:
    """Returns whether a reference describes the current tree. Plans, decision records, dated
    records and reports of past events may name files that do not exist now."""
    claim = place.claim
    if place.doc_class is DocClass.DECISIONS:
        return False
    if claim.memory_type is MemoryType.EPISODIC:
        # "Fixed on 2026-03-04; retries are made by `x`": the clause with `x` tells no event.
        clause = clause_around(claim.masked, reference.start, reference.end, 0, len(claim.masked))
        if not states_present(Reading("", clause).cues):
            return False
    past = claim.recorded or is_dated_section(claim.section)
    past = past or (claim.form is Form.ROW and is_dated_row(claim.text))
    return not past and not is_about_one_day(place.path)


def names_any(places: Sequence[str], command: str, claim: Claim, over: Over) -> bool:
    """Returns whether a claim, or a text above it, contains one of the names in `places` besides
    the command. The names are of packages or folders that define the command, too, so the claim may
    mean their command."""
    text = claim.text
    if not _place_names((command,)).isdisjoint(places):
        text = text.replace(command, " ", 1)  # `dev:api` does not name the package `api`
    texts = text, claim.section, *(text for _, text in over)
    return bool(places) and not _place_names(texts).isdisjoint(places)


@lru_cache(maxsize=8)  # a claim can have thousands of commands
def _place_names(texts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(_PLACE_NAME.findall(" ".join(texts).lower()))


PLAN_PATHS = compiled(citing.PLANS)
_NOTES = "/notes/"
"""A folder of notes. Each is written on one day, and cites the lines of that day: all 10 reports
about such lines in the labelled data were useless."""


def is_of_its_day(request: Request) -> bool:
    """Returns whether the document is a plan, a record or a report, so that its citations only had
    to be right when it was written. A link counts today, unless the path of a record has a date."""
    if request.citation.link:
        return is_of_one_date(request.path)
    if request.citation.lines and _NOTES in f"/{request.path}":
        return True
    return PLAN_PATHS.search(request.path) is not None or is_record(request.path)


def find_withdrawal(claim: Claim, context: Sequence[tuple[str, str]]) -> str:
    """Returns why a document contains a claim but does not state it: a heading, a sentence that
    introduces it or its parent item denies it, its check box is open, or it is struck out. Returns
    an empty string if the document states the claim. `context` lists the texts above the claim as
    (kind, text), outermost first."""
    if "~~" in claim.text:
        return "the claim is struck out"
    if claim.form is Form.ROW and (cell := next(filter(denying_cell, claim.text.split("; ")), "")):
        return f"the row of the claim says “{printable(cell, 60)}”"
    over = [("heading", h) for h in claim.section.split(" > ")]
    for kind, text in (*over, *context):
        if (kind, text) == ("check box", "open"):
            return "the check box of the claim is open"
        if kind == "paragraph" and (beside := denying_neighbour(*_neighbours(claim.text, text))):
            return f"the text beside the claim says “{printable(beside, 60)}”"
        word = denying_word(text) if kind in ("heading", "lead-in", "item") else ""
        if word and word.lower() not in claim.text.lower():
            return f"the text above the claim says “{printable(text, 60)}”"
    return ""


_NEAR = 1_000
"""Number of characters around a claim that are searched for its neighbouring sentences."""


def _neighbours(sentence: str, paragraph: str) -> tuple[str, str]:
    """Returns the sentences before and after a sentence in its paragraph. A missing neighbour is an
    empty string."""
    start = paragraph.find(sentence)
    end = start + len(sentence) if start >= 0 else len(paragraph)
    # Only the text near the claim is split. Splitting or copying the whole paragraph for each of
    # its claims was slow in a paragraph of 4,000 sentences.
    before = paragraph[max(0, start - _NEAR) : start] if start >= 0 else paragraph[-_NEAR:]
    behind = paragraph[end : end + _NEAR]
    ends = [before[a:b] for a, b in sentences(blank_code(before))]
    begins = [behind[a:b] for a, b in sentences(blank_code(behind))]
    return (ends[-1].strip() if ends else ""), (begins[0].strip() if begins else "")


_GUIDE = compiled(r"(?:readme|contributing)(?:[-_][a-z]{2}(?:[-_][a-z]+)?)?\.")
"""Matches the name of a guide, also of a translation such as `README-ja.md`."""


def is_own_guide(path: str, context: Context) -> bool:
    """Returns whether a document is about its own repository: a README, a CONTRIBUTING file or an
    agents' memory file."""
    name = path.rpartition("/")[2].lower()
    return bool(_GUIDE.match(name)) or classify(context.config, path) is DocClass.MEMORY


SAMPLE = compiled(r"(?:^|/)[\w.-]*\w\.(?:example|sample|template|dist)$")
"""Matches a sample that a reader copies, such as `.env.example`."""
SKILL = compiled(r"(?:^|/)skills?/")
"""Matches a document of a skill, which agents use in other projects, too."""
SHIPPED_SKILL = compiled(r"(?:[^./][^/]*/)*skills?/(?!\.)")
"""Matches a document of a skill for other projects. A project keeps its own skills in a hidden
directory such as `.claude/skills`."""


def is_own_sample(name: str, document: str, context: Context) -> bool:
    """Returns whether a file is a sample that the readers of a guide copy. A sample has to be in
    git, because the readers have nothing else."""
    elsewhere = SKILL.search(document) or is_about_one_day(document)
    return bool(SAMPLE.search(name) and is_own_guide(document, context) and not elsewhere)


# Names whose form shows that they are not references.

READER_FILES = frozenset(paths.READERS_OWN.split())
"""Names of files that most projects have, so that a README may mean its reader's file."""
_GENERIC, _RUN_TIME = compiled(paths.GENERIC), compiled(paths.RUN_TIME)
_EXAMPLE_WORDS, _JOINING_WORDS = citing.PROPS.split(), citing.JOINED.split()
_WORD = compiled(r"[A-Z]?[a-z]+|[A-Z]+")
_OF_READER = ("your", "hello", "name-of-", "my-app", "my-package", "my-project", "my-plugin")
_SHELLS = ("", "sh", "bash", "shell", "zsh", "console")


def is_template_path(path: str) -> bool:
    """Returns whether a path contains a placeholder that a reader replaces."""
    return PLACEHOLDER.search(path) is not None


def is_example_name(path: str, *, loosely: bool = False) -> bool:
    """Returns whether a file has a typical example name, such as `src/foo.py` or `test_example.py`.
    If `loosely` is true, an example word at the beginning of the name is enough."""
    name = path.rstrip("/").rpartition("/")[2]
    if loosely:
        first = re.split(r"[._-]", name.lower())[0]
        return first in (*paths.PROPS.split(), *_EXAMPLE_WORDS)
    words = [w.lower() for w in _WORD.findall(name.partition(".")[0])]
    if ("." not in name and name.endswith("-name")) or name.lower().startswith(_OF_READER):
        return True  # `dev/dialect-name`, `guides/yourexchange.md`, `packages/my-package`
    return "your" in words or (
        any(w in _EXAMPLE_WORDS for w in words)
        and all(w in _EXAMPLE_WORDS or w in _JOINING_WORDS for w in words)
    )


def is_generic_name(path: str) -> bool:
    """Returns whether the last part of a path is a name that any project may have, such as
    README.md or src."""
    return _GENERIC.fullmatch(path.rstrip("/").rpartition("/")[2]) is not None


def is_runtime_folder(path: str) -> bool:
    """Returns whether a path lies in a folder that programs usually create, judged by the folder's
    name."""
    return any(map(_RUN_TIME.fullmatch, path.strip("/").split("/")))


def is_shown_in_code(path: str, name: str, context: Context, *, commands: bool = True) -> bool:
    """Returns whether a code block in the document at `path` contains `name`. If `commands` is
    false, code blocks with commands are skipped."""
    text = document_text(path, context.tree) or ""
    blocks = (b for b in code_blocks(text) if commands or b.language not in _SHELLS)
    return any(name in b.text for b in blocks)


def is_made_by_command(path: str, name: str, context: Context) -> bool:
    """Returns whether a command in a code block of the document at `path` writes the file `name`:
    `openssl genrsa -out certs/key.pem`, `sort rows > sorted.txt`."""
    text = document_text(path, context.tree) or ""
    written = re.compile(rf"{_WRITES}[\"']?(?:\./)?{re.escape(name)}(?![\w/])")
    return name in text and any(written.search(b.text) for b in code_blocks(text))


_WRITES = r"(?:(?<!\S)--?(?:\w{0,9}out|o|output)[ =]|>[ \t]?|\btee (?:-a )?|\btouch )"
