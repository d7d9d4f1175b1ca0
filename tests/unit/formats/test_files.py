"""Files read and written, and memories of other tools."""

from __future__ import annotations

import json
import os
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError, KnownError
from engram_desktop.formats import foreign_memories
from engram_desktop.formats.cards import glance, read_card
from engram_desktop.formats.chat_files import read_chat, sniff
from engram_desktop.formats.chats.chat_snapshot import take
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.formats.png_chunks import SIGNATURE, TextTooBig
from engram_desktop.formats.tavern.folder import list_folder
from engram_desktop.formats.tavern.settings import read_file, read_settings
from engram_desktop.formats.tavern.texts import prompts_in
from engram_desktop.formats.world_info import check_json, read_worldbook
from engram_desktop.services.chats import import_chat
from engram_desktop.services.library import backups
from engram_desktop.services.library.whole_file import hash_of
from engram_desktop.services.tavern.survey import scripts_in
from engram_desktop.services.worldbooks import stored

# Pipes, devices and pictures that unpack without end: refused at once, whoever reads.

MB = 1_000_000
READERS = [
    sniff,
    read_chat,
    take,
    read_card,
    glance,
    read_worldbook,
    check_json,
    read_file,
    foreign_memories.read_file,
    prompts_in,
    scripts_in,
    stored.read_file,
    stored.is_worldbook_picture,
    import_chat.kind_of,
    hash_of,
]


@pytest.fixture(params=["pipe", "device", "link to itself"])
def trap(request, tmp_path):
    path = tmp_path / "trap.png"
    match request.param:
        case "pipe" if hasattr(os, "mkfifo"):
            os.mkfifo(path)
        case "device" if Path("/dev/zero").exists():
            path.symlink_to("/dev/zero")
        case "link to itself" if os.name != "nt":
            path.symlink_to(path)
        case _:
            pytest.skip("there is no such thing here")
    return path


@pytest.mark.parametrize("read", READERS, ids=lambda read: f"{read.__module__}.{read.__name__}")
@pytest.mark.timeout(10)
def test_only_regular_files_are_read(read, trap):
    with pytest.raises((KnownError, OSError)):
        read(trap)


@pytest.mark.timeout(10)
def test_a_backup_that_is_no_file_is_refused(trap, tmp_path):
    folder = tmp_path / "library"
    folder.mkdir()
    with pytest.raises(InputError):
        backups.stage(folder, trap)


@pytest.mark.timeout(20)
def test_a_folder_with_traps_is_looked_through(tmp_path):
    if not hasattr(os, "mkfifo"):
        pytest.skip("there are no pipes")
    handle = tmp_path / "data" / "default-user"
    for name in ("chats/Ada", "worlds", "characters", "OpenAI Settings", "groups"):
        (handle / name).mkdir(parents=True)
    for name in (
        "chats/Ada/a.jsonl",
        "worlds/a.json",
        "characters/a.png",
        "OpenAI Settings/a.json",
        "groups/a.json",
        "settings.json",
    ):
        os.mkfifo(handle / name)
    list_folder(tmp_path)
    assert read_settings(handle).faults


