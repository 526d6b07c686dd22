"""Recipes of a justfile. https://just.systems/man/en/grammar.html"""

from __future__ import annotations

from grounded_ingest.code.offers import Entry, Include, Offer
from grounded_ingest.text.patterns import compiled

_STRING = compiled(r"\"(?:[^\"\\]|\\.)*\"|'[^']*'|`[^`]*`|\([^()]*\)")
_LONGEST = 2_000
"""Characters of the longest line that is read: quotes in one are looked for from each of them."""
_RECIPE = compiled(r"^@?([A-Za-z_][\w-]*)(?:\s[^:]*)?:(?!=)")
_ALIAS = compiled(r"^alias\s+([A-Za-z_][\w-]*)\s*:=\s*([\w:-]+)")
_IMPORT = compiled(r"^import(\?)?\s+['\"]([^'\"]+)['\"]")
_MODULE = compiled(r"^mod(\?)?\s+([A-Za-z_][\w-]*)(?:\s+['\"]([^'\"]+)['\"])?\s*(?:#.*)?$")
_FALLBACK = compiled(r"^set\s+fallback(?:\s*:=\s*true)?\s*$")


def just_recipes(text: str) -> Offer:
    entries: dict[str, Entry] = {}
    includes: list[Include] = []
    whole = True
    rows = text.replace("\r\n", "\n").split("\n")
    for at, line in enumerate(rows):
        if not line[:1].strip() or line.startswith(("#", "[")):
            continue
        if len(line) > _LONGEST:
            whole = False
            continue
        if found := _ALIAS.match(line):
            entries[found[1]] = Entry(at + 1, found[2])
        elif found := _IMPORT.match(line):
            includes.append(Include(found[2], "", bool(found[1])))
        elif found := _MODULE.match(line):
            path = found[3] or f"{found[2]}.just"
            includes.append(Include(path, f"{found[2]}::", bool(found[1])))
        elif _FALLBACK.match(line):
            whole = False
        elif found := _RECIPE.match(_STRING.sub("_", line).partition("#")[0]):
            entries.setdefault(found[1], Entry(at + 1, _body(rows, at + 1)))
    return Offer(entries, whole, (), tuple(includes))


def _body(rows: list[str], at: int) -> str:
    end = at
    while end < len(rows) and (rows[end][:1] in (" ", "\t") or not rows[end].strip()):
        end += 1
    return "\n".join(row.strip() for row in rows[at:end]).strip()
