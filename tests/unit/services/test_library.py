"""A library: backups, metering, moves, releases, damaged files."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

import pytest
from typing_extensions import override

from engram_desktop import __version__
from engram_desktop.cli.main import main
from engram_desktop.domain.errors import (
    AnswerTooLong,
    BadAnswer,
    BadEndpoint,
    BadSetting,
    DailyCapReached,
    FileExists,
    MemoryOff,
    NoReleaseAddress,
    ReadOnlyLibrary,
    StorageError,
)
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.release import Release, is_newer, read_release
from engram_desktop.domain.reports import BACKUP_ENDING
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.llm.client import CallRecord
from engram_desktop.llm.endpoint import NO_PROXY, SYSTEM_PROXY
from engram_desktop.llm.session import ANSWER_TOKENS, _expected
from engram_desktop.services.library.backups import InsideItself, found_in, is_due, relocate, thin
from engram_desktop.services.library.endpoint_service import built_in_address
from engram_desktop.services.library.usage import Meter, local_day
from engram_desktop.services.library.whole_file import synced_by
from engram_desktop.services.memory import Memory
from engram_desktop.storage.library.library import Library
from tests.factories import import_chat, set_all, story_rows, write_chat
from tests.upstream import Saying

CTX = NullContext()
DAY = 86_400_000
NOW = 1_795_340_000_000  # 22 November 2026, in the morning


def touch(folder, *stamps):
    for stamp in stamps:
        (folder / f"engram-{stamp}.zip").touch()


def test_thinning_keeps_all_of_two_days_then_one_a_day_then_one_a_month(tmp_path):
    touch(
        tmp_path,
        *("20261122-010000", "20261121-230000", "20261121-220000"),
        *("20261110-090000", "20261110-200000", "20261109-120000"),
        *("20260905-100000", "20260930-100000", "20260801-100000"),
    )
    (tmp_path / "engram-of-mine.zip").touch()
    gone = {path.stem for path in thin(tmp_path, NOW)}
    assert gone == {"engram-20261110-090000", "engram-20260905-100000"}
    assert (tmp_path / "engram-of-mine.zip").exists()


def test_backups_of_earlier_versions_count_too(tmp_path):
    backups = tmp_path / "backups"
    backups.mkdir()
    touch(backups, "20261109-120000", "20261109-180000")  # .zip, as they were called
    for stamp in ("20261109-150000", "20261122-080000"):
        (backups / f"engram-{stamp}.engram").touch()
    (backups / "engram-20261399-000000.engram").touch()  # no such day
    names = [Path(row.path).name for row in found_in(tmp_path)]
    assert names == [
        "engram-20261122-080000.engram",
        "engram-20261109-180000.zip",
        "engram-20261109-150000.engram",
        "engram-20261109-120000.zip",
    ]
    assert not is_due(backups, NOW, 24)
    gone = {path.name for path in thin(backups, NOW)}
    assert gone == {"engram-20261109-150000.engram", "engram-20261109-120000.zip"}
    assert not found_in(tmp_path / "nothing here")


@pytest.mark.parametrize(
    ("stamps", "hours", "due"),
    [
        ((), 24, True),
        (("20261101-000000",), 24, True),
        (("20261101-000000", "20261122-080000"), 24, False),
        (("20261122-080000",), 1, True),
        ((), 0, False),
    ],
)
def test_a_backup_is_due_when_the_newest_is_too_old(tmp_path, stamps, hours, due):
    touch(tmp_path, *stamps)
    assert is_due(tmp_path, NOW, hours) is due


def test_an_empty_library_is_not_backed_up_and_a_full_one_once_a_day(memory, tmp_path):
    assert memory.backups.make_if_due(CTX) is None
    memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", story_rows(5)))
    made = memory.backups.make_if_due(CTX)
    with zipfile.ZipFile(made) as packed:
        names = packed.namelist()
    assert made.suffix == BACKUP_ENDING
    assert "library.db" in names
    assert any(name.endswith("/memory.db") for name in names)
    assert memory.backups.make_if_due(CTX) is None


# Tokens are counted by local day, and kept where the next program finds them.

CALL = CallRecord("chat", "m", "h", 30, 12, 5)
DAY_MS = 24 * 3600 * 1000


@pytest.fixture
def clock():
    class Clock:
        now = 1_700_000_000_000

        def __call__(self):
            return self.now

    return Clock()


@pytest.fixture
def library(tmp_path, clock):
    opened = Library(tmp_path, clock, program="test")
    yield opened
    opened.close()


def test_what_was_recorded_counts_at_once_and_is_saved(library, clock):
    meter = Meter(lambda: library)
    meter.record(CALL)
    assert meter.today().tokens == 42
    assert library.usage(local_day(clock.now)).calls == 0
    meter.save()
    meter.record(CALL)
    assert Meter(lambda: library).today().tokens == 42
    assert (meter.today().calls, meter.today().tokens) == (2, 84)


def test_the_next_day_begins_at_nothing(library, clock):
    library.set_setting("llm.daily_tokens", 50)
    meter = Meter(lambda: library)
    meter.record(CALL)
    with pytest.raises(DailyCapReached), meter.admit(9):
        pass
    clock.now += DAY_MS
    with meter.admit(9):
        assert meter.today().tokens == 0


def test_requests_under_way_count_against_the_limit(library):
    library.set_setting("llm.daily_tokens", 100)
    meter = Meter(lambda: library)
    with meter.admit(60):
        with pytest.raises(DailyCapReached, match="41"), meter.admit(41):
            pass
        with meter.admit(40):
            pass
    with meter.admit(100):
        pass
    assert not meter.is_capped


def test_a_request_is_expected_to_be_answered_at_length():
    """An embedding brings no words back; a chat answer as many as it may have, or a usual one's."""
    words = [{"role": "user", "content": "水族馆" * 100}]
    asked = _expected({"messages": words, "max_tokens": 700})
    assert asked == _expected({"messages": words, "max_tokens": 300}) + 400
    assert _expected({"messages": words}) == asked - 700 + ANSWER_TOKENS
    assert _expected({"input": ["水族馆" * 100]}) == asked - 700


