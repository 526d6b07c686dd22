"""Words of sentences that speak of how things were, or of how they change; and words that tell
nothing of what a sentence speaks of."""

PAST = (
    r"(?i)\b(?:old|older|legacy|former|formerly|previous|previously|original|originally|initially|"
    r"historical|historically|earlier|before|used to|was|were|had|existing|existed|moved?|moves|"
    r"moving|rename[ds]?|renaming|relocate[ds]?|migrat\w+|replace[ds]?|replacing|removed?|deleted?|"
    r"deprecated|superseded|instead of|no longer|anymore)\b|->|→|=>"
)

COMMON = "the and for are was were with from that this its has have see file line lines"

GONE = (
    r"(?i)\b(?:deleted|removed|no longer|obsolete|out of date|outdated|do(?:es)? not exist|"
    r"doesn't exist|don't exist|(?:is|are) (?:gone|stale))\b"
)
