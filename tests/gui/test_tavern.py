"""SillyTavern folders, other tools, scripts."""

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
from engram_desktop.widgets.prompts import StepsDialog, TextsDialog
from tests.factories import script_json
from tests.gui.waiting import click, opened_by, press, press_key, settle, show_chat, undo
from tests.oracle.macro_chats import opened
from tests.stored import stored_events
from tests.tavern import TavernChatFile, card_png, make_tavern

# The SillyTavern folder in the window: chosen, ticked, followed while it is played in.

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
def dialog(desktop, tavern):
    desktop.window.import_files([tavern[0]])  # as if it was dropped there
    settle(desktop)
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


def follow(desktop, dialog, name):
    chat_of(dialog, name).setCheckState(0, Qt.CheckState.Checked)
    click(desktop, dialog.apply_button)


def chats(desktop):
    return {c.name: c for c in desktop.window.models.chats.chats}


def test_ticked_chats_are_imported_and_followed_and_others_are_not(desktop, dialog, tavern, memory):
    assert set(owners(dialog)) == {"白兔", "睡鼠"}
    assert not dialog.apply_button.isEnabled()
    assert memory.settings.read().tavern_folder == str(tavern[0])
    follow(desktop, dialog, "白兔")
    assert "白兔 - 1" in chats(desktop)
    assert "睡鼠 - 1" not in chats(desktop)
    assert chat_of(dialog, "白兔").text(3) == "followed"
    assert chat_of(dialog, "睡鼠").text(3) == ""


def test_what_is_said_in_sillytavern_arrives_in_the_window(qtbot, desktop, dialog, tavern):
    follow(desktop, dialog, "白兔")
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
    follow(desktop, dialog, "白兔")
    chat = chats(desktop)["白兔 - 1"].chat_id
    desktop.workspace.show_chat(chat)
    memory.adopt.take_over(CTX, Line.main(chat), memory.adopt.find(CTX, Line.main(chat)))
    seen = []
    desktop.workspace.hub.changed.connect(lambda changes, _who: seen.append(changes))
    reach(8)

    def told():
        found = stored_events(memory, chat).values()
        return [event.summary for event in found]

    qtbot.waitUntil(lambda: told() == ["白兔: 着急 8"], timeout=WAIT)
    qtbot.waitUntil(lambda: any(c.chat_id == chat and c.events for c in seen), timeout=WAIT)
    settle(desktop)


def test_a_chat_is_let_be(desktop, dialog, memory):
    follow(desktop, dialog, "白兔")
    assert dialog.stop_button.isHidden()
    chat_of(dialog, "白兔").setCheckState(0, Qt.CheckState.Checked)
    assert dialog.stop_button.text() == "Stop following 1 chat"
    click(desktop, dialog.stop_button)
    assert [row.is_followed for row in memory.tavern.followed()] == [False]
    assert "白兔 - 1" in chats(desktop)
    assert chat_of(dialog, "白兔").text(3) == "in the library"


def test_a_chat_can_be_taken_in_without_following_it(desktop, dialog, tavern, memory):
    dialog.follow_box.setChecked(False)
    follow(desktop, dialog, "白兔")
    assert memory.tavern.followed() == []
    assert chat_of(dialog, "白兔").text(3) == "in the library"
    tavern[1][0].say("我先走了。")
    dialog.choose_button.setFocus()
    desktop.window.models.tavern.look(str(tavern[0]))
    settle(desktop)
    assert chat_of(dialog, "白兔").text(3) == "newer there"


def test_characters_have_their_pictures(dialog):
    icon = owners(dialog)["白兔"].icon(0).pixmap(32, 32).toImage()
    assert icon.pixelColor(16, 16) == QColor("teal")
    assert owners(dialog)["睡鼠"].icon(0).pixmap(32, 32).toImage() != icon


def test_taking_in_can_be_stopped_and_begun_again(desktop, dialog):
    dialog.tick_button.click()
    dialog.apply_button.click()
    assert not dialog._progress.isHidden()
    click(desktop, dialog.cancel_button)
    assert 0 not in {chat.messages for chat in chats(desktop).values()}  # whole ones or none
    assert dialog._progress.isHidden()
    assert dialog.cancel_button.isHidden()
    dialog.tick_button.click()
    if dialog.apply_button.isEnabled():  # it was stopped in time
        click(desktop, dialog.apply_button)
    assert [c.messages for c in chats(desktop).values() if " - 1" in c.name] == [12, 12]


