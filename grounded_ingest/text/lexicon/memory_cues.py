"""Words that show the memory type of a claim: fact, event or procedure.

A cue is a sign of the type, such as the purpose of a document or heading, an auxiliary verb or a
time word. Each table maps cues to their words, in lower case."""

from grounded_ingest.text.lexicon.number_words import WEEKDAY_WORDS

# The purpose of a document by the words of its path. The first group with a word of the path
# counts. The words of the file name are tried first, then the directories from the nearest.
ROLES = {
    "changelog": "changelog changes changelogs releases release whatsnew news",
    "plan": "plan plans planning todo todos task tasks roadmap backlog milestone milestones sprint "
    "wishlist ideas stories story next phases",
    "log": "progress handoff handoffs session sessions status report reports summary summaries log "
    "logs journal diary worklog standup retrospective postmortem postmortems incident incidents "
    "history activecontext audit audits review reviews results archive archived completed "
    "verification closeout evidence exec test-results completion",
    "runbook": "runbook runbooks playbook playbooks guide guides howto setup install installation "
    "deployment deploy troubleshooting contributing tutorial tutorials operations ops quickstart "
    "started checklist development workflow handbook",
    "rules": "claude agents gemini rules clinerules windsurf copilot instructions conventions "
    "standards guidelines skill skills policy policies prompts prompt commands cursorrules",
    "decisions": "adr adrs decision decisions rfc rfcs",
    "lessons": "lessons learnings learned memory memories",
}

# Directories whose files all instruct agents.
RULES_DIRECTORIES = "rules clinerules skills commands prompts agents instructions"

# The purpose of a section by the words of its heading.
SECTIONS = {
    "changes": "added changed fixed removed deprecated unreleased changelog changes fixes bugfixes "
    "release released updates improvements modified created new changed",
    "done": "completed complete accomplished accomplishments done progress achieved implemented "
    "shipped summary results result metrics status report evidence verification findings "
    "timeline history review round incident observations recent handoff worktree "
    "verdict outcome measurements",
    "plan": "todo tasks task plan plans roadmap next remaining phase milestone milestones step week "
    "day wave sprint backlog upcoming future followups planned planning recommendations follow-ups "
    "deliverables left rollout",
    "rules": "rules rule guidelines policy policies conventions convention standards must never "
    "always mandatory don't dos don'ts forbidden principles principle best practices instructions "
    "requirements prohibited constraints reminders checklist "
    "protocol critical gates expectations practice",
    "howto": "setup installation install usage how steps procedure resolution remediation triage "
    "diagnosis troubleshooting commands debugging using quickstart started workflow process build "
    "deploy deployment run running test testing escalation mitigation recovery rollback "
    "making create creating adding add contributing development validation configuring "
    "cleanup fix making changes prerequisites",
    "reference": "overview architecture reference structure components features api purpose context "
    "glossary related resources references alternatives considered consequences rationale decision "
    "background benefits design types fields options variables environment schema directory layout "
    "files model concepts terminology scope goals problem cause causes motivation security key "
    "comparison analysis stack technology data about introduction why details support patterns "
    "pattern decisions configuration map index",
}

# Words that count anywhere in a claim.
WORDS = {
    "must": "must shall mandatory required obligatory",
    "should": "should needs shouldn't ought",
    "can": "can may might cannot can't",
    "past": "was were had did didn't wasn't weren't went found ran took saw made wrote kept got broke failed crashed happened occurred began chose fell forgot grew knew rose threw sent "
    "came gave sent told built led became spent met bought brought caught taught paid sold slept spoke drove ate "
    "flew hid woke wore stole sat rode heard fought dealt couldn't",
    "perfect": "been",
    "present": "is are isn't aren't has have does doesn't",
    "future": "will won't todo tbd pending planned upcoming later soon",
    "time": f"{WEEKDAY_WORDS} yesterday today tonight tomorrow ago currently recently finally initially afterwards "
    "previously earlier",
    "now": "now still yet already",
}

