"""The many ways in which people write that something is not for everybody, and what only looks so.

“The safe is under the flower pot”, in each of them.
"""

from __future__ import annotations

import pytest

from engram_desktop.domain.knowledge.knowing import heard_text
from engram_desktop.domain.knowledge.parts import private_parts
from engram_desktop.domain.knowledge.thoughts import Cast, Member, names_of

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
    (
        "林小雨",
        "她把嘴唇凑到陈默的耳边，轻轻吐出几个字：“保险柜在花盆下面。”",
        {"林小雨", "陈默"},
    ),
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
    (
        "Anna",
        "*leans over to Bert, voice low* The safe is under the pot.",
        {"Anna", "Bert"},
    ),
    ("Anna", "[to Bert only] The safe is under the pot.", {"Anna", "Bert"}),
    ("Anna", '*quietly, to Bert* "The safe is under the pot."', {"Anna", "Bert"}),
    (
        "Anna",
        "Anna slides a note across to Bert: The safe is under the pot.",
        {"Anna", "Bert"},
    ),
    (
        "Anna",
        '*The safe is under the pot, and nobody must know,* she thinks. "Morning!"',
        {"Anna"},
    ),
    ("Anna", "*Anna's thoughts: the safe is under the pot.* Morning!", {"Anna"}),
    ("Anna", "(Thought: the safe is under the pot.) Morning!", {"Anna"}),
    (
        "Anna",
        'She keeps it to herself that the safe is under the pot. "Morning!"',
        {"Anna"},
    ),
    ("Anna", "Anna wrote in her diary: the safe is under the pot.", {"Anna"}),
    (
        "Anna",
        'She cups a hand to Bert\'s ear. "The safe is under the pot."',
        {"Anna", "Bert"},
    ),
    ("Anna", '"Morning." But inwardly she was counting: the safe, the pot, the key.', {"Anna"}),
    ("Anna", 'I know where the key to the safe is, Anna thought. "Morning."', {"Anna"}),
    ("Anna", '*opens the envelope* "The safe is under the pot," it says.', {"Anna"}),
    (
        "Anna",
        'Anna calls Bert on the phone. "The safe is under the pot."',
        {"Anna", "Bert"},
    ),
    (
        "Anna",
        'Anna draws Bert into a corner. "The safe is under the pot."',
        {"Anna", "Bert"},
    ),
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
