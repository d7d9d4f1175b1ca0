"""What a later sentence ends: homes, work, hurts, bonds, and who has a thing."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all
from tests.bundled_story import story

ZH = [
    ("旁白", "林晚笑了笑，看着陈渡。陈渡点了点头，坐下。"),
    ("顾行", "“嗯。”我说。"),
    ("旁白", "林晚站起来，她走到窗边。陈渡叹了口气，他低头说：“好吧。”"),
    ("顾行", "我看着他们。"),
    ("旁白", "林晚说：“走吧。”陈渡摇头，望着她。"),
]
EN = [
    ("Narrator", "Mara smiles at Eli. Eli nods and sits down. He looks at his boots."),
    ("Jon", '"Right," I say.'),
    ("Narrator", "Mara stands and walks to the window. Her hands shake. Eli sighs. He shrugs."),
    ("Jon", "I watch them."),
    ("Narrator", "Mara looks at her watch. Eli says nothing."),
]


def over(first, second):
    """Return the superseded facts of two messages, in the middle of a small story."""
    before, player = (EN, "Jon") if first.isascii() else (ZH, "顾行")
    told = [*before, (before[0][0], first), (player, before[3][1]), (before[0][0], second)]
    found = read_all([*told, (player, before[3][1])], player)[1]
    return [f for f in found if f.kind == "superseded"]


CHANGES = [
    ("林晚的左腿上绑着两块木板。", "林晚腿上的木板已经拆掉了。"),
    ("林晚昏迷不醒。", "林晚终于醒了。"),
    ("“陈渡是我未婚夫。”林晚说。", "“婚不结了。”陈渡对林晚说。"),
    ("账本在陈渡那里。", "账本烧了。"),
    ("城里的粮食还够吃十天。", "城里的粮食只够吃三天了。"),
    ("婚礼定在三月初八。", "婚礼推迟到了五月。"),
    ("林晚才练气三层。", "雷劫散去，林晚睁开眼睛，已是金丹初期。"),
    ("陈渡住在北营的帐篷里。", "陈渡战死了。"),
    ("Mara sleeps on the sofa in the office.", "Mara finally has her own apartment."),
    ('"I am Mara, first mate," says Mara.', '"You are captain now, Mara," Eli says.'),
    ("Mara's arm is in a sling.", "Mara's arm is out of the sling at last."),
    ('"I twisted my ankle," says Mara.', '"My ankle\'s fine now," says Mara, and jumps.'),
    ("The silver locket hangs around Mara's neck.", "The locket was stolen."),
    ("The wedding is set for June.", "The wedding has been put off until October."),
    # what no longer is, and a day that is moved, by the words it was told in
    ("林晚替陈渡抄经，抄了三年。", "从今天起，林晚不再替陈渡抄经了。"),
    ("Mara tunes the harps in the chapel.", "Mara no longer tunes the harps."),
    ("《浮灯》六月八号上演。", "“《浮灯》的上演往后挪到七月一号。”林晚说。"),
    ("The regatta opens on the tenth.", "They have pushed the regatta back to the seventeenth."),
    # who has a thing that is on somebody
    ("The ring was on Mara's finger.", "The ring was on Eli's finger."),
    # places of one kind that a letter or a number tells apart
    # another hurt, and another work, do not take the place of the one before
    ("“我姓陈，是药铺的掌柜。”陈渡说。", "陈渡不当掌柜了。"),
]


@pytest.mark.parametrize(("first", "second"), CHANGES)
def test_a_change_ends_what_was_told_before(first, second):
    found = over(first, second)
    assert [f.floors for f in found] == [(5, 7)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # what is promised, supposed or planned has not changed anything
        ("账本在陈渡那里。", "“我一定把账本交到你手里。”林晚说。"),
        ("“我跟陈渡明年办婚礼。”林晚说。", "“我要是嫁给别人，你怎么办？”林晚说。"),
        # one limb is no other, and who sleeps was not unconscious
        ("林晚的左腿上绑着两块木板。", "林晚的手不疼了。"),
        ("林晚的左腿上绑着两块木板。", "林晚醒了过来。"),
        ("Mara's arm is in a sling.", "Mara wakes up."),
        # who rises keeps their work
        ("“我是急诊科的护士。”林晚说。", "林晚已是金丹初期。"),
        # said in passing: it ends nothing by itself
        ("“我在城西租了间小屋。”林晚说。", "林晚的床铺就在窗边。"),
    ],
)
def test_what_changes_nothing_ends_nothing(first, second):
    assert over(first, second) == []


def test_what_is_promised_is_not_so_yet():
    told = [*ZH, ("旁白", "“玉佩由我保管。”林晚说，“待事情查明，我亲手把它还你。”")]
    told += [("顾行", "我点头。"), ("旁白", "林晚把玉佩交到陈渡手里。")]
    found = [f for f in read_all(told, "顾行")[1] if f.kind == "superseded"]
    assert [f.quotes[0].text for f in found] == ["玉佩由我保管。"]


def test_of_a_thing_that_changes_hands_one_finding_tells():
    old, new = "林晚把玉佩收回袖中。", "林晚取出玉佩，放进陈渡手里。"
    found = over(old, new)
    assert [f.quotes[0].text for f in found] == [old]


def test_what_is_agreed_to_owns_nothing():
    told = [*ZH, ("旁白", "“我没见过他。”陈渡说。"), ("顾行", "嗯。")]
    told += [("旁白", "“没错，他是我从小到大的朋友。”陈渡说。")]
    assert not [f for f in read_all(told, "顾行")[1] if f.kind == "lie"]


def test_a_wish_behind_a_fact_does_not_unsay_it():
    first = '"I keep the map in the clock, and I\'d be grateful if you told nobody," Mara says.'
    assert over(first, '"I\'ve moved it. The map is under the hearth," says Mara.')


def test_a_thing_that_something_happens_to_is_no_person():
    told = [*ZH, ("旁白", "钥匙又响起来。林晚抬头。"), ("旁白", "钥匙从不离身，陈渡把它别在腰上。")]
    told.append(("旁白", "“钥匙在我这儿。”陈渡说。"))
    told.append(("旁白", "林晚把钥匙挂回了他的腰上。钥匙却没有再响。"))
    read = read_all(told, "顾行")[0]
    assert all(c.about != "钥匙" or c.facet in ("owner", "place") for r in read for c in r.facts)


@pytest.mark.parametrize(
    ("vow", "later", "status"),
    [
        ("“缸我替你挑满，一口都不会少。”林晚说。", "林晚把最后一口缸挑满了。", "kept"),
        ("“中秋之前，我一定把五万块还给你。”林晚说。", "中秋到了。没有人提那五万块。", "broken"),
        (
            '"I\'ll speak to the governors on Friday about the post," Mara says.',
            "On Friday the governors clap. Mara speaks of the post.",
            "kept",
        ),
        (
            '"I\'ll go to the pawnshop with you on Saturday," Mara says.',
            "On Saturday it rains.",
            "open",
        ),
    ],
)
def test_what_became_of_a_promise_that_is_due(vow, later, status):
    before, player = (EN, "Jon") if vow.isascii() else (ZH, "顾行")
    told = [*before, (before[0][0], vow), (player, before[3][1]), (before[0][0], later)]
    promises = [f for f in read_all(told, player)[1] if f.kind == "promise"]
    assert [f.status for f in promises] == [status]


def test_what_takes_place_again_and_again_is_not_moved():
    assert not over(
        "每晚九点，罗远都会来这里转一圈。", "座钟修好了，从十一点接着往前走，转了一圈。"
    )


def test_a_part_of_somebody_is_no_thing_in_a_place():
    assert not over("林晚把手掌贴在冰凉的玻璃上。", "陈渡把手掌贴在冰冷的铁上。")


def test_the_bundled_story_has_no_finding_that_is_none():
    told = [(message.name, message.text) for message in story()]
    found = {(f.kind, f.floors[0]) for f in read_all(told, "旅人")[1]}
    right = {("promise", 17), ("promise", 36), ("promise", 75)}
    right |= {("superseded", 58), ("superseded", 59)}
    assert found == right


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Mara has hired on as a guard.", "On the flour sacks Mara hears a spoon being swung."),
        ('"You are a guard now, Mara," says Eli.', '"On the flour sacks you hear it," says Eli.'),
        ("Mara sleeps under the salt wagon.", '"She kicks me, twice," says Mara.'),
        ("Mara is well again.", "Mara waits on the pier, green with cold."),
        (
            '"In March it is three years," says Eli.',
            "Eli was nervous since Tuesday, a changed man.",
        ),
        ("林晚住在机房隔壁的工具间。", "录音里讲得清清楚楚，北山那些人在雾里熬了两天才断气。"),
    ],
)
def test_what_only_sounds_like_an_end_ends_nothing(first, second):
    assert over(first, second) == []
