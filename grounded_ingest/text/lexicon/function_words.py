"""English function words by their role in a sentence, and words that deny."""

SELF = "i me my mine myself you your yours yourself user user's users we us our ours ourselves"
PRONOUNS = "he him his she her hers they them their theirs it its himself herself themselves itself one who whom whose which that this these those there here what when where why how"
# Pronouns before a verb without an ending, and pronouns that can be a subject.
PLURAL_SUBJECTS = "i we you they"
SUBJECTS = f"{PLURAL_SUBJECTS} he she it"
DETERMINERS = "a an the this that these those my your our his her its their some any each every all both either no another such same"
PREPOSITIONS = (
    "in on at by for from to with without of off into onto over under above below between among through during before after since until till against about "
    "within across behind beyond near around along via per as than like unlike despite upon toward towards inside outside instead up down out plus except regarding"
)
CONJUNCTIONS = "and or but nor so yet because although though while whereas if unless then when whenever where wherever whether"
AUXILIARIES = (
    "be is are was were am been being 's 're 'm 've 'd 'll have has had having do does did done doing can could will would shall should must may might "
    "ought need needs let lets get gets got getting go goes went going gone keep keeps seem seems become becomes became"
)
ADVERBS = (
    "currently now today presently also too very just only even still already always never ever often usually mostly mainly primarily largely generally simply really quite rather "
    "actually basically currently recently lately originally initially previously formerly earlier later again once then there here well yes no yeah yep nope ok okay please sure "
    "therefore thus hence however moreover furthermore additionally finally overall indeed instead perhaps together respectively currently fully entirely completely directly "
    "exactly about approximately roughly nearly almost around over under more most less least much many few several lot lots bit some any else both everywhere anymore nowadays hardly apparently specifically namely e.g i.e etc hi hello hey thanks thank based afterwards meanwhile "
)
# Verbs and nouns without a meaning of their own beside their object.
LIGHT = (
    "use uses used using make makes made making take takes took taken give gives gave given put puts set sets say says said mention mentions mentioned state states stated note notes noted "
    "tell tells told know knows knew known see seen show shows shown mean means meant remember recall recalls according appears describe described name named names called call known want wants "
    "record records recorded information memory memories fact facts thing things something anything everything someone value values kind kinds type types sort sorts way ways part "
    "include includes included including involve involves provide provides provided happen happens based located situated serve serves act acts work works working run runs running "
    "confirm confirmed correct right report reports reported list listed lists detail details also currently current user users person people speaker i "
    "change changed changes moved move moves switched switch switches updated update updates upgraded promoted transferred migrated migrate formerly previously replaced replaces recent latest new newer old older up-to-date went relocated conflicting present earlier once past history "
)
# Words for the environment in which a statement is true.
SETTINGS = {
    "production": "production prod live", "staging": "staging stage stg preprod pre-production", "development": "development dev develop", "test": "test testing tests qa",
    "ci": "ci", "local": "local locally localhost", "demo": "demo sandbox", "preview": "preview", "canary": "canary", "beta": "beta", "mobile": "mobile", "desktop": "desktop", "web": "web",
    "ios": "ios iphone", "android": "android", "linux": "linux", "windows": "windows", "macos": "macos mac", "internal": "internal", "external": "external", "public": "public", "private": "private",
    "free": "free", "pro": "pro", "enterprise": "enterprise", "default": "default", "eu": "eu europe", "us": "us",
}  # fmt: skip
# Nouns for the project as a whole, and words of headings that do not name a part of the project.
WHOLE = "project app application system repo repository codebase team stack product platform software tool setup everything organisation organization program site website code library package company we architecture this it"
HEADINGS = (
    "overview configuration config settings setup introduction notes note architecture tech technical technology technologies stack context summary general about background details facts memory memories "
    "project status progress decisions decision guidelines guide reference information active system key important current usage development misc other environment requirements the and of for to in our my preferences user"
)

DENIALS = "not no never neither nor none cannot without nothing nobody nowhere n't"
# Auxiliaries with `n't`, and the irregular ones with their auxiliary ("won't" is "will").
CONTRACTIONS = (
    "isn't aren't wasn't weren't ain't don't doesn't didn't hasn't haven't hadn't shouldn't wouldn't couldn't mightn't mustn't needn't "
    "won't can't shan't"
)
AFFIRMED = {"cannot": "can", "can't": "can", "won't": "will", "shan't": "shall", "ain't": "is"}
# These words deny only the manner: "starts without a network" says that it starts.
ADVERBIAL = "without"
# A sentence without one of these words does not become its opposite.
UNSPECIFIC = "none nothing nobody nowhere without"
DENY_NOTHING = r"\b(?:not only|no longer than|no more than|no less than|no fewer than|not necessarily|if not|or not|not just|not merely|nothing but|no matter|no doubt|not to mention|cannot but|no longer just)\b"