def test_a_regular_file_is_read_up_to_its_limit(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert read_plain(path, 3) == b"abc"
    with pytest.raises(OSError, match="larger"):
        read_plain(path, 2)
    path.write_bytes(b"")
    assert read_plain(path, 2) == b""


def chunk(name, body):
    return (
        len(body).to_bytes(4, "big") + name + body + zlib.crc32(body, zlib.crc32(name)).to_bytes(4)
    )


def peak_of(call):
    tracemalloc.start()
    try:
        call()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_texts_of_a_picture_that_nobody_wants_are_not_unpacked(tmp_path):
    packed = zlib.compress(bytes(48 * MB), 9)
    bomb = b"".join(chunk(b"zTXt", b"n%d\0\0" % n + packed) for n in range(40))
    path = tmp_path / "bomb.png"
    path.write_bytes(SIGNATURE + bomb + chunk(b"IEND", b""))

    def read():
        with pytest.raises(InputError):
            read_card(path)
        with pytest.raises(InputError):
            read_worldbook(path)

    assert peak_of(read) < 20 * MB


def test_texts_of_a_picture_have_one_limit_together(tmp_path):
    packed = zlib.compress(bytes(48 * MB), 9)
    path = tmp_path / "bomb.png"
    both = chunk(b"zTXt", b"chara\0\0" + packed) + chunk(b"zTXt", b"ccv3\0\0" + packed)
    path.write_bytes(SIGNATURE + both + chunk(b"IEND", b""))
    with pytest.raises(TextTooBig):
        read_card(path)


def test_a_large_picture_is_not_read_to_see_what_it_is(tmp_path):
    path = tmp_path / "large.png"
    with path.open("wb") as file:
        file.write(SIGNATURE + (900 * MB).to_bytes(4, "big") + b"IDAT")
        file.truncate(1000 * MB)  # nothing but a hole
    assert peak_of(lambda: stored.is_worldbook_picture(path)) < MB
    with pytest.raises(InputError, match="MB"):
        read_card(path)
    with pytest.raises((InputError, OSError), match="MB"):
        read_worldbook(path)


# What other memory tools write, tool by tool; and what is not theirs, or broken, is nothing.


def said(found):
    return [(one.text, one.first, one.last, one.level, one.kind) for one in found]


def test_openvault():
    vault = {
        "schema_version": 8,
        "memories": [
            {
                "id": "m1",
                "type": "event",
                "summary": "爱丽丝把钥匙给了旅人。",
                "importance": 4,
                "message_ids": [7, 3, True, -1],
                "temporal_anchor": "第三天",
                "characters_involved": ["爱丽丝", "旅人", 5],
                "embedding_b64": "AAAA",
            },
            {"type": "reflection", "summary": "她信任他。", "level": 2},
            {"summary": "被替代的。", "archived": True},
            {"summary": 5},
            "垃圾",
        ],
        "graph": {
            "nodes": {
                "alice": {"name": "爱丽丝", "type": "PERSON", "description": "店主。"},
                "key": {"name": "钥匙", "type": "OBJECT"},
            },
            "edges": {"alice__key": {"source": "alice", "target": "key", "description": "藏着"}},
        },
        "global_world_state": {"summary": "港口在下雨。"},
    }
    found = [*foreign_memories.openvault_of_metadata({"openvault": vault}, 20)]
    assert said(found) == [
        ("爱丽丝把钥匙给了旅人。", 3, 7, 0, "event"),
        ("她信任他。", 0, 20, 2, "event"),
        ("爱丽丝: 店主。", 20, 20, 0, "fact"),
        ("爱丽丝 – 钥匙: 藏着", 20, 20, 0, "fact"),
        ("港口在下雨。", 0, 20, 1, "event"),
    ]
    first = found[0]
    assert (first.who, first.when, first.weight) == (("爱丽丝", "旅人"), "第三天", 0.8)
    assert found[2].entities[0].type == "char"
    assert found[3].origin == "OpenVault · graph: 爱丽丝 – 钥匙"


@pytest.mark.parametrize("wrap", [list, json.dumps])
def test_timeline_is_a_list_or_its_json(wrap):
    chapters = [
        {"startMsgId": 0, "endMsgId": 9, "summary": "第一章。"},
        {"startMsgId": 10, "endMsgId": 4, "summary": "倒着的。"},
        {"summary": ""},
        3,
    ]
    found = foreign_memories.timeline_of_metadata({"timeline": wrap(chapters)})
    assert said(found) == [("第一章。", 0, 9, 1, "event"), ("倒着的。", 10, 10, 1, "event")]


def test_the_oldest_timeline_is_one_text():
    assert said(foreign_memories.timeline_of_metadata({"timeline": "从前……"})) == [
        ("从前……", 0, 0, 1, "event")
    ]


def test_mvu_takes_the_state_of_the_chosen_swipe():
    states = [{"stat_data": {"好感": 1}}, {"stat_data": {"好感": 2}}]
    assert foreign_memories.mvu_state_in({"variables": states, "swipe_id": 1}) == {"好感": 2}
    assert foreign_memories.mvu_state_in({"variables": states, "swipe_id": 9}) == {"好感": 2}
    assert foreign_memories.mvu_state_in({"variables": {"0": states[0]}}) == {"好感": 1}
    assert foreign_memories.mvu_state_in({"variables": [[1], "x"]}) == {}


def test_mvu_leaves_are_values_or_values_with_their_meaning():
    state = {
        "时间": ["第3天", "故事里的时间"],
        "理": {
            "好感度": [35, "[-30,100]"],
            "着装": {"上装": "毛衣", "$meta": {"required": []}},
            "物品": [["怀表", "钥匙"], "随身之物"],
            "经历": [{"名": "初遇"}, "重逢", 3],
            "空": [None, "没有"],
            "醒": True,
        },
        "$arrayMeta": True,
        "地点": "酒馆",
    }
    found = [*foreign_memories.mvu_memories_of(state, 8)]
    assert [(one.place, one.text) for one in found] == [
        (
            "理",
            "理: 好感度 35; 着装.上装 毛衣; 物品 怀表, 钥匙; 经历 重逢, 3; 经历.1.名 初遇; 醒 true",
        ),
        ("", "时间 第3天; 地点 酒馆"),
    ]
    assert all(one.is_rolling and one.kind == "fact" and one.last == 8 for one in found)


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ('```json\n{"好感": [5, "说明"]}\n```', {"好感": [5, "说明"]}),
        ("好感: 5\n理:\n  着装: 毛衣", {"好感": 5, "理": {"着装": "毛衣"}}),
        ('{"stat_data": {"a": 1}}', {"a": 1}),
        ("只是一句话", {}),
        ("a: &x [1]\nb: *x", {}),
        ("{" * 5_000, {}),
    ],
)
def test_mvu_initial_states_are_json_or_yaml(text, state):
    assert foreign_memories.mvu_initial_of(text) == state
    assert foreign_memories.mvu_initial_in(f"你好。<initvar>{text}</initvar>") == state


