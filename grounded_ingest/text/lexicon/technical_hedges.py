"""Phrases that qualify a statement, and similar phrases that do not. `hedges.py` explains the
notation."""

from grounded_ingest.text.lexicon.hedges import HEDGE_WORDS

# In capitals, other technical hedges are names (UNCLEAR) or the permission of RFC 2119 (MAY).
ACRONYMS = ("TBD", "TBC")

PASSES = (
    # The month.
    (
        "may",
        r"(?:in|of|since|until|till|by|from|early|late|mid|last|next|this|every|during|before|after"
        r"|through|\d+(?:st|nd|rd|th)),? may\b(?! (?:be|have|not|also|cause)\b)",
    ),
    ("may", r"may,? \d+(?:st|nd|rd|th)?"),
    ("might", r"(?:the|its|their|his|her|sheer|full) might\b"),
    ("may", r"\d\d? may(?= \d{4}| ?[,.;)—–]|$)"),
    # Conditions assert nothing.
    (
        "may might could",
        r"(?:when|whenever|if|whether|where|in case) [^.;:,—]{0,80} (?:may|might|could)\b",
    ),
    ("look", r"(?:may|might|could) look like"),
    # Permission and advice.
    (
        "may",
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
    ),
    ("may", r"may (?:only|optionally)\b"),
    ("appear", r"may appear (?:in|on|as|at|only|anywhere|before|after|inside|within)\b"),
    (
        "want wish like prefer",
        r"(?:you|we|users|they|one) (?:may|might) (?:also )?(?:want|wish|like|prefer) to",
    ),
    ("well", r"(?:may|might|could) as well\b"),
    # Ability, not possibility.
    ("could couldn", r"could(?:n't| not| never| no longer| only)"),
    (
        "could",
        r"(?:so that|ensure|ensures|ensuring|before|until|where|wherever|whoever|whatever|who|as far"
        r" as|as soon as|nobody|none|no one|nothing|neither|nor|as \w+ as)(?: \w+){0,3} could\b",
    ),
    # Degree, manner and fixed terms.
    ("often", r"(?:how|too|as|so|more|less|very|not|once|every so) often\b"),
    ("generally", r"generally[- ](?:available|accepted|speaking)"),
    ("supposed necessarily", r"(?:not|n't) (?:supposed|necessarily)"),
    (
        "like",
        r"(?:looks?|feels?|sounds?|seems?) like (?:this|these|the following|that|so)?(?= ?[:.,\0]|$)",
    ),
    ("appear appears", r"appears? to (?:the|a|an|users?|clients?|callers?|your?)\b"),
    ("maybe perhaps", r"(?:maybe|perhaps) (?:types?|monads?|values?|remote|{number})"),
    # "about" and "around" that are prepositions.
    (
        "about around",
        r"(?:talk|talks|talked|talking|think|know|knows|learn|info|information|questions?|docs|ask"
        r"|asks|asked|read|more|notes?|worry|care|tells?|said|lies?|details|wraps?|wrapped|wrapper"
        r"|works?|loops?|centered|built|lines?) (?:about|around)",
    ),
    ("~", r"~ ?\d+\.\d+\.\d\w*"),
    # Conditions and instructions.
    (
        "unclear unverified untested unconfirmed undecided undetermined tbd tbc clear",
        r"(?:if|when|where|whenever|unless|until|in case) (?:(?!and |but )[\w'\0]+ ){0,4}?{open}\b",
    ),
    (
        "unclear unverified untested unconfirmed undecided undetermined tbd tbc clear",
        r"(?:use|report|as|mark|marked|flag|flagged|any|anything|no|all|every|replace|resolve|clarify)"
        r" (?:[\w'\0]+ )??{open}\b",
    ),
    ("open", r"(?:resolved?|closed?|answered|settled|no|zero)(?: \w+){0,3} open questions?"),
    ("likely", r"likely \w+(?= ?[:|])"),
    (
        "assume seem seems appear appears look looks",
        r"(?:if|when|whenever|unless) (?:we assume|\w+ (?:seems?|appears?|looks?)\b)",
    ),
    (
        "hedge hedges hedged hedging weasel speculative tentative vague",
        r"(?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|vague) (?:words?|phrases?|wording"
        r"|language|terms?)\b[^.;]{0,80}",
    ),
    (
        "word words phrase phrases wording language expression expressions hedges",
        r"(?:words?|phrases?|wording|language|expressions?|hedges)(?: like| such as|:| as"
        r" in)[^.;]{0,80}",
    ),
    (
        HEDGE_WORDS,
        r"(?:never|don't|do not|avoid|stop)(?: (?:say|write|use|saying|writing|using|answer|words?|the"
        r"|any|vague|with|hedging|or|phrases?))+:? {hedge}\b(?:(?:,| or|, or| and|/) ?{hedge}\b)*",
    ),
)

