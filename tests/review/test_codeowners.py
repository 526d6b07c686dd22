"""CODEOWNERS: where it lies, what its patterns own, whose line wins, who an owner is."""

from __future__ import annotations

import pytest

from grounded_ingest.config.settings import DEFAULTS, Config
from grounded_ingest.records.authority import (
    Authority,
    CodeOwners,
    Person,
    agent_signs,
    is_agent,
    owned_paths,
)

# Of GitHub's documentation, its example file, and implementations that agree with it.
PATTERNS = [
    ("*", "a.md", True),
    ("*", "docs/deep/a.md", True),
    ("*.js", "src/a.js", True),
    ("*.js", "src/a.jsx", False),
    ("/build/logs/", "build/logs/a/b.txt", True),
    ("/build/logs/", "x/build/logs/a.txt", False),
    ("docs/*", "docs/getting-started.md", True),
    ("docs/*", "docs/build-app/troubleshooting.md", False),
    ("docs/*", "x/docs/a.md", False),
    ("apps/", "apps/a", True),
    ("apps/", "x/apps/y/a", True),
    ("apps/", "apps", False),
    ("apps", "apps", True),
    ("apps", "x/apps/a", True),
    ("/docs/", "docs/a/b.md", True),
    ("/docs", "docs/a.md", True),
    ("**/logs", "build/logs/a", True),
    ("**/logs", "logs", True),
    ("**/logs", "logsx/a", False),
    ("/apps/**/a.md", "apps/a.md", True),
    ("/apps/**/a.md", "apps/x/y/a.md", True),
    ("docs/**", "docs/x/y.md", True),
    ("docs/**", "docs", False),
    ("/docs/*.md", "docs/a.md", True),
    ("/docs/*.md", "docs/x/a.md", False),
    ("a?c.md", "abc.md", True),
    ("a?c.md", "a/c.md", False),
    (r"my\ notes.md", "my notes.md", True),
    (r"\#a.md", "#a.md", True),
    ("[a].md", "a.md", False),
    ("[a].md", "[a].md", True),
    ("Docs/", "docs/a.md", False),
    ("a.b", "axb", False),
]


@pytest.mark.parametrize(("pattern", "path", "owned"), PATTERNS)
def test_patterns(pattern: str, path: str, owned: bool) -> None:
    """Patterns own the paths that GitHub says they own."""
    found = owned_paths(pattern)
    assert found is not None
    assert bool(found.match(path)) is owned


def owners(text: str, path: str, where: str = "CODEOWNERS") -> tuple[str, ...]:
    return CodeOwners(text, where).owners(path)[0]


def test_the_last_match_wins() -> None:
    text = "* @all\n/docs/ @docs\n*.md @md\n/docs/free/\n"
    assert owners(text, "src/a.py") == ("@all",)
    assert owners(text, "docs/a.txt") == ("@docs",)
    assert owners(text, "docs/a.md") == ("@md",)
    assert owners(text, "docs/free/a.md") == ()
    assert CodeOwners(text, "x").owners("docs/a.md")[1] == 3


def test_comments_several_owners_and_lines_that_are_wrong() -> None:
    text = "# all\n* @a b@example.org # both\n!docs/ @x\n*.md not-an-owner\n*.rst @o/team\n"
    assert owners(text, "docs/a.md") == ("@a", "b@example.org")
    assert owners(text, "a.rst") == ("@o/team",)


SECTIONS = """\
* @everybody
[Docs][2] @writers
docs/
docs/api/ @api
^[Database]
model/db/ @dba
docs/ @dba
[docs]
docs/secret/ @sec
"""


def test_sections_are_gitlabs_and_each_names_owners() -> None:
    """In GitLab each section names owners of its own."""
    assert set(owners(SECTIONS, "docs/a.md")) == {"@everybody", "@writers", "@dba"}
    assert set(owners(SECTIONS, "docs/api/a.md")) == {"@everybody", "@api", "@dba"}
    assert set(owners(SECTIONS, "docs/secret/a.md")) == {"@everybody", "@sec", "@dba"}
    assert set(owners(SECTIONS, "x/model/db/a")) == {"@everybody", "@dba"}