def risu_chat(**more):
    messages = [
        {"role": "user", "data": "在吗？", "chatId": "a"},
        {"role": "char", "data": "", "chatId": "empty"},
        {"role": "char", "data": "在。", "chatId": "b"},
        {"role": "user", "data": "走吧。", "chatId": "c"},
    ]
    return {"type": "risuChat", "ver": 2, "data": {"message": messages} | more}


def test_risu_hypa_v3_names_messages_by_their_ids():
    data = {
        "summaries": [
            {
                "text": "他们出发了。",
                "chatMemos": ["b", "c", 5],
                "isImportant": True,
                "tags": ["旅"],
            },
            {"text": "问候。", "chatMemos": [None, "gone"], "categoryId": "k"},
            {"text": ""},
        ],
        "categories": [{"id": "k", "name": "开头"}],
    }
    found = [*foreign_memories.risu_of_file(risu_chat(hypaV3Data=data))]
    assert said(found) == [("他们出发了。", 1, 2, 0, "event"), ("问候。", 0, 0, 0, "event")]
    assert (found[0].weight, found[0].keywords, found[1].keywords) == (0.9, ("旅",), ("开头",))
    assert said(foreign_memories.risu_of_file(data))[0][:3] == (
        "他们出发了。",
        0,
        0,
    )  # the summaries alone


def test_risu_older_memories():
    v2 = {
        "mainChunks": [{"text": "旧的。", "chatRange": [1, 2]}, {"text": "更旧。", "targetId": "b"}]
    }
    chats = [risu_chat(hypaV2Data=v2)["data"], risu_chat(supaMemoryData="b\n一切。")["data"]]
    found = [*foreign_memories.risu_of_file({"type": "risuAllChats", "data": chats})]
    assert said(found) == [
        ("旧的。", 1, 2, 0, "event"),
        ("更旧。", 1, 1, 0, "event"),
        ("一切。", 0, 1, 1, "event"),
    ]


def test_acu_sheets_by_name_however_they_are_wrapped():
    sheet = {"name": "重要人物表", "content": [["row_id", "姓名", "状态"], ["1", "爱丽丝", "受伤"]]}
    isolated = json.dumps({"": {"independentData": {"sheet_a": sheet}}})
    for row in ({"TavernDB_ACU_Data": {"sheet_0": sheet}}, {"TavernDB_ACU_IsolatedData": isolated}):
        (found,) = foreign_memories.acu_in(row, 6)["重要人物表"]
        assert found.text == "重要人物表 | 姓名: 爱丽丝; 状态: 受伤"
        assert (found.origin, found.last) == ("ACU · 重要人物表", 6)
    assert (
        foreign_memories.acu_in({"TavernDB_ACU_ModifiedKeys": ["x"], "TavernDB_ACU_Data": "{"}, 0)
        == {}
    )


