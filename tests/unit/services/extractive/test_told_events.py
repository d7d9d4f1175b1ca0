"""Events of role-plays without a model: whole names, who did what, and words to search for."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.memory.message import Message, swipe_hash
from engram_desktop.services import extractive
from engram_desktop.services.extractive.people import wholes
from engram_desktop.services.extractive.reported import Report
from engram_desktop.services.extractive.telling import _joined
from engram_desktop.services.extractive.words import Cutter
from tests.roleplay import COURT, TAVERN

USERS = {"旅行者", "Wren", "User"}


def messages_of(rows, sent_at=None):
    return [
        Message(
            f"m{n}", "main", n, name, "user" if name in USERS else "assistant", text, False,
            swipe_hash(name, text), sent_at,
        )
        for n, (name, text) in enumerate(rows)
    ]  # fmt: skip


def events_of(rows, names=None, **options):
    messages = messages_of(rows, **options)
    known = extractive.background(messages, names=names)
    return [event for event, _source in extractive.extract(messages, background=known)]


def entities(events, kind):
    return {e.name for event in events for e in event.entities if e.type == kind}


@pytest.fixture(scope="module")
def court():
    return events_of(COURT)


@pytest.fixture(scope="module")
def tavern():
    return events_of(TAVERN)


def test_names_that_no_dictionary_has_are_whole(court):
    assert entities(court, "char") == {"芙宁娜", "旅行者", "那维莱特", "莱欧斯利"}
    assert {"欧庇莱克歌剧院", "梅洛彼得堡"} <= entities(court, "loc")
    every = {e.name for event in court for e in event.entities} | {
        word for event in court for word in event.keywords
    }
    assert not every & {"莱特", "那维", "莱克", "莱克歌剧院", "彼得堡", "斯利", "人们", "历史"}


def test_a_name_said_once_is_whole_or_none():
    rows = [("白露", "昨天我在街上碰见了那维莱特先生。"), ("旅行者", "哦，他怎么了？")]
    found = entities(events_of(rows), "char") | {k for e in events_of(rows) for k in e.keywords}
    assert not found & {"莱特", "那维"}


def test_a_name_known_from_a_card_or_a_worldbook_is_never_cut():
    rows = [("白露", "神里绫华大人在璃月港的往生堂等你。"), ("旅行者", "好，我这就去璃月港找她。")]
    names = {"神里绫华": "char", "璃月港": "loc", "往生堂": "unknown", "大人": "unknown"}
    events = events_of(rows, names)
    assert "神里绫华" in entities(events, "char")
    assert "璃月港" in entities(events, "loc")
    assert "大人" not in entities(events, "char")


def test_a_summary_says_who_did_what_instead_of_quoting(court, tavern):
    for event in [*court, *tavern]:
        assert not any(mark in event.summary for mark in "“”「」*（）😤")
    told = "".join(event.summary for event in court)
    assert "旅行者答应芙宁娜，绝不告诉那维莱特" in told
    assert "芙宁娜从袖子里取出一枚银怀表，放在旅行者手心" in told
    assert "第12天" not in told  # the event says when it plays
    english = " ".join(event.summary for event in tavern)
    assert "Mira finds Tobin tied to a post, bleeding" in english
    assert "Mira opens Saint Orla's Chapel with the brass key" in english


def test_keywords_are_names_and_things_never_gestures(court, tavern):
    words = {word for event in tavern for word in event.keywords}
    assert {"Captain Aldous Thorne", "Saint Orla's Chapel", "Port Vell"} & words
    lowered = {word.lower() for word in words}
    assert not lowered & {"leans", "closer", "smiles", "eyes", "voice", "died", "bleeding", "mira"}
    assert not {"芙宁娜", "旅行者", "眼神", "笑了笑"} & {w for e in court for w in e.keywords}


def test_english_people_and_places_are_whole(tavern):
    assert entities(tavern, "char") == {"Mira", "Wren", "Captain Aldous Thorne", "Tobin"}
    assert {"Saint Orla's Chapel", "Port Vell"} <= entities(tavern, "loc")


def test_days_of_the_story_are_kept_and_days_of_sending_are_none(court, tavern):
    assert court[0].timestamp == "第12天 清晨"
    assert {event.timestamp for event in tavern} == {"Day 3 evening"}
    rows = [("白露", "我把铜铃藏进了井里。"), ("旅行者", "我知道了，我会保密的。")] * 2
    assert [e.timestamp for e in events_of(rows, sent_at=1_700_000_000_000)] == [""]


def test_a_status_line_says_when_and_where():
    rows = [
        (
            "白露",
            "【时间：永乐三年 腊月初八｜地点：听雨楼】\n*她推开窗，把铜铃挂在檐下。*“听见了吗？”",
        ),
        ("旅行者", "（接过铜铃）我把它带回去修好。"),
    ]
    [event] = events_of(rows)
    assert (event.timestamp, event.location) == ("永乐三年 腊月初八", "听雨楼")


def test_a_place_that_is_only_talked_about_is_not_where_it_plays():
    rows = [("白露", "我弟弟在省城的图书馆工作。"), ("旅行者", "我喜欢那个图书馆。")] * 2
    assert events_of(rows)[0].location == ""


def test_what_is_not_marked_is_said_in_a_chat_and_told_in_a_story():
    chat = [
        ("Jo", "I went to the pottery fair yesterday and the glaze workshop was packed, wow!"),
        (
            "Al",
            "The fair looks amazing! Did the potter from Lisbon come again with all of the bowls?",
        ),
    ] * 2
    [event] = events_of(chat)
    assert event.summary.startswith("Jo says they went to the pottery fair yesterday")


@settings(max_examples=40, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["旅行者", "爱丽丝💖", "A|B", "*Mira*", "[Bot]", "我", "User", "Wren"]),
            st.text(max_size=60)
            | st.text(
                alphabet="她我你*“”（）\"'。！？，请别答应去我们吧[]:：｜时间 \n`😤I you don't was",
                max_size=90,
            ),
        ),
        max_size=8,
    )
)
def test_names_and_texts_of_any_kind_give_sound_events(rows):
    for event in events_of(rows, {"旅": "char", "*Mira*": "unknown", "😤": "item"}):
        assert event.summary.strip()
        assert event.summary == event.summary.strip()


def test_pieces_that_always_stand_together_are_one_name():
    texts = [
        "那维莱特推开欧庇莱克歌剧院的大门。",
        "她在欧庇莱克歌剧院等那维莱特。",
        "大家都说那维莱特很严厉。",
    ]
    assert wholes([Cutter().words(text) for text in texts]) == {
        "那维莱特": "nr",
        "欧庇莱克歌剧院": "ns",
    }


def test_words_of_two_speakers_are_never_quoted_as_one(tavern):
    for event in tavern:
        for name, said in re.findall(r"(\w+): “([^”]*)”", event.details):
            own = " ".join(text for speaker, text in TAVERN if speaker == name)
            assert all(sentence in own for sentence in re.findall(r"[^.!?]+[.!?]", said))


def test_who_is_called_by_name_is_who_is_spoken_to(court):
    told = "".join(event.summary for event in court)
    assert "芙宁娜说，莱欧斯利" not in told


def test_a_deed_never_runs_on_from_what_was_said():
    rows = [
        ("白露", "“我把铜铃交给了官府的人。”*她锁上门，把钥匙藏进袖子。*"),
        ("旅行者", "（打开箱子）里面是空的！"),
    ]
    [event] = events_of(rows)
    assert "官府的人。白露锁上门，把钥匙藏进袖子。" in event.summary


def test_a_deed_that_ends_in_speaking_is_told_without_it():
    rows = [
        ("白露", "白露锁上门，低声说：「我把铜铃埋在了望江渡的柳树下面。」"),
        ("旅行者", "（打开箱子）里面是空的！"),
    ]
    [event] = events_of(rows)
    assert event.summary.startswith("白露锁上门，又说自己把铜铃埋在了望江渡的柳树下面。")


@pytest.mark.parametrize(
    ("deeds", "told"),
    [
        (["锁上门", "藏了钥匙", "点了灯"], "白露锁上门，藏了钥匙。白露点了灯。"),
        (["门" * 35, "灯" * 35], f"白露{'门' * 35}，{'灯' * 35}。"),  # 70 characters at most
        (["门" * 35, "灯" * 36], f"白露{'门' * 35}。白露{'灯' * 36}。"),
    ],
)
def test_two_deeds_of_somebody_are_one_sentence_if_it_is_no_long_one(deeds, told):
    reports = [Report("白露", "", deed, is_deed=True, position=n) for n, deed in enumerate(deeds)]
    assert _joined(reports, "zh") == told
