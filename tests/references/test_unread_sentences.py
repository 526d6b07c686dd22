"""False sentences, each beside a true one, of kinds that strangers wrote about repositories."""

from __future__ import annotations

from pathlib import Path

import pytest

from grounded_ingest.report.findings import list_findings
from tests.repos import Files, Repo

CI = "jobs:\n  lint:\n    steps:\n      - uses: acme/spell@v1.49.0\n      - uses: acme/gosec-action@v9\n        with: {version: v2.11}\n      - uses: acme/setup-rows@1a2b3c4d5e1a2b3c4d5e1a2b3c4d5e1a2b3c4d5e # v4.1.2\n        with:\n          node-version: 20\n"
HOOKS = "repos:\n- repo: https://example.org/acme/ruff-pre-commit\n  rev: v0.6.9\n  hooks: [{id: ruff}]\n"
MAKE = "ROOT = $(dir $(abspath $(lastword $(MAKEFILE_LIST))))\nBIN ?= $(ROOT)/bin\nLINT = $(BIN)/lint\n\n$(LINT):\n\ttrue\n\ncover:\n\ttrue\n"
FILES = {
    "pyproject.toml": '[project]\nname = "shop"\nrequires-python = ">=3.10"\ndependencies = ["anyio>=3.6,<5"]\n'
    '[dependency-groups]\nlint = ["mypy>=1.16"]\ndocs = ["mypy>=1.19"]\n[build-system]\nrequires = ["hatchling>=1.26"]\n',
    "docs/requirements.txt": "Sphinx==7.2.6\n",
    ".github/workflows/ci.yml": CI, ".pre-commit-config.yaml": HOOKS, "Makefile": MAKE,
    "tox.ini": "[tox]\nenvlist = py{310,311}-{tests,slow_tests}\n[testenv:docs-watch]\n",
    "shop/__init__.py": "", "shop/errors.py": "class RowError(Exception): ...\n",
    "shop/limits.py": "row_wait = 0.2\nROW_SHARE = 0.35\nMAX_ROWS = 10\nclass Limits:\n    def __init__(self, max_depth=4):\n"
    "        self._max_depth = max_depth\n    def cut(self):\n        max_depth = self._max_depth\n"
    "OPTIONS = {'page_size': {'type': 'int', 'default': 20}}\n",
    "Rakefile": 'Dir.glob("tasks/*.rake").each { |f| load f }\nnamespace :spec do\n  RSpec::Core::RakeTask.new("unit")\nend\n'
    "Cucumber::Rake::Task.new(:features)\n", "tasks/deploy.rake": "task 'deploy:all' do\nend\n",
    "lib/shop.rb": "module Shop\n  mattr_accessor :row_timeout\n  self.row_timeout = 3\nend\n",
    "desk/Cargo.toml": '[package]\nname = "desk"\nrust-version = "1.65"\n', "tox.toml": 'requires = ["tox>=4.52"]\n',
    "package.json": '{"packageManager": "yarn@4.17.1+sha", "scripts": {"build": "x"}}', "shop/row_limits.py": "class RowLimits:\n    row_limit = 3\n",
    "go.mod": "module example.org/till\n", "till.go": "package till\n\nfunc WithFloor() {}\n\ntype Till struct {\n\tRows int\n}\n\nfunc (t Till) AddRow() {}\n\nvar DefaultTill = Till{Rows: 3}\n",
    "docker-compose.yml": "services:\n  mongodb:\n    image: mongo\n", "web/package.json": '{"scripts": {"build": "x"}}',
    "init/start.sh": "", "init/start.fish": "", "lib/mark.rb": "class Mark\n  @@next_id = 5\nend\n",
    "desk/src/lib.rs": "pub enum Kind { Sale, Gift }\npub const LEVEL: Level = Level::INFO;\n"
    'fn rate() -> f32 { env::var("ROW_RATE").map_or(Ok(2.0), |r| r.parse()) }\n',
    "web/options.js": "export default { pageWidth: { type: 'int', default: 80 } };\nshow({ pageWidth: 100 });\n",
    "internal/json/a.go": "package json\n", "internal/yaml/a.go": "package yaml\n",
    "limits_test.go": "package till\n", "tests/rows/test_cut.py": "", "shop/row_marks.py": "def mark_all(): ...\n",
    "shop/slow_rows.py": "class SlowRows: ...\n", "desk/slow_rows.py": "class SlowRows: ...\n",
    "tools/cut.py": "def cut_late(): ...\n", "tools/late_cut.py": "from cut import SlowRows, cut_late\n\ndef cut_all(): cut_late()\n",
    "shop/waits.py": "import os\nPAGE_SIZE = 4096\nMAX_LOGS = int(os.getenv('SHOP_MAX_LOGS', '10'))\nROW_FORMAT = '0.12'\nPOLL_DELAY = 30\nROW_HOST = 'ROW_HOST'\nBUFFER_SIZE = 64 * 1024\nVERBOSE_ROWS = True\n",
    "tests/kind.rs": "enum Kind { Late }\n",
    "ops/rows.go": 'package main\n\nvar a = app.Flag("web.row-age", "h").Default("5h").Duration()\n\nfunc init() {\n'
    '\tflag.Int("row-parts", 0, "the default is computed")\n}\n',
    "desk/src/cli.rs": "struct Cli {\n    #[arg(long, default_value_t = 4)]\n    row_jobs: u8,\n"
    "    #[arg(long)]\n    row_cells: Option<u8>,\n}\nfn f() { let row_cells = 9; }\n",
    "web/all.js": "export const rowCount = 1;\n", "conf/local.toml.example": "",
    "web/settings.ts": "export const defaults = {rowLimit: 10};\nclass A { set rowLimit(v) { this.x.rowLimit = v; } }\n",
}  # fmt: skip

