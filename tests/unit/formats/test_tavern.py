"""What lies in a SillyTavern folder."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.text.regex_script import StoredScript, escaped, parse_find, with_groups
from engram_desktop.formats.request_text import Change, RequestText
from engram_desktop.formats.tavern.folder import (
    ListingLimits,
    NoTavern,
    chat_files,
    find_handles,
    list_folder,
    parents_first,
)
from engram_desktop.formats.tavern.settings import read_file, read_scripts, write_scripts
from engram_desktop.formats.tavern.texts import (
    MACROS,
    preset_prompts,
    prompts_in,
    quick_replies,
    read_texts,
)
from tests.factories import script_json
from tests.tavern import TavernChatFile, make_tavern

# What a SillyTavern folder holds, however it is given and whatever is broken in it.


@pytest.fixture
def handle(tmp_path):
    made = make_tavern(tmp_path / "SillyTavern")
    (made / "characters" / "爱丽丝.png").write_bytes(b"\x89PNG")
    (made / "characters" / "白兔.png").write_bytes(b"\x89PNG")
    return made


@pytest.fixture
def chat(handle):
    made = TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl")
    made.say("欢迎光临。", "来一杯麦酒。", "好的。")
    return made


@pytest.mark.parametrize(
    "given",
    ["", "data", "data/default-user", "data/default-user/chats", "data/default-user/worlds"],
)
def test_every_folder_of_an_installation_leads_to_its_users(tmp_path, handle, chat, given):
    assert find_handles(tmp_path / "SillyTavern" / given) == [handle]


def test_the_folder_of_one_character_leads_to_its_user(handle, chat):
    assert find_handles(chat.path.parent) == [handle]


def test_an_old_installation_keeps_everything_in_public(tmp_path):
    chat = TavernChatFile(tmp_path / "Old" / "public" / "chats" / "Alice" / "a.jsonl")
    chat.say("Hello.")
    assert [h.name for h in list_folder(tmp_path / "Old").handles] == ["public"]


def test_two_users_are_two(tmp_path, handle, chat):
    other = TavernChatFile(handle.parent / "second" / "chats" / "Bob" / "b.jsonl")
    other.say("Hi.")
    assert [h.name for h in list_folder(tmp_path / "SillyTavern").handles] == [
        "default-user",
        "second",
    ]


def test_a_folder_of_something_else_is_refused(tmp_path):
    with pytest.raises(NoTavern, match="not a SillyTavern folder"):
        list_folder(tmp_path)
    with pytest.raises(NoTavern):
        list_folder(tmp_path / "missing")


def test_characters_come_with_their_chats_and_chats_without_a_card_are_not_lost(handle, chat):
    branch = chat.branch(1, "爱丽丝 - 1 - Branch #1")
    TavernChatFile(handle / "chats" / "已删除" / "x.jsonl").say("还在。")
    (found,) = list_folder(handle).handles
    names = {c.name: c for c in found.characters}
    assert set(names) == {"爱丽丝", "白兔", "已删除"}
    assert names["爱丽丝"].avatar.endswith("爱丽丝.png")
    assert names["已删除"].avatar == ""
    chats = {c.path: c for c in names["爱丽丝"].chats}
    assert chats[str(chat.path)].messages == 3
    assert chats[str(branch.path)].main_chat == "爱丽丝 - 1"
    assert chats[str(chat.path)].size == chat.path.stat().st_size
    assert names["白兔"].chats == ()


@pytest.mark.parametrize(
    ("data", "count"),
    [
        (b'{"chat_metadata":{}}\n{"mes":"a"}\n{"mes":"b"}', 2),
        (b'{"chat_metadata":{}}\n{"mes":"a"}\n{"mes":"b"}\n', 2),
        (b'{"mes":"a"}\n{"mes":"b"}', 2),  # group chats of 2024 have no header
        (b'\xef\xbb\xbf{"user_name":"x","character_name":"y"}\r\n{"mes":"a"}\r\n', 1),
        (b'{"chat_metadata":{}}', 0),
        (b"", 0),
    ],
)
def test_messages_are_counted_without_reading_them(handle, data, count):
    path = handle / "chats" / "白兔" / "a.jsonl"
    path.parent.mkdir()
    path.write_bytes(data)
    (found,) = list_folder(handle).chats()
    assert found.messages == count


def test_a_group_has_its_members_and_chats(handle):
    TavernChatFile(handle / "group chats" / "g1.jsonl").say("开始。")
    TavernChatFile(handle / "group chats" / "stray.jsonl").say("没有人认领。")
    row = {"id": "1", "name": "茶会", "members": ["爱丽丝.png", 7], "chats": ["g1", "gone", None]}
    (handle / "groups" / "1.json").write_text(json.dumps(row), "utf-8")
    (found,) = list_folder(handle).handles
    group, stray = found.groups
    assert (group.name, group.members) == ("茶会", ("爱丽丝.png", "7"))
    assert [(c.name, c.owner, c.is_group) for c in group.chats] == [("g1", "1", True)]
    assert [c.name for c in stray.chats] == ["stray"]


def test_worldbooks_presets_and_scripts_are_listed(handle):
    (handle / "worlds" / "月光.json").write_text("{}", "utf-8")
    (handle / "OpenAI Settings").mkdir()
    (handle / "OpenAI Settings" / "默认.json").write_text("{}", "utf-8")
    settings = {"extension_settings": {"regex": [{"scriptName": "去思考"}, 5]}}
    (handle / "settings.json").write_text(json.dumps(settings), "utf-8")
    (found,) = list_folder(handle).handles
    assert [i.name for i in found.of_kind("world")] == ["月光"]
    assert [(i.name, i.detail) for i in found.of_kind("preset")] == [("默认", "OpenAI Settings")]
    assert [i.name for i in found.of_kind("regex")] == ["去思考"]


def test_what_is_broken_is_a_warning_and_the_rest_is_there(handle, chat):
    (handle / "groups" / "bad.json").write_text("{", "utf-8")
    (handle / "groups" / "list.json").write_text("[1]", "utf-8")
    (handle / "settings.json").write_text("[" * 100_000, "utf-8")
    found = list_folder(handle)
    assert len(found.chats()) == 1
    assert {Path(path).name for path, _what in found.warnings} == {"bad.json", "settings.json"}
    (handle / "settings.json").unlink()
    (handle / "settings.json").mkdir()
    said = {Path(path).name: str(what) for path, what in list_folder(handle).warnings}
    assert "settings.json" in said
    assert not any("[Errno" in what for what in said.values()), "words, not what Python prints"


def test_nothing_is_written_and_the_secrets_are_not_opened(handle, chat):
    (handle / "secrets.json").write_text('{"api_key_openai": "sk-x"}', "utf-8")
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args) if event == "open" else None)
    before = sorted(handle.rglob("*"))
    list_folder(handle)
    chat_files(handle)
    seen = list(opened)
    assert any(str(args[0]).endswith("爱丽丝 - 1.jsonl") for args in seen)
    assert not [args for args in seen if "secrets" in str(args[0])]
    writing = os.O_WRONLY | os.O_RDWR | os.O_CREAT
    assert not [args for args in seen if str(handle) in str(args[0]) and args[2] & writing]
    assert sorted(handle.rglob("*")) == before


def test_a_look_at_the_files_opens_none(handle, chat):
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args) if event == "open" else None)
    files = chat_files(handle)
    assert not [args for args in opened if str(handle) in str(args[0])]
    status = chat.path.stat()
    assert files == {str(chat.path): (status.st_size, status.st_mtime_ns)}


def test_links_are_not_followed(handle, chat, tmp_path):
    secret = tmp_path / "secret.jsonl"
    secret.write_text('{"mes": "geheim"}', "utf-8")
    try:
        (handle / "chats" / "白兔").mkdir()
        (handle / "chats" / "白兔" / "link.jsonl").symlink_to(secret)
        (handle / "chats" / "loop").symlink_to(handle / "chats", target_is_directory=True)
    except OSError:
        pytest.skip("links need a right that this computer does not give")
    found = list_folder(handle)
    assert [c.name for c in found.chats()] == ["爱丽丝 - 1"]
    assert len(found.warnings) == 2


def test_a_folder_without_end_is_bounded(handle, chat):
    for n in range(5):
        chat.branch(0, f"b{n}")
    found = list_folder(handle, ListingLimits(entries=3))
    assert len(found.chats()) == 3
    assert "too many" in found.warnings[0][1]


def test_files_too_large_to_look_through_are_listed_without_a_count(handle, chat):
    assert [c.messages for c in list_folder(handle, ListingLimits(counted=10)).chats()] == [None]


def test_parents_come_before_their_branches_and_a_ring_ends(chat):
    child = chat.branch(1, "0 first by name")
    grandchild = child.branch(0, "00 even before")
    ordered = parents_first([grandchild.path, child.path, chat.path])
    assert ordered == [chat.path, child.path, grandchild.path]
    chat.metadata["main_chat"] = grandchild.path.stem
    chat.save()
    assert set(parents_first(ordered)) == set(ordered)


WORDS = st.sampled_from(
    "power_user personas persona_descriptions default_persona connections type id description"
    " world_info_settings world_info globalSelect charLore name extraBooks extension_settings regex"
    " scriptName findRegex character_allowed_regex preset_allowed_regex openai oai_settings"
    " preset_settings_openai \ud83d me.png".split(" ")
)
ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=25,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=100)
@given(st.dictionaries(WORDS, ANY, max_size=6))
def test_whatever_the_settings_hold_the_folder_is_listed(handle, chat, value):
    (handle / "settings.json").write_text(json.dumps(value), "utf-8")
    (handle / "groups" / "1.json").write_text(json.dumps(value), "utf-8")
    found = list_folder(handle)
    assert len(found.chats()) == 1
    json.dumps(asdict(found), ensure_ascii=False).encode()


# What a preset says, in the order in which it is sent.

PRESET = {
    "proxy_password": "sk-canary",
    "prompts": [
        {"identifier": "main", "name": "Main", "role": "system", "content": "写。"},
        {"identifier": "chatHistory", "name": "Chat History", "marker": True},
        {
            "identifier": "a1",
            "name": "文风",
            "role": "user",
            "content": "慢。",
            "injection_position": 1,
            "injection_depth": 4,
        },
        {"identifier": "spare", "content": "没用上。", "injection_depth": 4},
        5,
    ],
    "prompt_order": [
        {"character_id": 100000, "order": [{"identifier": "main", "enabled": False}]},
        {
            "character_id": 100001,
            "order": [
                {"identifier": "a1", "enabled": True},
                {"identifier": "main", "enabled": True},
                {"identifier": "chatHistory", "enabled": False},
                {"identifier": "gone", "enabled": True},
            ],
        },
    ],
}


def write(folder, value):
    path = folder / "p.json"
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


def test_prompts_come_in_their_order_with_what_is_off(tmp_path):
    found = prompts_in(write(tmp_path, PRESET))
    assert [(p.name, p.role, p.text, p.is_on, p.depth) for p in found] == [
        ("文风", "user", "慢。", True, 4),
        ("Main", "system", "写。", True, None),
        ("Chat History", "system", "", False, None),
        ("spare", "system", "没用上。", False, None),
    ]
    assert "canary" not in repr(found)


@pytest.mark.parametrize(
    ("value", "names"),
    [
        ({"content": "你是{{char}}。"}, ["content"]),
        ({"story_string": "{{description}}"}, ["story_string"]),
        ({"prompts": 5, "prompt_order": [5, {"order": 3}]}, []),
        ({"prompts": [{"identifier": "x", "name": "X", "content": 5}]}, ["X"]),
        ([1], []),
    ],
)
def test_other_presets_have_one_text_and_odd_ones_none(tmp_path, value, names):
    assert [p.name for p in prompts_in(write(tmp_path, value))] == names


def test_what_is_no_preset_is_refused(tmp_path):
    (tmp_path / "p.json").write_bytes(b"{")
    with pytest.raises(InputError, match="is no preset"):
        prompts_in(tmp_path / "p.json")
    with pytest.raises(InputError):
        prompts_in(tmp_path / "gone.json")
    (tmp_path / "secrets.json").write_bytes(b"{}")
    with pytest.raises(InputError):
        prompts_in(tmp_path / "secrets.json")


# What programs read of a folder: prompts of the preset, quick replies; all else is none.


@pytest.fixture
def user(tmp_path):
    (tmp_path / "QuickReplies").mkdir()
    return tmp_path


def shelf_settings(user, **values):
    (user / "settings.json").write_text(json.dumps(values), "utf-8")


def replies(user, name, value):
    text = value if isinstance(value, str) else json.dumps(value)
    (user / "QuickReplies" / f"{name}.json").write_text(text, "utf-8")


def test_prompts_with_a_text_are_told(user):
    rows = [{"name": "主", "content": "写{{char}}"}, {"name": "历史"}, {"content": ""}, 7, None]
    shelf_settings(user, oai_settings={"prompts": rows})
    assert preset_prompts(user) == [{"name": "主", "content": "写{{char}}"}]


def test_only_sets_that_are_on_are_told(user):
    replies(
        user, "a", {"name": "甲", "qrList": [{"label": "看", "message": "看看"}, 3, {"label": 1}]}
    )
    replies(user, "b", {"name": "乙", "qrList": None})
    assert [one["name"] for one in quick_replies(user)] == ["甲", "乙"]
    shelf_settings(
        user, extension_settings={"quickReplyV2": {"config": {"setList": [{"set": "甲"}, "x"]}}}
    )
    (one,) = quick_replies(user)
    assert [(row["label"], row["message"]) for row in one["qrList"]] == [("看", "看看"), ("", "")]


@pytest.mark.parametrize("text", ["", "[]", "{", "7", '{"oai_settings": 3}', "null"])
def test_a_folder_of_rubbish_holds_nothing(user, text):
    (user / "settings.json").write_text(text, "utf-8")
    replies(user, "a", text)
    assert preset_prompts(user) == []
    assert all(one["qrList"] == [] for one in quick_replies(user))
    assert preset_prompts(user / "none") == quick_replies(user / "none") == []


def test_the_settings_give_a_text_to_every_macro_that_is_said_to_be_theirs(user):
    shelf_settings(user, power_user={"instruct": {"enabled": True, "input_sequence": "<u>"}})
    texts = read_texts(user)
    assert texts is not None
    assert set(texts.macros) == set(MACROS)
    assert texts.macros["instructInput"] == "<u>"


# Regex scripts are read as their own program reads them, and written back to the byte.


@pytest.mark.parametrize(
    ("find", "source", "flags"),
    [
        ("/a+/gi", "a+", "gi"),
        ("a+", "a+", ""),
        ("/a\\/b/g", "a\\/b", "g"),
        ("/a/b/g", "a/b", "g"),
        ("/a/gg", "/a/gg", ""),
        ("/a/y", "/a/y", ""),
        ("//", "//", ""),
        ("/a/g // note", "a/g /", ""),
        ("\n/x/s\nmore", "x", "s"),
        ("/.../s trailing", "...", "s"),
    ],
)
def test_patterns_with_and_without_slashes(find, source, flags):
    assert parse_find(find) == (source, flags)


@pytest.mark.parametrize("find", ["", "\n", "\r\n\u2028"])
def test_nothing_to_look_for_is_no_pattern(find):
    assert parse_find(find) is None


def test_groups_are_put_in_trimmed_and_missing_ones_are_empty():
    groups = ("[ab]", "a", None)
    made = with_groups("$0|$1|$2|$9|$<n>|$<x>|$$", groups, {"n": "[b]"}, ("[", "]"))
    assert made == "ab|a|||b||$$"


def test_a_value_is_escaped_for_a_pattern():
    assert escaped("a.b*[c]\n(d)") == "a\\.b\\*\\[c\\]\\n\\(d\\)"


def stored(script, **over):
    values: dict[str, Any] = {
        "scope": "global",
        "owner": "",
        "position": 0,
        "is_enabled": not script.disabled,
    }
    return StoredScript("1", script, **values | over)


@pytest.mark.parametrize("indent", [None, 2, 4, "\t"])
def test_one_script_is_written_to_the_byte(tmp_path, indent):
    text = "\ufeff" + script_json(indent=indent, extra={"unknown": [1e-7, "\ud83d"]}) + "\r\n"
    path = tmp_path / "regex-x.json"
    path.write_bytes(text.encode("utf-8"))
    assert write_scripts([stored(read_file(path)[0])]).encode("utf-8") == path.read_bytes()


def test_only_the_switch_changes_in_a_script_that_was_switched():
    text = script_json(indent=4, extra={"n": 1.0})
    made = write_scripts([stored(read_scripts(text, "x")[0], is_enabled=False)])
    assert made == text.replace('"disabled": false', '"disabled": true')


def test_a_list_is_written_as_it_came():
    text = json.dumps([json.loads(script_json(name=n)) for n in "ab"], indent=4, ensure_ascii=False)
    assert write_scripts(stored(s) for s in read_scripts(text, "x")) == text


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", "{}", "[1]", '{"scriptName": ""}', "x", "[" * 100_000, '{"scriptName":"a"} x'],
)
def test_what_holds_no_script_is_refused(text):
    with pytest.raises(InputError):
        read_scripts(text, "x.json")


def test_wrong_types_do_no_harm():
    text = json.dumps(
        {"scriptName": 5, "findRegex": 3, "trimStrings": "x", "placement": [1, "2", None]}
        | {"minDepth": "4", "maxDepth": float("inf"), "substituteRegex": None}
    )
    script = read_scripts(text, "x")[0]
    assert (script.name, script.find, script.placements) == ("5", "", frozenset({1}))
    assert (script.min_depth, script.max_depth, script.substitute) == (4, None, 0)


@pytest.mark.parametrize(
    ("low", "high", "depth", "runs"),
    [
        (None, None, 0, True),
        (2, None, 1, False),
        (2, None, 2, True),
        (None, 3, 4, False),
        (-1, -1, 9, True),
        (-5, None, 0, True),
        (2, 3, None, True),
    ],
)
def test_depth_limits(low, high, depth, runs):
    text = script_json(extra={"minDepth": low, "maxDepth": high})
    assert read_scripts(text, "x")[0].runs_at(2, depth) is runs
    assert not read_scripts(text, "x")[0].runs_at(5, depth)


# A request is changed where memory goes in, and nowhere else.

BODY = (
    '{ "n": 123456789012345678901234567890, "f": 1.50e-7, "nan": NaN, "dup": 1, "dup": 2,\n'
    ' "messages": [ {"role": "system", "content": "S {{engramSummaries}} \\ud83d"},\n'
    '  {"role":"user","content":[{"type":"text","text":"{{ENGRAMSUMMARIES }}"},'
    '{"type":"image_url","image_url":{"url":"{{engramSummaries}}"}}]} ,{"content":null},\n'
    '  {"role":"user","content":"你好"} ], "last": true }'
)


def changed(change, body=BODY):
    return RequestText(body.encode()).changed(change).decode()


def test_nothing_to_do_gives_the_very_bytes():
    body = BODY.encode()
    assert RequestText(body).changed(Change()) is body
    assert RequestText(body).changed(Change(model="")) is body


def test_the_placeholder_is_filled_in_what_is_said_and_nowhere_else():
    text = 'a "b"\\ \n你'
    spelt = json.dumps(text, ensure_ascii=False)[1:-1]
    wanted = BODY.replace("S {{engramSummaries}}", f"S {spelt}")
    assert changed(Change(fill=text)) == wanted.replace("{{ENGRAMSUMMARIES }}", spelt)


def test_a_message_is_put_in_and_others_are_left_out():
    put_in = '{"role":"developer","content":"M"}'
    change = Change(message="M", role="developer", before=1)
    assert changed(change) == BODY.replace(
        '{"role":"user","content":[', f'{put_in},{{"role":"user","content":['
    )
    last = changed(Change(message="M", role="developer", before=4))
    assert last == BODY.replace('"你好"}', f'"你好"}},{put_in}')
    rows = json.loads(changed(Change(message="M", before=3, left_out=frozenset({0, 1, 2}))))
    assert [row["content"] for row in rows["messages"]] == ["M", "你好"]


def test_a_model_is_named_or_added():
    assert changed(Change(model='m"'), '{"model": "x" ,"a":1}') == '{"model": "m\\"" ,"a":1}'
    assert changed(Change(model="m"), "{}") == '{"model":"m"}'
    assert changed(Change(model="m"), ' {"a":1}') == ' {"model":"m","a":1}'
    assert changed(Change(model="m"), '{"model":null}') == '{"model":"m"}'


def test_a_text_goes_into_a_prompt_before_any_character_however_it_is_spelt():
    body = '{"prompt":"a\\n\\u4e00\\ud83d\\ude00 \\"b\\\\ \\ud83d x😀"}'
    prompt = json.loads(body)["prompt"]
    for at in range(len(prompt) + 1):
        result = json.loads(changed(Change(prompt="|", prompt_at=at), body))["prompt"]
        assert result == prompt[:at] + "|" + prompt[at:]


@pytest.mark.parametrize(
    "body",
    [b"", b"[]", b"1", b'{"a":', b"\xff", b"[" * 100_000, b'{"a":' + b"1" * 5_000 + b"}", b"{} x"],
)
def test_what_is_no_object_is_refused(body):
    with pytest.raises(InputError):
        RequestText(body)


@pytest.mark.parametrize(
    "body",
    [
        '{"messages":{}}',
        '{"messages":[]}',
        '{"messages":[1,"{{engramSummaries}}",null,[]]}',
        '{"messages":"{{engramSummaries}}"}',
        '{"prompt":[["{{engramSummaries}}"],1,{"":"{{engramSummaries}}"}]}',
        '{"messages":[{"content":[1,null,["x"],{"text":1}]}],"x":"{{engramSummaries}}"}',
    ],
)
def test_odd_shapes_stay_json(body):
    change = Change(fill="F", message="M", before=0, prompt="P", model="m")
    value = json.loads(changed(change, body))
    assert value["model"] == "m"


def test_placeholders_in_a_list_of_prompts_are_filled():
    assert (
        changed(Change(fill="F"), '{"prompt":["{{engramSummaries}}","b"]}')
        == '{"prompt":["F","b"]}'
    )
