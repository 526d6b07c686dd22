"""Phrases that express a guess, and similar phrases that do not. `hedges.py` explains the
notation."""

from grounded_ingest.text.lexicon.hedges import HEDGE_WORDS

PASSES = (
    # Conditions and indirect questions: nobody is guessing yet.
    (
        "i we + think guess believe assume suspect suppose imagine",
        r"(?:if|when|whenever|unless|until|once|whether|what|how|than|as|before|after|way|let|can|why"
        r"|could|should|do|did|would|must|shall|may|might) {i} (?:think|guess|believe|assume|suspect"
        r"|suppose|imagine)",
    ),
    (
        "i we in int wen went + believe",
        r"{i}(?: would| do| could| can)?{not}? believe (?:in|any\w*|him|her|them|you)",
    ),
    ("tried try", r"(?:i|we)(?:'ve| have| had| did){not} (?:tried|try) to\b"),
    (
        "sure certain unsure uncertain confident",
        r"(?:if|when|whenever|where|unless|until|in case)(?: (?:you|they|users?|agents?|someone|one|it"
        r"|i|we|the \w+|an? \w+))?(?:'re|'s|'m| am| are| is| feel| seem)?(?: still| ever)?{not}?(?: at all|"
        r" entirely| completely| quite| fully| 100%)? (?:sure|certain|unsure|uncertain|confident)",
    ),
    # Thinking as an activity, not an opinion.
    ("think", r"(?:that|which|who) we think (?:are|is|would|will)"),
    (
        "i we + think thinking",
        r"{i} (?:think|thinking) (?:of|about|through|in terms|ahead|twice|aloud)",
    ),
    ("i we im wem + thinking", r"{i}{be}{adverb} thinking (?:of|about|through|this|it|how)"),
    # The reader's case, not the author's doubt.
    ("maybe perhaps", r"{lead}(?:maybe|perhaps) (?:you|your)\b"),
    # Rules about hedging.
    (
        "hedge hedges hedged hedging weasel speculative tentative uncertain",
        r"(?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|uncertain) (?:words?|phrases?|wording"
        r"|language|terms?)\b[^.;]{0,80}",
    ),
    (
        "word words phrase phrases wording language expression expressions",
        r"(?<!other )(?:words?|phrases?|wording|language|expressions?)(?: like| such as|:| as"
        r" in)[^.;]{0,80}",
    ),
    (
        HEDGE_WORDS,
        r"(?:never|don't|do not|avoid|instead of|rather than|stop|no|not|must not|should not|shouldn't"
        r"|mustn't|without)(?: (?:say|write|use|saying|writing|using|answer|answering|words?|the|a|an"
        r"|any|vague|with|hedging|or|phrases?|start|starting|report|reporting))*:? {hedge}\b(?:(?:,|"
        r" or|, or| and|/) ?{hedge}\b)*",
    ),
    # Amounts and names.
    ("maybe perhaps", r"{lead}(?:maybe|perhaps) {number}"),
    ("maybe perhaps", r"{lead}(?:maybe|perhaps) (?:types?|monads?|values?|remote|later)\b"),
    (
        f"{HEDGE_WORDS} know wrong",
        r"(?<=[|:;(·] )(?:(?:{hedge}|{doubt}|maybe we should|perhaps we could)\b(?:, (?:or |and )?| or"
        r" |/)?){2,}(?= ?[|;)·]|$)",
    ),
    ("maybe", r"(?:yes|no)(?:/|, | or |, or )maybe"),
    (
        "perhaps",
        r"{lead}perhaps (?:the )?(?:most|more|best|least|not surprisingly|surprisingly"
        r"|unsurprisingly)\b",
    ),
    # Instructions to an unsure reader.
    ("know", r"{start}(?:don't|do not) know (?:[^.;,]{0,20} )?(?:you|your)\b"),
    (
        "you your",
        r"(?:not sure|not certain|unsure|uncertain|no idea|no clue) (?:[^.;,]{0,20} )?(?:you|your)\b",
    ),
    (
        "",
        r"(?:not sure|not certain|unsure|uncertain|no idea|maybe|perhaps)[^.;:]{0,60}(?: →|: (?:ask"
        r"|use|see|check|run|read|try|start|default|prefer|stop|verify|look))",
    ),
)

