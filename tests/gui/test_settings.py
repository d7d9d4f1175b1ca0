"""Settings, safe mode, releases."""

from __future__ import annotations

import itertools
import json
import re

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLabel, QSpinBox

from engram_desktop import __version__
from engram_desktop.app.main import read_arguments
from engram_desktop.app.opening import open_library
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.settings import DECLARED, HELD
from engram_desktop.jobs.context import NullContext
from engram_desktop.places import resource
from engram_desktop.services.memory import Memory
from engram_desktop.viewmodels.settings.settings_form import PAGES, help_text
from engram_desktop.viewmodels.workspace.choice_texts import choice_text
from engram_desktop.widgets.settings import FOUND, SettingsDialog
from engram_desktop.widgets.window.window_dialogs import (
    AboutDialog,
    ChangelogDialog,
    KeysDialog,
    ReportDialog,
)
from tests.factories import story_rows, write_chat
from tests.gui.places import open_dialog_as
from tests.gui.sessions import running_session
from tests.gui.waiting import click, commit, dialog_of, press_key, settle
from tests.upstream import Saying

# Finding a setting by what is read of it, and going back to defaults.


def opened(qtbot, desktop):
    return open_dialog_as(qtbot, desktop, "settings", SettingsDialog)


def rows(dialog):
    found = dialog.found.list
    return [found.item(n).text() for n in range(found.count())] if found.isVisible() else []


def test_a_setting_is_found_by_its_name_an_option_a_character_or_its_key(
    qtbot, open_desktop, memory
):
    dialog = opened(qtbot, open_desktop(memory, language="zh_CN"))
    for typed, title, where in (
        ("卡片", "事件卡片", "外观"),
        ("深色", "主题", "外观"),  # the name of an option
        ("缩", "缩放", "外观"),  # one character
        ("recall.top_k", "每次召回", "召回与注入"),  # the key
        ("llm.model", "模型", "语言模型"),
    ):
        dialog.search.clear()
        commit(dialog.search, typed)
        heads = [row.split("\n")[:2] for row in rows(dialog)]
        assert any(title in name and where in place for name, place in heads), typed


def keys_found(dialog):
    found = dialog.found.list
    return {found.item(n).data(FOUND)[1] for n in range(found.count())}


# In the language shown, and in English, which is typed everywhere.
_EVERYDAY = {
    "ui.zoom": "字体 字号 文字大小 放大 缩放 font zoom size",
    "ui.theme": "主题 深色 夜间 暗色 黑暗模式 dark theme night",
    "ui.language": "语言 中文 英文 翻译 language chinese",
    "ui.motion": "动画 动效 motion animation",
    "ui.notify": "通知 提醒 notification",
    "backup.hours": "备份 恢复 backup",
    "net.proxy": "代理 网络 翻墙 proxy vpn",
    "keys.storage": "密钥 密码 隐私 key api password",
    "llm.base_url": "密钥 接口 api key",
    "llm.model": "模型 大模型 model deepseek",
    "llm.daily_tokens": "费用 花费 省钱 上限 token cost",
    "serve.port": "端口 port",
    "library.wait": "超时 timeout",
    "tavern.folder": "酒馆 路径 folder",
    "keys": "快捷键 热键 shortcut hotkey",
    "health": "备份 修复 存储 restore",
    "texts": "提示词 正则 prompt regex",
    "usage": "费用 用量 cost",
    "about": "版本 日志 version",
}


@pytest.mark.parametrize("language", ["zh_CN", "en"])
def test_everyday_words_find_the_setting_that_is_called_otherwise(
    qtbot, open_desktop, memory, language
):
    dialog = opened(qtbot, open_desktop(memory, language=language))
    missed = []
    for key, words in _EVERYDAY.items():
        for word in words.split():
            if language == "en" and not word.isascii():
                continue
            dialog.search.clear()
            commit(dialog.search, word)
            if key not in keys_found(dialog):
                missed.append((word, key))
    assert missed == []