# The proxy of the settings goes with every endpoint that is asked.


@pytest.mark.parametrize(
    ("choice", "url", "proxy"),
    [
        ("system", "http://127.0.0.1:7890", SYSTEM_PROXY),
        ("none", "http://127.0.0.1:7890", NO_PROXY),
        ("own", "http://127.0.0.1:7890", "http://127.0.0.1:7890"),
        ("own", "", ""),
    ],
)
def test_every_endpoint_has_the_proxy_that_was_chosen(memory, choice, url, proxy):
    memory.settings.set("keys.storage", "session")
    set_all(
        memory,
        {
            "net.proxy": choice,
            "net.proxy_url": url,
            "llm.base_url": "https://example.test/v1",
            "serve.endpoints": "away = https://other.example/v1\nsame = https://example.test/v2",
        },
    )
    asked = [memory.endpoints.asked("llm")]
    asked += [memory.endpoints.asked_upstream(u) for u in memory.endpoints.upstreams()]
    assert [endpoint.proxy for endpoint in asked] == [proxy] * 3


# A library is moved whole or not at all, and nothing that was there is lost.

DISKS = (Path("/dev/shm"), Path("/var/tmp"))  # noqa: S108 - Linux has each on a disk of its own


@pytest.fixture
def closed_library(tmp_path):
    folder = tmp_path / "资料 库"
    memory = Memory.open(folder, environ={})
    file = write_chat(tmp_path / "故事.jsonl", [("旅人", "你好。"), ("爱丽丝", "欢迎。")])
    memory.imports.import_file(CTX, file)
    memory.close()
    return folder


@pytest.fixture
def other_disk(tmp_path):
    own = tmp_path.stat().st_dev
    other = next((disk for disk in DISKS if disk.is_dir() and disk.stat().st_dev != own), None)
    if other is None:
        pytest.skip("there is no other disk to move to")
    folder = Path(tempfile.mkdtemp(dir=other))
    yield folder
    shutil.rmtree(folder)


def chats_in(folder):
    memory = Memory.open(folder, environ={})
    try:
        return [chat.name for chat in memory.chats.all()]
    finally:
        memory.close()


def test_on_the_same_disk_nothing_stays_behind(closed_library, tmp_path):
    moved = relocate(CTX, closed_library, tmp_path / "新的地方")
    assert (moved.library, moved.left) == (tmp_path / "新的地方", None)
    assert not closed_library.exists()
    assert chats_in(moved.library) == ["故事"]


def test_to_another_disk_it_is_copied_and_the_old_one_kept(closed_library, other_disk):
    moved = relocate(CTX, closed_library, other_disk / "Engram")
    assert moved.left == closed_library.with_name("资料 库 (moved)")
    assert chats_in(moved.library) == ["故事"]
    assert chats_in(moved.left) == ["故事"]
    assert not closed_library.exists()


