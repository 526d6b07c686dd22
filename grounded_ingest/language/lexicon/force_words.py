"""Words that change what a sentence claims while its names, values and verbs stay: by class.

A group is what licenses each other between prose and prose; CODE says what of a line of code
licenses the group.
"""

from grounded_ingest.language.lexicon.negation import DENIALS

FORCE = {
    "not": f"{DENIALS} unless avoided prevented disallowed denied lack lacks lacking hardly barely scarcely seldom rarely false untrue wrong incorrect "
    "untouched unchanged unset disabled off stays-off refuses refuse fails fail except without far-from stopped stops stop unlike missing absent "
    "ignores ignore ignored skips skip skipped excludes excluded exclude avoids avoid prevents prevent forbids forbidden",
    "all": "all every each any always whole entire everything everyone everywhere anything anyone whatever whichever regardless throughout universally entirely completely fully altogether totally",
    "any": "any anything anyone",
    "only": "only sole solely exclusively alone merely single just purely",
    "instead": "instead rather",
    "other": "other others elsewhere different",
    "even": "even although though despite even-if even-though regardless whether-or-not",
    "most": "most mostly majority largely mainly usually typically generally often",
    "some": "any-one some sometimes several partly partially occasionally certain half",
    "must": "must shall required requires require requiring mandatory obligatory obliged needs needed enforced enforces enforce has-to have-to",
    "may": "may can could might optional optionally allowed allows allow able permitted permits",
    "if": "if when whenever unless until while once provided otherwise else as-long-as in-case depending",
    "because": "because therefore thus hence so-that due-to thanks-to owing-to in-order-to as-a-result",
    "past": "formerly previously used-to no-longer anymore any-more earlier once was were had originally initially deprecated obsolete superseded",
    "now": "now nowadays since recently",
    "planned": "will would planned plan plans proposed propose proposes future eventually soon intended going-to shall-be todo tbd wants",
    "before": "before until prior ahead precedes preceding beforehand",
    "after": "after afterwards following follows once subsequently thereafter then later upon",
    "first": "first firstly initially begins beginning starts",
    "last": "last lastly finally final eventually ends",
    "more": "more exceeds exceed exceeding least greater longer larger higher minimum newer later",
    "less": "less fewer most smaller shorter lower maximum older earlier",
    "option": "considered rejected reject rejects alternative alternatives discarded option options ruled-out dismissed proposed abandoned",
}
"""Several words are joined by hyphens. A word may stand in several groups: any of them licenses it."""

POINTING = r"\b(?:more (?:details?|information|info|on|about)|further (?:details?|information)|(?:is |are )?(?:described|seen|set|found|shown|declared) in)\b"
"""Says where something is told."""

CONTENT = (
    "avoided prevented disallowed denied lack lacks lacking false wrong incorrect untouched unchanged unset disabled refuses refuse fails fail stopped stops stop missing absent ignores ignore ignored "
    "skips skip skipped excludes excluded exclude avoids avoid prevents prevent forbids forbidden required requires require requiring mandatory obligatory "
    "enforced enforces enforce optional optionally allowed allows allow able permitted permits deprecated obsolete superseded planned proposed propose proposes "
    "precedes follows begins starts ends considered rejected reject rejects alternative alternatives discarded option options dismissed abandoned exceeds exceed "
    "needs needed initial final different starts"
)
"""Words of force that are content as well: they have to stand in the place themselves."""

NO_FORCE = r"\b(?:not only|not just|not merely|nothing but|no matter|no doubt|not necessarily)\b"

RISING = "more over above exceeds exceed greater longer larger higher newer beyond"
FALLING = "less fewer under below smaller shorter lower older"
"""Words that `>` and `<` say."""
UNTELLING = "default the my cfg config conf set valu param opt option is has get app env var"
"""Stems in the name of a value that do not tell it from another."""

OF_NUMBERS = "more less"
"""Groups that the comparison of numbers knows about: `at most 5`, `> 5`."""

