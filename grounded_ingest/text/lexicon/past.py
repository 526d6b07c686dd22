"""Lists words which show that a sentence, heading or document is not about the present."""

PAST = (
    r"(?i)\b(?:old|older|legacy|former|formerly|previous|previously|original|originally|initially|historical|historically|earlier|before"
    r"|used to|was|were|had|existing|existed|moved?|moves|moving|rename[ds]?|renaming|relocate[ds]?|migrat\w+|replace[ds]?|replacing"
    r"|removed?|deleted?|deprecated|superseded|instead of|no longer|anymore)\b|->|→|=>"
)

GONE = (
    r"(?i)\b(?:deleted|removed|no longer|obsolete|out of date|outdated|do(?:es)? not exist|doesn't exist|don't exist"
    r"|(?:is|are) (?:gone|stale)|(?:was|were|been) (?:squashed|folded|merged) into)\b"
)

# Paths of texts about one day. Names in them were right on that day.
RECORD = (
    r"(?i)(?:^|/)(?:[\w.-]*[_.-])?(?:archived?|archives|deprecated|changelogs?|history|retrospectives?)/|(?:^|/)(?:changelog|changes|history|release[-_]notes)\b[^/]*$|[-_/]announcement\.\w+$"
    r"|(?:19|20)\d\d[-_]?[01]\d[-_]?[0-3]\d[^/]*$"
)

_MONTH = r"(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)[a-z]*\.?"

_MONTH_AND_YEAR = (
    rf"(?:{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? |\d{{1,2}} {_MONTH} |{_MONTH} )(?:19|20)\d\d"
)
_DAY = (
    rf"(?:(?:19|20)\d\d[-/.][01]?\d[-/.][0-3]?\d\b|\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?,? (?:19|20)\d\d\b"
    rf"|\b\d{{1,2}} {_MONTH} (?:19|20)\d\d\b|(?:19|20)\d\d年\d+月\d+日)"
)
# The date of a report: at the end of its title, alone in a line, or behind a label such as "Date" or
# "Generated".
OWN_DATE = (
    rf"(?im)^(?:#\s.*{_DAY}\W*$|[\s>*_]*{_DAY}\W*$|[\s>*_-]*(?:(?!effective|due|expir|release)[^:：\n|`]{{0,20}})"
    rf"(?:date|day|time|generated|checked|tested|audited|completed|prepared|日期|时间)[\s*_]*[:：][\s*_]*{_DAY})"
)
# Words of a document that somebody keeps up to date.
KEPT_UP = r"(?i)\blast[-_ ](?:updated|modified|edited|changed|reviewed|verified)\b|\bupdated\b|更新"

# A heading that names a day, or finished work.
DATED_HEADING = (
    rf"(?i)\b(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?\b|\b{_MONTH_AND_YEAR}\b"
    r"|(?:^|> )(?:change ?log|release notes|(?:version |revision |change )?history|session (?:log|notes|\d+)"
    r"|(?:recent(?:ly)? |latest |past |completed? )(?:changes|work|updates?|fixes|tasks?|sessions?|completed|milestones?)"
    r"|(?:meeting|sprint|retro)(?:spective)?(?: (?:notes|minutes|review|\d+))|post-?mortem|(?:review|audit|status|progress|test) report)\b"
)

# A line at the head of a document, or a field of its front matter, with its date.
STATED_DAY = (
    r"(?im)(?:^[>\s*_-]*|\. )(?:date|created(?:[_ ](?:at|on))?|reviewed|report date|review date|audit date|meeting date|prepared|written|as of)[*_]*\s*:[*_]*\s*"
    r"['\"]?(?:(?:19|20)\d\d-[01]\d|[A-Z][a-z]+ \d{1,2}|(?:\d{1,2} )?[A-Z][a-z]+ (?:19|20)\d\d)"
)
# Words at the head of a sketch, which does not describe a state of the code.
STATED_SKETCH = (
    r"(?i)\b(?:not|isn['’]t|rather than) (?:an? |the )?(?:descriptions?|documentation|specification) of\b"
    r"|\b(?:design|architecture|architectural) (?:exploration|sketch|study)\b"
)

