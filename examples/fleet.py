#!/usr/bin/env python3
"""The example fleet of docs/fleet-questions.md: seven small repositories of three teams, with the
same commits wherever they are made. One of them is a clone that was cut short.

    python3 examples/fleet.py DIR            as they are in the first week, and DIR/fleet.toml
    python3 examples/fleet.py DIR --later    a week later
"""

from __future__ import annotations

import argparse
import os
import subprocess
from pathlib import Path

FIRST, SINCE, LATER = "2026-11-02T09:00:00Z", "2026-11-09T09:00:00Z", "2026-11-16T09:00:00Z"

RULES = """\
# Rules

- Never push to the main branch without a review by its owner.
- Keep the settings of a module in one file only.
"""
NEWER = RULES + "- Never run a migration without a person beside you.\n"
OLD_HABIT = RULES + "- Speak plainly in commit messages.\n"
RELEASE = (
    "Write every change down in the log before a release is made, and tell the people on call"
    " about it by a message of two lines with a link to the pull request{}.\n"
)
NODE = '{"name": "%s", "engines": {"node": ">=22"}, "scripts": {"test": "node --test"}}\n'

Files = dict[str, str | None]
"""Texts by path; None takes a file away."""

OWNERS = {
    "standards": "platform", "gateway": "platform", "ledger": "payments", "invoices": "payments",
    "shop": "web", "checkout": "web", "archive": "web",
}  # fmt: skip

WEEKS: dict[str, dict[str, list[Files]]] = {
    FIRST: {
        "standards": [
            {
                "CLAUDE.md": RULES,
                "memory-bank/services.md": "# Services\n\n"
                "The auth gateway listens on port 8443.\n\n"
                "The ledger API listens on port 7000.\n\nBuild with Node 22.\n",
            }
        ],
        "gateway": [
            {
                "CLAUDE.md": RULES,
                "src/settings.py": "PORT = 8443\nTIMEOUT_SECONDS = 30\n",
                "docs/run.md": "# Run\n\n"
                "- The gateway listens on port 8443 (`src/settings.py:1`).\n"
                "- `TIMEOUT_SECONDS` is 30 (`src/settings.py:2`).\n"
                "- `MAX_BODY` is 1048576 (`src/limits.py:1`).\n",
                "src/limits.py": "MAX_BODY = 1048576\n",
            }
        ],
        "ledger": [
            {
                "CLAUDE.md": RULES,
                "package.json": NODE % "ledger",
                "AGENTS.md": "# Notes\n\n" + RELEASE.format("")
                + "\nThe ledger runs on Node 16.\n\nRun the tests with `npm test`.\n",
                "src/pages.ts": "export const PAGE_SIZE = 50;\n",
                "memory-bank/run.md": "# Run\n\nThe ledger API listens on port 7100.\n\n"
                "`PAGE_SIZE` is 50 (`src/pages.ts:1`).\n",
            }
        ],
        "invoices": [
            {
                "CLAUDE.md": RULES,
                "AGENTS.md": "# Notes\n\n" + RELEASE.format(", please")
                + "\nThe auth gateway listens on port 9443.\n",
                "docs/links.md": "# Links\n\n- The port stands in"
                " https://forge.example/platform/gateway/blob/main/src/settings.py.\n"
                "- The table of accounts stands in"
                " https://forge.example/payments/ledger/blob/main/src/accounts.ts.\n",
            }
        ],
        "shop": [
            {
                "CLAUDE.md": RULES,
                "memory-bank/notes.md": "# Notes\n\n- The cart holds 40 lines.\n"
                "- Orders are exported at 3 am by the nightly job.\n"
                "- The pictures are built with Node 16.\n",
            }
        ],
        "checkout": [
            {
                "CLAUDE.md": RULES,
                "package.json": NODE % "checkout",
                "src/pay.ts": "export const RETRIES = 3;\n",
                "AGENTS.md": "# Notes\n\n- `RETRIES` is 3 (`src/pay.ts:1`).\n"
                "- Run the tests with `npm test`.\n",
                "src/cart.ts": "export const LINES = 40;\n",
                "docs/cart.md": "# Cart\n\n`LINES` is 40 (`src/cart.ts:1`).\n",
            }
        ],
        "archive": [{"README.md": "# Archive\n\nKept for the auditors.\n"}],
    },
    SINCE: {"shop": [{"CLAUDE.md": OLD_HABIT}]},
    LATER: {
        "standards": [{"CLAUDE.md": NEWER}],
        "gateway": [
            {
                "CLAUDE.md": NEWER,
                "src/settings.py": None,
                "src/config.py": "PORT = 8443\nTIMEOUT_SECONDS = 30\n",
            }
        ],
        "checkout": [
            {"package.json": NODE.replace('"test"', '"check"') % "checkout", "src/pay.ts":
             "// How often a payment is tried again.\nexport const RETRIES = 5;\n"}
        ],
    },
}  # fmt: skip


def main() -> None:
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("directory", type=Path)
    asked.add_argument("--later", action="store_true")
    told = asked.parse_args()
    for when in (LATER,) if told.later else (FIRST, SINCE):
        for name, commits in WEEKS[when].items():
            for files in commits:
                commit(told.directory / "repositories" / name, files, when)
    if not told.later:
        cut_short(told.directory / "repositories/archive")
        (told.directory / "fleet.toml").write_text("\n".join(map(entry, OWNERS)), "utf-8")


def commit(root: Path, files: Files, when: str) -> None:
    if not root.exists():
        root.mkdir(parents=True)
        git(root, when, "init", "--quiet", "--template=", "--initial-branch=main")
        origin = f"https://forge.example/{OWNERS[root.name]}/{root.name}.git"
        git(root, when, "remote", "add", "origin", origin)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            (root / path).unlink()
        else:
            (root / path).write_text(text, "utf-8", newline="\n")
    git(root, when, "add", "--all")
    git(root, when, "commit", "--quiet", "--message", f"As of {when[:10]}")


def git(root: Path, when: str, *args: str) -> str:
    """Git without anything of its user: ids are the same everywhere."""
    own = {k: v for k, v in os.environ.items() if not k.startswith("GIT_")}
    own |= {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
    for role in ("AUTHOR", "COMMITTER"):
        own |= {f"GIT_{role}_NAME": "Ada", f"GIT_{role}_EMAIL": "ada@forge.example"}
        own |= {f"GIT_{role}_DATE": when}
    done = subprocess.run(["git", *args], cwd=root, env=own, check=True, capture_output=True)
    return done.stdout.decode().strip()


def cut_short(root: Path) -> None:
    """Without the tree of its commit, as a copy is that was broken off."""
    tree = git(root, FIRST, "rev-parse", "HEAD^{tree}")
    (root / ".git/objects" / tree[:2] / tree[2:]).unlink()


def entry(name: str) -> str:
    return f'[[repository]]\npath = "repositories/{name}"\nowner = "{OWNERS[name]}"\n'


if __name__ == "__main__":
    main()
