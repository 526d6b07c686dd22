"""Words for facts on which all files for coding agents have to agree, and for a change of value."""

MANAGERS = ("npm pnpm yarn bun", "poetry uv pipenv pdm rye")
"""Package managers. Each row has those for one language, of which a project uses only one."""

ORDERED = r"\b(?P<not>(?:never|not|don'?t|do not) (?:use )?)?(?:(?<=never )|(?<=not )|\buse |\buses |\busing |\bmanaged (?:with|by|using) |\bpackage manager\b[^.;:]{0,30} is )(?:only )?[`*]*(?P<value>npm|pnpm|yarn|bun|poetry|uv|pipenv|pdm|rye)\b(?![\w-]| (?:run|test|install|i|ci|add|dev|build|x|exec|dlx|sync|remove|publish|lock|pip)\b|[`*]* (?:\w+ )?workspaces?\b)"

RUNNERS = ("jest vitest mocha ava", "pytest nose2 unittest")
"""Test frameworks. Each row has those for one language, of which a project uses only one."""

SOMEWHERE = r"(?i)\b(?:in|on|for|inside|within) (?:the |a )?(?:CI|CI/CD|Docker\w*|containers?|production|staging|examples?|templates?)\b"
"""Matches a statement about one environment, such as CI, which may differ from others."""

INSTALLING = "install i ci add sync"
RUNNING = "run test t start build dev lint typecheck format"
"""Commands of package managers that install dependencies or run scripts."""

ALONE = r"(?i)\b(?:always|only|exclusively|never|not|don'?t|must)\b"
"""Matches words such as "always" and "never", which show that no other tool is allowed."""

OTHER_USE = r"(?i)\b(?:runtime|bundl\w+|test runner|execut\w+|compil\w+|APIs?|workspaces?)\b"
PACKAGES = r"(?i)\b(?:packages?|dependenc\w+|install\w*)\b"
"""`OTHER_USE` matches other uses of a tool than package management, such as Bun as a runtime.
`PACKAGES` matches words for package management."""

BRANCH = r"`?(?:origin/)?(?P<value>main|master|develop|development|dev|trunk|staging|next)`?(?![\w/.-]*\w)"

BRANCHES = {
    "pull request target": (
        r"\b(?:PRs?|pull requests?|merge requests?|MRs?)\b[^.;:|`]{0,30}?\b(?:targets?|targeting|against|into|to)\s+(?:the\s+)?" + BRANCH
    ),
    "branch to start from": (
        r"\b(?:branch(?:es)?|branched|branch(?:es)? (?:are|is)? ?(?:created|cut))\s+(?:off|from|out of)\s+(?:of\s+)?(?:the\s+)?" + BRANCH
    ),
    "default branch": r"\b(?:default|main(?:line)?|base|primary) branch(?:\s+(?:name\s+)?is|:|\s*=)?\s+" + BRANCH,
}  # fmt: skip

FORBIDDEN = r"(?:❌|\b(?:never|don'?t|do not|must not|mustn'?t|should not|shouldn'?t|cannot|can'?t|no|not|avoid|instead of|rather than|over|replaces?|vs)\b)[^.;|]{0,120}$"

CONDITION = r"(?i)\b(?:if|when|unless|without|except|until|only|before|after|for example|e\.g\.|such as|instead of|rather than|previously|formerly|used to|was|were|hotfix\w*|release)\b"

CUE = r"(?i)\b(?:npm|pnpm|yarn|bun|poetry|uv|pipenv|pdm|rye|jest|vitest|mocha|ava|pytest|nose2|unittest|branch\w*|PRs?|MRs?|requests?|main|master|trunk|ports?|node\w*|python|golang|go|rust|ruby|php|deno)\b"
"""A fast test before the other patterns of this file: matches every sentence that can state one of
their facts, such as a package manager or a port."""

ASIDE = r"(?i)\b(?:tested|compatib\w+|supports?|supported|matrix|drop\w*|e\.g\.|example|if|when|unless|legacy|deprecated|previously|was|were|until|older|below|not)\b"
"""Matches a sentence about a version that the project need not use, such as a tested version."""

RUNS = r"(?i)^(?:the|our|this) (?P<part>[\w-]+(?: [\w-]+){0,2}?) (?:runs?|requires?|needs?|uses?|targets?|is (?:built|written))\b"
"""Matches a sentence about one part of a project."""

