"""What of a claim is not about what its source says: cells of a table that only its author can know,
sentences that point, acts of examination. And what the name of a file says of its content."""

# Columns whose cells are the author's judgement or book-keeping: no source holds them.
BOOKKEEPING = (
    "severity status priority prio date time owner assignee assigned effort estimate size likelihood confidence verdict result review "
    "reviewer reviewed review phase sprint milestone due category class done tested checked pass passed completed complete progress author "
    "grade rating score tier level risk state-of-work id ref no nr # pr test-method"
)
# Columns that name the rows of their own table.
ROW_IDS = (
    r"(?i:#|no\.?|nr\.?|id|ref|key|finding|risk|item|req|requirement|rule|case|test|bug|defect|gap|step|task|story|question|claim|check|"
    r"decision|observation|nfr|fr)(?i: (?:id|no\.?|#))?"
)
# A whole sentence that says where something can be read.
POINTS = (
    r"(?i)^\W*(?:(?:please|also|but|and|note that|you (?:can|may|should))\s+)*(?:see|refer to|consult|check out|check|visit|read(?! the docs)|cf\.?|have a look at|follow)\b"
    r"|^\W*for\b(?:(?!\b(?:is|are|was|were|has|have|must|can|may)\b)[^.;]){0,120}?(?:,|\bsee\b|\bconsult\b|\brefer\b)\W*$"
    r"|^\W*for\b[^.;]{0,120}?\b(?:see|consult|refer to|check|read|visit)\b"
    r"|\b(?:can be|are|is|was|were|will be|being)\s+(?:\w+ly\s+)?(?:found|viewed|described|documented|discussed|explained|listed|covered|detailed|tracked|recorded|summari[sz]ed|spelled out|laid out)\b[^.;]{0,40}\W*$"
    r"|\b(?:is|are|was|were|be|being)\s+(?:available|given|provided|specified)\s+(?:in|at|by|under|on|from|here|there|below|above)\b[^.;]{0,40}\W*$"
    r"|\b(?:learn|read|find out) more (?:about|on)\b|\bmore (?:details?|information|examples?|background)\b[^.;]{0,60}\W*$"
    r"|\bplease (?:consult|see|refer|read|check)\b|\bthe (?:canonical|authoritative|full|complete) (?:\w+ ){0,2}(?:reference|source|list|specification|documentation|guide)\b[^.;]{0,30}\W*$"
)
# What was done with a source: "verified against", "audited at".
EXAMINES = (
    r"(?i)\b(?:re-?)?(?:verified|probed|audit(?:ed|s)?|cross-referenced|cross-checked|checked|measured|reviewed|inspected|validated|confirmed|"
    r"reproduced|compared|benchmarked|grepped|tested|snapshot (?:was )?taken|taken|captured|ran|run|generated|baselined|pinned)\b"
    r"[^.;]{0,60}?(?:\bagainst\b|@|\bas of\b|\bat (?=[.,;)]|$|commit|head|revision)|\bfrom (?=[.,;)]|$))"
)
# Labels at the head of a document, of the document itself.
HEAD = (
    r"(?i)\b(?:status|date|version|revision|authors?|owners?|decision[- ]makers?|deciders?|reviewers?|approvers?|created|"
    r"(?:last )?(?:updated|modified|reviewed)|(?:proposed|reviewed|approved|written) by|supersedes|tags)\**:"
)
# What a file's ending says.
ENDINGS = {
    "rs": "Rust crate", "py": "Python", "pyi": "Python", "go": "Go Golang", "ts": "TypeScript", "tsx": "TypeScript React component",
    "js": "JavaScript", "jsx": "JavaScript React component", "mjs": "JavaScript", "java": "Java", "kt": "Kotlin", "swift": "Swift",
    "rb": "Ruby", "cs": "C# dotnet", "cpp": "C++", "hpp": "C++ header", "c": "C", "h": "C header", "zig": "Zig", "hs": "Haskell",
    "sh": "shell bash script", "ps1": "PowerShell script", "sql": "SQL schema", "proto": "Protobuf protocol wire schema message",
    "yml": "YAML configuration", "yaml": "YAML configuration", "toml": "TOML configuration", "json": "JSON configuration", "ini": "configuration",
    "cfg": "configuration", "css": "CSS style", "html": "HTML page", "md": "Markdown document guide documentation docs", "rst": "document guide documentation docs",
    "tf": "Terraform", "nix": "Nix", "lock": "lockfile",
}  # fmt: skip
