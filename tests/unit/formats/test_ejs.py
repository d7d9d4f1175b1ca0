"""EJS templates mean what they mean elsewhere, and can do nothing else."""

import pytest

from engram_desktop.domain.errors import ScriptFailed, ScriptStopped
from engram_desktop.formats.ejs import compile_template, render
from engram_desktop.formats.javascript import JavaScript

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
        ("<%= name %><%= '<b>' %><%- '<b>' %>", "爱丽丝&#60;b&#62;<b>"),
        ("a<%# a note %>b", "ab"),
        ("  <%_ for (const n of [1, 2]) { _%>\n<%= n %>,\n  <%_ } _%>\nend", "1,\n2,\nend"),
        ("<% let x = 1 -%>\n<%= x + hp %>", "6"),
        ("<%% and %%>", "<% and %>"),
        ("<%= getvar('stat_data.好感')[0] %>", "12"),
        ("<% setvar('new.one', 3) %><%= variables.new.one %>", "3"),
        ("<%= getvar('nothing', {defaults: 'x'}) %>|<%- null %>", "x|"),
        ("<% print('a', 1) %>\r\nb", "a1\r\nb"),
        ("line\u2028<%= `\\n` %>\"'\\", "line\u2028\n\"'\\"),
    ],
)
def test_templates(javascript, template, expected):
    assert render(template, javascript, VARIABLES) == expected


@pytest.mark.parametrize("template", ["<%", "a <% b", "%> <%", "<%= nothing %>", "<% if ( %>"])
def test_what_is_no_template_is_said(javascript, template):
    with pytest.raises(ScriptFailed):
        render(template, javascript, VARIABLES)


@pytest.mark.parametrize("template", ["<% for(;;){} %>", "<% while(1) print('x'.repeat(1e6)) %>"])
def test_what_never_ends_is_stopped(javascript, template):
    with pytest.raises(ScriptFailed) as caught:
        render(template, javascript, {})
    assert isinstance(caught.value, ScriptStopped) or "Invalid string length" in str(caught.value)


@pytest.mark.parametrize(
    "code",
    ["require('fs')", "process.exit()", "import('fs')", "include('/etc/passwd')", "fetch('x')"],
)
def test_nothing_but_the_text_can_be_reached(javascript, code):
    try:
        made = render(f"<%- {code} %>", javascript, {})
    except ScriptFailed:
        return
    assert made == "[object Promise]"  # an import that never comes


def test_variables_are_the_templates_own_copy(javascript):
    held = {"hp": 1}
    assert render("<% hp = 5; setvar('x', 1) %><%= hp %>", javascript, held) == "5"
    assert held == {"hp": 1}


def test_many_openings_are_refused_at_once():
    with pytest.raises(ScriptFailed):
        compile_template("<%" * 100_000)
