"""Phrases that express a guess, and similar ones that do not, in the notation of `hedges.py`."""

PASSES = r"""
# Conditions and indirect questions: nobody is guessing yet.
i we + think guess believe assume suspect suppose imagine | (?:if|when|whenever|unless|until|once|whether|what|how|than|as|before|after|way
    |let|can|why|could|should|do|did|would|must|shall|may|might) {i} (?:think|guess|believe|assume|suspect|suppose|imagine)
i we in int wen went + believe | {i}(?: would| do| could| can)?{not}? believe (?:in|any\w*|him|her|them|you)
tried try | (?:i|we)(?:'ve| have| had| did){not} (?:tried|try) to\b
sure certain unsure uncertain confident | (?:if|when|whenever|where|unless|until|in case)(?: (?:you|they|users?|agents?|someone|one|it|i|we
    |the \w+|an? \w+))?(?:'re|'s|'m| am| are| is| feel| seem)?(?: still| ever)?{not}?(?: at all| entirely| completely| quite| fully
    | 100%)? (?:sure|certain|unsure|uncertain|confident)
# Thinking as an activity, not an opinion.
think believe | (?:that|which|who) we (?:think|believe) (?:are|is|has|would|will|violates?|needs?|deserves?)
i we + think thinking | {i} (?:think|thinking) (?:of|about|through|in terms|ahead|twice|aloud)
i we im wem + thinking | {i}{be}{adverb} thinking (?:of|about|through|this|it|how)
# The case of the reader or of a user, not the author's doubt.
maybe perhaps | {lead}(?:maybe|perhaps) (?:you|your)\b
maybe perhaps | {lead}(?:maybe|perhaps) (?:they|he|she|the users?)(?:'re| are| were)? (?:already |just )?(?:like|have an?|wants?|prefers?
    |asks?|says?|means?)
# Rules about hedging.
word words phrase phrases wording language expression expressions | (?<!other )(?:words?|phrases?|wording|language|expressions?)(?: like
    | such as|:| as in)[^.;]{0,80}
{hedge} | (?:never|don't|do not|avoid|instead of|rather than|stop|no|not|must not|should not|shouldn't|mustn't|without)(?: (?:say|write|use
    |saying|writing|using|answer|answering|words?|the|a|an|any|vague|with|hedging|or|phrases?|start|starting|report
    |reporting))*:? {hedge}\b(?:(?:,| or|, or| and|/) ?{hedge}\b)*
# Amounts and names.
maybe perhaps | {lead}(?:maybe|perhaps) {number}
perhaps | {lead}perhaps (?:the )?(?:most|more|best|least|not surprisingly|surprisingly|unsurprisingly)\b
# Instructions to an unsure reader.
know | {start}(?:don't|do not) know (?:[^.;,]{0,20} )?(?:you|your)\b
you your | (?:not sure|not certain|unsure|uncertain|no idea|no clue) (?:[^.;,]{0,20} )?(?:you|your)\b
* | (?:not sure|not certain|unsure|uncertain|no idea|maybe|perhaps)[^.;:]{0,60}(?: →|(?:; [a-z ]{2,20})?: (?:ask|use|see|check|run|read
    |try|start|default|prefer|stop|verify|look))
guess | (?:make|take|venture) (?:a|an|your) (?:best|wild|educated|rough) guess
"""

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
    "own-guess": r"""
i we + think guess believe suspect suppose reckon imagine presume wager bet | (?:i|we)(?:'d|'ll have to)?{adverb} {weigh}
i + assume | i{adverb} assume\b
i im + assuming | i{be}{adverb} assuming
i ive in int iven ivent + think believe suppose imagine expect | i(?: do| did|'d| would|'?ve)?{not}{adverb} (?:think|believe|suppose
    |imagine|expect)
we + think believe suppose imagine | we{adverb}(?: do| would){not}{adverb} (?:think|believe|suppose|imagine)
we + assume | (?<=[.!?] )we{adverb} assume(?= (?!that\b|either\b|all\b|every|each\b|any\b|\0|an? ))
i + doubt wonder speculate gather presume surmise conjecture expect | i{adverb} (?:doubt|wonder|speculate|gather|presume|surmise|conjecture
    |expect(?! to\b))\b
i we im wem + guessing betting speculating supposing presuming suspicious wondering skeptical sceptical doubtful inclined tempted thinking leaning | (?:i|we){be}{adverb} (?:guessing|betting|speculating|supposing|presuming|suspicious|wondering|skeptical|sceptical|doubtful|inclined to|tempted to|thinking|leaning
    )
guess | (?:if i had to|if i must|let me|at a|just a|only a|best|wild|educated|pure|rough) guess(?= ?[:,.;)—–]| here| but| is| that| would
    | on my| at|$)
""",
    "own-view": r"""
my + guess hunch theory suspicion bet money assumption impression hypothesis opinion feeling gut instinct understanding recollection belief sense speculation intuition memory | my(?: \w+){0,2} (?:guess|hunch|theory|suspicion|bet|money|assumption|impression|hypothesis|opinion|feeling|gut|instinct|understanding|recollection|belief|sense|speculation|intuition|memory)(?: here| so far| for now| right now)?(?:'s| is| was| would be| says| tells|:
    )
my our + opinion view mind estimation judgement judgment | in (?:my|our)(?: \w+)? (?:opinion|view|mind|estimation|judgement|judgment)\b
i + feeling hunch suspicion sense impression inkling | i{adverb} (?:have|had|get|got|'ve got)(?: \w+){0,2} (?:feeling|hunch|suspicion|sense
    |impression|inkling)
i + feel | i{adverb} feel (?:like|that|as (?:if|though))
something + tells | something tells me
thinking | (?:just )?thinking (?:out loud|aloud)
imo imho | imh?o(?= ?[,.;:)—–]|$)
imo imho | {elided}imh?o\b
i + worried afraid concerned | i(?:'m| am) (?:\w+ )?(?:worried|afraid|concerned) (?:that )?(?:this|it|we|the)\b(?! (?:pr|removal
    |removing)\b)
i + imagine | i (?:could|would|can) imagine
""",
    "own-knowledge": r"""
i we + far best much | (?:as|so) (?:far|best|much) as (?:i|we)(?:'m| am| are|'re| can| could|'ve| have)?{adverb} (?:know|knew|tell|see
    |understand|understood|remember|recall|aware|determine|gather|work out|figure out|read|seen|found|concerned)
i + recall remember mistaken misremembering misreading missing misunderstanding misread misunderstood mistaking understand understood wrong | (?:if|unless|assuming) i(?:'m| am|'ve|'m not| have)?(?: not| do not| don't| correctly)? (?:recall|remember(?! to\b)|mistaken|misremembering|misreading|missing|misunderstanding|misread|misunderstood|mistaking|understand|understood|wrong)(?: something| anything| this| it| correctly)
    ?
serves | if memory serves
my our + knowledge recollection understanding | (?:to (?:the best of )?|that's (?:all )?|best of )(?:my|our) (?:knowledge|recollection
    |understanding)
afaik afaict fwict afair iirc iiuc iirw idk | (?:afaik|afaict|fwict|afair|iirc|iiuc|iirw|idk)\b
""",
    "own-ignorance": r"""
i in int inot + know understand remember recall tell why sure certain quite say speak vouch | i{adverb}(?: do| did| ca| can| could| would
    |'d)?(?:{not}|not){adverb} (?:know|understand|remember|recall|tell|see why|be (?:sure|certain)|quite (?:know|understand|remember)
    |say (?:for|if|whether|why|how|which|with)|get why|speak to|vouch|really tell)\b(?! (?:of|about)\b)
we wen went + know remember understand recall idea | we(?: do)?{not}{adverb} (?:know|remember|understand|recall
    |have any idea) (?:(?:that |this |it |these |those )?(?:yet|why|for (?:sure|certain))|exactly why|whether (?:this|that|it)|if (?:this
    |that|it)|what(?:'s| is| was| causes?| caused))\b
i + able verify verified figure figured found tracked confirm confirmed checked determine done investigate investigated looked dug dig thought think find tested tried understood pinned | i(?:'ve| have| had| did| could| was)(?:{not}){adverb} (?:been )?(?:able to (?:tell|determine|verify|confirm|figure|find|reproduce)|verif(?:y|ied)|figured?|found (?:what|why|out|how|the cause)|tracked|confirm(?:ed)?|checked|determine|done an?|investigated?|looked|dug|dig|thought|think (?:of|through)|find (?:why|out|the cause)|tested|tried|understood|pinned)\
    b
i we im wem imn imnt wemn wemnt + sure certain convinced confident positive clear familiar aware expert | (?:i
    |we){be}{adverb}{not}{adverb} (?:sure|certain|convinced|confident|positive|clear|familiar|aware|an expert|too sure)\b(?! (?:of what you
    |you)\b)
i we im wem + unsure uncertain unclear confused lost puzzled baffled stumped unaware unfamiliar clueless expert | (?:i
    |we){be}{adverb}(?: no longer| less than)? (?:unsure|uncertain|unclear|confused|lost|puzzled|baffled|stumped|unaware|unfamiliar
    |clueless|no expert)
sure certain clear | {elided}not{adverb} (?:sure|certain|clear to me)(?= (?:{whether}|of)\b| ?[,.;)…—–]|$)
unsure uncertain | {elided}(?:unsure|uncertain) (?:about|of|if|whether|why|how|what|which|where|when|who)\b
i we + idea clue | (?:i|we)(?:'ve| have| had|'ve got)?(?: honestly| really| still)?(?: have| got)? (?:absolutely |literally )?(?:no
    |zero) (?:idea|clue)
idea clue | {elided}(?:absolutely |honestly,? |literally )?(?:no|zero) (?:idea|clue) {whether}\b
beats knows search guess | (?:beats me|{start}who knows|god knows|lord knows|search me|your guess is as good)
know remember recall | {start}(?:don'?t|do not|can'?t|cannot) (?:know|remember|recall)\b
i + wish | i wish i knew
""",
    "own-error": r"""
wrong mistaken misremembering misreading missing misunderstanding confused confusing off overthinking imagining | (?:i|we|{elided}
    |{start}this|{start}that)(?: could| may| might)(?: very| quite)?(?: well| easily| also| still| totally| just| of course)*(?: be
    | have been) (?:wrong|mistaken|misremembering|misreading|missing|misunderstanding|confus(?:ed|ing)|off base|overthinking|imagining)\b
wrong mistaken misremembering misreading missing | {elided}(?:could|may|might)(?: very)?(?: well| easily| also| still| totally
    | just)* be (?:wrong|mistaken|misremembering|misreading|missing something)\b
correct | correct me if
me + quote hold | (?:don't|do not) (?:quote|hold) me (?:on|to)
salt | (?:grain|pinch) of salt
""",
    "own-confidence": r"""
sure certain confident convinced positive | (?:i{be}|we{be}|{elided}|{start}i)(?: \w+)? ?(?:pretty|fairly|reasonably|almost|mostly|somewhat
    |quite|nearly|relatively|kinda|moderately|largely|semi|like|\d\d?%)(?: much| \d\d?%)?[ -](?:sure|certain|confident|convinced|positive)\b
""",
    "suggestion": r"""
maybe perhaps | (?:maybe|perhaps),? (?:we|i|you|one|someone|somebody)(?:'d|'ll)?(?: \w+)?(?: should| could| can| might| ought| need| will
    | would| want| try| use)\b
maybe perhaps | (?:we|i) (?:could|should|might|can) (?:maybe|perhaps)\b
""",
    "sentence-adverb": r"""
maybe perhaps | (?<=[.!?:;] ){lead}(?:maybe|perhaps)(?=,? [\w\0(])
maybe perhaps | (?:(?<=[,;—–…] )|(?<=[(—–])|(?:and|but|so|or) )(?:maybe|perhaps),? (?:(?:{pronoun}|[\w\0]+){is}|(?:it|they|we|he|she
    |there) \w+)\b
""",
}
