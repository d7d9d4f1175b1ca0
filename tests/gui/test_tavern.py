"""The SillyTavern folder in the window: chosen, ticked, followed while it is played in."""

from __future__ import annotations

import json
from functools import partial

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QImage

from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.tavern.folder import SyncReport
from engram_desktop.jobs.context import NullContext
from engram_desktop.qtjobs.tavern_watcher import Sentry
from engram_desktop.viewmodels.workspace.messages import Notice
from tests.gui.waiting import settle
from tests.tavern import TavernChatFile, card_png, make_tavern

WAIT = 15_000
CTX = NullContext()


@pytest.fixture
def tavern(tmp_path):
    handle = make_tavern(tmp_path / "SillyTavern")
    picture = QImage(40, 60, QImage.Format.Format_RGB32)
    picture.fill(QColor("teal"))
    picture.save(str(handle / "characters" / "白兔.png"))
    files = []
    for name in ("白兔", "睡鼠"):
        file = TavernChatFile(handle / "chats" / name / f"{name} - 1.jsonl", name)
        file.say(*(f"{name}第{n}次看了看怀表。" for n in range(12)))
        files.append(file)
    return tmp_path / "SillyTavern", files


@pytest.fixture
def dialog(qtbot, desktop, tavern):
    desktop.window.import_files([tavern[0]])  # as if it was dropped there
    settle(qtbot, desktop)
    return desktop.window.dialogs.shown[0]


def owners(dialog):
    return rows(dialog.tree)


def rows(tree):
    return {
        tree.topLevelItem(n).text(0): tree.topLevelItem(n) for n in range(tree.topLevelItemCount())
    }


def chat_of(dialog, name):
    """The row of the newest chat of a character: the last, below that of the card."""
    owner = owners(dialog)[name]
    return owner.child(owner.childCount() - 1)


def follow(qtbot, desktop, dialog, name):
    chat_of(dialog, name).setCheckState(0, Qt.CheckState.Checked)
    dialog.apply_button.click()
    settle(qtbot, desktop)


def chats(desktop):
    return {c.name: c for c in desktop.window.models.chats.chats}


def test_ticked_chats_are_imported_and_followed_and_others_are_not(
    qtbot, desktop, dialog, tavern, memory
):
    assert set(owners(dialog)) == {"白兔", "睡鼠"}
    assert not dialog.apply_button.isEnabled()
    assert memory.settings.read().tavern_folder == str(tavern[0])
    follow(qtbot, desktop, dialog, "白兔")
    assert "白兔 - 1" in chats(desktop)
    assert "睡鼠 - 1" not in chats(desktop)
    assert chat_of(dialog, "白兔").text(3) == "followed"
    assert chat_of(dialog, "睡鼠").text(3) == ""


def test_what_is_said_in_sillytavern_arrives_in_the_window(qtbot, desktop, dialog, tavern):
    follow(qtbot, desktop, dialog, "白兔")
    rabbit, dormouse = tavern[1]
    desktop.workspace.show_chat(chats(desktop)["白兔 - 1"].chat_id)
    qtbot.waitUntil(lambda: "Following" in desktop.window.foot.following.text(), timeout=WAIT)
    rabbit.say("哎呀，我要迟到了！")
    qtbot.waitUntil(lambda: chats(desktop)["白兔 - 1"].messages == 13, timeout=WAIT)
    dormouse.say("没有人在听我说话。")
    rabbit.delete(12)
    qtbot.waitUntil(lambda: chats(desktop)["白兔 - 1"].messages == 12, timeout=WAIT)
    assert "睡鼠 - 1" not in chats(desktop)


def test_what_was_taken_over_stays_true_while_the_chat_is_followed(
    qtbot, desktop, dialog, tavern, memory
):
    rabbit = tavern[1][0]

    def reach(liking):
        rabbit.rows[-1]["variables"] = [{"stat_data": {"白兔": {"着急": [liking, "x"]}}}]
        rabbit.save()

    reach(3)
    follow(qtbot, desktop, dialog, "白兔")
    chat = chats(desktop)["白兔 - 1"].chat_id
    desktop.workspace.show_chat(chat)
    memory.adopt.take_over(CTX, Line.main(chat), memory.adopt.find(CTX, Line.main(chat)))
    seen = []
    desktop.workspace.hub.changed.connect(lambda changes, _who: seen.append(changes))
    reach(8)

    def told():
        found = memory.events.fetch(chat, memory.events.find(chat, EventQuery())).values()
        return [event.summary for event in found]

    qtbot.waitUntil(lambda: told() == ["白兔: 着急 8"], timeout=WAIT)
    qtbot.waitUntil(lambda: any(c.chat_id == chat and c.events for c in seen), timeout=WAIT)
    settle(qtbot, desktop)


