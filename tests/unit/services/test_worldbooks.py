"""Worldbooks of the library, and those made of memory."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typing_extensions import override

from engram_desktop.domain.changes import ADD, StepLabel
from engram_desktop.domain.errors import InputError, NotFound, StorageError
from engram_desktop.domain.memory.event import EventPatch, EventQuery, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.prompt_template import CARD_EN, StoryRenderer
from engram_desktop.domain.worldbooks.worldbook import Entry, mode_flags
from engram_desktop.formats.world_info import read_worldbook
from engram_desktop.jobs.context import Cancelled, CancelToken, NullContext
from engram_desktop.services.worldbooks.memory_worldbook import STATE_KEY, WorldbookKeys, defused
from engram_desktop.storage.library.worldbooks import digest
from tests.factories import (
    import_chat,
    make_event,
    make_extraction,
    make_message,
    make_store,
    story_rows,
    write_chat,
)

CTX = NullContext()
WORLDBOOK = """{
    "entries": {
        "0": {"uid": 0, "key": ["酒馆"], "comment": "酒馆", "content": "月光酒馆。", "mine": 1e-7},
        "1": {"uid": 1, "key": [], "constant": true, "content": "雨一直下。"}
    }
}"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "月光.json"
    path.write_bytes(WORLDBOOK.encode())
    return path


def test_a_worldbook_is_stored_once_and_written_out_as_it_came(memory, file, tmp_path):
    assert memory.imports.preview(CTX, file).entries == 2
    first = memory.imports.import_file(CTX, file)
    again = memory.imports.import_file(CTX, file)
    assert (first.kind, first.name, first.added, first.skipped) == ("worldbook", "月光", 2, 0)
    assert (again.name, again.added, again.skipped) == ("月光", 0, 2)
    assert memory.imports.preview(CTX, file).chat_name == "月光"
    assert memory.chats.all() == []
    target = tmp_path / "out.json"
    assert memory.worldbooks.export(CTX, "月光", target) == 2
    assert target.read_bytes() == file.read_bytes()
    with pytest.raises(InputError, match="exists already"):
        memory.worldbooks.export(CTX, "月光", target)


def test_a_worldbook_of_another_program_is_written_for_sillytavern_or_as_it_came(memory, tmp_path):
    file = tmp_path / "灰港.json"
    rows = [{"keywords": ["灰港"], "entry": "一座港口。", "weight": 3, "enabled": True}]
    file.write_text(json.dumps({"kind": "memory", "name": "灰港", "entries": rows}), "utf-8")
    name = memory.imports.import_file(CTX, file).name
    memory.worldbooks.export(CTX, name, tmp_path / "st.json")
    written = json.loads((tmp_path / "st.json").read_text("utf-8"))["entries"]["0"]
    assert (written["key"], written["content"], written["order"]) == (["灰港"], "一座港口。", 3)
    memory.worldbooks.change_entries(memory.worldbooks.find(name).id, [0], mode_flags("constant"))
    assert memory.worldbooks.export(CTX, name, tmp_path / "own.json", original=True) == 1
    assert (tmp_path / "own.json").read_bytes() == file.read_bytes()


def test_a_worldbook_of_the_same_bytes_under_another_name_is_another_worldbook(memory, file):
    """Chats and cards call a worldbook by the name of its file: one that is left out is missed."""
    memory.imports.import_file(CTX, file)
    twin = file.with_name("星光.json")
    twin.write_bytes(file.read_bytes())
    assert memory.imports.preview(CTX, twin).chat_name is None
    report = memory.imports.import_file(CTX, twin)
    assert (report.name, report.added, report.skipped) == ("星光", 2, 0)
    again = memory.imports.import_file(CTX, twin)
    assert (again.name, again.added, again.skipped) == ("星光", 0, 2)
    assert {row.name for row in memory.worldbooks.all()} == {"月光", "星光"}


def test_another_worldbook_of_the_same_name_is_kept_beside_it(memory, file):
    memory.imports.import_file(CTX, file)
    file.write_bytes(WORLDBOOK.replace("雨", "雪").encode())
    report = memory.imports.import_file(CTX, file)
    assert report.name == "月光 (2)"
    assert "“月光 (2)”" in report.warnings[0].message
    assert [row.name for row in memory.worldbooks.all()] == ["月光", "月光 (2)"]


