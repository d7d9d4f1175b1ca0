"""Archives that are no backups: refused before anything of the library is replaced."""

from __future__ import annotations

import shutil
import stat
import zipfile

import apsw
import pytest

from engram_desktop.domain.errors import DamagedDatabase, InputError, KnownError, NewerDatabase
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.library import backups
from engram_desktop.services.memory import Memory
from engram_desktop.storage.care import schema_check
from engram_desktop.storage.care.migrations import CHAT, LIBRARY, open_database
from tests.factories import story_rows, write_chat

CTX = NullContext()


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
def test_a_damaged_chat_can_be_restored_over(library, open_memory, tmp_path):
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
    assert not schema_check.mend(added.database, CHAT, repair=False)
    again.close()
