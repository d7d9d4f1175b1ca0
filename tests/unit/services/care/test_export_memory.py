"""Exports of a long chat are written as they are read: memory does not grow with the chat."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from typing_extensions import override

from engram_desktop.domain.memory.event import EventQuery, event_fields
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.care.upkeep import export
from tests.factories import make_event, make_store

CTX = NullContext()
MB = 1_000_000


@pytest.fixture
def store(tmp_path):
    store = make_store(tmp_path / "chat")
    yield store
    store.close()


def filled(store, count, text=""):
    with store.database.writing():
        store.events.add([make_event(f"第{n}件事{text}", n, n) for n in range(count)], 1)
    return store


def test_a_json_export_holds_every_field_of_every_event_in_story_order(store, tmp_path):
    filled(store, 1203)
    target = tmp_path / "out.json"
    assert export(CTX, store, "故事", target, "json") == 1203
    text = target.read_text("utf-8")
    value = json.loads(text)
    assert text == json.dumps(value, ensure_ascii=False, indent=2) + "\n"
    pks = list(store.events.find(EventQuery()))
    assert [row["pk"] for row in value["events"]] == pks
    found = store.events.fetch(pks[:2])
    assert value["events"][:2] == [json.loads(json.dumps(event_fields(e))) for e in found.values()]
    assert [value[name] for name in ("format", "version")] == ["engram", 1]


@pytest.mark.parametrize("form", ["json", "engram", "markdown"])
def test_an_export_of_nothing_is_whole(store, tmp_path, form):
    target = tmp_path / "out"
    assert export(CTX, store, "故事", target, form) == 0
    if form != "markdown":
        assert json.loads(target.read_text("utf-8"))["events"] == []


def test_memory_does_not_grow_with_the_chat(store, tmp_path):
    filled(store, 2500, text="。" * 1000)
    for form in ("json", "engram", "markdown"):
        target = tmp_path / form
        tracemalloc.start()
        export(CTX, store, "故事", target, form)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert target.stat().st_size > 7 * MB
        assert peak < target.stat().st_size


class CancelledLater(NullContext):
    left = 2

    @override
    def report(self, done, total, label=""):
        self.left -= 1
        if not self.left:
            raise Cancelled


def test_a_cancelled_export_leaves_no_file(store, tmp_path):
    filled(store, 1203)
    with pytest.raises(Cancelled):
        export(CancelledLater(), store, "故事", tmp_path / "out", "json")
    assert not (tmp_path / "out").exists()
