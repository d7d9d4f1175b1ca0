"""Whatever is merged, split, renamed, undone and redone: one name is one entity, and nothing that
told of anybody is lost."""

from __future__ import annotations

import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from typing_extensions import override

from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.labels import IMPORT, StepLabel
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.graph import entities, suggest
from engram_desktop.services.pipeline.consolidation import consolidate
from tests.factories import make_event, make_extraction, make_store

NAMES = ("爱丽丝", "凯尔", "林晚", "林晚秋", "小晚", "旅人", "月光酒馆")
EVENTS = 8
picks = st.integers(0, 30)


class EntityEdits(RuleBasedStateMachine):
    @initialize()
    def begin(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = make_store(Path(self.folder.name))
        events = []
        for n in range(EVENTS):
            here = [NAMES[(n + k) % len(NAMES)] for k in range(3)]
            data = make_extraction(
                f"事{n}",
                entities=tuple(ExtractedEntity(name, "char") for name in here),
                relations=(ExtractedRelation(here[0], "认识", here[1]),),
            )
            events.append(make_event(f"事{n}", n, n, raw_data=data))
        with self.store.step(StepLabel(IMPORT, {"count": EVENTS})):
            self.store.events.add(events, self.store.clock())
        consolidate(self.store, NullContext(), HashEmbedder(8), None)
        self.told = self._evidence()
        self.past = [self._state()]
        self.future = []

    def _evidence(self):
        """Which events tell of anybody, and which tell of a relation."""
        rows = self.store.database.rows(
            "SELECT event_id, relation_id IS NULL FROM evidence GROUP BY 1, 2"
        )
        return set(rows)

    def _state(self):
        tables = ("entity", "entity_alias", "relation", "evidence", "suggestion")
        return [self.store.database.rows(f"SELECT * FROM {t} ORDER BY 1, 2") for t in tables]

    def _everybody(self):
        return sorted(
            self.store.entities.find("", 100), key=lambda e: e.name
        )  # ids differ from run to run

    def _pick(self, n):
        found = self._everybody()
        return found[n % len(found)]

    def _act(self, act):
        try:
            act()
        except KnownError:
            return
        state = self._state()
        if state != self.past[-1]:
            self.past.append(state)
            self.future.clear()

    @rule(a=picks, b=picks)
    def merge(self, a, b):
        one, other = self._pick(a), self._pick(b)
        self._act(lambda: entities.merge(self.store, [one.id], other.id))

    @rule(a=picks, n=picks)
    def split(self, a, n):
        entity = self._pick(a)
        if entity.aliases:
            alias = entity.aliases[n % len(entity.aliases)]
            self._act(lambda: entities.split(self.store, entity.id, alias))

    @rule(a=picks, name=st.sampled_from([*NAMES, "无名", "新名"]))
    def rename(self, a, name):
        self._act(lambda: entities.update_entity(self.store, self._pick(a).id, name=name))

    @rule(a=picks, hidden=st.booleans())
    def hide(self, a, hidden):
        if len(self._everybody()) > 2:
            self._act(lambda: entities.update_entity(self.store, self._pick(a).id, hidden=hidden))

    @rule(n=picks, keeps_other=st.booleans(), accepts=st.booleans())
    def decide(self, n, keeps_other, accepts):
        waiting = sorted(
            suggest.waiting(self.store), key=lambda s: sorted((s.one.name, s.other.name))
        )
        if waiting:
            found = waiting[n % len(waiting)]
            pair = sorted((found.one, found.other), key=lambda e: e.name)
            keep = pair[keeps_other].id
            if accepts:
                self._act(lambda: suggest.accept(self.store, found.id, keep))
            else:
                self._act(lambda: suggest.dismiss(self.store, found.id))

    @rule(a=picks, b=picks)
    def relate(self, a, b):
        one, other = self._pick(a).id, self._pick(b).id
        self._act(lambda: entities.add(self.store, one, "位于", other))

    @precondition(lambda self: len(self.past) > 1)
    @rule()
    def undo(self):
        self.store.undo()
        self.future.append(self.past.pop())
        assert self._state() == self.past[-1]

    @precondition(lambda self: self.future)
    @rule()
    def redo(self):
        self.store.redo()
        self.past.append(self.future.pop())
        assert self._state() == self.past[-1]

    @invariant()
    def one_name_is_one_entity_that_exists(self):
        rows = self.store.database.rows(
            "SELECT a.norm, e.merged_into FROM entity_alias a JOIN entity e ON e.id = a.entity_id"
        )
        assert len({norm for norm, _m in rows}) == len(rows)
        assert all(merged is None for _norm, merged in rows)

    @invariant()
    def everybody_is_called_by_their_name_or_nothing(self):
        for entity in self._everybody():
            names = self.store.entities.names_of(entity.id)
            assert not entity.aliases or set(entity.aliases) < set(names) | {entity.name}

    @invariant()
    def nothing_that_told_of_anybody_is_lost(self):
        alone = {(event, kind) for event, kind in self.told if kind}
        assert alone <= self._evidence()
        ends = self.store.database.rows(
            "SELECT count(*) FROM relation r JOIN entity e ON e.id IN (r.src, r.dst)"
            " WHERE e.merged_into IS NOT NULL OR r.src = r.dst"
        )
        assert ends == [(0,)]

    @invariant()
    def what_can_be_recalled_is_of_entities_that_are_there(self):
        assert self.store.items.faults() == 0

    @override
    def teardown(self):
        if hasattr(self, "store"):
            self.store.close()
            self.folder.cleanup()


TestEntityEdits = EntityEdits.TestCase
TestEntityEdits.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)