# Doubt of somebody else, or in the past. The patterns `past`, `denied` and `attempt` are searched
# in the hedge itself; `at first`, `denying` and `telling` in the words before the hedge; `settled`
# in the words after it.
REPORTED = {
    "past": r"\b(?:was|were|had|thought|assumed|believed|suspected|guessed|felt)(?:n't)?\b"
    r"|\bdid(?:n't| not)(?: \w+){0,2} (?:think|believe|suppose|imagine|expect|know|realise|realize"
    r"|understand|remember|recall|see)\b",
    "attempt": r"\b(?:could|did|have|has)(?:n't| not)\b|'ve not\b",
    "at first": r"\b(?:at first|at the time|initially|originally|earlier|until then|back then)\b",
    "settled": r"\b(?:turned out|turns out|it was|until|(?:but|now|then|so|later|eventually|since)"
    r"(?:,)? (?:i|we|it|the|that|this)\b|eventually|is now|are now|has since|have since)",
    "denied": r"(?:\bnot|n't|\bnever)(?: \w+)? (?:merely|just|only|simply|solely|purely)\b"
    r"|\bno longer (?:un|confused|lost|puzzled|baffled|stumped|clueless)",
    "denying": r"(?:\bnot|n't|\bnever|\bno longer|\bwithout|\brather than|\binstead of|\bnor)"
    r"(?: (?:a|an|any|the|list|of|things|something|because|that|what|where|how|since|as if"
    r"|as though|meant?|means?|imply|saying|claiming|say|claim|merely|just|only|simply|to))* $",
    "telling": r"(?<!\bi )(?<!\bwe )\b(?:says|said|wrote|writes|asked|asks|replied|answered|argued"
    r"|argues|noted|commented|claims|claimed|reports|reported|states|stated|told \w+)"
    r"(?: (?:to )?(?:me|us|him|her|them))?(?: back| later)?(?: that|:|,)? $"
    r"|\b(?:things|where|what) $",
}

