"""Words of command lines, versions and counts: commands of package managers, and phrases about required
versions, lists and counts."""

PNPM = (
    "add install i update up upgrade remove rm uninstall un link ln unlink import rebuild rb prune fetch patch patch-commit patch-remove audit list ls la ll "
    "outdated why licenses run run-script exec dlx create publish pack root bin setup init deploy doctor store config cache env self-update server login "
    "logout whoami version view info ci dedupe approve-builds catalog help cat-file find-hash ignored-builds recursive multi m c x install-test it completion"
)

YARN = (
    "add install init remove up upgrade upgrade-interactive link unlink dlx exec node npm plugin config cache info why list outdated audit pack publish "
    "version versions workspace workspaces constraints dedupe explain patch patch-commit rebuild search set stage import global create check bin help "
    "licenses login logout owner tag team generate-lock-entry autoclean policies self-update unplug"
)

SCRIPTS = "build dev lint start stop test"
"""Names of scripts that no program of a package has, so that `yarn NAME` runs a script."""

BUN = (
    "install i add a remove rm update link unlink pm x create init upgrade build test repl outdated publish patch audit info exec why dev feedback bunx "
    "completions discord help c"
)

PASSING = (
    "parse_known_args parse_known_intermixed_args ignore_unknown_options allow_extra_args allow_interspersed_args "
    "UNPROCESSED entry_points load_entry_point sys.argv list_commands get_command cls= MultiCommand CommandCollection"
)
"""Names in Python code that accepts undeclared arguments, such as `parse_known_args`."""

HARMLESS_DECORATORS = (
    "command group option argument pass_context pass_obj version_option help_option password_option confirmation_option make_pass_decorator "
    "wraps cache lru_cache staticmethod classmethod contextmanager deprecated"
)
"""Decorators of a command that add no options, or whose options are read."""

PARSERS = "fire docopt plumbum cyclopts absl gflags cleo tap simple_parsing pydantic_settings jsonargparse configargparse tyro plac clize"
"""Names of argument parsers whose declarations are not read."""

OPTION_LIBRARIES = {
    "go": '"flag" spf13/cobra spf13/pflag alecthomas/kingpin',
    "rust": "clap",
    "node": "commander yargs cac sade parseArgs minimist mri",
    "python": f"typer {PARSERS}",
    "ruby": "OptionParser optparse",
}
"""Names of argument parsers, by language. In Python, only those that take an option from the name of a parameter."""

OPTIONS_GIVEN = (
    "completion-bash completion-script-bash completion-script-zsh help-long help-man generate-shell-completion "
    "log.level log.format web.listen-address web.config.file web.systemd-socket"
)
"""Options that parsers such as kingpin give each program, although its code does not name them."""

OPTIONS_OPEN = {
    "go": "DisableFlagParsing FParseErrWhitelist UnknownFlags AddGoFlagSet AddFlagSet ParseErrorsWhitelist ParseErrorsAllowlist urfave/cli alecthomas/kong "
    "klog controller-runtime",
    "rust": "external_subcommand allow_external_subcommands trailing_var_arg allow_hyphen_values ignore_errors clap_verbosity_flag clap_verbosity "
    "clap_cargo pico_args lexopt structopt argh bpaf",
    "node": "allowUnknownOption passThroughOptions oclif citty meow",
    "python": "parse_known_args parse_known_intermixed_args ignore_unknown_options allow_extra_args UNPROCESSED REMAINDER",
    "ruby": "thor gli slop dry-cli commander",
}
"""Names in code that accepts undeclared options, by language."""

RAKE_LIBRARIES = (
    "rake|rake/(?:clean|testtask|extensiontask|javaextensiontask|packagetask)|rubygems/package_task|bundler/gem_tasks|rspec/core/rake_task|rubocop/rake_task|"
    "minitest/test_task|rdoc/task|yard|yard/rake/yardoc_task|standard/rake|cucumber/rake/task|rb_sys/extensiontask"
)
"""Libraries whose tasks are known: they are in RAKE_TASKS, or are named after a class, as `test` after `Rake::TestTask`."""
RAKE_TASKS = (
    "default build build:% install install:% release release:% clean clobber clobber% compile compile:% cross native native:% gem java spec yard "
    "rdoc rerdoc package repackage standard standard:%"
)
"""Tasks that libraries define. `%` stands for any text."""

