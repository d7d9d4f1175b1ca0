"""Turns of a played chat, and replies that harm nothing."""

from __future__ import annotations

import json
import threading

import pytest

from engram_desktop.cli.verb import CliContext
from engram_desktop.domain.errors import (
    BadAnswer,
    InputError,
    LlmError,
    NotConfigured,
    NotFound,
    ServerError,
)
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.play import RecordedEvent, SceneMember
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.state.rules import StateRule, rule_fields
from engram_desktop.domain.state.tree import StateOp
from engram_desktop.jobs.context import Cancelled, NullContext

# Turns against a real server: by tags and by tools, stopped, continued, asked for again.

CTX = NullContext()
PAT = "*摸摸头* 乖哦~"
DATE = "*带你去水族馆看企鹅*"
ADD = '<state_update>[{"op":"add","path":"character.affinity","value":%d}]</state_update>'
RECORD = (
    "<record_event><type>date</type><summary>去水族馆看了企鹅。</summary>"
    "<participants>player, 爱丽丝</participants></record_event>"
)


def answers(server, *texts):
    """Let the server answer with these, the last one ever after."""
    left = list(texts)
    server.answer = lambda body: left.pop(0) if len(left) > 1 else left[0]


def system_of(body):
    return "\n".join(m["content"] for m in body["messages"] if m["role"] == "system")


def test_a_chat_begins_with_the_greeting_and_its_alternates(memory, cards):
    assert memory.play.greetings(cards[:1], "旅人") == ["欢迎，旅人。", "又是您呀，旅人。"]
    line = memory.play.start(CTX, cards[:1], player="旅人", greeting=1).line
    assert memory.messages.slice(line, 0, 0)[0].text == "又是您呀，旅人。"
    assert memory.play.swipes(line, 0).texts == ["欢迎，旅人。", "又是您呀，旅人。"]
    memory.play.swipe(line, 0, 0)
    assert memory.messages.slice(line, 0, 0)[0].text == "欢迎，旅人。"
    assert memory.play.scene(line).members == (SceneMember("爱丽丝", cards[0]),)
    with pytest.raises(InputError):
        memory.play.start(CTX, [])


def test_a_chat_in_which_nobody_has_the_name_is_not_begun(memory, cards):
    with pytest.raises(NotFound):
        memory.play.start(CTX, cards[:1], speaker="谁")
    with pytest.raises(NotFound):
        memory.play.start_scripted(CTX, "headpat", "zh", "谁")
    assert not memory.chats.all()
    assert memory.play.start(CTX, cards[:1], speaker="爱丽丝").line


@pytest.mark.parametrize("wish", ["tags", "tools", "auto"])
def test_a_head_pat_changes_numbers_only(memory, server, line, state_of, events_of, wish):
    memory.settings.set("play.tools", wish)
    text = f"<thought>好感度+1。</thought>{ADD % 1}{RECORD}<reply>嘿嘿...好痒...</reply>"
    if wish != "tags":
        text = "嘿嘿...好痒..."
        ops = [{"op": "add", "path": "character.affinity", "value": "1"}]
        server.calls = lambda body: [("update_vwd", {"ops": ops})]
    answers(server, text)
    turn = memory.play.send(CTX, line, PAT)
    assert turn.reply == "嘿嘿...好痒..."
    assert turn.note.level == "ROUTINE"
    assert state_of(line, "character.affinity") == 41
    assert state_of(line, "interaction_stats.headpat_count") == 1
    assert events_of(line) == []
    assert [c.new for c in turn.note.state] == [41, 1]
    (body,) = server.bodies()
    assert body["max_tokens"] > 0
    assert "一两句话" in system_of(body)
    assert "对话示例" not in system_of(body)
    assert [tool["function"]["name"] for tool in body.get("tools", [])] == (
        [] if wish == "tags" else ["update_vwd"]
    )
    assert turn.note.tool_way == ("tags" if wish == "tags" else "tools")
    assert turn.note.prompt_tokens > 0


