"""Worldbooks held against a chat."""

from __future__ import annotations

import json

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import Cancelled, NullContext
from engram_desktop.services.characters import note_users
from engram_desktop.services.worldbooks.stored import Bindings, ranked
from tests.cards import V2
from tests.factories import import_chat, story_rows
from tests.oracle import worldinfo
from tests.oracle.report import recorded

# Worldbooks held against a chat, with the real messages, cards and JavaScript.

CTX = NullContext()


def entry(*keys, **fields):
    return {"key": list(keys), "content": "正文", **fields}


@pytest.fixture
def chat(memory, tmp_path):
    rows = [*story_rows(20), ("旅人", "我在找月光酒馆的 cellar。")]
    return import_chat(memory, tmp_path / "故事.jsonl", rows)


def store(memory, tmp_path, *entries, name="书"):
    file = tmp_path / f"{name}.json"
    rows = {str(n): {"uid": n, **row} for n, row in enumerate(entries)}
    file.write_text(json.dumps({"entries": rows}), "utf-8")
    return memory.imports.import_file(CTX, file).name


def whys(found):
    return {outcome.key[1]: outcome.reason.why for outcome in found.outcomes}


def reasons(memory, chat, worldbook, **how):
    """Why each entry is put in, or left out."""
    return whys(memory.worldbooks.activate(CTX, Line.main(chat), [worldbook], **how))


def names_of(memory, chat):
    return [row.name for row in memory.worldbooks.of_chat(Line.main(chat))]


def test_entries_are_held_against_the_last_messages_and_patterns_are_javascript(
    memory, chat, tmp_path
):
    worldbook = store(
        memory,
        tmp_path,
        entry("酒馆"),
        entry("{{user}}"),
        entry("/(?<place>CELL)ar/i"),
        entry("/(/"),
        entry("第3天"),
        entry("第3天", scanDepth=100),
    )
    found = memory.worldbooks.activate(CTX, Line.main(chat), [worldbook])
    assert whys(found) == {0: "key", 1: "key", 2: "key", 3: "pattern", 4: "no_mention", 5: "key"}
    assert reasons(memory, chat, worldbook, at=4)[4] == "key"
    with pytest.raises(NotFound):
        memory.worldbooks.activate(CTX, Line.main(chat), ["没有这本"])


def test_settings_and_hidden_messages_count(memory, chat, tmp_path):
    worldbook = store(memory, tmp_path, entry("cellar"), entry("第3天", order=50))
    memory.settings.set("lore.depth", 1_000_000)
    assert reasons(memory, chat, worldbook) == {0: "key", 1: "key"}
    memory.messages.set_hidden(Line.main(chat), [20], hidden=True)
    assert reasons(memory, chat, worldbook) == {0: "no_mention", 1: "key"}
    memory.settings.set("lore.cap", 1)
    assert reasons(memory, chat, worldbook)[1] == "budget"


def test_an_entry_may_look_through_who_the_player_is(memory, chat, tmp_path):
    worldbook = store(memory, tmp_path, entry("游侠", matchPersonaDescription=True), entry("游侠 "))
    assert reasons(memory, chat, worldbook) == {0: "no_mention", 1: "no_mention"}
    memory.settings.set("persona.text", "一位流浪的游侠", chat_id=chat)
    assert reasons(memory, chat, worldbook) == {0: "key", 1: "no_mention"}


def test_what_fired_before_stays_and_then_rests(memory, chat, tmp_path):
    worldbook = store(memory, tmp_path, entry("第13天", sticky=3, cooldown=4))
    seen = [reasons(memory, chat, worldbook, at=at)[0] for at in range(12, 21)]
    assert seen == ["no_mention", "key", *["sticky"] * 2, *["cooldown"] * 5]