SENTENCES = (
    ("The spell check uses spell v1.36.2.", "ci.yml has spell 1.49.0, not 1.36.2"),
    ("The spell check uses spell v1.49.", ""),
    ("The lint job uses gosec v1.64.", "ci.yml has gosec 2.11, not 1.64"),
    ("The lint job uses gosec v2.11, and if you use gosec v1.64, it fails.", ""),
    ("Our hooks pin ruff to v0.5.7.", "config.yaml has ruff 0.6.9, not 0.5.7"),
    ("Our pre-commit configuration pins ruff to v0.6.9.", ""),
    ("The docs are built with Sphinx 8.1.3, pinned in `docs/requirements.txt`.", "Sphinx 7.2.6"),
    ("We require AnyIO 4.0 or later (`dependencies` in `pyproject.toml`).", "anyio >=3.6,<5"),
    ("With AnyIO, use version 1.6 or later.", "anyio >=3.6,<5"),
    ("With AnyIO Rows, use version 1.6 or later.", ""),  # another package
    ("The `lint` group asks for mypy 1.14 or later.", "pyproject.toml has mypy >=1.16"),
    ("The `lint` group asks for mypy 1.16 or later, and another one for more.", ""),
    ("The `docs` group pulls in mypy 1.19 or later.", ""),
    ("The `build-system` table asks for `hatchling >= 1.21`.", "pyproject.toml has hatchling >=1.26"),
    ("The lint job uses `acme/spell@v1.36`.", "ci.yml has acme/spell 1.49.0, not 1.36"),
    ("The lint job uses `acme/spell@v1`, and if you use acme/spell@v0.9, it fails.", ""),
    ("The lint job uses acme/setup-rows at v3.", "ci.yml has acme/setup-rows 4.1.2, not 3"),
    ("The workflow tests each change on Node.js 18.x.", "ci.yml has node 20, not 18"),
    ("The workflow tests each change on Node.js 20.", ""),
    ("The workflow fails if your project uses Node.js 18.", ""),
    ("It is in the `late_rows` attribute of `RowError`.", "shop/errors.py has no RowError.late_rows"),
    ("It calls the `add_note` method of `RowError`.", ""),
    ("The `mark_all` helper of all marks is in `shop/limits.py`.", "shop/limits.py has no mark_all"),
    ("The `mark_all` helper of all marks is in `shop/row_marks.py`.", ""),
    ("`cut_late` lives in `tools/late_cut.py`.", "tools/late_cut.py does not define cut_late"),
    ("The class `SlowRows` is declared in `tools/late_cut.py`.", "; desk/slow_rows.py defines it"),
    ("The class `SlowRows` is declared in `desk/slow_rows.py`.", ""),
    ("`cut_late` is called in `tools/late_cut.py`.", ""),
    ("The helper that `cut_late` relies on is in `tools/late_cut.py`.", ""),
    ("A buffer of 16 KB is too small beside BUFFER_SIZE.", ""),
    ("Unless SHOP_MAX_LOGS is set, it exits with status 2.", ""),
    ("`VERBOSE_ROWS` is off by default in another program.", ""),
    ("CI will run Node.js 18, and background jobs run on Node.js 18.", ""),
    ("Downstream CI may use acme/spell@v1.36.", ""),
    ("`RowError` extends `ValueError` by a list of rows.", ""),
    ("`VERBOSE_ROWS` is off by default.", "VERBOSE_ROWS in shop/waits.py is True, not off"),
    ("`VERBOSE_ROWS` is on by default.", ""),
    ('`ROW_HOST` (default: "localhost") is the host.', ""),  # the constant names a variable
    ("Unless SHOP_MAX_LOGS is set, it keeps 20 logs.", "SHOP_MAX_LOGS in shop/waits.py is 10, not 20"),
    ("If `SHOP_MAX_LOGS` is unset, it keeps 20 logs.", "SHOP_MAX_LOGS in shop/waits.py is 10, not 20"),
    ("Unless SHOP_MAX_LOGS is set, it keeps 10 logs.", ""),
    ("If SHOP_MAX_LOGS is set, it keeps 20 logs.", ""),
    ("Bump `ROW_FORMAT`, currently 0.6, with each change.", "is '0.12', not 0.6"),
    ("It needs Rust 1.64 or newer, as declared in `desk/Cargo.toml`.", "rust 1.65 or newer"),
    ("The lint jobs are pinned to Node.js 18.", "ci.yml has node 20, not 18"),
    ("The lint jobs need Node.js 18 or newer.", ""),
    ("It is checked by `nox -s lint`.", "no file of this repository has targets for nox"),
    ("The limits are in `row_limits.py` at the top of the repository.", "there is shop/row_limits.py"),
    ("The limits are in `row_limits.py` at the top level of `shop`.", ""),
    ("It asks for `hatchling ~= 1.21`.", "pyproject.toml has hatchling >=1.26"),
    ("The limits are in `row_limits.py` in the repository root.", "there is shop/row_limits.py"),
    ("The till is in `till.go` in the project root, and `limits.py` in the root of another project.", ""),
    ("Please make up-to-date copies, and make non-blocking calls.", ""),
    ("It all passes in npm run late-gone.", "package.json has no script late-gone"),
    ("Shop requires Python 3.11 or newer.", "requires python 3.10 or newer, not 3.11"),
    ("Tell us what you use (e.g. AnyIO 9.0).", ""),
    ("The first step installs AnyIO and hooks; requires uv >= 0.8.13.", ""),
    ("The first step installs hooks; requires anyio >= 2.1.", "pyproject.toml has anyio >=3.6,<5"),
    ("You need Python 3.11 or newer to build the docs.", ""),
    ("Shop 2 requires Python 3.11 or newer.", ""),
    ("Shop requires Python 3.11 or newer on Windows.", ""),
    ("The project requires a runtime; if you want Python 2, use an old version.", ""),
    ("If you want to build the project, you need Python 2.", "requires python 3.10 or newer, not 2"),
    ("The project supports two releases: if the latest one of Python is 3.9, it needs 3.8.", ""),
    ("| Supported Python | shop |\n|---|---|\n| 3.6 | up to 8.x |\n\nText.", ""),
    ("| Supported Python | shop |\n|---|---|\n| 3.6.x | no |\n\nText.", "requires python 3.10 or newer"),
    ("The cluster requires gosec 1.64.", ""),
    ("AnyIO and we need at least Go 1.22.", ""),
    ("Run `tox -e py310-slow`.", "tox.ini has no environment py310-slow"),
    ("Run `tox -e py312-slow_tests` or `tox -e docs-tests`.", ""),
    ("Run `tox -e docs-serve`.", "tox.ini has no environment docs-serve"),
    ("`tox -e docs-serve` runs it on the bad examples.", "tox.ini has no environment docs-serve"),
    ("For example, `tox -e docs-serve` runs it.", ""),
    ("`tox -e docs-serve` is a bad example.", ""),
    ("Run `tox -e lint-some-package`.", ""),
    ("Run `make coverage`.", "Makefile has no target coverage"),
    ("Run `make cover`.", ""),
    ("It raises shop.errors.LateRowError.", "shop/errors.py has no LateRowError"),
    ("It raises shop.errors.RowError, and other.errors.LateRowError.", ""),
    ("`web/all.js` exports `rowCounts`.", "web/all.js has no rowCounts"),
    ("`web/all.js` exports `rowCount`.", ""),
    ("Rows are in `SlowRows` (errors.py).", "errors.py has no SlowRows"),
    ("At `ROW_SHARE` (0.36) it stops.", "ROW_SHARE in shop/limits.py is 0.35, not 0.36"),
    ("At `ROW_SHARE` (0.35) it stops.", ""),
    ("It is cut after 5 levels (`max_depth` in `shop/limits.py`).", "is 4, not 5"),
    ("It is cut after 4 levels (`max_depth` in `shop/limits.py`).", ""),
    ("Set `max_depth` (`5`/`6`) in `shop/limits.py`.", ""),
    ("It waits 31 s (the default of `POLL_DELAY` in `shop/waits.py`).", "is 30, not 31 s"),
    ("It waits 30 s (the default of `POLL_DELAY` in `shop/waits.py`).", ""),
    ("`page_size` is 30 by default (`shop/limits.py`).", "page_size in shop/limits.py is 20"),
    ("By default it shows up to 20 rows; change this with `rowLimit`.", "rowLimit in web/settings.ts is 10"),
    ("By default it shows up to 10 rows; change this with `rowLimit`.", ""),
    ("It shows 20 rows; change this with `rowLimit`.", ""),
    ("By default it waits 20 seconds; change this with `rowLimit`.", ""),
    ("Settings are in `conf/local.toml`.", ""),  # readers copy the sample
    ("Settings are in `conf/remote.toml`.", "conf/remote.toml: no such file"),
    ("Call `lib/my_rows.py` in your project.", ""),
    ("Shop's build requires Python 3.11 or newer.", "requires python 3.10 or newer, not 3.11"),
    ("Your project may use any version, as Python 3.7 or later.", ""),
    ("This is an AnyIO 9.0 application.", "pyproject.toml has anyio >=3.6,<5"),
    ("This is an AnyIO 9.0 example.", ""),
    ("Built with **AnyIO 9** and others.", "pyproject.toml has anyio >=3.6,<5"),
    ("Run `pip install -e . --group tests`.", "pyproject.toml has no group tests"),
    ("Run `pip install -e . --group lint` or `pip install --group x/pyproject.toml:y`.", ""),
    ("Cut rows with the `late_rows` fixture from shop/limits.py.", "limits.py has no late_rows"),
    ("Open it with `till.New(till.WithRows(3))`.", "the package at the root has no WithRows"),
    ("Open it with `till.New(till.WithFloor(3), coin.WithRows(3))`.", ""),
    ("The codecs are in `internal/codec`.", "internal/codec: no such file"),
    ("The codecs are in `internal/json`, and branches are named `feature/codec`.", ""),
    ("It is tested in `test/rows/test_cut.py`.", "there is tests/rows/test_cut.py"),
    ("It calls `row_marks.mark_all()`, and `limits.cut_late()` of another project.", ""),
    ("See [it](/Users/ann/dev/shop/a.md).", "only on one person's machine"),
    ("See [it](/home/guide).", ""),
    ("Set `late_rows` on the `RowLimits`.", "RowLimits"),
    ("Set `row_limit` on the `RowLimits`, or `late_rows` for the `RowLimits`.", ""),
    ("Secrets are in `shop/prod`, and there is no code in `internal/codec`.", ""),
    ("Add a package in `internal/codec`.", ""),
    ("Define `late_rows` on the `RowLimits`, or `late_rows` of the `RowLimits` table.", ""),
    ("Run `rake spec:features`.", "Rakefile has no task spec:features"),
    ("Run `rake spec:unit`, `rake features` or `rake deploy:all`.", ""),
    ("The limit is 4 (`row_timeout` in `lib/shop.rb`).", "row_timeout in lib/shop.rb is 3, not 4"),
    ("It waits 0.5 seconds, see the default of `row_wait` in `shop/limits.py`.", "is 0.2, not 0.5"),
    ("The minimum supported Rust version is 1.70 (`rust-version` in `desk/Cargo.toml`).", "rust 1.65 or newer"),
    ("The minimum supported Rust version of the desk is 1.65.", ""),
    ("It needs tox 4.25 or newer (`requires` in `tox.toml`).", "tox.toml has tox >=4.52"),
    ("It raises `shop.errors.LateRowError`, as others do.", "shop/errors.py has no LateRowError"),
    ("We use Yarn 4.9.2.", "package.json has yarn 4.17.1"),
    ("We use Yarn 4.", ""),
    ("Run `pytest tests/path_to_test.py::test_one`.", ""),
    ("Read `@docs/requirements.txt` and follow it.", ""),
    ("Start it with `docker compose up -d mongo`.", "docker-compose.yml has no service mongo"),
    ("Start it with `docker compose up -d mongodb`.", ""),
    ("Keep `npm run watch` running in `web`.", "web/package.json has no script watch"),
    ("Run `npm run watch` and then `npm run build` in the `web` directory.", "web/package.json has no script watch"),
    ("Run `npm run build` to run what is in the `init` directory.", ""),
    ("Run `npm run build`, then open what is in the `web` folder.", ""),
    ("Run `npm run gone` in the root directory.", "package.json has no script gone"),
    ("Run `npm run gone` in `CI`.", "package.json has no script gone"),
    ("Run `npm run gone/late` in the repository.", "package.json has no script gone/late"),
    ("Run `make gone` in the `docs` submodule, or `npm run build/watch`.", ""),
    ("It prints `init/start.ps7`.", "init/start.ps7: no such file"),
    ("It prints `init/other.ps7`, by `shop/limits.run`.", ""),
    ("It requires Python 3.10+ to run, but supports formatting Python 2 code.", ""),
    ("Shop 0.x depends on AnyIO 2.1.", ""),
    ("Shop depends on AnyIO 2.1.", "pyproject.toml has anyio >=3.6,<5"),
    ("It is opened by `till.OpenTill(t.Rows())`.", "the package at the root has no OpenTill"),
    ("Call `till.Till{}.DropRow(3)`.", "till.go has no Till.DropRow"),
    ("Call `till.Till{}.AddRow(3)`.", ""),
    ("Mark it with `add_mark(Kind::Loan)`.", "desk/src/lib.rs has no Kind.Loan"),
    ("Mark it with `add_mark(Kind::Gift)`.", ""),
    ("It has 5 rows by default (`DefaultTill` in `till.go`).", "DefaultTill in till.go is 3, not 5"),
    ("The level is `DEBUG` (`LEVEL` in `desk/src/lib.rs`).", "is Level::INFO, not DEBUG"),
    ("The level is `information` (`LEVEL` in `desk/src/lib.rs`).", ""),
    ("It starts at 7 (`@@next_id` in `lib/mark.rb`).", "@@next_id in lib/mark.rb is 5, not 7"),
    ("It is `ROW_RATE`, which defaults to 3.", "ROW_RATE in desk/src/lib.rs is 2, not 3"),
    ("It is cut, since `pageWidth` defaults to 100.", "pageWidth in web/options.js is 80, not 100"),
    ("The level defaults to `inf` (`LEVEL` in `desk/src/lib.rs`).", ""),
    ("It starts at 7 (`next_id` in `lib/mark.rb`).", "next_id in lib/mark.rb is 5, not 7"),
    ("As an example, if `ROW_RATE` is set to `3`, it ends.", ""),
    ("Once Python 3.9 is gone, drop support for 3.8.", ""),
    ("Rows are cut by `cut_late`, which is defined in `tools/late_cut.py`.", "tools/cut.py defines it"),
    ("Rows are cut by `cut_late()` in `tools/late_cut.py`.", ""),  # this file uses it
    ("A future that takes long calls `late_rows` from `shop/limits.py`.", "limits.py has no late_rows"),
    ("It will be in `shop/late.py` (future).", ""),
    ("Look at [the code](../blob/main/late.py).", ""),
    ("Look at `shop/row-name`.", ""),
    ("In the future it calls `late_rows` from `shop/limits.py`.", ""),
    ("Never add or edit new files under `shop/late/`.", ""),
    ("规则：删除 `shop/late.py`；旧文件 `shop/slow_rows.py` 已删除。", ""),
    ("规则：删除旧行的 `shop/late.py`。", "shop/late.py: no such file"),
    ("请勿删除 `shop/late.py`。", "shop/late.py: no such file"),
    ("Rows come from `shop/late.py` and `rows` is removed.", "shop/late.py: no such file"),
    ("Don't add imports in `shop/late.py`.", "shop/late.py: no such file"),
    ("New features in Python 2.7 need it.", ""),
    ("It needs a function that was added only in Python 3.9.", ""),
    ("Required: `a::b` is supported since Python >=3.3.", ""),
    ("Required: Python 3.7 is required for `rows`.", ""),
    ("Required: Python 3.7 isn't supported by it.", ""),
    ("Required: Python 3.7 and older are not supported.", ""),
    ("Required: Python 3.7 and later respects the limit.", ""),
    ("Look at `shop/late.py` when you add a row.", "shop/late.py: no such file"),
    ("Create `shop/late.py` when you add a row.", ""),
    ("The `shop/late` folder has been removed.", ""),
    ("Once we add `shop/late.py`, rows can be cut.", ""),
    ("Shop uses Python 3.7 syntax in its templates.", ""),
    ("In the above example, rows are in `./late-rows.js`.", ""),
    ("Shop and `rows` (Python 3.7+)", ""),
    ("Old `shop/late.py`/`shop/slow_rows.py` and `late.sh` are gone.", ""),
    ("Open `localhost:5173`, as it says (`MAX_ROWS`, 10 rows).", ""),
    ("`--web.row-age` is 7h.", "--web.row-age in ops/rows.go is 5h, not 7h"),
    ("`--web.row-age` defaults to `300m`.", ""),
    ("`--row-jobs N`: how many jobs to run (default: 3)", "--row-jobs in desk/src/cli.rs is 4, not 3"),
    ("`-j, --row-jobs N`: how many jobs to run (default: 4)", ""),
    ("`--row-parts` defaults to 8.", ""),
    ("Make sure that `--web.row-age` is 7h.", ""),
    ("By default, `--web.row-age` is 7h.", "--web.row-age in ops/rows.go is 5h, not 7h"),
    ("If `--all` is given, `--web.row-age` defaults to 7h.", ""),
    ("For `kubectl`, `--web.row-age` defaults to 7h.", ""),
    ("`--web.row-age`: age of rows, in `kubectl` (default: 7h)", ""),
    ("`--row-cells N`: how many cells (default: 3)", ""),  # Rust computes this default
    ("It waits 31 s (the default of `POLL_DELAY` in `shop/waits.py` is taken).", ""),
    ("Use a `--web.row-age` of 7h.", ""),
    ("`--web.row-age=AGE` is 7h by default.", "ops/rows.go is 5h, not 7h"),
    ("We still support Python 3.7.", "requires python 3.10 or newer, not 3.7"),
    ("It closes with `Kind::is_late_sale()`.", "desk/src/lib.rs has no Kind.is_late_sale"),
)  # fmt: skip


