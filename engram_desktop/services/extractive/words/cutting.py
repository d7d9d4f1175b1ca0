"""Words of a text with their part of speech, Chinese and English alike.

`rjieba` cuts and tags Chinese; English words come as they stand, with a tag of ours. One word list
per chat, so that its own names are never cut in two.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engram_desktop.domain.values import dataclass

_ENGLISH = re.compile(r"[A-Za-z][A-Za-z'’-]*")
_NO_NAME = ("I'", "I’", "OK")
_CJK = re.compile(r"[\u3400-\u9fff]")

# Words that carry no content by themselves.
STOP_EN = frozenset(
    """
    a an the and or but if so as of at by for from in into on onto out over to up down with
    without about after again all also am any are aren't be been being before both can can't
    cannot could couldn't did didn't do does doesn't doing don't during each ever every few
    further get gets getting got had has hasn't have haven't having he he's her here here's hers
    herself him himself his how i i'd i'll i'm i've is isn't it it's its itself just let let's
    like me more most much my myself no nor not now of off oh ok okay on once one only other our
    ours ourselves own really same she she's should shouldn't some such than that that's the their
    theirs them themselves then there there's these they they're they've this those through too
    under until very was wasn't we we'd we'll we're we've were weren't what what's when where
    which while who whom why will with won't would wouldn't yeah yes yep you you'd you'll you're
    you've your yours yourself yourselves good great nice wow hey hi hello thanks thank well glad
    sounds sure definitely totally always going go gonna lot lots thing things something anything
    everything way make makes made take took know think feel see say said says been want need got
    back still even though maybe pretty hope awesome cool amazing absolutely congrats lately keep
    """.split()
)
STOP_ZH = frozenset(
    """
    一个 一些 一下 一样 一直 一起 这个 那个 这些 那些 这里 那里 这样 那样 什么 怎么 怎样 为什么
    多少 我们 你们 他们 她们 它们 自己 大家 可以 可能 应该 已经 因为 所以 但是 不过 虽然 如果 就是
    还是 只是 而且 或者 然后 之后 之前 时候 没有 不是 不要 不会 不能 知道 觉得 感觉 看着 看到 看见
    听到 说道 说话 起来 出来 过来 过去 下来 上来 回来 进来 进去 出去 下去 真的 非常 特别 有点 有些
    十分 这么 那么 多么 似乎 仿佛 好像 突然 忽然 终于 轻轻 慢慢 微微 微笑 笑着 笑容 点头 点点头
    摇头 眼睛 眼神 目光 声音 嘴角 低头 抬头 转身 身体 表情 语气 脸上 手里 手中 心里 心中 今天 明天
    昨天 现在 刚才 一会儿 这时 此时 不知道 对不起 没关系 谢谢 好的 哈哈 哈哈哈 嘻嘻 嗯嗯 东西 事情
    一点 先生 小姐 也许 大概 其实 当然 只有 还有 还要 不用 需要 开始 继续 以后 以前 一定 一声 一眼
    半天
    """.split()
)
# Words that nobody would search for, though they can be nouns.
COMMON_EN = frozenset(
    """
    time times day days night nights morning evening afternoon week weeks month year years hour
    hours minute minutes moment while today tomorrow yesterday people person man woman guy guys
    girl boy someone somebody world life home house room place places thing stuff part side end
    start point kind sort type way ways idea ideas fact case reason reasons problem issue question
    answer word words talk chat message name number bit lot couple few half rest piece line list
    set group hand hands head face eyes eye hair arm arms shoulder shoulders back body heart mind
    voice breath breathe lip lips mouth cheek cheeks finger fingers foot feet leg legs skin chest
    neck brow brows eyebrow eyebrows gaze glance look looks smile smiles grin laugh laughter nod
    sigh tone expression touch warmth silence feeling feelings emotion emotions love hope fear joy
    fun luck care thought thoughts memory memories dream dreams sense sight sound support help
    advice experience chance change changes difference progress goal goals passion inspiration
    effort work job step steps closer close better best good great nice little big small old new
    young long short high low right left wrong real true sure able same different other next last
    first second many much more most less least enough whole full free happy sad glad proud
    excited amazing awesome beautiful special important hard easy soft warm cold hot dark light
    deep slow quick quiet loud ready busy tired fine okay whatever anything something everything
    nothing none one two three since till though although because else ever never again away
    around along across behind beside between among against toward towards within without upon
    onto inspiring beauty journey vibe vibes appreciation sorry plus fave amount spot comp dude
    buddy dear darling honey sweetheart baby sir lady
    """.split()
)
_CONTENT_TAGS = ("n", "v", "a", "eng", "nr", "ns", "nt", "nz", "i", "l", "t")


@dataclass(frozen=True, slots=True)
class Word:
    text: str
    tag: str  # rjieba's: n noun, v verb, nr person, ns place, t time, x mark; en, En for English
    is_joined: bool = False  # an English word that only blanks part from the one before

    @property
    def is_content(self) -> bool:
        """Whether it says something by itself."""
        if self.tag in {"en", "En"}:
            return len(self.text) > 2 and self.text.lower() not in STOP_EN
        if self.text in STOP_ZH or not self.tag.startswith(_CONTENT_TAGS):
            return False
        return len(self.text) > 1

    @property
    def is_noun(self) -> bool:
        """Whether it can be a keyword; English words are not told apart."""
        if self.tag == "en":
            return self.text.isalpha() and len(self.text) > 3 and not self.text.endswith("ly")
        return self.tag.startswith("n") or self.tag in {"vn", "En"}

    @property
    def key(self) -> str:
        """Form under which it is counted."""
        if self.tag not in {"en", "En"}:
            return self.text
        word = self.text.lower().removesuffix("'s").removesuffix("’s")
        return word[:-1] if len(word) > 4 and word.endswith("s") and word[-2] != "s" else word


class Cutter:
    """Cuts texts into words, knowing the chat's own names."""

    def __init__(self, names: Mapping[str, str] | None = None) -> None:
        """``names`` are never cut; each with the tag it is to have."""
        import rjieba  # noqa: PLC0415 - reads its dictionary: 0.1 s, when it is first needed

        self._jieba = rjieba.Jieba()
        self.add(names or {})

    def add(self, names: Mapping[str, str]) -> None:
        """Cut these no more; each with the tag it is to have."""
        for name, tag in names.items():
            if _CJK.search(name):
                self._jieba.add_word(name, 1_000_000, tag)

    def knows(self, word: str) -> bool:
        """Whether ``word`` is in the dictionary, or a name of this chat; else it is a guess."""
        return bool(self._jieba.has_word(word))

    def words(self, text: str) -> list[Word]:
        if not _CJK.search(text):
            return english(text)
        return [Word(word, tag) for word, tag in self._jieba.tag(text)]


def english(text: str) -> list[Word]:
    """Words of an English text; ``En`` marks a capital that does not open a sentence."""
    words: list[Word] = []
    end = 0
    for match in _ENGLISH.finditer(text):
        between = text[end : match.start()]
        opens = not words or any(mark in between for mark in '.!?…\n:“"*(')
        is_name = (
            match[0][0].isupper()
            and not opens
            and match[0] != "I"
            and not match[0].startswith(_NO_NAME)
        )
        joined = bool(words) and not between.strip()
        words.append(Word(match[0], "En" if is_name else "en", joined))
        end = match.end()
    return words
