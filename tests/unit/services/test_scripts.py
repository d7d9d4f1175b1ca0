"""Regex scripts at work, and what is story in a message."""

from __future__ import annotations

import json
import shutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.errors import InputError, NotFound
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message
from engram_desktop.domain.text.cleaning import ALL_RULES, clean, masked, story
from engram_desktop.domain.text.regex_script import RegexScript, StoredScript
from engram_desktop.domain.text.sentences import without_disclaimers
from engram_desktop.jobs.context import NullContext
from engram_desktop.services.prompts.native import Native
from tests.factories import import_chat, script_json
from tests.programs import run_program

# Regex scripts at work: what a model reads, what stays as it was, and what is switched off.

CTX = NullContext()
ROWS = [
    ("爱丽丝", "<think>她想走</think>我把**铜钥匙**给你。"),
    ("旅人", "谢谢，这铜钥匙很重。" + "嗯" * 30),
    ("爱丽丝", "<% if (1 < 2) { %>铜<% } %>门在钟楼。"),
]


@pytest.fixture
def chat(memory, tmp_path):
    return import_chat(memory, tmp_path / "故事.jsonl", ROWS)


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
    chat = import_chat(memory, tmp_path / "书.jsonl", rows)
    memory.settings.set("native.ejs", value=True)
    assert memory.scripts.steps_of(Line.main(chat), 2)[-1].text == "爱丽丝的铜|2|true|旅人1"


@pytest.mark.parametrize("program", ["<% while (true) {} %>", "<% throw 1 %>", "<% if ( %>"])
def test_a_program_that_fails_leaves_its_message_and_says_why(memory, tmp_path, program):
    chat = import_chat(
        memory, tmp_path / "坏.jsonl", [("爱丽丝", f"{program}铜钥匙"), ("旅人", "嗯")]
    )
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


def test_a_program_in_a_group_reads_the_book_and_card_of_its_first_character(memory, tmp_path):
    for name, book in (("Ada", "z"), ("Bea", "a")):
        entries = {"name": book, "entries": [{"keys": ["key"], "content": "tin"}]}
        data = {"name": name, "description": name, "first_mes": "Hi", "character_book": entries}
        fields = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
        (tmp_path / f"{name}.json").write_text(json.dumps(fields), "utf-8")
        memory.imports.import_file(CTX, tmp_path / f"{name}.json")
    said = "<%= charLoreBook %>|<%= (await getchr()).includes('Ada') %>"
    chat = import_chat(memory, tmp_path / "two.jsonl", [("Bea", "Hi"), ("Ada", said)])
    memory.settings.set("native.ejs", value=True)
    assert memory.scripts.steps_of(Line.main(chat), 1)[-1].text == "z|true"


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
    chat = import_chat(memory, tmp_path / "独白.jsonl", rows)
    memory.settings.set("native.ejs", value=True)
    assert memory.scripts.steps_of(Line.main(chat), 0)[-1].text == "-1|0"


# Regex scripts do, to the letter, what a few lines of JavaScript in Node do with them.