def test_entries_are_changed_together_and_nothing_else_is(memory, file, tmp_path):
    worldbook_id = memory.worldbooks.find(memory.imports.import_file(CTX, file).name).id
    changes = memory.worldbooks.change_entries(worldbook_id, [0, 1], mode_flags("disabled"))
    assert changes.worldbooks
    assert [entry.mode for entry in memory.worldbooks.read(worldbook_id).entries] == [
        "disabled",
        "disabled",
    ]
    memory.worldbooks.change_entries(worldbook_id, [1], mode_flags("constant"))
    made, _changes = memory.worldbooks.add_entry(worldbook_id, Entry(0, keys=("雨",), content="伞"))
    assert made.uid == 2
    assert memory.worldbooks.find("月光").entries == 3
    memory.worldbooks.delete_entries(worldbook_id, [0, 2])
    assert [entry.uid for entry in memory.worldbooks.read(worldbook_id).entries] == [1]
    target = tmp_path / "out.json"
    memory.worldbooks.export(CTX, worldbook_id, target)
    assert json.loads(target.read_text("utf-8"))["entries"]["1"]["disable"] is False
    with pytest.raises(NotFound):
        memory.worldbooks.change_entries(worldbook_id, [7], mode_flags("disabled"))


def test_entries_move_to_another_worldbook_with_every_field_and_one_undo_brings_them_back(
    memory, file, tmp_path
):
    memory.imports.import_file(CTX, file)
    other = tmp_path / "别处.json"
    other.write_text('{"entries": {"0": {"uid": 0, "key": ["海"], "content": "海。"}}}', "utf-8")
    memory.imports.import_file(CTX, other)
    source, target = (memory.worldbooks.find(name).id for name in ("月光", "别处"))
    memory.worldbooks.hand_on_entries(source, [0], target)
    assert [e.content for e in memory.worldbooks.read(source).entries] == ["雨一直下。"]
    assert [e.content for e in memory.worldbooks.read(target).entries] == ["海。", "月光酒馆。"]
    assert memory.worldbooks.find("别处").entries == 2
    assert json.loads(memory.worldbooks.content(target))["entries"]["1"]["mine"] == 1e-7
    with pytest.raises(NotFound):
        memory.worldbooks.hand_on_entries(source, [0], target)
    memory.history.undo(None)
    assert len(memory.worldbooks.read(source).entries) == 2
    assert len(memory.worldbooks.read(target).entries) == 1


def test_a_broken_json_file_is_named_with_its_line_and_stored_nowhere(memory, tmp_path):
    file = tmp_path / "kaputt.json"
    file.write_text('{"entries": {\n"0": {"key": [}}}', "utf-8")
    with pytest.raises(InputError, match="line 2"):
        memory.imports.import_file(CTX, file)
    assert memory.worldbooks.all() == []


def test_faulty_entries_are_told_and_the_rest_is_used(memory, tmp_path):
    file = tmp_path / "n.json"
    rows = {str(n): {"uid": n, "key": ["k"], "order": []} for n in range(30)}
    file.write_text(json.dumps({"entries": rows}), "utf-8")
    report = memory.imports.import_file(CTX, file)
    assert report.added == 30
    assert len(report.warnings) == 21
    assert report.warnings[-1].message == "10 more warnings like these"


def test_worldbooks_are_bound_to_every_chat_or_deleted(memory, file):
    worldbook_id = memory.worldbooks.find(memory.imports.import_file(CTX, file).name).id
    memory.worldbooks.set_global(worldbook_id, is_global=True)
    assert memory.worldbooks.all()[0].is_global
    memory.worldbooks.delete(worldbook_id)
    with pytest.raises(NotFound):
        memory.worldbooks.read(worldbook_id)
    assert file.exists()


def test_of_a_book_nothing_is_said_that_only_a_chat_has(memory, tmp_path):
    file = tmp_path / "书.json"
    file.write_text(json.dumps({"entries": {"0": {"key": ["海"]}, "1": {"key": ["山"]}}}), "utf-8")
    told = memory.imports.preview(CTX, file)
    assert (told.messages, told.new_messages, told.changed, told.removed) == (0, 0, 0, 0)
    assert (told.branch_id, told.fork_floor, told.chats, told.warnings) == (None, None, 1, ())
    assert told.entries == 2


# The `[Engram]` worldbook: an entry keeps its number, and a kept file is never taken over.


