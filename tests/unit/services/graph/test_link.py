"""Linking in bulk makes the graph that linking one by one makes; a kill leaves none of it old."""

from __future__ import annotations

import random

import pytest
from typing_extensions import override

from engram_desktop.domain.labels import ARCHIVE, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.events import curate
from engram_desktop.services.graph.link import Caps, Linker
from engram_desktop.storage.library.library import Library
from tests.contexts import TokenContext
from tests.factories import (
    counting_clock,
    make_chat,
    make_event,
    make_extraction,
    make_message,
    make_store,
)

STEP = StepLabel(ARCHIVE, {"count": 1})
# Spellings that are one name and names that are not, the cast by name and by role, nobody at all.
NAMES = (
    "爱丽丝 愛麗絲 旅人 主角 {{user}} {{char}} ＡＬＩＣＥ alice 他 妈妈 凯尔 凱爾 凯·尔"
    " 酒馆 月光酒馆 钥匙 铜钥匙 莉莉丝 莉莉 北门集市"
).split()
PREDICATES = ("认识", "恋人", "敌人", "位于", "住在", "交付")


class KilledAt(NullContext):
    """The program ends right after the given unit of writing."""

    class Killed(BaseException):
        pass

    def __init__(self, unit):
        self._left = unit

    @override
    def write(self, unit):
        done = super().write(unit)
        self._left -= 1
        if not self._left:
            raise self.Killed
        return done


class CancelledAt(TokenContext):
    """The user stops the job at the given report of linking."""

    def __init__(self, report):
        super().__init__()
        self._left = report

    @override
    def report(self, done, total, label=""):
        self._left -= label == "link"
        if not self._left:
            self.token.cancel()
        self.check()


def story(folder, seed, count):
    """A chat of generated events."""
    store = make_store(folder)
    return store, fill(store, seed, count)


def fill(store, seed, count):
    """Add generated events, each told of by floors of its own; returns their keys."""
    chance = random.Random(seed)
    events = []
    for n in range(count):
        named = chance.choices(NAMES, k=3)
        data = make_extraction(
            f"事{n}",
            entities=tuple(
                ExtractedEntity(name, chance.choice(("char", "loc", "item", "unknown")))
                for name in named
            ),
            relations=tuple(
                ExtractedRelation(chance.sample(named, 1)[0], p, chance.choice(NAMES))
                for p in chance.choices(PREDICATES, k=2)
            ),
        )
        events.append(make_event(f"事{n}", n, n, raw_data=data, timestamp=n))
    with store.step(STEP):
        store.messages.append(
            "main", 0, [make_message(f"第{n}句", ("旅人", "爱丽丝")[n % 2]) for n in range(count)]
        )
        return store.events.add(events, 1)


def graph(store):
    """All that linking writes, told by names: ids are made anew each time."""
    rows = store.database.rows
    return {
        "entities": rows("SELECT name, type, is_locked, id IN ('user', 'char') FROM entity"),
        "aliases": rows(
            "SELECT a.norm, a.name, e.name FROM entity_alias a JOIN entity e ON e.id = a.entity_id"
        ),
        "relations": rows(
            "SELECT a.name, r.predicate, b.name FROM relation r"
            " JOIN entity a ON a.id = r.src JOIN entity b ON b.id = r.dst"
        ),
        "mentions": rows(
            "SELECT e.name, s.summary FROM evidence v JOIN entity e ON e.id = v.entity_id"
            " JOIN event s ON s.id = v.event_id"
        ),
        "evidence": rows(
            "SELECT a.name, r.predicate, b.name, s.summary FROM evidence v"
            " JOIN relation r ON r.id = v.relation_id JOIN event s ON s.id = v.event_id"
            " JOIN entity a ON a.id = r.src JOIN entity b ON b.id = r.dst"
        ),
        "items": rows(
            "SELECT content, branch_id, start_index, end_index FROM memory_item"
            " WHERE kind = 'entity'"
        ),
        "due": rows("SELECT entity_id FROM entity_due"),
    }


def sorted_graph(store):
    return {name: sorted(rows) for name, rows in graph(store).items()}


