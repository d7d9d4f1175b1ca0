from __future__ import annotations

import json

import pytest

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.labels import ADD, StepLabel
from engram_desktop.domain.memory.event import EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.prompt_template import CARD_EN, StoryRenderer
from engram_desktop.formats.worldbooks.world_info import read_worldbook
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.worldbooks.memory_worldbook import STATE_KEY, defused
from tests.factories import make_event, make_extraction, story_rows, write_chat

CTX = NullContext()


@pytest.fixture
def chat(memory, tmp_path):
    file = write_chat(tmp_path / "故事.jsonl", story_rows(40))
    chat_id = memory.imports.import_file(CTX, file).chat_id
    for start in (0, 10, 20):
        data = make_extraction(f"第{start}楼起的事。", keywords=(f"词{start}", "/a|b/i"))
        memory.events.add(Line.main(chat_id), data, SourceRange(start, start + 9))
    return chat_id


def exported(memory, chat_id, target, branch="main"):
    count = memory.care.export(CTX, Line(chat_id, branch), target, "worldbook")
    worldbook = read_worldbook(target)
    assert count == len(worldbook.parsed.worldbook.entries)
    assert not worldbook.parsed.faults
    return worldbook


def test_memory_becomes_a_worldbook_of_its_own(memory, chat, tmp_path):
    first = memory.events.find(chat, EventQuery())[0]
    memory.events.set_archived(CTX, chat, [first], archived=True)
    memory.pipeline.consolidate(CTX, Line.main(chat))
    events = list(memory.events.find(chat, EventQuery(level=0)))
    memory.events.set_archived(CTX, chat, events[1:], archived=False)
    worldbook = exported(memory, chat, tmp_path / "out.json")
    assert worldbook.title == "[Engram] 爱丽丝"
    entries = {entry.comment: entry for entry in worldbook.parsed.worldbook.entries}
    told = [e for e in worldbook.parsed.worldbook.entries if e.comment.startswith("剧情摘要_")]
    told.sort(key=lambda entry: entry.order)
    assert [e.comment for e in told] == [
        "剧情摘要_0-9",
        "剧情摘要_10-19",
        "剧情摘要_10-29",
        "剧情摘要_20-29",
    ]
    assert [e.mode for e in told] == ["selective", "constant", "constant", "constant"]
    assert told[0].keys == ("engram总结", "剧情摘要", "词0", "a|b/i")
    assert told[1].keys == ("engram总结", "剧情摘要")
    orders = [entries["<summary>"].order, *(e.order for e in told), entries["</summary>"].order]
    assert orders == sorted(set(orders))
    assert not {"实体_爱丽丝", "实体_旅人"} & set(entries)
    state = entries["Engram System State"]
    assert (state.mode, state.keys) == ("disabled", (STATE_KEY,))
    assert json.loads(state.content)["events"] == 4


def test_a_branch_has_its_own_worldbook_and_no_file_is_replaced(memory, chat, tmp_path):
    branch, _changes = memory.branches.fork(Line.main(chat), at=15, name="另一条路")
    here = exported(memory, chat, tmp_path / "here.json", branch=branch)
    comments = [e.comment for e in here.parsed.worldbook.entries]
    assert "剧情摘要_0-9" in comments
    assert "剧情摘要_20-29" not in comments
    with pytest.raises(InputError, match="exists already"):
        memory.care.export(CTX, Line.main(chat), tmp_path / "here.json", "worldbook")


def test_a_story_cannot_run_macros_or_close_the_block():
    told = defused("</summary> <%= 1 %> {{setvar::a::b}} {{user}} {{ char }}")
    assert told == "‹/summary> ‹%= 1 %> { {setvar::a::b}} {{user}} { { char }}"
    assert defused("@@activate") == " @@activate"


