"""Explains missing paths from git's ignore rules, the git history and the code.

A missing file is wrong if a commit removed it. A file that no commit had is wrong too, unless
the text may be about another tree, or names a planned or generated file without a link or a line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from posixpath import basename, dirname, join, normpath, relpath, splitext

from msgspec.structs import replace

from grounded_ingest.code.definitions import has_parser
from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.line_origins import A_DAY, days_of_edits
from grounded_ingest.git.trees import Tree, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import DocClass, Evidence, Verdict
from grounded_ingest.references.adr import is_decision
from grounded_ingest.references.context import Context, Request, evidence
from grounded_ingest.references.exemptions import (
    ABSENT,
    OF_A_DAY,
    PLAN_PATHS,
    READER_FILES,
    SHIPPED_SKILL,
    SKILL,
    is_example_name,
    is_generic_name,
    is_made_by_command,
    is_of_its_day,
    is_own_guide,
    is_runtime_folder,
    is_shown_in_code,
)
from grounded_ingest.references.kept_parses import is_page, page_text
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.path_resolution import (
    RELATIVE,
    entry_at,
    intended_path,
    is_outside,
    sphinx_files,
    sphinx_page,
)
from grounded_ingest.references.receipts import (
    Fate,
    fate_of_path,
    hint_for_path,
    removals_of,
    true_name,
)
from grounded_ingest.references.site_pages import (
    former_files,
    is_site_page,
    may_be_elsewhere,
    other_language,
    sites_of,
)
from grounded_ingest.text.dated_paths import (
    is_about_one_day,
    is_of_one_date,
    is_record,
    is_test_or_sample,
)
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.lexicon.paths import CODE
from grounded_ingest.text.names import near_name
from grounded_ingest.text.patterns import compiled

NOWHERE = "no such file in this repository"
"""The reason for a path whose directory does not exist either. Such a path may belong to another
repository, unless a commit removed it."""
NO_TREE = "no such directory"
"""The reason for a directory name without a slash at its end. Such a name is a reference only if
history had the directory."""
NO_PAGE = "no such file; perhaps it is a route of a web site"
"""The reason for a link whose target does not look like a file. Such a link is broken only if
history had the file."""
_IGNORED = "ignored by git"
_NOT_SHARED = "ignored by git, so readers cannot follow the link"
NOT_STAGED = "the file is on disk, but not staged; run git add"
NO_PATH = "no such path, now or in history; perhaps it is a branch, a package or a route"
_SEVERAL_WORDS = compiled(r"[^\W_][_-]+[^\W_]|[a-z\d][A-Z]")
_OTHER_SUFFIX = {"yml": "yaml", "yaml": "yml"}
OF_SKILL = "perhaps it is in the project that uses the skill"
_TEMPLATES = compiled(citing.TEMPLATES)


def _is_absolute_link(request: Request) -> bool:
    return request.citation.link and request.citation.raw.startswith("/")


def explain_missing(found: dict[Request, Evidence], context: Context) -> dict[Request, Evidence]:
    """Returns the evidence with the reason why each path is missing, such as ignored, deleted or
    moved. A path in a plan, an example or another repository is not wrong."""
    missing = [r for r, e in found.items() if e.reason in (ABSENT, NOWHERE, NO_TREE, NO_PAGE)]
    if not missing:
        return found
    paths = {r: _moved_end(r, context) or intended_path(r) for r in missing}
    paths |= _former_places(missing, context)
    paths |= _former_pages(missing, context)
    beside = {r: _beside(r) for r in missing}
    ignored = context.repo.ignored({*paths.values(), *beside.values(), *(r.path for r in missing)})
    asked: dict[Request, Evidence] = {}
    for request, path in paths.items():
        reason = _out_of_sight(request, path, beside[request], ignored, context)
        if reason:
            found[request] = _judge_unseen(request, path, reason, context)
        elif found[request].reason == ABSENT or _history_may_know(request, path, context):
            asked[request] = found[request]
    found.update(_ask_history(asked, paths, context))
    skipped = (Verdict.SKIPPED, NO_PATH)
    return {r: evidence(r, *skipped) if e.reason == NO_TREE else e for r, e in found.items()}


def _beside(request: Request) -> str:
    """Returns the cited path, resolved from its document. For a page of Sphinx, which may have
    several endings (`intended_path` has `.rst`), returns the path of its Markdown file."""
    if request.citation.raw.startswith("doc:"):
        return f"{intended_path(request).removesuffix('.rst')}.md"
    return normpath(join(dirname(request.path), request.citation.raw))


def _out_of_sight(
    request: Request, path: str, beside: str, ignored: Container[str], context: Context
) -> str:
    """Returns the reason why the tree does not show a file that may exist. Returns an empty string
    if the tree would show the file. `beside` is the cited path, resolved from its document."""
    on_disk = context.staged and os.path.lexists(f"{context.repo.root}/{path}")
    gone = any(old == path or old.startswith(f"{path}/") for old in context.gone)
    if on_disk and not gone:  # `git rm --cached` leaves the file on disk
        return NOT_STAGED
    if gone and context.staged and not on_disk:  # git had the file although a rule ignores it
        return ""
    if above := context.tree.submodule_above(path):
        return f"the path is inside the submodule {above}"
    if above := context.tree.link_above(path):
        return f"the path leads through the symbolic link {above}"
    # git may track a page although a rule ignores its directory, and so the files beside it.
    if request.path in ignored:
        hidden = path in ignored and not path.startswith(f"{dirname(request.path)}/")
    else:
        hidden = path in ignored or beside in ignored
    return _IGNORED * hidden


def _judge_unseen(request: Request, path: str, reason: str, context: Context) -> Evidence:
    """Returns the evidence for a file that the tree does not show for a reason such as "ignored by
    git"."""
    if reason == _IGNORED and _is_link_to_read(request, path, context):
        return evidence(request, Verdict.REFUTED, _NOT_SHARED)
    unseen = evidence(request, Verdict.UNKNOWN, reason)
    return replace(unseen, note="not-staged" * (reason == NOT_STAGED))


