"""Path citations: files and lines of the tree. Resolve first, judge the shape second."""

from __future__ import annotations

import os
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from posixpath import dirname, join, normpath

from msgspec.structs import replace

from grounded_ingest.code.definitions import definitions_in, definitions_of, has_parser
from grounded_ingest.config.settings import classify
from grounded_ingest.errors import GroundedIngestError
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.quoted_lines import LARGEST, rows_of, text_of
from grounded_ingest.git.repository import SUBMODULE, SYMLINK
from grounded_ingest.git.trees import Tree
from grounded_ingest.git.word_search import NO_PROSE, files_with
from grounded_ingest.model.claims import Citation, CitationKind, DocClass, Evidence, Origin, Verdict
from grounded_ingest.references.adr import is_decision, judge_adr_file
from grounded_ingest.references.context import Context, Request, as_cited, evidence, fingerprint
from grounded_ingest.references.generic_names import is_generic, is_made_at_run_time, is_of_readers
from grounded_ingest.references.placeholder_urls import has_blanks, is_prop
from grounded_ingest.references.receipts import (
    Fate,
    fate_of_path,
    hint_for_path,
    removals_of,
    true_name,
)
from grounded_ingest.references.samples import is_sample
from grounded_ingest.text.dated_paths import is_record, tells_of_a_day
from grounded_ingest.text.lexicon import citation_cues as citing
from grounded_ingest.text.patterns import compiled

_RELATIVE = ("./", "../")

_ALIKE = 10
"""Files that end alike and are looked into."""

_NAME = compiled(r"[^\W\d]\w+")
_WORDS = compiled(r"[^\W_][_-]+[^\W_]|[a-z\d][A-Z]")
"""Stands in a name of more than one word."""
_CODE = compiled(r"_|[a-z\d][A-Z]")

_PACKAGE = compiled(r"(?:^|/)(?:node_modules|site-packages|dist-packages)/|^@[\w.-]+/")
"""A file that a package manager installs."""

_PLANS, _TEMPLATES = compiled(citing.PLANS), compiled(citing.TEMPLATES)

ABSENT = "no such file"
NOWHERE = "no such file in this repository"
"""Its directory is not there either: it may be of elsewhere, unless a commit deleted the file."""

NO_TREE = "no such directory"
"""It has the form of a directory without its slash: no reference unless history had it."""

NO_PAGE = "no such file; perhaps a route or a label of a site"
"""A link that has no form of a file: a broken one only if history had its file."""

NOT_STAGED = "it lies on disk and is not staged: git add it"
OWN_FILES = ".grounded/"
"""What this tool writes; never evidence."""

EvidenceOfRequests = Mapping[Request, Evidence | None]


def verify_paths(requests: Sequence[Request], context: Context) -> EvidenceOfRequests:
    """Evidence per request; None for what turns out to be no citation."""
    found = look_up_paths(requests, context)
    return {r: None if e.verdict is Verdict.SKIPPED else e for r, e in found.items()}


def look_up_paths(requests: Sequence[Request], context: Context) -> dict[Request, Evidence]:
    """Evidence per request; what turns out to be no citation is skipped, with the reason."""
    found = {r: _verify(r, context) for r in requests}
    return found if context.brief else _explain_refuted(found, context)


_SAID = {
    "gone": "the text says that it went",
    "planned": "the text says that it is to come, or an example",
    "unwanted": "the text says that it should not be there",
    "conditional": "the text says that it may be there",
}
"""Why a missing file is skipped, by what is said right beside its name."""


def _verify(request: Request, context: Context) -> Evidence:
    candidates = resolve_path(request, context.tree)
    if len(candidates) == 1:
        return _existing(request, candidates[0], context)
    if candidates and (meant := _said_of(request, candidates, context)):
        return _existing(request, meant, context)
    if candidates:
        some = ", ".join(candidates[:3])
        return evidence(
            request, Verdict.UNKNOWN, f"ambiguous: {len(candidates)} files end so ({some})"
        )
    return _absent(request, context)


