"""Words by which a claim says of something only that it is there, and where."""

GLUE = "the a an it its our your this is are be there and or"
"""Words that state nothing beside what is mentioned."""

_RUNS = "command script target task recipe run runs execute"
FRAMES = {
    "symbol": "",
    "command": _RUNS,
    "flag": _RUNS,
    "version": "runtime language toolchain engine version runs on requires needs",
    "import": "import imports",
    "count": "has have holds in",
    "variable": "environment variable variables env var vars",
}
"""By kind of reference, words by which a claim says only that it is there. Kinds of one frame may
stand together; of those without one, being there says too little to bear a claim out."""

RECORDS = (
    r"(?i)(?:^|/)(?:\d+[_.-])?(?:sessions?|audits?|reviews?|reports?|research|handoffs?|logs?|retros?|postmortems?|announcements?|blog|posts|migrations?|upgrades?)/"
    r"|(?:^|[/_.-])(?:sessions?|audit|review|report|findings|handoff|postmortem|retro|samples|action[_-]items|migrat\w+|upgrad\w+|logs?|changelog|history|releases?|breaking[_-]changes)(?:[_.-][^/]*)?\.\w+$"
)
"""Documents that tell what was found or done on a day."""

WORK_ITEMS = (
    r"(?i)(?:^|/)(?:issues?|tickets?|epics|stories|prps?|pull[_-]requests|prs|tasks|completed|done|closed)/"
    r"|(?:^|[/_.-])(?:issue|ticket|bug|pr|epic|story|task)[_#-]?\d[^/]*(?:/|$)"
    r"|(?:^|/)(?!(?:utf|sha|iso|es|rfc|base|md|http|part|chapter|lesson|week|day|module|section)-)[a-z]{2,9}-\d{2,6}(?![\w])[^/]*(?:/|\.\w+$)"
)
"""Documents of one piece of work, by their folder or by the number a tracker gives it; they end with it."""

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
