"""What a story says of offices, appointments and things, and what becomes of it."""

from __future__ import annotations

import pytest

from benchmarks.findings import TextLines
from engram_desktop.domain.claims.marks import day_come, days_ahead
from tests.known_people import over, told


def facts(*messages, facet):
    return [(c.about, c.value) for got in told(*messages)[0] for c in got.facts if c.facet == facet]


def statuses(*messages, kind="promise"):
    return [f.status for f in told(*messages)[1] if f.kind == kind]


@pytest.mark.parametrize(
    ("before", "message", "holder"),
    [
        ("沈砚是帮主。", "苏棠接替沈砚成了帮主。", ("苏棠", "帮主")),
    ],
)
def test_an_office_passes_to_another_and_is_over_for_who_had_it(before, message, holder):
    assert holder in facts(before, message, facet="work")
    assert before in over(before, message)


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("沈砚是掌门。", "沈砚打算让位给苏棠。"),
        ("沈砚是掌门。", "沈砚没有让位给苏棠。"),
        ("沈砚是掌门。", ("苏棠", "“要是掌门之位由我接任呢？”")),
        ("沈砚是白虎堂的堂主。", "那年冬天，由苏棠出任青龙堂的堂主。"),
        ("沈砚坐在前排。", "沈砚把座位让给了苏棠。"),
        ("Tom was captain of the Gull.", "Anna took over as captain of the Heron."),
        ("Tom is the captain.", "Anna hadn't taken over as captain."),
        ("Tom is the captain.", ("Anna", '"If Tom dies, who succeeds him as captain?"')),
        ("Tom is the sheriff.", "The bottle passed to Anna."),
    ],
)
def test_an_office_that_nobody_takes_over_is_not_over(before, message):
    assert over(before, message) == []


def promises(*messages):
    return [(f.trigger, f.status) for f in told(*messages)[1] if f.kind == "promise"]


@pytest.mark.parametrize(
    ("given", "moved", "day"),
    [
        ("“周五放学我在图书馆等你。”", "“图书馆闭馆，改到下周二吧。”", "周二"),
        ('"Meet me at the pier on Friday."', '"The pier is moved to Sunday."', "sunday"),
    ],
)
def test_an_appointment_that_is_moved_is_due_on_the_other_day(given, moved, day):
    who = "苏棠" if "“" in given else "Anna"
    assert promises((who, given), (who, moved))[0] == (day, "open")


@pytest.mark.parametrize(
    ("given", "said", "day"),
    [
        ("“周五放学我在图书馆等你。”", "“会议改到后天了。”", "周五"),
        ('"Meet me at the pier on Friday."', '"Tom moved to Boston on Sunday."', "on Friday"),
        ('"Meet me at the pier on Friday."', '"I moved the sofa. I\'ll paint tomorrow."', ""),
    ],
)
def test_an_appointment_stays_where_another_thing_is_moved(given, said, day):
    who = "苏棠" if "“" in given else "Anna"
    assert promises((who, given), (who, said))[0][0] == (day or "on Friday")


@pytest.mark.parametrize(
    ("words", "days"),
    [
        ("三天后", 3),
        ("七日之内", 7),
        ("明晚", 1),
        ("大后天", 3),
        ("半个月后", 15),
        ("两个星期后", 14),
        ("in two weeks", 14),
        ("the day after tomorrow", 2),
        ("a week from today", 7),
        ("on Friday", None),
        ("以后", None),
        ("中秋", None),
    ],
)
def test_a_day_is_counted_from_the_day_it_is_told_on(words, days):
    assert days_ahead(words) == days


@pytest.mark.parametrize(
    ("messages", "come"),
    [
        (
            [("苏棠", "“三天后我在城隍庙等你。”"), "第二天，下雨。", "又过了两天，雨停了。"],
            "又过了两天，雨停了。",
        ),
        ([("苏棠", "“三天后我在城隍庙等你。”"), "第二天，下雨。", "次日，晴。"], None),
        ([("苏棠", "“明天我在城隍庙等你。”"), ("沈砚", "“第二天总会来的。”")], None),
        ([("苏棠", "“明天我在城隍庙等你。”"), "第二天，他们睡到中午。"], "第二天，他们睡到中午。"),
        (
            [("Anna", '"I\'ll meet you in two days."'), "Two days later it was raining."],
            "Two days later it was raining.",
        ),
        ([("Anna", '"I\'ll meet you in two days."'), "The next day it was raining."], None),
    ],
)
def test_a_promise_is_due_when_the_narration_has_counted_its_days(messages, come):
    read, found, _time = told(*messages)
    promise = next(f for f in found if f.kind == "promise")
    lines = TextLines(["\n".join(c.quote for c in got.lines) for got in read], read)
    by = day_come(promise, lines, len(read) - 1)
    assert (by.text if by else None) == come