def _said_of(request: Request, candidates: list[str], context: Context) -> str:
    """Of files that end alike the one whose cited lines hold a name of code that the claim gives;
    empty where that is none, or more than one."""
    raw = request.citation.raw
    names = {n for n in _NAME.findall(request.said) if _CODE.search(n) and n not in raw}
    if not names or request.citation.lines is None:
        return ""
    first, last = request.citation.lines
    meant = []
    for path in candidates[:_ALIKE]:
        text = "" if context.tree.size(path) > LARGEST else text_of(context.tree, path)
        cited = " ".join(rows_of(text)[first - 1 : last]) if text else ""
        if names.intersection(_NAME.findall(cited)):
            meant.append(path)
    return meant[0] if len(meant) == 1 and len(candidates) <= _ALIKE else ""


_PAGES = (
    ".md", ".mdx", ".rst", ".ipynb", "/index.md", "/index.mdx", "/README.md", "/_index.md",
)  # fmt: skip
"""What a site generator appends to a link that names a page."""

_INDEXES = ("index", "readme", "_index")
"""Pages that a site serves at the address of their directory."""

_SITES = [
    "astro.config.mjs",
    "astro.config.ts",
    "astro.config.js",
    "docusaurus.config.js",
    "docusaurus.config.ts",
    "mkdocs.yml",
    "mkdocs.yaml",
    "_config.yml",
    "hugo.toml",
    "hugo.yaml",
    "next.config.js",
    "next.config.mjs",
    "next.config.ts",
    "nuxt.config.ts",
    "gatsby-config.js",
    "gatsby-config.ts",
    ".vitepress/config.js",
    ".vitepress/config.ts",
    ".vitepress/config.mts",
    ".eleventy.js",
    "eleventy.config.js",
    "vocs.config.ts",
]
"""Files that configure a site generator."""


def resolve_path(request: Request, tree: Tree) -> list[str]:
    """Paths of the tree that a citation can mean; directories end in a slash."""
    raw = request.citation.raw
    found = _resolve(request, raw, tree) or _of_alias(raw, tree) or _with_space(raw, tree)
    if found or raw.isascii():
        return found
    from unicodedata import normalize  # file systems and editors compose accents differently

    forms = (normalize(form, raw) for form in ("NFC", "NFD"))
    return next((paths for form in forms if (paths := _resolve(request, form, tree))), [])


_ALIAS = "@/"
"""Begins a path below the sources, as bundlers have it, or below the contents of a site (Zola)."""


def _of_alias(raw: str, tree: Tree) -> list[str]:
    return tree.ending_with(normpath(raw[len(_ALIAS) :])) if raw.startswith(_ALIAS) else []


def _with_space(raw: str, tree: Tree) -> list[str]:
    """The path whose first folder has a space in its name: `Server/a.py` for `The Server/a.py`."""
    first, slash, rest = raw.partition("/")
    homes = [d for d in _spaced(tree) if d.endswith(f" {first}")] if slash else []
    return [found for d in homes if (found := _at(normpath(f"{d}/{rest}"), tree))]


@lru_cache(maxsize=4)
def _spaced(tree: Tree) -> tuple[str, ...]:
    """Folders at the root with a space in their name."""
    firsts = {p.partition("/")[0] for p in tree.files if " " in p.partition("/")[0]}
    return tuple(sorted(firsts))


def _resolve(request: Request, raw: str, tree: Tree) -> list[str]:
    link = request.citation.link
    here, rooted = dirname(request.path), raw.lstrip("/")
    relative = link or raw.startswith(_RELATIVE)
    nearest = (join(here, raw), rooted) if relative else (rooted, join(here, raw))
    for candidate in dict.fromkeys(normpath(c) for c in nearest):
        if found := _at(candidate, tree):
            return [found]
    if link:
        return _of_site_link(request.path, raw, tree)
    suffix = normpath(rooted)
    if raw.startswith((*_RELATIVE, "/")) or _outside(suffix):
        return []
    if (files := tree.ending_with(suffix)) or not raw.endswith("/"):
        return files
    return [d + "/" for d in tree.directories_ending_with(suffix)]


_SITE = "@site/"


