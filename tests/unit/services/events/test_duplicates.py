"""Events that tell the same: found without a model, kept apart for good, or joined into one."""

from __future__ import annotations

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.labels import ADD, StepLabel
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.extraction import PlotExtraction
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_event, story_rows, write_chat

CTX = NullContext()
KEY = "爱丽丝在月光酒馆的地窖里把铜钥匙交给旅人。"
AGAIN = "爱丽丝在月光酒馆的地窖把那把铜钥匙交给了旅人。"
OTHER = "凯尔带着卫兵巡逻码头，发现了一艘没有旗帜的船。"


@pytest.fixture
def chat(memory, tmp_path):
    path = write_chat(tmp_path / "chat.jsonl", story_rows(40))
    return memory.imports.import_file(CTX, path).chat_id


@pytest.fixture
def add(memory, chat):
    store = memory.session.chat(chat)

    def write(summary, first, last, **over):
        data = PlotExtraction(summary, keywords=(summary[:2],))
        with store.step(StepLabel(ADD, {"summary": ""})):
            event = make_event(summary, first, last, raw_data=data, **over)
            (pk,) = store.events.add([event], 1)
        return pk

    return write


def found(memory, chat):
    return [set(group.pks) for group in memory.events.duplicates(CTX, Line.main(chat))]


def test_the_same_of_overlapping_floors_and_the_same_words_anywhere(memory, chat, add):
    one, two = add(KEY, 0, 9), add(AGAIN, 5, 12)
    add(OTHER, 0, 9)
    add(AGAIN.replace("爱丽丝", "莉莉丝"), 20, 30)  # much the same, of other floors
    three, four = add(OTHER + "再来。", 31, 35), add(OTHER + "再来。", 36, 39)
    assert found(memory, chat) == [{three, four}, {one, two}]


def test_what_is_kept_apart_stays_apart_until_that_is_undone(memory, chat, add):
    add(KEY, 0, 9)
    add(AGAIN, 5, 12)
    (group,) = memory.events.duplicates(CTX, Line.main(chat))
    memory.events.keep_apart(chat, [pair.ids for pair in group.pairs])
    assert found(memory, chat) == []
    memory.history.undo(chat)
    assert found(memory, chat) == [set(group.pks)]


def test_joining_unites_floors_texts_and_evidence_and_is_undone(memory, chat, add):
    one, two = add(KEY, 0, 9), add(OTHER, 5, 12)
    memory.events.set_archived(CTX, chat, [one, two], archived=True)
    store = memory.session.chat(chat)
    before = memory.events.fetch(chat, [one, two])
    changes = memory.events.join(CTX, chat, [two, one])
    assert changes.rows
    (left,) = memory.events.find(chat, EventQuery())
    event = memory.events.fetch(chat, [left])[left]
    assert left == one
    assert (event.source_range.start_index, event.source_range.end_index) == (0, 12)
    assert KEY in event.summary
    assert OTHER in event.summary
    assert set(event.keywords) == {KEY[:2], OTHER[:2]}
    assert "凯尔" in event.display_text
    assert store.entities.of_events([one]) >= store.entities.of_events([two])
    memory.history.undo(chat)
    assert memory.events.fetch(chat, [one, two])[one].raw_data == before[one].raw_data
    assert not memory.events.fetch(chat, [two])[two].is_deleted


def test_one_event_and_a_locked_one_are_not_joined(memory, chat, add):
    one, two = add(KEY, 0, 9), add(OTHER, 5, 12, is_locked=True)
    for pks in ([one], [one, two]):
        with pytest.raises(InputError):
            memory.events.join(CTX, chat, pks)


def test_a_chain_of_alike_events_is_no_group(memory, chat, add):
    words = "船长 水手 望远镜 风暴 海图 罗盘 灯塔 暗礁 码头 货舱".split()
    pks = [add("".join(words[n : n + 6]), n * 2, n * 2 + 9) for n in range(4)]
    assert all(len(group) < len(pks) for group in found(memory, chat))
