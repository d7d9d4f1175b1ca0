"""One event or entity, edited."""

from __future__ import annotations

import base64
import json

import pytest
from PySide6.QtCore import QBuffer, QIODevice, QPoint, Qt
from PySide6.QtGui import QImage, QImageWriter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QMenu

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.formats.png_chunks import chunks, with_texts
from engram_desktop.jobs.context import NullContext
from engram_desktop.viewmodels.events.event_editor import read_json
from engram_desktop.widgets.parts.cards import LiveCard
from engram_desktop.widgets.parts.dialogs import QuestionBox
from tests.factories import import_chat, make_event, make_extraction, model_at, set_all
from tests.fake_openai import FakeOpenAI
from tests.gui.waiting import click, commit, open_page, press, press_key, settle, trigger, undo
from tests.state_story import update, write_story

# Editing one event: the draft, when it is saved, what is refused.

HOSTILE = "<img src='http://127.0.0.1:9/x.png'><a href='file:///'>x</a> & <b>bold</b>"


@pytest.fixture
def editor(desktop):
    view = desktop.window.event_page.view
    view.show_row(0)
    return desktop.window.editor


@pytest.fixture
def read(desktop, memory):
    def reread():
        key = desktop.window.models.editor.current.pk
        return memory.events.fetch(desktop.workspace.chat_id, [key])[key]

    return reread


def test_leaving_a_field_saves_it_as_one_step(desktop, editor, read):
    editor.fields.place.setFocus()
    editor.fields.place.selectAll()
    commit(editor.fields.place, "灯塔")
    assert read().raw_data.location != "灯塔"
    editor.fields.time.setFocus()
    settle(desktop)
    assert read().raw_data.location == "灯塔"
    assert read().extractor == "manual"
    undo(desktop)
    assert read().raw_data.location != "灯塔"
    assert editor.fields.place.text() == read().raw_data.location


