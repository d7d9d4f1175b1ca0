"""People without a name speak for themselves: their words are not the card's, nor anybody's."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.people import story_names
from engram_desktop.domain.claims.reading import read_message
from engram_desktop.domain.claims.speech import Context, MessageSender

ZH = ("林溪", "陈默", "宋晚")
ZH_GENDERS = {"林溪": "f", "陈默": "m", "宋晚": "f"}
EN = ("Rowan", "Lord Vane", "Nell")
EN_GENDERS = {"Rowan": "f", "Lord Vane": "m", "Nell": "f"}


def said(people, genders, *messages, sender=""):
    """Return who says each sentence of the last message; ``>`` begins one of the player's."""
    names, context = story_names(people, people[0]), Context()
    found: tuple[Claim, ...] = ()
    for text in messages:
        of = people[0] if text.startswith(">") else sender or people[1]
        by = MessageSender(of, is_narrator=of not in people)
        read, context = read_message(1, text.removeprefix(">"), by, names, context, genders)
        found = read.lines
    return [line.speaker for line in found if line.how in ("said", "written")]


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("柜台后头一个驼背老头抬起眼皮。“不。”", ""),
        ("陈默抬起眼皮。“不。”", "陈默"),
        ("值班的民警从窗口后面探出头来：“不。”", ""),
        ("陈默从窗口后面探出头来：“不。”", "陈默"),
        ("钻进来一个小叫花子。\n\n“不。”小叫花子爬起来就跑。", ""),
        ("电话那头的声音很急：“不。”", ""),
        ("压低声音：“不。”", "陈默"),
        ("听筒里的人笑了：“不。”", ""),
        ("店里有人笑起来：“不。”", ""),
        ("所有人都笑起来，陈默说：“不。”", "陈默"),
        ("“不。”小石头嚼着包子，“不。”", ""),
        ("“不。”慢慢嚼着包子，“不。”", "陈默"),
        ("桌上有张卡片，上面写着：“不。”", ""),
        ("裁缝铺里，陈默抬起头。“不。”", "陈默"),
        ("陈默像个孩子似的笑了。“不。”", "陈默"),
    ],
)
def test_who_has_no_name_speaks_for_themselves_in_chinese(text, who):
    assert set(said(ZH, ZH_GENDERS, text)) == {who}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ('*A ferryman looks up from his net.* "No."', ""),
        ('*Lord Vane looks up from his net.* "No."', "Lord Vane"),
        ('"No," growls the ferryman.', ""),
        ('"No," growls Lord Vane.', "Lord Vane"),
        ('From the corner booth, a trucker raises his cup. "No."', ""),
        ('*Coach Tanner stops Nell in the hall.* "No."', ""),
        ('*He looks like a ferryman.* "No."', "Lord Vane"),
        ('*By the fire sits Nell.* "No."', "Nell"),
    ],
)
def test_who_has_no_name_speaks_for_themselves_in_english(text, who):
    assert said(EN, EN_GENDERS, text)[-1:] == [who]


def test_a_narration_beside_a_speech_in_quotes_is_nothing_that_the_card_says():
    text = '*Vane waits.*\n\nThe ferryman lays down his net. He has not slept. "No."'
    assert said(EN, EN_GENDERS, text) == [""]


def test_a_turn_without_words_is_of_nobody_where_a_stranger_speaks():
    text = "角落里的胖和尚正在啃烧鸡。“要不要来一口？”\n\n“大师手里是什么？”\n\n“豆腐做的。”"
    assert said(ZH, ZH_GENDERS, text)[-1] != "陈默"
    assert said(ZH, ZH_GENDERS, text)[0] == ""


def test_a_stranger_is_known_by_a_noun_in_the_next_message():
    first = "谷口坐着一个采药的老婆婆。“回去吧。”老婆婆头也不抬。"
    assert said(ZH, ZH_GENDERS, first, ">“婆婆，可有别的路？”", "“有。”她抬手一指。") == [""]


def test_who_says_their_name_has_one_from_then_on():
    text = 'A small woman takes you by the elbow. "I\'m Nell." She laughs. "You bunk with me."'
    assert set(said(EN, EN_GENDERS, text, sender="Narrator")) == {"Nell"}


@pytest.mark.parametrize(
    ("text", "who"),
    [
        ("“在下是镇夜司的陈默。”来人拱了拱手，“请。”", {"陈默"}),
        ("“我是来找陈默的。”来人拱了拱手，“请。”", {""}),
        ("“林溪，十六岁，江州人。”来人合上册子，“请。”", {""}),  # the player's, read to “you”
    ],
)
def test_who_says_where_they_belong_has_a_name(text, who):
    assert set(said(ZH, ZH_GENDERS, f"你抬起头。{text}", sender="旁白")) == who


def test_words_that_somebody_repeats_are_not_those_of_whom_a_pronoun_may_mean():
    text = "“一个戴斗笠的叔叔拦住我，他说：‘把玉拿来给我。’”陈默说。"
    assert said(ZH, ZH_GENDERS, text)[-1] in ("", "陈默")
    assert "林溪" not in said(ZH, ZH_GENDERS, text)


def test_a_title_before_a_name_means_whose_name_it_is():
    text = '"No," says Queen Nell. The queen turns away. "Go."'
    assert set(said(EN, EN_GENDERS, text, sender="Narrator")) == {"Nell"}


def test_a_sentence_that_goes_on_behind_a_tag_is_of_one():
    text = '"Miss Quill," Nell says with her mouth full, "I want that." Lord Vane only smiles.'
    assert set(said(EN, EN_GENDERS, text, sender="Narrator")) == {"Nell"}


def test_a_part_of_a_chinese_name_and_i_wrote_mean_the_sender():
    rows = [
        ("舰长莫雷", "舷窗外，蓝色的地球越来越近。有人哭了出来。“到家了，”莫雷说，“我说到做到。”"),
        ("林晚", "我写道：“妈，过年我一定回家，给您包荠菜馅的饺子。”"),
    ]
    read = read_all(rows, "副官伊安", known=["舰长莫雷", "林晚", "副官伊安"])[0]
    told = [(line.speaker, line.quote) for row in read for line in row.lines if line.speaker]
    assert told == [
        ("舰长莫雷", "到家了，"),
        ("舰长莫雷", "我说到做到。"),
        ("林晚", "妈，过年我一定回家，给您包荠菜馅的饺子。"),
    ]
