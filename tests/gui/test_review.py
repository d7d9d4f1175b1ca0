"""What a model wrote is looked through and corrected; what is on the screen is saved, no more."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.events.event_page import NothingListed
from engram_desktop.widgets.overview import OverviewPage
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI, Status
from tests.gui.reviewed import answer, summaries
from tests.gui.waiting import settle

CTX = NullContext()


@pytest.fixture
def llm():
    with FakeOpenAI(answer=answer) as server:
        yield server


@pytest.fixture
def chat(empty_memory, llm, tmp_path):
    for key, value in {
        "llm.base_url": llm.url,
        "llm.model": "fake-chat",
        "llm.parallel": 1,
    }.items():
        empty_memory.settings.set(key, value)
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    return empty_memory.imports.import_file(CTX, file).chat_id


@pytest.fixture
def desktop(open_desktop, empty_memory, chat):
    return open_desktop(empty_memory)


def open_review(qtbot, desktop):
    desktop.window.dialogs.open_review()
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1]


def test_where_blocks_wait_the_next_step_is_their_review(qtbot, desktop, empty_memory, chat):
    """The events page and the page of the chat say the same, and open the same."""
    desktop.window.models.pipeline.summarise(None, "auto")
    settle(qtbot, desktop)
    empty = desktop.window.event_page.findChild(NothingListed)
    assert empty.isVisible()
    assert empty.button.text() == "Review…"
    desktop.window.show_page("overview")
    settle(qtbot, desktop)
    step = desktop.window.stack.page_as("overview", OverviewPage).step
    assert step.title.text() == "2 blocks wait for your review"
    step.button.click()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert dialog.blocks.count() == 2
    dialog.all_button.click()
    settle(qtbot, desktop)
    assert step.button.text() == "Play on"


def test_a_summary_by_hand_waits_and_says_so(qtbot, desktop, empty_memory, chat):
    desktop.window.models.pipeline.summarise(None, "auto")
    settle(qtbot, desktop)
    assert summaries(empty_memory, chat) == []
    assert desktop.window.foot.review_button.text() == "2 blocks to review"
    bar = desktop.window.message_bar.bars[-1]
    assert "2 blocks are ready" in bar.notice.text
    bar.button.click()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert not dialog.isModal()
    assert dialog.blocks.count() == 2
    dialog.all_button.click()
    settle(qtbot, desktop)
    assert len(summaries(empty_memory, chat)) == 4
    assert not desktop.window.foot.review_button.isVisible()
    empty_memory.history.undo(chat)
    assert summaries(empty_memory, chat) == []


def test_save_saves_what_is_on_the_screen(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(qtbot, desktop)
    dialog.fields.summary.setPlainText("我改过的总结。")
    dialog.fields.place.setText("钟楼")
    dialog.fields.place.textEdited.emit("钟楼")
    assert dialog.events.item(0).text() == "我改过的总结。"
    dialog.events.item(1).setCheckState(Qt.CheckState.Unchecked)
    dialog.save_button.click()
    settle(qtbot, desktop)
    assert summaries(empty_memory, chat) == ["我改过的总结。"]
    (pk,) = empty_memory.events.find(chat, EventQuery())
    event = empty_memory.events.fetch(chat, [pk])[pk]
    assert (event.raw_data.location, event.extractor) == ("钟楼", "manual")


def test_what_was_typed_survives_a_look_at_another_block(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), review=True)
    dialog = open_review(qtbot, desktop)
    dialog.fields.summary.setPlainText("我改过的总结。")
    dialog.blocks.setCurrentRow(1)
    settle(qtbot, desktop)
    dialog.blocks.setCurrentRow(0)
    settle(qtbot, desktop)
    assert dialog.fields.summary.toPlainText() == "我改过的总结。"
    dialog.all_button.click()
    settle(qtbot, desktop)
    assert "我改过的总结。" in summaries(empty_memory, chat)


def test_an_empty_summary_cannot_be_saved(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(qtbot, desktop)
    dialog.fields.summary.setPlainText("  ")
    assert not dialog.save_button.isEnabled()
    assert dialog._trouble.isVisible()


def test_discard_throws_away_and_can_be_undone(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(qtbot, desktop)
    dialog.discard_button.click()
    settle(qtbot, desktop)
    assert empty_memory.drafts.find(Line.main(chat)) == []
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert len(empty_memory.drafts.find(Line.main(chat))) == 1
    assert dialog.blocks.count() == 1


def test_from_now_on_nothing_is_asked(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(qtbot, desktop)
    dialog.always_box.setChecked(True)
    dialog.save_button.click()
    settle(qtbot, desktop)
    assert empty_memory.settings.read(chat).review_enabled is False
    desktop.window.models.pipeline.summarise(None, "auto")
    settle(qtbot, desktop)
    assert len(summaries(empty_memory, chat)) == 4


def test_a_chat_edited_while_a_draft_waits_makes_it_outdated(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    dialog = open_review(qtbot, desktop)
    assert dialog.save_button.isEnabled()
    memory = empty_memory
    desktop.workspace.change(
        "Edit", lambda _ctx: memory.messages.edit(Line.main(chat), 3, "改了。")
    )
    settle(qtbot, desktop)
    assert "outdated" in dialog.blocks.item(0).text()
    assert not dialog.save_button.isEnabled()
    assert summaries(memory, chat) == []


def test_a_redo_is_shown_beside_what_is_there(qtbot, desktop, empty_memory, chat):
    memory = empty_memory
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    before = summaries(memory, chat)
    first, second = memory.events.find(chat, EventQuery())
    memory.events.set_locked(CTX, chat, [second], locked=True)
    window = desktop.window
    window.models.events.reload()
    settle(qtbot, desktop)
    window.event_page._on_range_chosen(2, 9)
    settle(qtbot, desktop)
    ask = window.dialogs.shown[-1]
    assert ask.redo_box.isChecked()
    ask.start_button.click()
    settle(qtbot, desktop)
    assert summaries(memory, chat) == before
    dialog = open_review(qtbot, desktop)
    ticks = [dialog.present.item(n).checkState() for n in range(dialog.present.count())]
    assert ticks == [Qt.CheckState.Checked, Qt.CheckState.Unchecked]
    assert "locked" in dialog.present.item(1).text()
    dialog.events.item(1).setCheckState(Qt.CheckState.Unchecked)
    dialog.save_button.click()
    settle(qtbot, desktop)
    left = set(memory.events.find(chat, EventQuery()))
    assert second in left
    assert first not in left
    assert len(left) == 2
    memory.history.undo(chat)
    assert summaries(memory, chat) == before


def test_what_failed_is_listed_after_a_restart_mended_and_read(
    qtbot, desktop, empty_memory, llm, chat
):
    llm.faults = ["garbage", "garbage"]
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    desktop.window.models.review.read()
    desktop.window.models.automation._look_at_line()
    settle(qtbot, desktop)
    desktop.window.foot.failures_button.click()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert "Certainly!" in dialog.raw.toPlainText()
    dialog.read_button.click()
    settle(qtbot, desktop)
    assert "cannot be used" in dialog._reason.text()
    assert len(empty_memory.drafts.find(Line.main(chat))) == 1
    dialog.raw.setPlainText('{"events": [{"summary": "爱丽丝与旅人见面了。"}]}')
    dialog.read_button.click()
    settle(qtbot, desktop)
    assert summaries(empty_memory, chat) == ["爱丽丝与旅人见面了。"]
    assert dialog.list.count() == 0


@pytest.mark.parametrize("button", ["again_button", "discard_button"])
def test_what_failed_is_asked_again_or_discarded(qtbot, desktop, empty_memory, llm, chat, button):
    empty_memory.settings.set("review.enabled", False)
    llm.faults = ["garbage", "garbage"]
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    desktop.window.dialogs.open_failures()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    getattr(dialog, button).click()
    settle(qtbot, desktop)
    assert empty_memory.drafts.find(Line.main(chat)) == []
    assert len(summaries(empty_memory, chat)) == (2 if button == "again_button" else 0)


def test_the_coverage_bar_tells_what_waits_and_what_failed(qtbot, desktop, empty_memory, llm, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24), review=True)
    llm.faults = ["garbage", "garbage"]
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (25, 49))
    assert empty_memory.events.coverage(Line.main(chat)) == [
        (0, 24, "drafted"),
        (25, 49, "failed"),
        (50, 59, "empty"),
    ]
    desktop.window.models.events.reload()
    settle(qtbot, desktop)
    bar = desktop.window.event_page.coverage
    assert "25 × waiting for your review" in bar.legend()
    assert bar.words() == "0 of 60 floors have become memory"
    assert bar.has_gap(30, 40)
    assert not bar.has_gap(0, 24)


def test_from_a_memory_to_its_messages_and_back(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat))
    desktop.window.models.events.reload()
    settle(qtbot, desktop)
    window = desktop.window
    window.event_page.view.show_row(2)
    settle(qtbot, desktop)
    window.event_page.commands._read_floors()
    settle(qtbot, desktop)
    assert window.page == "reading"
    panel = window.stack.panel("reading")
    assert "25" in panel._title.text()
    assert panel.events.count() == 2
    panel._open(panel.events.item(1))
    settle(qtbot, desktop)
    assert window.page == "events"
    assert window.models.editor.current.summary == summaries(empty_memory, chat)[3]


def test_other_floors_take_the_place_of_those_shown(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), review=True)
    dialog = open_review(qtbot, desktop)
    dialog.source_button.click()
    settle(qtbot, desktop)
    dialog.blocks.setCurrentRow(1)
    settle(qtbot, desktop)
    dialog.source_button.click()
    settle(qtbot, desktop)
    titles = [d.windowTitle() for d in desktop.window.dialogs.shown]
    assert sum("25" in title for title in titles) == 1
    assert dialog.isVisible()


def test_selected_events_are_redone_together(qtbot, desktop, empty_memory, chat):
    empty_memory.pipeline.summarise(CTX, Line.main(chat))
    desktop.window.models.events.reload()
    settle(qtbot, desktop)
    desktop.window.event_page.view.selectAll()
    desktop.window.event_page.commands._redo_floors()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert (dialog.floors, dialog.redo) == ((0, 49), True)
    dialog.start_button.click()
    settle(qtbot, desktop)
    assert [d.floors for d in empty_memory.drafts.find(Line.main(chat))] == [(0, 24), (25, 49)]


def test_a_summary_that_was_stopped_says_why_and_can_be_tried_again(
    qtbot, desktop, empty_memory, chat, llm
):
    empty_memory.settings.set("summary.interval", 5)
    llm.faults = [Status(402, "Insufficient Balance")]
    desktop.window.models.pipeline.summarise(None, "auto")
    settle(qtbot, desktop)
    notice = desktop.window.message_bar.bars[-1].notice
    assert "Insufficient Balance" in notice.text
    assert notice.hint.startswith("9 block")
    assert notice.action_text == "Try again"
    notice.action()
    settle(qtbot, desktop)
    assert "not begun" not in desktop.window.message_bar.bars[-1].notice.hint
    assert desktop.window.foot.review_button.text() == "10 blocks to review"
