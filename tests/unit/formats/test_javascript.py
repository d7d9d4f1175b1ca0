# ruff: noqa: E501 - a template and what it makes stand on one line
"""JavaScript and EJS templates."""

from __future__ import annotations

import itertools
import json
import multiprocessing
import os
import shutil
import signal
import threading
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.formats.javascript.ejs import PARTS, Printed, names_in, render, without_programs
from engram_desktop.formats.javascript.engine import MAX_HELD, JavaScript, joined_halves
from engram_desktop.formats.javascript.worker import serve
from tests.programs import run_program

# JavaScript in its process: V8's own semantics, limits that hold, and a program that goes on.

CASES = [
    ("(?<y>\\d{4})-(?<m>\\d\\d)", "g", "2024-05, 1999-12."),
    ("(?<=他)说", "g", "他说，她说，他说"),
    ("^\\s*\\*(.+?)\\*$", "gm", "*a*\n *b*\nc"),
    ("<(update(?:variable)?)>\\s*((?:(?!<\\1>).)*)\\s*<\\/\\1>", "gsi", "x<Update>\n1\n</Update>y"),
    (".", "", "😀b"),
    (".", "gu", "😀b"),
    ("(a)|(b)", "g", "ab"),
    ("", "g", "ab"),
    ("\\bword\\b", "gi", "a Word, sword"),
    ("(?:)", "", "x"),
]


def told(scan):
    if scan is None:
        return None
    rows = [[m.before, list(m.groups), m.named or None] for m in scan.matches]
    return [rows, scan.rest]


@pytest.mark.parametrize(("source", "flags", "text"), CASES)
def test_finds_what_node_finds(javascript, source, flags, text):
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no Node here to compare with")
    program = """
      const [source, flags, text] = JSON.parse(process.argv[1]);
      const found = []; let at = 0;
      text.replace(new RegExp(source, flags), (...a) => {
        const named = typeof a[a.length - 1] === "object" ? a[a.length - 1] : null;
        const n = a.findIndex((x) => typeof x === "number");
        found.push([text.slice(at, a[n]), a.slice(0, n).map((g) => g ?? null), named]);
        at = a[n] + a[0].length;
        return "";
      });
      console.log(JSON.stringify(found.length ? [found, text.slice(at)] : null));
    """
    done = run_program(node, "-e", program, json.dumps([source, flags, text]), check=True)
    assert told(javascript.scan(source, flags, [text])[0]) == json.loads(done.stdout)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.text(alphabet="ab<>\n😀\ud83d龙", max_size=20), max_size=5))
def test_matches_and_what_is_between_make_up_the_text(javascript, texts):
    for text, scan in zip(texts, javascript.scan("a+|<.", "g", texts), strict=True):
        if scan is None:
            assert "a" not in text
            continue
        pieces = [piece for m in scan.matches for piece in (m.before, m.groups[0] or "")]
        assert joined_halves("".join([*pieces, scan.rest])) == joined_halves(text)


def test_a_text_is_tested_from_its_beginning_each_time(javascript):
    assert javascript.test("a", "g", ["ba", "ba", "b"]) == [True, True, False]


@pytest.mark.parametrize("source", ["(", "[", "(?<n>a)(?<n>b)", "a{2,1}"])
def test_what_is_no_pattern_is_said(javascript, source):
    with pytest.raises(ScriptFailed, match="SyntaxError"):
        javascript.check(source, "g")


def test_a_catastrophic_pattern_is_stopped_while_others_go_on():
    javascript = JavaScript(0.2)
    assert not javascript.is_running  # nothing is started before it is needed
    ticks = itertools.count()
    is_over = threading.Event()

    def tick():
        while not is_over.wait(0.005):
            next(ticks)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        with pytest.raises(ScriptStopped):
            javascript.scan("^(a+)+$", "", ["a" * 40 + "b"])
    finally:
        is_over.set()
        thread.join()
    assert next(ticks) > 5
    assert javascript.scan("a", "", ["a"])[0] is not None  # another context answers
    javascript.close()
    assert not javascript.is_running


