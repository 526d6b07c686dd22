"""Words around a reference: what `#12` counts, what is a commit, and what is said of a file's fate."""

# `#N` behind one of these is a number of the text itself, though some are verbs, too.
COUNTED = (
    "step finding task build phase item point rule option number part chapter priority case problem "
    "question criterion criteria goal reason lesson principle test section example figure table "
    "note day week month year quarter sprint round iteration attempt batch level tier no nr top rank "
    "ranked approach pattern feature agent worker node slot player gap class colour color hex "
    "requirement hypothesis milestone blocker risk layer scenario column row line hunk run cycle "
    "user session wave stage pass guard group cluster shard track lane job review report release "
    "change patch draft version page slide act episode block check alert answer query request-id "
    "record entry match model plan deliverable improvement suggestion recommendation"
)
# Behind these it is one of a tracker's, though they are nouns.
TRACKED = (
    "issue bug ticket pr mr pull request merge-request pull-request gh github gitlab epic story "
    "discussion defect tracker umbrella follow-up followup spike parent child duplicate dupe "
    "related related-to open closed upstream downstream dependency fix hotfix bugfix todo fixme ref "
    "reference thread commit bead sub-issue meta-issue"
)

# A hexadecimal id right behind one of these is meant as a commit, whatever it looks like.
COMMIT = (
    r"commits?|sha-?1?|revisions?|changesets?|receipts?|(?:commit|git) (?:hash|id|sha)(?:es|s)?"
)

# What a sentence, its label, its lead-in or a heading over it says of the files it speaks of. None
# of these decides anything: each only says which answer of the tree and its history is meant.
GONE = (
    r"(?i)\b(?:delet(?:e[sd]?|ing|ions?)|remov(?:e[sd]?|ing|als?)|drop(?:s|ped|ping)|retir(?:e[sd]?|ing)|"
    r"renam(?:e[sd]?|ing)|mov(?:e[sd]|ing)|relocat(?:e[sd]?|ing)|migrat(?:e[sd]?|ing)|replac(?:e[sd]?|ing)|"
    r"archiv(?:e[sd]?|ing)|clean(?:s|ed|ing)?[ -]?up|obsoletes?d?|deprecat(?:e[sd]?|ing|ions?)|"
    r"supersed(?:e[sd]?|ing)|legacy|orphan(?:s|ed)?|former(?:ly)?|previous(?:ly)?|old|originally|used to be|"
    r"no longer|gone|missing|do(?:es)? not exist|do(?:es)?n['’]t exist|purg(?:e[sd]?|ing)|eliminat(?:e[sd]?|ing)|"
    r"consolidat(?:e[sd]?|ing)|folded into|merged into|extracted (?:to|into)|split (?:into|up))\b|->|→|=>"
)
PLANNED = (
    r"(?i)\b(?:plan(?:s|ned|ning)?|propos(?:als?|e[sd]?|ing)|roadmap|future|upcoming|to-?dos?|backlog|deferred|"
    r"deliverables?|acceptance criteria|will|would|to (?:be )?(?:create|add|build|write|implement)(?:ed)?|"
    r"creat(?:e|es|ing)|add|implement|write|overwrite|introduce|draft|generat(?:es?|ing|ed)|produc(?:es?|ing)|outputs?|"
    r"emit(?:s|ted)?|new (?:\w+ )?files?|not yet|pending|not implemented|to come|if (?:it )?exists?|when present)\b|"
    r"\w['’]ll\b"
)
PLANNING = (
    r"(?i)\b(?:plan(?:s|ned|ning)?|propos(?:als?|ed)|roadmap|future|upcoming|next (?:steps?|phase|up)|to-?dos?|backlog|"
    r"deliverables?|acceptance criteria|designs?|spec(?:s|ification)?|rfc|prd|requirements?|"
    r"(?:recommend|suggest)(?:ed|ations?|ions?)|open (?:questions?|items?|tasks?)|file structure|new files?)\b"
)
"""What a heading calls a text that tells what is to come."""
EXAMPLE = (
    r"(?i)\b(?:examples?|e\.g\.|for instance|such as|templates?|placeholders?|samples?|naming conventions?|"
    r"hypothetical(?:ly)?|illustrat(?:e[sd]?|ion|ive)|failure modes?)\b"
)
REPOSITORY = r"(?:git )?(?:mono)?repo(?:s|sitory|sitories)?\b"
FOREIGN = (
    rf"(?i)\b(?:another|other|separate|sibling|sister|external|foreign|upstream|downstream|companion|target)(?: \w+)? {REPOSITORY}|"
    rf"\b(?:not|outside)(?: \w+)? (?:this|our|the) {REPOSITORY}|\bcross-repo|\bupstream\b|\bin upstream|"
    r"https?://(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.\w+/[\w.-]+/[\w.-]+"
)
# `the DIGIMON repo`, `research/loop repository`: a name that none of these words is.
NAMED_REPOSITORY = rf"(?P<name>[\w.~/-]*\w)[`'\"*]*(?:['’]s)? {REPOSITORY}"
OWN = (
    "the a an this our that same main whole entire local current git target your my any each every own new "
    "of in mono per single one public private clean fresh host root code github gitlab remote bare test full "
    "and or to for from its their no dirty active-repo application app project source user real existing multi cross"
)
# Documents that tell what is to come, and those that show how to write one.
PLANS = (
    r"(?i)(?:^|/)(?:plans?|planning|specs?|rfcs?|proposals?|designs?|roadmaps?|backlogs?|todos?|prds?)/|"
    r"(?:^|[/_.-])(?:plans?|design|specs?|roadmap|proposal|rfc|prd|backlog|todo)(?:[_.-][^/]*)?\.\w+$"
)
TEMPLATES = r"(?i)(?:^|/)(?:templates?|examples?|samples?)/|template[^/]*$"

# Names that examples give to files and folders, and what they may be joined with.
PROPS = (
    "foo bar baz qux quux foobar file filename somefile myfile yourfile example sample your my placeholder xyz abc "
    "something whatever"
)
JOINED = "test tests spec test_ some other new old a the path to name file dir folder module class component service"
