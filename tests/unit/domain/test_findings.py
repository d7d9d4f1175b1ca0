"""What follows from claims, on stories with truth tables, and how it is told."""

from __future__ import annotations

import time

import pytest

from benchmarks.findings import TextLines, matches, read_all
from engram_desktop.domain.claims.claim import Finding, Quote
from engram_desktop.domain.claims.findings import LineFindings, answered
from engram_desktop.domain.claims.marks import PromptMarks, due, listed
from engram_desktop.domain.claims.wording import words_of
from tests.findings_stories import stories

STORIES = stories()


@pytest.fixture(scope="module")
def read():
    return {story.name: read_all(story.messages, story.player) for story in STORIES}


@pytest.mark.parametrize(
    ("kind", "least"),
    [
        ("superseded", 22),  # of 34
        ("lie", 13),  # of 20
        ("contradiction", 2),  # of 7
        ("promise", 23),  # of 23
        ("mistaken", 9),  # of 10
    ],
)
def test_findings_of_the_stories_that_rules_were_made_on(read, kind, least):
    cases = [(s, c) for s in STORIES for c in s.cases if c["kind"] == kind and "optional" not in c]
    found = [any(matches(f, case, story) for f in read[story.name][1]) for story, case in cases]
    assert sum(found) >= least, (
        "a rule finds less than it did; raise the figure where it finds more"
    )


def test_few_findings_are_no_case(read):
    false = [
        finding
        for story in STORIES
        for finding in read[story.name][1]
        if not any(matches(finding, case, story) for case in story.cases)
    ]
    assert len(false) <= 1  # of 87


@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name)
def test_nothing_out_of_character_is_a_fact_of_the_story(read, story):
    for row in story.ooc:
        got = read[story.name][0][story.floors(row["floor"])[0]]
        assert not any(row["text"] in c.quote and c.how != "ooc" for c in (*got.facts, *got.lines))


@pytest.mark.parametrize("story", STORIES, ids=lambda s: s.name)
def test_decoys_are_not_reported(read, story):
    quotes = [q for f in read[story.name][1] for q in f.quotes]
    for decoy in story.decoys:
        floor = story.floors(decoy["floor"])[0]
        assert not any(q.floor == floor and decoy["text"] in q.text for q in quotes)


def finding(
    kind="superseded", status="over", quotes=((0, "她住在山上。"), (9, "她搬到了城里。")), **more
):
    told = tuple(Quote(floor, text) for floor, text in quotes)
    return Finding(kind, status, more.pop("who", ("她",)), "她", "home", told, **more)


def test_an_id_is_made_of_words_and_not_of_floors():
    moved = finding(quotes=((4, "她住在山上。"), (30, "她搬到了城里。")))
    assert finding().id == moved.id
    assert finding().id != finding(kind="contradiction").id


def test_what_became_of_a_promise_does_not_change_its_id():
    words = ((3, "我一定还你。"),)
    given = finding(kind="promise", status="open", quotes=words)
    kept = finding(kind="promise", status="kept", quotes=(*words, (9, "他还了钱。")))
    assert given.id == kept.id


def test_answers_change_the_status():
    one = finding(kind="contradiction", status="open")
    promise = finding(kind="promise", status="open", quotes=((3, "我一定还你。"),))
    [said, kept] = answered([one, promise], {one.id: "later", promise.id: "kept"})
    assert (said.status, said.answer) == ("answered", "later")
    assert kept.status == "kept"
    [same] = answered([promise], {promise.id: "lie"})  # no answer to a promise
    assert same == promise


