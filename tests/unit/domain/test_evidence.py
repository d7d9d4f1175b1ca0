"""A sentence is found in the lines it was made of, and nowhere else."""

from __future__ import annotations

import pytest
import rjieba

from engram_desktop.domain.pipeline.draft import LINES, evidence
from engram_desktop.domain.recall.lexemes import index_tokens
from engram_desktop.domain.recall.relevance import question_words

CHINESE = [
    "爱丽丝 今天的雨下得真大，你从哪里来？",
    "旅人 我从北方的港口来，走了三天。",
    "爱丽丝 先喝碗热汤吧，二楼的房间空着。",
    "旅人 这把铜钥匙是在沉船里找到的，送给你。",
    "爱丽丝 钥匙上刻着灯塔的图案，谢谢。",
]
ENGLISH = [
    "Mara: The bridge was burnt by the raiders last night.",
    "Tobin: Then we have to cross the river by boat.",
    "Mara: My brother owns a ferry in Larkspur.",
    "Tobin: I'll pay him with the silver ring.",
    "Mara: He prefers wine to silver.",
]


def look_up(sentence, lines):
    words = question_words(sentence, rjieba.cut, rjieba.suggest_freq)
    return evidence(sentence, words, [frozenset(index_tokens(line)) for line in lines])


@pytest.mark.parametrize(
    ("sentence", "lines", "floor"),
    [
        ("旅人把沉船里找到的铜钥匙送给爱丽丝。", CHINESE, 3),
        ("旅人来自北方的港口。", CHINESE, 1),
        ("Raiders burnt the bridge.", ENGLISH, 0),
        ("Mara's brother has a ferry in Larkspur.", ENGLISH, 2),
    ],
)
def test_the_line_it_comes_from_is_the_first(sentence, lines, floor):
    found = look_up(sentence, lines)
    assert found.lines[0] == floor
    assert found.is_borne_out


def test_a_sentence_of_two_lines_has_both():
    found = look_up("爱丽丝请旅人喝热汤，旅人送她沉船里的铜钥匙。", CHINESE)
    assert {2, 3} <= set(found.lines)
    assert len(found.lines) <= LINES


@pytest.mark.parametrize(
    ("sentence", "lines", "word"),
    [
        ("国王在宫殿里宣布战争开始。", CHINESE, "宫殿"),
        ("The queen married a merchant in Carthage.", ENGLISH, "carthage"),
    ],
)
def test_an_invented_sentence_is_not_borne_out_and_its_words_are_named(sentence, lines, word):
    found = look_up(sentence, lines)
    assert not found.is_borne_out
    assert word in found.missing


def test_a_wrong_name_in_a_true_sentence_is_named():
    found = look_up("Mara's brother has a ferry in Ravensburg.", ENGLISH)
    assert found.is_borne_out
    assert found.missing == ("ravensburg",)


def test_the_names_of_who_speaks_prove_nothing():
    assert not look_up("爱丽丝与旅人在宫殿跳舞。", CHINESE).is_borne_out


def test_what_says_nothing_is_neither_marked_nor_found():
    found = look_up("他笑了。", CHINESE)
    assert (found.lines, found.missing) == ((), ())
    assert found.is_borne_out


def test_without_lines_nothing_is_borne_out():
    assert not look_up("旅人来自北方的港口。", []).is_borne_out
