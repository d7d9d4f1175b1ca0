"""The people who may speak in a story: names, short forms, names found in the text, senders."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import field, replace
from functools import lru_cache

from engram_desktop.domain.claims.false_names import (
    ARTICLE,
    NOBODY_EN,
    OPENS_EN,
    RANKS,
    without_words,
)
from engram_desktop.domain.claims.people_ja import (
    candidates_ja,
    is_japanese,
    parts_ja,
    whole_names_ja,
)
from engram_desktop.domain.claims.speech import INTRODUCES, MessageSender
from engram_desktop.domain.claims.subjects import gender_of_title
from engram_desktop.domain.knowledge.presence import NARRATORS
from engram_desktop.domain.knowledge.thoughts import Cast, Member, NameFinder, names_of
from engram_desktop.domain.text.chinese_names import (
    COMMON_SURNAMES,
    SURNAMES,
    is_doubled,
    is_name_shaped,
    pet_names,
    split_surname,
)
from engram_desktop.domain.values import dataclass

_CJK = re.compile("[\u4e00-\u9fff]{2,5}")
_TITLED = re.compile(
    rf"(?:{RANKS}|Mr|Mrs|Ms|Miss|Dr|Doctor|Lady|Lord|Sir|Brother|Sister|Father|Mother|Major"
    r"|General|Madame|Monsieur|Mademoiselle|Old|Young|Professor|King|Queen|Prince|Princess|Aunt"
    r"|Uncle)\.?",
)
_TITLES = (
    "大侠 掌柜 老爷 探长 小姐 姑娘 舰长 医生 先生 大人 师傅 老板 大夫 公子 队长 老师 教授 警官"
    " 律师 经理"
    " 主编 主笔 船长 镖头 捕头 将军 道长 师爷 总管 管家 主任 院长 校长 局长 总监 主管 导演"
    " 长老 前辈 真人 老头 老者"
).split()
_FELLOWS = "师姐 师兄 师妹 师弟".split()
_OF_ELDERS = frozenset("老爷 大人".split())  # of a family's head: they identify no one
_OLD = frozenset("老头 老者 长老 真人".split())  # a person with such a title is also called 前辈
_AFTER = "伯叔哥姐总爷"  # said behind a family name


@lru_cache(maxsize=4_000)
def short_forms(name: str) -> tuple[str, ...]:
    """Return other names of a person in a story: 柳七娘 七娘, Captain Hale Hale, Mrs. Tull Tull."""
    if not name.isascii() and (parts := parts_ja(name)) and not _ENDS_ON_TITLE.search(name):
        return (*parts, *_other_forms(name))
    return _other_forms(name)


def _other_forms(name: str) -> tuple[str, ...]:
    """Return the short forms of a Chinese or English name."""
    if _CJK.fullmatch(name):
        if taoist := _TAOIST_ZH.fullmatch(name):
            return (taoist[1],)
        is_old = len(name) == 2 and name[0] in "老小" and name[1] in _SURNAME  # 老魏
        family = name[1] if is_old else name[0]
        is_titled = _ENDS_ON_TITLE.search(name) or name[1:] in _TITLES
        if is_titled or (name[0] in "老小阿" and not is_old) or family not in _SURNAME:
            if name[1:] in _OLD:
                return (f"{family}前辈",)
            return (name[1:],) if len(name) == 3 and name[1:] not in _TITLES else ()
        given = split_surname(name)[1]
        forms = [given] if len(given) == 2 else []
        forms += [form for form in pet_names(name[-1]) if form not in forms]
        titles = [title for title in (*_TITLES, *_FELLOWS) if title not in _OF_ELDERS]
        forms += [f"{family}{title}" for title in titles]
        forms += [f"{family}{title}" for title in _AFTER] + [f"老{family}"] * (not is_old)
        return tuple(forms)
    words = name.split()
    if len(words) < 2:
        return ()
    own = [word for word in words if len(word) > 2 and not _TITLED.fullmatch(word)]
    if len(words) > 2 and _TITLED.fullmatch(words[0]):
        own = [" ".join(words[1:]), f"{words[0]} {words[-1]}", *own]
    forms = own or []
    if _TITLED.fullmatch(words[0]) and own:
        forms = [*own, f"the {words[0].rstrip('.').casefold()}"] if words[0] in _ROLES else own
    return tuple(form for form in forms if form[0].isupper() or form.startswith("the "))


_ROLES = frozenset((*RANKS.split("|"), "Major", "General"))
_OF_FAMILY = re.compile(r"(?:Mrs|Miss|Ms|Mlle|Madame|Lady)\b")


def story_names(people: Iterable[str], player: str) -> NameFinder:
    """Return a finder for the people of a story; a short form shared by two people is not used.

    A family name shared by a Mrs. or Miss and one other person is the other person's.
    """
    known = list(dict.fromkeys([name for name in [*people, player] if name]))
    known = [n for n in known if n.casefold() not in NARRATORS]
    counts = Counter(form for name in known for form in short_forms(name))
    others = Counter(
        form for name in known if not _OF_FAMILY.match(name) for form in short_forms(name)
    )
    for name in filter(_ENDS_ON_TITLE.search, known):  # 老许 may be 许爸爸 as well as 许知夏
        others[f"老{name[0]}"] += 1

    def own_forms(name: str) -> tuple[str, ...]:
        mine = counts if _OF_FAMILY.match(name) else others
        return tuple(f for f in short_forms(name) if mine[f] == 1 and f not in known)

    members = [Member(name, own_forms(name)) for name in known if name != player]
    return names_of(Cast(tuple(members), player, len(members) > 1, own_forms(player)))


_QUOTED = re.compile(r"[“「『\"][^“”「」『』\"\n]{6,}[”」』\"]")


def senders_of(messages: Iterable[tuple[str, str]], names: NameFinder) -> dict[str, MessageSender]:
    """Return the style of each sender, from messages of (sender, text).

    A sender never named as a person of the story is a narrator; one who uses quotes in a third of
    the messages does not speak outside of quotes.
    """
    counts: dict[str, list[int]] = {}
    for name, text in messages:
        row = counts.setdefault(name, [0, 0])
        row[0] += 1
        row[1] += _QUOTED.search(text) is not None
    return {
        name: MessageSender(
            name,
            name.casefold() in NARRATORS or not names.is_known(name),
            quoted * 3 >= count,
        )
        for name, (count, quoted) in counts.items()
    }


# Before the first word of a clause; many write the marks of English in Chinese.
_STARTS_ZH = '(?:^|[。！？，；：”」』）\n*…—,!?;:"])[ \u3000]*'
DOES_ZH = (
    "(?P<does>[说道问笑想望看瞪盯瞥站坐走跪躺蹲靠倚抱端握拿捧递接推拉扯点摇叹皱眯睁闭咬抿哼愣怔"
    "转抬低伸把将收放掏摸擦抖"
    "捡拖指喊叫听教咳牵念给写读唱哭剥捂醒扔挡拦举躲踩踏翻跳撑揪揉扶喝抹替吼咧嘿骂抢挤追躺摔挥举嚷捞搬塞扯撕挑吓"
    "抄缩凑朝冲扑退苦冷停沉默压按披攥捏瞟瞅拎拽搂嘟喃嗤蹙俯勾踱耸撇眨吹没也忽又却从])"
)
HEAD_ZH = re.compile(
    f"{_STARTS_ZH}(?:而|但|只见|这时|忽然)?(?P<name>[\u4e00-\u9fff]{{2,4}}?){DOES_ZH}"
)
_OF_ROLE_ZH = re.compile(  # 班主任徐敏把你叫到办公室
    f"{_STARTS_ZH}[\u4e00-\u9fff]{{0,4}}?(?:班主任|老师|医生|护士|掌门|掌柜|长老|师[兄弟姐妹]|侍女|丫鬟|同学"
    f"|村长|队长|经理)(?P<name>[\u4e00-\u9fff]{{2,3}}?){DOES_ZH}"
)
_OF_THINGS_TOO = frozenset("没也忽又却从")  # 钥匙又响起来: not an action of a person
_AH_ZH = re.compile(f"{_STARTS_ZH}(?P<name>[阿老小][\u4e00-\u9fff]子?)(?P<does>[\u4e00-\u9fff—])")
_BODY_ZH = re.compile(
    f"{_STARTS_ZH}(?P<name>[\u4e00-\u9fff]{{2,3}})"
    "(?P<does>的(?:手|眼|脸|目光|声音|嘴|睫毛|喉)|手里|手中|手上|脸上|眼里|心里)"
)
_OFFICE_ZH = re.compile("(?:捕头|镖头|牢头|班头|工头|大夫|太医|道长)$")
_SURNAME = f"[{''.join(sorted(SURNAMES))}]"
_WHOLE_ZH = re.compile(
    f"{_STARTS_ZH}(?P<name>{_SURNAME}[\u4e00-\u9fff]{{2}})(?P<does>[\u4e00-\u9fff])"
)
_WITH_TITLE_ZH = re.compile(
    f"(?P<name>[{COMMON_SURNAMES}]"
    "(?:小姐|老爷|夫人|太太|探长|掌柜|捕头|医生|大夫|师傅|队长|局长|校长|教授|律师|警官|公子|姑娘"
    "|将军|道长"
    "|大侠|师爷|婆婆|大娘|大爷|伯伯|奶奶|爷爷|嬷嬷|娘子|镖头|伍长|都头|千户|百户|统领|总管|管家"
    "|东家|老板|掌门"
    "|长老|警长|科长|处长|司令|团长|连长|班长|船长|舰长|院长|主编"
    "|经理|总监|主管|主任|老师|导演|教练|厂长|镇长|村长|站长|店长|护士|博士|阿姨|叔叔"
    "|前辈|真人|老头|老者|[爷伯叔姨婶嫂](?![爷伯叔姨婶嫂])))"
)
# Titles after a two-character name that is no family name, and people known by a title alone.
_TAOIST_ZH = re.compile("([\u4e00-\u9fff]{2})(?:真人|真君|道人|上人|散人|仙子)")
_TITLE_ONLY_ZH = re.compile("太后|皇后|[二三四五六七八九十]爷")
_BY_TITLE_ZH = re.compile(
    f"{_STARTS_ZH}(?P<name>{_TAOIST_ZH.pattern}|{_TITLE_ONLY_ZH.pattern})(?P<does>[\u4e00-\u9fff])"
)
# A child's name of one character twice, as a subject and as an object: 豆豆剥开糖纸, 给豆豆包扎.
_TWICE_ZH = re.compile(
    f"(?:(?P<to>[给和跟对问抱把让被哄喂叫]|[抱搂拉][住着起])|{_STARTS_ZH})"
    "(?P<name>(?P<one>[\u4e00-\u9fff])(?P=one))(?P<does>[\u4e00-\u9fff]|(?(to)|(?!)))"
)
_OBJECT = "@"  # begins the deed of a name that is an object
_KIN_ZH = re.compile("[\u4e00-\u9fff](?:叔叔|阿姨|伯伯|爷爷|奶奶)")
_IS_WHOLE = re.compile(f"{_SURNAME}(?!{'|'.join(_TITLES)})[\u4e00-\u9fff]{{2}}")
_NUMERAL = re.compile("[一二三四五六七八九十]")
_NAMED_ZH = re.compile(
    "(?:名叫|名唤|唤作|叫做|叫作|[他她](?:就)?叫|我叫|大名"
    "|小名)(?P<name>[\u4e00-\u9fff]{2,3})(?=[，。！？；、…”」]|$)"
)
_TITLED_ZH = re.compile(
    "[\u4e00-\u9fff](?:妈妈|爸爸|奶奶|爷爷|阿姨|叔叔|婆婆|大娘|大爷|掌柜|大侠|探长|老爷|小姐|夫人"
    "|太太|师傅"
    "|医生|镖头|伍长|都头|娘子|嬷嬷|捕头|大夫|队长|局长|校长|教授|律师|警官|公子|姑娘|将军|道长"
    "|师爷|长老|前辈|真人|真君|道人|仙子|老头|老者)|太后"
    "|[^大表堂学师小他她我你](?:姐|哥|叔|姨|嫂|婶|爷|伯)"
)
_ENDS_ON_TITLE = re.compile(f"(?:{_TITLED_ZH.pattern})$")  # not 沈伯言
_CALLED_ZH = re.compile("[“「『](?P<name>[\u4e00-\u9fff]{2,4})[，！……]")
_NOBODY_ZH = re.compile(
    "[我你他她它您咱们这那谁哪的了着过是不没有在又也都还就却对把被给和跟与或但而说道问什么怎么为"
    "因所以如果两几个些每"
    "自己大家众人别人有人来去上下里外前后中内到从今明昨天日夜月年时分刻秒声音手眼头脸心口身脚步"
    "目光话事东西可能"
    "想看听吃喝走跑站坐笑哭打开关好坏多少很太真最更再只已经正刚才忽然突然终于似乎仿佛于是然后接"
    "着随后]"
)
_COMMON_ZH = frozenset(
    "老夫 老身 老朽 老衲 小人 小生 老爷子 小伙子 小孩子 小女子 老婆子 老头子 小妮子 小车子 "
    "老人 老板 老头 老者 老天 小孩 小路 小屋 小店 小镇 小楼 小船 小二 女人 男人 孩子 "
    "少年 少女 姑娘 客官 对方 士兵 侍卫 掌柜 舰长 队长 医生 老师 先生 小姐 公子"
    " 夫人 老爷 丫鬟 管家"
    " 师兄 师父 妈妈 爸爸 母亲 父亲 哥哥 姐姐 弟弟 妹妹 灯光 火光 月光 阳光 雨水 空气 "
    "房间 窗户 门外 屋子 世界 故事 放心"
    " 多谢 谢谢 抱歉 可惜 果然 其实 当然 原来 或许 也许 琵琶 警察 店员 路人 黑影 马车 "
    "石头 木门 大门 房门 铃声 脚印 轻轻 试图 无论 努力 具体 嘴角 老婆 老公 宝贝".split()
)
_NO_NAME_ZH = re.compile("^谢谢|地$")  # thanks of any length; 兴奋地: a manner
_ACTS_EN = (
    r"(?:say|ask|repli|repl|answer|whisper|nod|smile|laugh|shrug|look|stare|turn|walk|sit|stand"
    r"|lean|watch|shake|take|put"
    r"|sigh|frown|grin|glance|wave|point|pour|step|spit|wait|close|open|come|go|hold|pull|push"
    r"|set|keep|live|tell|told|shook"
    r"|said|took|came|went|sat|stood|held|kept|laid|let|got|has|had|is|was|does|did|knows|knew"
    r"|thinks|wants)"
)
# A word of a name: Hale, Renée, McGee.
_WORD_EN = r"(?:(?:Mc|Mac|O['’])?[A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]{2,15})"
_NAME_EN = (
    rf"(?:(?:(?:(?:{RANKS}) )?(?:{RANKS}|Mr|Mrs|Ms|Miss|Dr|Lady|Lord|Sir|Brother|Sister|Father"
    r"|Mother|Old|Major|General|Professor|Aunt|Uncle|King|Queen|Prince|Princess|Doc|Judge|Deputy"
    r"|Marshal|Duke|Count|Baron|Madame|Headmistress|Headmaster)"
    rf"\.? {_WORD_EN}(?: {_WORD_EN}\b)?)"
    rf"|{_WORD_EN})"
)
_OF_TWORANKS = re.compile(rf"(?:{RANKS}) (?=(?:{RANKS}) )")  # Lieutenant Commander Holm
_TAGS = "(?:said|says|asked|asks|replied|whispered)"
_PERSON_EN = re.compile(
    rf"(?<![\w.’'])(?P<name>{_NAME_EN})"
    rf"(?:(?= (?:{_ACTS_EN}(?:s|es|ed|d|n['’]t)?|(?:just |only |still |never |always )?[a-z]{{3,}}"
    rf"(?:es|s|ed))\b(?! of\b))|(?=['’]s (?:hand|eyes?|voice|face|mouth|shoulder"
    rf"|fingers?|brother|sister|wife|husband)))"
    rf"|[\"”] (?:{_TAGS} (?P<said>{_NAME_EN})|(?P<says>{_NAME_EN}) {_TAGS}\b)"
    rf"|[,“\"] ?(?P<called>{_NAME_EN})[,.!?…](?=[\"” ])"
    rf"|(?P<titled>(?:(?:{RANKS}) )?(?:{RANKS}|Mr|Mrs|Ms|Miss|Dr|Lady|Lord|Sir|Brother|Sister)\.?"
    rf" {_WORD_EN}(?: {_WORD_EN}\b)?)"
)
# “Captain on deck,” ORACLE says: a name in capitals beside a speech.
_CAPITALS_EN = re.compile(
    rf"[\"”] (?:{_TAGS} (?P<said>[A-Z]{{3,15}})|(?P<says>[A-Z]{{3,15}}) {_TAGS})\b"
)
_WHOLE_EN = re.compile(rf"\b(?P<first>{_WORD_EN}) (?P<last>{_WORD_EN})\b(?! [A-Z])")


def candidates(text: str) -> set[str]:
    """Return candidates for people by what they do in a text: name, “|”, and the deed."""
    found = _english_candidates(text)
    for pattern in (
        HEAD_ZH,
        _AH_ZH,
        _WHOLE_ZH,
        _OF_ROLE_ZH,
        _NAMED_ZH,
        _BODY_ZH,
        _CALLED_ZH,
    ):
        for match in pattern.finditer(text):
            name = match["name"]
            own = _OFFICE_ZH.sub("", name)
            is_word = name in _COMMON_ZH or _NO_NAME_ZH.search(name) is not None
            is_plain = pattern not in (_WHOLE_ZH, _OF_ROLE_ZH) and not _NOBODY_ZH.search(own)
            if own and not is_word and (is_plain or is_name_shaped(own)):
                does = match.groupdict().get("does", "")
                is_thing_too = does in _OF_THINGS_TOO and not re.match(_SURNAME, name)
                found.add(f"{name}|{'' if is_thing_too else does}")
                if pattern is _NAMED_ZH:
                    found |= {f"{name}|叫", f"{name}|名"}
    for match in _BY_TITLE_ZH.finditer(text):
        found |= {f"{match['name']}|{match['does']}", f"{match['name']}|称"}
    for match in _WITH_TITLE_ZH.finditer(text):
        found.add(f"{match['name']}|称")
    for match in _TWICE_ZH.finditer(text):
        if is_doubled(match["name"]) and match["name"] not in _COMMON_ZH:
            deed = f"{_OBJECT}{match['to']}" if match["to"] else match["does"]
            found.add(f"{match['name']}|{deed}")
    return found | set(candidates_ja(text)) if is_japanese(text) else found


# “Grace. Grace Pritchard, at the lodge.”
_SELF_NAMED_EN = re.compile(rf"[“\"](?P<first>{_WORD_EN})[.,?!] (?P=first) {_WORD_EN}\b")
# The first word of a list item or a comment in code is an order or a heading: - **Use** classes.
_ITEM = re.compile(
    r"(?:^|\n)[ \t>]*(?:(?:[-•+*]|\d+[.)])[ \t]+|#+[ \t]*|//[ \t]*|<!--[ \t]*)[*_`]*$"
)
_ITEM_CHARS = 16  # characters before a name that may contain the item's mark
_DOING_EN = re.compile(r"[A-Z][a-z]{2,}ing")


def _whole_candidates(text: str) -> Iterator[str]:
    """Yield names of two words, and the name in Ask Rosalind."""
    for match in _WHOLE_EN.finditer(text):
        words = [match["first"], match["last"]]
        words = words[1:] if words[0] in OPENS_EN else words
        is_name = NOBODY_EN.isdisjoint(words) and not _TITLED.fullmatch(words[0])
        if is_name and not ARTICLE.search(text, max(0, match.start() - 5), match.start()):
            yield f"{' '.join(words)}|"


def _english_candidates(text: str) -> set[str]:
    found = set(_whole_candidates(text))
    found |= {f"{match['first']}|named" for match in _SELF_NAMED_EN.finditer(text)}
    for match in _CAPITALS_EN.finditer(text):
        name = match["said"] or match["says"]
        if name.capitalize() not in NOBODY_EN:
            found.add(f"{name}{_SAYS}")
    for match in _PERSON_EN.finditer(text):
        speaks = match["said"] or match["says"]
        name = speaks or match["name"] or match["called"] or match["titled"]
        name = _OF_TWORANKS.sub("", name)
        if f" {name.lower()} " in text:
            continue  # “Ten days” and “ten days”: a word at the beginning of a sentence
        if _DOING_EN.fullmatch(name) and not match["called"]:
            continue  # Painting is…: an activity at the beginning of a sentence
        if _ITEM.search(text[max(0, match.start() - _ITEM_CHARS) : match.start()]):
            continue
        if name.split()[-1] not in NOBODY_EN and name.split()[0] not in _NOT_FIRST:
            found.add(f"{name}|{_SPEAKS if speaks else '' if match['called'] else 'does'}")
    return found


_TITLED_NAME = re.compile(
    rf"(?:{RANKS}|Major|General|Madame|Mr|Mrs|Ms|Miss|Dr|Lady|Lord|Sir|Brother|Sister)\.? [A-Z]"
)
_PROFESSIONAL = re.compile(rf"(?:{RANKS}|Mr|Ms|Miss|Dr|Doctor|Professor)\.? ")
_OF_RANK = re.compile(rf"(?:{RANKS}|Dr|Doctor|Professor)\.? ")
_PLAIN_TITLE = re.compile(r"(?:Mr|Miss|Sir)\.? ")
_NOT_FIRST = NOBODY_EN - frozenset(
    (*RANKS.split("|"), *"Major General Madame Lady Lord Sir Miss Doctor Officer".split())
)
_SPEAKS = "says"  # the deed of a person named beside a speech: once is enough
_SAYS = f"|{_SPEAKS}"
_OFTEN = 2  # messages with an action, after which its subject is a person of the story


@dataclass
class FoundPeople:
    """Possible people, from the candidates of the messages of a line."""

    counts: Counter[str] = field(default_factory=Counter)  # messages that contain a name
    deeds: Counter[str] = field(default_factory=Counter)  # and with each deed, as “name|deed”

    @staticmethod
    def of(found: Iterable[Iterable[str]]) -> FoundPeople:
        """Return the possible people of these messages."""
        people = FoundPeople()
        people.add(found)
        return people

    def copy(self) -> FoundPeople:
        """Return an independent copy."""
        return FoundPeople(Counter(self.counts), Counter(self.deeds))

    def add(self, found: Iterable[Iterable[str]]) -> None:
        """Count the candidates of further messages."""
        for of_message in found:
            self.counts.update(_names(of_message))
            self.deeds.update(dict.fromkeys(of_message, 1))

    def take_away(self, found: Iterable[Iterable[str]]) -> None:
        """Subtract messages that were counted before."""
        for of_message in found:
            self.counts.subtract(_names(of_message))
            self.deeds.subtract(dict.fromkeys(of_message, 1))

    def likely(self) -> list[str]:
        """Return the people of a story, the most certain first."""
        deeds: Counter[str] = Counter()  # different deeds, by name
        there = [name for name, count in self.counts.items() if count > 0]
        halves = [n.split() for n in there if n.count(" ") == 1]
        firsts = Counter(first for first, _last in halves)  # Amos Pratt, then Amos
        for first, last in halves:  # Ask Rosalind, then Rosalind Vance does something
            firsts[last] += self.counts[first]
        objects: set[str] = set()
        spoke = {c.partition("|")[0] for c, n in self.deeds.items() if n > 0 and c.endswith(_SAYS)}
        for candidate, count in self.deeds.items():
            name, _, deed = candidate.partition("|")
            if deed and count > 0:
                deeds[name] += 1
                objects |= {name} if deed.startswith(_OBJECT) else set()
        sure = [
            name
            for name, count in self.counts.most_common()
            if name in deeds
            and (not is_doubled(name) or (name in objects and deeds[name] > _OFTEN))
            and (_KIN_ZH.fullmatch(name) is None or deeds[name] > 1)  # 江叔叔 is only called so
            and (not _NUMERAL.match(name) or _TITLE_ONLY_ZH.fullmatch(name))
            and (
                _is_titled(name)
                or _TITLED_NAME.match(name)
                or count + firsts[name] >= _OFTEN
                or name in spoke
            )
            and (deeds[name] >= 2 or count > _OFTEN or not _CJK.fullmatch(name) or _is_titled(name))
        ]
        sure += self._told_once(sure)
        whole: list[str] = []
        for name in sure:
            plain = name.split()[-1]
            if name.endswith("前辈") and any(n[0] == name[0] and _is_titled(n) for n in whole):
                continue  # 葛老头 is his usual name
            if _PLAIN_TITLE.match(name) and self.counts[plain] > self.counts[name]:
                continue  # Mr. Edmund is mostly called Edmund
            longer = [
                n
                for n in sure
                if n != name
                and name in n
                and not _PLAIN_TITLE.match(n)
                and (_TITLED_NAME.match(n) or self.counts[n] * 2 >= self.counts[name])
            ]
            is_half = any(name in short_forms(other) or n_starts(other, name) for other in longer)
            if not is_half:
                whole.append(name)
        of_parts = whole_names_ja(sure, there)
        whole = list(dict.fromkeys(of_parts.get(name, name) for name in whole))
        return self._by_whole_names(whole)

    def _told_once(self, sure: Sequence[str]) -> list[str]:
        """Return whole Chinese names used once for a person called by a title: 宋怀民, 宋师傅."""
        titled = {n[0] for n in sure if n[1:] in (*_TITLES, *_FELLOWS)}
        families = Counter(n[0] for n in self.counts if _is_whole(n) and self.counts[n] > 0)
        return [
            name
            for name in self.counts
            if name not in sure
            and self.counts[name] > 0
            and name[0] in titled
            and families[name[0]] == 1
            and _is_whole(name)
        ]

    def _by_whole_names(self, likely: Sequence[str]) -> list[str]:
        """Return people under their whole names if a story has one: Juno is Juno Adeyemi."""
        there = [name for name, count in self.counts.items() if count > 0]
        with_both = [n for n in there if n.count(" ") == 2 and _TITLED.fullmatch(n.split()[0])]
        whole: dict[str, str] = {}  # by first and by last name; "" if two people share it
        for name in self._used(there):
            titled = [n for n in with_both if n.endswith(f" {name}")]
            for word in (name, *name.split()):
                of = titled[0] if len(titled) == 1 else name
                whole[word] = "" if whole.get(word, of) != of else of
        titles: defaultdict[str, set[str]] = defaultdict(set)
        for name in likely:
            title, _, last = name.rpartition(" ")
            if _TITLED.fullmatch(title):
                titles[last].add(title)
        named: dict[str, None] = {}
        for short in likely:
            longer = [n for n in with_both if _is_part_of_titled(short, n)]
            name = longer[0] if len(longer) == 1 else short
            last = name.split()[-1]
            is_one = " " not in name or name in whole
            is_titled = name.count(" ") == 1 and _PROFESSIONAL.match(name) is not None
            is_one = is_one or (is_titled and _is_of_one(titles[last]))
            key = name if name in whole else last
            named[(whole.get(key) or name) if is_one else name] = None
        return list(named)

    def _used(self, there: Sequence[str]) -> Iterator[str]:
        """Yield whole names of which a part is used: the first name alone, or the last.

        The last name must be of one whole name only, and said with a rank or no more often.
        """
        ranked = {name.rpartition(" ")[2] for name in there if _OF_RANK.match(name)}
        whole = [n for n in there if n.count(" ") == 1 and not _TITLED.fullmatch(n.split()[0])]
        lasts = Counter(name.split()[1] for name in whole)
        for name in whole:
            first, last = name.split()
            is_last = lasts[last] == 1 and self.counts[last] > 0
            is_last = is_last and (last in ranked or self.counts[last] <= self.counts[name])
            if is_last or self.counts[first] > 0:
                yield name


def _is_of_one(titles: Set[str]) -> bool:
    """Return whether the titles before a family name may be one person's: Captain, Commander."""
    return len(titles) == 1 or all(_OF_RANK.match(f"{title} ") for title in titles)