@pytest.mark.parametrize(
    ("one", "text", "marked"),
    [
        (finding(), "3 她住在山上。他来了。", "3 她住在山上。〔至第9楼〕他来了。"),
        (finding(answer="both"), "3 她住在山上。", "3 她住在山上。"),
        (finding(answer="lie"), "3 她住在山上。", "3 她住在山上。〔谎言〕"),
        (finding(kind="contradiction", answer="earlier"), "她住在山上。", "她住在山上。"),
        (
            finding(kind="contradiction", answer="earlier"),
            "她搬到了城里。",
            "她搬到了城里。〔误以为〕",
        ),
        (finding(kind="contradiction", answer="later"), "她住在山上。", "她住在山上。〔误以为〕"),
        (finding(kind="lie", status="told"), "3 “她住在山上。”", "3 “她住在山上。”〔谎言〕"),
        (finding(kind="mistaken", status="corrected"), "她住在山上。", "她住在山上。〔误以为〕"),
        (finding(), "她住在山上，说：“走。”", "她住在山上〔至第9楼〕，说：“走。”"),
        (finding(), "“她住在山上，”他说。", "“她住在山上，”〔至第9楼〕他说。"),
        (finding(), "她住在山下。", "她住在山下。"),
    ],
)
def test_marks_of_quoted_lines(one, text, marked):
    assert PromptMarks([one], "zh").marked(text, 0, 9) == marked


def test_a_mark_stands_only_on_its_floor():
    marks = PromptMarks([finding()], "en")
    assert marks.marked("她住在山上。", 5, 7) == "她住在山上。"
    assert marks.marked("她住在山上。", 0, 2) == "她住在山上。 [until floor 9]"


def test_one_sentence_of_what_is_over_is_marked_where_it_stands_alone():
    marks = PromptMarks(
        [finding(quotes=((2, "My fiancée. She's a vet."), (9, "It's over.")))], "en"
    )
    assert marks.marked("2 Beck: My fiancée. …", 2, 2) == "2 Beck: My fiancée. [until floor 9] …"
    assert marks.marked("2 Beck: She is a vet.", 2, 2) == "2 Beck: She is a vet."


def test_promises_are_told_when_they_come_up_and_not_when_they_are_settled():
    quotes = ((3, "等手好了，我拉琴给你听。"),)
    promise = finding(
        kind="promise", status="open", quotes=quotes, trigger="等手好了", who=("林一",)
    )

    def told(one, said, room=100, everyday=()):
        return due([one], said, "zh", room, lambda word: word in everyday)

    asked = "林一的琴修好了吗？手好了没有？"
    assert "我拉琴给你听" in told(promise, asked)
    assert told(promise, "今天吃什么？") == ""
    assert told(promise, asked, room=10) == ""
    assert told(promise, asked, everyday=words_of(asked).units) == ""  # of no promise
    [kept] = answered([promise], {promise.id: "kept"})
    assert told(kept, "手好了，拉琴吧。") == ""


@pytest.mark.parametrize("tongue", ["zh", "en", "ja"])
def test_a_list_has_words_in_each_language(tongue):
    head, first, second = listed(finding(), tongue)
    assert finding().id in head
    assert "她住在山上。" in first
    assert "她搬到了城里。" in second


# What is one finding, another kind of finding, or none.


def kinds(*rows, player="甲"):
    found = read_all([tuple(row.split(": ", 1)) for row in rows], player)[1]
    return [(f.kind, f.status, [q.floor for q in f.quotes]) for f in found]


