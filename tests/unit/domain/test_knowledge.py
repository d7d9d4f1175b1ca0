"""Who is there, and what is private."""

from __future__ import annotations

import json
import random
from itertools import pairwise
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.inject import PromptSentences, cut_short, sentences
from engram_desktop.domain.knowledge.knowing import (
    Perceiver,
    Perception,
    PresenceSpan,
    PrivatePart,
    heard_text,
    parse_presence,
    perceived,
    rarity,
)
from engram_desktop.domain.knowledge.parts import pieces_of, private_parts
from engram_desktop.domain.knowledge.presence import LOOKBACK, follow, perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of
from tests.labelled_presence import LABELS, ROOT, cast_of, messages_of, truth_of

# Who is there, by rules: speakers, comings and goings, scenes; and never everybody.

ZH = Cast(
    (Member("爱丽丝", ("小爱",)), Member("凯尔"), Member("莉莉丝"), Member("诺亚")),
    "旅人",
    is_group=True,
)
EN = Cast((Member("Mira"), Member("Bob"), Member("Alice")), "Robin", is_group=True)
PAIR = Cast((Member("爱丽丝"),), "旅人")


def said(*lines, player="旅人"):
    """Messages of “name: text” lines."""
    pairs = [line.split(": ", 1) for line in lines]
    return [
        SimpleNamespace(name=name, text=text, role="user" if name == player else "assistant")
        for name, text in pairs
    ]


def there(cast, *lines):
    """Who is there at the last line."""
    messages = said(*lines, player=cast.player)
    return {some.name for some in perceive(messages, cast)[-1].audience}


def test_in_a_chat_of_two_both_are_there_at_every_floor():
    messages = said("爱丽丝: 早。", "旅人: *推门出去*", "爱丽丝: *她挥挥手。*“早点回来。”")
    for perception in perceive(messages, PAIR):
        assert {some.name for some in perception.audience} == {"爱丽丝", "旅人"}
        assert perception.is_known


def test_in_a_chat_of_two_thoughts_stay_private():
    (perception,) = perceive(said("爱丽丝: （他不会知道的）“早。”"), PAIR)
    assert [some.name for some in perception.parts[0].audience] == ["爱丽丝"]


def test_in_a_chat_of_two_a_whisper_is_heard_by_the_other():
    (perception,) = perceive(said("爱丽丝: *压低声音*“钥匙在井里。”"), PAIR)
    assert {some.name for some in perception.parts[0].audience} == {"爱丽丝", "旅人"}


def test_in_a_chat_of_two_the_player_misses_what_is_told_to_happen_elsewhere():
    messages = said(
        "旅人: 我走了。",
        "爱丽丝: *与此同时，爱丽丝独自一人来到井边，把钥匙丢了进去。*",
        "爱丽丝: *她在井边坐了很久。*",
        "旅人: 我回来了。",
    )
    away = [{some.name for some in each.audience} for each in perceive(messages, PAIR)]
    assert away == [{"爱丽丝", "旅人"}, {"爱丽丝"}, {"爱丽丝"}, {"爱丽丝", "旅人"}]


def test_the_first_of_a_group_is_there_alone_and_it_is_not_known_who_else():
    (perception,) = perceive(said("爱丽丝: 你好。"), ZH)
    assert [some.name for some in perception.audience] == ["爱丽丝"]
    assert not perception.is_known


def test_those_who_speak_stay():
    assert there(ZH, "爱丽丝: “早。”", "凯尔: “早。”", "旅人: “早。”") == {"爱丽丝", "凯尔", "旅人"}


def test_who_is_silent_for_long_is_no_longer_taken_to_be_there():
    lines = ["莉莉丝: “早。”"]
    for _ in range(8):
        lines += ["爱丽丝: “嗯。”", "凯尔: “嗯。”"]
    assert there(ZH, *lines) == {"爱丽丝", "凯尔"}
    perception = perceive(said(*lines[:7]), ZH)[-1]
    sure = {some.name: some.confidence for some in perception.audience}
    assert sure["莉莉丝"] < sure["爱丽丝"] <= sure["凯尔"] == 1.0