@pytest.mark.parametrize("wish", ["tags", "tools"])
def test_a_date_leaves_one_event(memory, server, line, events_of, state_of, wish):
    memory.settings.set("play.tools", wish)
    text = f"<thought>约会。</thought>{RECORD}<trigger_flag>met</trigger_flag><reply>企鹅！</reply>"
    if wish == "tools":
        text = "企鹅！"
        server.calls = lambda body: [
            ("record_event", {"type": "date", "summary": "去水族馆看了企鹅。", "participants": []}),
            ("trigger_flag", {"flag": "met"}),
        ]
    answers(server, text)
    turn = memory.play.send(CTX, line, DATE)
    (event,) = events_of(line)
    assert turn.note.level == "EVENT"
    assert (event.summary, event.structured_kv.event) == ("去水族馆看了企鹅。", "date")
    assert set(event.participants) == {"旅人", "爱丽丝"}
    assert turn.note.event_pk == event.pk
    assert state_of(line, "flags.met") is True
    assert not memory.messages.slice(line, 2, 2)[0].is_routine
    tools = [tool["function"]["name"] for tool in server.bodies()[0].get("tools", [])]
    assert tools == ([] if wish == "tags" else ["record_event", "trigger_flag"])


def test_an_endpoint_without_tools_gets_tags_from_then_on(memory, server, line):
    server.faults.append("no-tools")
    answers(server, "<reply>好。</reply>")
    assert memory.play.send(CTX, line, "你好吗？").note.tool_way == "tags"
    server.faults.clear()
    assert memory.play.send(CTX, line, "今天呢？").note.tool_way == "tags"
    assert ["tools" in body for body in server.bodies()] == [True, False, False]
    memory.settings.set("play.tools", "tools")
    server.faults.append("no-tools")
    with pytest.raises(ServerError):
        memory.play.send(CTX, line, "再说一次。")
    assert memory.messages.slice(line, 5, 5)[0].text == "再说一次。", "what was said is kept"


def test_a_model_that_calls_tools_first_is_asked_for_its_words(memory, server, line, state_of):
    ops = [{"op": "add", "path": "character.affinity", "value": 2}]
    server.calls = lambda body: [("update_vwd", {"ops": ops})]
    server.answer = lambda body: "好呀。" if body.get("tool_choice") == "none" else ""
    turn = memory.play.send(CTX, line, "你好吗？")
    assert turn.reply == "好呀。"
    assert state_of(line, "character.affinity") == 42
    assert server.bodies()[1]["messages"][-1]["role"] == "tool"


def test_the_prompt_of_talk_holds_card_state_and_history_and_no_thought(memory, server, line):
    answers(server, f"<thought>秘密。</thought>{ADD % 3}<reply>我很好。</reply>")
    memory.play.send(CTX, line, "你好吗？")
    memory.play.send(CTX, line, "那就好，今天想聊什么？")
    body = server.bodies()[1]
    text = json.dumps(body["messages"], ensure_ascii=False)
    assert "秘密" not in text
    assert "爱丽丝是月光酒馆的女仆，喜欢旅人。" in text
    assert "character.affinity: 43 (好感度 [0,100])" in text
    roles = [(m["role"], m["content"]) for m in body["messages"] if m["role"] != "system"]
    assert roles == [
        ("assistant", "欢迎，旅人。"),
        ("user", "你好吗？"),
        ("assistant", "我很好。"),
        ("user", "那就好，今天想聊什么？"),
    ]


def test_directives_of_a_model_reach_the_prompt(memory, server, line):
    memory.settings.set("play.triage", "model")
    verdict = {
        "intent": "headpat_loop",
        "level": "ROUTINE",
        "reasoning": "repetitive",
        "directives": {"style": "short_cute", "forbidden_topics": "past_trauma"},
    }
    answers(server, json.dumps(verdict), "<reply>嘿嘿。</reply>")
    note = memory.play.send(CTX, line, "（轻轻碰了碰她的头发）").note
    assert (note.level, note.level_by, note.level_why) == ("ROUTINE", "model", "repetitive")
    assert "不要涉及: past_trauma" in system_of(server.bodies()[1])
    assert "风格: short_cute" in system_of(server.bodies()[1])


def test_a_light_model_that_fails_leaves_it_to_the_rules(memory, server, line):
    memory.settings.set("play.triage", "model")
    answers(server, "prose", "<reply>嘿嘿。</reply>")
    note = memory.play.send(CTX, line, PAT).note
    assert (note.level, note.level_by) == ("ROUTINE", "rules")
    assert "(" in note.level_why


def test_the_level_may_be_given_by_hand(memory, server, line, events_of):
    answers(server, f"{RECORD}<reply>嗯。</reply>")
    note = memory.play.send(CTX, line, PAT, level="EVENT").note
    assert (note.level, note.level_by) == ("EVENT", "hand")
    assert len(events_of(line)) == 1


