"""The action at a tag, its steps run as the runner runs them, installation included.

action.py CLONE: a pull request that adds a guess fails the job; one that adds nothing passes."""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory

sys.path.insert(0, str(Path(__file__).parents[1] / "action"))
sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parents[2]))

from forgerepo import BLOCKED, Forge, pull_request


def walk(clone: str, text: str) -> int:
    with TemporaryDirectory() as home:
        forge = Forge(Path(home))
        head, merge = forge.pull(text)
        where = forge.checkout(merge)
        job = forge.job(where, "pull_request", pull_request(forge, head), action_path=clone)
        ran = job.run(install=True, online="false")
        print(ran.log, ran.err, sep="")
        return ran.code


if __name__ == "__main__":
    clone = str(Path(sys.argv[1]).absolute())
    assert [walk(clone, text) for text in (BLOCKED, "")] == [1, 0]
