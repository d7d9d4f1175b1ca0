"""Tags and variables of all chats are SillyTavern's: taken along with a folder, kept up to date."""

from __future__ import annotations

import json
import os

import pytest

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.tavern.folder import CharacterNote, TavernChoice, TavernWorldbooks
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.characters import user_of
from tests.tavern import TavernChatFile, card_png, make_tavern

CTX = NullContext()


def card(name, *tags):
    fields = {"name": name, "description": "酒馆的店主。", "first_mes": "欢迎。", "tags": tags}
    return card_png({"spec": "chara_card_v2", "spec_version": "2.0", "data": fields})


class Folder:
    """A folder with a chat, its character, a worldbook with filters, and settings."""

    def __init__(self, root):
        self.folder = root
        self.handle = make_tavern(root)
        (self.handle / "characters" / "爱丽丝.png").write_bytes(card("爱丽丝", "卡上的"))
        self.chat = TavernChatFile(self.handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl")
        self.chat.say("欢迎光临月光酒馆。")
        rows = [["id-1"], ["id-2"], ["卡上的"]]
        entries = {
            str(n): {
                "uid": n,
                "key": ["酒馆"],
                "content": "{{getglobalvar::天气}}{{setglobalvar::天气::雪}}",
                "characterFilter": {"isExclude": False, "names": [], "tags": tags},
            }
            for n, tags in enumerate(rows)
        }
        worldbook = self.handle / "worlds" / "书.json"
        worldbook.write_text(json.dumps({"entries": entries}), "utf-8")
        self.settings = {
            "tags": [{"id": "id-1", "name": "奇幻"}, {"id": "id-2", "name": "悬疑"}, 5, {"id": 1}],
            "tag_map": {"爱丽丝.png": ["id-1", 7], "1700000000000": ["id-2"], "坏": "id-1"},
            "extension_settings": {
                "variables": {"global": {"天气": "雨", "金币": 3, "表": [1], "无": None}}
            },
            "oai_settings": {"proxy_password": "sk-canary"},
        }
        self.saves = 0
        self.save()

    def save(self, text=None):
        path = self.handle / "settings.json"
        path.write_text(text or json.dumps(self.settings, ensure_ascii=False), "utf-8")
        self.saves += 1
        stamp = 1_700_000_000_000_000_000 + self.saves * 1_000_000_000
        os.utime(path, ns=(stamp, stamp))


@pytest.fixture
def tavern(tmp_path):
    return Folder(tmp_path / "SillyTavern")


@pytest.fixture
def chat(memory, tavern):
    return take(memory, tavern)


def unexpected(file, error):
    raise AssertionError(f"{file}: {error}")


def looked(memory, tavern):
    """Look at what is followed; return what changed because of the settings."""
    _reports, along = memory.tavern.following(tavern.folder, "followed").look_through(CTX)
    return along[0]


def take(memory, tavern):
    found = memory.tavern.list_folder(CTX, tavern.folder)
    keys = found.keys(("chats", "cards", "books"))
    memory.tavern.take(CTX, found, TavernChoice(keys, follow=True), lambda _: None, unexpected)
    return memory.chats.all()[0].chat_id


def told(memory, chat):
    found = memory.worldbooks.activate(CTX, Line.main(chat), ["书"])
    return {o.key[1]: (o.has_fired, str(o.reason.phrase)) for o in found.outcomes}


def test_entries_are_filtered_by_ids_of_tags_and_told_by_their_names(memory, tavern, chat):
    said = told(memory, chat)
    assert [said[n][0] for n in range(3)] == [True, False, True]
    assert said[1][1] == "It is only for characters with another tag: 悬疑."
    assert memory.characters.tag_names(chat) == {"id-1": "奇幻", "id-2": "悬疑"}


@pytest.mark.logs("The settings of")
def test_tags_follow_the_settings_and_broken_settings_change_nothing(memory, tavern, chat):
    tavern.settings["tag_map"]["爱丽丝.png"] = ["id-2"]
    tavern.settings["tags"][1]["name"] = "推理"
    tavern.save()
    assert looked(memory, tavern).worldbooks
    assert [fired for fired, _why in told(memory, chat).values()] == [False, True, True]
    assert memory.characters.tag_names()["id-2"] == "推理"
    tavern.save("{ half")
    assert not looked(memory, tavern).worldbooks
    assert memory.characters.tag_names()["id-2"] == "推理"
    tavern.settings["chat_width"] = 50  # what nobody here asks for
    tavern.save()
    assert not looked(memory, tavern).worldbooks


def test_watching_keeps_them_up_to_date(memory, tavern, chat):
    del tavern.settings["tag_map"]["爱丽丝.png"][0]
    tavern.save()
    list(memory.tavern.catch_up(CTX, tavern.folder))
    assert not told(memory, chat)[0][0]


def test_each_user_has_tags_of_their_own(memory, tavern, chat):
    other = tavern.handle.parent / "second"
    second = TavernChatFile(other / "chats" / "爱丽丝" / "爱丽丝 - 2.jsonl")
    second.say("又见面了，酒馆里。")
    (other / "settings.json").write_text(
        json.dumps({"tags": [{"id": "id-1", "name": "别的"}], "tag_map": {"爱丽丝.png": []}}),
        "utf-8",
    )
    take(memory, tavern)
    ids = {row.name: row.chat_id for row in memory.chats.all()}
    assert memory.characters.tag_names(ids["爱丽丝 - 2"])["id-1"] == "别的"
    assert memory.characters.tag_names(ids["爱丽丝 - 1"])["id-1"] == "奇幻"
    assert not told(memory, ids["爱丽丝 - 2"])[0][0]
    assert told(memory, ids["爱丽丝 - 1"])[0][0]


def test_variables_of_all_chats_are_read_and_set_for_one_request_only(memory, tavern, chat):
    found = memory.worldbooks.activate(CTX, Line.main(chat), ["书"])
    assert [o.entry.content for o in found.fired] == ["雨", "雨"]
    tavern.settings["extension_settings"]["variables"]["global"]["天气"] = "晴"
    tavern.save()
    assert looked(memory, tavern).worldbooks
    found = memory.worldbooks.activate(CTX, Line.main(chat), ["书"])
    assert {o.entry.content for o in found.fired} == {"晴"}


def test_nothing_else_of_the_settings_is_kept(memory, tavern, chat, tmp_path):
    for file in (tmp_path / "资料库").rglob("*"):
        if file.is_file():
            assert b"sk-canary" not in file.read_bytes()


def test_in_a_group_the_filter_is_of_who_replies(memory, tmp_path):
    root = tmp_path / "Group"
    handle = make_tavern(root)
    for name in ("爱丽丝", "白兔"):
        (handle / "characters" / f"{name}.png").write_bytes(card(name))
    group = TavernChatFile(handle / "group chats" / "1.jsonl")
    group.group = ("爱丽丝", "白兔")
    group.say("月光酒馆到了。", "进去吧。", "好。", "谁先？", "我先。", "走。")
    rules = {"isExclude": False, "names": ["白兔"], "tags": []}
    entries = {"0": {"uid": 0, "key": [], "constant": True, "content": "x"}}
    entries["0"]["characterFilter"] = rules
    (handle / "worlds" / "书.json").write_text(json.dumps({"entries": entries}), "utf-8")
    tavern = type("Tavern", (), {"folder": root})
    chat = take(memory, tavern)
    speakers = {
        n: m.name
        for n, m in enumerate(memory.messages.slice(Line.main(chat), 0, 99))
        if m.role == "assistant"
    }
    assert set(speakers.values()) == {"爱丽丝", "白兔"}
    for floor, name in speakers.items():
        found = memory.worldbooks.activate(CTX, Line.main(chat), ["书"], at=floor - 1)
        assert found.outcomes[0].has_fired == (name == "白兔")


def test_worldbooks_are_scanned_as_in_sillytavern_until_the_user_says_otherwise(memory, tavern):
    def say(**rules):
        tavern.settings |= {"main_api": "openai", "max_context": 4096}
        tavern.settings["oai_settings"] = {"openai_max_context": 64_000}
        tavern.settings["world_info_settings"] = rules
        tavern.save()
        return looked(memory, tavern)

    memory.settings.set("lore.budget", 40)
    take(memory, tavern)
    assert say(world_info_depth=2).settings
    assert memory.settings.read().lore_context == 64_000
    said = {
        "world_info_depth": 5,
        "world_info_recursive": True,
        "world_info_budget": 30,  # the user said 40 here
        "world_info_character_strategy": 0,
        "world_info_case_sensitive": "yes",  # not a value of its kind
        "world_info_max_recursion_steps": 10**30,  # more than means anything
    }
    assert say(**said).settings
    now = memory.settings.read()
    assert (now.lore_depth, now.lore_recursive, now.lore_budget) == (5, True, 40)
    assert (now.lore_strategy, now.lore_case_sensitive, now.lore_max_steps) == ("evenly", False, 0)
    memory.settings.set("lore.depth", 9)
    assert say(**said | {"world_info_depth": 7, "world_info_recursive": False}).settings
    now = memory.settings.read()
    assert (now.lore_depth, now.lore_recursive) == (9, False)
    memory.settings.set("tavern.scan", False)
    assert not say(**said).settings
    assert not memory.settings.read().lore_recursive


def test_rules_of_years_ago_stand_one_level_higher(memory, tavern):
    tavern.settings |= {"world_info_depth": 6, "max_context": 4096, "main_api": "kobold"}
    tavern.save()
    take(memory, tavern)
    now = memory.settings.read()
    assert (now.lore_depth, now.lore_context) == (6, 4096)


def test_what_is_scanned_beside_the_chat_is_read_with_the_settings(memory, tavern, chat):
    tavern.settings["extension_settings"] |= {
        "vectors": {"enabled_world_info": True, "max_entries": 7, "query": 4},
        "note": {
            "allowWIScan": True,
            "default": "平常的笔记",
            "defaultInterval": 3,
            "chara": [
                {"name": "爱丽丝", "prompt": "角色笔记", "useChara": True, "position": 2},
                {"name": "白兔", "prompt": "关着", "useChara": False},
            ],
        },
        "memory": {"scan": True, "template": "前情：{{summary}}"},
    }
    tavern.settings["world_info_settings"] = {
        "world_info_budget": 2048,
        "world_info": {"globalSelect": ["甲", "乙"]},
    }
    tavern.settings |= {"main_api": "openai"}
    tavern.settings["oai_settings"] = {"openai_max_context": 64_000, "openai_max_tokens": 4_000}
    tavern.save()
    assert looked(memory, tavern).settings
    now = memory.settings.read(chat)
    assert (now.lore_meaning, now.lore_meaning_entries, now.lore_meaning_messages) == (True, 7, 4)
    assert (now.lore_scan_notes, now.lore_scan_summary) == (True, True)
    assert (now.lore_context, now.lore_budget) == (60_000, 25), "an old budget counted tokens"
    lore = user_of(memory.session.library, chat).lore
    assert lore == TavernWorldbooks(
        ("甲", "乙"),
        "平常的笔记",
        3,
        {"爱丽丝": CharacterNote("角色笔记", "after")},
        "前情：{{summary}}",
    )
    tavern.settings["extension_settings"]["disabledExtensions"] = ["vectors"]
    tavern.save()
    assert looked(memory, tavern).settings
    assert memory.settings.read(chat).lore_meaning is False


def test_of_equals_the_worldbook_that_was_chosen_first_for_every_chat_goes_first(memory, tavern):
    entries = {"0": {"uid": 0, "key": [], "constant": True, "content": "字" * 10}}
    for name in ("甲", "乙"):
        path = tavern.handle / "worlds" / f"{name}.json"
        path.write_text(json.dumps({"entries": entries}), "utf-8")
    for first, second in (("甲", "乙"), ("乙", "甲")):
        tavern.settings["world_info_settings"] = {
            "world_info": {"globalSelect": [first, second]},
            "world_info_budget_cap": 15,
        }
        tavern.save()
        chat = take(memory, tavern)
        found = memory.worldbooks.activate(CTX, Line.main(chat))
        assert [o.key[0] for o in found.fired] == [first]


def test_in_a_group_worldbooks_are_of_who_replies(memory, tmp_path):
    root = tmp_path / "Group"
    handle = make_tavern(root)
    for name in ("爱丽丝", "白兔"):
        rows = [{"keys": [], "constant": True, "insertion_order": 1, "content": name}]
        worldbook = {"name": f"{name}的书", "entries": rows}
        data = {"name": name, "description": "", "first_mes": "x", "character_book": worldbook}
        spec = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
        (handle / "characters" / f"{name}.png").write_bytes(card_png(spec))
    group = TavernChatFile(handle / "group chats" / "1.jsonl")
    group.group = ("爱丽丝", "白兔")
    group.say("到了。", "进去吧。", "好。", "谁先？", "我先。", "走。")
    chat = take(memory, type("Tavern", (), {"folder": root}))
    assert len(memory.worldbooks.of_chat(Line.main(chat))) == 2
    for floor, message in enumerate(memory.messages.slice(Line.main(chat), 0, 99)):
        if message.role == "assistant":
            found = memory.worldbooks.activate(CTX, Line.main(chat), at=floor - 1)
            assert [o.entry.content for o in found.fired] == [message.name]


def test_a_persona_among_the_messages_is_scanned(memory, tavern):
    tavern.settings["power_user"] = {
        "personas": {"user.png": "旅人"},
        "default_persona": "user.png",
        "persona_descriptions": {"user.png": {"description": "龙的朋友", "position": 4}},
    }
    tavern.save()
    chat = take(memory, tavern)
    assert memory.settings.read(chat).persona_scanned
