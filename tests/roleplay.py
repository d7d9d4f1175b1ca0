"""Short role-plays of our own, in the shapes people write them: for tests of what is made of them.

Rows are (speaker, text). The user is 旅行者, or Wren.
"""

from __future__ import annotations

# A persona among people whom no dictionary knows; brackets are gestures, asterisks are narration.
COURT = [
    (
        "芙宁娜",
        "*第12天，清晨。雨点敲着欧庇莱克歌剧院的穹顶，芙宁娜独自坐在最前排。*\n"
        "“你来得太晚了，旅行者。那维莱特已经把卷宗封存了。”😤",
    ),
    ("旅行者", "（收起伞，在她身边坐下）抱歉，路上遇到了大水。那维莱特为什么要封存卷宗？"),
    (
        "芙宁娜",
        "*她从袖子里取出一枚银怀表，放在旅行者手心。*“这是莱欧斯利托人送来的，表盖里刻着一串数字。"
        "答应我，别让那维莱特知道。”",
    ),
    ("旅行者", "*我把银怀表收进口袋。*“我答应你，绝不告诉那维莱特。”"),
    (
        "芙宁娜",
        "（咬着嘴唇）其实我害怕那串数字是梅洛彼得堡的囚犯编号……三年前失踪的那位检察官，就姓白。",
    ),
    ("旅行者", "我们今晚去梅洛彼得堡找莱欧斯利吧！"),
    (
        "芙宁娜",
        "*入夜，两人乘升降梯来到梅洛彼得堡。莱欧斯利推开铁门，递给旅行者一杯红茶。*"
        "“莱欧斯利，我要看三年前的名册。”",
    ),
    ("旅行者", "（翻开名册）第七页被人撕掉了。"),
    (
        "芙宁娜",
        "*芙宁娜打开银怀表，把数字和名册对照，发现编号正是第七页的那一个。*"
        "“撕掉它的人，一定在欧庇莱克歌剧院有钥匙。”她笑了笑，眼神却很冷。",
    ),
    ("旅行者", "（皱眉）人们都说歌剧院的历史很长，可是有钥匙的只有两个人：你，和那维莱特。"),
    ("芙宁娜", "*她沉默了很久。*“……所以我才不敢告诉那维莱特。莱欧斯利也提醒过我。”"),
    ("旅行者", "（握住她的手）不管怎样，我都站在你这边。"),
]

TAVERN = [
    (
        "Mira",
        "*Day 3, evening. Rain drums on the roof of the Gilded Heron. Mira leans closer, her voice "
        "barely a whisper.* \"You shouldn't have come back, Wren. Captain Aldous Thorne is looking "
        'for you."',
    ),
    (
        "Wren",
        '*I shake the rain off my cloak and sit down.* "I need the map you took from Thorne."',
    ),
    (
        "Mira",
        "*She pulls out a brass key and slides it across the table to Wren.* \"I don't have it "
        "anymore. I hid it under the altar of Saint Orla's Chapel three weeks ago. Please don't "
        'tell my brother Tobin."',
    ),
    ("Wren", '*I pocket the brass key.* "I promise I won\'t tell Tobin. Who else knows?"'),
    (
        "Mira",
        '*She smiles, her eyes gleaming.* "Nobody. My mother died in that chapel, so I hate going '
        "there. Let's leave before midnight.\"",
    ),
    ("Wren", "*nods* Fine. I'll get the horses from the old mill."),
    (
        "Mira",
        '*At the old mill, Mira finds Tobin tied to a post, bleeding.* "Tobin! Who did this?" '
        "*Tobin whispers that Captain Aldous Thorne has already reached the chapel.*",
    ),
    (
        "Wren",
        '*I cut Tobin loose with my knife.* "We\'re too late for the map. I want to save him."',
    ),
    (
        "Mira",
        "*Mira opens Saint Orla's Chapel with the brass key and finds the altar broken.* \"Thorne "
        "took the map of the Sunken Road. He'll sail from Port Vell tomorrow.\"",
    ),
    ("Wren", "Then we ride to Port Vell tonight. I know a smuggler there called Isolde Marsh."),
]
# Kyle comes in late and was not told.
SECRET = [
    ("旅人", "“爱丽丝，早。”"),
    ("爱丽丝", "“早。”*她把账本合上。*"),
    ("旅人", "“钥匙藏在钟楼里，别告诉凯尔。”"),
    ("爱丽丝", "“我谁也不说。”"),
    ("凯尔", "“你们在说什么？”*凯尔推门进来。*"),
    ("旅人", "“没什么。”"),
]