def test_what_stands_in_a_dialog_of_its_own_is_opened_from_the_search(qtbot, open_desktop, memory):
    desktop = open_desktop(memory, language="zh_CN")
    dialog = opened(qtbot, desktop)
    dialog.activateWindow()
    commit(dialog.search, "快捷键")
    press_key(desktop, dialog.search, Qt.Key.Key_Return)
    keys = desktop.window.dialogs.shown[-1]
    assert isinstance(keys, KeysDialog)
    assert keys.isVisible()


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
    press_key(desktop, dialog.search, Qt.Key.Key_Return)
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


def test_what_explains_a_box_stands_nearer_to_it_than_to_the_next(qtbot, desktop):
    dialog = opened(qtbot, desktop)
    dialog.show_page("clean")
    settle(desktop)
    boxes = [b for b in dialog.findChildren(QCheckBox) if b.isVisible()]
    hints = [w for w in dialog.findChildren(QLabel) if w.isVisible() and w.wordWrap()]
    assert len(boxes) > 5
    for box, below in itertools.pairwise(boxes):
        for hint in hints:
            if box.y() < hint.y() < below.y() and hint.parent() is box.parent():
                above = hint.y() - box.geometry().bottom()
                assert above * 2 <= below.y() - hint.geometry().bottom()


def test_defaults_of_a_page_are_restored_named_and_put_back(qtbot, desktop, memory):
    memory.settings.set("ui.density", "compact")
    memory.settings.set("ui.zoom", 120)
    memory.settings.set("summary.interval", 33)
    dialog = opened(qtbot, desktop)
    dialog.show_page("ui")
    assert spin_named(dialog, "Zoom in percent").value() == 120
    click(desktop, dialog.restore_button)
    assert spin_named(dialog, "Zoom in percent").value() == 100
    assert dialog.restored.isVisible()
    assert "Zoom in percent" in dialog.restored.text()
    assert "Event cards" in dialog.restored.text()
    assert {"ui.density", "ui.zoom"}.isdisjoint(memory.settings.chosen())
    assert memory.settings.read().summary_interval == 33, "another page's"
    assert not dialog.restore_button.isEnabled()
    click(desktop, dialog.put_back_button)
    assert memory.settings.read().ui_density == "compact"
    assert memory.settings.read().ui_zoom == 120
    assert spin_named(dialog, "Zoom in percent").value() == 120
    assert not dialog.restored.isVisible()


def test_a_value_set_after_restoring_is_not_put_back_over(qtbot, desktop, memory):
    memory.settings.set("ui.density", "compact")
    memory.settings.set("ui.zoom", 120)
    dialog = opened(qtbot, desktop)
    dialog.show_page("ui")
    click(desktop, dialog.restore_button)
    zoom = spin_named(dialog, "Zoom in percent")
    zoom.setValue(150)
    zoom.editingFinished.emit()
    click(desktop, dialog.put_back_button)
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


# Safe mode: nothing runs by itself, it is seen, and there is a way in and out.


@pytest.fixture
def safe_memory(library):
    memory = Memory.open(library, environ={}, is_safe=True)
    yield memory
    memory.close()


@pytest.fixture
def safe_desktop(safe_memory, open_desktop):
    return open_desktop(safe_memory)


def test_the_flag_is_read():
    assert read_arguments(["--safe-mode"]).safe_mode
    assert not read_arguments([]).safe_mode


def test_what_is_held_are_settings_and_another_value_than_is_usual(library):
    for key, value in HELD.items():
        assert DECLARED[key].check(value) == value
    memory = Memory.open(library, environ={}, is_safe=True)
    chat = memory.chats.all()[0].chat_id
    memory.settings.set("auto.enabled", True, chat)
    assert not memory.settings.read(chat).auto_enabled, "of a chat, too"
    assert memory.settings.stored().auto_enabled, "stored as it was"
    memory.session.reopen()
    assert memory.session.is_safe
    memory.close()