def test_a_chat_is_let_be(qtbot, desktop, dialog, tavern, memory):
    follow(qtbot, desktop, dialog, "白兔")
    assert dialog.stop_button.isHidden()
    chat_of(dialog, "白兔").setCheckState(0, Qt.CheckState.Checked)
    assert dialog.stop_button.text() == "Stop following 1 chat"
    dialog.stop_button.click()
    settle(qtbot, desktop)
    assert [row.is_followed for row in memory.tavern.followed()] == [False]
    assert "白兔 - 1" in chats(desktop)
    assert chat_of(dialog, "白兔").text(3) == "in the library"


def test_a_chat_can_be_taken_in_without_following_it(qtbot, desktop, dialog, tavern, memory):
    dialog.follow_box.setChecked(False)
    follow(qtbot, desktop, dialog, "白兔")
    assert memory.tavern.followed() == []
    assert chat_of(dialog, "白兔").text(3) == "in the library"
    tavern[1][0].say("我先走了。")
    dialog.choose_button.setFocus()
    desktop.window.models.tavern.look(str(tavern[0]))
    settle(qtbot, desktop)
    assert chat_of(dialog, "白兔").text(3) == "newer there"


def test_characters_have_their_pictures(dialog):
    icon = owners(dialog)["白兔"].icon(0).pixmap(32, 32).toImage()
    assert icon.pixelColor(16, 16) == QColor("teal")
    assert owners(dialog)["睡鼠"].icon(0).pixmap(32, 32).toImage() != icon


def test_taking_in_can_be_stopped_and_begun_again(qtbot, desktop, dialog):
    dialog.tick_button.click()
    dialog.apply_button.click()
    assert not dialog._progress.isHidden()
    dialog.cancel_button.click()
    settle(qtbot, desktop)
    assert 0 not in {chat.messages for chat in chats(desktop).values()}  # whole ones or none
    assert dialog._progress.isHidden()
    assert dialog.cancel_button.isHidden()
    dialog.tick_button.click()
    if dialog.apply_button.isEnabled():  # it was stopped in time
        dialog.apply_button.click()
        settle(qtbot, desktop)
    assert [c.messages for c in chats(desktop).values() if " - 1" in c.name] == [12, 12]


def test_following_a_chat_switches_following_on(qtbot, desktop, dialog, memory):
    memory.settings.set("tavern.follow", "off")
    follow(qtbot, desktop, dialog, "白兔")
    assert memory.settings.read().tavern_follow == "chosen"


def test_everything_new_is_ticked_by_kind_and_taken_in(qtbot, desktop, dialog, tavern, memory):
    handle = tavern[0] / "data" / "default-user"
    write_everything(handle)
    desktop.window.models.tavern.look(str(tavern[0]))
    settle(qtbot, desktop)
    assert [tab.text() for tab, _name in dialog._names] == [
        "Characters and chats 3",
        "World books 1",
        "Regex scripts 1",
        "Presets 2",
        "Personas 1",
    ]
    assert rows(dialog.lists["world"])["世界观"].text(1) == "1 entry · for every chat"
    assert rows(dialog.lists["preset"])["空的"].data(0, Qt.ItemDataRole.CheckStateRole) is None
    dialog.tick_button.click()
    assert dialog.apply_button.text() == "Take in 7 things"
    told: list[Notice] = []
    desktop.workspace.messages.posted.connect(told.append)
    dialog.apply_button.click()
    settle(qtbot, desktop)
    assert {"白兔 - 1", "睡鼠 - 1"} <= set(chats(desktop))
    assert [row.name for row in memory.worldbooks.all() if row.is_global] == ["世界观"]
    assert told[-1].text.startswith("2 chats · 1 character card · 1 world book · 2 regex scripts")
    dialog.tick_button.click()
    assert not dialog.apply_button.isEnabled()
    assert rows(dialog.lists["regex"])["去思考"].text(2) == "in the library"


