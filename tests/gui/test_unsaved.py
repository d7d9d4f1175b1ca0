"""What was typed when the program died is back; saving, cancelling and discarding forget it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
import sys

import pytest
import shiboken6
from PySide6.QtWidgets import QLabel, QPushButton

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.storage.library.trash import FILE_NAME
from engram_desktop.widgets.events.dialogs import AddDialog
from engram_desktop.widgets.logs.log_panel import LogDialog
from engram_desktop.widgets.pipeline.review_dialog import ReviewDialog
from engram_desktop.widgets.pipeline.usage_dialogs import FailuresDialog
from engram_desktop.widgets.prompts import TextsDialog
from tests.factories import story_rows, write_chat
from tests.fake_openai import FakeOpenAI
from tests.gui.places import open_dialog_as
from tests.gui.reviewed import answer, summaries
from tests.gui.waiting import commit, settle

CTX = NullContext()
LATEST_MS = 5000  # it takes 0.8 s; a slow machine is no failure


@pytest.fixture
def after_a_kill(open_desktop, open_memory, tmp_path):
    """Open what a kill would have left of a library, in a window of its own."""

    def make(library):
        copy = shutil.copytree(library, tmp_path / "after a kill")
        return open_desktop(open_memory(copy))

    return make


@pytest.fixture
def kept(qtbot):
    """Wait until the file of a folder tells of a text."""

    def wait(folder, text):
        file = folder / FILE_NAME
        wanted = json.dumps(text, ensure_ascii=False)[1:-1]
        qtbot.waitUntil(
            lambda: file.exists() and wanted in file.read_text("utf-8"), timeout=LATEST_MS
        )
        return file

    return wait


def chat_folder(desktop):
    return desktop.workspace.memory.folder / "chats" / desktop.workspace.chat_id


def press(dialog, text):
    next(b for b in dialog.findChildren(QPushButton) if b.text() == text).click()


def test_a_memory_being_written_is_back_with_its_words_and_says_so(
    qtbot, desktop, library, kept, after_a_kill
):
    dialog = open_dialog_as(qtbot, desktop, "add", AddDialog)
    dialog.fact_button.setChecked(True)
    commit(dialog.text, "银会灼伤林晚。")
    commit(dialog.keywords.field, "银")
    dialog.keywords.field.submitted.emit()
    commit(dialog.keywords.field, "林")
    file = kept(chat_folder(desktop), "林")
    assert os.name == "nt" or stat.S_IMODE(file.stat().st_mode) == 0o600
    again = open_dialog_as(qtbot, after_a_kill(library), "add", AddDialog)
    assert again.text.toPlainText() == "银会灼伤林晚。"
    assert (again.keywords.words, again.keywords.field.text()) == (("银",), "林")
    assert again.fact_button.isChecked()
    assert again.save_button.isEnabled()
    said = [part.text() for part in again.findChildren(QLabel) if part.isVisible()]
    assert "What was typed here before is back. It is not saved yet." in said


@pytest.mark.parametrize("button", ["Cancel", "Save"])
def test_cancelling_and_saving_both_forget_it(qtbot, desktop, kept, button):
    dialog = open_dialog_as(qtbot, desktop, "add", AddDialog)
    commit(dialog.text, "会被忘掉的话")
    file = kept(chat_folder(desktop), "会被忘掉的话")
    press(dialog, button)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog), timeout=LATEST_MS)
    settle(qtbot, desktop)
    assert not file.exists()
    assert open_dialog_as(qtbot, desktop, "add", AddDialog).text.toPlainText() == ""


def test_another_chat_does_not_see_it_and_it_goes_with_its_chat(
    qtbot, desktop, memory, kept, tmp_path
):
    dialog = open_dialog_as(qtbot, desktop, "add", AddDialog)
    commit(dialog.text, "只属于这一段故事")
    kept(chat_folder(desktop), "只属于这一段故事")
    other = memory.imports.import_file(CTX, write_chat(tmp_path / "另一个.jsonl", story_rows(4)))
    assert memory.unsaved.read(other.chat_id) == {}
    memory.chats.delete(desktop.workspace.chat_id)
    for row in memory.chats.deleted():
        memory.chats.delete_for_good(row.id)
    assert not list(memory.folder.rglob(FILE_NAME))


def test_a_prompt_and_a_profile_that_are_not_whole_yet_are_back(
    qtbot, desktop, library, kept, after_a_kill
):
    texts = open_dialog_as(qtbot, desktop, "texts", TextsDialog)
    commit(texts.prompts.user, "{{半个宏")
    kept(library, "{{半个宏")
    desktop.window.show_page("graph")
    settle(qtbot, desktop)
    profile = desktop.window.stack.panel("graph").fields.profile
    desktop.window.activateWindow()
    profile.setFocus()
    qtbot.waitUntil(profile.hasFocus)
    profile.selectAll()
    commit(profile, "住处: [灯塔")
    kept(chat_folder(desktop), "住处: [灯塔")
    again = after_a_kill(library)
    prompts = open_dialog_as(qtbot, again, "texts", TextsDialog).prompts
    assert "{{半个宏" in prompts.user.toPlainText()
    assert prompts.typing.hint.isVisible()
    prompts.language.setCurrentIndex(1)
    prompts.language.activated.emit(1)
    settle(qtbot, again)
    assert "{{半个宏" not in prompts.user.toPlainText()
    prompts.language.setCurrentIndex(0)
    prompts.language.activated.emit(0)
    settle(qtbot, again)
    assert "{{半个宏" in prompts.user.toPlainText(), "a look at another prompt loses nothing"
    prompts.save_button.click()
    settle(qtbot, again)
    assert not (again.workspace.memory.folder / FILE_NAME).exists()
    assert not prompts.typing.hint.isVisible()
    again.window.show_page("graph")
    settle(qtbot, again)
    fields = again.window.stack.panel("graph").fields
    assert fields.profile.toPlainText() == "住处: [灯塔"
    qtbot.waitUntil(fields.fault.isVisible, timeout=LATEST_MS)


@pytest.fixture
def llm():
    with FakeOpenAI(answer=answer) as server:
        yield server


@pytest.fixture
def chat(empty_memory, llm, tmp_path):
    for key, value in {"llm.base_url": llm.url, "llm.model": "fake-chat"}.items():
        empty_memory.settings.set(key, value)
    file = write_chat(tmp_path / "故事.jsonl", story_rows(60))
    return empty_memory.imports.import_file(CTX, file).chat_id


def test_corrections_of_a_draft_are_back_and_saved_unlooked_at(
    qtbot, open_desktop, empty_memory, chat, kept, after_a_kill
):
    empty_memory.pipeline.summarise(CTX, Line.main(chat), review=True)
    desktop = open_desktop(empty_memory)
    dialog = open_dialog_as(qtbot, desktop, "review", ReviewDialog)
    dialog.blocks.setCurrentRow(1)
    settle(qtbot, desktop)
    dialog.fields.summary.setPlainText("我改过的总结。")
    kept(chat_folder(desktop), "我改过的总结。")
    again = after_a_kill(empty_memory.folder)
    shown = open_dialog_as(qtbot, again, "review", ReviewDialog)
    assert shown.blocks.currentRow() == 0
    shown.all_button.click()
    settle(qtbot, again)
    memory = again.workspace.memory
    assert "我改过的总结。" in summaries(memory, chat)
    assert memory.unsaved.read(chat) == {}


def test_an_answer_being_mended_is_back(
    qtbot, open_desktop, empty_memory, chat, llm, kept, after_a_kill
):
    llm.answer = lambda _body: "当然可以！"
    empty_memory.pipeline.summarise(CTX, Line.main(chat), (0, 24))
    desktop = open_desktop(empty_memory)
    dialog = open_dialog_as(qtbot, desktop, "failures", FailuresDialog, ())
    dialog.activateWindow()
    dialog.raw.setFocus()
    qtbot.waitUntil(dialog.raw.hasFocus)
    dialog.raw.selectAll()
    commit(dialog.raw, '{"events": [')
    kept(chat_folder(desktop), '{"events": [')
    again = after_a_kill(empty_memory.folder)
    shown = open_dialog_as(qtbot, again, "failures", FailuresDialog, ())
    assert shown.raw.toPlainText() == '{"events": ['
    again.window.models.review.read()
    settle(qtbot, again)
    assert shown.raw.toPlainText() == '{"events": ['
    shown.close()
    settle(qtbot, again)
    assert again.workspace.memory.unsaved.read(chat) == {}


TYPIST = """
import sys
from pathlib import Path
from PySide6.QtCore import QTimer
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtWidgets import QApplication
app = QApplication([])
from engram_desktop.app.start import build
from engram_desktop.services.memory import Memory
library = Path(sys.argv[1])
memory = Memory.open(library, environ={})
desktop = build(app, memory, library, language="en", theme="light")
window = desktop.window
window.show()

