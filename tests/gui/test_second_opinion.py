"""A draft beside what another model made of it, and beside the lines that it comes from."""

from __future__ import annotations

import json

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.reviewed import summaries
from tests.gui.waiting import settle

CTX = NullContext()
LINES = [
    ("旅人", "我从北方的港口来，想在酒馆住一晚。"),
    ("爱丽丝", "二楼的房间空着，一晚三枚银币。"),
    ("旅人", "这把铜钥匙是在港口的沉船里找到的，送给你。"),
    ("爱丽丝", "钥匙上刻着灯塔的图案……谢谢，我会收好。"),
    ("旅人", "明天我要去看看那座灯塔。"),
]


def answer(body):
    told = "旅人把沉船里找到的铜钥匙送给了爱丽丝。"
    if body["model"] == "other-chat":
        told = "爱丽丝收下了刻着灯塔图案的铜钥匙。"
    invented = "国王在宫殿里宣布了战争。"
    return json.dumps({"events": [{"summary": told + invented}]}, ensure_ascii=False)


@pytest.fixture
def llm():
    with FakeOpenAI(answer=answer, models=("fake-chat", "other-chat")) as server:
        yield server


@pytest.fixture
def chat(empty_memory, llm, tmp_path):
    for key, value in {
        "llm.base_url": llm.url,
        "llm.model": "fake-chat",
        "llm.parallel": 1,
    }.items():
        empty_memory.settings.set(key, value)
    file = write_chat(tmp_path / "灯塔.jsonl", LINES)
    chat = empty_memory.imports.import_file(CTX, file).chat_id
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), review=True)
    return chat


@pytest.fixture
def dialog(open_desktop, empty_memory, chat, qtbot):
    desktop = open_desktop(empty_memory)
    desktop.window.dialogs.open_review()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    dialog.desktop = desktop
    return dialog


def rows(view):
    return [view.item(row).text() for row in range(view.count())]


def ask(qtbot, dialog):
    dialog.others.model.setEditText("other-chat")
    dialog.others.ask_button.click()
    settle(qtbot, dialog.desktop)


def test_each_sentence_stands_beside_its_lines_and_an_invented_one_is_marked(qtbot, dialog):
    lines = rows(dialog.sources)
    assert lines[0] == "旅人把沉船里找到的铜钥匙送给了爱丽丝。"
    assert lines[1].strip().startswith("#2 旅人: 这把铜钥匙")
    invented = next(n for n, line in enumerate(lines) if "国王" in line)
    assert lines[invented].startswith("No line bears this out")
    assert "宫殿" in lines[invented + 1]


def test_a_line_is_read_in_the_chat(qtbot, dialog):
    asked = []
    dialog.desktop.workspace.floor_wanted.connect(lambda first, last: asked.append((first, last)))
    dialog.sources.setCurrentRow(1)
    qtbot.keyClick(dialog.sources, Qt.Key.Key_Return)
    assert asked == [(2, 2)]


def test_what_is_typed_is_looked_up_again(qtbot, dialog):
    dialog.fields.summary.setPlainText("明天旅人要去看灯塔。")
    qtbot.waitUntil(lambda: rows(dialog.sources)[:1] == ["明天旅人要去看灯塔。"])


def test_another_model_is_asked_and_its_events_are_saved_where_they_are_ticked(
    qtbot, dialog, empty_memory, llm, chat
):
    others = dialog.others
    names = [others.model.itemText(n) for n in range(others.model.count())]
    assert names == ["fake-chat", "other-chat"]
    ask(qtbot, dialog)
    head, event = rows(others.list)
    assert head == "other-chat answered:"
    assert event.startswith("爱丽丝收下了")
    assert dialog.events.count() == 1
    dialog.events.item(0).setCheckState(Qt.CheckState.Unchecked)
    others.list.item(1).setCheckState(Qt.CheckState.Checked)
    dialog.save_button.click()
    settle(qtbot, dialog.desktop)
    (saved,) = summaries(empty_memory, chat)
    assert saved.startswith("爱丽丝收下了")
    (pk,) = empty_memory.events.find(chat, EventQuery())
    assert empty_memory.events.fetch(chat, [pk])[pk].extractor == "llm"


def test_its_event_is_corrected_like_any_other(qtbot, dialog, empty_memory, chat):
    ask(qtbot, dialog)
    dialog.others.list.setCurrentRow(1)
    settle(qtbot, dialog.desktop)
    assert rows(dialog.sources)[0].startswith("爱丽丝收下了")
    dialog.fields.summary.setPlainText("爱丽丝收好了钥匙。")
    assert dialog.others.list.item(1).text() == "爱丽丝收好了钥匙。"
    dialog.others.list.item(1).setCheckState(Qt.CheckState.Checked)
    dialog.save_button.click()
    settle(qtbot, dialog.desktop)
    assert "爱丽丝收好了钥匙。" in summaries(empty_memory, chat)


def test_an_answer_is_kept_and_goes_with_its_draft(qtbot, dialog, empty_memory, llm, chat):
    ask(qtbot, dialog)
    (draft,) = empty_memory.drafts.find(Line.main(chat))
    assert [o.model for o in empty_memory.drafts.compare(chat, draft.id).others] == ["other-chat"]
    dialog.again_button.click()
    settle(qtbot, dialog.desktop)
    (again,) = empty_memory.drafts.find(Line.main(chat))
    assert again.id != draft.id
    assert len(empty_memory.drafts.compare(chat, again.id).others) == 1  # it was paid for
    dialog.discard_button.click()
    settle(qtbot, dialog.desktop)
    store = empty_memory.drafts.find(Line.main(chat), ("answered", "waiting", "failed"))
    assert store == []
    empty_memory.history.undo(chat)
    (back,) = empty_memory.drafts.find(Line.main(chat))
    assert len(empty_memory.drafts.compare(chat, back.id).others) == 1


def test_a_model_that_cannot_answer_leaves_the_draft_alone(qtbot, dialog, empty_memory, llm, chat):
    llm.faults = ["garbage", "garbage"]
    ask(qtbot, dialog)
    assert dialog.others.list.count() == 0
    assert dialog.others.ask_button.isEnabled()
    assert len(empty_memory.drafts.find(Line.main(chat))) == 1
    assert dialog.desktop.window.message_bar.bars[-1].notice.kind == "error"