def _is_link_to_read(request: Request, path: str, context: Context) -> bool:
    """Returns whether a link leads to a file that neither a site generator nor a build makes. The
    link of a plan or record may lead to notes that only its author had."""
    file = request.citation.link and looks_like_path(path) and not is_runtime_folder(dirname(path))
    kept = file and not is_about_one_day(request.path)
    return kept and not sites_of(request.path, context.tree)


def _history_may_know(request: Request, path: str, context: Context) -> bool:
    """Returns whether history is searched for a file whose directory does not exist.

    A name without a folder may belong to any project, unless this change removes the file. A tool
    may create a folder with a common name (`.beads/` was committed once)."""
    if path in context.gone:
        return True
    raw = request.citation.raw
    common = is_runtime_folder(path) or path.startswith(".")
    nested = "/" in path or (raw.endswith("/") and not common)
    return (
        _is_among_own_files(request, context)
        or nested
        or _is_own_file(request, context)
        or bool(_namesake(request, context))
    )


def _moved_end(request: Request, context: Context) -> str:
    """Returns the only path that this change removes or moves and that ends in the cited path.
    Before the change, the citation meant this path. Returns an empty string if no path or several
    paths match."""
    end = normpath(request.citation.raw)
    if request.citation.link or "/" not in end or end in context.gone:
        return ""
    found = [old for old in context.gone if old.endswith(f"/{end}")]
    return found[0] if len(found) == 1 else ""


def _former_places(missing: Sequence[Request], context: Context) -> dict[Request, str]:
    """Returns the former full path of each file that is cited without the beginning of its path.
    The file was beside the document, or is the only removed file whose path has the cited end."""
    ends = {r: normpath(r.citation.raw) for r in missing if _may_be_an_end(r, context)}
    beside = {r: normpath(join(dirname(r.path), end)) for r, end in ends.items()}
    removed = context.removals.removed_files(context.start, [*ends.values(), *beside.values()])
    left = [r for r, end in ends.items() if end not in removed and end not in context.gone]
    found = context.removals.removed_ends(
        context.start, (ends[r] for r in left if _is_distinct(r, context.tree))
    )
    places = {r: beside[r] if beside[r] in removed else found.get(ends[r], "") for r in left}
    return {r: place for r, place in places.items() if place and not _was_trial(place, r)}


def _was_trial(place: str, request: Request) -> bool:
    """Returns whether a removed path was a test or a sample, and the document is about neither.
    `roles/x/main.yml` in a tutorial is not `test/roles/x/main.yml`."""
    return is_test_or_sample(place) and not is_test_or_sample(
        f"{request.path} {request.citation.raw}"
    )