def test_gitlab_anchors_only_what_begins_with_a_slash() -> None:
    text = "internal/a.md @a\n/top/b.md @b\n"
    assert owners(text, "x/internal/a.md", ".gitlab/CODEOWNERS") == ("@a",)
    assert owners(text, "x/internal/a.md") == ()
    assert owners(text, "x/top/b.md", ".gitlab/CODEOWNERS") == ()


@pytest.mark.parametrize(
    ("there", "who"),
    [
        ((".github", "", "docs"), "@.github"),
        (("", "docs"), "@root"),
        (("docs",), "@docs"),
        ((".gitlab",), "@.gitlab"),
    ],
)
def test_the_first_place_that_has_one_counts(there: tuple[str, ...], who: str) -> None:
    """Only one of the possible files is read."""
    files = {
        f"{d}/CODEOWNERS".lstrip("/"): f"* @{d.strip('.') or 'root'}\n".encode() for d in there
    }
    found = Authority(DEFAULTS, files.get).owners("a.md").names
    assert found == (f"@{who.strip('@.')}",)


def authority(text: str, config: Config = DEFAULTS) -> Authority:
    return Authority(config, {"CODEOWNERS": text.encode()}.get)


@pytest.mark.parametrize(
    ("owner", "person", "of_others"),
    [
        ("ann@example.org", Person("Ann@Example.org"), False),
        ("ann@example.org", Person("bob@example.org"), True),
        ("@ann", Person("7+ann@users.noreply.github.com"), False),
        ("@Ann", Person("ann@users.noreply.gitlab.com"), False),
        ("@ann", Person("ann@example.org"), True),
        ("@ann", Person("ann@example.org", frozenset({"ann"})), False),
        ("@o/team", Person("ann@example.org"), False),
        ("@o/team ann@example.org", Person("ann@example.org"), False),
        ("@@maintainer", Person("ann@example.org"), False),
        ("", Person("ann@example.org"), False),
    ],
)
def test_who_an_owner_is(owner: str, person: Person, of_others: bool) -> None:
    """Addresses, logins and no-reply addresses name the same person; teams are unknown."""
    assert authority(f"* {owner}\n").belongs_to_others("a.md", person) is of_others


def test_reviewers_of_the_configuration_stand_above_codeowners() -> None:
    config = Config(reviewers=(("docs/**", ("bob@example.org",)),))
    found = authority("* ann@example.org\n", config)
    assert found.owners("docs/a.md").names == ("bob@example.org",)
    assert found.owners("a.md").names == ("ann@example.org",)


def test_a_file_that_github_would_not_read_names_nobody() -> None:
    found = Authority(DEFAULTS, {"CODEOWNERS": b"* @ann\n" + b"#" * 3_000_000}.get)
    assert found.owners("a.md").names == ()


@pytest.mark.parametrize(
    ("address", "agent"),
    [
        ("noreply@anthropic.com", True),
        ("198982749+Copilot@users.noreply.github.com", True),
        ("223556219+Copilot@users.noreply.github.com", True),
        ("amp@ampcode.com", True),
        ("cursoragent@cursor.com", True),
        ("cline-agent@users.noreply.github.com", True),
        ("161369871+google-labs-jules[bot]@users.noreply.github.com", True),
        ("49699333+dependabot[bot]@users.noreply.github.com", True),
        ("project_12_bot_9f@noreply.gitlab.com", True),
        ("ann@example.org", False),
        ("copilot@example.org", False),
        ("abbot@example.org", False),
    ],
)
def test_addresses_of_agents(address: str, agent: bool) -> None:
    """Agents and bots are known by their addresses, people with similar names are not taken for
    one."""
    assert is_agent(address) is agent


@pytest.mark.parametrize(
    ("message", "sign"),
    [
        ("Fix\n\nCo-Authored-By: Claude Opus <noreply@anthropic.com>", "noreply@anthropic.com"),
        ("Fix\n\nClaude-Session: x", "claude-session:"),
        ("Fix\n\nAgent-Logs-Url: x", "agent-logs-url:"),
        ("Fix\n\nThe Claude-Session: header is parsed", ""),
        ("Fix\n\nCo-authored-by: Ann <ann@example.org>", ""),
    ],
)
def test_signs_in_messages(message: str, sign: str) -> None:
    """Trailers count at the beginning of a line only."""
    assert agent_signs(message) == sign
