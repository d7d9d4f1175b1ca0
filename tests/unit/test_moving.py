"""Files that somebody looks at just now: Windows refuses for a moment, which is waited."""

from __future__ import annotations

import errno

import pytest

from engram_desktop import moving


class Refusal(PermissionError):
    """As Windows raises it."""

    def __init__(self, winerror):
        super().__init__(errno.EACCES, "in use")
        self.winerror = winerror


class Busy:
    """Refuses a few times, as Windows does while a scanner reads the file."""

    def __init__(self, times, winerror=32):
        self.left = times
        self.waited = []
        self.winerror = winerror

    def __call__(self):
        self.left -= 1
        if self.left >= 0:
            raise Refusal(self.winerror)
        return "done"


@pytest.mark.parametrize("winerror", [5, 32, 33, 145])
def test_what_is_held_for_a_moment_is_waited_for(winerror):
    busy = Busy(3, winerror)
    assert moving.patiently(busy, wait=busy.waited.append) == "done"
    assert busy.waited == list(moving.WAITS_S[:3]), "longer each time"


def test_what_stays_held_is_said_in_the_end():
    busy = Busy(100)
    with pytest.raises(PermissionError):
        moving.patiently(busy, wait=busy.waited.append)
    assert busy.waited == list(moving.WAITS_S)


@pytest.mark.parametrize("winerror", [None, 2, 3, 17, 112])
def test_any_other_refusal_is_final(winerror):
    busy = Busy(1, winerror)
    with pytest.raises(PermissionError):
        moving.patiently(busy, wait=busy.waited.append)
    assert busy.waited == []


def test_moving_never_puts_one_folder_into_another(tmp_path):
    source, target = tmp_path / "a", tmp_path / "b"
    for folder in (source, target):
        folder.mkdir()
        (folder / "file").write_text(folder.name, "utf-8")
    with pytest.raises(FileExistsError):
        moving.move(source, target)
    assert [path.name for path in target.iterdir()] == ["file"]
    moving.delete_folder(target)
    moving.move(source, target)
    assert (target / "file").read_text("utf-8") == "a"
    assert not source.exists()
    with pytest.raises(FileNotFoundError):
        moving.move(source, tmp_path / "c")


def test_replacing_and_deleting_do_what_they_say(tmp_path):
    old, new = tmp_path / "old", tmp_path / "new"
    old.write_text("old", "utf-8")
    new.write_text("new", "utf-8")
    moving.replace(new, old)
    assert old.read_text("utf-8") == "new"
    moving.delete(old)
    moving.delete(old)
    folder = tmp_path / "folder"
    folder.mkdir()
    assert moving.try_to_delete_folder(folder)
    assert not folder.exists()
    assert moving.try_to_delete_folder(folder), "it is gone, whoever did it"
    new.write_text("a file", "utf-8")
    assert not moving.try_to_delete_folder(new)
    assert new.exists()