COMPOSE = "build create exec kill logs pause port pull push restart rm run start stop top unpause up watch"
"""Subcommands of Docker Compose that are given services."""

ENVIRONMENT_OPEN = (
    "SetEnvPrefix AutomaticEnv EnvVarPrefix WithEnvPrefix envconfig env_prefix env_nested_delimiter envPrefix prefixed_env figment "
    "AddEnvironmentVariables ConfigurationProperties runtimeConfig auto_envvar_prefix envwrap prefix_separator env_prefixes"
)
"""Names in code that reads every environment variable with a prefix."""

RUNTIME = (
    r"(?<![\w./@-])(?P<name>[Nn]ode(?:\.?[Jj][Ss])?|NodeJS|[Pp]ython|Go(?:lang)?|go|Rust|rustc|MSRV|Ruby|ruby|PHP|php|Bun|bun|Deno|pnpm|npm|[Yy]arn)(?!\d)"
    r"(?:`|\*)*(?:\]\([^()\s]*\))?(?:\s+(?:runtime|toolchain|engine|CLI|LTS))?"
    r"(?:(?:[;:,|]|\s+is)?\s*\(?(?:[Mm]in(?:imum)?\.?\s+|[Rr]equired\s+)?[Vv]ersions?(?:\s+of\s+[`\w-]+)?(?:\s+(?:is|of))?:?"
    r"|:|\s+(?:of\s+[`\w-]+\s+)?is\b)?"
    r"\s*\(?`?(?P<sign>>=|≥|=>|\^|~)?\s*v?(?P<version>\d+(?:\.\d+){0,2})(?:\.[xX*])?"
    r"(?P<more>\+|\s*\+|,?\s+(?:or|and)\s+(?:later|newer|higher|above|greater|up|more recent)|\s*\((?:or|and) (?:later|newer|above|higher)\))?"
    r"(?![\w%]|\.\d)"
)

ALSO_VERSION = (
    r"(?:\.[xX*])?[`*)]*\s*(?:\\?\|\\?\||[,/–-]|to\b|through\b)\s*[`*(]*"
    r"(?P<range>(?:>=?|≥|=>|\^|~)?\s*v?(?P<version>\d+(?:\.\d+){0,2})(?:\.[xX*])?(?:\s*\+)?)"
)
"""Matches a further version right behind a version: ` || >=22.12.0` in "Node `^20.19.0 || >=22.12.0`"."""

ASKING_TITLES = r"(?i)\b(?:require\w*|prerequisites?|supported(?! in)|minimum|runtimes?|stack|engines?|built with|languages?)\b"
"""Matches the title of a section about what the project requires."""

ASKS = (
    r"(?i)\b(?:requires?|required|requirements?|prerequisites?|needs?|we (?:still |also |only )?(?:support|use)|pinned to|minimum|MSRV|at least|must have|(?:buil(?:t|ds?)|installed) (?:with|on|using)|written in|"
    r"runs? on|running on|runtime|stack|engine|supported(?! in))\b"
    r"|\blanguages?\b\W{0,3}(?:[:|–—-]|is\b|$)"
)

LEAST_VERSION = r"(?i)\b(?:requires?|required|minimum|MSRV|at least|or later|needs?)\b"

DECLARES = r"\b(?:declares?|requires?|pins?|says?|asks? for|specif(?:y|ies)|needs?)\b"
"""Matches the verbs with which a text tells what a manifest says."""

_OWN = r"[\s`*]+v?(?P<version>\d+\.\d+\.\d+(?:[-.+]?[a-z][\w.]*)?)(?![\w.]*\d)"
OWN_VERSIONS = (
    r"(?i)(?<!if )(?<!if the )(?<!when the )\b(?:current|package|released)\s+version(?:\s+(?:is|of the package is)|:)?(?P<of>)" + _OWN,
    r"(?i)\b(?:current|released) version of (?:the |this )?(?P<of>[\w@/-]+) is" + _OWN,
    r"(?i)\b(?:the|this) (?P<of>[\w@/-]+) is (?:now |currently )?at version" + _OWN,
    r"(?i)\b(?:this is|describes?|documents?|covers?|is (?:now |currently )?(?:for|at|on)|currently|written for)"
    + _OWN + r"[`*]*\s+of (?:this|the) (?P<of>project|package|repository|repo|application|app|library|tool)\b",
)  # fmt: skip
"""Match the version of the repository, or of the thing `of`, if a manifest has this name."""

