"""Private notes in the window: written beside what they are on, found, undone."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt
from typing_extensions import override

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.widgets.parts.fields.text_fields import NoteField
from tests.gui.waiting import commit, open_page, settle, undo, view_as

CTX = NullContext()


def shown_note(window) -> NoteField:
    """The one field for a note that is seen now."""
    fields: list[NoteField] = window.findChildren(NoteField)
    (field,) = [f for f in fields if f.isVisible()]
    return field


def write(qtbot, desktop, text):
    """Open the field, type, and leave it."""
    field = shown_note(desktop.window)
    if not field.text.isVisible():
        qtbot.mouseClick(field.fold.head, Qt.MouseButton.LeftButton)
        qtbot.waitUntil(field.text.isVisible)
    field.text.setFocus()
    commit(field.text, text)
    field.text.clearFocus()
    field.save()
    settle(desktop)


def go_to_event(desktop):
    window = desktop.window
    open_page(desktop, "events")
    window.models.editor.show_event(window.models.events.model.row_at(3).pk)
    settle(desktop)


def go_to_entity(desktop):
    open_page(desktop, "graph")
    line = Line.main(desktop.workspace.chat_id)
    desktop.window.models.graph.show_entity(
        desktop.workspace.memory.graph.find_entities(line)[0].id
    )
    settle(desktop)


def go_to_message(desktop):
    open_page(desktop, "reading")
    desktop.window.models.reading.choose(12, 12)
    settle(desktop)


def go_to_chat(desktop):
    open_page(desktop, "overview")


WAYS = {
    "event": go_to_event,
    "entity": go_to_entity,
    "message": go_to_message,
    "chat": go_to_chat,
}


@pytest.mark.parametrize("kind", WAYS)
def test_a_note_is_written_where_the_thing_is_edited_found_and_undone(qtbot, desktop, kind):
    space, window = desktop.workspace, desktop.window
    WAYS[kind](desktop)
    assert not shown_note(window).text.isVisible(), "folded away while nothing is written"
    write(qtbot, desktop, "密语：先别让她知道。")
    (note,) = space.memory.chats.notes.all(space.chat_id)
    assert (note.kind, note.text) == (kind, "密语：先别让她知道。")
    go_to_chat(desktop)
    WAYS[kind](desktop)
    assert shown_note(window).text.toPlainText() == "密语：先别让她知道。"
    assert shown_note(window).text.isVisible(), "open where something is written"
    undo(desktop)
    assert shown_note(window).text.toPlainText() == ""
    assert space.memory.chats.notes.all(space.chat_id) == []


def test_another_event_takes_the_note_of_its_own(desktop):
    window, space = desktop.window, desktop.workspace
    go_to_event(desktop)
    field = shown_note(window)
    field.fold.set_open(is_open=True)
    field.text.setFocus()
    commit(field.text, "第一条")  # typed, and not left: it is saved with the change of event
    window.models.editor.show_event(window.models.events.model.row_at(4).pk)
    settle(desktop)
    assert field.text.toPlainText() == ""
    assert [note.text for note in space.memory.chats.notes.all(space.chat_id)] == ["第一条"]


def test_seen_as_a_character_there_are_no_notes(qtbot, desktop):
    go_to_event(desktop)
    write(qtbot, desktop, "密语")
    view_as(desktop, "爱丽丝")
    for way in WAYS.values():
        way(desktop)
        assert not [f for f in desktop.window.findChildren(NoteField) if f.isVisible()]


@pytest.mark.parametrize("kind", WAYS)
def test_the_search_of_the_window_finds_notes_and_goes_to_what_they_are_on(qtbot, desktop, kind):
    window, space = desktop.window, desktop.workspace
    WAYS[kind](desktop)
    write(qtbot, desktop, "琉璃盏的由来")
    go_to_chat(desktop)
    result = space.memory.search.find(CTX, "琉璃盏", space.line)
    assert result.groups == (), "nobody is shown them who does not ask for them"
    (group,) = space.memory.search.find(NullContext(), "琉璃盏", space.line, with_notes=True).groups
    assert (group.kind, group.count, group.hits[0].on) == ("note", 1, kind)
    window.models.opener.open(group.hits[0])
    settle(desktop)
    pages = {"event": "events", "entity": "graph", "message": "reading", "chat": "overview"}
    assert window.page == pages[kind]
    if kind == "event":
        assert window.models.editor.current.id == group.hits[0].ref


# The mark of what has a note, on the cards, in the list of entities and in the text.


def note_all(desktop):
    """Write a note on an event, an entity and the message of floor 12; returns their names."""
    space = desktop.workspace
    line, notes = space.line, space.memory.chats.notes
    event = desktop.window.models.events.model.row_at(3)
    entity = space.memory.graph.find_entities(line)[0]
    message = space.memory.messages.slice(line, 12, 12)[0]
    for kind, ref in (("event", event.id), ("entity", entity.id), ("message", message.id)):
        space.change("", lambda _ctx, k=kind, r=ref: notes.write(line.chat_id, k, r, "密语"))
    return event, entity


def marks(desktop, event, entity):
    """What is seen, and said, of notes: on the event, the entity, the message of floor 12."""
    window = desktop.window
    model, card = window.models.events.model, window.event_page.view.card
    row = QRect(0, 0, 600, 100)
    on_event = card.tip(row, QPoint(300, 50), event), model.spoken_text(event)
    open_page(desktop, "graph")
    rows = window.stack.page("graph").list.rows
    index = rows.index_of(entity.id)
    on_entity = rows.data(index, TOOLTIP), rows.data(index, SPOKEN), rows.data(index, PICTURE)
    open_page(desktop, "reading")
    on_message = tuple(note.tip for note in window.models.reading.rows.row(12).notes)
    return on_event, on_entity, on_message


TOOLTIP = Qt.ItemDataRole.ToolTipRole
SPOKEN = Qt.ItemDataRole.AccessibleTextRole
PICTURE = Qt.ItemDataRole.DecorationRole
WORDS = "You wrote a private note on this"


class Painted(QObject):
    """How often a widget was painted."""

    def __init__(self, widget):
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    @override
    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.Paint
        return False


def test_what_has_a_note_is_marked_and_says_so(desktop):
    window = desktop.window
    open_page(desktop, "events")
    plain = window.event_page.view.grab().toImage()
    painted = Painted(window.event_page.view.viewport())
    event, entity = note_all(desktop)
    settle(desktop)
    assert painted.count > 0
    assert window.event_page.view.grab().toImage() != plain
    on_event, on_entity, on_message = marks(desktop, event, entity)
    assert all(WORDS in text for text in on_event)
    for told in on_entity[:2]:
        assert WORDS in told
        assert entity.name in told
    noted_icon = on_entity[2]
    assert not noted_icon.isNull()
    assert on_message == (WORDS,)
    page = window.stack.page("reading")
    page.view.show_floor(12)
    page.view.note_pressed.emit(12, "private")
    settle(desktop)
    assert shown_note(window).text.toPlainText() == "密语"
    for _step in range(3):
        undo(desktop)
    on_event, on_entity, on_message = marks(desktop, event, entity)
    assert not any(WORDS in text for text in on_event)
    assert not any(WORDS in told for told in on_entity[:2])
    assert on_entity[2].cacheKey() != noted_icon.cacheKey()
    assert on_message == ()


def test_seen_as_a_character_nothing_is_marked(desktop):
    event, entity = note_all(desktop)
    settle(desktop)
    assert desktop.window.models.noted.has_event(event.id)
    view_as(desktop, "爱丽丝")
    on_event, on_entity, on_message = marks(desktop, event, entity)
    assert WORDS not in "".join(on_event)
    assert WORDS not in "".join(filter(None, on_entity[:2]))
    assert on_message == ()


def test_a_branch_marks_the_messages_it_has(desktop):
    note_all(desktop)
    settle(desktop)
    space, noted = desktop.workspace, desktop.window.models.noted
    assert noted.has_floor(12)
    for floor, has_it in ((20, True), (8, False)):
        branch = space.memory.play.fork(Line.main(space.chat_id), floor).line.branch_id
        space.show_branch(branch)
        settle(desktop)
        assert noted.has_floor(12) is has_it
