"""Hedges: how their words are written down, and what is said of them.

`speculation.py` and `technical_hedges.py` hold the words of the two rules in named groups. Before
each phrase stand words (runs of a-z, or ~ or ≈) of which every text with that phrase holds one, and
before a ` + ` one of others too; no words: it is always looked for. A phrase is a fragment of a
regular expression over lower-case text with straight apostrophes; `{name}` is a slot of `SLOTS`.
What one of `PASSES` covers is no hedge. Code, quotations and questions are blank (NUL) before any
of this is read.

To extend a group, add a phrase with its words, and examples in `grounded_ingest/rules/`.
"""

# Later slots may use earlier ones.
SLOTS = {
    # Where a clause with an elided "I am" or a sentence adverb can begin.
    "lead": r"(?:(?:and|but|so|or|also|though|however|hmm|well|still|then),? )?",
    "start": r"(?<=[.!?:;—–…] ){lead}",
    "elided": r"(?:(?<=[.!?:;,—–…(] )|(?<=[(—–])|(?<= - )|(?<= and )|(?<= but )|(?<= so )|(?<="
    r" though )|(?<= still )|(?<= honestly )|(?<= also ))",
    "not": r"(?: not|n't|nt| never)",
    "whether": r"(?:if|whether|why|how|what|which|where|when|who|about|that|it'?s|this|the|any)",
    "adverb": r"(?: (?:\w+ly|still|also|just|do|so|too|very|even|now|yet|quite|rather|at all|would"
    r"|'d|100%|kinda|(?:kind|sort) of|(?:tend|have|like|inclined) to|must admit i|all that|a bit|a"
    r" little|somewhat)){0,3}",
    "be": r"(?:'?m| am|'re| are|'ve been| have been| was| were)",
    "i": r"(?:i|we)(?:'d|'ll have to)?{adverb}",
    "pronoun": r"(?:it|this|that|there|they|we|he|she|these|those|the \w+)",
    "is": r"(?:'s|'re| is| are| was| were| will| would| might| could| should| can| may| has| have|"
    r" had| does| did| needs?| comes?| works?| got| gets?)",
    "number": r"(?:(?:[~≈<>$€£] ?)?\d[\w.,]*|(?:an? )?(?:half|third|quarter|dozen|hundred|thousand"
    r"|million|billion|couple|few|hour|minute|second|day|week|month|year)s?\b|(?:one|two|three"
    r"|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)\b)",
    "weigh": r"(?:think|guess|believe|suspect|suppose|reckon|imagine|presume|wager|bet)",
    "open": r"(?:unclear|unverified|untested|unconfirmed|undecided|undetermined|tbd|tbc|(?:not"
    r"|isn't|aren't) clear)",
    "doubt": r"(?:i (?:don't|do not) know|(?:i'?m )?(?:not sure|unsure)|(?:i )?could be wrong)",
    "hedge": r"(?:i |we )?(?:think|guess|believe|assume|suspect|maybe|perhaps|probably|likely|may"
    r"|might|could|typically|usually|often|generally|possibly|seems?|appears?|presumably|roughly"
    r"|approximately|unclear|not sure|unsure|afaik|iirc|tbd|speculate|hedge)",
}

HEDGE_WORDS = (
    "think guess believe assume suspect maybe perhaps probably likely may might could typically"
    " usually often generally possibly seem seems appear appears presumably roughly approximately"
    " unclear sure unsure afaik iirc tbd speculate hedge"
)
"""The words of the slot `hedge`."""

# Beginnings shared by many phrases of a group.
HEADS = ("i{adverb}", "(?:i|we){be}{adverb}", "(?:i|we)", "we{adverb}", "{elided}", "{start}", "(?:maybe|perhaps)")  # fmt: skip

MESSAGES = {
    "own-guess": "The author is guessing.",
    "own-view": "The author gives an impression, not a fact.",
    "own-knowledge": "The author limits this to what they happen to know or remember.",
    "own-ignorance": "The author says they do not know.",
    "own-error": "The author says this may be wrong.",
    "own-confidence": "The author is only fairly sure.",
    "suggestion": "This is a suggestion; nothing was decided.",
    "sentence-adverb": "The whole sentence is a guess.",
    "possibility": "It says what could be, not what is.",
    "frequency": "It says how often, but not when.",
    "likelihood": "It says that something is likely, not that it is so.",
    "appearance": "It says how something looks, not what it is.",
    "approximation": "The number is approximate.",
    "open-doubt": "It says that this is open.",
    "working-assumption": "It rests on an assumption.",
}
