"""Regex scripts at work: what a model reads, what stays as it was, and what is switched off."""

import json

import pytest

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.prompts.native import Native
from tests.factories import script_json, write_chat

CTX = NullContext()
ROWS = [
    ("爱丽丝", "<think>她想走</think>我把**铜钥匙**给你。"),
    ("旅人", "谢谢，这铜钥匙很重。" + "嗯" * 30),
    ("爱丽丝", "<% if (1 < 2) { %>铜<% } %>门在钟楼。"),
]


@pytest.fixture
def chat(memory, tmp_path):
    path = write_chat(tmp_path / "故事.jsonl", ROWS)
    return memory.imports.import_file(CTX, path).chat_id


@pytest.fixture
def take(memory, tmp_path):
    def made(find="/铜/g", replace="银", scope="global", owner="", **extra):
        path = tmp_path / f"regex-{len(memory.scripts.all())}.json"
        path.write_text(script_json(find, replace, name=path.stem, extra=extra), "utf-8")
        memory.scripts.import_file(CTX, path, scope, owner)
        return {s.script.name: s for s in memory.scripts.all()}[path.stem]

    return made


def last(memory, chat, floor=0):
    return memory.scripts.steps_of(Line.main(chat), floor)[-1].text


def test_a_file_of_scripts_is_imported_once(memory, tmp_path):
    path = tmp_path / "regex-two.json"
    path.write_text(f"[{script_json(name='a')}, {script_json(name='b')}]", "utf-8")
    assert memory.imports.preview(CTX, path).entries == 2
    report = memory.imports.import_file(CTX, path)
    assert (report.kind, report.added, report.skipped) == ("regex", 2, 0)
    again = memory.imports.import_file(CTX, path)
    assert (again.added, again.skipped) == (0, 2)
    assert [s.script.name for s in memory.scripts.all()] == ["a", "b"]
    memory.scripts.move("b", -1)
    assert [s.script.name for s in memory.scripts.all()] == ["b", "a"]
    target = tmp_path / "out.json"
    assert memory.scripts.export(CTX, ["a"], target) == 1
    assert json.loads(target.read_text("utf-8"))["scriptName"] == "a"
    with pytest.raises(InputError):
        memory.scripts.export(CTX, [], target)
    memory.scripts.delete("a")
    assert len(memory.scripts.all()) == 1


def test_each_step_of_the_way_is_shown_and_the_message_stays(memory, chat, take):
    take(replace="[{{match}}→银]")
    take("/(?<a>钥)(匙)/", "$2$<a>{{char}}", promptOnly=False)
    steps = memory.scripts.steps_of(Line.main(chat), 0)
    assert [(s.kind, s.is_changed) for s in steps][:3] == [
        ("original", False),
        ("script", True),
        ("script", True),
    ]
    assert "[铜→银]匙钥爱丽丝" in steps[2].text
    assert [s.name for s in steps if s.kind == "rule" and s.is_changed] == ["thoughts", "marks"]
    assert steps[-1].text == "我把[铜→银]匙钥爱丽丝给你。"
    assert memory.messages.slice(Line.main(chat), 0, 0)[0].text == ROWS[0][1]


def test_scripts_that_only_change_the_display_are_not_for_models(memory, chat, take):
    take(markdownOnly=True, promptOnly=False)
    assert "铜" in last(memory, chat)


def test_scripts_run_global_then_preset_then_scoped_and_only_for_their_character(
    memory, chat, take
):
    take("甲", "乙", "scoped", "爱丽丝")
    take("丙", "甲", "preset")
    take("铜", "丙")
    take("乙", "!", "scoped", "别人")
    assert last(memory, chat) == "我把乙钥匙给你。"


def test_depth_counts_from_the_newest_message(memory, chat, take):
    take(minDepth=1, maxDepth=1)
    assert [("银" in last(memory, chat, n)) for n in range(3)] == [False, True, False]


def test_macros_in_the_pattern(memory, chat, take):
    take("/{{char}}(.)/g", "<$1>", substituteRegex=2)
    take("/{{char}}说/", "她说", substituteRegex=0)
    made = memory._chat_prompts.native(
        CTX, memory.session.chat(chat), memory.settings.read(chat), "main"
    )
    assert made.text("爱丽丝说：char说", 2) == "<说>：char说"


@pytest.mark.logs("was switched off")
def test_a_catastrophic_script_is_switched_off_and_the_text_kept(memory, chat, take):
    script = take("/^(.+)+[§]$/", "", promptOnly=True)
    assert last(memory, chat, 1) == ROWS[1][1]
    assert memory.scripts.all()[0].is_enabled  # looking switches nothing
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 2), "extractive")
    held = memory.scripts.all()[0]
    assert (held.id, held.is_enabled) == (script.id, False)
    assert "0.4 s" in held.fault
    memory.scripts.set_enabled(held.id, enabled=True)
    assert memory.scripts.all()[0].fault == ""