@pytest.fixture
def chat(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))
    for start in (0, 20):
        add(memory, chat_id, start)
    return chat_id


def add(memory, chat_id, start):
    data = make_extraction(f"第{start}楼起的事。", keywords=(f"词{start}",))
    return memory.events.add(Line.main(chat_id), data, SourceRange(start, start + 9))[0]


def numbers(worldbook):
    return {row["comment"]: row["uid"] for row in worldbook.rows}


def written(file):
    return json.loads(file.read_text("utf-8"))["entries"]


@pytest.fixture
def kept(memory, chat, tmp_path):
    file = tmp_path / "worlds" / "[Engram] 爱丽丝.json"
    file.parent.mkdir()
    memory.kept.keep(CTX, Line.main(chat), file)
    return file


def test_an_entry_keeps_its_number_when_others_come_and_go(memory, chat):
    before = numbers(memory.kept.memory_worldbook(CTX, Line.main(chat)))
    middle = add(memory, chat, 10)
    after = memory.kept.memory_worldbook(CTX, Line.main(chat))
    assert before.items() <= numbers(after).items()
    assert len(set(numbers(after).values())) == len(after.rows)
    assert after.events[numbers(after)["剧情摘要_10-19"]] == middle
    told = [row["comment"] for row in after.rows if row["comment"].startswith("剧情摘要_")]
    assert told == ["剧情摘要_0-9", "剧情摘要_10-19", "剧情摘要_20-29"]
    memory.events.delete(CTX, chat, [middle])
    assert numbers(memory.kept.memory_worldbook(CTX, Line.main(chat))) == before


def test_the_worldbook_as_it_is_shown_is_the_worldbook_as_it_is_read(memory, chat, tmp_path):
    made = memory.kept.memory_worldbook(CTX, Line.main(chat))
    file = tmp_path / "out.json"
    file.write_bytes(made.content(CTX))
    memory.imports.import_file(CTX, file)
    read = memory.worldbooks.read(memory.worldbooks.all()[0].id)
    by_number = sorted(made.as_worldbook(CTX).entries, key=lambda entry: entry.uid)
    assert list(read.entries) == by_number
    assert [row["displayIndex"] for row in made.rows] == list(range(len(made.rows)))


def test_making_the_worldbook_can_be_cancelled(memory, chat):
    class Stopped(NullContext):
        token = CancelToken()

        @override
        def check(self):
            self.token.check()

    Stopped.token.cancel()
    with pytest.raises(Cancelled):
        memory.kept.memory_worldbook(Stopped(), Line.main(chat))


def test_a_kept_file_follows_the_memory(memory, chat, kept):
    before = written(kept)
    assert memory.kept.sync(CTX)[0].is_written is False
    add(memory, chat, 10)
    report = memory.kept.sync(CTX, chat)[0]
    assert (report.is_written, report.worldbook.entries) == (True, len(before) + 1)
    assert "剧情摘要_10-19" in {entry["comment"] for entry in written(kept).values()}
    assert (
        written(kept).items()
        >= {key: entry for key, entry in before.items() if entry["comment"] == "<summary>"}.items()
    )
    assert [file.name for file in kept.parent.iterdir()] == [kept.name]
    memory.history.undo(chat)
    memory.kept.sync(CTX, chat)
    assert written(kept).keys() == before.keys()


def test_new_messages_alone_do_not_rewrite_it(memory, chat, kept):
    memory.messages.append(Line.main(chat), "旅人", "user", "你好。")
    assert not memory.kept.sync(CTX)[0].is_written


def test_only_a_new_file_is_taken(memory, chat, tmp_path):
    mine = tmp_path / "mine.json"
    mine.write_text("mine", "utf-8")
    with pytest.raises(InputError, match="exists already"):
        memory.kept.keep(CTX, Line.main(chat), mine)
    with pytest.raises(NotFound):
        memory.kept.keep(CTX, Line.main(chat), tmp_path / "nowhere" / "x.json")
    assert mine.read_text("utf-8") == "mine"
    assert memory.kept.all() == []


