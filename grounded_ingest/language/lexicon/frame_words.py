"""Small groups of words that the frames of `grounding` go by, one per use."""

CHUNKS_ENDS = "and or but while whereas which who whom that where when because so if since until unless after before than then also though although"
CHUNKS_MODIFIERS = (
    "about approximately around roughly up to at most exactly only over under nearly almost just below above least max min maximum minimum "
    "no more than less within ~ >= <= > < = ≥ ≤ ≈ - set currently now still up every once"
)
LABELS_MARKS = "fact pref preference note todo warning important tip example correction update remember memory key value"
LABELS_NO_LABELS = (
    "note warning caution example tip important todo fixme correction update remember hint "
    "see source reason why summary usage decision rationale context"
)
NAMING_RANKS = "primary main default current maximum max minimum min total overall preferred usual own chosen official"
COPULAS = "is are was were be am been being 's 're 'm"
PEOPLE_COPULAS = f"{COPULAS} became"
PREDICATES_BE = f"{COPULAS} equals equal remains remain becomes became"
PREDICATES_CHAIN = (
    "should must shall will can may has have had to set configured fixed capped limited called named now currently still at as by default "
    "defaults defaulted hardcoded hard- coded pinned specified defined chosen selected"
)
MERE = "only just more later longer less than"
QUANTITIES_LINKS = (
    "of is : = ( to at was set by default defaults - about approximately max - up are"
)
# Nouns of what is counted, by their stems, as slots.
QUANTITIES_NOUNS = {
    "sibl": "siblings", "sibling": "siblings", "brother": "brothers", "sister": "sisters", "kid": "children", "child": "children",
    "languag": "languages_spoken",
}  # fmt: skip
QUANTITIES_BOUNDS = ">= > = <= < ~ ^ == ≥ or v version or higher newer"
SEGMENTS_COPULAS = f"{COPULAS} equals"
SEGMENTS_MODALS = (
    "can could will would shall should must may might do does did has have had 've 'll 'd"
)
SEGMENTS_REPORTING = "mention say tell report not stat confirm infer claim explain remember recall"
SEGMENTS_NO_VERBS = "last like ci test port host"
TECHNOLOGY_RANKED = "our the all primary main its my your a an their this default every some"
TECHNOLOGY_FOR = "for as handles handling powers is are"
TECHNOLOGY_BY = "with via by on through using in from uses use is are : runs"
TOKENS_PAIRS = "and/or read/write client/server input/output on/off yes/no true/false he/she she/he either/or w/o he/him she/her they/them"
# Before a name of one letter; names that are English words, too, and what stands behind them as names.
TOKENS_LETTERS = "in use uses using and , or with"
TOKENS_WORDS = (
    "go make just next play move express react render split standard black square task fly bake"
)
TOKENS_BEHIND = "is version , and everywhere for"
MORE_VERBS = (
    "live work enjoy love like know study graduate attend speak drive own earn teach learn play prefer hate dislike weigh grow marry join "
    "report suffer reside cost weigh rotate expire retry deploy host talk communicate authenticate licence license belong store persist "
    "rely depend default bind front proxy cap throttle ship launch run target purge retain hold sign encrypt hash cook travel hike swim "
    "paint mention infer report confirm explain serve remember recall "
)
SEGMENTS_HEADS = "service app application team server project component module package"
SEGMENTS_PARTICIPLES = "born built made written known seen held set based raised given"
SEGMENTS_QUANTIFIERS = "many some several most both all few"
SEGMENTS_SUBORDINATORS = "when while if although though because as after before since"
PERSONS_SPEAKERS = "i me you myself yourself user"
PERSONS_MINE = "i my you your user user's users"
PERSONS_PRONOUNS = "he she him her himself herself who whom"
PERSONS_PLURAL_VERBS = "are were 're have 've do aren't weren't haven't don't"
VALUES_NOISE = "a an the of in and at for to my your our its about exactly"
VALUES_MEMBERS = "university univers universiti college colleg institute institut"
REFLEXIVES = "myself yourself himself herself themselves themself oneself"
