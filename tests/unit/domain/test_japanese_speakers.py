"""People of Japanese stories, and who says what in them."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from benchmarks.findings import read_all
from engram_desktop.domain.claims.people import FoundPeople, candidates, story_people
from engram_desktop.domain.knowledge.presence import perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of

CAST = [
    ("語り", "図書室で白石さくらが本を閉じた。「白石さん、時間だよ」と藤井先輩が言った。"),
    ("語り", "さくらは立ち上がった。「さくらちゃん、またね」藤井が手を振る。"),
]


def people(*texts, player="健"):
    messages = [("語り", text) for text in texts]
    found = FoundPeople.of(candidates(text) for text in texts)
    return story_people(messages, [player], (), found.likely())[0]


def speakers(text, sender="語り", player="健"):
    read, _findings, _spent = read_all([*CAST, (sender, text)], player)
    return [(c.how, c.speaker) for c in read[-1].lines if c.how in ("said", "written")]


def test_names_stand_before_san_and_act_under_one_whole_name():
    assert people(*(text for _name, text in CAST)) == ("健", "藤井", "白石さくら")


def test_kin_thanks_and_offices_are_nobodys_names():
    told = "「お母さん、皆さん、店長さん、ご苦労さん」神様は笑った。たくさんの模様。"
    assert people(told, told, told) == ("健",)


@pytest.mark.parametrize(
    ("text", "how", "who"),
    [
        ("「もう遅いよ」さくらは鞄を持って立った。", "said", "白石さくら"),
        ("廊下の向こうから眼鏡の藤井先輩が歩いてくる。\n\n「遅いぞ」", "said", "藤井"),
        ("「健くん、来て」藤井先輩は手を振った。", "said", "藤井"),
        # who is called by name does not speak
        ("「さくらちゃん、来て」", "said", ""),
        # who acts behind the speech of another only hears it
        ("藤井は笑った。「大丈夫だ」さくらは頷いた。", "said", "藤井"),
        ("さくらからのメールだった。\n\n『明日、駅で待ってる』", "written", "白石さくら"),
        # a word that ends in a name's characters is no name
        ("丘にはまださくらいろの花。「きれい」", "said", ""),
    ],
)
def test_who_says_a_line_in_japanese(text, how, who):
    assert speakers(text)[0] == (how, who)


def test_what_the_player_sends_back_is_written_by_the_player():
    assert speakers("『わかった』と返信した。", sender="健") == [("written", "健")]


def test_a_name_in_hiragana_is_a_word_of_its_own():
    names = names_of(Cast((Member("ゆき"),), "健"))
    assert len(list(names.find("ゆきは笑った。「ゆきちゃん」雪とゆきが歩く。"))) == 3
    assert list(names.find("一緒にゆきます。ゆきぐにと、こゆきの話。")) == []


class Told(NamedTuple):
    """A message of a narrator."""

    text: str
    name: str = "語り"
    role: str = "assistant"


def heard(text):
    cast = Cast((Member("玲奈"), Member("あかり")), "健", is_group=True)
    before = Told("玲奈は教室に入ってきた。あかりは教室に入ってきた。")
    return {one.name for one in perceive([before, Told(text)], cast)[-1].audience}


def test_a_scene_in_japanese_begins_elsewhere_with_who_is_there_alone():
    assert "あかり" not in heard("放課後。生徒会室には玲奈が一人きりだった。「話があるの」")
    assert "あかり" in heard("玲奈は放課後の話をした。「楽しみね」")
