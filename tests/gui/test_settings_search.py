"""Finding a setting by what is read of it, and going back to defaults."""

import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QSpinBox

from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.viewmodels.settings.settings_form import PAGES, help_text
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.widgets.settings.settings_dialog import SettingsDialog
from tests.gui.places import open_dialog_as
from tests.gui.waiting import commit, settle


def opened(qtbot, desktop):
    return open_dialog_as(qtbot, desktop, "settings", SettingsDialog)


def rows(dialog):
    found = dialog.found.list
    return [found.item(n).text() for n in range(found.count())] if found.isVisible() else []


@pytest.mark.parametrize(
    ("typed", "title", "where"),
    [
        ("卡片", "事件卡片", "外观"),
        ("深色", "主题", "外观"),  # the name of an option
        ("缩", "缩放", "外观"),  # one character
        ("recall.top_k", "每次召回", "召回与注入"),  # the key
        ("llm.model", "模型", "语言模型"),
    ],
)
def test_a_setting_is_found_by_its_name_an_option_a_character_or_its_key(
    qtbot, open_desktop, memory, typed, title, where
):
    dialog = opened(qtbot, open_desktop(memory, language="zh_CN"))
    commit(dialog.search, typed)
    assert any(title in row.split("\n")[0] and where in row.split("\n")[1] for row in rows(dialog))


def test_a_hint_is_found_and_shown(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    qtbot.keyClicks(dialog.search, "times the scale")
    (row,) = rows(dialog)
    assert row.startswith("Zoom in percent\n")
    assert "Times the scale of the screen" in row


def test_enter_opens_what_was_found_at_its_field(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    dialog.activateWindow()
    qtbot.keyClicks(dialog.search, "ui.density")
    qtbot.keyClick(dialog.search, Qt.Key.Key_Return)
    settle(qtbot, desktop)
    assert dialog.isVisible()
    assert dialog.page == "ui"
    field = dialog.focusWidget()
    assert isinstance(field, QComboBox)
    assert field.accessibleName() == "Event cards"
    assert field.isVisible()
    assert not field.visibleRegion().isEmpty()


def test_a_click_opens_a_field_far_down_its_page_and_escape_ends_the_search(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    qtbot.keyClicks(dialog.search, "persona.text")
    list_ = dialog.found.list
    qtbot.mouseClick(
        list_.viewport(),
        Qt.MouseButton.LeftButton,
        pos=list_.visualItemRect(list_.item(0)).center(),
    )
    assert dialog.page == "persona"
    qtbot.keyClicks(dialog.search, " x")
    assert dialog.found.isVisible()
    qtbot.keyClick(dialog.search, Qt.Key.Key_Escape)
    assert not dialog.found.isVisible()
    assert dialog.isVisible()


def test_nothing_found_says_so(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    qtbot.keyClicks(dialog.search, "<b>zebra")
    assert "<b>zebra" in dialog.found.hint.text()
    assert not dialog.restore_button.isVisible()


def spin_named(dialog, name):
    return next(s for s in dialog.findChildren(QSpinBox) if s.accessibleName() == name)


def test_defaults_of_a_page_are_restored_named_and_put_back(qtbot, desktop, memory):
    memory.settings.set("ui.density", "compact")
    memory.settings.set("ui.zoom", 120)
    memory.settings.set("summary.interval", 33)
    dialog = opened(qtbot, desktop)
    dialog.show_page("ui")
    assert spin_named(dialog, "Zoom in percent").value() == 120
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert spin_named(dialog, "Zoom in percent").value() == 100
    assert dialog.restored.isVisible()
    assert "Zoom in percent" in dialog.restored.text()
    assert "Event cards" in dialog.restored.text()
    assert {"ui.density", "ui.zoom"}.isdisjoint(memory.settings.chosen())
    assert memory.settings.read().summary_interval == 33, "another page's"
    assert not dialog.restore_button.isEnabled()
    qtbot.mouseClick(dialog.put_back_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.settings.read().ui_density == "compact"
    assert memory.settings.read().ui_zoom == 120
    assert spin_named(dialog, "Zoom in percent").value() == 120
    assert not dialog.restored.isVisible()


def test_a_value_set_after_restoring_is_not_put_back_over(qtbot, desktop, memory):
    memory.settings.set("ui.density", "compact")
    memory.settings.set("ui.zoom", 120)
    dialog = opened(qtbot, desktop)
    dialog.show_page("ui")
    qtbot.mouseClick(dialog.restore_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    zoom = spin_named(dialog, "Zoom in percent")
    zoom.setValue(150)
    zoom.editingFinished.emit()
    qtbot.mouseClick(dialog.put_back_button, Qt.MouseButton.LeftButton)
    settle(qtbot, desktop)
    assert memory.settings.read().ui_zoom == 150
    assert memory.settings.read().ui_density == "compact"


def test_every_page_can_go_back_and_an_endpoint_cannot(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    for page in PAGES:
        dialog.show_page(page)
        assert dialog.restore_button.isVisible(), page
    dialog.show_page("llm")
    assert not dialog.restore_button.isVisible()


def test_a_click_on_the_page_that_is_chosen_ends_the_search(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    qtbot.keyClicks(dialog.search, "zoom")
    here = dialog.pages.visualItemRect(dialog.pages.currentItem()).center()
    qtbot.mouseClick(dialog.pages.viewport(), Qt.MouseButton.LeftButton, pos=here)
    assert not dialog.found.isVisible()
    assert dialog.search.text() == ""


@pytest.mark.parametrize("language", ["zh_CN", "ja"])
def test_every_choice_of_every_setting_is_written_in_the_language(open_desktop, memory, language):
    open_desktop(memory, language=language)
    own_names = {"zh_CN", "ja", "en", "chroma"}  # the same in every language
    for setting in DECLARED.values():
        texts = [choice_text(setting.key, choice) for choice in setting.choices]
        assert len(set(texts)) == len(texts), setting.key
        for choice, text in zip(setting.choices, texts, strict=True):
            assert choice in own_names or not text.isascii(), (setting.key, choice)


@pytest.mark.parametrize("language", ["zh_CN", "ja", "en"])
def test_what_a_setting_is_for_names_its_choices_as_they_are_chosen(open_desktop, memory, language):
    open_desktop(memory, language=language)
    for setting in DECLARED.values():
        for choice in filter(None, setting.choices):
            raw = rf"(?:^|[,.;，。；、] ?){re.escape(choice)}[:：]"
            assert choice_text(setting.key, choice) == choice or not re.search(
                raw, help_text(setting)
            ), (setting.key, choice)
    assert choice_text("serve.place", "depth") in help_text(DECLARED["serve.place"])


def test_one_word_means_what_its_setting_means(desktop):
    assert choice_text("serve.place", "system") != choice_text("ui.theme", "system")
    assert choice_text("ui.entry_sort", "file") != choice_text("keys.storage", "file")
