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
NO_SLOTS = "thing things problem problems issue issues point points idea ideas reason reasons question questions answer way ways case cases fact facts example examples result results truth goal purpose difference advantage trick rule rules step steps next first last one most some note notes change changes bug bugs fix solution choice decision it this that there what all everything nothing kind sort type part lot rest weather"
ONE_OF_A_KIND = "database ci_cd cloud_provider frontend_framework backend_framework license auth payments package_manager message_queue cache web_server orm search_engine runtime vcs feature_flags secret_store email_service mobile_framework registry"
NAMING_RANKS = "primary main default current maximum max minimum min total overall preferred usual own chosen official"
COPULAS = "is are was were be am been being 's 're 'm"
# Nouns of what is counted, by their stems, as slots.
QUANTITIES_NOUNS = {
    "sibling": "siblings", "brother": "brothers", "sister": "sisters", "kid": "children", "child": "children",
    "language": "languages_spoken",
}  # fmt: skip
MORE_VERBS = (
    "live work enjoy love like know study graduate attend speak drive own earn teach learn play prefer hate dislike weigh grow marry join "
    "report suffer reside cost weigh rotate expire retry deploy host talk communicate authenticate licence license belong store persist "
    "rely depend default bind front proxy cap throttle ship launch run target purge retain hold sign encrypt hash cook travel hike swim "
    "paint mention infer report confirm explain serve remember recall "
)
VALUES_NOISE = "a an the of in and at for to my your our its about exactly"
VALUES_MEMBERS = "university univers universiti college colleg institute institut"