def _is_part_of_titled(name: str, longer: str) -> bool:
    """Return whether a titled name is part of a longer one: Lord Vey, Lord Aldous Vey."""
    words, whole = name.split(), longer.split()
    return len(words) == 2 and words[0] == whole[0] and words[1] in whole[1:]


def _is_titled(name: str) -> bool:
    """Return whether a Chinese name ends in a title; 谢长老 may mean thanks to him."""
    kinds = (_TITLED_ZH, _TAOIST_ZH, _TITLE_ONLY_ZH)
    return name[0] != "谢" and any(kind.fullmatch(name) for kind in kinds)


def _is_whole(name: str) -> bool:
    """Return whether a Chinese name is a family name with two characters: 宋怀民."""
    is_titled = _TITLED_ZH.search(name) or name[1:] in _FELLOWS
    return _IS_WHOLE.fullmatch(name) is not None and not is_titled


def _names(candidates_found: Iterable[str]) -> dict[str, int]:
    return {candidate.partition("|")[0]: 1 for candidate in candidates_found}


def n_starts(longer: str, name: str) -> bool:
    """Return whether a Chinese name is the beginning of a longer one."""
    return bool(_CJK.fullmatch(name)) and longer.startswith(name)


# An open quote matches too: otherwise a line of opening quotes is scanned from each of them.
_ASIDE = re.compile(r"[“「『\"][^”」』\"\n]*(?:[”」』\"]|(?P<open>$))", re.MULTILINE)
FIRST_PERSON = re.compile(r"我|(?<![A-Za-z])(?:I|I'm|I’m|my|me)(?![A-Za-z])")