def test_what_the_front_end_says_stays_and_rests_counts(memory, tmp_path):
    held = {
        "sticky": {"书.0": {"hash": 1, "start": 18, "end": 24, "protected": False}, "书.9": "x"},
        "cooldown": {"书.1": {"hash": 2, "start": 15, "end": 22, "protected": True}},
    }
    rows = [{"name": "爱丽丝", "is_user": n % 2 == 0, "mes": f"第{n}天"} for n in range(20)]
    header = {"chat_metadata": {"timedWorldInfo": held}, "user_name": "unused"}
    file = tmp_path / "计时.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in [header, *rows]), "utf-8")
    chat = memory.imports.import_file(CTX, file).chat_id
    worldbook = store(
        memory,
        tmp_path,
        entry("没有的词", sticky=6),
        entry("第19天", cooldown=7),
        entry("第19天", sticky=2),
    )
    assert reasons(memory, chat, worldbook) == {0: "sticky", 1: "cooldown", 2: "key"}
    assert reasons(memory, chat, worldbook, at=10)[0] == "no_mention"


def test_vectorized_entries_fire_by_meaning(memory, chat, tmp_path):
    same = entry(content="旅人: 我在找月光酒馆的 cellar。", vectorized=True)
    plain = entry(content="旅人: 我在找月光酒馆的 cellar！")
    worldbook = store(memory, tmp_path, same, entry(content="zzz qqq", vectorized=True), plain)
    memory.settings.set("lore.depth", 1)
    off = memory.worldbooks.activate(CTX, Line.main(chat), [worldbook])
    assert whys(off) == {0: "meaning_off", 1: "meaning_off", 2: "no_key"}
    assert "Vector Storage" in off.outcomes[0].reason.phrase
    memory.settings.set("lore.meaning", True)
    found = memory.worldbooks.activate(CTX, Line.main(chat), [worldbook])
    assert whys(found)[0] == "meaning"
    assert whys(found)[2] == "no_key"
    assert found.outcomes[0].reason.params["score"] > 0.3
    memory.settings.set("lore.meaning_all", True)
    assert reasons(memory, chat, worldbook)[2] == "meaning"
    memory.settings.set("lore.meaning_entries", 1)
    few = memory.worldbooks.activate(CTX, Line.main(chat), [worldbook])
    assert list(whys(few).values()).count("meaning") == 1


def test_worldbooks_for_every_chat_and_of_who_speaks_are_on(memory, chat, tmp_path):
    card = tmp_path / "爱丽丝.json"
    card.write_text(json.dumps(V2), "utf-8")
    memory.imports.import_file(CTX, card)
    store(memory, tmp_path, entry("x"), name="别的")
    assert names_of(memory, chat) == ["爱丽丝's Lorebook"]
    memory.worldbooks.set_global("别的", is_global=True)
    assert set(names_of(memory, chat)) == {"别的", "爱丽丝's Lorebook"}
    found = memory.worldbooks.activate(CTX, Line.main(chat))
    assert {outcome.key[0] for outcome in found.fired} == {"爱丽丝's Lorebook"}
    filtered = entry("酒馆", characterFilter={"names": ["爱丽丝"], "tags": [], "isExclude": True})
    worldbook = store(memory, tmp_path, filtered, name="排除")
    assert reasons(memory, chat, worldbook) == {0: "character"}


def test_an_empty_chat_or_no_worldbook_gives_an_empty_answer(memory, chat):
    found = memory.worldbooks.activate(CTX, Line.main(chat))
    assert (found.outcomes, found.tokens) == ((), 0)


def header(memory, chat, **metadata):
    raw = json.dumps({"chat_metadata": metadata}, ensure_ascii=False)
    branches = memory.session.chat(chat).branches
    with memory.session.chat(chat).database.writing():
        branches.set_header("main", raw)