# What a script means: a pattern between slashes or bare, groups without what is trimmed.
REFERENCE = r"""
const pattern = (find) => {
  const told = /(\/?)(.+)\1([a-z]*)/i.exec(find);
  const isKnown = !told[3] || /^(?!.*?(.).*?\1)[gmixXsuUAJ]+$/.test(told[3]);
  return isKnown ? new RegExp(told[2], told[3]) : RegExp(find);
};
const run = ({ find, replace, trims, text }) => {
  let wanted;
  try { wanted = pattern(find); } catch { return text; }
  const template = replace.replace(/\{\{match\}\}/gi, "$0");
  return text.replace(wanted, (...all) => {
    const named = typeof all[all.length - 1] === "object" ? all[all.length - 1] : {};
    return template.replaceAll(/\$(\d+)|\$<([^>]+)>/g, (_, number, name) => {
      const found = number ? all[Number(number)] : named[name];
      if (!found) return "";
      if (typeof found === "object") return ""; // there it ends everything
      if (typeof found !== "string") return trims.length ? "" : String(found);
      return trims.reduce((left, trim) => left.replaceAll(trim, ""), found);
    });
  });
};
const cases = JSON.parse(require("fs").readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(cases.map(run)));
"""
CASES = [
    # groups, by number and by name
    (r"/(?<y>\d{4})-(?<m>\d\d)/g", "$<m>/$<y>", "2024-05, 1999-12."),
    (r"/(?<y>\d{4})-(?<m>\d\d)/", "$2/$1", "2024-05, 1999-12."),
    (r"/(?<a>.)(?<b>.)?/gu", "[$<a>|$<b>|$<c>]", "甲乙丙"),
    ("/(a)|(b)/g", "<$1$2>", "ab"),
    ("/(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)/", "$11-$1-$12-$0", "abcdefghijk"),
    # what is before and behind
    ("/(?<=他)说/g", "问", "他说，她说，他说"),
    ("/(?<!他)说/g", "问", "他说，她说，他说"),
    ("/说(?=，)/g", "问", "他说，她说"),
    (r"/\bword\b/gi", "x", "a Word, sword"),
    # signs that mean something to other replacements
    ("/b/", "$&", "abc"),
    ("/b/", "$$", "abc"),
    ("/b/", "$`$'", "abc"),
    ("/b/", "$", "abc"),
    ("/b/", "$0$00$000", "abc"),
    # behind the groups: where it is, the whole text, the named groups
    ("/b/g", "[$1|$2|$3]", "abcb"),
    ("/(?<n>b)/g", "[$1|$2|$3|$4|$5]", "bcb"),
    ("/b/", r"\n\1", "abc"),
    ("/b/", "$<n>$<", "abc"),
    ("/(?<n>b)/", "$<n>$<N>$<>", "abc"),
    ("/b+/", "[{{match}}|{{MATCH}}|$0]", "abbc"),
    # nothing, everything, and the empty match
    ("", "x", "ab"),
    ("/(?:)/g", "-", "a😀b"),
    ("/(?:)/gu", "-", "a😀b"),
    ("/x*/g", "-", "axb"),
    ("/$/gm", ";", "a\nb"),
    (r"/[\s\S]*/", "", "a\nb"),
    ("/$/", "!", ""),
    # flags
    ("/A/i", "x", "aA"),
    ("/^a.c$/gms", "x", "a\nc\na-c"),
    ("/./", "x", "😀b"),
    ("/./gu", "x", "😀b"),
    ("/a/y", "x", "a /a/y b"),
    ("/a/gg", "x", "a /a/gg b"),
    ("/a/z", "x", "a /a/z b"),
    ("/a/x", "y", "aa"),
    ("/a/U", "y", "aa"),
    (r"/\p{Script=Han}+/gu", "汉", "abc月光酒馆def"),
    (r"/\u{1F600}/u", "笑", "a😀"),
    (r"/\u4e00-/", "x", "一-"),
    # bare patterns, slashes inside, broken ones
    ("b+", "x", "abba"),
    ("a/b", "x", "a/b a/b"),
    (r"/a\/b/g", "x", "a/b a/b"),
    ("/a/b/g", "x", "a/b a/b"),
    ("/", "x", "a/b"),
    ("//", "x", "a//b"),
    ("/(/", "x", "a(b"),
    ("/[/", "x", "a[b"),
    ("/a{2,1}/", "x", "aa"),
    ("/{{user}}/g", "x", "{{user}}"),
    # longer ones, as cards bring them
    (
        r"/<(update(?:variable)?)>\s*((?:(?!<\1>).)*)\s*<\/\1>/gsi",
        "($2)",
        "x<Update>\n1\n</Update>y",
    ),
    (r"/<think>[\s\S]*?<\/think>\s*/gi", "", "<THINK>a\n</think>\n\nb<think>c"),
    (r"/^\s*\*(.+?)\*$/gm", "“$1”", "*a*\n *b*\nc"),
    (r'/(["“])(.*?)(["”])/g', "<q>$1$2$3</q>", '“甲”说"b"'),
    (r"/\[好感:(\d+)\/(\d+)\]/g", "$1 of $2", "[好感:3/10][好感:x/1]"),
    (r"/(.+)\n\1/", "$1", "a\na\nb"),
    (r"/\s+/g", " ", "a\u00a0\u3000\ufeff\u2028b"),
    (r"/\w+/g", "w", "é ſ K ab_1"),
    ("/ſ/i", "x", "sSſ"),
    ("/s/iu", "x", "sSſ"),
]
TRIMMED = [
    (r"/\[(.*?)\]/g", "<$1>", ["a"], "[banana][a]"),
    (r"/(?<n>\*.*?\*)/g", "$<n>$0", ["*", "**"], "*a* **b**"),
    ("/(.*)/", "$1", ["", "b", "ab"], "abab"),
    ("/(.+)/s", "$1", ["\n"], "a\nb\n"),
    ("/(a)/g", "$1", ["A"], "aA"),
]


