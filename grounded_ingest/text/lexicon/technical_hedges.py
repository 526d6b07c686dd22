"""Phrases that qualify a statement, and similar phrases that do not. `hedges.py` explains the
notation."""

# In capitals, other technical hedges are names (UNCLEAR) or the permission of RFC 2119 (MAY).
ACRONYMS = ("TBD", "TBC")

PASSES = r"""
# The month.
may | (?:in|of|since|until|till|by|from|early|late|mid|last|next|this|every|during|before|after|through|\d+(?:st|nd|rd
    |th)),? may\b(?! (?:be|have|not|also|cause)\b)
may | may,? \d+(?:st|nd|rd|th)?
might | (?:the|its|their|his|her|sheer|full) might\b
may | \d\d? may(?= \d{4}| ?[,.;)—–]|$)
# Conditions assert nothing.
may might could | (?:when|whenever|if|whether|where|in case) [^.;:,—]{0,80} (?:may|might|could)\b
look | (?:may|might|could) look like
# Permission and advice.
may | may(?: also| then| instead| either| optionally| freely| not| only| each| simply| explicitly| additionally| always| even| therefore
    | thus)*(?: (?:use|pass|call|specify|omit|provide|define|override|choose|opt|supply|set|add|declare|configure|register|implement|write
    |skip|read|edit|create|proceed|import|invoke|access|depend|refer|reference|extend|do so|freely|optionally|only|send|request|submit
    |assign|select|enable|disable|wish|want|apply|emit|annotate|share|nest|modify|copy|distribute|reproduce|obtain|install|remove|delete
    |merge|approve|close|open|run|edit)\b| be (?:used|one of|specified|given|passed|set|omitted|called|included|added|combined|configured
    |overridden|placed|written|declared|marked|updated|supplied|provided|defined|nested|repeated|abbreviated|either|any|empty|null|none
    |absent|extended|invoked|applied|customi[sz]ed|disabled|enabled|chained|assigned|accessed|annotated|imported|explicitly|optionally
    |freely|shared|expressed|submitted|reported)\b)
may | may (?:only|optionally)\b
appear | may appear (?:in|on|as|at|only|anywhere|before|after|inside|within)\b
want wish like prefer | (?:you|we|users|they|one) (?:may|might) (?:also )?(?:want|wish|like|prefer) to
well | (?:may|might|could) as well\b
# Ability, not possibility.
could couldn | could(?:n't| not| never| no longer| only)
could | (?:so that|ensure|ensures|ensuring|before|until|where|wherever|whoever|whatever|who|as far as|as soon as|nobody|none|no one|nothing
    |neither|nor|as \w+ as)(?: \w+){0,3} could\b
# Degree, manner and fixed terms.
often | (?:how|too|as|so|more|less|very|not|once|every so) often\b
generally | generally[- ](?:available|accepted|speaking)
supposed necessarily | (?:not|n't) (?:supposed|necessarily)
like | (?:looks?|feels?|sounds?|seems?) like (?:this|these|the following|that|so)?(?= ?[:.,\0]|$)
appear appears | appears? to (?:the|a|an|users?|clients?|callers?|your?)\b
maybe perhaps | (?:maybe|perhaps) (?:types?|monads?|values?|remote|{number})
# "about" and "around" that are prepositions.
about around | (?:talk|talks|talked|talking|think|know|knows|learn|info|information|questions?|docs|ask|asks|asked|read|more|notes?|worry
    |care|tells?|said|lies?|details|wraps?|wrapped|wrapper|works?|loops?|centered|built|lines?) (?:about|around)
~ | ~ ?\d+\.\d+\.\d\w*
# Conditions and instructions.
unclear unverified untested unconfirmed undecided undetermined tbd tbc clear | (?:if|when|where|whenever|unless|until
    |in case) (?:(?!and |but )[\w'\0]+ ){0,4}?{open}\b
unclear unverified untested unconfirmed undecided undetermined tbd tbc clear | (?:use|report|as|mark|marked|flag|flagged|any|anything|no
    |all|every|replace|resolve|clarify) (?:[\w'\0]+ )??{open}\b
open | (?:resolved?|closed?|answered|settled|no|zero)(?: \w+){0,3} open questions?
likely | likely \w+(?= ?[:|])
assume seem seems appear appears look looks | (?:if|when|whenever|unless) (?:we assume|\w+ (?:seems?|appears?|looks?)\b)
hedge hedges hedged hedging weasel speculative tentative vague | (?:hedg(?:e|es|ed|ing)|weasel|speculative|tentative|vague) (?:words?
    |phrases?|wording|language|terms?)\b[^.;]{0,80}
word words phrase phrases wording language expression expressions hedges | (?:words?|phrases?|wording|language|expressions?|hedges)(?: like
    | such as|:| as in)[^.;]{0,80}
{hedge} | (?:never|don't|do not|avoid|stop)(?: (?:say|write|use|saying|writing|using|answer|words?|the|any|vague|with|hedging|or
    |phrases?))+:? {hedge}\b(?:(?:,| or|, or| and|/) ?{hedge}\b)*
"""

