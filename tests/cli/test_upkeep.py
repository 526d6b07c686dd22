"""`config show`, `clean`, `help` and `version`, and what a mistyped command is told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from repos import Repo

from grounded_ingest.cli.group import cli
from grounded_ingest.cli.questions import settings_of
from grounded_ingest.config.files import parse_yaml
from grounded_ingest.version import __version__

SETTINGS = """\
preset: strict
classes: {docs: ["handbook/**"]}
sources: {"notes/**": user}
per_file_ignores: {"old/**": [speculation]}
horizons: {ungrounded: 30}
reviewers: {"docs/**": ["@a"]}
network: {allow: ["docs.example.org"], timeout: 9}
judge: {kind: openai, base_url: "https://models.example/v1", model: small}
policy: {repeat: off}
"""


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(cli, arguments, prog_name="grounded-ingest")


def test_the_shown_settings_are_the_settings_of_the_file() -> None:
    import yaml

    config = parse_yaml(SETTINGS, "config")
    shown = yaml.safe_dump(settings_of(config))
    again, expected = settings_of(parse_yaml(shown, "config")), settings_of(config)
    adding = ("classes", "exclude")  # the file adds to the defaults of these
    assert {k: v for k, v in again.items() if k not in adding} == {
        k: v for k, v in expected.items() if k not in adding
    }
    assert set(again["classes"]["docs"]) == set(expected["classes"]["docs"])
    assert again["judge"]["model"] == "small"
    assert list(again["network"]["allow"]) == ["docs.example.org"]


def test_config_show_names_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(tmp_path)
    repo.commit({"a.md": "# A\n"})
    monkeypatch.chdir(tmp_path)
    assert invoke("config", "show").output.startswith("# The defaults.")
    repo.commit({".grounded-ingest.yaml": "preset: strict\n"})
    shown = invoke("config", "show").output
    assert shown.startswith("# The settings of .grounded-ingest.yaml")
    assert "\npreset: strict\n" in shown


def test_clean_deletes_what_runs_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    repo = Repo(tmp_path)
    repo.commit({"CLAUDE.md": "# A\n\nSee `x.py`.\n"})
    monkeypatch.chdir(tmp_path)
    before = invoke("check", "--all").output
    assert (tmp_path / ".git/grounded-ingest/cache.sqlite").exists()
    assert "deleted" in invoke("clean").output
    assert not (tmp_path / ".git/grounded-ingest").exists()
    assert invoke("clean").output == "nothing to delete\n"
    assert invoke("check", "--all").output == before


def test_help_and_version_are_commands() -> None:
    assert invoke("version").output == f"grounded-ingest, version {__version__}\n"
    assert invoke("help", "version").output == invoke("version", "--help").output
    assert invoke("help", "nope").exit_code == 2


def test_a_mistyped_command_is_told_the_nearest() -> None:
    told = invoke("chekc")
    assert told.exit_code == 2
    assert "Did you mean 'check'?" in told.output