def _of_site_link(document: str, raw: str, tree: Tree) -> list[str]:
    """The file of a page that a link names as a site generator reads it."""
    if raw.startswith(_SITE):
        homes = _homes(document, tree) or [""]
        return [p for home in homes if (p := _at(normpath(home + raw[len(_SITE) :]), tree))][:1]
    page = raw.removesuffix(".html")
    return [] if looks_like_path(page) else _pages(_routes(document, page), tree)


def _at(candidate: str, tree: Tree) -> str:
    """The file or directory of a normalised path; empty where there is none."""
    if _outside(candidate):
        return ""
    if tree.has(candidate):
        return candidate
    return candidate + "/" if candidate == "." or tree.is_dir(candidate) else ""


def _routes(document: str, raw: str) -> list[str]:
    """Where a link to a page leads: from the document's directory, as GitHub reads it, and from
    the document's own address, as a browser reads the link of a page `a/b/` made of `a/b.md`."""
    here, _, name = document.rpartition("/")
    stem = name.partition(".")[0]
    own = here if stem.lower() in _INDEXES else join(here, stem)
    return list(dict.fromkeys(normpath(join(base, raw)) for base in (here, own)))


def _pages(bases: Sequence[str], tree: Tree) -> list[str]:
    """The file of a page that a link names without its ending."""
    pages = (f"{base}{end}" for base in bases for end in _PAGES)
    return [p for p in pages if not (_outside(p) or p.startswith("/")) and tree.has(p)][:1]


def _outside(path: str) -> bool:
    """Whether a normalised path leads out of the repository."""
    return path == ".." or path.startswith("../")


def _existing(request: Request, path: str, context: Context) -> Evidence:
    lines = request.citation.lines
    if path.endswith("/"):
        if lines:
            return evidence(request, Verdict.REFUTED, f"{path} is a directory", target=path)
        return evidence(request, Verdict.CONFIRMED, target=path)
    mode = context.tree.mode(path)
    if mode == SUBMODULE:
        return evidence(
            request, Verdict.UNKNOWN, "a submodule: its files are not looked at", target=path
        )
    if lines is None and request.citation.anchor and has_parser(path):
        return _defined(request, path, context)
    if lines is None and is_decision(context.config, path, context.tree):
        return replace(judge_adr_file(request, path, context), kind=CitationKind.ADR)
    if lines is None:
        there = evidence(request, Verdict.CONFIRMED, target=path)
        origin = Origin("file", path, anchor=request.citation.anchor)
        return there if path.startswith(OWN_FILES) else replace(there, origins=(origin,))
    if mode == SYMLINK:
        return evidence(request, Verdict.UNKNOWN, "a symbolic link", target=path)
    return _lines(request, path, lines, context)


def _defined(request: Request, path: str, context: Context) -> Evidence:
    """Evidence for `path::name`: the lines of the one definition it means."""
    name = request.citation.anchor
    target = f"{path}::{name.removesuffix('()')}"
    text = text_of(context.tree, path) if context.tree.size(path) <= LARGEST else None
    found = definitions_in(path, text) if text is not None else None
    if text is None or found is None:
        why = "its content is not in this clone, or could not be parsed"
        return _of_symbol(evidence(request, Verdict.UNKNOWN, why, target=target))
    meant = definitions_of(found, name)
    if len({d.owner for d in meant}) > 1:
        meant = [d for d in meant if not d.owner] or meant
    if not meant:
        return _of_symbol(_undefined(request, path, text, target, context))
    if len({d.owner for d in meant}) > 1:
        some = ", ".join(d.qualified for d in meant[:3])
        why = f"{path} defines several: {some}"
        return _of_symbol(evidence(request, Verdict.UNKNOWN, why, target=target))
    lines = meant[0].line, meant[0].end_line
    at = request._replace(citation=replace(request.citation, lines=lines))
    return replace(_of_symbol(_lines(at, path, lines, context)), target=target)


def _of_symbol(found: Evidence) -> Evidence:
    return replace(found, kind=CitationKind.SYMBOL)