def one_by_one(store, pks, size, caps):
    """Link with nothing kept from one batch to the next."""
    for start in range(0, len(pks), size):
        found = store.events.fetch(pks[start : start + size])
        with store.step(STEP):
            Linker(store, caps).consolidate(list(found.values()))
        store.catch_up()
    with store.database.writing():  # also of those whose relations were ended by others
        store.entities.refresh_items(i for (i,) in store.database.rows("SELECT id FROM entity"))


def in_bulk(store, pks, size, caps):
    linker = Linker(store, caps)
    for start in range(0, len(pks), size):
        found = store.events.fetch(pks[start : start + size])
        with store.step(STEP):
            linker.consolidate(list(found.values()))
    store.catch_up()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("size", [1, 7])
def test_bulk_makes_the_graph_that_one_by_one_makes(tmp_path, seed, size):
    caps = (Caps(), Caps(1, 1), Caps(2, 1))[seed % 3]
    (one, pks), (other, _same) = (story(tmp_path / name, seed, 60) for name in ("one", "other"))
    one_by_one(one, pks, size, caps)
    in_bulk(other, pks, size, caps)
    assert sorted_graph(one) == sorted_graph(other)
    assert sorted_graph(one)["evidence"]
    one.close()
    other.close()


def test_what_a_user_renames_between_two_batches_is_known_to_the_next(tmp_path):
    store, pks = story(tmp_path, 1, 40)
    linker = Linker(store)
    with store.step(STEP):
        linker.consolidate(list(store.events.fetch(pks[:20]).values()))
    gone, kept = store.entities.find("", 2)
    with store.step(STEP):
        store.entity_edits.merge([gone.id], kept.id, 1)
    with store.step(STEP):
        linker.consolidate(list(store.events.fetch(pks[20:]).values()))
    told = "SELECT count(*) FROM evidence v JOIN entity e ON e.id = v.entity_id"
    assert store.database.value(f"{told} WHERE e.merged_into IS NOT NULL") == 0
    store.close()


def settled(store):
    """What items there are, and what they would be if all were written anew."""
    before = sorted_graph(store)["items"]
    ids = [i for (i,) in store.database.rows("SELECT id FROM entity")]
    with store.database.writing():
        store.entities.refresh_items(ids)
    return before, sorted_graph(store)["items"]


def test_a_killed_bulk_catches_up_when_the_chat_is_opened(tmp_path):
    library = Library(tmp_path, counting_clock(), program="test")
    store = make_chat(library, "故事")
    pks = fill(store, 2, 3 * curate.LINKED_AT_ONCE)
    before = sorted_graph(store)
    with pytest.raises(KilledAt.Killed):
        curate.set_archived(store, KilledAt(3), pks, Caps(), archived=True)  # lamps, two of links
    assert graph(store)["due"]
    library.close()
    reader = Library(tmp_path, counting_clock(), program=None)
    assert graph(reader.chat(store.chat_id))["due"]  # who only reads writes nothing
    reader.close()
    library = Library(tmp_path, counting_clock(), program="test")
    again = library.chat(store.chat_id)
    assert not graph(again)["due"]
    held, wanted = settled(again)
    assert held == wanted != []
    again.undo()  # one step with what was caught up
    assert sorted_graph(again) == before
    again.redo()
    assert sorted_graph(again)["items"] == wanted
    library.close()


def test_a_cancelled_bulk_keeps_what_was_linked_with_its_items(tmp_path):
    store, pks = story(tmp_path, 3, 3 * curate.LINKED_AT_ONCE)
    before = sorted_graph(store)
    with pytest.raises(Cancelled):
        curate.set_archived(store, CancelledAt(3), pks, Caps(), archived=True)
    assert store.database.value("SELECT count(DISTINCT event_id) FROM evidence") > 0
    assert not graph(store)["due"]
    held, wanted = settled(store)
    assert held == wanted != []
    store.undo()
    assert sorted_graph(store) == before
    curate.set_archived(store, NullContext(), pks, Caps(), archived=True)
    store.close()
