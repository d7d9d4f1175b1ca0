"""Which names of a chat are people, places and things.

A name must occur often enough, and in the contexts of its kind. A chat's own names are in no
dictionary: 那维莱特 is cut into 那维 and 莱特. Parts that always occur together, and nowhere
without the other, are joined to one name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from engram_desktop.domain.graph.entity import EntityType, is_entity_name
from engram_desktop.domain.memory.extraction import ExtractedRelation
from engram_desktop.services.extractive.names import (
    PLACES_EN,
    english_kind,
    english_names,
    is_kind_of_place,
    is_place,
    is_same_person,
    is_title,
    looks_foreign,
    persons,
)
from engram_desktop.services.extractive.words import Cutter, CutWord

_PLAIN = 3  # uses of a word in small letters per use as a name, from which it is a plain word
_MIN_MENTIONS = 3  # fewer may be a word that was cut wrongly
# Share of the mentions of a dictionary word in which it begins a clause and acts, from which it is
# a person: the dictionary has 闻言, 冷笑 and 玉佩 as names, too.
_SUBJECT = 0.15


def said_names(
    names: Mapping[str, EntityType], texts: Sequence[str], words: Cutter
) -> dict[str, EntityType]:
    """Return those of ``names`` that occur in a chat and are not plain words of unknown kind."""
    if not names:
        return {}
    story = "\n".join(texts)
    return {
        name: kind
        for name, kind in names.items()
        if name in story and (kind != "unknown" or not (words.knows(name) or name.islower()))
    }


def tag_of(name: str, kind: EntityType) -> str:
    is_where = kind == "loc" or (kind == "unknown" and is_kind_of_place(name))
    return "ns" if is_where else "nz" if kind in {"item", "concept"} else "nr"


def named_in(
    words: Sequence[Sequence[CutWord]],
    speakers: Iterable[str],
    introduced: Iterable[str],
    tags: Mapping[str, str],
    *,
    is_page: bool = False,
) -> dict[str, str]:
    """Return names found in cut texts, without the speakers, each as char or loc.

    ``is_page``: the texts are an assistant's pages (`english_kind`).
    """
    speaker_names = set(speakers)
    kinds: dict[str, str] = dict.fromkeys(introduced, "char")
    kinds |= dict.fromkeys(_chinese(words, tags), "char")
    rows = [row for row in words if any(word.tag == "En" for word in row)]
    kinds |= _english(rows, words, is_page=is_page)
    parts = {word for name in (*kinds, *speaker_names) if " " in name for word in name.split()}
    return {name: kind for name, kind in kinds.items() if name not in speaker_names | parts}


def _chinese(words: Sequence[Sequence[CutWord]], tags: Mapping[str, str]) -> Iterator[str]:
    import rjieba  # noqa: PLC0415  # a word list of 5 MB that an English story does not need

    count: Counter[str] = Counter()
    acting: Counter[str] = Counter()
    subject: Counter[str] = Counter()
    for row in words:
        for name, is_person, is_subject in persons(row, tags):
            count[name] += 1
            acting[name] += is_person
            subject[name] += is_subject
    for name, mentions in count.items():
        if mentions < _MIN_MENTIONS or acting[name] < max(2, mentions / 3):
            continue
        is_word = len(name) == 2 and name not in tags and rjieba.has_word(name)
        if not is_word or subject[name] >= max(2, mentions * _SUBJECT):
            yield name


def _english(
    rows: Sequence[Sequence[CutWord]], words: Sequence[Sequence[CutWord]], *, is_page: bool
) -> dict[str, str]:
    contexts: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row in rows:
        for name, before, after in english_names(row):
            contexts[name][before, after] += 1
    if not contexts:
        return {}
    small: Counter[str] = Counter()
    pairs: Counter[tuple[str, str]] = Counter()
    for row in words:
        plain = [word.text if word.tag == "en" else "" for word in row]
        small.update(filter(None, plain))
        pairs.update(pair for pair in pairwise(plain) if all(pair))
    _without_openings(contexts, small)
    inside = {name: around.total() for name, around in contexts.items()}
    for row in words:
        for word, following in pairwise(row):
            if word.tag == "en" and word.text in contexts and following.is_joined:
                contexts[word.text]["", following.text.lower()] += 1  # the first word of a sentence

    def is_plain(name: str, said: int) -> bool:
        """Return whether plain words were only capitalised in a heading or for emphasis."""
        low = name.lower()
        return small[low] * _PLAIN >= said or any(pairs[pair] for pair in pairwise(low.split()))

    kinds = {name: english_kind(name, around, is_page=is_page) for name, around in contexts.items()}
    return {
        name: kind
        for name, kind in kinds.items()
        if kind and (name.split()[-1] in PLACES_EN or not is_plain(name, inside[name]))
    }


def _without_openings(
    contexts: defaultdict[str, Counter[tuple[str, str]]], small: Counter[str]
) -> None:
    """Remove a sentence's first word from a name: Ensure Jessica is Jessica."""
    for name in list(contexts):
        first, _blank, rest = name.partition(" ")
        if rest in contexts and small[first.lower()] and not is_title(first):
            contexts[rest] += contexts.pop(name)