def _undefined(request: Request, path: str, text: str, target: str, context: Context) -> Evidence:
    """A name that a file does not define; where it has the word, a parser may have missed it."""
    last = _NAME.findall(request.citation.anchor)[-1:]
    if last and last[0] in _NAME.findall(text):
        why = f"{path} names it, and defines it nowhere that its parser sees"
        return evidence(request, Verdict.UNKNOWN, why, target=target)
    why = f"{path} has no such definition"
    if others := _namesakes(request, path, context):
        why = f"{why}; {others[0]} is called so as well"
    elif "gone" in request.citation.around or tells_of_a_day(request.path):
        why = f"{why}; this text records a day"
    else:
        return evidence(request, Verdict.REFUTED, why, target=target)
    return evidence(request, Verdict.UNKNOWN, why, target=target)


def _namesakes(request: Request, path: str, context: Context) -> list[str]:
    """The other files that a bare name may mean."""
    raw = request.citation.raw
    return [] if "/" in raw else [p for p in context.tree.ending_with(raw) if p != path]


def _lines(request: Request, path: str, lines: tuple[int, int], context: Context) -> Evidence:
    target = as_cited(replace(request.citation, raw=path))
    if context.tree.size(path) > LARGEST:
        return evidence(request, Verdict.UNKNOWN, "too large to read", target=target)
    text = text_of(context.tree, path)
    if text is None:
        return evidence(
            request, Verdict.UNKNOWN, "its content is not in this clone, or no text", target=target
        )
    if text.startswith("version https://git-lfs"):
        return evidence(request, Verdict.UNKNOWN, "stored in LFS", target=target)
    rows, (first, last) = rows_of(text), lines
    if not 1 <= first <= last <= len(rows):
        return _beyond(request, path, lines, len(rows), context)
    quote = "\n".join(rows[first - 1 : last])
    if not any(c.isalnum() for c in quote):
        said = "say nothing" if quote.strip() else "are blank"
        return evidence(request, Verdict.UNKNOWN, f"the cited lines {said}", target=target)
    judged = evidence(request, Verdict.CONFIRMED, target=target)
    judged = replace(judged, fingerprint=fingerprint(quote), quote=quote.strip()[:300])
    judged = replace(judged, origins=(Origin("file", path, lines),))
    if is_decision(context.config, path, context.tree):
        decision = judge_adr_file(request, path, context)
        if decision.verdict is not Verdict.CONFIRMED:
            return replace(decision, kind=CitationKind.ADR, target=judged.target)
    return judged


def _beyond(
    request: Request, path: str, lines: tuple[int, int], rows: int, context: Context
) -> Evidence:
    """Lines that a file does not have; unless another file of that name, or its past, is meant."""
    first, last = lines
    wrong = "" if 1 <= first <= last else "the cited lines are none; "
    reason = f"{wrong}{path} has {rows} line{'' if rows == 1 else 's'}"
    others = _namesakes(request, path, context)
    known = Verdict.UNKNOWN
    if any(len(rows_of(text_of(context.tree, p) or "")) >= last for p in others[:_ALIKE]):
        reason = f"{reason}; {others[0]} is called so as well"
    elif tells_of_a_day(request.path):
        reason = f"{reason}; this text records a day"
    else:
        known = Verdict.REFUTED
    target = as_cited(replace(request.citation, raw=path))
    return evidence(request, known, reason, target=target)


def _absent(request: Request, context: Context) -> Evidence:
    """What becomes of a path that is not in the tree; "no such file" is looked into further."""
    citation = request.citation
    raw = citation.raw
    if citation.cue in _SAID and not citation.link:
        if citation.cue == "gone" and path_meant(request) in context.gone:
            return evidence(request, Verdict.REFUTED, ABSENT)
        return evidence(request, Verdict.SKIPPED, _SAID[citation.cue])
    if has_blanks(raw):
        return evidence(request, Verdict.SKIPPED, "a template: a part of it is to be filled in")
    if raw.startswith(_ALIAS):
        return evidence(request, Verdict.UNKNOWN, "an alias that a bundler or a site resolves")
    if citation.link:
        return _broken_link(request, context.tree)
    if is_prop(raw):
        return evidence(request, Verdict.SKIPPED, _PROP)
    if raw.startswith("/"):
        return evidence(request, Verdict.SKIPPED, "a path of the machine, or a route of a site")
    return _absent_name(request, context)


