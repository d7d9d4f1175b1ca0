"""Tags and variables of a SillyTavern user, and kept worldbooks merged."""

from __future__ import annotations

import json
import os

import pytest

from engram_desktop.domain.errors import Conflict
from engram_desktop.domain.memory.event import EventPatch, SourceRange
from engram_desktop.domain.memory.extraction import ExtractedEntity, ExtractedRelation
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.tavern.folder import CharacterNote, TavernChoice, TavernWorldbooks
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.characters import user_of
from tests.factories import import_chat, make_extraction, story_rows
from tests.stored import stored_summaries
from tests.tavern import TavernChatFile, card_png, make_tavern

# Tags and variables of all chats are SillyTavern's: taken along with a folder, kept up to date.

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


def test_entries_are_filtered_by_ids_of_tags_and_told_by_their_names(memory, chat):
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


def test_nothing_else_of_the_settings_is_kept(chat, tmp_path):
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


# What was changed in a kept worldbook is merged with the memory, entry by entry.


@pytest.fixture
def merged_chat(memory, tmp_path):
    return import_chat(memory, tmp_path / "故事.jsonl", story_rows(40))


@pytest.fixture
def events(memory, merged_chat):
    return [add(memory, merged_chat, start) for start in (0, 10, 20)]


@pytest.fixture
def kept(memory, merged_chat, events, tmp_path):
    file = tmp_path / "[Engram] 爱丽丝.json"
    memory.kept.keep(CTX, Line.main(merged_chat), file)
    return file


def add(memory, chat, start):
    data = make_extraction(f"第{start}楼起的事。", keywords=(f"词{start}",))
    return memory.events.add(Line.main(chat), data, SourceRange(start, start + 9))[0]


def change(file, act):
    """Change the file as SillyTavern saves it: with the fields that it adds."""
    worldbook = json.loads(file.read_text("utf-8"))
    for row in worldbook["entries"].values():
        row.setdefault("characterFilter", {"isExclude": False, "names": [], "tags": []})
    act(worldbook["entries"])
    file.write_text(json.dumps(worldbook, ensure_ascii=False, indent=4), "utf-8")


def number(pk):
    return str(2 * pk + 1)


def test_an_older_copy_that_was_saved_again_is_no_question(memory, merged_chat, events, kept):
    old = kept.read_bytes()
    memory.events.update(merged_chat, events[0], EventPatch(summary="爱丽丝换了锁。"))
    memory.kept.sync(CTX)
    kept.write_bytes(old)
    change(kept, lambda entries: None)
    (report,) = memory.kept.sync(CTX)
    assert report.worldbook.fault == "changed"
    plan = memory.tavern.plan_merge(CTX, kept)
    assert plan.entries == ()
    merged = memory.tavern.merge_worldbook(CTX, plan, {})
    assert (merged.taken, merged.worldbook.fault) == (0, "")
    assert "爱丽丝换了锁。" in kept.read_text("utf-8")


def test_what_was_written_added_and_removed_there_is_taken_and_undone_at_once(
    memory, merged_chat, events, kept
):
    first, second, third = events

    def act(entries):
        row = entries[number(first)]
        row["content"] = row["content"].replace("第0楼起的事。", "门后有一条路。")
        del entries[number(third)]
        entries["900"] = dict(row, uid=900, comment="灯塔", content="灯塔每夜亮着。", key=["灯塔"])

    change(kept, act)
    plan = memory.tavern.plan_merge(CTX, kept)
    told = {e.uid: (e.happened, e.suggested, e.is_both) for e in plan.entries}
    assert told == {
        int(number(first)): ("edited", "there", False),
        int(number(third)): ("removed", "there", False),
        900: ("added", "there", False),
    }
    before = stored_summaries(memory, merged_chat)
    report = memory.tavern.merge_worldbook(CTX, plan, {})
    assert (report.taken, report.left, report.worldbook.fault) == (3, 0, "")
    assert stored_summaries(memory, merged_chat) == [
        "门后有一条路。",
        "第10楼起的事。",
        "灯塔每夜亮着。",
    ]
    edited = memory.events.fetch(merged_chat, [first])[first]
    assert (edited.confidence, edited.raw_data.timestamp) == ("confirmed", "第42天 深夜")
    (synced,) = memory.kept.sync(CTX)
    assert (synced.worldbook.fault, synced.is_written) == ("", False)
    memory.history.undo(merged_chat)
    assert stored_summaries(memory, merged_chat) == before
    assert second in events