def test_scripts_of_messages_do_not_run(library, tmp_path):
    script = {"scriptName": "x", "findRegex": "/./g", "replaceString": "#", "placement": [1, 2]}
    file = tmp_path / "x.json"
    file.write_text(json.dumps(script), "utf-8")
    ran = []
    for is_safe in (False, True):
        memory = Memory.open(library, environ={}, is_safe=is_safe)
        line = Line.main(memory.chats.all()[0].chat_id)
        if not is_safe:
            memory.imports.import_file(NullContext(), file)
        ran.append(any("##" in step.text for step in memory.scripts.steps_of(line, 0)))
        memory.close()
    assert ran == [True, False]


def test_nothing_begins_by_itself(safe_memory, safe_desktop, tmp_path):
    safe_memory.settings.set("serve.on_start", True)
    titles: list[str] = []
    safe_desktop.runner.submitted.connect(lambda job: titles.append(job.title))
    space = safe_desktop.workspace
    path = write_chat(tmp_path / "新.jsonl", story_rows(120))
    report = safe_memory.imports.import_file(NullContext(), path)
    space.hub.publish(report.changes, None)
    space.auto._pause.setInterval(1)
    space.auto._pause.start()
    settle(safe_desktop)
    assert not space.server.is_running
    assert not space.tavern.is_watching
    assert not safe_desktop.keeper._pause.isActive()
    assert not space.kept._pause.isActive()
    assert not safe_desktop._backup_timer.isActive()
    assert not safe_desktop._look_timer.isActive()
    assert not safe_memory.events.find(report.chat_id, EventQuery())


def test_a_strip_says_it_on_every_page_and_leads_out(qtbot, safe_desktop):
    window = safe_desktop.window
    wanted: list[bool] = []
    safe_desktop.mode_wanted.connect(wanted.append)
    for page in ("events", "graph", "serving"):
        window.show_page(page)
        assert window.safe.isVisible()
    qtbot.mouseClick(window.safe.leave_button, Qt.MouseButton.LeftButton)
    assert wanted == [False]


def test_the_usual_mode_has_no_strip_and_two_doors(qtbot, desktop):
    window = desktop.window
    assert not window.safe.isVisible()
    wanted: list[bool] = []
    desktop.mode_wanted.connect(wanted.append)
    window.libraries.aboutToShow.emit()
    next(a for a in window.libraries.actions() if a.text() == "Restart in safe mode").trigger()
    window.finding.show_commands()
    qtbot.keyClicks(window.finding.panel.field, "safe mode")
    qtbot.waitUntil(lambda: window.finding.panel.list.model().rowCount() > 0)
    qtbot.keyClick(window.finding.panel.field, Qt.Key.Key_Return)
    assert wanted == [True, True]
    settle(desktop)


def test_it_is_offered_after_a_crash_only(qtbot, desktop):
    wanted: list[bool] = []
    desktop.mode_wanted.connect(wanted.append)
    dialogs = desktop.window.dialogs
    dialogs.help.open_report("Segmentation fault", is_crash=True)
    report = dialogs.shown[-1]
    assert isinstance(report, ReportDialog)
    qtbot.mouseClick(report.safe_button, Qt.MouseButton.LeftButton)
    assert wanted == [True]
    report.close()
    qtbot.waitUntil(lambda: not shiboken6.isValid(report))
    dialogs.help.open_report("Traceback")
    assert not hasattr(dialogs.shown[-1], "safe_button")


def test_settings_are_shown_and_changed_as_they_are_stored(qtbot, safe_memory, safe_desktop):
    dialog = open_dialog_as(qtbot, safe_desktop, "settings", SettingsDialog)
    dialog.show_setting("auto", "auto.enabled")
    box = dialog.focusWidget()
    assert isinstance(box, QCheckBox)
    assert box.isChecked() == safe_memory.settings.stored().auto_enabled
    press_key(safe_desktop, box, Qt.Key.Key_Space)
    assert safe_memory.settings.stored().auto_enabled == box.isChecked()
    assert not safe_memory.settings.read().auto_enabled


