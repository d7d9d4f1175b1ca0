"""Names that a dictionary cuts in pieces, put together again from how often the pieces meet.

A chat's own names are in no dictionary: 那维莱特 comes as 那维 and 莱特. What stands
together wherever it stands, and nowhere with a piece missing, is one name. What may be
half of a name is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from engram_desktop.services.extractive.names.names_zh import is_kind_of_place, looks_foreign
from engram_desktop.services.extractive.words.cutting import Word

_FEWEST = 3  # times a name is said; twice is enough for four characters
_LONGEST = 9  # characters; a longer run is a phrase
_WHOLE = 0.8  # share of the times a piece stands in the longer name from which it is a piece only
_MOST_READ = 400_000  # characters of a chat that are looked through
_CJK = re.compile("^[\u3400-\u9fff]+$")
# Never inside a name that is found by counting alone.
_NEVER = frozenset(
    "的了着过在和是有不也都就把被给让向对从到说道看想笑走去吗呢吧啊呀嗯哦嘛啦她他它你我们这么个"
    "一两三几很没再又还要会能可为与而但却或之其此每某谁您咱自己只才已将得地所以因如果于"
    "问听叫见问吃喝坐站拿放打推拉抱握吻哭叹轻微缓低抬转点摇伸忽突然后前里上下中外边时候吸"
)
_TAGS = ("nr", "ns", "nz", "nt", "x", "j", "vg", "ng", "ag", "tg")
_SURE = ("nr", "ns", "nz")
_PLACE_ENDS = tuple("馆店楼城镇村街巷湖岛港宫殿塔寺庙院谷洞关堂阁坊府山峰江河海湾原国邦堡厅桥")
_NOT_FIRST = tuple("小老阿半那间整这本各满附")


def wholes(rows: Sequence[Sequence[Word]]) -> dict[str, str]:
    """Return the names found in cut texts, each with the tag it deserves: nr or ns."""
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


def _runs(row: Sequence[Word]) -> Iterator[tuple[list[str], str, str, bool]]:
    """Yield runs of what the dictionary is not sure of, and what stands at both ends.

    With them goes whether the last of it is a kind of place.
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


def _is_unsure(word: Word) -> bool:
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
    """Whether ``name`` is hardly ever said but as a part of a longer one."""
    return any(
        len(other) > len(name) and name in other and often >= _WHOLE * count
        for other, often in others.items()
    )
