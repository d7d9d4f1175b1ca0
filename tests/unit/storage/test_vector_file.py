"""A copy of a chat's vectors beside its database: read where it belongs to it, and only there."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.storage.answers import ItemChanges, Stamp
from engram_desktop.storage.care.backup import copy_database
from engram_desktop.storage.care.migrations import CHAT, open_database
from engram_desktop.storage.chat.chat_store import INDEX_FOLDER, ChatStore
from engram_desktop.storage.chat.recall.vectors import (
    FILE_NAME,
    HeldVectors,
    VectorStore,
    discard_vectors,
    read_vectors,
    write_vectors,
)
from engram_desktop.storage.library.library import Library
from tests.factories import counting_clock, make_chat, make_message, make_store

MODEL = "test"
COUNT = 120


def a_vector(seed: int, dim: int = 100) -> np.ndarray:
    row = np.random.default_rng(seed).normal(size=dim).astype(np.float32)
    return row / np.linalg.norm(row)


def fill(store: ChatStore, count: int, first: int = 0, seed: int = 0, dim: int = 100) -> None:
    with store.database.writing():
        store.messages.append(
            "main", first, [make_message(f"第{first + n}句") for n in range(count)]
        )
    embed(store, seed, dim)


def embed(store: ChatStore, seed: int = 0, dim: int = 100, model: str = MODEL) -> None:
    ids = store.vectors.waiting(model)
    keys = store.items.hashes(ids)
    rows = [(i, keys[i], a_vector(i + seed, dim)) for i in ids]
    with store.database.writing():
        store.vectors.put(model, rows)


def place_of(store: ChatStore) -> Path:
    return store.folder / INDEX_FOLDER


def program(store: ChatStore, **options: int) -> VectorStore:
    """Return the vectors as a program that was just started has them."""
    options = {"least_kept": 100} | options
    return VectorStore(store.database, ItemChanges(store.database), place_of(store), **options)


def answers(vectors: VectorStore, model: str = MODEL, dim: int = 100) -> list[tuple[int, float]]:
    ids = np.arange(1, 2_000)
    return [hit for seed in range(5) for hit in vectors.search(model, a_vector(seed, dim), ids, 30)]


def read_anew(store: ChatStore, model: str = MODEL, dim: int = 100) -> list[tuple[int, float]]:
    return answers(VectorStore(store.database, ItemChanges(store.database)), model, dim)


def kept(store: ChatStore, *, with_numbers: bool = True) -> tuple[Stamp, HeldVectors]:
    found = read_vectors(place_of(store), MODEL, with_numbers=with_numbers)
    assert found is not None
    return found


def spoil(store: ChatStore) -> Stamp:
    """Make all cosines of the file 0, so that an answer out of it can be told from a right one."""
    stamp, held = kept(store)
    blank = replace(held, factors=0 * held.factors)
    write_vectors(place_of(store), MODEL, stamp, blank)
    return stamp


def is_from_file(vectors: VectorStore) -> bool:
    return {cosine for _id, cosine in answers(vectors)} == {0.0}


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path)
    fill(store, COUNT)
    yield store
    store.close()


def test_the_next_program_reads_the_file_and_answers_the_same(store):
    assert answers(program(store)) == read_anew(store)
    assert answers(program(store)) == read_anew(store)
    spoil(store)
    assert is_from_file(program(store))


def test_a_short_chat_has_none(store):
    answers(program(store, least_kept=COUNT + 1))
    assert not (place_of(store) / FILE_NAME).exists()


def test_what_changed_since_is_mended(store):
    answers(program(store))
    stamp = kept(store)[0]
    fill(store, 30, first=COUNT)
    assert answers(program(store)) == read_anew(store)
    first = store.messages.slice("main", 0, 9)
    with store.step(StepLabel(IMPORT, {"count": 1})):
        store.messages.remove([message.id for message in first])
    assert answers(program(store)) == read_anew(store)
    fill(store, 4, first=COUNT + 30)
    store.undo()
    embed(store, seed=7)
    assert answers(program(store)) == read_anew(store)
    assert kept(store)[0] == stamp


def test_a_file_far_behind_is_written_anew_with_places_that_are_free(store):
    answers(program(store))
    before = spoil(store)
    with store.database.writing():
        store.messages.remove([m.id for m in store.messages.slice("main", 100, 119)])
    for n in range(10):
        fill(store, 60, first=100 + 60 * n)
    found = answers(program(store))
    assert len(found) == len(read_anew(store))
    stamp, held = kept(store)
    assert stamp.seq > before.seq + 1_024
    assert held.ids.size == 700
    assert answers(program(store)) == found


def test_a_program_that_runs_long_keeps_the_file_up_to_date(store):
    running = program(store)
    answers(running)
    for n in range(10):
        fill(store, 60, first=COUNT + 60 * n)
        assert answers(running) == read_anew(store)
    spoil(store)
    fill(store, 1, first=COUNT + 600)
    found = answers(program(store))
    assert 0.0 in {cosine for _id, cosine in found}, "so near to its end it was enough to mend"


def test_a_backup_put_back_is_not_answered_from_what_came_after_it(store, tmp_path):
    backup = copy_database(store.database.path, tmp_path / "backup.db")
    fill(store, 20, first=COUNT)
    answers(program(store))
    stamp = spoil(store)
    store.close()
    shutil.copy(backup, store.database.path)
    again = make_store(tmp_path)
    fill(again, 20, first=COUNT, seed=900)  # as many changes, of the same items: the same number
    assert again.database.value("SELECT max(seq) FROM item_change") == stamp.seq
    assert answers(program(again)) == read_anew(again)
    assert not is_from_file(program(again))
    again.close()


def test_a_backup_of_later_is_answered_from_the_file(store, tmp_path):
    answers(program(store))
    spoil(store)
    backup = copy_database(store.database.path, tmp_path / "backup.db")
    fill(store, 20, first=COUNT)
    store.close()
    shutil.copy(backup, store.database.path)
    again = make_store(tmp_path)
    assert is_from_file(program(again))
    again.close()


@pytest.mark.parametrize("damage", ["cut", "a bit", "empty", "no head", "other head", "longer"])
def test_a_torn_file_is_as_good_as_none_and_made_anew(store, damage):
    answers(program(store))
    spoil(store)
    file = place_of(store) / FILE_NAME
    whole = file.read_bytes()
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 4
    torn = {
        "cut": whole[: len(whole) // 2],
        "a bit": bytes(flipped),
        "empty": b"",
        "no head": whole[300:],
        "other head": b"[]\n" + whole,
        "longer": whole + b"\0",
    }
    file.write_bytes(torn[damage])
    assert answers(program(store)) == read_anew(store)
    assert read_vectors(place_of(store), MODEL, with_numbers=True) is not None
    assert answers(program(store)) == read_anew(store)


def test_another_model_is_not_answered_from_it(store):
    answers(program(store))
    spoil(store)
    embed(store, seed=50, model="other")
    assert answers(program(store), "other") == read_anew(store, "other")
    assert read_vectors(place_of(store), "other", with_numbers=True) is not None
    assert answers(program(store)) == read_anew(store)


def test_longer_vectors_of_the_same_model_are_read_anew(store):
    running = program(store)
    answers(running)
    with store.database.writing():
        store.vectors.forget_all()
    embed(store, dim=130)
    for vectors in (running, program(store)):
        assert answers(vectors, dim=130) == read_anew(store, dim=130) != []


def test_a_chat_too_large_for_memory_keeps_signs_alone(store):
    answers(program(store))  # a file with numbers serves it too
    large = {"in_memory": 50}
    np.testing.assert_allclose(answers(program(store, **large)), read_anew(store), atol=1e-6)
    discard_vectors(place_of(store))
    np.testing.assert_allclose(answers(program(store, **large)), read_anew(store), atol=1e-6)
    assert read_vectors(place_of(store), MODEL, with_numbers=True) is None
    stamp, held = kept(store, with_numbers=False)
    assert held.rows.shape[1] == 0
    np.testing.assert_allclose(answers(program(store, **large)), read_anew(store), atol=1e-6)
    assert kept(store, with_numbers=False)[0] == stamp


def test_where_nothing_can_be_written_questions_are_answered(store):
    shutil.rmtree(place_of(store), ignore_errors=True)
    place_of(store).write_text("a file in the folder's place")
    assert answers(program(store)) == read_anew(store)


def test_without_room_questions_are_answered_and_nothing_is_left(store):
    resource = pytest.importorskip("resource")  # Windows has no such limit
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, before[1]))
    try:
        found = answers(program(store))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert found == read_anew(store)
    assert list(place_of(store).iterdir()) == []


def test_a_library_that_is_only_read_gets_no_file(store, tmp_path):
    store.close()
    place = store.folder
    reader = ChatStore(place, tmp_path / "backups", counting_clock(), read_only=True)
    assert answers(program(reader)) == read_anew(reader)
    assert not (place_of(reader) / FILE_NAME).exists()
    reader.close()


def test_nothing_of_an_open_transaction_is_kept(store):
    with contextlib.suppress(ZeroDivisionError), store.database.writing():
        store.messages.append("main", COUNT, [make_message("不算")])
        answers(program(store))
        raise ZeroDivisionError
    assert not (place_of(store) / FILE_NAME).exists()
    assert answers(program(store)) == read_anew(store)


def test_what_a_killed_writer_left_is_deleted(store):
    place_of(store).mkdir(exist_ok=True)
    (place_of(store) / "vectors.abc.part").write_bytes(b"half")
    answers(program(store))
    assert [path.name for path in place_of(store).iterdir()] == [FILE_NAME]


def test_it_is_deleted_with_the_chat(tmp_path):
    library = Library(tmp_path / "library", counting_clock(), program="test")
    store = make_chat(library, "one")
    fill(store, COUNT)
    answers(program(store))
    assert (place_of(store) / FILE_NAME).exists()
    library.delete_chat(store.chat_id)
    assert list(tmp_path.rglob("memory.db")) != []
    assert list(tmp_path.rglob(FILE_NAME)) == []
    library.close()


def test_a_chat_of_the_version_before_is_kept_from_its_first_question_on(tmp_path):
    path = tmp_path / "chat1" / "memory.db"
    path.parent.mkdir()
    old = open_database(path, CHAT[:18], tmp_path / "backups", create=True)
    with old.writing() as connection:
        connection.execute("INSERT INTO branch(id, name) VALUES ('main', 'main')")
        connection.execute(
            "INSERT INTO memory_embedding(item_id, model, dim, content_hash, vector_blob)"
            " VALUES (1, 'm', 4, 'h', x'0000803f01020304')"
        )
    old.close_all()
    store = make_store(tmp_path)
    changes = ItemChanges(store.database)
    newest, _changed = changes.since(None)
    assert newest is not None
    assert changes.stamp(newest) is not None
    store.close()


ASKS = """
import sys
from pathlib import Path
from tests.factories import counting_clock
from tests.unit.storage.test_vector_file import answers, program, read_anew
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.chat.recall.vectors import discard_vectors

place = Path(sys.argv[1])
store = ChatStore(place, place.parent / "backups", counting_clock())
for n in range(60):
    assert answers(program(store)) == read_anew(store), n
    if n % 7 == 0:
        discard_vectors(place / "index")
store.close()
print("well")
"""


@pytest.mark.e2e
def test_programs_that_ask_at_once_never_read_half_a_file(store):
    command = [sys.executable, "-c", ASKS, str(store.folder)]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [process.communicate(timeout=120)[0] for process in running] == ["well\n", "well\n"]
    assert answers(program(store)) == read_anew(store)