_SCRIPT = re.compile(r"^[^\s：:]{1,16}[：:].*$", re.MULTILINE)


def without_speech(text: str) -> str:
    """Return a text with blanks in place of quoted text."""
    return _ASIDE.sub(lambda m: " " * len(m[0]) if m["open"] is None else m[0], text)


def speaks_for_itself(texts: Sequence[str]) -> bool:
    """Return whether a card plays one person: a third of its messages have “I” outside of quotes.

    A tenth is enough if almost nothing is quoted: then speech is bare, and talk about others has no
    “I”. A script's lines (爱丽丝：…) count as quoted.
    """
    own = sum(
        FIRST_PERSON.search(without_speech(_SCRIPT.sub(" ", text))) is not None for text in texts
    )
    quoting = sum(
        _QUOTED.search(text) is not None or _SCRIPT.search(text) is not None for text in texts
    )
    is_bare = quoting * 10 < len(texts)
    return own * (10 if is_bare else 3) >= len(texts) > 0


def _is_called_by_title(name: str, persons: Iterable[str], women: Collection[str]) -> bool:
    """Return whether a title with a family name means one known person: Miss Ashcombe.

    “Mrs.” may be the wife of one who is not known to be a woman.
    """
    is_his = re.match(r"Mr\b", name) is not None
    persons = women if name.startswith("Mrs") else persons
    persons = [person for person in persons if not (is_his and person in women)]
    if _PROFESSIONAL.match(name) is None and not name.startswith("Mrs"):
        return False
    whole = [person.split() for person in persons if not _PROFESSIONAL.match(person)]
    family = name.rsplit(maxsplit=1)[-1]
    of_family = [words for words in whole if len(words) == 2 and words[1] == family]
    return sum(_TITLED.fullmatch(words[0]) is None for words in of_family) == 1