def _former_pages(missing: Iterable[Request], context: Context) -> dict[Request, str]:
    """Returns the removed file of each web page whose address a link gives. Leaves out addresses
    that code or front matter also contains, because they may be redirects."""
    files = {r: _former_files(r, context.tree) for r in missing if _is_route(r, context.tree)}
    removed = context.removals.removed_files(context.start, chain.from_iterable(files.values()))
    gone = {*context.gone, *removed}
    found = {r: next(filter(gone.__contains__, some), "") for r, some in files.items()}
    pages = {r: f for r, f in found.items() if f}
    named = _named_addresses(pages, context) if pages else ()
    return {r: f for r, f in pages.items() if r not in named}


def _former_files(request: Request, tree: Tree) -> list[str]:
    document, raw = request.path, request.citation.raw
    if page := sphinx_page(document, raw, tree):
        return sphinx_files(page)
    return former_files(document, raw, tree)


def _is_route(request: Request, tree: Tree) -> bool:
    """Returns whether a link names a page by its address and not by its file, as `a.html` on a web
    site does."""
    raw = request.citation.raw
    addressed = _is_absolute_link(request) or not looks_like_path(raw)
    addressed = addressed or (raw.endswith(".html") and bool(sites_of(request.path, tree)))
    return request.citation.link and addressed


def _named_addresses(missing: Collection[Request], context: Context) -> Collection[Request]:
    # A redirect may leave out the ending: `rediraffe` of Sphinx maps `user_guide/Pipelines`.
    words = {r: normpath(r.citation.raw).strip("./").removesuffix(".html") for r in missing}
    try:
        named = files_with(context.repo, context.tree, words.values(), cache=context.cache)
    except GroundedIngestError:  # the word search failed, so redirects are possible
        return missing
    return {r for r, w in words.items() if any(_names(p, w, context) for p in named.get(w, ()))}


def _names(path: str, word: str, context: Context) -> bool:
    """Returns whether code, or the front matter of a page, may redirect the address `word`."""
    text = (page_text(path, context.tree) or "") if is_page(path) else ""
    return not is_page(path) or (text.startswith("---") and word in text.partition("\n---")[0])


def _is_distinct(request: Request, tree: Tree) -> bool:
    """Returns whether the end of a path is distinctive enough to be searched in history: the path
    has a folder, its name has several words, or the tree has no file with its ending, as for
    `order.toml` after all tables became YAML."""
    raw = request.citation.raw
    if "/" in raw or is_generic_name(raw):
        return "/" in raw
    return bool(_SEVERAL_WORDS.search(raw)) or splitext(raw)[1] not in _endings(tree)


@lru_cache(maxsize=4)
def _endings(tree: Tree) -> frozenset[str]:
    return frozenset(splitext(path)[1] for path in tree.files)


def _may_be_an_end(request: Request, context: Context) -> bool:
    """Returns whether a citation may be the end of a removed path. A name without a folder has to
    belong to this project. Returns false for a citation in a decision record (ADR), because a
    record cites past files."""
    raw = request.citation.raw
    if request.citation.link or raw.startswith(RELATIVE) or not looks_like_path(raw):
        return False
    if is_decision(context.config, request.path, context.tree):
        return False
    if "/" in raw:
        return not _is_in_drawn_project(request, context)
    return _is_own_file(request, context)


def _is_in_drawn_project(request: Request, context: Context) -> bool:
    """Returns whether a code block on the page draws the first folder of a path, and the tree has
    no such folder. A tutorial draws the project of its reader."""
    first = request.citation.raw.partition("/")[0]
    if first.startswith("."):
        return False  # an entry of a drawing, or a path from this page
    here = (first, join(dirname(request.path), first))
    drawn = any(
        is_shown_in_code(request.path, branch + first, context) for branch in ("── ", "|-- ")
    )
    return drawn and not any(map(context.tree.is_dir, here))