ZH_SCENES = [
    (("爱丽丝: “早。”", "凯尔: “我先走了。”", "爱丽丝: “终于走了，钥匙在井里。”"), {"爱丽丝"}),
    (("爱丽丝: “早。”", "凯尔: *他转身离开了酒馆。*", "爱丽丝: “钥匙在井里。”"), {"爱丽丝"}),
    (("爱丽丝: “早。”", "凯尔: “早。”", "爱丽丝: *凯尔离开了房间。*“钥匙在井里。”"), {"爱丽丝"}),
    (
        ("爱丽丝: “早。”", "凯尔: “早。”", "爱丽丝: *门合上之后，她站着没动。*“钥匙在井里。”"),
        {"爱丽丝"},
    ),
    (("爱丽丝: “早。”", "凯尔: *他想要离开，又坐下了。*", "爱丽丝: “钥匙。”"), {"爱丽丝", "凯尔"}),
    (("爱丽丝: “早。”", "凯尔: “早。”", "莉莉丝: *第二天，药铺里，她独自磨药。*"), {"莉莉丝"}),
    (("爱丽丝: “早。”", "凯尔: “早。”", "莉莉丝: *与此同时，药铺里。*“钥匙在井里。”"), {"莉莉丝"}),
    (("爱丽丝: “早。”", "凯尔: “早。”", "旁白: 【药铺，深夜】", "莉莉丝: “谁？”"), {"莉莉丝"}),
    (("爱丽丝: “早。”", "凯尔: “早。”", "旁白: ---", "莉莉丝: “谁？”"), {"莉莉丝"}),
    (("爱丽丝: *她和凯尔来到水族馆。*“好多鱼。”",), {"爱丽丝", "凯尔"}),
    (("爱丽丝: “莉莉丝，帮我拿一下杯子。”",), {"爱丽丝", "莉莉丝"}),
    (("爱丽丝: “莉莉丝今天没来吗？”",), {"爱丽丝"}),
    (("爱丽丝: *莉莉丝推门进来，抖落雨水。*“来得正好。”",), {"爱丽丝", "莉莉丝"}),
    (("爱丽丝: *莉莉丝还没有回来。*“真慢。”",), {"爱丽丝"}),
    (("爱丽丝: *她把杯子推到你面前。*“喝吧。”",), {"爱丽丝", "旅人"}),
    (("爱丽丝: “早。”", "凯尔: *他把你拉到一旁。*“封条是你撕的？”"), {"凯尔", "旅人"}),
    (
        ("爱丽丝: “早。”", "凯尔: *屋里只有他和莉莉丝两个人，只剩两人。*“说吧。”"),
        {"凯尔", "莉莉丝"},
    ),
    (("爱丽丝: “早。”", "凯尔: *他出门去，在走廊尽头停下。*“钥匙在井里。”"), {"凯尔"}),
    (("旁白: 莉莉丝躲在门后偷听。", "爱丽丝: “钥匙在井里。”"), {"莉莉丝", "爱丽丝"}),
]


@pytest.mark.parametrize(("lines", "names"), ZH_SCENES)
def test_comings_and_goings_in_chinese(lines, names):
    assert there(ZH, *lines) == names


