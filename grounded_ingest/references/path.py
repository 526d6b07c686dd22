"""Judges path citations: files, directories and links of the tree.

A path is resolved first. If the tree has nothing that it can mean, ABSENT_CASES decides, in order,
whether that is wrong, unknown or no reference at all. What stays wrong or unknown is then looked up
in history. An invented file is what this tool exists for, and no history knows it, so a missing
file is wrong if a link leads there, if it carries a line or `::name`, if it lies in a directory of
the tree, or if history had it. Of 40 unexplained paths in agents' files only 7 were really wrong;
the others were branches, packages, rules and run-time folders, so every other path is unknown.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath
from typing import NamedTuple

from msgspec.structs import replace

from grounded_ingest.code.definitions import has_parser
from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.repository import SUBMODULE, SYMLINK
from grounded_ingest.git.trees import LARGEST, rows_of, text_of
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Evidence, Origin, Verdict
from grounded_ingest.references.adr import is_decision, judge_adr_file
from grounded_ingest.references.cited_lines import NAMESAKES, judge_definition, judge_lines
from grounded_ingest.references.context import Context, Request, evidence
from grounded_ingest.references.exemptions import (
    EXEMPTIONS,
    OF_A_DAY,
    PLAN_PATHS,
    is_example_name,
    is_generic_name,
    is_of_its_day,
    is_reader_file,
    is_runtime_folder,
    is_shown_in_code,
    is_template_path,
)
from grounded_ingest.references.path_resolution import (
    ALIAS,
    RELATIVE,
    entry_at,
    intended_path,
    is_outside,
    resolve_path,
    site_roots,
)
from grounded_ingest.references.receipts import (
    Fate,
    fate_of_path,
    hint_for_path,
    removals_of,
    true_name,
)
from grounded_ingest.text.dated_paths import tells_of_a_day
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.patterns import compiled

ABSENT = "no such file"
NOWHERE = "no such file in this repository"
"""The reason for a path whose directory is not there either: unless a commit removed it, it may be
of another place."""
NO_TREE = "no such directory"
"""The reason for a directory's name without its slash: a reference only if history had it."""
NO_PAGE = "no such file; perhaps a route or a label of a site"
"""The reason for a link without the form of a file: broken only if history had its file."""
NOT_STAGED = "it lies on disk and is not staged: git add it"
_NO_PATH = "no path of this tree or its past: a branch, a package, a rule, a route"
_EXAMPLE_NAME = "a name that examples give to files"

OWN_FILES = ".grounded/"
"""The directory of this tool's own files, which are never evidence."""

_NAME = compiled(r"[^\W\d]\w+")
_SEVERAL_WORDS = compiled(r"[^\W_][_-]+[^\W_]|[a-z\d][A-Z]")
_CODE_NAME = compiled(r"_|[a-z\d][A-Z]")
_INSTALLED = compiled(r"(?:^|/)(?:node_modules|site-packages|dist-packages)/|^@[\w.-]+/")
_TEMPLATES = compiled(citing.TEMPLATES)

EvidenceOfRequests = Mapping[Request, Evidence | None]


def verify_paths(requests: Sequence[Request], context: Context) -> EvidenceOfRequests:
    """Returns the evidence per request; None for what turns out to be no citation."""
    found = look_up_paths(requests, context)
    return {r: None if e.verdict is Verdict.SKIPPED else e for r, e in found.items()}


def look_up_paths(requests: Sequence[Request], context: Context) -> dict[Request, Evidence]:
    """Returns the evidence per request; what turns out to be no citation is skipped, with the
    reason."""
    found = {r: _judge(r, context) for r in requests}
    return found if context.brief else _explain_missing(found, context)


def _judge(request: Request, context: Context) -> Evidence:
    candidates = resolve_path(request, context.tree)
    if len(candidates) > 1 and (meant := _holding_the_name(request, candidates, context)):
        candidates = [meant]
    if len(candidates) == 1:
        return _judge_entry(request, candidates[0], context)
    if candidates:
        some = ", ".join(candidates[:3])
        reason = f"ambiguous: {len(candidates)} files end so ({some})"
        return evidence(request, Verdict.UNKNOWN, reason)
    return _judge_absent(request, context)