def _is_own_file(request: Request, context: Context) -> bool:
    """Returns whether a file name without a directory can only mean a file in this repository.
    Outside of agents' memory files, READMEs and CONTRIBUTING files, the name has to be distinct.
    Returns false if there is a sign of an example, a plan or another project."""
    citation = request.citation
    if "/" in citation.raw or citation.link or citation.around or not looks_like_path(citation.raw):
        return False
    if is_shown_in_code(request.path, citation.raw, context, commands=False):
        return False
    if _is_memory(request, context):
        return True
    own = is_own_guide(request.path, context) or (
        _is_distinct(request, context.tree) and not is_site_page(request.path, context.tree)
    )
    return own and citation.raw not in READER_FILES


def _is_among_own_files(request: Request, context: Context) -> bool:
    """Returns whether a text names a file of code without a folder, on a page that mostly names
    existing files of this kind. `drawn_tree` checks names in lists."""
    citation, raw = request.citation, request.citation.raw
    ending = raw.rpartition(".")[2]
    if "/" in raw or citation.link or citation.around or ending not in _CODE_ENDINGS:
        return False
    if not (_FILE_NAME.match(raw) and _is_distinct(request, context.tree)) or is_example_name(
        raw, loosely=True
    ):
        return False
    if _is_of_family(raw, context.tree):
        return True
    listed = raw in _listed_names(request.path, context.tree)
    if (listed and not _is_memory(request, context)) or _is_for_reader(request.path, context):
        return False
    return _names_own_files(request.path, ending, context.tree)


def _is_of_family(name: str, tree: Tree) -> bool:
    """Returns whether the tree has two files whose names differ from `name` only in the last word,
    as `term_check_bsd.go` and `term_check_unix.go` for `term_check_darwin.go`."""
    stem, _, ending = name.rpartition(".")
    family = stem.rstrip("abcdefghijklmnopqrstuvwxyz0123456789")
    if not re.fullmatch(r"[A-Za-z\d]+[_-](?:[A-Za-z\d]+[_-])+", family):
        return False
    form = re.compile(rf"(?:.*/)?{re.escape(family)}[a-z\d]+\.{re.escape(ending)}")
    return sum(1 for path in tree.files if form.fullmatch(path)) > 1


_LISTED = compiled(r"(?m)^[ \t]*[-*+|] *[`*]*([A-Za-z0-9][\w.+-]*)[`*]* *[-–—:|]")
"""Matches a name at the beginning of a list item or a row."""


@lru_cache(maxsize=16)
def _listed_names(document: str, tree: Tree) -> frozenset[str]:
    return frozenset(_LISTED.findall(text_of(tree, document) or ""))


def _is_for_reader(document: str, context: Context) -> bool:
    """Returns whether a document may tell its reader to write a file: a README, a skill, or a page
    in reStructuredText, of which nearly all are tutorials."""
    guide = is_own_guide(document, context)
    return guide or document.lower().endswith(".rst") or SKILL.search(document) is not None


_CODE_ENDINGS = frozenset(CODE.split())
_FILE_NAME = compiled(r"[A-Za-z0-9][\x21-\x7e]*$")
"""Matches the name of a file, and not its end, as in "files that end in `_test.ts`"."""
_FEWEST = 3
"""Minimum number of existing files of a kind that a page about the repository's code names."""


@lru_cache(maxsize=64)
def _names_own_files(document: str, ending: str, tree: Tree) -> bool:
    """Returns whether a document names existing files with an ending, and at most half as many
    others."""
    name = rf"(?<![\w.+/*{{<-])[\w+][\w.+-]*\.{re.escape(ending)}(?![\w.])"
    named = set(re.findall(name, text_of(tree, document) or ""))
    known = sum(bool(tree.ending_with(n)) for n in named)
    return known >= _FEWEST and known >= 2 * (len(named) - known)


def _is_memory(request: Request, context: Context) -> bool:
    return classify(context.config, request.path) is DocClass.MEMORY


def _ask_history(
    asked: Mapping[Request, Evidence], paths: Mapping[Request, str], context: Context
) -> Iterator[tuple[Request, Evidence]]:
    """Yields the evidence for paths that a commit removed, and for missing paths that are wrong
    although no commit had them."""
    fates = _fates(asked, paths, context)
    landed = {r: fate for r, fate in fates.items() if paths[r] not in context.gone}
    made = _named_by_code(
        (r for r, f in landed.items() if _may_be_made(paths[r], f, r, context)), context
    )
    for request, fate in fates.items():
        was_there = fate.words and request not in made
        judged = judge_former(request, fate, context) if was_there else None
        yield request, judged or _judge_invented(request, made, context)


