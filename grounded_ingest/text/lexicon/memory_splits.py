"""Words that join, in one claim, what is better stored apart."""

# First words of a second clause, by what it is to the first one; more words than one as a tuple.
JOINTS = {
    "so": "belief", "therefore": "belief", "thus": "belief", "hence": "belief", "deshalb": "belief", "which means": "belief",
    "which shows": "belief", "this means": "belief", "this shows": "belief", "that means": "belief", "because": "motive", "since": "motive",
    "weil": "motive", "porque": "motive",
}  # fmt: skip

PREFERRING = "prefer prefers preferred likes loves hates dislikes favours favors"

# Verbs of sentences that say how somebody came to a preference.
SHOWN = "said asked told complained switched changed chose rejected reverted insisted picked refused wrote mentioned"

# Second clauses that go on speaking of the first one's subject.
ANAPHORS = (
    "it its they their them this that these those he she his her which both each such same there "
    "one ones others another else otherwise then also so instead not no see use all any"
)