def test_the_worldbook_of_the_chat_and_of_the_player_are_on(memory, chat, tmp_path):
    names = [
        store(memory, tmp_path, entry(name), name=name) for name in ("聊天书", "玩家书", "无关")
    ]
    assert memory.worldbooks.of_chat(Line.main(chat)) == []
    header(memory, chat, world_info="聊天书")
    memory.settings.set("persona.book", "玩家书", chat_id=chat)
    assert names_of(memory, chat) == sorted(names[:2])
    branch, _changes = memory.branches.fork(Line.main(chat), at=5, name="另一条路")
    assert len(memory.worldbooks.of_chat(Line(chat, branch))) == 2, "a branch here is a copy there"
    assert memory.worldbooks.missing(Line.main(chat)) == []
    header(memory, chat, world_info="没有导入")
    assert memory.worldbooks.missing(Line.main(chat)) == ["没有导入"]
    assert names_of(memory, chat) == ["玩家书"]
    header(memory, chat, world_info=None)
    assert memory.worldbooks.missing(Line.main(chat)) == []
    header(memory, chat, world_info="[Engram] 爱丽丝")
    assert memory.worldbooks.missing(Line.main(chat)) == [], "that is the memory of this chat"
    memory.kept.keep(CTX, Line.main(chat), tmp_path / "回忆.json")
    header(memory, chat, world_info="回忆")
    assert memory.worldbooks.missing(Line.main(chat)) == []
    memory.worldbooks.set_in_chat("无关", chat, is_on=True)
    memory.worldbooks.set_in_chat("无关", chat, is_on=True)
    assert set(names_of(memory, chat)) == {"无关", "玩家书"}
    memory.worldbooks.set_in_chat("无关", chat, is_on=False)
    assert names_of(memory, chat) == ["玩家书"]
    with pytest.raises(NotFound):
        memory.worldbooks.set_in_chat("无关", "no chat", is_on=True)


@pytest.mark.parametrize(
    ("strategy", "fired"), [("evenly", "全局"), ("global", "全局"), ("character", "角色")]
)
def test_which_worldbooks_go_first_is_a_setting(memory, chat, tmp_path, strategy, fired):
    rows = [{"keys": [], "constant": True, "insertion_order": 1, "content": "字" * 10}]
    data = V2["data"] | {"character_book": {"name": "角色", "entries": rows}}
    (tmp_path / "爱丽丝.json").write_text(json.dumps(V2 | {"data": data}), "utf-8")
    memory.imports.import_file(CTX, tmp_path / "爱丽丝.json")
    store(memory, tmp_path, entry(constant=True, order=9, content="字" * 10), name="全局")
    memory.worldbooks.set_global("全局", is_global=True)
    store(memory, tmp_path, entry(constant=True, order=0, content="字" * 10), name="聊天书")
    memory.settings.set("lore.strategy", strategy)
    memory.settings.set("lore.cap", 15)
    assert [o.key[0] for o in memory.worldbooks.activate(CTX, Line.main(chat)).fired] == [fired]
    header(memory, chat, world_info="聊天书")
    assert [o.key[0] for o in memory.worldbooks.activate(CTX, Line.main(chat)).fired] == ["聊天书"]


def test_names_are_scanned_unless_they_are_not_to_be(memory, chat, tmp_path):
    worldbook = store(memory, tmp_path, entry("旅人: 我在"), entry("旅人", triggers=["swipe"]))
    assert reasons(memory, chat, worldbook) == {0: "key", 1: "trigger"}
    assert reasons(memory, chat, worldbook, trigger="swipe")[1] == "key"
    memory.settings.set("lore.include_names", value=False)
    assert reasons(memory, chat, worldbook)[0] == "no_mention"


def test_more_messages_are_read_up_to_a_depth_and_not_with_a_limit_of_rounds(
    memory, chat, tmp_path
):
    worldbook = store(memory, tmp_path, entry("第3天"))
    memory.settings.set("lore.min_activations", 1)
    assert reasons(memory, chat, worldbook)[0] == "key"
    memory.settings.set("lore.max_depth", 5)
    assert reasons(memory, chat, worldbook)[0] == "no_mention"
    memory.settings.set("lore.max_depth", 0)
    memory.settings.set("lore.max_steps", 3)
    assert reasons(memory, chat, worldbook)[0] == "no_mention"


