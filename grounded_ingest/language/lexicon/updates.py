"""Words for conflicting updates: numbers, dates, negations, and how a change is disclosed."""

from grounded_ingest.language.lexicon.number_words import MONTH

DATE_WORDS = "yesterday today"
NEGATIONS = "not no never neither nor without"
CONTRACTED = {
    "cannot": "can not", "can't": "can not", "won't": "will not", "isn't": "is not",
    "aren't": "are not", "wasn't": "was not", "weren't": "were not", "don't": "do not",
    "doesn't": "does not", "didn't": "did not", "hasn't": "has not", "haven't": "have not",
    "hadn't": "had not", "shouldn't": "should not", "wouldn't": "would not",
    "couldn't": "could not", "mustn't": "must not", "needn't": "need not",
}  # fmt: skip
NARRATIVE = "and then now next currently also finally first so"
DO_SUPPORT = "do does did"
DISCLOSURES = (
    r"\b(?:changed|updated|migrated|moved|switched|raised|lowered|increased|decreased|reduced|bumped|"
    r"upgraded|downgraded|renamed|went) from\b", r"\bpreviously\b", r"\bformerly\b", r"\bused to be\b",
    r"\bno longer\b", r"\bwas .{1,60}\b(?:is )?now\b", r"\bup from\b", r"\bdown from\b",
    r"\binstead of\b", r"\bsupersed", r"\breplac(?:es|ed|ing)\b", r"→|->", r"\bold(?:er)? value\b",
)  # fmt: skip
DATES = (
    r"\b(?:19|20)\d\d[-/.]\d{1,2}(?:[-/.]\d{1,2})?\b|\b\d{1,2}[./]\d{1,2}[./](?:19|20)?\d\d\b|"
    rf"\b(?:{MONTH})\.? (?:\d{{1,2}}(?:st|nd|rd|th)?,? ?)?(?:19|20)\d\d\b|"
    rf"\b\d{{1,2}}(?:st|nd|rd|th)? (?:{MONTH})\b|"
    r"\b(?:yesterday|today|last (?:week|month|year))\b"
)
