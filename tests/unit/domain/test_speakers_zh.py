"""Who says what in Chinese scenes: nicknames, headings, brackets, letters, and who goes on."""

from __future__ import annotations

import pytest

from engram_desktop.domain.claims.people import (
    FoundPeople,
    candidates,
    short_forms,
    story_names,
)
from engram_desktop.domain.claims.reading import read_message
from engram_desktop.domain.claims.speech import Context, MessageSender

CAST = ("江野", "沈砚", "许知夏", "顾临", "方玲")
GENDERS = {"沈砚": "m", "许知夏": "f", "顾临": "m", "方玲": "f"}


def read(text, sender="沈砚", before=None, *, is_narrator=False, beside=(), cast=CAST):
    style = MessageSender(sender, is_narrator, beside=frozenset(beside))
    names = story_names(cast[1:], cast[0])
    found, after = read_message(3, text, style, names, before or Context(), GENDERS)
    return found.lines, after


def said(text, *args, how="said", **kwargs):
    found, _after = read(text, *args, **kwargs)
    return [(line.speaker, line.quote.strip()) for line in found if line.how == how]


@pytest.mark.parametrize("form", ["砚儿", "小砚", "阿砚", "砚砚", "老沈"])
def test_a_nickname_of_the_given_name_is_the_person(form):
    names = story_names(CAST[1:], CAST[0])
    assert [mention.name for mention in names.find(f"{form}推门进来。")] == ["沈砚"]


def test_the_last_character_of_a_name_of_three_makes_nicknames():
    assert {"知夏", "小夏", "夏夏", "夏儿"} <= set(short_forms("许知夏"))


@pytest.mark.parametrize(("name", "word"), [("林心", "小心"), ("陆时", "小时"), ("沈天", "天天")])
def test_an_everyday_word_is_no_nickname(name, word):
    assert word not in short_forms(name)
    assert len(short_forms(name)) == len(set(short_forms(name)))


def test_old_with_a_family_name_that_two_share_means_neither():
    names = story_names(["许知夏", "许爸爸"], "江野")
    assert list(names.find("老许摆摆手。")) == []


def test_a_bracket_that_guesses_about_another_does_not_say_who_speaks():
    assert said("（总觉得顾临有所隐瞒。）“那就散了吧。”", "江野") == [("江野", "那就散了吧。")]
    told = "（顾临推门进来）“外头下雨了。”"
    assert said(told, "江野") == [("顾临", "外头下雨了。")]


def test_stars_around_a_heading_leave_the_other_lines_told():
    text = "*三天后，渡口。*\n\n船家都歇了。顾临蹲在岸边。\n\n“没船了。”顾临叹气。"
    assert said(text) == [("顾临", "没船了。")]
    text = "*沈砚放下灯* 你来了。 *他笑了笑* “快坐。”"
    assert ("沈砚", "你来了。") in said(text)


@pytest.mark.parametrize(
    "lead", ["方玲不敢相信地看着他：", "方玲把信封放在桌上：", "方玲把一封信塞进他手里："]
)
def test_words_with_the_character_of_a_letter_are_no_letter(lead):
    assert said(f"{lead}“你自己看吧。”", "旁白", is_narrator=True) == [("方玲", "你自己看吧。")]


def test_a_note_in_the_hand_of_a_person_is_written_by_them():
    text = "盒子里有一张纸条，是顾临的字：“别等我。”"
    assert said(text, "旁白", is_narrator=True, how="written") == [("顾临", "别等我。")]


def test_a_last_line_below_the_words_of_the_only_other_person_goes_on():
    before = Context(turns=("顾临", "江野", "顾临", "江野"), recent=("江野", "顾临"))
    text = "“我不走。”顾临摇头。\n\n“你能不能替我瞒着？”"
    got = said(text, "旁白", before, is_narrator=True, beside=["江野"])
    assert [who for who, _words in got] == ["顾临", "顾临"]


def test_lines_without_tags_in_a_row_are_a_dialogue_and_do_not_go_on():
    before = Context(turns=("顾临", "江野", "顾临", "江野"), recent=("江野", "顾临"))
    text = "顾临数着人头。“只剩七个。”\n\n“不是八个么？”\n\n“我没算那只鹤。”"
    got = said(text, "旁白", before, is_narrator=True, beside=["江野"])
    assert "顾临" not in [who for who, words in got if words == "不是八个么？"]


def test_a_name_that_is_only_asked_about_is_not_called():
    _lines, after = read("“顾临？就是你那个室友？”我皱眉。", "江野")
    assert after.called == ""
    _lines, after = read("“顾临？你在吗？”我敲门。", "江野")
    assert after.called == "顾临"


def test_who_is_only_named_in_a_speech_is_not_meant_by_he():
    before = Context(turns=("沈砚", "江野"), recent=("江野",))
    text = "沈砚找到了活，师傅姓秦，脾气古怪。\n\n“师傅夸我了。”他比划着，“江野，你听见没有？”"
    assert {who for who, _words in said(text, "沈砚", before)} == {"沈砚"}


def test_whose_boyfriend_a_speaker_is_is_not_their_name():
    text = "门口站着个青年。“我是夏夏她男朋友。”"
    assert "许知夏" not in [who for who, _words in said(text, "旁白", is_narrator=True)]
    text = "门口站着个青年。“我是顾临，来送药的。”"
    assert [who for who, _words in said(text, "旁白", is_narrator=True)] == ["顾临"]


def test_words_to_you_are_heard_by_whom_the_speaker_holds():
    before = Context(turns=("方玲", "江野"), recent=("方玲",))
    found, _after = read("“我会去送你的。”我揉了揉许知夏的头发。", "江野", before)
    assert found[0].hearers == ("许知夏",)
    found, _after = read("“她是宁波人。”我拍着许知夏的肩。", "江野", before)
    assert found[0].hearers == ("方玲",)


def likely(*texts):
    return FoundPeople.of([candidates(text) for text in texts]).likely()


def test_a_childs_name_of_one_character_twice_is_a_person_and_an_adverb_is_none():
    texts = (
        "方玲在给圆子包扎。圆子疼得吸气。",
        "方玲给团子喂药，豆豆拍着手笑。",
        "豆豆剥开糖纸，塞给方玲。方玲抱住豆豆。",
        "豆豆跟在后面。渐渐天黑了。悄悄话。",
        "渐渐雨停了。方玲叫豆豆吃饭。渐渐听不见了。",
    )
    assert "豆豆" in likely(*texts)
    assert not {"渐渐", "悄悄", "圆子"} & set(likely(*texts))


def test_the_empress_is_a_person_by_her_title():
    assert "皇后" in likely("皇后放下茶盏。", "皇后霍然起身。“血口喷人！”")


def test_who_is_only_called_uncle_is_no_other_person():
    texts = ("豆豆嘟囔：“江叔叔，你会回来吗？”", "豆豆抱住你：“江叔叔！”", "方玲笑了。")
    assert "江叔叔" not in likely(*texts)
    acts = ("江叔叔推开门。", "江叔叔坐下来。", "“来了？”江叔叔说。")
    assert "江叔叔" in likely(*acts)


def test_uncle_behind_a_family_name_calls_the_only_one_who_has_it():
    names = story_names(["方玲", "沈砚"], "江野")
    assert [mention.name for mention in names.find("江叔叔，你会回来吗？")] == ["江野"]
    names = story_names(["方玲", "江雪"], "江野")
    assert list(names.find("江叔叔，你会回来吗？")) == []