def test_following_a_chat_switches_following_on(desktop, dialog, memory):
    memory.settings.set("tavern.follow", "off")
    follow(desktop, dialog, "白兔")
    assert memory.settings.read().tavern_follow == "chosen"


def test_everything_new_is_ticked_by_kind_and_taken_in(desktop, dialog, tavern, memory):
    handle = tavern[0] / "data" / "default-user"
    write_everything(handle)
    desktop.window.models.tavern.look(str(tavern[0]))
    settle(desktop)
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
    click(desktop, dialog.apply_button)
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


def test_the_prompts_of_a_preset_can_be_read(desktop, dialog, tavern):
    folder = tavern[0] / "data" / "default-user" / "OpenAI Settings"
    folder.mkdir(exist_ok=True)
    prompts = [{"identifier": "main", "name": "Main", "role": "system", "content": "写得慢。"}]
    order = [{"character_id": 100001, "order": [{"identifier": "main", "enabled": False}]}]
    preset = {"prompts": prompts, "prompt_order": order}
    (folder / "慢.json").write_text(json.dumps(preset), "utf-8")
    desktop.window.models.tavern.look(str(tavern[0]))
    settle(desktop)
    held = dialog.lists["preset"]
    assert not dialog.prompts.toPlainText()
    held.setCurrentItem(rows(held)["慢"])
    settle(desktop)
    assert dialog.prompts.toPlainText() == "【Main】 system · off\n写得慢。"


@pytest.mark.logs("was left out")
def test_every_chat_is_followed_if_asked(qtbot, desktop, dialog):
    dialog.all_box.setChecked(True)
    qtbot.waitUntil(lambda: {"白兔 - 1", "睡鼠 - 1"} <= set(chats(desktop)), timeout=WAIT)
    dialog.all_box.setChecked(False)
    settle(desktop)
    assert desktop.workspace.memory.settings.read().tavern_follow == "chosen"


def test_a_folder_of_something_else_says_so_and_is_not_kept(desktop, tmp_path, memory):
    (tmp_path / "other").mkdir()
    dialog = opened_by(desktop, desktop.window.dialogs.open_tavern, str(tmp_path / "other"))
    assert "not a SillyTavern folder" in dialog._trouble.text()
    assert memory.settings.read().tavern_folder == ""


def test_the_search_shows_what_fits(dialog):
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
    follow(desktop, dialog, "白兔")
    reported: list[list[SyncReport]] = []
    desktop.workspace.tavern.reported.connect(reported.append)
    desktop._forced["language"] = None
    memory = desktop.workspace.memory
    desktop.workspace.change("", lambda _ctx: memory.settings.set("ui.language", "zh_CN"))
    settle(desktop)
    tavern[1][0].say("换了语言，还在说。")
    qtbot.waitUntil(lambda: bool(reported), timeout=WAIT)


# Memories other tools left, in the window: looked at tool by tool, ticked, taken over, undone.


@pytest.fixture
def chat(tmp_path, desktop, memory):
    file = TavernChatFile(tmp_path / "chats" / "白兔" / "白兔.jsonl", "白兔")
    file.say(*(f"白兔第{n}次看了看怀表。" for n in range(12)))
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "白兔看了怀表。"}}
    file.rows[4]["variables"] = [{"stat_data": {"白兔": {"焦急": [80, "0到100"]}}}]
    file.save()
    chat_id = memory.imports.import_file(NullContext(), file.path).chat_id
    show_chat(desktop, chat_id)
    return chat_id


@pytest.fixture
def adopt_dialog(desktop, chat):
    desktop.window.sidebar.adopt_wanted.emit(chat)
    settle(desktop)
    return desktop.window.dialogs.shown[0]


@pytest.fixture
def worldbook(tmp_path):
    path = tmp_path / "记忆.json"
    entry = {"stmemorybooks": True, "content": "茶会散了。", "STMB_start": 6, "STMB_end": 9}
    path.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    return path


