"""Sentences are whole: half a quotation is none."""

import pytest

from engram_desktop.domain.text.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("爱丽丝笑了。旅人没有！", ["爱丽丝笑了。", "旅人没有！"]),
        ("她说：“走吧。别回头。”旅人走了。", ["她说：“走吧。别回头。”", "旅人走了。"]),
        ("写着“打烊。”的木牌掉了", ["写着“打烊。”", "的木牌掉了"]),
        (
            "Dr. Vale met Mr. Oake at 3.5 km. They left.",
            ["Dr. Vale met Mr. Oake at 3.5 km.", "They left."],
        ),
        ("He waits… Nobody comes!?", ["He waits…", "Nobody comes!?"]),
        ("“没有结尾\n下一行。", ["“没有结尾", "下一行。"]),
        ("……。！", []),
        ("", []),
    ],
)
def test_a_text_is_split_at_the_ends_of_its_sentences(text, sentences):
    assert split_sentences(text) == sentences


def test_no_character_is_lost_and_a_long_text_is_quick_work():
    text = "“" + "她说了很多话。" * 20_000
    assert "".join(split_sentences(text)) == text
