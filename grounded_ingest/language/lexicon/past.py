"""Words of sentences that speak of how things were, or of how they change; and words that tell
nothing of what a sentence speaks of."""

PAST = (
    r"(?i)\b(?:old|older|legacy|former|formerly|previous|previously|original|originally|initially|historical|historically|earlier|before"
    r"|used to|was|were|had|existing|existed|moved?|moves|moving|rename[ds]?|renaming|relocate[ds]?|migrat\w+|replace[ds]?|replacing"
    r"|removed?|deleted?|deprecated|superseded|instead of|no longer|anymore)\b|->|→|=>"
)

COMMON = "the and for are was were with from that this its has have see file line lines"

GONE = (
    r"(?i)\b(?:deleted|removed|no longer|obsolete|out of date|outdated|do(?:es)? not exist|doesn't exist|don't exist"
    r"|(?:is|are) (?:gone|stale)|(?:was|were|been) (?:squashed|folded|merged) into)\b"
)

# A sentence that removes what it names, right before or right after the name.
REMOVING = (
    r"(?i)\b(?:delet(?:e|es|ing|ion of)|remov(?:e|es|ing|al of)|drop(?:s|ping)?|retir(?:e|es|ing)|deprecat(?:e|es|ing|ion of)|legacy"
    r"|former)\W+(?:(?:the|old|legacy|file|files|folder|directory|module|script)\W+)*$"
)
REMOVED = (
    r"(?i)^\W*(?:(?:file|folder|directory|module|script)\W+)?(?:(?:is|are|was|were|gets?|will|to|"
    r"should|can|must|be|been|has|have|now)\W+){0,3}(?:deleted?|removed?|dropped|retired|renamed|"
    r"moved|replaced|superseded|gone)\b"
)

# A text that records a day: what it names had that name then.
DATED = r"\b(?:19|20)\d\d-[01]\d-[0-3]\d\b"
RECORD = (
    r"(?i)(?:^|/)(?:[\w.-]*[_.-])?(?:archived?|archives|changelogs?|history|retrospectives?)/|(?:^|/)(?:changelog|changes|history|release[-_]notes)\b[^/]*$"
    r"|(?:19|20)\d\d[-_]?[01]\d[-_]?[0-3]\d[^/]*$"
)
