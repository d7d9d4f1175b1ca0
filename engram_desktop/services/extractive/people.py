"""Which names of a chat are people, places and things.

A name must occur often enough, and in the contexts of its kind. A chat's own names are in no
dictionary: 那维莱特 is cut into 那维 and 莱特. Parts that always occur together, and nowhere
without the other, are joined to one name.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

from engram_desktop.domain.graph.entity import EntityType
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


def other_forms(named: Iterable[str], persons: Iterable[str]) -> dict[str, str]:
    """Return names that are another form of exactly one person's name: Ser Odric is Odric.

    ``persons`` are known by their own names.
    """
    known = [name for name in persons if name.isascii()]
    forms: dict[str, str] = {}
    for name in named:
        of = [person for person in known if person != name and is_same_person(name, person)]
        if name.isascii() and name not in known and len(of) == 1:
            forms[name] = of[0]
    return forms


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
                is_thing = is_thing and not _BODY.search(name)
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