def _holding_the_name(request: Request, candidates: list[str], context: Context) -> str:
    """Returns the only one of files with the same end whose cited lines hold a name of code that
    the claim gives; empty if there is none or several."""
    raw = request.citation.raw
    names = {n for n in _NAME.findall(request.sentence) if _CODE_NAME.search(n) and n not in raw}
    if not names or request.citation.lines is None or len(candidates) > NAMESAKES:
        return ""
    first, last = request.citation.lines
    meant = []
    for path in candidates:
        text = "" if context.tree.size(path) > LARGEST else text_of(context.tree, path)
        cited = " ".join(rows_of(text)[first - 1 : last]) if text else ""
        if names.intersection(_NAME.findall(cited)):
            meant.append(path)
    return meant[0] if len(meant) == 1 else ""


def _judge_entry(request: Request, path: str, context: Context) -> Evidence:
    """Returns the evidence for a path that the tree has."""
    lines, anchor = request.citation.lines, request.citation.anchor
    if path.endswith("/"):
        if lines:
            return evidence(request, Verdict.REFUTED, f"{path} is a directory", target=path)
        return evidence(request, Verdict.CONFIRMED, target=path)
    mode = context.tree.mode(path)
    if mode == SUBMODULE:
        reason = "a submodule: its files are not looked at"
        return evidence(request, Verdict.UNKNOWN, reason, target=path)
    if lines is None and anchor and has_parser(path):
        return judge_definition(request, path, context)
    if lines is None and is_decision(context.config, path, context.tree):
        return replace(judge_adr_file(request, path, context), kind=CitationKind.ADR)
    if lines is None:
        there = evidence(request, Verdict.CONFIRMED, target=path)
        origin = Origin("file", path, anchor=anchor)
        return there if path.startswith(OWN_FILES) else replace(there, origins=(origin,))
    if mode == SYMLINK:
        return evidence(request, Verdict.UNKNOWN, "a symbolic link", target=path)
    return judge_lines(request, path, lines, context)


class AbsentCase(NamedTuple):
    """A way in which a path is not in the tree: its name, test, verdict and reason. `example` is a
    citation of `docs/guide.md` in a tree that has `src/app.py`, and to which the case applies."""

    name: str
    applies: Callable[[Request, Context], bool]
    verdict: Verdict
    reason: str
    example: Citation


def _cite(raw: str, lines: tuple[int, int] | None = None, **more: object) -> Citation:
    return Citation(CitationKind.PATH, raw, lines, **more)  # type: ignore[arg-type]


def _exempt_case(name: str, example: Citation) -> AbsentCase:
    """Returns the case of a text that speaks right beside the path, as in "we removed `x.py`"."""
    return AbsentCase(
        f"said-{name}",
        lambda r, _: r.citation.cue == name and not r.citation.link,
        Verdict.SKIPPED,
        EXEMPTIONS[name].reason,
        example,
    )


