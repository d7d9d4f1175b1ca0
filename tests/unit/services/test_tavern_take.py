"""A SillyTavern folder, taken in and followed."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from typing_extensions import override

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.tavern.folder import (
    TAVERN_KINDS,
    TavernChoice,
    TavernPersona,
    persona_of,
)
from engram_desktop.jobs.context import Cancelled, NullContext
from tests.oracle.acts import follow, states_of, take_afresh
from tests.oracle.report import Report, recorded
from tests.tavern import TavernChatFile, card_png, make_tavern

# Everything of a SillyTavern folder: taken in at one go, once, with what belongs together.

CTX = NullContext()
WORLDBOOK = {"entries": {"0": {"uid": 0, "key": ["月光"], "content": "月光酒馆在码头。"}}}


def card(name, **data):
    fields = {"name": name, "description": "酒馆的店主。", "first_mes": "欢迎。"}
    return {"spec": "chara_card_v2", "spec_version": "2.0", "data": fields | data}


def script(name, key="", **over):
    fields = {"id": key or name, "scriptName": name, "findRegex": "/a/g", "replaceString": "b"}
    return fields | {"placement": [1, 2], "promptOnly": True} | over


def write(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, ensure_ascii=False), "utf-8")
    return path


class Tavern:
    """A folder in which everything hangs together."""

    def __init__(self, root):
        self.handle = handle = make_tavern(root)
        self.folder = root
        own = {"entries": [{"keys": ["钥匙"], "content": "钥匙是铜的。"}]}
        alice = card(
            "爱丽丝",
            character_book=own,
            extensions={"world": "月光", "regex_scripts": [script("卡内")]},
        )
        (handle / "characters" / "爱丽丝.png").write_bytes(card_png(alice))
        (handle / "characters" / "白兔.png").write_bytes(
            card_png(card("白兔", character_book=own, extensions={"regex_scripts": [script("兔")]}))
        )
        self.chat = TavernChatFile(handle / "chats" / "爱丽丝" / "爱丽丝 - 1.jsonl")
        self.chat.metadata |= {"world_info": "这一场", "persona": "me.png"}
        self.chat.say("欢迎光临。", "来一杯麦酒。", "好的。")
        for name in ("月光", "世界观", "这一场", "额外", "无关", "旅人的事"):
            write(handle / "worlds" / f"{name}.json", WORLDBOOK | {"name": name})
        self.preset = write(
            handle / "OpenAI Settings" / "默认.json",
            {"proxy_password": "sk-canary", "extensions": {"regex_scripts": [script("预设内")]}},
        )
        write(handle / "OpenAI Settings" / "空的.json", {"temperature": 1})
        self.settings = {
            "world_info_settings": {
                "world_info": {
                    "globalSelect": ["世界观"],
                    "charLore": [{"name": "爱丽丝", "extraBooks": ["额外"]}, 5],
                }
            },
            "extension_settings": {
                "regex": [script("去思考"), 5, script("关着", disabled=True)],
                "character_allowed_regex": ["爱丽丝.png"],
                "preset_allowed_regex": {"openai": ["默认"]},
            },
            "oai_settings": {"preset_settings_openai": "默认", "proxy_password": "sk-canary"},
            "power_user": {
                "personas": {"me.png": "旅人", "other.png": "旅人二"},
                "persona_descriptions": {
                    "me.png": {"description": "一个失忆的旅人。", "lorebook": "旅人的事"},
                    "other.png": {"description": "旅人的哥哥。"},
                },
                "default_persona": "other.png",
            },
        }
        self.save()
        (handle / "secrets.json").write_text('{"api_key_openai": "sk-canary"}', "utf-8")

    def save(self):
        write(self.handle / "settings.json", self.settings)


@pytest.fixture
def tavern(tmp_path):
    return Tavern(tmp_path / "SillyTavern")


def take(memory, tavern, kinds=TAVERN_KINDS, *, follow=False, ctx=CTX):
    found = memory.tavern.list_folder(CTX, tavern.folder)
    reports: list[ImportReport] = []
    troubles: list[tuple[str, InputError]] = []
    memory.tavern.take(
        ctx,
        found,
        TavernChoice(found.keys(kinds), follow=follow),
        reports.append,
        lambda file, error: troubles.append((file, error)),
    )
    return reports, troubles


def states(memory, tavern):
    found = memory.tavern.list_folder(CTX, tavern.folder)
    held = memory.tavern.states(CTX, found)
    names: dict[str, str] = {}
    for handle in found.handles:
        names |= {c.name: held[c.path] for c in handle.chats()}
        names |= {f"{c.name}.png": held[c.avatar] for c in handle.characters}
        names |= {f"{i.kind} {i.name}": held[i.key] for i in handle.items}
    return names


def test_the_whole_folder_is_listed_with_what_is_in_it(memory, tavern):
    (handle,) = memory.tavern.list_folder(CTX, tavern.folder).handles
    alice, rabbit = handle.characters
    assert (alice.called, alice.book, alice.entries, alice.scripts) == ("爱丽丝", "月光", 1, 1)
    assert (alice.chats[0].book, alice.chats[0].persona) == ("这一场", "me.png")
    assert rabbit.book == ""
    assert {i.name: (i.count, i.is_on) for i in handle.of_kind("world")}["世界观"] == (1, True)
    assert [(i.name, i.is_on) for i in handle.of_kind("regex")] == [
        ("去思考", True),
        ("关着", False),
    ]
    assert [(i.name, i.count, i.is_on) for i in handle.of_kind("preset")] == [
        ("空的", 0, False),
        ("默认", 1, True),
    ]
    assert [(i.name, i.detail, i.is_on) for i in handle.of_kind("persona")] == [
        ("旅人", "一个失忆的旅人。", False),
        ("旅人二", "旅人的哥哥。", True),
    ]
    assert set(states(memory, tavern).values()) == {"new"}


def test_everything_is_taken_in_once_and_hangs_together(memory, tavern):
    reports, troubles = take(memory, tavern)
    assert troubles == []
    assert {r.kind for r in reports} == {"chat", "card", "worldbook", "regex", "persona"}
    (chat,) = memory.chats.all()
    assert chat.messages == 3
    assert {row.avatar for row in memory.characters.all()} == {"爱丽丝.png", "白兔.png"}
    worldbooks = {row.name: row for row in memory.worldbooks.all()}
    assert [name for name, row in worldbooks.items() if row.is_global] == ["世界观"]
    on = {row.name for row in memory.worldbooks.of_chat(Line.main(chat.chat_id))}
    assert on == {"世界观", "月光", "额外", "这一场", "旅人的事"}  # and not its copy in the card
    assert memory.settings.read(chat.chat_id).persona_text == "一个失忆的旅人。"
    scripts = {(s.scope, s.owner, s.script.name): s.is_enabled for s in memory.scripts.all()}
    assert scripts == {
        ("global", "", "去思考"): True,
        ("global", "", "关着"): False,
        ("preset", "默认", "预设内"): True,
        ("scoped", "爱丽丝", "卡内"): True,
        ("scoped", "白兔", "兔"): False,
    }
    again, troubles = take(memory, tavern)
    assert (sum(r.added for r in again), troubles) == (0, [])
    assert len(memory.worldbooks.all()) == len(worldbooks)
    assert len(memory.characters.all()) == 2
    held = states(memory, tavern)
    assert held.pop("persona 旅人二") == "new"  # no chat is theirs
    assert held.pop("preset 空的") == "new"
    assert set(held.values()) == {"here"}


def test_a_chat_brings_its_card_and_the_worldbooks_they_name(memory, tavern):
    take(memory, tavern, ["chats"], follow=True)
    assert [row.avatar for row in memory.characters.all()] == ["爱丽丝.png"]
    assert {row.name for row in memory.worldbooks.all()} == {"月光", "额外", "这一场", "旅人的事"}
    assert {s.script.name for s in memory.scripts.all()} == {"卡内"}
    assert [row.is_followed for row in memory.tavern.followed()] == [True]
    assert states(memory, tavern)["爱丽丝 - 1"] == "followed"


def test_what_changed_in_the_folder_is_newer_and_is_renewed(memory, tavern):
    take(memory, tavern)
    entries = WORLDBOOK["entries"] | {"1": {"uid": 1, "key": ["雨"], "content": "下雨了。"}}
    write(tavern.handle / "worlds" / "世界观.json", {"entries": entries})
    (tavern.handle / "characters" / "白兔.png").write_bytes(card_png(card("白兔", tags=["新"])))
    tavern.settings["extension_settings"]["regex"][0]["findRegex"] = "/c/g"
    tavern.save()
    tavern.chat.say("再来一杯。")
    newer = {name for name, state in states(memory, tavern).items() if state == "newer"}
    assert newer == {"world 世界观", "白兔.png", "regex 去思考", "爱丽丝 - 1"}
    take(memory, tavern)
    assert "newer" not in states(memory, tavern).values()
    (worldbook,) = (row for row in memory.worldbooks.all() if row.name == "世界观")
    assert (worldbook.entries, worldbook.is_global) == (2, True)
    assert len(memory.characters.all()) == 2
    assert [s.script.find for s in memory.scripts.all() if s.script.name == "去思考"] == ["/c/g"]
    assert memory.chats.all()[0].messages == 4


@pytest.mark.logs("was left out")
def test_a_chat_that_is_followed_brings_the_same_along(memory, tavern):
    (tavern.handle / "worlds" / "额外.json").write_text("{", "utf-8")
    reports = list(memory.tavern.catch_up(CTX, tavern.folder))
    assert [h.what for r in reports for h in r.happened] == ["imported"]
    (chat,) = memory.chats.all()
    assert [row.avatar for row in memory.characters.all()] == ["爱丽丝.png"]
    on = {row.name for row in memory.worldbooks.of_chat(Line.main(chat.chat_id))}
    assert on == {"月光", "这一场", "旅人的事"}
    assert memory.settings.read(chat.chat_id).persona_text == "一个失忆的旅人。"
    memory.characters.delete(memory.characters.all()[0].id)
    tavern.chat.say("再来一杯。")
    list(memory.tavern.catch_up(CTX, tavern.folder))
    assert memory.characters.all() == []  # only with a chat that is new


def test_a_worldbook_changed_here_is_never_replaced(memory, tavern):
    take(memory, tavern, ["books"])
    (row,) = (row for row in memory.worldbooks.all() if row.name == "无关")
    memory.worldbooks.change_entries(row.id, [0], {"content": "我改的。"})
    write(tavern.handle / "worlds" / "无关.json", {"entries": {}})
    take(memory, tavern, ["books"])
    assert memory.worldbooks.read(row.id).entries[0].content == "我改的。"
    assert "无关 (2)" in {row.name for row in memory.worldbooks.all()}


def test_what_the_user_said_of_himself_stays(memory, tavern):
    take(memory, tavern, ["chats"])
    (chat,) = memory.chats.all()
    memory.settings.set("persona.text", "我自己写的。", chat.chat_id)
    reports, _troubles = take(memory, tavern, ["personas"])
    assert memory.settings.read(chat.chat_id).persona_text == "我自己写的。"
    assert [(r.name, r.added) for r in reports] == [("旅人", 0), ("旅人二", 0)]


def test_what_is_broken_is_told_and_the_rest_is_taken(memory, tavern):
    (tavern.handle / "worlds" / "坏的.json").write_text("{", "utf-8")
    (tavern.handle / "characters" / "空白.png").write_bytes(b"\x89PNG")
    reports, troubles = take(memory, tavern)
    assert {file.rpartition("/")[2].rpartition("\\")[2] for file, _e in troubles} == {
        "坏的.json",
        "空白.png",
    }
    assert len([r for r in reports if r.kind == "worldbook"]) == 6


def test_a_cancel_keeps_what_was_finished(memory, tavern):
    class Impatient(NullContext):
        @override
        def report(self, done, total, label=""):
            if label == "files" and done == 2:
                raise Cancelled

    with pytest.raises(Cancelled):
        take(memory, tavern, ctx=Impatient())
    assert len(memory.worldbooks.all()) == 2
    take(memory, tavern)
    assert len(memory.worldbooks.all()) == 7  # six of the folder, one of the card without a link


def test_the_secrets_are_never_opened_and_passwords_stay_where_they_are(memory, tavern):
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args) if event == "open" else None)
    before = {p: p.read_bytes() for p in tavern.handle.rglob("*") if p.is_file()}
    opened.clear()
    take(memory, tavern)
    states(memory, tavern)
    seen = [args for args in opened if str(tavern.handle) in str(args[0])]
    assert any(str(args[0]).endswith("settings.json") for args in seen)
    assert not [args for args in seen if str(args[0]).endswith("secrets.json")]
    assert not [args for args in seen if "w" in str(args[1]) or "a" in str(args[1])]
    assert {p: p.read_bytes() for p in before} == before
    memory.close()
    for file in memory.folder.rglob("*"):
        if file.is_file():
            assert b"sk-canary" not in file.read_bytes(), file


def test_the_secrets_are_refused_even_if_they_are_chosen(memory, tavern):
    secrets = tavern.handle / "secrets.json"
    chat_id = memory.imports.import_file(CTX, tavern.chat.path).chat_id
    opened = []
    sys.addaudithook(lambda event, args: opened.append(args) if event == "open" else None)
    opened.clear()
    for look in (
        lambda: memory.imports.preview(CTX, secrets),
        lambda: memory.imports.import_file(CTX, secrets),
        lambda: memory.imports.import_file(CTX, secrets, into=chat_id),
        lambda: memory.adopt.find(CTX, Line.main(chat_id), [secrets]),
    ):
        with pytest.raises(InputError, match="not opened"):
            look()
    assert not [args for args in opened if str(args[0]).endswith("secrets.json")]


def test_old_groups_keep_their_metadata_in_the_group(memory, tavern):
    handle = tavern.handle
    rows: list[dict[str, Any]] = [
        {"name": "爱丽丝", "mes": "茶好了。", "original_avatar": "爱丽丝.png"}
    ]
    rows += [{"name": "旅人", "is_user": True, "mes": "谢谢。"}]
    rows += [{"name": "白兔", "mes": f"第{n}杯。", "original_avatar": "白兔.png"} for n in range(4)]
    for name, count in (("g1", 6), ("g2", 4)):
        lines = [json.dumps(row, ensure_ascii=False) for row in rows[:count]]
        extra = [json.dumps({"name": "白兔", "mes": f"{name}的结局。"}, ensure_ascii=False)]
        (handle / "group chats" / f"{name}.jsonl").write_text("\n".join(lines + extra), "utf-8")
    group = {
        "id": "7",
        "name": "茶会",
        "members": ["爱丽丝.png", "白兔.png"],
        "disabled_members": ["白兔.png"],
        "chats": ["g1", "g2"],
        "chat_id": "g1",
        "chat_metadata": {"world_info": "无关"},
        "past_metadata": {"g2": {"main_chat": "g1", "persona": "other.png"}},
    }
    write(handle / "groups" / "7.json", group)
    (found,) = memory.tavern.list_folder(CTX, tavern.folder).handles
    first, second = found.groups[0].chats
    assert (first.book, second.main_chat, second.persona) == ("无关", "g1", "other.png")
    assert found.groups[0].disabled == ("白兔.png",)
    choice = TavernChoice(frozenset({first.path, second.path}), follow=True)
    memory.tavern.take(CTX, memory.tavern.list_folder(CTX, tavern.folder), choice, str, print)
    (chat,) = memory.chats.all()
    assert (chat.name, chat.branches) == ("茶会 – g1", 2)
    assert {row.avatar for row in memory.characters.all(chat.chat_id)} == {"爱丽丝.png", "白兔.png"}
    assert "无关" in {row.name for row in memory.worldbooks.of_chat(Line.main(chat.chat_id))}


ME, HIM = TavernPersona("me.png", "旅人", "我。"), TavernPersona("him.png", "过客", "他。", True)
LOCKED = TavernPersona("l.png", "锁", "锁。", locks=frozenset({("character", "爱丽丝.png")}))


@pytest.mark.parametrize(
    ("chosen", "personas", "names", "wanted"),
    [
        ("him.png", [ME, HIM, LOCKED], ["旅人"], HIM),
        ("gone.png", [ME, HIM, LOCKED], ["旅人"], LOCKED),
        ("", [ME, HIM], ["旅人"], ME),
        ("", [ME, HIM], ["无名"], HIM),
        ("", [ME], ["无名"], None),
        ("", [ME, TavernPersona("b.png", "旅人", "又一个。", True)], ["旅人"], "又一个。"),
    ],
)
def test_who_the_player_is_in_a_chat(chosen, personas, names, wanted):
    found = persona_of(personas, chosen, ("character", "爱丽丝.png"), names)
    assert (found.text if found else None) == getattr(wanted, "text", wanted)


def test_what_is_taken_at_one_go_is_one_step(memory, tavern):
    take(memory, tavern)
    held = (len(memory.worldbooks.all()), len(memory.characters.all()), len(memory.scripts.all()))
    assert all(held)
    (step,) = memory.history.steps()
    assert str(step.label) == "Take things in from the folder SillyTavern"
    memory.history.undo()
    assert (memory.worldbooks.all(), memory.characters.all(), memory.scripts.all()) == ([], [], [])
    assert memory.chats.all(), "chats are not the library's to take back"
    memory.history.redo()
    assert (
        len(memory.worldbooks.all()),
        len(memory.characters.all()),
        len(memory.scripts.all()),
    ) == held


def test_what_somebody_does_meanwhile_is_a_step_of_its_own(memory, tavern):
    class Meanwhile(NullContext):
        units = 0

        @override
        def write(self, unit):
            made = unit()
            self.units += 1
            if self.units == 2:
                worldbook = memory.worldbooks.all()[0]
                memory.worldbooks.set_global(worldbook.id, is_global=not worldbook.is_global)
            return made

    take(memory, tavern, ctx=Meanwhile())
    labels = [str(step.label) for step in memory.history.steps()]
    assert len(labels) == 3
    assert "in every chat" in labels[1]
    while memory.worldbooks.all():
        memory.history.undo()
    assert memory.characters.all() == []


# What was played in a real SillyTavern is followed as it was meant: see `tests.oracle.acts`.


@pytest.fixture(scope="module")
def played_states():
    return states_of(recorded("acts"))


def test_every_file_event_and_fork_is_what_it_should_be_after_each_act(played_states):
    report = Report("acts")
    follow(played_states, report, is_hasty=True)
    assert report.differ == []
    assert report.total >= 60


def test_stories_are_main_lines_in_a_library_that_knew_nothing_of_them(played_states):
    report = Report("acts")
    for state in (played_states[-1], played_states[len(played_states) // 2]):
        take_afresh(state, report)
    assert report.differ == []
