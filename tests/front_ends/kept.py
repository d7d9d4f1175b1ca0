"""Send requests through the library as the server does, and read what it kept of them."""

from __future__ import annotations

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.stored import texts_of

CTX = NullContext()
TURNS = [
    ("Good evening, is the tavern still open?", "Alice nods and puts a candle on the counter."),
    ("I heard a bell on the bridge.", "She stops drying the glass. “That was no bell.”"),
    ("What was it then?", "“The lock of the old tower, when the river rises.”"),
    ("Then somebody went in there tonight.", "Alice takes the copper key from its nail."),
]


def ask(memory, body, reply, path_chat=""):
    """Send a request and its reply through."""
    request = memory.serving.read(body, path_chat=path_chat)
    identity = memory.serving.identify(CTX, request)
    kept = memory.serving.keep_request(CTX, request, identity)
    return identity, memory.serving.keep_reply(CTX, kept, reply)


def texts(memory, line):
    return texts_of(memory, line)


def only_line(memory):
    chats = memory.chats.all()
    assert len(chats) == 1, [chat.name for chat in chats]
    return Line.main(chats[0].chat_id)
