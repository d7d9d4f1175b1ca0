"""Newer versions in the window: asked for by hand in About, or quietly once a day if turned on."""

from __future__ import annotations

import json
import re

import pytest

from engram_desktop import __version__
from engram_desktop.shipped import resource
from engram_desktop.widgets.window.about_dialogs import AboutDialog, ChangelogDialog
from tests.gui.waiting import settle
from tests.release_server import ReleaseServer

NEW = json.dumps({"version": "99.1", "page": "https://example.org/99.1"})


def shown(desktop, kind):
    return next(d for d in desktop.window.dialogs.shown if isinstance(d, kind))


@pytest.fixture
def about(desktop):
    desktop.window.dialogs.help.open_about()
    return shown(desktop, AboutDialog)


@pytest.fixture
def server(memory):
    with ReleaseServer(NEW) as server:
        memory.settings.set("update.address", server.url)
        yield server


def test_about_tells_of_a_newer_version_when_asked(qtbot, server, desktop, about):
    assert __version__ in about.windowTitle()
    assert server.asked == []
    about.look_button.click()
    assert not about.look_button.isEnabled()
    qtbot.waitUntil(about.look_button.isEnabled)
    assert "99.1" in about.answer.text()
    assert not about.page_button.isHidden()
    assert about.page_button.toolTip() == "https://example.org/99.1"
    assert len(server.asked) == 1


def test_about_says_when_there_is_none(qtbot, server, about):
    server.body = json.dumps({"version": __version__})
    about.look_button.click()
    qtbot.waitUntil(about.look_button.isEnabled)
    assert not about.answer.isHidden()
    assert "99" not in about.answer.text()
    assert about.page_button.isHidden()


def test_about_says_why_nobody_could_be_asked(qtbot, desktop, about):
    about.look_button.click()
    qtbot.waitUntil(about.look_button.isEnabled)
    assert about.answer.text()
    assert about.page_button.isHidden()


@pytest.mark.parametrize(("language", "words"), [("zh_CN", "更新记录"), ("en", "Changelog")])
def test_what_changed_is_shown_in_the_windows_language(
    qtbot, open_desktop, memory, language, words
):
    desktop = open_desktop(memory, language=language)
    desktop.window.dialogs.help.open_about()
    shown(desktop, AboutDialog).changelog_button.click()
    settle(qtbot, desktop)
    text = shown(desktop, ChangelogDialog).text.toPlainText()
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
    settle(qtbot, desktop)
    assert server.asked == []
    memory.settings.set("update.check", True)
    desktop.look_for_newer()
    qtbot.waitUntil(lambda: len(server.asked) == 1)
    qtbot.waitUntil(lambda: any("99.1" in n.text for _t, n in desktop.workspace.messages.past))
    desktop.look_for_newer()  # not again today
    settle(qtbot, desktop)
    assert len(server.asked) == 1


def test_who_is_offline_reads_nothing_of_it(qtbot, memory, desktop):
    with ReleaseServer(NEW) as server:
        memory.settings.set("update.address", server.url)
    memory.settings.set("update.check", True)
    past = len(desktop.workspace.messages.past)
    desktop.look_for_newer()
    settle(qtbot, desktop)
    assert len(desktop.workspace.messages.past) == past
