"""Undo after do is the identity, whatever was done; so is redo after undo."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from typing_extensions import override

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.pipeline.prompt_template import StoryRenderer
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.events import curate
from engram_desktop.services.graph.link import DEFAULT
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.storage.schema.chat import WATCHED
from tests.factories import make_event, make_message, make_store

CTX = NullContext()
LABEL = StepLabel(IMPORT, {"count": 1})
texts = st.text(alphabet="月光酒馆铜钥匙 abc", min_size=1, max_size=12).filter(str.strip)


class Curating(RuleBasedStateMachine):
    """Random work on one chat, with a snapshot kept for each step of the history."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.store = make_store(Path(self._folder.name))
        self.past: list[dict[str, list[tuple[Any, ...]]]] = []
        self.future: list[dict[str, list[tuple[Any, ...]]]] = []
        self.now = self.snapshot()

    def snapshot(self) -> dict[str, list[tuple[Any, ...]]]:
        database = self.store.database
        tables = {name: database.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in WATCHED}
        # Upkeep of vectors is no step: what it sets in a watched row is left out here.
        tables["event"] = database.rows(
            "SELECT pk, id, summary, raw_data, display_text, status, is_archived, level,"
            " is_locked, is_deleted, extractor FROM event ORDER BY 1"
        )
        return tables

    def did(self) -> None:
        after = self.snapshot()
        if len(self.store.journal.history()) and after != self.now:
            self.past.append(self.now)
            self.future.clear()
        self.now = after

    def pks(self) -> list[int]:
        return list(self.store.events.find(EventQuery()))

    @rule(rows=st.lists(texts, min_size=1, max_size=4))
    def add_events(self, rows: list[str]) -> None:
        with self.store.step(LABEL):
            self.store.events.add([make_event(s, n, n) for n, s in enumerate(rows)], 1)
        self.did()

    @rule(rows=st.lists(texts, min_size=1, max_size=4))
    def add_messages(self, rows: list[str]) -> None:
        first = self.store.messages.count("main")
        with self.store.step(LABEL):
            self.store.messages.append("main", first, [make_message(s) for s in rows])
        self.did()

    @rule(at=st.integers(0, 6), text=texts)
    def replace_tail(self, at: int, text: str) -> None:
        first = min(at, self.store.messages.count("main"))
        with self.store.step(LABEL):
            gone = self.store.messages.slice("main", first, 99)
            self.store.messages.remove([m.id for m in gone])
            self.store.messages.append("main", first, [make_message(text)])
        self.did()

    @precondition(lambda self: self.pks())
    @rule(data=st.data(), summary=texts, archived=st.booleans())
    def edit(self, data: st.DataObject, summary: str, archived: bool) -> None:
        pk = data.draw(st.sampled_from(self.pks()))
        patch = EventPatch(summary=summary, is_archived=archived)
        curate.update_event(self.store, pk, patch, StoryRenderer())
        self.did()

    @precondition(lambda self: self.pks())
    @rule(data=st.data(), archived=st.booleans())
    def toggle(self, data: st.DataObject, archived: bool) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.pks()), unique=True))
        curate.set_archived(self.store, CTX, chosen, DEFAULT, archived=archived)
        self.did()

    @precondition(lambda self: self.pks())
    @rule(data=st.data())
    def delete(self, data: st.DataObject) -> None:
        chosen = data.draw(st.lists(st.sampled_from(self.pks()), unique=True))
        curate.delete_events(self.store, CTX, chosen)
        self.did()

    @rule()
    def consolidate(self) -> None:
        # The vector index has tests of its own; a process for each example would take minutes.
        consolidate(self.store, CTX, HashEmbedder(16), None)
        self.did()

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.store.undo()
        self.future.append(self.now)
        self.now = self.past.pop()
        assert self.snapshot() == self.now

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        self.store.redo()
        self.past.append(self.now)
        self.now = self.future.pop()
        assert self.snapshot() == self.now

    @invariant()
    def items_and_search_follow(self) -> None:
        assert self.store.items.faults() == 0
        for pk in self.pks()[:3]:
            event = self.store.events.fetch([pk])[pk]
            word = event.summary.split()[0]
            assert pk in self.store.events.find(EventQuery(text=word)), norm_name(word)

    @override
    def teardown(self) -> None:
        while self.past:
            self.undo()
        self.store.close()
        self._folder.cleanup()


TestCurating = Curating.TestCase
TestCurating.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
