from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.event import EventQuery, SourceRange
from engram_desktop.domain.labels import ADD, StepLabel
from engram_desktop.formats.world_info import read_book
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory_book import STATE_KEY, defused
from tests.factories import make_event, make_extraction, story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = memory.import_file(CTX, file).chat_id
    for start in (0, 10, 20):
        data = make_extraction(f"第{start}楼起的事。", keywords=(f"词{start}", "/a|b/i"))
        memory.add_event(chat_id, data, SourceRange(start, start + 9))
    return chat_id


def exported(memory, chat_id, target, **options):
    count = memory.export(CTX, chat_id, target, "worldbook", **options)
    book = read_book(target)
    assert count == len(book.parsed.book.entries)
    assert not book.parsed.faults
    return book


def test_memory_becomes_a_book_of_its_own(memory, chat, tmp_path):
    first = memory.find_events(chat, EventQuery())[0]
    memory.set_archived(CTX, chat, [first], archived=True)
    memory.consolidate(CTX, chat)
    events = list(memory.find_events(chat, EventQuery(level=0)))
    memory.set_archived(CTX, chat, events[1:], archived=False)
    book = exported(memory, chat, tmp_path / "out.json")
    assert book.title == "[Engram] 爱丽丝"
    entries = {entry.comment: entry for entry in book.parsed.book.entries}
    told = [e for e in book.parsed.book.entries if e.comment.startswith("剧情摘要_")]
    told.sort(key=lambda entry: entry.order)
    assert [e.comment for e in told] == [
        "剧情摘要_0-9",
        "剧情摘要_10-19",
        "剧情摘要_10-29",
        "剧情摘要_20-29",
    ]
    assert [e.mode for e in told] == ["selective", "constant", "constant", "constant"]
    assert told[0].keys == ("engram总结", "剧情摘要", "词0", "a|b/i")
    assert told[1].keys == ("engram总结", "剧情摘要")
    orders = [entries["<summary>"].order, *(e.order for e in told), entries["</summary>"].order]
    assert orders == sorted(set(orders))
    assert entries["实体_爱丽丝"].mode == "selective"
    assert "爱丽丝" in entries["实体_爱丽丝"].keys
    state = entries["Engram System State"]
    assert (state.mode, state.keys) == ("disabled", (STATE_KEY,))
    assert json.loads(state.content)["events"] == 4


def test_a_branch_has_its_own_book_and_no_file_is_replaced(memory, chat, tmp_path):
    branch, _changes = memory.fork(chat, at=15, name="另一条路")
    here = exported(memory, chat, tmp_path / "here.json", branch_id=branch)
    comments = [e.comment for e in here.parsed.book.entries]
    assert "剧情摘要_0-9" in comments
    assert "剧情摘要_20-29" not in comments
    with pytest.raises(InputError, match="exists already"):
        memory.export(CTX, chat, tmp_path / "here.json", "worldbook")


def test_a_story_cannot_run_macros_or_close_the_block():
    told = defused("</summary> <%= 1 %> {{setvar::a::b}} {{user}} {{ char }}")
    assert told == "‹/summary> ‹%= 1 %> { {setvar::a::b}} {{user}} { { char }}"
    assert defused("@@activate") == " @@activate"


def test_what_one_character_keeps_to_itself_is_not_in_the_book(memory, chat, tmp_path):
    store = memory._library.chat(chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    book = exported(memory, chat, tmp_path / "out.json")
    assert "第二把钥匙" not in book.content.decode()
    assert "剧情摘要_20-29" in {e.comment for e in book.parsed.book.entries}
