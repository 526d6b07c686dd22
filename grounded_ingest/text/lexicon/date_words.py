"""Words of relative dates, and words that show that a sentence is valid until a date.

A date that only says how old a sentence is ("as of") does not end its validity."""

NAMED = {"the day before yesterday": -2, "the day after tomorrow": 2, "yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}  # fmt: skip

PARTS = ("morning", "afternoon", "evening", "night")

AMOUNTS = {"a couple of": 2, "a": 1, "an": 1}
"""Words for amounts that are not number words."""

UNTIL = (
    r"(?:\b(?:until|till)"
    r"|\b(?:valid|good|runs?|lasts?|effective|in (?:force|effect)|frozen|freeze|extends?|continues?|supported|maintained|funded|licensed|applies|apply)\b[^.;,]{0,24}\bthrough"
    r"|\b(?:expires?|expiring|expiry(?: date)?|expiration(?: date)?|lapses?)\b(?:\s+(?:is|on|in|at|after|date))?:?"
    r"|\bends?(?:\s+(?:on|in))?"
    r"|\b(?:will|must|shall|ha(?:s|ve) to|(?:is|are) to|needs? to|due|planned|scheduled|expected|targeted|deadline)\b[^.;]{0,60}\bby"
    r")[\s:*_(]*(?:the\s+)?(?:end of\s+|early\s+|late\s+|mid[- ])?(?:the\s+)?$"
)
"""Words right before a date on which the validity of a sentence ends."""

NOT_BOUND = r"(?i)\b(?:if|unless|e\.g\.|for example|for instance|example|such as|was|were|had|did|used to|originally|previously|ended|expired|postponed|extended (?:from|to))\b"
"""Matches words of sentences about a condition, an example or the past. The dates in such a
sentence do not end its validity."""

PAST_VERBS = "was were had did ran kept held went came took gave made stood lay hung stuck began wrote built sat said told read led left lost meant met paid sent sold shut slept spent thought taught understood used won wore saw got knew found fell grew drew drove chose broke brought bought bore became"
"""Irregular verbs in the past tense."""

SAYS_SO = r"(?i)\b(?:end[- ]of[- ]life|EOL|unsupported|supports?|supported|support for|drop(?:s|ped)?|tested|compatib\w+|matrix|newer|later|older|until|or|and)\b"
"""Matches words of sentences that mention the end of support themselves, or several versions."""