def rows():
    plain: list[tuple[str, str, list[str], str]] = [
        (find, replace, [], text) for find, replace, text in CASES
    ]
    names = ("find", "replace", "trims", "text")
    return [dict(zip(names, row, strict=True)) for row in (*plain, *TRIMMED)]


@pytest.fixture(scope="module")
def expected():
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here to compare with")
    done = run_program(node, "-e", REFERENCE, input=json.dumps(rows()), check=True)
    return json.loads(done.stdout)


def mine(javascript, row, around=()):
    script = RegexScript(
        "x", row["find"], row["replace"], tuple(row["trims"]), placements=frozenset({1, 2})
    )
    native = Native([StoredScript("1", script, "global", "", 0, is_enabled=True)], javascript)
    texts = [row["text"], *around]
    messages = [Message("", "main", 0, "", "user", t, False, "", None) for t in texts]
    return native.as_sent(messages)[0].text


@pytest.mark.parametrize("number", range(len(rows())), ids=[row["find"] for row in rows()])
def test_a_script_does_what_node_does(javascript, expected, number):
    row = rows()[number]
    if row["find"] and row["text"]:
        assert mine(javascript, row, ["another text", row["text"] * 3]) == expected[number]
    else:  # a script without a pattern, or a text without a letter, is left alone
        assert mine(javascript, row) == row["text"]


# What is story in a message, and what is not.


