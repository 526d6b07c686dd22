"""Words that limit or deny a statement, such as "only". In the lists, a hyphen means a space."""

DENYING = (
    "not no never neither nor none cannot without nothing nobody nowhere n't unless avoided prevented disallowed denied lack lacks lacking hardly barely "
    "scarcely seldom rarely false untrue wrong incorrect untouched unchanged unset disabled off stays-off refuses refuse fails fail except far-from stopped "
    "stops stop unlike missing absent ignores ignore ignored skips skip skipped excludes excluded exclude avoids avoid prevents prevent forbids forbidden "
    "instead rather"
)
"""Words that deny a statement."""

CHANGING = (
    "all every each any always whole entire everything everyone everywhere anything anyone whatever whichever regardless throughout universally entirely "
    "completely fully altogether totally only sole solely exclusively alone merely single just purely other others elsewhere different even although though "
    "despite even-if even-though whether-or-not most mostly majority largely mainly usually typically generally often any-one some sometimes several partly "
    "partially occasionally certain half must shall required requires require requiring mandatory obligatory obliged needs needed enforced enforces enforce "
    "has-to have-to may can could might optional optionally allowed allows allow able permitted permits if when whenever until while once provided "
    "otherwise else as-long-as in-case depending because therefore thus hence so-that due-to thanks-to owing-to in-order-to as-a-result formerly previously "
    "used-to no-longer anymore any-more earlier was were had originally initially deprecated obsolete superseded now nowadays since recently will would "
    "planned plan plans proposed propose proposes future eventually soon intended going-to shall-be todo tbd wants before prior ahead precedes preceding "
    "beforehand after afterwards following follows subsequently thereafter then later upon first firstly begins beginning starts last lastly finally final "
    "ends more exceeds exceed exceeding least greater longer larger higher minimum newer less fewer smaller shorter lower maximum older considered rejected "
    "reject rejects alternative alternatives discarded option options ruled-out dismissed abandoned"
)
"""Words that limit a statement, such as "mostly", "if" and "formerly"."""

POINTING = r"\b(?:more (?:details?|information|info|on|about)|further (?:details?|information)|(?:is |are )?(?:described|seen|set|found|shown|declared) in)\b"
NO_FORCE = r"\b(?:not only|not just|not merely|nothing but|no matter|no doubt|not necessarily)\b"
DISOWNS = (
    r"(?i)\b(?:no longer|not|none|never|nothing|untrue|false|wrong|incorrect|rejected|deprecated|obsolete|superseded|formerly|former|previously|historical"
    r"|opposite|discarded|abandoned|dismissed|planned|to ?do|proposed|proposals?|ideas|myths?|misconceptions|outdated|removed|alternatives?|wishlist|roadmap|backlog)\b"
)
POINTS_ON = r"(?i)\b(?:following|next|below|this sentence|what follows)\b"
POINTS_BACK = r"(?i)^\W*(?:this|that|it|these|those|they|the above|all (?:this|that)|none of (?:this|that|it|these))\b"
STATUS_HEADER = r"(?i)\b(?:status|state|true|truth|correct|valid|verified|holds|accurate|outcome|verdict|result|decision|still|current)\b"
NO_CELL = r"(?i)\W*(?:no|nope|not at all|untrue|failed)\W*$|\s*[✗✘❌✖]\ufe0f?\s*$"

TRIALS = r"(?i)(?:^|/)(?:tests?|specs?|evals?|__tests__|fixtures?|testdata|examples?|samples?|mocks?|__mocks__|demos?|snapshots)/|(?:^|/)test_[^/]*$|[._-](?:test|spec|example|sample|mock)\.[\w.]+$"
