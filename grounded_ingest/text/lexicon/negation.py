"""Words that deny, and phrases that hold one of them and deny nothing."""

DENIALS = "not no never neither nor none cannot without nothing nobody nowhere n't"
# Each an auxiliary with `n't`; what the auxiliary is where the rest does not tell.
CONTRACTIONS = (
    "isn't aren't wasn't weren't ain't don't doesn't didn't hasn't haven't hadn't shouldn't wouldn't couldn't mightn't mustn't needn't "
    "won't can't shan't"
)
AFFIRMED = {"cannot": "can", "can't": "can", "won't": "will", "shan't": "shall", "ain't": "is"}
# Denies how something is done, not that it is done.
ADVERBIAL = "without"
# What a sentence says without one of these is not its contrary.
UNSPECIFIC = "none nothing nobody nowhere without"
DENY_NOTHING = r"\b(?:not only|no longer than|no more than|no less than|no fewer than|not necessarily|if not|or not|not just|not merely|nothing but|no matter|no doubt|not to mention|cannot but|no longer just)\b"
