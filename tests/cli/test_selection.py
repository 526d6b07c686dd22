"""Options that filter what is shown and counted: never what is decided, nor what is recorded."""

from __future__ import annotations

from typing import Any

import pytest
from clirepo import BLOCKED, DOCUMENT, PAGE, SOURCE, Repo, environment

from grounded_ingest.report.formats import FORMATS
from grounded_ingest.rules.reference_rules import family
from grounded_ingest.rules.registry import EVERY_RULE
from grounded_ingest.rules.rule_selectors import ALL, is_chosen

REFUTED = "The queue is bounded (`src/app.py:99`)."
HEDGED = "The cache is usually warm after a start."
WORDS = {"speculation": BLOCKED, "refuted-citation": REFUTED}
NEW = "`GATEWAY_PORT` is 8443 (`src/app.py:2`)."


def full(repo: Repo) -> Repo:
    """A work tree with a guess, a wrong reference, a hedge, and claims of which nothing is said."""
    more = "\n\n".join([*WORDS.values(), HEDGED, NEW, "The queue holds ten jobs at most."])
    repo.write(DOCUMENT, f"{PAGE}\n{more}\n")
    return repo


@pytest.fixture
def found(repo: Repo) -> Repo:
    return full(repo)


@pytest.fixture(scope="module")
def standing(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    """The same for all that only look."""
    home = tmp_path_factory.mktemp("standing")
    (home / "work").mkdir()
    repo = Repo(home / "work", environment(home))
    repo.git("init", "--quiet", "--template=", "--initial-branch=main")
    repo.commit("src/app.py", SOURCE)
    repo.commit(DOCUMENT, PAGE)
    return full(repo)


def shown(ran: Any) -> set[str]:
    return {rule for rule, words in WORDS.items() if words in ran.out}


BOTH = set(WORDS)


@pytest.mark.parametrize(
    ("args", "rules", "code"),
    [
        ([], BOTH, 1),
        (["--select", "speculation"], {"speculation"}, 1),
        (["--select", "spec"], {"speculation"}, 1),
        (["--select", "spec,refuted"], BOTH, 1),
        (["--select", " refuted , "], {"refuted-citation"}, 1),
        (["--select", "refuted-citation[line]"], {"refuted-citation"}, 1),
        (["--select", "refuted-citation[link]"], set(), 0),
        (["--select", "ALL", "--ignore", "spec"], {"refuted-citation"}, 1),
        (["--select", "speculation", "--ignore", "spec"], {"speculation"}, 1),
        (["--select", "spec", "--ignore", "speculation"], set(), 0),
        (["--ignore", "speculation,refuted-citation"], set(), 0),
        (["--ignore", "refuted-citation[line]"], {"speculation"}, 1),
        (["--ignore", "ALL"], set(), 0),
        (["--select", "refuted", "--fail-on", "block"], {"refuted-citation"}, 0),
    ],
)
def test_what_is_shown_and_counted(
    standing: Repo, args: list[str], rules: set[str], code: int
) -> None:
    ran = standing.check("-v", *args)
    assert (shown(ran), ran.code) == (rules, code)


def test_nothing_is_decided_again(standing: Repo) -> None:
    """A filter mutes findings; tiers and rows of claims stay what they are."""
    whole, part = standing.report(), standing.report("--ignore", "speculation")
    left = [d for d in whole["decisions"] if d in part["decisions"]]
    assert part["decisions"] == left
    assert (whole["summary"]["errors"], part["summary"]["errors"]) == (2, 1)


def test_every_format_is_filtered(found: Repo) -> None:
    args = [a for n in FORMATS for a in ("--output-format", n, "--output-file", f"src/{n}")]
    args.append("-v")
    found.check(*args)
    assert {n for n in FORMATS if "I think" in found.read(f"src/{n}")} == set(FORMATS)
    found.check(*args, "--ignore", "speculation")
    left = {n for n in FORMATS if "I think" in found.read(f"src/{n}")}
    assert left == {"sarif"}, "which describes every rule"
    assert '"ruleId":"speculation"' not in found.read("src/sarif").replace(" ", "")


def test_what_was_not_checked_is_no_matter_of_selection(repo: Repo) -> None:
    """Else a selection would answer for documents that nobody read."""
    repo.write("memory-bank/bad.md", b"caf\xe9\n")
    assert "unreadable" in repo.check("--select", "refuted").out
    assert repo.check("--select", "refuted").code == 1
    ran = repo.check("--ignore", "unreadable")
    assert ("unreadable" in ran.out, ran.code) == (False, 0)


def test_evidence_that_fails_a_run_is_said_whatever_is_selected(found: Repo) -> None:
    found.write(".grounded/evidence/x.md.jsonl", "")
    args = ("--select", "refuted")
    assert "stale-sidecar" not in found.check().out
    ran = found.check(*args, "--locked")
    assert ("stale-sidecar" in ran.out, ran.code) == (True, 1)


CASES = [
    # rule, select, ignore, whether it is chosen
    ("contradiction", "", "", True),
    ("contradiction", "contra", "", True),
    ("contradiction", "conflicting", "", False),
    ("contradiction", ALL, "contra", False),
    ("contradiction", "contradiction", "contra", True),
    ("contradiction", "contra", "contra", False),
    ("refuted-citation[path]", "refuted-citation", "", True),
    ("refuted-citation[path]", "", "refuted-citation[path]", False),
    ("refuted-citation[path]", "", "refuted-citation[link]", True),
    ("refuted-citation[path]", "refuted-citation[path]", "refuted-citation", True),
    ("unreadable", "", "unread", True),
    ("unread", "", "unread", False),
    ("unreadable", "", "unr", False),
    ("scope", "contra", "", True),
    ("scope", "contra", "scope", False),
    ("scope", "", ALL, False),
]


@pytest.mark.parametrize(("rule", "select", "ignore", "expected"), CASES)
def test_the_longest_selector_decides(rule: str, select: str, ignore: str, expected: bool) -> None:
    assert family(rule) in EVERY_RULE
    assert is_chosen(rule, filter(None, [select]), [*filter(None, [ignore])]) is expected


IGNORES = "per_file_ignores: {'memory-bank/**': [spec, refuted]}\n"


def test_rules_by_path(found: Repo) -> None:
    found.write(".grounded-ingest.yaml", IGNORES)
    found.write("CLAUDE.md", f"# Notes\n\n{BLOCKED}\n\nThe store is bounded (`src/app.py:98`).\n")
    ran = found.check("-v")
    assert shown(ran) == {"speculation"}
    assert f"{DOCUMENT}:13" not in ran.out
    assert ran.code == 1
    found.write("CLAUDE.md", "# Notes\n")
    assert found.check().code == 0
    assert found.check("--select", "speculation").code == 0
    assert found.check("--isolated").code == 1


def test_references_that_hold_are_counted_where_wrong_ones_are_ignored(repo: Repo) -> None:
    repo.commit("CLAUDE.md", "# Notes\n\nThe store is bounded (`src/app.py:1`).\n")
    counted = repo.check("--all").out
    repo.commit(".grounded-ingest.yaml", "per_file_ignores: {'**': [refuted]}\n")
    assert "hold" in counted
    assert repo.check("--all").out.splitlines()[-1] == counted.splitlines()[-1]


@pytest.mark.parametrize("first", [True, False], ids=["first configuration", "changed one"])
def test_ignores_by_path_count_in_the_hook_at_once_and_in_a_range_once_landed(
    repo: Repo, first: bool
) -> None:
    if not first:
        repo.commit(".grounded-ingest.yaml", "stage_evidence: false\n")
    repo.git("checkout", "--quiet", "-b", "topic")
    repo.write(".grounded-ingest.yaml", IGNORES)
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    repo.git("add", "--all")
    hook = repo.check("--staged", "-v")
    assert (hook.code, BLOCKED in hook.out) == (0, False)
    # A first configuration loosens nothing, but where CI fails, it is not in force yet.
    less = "this change makes the configuration less strict: per_file_ignores memory-bank/**"
    assert (less in hook.out) != first
    repo.git("commit", "--quiet", "--no-verify", "--message", "Change")
    ran = repo.check("--since", "main", "-v")
    assert (ran.code, BLOCKED in ran.out) == (1, True)
    assert (less in ran.out) != first
    until = "the defaults apply until the merge, not yet per_file_ignores memory-bank/**"
    assert (until in ran.out) == first


IGNORED = '<!-- grounded: ignore[{}] reason="agreed on Monday" -->\n{}'


@pytest.mark.parametrize(
    ("rule", "claim", "code"),
    [
        ("speculation", BLOCKED, 0),
        ("refuted-citation", REFUTED, 0),
        ("refuted-citation[line]", REFUTED, 0),
        ("refuted", REFUTED, 0),
        ("refuted-citation[path]", REFUTED, 1),
        ("speculation, refuted-citation[line]", f"{BLOCKED[:-1]} (`src/app.py:99`).", 0),
        ("refuted-citation[line]", f"{BLOCKED[:-1]} (`src/app.py:99`).", 1),
    ],
)
def test_a_comment_ignores_any_rule_and_kind(repo: Repo, rule: str, claim: str, code: int) -> None:
    repo.write(DOCUMENT, f"{PAGE}\n{IGNORED.format(rule, claim)}\n")
    ran = repo.check()
    assert ran.code == code, ran.out
    assert ("has no effect" in ran.out) is (rule == "refuted-citation[path]")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("per_file_ignores: {'a.md': [specualtion]}", 'did you mean "speculation"'),
        ("per_file_ignores: {'a.md': [refutd]}", 'did you mean "refuted"'),
        ("per_file_ignores: {'a.md': speculation}", "expected a list"),
        ("per_file_ignores: {'archive': [speculation]}", "archive/**"),
        ("per-file-ignores: {'a.md': [ALL]}", 'did you mean "per_file_ignores"'),
    ],
)
def test_rules_by_path_that_cannot_be(repo: Repo, text: str, said: str) -> None:
    repo.write(".grounded-ingest.yaml", f"{text}\n")
    ran = repo.check()
    assert (ran.code, said in ran.err) == (2, True), ran.err