def tools(dialog):
    tops = [dialog.tree.topLevelItem(n) for n in range(dialog.tree.topLevelItemCount())]
    return {top.text(0): top for top in tops}


def summaries(memory, chat_id):
    found = stored_events(memory, chat_id)
    return {event.summary for event in found.values()}


def test_everything_is_shown_before_it_happens(desktop, adopt_dialog, chat, memory):
    assert {name: top.text(2) for name, top in tools(adopt_dialog).items()} == {
        "qvink": "1 new",
        "MVU": "1 new",
    }
    adopt_dialog.tree.setCurrentItem(tools(adopt_dialog)["MVU"].child(0))
    assert adopt_dialog.text.toPlainText().startswith("白兔: 焦急 80\n\nMVU · 白兔 · 4")
    assert summaries(memory, chat) == set()
    tools(adopt_dialog)["MVU"].setCheckState(0, Qt.CheckState.Unchecked)
    assert adopt_dialog.apply_button.text() == "Take over 1 memory"
    told: list[Notice] = []
    desktop.workspace.messages.posted.connect(told.append)
    click(desktop, adopt_dialog.apply_button)
    assert told[-1].text == "1 memory taken over"
    assert summaries(memory, chat) == {"白兔看了怀表。"}
    assert tools(adopt_dialog)["qvink"].text(2) == "1 known already"
    assert tools(adopt_dialog)["MVU"].checkState(0) == Qt.CheckState.Checked
    undo(desktop)
    assert summaries(memory, chat) == set()


def test_files_are_looked_through_too(desktop, adopt_dialog, chat, memory, worldbook, tmp_path):
    adopt_dialog.add_files([worldbook, tmp_path / "missing.json"])
    settle(desktop)
    assert tools(adopt_dialog)["MemoryBooks"].child(0).text(1) == "6–9"
    assert "missing.json" in adopt_dialog._trouble.text()
    click(desktop, adopt_dialog.apply_button)
    assert "茶会散了。" in summaries(memory, chat)


def test_a_file_of_memories_dropped_on_the_window_is_offered_to_the_chat_shown(
    desktop, chat, memory, tmp_path
):
    path = tmp_path / "Engram_sync_1.json"
    event = {"summary": "茶会散了。", "source_range": {"start_index": 3, "end_index": 5}}
    path.write_text(json.dumps({"events": [event], "entities": [], "meta": {}}), "utf-8")
    desktop.window.import_files([path])
    settle(desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert tools(dialog)["Engram"].text(2) == "1 new"
    click(desktop, dialog.apply_button)
    assert "茶会散了。" in summaries(memory, chat)
    pk = memory.events.find(chat, EventQuery(text="茶会散了"))[0]
    desktop.window.models.editor.show_event(pk)
    settle(desktop)
    assert desktop.window.editor._where.text().endswith("Engram · Engram_sync_1.json")


def test_a_chat_without_such_memories_says_what_can_be_chosen(desktop):
    chat_id = desktop.workspace.chat_id
    dialog = opened_by(desktop, desktop.window.dialogs.open_adopt, chat_id)
    assert "Nothing of a known tool" in dialog._empty.text()
    assert not dialog.apply_button.isEnabled()


def test_memories_in_a_chat_just_imported_are_offered(desktop, tmp_path):
    file = TavernChatFile(tmp_path / "chats" / "睡鼠" / "睡鼠.jsonl", "睡鼠")
    file.say(*(f"睡鼠第{n}次睡着了。" for n in range(6)))
    file.rows[2]["extra"] = {"qvink_memory": {"memory": "睡鼠睡着了。"}}
    file.save()
    told: list[Notice] = []
    desktop.workspace.messages.posted.connect(told.append)
    desktop.window.models.imports.run(file.path, into=None, name=None)
    settle(desktop)
    assert [notice.text for notice in told][-1] == "Memories of other tools were found: qvink 1"
    assert told[-1].action is not None
    told[-1].action()
    settle(desktop)
    (dialog,) = desktop.window.dialogs.shown
    assert tools(dialog)["qvink"].text(2) == "1 new"


# Scripts and rules are switched, tried and looked at in the window.


@pytest.fixture
def page(desktop, tmp_path):
    click(desktop, desktop.window.sidebar.scripts)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, TextsDialog)
    path = tmp_path / "regex.json"
    path.write_text(f"[{script_json(name='甲')}, {script_json('/门/', '窗', name='乙')}]", "utf-8")
    desktop.window.models.scripts.take([path])
    settle(desktop)
    dialog.tabs.show_page(1)
    return dialog.scripts


