"""Checks citations of paths: files, directories and links in the tree. If no file in the tree can
be meant, `_judge_absent` decides between wrong, unknown and skipped. A missing file is wrong if a
link leads to it, or if the tree has its directory. `missing_path` looks up every other missing path
in the git history. A path that no commit had is usually unknown: of 40 such paths in agents' files
only 7 were really wrong. The other 33 were branches, packages, rules and run-time folders.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from functools import lru_cache
from posixpath import basename, dirname, join, normpath

from msgspec.structs import replace

from grounded_ingest.code.definitions import definitions_in, has_parser
from grounded_ingest.extract.asciidoc import is_asciidoc
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.repository import SUBMODULE, SYMLINK
from grounded_ingest.git.trees import LARGEST, Tree, rows_of, text_of
from grounded_ingest.model.claims import Citation, CitationKind, Evidence, Origin, Verdict
from grounded_ingest.references import defined_symbol
from grounded_ingest.references.adr import is_decision, judge_adr_file
from grounded_ingest.references.asciidoc_files import is_included, is_of_component
from grounded_ingest.references.cited_lines import NAMESAKES, judge_definition, judge_lines
from grounded_ingest.references.command_path import is_among_scripts
from grounded_ingest.references.context import Context, Request, evidence
from grounded_ingest.references.exemptions import (
    ABSENT,
    EXEMPTIONS,
    NO_SAMPLE,
    SKILL,
    is_example_name,
    is_generic_name,
    is_own_guide,
    is_own_sample,
    is_runtime_folder,
    is_template_path,
)
from grounded_ingest.references.missing_path import (
    NO_PAGE,
    NO_PATH,
    NO_TREE,
    NOWHERE,
    explain_missing,
    judge_former,
    was_moved_deeper,
)
from grounded_ingest.references.own_names import own_names, plain_name
from grounded_ingest.references.path_resolution import (
    ALIAS,
    RELATIVE,
    directories_from,
    entry_at,
    intended_path,
    is_include_outside_site,
    is_outside,
    resolve_path,
    sphinx_page,
)
from grounded_ingest.references.receipts import (
    fate_of_path,
    removals_of,
    true_name,
)
from grounded_ingest.references.reference import Reference
from grounded_ingest.references.site_pages import (
    denies_page,
    is_alias,
    is_embedded,
    is_site_page,
    possible_originals,
    sites_of,
)
from grounded_ingest.text.dated_paths import (
    is_test_or_sample,
)
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.patterns import compiled

_EXAMPLE_NAME = "the file name is typical of examples"

AMBIGUOUS = "ambiguous"
OWN_FILES = ".grounded/"
"""The directory of this tool's own files. These files cannot prove a claim."""

_NAME = compiled(r"[^\W\d]\w+")
_CODE_ANCHOR = compiled(r"[^\s=&?]+")
_CODE_NAME = compiled(r"_|[a-z\d][A-Z]")
_ALONE = compiled(r"(?<=`)[^\W\d]\w+(?=`)|[^\W\d]\w+(?=\(\))")
_INCLUDED = compiled(citing.INCLUDED)

EvidenceOfRequests = Mapping[Request, Evidence | None]


def verify_paths(requests: Sequence[Request], context: Context) -> EvidenceOfRequests:
    """Returns the evidence for each citation of a path. Maps a citation to None if the cited text
    turns out not to be a path."""
    found = look_up_paths(requests, context)
    return {r: None if e.verdict is Verdict.SKIPPED else e for r, e in found.items()}


def look_up_paths(requests: Sequence[Request], context: Context) -> dict[Request, Evidence]:
    """Returns the evidence for each citation of a path. If the cited text turns out not to be a
    path, the verdict is skipped and the reason explains why."""
    found = {r: _judge(r, context) for r in requests}
    if context.brief:
        return found
    found.update(_moved_deeper(found, context))
    return _explain_undefined(explain_missing(found, context), context)


def _moved_deeper(found: Mapping[Request, Evidence], context: Context) -> dict[Request, Evidence]:
    """Returns the evidence for paths that began at the root until a commit moved them into a
    directory: `src/a.py` is `app/src/a.py` now. A document that was first committed after the day
    of the move means the end of the new path."""
    there = (r for r, e in found.items() if _may_have_moved(r, e, context))
    ends = {r: normpath(r.citation.raw) for r in there if _is_only_an_end(r, context)}
    removed = removals_of([*ends.values()], context) if ends else {}
    fates = {r: fate_of_path(end, removed, context) for r, end in ends.items()}
    return {
        r: judge_former(r, fate, context)
        for r, fate in fates.items()
        if was_moved_deeper(r.citation.raw, r.path, fate, context)
    }