def test_a_program_that_takes_its_process_down_takes_only_that():
    javascript = JavaScript(3.0)
    with pytest.raises(ScriptStopped):
        javascript.run("() => { const all = []; for (;;) all.push('x'.repeat(1e6) + all.length); }")
    assert javascript.run("(a, b) => a + b", 2, 3) == 5
    javascript.close()


def test_a_program_sees_nothing_of_the_host(javascript):
    names = "['require','process','fetch','XMLHttpRequest','Deno','std','os','load','import']"
    seen = javascript.run(f"() => {names}.filter((n) => typeof globalThis[n] !== 'undefined')")
    assert seen == []
    with pytest.raises(ScriptFailed):
        javascript.run("() => (0).constructor.constructor('return process')()")


def test_programs_do_not_see_each_other(javascript):
    javascript.run("() => { globalThis.left = 1; Array.prototype.map = null; return 0; }")
    assert javascript.run("() => typeof globalThis.left + typeof [].map") == "undefinedfunction"


def test_a_long_text_is_sent_once_for_many_patterns():
    javascript = JavaScript()
    text = "第一句\x01😀\ud83d" + "路过。" * 800_000 + "最后的钥匙"
    assert javascript.test_held("钥匙$", "", text)
    assert not javascript.test_held("没有", "", text)
    assert javascript.test_held("^第一句.\\u{1F600}", "su", text)
    with pytest.raises(ScriptFailed):
        javascript.test_held("(", "", text)
    with pytest.raises(ScriptStopped):
        javascript.test_held("(过。|路过。)+[^过路。]*x", "", text)
    assert javascript.test_held("钥匙$", "", text), "it is sent again after its context was lost"
    others = [f"{n}{'字' * 60_000}" for n in range(6)]
    assert all(javascript.test_held(f"^{n}", "", other) for n, other in enumerate(others))
    assert javascript.test_held("钥匙$", "", text)
    assert len(javascript._numbers_of) <= MAX_HELD
    javascript.close()
    assert javascript.test_held("钥匙$", "", text)
    javascript.close()


def test_what_a_program_runs_in_is_made_before_its_time_begins():
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    try:
        assert ours.recv() == ("ok", None)
        for kind, what, arguments, answers in (
            ("program", "(a) => a + 1", (1,), [("begun", None), ("ok", 2)]),
            ("program", "(a) => a + 1", (2,), [("begun", None), ("ok", 3)]),
            ("call", "engramTest", ("a", "", ["a"]), [("begun", None), ("ok", [True])]),
            ("call", "engramTest", ("b", "", ["a"]), [("ok", [False])]),
        ):
            ours.send((kind, what, arguments, 5.0))
            assert [ours.recv() for _ in answers] == answers
    finally:
        process.kill()
        process.join(5)


def test_patterns_and_programs_in_turn_answer_after_a_stop():
    javascript = JavaScript(0.2)
    try:
        for _turn in range(2):
            assert javascript.test("a", "", ["cat"]) == [True]
            assert javascript.run("(a) => a", 1) == 1
            with pytest.raises(ScriptStopped):
                javascript.run("() => { for (;;); }")
            with pytest.raises(ScriptStopped):
                javascript.test("(x+x+)+y", "", ["x" * 40])
    finally:
        javascript.close()


@pytest.mark.parametrize("program", ["() => undefined", "() => () => 1", "() => Symbol()"])
def test_a_program_that_gives_nothing_readable_fails_and_the_worker_lives(javascript, program):
    javascript.run("() => 1")
    process = javascript._process
    with pytest.raises(ScriptFailed) as caught:
        javascript.run(program)
    assert not isinstance(caught.value, ScriptStopped)
    assert javascript._process is process


@pytest.mark.skipif(os.name == "nt", reason="a signal cannot be sent to one process there")
def test_ctrl_c_in_the_terminal_leaves_the_worker_to_who_started_it(javascript):
    assert javascript.run("() => 1") == 1
    process = javascript._process
    os.kill(process.pid, signal.SIGINT)  # a terminal sends it to all that run in it
    assert javascript.run("() => 2") == 2
    assert javascript._process is process


