"""Who said and did what, as summaries without a model tell it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engram_desktop.domain.claims.attribution import SaidBy
from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.memory.event import EventQuery
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.memory.message import Message, swipe_hash
from engram_desktop.jobs.context import NullContext
from engram_desktop.services import extractive
from engram_desktop.services.extractive.narration import narration
from engram_desktop.services.extractive.people import wholes
from engram_desktop.services.extractive.pick import cut_messages
from engram_desktop.services.extractive.quoting import quoted_words
from engram_desktop.services.extractive.telling import Report, _joined, _said, narrated
from engram_desktop.services.extractive.words import (
    Cutter,
    base_of,
    third_person,
    units,
)
from tests.factories import import_chat, write_chat
from tests.findings_stories import stories
from tests.roleplay import COURT, TAVERN

CTX = NullContext()

# Speech is quoted; what is quoted first depends on what it says.


@pytest.mark.parametrize(
    ("said", "language", "words"),
    [
        ("嗯嗯，我最喜欢雨天啦~", "zh", "我最喜欢雨天啦"),
        ("不过，我三年前来过这里。", "zh", "我三年前来过这里。"),
        ("那枚铜铃是我娘留下的，里面藏着钥匙。😭", "zh", "那枚铜铃是我娘留下的，里面藏着钥匙。"),
        ("[OK]", "zh", ""),
        ("嗯，好的。", "zh", ""),
        ("哈哈哈哈！", "zh", ""),
        ("Oh, I love the sea, and I’m tired.", "en", "I love the sea, and I’m tired."),
        ("Well, so, what is it to you?", "en", "What is it to you?"),
        ("Wow, thanks!", "en", ""),
    ],
)
def test_words_are_quoted_without_the_fillers_they_begin_with(said, language, words):
    assert quoted_words(said, language).text == words


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("zh", ["我保证不告诉你爹。", "里面藏着一把钥匙，是我娘的。", "我想去望江渡。",
                "别的船走了。", "你昨天去哪儿了？"]),
        ("en", ["I love this old harbour.", "Thorne took the map.", "It was a long day.",
                "Open that door now.", "Who did this to you?"]),
    ],
)  # fmt: skip
def test_a_vow_or_a_secret_tells_more_than_a_question(language, said):
    weights = [quoted_words(sentence, language).weight for sentence in said]
    assert weights == sorted(weights, reverse=True)
    assert len(set(weights)) == len(weights)


def test_names_of_works_in_quotation_marks_stay_in_the_sentence():
    text = 'Read books such as "1984", "My Sea", etc. They widen our minds.'
    (unit,) = units(text, is_narrator=False, language="en", is_prose=False)
    assert unit.is_speech
    assert unit.text == "Read books such as ‘1984’, ‘My Sea’, etc. They widen our minds."
    (listed,) = units(
        "推荐“1984”、“我的海”，都好看。", is_narrator=False, language="zh", is_prose=False
    )
    assert listed.text == "推荐‘1984’、‘我的海’，都好看。"


@pytest.mark.parametrize(
    ("text", "gestures"),
    [
        ("I think (laughing) so (softly smiles).", ["laughing", "softly smiles"]),
        ("Hello there! (she looks away)", ["she looks away"]),
        ("Libby (via OverDrive) lends nine books (assuming they arrive).", []),
        ("Read 40 pages a day (another 200 in all).", []),
        ("高二（七）班，九月。（推开门）早。", ["推开门"]),
    ],
)
def test_words_in_brackets_are_a_gesture_where_somebody_does_something(text, gestures):
    found = units(text, is_narrator=False, language="en", is_prose=False)
    assert [unit.text for unit in found if unit.is_aside] == gestures


def test_what_the_speaker_does_is_told_with_the_name():
    told = narration("I slowly open my bag and look at you.", "Wren", "Mira", "he")
    assert told == "Wren slowly opens his bag and looks at Mira."
    told = narration("You find your seat. Your bag is gone.", "The Narrator", "Mira", "")
    assert told == "Mira finds their seat. Mira's bag is gone."
    told = narration("I fold. I turn. You see what I've made.", "Wren", "Mira", "she")
    assert told == "Wren folds. She turns. Mira sees what she has made."


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
    told = narration("I sit down. I peel an apple and slice it.", "Wren", "Mira", "they")
    assert told == "Wren sits down. They peel an apple and slice it."
    told = narration("I fold the map and put it away. She sat between you.", "Wren", "Mira", "she")
    assert told == "Wren folds the map and puts it away. She sat between them."
    told = narration("I took it and put it away.", "Wren", "", "she")
    assert told == "Wren took it and put it away."
    told = narration("Tobias rows and I with the lead.", "Wren", "Mira", "she")
    assert told == "Tobias rows and Wren with the lead."
    told = narration("He watches you come aboard. You smile.", "Mira", "Wren", "she")
    assert told == "He watches Wren come aboard. Wren smiles."
    told = narration("I open the bag and look.", "Mira", "Wren", "she")
    assert told == "Mira opens the bag and looks."


def test_thoughts_are_told_with_who_has_them(memory, tmp_path):
    story = next(story for story in stories("tried") if story.name == "tried_xuanxiao")
    file = write_chat(tmp_path / "玄霄.jsonl", story.messages, user=story.player)
    line = Line.main(memory.imports.import_file(CTX, file).chat_id)
    memory.pipeline.summarise(CTX, line, (0, 68), "extractive")
    found = memory.events.fetch(line.chat_id, list(memory.events.find(line.chat_id, EventQuery())))
    told = "".join(event.summary for event in found.values())
    assert "沈青梧伸手抹过灰尘,心里一沉" in told
    assert "沈青梧想：“此事蹊跷" in told


# Events of role-plays without a model: whole names, who did what, and words to search for.

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


def first_deed(rows):
    """Return how the first deed of the first message is told."""
    messages = messages_of(rows)
    known = extractive.background(messages)
    first = cut_messages(messages, known)[0]
    return narrated(next(q for q in first.quotes if not q.unit.is_speech), first, known)


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


def test_a_summary_says_who_did_what_and_quotes_what_was_said(court, tavern):
    said = " ".join(text for _name, text in [*COURT, *TAVERN])
    for event in [*court, *tavern]:
        assert not any(mark in event.summary for mark in "「」*（）😤")
        for quotation in re.findall("“([^”]*)”", event.summary):
            assert all(part.strip(" .。!！?？") in said for part in re.split("…+", quotation))
    told = "".join(event.summary for event in court)
    assert "旅行者说：“我答应你，绝不告诉那维莱特" in told
    assert "芙宁娜从袖子里取出一枚银怀表，放在旅行者手心" in told
    assert "第12天" not in told  # the event says when it plays
    english = " ".join(event.summary for event in tavern)
    assert "Tobin whispers that Captain Aldous Thorne has already reached the chapel" in english
    assert "Mira opens Saint Orla's Chapel with the brass key" in english


@pytest.mark.parametrize(
    ("aside", "told"),
    [
        ("(依言坐下，把信收进抽屉)", "白露依言坐下，把信收进抽屉。"),
        ("(接过手机，删掉了照片)", "白露接过手机，删掉了照片。"),
        ("(仔细检查袋子里的药)", "白露仔细检查袋子里的药。"),
        ("(察觉到他的不安，锁上了门)", "白露察觉到他的不安，锁上了门。"),
        ("(专业地解开绷带)", "白露专业地解开绷带。"),
        ("(电梯门缓缓打开)", "电梯门缓缓打开。"),
        ("(不到一刻钟，药师就上了楼)", "不到一刻钟，药师就上了楼。"),
        ("(找到名为。的文件夹)", "白露找到名为。"),  # a name was lost: the rest says nothing
    ],
)
def test_in_brackets_the_speaker_acts_unless_another_is_named(aside, told):
    rows = [("白露", aside), ("旅行者", "嗯。")]
    assert "".join(event.summary for event in events_of(rows)) == told


def test_keywords_are_names_and_things_never_gestures(court, tavern):
    words = {word for event in tavern for word in event.keywords}
    assert {"Captain Aldous Thorne", "Saint Orla's Chapel", "Port Vell"} & words
    lowered = {word.lower() for word in words}
    assert not lowered & {"leans", "closer", "smiles", "eyes", "voice", "died", "bleeding", "mira"}
    assert not {"芙宁娜", "旅行者", "眼神", "笑了笑"} & {w for e in court for w in e.keywords}


def test_english_people_and_places_are_whole(tavern):
    assert entities(tavern, "char") == {"Mira", "Wren", "Captain Aldous Thorne", "Tobin"}
    assert {"Saint Orla's Chapel", "Port Vell"} <= entities(tavern, "loc")


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("皱眉", "白露皱眉"),
        ("一进门就看到你坐在灯下等他", "白露一进门就看到旅行者坐在灯下等他"),
        ("有些不安，把铜铃藏进袖子", "白露有些不安，把铜铃藏进袖子"),
        ("思索片刻，把铜铃收进袖子", "白露思索片刻，把铜铃收进袖子"),
        ("几只白鸟飞过屋顶", "几只白鸟飞过屋顶"),
        ("钟声传来，铜铃响了", "钟声传来，铜铃响了"),
    ],
)
def test_what_somebody_does_in_brackets_says_who(deed, told):
    rows = [("白露", f"（{deed}）铜铃响了三声，你听见了吗？"), ("旅行者", "（点头）听见了。")]
    assert first_deed(rows * 2) == told


@pytest.mark.parametrize(
    ("deed", "told"),
    [
        ("smiles and waves", "Mira smiles and waves"),
        ("laughing softly", "Mira is laughing softly"),
        ("thinking: not again", "Mira thinks: not again"),
        ("a knock at the door", "A knock at the door"),
        ("the next morning, in the study", "The next morning, in the study"),
        ("thursday. the window bangs open", "Thursday. the window bangs open"),
        ("mira is sitting there with two mugs", "Mira is sitting there with two mugs"),
        ("mrs zhao brought them up herself", "Mrs zhao brought them up herself"),
    ],
)
def test_what_stands_between_stars_in_small_letters_says_who_acts(deed, told):
    rows = [("Mira", f'*{deed}* "Did you hear the bell?"'), ("Wren", '*nods* "I did."')]
    assert first_deed(rows * 2) == told


def test_plain_words_with_capitals_are_no_names():
    rows = [
        (
            "Ann",
            "How do I plan this? My edge cases and code reviews are a mess, and I met Mira Vale.",
        ),
        (
            "Guide",
            "Start with Edge Cases. Then ask Code Reviews first, and see Edge Cases.",
        ),
        ("Ann", "So Edge Cases tells me more? Mira Vale said so, and Mira Vale's list is long."),
        (
            "Guide",
            "Yes, Edge Cases tells what Code Reviews wants. I asked Mira Vale.",
        ),
        ("Ann", "Code Reviews wants time. The old harbour bridge is far, near Old Harbour Bridge."),
    ]
    events = events_of(rows)
    every = {e.name for event in events for e in event.entities}
    assert "Mira Vale" in every
    assert not every & {"Edge Cases", "Code Reviews"}


def test_what_comes_with_an_article_is_of_a_kind_and_nobody():
    rows = [
        ("Ann", "I'm a Garden Walkers coach now."),
        ("Guide", "Becoming a Garden Walkers coach is a big deal! Mira Vale said so."),
        ("Ann", "I was at a Garden Walkers meeting yesterday. Mira Vale laughed with me."),
    ]
    people = {e.name for event in events_of(rows) for e in event.entities if e.type == "char"}
    assert "Mira Vale" in people
    assert "Garden Walkers" not in people


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
    assert event.summary.startswith("Jo says: “I went to the pottery fair yesterday")


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
    assert "官府的人。”白露锁上门，把钥匙藏进袖子。" in event.summary


def test_a_deed_that_ends_in_speaking_is_told_without_it():
    rows = [
        ("白露", "白露锁上门，低声说：「我把铜铃埋在了望江渡的柳树下面。」"),
        ("旅行者", "（打开箱子）里面是空的！"),
    ]
    [event] = events_of(rows)
    assert event.summary.startswith("白露锁上门，说：“我把铜铃埋在了望江渡的柳树下面。”")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("白露抱拳道：「我把铜铃埋在柳树下面。」", "白露抱拳，说：“我把铜铃埋在柳树下面。”"),
        ("「我把铜铃埋在柳树下面。」白露小声对掌柜说。", "白露说：“我把铜铃埋在柳树下面。”"),
        ("（心道：铜铃一定埋在柳树下面。）", "白露想：“铜铃一定埋在柳树下面。”"),
        ("白露赔笑道：「我把铜铃埋在柳树下面。」", "白露说：“我把铜铃埋在柳树下面。”"),
        ("「是，」白露哑声道，「我把铜铃埋在柳树下面。」", "白露说：“我把铜铃埋在柳树下面。”"),
        ("白露「哇」地一声哭了出来。「我把铜铃埋了。」", "白露哇地一声哭了出来"),
        ("「此事不可对人说起。那是柳青崖……是他的生父。」", "那是柳青崖……是他的生父。”"),
    ],
)
def test_words_that_only_lead_in_a_speech_or_a_thought_are_not_told(memory, tmp_path, text, told):
    rows = [("阿衡", "「铜铃呢？」"), ("白露", text), ("阿衡", "（打开箱子）「里面是空的！」")]
    line = Line.main(import_chat(memory, tmp_path / "铜铃.jsonl", rows))
    memory.pipeline.summarise(CTX, line, (0, 2), "extractive")
    events = memory.events.fetch(line.chat_id, memory.events.find(line.chat_id, EventQuery()))
    assert told in "".join(event.summary for event in events.values())


@pytest.mark.parametrize(
    ("tag", "left"), [("她认真地说。", "认真地"), ("走远之后，我对旅行者说。", "走远之后")]
)
def test_how_and_when_something_is_said_is_no_deed(tag, left):
    rows = [
        ("白露", f"*白露锁上门。*「我把铜铃埋在柳树下面。」*{tag}*「别告诉你师父。」"),
        ("旅行者", "（打开箱子）里面是空的！"),
    ]
    [event] = events_of(rows)
    assert left not in event.summary
    assert "把铜铃埋在柳树下面" in event.summary


@pytest.mark.parametrize(
    ("deeds", "told"),
    [
        (["锁上门", "藏了钥匙", "点了灯"], "白露锁上门，藏了钥匙。白露点了灯。"),
        (["门" * 35, "灯" * 35], f"白露{'门' * 35}，{'灯' * 35}。"),  # 70 characters at most
        (["门" * 35, "灯" * 36], f"白露{'门' * 35}。白露{'灯' * 36}。"),
    ],
)
def test_two_deeds_of_somebody_are_one_sentence_if_it_is_no_long_one(deeds, told):
    reports = [Report("白露", "", deed, position=n) for n, deed in enumerate(deeds)]
    assert _joined(reports, "zh") == told


# One card speaks for several: a summary tells what each of them says as said by them.


@pytest.mark.parametrize(
    ("body", "told", "language"),
    [
        ("师父还没回来，所以。", "沈砚师父还没回来。", "zh"),
        ("天要黑了，但是……", "沈砚天要黑了……", "zh"),
        ("点了点头，而且，所以。", "沈砚点了点头。", "zh"),
        ("去了那里，因为下雨。", "沈砚去了那里，因为下雨。", "zh"),
        ("知道为所以。", "沈砚知道为所以。", "zh"),
        ("says the master is late, so.", "Tom says the master is late.", "en"),
        ("says he is late, but…", "Tom says he is late…", "en"),
        ("says that is so.", "Tom says that is so.", "en"),
    ],
)
def test_a_sentence_does_not_end_in_the_word_that_was_to_go_on(body, told, language):
    who = "沈砚" if language == "zh" else "Tom"
    assert _joined([Report(who, "", body)], language) == told


def told_summaries(memory, tmp_path, name):
    story = next(s for of in ("tuned", "held") for s in stories(of) if s.name == name)
    file = write_chat(tmp_path / f"{name}.jsonl", story.messages, story.player)
    line = Line.main(memory.imports.import_file(CTX, file).chat_id or "")
    memory.pipeline.summarise(CTX, line)
    store = memory.session.chat(line.chat_id)
    events = store.events.fetch(store.events.find(EventQuery(level=0))).values()
    return " ".join(f"{e.summary} {e.raw_data.details}" for e in events)


def test_a_detective_does_not_say_what_witnesses_say_in_his_messages(memory, tmp_path):
    told = told_summaries(memory, tmp_path, "greyfriars")
    assert "Mrs. Tull says: “I never went near the library till morning" in told
    assert "Mrs. Tull: “I was in the kitchen all night, sir, with the bread,”" in told
    assert "Dr. Pell quotes: “I put the arsenic back" in told
    assert "my coffee's gone cold" not in told


def test_what_a_narrators_card_tells_is_said_by_the_persons_in_it(memory, tmp_path):
    told = told_summaries(memory, tmp_path, "speeches_zh")
    assert "雾山客栈说" not in told
    assert "小六子问：“客官打尖还是住店？”" in told
    assert "小六子对薛镖头说：“薛爷" in told  # among several, “you” is explained
    assert "薛镖头说：“威远镖局" in told
    events_en = told_summaries(memory, tmp_path, "held_speeches_en")
    assert "Storyteller says" not in events_en


INFIRMARY = [
    ("Sister Agathe", '*Sister Agathe trims the wick.* "He has a fever. He must not wake."'),
    ("Theo", "“Who is he?”"),
    ("Dr. Hollis", '*Dr. Hollis frowns.* "He is a carter. He came at two in the morning."'),
    ("Sister Agathe", '"He did not set the chapel on fire that night. I did."'),
    ("Sister Agathe", '"I knocked over the lamp in the chapel, and he took the blame."'),
]


def test_he_in_what_a_sister_says_is_not_the_sister(memory, tmp_path):
    file = write_chat(tmp_path / "infirmary.jsonl", INFIRMARY * 2, "Theo")
    line = Line.main(memory.imports.import_file(CTX, file).chat_id or "")
    memory.pipeline.summarise(CTX, line, (0, 9))
    events = memory.events.fetch(line.chat_id, memory.events.find(line.chat_id, EventQuery()))
    told = " ".join(event.summary for event in events.values())
    assert "Agathe says: “I knocked over the lamp in the chapel, and he took the blame" in told


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (
            '"He will live till the morning," *says Mira.*',
            "Mira says: “He will live till the morning",
        ),
        (
            '"He will live till the morning," *says Dr. Mira. Mira shuts the heavy door.*',
            "Mira shuts the heavy door",
        ),
        (
            '"He is nine on Friday." *Mira says. Mira shuts the heavy door.*',
            "Mira shuts the heavy door",
        ),
        (
            '"He is nine on Friday." *I tell her. I close the heavy door.*',
            "Mira closes the heavy door",
        ),
        ('"He is nine on Friday." *She says, when Wren is out.*', "Mira says: “He is nine"),
        (
            '"He is nine." *The doctor says. Mira shuts the heavy door.*',
            "Mira shuts the heavy door",
        ),
        ('*"He is nine on Friday,"* Mira says. *Why?*', "Mira says: “He is nine on Friday"),
        ('"He is nine," *I say, and close the heavy door.*', "Mira closes the heavy door"),
        ('"Do you know him at all?" *asks Mira, looking at the two of you.*', "Wren says"),
    ],
)
def test_who_says_it_is_no_deed(said, told):
    (event,) = events_of([("Mira", said), ("Wren", '"Yes, I believe so." *I nod.*')])
    assert told.lower() in event.summary.lower()
    assert not re.search(r"(?:says|asks) (?:Dr. )?Mira", event.summary)
    assert not re.search(r"[Tt]he doctor says|tells her|Why|when Wren", event.summary)


def test_who_has_spoken_is_who_goes_on_saying():
    text = "阿衡嚷道：“冰柜又坏了。”说完拎着冰进了仓库。"
    (message,) = messages_of([("白露", text)])
    claim = Claim(0, "said", "阿衡", "", "other", "", "冰柜又坏了。", 6, 12)
    who = extractive.Attributions({message.id: extractive.Attribution(text, [claim], "白露")})
    known = extractive.background([message])
    (cut,) = cut_messages([message], known, who)
    deed = cut.quotes[-1]
    assert narrated(deed, cut, known) == "阿衡说完拎着冰进了仓库。"


def test_a_part_of_a_message_is_said_by_whom_all_of_it_names():
    text = "白露凑到你耳边。“钥匙在井里。”"
    words = "钥匙在井里。"
    claim = Claim(0, "said", "白露", "", "other", "", words, 9, 15, hearers=("阿衡",))
    part = extractive.Attribution(text, [claim], "").within(f"“{words}”")
    assert part.of(words).speaker == "白露"  # who hears the words knows the voice
    assert part.of(words).hearer == ""


@pytest.mark.parametrize(
    ("words", "lead"), [("师弟，你可算回来了。", "说："), ("你可算回来了。", "对小桥说：")]
)
def test_whom_a_title_calls_is_not_named_from_elsewhere(words, lead):
    known = extractive.background(messages_of([("白露", words), ("小桥", "嗯。")]))
    (report,) = _said(words, SaidBy("said", "白露", "小桥"), known, is_crowd=True)
    assert report.lead == lead


def test_a_narrator_s_you_is_the_player(memory, tmp_path):
    rows = [
        (
            "Narrator",
            'Marian grips your sleeve and leads you out. "The boat sails at six," she says.',
        ),
        ("Wren", "“At six?”"),
        ("Narrator", "Marian opens the gate of the old harbour. Ruben waits there, and he nods."),
    ]
    file = write_chat(tmp_path / "harbour.jsonl", rows * 2, "Wren")
    line = Line.main(memory.imports.import_file(CTX, file).chat_id or "")
    memory.pipeline.summarise(CTX, line, (0, 5), "extractive")
    events = memory.events.fetch(line.chat_id, memory.events.find(line.chat_id, EventQuery()))
    told = " ".join(f"{e.summary} {e.raw_data.details}" for e in events.values())
    assert "Marian grips Wren's sleeve and leads Wren out" in told


def test_whose_words_cannot_be_told_are_quoted_without_a_name():
    claim = Claim(0, "said", "", "", "other", "", "谁在那里敲门？", 0, 7)
    who = extractive.Attributions({"0": extractive.Attribution("谁在那里敲门？", [claim], "")})
    assert who.by_message["0"].of("谁在那里敲门？").speaker == ""


def test_who_says_a_quotation_is_no_sentence_of_its_own(memory, tmp_path):
    rows = [
        ("卡萝", "Dora说：“我的年纪是五岁。”"),
        ("Dora", "今天下雨了，我们去河边走一走。"),
        ("卡萝", "鲍勃说：“我的年纪是七岁。”"),
    ]
    chat_id = import_chat(memory, tmp_path / "故事.jsonl", rows * 5)
    memory.pipeline.summarise(CTX, Line.main(chat_id), None, "extractive")
    keys = memory.events.find(chat_id, EventQuery())
    told = [event.summary for event in memory.events.fetch(chat_id, keys).values()]
    assert told
    assert not any("Dora。" in summary for summary in told)


@pytest.mark.parametrize(
    ("user", "sender", "other", "quote", "told"),
    [
        (
            "阿远", "林小雨", "陈默",
            "*他放下杯子。*“我问过他。”\n\n陈默说：“我没去过船屋。”他打开抽屉，烧掉了铜钥匙。",
            "陈默打开抽屉，烧掉了铜钥匙",
        ),
        (
            "Sam", "Mina", "Roly",
            '*He sets the cup down.* "I asked."\n\nRoly said, "I never went near the boathouse."'
            " He opened the drawer and broke the brass key in two.",
            "Roly opened the drawer and broke the brass key in two",
        ),
    ],
)  # fmt: skip
def test_he_behind_the_words_of_another_is_not_who_sends_the_message(
    memory, tmp_path, user, sender, other, quote, told
):
    say = "“{}”".format
    rows = [
        (user, say("船屋的锁？" if user == "阿远" else "And the lock?")),
        (sender, quote),
        (other, say("你们在嘀咕什么？" if user == "阿远" else "What are you two up to?")),
        (user, say("锁。" if user == "阿远" else "The lock.")),
    ]
    file = write_chat(tmp_path / "故事.jsonl", rows, user)
    line = Line.main(memory.imports.import_file(CTX, file).chat_id or "")
    memory.pipeline.summarise(CTX, line, (0, 3), "extractive")
    keys = memory.events.find(line.chat_id, EventQuery())
    events = memory.events.fetch(line.chat_id, keys).values()
    everything = " ".join(f"{e.summary} {e.raw_data.details}" for e in events)
    assert told in everything
    assert told.replace(other, sender) not in everything


BOOKSHOP = [
    ("店主", "*门铃响了。*「欢迎，我叫顾眠，随便看。」"),
    ("阿棠", "「我叫许棠，住在隔壁巷子里。」"),
    ("店主", "*顾眠递来一杯姜茶。*「那排书是我姐姐顾岚留下的，她去了南边。」"),
    ("阿棠", "「她什么时候回来？」"),
    ("店主", "*他别过脸去。*「头一年还有明信片，后来就断了。」"),
    ("阿棠", "「那我们一起去南边找她。」"),
    ("店主", "*顾眠翻出一张发黄的明信片，又收了回去。*「我一直没敢去。」"),
    ("阿棠", "「周六我陪你去，票我来买。」"),
]


def test_a_card_named_by_a_role_is_told_of_as_the_person_it_plays(memory, tmp_path):
    file = write_chat(tmp_path / "店主.jsonl", BOOKSHOP, "阿棠")
    line = Line.main(memory.imports.import_file(CTX, file).chat_id)
    floors = memory.knowledge.present(CTX, line, 4, 4)
    assert "顾眠" in {person.name for person in floors[0].audience or ()}
    memory.pipeline.summarise(CTX, line, (0, 7), "extractive")
    events = memory.events.fetch(line.chat_id, memory.events.find(line.chat_id, EventQuery()))
    told = "".join(f"{event.summary}{event.raw_data.details}" for event in events.values())
    assert "顾眠说：“" in told
    assert "店主" not in told
    people = {e.name for event in events.values() for e in event.raw_data.entities}
    assert {"顾眠", "阿棠"} <= people
    assert not people & {"店主", "许棠"}