def test_an_empty_folder_becomes_the_library(closed_library, tmp_path):
    (tmp_path / "empty").mkdir()
    assert chats_in(relocate(CTX, closed_library, tmp_path / "empty").library) == ["故事"]


def test_what_is_there_is_never_written_over(closed_library, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(FileExists):
        relocate(CTX, closed_library, tmp_path / "full")
    assert (tmp_path / "full" / "mine.txt").read_text() == "mine"
    assert chats_in(closed_library) == ["故事"]


def test_it_is_not_moved_into_itself(closed_library):
    with pytest.raises(InsideItself):
        relocate(CTX, closed_library, closed_library / "chats" / "deeper")
    assert chats_in(closed_library) == ["故事"]


def test_who_changes_their_mind_has_it_where_it_was(closed_library, other_disk):
    class Stopping(NullContext):
        @override
        def report(self, done, total, label=""):
            raise Cancelled

    with pytest.raises(Cancelled):
        relocate(Stopping(), closed_library, other_disk / "Engram")
    assert list(other_disk.iterdir()) == []
    assert chats_in(closed_library) == ["故事"]


@pytest.mark.parametrize(
    ("place", "name"),
    [
        ("OneDrive/Engram", "OneDrive"),
        ("OneDrive - Contoso/a/b", "OneDrive"),
        ("Library/Mobile Documents/x", "iCloud Drive"),
        ("Library/CloudStorage/GoogleDrive-a@b.c/My Drive", "Google Drive"),
        ("我的坚果云/Engram", "坚果云"),
        ("BaiduSyncdisk/Engram", "百度网盘"),
        ("Documents/Engram", None),
        ("Omega/mega plot", None),
    ],
)
def test_folders_of_cloud_programs_are_known_by_name(tmp_path, place, name):
    assert synced_by(tmp_path / place) == name


def test_a_folder_is_known_by_what_a_program_left_in_it(tmp_path):
    (tmp_path / "shared" / ".stfolder").mkdir(parents=True)
    assert synced_by(tmp_path / "shared" / "Engram") == "Syncthing"


# Newer versions: one address, asked only when wanted, and its answer believed in nothing.

NEW = {"version": "99.1", "page": "https://example.org/99.1", "notes": "更快"}


@pytest.fixture
def plain_memory(tmp_path):
    memory = Memory.open(tmp_path / "library")
    yield memory
    memory.close()


def ask(memory, server):
    memory.settings.set("update.address", server.url)
    return memory.endpoints.releases.newest(NullContext())


def test_nobody_is_asked_unless_the_user_wants_it(plain_memory):
    assert not plain_memory.settings.read().update_check
    assert built_in_address() == ""
    with pytest.raises(NoReleaseAddress):
        plain_memory.endpoints.releases.newest(NullContext())


@pytest.mark.parametrize(
    "said", [NEW, {"tag_name": "v99.1", "html_url": "https://example.org/99.1", "body": "更快"}]
)
def test_a_newer_version_is_told_with_its_page(plain_memory, said):
    with Saying(json.dumps(said)) as server:
        assert ask(plain_memory, server) == Release("99.1", "https://example.org/99.1", "更快")
    (asked,) = server.asked
    assert asked.path == "/v1"
    assert set(asked.headers) <= {"host", "accept", "accept-encoding", "connection", "user-agent"}
    assert asked.headers["user-agent"] == f"Engram/{__version__}"


@pytest.mark.parametrize("version", [__version__, "0.0.9", "v0.0.1", "99.0rc1", "99.0.dev3"])
def test_what_is_older_the_same_or_a_trial_is_not_told(plain_memory, version):
    with Saying(json.dumps(NEW | {"version": version})) as server:
        assert ask(plain_memory, server) is None


@pytest.mark.parametrize(
    "said",
    ["", "no JSON", "[]", "3", '{"version": 3}', '{"version": "latest"}', "[" * 50_000, "{}"],
)
def test_an_answer_without_a_version_is_an_error_in_words(plain_memory, said):
    with Saying(said) as server, pytest.raises(BadAnswer):
        ask(plain_memory, server)


def test_an_endless_answer_is_cut_off(plain_memory):
    with Saying("x" * 400_000) as server, pytest.raises(AnswerTooLong):
        ask(plain_memory, server)


def test_it_follows_no_redirect(plain_memory):
    with (
        Saying(json.dumps(NEW)) as other,
        Saying("", "302 Found", Location=other.url) as server,
        pytest.raises(BadEndpoint),
    ):
        ask(plain_memory, server)
    assert other.asked == []


@pytest.mark.parametrize(
    "page",
    [
        "http://example.org",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://" + "a" * 600,
        "https://example.org/\u202eexe",
        7,
    ],
)
def test_a_page_that_is_no_plain_https_address_is_dropped(page):
    assert read_release(json.dumps(NEW | {"page": page})).page == ""


def test_versions_are_compared_as_numbers():
    assert is_newer(Release("0.10"), "0.9")
    assert not is_newer(Release("1.0"), "1.0.0")


# One chat that cannot be read ends no other; a library may lie where it can only be read.

NOBODY = 65534


@contextlib.contextmanager
def without_privileges():
    """Rights count: the root of a container may read anything."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        if not os.access(__file__, os.R_OK, effective_ids=True):
            pytest.skip("this program lies in a home that nobody else may enter")
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def owned_library():
    """Two chats in a library of this test's own, which an unprivileged user may own."""
    place = Path(tempfile.mkdtemp())
    place.chmod(0o777)
    memory = Memory.open(place / "library", environ={})
    for name in ("Ada", "Bea"):
        rows = [(who, f"{name}：{text}") for who, text in story_rows(40)]
        memory.imports.import_file(CTX, write_chat(place / f"{name}.jsonl", rows))
    memory.pipeline.summarise(CTX, Line.main(memory.chats.find("Ada")))
    memory.close()
    for line in ("inject Ada --query 铜钥匙", "doctor", "stats Ada", "entities Ada", "backup"):
        main([*line.split(), "--library", str(place / "library")])  # what is imported late is now
    if not os.geteuid():
        for path in (place, *place.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    yield place / "library"
    for path in (place, *place.rglob("*")):
        if not path.is_symlink():
            path.chmod(0o700)
    shutil.rmtree(place)


def run(capsys, *arguments):
    code = main([str(a) for a in arguments])
    out = capsys.readouterr()
    return code, out.out, out.err


def break_bea(library, how):
    chat_id = Memory.open(library, program=None, environ={}).chats.find("Bea")
    place = library / "chats" / chat_id
    match how:
        case "folder":
            place.chmod(0)
        case "file":
            (place / "memory.db").chmod(0)
        case "loop":
            (place / "memory.db").unlink()
            (place / "memory.db").symlink_to(place / "memory.db")
        case "folder loop":
            shutil.rmtree(place)
            place.symlink_to(place)
        case "cut":
            with (place / "memory.db").open("r+b") as file:
                file.truncate((place / "memory.db").stat().st_size - 300)
        case "cut short":
            with (place / "memory.db").open("r+b") as file:
                file.truncate(5000)
    return place


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
@pytest.mark.parametrize("how", ["folder", "file", "loop", "folder loop", "cut", "cut short"])
def test_one_chat_that_cannot_be_read_ends_no_other(owned_library, capsys, how):
    main(["chats", "--library", str(owned_library)])
    capsys.readouterr()
    place = break_bea(owned_library, how)
    with without_privileges():
        code, out, err = run(capsys, "chats", "--library", owned_library)
        assert code == 0, err
        assert "Ada  40 messages" in out
        broken = next(line for line in out.splitlines() if "Bea" in line)
        assert how == "cut" or "!" in broken
        code, out, err = run(capsys, "events", "Ada", "--library", owned_library)
        assert (code, err) == (0, "")
        code, _out, err = run(capsys, "events", "Bea", "--library", owned_library)
        assert code in ({0, 1} if how == "cut" else {1})
        assert len(err.splitlines()) <= 1
        code, _out, err = run(
            capsys, "import", owned_library.parent / "Ada.jsonl", "--library", owned_library
        )
        assert code == 0, err
        code, out, err = run(capsys, "doctor", "--library", owned_library)
        # Rights that were taken away from a folder of ours are given back; a cut may hit no page.
        assert code in ({0, 1} if how in {"folder", "cut"} else {1}), out + err
        assert ("FAULT" in out) == bool(code)
        code, _out, err = run(capsys, "stats", "Bea", "--library", owned_library)
        assert code in {0, 1}, err
        code, _out, err = run(capsys, "backup", "--library", owned_library)
        assert code in {0, 1}, err
    assert place.is_symlink() or place.exists()


def make_read_only(library):
    for path in (library, *library.rglob("*")):
        path.chmod(0o500 if path.is_dir() else 0o400)


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_a_library_that_can_only_be_read_is_read(owned_library, capsys):
    make_read_only(owned_library)
    with without_privileges():
        for verb in (
            ["chats"],
            ["events", "Ada"],
            ["stats", "Ada"],
            ["recall", "Ada", "--query", "铜钥匙"],
            ["inject", "Ada", "--query", "铜钥匙"],
            ["entities", "Ada"],
            ["settings"],
            ["export", "Ada", "--format", "json", "-o", owned_library.parent / "out.json"],
        ):
            code, out, err = run(capsys, *verb, "--library", owned_library)
            assert (code, err) == (0, ""), verb
            assert out, verb
        code, _out, err = run(capsys, "summarise", "Ada", "--library", owned_library)
        assert code == 1
        assert "can only be read" in err
        with pytest.raises(ReadOnlyLibrary):
            Memory.open(owned_library, environ={})


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_what_was_not_yet_taken_over_into_the_file_is_read_too(owned_library):
    memory = Memory.open(owned_library, environ={})
    memory.imports.import_file(
        CTX, write_chat(owned_library.parent / "Cat.jsonl", story_rows(12)), name="Cat"
    )
    copy = owned_library.parent / "copy"
    shutil.copytree(owned_library, copy)  # as a killed process leaves it: with its write-ahead log
    memory.close()
    if not os.geteuid():
        for path in (copy, *copy.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    make_read_only(copy)
    with without_privileges():
        reader = Memory.open(copy, program=None, environ={})
        assert {chat.name for chat in reader.chats.all()} == {"Ada", "Bea", "Cat"}
        reader.close()


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_a_folder_whose_name_is_not_utf8_is_refused_in_one_line(tmp_path, capsys):
    place = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    with pytest.raises(StorageError):
        Memory.open(Path(place), environ={})
    code, _out, err = run(capsys, "chats", "--library", place)
    assert (code, len(err.splitlines())) == (1, 1)


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
@pytest.mark.parametrize("kind", ["chat", "card", "no json"])
def test_a_file_whose_name_is_not_utf8_is_refused_in_one_line(tmp_path, capsys, kind):
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/Ad\xe4.json"))
    if kind == "chat":
        write_chat(tmp_path / "story.jsonl", story_rows(5)).rename(odd)
    else:
        odd.write_text('{"name": "x", "description": "", "first_mes": ""}' * (kind == "card"))
    code, _out, err = run(capsys, "import", odd, "--library", tmp_path / "library")
    assert code == 1
    assert "rename it" in err
    assert len(err.splitlines()) == 1


@pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")
def test_words_that_are_not_utf8_are_wrong_usage(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["import", "a.jsonl", "--as", "\udcff", "--library", str(tmp_path)])
    assert ended.value.code == 2
    assert "not UTF-8" in capsys.readouterr().err


# MEMORY_MODE of the environment holds whatever is stored.


def test_the_mode_of_the_environment_wins_over_the_chat_and_that_over_the_library(
    open_memory, tmp_path
):
    folder = tmp_path / "模式"
    memory = open_memory(folder)
    chat = import_chat(memory, tmp_path / "故事.jsonl", story_rows(30))
    rows = [("旅人", f"第{n}次出海。") for n in range(30)]
    other = import_chat(memory, tmp_path / "另一个.jsonl", rows)
    assert memory.settings.read(chat).memory_mode == "graph"
    memory.settings.set("memory.mode", "vector")
    memory.settings.set("memory.mode", "off", chat)
    assert memory.settings.read(chat).memory_mode == "off"
    assert memory.settings.read(other).memory_mode == "vector"
    memory.close()
    memory = open_memory(folder, environ={"MEMORY_MODE": "graph"})
    assert not memory.session.is_safe
    assert memory.settings.read(chat).memory_mode == "graph"
    memory.settings.set("memory.mode", "vector", chat)
    assert memory.settings.read(chat).memory_mode == "graph", "set or not, the environment holds"
    assert memory.settings.stored().memory_mode == "vector"
    memory.close()
    memory = open_memory(folder, environ={"MEMORY_MODE": "off"})
    with pytest.raises(MemoryOff):
        memory.pipeline.summarise(CTX, Line.main(other), (0, 9), "extractive")
    assert not memory.inject.compose(CTX, other, RecallQuery("银叶街")).text


def test_a_mode_of_the_environment_that_is_none_is_refused_and_leaves_no_lock(
    open_memory, tmp_path
):
    with pytest.raises(BadSetting, match=r"MEMORY_MODE.*graphs"):
        open_memory(tmp_path / "模式", environ={"MEMORY_MODE": "graphs"})
    open_memory(tmp_path / "模式").close()