def commit(field, text):
    window.activateWindow()
    field.setFocus()
    event = QInputMethodEvent()
    event.setCommitString(text)
    QApplication.sendEvent(field, event)

def open_event():
    if not window.event_page.view.model().rowCount():
        QTimer.singleShot(50, open_event)
        return
    window.event_page.view.show_row(0)
    window.editor.show_tab(1)
    commit(window.editor.fields.summary, "杀掉之前写的总结")
    QTimer.singleShot(1000, open_dialog)

def open_dialog():
    window.dialogs.open_log()
    dialog = window.dialogs.shown[-1]
    commit(dialog.owner, "爱丽丝")
    commit(dialog.content, "杀掉之前写的心事")
    QTimer.singleShot(1000, lambda: print("ready", flush=True))

open_event()
app.exec()
"""


@pytest.mark.e2e
def test_a_process_killed_a_second_after_the_last_key_loses_nothing(
    qtbot, library, open_desktop, open_memory
):
    with subprocess.Popen(
        [sys.executable, "-c", TYPIST, str(library)],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"QT_QPA_PLATFORM": "offscreen"},
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline().strip() == "ready"
        process.kill()
    memory = open_memory(library)
    chat = memory.chats.all()[0].chat_id
    assert any("杀掉之前写的总结" in text for text in summaries(memory, chat))
    desktop = open_desktop(memory)
    dialog = open_dialog_as(qtbot, desktop, "log", LogDialog)
    assert dialog.owner.text() == "爱丽丝"
    assert dialog.content.toPlainText() == "杀掉之前写的心事"
