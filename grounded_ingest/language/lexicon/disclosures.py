"""How a claim says what was so before: `was` in each pattern, and what stands in its place in the
claim as it would be without history. All are lower case; `now` is left out before."""

_MOVED = r"(?:changed|updated|migrated|moved|switched|raised|lowered|increased|decreased|reduced|bumped|upgraded|downgraded|went)"
_UNIT = r"(?: (?!to\b|and\b|is\b|are\b)[\w%]+)?"

PATTERNS = (
    (rf" (?:has |have |was |were |is |are )?(?:been )?{_MOVED} from (?P<was>\S+?){_UNIT} to (?=\S)", " is "),
    (rf"[,;]? *\(?(?:{_MOVED}|up|down) from (?P<was>[^\s,.;)]\S*?){_UNIT}\)?(?=[.,;)]?(?:\s|$))", ""),
    (rf"[,;]? *\(?(?:previously|formerly|it was|earlier) (?P<was>[^\s,.;)]\S*?){_UNIT}\)?(?=[.,;)]?(?:\s|$))", ""),
    (rf" (?:was|were) (?:previously )?(?P<was>\S+?){_UNIT},? (?:and |but )?(?=(?:is|are) )", " "),
    (rf"[,;]? *\(?(?:instead of|no longer|not) (?P<was>[^\s,.;)]\S*?){_UNIT}\)?(?=[.,;)]?(?:\s|$))", ""),
)  # fmt: skip

HINTS = (" from ", "previously", "formerly", "used to ", "no longer", " now", "instead", "replac", "supersed", "old", "→", "->")  # fmt: skip
"""One of these stands in every disclosure: a look at them is cheaper."""
