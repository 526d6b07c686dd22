"""Words of headings, lead-ins and labels that mark the text below them as open.

A label is a noun phrase ("Open questions", "Working hypotheses for the crash"), a state ("TBD",
"Not verified yet"), or a relative clause without a head ("What I'm still uncertain about"). A label
asserts nothing itself, so "I think:" and "Not sure if it is shared" are not labels.
"""

# Every label of doubt contains one of these texts.
TRIGGERS = (
    "question", "unknown", "uncertain", "doubt", "hypothe", "assum", "specul", "conjecture", "guess", "predict", "expect", "suspi",
    "suspect", "hunch", "theor", "risk", "concern", "worr", "tbd", "tbc", "idea", "suggest", "proposal", "brainstorm", "caveat",
    "limitation", "blind spot", "open", "resolved", "answered", "decided", "settled", "unclear", "verif", "confirm", "tested", "proven",
    "unsure", "tentative", "provisional", "not ", "n't", "n’t", "to be ", "needs ", "low", "wonder", "wrong",
)  # fmt: skip

# Every label of the three kinds below contains one of these texts. They are searched for before the
# pattern, to save time.
OF_NOUNS = (
    "question", "unknown", "uncertain", "doubt", "hypothes", "assum", "specul", "conjecture", "guess",
    "suspicion", "hunch", "theor", "risk", "concern", "worr", "tbd", "tbc", "idea", "suggestion", "proposal",
    "brainstorm", "caveat", "limitation", "blind spot", "prediction", "open ", "unsettled ",
    "outstanding ", "low confidence",
)  # fmt: skip
OF_STATES = ("open", "un", "speculative", "hypothetical", "tentative", "provisional", "low", "not", "n't", "to ", "need")  # fmt: skip
OF_HEADS = (
    "what", "where", "why", "how", "which", "whether", "thing", "point", "part", "place", "area", "bit",
    "aspect", "case", "claim", "item", "matter", "detail",
)  # fmt: skip

NOUNS = (
    r"questions|open question|unknowns?|uncertaint(?:y|ies)|doubts?|hypothes[ei]s|assumptions?|speculations?|conjectures?|guess(?:es|work)?"
    r"|suspicions?|hunch(?:es)?|theories|(?:my|our|working|current|best|alternative|competing|initial) theory|risks?|concerns?"
    r"|worr(?:y|ies)|tbd|tbc|ideas?|suggestions?|proposals?|brainstorm(?:ing)?|caveats?|limitations?|blind spots?|predictions?"
    r"|(?:open|unsettled|outstanding) (?:question|point|issue|problem|matter|decision|topic|thread|end|item)s?|low confidence"
)

_OPEN = (
    r"unresolved|unanswered|undecided|unsettled|unclear|unverified|unconfirmed|untested|uncertain"
    r"|unknown|unproven|speculative|hypothetical|tentative|provisional|low[ -]confidence"
)
STATES = (
    rf"(?:still |yet |as yet |currently |largely |mostly |partly )?(?:open|unsure|{_OPEN})"
    rf"|(?:{_OPEN})(?: \w+)? \w+s"
    r"|(?:not|n't)(?: yet| fully| really| entirely| quite| been)* (?:sure|certain|clear|known"
    r"|verified|confirmed|decided|determined|settled|tested|understood|established|proven|resolved)"
    r"|(?:still )?to be (?:determined|decided|confirmed|verified|clarified|investigated|discussed)"
    r"|(?:still )?to (?:verify|confirm|clarify|investigate|decide|find out)"
    r"|needs? (?:verification|confirmation|verifying|confirming|investigation|clarification)"
)
# Texts that may follow a state such as "unclear". A clause may not follow: "unclear whether".
STATE_TAILS = r"(?=(?: yet| so far| here)?(?:$|[,:;.(/&+—–-]| [—–(/&+-]))"

# Words before the noun that turn the noun phrase into a clause, or deny it.
BREAKERS = (
    "no|not|zero|without|none|never|resolved|closed|answered|settled|decided|verified|confirmed|validated|proven|tested|mitigated|former"
    "|past|how|why|when|who|what|where|if|whether|of|to|for|in|on|at|with|from|by|i|we|you|it|they|he|she|there|this|that|is|are|was|were"
    "|am|be|do|does|did|has|have|had|can|could|will|would|must|should|shall|may|might|think|believe|ask|answer|test|verify|check|avoid"
    "|challenge|state|list|log|record|resolve|raise|document|surface|flag|track|validate|write|make|cross-cutting|managing|testing|checking"
    "|tracking|handling|avoiding|removing|resolving|answering|closing|verifying|validating|mitigating|reducing|assessing|asking|asked"
    "|taking|secret"
)

# Words that continue the phrase behind the noun.
TAILS = (
    r"and|or|for|about|of|on|in|to|with|from|at|by|around|regarding|concerning|that|which|we|i|i'm"
    r"|still|remaining|left|worth|raised|deferred|pending|yet|so far|here|today|not|after|before"
    r"|(?!(?:answer|resolv|clos|settl|verifi|confirm|validat|test|mitigat|reject)ed)\w+ed"
    r"|during|as of|per|lists?|logs?|register|section|parked|carried|unresolved|open"
)
NOT_BEHIND = r" (?:and|&) answers|, answered| answered| (?:resolved|closed|settled)"

# The beginning of a relative clause, and the words of doubt in it.
HEADS = (
    r"what|where|why|how|which|whether|(?:the |some |a few |all |other )*(?:things?|points?|parts?"
    r"|places?|areas?|bits?|aspects?|cases|claims|items|matters|details)"
)
PREDICATES = (
    r"(?:\bnot|n't|\bnever)(?: \w+){0,2} (?:know|known|sure|certain|clear|understand|understood|tell|verify|verified|confirm|confirmed"
    r"|check|checked|test|tested|settled?|decided?|resolved?|convinced|confident|figured?(?: out)?|find out|found out|determined?|establish"
    r"|established|prove|proven|show|shown|answer|answered|explain|explained|reproduced?|cover|covered|work out|worked out|say|measured?"
    r"|seen?)|\b(?:unsure|uncertain|unclear|unknown|unverified|untested|unconfirmed|undecided|unresolved|open|confused|puzzled|worries"
    r"|worried|bothers|nags|guess(?:ed|ing)?|assum(?:e|ed|ing)|suspect(?:ed)?|speculat(?:e|ed|ing)|hypothesi[sz]ed?|doubt(?:ed)?"
    r"|wonder(?:ed|ing)?|(?:could|may|might) be (?:wrong|mistaken))"
)
DENIED = r"(?:no longer|not|n't|never|hardly)(?: \w+){0,1} (?:unsure|uncertain|unclear|unknown)"
