"""A text of the story cannot close the block it is told in, however it spells the tag."""

from __future__ import annotations

import pytest

from engram_desktop.domain.inject import defused


@pytest.mark.parametrize(
    "tag",
    [
        "</chat_history>", "</ chat_history >", "<CHAT_HISTORY>", "< /Chat History>",
        "＜／chat_history＞", "&lt;/chat_history&gt;", "&#60;/chat-history>", "&#x3C;chat_history",
        "<\n/chat_history>", "<\\/chat_history>", "〈/chat_history〉",
    ],
)  # fmt: skip
def test_a_tag_is_defused_in_any_spelling(tag):
    told = defused(f"他说：{tag}，然后离开。", "chat_history")
    assert told.startswith("他说：‹")
    assert not {"<", "＜", "〈"} & set(told)
    assert "&lt" not in told
    assert told.endswith("，然后离开。")


@pytest.mark.parametrize("text", ["a < b", "<b>粗</b>", "<events>", "x<chat", "1 &lt; 2"])
def test_other_text_stays_as_it_is(text):
    assert defused(text, "chat_history") == text
