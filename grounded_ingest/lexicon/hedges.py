"""Words with which a text doubts itself, and the lookalikes that do not.

Every phrase is a fragment of a regular expression over lower-case text with straight apostrophes;
`{name}` is a slot of `SLOTS`. To extend a group add a phrase, a trigger word that every text with
that phrase contains, and an example. `PASSES` are read before the phrases: what one of them covers
is no hedge. Code, quotations and questions are blanked (NUL) before any of this is read.
"""

# Later slots may use earlier ones.
SLOTS = {
    # Where a clause with an elided "I am" or a sentence adverb can begin.
    "lead": r"(?:(?:and|but|so|or|also|though|however|hmm|well|still|then),? )?",
    "start": r"(?<=[.!?:;—–…] ){lead}",
    "elided": r"(?:(?<=[.!?:;,—–…(] )|(?<=[(—–])|(?<= - )|(?<= and )|(?<= but )|(?<= so )"
    r"|(?<= though )|(?<= still )|(?<= honestly )|(?<= also ))",
    "not": r"(?: not|n't|nt| never)",
    "whether": r"(?:if|whether|why|how|what|which|where|when|who|about|that|it'?s|this|the|any)",
    "adverb": r"(?: (?:\w+ly|still|also|just|do|so|too|very|even|now|yet|quite|rather|at all|would"
    r"|'d|100%|kinda|(?:kind|sort) of|(?:tend|have|like|inclined) to|must admit i|all that|a bit"
    r"|a little|somewhat)){0,3}",
    "be": r"(?:'?m| am|'re| are|'ve been| have been| was| were)",
    "i": r"(?:i|we)(?:'d|'ll have to)?{adverb}",
    "pronoun": r"(?:it|this|that|there|they|we|he|she|these|those|the \w+)",
    "is": r"(?:'s|'re| is| are| was| were| will| would| might| could| should| can| may| has| have"
    r"| had| does| did| needs?| comes?| works?| got| gets?)",
    "number": r"(?:(?:[~≈<>$€£] ?)?\d[\w.,]*|(?:an? )?(?:half|third|quarter|dozen|hundred|thousand"
    r"|million|billion|couple|few|hour|minute|second|day|week|month|year)s?\b|(?:one|two|three|four"
    r"|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|forty|fifty)\b)",
    "weigh": r"(?:think|guess|believe|suspect|suppose|reckon|imagine|presume|wager|bet)",
    "doubt": r"(?:i (?:don't|do not) know|(?:i'?m )?(?:not sure|unsure)|(?:i )?could be wrong)",
    "hedge": r"(?:i |we )?(?:think|guess|believe|assume|suspect|maybe|perhaps|probably|likely|may"
    r"|might|could|typically|usually|often|generally|possibly|seems?|appears?|presumably|roughly"
    r"|approximately|unclear|not sure|unsure|afaik|iirc|tbd|speculate|hedge)",
}

# In capitals in a sentence of small letters, a technical hedge is a name (UNCLEAR) or RFC 2119's MAY.
ACRONYMS = ("TBD", "TBC")

# Every text with a phrase of the rule holds one of these words (runs of a-z), or ~ or ≈.
TRIGGERS = {
    "speculation": (
        "maybe perhaps guess guessing suspect reckon unsure uncertain clue misremembering misreading"
        " salt serves afaik afaict afair iirc iiuc iirw idk imo imho fwict beats knows loud aloud"
    ),
    "technical-hedge": (
        "may might could typically usually often generally normally commonly tends tend probably"
        " likely unlikely presumably presumedly supposedly apparently potentially possibly arguably"
        " conceivably plausibly seemingly ostensibly allegedly theoretically theory chances maybe"
        " perhaps seem seems seemed appear appears appeared looks feels sounds approximately approx"
        " roughly around about circa ballpark less so unclear clear known unverified untested"
        " unconfirmed undecided undetermined tbd tbc determined decided confirmed verified open"
        " seen unknown assume assuming needs need speculative cases time often ~ ≈"
    ),
}

