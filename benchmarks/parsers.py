"""pyromark beside markdown-it-py, which has no inline positions, on real Markdown (ADR 0006)."""

from __future__ import annotations

import argparse
import html
import re
import statistics
import subprocess
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pyromark
from markdown_it import MarkdownIt

SUFFIXES = (".md", ".markdown", ".mdc")
FRONT_MATTER = re.compile(r"\A---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*(?:\r?\n|\Z)", re.S | re.M)
TOKENS = {"paragraph_open": "paragraph", "heading_open": "heading", "list_item_open": "item"}
TOKENS |= {"tr_open": "row", "fence": "code", "code_block": "code"}
EVENTS = {"Paragraph": "paragraph", "Heading": "heading", "Item": "item", "CodeBlock": "code"}
EVENTS |= {"TableRow": "row", "TableHead": "row"}
VARIANTS = {"as written": ("", "", ""), "CRLF": ("", r"\r?\n", "\r\n"), "tabs": ("", " {4}", "\t")}
VARIANTS |= {"block quote": ("", "(?m)^", "> "), "nested": ("- a\n  - b\n\n", "(?m)^", "    ")}
OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
MARKDOWN_IT = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def documents(path: Path, rev: str) -> Iterator[tuple[str, bytes]]:
    """(name, bytes) of every Markdown file of a git revision, or of a directory that is none."""
    git = ["git", "-C", str(path)]
    tree = subprocess.run([*git, "ls-tree", "-r", "-z", "--full-tree", rev], capture_output=True)
    if tree.returncode:
        yield from ((str(f), f.read_bytes()) for f in path.rglob("*") if f.suffix in SUFFIXES)
    for entry in tree.stdout.decode("utf-8", "replace").split("\0")[:-1]:
        head, _, name = entry.partition("\t")
        if head.startswith("100") and name.endswith(SUFFIXES):
            blob = subprocess.run([*git, "cat-file", "blob", head[-40:]], capture_output=True)
            yield from [(f"{path}:{name}", blob.stdout)] * (not blob.returncode)


def startup(statements: list[str], repeat: int) -> None:
    """Print wall times of whole processes, taken in turns, as ratio to `python -c pass`."""
    times: dict[str, list[float]] = {s: [] for s in ("pass", *statements)}
    for _, (statement, seen) in product(range(repeat + 1), times.items()):
        begin = time.perf_counter()
        subprocess.run([sys.executable, "-c", statement], check=True)
        seen.append(time.perf_counter() - begin)
    medians = {s: statistics.median(seen[1:]) for s, seen in times.items()}  # 0 compiles
    for statement, took in medians.items():
        print(f"  {took * 1e3:6.1f} ms {took / medians['pass']:5.2f}x  python -c {statement!r}")


def throughput(name: str, parse: Callable[[str], Iterable[object]], texts: dict[str, str]) -> None:
    size, begin = sum(len(text.encode()) for text in texts.values()) / 1e6, time.process_time()
    for text in [*texts.values()] * 3:
        deque(parse(text), maxlen=0)
    print(f"  {size * 3 / (time.process_time() - begin):6.2f} MB/s of CPU time, 3 runs  {name}")


def walk(text: str) -> tuple[list[tuple[str, int]], list[tuple[str, Any, int, int]]]:
    """(kind, line) of pyromark's blocks; (kind, text, start, end) of its leaves, in bytes."""
    data, line, last, raw, blocks, leaves = text.encode(), 1, 0, False, [], []
    event: Any
    for event, span in pyromark.events_with_range(text, options=OPTIONS):
        name, value = next(iter(event.items())) if isinstance(event, dict) else ("", "")
        if name == "Start":
            tag = value if isinstance(value, str) else next(iter(value))
            line, last = line + data.count(b"\n", last, span["start"]), span["start"]
            blocks += [(EVENTS[tag], line)] if tag in EVENTS else []
            raw = tag in ("CodeBlock", "HtmlBlock")
        elif name in ("Text", "Code"):
            leaves.append(("Block" if raw else name, value, span["start"], span["end"]))
        raw = raw and name != "End"
    return blocks, leaves


