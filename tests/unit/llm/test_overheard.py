"""The reply is read from the bytes that passed, in whatever shape they came."""

from __future__ import annotations

import gzip
import json
import zlib

import pytest

from engram_desktop.llm.overheard import NOTHING_HEARD, Overheard, overheard

SSE = "text/event-stream; charset=utf-8"
JSON = "application/json"


def piece(text, **fields):
    choice = {"index": 0, "delta": {"content": text}, **fields}
    return "data: " + json.dumps({"choices": [choice]}, ensure_ascii=False)


STOP = piece("", finish_reason="stop")


@pytest.mark.parametrize(
    "body",
    [
        f"{piece('你')}\n\n{piece('好')}\n\ndata: [DONE]\n\n",
        f"{piece('你')}\r\n\r\n: ping\r\n\r\n{piece('好')}\r\n\r\ndata: [DONE]",
        f"\ufeffevent: x\nid: 1\n{piece('你')}\n{piece('好')}\n{STOP}\n",
        f"{piece('你')}\n\n{piece('x', index=1)}\n\n{piece('好')}\n\n{STOP}",
        f'{piece("你好")}\n\ndata: {{"choices":[],\ndata:  "usage":{{}}}}\n\ndata:[DONE]\n\n',
    ],
)
def test_pieces_are_put_together(body):
    heard = overheard(body.encode(), SSE)
    assert heard.text == "你好"
    assert heard.is_whole


@pytest.mark.parametrize(
    "body",
    [
        f"{piece('half')}\n\n",
        f"{piece('half')}\n\ndata: {{\n\n",
        f'{piece("a")}\n\ndata: {{"error":{{"message":"x"}}}}\n\ndata: [DONE]\n\n',
        "",
    ],
)
def test_a_stream_that_broke_off_is_not_whole(body):
    assert not overheard(body.encode(), SSE).is_whole


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ({"choices": [{"message": {"content": "hi"}, "finish_reason": "stop"}]}, "hi"),
        ({"choices": [{"text": "hi", "finish_reason": "length"}]}, "hi"),
        ({"choices": [{"message": {"content": [{"type": "text", "text": "hi"}]}}]}, "hi"),
        ({"choices": [{"index": 1}, {"index": 0, "message": {"content": "hi"}}]}, "hi"),
    ],
)
def test_a_whole_body_is_read(body, text):
    raw = json.dumps(body).encode()
    assert overheard(raw, JSON).text == text
    assert overheard(gzip.compress(raw), JSON, "gzip").text == text
    assert overheard(zlib.compress(raw), JSON, "deflate").text == text


@pytest.mark.parametrize(
    ("body", "kind", "packing"),
    [
        (b"<html>", "text/html", ""),
        (b"\xff\xfe\x00", JSON, ""),
        (b"[" * 100_000, JSON, ""),
        (b"{}", JSON, "br"),
        (b"not packed", JSON, "gzip"),
        (json.dumps({"choices": "x"}).encode(), JSON, ""),
        (json.dumps({"choices": [{"message": 1}]}).encode(), JSON, ""),
        (gzip.compress(b" " * 20_000_000), JSON, "gzip"),
    ],
)
def test_what_cannot_be_read_is_no_reply(body, kind, packing):
    heard = overheard(body, kind, packing)
    assert heard in (NOTHING_HEARD, Overheard("", "", is_whole=True))


def test_half_an_emoji_is_mended():
    body = (
        f'{piece("x")}\n\ndata: {{"choices":[{{"delta":{{"content":"\\ud83d"}}}}]}}\n\ndata: [DONE]'
    )
    assert overheard(body.encode(), SSE).text == "x\ufffd"
