"""Ways of leaving and of whispering, and conditions on who may know."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engram_desktop.domain.knowledge.knowing import heard_text
from engram_desktop.domain.knowledge.narrated import VoicedMessage, narrated_perceptions
from engram_desktop.domain.knowledge.parts import private_parts
from engram_desktop.domain.knowledge.presence import perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of
from engram_desktop.domain.state.condition import MAX_CHARS, evaluate, facts_of

# The many ways in which people go, or a scene ends, and who is then no longer there.
#
# Three are there and speak; after that comes what is written here, and at the last line those
# named are not there any more. The last of each language are no leaving: nobody is lost, nobody
# is made up.

ZH = Cast((Member("林小雨"), Member("陈默"), Member("赵雪"), Member("老周")), "阿远", is_group=True)
EN = Cast(
    (Member("Anna"), Member("Bert"), Member("Clara"), Member("Dr. Voss")), "Sam", is_group=True
)
BEFORE = {
    ZH: ("陈默: “早。”", "林小雨: “早。”", "赵雪: “早啊。”"),
    EN: ("Bert: Morning.", "Anna: Hey.", "Clara: Hi all."),
}
WAYS: list[tuple[Cast, tuple[str, ...], list[str]]] = [
    (ZH, ("陈默: “我去一下洗手间。”", "林小雨: “保险柜的事，别让他知道。”"), ["陈默"]),
    (ZH, ("陈默: “稍等，我出去接个电话。”*他走到门外。*", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("陈默: *被护士叫走了。*", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("旁白: 陈默起身告辞。", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("旁白: 陈默和赵雪先后离开了教室。", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("旁白: 众人散去，屋里只剩下林小雨。", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *把陈默支开后，*“听我说。”",), ["陈默"]),
    (ZH, ("旁白: 【教室·放学后】", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("旁白: 第三幕 医院", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("旁白: （三天后，医院）", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("林小雨: （画面一转，天台上）“听我说。”",), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *晚上，宿舍里，她躺在床上翻来覆去。*",), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *放学后，她一个人去了天台。*“听我说。”",), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *她跑出教室，一路跑到天台。*“听我说。”",), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *回到家，她把门反锁。*“听我说。”",), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *等他们都走了，她才开口。*“听我说。”",), ["赵雪", "陈默"]),
    (ZH, ("林小雨: *目送陈默走远，*“听我说。”",), ["陈默"]),
    (ZH, ("林小雨: *陈默走后，*“听我说。”",), ["陈默"]),
    (ZH, ("林小雨: *陈默睡着了。*“听我说。”",), ["陈默"]),
    (ZH, ("林小雨: *陈默戴上耳机，什么也听不见。*“听我说。”",), ["陈默"]),
    (ZH, ("旁白: * * *", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("旁白: ……一个月后……", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (ZH, ("旁白: 傍晚六点，图书馆。", "林小雨: “听我说。”"), ["赵雪", "陈默"]),
    (
        ZH,
        ("旁白: 周末，林小雨约了老周见面。", "林小雨: “听我说。”", "老周: “好。”"),
        ["赵雪", "陈默"],
    ),
    (ZH, ("旁白: 林小雨把赵雪拉到走廊上。", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("林小雨: *她示意赵雪跟她出来，两人站在楼梯间。*“听我说。”",), ["陈默"]),
    (ZH, ("陈默: *他摔门而去。*", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("陈默: *头也不回地走了出去。*", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("陈默: “那我先撤了，你们聊。”", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("陈默: “拜拜，明天见。”", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("陈默: （下线）", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("陈默: *他上车，车子消失在雨里。*", "林小雨: “听我说。”"), ["陈默"]),
    (ZH, ("林小雨: “老周要是在就好了。”",), ["老周"]),
    (ZH, ("林小雨: “老周，你在天之灵保佑我们。”",), []),
    (ZH, ("林小雨: *她看着老周的照片。*",), ["老周"]),
    (ZH, ("林小雨: *老周当年坐在这把椅子上。*",), ["老周"]),
    (ZH, ("林小雨: *老周此刻正在千里之外。*",), ["老周"]),
    (ZH, ("林小雨: *门开了，老周走了进来。*“你来了。”",), []),
    (EN, ("Bert: *exits*", "Anna: Listen."), ["Bert"]),
    (EN, ("Bert: brb, bathroom.", "Anna: Listen."), ["Bert"]),
    (EN, ("Bert: I'll be right back.", "Anna: Listen."), ["Bert"]),
    (EN, ("Bert: *He storms out and slams the door.*", "Anna: Listen."), ["Bert"]),
    (EN, ("Narrator: Bert is called away by a nurse.", "Anna: Listen."), ["Bert"]),
    (EN, ("Narrator: Bert and Clara leave together.", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Narrator: [Three days later - the hospital]", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Narrator: Later, at the mansion.", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Anna: *Back in her room, she sits on the bed.* Listen.",), ["Bert", "Clara"]),
    (EN, ("Anna: *Once they have all gone, she sighs.* Listen.",), ["Bert", "Clara"]),
    (EN, ("Anna: *She waits until Bert is out of the room.* Listen.",), ["Bert"]),
    (EN, ("Anna: *Bert has fallen asleep on the couch.* Listen.",), ["Bert"]),
    (EN, ("Anna: *She takes Clara outside.* Listen.",), ["Bert"]),
    (EN, ("Anna: *She follows Clara out to the porch.* Listen.",), ["Bert"]),
    (EN, ("Narrator: Time skip: one week.", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Narrator: * * *", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Narrator: Scene 2. The roof.", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Narrator: Anna is smoking by herself.", "Anna: Listen."), ["Bert", "Clara"]),
    (EN, ("Anna: I wish Dr. Voss were here.",), ["Dr. Voss"]),
    (EN, ("Anna: *Dr. Voss enters without knocking.* Doctor!",), []),
    (EN, ("Clara: Good night, everyone. *She heads upstairs.*", "Anna: Listen."), ["Clara"]),
    (EN, ("Clara: *Her footsteps fade down the stairs.*", "Anna: Listen."), ["Clara"]),
    (EN, ("Clara: *drives off*", "Anna: Listen."), ["Clara"]),
    (EN, ("Anna: *She closes the door behind Bert.* Listen.",), ["Bert"]),
    (EN, ("Anna: *She is alone now.* Listen.",), ["Bert", "Clara"]),
]


@pytest.mark.parametrize(("cast", "lines", "absent"), WAYS)
def test_who_has_gone_is_not_there(cast, lines, absent):
    pairs = [line.split(": ", 1) for line in (*BEFORE[cast], *lines)]
    messages = [SimpleNamespace(name=name, text=text, role="assistant") for name, text in pairs]
    there = {some.name for some in perceive(messages, cast)[-1].audience}
    assert messages[-1].name in there
    assert not there & set(absent)


PLAYER_ZH = ("阿远: “早。”", "林小雨: “早。”", "陈默: “早。”")
PLAYER_EN = ("Sam: Morning.", "Anna: Hey.", "Bert: Hi.")
WITHOUT_PLAYER = [
    (ZH, (*PLAYER_ZH, "林小雨: *你走后，她把门反锁。*“听我说。”")),
    (ZH, (*PLAYER_ZH, "林小雨: *等你睡着了，她才开口。*“听我说。”")),
    (ZH, (*PLAYER_ZH, "林小雨: *她望着你离去的背影。*“听我说。”")),
    (ZH, (*PLAYER_ZH, "阿远: *我转身回房睡觉。*", "林小雨: “听我说。”")),
    (ZH, (*PLAYER_ZH, "阿远: 我先睡了，晚安。", "林小雨: “听我说。”")),
    (EN, (*PLAYER_EN, "Anna: *After you leave, she bolts the door.* Listen.")),
    (EN, (*PLAYER_EN, "Anna: *While you sleep, she turns to Bert.* Listen.")),
    (EN, (*PLAYER_EN, "Sam: I head to bed.", "Anna: Listen.")),
    (
        Cast((Member("林小雨"),), "阿远"),
        (*PLAYER_ZH[:2], "林小雨: *你走后，她把门反锁。*“听我说。”"),
    ),
    (Cast((Member("Anna"),), "Sam"), (*PLAYER_EN[:2], "Anna: *Once you are gone, she waits.*")),
]


@pytest.mark.parametrize(("cast", "lines"), WITHOUT_PLAYER)
def test_the_player_may_be_away_too(cast, lines):
    pairs = [line.split(": ", 1) for line in lines]
    messages = [
        SimpleNamespace(name=name, text=text, role="user" if name == cast.player else "assistant")
        for name, text in pairs
    ]
    assert cast.player not in {some.name for some in perceive(messages, cast)[-1].audience}


@pytest.mark.parametrize("text", ["*她笑着看你。*“早。”", "*她一个人忙活，时不时回头看你。*“早。”"])
def test_who_is_looked_at_is_there(text):
    message = SimpleNamespace(name="林小雨", text=text, role="assistant")
    (perception,) = perceive([message], Cast((Member("林小雨"),), "阿远"))
    assert {some.name for some in perception.audience} == {"林小雨", "阿远"}


# The many ways in which people write that something is not for everybody, and what only looks so.
#
# “The safe is under the flower pot”, in each of them.

NAMES = names_of(
    Cast(
        (
            Member("林小雨", ("小雨",)),
            Member("陈默"),
            Member("赵雪"),
            Member("Anna"),
            Member("Bert"),
            Member("Clara"),
        ),
        "阿远",
        is_group=True,
    )
)
KEYS = ("保险柜", "safe")


def tells(text):
    return any(key in text for key in KEYS)


PRIVATE = [
    ("林小雨", "（凑近陈默）保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "（小声对陈默）保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "(悄声)陈默，保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "【私聊 陈默】保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "*贴近陈默的耳朵* 保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "*用手掩着嘴，对陈默说* 保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "她把嘴唇凑到陈默的耳边，轻轻吐出几个字：“保险柜在花盆下面。”", {"林小雨", "陈默"}),
    ("林小雨", "她偷偷塞给陈默一张纸条，上面写着：保险柜在花盆下面。", {"林小雨", "陈默"}),
    ("林小雨", "内心独白：保险柜在花盆下面。", {"林小雨"}),
    ("林小雨", "【心声】保险柜在花盆下面。", {"林小雨"}),
    ("林小雨", "『保险柜在花盆下面……』她在心里默念。", {"林小雨"}),
    ("林小雨", "*心里：保险柜在花盆下面* 早。", {"林小雨"}),
    ("林小雨", "（OS：保险柜在花盆下面）早。", {"林小雨"}),
    ("林小雨", "她写下日记：今天把保险柜的钥匙藏在了花盆下面。", {"林小雨"}),
    ("林小雨", "她想起昨晚藏在保险柜里的东西，手心出汗。“早。”", {"林小雨"}),
    ("林小雨", "“早。”她嘴上这么说，心里却在盘算保险柜的密码。", {"林小雨"}),
    ("林小雨", "没有人知道，保险柜在花盆下面。“早。”", {"林小雨"}),
    ("林小雨", "她拨通了陈默的号码。“喂，保险柜在花盆下面。”", {"林小雨", "陈默"}),
    ("林小雨", "“保险柜在花盆下面。”她对陈默耳语道。", {"林小雨", "陈默"}),
    (
        "林小雨",
        "她瞥了一眼赵雪，确定她没在听，才对陈默低语：“保险柜在花盆下面。”",
        {"林小雨", "陈默"},
    ),
    ("林小雨", "她以几不可闻的声音对陈默说：“保险柜在花盆下面。”", {"林小雨", "陈默"}),
    ("林小雨", "她拉着陈默走到阳台，关上门。“保险柜在花盆下面。”", {"林小雨", "陈默"}),
    ("阿远", "（给赵雪发消息：保险柜在花盆下面）", {"赵雪", "阿远"}),
    ("阿远", "我在微信上跟赵雪说：保险柜在花盆下面。", {"赵雪", "阿远"}),
    ("阿远", "我心里一沉：保险柜的钥匙不见了。", {"阿远"}),
    ("阿远", "我暗自发誓，绝不说出保险柜的事。", {"阿远"}),
    ("阿远", "我打开她留给我的信：“保险柜在花盆下面。”", {"阿远"}),
    ("Anna", "(whispering to Bert) The safe is under the pot.", {"Anna", "Bert"}),
    ("Anna", "*whispers to Bert* The safe is under the pot.", {"Anna", "Bert"}),
    ("Anna", "*leans over to Bert, voice low* The safe is under the pot.", {"Anna", "Bert"}),
    ("Anna", "[to Bert only] The safe is under the pot.", {"Anna", "Bert"}),
    ("Anna", '*quietly, to Bert* "The safe is under the pot."', {"Anna", "Bert"}),
    ("Anna", "Anna slides a note across to Bert: The safe is under the pot.", {"Anna", "Bert"}),
    ("Anna", '*The safe is under the pot, and nobody must know,* she thinks. "Morning!"', {"Anna"}),
    ("Anna", "*Anna's thoughts: the safe is under the pot.* Morning!", {"Anna"}),
    ("Anna", "(Thought: the safe is under the pot.) Morning!", {"Anna"}),
    ("Anna", 'She keeps it to herself that the safe is under the pot. "Morning!"', {"Anna"}),
    ("Anna", "Anna wrote in her diary: the safe is under the pot.", {"Anna"}),
    ("Anna", 'She cups a hand to Bert\'s ear. "The safe is under the pot."', {"Anna", "Bert"}),
    ("Anna", '"Morning." But inwardly she was counting: the safe, the pot, the key.', {"Anna"}),
    ("Anna", 'I know where the key to the safe is, Anna thought. "Morning."', {"Anna"}),
    ("Anna", '*opens the envelope* "The safe is under the pot," it says.', {"Anna"}),
    ("Anna", 'Anna calls Bert on the phone. "The safe is under the pot."', {"Anna", "Bert"}),
    ("Anna", 'Anna draws Bert into a corner. "The safe is under the pot."', {"Anna", "Bert"}),
    ("Anna", "'The safe is under the pot,' she told herself.", {"Anna"}),
    ("Anna", '_The safe is under the pot. I must not say so._ "Morning!"', {"Anna"}),
    ("Anna", "She mouths to Bert: the safe.", {"Anna", "Bert"}),
]


@pytest.mark.parametrize(("speaker", "text", "audience"), PRIVATE)
def test_it_is_heard_by_those_alone(speaker, text, audience):
    parts = private_parts(text, speaker, NAMES)
    assert not tells(heard_text(text, parts))
    telling = [part for part in parts if tells(text[part.start : part.end])]
    assert {some.name for part in telling for some in part.audience} == audience


OPEN = [
    ("林小雨", "“保险柜在花盆下面。”她说。"),
    ("林小雨", "她轻声说：“保险柜在花盆下面。”"),
    ("林小雨", "“我想保险柜在花盆下面。”"),
    ("林小雨", "我觉得保险柜的钥匙应该在花盆下面吧？"),
    ("林小雨", "她一边想着，一边说：“保险柜在花盆下面。”"),
    ("林小雨", "“你的消息我看到了，保险柜在花盆下面。”"),
    ("Anna", '"I think the safe is under the pot," she says.'),
    ("Anna", 'She says softly, "The safe is under the pot."'),
    ("Anna", "I think the safe is under the pot."),
    ("Anna", "She notes that the safe is open."),
]


@pytest.mark.parametrize(("speaker", "text"), OPEN)
def test_it_is_heard_by_all(speaker, text):
    assert tells(heard_text(text, private_parts(text, speaker, NAMES)))


# Conditions on the state: Chinese names, forgiving signs, and never more than an answer.

STATE = {
    "爱丽丝": {"好感度": [93, "喜爱"], "心情": "开心"},
    "旅人": {"物品": ["铜钥匙", "灯", "伞"], "金币": 20.5},
    "affinity": {"alice": 91},
    "$meta": {"x": 1},
}
FACTS = facts_of(STATE, actor="凯尔", owner="爱丽丝", participants=["凯尔", "旅人"], floor=7)


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("爱丽丝.好感度 > 90", True),
        ("爱丽丝.好感度 > 95", False),
        ("爱丽丝.好感度＞90 ＆＆ 旅人.金币 >= 20", True),
        ("affinity.alice > 90", True),
        ("state.爱丽丝.好感度 >= 93", True),
        ('"铜钥匙" in 旅人.物品', True),
        ("“灯” in 旅人.物品", True),
        ("size(旅人.物品) == 3", True),
        ('爱丽丝.心情.contains("开")', True),
        ("爱丽丝.心情 == ‘开心’", True),
        ('旅人.物品.exists(x, x == "信")', False),
        ("actor in participants && owner == “爱丽丝”", True),
        ("actor == owner", False),
        ("floor > 5", True),
        ('"爱丽丝.好感度 > 95" == "x" || true', True),
    ],
)
def test_conditions_are_read_as_they_are_meant(text, holds):
    verdict = evaluate(text, FACTS)
    assert verdict.fault == ""
    assert verdict.holds is holds


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("没有.这个 > 1", "the state holds no 没有"),
        ("nothing > 1", "the state holds no nothing"),
        ("爱丽丝.好感度", "neither true nor false"),
        ("爱丽丝.心情 > 1", "different kinds"),
        ("1 +", "cannot be read"),
        ("", "cannot be read"),
        ("1 / 0 == 1", "cannot be read"),
        ("旅人.物品.all(x, 旅人.物品.all(y, true))", "more than one list"),
        ("x" * (MAX_CHARS + 1), "longer"),
        ("_meta.x == 1", "the state holds no _meta"),
        ("__import__('os').system('true')", ""),
    ],
)
def test_what_cannot_be_evaluated_does_not_hold_and_says_why(text, why):
    verdict = evaluate(text, FACTS)
    assert not verdict.holds
    assert verdict.fault
    assert why in verdict.fault


@given(st.text(st.sampled_from("爱丽丝.a>=<&|!()[]{}'\"“”+-*/%?:, 019in\n\\"), max_size=40))
def test_no_text_raises(text):
    evaluate(text, FACTS)


LONG = facts_of({"list": list(range(5_000)), "rows": {str(n): n for n in range(5_000)}, "a": 1})


@pytest.mark.parametrize(
    "text",
    [
        "list.map(x, list).size() > 0",
        "state.list.map(x, x) == []",
        "list . map(x, list) == list",
        "list.filter(x, x > 1).size() > 0",
        "list.all(x, [list, list].size() > 0)",
        "list.all(x, (list + list).size() > 0)",
        "rows.all(k, rows[k] >= 0)",
        'rows.all(k, state["rows"][k] >= 0)',
        "(list + list).exists(x, list == [x])",
        "list.exists(x, x in list)",
        """list.all(x, ')' != '(' && [list, list].size() > 0)""",
        r"""r"\" == list.map(x, list) || " """,
    ],
)
def test_what_would_take_long_is_refused_in_words(text):
    verdict = evaluate(text, LONG)
    assert not verdict.holds
    assert "too long" in str(verdict.fault) or "makes a list" in str(verdict.fault)


@pytest.mark.parametrize(
    "text",
    [
        "list.all(x, x >= 0)",
        "list.exists(x, x == 4999)",
        "list.all(x, state.a > 0)",
        'list.all(x, state["a"] > 0 && floor == 0)',
        "list == list && list.size() == 5000 && 77 in list",
        'rows["7"] == 7',
        "[3, 4].filter(x, x > 3).size() == 1",
        "rows.exists(k, k == '4')",
        "list.all(x, x >= 0) && list.size() == 5000 && ')' != '('",
    ],
)
def test_what_is_quick_over_long_lists_is_evaluated(text):
    assert evaluate(text, LONG).fault == ""
    assert evaluate(text, LONG).holds


# Who was there between two floors on which they were, where somebody left and nobody is named.


def there_at(floor, cast, *lines):
    pairs = [line.split(": ", 1) for line in lines]
    messages = [
        SimpleNamespace(name=name, text=text, role="user" if name == cast.player else "assistant")
        for name, text in pairs
    ]
    return {some.name for some in perceive(messages, cast)[floor].audience}


BETWEEN: list[tuple[Cast, int, tuple[str, ...], set[str]]] = [
    (  # who is there before and after stayed; who is not seen again is who went
        ZH, 4,
        ("林小雨: “早。”", "阿远: “早。”", "陈默: “早。”", "阿远: “嗯。”",
         "林小雨: *门合上之后，她没有动。*“钥匙在井里。”", "阿远: “说吧。”"),
        {"林小雨", "阿远"},
    ),
    (
        EN, 4,
        ("Anna: Morning.", "Sam: Morning.", "Bert: Hi.", "Sam: Well?",
         'Anna: *The door closes behind.* "The key is in the well."', 'Sam: "Go on."'),
        {"Anna", "Sam"},
    ),
    (  # all are seen again: nobody can tell who went
        ZH, 3,
        ("林小雨: “早。”", "阿远: “早。”", "陈默: “早。”",
         "林小雨: *门合上之后，她没有动。*“钥匙在井里。”", "阿远: “嗯。”", "陈默: “我在听。”"),
        {"林小雨"},
    ),
    (  # somebody comes back: they were gone
        ZH, 3,
        ("林小雨: “早。”", "阿远: “早。”", "陈默: “早。”",
         "林小雨: *门合上之后，她没有动。*“钥匙在井里。”", "阿远: *我推门进来。*“说什么呢？”"),
        {"林小雨"},
    ),
    (  # who says that they go is gone, though they speak again
        ZH, 2,
        ("林小雨: “早。”", "陈默: “我先走了。”", "林小雨: “钥匙在井里。”", "陈默: “早啊。”"),
        {"林小雨"},
    ),
    (  # another scene
        ZH, 2,
        ("林小雨: “早。”", "陈默: “早。”", "林小雨: *第二天，她独自去了井边。*", "陈默: “早啊。”"),
        {"林小雨"},
    ),
    (  # the player who goes on was there from the beginning of the scene
        ZH, 1,
        ("陈默: “早。”", "林小雨: *第二天，下起了雨。*“带伞了吗？”", "阿远: “没有。”"),
        {"林小雨", "阿远"},
    ),
    (
        ZH, 1,
        ("陈默: “早。”", "林小雨: *与此同时，井边。*“钥匙在这里。”", "阿远: “没有。”"),
        {"林小雨"},
    ),
]  # fmt: skip


@pytest.mark.parametrize(("cast", "floor", "lines", "names"), BETWEEN)
def test_who_is_there_before_and_after_was_there_in_between(cast, floor, lines, names):
    assert there_at(floor, cast, *lines) == names


def test_a_whisper_in_between_stays_private():
    lines = ["林小雨: “早。”", "阿远: “早。”", "陈默: “早。”", "阿远: “嗯。”"]
    lines += ["林小雨: *门合上之后，她对赵雪耳语：*“钥匙在井里。”", "阿远: “说吧。”"]
    pairs = [line.split(": ", 1) for line in lines]
    messages = [SimpleNamespace(name=n, text=t, role="assistant") for n, t in pairs]
    perception = perceive(messages, ZH)[4]
    assert "阿远" in {some.name for some in perception.audience}
    (part,) = perception.parts
    assert "阿远" not in {some.name for some in part.audience}


TOLD_EN = Cast(
    (Member("Harbour"),),
    "Wren",
    narrated=(Member("Quill"), Member("Tobias")),
    narrators=frozenset(("Harbour",)),
)


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("*Quill looks at each of you for a long, long time, then goes. Tobias sits.*", {"Tobias"}),
        ("*Tobias hands you a paper. The card says: A. Quill.*", {"Tobias"}),
        ("*The sign reads Quill. Tobias hands it to you.*", {"Tobias"}),
        ("*Quill goes pale. Tobias sits beside you.*", {"Tobias", "Quill"}),
    ],
)
def test_who_goes_is_gone_and_who_is_only_written_of_is_not_there(text, there):
    ((_perception, after),) = narrated_perceptions(
        [VoicedMessage("Harbour", text, "assistant")], TOLD_EN
    )
    assert set(after.names) == there | {"Wren"}


def test_when_somebody_comes_back_who_was_there_may_be_gone():
    messages = [
        VoicedMessage("Harbour", "*Quill tips his hat to you.*", "assistant"),
        VoicedMessage("Wren", "When Tobias comes back I tell him all.", "user"),
        VoicedMessage("Harbour", "*Tobias frowns at you. He hides the letters.*", "assistant"),
    ]
    *_, (perception, _after) = narrated_perceptions(messages, TOLD_EN)
    assert {some.name for some in perception.audience} == {"Tobias", "Wren"}
