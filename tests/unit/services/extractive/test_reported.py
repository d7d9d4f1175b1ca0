"""Speech as a narrator tells it: persons change, words do not."""

from __future__ import annotations

import pytest

from engram_desktop.services.extractive import reported
from engram_desktop.services.extractive.reported import narration
from engram_desktop.services.extractive.words import base_of, third_person


def zh(text, speaker="白露", listener="阿衡", count=2):
    report = reported.report_zh(text, speaker, listener, count)
    return "" if report is None else report.subject + report.lead + report.body


def en(text, speaker="Mira", listener="Wren", gender="she"):
    report = reported.report_en(text, speaker, listener, gender, {"Tobin", "Thorne"})
    return (
        "" if report is None else f"{report.subject} {report.lead} {report.body}".replace("  ", " ")
    )


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("我答应你，绝不告诉老板。", "白露答应阿衡，绝不告诉老板"),
        ("嗯嗯，我最喜欢雨天啦~", "白露最喜欢雨天"),
        ("阿衡，别告诉我爹！", "白露叫阿衡别告诉自己爹"),
        ("别的船都走了。", "白露说别的船都走了"),
        ("帮我把铜铃收好。", "白露请阿衡帮自己把铜铃收好"),
        ("我们今晚去望江渡吧！", "白露提议今晚去望江渡"),
        ("快把门关上，外面有人！", "白露让阿衡快把门关上，外面有人"),
        ("你昨天去哪儿了？", "白露问阿衡：阿衡昨天去哪儿了？"),
        (
            "那枚铜铃是我娘留下的，里面藏着钥匙。😭",
            "白露告诉阿衡，那枚铜铃是自己娘留下的，里面藏着钥匙",
        ),
        ("不过我三年前来过这里。", "白露说自己三年前来过这里"),
        ("我会一直等你的，对吧？", "白露问阿衡：自己会一直等阿衡的？"),
        ("[OK]", ""),
        ("嗯，好的。", ""),
        ("哈哈哈哈！", ""),
    ],
)
def test_chinese_speech_is_told(said, told):
    assert zh(said) == told


def test_a_speaker_without_a_name_says_what_is_said():
    assert zh("王思琪是我的上司。", "我", "", count=1) == "王思琪是我的上司"
    assert zh("周末我帮你补习。", "我", "莉莉") == "我说周末自己帮莉莉补习"


def test_several_are_not_two():
    assert zh("我们被包围了，谁也别动。", count=4) == "白露说大家被包围了，谁也别动"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("I hid the map under the altar.", "Mira says she hid the map under the altar"),
        ("Oh, I love the sea, and I'm tired.", "Mira loves the sea, and she is tired"),
        ("Please don't tell my brother Tobin!", "Mira asks Wren not to tell her brother Tobin"),
        ("Never open that door.", "Mira asks Wren never to open that door"),
        ("Let's leave before midnight.", "Mira suggests they leave before midnight"),
        ("Thorne took the map from me.", "Mira says Thorne took the map from her"),
        (
            "You have my word, and your horse is mine.",
            "Mira says Wren has her word, and Wren's horse is hers",
        ),
        (
            "I've seen you there, but you don't know him.",
            "Mira says she has seen Wren there, but Wren doesn't know him",
        ),
        ("Haven't slept in three days.", "Mira says she hasn't slept in three days"),
        ("Last week was wild for us.", "Mira says last week was wild for them"),
        ("Who did this to you?", "Mira asks Wren: “Who did this to you?”"),
        ("Wow, thanks!", ""),
    ],
)  # fmt: skip
def test_english_speech_is_told(said, told):
    assert en(said) == told


def test_a_speaker_of_whom_nobody_says_she_or_he_is_they():
    told = en("I want to save him, but I'm late.", gender="")
    assert told == "Mira wants to save him, but they are late"
    assert en("I was there.", gender="they") == "Mira says they were there"


def test_what_the_speaker_does_is_told_with_the_name():
    told = narration("I slowly open my bag and look at you.", "Wren", "Mira", "he")
    assert told == "Wren slowly opens his bag and looks at Mira."


@pytest.mark.parametrize(
    ("form", "base"), [("leans", "lean"), ("tried", "try"), ("took", "take"), ("altar", "")]
)
def test_forms_of_verbs_are_known(form, base):
    assert base_of(form) == base


def test_third_persons():
    assert [third_person(v) for v in ("go", "try", "play", "have", "be", "kiss")] == [
        "goes", "tries", "plays", "has", "is", "kisses",
    ]  # fmt: skip


def test_a_verb_behind_and_is_the_speaker_s_only_after_something_the_speaker_did():
    assert narration("Come and look at me.", "Mira", "Wren", "she") == "Come and look at her."
    told = narration("I open the bag and look.", "Mira", "Wren", "she")
    assert told == "Mira opens the bag and looks."