def test_patterns_are_held_against_a_very_long_chat(memory, tmp_path):
    rows = [("旅人", f"第{n}天，" + "路过。" * 200) for n in range(100)]
    chat = import_chat(memory, tmp_path / "长.jsonl", rows)
    worldbook = store(
        memory, tmp_path, entry("/第3天，/"), entry("/\\x01旅人: 第0天/"), entry("/没有这句/")
    )
    memory.settings.set("lore.depth", 1_000_000)
    assert reasons(memory, chat, worldbook) == {0: "key", 1: "key", 2: "no_mention"}


def test_a_long_scan_is_cancelled(memory, chat, tmp_path):
    class Stopped(NullContext):
        @override
        def check(self):
            raise Cancelled

    worldbook = store(memory, tmp_path, entry("酒馆"))
    with pytest.raises(Cancelled):
        memory.worldbooks.activate(Stopped(), Line.main(chat), [worldbook])


def test_a_copy_of_the_memory_is_on_in_other_chats_only(memory, chat, tmp_path):
    file = tmp_path / "回忆.json"
    memory.kept.keep(CTX, Line.main(chat), file)
    memory.imports.import_file(CTX, file)
    memory.worldbooks.set_global("回忆", is_global=True)
    header(memory, chat, world_info="回忆")
    assert memory.worldbooks.of_chat(Line.main(chat)) == []
    assert memory.worldbooks.missing(Line.main(chat)) == []
    rows = [("旅人", "又见面了。"), ("爱丽丝", "换了一个故事。")]
    other = import_chat(memory, tmp_path / "新的.jsonl", rows)
    assert names_of(memory, other) == ["回忆"], "it may be carried on"


@pytest.mark.parametrize(
    ("strategy", "first"), [("evenly", set("gc")), ("character", {"c"}), ("global", {"g"})]
)
def test_books_of_every_chat_and_of_the_character_go_in_the_order_of_the_setting(strategy, first):
    ranks, _places = ranked(Bindings(("g",), ("h",), ("p",), ("c",)), strategy)
    assert ranks["h"] == ranks["p"] or ranks["h"] < ranks["p"]
    assert max(ranks["h"], ranks["p"]) < min(ranks["g"], ranks["c"])
    lowest = min(ranks["g"], ranks["c"])
    assert {name for name in "gc" if ranks[name] == lowest} == first


# What of a chat is scanned for worldbooks, and what each setting of a scan does.

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
def rain_chat(memory, tmp_path):
    rows = [("爱丽丝", "{{char}}在雨里。"), *[("旅人", f"第{n}句。") for n in range(1, 12)]]
    return import_chat(memory, tmp_path / "故事.jsonl", rows)


@pytest.fixture
def scan_fired(memory, rain_chat, tmp_path):
    """Take in a worldbook of entries with these keys and fields; say which of them fire."""

    def ask(*entries, **arguments):
        rows = {
            str(n): {"uid": n, "key": list(keys), "content": f"内容{n}", "selective": True} | fields
            for n, (keys, fields) in enumerate(entries)
        }
        file = tmp_path / f"书{len(memory.worldbooks.all())}.json"
        file.write_text(json.dumps({"entries": rows}), "utf-8")
        worldbook = memory.imports.import_file(CTX, file).name
        done = memory.worldbooks.activate(CTX, Line.main(rain_chat), [worldbook], **arguments)
        return sorted(outcome.key[1] for outcome in done.fired)

    return ask


def key(*keys, **fields):
    return keys, fields


def chat_header(memory, chat, **metadata):
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


def test_what_scripts_for_prompts_leave_is_scanned(memory, scan_fired, tmp_path):
    assert scan_fired(key("第11句"), key("月光")) == [0]
    script(memory, tmp_path, promptOnly=False)
    assert scan_fired(key("第11句"), key("月光")) == [0], "that one changed messages when they came"
    script(memory, tmp_path)
    assert scan_fired(key("第11句"), key("月光")) == [1]