PHRASES = {
    "possibility": r"""
may | may\b
might | might\b
could | could(?: \w+ly| also| still| even| then| in theory| in principle| well| easily)* (?:be|cause|lead|result|contain|have|break|fail
    |happen|occur|include|introduce|create|become|mean|affect|allow|expose|leak|produce|return|trigger|lose|make|take|block|miss|exceed
    |differ|change|get|go|come|end|prevent|require|help|improve|reduce|increase|give|cost|conflict|corrupt|overwrite|deadlock|hang|crash
    |accidentally|potentially|possibly|theoretically|conceivably|plausibly|arguably|look|appear|need|work|explain|hide|mask|hurt|slow|grow
    |add|interfere|escalate|bypass|race|drift|replace|serve|benefit|provide|support)\b
could | could \w+ly\b
""",
    "frequency": r"""
typically usually often generally normally commonly | (?:typically|usually|often|generally|normally|commonly)\b(?! ?[.;)—–])
cases time often | (?:in (?:most|many|some) cases|most of the time|more often than not)\b
tend tends | tends? to\b
""",
    "likelihood": r"""
probably likely unlikely presumably presumedly supposedly apparently potentially possibly arguably conceivably plausibly seemingly ostensibly allegedly theoretically maybe perhaps | (?:probably|likely|unlikely|presumably|presumedly|supposedly|apparently|potentially|possibly|arguably|conceivably|plausibly|seemingly|ostensibly|allegedly|theoretically|maybe|perhaps)\
    b
theory | in theory\b
chances | chances are\b
""",
    "appearance": r"""
seem seems seemed | (?:it |this |that |there )?(?:seems?|seemed)\b
appear appears appeared | (?:appears?|appeared) (?:to|that|as if|as though)\b
looks feels sounds | (?:(?:it|that|this|which) |{start})(?:looks|feels|sounds) (?:like|as if|as though)\b
""",
    "approximation": r"""
approximately approx roughly circa ballpark less | (?:approximately|approx|roughly|circa|in the ballpark|more or less)\b
about around | (?:about|around) {number}
~ ≈ | [~≈] ?\d[\d.,]*\w*
so | \d\w*(?: \w+)? or so\b
""",
    "open-doubt": r"""
unclear | unclear\b
clear known | (?:not|n't)(?: \w+)? (?:clear|known)(?= (?:if|whether|why|how|what|which|where|when|who|to me|yet|that)\b)
unverified untested unconfirmed undecided undetermined speculative unknown | (?:(?:is|are|was|were|be|remains?|stays?|still|currently|yet
    |as|it's) |{start})(?:unverified|untested|unconfirmed|undecided|undetermined|speculative(?= ?[.,;:)])|unknown (?:if|whether|why|how
    |what))\b
unverified untested unconfirmed undecided undetermined | (?:unverified|untested|unconfirmed|undecided|undetermined)(?= ?[.,;:)—–]|$)
verified confirmed determined decided | (?:not|n't|yet to be|not been)(?: \w+)? (?:verified|confirmed|determined|decided (?:yet|if|whether
    |how|which))\b(?= (?:yet|if|whether|how|which|on|with)| ?[.;,)]|$)
tbd | tbd\b
tbc | tbc\b
determined decided confirmed verified | to be (?:determined|decided|confirmed|verified)\b
open | open questions?\b
verification confirmation verifying confirming | needs? (?:verification|confirmation|verifying|confirming)\b
""",
    "working-assumption": r"""
assume | we{adverb} assume\b
""",
}