def test_where_both_changed_an_entry_either_side_may_be_kept(memory, merged_chat, events, kept):
    def act(entries):
        for pk in events[:2]:
            row = entries[number(pk)]
            row["content"] = row["content"].replace("起的事", "起的大事")

    change(kept, act)
    memory.events.update(merged_chat, events[0], EventPatch(summary="这里改过。"))
    plan = memory.tavern.plan_merge(CTX, kept)
    assert [(e.uid, e.is_both) for e in plan.entries] == [
        (int(number(events[0])), True),
        (int(number(events[1])), False),
    ]
    here, there = plan.entries[0].here, plan.entries[0].there
    assert "这里改过。" in here.content
    assert "起的大事" in there.content
    report = memory.tavern.merge_worldbook(CTX, plan, {plan.entries[0].uid: "here"})
    assert (report.taken, report.left) == (1, 1)
    assert stored_summaries(memory, merged_chat)[:2] == ["这里改过。", "第10楼起的大事。"]


def test_a_file_that_changed_since_it_was_compared_is_not_written(
    memory, merged_chat, events, kept
):
    change(kept, lambda entries: entries.pop(number(events[0])))
    plan = memory.tavern.plan_merge(CTX, kept)
    change(kept, lambda entries: entries.pop(number(events[1])))
    text = kept.read_bytes()
    before = stored_summaries(memory, merged_chat)
    with pytest.raises(Conflict):
        memory.tavern.merge_worldbook(CTX, plan, {})
    assert kept.read_bytes() == text
    assert stored_summaries(memory, merged_chat) == before


def test_a_file_without_marks_shows_every_difference(memory, events, kept):
    worldbook = json.loads(kept.read_text("utf-8"))
    del worldbook["extensions"]
    del worldbook["entries"][number(events[1])]
    kept.write_text(json.dumps(worldbook, ensure_ascii=False), "utf-8")
    plan = memory.tavern.plan_merge(CTX, kept)
    assert [(e.uid, e.happened, e.suggested) for e in plan.entries] == [
        (int(number(events[1])), "removed", "here")
    ]


def test_what_a_memory_cannot_hold_is_named(memory, events, kept):
    change(kept, lambda entries: entries[number(events[0])].update(order=5, disable=True))
    (entry,) = memory.tavern.plan_merge(CTX, kept).entries
    assert set(entry.only_there) == {"order", "is_disabled"}


def test_keys_and_a_lamp_that_were_changed_there_are_taken(memory, merged_chat, events, kept):
    memory.events.set_archived(CTX, merged_chat, [events[0]], archived=True)
    memory.kept.sync(CTX)
    change(kept, lambda entries: entries[number(events[0])].update(key=["剧情摘要", "船"]))
    memory.tavern.merge_worldbook(CTX, memory.tavern.plan_merge(CTX, kept), {})
    assert memory.events.fetch(merged_chat, events)[events[0]].keywords == ("船",)
    change(kept, lambda entries: entries[number(events[0])].update(constant=True))
    memory.tavern.merge_worldbook(CTX, memory.tavern.plan_merge(CTX, kept), {})
    assert not memory.events.fetch(merged_chat, events)[events[0]].is_archived


def test_what_is_known_of_an_entity_is_taken_as_its_profile(memory, merged_chat, kept):
    place = ExtractedEntity("旧灯塔", "loc")
    relation = ExtractedRelation("爱丽丝", "抵达", "旧灯塔")
    data = make_extraction("爱丽丝抵达旧灯塔。", entities=(place,), relations=(relation,))
    pk, _changes = memory.events.add(Line.main(merged_chat), data, SourceRange(30, 39))
    memory.events.set_archived(CTX, merged_chat, [pk], archived=True)
    memory.kept.sync(CTX)

    def act(entries):
        row = next(r for r in entries.values() if r["comment"] == "实体_旧灯塔")
        row["content"] += "\n高度: 三十米"

    change(kept, act)
    memory.tavern.merge_worldbook(CTX, memory.tavern.plan_merge(CTX, kept), {})
    (entity,) = [
        e for e in memory.graph.find_entities(Line.main(merged_chat)) if e.name == "旧灯塔"
    ]
    assert entity.profile == {"高度": "三十米"}
    (synced,) = memory.kept.sync(CTX)
    assert not synced.worldbook.fault
    assert "高度: 三十米" in kept.read_text("utf-8")
