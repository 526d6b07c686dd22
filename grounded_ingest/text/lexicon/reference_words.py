"""Words in claims that say only that something exists, and where it is."""

GLUE = "the a an is are be there and or"
"""Words that may be in any claim that only says that something exists."""

_RUNS = "command script target task recipe run runs execute"
FRAMES = {
    "symbol": "",
    "command": _RUNS,
    "flag": _RUNS,
}
"""Maps kinds of references to words in claims that only say that the thing exists: "`make up` is a
command". One claim may have kinds with equal words. Other kinds have no such claims."""

HEADINGS = (
    "a an the and of for to in on with our this s md "
    "agents agent claude gemini copilot codex readme guide guidelines guidance instructions rules memory bank progress notes decisions handbook manual "
    "reference docs documentation repository repo project codebase code overview introduction about summary index contents quick key main core general "
    "common basics facts configuration config settings options values constants variables environment parameters defaults limits ports paths files "
    "directories folders layout structure architecture stack tools tooling commands scripts tasks targets recipes "
    "dependencies packages requirements versions conventions style workflow contributing"
)
"""Words of general headings such as "Configuration", which do not limit the text below."""
BESIDE = "the our a is are equals set to see and runs executes calls live kept sit belong in at under defined defaults gitignored ignored by git has lacks default"
"""Words that may be between the code spans in the section of a proof (a claim such as "`PORT` in
`x.py` is 8080")."""
RECORD_FIELDS = "proofs type kind category source confidence tags memory semantic procedural episodic fact facts config configuration command reference project ai synthesis user code"
"""Names and values of record fields that do not limit a record."""

RECORDS = (
    r"(?i)(?:^|/)(?:\d+[_.-])?(?:sessions?|audits?|reviews?|reports?|research|handoffs?|logs?|retros?|postmortems?|announcements?|blog|posts|migrations?|upgrades?|rel(?:ease)?[_-]?notes?)/"
    r"|(?:^|[/_.-])(?:sessions?|audit|review|report|findings|handoff|postmortem|retro|samples|action[_-]items|migrat\w+|upgrad\w+|logs?|changelog|history|releases?|announcements?|breaking[_-]changes)(?:[_.-][^/]*)?\.\w+$"
    r"|(?:^|/)(?:analysis|assessment)\.\w+$"
    r"|(?:^|[/_-])(?:v\d+\.\d+|\d+\.\d+\.\d+)[^/]*(?:/|\.\w+$)"
)
"""Paths of documents about findings or work of one day, or about one version."""

WORK_ITEMS = (
    r"(?i)(?:^|/)(?:issues?|tickets?|epics|stories|prps?|pull[_-]requests|prs|(?<!src/)tasks|completed|done|closed)/"
    r"|(?:^|/)(?:known[_-])?issues\.\w+$"
    r"|(?:^|[/_.-])(?:issue|ticket|bug|pr|epic|story|task|phase)[_#-]?\d[^/]*(?:/|$)"
    r"|(?:^|/)(?!(?:utf|sha|iso|es|rfc|base|md|http|part|chapter|lesson|week|day|module|section)-)[a-z]{2,9}-\d{2,6}[a-z]?(?![\w])[^/]*(?:/|\.\w+$)"
)
"""Paths of documents about one piece of work, by folder or issue number."""

WORK_LOGS = (
    r"(?i)(?:^|/)(?:plans|handoffs?|completed|done|_?archived?|archives|attic|historical|brainstorm\w*)/|(?:^|/)\.planning/(?:milestones|phases)/|(?:^|[/.])log\.\w+$"
    r"|(?<!of)[-_](?:done|skipped|completed)\.\w+$"
)
"""Paths of documents in which people and agents write down their work: plans, logs, handoffs, archives."""

GENERATED = (
    r"(?is)\A\s*(?:(---|\+\+\+)\n.*?\n\1\s*)?(?:<!--(?=(?:(?!-->).)*\b(?:auto-?)?generated\b)"
    r"(?=(?:(?!-->).)*\b(?:do not|don['’]t|never|not be) (?:edit|modif|change))"
    r"|# \w[^\n]*\n\s*Defined in: |## API Report File for |(?:# [^\n]+\n\s*)?## Packages\n- \[\S+\]\(#)"
)
"""The top of a document that a program wrote: a comment "generated … do not edit", or how TypeDoc,
API Extractor and crd-ref-docs begin a page."""

FOREIGN_OWNERS = (
    "os sys re json math time datetime logging pathlib subprocess asyncio typing collections itertools functools random string io np pd plt torch nn tf "
    "react vue angular process console window document object array promise math date number string boolean error request response express next axios "
    "fmt strings strconv http context errors sync std tokio serde self this super cls req res ctx app db e event"
)
"""Common objects before a dot, such as `console.log`, that are not defined in the repository."""

OF_EVERY_TYPE = (
    "toString hashCode valueOf getClass hasOwnProperty isPrototypeOf new class name send public_send tap then dup clone freeze frozen inspect "
    "hash display extend method methods respond_to is_a kind_of instance_of nil to_s to_h to_a object_id instance_variable_get "
    "instance_variable_set define_singleton_method singleton_class allocate superclass ancestors instance_methods include default clone_from "
    "from into default_value fmt eq cmp len is_empty iter unwrap ok err try_from parse Default Debug Clone Display value name from_bytes to_bytes"
)
"""Members that languages give to every type, or that Rust derives."""

GO_PACKAGES = (
    "bufio bytes cmp context crypto embed encoding errors exec filepath flag fmt hash html http httptest io ioutil json log maps math mime net os path "
    "rand reflect regexp runtime slices slog sort sql strconv strings sync syscall template testing time unicode url utf8 xml"
)
"""Packages of Go's standard library."""
