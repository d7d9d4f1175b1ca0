"""People, places and things of a story, and their names."""

from __future__ import annotations

import functools
import re
import unicodedata
from dataclasses import field
from typing import Any, Literal, get_args

from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.values import dataclass
from engram_desktop.late import late_pattern

# Entities and relations: the graph's nodes and edges.


EntityType = Literal["char", "loc", "item", "concept", "unknown"]
ENTITY_TYPES: tuple[EntityType, ...] = get_args(EntityType)

_TYPE_WORDS: dict[str, EntityType] = {
    **dict.fromkeys(("char", "character", "person", "people", "人物", "角色", "人"), "char"),
    **dict.fromkeys(("loc", "location", "place", "地点", "场所", "位置"), "loc"),
    **dict.fromkeys(("item", "object", "thing", "物品", "道具"), "item"),
    **dict.fromkeys(("concept", "idea", "event", "org", "organization", "概念", "组织"), "concept"),
}


def entity_type(word: str) -> EntityType:
    """Map a model's word for a type to one of ours; unknown words give ``unknown``."""
    return _TYPE_WORDS.get(word.strip().lower(), "unknown")


@functools.lru_cache(maxsize=4_096)
def norm_name(name: str) -> str:
    """Return the key under which an alias is looked up: NFKC, case-folded, blanks collapsed."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(frozen=True, slots=True)
class EntityNode:
    """One entity. ``profile`` is for machines, ``description`` its YAML for models."""

    id: str
    name: str
    type: EntityType
    aliases: tuple[str, ...] = ()
    description: str = ""
    profile: dict[str, Any] = field(default_factory=dict)
    last_updated_at: int = 0
    layout_x: float | None = None
    layout_y: float | None = None
    is_locked: bool = False
    is_hidden: bool = False
    merged_into: str | None = None
    event_count: int = 0
    degree: int = 0


@dataclass(frozen=True, slots=True)
class Relation:
    """One edge: subject, predicate, object, with the ids and floors of the events that support it.

    It holds from floor ``valid_from`` (None: always) up to ``valid_to``, not included (None: now).
    ``superseded_by`` is the relation that ended it, if any. ``is_by_hand``: a user made it.
    """

    id: str
    src: str
    predicate: str
    dst: str
    event_ids: tuple[str, ...] = ()
    floors: tuple[tuple[int, int], ...] = ()
    valid_from: int | None = None
    valid_to: int | None = None
    is_current: bool = True
    superseded_by: str | None = None
    is_by_hand: bool = False


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Two entities that may be the same, ``one`` the better known, and why (translatable)."""

    id: str
    one: EntityNode
    other: EntityNode
    score: float
    reasons: tuple[Phrase, ...]


@dataclass(frozen=True, slots=True)
class GraphView:
    """A neighbourhood to draw. ``is_truncated``: nodes were left out because of the limit."""

    center_id: str | None
    entities: tuple[EntityNode, ...]
    relations: tuple[Relation, ...]
    is_truncated: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """What a graph view shows: up to ``limit`` entities around one, or the best known ones.

    ``also`` are shown in addition; ``at`` is the last floor of the story shown (None: all).
    """

    center_id: str | None = None
    hops: int = 1
    limit: int = 150
    at: int | None = None
    also: tuple[str, ...] = ()


# Words that can name an entity, and words that only stand for somebody. Pronouns, words for kin and
# words for a role are never entities of their own. A name that merely contains such a word is one:
# 他乡客栈, Sister Margaret.


# The persona and the card's character have the same ids in every chat, whatever their names are.
USER_ENTITY = "user"
CHAR_ENTITY = "char"

CastRole = Literal["user", "char"]

