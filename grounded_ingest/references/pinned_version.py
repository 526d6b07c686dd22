"""Checks the versions of tools that a sentence states beside a file ("`scripts/tools.sh` installs
gosec v2.21.4") or that the project uses in CI and pre-commit ("the lint job uses gosec v2.21").

A version is wrong if the file, or all these configurations, give the tool exactly one other
version.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from posixpath import basename

from grounded_ingest.code.manifest_facts import numbers, tool_pins
from grounded_ingest.code.package_versions import VERSION_LISTING
from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import Citation, CitationKind, Claim, Verdict
from grounded_ingest.references.context import Request
from grounded_ingest.references.package_version import CASES, USES
from grounded_ingest.references.path_resolution import resolve_path
from grounded_ingest.references.reference import Reference, TreeAnswer
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.patterns import compiled

PINNED = "pinned"
_STATED = compiled(
    r"(?<![\w`@/.-])`?(?P<name>[A-Za-z][\w.-]*)`?(?: to version)?[ @]v?"
    r"(?P<version>\d+\.\d+\.\d+)(?![\w%]|\.\d)"
)
_BUILDING = compiled(
    r"(?<![\w./-])(?:Dockerfile|Containerfile|Makefile)(?![\w./-])",
    needs=("dockerfile", "containerfile", "makefile"),
)
_TOOL = compiled(
    r"(?<![\w`@/.-])`?(?P<name>[A-Za-z][\w-]+)`?(?: to)?[ @]v?"
    r"(?P<version>\d+\.\d+(?:\.\d+)?)(?![\w%.]*\d)"
)
_RUNS = compiled(
    r"(?i)\bCI\b|\b(?:lint|format|spell|type[- ]?check)|\b(?:jobs?|hooks?|workflows?|checks?)\b"
    r"|\bpre-commit\b"
)
"""Matches words for what CI and hooks run."""
_CI_DOES = compiled(
    r"\b(?:CI|[Ww]orkflows?|(?:tests?|lint|build|release|clippy|docs|check) jobs?) "
    r"(?:(?:now|currently|always) )?"
    r"(?:runs?|uses?|tests?|builds?|checks?|installs?|(?:is|are) pinned to)\b[^.;,]{0,40}$",
    needs=("ci ", "workflow", "job"),
)
"""Matches the text before what CI uses now: "the lint job uses "."""
_VERSION, _MAJOR = compiled(r"\d+\.\d+[\d.]*"), compiled(r"\d[\d.]*")
"""Match the version of a tool, and the tag of an action, which may be only a major version."""
_PRE_COMMIT, _MOST = ".pre-commit-config.yaml", 50
"""The configuration of pre-commit, and the maximum number of workflows that are read."""
_PROSE = (".md", ".mdx", ".rst", ".txt", ".adoc", ".lock")


def pinned_mentions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields one reference if the claim has exactly one version and one file that is not prose. A
    manifest needs a folder. `name` is the version, and `of` has the tool and the file."""
    stated = [*_STATED.finditer(claim.text)]
    files = [s.text for s in code_spans(claim.text) if looks_like_path(s.text)]
    files = files or [*{*_BUILDING.findall(claim.text)}]
    if len(stated) != 1 or len(files) != 1:
        return
    # A manifest without a folder, such as `requirements.txt`, is left to package_version.
    manifest = basename(files[0]) in VERSION_LISTING
    if (manifest and "/" in files[0]) or not (manifest or files[0].endswith(_PROSE)):
        found, of = stated[0], f"{PINNED} {stated[0]['name']} {files[0]}"
        yield Reference(CitationKind.VERSION, path, found["version"], *found.span("version"), of)


_ACTION = compiled(
    r"(?<![\w./@-])(?P<name>[\w.-]+/[\w.-]+)(?:@| at )v(?P<version>\d+(?:\.\d+)*)(?![\w-]|\.\d)",
    needs=("@v", " at v"),
)
"""Matches an action with its version: "actions/checkout@v4"."""


_CLAUSE = 100
"""Maximum number of characters that are read before a version."""