EN_SCENES = [
    (("Mira: Morning.", "Bob: *He leaves the room.*", "Mira: The key is in the well."), {"Mira"}),
    (("Mira: Morning.", "Bob: I have to go.", "Mira: The key is in the well."), {"Mira"}),
    (("Mira: Morning.", "Bob: Hi.", "Mira: *Once Bob is gone, she sits.* The key."), {"Mira"}),
    (("Mira: Morning.", "Bob: Hi.", "Mira: *When Bob has gone out to fetch water* Yes."), {"Mira"}),
    (("Mira: Morning.", "Bob: *He waits, then goes.*", "Mira: The key is in the well."), {"Mira"}),
    (("Mira: Morning.", "Bob: *He goes pale.*", "Mira: The key."), {"Mira", "Bob"}),
    (("Mira: Morning.", "Bob: *He wants to leave, but sits.*", "Mira: The key."), {"Mira", "Bob"}),
    (("Mira: Morning.", "Bob: Hi.", "Alice: *Meanwhile, at the docks.* The key."), {"Alice"}),
    (("Mira: Morning.", "Bob: Hi.", "Alice: *The next day she sits alone.*"), {"Alice"}),
    (('Mira: "Bob, hand me the rope!"',), {"Mira", "Bob"}),
    (('Mira: "Is Bob coming?"',), {"Mira"}),
    (('Mira: *Bob walks in.* "At last."',), {"Mira", "Bob"}),
    (('Mira: She hands you the rope. "Hold this."',), {"Mira", "Robin"}),
    (('Mira: *Bob listens behind the door.* "The key is in the well."',), {"Mira", "Bob"}),
]


@pytest.mark.parametrize(("lines", "names"), EN_SCENES)
def test_comings_and_goings_in_english(lines, names):
    assert there(EN, *lines) == names


def test_who_listens_unseen_overhears():
    perception = perceive(said("旁白: 莉莉丝躲在门后偷听。", "爱丽丝: “钥匙在井里。”"), ZH)[-1]
    assert {(some.name, some.how) for some in perception.audience} == {
        ("莉莉丝", "overheard"),
        ("爱丽丝", "spoke"),
    }


def test_a_whisper_among_three_that_does_not_say_to_whom_is_the_whisperers_alone():
    lines = ("爱丽丝: “早。”", "凯尔: “早。”", "莉莉丝: *压低声音*“钥匙在井里。”")
    (part,) = perceive(said(*lines), ZH)[-1].parts
    assert [some.name for some in part.audience] == ["莉莉丝"]


@pytest.mark.parametrize(
    "words", ["你们快来看！", "大家别出声。", "Quiet, all of it. You two, come here."]
)
def test_a_low_voice_for_several_who_are_not_named_is_heard_by_all(words):
    lines = ("爱丽丝: “早。”", "凯尔: “早。”", f"莉莉丝: *压低声音*“{words}”")
    perception = perceive(said(*lines), ZH)[-1]
    assert perception.parts == ()
    assert {some.name for some in perception.audience} == {"爱丽丝", "凯尔", "莉莉丝"}


def test_what_is_only_thought_says_nothing_of_who_is_there():
    assert there(ZH, "爱丽丝: （莉莉丝要是推门进来就糟了）“早。”") == {"爱丽丝"}


def test_other_names_are_told_as_the_one_name():
    assert there(ZH, "凯尔: “小爱，过来！”") == {"凯尔", "爱丽丝"}


def test_a_narrator_perceives_nothing():
    perception = perceive(said("旁白: 雨停了。"), ZH)[-1]
    assert perception.audience == ()
    assert not perception.is_known


LINES = [
    "“早。”", "*她笑了笑。*“凯尔，过来！”", "*他离开了酒馆。*", "第二天，药铺里。", "“我先走了。”",
    "*莉莉丝推门进来。*", "*他把你拉到一旁。*“说吧。”",
    "与此同时，另一边，诺亚独自坐着。", "“嗯。”", "“好。”",
]  # fmt: skip


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("cast", [ZH, PAIR])
def test_new_messages_are_judged_the_same_from_the_lookback_window(seed, cast):
    luck = random.Random(seed)
    who = ["爱丽丝", "凯尔", "莉莉丝", "旅人", "旁白"] if cast is ZH else ["爱丽丝", "旅人"]
    messages = said(*(f"{luck.choice(who)}: {luck.choice(LINES)}" for _ in range(200)))
    whole = perceive(messages, cast)
    assert perceive(messages[-20 - LOOKBACK :], cast)[-20:] == whole[-20:]
    *_, (_, scene, _) = follow(messages[:-20], cast)
    assert perceive(messages[-20:], cast, scene) == whole[-20:]


