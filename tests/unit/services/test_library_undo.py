"""What a user does to a library is undone; hostile archives are refused."""

from __future__ import annotations

import json
import shutil
import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from engram_desktop.domain.changes import StepLabel
from engram_desktop.domain.errors import (
    DamagedDatabase,
    InputError,
    KnownError,
    NewerDatabase,
    NothingToUndo,
    PartlyBackedUp,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.prompt_template import ModelOverride
from engram_desktop.domain.worldbooks.worldbook import Entry, mode_flags
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.library import backups
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.native import stored_scripts
from engram_desktop.storage.care import schema_check
from engram_desktop.storage.care.migrations import CHAT, LIBRARY, open_database
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY
from tests.cards import V2, png, text
from tests.factories import import_chat, script_json, story_rows, write_chat
from tests.worldbooks import ENTRIES, write_worldbook

# Whatever a user does to the library is one step: undone to the byte, and done again.

CTX = NullContext()
SCRIPTS = {"extensions": {"regex_scripts": [json.loads(script_json(name="卡上的"))]}}
CARD = V2 | {"data": V2["data"] | SCRIPTS}


def snapshot(memory):
    """Every byte of every watched table."""
    database = memory.session.library.database
    return {
        name: database.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in WATCHED_IN_LIBRARY
    }


def labels(memory):
    return [str(step.label) for step in memory.history.steps() if not step.is_undone]


@pytest.fixture
def full(memory, tmp_path):
    """A library with a chat, a card with its worldbook and script, another worldbook, scripts."""
    memory.chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(4))
    memory.card = tmp_path / "Alice.png"
    memory.card.write_bytes(png(text(b"chara", CARD)))
    memory.imports.import_file(CTX, memory.card)
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json"))
    scripts = tmp_path / "regex-own.json"
    scripts.write_text(f"[{script_json(name='甲')}, {script_json(name='乙')}]", "utf-8")
    memory.imports.import_file(CTX, scripts)
    worldbook = memory.worldbooks.find("设定").id
    memory.worldbooks.set_in_chat(worldbook, memory.chat, is_on=True)
    memory.worldbooks.set_global(worldbook, is_global=True)
    with memory.session.library.step(StepLabel("Switch “{name}” on", {"name": "设定"})):
        memory.session.library.bindings.bind(worldbook, memory.characters.find("爱丽丝").id)
    memory.folder_of_files = tmp_path
    return memory


def new_card(memory):
    newer = CARD | {"data": CARD["data"] | {"description": "换了。", "character_book": None}}
    memory.card.write_bytes(png(text(b"chara", newer)))
    memory.imports.import_file(CTX, memory.card)


def other_card(memory):
    path = memory.folder_of_files / "Bob.png"
    path.write_bytes(png(text(b"chara", CARD | {"data": CARD["data"] | {"name": "鲍勃"}})))
    memory.imports.import_file(CTX, path)


def other_script(memory):
    path = memory.folder_of_files / "regex-more.json"
    path.write_text(script_json(name="丙"), "utf-8")
    memory.imports.import_file(CTX, path)


def save_prompt(memory, **over):
    template = replace(memory.prompts.find("summary", "zh").template, user="{{messages}} 记下来。")
    return memory.prompts.save(template, **over)


def worldbook(memory):
    return memory.worldbooks.find("设定").id