@pytest.mark.parametrize(
    ("text", "story"),
    [
        ("*推开门* 我回来了。", "*推开门* 我回来了。"),
        ("（微笑）你好", "（微笑）你好"),
        ("<think>她在想什么？</think>你好。", "你好。"),
        ("<THINK>\nplan\n</THINK>\n\nHello.", "Hello."),
        ("the thought was opened by the template</think>Hello.", "Hello."),
        ("<think>never closed. Hello.", "never closed. Hello."),
        ("你好。<UpdateVariable>_.set('a',1);//x</UpdateVariable>", "你好。"),
        ("<reply>你好。</reply><state_update>[{}]</state_update>", "你好。"),
        ("<content>One.</content><StatusPlaceHolderImpl/>", "One."),
        ("A<!-- tableEdit insertRow(0) -->B", "AB"),
        ("<div style='x'><b>Bold</b><br>line</div>", "Bold\nline"),
        ("<details><summary>状态</summary>HP 10</details>故事", "故事"),
        ("<faceType=smile>好的", "好的"),
        ("1 < 2 and 3 > 2", "1 < 2 and 3 > 2"),
        ("a &amp; b &lt;3", "a & b <3"),
        ("**重要** __really__", "重要 really"),
        ("![图](http://h/a.png)看这个[链接](https://h/x)", "看这个链接"),
        ("[shares an image: a dog](not a link", "[shares an image: a dog](not a link"),
        ("# 第一章\n\n---\n\n正文", "第一章\n\n正文"),
        ('```json\n{"a": 1}\n```\n正文', "正文"),
        ("```\n诗\n```", "诗"),
        ("a\n\n\n\n  b\u3000", "a\n\nb"),
        ("<disclaimer>全是假的</disclaimer>她走了。", "她走了。"),
        ("<OOC>下次快点</OOC>\n她走了。", "她走了。"),
        ("她走了。\n\n（以上内容纯属虚构，请勿模仿。）", "她走了。"),
        ("她走了。\n*【免责声明：本故事由AI生成，与现实无关】*\n", "她走了。"),
        ("She left.\n\n(Disclaimer: this is a work of fiction.)", "She left."),
        ("She left.\n[All characters are fictional (18+).]", "She left."),
        ("(OOC: slower, please)\n*waits* Well?", "*waits* Well?"),
        ("他笑了。\n（OOC：今天先到这里）\n（ooc 明天见）", "他笑了。"),
        ("他笑了。\n((OOC: brb))", "他笑了。"),
        ("她走了。（OOC：明天(可能)晚点）他也走了。", "她走了。 他也走了。"),
        ("她走了。（作者有话说：明天更新）", "她走了。"),
        ("I nod. {ooc} my coffee is cold {/ooc} Then I go.", "I nod. Then I go."),
        ("I nod. (( walking the dog ))", "I nod."),
        ("[OOC] brb\n她走了。\n// 先去吃饭", "她走了。"),
        ("OOC: brb\n她走了。【OOC：好】", "她走了。"),
        ("", ""),
        ("<正文>你好。</正文>\n<状态栏>\n好感度：3\n</状态栏>", "你好。"),
        ("<cot>先想想。</cot><summary>她来了。</summary>她来了，带着伞。", "她来了，带着伞。"),
        ("她来了。\n<hud>\n❤ 好感度：13\n📍 地点：酒馆\n| HP | 20 |\n</hud>", "她来了。"),
        ("She came.\n```\nMood: calm\nHP: 20\n```", "She came."),
        ("<hud>\nMood: calm\nShe waits.\nHe too.\n</hud>", "Mood: calm\nShe waits.\nHe too."),
        (
            "<scene>\n爱丽丝：“你来了。”\n旅人：“来了。”\n</scene>",
            "爱丽丝：“你来了。”\n旅人：“来了。”",
        ),
        ("<scene>\nAlice: You came.\nBob: I did.\n</scene>", "Alice: You came.\nBob: I did."),
    ],
)
def test_story_stays_and_machinery_goes(text, story):
    assert clean(text) == story


TOLD = "她  躲进柜台，**发抖**。"
MARKED_UP = f"<think>她该怕打雷。</think>\n<content>{TOLD}</content>\n<status>心情：怕</status>"


def test_what_is_indexed_is_the_story_letter_by_letter():
    assert story(MARKED_UP) == TOLD
    assert story("1 < 2，她 **说**。\n\n\n好") == "1 < 2，她 **说**。\n\n\n好"
    assert story("**没有标签** &amp; # 也不变") == "**没有标签** &amp; # 也不变"
    assert story("<status>心情：怕</status>") == "<status>心情：怕</status>"


@pytest.mark.parametrize("form", ['<img src="{}" alt="x">', "![x]({})", "url({})"])
def test_a_picture_within_a_message_is_no_word_of_it(form):
    data = f"data:image/png;base64,{'iVBORw0KGgo' * 29_000}=="
    text = f"她递来一张照片。\n{form.format(data)}\n“是你。”"
    for told in (story(text), clean(text), masked(text)):
        assert "iVBOR" not in told
        assert told.startswith("她递来一张照片。")
        assert told.endswith("“是你。”")
    assert len(masked(text)) == len(text)


