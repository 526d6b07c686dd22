"""Words of headings, lead-ins and labels that mark the text below them as open.

A label is a noun phrase ("Open questions", "Working hypotheses for the crash"), a state ("TBD",
"Not verified yet"), or a clause without a main verb ("What I'm still uncertain about"). A label
asserts nothing itself, so "I think:" and "Not sure if it is shared" are not labels."""

NOUNS = (
    r"questions|open question|unknowns?|uncertaint(?:y|ies)|doubts?|hypothes[ei]s|assumptions?|speculations?"
    r"|guess(?:es|work)?|risks?|concerns?|tbd|tbc|ideas?|suggestions?|proposals?|caveats?|limitations?"
    r"|predictions?|(?:open|unresolved|outstanding) (?:point|issue|problem|decision|item)s?|low confidence"
)
STATES = (
    r"(?:still |currently )?(?:open|unsure|unresolved|unanswered|undecided|unclear|unverified|unconfirmed"
    r"|untested|uncertain|unknown|speculative|tentative|provisional)"
    r"|not (?:yet )?(?:sure|certain|clear|verified|confirmed|decided|tested)"
    r"|to be (?:determined|decided|confirmed|verified)|needs? (?:verification|confirmation)"
)
CLAUSES = (
    r"(?:what|where|things?|points?) (?!.*\b(?:is|are|was|were)\b).{0,60}"
    r"(?:(?:\bnot|n't)(?: \w+){0,2} (?:know|sure|verified|confirmed|tested|understand|figure out|establish)"
    r"|\b(?:unsure|uncertain|unclear|unknown|assume|suspect|be wrong))(?:\W+\w+){0,4}$"
)
# Words before the noun that turn the noun phrase into a clause, or deny it.
BREAKERS = (
    "no|not|zero|without|none|never|resolved|closed|answered|settled|decided|verified|confirmed|validated|tested"
    "|former|past|how|why|when|who|what|where|if|whether|of|to|for|in|on|at|with|from|by|i|we|you|it|they|this|that"
    "|is|are|was|were|be|do|does|has|have|can|could|will|would|must|should|think|ask|answer|test|check|avoid|list"
    "|resolve|document|track|make|handling|reducing|asked|asking|answering|cross-cutting|mitigated"
)
END = r"$|[,:;.(/&+—–|]| [—–(/&+-]"
"""What follows a label."""
TAILS = r" (?:and|or|for|about|of|on|in|to|that|we|i|raised|recorded|remaining|left|register)\b"
"""The rest of a noun phrase."""
SETTLED = r"\b(?:no longer|answer(?:s|ed)|resolved|closed|settled|verified in)\b"
"""Words that show that the text below the label is no longer open."""
