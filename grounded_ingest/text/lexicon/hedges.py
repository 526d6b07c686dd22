"""Explains how the phrases of hedges are written, and has the parts that both hedge rules use. The
phrases are in `speculation.py` and `technical_hedges.py`. A phrase is a part of a regular
expression for lower-case text with straight apostrophes. `{name}` is replaced by the pattern `name`
in `SLOTS`. Text that a pattern in `PASSES` matches is not a hedge. Code, quotations and questions
are replaced by NUL before the search.

A row of a table is `words | phrase`, and an indented line continues a row. The words save time:
only texts with one of these words are searched for the phrase. A word has the letters a-z, or is ~
or ≈. `{hedge}` stands for HEDGE_WORDS. If the words have a ` + `, the text must contain one word
from each side. A phrase with the words `*` is always searched for.

To extend a group, add a phrase with its words, and examples in `grounded_ingest/rules/`."""

# A pattern in SLOTS may use the patterns before it.
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
"""The words that `{hedge}` stands for in the patterns."""

MESSAGES = {
    "own-guess": "The author is guessing.",
    "own-view": "The author gives an impression, not a fact.",
    "own-knowledge": "The author limits the statement to what they happen to know or remember.",
    "own-ignorance": "The author says they do not know.",
    "own-error": "The author says that the statement may be wrong.",
    "own-confidence": "The author is only fairly sure.",
    "suggestion": "This is a suggestion; nothing was decided.",
    "sentence-adverb": "The whole sentence is a guess.",
    "possibility": "The sentence says what could be, not what is.",
    "frequency": "The sentence says how often, but not when.",
    "likelihood": "The sentence says that something is likely, not that it is true.",
    "appearance": "The sentence says how something looks, not what it is.",
    "approximation": "The number is approximate.",
    "open-doubt": "The sentence says that a question is open.",
    "working-assumption": "The sentence rests on an assumption.",
}