COUNTED = r"(?<![\w.,<>+/-])(?P<n>\d{1,3}(?:,\d{3})+|\d{1,6})(?![\d.+%]|\s*\+)"
"""Matches a whole number. The number is inexact if a sign or a word in ROUGHLY is before it."""
ROUGHLY = r"(?i)(?:[~≈]\s?|\b(?:about|around|approximately|approx\.?|roughly|circa|some)\s+)$"
LINES_BEFORE = r"[ -](?:lines|LOC)\b(?! (?:changed|added|removed|deleted|touched|modified|covered))[^`.;|]{0,12}\b(?:in|of)\s+`(?P<path>[^`\s]+)`"
LINES_OF = r"`(?P<path>[^`\s]+\.\w+)`\s*(?:is|has|\(|[—–-]|at)\s*(?:currently\s+|now\s+)?(?:(?:[~≈]|about|around|approximately|roughly|circa)\s*)?"
LINES_BEHIND = r"[ -](?:lines|LOC)\b(?!\s+(?:of|per|each|limit|max|or|changed|added|removed|deleted|touched|modified|covered))"
_FILES = r"(?:files|modules|records|decisions|ADRs|documents|workflows|migrations|scripts|templates|fixtures)"
FILES_IN = (
    rf"\s+(?:[\w-]+\s+){{0,2}}?(?:{_FILES}\s+"
    r"(?:\([^()]*\)\s+)?|(?P<noun>[\w-]{3,}s)\s+(?=[^`.;]*`(?:[^`\s]*/)?(?P=noun)/?`))"
    r"(?:live\s+|are\s+|stand\s+)?(?:in|under|below|inside)\s+(?:`(?P<path>[^`\s]+)`|(?:the\s+)?\[[^][]+\]\((?P<link>[^()\s#:]+)\))"
)
"""Matches a number of files in a directory, with a general noun or the name of the directory."""
_FOLDER = r"(?:`(?P<path>[^`\s]+)`|\[[^][]+\]\((?P<link>[^()\s#:]+)\))"
_COUNTED_THERE = rf"(?:{_FILES}|(?P<noun>[\w-]{{3,}}s))"
FILES_OF = rf"{_FOLDER}(?:(?: directory| folder)? (?:has|contains|holds|includes) | \(|(?<=/[`)]) ?[—–:-] ?)(?:(?:currently|now) )?"
FILES_OF_NEEDS = (" has ", " contains ", " holds ", " includes ", "` (", ") (", "/`", "/)")
FILES_BEHIND = rf"\s+{_COUNTED_THERE}(?=\)|[.,;](?:\s|$)|\s+(?:in total|total|[—–-])|\s*$)"
"""Match a directory before the number of files in it: "`src/rules` has 19 files", "`docs/adr/` (7 records)"."""
FILES_CELL = rf"^[^:;]{{1,40}}: {_FOLDER}(?:;.*?)?; (?:(?P<held>(?i:count|total))|(?i:(?:# ?(?:of )?|no\.? of |number of )?{_FILES}(?: count)?)): "
FILES_ENDS = rf"(?: {_COUNTED_THERE})?(?=;|$)"
"""Match a row of a table with a directory and the number of files in it."""
ABOUT = (
    r"(?i)\b(?:about|around|approximately|roughly|nearly|almost|over|more than|at least|up to|at most|under|fewer than|less than|max(?:imum)?|limit|"
    r"was|were|had|from|first|last|top|next|of the|grew|shrank|reduced|added|new|changed)\b[^`]{0,24}$"
)
"""Matches text before a number that is not an exact present count: "about", "up to", "was"."""
PLACEHOLDERS = (
    "option options flag flags foo bar baz x xxx name target task script command something"
)
CARGO = "build b check c test t run r clippy bench doc d nextest rustc rustdoc fix publish package miri llvm-cov add install watch hack"
"""Subcommands of cargo that build packages, and so have options for features and targets."""

