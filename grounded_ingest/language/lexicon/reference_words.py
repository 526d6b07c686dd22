"""Words by which a claim says of something only that it is there, and where."""

GLUE = "the a an it its our your this is are be there and or"
"""Words that state nothing beside what is mentioned."""

_GIVES = "value of variable name setting constant key option parameter field"
_RUNS = "command script target task recipe run runs execute"
FRAMES = {
    "symbol": "",
    "command": _RUNS,
    "flag": _RUNS,
    "version": "runtime language toolchain engine version runs on requires needs",
    "import": "import imports",
    "count": "has have holds in",
    "value": _GIVES,
    "default": f"{_GIVES} default",
    "variable": "environment variable variables env var vars",
}
"""By kind of reference, words by which a claim says only that it is there. Kinds of one frame may
stand together; of those without one, being there says too little to bear a claim out."""

RECORDS = (
    r"(?i)(?:^|/)(?:\d+[_.-])?(?:sessions?|audits?|reviews?|reports?|research|handoffs?|logs?|retros?|postmortems?|announcements?|blog|posts|migrations?|upgrades?)/"
    r"|(?:^|[/_.-])(?:sessions?|audit|review|report|findings|handoff|postmortem|retro|samples|action[_-]items|migrat\w+|upgrad\w+|logs?|changelog|history|releases?|breaking[_-]changes)(?:[_.-][^/]*)?\.\w+$"
)
"""Documents that tell what was found or done on a day."""

NEEDS = r"(?i)(?:^| > )(?:(?:system|runtime|software|minimum) )?requirements$"
"""A heading over what is needed to run it; over anything but versions it may be one of what is to come."""

FOREIGN_OWNERS = (
    "os sys re json math time datetime logging pathlib subprocess asyncio typing collections itertools functools random string io np pd plt torch nn tf "
    "react vue angular process console window document object array promise math date number string boolean error request response express next axios "
    "fmt strings strconv http context errors sync std tokio serde self this super cls req res ctx app db e event"
)
"""Owners in `owner.name` that are no code of the repository, by their common names."""

SPEAKS_OF_VARIABLES = (
    r"(?i)\benv(?:ironment)?[ -]?(?:var(?:iable)?s?)?\b|\.env\b|\bexports?\b|\bvariables?\b"
)
"""Says that a name in capitals is a variable of the environment, and no constant."""

_NAME = r"`(?P<name>[A-Za-z_][\w.-]*)`"
_VALUE = r"(?P<value>`[^`\n]{1,80}`|\"[^\"\n]{1,80}\"|-?\d[\d_]*(?:\.\d+)?|(?i:true|false|none|null|nil)\b)"
_STOP = r"(?=[.,;)]*(?:$|[;,.)]\s))"
VALUES = (
    rf"{_NAME}(?:\s+(?:is|equals|is set to)\s+|\s*(?:=|:)\s*|; [Vv]alue: ){_VALUE}{_STOP}",
    rf"`(?P<name>[A-Za-z_][\w.-]*)\s*[=:]\s*(?P<value>[^`\s=]+)`{_STOP}",
)
DEFAULTS = (
    rf"{_NAME}(?: (?:defaults to|is by default|has the default(?: value)?)|(?:'s)? default(?: value)?(?: is|:)|\s*[(,:—–-]\s*default(?:s to|:| is)?|; [Dd]efault(?: value)?:) {_VALUE}{_STOP}",
    rf"\b[Dd]efault(?: value)? (?:of|for) {_NAME} is {_VALUE}{_STOP}",
    rf"{_NAME} is {_VALUE} by default{_STOP}",
)
"""Says of a name which value it has, or has where nothing else is given; both stand for one place."""

CONFIGURES = (
    "configuration config settings setting environment variables variable env constants constant values value defaults default options option "
    "parameters parameter reference notes note memory overview key keys facts project general"
)
"""Words of headings and lead-ins that make nobody else's of a setting that stands under them."""
