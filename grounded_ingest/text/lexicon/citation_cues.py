"""Words around a reference that show whether `#12` is an issue, whether a hex number is a commit,
and whether a file is gone or planned."""

# After one of these words, `#N` is not an issue: "step #3".
COUNTED = (
    "step finding task build phase item point rule option number part chapter priority case problem question criterion criteria goal "
    "reason lesson principle test section example figure table note day week month year quarter sprint round iteration attempt batch level "
    "tier no nr top rank ranked approach pattern feature agent worker node slot player gap class colour color hex requirement hypothesis "
    "milestone blocker risk layer scenario column row line hunk run cycle user session wave stage pass guard group cluster shard track "
    "lane job review report release change patch draft version page slide act episode block check alert answer query request-id record "
    "entry match model plan deliverable improvement suggestion recommendation"
)
# After one of these words, `#N` is an issue.
TRACKED = (
    "issue bug ticket pr mr pull request merge-request pull-request gh github gitlab epic story discussion defect tracker umbrella "
    "follow-up followup spike parent child duplicate dupe related related-to open closed upstream downstream dependency fix hotfix bugfix "
    "todo fixme ref reference thread commit bead sub-issue meta-issue"
)

# A hexadecimal id right after one of these words is a commit, even if it looks like a number.
COMMIT = r"commits?|sha-?1?|revisions?|changesets?|(?:commit|git) (?:hash|id|sha)(?:es|s)?"

