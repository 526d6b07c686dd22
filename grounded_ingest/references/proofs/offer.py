"""Suggests assertions about a definition, a key or a script that a document can state, ready to
paste."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from grounded_ingest.code.assigned_values import AssignedValue, named, values_in
from grounded_ingest.code.data_values import DataValue, format_of, value_at
from grounded_ingest.code.definitions import definitions_in
from grounded_ingest.extract.assertions import assertions_in, keys_of
from grounded_ingest.git.trees import LARGEST, Tree, text_of
from grounded_ingest.model.claims import CitationKind, Decision, Verdict
from grounded_ingest.references.context import Context
from grounded_ingest.references.manifests import RUNNERS, manifests_of
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import printable

LONGEST = 80
"""Maximum number of characters of a literal in a suggested proof."""


def offers_at(path: str, name: str, tree: Tree) -> list[str]:
    """Returns the assertions that hold for a name in a file, or for all its names if `name` is
    empty. `name` may be a JSON pointer. Returns an empty list if there are none."""
    text = text_of(tree, path) if tree.size(path) <= LARGEST else None
    if text is None:
        return []
    if format_of(path):
        return _offers_of_key(path, text, name) if name else []
    values = sorted(values_in(path, text) or (), key=lambda v: v.line)
    wanted = named(values, name) if name else [v for v in values if not v.parameter]
    return [f"{path}::{said}" for v in wanted for said in _assertions(v) if not v.open]


def offers_about(path: str, name: str, tree: Tree) -> list[str]:
    """Returns the assertions for a definition without a value, such as a function: the defaults of
    its parameters, else its members, else where it is defined. Returns an empty list if the file
    does not define the name."""
    text = text_of(tree, path) if tree.size(path) <= LARGEST else None
    if text is None or not name:
        return []
    found = [f"{path}::{said}" for v in _parameters(path, text, name) for said in _assertions(v)]
    return found or list(_members(path, text, name))


def _members(path: str, text: str, name: str) -> Iterator[str]:
    held = [v for v in named(values_in(path, text) or (), name) if v.members and not v.open]
    for value in held:
        yield from (f"{path}::{name} has {member}" for member in value.members)
    if not held and any(d.qualified == name for d in definitions_in(path, text) or ()):
        yield f"`{name}` is defined in `{path}`"


def _parameters(path: str, text: str, function: str) -> Iterator[AssignedValue]:
    parts = function.split(".")
    for value in values_in(path, text) or ():
        if value.parameter and not value.open and [*value.owner[-len(parts) :]] == parts:
            yield value


def _offers_of_key(path: str, text: str, name: str) -> list[str]:
    pointer = name if name.startswith("/") else ""
    found = value_at(path, text, keys_of("" if pointer else name, pointer))
    if not isinstance(found, DataValue) or found.value is None or len(found.written) > LONGEST:
        return []
    place = f"{path}#{pointer}" if pointer else f"{path}::{name}"
    return [f"{place} = {found.written}"]


def _assertions(value: AssignedValue) -> Iterator[str]:
    name = ".".join((*value.owner, value.name))
    if value.parameter:
        name = f"{'.'.join(value.owner)}({value.name})"
    if value.value is not None and len(value.written) <= LONGEST and "\n" not in value.written:
        yield f"{name} = {value.written}"
    elif value.default is not None and value.default[0] in ("int", "text"):
        default = value.default[1]
        yield f"{name} default " + (f'"{default}"' if value.default[0] == "text" else str(default))


_ANSWERS = {
    "proof-failed": "denied", "proved": "proved", "quoted": "proved", "proof-new": "not landed",
    "proof-open": "open", "proof-beside": "says more",
}  # fmt: skip
"""Maps the rule that decides a claim to the answer for the claim's proof."""


def proof_row(decision: Decision, context: Context) -> dict[str, Any] | None:
    """Returns the line, the answer, the text and the reason for a claim that has a proof.

    If a claim has no proof but could have one, the answer is `offer`, and the text is what the
    claim could say. Returns None for other claims."""
    claim = decision.place.claim
    answer, text, reason = _ANSWERS.get(decision.rule, ""), claim.text, ""
    if answer:
        reason = "; ".join(e.reason for e in decision.own_evidence if e.reason)
    elif text := offer_for(decision, context):
        answer = "offer"
    else:
        return None
    texts = {"text": printable(text, 200), "reason": printable(reason, 200)}
    return {"line": claim.line, "answer": answer, **texts}


def offer_for(decision: Decision, context: Context, *, places: bool = True) -> str:
    """Returns what a claim could say to be proved: an assertion about a value that it names, or the
    recipe of a command. If `places` is true, also suggests where a name is defined. Returns an
    empty string if the claim has a proof, or if there is no suggestion."""
    claim = decision.place.claim
    if decision.rule != "cited" or any(assertions_in(claim.text)):
        return ""
    for evidence in decision.own_evidence:
        if evidence.verdict is not Verdict.CONFIRMED:
            continue
        said = _offer(evidence.kind, evidence.target, context)
        if said.rstrip(".") == claim.text.rstrip("."):  # the claim is this proof already
            return ""
        if said and (places or not _IS_PLACE.search(said)):
            return said
    return ""


_IS_PLACE = compiled(r"^`[^`]+` is defined in ")


def _offer(kind: CitationKind, target: str, context: Context) -> str:
    if kind is CitationKind.SYMBOL:
        path, _, name = target.partition("::")
        found = offers_at(path, name.replace("::", "."), context.tree)
        where = f"`{name}` is defined in `{path}`." if path and name else ""
        return f"`{found[0]}`" if len(found) == 1 else where
    if kind is CitationKind.COMMAND:
        return _recipe_offer(target, context)
    return ""


def _recipe_offer(target: str, context: Context) -> str:
    path, _, name = target.partition("#")
    manifests = manifests_of(context.tree)
    for program, runner in RUNNERS.items():
        if path.rpartition("/")[2] in runner.files:
            entry = manifests.offer(program, path).entries.get(name)
            if entry and entry.body and len(entry.body) <= LONGEST and "`" not in entry.body:
                call = (
                    f"{_package_manager(path, context.tree)} run" if program == "npm" else program
                )
                return f"`{call} {name}` runs `{entry.body}`." if "\n" not in entry.body else ""
    return ""


_LOCKS = {"pnpm-lock.yaml": "pnpm", "yarn.lock": "yarn", "bun.lock": "bun", "bun.lockb": "bun"}


def _package_manager(manifest: str, tree: Tree) -> str:
    """Returns the package manager whose lock file is beside the manifest or above it, or npm."""
    directory = manifest
    while directory:
        directory = directory.rpartition("/")[0]
        for lock, program in _LOCKS.items():
            if tree.has(f"{directory}/{lock}" if directory else lock):
                return program
    return "npm"
