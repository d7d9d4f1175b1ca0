"""What a Chinese name looks like: a surname, one or two characters behind it, and no word.

Many characters that make up names are words, too (月, 明, 心, 年, 言). What a dictionary knows as a
word is not taken for a name, and what no name is written with (的, 我, 说) is never in one.
"""

from __future__ import annotations

from functools import lru_cache

# Surnames of people and of stories, the commonest first.
SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜叶程苏"
    "魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦傅方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎贺顾毛郝龚"
    "邵万钱严覃武戴莫孔向汤常温康施文牛樊葛邢安齐易乔伍庞颜倪庄聂章鲁岳翟殷詹申欧耿关兰焦俞左柳"
    "甘祝包宁尚符舒阮柯纪梅童凌毕单季裴霍涂成苗谷盛曲翁冉骆蓝路游辛靳管柴蒙鲍华喻祁蒲房滕屈饶解"
    "牟艾尤阳时穆农司卓古吉缪简车项连芦麦褚娄窦戚岑景党宫费卜冷晏席卫米柏宗瞿桂全佟应臧闵苟邬边"
    "卞姬师和仇栾隋商刁沙荣巫寇桑郎甄丛仲虞敖巩明佘池查麻苑迟邝封谈匡鞠惠荆乐冀郁胥南班储原栗"
    "燕楚鄢劳谌奚冼蔺楼盘闻位厉伊仝区郜海阚花权屠朴盖廉禹井漆巴丰卿国狄平计索"
    "宣晋初云容敬来扈晁芮普阙浦戈伏鹿薄邸雍辜羊阿乌母裘亓修邰赫杭宿鲜印逯隆茹诺慕危"
    "玉银亢嵇公哈湛宾戎勾茅利於呼揭干尉冶斯元束檀衣阴昝智幸奉植衡富尧墨洛君风秋沐言"
)
_COMPOUND = frozenset(
    "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 "
    "濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 令狐 轩辕 百里 呼延 东郭 "
    "南门 西门 北堂 北冥 纳兰 叶赫 拓跋 完颜 楚南 即墨 第五 淳于 单于 冷泉".split()
)
# Written in no given name: whom and what a sentence speaks of, how its parts hang together.
_FUNCTION = frozenset(
    "我你他她它您咱俺们这那谁哪的了着过是不没在又也都就却对把被给跟与或但而说道问什么怎因所果两几个"
    "每众别从吗呢吧啊哦嗯呀哎去到出进回里外后内会能想看听吃喝走跑站坐哭打很太最更再已刚忽突终似仿"
    "佛接随有只正才还让叫向往被吓之"
)
_BEHIND = frozenset("眼手脸嘴脚头身")  # 鲁可眼巴巴地看着: of whom it is, behind a name


def split_surname(name: str) -> tuple[str, str]:
    """Return the surname of a Chinese name and what stands behind it, ("", name) for none."""
    if len(name) > 2 and name[:2] in _COMPOUND:
        return name[:2], name[2:]
    return (name[0], name[1:]) if name[:1] in SURNAMES else ("", name)


@lru_cache(maxsize=20_000)
def is_name_shaped(name: str) -> bool:
    """Whether Chinese characters can be a whole name and are no word, nor begin with one."""
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    surname, given = split_surname(name)
    if not surname or not 1 <= len(given) <= 2 or not _FUNCTION.isdisjoint(given):
        return False
    if len(name) > 2 and given[-1] in _BEHIND:
        return False
    if rjieba.has_word(name):  # 安静 and 雷声 are in it as names, too; of three characters few
        return len(name) > 2 and rjieba.tag(name)[0][1] == "nr"
    return len(name) < 3 or len(surname) > 1 or not rjieba.has_word(name[:2])
