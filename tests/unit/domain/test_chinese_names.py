"""Which Chinese characters are a name, and who of a story is found by them."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.people import FoundPeople, candidates
from engram_desktop.domain.text.chinese_names import is_name_shaped, split_surname

NAMES = "沈知夏 顾明远 苏可心 叶天行 闻斯年 江月 程年 顾可 陆言 周自衡 欧阳明 慕容月".split()
WORDS = "时间 夏天 周围 安静 明天 于是 许多 高兴地 鲁可眼 温柔 白光照 方才 路过的".split()


@pytest.mark.parametrize("name", NAMES)
def test_a_name_may_be_written_with_characters_that_are_words(name):
    assert is_name_shaped(name)


@pytest.mark.parametrize("word", WORDS)
def test_a_word_is_no_name_though_it_begins_like_one(word):
    assert not is_name_shaped(word)


def test_a_surname_may_have_two_characters():
    assert split_surname("慕容月") == ("慕容", "月")
    assert split_surname("闻斯年") == ("闻", "斯年")
    assert split_surname("爱丽丝") == ("", "爱丽丝")


@pytest.mark.parametrize("name", NAMES)
def test_who_acts_again_and_again_is_a_person_whatever_the_name(name):
    texts = [
        f"雨停了。{name}推开门，把伞靠在墙边。",
        f"“明天再说吧。”{name}站起身来。时间不早了。",
        f"{name}点了点头。周围一下子安静下来。",
    ]
    assert FoundPeople.of(candidates(text) for text in texts).likely() == [name]