def test_depth_of_scripts_and_of_the_scan_counts_visible_messages(
    memory, rain_chat, scan_fired, tmp_path
):
    memory.messages.set_hidden(Line.main(rain_chat), list(range(3, 11)), hidden=True)
    script(memory, tmp_path, findRegex="/第2句/", minDepth=1, maxDepth=1)
    assert scan_fired(key("第2句"), key("月光"), key("第10句"), key("第1句", scanDepth=3)) == [1, 3]


def test_delay_counts_visible_messages(memory, rain_chat, scan_fired):
    entries = [key("第11句", delay=12), key("第11句", delay=4)]
    assert scan_fired(*entries) == [0, 1]
    memory.messages.set_hidden(Line.main(rain_chat), list(range(1, 9)), hidden=True)
    assert scan_fired(*entries) == [1]


def test_the_greeting_is_scanned_with_names(memory, scan_fired):
    memory.settings.set("lore.include_names", False)
    assert scan_fired(key("爱丽丝在雨里", scanDepth=20), key("{{char}}在雨里", scanDepth=20)) == [
        0,
        1,
    ]


def test_notes_are_scanned_where_the_settings_say_so(memory, rain_chat, scan_fired):
    chat_header(memory, rain_chat, **NOTES)
    entries = [key("龙 旅人"), key("钥匙"), key("戒指")]
    assert scan_fired(*entries) == [1], "an injection says itself whether it is scanned"
    memory.settings.set("lore.scan_notes", True)
    assert scan_fired(*entries) == [0, 1]
    chat_header(memory, rain_chat, **NOTES | {"note_interval": 4})
    assert scan_fired(*entries) == [1], (
        "its turn has not come: there are 11 messages of the player's"
    )
    assert scan_fired(*entries, at=8) == [0, 1], "the eighth was a fourth"
    chat_header(memory, rain_chat, **NOTES | {"note_interval": 0})
    assert scan_fired(*entries) == [1]


def test_a_summary_is_scanned_where_the_settings_say_so(memory, scan_fired, rain_chat):
    store = memory.session.chat(rain_chat)
    first = store.messages.raws("main", 0, 0)[0]
    raw = json.dumps(json.loads(first[2]) | {"extra": {"memory": "龙睡着了"}})
    with store.database.writing():
        store.messages.note_raws([(first[0], first[1], raw)])
    assert scan_fired(key("龙睡着了]")) == []
    memory.settings.set("lore.scan_summary", True)
    assert scan_fired(key("[Summary: 龙睡着了]"), key("龙睡着了]", scanDepth=0)) == [0]


def test_the_players_text_is_scanned_where_it_stands_among_the_messages(
    memory, rain_chat, scan_fired
):
    memory.settings.set("persona.text", "{{user}}骑着龙", chat_id=rain_chat)
    assert scan_fired(key("旅人骑着龙")) == []
    memory.settings.set("persona.scanned", True, chat_id=rain_chat)
    assert scan_fired(key("旅人骑着龙")) == [0]


def test_entries_mention_others_only_where_that_is_set(memory, scan_fired):
    entries = [key("第11句", content="猫"), key("猫", content="雨"), key("雨")]
    assert scan_fired(*entries) == [0]
    memory.settings.set("lore.recursive", True)
    assert scan_fired(*entries) == [0, 1, 2]
    memory.settings.set("lore.max_steps", 2)
    assert scan_fired(*entries) == [0, 1]


def test_capitals_and_whole_words_are_settings(memory, rain_chat, scan_fired):
    memory.messages.append(Line.main(rain_chat), "user", "旅人", "The Ringmaster came.")
    entries = [key("ringmaster"), key("Ring"), key("Ringmaster")]
    assert scan_fired(*entries) == [0, 1, 2]
    memory.settings.set("lore.case_sensitive", True)
    assert scan_fired(*entries) == [1, 2]
    memory.settings.set("lore.whole_words", True)
    assert scan_fired(*entries) == [2]
    memory.settings.set("lore.case_sensitive", False)
    assert scan_fired(*entries) == [0, 2]


