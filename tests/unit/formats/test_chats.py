"""Chat files of SillyTavern and of others."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError
from engram_desktop.formats.chat_files import (
    WrongKind,
    chats_of,
    read_chat,
    read_foreign_chats,
    sniff,
)
from engram_desktop.formats.chats.chat_jsonl import MAX_WARNINGS, ChangedFile
from engram_desktop.formats.chats.chat_snapshot import Mark, take
from engram_desktop.formats.plain_file import SourceFile

# SillyTavern chats of every year, and what users do to them.

NEW_HEADER = {
    "chat_metadata": {"integrity": "x", "main_chat": "月光酒馆 - 2026-01-01@08h00m00s000ms"},
    "user_name": "unused",
    "character_name": "unused",
}
OLD_HEADER = {
    "user_name": "旅人",
    "character_name": "爱丽丝",
    "create_date": "2024-9-28@01h02m03s",
    "chat_metadata": {"note_prompt": ""},
}


def said(name, text, **over):
    return {
        "name": name,
        "is_user": name == "旅人",
        "is_system": False,
        "send_date": "2026-01-01T08:00:00.000Z",
        "mes": text,
        "extra": {},
    } | over


HELLO = said("爱丽丝", "欢迎来到月光酒馆。")
REPLY = said("旅人", "*推开门* 我回来了。")


def jsonl(*rows, end="\n"):
    lines = [row if isinstance(row, str) else json.dumps(row, ensure_ascii=False) for row in rows]
    return end.join(lines)


@pytest.fixture
def read(tmp_path):
    """Write a chat and read it; the messages come as a list."""

    def do(content, name="月光酒馆.jsonl"):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        chat = read_chat(path)
        messages = list(chat.messages())
        assert len(messages) == chat.count
        return chat, messages

    return do


def notes(chat):
    return [(warning.line, warning.message) for warning in chat.warnings]


def test_new_header_leaves_the_names_to_the_messages(read):
    chat, messages = read(jsonl(NEW_HEADER, HELLO, REPLY))
    assert (chat.name, chat.user_name, chat.characters) == ("月光酒馆", "旅人", ("爱丽丝",))
    assert chat.main_chat == "月光酒馆 - 2026-01-01@08h00m00s000ms"
    assert json.loads(chat.header) == NEW_HEADER
    assert [m.role for m in messages] == ["assistant", "user"]
    assert [m.line for m in messages] == [2, 3]
    assert messages[1].text == "*推开门* 我回来了。"
    assert json.loads(messages[0].raw) == HELLO
    assert chat.first_at == chat.last_at == 1_767_254_400_000
    assert chat.warnings == ()


def test_old_header_names_who_has_not_spoken_yet(read):
    chat, _ = read(jsonl(OLD_HEADER, HELLO))
    assert (chat.user_name, chat.characters) == ("旅人", ("爱丽丝",))
    only_header, messages = read(jsonl(OLD_HEADER))
    assert (only_header.user_name, only_header.characters) == ("旅人", ("爱丽丝",))
    assert messages == []
    assert notes(only_header) == [(0, "there are no messages in it")]


def test_group_chat_has_no_header_and_many_speakers(read):
    chat, messages = read(
        jsonl(
            {"name": "SillyTavern System", "is_system": True, "is_group": True, "mes": "Group."},
            said("凯尔", "站住。", original_avatar="凯尔.png"),
            said("爱丽丝", "是我。", original_avatar="爱丽丝.png"),
            said("凯尔", "哦。", original_avatar="凯尔.png"),
        )
    )
    assert chat.characters == ("凯尔", "爱丽丝")
    assert chat.header == ""
    assert (messages[0].role, messages[0].is_hidden) == ("system", True)
    assert messages[1].speaker_id == "凯尔.png"
    assert chat.hidden == 1


def test_empty_file_is_an_empty_chat(read):
    chat, messages = read("")
    assert messages == []
    assert notes(chat) == [(0, "there are no messages in it")]


def test_chosen_swipe_counts_and_mes_is_trusted(read):
    row = said("爱丽丝", "铜钥匙。", swipes=["银钥匙。", "铜钥匙。", "金钥匙。"], swipe_id=1)
    edited = said("爱丽丝", "edited", swipes=["a", "b"], swipe_id=0)
    no_mes = {**said("爱丽丝", None, swipes=["a", "b"], swipe_id=1)}
    bad_id = {**said("爱丽丝", None, swipes=["a", "b"], swipe_id="x")}
    chat, messages = read(jsonl(row, edited, no_mes, bad_id))
    assert [m.text for m in messages] == ["铜钥匙。", "edited", "b", "b"]
    assert [m.swipes for m in messages] == [3, 2, 2, 2]
    assert chat.swiped == 4


@pytest.mark.parametrize(
    ("row", "role", "is_hidden"),
    [
        (said("爱丽丝", "hidden story", is_system=True), "assistant", True),
        (said("旅人", "hidden story", is_system=True), "user", True),
        (said("Narrator", "夜深了。", extra={"type": "narrator"}), "system", False),
        (said("Narrator", "夜深了。", extra={"type": "narrator"}, is_system=True), "system", True),
        (said("Note", "…", extra={"type": "comment"}, is_system=True), "system", True),
        (said("Note", "…", extra={"type": "comment"}), "system", True),
        (said("System", "Welcome", extra={"type": "welcome"}, is_system=True), "system", True),
        (said("System", "Help", extra={"type": "help"}, is_system=True), "system", True),
        (said("爱丽丝", "…", extra={"type": ["odd"]}), "assistant", False),
        (said("爱丽丝", "…", extra="odd"), "assistant", False),
    ],
)
def test_hidden_story_is_kept_and_notices_are_told_apart(row, role, is_hidden, read):
    _, [message] = read(jsonl(row))
    assert (message.role, message.is_hidden) == (role, is_hidden)
    assert message.text == row["mes"]


def test_chub_variant(read):
    row = said("爱丽丝", {"message": "欢迎。"}, swipes=[{"message": "欢迎。"}, {"message": "走。"}])
    _, [message] = read(jsonl(row))
    assert (message.text, message.swipes) == ("欢迎。", 2)


def test_tavernai_of_2023(read):
    header = {"user_name": "You", "character_name": "Aqua", "create_date": 1674559896839}
    row = {
        "name": "Aqua",
        "is_user": False,
        "is_name": True,
        "send_date": 1674563371558,
        "mes": ".",
    }
    chat, [message] = read(jsonl(header, row))
    assert message.sent_at == 1674563371558
    assert chat.user_name == "You"


@pytest.mark.parametrize(
    "encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "gb18030", "gbk", "utf-32"]
)
def test_encodings_of_windows(encoding, read):
    text = jsonl(OLD_HEADER, HELLO, REPLY, end="\r\n") + "\r\n"
    chat, messages = read(text.encode(encoding))
    assert [m.text for m in messages] == [HELLO["mes"], REPLY["mes"]]
    assert chat.characters == ("爱丽丝",)
    converted = [w for w in chat.warnings if "GB18030" in w.message]
    assert bool(converted) is encoding.startswith("gb")


def test_carriage_returns_and_unicode_line_ends_inside_a_text_are_text(read):
    raw = '{"name":"A","mes":"one\rtwo\u2028three\u0085four\\r\\nfive"}'
    _, [message] = read(raw)
    assert message.text == "one\rtwo\u2028three\x85four\r\nfive"


def test_blank_lines_and_a_missing_last_line_end(read):
    chat, messages = read(jsonl(OLD_HEADER, "", HELLO, "   ", "\ufeff", REPLY))
    assert [m.line for m in messages] == [3, 6]
    assert chat.warnings == ()


def test_broken_line_is_named_and_the_rest_is_read(read):
    chat, messages = read(jsonl(OLD_HEADER, HELLO, '{"name": "爱', REPLY))
    assert len(messages) == 2
    assert notes(chat) == [(3, "not readable as JSON; left out")]


def test_last_line_cut_off(read):
    text = jsonl(OLD_HEADER, HELLO, REPLY)
    chat, messages = read(text[: len(text) - 20])
    assert len(messages) == 1
    assert [w.line for w in chat.warnings] == [3]


def test_two_chats_in_one_file(read):
    chat, messages = read(jsonl(OLD_HEADER, HELLO, NEW_HEADER, REPLY))
    assert len(messages) == 2
    assert notes(chat) == [(3, "a second chat begins here; its messages follow on")]
    assert chat.metadata == OLD_HEADER["chat_metadata"]
    glued, messages = read(jsonl(OLD_HEADER, HELLO) + jsonl(OLD_HEADER, REPLY))
    assert len(messages) == 2
    assert [w.line for w in glued.warnings] == [2]


def test_wrong_types_everywhere(read):
    rows = [
        {"name": 7, "is_user": "true", "mes": 5, "send_date": [], "extra": 3, "swipes": "x"},
        {"name": None, "is_user": "false", "mes": "a", "is_system": 0, "swipe_id": {}},
        {"name": ["x"], "is_user": 1, "mes": "b", "send_date": {"x": 1}},
        {"name": True, "mes": {"message": {"message": "x"}}},
        {"mes": None},
        {"mes": True},
        [1],
        5,
        "null",
    ]
    chat, messages = read(jsonl(OLD_HEADER, *[json.dumps(row) for row in rows]))
    assert [(m.name, m.role, m.text) for m in messages] == [
        ("7", "user", "5"),
        ("爱丽丝", "assistant", "a"),
        ("旅人", "user", "b"),
    ]
    assert [w.line for w in chat.warnings] == [5, 6, 7, 8, 9, 10]


def test_what_no_database_can_hold_is_taken_out(read):
    raw = (
        '{"name":"A\\u0000\\ud83d","mes":"半个\\ud83d 表情\\u0000 \\ud83d\\ude00",'
        '"n":' + "9" * 5000 + ',"m":NaN,"x":-Infinity,"y":1e999}'
    )
    _, [message] = read(raw)
    assert message.text == "半个\ufffd 表情 \U0001f600"
    message.name.encode("utf-8")
    assert "\x00" not in message.name
    assert message.raw == raw


def test_nul_bytes_are_dropped_with_a_warning(read):
    chat, [message] = read(b'{"name":"A","mes":"a\x00b"}')
    assert message.text == "ab"
    assert "\x00" not in message.raw
    assert "NUL" in chat.warnings[0].message


def test_bottomless_nesting_is_left_out(read):
    deep = '{"mes":' + "[" * 100_000 + "]" * 100_000 + "}"
    chat, messages = read(jsonl(HELLO, deep, REPLY))
    assert len(messages) == 2
    assert notes(chat) == [(2, "nested too deep; left out")]


def test_one_enormous_line_is_skipped(read):
    huge = json.dumps(said("A", "x" * 50_000_000))
    chat, messages = read(jsonl(HELLO, huge, REPLY))
    assert [m.line for m in messages] == [1, 3]
    assert [w.line for w in chat.warnings] == [2]
    assert "too long" in chat.warnings[0].message


def test_damaged_bytes_are_named_by_line(read):
    content = jsonl(HELLO, REPLY, HELLO).encode().replace("推开门".encode(), b"\xe6\x8e\xff")
    chat, messages = read(content)
    assert len(messages) == 3
    assert "\ufffd" in messages[1].text
    assert [w.line for w in chat.warnings] == [2]


def test_mojibake_is_noticed(read):
    def garble(text):
        return b"".join(bytes([b]) for b in text.encode("utf-8")).decode("latin-1")

    chat, _ = read(jsonl(said("A", garble("你好，欢迎来到月光酒馆。"))))
    assert any("mojibake" in w.message for w in chat.warnings)
    for fine in ("你好，欢迎来到月光酒馆。", "Café, naïve, Ångström, “quoted” — fine", "ÃÃÃ"):
        chat, _ = read(jsonl(said("A", fine)))
        assert chat.warnings == ()


def test_warnings_are_bounded(read):
    chat, _ = read(jsonl(HELLO, *["{broken"] * 5000))
    assert len(chat.warnings) == MAX_WARNINGS + 1
    assert "4950 more" in chat.warnings[-1].message


def test_large_file_written_to_meanwhile_is_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(jsonl(HELLO), "utf-8")
    chat = read_chat(SourceFile(path, most_kept=1))
    path.write_text(jsonl(HELLO, REPLY), "utf-8")
    with pytest.raises(ChangedFile):
        list(chat.messages())


def test_file_written_to_meanwhile_is_taken_as_it_was_opened(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(jsonl(HELLO), "utf-8")
    source = SourceFile(path)
    path.write_text(jsonl(HELLO, REPLY), "utf-8")
    assert len(list(read_chat(source).messages())) == 1
    path.unlink()
    assert read_chat(source).count == 1


@pytest.mark.parametrize(
    ("content", "kind", "words"),
    [
        (b"\x89PNG\r\n\x1a\n....", "card_png", "character card"),
        (b"PK\x03\x04....", "charx", "CHARX"),
        ('{\n "entries": {}\n}', "world_info", "world book"),
        ('{"lorebookVersion": 3, "entries": []}', "world_info", "world book"),
        ('[{"scriptName": "x", "findRegex": "/a/g"}]', "regex_script", "regex script"),
        ('{"spec": "chara_card_v2", "data": {}}', "card_json", "character card"),
        ('{"name": "A", "description": "", "first_mes": ""}', "card_json", "character card"),
        ('{"type": "risuChat", "data": {}}', "chat_json", "another program"),
        ('{"histories": {"histories": []}}', "chat_json", "another program"),
        ('{"x": 1}', "unknown", "unknown kind"),
        ("[]", "unknown", "unknown kind"),
        ("Once upon a time", "unknown", "unknown kind"),
        (bytes(range(256)), "unknown", "unknown kind"),
        (b"\x00" * 100, "unknown", "unknown kind"),
    ],
)
def test_other_kinds_are_named(content, kind, words, tmp_path):
    path = tmp_path / "file.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    assert sniff(path) == kind
    with pytest.raises(WrongKind, match=words):
        read_chat(path)


def test_missing_file_is_an_os_error(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_chat(tmp_path / "none.jsonl")


FRAGMENTS = st.sampled_from(
    [b"\n", b'{"mes":"a"}', b'{"mes":', b'"name":"\xe7\x88\xb1"', b"\xff\xfe", b"\xef\xbb\xbf",
     b"{", b"}", b"[", b"]", b",", b"null", b"1e999", b"\x00", b"\\ud83d", b'{"user_name":"x"}',
     b'"swipes":[', b"\r", b"\xc4\xe3\xba\xc3", b'"send_date":"2024-1-1@1h1m1s"', b"NaN"]
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(content=st.binary(max_size=300) | st.lists(FRAGMENTS, max_size=30).map(b"".join))
def test_any_bytes_are_read_or_refused(content, tmp_path):
    path = tmp_path / "any.jsonl"
    path.write_bytes(content)
    try:
        chat = read_chat(path)
    except InputError:
        return
    for message in chat.messages():
        message.text.encode("utf-8")
        message.name.encode("utf-8")
        message.raw.encode("utf-8")
        assert "\x00" not in message.text + message.name + message.raw
        assert message.line >= 1
        assert message.swipes >= 1


# Chats of other programs, in the shapes those programs write.

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
        [[("System", "system", "规则"), ("User", "user", "问"), ("Character", "assistant", "答")]],
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


@pytest.mark.parametrize(
    ("content", "sources"), [(CAI, ["备份.json#1", "备份.json#2"]), (KOBOLD, ["备份.json"])]
)
def test_each_of_several_chats_in_a_file_has_a_source_of_its_own(tmp_path, content, sources):
    path = tmp_path / "备份.json"
    path.write_text(json.dumps(content), "utf-8")
    assert [chat.path.name for chat in read_foreign_chats(path)] == sources


# A file is read after its mark only while everything before the mark is as it was.

HEAD = {"user_name": "小明", "character_name": "爱丽丝", "chat_metadata": {"n": 1}}
COUNT = 40


def row(n: int) -> str:
    return json.dumps({"name": "爱丽丝", "mes": f"第{n}天，钥匙在抽屉里。"}, ensure_ascii=False)


def lines(count: int = COUNT) -> list[str]:
    return [json.dumps(HEAD, ensure_ascii=False), *(row(n) for n in range(count))]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "chat.jsonl"
    path.write_text("\n".join(lines()) + "\n", "utf-8")
    return path


@pytest.fixture
def mark(file) -> Mark:
    whole = take(file)
    made = whole.mark(whole.messages())
    assert made is not None
    assert 0 < made.floor < COUNT
    return made


def test_what_comes_after_the_mark_is_told_as_a_whole_file_tells_it(file, mark):
    file.write_text("\n".join(lines(COUNT + 20)) + "\n", "utf-8")
    part, whole = take(file, mark), take(file)
    assert part.known == mark
    assert len(part.data) == len(whole.data) - mark.offset
    assert part.holds(mark)
    assert whole.holds(mark)
    told = part.messages_after(mark)
    assert told == whole.messages_after(mark)
    assert [m.text for m in told] == [m.text for m in whole.messages()][mark.floor :]
    assert part.mark(told, mark) == whole.mark(told, mark) == whole.mark(whole.messages())
    assert part.header == whole.header
    assert part.is_half == whole.is_half


def test_another_header_changes_nothing_before_the_mark(file, mark):
    told = lines()
    told[0] = json.dumps(HEAD | {"chat_metadata": {"n": 2, "更多": "x" * 999}}, ensure_ascii=False)
    file.write_text("\n".join(told) + "\n", "utf-8")
    assert take(file, mark).known == mark
    assert "更多" in take(file, mark).header


def test_each_changed_byte_before_the_mark_is_noticed(file, mark):
    data = file.read_bytes()
    body = data.index(b"\n") + 1
    for place in range(body, body + mark.offset):
        file.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        found = take(file, mark)
        assert found.known is None
        assert not found.holds(mark)


@pytest.mark.parametrize("change", ["cut", "empty", "removed", "swapped", "headless", "gb18030"])
def test_a_file_that_begins_otherwise_is_read_whole(file, mark, change):
    told = lines()
    changed = {
        "cut": told[:5],
        "empty": [],
        "removed": told[:3] + told[4:],
        "swapped": [told[0], told[2], told[1], *told[3:]],
        "headless": told[1:],
        "gb18030": told,
    }[change]
    text = "".join(f"{line}\n" for line in changed)
    file.write_bytes(text.encode("gb18030" if change == "gb18030" else "utf-8"))
    found = take(file, mark)
    assert found.known is None
    assert found.data == file.read_bytes()
    assert change == "headless" or not found.holds(mark)


def test_half_a_line_after_the_mark_is_seen(file, mark):
    with file.open("a", encoding="utf-8") as end:
        end.write(row(COUNT)[:20])
    assert take(file, mark).is_half