def _may_have_moved(request: Request, evidence: Evidence, context: Context) -> bool:
    """Returns whether a commit may have moved the path that a text means into a directory. Of
    directories at the root, only those in a guide at the root are asked for."""
    citation = request.citation
    if citation.cue or citation.around:
        return False
    if "/" not in normpath(citation.raw):  # `resolving/` is `next/resolving/` now
        known = is_generic_name(citation.raw) or is_runtime_folder(citation.raw)
        folder = citation.raw.endswith("/") and citation.raw[0] != "." and not known
        there = evidence.verdict is Verdict.CONFIRMED or evidence.reason.startswith(AMBIGUOUS)
        at_root = "/" not in request.path and is_own_guide(request.path, context)
        return folder and there and at_root
    if evidence.reason.startswith(AMBIGUOUS):  # `src/main/x.java` may be a file of each module
        return looks_like_path(citation.raw) and not citation.raw.startswith(("src/", "./src/"))
    return evidence.verdict is Verdict.CONFIRMED


def _is_only_an_end(request: Request, context: Context) -> bool:
    """Returns whether a citation gives only the end of a path, and not a path from the root or from
    a directory above its document."""
    end = normpath(request.citation.raw)
    if request.citation.link or end[0] in "./@":
        return False
    above = directories_from(dirname(request.path))
    return not any(entry_at(normpath(join(d, end)), context.tree) for d in above)


def _explain_undefined(found: dict[Request, Evidence], context: Context) -> dict[Request, Evidence]:
    asked: dict[Request, Reference] = {}
    for request, judged in found.items():
        if judged.kind is CitationKind.SYMBOL and judged.verdict is Verdict.REFUTED:
            path, _, name = judged.target.partition("::")
            name = name.replace("::", ".")
            asked[request] = Reference(CitationKind.SYMBOL, request.path, name, 0, 0, path)
    answers = defined_symbol.answers(list(asked.values()), context) if asked else {}
    for request, reference in asked.items():
        if (answer := answers.get(reference)) and answer.verdict is Verdict.REFUTED:
            found[request] = replace(found[request], reason=answer.reason)
    return found


def _judge(request: Request, context: Context) -> Evidence:
    candidates = resolve_path(request, context.tree)
    if candidates and is_example_name(request.citation.raw) and _is_only_an_end(request, context):
        return evidence(request, Verdict.SKIPPED, _EXAMPLE_NAME)
    if len(candidates) > 1 and (meant := _only_path_with_name(request, candidates, context)):
        candidates = [meant]
        # The name settles which file is meant, so its namesakes do not count below.
        request = request._replace(citation=replace(request.citation, raw=meant))
    if not request.citation.cue and _is_told_in_root(request, candidates):
        reason = f"no such file in the root; there is {candidates[0]}"
        return evidence(request, Verdict.REFUTED, reason)
    if len(candidates) == 1:
        return _judge_entry(request, candidates[0], context)
    if candidates:
        some = ", ".join(candidates[:3])
        reason = f"{AMBIGUOUS}: {len(candidates)} paths end in this text ({some})"
        return evidence(request, Verdict.UNKNOWN, reason)
    return _judge_absent(request, context)


_IN_ROOT = compiled(
    r"`?,? (?:is )?(?:in|at) the (?:(?:repo|repository|project) root|top level"
    r"|(?:root|top(?: level)?) of (?:the|this) (?:repo|repository|project))(?=[.,;)]|$| and\b)"
)
"""Matches the words behind a file that say that it is in the root of the repository."""


def _is_told_in_root(request: Request, paths: Sequence[str]) -> bool:
    """Returns whether a text says that a file is in the root ("`x.md` in the repository root."),
    but the only file of this name is in another directory than those above the document."""
    if len(paths) != 1 or "/" in request.citation.raw or is_test_or_sample(paths[0]):
        return False
    name, text = re.escape(request.citation.raw), request.sentence
    told = any(_IN_ROOT.match(text, m.end()) for m in re.finditer(rf"(?<![\w./-]){name}", text))
    return told and dirname(paths[0].rstrip("/")) not in directories_from(dirname(request.path))