_KIN_EN = re.compile(r"(?:Aunt|Uncle|Auntie|Cousin) (?P<own>[A-Z]\S+)")


def _is_kin_of_same(name: str, likely: Iterable[str]) -> bool:
    """Return whether a relative is a person of the same name: Aunt Honoria is Lady Honoria."""
    kin = _KIN_EN.fullmatch(name)
    gender = gender_of_title(name)
    return kin is not None and any(
        kin["own"] in other.split() and gender_of_title(other) in ("", gender)
        for other in likely
        if _KIN_EN.fullmatch(other) is None
    )


_OF_HER = re.compile(r"(?:^|[*(\n])\s*(?:(?P<f>She|Her)|He|His)\b")


def _tells_of_her(texts: Sequence[str]) -> bool:
    """Return whether a card narrates its own deeds with “she”."""
    told = [match["f"] is not None for text in texts for match in _OF_HER.finditer(text)]
    return sum(told) * 2 > len(told)


def story_people(
    messages: Sequence[tuple[str, str]],
    players: Sequence[str],
    known: Sequence[str],
    likely: Sequence[str],
) -> tuple[tuple[str, ...], dict[str, MessageSender]]:
    """Return the people of a story, and the style of each sender.

    ``messages`` are some of (sender, text); ``known`` are names from elsewhere; ``likely`` names
    found in the messages. A card that neither acts nor speaks for itself is a narrator.
    """
    texts: dict[str, list[str]] = {}
    for name, text in messages:
        texts.setdefault(name, []).append(text)
    likely = without_words(likely, [text for _name, text in messages])
    cards = [name for name in texts if name not in players]
    acting = {form for name in likely for form in (name, *short_forms(name))}
    persons = [
        name
        for name in cards
        if name.casefold() not in NARRATORS
        and (
            name in acting
            or any(form in acting for form in short_forms(name))
            or name in known
            or speaks_for_itself(texts[name])
        )
    ]
    if len(cards) > 1:
        persons = [name for name in cards if name.casefold() not in NARRATORS]
    names: list[str] = []
    surely = list(dict.fromkeys([*players[:1], *persons, *known]))
    women = [name for name in cards if _tells_of_her(texts[name])]
    whole_first = sorted(likely, key=lambda name: _TITLED_ZH.search(name) is not None)
    for name in dict.fromkeys([*surely, *whole_first]):
        forms = [name, *short_forms(name)]
        is_told = any(name in short_forms(other) or other in forms for other in names)
        is_told = is_told or _is_called_by_title(name, surely, women)
        is_told = is_told or _is_kin_of_same(name, likely)
        is_guess = name not in surely
        if is_guess and any(n_starts(name, other) for other in surely if len(other) > 1):
            continue  # 鲍勃住在…: 鲍勃 is known, 鲍勃住 was read as a surname and two characters
        if not is_told:  # 柳七娘 and 七娘 are one person
            names.append(name)
    finder = story_names(names, players[0] if players else "")
    senders = senders_of(messages, finder)
    for name in cards:
        if senders[name].is_narrator and (own := _played_by(texts[name], finder)):
            senders[name] = MessageSender(own, False, senders[name].quotes)
    for name in players:
        senders[name] = MessageSender(
            name, False, senders[name].quotes if name in senders else True
        )
    return tuple(names), senders


