"""How sentences tell that something changed, is over, is planned or is only considered.

Patterns in small letters, for one sentence. `gone` is what no longer holds, `come` what holds now.
"""

_MOVE = r"(?:migrat|mov|switch|transition|convert|chang|port|relocat|swap|rewrit|went|go|going|came)\w*(?: over| away| back)?"
_DROP = r"(?:drop|ripp|rip|abandon|ditch|replac|retir|remov|left|leav|quit|stopp|stop|deprecat|sunset|scrapp|eliminat)\w*(?: (?:out|using|with|behind))?"

CHANGES = (
    rf"\b{_MOVE}\b[^,;]{{0,30}}?\bfrom (?P<gone>[^;]{{1,80}}?) (?:to|onto|into) (?P<come>[^,;]+)",
    rf"\b{_MOVE}\b[^,;]{{0,30}}?\b(?:to|onto|into) (?P<come>[^,;]{{1,80}}?) (?:from|after leaving) (?P<gone>[^,;]+)",
    r"\bmoved? (?:off|away from) (?P<gone>[^,;]+)",
    r"(?:^|(?<=[,; ]))(?P<gone>[^,; ][^,;]{0,79}?) (?:was|were|is|got|has been|have been) (?:replaced|superseded) (?:by|with) (?P<come>[^,;]+)",
    rf"\b{_DROP} (?P<gone>[^,;]{{1,80}}?) (?:for|with|by|in favou?r of) (?P<come>[^,;]+)",
    rf"(?<!to )\b{_DROP} (?P<gone>(?!for\b|with\b|by\b|in\b|to\b)[^,;]{{1,80}}?)(?= and (?:switched|moved|went|migrated)\b|[,;]|$)",
    r"\b(?:after|since) the whole (?P<gone>\w+)",
)
"""A value that is given up for another."""

DENIED = (
    r"\b(?:instead of|rather than|no more|as opposed to) (?P<not>[^,;]+)",
    r"(?<![\w.+#-])(?P<not>[\w.+#-]+) (?:is|are)(?: not|n't) (?:used|needed|required|supported)",
)

OVER = (
    r"\b(?:previously|formerly|used to|no longer|back then|at first|originally)\b(?P<gone>[^;]*?)(?=,? (?:but|and) now\b|[;]|$)",
    r"(?<!have )(?<!has )(?<!'ve )(?<!been )\b(?:worked|lived|resided|stayed) (?P<gone>[^;,]+)",
    r"(?<!years )(?<!year )\b(?:old|former|previous) (?P<gone>(?:[\w.'-]+ ){0,3}[\w.-]+)",
    r"\b(?:was|were) (?!born|from|promoted|hired|founded|married|diagnosed|[a-z]+ed\b|[a-z]+en\b)(?P<gone>[^;,]+)",
)
"""A value that held before."""

CONSIDERED = (
    r"\b(?:consider|evaluat|explor|investigat|prototyp|debat|assess|pilot)(?:ing|e|es|s|ed)?\b(?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"\b(?:thinking|think) (?:about|of)\b(?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"\b(?:might|maybe|perhaps|possibly|not sure|unsure|don't know|whether|wonder\w*|tried|trying|try|looking (?:at|into)|should we)\b(?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"\b(?:could|may) (?P<maybe>.*?)(?=\bbut\b|;|$)",
    r"^(?:if|unless)\b(?P<maybe>[^,]*)",
)
"""A value that may hold some day."""

PLANNED = (
    r"\b(?:will|going to|plans? to|planning to|intends? to|wants? to|would like to|hopes? to|aims? to|about to|eventually|someday)\b(?P<planned>.*?)(?=\bbut\b|;|$)",
)

RETRACT = (
    r"(?:i|we)\s+meant\s+(?P<new>[^,;.()]+?)\s*,?\s*(?:and\s+)?not\s+(?P<old>[^,;.()]+)",
    r"\bnot\s+(?P<old>[^,;.()]+?)\s*[,;–—-]+\s*(?:but|it'?s|i\s+meant|rather|actually|make\s+that)\s+(?P<new>[^,;.()]+)",
    r"\bcorrection\s*[:,–—-]\s*(?:it(?:'s| is| was)\s+|(?:i|we)\s+\S+\s+\S+\s+)?(?P<new>[^,;.()]+?)\s*,?\s*(?:and\s+)?(?:not|rather than|instead of)\s+(?P<old>[^,;.()]+)",
    r"\bshould\s+(?:have\s+)?(?:said|read|say|be)\s+(?P<new>[^,;.()]+?)\s*,?\s*(?:not|rather than|instead of)\s+(?P<old>[^,;.()]+)",
    r"\bscratch\s+(?P<old>[^,;.()]+?)\s*[,;–—-]+\s*(?:it(?:'s| is)\s+)?(?P<new>[^,;.()]+)",
    r"\b(?:it(?:'s| is)|that(?:'s| is))\s+(?P<new>[^,;.()]+?)\s*,\s*not\s+(?P<old>[^,;.()]+)",
)
"""A memory that takes back a value of others."""