ABSENT_CASES = (
    AbsentCase(
        "removed-here",
        lambda r, c: _says_gone(r) and intended_path(r) in c.gone,
        Verdict.REFUTED,
        ABSENT,
        _cite("src/old.py", cue="gone"),
    ),
    _exempt_case("gone", _cite("src/gone.py", cue="gone")),
    _exempt_case("planned", _cite("src/next.py", cue="planned")),
    _exempt_case("unwanted", _cite("src/bad.py", cue="unwanted")),
    _exempt_case("conditional", _cite("src/maybe.py", cue="conditional")),
    AbsentCase(
        "template",
        lambda r, _: is_template_path(r.citation.raw),
        Verdict.SKIPPED,
        "a template: a part of it is to be filled in",
        _cite("src/<name>.py"),
    ),
    AbsentCase(
        "alias",
        lambda r, _: r.citation.raw.startswith(ALIAS),
        Verdict.UNKNOWN,
        "an alias that a bundler or a site resolves",
        _cite("@/pages/home.ts"),
    ),
    AbsentCase(
        "absolute-link",
        lambda r, _: r.citation.link and r.citation.raw.startswith("/"),
        Verdict.UNKNOWN,
        "an absolute link: a route of a site, or no file here",
        _cite("/pricing.md", link=True),
    ),
    AbsentCase(
        "outside-link",
        lambda r, _: r.citation.link and is_outside(intended_path(r)),
        Verdict.UNKNOWN,
        "outside the repository",
        _cite("../../other/a.md", link=True),
    ),
    AbsentCase(
        "page-link",
        lambda r, c: r.citation.link and _may_be_a_page(r, c),
        Verdict.UNKNOWN,
        NO_PAGE,
        _cite("../set-up", link=True),
    ),
    AbsentCase(
        "broken-link",
        lambda r, _: r.citation.link,
        Verdict.REFUTED,
        ABSENT,
        _cite("setup.md", link=True),
    ),
    AbsentCase(
        "example-name",
        lambda r, _: is_example_name(r.citation.raw),
        Verdict.SKIPPED,
        _EXAMPLE_NAME,
        _cite("src/foo.py"),
    ),
    AbsentCase(
        "machine-path",
        lambda r, _: r.citation.raw.startswith("/"),
        Verdict.SKIPPED,
        "a path of the machine, or a route of a site",
        _cite("/etc/hosts"),
    ),
    AbsentCase(
        "directory-name",
        lambda r, _: (
            not _has_path_form(r.citation) and "/" in r.citation.raw and r.citation.raw[0] != "@"
        ),
        Verdict.UNKNOWN,
        NO_TREE,
        _cite("release/next"),
    ),
    AbsentCase(
        "no-path",
        lambda r, _: not _has_path_form(r.citation),
        Verdict.SKIPPED,
        _NO_PATH,
        _cite("@scope/name"),
    ),
    AbsentCase(
        "example-file",
        lambda r, _: "/" not in r.citation.raw and is_example_name(r.citation.raw, loosely=True),
        Verdict.SKIPPED,
        _EXAMPLE_NAME,
        _cite("example-report.md"),
    ),
    AbsentCase(
        "one-letter-file",
        lambda r, _: bool(r.citation.lines) and _is_one_letter(r.citation.raw),
        Verdict.SKIPPED,
        _EXAMPLE_NAME,
        _cite("src/x.ts", (12, 12)),
    ),
    AbsentCase(
        "cited-lines",
        lambda r, _: bool(r.citation.lines),
        Verdict.REFUTED,
        ABSENT,
        _cite("worker.py", (3, 3)),
    ),
    AbsentCase(
        "in-a-directory",
        lambda r, c: looks_like_path(r.citation.raw) and _has_parent(r, c),
        Verdict.REFUTED,
        ABSENT,
        _cite("src/worker.py"),
    ),
    AbsentCase(
        "elsewhere",
        lambda *_: True,
        Verdict.UNKNOWN,
        NOWHERE,
        _cite("lib/worker.py"),
    ),
)
"""The first case that applies decides. History may still show that an unknown path is wrong."""


def _judge_absent(request: Request, context: Context) -> Evidence:
    case = next(c for c in ABSENT_CASES if c.applies(request, context))
    return evidence(request, case.verdict, case.reason)


def _says_gone(request: Request) -> bool:
    return request.citation.cue == "gone" and not request.citation.link


def _is_one_letter(path: str) -> bool:
    """Whether a file's name has one letter, as in `src/x.ts:12` of a template."""
    return len(path.rpartition("/")[2].partition(".")[0]) == 1


def _has_path_form(citation: Citation) -> bool:
    """Whether a citation looks like a path, gives lines, or ends as a directory does."""
    return looks_like_path(citation.raw) or bool(citation.lines) or citation.raw.endswith("/")


def _may_be_a_page(request: Request, context: Context) -> bool:
    """Whether a link may lead to the address of a page, which no file shows."""
    raw = request.citation.raw
    of_site = raw.endswith("/") and bool(site_roots(request.path, context.tree))
    return of_site or not _has_path_form(request.citation)


def _has_parent(request: Request, context: Context) -> bool:
    """Whether the tree has the directory of a nested path, the first two of its directories from
    the root, or the path in other letters' case."""
    bare = request.citation.raw.rstrip("/")
    if "/" not in bare:
        return False
    parents = {dirname(bare), normpath(join(dirname(request.path), dirname(bare)))} - {"", "."}
    above = {join(*bare.split("/")[:2])} if bare.count("/") > 1 and bare[:1] != "." else set()
    there = any(context.tree.is_dir(p) for p in parents | above if not is_outside(p))
    return there or bool(true_name(intended_path(request), context.tree))


# What git, history and code say of a path that the tree does not have.


