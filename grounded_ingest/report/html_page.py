"""Writes one HTML file that asks no server for anything and in which no judged text can act.

Style and script are ours and pinned by their hashes in the page's Content-Security-Policy. What was
judged is inert JSON; the script puts it on the page as text nodes alone (`html/*.js`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from grounded_ingest.rules.problems import EVERY_RULE
from grounded_ingest.text.patterns import compiled
from grounded_ingest.text.printable import unseen

_ASSETS = Path(__file__).parent / "html"
_SLOT = compiled(r"\{\{(\w+)\}\}")


class HtmlAssets(NamedTuple):
    """Names the files of `html/` that a page consists of, in their order."""

    page: str
    styles: Sequence[str]
    scripts: Sequence[str]


def html_page(assets: HtmlAssets, counts: str, data: dict[str, Any]) -> str:
    """Returns the page. `counts` is its first line, shown without scripts too; it must not hold
    judged text. `data` may hold judged text anywhere."""
    style = "".join(map(_asset, assets.styles))
    script = "".join(map(_asset, assets.scripts))
    slots = {
        "policy": _policy(style, script),
        "style": style,
        "script": script,
        "counts": counts,
        "data": _embedded({**data, "unseen": unseen()}),
    }
    return _SLOT.sub(lambda slot: slots[slot[1]], _asset(assets.page))


def rules_told(used: Sequence[str]) -> dict[str, list[str]]:
    """Returns summary, way out and severity of the rules that the page names."""
    known = {rule: EVERY_RULE[rule] for rule in used if rule in EVERY_RULE}
    return {rule: [r.summary, r.way_out, r.severity] for rule, r in known.items()}


def _asset(name: str) -> str:
    return (_ASSETS / name).read_text("utf-8")


def _policy(style: str, script: str) -> str:
    """Returns a policy that allows this style and this script only, and no string to become markup
    or code."""
    return (
        f"default-src 'none'; style-src '{_hashed(style)}'; script-src '{_hashed(script)}'; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'; trusted-types"
    )


def _hashed(text: str) -> str:
    from base64 import b64encode
    from hashlib import sha256

    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"


def _embedded(data: dict[str, Any]) -> str:
    """Returns JSON in which what ends a script element, hides in an editor or is a command to a log
    is escaped."""
    import json

    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    return re.sub(rf"[<>&]|#(?=#[A-Za-z\[])|{unseen()}", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass").hex()
    return "".join(f"\\u{units[at : at + 4]}" for at in range(0, len(units), 4))
