"""A library is moved whole or not at all, and nothing that was there is lost."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import FileExists
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.library.backups import InsideItself, relocate
from engram_desktop.services.library.whole_file import synced_by
from engram_desktop.services.memory import Memory
from tests.factories import write_chat

CTX = NullContext()
OTHER_DISK = Path("/dev/shm")  # noqa: S108 - another disk, where Linux has it


@pytest.fixture
def library(tmp_path):
    folder = tmp_path / "资料 库"
    memory = Memory.open(folder, environ={})
    file = write_chat(tmp_path / "故事.jsonl", [("旅人", "你好。"), ("爱丽丝", "欢迎。")])
    memory.imports.import_file(CTX, file)
    memory.close()
    return folder


@pytest.fixture
def other_disk(tmp_path):
    if not OTHER_DISK.is_dir() or OTHER_DISK.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("there is no other disk to move to")
    folder = Path(tempfile.mkdtemp(dir=OTHER_DISK))
    yield folder
    shutil.rmtree(folder)


def chats_in(folder):
    memory = Memory.open(folder, environ={})
    try:
        return [chat.name for chat in memory.chats.all()]
    finally:
        memory.close()


def test_on_the_same_disk_nothing_stays_behind(library, tmp_path):
    moved = relocate(CTX, library, tmp_path / "新的地方")
    assert (moved.library, moved.left) == (tmp_path / "新的地方", None)
    assert not library.exists()
    assert chats_in(moved.library) == ["故事"]


def test_to_another_disk_it_is_copied_and_the_old_one_kept(library, other_disk):
    moved = relocate(CTX, library, other_disk / "Engram")
    assert moved.left == library.with_name("资料 库 (moved)")
    assert chats_in(moved.library) == ["故事"]
    assert chats_in(moved.left) == ["故事"]
    assert not library.exists()


def test_an_empty_folder_becomes_the_library(library, tmp_path):
    (tmp_path / "empty").mkdir()
    assert chats_in(relocate(CTX, library, tmp_path / "empty").library) == ["故事"]


def test_what_is_there_is_never_written_over(library, tmp_path):
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    with pytest.raises(FileExists):
        relocate(CTX, library, tmp_path / "full")
    assert (tmp_path / "full" / "mine.txt").read_text() == "mine"
    assert chats_in(library) == ["故事"]


def test_it_is_not_moved_into_itself(library):
    with pytest.raises(InsideItself):
        relocate(CTX, library, library / "chats" / "deeper")
    assert chats_in(library) == ["故事"]


def test_who_changes_their_mind_has_it_where_it_was(library, other_disk):
    class Stopping(NullContext):
        @override
        def report(self, done, total, label=""):
            raise Cancelled

    with pytest.raises(Cancelled):
        relocate(Stopping(), library, other_disk / "Engram")
    assert list(other_disk.iterdir()) == []
    assert chats_in(library) == ["故事"]


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
