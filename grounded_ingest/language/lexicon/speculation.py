"""Words with which an author guesses, and the lookalikes that do not. Notation: `hedges.py`."""

# Every text with a phrase holds one of these words (runs of a-z),
# or a pair of `NEAR`.
TRIGGERS = (
    "maybe perhaps guess guessing suspect reckon unsure uncertain clue misremembering misreading salt serves afaik afaict afair iirc iiuc "
    "iirw idk imo imho fwict beats knows loud aloud dunno"
)

# Or a word of the first row, and one of the second row among the eight words after it.
NEAR = (
    ("something correct quote hold", "me"),
    ("don dont do can cannot cant", "know remember recall"),
    (
        "we our",
        (
            "think thinking believe suppose supposing imagine presume presuming assume assuming bet betting speculate speculating wonder "
            "wondering suspicious skeptical sceptical doubtful inclined tempted leaning hunch suspicion impression gut feeling speculation "
            "opinion view mind estimation judgement judgment knowledge recollection understanding know knew tell remember recall aware "
            "determine gather seen understood figured worked convinced confident certain clear familiar confused lost puzzled baffled "
            "stumped unclear unaware unfamiliar clueless idea wrong mistaken misunderstanding"
        ),
    ),
    (
        "i im my",
        (
            "think thinking believe assume assuming suppose supposing imagine imagining presume presuming wager bet betting doubt wonder "
            "wondering speculate speculating gather surmise conjecture expect suspicious skeptical sceptical doubtful inclined tempted "
            "leaning hunch theory suspicion money assumption impression hypothesis opinion feeling gut instinct understanding recollection "
            "belief sense speculation intuition inkling view mind estimation judgement judgment reckoning feel say argue surprised worried "
            "afraid concerned know knew knowledge tell tells see understand understood remember recall recalled aware determine figure "
            "figured seen found heard misunderstanding misunderstood mistaken mistaking wrong head missing why certain sure vouch verify "
            "verified confirm confirmed able checked done investigate investigated looked dug dig thought tested tried pinned tracked "
            "worked convinced confident positive clear familiar expert confused lost puzzled baffled stumped unclear unaware unfamiliar "
            "clueless misread missed misremembered overlooked overthinking gotten got idea"
        ),
    ),
    (
        "not no zero could may might pretty fairly reasonably almost mostly somewhat quite nearly relatively kinda moderately largely",
        (
            "sure certain confident convinced positive idea clear wrong mistaken missing off confusing confused misunderstanding "
            "overthinking imagining"
        ),
    ),
)  # fmt: skip

