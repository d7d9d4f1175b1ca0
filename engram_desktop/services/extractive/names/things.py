"""Things that matter to a story: what is taken, given, hidden or opened again and again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engram_desktop.services.extractive.names.names_zh import is_place
from engram_desktop.services.extractive.words.cutting import Word

_TAKEN = frozenset(
    """
    把 将 拿 拿出 拿起 取出 掏出 摸出 拔出 抽出 递 递给 递过 交给 送 送给 还给 借给 买 买下 买了
    偷 偷出 捡 捡起 举起 揣 揣进 接过 拨弄 翻 缝 捧 捧着 握 握着 握住 攥 攥着 戴 戴上 戴着 藏 藏着
    收起 放下 打开 翻开 拆开 丢 弄丢 找到 保管 修好
    """.split()
)
_BETWEEN = ("u", "m", "q", "r", "a", "b", "x")  # 着, 一把, 那, 旧 …
_NOT_THINGS = frozenset(
    """
    手 头 脸 眼睛 目光 声音 身体 身子 肩膀 嘴 嘴唇 嘴巴 头发 衣服 衣角 门 房门 大门 窗 窗子 窗户
    椅子 杯子 手指 手臂 手掌 手心 掌心 视线 眉毛 眉头 嗓子 心情 问题 话 事情 时间 机会 表情 呼吸
    脚步 眼泪 脑袋 指尖 手腕 胳膊 下巴 脸颊 额头 耳朵 鼻子 腰 腿 脚 膝盖 胸口 怀里 心 心里 人 孩子
    女孩 男人 女人 姑娘 少年 老人 钱 东西 位置 门口 方式 方法 回家 办法 机器 距离 注意力 注意 情绪
    关系 感情 想法 心意 工作 生活 世界 力气 力量 感觉 味道 气氛 气息 身影 背影 影子 灯 灯光
    """.split()
)
_NO_THING_ENDS = (*"们史性感度力心情事话声色气面人者家手脸眼头身", *_NOT_THINGS)
_REACH = 4  # words from a verb to its thing: 把 那 一把 旧 钥匙


def handled(words: Sequence[Word]) -> Iterator[str]:
    """Yield what a Chinese text says is taken or given: 把铜钥匙放进."""
    for at, word in enumerate(words):
        if word.text not in _TAKEN:
            continue
        for place in range(at + 1, min(at + 1 + _REACH, len(words))):
            if words[place].tag in {"n", "nz"}:
                name = _whole(words, place)
                is_thing = name not in _NOT_THINGS and not name.endswith(_NO_THING_ENDS)
                if is_thing and not is_place(words[place]) and 2 <= len(name) <= 6:
                    yield name
                break
            if not words[place].tag.startswith(_BETWEEN) or words[place].text in "，。！？；":
                break


def _whole(words: Sequence[Word], at: int) -> str:
    """Join the noun at ``at`` with the one that follows it: 铜 + 钥匙."""
    after = words[at + 1] if at + 1 < len(words) else None
    if after is not None and after.tag in {"n", "nz"} and len(after.text) <= 3:
        return words[at].text + after.text
    before = words[at - 1] if at else None
    if before is not None and before.tag in {"a", "b", "n"} and len(before.text) == 1:
        return before.text + words[at].text
    return words[at].text
