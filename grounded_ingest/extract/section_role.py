"""What a section is for, by its headings."""

from __future__ import annotations

from grounded_ingest.language.lexicon import memory_cues as lexicon
from grounded_ingest.language.patterns import compiled

_WORD = compiled(r"[^\W\d_][\w'’-]*")
_VERSION = compiled(r"^\W*(?:(?:version|release)\s+v?\d|v\d|\d+\.\d+\.\d)|^\[(?:v?\d|unrel)")
_ASIDE = compiled(r"`[^`]*`|\([^()]*[a-z][^()\d]*\)")
_DAY = compiled(
    r"(?:19|20)\d\d-[01]\d-[0-3]\d|\d\d?[./]\d\d?[./](?:19|20)\d\d|"
    r"\b(?:jan|feb|mar|apr|ma[yr]|mai|jun|jul|aug|sep|oct|nov|dec)\w*\.? "
    r"(?:\d\d?,? )?(?:19|20)\d\d"
)
_GROUPS = {
    word: group for group, words in reversed(lexicon.SECTIONS.items()) for word in words.split()
}


def section_cues(section: str) -> tuple[str, ...]:
    """Cues of a section's path of headings: `in …` of the last one, `under …` of those above."""
    titles = _ASIDE.sub(" ", section.lower()).split(" > ")
    found = dict.fromkeys(f"in {cue}" for cue in _title(titles[-1]))
    for title in titles[:-1]:
        found |= dict.fromkeys(f"under {cue}" for cue in _title(title))
    return tuple(found)


def _title(title: str) -> list[str]:
    cues = [group for word in _WORD.findall(title) if (group := _GROUPS.get(word))]
    if _VERSION.match(title):
        cues.append("version")
    if _DAY.search(title):
        cues.append("day")
    return cues