_PROP = "a name that examples give to files"


def _absent_name(request: Request, context: Context) -> Evidence:
    """What becomes of a path in the text that no file has."""
    citation = request.citation
    raw = citation.raw
    if not _names_a_place(citation):
        # Only history knows whether this was a directory.
        tree = "/" in raw and not raw.startswith("@")
        return evidence(request, *((Verdict.UNKNOWN, NO_TREE) if tree else _NO_PATH))
    if ("/" not in raw and is_prop(raw, loosely=True)) or (citation.lines and _is_one_letter(raw)):
        return evidence(request, Verdict.SKIPPED, _PROP)
    if citation.lines:
        return evidence(request, Verdict.REFUTED, ABSENT)
    if looks_like_path(raw) and _has_parent(request, context):
        return evidence(request, Verdict.REFUTED, ABSENT)
    return evidence(request, Verdict.UNKNOWN, NOWHERE)


def _is_one_letter(path: str) -> bool:
    """Whether a file's name has one letter, as in `src/x.ts:12` of a template."""
    return len(path.rpartition("/")[2].partition(".")[0]) == 1


def _names_a_place(citation: Citation) -> bool:
    """Whether a citation has the form of a path, gives lines, or ends as a directory does."""
    return looks_like_path(citation.raw) or bool(citation.lines) or citation.raw.endswith("/")


def _broken_link(request: Request, tree: Tree) -> Evidence:
    """A link that leads to no file: it may lead somewhere that no tree shows."""
    raw = request.citation.raw
    if raw.startswith("/"):
        reason = "an absolute link: a route of a site, or no file here"
    elif _outside(normpath(join(dirname(request.path), raw))):
        reason = "outside the repository"
    elif not _names_a_place(request.citation) or (
        raw.endswith("/") and _of_site(request.path, tree)
    ):
        reason = NO_PAGE
    else:
        return evidence(request, Verdict.REFUTED, ABSENT)
    return evidence(request, Verdict.UNKNOWN, reason)


def _of_site(document: str, tree: Tree) -> bool:
    """Whether a site generator is configured beside a document or above it: pages that it makes
    have addresses which no file shows."""
    return bool(_homes(document, tree))


def _homes(document: str, tree: Tree) -> list[str]:
    """The directories of sites that a document lies in, each with its slash; the root is empty."""
    homes = {p.removesuffix(name) for name in _SITES for p in tree.ending_with(name)}
    return sorted((h for h in homes if document.startswith(h)), key=len, reverse=True)


def _has_parent(request: Request, context: Context) -> bool:
    """Whether the directory of a nested path is in the tree, or the first two of its directories
    from the root, or the path in other letters' case."""
    bare = request.citation.raw.rstrip("/")
    if "/" not in bare:
        return False
    parents = {dirname(bare), normpath(join(dirname(request.path), dirname(bare)))} - {"", "."}
    above = {join(*bare.split("/")[:2])} if bare.count("/") > 1 and bare[:1] != "." else set()
    there = any(context.tree.is_dir(p) for p in parents | above if not _outside(p))
    return there or bool(true_name(path_meant(request), context.tree))


_NO_PATH = Verdict.SKIPPED, "no path of this tree or its past: a branch, a package, a rule, a route"