@pytest.fixture
def repo(tmp_path: Path) -> Repo:
    repo = Repo(tmp_path / "shop")
    repo.commit({**FILES})
    return repo


def test_sentences(repo: Repo) -> None:
    judged = repo.judge_each(text for text, _ in SENTENCES)
    for text, why in SENTENCES:
        wrong = [
            f"{e.target}: {e.reason}" for e in judged[text].own_evidence if e.verdict == "refuted"
        ]
        assert len(wrong) == bool(why), (text, wrong)
        assert not why or why in wrong[0], wrong


PAGES = (
    ("```sh\nshop -f rows.py\n```\n", 0),  # a file of the user of this program
    ("```sh\npytest rows.py\n```\n", 1),
    ("```sh\nshop -f conf/rows.py\n```\n", 0),
    ("```sh\npytest conf/rows.py\n```\n", 1),
    ("The rows are set in `.cart.yml`.\n", 1),
    ("```\nconf/\n├── a.toml # NEW\n├── local.toml.example\n└── b.toml\n```\n", 0),
    ("```\nconf/\n├── a.toml\n├── local.toml.example\n└── b.toml\n```\n", 0),
    ('```toml\n[project]\nname = "plug"\n```\n\nRun `make gone`.\n', 0),
    ('```toml\n[project]\nname = "shop"\n```\n\nRun `make gone`.\n', 1),
    ("{{% note %}}\nShop requires Python 3.8 or newer.\n{{% /note %}}\n", 1),
    ("[a](#a-one) [b](#b-two)\n\n## A_ONE\n\n## B_TWO\n", 2),
    ("Run `tox -e py` and `tox -e gone`.\n", 1),
    ("```\n>>> gone_rows = cut()\n>>> gone_rows[0]\n```\n", 0),
    ("Please run make late-gone before you push.\n", 1),
    ("The tests run just fine. You can run make locally, or run make test now.\n", 0),
    ("Then run cd web && npm run gone.\n", 1),
    ("Please run npm run build before you push.\n", 0),
    ("Run `just npm sync`.\n", 0),  # of the module `npm`
    ("The package is shop/__init__.py.\n", 0),
    ("The package is `shop/init.py`.\n", 1),
    ("No package ships a `shop/gone.py`.\n", 0),
    ("AnyIO waits at least 1.2 seconds.\n", 0),
    ("The parser is `shop/limits.py` (12 lines).\n", 0),  # nobody corrects it
    ("The parser is `shop/limits.py` (900 lines).\n", 1),
    ("Run `script/lint -a`.\n", 1),
    ("Run `script/test -a` and `owner/lint`.\n", 0),
    ("#### 7. Enter\n\n```sh\ncd app/\n```\n\n#### 8. Run\n\n```sh\nmake gone\n```\n", 0),
    ("#### Enter\n\n```sh\ncd app/\n```\n\n#### Run\n\n```sh\nmake gone\n```\n", 1),
    ("```sh\ncd web && npm run build\nnpm run gone\n```\n", 1),
    ("```sh\ncd web && npm run build\n\nnpm run gone\n```\n", 0),  # perhaps it runs at the root
    ("```\nweb/\n├── all.js\n├── options.js\n└── late/\n    └── x.js\n```\n", 1),
    ("```\nweb/\n├── all.js\n├── options.js\n└── late/\n    └── x.js # future\n```\n", 0),
    ("- The todo benchmark has 20 rows (`MAX_ROWS` in `shop/limits.py`).\n", 1),
    ("```text\nlimits.py:146: cut\n```\n", 1),
    ("```text\nlimits.py:146: 2024-05-08T10:42:54 cut\n```\n", 0),  # the output of a program
    (
        "1. Work in the root of the `acme/kiosk` repository.\n2. Run it:\n\n   ```sh\n   make gone\n   ```\n",
        0,
    ),
    (
        "1. Work in the root of the `acme/shop` repository.\n2. Run it:\n\n   ```sh\n   make gone\n   ```\n",
        1,
    ),
)


