"""Words by which a claim says of something only that it is there, and where."""

FRAME = (
    "defined declared found lives located implemented exported provided available called named "
    "command script target function method class constant variable file module field key type "
    "default defaults set equals value listed kept stored exists"
)

OF_KIND = {"command": "run runs execute", "version": "runtime language toolchain engine"}
"""Words that are frame beside references of a kind alone."""

RECORDS = (
    r"(?i)(?:^|/)(?:sessions?|audits?|reviews?|reports?|research|handoffs?|logs?|retros?|postmortems?|announcements?|blog|posts|migrations?|upgrades?)/"
    r"|(?:^|[/_.-])(?:sessions?|audit|review|report|findings|handoff|postmortem|retro|samples|action[_-]items|migrat\w+|upgrad\w+|changelog|history|releases?|breaking[_-]changes)(?:[_.-][^/]*)?\.\w+$"
)
"""Documents that tell what was found or done on a day."""

FOREIGN_OWNERS = (
    "os sys re json math time datetime logging pathlib subprocess asyncio typing collections itertools functools random string io np pd plt torch nn tf "
    "react vue angular process console window document object array promise math date number string boolean error request response express next axios "
    "fmt strings strconv http context errors sync std tokio serde self this super cls req res ctx app db e event"
)
"""Owners in `owner.name` that are no code of the repository, by their common names."""