DEEDS = {
    "Import the world book “门”": lambda m: m.imports.import_file(
        CTX, write_worldbook(m.folder_of_files / "门.json", {"0": ENTRIES["1"]})
    ),
    "Rename the world book “设定” to “门”": lambda m: m.worldbooks.rename(worldbook(m), " 门 "),
    "Rename the chat “故事” to “门外”": lambda m: m.chats.rename(m.chat, "门外"),
    "Delete the world book “设定”": lambda m: m.worldbooks.delete(worldbook(m)),
    "Add an entry to “设定”": lambda m: m.worldbooks.add_entry(
        worldbook(m), Entry(0, comment="新")
    ),
    "Edit the entry “酒馆” of “设定”": lambda m: m.worldbooks.change_entries(
        worldbook(m), [0], {"content": "空"}
    ),
    "Edit 3 entries of “设定”": lambda m: m.worldbooks.change_entries(
        worldbook(m), [0, 1, 2], mode_flags("disabled")
    ),
    "Delete the entry “钥匙” of “设定”": lambda m: m.worldbooks.delete_entries(worldbook(m), [1]),
    "Delete 2 entries of “设定”": lambda m: m.worldbooks.delete_entries(worldbook(m), [1, 2]),
    "No longer switch “设定” on in every chat": lambda m: m.worldbooks.set_global(
        worldbook(m), is_global=False
    ),
    "No longer switch “设定” on in the chat “故事”": lambda m: m.worldbooks.set_in_chat(
        worldbook(m), m.chat, is_on=False
    ),
    "Import the character “爱丽丝”": new_card,
    "Import the character “鲍勃”": other_card,
    "Delete the character “爱丽丝”": lambda m: m.characters.delete(
        m.characters.find("爱丽丝").id, worldbooks=True, scripts=True
    ),
    "Import 1 regex script": other_script,
    "Switch the regex script “甲” off": lambda m: m.scripts.set_enabled("甲", enabled=False),
    "Move the regex script “乙”": lambda m: m.scripts.move("乙", -1),
    "Delete the regex script “甲”": lambda m: m.scripts.delete("甲"),
    "Edit the prompt “Summaries”": lambda m: save_prompt(m, override=ModelOverride(model="small")),
    "Choose the model for “Summaries”": lambda m: m.prompts.set_model(
        "summary", ModelOverride(model="small")
    ),
}


@pytest.mark.parametrize("label", DEEDS)
def test_every_deed_is_one_step_back_and_again(full, label):
    before, steps = snapshot(full), len(full.history.steps())
    DEEDS[label](full)
    after = snapshot(full)
    assert after != before
    assert labels(full)[0] == label
    assert len(full.history.steps()) == steps + 1
    undone = full.history.undo()
    assert snapshot(full) == before
    assert str(undone.undo_label) == label
    assert undone.chat_id is None
    full.history.redo()
    assert snapshot(full) == after


def test_everything_is_undone_in_one_line_over_a_restart_and_done_again(full, open_memory):
    start = snapshot(full)
    for label, deed in DEEDS.items():
        if not label.startswith(("Delete", "Rename the world")):
            deed(full)
    folder, end = full.folder, snapshot(full)
    full.close()
    again = open_memory(folder)
    count = 0
    while snapshot(again) != start:
        again.history.undo()
        count += 1
    for _ in range(count):
        again.history.redo()
    assert snapshot(again) == end
    with pytest.raises(NothingToUndo):
        again.history.redo()


def test_a_renamed_worldbook_is_still_the_one_its_file_was(full):
    wanted = worldbook(full)
    full.worldbooks.rename(wanted, "爱丽丝's Lorebook")
    assert full.worldbooks.find(wanted).name == "爱丽丝's Lorebook (2)"
    assert full.worldbooks.find("设定").id == wanted, "a front end knows it by its file"
    steps = len(full.history.steps())
    full.worldbooks.rename(wanted, " ")
    full.chats.rename(full.chat, full.chats.name(full.chat))
    assert len(full.history.steps()) == steps


def test_a_chat_that_was_renamed_and_deleted_is_no_hindrance(full):
    full.chats.rename(full.chat, "门外")
    full.chats.delete(full.chat)
    full.history.undo()
    full.history.redo()
    full.history.undo()
    full.chats.restore("门外")
    assert full.chats.name(full.chat) == "门外"
    full.chats.rename(full.chat, "故事")
    assert full.history.undo().library
    assert full.chats.name(full.chat) == "门外"


def test_what_hangs_on_a_worldbook_and_a_character_comes_back_with_them(full):
    theirs, owner = worldbook(full), full.characters.find("爱丽丝").id
    full.worldbooks.delete(theirs)
    full.characters.delete(owner)
    assert full.worldbooks.bound_to(full.chat) == set()
    assert full.worldbooks.find("爱丽丝's Lorebook").owner == ""
    full.history.undo()
    assert full.worldbooks.find("爱丽丝's Lorebook").owner == "爱丽丝"
    full.history.undo()
    assert full.worldbooks.bound_to(full.chat) == {theirs}
    assert full.session.library.bindings.has(theirs, owner)
    assert full.worldbooks.find("设定").is_global