def names(page):
    return [page.tree.topLevelItem(n).text(0) for n in range(page.tree.topLevelItemCount())]


def test_scripts_are_moved_switched_and_deleted(desktop, page):
    memory = desktop.workspace.memory
    assert names(page)[:2] == ["甲", "乙"]
    page.tree.setCurrentItem(page.tree.topLevelItem(1))
    click(desktop, page.up_button)
    assert names(page)[:2] == ["乙", "甲"]
    page.tree.topLevelItem(0).setCheckState(0, Qt.CheckState.Unchecked)
    settle(desktop)
    assert [s.is_enabled for s in memory.scripts.all()] == [False, True]
    click(desktop, page.delete_button)
    assert names(page)[0] == "甲"
    (bar,) = desktop.window.message_bar.bars
    assert bar.notice.text == "The regex script “乙” was deleted"
    click(desktop, bar.button)
    assert names(page)[:2] == ["乙", "甲"]
    dialog = desktop.window.dialogs.shown[-1]
    for _ in range(2):
        press_key(desktop, dialog, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert names(page)[:2] == ["甲", "乙"]
    assert all(s.is_enabled for s in memory.scripts.all())
    click(desktop, dialog.undo.history_button)
    assert desktop.window.dialogs.shown[-1].list.count() == 4


def test_a_rule_of_the_program_is_switched_but_not_deleted(desktop, page):
    rule = page.tree.topLevelItem(2)
    page.tree.setCurrentItem(rule)
    assert not page.delete_button.isEnabled()
    rule.setCheckState(0, Qt.CheckState.Unchecked)
    settle(desktop)
    assert not desktop.workspace.memory.settings.read().clean_thoughts


def test_a_script_is_tried_on_a_text(desktop, page):
    page.tree.setCurrentItem(page.tree.topLevelItem(0))
    page.text.setPlainText("铜门")
    click(desktop, page.try_button)
    assert page.result.toPlainText() == "银门"


def test_the_steps_of_a_message_are_shown_from_its_source(qtbot, desktop, page):
    source = opened_by(desktop, desktop.window.dialogs.open_source, 0, 1)
    link = next(b for b in source.findChildren(type(page.up_button)) if "0" in b.accessibleName())
    press(desktop, link)
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, StepsDialog)
    assert dialog.list.count() >= 3
    dialog.list.setCurrentRow(0)
    qtbot.keyClicks(dialog.text, "x")  # what a model reads is not edited here
    chat = desktop.workspace.chat_id
    assert (
        dialog.text.toPlainText()
        == desktop.workspace.memory.messages.slice(Line.main(chat), 0, 0)[0].text
    )


def completion(desktop):
    desktop.window.dialogs.open_texts()
    dialog = desktop.window.dialogs.shown[-1]
    assert isinstance(dialog, TextsDialog)
    dialog.tabs.show_page(2)
    settle(desktop)
    return dialog.completion


def test_a_chat_of_no_folder_says_why_there_is_no_text_for_a_completion_model(desktop):
    page = completion(desktop)
    assert page.text.toPlainText() == ""
    assert page.fault.text() == "This chat lies in no SillyTavern folder."
    assert page.fault.isVisible()


def test_a_chat_is_shown_as_a_text_completion_model_gets_it(open_desktop, tmp_path):
    with opened(tmp_path) as chats:
        chat = chats[4]
        desktop = open_desktop(chat.memory)
        show_chat(desktop, chat.line.chat_id)
        page = completion(desktop)
        assert page.text.toPlainText() == chat.memory.prompts.as_text(chat.line)
        assert page.text.isReadOnly()
        assert page.fault.isHidden()
        assert desktop.close(5000)


def test_every_step_of_a_message_is_named(desktop, page):
    steps = opened_by(desktop, desktop.window.dialogs.open_steps, 0)
    rows = [steps.list.item(row).text() for row in range(steps.list.count())]
    assert len(rows) >= 3
    assert all(rows)
    assert rows[0] == "As it was written"
