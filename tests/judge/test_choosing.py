"""Which judge a configuration and a run get, and what is said where it is not asked."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from modelserver import KEY, ModelServer, opinion, pair, saying
from msgspec.structs import replace

from grounded_ingest.config.files import parse_yaml
from grounded_ingest.config.settings import DEFAULTS, Config, Wishes
from grounded_ingest.git.cache import FILE
from grounded_ingest.judge.endpoint import EndpointJudge
from grounded_ingest.judge.judge import choose_judge

ENV = {"TEAM_JUDGE_KEY": KEY}


def config(more: str = "", base_url: str = "https://models.example/v1", top: str = "") -> Config:
    text = f'judge: {{kind: openai, base_url: "{base_url}", model: small{more}}}\n{top}'
    asked = parse_yaml(text, "f.yaml")
    network = replace(asked.network, allow=asked.wishes.allow)  # as if all of it were granted
    return replace(asked, wishes=Wishes(), network=network, judge=asked.wishes.judge)


@pytest.mark.parametrize(
    ("asked", "mode", "online", "said"),
    [
        (DEFAULTS, "range", True, ""),
        (parse_yaml("judge: {model: small}", "f"), "range", True, ""),
        (config(), "range", False, "offline"),
        (config(), "staged", True, "judge.in_hook"),
        (config(", in_hook: true"), "staged", False, "offline"),
    ],
)
def test_where_no_judge_is_asked_that_is_said(
    asked: Config, mode: str, online: bool, said: str
) -> None:
    """Offline and in the hook no judge is asked, and a configured one is reported as not asked."""
    judge, reason = choose_judge(asked, mode=mode, online=online, cache_dir=None, environ={})
    assert judge is None
    assert said in reason
    assert bool(said) == bool(reason)


@pytest.mark.parametrize(
    ("asked", "mode"),
    [
        (config(), "range"),
        (config(), "worktree"),
        (config(", in_hook: true"), "staged"),
        (config(", key_env: TEAM_JUDGE_KEY"), "all"),
        (config("", "http://models.example/v1", "network: {allow: [models.example]}"), "all"),
        (config("", "http://[::1]:8000/v1", "network: {allow: ['[::1]:8000']}"), "all"),
    ],
)
def test_a_configured_judge_is_asked(asked: Config, mode: str, tmp_path: Path) -> None:
    """A configured endpoint is asked outside the hook, or in it if the configuration says so."""
    judge, reason = choose_judge(
        asked, mode=mode, online=True, cache_dir=str(tmp_path), environ=ENV
    )
    assert isinstance(judge, EndpointJudge)
    assert reason == ""


@pytest.mark.parametrize(
    ("asked", "environ", "said"),
    [
        (config(", key_env: TEAM_JUDGE_KEY"), {}, "TEAM_JUDGE_KEY is not set"),
        (config(", key_env: TEAM_JUDGE_KEY"), {"TEAM_JUDGE_KEY": " \n"}, "is not set"),
        (
            config(", key_env: TEAM_JUDGE_KEY"),
            {"TEAM_JUDGE_KEY": "s3\r\nX: y"},
            "has no valid key",
        ),
        (config(", key_env: TEAM_JUDGE_KEY"), {"TEAM_JUDGE_KEY": "s3 é"}, "has no valid key"),
        (config("", "http://models.example/v1"), {}, "does not start with https"),
        (
            config("", "http://models.example/v1", "network: {allow: ['models.example:8000']}"),
            {},
            "does not start with https",
        ),
        (config("", "http://models.example:99999/v1"), {}, "is not a URL"),
    ],
)
def test_a_judge_that_cannot_be_asked_approves_nothing(
    asked: Config, environ: dict[str, str], said: str
) -> None:
    """A missing or broken key or address makes every opinion unknown; the key is not shown."""
    judge, reason = choose_judge(asked, mode="range", online=True, cache_dir=None, environ=environ)
    assert said in reason
    assert "s3" not in reason
    assert judge is not None
    (came,) = judge.judge([pair()])
    assert came.verdict == ""
    assert came.reason.startswith("judge: ")
    assert said in came.reason


def test_from_the_configuration_to_the_opinion(tmp_path: Path) -> None:
    """The configured address and key are used, the answer is kept, and the key is not."""
    said = opinion("unsupported", "", "receipt")
    with ModelServer(saying(said)) as server:
        top = f"network: {{allow: ['{server.host}']}}"
        asked = config(", key_env: TEAM_JUDGE_KEY", f"{server.url}/v1/", top)
        for _ in range(2):
            judge, _ = choose_judge(
                asked, mode="range", online=True, cache_dir=str(tmp_path), environ=ENV
            )
            assert judge is not None
            (came,) = judge.judge([pair()])
            assert came.verdict == "unsupported"
            assert came.reason == "the judge model does not find these words in the source: receipt"
    (seen,) = server.seen
    assert (seen.path, seen.headers["authorization"]) == ("/v1/chat/completions", f"Bearer {KEY}")
    assert KEY.encode() not in (tmp_path / FILE).read_bytes()


def test_nobody_pays_for_a_judge_that_is_not_configured() -> None:
    """Importing the pipeline does not import the judge."""
    code = (
        "import sys, grounded_ingest.pipeline, grounded_ingest.git.hooks\n"
        "print([m for m in sys.modules if 'grounded_ingest.judge.judge' in m])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