def _explain_refuted(found: dict[Request, Evidence], context: Context) -> dict[Request, Evidence]:
    """Say of missing files that they are ignored, in a submodule, deleted or moved; and take back
    what the text says itself, or speaks of as a plan, an example or another repository's."""
    missing = [r for r, e in found.items() if e.reason in (ABSENT, NOWHERE, NO_TREE, NO_PAGE)]
    if not missing:
        return found
    paths = {r: _moved_end(r, context) or path_meant(r) for r in missing}
    paths |= _former_ends(missing, context)
    # A pattern `cache/` ignores a directory, and nothing that lacks the slash is one.
    folders = (f"{p}/" for r, p in paths.items() if r.citation.raw.endswith("/"))
    ignored = context.repo.ignored((*paths.values(), *folders))
    asked: dict[Request, Evidence] = {}
    for request, path in paths.items():
        if reason := _out_of_sight(path, ignored, context):
            unseen = evidence(request, Verdict.UNKNOWN, reason)
            found[request] = replace(unseen, note="not-staged" * (reason == NOT_STAGED))
        elif (
            found[request].reason == ABSENT
            or _may_be_known(request, path)
            or _is_own_file(request, context)
        ):
            asked[request] = found[request]
    found.update(_of_history(asked, paths, context))
    return {r: evidence(r, *_NO_PATH) if e.reason == NO_TREE else e for r, e in found.items()}


def _may_be_known(request: Request, path: str) -> bool:
    """Whether history is asked for a file whose directory is not there: one name alone may be of
    anywhere, as may a folder that any project has or a tool makes (`.beads/` was committed once),
    and what is planned of a place to come."""
    raw = request.citation.raw
    common = is_generic(path) or is_made_at_run_time(path) or path.startswith(".")
    nested = "/" in path or (raw.endswith("/") and not common)
    return nested and "planned" not in request.citation.around


def _former_ends(missing: Sequence[Request], context: Context) -> dict[Request, str]:
    """Returns where history had the files that are named by the end of their path, and not at the
    place they name: beside the document, or at the only removed path that ends so."""
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
    return "/" in raw or (not is_generic(raw) and bool(_WORDS.search(raw)))


def _may_be_an_end(request: Request, context: Context) -> bool:
    """Whether a path may be the end of one that went. A name alone has to be one of this project's
    own."""
    raw = request.citation.raw
    if request.citation.link or raw.startswith(_RELATIVE) or not looks_like_path(raw):
        return False
    if is_decision(context.config, request.path, context.tree):
        return False  # it cites what there was
    return "/" in raw or _is_own_file(request, context)


def _is_own_file(request: Request, context: Context) -> bool:
    """Whether a name without a directory can only be a file of this repository: agents' documents
    and a README speak of it, and the text suggests no example, plan or other project."""
    citation, name = request.citation, request.path.rpartition("/")[2].lower()
    if "/" in citation.raw or citation.link or citation.around or not looks_like_path(citation.raw):
        return False
    if is_sample(request.path, citation.raw, context, commands=False):
        return False
    if classify(context.config, request.path) is DocClass.MEMORY:
        return True
    return name.startswith("readme.") and not is_of_readers(citation.raw)


def _of_history(
    asked: Mapping[Request, Evidence], paths: Mapping[Request, str], context: Context
) -> Iterator[tuple[Request, Evidence]]:
    """What history and programs say of files that the tree should show, or may have shown."""
    inside = [p for r in asked if not _outside(p := paths[r]) and p not in context.gone]
    deleted = removals_of(inside, context)
    known = {r: fate_of_path(paths[r], deleted, context) for r in asked}
    fates = {r: fate for r, fate in known.items() if fate.said or _is_wrong(asked[r], r, context)}
    doubtful = (r for r, fate in fates.items() if _may_be_made(paths[r], fate, r))
    made = _named_by_code(doubtful, context)
    for request, fate in fates.items():
        kept = fate.said and request not in made
        yield request, _lost(request, fate, context) if kept else _never(request, made, context)


def _is_wrong(found: Evidence, request: Request, context: Context) -> bool:
    """Whether a file that no commit had is missing all the same."""
    return found.verdict is Verdict.REFUTED or bool(_namesake(request, context))


def _is_bare(request: Request) -> bool:
    """Whether a file is only named: lines and links are of what is there, no program makes them."""
    return not (request.citation.lines or request.citation.link)


def _may_be_made(path: str, fate: Fate, request: Request) -> bool:
    """Whether a file that is only named may be made or read elsewhere: no commit had it, or it
    stands in a folder that begins with a dot, as tools keep theirs. Code in a directory is a
    tree's own."""
    hidden = any(folder.startswith(".") for folder in path.split("/")[:-1])
    alone = "/" not in normpath(request.citation.raw)
    own = has_parser(path) and not alone
    return _is_bare(request) and not own and (alone or hidden or not fate.said)