def test_a_stopped_reply_ends_where_it_is(memory, server, line, state_of):
    server.faults.append("half")
    answers(server, f"<reply>一二三四五六七八九十</reply>{ADD % 5}" + " " * 20)
    result = []
    thread = threading.Thread(target=lambda: result.append(memory.play.send(CTX, line, "数数。")))
    thread.start()
    assert server.halfway.wait(10)
    threading.Event().wait(0.2)
    assert memory.play.stop(line)
    thread.join(10)
    turn = result[0]
    assert turn.note.ending == "stopped"
    assert "一二三四五六七八九十".startswith(turn.reply.split("<")[0].strip())
    assert memory.messages.slice(line, 2, 2)[0].text == turn.reply
    assert state_of(line, "character.affinity") == 40
    assert not memory.play.stop(line)


def test_nothing_is_kept_where_no_text_had_come(memory, server, line):
    server.faults.append("hang")
    result = []
    thread = threading.Thread(target=lambda: result.append(memory.play.send(CTX, line, "数数。")))
    thread.start()
    assert server.arrived.wait(10)
    assert memory.play.stop(line)
    thread.join(10)
    assert result[0].floor is None
    assert memory.messages.count(line) == 2


def test_a_cancelled_job_keeps_what_came_too(memory, server, line):
    server.faults.append("half")
    answers(server, "<reply>一二三四五六七八九十</reply>")
    ctx, raised = CliContext(), []

    def play():
        try:
            memory.play.send(ctx, line, "数数。")
        except Cancelled:
            raised.append(True)

    thread = threading.Thread(target=play)
    thread.start()
    assert server.halfway.wait(10)
    threading.Event().wait(0.2)
    ctx.token.cancel()
    thread.join(10)
    assert raised == [True]
    reply = memory.messages.slice(line, 2, 2)[0].text
    assert reply
    assert "一二三四五六七八九十".startswith(reply)
    assert memory.play.notes(line, 2, 2)[2].ending == "stopped"


def test_a_broken_connection_keeps_what_came(memory, server, line):
    server.faults.append("broke-off")
    answers(server, "<reply>一二三四五</reply>")
    turn = memory.play.send(CTX, line, "数数。")
    assert (turn.reply, turn.note.ending) == ("一二三四五", "cut")
    assert turn.note.notices
    assert len(server.bodies()) == 1, "what was begun to be heard is not asked for again"


def test_a_reply_is_continued(memory, server, line, state_of, events_of):
    answers(server, f"{ADD % 1}<reply>我想</reply>", f" {RECORD}{ADD % 2}<reply>和你走。</reply>")
    memory.play.send(CTX, line, "你想做什么？", level="EVENT")
    turn = memory.play.go_on(CTX, line)
    assert turn.reply == "我想 和你走。"
    assert state_of(line, "character.affinity") == 43
    assert len(turn.note.state) == 2
    assert len(events_of(line)) == 1
    assert memory.messages.count(line) == 3
    assert "不要重复" in server.bodies()[1]["messages"][-1]["content"]


def test_rerolled_replies_are_swipes_each_with_what_it_left(
    memory, server, line, state_of, events_of
):
    answers(server, f"{RECORD}{ADD % 1}<reply>一</reply>", f"{ADD % 7}<reply>二</reply>")
    memory.play.send(CTX, line, DATE)
    first = events_of(line)
    turn = memory.play.reroll(CTX, line)
    assert turn.note.swipe == 1
    assert events_of(line) == []
    assert state_of(line, "character.affinity") == 47
    assert [m["content"] for m in server.bodies()[1]["messages"]][-1] == DATE
    assert memory.play.swipes(line, 2).texts == ["一", "二"]
    memory.play.swipe(line, 2, 0)
    assert [e.summary for e in events_of(line)] == [e.summary for e in first]
    assert state_of(line, "character.affinity") == 41
    assert memory.play.notes(line, 2, 2)[2].swipe == 0
    assert memory.play.notes(line, 2, 2)[2].event_pk == events_of(line)[0].pk
    memory.history.undo(line.chat_id)
    assert state_of(line, "character.affinity") == 47
    assert events_of(line) == []
    with pytest.raises(InputError):
        memory.play.swipe(line, 2, 2)


def test_an_edit_keeps_the_numbers_and_takes_the_event(memory, server, line, state_of, events_of):
    answers(server, f"{RECORD}{ADD % 1}<reply>一</reply>")
    memory.play.send(CTX, line, DATE)
    memory.play.edit(line, 2, "别的。")
    assert memory.messages.slice(line, 2, 2)[0].text == "别的。"
    assert state_of(line, "character.affinity") == 41
    assert events_of(line) == []
    memory.play.delete_last(line)
    assert state_of(line, "character.affinity") == 40
    memory.history.undo(line.chat_id)
    memory.history.undo(line.chat_id)
    assert len(events_of(line)) == 1


