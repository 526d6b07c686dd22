"""Sentences of equal words but for one value that tell cases apart rather than contradict."""

from __future__ import annotations

from pathlib import Path

import pytest
from repos import NOTES, Repo

TITLE = "# Notes\n\n"

CONTRADICT = [
    "## Limits\n\n- The upload limit is 20 MB for every plan.\n- The upload limit is 50 MB for "
    "every plan.\n",
    "## Output\n\nThe report is written in French by default.\n\nThe report is written in "
    "German by default.\n",
    "## Retries\n\nThe client does retry refused calls.\n\nThe client does not retry refused "
    "calls.\n",
]

TELL_APART = [
    # headings side by side
    "## Errors\n\n### An error the model can fix\n\nIt is shown.\n\n"
    "### An error the model cannot fix\n\nIt is raised.\n",
    # fields of records that follow each other
    "## Issues\n\n**First**\n\n- Current state: logic is duplicated in 2 files\n\n**Second**\n\n"
    "- Current state: logic is duplicated in 3 files\n",
    # what a label asks for
    "## Help\n\nInstallation problems: check what the Setup guide is saying\n\n"
    "Installation problems: check what the Install guide is saying\n",
    # under a heading that forbids
    "## Never do\n\nThe client does retry refused calls.\n\nThe client does not retry refused "
    "calls.\n",
    # another spelling, another target, an example
    "## Output\n\nThe report is written in Frameworks style.\n\nThe report is written in "
    "Frameowrks style.\n",
    "## Output\n\nThe report is sent by JSON-RPC to all.\n\nThe report is sent by JSON\u2011RPC "
    "to all.\n",
    "## Output\n\nThe report is written in languages like French today.\n\nThe report is written "
    "in languages like German today.\n",
]


def rules(tmp_path: Path, text: str) -> set[str]:
    repo = Repo(tmp_path)
    repo.commit({"README.md": "# Nothing\n"})
    repo.stage({NOTES: TITLE + text})
    return {f.rule for d in repo.decisions() for f in d.findings}


@pytest.mark.parametrize("text", CONTRADICT)
def test_one_thing_said_in_two_ways_is_a_contradiction(tmp_path: Path, text: str) -> None:
    assert "contradiction" in rules(tmp_path, text)


@pytest.mark.parametrize("text", TELL_APART)
def test_cases_do_not_contradict(tmp_path: Path, text: str) -> None:
    assert "contradiction" not in rules(tmp_path, text)