def test_a_file_that_somebody_changed_is_left_alone_until_it_is_out_of_the_way(memory, chat, kept):
    ours = kept.read_bytes()
    kept.write_bytes(ours + b"\n")
    add(memory, chat, 10)
    report = memory.kept.sync(CTX)[0]
    assert (report.worldbook.fault, report.is_news, report.is_written) == ("changed", True, False)
    assert "left as it is" in report.worldbook.trouble
    assert memory.kept.sync(CTX)[0].is_news is False
    assert memory.kept.sync(CTX, file=kept, is_asked=True)[0].worldbook.fault == "changed"
    assert kept.read_bytes() == ours + b"\n"
    kept.write_bytes(ours)
    assert memory.kept.sync(CTX)[0].is_written
    assert memory.kept.all()[0].trouble is None


def test_a_file_that_is_gone_is_written_anew_only_when_asked(memory, kept):
    kept.unlink()
    assert memory.kept.sync(CTX)[0].worldbook.fault == "missing"
    assert not kept.exists()
    report = memory.kept.sync(CTX, file=kept, is_asked=True)[0]
    assert (report.worldbook.fault, report.is_written) == ("", True)
    assert written(kept)


def test_a_kill_at_any_moment_is_no_strangers_change(memory, chat, kept):
    row = memory.kept.all()[0]
    add(memory, chat, 10)
    content = memory.kept.memory_worldbook(CTX, Line.main(chat)).content(CTX)
    for half in (b"", content):  # before and after the renaming
        intent = type(row)(row.path, chat, "main", row.hash, digest(content), row.entries)
        memory.session.library.kept.put(intent)
        if half:
            kept.write_bytes(half)
        add(memory, chat, 30)
        assert memory.kept.sync(CTX)[0].worldbook.fault == ""
        memory.history.undo(chat)
        memory.kept.sync(CTX)
        row = memory.kept.all()[0]
    kept.write_bytes(b"")  # claimed for the first time, and killed then
    memory.session.library.kept.put(type(row)(row.path, chat, "main", "", digest(content)))
    assert memory.kept.sync(CTX)[0].is_written


def test_a_branch_that_is_gone_and_a_stopped_file_write_nothing(memory, chat, tmp_path):
    branch, _changes = memory.branches.fork(Line.main(chat), at=15, name="另一条路")
    file = tmp_path / "b.json"
    memory.kept.keep(CTX, Line(chat, branch), file)
    assert "剧情摘要_20-29" not in file.read_text("utf-8")
    memory.branches.delete(Line(chat, branch))
    assert memory.kept.sync(CTX)[0].worldbook.fault == "lost"
    memory.kept.stop(file)
    assert memory.kept.all() == []
    with pytest.raises(NotFound, match="kept world book"):
        memory.kept.stop(file)
    assert file.exists()


def test_a_deleted_chat_keeps_no_file(memory, chat, kept):
    memory.chats.delete(chat)
    assert memory.kept.all() == []
    assert kept.exists()


def test_the_worlds_folder_of_a_known_installation_is_suggested(memory, chat, tmp_path):
    assert memory.kept.suggested_file(chat) == Path("[Engram] 爱丽丝.json")
    handle = tmp_path / "ST" / "data" / "default-user"
    for name in ("worlds", "characters", "chats"):
        (handle / name).mkdir(parents=True)
    memory.settings.set("tavern.folder", str(tmp_path / "ST"))
    assert memory.kept.suggested_file(chat) == handle / "worlds" / "[Engram] 爱丽丝.json"
    memory.settings.set("tavern.folder", str(tmp_path / "gone"))
    assert memory.kept.suggested_file(chat) == Path("[Engram] 爱丽丝.json")


def test_the_memory_is_held_against_the_chat_when_asked(memory, chat):
    first = memory.events.find(chat, EventQuery())[0]
    memory.events.set_archived(CTX, chat, [first], archived=True)
    memory.events.update(chat, first, EventPatch(keywords=("第38把铜钥匙",)))
    made = memory.kept.memory_worldbook(CTX, Line.main(chat))
    found = memory.worldbooks.activate(CTX, Line.main(chat), [made.as_worldbook(CTX)])
    why = {outcome.entry.comment: outcome.reason.why for outcome in found.outcomes}
    assert why["<summary>"] == why["剧情摘要_20-29"] == "constant"
    assert why["剧情摘要_0-9"] == "key"
    assert why["Engram System State"] == "disabled"
    assert memory.worldbooks.activate(CTX, Line.main(chat)).outcomes == ()
    assert memory.worldbooks.context(CTX, Line.main(chat), 39) == ""