def structure(texts: dict[str, str], show: int) -> None:
    """Print how many documents have other counts, another order or other lines of blocks."""
    counts, order, lines = [], 0, 0
    for name, text in texts.items():
        tokens = [t for t in MARKDOWN_IT.parse(text) if t.type in TOKENS and not t.hidden]
        ours, theirs = walk(text)[0], [(TOKENS[t.type], (t.map or [-1])[0] + 1) for t in tokens]
        kinds, other = [kind for kind, _ in ours], [kind for kind, _ in theirs]
        if Counter(kinds) != Counter(other):
            pairs = zip([*ours, ("end", 0)], [*theirs, ("end", 0)], strict=False)
            counts.append(f"    {next(p for p in pairs if p[0][0] != p[1][0])} {name}\n")
        order, lines = order + (kinds != other), lines + (ours != theirs)
    print(f"  blocks differ in count in {len(counts)}, in order in {order}, in line in {lines}")
    print(*counts[:show], sep="", end="")


def judge(kind: str, text: str, piece: str) -> str:
    """How a leaf's text follows from its slice of the source; `no` where it does not."""
    if kind == "Code":
        bare = re.sub(r"\n[ \t>]*", " ", piece.strip("`")).replace("\\|", "|")
        return "code span" if text.strip("` ").split() == bare.strip("` ").split() else "no"
    if piece == text:
        return "exact"
    if not piece and text.isspace() and kind == "Block":
        return "rest of an indent in a code or HTML block"
    return "entity" if re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", html.unescape(piece)) == text else "no"


def offsets(variant: str, sources: dict[str, str], show: int) -> None:
    seen, misses = Counter[str](), []
    for name, source in sources.items():
        data, last = source.encode(), 0
        for kind, text, start, end in walk(source)[1]:
            piece = data[start:end].decode("utf-8", "replace")
            verdict = judge(kind, text, piece) if start >= last else "overlap"
            seen[verdict], last = seen[verdict] + 1, end
            if verdict in ("no", "overlap"):
                misses.append(f"    {kind} {text[:40]!r} from {piece[:40]!r} {name}\n")
    print(f"  {variant}: {sum(seen.values())} leaves, {dict(seen.most_common())}")
    print(*misses[:show], sep="", end="")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("paths", nargs="*", type=Path, help="git repositories or directories")
    arguments.add_argument("--rev", default="HEAD")
    arguments.add_argument("--repeat", type=int, default=9)
    arguments.add_argument("--show", type=int, default=0, help="name so many of what disagrees")
    arguments.add_argument("--startup", action="append", default=[], metavar="STATEMENT")
    given = arguments.parse_args()
    startup(given.startup or ["import pyromark", "import markdown_it"], given.repeat)
    if not given.paths:
        return
    found = (document for path in given.paths for document in documents(path, given.rev))
    plain = ((name, blob.decode("utf-8-sig", "replace")) for name, blob in found)
    texts = {name: FRONT_MATTER.sub("", text, count=1) for name, text in plain}
    size, wide = len("".join(texts.values()).encode()), sum(not t.isascii() for t in texts.values())
    print(f"  {len(texts)} documents without front matter, {size / 1e6:.2f} MB, {wide} not ASCII")
    throughput("pyromark", lambda t: pyromark.events_with_range(t, options=OPTIONS), texts)
    throughput("markdown-it-py", MARKDOWN_IT.parse, texts)
    structure(texts, given.show)
    for variant, (before, old, new) in VARIANTS.items():
        changed = {name: before + re.sub(old, new, text) for name, text in texts.items()}
        offsets(variant, changed, given.show)


if __name__ == "__main__":
    main()
