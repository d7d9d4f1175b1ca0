"""Written scenes played to the end, and a played chat as a file."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import FileExists
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.play import ReplyPiece
from engram_desktop.domain.state.tree import get, plain
from engram_desktop.jobs.context import NullContext

# Both worked scenes of design note 003 play end to end without a model.

CTX = NullContext()


def value(memory, line, path):
    return plain(get(memory.state.history(CTX, line).tree, tuple(path.split("."))))


def events(memory, line):
    pks = memory.events.find(line.chat_id, EventQuery(branch_id=line.branch_id))
    return list(memory.events.fetch(line.chat_id, pks).values())


def play(memory, line, turns):
    return [
        memory.play.send(CTX, line, memory.play.scene(line).suggestion) for _turn in range(turns)
    ]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_hundred_head_pats_leave_numbers_and_no_event(memory, language):
    line = memory.play.start_scripted(CTX, "headpat", language).line
    turns = play(memory, line, 100)
    assert {turn.note.level for turn in turns} == {"ROUTINE"}
    assert {turn.note.level_by for turn in turns} == {"scene"}
    assert value(memory, line, "interaction_stats.headpat_count") == 100
    assert value(memory, line, "character.affinity") == 100, "40, and 100 more, within its bounds"
    assert value(memory, line, "character.mood") == "happy"
    assert any("character.affinity" in str(notice) for notice in turns[-1].note.notices)
    assert events(memory, line) == []
    messages = memory.messages.slice(line, 1, 200)
    assert all(m.is_routine for m in messages)
    assert not any("<" in m.text or "好感度+1" in m.text for m in messages)
    assert memory.pipeline.summarise(CTX, line, (0, 200), "extractive").events_added <= 1
    assert all("摸" not in event.summary for event in events(memory, line))


@pytest.mark.parametrize(("language", "place"), [("zh", "水族馆"), ("en", "aquarium")])
def test_a_date_leaves_one_event_that_is_recalled_later(memory, language, place):
    line = memory.play.start_scripted(CTX, "aquarium", language).line
    turns = play(memory, line, 3)
    assert [turn.note.level for turn in turns] == ["CHAT", "EVENT", "ROUTINE"]
    (event,) = events(memory, line)
    scene = memory.play.scene(line)
    assert place in event.summary
    assert event.status == "buffer"
    assert event.participants == (scene.player, scene.members[0].name)
    assert event.source_range.start_index == event.source_range.end_index == turns[1].floor
    assert turns[1].note.event_pk == event.pk
    assert value(memory, line, "character.affinity") == 77
    assert value(memory, line, "flags.aquarium_visited") is True
    memory.events.set_archived(CTX, line.chat_id, [event.pk], archived=True)
    (asked,) = play(memory, line, 1)
    assert [r.ref for r in asked.note.recalled if r.kind == "event"] == [event.id]
    assert memory.play.scene(line).suggestion == ""
    assert events(memory, line) == [event] or len(events(memory, line)) == 1


def test_notes_are_there_after_a_restart(open_memory, tmp_path):
    memory = open_memory()
    line = memory.play.start_scripted(CTX, "aquarium", "zh").line
    turns = play(memory, line, 2)
    memory.close()
    again = open_memory(tmp_path / "资料库")
    assert again.play.notes(line, 0, 10) == {turn.floor: turn.note for turn in turns}


def test_undo_takes_a_whole_turn_back(memory):
    line = memory.play.start_scripted(CTX, "aquarium", "zh").line
    play(memory, line, 2)
    memory.history.undo(line.chat_id)
    assert memory.messages.count(line) == 3
    assert events(memory, line) == []
    assert value(memory, line, "character.affinity") == 61
    memory.history.redo(line.chat_id)
    assert memory.messages.count(line) == 5
    assert len(events(memory, line)) == 1
    assert value(memory, line, "character.affinity") == 76


def test_what_the_model_thinks_is_beside_the_message_only(memory):
    line = memory.play.start_scripted(CTX, "aquarium", "zh").line
    pieces: list[ReplyPiece] = []
    turn = memory.play.send(CTX, line, "*带你去水族馆*", on_piece=pieces.append)
    assert turn.note.thought == "她很好奇。"
    assert "她很好奇" not in turn.reply
    assert "".join(p.text for p in pieces if p.kind == "reply") == turn.reply
    assert {p.kind for p in pieces} == {"thought", "state", "reply"}
    assert memory.messages.slice(line, 2, 2)[0].text == turn.reply


def test_a_line_of_the_main_branch_is_where_a_chat_begins(memory):
    started = memory.play.start_scripted(CTX, "headpat", "zh")
    assert started.line == Line.main(started.line.chat_id)
    assert memory.chats.all()[0].name == "摸头"
    assert started.changes.library


# A played chat goes to SillyTavern and back: text, swipes, and the state.


def test_a_played_chat_is_written_and_read_back(memory, server, line, state_of, tmp_path):
    left = ["一", "二"]
    server.answer = lambda body: (
        f"<thought>不说。</thought><reply>{left.pop(0)}</reply>"
        '<state_update>[{"op":"add","path":"character.affinity","value":3}]</state_update>'
    )
    memory.play.send(CTX, line, "*摸摸头*")
    memory.play.reroll(CTX, line)
    target = tmp_path / "out" / "爱丽丝.jsonl"
    target.parent.mkdir()
    assert memory.play.export_chat(CTX, line, target) == 3
    rows = [json.loads(row) for row in target.read_text("utf-8").splitlines()]
    assert rows[0]["user_name"] == "旅人"
    assert [row["mes"] for row in rows[1:]] == ["欢迎，旅人。", "*摸摸头*", "二"]
    assert (rows[3]["swipes"], rows[3]["swipe_id"]) == (["一", "二"], 1)
    assert rows[1]["swipes"] == ["欢迎，旅人。", "又是您呀，旅人。"]
    assert "不说" not in target.read_text("utf-8")
    with pytest.raises(FileExists):
        memory.play.export_chat(CTX, line, target)
    rows[3] |= {"mes": "一", "swipe_id": 0, "extra": rows[3]["swipe_info"][0]["extra"]}
    again = tmp_path / "又一次.jsonl"
    again.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    other = Line.main(memory.imports.import_file(CTX, again, name="另一个").chat_id)
    assert state_of(other, "character.affinity") == 43
    assert state_of(other, "interaction_stats.headpat_count") == 1
    assert memory.play.notes(other, 0, 9)[2].level == "ROUTINE"
    memory.play.swipe(other, 2, 1)
    assert memory.messages.slice(other, 2, 2)[0].text == "二"
