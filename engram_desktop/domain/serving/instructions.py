"""Instructions and tasks in a request: messages that are not part of the chat.

A text is only tested if its place allows an instruction: behind the story, or instead of one.
Patterns match its beginning, so that a long prompt that mentions summaries is not an instruction.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import cached_property
from itertools import takewhile

from engram_desktop.domain.serving.alignment import STRAY, Aligned
from engram_desktop.domain.serving.exchange import has_memory
from engram_desktop.domain.serving.line_and_request import Floor, RequestMessage
from engram_desktop.domain.serving.request import plain, worth
from engram_desktop.domain.values import dataclass

_LOOKED_AT = 600  # characters of an instruction: the order comes first, or last
_LONG = 160  # characters: nudges are shorter
_COMMANDS = ("json", "respond", "output", "only return", "limit", "words", "字以内", "输出", "请")
_I = re.IGNORECASE
# An extension asks about the story; no part of the story is to be written.
_ABOUT = re.compile(
    r"\bsummar(?:y|i[sz]e|i[sz]ing|i[sz]ation)\b|\bsynopsis\b|\brecap\b"
    r"|\b(?:a|concise|short|suitable|the|chat|word) titles?\b|\btitle (?:for|of)\b"
    r"|\bcategori[sz]ing\b|\bbroad tags\b|\bgenerate .{0,30}\btags?\b|\bfollow-?ups?\b"
    r"|\bfollow-?up questions\b|\bautocomplet|\bsearch quer(?:y|ies)\b|\btranslat(?:e|ion|or)\b"
    r"|\bclassify\b|\bclassification\b|\bemotion(?:al)? (?:label|of)\b|\bsentiment\b"
    r"|\bimage (?:generation )?prompt\b|\bstable diffusion\b|\bcomma[- ]separated\b"
    r"|\bextract\b.{0,80}\b(?:facts?|entit|events?|memor|key)|\bkeywords?\b.{0,40}\blist\b"
    r"|\bmemory (?:book|entry|keeper)\b|\blorebook entr|\bjson (?:object|array|format|only)\b"
    r"|\bdescribe\b.{0,60}\b(?:appearance|surroundings|in detail for)\b"
    r"|\b(?:give|name) (?:this|the) (?:chat|conversation)\b|\bfitting emoji\b"
    r"|\bresponses from various models\b"
    r"|总结|概括|摘要|归纳|标题|命名|翻译|译成|译为|分类|情绪标签|情感标签|提取|关键词|标签"
    r"|搜索查询|图像提示|绘图|生图|提示词|记忆条目|世界书条目|后续问题",
    _I,
)
# A chat program asks for a title of the chat, in a message of the player's.
_NAMES_CHAT = re.compile(
    r"\b(?:generate|write|give|suggest|provide|create|return)\b.{0,60}\btitle\b.{0,60}"
    r"\b(?:conversation|chat|discussion)\b"
    r"|\bsummari[sz](?:e|ing) (?:our|this|the) (?:conversation|chat|discussion)\b.{0,40}"
    r"\b(?:title|words?)\b"
    r"|(?:直接|仅|只)(?:返回|输出|给出|回复)[^。\n]{0,12}(?:主题|标题|题目)"
    r"|(?:主题|标题|题目)，不要(?:解释|标点)",
    _I,
)
_COMMANDS_FIRST = re.compile(
    r"\W*(?:please )?(?:classify|summari[sz]e|translate|extract)\b"
    r"|\W*请?(?:你)?(?:总结|概括|归纳|翻译|提取|分类|判断)",
    _I,
)
# Puts the story aside: enough to know that the following order is not part of it.
_OUTSIDE = re.compile(
    r"(?:\[|\(|^)\s*(?:pause|stop|halt|suspend)\b.{0,60}\b(?:role-?play|story|rp|scene|chat)"
    r"|ignore (?:all |any )?(?:the )?(?:previous|prior|above)\b|\bout of character\b|^\W*ooc\b"
    r"|^\s*based on (?:the|this) (?:chat|conversation)\b"
    r"|^\s*#{1,4}\s*(?:task|任务)\b|\byou are (?:a|an) (?:\w+ ){0,3}(?:summari[sz]er|translator)"
    r"|暂停(?:角色扮演|扮演|故事|剧情)|停止(?:角色扮演|扮演|当前)|忽略(?:之前|以上|上面|此前|先前)|跳出角色"
    r"|^\s*(?:任务|指令)[:：]",
    _I,
)
_SHOWS = re.compile(
    r"<chat_history>|<conversation>|### ?chat history|<history>|\bquery: history:|聊天记录[:：]", _I
)
_GO_ON = re.compile(
    r"\bcontinue\b.{0,80}\b(?:last|previous|message|response|reply|from where|following)"
    r"|\bcontinue from\b|\bpick up where\b|继续(?:你|上|刚才|写|说|补完)|续写|接着(?:上|写|说)",
    _I,
)
_IMPERSONATE = re.compile(
    r"\bimpersonat|\bpoint of view of\b|\bfrom .{1,60}(?:'s|s') (?:point of view|perspective)"
    r"|\bwrite .{0,40}(?:next )?(?:reply|message|response|action).{0,20}\bas\b"
    r"|以.{1,60}(?:的视角|的身份|的口吻|的角度)|扮演.{1,40}(?:回复|写)|代(?:替)?.{1,40}(?:回复|说|写)",
    _I,
)
_FOR_PLAYER = re.compile(
    r"\s*\[Write your next reply from the point of view of ([^\n,.\]]{1,60})", _I
)
_ONLY_AS = re.compile(
    r"\b(?:only|next reply|reply|respond|write)\b.{0,60}?\bas\s+(?P<en>[^\n.\]]{1,80})"
    r"|(?:只|仅)?(?:以|作为|扮演)\s*(?P<zh>[^\s,，。\]]{1,40}?)\s*(?:的身份|的口吻|回复|发言|说话|写)",
    _I,
)


# Asks to name one of a list: a mood, a label.
_CHOOSES = re.compile(
    r"\b(?:only|just) (?:one|a single) word\b|\bchoose (?:a|the|one) (?:word|emotion|label)\b"
    r"|(?:只|仅)(?:输出|回答|用)一个词",
    _I,
)
# The nudge of a group: the whole text, naming a member who may be new in the chat.
_ALONE = re.compile(
    r"\W{0,3}(?:write|generate|give|continue with)? ?(?:the |your )?(?:next )?"
    r"(?:reply|response|message|respond|write|speak)? ?(?:only|solely|exclusively) as "
    r"(?P<en>[^\n.\]]{1,80}?)[.\]\s]{0,3}"
    r"|\W{0,3}(?:请)?(?:只|仅)(?:以|作为|扮演)\s?(?P<zh>[^\s,，。\]]{1,40}?)\s?的?(?:身份|口吻)?"
    r"(?:回复|发言|说话|写)[^\n]{0,12}",
    _I,
)


def is_aside(text: str, *, is_said: bool = False) -> bool:
    """Return whether a text asks something about the story, or puts the story aside.

    ``is_said``: it is a message of the player's, so that more is needed to be an instruction.
    """
    head, tail = text[:_LOOKED_AT].strip(), text[-_LOOKED_AT:].lower()
    if _SHOWS.search(text) or _OUTSIDE.search(head):
        return True
    is_marked = head.startswith(("[", "#", "【", "<"))
    commands = is_marked or any(word in tail for word in _COMMANDS)
    if is_said:
        is_marked = is_marked and commands and bool(_ABOUT.search(head[:120]))
        return is_marked or (len(text) <= _LOOKED_AT and bool(_NAMES_CHAT.search(head)))
    return bool(_ABOUT.search(head[:240])) and (commands or len(head) > _LONG)


def shows_story(text: str) -> bool:
    """Return whether a text quotes a story as material of a task."""
    return bool(_SHOWS.search(text) or _OUTSIDE.search(text[:_LOOKED_AT].strip()))


def is_bare_question(text: str) -> bool:
    """Return whether a text in the place of a story is a task with its material."""
    head = text[:_LOOKED_AT].strip()
    return bool(_SHOWS.search(text) or _OUTSIDE.search(head) or _ABOUT.search(head[:240]))


def is_task_before(pieces: Sequence[RequestMessage], beside: Collection[str]) -> bool:
    """Return whether everything before the story is one short task that the last request lacked.

    Programs ask so for the mood of the newest reply, or for a title.
    """
    before = list(takewhile(lambda piece: not piece.is_story, pieces))
    if len(before) != 1 or before[0].keys[0] in beside:
        return False
    text = before[0].said.text
    if len(text) > _LOOKED_AT:
        return False
    return is_command(text) or is_aside(text) or chooses(text)


def is_command(text: str) -> bool:
    """Return whether a short text begins with a command and is about the story."""
    is_first = len(text) <= _LOOKED_AT and _COMMANDS_FIRST.match(text) is not None
    return is_first and _ABOUT.search(text) is not None


def chooses(text: str) -> bool:
    """Return whether a text before others asks to choose a word for the last one."""
    return bool(_CHOOSES.search(text[:_LOOKED_AT]) or _CHOOSES.search(text[-_LOOKED_AT:]))


def goes_on(text: str) -> bool:
    """Return whether a text asks to continue the newest reply."""
    return len(text) <= _LOOKED_AT and bool(_GO_ON.search(text))


def is_for_player(text: str, player: str, others: Collection[str] = ()) -> bool:
    """Return whether a text asks for the player's next line.

    The name in SillyTavern's own order is the player's, unless it is one of ``others``: the
    player's name is unknown in a chat without names.
    """
    head = text[:_LOOKED_AT]
    match = _IMPERSONATE.search(head)
    if match is None:
        return False
    named = _FOR_PLAYER.match(head)
    if named and plain(named[1]) not in map(plain, others):
        return True
    return (bool(player) and player.lower() in head.lower()) or "impersonat" in head.lower()


def only_as(text: str) -> str:
    """Return the possible name of the only next speaker; "" for none."""
    match = _ONLY_AS.search(text[-_LOOKED_AT:])
    return (match["en"] or match["zh"] or "").strip(" *\"'“”") if match else ""


def next_alone(text: str) -> str:
    """Return the only next speaker if a text says nothing else; "" for none."""
    match = _ALONE.fullmatch(text.strip()) if len(text) <= _LONG else None
    return (match["en"] or match["zh"] or "").strip(" *\"'“”") if match else ""


_WITH_EXAMPLE = 3  # messages of a task with one exchange as an example
_ENDS = 2  # messages at either end of a request that may be its task


def is_task(pieces: Sequence[RequestMessage]) -> bool:
    """Return whether a request of no known line is a title, a summary, a translation or the like.

    A task has one message of material. More messages are a story: the text before them describes a
    character, who may be a translator, and only its end may ask for something else.
    """
    said = [piece for piece in pieces if piece.keys[0]]
    count = sum(piece.is_story for piece in said)
    if count <= 1:
        return any(is_bare_question(p.said.text) for p in (*said[:_ENDS], *said[-_ENDS:]))
    if count <= _WITH_EXAMPLE and any(chooses(p.said.text) for p in said[:1] if not p.is_story):
        return True
    return any(is_aside(piece.said.text) for piece in said[-_ENDS:])


def has_material(
    pieces: Sequence[RequestMessage], aligned: Aligned, floors: Sequence[Floor]
) -> bool:
    """Return whether the last message is a reply of the line, sent as the player's.

    Programs send a reply like this to have it translated, or to get a mood for it.
    """
    story = [at for at, piece in enumerate(pieces) if piece.is_story]
    if not story or not aligned.exact or aligned.last_at != story[-1]:
        return False
    at, seq = max(aligned.exact)
    piece = pieces[at]
    role = next((floor.role for floor in floors if floor.seq == seq), "")
    is_other = (piece.said.role, role) == ("user", "assistant")
    return is_other and at not in (aligned.ends or {}) and worth(piece.keys[0]) >= STRAY


_MOST = 8  # orders behind the newest message that are read, the last ones: a preset has one or two
_MOST_LINES = 200  # lines of one that are compared, the last ones: a preset has some ten
_NAME = "\x00"  # replaces any name, so that lines that differ by a name alone are equal
# Marks of templates for text prompts.
_MARKS = re.compile(
    r"<\|[^|>\n]{1,40}\|>(?:system|user|assistant)?|\[/?[A-Z_]{2,20}\]|^#{2,4} .*$", re.MULTILINE
)
_LEAST = 12  # plain letters behind the newest message of a prompt that are more than a mark


@dataclass(frozen=True)
class Orders:
    """Orders behind the newest message: notes, lore and lines of the preset.

    Lines that are there in every request order nothing. New lines do, and behind a reply without an
    answer they ask for something that is no message of the story. ``pieces`` are the system
    messages; ``names`` are the speakers; ``before`` are the lines of the last request.
    """

    pieces: tuple[RequestMessage, ...]
    names: tuple[str, ...]
    before: Collection[str] = ()

    @property
    def texts(self) -> list[str]:
        return [piece.said.text for piece in self.pieces]

    @cached_property
    def lines(self) -> frozenset[str]:
        """Return the lines to remember for the next request."""
        rows = (_line(row, self.names) for text in self.texts for row in _rows(text))
        return frozenset(filter(None, rows))

    @cached_property
    def fresh(self) -> list[str]:
        """Return the new texts among them."""
        return [text for piece in self.pieces if (text := self._fresh(piece))]

    def _fresh(self, piece: RequestMessage) -> str:
        """Return the new lines of one; "" for our own memory."""
        if has_memory([piece.said]):
            return ""
        rows = _rows(piece.said.text)
        return "\n".join(row for row in rows if _line(row, self.names) not in self.before).strip()

    @property
    def is_aside(self) -> bool:
        """Return whether one of them asks about the story."""
        return any(is_aside(text) for text in (*self.texts[-2:], *self.fresh[-2:]))

    def asks_to_go_on(self) -> bool:
        """Return whether one of them asks to continue the newest reply."""
        return any(map(goes_on, (*self.fresh, *self.texts[-1:])))

    def asks_aside(self, player: str) -> bool:
        """Return whether the last one, behind a reply, cannot belong to playing on."""
        if not self.pieces or not self._fresh(self.pieces[-1]):
            return False
        return not (
            self.asks_to_go_on()
            or any(next_alone(row) for text in self.texts for row in _rows(text))
            or any(is_for_player(text, player) for text in self.texts)
        )


def is_more_than_marks(rest: str) -> bool:
    """Return whether a text behind the newest message of a prompt is more than marks."""
    return len(plain(_MARKS.sub("", rest))) >= _LEAST


def orders_of(
    pieces: Sequence[RequestMessage], names: Sequence[str], before: Collection[str]
) -> Orders:
    """Return the orders among the ``pieces`` behind the newest known message."""
    orders = tuple(piece for piece in pieces if piece.said.role == "system" and piece.keys[0])
    return Orders(orders[-_MOST:], tuple(names), before)


def _rows(text: str) -> list[str]:
    return text.splitlines()[-_MOST_LINES:]


def _line(row: str, names: Sequence[str]) -> str:
    text = plain(row)
    for name in sorted(filter(None, map(plain, names)), key=len, reverse=True):
        text = text.replace(name, _NAME)
    return text