CODE = {
    "not": r"\bnot\b|n't\b|\brather\b|\binstead\b|!|\bfalse\b|\bnone\b|\bnil\b|\bnull\b|\bundefined\b|\bno[-_ ]|\bnever\b|disabl|\boff\b|skip|ignor|exclud|without|unless|except|den[yi]|reject|\brais|throw|panic|\bcontinue\b|forbid|\bis_?empty|<>|~=|\bErr\b|==\s*(?:0\b|nil|null|None|''|\"\")|\bempty|absent|missing|\bblank|default",
    "all": r"\ball\b|\bon:|\bevery|\beach\b|for_each|\bfor\b.*\bin\b|forEach|\.map\(|\bany\b(?![(?])|\bboth\b|\*\*?[/'\"]|\balways\b|range\b",
    "any": r"\bany\b|\.some\(",
    "instead": r"instead|rather|n't\b|\bnot\b",
    "other": r"\bother|\belse\b|!=|elsewhere|\bdefault\b|\breturn\b.*\bif\b",
    "even": r"even\b|although|despite|regardless",
    "only": r"\bonly\b|exclusive|\bsingle|\bunless\b|\bif\b|\bjust\b|\bsole",
    "most": r"\bmost",
    "some": r"\bsome\b|\bany\b",
    "must": r"must|requir|assert|\brais|throw|enforc|mandatory|need|valid|shall|bail|\bErr\b|error|fail|reject|forbid",
    "may": r"optional|\bmay\b|allow|\bcan\b|\bnone\b|null|\bnil\b|omitempty|permit|\?:|required:\s*false",
    "if": r"\bif\b|[=!]==?|\bwhen\b|\bunless\b|\bcase\b|\bwhile\b|\?|&&|\|\||\bor\b|\band\b|\bexcept\b|catch|\belse\b|match|\brescue\b|switch|\belif\b|guard|\bon\b|\buntil\b|\bget\(|\[\[|\[ ",
    "because": r"because|\bsince\b|due to|so that|therefore|in order to",
    "past": r"deprecat|obsolete|legacy|no longer|previously|formerly|superseded",
    "now": r"\bnow\b|already|currently|still\b|\bsince\b",
    "planned": r"todo|planned|future|will\b",
    "before": r"before|until|\bpre[-_]",
    "after": r"after|\bpost[-_]|then\b|\bdepends_on|\bneeds\b",
    "first": r"first|\[0\]|begin|init|start",
    "last": r"last|\[-1\]|final|\bend\b",
    "more": r">|-g[te]\b|max|\bmin|exceed|over|more|least|above|greater|limit|newer|higher",
    "less": r"<|-l[te]\b|max|\bmin|under|less|most|below|fewer|limit|within|older|lower|\bago\b",
    "option": r"alternativ|option|considered|rejected|proposed",
}

CONDITIONS = r"(?i)^\W*(?:if|unless|elif|else if|elsif|else|when|case|switch|while|except|rescue|catch|until)\b|\b(?:if|unless)\b.*$"
GUARDS = r"(?i)^\W*(?:if|unless|elif|else|elsif|when|case|except|rescue|catch|while|until)\b"
"""A line that begins a block which runs only sometimes."""

DISOWNS = (
    r"(?i)\b(?:no longer|not|none|never|nothing|untrue|false|wrong|incorrect|rejected|deprecated|obsolete|superseded|formerly|former|previously|historical"
    r"|opposite|discarded|abandoned|dismissed|planned|to ?do|proposed|proposals?|ideas|myths?|misconceptions|outdated|removed|alternatives?|wishlist|roadmap|backlog)\b"
)
"""In a heading, lead-in or parent: what stands below is not said of now."""

POINTS_ON = r"(?i)\b(?:following|next|below|this sentence|what follows)\b"
POINTS_BACK = r"(?i)^\W*(?:this|that|it|these|those|they|the above|all (?:this|that)|none of (?:this|that|it|these))\b"
"""What a sentence that takes back its neighbour points with."""

STATUS_HEADER = r"(?i)\b(?:status|state|true|truth|correct|valid|verified|holds|accurate|outcome|verdict|result|decision|still|current)\b"
NO_CELL = r"(?i)\W*(?:no|nope|not at all|untrue|failed)\W*$|\s*[✗✘❌✖]\ufe0f?\s*$"
"""In a column of this name, a cell that says that its row does not hold."""

