"""Chinese promises and lies: what keeps, breaks or takes back which words."""

from __future__ import annotations

import pytest

from tests.known_people import told

PLAYER = "林远"


def findings(kind, *messages):
    return [f for f in told(*messages)[1] if f.kind == kind]


def status(*messages):
    """Return the words of each promise, with its status."""
    return {f.quotes[0].text: f.status for f in findings("promise", *messages)}


GIVEN = (PLAYER, "“苏棠，等天晴了，我一定带你去看梅花。”我说。")


@pytest.mark.parametrize("words", ["说话算话？", "你不是最守信的吗？说到做到？"])
def test_a_question_about_a_promise_does_not_keep_it(words):
    assert set(status(GIVEN, f"苏棠看着你：“{words}”").values()) == {"open"}


def test_words_that_cite_another_promise_do_not_keep_this_one():
    said = status(GIVEN, "苏棠低头。", (PLAYER, "“我答应过你不喝酒的，这杯就算了。”"))
    assert said["苏棠，等天晴了，我一定带你去看梅花。"] == "open"
    said = status(GIVEN, "苏棠笑了。", (PLAYER, "“我说过会带你看梅花的，你瞧那一树。”"))
    assert said["苏棠，等天晴了，我一定带你去看梅花。"] == "kept"


def test_this_is_what_i_promised_is_about_the_promise_that_the_scene_shows():
    house = (PLAYER, "“苏棠，再等两年，我一定让你住上大房子。”")
    there = (PLAYER, "*我们站在梅花树下，看满枝的花。*“苏棠，我答应你的。”")
    said = status(GIVEN, house, "苏棠点点头。", there)
    assert said["苏棠，等天晴了，我一定带你去看梅花。"] == "kept"
    assert said["苏棠，再等两年，我一定让你住上大房子。"] == "open"


def test_forgetting_told_to_another_breaks_no_promise():
    given = (PLAYER, "“沈砚，我以性命起誓，此事绝不告诉任何人。”")
    forgot = (PLAYER, "“陆三，啊呀，你的糖我忘了！”我一拍脑门。")
    assert "broken" not in status(given, "沈砚点头，转身出门。陆三跑了进来。", forgot).values()


def test_to_praise_another_who_keeps_their_word_is_no_promise():
    assert status("苏棠红着脸：“沈砚说到做到。”") == {}
    assert status("苏棠红着脸：“我说到做到，明天一定还你钱。”") != {}


@pytest.mark.parametrize(
    "words",
    [
        "我以后什么都不瞒你了。",
        "周六中午我准时到。",
        "等看完了灯，奴婢一定写信告诉娘娘。",
        "等铺子赚了钱，我就给你买辆新的。",
        "铺子赚了钱，我第一件事就是给你买辆新的。",
    ],
)
def test_everyday_words_that_bind(words):
    assert words in status(f"苏棠握住你的手：“{words}”")


@pytest.mark.parametrize(
    "words", ["我以后再看吧。", "我昨天准时到了。", "铺子赚了钱，我很高兴。", "他以后不瞒你就好。"]
)
def test_everyday_words_that_do_not_bind(words):
    assert status(f"苏棠握住你的手：“{words}”") == {}


def test_the_one_lie_that_is_known_is_the_one_owned_up_to():
    lie = "沈砚笑笑：“我在衙门当差，好得很。”（他在撒谎，他早被革了职。）"
    owned = "沈砚低下头：“对不起，我骗了你。”"
    (found,) = findings("lie", lie, (PLAYER, "“那就好。”"), "雨停了。", (PLAYER, "“嗯。”"), owned)
    assert (found.status, found.quotes[-1].text) == ("found_out", "对不起，我骗了你。")


def test_a_confession_that_repeats_words_is_about_these():
    said = (PLAYER, "“我跟陆三不熟，就见过一次。”我对苏棠说。")
    other = (PLAYER, "“今晚的月亮真圆。”我对苏棠说。")
    owned = (PLAYER, "“苏棠，我骗你说跟陆三不熟，是想给你惊喜。”")
    found = findings("lie", said, "苏棠嗯了一声。", other, "苏棠笑了。", owned)
    assert [f.quotes[0].text for f in found] == ["我跟陆三不熟，就见过一次。"]


def test_not_wanting_to_lie_owns_up_to_nothing():
    said = "沈砚说：“别喂它，它挠人。”"
    assert findings("lie", said, (PLAYER, "“好。”"), "沈砚叹气：“但我不想骗她太久。”") == []


def test_a_thing_that_is_false_is_no_confession():
    said = "沈砚说：“掌门叫我回山。”"
    asked = (PLAYER, "“那丢的是什么？”")
    assert findings("lie", said, asked, "沈砚笑了：“是假的。”") == []


def test_you_lie_is_said_of_the_hearer_alone():
    seen = "沈砚低声说：“昨夜我看见陆三从后门出来。”"
    denied = "陆三冷笑：“我昨夜根本没出门。”"
    accused = (PLAYER, "“你撒谎！昨夜从后门出来的就是你！”我指着陆三。")
    found = findings("lie", seen, (PLAYER, "“陆三，是你？”"), denied, accused)
    assert "沈砚" not in {who for f in found for who in f.who}
    assert PLAYER not in {who for f in found for who in f.who}


def test_who_lied_to_somebody_is_named():
    said = "苏棠说：“掌柜亲口跟我说，没有我的名字。”"
    found = findings("lie", said, (PLAYER, "“嗯。”"), "苏棠走了——掌柜骗了她。")
    assert "苏棠" not in {who for f in found for who in f.who}


@pytest.mark.parametrize(
    ("words", "is_kept"),
    [
        ("你果然没有食言。", True),
        ("你做到了。", True),
        ("你没有食言吗？", False),
        ("你可别食言。", False),
    ],
)
def test_who_was_promised_something_says_that_it_was_kept(words, is_kept):
    said = status(GIVEN, "苏棠点点头。", (PLAYER, "我牵着她走进园子。"), f"苏棠看着你：“{words}”")
    assert (said["苏棠，等天晴了，我一定带你去看梅花。"] == "kept") is is_kept
