"""Texts that are still being typed: one private file a folder, never in the way."""

import json
import os
import stat

import pytest

from engram_desktop.storage.library.trash import FILE_NAME, PLACES_KEPT, UnsavedFile


def test_what_is_kept_is_read_and_forgotten_by_place(tmp_path):
    texts = UnsavedFile(tmp_path)
    assert texts.read() == {}
    texts.keep("event", {"text": "她说 \ud83c 半个字", "keywords": ["银", ""]})
    texts.keep("log", {"content": "想"})
    assert texts.read()["event"]["keywords"] == ["银", ""]
    texts.keep("event", {})
    texts.keep("never kept", {})
    assert texts.read() == {"log": {"content": "想"}}
    texts.keep("log", {})
    assert list(tmp_path.iterdir()) == []


def test_the_file_is_for_its_owner_alone(tmp_path):
    before = os.umask(0)
    try:
        UnsavedFile(tmp_path).keep("event", {"text": "秘密"})
    finally:
        os.umask(before)
    if os.name != "nt":
        assert stat.S_IMODE((tmp_path / FILE_NAME).stat().st_mode) == 0o600


def test_the_oldest_places_go_first(tmp_path):
    texts = UnsavedFile(tmp_path)
    for number in range(PLACES_KEPT + 2):
        texts.keep(str(number), {"text": "x"})
    texts.keep("2", {"text": "typed again"})
    texts.keep("last", {"text": "x"})
    assert len(texts.read()) == PLACES_KEPT
    assert not texts.read().keys() & {"0", "1", "3"}
    assert "2" in texts.read()


@pytest.mark.parametrize(
    "found", ["", "{", "[]", '"x"', '{"a": 1}', '{"a": {"b": 1}}', "[" * 100_000, "\0"]
)
def test_a_file_that_says_nothing_holds_nothing(tmp_path, found):
    (tmp_path / FILE_NAME).write_text(found, "utf-8")
    texts = UnsavedFile(tmp_path)
    assert not any(texts.read().values())
    texts.keep("event", {"text": "x"})
    kept = json.loads((tmp_path / FILE_NAME).read_text("utf-8"))
    assert kept["event"] == {"text": "x"}