def test_the_bundled_story_as_it_was_labelled():
    labels = json.loads((LABELS / "moonlight_tavern.json").read_text("utf-8"))
    truth = truth_of(labels)
    messages = messages_of(ROOT / labels["story"])
    wrong = right = granted = all_there = 0
    for floor, perception in enumerate(perceive(messages, cast_of(messages))):
        present, may = truth[floor]
        names = {some.name for some in perception.audience} - may
        granted, right = granted + len(names), right + len(names & present)
        wrong, all_there = wrong + len(names - present), all_there + len(present)
    assert len(truth) == len(messages)
    assert wrong <= 0.02 * granted
    assert right >= 0.75 * all_there


def test_hostile_names_and_texts_do_no_harm():
    cast = Cast(
        (
            Member(""),
            Member("("),
            Member("a" * 5000),
            Member("\ud83d"),
            Member("我"),
            Member("X", ("X",)),
        ),
        "",
        is_group=True,
    )
    assert names_of(cast).all
    for text in (
        "（" * 100_000,
        "我离开" * 30_000,
        "\udc00" * 1000,
        "X离开。" * 30_000,
        "---\n" * 100_000,
    ):
        assert len(perceive(said(f"X: {text}"), cast)) == 1


# What a model's answer says of who perceives which floors, in any shape it may have.

ALL = ("爱丽丝", "鲍勃", "卡萝")
WHISPER = PrivatePart("whisper", 3, 9, (Perceiver("爱丽丝"), Perceiver("鲍勃")))
THOUGHT = PrivatePart("thought", 10, 15, (Perceiver("爱丽丝"),))


def names(people):
    return [person.name for person in people]


@pytest.mark.parametrize(
    ("rows", "spans"),
    [
        ([{"from": 3, "to": 5, "present": ["甲", "乙"]}], [(3, 5, ("甲", "乙"))]),
        ([{"from": "3", "to": 5.0, "present": "甲、乙"}], [(3, 5, ("甲", "乙"))]),
        ([{"from": 0, "to": 99, "present": ["甲"]}], [(2, 8, ("甲",))]),
        ([{"from": 4, "present": ["甲", "甲", " "]}], [(4, 4, ("甲",))]),
        ([{"from": 4, "to": 4, "present": []}], [(4, 4, ())]),
        ([{"from": 4, "to": 4, "present": ["所有人"]}], []),
        ([{"from": 4, "to": 4, "present": ["大家", "甲"]}], [(4, 4, ("甲",))]),
        ([{"from": 6, "to": 4, "present": ["甲"]}, 7, None, {"present": ["甲"]}], []),
        ([{"from": 10**400, "to": 4, "present": ["甲"]}], [(4, 4, ("甲",))]),
        ([{"from": 4, "to": 4, "present": {"甲": 1}}], []),
        ("甲", []),
    ],
)
def test_spans_are_read_tolerantly(rows, spans):
    read = parse_presence({"presence": rows}, 2, 8)
    assert [(s.first, s.last, s.names) for s in read] == spans


def test_no_span_says_nothing():
    assert perceived([], Perception()) is None
    assert parse_presence([], 0, 9) == parse_presence({}, 0, 9) == ()


def test_the_scene_is_the_span_around_the_others():
    scene = PresenceSpan(0, 9, ALL)
    told = perceived([scene, PresenceSpan(4, 4, ("爱丽丝", "鲍勃"))], Perception((), (WHISPER,)))
    assert told is not None
    assert names(told.audience) == list(ALL)
    assert names(told.parts[0].audience) == ["爱丽丝", "鲍勃"]


@pytest.mark.parametrize("turn", [1, -1])
def test_of_two_alike_the_one_that_rules_know_a_whisper_of_is_not_the_scene(turn):
    spans = [PresenceSpan(4, 4, ("爱丽丝", "鲍勃")), PresenceSpan(4, 4, ("爱丽丝", "卡萝"))][::turn]
    told = perceived(spans, Perception((), (WHISPER,)))
    assert told is not None
    assert names(told.audience) == ["爱丽丝", "卡萝"]
    assert names(told.parts[0].audience) == ["爱丽丝", "鲍勃"]