def _only_path_with_name(request: Request, candidates: list[str], context: Context) -> str:
    """Returns the only path in `candidates` whose cited lines contain a code name from the claim,
    or else the only one that defines such a name. Returns an empty string if no or several
    candidates qualify."""
    lines = request.citation.lines
    used, defined = _names_beside(request.sentence, request.citation.raw)
    if lines is None or not used | defined or len(candidates) > NAMESAKES:
        return ""
    small = (p for p in candidates if context.tree.size(p) <= LARGEST)
    texts = {p: text_of(context.tree, p) or "" for p in small}
    meant = [p for p, text in texts.items() if _has_in_lines(text, lines, used)]
    meant = meant or [p for p, text in texts.items() if _defines(p, text, defined)]
    return meant[0] if len(meant) == 1 else ""


def _names_beside(sentence: str, raw: str) -> tuple[set[str], set[str]]:
    """Returns the code names in a sentence, and those of them that the cited file may define: names
    alone in a code span, or before `()`. `config.get("raw_value")` only uses `raw_value`."""
    used = {n for n in _NAME.findall(sentence) if _CODE_NAME.search(n) and n not in raw}
    return used, {n for n in _ALONE.findall(sentence) if n not in raw}


def _has_in_lines(text: str, lines: tuple[int, int], names: set[str]) -> bool:
    cited = " ".join(rows_of(text)[lines[0] - 1 : lines[1]])
    return not names.isdisjoint(_NAME.findall(cited))


def _defines(path: str, text: str, names: Container[str]) -> bool:
    return any(d.name in names for d in definitions_in(path, text) or ())


def _judge_entry(request: Request, path: str, context: Context) -> Evidence:
    lines, anchor = request.citation.lines, request.citation.anchor
    if path.endswith("/"):
        if lines:
            return evidence(
                request, Verdict.REFUTED, f"{path} is a directory, so it has no lines", target=path
            )
        return evidence(request, Verdict.CONFIRMED, target=path)
    mode = context.tree.mode(path)
    if mode == SUBMODULE:
        reason = "the path is a submodule, whose files are not checked"
        return evidence(request, Verdict.UNKNOWN, reason, target=path)
    if lines is None and _CODE_ANCHOR.fullmatch(anchor) and has_parser(path):
        return judge_definition(request, path, context)
    if lines is None and is_decision(context.config, path, context.tree):
        return replace(judge_adr_file(request, path, context), kind=CitationKind.ADR)
    if lines is None:
        there = evidence(request, Verdict.CONFIRMED, target=path)
        origin = Origin("file", path, anchor=anchor)
        return there if path.startswith(OWN_FILES) else replace(there, origins=(origin,))
    if mode == SYMLINK:
        reason = "the path is a symbolic link, whose lines are not checked"
        return evidence(request, Verdict.UNKNOWN, reason, target=path)
    return judge_lines(request, path, lines, context)


def _is_shown_elsewhere(document: str, context: Context) -> bool:
    """Returns whether pages in other folders include a document."""
    of_asciidoc = is_asciidoc(document) and is_included(document, context.tree)
    shown = _INCLUDED.search(document) or of_asciidoc
    return bool(shown) or is_embedded(document, context.tree)


def _leads_from_link(request: Request, tree: Tree) -> bool:
    """Returns whether a link leads to a file from the folder of a symbolic link to its document, as
    from a README.md at the root that is a link to the README of a package."""
    same = tree.ending_with(basename(request.path))
    links = (p for p in same if tree.mode(p) == SYMLINK and tree.link_target(p) == request.path)
    return any(tree.has(normpath(join(dirname(p), request.citation.raw))) for p in links)


_EXEMPT_CUES = ("gone", "planned", "unwanted", "conditional")
"""The exemptions by words right beside a path, as in "we removed `x.py`"."""


def _judge_absent(request: Request, context: Context) -> Evidence:
    """Returns the evidence for a path that is not in the tree. The first case that applies decides.
    History may still show that an unknown path is wrong."""
    raw, link = request.citation.raw, request.citation.link
    cue = "" if link else request.citation.cue
    if cue == "gone" and intended_path(request) in context.gone:
        found = Verdict.REFUTED, ABSENT
    elif _is_sample_to_copy(request, context):
        found = Verdict.REFUTED, NO_SAMPLE
    elif cue in _EXEMPT_CUES:
        found = Verdict.SKIPPED, EXEMPTIONS[cue]
    elif not link and normpath(raw) in context.gone and _is_of_words(raw):
        found = Verdict.REFUTED, ABSENT
    elif is_template_path(raw):
        found = Verdict.SKIPPED, "the path contains a placeholder"
    elif raw.startswith(ALIAS):
        found = Verdict.UNKNOWN, "the path is an alias that a bundler or a web site resolves"
    else:
        found = (_judge_absent_link if link else _judge_absent_mention)(request, context)
    return evidence(request, *found)