@pytest.mark.parametrize("length", [120, 83])  # bytes: more than a name may have, or just not
def test_a_file_that_cannot_be_written_is_not_kept(memory, chat, tmp_path, length):
    folder = tmp_path / "worlds"
    folder.mkdir()
    target = folder / ("名" * length + ".json")
    with pytest.raises(StorageError):
        memory.kept.keep(CTX, Line.main(chat), target)
    assert memory.kept.all() == []


@pytest.fixture
def keyed_chat(memory, tmp_path):
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))
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


def test_memory_becomes_a_worldbook_of_its_own(memory, keyed_chat, tmp_path):
    first = memory.events.find(keyed_chat, EventQuery())[0]
    memory.events.set_archived(CTX, keyed_chat, [first], archived=True)
    memory.pipeline.consolidate(CTX, Line.main(keyed_chat))
    events = list(memory.events.find(keyed_chat, EventQuery(level=0)))
    memory.events.set_archived(CTX, keyed_chat, events[1:], archived=False)
    worldbook = exported(memory, keyed_chat, tmp_path / "out.json")
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


def test_a_branch_has_its_own_worldbook_and_no_file_is_replaced(memory, keyed_chat, tmp_path):
    branch, _changes = memory.branches.fork(Line.main(keyed_chat), at=15, name="另一条路")
    here = exported(memory, keyed_chat, tmp_path / "here.json", branch=branch)
    comments = [e.comment for e in here.parsed.worldbook.entries]
    assert "剧情摘要_0-9" in comments
    assert "剧情摘要_20-29" not in comments
    with pytest.raises(InputError, match="exists already"):
        memory.care.export(CTX, Line.main(keyed_chat), tmp_path / "here.json", "worldbook")


def test_a_story_cannot_run_macros_or_close_the_block():
    told = defused("</summary> <%= 1 %> {{setvar::a::b}} {{user}} {{ char }}")
    assert told == "‹/summary> ‹%= 1 %> { {setvar::a::b}} {{user}} { { char }}"
    assert defused("@@activate") == " @@activate"


def test_what_one_character_keeps_to_itself_is_not_in_the_worldbook(memory, keyed_chat, tmp_path):
    store = memory.session.library.chat(keyed_chat)
    secret = make_event("爱丽丝藏起了第二把钥匙。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    worldbook = exported(memory, keyed_chat, tmp_path / "out.json")
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
    assert told == [("engram总结", "剧情摘要", "Orrery of Vael"), ("engram总结", "剧情摘要")]
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
    chat_id = import_chat(memory, tmp_path / "a.jsonl", rows)
    pk, _changes = memory.events.add(
        Line.main(chat_id), make_extraction("OK 去了。"), SourceRange(0, 9)
    )
    card = memory.events.fetch(chat_id, [pk])[pk].display_text
    assert f"📅 {labels}:" in card


def test_a_card_stored_with_labels_of_another_language_is_exported_in_the_chats(
    memory, keyed_chat, tmp_path
):
    store = memory.session.library.chat(keyed_chat)
    data = make_extraction("爱丽丝关了门。")
    cards = [StoryRenderer(CARD_EN).render(data), "Time: my own card"]
    for n, card in enumerate(cards):
        old = make_event(data.summary, 30 + n, 30 + n, raw_data=data, display_text=card)
        with store.step(StepLabel(ADD, {"summary": "旧"})):
            store.events.add([old], 1)
    worldbook = exported(memory, keyed_chat, tmp_path / "out.json").content.decode()
    memory.care.export(CTX, Line.main(keyed_chat), tmp_path / "out.md", "markdown")
    for text in (worldbook, (tmp_path / "out.md").read_text("utf-8")):
        assert "What happened" not in text
        assert "Time: my own card" in text


# Which words of a chat are rare enough to be the keys of an entry.


@pytest.mark.parametrize(
    ("messages", "said", "is_key"),
    [(40, 3, True), (40, 4, False), (41, 4, True), (20, 3, True), (20, 4, False)],
)
def test_a_word_of_every_tenth_message_is_no_key(tmp_path, messages, said, is_key):
    store = make_store(tmp_path)
    rows = [make_message("铜钥匙在这里" if n < said else "雪还在下") for n in range(messages)]
    with store.database.writing():
        store.messages.append("main", 0, rows)
    assert WorldbookKeys(store, "main")._is_rare("铜钥匙") is is_key
