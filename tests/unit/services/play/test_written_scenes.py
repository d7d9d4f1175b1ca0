"""Both worked scenes of design note 003 play end to end without a model."""

from __future__ import annotations

import pytest

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.play import ReplyPiece
from engram_desktop.domain.state.tree import get, plain
from engram_desktop.jobs.context import NullContext

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
