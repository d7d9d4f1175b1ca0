"""Pipes, devices and pictures that unpack without end: refused at once, whoever reads."""

from __future__ import annotations

import os
import tracemalloc
import zlib
from pathlib import Path

import pytest

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.formats.adopt import files as memories
from engram_desktop.formats.cards import glance, read_card
from engram_desktop.formats.chat_files import read_chat, sniff
from engram_desktop.formats.chats.chat_snapshot import take
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.formats.png_chunks import SIGNATURE, TextTooBig
from engram_desktop.formats.tavern.folder import list_folder
from engram_desktop.formats.tavern.settings import read_file, read_settings
from engram_desktop.formats.tavern.texts import prompts_in
from engram_desktop.formats.worldbooks.world_info import check_json, read_worldbook
from engram_desktop.services.chats import import_chat
from engram_desktop.services.library import backups
from engram_desktop.services.library.whole_file import hash_of
from engram_desktop.services.tavern.survey import scripts_in
from engram_desktop.services.worldbooks import stored

MB = 1_000_000
READERS = [
    sniff,
    read_chat,
    take,
    read_card,
    glance,
    read_worldbook,
    check_json,
    read_file,
    memories.read_file,
    prompts_in,
    scripts_in,
    stored.read_file,
    stored.is_worldbook_picture,
    import_chat.kind_of,
    hash_of,
]


@pytest.fixture(params=["pipe", "device", "link to itself"])
def trap(request, tmp_path):
    path = tmp_path / "trap.png"
    match request.param:
        case "pipe" if hasattr(os, "mkfifo"):
            os.mkfifo(path)
        case "device" if Path("/dev/zero").exists():
            path.symlink_to("/dev/zero")
        case "link to itself" if os.name != "nt":
            path.symlink_to(path)
        case _:
            pytest.skip("there is no such thing here")
    return path


@pytest.mark.parametrize("read", READERS, ids=lambda read: f"{read.__module__}.{read.__name__}")
@pytest.mark.timeout(10)
def test_only_regular_files_are_read(read, trap):
    with pytest.raises((KnownError, OSError)):
        read(trap)


@pytest.mark.timeout(10)
def test_a_backup_that_is_no_file_is_refused(trap, tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    with pytest.raises(InputError):
        backups.stage(folder, trap)


@pytest.mark.timeout(20)
def test_a_folder_with_traps_is_looked_through(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes")
    handle = tmp_path / "data" / "default-user"
    for name in ("chats/Ada", "worlds", "characters", "OpenAI Settings", "groups"):
        (handle / name).mkdir(parents=True)
    for name in (
        "chats/Ada/a.jsonl",
        "worlds/a.json",
        "characters/a.png",
        "OpenAI Settings/a.json",
        "groups/a.json",
        "settings.json",
    ):
        os.mkfifo(handle / name)
    list_folder(tmp_path)
    assert read_settings(handle).faults


def test_a_regular_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert read_plain(path, 3) == b"abc"
    with pytest.raises(OSError, match="larger"):
        read_plain(path, 2)
    path.write_bytes(b"")
    assert read_plain(path, 2) == b""


def chunk(name, body):
    return (
        len(body).to_bytes(4, "big") + name + body + zlib.crc32(body, zlib.crc32(name)).to_bytes(4)
    )


def peak_of(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_texts_of_a_picture_that_nobody_wants_are_not_unpacked(tmp_path):
    packed = zlib.compress(bytes(48 * MB), 9)
    bomb = b"".join(chunk(b"zTXt", b"n%d\0\0" % n + packed) for n in range(40))
    path = tmp_path / "bomb.png"
    path.write_bytes(SIGNATURE + bomb + chunk(b"IEND", b""))

    def read():
        with pytest.raises(InputError):
            read_card(path)
        with pytest.raises(InputError):
            read_worldbook(path)

    assert peak_of(read) < 20 * MB


def test_texts_of_a_picture_have_one_limit_together(tmp_path):
    packed = zlib.compress(bytes(48 * MB), 9)
    path = tmp_path / "bomb.png"
    both = chunk(b"zTXt", b"chara\0\0" + packed) + chunk(b"zTXt", b"ccv3\0\0" + packed)
    path.write_bytes(SIGNATURE + both + chunk(b"IEND", b""))
    with pytest.raises(TextTooBig):
        read_card(path)


def test_a_large_picture_is_not_read_to_see_what_it_is(tmp_path):
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.write(SIGNATURE + (900 * MB).to_bytes(4, "big") + b"IDAT")
        file.truncate(1000 * MB)  # nothing but a hole
    assert peak_of(lambda: stored.is_worldbook_picture(path)) < MB
    with pytest.raises(InputError, match="MB"):
        read_card(path)
    with pytest.raises((InputError, OSError), match="MB"):
        read_worldbook(path)
