"""Undo after do is the identity for the library too, to the byte; so is redo after undo."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule
from typing_extensions import override

from engram_desktop.domain.pipeline.prompt_template import TASKS, ModelOverride
from engram_desktop.domain.worldbooks.worldbook import Entry, EntryMode, mode_flags
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.scripts import table
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY
from tests.cards import V2, png, text
from tests.factories import counting_clock, script_json, story_rows, write_chat

CTX = NullContext()
words = st.text(alphabet="月光酒馆铜钥匙 abc", min_size=1, max_size=8).filter(str.strip)
names = st.sampled_from(["甲", "乙", "丙"])


class Keeping(RuleBasedStateMachine):
    """Random work on one library, with a snapshot kept for each step of its history."""

    def __init__(self) -> None:
        super().__init__()
        self._folder = tempfile.TemporaryDirectory()
        self.files = Path(self._folder.name)
        self.memory = Memory.open(self.files / "library", clock=counting_clock(), environ={})
        story = write_chat(self.files / "故事.jsonl", story_rows(4))
        self.chat = self.memory.imports.import_file(CTX, story).chat_id or ""
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
        assert table(self.memory.session.library).count() == len(end["regex_script"])
        self.memory.close()
        self._folder.cleanup()


TestKeeping = Keeping.TestCase
TestKeeping.settings = settings(
    max_examples=25,
    stateful_step_count=20,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