_OWN_SHARE = 4  # a card's own person is named in a fourth of its messages; in made-up ones in most


def _played_by(texts: Sequence[str], finder: NameFinder) -> str:
    """Return the one person whom a card plays under another name, "" for none.

    The Innkeeper says “I'm Marrow” in the first message, which names nobody else, and narrates
    Marrow's deeds more often than anybody's.
    """
    named = [mention for mention in finder.find(texts[0]) if mention.name != finder.player]
    own = named[0].name if named else ""
    starts = {match.start("name") for match in INTRODUCES.finditer(texts[0])}
    if starts.isdisjoint(m.start for m in named) or any(m.name != own for m in named):
        return ""
    acting = Counter(
        name for text in texts for name in {m.name for m in finder.find(without_speech(text))}
    )
    others = [count for name, count in acting.items() if name not in (own, finder.player)]
    is_main = acting[own] * _OWN_SHARE >= len(texts) and acting[own] > max(others, default=0)
    return own if is_main else ""


def beside_each_other(senders: Mapping[str, MessageSender]) -> dict[str, MessageSender]:
    """Return the senders, each with the other senders who are no narrators."""
    persons = frozenset(sender.name for sender in senders.values() if not sender.is_narrator)
    return {
        name: replace(sender, beside=persons - {sender.name}) for name, sender in senders.items()
    }


def all_names(people: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return by person all their names, in lower case."""
    return {
        name: frozenset(form.casefold() for form in (name, *short_forms(name))) for name in people
    }
