"""Checks `package` references: packages in install commands and technology tables.

A package is right if a manifest lists the package. A package is never wrong, because packages
installed beside the project are not in any manifest.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from posixpath import dirname

from grounded_ingest.code.command_lines import Word, commands, is_placeholder
from grounded_ingest.code.manifest_facts import LISTING, ecosystem, normal_name
from grounded_ingest.model.claims import CitationKind, Claim, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifests import MOST, Manifests, manifests_of
from grounded_ingest.references.reference import Answers, Reference, TreeAnswer
from grounded_ingest.text.code_spans import code_spans
from grounded_ingest.text.lexicon import manifest_words as words_of
from grounded_ingest.text.patterns import compiled

KIND = CitationKind.PACKAGE

_INSTALL = {
    ("npm", "install"): "node", ("npm", "i"): "node", ("npm", "add"): "node",
    ("pnpm", "add"): "node",
    ("pnpm", "install"): "node", ("yarn", "add"): "node", ("bun", "add"): "node",
    ("pip", "install"): "python", ("pip3", "install"): "python", ("uv", "add"): "python",
    ("poetry", "add"): "python", ("pdm", "add"): "python", ("cargo", "add"): "rust",
    ("go", "get"): "go", ("gem", "install"): "ruby", ("bundle", "add"): "ruby",
    ("composer", "require"): "php",
}  # fmt: skip
_USES = compiled(words_of.USES)
_GLOBAL = (
    "-g", "--global", "--user", "-r", "--requirement", "-e", "--editable", "--index-url", "-c",
)  # fmt: skip
"""Options of install commands that do not add the package to a manifest."""
_NAME = compiled(r"(@?[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*)(?:\[[\w,-]+\])?(?:(?:[=<>~!^]=?|@).*)?")
_BARE = compiled(r"@?[a-z0-9][\w.-]*(?:/[\w.-]+)*")


def mentions(path: str, claim: Claim) -> Sequence[Reference]:
    """Returns the packages that a claim installs or says to use."""
    if "`" not in claim.text:
        return ()
    uses = _USES.search(claim.masked) or _USES.search(claim.section)
    found: list[Reference] = []
    for span in code_spans(claim.text):
        if " " in span.text:
            found += packages_in(path, span.text, span.start)
        elif uses and _BARE.fullmatch(span.text) and not is_placeholder(span.text):
            end = span.start + len(span.text)
            found.append(Reference(KIND, path, span.text, span.start, end, "uses"))
    return found


def packages_in(path: str, line: str, start: int) -> Iterator[Reference]:
    """Yields the packages that a command line installs."""
    for command in commands(line):
        words = [w for w in command.words if w.text not in ("uv", "python", "python3", "-m")]
        words = list(command.words) if words[:1] == [] or words[0].text == "add" else words
        of = _INSTALL.get((words[0].text, words[1].text)) if len(words) > 2 else None
        if of and not any(w.text in _GLOBAL for w in words):
            yield from _references(path, words[2:], of, start)


def _references(path: str, words: Sequence[Word], of: str, start: int) -> Iterator[Reference]:
    for word in words:
        named = _NAME.fullmatch(word.text)
        if named and not is_placeholder(word.text) and not word.text.startswith((".", "/")):
            yield Reference(KIND, path, named[1], start + word.start, start + word.end, of)


def answers(asked: Sequence[Reference], context: Context) -> Answers:
    """Looks up packages in the manifests of the tree. Returns a result for each package that a
    manifest lists."""
    manifests = manifests_of(context.tree)
    return {r: answer for r in asked if (answer := _answer(r, manifests))}


def _manifests_for(asked: Reference, manifests: Manifests) -> list[str]:
    """Returns the manifests that may list a package. Any manifest may list a package from an
    install command. Only the manifests nearest to the document may list a package that the text
    says to use."""
    if asked.of != "uses":
        return manifests.everywhere(LISTING)[:MOST]
    here = dirname(asked.path)
    return [path for name in LISTING for path in manifests.nearest((name,), here)]


def _answer(asked: Reference, manifests: Manifests) -> TreeAnswer | None:
    any_of = asked.of == "uses"
    known = False
    for path in _manifests_for(asked, manifests):
        of = ecosystem(path)
        if not any_of and of != asked.of:
            continue
        known = True
        if normal_name(asked.name, of) in manifests.packages(path):
            return TreeAnswer(Verdict.CONFIRMED, f"{path}#{asked.name}")
    if any_of or not known:
        return None
    return TreeAnswer(Verdict.UNKNOWN, asked.name, "no manifest in this tree lists the package")
