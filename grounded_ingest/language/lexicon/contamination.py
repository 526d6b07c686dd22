"""Words by which a memory goes beyond its source, and by which a source tells of one event."""

from grounded_ingest.language.lexicon.number_words import MONTH, WEEKDAY

_ONE = r"(?:(?:commits?|issue|pr|source:?) +)?(?:`[^`\n]+`|\[[^\]\n]*\]\([^)\n]*\)|ADRs?[- ]?\d+\w*|#\d+|[0-9a-f]{7,40}|https?://[^\s)]+)"
_ALL = rf"(?:(?:see|per|cf\.?|from|source:|as of) +)?{_ONE}(?:(?: *[,;] *| +and +){_ONE}){{0,5}}"
BEHIND = rf"\({_ALL}\)[.!]?$"
POINTED = rf"[,;] (?:see|per) {_ALL}[.!]?$"
BEFORE = rf"^(?:as )?(?:per|according to|as stated in) {_ALL},"
"""Where a citation stands as the evidence of a whole sentence, rather than as part of what it says:
twice behind it, or before."""

NEEDS = {"POINTED": ("see ", "per "), "BEFORE": ("per ", "according to ", "as stated in ")}
"""What a text holds that a pattern of this name is found in."""

INFERRING = (
    r"(?:,? |^)(?P<marker>because(?: of)?|due to|owing to|thanks to|caused by|as a result of|since|in order to|so that"
    r"|to (?:avoid|prevent|ensure|save|satisfy|survive|comply|reduce|improve|support|simplify|allow|enable|keep|make|protect)(?= )"
    r"|for the sake of|out of|which was (?:requested|demanded|wanted|asked for) by)(?= )"
)
"""Behind one of these stands a cause or a motive."""

UNIVERSAL = (
    r"\b(?:always|never|every|all|any|each|without exception|in (?:all|every|any) cases?|"
    r"under (?:all|any) circumstances|everywhere|whenever|invariably|at all times)\b"
)
RESTRICTED = (
    r"\b(?:some|sometimes|may|might|can|could|often|usually|typically|occasionally|a few|several|"
    r"certain|most|mostly|except|unless|partly|optional|optionally)\b"
)

HABITUAL = (
    rf"\b(?:always|never|every (?:time|day|night|week|month|year|{WEEKDAY}|"
    r"release|deploy)|each time|whenever|usually|generally|typically|"
    r"regularly|tends? to|keeps? \w+ing|all the time|invariably)\b"
)
"""How a memory says that something happens again and again."""

ANCHORS = (
    r"\b(?:(?:on|of|at|since) (?:19|20)\d\d-\d\d(?:-\d\d)?|(?:19|20)\d\d-\d\d-\d\d|yesterday|today|"
    rf"last (?:night|week|month|year|{WEEKDAY})|"
    rf"this (?:morning|afternoon|evening|week)|on (?:{WEEKDAY})|"
    rf"(?:{WEEKDAY})(?: (?:morning|evening|night))|once|one time|"
    rf"for the first time|the other day|(?:on|of) \d{{1,2}} (?:{MONTH}))\b"
)
"""When a single event was."""

PAST = (
    r"\b(?:was|were|had|did|failed|broke|crashed|ran|lost|went|got|came|fixed|found|saw|took|chose|"
    r"reached|received|sent|rejected|expired|stopped|skipped|happened|occurred|dropped|hung|"
    r"timed out|moved|switched|changed|rejected|asked|complained|merged|split|restored|renewed|restarted|hit|noticed|reported|returned|refused|exhausted|filled|"
    r"deployed|shipped|decided|tried|used|moved|ended|began|started|blocked|delayed|missed|caught)\b"
)
LASTING = r"\b(?:is|are|has|have|does|do|must|shall|should|will|can|cannot|always|never|now|from now on)\b"
"""A sentence with one of these, in a source, states what holds."""

EXCEPTING = r"\b(?:except|unless)\b"

SUSPICIOUS = rf"(?:{UNIVERSAL})|(?:{HABITUAL})|(?:{INFERRING})"

MIXED = {
    "event": "an event and a belief drawn from it", "occurrence": "an occurrence and its motive",
    "preference": "a preference and the event that showed it", "subject": "two subjects",
}  # fmt: skip
"""Mixes that are said, by the first of their parts."""

TITLES = (
    "the a an of and for to in on with this our project tech technical active product system context brief patterns progress notes memory "
    "bank knowledge facts overview summary decisions decision log architecture design rules settings configuration config environment "
    "setup guide guidelines agents claude gemini instructions conventions stack status state current what how works docs documentation "
    "readme index limits service"
)
"""What documents are called, whatever they are about."""