PHRASES = {
    "own-guess": (
        (
            "i we + think guess believe suspect suppose reckon imagine presume wager bet",
            r"(?:i|we)(?:'d|'ll have to)?{adverb} {weigh}",
        ),
        ("i + assume", r"i{adverb} assume\b"),
        ("i im + assuming", r"i{be}{adverb} assuming"),
        (
            "i ive in int iven ivent + think believe suppose imagine expect",
            r"i(?: do| did|'d| would|'?ve)?{not}{adverb} (?:think|believe|suppose|imagine|expect)",
        ),
        (
            "we + think believe suppose imagine",
            r"we{adverb}(?: do| would){not}{adverb} (?:think|believe|suppose|imagine)",
        ),
        (
            "we + assume",
            r"(?<=[.!?] )we{adverb} assume(?= (?!that\b|either\b|all\b|every|each\b|any\b|\0|an? ))",
        ),
        (
            "i we + assume guess speculate suppose",
            r"(?:i|we){adverb}(?: can| could)? only (?:assume|guess|speculate|suppose)",
        ),
        (
            "i + doubt wonder speculate gather presume surmise conjecture expect",
            r"i{adverb} (?:doubt|wonder|speculate|gather|presume|surmise|conjecture|expect(?! to\b))\b",
        ),
        (
            "i we im wem + guessing betting speculating supposing presuming suspicious wondering skeptical sceptical doubtful inclined tempted thinking leaning",
            r"(?:i|we){be}{adverb} (?:guessing|betting|speculating|supposing|presuming|suspicious"
            r"|wondering|skeptical|sceptical|doubtful|inclined to|tempted to|thinking|leaning)",
        ),
        (
            "guess",
            r"(?:if i had to|if i must|let me|at a|just a|only a|best|wild|educated|pure|rough)"
            r" guess(?= ?[:,.;)—–]| here| but| is| that| would| on my| at|$)",
        ),
        ("guessing", r"{start}guessing (?:that |it|this|the|we|they|there)"),
        (
            "guess suspect reckon think believe",
            r"{start}(?:guess|suspect|reckon|think|believe) (?:that )?{pronoun}{is}\b",
        ),
    ),
    "own-view": (
        (
            "my + guess hunch theory suspicion bet money assumption impression hypothesis opinion feeling gut instinct understanding recollection belief sense speculation intuition memory",
            r"my(?: \w+){0,2} (?:guess|hunch|theory|suspicion|bet|money|assumption|impression"
            r"|hypothesis|opinion|feeling|gut|instinct|understanding|recollection|belief|sense"
            r"|speculation|intuition|memory)(?: here| so far| for now| right now)?(?:'s| is| was|"
            r" would be| says| tells|:)",
        ),
        (
            "our + guess hunch suspicion bet impression feeling speculation",
            r"our(?: \w+)? (?:guess|hunch|suspicion|bet|impression|gut feeling|speculation)(?:"
            r" here)?(?:'s| is| was| would be)",
        ),
        (
            "my our + opinion view mind estimation judgement judgment",
            r"in (?:my|our)(?: \w+)? (?:opinion|view|mind|estimation|judgement|judgment)\b",
        ),
        ("my + mind reckoning thinking", r"(?:to|by) my (?:mind|reckoning|way of thinking)\b"),
        (
            "i + feeling hunch suspicion sense impression inkling",
            r"i{adverb} (?:have|had|get|got|'ve got)(?: \w+){0,2} (?:feeling|hunch|suspicion|sense"
            r"|impression|inkling)",
        ),
        ("impression", r"i(?:'m| am|'ve been| was) under the impression"),
        ("i + feel", r"i{adverb} feel (?:like|that|as (?:if|though))"),
        ("i + say", r"i'd say\b"),
        ("i + say argue", r"i would (?:say|argue)\b"),
        (
            "my + understanding impression belief view opinion recollection",
            r"it(?:'s| is) my (?:understanding|impression|belief|view|opinion|recollection)",
        ),
        ("something + tells", r"something tells me"),
        ("thinking", r"(?:just )?thinking (?:out loud|aloud)"),
        ("imo imho", r"imh?o(?= ?[,.;:)—–]|$)"),
        ("imo imho", r"{elided}imh?o\b"),
        ("i + surprised", r"i'd be surprised"),
        (
            "i + worried afraid concerned",
            r"i(?:'m| am) (?:\w+ )?(?:worried|afraid|concerned) (?:that )?(?:this|it|we|the)\b(?!"
            r" (?:pr|removal|removing)\b)",
        ),
        ("i + imagine", r"i (?:could|would|can) imagine"),
        ("i + see", r"i (?:could|would) see (?:this|it)"),
    ),
    "own-knowledge": (
        (
            "i we + far best much",
            r"(?:as|so) (?:far|best|much) as (?:i|we)(?:'m| am| are|'re| can| could|'ve|"
            r" have)?{adverb} (?:know|knew|tell|see|understand|understood|remember|recall|aware"
            r"|determine|gather|work out|figure out|read|seen|found|concerned)",
        ),
        ("i + best well", r"(?:as|so) (?:best|well) (?:as )?i can"),
        (
            "i we + what",
            r"from what (?:i|we)(?: can| could|'ve| have)?{adverb} (?:know|tell|see|seen|understand"
            r"|understood|remember|recall|gather|gathered|read|heard|found|saw)",
        ),
        (
            "i + recall remember mistaken misremembering misreading missing misunderstanding misread misunderstood mistaking understand understood wrong",
            r"(?:if|unless|assuming) i(?:'m| am|'ve|'m not| have)?(?: not| do not| don't| correctly)?"
            r" (?:recall|remember(?! to\b)|mistaken|misremembering|misreading|missing|misunderstanding"
            r"|misread|misunderstood|mistaking|understand|understood|wrong)(?: something| anything| this| it|"
            r" correctly)?",
        ),
        ("serves", r"if memory serves"),
        (
            "my our + knowledge recollection understanding",
            r"(?:to (?:the best of )?|that's (?:all )?|best of )(?:my|our) (?:knowledge|recollection"
            r"|understanding)",
        ),
        ("my + head", r"off (?:the top of )?my head"),
        (
            "afaik afaict fwict afair iirc iiuc iirw idk",
            r"(?:afaik|afaict|fwict|afair|iirc|iiuc|iirw|idk)\b",
        ),
        ("i + remember recall", r"i{adverb} (?:vaguely|dimly|seem to|faintly) (?:remember|recall)"),
        ("i + heard", r"i(?:'ve| have)? (?:only )?heard (?:that|it|this|the)\b"),
    ),
    "own-ignorance": (
        (
            "i in int inot + know understand remember recall tell why sure certain quite say speak vouch",
            r"i{adverb}(?: do| did| ca| can| could| would|'d)?(?:{not}|not){adverb} (?:know|understand"
            r"|remember|recall|tell|see why|be (?:sure|certain)|quite (?:know|understand|remember)|say"
            r" (?:for|if|whether|why|how|which|with)|get why|speak to|vouch|really tell)\b(?! (?:of"
            r"|about)\b)",
        ),
        (
            "we wen went + know remember understand recall idea",
            r"we(?: do)?{not}{adverb} (?:know|remember|understand|recall|have any idea) (?:(?:that "
            r"|this |it |these |those )?(?:yet|why|for (?:sure|certain))|exactly why|whether (?:this"
            r"|that|it)|if (?:this|that|it)|what(?:'s| is| was| causes?| caused))\b",
        ),
        (
            "i + able verify verified figure figured found tracked confirm confirmed checked determine done investigate investigated looked dug dig thought think find tested tried understood pinned",
            r"i(?:'ve| have| had| did| could| was)(?:{not}){adverb} (?:been )?(?:able to (?:tell"
            r"|determine|verify|confirm|figure|find|reproduce)|verif(?:y|ied)|figured?|found (?:what"
            r"|why|out|how|the cause)|tracked|confirm(?:ed)?|checked|determine|done an?|investigated?"
            r"|looked|dug|dig|thought|think (?:of|through)|find (?:why|out|the cause)|tested|tried"
            r"|understood|pinned)\b",
        ),
        (
            "we + figured worked verified confirmed understood tracked found",
            r"we(?:'ve| have)(?:{not}){adverb} (?:figured out|worked out|verified|confirmed|understood"
            r"|tracked down|found out)",
        ),
        (
            "i we im wem imn imnt wemn wemnt + sure certain convinced confident positive clear familiar aware expert",
            r"(?:i|we){be}{adverb}{not}{adverb} (?:sure|certain|convinced|confident|positive|clear"
            r"|familiar|aware|an expert|too sure)\b(?! (?:of what you|you)\b)",
        ),
        (
            "i we im wem + unsure uncertain unclear confused lost puzzled baffled stumped unaware unfamiliar clueless expert",
            r"(?:i|we){be}{adverb}(?: no longer| less than)? (?:unsure|uncertain|unclear|confused|lost"
            r"|puzzled|baffled|stumped|unaware|unfamiliar|clueless|no expert)",
        ),
        (
            "sure certain clear",
            r"{elided}not{adverb} (?:sure|certain|clear to me)(?= (?:{whether}|of)\b| ?[,.;)…—–]|$)",
        ),
        (
            "unsure uncertain",
            r"{elided}(?:unsure|uncertain) (?:about|of|if|whether|why|how|what|which|where|when|who)\b",
        ),
        (
            "i we + idea clue",
            r"(?:i|we)(?:'ve| have| had|'ve got)?(?: honestly| really| still)?(?: have| got)?"
            r" (?:absolutely |literally )?(?:no|zero) (?:idea|clue)",
        ),
        (
            "i in int + idea clue",
            r"i(?:'ve| have|'d)?{not} have (?:a|any|the (?:slightest|faintest)) (?:idea|clue)",
        ),
        (
            "idea clue",
            r"{elided}(?:absolutely |honestly,? |literally )?(?:no|zero) (?:idea|clue) {whether}\b",
        ),
        (
            "beats knows search guess",
            r"(?:beats me|{start}who knows|god knows|lord knows|search me|your guess is as good)",
        ),
        (
            "know remember recall",
            r"{start}(?:don'?t|do not|can'?t|cannot) (?:know|remember|recall)\b",
        ),
        ("dunno", r"{elided}dunno\b"),
        ("i + wish", r"i wish i knew"),
    ),
    "own-error": (
        (
            "wrong mistaken misremembering misreading missing misunderstanding confused confusing off overthinking imagining",
            r"(?:i|we|{elided}|{start}this|{start}that)(?: could| may| might)(?: very| quite)?(?: well"
            r"| easily| also| still| totally| just| of course)*(?: be| have been) (?:wrong|mistaken"
            r"|misremembering|misreading|missing|misunderstanding|confus(?:ed|ing)|off base"
            r"|overthinking|imagining)\b",
        ),
        (
            "wrong mistaken misremembering misreading missing",
            r"{elided}(?:could|may|might)(?: very)?(?: well| easily| also| still| totally| just)* be"
            r" (?:wrong|mistaken|misremembering|misreading|missing something)\b",
        ),
        (
            "i + misread misunderstood missed misremembered overlooked wrong",
            r"i(?: could| may| might|'ve| have| probably| must| likely)(?: have| well| also)*"
            r" (?:misread|misunderstood|missed|misremembered|overlooked|gotten? this wrong|got this"
            r" wrong)",
        ),
        ("correct", r"correct me if"),
        ("me + quote hold", r"(?:don't|do not) (?:quote|hold) me (?:on|to)"),
        ("salt", r"(?:grain|pinch) of salt"),
    ),
    "own-confidence": (
        (
            "sure certain confident convinced positive",
            r"(?:i{be}|we{be}|{elided}|{start}i)(?: \w+)? ?(?:pretty|fairly|reasonably|almost|mostly"
            r"|somewhat|quite|nearly|relatively|kinda|moderately|largely|semi|like|\d\d?%)(?: much|"
            r" \d\d?%)?[ -](?:sure|certain|confident|convinced|positive)\b",
        ),
    ),
    "suggestion": (
        (
            "maybe perhaps",
            r"(?:maybe|perhaps),? (?:we|i|you|one|someone|somebody)(?:'d|'ll)?(?: \w+)?(?: should|"
            r" could| can| might| ought| need| will| would| want| try| use)\b",
        ),
        ("maybe perhaps", r"(?:we|i) (?:could|should|might|can) (?:maybe|perhaps)\b"),
        ("maybe perhaps", r"(?:maybe|perhaps) (?:i'm|i am|we're|i|let's)\b"),
    ),
    "sentence-adverb": (
        ("maybe perhaps", r"(?<=[.!?:;] ){lead}(?:maybe|perhaps)(?=,? [\w\0(])"),
        (
            "maybe perhaps",
            r"(?:(?<=[,;—–…] )|(?<=[(—–])|(?:and|but|so|or) )(?:maybe|perhaps),? (?:(?:{pronoun}"
            r"|[\w\0]+){is}|(?:it|they|we|he|she|there) \w+)\b",
        ),
    ),
}