@pytest.mark.parametrize(
    ("messages", "kind", "status"),
    [
        (
            [("苏棠", "“有个收藏家想买这幅画。”"), ("苏棠", "“根本没有什么收藏家，是我编的。”")],
            "lie",
            "found_out",
        ),
    ],
)
def test_who_was_told_of_and_never_was(messages, kind, status):
    found = [(f.kind, f.status) for f in told(*messages)[1] if f.kind in ("lie", "mistaken")]
    assert (kind, status) in found


@pytest.mark.parametrize(
    "messages",
    [
        [("Anna", '"The way is long."'), ("Anna", '"There is no way."')],
        [("Anna", '"We have the water."'), ("Anna", '"There is no water."')],
        [("Greta", '"He hides the chocolate."'), ("Tom", '"There is no chocolate."')],
        [("Anna", '"Is there a doctor?"'), ("Anna", '"There is no doctor."')],
        [("Anna", '"I know no doctor."'), ("Tom", '"There is no doctor."')],
        [("苏棠", "“这个问题很难。”"), ("苏棠", "“没有什么问题。”")],
        [("苏棠", "“没有神医。”"), ("沈砚", "“哪有什么神医。”")],
        [("苏棠", "“有一位神医吗？”"), ("苏棠", "“根本没有什么神医。”")],
    ],
)
def test_what_is_only_lacking_was_no_lie(messages):
    assert [f for f in told(*messages)[1] if f.kind in ("lie", "mistaken")] == []


AFTER = "*It rains all day.*"
LATER = "*下了一整天的雨。*"


@pytest.mark.parametrize(
    "messages",
    [
        [("Anna", '"I\'ll teach you to steer, I promise."'), "She had taught him to steer by May."],
    ],
)
def test_a_lesson_or_a_thing_given_back_keeps_a_promise(messages):
    given, *told_later = messages
    wait = LATER if not given[1].isascii() else AFTER
    assert statuses(given, ("Robin", wait), ("Robin", wait), *told_later) == ["kept"]


@pytest.mark.parametrize(
    "messages",
    [
        [("Anna", '"I\'ll teach you to steer, I promise."'), "Tom taught Greta to steer."],
        [("Anna", '"I\'ll teach you to steer, I promise."'), "He wanted to learn to steer."],
        [("Anna", '"I\'ll teach you to steer, I promise."'), "Anna put her hands on the table."],
        [("苏棠", "“我保证教你吹笛子。”"), "他还没学会吹笛子。"],
        [("苏棠", "“我保证教你吹笛子。”"), "苏棠按着桌子，一声不吭。"],
        [
            ("Anna", '"I promise I\'ll give you your spyglass back tomorrow."'),
            "Anna hands the rope over.",
        ],
        [
            ("Anna", '"I promise I\'ll give you your spyglass back tomorrow."'),
            "Anna didn't hand it over.",
        ],
        [("苏棠", "“明天我一定把书还你。”"), "苏棠把那碗面推到他面前。"],
        [
            ("Anna", '"I promise I\'ll finish the essay on the harbour by May."'),
            ("Anna", "\"I'm trying to improve the essay on the harbour, but I'm having trouble.\""),
        ],
    ],
)
def test_another_deed_keeps_no_promise(messages):
    given, *told_later = messages
    wait = LATER if not given[1].isascii() else AFTER
    assert statuses(given, ("Robin", wait), ("Robin", wait), *told_later) == ["open"]


@pytest.mark.parametrize(
    ("message", "facet", "about", "value"),
    [
        ("The box from Aleppo is gone.", "place", "box", "gone"),
        (("Anna", '"I\'m bunking in the blister from now on."'), "home", "Anna", "in the blister"),
        ("The concert is on December the twelfth.", "amount", "concert", "December the twelfth"),
        ("夜里沈砚把图藏在了灶房的米缸底下。", "place", "图", "灶房的米缸底下"),
        (("苏棠", "“我叔叔能干得很，是个厨师。”"), "work", "苏棠的叔叔", "厨师"),
    ],
)
def test_a_claim_is_of_a_noun_without_what_stands_around_it(message, facet, about, value):
    assert (about, value) in facts(message, facet=facet)


@pytest.mark.parametrize(
    ("message", "facet"),
    [
        (("苏棠", "“我叔叔学历挺高的，是个博士。”"), "work"),
        ('"I tried my best but didn\'t make it."', "alive"),
        ("The gate down he was standing on the lip of the well.", "owner"),
        ("里面有一个盒子。", "amount"),
        ("（看着他离开的背影，沉默了一下）", "place"),
        ("他说完站起来，又揣回了兜里。", "owner"),
    ],
)
def test_a_function_word_is_nobody_and_nothing(message, facet):
    assert facts(message, facet=facet) == []


