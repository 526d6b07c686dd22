"""Bodies of answers: types, packings and encodings that are read, and their bounds."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from grounded_ingest.net.body_text import LIMIT, Body, read_body

RAW_DEFLATE = zlib.compress(b"thin")[2:-4]


def read(content: bytes, kind: str, **headers: str) -> Body | str:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return read_body(content, {"content-type": kind, **named})


@pytest.mark.parametrize(
    ("content", "kind", "text"),
    [
        ("café".encode(), "text/plain", "café"),
        ("café".encode("latin-1"), "text/plain", "café"),
        ("café".encode("latin-1"), "text/plain; charset=ISO-8859-1", "café"),
        ("“5 €”".encode("cp1252"), 'text/plain; charset="latin1"', "“5 €”"),
        ("порт".encode("koi8-r"), "text/plain;charset=KOI8-R", "порт"),
        ("港".encode("shift_jis"), "text/plain; charset=Shift_JIS", "港"),
        (b"caf\xe9 ok", "text/plain; charset=utf-8", "caf\ufffd ok"),
        (b"\xef\xbb\xbfmarked", "text/plain; charset=koi8-r", "marked"),
        ("wide".encode("utf-16"), "text/plain", "wide"),
        (b" " * (LIMIT - 1) + "é".encode()[:1], "text/plain", " " * (LIMIT - 1)),
        (b"plain", "text/plain; charset=unicode_escape", "plain"),
        (b"\\u0041", "text/plain; charset=raw_unicode_escape", "\\u0041"),
        (b"+AEE-", "text/plain; charset=utf-7", "+AEE-"),
        (b"plain", "text/plain; charset=zip", "plain"),
        (b"plain", "text/plain; charset=nonsense", "plain"),
        (b"a\r\nb\rc\0\x1b", "text/markdown", "a\nb\nc"),
        (b"<meta charset=iso-8859-2><p>\xe8", "text/html", "<meta charset=iso-8859-2><p>č"),
        (b"<META http-equiv=x content='text/html; charset=koi8-r'>\xc1", "TEXT/HTML", "<META http-equiv=x content='text/html; charset=koi8-r'>а"),
        (b'<meta charset="utf-16">ok', "application/xhtml+xml", '<meta charset="utf-16">ok'),
    ],
)  # fmt: skip
def test_encodings(content: bytes, kind: str, text: str) -> None:
    body = read(content, kind)
    assert isinstance(body, Body)
    assert body.text == text


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        ("application/pdf", "the content type application/pdf is not supported"),
        ("image/svg+xml; charset=utf-8", "the content type image/svg+xml is not supported"),
        ("", "it has no content type"),
    ],
)
def test_other_kinds_are_not_read(kind: str, reason: str) -> None:
    assert read(b"x", kind) == reason


@pytest.mark.parametrize(
    ("content", "packing", "text"),
    [
        (gzip.compress(b"thin", mtime=0), "gzip", "thin"),
        (gzip.compress(b"thin", mtime=0), "X-GZip", "thin"),
        (zlib.compress(b"thin"), "deflate", "thin"),
        (RAW_DEFLATE, "deflate", "thin"),
        (b"thin", "identity", "thin"),
        (gzip.compress(b"thin" * 9, mtime=0)[:-12], "gzip", None),
    ],
)
def test_packed_bodies(content: bytes, packing: str, text: str | None) -> None:
    body = read(content, "text/plain", content_encoding=packing)
    assert isinstance(body, Body)
    assert body.text == text if text else "thin".startswith(body.text[:4])


@pytest.mark.parametrize("packing", ["br", "zstd", "gzip, gzip"])
def test_other_packings_are_not_read(packing: str) -> None:
    found = read(b"x", "text/plain", content_encoding=packing)
    assert found == f"the compression {packing} is not supported"
    assert isinstance(read(b"no gzip", "text/plain", content_encoding="gzip"), str)


def test_a_bomb_unfolds_to_the_limit() -> None:
    bomb = gzip.compress(b"0" * 50_000_000, 9, mtime=0)
    body = read(bomb, "text/plain", content_encoding="gzip")
    assert isinstance(body, Body)
    assert len(body.text) == LIMIT


@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b'{"port":8443,"hosts":["a"]}', '{\n  "port": 8443,\n  "hosts": [\n    "a"\n  ]\n}'),
        (b"{not json", "{not json"),
        (b"[" * 100_000, "[" * 100_000),
        (b'{"a":"]]]}}{[[[' + b"[" * 200 + b'"}', '{\n  "a": "]]]}}{[[[' + "[" * 200 + '"\n}'),
    ],
)
def test_json_is_laid_out_in_lines(content: bytes, text: str) -> None:
    assert read(content, "application/json") == Body("json", text)


def test_json_that_nests_deep_stays_as_it_is() -> None:
    deep = "[" * 900 + ",".join("1" * 1000) + "]" * 900
    assert json.loads(deep)
    assert read(deep.encode(), "application/json") == Body("json", deep)
