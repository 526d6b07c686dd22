"""Verbs that make a text a statement."""

AUXILIARIES = (
    "is are was were be been isn't aren't wasn't weren't has have had hasn't haven't hadn't does do did doesn't don't didn't can cannot "
    "can't could couldn't will won't would wouldn't shall should shouldn't must mustn't may might needs need equals means"
)

# Verbs that in a heading can be a noun, an order or part of another verb.
UNSURE = "be been do need needs equals means"
# First words of headings that do not state anything.
SUBORDINATORS = "how why what when where who which whose whether if as that while because after before unless until once since to"

# Third person and past forms are derived: -s, -es, -ies, -ed, -d, -ied.
REGULAR = (
    "accept access add adopt allow append apply assert assume authenticate avoid await belong block bound build bundle bypass cache call "
    "cancel change check clean clear clone close collect commit compare compile complete configure confirm connect contain convert copy "
    "count cover crash create cut debounce declare decode default define delete deliver depend deploy deprecate describe detect determine "
    "disable discard display document download drop emit enable encode encrypt end enforce ensure exceed execute exist exit expect expire "
    "explain export expose extend extract fail fall fetch filter finish fix follow force format forward generate guarantee handle hash "
    "help host ignore implement import include increase index inherit init inject insert install invoke issue iterate join jump land last "
    "launch limit link list listen live load lock log look maintain manage map mark match maximize measure migrate minimize mock modify "
    "monitor mount move name notify offer omit open operate order output override own parse pass perform persist pin poll pop prefer "
    "prevent print process produce prohibit protect provide publish pull push query queue raise reach receive record redirect reduce refer "
    "reference refuse register reject release rely remain remove rename render replace report represent require reserve resolve respond "
    "restart restore restrict retain retry return reuse review rewrite roll rotate route sanitize save scale scan schedule scope search "
    "select serialize serve share ship show skip sort specify start state stay step stop store stream strip submit succeed support survive "
    "suspend switch sync target test throw time timeout toggle touch track transfer transform translate trigger trim turn type update "
    "upgrade upload use validate verify visit wait walk want warn watch work wrap yield believe guess suspect seem appear doubt expand "
    "continue contribute enhance improve introduce optimize simplify automate integrate calculate compute evaluate inspect analyze "
    "initialize propagate tolerate degrade"
)

IRREGULAR = (
    "run runs ran read reads write writes wrote written hold holds held keep keeps kept take takes took taken give gives gave given get "
    "gets got go goes went gone come comes came send sends sent set sets put puts let lets make makes made built begin begins began begun "
    "bind binds bound break breaks broke broken choose chooses chose chosen find finds found know knows knew known lead leads led leave "
    "leaves left lose loses lost pay pays paid say says said see sees saw seen sit sits sat speak speaks spoke stand stands stood tell "
    "tells told throw throws threw thrown understand understands understood win wins won spawn spawns spawned split splits hit hits cost "
    "costs fall falls fell hide hides hid hidden meets met mean meant shut shuts sleeps slept overrides overrode overridden think thinks "
    "thought feel feels felt"
)