PRONOUNS = frozenset(
    """
    我 你 您 他 她 它 祂 牠 咱 俺 吾 汝 尔 伊 我们 你们 您们 他们 她们 它们 祂们 咱们 俺们 咱俩
    我俩 你俩 他俩 她俩 人家 自己 本人 自身 我自己 你自己 他自己 她自己 它自己 彼此 互相 双方
    对方 大家 大伙 众人 别人 他人 旁人 某人 某个人 有人 所有人 每个人 两人 二人 三人 一个人 谁
    什么 哪里 这 那 这个 那个 这些 那些 这里 那里 这儿 那儿 此人 那人 这人 其 其他人 其余人 i me
    my mine myself you your yours yourself yourselves he him his himself she her hers herself it
    its itself we us our ours ourselves they them their theirs themselves themself one oneself
    thee thou who whom whose what which this that these those here there someone somebody anyone
    anybody everyone everybody nobody no-one each both others another something anything
    everything nothing
    """.split()
)
KIN_AND_ROLES = frozenset(
    """
    妈 爸 爹 娘 妈妈 爸爸 妈咪 爹地 老爸 老妈 父亲 母亲 爹爹 娘亲 父母 家长 爷爷 奶奶 外公 外婆
    姥姥 姥爷 祖父 祖母 哥 姐 弟 妹 哥哥 姐姐 弟弟 妹妹 大哥 二哥 大姐 二姐 兄长 兄弟 姐妹 姊妹
    兄妹 姐弟 小弟 小妹 学长 学姐 学弟 学妹 叔叔 伯伯 伯父 伯母 阿姨 婶婶 舅舅 舅妈 姑姑 姑妈
    姨妈 表哥 表姐 表弟 表妹 堂哥 堂姐 堂弟 堂妹 儿子 女儿 孩子 小孩 孙子 孙女 侄子 侄女 外甥
    外甥女 丈夫 妻子 老公 老婆 先生 女士 太太 夫人 小姐 少爷 男人 女人 男孩 女孩 少年 少女 老人
    婴儿 男子 女子 师父 师傅 师尊 师兄 师姐 师弟 师妹 徒弟 徒儿 弟子 老师 同学 同桌 学生 老板
    上司 下属 部下 同事 主人 陛下 殿下 大人 前辈 后辈 路人 客人 顾客 陌生人 邻居 朋友 好友 恋人
    男友 女友 男朋友 女朋友 敌人 同伴 伙伴 旁白 系统 mother father mom mum mommy mummy mama dad
    daddy papa parent parents grandmother grandfather grandma grandpa granny brother sister
    sibling siblings son daughter child kid baby uncle aunt auntie cousin nephew niece husband
    wife spouse boyfriend girlfriend lover friend friends stranger master mistress teacher
    student pupil disciple apprentice boss colleague coworker majesty highness sir madam ma'am
    miss mister mr mrs ms gentleman man woman boy girl guy guest customer neighbor neighbour
    enemy companion narrator system
    """.split()
)
_USER_WORDS = frozenset(
    """
    {{user}} {user} <user> 用户 玩家 主角 主人公 user player protagonist
    """.split()
)
_CHAR_WORDS = frozenset("{{char}} {char} <char> <bot> {{bot}}".split())
_OWNER_ZH = late_pattern(
    "^(?:(?:我|你|您|他|她|它|咱|自己|人家)们?的?|[这那某]个?|一[个名位])(?=.)"
)
_OWNER_EN = late_pattern(
    r"^(?:the|a|an|my|your|his|her|its|our|their|this|that|some|one's) (?:own |old |young )?"
)
_MACRO = late_pattern(r"\{\{\s*(user|char)\s*\}\}|<(user|char|bot)>", re.IGNORECASE)


def is_entity_name(name: str) -> bool:
    """Return whether ``name`` can name an entity: no pronoun, kin or role word, or punctuation."""
    norm = norm_name(name)
    if cast_role(norm) is not None or not any(c.isalnum() for c in norm):
        return False
    return not any(_only_stands_for(word) for word in _bare(norm))


def cast_role(name: str) -> CastRole | None:
    """Return whether ``name`` is a word for the player's persona or for the card's character."""
    norm = norm_name(name)
    norm = re.sub(r"\s+", "", norm) if norm.startswith("{") else norm.removeprefix("the ")
    if norm in _USER_WORDS:
        return "user"
    return "char" if norm in _CHAR_WORDS else None


def fill_cast(name: str, user: str, char: str) -> str:
    """Fill macros with names: ``{{user}}的剑``. A macro without a name stays."""
    names = {"user": user, "char": char, "bot": char}
    return _MACRO.sub(lambda m: names[(m[1] or m[2]).lower()] or m[0], name)


def _bare(norm: str) -> tuple[str, ...]:
    """Return the word, and the word without its possessive or article: 我的妈妈, the teacher."""
    words = [norm]
    for owner in (_OWNER_ZH, _OWNER_EN):
        bare = owner.sub("", norm)
        if bare != norm:
            words.append(bare)
    return tuple(words)


def _only_stands_for(word: str) -> bool:
    plain = word.removesuffix("们")
    return any(w in PRONOUNS or w in KIN_AND_ROLES for w in (word, plain))