def _explain_missing(found: dict[Request, Evidence], context: Context) -> dict[Request, Evidence]:
    """Returns evidence that says why paths are missing: ignored, in a submodule, deleted or moved.
    A path of a plan, an example or another repository is not wrong."""
    missing = [r for r, e in found.items() if e.reason in (ABSENT, NOWHERE, NO_TREE, NO_PAGE)]
    if not missing:
        return found
    paths = {r: _moved_end(r, context) or intended_path(r) for r in missing}
    paths |= _former_places(missing, context)
    # A pattern `cache/` ignores a directory, and nothing that lacks the slash is one.
    folders = (f"{p}/" for r, p in paths.items() if r.citation.raw.endswith("/"))
    ignored = context.repo.ignored((*paths.values(), *folders))
    asked: dict[Request, Evidence] = {}
    for request, path in paths.items():
        if reason := _out_of_sight(path, ignored, context):
            unseen = evidence(request, Verdict.UNKNOWN, reason)
            found[request] = replace(unseen, note="not-staged" * (reason == NOT_STAGED))
        elif found[request].reason == ABSENT or _history_may_know(request, path, context):
            asked[request] = found[request]
    found.update(_ask_history(asked, paths, context))
    skipped = (Verdict.SKIPPED, _NO_PATH)
    return {r: evidence(r, *skipped) if e.reason == NO_TREE else e for r, e in found.items()}


def _out_of_sight(path: str, ignored: Container[str], context: Context) -> str:
    """Returns why the tree would not show a file; empty if it would."""
    on_disk = context.staged and os.path.lexists(f"{context.repo.root}/{path}")
    gone = any(old == path or old.startswith(f"{path}/") for old in context.gone)
    if on_disk and not gone:  # `git rm --cached` leaves a file there
        return NOT_STAGED
    if above := context.tree.submodule_above(path):
        return f"inside the submodule {above}"
    if above := context.tree.link_above(path):
        return f"behind the symbolic link {above}"
    return "ignored by git" if path in ignored or f"{path}/" in ignored else ""


def _history_may_know(request: Request, path: str, context: Context) -> bool:
    """Whether history is asked for a file whose directory is not there. One name alone may be of
    anywhere, as may a folder that any project has or a tool makes (`.beads/` was committed once),
    and a plan names what is to come."""
    raw = request.citation.raw
    common = is_generic_name(path) or is_runtime_folder(path) or path.startswith(".")
    nested = "/" in path or (raw.endswith("/") and not common)
    planned = "planned" in request.citation.around
    return (nested and not planned) or _is_own_file(request, context)


def _moved_end(request: Request, context: Context) -> str:
    """Returns the only file with the end of a cited path that this change removes or moves: it was
    found by its end before."""
    end = normpath(request.citation.raw)
    if request.citation.link or "/" not in end or end in context.gone:
        return ""
    found = [old for old in context.gone if old.endswith(f"/{end}")]
    return found[0] if len(found) == 1 else ""


def _former_places(missing: Sequence[Request], context: Context) -> dict[Request, str]:
    """Returns where history had files that are cited by the end of their path, and not at the place
    that the path names: beside the document, or at the only removed path that ends so."""
    ends = {r: normpath(r.citation.raw) for r in missing if _may_be_an_end(r, context)}
    beside = {r: normpath(join(dirname(r.path), end)) for r, end in ends.items()}
    removed = context.removals.removed_files(context.start, [*ends.values(), *beside.values()])
    left = [r for r, end in ends.items() if end not in removed]
    found = context.removals.removed_ends(context.start, (ends[r] for r in left if _is_telling(r)))
    places = {r: beside[r] if beside[r] in removed else found.get(ends[r], "") for r in left}
    return {r: place for r, place in places.items() if place}


def _is_telling(request: Request) -> bool:
    """Whether a path has a folder, or a name of several words that few files have."""
    raw = request.citation.raw
    return "/" in raw or (not is_generic_name(raw) and bool(_SEVERAL_WORDS.search(raw)))


def _may_be_an_end(request: Request, context: Context) -> bool:
    """Whether a path may be the end of a path that is gone. A name alone has to be one of this
    project's own; a decision cites what there was."""
    raw = request.citation.raw
    if request.citation.link or raw.startswith(RELATIVE) or not looks_like_path(raw):
        return False
    if is_decision(context.config, request.path, context.tree):
        return False
    return "/" in raw or _is_own_file(request, context)