@pytest.mark.parametrize(
    ("stopped", "seconds", "why"),
    [
        (("call", "engramTest", ("^(a+)+$", "", ["a" * 40 + "b"])), 0.2, "time"),
        (("program", "() => { for (;;); }", ()), 0.2, "time"),
        (("program", "() => { const a = []; for (;;) a.push(new Array(99)); }", ()), 20, "memory"),
    ],
)
def test_after_a_stop_patterns_run_in_a_context_made_anew(stopped, seconds, why):
    """What was stopped may have left anything behind, and its memory with it."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs,), daemon=True)
    process.start()
    plain = ("call", "engramTest", ("a", "", ["a"]), 5.0)
    try:
        assert ours.recv() == ("ok", None)
        for request, answers in (
            (plain, ["begun", "ok"]),
            (plain, ["ok"]),
            ((*stopped, seconds), [*(["begun"] * (stopped[0] == "program")), why]),
            (plain, ["begun", "ok"]),
        ):
            ours.send(request)
            for answer in answers:
                assert ours.poll(20), answer
                assert ours.recv()[0] == answer
    finally:
        process.kill()
        process.join(5)


# EJS templates mean what they mean elsewhere, and can do nothing else.

VARIABLES = {"bias": 0.7, "hp": 5, "stat_data": {"好感": [12, "说明"]}, "name": "爱丽丝"}


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        ("plain {{char}}", "plain {{char}}"),
        ("<% if (bias > 0.5) { %>近<% } else { %>远<% } %>", "近"),
        ("<%= name %><%= '<b>\"' %><%- '<b>' %>", '爱丽丝<b>"<b>'),
        ("a<%# a note %>b", "ab"),
        ("  <%_ for (const n of [1, 2]) { _%>\n<%= n %>,\n  <%_ } _%>\nend", "1,\n2,\nend"),
        ("<% let x = 1 -%>\n<%= x + hp %>", "6"),
        ("<%% and %%>", "<% and %>"),
        ("<%= getvar('stat_data.好感')[0] %>", "12"),
        ("<%= stat_data %>", '{"好感":[12,"说明"]}'),
        ("<% setvar('new.one', 3) %><%= variables.new.one %>", "3"),
        ("<%= getvar('nothing', {defaults: 'x'}) %>|<%- null %>", "x|"),
        ("<% print('a', 1) %>\r\nb", "a1\r\nb"),
        ("line\u2028<%= `\\n` %>\"'\\", "line\u2028\n\"'\\"),
        ("a<% if (hp) return %>b", "a"),
        ("<% const print = 1, char = 2 %><%= print + char %>", "3"),
        ("<%= user %>/<%= hp %>", "旅人/5"),
        ("<%= '\ud83d' %>", "\ufffd"),
    ],
)
def test_templates(javascript, template, expected):
    assert render(template, javascript, VARIABLES, {"user": "旅人"}).text == expected


def test_what_is_given_wins_over_a_variable_and_both_are_there(javascript):
    made = render("<%= hp %><%= variables.hp %>", javascript, {"hp": 1}, {"hp": 2})
    assert made.text == "21"


def test_what_a_program_prints_is_told_from_the_template(javascript):
    made = render("{{char}}<%= name %>{{user}}", javascript, {"name": "{{char}}"})
    assert made.pieces == ("{{char}}", Printed("{{char}}"), "{{user}}")


def test_variables_of_a_chat_cannot_take_the_programs_own_place(javascript):
    hostile = {"engramPut": 1, "engramMade": [], "print": 2, "getvar": 3, "__proto__": {"x": 1}}
    assert render("a<%= 1 %><% print('b') %><%= getvar('print') %>", javascript, hostile).text == (
        "a1b2"
    )


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("<%", 1),
        ("a\n\nb <% b", 3),
        ("%> <%", 1),
        ("one\ntwo\n<%= nothing %>", 3),
        ("one\n<% let a = 1;\nlet b = 2;\nnothing.b %>", 4),
        ("one\n<% if ( %>", 2),
        ("a\r\nb\r\n<%= 1 %>\r\n<%= nothing %>", 4),
        ("<% throw new Error('own words') %>", 1),
        ("x\n<% const f = () => {\n  throw 'text';\n} %>\n<% f() %>", 3),
        ("<% if (1) { %>\nleft open", 2),
    ],
)
def test_what_is_no_template_is_said_with_its_line(javascript, template, line):
    with pytest.raises(ScriptFailed) as caught:
        render(template, javascript, VARIABLES)
    assert caught.value.lines == (line,)


@pytest.mark.parametrize("template", ["<% for(;;){} %>", "<% while(1) print('x'.repeat(1e6)) %>"])
def test_what_never_ends_is_stopped(javascript, template):
    with pytest.raises(ScriptFailed) as caught:
        render(template, javascript, {})
    assert isinstance(caught.value, ScriptStopped) or "too much text" in str(caught.value)


@pytest.mark.parametrize(
    "code",
    ["require('fs')", "process.exit()", "import('fs')", "include('/etc/passwd')", "fetch('x')"],
)
def test_nothing_but_the_text_can_be_reached(javascript, code):
    try:
        made = render(f"<%- {code} %>", javascript, {}).text
    except ScriptFailed:
        return
    assert made == "{}"  # a promise of an import that never comes


def test_variables_are_the_templates_own_copy(javascript):
    held = {"hp": 1}
    made = render("<% hp = 5; setvar('x', 1) %><%= hp %>", javascript, held)
    assert (made.text, made.variables) == ("5", {"hp": 5, "x": 1})
    assert held == {"hp": 1}


def test_many_openings_are_refused_at_once(javascript):
    with pytest.raises(ScriptFailed):
        render("<%" * 100_000, javascript, {})


def test_the_text_around_programs_and_the_words_in_them():
    template = "{{a}}<% if (user) { %>{{b}}<%= `{{c}}` %><% } %>"
    assert without_programs(template) == "{{a}}{{b}}"
    assert names_in(template) == {"if", "user", "c"}


@pytest.mark.parametrize("of", ["Object", "Array", "String", "Number"])
@pytest.mark.parametrize(
    "told",
    ["() => undefined", "() => 3", "() => 'boo'", "() => [[], {}]", "() => [1, 2]", "() => null"],
)
def test_a_program_that_changes_how_values_are_told_is_no_bug(javascript, of, told):
    template = f"a<% {of}.prototype.toJSON = {told} %>b<%= name %>"
    try:
        made = render(template, javascript, VARIABLES)
    except ScriptFailed:
        pass
    else:
        assert isinstance(made.text, str)
        assert isinstance(made.variables, dict)
    assert render("<%= name %>", javascript, VARIABLES).text == "爱丽丝"


# The functions that ST-Prompt-Template documents: those that read are there, the others refuse.

MESSAGES = [
    {"name": "爱丽丝", "text": "钥匙在桌上。", "isUser": False, "isSystem": False},
    {"name": "旅人", "text": "我拿走了。", "isUser": True, "isSystem": False},
    {"name": "爱丽丝", "text": "它会发光。", "isUser": False, "isSystem": False},
    {"name": "旁白", "text": "(隐藏)", "isUser": False, "isSystem": True},
]


def entry(uid, comment, content, **values):
    usual = {"key": [], "constant": False, "vectorized": False, "disable": False, "world": "世界"}
    return {"uid": uid, "comment": comment, "content": content} | usual | values


READ = {
    "scopes": {
        "local": {"hp": 5, "城": {"门": [1, {"锁": "铜"}]}},
        "global": {"hp": 9},
        "message": {"mood": "好"},
    },
    "messages": MESSAGES,
    "books": {
        "世界": [
            entry(0, "钥匙", "铜钥匙 <%= hp %>", key=["钥匙"]),
            entry(1, "转", "<%- await getwi('钥匙') %>/<%- await getwi(null, 0) %>"),
            entry(2, "圈", "<%- await getwi('圈') %>"),
            entry(3, "传", "<%= who %>是<%= getvar('城.门[0]') %>", constant=True),
            entry(5, "坏", "x\n\n<%= nothing %>"),
            entry(4, "关", "…", disable=True, key=["钥匙"]),
        ]
    },
    "enabled": [["世界", "shared"]],
    "cards": [
        {"name": "爱丽丝", "avatar": "a.png", "isOfChat": True, "raw": {"name": "爱丽丝", "x": 1}}
        | dict.fromkeys(("system_prompt", "message_example", "depth_prompt"), "")
        | {"personality": "沉静", "description": "守灯人"}
    ],
    "presets": [{"name": "Main Prompt", "content": "写<%= charName %>"}],
    "replies": [{"name": "常用", "qrList": [{"label": "看", "message": "看<%= hp %>"}]}],
    "names": {"userName": "旅人", "charName": "爱丽丝", "lastUserMessageId": 1, "chatId": "c"},
}
STORY_VARIABLES = {"hp": 5, "mood": "好", "城": {"门": [1, {"锁": "铜"}]}, "list": "[1, 2]"}


@pytest.fixture(scope="module")
def patient_javascript():
    made = JavaScript(limit_s=5.0)  # what is tried here is what it gives, not when
    yield made
    made.close()


def made_of(javascript, template):
    parts = {name: lambda name=name: READ[name] for name in PARTS}
    return render(template, javascript, STORY_VARIABLES, {"user": "旅人"}, parts).text


@pytest.mark.parametrize(
    ("template", "expected"),
    [
        # variables
        ("<%= getvar('城.门[1].锁') %>", "铜"),
        ("<%= getvar('城[\"门\"][0]') %>", "1"),
        ("<%= getvar('none', {defaults: 7}) %>|<%= getvar('none') %>", "7|"),
        ("<%= getvar('list', {index: 1}) %>", "2"),
        ("<%= getLocalVar('hp') %>/<%= getGlobalVar('hp') %>/<%= getMessageVar('mood') %>", "5/9/好"),
        ("<%= getvar('hp', {scope: 'global'}) %>", "9"),
        ("<% setvar('a.b[0].c', 1) %><%= variables.a.b[0].c %>", "1"),
        ("<%= setvar('hp', 6, {results: 'old'}) %><%= hp %>", "56"),
        ("<% setvar('hp', 1, {flags: 'nx'}); setvar('neu', 1, {flags: 'nx'}) %><%= hp + neu %>", "6"),
        ("<% setvar('hp', 1, {flags: 'xx'}); setvar('neu', 1, {flags: 'xx'}) %><%= hp %><%= getvar('neu') %>", "1"),
        ("<% setGlobalVar('hp', 1) %><%= getGlobalVar('hp') %><%= hp %><%= getLocalVar('hp') %>", "115"),
        ("<% setvar('城', {塔: 1}, {merge: true}) %><%= Object.keys(getvar('城')).join() %>", "门,塔"),
        ("<%= incvar('hp') %><%= decvar('hp', 2) %><%= incvar('neu', 3, {max: 2}) %>", "642"),
        ("<% delvar('城.门', 0) %><%= getvar('城.门').length %>", "1"),
        ("<% delvar('hp') %><%= typeof hp %>", "undefined"),
        ("<% insvar('城.门', 9, 1) %><%= getvar('城.门[1]') %>", "9"),
        ("<% patchVariables(null, [{op: 'replace', path: '/hp', value: 3}]) %><%= hp %>", "3"),
        (
            "<%= JSON.stringify(jsonPatch({a: [1, 2]}, [{op: 'move', from: '/a/0', path: '/b'},"
            "{op: 'add', path: '/a/-', value: 3}, {op: 'copy', from: '/b', path: '/c~1d'}])) %>",
            '{"a":[2,3],"b":1,"c/d":1}',
        ),
        ("<%= parseJSON('```json\\n{a: \\'x\\', // n\\n b: [1, 2,],}\\n```').b[1] %>", "2"),
        ("<% define('twice', function (x) { return x * 2 + this.getvar('hp') }) %><%= twice(2) %>", "9"),
        ("<% hp = 7 %><%= variables.hp %>", "7"),
        # Lodash
        ("<%= _.sum([1, 2]) + _.get(variables, '城.门[0]') %>", "4"),
        ("<%= _.toArray('ab').join('-') %>", "a-b"),
        # messages
        ("<%= getChatMessage(-1) %><%= getChatMessage(0, 'user') %>", "(隐藏)我拿走了。"),
        ("<%= getChatMessages(-2, 'assistant').join('|') %>", "钥匙在桌上。|它会发光。"),
        ("<%= getChatMessages(0, 2).length %><%= getChatMessages(1, 3, 'assistant').length %>", "21"),
        ("<%= matchChatMessages('发光') %><%= matchChatMessages([/发光/, 'x'], {and: true}) %>", "truefalse"),
        ("<%= userName %><%= lastUserMessageId %><%= SillyTavern.getContext().name2 %>", "旅人1爱丽丝"),
        # worldbooks and cards
        ("<%- await getwi('世界', '钥匙') %>", "铜钥匙 5"),
        ("<%- await getwi('世界', /^转$/) %>", "铜钥匙 5/铜钥匙 5"),
        ("<%- await getWorldInfo('世界', 3, {who: '门'}) %>", "门是1"),
        ("<%- await getwi('世界', '没有') %>", ""),
        ("<%= (await getWorldInfoData('世界')).length %>", "6"),
        ("<%= (await getWorldInfoActivatedData('世界', '钥匙')).map((e) => e.uid) %>", "[0,3]"),
        ("<%= (await getEnabledWorldInfoEntries(true, false)).length %>", "0"),
        ("<%- await getchr() %>", "<爱丽丝>\nname: 爱丽丝\npersonality: 沉静\ndescription: 守灯人\n</爱丽丝>"),
        ("<%- await getchr('爱丽丝', '<%= name %\\>:<%= personality %\\>') %>", "爱丽丝:沉静"),
        ("<%= (await getCharaData(/爱/)).x %>", "1"),
        ("<%- await evalTemplate('<% print(1, \"b\") %\\><%= n %\\>', {n: 2}) %>", "1b2"),
        ("<% for (const x of [1, 2]) { %><%= await x %>;<% } %>", "1;2;"),
        ("<%- await getprp('Main Prompt') %><%- await getprp(/none/) %>", "写爱丽丝"),
        ("<%- await getqr('常用', /看/) %><%= getQuickReplyData('常用').qrList.length %>", "看51"),
        ("<%= getQuickReplyData('none') %><%- await getqr('常用', '没有') %>", ""),
        ("<% toastr.info('x'); console.log(1) %>ok", "ok"),
    ],
)  # fmt: skip
def test_what_reads_is_there(patient_javascript, template, expected):
    assert made_of(patient_javascript, template.replace("%\\>", "%'+'>")) == expected


@pytest.mark.parametrize(
    "code",
    ["await execute('/send x')", "activewi('世界', 0)", "injectPrompt('a', 'b')", "fetch('x')",
     "$('.mes')", "faker.fakerEN.lastName()", "activateRegex(/a/, 'b')", "new XMLHttpRequest()"],
)  # fmt: skip
def test_what_changes_something_or_is_not_kept_is_refused_in_words(patient_javascript, code):
    with pytest.raises(ScriptFailed) as caught:
        made_of(patient_javascript, f"a\n<%= {code} %>")
    assert "is for SillyTavern itself" in str(caught.value)


@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("a\n<% await 1 %>\n<%= nothing %>", 3),
        ("<%= _.nothing() %>", 1),
        ("a\n<%- await getwi('世界', '坏') %>", 2),
        ("<% await new Promise(() => {}) %>", 1),
    ],
)
def test_a_program_that_waits_fails_with_its_line_too(patient_javascript, template, line):
    with pytest.raises(ScriptFailed) as caught:
        made_of(patient_javascript, template)
    assert (caught.value.lines or (1,))[0] == line


def test_a_template_that_is_in_itself_ends(patient_javascript):
    with pytest.raises(ScriptFailed, match="nest too deeply"):
        made_of(patient_javascript, "<%- await getwi('世界', '圈') %>")


def test_a_program_that_never_ends_after_a_wait_is_stopped():
    javascript = JavaScript(limit_s=0.2)
    with pytest.raises(ScriptStopped):
        made_of(javascript, "<% await 1; for (;;); %>")
    javascript.close()


def test_only_the_parts_a_program_names_are_worked_out(patient_javascript):
    asked = []

    def part(name):
        asked.append(name)
        return READ[name]

    parts = {name: partial(part, name) for name in PARTS}
    assert render("<%= hp %>", patient_javascript, STORY_VARIABLES, {}, parts).text == "5"
    assert asked == []
    render("<%= getChatMessage(0) %>", patient_javascript, STORY_VARIABLES, {}, parts)
    assert asked == ["messages"]
    asked.clear()
    render("<%= await getwi('世界', 0) %>", patient_javascript, STORY_VARIABLES, {}, parts)
    assert set(asked) == set(PARTS)