PHRASES = {
    "possibility": (
        ("may", r"may\b"),
        ("might", r"might\b"),
        (
            "could",
            r"could(?: \w+ly| also| still| even| then| in theory| in principle| well| easily)* (?:be"
            r"|cause|lead|result|contain|have|break|fail|happen|occur|include|introduce|create|become"
            r"|mean|affect|allow|expose|leak|produce|return|trigger|lose|make|take|block|miss|exceed"
            r"|differ|change|get|go|come|end|prevent|require|help|improve|reduce|increase|give|cost"
            r"|conflict|corrupt|overwrite|deadlock|hang|crash|accidentally|potentially|possibly"
            r"|theoretically|conceivably|plausibly|arguably|look|appear|need|work|explain|hide|mask"
            r"|hurt|slow|grow|add|interfere|escalate|bypass|race|drift|replace|serve|benefit|provide"
            r"|support)\b",
        ),
        ("could", r"could \w+ly\b"),
    ),
    "frequency": (
        (
            "typically usually often generally normally commonly",
            r"(?:typically|usually|often|generally|normally|commonly)\b(?! ?[.;)—–])",
        ),
        (
            "cases time often",
            r"(?:in (?:most|many|some) cases|most of the time|more often than not)\b",
        ),
        ("tend tends", r"tends? to\b"),
    ),
    "likelihood": (
        (
            "probably likely unlikely presumably presumedly supposedly apparently potentially possibly arguably conceivably plausibly seemingly ostensibly allegedly theoretically maybe perhaps",
            r"(?:probably|likely|unlikely|presumably|presumedly|supposedly|apparently|potentially"
            r"|possibly|arguably|conceivably|plausibly|seemingly|ostensibly|allegedly|theoretically"
            r"|maybe|perhaps)\b",
        ),
        ("theory", r"in theory\b"),
        ("chances", r"chances are\b"),
    ),
    "appearance": (
        ("seem seems seemed", r"(?:it |this |that |there )?(?:seems?|seemed)\b"),
        ("appear appears appeared", r"(?:appears?|appeared) (?:to|that|as if|as though)\b"),
        (
            "looks feels sounds",
            r"(?:(?:it|that|this|which) |{start})(?:looks|feels|sounds) (?:like|as if|as though)\b",
        ),
    ),
    "approximation": (
        (
            "approximately approx roughly circa ballpark less",
            r"(?:approximately|approx|roughly|circa|in the ballpark|more or less)\b",
        ),
        ("about around", r"(?:about|around) {number}"),
        ("~ ≈", r"[~≈] ?\d[\d.,]*\w*"),
        ("so", r"\d\w*(?: \w+)? or so\b"),
    ),
    "open-doubt": (
        ("unclear", r"unclear\b"),
        (
            "clear known",
            r"(?:not|n't)(?: \w+)? (?:clear|known)(?= (?:if|whether|why|how|what|which|where|when|who"
            r"|to me|yet|that)\b)",
        ),
        (
            "unverified untested unconfirmed undecided undetermined speculative unknown",
            r"(?:(?:is|are|was|were|be|remains?|stays?|still|currently|yet|as|it's) |{start})"
            r"(?:unverified|untested|unconfirmed|undecided|undetermined|speculative(?= ?[.,;:)])"
            r"|unknown (?:if|whether|why|how|what))\b",
        ),
        (
            "unverified untested unconfirmed undecided undetermined",
            r"(?:unverified|untested|unconfirmed|undecided|undetermined)(?= ?[.,;:)—–]|$)",
        ),
        (
            "verified confirmed determined decided",
            r"(?:not|n't|yet to be|not been)(?: \w+)? (?:verified|confirmed|determined|decided (?:yet"
            r"|if|whether|how|which))\b(?= (?:yet|if|whether|how|which|on|with)| ?[.;,)]|$)",
        ),
        ("tbd", r"tbd\b"),
        ("tbc", r"tbc\b"),
        (
            "determined decided confirmed verified",
            r"to be (?:determined|decided|confirmed|verified)\b",
        ),
        ("open", r"open questions?\b"),
        (
            "verification confirmation verifying confirming",
            r"needs? (?:verification|confirmation|verifying|confirming)\b",
        ),
    ),
    "working-assumption": (("assume", r"we{adverb} assume\b"),),
}
