"""Words for conflicting updates beside those of `number_words`, and how a change is disclosed."""

DO_SUPPORT = "do does did"
DISCLOSURES = (
    r"\b(?:changed|updated|migrated|moved|switched|raised|lowered|increased|decreased|reduced|bumped|"
    r"upgraded|downgraded|renamed|went) from\b", r"\bpreviously\b", r"\bformerly\b", r"\bused to be\b",
    r"\bno longer\b", r"\bwas .{1,60}\b(?:is )?now\b", r"\bup from\b", r"\bdown from\b",
    r"\binstead of\b", r"\bsupersed", r"\breplac(?:es|ed|ing)\b", r"→|->", r"\bold(?:er)? value\b",
)  # fmt: skip
RELATIVE_DATES = r"\b(?:yesterday|today|last (?:week|month|year))\b"
