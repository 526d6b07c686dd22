"""Reads the texts of web pages. Each page is fetched once with GET, up to a maximum size, and its
text is cached."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import replace

from grounded_ingest.net.body_text import LIMIT, TEXT_LIMIT, Body, read_body
from grounded_ingest.net.html_worker import TOTAL_S, HtmlPage, read_html_pages
from grounded_ingest.net.messages import Ask, Failure, Response, Talk
from grounded_ingest.references.context import Context
from grounded_ingest.references.url import is_open, is_vouched

AT_ONCE = 32
"""Maximum number of pages whose bytes are in memory at the same time."""

AGAIN_AFTER_S = 0.1
_KINDS = "text/html, application/xhtml+xml, text/plain, text/markdown, application/json;q=0.9"
_ACCEPT = (("Accept", f"{_KINDS}, */*;q=0.1"),)
_EMPTY = "the page has no text"


class PageText(Struct, frozen=True):
    """The text of a page in Markdown form. If the URL has a known anchor, `text` is only that
    section. `at` is the time of the request, in seconds since the epoch."""

    text: str
    title: str = ""
    at: float = 0.0


class Unread(Struct, frozen=True):
    """The reason why a page has no text, in words for users."""

    reason: str


def pages_of(urls: Iterable[str], context: Context) -> dict[str, PageText | Unread]:
    """Returns the text of each URL, or the reason why the text is missing. An offline run uses only
    cached texts."""
    wanted = list(dict.fromkeys(urls))
    found: dict[str, PageText | Unread] = {}
    if context.answers:
        found |= context.answers.texts("page", wanted, PageText)
    by_page: dict[str, list[str]] = {}
    for url in wanted:
        if url not in found:
            by_page.setdefault(url.partition("#")[0], []).append(url)
    if context.web is None:
        found |= {url: Unread("not read: offline") for same in by_page.values() for url in same}
    else:
        found |= _fetch(by_page, context)
    return {url: found[url] for url in wanted}


def _fetch(by_page: Mapping[str, Sequence[str]], context: Context) -> dict[str, PageText | Unread]:
    """Fetches and reads the pages in groups, because all pages together might not fit into
    memory."""
    assert context.web is not None
    found: dict[str, PageText | Unread] = {}
    pages = list(by_page)
    rest_s = None
    for start in range(0, len(pages), AT_ONCE):
        some = pages[start : start + AT_ONCE]
        answers = context.web.converse({page: _get(page) for page in some})
        read, rest_s = _read(answers, by_page, context, rest_s)
        found |= read
        if context.answers:
            pages_read = {u: page for u, page in read.items() if isinstance(page, PageText)}
            context.answers.put_texts("page", pages_read)
    return found


def _get(page: str) -> Talk[Response]:
    ask = _page_ask(page)
    answer = yield ask
    if answer.failure is Failure.UNREACHABLE:  # the server may have closed an idle connection
        answer = yield replace(ask, after=AGAIN_AFTER_S)
    return answer


def _page_ask(url: str) -> Ask:
    """Returns the request for the text of a page. The request is the same for all anchors of the
    page."""
    return Ask("GET", url.partition("#")[0], _ACCEPT, limit=LIMIT)


def _read(
    answers: Mapping[str, Response],
    by_page: Mapping[str, Sequence[str]],
    context: Context,
    rest_s: float | None,
) -> tuple[dict[str, PageText | Unread], float]:
    """Reads the texts of pages from the responses. Also returns the seconds that remain for reading
    further HTML pages."""
    now, rest_s = time.time(), TOTAL_S if rest_s is None else rest_s
    found: dict[str, PageText | Unread] = {}
    html: dict[str, HtmlPage] = {}
    for page, answer in answers.items():
        body = _body(answer, context)
        if isinstance(body, str):
            found |= {url: Unread(f"not read: {body}") for url in by_page[page]}
        elif body.form == "html":
            html[page] = HtmlPage(body.text, tuple(_anchor(url) for url in by_page[page]))
        else:
            found |= dict.fromkeys(by_page[page], _plain(body.text, now))
    begun = time.monotonic()
    for page, read in zip(html, read_html_pages(list(html.values()), rest_s), strict=True):
        for index, url in enumerate(by_page[page]):
            if isinstance(read, str):
                found[url] = Unread(f"not read: {read}")
            else:
                found[url] = _page(read.parts[index], read.title, now)
    return found, rest_s - (time.monotonic() - begun)


def _body(answer: Response, context: Context) -> Body | str:
    if answer.failure or not 200 <= answer.status < 300:
        return "the network budget is spent" if answer.failure is Failure.BUDGET else answer.reason
    vouched = context.config.network.witness_hosts
    if any(is_open(hop, vouched) for hop in answer.trail):
        return "anyone can publish on this host, so the page proves nothing"
    if context.config.only_witness_hosts and not all(is_vouched(h, vouched) for h in answer.trail):
        return "the host is not in network.witness_hosts, so the page proves nothing"
    return read_body(answer.body, answer.headers)


def _anchor(url: str) -> str:
    """Returns the anchor of a URL. Returns an empty string for a text fragment and for a route of a
    script."""
    anchor = unquote(url.partition("#")[2]).partition(":~:")[0]
    return "" if anchor.startswith(("/", "!")) else anchor[:200]


def _plain(text: str, now: float) -> PageText | Unread:
    if len(text) > TEXT_LIMIT:
        text = text[: text.rfind("\n", 0, TEXT_LIMIT) + 1]
    return _page(text.strip("\n"), "", now)


def _page(text: str, title: str, now: float) -> PageText | Unread:
    return PageText(text, title, now) if text.strip() else Unread(f"not read: {_EMPTY}")