PASSES = (
    # Conditions and indirect questions: nobody is guessing yet.
    r"(?:if|when|whenever|unless|until|once|whether|what|how|than|as|before|after|way|let|can|why"
    r"|could|should|do|did|would|must|shall|may|might) {i} (?:think|guess|believe|assume|suspect"
    r"|suppose|imagine)",
    r"{i}(?: would| do| could| can)?{not}? believe (?:in|any\w*|him|her|them|you)",
    r"(?:i|we)(?:'ve| have| had| did){not} (?:tried|try) to\b",
    r"(?:if|when|whenever|where|unless|until|in case)(?: (?:you|they|users?|agents?|someone|one|it"
    r"|i|we|the \w+|an? \w+))?(?:'re|'s|'m| am| are| is| feel| seem)?(?: still| ever)?{not}?(?: at all|"
    r" entirely| completely| quite| fully| 100%)? (?:sure|certain|unsure|uncertain|confident)",
    # Thinking as an activity, not an opinion.
    r"(?:that|which|who) we think (?:are|is|would|will)",
    r"{i} (?:think|thinking) (?:of|about|through|in terms|ahead|twice|aloud)",
    r"{i}{be}{adverb} thinking (?:of|about|through|this|it|how)",
    # The reader's case, not the author's doubt.
    r"{lead}(?:maybe|perhaps) (?:you|your)\b",
    # Rules about hedging.
    r"(?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|uncertain) (?:words?|phrases?|wording"
    r"|language|terms?)\b[^.;]{0,80}",
    r"(?<!other )(?:words?|phrases?|wording|language|expressions?)(?: like| such as|:| as"
    r" in)[^.;]{0,80}",
    r"(?:never|don't|do not|avoid|instead of|rather than|stop|no|not|must not|should not|shouldn't"
    r"|mustn't|without)(?: (?:say|write|use|saying|writing|using|answer|answering|words?|the|a|an"
    r"|any|vague|with|hedging|or|phrases?|start|starting|report|reporting))*:? {hedge}\b(?:(?:,|"
    r" or|, or| and|/) ?{hedge}\b)*",
    # Amounts and names.
    r"{lead}(?:maybe|perhaps) {number}",
    r"{lead}(?:maybe|perhaps) (?:types?|monads?|values?|remote|later)\b",
    r"(?<=[|:;(·] )(?:(?:{hedge}|{doubt}|maybe we should|perhaps we could)\b(?:, (?:or |and )?| or"
    r" |/)?){2,}(?= ?[|;)·]|$)",
    r"(?:yes|no)(?:/|, | or |, or )maybe",
    r"{lead}perhaps (?:the )?(?:most|more|best|least|not surprisingly|surprisingly"
    r"|unsurprisingly)\b",
    # Instructions to an unsure reader.
    r"{start}(?:don't|do not) know (?:[^.;,]{0,20} )?(?:you|your)\b",
    r"(?:not sure|not certain|unsure|uncertain|no idea|no clue) (?:[^.;,]{0,20} )?(?:you|your)\b",
    r"(?:not sure|not certain|unsure|uncertain|no idea|maybe|perhaps)[^.;:]{0,60}(?: →|: (?:ask"
    r"|use|see|check|run|read|try|start|default|prefer|stop|verify|look))",
)