def test_what_is_few_is_counted_and_what_is_there_is_not():
    assert ("钥匙", "一个") in facts("钥匙只剩下一个。", facet="amount") or facts(
        "钥匙只剩一个。", facet="amount"
    )


@pytest.mark.parametrize(
    "message",
    [
        ("苏棠", "“你帮我理账，我教你揉面。”"),
        ("苏棠", "“等我下了班给你送过去。”"),
        ("苏棠", "“好，我会去的。”"),
        ("Anna", '"I can get the ledger for you by tomorrow."'),
        ("Anna", '"All right. I\'ll testify for you on Thursday."'),
        ("Anna", '"And I\'ll keep your name out of it."'),
    ],
)
def test_what_is_offered_for_something_or_by_a_time_is_promised(message):
    assert statuses(message) == ["open"]


@pytest.mark.parametrize(
    "message",
    [
        ("苏棠", "“刀不是我的，人也不是我杀的。”"),
        ("苏棠", "“不错，人是我杀的。”"),
        ("苏棠", "“陈老师说了，再不交作业就叫家长。”"),
        ("苏棠", "“他会去的。”"),
        ("Anna", '"I can get it for you, maybe."'),
        ("Anna", '"He can get it for you by tomorrow."'),
    ],
)
def test_what_was_done_or_others_say_is_no_promise(message):
    assert statuses(message) == []


@pytest.mark.parametrize(
    ("given", "said", "status"),
    [
        (("苏棠", "“下周一我一定还给你。”"), ("苏棠", "“喏，物归原主。”"), "kept"),
        (("苏棠", "“等高考完，我回来找你。”"), ("苏棠", "“说好的。”*苏棠回来了*"), "kept"),
        (
            ("Anna", '"Tomorrow I\'ll bring you a proper knife."'),
            ("Tom", '"You don\'t have to do that."'),
            "open",
        ),
    ],
)
def test_what_is_said_of_a_promise_later(given, said, status):
    wait = LATER if not given[1].isascii() else AFTER
    assert statuses(given, ("Robin", wait), said)[0] == status


def lies(*messages):
    return [(f.who, f.quotes[0].text) for f in told(*messages)[1] if f.kind == "lie"]


def test_a_confession_of_another_thing_takes_nothing_back():
    messages = (
        ("苏棠", "“我去厨房拿碗。”"),
        ("沈砚", "“苏棠，那天晚上你根本不是去仓库吧？”"),
        ("苏棠", "“我种了点番茄。我骗了你。”"),
    )
    assert (("苏棠",), "我去厨房拿碗。") not in lies(*messages)


def test_who_calls_another_a_liar_has_told_no_lie():
    messages = (
        ("苏棠", "“电池只剩一半电量。”"),
        ("沈砚", "“苏棠投了我一票。”"),
        ("苏棠", "“电池只剩三成电量。沈砚在说谎。”"),
    )
    assert all(who != ("苏棠",) for who, _words in lies(*messages))


@pytest.mark.parametrize(
    ("before", "message"),
    [
        ("沈砚胳膊上缠着绷带。", "沈砚的绷带已经拆了。"),
        ("Tom's hand is wrapped in gauze.", "Tom has the gauze off."),
        (
            ("Anna", '*She grins at you.* "You\'re in berth six."'),
            ("Anna", '*She grins at you.* "You\'re bunking in the blister from now on."'),
        ),
    ],
)
def test_what_is_healed_moved_or_finished_is_over(before, message):
    assert len(over(before, message)) == 1


def test_what_somebody_has_slept_in_is_no_home():
    assert facts(("Anna", '"I\'ve slept next to worse."'), facet="home") == []


def test_who_only_grants_a_thing_has_not_lied():
    messages = (
        ("苏棠", "“我们之间比朋友更深一些。”"),
        ("沈砚", "“你不觉得我们之间比朋友更深？”"),
        ("苏棠", "“我承认我还没有接受这一切。”"),
    )
    assert lies(*messages) == []


def test_a_bandage_that_somebody_takes_off_hastily_heals_nobody():
    assert over("沈砚半天说不出话。", "我看着沈砚手忙脚乱地拆纱布。") == []


@pytest.mark.parametrize(
    ("message", "facet"),
    [
        (("Anna", '"I had a blast at the concert."'), "owner"),
        (("Anna", '"I have a question about it."'), "owner"),
        (("Anna", '"I\'m in awe of your courage."'), "place"),
        (("Anna", '"I\'m on the right track now."'), "place"),
        (("苏棠", "“我刚收到老师的消息。”"), "place"),
        (("苏棠", "“我有个问题。”"), "owner"),
    ],
)
def test_a_manner_of_speaking_is_no_place_and_no_thing(message, facet):
    assert facts(message, facet=facet) == []
