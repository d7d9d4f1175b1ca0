from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from engram_desktop.domain.reports import BACKUP_ENDING
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.library.backups import found_in, is_due, thin
from tests.factories import story_rows, write_chat

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
