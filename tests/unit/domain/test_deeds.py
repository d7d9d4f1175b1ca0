"""What became of a promise is told by deeds, and what is no promise."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all

FILLS_ZH = ("旁白", "雨下了一夜，街上没有行人。")
FILLS_EN = ("Narrator", "Rain fell on the roofs of the town.")


def promises(*messages, people):
    """Return status and first words of the promises of a story; the first sender is the player."""
    is_zh = not messages[0][1].isascii()
    fills = FILLS_ZH if is_zh else FILLS_EN
    rows = [messages[0], fills, fills, *messages[1:]]
    found = read_all(rows, messages[0][0], known=people)[1]
    return [f.status for f in found if f.kind == "promise"]


def promised(said):
    """The promises of one message, of 陆三 or of Tom."""
    sender = "Tom" if said.isascii() else "陆三"
    return promises((sender, said), people=[sender])


def outcome(said, told, floors=0, by=""):
    """What became of what 陆三 or Tom promised, when ``told`` follows that many messages later."""
    is_english = said.isascii()
    people = ["Tom", "Greta", "Bess"] if is_english else ["陆三", "苏棠", "阿七"]
    fills = FILLS_EN if is_english else FILLS_ZH
    told_by = by or ("Narrator" if is_english else "旁白")
    return promises((people[0], said), *[fills] * floors, (told_by, told), people=people)


@pytest.mark.parametrize(
    ("said", "told", "status"),
    [
        ("“我一定把那块怀表还给你。”陆三说。", "陆三从怀里掏出那块怀表，放在她掌心里。", "kept"),
        ('"I\'ll be back Friday, I promise."', "On Friday there was an empty chair.", "broken"),
    ],
)
def test_a_deed_in_other_words_tells_what_became_of_a_promise(said, told, status):
    assert outcome(said, told) == [status]


@pytest.mark.parametrize("floors", [0, 30])
@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("“我告诉他了，对不起。”陆三说。", "broken"),
        ("“我还没有告诉任何人。”陆三说。", "open"),
        ("“我没告诉你我去了哪里。”陆三说。", "open"),
        ("苏棠始终没有告诉任何人。", "open"),
    ],
)
def test_who_tells_a_secret_breaks_the_promise(told, status, floors):
    assert outcome("“我发誓不告诉任何人。”陆三说。", told, floors) == [status]


@pytest.mark.parametrize(
    ("told", "status"),
    [
        ('"I told him," said Tom.', "broken"),
        ('"I have not told anyone yet," said Tom.', "open"),
        ('"I never told you about my mother," said Tom.', "open"),
        ("Greta had never told anyone.", "open"),
    ],
)
def test_an_english_secret_is_kept_by_who_tells_nobody(told, status):
    assert outcome('"I will not breathe a word to your brother."', told) == [status]


@pytest.mark.parametrize("floors", [0, 20])
@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("“你要说话算话哦!”陆三对苏棠说。", "open"),
        ("“你答应过我的。”陆三对苏棠说。", "open"),
        ("“你可要说话算话！”陆三对苏棠说。", "open"),
        ("陆三向来说话算数。", "open"),
        ("陆三果然说到做到，怀表修好了。", "kept"),
    ],
)
def test_faith_that_is_asked_of_another_keeps_nothing(told, status, floors):
    assert outcome("“我一定把怀表修好，我答应你。”陆三说。", told, floors) == [status]


@pytest.mark.parametrize("floors", [0, 20])
@pytest.mark.parametrize(
    ("told", "status"),
    [
        ('"Make sure Greta keeps her word," said Tom.', "open"),
        ('"If she keeps her promise, we are rich," said Tom.', "open"),
        ('"You really did it!" Tom said to Greta.', "open"),
        ("Tom kept his word.", "kept"),
    ],
)
def test_faith_that_is_asked_of_another_in_english_keeps_nothing(told, status, floors):
    assert outcome('"I\'ll mend the mill wheel for you, I promise."', told, floors) == [status]


@pytest.mark.parametrize("floors", [0, 30])
@pytest.mark.parametrize(
    ("told", "status"),
    [
        ("“前辈,十五块灵石,一块不少,还您!”", "kept"),
        ("“前辈，十五块灵石，还您！”", "kept"),
        ("“说过的话,自然算数。”*陆三把灵石放在她手里*", "kept"),
        ("“灵石过几天还您。”", "open"),
        ("“说过的话,自然算数。”*陆三看着墙*", "open"),
    ],
)
def test_who_hands_over_what_was_promised_keeps_it(told, status, floors):
    said = "“剩下的十五块灵石，我月底一定还您！”"
    assert outcome(said, told, floors, by="陆三") == [status]


@pytest.mark.parametrize("floors", [0, 30])
@pytest.mark.parametrize(
    ("told", "status"),
    [
        ('"I keep my word." *I hand her the file*', "kept"),
        ('"I keep my word." *I look at the wall*', "open"),
        ("*I keep the file in my pocket*", "open"),
    ],
)
def test_who_hands_over_what_was_promised_in_english_keeps_it(told, status, floors):
    assert outcome('"I\'ll bring you that file, I swear."', told, floors, by="Tom") == [status]


@pytest.mark.parametrize(
    ("said", "told", "status"),
    [
        ("“三日之内我必找出内鬼。”陆三说。", "“你可得守信。”苏棠对陆三说。", "open"),
        ("“三日之内我必找出内鬼。”陆三说。", "“阿七,你还算守信。”苏棠说。", "open"),
        ('"I\'ll mend the wheel, I promise."', '"Keep your word, Tom," said Greta.', "open"),
        ('"I\'ll mend the wheel, I promise."', '"You kept your word, Bess," said Greta.', "open"),
        ('"I\'ll pay you tonight."', '"Forget it. We\'re square," said Greta.', "given_up"),
    ],
)
def test_the_other_says_that_a_promise_was_kept(said, told, status):
    assert outcome(said, told) == [status]


GIVEN_UP = '*Tom takes out a lens case.* "I shall not touch a card again."'


@pytest.mark.parametrize(
    ("said", "told", "status"),
    [
        ("“我发誓，我再也不摸牌了。”陆三说。", "陆三没有走近牌桌。", "open"),
        (GIVEN_UP, "Friday. Greta sits down at the card table.", "open"),
        (GIVEN_UP, "Friday. Tom walks past the card table.", "open"),
    ],
)
def test_what_was_ruled_out_or_offered_is_done_in_other_words(said, told, status):
    assert outcome(said, told) == [status]


def test_a_promise_stays_open_while_a_deed_is_only_wished_or_is_of_another():
    for told in ("苏棠掏出自己的手帕，擦了擦脸。", "陆三想要掏出怀表，又忍住了。"):
        assert outcome("“我一定把那块怀表还给你。”陆三说。", told) == ["open"]


@pytest.mark.parametrize(
    ("said", "told", "floors"),
    [
        ("这件事我会查清楚的。", "“你没有查清楚之前，别来找我。”苏棠说。", 2),
        ("等到了渡口，我再告诉你真相。", "“其实我一直有个真相没告诉你。”苏棠低声说。", 2),
        ("我发誓，无论发生什么，我都会守着你。", "“算了，既然发生了，怪谁都没用。”苏棠说。", 30),
        ("我保证不会把秘密告诉别人。", "“算了，到了客栈再告诉你吧。”陆三说。", 2),
        ("等我回来，我们再接着下棋。", "（还没回来吗）", 2),
    ],
)
def test_a_promise_stays_open_where_its_words_are_said_of_something_else(said, told, floors):
    assert outcome(f"“{said}”陆三说。", told, floors) == ["open"]


def test_what_is_foretold_is_no_promise():
    rows = [("陆三", "“到那时候，花都开了，一定会是很美的一天。”陆三说。")]
    assert promises(*rows, people=["陆三", "苏棠"]) == []


def test_another_promise_does_not_keep_what_was_ruled_out():
    rows = [("Tom", '"I won\'t go past the flags on my own again."')]
    rows += [("Tom", "Tom licks the bowl, as agreed.")]
    assert "kept" not in promises(*rows, people=["Tom", "Greta"])


@pytest.mark.parametrize(
    "said",
    [
        "“我保证你喝一口就忘不了。”陆三说。",
        "“你再笑，我就打断你的腿！”陆三笑得直不起腰。",
        "“改日赏光，小店一定好好招待您。”陆三说。",
        "“我去给你倒杯热茶。”陆三转身，端来一杯热茶，放到了桌上。",
        '"I swear I\'ll burst if I eat another crumb."',
        '"I promise you have never seen a boat like this."',
        '"I\'ll be right with you, sir."',
        '"I\'ll break your legs for that!" Tom said, giggling.',
    ],
)
def test_jokes_courtesy_and_what_is_done_at_once_are_no_promises(said):
    assert promised(said) == []


@pytest.mark.parametrize(
    ("said", "count"),
    [
        ("“苏棠你真的说到做到!”", 0),  # praise, not a vow
        ("“你信我，我说到做到。”", 1),
        ("“但我也不会忘。”", 0),  # what is felt
        ("“我绝不会忘记报仇。”", 1),
        ("“我周六在市医院看见他了,他当时一个人。”", 0),  # what was
        ("“周六在医院门口见,我等你。”", 1),
        ("*她展开信纸* “‘今夜子时,在后山见,我等你。’”", 0),  # a letter that is read aloud
        ("*她转过身* “今夜子时，在后山见，我等你。”", 1),
        ("*她破涕为笑* “我要杀了你!”", 0),
        ("*她冷笑* “我要杀了你！”", 1),
        ('"I will never forget this."', 0),
        ('"I will never forgive this."', 1),
        ("*I unfold it* \"'Meet me in the folly at midnight. All is ready. F.'\"", 0),
        ('*I nod* "Meet me in the folly at midnight. All is ready."', 1),
        ("*giggling* \"I'm going to kill you for that, I'll never forget it!\"", 0),
        ('*coldly* "I\'ll kill you for that!"', 1),
    ],
)
def test_praise_feelings_the_past_and_what_is_read_aloud_are_no_promises(said, count):
    assert promised(said) == ["open"] * count


@pytest.mark.parametrize(
    "said",
    [
        "“我保证!下周三之前一定还他!”",
        "“先给您五块，剩下十五块算我欠您的，月底一定还！”",
        "“放心，我会替你保密。”",
        "“包在我身上!”",
        "“这事交给我。”",
        "“我会向戒律堂自首。”",
        "“您好好养病,等您出院我请您吃火锅!”",
        "“改天请你吃饭！”",
        "“拉钩上吊,一百年不许变!”",
        '"My lips are sealed."',
        '"Not a word, I swear it on my mother\'s grave."',
        '"Your secret is safe with me."',
        '"Give it here. I promise you walk out alive."',
        '"Consider it done."',
        '"Leave it to me."',
        '"You can count on me."',
        '"I\'ll get the video to you soon!"',
        '"I shall pay that as well," says Tom.',
    ],
)
def test_everyday_words_promise(said):
    assert promised(said) == ["open"]


@pytest.mark.parametrize(
    "said",
    [
        "“他下周三之前一定还你!”",
        "“把剑谱交给我。”",
        "“你去自首吧。”",
        "“改天请你吃饭哈哈。”",
        "“我们小时候拉过钩。”",
        "“我不会说法语。”",
        "“一定还有别的办法。”",
        "“这是机密,我保密。”",
        "“我们拉钩上吊的时候才六岁。”",
        "“如果你信我,这事交给我。”",
        '"Not a soul was there, I swear."',
        '"He said my lips are sealed."',
        '"I promise you he comes here every day."',
        '"I can grow you one. I give you good advice."',
        '"His lips are sealed."',
        '"Not a word was said."',
        '"I promise you look great."',
        '"Leave it to me to ruin a party."',
        '"You can count on me being late."',
        '"I\'ll see you soon!"',
    ],
)
def test_what_only_sounds_like_everyday_words_that_promise_is_none(said):
    assert promised(said) == []


@pytest.mark.parametrize(
    ("asked", "answer", "count"),
    [
        ("“这事你别告诉他,好不好？”", "“我、我不会说的!”", 1),
        ("“他答应我的事从没做到。”", "“嗯。”", 0),
        ("“谁派你来的？”", "“我不会说的！”", 0),
        ("“答应我,你会等到周日。”", "“不行,我等不到周日。”", 0),
        ('"Promise me you will wait until Sunday."', '"No. The post goes today."', 0),
        ('"You promised me you would wait."', '"Very well. Until Sunday."', 0),
    ],
)
def test_an_answer_promises_what_was_asked_for(asked, answer, count):
    people = ["陆三", "苏棠"] if not asked.isascii() else ["Tom", "Greta"]
    rows = [(people[0], asked), (people[1], answer)]
    found = read_all(rows, people[0], known=people)[1]
    assert [f.who[0] for f in found if f.kind == "promise"] == [people[1]] * count


@pytest.mark.parametrize(
    ("to_first", "to_second", "told"),
    [
        (
            "陆三勾住苏棠的小指。“我答应你，钥匙的事一个字也不漏。”陆三对苏棠说。",
            "“等我把图画完，一定请你当向导。”陆三对阿七说。",
            "钥匙就在我的背上。我答应过苏棠。",
        ),
        (
            '"I\'ll keep the key for you, I promise," Tom said to Greta.',
            '"I\'ll draw you the map, I promise," Tom said to Bess.',
            "The trunk burned, with all it held. I kept my word, I promised Greta.",
        ),
    ],
)
def test_who_it_was_promised_to_tells_which_promise_is_kept(to_first, to_second, told):
    is_english = to_first.isascii()
    people = ["Tom", "Greta", "Bess"] if is_english else ["陆三", "苏棠", "阿七"]
    fills = FILLS_EN if is_english else FILLS_ZH
    me = people[0]
    rows = [(me, to_first), (me, to_second), fills, fills, (me, told)]
    assert promises(*rows, people=people) == ["kept", "open"]


@pytest.mark.parametrize(
    ("text", "heard"),
    [
        ('Greta sat down. "I will stay," Tom said quietly to Bess.', "Bess"),
        ('Greta sat down. "Will you stay?" Tom asked Bess.', "Bess"),
        ('Greta sat down. "I will stay," Tom said. He walked to Bess.', "Greta"),
        ('Bess leans on the door. Greta sits. "Aunt, you will rest," Tom says.', ""),
        ("苏棠坐了下来。“我留下。”陆三对阿七说。", "阿七"),
        ("苏棠靠着门，阿七坐着。“大师兄，您去歇着。”陆三说。", ""),
        ("苏棠坐了下来。“我留下。”陆三向阿七走去。", "苏棠"),
    ],
)
def test_a_tag_behind_a_speech_names_who_is_spoken_to(text, heard):
    is_english = text.isascii()
    people = ["Tom", "Greta", "Bess"] if is_english else ["陆三", "苏棠", "阿七"]
    claims = read_all([(people[0], text)], "", known=people)[0]
    said = [claim for claim in claims[0].lines if claim.how == "said"]
    assert [claim.hearers for claim in said] == [(heard,) if heard else ()]
