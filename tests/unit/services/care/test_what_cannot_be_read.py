"""One chat that cannot be read ends no other; a library may lie where it can only be read."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from engram_desktop.cli.main import main
from engram_desktop.domain.errors import ReadOnlyLibrary, StorageError
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from tests.factories import story_rows, write_chat

CTX = NullContext()
NOBODY = 65534
pytestmark = pytest.mark.skipif(os.name == "nt", reason="Windows has rights of another kind")


@contextlib.contextmanager
def without_privileges():
    """Rights count: the root of a container may read anything."""
    if os.geteuid():
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


@pytest.fixture
def library():
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


@pytest.mark.parametrize("how", ["folder", "file", "loop", "folder loop", "cut", "cut short"])
def test_one_chat_that_cannot_be_read_ends_no_other(library, capsys, how):
    main(["chats", "--library", str(library)])
    capsys.readouterr()
    place = break_bea(library, how)
    with without_privileges():
        code, out, err = run(capsys, "chats", "--library", library)
        assert code == 0, err
        assert "Ada  40 messages" in out
        broken = next(line for line in out.splitlines() if "Bea" in line)
        assert how == "cut" or "!" in broken
        code, out, err = run(capsys, "events", "Ada", "--library", library)
        assert (code, err) == (0, "")
        code, _out, err = run(capsys, "events", "Bea", "--library", library)
        assert code in ({0, 1} if how == "cut" else {1})
        assert len(err.splitlines()) <= 1
        code, _out, err = run(capsys, "import", library.parent / "Ada.jsonl", "--library", library)
        assert code == 0, err
        code, out, err = run(capsys, "doctor", "--library", library)
        # Rights that were taken away from a folder of ours are given back; a cut may hit no page.
        assert code in ({0, 1} if how in {"folder", "cut"} else {1}), out + err
        assert ("FAULT" in out) == bool(code)
        code, _out, err = run(capsys, "stats", "Bea", "--library", library)
        assert code in {0, 1}, err
        code, _out, err = run(capsys, "backup", "--library", library)
        assert code in {0, 1}, err
    assert place.is_symlink() or place.exists()


def make_read_only(library):
    for path in (library, *library.rglob("*")):
        path.chmod(0o500 if path.is_dir() else 0o400)


def test_a_library_that_can_only_be_read_is_read(library, capsys):
    make_read_only(library)
    with without_privileges():
        for verb in (
            ["chats"],
            ["events", "Ada"],
            ["stats", "Ada"],
            ["recall", "Ada", "--query", "铜钥匙"],
            ["inject", "Ada", "--query", "铜钥匙"],
            ["entities", "Ada"],
            ["settings"],
            ["export", "Ada", "--format", "json", "-o", library.parent / "out.json"],
        ):
            code, out, err = run(capsys, *verb, "--library", library)
            assert (code, err) == (0, ""), verb
            assert out, verb
        code, _out, err = run(capsys, "summarise", "Ada", "--library", library)
        assert code == 1
        assert "can only be read" in err
        with pytest.raises(ReadOnlyLibrary):
            Memory.open(library, environ={})


def test_what_was_not_yet_taken_over_into_the_file_is_read_too(library):
    memory = Memory.open(library, environ={})
    memory.imports.import_file(
        CTX, write_chat(library.parent / "Cat.jsonl", story_rows(12)), name="Cat"
    )
    copy = library.parent / "copy"
    shutil.copytree(library, copy)  # as a killed process leaves it: with its write-ahead log
    memory.close()
    if not os.geteuid():
        for path in (copy, *copy.rglob("*")):
            os.chown(path, NOBODY, NOBODY)
    make_read_only(copy)
    with without_privileges():
        reader = Memory.open(copy, program=None, environ={})
        assert {chat.name for chat in reader.chats.all()} == {"Ada", "Bea", "Cat"}
        reader.close()


def test_a_folder_whose_name_is_not_utf8_is_refused_in_one_line(tmp_path, capsys):
    place = os.fsdecode(os.fsencode(tmp_path) + b"/\xff")
    with pytest.raises(StorageError):
        Memory.open(Path(place), environ={})
    code, _out, err = run(capsys, "chats", "--library", place)
    assert (code, len(err.splitlines())) == (1, 1)


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


def test_words_that_are_not_utf8_are_wrong_usage(tmp_path, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["import", "a.jsonl", "--as", "\udcff", "--library", str(tmp_path)])
    assert ended.value.code == 2
    assert "not UTF-8" in capsys.readouterr().err