@pytest.mark.parametrize(
    "rows",
    [
        # to be frank is no confession
        [("甲", "我喜欢安静的电影。"), ("乙", "我也是。"), ("甲", "其实我也喜欢热闹的电影。")],
        [("甲", "桂花糕很好吃，我常常买。"), ("乙", "嗯。"), ("甲", "说实话，我很少做桂花糕。")],
        [("甲", "我叫阿成，是个学生。"), ("乙", "你好。"), ("甲", "其实我有一个问题想问你。")],
        [
            ("Ann", "I love that quiet bakery."),
            ("Bo", "Yes."),
            ("Ann", "To be honest, I love tea."),
        ],
        # what somebody else is called, or must not hide
        [("Ann", "His name's Biscuit and he sleeps all day."), ("Bo", "Lovely!")],
        [("甲", "记住，有事要说。"), ("乙", "嗯。"), ("甲", "我只是说你有男朋友别瞒着我。")],
        # of another, of nobody, and in a question
        [("甲", "我一直都在尽力做到这一点。"), ("乙", "谁？"), ("甲", "是我的老师，他夸我的画。")],
        [("甲", "我是画家。"), ("乙", "嗯。"), ("甲", "学校附近新开了一家甜品店。")],
        [("甲", "我是画家。"), ("乙", "你现在是什么老师？"), ("乙", "就是我最喜欢的歌手。")],
        [("甲", "我是歌手。"), ("乙", "真好。"), ("甲", "我是歌手，也是模特。")],
        # numbers of other things
        [
            ("Ann", "There are 4 kings in the deck."),
            ("Bo", "Ok."),
            ("Ann", "There are 13 hearts in the deck."),
        ],
        [
            ("Ann", "So the number of outcomes is 2."),
            ("Bo", "Ok."),
            ("Ann", "The number of outcomes is 6."),
        ],
        # of whom somebody has, not of themselves; and what is only called otherwise
        [("甲", "我上司四十二岁。"), ("甲", "我同事三十七岁。")],
        [("甲", "我的猫住在院子里。"), ("甲", "我住在河边的公寓。")],
        [("甲", "我同事的老家在海边的小镇。"), ("甲", "我住在河边的公寓。")],
        [("甲", "我的上司是厨师。"), ("甲", "我上司是总经理。"), ("甲", "我的上司是个厨师。")],
        [("甲", "我妈妈在银行工作。"), ("甲", "我妈妈在上海工作。")],
        [("甲", "我要去的展会，它的规模是六百人。"), ("甲", "我是宁波人。")],
        [("甲", "我表姐学历挺高的，是博士。"), ("甲", "我表姐现在是程序员。")],
        [
            ("Ann", "Keep a journal to note ideas."),
            ("Ann", "Keep a journal to write down thoughts."),
        ],
        [("甲", "我同事的生日是在四月二十五号。"), ("甲", "我上司的生日是在一月十四号。")],
        # other events, and the same day told again
        [
            ("Ann", "Thank you for inviting me to the meeting at 3 PM on March 14."),
            ("Bo", "Sure."),
            ("Ann", "I would like to reschedule our meeting from 11 AM to 4 PM on March 29."),
        ],
        [
            ("Ann", "The conference paper has been extended through July 19 at 5 PM."),
            ("Bo", "Extending the conference paper until July 19 is wise."),
        ],
        # a wife who was married, and who is asked and not yet anybody's
        [("甲", "你啊，你就是我老婆。"), ("乙", "嗯。"), ("甲", "我们结婚了。")],
        [("甲", "你一定要答应做我的女朋友。"), ("乙", "嗯。"), ("甲", "我们现在已经确定关系了。")],
        # kind words
        [("甲", "我一定不会让你失望的。"), ("乙", "好。")],
        [("甲", "一定会的！"), ("乙", "好。"), ("甲", "绝对不会！")],
        [("甲", "我相信我们一定能度过难关。"), ("乙", "嗯，我一定会努力的。")],
        [("甲", "那是很久以前的事了，我没必要特意告诉你。"), ("乙", "好。")],
        [("Ann", "I'll definitely give it a try."), ("Bo", "I'll do my best.")],
    ],
)
def test_what_people_say_every_day_is_no_finding(rows):
    assert kinds(*(f"{who}: {said}" for who, said in rows), player=rows[0][0]) == []


def test_two_sentences_of_one_speech_are_one_lie():
    rows = ("甲: “我是教书的。”我递上信，“教英文的。”\n\n（信是假的。）", "乙: “请进。”")
    assert [row[0] for row in kinds(*rows)].count("lie") <= 1


