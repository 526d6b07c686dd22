"""Words by which a claim is compared with its source. Groups are written as words, endings aside."""

# A claim that holds nothing else only points: "Fixed in commit …", "See ADR-3 for details."
POINTERS = (
    "see also cf ref refs reference references source sources per via issue pr pull request commit commits adr adrs decision decisions "
    "fix fixed fixes implement implemented implements close closed closes resolve resolved resolves land landed merge merged "
    "track tracked document documented documents describe described describes record recorded detail details more info "
    "information background rationale context related link links read refer discuss discussed explain explained done here full "
    "above below file files line lines code page follow up further complete completed ship shipped status doc docs introduce introduced example examples decided decide addendum learn read found find guide section appendix provided available rationale design view viewed visit consult superseded supersedes obsoletes obsoleted amends amended following"
)
# What says little by itself in a repository; counts less than other words.
GENERIC = (
    "file code function method module class test value system service application project implementation component feature support change update "
    "add new set get create handle process result option default type name call data user logic layer step section item list object key field "
    "implement implemented implements come came current existing single different specific first last per via version release new old full main several various based"
)
# Other words of one thing, beside `synonyms`: short forms that code is written in, and what acts say.
CODE_GROUPS = (
    "cfg conf config configuration settings setting", "msg message", "req request", "resp res response", "ctx context", "db database",
    "auth authenticate authentication", "init initialise initialize initialization initial start", "env environment", "var variable",
    "param parameter arg argument args", "fn func function def", "dir directory folder", "max maximum most limit cap upper",
    "min minimum least lower floor", "num number count", "len length size", "ttl live expire lifetime age", "idx index",
    "tmp temp temporary", "prev previous", "cur current", "err error exc exception failure fail", "raise throw", "str string",
    "int integer", "bool boolean flag", "deque queue", "enqueue push append add put insert", "dequeue pop remove take", "mem memory",
    "conn connection", "addr address", "pkg package", "repo repository", "util helper utility", "calc calculate compute", "gen generate",
    "impl implement implementation", "info information", "lang language", "lib library", "mgr manager", "obj object", "perm permission",
    "pos position", "pwd password", "ref reference", "rel relative", "rm remove delete drop", "sec second", "spec specification",
    "src source", "sync synchronise synchronize", "sys system", "val value", "ver version", "warn warning", "app application",
    "async asynchronous", "attr attribute", "btn button", "char character", "cmd command", "col column", "dep dependency",
    "dest destination target", "dev development", "dict map mapping table", "doc docs document documentation", "elem element",
    "exec execute run", "expr expression", "ext extension", "iter iterate iteration loop", "lock mutex", "proc process", "prod production",
    "regex pattern", "sched schedule", "stat stats statistics", "stmt statement", "struct structure", "sub subscribe subscription",
    "tx transaction", "tok token", "ui interface", "url link", "usr user", "ws websocket", "thread threads worker",
    "replica replicas instance instances", "parse parser parsing", "reject refuse deny block forbid", "reuse share shared",
    "choice choose chosen chose decision decide decided", "come add added introduce", "rename move moved renamed", "wrap wrapper",
    "bump upgrade raise", "introduce add create", "drop remove delete eliminate", "replace swap supersede", "skip ignore bypass omit",
    "ensure guarantee enforce", "prevent avoid", "handle process", "emit print output write", "read load parse open", "call invoke",
    "return yield give answer", "contain hold include", "define declare name", "keep retain persist store", "fall fallback default",
    "select choose pick", "adopt choose use", "wait sleep delay block", "match compare equal", "clone copy", "trigger fire start",
    "cover test check", "gate guard check", "bound bounded limit",
)  # fmt: skip
# Opposites that `wordnet` lacks, or has in one form of the word alone.
OPPOSITES = (
    ("required mandatory", "optional"),
    (
        "allow allows allowed permit permits permitted",
        "forbid forbids forbidden prohibit prohibits prohibited deny denies denied disallow disallowed",
    ),
    ("always", "never sometimes"), ("synchronous synchronously", "asynchronous asynchronously"), ("before", "after"),
    ("increase increases increased", "decrease decreases decreased reduce reduces reduced"), ("mutable", "immutable"),
    ("minimum min", "maximum max"), ("success succeeds succeeded", "failure fails failed"), ("born", "died"),
    ("oldest eldest", "youngest"), ("north northern", "south southern"), ("east eastern", "west western"),
    ("largest biggest", "smallest"), ("highest", "lowest"),
)  # fmt: skip
# What denies in code, or in the words code is named by.
CODE_DENIALS = "not none null nil false no without never raise throw error reject deny forbid skip ignore disable disabled exclude fail non un missing only unless except return panic bail err abort"
CUTS = r"[,;]?\s\(?(?:but(?! also)|unless|except(?: (?:for|when|that|where|if))?|other than|only (?:if|when|where)|provided that|as long as)\b"
# What sets a thing apart without a denial.
APART = r"\b(?:rather than|instead|unlike|before|unless|except|apart from|as opposed to|in place of|lacks?|fails?|refuses?|until|too|barely|hardly|seldom|if|when|whether|only)\b"
LOWER_BOUND = "more than|over|at least|no (?:less|fewer) than|greater than|exceed(?:s|ed|ing)?|above|minimum (?:of )?|min|>=?|upwards? of|or more"
UPPER_BOUND = "up to|at most|no more than|less than|fewer than|under|below|within|maximum (?:of )?|max|<=?|limited to|capped at|limit(?: of)?"
ABOUT = (
    "about|around|roughly|approximately|approx|nearly|almost|close to|some|circa|c|estimated|~|≈"
)
# Headings and openings of what a decision record weighs and does not choose.
ASIDES = r"\b(?:alternatives?|options?|considered|rejected|pros and cons|pros|cons|discarded|not chosen|non-goals?|out of scope|open questions?|problem|before)\b"
ASIDE_WORDS = "alternative alternatives option options consider considered reject rejected instead over chosen choose chose problem"
CHOSEN = r"\b(?:chosen|decision|selected|outcome)\b"
# Endings of words that are taken off for their root, longest first.
ENDINGS = "icat ifications ization isation ications ication ations ation ments ment ness ities ity ances ance ences ence ators ator ers or er ions ion ally ly als al ives ive ables able ible ants ant ents ent ized ised izes ises izing ising ize ise ies y es ed ing s ful less ic"
"""Left of a root: at least four letters."""
WEAK_NAMES = "API APIs CLI UI URL URLs ID IDs OS CI CD I OK TODO NOTE ADR ADRs PR PRs MUST NOT SHALL MAY SHOULD REQUIRED OPTIONAL YES NO AND OR IF ALL"
RELATIVE = "before|after|by|until|till|since|prior to|early|late|mid|between|following|later than|earlier than|than|end of|beginning of|start of"
"""Words before a date that say when, but not that date."""
PROSE_GROUPS = (
    "die died death dead pass passed deceased", "born birth birthdate", "film movie picture motion", "book novel",
    "win won victory award awarded receive received", "president presidency", "married marriage wed",
    "people population inhabitants residents", "release released publish published premiere premiered debut issued",
    "begin began start started commence", "country nation state", "largest biggest", "city town", "found founded establish established set",
    "song single track", "team club", "play played career", "kill killed murder murdered", "write wrote author written",
    "king monarch ruler reign reigned", "son child daughter children kids", "locate located situated",
    "raise raised increase increased rise rose grow grew", "reduce reduced decrease lower lowered decline declined drop fell fall",
    "cause causes lead leads result results", "help helps aid assist support supports",
    "important crucial essential vital key significant critical", "treat treatment therapy",
    "show shows demonstrate demonstrates indicate indicates suggest suggests find found finding", "doctor physician",
    "improve improves enhance enhances better boost", "affect affects impact impacts influence influences effect effects",
    "involve involves include includes contain contains comprise comprises", "cost costs price prices expense", "risk risks danger hazard",
    "benefit benefits advantage advantages", "challenge challenges difficulty problem problems issue issues", "patient patients",
    "law legislation statute act", "need needs require requires necessary", "allow allows enable enables permit",
    "method methods technique techniques approach approaches way", "study studies research", "company companies firm business businesses",
    "prevent prevents avoid avoids", "various different several many multiple numerous",
    "common commonly frequent frequently typical typically",
)  # fmt: skip
# Verbs of two words, as the noun that code is named by.
VERB_NOUNS = {
    r"\btim(?:es?|ed|ing) out\b": "timeout", r"\blog(?:s|ged|ging)? in\b": "login", r"\bset(?:s|ting)? up\b": "setup",
    r"\bback(?:s|ed|ing)? up\b": "backup", r"\broll(?:s|ed|ing)? back\b": "rollback", r"\bshut(?:s|ting)? down\b": "shutdown",
    r"\bstart(?:s|ed|ing)? up\b": "startup", r"\bfall(?:s|ing)? back\b": "fallback", r"\bclean(?:s|ed|ing)? up\b": "cleanup",
}  # fmt: skip
# Kinds of technology that data is kept in, one instead of another.
STORES = "database vector_store cache search_engine message_queue object_storage"
# Files that are named by their folder.
NAMELESS = "index readme main mod lib __init__ default _index"
# Endings by which a dotted name is a file.
EXTENSIONS = "py rs ts tsx js jsx go md json yaml yml toml sh sql java kt rb c h cpp hpp css html txt lock cfg ini proto vue swift zig mjs cjs jsonl db"