def test_deleting_the_message_takes_its_event(memory, server, line, state_of, events_of):
    answers(server, f"{RECORD}{ADD % 1}<reply>一</reply>")
    memory.play.send(CTX, line, DATE)
    memory.play.delete_last(line)
    assert events_of(line) == []
    assert state_of(line, "character.affinity") == 40
    assert memory.play.reply(CTX, line).reply == "一"
    assert len(events_of(line)) == 1


def test_a_fork_goes_its_own_way(memory, server, line, state_of, events_of):
    answers(server, f"{ADD % 1}<reply>一</reply>", f"{RECORD}{ADD % 2}<reply>二</reply>")
    memory.play.send(CTX, line, "你好吗？")
    fork = memory.play.fork(line, 2, "另一条").line
    memory.play.send(CTX, fork, DATE)
    assert (state_of(line, "character.affinity"), state_of(fork, "character.affinity")) == (41, 43)
    assert (len(events_of(line)), len(events_of(fork))) == (0, 1)
    assert memory.play.notes(fork, 0, 9).keys() == {2, 4}
    memory.play.delete_last(fork, 3)
    assert memory.messages.count(line) == 3
    answers(server, f"{ADD % 9}<reply>三</reply>")
    shared = memory.play.fork(line, 2).line
    memory.play.reroll(CTX, shared)
    assert state_of(line, "character.affinity") == 41
    assert state_of(shared, "character.affinity") == 49


def test_what_a_turn_left_can_be_corrected(memory, server, line, state_of, events_of):
    answers(server, f"{RECORD}{ADD % 1}<reply>一</reply>")
    memory.play.send(CTX, line, PAT)
    assert events_of(line) == []
    memory.play.correct_level(line, 2, "EVENT")
    assert [e.summary for e in events_of(line)] == ["去水族馆看了企鹅。"]
    assert not memory.messages.slice(line, 1, 1)[0].is_routine
    with pytest.raises(KeyError):
        state_of(line, "interaction_stats.headpat_count")
    memory.play.correct_state(line, 2, [StateOp("add", ("character", "affinity"), 500)])
    assert state_of(line, "character.affinity") == 100
    assert memory.play.notes(line, 2, 2)[2].state[0].new == 100
    memory.play.correct_event(line, 2, RecordedEvent("别的事。", "talk", ("爱丽丝",)))
    assert [e.summary for e in events_of(line)] == ["别的事。"]
    memory.play.correct_event(line, 2, None)
    assert events_of(line) == []
    memory.play.correct_level(line, 2, "ROUTINE")
    assert state_of(line, "interaction_stats.headpat_count") == 1
    for _step in range(5):
        memory.history.undo(line.chat_id)
    assert state_of(line, "character.affinity") == 41
    assert memory.play.notes(line, 2, 2)[2].level == "ROUTINE"


def test_routine_is_not_recalled_and_may_become_more(memory, server, line):
    def recalled(text):
        hits = memory.recall.ask(CTX, line.chat_id, RecallQuery(text, kinds=("turn",))).hits
        return {hit.item.start_index for hit in hits}

    store = memory.session.chat(line.chat_id)
    answers(server, "<reply>嘿嘿，好痒。</reply>")
    memory.play.send(CTX, line, PAT)
    answers(server, "<reply>铜钥匙在我这里。</reply>")
    memory.play.send(CTX, line, "铜钥匙在谁那里？")
    assert not recalled("摸摸头 好痒") & {1, 2}
    assert recalled("铜钥匙") >= {3, 4}
    assert store.items.faults() == 0
    memory.play.correct_level(line, 2, "EVENT")
    assert recalled("摸摸头 好痒") >= {1, 2}
    assert store.items.faults() == 0
    memory.play.edit(line, 1, "*再摸摸头*")
    memory.play.correct_level(line, 2, "ROUTINE")
    memory.play.edit(line, 1, "*又摸摸头*")
    assert not recalled("摸摸头 好痒") & {1, 2}
    assert store.items.faults() == 0
    assert all(finding.is_ok for finding in memory.care.doctor(CTX))


def test_rules_of_a_scene_bound_what_replies_do(memory, server, line, state_of):
    store = memory.session.chat(line.chat_id)
    rule = StateRule(("trust",), "integer", -5, 5, initial=0, meaning="信任")
    with store.database.writing():
        store.turn_notes.put_rule("/trust", json.dumps(rule_fields(rule), ensure_ascii=False))
    answers(server, '<state_update>[{"op":"add","path":"trust","value":9}]</state_update>好。')
    turn = memory.play.send(CTX, line, "你好吗？")
    assert state_of(line, "trust") == 5
    assert str(turn.note.notices[0]) == "trust cannot be 9: it is 5"


