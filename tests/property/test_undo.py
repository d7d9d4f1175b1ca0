"""Whatever is undone is as it was."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from typing_extensions import override

from engram_desktop.domain.changes import IMPORT, StepLabel
from engram_desktop.domain.errors import KnownError
from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.memory.event import EventPatch, EventQuery
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.pipeline.prompt_template import TASKS, ModelOverride, StoryRenderer
from engram_desktop.domain.worldbooks.worldbook import Entry, EntryMode, mode_flags
from engram_desktop.jobs.context import NullContext
from engram_desktop.llm.embedding.local_embedder import HashEmbedder
from engram_desktop.services.events import curate
from engram_desktop.services.graph import graph_service, suggest
from engram_desktop.services.graph.link import DEFAULT
from engram_desktop.services.memory import Memory
from engram_desktop.services.pipeline.consolidation import consolidate
from engram_desktop.services.prompts.native import stored_scripts
from engram_desktop.storage.schema.chat import WATCHED
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY
from tests.cards import V2, png, text
from tests.factories import (
    counting_clock,
    import_chat,
    make_event,
    make_extraction,
    make_message,
    make_store,
    script_json,
    story_rows,
)

# Undo after do is the identity, whatever was done; so is redo after undo.

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


# Undo after do is the identity for the library too, to the byte; so is redo after undo.

words = st.text(alphabet="月光酒馆铜钥匙 abc", min_size=1, max_size=8).filter(str.strip)
names = st.sampled_from(["甲", "乙", "丙"])


class Keeping(RuleBasedStateMachine):
    """Random work on one library, with a snapshot kept for each step of its history."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.files = Path(self._folder.name)
        self.memory = Memory.open(self.files / "library", clock=counting_clock(), environ={})
        self.chat = import_chat(self.memory, self.files / "故事.jsonl", story_rows(4))
        self.past: list[dict[str, list[tuple[Any, ...]]]] = []
        self.future: list[dict[str, list[tuple[Any, ...]]]] = []
        self.now = self.snapshot()
        self.steps = 0

    def snapshot(self) -> dict[str, list[tuple[Any, ...]]]:
        rows = self.memory.session.library.database.rows
        return {name: rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in WATCHED_IN_LIBRARY}

    def did(self) -> None:
        """Note the step that was made, if it is not typing that goes on in the newest one."""
        after, steps = self.snapshot(), len(self.memory.history.steps())
        if after != self.now and (self.future or steps != self.steps):
            self.past.append(self.now)
            self.future.clear()
        self.now, self.steps = after, steps

    @rule(name=names, contents=st.lists(words, min_size=1, max_size=3))
    def import_worldbook(self, name: str, contents: list[str]) -> None:
        entries = {str(n): {"uid": n, "key": ["门"], "content": c} for n, c in enumerate(contents)}
        path = self.files / f"{name}.json"
        path.write_text(json.dumps({"entries": entries}), "utf-8")
        self.memory.imports.import_file(CTX, path)
        self.did()

    @rule(name=names, told=words, has_worldbook=st.booleans(), has_script=st.booleans())
    def import_card(self, name: str, told: str, has_worldbook: bool, has_script: bool) -> None:
        data = V2["data"] | {"name": name, "description": told}
        if not has_worldbook:
            data = {key: value for key, value in data.items() if key != "character_book"}
        if has_script:
            data = data | {"extensions": {"regex_scripts": [json.loads(script_json(name=told))]}}
        path = self.files / f"{name}.png"
        path.write_bytes(png(text(b"chara", V2 | {"data": data})))
        self.memory.imports.import_file(CTX, path)
        self.did()

    @rule(name=words)
    def import_script(self, name: str) -> None:
        path = self.files / "regex.json"
        path.write_text(script_json(name=name), "utf-8")
        self.memory.imports.import_file(CTX, path)
        self.did()

    def a_worldbook(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from([row.id for row in self.memory.worldbooks.all()]))

    @precondition(lambda self: self.memory.worldbooks.all())
    @rule(data=st.data(), content=words)
    def type_into_an_entry(self, data: st.DataObject, content: str) -> None:
        worldbook = self.a_worldbook(data)
        uids = [entry.uid for entry in self.memory.worldbooks.read(worldbook).entries]
        if uids:
            uid = data.draw(st.sampled_from(uids))
            self.memory.worldbooks.change_entries(worldbook, [uid], {"content": content})
        self.did()

    @precondition(lambda self: self.memory.worldbooks.all())
    @rule(data=st.data(), mode=st.sampled_from(["constant", "selective", "disabled"]))
    def change_entries(self, data: st.DataObject, mode: EntryMode) -> None:
        worldbook = self.a_worldbook(data)
        uids = [entry.uid for entry in self.memory.worldbooks.read(worldbook).entries]
        self.memory.worldbooks.change_entries(worldbook, uids, mode_flags(mode))
        self.did()

    @precondition(lambda self: self.memory.worldbooks.all())
    @rule(data=st.data(), word=words)
    def add_and_delete_entries(self, data: st.DataObject, word: str) -> None:
        worldbook = self.a_worldbook(data)
        made, _changes = self.memory.worldbooks.add_entry(worldbook, Entry(0, comment=word))
        self.did()
        if data.draw(st.booleans()):
            self.memory.worldbooks.delete_entries(worldbook, [made.uid])
            self.did()

    @precondition(lambda self: self.memory.worldbooks.all())
    @rule(data=st.data(), is_on=st.booleans())
    def bind(self, data: st.DataObject, is_on: bool) -> None:
        self.memory.worldbooks.set_in_chat(self.a_worldbook(data), self.chat, is_on=is_on)
        self.did()
        self.memory.worldbooks.set_global(self.a_worldbook(data), is_global=is_on)
        self.did()

    @precondition(lambda self: self.memory.worldbooks.all())
    @rule(data=st.data(), name=names)
    def rename(self, data: st.DataObject, name: str) -> None:
        self.memory.worldbooks.rename(self.a_worldbook(data), name)
        self.did()
        self.memory.chats.rename(self.chat, name)
        self.did()

    @precondition(lambda self: self.memory.worldbooks.all())
    @rule(data=st.data())
    def delete_worldbook(self, data: st.DataObject) -> None:
        self.memory.worldbooks.delete(self.a_worldbook(data))
        self.did()

    @precondition(lambda self: self.memory.characters.all())
    @rule(data=st.data(), both=st.booleans())
    def delete_character(self, data: st.DataObject, both: bool) -> None:
        ids = [row.id for row in self.memory.characters.all()]
        chosen = data.draw(st.sampled_from(ids))
        self.memory.characters.delete(chosen, worldbooks=both, scripts=both)
        self.did()

    @precondition(lambda self: self.memory.scripts.all())
    @rule(data=st.data(), by=st.integers(-2, 2), on=st.booleans(), goes=st.booleans())
    def change_script(self, data: st.DataObject, by: int, on: bool, goes: bool) -> None:
        key = data.draw(st.sampled_from([s.id for s in self.memory.scripts.all()]))
        self.memory.scripts.move(key, by)
        self.did()
        self.memory.scripts.set_enabled(key, enabled=on)
        self.did()
        if goes:
            self.memory.scripts.delete(key)
            self.did()

    @rule(task=st.sampled_from(TASKS), user=words, model=st.sampled_from(["", "small"]))
    def change_prompt(self, task: str, user: str, model: str) -> None:
        template = replace(self.memory.prompts.find(task, "zh").template, user=user)
        self.memory.prompts.save(template, ModelOverride(model=model))
        self.did()

    @rule(task=st.sampled_from(TASKS))
    def reset_prompt(self, task: str) -> None:
        self.memory.prompts.reset(task, "zh")
        self.did()

    @precondition(lambda self: self.past)
    @rule()
    def undo(self) -> None:
        self.memory.history.undo()
        self.future.append(self.now)
        self.now = self.past.pop()
        assert self.snapshot() == self.now

    @precondition(lambda self: self.future)
    @rule()
    def redo(self) -> None:
        self.memory.history.redo()
        self.past.append(self.now)
        self.now = self.future.pop()
        assert self.snapshot() == self.now

    @override
    def teardown(self) -> None:
        end, count = self.now, len(self.past)
        while self.past:
            self.undo()
        for _ in range(count):
            self.redo()
        assert self.snapshot() == end
        assert stored_scripts(self.memory.session.library).count() == len(end["regex_script"])
        self.memory.close()
        self._folder.cleanup()


TestKeeping = Keeping.TestCase
TestKeeping.settings = TestCurating.settings


# Whatever is merged, split, renamed, undone and redone: one name is one entity, and nothing that
# told of anybody is lost.

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
        self._act(lambda: graph_service.merge_entities(self.store, [one.id], other.id))

    @rule(a=picks, n=picks)
    def split(self, a, n):
        entity = self._pick(a)
        if entity.aliases:
            alias = entity.aliases[n % len(entity.aliases)]
            self._act(lambda: graph_service.split_entity(self.store, entity.id, alias))

    @rule(a=picks, name=st.sampled_from([*NAMES, "无名", "新名"]))
    def rename(self, a, name):
        self._act(lambda: graph_service.update_entity(self.store, self._pick(a).id, name=name))

    @rule(a=picks, hidden=st.booleans())
    def hide(self, a, hidden):
        if len(self._everybody()) > 2:
            self._act(
                lambda: graph_service.update_entity(self.store, self._pick(a).id, hidden=hidden)
            )

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
        self._act(lambda: graph_service.add_relation(self.store, one, "位于", other))

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
