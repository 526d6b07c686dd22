"""`python -m benchmarks.attacks`: stages falsehoods written to be approved, and counts outcomes."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Literal, NamedTuple

import click
import msgspec
from msgspec import Struct, field

from grounded_ingest.git.repository import Repo
from grounded_ingest.pipeline import Options, run
from grounded_ingest.report.as_json import format_json
from grounded_ingest.repository.scope import Asked

Outcome = Literal["approved", "held", "unseen"]
SUITES = Path(__file__).parent / "data/attacks"
Files = Mapping[str, str]


class Attack(Struct, frozen=True, rename={"attack_class": "class"}):
    """`base` is committed, `change` staged on it; `claim` is a part of the claim's text. `expect`:
    what the contract asks for. `base` may name one of `bases.json`, as `@name`."""

    id: str
    attack_class: str
    base: str | dict[str, str]
    document: str
    claim: str
    expect: Literal["held", "approved"]
    change: dict[str, str] = field(default_factory=dict)
    why: str = ""
    held_out: bool = False


class Attacked(NamedTuple):
    attack: Attack
    outcome: Outcome

    @property
    def as_expected(self) -> bool:
        return (self.attack.expect == "approved") == (self.outcome == "approved")


def read_attacks(suite: str) -> list[Attack]:
    """Returns the cases of `forms`, `brought` or `deceive`."""
    rows = (SUITES / f"{suite}.jsonl").read_bytes().splitlines()
    return [msgspec.json.decode(row, type=Attack) for row in rows]


def attacked(attacks: Iterable[Attack]) -> Iterator[Attacked]:
    """What becomes of each, in a repository of its own."""
    bases = msgspec.json.decode(
        (SUITES / "bases.json").read_bytes(), type=dict[str, dict[str, str]]
    )
    for attack in attacks:
        base = attack.base if isinstance(attack.base, dict) else bases[attack.base[1:]]
        with tempfile.TemporaryDirectory(prefix="grounded-ingest-") as place:
            yield Attacked(attack, _outcome(attack, base, place))


def _outcome(attack: Attack, base: Files, place: str) -> Outcome:
    _git(place, "init", "-q", "-b", "main", "--template=")
    _write(place, base)
    _git(place, "commit", "-q", "-m", "Start")
    _write(place, attack.change)
    with Repo(place, own=False) as repo:
        result = run(repo, Asked("staged"), Options(online=False, cache=False))
        found = [
            int(d.tier)
            for d in result.report.decisions
            if d.place.path == attack.document
            and attack.claim.lower()[:60] in d.place.claim.text.lower()
        ]
        result.kb.index.close()
    return "unseen" if not found else "approved" if min(found) == 1 else "held"


def _write(place: str, files: Files) -> None:
    for path, text in files.items():
        target = Path(place, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, "utf-8")
    _git(place, "add", "-A")


def _git(place: str, *args: str) -> None:
    who = {
        f"GIT_{r}_{k}": "a@example.org" for r in ("AUTHOR", "COMMITTER") for k in ("NAME", "EMAIL")
    }
    environment = {**os.environ, **who, "GIT_CONFIG_GLOBAL": os.devnull}
    subprocess.run(["git", *args], cwd=place, env=environment, check=True, capture_output=True)


def _counts(found: Iterable[Attacked]) -> dict[str, int]:
    return dict(Counter(f"{a.attack.expect}, is {a.outcome}" for a in found))


def as_json(found: list[Attacked]) -> str:
    return format_json({"counts": _counts(found), "others": [a._asdict() for a in _others(found)]})


def _others(found: list[Attacked]) -> list[Attacked]:
    return [a for a in found if not a.as_expected]


def as_text(found: list[Attacked]) -> str:
    """The counts; and what came out otherwise, but for those that nobody looks at."""
    lines = [f"{count:>4}  should be {what}" for what, count in sorted(_counts(found).items())]
    shown: list[Any] = [a for a in _others(found) if not a.attack.held_out]
    lines += [
        f"{a.attack.id} ({a.attack.attack_class}) is {a.outcome}: {a.attack.claim}" for a in shown
    ]
    return "\n".join(lines) + "\n"


@click.command()
@click.option("--suite", default="forms", type=click.Choice(["forms", "brought", "deceive"]))
@click.option("--held-out", is_flag=True, help="The part that nobody looks at while mending.")
@click.option("--output-format", "form", default="text", type=click.Choice(["text", "json"]))
def command(suite: str, form: str, *, held_out: bool) -> None:
    """Try to get falsehoods approved: by their form, by sources that the change itself brings, or
    by proofs over sources and in surroundings that deceive."""
    found = list(attacked(a for a in read_attacks(suite) if a.held_out == held_out))
    click.echo((as_json if form == "json" else as_text)(found), nl=False)


if __name__ == "__main__":
    command()