def _named_by_code(asked: Iterable[Request], context: Context) -> set[Request]:
    """Those files that code of the tree names: by the end of the path, or where a directory is
    hidden by its name and the file's. It makes them, or reads them in the projects it is used
    in."""
    ways = {r: _ways(normpath(r.citation.raw)) for r in asked}
    if not ways:
        return set()
    words = {w for found in ways.values() for way in found for w in way}
    try:
        named = files_with(
            context.repo, context.tree, sorted(words), NO_PROSE, keeper=context.ledger
        ).keys()
    except GroundedIngestError:  # then it stays what it is
        return set()
    return {r for r, found in ways.items() if any(named >= set(way) for way in found)}


def _ways(path: str) -> list[tuple[str, ...]]:
    """The words by which code may name a path, all of one way."""
    *above, name = path.rstrip("/").split("/")
    hidden = [(d, name) for d in above if d.startswith(".") and d not in (".", "..")]
    return [("/".join((*above[-1:], name)),), *hidden[:1]]


def _out_of_sight(path: str, ignored: Container[str], context: Context) -> str:
    """Why the tree would not show a file; empty where it would."""
    on_disk = context.staged and os.path.lexists(f"{context.repo.root}/{path}")
    gone = any(old == path or old.startswith(f"{path}/") for old in context.gone)
    if on_disk and not gone:  # `git rm --cached` leaves it there
        return NOT_STAGED
    if above := context.tree.submodule_above(path):
        return f"inside the submodule {above}"
    if above := context.tree.link_above(path):
        return f"behind the symbolic link {above}"
    return "ignored by git" if path in ignored or f"{path}/" in ignored else ""


def _lost(request: Request, fate: Fate, context: Context) -> Evidence:
    """A file that was there: a text that says that it went is right about it."""
    citation = request.citation
    said = not citation.link and (citation.cue == "gone" or "gone" in citation.around)
    if said and path_meant(request) in context.gone:
        return evidence(request, Verdict.CONFIRMED, f"{fate.said}, as it says")
    if said:
        return evidence(request, Verdict.UNKNOWN, f"{fate.said}, as it seems to say")
    if keeps_a_day(request):
        return evidence(request, Verdict.UNKNOWN, f"{fate.said}; this text records a day")
    return replace(evidence(request, Verdict.REFUTED, fate.said), instead=fate.to)


def keeps_a_day(request: Request) -> bool:
    """Whether the document of a reference is a plan, a record or a report: what it cites was right
    on its day. A link of a plan leads to what is there."""
    plan = not request.citation.link and _PLANS.search(request.path)
    return bool(plan) or is_record(request.path)


def _never(request: Request, made: Container[Request], context: Context) -> Evidence:
    """A file that no commit had: a mistake, unless the text speaks of something else than this
    tree. Lines and links are of what is there, no plan has them."""
    citation, reason = request.citation, _of_elsewhere(request, context)
    if citation.link and (behind := _left_behind(request, context)):
        return behind
    if not reason and _is_bare(request):
        reason = _not_here(request, made, context)
    if reason:
        return evidence(request, Verdict.UNKNOWN, reason)
    beside = normpath(join(dirname(request.path), citation.raw))
    places = [p for p in dict.fromkeys((path_meant(request), beside)) if not _outside(p)]
    hints = (hint_for_path(p, context.tree) for p in places)
    hint = next((h for h in hints if h.said), Fate())
    if not hint.said and (other := _namesake(request, context)):
        hint = Fate(f"; there is {other}")
    return replace(evidence(request, Verdict.REFUTED, ABSENT + hint.said), instead=hint.to)