# Or a word of the first row with one of the second row in the few words around it.
NEAR = (
    (
        "i im my me our we",
        "think thinking believe assume assuming suppose supposing imagine imagining presume"
        " presuming wager bet betting doubt wonder wondering speculate speculating gather surmise"
        " conjecture expect suspicious skeptical sceptical doubtful inclined tempted leaning hunch"
        " theory suspicion money assumption impression hypothesis opinion feeling gut instinct"
        " understanding recollection belief sense speculation intuition inkling view mind estimation"
        " judgement judgment reckoning feel say argue surprised worried afraid concerned know knew"
        " knowledge tell tells see understand understood remember recall recalled aware determine"
        " figure figured seen found heard misunderstanding misunderstood mistaken mistaking wrong"
        " head missing why certain sure vouch verify verified confirm confirmed able checked done"
        " investigate investigated looked dug dig thought tested tried pinned tracked worked"
        " convinced confident positive clear familiar expert confused lost puzzled baffled stumped"
        " unclear unaware unfamiliar clueless misread missed misremembered overlooked overthinking"
        " gotten got correct hold quote idea memory",
    ),
    (
        "not no zero could may might pretty fairly reasonably almost mostly somewhat quite nearly"
        " relatively kinda moderately largely",
        "sure certain confident convinced positive idea clear wrong mistaken missing off confusing"
        " confused misunderstanding overthinking imagining",
    ),
)

