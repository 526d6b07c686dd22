"""Decodes the bodies of responses: checks the content type, decompresses the bytes and decodes the
characters."""

from __future__ import annotations

import codecs
import itertools
import re
import zlib
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from grounded_ingest.model.digests import NOT_JSON
from grounded_ingest.text.lexicon import page_elements
from grounded_ingest.text.patterns import compiled

TEXT_LIMIT = 262_144
"""Maximum number of characters of a text that is kept."""


LIMIT = 1_000_000
"""Maximum number of bytes of a body that are read, before and after decompression."""

BodyKind = Literal["html", "text", "json"]

FORMS: dict[str, BodyKind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "text",
    "text/markdown": "text",
    "text/x-markdown": "text",
    "application/json": "json",
}
_ENCODINGS = (
    "utf-8 utf-16 utf-16-le utf-16-be ascii cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 "
    "cp1257 cp1258 cp874 cp866 iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 "
    "iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-13 iso8859-14 iso8859-15 iso8859-16 "
    "koi8-r koi8-u mac-roman gb18030 gbk gb2312 big5 euc_jp shift_jis iso2022_jp euc_kr"
)
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_CHARSET = compiled(r"charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", 2)
_META = compiled(r"<meta\b[^>]{0,300}?charset\s*=\s*[\"']?\s*([\w.:-]{1,40})", 2)
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*"')
_DEEPEST = 64
_UNSEEN = compiled(page_elements.UNSEEN_CHARACTERS)


class Body(NamedTuple):
    """The decoded text of a response, and its format."""

    form: BodyKind
    text: str


def read_body(content: bytes, headers: Mapping[str, str]) -> Body | str:
    """Returns the decoded body. Returns a reason as a string if the body cannot be read."""
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    form = FORMS.get(kind)
    if form is None:
        return (
            f"the content type {kind[:60]} is not supported" if kind else "it has no content type"
        )
    packing = headers.get("content-encoding", "").strip().lower()
    plain = unpack(content, packing)
    if plain is None:
        return f"the compression {packing[:20]} is not supported"
    text = _decode(plain, headers.get("content-type", ""), form)
    if form == "html":
        return Body(form, text)
    text = _UNSEEN.sub("", text).replace("\r\n", "\n").replace("\r", "\n")
    if form == "json":
        return Body(form, _indent_json(text))
    return Body(form, text)


def unpack(content: bytes, packing: str) -> bytes | None:
    """Returns at most LIMIT bytes of the decompressed body. Returns None if the body cannot be
    decompressed."""
    if packing in ("", "identity"):
        return content
    if packing not in ("gzip", "x-gzip", "deflate"):
        return None
    for bits in (47, -15) if packing == "deflate" else (47,):
        try:
            return zlib.decompressobj(bits).decompress(content, LIMIT)
        except zlib.error:
            continue
    return None


def _decode(content: bytes, content_type: str, form: BodyKind) -> str:
    marked = next((name for mark, name in _MARKS if content.startswith(mark)), "")
    if name := marked or _encoding_of(_CHARSET.search(content_type)):
        return content.decode(name, "replace")
    if form == "html":
        name = _encoding_of(_META.search(content[:2048].decode("latin-1")))
    if name and not name.startswith("utf-16"):  # a UTF-16 page has no readable <meta> label
        return content.decode(name, "replace")
    try:  # a body that was cut at the limit may end inside a character
        whole = len(content) < LIMIT
        return codecs.getincrementaldecoder("utf-8")().decode(content, final=whole)
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


def _encoding_of(found: re.Match[str] | None) -> str:
    """Returns the encoding for a label. Returns an empty string for an unknown label. Some of
    Python's codecs are not text encodings and are unknown too."""
    if found is None:
        return ""
    try:
        name = codecs.lookup(found[1]).name
    except LookupError:
        return ""
    if name in ("ascii", "iso8859-1"):
        return "cp1252"  # the WHATWG Encoding Standard requires cp1252 for these labels
    return name if name in _ENCODINGS.split() else ""


def _indent_json(text: str) -> str:
    """Returns JSON with one line for each value. Returns the text unchanged if it is not JSON or is
    nested too deeply."""
    raw = text.encode("utf-8", "replace")
    opened = (1 if c in b"[{" else -1 if c in b"]}" else 0 for c in _STRING.sub(b"", raw))
    if max(itertools.accumulate(opened), default=0) > _DEEPEST:
        return text
    try:
        return msgspec.json.format(raw, indent=2).decode()
    except NOT_JSON:
        return text
