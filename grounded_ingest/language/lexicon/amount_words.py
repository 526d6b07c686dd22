"""Words before a number that say how it is meant, as regular expressions."""

LOWER_BOUND = r"more than|over|at least|no (?:less|fewer) than|greater than|exceed(?:s|ed|ing)?|above|minimum (?:of )?|min|>=?|upwards? of|or more"
UPPER_BOUND = r"up to|at most|no more than|less than|fewer than|under|below|within|maximum (?:of )?|max|<=?|limited to|capped at|limit(?: of)?"
ABOUT = (
    r"about|around|roughly|approximately|approx|nearly|almost|close to|some|circa|c|estimated|~|≈"
)
RELATIVE = r"before|after|by|until|till|since|prior to|early|late|mid|between|following|later than|earlier than|than|end of|beginning of|start of"
"""Before a date: when, but not on that date."""