# First words, by the form of the clause that they begin.
OPENERS = {
    "condition": "if when whenever before after once unless while until for",
    "article": "the a an this that these those each every all both it its they there our",
    "we": "we i",
    "you": "you",
    "see": "see cf",
    "to": "to",
    "joint": "and but or so nor yet than",
    "wh": "what who which where why how",
    "not": "do don't never avoid no not",
    "with": "last with without in on at by from of during via as under across because since although "
    "unlike per",
}

# Words that begin a clause whose verb says nothing about the type of the claim.
SUBORDINATE = "if when whenever unless while because"

# Verbs without ending besides those of `verbs.py`.
BARE = (
    "ensure consult consider address attempt capture codify confirm decide define delegate deselect discover double-check downgrade draft "
    "edit escalate establish evaluate explore fetch find fork give go grep increase instrument investigate keep launch leave let look make "
    "mention migrate note operationalize pair please populate prefer prepare prioritize propose provision put read record re-run rerun "
    "refactor research rewrite run save say see select send separate set specify split start summarize take tell think treat try "
    "understand wait wire write rebuild reconcile document drop enter bring choose commit reuse schedule sequence navigate enable restart "
    "use recall remember respect revisit wrap describe "
    "expect reflect decrease lint mock"
)

# Words that follow a verb without ending, but not a noun.
OBJECTS = (
    "the a an your this that these those all any each every it them its their our sure only to at "
    "both no as whether how what that's into with for in on from existing new multiple one"
)

# Endings of nouns and adjectives that no verb without ending has.
NOUN_ENDINGS = (
    "tion", "sion", "ment", "ness", "ity", "ance", "ence", "ism", "ship", "ing", "ings", "ers",
    "er", "ed", "al", "ic", "ous", "ful", "less", "able", "ible", "ly", "es", "ss",
)  # fmt: skip

# Verbs without ending that are as often nouns. They count as verbs only before an object.
NOUN_VERBS = (
    "access address attempt block build bundle cache call cause change check clone commit cost count cover crash cut default delay deploy "
    "display document download drop edit end export extract filter fix flag force format function guarantee handle hash help host import "
    "increase index input insert issue jump key launch limit link list listen live load lock log look map mark match measure merge mock "
    "monitor mount move name note offer order output override own parse pass patch pin poll post print process produce prompt pull push "
    "query queue range reach read record reference release render report request reset return reuse review route rule run sample save "
    "scale scan schedule scope search sequence set share ship show split stage start state step stop store stream strip support switch "
    "sync target test think throw time timeout toggle touch track transfer transform trigger trim turn type upgrade upload use value view "
    "visit wait walk want warn watch work wrap write escalate capture research spawn hit"
)

# Verbs such as "note" that only introduce the rest of the sentence.
KNOWING = "note remember recall understand know notice mind aware consider assume"

# Words before the verb of a request.
ADVERBS = "also then first next finally please always just only simply now optionally and or so second third lastly alternatively"

# Words after an unknown word that make it a verb, and words before a word in -ed that make it an
# adjective.
OPENING_OBJECTS = "the a an your all any it them sure this its their itself"
AFTER_PARTICIPLE = "by in as from with using via at for under within per into ) . ; ,"
BEFORE_NOUN = (
    "the a an of for with in by and or , ( no one this that its their each every all any to"
)

# Purposes of sections and documents that change the weight of a form. The first entry counts.
SITUATIONS = {
    "in changes": "changes", "in version": "changes", "in plan": "plan", "in done": "log", "in day": "log", "under day": "log", "in rules": "rules", "in howto": "howto",
    "in reference": "reference", "changelog document": "changes", "plan document": "plan", "under plan": "plan", "under changes": "changes",
    "under version": "changes", "log document": "log", "under done": "log", "under rules": "rules", "under howto": "howto",
    "rules document": "rules", "runbook document": "howto", "decisions document": "decisions",
    "dated document": "log",
}  # fmt: skip

# First words of a second clause, by its relation to the first one.
JOINTS = {
    "so": "belief", "therefore": "belief", "thus": "belief", "hence": "belief", "which means": "belief",
    "which shows": "belief", "this means": "belief", "this shows": "belief", "that means": "belief", "because": "motive", "since": "motive",
}  # fmt: skip