READ_AS = (
    r"^(?P<scope>(?:[^/]+/)*?)(?:\.(?:claude|agents|codex|gemini|github|junie)/)?"
    r"(?:(?:CLAUDE|AGENTS|AGENT|GEMINI)(?:\.local)?\.md|copilot-instructions\.md|guidelines\.md(?<=\.junie/guidelines\.md)"
    r"|\.(?:cursor|windsurf|cline|roo)rules|\.goosehints"
    r"|(?:\.cursor/rules|\.windsurf/rules|\.clinerules|\.roo/rules|\.kiro/steering|\.augment/rules|\.trae/rules|\.amazonq/rules)/(?:[^/]+/)*[^/]+)$"
)
"""Matches paths of files that agents load automatically. The group `scope` is the directory to
which the file applies."""

NARROWED = r"(?m)\A---\n(?:[^\n]*\n){0,12}?(?:globs|applyTo|fileMatchPattern|paths):[ \t]*(?![\"'\[]*(?:\*\*|\*\*/\*|\*)[\"'\]]*[ \t]*$)[^\s]"
"""Matches front matter that limits a file to some paths."""

PORT = r"(?i)\b(?:the |our )?(?P<subject>[\w-]+(?: [\w-]+)?)(?: (?:listens|runs|serves|is served|is available|is reachable) on (?:TCP |the )?port|: port) `?(?P<value>\d{2,5})\b"
"""Matches a service and its port."""

FRAMEWORK = r"`?(?P<value>jest|vitest|mocha|ava|pytest|nose2|unittest)\b"
TESTS = (
    r"(?i)\btests? (?:are |is )?(?:run|runs|written|use|uses)(?: (?:with|using|in|by))? "
    + FRAMEWORK,
    r"(?i)\buses? " + FRAMEWORK + r"`? for (?:all |the |our )?(?:unit )?tests\b",
)
"""Match the framework that tests use."""

IN_SOME_CASE = (
    r"(?i)\b(?:if|when|whenever|unless|while|until|once|in case|assuming|suppose|otherwise|depend(?:s|ing) on|support(?:s|ed|ing)?"
    r"|compatib\w+|works? (?:with|on)|tested (?:on|with|against)|e\.g\.?|i\.e\.?|for example|such as|for instance|alternatively"
    r"|optional(?:ly)?|either|or|any|could|would|might|may|can(?! be reached)|than|vs\.?|versus|compared|instead of|like|similar|except"
    r"|some|(?<!at )most|every other|various|different|override[ns]?|configurable|customi[sz]\w+|previously|formerly|originally|initially"
    r"|legacy|deprecated|removed|fixed|added|bumped?|upgraded?|changed|migrat(?:e[sd]?|ing)|proposed|planned|future|recommended|suggest\w*"
    r"|error|fatal|fails?|failed|crash\w*|bug|historical\w*|attempted|observed|measured|took|about (?:\d|an? |half|one|two|three|ten)"
    r"|roughly|approximately|average|typical(?:ly)?|estimated?)\b|^(?:before|after|with|without|for|note)\b|[<>≤≥?→]|~(?=\s?\d)|\bas of\b"
)
"""Matches a sentence about a condition, an example, another time or several values."""

# Words that say that a value changed.
DISCLOSURES = (
    r"\b(?:changed|updated|migrated|moved|switched|raised|lowered|increased|decreased|reduced|bumped|"
    r"upgraded|downgraded|renamed|went) from\b", r"\bpreviously\b", r"\bformerly\b", r"\bused to be\b",
    r"\bno longer\b", r"\bwas .{1,60}\b(?:is )?now\b", r"\bup from\b", r"\bdown from\b",
    r"\binstead of\b", r"\bsupersed", r"\breplac(?:es|ed|ing)\b", r"→|->", r"\bold(?:er)? value\b",
)  # fmt: skip
CHANGE = (
    r"\b(?:now|no longer|any ?more|previously|formerly|instead of|took over|taken over|since|"
    r"(?:chang|mov|switch|migrat|replac|renam|rais|lower|increas|decreas|reduc|upgrad|downgrad)ed)\b"
)
"""Matches a sentence that says that something changed."""
RELATIVE_DATES = r"\b(?:yesterday|today|last (?:week|month|year))\b"