def write_everything(handle):
    worldbook = {"entries": {"0": {"uid": 0, "key": ["雨"], "content": "下雨。"}}}
    script = {"id": "1", "scriptName": "去思考", "findRegex": "/a/", "replaceString": ""}
    presets = handle / "OpenAI Settings"
    presets.mkdir()
    extensions = {"regex_scripts": [script | {"scriptName": "预设内"}]}
    settings = {
        "world_info_settings": {"world_info": {"globalSelect": ["世界观"]}},
        "extension_settings": {"regex": [script]},
        "power_user": {
            "personas": {"me.png": "旅人"},
            "persona_descriptions": {"me.png": {"description": "失忆的旅人。"}},
        },
    }
    card = {"spec": "chara_card_v2", "data": {"name": "帽匠", "description": "疯。"}}
    (handle / "characters" / "帽匠.png").write_bytes(card_png(card))
    (handle / "characters" / "白兔.png").unlink()
    for path, value in (
        (handle / "worlds" / "世界观.json", worldbook),
        (presets / "默认.json", {"extensions": extensions}),
        (presets / "空的.json", {"temperature": 1}),
        (handle / "settings.json", settings),
    ):
        path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")


def test_the_prompts_of_a_preset_can_be_read(qtbot, desktop, dialog, tavern):
    folder = tavern[0] / "data" / "default-user" / "OpenAI Settings"
    folder.mkdir(exist_ok=True)
    prompts = [{"identifier": "main", "name": "Main", "role": "system", "content": "写得慢。"}]
    order = [{"character_id": 100001, "order": [{"identifier": "main", "enabled": False}]}]
    preset = {"prompts": prompts, "prompt_order": order}
    (folder / "慢.json").write_text(json.dumps(preset), "utf-8")
    desktop.window.models.tavern.look(str(tavern[0]))
    settle(qtbot, desktop)
    held = dialog.lists["preset"]
    assert not dialog.prompts.toPlainText()
    held.setCurrentItem(rows(held)["慢"])
    settle(qtbot, desktop)
    assert dialog.prompts.toPlainText() == "【Main】 system · off\n写得慢。"


@pytest.mark.logs("was left out")
def test_every_chat_is_followed_if_asked(qtbot, desktop, dialog, tavern):
    dialog.all_box.setChecked(True)
    qtbot.waitUntil(lambda: {"白兔 - 1", "睡鼠 - 1"} <= set(chats(desktop)), timeout=WAIT)
    dialog.all_box.setChecked(False)
    settle(qtbot, desktop)
    assert desktop.workspace.memory.settings.read().tavern_follow == "chosen"


def test_a_folder_of_something_else_says_so_and_is_not_kept(qtbot, desktop, tmp_path, memory):
    (tmp_path / "other").mkdir()
    desktop.window.dialogs.open_tavern(str(tmp_path / "other"))
    settle(qtbot, desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert "not a SillyTavern folder" in dialog._trouble.text()
    assert memory.settings.read().tavern_folder == ""


def test_the_search_shows_what_fits(qtbot, desktop, dialog):
    dialog.search.setText("睡鼠")
    assert {n: o.isHidden() for n, o in owners(dialog).items()} == {"白兔": True, "睡鼠": False}


def test_a_folder_that_is_lost_is_told_once(qtbot, desktop, memory, tmp_path):
    told: list[Exception] = []
    watcher = desktop.workspace.tavern
    watcher.failed.connect(told.append)
    memory.settings.set("tavern.folder", str(tmp_path / "unplugged"))
    watcher.apply()
    qtbot.waitUntil(lambda: len(told) == 1, timeout=WAIT)
    watcher._sentry.lost.emit(told[0])  # as when it is tried again
    qtbot.waitUntil(lambda: desktop.runner.is_idle, timeout=WAIT)
    assert len(told) == 1


def test_the_sentry_notices_and_ends_at_once(qtbot, memory, tavern):
    sentry = Sentry(partial(memory.tavern.changes_in, tavern[0]), memory)
    with qtbot.waitSignal(sentry.noticed, timeout=WAIT):
        sentry.start()
    with qtbot.waitSignal(sentry.noticed, timeout=WAIT):
        tavern[1][0].say("新的一句。")
    sentry.end()
    assert sentry.isFinished()


def test_a_window_made_anew_goes_on_following(qtbot, desktop, dialog, tavern):
    follow(qtbot, desktop, dialog, "白兔")
    reported: list[list[SyncReport]] = []
    desktop.workspace.tavern.reported.connect(reported.append)
    desktop._forced["language"] = None
    memory = desktop.workspace.memory
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", "zh_CN"))
    settle(qtbot, desktop)
    tavern[1][0].say("换了语言，还在说。")
    qtbot.waitUntil(lambda: bool(reported), timeout=WAIT)