# Doubt that is not the author's own, or not any more. `past`, `denied` and `attempt` are sought in
# the words of the hedge, `at first`, `denying` and `telling` before them, `settled` behind.
TOLD = {
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
        r"(?:i|we)(?:'d|'ll have to)?{adverb} {weigh}",
        r"i{adverb} assume\b",
        r"i{be}{adverb} assuming",
        r"i(?: do| did|'d| would|'?ve)?{not}{adverb} (?:think|believe|suppose|imagine|expect)",
        r"we{adverb}(?: do| would){not}{adverb} (?:think|believe|suppose|imagine)",
        r"(?<=[.!?] )we{adverb} assume(?= (?!that\b|either\b|all\b|every|each\b|any\b|\0|an? ))",
        r"(?:i|we){adverb}(?: can| could)? only (?:assume|guess|speculate|suppose)",
        r"i{adverb} (?:doubt|wonder|speculate|gather|presume|surmise|conjecture|expect(?! to\b))\b",
        r"(?:i|we){be}{adverb} (?:guessing|betting|speculating|supposing|presuming|suspicious"
        r"|wondering|skeptical|sceptical|doubtful|inclined to|tempted to|thinking|leaning)",
        r"(?:if i had to|if i must|let me|at a|just a|only a|best|wild|educated|pure|rough)"
        r" guess(?= ?[:,.;)—–]| here| but| is| that| would| on my| at|$)",
        r"{start}guessing (?:that |it|this|the|we|they|there)",
        r"{start}(?:guess|suspect|reckon|think|believe) (?:that )?{pronoun}{is}\b",
    ),
    "own-view": (
        r"my(?: \w+){0,2} (?:guess|hunch|theory|suspicion|bet|money|assumption|impression"
        r"|hypothesis|opinion|feeling|gut|instinct|understanding|recollection|belief|sense"
        r"|speculation|intuition|memory)(?: here| so far| for now| right now)?(?:'s| is| was|"
        r" would be| says| tells|:)",
        r"our(?: \w+)? (?:guess|hunch|suspicion|bet|impression|gut feeling|speculation)(?:"
        r" here)?(?:'s| is| was| would be)",
        r"in (?:my|our)(?: \w+)? (?:opinion|view|mind|estimation|judgement|judgment)\b",
        r"(?:to|by) my (?:mind|reckoning|way of thinking)\b",
        r"i{adverb} (?:have|had|get|got|'ve got)(?: \w+){0,2} (?:feeling|hunch|suspicion|sense"
        r"|impression|inkling)",
        r"i(?:'m| am|'ve been| was) under the impression",
        r"i{adverb} feel (?:like|that|as (?:if|though))",
        r"i'd say\b",
        r"i would (?:say|argue)\b",
        r"it(?:'s| is) my (?:understanding|impression|belief|view|opinion|recollection)",
        r"something tells me",
        r"(?:just )?thinking (?:out loud|aloud)",
        r"imh?o(?= ?[,.;:)—–]|$)",
        r"{elided}imh?o\b",
        r"i'd be surprised",
        r"i(?:'m| am) (?:\w+ )?(?:worried|afraid|concerned) (?:that )?(?:this|it|we|the)\b(?!"
        r" (?:pr|removal|removing)\b)",
        r"i (?:could|would|can) imagine",
        r"i (?:could|would) see (?:this|it)",
    ),
    "own-knowledge": (
        r"(?:as|so) (?:far|best|much) as (?:i|we)(?:'m| am| are|'re| can| could|'ve|"
        r" have)?{adverb} (?:know|knew|tell|see|understand|understood|remember|recall|aware"
        r"|determine|gather|work out|figure out|read|seen|found|concerned)",
        r"(?:as|so) (?:best|well) (?:as )?i can",
        r"from what (?:i|we)(?: can| could|'ve| have)?{adverb} (?:know|tell|see|seen|understand"
        r"|understood|remember|recall|gather|gathered|read|heard|found|saw)",
        r"(?:if|unless|assuming) i(?:'m| am|'ve|'m not| have)?(?: not| do not| don't| correctly)?"
        r" (?:recall|remember(?! to\b)|mistaken|misremembering|misreading|missing|misunderstanding"
        r"|misread|misunderstood|mistaking|understand|understood|wrong)(?: something| anything| this| it|"
        r" correctly)?",
        r"if memory serves",
        r"(?:to (?:the best of )?|that's (?:all )?|best of )(?:my|our) (?:knowledge|recollection"
        r"|understanding)",
        r"off (?:the top of )?my head",
        r"(?:afaik|afaict|fwict|afair|iirc|iiuc|iirw|idk)\b",
        r"i{adverb} (?:vaguely|dimly|seem to|faintly) (?:remember|recall)",
        r"i(?:'ve| have)? (?:only )?heard (?:that|it|this|the)\b",
    ),
    "own-ignorance": (
        r"i{adverb}(?: do| did| ca| can| could| would|'d)?(?:{not}|not){adverb} (?:know|understand"
        r"|remember|recall|tell|see why|be (?:sure|certain)|quite (?:know|understand|remember)|say"
        r" (?:for|if|whether|why|how|which|with)|get why|speak to|vouch|really tell)\b(?! (?:of"
        r"|about)\b)",
        r"we(?: do)?{not}{adverb} (?:know|remember|understand|recall|have any idea) (?:(?:that "
        r"|this |it |these |those )?(?:yet|why|for (?:sure|certain))|exactly why|whether (?:this"
        r"|that|it)|if (?:this|that|it)|what(?:'s| is| was| causes?| caused))\b",
        r"i(?:'ve| have| had| did| could| was)(?:{not}){adverb} (?:been )?(?:able to (?:tell"
        r"|determine|verify|confirm|figure|find|reproduce)|verif(?:y|ied)|figured?|found (?:what"
        r"|why|out|how|the cause)|tracked|confirm(?:ed)?|checked|determine|done an?|investigated?"
        r"|looked|dug|dig|thought|think (?:of|through)|find (?:why|out|the cause)|tested|tried"
        r"|understood|pinned)\b",
        r"we(?:'ve| have)(?:{not}){adverb} (?:figured out|worked out|verified|confirmed|understood"
        r"|tracked down|found out)",
        r"(?:i|we){be}{adverb}{not}{adverb} (?:sure|certain|convinced|confident|positive|clear"
        r"|familiar|aware|an expert|too sure)\b(?! (?:of what you|you)\b)",
        r"(?:i|we){be}{adverb}(?: no longer| less than)? (?:unsure|uncertain|unclear|confused|lost"
        r"|puzzled|baffled|stumped|unaware|unfamiliar|clueless|no expert)",
        r"{elided}not{adverb} (?:sure|certain|clear to me)(?= (?:{whether}|of)\b| ?[,.;)…—–]|$)",
        r"{elided}(?:unsure|uncertain) (?:about|of|if|whether|why|how|what|which|where|when|who)\b",
        r"(?:i|we)(?:'ve| have| had|'ve got)?(?: honestly| really| still)?(?: have| got)?"
        r" (?:absolutely |literally )?(?:no|zero) (?:idea|clue)",
        r"i(?:'ve| have|'d)?{not} have (?:a|any|the (?:slightest|faintest)) (?:idea|clue)",
        r"{elided}(?:absolutely |honestly,? |literally )?(?:no|zero) (?:idea|clue) {whether}\b",
        r"(?:beats me|{start}who knows|god knows|lord knows|search me|your guess is as good)",
        r"{start}(?:don'?t|do not|can'?t|cannot) (?:know|remember|recall)\b",
        r"{elided}dunno\b",
        r"i wish i knew",
    ),
    "own-error": (
        r"(?:i|we|{elided}|{start}this|{start}that)(?: could| may| might)(?: very| quite)?(?: well"
        r"| easily| also| still| totally| just| of course)*(?: be| have been) (?:wrong|mistaken"
        r"|misremembering|misreading|missing|misunderstanding|confus(?:ed|ing)|off base"
        r"|overthinking|imagining)\b",
        r"{elided}(?:could|may|might)(?: very)?(?: well| easily| also| still| totally| just)* be"
        r" (?:wrong|mistaken|misremembering|misreading|missing something)\b",
        r"i(?: could| may| might|'ve| have| probably| must| likely)(?: have| well| also)*"
        r" (?:misread|misunderstood|missed|misremembered|overlooked|gotten? this wrong|got this"
        r" wrong)",
        r"correct me if",
        r"(?:don't|do not) (?:quote|hold) me (?:on|to)",
        r"(?:grain|pinch) of salt",
    ),
    "own-confidence": (
        r"(?:i{be}|we{be}|{elided}|{start}i)(?: \w+)? ?(?:pretty|fairly|reasonably|almost|mostly"
        r"|somewhat|quite|nearly|relatively|kinda|moderately|largely|semi|like|\d\d?%)(?: much|"
        r" \d\d?%)?[ -](?:sure|certain|confident|convinced|positive)\b",
    ),
    "suggestion": (
        r"(?:maybe|perhaps),? (?:we|i|you|one|someone|somebody)(?:'d|'ll)?(?: \w+)?(?: should|"
        r" could| can| might| ought| need| will| would| want| try| use)\b",
        r"(?:we|i) (?:could|should|might|can) (?:maybe|perhaps)\b",
        r"(?:maybe|perhaps) (?:i'm|i am|we're|i|let's)\b",
    ),
    "sentence-adverb": (
        r"(?<=[.!?:;] ){lead}(?:maybe|perhaps)(?=,? [\w\0(])",
        r"(?:(?<=[,;—–…] )|(?<=[(—–])|(?:and|but|so|or) )(?:maybe|perhaps),? (?:(?:{pronoun}"
        r"|[\w\0]+){is}|(?:it|they|we|he|she|there) \w+)\b",
    ),
}