def _fates(
    asked: Mapping[Request, Evidence], paths: Mapping[Request, str], context: Context
) -> dict[Request, Fate]:
    """Returns what happened to the missing files that a commit removed, or that may be wrong."""
    inside = [p for r in asked if not is_outside(p := paths[r]) and p not in context.gone]
    deleted = removals_of(inside, context)
    known = {r: fate_of_path(paths[r], deleted, context) for r in asked}
    # A document does not mean a file that was gone before the document was there: of 19 such
    # reports, 5 were useful.
    known |= {
        r: Fate() for r, fate in known.items() if not fate.to and _is_older(fate, r.path, context)
    }
    return {
        r: fate
        for r, fate in known.items()
        if fate.words
        or asked[r].verdict is Verdict.REFUTED
        or _namesake(r, context)
        or _is_among_own_files(r, context)
    }


def _is_older(fate: Fate, document: str, context: Context) -> bool:
    """Returns whether a path was gone before the first commit of a document. In the check of a
    change, no path was, because the author of the change can still correct the path."""
    asks = fate.time and context.whole
    days = days_of_edits(context.repo, context.start).get(document) if asks else None
    return days is not None and fate.time // A_DAY < days[-1]


def was_moved_deeper(raw: str, document: str, fate: Fate, context: Context) -> bool:
    """Returns whether a commit moved a path into a directory, as `src/a.py` to `app/src/a.py`,
    after the first commit of a document. If each section with the path names that directory, the
    path may begin there; of a path without a folder, `app/`, one place in the document is enough.
    """
    end, to = normpath(raw), fate.to.rstrip("/")
    if not to.endswith(f"/{end}") or _is_older(fate, document, context):
        return False
    text, home = text_of(context.tree, document) or "", to.removesuffix(f"/{end}")
    named = re.compile(rf"(?<![\w-]){re.escape(home)}(?![\w-])")
    parts = _HEADING.split(text) if "/" in end else [text]
    return not all(named.search(part) for part in parts if raw in part)


_HEADING = compiled(r"(?m)^#{1,6} ")


def judge_former(request: Request, fate: Fate, context: Context) -> Evidence:
    """Returns the evidence for a file that existed earlier. The citation is wrong, unless the text
    says that the file is gone, is a dated record, or may mean another place."""
    citation = request.citation
    says_gone = not citation.link and (citation.cue == "gone" or "gone" in citation.around)
    if says_gone and intended_path(request) in context.gone:
        return evidence(request, Verdict.CONFIRMED, f"{fate.words}, as the text says")
    if says_gone:
        return evidence(request, Verdict.UNKNOWN, f"{fate.words}, as the text seems to say")
    if why := _why_another_time(request, fate, context):
        return evidence(request, Verdict.UNKNOWN, f"{fate.words}; {why}")
    if _is_route(request, context.tree) and may_be_elsewhere(citation.raw, context.tree):
        return evidence(request, Verdict.UNKNOWN, NO_PAGE)
    if true_name(intended_path(request), context.tree):
        hint = hint_for_path(intended_path(request), context.tree)
        fate = Fate(f"{ABSENT}{hint.words}", hint.to)
    return _refute_former(request, fate, context.tree)


def _why_another_time(request: Request, fate: Fate, context: Context) -> str:
    """Returns why a text may rightly name a file that is not there now, or an empty string."""
    link = request.citation.link
    if _is_of_skill(request):
        return OF_SKILL
    if fate.often and context.whole:
        return "commits add and delete it again and again"
    if link and (why := _why_made_by_site(request, context.tree)):
        return why
    # A link in a proposal may be old, but a reader still follows it to its new place.
    of_a_day = is_of_its_day(request) or (not link and "dated" in request.citation.around)
    if of_a_day or (PLAN_PATHS.search(request.path) and not fate.to):
        return OF_A_DAY
    sample = "" if link else _sample_of(intended_path(request), context.tree)
    removed = intended_path(request) in context.gone
    return f"it is made from {sample}" if sample and not removed else ""


