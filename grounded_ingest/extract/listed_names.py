"""Finds lists and tables of file names below a text that names their directory, such as a list of
`users.ts` and other files below the heading "## Routes (`src/routes/`)". The list is read like a
drawn file tree whose root is the named directory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from grounded_ingest.extract.citations import looks_like_path
from grounded_ingest.extract.code_blocks import DrawnEntry, DrawnTree
from grounded_ingest.model.claims import CitationKind, Claim, Extraction, Form
from grounded_ingest.text.lexicon import drawn_words as words
from grounded_ingest.text.patterns import compiled

_DIRECTORY = compiled(r"`([^`\s]*/[^`\s]*)`|(?<![\w`/.@-])((?:[\w.@-]+/)+)(?![\w`])")
_LABEL = compiled(words.DIRECTORY_LABEL)
_FEWEST = 2
"""Minimum number of names in a list."""


def listed_trees(extraction: Extraction) -> Iterator[DrawnTree]:
    """Yields the lists and tables of names that may be files. Their `homes` are the directories
    named in headings, labels and the introducing paragraph, the outermost first."""
    labels: dict[str, str] = {}
    groups = groupby(extraction.claims, lambda c: (c.section, c.block, c.table))
    for (section, _, _), group in groups:
        labels = {s: d for s, d in labels.items() if f"{section} > ".startswith(f"{s} > ")}
        claims = list(group)
        if label := _LABEL.match(claims[0].text):
            labels[section] = label[1]
        entries = tuple(e for claim in claims for e in _entries(claim))
        if len(entries) < _FEWEST:
            continue
        around = extraction.context(claims[0])
        lead = next((text for kind, text in reversed(around) if kind == "lead-in"), "")
        over = " ".join(text for _, text in around)
        homes = _homes(section, labels, lead)
        yield DrawnTree("", entries[0].line, entries, section, over, homes)


def directories_in(text: str) -> list[str]:
    """Returns the paths in a text that may be directories: code with a slash, and words that end in
    a slash."""
    return [code or bare for code, bare in _DIRECTORY.findall(text)]


def _homes(section: str, labels: dict[str, str], lead: str) -> tuple[str, ...]:
    found: list[str] = []
    titles = section.split(" > ")
    for depth, title in enumerate(titles, 1):
        found = _within(found, directories_in(title))
        label = labels.get(" > ".join(titles[:depth]))
        found = _within(found, [label] if label else [])
    if lead.endswith(":"):
        found = _within(found, directories_in(lead))
    return tuple(found)


def _within(homes: Sequence[str], named: Sequence[str]) -> list[str]:
    """Returns `homes` and the directory that a text names. Returns an empty list if the text names
    a file or several paths."""
    if not named:
        return list(homes)
    return [*homes, *named] if len(named) == 1 and not looks_like_path(named[0]) else []


def _entries(claim: Claim) -> Iterator[DrawnEntry]:
    """Yields the file name at the start of each list item, or in each table cell that contains
    nothing else."""
    for citation in claim.citations:
        raw, code = citation.raw, f"`{citation.raw}`"
        sure = citation.kind is CitationKind.PATH and citation.own and not citation.cue
        named = looks_like_path(raw) or raw.endswith("/")
        plain = not (citation.lines or citation.link or citation.anchor or citation.around)
        if not (sure and named and plain) or raw[0] in "./~@$":
            continue
        if claim.form is Form.ROW:
            alone = f": {code};" in f"{claim.text};"
        else:
            alone = claim.depth == 1 and claim.text.startswith(code)
        if alone:
            yield DrawnEntry(raw, claim.line, claim.text.replace(code, ""))
            return