@pytest.mark.parametrize("parts", [(), (THOUGHT,), (WHISPER,)])
def test_what_cannot_be_pointed_at_keeps_the_whole_message(parts):
    scene, inner = PresenceSpan(0, 9, ALL), PresenceSpan(4, 6, ("爱丽丝", "鲍勃"))
    told = perceived([scene, inner], Perception((), parts))
    assert told is not None
    assert names(told.audience) == ["爱丽丝", "鲍勃"]


def test_who_joins_inside_a_scene_is_there():
    told = perceived([PresenceSpan(0, 9, ALL), PresenceSpan(4, 6, (*ALL, "多萝"))], Perception())
    assert told is not None
    assert names(told.audience) == [*ALL, "多萝"]


def test_a_thought_and_a_whisper_of_one_message_are_told_apart():
    spans = [
        PresenceSpan(0, 9, ALL),
        PresenceSpan(4, 4, ("爱丽丝",)),
        PresenceSpan(4, 4, ("爱丽丝", "鲍勃")),
    ]
    told = perceived(spans, Perception((), (WHISPER, THOUGHT)))
    assert told is not None
    assert names(told.audience) == list(ALL)
    assert [names(part.audience) for part in told.parts] == [["爱丽丝", "鲍勃"], ["爱丽丝"]]


@pytest.mark.parametrize("caller", [("爱丽丝", "多萝"), ("爱丽丝", "多萝", "艾达")])
def test_who_is_called_from_a_scene_hears_the_call_alone(caller):
    scene = PresenceSpan(4, 4, ALL)
    told = perceived([scene, PresenceSpan(4, 4, caller)], Perception((), (WHISPER,)))
    assert told is not None
    if len(caller) == 2:
        assert (names(told.audience), names(told.parts[0].audience)) == (list(ALL), list(caller))
    whole = perceived([scene, PresenceSpan(4, 4, caller)], Perception())
    assert whole is not None
    assert names(whole.audience) == list(caller)
    assert "卡萝" not in names(whole.audience)


def test_scenes_that_follow_each_other_are_both_there_where_they_meet():
    told = perceived([PresenceSpan(0, 5, ALL[:2]), PresenceSpan(5, 9, ALL[1:])], Perception())
    assert told is not None
    assert set(names(told.audience)) == set(ALL)


# What of a message not everybody perceives: thoughts and whispers, and not stage directions.

NAMES = names_of(
    Cast(
        (
            Member("爱丽丝", ("小爱",)),
            Member("凯尔"),
            Member("莉莉丝"),
            Member("Mira", ("Captain Mira",)),
            Member("Bob"),
            Member("Alice"),
        ),
        "旅人",
        is_group=True,
    )
)


def private(text, speaker):
    """What of a text is private, with its audience."""
    return [
        (text[part.start : part.end], {some.name for some in part.audience})
        for part in private_parts(text, speaker, NAMES)
    ]


def heard(text, speaker):
    return heard_text(text, private_parts(text, speaker, NAMES))


THOUGHTS = [
    ("（他不会知道的。）“晚上好。”", "爱丽丝", "“晚上好。”"),
    ("“晚上好。”（糟了，钥匙还在口袋里）", "爱丽丝", "“晚上好。”"),
    ('(why is he smiling like that?) "Good evening."', "Mira", '"Good evening."'),
    ("(I must not tell him about the ledger.) She bows.", "Mira", "She bows."),
    ("她点点头，心想：这家伙绝对在说谎。\n“好啊。”", "爱丽丝", "“好啊。”"),
    ("“好啊。”她心里暗想，铜钥匙绝不能给他。", "爱丽丝", ""),
    ("「心想：他又忘了」“走吧。”", "爱丽丝", "“走吧。”"),
    ("<thought>钥匙在井里</thought>“你好。”", "爱丽丝", "“你好。”"),
    ("<think>He lies.</think>\nHello there.", "Mira", "Hello there."),
    ("<thinking>open for ever", "Mira", ""),
    ('*He must never know that I love him,* she thought. "Fine."', "Mira", '"Fine."'),
    ('She smiles. She thinks he is a thief. "Sit down."', "Mira", 'She smiles. "Sit down."'),
    ("在心里默默骂了一句混蛋。“您请。”", "凯尔", "“您请。”"),
    ("（钥匙藏在他左手边的花盆底下）“您坐。”", "凯尔", "“您坐。”"),
    ("（他是议会的人）“您坐。”", "凯尔", "“您坐。”"),
    ('(the key lies under his left hand) "Sit."', "Mira", '"Sit."'),
    ("（内心：完蛋，被发现了）（推门进来）“早。”", "凯尔", "（推门进来）“早。”"),
]