def test_typing_into_one_entry_is_one_step(full):
    steps = len(full.history.steps())
    was = full.worldbooks.content(worldbook(full))
    for n in range(5):
        full.worldbooks.change_entries(
            worldbook(full), [0], {"content": "字" * n, "comment": f"题{n}"}
        )
    assert len(full.history.steps()) == steps + 1
    assert labels(full)[0] == "Edit the entry “酒馆” of “设定”"
    full.worldbooks.change_entries(worldbook(full), [1], {"content": "另一条"})
    full.worldbooks.change_entries(worldbook(full), [0], {"content": "回来"})
    full.worldbooks.change_entries(worldbook(full), [0], {"order": 7})
    assert len(full.history.steps()) == steps + 4, (
        "another entry, and what is not typed, are of their own"
    )
    for _ in range(4):
        full.history.undo()
    assert full.worldbooks.content(worldbook(full)) == was
    full.history.redo()
    full.worldbooks.change_entries(worldbook(full), [0], {"content": "字", "comment": "改道"})
    assert not any(step.is_undone for step in full.history.steps()), "what was undone is forgotten"


def test_typing_after_a_minute_is_another_step(tmp_path):
    now = [1_000]
    memory = Memory.open(tmp_path / "资料库", clock=lambda: now[0], environ={})
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json"))
    memory.worldbooks.change_entries(worldbook(memory), [0], {"content": "一"})
    now[0] += 60_001
    memory.worldbooks.change_entries(worldbook(memory), [0], {"content": "二"})
    assert len(memory.history.steps()) == 3
    memory.close()


def test_nothing_done_leaves_no_step(full):
    steps = len(full.history.steps())
    full.imports.import_file(CTX, full.folder_of_files / "设定.json")
    full.imports.import_file(CTX, full.card)
    full.worldbooks.set_global(worldbook(full), is_global=True)
    full.prompts.reset("summary", "zh")
    full.prompts.save(full.prompts.find("summary", "zh").template, ModelOverride())
    assert len(full.history.steps()) == steps


def test_a_script_that_a_run_switched_off_is_no_hindrance(full):
    scripts = stored_scripts(full.session.library)
    key = {s.script.name: s.id for s in full.scripts.all()}["甲"]
    steps = len(full.history.steps())
    full.scripts.move("乙", -1)
    full.scripts.set_enabled("甲", enabled=False)
    full.scripts.set_enabled("甲", enabled=True)
    scripts.stop(key, "too slow")
    assert len(full.history.steps()) == steps + 3
    while full.history.steps()[-1].is_undone is False:
        full.history.undo()
    assert full.scripts.all() == []


def test_a_prompt_and_its_model_are_saved_in_one_step_and_reset(full):
    before = snapshot(full)
    save_prompt(full, override=ModelOverride(model="small"))
    full.prompts.reset("summary", "zh")
    assert labels(full)[:2] == [
        "Use the built-in prompt “Summaries” again",
        "Edit the prompt “Summaries”",
    ]
    full.history.undo()
    assert full.prompts.find("summary", "zh").is_own
    full.history.undo()
    assert snapshot(full) == before


def test_the_history_of_a_chat_and_of_the_library_are_apart(full):
    steps = full.history.steps(full.chat)
    full.worldbooks.delete(worldbook(full))
    assert full.history.steps(full.chat) == steps
    assert full.history.steps()[0].label == StepLabel(
        "Delete the world book “{name}”", {"name": "设定"}
    )


def test_edits_of_a_large_worldbook_stay_within_a_limit(memory, tmp_path):
    entries = {
        str(n): {"uid": n, "key": [f"词{n}"], "content": f"{n}号条目说的是" + chr(0x4E00 + n) * 300}
        for n in range(1000)
    }
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json", entries))
    size = len(memory.worldbooks.content(worldbook(memory)))
    assert size > 900_000
    for n in range(20):
        memory.worldbooks.change_entries(worldbook(memory), [n], {"order": n + 7})
    held = sum(step.size for step in memory.history.steps())
    assert len(memory.history.steps()) == 21
    assert held < 21 * size


# Archives that are no backups: refused before anything of the library is replaced.


@pytest.fixture
def library(memory, tmp_path):
    """A library of one chat, and its own sound backup, whose parts the tests abuse."""
    memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", story_rows(12)))
    return memory


