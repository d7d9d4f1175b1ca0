"""Chats of other programs, in the shapes those programs write."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.formats.chat_files import WrongKind, read_foreign_chats, sniff
from engram_desktop.formats.chats.foreign_chats import chats_of

KOBOLD = {
    "gamestarted": True,
    "prompt": "{{[INPUT]}}你好{{[OUTPUT]}}",
    "actions": ["你好，旅人。", "{{[INPUT]}}\n去酒馆吗？\n{{[OUTPUT]}}\n", "走吧。", " 雪还在下。"],
    "savedsettings": {"chatname": "旅人", "chatopponent": "爱丽丝||$||鲍勃", "opmode": 4},
}
KOBOLD_CHAT = {
    "prompt": "雪夜。\n旅人: 你好\n爱丽丝: 晚上好。\n她笑了。",
    "actions": ["\n旅人: 鲍勃呢？\n", "鲍勃: 在这里: 门口。"],
    "savedsettings": {"chatname": "旅人", "chatopponent": "爱丽丝||$||鲍勃", "opmode": 3},
}
KOBOLD_STORY = {"prompt": "从前有座山。", "actions": ["山上有座庙。", "", 3], "savedsettings": {}}
KOBOLD_ENDS = {
    "prompt": "",
    "actions": [
        "{{[SYSTEM]}}规则{{[SYSTEM_END]}}{{[INPUT]}}问{{[INPUT_END]}}{{[OUTPUT]}}答{{[OUTPUT_END]}}"
    ],
    "savedsettings": {},
}
CAI = {
    "info": {"character": {"name": "爱丽丝"}},
    "histories": {
        "histories": [
            {
                "msgs": [
                    {"src": {"is_human": False, "name": "爱丽丝"}, "text": "欢迎。"},
                    {"src": {"is_human": True, "name": "小明"}, "text": "你好", "id": 7},
                ]
            },
            {"msgs": [{"src": {"is_human": False}, "text": "又见面了。"}]},
            {"msgs": []},
        ]
    },
}
WEBUI = {"data_visible": [["<|BEGIN-VISIBLE-CHAT|>", "欢迎。"], ["你好", "坐吧。"], ["嗯", ""]]}
WEBUI_NEW = {"internal": [], "visible": [["", "欢迎。"], ["你好", "坐吧。"]], "name2": "爱丽丝"}
AGNAI = {
    "name": "雪夜",
    "messages": [
        {"msg": "欢迎。", "characterId": "c", "createdAt": "2024-05-01T10:00:00.000Z"},
        {"msg": "你好", "userId": "u", "handle": "小明"},
        {"msg": "\ud83d"},
    ],
}
RISU = {
    "type": "risuChat",
    "ver": 1,
    "data": {
        "name": "第一章",
        "message": [
            {"role": "char", "data": "欢迎。", "time": 1714557600000, "saying": "x"},
            {"role": "user", "data": "你好", "name": "小明"},
        ],
    },
}
RISU_ALL = {"type": "risuAllChats", "ver": 2, "data": [RISU["data"], {"message": None}]}

CASES = {
    "kobold": (
        KOBOLD,
        [
            [
                ("旅人", "user", "你好"),
                ("爱丽丝", "assistant", "你好，旅人。"),
                ("旅人", "user", "去酒馆吗？"),
                ("爱丽丝", "assistant", "走吧。"),
                ("爱丽丝", "assistant", "雪还在下。"),
            ]
        ],
    ),
    "kobold chat": (
        KOBOLD_CHAT,
        [
            [
                ("爱丽丝", "assistant", "雪夜。"),
                ("旅人", "user", "你好"),
                ("爱丽丝", "assistant", "晚上好。\n她笑了。"),
                ("旅人", "user", "鲍勃呢？"),
                ("鲍勃", "assistant", "在这里: 门口。"),
            ]
        ],
    ),
    "kobold story": (
        KOBOLD_STORY,
        [[("Character", "assistant", "从前有座山。"), ("Character", "assistant", "山上有座庙。")]],
    ),
    "kobold with ends": (
        KOBOLD_ENDS,
        [
            [
                ("System", "system", "规则"),
                ("User", "user", "问"),
                ("Character", "assistant", "答"),
            ]
        ],
    ),
    "cai tools": (
        CAI,
        [
            [("爱丽丝", "assistant", "欢迎。"), ("小明", "user", "你好")],
            [("爱丽丝", "assistant", "又见面了。")],
        ],
    ),
    "webui": (
        WEBUI,
        [
            [
                ("Character", "assistant", "欢迎。"),
                ("User", "user", "你好"),
                ("Character", "assistant", "坐吧。"),
                ("User", "user", "嗯"),
            ]
        ],
    ),
    "webui, newer": (
        WEBUI_NEW,
        [
            [
                ("爱丽丝", "assistant", "欢迎。"),
                ("User", "user", "你好"),
                ("爱丽丝", "assistant", "坐吧。"),
            ]
        ],
    ),
    "agnai": (
        AGNAI,
        [
            [
                ("Character", "assistant", "欢迎。"),
                ("小明", "user", "你好"),
                ("Character", "assistant", "\ufffd"),
            ]
        ],
    ),
    "risu": (RISU, [[("Character", "assistant", "欢迎。"), ("小明", "user", "你好")]]),
    "risu, all": (RISU_ALL, [[("Character", "assistant", "欢迎。"), ("小明", "user", "你好")]]),
}


@pytest.mark.parametrize("case", CASES)
def test_each_program_tells_who_said_what(case, tmp_path):
    value, expected = CASES[case]
    path = tmp_path / "导出.json"
    path.write_text(json.dumps(value), "utf-8")
    assert sniff(path) == "chat_json"
    chats = read_foreign_chats(path)
    told = [[(m.name, m.role, m.text) for m in chat.messages()] for chat in chats]
    assert told == expected
    assert all(not chat.warnings for chat in chats)


@pytest.mark.parametrize("text", ["", "{", "[1]", '{"actions": 1', "[" * 100_000])
def test_half_a_document_holds_no_chat(text):
    assert chats_of(text) == []


def test_names_times_and_what_else_a_program_said_of_a_message_are_kept(tmp_path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps(AGNAI), "utf-8")
    (chat,) = read_foreign_chats(path)
    assert chat.name == "雪夜"
    assert chat.first_at == 1714557600000
    first = next(chat.messages())
    assert json.loads(first.raw)["original"] == AGNAI["messages"][0]


def test_what_only_looks_like_a_chat_is_refused(tmp_path):
    path = tmp_path / "c.json"
    path.write_text(json.dumps({"messages": [{"msg": ""}], "type": "risuChat"}), "utf-8")
    with pytest.raises(WrongKind):
        read_foreign_chats(path)


KEYS = st.sampled_from(
    [
        *("actions", "prompt", "savedsettings", "chatname", "chatopponent", "histories", "msgs"),
        *("src", "text", "visible", "data_visible", "messages", "msg", "type", "data", "message"),
    ]
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=4),
    max_leaves=12,
)


@given(ANY)
def test_any_json_is_read_or_is_no_chat(value):
    for chat in chats_of(json.dumps(value)):
        assert all(isinstance(json.loads(line), dict) for line in chat.jsonl.splitlines())


@given(st.dictionaries(KEYS, ANY).map(lambda table: table | {"type": "risuChat"}))
def test_hostile_risu_chats_too(value):
    chats_of(json.dumps(value))


def test_each_of_several_chats_in_a_file_has_a_source_of_its_own(tmp_path):
    path = tmp_path / "备份.json"
    for content, sources in ((CAI, ["备份.json#1", "备份.json#2"]), (KOBOLD, ["备份.json"])):
        path.write_text(json.dumps(content), "utf-8")
        assert [chat.path.name for chat in read_foreign_chats(path)] == sources