@pytest.mark.parametrize(("text", "told"), PAGES)
def test_commands(repo: Repo, text: str, told: int) -> None:
    scripts = dict.fromkeys(("script/fmt", "script/test", "script/build"), "#!/bin/sh\n")
    former = {"rows.py": "A = 1\n", ".cart.yml": "b: 1\n"}
    scripts |= {"justfile": "mod npm 'just/npm.just'\n", "just/npm.just": "sync:\n"}
    named = {"cli.py": "NAMES = ['.cart.yml']\n", "web/rows/c.ts": ""}
    repo.commit({"web/gone.py": "def gone_rows(): ...\n", **scripts, **former, **named})
    repo.commit({"web/gone.py": None})
    for path in filter(lambda p: p.startswith("script/"), scripts):
        (repo.root / path).chmod(0o755)
    repo.commit({"rows.py": None, ".cart.yml": None, ".cart.yaml": former[".cart.yml"]})
    repo.commit({"CONTRIBUTING.md": f"# Work\n\n{text}"})
    found = list_findings(repo.check("all").report)
    assert sum(e.rule.startswith("refuted") for e in found) == told, found


def test_pull_request_template(repo: Repo) -> None:
    """A template for the repository's own pull requests is about the repository."""
    repo.commit({".github/pull_request_template.md": "Run `tox -e docs-serve`.\n"})
    (found,) = list_findings(repo.check("all").report)
    assert "tox.ini has no environment docs-serve" in found.message