def is_of_ci(text: str, at: int) -> bool:
    """Returns whether a text says that CI uses now what stands at the offset `at`."""
    return _CI_DOES.search(text[max(0, at - _CLAUSE) : at]) is not None


def action_mentions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the versions of actions in a claim about CI. `of` has the action."""
    for m in _ACTION.finditer(claim.text):
        if is_of_ci(claim.text, m.start()):
            of = f"{PINNED} {m['name'].lower()}"
            yield Reference(CitationKind.VERSION, path, m["version"], *m.span("version"), of)


def tool_mentions(path: str, claim: Claim) -> Iterator[Reference]:
    """Yields the only version in a claim about a tool that CI or a hook runs. `of` has the tool."""
    about = USES.search(claim.text) and _RUNS.search(claim.text)
    stated = [*_TOOL.finditer(claim.text)] if about else []
    if len(stated) == 1 and not CASES.search(claim.text, 0, stated[0].start()):
        found, of = stated[0], f"{PINNED} {stated[0]['name'].lower()}"
        yield Reference(CitationKind.VERSION, path, found["version"], *found.span("version"), of)


def answer_pinned(asked: Reference, tree: Tree) -> TreeAnswer | None:
    """Compares a stated version with the file, or with the configurations of CI and pre-commit.
    Returns None if they do not name the tool with a version, or name several versions."""
    _, name, *files = asked.of.split(" ", 2)
    if not files:
        return _answer_tool(asked, name, tree)
    file = files[0]
    places = resolve_path(Request(asked.path, Citation(CitationKind.PATH, file)), tree)
    if len(places) != 1 or tree.size(places[0]) > LARGEST:
        return None
    written = (
        rf"(?i)(?<![\w-]){re.escape(name)}(?:[_-]?version)?(?![\w-])"
        r"[^\n]{0,160}?\bv?(\d+\.\d+\.\d+)(?![\w.])"
    )
    found = set(re.findall(written, text_of(tree, places[0]) or ""))
    target = f"{places[0]}#{name}"
    if asked.name in found:
        return TreeAnswer(Verdict.CONFIRMED, target)
    if len(found) != 1:
        return None
    reason = f"{places[0]} has {name} {found.pop()}, not {asked.name}"
    return TreeAnswer(Verdict.REFUTED, target, reason)


_USED = compiled(r"(?m)^[ -]*uses: *[\"']?([\w./-]+)@([\w.-]+)[\"']?(?: *# *(v?\d[\w.]*))?")
"""Matches a step of a workflow: the action, its tag and the version in a comment."""
_ID = compiled(r"[0-9a-f]{40}")


def _action_tags(workflow: str) -> Iterator[tuple[str, str]]:
    """Yields pairs of action and version from a workflow. The comment behind a commit id, as in
    `uses: a/b@1a2b3c # v4.1`, is the version."""
    for name, tag, comment in _USED.findall(workflow):
        yield name.lower(), comment if _ID.fullmatch(tag) else tag


def _actions(tree: Tree) -> list[str]:
    """Returns the actions of the tree, which its workflows can use."""
    return tree.below(".github/actions")[:_MOST]


def _answer_tool(asked: Reference, tool: str, tree: Tree) -> TreeAnswer | None:
    pins = _action_tags if "/" in tool else tool_pins
    pinned = {
        (path, version.lstrip("v"))
        for path in (_PRE_COMMIT, *tree.below(".github/workflows")[:_MOST], *_actions(tree))
        if tool in (text := text_of(tree, path) or "").lower()
        for name, version in pins(text)
        if name == tool
    }
    versions = {version for _, version in pinned}
    if len(versions) != 1 or not (_MAJOR if "/" in tool else _VERSION).fullmatch(min(versions)):
        return None
    path, version = min(pinned)
    claimed, target = numbers(asked.name), f"{path}#{tool}"
    if numbers(version)[: len(claimed)] == claimed:
        return TreeAnswer(Verdict.CONFIRMED, target, loose=True)
    return TreeAnswer(Verdict.REFUTED, target, f"{path} has {tool} {version}, not {asked.name}")
