"""What is story in a message, and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.text.sentences import without_disclaimers
from engram_desktop.services.prompts.cleaning import ALL_RULES, clean


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
        ("", ""),
    ],
)
def test_story_stays_and_machinery_goes(text, story):
    assert clean(text) == story


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
        "OOC: that is how the sign began.",
        "（OOC）他念出屏幕上的字",
        "(Oocytes, the doctor said.)",
        "a\n\n",
    ],
)
def test_what_could_be_story_is_never_taken_for_a_disclaimer(text):
    assert without_disclaimers(text) == text
    assert clean(text) == clean(text, ALL_RULES - {"disclaimers"})


LINES = (
    "她走了。",
    "（微笑）",
    "(OOC: x)",
    "（以上纯属虚构）",
    "",
    "  ",
    "(this is fiction)",
    "[a]",
    "以上虚构",
)


@given(
    st.lists(st.sampled_from(LINES) | st.text("（）()ooc:以上虚构[] \t", max_size=12), max_size=8)
)
def test_whole_lines_in_brackets_go_and_nothing_else(lines):
    made = without_disclaimers("\n".join(lines)).split("\n")
    left = list(lines)
    gone = []
    for line in made:  # what is left is there in order
        while left and left[0] != line:
            gone.append(left.pop(0))
        if left:
            left.pop(0)
    for line in (*gone, *left):
        told = line.strip(" \t")
        assert not told or (told[0] in "(（[" and told[-1] in ")）]")
        assert not told or "ooc" in told.casefold() or "虚构" in told or "fiction" in told
    assert without_disclaimers("\n".join(made)) == "\n".join(made)


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
        "<disclaimer>",
        "(OOC",
        "（以上虚构）\n",
        "<!--",
        "<a ",
        "</think",
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