# A line at the head of a document that says that the document is a snapshot of a day. "Last
# updated" is not such a line.
STATED_SNAPSHOT = (
    r"(?im)^\W*(?:(?:status|state|data|counts|numbers|code|valid|accurate|current)\W+)?(?:snapshot(?:[ _-](?:date|taken|from|of|as of))?|as[ _-](?:of|at)"
    r"|captured(?: on)?)\b(?: the)?[\s*_:`'\"(]*"
    rf"(?:(?:19|20)\d\d-[01]\d(?:-[0-3]\d)?|{_MONTH_AND_YEAR})\b"
    r"|\bthis (?:document|doc|page|file|report|analysis|audit|inventory|list) is an? (?:\w+[ -]){0,3}snapshot\b"
)

# Words at the head of a document that describes something that no longer exists, or is kept as a
# record.
_DOCUMENT = r"(?:document|doc|page|file|guide|spec(?:ification)?|note|proposal|report|analysis|assessment|contract)"
_ENDED = (
    r"(?:historical|withdrawn|superseded|archived|obsolete|deprecated|retired|abandoned|discontinued|outdated|out of date"
    r"|no longer (?:accurate|maintained|current|valid|applies|relevant|used|in use|kept up))"
)
WITHDRAWN = (
    rf"(?i)^\W*(?:(?:status|note|warning|important|caution)\W+)?{_ENDED}\b(?= *(?:$|[^\w\s]|\d|as of\b|since\b|by\b|(?:in|on) \d))"
    rf"|\bthis {_DOCUMENT} (?:is|was|has been|remains)(?: (?!not\b|never\b)\w+){{0,3}} (?:{_ENDED}|record)\b"
    rf"|\bthis (?:{_DOCUMENT} )?(?:describes?|assess(?:es)?|evaluates?|documents?|covers?) (?:no longer exists?|(?:was|were|has been|have been) (?:removed|deleted|withdrawn))\b"
    r"|\bkept (?:here )?(?:only )?(?:as an? |for (?:the )?)(?:historical |design )?(?:record|history|reasoning)\b"
)

# Fields at the head of a document about one state of the code, or one piece of work.
STATED_COMMIT = r"(?i)\b(?:commit|revision|sha)(?: (?:hash|sha|id))?\s*:\s*`?[0-9a-f]{7,40}\b"
STATED_WORK = r"(?i)\bstatus\s*:\s*\W{0,4}(?:(?:phase|step|stage|milestone) \d+ |[a-z]+ )?(?:completed?|done|in[ -]progress|shipped|merged|closed|finished|blocked)\b"

STATED_PLAN = rf"(?i)^\W*read-only (?:\w+ ){{0,2}}(?:audit|review)[.:]|\bthis (?:{_DOCUMENT} )?is an? (?:\w+[ -]){{0,3}}(?:plan|proposal|roadmap|draft|sketch|retrospective|post-?mortem)\b(?=\W*$|[.,:;)*]| (?:document|doc|page|file|for|of|to|that|which|and)\b)"

# Headings over alternatives, examples, the past or other projects.
UNSETTLED_SECTIONS = (
    r"(?i)\b(?:examples?|alternatives?|options?|considered|trade-?offs?|risks?|troubleshooting|history|change ?log|release notes"
    r"|what'?s new|background|problems?|issues?|migrat\w+|upgrad\w+|before|after|previous|legacy|deprecat\w+|old|future|roadmap|plans?"
    r"|planned|phases?|milestones?|proposals?|proposed|comparisons?|vs|versus|benchmarks?|results?|evaluations?|experiments?|measurements?"
    r"|check-?lists?|scenarios?|recipes?|faq|incidents?|post-?mortems?|reviews?|rejected|questions?|lessons?|todo|next steps|tutorials?"
    r"|session|log|timeline|sprint|week|case study|consequences|negative|positive|use cases?|v\d+(?:\.\d+)*)\b|\d{4}-\d\d"
)
# Paths of documents about other times, in other languages or for other purposes.
UNSETTLED_PATHS = (
    r"(?i)(?:^|[/_.-])(?:archived?|legacy|deprecated|remov(?:ed|al)|history|change-?log|changes|releases?|"
    r"release[_-]notes|news|blog|posts|plans?|plan|planning|roadmap|proposals?|rfcs?|reports?|research|evaluations?|"
    r"benchmarks?|examples?|tests?|fixtures|testdata|templates?|post-?mortems?|meetings?|logs?|journal|sessions?|"
    r"i18n|locales?|translations?|versioned_docs|migrat(?:ions?|ing|e(?=[_-]v?\d))|upgrading|tutorials?|learn|audit|todo|tasks?)(?:[/_.-]|$)|\d{4}-\d\d"
)
