"""Words of sentences that speak of how things were, or of how they change."""

PAST = (
    r"(?i)\b(?:old|older|legacy|former|formerly|previous|previously|original|originally|initially|"
    r"historical|historically|earlier|before|used to|was|were|had|existing|existed|moved?|moves|"
    r"moving|rename[ds]?|renaming|relocate[ds]?|migrat\w+|replace[ds]?|replacing|removed?|deleted?|"
    r"deprecated|superseded|instead of|no longer|anymore)\b|->|→|=>"
)