def test_statistics(found: Repo) -> None:
    found.write(DOCUMENT, found.read(DOCUMENT) + "\nPerhaps the queue is full.\n")
    ran = found.check("--statistics")
    rows = [line.split("\t") for line in ran.out.splitlines() if "\t" in line]
    counts = {rule.strip(): int(count) for count, rule, _ in rows}
    assert counts["speculation"] == 2
    assert [*counts.values()] == sorted(counts.values(), reverse=True)
    assert {len(rule) for _, rule, _ in rows} == {max(map(len, counts))}
    assert (ran.code, shown(ran)) == (1, set())
    found.write(".grounded-ingest.yaml", "baseline: src/none.jsonl\n")
    found.write("src/none.jsonl", '{"path":"a.md","rule":"speculation","id":"0"}\n')
    assert "baseline" in found.check("--all").out
    assert "baseline" not in found.check("--all", "--statistics").out
    told = found.check("--statistics", "--output-format", "json", "--select", "spec").json
    assert [(r["rule"], r["count"]) for r in told["statistics"]] == [("speculation", 2)]
    refused = found.check("--statistics", "--output-format", "sarif")
    assert (refused.code, "use --output-format text or json" in refused.err) == (2, True)


@pytest.mark.parametrize("file", [".grounded-ingest.yaml", "pyproject.toml"])
def test_an_entry_that_ignores_nothing_is_told_by_a_full_check(repo: Repo, file: str) -> None:
    """One note for an entry, at its line, as for an unused comment; ALL is a wish for the future."""
    repo.commit(DOCUMENT, f"{PAGE}\n{BLOCKED}\n")
    globs = {
        "old/**": ["ALL"],
        "memory-bank/**": ["speculation", "repeat"],
        "**/progress.md": ["ALL"],
    }
    rows = {
        ".grounded-ingest.yaml": ["per_file_ignores:"]
        + [f'  "{g}": {s}' for g, s in globs.items()],
        "pyproject.toml": ["[tool.grounded-ingest.per_file_ignores]"]
        + [f'"{g}" = {s}' for g, s in globs.items()],
    }[file]
    repo.commit(file, "\n".join(rows) + "\n")
    said = [row for row in repo.check("--all").out.splitlines() if "unused-ignore" in row]
    assert said == [
        f"{file}:2: note: unused-ignore: `per_file_ignores`: old/** matches no document",
        f"{file}:3: note: unused-ignore: `per_file_ignores`: repeat reports nothing in the documents that"
        " match memory-bank/**",
    ]
    repo.write(DOCUMENT, f"{PAGE}\n{BLOCKED} Now.\n")
    repo.git("add", ".")
    for scope in ("--staged", "--since=HEAD~1", DOCUMENT):
        assert "unused-ignore" not in repo.check(scope).out