def _is_of_words(raw: str) -> bool:
    """Returns whether a path that this change removes was no example before: its name has several
    words, and does not begin as the names of readers' files do."""
    return _WORDS_IN_NAME.fullmatch(raw.rpartition("/")[2]) is not None


_WORDS_IN_NAME = compiled(r"(?!(?:my|your|some|foo|bar)[_-])[A-Za-z0-9]+(?:[_-][\w-]+)+\.\w+")


_OF_INCLUDING = "the link is relative to the pages that include this text"


def _judge_absent_link(request: Request, context: Context) -> tuple[Verdict, str]:
    document, raw, tree = request.path, request.citation.raw, context.tree
    if _is_out_of_reach(request, context):
        return Verdict.UNKNOWN, "the file may be in another repository of the site"
    if _ON_FORGE.match(raw):
        return Verdict.UNKNOWN, "the link may be an address of the forge"
    if _ON_A_MACHINE.match(raw):
        return Verdict.REFUTED, "the path exists only on one person's machine"
    if raw.startswith("/"):
        if denies_page(document, raw, tree):
            return Verdict.REFUTED, ABSENT
        if not _is_rooted(request, context):
            return Verdict.UNKNOWN, NO_PAGE
    if is_include_outside_site(request, tree):
        return Verdict.UNKNOWN, _OF_INCLUDING
    if _leads_past_file(request, context) and not _INCLUDED.search(document):
        return Verdict.REFUTED, "the link has too many ../, so it leads out of the repository"
    if is_outside(intended_path(request)):
        return Verdict.UNKNOWN, "the path is outside the repository"
    if _is_in_original(document, raw, tree) or _may_be_a_page(request, context):
        return Verdict.UNKNOWN, NO_PAGE
    if _is_shown_elsewhere(document, context) or _leads_from_link(request, tree):
        return Verdict.UNKNOWN, _OF_INCLUDING
    return Verdict.REFUTED, ABSENT


def _is_sample_to_copy(request: Request, context: Context) -> bool:
    """Returns whether a text tells its readers to copy a sample, such as `.env.example`."""
    citation = request.citation
    about_now = not (
        citation.cue or citation.link or {"foreign", "gone", "planned"} & {*citation.around}
    )
    return about_now and is_own_sample(citation.raw, request.path, context)


def _judge_absent_mention(request: Request, context: Context) -> tuple[Verdict, str]:
    citation, raw = request.citation, request.citation.raw
    if context.repo.remote_url().removesuffix(".git").endswith((f"/{raw}", f":{raw}")):
        return Verdict.SKIPPED, "the text names the repository"
    if is_example_name(raw):
        return Verdict.SKIPPED, _EXAMPLE_NAME
    if raw.startswith("/"):
        return _judge_absent_absolute(raw, context.tree)
    guide = is_own_guide(request.path, context)
    if guide and _is_among_own(request, own_names(context), context.tree):
        return Verdict.REFUTED, ABSENT
    if not (_has_path_form(citation) or _is_of_known_kind(raw, context.tree)):
        is_directory = "/" in raw and raw[0] != "@"
        return (Verdict.UNKNOWN, NO_TREE) if is_directory else (Verdict.SKIPPED, NO_PATH)
    if "/" not in raw and is_example_name(raw, loosely=True):
        return Verdict.SKIPPED, _EXAMPLE_NAME
    is_wrong = _is_of_own_folder(request, context, guide=guide)
    return (Verdict.REFUTED, ABSENT) if is_wrong else (Verdict.UNKNOWN, NOWHERE)


def _is_of_own_folder(request: Request, context: Context, *, guide: bool) -> bool:
    """Returns whether a missing path can only mean a file of this tree. `guide` is true if the
    document is a guide to this repository."""
    if guide and _is_below_own_folder(request, context.tree):
        return True
    return _is_in_tree(request, context) and (guide or not _is_example_in_rst(request))


