"""EJS templates mean what they mean elsewhere, and can do nothing else."""

import pytest

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.formats.javascript.ejs import Printed, names_in, render, without_programs
from engram_desktop.formats.javascript.engine import JavaScript

VARIABLES = {"bias": 0.7, "hp": 5, "stat_data": {"好感": [12, "说明"]}, "name": "爱丽丝"}


@pytest.fixture(scope="module")
def javascript():
    made = JavaScript()
    yield made
    made.close()


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