def test_files_that_the_change_removes(repo: Repo) -> None:
    """Their names were no examples before the change, and need no backticks."""
    files = dict.fromkeys(("example_rows_test.go", "row_help.go"), "package till\n")
    text = "See `example_rows_test.go` and row_help.go. Save it as `my_app.py` and `main.py`.\n"
    repo.commit({**files, "my_app.py": "", "main.py": "", "README.md": text})
    gone: Files = dict.fromkeys((*files, "my_app.py", "main.py"))
    repo.stage(gone)
    found = sorted(e.fact for e in list_findings(repo.check("staged").report))
    assert found == [f"{name}: removed by this change" for name in files]


def test_a_name_of_two_words(tmp_path: Path) -> None:
    """The name of a module of Go is the repository's, also with a space."""
    repo = Repo(tmp_path / "clone")
    repo.commit({"go.mod": "module example.org/shopqueue/v2\n\ngo 1.25.0\n"})
    told = {c: bool(d.wrong) for c, d in repo.judge_each(NAMES).items()}
    assert list(told.values()) == [True, True, False, False], told


NAMES = (
    "Shop Queue needs Go 1.23 or newer.",
    "Shopqueue needs Go 1.23 or newer.",
    "Shop Queue needs Go 1.25 or newer.",
    "Row Queue needs Go 1.23 or newer.",
)


def test_anchors_of_a_site_with_its_own_rule(repo: Repo) -> None:
    page = "# Rows\n\nSee [the rest](#The-Rest) and [more](#More).\n\n## The Rest\n"
    config = "site/.vitepress/config"
    repo.commit({f"{config}/index.ts": "export default { srcDir: '.' }\n", "site/rows.md": page})
    # Whether small letters in place of capitals lead there depends on the version of VitePress.
    assert [e.fact for e in list_findings(repo.check("all").report)] == [
        "site/rows.md has no heading #more"
    ]
    repo.commit({f"{config}/shared.ts": "export const markdown = { anchor: { slugify } }\n"})
    assert list_findings(repo.check("all").report) == []


def test_a_page_behind_a_symbolic_link(repo: Repo) -> None:
    page = "# Rows\n\n![logo](logo.svg) and ![none](none.svg)\n"
    repo.commit({"rows/README.md": page, "README.md": "link:rows/README.md", "logo.svg": "<svg/>"})
    (found,) = list_findings(repo.check("all").report)
    assert found.fact.startswith("none.svg")
