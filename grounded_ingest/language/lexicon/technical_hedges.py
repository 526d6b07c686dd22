"""Words that qualify a statement, and the lookalikes that do not. Notation: `hedges.py`."""

# In capitals, other technical hedges are names (UNCLEAR) or the permission of RFC 2119 (MAY).
ACRONYMS = ("TBD", "TBC")

# Every text with a phrase holds one of these words (runs of a-z, or ~ or ≈).
TRIGGERS = (
    "may might could typically usually often generally normally commonly tends tend probably"
    " likely unlikely presumably presumedly supposedly apparently potentially possibly arguably"
    " conceivably plausibly seemingly ostensibly allegedly theoretically theory chances maybe"
    " perhaps seem seems seemed appear appears appeared looks feels sounds approximately approx"
    " roughly around about circa ballpark less so unclear clear known unverified untested"
    " unconfirmed undecided undetermined tbd tbc determined decided confirmed verified open seen"
    " unknown assume assuming needs need speculative cases time often ~ ≈"
)

PASSES = (
    # The month.
    r"(?:in|of|since|until|till|by|from|early|late|mid|last|next|this|every|during|before|after"
    r"|through|\d+(?:st|nd|rd|th)),? may\b(?! (?:be|have|not|also|cause)\b)",
    r"may,? \d+(?:st|nd|rd|th)?",
    r"\d\d? may(?= \d{4}| ?[,.;)—–]|$)",
    # Conditions: what might be is not asserted.
    r"(?:when|whenever|if|whether|where|in case) [^.;:,—]{0,80} (?:may|might|could)\b",
    r"(?:may|might|could) look like",
    # Permission and advice.
    r"may(?: also| then| instead| either| optionally| freely| not| only| each| simply| explicitly|"
    r" additionally| always| even| therefore| thus)*(?: (?:use|pass|call|specify|omit|provide"
    r"|define|override|choose|opt|supply|set|add|declare|configure|register|implement|write|skip"
    r"|read|edit|create|proceed|import|invoke|access|depend|refer|reference|extend|do so|freely"
    r"|optionally|only|send|request|submit|assign|select|enable|disable|wish|want|apply|emit"
    r"|annotate|share|nest|modify|copy|distribute|reproduce|obtain|install|remove|delete|merge"
    r"|approve|close|open|run|edit)\b| be (?:used|one of|specified|given|passed|set|omitted|called"
    r"|included|added|combined|configured|overridden|placed|written|declared|marked|updated"
    r"|supplied|provided|defined|nested|repeated|abbreviated|either|any|empty|null|none|absent"
    r"|extended|invoked|applied|customi[sz]ed|disabled|enabled|chained|assigned|accessed|annotated"
    r"|imported|explicitly|optionally|freely|shared|expressed|submitted|reported)\b)",
    r"may (?:only|optionally)\b",
    r"may appear (?:in|on|as|at|only|anywhere|before|after|inside|within)\b",
    r"(?:you|we|users|they|one) (?:may|might) (?:also )?(?:want|wish|like|prefer) to",
    r"(?:may|might|could) as well\b",
    # Ability, not possibility.
    r"(?:you|one|users|callers?) could (?!be\b|have|get|lose|see|end|run|hit|face|miss|break)",
    r"could(?:n't| not| never| no longer| only)",
    r"(?:so that|ensure|ensures|ensuring|before|until|where|wherever|whoever|whatever|who|as far"
    r" as|as soon as|nobody|none|no one|nothing|neither|nor|as \w+ as)(?: \w+){0,3} could\b",
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
    r"(?:if|when|where|whenever|unless|until|in case) (?:(?!and |but )[\w'\0]+ ){0,4}?{open}\b",
    r"(?:use|report|as|mark|marked|flag|flagged|any|anything|no|all|every|replace|resolve|clarify)"
    r" (?:[\w'\0]+ )??{open}\b",
    r"the unclear\b",
    r"(?:resolved?|closed?|answered|settled|no|zero)(?: \w+){0,3} open questions?",
    r"likely \w+(?= ?[:|])",
    r"(?:if|when|whenever|unless) (?:we assume|\w+ (?:seems?|appears?|looks?)\b)",
    r"(?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|vague) (?:words?|phrases?|wording"
    r"|language|terms?)\b[^.;]{0,80}",
    r"(?:words?|phrases?|wording|language|expressions?|hedges)(?: like| such as|:| as"
    r" in)[^.;]{0,80}",
    r"(?:never|don't|do not|avoid|stop)(?: (?:say|write|use|saying|writing|using|answer|words?|the"
    r"|any|vague|with|hedging|or|phrases?))+:? {hedge}\b(?:(?:,| or|, or| and|/) ?{hedge}\b)*",
)

PHRASES = {
    "possibility": (
        r"may\b",
        r"might\b",
        r"could(?: \w+ly| also| still| even| then| in theory| in principle| well| easily)* (?:be"
        r"|cause|lead|result|contain|have|break|fail|happen|occur|include|introduce|create|become"
        r"|mean|affect|allow|expose|leak|produce|return|trigger|lose|make|take|block|miss|exceed"
        r"|differ|change|get|go|come|end|prevent|require|help|improve|reduce|increase|give|cost"
        r"|conflict|corrupt|overwrite|deadlock|hang|crash|accidentally|potentially|possibly"
        r"|theoretically|conceivably|plausibly|arguably|look|appear|need|work|explain|hide|mask"
        r"|hurt|slow|grow|add|interfere|escalate|bypass|race|drift|replace|serve|benefit|provide"
        r"|support)\b",
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
        r"(?:not|n't)(?: \w+)? (?:clear|known)(?= (?:if|whether|why|how|what|which|where|when|who"
        r"|to me|yet|that)\b)",
        r"(?:is|are|was|were|be|remains?|stays?|still|currently|yet|as|{start}|it's)"
        r" ?(?:unverified|untested|unconfirmed|undecided|undetermined|speculative(?= ?[.,;:)])"
        r"|unknown (?:if|whether|why|how|what))\b",
        r"(?:unverified|untested|unconfirmed|undecided|undetermined)(?= ?[.,;:)—–]|$)",
        r"(?:not|n't|yet to be|not been)(?: \w+)? (?:verified|confirmed|determined|decided (?:yet"
        r"|if|whether|how|which))\b(?= (?:yet|if|whether|how|which|on|with)| ?[.;,)]|$)",
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
    ),
}