def test_ctrl_s_saves_at_once(desktop, editor, read):
    editor.fields.summary.setFocus()
    editor.fields.summary.setPlainText("新的摘要。")
    press_key(desktop, desktop.window, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    assert read().summary == "新的摘要。"


def test_selecting_another_event_saves_the_draft_of_the_first(desktop, editor, memory):
    view, chat = desktop.window.event_page.view, desktop.workspace.chat_id
    first = desktop.window.models.editor.current.pk
    editor.fields.summary.setPlainText("离开前写的。")
    view.show_row(1)
    settle(desktop)
    assert memory.events.fetch(chat, [first])[first].summary == "离开前写的。"
    assert desktop.window.models.editor.current.pk != first


def test_what_did_not_change_is_not_a_step(qtbot, desktop, editor, memory):
    steps = len(memory.history.steps(desktop.workspace.chat_id))
    text = editor.fields.place.text()
    editor.fields.place.setFocus()
    qtbot.keyClicks(editor.fields.place, "x")
    qtbot.keyClick(editor.fields.place, Qt.Key.Key_Backspace)
    assert editor.fields.place.text() == text
    editor.fields.time.setFocus()
    settle(desktop)
    assert len(memory.history.steps(desktop.workspace.chat_id)) == steps


def test_an_empty_summary_is_refused_and_the_stored_one_comes_back(desktop, editor, read):
    before = read().summary
    editor.fields.summary.setFocus()
    editor.fields.summary.setPlainText("")
    editor.fields.time.setFocus()
    settle(desktop)
    assert read().summary == before
    assert editor.fields.summary.toPlainText() == before
    assert [bar.notice.kind for bar in desktop.window.message_bar.bars] == ["error"]


def test_keywords_are_added_and_removed_as_chips(desktop, editor, read):
    chips = editor.fields.keywords
    commit(chips.field, "暗号，约定")
    press_key(desktop, chips.field, Qt.Key.Key_Return)
    assert read().raw_data.keywords[-2:] == ("暗号", "约定")
    chip = chips._flow.itemAt(0).widget()
    gone = chip.word
    click(desktop, chip)
    assert gone not in read().raw_data.keywords


def test_structured_fields_are_kept(desktop, editor, read):
    editor.fields.structured_button.click()
    editor.fields.causality.setPlainText("因为潮水")
    desktop.window.models.editor.save()
    settle(desktop)
    assert read().structured_kv.causality == "因为潮水"


def test_json_names_every_fault_and_applies_only_without_one(qtbot, desktop, editor, read):
    editor.show_tab(2)
    data = json.loads(editor.json.toPlainText())
    editor.json.setPlainText(json.dumps(data | {"summary": 5.5, "keywords": {}, "entities": 3}))
    qtbot.waitUntil(lambda: bool(editor._faults.text()))
    assert not editor.apply_button.isEnabled()
    told = editor._faults.text()
    assert "event[0].keywords" in told
    assert "event[0].entities" in told
    editor.json.setPlainText(json.dumps(data | {"summary": "从 JSON 来。"}, ensure_ascii=False))
    qtbot.waitUntil(editor.apply_button.isEnabled)
    click(desktop, editor.apply_button)
    assert read().summary == "从 JSON 来。"


@pytest.mark.parametrize("text", ["", "{", "[" * 100_000, "3", "[]", '{"events": []}', "null"])
def test_no_json_text_raises(text):
    data, faults = read_json(text)
    assert data is None or not faults
    assert data is None


def test_the_lamp_button_says_and_does(desktop, editor, read):
    was = read().is_archived
    assert editor.lamp_button.text() == ("Green" if was else "Blue")
    told = editor.lamp_button.toolTip()
    assert ("Click: back to the buffer" if was else "Click: archive it") in told
    click(desktop, editor.lamp_button)
    assert read().is_archived is not was
    assert editor.lamp_button.text() == ("Blue" if was else "Green")


def test_locking_shows_in_words(desktop, editor, read):
    click(desktop, editor.lock_button)
    assert read().is_locked
    assert editor.lock_button.accessibleName().startswith("Unlock")


def test_the_source_is_read(desktop, editor):
    editor.show_tab(3)
    settle(desktop)
    texts = [editor._source.itemAt(n).widget() for n in range(editor._source.count() - 1)]
    assert any("floor 1" in label.text() for label in texts)


def test_markup_in_a_story_stays_text(desktop, editor, read):
    editor.fields.summary.setPlainText(HOSTILE)
    desktop.window.models.editor.save()
    settle(desktop)
    assert read().summary == HOSTILE
    for label in desktop.window.findChildren(type(editor._title)):
        assert label.textFormat() == Qt.TextFormat.PlainText, label.text()
    desktop.window.grab()


def test_a_very_long_word_and_stacked_marks_are_painted(desktop, editor):
    editor.fields.summary.setPlainText("长" * 3000 + "z" + "\u0301" * 900)
    desktop.window.models.editor.save()
    settle(desktop)
    desktop.window.grab()


def test_the_draft_is_saved_when_typing_rests(qtbot, desktop, editor, read):
    editor.fields.summary.setFocus()
    QTest.keyClick(editor.fields.summary, Qt.Key.Key_End)
    editor.fields.summary.insertPlainText("又及")
    with qtbot.waitSignal(desktop.window.models.editor.saved, timeout=30_000):
        pass
    settle(desktop)
    assert "又及" in read().summary


# The entity beside the graph, changed by hand; and the inbox of entities that may be one.


@pytest.fixture
def window(desktop):
    open_page(desktop, "graph")
    return desktop.window


@pytest.fixture
def alice(desktop, window, memory):
    found = memory.graph.find_entity(desktop.workspace.chat_id, "爱丽丝")
    window.models.graph.show_entity(found.id)
    settle(desktop)
    return found


def now(desktop, memory, entity_id):
    chat = desktop.workspace.chat_id
    return next(
        e for e in memory.graph.find_entities(Line.main(chat), "", 999) if e.id == entity_id
    )


def action(menu: QMenu, text: str):
    menu.aboutToShow.emit()
    return next(a for a in menu.actions() if a.text().startswith(text))


def test_a_new_name_is_saved_shown_and_undone(desktop, window, memory, alice):
    name = window.stack.panel("graph").fields.name
    name.setText("爱丽丝·维尔")
    press_key(desktop, name, Qt.Key.Key_Return)
    assert now(desktop, memory, alice.id).name == "爱丽丝·维尔"
    rows = window.stack.page("graph").list.rows
    assert any("爱丽丝·维尔" in rows.index(n, 0).data() for n in range(3))
    undo(desktop)
    assert name.text() == "爱丽丝"


def test_a_name_that_is_taken_offers_to_merge_the_two(desktop, window, memory, alice):
    other = next(e for e in window.models.graph.graph.view.entities if e.id != alice.id)
    name = window.stack.panel("graph").fields.name
    name.setText(other.name)
    press_key(desktop, name, Qt.Key.Key_Return)
    assert not window.message_bar.bars  # nothing went wrong
    assert name.text() == "爱丽丝"
    box = window.findChild(QuestionBox)
    assert other.name in box.text()
    assert box.defaultButton() is box.keep_button  # Enter changes nothing
    click(desktop, box.destroy_button)
    assert name.text() == other.name
    assert "爱丽丝" in now(desktop, memory, other.id).aliases
    undo(desktop)
    assert now(desktop, memory, alice.id).name == "爱丽丝"


def test_aliases_are_chips_and_one_can_be_split_off(desktop, window, memory, alice):
    fields = window.stack.panel("graph").fields
    fields.aliases.field.setText("小爱、老板娘甲")
    press_key(desktop, fields.aliases.field, Qt.Key.Key_Return)
    assert set(now(desktop, memory, alice.id).aliases) == {"小爱", "老板娘甲"}
    split = action(fields.menu, "Split off")
    trigger(desktop, split.menu().actions()[0])
    assert len(now(desktop, memory, alice.id).aliases) == 1


def test_a_profile_is_yaml_and_a_fault_is_said(desktop, window, memory, alice):
    fields = window.stack.panel("graph").fields
    fields.profile.setPlainText("身份: [")
    fields.save_profile()
    settle(desktop)
    assert fields.fault.isVisible()
    assert "line" in fields.fault.text()
    assert now(desktop, memory, alice.id).profile == {}
    fields.profile.setPlainText("身份: 店主\n生日: 2020-01-02")
    fields.save_profile()
    settle(desktop)
    assert fields.fault.isHidden()
    assert now(desktop, memory, alice.id).profile == {"身份": "店主", "生日": "2020-01-02"}


def test_type_and_lock(desktop, window, memory, alice):
    fields = window.stack.panel("graph").fields
    click(desktop, fields.lock_button)
    assert now(desktop, memory, alice.id).is_locked
    assert fields.lock_button.accessibleName() == "Unlock"
    fields.kind.setCurrentIndex(3)
    fields.kind.activated.emit(3)
    settle(desktop)
    assert now(desktop, memory, alice.id).type == "concept"
    steps = len(memory.history.steps(desktop.workspace.chat_id))
    fields.kind.activated.emit(3)
    settle(desktop)
    assert len(memory.history.steps(desktop.workspace.chat_id)) == steps  # it is one already


def test_merging_completes_the_name_and_keeps_the_target_selected(
    qtbot, desktop, window, memory, alice
):
    other = next(e for e in window.models.graph.graph.view.entities if e.id != alice.id)
    trigger(desktop, action(window.stack.panel("graph").fields.menu, "Merge into"))
    dialog = window.dialogs.shown[-1]
    assert not dialog.merge_button.isEnabled()
    qtbot.keyClicks(dialog.field, "nobody")
    assert not dialog.merge_button.isEnabled()
    dialog.field.setText(other.name)
    assert dialog.merge_button.isEnabled()
    click(desktop, dialog.merge_button)
    assert window.stack.panel("graph").fields.name.text() == other.name
    assert "爱丽丝" in now(desktop, memory, other.id).aliases
    assert alice.id not in window.stack.page("graph").canvas.picture.graph.index


def test_hiding_takes_it_out_and_the_menu_brings_it_back(desktop, window, memory, alice):
    trigger(desktop, action(window.stack.panel("graph").fields.menu, "Hide"))
    assert alice.id not in window.stack.page("graph").canvas.picture.graph.index
    hidden = action(window.stack.page("graph").menu, "Hidden")
    trigger(desktop, hidden.menu().actions()[0])
    assert now(desktop, memory, alice.id).name == "爱丽丝"


def test_relations_are_added_reworded_ended_and_folded(qtbot, desktop, window, memory, alice):
    panel = window.stack.panel("graph").relations
    other = next(e for e in window.models.graph.graph.view.entities if e.id != alice.id)
    click(desktop, panel.add_button)
    dialog = window.dialogs.shown[-1]
    qtbot.keyClicks(dialog.words, "trusts")
    dialog.other.setText(other.name)
    press_key(desktop, dialog.other, Qt.Key.Key_Return)

    def rows():
        found = memory.graph.relations_of(Line.main(desktop.workspace.chat_id), alice.id)
        return {r.predicate: r for r in found if r.is_by_hand}

    made = rows()["trusts"]
    assert (made.src, made.dst, made.is_by_hand) == (alice.id, other.id, True)
    card = next(
        w
        for n in range(panel._now_column.cards.count())
        if (w := panel._now_column.cards.itemAt(n).widget()) and "trusts" in w.accessibleName()
    )
    trigger(desktop, action(card.more.menu(), "Reword"))
    dialog = window.dialogs.shown[-1]
    dialog.words.setText("loves")
    press_key(desktop, dialog.words, Qt.Key.Key_Return)
    assert set(rows()) == {"loves"}
    card = next(
        w
        for n in range(panel._now_column.cards.count())
        if (w := panel._now_column.cards.itemAt(n).widget()) and "loves" in w.accessibleName()
    )
    trigger(desktop, action(card.more.menu(), "It ended"))
    dialog = window.dialogs.shown[-1]
    click(desktop, dialog.end_button)
    assert not rows()["loves"].is_current
    assert panel.before_button.isVisible()
    assert not panel._past.isVisible()
    qtbot.mouseClick(panel.before_button, Qt.MouseButton.LeftButton)
    assert panel._past.isVisible()
    card = panel._past.cards.itemAt(0).widget()
    trigger(desktop, action(card.more.menu(), "Still true"))
    assert rows()["loves"].is_current
    undo(desktop)
    assert not rows()["loves"].is_current
    assert panel.before_button.isVisible()  # the list is in step with what was undone


@pytest.fixture
def pair(desktop, window, memory, alice):
    """Two entities of one name and a half, found by looking."""
    chat = desktop.workspace.chat_id
    memory.graph.set_aliases(chat, alice.id, ["爱丽丝姐姐"])
    memory.graph.split_entity(chat, alice.id, "爱丽丝姐姐")
    window.models.same.look_again()
    settle(desktop)
    return next(
        s
        for s in memory.graph.suggestions(Line.main(chat))
        if "爱丽丝姐姐" in (s.one.name, s.other.name)
    )


def card_of(window, suggestion):
    cards = window.stack.page("graph").same.cards
    found = (cards.itemAt(n).widget() for n in range(cards.count()))
    return next(
        c for c in found if c is not None and suggestion.one.name in c.merge_buttons[0].text()
    )


def test_the_inbox_counts_and_merges_under_the_chosen_name(qtbot, desktop, window, memory, pair):
    page = window.stack.page("graph")
    count = len(memory.graph.suggestions(Line.main(desktop.workspace.chat_id)))
    assert page.same_button.text() == f"Possible duplicates ({count})"
    qtbot.mouseClick(page.same_button, Qt.MouseButton.LeftButton)
    card = card_of(window, pair)
    click(desktop, card.merge_buttons[1])
    merged = now(desktop, memory, pair.one.id)
    assert (merged.name, merged.aliases) == (pair.other.name, (pair.one.name,))
    undo(desktop)
    assert page.same_button.text() == f"Possible duplicates ({count})"


def test_what_is_not_the_same_goes_and_comes_back_by_undo(qtbot, desktop, window, pair):
    page = window.stack.page("graph")
    qtbot.mouseClick(page.same_button, Qt.MouseButton.LeftButton)
    before = page.same_button.text()
    qtbot.mouseClick(card_of(window, pair).later_button, Qt.MouseButton.LeftButton)
    assert page.same_button.text() == before
    press(desktop, card_of(window, pair).apart_button)
    assert page.same_button.text() != before
    undo(desktop)
    assert page.same_button.text() == before


def test_without_a_model_updating_profiles_says_what_to_do(desktop, window):
    trigger(desktop, action(window.stack.page("graph").menu, "Update profiles"))
    assert window.message_bar.bars


@pytest.mark.parametrize(("fault", "kind"), [("", "success"), ("garbage", "warning")])
def test_updated_profiles_are_told_and_failed_ones_warn(desktop, window, memory, fault, kind):
    with FakeOpenAI(answer=lambda _body: '{"profiles": []}') as server:
        server.faults = [fault] * 9 if fault else []
        set_all(memory, model_at(server.url))
        trigger(desktop, action(window.stack.page("graph").menu, "Update profiles"))
        assert [bar.notice.kind for bar in window.message_bar.bars] == [kind]


def test_an_empty_inbox_says_why(qtbot, window):
    page = window.stack.page("graph")
    qtbot.mouseClick(page.same_button, Qt.MouseButton.LeftButton)
    if not window.models.same.waiting:
        assert page.same.empty.isVisible()
        assert "consolidated" in page.same.empty._hint.text()


def test_after_a_merge_the_survivor_is_shown_and_the_way_back_is_offered(
    desktop, window, memory, alice
):
    chat = desktop.workspace.chat_id
    other = next(e for e in memory.graph.find_entities(Line.main(chat)) if e.id != alice.id)
    window.models.graph.recenter(alice.id)
    settle(desktop)
    assert window.models.graph.center == alice.id
    window.models.entity.merge_into(other.id)
    settle(desktop)
    graph = window.models.graph
    assert graph.entity.id == other.id == graph.center
    assert alice.id not in {e.id for e in graph.graph.view.entities}
    assert len(graph.graph.view.entities) > 1, "the survivor stands among its neighbours"
    bar = window.message_bar.bars[-1]
    assert bar.button.text() == "Undo"
    click(desktop, bar.button)
    assert memory.graph.find_entity(chat, alice.name).id == alice.id


def test_either_of_two_that_may_be_one_is_looked_at_by_a_click(qtbot, desktop, window, pair):
    qtbot.mouseClick(window.stack.page("graph").same_button, Qt.MouseButton.LeftButton)
    sides = card_of(window, pair).findChildren(LiveCard)
    for side, entity in zip(sides, (pair.one, pair.other), strict=True):
        qtbot.mouseClick(side, Qt.MouseButton.LeftButton)
        settle(desktop)
        assert window.models.entity.entity.id == entity.id


# The page of an entity: face, facts, curve, promises and evidence, in the panel and large.

CTX = NullContext()


def a_card(folder, name):
    """Write a character card with a red picture."""
    image = QImage(64, 96, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.red)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert QImageWriter(buffer, b"png").write(image)
    fields = {"name": name, "description": "店主", "first_mes": "你好"}
    card = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": fields})
    text = base64.b64encode(card.encode())
    file = folder / f"{name}.png"
    file.write_bytes(with_texts(chunks(bytes(buffer.data().data()), name), {"chara": text}))
    return file


def told(summary, floor, *facts, time=""):
    names = dict.fromkeys(name for a, _word, b in facts for name in (a, b))
    data = make_extraction(
        summary,
        timestamp=time,
        entities=tuple(ExtractedEntity(name, "char") for name in names),
        relations=tuple(ExtractedRelation(*fact) for fact in facts),
    )
    return make_event(summary, floor, floor, raw_data=data, timestamp=floor)


@pytest.fixture
def sheet_desktop(open_desktop, memory, tmp_path):
    """A story in which 爱丽丝 comes to like the player, and gives her word twice."""
    replies = [update(1), update(2), update(3), update(4)]
    chat = memory.imports.import_file(CTX, write_story(tmp_path / "故事.jsonl", replies)).chat_id
    store = memory.session.chat(chat)
    events = [
        told("爱丽丝在月光酒馆当店主。", 0, ("爱丽丝", "认识", "旅人"), time="第一天"),
        told("爱丽丝答应带旅人去灯塔。", 1, ("爱丽丝", "答应", "旅人"), time="第二天"),
        told("爱丽丝向凯尔发誓保密。", 2, ("爱丽丝", "发誓", "凯尔")),
        told("她们去了灯塔。", 3, ("爱丽丝", "兑现承诺", "旅人")),
        *(told(f"旅人第{n}次来。", 4, ("旅人", "拜访", "爱丽丝")) for n in range(14)),
    ]
    with store.database.writing():
        store.events.add(events, 0)
    keys = [e.pk for e in memory.events.at_floors(Line.main(chat), 0, 99)]
    memory.events.set_archived(CTX, chat, keys, archived=True)
    memory.imports.import_file(CTX, a_card(tmp_path, "爱丽丝"))
    alice = memory.graph.find_entity(chat, "爱丽丝")
    memory.graph.update_entity(chat, alice.id, profile={"身份": "店主", "外貌": {"发色": "银"}})
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    return desktop


@pytest.fixture
def sheet_window(sheet_desktop, memory):
    window = sheet_desktop.window
    open_page(sheet_desktop, "graph")
    window.models.graph.select(alice_of(sheet_desktop, memory).id)
    settle(sheet_desktop)
    return window


def alice_of(desktop, memory):
    return memory.graph.find_entity(desktop.workspace.chat_id, "爱丽丝")


def texts(part):
    return [label.text() for label in part.findChildren(QLabel) if label.isVisibleTo(part)]


def cards(section):
    layout = section.column.cards
    return [layout.itemAt(n).widget() for n in range(layout.count())]


def shows_red_face(portrait):
    """Whether the picture of the card is seen, and no letter."""
    shown = portrait.grab().toImage()
    middle = shown.pixelColor(shown.width() // 2, shown.height() // 2)
    return (middle.red(), middle.green()) == (255, 0)


def test_the_panel_shows_face_facts_and_where_they_are_from(sheet_window):
    fields = sheet_window.stack.panel("graph").fields
    assert shows_red_face(fields.portrait)
    assert {"身份", "店主", "外貌 · 发色", "银"} <= set(texts(fields.facts))
    (fact,) = (f for f in fields.facts.facts if f.event is not None)
    assert (fact.name, fact.event.summary) == ("身份", "爱丽丝在月光酒馆当店主。")


def test_a_curve_is_shown_of_who_has_one_and_hidden_else(sheet_desktop, sheet_window, memory):
    curve = sheet_window.stack.panel("graph").parts.curve
    assert curve.isVisibleTo(sheet_window.stack.panel("graph"))
    assert curve.choice.currentText() == "好感度"
    assert curve.now.text().startswith("now 60") or "+" in curve.now.text()
    other = memory.graph.find_entity(sheet_desktop.workspace.chat_id, "凯尔")
    sheet_window.models.graph.select(other.id)
    settle(sheet_desktop)
    assert curve.isHidden()
    assert not shows_red_face(sheet_window.stack.panel("graph").fields.portrait)


def test_open_promises_come_first_and_what_became_of_the_others_is_said(
    qtbot, sheet_desktop, sheet_window
):
    section = sheet_window.stack.panel("graph").parts.promises
    names = [card.accessibleName() for card in cards(section)]
    assert names[0].startswith("open")
    assert "爱丽丝 发誓 凯尔" in names[0]
    assert names[1].startswith("kept")
    assert "第二天" in names[1]
    assert "1 open" in section._caption.text()
    qtbot.mouseClick(cards(section)[1], Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    settle(sheet_desktop)
    assert sheet_window.page == "events"
    assert sheet_window.models.editor.current.summary == "她们去了灯塔。"


def test_evidence_is_whole_newest_first_and_leads_to_its_lines(qtbot, sheet_desktop, sheet_window):
    section = sheet_window.stack.panel("graph").parts.evidence
    assert "18 events" in section._caption.text()
    assert len(cards(section)) == 10
    click(sheet_desktop, section.column.more_button)
    shown = cards(section)
    assert len(shown) == 18
    assert not section.column.more_button.isVisible()
    assert "月光酒馆" in shown[-1].accessibleName()
    lines = shown[-1].findChild(LiveCard) or shown[-1]
    button = next(b for b in lines.children() if getattr(b, "accessibleName", str)() != "")
    with qtbot.waitSignal(sheet_desktop.workspace.floor_wanted, timeout=5_000) as asked:
        button.click()
    assert asked.args == [0, 0]


def test_enter_shows_all_of_it_large_and_it_follows_what_is_chosen(
    sheet_desktop, sheet_window, memory
):
    page = sheet_window.stack.page("graph")
    page.canvas.setFocus()
    press_key(sheet_desktop, page.canvas, Qt.Key.Key_Return)
    dialog = sheet_window.dialogs.shown[-1]
    assert dialog.windowTitle() == "爱丽丝"
    assert shows_red_face(dialog.portrait)
    assert "店主" in texts(dialog.facts)
    assert len(cards(dialog.parts.evidence)) == 10
    assert dialog.height() <= 560
    assert {norm_name(row.other) for row in dialog.relations._folded[1].values()} >= {"旅人"}
    other = memory.graph.find_entity(sheet_desktop.workspace.chat_id, "凯尔")
    sheet_window.models.graph.select(other.id)
    settle(sheet_desktop)
    assert dialog.windowTitle() == "凯尔"
    assert "Nothing is written" in " ".join(texts(dialog))
    dialog.close()
    press_key(sheet_desktop, page.canvas, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert sheet_window.models.graph.graph.view.center_id == other.id


def test_the_story_says_in_its_own_words_who_somebody_is(qtbot, open_desktop, memory, tmp_path):
    rows = [
        ("爱丽丝", "我叫爱丽丝，是月光酒馆的店主。"),
        ("旅人", "你好。"),
        ("旅人", "爱丽丝是个好人。"),
    ]
    chat = import_chat(memory, tmp_path / "故事.jsonl", rows)
    store = memory.session.chat(chat)
    with store.database.writing():
        store.events.add(
            [told("爱丽丝认识旅人。", n, ("爱丽丝", "认识", "旅人")) for n in (0, 2)], 0
        )
    keys = [e.pk for e in memory.events.at_floors(Line.main(chat), 0, 9)]
    memory.events.set_archived(CTX, chat, keys, archived=True)
    desktop = open_desktop(memory)
    desktop.workspace.show_chat(chat)
    open_page(desktop, "graph")
    desktop.window.models.graph.select(alice_of(desktop, memory).id)
    section = desktop.window.stack.panel("graph").parts.descriptions
    qtbot.waitUntil(lambda: bool(cards(section)), timeout=10_000)
    names = [card.accessibleName() for card in cards(section)]
    assert names == [
        "爱丽丝 · floor 0. 我叫爱丽丝，是月光酒馆的店主。",
        "旅人 · floor 2. 爱丽丝是个好人。",
    ]
    with qtbot.waitSignal(desktop.workspace.floor_wanted, timeout=5_000) as asked:
        qtbot.mouseClick(cards(section)[1], Qt.MouseButton.LeftButton, pos=QPoint(20, 10))
    assert asked.args == [2, 2]
    desktop.window.models.graph.select(memory.graph.find_entity(chat, "旅人").id)
    qtbot.waitUntil(section.isHidden, timeout=10_000)


def test_what_was_known_then_is_all_the_page_says(sheet_desktop, sheet_window):
    page, panel = sheet_window.stack.page("graph"), sheet_window.stack.panel("graph")
    page.time_bar.slider.setValue(2)
    settle(sheet_desktop)
    assert "3 events" in panel.parts.evidence._caption.text()
    assert [c.accessibleName()[:4] for c in cards(panel.parts.promises)] == ["open", "open"]
