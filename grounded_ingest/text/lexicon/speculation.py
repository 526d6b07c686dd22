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
    # The case of the reader or of a user, not the author's doubt.
    ("maybe perhaps", r"{lead}(?:maybe|perhaps) (?:you|your)\b"),
    (
        "maybe perhaps",
        r"{lead}(?:maybe|perhaps) (?:they|he|she|the users?)(?:'re| are| were)? (?:already |just )?"
        r"(?:like|have an?|wants?|prefers?|asks?|says?|means?)",
    ),
    # Rules about hedging.
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
            "my our + opinion view mind estimation judgement judgment",
            r"in (?:my|our)(?: \w+)? (?:opinion|view|mind|estimation|judgement|judgment)\b",
        ),
        (
            "i + feeling hunch suspicion sense impression inkling",
            r"i{adverb} (?:have|had|get|got|'ve got)(?: \w+){0,2} (?:feeling|hunch|suspicion|sense"
            r"|impression|inkling)",
        ),
        ("i + feel", r"i{adverb} feel (?:like|that|as (?:if|though))"),
        ("something + tells", r"something tells me"),
        ("thinking", r"(?:just )?thinking (?:out loud|aloud)"),
        ("imo imho", r"imh?o(?= ?[,.;:)—–]|$)"),
        ("imo imho", r"{elided}imh?o\b"),
        (
            "i + worried afraid concerned",
            r"i(?:'m| am) (?:\w+ )?(?:worried|afraid|concerned) (?:that )?(?:this|it|we|the)\b(?!"
            r" (?:pr|removal|removing)\b)",
        ),
        ("i + imagine", r"i (?:could|would|can) imagine"),
    ),
    "own-knowledge": (
        (
            "i we + far best much",
            r"(?:as|so) (?:far|best|much) as (?:i|we)(?:'m| am| are|'re| can| could|'ve|"
            r" have)?{adverb} (?:know|knew|tell|see|understand|understood|remember|recall|aware"
            r"|determine|gather|work out|figure out|read|seen|found|concerned)",
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
        (
            "afaik afaict fwict afair iirc iiuc iirw idk",
            r"(?:afaik|afaict|fwict|afair|iirc|iiuc|iirw|idk)\b",
        ),
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
