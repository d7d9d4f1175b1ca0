"""Whatever a user does to the library is one step: undone to the byte, and done again."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engram_desktop.domain.errors import NothingToUndo
from engram_desktop.domain.labels import StepLabel
from engram_desktop.domain.pipeline.prompt_template import ModelOverride
from engram_desktop.domain.worldbooks.worldbook import Entry, mode_flags
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.scripts import table
from engram_desktop.storage.schema.library import WATCHED_IN_LIBRARY
from tests.cards import V2, png, text
from tests.factories import script_json, story_rows, write_chat
from tests.worldbooks import ENTRIES, write_worldbook

CTX = NullContext()
SCRIPTS = {"extensions": {"regex_scripts": [json.loads(script_json(name="卡上的"))]}}
CARD = V2 | {"data": V2["data"] | SCRIPTS}


def snapshot(memory):
    """Every byte of every watched table."""
    database = memory.session.library.database
    return {
        name: database.rows(f"SELECT * FROM {name} ORDER BY 1, 2") for name in WATCHED_IN_LIBRARY
    }


def labels(memory):
    return [str(step.label) for step in memory.history.steps() if not step.is_undone]


@pytest.fixture
def full(memory, tmp_path):
    """A library with a chat, a card with its worldbook and script, another worldbook, scripts."""
    memory.chat = memory.imports.import_file(
        CTX, write_chat(tmp_path / "故事.jsonl", story_rows(4))
    ).chat_id
    memory.card = tmp_path / "Alice.png"
    memory.card.write_bytes(png(text(b"chara", CARD)))
    memory.imports.import_file(CTX, memory.card)
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json"))
    scripts = tmp_path / "regex-own.json"
    scripts.write_text(f"[{script_json(name='甲')}, {script_json(name='乙')}]", "utf-8")
    memory.imports.import_file(CTX, scripts)
    worldbook = memory.worldbooks.find("设定").id
    memory.worldbooks.set_in_chat(worldbook, memory.chat, is_on=True)
    memory.worldbooks.set_global(worldbook, is_global=True)
    with memory.session.library.step(StepLabel("Switch “{name}” on", {"name": "设定"})):
        memory.session.library.bindings.bind(worldbook, memory.characters.find("爱丽丝").id)
    memory.folder_of_files = tmp_path
    return memory


def new_card(memory):
    newer = CARD | {"data": CARD["data"] | {"description": "换了。", "character_book": None}}
    memory.card.write_bytes(png(text(b"chara", newer)))
    memory.imports.import_file(CTX, memory.card)


def other_card(memory):
    path = memory.folder_of_files / "Bob.png"
    path.write_bytes(png(text(b"chara", CARD | {"data": CARD["data"] | {"name": "鲍勃"}})))
    memory.imports.import_file(CTX, path)


def other_script(memory):
    path = memory.folder_of_files / "regex-more.json"
    path.write_text(script_json(name="丙"), "utf-8")
    memory.imports.import_file(CTX, path)


def save_prompt(memory, **over):
    template = replace(memory.prompts.find("summary", "zh").template, user="{{messages}} 记下来。")
    return memory.prompts.save(template, **over)


def worldbook(memory):
    return memory.worldbooks.find("设定").id


DEEDS = {
    "Import the world book “门”": lambda m: m.imports.import_file(
        CTX, write_worldbook(m.folder_of_files / "门.json", {"0": ENTRIES["1"]})
    ),
    "Rename the world book “设定” to “门”": lambda m: m.worldbooks.rename(worldbook(m), " 门 "),
    "Rename the chat “故事” to “门外”": lambda m: m.chats.rename(m.chat, "门外"),
    "Delete the world book “设定”": lambda m: m.worldbooks.delete(worldbook(m)),
    "Add an entry to “设定”": lambda m: m.worldbooks.add_entry(
        worldbook(m), Entry(0, comment="新")
    ),
    "Edit the entry “酒馆” of “设定”": lambda m: m.worldbooks.change_entries(
        worldbook(m), [0], {"content": "空"}
    ),
    "Edit 3 entries of “设定”": lambda m: m.worldbooks.change_entries(
        worldbook(m), [0, 1, 2], mode_flags("disabled")
    ),
    "Delete the entry “钥匙” of “设定”": lambda m: m.worldbooks.delete_entries(worldbook(m), [1]),
    "Delete 2 entries of “设定”": lambda m: m.worldbooks.delete_entries(worldbook(m), [1, 2]),
    "No longer switch “设定” on in every chat": lambda m: m.worldbooks.set_global(
        worldbook(m), is_global=False
    ),
    "No longer switch “设定” on in the chat “故事”": lambda m: m.worldbooks.set_in_chat(
        worldbook(m), m.chat, is_on=False
    ),
    "Import the character “爱丽丝”": new_card,
    "Import the character “鲍勃”": other_card,
    "Delete the character “爱丽丝”": lambda m: m.characters.delete(
        m.characters.find("爱丽丝").id, worldbooks=True, scripts=True
    ),
    "Import 1 regex scripts": other_script,
    "Switch the regex script “甲” off": lambda m: m.scripts.set_enabled("甲", enabled=False),
    "Move the regex script “乙”": lambda m: m.scripts.move("乙", -1),
    "Delete the regex script “甲”": lambda m: m.scripts.delete("甲"),
    "Edit the prompt “Summaries”": lambda m: save_prompt(m, override=ModelOverride(model="small")),
    "Choose the model for “Summaries”": lambda m: m.prompts.set_model(
        "summary", ModelOverride(model="small")
    ),
}


@pytest.mark.parametrize("label", DEEDS)
def test_every_deed_is_one_step_back_and_again(full, label):
    before, steps = snapshot(full), len(full.history.steps())
    DEEDS[label](full)
    after = snapshot(full)
    assert after != before
    assert labels(full)[0] == label
    assert len(full.history.steps()) == steps + 1
    undone = full.history.undo()
    assert snapshot(full) == before
    assert str(undone.undo_label) == label
    assert undone.chat_id is None
    full.history.redo()
    assert snapshot(full) == after


def test_everything_is_undone_in_one_line_over_a_restart_and_done_again(full, open_memory):
    start = snapshot(full)
    for label, deed in DEEDS.items():
        if not label.startswith(("Delete", "Rename the world")):
            deed(full)
    folder, end = full.folder, snapshot(full)
    full.close()
    again = open_memory(folder)
    count = 0
    while snapshot(again) != start:
        again.history.undo()
        count += 1
    for _ in range(count):
        again.history.redo()
    assert snapshot(again) == end
    with pytest.raises(NothingToUndo):
        again.history.redo()


def test_a_renamed_worldbook_is_still_the_one_its_file_was(full, tmp_path):
    wanted = worldbook(full)
    full.worldbooks.rename(wanted, "爱丽丝's Lorebook")
    assert full.worldbooks.find(wanted).name == "爱丽丝's Lorebook (2)"
    assert full.worldbooks.find("设定").id == wanted, "a front end knows it by its file"
    steps = len(full.history.steps())
    full.worldbooks.rename(wanted, " ")
    full.chats.rename(full.chat, full.chats.name(full.chat))
    assert len(full.history.steps()) == steps


def test_a_chat_that_was_renamed_and_deleted_is_no_hindrance(full):
    full.chats.rename(full.chat, "门外")
    full.chats.delete(full.chat)
    full.history.undo()
    full.history.redo()
    full.history.undo()
    full.chats.restore("门外")
    assert full.chats.name(full.chat) == "门外"
    full.chats.rename(full.chat, "故事")
    assert full.history.undo().library
    assert full.chats.name(full.chat) == "门外"


def test_what_hangs_on_a_worldbook_and_a_character_comes_back_with_them(full):
    theirs, owner = worldbook(full), full.characters.find("爱丽丝").id
    full.worldbooks.delete(theirs)
    full.characters.delete(owner)
    assert full.worldbooks.bound_to(full.chat) == set()
    assert full.worldbooks.find("爱丽丝's Lorebook").owner == ""
    full.history.undo()
    assert full.worldbooks.find("爱丽丝's Lorebook").owner == "爱丽丝"
    full.history.undo()
    assert full.worldbooks.bound_to(full.chat) == {theirs}
    assert full.session.library.bindings.has(theirs, owner)
    assert full.worldbooks.find("设定").is_global


def test_typing_into_one_entry_is_one_step(full):
    steps = len(full.history.steps())
    was = full.worldbooks.content(worldbook(full))
    for n in range(5):
        full.worldbooks.change_entries(
            worldbook(full), [0], {"content": "字" * n, "comment": f"题{n}"}
        )
    assert len(full.history.steps()) == steps + 1
    assert labels(full)[0] == "Edit the entry “酒馆” of “设定”"
    full.worldbooks.change_entries(worldbook(full), [1], {"content": "另一条"})
    full.worldbooks.change_entries(worldbook(full), [0], {"content": "回来"})
    full.worldbooks.change_entries(worldbook(full), [0], {"order": 7})
    assert len(full.history.steps()) == steps + 4, (
        "another entry, and what is not typed, are of their own"
    )
    for _ in range(4):
        full.history.undo()
    assert full.worldbooks.content(worldbook(full)) == was
    full.history.redo()
    full.worldbooks.change_entries(worldbook(full), [0], {"content": "字", "comment": "改道"})
    assert not any(step.is_undone for step in full.history.steps()), "what was undone is forgotten"


def test_typing_after_a_minute_is_another_step(tmp_path):
    now = [1_000]
    memory = Memory.open(tmp_path / "资料库", clock=lambda: now[0], environ={})
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json"))
    memory.worldbooks.change_entries(worldbook(memory), [0], {"content": "一"})
    now[0] += 60_001
    memory.worldbooks.change_entries(worldbook(memory), [0], {"content": "二"})
    assert len(memory.history.steps()) == 3
    memory.close()


def test_nothing_done_leaves_no_step(full):
    steps = len(full.history.steps())
    full.imports.import_file(CTX, full.folder_of_files / "设定.json")
    full.imports.import_file(CTX, full.card)
    full.worldbooks.set_global(worldbook(full), is_global=True)
    full.prompts.reset("summary", "zh")
    full.prompts.save(full.prompts.find("summary", "zh").template, ModelOverride())
    assert len(full.history.steps()) == steps


def test_a_script_that_a_run_switched_off_is_no_hindrance(full):
    scripts = table(full.session.library)
    key = {s.script.name: s.id for s in full.scripts.all()}["甲"]
    steps = len(full.history.steps())
    full.scripts.move("乙", -1)
    full.scripts.set_enabled("甲", enabled=False)
    full.scripts.set_enabled("甲", enabled=True)
    scripts.stop(key, "too slow")
    assert len(full.history.steps()) == steps + 3
    while full.history.steps()[-1].is_undone is False:
        full.history.undo()
    assert full.scripts.all() == []


def test_a_prompt_and_its_model_are_saved_in_one_step_and_reset(full):
    before = snapshot(full)
    save_prompt(full, override=ModelOverride(model="small"))
    full.prompts.reset("summary", "zh")
    assert labels(full)[:2] == [
        "Use the built-in prompt “Summaries” again",
        "Edit the prompt “Summaries”",
    ]
    full.history.undo()
    assert full.prompts.find("summary", "zh").is_own
    full.history.undo()
    assert snapshot(full) == before


def test_the_history_of_a_chat_and_of_the_library_are_apart(full):
    steps = full.history.steps(full.chat)
    full.worldbooks.delete(worldbook(full))
    assert full.history.steps(full.chat) == steps
    assert full.history.steps()[0].label == StepLabel(
        "Delete the world book “{name}”", {"name": "设定"}
    )


def test_edits_of_a_large_worldbook_stay_within_a_limit(memory, tmp_path):
    entries = {
        str(n): {"uid": n, "key": [f"词{n}"], "content": f"{n}号条目说的是" + chr(0x4E00 + n) * 300}
        for n in range(1000)
    }
    memory.imports.import_file(CTX, write_worldbook(tmp_path / "设定.json", entries))
    size = len(memory.worldbooks.content(worldbook(memory)))
    assert size > 900_000
    for n in range(20):
        memory.worldbooks.change_entries(worldbook(memory), [n], {"order": n + 7})
    held = sum(step.size for step in memory.history.steps())
    assert len(memory.history.steps()) == 21
    assert held < 21 * size
