"""Who is there, by rules: speakers, comings and goings, scenes; and never everybody."""

from __future__ import annotations

import json
import random
from types import SimpleNamespace

import pytest

from engram_desktop.domain.knowledge.presence import LOOKBACK, follow, perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of
from tests.bench.presence import LABELS, ROOT, cast_of, messages_of, truth_of

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
    *_, (_, scene) = follow(messages[:-20], cast)
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
        "我离开" * 100_000,
        "\udc00" * 1000,
        "X离开。" * 100_000,
        "---\n" * 100_000,
    ):
        assert len(perceive(said(f"X: {text}"), cast)) == 1
