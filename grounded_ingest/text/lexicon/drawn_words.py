"""Words above a directory tree drawn in a document, and in the comments beside its entries."""

ELSEWHERE = (
    "the root or most entries of the drawn tree are not here: it may show another project, an"
    " example or an output"
)

# Words above a drawn tree that is planned, former, generated, or a user's.
OTHER_LAYOUT = (
    r"(?i)\b(?:examples?|e\.g\.|sample|templates?|output|generat(?:es?|ed|ing)|proposed|proposals?|planned|plans?|target|future|suggested|"
    r"recommended|desired|new (?:shape|layout|structure)|old|before|after|former|legacy|previous(?:ly)?|migrat\w+|refactor\w*|roadmap|"
    r"your (?:\w+ )?(?:project|repo|repository|app|application|code|files?|directory|folder|package|plugin|extension|workspace)|"
    r"user(?:'s|s')? (?:project|repo|machine)|typical|looks? (?:something )?like|like this|similar to|such as|creates?|created|will|would|"
    r"should|could|scaffold\w*|to[- ]be|todo|if you|for instance|imagine|suppose|let's say|consider|installed|runtime|archived?)\b"
    r"|推荐|建议|规划|计划|示例|(?i:\b(?:exemplo|ejemplo|exemple|beispiel)\b)"
)

# Comments beside an entry that is generated, ignored, optional, planned or removed.
MADE_ENTRY = (
    r"(?i)\b(?:(?:auto-?)?generated|git-?ignored?|not (?:committed|tracked|in git|yet)|untracked|created (?:by|at|on|when|during|after|if)|"
    r"run-?time|optional|planned|new|todo|tbd|future|coming|proposed|your|local|secrets?|cache[ds]?|temp(?:orary)?|build output|built|"
    r"compiled|removed|deleted|deprecated|legacy|old|moved|renamed|if (?:present|any|needed)|downloaded|user(?:-specific|s?'s?)?|"
    r"example|private|submodule|symlink\w*)\b|需新增|新建|新增"
)

# The beginning of a comment that tells what a change does to the entry.
CHANGE = (
    r"\W*(NEW|ADD(?:ED)?|CREATE|MODIFY|MODIFIED|UPDATE|EXTEND|DELETE|REMOVE|RENAME)\b(?! [A-Z])"
)

# Names of the repository's root in the first line of a drawing.
ROOTS = "root project-root repo-root repository-root"

# The beginning of a placeholder name.
BLANK = r"(?i)(?:your|my|some|new|any|specific|foo|bar|example)(?:[-_.]|$)|project/?$"

# A title of a plan.
PLAN = r"(?i)\b(?:plans?|proposals?|proposed|ideal|roadmap|rfc|prd|blueprint)\b"

# A label that names the directory of a section: "**Path:** `src/api/`".
DIRECTORY_LABEL = r"(?i)^\W*(?:path|location|director(?:y|ies)|folder|file|source|code|module|package|root)s?\W*:\W*`([^`\s]*/[^`\s]*)`\W*$"

# Words above a list of planned or former files.
OTHER_LIST = (
    r"(?i)\b(?:expected|new|add(?:s|ed|ing)?|put|plac(?:e|ed|ing)|writ(?:e|es|ten)|missing|delet\w+|remov\w+|renam\w+|mov(?:e|ed|ing)|"
    r"repos?|repository|optional)\b"
)
