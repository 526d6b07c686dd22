"""Names and extensions of files, by kind."""

CODE = (
    "py pyi pyx js mjs cjs jsx ts mts cts tsx vue svelte astro go rs java kt kts scala groovy c h cc cpp cxx hpp hh cs fs fsx vb swift m "
    "mm rb php pl pm lua r jl dart ex exs erl hrl clj cljs hs ml mli nim zig v sol asm s sh bash zsh fish ps1 bat cmd sql graphql gql "
    "proto thrift css scss sass less html htm xml xsd jinja j2 tmpl tf tfvars hcl nix dockerfile cmake mk gradle bzl star wasm ipynb cairo "
    "move d ada adb ads f90 cob coq lisp el scm rkt tcl awk sed applescript vim feature pest g4 ebnf lalrpop"
)
CONFIGURATION = "yaml yml toml ini cfg conf properties env lock plist service editorconfig"
PROSE = "md markdown mdx mdc rst adoc txt text org tex pdf docx rtf log"
RECORDS = "json jsonl ndjson csv tsv parquet xlsx jsonc json5"
MEDIA = "png jpg jpeg gif svg webp ico mp4 mov webm woff woff2 ttf zip gz tgz tar whl exe dll so db sqlite"

WELL_KNOWN = (
    "Makefile Dockerfile Containerfile Justfile justfile Procfile Rakefile Gemfile Vagrantfile Jenkinsfile CMakeLists.txt BUILD WORKSPACE "
    "LICENSE CODEOWNERS NOTICE .gitignore .gitattributes .dockerignore .editorconfig .npmrc .nvmrc .prettierrc .eslintrc .env.example "
    ".tool-versions .python-version .mcp.json go.mod go.sum"
)
# `console.log` and `Node.js` look like file names, but are not files.
OBJECTS = (
    "console process math response res resp request req self this ctx context event result page "
    "logger log r e np os sys body payload data obj item node element el import.meta meta"
)
MEMBERS = "log text json env html xml sql key lock service so db d h c m r v sh"
PRODUCTS = (
    "node.js next.js vue.js react.js nuxt.js three.js d3.js express.js ember.js backbone.js chart.js moment.js day.js alpine.js p5.js "
    "discord.js bun.js angular.js nest.js fastify.js solid.js preact.js electron.js mermaid.js highlight.js reveal.js asp.net vb.net f.lux "
    "highlight.js passport.js sequelize.js handlebars.js socket.io e.g i.e"
)

PROPS = "foo bar baz qux example sample demo test file main index app config script module component your my new"
"""Names of files in examples. If no such file exists, the name is not a citation."""

# Names of files that also exist in the reader's project. A README may mean the reader's file.
READERS_OWN = (
    "requirements.txt setup.py setup.cfg config.yaml config.yml config.json .env package.json pyproject.toml Dockerfile Makefile "
    "docker-compose.yml docker-compose.yaml .gitignore .travis.yml tsconfig.json main.py app.py index.js"
)

# Names of files that any project may have. They are looked up only at exactly this path.
GENERIC = (
    r"(?i)(?:readme|license|licence|changelog|contributing|code_of_conduct|security|todo|notes|claude|agents|gemini|memory|skill|guide|"
    r"overview|introduction|getting-started|install|installation|setup|quickstart|faq)(?:\.\w+)?|"
    r"(?:index|main|mod|lib|app|config|conf|conftest|settings|constants?|types?|utils?|helpers?|common|core|base|models?|schemas?|errors?|"
    r"exceptions|server|client|cli|api|routes?|router|handlers?|service|version|default|state|store|styles?|global|globals|page|layout|"
    r"run|start|build|deploy|release|ci|tests?|spec|example|demo|data|model|command|commands|hooks|plugin|manifest|metadata|"
    r"__init__|__main__|_?version)\.\w+|"
    r"(?:test|spec)s?[._-][\w.-]*|[\w.-]+[._-](?:test|spec)s?\.\w+|"
    r"setup\.(?:py|cfg)|pyproject\.toml|[\w-]*requirements[\w.-]*|package(?:-lock)?\.json|tsconfig[\w.]*\.json|pnpm-[\w.-]+|yarn\.lock|"
    r"[\w.-]+\.config\.\w+|cargo\.(?:toml|lock)|go\.(?:mod|sum)|gemfile[\w.]*|rakefile|makefile|justfile|taskfile\.ya?ml|dockerfile[\w.-]*|"
    r"(?:docker-)?compose[\w.-]*\.ya?ml|\.env[\w.-]*|\.[\w-]*(?:ignore|rc)(?:\.\w+)?|\.pre-commit-config\.yaml|\.editorconfig|\.gitattributes|"
    r"\.gitlab-ci\.yml|mkdocs\.yml|tox\.ini|uv\.lock|poetry\.lock|vite\.config\.\w+|settings\.\w+\.json|"
    r"src|lib|libs|app|apps|bin|cmd|pkg|packages|internal|tests?|__tests__|specs?|docs?|documentation|examples?|scripts?|tools?|public|static|assets|"
    r"components?|pages|utils?|helpers?|hooks|types|models?|services?|api|config|data|build|dist|\.github|workflows|\.vscode|\.git"
)

# Folders that programs create where they run.
RUN_TIME = (
    r"(?i)\.?(?:logs?|te?mp|caches?|outputs?|out|results?|reports?|data|volumes?|uploads?|downloads?|sessions?|state|runs?|artifacts?|"
    r"coverage|backups?|dist|build|target|bin|obj|node_modules|venv|env|__pycache__|storage|dumps?|screenshots?|workspaces?|worktrees?|"
    r"checkpoints?|snapshots?|secrets|local|run|var|db|history|memory|agent-logs|runtime)"
)

LANGUAGES = "ar bg bn ca da de el en es et fa fi fr he hi hr hu id it ja ka ko lt lv ms nb nl pl pt ro ru sk sl sr sv ta th tr uk ur vi zh"
"""Languages of translated documents, as folders are named after them. `cs` may be C# as well."""
