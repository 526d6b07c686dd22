"""Environment variables that a claim speaks of, asked of the tree and of its history."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo, made_wrong

from grounded_ingest.model.claims import Decision

SETTINGS = 'import os\n\nURL = os.environ["APP_DATABASE_URL"]\nKEY = os.getenv("APP_SIGNING_KEY")\n'


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory) -> Repo:
    repo = Repo(tmp_path_factory.mktemp("variables") / "repo")
    repo.commit({
        "src/settings.py": SETTINGS + 'OLD = os.environ["APP_OLD_NAME"]\n',
        "src/gone.ts": "export const a = process.env.LEGACY_TOKEN\n",
        ".env.example": "LEGACY_TOKEN=\nAPP_SIGNING_KEY=\nONLY_DECLARED=1\n",
        "src/vendor.ts": "export const a = process.env.PACKAGE_API_SECRET\n",
        "src/joined.py": 'import os\nx = os.getenv("VENDOR_API_KEY")\n',
        "src/field.py": 'import os\nx = os.getenv("QUEUE_SIZE_LIMIT")\n',
        "tests/test_a.py": 'import os\nos.environ["TEST_ONLY_NAME"]\n',
        "src/word.py": "LOCAL_CONSTANT = 1\n",
    })  # fmt: skip
    repo.commit({
        "src/settings.py": SETTINGS + 'OLD = os.environ["APP_NEW_NAME"]\n',
        "src/gone.ts": "export const a = 1\n",
        "src/vendor.ts": "import { key } from 'package'\n",
        "src/joined.py": 'import os\nx = os.getenv(f"{vendor}_API_KEY")\n',
        "src/field.py": "class S(BaseSettings):\n    queue_size_limit: int = 3\n",
        "tests/test_a.py": "",
        "src/word.py": "",
        ".env.example": "APP_SIGNING_KEY=\nONLY_DECLARED=1\n",
    })  # fmt: skip
    return repo


def told(decision: Decision) -> list[tuple[str, str]]:
    return [(e.verdict, e.reason) for e in decision.evidence if e.kind == "variable"]


@pytest.mark.parametrize(
    ("claim", "reason"),
    [
        ("The environment variable `APP_OLD_NAME` holds the name.", "renamed to APP_NEW_NAME in "),
        ("It is taken from `$LEGACY_TOKEN` at start.", "removed in "),
        ("It is taken from `process.env.LEGACY_TOKEN` at start.", "removed in "),
        ("Run it with `LEGACY_TOKEN=x` in `.env` at hand.", ""),
        ("The token is told in the variable `LEGACY_TOKEN` alone.", "removed in "),
    ],
)
def test_a_variable_that_is_gone(repo: Repo, claim: str, reason: str) -> None:
    found = repo.judge(claim)
    assert (found.rule == "refuted-citation") == bool(reason), found.evidence
    assert not reason or any(reason in said for _, said in told(found))


@pytest.mark.parametrize(
    "claim",
    [
        "The environment variable `VENDOR_API_KEY` holds the key.",  # composed of its end
        "The environment variable `QUEUE_SIZE_LIMIT` holds the size.",  # a field of settings
        "The environment variable `TEST_ONLY_NAME` holds the name.",  # a test had it
        "The environment variable `PACKAGE_API_SECRET` holds the key.",  # a package may read it
        "The environment variable `NEVER_WAS_THERE` holds the name.",
        "The environment variable `ONLY_DECLARED` holds the number.",
        "The environment variable `LEGACY_TOKEN` was removed.",
        "The environment variable `LEGACY_TOKEN` is not read.",
        "`LEGACY_TOKEN` holds the token.",  # nothing says that it is one of the environment
    ],
)
def test_a_variable_that_nothing_speaks_against(repo: Repo, claim: str) -> None:
    assert not any(verdict == "refuted" for verdict, _ in told(repo.judge(claim)))


def test_a_heading_says_that_variables_follow(repo: Repo) -> None:
    repo.stage(
        {
            NOTES: "# Notes\n\n## Environment variables\n\n- `LEGACY_TOKEN`: the token of the service\n"
        }
    )
    (found,) = [d for d in repo.decisions() if d.place.path == NOTES]
    assert found.rule == "refuted-citation"


def test_that_a_variable_exists_proves_no_claim(repo: Repo) -> None:
    assert repo.judge("The environment variable is `APP_DATABASE_URL`.").rule == "cited"


def test_a_change_that_takes_a_variable_names_its_claims(tmp_path: Path) -> None:
    repo = Repo(tmp_path)
    repo.commit({
        "src/settings.py": SETTINGS,
        NOTES: "# N\n\n- The variable `APP_SIGNING_KEY` holds the key that signs.\n- Other text.\n",
    })  # fmt: skip
    repo.stage({"src/settings.py": SETTINGS.replace("APP_SIGNING_KEY", "APP_KEY")})
    ((path, line, said),) = made_wrong(repo.check())
    assert (path, line) == (NOTES, 3)
    assert "renamed to APP_KEY by this change" in said