def test_memory_enhancement_tables_of_both_generations():
    cells = {"c0": "", "c1": "角色", "c2": "位置", "r1": "", "v1": "爱丽丝", "v2": "酒馆"}
    history = [{"uid": uid, "data": {"value": value}} for uid, value in cells.items()]
    sheets = [{"uid": "s", "name": "时空表", "cellHistory": history}, {"uid": "t", "enable": False}]
    row = {"hash_sheets": {"s": [["c0", "c1", "c2"], ["r1", "v1", "v2"]], "t": [["x"]]}}
    noted = foreign_memories.enhancement_in(row, {"sheets": sheets}, 3)
    assert noted is not None
    (found,) = noted
    assert found.text == "时空表 | 角色: 爱丽丝; 位置: 酒馆"
    old = {"dataTable": [{"tableName": "时空表", "columns": ["角色"], "content": [["白兔"], 5]}]}
    noted = foreign_memories.enhancement_in(old, {}, 3)
    assert noted is not None
    assert [one.text for one in noted] == ["时空表 | 角色: 白兔"]
    assert foreign_memories.enhancement_in({}, {}, 3) is None


def test_engram_files_bring_entities_and_relations():
    told = {
        "summary": "她给了他钥匙。",
        "entities": [{"name": "爱丽丝", "type": "char"}],
        "relations": [{"subject": "爱丽丝", "predicate": "交付", "object": "钥匙"}],
        "significance_score": 0.8,
    }
    event = {"id": "e1", "raw_data": told, "source_range": {"start_index": 3, "end_index": 5}}
    entity = {"name": "爱丽丝", "type": "char", "description": "身份: 店主"}
    first, second = foreign_memories.of_sync(
        {"events": [event], "entities": [entity, 5], "meta": {}}
    )
    assert (first.ref, first.weight, first.relations[0].predicate) == ("e1", 0.8, "交付")
    assert (second.text, second.kind, second.first) == ("爱丽丝: 身份: 店主", "fact", 5)


KEYS = st.sampled_from(
    "openvault memories graph nodes edges summary message_ids timeline variables stat_data swipe_id"
    " $meta hypaV3Data summaries text chatMemos data message chatId type hypaV2Data mainChunks"
    " supaMemoryData TavernDB_ACU_Data name content hash_sheets sheets uid cellHistory dataTable"
    " columns extra qvink_memory memory horae_meta events scene entries stmemorybooks meta"
    " raw_data source_range global_world_state value".split()
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=5),
    max_leaves=30,
)


@given(st.dictionaries(KEYS, JSON, max_size=6))
def test_whatever_stands_there_is_read_without_an_exception(value):
    found = [
        *foreign_memories.openvault_of_metadata(value, 5),
        *foreign_memories.timeline_of_metadata(value),
        *foreign_memories.mvu_memories_of(foreign_memories.mvu_state_in(value), 1),
        *foreign_memories.mvu_memories_of(value, 1),
        *foreign_memories.risu_of_file(value),
        *foreign_memories.of_sync(value),
        *foreign_memories.memorybooks_of_worldbook(value),
        *foreign_memories.horae_of_message(value, 1),
        *(one for sheet in foreign_memories.acu_in(value, 1).values() for one in sheet),
        *(foreign_memories.enhancement_in(value, value, 1) or ()),
        *filter(
            None,
            [
                foreign_memories.qvink_of_message(value, 1),
                foreign_memories.summarize_of_message(value, 1),
            ],
        ),
    ]
    assert all(one.text and 0 <= one.first <= one.last for one in found)
    assert all(one.text.encode() for one in found)


def test_a_deep_state_ends(tmp_path):
    deep: Any = "x"
    for _ in range(900):
        deep = {"a": deep}
    assert [*foreign_memories.mvu_memories_of({"a": deep}, 0)] == []
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000, "utf-8")
    with pytest.raises(foreign_memories.NoMemories):
        foreign_memories.read_file(path)