def test_who_calls_it_a_lie_and_says_otherwise_finds_a_lie_out():
    rows = ("甲: “燕三跟我说白鹭五年前就死了！”", "乙: “他骗你的。白鹭活得好好的。”", "燕三: “……”")
    assert not [row for row in kinds(*rows) if row[0] == "contradiction"]


def test_a_sentence_in_another_language_is_recited():
    rows = ("甲: “沈若棠是我的未婚妻。”", "沈若棠: 她念道：“Reader, I married him.”念完就笑了。")
    assert kinds(*rows) == []


@pytest.mark.parametrize(
    ("rows", "count"),
    [
        (("甲: “我在这镇上住了六年。”", "甲: “我在这镇上住了七年。”"), 0),  # a year goes by
        (('Ann: "I\'ve been here six years."', 'Ann: "I\'ve been here seven years."'), 0),
        (('Ann: "I\'ve been here six years."', 'Ann: "I\'ve been here twelve years."'), 1),
    ],
)
def test_years_that_go_by_contradict_nothing(rows, count):
    found = kinds(*rows, player=rows[0].split(":")[0])
    assert [row[0] for row in found].count("contradiction") == count


def test_who_was_wrong_about_somebody_takes_back_what_they_said_of_them():
    rows = (
        'Ann: "Brandt took the box."',
        'Ben: "Are you sure?"',
        'Brandt: "I was here."',
        'Ann: "I was wrong about Brandt."',
    )
    assert ("mistaken", "corrected", [0, 3]) in kinds(*rows, player="Ann")


def test_an_apology_is_nothing_that_could_be_wrong():
    rows = ('Ann: "I\'m sorry about the box."', 'Ben: "Well."', 'Ann: "I was wrong. I\'m sorry."')
    assert not [row for row in kinds(*rows, player="Ann") if row[0] == "mistaken"]


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("我带你去看灯塔，等台风过去。我说到做到。", "我带你去看灯塔"),
        ("等雪化了，我亲自教你使剑。一言为定！", "我亲自教你使剑"),
        ("我没有伤害她，我发誓。", ""),
    ],
)
def test_an_oath_swears_what_is_said_beside_it(words, quoted):
    found = read_all([("甲", f"“{words}”"), ("乙", "“好。”")], "甲")[1]
    quotes = [f.quotes[0].text for f in found if f.kind == "promise"]
    assert (quoted in quotes[0]) if quoted else not quotes


def test_laughter_in_the_narration_is_no_joke():
    rows = (
        "旁白: 陈默住在柳巷。",
        "旁白: 陈默笑嘻嘻地坐下。",
        "旁白: 陈默嘿嘿一笑，搬到桂花巷去了。",
    )
    assert [row[0] for row in kinds(*rows)] == ["superseded"]


PROMISES = [
    # told in several sentences of a floor
    (
        "“等雪化了，我带你去灯塔看日出。一言为定！”",
        "灯塔的门开着，陈默站在窗边。\n\n“看好了，”他说，“日出了。”",
        "kept",
    ),
    # due, and not done
    (
        "“七天之内，我一定把药带回来。”",
        "第七天，太阳落到山脊后面，路上还是没有人。",
        "broken",
    ),
    # what is not broken is kept
    ("“三天之内，我一定把本子交到你手里。”", "陈默笑了笑：“本子在这里，我没有食言。”", "kept"),
    # asked at the end is only whether it suits
    ("“中秋之前，我一准把钱送到你手上，你看行不行？”", "陈默咳了一声。", "open"),
]


@pytest.mark.parametrize(("vow", "later", "status"), PROMISES)
def test_what_became_of_a_promise(vow, later, status):
    rows = [
        ("旁白", f"陈默放下茶碗。{vow}"),
        ("柳青", "我点点头。“好。”"),
        ("旁白", "陈默笑了。他走了。"),
        ("旁白", later),
    ]
    found = [f for f in read_all(rows, "柳青")[1] if f.kind == "promise"]
    assert [f.status for f in found] == [status]


