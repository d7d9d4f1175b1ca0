"""Every dialog, and the overview."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QColor, QDragEnterEvent, QDropEvent, QImage
from PySide6.QtWidgets import (
    QApplication,
    QFileDialog,
    QLabel,
    QScrollArea,
)

from engram_desktop.app.desktop import Desktop
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import FailedRange
from engram_desktop.domain.settings import DECLARED
from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.storage.care.backup import is_waiting
from engram_desktop.viewmodels.settings.settings_form import final_url, title
from engram_desktop.widgets.characters import CharactersDialog
from engram_desktop.widgets.chats.import_dialog import ImportDialog
from engram_desktop.widgets.library_health import HealthDialog, RestoreDialog
from engram_desktop.widgets.overview.overview_page import OverviewPage
from engram_desktop.widgets.pipeline.review_dialog import ReviewDialog
from engram_desktop.widgets.pipeline.step_dialogs import SummariseDialog
from engram_desktop.widgets.settings import EndpointForm, SettingsDialog
from engram_desktop.widgets.window.window_dialogs import AboutDialog, NoticesDialog
from tests.fake_openai import FakeOpenAI
from tests.gui.places import open_dialog_as
from tests.gui.test_prompts import picture
from tests.gui.waiting import click, dialog_of, press_key, resize, settle, view_as

FAILED = (FailedRange(3, 9, "not JSON", "当然可以！<b>以下</b>是总结"),)


def test_an_empty_dialog_says_what_to_do_and_offers_it(qtbot, desktop, monkeypatch):
    filters = []

    def chosen(_parent, _title, _folder, names):
        filters.append(names)
        return [], ""

    monkeypatch.setattr(QFileDialog, "getOpenFileNames", chosen)
    cast = open_dialog_as(qtbot, desktop, "characters", CharactersDialog)
    cast.import_button.click()
    assert all(ending in filters[0] for ending in ("*.png", "*.charx", "*.json", "*.jsonl"))
    review = open_dialog_as(qtbot, desktop, "review", ReviewDialog)
    assert review._hint.text().startswith("Nothing waits")


def test_a_dialog_is_not_opened_twice(desktop):
    desktop.window.dialogs.help.open_about()
    desktop.window.dialogs.help.open_about()
    assert len(desktop.window.dialogs.shown) == 1


def test_notices_are_opened_from_about_and_searched(desktop):
    desktop.window.dialogs.help.open_about()
    click(desktop, dialog_of(desktop, AboutDialog).notices_button)
    dialog = dialog_of(desktop, NoticesDialog)
    assert dialog.list.count() > 50
    assert dialog.text.toPlainText().startswith(dialog.list.item(0).text())
    dialog.search.setText("lgpl")
    rows = [dialog.list.item(n) for n in range(dialog.list.count())]
    (qt, shiboken) = [row for row in rows if not row.isHidden()]
    dialog.list.setCurrentItem(qt)
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in dialog.text.toPlainText()
    assert "download.qt.io" in dialog.text.toPlainText()
    assert shiboken.text().startswith("shiboken6 ")


@pytest.fixture
def settings(desktop):
    desktop.window.dialogs.open_settings()
    settle(desktop)
    return desktop.window.dialogs.shown[0]


def test_every_setting_has_one_field_on_one_page(settings):
    placed = []
    for number in range(settings.pages.count()):  # a page is made when it is shown
        settings.pages.setCurrentRow(number)
        placed += settings._stack.widget(number).widget().fields
    assert sorted(placed) == sorted(DECLARED)


@pytest.mark.parametrize(("key", "value"), [("llm.timeout", 600), ("llm.parallel", 5)])
def test_what_an_endpoint_is_asked_with_is_set_on_its_page(desktop, memory, settings, key, value):
    settings.show_setting("llm", key)
    spin = field(settings, key)
    spin.setValue(value)
    spin.editingFinished.emit()
    settle(desktop)
    assert memory.settings.read().get(key) == value


def field(dialog, key):
    for number in range(dialog.pages.count()):  # a page is made when it is shown
        dialog.pages.setCurrentRow(number)
    name = title(DECLARED[key])
    return next(w for w in dialog.findChildren(object) if accessible(w) == name)


def accessible(widget):
    return widget.accessibleName() if hasattr(widget, "accessibleName") else ""


def test_a_page_of_the_settings_is_made_when_it_is_shown(settings):
    places = [settings._stack.widget(n) for n in range(settings.pages.count())]
    made = [isinstance(place, QScrollArea) for place in places]
    assert made == [True] + [False] * (len(made) - 1)
    settings.pages.setCurrentRow(3)
    assert settings._stack.currentWidget().widget() is not None
    assert settings._stack.count() == len(places)


def test_icons_follow_the_theme(desktop):
    look = desktop.window._look

    def ink():
        picture = look.icon("undo").pixmap(18).toImage()
        return {picture.pixelColor(x, y).name() for x in range(18) for y in range(18)}

    look.apply("light")
    light = ink()
    assert ink() == light
    look.apply("dark")
    assert ink() != light
    look.apply("light")
    assert ink() == light


def test_a_setting_is_saved_as_it_changes(desktop, memory, settings):
    spin = field(settings, "summary.interval")
    spin.setValue(40)
    spin.editingFinished.emit()
    settle(desktop)
    assert memory.settings.read().summary_interval == 40


def test_density_and_theme_follow_at_once(desktop, memory, settings):
    box = field(settings, "ui.density")
    box.setCurrentIndex(1)
    box.activated.emit(1)
    settle(desktop)
    assert memory.settings.read().ui_density == "compact"
    assert desktop.window.event_page.view.rowHeight(0) == 64


def endpoint(dialog: SettingsDialog, number):
    dialog.pages.setCurrentRow(number)
    around = dialog._stack.widget(number)
    assert isinstance(around, QScrollArea)
    return around.widget()


def test_the_address_really_called_is_shown(settings):
    form = endpoint(settings, 0)
    form.url.setText("https://host/v1/")
    assert form._final.text().endswith("https://host/v1/chat/completions")
    form.url.clear()
    assert "nothing is sent" in form._final.text()
    form.url.setText("localhost:8765")
    assert form._final.text() == (
        "The address “localhost:8765” cannot be used: it must begin with http:// or https://."
    )
    assert final_url("embed", " https://h/v1 ") == "https://h/v1/embeddings"


def test_a_preset_fills_the_form_and_is_saved(desktop, memory, settings):
    form = endpoint(settings, 0)
    form.preset.setCurrentIndex(1)
    form.preset.activated.emit(1)
    settle(desktop)
    assert memory.settings.read().llm_base_url == form.url.text() != ""
    assert memory.settings.read().llm_model == form.model.currentText() != ""


def test_the_connection_test_gives_the_servers_own_words(desktop, settings):
    with FakeOpenAI() as server:
        form = endpoint(settings, 0)
        form.url.setText(server.url)
        form.model.setEditText("test-model")
        click(desktop, form.test_button)
        assert form._answer.text().startswith("It answered.")
        assert form._answer.property("tone") == "good"
    form.url.setText("http://127.0.0.1:9/v1")
    click(desktop, form.test_button)
    assert form._answer.text().startswith("It does not work yet.")
    assert "127.0.0.1:9" in form._answer.text()


def test_after_a_test_the_focus_is_on_the_button_that_was_pressed(qtbot, desktop, settings):
    form = endpoint(settings, 0)
    form.url.setText("http://127.0.0.1:9/v1")
    form.model.setEditText("test-model")
    settings.activateWindow()
    form.test_button.setFocus()
    qtbot.waitUntil(form.test_button.hasFocus)
    press_key(desktop, form.test_button, Qt.Key.Key_Space)
    assert form._answer.text().startswith("It does not work yet.")
    assert settings.focusWidget() is form.test_button


def test_an_address_without_a_model_is_told_so_where_it_is_seen(desktop, settings):
    settings.resize(settings.width(), settings.minimumSizeHint().height())
    form = endpoint(settings, 0)
    form.url.setText("http://127.0.0.1:9/v1")
    form.model.setEditText("")
    click(desktop, form.test_button)
    assert "No model is chosen" in form._answer.text()
    seen = form._answer.visibleRegion().boundingRect()
    assert seen.height() == form._answer.height() > 0


def test_a_key_typed_is_kept_and_not_shown_again(desktop, memory, settings):
    form = endpoint(settings, 0)
    form.key.setText(" sk-canary-1234 \n")
    form.key.submitted.emit()
    settle(desktop)
    assert memory.endpoints.has_key("llm")
    assert form.key.text() == ""
    assert "stored" in form._key_state.text()


def test_a_failed_block_shows_the_raw_answer(desktop):
    desktop.window.dialogs.open_failures(FAILED)
    dialog = desktop.window.dialogs.shown[0]
    assert dialog.raw.toPlainText() == FAILED[0].raw
    assert dialog._reason.text() == "not JSON"


def test_a_backup_is_chosen_and_waits_for_the_next_opening(desktop, memory):
    memory.backups.make(NullContext())
    reopened = []
    desktop.reopen_wanted.connect(lambda: reopened.append(True))
    desktop.window.dialogs.open_health()
    settle(desktop)
    health = dialog_of(desktop, HealthDialog)
    click(desktop, health.restore_button)
    dialog = dialog_of(desktop, RestoreDialog)
    assert dialog.list.count() == 1
    memory.settings.set("recall.top_k", 33)
    click(desktop, dialog.restore_button)
    assert reopened == [True]
    assert memory.settings.read().recall_top_k == 33, "until then everything stays"
    assert is_waiting(memory.folder)


def test_models_that_an_endpoint_offers_can_be_chosen(settings):
    form = settings.findChildren(EndpointForm)[0]
    form._endpoint.models_read.emit(["small", "large"])
    assert [form.model.itemText(n) for n in range(form.model.count())] == ["small", "large"]
    assert form.model.currentText() == "small"
    form.model.setEditText("my own")
    form._endpoint.models_read.emit(["large"])
    assert form.model.currentText() == "my own"
    form.model.hidePopup()


def test_what_was_typed_and_not_saved_is_said_above_its_fields(settings):
    form = settings.findChildren(EndpointForm)[0]
    assert form._typing.hint.parentWidget() is not None
    assert form.isAncestorOf(form._typing.hint)


# The page of a chat as a whole: what it tells, where it leads, and that it fills by itself.

CTX = NullContext()
LEFT = Qt.MouseButton.LeftButton


def page_of(desktop: Desktop) -> OverviewPage:
    return desktop.window.stack.page_as("overview", OverviewPage)


def show(desktop) -> OverviewPage:
    click(desktop, desktop.window.top.page_buttons["overview"])
    return page_of(desktop)


def words(widget) -> str:
    return "\n".join(part.text() for part in widget.findChildren(QLabel) if part.isVisible())


def rows_of(card):
    return [row for row in card.rows if row.isVisible()]


def test_it_tells_the_story_the_moments_the_cast_and_how_far_memory_is(desktop):
    page = show(desktop)
    assert "第35天 傍晚" in words(page.story)
    assert len(rows_of(page.moments)) == 8
    assert [row.accessibleName() for row in rows_of(page.cast)][:2] == ["旅人", "爱丽丝"]
    player = desktop.window.models.overview.current.overview.cast[0]
    assert player.events > 10
    assert f"{player.events} events" in words(page.cast)
    told = words(page.progress)
    assert "159 of 159 floors have become memory" in told
    assert "no model was asked" in told
    assert page.progress.figures["buffer"].accessibleName() == "buffer: 7"
    assert page.step.button.text() == "Connect a model…"


def test_what_it_tells_leads_to_events_lines_and_people(desktop):
    page, window = show(desktop), desktop.window
    moment = rows_of(page.moments)[3]
    click(desktop, moment)
    assert window.page == "events"
    assert moment.accessibleName()[:40] in window.models.editor.current.summary
    page = show(desktop)
    click(desktop, rows_of(page.moments)[3].lines_button)
    assert window.page == "reading"
    assert window.models.reading.lines.title == "Overview"
    page = show(desktop)
    person = rows_of(page.cast)[1]
    person.setFocus()
    press_key(desktop, person, Qt.Key.Key_Return)
    assert window.page == "graph"
    assert window.models.entity.entity.name == "爱丽丝"


def test_a_model_is_offered_where_there_is_none(qtbot, desktop):
    page = show(desktop)
    click(desktop, page.step.button)
    assert [type(dialog) for dialog in desktop.window.dialogs.shown] == [SettingsDialog]
    desktop.window.dialogs.shown[0].close()
    desktop.workspace.change(
        "",
        lambda _ctx: desktop.workspace.memory.settings.set("llm.base_url", "http://127.0.0.1:9/v1"),
    )
    qtbot.waitUntil(lambda: page.step.button.text() == "Play on", timeout=10_000)
    qtbot.mouseClick(page.step.button, LEFT)
    assert desktop.window.page == "play"


def test_it_says_nothing_while_it_is_being_read(desktop):
    """Grey lines stand where the words will be: nothing says that there is nothing."""
    page = show(desktop)
    desktop.workspace.view_as("凯尔")
    assert not page.story.nothing.isVisible()
    assert not page.moments.nothing.isVisible()
    assert not page.step.button.isVisible()
    assert page.cast.skeleton.isVisible()
    assert page.story.skeleton.isVisible()
    settle(desktop)
    assert rows_of(page.story)
    assert not page.cast.skeleton.isVisible()


@pytest.fixture
def card(tmp_path):
    file = tmp_path / "爱丽丝.png"
    told = {"spec": "chara_card_v2", "data": {"name": "爱丽丝", "description": "老板娘。"}}
    text = base64.b64encode(json.dumps(told).encode())
    file.write_bytes(with_texts(chunks(picture(), "x"), {"chara": text}))
    return file


def drop(window, path):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier(0)
    for event in (QDragEnterEvent(QPoint(300, 300), *how), QDropEvent(QPointF(300, 300), *how)):
        event.ignore()
        QApplication.sendEvent(window.windowHandle(), event)  # as a file manager does
        assert event.isAccepted()


def test_a_chat_that_is_dropped_is_shown_as_a_whole_and_fills(
    qtbot, open_desktop, empty_memory, card
):
    empty_memory.imports.import_file(CTX, card)
    desktop = open_desktop(empty_memory)
    window = desktop.window
    drop(window, resource("story/月光酒馆.jsonl"))
    settle(desktop)
    dialog = window.dialogs.shown[0]
    assert isinstance(dialog, ImportDialog)
    dialog.import_button.click()
    qtbot.waitUntil(lambda: window.page == "overview", timeout=20_000)
    page = page_of(desktop)
    qtbot.waitUntil(lambda: bool(rows_of(page.cast)), timeout=20_000)
    alice = next(row for row in rows_of(page.cast) if row.accessibleName() == "爱丽丝")
    assert "老板娘。" in words(alice)
    face = alice.face.grab().toImage()
    middle = face.pixelColor(face.width() // 2, face.height() // 2)
    assert _is_near(middle, QColor("teal"))
    qtbot.waitUntil(lambda: len(rows_of(page.moments)) > 3, timeout=60_000)
    settle(desktop)
    assert rows_of(page.story)
    assert page.step.button.text() == "Connect a model…"


def _is_near(one, other):
    return all(abs(a - b) < 12 for a, b in zip(one.getRgb()[:3], other.getRgb()[:3], strict=True))


def test_floors_that_are_not_read_are_the_next_step(open_desktop, empty_memory):
    empty_memory.settings.set("auto.enabled", value=False)
    chat = empty_memory.imports.import_file(CTX, resource("story/月光酒馆.jsonl")).chat_id
    desktop = open_desktop(empty_memory)
    page = show(desktop)
    assert Line.main(chat) == desktop.workspace.line
    assert page.step.title.text() == "159 floors are not in memory yet"
    assert page.story.nothing.isVisible()
    assert page.progress.figures["untold"].accessibleName() == "floors unread: 159"
    click(desktop, page.step.button)
    assert [type(dialog) for dialog in desktop.window.dialogs.shown] == [SummariseDialog]


def test_it_stands_in_one_column_where_there_is_no_room(qtbot, desktop):
    desktop.window.resize(1440, 900)
    page = show(desktop)
    assert page.cast.mapTo(page, QPoint()).x() > page.story.mapTo(page, QPoint()).x() + 200
    resize(desktop, 900, 600)
    qtbot.waitUntil(
        lambda: page.cast.mapTo(page, QPoint()).x() == page.story.mapTo(page, QPoint()).x(),
        timeout=5_000,
    )
    bar = page.area.horizontalScrollBar()
    assert bar.maximum() == 0


def test_as_somebody_of_the_story_it_tells_what_that_one_knows(desktop):
    page = show(desktop)
    everything = words(page.story)
    view_as(desktop, "凯尔")
    assert words(page.story) != everything
    assert len(rows_of(page.moments)) < 8


def test_a_face_without_a_picture_is_the_first_letter(desktop):
    page = show(desktop)
    face = rows_of(page.cast)[1].face.grab().toImage()
    assert isinstance(face, QImage)
    assert face.pixelColor(4, face.height() // 2) == desktop.look.color("red_soft")
