"""Undo and redo: steps, groups, limits, and what stands in their way."""

from __future__ import annotations

import random
import types
import zlib
from dataclasses import replace

import pytest

from engram_desktop.domain.changes import ARCHIVE, DELETE, IMPORT, StepLabel
from engram_desktop.domain.errors import (
    Conflict,
    NothingToUndo,
)
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.journal import OF_CHAT, _pieces
from tests.factories import make_event, make_message, make_store

ADD = StepLabel(IMPORT, {"count": 1})
GREEN = StepLabel(ARCHIVE, {"count": 1})
GONE = StepLabel(DELETE, {"count": 1})


def add(store: ChatStore, *summaries: str) -> list[int]:
    with store.step(ADD):
        return store.events.add([make_event(s) for s in summaries], store.clock())


def archive(store: ChatStore, pks: list[int], group: int | None = None) -> int:
    with store.step(GREEN, group) as joined:
        store.events.set_flag(pks, "is_archived", value=True, now=store.clock())
    return joined


def test_undo_and_redo_move_one_step_and_name_it(store):
    pks = add(store, "一", "二")
    archive(store, pks)

    assert str(store.undo().undo_label) == "Archive 1 event"
    assert store.events.counts().archived == 0
    assert store.undo().events == frozenset(pks)
    assert store.events.counts().total == 0
    store.redo()
    assert store.redo().undo_label == GREEN
    assert store.events.counts().archived == 2


def test_a_new_step_forgets_what_was_undone(store):
    add(store, "一")
    store.undo()
    add(store, "二")
    with pytest.raises(NothingToUndo):
        store.redo()


def test_nothing_to_undo_is_said(store):
    with pytest.raises(NothingToUndo):
        store.undo()


def test_a_step_that_changes_nothing_leaves_no_trace(store):
    pks = add(store, "一")
    archive(store, pks)
    archive(store, pks)
    assert [step.label for step in store.journal.history()] == [GREEN, ADD]


def test_an_error_inside_a_step_leaves_neither_rows_nor_history(store):
    def fail_half_way():
        with store.step(ADD):
            store.events.add([make_event()], store.clock())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_half_way()
    assert store.events.counts().total == 0
    assert store.journal.history() == []


def test_batches_of_one_job_are_undone_together(store):
    pks = add(store, "一", "二", "三")
    group = archive(store, pks[:1])
    assert archive(store, pks[1:2], group) == group
    archive(store, pks[2:], group)

    store.undo()
    assert store.events.counts().archived == 0
    store.redo()
    assert store.events.counts().archived == 3


def test_a_step_between_two_batches_keeps_the_history_a_line(store):
    pks = add(store, "一", "二", "三")
    group = archive(store, pks[:1])
    with store.step(GONE):
        store.events.delete(pks[2:], store.clock())
    assert archive(store, pks[1:2], group) != group

    labels = [step.label for step in store.journal.history()]
    assert labels == [GREEN, GONE, GREEN, ADD]
    for _step in labels:
        store.undo()
    assert store.events.counts().total == 0


def test_undo_survives_a_restart(store, tmp_path):
    add(store, "一")
    store.close()
    again = make_store(tmp_path)
    again.undo()
    assert again.events.counts().total == 0
    again.close()


def test_old_steps_are_forgotten_beyond_the_limit(tmp_path):
    store = make_store(tmp_path, undo_steps=3)
    for n in range(5):
        add(store, str(n))
    assert len(store.journal.history()) == 3
    store.close()


def test_search_follows_undo_and_redo(store):
    pks = add(store, "银色的月光照进酒馆")
    with store.step(GONE):
        store.events.delete(pks, store.clock())
    assert len(store.events.find(EventQuery(text="银色"))) == 0
    store.undo()
    assert len(store.events.find(EventQuery(text="银色"))) == 1
    store.undo()
    assert len(store.events.find(EventQuery(text="银色"))) == 0