@pytest.fixture
def parts(library):
    with zipfile.ZipFile(library.backups.make(CTX)) as sound:
        return {name: sound.read(name) for name in sound.namelist()}


def pack(path, members, compression=zipfile.ZIP_DEFLATED):
    with zipfile.ZipFile(path, "w", compression) as packed:
        for name, content in members:
            packed.writestr(name, content)
    return path


def refuses(library, archive, kind=InputError):
    """Restoring fails in words and leaves the library, its folder and its messages as they were."""
    before = library.chats.all()
    with pytest.raises(kind) as refused:
        library.backups.restore(CTX, archive)
    assert "\n" not in str(refused.value)
    assert library.chats.all() == before
    assert library.messages.slice(Line.main(before[0].chat_id), 0, 11)
    assert not (library.folder / "trash").exists()
    assert not (library.folder / "restoring").exists()
    outside = {path.name for path in library.folder.parent.iterdir()}
    assert outside <= {library.folder.name, archive.name, "故事.jsonl"}


@pytest.mark.parametrize(
    "name",
    [
        "../outside.db",
        "chats/../../memory.db",
        "/outside.db",
        "chats/../memory.db",
        "chats//memory.db",
        "chats/a b/memory.db",
        "chats/abc/index/memory.db",
        "chats/abc/run.exe",
        "C:/outside.db",
        "chats\\abc\\memory.db",
        "chats/",
        "settings.ini",
    ],
)
def test_a_name_that_no_backup_has_is_refused(library, parts, tmp_path, name):
    refuses(library, pack(tmp_path / "bad.zip", [*parts.items(), (name, b"x")]))


def test_a_link_is_refused(library, parts, tmp_path):
    link = zipfile.ZipInfo("chats/abc/memory.db")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    refuses(library, pack(tmp_path / "bad.zip", [*parts.items(), (link, b"/etc/passwd")]))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_twice_is_refused(library, parts, tmp_path):
    refuses(library, pack(tmp_path / "bad.zip", [*parts.items(), ("library.db", b"x")]))


def test_an_archive_without_a_catalogue_is_refused(library, parts, tmp_path):
    del parts["library.db"]
    refuses(library, pack(tmp_path / "bad.zip", parts.items()))


@pytest.mark.parametrize("compression", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_a_compression_that_backups_do_not_use_is_refused(library, parts, tmp_path, compression):
    refuses(library, pack(tmp_path / "bad.zip", parts.items(), compression))


def test_an_encrypted_archive_is_refused(library, parts, tmp_path):
    path = pack(tmp_path / "bad.zip", parts.items())
    content = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := content.find(mark, at + 1)) >= 0:
            content[at + offset] |= 1
    path.write_bytes(content)
    refuses(library, path)


def test_a_bomb_is_refused_before_it_is_unpacked(library, parts, tmp_path):
    zeros = bytes(backups.ALWAYS_TAKEN + 1)
    path = pack(tmp_path / "bad.zip", [*parts.items(), ("chats/abc/memory.db", zeros)])
    assert path.stat().st_size < 1_000_000
    refuses(library, path)


@pytest.mark.parametrize("damage", ["text", "empty", "half", "flipped"])
def test_what_is_no_sound_archive_is_refused(library, parts, tmp_path, damage):
    path = pack(tmp_path / "bad.zip", parts.items())
    content = path.read_bytes()
    middle = len(content) // 2
    path.write_bytes(
        {
            "text": b"not an archive",
            "empty": b"",
            "half": content[:middle],
            "flipped": content[:middle]
            + bytes(b ^ 255 for b in content[middle : middle + 64])
            + content[middle + 64 :],
        }[damage]
    )
    refuses(library, path)
    path.unlink()
    refuses(library, path)


@pytest.mark.parametrize("content", [b"", b"garbage" * 1000])
def test_an_archive_of_no_databases_is_refused(library, parts, tmp_path, content):
    for name in parts:
        archive = pack(tmp_path / "bad.zip", {**parts, name: content}.items())
        refuses(library, archive, (InputError, DamagedDatabase))


