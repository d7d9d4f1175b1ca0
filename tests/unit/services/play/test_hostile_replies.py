"""Replies that no well-meaning model would give: nothing of them breaks a chat."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import BadAnswer, LlmError
from engram_desktop.jobs.context import NullContext

CTX = NullContext()


@pytest.mark.parametrize(
    ("answer", "reply"),
    [
        ("<reply>😀😀😀</reply>", "😀😀😀"),
        ("<reply>\ud83d half</reply>", "� half"),
        ("<script>alert(1)</script><reply>ok</reply>", "<script>alert(1)</script>ok"),
        ("<state_update>" + "[" * 5_000 + "</state_update>ok", "ok"),
        (
            '<state_update>[{"op":"add","path":"' + "a." * 500 + '","value":1}]</state_update>ok',
            "ok",
        ),
        ('<state_update>[{"op":"add","path":"a","value":1e999}]</state_update>ok', "ok"),
        ("<record_event>" + "<summary>" * 2_000 + "</record_event>ok", "ok"),
        ('<state_update>[{"op":"remove","path":"/$schema"}]</state_update>ok', "ok"),
        ("ok\x00ok", "okok"),
    ],
)
def test_what_a_model_says_is_kept_as_text_and_nothing_more(memory, server, line, answer, reply):
    server.answer = lambda body: answer
    turn = memory.play.send(CTX, line, "你好吗？")
    assert turn.reply.replace("��", "�") == reply
    assert memory.play.notes(line, 2, 2)[2] == turn.note
    assert [rule.high for rule in memory.play.rules(line) if rule.path[-1] == "affinity"] == [100]
    memory.state.history(CTX, line)


@pytest.mark.parametrize("answer", ["", "<thought>只想不说。</thought>", "  \n"])
def test_a_reply_without_words_is_none(memory, server, line, answer):
    server.answer = lambda body: answer
    with pytest.raises(BadAnswer):
        memory.play.send(CTX, line, "你好吗？")
    assert memory.messages.count(line) == 2


def test_a_long_reply_is_kept_whole(memory, server, line):
    story = "".join(f"第{n}句。" for n in range(50_000))
    server.answer = lambda body: f"<reply>{story}</reply>"
    assert memory.play.send(CTX, line, "讲个长故事吧。").reply == story


def test_calls_of_tools_that_say_nothing_are_left_out(memory, server, line, state_of):
    server.calls = lambda body: [
        ("update_vwd", []),
        ("update_vwd", {"ops": "no list"}),
        ("update_vwd", {"ops": [{"op": "burn", "path": "a"}, {"path": ""}, 7, {"op": "add"}]}),
        ("update_vwd", {"path": "character.affinity", "op": "add", "value": "+2"}),
        ("delete_everything", {"really": True}),
        ("expression", {"name": "smile"}),
        ("expression", "smile"),
    ]
    server.answer = lambda body: "好。"
    turn = memory.play.send(CTX, line, "你好吗？")
    assert state_of(line, "character.affinity") == 42
    assert turn.note.expression == "smile"


def test_a_server_that_fails_says_so(memory, server, line):
    server.faults += ["in-band"]
    with pytest.raises(LlmError):
        memory.play.send(CTX, line, "你好吗？")
    assert memory.messages.count(line) == 2
    server.answer = lambda body: "好。"
    assert memory.play.reply(CTX, line).floor == 2
    messages = json.dumps(server.bodies()[-1]["messages"], ensure_ascii=False)
    assert messages.count("你好吗？") == 1
