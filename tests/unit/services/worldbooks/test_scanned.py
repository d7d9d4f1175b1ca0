"""What of a chat is scanned for worldbooks, and what each setting of a scan does."""

from __future__ import annotations

import json

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from tests.factories import write_chat

CTX = NullContext()
NOTES = {
    "note_prompt": "龙 {{user}}",
    "note_interval": 1,
    "script_injects": {
        "a": {"value": "钥匙", "scan": True},
        "b": {"value": "戒指", "scan": False},
        "c": {"value": "戒指", "scan": True, "filter": "{: :}"},
    },
}


@pytest.fixture
def chat(memory, tmp_path):
    rows = [("爱丽丝", "{{char}}在雨里。"), *[("旅人", f"第{n}句。") for n in range(1, 12)]]
    return memory.imports.import_file(CTX, write_chat(tmp_path / "故事.jsonl", rows)).chat_id


@pytest.fixture
def fired(memory, chat, tmp_path):
    """Take in a worldbook of entries with these keys and fields; say which of them fire."""

    def ask(*entries, **arguments):
        rows = {
            str(n): {"uid": n, "key": list(keys), "content": f"内容{n}", "selective": True} | fields
            for n, (keys, fields) in enumerate(entries)
        }
        file = tmp_path / f"书{len(memory.worldbooks.all())}.json"
        file.write_text(json.dumps({"entries": rows}), "utf-8")
        worldbook = memory.imports.import_file(CTX, file).name
        done = memory.worldbooks.activate(CTX, Line.main(chat), [worldbook], **arguments)
        return sorted(outcome.key[1] for outcome in done.fired)

    return ask


def key(*keys, **fields):
    return keys, fields


def header(memory, chat, **metadata):
    branches = memory.session.chat(chat).branches
    with memory.session.chat(chat).database.writing():
        branches.set_header("main", json.dumps({"chat_metadata": metadata}))


def script(memory, tmp_path, **fields):
    row: dict[str, object] = {
        "scriptName": "脚本",
        "findRegex": "/第11句/g",
        "replaceString": "月光",
    }
    row |= {"placement": [1], "promptOnly": True, "markdownOnly": False, **fields}
    file = tmp_path / f"regex-{len(list(tmp_path.iterdir()))}.json"
    file.write_text(json.dumps(row), "utf-8")
    memory.scripts.import_file(CTX, file)


def test_what_scripts_for_prompts_leave_is_scanned(memory, fired, tmp_path):
    assert fired(key("第11句"), key("月光")) == [0]
    script(memory, tmp_path, promptOnly=False)
    assert fired(key("第11句"), key("月光")) == [0], "that one changed messages when they came"
    script(memory, tmp_path)
    assert fired(key("第11句"), key("月光")) == [1]


def test_depth_of_scripts_and_of_the_scan_counts_visible_messages(memory, chat, fired, tmp_path):
    memory.messages.set_hidden(Line.main(chat), list(range(3, 11)), hidden=True)
    script(memory, tmp_path, findRegex="/第2句/", minDepth=1, maxDepth=1)
    assert fired(key("第2句"), key("月光"), key("第10句"), key("第1句", scanDepth=3)) == [1, 3]


def test_delay_counts_visible_messages(memory, chat, fired):
    entries = [key("第11句", delay=12), key("第11句", delay=4)]
    assert fired(*entries) == [0, 1]
    memory.messages.set_hidden(Line.main(chat), list(range(1, 9)), hidden=True)
    assert fired(*entries) == [1]


def test_the_greeting_is_scanned_with_names(memory, chat, fired):
    memory.settings.set("lore.include_names", False)
    assert fired(key("爱丽丝在雨里", scanDepth=20), key("{{char}}在雨里", scanDepth=20)) == [0, 1]


def test_notes_are_scanned_where_the_settings_say_so(memory, chat, fired):
    header(memory, chat, **NOTES)
    entries = [key("龙 旅人"), key("钥匙"), key("戒指")]
    assert fired(*entries) == [1], "an injection says itself whether it is scanned"
    memory.settings.set("lore.scan_notes", True)
    assert fired(*entries) == [0, 1]
    header(memory, chat, **NOTES | {"note_interval": 4})
    assert fired(*entries) == [1], "its turn has not come: there are 11 messages of the player's"
    assert fired(*entries, at=8) == [0, 1], "the eighth was a fourth"
    header(memory, chat, **NOTES | {"note_interval": 0})
    assert fired(*entries) == [1]