def test_most_keywords_win_a_group_where_that_is_set(memory, scan_fired):
    entries = [key("第11句", group="组", groupWeight=1000), key("第11句", "第10句", group="组")]
    entries[0][1]["groupOverride"] = True
    assert scan_fired(*entries) == [0]
    memory.settings.set("lore.group_scoring", True)
    assert scan_fired(*entries) == [1]


def test_what_stays_is_found_beyond_hidden_messages(memory, tmp_path):
    rows = [("旅人", "龙来了。"), ("爱丽丝", "嗯。")]
    rows += [("旅人" if n % 2 else "爱丽丝", f"闲话{n}。") for n in range(100)]
    chat = import_chat(memory, tmp_path / "长.jsonl", [*rows, ("旅人", "好。")])
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
    chat = import_chat(memory, tmp_path / "长.jsonl", rows)
    entries = {"0": {"uid": 0, "key": ["龙"], "content": "x", "sticky": 400}}
    (tmp_path / "龙.json").write_text(json.dumps({"entries": entries}), "utf-8")
    book = memory.imports.import_file(CTX, tmp_path / "龙.json").name
    assert bool(memory.worldbooks.activate(CTX, Line.main(chat), [book]).fired) is stays


@pytest.fixture
def persona_chat(memory, tmp_path):
    """Import a chat of a SillyTavern folder in which the player is 安娜, 安娜, then 凯."""
    user = tmp_path / "data" / "default-user"
    (user / "chats" / "爱丽丝").mkdir(parents=True)
    personas = {"personas": {"kai.png": "凯", "mo.png": "墨"}, "persona_descriptions": {}}
    (user / "settings.json").write_text(json.dumps({"power_user": personas}), "utf-8")
    note_users(memory.session.library, CTX, tmp_path / "data")
    texts = [("爱丽丝", "墨？"), ("安娜", "早。"), ("爱丽丝", "凯到了。"), ("安娜", "请。")]
    texts += [("凯", "我来了。"), ("爱丽丝", "坐。")]
    store(memory, tmp_path, entry("{{user}}"), entry("<USER>"), entry("{{user}}", scanDepth=1))
    memory.worldbooks.set_global(memory.worldbooks.all()[-1].id, is_global=True)

    def taken(**metadata):
        rows: list[dict[str, object]] = [{"user_name": "unused", "chat_metadata": metadata}]
        rows += [{"name": n, "is_user": n != "爱丽丝", "mes": text} for n, text in texts]
        path = user / "chats" / "爱丽丝" / "一.jsonl"
        path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
        chat = memory.tavern.sync_chat(CTX, path).chat_id
        memory.settings.set("lore.include_names", False, chat_id=chat)
        memory.settings.set("lore.depth", 6, chat_id=chat)
        return chat

    return taken


def test_a_key_that_names_the_player_means_whom_they_play_now(memory, persona_chat):
    chat = persona_chat()
    fired = memory.worldbooks.activate(CTX, Line.main(chat)).fired
    assert {o.key[1] for o in fired} == {0, 1}, "凯 sent the last message"
    branch, _changes = memory.branches.fork(Line.main(chat), at=3, name="从前")
    assert not memory.worldbooks.activate(CTX, Line(chat, branch)).fired, "there it was 安娜"


def test_a_chat_is_played_by_the_persona_it_is_locked_to(memory, persona_chat):
    chat = persona_chat(persona="mo.png")
    fired = memory.worldbooks.activate(CTX, Line.main(chat)).fired
    assert {o.key[1] for o in fired} == {0, 1}, "墨 stands in the first message only"


# Ours beside what a real SillyTavern fired, as `packaging/check-tavern` wrote it down.


def test_world_info_fires_as_the_real_one():
    report = worldinfo.judge(recorded("worldinfo"))
    assert not report.differ, report.text()
    assert report.agree > 560
    assert set(report.known) <= {worldinfo.NO_DEPTH}
