from __future__ import annotations

import pytest

from engram_desktop.domain.play import actions


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("*她点头* “好。”", ["*她点头*"]),
        ("a *b* c *d*", ["*b*", "*d*"]),
        ("**粗体** 不是动作", []),
        ("***两者***", []),
        ("一颗 * 星", []),
        ("*不\n跨行*", []),
        ("* *", []),
        ("😀*笑*", ["*笑*"]),
    ],
)
def test_actions_are_what_stands_between_single_stars(text, told):
    assert [text[a:b] for a, b in actions(text)] == told


@pytest.mark.parametrize("text", ["*" * 500_000, "*a" * 300_000, "*a\n" * 300_000])
def test_a_megabyte_of_stars_is_read(text):
    spans = list(actions(text))
    assert len(spans) <= len(text)