@pytest.mark.parametrize(
    ("vow", "later"),
    [
        ("我保证，等我回来的时候，会给你带一份惊喜。", "（眼神迷离，仿佛回到了往昔岁月）真好啊。"),
        ("我保证，永远陪着你。", "对不起，我永远学不会跳舞。"),
        (
            "I'll definitely check it out when I'm back.",
            "Definitely what I deserve after a long week!",
        ),
        (
            "I'll show you around town, all the cool spots.",
            "There were so many cool robots around, it was fun!",
        ),
        (
            "I promise I'll show you what my cat looks like.",
            "That guide looks like it has some good tips, it was fun.",
        ),
        (
            "I'll cook you a proper dinner tomorrow, I promise.",
            "Definitely, I couldn't agree more.",
        ),
    ],
)
def test_everyday_words_keep_and_break_no_promise(vow, later):
    rows = [("Ann", vow), ("Bo", "Ok."), ("Ann", "So."), ("Ann", later), ("Bo", later)]
    found = [f for f in read_all(rows, "Bo")[1] if f.kind == "promise"]
    assert [f.status for f in found if f.quotes[0].floor == 0] == ["open"]


def test_what_became_of_a_promise_is_the_same_floor_by_floor():
    rows = [
        ("旁白", "陈默放下茶碗。“重阳之前，我一定把铜灯、木箱和旧账本都送到山神庙。”"),
        ("柳青", "我点点头。“好。”"),
        ("旁白", "陈默笑了。他走了。"),
        *[("旁白", "离重阳还有些日子，街上很静。")] * 16,
        ("旁白", "重阳到了，路上还是没有人。"),
    ]
    read, whole, _spent = read_all(rows, "柳青")
    lines = TextLines([text for _who, text in rows], read)
    steps = LineFindings({})
    for floor in range(len(read)):
        steps.go_on(lambda first, _last: read[first].facts, lines, floor)
    told = [(f.kind, f.status) for f in whole]
    assert told
    assert [(f.kind, f.status) for f in steps.findings(lines)] == told


def test_what_is_promised_for_this_very_moment_is_not_waited_for_long():
    idle = [f"{who}: 嗯。" for _n in range(31) for who in ("乙", "甲")]
    assert kinds("甲: 等等我，我马上回来！", *idle[:20]) == [("promise", "open", [0])]
    assert kinds("甲: 等等我，我马上回来！", *idle) == []
    assert kinds("甲: 我保证，我马上回来！", *idle) == [("promise", "open", [0])]


def test_a_vow_kept_in_other_words_than_those_of_the_past():
    rows = (
        'Ann: "I\'ll drive you to the train myself, I promise."',
        'Ben: "Good."',
        "Ann: \"I said I'd drive you and I didn't. I've let you down.\"",
    )
    assert ("promise", "broken", [0, 2]) in kinds(*rows, player="Ann")


def test_what_somebody_does_beside_is_over_only_when_it_ends():
    rows = (
        'Ann: "I skipper the mail boat."',
        'Ben: "I see."',
        'Ann: "I teach the little ones on Fridays."',
    )
    assert kinds(*rows, player="Ann") == []


_AT_MOST = 5.0  # seconds; .5 s is usual, and 40 to 110 s where quotes are laid beside each other


@pytest.mark.parametrize(
    "line",
    ["“来。”沈砚笑了。“好。”他说。", "“我没偷。”他在撒谎。", "“" * 20],
    ids=["quotes", "lies", "left open"],
)
def test_a_line_of_thousands_of_short_quotes_is_read_in_a_moment(line):
    messages = [("旁白", "沈砚说：“嗯。”"), ("旁白", line * (60_000 // len(line)))]
    start = time.process_time()
    read, _found, _spent = read_all(messages, "我", known=("沈砚",))
    assert time.process_time() - start < _AT_MOST
    assert len(read[1].lines) > 2_000 or line.startswith("““")