_NOT_THERE = compiled(
    r"(?i)\b(?:add|creat|put|plac|clon|pull|push|check(?:ed)? ?out|former|were\b|was\b|used to"
    r"|not?\b|never|without|secret|topic|image|queue|channel|bucket)"
)
"""Matches words before a folder that is not there yet or any more, or before another kind of name
with slashes."""


def _is_among_own(request: Request, names: Container[str], tree: Tree) -> bool:
    """Returns whether the files beside a path in a guide show that it is a script or a folder of
    code. `names` are the repository's own: `shop/orders` may be a topic or an image of `shop`."""
    raw, cited = request.citation.raw, request.citation
    told = cited.cue or cited.around or _NOT_THERE.search(request.sentence.partition(raw)[0])
    other = told or SKILL.search(request.path) or plain_name(raw.partition("/")[0]) in names
    return is_among_scripts(raw, tree) or (not other and _is_in_code_folder(raw, tree))


def _is_in_code_folder(raw: str, tree: Tree) -> bool:
    """Returns whether a missing path without an ending can only be a folder of code: the tree has
    the folder above it, with at least two folders of code, and no folder ends in the path."""
    above = dirname(raw)
    if "." in raw or not above or is_runtime_folder(raw) or not tree.is_dir(above):
        return False
    if tree.directories_ending_with(raw):
        return False
    inside = [p.removeprefix(f"{above}/") for p in tree.below(above)]
    return len({p.partition("/")[0] for p in inside if "/" in p and has_parser(p)}) > 1


def _is_example_in_rst(request: Request) -> bool:
    """Returns whether a path in reStructuredText may be an example. Of 16 wrong paths in ten unread
    repositories, the 4 that no commit had were examples."""
    raw = request.citation.raw
    shallow = raw[0] == "." or raw.rstrip("/").count("/") < _DEEP
    return shallow and request.path.lower().endswith(".rst")


def _is_below_own_folder(request: Request, tree: Tree) -> bool:
    """Returns whether a path names a file of code in a missing folder, and the first folder of the
    path has such files itself. A folder of packages has none."""
    raw, ending = request.citation.raw, request.citation.raw.rpartition(".")[2]
    if raw.count("/") < _DEEP or not has_parser(raw):
        return False
    above = raw.partition("/")[0]
    inside = tree.below(above)
    return any(dirname(p) == above and p.endswith(f".{ending}") for p in inside)


_DEEP = 2
"""Number of folders of a path that is no example."""


def _judge_absent_absolute(raw: str, tree: Tree) -> tuple[Verdict, str]:
    """Returns the result for a path such as `/src/api/rows.ts`. It begins at the root of the tree
    if the tree has its folders."""
    above = dirname(raw).strip("/")
    if "/" in above and looks_like_path(raw) and tree.is_dir(above):
        return Verdict.REFUTED, ABSENT
    return Verdict.SKIPPED, "the absolute path is on a machine, or is a route of a web site"


def _is_in_tree(request: Request, context: Context) -> bool:
    """Returns whether a missing path can only lie in the tree, because the tree has its folder."""
    raw = request.citation.raw
    if (looks_like_path(raw) or _is_deep_folder(raw)) and _has_parent(request, context):
        return True
    return _is_of_known_kind(raw, context.tree) and context.tree.is_dir(dirname(raw))


def _is_of_known_kind(raw: str, tree: Tree) -> bool:
    """Returns whether a path has folders and the ending of other files in the tree, such as
    `ext/http.rl`, or the name of two files in its folder up to the ending. `lib/rows.add` beside
    one file `lib/rows.js` may be a function."""
    folder, _, name = raw.rpartition("/")
    if not folder or "." not in name[1:]:
        return False
    stem = f"{folder}/{name.rpartition('.')[0]}."
    return tree.has_kind(name) or sum(p.startswith(stem) for p in tree.below(folder)) > 1


def _has_path_form(citation: Citation) -> bool:
    return looks_like_path(citation.raw) or bool(citation.lines) or citation.raw.endswith("/")


def _leads_past_file(request: Request, context: Context) -> bool:
    """Returns whether a link leads out of the repository and would lead to a file with fewer `../`.
    An address of the forge such as `../../issues` is not a file."""
    path = intended_path(request)
    end = path.removeprefix("../" * path.count("../"))
    return is_outside(path) and looks_like_path(end) and context.tree.has(end)


