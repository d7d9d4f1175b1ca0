"""What is typed is stored within a second, and typing on is not disturbed by that."""

import json

from engram_desktop.domain.memory.event import LogPatch, SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.gui.waiting import commit, settle

CTX = NullContext()
SOON_MS = 1000


def type_into(qtbot, desktop, field, text):
    desktop.window.activateWindow()
    field.setFocus()
    qtbot.waitUntil(field.hasFocus)
    commit(field, text)


def test_a_summary_being_typed_is_stored_and_typing_goes_on(qtbot, desktop, memory):
    window, chat = desktop.window, desktop.workspace.chat_id
    window.event_page.view.show_row(0)
    window.editor.show_tab(1)
    settle(qtbot, desktop)
    key = window.models.editor.current.pk
    steps = len(memory.history.steps(chat))
    field = window.editor.fields.summary
    field.selectAll()
    for number, part in enumerate(("她打开", "了门， ", "看见海")):
        type_into(qtbot, desktop, field, part)
        said = "她打开了门， 看见海"[: (3, 7, 10)[number]]
        qtbot.waitUntil(
            lambda text=said: (
                memory.events.fetch(chat, [key])[key].summary == text.strip()
                or memory.events.fetch(chat, [key])[key].summary == text
            ),
            timeout=SOON_MS + 4000,
        )
        settle(qtbot, desktop)
        assert field.toPlainText() == said
        assert field.textCursor().position() == len(said)
    assert len(memory.history.steps(chat)) == steps + 1, "typing in one field is one step"
    memory.history.undo(chat)


def test_an_emptied_summary_waits_for_its_first_words(qtbot, desktop):
    window = desktop.window
    window.event_page.view.show_row(0)
    window.editor.show_tab(1)
    settle(qtbot, desktop)
    field = window.editor.fields.summary
    type_into(qtbot, desktop, field, "x")
    field.clear()
    assert window.models.editor._idle.interval() <= SOON_MS
    window.models.editor._save_typed()
    settle(qtbot, desktop)
    assert field.toPlainText() == ""
    assert window.message_bar.bars == []
    window.models.editor.discard()


def test_a_log_an_entry_and_a_profile_are_stored_as_they_are_typed(
    qtbot, desktop, memory, tmp_path
):
    window, chat = desktop.window, desktop.workspace.chat_id
    key, _ = memory.logs.add(
        Line.main(chat), LogPatch("爱丽丝", "旧", source_range=SourceRange(0, 1))
    )
    entry = {"key": ["门"], "comment": "门", "content": "旧"}
    file = tmp_path / "书.json"
    file.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    memory.imports.import_file(CTX, file)
    worldbook = memory.worldbooks.all()[0].id
    window.show_page("logs")
    settle(qtbot, desktop)
    window.models.logs.show_log(key)
    type_into(qtbot, desktop, window.stack.panel("logs").content, "新的想法 ")
    qtbot.waitUntil(lambda: "新的想法" in memory.logs.fetch(chat, [key])[key].content, timeout=5000)
    settle(qtbot, desktop)
    assert "新的想法 " in window.stack.panel("logs").content.toPlainText(), (
        "a blank stays for the next word"
    )
    window.show_page("books")
    window.models.worldbooks.open(worldbook)
    settle(qtbot, desktop)
    window.stack.page("books").view.setCurrentIndex(
        window.stack.page("books").view.model().index(0, 0)
    )
    settle(qtbot, desktop)
    type_into(qtbot, desktop, window.stack.panel("books").content, "新的条目")
    qtbot.waitUntil(
        lambda: "新的条目" in window.models.worldbooks.current.content and desktop.runner.is_idle,
        timeout=5000,
    )
    window.show_page("graph")
    settle(qtbot, desktop)
    entity = window.models.graph.entity
    type_into(qtbot, desktop, window.stack.panel("graph").fields.profile, "住处: 灯塔")
    qtbot.waitUntil(
        lambda: memory.graph.find_entity(chat, entity.name).profile.get("住处") == "灯塔",
        timeout=5000,
    )
    settle(qtbot, desktop)
    assert window.stack.panel("graph").fields.profile.toPlainText().startswith("住处: 灯塔")


def test_no_field_waits_longer_than_a_second(desktop):
    window = desktop.window
    waits = [window.models.editor._idle.interval(), window.models.logs._idle.interval()]
    assert all(wait <= SOON_MS for wait in waits)