PASSES = {
    "speculation": (
        # Conditions and indirect questions: nobody is guessing yet.
        r"(?:if|when|whenever|unless|until|once|whether|what|how|than|as|before|after|way|let|can|why"
        r"|could|should|do|did|would|must|shall|may|might) {i} (?:think|guess|believe|assume|suspect"
        r"|suppose|imagine)",
        r"(?:if|when|whenever|where|unless|until|in case)(?: (?:you|they|users?|agents?|someone|one"
        r"|it|the \w+|an? \w+))?(?:'re|'s| are| is| feel| seem)?(?: still| ever)?{not}?(?: at all"
        r"| entirely| completely| quite| fully| 100%)?"
        r" (?:sure|certain|unsure|uncertain|confident)",
        # Thinking as an activity, not an opinion.
        r"(?:that|which|who) we think (?:are|is|would|will)",
        r"{i} (?:think|thinking) (?:of|about|through|in terms|ahead|twice|aloud)",
        r"{i}{be}{adverb} thinking (?:of|about|through|this|it)",
        # Rules about hedging.
        r"(?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|uncertain) (?:words?|phrases?|wording"
        r"|language|terms?)\b[^.;]{0,80}",
        r"(?<!other )(?:words?|phrases?|wording|language|expressions?)(?: like| such as|:| as in)"
        r"[^.;]{0,80}",
        r"(?:never|don't|do not|avoid|instead of|rather than|stop|no|not|must not|should not"
        r"|shouldn't|mustn't|without)(?: (?:say|write|use|saying|writing|using|answer|answering"
        r"|words?|the|a|an|any|vague|with|hedging|or|phrases?|start|starting|report|reporting))*:?"
        r" {hedge}\b(?:(?:,| or|, or| and|/) ?{hedge}\b)*",
        # Amounts and names.
        r"{lead}(?:maybe|perhaps) {number}",
        r"{lead}(?:maybe|perhaps) (?:types?|monads?|values?|remote|later)\b",
        r"(?<=[|:;(·] )(?:(?:{hedge}|{doubt}|maybe we should|perhaps we could)\b(?:, (?:or |and )?| or"
        r" |/)?){2,}(?= ?[|;)·]|$)",
        r"(?:yes|no)(?:/|, | or |, or )maybe",
        r"{lead}perhaps (?:the )?(?:most|more|best|least|not surprisingly|surprisingly|unsurprisingly)\b",
        # Instructions to an unsure reader.
        r"(?:not sure|not certain|unsure|uncertain|no idea|no clue) (?:[^.;,]{0,20} )?(?:you|your)\b",
        r"(?:not sure|not certain|unsure|uncertain|no idea|maybe|perhaps)[^.;:]{0,60}(?: →|: (?:ask"
        r"|use|see|check|run|read|try|start|default|prefer|stop|verify|look))",
    ),
    "technical-hedge": (
        # The month.
        r"(?:in|of|since|until|till|by|from|early|late|mid|last|next|this|every|during|before|after"
        r"|through|\d+(?:st|nd|rd|th)),? may\b(?! (?:be|have|not|also|cause)\b)",
        r"may,? \d+(?:st|nd|rd|th)?",
        r"\d\d? may(?= \d{4}| ?[,.;)—–]|$)",
        # Permission and advice.
        r"may(?: also| then| instead| either| optionally| freely| not| only| each| simply| explicitly"
        r"| additionally| always| even| therefore| thus)*(?: (?:use|pass|call|specify|omit|provide"
        r"|define|override|choose|opt|supply|set|add|declare|configure|register|implement|write|skip"
        r"|read|edit|create|proceed|import|invoke|access|depend|refer|reference|extend|do so|freely"
        r"|optionally|only|send|request|submit|assign|select|enable|disable|wish|want|apply|emit"
        r"|annotate|share|nest|modify|copy|distribute|reproduce|obtain|install|remove|delete|merge"
        r"|approve|close|open|run|edit)\b"
        r"| be (?:used|one of|specified|given|passed|set|omitted|called|included|added|combined"
        r"|configured|overridden|placed|written|declared|marked|updated|supplied|provided|defined"
        r"|nested|repeated|abbreviated|either|any|empty|null|none|absent|extended|invoked|applied"
        r"|customi[sz]ed|disabled|enabled|chained|assigned|accessed|annotated|imported|explicitly"
        r"|optionally|freely|shared|expressed|submitted|reported)\b)",
        r"may (?:only|optionally|not)\b(?! (?:\w+ )?(?:have|work|be (?:able|available|visible|accurate"
        r"|correct|enough|ready|present|possible|up|needed|necessary|the|a|what|obvious)|support"
        r"|reflect|match|exist|always|yet|show|know|see|include|contain|apply|need|want|appear"
        r"|recogni[sz]e|fully|get|give|return|fit|hold|behave|happen|matter)\b)",
        r"may appear (?:in|on|as|at|only|anywhere|before|after|inside|within)\b",
        r"(?:you|we|users|they|one) (?:may|might) (?:also )?(?:want|wish|like|prefer) to",
        r"(?:may|might|could) as well\b",
        # Ability, not possibility.
        r"(?:you|one|users|callers?) could (?!be\b|have|get|lose|see|end|run|hit|face|miss|break)",
        r"could(?:n't| not| never| no longer| only)",
        r"(?:so that|ensure|ensures|ensuring|before|until|where|wherever|whoever|whatever|who|as far"
        r" as|as soon as|nobody|none|no one|nothing|neither|nor|as \w+ as)(?: \w+){0,3}"
        r" could\b",
        # Degree, manner and fixed terms.
        r"(?:how|too|as|so|more|less|very|not|once|every so) often\b",
        r"generally[- ](?:available|accepted|speaking)",
        r"(?:as|so|log|equally|just as) likely",
        r"(?:not|n't) (?:supposed|necessarily)",
        r"(?:looks?|feels?|sounds?|seems?) like (?:this|these|the following|that|so)?(?= ?[:.,\0]|$)",
        r"appears? to (?:the|a|an|users?|clients?|callers?|your?)\b",
        r"(?:maybe|perhaps) (?:types?|monads?|values?|remote|{number})",
        r"(?:yes|no)(?:/|, | or |, or )maybe",
        # "about" and "around" that are prepositions.
        r"(?:talk|talks|talked|talking|think|know|knows|learn|info|information|questions?|docs|ask"
        r"|asks|asked|read|more|notes?|worry|care|tells?|said|lies?|details|wraps?|wrapped|wrapper"
        r"|works?|loops?|centered|built|lines?) (?:about|around)",
        r"~ ?\d+\.\d+\.\d\w*",
        # Conditions and instructions.
        r"(?:if|when|where|whenever|unless|until|in case|use|report|as|mark|marked|flag|flagged|any"
        r"|anything|no|the|an|all|every|replace|resolve|clarify|and|or) (?:(?!and |but )[\w'\0]+ )"
        r"{0,4}?(?:unclear|unverified|untested|unconfirmed|undecided|undetermined|not clear|tbd|tbc"
        r"|isn't clear|aren't clear)\b",
        r"(?:resolved?|closed?|answered|settled|no|zero)(?: \w+){0,3} open questions?",
        r"likely \w+(?= ?[:|])",
        r"(?:if|when|whenever|unless) (?:we assume|\w+ (?:seems?|appears?|looks?)\b)",
        r"(?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|vague) (?:words?|phrases?|wording"
        r"|language|terms?)\b[^.;]{0,80}",
        r"(?:words?|phrases?|wording|language|expressions?|hedges)(?: like| such as|:| as in)"
        r"[^.;]{0,80}",
        r"(?:never|don't|do not|avoid|stop)(?: (?:say|write|use|saying|writing|using|answer|words?"
        r"|the|any|vague|with|hedging|or|phrases?))+:? {hedge}\b(?:(?:,| or|, or| and|/) ?{hedge}\b)*",
    ),
}