def _is_rooted(request: Request, context: Context) -> bool:
    """Returns whether an absolute link begins at the root of the repository, as on GitHub: its
    first folder exists, the document belongs to no web site, and no other folder, such as
    `www/static`, has the path."""
    path = request.citation.raw.strip("/")
    first, _, rest = path.partition("/")
    named = looks_like_path(rest) and context.tree.is_dir(first)
    elsewhere = sites_of(request.path, context.tree) or context.tree.ending_with(path)
    return named and not elsewhere


def _may_be_a_page(request: Request, context: Context) -> bool:
    """Returns whether a link may lead to a page of a web site instead of a file in the tree. The
    forge shows a guide such as README.md, so `[x](tools/rows)` in a guide is a file or folder."""
    raw = request.citation.raw
    tree = context.tree
    of_site = raw.endswith("/") and (bool(sites_of(request.path, tree)) or is_alias(raw, tree))
    plain = not (_has_path_form(request.citation) or is_own_guide(request.path, context))
    if raw.startswith("doc:"):
        plain = not sphinx_page(request.path, raw, context.tree)
    return of_site or raw.endswith((".html", ".htm")) or plain


_ON_FORGE = compiled(r"(?:\.\./)+(?:blob|tree|raw|wiki|issues|pulls?|discussions|releases)(?:/|$)")
"""Matches a link that is relative to a page of the forge, such as `../blob/main/a.md`."""
_ON_A_MACHINE = compiled(r"/(?:Users|home)/[\w.-]+/[^/]+/.*[^/]\.\w+$")
"""Matches the path of a file below the home directory of a user."""


def _is_in_original(document: str, raw: str, tree: Tree) -> bool:
    """Returns whether the linked file exists beside the original of a translated page, or the
    original has the same link. A site shows the original in place of a missing translation."""
    for page in possible_originals(document, tree):
        path = normpath(join(dirname(page), raw))
        if tree.has(path) or tree.is_dir(path) or f"({raw}" in (text_of(tree, page) or ""):
            return True
    return False


def _is_deep_folder(raw: str) -> bool:
    """Returns whether a citation names a folder inside a folder, such as `src/codes/`, that no tool
    creates."""
    hidden = raw.startswith(".") or "/." in raw
    return raw.endswith("/") and "/" in raw[:-1] and not hidden and not is_runtime_folder(raw)


def _is_out_of_reach(request: Request, context: Context) -> bool:
    """Returns whether a link may lead to a file that only a site generator knows: to one in another
    repository for AsciiDoc, or to one below an unknown folder for reStructuredText."""
    path = intended_path(request) or sphinx_page(request.path, request.citation.raw, context.tree)
    return not path or (is_of_component(request.path) and path not in context.gone)


def _has_parent(request: Request, context: Context) -> bool:
    """Returns whether the tree has the directory of a nested path, its first two directories, or
    one folder that ends like its directory. Also returns true if the path exists with other upper
    and lower case, or as the other form of a module."""
    bare = request.citation.raw.rstrip("/")
    if "/" not in bare:
        return False
    parents = {dirname(bare), normpath(join(dirname(request.path), dirname(bare)))} - {"", "."}
    above = {join(*bare.split("/")[:2])} if bare.count("/") > 1 and bare[:1] != "." else set()
    there = any(context.tree.is_dir(p) for p in parents | above if not is_outside(p))
    there = there or _has_one_folder(request, context.tree)
    meant = intended_path(request)
    return there or bool(true_name(meant, context.tree))


def _has_one_folder(request: Request, tree: Tree) -> bool:
    """Returns whether exactly one folder of the tree ends like the folder of a path of code, as
    `src/lib/rows` for `lib/rows/parse.ts`, and the page names an existing file of this folder."""
    raw = request.citation.raw
    above = normpath(dirname(raw))
    if raw.startswith(RELATIVE) or not has_parser(raw) or "/" not in above:
        return False
    there = [] if is_runtime_folder(above) else tree.directories_ending_with(above)
    if len(there) != 1 or is_test_or_sample(f"{there[0]}/") or is_site_page(request.path, tree):
        return False
    return any(tree.has(f"{there[0]}/{name}") for name in _names_below(request.path, above, tree))


@lru_cache(maxsize=64)
def _names_below(document: str, folder: str, tree: Tree) -> frozenset[str]:
    """Returns the names that a document writes behind a folder."""
    page = text_of(tree, document) or ""
    return frozenset(re.findall(rf"(?<![\w/]){re.escape(folder)}/([\w.-]+)", page))