def test_a_summary_is_scanned_where_the_settings_say_so(memory, fired, chat):
    store = memory.session.chat(chat)
    first = store.messages.raws("main", 0, 0)[0]
    raw = json.dumps(json.loads(first[2]) | {"extra": {"memory": "龙睡着了"}})
    with store.database.writing():
        store.messages.note_raws([(first[0], first[1], raw)])
    assert fired(key("龙睡着了]")) == []
    memory.settings.set("lore.scan_summary", True)
    assert fired(key("[Summary: 龙睡着了]"), key("龙睡着了]", scanDepth=0)) == [0]


def test_the_players_text_is_scanned_where_it_stands_among_the_messages(memory, chat, fired):
    memory.settings.set("persona.text", "{{user}}骑着龙", chat_id=chat)
    assert fired(key("旅人骑着龙")) == []
    memory.settings.set("persona.scanned", True, chat_id=chat)
    assert fired(key("旅人骑着龙")) == [0]


def test_entries_mention_others_only_where_that_is_set(memory, fired):
    entries = [key("第11句", content="猫"), key("猫", content="雨"), key("雨")]
    assert fired(*entries) == [0]
    memory.settings.set("lore.recursive", True)
    assert fired(*entries) == [0, 1, 2]
    memory.settings.set("lore.max_steps", 2)
    assert fired(*entries) == [0, 1]


def test_capitals_and_whole_words_are_settings(memory, chat, fired):
    memory.messages.append(Line.main(chat), "user", "旅人", "The Ringmaster came.")
    entries = [key("ringmaster"), key("Ring"), key("Ringmaster")]
    assert fired(*entries) == [0, 1, 2]
    memory.settings.set("lore.case_sensitive", True)
    assert fired(*entries) == [1, 2]
    memory.settings.set("lore.whole_words", True)
    assert fired(*entries) == [2]
    memory.settings.set("lore.case_sensitive", False)
    assert fired(*entries) == [0, 2]


def test_most_keywords_win_a_group_where_that_is_set(memory, fired):
    entries = [key("第11句", group="组", groupWeight=1000), key("第11句", "第10句", group="组")]
    entries[0][1]["groupOverride"] = True
    assert fired(*entries) == [0]
    memory.settings.set("lore.group_scoring", True)
    assert fired(*entries) == [1]


def test_what_stays_is_found_beyond_hidden_messages(memory, tmp_path):
    rows = [("旅人", "龙来了。"), ("爱丽丝", "嗯。")]
    rows += [("旅人" if n % 2 else "爱丽丝", f"闲话{n}。") for n in range(100)]
    file = write_chat(tmp_path / "长.jsonl", [*rows, ("旅人", "好。")])
    chat = memory.imports.import_file(CTX, file).chat_id
    entries = {"0": {"uid": 0, "key": ["龙"], "content": "x", "sticky": 4}}
    (tmp_path / "龙.json").write_text(json.dumps({"entries": entries}), "utf-8")
    worldbook = memory.imports.import_file(CTX, tmp_path / "龙.json").name
    assert not memory.worldbooks.activate(CTX, Line.main(chat), [worldbook]).fired
    memory.messages.set_hidden(Line.main(chat), list(range(2, 102)), hidden=True)
    memory.settings.set("lore.depth", 1)
    (outcome,) = memory.worldbooks.activate(CTX, Line.main(chat), [worldbook]).outcomes
    assert outcome.reason.why == "sticky"


@pytest.mark.parametrize(("back", "stays"), [(78, True), (100, False)])
def test_what_stays_is_looked_for_in_the_last_forty_replies(memory, tmp_path, back, stays):
    rows = [("旅人" if n % 2 == 0 else "爱丽丝", f"闲话{n}。") for n in range(140)]
    rows[140 - back] = ("旅人", "龙来了。")
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "长.jsonl", rows)).chat_id
    entries = {"0": {"uid": 0, "key": ["龙"], "content": "x", "sticky": 400}}
    (tmp_path / "龙.json").write_text(json.dumps({"entries": entries}), "utf-8")
    book = memory.imports.import_file(CTX, tmp_path / "龙.json").name
    assert bool(memory.worldbooks.activate(CTX, Line.main(chat), [book]).fired) is stays