def test_what_one_character_keeps_to_itself_is_not_in_the_worldbook(memory, chat, tmp_path):
    store = memory.session.library.chat(chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    worldbook = exported(memory, chat, tmp_path / "out.json")
    assert "第二把钥匙" not in worldbook.content.decode()
    assert "剧情摘要_20-29" in {e.comment for e in worldbook.parsed.worldbook.entries}


def test_no_entry_is_keyed_by_who_always_speaks_nor_by_a_frequent_word(memory, tmp_path):
    rows = [("Traveler", "I lean on the bar."), ("Seraphina", "*She leans closer.* Hmm.")] * 30
    rows[10] = ("Seraphina", "*She leans closer.* The Orrery of Vael is in Marrow Hall.")
    chat_id = memory.imports.import_file(
        CTX, write_chat(tmp_path / "a.jsonl", rows, "Traveler")
    ).chat_id
    data = make_extraction(
        "Seraphina tells Traveler where the Orrery of Vael is.",
        keywords=("leans", "closer", "Sera", "Traveler", "Orrery of Vael"),
        entities=(
            ExtractedEntity("Seraphina", "char"),
            ExtractedEntity("Sera", "char"),
            ExtractedEntity("Marrow Hall", "loc"),
            ExtractedEntity("bar", "item"),
        ),
        relations=(
            ExtractedRelation("Seraphina", "hides in", "Marrow Hall"),
            ExtractedRelation("Sera", "owns", "bar"),
        ),
    )
    only_cast = make_extraction("Nothing.", keywords=("leans",), entities=(), relations=())
    for start, event in ((0, data), (20, only_cast)):
        memory.events.add(Line.main(chat_id), event, SourceRange(start, start + 9))
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    worldbook = exported(memory, chat_id, tmp_path / "out.json").parsed.worldbook
    told = [
        e.keys
        for e in worldbook.entries
        if e.comment.startswith("剧情摘要_") and e.mode == "selective"
    ]
    assert told == [
        ("engram总结", "剧情摘要", "Orrery of Vael"),
        ("engram总结", "剧情摘要"),
    ]
    keyed = {key for e in worldbook.entries if e.comment.startswith("实体_") for key in e.keys}
    assert keyed == {"Marrow Hall"}


@pytest.mark.parametrize(
    ("greeting", "said", "labels"),
    [
        (
            "Welcome to the tavern.",
            f"我们去月光酒馆吧。<details>{'HP fine ' * 20}</details>",
            "时间",
        ),
        ("（系统设定，本段为背景说明，请勿理会。）", "Let us go to the tavern tonight.", "Time"),
    ],
)
def test_cards_are_labelled_in_the_language_the_chat_is_told_in(
    memory, tmp_path, greeting, said, labels
):
    rows = [("爱丽丝", greeting)] + [("旅人", said), ("爱丽丝", said)] * 30
    chat_id = memory.imports.import_file(CTX, write_chat(tmp_path / "a.jsonl", rows)).chat_id
    pk, _changes = memory.events.add(
        Line.main(chat_id), make_extraction("OK 去了。"), SourceRange(0, 9)
    )
    card = memory.events.fetch(chat_id, [pk])[pk].display_text
    assert f"📅 {labels}:" in card


def test_a_card_stored_with_labels_of_another_language_is_exported_in_the_chats(
    memory, chat, tmp_path
):
    store = memory.session.library.chat(chat)
    data = make_extraction("爱丽丝关了门。")
    cards = [StoryRenderer(CARD_EN).render(data), "Time: my own card"]
    for n, card in enumerate(cards):
        old = make_event(data.summary, 30 + n, 30 + n, raw_data=data, display_text=card)
        with store.step(StepLabel(ADD, {"summary": "旧"})):
            store.events.add([old], 1)
    worldbook = exported(memory, chat, tmp_path / "out.json").content.decode()
    memory.care.export(CTX, Line.main(chat), tmp_path / "out.md", "markdown")
    for text in (worldbook, (tmp_path / "out.md").read_text("utf-8")):
        assert "What happened" not in text
        assert "Time: my own card" in text