def other_forms(named: Collection[str], persons: Iterable[str]) -> dict[str, str]:
    """Return names that are another form of exactly one person's name: Ser Odric is Odric.

    ``persons`` are known by their own names.
    """
    known = [name for name in persons if name.isascii()]
    everybody = {*named, *known}
    forms: dict[str, str] = {}
    for name in named:
        of = [person for person in known if person != name and is_same_person(name, person)]
        of = of or _of_family(name, known, everybody)
        if name.isascii() and name not in known and len(of) == 1:
            forms[name] = of[0]
    return forms


def _of_family(name: str, known: Sequence[str], everybody: Iterable[str]) -> list[str]:
    """Return the only person of a family whose name stands alone: Keogh is Marty Keogh."""
    family = {n for n in everybody if n != name and n.endswith(f" {name}")}
    return [person for person in known if person in family] if len(family) == 1 else []


def without_pieces(
    named: dict[str, str], texts: Sequence[str], speakers: Iterable[str]
) -> dict[str, str]:
    """Drop names that occur only inside longer ones: 莱特 of 那维莱特."""
    everybody = [*named, *speakers]
    whole_names = {}
    for name, kind in named.items():
        longer = [other for other in everybody if name in other and other != name]
        if longer:
            often = sum(text.count(name) for text in texts)
            inside = max(sum(text.count(other) for text in texts) for other in longer)
            if often - inside < max(2, often // 3):
                continue
        whole_names[name] = kind
    return whole_names


def capitals(words: Sequence[Sequence[CutWord]]) -> frozenset[str]:
    large = Counter(w.text for row in words for w in row if w.tag == "En")
    small = Counter(w.text for row in words for w in row if w.tag == "en" and w.text[0].islower())
    return frozenset(word for word, n in large.items() if n > small[word.lower()])


# Important things of a story: taken, given, hidden or opened repeatedly.


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
_BODY = re.compile(
    "(?:[鼻手脚耳唇眼嘴发眉舌额肩背腰胸腿指掌腕膝臂头脸颈喉][尖背心头口梢垂角根骨尾侧窝腹颊廓]"
    "|[前后][颈背脑额]|脖颈|锁骨|后脑勺)$"
)
_COUNTED = "一两几半"  # the dictionary has 一辆车 as a word
_REACH = 4  # words from a verb to its object: 把 那 一把 旧 钥匙


def handled(words: Sequence[CutWord]) -> Iterator[str]:
    """Yield the objects that a Chinese text says are taken or given: 把铜钥匙放进."""
    for at, word in enumerate(words):
        if word.text not in _TAKEN:
            continue
        for place in range(at + 1, min(at + 1 + _REACH, len(words))):
            if words[place].tag in {"n", "nz"}:
                name = _whole(words, place)
                is_thing = name not in _NOT_THINGS and not name.endswith(_NO_THING_ENDS)
                is_thing = is_thing and not _BODY.search(name) and name[0] not in _COUNTED
                if is_thing and not is_place(words[place]) and 2 <= len(name) <= 6:
                    yield name
                break
            if not words[place].tag.startswith(_BETWEEN) or words[place].text in "，。！？；":
                break


def _whole(words: Sequence[CutWord], at: int) -> str:
    """Join the noun at ``at`` with the following one: 铜 + 钥匙."""
    after = words[at + 1] if at + 1 < len(words) else None
    if after is not None and after.tag in {"n", "nz"} and len(after.text) <= 3:
        return words[at].text + after.text
    before = words[at - 1] if at else None
    if before is not None and before.tag in {"a", "b", "n"} and len(before.text) == 1:
        return before.text + words[at].text
    return words[at].text


_FEWEST = 3  # occurrences of a name; two are enough for four characters
_LONGEST = 9  # characters; a longer run is a phrase
_WHOLE = 0.8  # share of a part's occurrences within a longer name from which it is no name
_MOST_READ = 400_000  # characters of a chat that are searched
_CJK = re.compile("^[\u3400-\u9fff]+$")
# Never part of a name that is found by counting.
_NEVER = frozenset(
    "的了着过在和是有不也都就把被给让向对从到说道看想笑走去吗呢吧啊呀嗯哦嘛啦她他它你我们这么个"
    "一两三几很没再又还要会能可为与而但却或之其此每某谁您咱自己只才已将得地所以因如果于"
    "问听叫见问吃喝坐站拿放打推拉抱握吻哭叹轻微缓低抬转点摇伸忽突然后前里上下中外边时候吸"
)
_TAGS = ("nr", "ns", "nz", "nt", "x", "j", "vg", "ng", "ag", "tg")
_SURE = ("nr", "ns", "nz")
_PLACE_ENDS = tuple("馆店楼城镇村街巷湖岛港宫殿塔寺庙院谷洞关堂阁坊府山峰江河海湾原国邦堡厅桥")
_NOT_FIRST = tuple("小老阿半那间整这本各满附")


def wholes(rows: Sequence[Sequence[CutWord]]) -> dict[str, str]:
    """Return the names found in cut texts, each with its tag: nr or ns."""
    counts: Counter[str] = Counter()
    before: defaultdict[str, set[str]] = defaultdict(set)
    after: defaultdict[str, set[str]] = defaultdict(set)
    places: set[str] = set()
    read = 0
    for row in rows:
        if read > _MOST_READ:
            break
        read += sum(len(word.text) for word in row)
        for run, left, right, ends_in_place in _runs(row):
            for start, end in _pieces(run):
                name = "".join(run[start:end])
                counts[name] += 1
                if ends_in_place and end == len(run):
                    places.add(name)
                before[name].add(run[start - 1] if start else left)
                after[name].add(run[end] if end < len(run) else right)
    enough = {
        name: count
        for name, count in counts.items()
        if count >= (2 if len(name) >= 4 else _FEWEST)
        and len(before[name]) >= 2
        and len(after[name]) >= 2
    }
    tags = {}
    for name, count in enough.items():
        is_where = name in places or (len(name) >= 3 and name.endswith(_PLACE_ENDS))
        if _is_piece(name, count, enough):
            continue
        if looks_foreign(name) or looks_foreign(name.removeprefix("那")):
            tags[name] = "ns" if is_where else "nr"
        elif is_where and not name.startswith(_NOT_FIRST):
            tags[name] = "ns"
    return tags


def _runs(row: Sequence[CutWord]) -> Iterator[tuple[list[str], str, str, bool]]:
    """Yield runs of words unknown to the dictionary, with the words before and behind.

    Also whether the last word of a run is a kind of place.
    """
    run: list[str] = []
    left = ""
    for at, word in enumerate(row):
        if _is_unsure(word) and _CJK.match(word.text):
            if not run:
                left = row[at - 1].text if at else ""
            run.append(word.text)
            continue
        if run and is_kind_of_place(word.text):  # 欧庇 莱克 歌剧院
            after = row[at + 1].text if at + 1 < len(row) else ""
            yield [*run, word.text], left, after, True
        elif len(run) > 1:
            yield run, left, word.text, False
        run = []
    if len(run) > 1:
        yield run, left, "", False


def _is_unsure(word: CutWord) -> bool:
    if len(word.text) > 1 and word.tag.startswith(_SURE):
        return len(word.text) <= 4 and not is_kind_of_place(word.text)
    if len(word.text) > 4 or not _NEVER.isdisjoint(word.text):
        return False
    return word.tag.startswith(_TAGS) or len(word.text) == 1


def _pieces(run: Sequence[str]) -> Iterator[tuple[int, int]]:
    for start in range(len(run)):
        size = len(run[start])
        for end in range(start + 2, len(run) + 1):
            size += len(run[end - 1])
            if size > _LONGEST:
                break
            yield start, end


def _is_piece(name: str, count: int, others: dict[str, int]) -> bool:
    """Return whether ``name`` occurs almost only within a longer one."""
    return any(
        len(other) > len(name) and name in other and often >= _WHOLE * count
        for other, often in others.items()
    )


# Relationships between people, and other names of a person, where a text states them. Both names
# must be known; questions, suppositions and denials are ignored.

_KIN_ZH = (
    "师[父傅尊兄姐弟妹娘]|徒弟|弟子|父亲|母亲|爹|娘|妈妈|爸爸|儿子|女儿|哥哥|姐姐|弟弟|妹妹|兄长"
    "|丈夫"
    "|妻子|夫人|老公|老婆|未婚[夫妻]|男朋友|女朋友|叔叔|舅舅|姑姑|姨妈|阿姨|爷爷|奶奶|外公|外婆"
    "|侄[子女]"
    "|外甥女?|[养义][父母子女兄姐弟妹]|[表堂][哥姐弟妹]|主人|侍女|丫鬟|管家|上司|下属|老板|助理"
    "|秘书|搭档"
    "|同学|同桌|同事|室友|邻居|朋友|好友|闺蜜|仇人|对手|房东|导师|老师|学生|学徒"
)
_KIN_EN = (
    r"(?:half-|step|twin |grand)?(?:sister|brother|mother|father|daughter|son)|wife|husband|uncle"
    r"|aunt"
    r"|cousin|nephew|niece|master|apprentice|pupil|student|teacher|mentor|tutor|boss|servant|squire"
    r"|fianc[ée]e?|girlfriend|boyfriend|(?:best )?friend|partner|rival|ward|guardian|landlady"
    r"|landlord|roommate|neighbou?r|assistant|secretary|twin|bodyguard"
)
_HAS_KIN = re.compile(f"{_KIN_ZH}|\\b(?:{_KIN_EN})\\b")
_END_ZH = r"(?=[，。！；：、”」…!,.\s]|$)"
_ADJ_EN = r"(?:younger |elder |older |little |big |only |eldest |youngest |own |old |twin )?"
# Between the speaker and the person mentioned.
_BETWEEN_ZH = re.compile(
    f"(?:(?P<you>你)(?:就|可|永远|一直|也|是)*是我的?(?:亲)?(?P<k>{_KIN_ZH})|我(?:就|可|永远|一直"
    f"|也)*是你的?(?:亲)?(?P<j>{_KIN_ZH}))"
    f"{_END_ZH}"
)
_BETWEEN_EN = re.compile(
    rf"\b(?:(?P<you>[Yy]ou)(?:['’]re| are) my {_ADJ_EN}(?P<k>{_KIN_EN})"
    rf"|I(?:['’]m| am) your {_ADJ_EN}(?P<j>{_KIN_EN}))\b(?=[.,;!—]|$)"
)
_UNSURE = re.compile(
    r"[？?]|吗|如果|要是|假如|若|以为|说不定|是不是|会不会|不是|曾|以前|从前|好像|仿佛|听说|梦"
    r"|\b(?:if|would|could|might|maybe|perhaps|like|not|never|no longer|used to|once|former|late"
    r"|ex|pretend\w*|wish\w*|dream\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_CLAUSES = re.compile(r"[^。！？!?\n；;]+[。！？!?；;]?")
_SENTENCES_EN = re.compile(r"[^.!?\n]+[.!?]?")
_CALLED = re.compile(
    "人称|外号|绰号|诨号|诨名|小名|乳名|昵称|又叫|又名|化名|本名|原名|真名|别名|，字|管|"
    r"known as|nicknam|alias|real name|code ?name|callsign"
)
_AKA_ZH = (
    "(?:江湖上?|道上|人人|大家|众人|大伙儿?|朋友们?)?都?(?:人称|外号|绰号|诨号|诨名|小名|乳名"
    "|昵称|又叫|又名|化名"
    "|本名|原名|真名|别名|(?<=，)字)"
)
_ALIAS_ZH = "[“「‘『]?(?P<x>[\u4e00-\u9fff·]{2,6}?)[”」’』]?(?=[，。！；、\\s”」]|$)"
_ALIAS_EN = r"(?:the |old )?(?P<x>[A-Z][\w'’\-]+(?: [A-Z][\w'’\-]+)?)"
_NO_ALIAS = re.compile(
    rf"^(?:{_KIN_ZH}|大人|先生|小姐|公子|姑娘|掌门|帮主|老大|大哥|什么|自己|名字)$|[我你他她的了是]"
)
_SHORT = re.compile("([小阿老])([\u4e00-\u9fff])")
_LEAST, _MOST = 2, 3  # characters of a Chinese name, and the fewest of an English nickname
_NAMES_KEPT = 64  # sets of names whose patterns are held


def told_bonds(
    text: str, people: Mapping[str, str], speaker: str, hearer: str = ""
) -> Iterator[ExtractedRelation]:
    """Yield the relationships that a text states between ``people``.

    ``people`` maps each name to the person; ``speaker`` is “I” and ``hearer`` “you”, if known.
    """
    if not _HAS_KIN.search(text):
        return
    is_zh = not text.isascii() and any("\u4e00" <= c <= "\u9fff" for c in text)
    names = frozenset(name for name in people if name in text)
    if not names and not (speaker and hearer):
        return
    for sentence in (_CLAUSES if is_zh else _SENTENCES_EN).findall(text):
        if _HAS_KIN.search(sentence) and not _UNSURE.search(sentence):
            for pattern in _bonds(names, is_zh):
                for match in pattern.finditer(sentence):
                    told = _bond(match, people, speaker, is_zh=is_zh)
                    if told is not None:
                        yield told
            if speaker and hearer and speaker != hearer:
                for match in (_BETWEEN_ZH if is_zh else _BETWEEN_EN).finditer(sentence):
                    pair = (hearer, speaker) if match["you"] else (speaker, hearer)
                    yield _edge(*pair, match["k"] or match["j"], is_zh=is_zh)


def _bond(
    match: re.Match[str], people: Mapping[str, str], speaker: str, *, is_zh: bool
) -> ExtractedRelation | None:
    groups = match.groupdict()
    one = people.get(groups.get("a") or "", speaker)
    other = people.get(groups.get("b") or "", speaker)
    if not one or not other or one == other:
        return None
    return _edge(one, other, match["k"], is_zh=is_zh)


def _edge(one: str, other: str, kin: str, *, is_zh: bool) -> ExtractedRelation:
    """Return the edge that says that ``one`` is ``kin`` of the other."""
    if is_zh:
        return ExtractedRelation(other, f"的{kin}是", one)
    return ExtractedRelation(one, f"is the {kin.casefold()} of", other)


@lru_cache(maxsize=_NAMES_KEPT)
def _bonds(names: Collection[str], is_zh: bool) -> tuple[re.Pattern[str], ...]:  # noqa: FBT001
    """Return the patterns of a statement about two of these names, or about one and “I”."""
    name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    one, other = f"(?P<a>{name})", f"(?P<b>{name})"
    if is_zh:
        kin = f"(?P<k>{_KIN_ZH})"
        be = "(?:就|原来|其实|可|正|也|确实|本)?是"
        forms = (
            f"{one}{be}{other}的{kin}{_END_ZH}",
            f"{other}的{kin}(?:就|正|便)?(?:是|叫|名叫|名唤){one}",
            f"{other}的{kin}{one}",
            f"{one}{be}我的?{kin}{_END_ZH}",
            f"我{be}{other}的{kin}{_END_ZH}",
            f"我的?{kin}(?:就是|是|叫)?{one}",
        )
        return tuple(map(re.compile, forms))
    kin = rf"{_ADJ_EN}(?P<k>{_KIN_EN})\b"
    one = rf"(?:(?:old|young|poor|little) )?{one}(?: [A-Z]\w+)?"
    forms_en = (
        rf"\b{one} (?:is|was) {other}['’]s {kin}",
        rf"\b{other}['’]s {kin}(?:,| is| was)? (?:called |named |old )?{one}\b",
        rf"\b{one}, {other}['’]s {kin}",
        rf"\b{one}(?: is| was|,) (?:the |an? )?{kin} of {other}\b",
        rf"\b{one} is my {kin}",
        rf"\bI(?: am|['’]m) {other}['’]s {kin}",
        rf"\b[Mm]y {kin},? {one}\b",
    )
    return tuple(map(re.compile, forms_en))


def told_aliases(texts: Iterable[str], people: Collection[str]) -> dict[str, str]:
    """Return the other names of people that texts state, with the name of each person."""
    found: dict[str, str] = {}
    for text in texts:
        if not _CALLED.search(text):
            continue
        names = frozenset(name for name in people if name in text)
        if not names:
            continue
        is_zh = not text.isascii() and any("\u4e00" <= c <= "\u9fff" for c in text)
        for pattern in _aliases(names, is_zh):
            for match in pattern.finditer(text):
                alias = match["x"]
                if alias not in people and is_entity_name(alias) and not _NO_ALIAS.search(alias):
                    found.setdefault(alias, match["n"])
    return found


@lru_cache(maxsize=_NAMES_KEPT)
def _aliases(names: Collection[str], is_zh: bool) -> tuple[re.Pattern[str], ...]:  # noqa: FBT001
    name = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    who = f"(?P<n>{name})"
    if is_zh:
        forms = (
            rf"{who}[，,]?{_AKA_ZH}(?:是|叫做?|为|唤作?)?{_ALIAS_ZH}",
            rf"(?:都|人人|一直|习惯)管{who}叫{_ALIAS_ZH}",
        )
        return tuple(map(re.compile, forms))
    forms_en = (
        rf"\b{who},? (?:who (?:is|was) )?(?:also |better |otherwise )?known (?:to \w+ )?as"
        rf" {_ALIAS_EN}",
        rf"\b{who}, (?:nicknamed|alias) {_ALIAS_EN}",
        rf"\b{who}['’]s (?:nickname|real name|alias|code ?name|callsign) (?:is|was) {_ALIAS_EN}",
    )
    return tuple(map(re.compile, forms_en))


def short_names_zh(
    named: Collection[str], people: Collection[str], speakers: Iterable[str] = ()
) -> dict[str, str]:
    """Return whose short form a name is, if only one person fits: 小陆, 阿泽 of 陆泽.

    A whole name is another form of the speaker who writes under its short form: 许棠 of 阿棠.
    """
    short = {name: _wholes_of(name, people) for name in named}
    found = {name: of[0] for name, of in short.items() if len(of) == 1}
    for speaker in speakers:
        of = _wholes_of(speaker, [*people, *named])
        if len(set(of)) == 1 and of[0] in named:
            found[of[0]] = speaker
    return found


def _wholes_of(name: str, people: Iterable[str]) -> list[str]:
    match = _SHORT.fullmatch(name)
    if match is None:
        return []
    at = slice(1, None) if match[1] == "阿" else slice(0, 1)
    whole = [p for p in people if _LEAST <= len(p) <= _MOST and not _SHORT.fullmatch(p)]
    return [person for person in whole if match[2] in person[at]]


# “Hey Mel!”, “Thanks, Cal.” Words before a name that is called.
_CALLED_BEFORE = (
    r"(?:^|[,.!?…]\s*|\b(?:hey|hi|hello|thanks|thank you|yeah|sorry|so|oh|wow|bye),?\s+)"
)
_MOSTLY = 0.75  # share of mentions in which a nickname is called, from which it is that speaker's


def nicknames_en(
    named: Iterable[str], speakers: Collection[str], said: Sequence[tuple[str, str]]
) -> dict[str, str]:
    """Return whose nickname a name is: Mel of Melanie, whom others mostly call so.

    ``said`` are (speaker, text). A nickname is the beginning of exactly one speaker's name.
    """
    found: dict[str, str] = {}
    for name in named:
        of = [one for one in speakers if one != name and one.startswith(name)]
        if len(of) != 1 or len(name) < _LEAST or not name.isalpha():
            continue
        word = re.compile(rf"\b{name}\b")
        called = re.compile(rf"{_CALLED_BEFORE}{name}\s*[,.!?…~]", re.IGNORECASE)
        texts = [text for speaker, text in said if speaker != of[0] and name in text]
        mentions = sum(len(word.findall(text)) for text in texts)
        if mentions and sum(len(called.findall(text)) for text in texts) >= mentions * _MOSTLY:
            found[name] = of[0]
    return found