# Words in a sentence, its label, lead-in or headings about the files that the sentence names. The
# words only suggest that a missing file was removed on purpose or will be created. They do not
# decide alone.
GONE = (
    "delete deletes deleted deleting deletion deletions remove removes removed removing removal removals dropped dropping retire "
    "retires retired retiring rename renames renamed renaming moved moving relocate relocated relocating reorganized reorganised restructured migrate migrates migrated migrating "
    "replace replaces replaced replacing archived obsolete obsoleted deprecate deprecates "
    "deprecated deprecating deprecation supersede supersedes superseded superseding legacy orphaned old former formerly "
    "previously earlier originally gone parked withdrawn discontinued abandoned purge purged purging eliminate eliminated eliminating consolidate consolidated consolidating"
)
GONE_PHRASES = (
    "used to be", "no longer", "not exist", "n't exist", "n’t exist", "folded into", "merged into", "extracted to", "extracted into", "split into",
    "split up",
)  # fmt: skip
PLANNED = (
    "plan plans planned planning proposal proposals propose proposed proposes proposing roadmap future upcoming todo todos backlog deferred "
    "deliverable deliverables will would create creates creating add implement write overwrite introduce draft generate generates generated "
    "generating produce produces producing output outputs emit emits emitted pending we'll i'll you'll they'll it'll"
)
PLANNED_PHRASES = (
    "to-do", "acceptance criteria", "to be created", "to be added", "to be built", "to be written", "to be implemented", "to build", "new file",
    "not yet", "not implemented", "to come", "if exists", "if it exists", "when present", "新增", "新建", "待创建",
)  # fmt: skip
# Words for what is to come. "creates" and "will" are not in the list: a command that creates files, or will do so, exists already.
COMING = "plan plans planned planning proposal proposals propose proposed proposes proposing roadmap future upcoming todo todos backlog deferred pending"
COMING_PHRASES = (
    "to-do", "acceptance criteria", "to be created", "to be added", "to be built", "to be written", "to be implemented", "not yet",
    "not implemented", "to come",
)  # fmt: skip
# Words of a heading over plans.
PLAN_NOUNS = "plan plans planning proposal proposals roadmap todo todos backlog deliverable deliverables design designs spec specs specification rfc prd"
PLANNING = f"{PLAN_NOUNS} planned proposed future upcoming"
# Words that may follow the name of a plan. Before any other noun, a word such as "plan" describes
# that noun: "Terraform Plan Analysis Tool", "Protein Design Agent".
AFTER_PLAN = (
    "a all an and as at by design doc document documents docs draft for from in list note notes of on or outline overview phase phases plan "
    "proposal section sections spec specification specs status step steps summary the to under v version via with"
)
PLANNING_PHRASES = (
    "next step", "next phase", "next up", "to-do", "acceptance criteria", "open question", "open item", "open task", "file structure", "new file", "functional requirement",
)  # fmt: skip
EXAMPLE = "example examples template templates placeholder placeholders sample samples hypothetical hypothetically illustration illustrative illustrate illustrates"
EXAMPLE_PHRASES = (
    "e.g.", "for instance", "naming convention", "failure mode", "output format", "report format", "response format", "answer format",
)  # fmt: skip
# Words beside a reference. "template" and "sample" are not in the list: a template in the tree is no example.
SHOWN = "example examples placeholder placeholders hypothetical hypothetically illustration illustrative illustrate illustrates"
SHOWN_PHRASES = EXAMPLE_PHRASES
FOREIGN_SIGNS = (
    "repo",
    "locally",
    " here",
    "of `",
    "upstream",
    "://",
    "project: ",
    "$",
    "~/",
    "in your ",
)
"""A fast test: every match of the patterns below contains at least one of these texts."""
REPOSITORY = r"(?:git )?(?:mono)?repo(?:s|sitory|sitories)?\b"
ELSEWHERE = (
    rf"(?i)\b(?:another|other|separate|sibling|sister|external|foreign|upstream|downstream|companion|target)(?: \w+)? {REPOSITORY}|"
    rf"\b(?:not|outside)(?: \w+){{0,3}} (?:this|our|the) {REPOSITORY}"
    rf"|\bnot (?:available|stored|kept|present) (?:locally|here)\b"
)
# A folder outside of every repository, before a path in this folder: "`$REPOS/site`: `src/app.ts`".
OUTSIDE = r"(?:\$\{?\w+\}?|(?<![\w/])~)/[\w./-]+[`*]*\s*(?::|—|–|→)(?!\S)"
READERS = r"(?i:\bin your (?:own )?(?:project|app(?:lication)?|gem|package|code)\b)"
FOREIGN = rf"{ELSEWHERE}|{READERS}|\bof `[\w.-]+/[\w-]+`|{OUTSIDE}|\bcross-repo|\bupstream\b|https?://(?:www\.)?(?:github|gitlab|bitbucket|codeberg)\.\w+/[\w.-]+/[\w.-]+"
# `the DIGIMON repo`, `research/loop repository`. The words in OWN are not names of repositories.
NAMED_REPOSITORY = rf"(?P<name>[\w.~/-]*\w)[`'\"*]*(?:['’]s)? {REPOSITORY}"
OWN = (
    "the a an this our that same main whole entire local current git target your my any each every own new "
    "of in mono per single one public private clean fresh host root code github gitlab remote bare test full "
    "small medium large big tiny huge and or to for from its their no dirty active-repo application app project source user real existing multi cross dual"
)
# Paths of designs and requirements, of plans, and of templates and examples. The first may name
# files that do not exist yet, but people keep these documents up to date.
DESIGNS = r"(?i)(?:^|/)(?:designs?(?:-(?:docs?|notes|proposals?))?|requirements)/"
PLANS = (
    r"(?i)(?:^|/)(?:[\w-]*plans?|planning|(?:[\w-]+-)?specs?|rfcs?|proposals?(?:-\w+)?|roadmaps?|backlogs?|todos?|prds?|wip|ideas)/|"
    r"(?:^|(?<!/commands)(?<!/agents)/|[_.-])"  # `.claude/commands/plan.md` is a command, not a plan
    r"(?:plans?|design|specs?|roadmap|proposal|rfc|prd|backlog|todo|strategy|exploration)(?:[_.-][^/]*)?\.\w+$"
)
TEMPLATES = (
    r"(?i)(?:^|/)(?:templates?|scaffolds?)/|(?:^|/)(?:examples?|samples?)/(?!(?:[^/]+/)*readme\.)|(?<!pull_request_)template(?!s\.\w+$)[^/]*$"
    r"|(?<!\.github)/prompts/"
)

# Paths of texts that site generators copy into other pages.
INCLUDED = r"(?i)(?:^|/)_?(?:snippets|includes|partials|fragments|shortcodes)/|(?:^|/)_[^/]+\.mdx?$"

# Names of files and folders in examples, and words that such names are combined with.
PROPS = "foo bar baz qux quux foobar file filename somefile myfile yourfile example sample your my placeholder xyz abc some something whatever specific"
JOINED = "use test tests spec test_ other new old a the path to name file dir folder module class component service"
