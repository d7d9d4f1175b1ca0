"""What is story in a message, and what is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.services.cleaning import clean


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
        ("", ""),
    ],
)
def test_story_stays_and_machinery_goes(text, story):
    assert clean(text) == story


@given(st.text(max_size=300) | st.text(alphabet="<>/!-think`&;[]()*#\n a{}", max_size=200))
def test_never_raises_and_never_grows_much(text):
    cleaned = clean(text)
    assert len(cleaned) <= len(text)
    assert cleaned == cleaned.strip()


@pytest.mark.timeout(20)
@pytest.mark.parametrize(
    "piece",
    ["<think>", "<!--", "<a ", "</think", "![a](", "[a](http:", "```json\n", "# ", "**", "- "],
)
def test_endless_marks_take_no_endless_time(piece):
    clean(piece * 200_000)