def _is_own_file(request: Request, context: Context) -> bool:
    """Whether a name without a directory can only be a file of this repository: agents' documents
    and a README speak of it, and the text suggests no example, plan or other project."""
    citation, name = request.citation, request.path.rpartition("/")[2].lower()
    if "/" in citation.raw or citation.link or citation.around or not looks_like_path(citation.raw):
        return False
    if is_shown_in_code(request.path, citation.raw, context, commands=False):
        return False
    if _is_memory(request, context):
        return True
    return name.startswith("readme.") and not is_reader_file(citation.raw)


def _is_memory(request: Request, context: Context) -> bool:
    return classify(context.config, request.path) is DocClass.MEMORY


def _ask_history(
    asked: Mapping[Request, Evidence], paths: Mapping[Request, str], context: Context
) -> Iterator[tuple[Request, Evidence]]:
    """Yields the evidence for paths that history had, or that are wrong without it."""
    inside = [p for r in asked if not is_outside(p := paths[r]) and p not in context.gone]
    deleted = removals_of(inside, context)
    known = {r: fate_of_path(paths[r], deleted, context) for r in asked}
    fates = {
        r: fate
        for r, fate in known.items()
        if fate.words or asked[r].verdict is Verdict.REFUTED or _namesake(r, context)
    }
    made = _named_by_code((r for r, f in fates.items() if _may_be_made(paths[r], f, r)), context)
    for request, fate in fates.items():
        was_there = fate.words and request not in made
        judged = _judge_former(request, fate, context) if was_there else None
        yield request, judged or _judge_invented(request, made, context)


def _judge_former(request: Request, fate: Fate, context: Context) -> Evidence:
    """Returns the evidence for a file that was there: a text that says it is gone is right."""
    citation = request.citation
    says_gone = not citation.link and (citation.cue == "gone" or "gone" in citation.around)
    if says_gone and intended_path(request) in context.gone:
        return evidence(request, Verdict.CONFIRMED, f"{fate.words}, as the text says")
    if says_gone:
        return evidence(request, Verdict.UNKNOWN, f"{fate.words}, as the text seems to say")
    if is_of_its_day(request):
        return evidence(request, Verdict.UNKNOWN, f"{fate.words}; {OF_A_DAY}")
    return replace(evidence(request, Verdict.REFUTED, fate.words), instead=fate.to)


def _judge_invented(request: Request, made: Container[Request], context: Context) -> Evidence:
    """Returns the evidence for a file that no commit had: wrong, unless the text speaks of another
    tree. A line or a link is of what is there: no plan and no program has them."""
    citation, reason = request.citation, _why_elsewhere(request, context)
    if citation.link and (behind := _left_behind(request, context)):
        return behind
    if not reason and _is_bare(request):
        reason = _why_not_yet(request, made, context)
    if reason:
        return evidence(request, Verdict.UNKNOWN, reason)
    beside = normpath(join(dirname(request.path), citation.raw))
    places = [p for p in dict.fromkeys((intended_path(request), beside)) if not is_outside(p)]
    hints = (hint_for_path(p, context.tree) for p in places)
    hint = next((h for h in hints if h.words), Fate())
    if not hint.words and (other := _namesake(request, context)):
        hint = Fate(f"; there is {other}")
    return replace(evidence(request, Verdict.REFUTED, ABSENT + hint.words), instead=hint.to)


def _is_bare(request: Request) -> bool:
    return not (request.citation.lines or request.citation.link)


def _why_elsewhere(request: Request, context: Context) -> str:
    """Returns why a text may speak of another tree, of an example or of what is gone; empty if it
    does not."""
    citation = request.citation
    if "foreign" in citation.around or citation.cue == "foreign":
        return f"{ABSENT} here; perhaps in the other repository that the text names"
    if citation.lines and not context.tree.has_kind(citation.raw):
        return f"{ABSENT}, and no other of its kind here; perhaps of another repository"
    if _INSTALLED.search(citation.raw):
        return f"{ABSENT} here; perhaps of an installed package"
    if citation.lines and tells_of_a_day(request.path):
        return f"{ABSENT}; {OF_A_DAY}"
    if "example" in citation.around or _TEMPLATES.search(request.path):
        return f"{ABSENT}; perhaps an example"
    if not citation.link and (citation.cue == "gone" or "gone" in citation.around):
        return f"{ABSENT}, as the text seems to say"
    return ""