PHRASES = {
    "speculation": {
        "own-guess": (
            r"{i} {weigh}",
            r"i{adverb} assume\b",
            r"i{be}{adverb} assuming",
            r"i(?: do| did|'d| would|'?ve)?{not}{adverb} (?:think|believe|suppose|imagine|expect)",
            r"we(?: do| would){not}{adverb} (?:think|believe|suppose|imagine)",
            r"{start}we{adverb} assume (?!that\b|all\b|every|each\b|any\b|\0|an? )",
            r"(?:i|we){adverb}(?: can| could)? only (?:assume|guess|speculate|suppose)",
            r"i{adverb} (?:doubt|wonder|speculate|gather|presume|surmise|conjecture|expect(?! to\b))\b",
            r"(?:i|we){be}{adverb} (?:guessing|betting|speculating|supposing|presuming|suspicious"
            r"|wondering|skeptical|sceptical|doubtful|inclined to|tempted to|thinking|leaning)",
            r"(?:if i had to|if i must|let me|at a|just a|only a|best|wild|educated|pure|rough) guess"
            r"(?= ?[:,.;)—–]| here| but| is| that| would| on my| at|$)",
            r"{elided}guessing (?:that |it|this|the|we|they|there)",
            r"{start}(?:guess|suspect|reckon|think|believe) (?:that )?{pronoun}{is}\b",
        ),
        "own-view": (
            r"my(?: \w+){0,2} (?:guess|hunch|theory|suspicion|bet|money|assumption|impression|hypothesis"
            r"|opinion|feeling|gut|instinct|understanding|recollection|belief|sense|speculation"
            r"|intuition|memory)(?: here| so far| for now| right now)?(?:'s| is| was| would be| says"
            r"| tells|:)",
            r"our(?: \w+)? (?:guess|hunch|suspicion|bet|impression|gut feeling|speculation)(?: here)?"
            r"(?:'s| is| was| would be)",
            r"in (?:my|our)(?: \w+)? (?:opinion|view|mind|estimation|judgement|judgment)\b",
            r"(?:to|by) my (?:mind|reckoning|way of thinking)\b",
            r"i{adverb} (?:have|had|get|got|'ve got)(?: \w+){0,2} (?:feeling|hunch|suspicion|sense"
            r"|impression|inkling)",
            r"i(?:'m| am|'ve been| was) under the impression",
            r"i{adverb} feel (?:like|that|as (?:if|though))",
            r"i'd say\b",
            r"i would (?:say|argue)\b",
            r"something tells me",
            r"(?:just )?thinking (?:out loud|aloud)",
            r"imh?o(?= ?[,.;:)—–]|$)",
            r"{elided}imh?o\b",
            r"i'd be surprised",
            r"i(?:'m| am) (?:\w+ )?(?:worried|afraid|concerned) (?:that )?(?:this|it|we|the)\b"
            r"(?! (?:pr|removal|removing)\b)",
            r"i (?:could|would|can) (?:imagine|see this|see it)",
        ),
        "own-knowledge": (
            r"(?:as|so) (?:far|best|much) as (?:i|we)(?:'m| am| are|'re| can| could|'ve| have)?{adverb}"
            r" (?:know|knew|tell|see|understand|understood|remember|recall|aware|determine|gather"
            r"|work out|figure out|read|seen|found|concerned)",
            r"(?:as|so) (?:best|well) (?:as )?i can",
            r"from what (?:i|we)(?: can| could|'ve| have)?{adverb} (?:know|tell|see|seen|understand"
            r"|understood|remember|recall|gather|gathered|read|heard|found|saw)",
            r"(?:if|unless|assuming) i(?:'m| am|'ve|'m not| have)?(?: not| do not| don't| correctly)?"
            r" (?:recall|remember|mistaken|misremembering|misreading|missing|misunderstanding|misread"
            r"|misunderstood|mistaking|understand|understood|wrong)(?: something| anything| this"
            r"| it| correctly)?",
            r"if memory serves",
            r"(?:to (?:the best of )?|that's (?:all )?|best of )(?:my|our) (?:knowledge|recollection"
            r"|understanding)",
            r"off (?:the top of )?my head",
            r"(?:afaik|afaict|fwict|afair|iirc|iiuc|iirw|idk)\b",
            r"i{adverb} (?:vaguely|dimly|seem to|faintly) (?:remember|recall)",
            r"i(?:'ve| have)? (?:only )?heard (?:that|it|this|the)\b",
        ),
        "own-ignorance": (
            r"i{adverb}(?: do| did| ca| can| could| would|'d)?(?:{not}|not){adverb} (?:know|understand|remember"
            r"|recall|tell|see why|be (?:sure|certain)|quite (?:know|understand|remember)|say (?:for"
            r"|if|whether|why|how|which|with)|get why|speak to|vouch|really tell)\b"
            r"(?! (?:of|about)\b)",
            r"we(?: do)?{not}{adverb} (?:know|remember|understand|recall|have any"
            r" idea) (?:(?:that |this |it |these |those )?(?:yet|why|for (?:sure|certain))|exactly why"
            r"|whether (?:this|that|it)|if (?:this|that|it)|what(?:'s| is| was| causes?| caused))\b",
            r"i(?:'ve| have| had| did| could| was)(?:{not}){adverb} (?:been )?(?:able to (?:tell|determine|verify|confirm|figure|find|reproduce)|verif(?:y|ied)"
            r"|figured?|found (?:what|why|out|how|the cause)|tracked|confirm(?:ed)?|checked|determine"
            r"|done an?|investigated?|looked|dug|dig|thought|think (?:of|through)"
            r"|find (?:why|out|the cause)|tested|tried|understood|pinned)\b",
            r"we(?:'ve| have)(?:{not}){adverb} (?:figured out|worked out|verified|confirmed|understood"
            r"|tracked down|found out)",
            r"(?:i|we){be}{adverb}{not}{adverb} (?:sure|certain|convinced|confident|positive|clear|familiar"
            r"|aware|an expert|too sure)\b(?! (?:of what you|you)\b)",
            r"(?:i|we){be}{adverb}(?: no longer| less than)? (?:unsure|uncertain|unclear|confused|lost"
            r"|puzzled|baffled|stumped|unaware|unfamiliar|clueless|no expert)",
            r"{elided}not{adverb} (?:sure|certain|clear to me)(?= (?:{whether}|of)\b| ?[,.;)…—–]|$)",
            r"{elided}(?:unsure|uncertain) (?:about|of|if|whether|why|how|what|which|where|when|who)\b",
            r"(?:i|we)(?:'ve| have| had|'ve got)?(?: honestly| really| still)?(?: have| got)?"
            r" (?:absolutely |literally )?(?:no|zero) (?:idea|clue)",
            r"i(?:'ve| have|'d)?{not} have (?:a|any|the (?:slightest|faintest)) (?:idea|clue)",
            r"{elided}(?:absolutely |honestly,? |literally )?(?:no|zero) (?:idea|clue) {whether}\b",
            r"(?:beats me|{start}who knows|god knows|lord knows|search me|your guess is as good)",
            r"i wish i knew",
        ),
        "own-error": (
            r"(?:i|we|{elided}|{start}this|{start}that)(?: could| may| might)(?: very| quite)?(?: well"
            r"| easily| also| still| totally| just| of course)*(?: be| have been) (?:wrong"
            r"|mistaken|misremembering|misreading|missing|misunderstanding|confus(?:ed|ing)|off base"
            r"|overthinking|imagining)\b",
            r"{elided}(?:could|may|might)(?: very)?(?: well| easily| also| still| totally| just)* be"
            r" (?:wrong|mistaken|misremembering|misreading|missing something)\b",
            r"i(?: could| may| might|'ve| have| probably| must| likely)(?: have| well| also)* (?:misread"
            r"|misunderstood|missed|misremembered|overlooked|gotten? this wrong|got this wrong)",
            r"correct me if",
            r"(?:don't|do not) (?:quote|hold) me (?:on|to)",
            r"(?:grain|pinch) of salt",
        ),
        "own-confidence": (
            r"(?:i{be}|we{be}|{elided}|{start}i)(?: \w+)? ?(?:pretty|fairly|reasonably|almost|mostly"
            r"|somewhat|quite|nearly|relatively|kinda|moderately|largely|semi|like|\d\d?%)(?: much"
            r"| \d\d?%)?[ -](?:sure|certain|confident|convinced|positive)\b",
        ),
        "suggestion": (
            r"(?:maybe|perhaps),? (?:we|i|you|one|someone|somebody)(?:'d|'ll)?(?: \w+)?"
            r"(?: should| could| can| might| ought| need| will| would| want| try| use)\b",
            r"(?:we|i) (?:could|should|might|can) (?:maybe|perhaps)\b",
            r"(?:maybe|perhaps) (?:i'm|i am|we're|i|let's)\b",
        ),
        "sentence-adverb": (
            r"{start}(?:maybe|perhaps)(?=,? [\w\0(])",
            r"(?:(?<=[,;—–] )|(?<=[(—–])|(?:and|but|so|or) )(?:maybe|perhaps),? {pronoun}{is}\b",
        ),
    },
    "technical-hedge": {
        "possibility": (
            r"may\b",
            r"might\b",
            r"could(?: \w+ly| also| still| even| then| in theory| in principle| well| easily)* (?:be|cause"
            r"|lead|result|contain|have|break|fail|happen|occur|include|introduce|create|become|mean"
            r"|affect|allow|expose|leak|produce|return|trigger|lose|make|take|block|miss|exceed|differ"
            r"|change|get|go|come|end|prevent|require|help|improve|reduce|increase|give|cost|conflict"
            r"|corrupt|overwrite|deadlock|hang|crash|accidentally|potentially|possibly|theoretically"
            r"|conceivably|plausibly|arguably|look|appear|need|work|explain|hide|mask|hurt|slow|grow"
            r"|add|interfere|escalate|bypass|race|drift|replace|serve|benefit|provide|support)\b",
            r"could \w+ly\b",
        ),
        "frequency": (
            r"(?:typically|usually|often|generally|normally|commonly)\b(?! ?[.;)—–])",
            r"(?:in (?:most|many|some) cases|most of the time|more often than not)\b",
            r"tends? to\b",
        ),
        "likelihood": (
            r"(?:probably|likely|unlikely|presumably|presumedly|supposedly|apparently|potentially"
            r"|possibly|arguably|conceivably|plausibly|seemingly|ostensibly|allegedly|theoretically"
            r"|maybe|perhaps)\b",
            r"in theory\b",
            r"chances are\b",
        ),
        "appearance": (
            r"(?:it |this |that |there )?(?:seems?|seemed)\b",
            r"(?:appears?|appeared) (?:to|that|as if|as though)\b",
            r"(?:it|{start}|that|this|which) ?(?:looks|feels|sounds) (?:like|as if|as though)\b",
        ),
        "approximation": (
            r"(?:approximately|approx|roughly|circa|in the ballpark|more or less)\b",
            r"(?:about|around) {number}",
            r"[~≈] ?\d[\d.,]*\w*",
            r"\d\w*(?: \w+)? or so\b",
        ),
        "open-doubt": (
            r"unclear\b",
            r"(?:not|n't)(?: \w+)? (?:clear|known)(?= (?:if|whether|why|how|what|which|where|when"
            r"|who|to me|yet|that)\b)",
            r"(?:is|are|was|were|be|remains?|stays?|still|currently|yet|as|{start}|it's) ?(?:unverified"
            r"|untested|unconfirmed|undecided|undetermined|speculative(?= ?[.,;:)])|unknown (?:if|whether|why|how"
            r"|what))\b",
            r"(?:unverified|untested|unconfirmed|undecided|undetermined)(?= ?[.,;:)—–]|$)",
            r"(?:not|n't|yet to be|not been)(?: \w+)? (?:verified|confirmed|determined|decided"
            r" (?:yet|if|whether|how|which))\b(?= (?:yet|if|whether|how|which|on|with)| ?[.;,)]|$)",
            r"tbd\b",
            r"tbc\b",
            r"to be (?:determined|decided|confirmed|verified)\b",
            r"open questions?\b",
            r"remains to be seen",
            r"needs? (?:verification|confirmation|verifying|confirming)\b",
        ),
        "working-assumption": (
            r"we{adverb} assume\b",
            r"we're{adverb} assuming\b",
            r"assumes? without\b",
        ),
    },
}

MESSAGES = {
    "own-guess": "The author is guessing.",
    "own-view": "The author gives an impression, not a fact.",
    "own-knowledge": "The author limits this to what they happen to know or remember.",
    "own-ignorance": "The author says they do not know.",
    "own-error": "The author says this may be wrong.",
    "own-confidence": "The author is only fairly sure.",
    "suggestion": "This is a suggestion; nothing was decided.",
    "sentence-adverb": "The whole sentence is a guess.",
    "possibility": "It says what could be, not what is.",
    "frequency": "It says how often, but not when.",
    "likelihood": "It says that something is likely, not that it is so.",
    "appearance": "It says how something looks, not what it is.",
    "approximation": "The number is approximate.",
    "open-doubt": "It says that this is open.",
    "working-assumption": "It rests on an assumption.",
}