def test_a_scene_of_two_takes_turns(memory, server, cards):
    line = memory.play.start(CTX, cards, player="旅人").line
    assert [m.name for m in memory.play.scene(line).members] == ["爱丽丝", "鲍勃"]
    assert memory.play.scene(line).next_speaker == "鲍勃"
    assert memory.play.scene(line, "爱丽丝，你怎么看？").next_speaker == "爱丽丝"
    answers(server, "<reply>嗯。</reply>")
    assert memory.play.send(CTX, line, "大家好。").note.speaker == "鲍勃"
    assert memory.play.reply(CTX, line).note.speaker == "爱丽丝"
    assert memory.play.send(CTX, line, "谁来？", speaker="鲍勃").note.speaker == "鲍勃"
    body = server.bodies()[0]
    assert "鲍勃是酒馆的厨师。" in system_of(body)
    assert body["messages"][-1] == {
        "role": "user",
        "content": "爱丽丝: 欢迎，旅人。\n\n旅人: 大家好。",
    }


def test_a_chat_of_the_library_is_gone_on_with(memory, server, tmp_path, state_of):
    rows = [
        {"user_name": "U", "character_name": "C", "chat_metadata": {}},
        {"name": "旅人", "is_user": True, "mes": "你好。"},
        {"name": "小七", "is_user": False, "mes": f"<thought>x</thought>{ADD % 4}嗯。"},
    ]
    path = tmp_path / "旧.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    line = Line.main(memory.imports.import_file(CTX, path).chat_id)
    answers(server, f"{ADD % 1}<reply>好。</reply>")
    turn = memory.play.send(CTX, line, "走吧。")
    assert turn.note.speaker == "小七"
    assert state_of(line, "character.affinity") == 5
    assert "嗯。" in json.dumps(server.bodies()[0], ensure_ascii=False)
    assert "<thought>x" not in json.dumps(server.bodies()[0], ensure_ascii=False)


def test_without_an_endpoint_it_says_so_and_keeps_what_was_said(open_memory, tmp_path):
    memory = open_memory(tmp_path / "other")
    line = memory.play.start_scripted(CTX, "headpat", "zh").line
    memory.session.chat(line.chat_id).branches.set_header("main", "{}")
    with pytest.raises(NotConfigured):
        memory.play.send(CTX, line, "你好。")
    assert memory.messages.count(line) == 2


def test_who_speaks_is_told_nothing_it_did_not_hear(memory, server, cards):
    """A card may ask for all that is remembered: it gets what its character knows."""
    line = memory.play.start(CTX, cards, player="旅人").line
    memory.messages.append(line, "爱丽丝", "assistant", "我先说一句。（心想：银钥匙藏在钟楼里。）")
    memory.events.add(
        line,
        PlotExtraction("爱丽丝心想，银钥匙藏在钟楼里。", witnesses=("爱丽丝",)),
        SourceRange(1, 1),
    )
    for speaker, knows in (("鲍勃", False), ("爱丽丝", True)):
        asked = len(server.bodies())
        memory.play.send(CTX, line, "银钥匙藏在哪里呢？", speaker=speaker, level="EVENT")
        sent = json.dumps(server.bodies()[asked:], ensure_ascii=False)
        assert ("藏在钟楼里" in sent) is knows, sent


# Replies that no well-meaning model would give: nothing of them breaks a chat.


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


# The end of a session looks back; what everybody said before stays what it is.


def test_a_session_ends_with_a_look_back(memory, server, line):
    reflection = {"events": [], "logs": [{"owner": "爱丽丝", "content": "他今天问我好。"}]}
    left = ["<reply>我很好。</reply>", json.dumps(reflection, ensure_ascii=False)]
    server.answer = lambda body: left.pop(0) if len(left) > 1 else left[0]
    memory.play.send(CTX, line, "你好吗？")
    report = memory.play.close_session(CTX, line)
    assert report.failed == ()
    assert len(server.bodies()) > 1


def test_without_an_endpoint_it_says_so(open_memory, tmp_path):
    memory = open_memory(tmp_path / "other")
    line = memory.play.start_scripted(CTX, "headpat", "zh").line
    with pytest.raises(NotConfigured):
        memory.play.close_session(CTX, line)