KINDS = (
    "function method class module constant variable setting option flag field key column table parameter argument file script command recipe target job step "
    "workflow action service container image package type struct enum trait interface property attribute value default line block section header request "
    "response route endpoint test hook rule plugin component record decision adr list array map set object error exception code config configuration recipe input output entry query context call page element role"
)
"""What a name is: needs no licence beside a name that has one."""

WHOLE = "service application app server system project repository repo codebase tool program package library product platform software it we commit file line lines section adr decision record issue page source here"
"""What a repository calls itself: needs no licence in what the repository says."""

FRAME_VERBS = (
    "is are was be been being has have had set sets defined defines define declared declares declare configured configures given gives named equals equal "
    "contains contain holds hold includes include lists list lives live stands stand sits comes come points found located pinned fixed does do did made make makes "
    "uses use used using takes take carries carry called consists goes go gets get amounts reads read says say means mean shown seen kept stated"
)
"""Verbs that say no more than that a thing is there, or has a value: they need no licence."""

CALLS = (
    "calls call called invokes invoke uses use using passes pass delegates wraps extends inherits imports import runs executes triggers needs requires depends "
    "overrides replaces includes sends receives reads writes owns contains creates starts"
)
"""Verbs of which the one who does it stands first in code, and to whom it is done behind."""

STRUCTURE = {
    "return returns returned yields gives answers": r"\breturn|=>|->|\byield|\bOk\(",
    "raise raises raised throws throw thrown fails fail errors error panics aborts rejects reject refuses refused": r"\brais|\bthrow|panic|\bErr\b|abort|\bexit|\bfail|errors?\.|error\(|errorf",
    "call calls called invokes invoke invoked runs run executes execute executed passes passed": r"\w[(]|\brun\b|\bexec|\$\(|->|uses:|cmd|script|^\s*-?\s*\w+",
    "import imports imported loads load": r"\bimport|\brequire|\binclude|\buse\b|\bfrom\b|load",
    "default defaults": r"=|\|\||\?\?|default|:-|or\b|:",
    "assign assigns assigned sets set": r"=|:",
    "check checks checked": r"\bif\b|assert|\?|==|match|check|unless",
    "inherit inherits extends extend subclasses implements": r"\bclass\b|extends|implements|\bimpl\b|<",
    "create creates created builds makes": r"\bnew\b|creat|make|build|insert|\w[(]|mkdir",
    "log logs logged logging prints printed writes written warns": r"\blog|warn|print|echo|debug|\binfo\b|write|puts",
    "empty missing unset absent blank": r"==\s*(?:0\b|nil|null|None|''|\"\")|\bnot\b|!\w|\bis_?(?:empty|none)|empty|blank|-z",
    "reach reaches reached becomes become equal equals": r"=",
    "fallback falls": r"=|default|else|\|\||\?\?",
    "positive": r">\s*0",
    "match matches matched": r"re\.|regex|match|==|=~|/.*/|pattern",
    "listen listens bind binds": r"port|listen|bind|serve|addr|expose",
    "skip skips ignores ignore leaves": r"\bcontinue\b|\bskip|ignor|exclud|\bnext\s*$|\bnext if",
    "depend depends needs requires require": r"depend|need|requir|\^|>=|~>",
}
"""Verbs, and what of a line of code says them."""

ENVIRONMENTS = "production prod staging stage test testing tests development dev local preview sandbox ci qa preproduction"

DECIDES = r"(?i)\b(?:decision|decided|outcome|chosen|consequences?|status|solution|resolution|conclusion|implementation|policy|agreed|summary|selected)\b"
WEIGHS = r"(?i)\b(?:context|background|problem|motivation|options?|alternatives?|considered|pros|cons|rejected|drivers|history|discussion|questions?|examples?|issue|situation|today|current|before|why|assumptions?|risks?|not chosen|out of scope)\b"
"""Headings under which a decision record says what it decides, and under which it does not."""

TRIALS = r"(?i)(?:^|/)(?:tests?|specs?|__tests__|fixtures?|testdata|examples?|samples?|mocks?|__mocks__|demos?|snapshots)/|(?:^|/)test_[^/]*$|[._-](?:test|spec|example|sample|mock)\.[\w.]+$"
TRIAL_WORDS = "test tests tested testing spec specs fixture fixtures example examples sample samples mock mocks demo stub suite snapshot"
