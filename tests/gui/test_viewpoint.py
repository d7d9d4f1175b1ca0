"""The library as somebody of the story knows it; who knows a memory, said by pointing; secrets."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMenu

from engram_desktop.domain.memory.event import EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import make_extraction, write_chat
from tests.gui.waiting import settle

CTX = NullContext()
TALK = [
    ("旅人", "“爱丽丝，早。”"),
    ("爱丽丝", "“早。”*她把账本合上。*"),
    ("旅人", "“钥匙藏在钟楼里，别告诉凯尔。”"),
    ("爱丽丝", "“我谁也不说。”"),
    ("凯尔", "“你们在说什么？”*凯尔推门进来。*"),
    ("旅人", "“没什么。”"),
]


@pytest.fixture
def chat(memory, tmp_path):
    """A chat in which Kyle comes in late."""
    return memory.imports.import_file(CTX, write_chat(tmp_path / "秘.jsonl", TALK)).chat_id


@pytest.fixture
def desktop(qtbot, open_desktop, memory, chat):
    line = Line.main(chat)
    memory.events.add(line, make_extraction("钥匙藏在钟楼里"), SourceRange(2, 3))
    memory.events.add(line, make_extraction("凯尔推门进来"), SourceRange(4, 5))
    memory.logs.add(line, LogPatch("爱丽丝", "我不会说的。", source_range=SourceRange(2, 3)))
    for key in memory.events.find(chat, EventQuery()):
        event = memory.events.fetch(chat, [key])[key]
        for name in ("爱丽丝", "凯尔"):
            is_known = name == "爱丽丝" or event.source_range.start_index >= 4
            memory.knowledge.say_known(line, [("event", event.id)], name, known=is_known)
    memory.settings.set("auto.enabled", value=False)
    made = open_desktop(memory)
    made.workspace.show_chat(chat)
    settle(qtbot, made)
    return made


def view_as(qtbot, desktop, name):
    desktop.window.models.viewpoint.view_as(name)
    settle(qtbot, desktop)


def summaries(desktop):
    model = desktop.window.event_page.view.model()
    return {model.row_at(row).summary for row in range(model.rowCount())}


def test_the_menu_names_who_there_is_and_a_strip_says_as_whom(qtbot, desktop):
    window = desktop.window
    button = window.top.viewpoint_button
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    row = button.names.list.findItems("As 凯尔", Qt.MatchFlag.MatchExactly)[0]
    place = button.names.list.visualItemRect(row).center()
    assert not window.viewpoint.isVisible()
    qtbot.mouseClick(button.names.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(qtbot, desktop)
    assert window.viewpoint.isVisible()
    assert "凯尔" in window.viewpoint._text.text()
    qtbot.mouseClick(window.viewpoint.back_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert not window.viewpoint.isVisible()
    assert desktop.workspace.actor == ""


def test_every_page_shows_only_what_somebody_knows(qtbot, desktop, memory):
    window = desktop.window
    everything = summaries(desktop)
    assert len(everything) == 2
    view_as(qtbot, desktop, "凯尔")
    assert summaries(desktop) == {"凯尔推门进来"}
    assert window.models.events.counts.total == 1
    window.show_page("logs")
    settle(qtbot, desktop)
    assert window.stack.page("logs").view.model().rowCount() == 0
    window.show_page("recall")
    page = window.stack.page("recall")
    page.question.setText("钥匙藏在哪里")
    page.ask()
    settle(qtbot, desktop)
    texts = [hit.item.content for hit in window.models.recall.answer.result.hits]
    assert not any("钟楼" in text for text in texts)
    assert "钟楼" not in window.models.recall.answer.injection.text
    window.show_page("graph")
    settle(qtbot, desktop)
    assert not any("钥匙" in e.name for e in window.models.graph.graph.view.entities)
    view_as(qtbot, desktop, "")
    window.show_page("events")
    settle(qtbot, desktop)
    assert summaries(desktop) == everything


def test_messages_are_shown_as_somebody_perceived_them(qtbot, desktop, memory, chat):
    line = Line.main(chat)
    ids = [m.id for m in memory.messages.slice(line, 0, 3)]
    memory.knowledge.say_present(line, ids, ["旅人", "爱丽丝"])
    view_as(qtbot, desktop, "凯尔")
    desktop.window.show_page("play")
    settle(qtbot, desktop)
    rows = desktop.window.models.play.rows
    assert rows.count == len(TALK)
    assert "钟楼" not in "".join(rows.row(n).text for n in range(rows.count))
    assert "凯尔推门进来" in rows.row(4).text


def test_another_chat_is_seen_as_it_is(qtbot, desktop, memory, chat):
    view_as(qtbot, desktop, "凯尔")
    other = next(c.chat_id for c in memory.chats.all() if c.chat_id != chat)
    desktop.workspace.show_chat(other)
    settle(qtbot, desktop)
    assert desktop.workspace.actor == ""
    assert not desktop.window.viewpoint.isVisible()


def ask_who(qtbot, desktop):
    """Point at the selected events and ask, through their menu."""
    view = desktop.window.event_page.view
    view.customContextMenuRequested.emit(QPoint(40, 40))
    menu = QApplication.activePopupWidget()
    assert isinstance(menu, QMenu)
    action = next(a for a in menu.actions() if a.text() == "Who knows this…")
    menu.close()
    action.trigger()
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[-1]


def choose(desktop, summary):
    view, model = desktop.window.event_page.view, desktop.window.event_page.view.model()
    rows = range(model.rowCount())
    view.show_row(next(row for row in rows if model.row_at(row).summary == summary))


def test_who_knows_an_event_is_said_by_pointing_and_undone(qtbot, desktop, memory, chat):
    choose(desktop, "钥匙藏在钟楼里")
    dialog = ask_who(qtbot, desktop)

    def knowers():
        return {k.actor: k for k in desktop.window.models.who.known.knowers}

    assert "爱丽丝" in knowers()
    assert "凯尔" not in knowers()
    dialog.name.setCurrentIndex(dialog.name.findText("凯尔"))
    dialog.floor.setValue(5)
    qtbot.mouseClick(dialog.add_known, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert knowers()["凯尔"].from_floor == 5
    assert knowers()["凯尔"].is_said
    desktop.window.models.undo.undo()
    settle(qtbot, desktop)
    assert "凯尔" not in {
        k.actor for k in memory.knowledge.who(CTX, Line.main(chat), dialog._who.asked.refs[0])
    }
    assert "凯尔" not in knowers()


def test_it_is_said_of_a_whole_selection(qtbot, desktop, memory, chat):
    desktop.window.event_page.view.selectAll()
    dialog = ask_who(qtbot, desktop)
    assert desktop.window.models.who.known.counts["凯尔"] == 1
    dialog.name.setCurrentIndex(dialog.name.findText("凯尔"))
    qtbot.mouseClick(dialog.add_known, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert desktop.window.models.who.known.counts["凯尔"] == 2


def test_secrets_say_who_must_not_learn_them(qtbot, desktop, memory, chat):
    desktop.window.dialogs.open_secrets()
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    texts = [dialog.list.topLevelItem(n).text(0) for n in range(dialog.list.topLevelItemCount())]
    dialog.list.setCurrentItem(dialog.list.topLevelItem(texts.index("钥匙藏在钟楼里")))
    chips = [dialog._cast.itemAt(n).widget() for n in range(dialog._cast.count())]
    chip = next(c for c in chips if c.text() == "凯尔")
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    secret = next(
        s for s in memory.knowledge.secrets(CTX, Line.main(chat)) if s.text == "钥匙藏在钟楼里"
    )
    assert secret.kept_from == ("凯尔",)
    assert dialog.chosen()[0].kept_from == ("凯尔",)


def test_what_was_asked_before_is_asked_again_as_who_looks_now(qtbot, desktop):
    window = desktop.window
    window.show_page("recall")
    page = window.stack.page("recall")
    page.question.setText("钥匙藏在哪里")
    page.ask()
    settle(qtbot, desktop)
    recall = window.models.recall
    assert "钟楼" in recall.answer.injection.text
    window.show_page("events")
    view_as(qtbot, desktop, "凯尔")
    window.show_page("recall")
    settle(qtbot, desktop)
    assert "钟楼" not in recall.answer.injection.text
    assert not any("钟楼" in card.findChild(QLabel).text() for card in page.cards)
    view_as(qtbot, desktop, "")
    assert "钟楼" in recall.answer.injection.text


def test_an_export_holds_what_the_one_who_looks_knows(qtbot, desktop, chat, tmp_path):
    models = desktop.window.models
    view_as(qtbot, desktop, "凯尔")
    models.exports.export(chat, tmp_path / "凯尔.md", "markdown", models.exports.actors(chat))
    settle(qtbot, desktop)
    text = (tmp_path / "凯尔.md").read_text("utf-8")
    assert "凯尔推门进来" in text
    assert "藏在钟楼" not in text


def test_an_export_can_be_made_for_a_scene(qtbot, desktop, chat, tmp_path, monkeypatch):
    desktop.window.sidebar.export_wanted.emit(chat)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert set(names) >= {"爱丽丝", "凯尔"}
    qtbot.mouseClick(dialog.some_button, Qt.MouseButton.LeftButton)
    assert not dialog.export_button.isEnabled()  # for nobody there is nothing to write
    for name in ("爱丽丝", "凯尔"):
        dialog.list.item(names.index(name)).setCheckState(Qt.CheckState.Checked)
    target = tmp_path / "场景.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    qtbot.mouseClick(dialog.export_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    text = target.read_text("utf-8")
    assert "凯尔推门进来" in text
    assert "藏在钟楼" not in text


def test_an_export_is_offered_for_whom_the_library_is_seen_as(qtbot, desktop, chat):
    view_as(qtbot, desktop, "爱丽丝")
    desktop.window.sidebar.export_wanted.emit(chat)
    settle(qtbot, desktop)
    dialog = desktop.window.dialogs.shown[-1]
    assert dialog.names == ["爱丽丝"]
    qtbot.mouseClick(dialog.all_button, Qt.MouseButton.LeftButton)
    assert dialog.names == []