def _left_behind(request: Request, context: Context) -> Evidence | None:
    """A relative link of a document that moved, and whose target did not move with it."""
    former = {old for old, new in context.gone.items() if new == request.path}
    origins = context.origins((request.path,)).get(request.path, {})
    former.update(o.path for o in origins.values() if o.path != request.path)
    for document in sorted(former):
        meant = _at(normpath(join(dirname(document), request.citation.raw)), context.tree)
        if meant:
            reason = f"the link was written in {document} and meant {meant}"
            return replace(evidence(request, Verdict.REFUTED, reason), instead=meant)
    return None


def _namesake(request: Request, context: Context) -> str:
    """The only file that ends as a path does that a memory document names in vain, or that has its
    name; empty if there are several, or if any project has a file of this name. One word such as
    `factory.ts` is no name of its own unless a folder is shared, too."""
    path = path_meant(request)
    if not looks_like_path(path) or is_generic(path) or is_made_at_run_time(dirname(path)):
        return ""
    memory = classify(context.config, request.path) is DocClass.MEMORY
    if "/" not in path or not (memory or has_parser(path)):
        return ""
    parts = path.split("/")
    tails = ("/".join(parts[n:]) for n in range(1, len(parts)))
    there = next((found for t in tails if (found := context.tree.ending_with(t))), [])
    if len(there) != 1 or _TEMPLATES.search(there[0]) or _is_short_for(path, there[0]):
        return ""
    shared = {*parts[:-1]} & {*there[0].split("/")[:-1]}
    named = _WORDS.search(parts[-1]) or not all(map(is_generic, shared))
    return there[0] if named else ""


def _is_short_for(path: str, whole: str) -> bool:
    """Whether a path is another way to write a file's: `shop/src/api.ts` in the repository shop,
    `Web/Api.cs` for `src/Shop.Web/Api.cs`."""
    parts, last = path.split("/"), whole.split("/")[-len(path.split("/")) :]
    abbreviated = all(r.endswith(p) for r, p in zip(last, parts, strict=False))
    return path.endswith(f"/{whole}") or (abbreviated and len(last) == len(parts))


def _not_here(request: Request, made: Container[Request], context: Context) -> str:
    """Why a file may be missing that a text says to be there; empty where it should not."""
    if is_sample(request.path, request.citation.raw, context, commands=False):
        return f"{ABSENT}; perhaps of a project that this document shows"
    if request in made:
        return f"{ABSENT}; code names it, perhaps as one of the project it is used in"
    planned = (
        "planned" in request.citation.around
        or _PLANS.search(request.path)
        or is_decision(context.config, request.path, context.tree)
        or tells_of_a_day(request.path)
    )
    return f"{ABSENT} yet, if it is planned" if planned else ""


def _of_elsewhere(request: Request, context: Context) -> str:
    """Why a text may speak of another tree, of an example or of what went; else empty."""
    citation = request.citation
    if "foreign" in citation.around or citation.cue == "foreign":
        return f"{ABSENT} here; perhaps of the other repository it speaks of"
    if citation.lines and not context.tree.has_kind(citation.raw):
        return f"{ABSENT}, and no other of its kind here; perhaps of another repository"
    if _PACKAGE.search(citation.raw):
        return f"{ABSENT} here; perhaps of an installed package"
    if citation.lines and tells_of_a_day(request.path):
        return f"{ABSENT}; this text records a day"
    if "example" in citation.around or _TEMPLATES.search(request.path):
        return f"{ABSENT}; perhaps an example"
    if not citation.link and (citation.cue == "gone" or "gone" in citation.around):
        return f"{ABSENT}, as it seems to say"
    return ""


def _moved_end(request: Request, context: Context) -> str:
    """Returns the file that this change removes or moves, if its path alone ends as a citation
    does: `verify/path.py` was found by its end before."""
    end = normpath(request.citation.raw)
    if request.citation.link or "/" not in end or end in context.gone:
        return ""
    found = [old for old in context.gone if old.endswith(f"/{end}")]
    return found[0] if len(found) == 1 else ""


def path_meant(request: Request) -> str:
    """The path from the root that a citation of no file means."""
    raw = request.citation.raw
    if request.citation.link or raw.startswith(_RELATIVE):
        return normpath(join(dirname(request.path), raw))
    return normpath(raw)