SAMPLE_NAMES = r"(?i:^@?(?:my|your|some|acme|foo|org|scope|repo|other|another|new|name[-_]of)(?:[-_/]|$)|[-_](?:name|whatever)$|^(?:extra|feature|group|crate|package|name)[-_]?\d$)|XX|^[a-zA-Z]\d?$|^[A-Z][A-Z_-]+$"
"""Matches made-up names of packages, features, extras and groups."""
SAMPLE_PACKAGES = (
    r"(?:crate|package|pkg|project|workspace|feature|extra|group|example|test|bin|binary)s?[\d_-]*[a-z]?\d?|"
    r"web|apps?|api|docs|ui|utils|server|client|frontend|backend"
)
"""Matches general names of packages and targets, which many projects have."""
PACKAGE_TOOLS = (
    r"(?i)(?<![a-z])(?:cargo|uv|poetry|pdm|pip|npm|pnpm|yarn|bun|turbo(?:repo)?)(?![a-z])"
)
"""Matches a path with the name of a package tool, which a document at this path is about."""
SHELLS = (
    "sh bash zsh shell console terminal shell-session shellsession fish powershell pwsh ps1 cmd"
)
"""Languages of code blocks that contain command lines."""
SUBJECTS = "project package repository repo application app server service client backend frontend library tool development building installation setup everything code"
"""Subjects that mean the whole repository: "the app requires Node 20" states its runtime."""

WHOLE = ("project", "package", "repository", "repo", "application", "app", "library", "tool")
"""Nouns for the whole project that a manifest describes."""

VERSION_CELL = r"(?:^|; )(?:(?:current|installed|used|pinned) )?versions?(?: used)?: (?P<version>[`~^]{0,2}v?\d+(?:\.\d+){0,2}(?:\.[xX*])?\+?`?)(?=;|$)"
"""Matches the cell of a table row in the column `Version`, if the cell is only a version."""

NAMED_VERSION = (
    r"(?<![\w`@/.-])(?P<name>`[^`\s]+`|[A-Z@][\w.@/-]*(?: [A-Z][\w.-]*){0,3})[ @]\(?(?P<sign>[~^]?)v?(?P<version>\d+(?:\.\d+){0,2})(?P<more>\.[xX*])?(?P<newer>\+?)"
    r"(?![\w%])(?=[*_]{0,2}(?:\.?$|\.\s|[,;:)|(+&]| [(+&/|–—-]| (?:and|or|with|for|on|via)\b))"
)
"""Matches a name with its version in a sentence: "Next.js 15 (App Router)"."""

LINKED_VERSION = (
    r"\[`?(?P<name>@?[\w./-]+)`?\]\([^()\s]*\) \(?`?(?P<sign>[~^]?)v?(?P<version>\d+(?:\.\d+){1,2})(?P<more>\.[xX*])?"
    r"(?P<newer>\+?)(?![\w%])(?!\.\d)"
)
"""Matches a link to a package with its version: "[color](https://…) v1.16.0"."""

_LISTED_VERSION = r"[A-Z][\w.@/-]*(?: [A-Z][\w.-]*){0,3} v?\d+(?:\.\d+){0,2}(?:\.[xX*])?\+?(?: \([^()]*\))?(?:, (?:and )?| and | \+ |\.?$)"
VERSION_LIST = rf"[A-Z]\w*(?: \w+)?: {_LISTED_VERSION}|(?:{_LISTED_VERSION})+$"
"""Matches an item that lists names with versions, after a label or alone: "Build: Gradle 8.x",
"Java 23, Spring Boot 3.3.5, Gradle 8.x"."""

PINNED_VERSION = (
    r"(?<![\w`@/.-])(?P<name>`[^`\s]+`(?= v?\d)|[A-Za-z@][\w.@/-]*(?=[ @]\(?`?[~^]?v?\d+\.)|[A-Z]\w{2,}(?= \d))[ @]\(?`?(?P<sign>[~^]?)v?"
    r"(?P<version>\d+(?:\.\d+){0,2})(?P<more>\.[xX*])?"
    r"(?P<newer>\+|,? or (?:newer|later|higher|above|greater)\b|`? onwards?\b)?(?![\w%])(?!\.\d)"
)
"""Matches a name with its version in a sentence about a manifest: "zod 4.3 is listed in
`package.json`"."""

LABELLED_VERSION = (
    r"(?P<name>`[^`\s]+`|@?[A-Za-z][\w.@/+-]*(?: [\w.-]+){0,3}?)(?: \([^()]*\))?(?: [Vv]ersion)?(?::| [—–-]) `?(?P<sign>[~^]?)v?"
    r"(?P<version>\d+(?:\.\d+){0,2})(?P<more>\.[xX*])?(?P<newer>\+?)`?(?=\.?$| \()"
)
"""Matches an item that is a name with its version: "laravel/scout (SCOUT) - v10", "Kotlin Version:
2.2.20"."""

