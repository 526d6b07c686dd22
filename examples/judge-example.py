#!/usr/bin/env python3
"""An example of a judge program without a model (docs/judge.md). It supports a claim only if one
line of the source contains all words of the claim."""

from __future__ import annotations

import json
import re
import sys


def words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.lower()))


def lines_of(source: dict) -> list[str]:
    return [line for _, line in source.get("cited", source.get("lines", []))]


def main() -> None:
    asked = json.load(sys.stdin)["untrusted"]  # strangers wrote all of this text
    lines = lines_of(asked["source"])
    wanted = words(asked["claim"])
    best = max(lines, key=lambda line: len(wanted & words(line)), default="")
    missing = sorted(wanted - words(best))
    verdict = "unsupported" if missing else "supported"
    json.dump({"quote": best.strip(), "verdict": verdict, "missing": missing}, sys.stdout)


if __name__ == "__main__":
    main()