def _why_made_by_site(request: Request, tree: Tree) -> str:
    """Returns why a site may show the missing page to which a link leads: it may show the page in
    another language, or its `conf.py` names the page, as Sphinx copies `CHANGELOG.md` to
    `changelog.md` in its folder. Returns an empty string for any other page."""
    if sites_of(request.path, tree) and other_language(intended_path(request), tree):
        return "the site may show the page in another language"
    stem = splitext(basename(request.citation.raw.removeprefix("doc:")))[0]
    texts = [s.text for s in sites_of(request.path, tree) if basename(s.config) == "conf.py"]
    written = re.compile(rf"[\"'](?:[^\"'\n]*/)?{re.escape(stem)}\.(?:md|rst)[\"']")
    named = any(map(written.search, texts))
    return "the configuration of the site names it, and may make it" if named else ""


def _refute_former(request: Request, fate: Fate, tree: Tree) -> Evidence:
    # A fix cannot write the new address of a page, because it knows only the page's file. A text
    # about `pkg/kn`, whose files are in `pkg/` now, has to be written anew.
    above = fate.to.endswith("/") and intended_path(request).startswith(fate.to)
    instead = "" if above or _is_route(request, tree) else fate.to
    refuted = replace(evidence(request, Verdict.REFUTED, fate.words), instead=instead)
    # A link may be as short as the new path: `a.md` in `docs` moved to `a.md`.
    same = fate.to == request.citation.raw
    return replace(refuted, target=intended_path(request)) if same else refuted


def _judge_invented(request: Request, made: Container[Request], context: Context) -> Evidence:
    """Returns the evidence for a file that no commit had. The citation is wrong, unless the text
    may be about another tree, or names a planned or generated file without a link or a line."""
    citation, reason = request.citation, _why_elsewhere(request)
    if citation.link and (told := _left_behind(request, context) or _from_root(request, context)):
        return told
    if not reason and (_is_bare(request) or request in made):
        reason = _why_not_yet(request, made, context)
    if not reason and context.whole and not citation.link and SKILL.search(request.path):
        reason = f"{ABSENT}; {OF_SKILL}"  # of 13 such reports about old text, 2 were useful
    if reason:
        return evidence(request, Verdict.UNKNOWN, reason)
    hint = _hint_for(request, context)
    return replace(evidence(request, Verdict.REFUTED, ABSENT + hint.words), instead=hint.to)


def _hint_for(request: Request, context: Context) -> Fate:
    """Returns what the tree has in place of a missing file. Its fields are empty if there is
    nothing alike."""
    beside = normpath(join(dirname(request.path), request.citation.raw))
    places = [p for p in dict.fromkeys((intended_path(request), beside)) if not is_outside(p)]
    hints = (hint_for_path(p, context.tree) for p in places)
    if hint := next((h for h in hints if h.words), None):
        return hint
    other = _namesake(request, context)
    return Fate(f"; there is {other}" if other else "")


def _is_bare(request: Request) -> bool:
    return not (request.citation.lines or request.citation.link)


def _is_of_skill(request: Request) -> bool:
    """Returns whether a skill names a file without a directory. A skill is used in many projects,
    so `components.json` is a file in one of these projects."""
    citation = request.citation
    alone = not (citation.link or citation.lines or "/" in citation.raw)
    return alone and SKILL.search(request.path) is not None


def _is_in_shipped_skill(request: Request) -> bool:
    return _is_bare(request) and SHIPPED_SKILL.match(request.path) is not None


def _why_elsewhere(request: Request) -> str:
    """Returns the reason why a text may mean another repository, an example or a removed file.
    Returns an empty string if there is no such reason."""
    citation = request.citation
    about = {*citation.around, citation.cue}
    if _TEMPLATES.search(request.path) or (not citation.link and "example" in citation.around):
        return f"{ABSENT}; perhaps it is an example"
    if citation.link:  # a reader follows it from here, whatever the text is about
        return f"{ABSENT}; {OF_A_DAY}" if is_of_one_date(request.path) else ""
    if "foreign" in about:
        return f"{ABSENT} here; perhaps it is in the other repository that the text names"
    if _is_of_skill(request) or _is_in_shipped_skill(request):
        return f"{ABSENT} here; {OF_SKILL}"
    if citation.lines and is_about_one_day(request.path):
        return f"{ABSENT}; {OF_A_DAY}"
    if "gone" in about:
        return f"{ABSENT}, as the text seems to say"
    return ""


