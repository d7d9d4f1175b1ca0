"""The face of serving: read, identify, keep; the rest is in the files beside this one."""

from __future__ import annotations

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_chat, make_message, story_rows

CTX = NullContext()


def test_next_message_and_its_reply_are_kept(memory):
    store = make_chat(memory.session.library, "酒馆")
    rows = story_rows(9)
    store.messages.append("main", 0, [make_message(text, name) for name, text in rows])
    said = [
        {"role": "user" if name == "旅人" else "assistant", "content": text} for name, text in rows
    ]
    body = {"messages": [{"role": "system", "content": "演爱丽丝。"}, *said[3:]]}
    body["messages"].append({"role": "user", "content": "钥匙呢？"})

    request = memory.serving.read(body)
    identity = memory.serving.identify(CTX, request)
    assert identity.line == Line.main(store.chat_id)
    assert (identity.visible_from, identity.until, identity.speaker) == (3, 8, "爱丽丝")
    kept = memory.serving.keep_request(CTX, request, identity)
    memory.serving.keep_reply(CTX, kept, "在你手里。")

    newest = memory.messages.slice(Line.main(store.chat_id), 9, 20)
    assert [(m.role, m.text) for m in newest] == [
        ("user", "钥匙呢？"),
        ("assistant", "在你手里。"),
    ]
