"""Macros in prompts of a chat."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engram_desktop.domain.changes import ADD, StepLabel
from engram_desktop.domain.errors import InputError, PromptFailed, PromptStopped
from engram_desktop.domain.macros.scope import CHAT_MACROS, OLDER_NAMES
from engram_desktop.domain.memory.event import SourceRange
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.pipeline.prompt_template import TASKS
from engram_desktop.domain.recall.query import RecallQuery
from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.memory import Memory
from engram_desktop.services.prompts.macro_scope import ChatSays
from engram_desktop.services.prompts.native import Native
from tests.factories import (
    counting_clock,
    import_chat,
    make_event,
    make_extraction,
    script_json,
    set_all,
    story_rows,
)
from tests.fixtures import fake_llm
from tests.oracle import regex
from tests.oracle.macro_chats import against, opened
from tests.oracle.report import recorded
from tests.oracle.text_prompts import against as prompts_against

# Macros mean the same in prompts, regex scripts and worldbooks; no story is ever a template.

CTX = NullContext()
HOSTILE = "<%= 1+1 %>{{char}}{{setvar::hp::0}}{{getvar::hp}}{{random::a::b}}<% throw 1 %>"
CARD = {
    "name": "爱丽丝",
    "description": "{{char}}是酒馆的老板，认识{{user}}。",
    "personality": "爽快",
    "scenario": "月光酒馆",
    "first_mes": "欢迎，{{user}}！",
    "mes_example": "<START>\n{{user}}: 有酒吗？\n<START>\n{{char}}: 有。",
    "creator_notes": "旧版",
    "system_prompt": "你是{{char}}。",
    "post_history_instructions": "简短。",
    "character_version": "1.2",
    "extensions": {"depth_prompt": {"prompt": "记得钥匙", "depth": 4}},
}
HEADER = {
    "user_name": "unused",
    "character_name": "unused",
    "chat_metadata": {"note_prompt": "下着雨，{{user}}来了。", "variables": {"hp": 7, "ok": True}},
}
ROWS = [
    {"name": "爱丽丝", "mes": "欢迎。"},
    {"name": "旅人", "is_user": True, "mes": "钥匙在哪？", "send_date": "2024-05-06T13:00:00.000Z"},
    {"name": "卡尔", "mes": "不知道。"},
    {"name": "旅人", "is_user": True, "mes": HOSTILE, "send_date": "2024-05-06T14:00:00.000Z"},
    {
        "name": "爱丽丝",
        "mes": "铜钥匙在这里。",
        "swipe_id": 1,
        "swipes": ["没有。", "铜钥匙在这里。", "等等。"],
        "variables": [{}, {"stat_data": {"好感": [3, "说明"]}, "hp": 9}, {}],
    },
]
# What stands for each macro here; None where it need only be known.
EXPECTED = {
    "char": "爱丽丝",
    "Char": "爱丽丝",
    "user": "旅人",
    "persona": "旅人，一个失眠的人",
    "group": "爱丽丝, 卡尔",
    "groupNotMuted": "爱丽丝, 卡尔",
    "notChar": "卡尔, 旅人",
    "charPrompt": "你是爱丽丝。",
    "charInstruction": "简短。",
    "charDescription": "爱丽丝是酒馆的老板，认识旅人。",
    "description": "爱丽丝是酒馆的老板，认识旅人。",
    "charPersonality": "爽快",
    "charScenario": "月光酒馆",
    "charDepthPrompt": "记得钥匙",
    "charCreatorNotes": "旧版",
    "charFirstMessage": "欢迎，旅人！",
    "charVersion": "1.2",
    "mesExamples": "<START>\n旅人: 有酒吗？\n<START>\n爱丽丝: 有。\n",
    "mesExamplesRaw": "<START>\n旅人: 有酒吗？\n<START>\n爱丽丝: 有。",
    "model": "usual",
    "systemPrompt": "你是爱丽丝。",
    "authorsNote": "下着雨，{{user}}来了。",
    "charAuthorsNote": "",
    "summary": "",
    "engramSummaries": None,
    "userInput": HOSTILE,
    "input": HOSTILE,
    "lastMessage": None,
    "lastUserMessage": HOSTILE,
    "lastCharMessage": "铜钥匙在这里。",
    "lastMessageId": "4",
    "firstIncludedMessageId": "1",
    "lastSwipeId": "3",
    "currentSwipeId": "2",
    "allChatRange": "0-4",
    "idleDuration": None,
    "idle_duration": None,
    "getvar::hp": "9",
    "getvar::ok": "1",
    "getvar::stat_data": '{"好感":[3,"说明"]}',
    "hasvar::hp": "true",
    "hasvar::nothing": "false",
    "getvar::nothing": "",
    "setvar::x::1": "",
    "addvar::hp::1": "",
    "incvar::hp": "10",
    "decvar:hp": "8",
    "deletevar::hp": "",
    "setglobalvar::g::2": "",
    "getglobalvar::g": "",
    "isodate": None,
    "isotime": None,
    "time": None,
    "date": None,
    "weekday": None,
    "datetimeformat::YYYY [年]": None,
    "timeDiff::2024-05-06T00:00::2024-05-06T02:00": "2 hours ago",
    "roll:1d1": "1",
    "random::a::a": "a",
    "pick:b,b": "b",
    "reverse::{{char}}": "丝丽爱",
    "newline": "\n",
    "space::2": "  ",
    "noop": "",
    "banned::word": "",
    "// {{char}}": "",
    "outlet::none": "",
    "if hp}}a{{else}}b{{/if": "a",
    "if {{getvar::nothing}}}}a{{else}}b{{/if": "b",
}


server = fake_llm(lambda _body: '{"events": []}')


@pytest.fixture
def macro_memory(open_memory, server):
    environ = {"ENGRAM_LLM_BASE_URL": server.url, "ENGRAM_LLM_MODEL": "usual"}
    return open_memory(environ=environ, **{"llm.model": "usual"})


@pytest.fixture
def chat(macro_memory, tmp_path):
    return take_in(macro_memory, tmp_path)


def take_in(memory, folder):
    card = folder / "爱丽丝.json"
    text = json.dumps({"spec": "chara_card_v2", "data": CARD}, ensure_ascii=False)
    card.write_text(text, "utf-8")
    memory.imports.import_file(CTX, card)
    path = folder / "故事.jsonl"
    lines = [json.dumps(row, ensure_ascii=False) for row in (HEADER, *ROWS)]
    path.write_text("\n".join(lines), "utf-8")
    memory.settings.set("persona.text", "{{user}}，一个失眠的人")
    return memory.imports.import_file(CTX, path).chat_id


@pytest.fixture(scope="module")
def held(tmp_path_factory):
    """A library that is only read: (memory, chat, what its chat says)."""
    folder = tmp_path_factory.mktemp("macros")
    memory = Memory.open(folder / "资料库", clock=counting_clock(), environ={})
    set_all(memory, {"embed.local": "hash", "llm.model": "usual"})
    script = folder / "regex.json"
    script.write_text(script_json("/nothing/", ""), "utf-8")
    memory.imports.import_file(CTX, script)
    chat = take_in(memory, folder)
    says = ChatSays(
        memory.session.library, memory.session.chat(chat), memory.settings.read(chat), "main"
    )
    yield memory, chat, says
    memory.close()


def written(memory, chat, user, task="summary", system="-"):
    template = replace(memory.prompts.find(task, "zh").template, system=system, user=user)
    return memory.pipeline.preview_prompt(Line.main(chat), task, (0, 4), template=template)


def in_prompt(held, macro):
    memory, chat, _says = held
    made = written(memory, chat, f"[{{{{{macro}}}}}]", "expand")
    assert made.unknown == ()
    return made.messages[-1][1]


def in_script(held, macro):
    memory, chat, _says = held
    script = RegexScript("x", "/x/", f"[{{{{{macro}}}}}]", placements=frozenset({2}))
    native = memory._chat_prompts.native(
        CTX, memory.session.chat(chat), memory.settings.read(chat), "main"
    )
    stored = StoredScript("x", script, "global", "", 0, is_enabled=True)
    return replace(native, scripts=[stored]).text("x", 2)


def in_worldbook(held, macro):
    return held[2].filled(f"[{{{{{macro}}}}}]")


@pytest.mark.parametrize("place", [in_prompt, in_script, in_worldbook])
@pytest.mark.parametrize("macro", EXPECTED)
def test_what_each_macro_means(held, macro, place):
    expected, text = EXPECTED[macro], place(held, macro)
    if expected is None:
        assert text not in {"[]", f"[{{{{{macro}}}}}]"} or macro == "engramSummaries"
    else:
        assert text == f"[{expected}]"


def test_every_macro_that_is_named_has_a_value(held):
    named = {*CHAT_MACROS, *OLDER_NAMES} - {"chatHistory", "worldbookContext"}
    assert named == set(held[2].values())
    assert {name for name in CHAT_MACROS if name not in EXPECTED} <= {
        "chatHistory",
        "worldbookContext",
    }


@pytest.mark.parametrize("task", TASKS)
def test_the_great_four_are_there_for_every_task(macro_memory, chat, task):
    macro_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "extractive")
    great = "{{chatHistory}}|{{worldbookContext}}|{{userInput}}|{{engramSummaries}}"
    made = written(macro_memory, chat, f"[{great}]", task)
    assert made.unknown == ()
    assert "铜钥匙" in made.messages[-1][1]


@pytest.mark.parametrize("ejs", [False, True])
@pytest.mark.parametrize("task", TASKS)
def test_what_is_said_in_a_story_is_sent_as_it_is_written(macro_memory, chat, server, task, ejs):
    """Not as a macro, and not as a part of a template; its own program fails, whatever is on."""
    macro_memory.settings.set("native.ejs", ejs)
    macro_memory.settings.set("clean.tags", value=False)
    macro_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "extractive")
    before = macro_memory.pipeline.preview_prompt(Line.main(chat), task, (0, 4)).messages
    assert "{{" not in str(before).replace(HOSTILE, "")
    if task in {"summary", "expand", "triage", "reflect"}:
        assert HOSTILE in before[1][1]
    own = (
        "<%- lastUserMessage %>|<%= chatHistory %>|{{lastUserMessage}}" if ejs else "{{userInput}}"
    )
    after = written(macro_memory, chat, own, task).messages[-1][1]
    assert HOSTILE in after
    assert "爱丽丝{{" not in after
    macro_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    assert HOSTILE in server.bodies()[-1]["messages"][1]["content"]


def test_what_a_program_in_a_message_prints_is_never_a_template(macro_memory, tmp_path):
    said = '<%= "{{char}}<" + "%= 1 %" + ">" %>'
    chat = import_chat(macro_memory, tmp_path / "话.jsonl", [("旅人", said)] * 3)
    macro_memory.settings.set("native.ejs", value=True)
    macro_memory.settings.set("clean.tags", value=False)
    made = written(macro_memory, chat, "<%- lastUserMessage %>|{{chatHistory}}").messages[-1][1]
    assert made.count("{{char}}<%= 1 %>") == 4


def test_programs_read_and_change_variables_before_macros_are_filled(macro_memory, chat):
    macro_memory.settings.set("native.ejs", value=True)
    made = written(
        macro_memory,
        chat,
        "<% if (hp > 8 && lastMessageId + 1 === 5) { %>{{char}}<% } %>"
        "<%= getvar('stat_data.好感')[0] %>{{getvar::hp}}{{getvar::seen}}<%= first %>",
        system="<% setvar('seen', user); hp = 11 %>{{getvar::hp}}",
    )
    assert made.messages == (("system", "11"), ("user", "爱丽丝311旅人0"))
    assert macro_memory.prompts.find("summary", "zh").template.user  # nothing was kept
    macro_memory.settings.set("native.ejs", value=False)
    assert written(macro_memory, chat, "<%= 1 %>{{char}}").messages[1][1] == "<%= 1 %>爱丽丝"


def test_what_a_program_prints_can_be_an_argument_but_never_a_macro(macro_memory, chat):
    macro_memory.settings.set("native.ejs", value=True)
    made = written(
        macro_memory,
        chat,
        "{{reverse::<%= 'abc' %>}}{{if <%= '' %>}}x{{else}}y{{/if}}<%= '{{char}}' %>"
        "{{if <%= 'summary' %>}}z{{/if}}{{{<%= 1 %>}}}",
    )
    assert made.messages[1][1] == "cbay{{char}}z{{{1}}}"


def test_a_program_that_fails_stops_the_request_and_names_its_line(macro_memory, chat, server):
    macro_memory.settings.set("native.ejs", value=True)
    template = macro_memory.prompts.find("summary", "zh").template
    macro_memory.prompts.save(replace(template, user="{{chatHistory}}\n\n<%= nothing.at.all %>"))
    with pytest.raises(PromptFailed, match=r"user part, line 3: .*nothing is not defined"):
        macro_memory.pipeline.preview_prompt(Line.main(chat), "summary", (0, 4))
    with pytest.raises(PromptFailed, match="Nothing was sent"):
        macro_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    macro_memory.prompts.save(replace(template, system="<% for (;;) {} %>"))
    with pytest.raises(PromptStopped, match="system part"):
        macro_memory.pipeline.summarise(CTX, Line.main(chat), (0, 4), "llm")
    assert server.bodies() == []
    assert macro_memory.events.counts(Line.main(chat)).total == 0


def test_worldbooks_may_use_them_in_keys_and_contents(macro_memory, chat, tmp_path):
    entries = {
        "0": {"uid": 0, "key": ["{{lastCharMessage}}"], "content": "好感{{getvar::hp}}"},
        "1": {"uid": 1, "key": ["没有{{char}}"], "content": "不相干"},
        "2": {"uid": 2, "key": [], "constant": True, "content": "{{setvar::hp::0}}{{persona}}"},
        "3": {"uid": 3, "key": [], "constant": True, "content": "{{nobody}}{{getvar::hp}}"},
        "4": {
            "uid": 4,
            "key": [],
            "constant": True,
            "position": 7,
            "outletName": "天气",
            "content": "下雨，{{char}}没带伞",
        },
    }
    path = tmp_path / "设定.json"
    path.write_text(json.dumps({"entries": entries}, ensure_ascii=False), "utf-8")
    macro_memory.imports.import_file(CTX, path)
    macro_memory.worldbooks.set_global(macro_memory.worldbooks.all()[-1].id, is_global=True)
    told = {
        o.entry.uid: o.entry.content
        for o in macro_memory.worldbooks.activate(CTX, Line.main(chat)).fired
    }
    assert told == {0: "好感9", 2: "旅人，一个失眠的人", 3: "{{nobody}}9", 4: "下雨，爱丽丝没带伞"}
    made = written(macro_memory, chat, "{{worldbookContext}}|{{outlet::天气}}|{{outlet::none}}|")
    context, weather, nothing, _end = made.messages[1][1].split("|")
    assert "好感9" in context
    assert "下雨" not in context
    assert (weather, nothing) == ("下雨，爱丽丝没带伞", "")


def test_entries_stand_in_the_order_of_a_prompt_and_outlets_highest_order_first(
    macro_memory, chat, tmp_path
):
    def entry(uid, position, **more):
        row = {"uid": uid, "key": [], "constant": True, "position": position, "content": f"e{uid}"}
        return row | more

    rows = [
        entry(0, 4, depth=1),
        entry(1, 4, depth=8),
        entry(2, 3),
        entry(3, 1, order=50),
        entry(4, 1, order=200),
        entry(5, 0, order=900),
        entry(6, 5),
        entry(7, 7, outletName="天气", order=10),
        entry(8, 7, outletName="天气", order=20),
    ]
    path = tmp_path / "设定.json"
    path.write_text(json.dumps({"entries": {str(r["uid"]): r for r in rows}}), "utf-8")
    macro_memory.imports.import_file(CTX, path)
    macro_memory.worldbooks.set_global(macro_memory.worldbooks.all()[-1].id, is_global=True)
    made = written(macro_memory, chat, "{{worldbookContext}}|{{outlet::天气}}|{{outlet::}}|")
    context, weather, nothing, _end = made.messages[1][1].split("|")
    assert context.split()[-7:] == ["e5", "e3", "e4", "e6", "e2", "e1", "e0"]
    assert (weather.split(), nothing) == (["e8", "e7"], "")


# Regex scripts beside what a real SillyTavern made of the same texts, as it was written down.


def test_scripts_do_what_the_real_one_does():
    report = regex.judge(recorded("regex"))
    assert not report.differ, report.text()
    assert report.agree > 600
    assert set(report.known) <= {regex.READ_AGAIN, regex.BROKEN}


def native_of(javascript, find, replace, faults):
    script = RegexScript("x", find, replace, placements=frozenset({2}), prompt_only=True)
    stored = StoredScript("1", script, "global", "", 0, is_enabled=True)
    return Native([stored], javascript, on_fault=lambda _script, error: faults.append(error))


def test_a_script_without_a_pattern_leaves_texts_alone_even_where_it_is_tried(javascript):
    faults: list[Exception] = []
    for find in ("", "\n"):
        steps = native_of(javascript, find, "x", faults).trial("a\nb", 2)
        assert [step.text for step in steps] == ["a\nb", "a\nb"]
    assert not faults


@pytest.mark.parametrize("replace", ["$2", "$2{{unknown}}"])
def test_a_replacement_that_quotes_the_whole_text_over_and_over_is_stopped(javascript, replace):
    faults: list[Exception] = []
    text = "a" * 100_000
    assert native_of(javascript, "/a/g", replace, faults).text(text, 2) == text
    assert len(faults) == 1


# What macros said of real chats opened in SillyTavern 1.19, and what they say of them here.


def test_macros_tell_of_a_chat_what_the_real_one_told():
    report = against(recorded("macro_chats"))
    assert report.total > 300
    assert report.differ == [], report.text()


# Text completion prompts are put together as SillyTavern 1.19 put them together.


def test_prompts_are_those_of_the_real_one():
    report = prompts_against(recorded("text_prompts"))
    assert report.total >= 150
    assert report.differ == [], report.text()


def test_a_chat_is_shown_by_the_templates_in_use_and_a_bad_one_is_told(tmp_path):
    with opened(tmp_path) as chats:
        chat = chats[4]
        prompts = chat.memory.prompts
        shown = prompts.as_text(chat.line)
        assert shown.startswith("***\n<|u|>\nWhere to?")
        assert "<|u|>\nGo." in shown
        path = chat.user / "context" / "bad.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps({"story_string": "{{#if persona}}open"}), "utf-8")
        with pytest.raises(InputError, match="story string"):
            prompts.as_text(chat.line, context="bad")
        with pytest.raises(InputError, match="cannot be read"):
            prompts.as_text(chat.line, instruct="none of this name")


# `{{engramSummaries}}` tells what was recalled last among the story so far (note 001 §2.4).

KEY, LIGHTHOUSE, OWL = (
    "爱丽丝把铜钥匙藏进座钟。",
    "灯塔的看守人敲了十一下钟。",
    "猫头鹰停在药铺门口。",
)


@pytest.fixture
def outlined_chat(memory, tmp_path):
    """Three archived events that an outline tells of, and one of the buffer."""
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", story_rows(60))
    for start, summary in ((0, KEY), (10, LIGHTHOUSE), (20, OWL)):
        memory.events.add(
            Line.main(chat_id), make_extraction(summary), SourceRange(start, start + 9)
        )
    memory.pipeline.consolidate(CTX, Line.main(chat_id))
    memory.events.add(Line.main(chat_id), make_extraction("集市开张了。"), SourceRange(40, 49))
    memory.settings.set("visible.newest", 0, chat_id=chat_id)
    return chat_id


def lines(memory, chat, branch="main"):
    says = ChatSays(
        memory.session.library, memory.session.chat(chat), memory.settings.read(chat), branch
    )
    return says.remembered().splitlines()


def recall(memory, chat, text, **more):
    memory.recall.ask(CTX, chat, RecallQuery(text, top_k=1, **more))


def test_what_was_recalled_last_stands_among_the_rest_in_story_order(memory, outlined_chat):
    before = lines(memory, outlined_chat)
    assert f"- {KEY}" not in before
    assert before[-1] == "- 集市开张了。"
    recall(memory, outlined_chat, "铜钥匙藏在哪里")
    after = lines(memory, outlined_chat)
    assert [line for line in after if line != f"- {KEY}"] == before
    assert after.index(f"- {KEY}") < after.index("- 集市开张了。")
    recall(memory, outlined_chat, "猫头鹰停在哪里")
    assert f"- {KEY}" not in lines(memory, outlined_chat)
    assert f"- {OWL}" in lines(memory, outlined_chat)


def test_an_injection_counts_as_a_recall_and_a_visible_event_is_told_once(memory, outlined_chat):
    memory.inject.compose(CTX, outlined_chat, RecallQuery("灯塔的看守人敲了几下钟"))
    assert f"- {LIGHTHOUSE}" in lines(memory, outlined_chat)
    recall(memory, outlined_chat, "集市什么时候开张")
    assert lines(memory, outlined_chat).count("- 集市开张了。") == 1


@pytest.mark.parametrize("gone", ["deleted", "muted", "changed"])
def test_what_is_no_longer_to_be_told_is_not_told_though_recalled(memory, outlined_chat, gone):
    recall(memory, outlined_chat, "铜钥匙藏在哪里")
    (event,) = [
        e for e in memory.session.chat(outlined_chat).events.at_floors("main", 0, 9) if not e.level
    ]
    if gone == "deleted":
        memory.events.delete(CTX, outlined_chat, [event.pk])
    elif gone == "muted":
        memory.recall.set_muted(outlined_chat, [event.id], muted=True)
    else:
        memory.messages.edit(Line.main(outlined_chat), 3, "这一层改过了。")
    assert f"- {KEY}" not in lines(memory, outlined_chat)


def test_what_only_its_owner_may_know_is_not_told_to_everybody(memory, outlined_chat):
    store = memory.session.chat(outlined_chat)
    secret = make_event("第二把钥匙在井里。", 30, 39, scope="private", owner="爱丽丝")
    with store.step(StepLabel(ADD, {"summary": "秘密"})):
        store.events.add([secret], 1)
    recall(memory, outlined_chat, "第二把钥匙在哪里", actor="爱丽丝")
    assert not any("井里" in line for line in lines(memory, outlined_chat))


def test_what_another_branch_recalled_is_not_told_here(memory, outlined_chat):
    branch, _changes = memory.branches.fork(Line.main(outlined_chat), at=49, name="另一条路")
    memory.events.add(
        Line(outlined_chat, branch), make_extraction("议会烧了旧账本。"), SourceRange(45, 49)
    )
    recall(memory, outlined_chat, "议会烧了什么账本", branch_id=branch)
    assert "- 议会烧了旧账本。" in lines(memory, outlined_chat, branch)
    assert "- 议会烧了旧账本。" not in lines(memory, outlined_chat)