def _why_not_yet(request: Request, made: Container[Request], context: Context) -> str:
    """Returns why a file that is only named may rightly be missing; empty if it may not."""
    if is_shown_in_code(request.path, request.citation.raw, context, commands=False):
        return f"{ABSENT}; perhaps of a project that this document shows"
    if request in made:
        return f"{ABSENT}; code names it, perhaps as one of the project it is used in"
    planned = (
        "planned" in request.citation.around
        or PLAN_PATHS.search(request.path)
        or is_decision(context.config, request.path, context.tree)
        or tells_of_a_day(request.path)
    )
    return f"{ABSENT}; perhaps it is planned" if planned else ""


def _left_behind(request: Request, context: Context) -> Evidence | None:
    """Returns the evidence for a relative link of a document that moved without the link's target;
    None for any other link."""
    former = {old for old, new in context.gone.items() if new == request.path}
    origins = context.origins((request.path,)).get(request.path, {})
    former.update(o.path for o in origins.values() if o.path != request.path)
    for document in sorted(former):
        meant = entry_at(normpath(join(dirname(document), request.citation.raw)), context.tree)
        if meant:
            reason = f"the link was written in {document} and meant {meant}"
            return replace(evidence(request, Verdict.REFUTED, reason), instead=meant)
    return None


def _may_be_made(path: str, fate: Fate, request: Request) -> bool:
    """Whether a file that is only named may be made or read in another place: no commit had it, or
    its folder begins with a dot, as tools call theirs. Code in a directory is a tree's own."""
    hidden = any(folder.startswith(".") for folder in path.split("/")[:-1])
    alone = "/" not in normpath(request.citation.raw)
    own = has_parser(path) and not alone
    return _is_bare(request) and not own and (alone or hidden or not fate.words)


def _named_by_code(asked: Iterable[Request], context: Context) -> set[Request]:
    """Returns those requests whose file the tree's code names: it makes that file, or reads it in
    the projects that it is used in."""
    spellings = {r: _spellings(normpath(r.citation.raw)) for r in asked}
    if not spellings:
        return set()
    words = {w for several in spellings.values() for one in several for w in one}
    try:
        named = files_with(
            context.repo, context.tree, sorted(words), NO_PROSE, cache=context.cache
        ).keys()
    except GroundedIngestError:  # the words could not be searched: nothing is exempt
        return set()
    return {r for r, several in spellings.items() if any(named >= set(one) for one in several)}


def _spellings(path: str) -> list[tuple[str, ...]]:
    """Returns the ways in which code may name a path, each as the words that have to be there: the
    end of the path, or the name of a hidden directory and the file's."""
    *above, name = path.rstrip("/").split("/")
    hidden = [(d, name) for d in above if d.startswith(".") and d not in (".", "..")]
    return [("/".join((*above[-1:], name)),), *hidden[:1]]


def _namesake(request: Request, context: Context) -> str:
    """Returns the only file with the end or the name of a path that a memory document names in
    vain; empty if there are several, or if any project has a file of this name. One word such as
    `factory.ts` is no name of its own unless a folder is shared, too."""
    path = intended_path(request)
    if not looks_like_path(path) or is_generic_name(path) or is_runtime_folder(dirname(path)):
        return ""
    if "/" not in path or not (_is_memory(request, context) or has_parser(path)):
        return ""
    parts = path.split("/")
    tails = ("/".join(parts[n:]) for n in range(1, len(parts)))
    there = next((found for t in tails if (found := context.tree.ending_with(t))), [])
    if len(there) != 1 or _TEMPLATES.search(there[0]) or _is_short_for(path, there[0]):
        return ""
    shared = {*parts[:-1]} & {*there[0].split("/")[:-1]}
    named = _SEVERAL_WORDS.search(parts[-1]) or not all(map(is_generic_name, shared))
    return there[0] if named else ""


def _is_short_for(path: str, whole: str) -> bool:
    """Whether a path is another spelling of a file's: `shop/src/api.ts` in the repository shop,
    `Web/Api.cs` for `src/Shop.Web/Api.cs`."""
    parts, last = path.split("/"), whole.split("/")[-len(path.split("/")) :]
    abbreviated = all(r.endswith(p) for r, p in zip(last, parts, strict=False))
    return path.endswith(f"/{whole}") or (abbreviated and len(last) == len(parts))