def test_a_pattern_that_is_none_is_told_and_changes_nothing(memory, chat, take):
    take("/(/", "")
    steps = memory.scripts.steps_of(Line.main(chat), 1)
    assert "Unterminated group" in steps[1].fault
    assert steps[1].text == ROWS[1][1]


def test_summaries_read_what_the_scripts_left(memory, chat, take):
    take("/铜钥匙/g", "银怀表")
    memory.pipeline.summarise(CTX, Line.main(chat), (0, 2), "extractive")
    told = " ".join(e.summary for e in memory.session.chat(chat).events.visible())
    assert "银怀表" in told
    assert "铜钥匙" not in told
    memory.settings.set("native.regex", value=False)
    memory.pipeline.redo(CTX, Line.main(chat), (0, 2), "extractive")
    assert "铜钥匙" in memory.drafts.find(Line.main(chat))[0].events[0][0].summary


def test_a_rule_that_is_off_leaves_what_it_took(memory, chat):
    memory.scripts.set_enabled("own:thoughts", enabled=False)
    assert "她想走" in last(memory, chat)
    assert [r.name for r in memory.scripts.rules() if not r.is_enabled] == ["thoughts"]
    with pytest.raises(NotFound):
        memory.scripts.set_enabled("own:nothing", enabled=True)


def test_programs_in_messages_run_only_when_they_are_wanted(memory, chat, take):
    take("/门/", "{{char}}")
    assert last(memory, chat, 2) == "<% if (1 < 2) { %>铜<% } %>爱丽丝在钟楼。"
    memory.settings.set("native.ejs", value=True)
    kinds = [step.kind for step in memory.scripts.steps_of(Line.main(chat), 2)]
    assert kinds[:3] == ["original", "ejs", "script"], "first programs, then scripts, then rules"
    assert last(memory, chat, 2) == "铜爱丽丝在钟楼。"
    assert memory.messages.slice(Line.main(chat), 2, 2)[0].text == ROWS[2][1]


def test_the_variables_of_the_newest_message_are_there(memory, tmp_path):
    rows = [
        {"name": "爱丽丝", "mes": "旧", "variables": [{"hp": 1}]},
        {
            "name": "爱丽丝",
            "mes": "<%= hp %>/<%= stat_data.hp[0] %>/<%= char %>",
            "swipe_id": 1,
            "swipes": ["a", "<%= hp %>/<%= stat_data.hp[0] %>/<%= char %>"],
            "variables": [{"hp": 2}, {"hp": 3, "stat_data": {"hp": [9, "x"]}}],
        },
    ]
    header = {"chat_metadata": {}, "user_name": "unused", "character_name": "unused"}
    path = tmp_path / "变量.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in [header, *rows]), "utf-8")
    chat = memory.imports.import_file(CTX, path).chat_id
    memory.settings.set("native.ejs", value=True)
    assert memory.scripts.steps_of(Line.main(chat), 1)[-1].text == "3/9/爱丽丝"
    assert memory.scripts.steps_of(Line.main(chat), 0)[-1].text == "旧"


def test_programs_read_worldbooks_cards_and_the_chat(memory, tmp_path):
    worldbook = tmp_path / "世界.json"
    entries = [
        {"uid": 0, "comment": "钥匙", "content": "{{char}}的<%= await getwi('锁') %>"},
        {"uid": 1, "comment": "锁", "content": "<%= getChatMessage(0) %>", "key": ["锁"]},
    ]
    worldbook.write_text(json.dumps({"entries": {str(e["uid"]): e for e in entries}}), "utf-8")
    memory.worldbooks.set_global(
        memory.worldbooks.find(memory.imports.import_file(CTX, worldbook).name).id, is_global=True
    )
    card = tmp_path / "爱丽丝.json"
    card.write_text(
        json.dumps(
            {
                "spec": "chara_card_v2",
                "spec_version": "2.0",
                "data": {"name": "爱丽丝", "description": "守{{user}}的灯", "first_mes": "铜"},
            }
        ),
        "utf-8",
    )
    memory.imports.import_file(CTX, card)
    said = (
        "<%= await getwi('世界', '钥匙') %>|<%= (await getEnabledWorldInfoEntries()).length %>|"
        "<%= (await getchr()).includes('守旅人的灯') %>|<%= userName %><%= lastUserMessageId %>"
    )
    rows = [("爱丽丝", "铜"), ("旅人", "嗯"), ("爱丽丝", said)]
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "书.jsonl", rows)).chat_id
    memory.settings.set("native.ejs", value=True)
    assert memory.scripts.steps_of(Line.main(chat), 2)[-1].text == "爱丽丝的铜|2|true|旅人1"


