"""Text like what people write: the project's own sentences, with other words in them.

Word salad, but with the lengths, function words, punctuation and word frequencies of real pages,
and different everywhere, so that nothing is a duplicate by accident.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Iterable, Iterator

_FENCE = re.compile(r"^(```|~~~).*?^\1|<!--.*?-->|\A---\n.*?^---$", re.MULTILINE | re.DOTALL)
_KEEP = re.compile(r"(```.*?```|`[^`\n]*`|\]\([^)]*\)|<[^>\n]*>|https?://\S+)", re.DOTALL)
_WORD = re.compile(r"(?<![\w./#@-])[a-z]{4,}(?![\w./@-])")
_NUMBER = re.compile(r"(?<![\w./#-])\d{2,3}(?![\w./-])")
_SENTENCE = re.compile(r"(?<=[.!])\s+(?=[A-Z])")
_PLAIN = re.compile(r"[A-Z][A-Za-z0-9 ,;'-]+\.")
_DOUBT = re.compile(
    r"\b(i|we|us|our|you|your|my|perhaps|maybe|may|might|could|would|should|seem\w*|think|guess\w*|"
    r"believ\w+|assum\w+|suspect\w*|suppos\w+|presum\w+|possib\w+|probab\w+|likely|unlikely|"
    r"apparent\w*|appear\w*|typical\w*|usual\w*|often|general\w*|normal\w*|sometimes|mostly|about|"
    r"around|rough\w*|approx\w*|almost|nearly|unclear|unknown|unverified|unsure|sure|uncertain\w*|"
    r"doubt\w*|ideas?|clue\w*|knows?|hope\w*|hypothe\w+|specul\w+|estimat\w*|expect\w*|certain\w*|adrs?|commits?|"
    r"replac\w+|supersed\w+|formerly|previous\w*|changed?)\b",
    re.IGNORECASE,
)
"""Words that make a claim a hedge, a suggestion or a citation: a claim here is none of these."""


def markdown_files(directory: str) -> list[str]:
    """Markdown files below a directory, by path; what begins with a dot is left out."""
    found = []
    for root, names, files in os.walk(directory):
        names[:] = sorted(n for n in names if not n.startswith("."))
        found += [f"{root}/{f}" for f in sorted(files) if f.endswith((".md", ".markdown"))]
    return found


class Prose:
    """Endless sentences and pages; the same ones for the same pages and seed."""

    def __init__(self, pages: Iterable[str], seed: int) -> None:
        self._random = random.Random(seed)
        texts = [_KEEP.sub(" ", _FENCE.sub("", page)) for page in pages]
        plain = sorted({s for text in texts for s in _sentences(text)})
        words = (w for text in texts for w in _WORD.findall(text))
        self._words = [w for w in words if not _DOUBT.search(w)]
        halves = [_halves(s) for s in plain]
        self._heads = [_WORD.split(head) for head, _ in halves]
        self._tails = [_WORD.split(tail) for _, tail in halves]

    def sentence(self) -> str:
        """A claim: 8 to 30 words that nobody doubts and that cite nothing."""
        head, tail = self._random.choice(self._heads), self._random.choice(self._tails)
        frame = [*head[:-1], f"{head[-1]} {tail[0]}", *tail[1:]]
        words = self._random.choices(self._words, k=len(frame) - 1)
        mixed = "".join(p for pair in zip(frame, words, strict=False) for p in pair) + frame[-1]
        return _NUMBER.sub(lambda _: str(self._random.randrange(10, 1000)), mixed)


def _halves(sentence: str) -> tuple[str, str]:
    words = sentence.split()
    middle = len(words) // 2
    return " ".join(words[:middle]), " ".join(words[middle:])


def _sentences(text: str) -> Iterator[str]:
    for block in re.split(r"\n\s*\n", text):
        joined = re.sub(r"\s+", " ", re.sub(r"^\s*[-*] ", "", block)).strip()
        for sentence in _SENTENCE.split(joined):
            few = not 8 <= len(sentence.split()) <= 30
            if not few and _PLAIN.fullmatch(sentence) and not _DOUBT.search(sentence):
                yield sentence


def project_pages(project: str) -> list[str]:
    """The texts of the project's own documentation."""
    pages = []
    for path in markdown_files(f"{project}/docs"):
        with open(path, encoding="utf-8") as file:
            pages.append(file.read())
    return pages