def test_an_offline_check_does_not_call_an_entry_for_links_unused(repo: Repo) -> None:
    entry = "per_file_ignores: {'**': ['refuted-citation[url]', expired]}\n"
    repo.commit(".grounded-ingest.yaml", entry)
    assert "unused-ignore" not in repo.check("--all").out


def test_a_full_check_by_the_hook_needs_no_note(repo: Repo) -> None:
    """`pre-commit run --all-files` asks for all files: nobody needs to be told so."""
    assert "scope" not in repo.check("--staged").out


@pytest.mark.parametrize("reason", ["...", "…", " . . ", ""])
def test_a_reason_of_dots_is_no_reason(repo: Repo, reason: str) -> None:
    comment = IGNORED.replace("agreed on Monday", reason)
    repo.write(DOCUMENT, f"{PAGE}\n{comment.format('speculation', BLOCKED)}\n")
    rules = {f["rule"] for f in repo.report()["findings"]}
    assert rules == {"speculation", "ignore-without-reason"}


BLOCK = """# Layout

{}

```sh
python src/old.py --all
python src/old.py --fast
```
"""
WRONG_PATH = '<!-- grounded: ignore[refuted-citation[path]] reason="an old tool" -->'


@pytest.mark.parametrize(
    ("above", "found"),
    [
        (WRONG_PATH, set()),
        (f"Run it:\n\n{WRONG_PATH}", set()),
        ("Run it:", {"refuted-citation[path]"}),
        (WRONG_PATH.replace("path", "link"), {"refuted-citation[path]", "unused-ignore"}),
        (f"{WRONG_PATH}\n\nRun it:", {"refuted-citation[path]", "unused-ignore"}),
        (f"{WRONG_PATH}\n\nRun this tool each day.", {"refuted-citation[path]", "unused-ignore"}),
    ],
)
@pytest.mark.parametrize("gap", ["\n\n```sh", "\n```sh"])
def test_a_comment_above_a_code_block_ignores_its_findings(
    repo: Repo, above: str, found: set[str], gap: str
) -> None:
    """`check -v` printed the comment below such a finding, and the comment had no effect."""
    repo.commit("src/old.py", "import sys\n")
    repo.git("rm", "--quiet", "src/old.py")
    repo.commit("docs/run.md", BLOCK.format(above).replace("\n\n```sh", gap))
    rules = {f["rule"] for f in repo.report("--all")["findings"]}
    assert rules == found


def test_explain_prints_the_comment_for_a_line_in_a_code_block(repo: Repo) -> None:
    repo.commit("src/old.py", "import sys\n")
    repo.git("rm", "--quiet", "src/old.py")
    repo.commit("docs/run.md", BLOCK.format("Run it:"))
    comment = WRONG_PATH.replace("an old tool", "...")
    assert f"  ignore     {comment}\n" in repo.ask("explain", "--offline", "docs/run.md:6").out
