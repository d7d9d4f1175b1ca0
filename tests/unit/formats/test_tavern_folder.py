"""What a SillyTavern folder holds, however it is given and whatever is broken in it."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import asdict
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engram_desktop.formats.tavern.folder import (
    ListingLimits,
    NoTavern,
    chat_files,
    find_handles,
    list_folder,
    parents_first,
)
from tests.tavern import TavernChatFile, make_tavern


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
    assert {Path(path).name for path, _what in found.warnings} == {
        "bad.json",
        "settings.json",
    }


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


def test_parents_come_before_their_branches_and_a_ring_ends(handle, chat):
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


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=150)
@given(st.dictionaries(WORDS, ANY, max_size=6))
def test_whatever_the_settings_hold_the_folder_is_listed(handle, chat, value):
    (handle / "settings.json").write_text(json.dumps(value), "utf-8")
    (handle / "groups" / "1.json").write_text(json.dumps(value), "utf-8")
    found = list_folder(handle)
    assert len(found.chats()) == 1
    json.dumps(asdict(found), ensure_ascii=False).encode()