@pytest.mark.parametrize("program", ["<% while (true) {} %>", "<% throw 1 %>", "<% if ( %>"])
def test_a_program_that_fails_leaves_its_message_and_says_why(memory, tmp_path, program):
    path = write_chat(tmp_path / "坏.jsonl", [("爱丽丝", f"{program}铜钥匙"), ("旅人", "嗯")])
    chat = memory.imports.import_file(CTX, path).chat_id
    memory.settings.set("native.ejs", value=True)
    step = memory.scripts.steps_of(Line.main(chat), 0)[1]
    assert (step.kind, step.is_changed, step.text) == ("ejs", False, f"{program}铜钥匙")
    assert step.fault


def test_entries_of_worldbooks_go_through_programs_and_their_scripts(memory, chat, take, tmp_path):
    entry = {"uid": 0, "constant": True, "content": "<%= 1 + 1 %>把钥匙"}
    worldbook = tmp_path / "书.json"
    worldbook.write_text(json.dumps({"entries": {"0": entry}}), "utf-8")
    memory.worldbooks.set_global(
        memory.worldbooks.find(memory.imports.import_file(CTX, worldbook).name).id, is_global=True
    )
    assert memory.worldbooks.context(CTX, Line.main(chat), 2) == "<%= 1 + 1 %>把钥匙"
    take("/钥匙/", "锁", placement=[5], promptOnly=True)
    take("/把/", "个", placement=[2], promptOnly=True)
    memory.settings.set("native.ejs", value=True)
    assert memory.worldbooks.context(CTX, Line.main(chat), 2) == "2把锁"


def test_a_script_can_be_tried_before_it_is_used(memory, take):
    script = take("/(\\w+) (\\w+)/", "$2 $1", disabled=True)
    assert memory.scripts.try_on("one two", [script.id])[-1].text == "two one"
    assert len(memory.scripts.try_on("one two")) == 1


def test_without_scripts_nothing_is_touched_and_no_process_is_started(memory, chat):
    messages = memory.messages.slice(Line.main(chat), 0, 2)
    native = memory._chat_prompts.native(
        CTX, memory.session.chat(chat), memory.settings.read(chat), "main"
    )
    assert isinstance(native, Native)
    assert native.as_sent(messages) is messages
    assert not memory.session.javascript.is_running


def card(scripts, name="爱丽丝"):
    data = {"name": name, "first_mes": "你好", "extensions": {"regex_scripts": scripts}}
    fields = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
    return json.dumps(fields, ensure_ascii=False, indent=4)


def test_scripts_of_a_card_come_in_switched_off_and_only_once(memory, chat, tmp_path):
    path = tmp_path / "爱丽丝.json"
    path.write_text(card([json.loads(script_json())]), "utf-8")
    report = memory.imports.import_file(CTX, path)
    assert "came with the card: 1" in report.warnings[-1].message
    held = memory.scripts.all()[0]
    assert (held.scope, held.owner, held.is_enabled) == ("scoped", "爱丽丝", False)
    assert "铜" in last(memory, chat)
    memory.scripts.set_enabled(held.id, enabled=True)
    assert "银" in last(memory, chat)
    assert memory.imports.import_file(CTX, path).warnings == ()
    assert len(memory.scripts.all()) == 1


@pytest.mark.parametrize("scripts", [[], None, [1], [{"scriptName": ""}], "x"])
def test_a_card_with_broken_scripts_is_taken_in_all_the_same(memory, tmp_path, scripts):
    path = tmp_path / "card.json"
    path.write_text(card(scripts), "utf-8")
    assert memory.imports.import_file(CTX, path).kind == "card"
    assert memory.scripts.all() == []


def test_what_is_done_to_scripts_is_told_to_whoever_shows_them(memory, tmp_path):
    path = tmp_path / "regex.json"
    path.write_text(f"[{script_json(name='甲')}, {script_json('/门/', '窗', name='乙')}]", "utf-8")
    assert memory.scripts.import_file(CTX, path).changes.settings
    one, two = memory.scripts.all()
    for changes in (
        memory.scripts.set_enabled(one.id, enabled=False),
        memory.scripts.set_enabled(f"own:{memory.scripts.rules()[0].name}", enabled=False),
        memory.scripts.move(two.id, -1),
        memory.scripts.delete(two.id),
    ):
        assert changes.settings
    again = memory.scripts.import_file(CTX, path).changes
    assert again.settings  # one of them is gone, and back
    assert not memory.scripts.import_file(CTX, path).changes.settings


def test_a_program_is_told_where_nobody_of_a_kind_has_spoken_yet(memory, tmp_path):
    rows = [("爱丽丝", "<%= lastUserMessageId %>|<%= lastCharMessageId %>")]
    chat = memory.imports.import_file(CTX, write_chat(tmp_path / "独白.jsonl", rows)).chat_id
    memory.settings.set("native.ejs", value=True)
    assert memory.scripts.steps_of(Line.main(chat), 0)[-1].text == "-1|0"
