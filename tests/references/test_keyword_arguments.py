"""Keyword arguments in calls of the repository's own Python functions and classes."""

from __future__ import annotations

from repos import Files, Repo

from grounded_ingest.report.findings import list_findings

SEND = """\
import functools
from dataclasses import dataclass
from typing import Protocol

def send(parcel, /, *, retries=3): ...
async def fetch(url, timeout=5): ...
def free(name, **others): ...
@functools.cache
def kept(size): ...
class Client(Protocol):
    def __init__(self, host, port=80): ...
class Child(Client): ...
@dataclass
class Options:
    depth: int
    width: int = 2
class Made:
    def __new__(cls, **given): ...
    def __init__(self, size): ...
if True:
    def late(day): ...
else:
    def late(night): ...
"""
FILES: Files = {
    "pyproject.toml": '[project]\nname = "courier"\n',
    "src/courier/__init__.py": "from courier.send import Client, send\n",
    "src/courier/send.py": SEND,
    "src/courier/validate.py": "class OneOf:\n    def __init__(self, choices, labels=None): ...\n",
    "src/courier/old.py": "def pipe(rows): ...\n",
    "src/courier/newer.py": "def pipe[T](rows: T, steps=1): ...\n\nmatch = (\n",  # of a newer Python
    "tests/test_send.py": "def send(parcel, weight): ...\n",
}
COMMITS = (FILES,)

BLOCKS = (
    ("import courier\ncourier.send(p, weight=3)", "weight"),
    ("import courier\ncourier.send(\n    p,\n    retrie=3,\n)", "retrie; perhaps retries"),
    (
        "from courier.send import fetch as get\nawait get('x', delay=1)",
        "delay; it takes url, timeout",
    ),
    (">>> from courier import Client\n>>> Client('h', secure=True)\nTypeError", "secure"),
    ("from courier.send import Options\nOptions(depth=1, height=2)", "height"),
    ("from courier.send import late\nlate(day=1)\nlate(noon=1)", "noon"),
    ("import courier.send as s\ns.send(p, retries=1); s.free(x=1); s.kept(x=1)", ""),
    ("from courier.send import Child, Made\nChild(x=1); Made(x=1)", ""),
    ("import courier.newer as n\nn.pipe(1, steps=2)", ""),
    ("from other import send\nsend(p, weight=3)", ""),
    ("import courier\ncourier.send(p, **{'weight': 3})", ""),
    ("import courier\ncourier.Client.send(p, weight=3)", ""),  # a method
    ("import courier\ncourier.gone.send(p, weight=3)", ""),  # a module of another version
    ("import courier\n$ courier.send(p, weight=3)", ""),  # no Python
    ("from courier import send\ndef send(weight): ...\nsend(weight=3)", ""),
    ("from courier import send\n```\n\n```js\nsend(p, weight=3)", ""),
)


def test_arguments_in_code_blocks(repo: Repo) -> None:
    text = "# Notes\n\nFor example:\n\n```python\n{}\n```\n"
    pages = {f"memory-bank/n{n}.md": text.format(code) for n, (code, _) in enumerate(BLOCKS)}
    repo.stage({**pages})
    findings = list_findings(repo.check().report)
    for path, (code, wrong) in zip(pages, BLOCKS, strict=True):
        found = [f.message for f in findings if f.path == path]
        assert len(found) == bool(wrong), (code, found)
        assert all(f"takes no argument {wrong}" in m for m in found), found


def test_the_row_of_a_wrong_argument_is_named(repo: Repo) -> None:
    code = "```python\nimport courier\ncourier.send(\n    p,\n    weight=3,\n)\n```\n"
    repo.stage({"memory-bank/n.md": f"# Notes\n\n{code}"})
    found = list_findings(repo.check().report)
    lines = [f.line for f in found if f.path.endswith("/n.md") and "takes no" in f.message]
    assert lines == [7]


SENTENCES = (
    ("Write `courier.send(p, weight=3)` for heavy parcels.", "send takes no argument weight"),
    ('Write ``validate.OneOf(all, names=["a"])``.', "OneOf takes no argument names"),
    ("A client is `Client(host, secure=True)`.", "Client takes no argument secure"),
    ("Write `courier.send(p, retries=3)` and `Client(host=h)`.", ""),
    ("Write `other.OneOf(all, names=[])`.", ""),  # a module of another package
    ("Write `queue.send(p, weight=3)`.", ""),  # a method of something else
    ("Write `courier.send(p, weight=…` and so on.", ""),
)


def test_arguments_in_sentences(repo: Repo) -> None:
    pages = {f"memory-bank/n{n}.md": f"# Notes\n\n{t}\n" for n, (t, _) in enumerate(SENTENCES)}
    repo.stage({**pages})
    findings = list_findings(repo.check().report)
    for path, (text, wrong) in zip(pages, SENTENCES, strict=True):
        found = [f.message for f in findings if f.path == path and "takes no" in f.message]
        assert [wrong in m for m in found] == [True] * bool(wrong), (text, found)
