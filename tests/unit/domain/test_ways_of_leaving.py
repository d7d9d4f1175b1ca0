"""The many ways in which people go, or a scene ends, and who is then no longer there.

Three are there and speak; after that comes what is written here, and at the last line those named
are not there any more. The last of each language are no leaving: nobody is lost, nobody is made up.
"""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from engram_desktop.domain.knowledge.presence import perceive
from engram_desktop.domain.knowledge.thoughts import Cast, Member

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
    (
        EN,
        ("Narrator: Anna is smoking by herself.", "Anna: Listen."),
        ["Bert", "Clara"],
    ),
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