USES = (
    r"(?i)\b(?:uses?|using|compiled?|buil(?:t|ds?)|rendered|written|parse[sd]?|tested|formatted|linted|checked|bundled?|handled|powered"
    r"|requires?|depends? on|pins?|pinned|pulls? in|declares?|installs?|downloads?|ships? with|runs? on|based on|relies on|comes with)\b"
    r"|(?<!example )(?<!template )\bis an? (?=[`*\w.@/-]+ v?\d[\w.]*[`*]* (?:[\w-]+ ){0,2}(?:app|application|backend|codebase|dashboard|frontend|library|monorepo"
    r"|package|plugin|project|server|service|site|SPA|website)\b)"
)
"""Matches the verbs of sentences about what a project itself uses."""
USES_NEEDS = (
    "use using compil buil render writ pars test format lint check bundl handl power requir depend pin pull declar install download ship run "
    "based relies comes"
)
CASES = (
    r"(?i)\b(?:initially|originally|if|when|whether|until|since|before|after|for example|such as|like|(?:up|down)grad\w+|migrat\w+|chang\w+|introduc\w+"
    r"|(?<!we )support\w*|compatib\w+|integrat\w+|works? with|added|released|deprecat\w+|drop\w*|users?|your|older|earlier|legacy|previous\w*|instead|another|other|some|not|n[o']t)\b|\be\.g\."
)
"""Matches words of sentences about one of several versions, or about the reader's project."""
ACCEPTS = r"(?i)\b(?:declares?|pins?|pinned|accepts?|allows?|asks? for|requires?|needs?|depends? on|lowest|minimum|oldest|at least|range|constraints?|specifier|or (?:later|newer|higher|above))\b"
"""Matches words with which a sentence tells what a manifest allows."""
ACCEPTS_NEEDS = "declare pin accept allow ask require need depend lowest minimum oldest least range constraint specifier later newer higher above"
RANGE = r"(?<![\w.@/-])(?P<version>[~^]?v?\d+(?:\.\d+)+|[~^]?v?\d+(?:\.\d+)*\.[xX])(?![\w%+-]|\.\d)"
NO_PACKAGES = "version versions release releases range ranges package packages build builds tools types tests config module modules project"
"""Words of such sentences that are also names of packages."""
LOWEST = r"(?i)\b(?:lowest|minimum|oldest|at least|or (?:later|newer|higher|above|greater))\b"


STACK = (
    r"(?i)\b(?:tech(?:nical|nology|nologies)?[ -]stack|stack|technolog(?:y|ies)|built (?:with|on)|frameworks?|"
    r"dependencies|tooling|libraries|architecture overview)\b"
)
"""Matches headings and sentences that list what a project is built with."""
STACK_NEEDS = "stack technolog built framework dependenc tooling librar architecture"

SUPPORT = (
    r"(?i)\b(?:support\w*|compatib\w+|integrat\w+|works? with|requires?|templates?|examples?)\b"
)
"""Matches headings and sentences about packages that the project only works with."""
SUPPORT_NEEDS = "support compatib integrat work require template example"

SERVERS = (
    "redis postgres postgresql mysql mariadb mongodb mongo cassandra clickhouse elasticsearch opensearch neo4j qdrant milvus weaviate chroma sqlite "
    "windows macos linux ubuntu debian android ios sqlite3 kafka rabbitmq nats pulsar docker kubernetes kubectl minikube kind kustomize helm terraform ansible vault consul etcd nginx git github gitlab slack discord openssl curl "
    "http https websocket ssl tls spdx oauth oauth2 openapi swagger graphql grpc protobuf jsonschema json yaml toml xml css html ecmascript es wasm "
    "chrome chromium firefox junit java swift dart elixir erlang scala llvm clang cuda claude anthropic openai gemini ollama llama gpt mcp "
    "node python go golang rust ruby php bun deno npm phase step level tier section chapter part option version release sprint"
)
"""Names of servers, protocols and languages. A package of the same name is only their client."""

ASIDE_FOLDERS = r"(?:^|/)(?:archived?|legacy|deprecated|examples?|fixtures?|tests?|__tests__|testdata|templates?|samples?|demos?|docs?|website|site|benchmarks?|vendor|third_party)/"
"""Matches folders whose manifests are only about an example, a test or the like."""
