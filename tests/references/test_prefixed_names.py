"""Names with a prefix of the repository, and environment variables, that no file contains."""

from __future__ import annotations

import pytest
from repos import NOTES, Files, Repo

from grounded_ingest.report.findings import list_findings

NAMES = "`SHOP_PORT`, `SHOP_HOST`, `SHOP_USER`, `SHOP_MODE` and `SHOP_ZONE`"
CALLS = "`ShopQueue_add`, `ShopQueue_take`, `ShopQueue_size`, `ShopQueue_free`, `ShopQueue_new`"
FILES: Files = {
    "pyproject.toml": '[project]\nname = "shop"\nversion = "1"\n',
    "README.md": f"# Shop\n\nThe variables are {NAMES}.\n\nThe functions are {CALLS}.\n",
    "env.py": "PORT = 'SHOP_PORT SHOP_HOST SHOP_USER SHOP_MODE SHOP_ZONE redisUrl'\nPART = 'SHOP_LOG_'\n",
    "ShopQueue.c": "int\nShopQueue_add (int a)\n{\n  return ShopQueue_take() + ShopQueue_size();\n}\n"
    "void ShopQueue_free(void);\nint *ShopQueue_new(void);\n",
}
COMMITS = (FILES,)


def found(repo: Repo, text: str, more: Files | None = None) -> list[str]:
    repo.git("reset", "-q", "--hard")
    repo.stage({NOTES: f"# Notes\n\n{text}\n", **(more or {})})
    return [f"{f.line} {f.message}" for f in list_findings(repo.check().report) if f.path == NOTES]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("The server reads `SHOP_COLOUR`.", "SHOP_COLOUR"),
        ("```bash\nexport SHOP_COLOUR=red\n```", "SHOP_COLOUR"),
        ("The worker calls `ShopQueue_wait()`.", "ShopQueue_wait"),
        ("```c\nint n = ShopQueue_wait(q, 3);\n```", "ShopQueue_wait"),
        ("The server reads `AWS_COLOUR`.", ""),  # a prefix of somebody else
        ("The server reads `SHOP_LOG_LEVEL`.", ""),  # code may build the name
        ("The server reads `SHOP_MY_THING`.", "SHOP_MY_THING"),
        ("Each row has its `SHOP_KEY_N`.", ""),
        ("The server reads `SHOP_PORT`.", ""),
        ("The class `OtherQueue_wait` waits.", ""),
        ("```c\nint ShopQueue_mine(void) { return 1; }\n\nShopQueue_mine();\n```", ""),
    ],
)
def test_a_name_with_an_own_prefix(repo: Repo, text: str, name: str) -> None:
    said = found(repo, text)
    assert len(said) == bool(name)
    assert all(f"{name}: no code file contains {name}" in s for s in said)


@pytest.mark.parametrize(
    "words", ["viper.SetEnvPrefix('shop')", "env_prefix = 'shop'", "prefix_separator('_')"]
)
def test_code_that_reads_every_variable_with_a_prefix(repo: Repo, words: str) -> None:
    assert found(repo, "The server reads `SHOP_COLOUR`.", {"b.py": f"A = {words!r}\n"}) == []
    assert found(repo, "The worker calls `ShopQueue_wait()`.", {"b.py": f"A = {words!r}\n"})


def test_documents_that_mostly_name_what_is_not_here(repo: Repo) -> None:
    """The docs of `deno` are in a repository without its code."""
    others = " ".join(f"`SHOP_OTHER_{n}X`" for n in range(6))
    repo.git("reset", "-q", "--hard")
    repo.stage({"docs/more.md": f"# More\n\nThe others are {others}.\n", NOTES: "# Notes\n"})
    assert found(repo, f"The server reads `SHOP_COLOUR`, {others}.") == []


KNOWN = "SHOP_PORT=1\nSHOP_HOST=a\nSHOP_USER=b\nSHOP_MODE=c\n"


@pytest.mark.parametrize(
    ("block", "lines"),
    [
        (f"```env\n{KNOWN}POOL_SIZE=3  # rows\n```", ["8"]),
        (f"```env\n{KNOWN}POOL_SIZE=3\nPOOL_WAIT=4\n```", ["8", "9"]),
        (f"```env\n{KNOWN}POOL_SIZE=3\nPOOL_WAIT=4\nPOOL_TIME=1\n```", []),  # mostly unknown
        (f"```env\n{KNOWN}REDIS_URL=redis://x\n```", []),  # `redisUrl`
        (f"```bash\n{KNOWN}POOL_SIZE=3 cargo run\n```", []),  # of a command
        (f"```bash\n{KNOWN}POOL_SIZE=3\necho $POOL_SIZE\n```", []),  # the block uses it
        ("```env\nSHOP_PORT=1\nPOOL_SIZE=3\n```", []),  # too few
    ],
)
def test_a_variable_in_a_block_of_settings(repo: Repo, block: str, lines: list[str]) -> None:
    said = found(repo, block)
    assert [s.partition(" ")[0] for s in said] == lines