def test_index_upkeep_between_a_step_and_its_undo_is_no_conflict(store):
    (pk,) = add(store, "一")
    item, key = store.items.of_events([store.events.fetch([pk])[pk].id]).popitem()[1]
    with store.database.writing():
        store.vectors.put("m", [(item, key, [1.0, 0.0])])
        store.events.embedded.correct([pk])
    assert store.events.fetch([pk])[pk].is_embedded
    store.undo()
    assert store.events.counts().total == 0
    store.redo()
    assert store.events.fetch([pk])[pk].is_embedded, "the vector is still there, and still valid"


def test_a_change_outside_the_history_is_a_conflict_and_changes_nothing(store):
    (pk,) = add(store, "一")
    archive(store, [pk])
    with store.database.writing() as connection:
        connection.execute(
            "UPDATE event SET is_archived = 0, status = 'buffer' WHERE pk = ?", (pk,)
        )
    with pytest.raises(Conflict):
        store.undo()
    assert store.events.counts().buffer == 1
    assert not store.journal.history()[0].is_undone


def test_replaced_messages_come_back_with_their_items(store):
    with store.database.writing():
        store.messages.append("main", 0, [make_message(f"第{n}句") for n in range(3)])
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.messages.remove([m.id for m in store.messages.slice("main", 1, 9)])
        store.messages.append("main", 1, [make_message("改写的一句")])
    assert [m.text for m in store.messages.slice("main", 0, 9)] == ["第0句", "改写的一句"]
    store.undo()
    assert [m.text for m in store.messages.slice("main", 0, 9)] == ["第0句", "第1句", "第2句"]
    assert store.items.count() == 3
    assert store.items.faults() == 0


def test_a_step_inside_a_step_is_part_of_it(store):
    with store.step(ADD) as group:
        (pk,) = add(store, "一")
        assert archive(store, [pk]) == group
    assert [step.label for step in store.journal.history()] == [ADD]
    store.undo()
    assert store.events.counts().total == 0


def test_a_job_too_large_for_one_step_goes_in_whole_pieces(tmp_path):
    store = make_store(tmp_path)
    store.journal._watch = replace(OF_CHAT, max_bytes=60_000)
    dice, group, batches = random.Random(4), None, []
    for _ in range(40):
        with store.step(ADD, group) as group:
            store.events.add([make_event(dice.randbytes(900).hex())], store.clock())
        batches.append(group)
    kept = dict(store.database.rows("SELECT group_id, count(*) FROM undo_step GROUP BY group_id"))
    assert 1 < len(kept) < len(set(batches)), "the oldest pieces are forgotten"
    assert all(count == batches.count(piece) for piece, count in kept.items()), "none is halved"
    for _piece in kept:
        store.undo()
    with pytest.raises(NothingToUndo):
        store.undo()
    assert store.events.counts().total == 40 - sum(kept.values())
    store.close()


def test_steps_are_packed_and_those_of_earlier_versions_are_undone_too(store):
    with store.step(ADD):
        (first,) = store.events.add([make_event("长" * 3_000)], store.clock())
    step, packed = store.database.rows("SELECT id, changeset FROM undo_step")[0]
    assert len(packed) < 3_000
    with store.database.writing():
        sql = "UPDATE undo_step SET changeset = ? WHERE id = ?"
        store.database.run_many(sql, [(zlib.decompress(packed), step)])
    with store.step(ADD):
        store.events.add([make_event("短")], store.clock())
    store.undo()
    store.undo()
    assert store.events.counts().total == 0
    store.redo()
    assert list(store.events.fetch([first])) == [first]


def test_a_changeset_is_read_by_python_which_gives_way_to_other_threads():
    """A function that is not Python never does: the window would stand still during an undo."""
    read = _pieces(b"abcdef")
    assert isinstance(read, types.FunctionType)
    assert (read(4), read(4), read(4)) == (b"abcd", b"ef", b"")
