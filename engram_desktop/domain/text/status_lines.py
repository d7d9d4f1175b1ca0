"""Status lines at the beginning or end of a reply, without a tag or a fence.

Many cards ask for “HP: 80/100 | 好感度: 35 | 位置: 酒馆”, or a few such lines, in each reply. A
letter, a list, a poem or a dialogue is not one: the labels are those of panels. Whether a chat has
a panel at all is decided by the caller: it is in many of its replies.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import takewhile

from engram_desktop.domain.values import dataclass

_KNOWN = frozenset(
    "好感度 好感 好感值 亲密度 信任 信任度 忠诚度 羁绊 关系 等级 经验 经验值 体力 体力值 生命"
    " 生命值 血量 魔力 魔力值 法力 精力 精神 理智 耐力 饥饿 饥饿度 饱食度 口渴 疲劳 疲劳度 压力"
    " 健康 心情 情绪 状态 身体状态 当前状态 金钱 金币 银币 资金 天气 服装 衣着 穿着 姿势 物品"
    " 背包 持有物 装备 任务 当前任务 ステータス 気分 所持金 hp mp sp exp xp lv level health mana"
    " stamina energy hunger thirst fatigue stress sanity mood affection trust loyalty relationship"
    " status condition gold money coins weather outfit clothes clothing inventory equipment quest"
    " objective".split()
)
# The values of these are time and place: they are shown without the panel.
_SCENE = frozenset(
    "时间 当前时间 時間 时刻 時刻 日期 日付 地点 地點 位置 当前位置 場所 场景 場景 所在地"
    " time date day place location".split()
)
_CELL = re.compile(r"[^\w\n“”\"「」『』]{0,6}(\w[\w ]{0,15}?)\**\s*[:：]\**\s*(\S.{0,59})")
_CELLS = re.compile(r"\s*[|｜]\s*|(?<=[\]】])\s*(?=[\[【])")
_SPOKEN = re.compile('[“”"「」『』。！？!?…]')
_TITLE = re.compile(
    r"[\W_]*(?:(?:角色|当前|人物)?状态(?:栏|面板)?|面板|(?:status|stats)(?: bar| panel)?)[\W_]*",
    re.IGNORECASE,
)
_RULE = re.compile(r"[\s\-=—─━~*_]*")
_LONGEST = 200  # characters of a line of a panel
_LEAST_LINES, _LEAST_CELLS = 2, 3  # a single line needs as many cells
_LEAST_KNOWN = 2  # known labels, and half of all
_Cell = tuple[str, str]  # a label, folded, and its value
_INTRODUCES = ("：", ":")  # a line with this end introduces a list


@dataclass(frozen=True, slots=True)
class StatusLines:
    """``labels`` of a panel, folded, ``scene`` its hour and place, ``rest`` the other text."""

    labels: frozenset[str]
    scene: tuple[str, ...]
    rest: str


def status_lines(text: str) -> StatusLines | None:
    """Return the panel at the end of a message, else that at its beginning; None without one."""
    lines = text.strip().split("\n")
    for is_at_end in (True, False):
        ordered = lines[::-1] if is_at_end else lines
        if (found := _panel(ordered, is_at_end=is_at_end)) is not None:
            count, cells = found
            rest = ordered[count:]
            story = "\n".join(rest[::-1] if is_at_end else rest).strip()
            told = [
                f"{label} {value}" if value.isdecimal() else value
                for label, value in (cells[::-1] if is_at_end else cells)
                if label in _SCENE
            ]
            return StatusLines(frozenset(label for label, _value in cells), tuple(told), story)
    return None


def _panel(lines: Sequence[str], *, is_at_end: bool) -> tuple[int, list[_Cell]] | None:
    """Return how many lines are a panel with its title and rules, and its contents."""
    around = _around(lines)
    rows = list(takewhile(bool, map(_cells_of, lines[around:])))
    cells = [cell for row in rows for cell in (row[::-1] if is_at_end else row)]
    labels = {label for label, _value in cells}
    count = around + len(rows)
    framed = _around(lines[count:])
    before = "".join(lines[count + framed : count + framed + 1]).rstrip()
    is_titled = any(map(_TITLE.fullmatch, lines[count : count + framed]))
    if is_at_end and before.endswith(_INTRODUCES) and not is_titled:
        return None
    known = len(labels & (_KNOWN | _SCENE))
    is_few = len(rows) < _LEAST_LINES and len(cells) < _LEAST_CELLS
    if is_few or known < _LEAST_KNOWN or known * 2 < len(labels):
        return None
    return count + framed, cells


def _around(lines: Iterable[str]) -> int:
    """Return how many leading lines are blank, a rule or the title of a panel."""
    is_frame = lambda line: bool(_RULE.fullmatch(line) or _TITLE.fullmatch(line))  # noqa: E731
    return sum(1 for _line in takewhile(is_frame, lines))


def _cells_of(line: str) -> list[_Cell]:
    """Return the labels and values of a line of nothing else; [] for other lines."""
    if len(line) > _LONGEST or _SPOKEN.search(line):
        return []
    cells = [_CELL.fullmatch(cell) for cell in _CELLS.split(line.strip(" |｜\t"))]
    if not all(cells):
        return []
    return [(cell[1].casefold(), cell[2].strip(" *]】")) for cell in cells if cell]