def test_the_program_opens_anew_in_the_mode_that_is_wanted(qtbot, qapp, library):
    memory = open_library(qapp, library, asks=False)
    assert memory is not None
    with running_session(qtbot, qapp, memory, "--language", "en", "--theme", "light") as session:
        session.desktop.window.libraries.mode_wanted.emit()
        assert session.opens_again
        assert session.is_safe
    again = open_library(qapp, library, asks=False, is_safe=session.is_safe)
    assert again is not None
    assert again.session.is_safe
    again.close()


# Newer versions in the window: asked for by hand in About, or quietly once a day if turned on.

NEW = json.dumps({"version": "99.1", "page": "https://example.org/99.1"})


@pytest.fixture
def about(desktop):
    desktop.window.dialogs.help.open_about()
    return dialog_of(desktop, AboutDialog)


@pytest.fixture
def server(memory):
    with Saying(NEW) as server:
        memory.settings.set("update.address", server.url)
        yield server


def test_about_tells_of_a_newer_version_when_asked(qtbot, server, about):
    assert __version__ in about.windowTitle()
    assert server.asked == []
    qtbot.mouseClick(about.look_button, Qt.MouseButton.LeftButton)
    assert not about.look_button.isEnabled()
    qtbot.waitUntil(about.look_button.isEnabled)
    assert "99.1" in about.answer.text()
    assert not about.page_button.isHidden()
    assert about.page_button.toolTip() == "https://example.org/99.1"
    assert len(server.asked) == 1


def test_what_keys_do_is_told_in_one_way(about):
    assert all(words[0].isupper() for _keys, words in about._fixed_keys())


def test_about_says_when_there_is_none(qtbot, server, about):
    server.body = json.dumps({"version": __version__})
    about.look_button.click()
    qtbot.waitUntil(about.look_button.isEnabled)
    assert not about.answer.isHidden()
    assert "99" not in about.answer.text()
    assert about.page_button.isHidden()


def test_about_says_why_nobody_could_be_asked(qtbot, about):
    about.look_button.click()
    qtbot.waitUntil(about.look_button.isEnabled)
    assert about.answer.text()
    assert about.page_button.isHidden()


@pytest.mark.parametrize(("language", "words"), [("zh_CN", "更新记录"), ("en", "Changelog")])
def test_what_changed_is_shown_in_the_windows_language(open_desktop, memory, language, words):
    desktop = open_desktop(memory, language=language)
    desktop.window.dialogs.help.open_about()
    click(desktop, dialog_of(desktop, AboutDialog).changelog_button)
    text = dialog_of(desktop, ChangelogDialog).text.toPlainText()
    assert words in text
    assert __version__ in text


def test_both_changelogs_tell_of_the_same_versions():
    told = [
        re.findall(r"^## (.+)$", resource(f"docs/{name}").read_text("utf-8"), re.MULTILINE)
        for name in ("changelog.md", "changelog.zh_CN.md")
    ]
    assert told[0] == told[1]
    assert told[0][0].split()[0] == __version__


def test_nothing_is_asked_at_a_start_unless_it_is_turned_on(qtbot, server, memory, desktop):
    desktop.look_for_newer()
    settle(desktop)
    assert server.asked == []
    memory.settings.set("update.check", True)
    desktop.look_for_newer()
    qtbot.waitUntil(lambda: len(server.asked) == 1)
    qtbot.waitUntil(lambda: any("99.1" in n.text for _t, n in desktop.workspace.messages.past))
    desktop.look_for_newer()  # not again today
    settle(desktop)
    assert len(server.asked) == 1


def test_who_is_offline_reads_nothing_of_it(memory, desktop):
    with Saying(NEW) as server:
        memory.settings.set("update.address", server.url)
    memory.settings.set("update.check", True)
    past = len(desktop.workspace.messages.past)
    desktop.look_for_newer()
    settle(desktop)
    assert len(desktop.workspace.messages.past) == past