def changed(content, tmp_path, sql):
    """A database of ``content`` after ``sql``."""
    path = tmp_path / "changed.db"
    path.write_bytes(content)
    connection = apsw.Connection(str(path))
    connection.execute(sql)
    connection.close()
    found = path.read_bytes()
    path.unlink()
    return found


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("PRAGMA user_version = 99", NewerDatabase),
        ("PRAGMA user_version = 0", DamagedDatabase),
    ],
)
def test_a_database_of_another_time_or_program_is_refused(library, parts, tmp_path, sql, kind):
    for name, content in parts.items():
        other = {**parts, name: changed(content, tmp_path, sql)}
        refuses(library, pack(tmp_path / "bad.zip", other.items()), kind)


@pytest.mark.logs("cannot be opened", "What is restored over is not backed up")
def test_a_damaged_chat_can_be_restored_over(library, open_memory):
    saved = library.backups.make(CTX)
    (chat,) = library.chats.all()
    library.close()
    database = library.folder / "chats" / chat.chat_id / "memory.db"
    for beside in database.parent.glob("memory.db-*"):
        beside.unlink()
    database.write_bytes(b"garbage" * 1000)
    again = open_memory(library.folder)
    assert "cannot be read" in again.chats.all()[0].fault
    with pytest.raises(KnownError):
        again.backups.make(CTX)
    again.backups.restore(CTX, saved)
    assert again.chats.all()[0].fault == ""
    assert len(again.messages.slice(Line.main(chat.chat_id), 0, 11)) == 12
    kept = list((library.folder / "trash").rglob("memory.db"))
    assert [file.read_bytes()[:7] for file in kept] == [b"garbage"], "nothing is thrown away"


@pytest.mark.logs("cannot be opened", "What is restored over is not backed up")
def test_a_damaged_chat_keeps_no_other_from_being_backed_up(library, open_memory, tmp_path):
    (bad,) = library.chats.all()
    other = import_chat(library, tmp_path / "别的.jsonl", [("莫问", "下雪了。")])
    library.close()
    database = library.folder / "chats" / bad.chat_id / "memory.db"
    database.write_bytes(b"garbage" * 1000)
    again = open_memory(library.folder)
    with pytest.raises(PartlyBackedUp, match="everything but 故事") as told:
        again.backups.make(CTX)
    again.backups.restore(CTX, Path(str(told.value.params["path"])))
    assert len(again.messages.slice(Line.main(other), 0, 0)) == 1
    assert {chat.chat_id for chat in again.chats.all()} == {bad.chat_id, other}


@pytest.mark.logs("cannot be opened")
@pytest.mark.may_log("is passed over")
@pytest.mark.parametrize("damage", ["garbage", "missing", "newest too"])
def test_a_damaged_chat_alone_is_taken_from_the_newest_backup_that_holds_it(
    library, open_memory, tmp_path, damage
):
    (bad,) = library.chats.all()
    good = library.backups.make(CTX)
    if damage == "newest too":
        shutil.copy(good, good.with_stem("engram-20200101-000000"))
        good.write_bytes(good.read_bytes()[:900])
    other = import_chat(library, tmp_path / "别的.jsonl", [("莫问", "下雪了。")])
    library.close()
    database = library.folder / "chats" / bad.chat_id / "memory.db"
    for beside in database.parent.glob("memory.db*"):
        beside.unlink()
    if damage != "missing":
        database.write_bytes(b"garbage" * 1000)
    again = open_memory(library.folder)
    assert [chat.fault == "" for chat in again.chats.all()].count(False) == 1
    again.backups.prepare_repair(CTX)
    again.session.reopen()
    assert [chat.fault for chat in again.chats.all()] == ["", ""]
    assert len(again.messages.slice(Line.main(bad.chat_id), 0, 11)) == 12
    assert len(again.messages.slice(Line.main(other), 0, 0)) == 1, "newer than the backup"
    kept = [file.read_bytes()[:7] for file in (library.folder / "trash").rglob("memory.db")]
    assert (b"garbage" in kept) == (damage != "missing"), "nothing is thrown away"


@pytest.mark.logs("cannot be opened")
def test_a_damaged_chat_that_no_backup_holds_stays_as_it_is(library, open_memory):
    (bad,) = library.chats.all()
    library.close()
    database = library.folder / "chats" / bad.chat_id / "memory.db"
    database.write_bytes(b"garbage" * 1000)
    again = open_memory(library.folder)
    with pytest.raises(InputError, match=r"No backup holds a chat .* \(故事\)"):
        again.backups.prepare_repair(CTX)
    again.session.reopen()
    assert again.chats.all()[0].fault
    assert database.read_bytes() == b"garbage" * 1000