def _why_not_yet(request: Request, made: Container[Request], context: Context) -> str:
    """Returns the reason why a file may rightly be missing if a text only names it. Returns an
    empty string if there is no such reason."""
    raw = request.citation.raw
    names = raw.split("/")  # `a.sh/b.sh` names two files
    if len(names) > 1 and all("." in n and context.tree.ending_with(n) for n in names):
        return f"{ABSENT}; each of its parts is a file"
    own = raw.count("/") > 1 and context.tree.is_dir("/".join(raw.split("/")[:2]))
    shown = is_shown_in_code(request.path, raw, context, commands=False)
    if (shown and not own) or _is_in_drawn_project(request, context):
        return f"{ABSENT}; perhaps it is in an example project in this document"
    if is_made_by_command(request.path, raw, context):
        return f"{ABSENT}; a command in this document writes it"
    if request in made:
        return f"{ABSENT}; code names it, so perhaps the projects that use the code have it"
    if sample := _sample_of(intended_path(request), context.tree):
        return f"{ABSENT}; it is made from {sample}"
    planned = (
        "planned" in request.citation.around
        or is_decision(context.config, request.path, context.tree)
        or is_about_one_day(request.path)
    )
    return f"{ABSENT}; perhaps it is planned" if planned else ""


def _sample_of(path: str, tree: Tree) -> str:
    """Returns the sample or template from which a file is made, such as `.env.example` for `.env`
    or `rows.ex.eex` for `rows.ex`."""
    samples = (f"{path}.{ending}" for ending in _SAMPLE_ENDINGS.split())
    return next((found[0] for name in samples if (found := tree.ending_with(name))), "")


_SAMPLE_ENDINGS = (
    "example sample template dist tmpl tpl eex ejs erb hbs j2 jinja jinja2 mustache in"
)


def _left_behind(request: Request, context: Context) -> Evidence | None:
    """Returns the evidence for a relative link that broke because its document moved. Returns None
    for any other link."""
    former = {old for old, new in context.gone.items() if new == request.path}
    origins = context.origins((request.path,)).get(request.path, {})
    former.update(o.path for o in origins.values() if o.path != request.path)
    for document in sorted(former):
        meant = entry_at(normpath(join(dirname(document), request.citation.raw)), context.tree)
        if meant:
            reason = f"the document was moved from {document}, where this link led to {meant}"
            return replace(evidence(request, Verdict.REFUTED, reason), instead=meant)
    return None


def _from_root(request: Request, context: Context) -> Evidence | None:
    """Returns the evidence for a relative link whose path is right only from the root of the
    repository. Returns None for any other link."""
    path = normpath(request.citation.raw)
    if request.citation.raw.startswith(("/", ".")) or not (meant := entry_at(path, context.tree)):
        return None
    if is_record(request.path):
        return evidence(request, Verdict.UNKNOWN, f"{ABSENT}; {OF_A_DAY}")
    right = relpath(meant, dirname(request.path))
    reason = f"{ABSENT}; a link begins at the folder of its document: write {right}"
    return replace(evidence(request, Verdict.REFUTED, reason), instead=meant)


def _may_be_made(path: str, fate: Fate, request: Request, context: Context) -> bool:
    """Returns whether a program may create a missing file, or another project may have it.

    A link: true only on a page of a web site, for a data file that no commit had. A citation with a
    line: false. A name without a folder: true, unless a commit moved the file. A path with a
    folder: false if the file is code or a commit had it; a folder such as `.cache/data` may be
    created again."""
    if request.citation.link:
        made = not (is_page(path) or fate.words or has_parser(path) or request.citation.lines)
        return made and is_site_page(request.path, context.tree)
    if "/" not in normpath(request.citation.raw):
        return _is_bare(request) and not fate.to
    folder = path.startswith(".") and "." not in path.rpartition("/")[2]
    return _is_bare(request) and not has_parser(path) and (folder or not fate.words)


def _named_by_code(asked: Iterable[Request], context: Context) -> set[Request]:
    """Returns the requests whose file is named by code in the tree, which may create the file."""
    spellings = {r: _spellings(normpath(r.citation.raw)) for r in asked}
    if not spellings:
        return set()
    words = {w for several in spellings.values() for one in several for w in one}
    try:
        named = files_with(
            context.repo, context.tree, sorted(words), NO_PROSE, cache=context.cache
        ).keys()
    except GroundedIngestError:  # the word search failed, so no request is exempt
        return set()
    return {r for r, several in spellings.items() if any(named >= set(one) for one in several)}


