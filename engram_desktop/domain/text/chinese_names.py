"""What a Chinese name looks like: a surname and one or two more characters, and not a word.

Many characters of names are words too (月, 明, 心, 年, 言). Words of the dictionary are not taken
for names, and characters that no name has (的, 我, 说) exclude one.
"""

from __future__ import annotations

from functools import lru_cache

# Also searched for before a title in the middle of a clause: no common word ends in one of these,
# as 那时 in 那时姑娘 ends in 时.
COMMON_SURNAMES = (
    "赵钱孙李周吴郑王冯陈褚卫蒋沈韩杨朱秦尤许何吕施张孔曹严华金魏陶姜戚谢邹喻柏水窦章云苏潘葛"
    "奚范彭郎鲁韦马苗凤花方俞任袁柳鲍史唐费廉岑薛雷贺倪汤滕殷罗毕郝安常乐于傅卞齐康伍余顾孟黄"
    "和穆萧尹姚邵汪祁毛米贝明戴宋庞熊纪舒屈项祝董梁杜阮蓝季贾江童颜郭梅林钟徐邱骆高夏蔡田胡凌"
    "霍万柯管卢莫房解应宗丁宣邓洪包左石崔龚程邢裴陆荣翁荀段叶白聂欧尚温庄晏柴阎简佘楚"
)
SURNAMES = frozenset(
    COMMON_SURNAMES
    + "刘曾肖谭廖闫侯龙黎覃武向文牛樊易乔岳翟詹申耿关兰焦甘宁符单涂成谷盛曲冉路游辛靳蒙蒲饶牟艾"
    "阳时农司卓古吉缪车连芦麦娄景党宫卜冷席瞿桂全佟臧闵苟邬边姬师仇栾隋商刁沙巫寇桑甄丛仲虞敖"
    "巩池查麻苑迟邝封谈匡鞠惠荆冀郁胥南班储原栗燕鄢劳谌冼蔺楼盘闻位厉伊仝区郜海阚权屠朴盖禹井"
    "漆巴丰卿国狄平计索晋初容敬来扈晁芮普阙浦戈伏鹿薄邸雍辜羊阿乌母裘亓修邰赫杭宿鲜印逯隆茹诺"
    "慕危玉银亢嵇公哈湛宾戎勾茅利於呼揭干尉冶斯元束檀衣阴昝智幸奉植衡富尧墨洛君风秋沐言"
)
_COMPOUND = frozenset(
    "欧阳 太史 端木 上官 司马 东方 独孤 南宫 万俟 闻人 夏侯 诸葛 尉迟 公羊 赫连 澹台 皇甫 宗政 "
    "濮阳 公冶 太叔 申屠 公孙 慕容 仲孙 钟离 长孙 宇文 司徒 鲜于 司空 令狐 轩辕 百里 呼延 东郭 "
    "南门 西门 北堂 北冥 纳兰 叶赫 拓跋 完颜 楚南 即墨 第五 淳于 单于 冷泉".split()
)
# In no given name: pronouns and particles.
_FUNCTION = frozenset(
    "我你他她它您咱俺们这那谁哪的了着过是不没在又也都就却对把被给跟与或但而说道问什么怎因所果两几个"
    "每众别从吗呢吧啊哦嗯呀哎去到出进回里外后内会能想看听吃喝走跑站坐哭打很太最更再已刚忽突终似仿"
    "佛接随有只正才还让叫向往被吓之"
)
_BEHIND = frozenset("眼手脸嘴脚头身")  # 鲁可眼巴巴地看着: a body part after the name of its owner


def split_surname(name: str) -> tuple[str, str]:
    """Return the surname of a Chinese name and the rest, ("", name) without a surname."""
    if len(name) > 2 and name[:2] in _COMPOUND:
        return name[:2], name[2:]
    return (name[0], name[1:]) if name[:1] in SURNAMES else ("", name)


@lru_cache(maxsize=20_000)
def is_name_shaped(name: str) -> bool:
    """Return whether characters can be a whole name, and neither are a word nor begin with one."""
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that a list of chats does not need

    surname, given = split_surname(name)
    if not surname or not 1 <= len(given) <= 2 or not _FUNCTION.isdisjoint(given):
        return False
    if len(name) > 2 and given[-1] in _BEHIND:
        return False
    if rjieba.has_word(name):  # 安静 and 雷声 are in it as names, too; few with three characters
        return len(name) > 2 and rjieba.tag(name)[0][1] == "nr"
    return len(name) < 3 or len(surname) > 1 or not rjieba.has_word(name[:2])


# Last characters of names that make an everyday word with 小, with 儿, or doubled: 小雨, 天天.
_NO_SMALL = frozenset(
    "心时声路学说区看气人子姐孩女男生童妹弟哥叔婶儿家鬼伙镇屋店船山河溪楼车门手脚腿嘴脸狗猫鸟鱼花草树石刀笔包"
    "费名字事年月日天雨雪麦米虎龙马牛羊园城院河海池满寒暑巧康篆楷瓶杯碗"
)
_NO_CHILD = frozenset(
    "女妇婴孤少小男孩生幼健宠花鸟鱼猫狗心头眼嘴脸脚腿影这那哪今明昨后侄事活话点会圈块片门歌曲词味气劲官伴信马双"
)
_NO_DOUBLE = frozenset(
    "天年月日心星点明真常平静悄轻深清白红绿暖慢好快早远高长淡细微渐默缓朗堂家层重暗隐连频冉依妹姐宝乖娃时刚念欣津栩闷亭娓源沾蒸井比芸格侃斤振头面滔息循咄孜喋蠢莘夸岌济茵"
    "双团圆满看久世生整声代亮甜香软冷热寒凉沉紧空茫绵纷飘洋区翩盈楚历昭皎郁苍凛炎彬谦柔朝花草叶风雪雨水火金"
    "人个处步句种样次回条片多大小少万千爸妈爷奶哥弟叔伯舅婶公婆太一二三点滴阵闪笑说想试谢走等听问来去"
)


def pet_names(last: str) -> list[str]:
    """Return how a person is called by the last character of the name: 小砚, 阿砚, 砚儿, 砚砚."""
    small = [] if last in _NO_SMALL else [f"小{last}"]
    child = [] if last in _NO_CHILD else [f"{last}儿"]
    double = [] if last in _NO_DOUBLE else [last * 2]
    return [*small, f"阿{last}", *child, *double]


def is_doubled(name: str) -> bool:
    """Return whether a name is one character twice, and no everyday word: 豆豆, not 天天."""
    return len(name) == 2 and name[0] == name[1] and name[0] not in _NO_DOUBLE
