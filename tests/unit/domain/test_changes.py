"""What a later sentence ends: homes, work, hurts, bonds, and who has a thing."""

from __future__ import annotations

import pytest

from benchmarks.findings import read_all

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
    ("林晚的房间在三楼尽头，推窗能看见湖。", "第二天，林晚把行李搬到了一楼的客房，住进去了。"),
    ("林晚睡在阁楼上。", "林晚拎着箱子，住进了陆家的老宅。"),
    ("“我是急诊科的护士。”林晚说。", "林晚被医院辞退了。"),
    ("“我叫林晚，见习魔法师。”林晚说。", "林晚被任命为高阶法师。"),
    ("林晚的左腿上绑着两块木板。", "林晚腿上的木板已经拆掉了。"),
    ("“我脚崴了，走不动。”林晚说。", "“不疼了。”林晚蹦了两下。"),
    ("林晚昏迷不醒。", "林晚终于醒了。"),
    ("林晚是哑巴。", "“我能说话了。”林晚说。"),
    ("“我跟陈渡明年办婚礼。”林晚说。", "林晚从手上摘下那枚戒指，放在桌上。"),
    ("“陈渡是我未婚夫。”林晚说。", "“婚不结了。”陈渡对林晚说。"),
    ("那把青霜剑一直背在林晚身上。", "林晚解下青霜剑，双手递给陈渡。"),
    ("账本在陈渡那里。", "账本烧了。"),
    ("城里的粮食还够吃十天。", "城里的粮食只够吃三天了。"),
    ("婚礼定在三月初八。", "婚礼推迟到了五月。"),
    ("林晚才练气三层。", "雷劫散去，林晚睁开眼睛，已是金丹初期。"),
    ("陈渡住在北营的帐篷里。", "陈渡战死了。"),
    ("Mara's apartment is on the fifth floor.", "Mara lives on a houseboat these days."),
    ("Mara sleeps on the sofa in the office.", "Mara finally has her own apartment."),
    ('"I am Mara, first mate," says Mara.', '"You are captain now, Mara," Eli says.'),
    ("Mara's arm is in a sling.", "Mara's arm is out of the sling at last."),
    ('"I twisted my ankle," says Mara.', '"My ankle\'s fine now," says Mara, and jumps.'),
    ("Mara lies unconscious in the infirmary.", "Mara wakes up."),
    ('"Eli and I are getting married in May," says Mara.', "Mara pulls the ring off."),
    ("The silver locket hangs around Mara's neck.", "The locket was stolen."),
    ("The ship is docked at Pier Nine.", "They have moved the ship to the orbital yard."),
    ('"We\'ve got food for ten days," says Mara.', '"We\'ve got food for three days," says Mara.'),
    ("The wedding is set for June.", "The wedding has been put off until October."),
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
