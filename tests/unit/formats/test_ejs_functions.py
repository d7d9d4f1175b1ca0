# ruff: noqa: E501 - a template and what it makes stand on one line
"""The functions that ST-Prompt-Template documents: those that read are there, the others refuse."""

from functools import partial

import pytest

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.formats.javascript.ejs import PARTS, render
from engram_desktop.formats.javascript.engine import JavaScript

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
VARIABLES = {"hp": 5, "mood": "好", "城": {"门": [1, {"锁": "铜"}]}, "list": "[1, 2]"}


@pytest.fixture(scope="module")
def javascript():
    made = JavaScript(limit_s=5.0)  # what is tried here is what it gives, not when
    yield made
    made.close()


def made_of(javascript, template):
    parts = {name: lambda name=name: READ[name] for name in PARTS}
    return render(template, javascript, VARIABLES, {"user": "旅人"}, parts).text


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
def test_what_reads_is_there(javascript, template, expected):
    assert made_of(javascript, template.replace("%\\>", "%'+'>")) == expected


@pytest.mark.parametrize(
    "code",
    ["await execute('/send x')", "activewi('世界', 0)", "injectPrompt('a', 'b')", "fetch('x')",
     "$('.mes')", "faker.fakerEN.lastName()", "activateRegex(/a/, 'b')", "new XMLHttpRequest()"],
)  # fmt: skip
def test_what_changes_something_or_is_not_kept_is_refused_in_words(javascript, code):
    with pytest.raises(ScriptFailed) as caught:
        made_of(javascript, f"a\n<%= {code} %>")
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
def test_a_program_that_waits_fails_with_its_line_too(javascript, template, line):
    with pytest.raises(ScriptFailed) as caught:
        made_of(javascript, template)
    assert (caught.value.lines or (1,))[0] == line


def test_a_template_that_is_in_itself_ends(javascript):
    with pytest.raises(ScriptFailed, match="nest too deeply"):
        made_of(javascript, "<%- await getwi('世界', '圈') %>")


def test_a_program_that_never_ends_after_a_wait_is_stopped():
    javascript = JavaScript(limit_s=0.2)
    with pytest.raises(ScriptStopped):
        made_of(javascript, "<% await 1; for (;;); %>")
    javascript.close()


def test_only_the_parts_a_program_names_are_worked_out(javascript):
    asked = []

    def part(name):
        asked.append(name)
        return READ[name]

    parts = {name: partial(part, name) for name in PARTS}
    assert render("<%= hp %>", javascript, VARIABLES, {}, parts).text == "5"
    assert asked == []
    render("<%= getChatMessage(0) %>", javascript, VARIABLES, {}, parts)
    assert asked == ["messages"]
    asked.clear()
    render("<%= await getwi('世界', 0) %>", javascript, VARIABLES, {}, parts)
    assert set(asked) == set(PARTS)