@pytest.mark.parametrize(("text", "speaker", "rest"), THOUGHTS)
def test_a_thought_is_left_out_and_the_thinkers_own(text, speaker, rest):
    assert heard(text, speaker) == rest
    assert all(audience == {speaker} for _, audience in private(text, speaker))


OPEN = [
    "（推门进来）“大家好。”",
    "(waves and sits down) Hello.",
    "*她推开门，走了进来。*“我回来了。”",
    "*waves* Hi Bob!",
    "（笑）",
    "Recently, I've been thinking about changing jobs.",
    "Remember to find joy in the little things.",
    "我也可以试试瑜伽，感受内心的平静。",
    "有什么事随时给我发消息。",
    "（温柔）早。",
    "（认真地）我去",
    "(nervously) Hello",
    "(俏皮地眨眨眼睛)",
    "（点点头）好的",
    "((ooc: 我觉得这段可以快进))",
    "（（ooc 明天继续））",
    "“我心里想的是你。”她说。",
    "(OOC: should we stop here?) Hello",
    "(^_^) 早上好",
    "（3）（2024）",
    "她想了想，说：“也行。”",
    "“低声点，”他说。",
    "",
    "普通的一句话，没有任何括号。",
]


@pytest.mark.parametrize("text", OPEN)
def test_gestures_asides_and_speech_are_open(text):
    assert private(text, "爱丽丝") == []
    assert heard(text, "爱丽丝") == text


THINKERS = [
    ("（爱丽丝心想：他真笨）", "旅人", "爱丽丝"),
    ("我看着爱丽丝，心想她今天真好看。", "旅人", "旅人"),
    ("（不能让爱丽丝知道这件事）", "凯尔", "凯尔"),
    ("听完爱丽丝的话，凯尔心想，她在骗人。", "", "凯尔"),
    ("爱丽丝走后，他心想，她一定知道了。", "凯尔", "凯尔"),
    ("Bob thinks that Alice has the ring.", "Mira", "Bob"),
    ("As Alice leaves, Bob wonders who sent her.", "", "Bob"),
    ("小爱心里想着那封信。", "", "爱丽丝"),
]


@pytest.mark.parametrize(("text", "speaker", "thinker"), THINKERS)
def test_who_thinks_is_who_is_named_right_before_else_who_speaks(text, speaker, thinker):
    assert private(text, speaker) == [(text, {thinker})]


def test_what_a_narrator_tells_of_a_thought_without_a_name_is_nobodys():
    assert private("（绝不能说出去）", "") == [("（绝不能说出去）", set())]