FOREIGN = {
    "trigger evil": "CREATE TRIGGER evil AFTER INSERT ON event BEGIN"
    " UPDATE message SET text = 'overwritten'; END",
    "table spare": "CREATE TABLE spare(x)",
    "view spare": "CREATE VIEW spare AS SELECT 1",
    "index spare": "CREATE INDEX spare ON message(text)",
    "trigger message_item_insert": "",
}


@pytest.mark.parametrize("what", FOREIGN)
def test_a_database_that_holds_more_than_ours_is_refused_and_leaves_nothing(
    library, parts, tmp_path, what
):
    (name,) = (name for name in parts if name.startswith("chats/"))
    sql = FOREIGN[what]
    if not sql:
        trigger = "SELECT name FROM sqlite_master WHERE type = 'trigger' LIMIT 1"
        found = library.session.chat(library.chats.all()[0].chat_id).database.value(trigger)
        what, sql = f"TRIGGER {found}", f"DROP TRIGGER {found}"
    parts[name] = changed(parts[name], tmp_path, sql)
    archive = pack(tmp_path / "bad.zip", parts.items())
    before = library.backups.all()
    refuses(library, archive)
    with pytest.raises(InputError, match=what):
        library.backups.restore(CTX, archive)
    assert library.backups.all() == before, "a refused restore leaves no backup behind"


@pytest.mark.parametrize(
    ("migrations", "version"),
    [(kind, n + 1) for kind in (CHAT, LIBRARY) for n in range(len(kind))],
)
def test_a_database_of_every_version_is_ours_before_and_after_it_is_migrated(
    tmp_path, migrations, version
):
    path = tmp_path / "some.db"
    open_database(path, migrations[:version], tmp_path / "none", create=True).close_all()
    assert not schema_check.faults_of(path, migrations)
    open_database(path, migrations, tmp_path / "backups", create=False).close_all()
    assert not schema_check.faults_of(path, migrations)


def test_doctor_names_what_is_foreign_and_takes_it_away(library, tmp_path):
    store = library.session.chat(library.chats.all()[0].chat_id)
    trigger = store.database.value(
        "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'message' LIMIT 1"
    )
    with store.database.writing() as connection:
        connection.execute(FOREIGN["trigger evil"])
        connection.execute(FOREIGN["table spare"])
        connection.execute(f"DROP TRIGGER {trigger}")
    (finding,) = (f for f in library.care.doctor(CTX) if not f.is_ok)
    assert "table spare, trigger evil" in str(finding.what)
    archive = library.backups.make(CTX)
    with zipfile.ZipFile(archive) as packed:
        (name,) = (name for name in packed.namelist() if name.startswith("chats/"))
        (tmp_path / "copy.db").write_bytes(packed.read(name))
    assert not schema_check.faults_of(tmp_path / "copy.db", CHAT), "a backup holds none of it"
    (finding,) = (f for f in library.care.doctor(CTX, repair=True) if not f.is_ok)
    assert finding.repaired
    assert all(f.is_ok for f in library.care.doctor(CTX))
    library.backups.restore(CTX, archive)


def test_a_table_that_is_otherwise_is_told_and_left(library):
    store = library.session.chat(library.chats.all()[0].chat_id)
    with store.database.writing() as connection:
        connection.execute("ALTER TABLE message ADD COLUMN extra TEXT")
    for repair in (False, True):
        findings = [f for f in library.care.doctor(CTX, repair=repair) if not f.is_ok]
        assert [f.repaired for f in findings] == [False]
        assert "message" in str(findings[0].what)


def test_a_chat_folder_that_is_put_in_brings_no_trigger(library):
    store = library.session.chat(library.chats.all()[0].chat_id)
    with store.database.writing() as connection:
        connection.execute(FOREIGN["trigger evil"])
    chats, folder = library.folder / "chats", library.folder
    shutil.copytree(store.folder, chats / "0123456789ab")
    library.close()
    again = Memory.open(folder, environ={})
    added = again.session.chat("0123456789ab")
    assert not schema_check.check_schema(added.database, CHAT, repair=False)
    again.close()