def _spellings(path: str) -> list[tuple[str, ...]]:
    """Returns the ways in which code may write a path. Each way is a group of texts that must all
    occur: the path's last two parts together, or `.cache` and `x.db` for `.cache/x.db`."""
    *above, name = path.rstrip("/").split("/")
    hidden = [(d, name) for d in above if d.startswith(".") and d not in (".", "..")]
    return [("/".join((*above[-1:], name)),), *hidden[:1]]


def _namesake(request: Request, context: Context) -> str:
    """Returns the only existing file with the name or the end of a missing path. Returns an empty
    string if several files match or if the name is common. Outside of guides, a one-word name such
    as `factory.ts` also needs a shared folder. A name without a folder may only differ in `.yml`
    and `.yaml` or in a dot at its beginning, and a common name only in the spelling of one
    folder."""
    path = intended_path(request)
    if not looks_like_path(path) or is_runtime_folder(dirname(path)):
        return ""
    if is_generic_name(path) and ("/" in path or not is_test_or_sample(path)):
        return _in_near_folder(path, context.tree)
    if "/" not in path:
        return _with_other_spelling(path, context.tree)
    guide = is_own_guide(request.path, context)
    return _only_tail(path, context, guide=guide) if guide or has_parser(path) else ""


def _only_tail(path: str, context: Context, *, guide: bool) -> str:
    """Returns the only existing file with the longest end of a path that any file has."""
    parts = path.split("/")
    tails = ("/".join(parts[n:]) for n in range(1, len(parts)))
    there = next((found for t in tails if (found := context.tree.ending_with(t))), [])
    if len(there) != 1 or _TEMPLATES.search(there[0]) or _is_short_for(path, there[0], context):
        return ""
    shared = {*parts[:-1]} & {*there[0].split("/")[:-1]}
    named = _SEVERAL_WORDS.search(parts[-1]) or not all(map(is_generic_name, shared))
    return there[0] if named or (guide and not is_test_or_sample(there[0])) else ""


def _in_near_folder(path: str, tree: Tree) -> str:
    """Returns the only file whose path differs in the spelling of one folder, as
    `tests/stream/test_hls.py` from `tests/streams/test_hls.py`. Returns an empty string if there is
    none."""
    *folders, name = path.split("/")
    near = []
    for other in tree.ending_with(name):
        pairs = [*zip(folders, other.split("/")[:-1], strict=False)]
        differing = [(a, b) for a, b in pairs if a != b]
        same_depth = len(pairs) == len(folders) == other.count("/")
        if same_depth and len(differing) == 1 and _is_near(*differing[0]):
            near.append(other)
    return near[0] if len(near) == 1 and len(folders) > 1 else ""


def _is_near(folder: str, other: str) -> bool:
    """Returns whether the names of two folders differ in one letter. Short names may differ only in
    a final `s`."""
    return bool(near_name(folder, [other])) or folder.removesuffix("s") == other.removesuffix("s")


def _with_other_spelling(name: str, tree: Tree) -> str:
    """Returns the existing file `x.yml` for the missing name `x.yaml`, `.x.toml` at the root for
    `x.toml`, and the reverse. Returns "" if only tests or samples have such a file."""
    dotted = name.removeprefix(".") if name[0] == "." else f".{name}"
    if tree.has(dotted):
        return dotted
    stem, _, suffix = name.rpartition(".")
    if suffix not in _OTHER_SUFFIX:
        return ""
    other = f"{stem}.{_OTHER_SUFFIX[suffix]}"
    there = [p for p in tree.ending_with(other) if not is_test_or_sample(p)]
    return there[0] if len(there) == 1 else other * bool(there)


def _is_short_for(path: str, whole: str, context: Context) -> bool:
    """Returns whether a path is another spelling of `whole`. Examples: `shop/src/api.ts` in the
    repository shop, `Web/Api.cs` for `src/Shop.Web/Api.cs`."""
    parts, last = path.split("/"), whole.split("/")[-len(path.split("/")) :]
    if path.endswith(f"/{whole}"):
        return plain_name(parts[0]) in own_names(context)
    abbreviated = all(r.endswith(p) for r, p in zip(last, parts, strict=False))
    return abbreviated and len(last) == len(parts)