WHISPERS = [
    ("她低声对凯尔说：“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("“大家好。”\n*悄悄告诉莉莉丝* “钥匙在井里。”", "爱丽丝", {"爱丽丝", "莉莉丝"}, "“大家好。”"),
    ("她附在凯尔耳边，“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("“钥匙在井里。”她凑到凯尔耳边说。", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("用只有凯尔听得见的声音说：“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("她瞒着爱丽丝，低声对凯尔说：“钥匙在井里。”", "莉莉丝", {"莉莉丝", "凯尔"}, ""),
    ("低声对凯尔说起爱丽丝的秘密：“她把钥匙丢进井里。”", "莉莉丝", {"莉莉丝", "凯尔"}, ""),
    ("悄悄对凯尔和莉莉丝说：“钥匙在井里。”", "爱丽丝", {"爱丽丝", "凯尔", "莉莉丝"}, ""),
    ("*她凑到你耳边，*“钥匙在井里。”", "爱丽丝", {"爱丽丝", "旅人"}, ""),
    ("莉莉丝附在我耳边说：“钥匙在井里。”", "旅人", {"莉莉丝", "旅人"}, ""),
    ("给凯尔发了条短信：钥匙在井里。", "爱丽丝", {"爱丽丝", "凯尔"}, ""),
    ("我走到院子里，给莉莉丝打电话：“钥匙在井里。”", "旅人", {"旅人", "莉莉丝"}, None),
    ("*拆开信，信上写着：*“钥匙在井里。”", "爱丽丝", {"爱丽丝"}, ""),
    ('She whispers to Bob: "The key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('"The key," she whispers to Bob, "is in the well."', "Mira", {"Mira", "Bob"}, ""),
    (
        'She leans in and murmurs in Bob\'s ear, "The key is in the well."',
        "Mira",
        {"Mira", "Bob"},
        "",
    ),
    ('Under her breath to Bob: "The key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('She texts Bob: "The key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('She whispers to Bob about Alice: "Her key is in the well."', "Mira", {"Mira", "Bob"}, ""),
    ('Bob whispers to Alice: "The key is in the well."', "", {"Alice", "Bob"}, ""),
]


@pytest.mark.parametrize(("text", "speaker", "audience", "rest"), WHISPERS)
def test_a_whisper_is_for_those_it_names(text, speaker, audience, rest):
    parts = private(text, speaker)
    assert parts
    assert all(names == audience for _, names in parts)
    left = heard(text, speaker)
    assert "井里" not in left
    assert "well" not in left
    if rest is not None:
        assert left == rest


def test_after_a_whisper_a_raised_voice_is_open_again():
    text = "她附在凯尔耳边：“钥匙在井里。”然后直起身，大声说：“开饭了！”"
    assert heard(text, "爱丽丝") == "然后直起身，大声说：“开饭了！”"


def test_a_whisper_goes_on_in_the_speeches_of_the_next_lines():
    text = "*她压低声音，凑近凯尔。*\n\n“钥匙在井里。”\n\n“别告诉任何人。”\n\n*她站起来，走了。*"
    assert heard(text, "爱丽丝") == "*她站起来，走了。*"


def test_a_letter_that_is_read_aloud_is_open():
    assert private("他展开信，大声念道：“钥匙在井里。”", "凯尔") == []


def test_a_thought_inside_a_whisper_stays_the_thinkers():
    text = "她附在凯尔耳边：“别怕。”（其实我也怕得要命）“我在。”"
    parts = private(text, "爱丽丝")
    assert ("（其实我也怕得要命）", {"爱丽丝"}) in parts
    assert {frozenset(names) for _, names in parts} == {
        frozenset({"爱丽丝"}),
        frozenset({"爱丽丝", "凯尔"}),
    }


HOSTILE = [
    "（" * 300_000,
    "*" * 1_000_000,
    "“" * 400_000,
    "心想" * 300_000,
    "低声对" * 250_000,
    "给爱丽丝" * 200_000,
    "<thought>" * 100_000,
    "<thought " * 100_000,
    " " * 1_000_000,
    "（我觉得" * 150_000 + "）" * 150_000,
    "Alice whispers to " * 50_000,
    "a." * 400_000,
    "\n\t \n" * 200_000,
    "\ud83d（想\udc00）" * 50_000,
    "爱丽丝、" * 200_000 + "耳语",
    "把" * 500_000,
    "reads " * 150_000,
]
LONG = 350_000  # characters of each: what takes the square of them would end no test


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_a_long_hostile_text_is_read(text):
    text = text[:LONG]
    parts = private_parts(text, "爱丽丝", NAMES)
    heard_text(text, parts)
    assert all(one.end <= other.start for one, other in pairwise(parts))
    assert all(0 <= part.start < part.end <= len(text) for part in parts)


def cut(text, *pieces):
    return heard_text(
        text,
        [PrivatePart("thought", text.index(some), text.index(some) + len(some)) for some in pieces],
    )


def test_what_is_left_is_closed_up_and_words_stay_apart():
    assert cut("I walk in *he hates me* and sit", "*he hates me*") == "I walk in and sit"
    assert cut("Hi(thought)there", "(thought)") == "Hi there"
    assert cut("Hello (thought).", "(thought)") == "Hello."
    assert cut("你好（想）世界", "（想）") == "你好世界"
    assert cut("A\n\n（想）\n\nB", "（想）") == "A\n\nB"
    assert cut("one (a) (b) two", "(a)", "(b)") == "one two"
    assert cut("*（想）*", "（想）") == ""
    assert heard_text("  untouched  ", ()) == "  untouched  "


def test_who_hears_a_part_gets_it():
    parts = [PrivatePart("thought", 0, 3), PrivatePart("whisper", 3, 6)]
    assert heard_text("（想）“话”。", parts, heard=(0,)) == "（想）。"


# Nothing is told twice, no sentence is cut without a mark, and no half of a quotation is left.


@given(st.text(alphabet='天地人。！？!?.…“”’")\n a1<>'))
def test_sentences_joined_are_the_text(text):
    assert "".join(sentences(text)) == text


def test_a_full_stop_inside_a_number_ends_nothing():
    assert sentences("He paid 3.5 dollars. She left.") == ["He paid 3.5 dollars. ", "She left."]


def test_what_was_told_is_left_out_however_it_is_quoted():
    told = PromptSentences(["季泽说：“目前正在筹备新专辑。”然后走了。"])
    assert told.new_of("季泽: 目前正在筹备新专辑。你要来吗？一起吧。") == "季泽: 你要来吗？一起吧。"
    assert told.new_of("季泽: 目前正在筹备新专辑。") == ""
    assert told.new_of("旅人: 好。") == "旅人: 好。"  # too short to be known again


def test_no_half_of_a_quotation_is_left():
    told = PromptSentences(["她想起了那个下雨的夜晚。"])
    assert told.new_of("他说：“她想起了那个下雨的夜晚。我也记得那一天。”") == "我也记得那一天。"


@pytest.mark.parametrize(
    ("text", "limit", "short"),
    [
        ("一二三。四五六七八。", 20, "一二三。四五六七八。"),
        ("一二三。四五六七八。", 6, "一二三。…"),
        ("一二三四五六七八九十", 4, "一二三四…"),
    ],
)
def test_a_cut_is_marked_and_at_a_sentence_where_there_is_one(text, limit, short):
    assert cut_short(text, limit) == short


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("她说：“我走了", ["told", "speech"]),
        ("他来了。（小声（别说）吧", ["told", "bracket"]),
        ("（小声）走。", ["bracket", "told"]),
    ],
)
def test_what_is_never_closed_goes_on_to_the_end(text, kinds):
    assert [piece.kind for piece in pieces_of(text)] == kinds


@pytest.mark.parametrize(
    ("text", "is_gone"),
    [
        ("<think>他真烦人。</think>凯尔推门出去了。", True),
        ("<think>凯尔推门出去了。</think>你好。", False),
    ],
)
def test_who_leaves_in_a_thought_is_there_and_behind_it_is_gone(text, is_gone):
    present = there(ZH, "凯尔: 早。", "诺亚: 早。", f"爱丽丝: {text}", "诺亚: 好的。")
    assert ("凯尔" not in present) == is_gone


@pytest.mark.parametrize(
    ("count", "items", "rare"), [(0, 100, 3.605), (9, 100, 1.303), (50, 100, 0.0), (0, 0, 0.0)]
)
def test_how_rare_a_word_is(count, items, rare):
    assert rarity(count, items) == pytest.approx(rare, abs=0.001)
