"""Prompts, characters, and from whose view memory is shown."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt
from PySide6.QtGui import QColor, QImage, QImageWriter
from PySide6.QtWidgets import (
    QFileDialog,
    QLabel,
    QMenu,
    QMessageBox,
    QPushButton,
    QToolButton,
)

from engram_desktop.domain.memory.event import EventQuery, LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.prompt_template import TASKS
from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.workspace.transcript import face_of
from tests.factories import import_chat, make_extraction
from tests.gui.waiting import (
    choose_in,
    click,
    open_menu,
    open_page,
    opened_by,
    press,
    press_key,
    settle,
    show_chat,
    trigger,
    undo,
    view_as,
)
from tests.roleplay import SECRET

# Prompts are edited, previewed, compared and reset in the window.


@pytest.fixture
def page(desktop):
    desktop.window.dialogs.open_texts()
    settle(desktop)
    return desktop.window.dialogs.shown[-1].prompts


def test_a_prompt_is_changed_compared_and_reset(desktop, page):
    memory = desktop.workspace.memory
    assert page.user.toPlainText() == memory.prompts.find("summary", "zh").template.user
    assert not page.reset_button.isEnabled()
    page.user.setPlainText("短些：{{chatHistory}}")
    page.model.setText("small")
    click(desktop, page.save_button)
    row = memory.prompts.find("summary", "zh")
    assert (row.template.user, row.override.model) == ("短些：{{chatHistory}}", "small")
    click(desktop, page.diff_button)
    assert "+短些：{{chatHistory}}" in page.result.toPlainText()
    click(desktop, page.reset_button)
    assert not memory.prompts.find("summary", "zh").is_own
    assert page.user.toPlainText() == row.default.user


def test_a_saved_prompt_is_taken_back_and_what_is_being_written_is_not_lost(desktop, page):
    memory = desktop.workspace.memory
    page.user.setPlainText("短些：{{chatHistory}}")
    page.model.setText("small")
    click(desktop, page.save_button)
    page.user.insertPlainText("还没有保存的话。")
    undo = desktop.window.dialogs.shown[-1].undo
    assert undo.undo_action.text() == "Undo: Edit the prompt “Summaries”"
    trigger(desktop, undo.undo_action)
    row = memory.prompts.find("summary", "zh")
    assert (row.is_own, row.override.model) == (False, "")
    assert page.user.toPlainText() == row.default.user
    page.user.undo()
    assert page.user.toPlainText() == "还没有保存的话。短些：{{chatHistory}}"


def test_a_variable_is_inserted_by_a_click_and_an_unknown_one_is_marked(page):
    assert not page.trouble.isVisible()
    page.user.setPlainText("")
    chips = [b for b in page.findChildren(QToolButton) if b.text() == "{{chatHistory}}"]
    chips[0].click()
    assert page.user.toPlainText() == "{{chatHistory}}"
    page.user.insertPlainText("{{chathistory}}{{weather}}")
    assert "{{weather}}" in page.trouble.text()
    assert "{{chathistory}}" not in page.trouble.text()


def test_the_preview_shows_the_request_of_what_is_written_now(desktop, page):
    page.user.setPlainText("只有这些：{{lastMessage}}")
    click(desktop, page.preview_button)
    told = page.result.toPlainText()
    assert "只有这些：" in told
    assert "{{" not in told
    assert not desktop.workspace.memory.prompts.find("summary", "zh").is_own


def test_what_is_being_written_stays_when_another_setting_changes(desktop, page):
    page.user.setPlainText("还没写完")
    desktop.workspace.change(
        "", lambda _ctx: desktop.workspace.memory.settings.set("llm.model", "x")
    )
    settle(desktop)
    assert page.user.toPlainText() == "还没写完"


def test_each_task_has_its_own_variables(desktop, page):
    page.task.setCurrentIndex(3)
    page.task.activated.emit(3)
    settle(desktop)
    assert "{{userInput}}" in page.user.toPlainText()
    assert not page.trouble.isVisible()


def choose(desktop, page, task):
    at = page.task.findData(task)
    page.task.setCurrentIndex(at)
    page.task.activated.emit(at)
    settle(desktop)


def test_every_task_is_shown_with_all_that_belongs_to_it(desktop, page):
    for task in TASKS:
        check_task(desktop, page, task)


def check_task(desktop, page, task):
    choose(desktop, page, task)
    template = desktop.workspace.memory.prompts.find(task, "zh").template
    assert page.user.toPlainText() == template.user
    assert page.system.toPlainText() == template.system
    assert page.output.currentData() == template.output
    assert not page.trouble.isVisible()
    chips = {b.text() for b in page.findChildren(QToolButton) if b.text().startswith("{{")}
    great = ("chatHistory", "worldbookContext", "userInput", "engramSummaries", "char", "user")
    assert {f"{{{{{name}}}}}" for name in great} <= chips
    click(desktop, page.preview_button)
    assert "—— system ——" in page.result.toPlainText()


def test_any_other_macro_is_in_a_menu_with_what_it_means(page):
    more = next(b for b in page.findChildren(QToolButton) if b.accessibleName() == "More macros")
    parts = more.menu().findChildren(QMenu)
    assert [part.title() for part in parts][:2] == ["People and card", "Messages and chat"]
    told = {a.text().split("\t")[0]: a for part in parts for a in part.actions()}
    assert told["{{charDescription}}"].text().endswith("\tThe card's description")
    page.user.setPlainText("")
    told["{{// note}}"].trigger()
    told["{{roll:1d6}}"].trigger()
    assert page.user.toPlainText() == "{{// note}}{{roll:1d6}}"
    assert not page.trouble.isVisible()


def test_a_program_runs_only_if_it_is_wanted_and_its_fault_is_shown(desktop, page):
    page.user.setPlainText("{{chatHistory}}\n<%= no.such %>")
    assert "are off" in page.trouble.text()
    desktop.workspace.change(
        "", lambda _ctx: desktop.workspace.memory.settings.set("native.ejs", value=True)
    )
    settle(desktop)
    assert not page.trouble.isVisible()
    click(desktop, page.preview_button)
    for shown in (page.result.toPlainText(), page.trouble.text()):
        assert "user part, line 2: ReferenceError: no is not defined" in shown
    page.user.setPlainText("<%= user %>")
    click(desktop, page.preview_button)
    assert "—— user ——\n旅人" in page.result.toPlainText()


# The dialog of characters: faces, texts, what belongs to each, written out and removed.

CTX = NullContext()
CARD = {
    "spec": "chara_card_v2",
    "data": {
        "name": "爱丽丝",
        "description": "酒馆的主人。<b>不是粗体</b>",
        "first_mes": "欢迎。",
        "alternate_greetings": ["又见面了。"],
        "creator": "某人",
        "tags": ["酒馆", "奇幻"],
        "character_book": {"entries": [{"keys": ["酒馆"], "content": "月光酒馆。"}]},
    },
}


def picture(width=300, height=450, form=b"png"):
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(QColor("teal"))
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, form).write(image)
    return bytes(buffer.data().data())


@pytest.fixture
def card(tmp_path):
    file = tmp_path / "爱丽丝.png"
    text = base64.b64encode(json.dumps(CARD).encode())
    file.write_bytes(with_texts(chunks(picture(), "x"), {"chara": text}))
    return file


@pytest.fixture
def dialog(qtbot, desktop, memory, card, tmp_path):
    other = tmp_path / "白兔.json"
    rabbit = {"spec": "chara_card_v2", "data": {"name": "白兔", "description": "总是迟到。"}}
    other.write_text(json.dumps(rabbit), "utf-8")
    for file in (card, other):
        memory.imports.import_file(CTX, file)
    open_page(desktop, "books")
    qtbot.mouseClick(
        desktop.window.stack.page("books").characters_button, Qt.MouseButton.LeftButton
    )
    settle(desktop)
    made = desktop.window.dialogs.shown[-1]
    choose_character(desktop, made, "爱丽丝")
    return made


def choose_character(desktop, dialog, name):
    rows = [n for n in range(dialog.list.count()) if dialog.list.item(n).text() == name]
    dialog.list.setCurrentRow(rows[0])
    settle(desktop)


def words(dialog):
    return [made.text() for made in dialog.findChildren(QLabel) if not made.isHidden()]


def test_a_card_is_read_with_what_belongs_to_it(desktop, dialog):
    assert "酒馆的主人。<b>不是粗体</b>" in words(dialog)
    assert {"又见面了。", "欢迎。", "奇幻"} <= set(words(dialog))
    assert any("某人" in text for text in words(dialog))
    assert "World book: 爱丽丝's Lorebook · 1 entry" in words(dialog)
    faces = {
        dialog.list.item(n).text(): dialog.list.item(n).icon() for n in range(dialog.list.count())
    }
    assert not faces["爱丽丝"].isNull()
    assert faces["白兔"].isNull()
    choose_character(desktop, dialog, "白兔")
    assert "总是迟到。" in words(dialog)
    assert not dialog.png_button.isEnabled()
    dialog.search.setText("爱")
    assert [dialog.list.item(n).isHidden() for n in range(2)].count(False) == 1


def test_a_chat_of_the_character_is_shown(desktop, memory, dialog):
    name = memory.chats.all()[0].name
    (button,) = [b for b in dialog.findChildren(QPushButton) if b.text() == name]
    desktop.workspace.show_chat("")
    click(desktop, button)
    assert desktop.workspace.chat_id == memory.chats.all()[0].chat_id


@pytest.mark.parametrize("suffix", ["png", "json"])
def test_a_card_is_written_to_a_new_file(desktop, memory, dialog, tmp_path, monkeypatch, suffix):
    target = tmp_path / "out"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    button = dialog.png_button if suffix == "png" else dialog.json_button
    click(desktop, button)
    written = target.with_suffix(f".{suffix}")
    assert memory.imports.preview(CTX, written).name == "爱丽丝"
    click(desktop, button)
    assert any("exists already" in bar for bar in bars(desktop))


def bars(desktop):
    return [m.text() for b in desktop.window.message_bar.bars for m in b.findChildren(QLabel)]


def test_a_removed_character_comes_back_with_all_that_went(qtbot, desktop, memory, dialog):
    (worldbook,) = memory.worldbooks.all()
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    (box,) = dialog.findChildren(QMessageBox)
    box.checkBox().setChecked(True)
    click(desktop, next(b for b in box.buttons() if b.text() == "Remove"))
    assert "The character “爱丽丝” was deleted" in bars(desktop)
    assert memory.worldbooks.all() == []
    assert dialog.undo.undo_action.text() == "Undo: Delete the character “爱丽丝”"
    trigger(desktop, dialog.undo.undo_action)
    assert memory.worldbooks.all() == [worldbook]
    choose_character(desktop, dialog, "爱丽丝")
    # a label that was just added is shown a moment later
    qtbot.waitUntil(lambda: "World book: 爱丽丝's Lorebook · 1 entry" in words(dialog))


def test_a_character_with_nothing_else_goes_without_a_question(desktop, memory, dialog):
    choose_character(desktop, dialog, "白兔")
    click(desktop, dialog.delete_button)
    assert [row.name for row in memory.characters.all()] == ["爱丽丝"]
    press_key(desktop, dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert len(memory.characters.all()) == 2


@pytest.mark.parametrize("is_all", [True, False])
def test_a_character_is_removed_and_its_worldbook_if_asked(qtbot, desktop, memory, dialog, is_all):
    qtbot.mouseClick(dialog.delete_button, Qt.MouseButton.LeftButton)
    (box,) = dialog.findChildren(QMessageBox)
    box.checkBox().setChecked(is_all)
    remove = next(b for b in box.buttons() if b.text() == "Remove")
    click(desktop, remove)
    assert [row.name for row in memory.characters.all()] == ["白兔"]
    assert bool(memory.worldbooks.all()) is not is_all
    assert dialog.list.count() == 1
    assert "总是迟到。" in words(dialog)


def test_what_is_no_picture_has_no_face(qtbot):
    assert face_of(b"").isNull()
    assert face_of(b"\x89PNG\r\n\x1a\nnonsense").isNull()
    assert face_of(picture(3000, 3000)).width() == 80


@pytest.mark.parametrize("form", ["jpeg", "webp", "bmp"])
def test_a_face_may_be_of_any_kind_of_picture(qtbot, form):
    assert face_of(picture(300, 300, form.encode())).width() == 80


# The library as somebody of the story knows it; who knows a memory, said by pointing; secrets.


@pytest.fixture
def chat(memory, tmp_path):
    """A chat in which Kyle comes in late."""
    return import_chat(memory, tmp_path / "秘.jsonl", SECRET)


@pytest.fixture
def seen_desktop(open_desktop, memory, chat):
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
    show_chat(made, chat)
    return made


def summaries(desktop):
    model = desktop.window.event_page.view.model()
    return {model.row_at(row).summary for row in range(model.rowCount())}


def test_the_menu_names_who_there_is_and_a_strip_says_as_whom(qtbot, seen_desktop):
    window = seen_desktop.window
    button = window.top.viewpoint_button
    click(seen_desktop, button)
    row = button.names.list.findItems("As 凯尔", Qt.MatchFlag.MatchExactly)[0]
    place = button.names.list.visualItemRect(row).center()
    assert not window.viewpoint.isVisible()
    qtbot.mouseClick(button.names.list.viewport(), Qt.MouseButton.LeftButton, pos=place)
    settle(seen_desktop)
    assert window.viewpoint.isVisible()
    assert "凯尔" in window.viewpoint._text.text()
    click(seen_desktop, window.viewpoint.back_button)
    assert not window.viewpoint.isVisible()
    assert seen_desktop.workspace.actor == ""


def test_every_page_shows_only_what_somebody_knows(seen_desktop):
    window = seen_desktop.window
    everything = summaries(seen_desktop)
    assert len(everything) == 2
    view_as(seen_desktop, "凯尔")
    assert summaries(seen_desktop) == {"凯尔推门进来"}
    assert window.models.events.counts.total == 1
    open_page(seen_desktop, "logs")
    assert window.stack.page("logs").view.model().rowCount() == 0
    window.show_page("recall")
    page = window.stack.page("recall")
    page.question.setText("钥匙藏在哪里")
    page.ask()
    settle(seen_desktop)
    texts = [hit.item.content for hit in window.models.recall.answer.result.hits]
    assert not any("钟楼" in text for text in texts)
    assert "钟楼" not in window.models.recall.answer.injection.text
    open_page(seen_desktop, "graph")
    assert not any("钥匙" in e.name for e in window.models.graph.graph.view.entities)
    view_as(seen_desktop, "")
    open_page(seen_desktop, "events")
    assert summaries(seen_desktop) == everything


def test_messages_are_shown_as_somebody_perceived_them(seen_desktop, memory, chat):
    line = Line.main(chat)
    ids = [m.id for m in memory.messages.slice(line, 0, 3)]
    memory.knowledge.say_present(line, ids, ["旅人", "爱丽丝"])
    view_as(seen_desktop, "凯尔")
    open_page(seen_desktop, "play")
    rows = seen_desktop.window.models.play.rows
    assert rows.count == len(SECRET)
    assert "钟楼" not in "".join(rows.row(n).text for n in range(rows.count))
    assert "凯尔推门进来" in rows.row(4).text


def test_another_chat_is_seen_as_it_is(seen_desktop, memory, chat):
    view_as(seen_desktop, "凯尔")
    other = next(c.chat_id for c in memory.chats.all() if c.chat_id != chat)
    show_chat(seen_desktop, other)
    assert seen_desktop.workspace.actor == ""
    assert not seen_desktop.window.viewpoint.isVisible()


def ask_who(desktop):
    """Point at the selected events and ask, through their menu."""
    view = desktop.window.event_page.view
    view.customContextMenuRequested.emit(QPoint(40, 40))
    choose_in(desktop, open_menu(), "Who knows this…")
    return desktop.window.dialogs.shown[-1]


def choose_viewpoint(desktop, summary):
    view, model = desktop.window.event_page.view, desktop.window.event_page.view.model()
    rows = range(model.rowCount())
    view.show_row(next(row for row in rows if model.row_at(row).summary == summary))


def test_who_knows_an_event_is_said_by_pointing_and_undone(seen_desktop, memory, chat):
    choose_viewpoint(seen_desktop, "钥匙藏在钟楼里")
    dialog = ask_who(seen_desktop)

    def knowers():
        return {k.actor: k for k in seen_desktop.window.models.knowing.who.known.knowers}

    assert "爱丽丝" in knowers()
    assert "凯尔" not in knowers()
    dialog.name.setCurrentIndex(dialog.name.findText("凯尔"))
    dialog.floor.setValue(5)
    click(seen_desktop, dialog.add_known)
    assert knowers()["凯尔"].from_floor == 5
    assert knowers()["凯尔"].is_said
    undo(seen_desktop)
    assert "凯尔" not in {
        k.actor for k in memory.knowledge.who(CTX, Line.main(chat), dialog._who.asked.refs[0])
    }
    assert "凯尔" not in knowers()


def test_it_is_said_of_a_whole_selection(seen_desktop):
    seen_desktop.window.event_page.view.selectAll()
    dialog = ask_who(seen_desktop)
    assert seen_desktop.window.models.knowing.who.known.counts["凯尔"] == 1
    dialog.name.setCurrentIndex(dialog.name.findText("凯尔"))
    click(seen_desktop, dialog.add_known)
    assert seen_desktop.window.models.knowing.who.known.counts["凯尔"] == 2


def test_secrets_say_who_must_not_learn_them(seen_desktop, memory, chat):
    dialog = opened_by(seen_desktop, seen_desktop.window.dialogs.open_secrets)
    texts = [dialog.list.topLevelItem(n).text(0) for n in range(dialog.list.topLevelItemCount())]
    dialog.list.setCurrentItem(dialog.list.topLevelItem(texts.index("钥匙藏在钟楼里")))
    chips = [dialog._cast.itemAt(n).widget() for n in range(dialog._cast.count())]
    chip = next(c for c in chips if c.text() == "凯尔")
    press(seen_desktop, chip)
    secret = next(
        s for s in memory.knowledge.secrets(CTX, Line.main(chat)) if s.text == "钥匙藏在钟楼里"
    )
    assert secret.kept_from == ("凯尔",)
    assert dialog.chosen()[0].kept_from == ("凯尔",)


def test_a_group_gets_members_who_know_its_secrets(seen_desktop, memory, chat):
    event = next(
        s.ref for s in memory.knowledge.secrets(CTX, Line.main(chat)) if s.text == "钥匙藏在钟楼里"
    )
    memory.knowledge.say_known(Line.main(chat), [("event", event)], "守夜人", known=True)
    secrets = opened_by(seen_desktop, seen_desktop.window.dialogs.open_secrets)
    click(seen_desktop, secrets.groups_button)
    dialog = seen_desktop.window.dialogs.shown[-1]
    assert not dialog.join_button.isEnabled()
    dialog.name.setEditText("莉莉")
    dialog.group.setEditText("守夜人")
    dialog.floor.setValue(1)

    def knowers():
        rows = memory.knowledge.who(CTX, Line.main(chat), ("event", event))
        return {(k.actor, k.from_floor) for k in rows if k.how == "member"}

    click(seen_desktop, dialog.join_button)
    assert knowers() == {("莉莉", 1)}
    dialog.floor.setValue(2)
    click(seen_desktop, dialog.leave_button)
    assert [(m.joined, m.left) for m in memory.knowledge.memberships(Line.main(chat))] == [(1, 2)]
    memory.history.undo(chat)
    memory.history.undo(chat)
    assert memory.knowledge.memberships(Line.main(chat)) == []


def test_what_was_asked_before_is_asked_again_as_who_looks_now(seen_desktop):
    window = seen_desktop.window
    window.show_page("recall")
    page = window.stack.page("recall")
    page.question.setText("钥匙藏在哪里")
    page.ask()
    settle(seen_desktop)
    recall = window.models.recall
    assert "钟楼" in recall.answer.injection.text
    window.show_page("events")
    view_as(seen_desktop, "凯尔")
    open_page(seen_desktop, "recall")
    assert "钟楼" not in recall.answer.injection.text
    assert not any("钟楼" in card.findChild(QLabel).text() for card in page.cards)
    view_as(seen_desktop, "")
    assert "钟楼" in recall.answer.injection.text


def test_an_export_holds_what_the_one_who_looks_knows(seen_desktop, chat, tmp_path):
    models = seen_desktop.window.models
    view_as(seen_desktop, "凯尔")
    models.exports.export(chat, tmp_path / "凯尔.md", "markdown", models.exports.actors(chat))
    settle(seen_desktop)
    text = (tmp_path / "凯尔.md").read_text("utf-8")
    assert "凯尔推门进来" in text
    assert "藏在钟楼" not in text


def test_an_export_can_be_made_for_a_scene(qtbot, seen_desktop, chat, tmp_path, monkeypatch):
    seen_desktop.window.sidebar.export_wanted.emit(chat)
    settle(seen_desktop)
    dialog = seen_desktop.window.dialogs.shown[-1]
    names = [dialog.list.item(row).text() for row in range(dialog.list.count())]
    assert set(names) >= {"爱丽丝", "凯尔"}
    qtbot.mouseClick(dialog.some_button, Qt.MouseButton.LeftButton)
    assert not dialog.export_button.isEnabled()  # for nobody there is nothing to write
    for name in ("爱丽丝", "凯尔"):
        dialog.list.item(names.index(name)).setCheckState(Qt.CheckState.Checked)
    target = tmp_path / "场景.md"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_a, **_k: (str(target), ""))
    click(seen_desktop, dialog.export_button)
    text = target.read_text("utf-8")
    assert "凯尔推门进来" in text
    assert "藏在钟楼" not in text


def test_an_export_is_offered_for_whom_the_library_is_seen_as(qtbot, seen_desktop, chat):
    view_as(seen_desktop, "爱丽丝")
    seen_desktop.window.sidebar.export_wanted.emit(chat)
    settle(seen_desktop)
    dialog = seen_desktop.window.dialogs.shown[-1]
    assert dialog.names == ["爱丽丝"]
    qtbot.mouseClick(dialog.all_button, Qt.MouseButton.LeftButton)
    assert dialog.names == []