def test_in_a_masked_text_the_story_stays_where_it_was():
    told = masked(MARKED_UP)
    assert len(told) == len(MARKED_UP)
    assert told.split() == ["她", "躲进柜台，**发抖**。"]
    assert told.index("躲进") == MARKED_UP.index("躲进")


@given(st.text(max_size=300) | st.text(alphabet="<>/!-think`\0好：\n a{}|", max_size=200))
def test_a_masked_text_is_as_long_and_holds_nothing_new(text):
    told = masked(text)
    assert len(told) == len(text)
    assert all(now in (before, " ", "\n") for now, before in zip(told, text, strict=True))
    assert story(text).strip() or not text.strip()


@pytest.mark.parametrize(
    "text",
    [
        "牌子上写着：\n【免责声明：本店概不负责】",
        "他合上书。\n“以上内容纯属虚构。”",
        "以上内容纯属虚构，他想。",
        "（以上内容纯属虚构）他念道。\n她笑了。",
        "（这一切都不是真的吗？）",
        "(He had read too much fiction.)",
        "（虚构的城市）（以上）",
        "（以上，她说）然后是（虚构）",
        "The zoo (ooc) closed.",
        "见 https://a.b/c 的图",
        "a / b ((…)) c",
        "（OOC）他念出屏幕上的字",
        "(Oocytes, the doctor said.)",
        "a\n\n",
    ],
)
def test_what_could_be_story_is_never_taken_for_a_disclaimer(text):
    assert without_disclaimers(text) == text
    assert clean(text) == clean(text, ALL_RULES - {"disclaimers"})


@given(st.text("（）()ooc:以上虚构[]{}/ \t\na", max_size=200))
def test_what_is_left_of_a_text_was_in_it_in_that_order(text):
    left = without_disclaimers(text)
    rest = iter(text)
    assert all(char in rest for char in left if not char.isspace())
    if "ooc" not in text and "((" not in text and "（（" not in text and "//" not in text:
        assert text.startswith(left)


@given(st.text(max_size=300) | st.text(alphabet="<>/!-think`&;[]()*#\n a{}", max_size=200))
def test_never_raises_and_never_grows_much(text):
    cleaned = clean(text)
    assert len(cleaned) <= len(text)
    assert cleaned == cleaned.strip()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    [
        "<think>",
        "<a>",
        "<a></a>",
        "<a>\n乙：一\n丙：二\n",
        "<disclaimer>",
        "(OOC",
        "（以上虚构）\n",
        "<!--",
        "<a ",
        "</think",
        "<a \0",
        "data:a;base64,",
        "![a](",
        "[a](http:",
        "```json\n",
        "# ",
        "**",
        "- ",
    ],
)
def test_endless_marks_take_no_endless_time(piece):
    clean(piece * 200_000)
    masked(piece * 20_000)


@pytest.mark.parametrize(
    "text",
    [
        "Use a vector<int> or a List<String>, where a<b and c>d.",
        "Here it is:\n```python\nclass A(B):\n    x: int = 3\n```\nThat is all.",
        "The page:\n```html\n<div><style>p {}</style>\n<p>Hi</p></div>\n```\nDone.",
        "The file:\n```yaml\nname: CI\non: push\n```\nDone.",
        "Write `<details>` first and `</details>` last.",
        "The tree:\n```\napp/\n|-- main.py\n|-- models.py\n```",
    ],
)
def test_a_program_is_what_was_said(text):
    assert story(text) == text
    assert masked(text) == text


def test_a_page_at_the_end_of_a_chinese_reply_is_a_panel():
    text = "她推开门，雨停了。\n```html\n<div><style>p {}</style><p>好感度 3</p></div>\n```"
    assert story(text) == "她推开门，雨停了。"
