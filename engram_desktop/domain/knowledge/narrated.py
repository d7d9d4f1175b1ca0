"""Who is present if one sender speaks for several persons: a narrator, or a card with others.

Such a message is judged piece by piece: a person who speaks or acts in it is present, from the
piece in which they come in to the one in which they leave. A stretch with only some of the persons
present is a private part.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence, Set
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.knowledge.knowing import Perceiver, Perception, PrivatePart
from engram_desktop.domain.knowledge.parts import TAKES_APART, TextPart, pieces_of, private_parts
from engram_desktop.domain.knowledge.presence import (
    AFAR,
    AWAY,
    COMES,
    EMPTIES,
    HE,
    LEAVES,
    LONG_AGO,
    NOT_YET,
    OPENS,
    OVERHEARS,
    PLACE,
    RULES,
    SAYS_GOING,
    TOGETHER,
    TOWARDS,
    WITH,
    YOU,
    Scene,
    SpokenMessage,
    called,
    is_elsewhere,
    settled_part,
    speaker_of,
)
from engram_desktop.domain.knowledge.thoughts import YOU_THINK, Cast, Mention, NameFinder, names_of
from engram_desktop.domain.text.scene_heading import heading_end
from engram_desktop.domain.text.sentences import Phrases
from engram_desktop.domain.values import dataclass

_SPOKE = 0.95  # confidence that a speaking person is present; chosen by hand
_ACTED = 0.85  # that a person who acts is present; chosen by hand
_AWAITED = 0.8  # that the player who answers right after is present; chosen by hand
_REACH = 40  # characters before a word of leaving, or a private part, that are read with it
_NAMED_REACH = 60  # characters in which a name tells who leaves: a long clause
_LEAST = 2  # letters of a stretch that becomes a private part
# The scene changes: persons present before need not be present any more.
_NEW_SCENE = Phrases(
    r"第[一二三四五六七八九十百\d]{1,4}(?:[幕章回]|[场节](?=[ ：:】，]))|画面[一转切]|与此同时"
    r"|同一时[间刻]|另一[边处头]|第[一二两三四五六七八九十百千\d]{1,6}天|次日|翌日|隔[天日]|当[晚夜天]"
    r"|(?:几|数|两|三|四|五|六|七|八|九|半|一|十|\d{1,3})个?(?:天|日|周|星期|月|年|小时|钟头|时辰|多月"
    r"|分钟)(?:之?后|过去)|不久之?后|过了(?:几|好几)[天日周月年个]|场景[:：切转]|镜头[一切转]",
    r"(?:scene|act|chapter) (?:\d+|[ivx]+|one|two|three|four|five)|time ?skip|meanwhile|elsewhere"
    r"|the next (?:day|morning|evening|night)|the following \w+|later (?:that|the same) \w+"
    r"|that (?:night|evening|afternoon)|\w+ (?:minutes?|hours?|days?|weeks?|months?|years?) later"
    r"|at the same time|(?:days|weeks|months|years) (?:pass(?:ed)?|go by|went by)",
)
_OPENS_EN = re.compile(
    r"[\s*(\[]*(?:(?:by|at|around|about|after|before|on|in|towards?) (?:the )?(?:\w+ ){0,2}"
    r"(?:dawn|noon|midday|dusk|sunset|sunrise|midnight|morning|afternoon|evening|night(?:fall)?"
    r"|[a-z]*day|(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?: o.clock)?)"
    r"\b)",
    re.IGNORECASE,
)
# Time passed between two messages: companions need not be present any more.
_ONCE_BACK = re.compile(
    r"[\s*(\[]*(?:when|once|as soon as) (?:[\w'’]+\.? ){1,3}?"
    r"(?:(?:comes?|came|gets?|got) (?:back|home)|returns?|returned|is back|was back)\b",
    re.IGNORECASE,
)
_OPENS_ZH = re.compile(
    r"[\s*（(【]*(?:[一二三四五六七八九十]{1,3}[号日]|[^，。“”]{0,8}(?:清晨|早上|上午|中午|午后|下午|傍晚"
    r"|黄昏|夜里|深夜|半夜|晚上|凌晨|当夜))[，,的]"
)
_ALL_GO = Phrases(
    r"[两二三]人[^，。]{0,8}(?:离开|走了|散)|众人[^，。]{0,6}(?:散|离)|都(?:走了|散了|离开)",
    r"(?:they|the two|both|all)(?: \w+){0,2} (?:leave|left|depart|go out|walk out|part)"
    rf"|{EMPTIES}",
)
_AFTER_GOING = re.compile(
    r"等[^，。]{0,6}$|(?<![a-z])(?:when|once|after|until|as soon as|now that|before|if)"
    r"(?: \w+){0,4} ?$",
    re.IGNORECASE,
)
_ONCE_GONE = re.compile(
    r"等[他她][^，。]{0,4}$|(?<![a-z])(?:when|once|after|as soon as|now that) (?:he|she) ?$",
    re.IGNORECASE,
)
_THEY_GONE = re.compile("等(?:[他她]们|人|众人|所有人|脚步声)[^，。]{0,2}$")
_GOES_EN = re.compile(
    r"(?<![a-z])(?:runs?|hurries|heads?|rides?|goes|walks?|went|ran) back(?: up| down)?(?! in)"
    r"|(?<![a-z])climb(?:s|ed) up (?:to (?:trim|check|see|look|tend|light|wake|fetch)\b"
    r"|the (?:stairs|ladder|tower|steps)[.,;])"
    r"|(?<![a-z])(?:sweeps?|swept|pads?|padded|strides?|strode|stalks?|hurries|hurried|goes|went"
    r"|runs?|ran|walks?|steals?|stole) (?:\w+ )?(?:out|off|away|upstairs|down the)(?![a-z])"
    r"|(?<![a-z])goes back up|(?<![a-z])is gone(?![a-z])",
    re.IGNORECASE,
)
_GOES_ZH = re.compile(
    r"(?:走|跑|退|冲|溜|奔|追)了?(?:出去|出来|出门)|[快大]步出去|出去了|离开了?|(?:起身|转身|系上[^，。]{1,4})走了"
    r"|由[^，。]{1,8}送[^，。]{0,3}回|[钻跨踏迈]出了?[^，。来]{0,3}(?:舱|门|屋|帐|房|车)"
)
# The player goes to another place: 我朝钟表铺走去, 我去诊所接顾寒, “I run after her”.
_JOURNEY = Phrases(
    r"我[^。！？“”]{0,24}?(?:[朝往向][^，。“”]{1,8}(?:铺|店|馆|楼|院|站|山|城|镇|村|港|码头|家|局|厂|寺"
    r"|庙|宫|林|巷|街|桥|校|公司|诊所)(?:的?方向)?(?:走|跑|赶|奔|驶)[去了]"
    r"|(?:退回|跑进|逃进|钻进|躲进)了?[^，。“”]{0,4}(?:林|山|雨|夜|巷|街|雪)[^，。“”]{0,2}(?=[，。！]))"
    r"|我(?:[和跟与同带][^，。“”]{1,5})?(?:就|便|立刻|马上|独自|一个人|悄悄|连夜)?(?:去|赶去|赶往|前往|赶到|来到)了?[^，。“”]{0,6}"
    r"(?:铺|店|馆|楼|院|站|山|城|镇|村|港|码头|家|局|厂|寺|庙|宫|诊所|公司|学校)(?=[接找看等，。])",
    r"(?:I|you) (?:run|chase|hurry|rush|dash|sprint|ran|chased|hurried|rushed|dashed) (?:\w+ )?"
    r"after (?:her|him|them|[A-Z]\w+)",
)
_DIES = re.compile(
    r"(?<!almost )(?<!nearly )(?<!have )(?<!had )(?<![a-z])(?:died|passed away|is dead|was dead)"
    r"(?![a-z])|(?<!差点)(?<!险些)(?:死了|死去|去世|咽了气|断了气|咽下了?最后一口气)(?!吗|[？?])"
)
# Right before a name: somebody takes them along, or goes with them.
_TAKES = re.compile(
    r"(?:[带拉拽拖领牵扶抱搀押跟随]着|陪着?|(?:pull|drag|take|lead|help|carrie|escort|follow|usher)s"
    r"|with)\s*(?:the )?$|^\s*(?:and|和|跟|与|同|、)\s*$"
)
_YOU_GO = re.compile(r"(?:^|[，,。])\s*你(?:[推拉]开?门|起身|转身|独自|一个人)?$")
_ABSENT = re.compile(
    r"(?:[却仍还也都]|一直|始终|迟迟)*(?:不在|没有?(?:来|出现|露面|赶来)(?![过得])|缺席)"
    r"|\s(?:is|was) (?:not|n.t) (?:here|there)",
    re.IGNORECASE,
)
_EARLIER = re.compile("(?:今天|昨天|前天)?(?:早上|上午|中午|下午|昨[天晚夜]|前[天晚]|刚才|之前)就")
_OWNED = re.compile(r"的(?!时候)|['’]s\b")
_ME = re.compile(r"我(?!们)|(?<![A-Za-z])I(?![A-Za-z])")
_READS_SELF = re.compile(r"\W*(?:你|you\b)", re.IGNORECASE)
_HANDED = re.compile(
    r"[往给向]你[^，。“”]{0,6}(?:塞|递|传|留|丢)|(?:塞|递|传|交|留)[^，。“”]{0,4}给你|(?:塞|放)[进到在]你"
    r"|(?:slip|press|slide|pass|hand|push|tuck)(?:s|es|ed)? (?:you\b|[^.!?“”\"]{1,40}"
    r"(?:to you\b|(?:into|in) your\b))",
    re.IGNORECASE,
)
_NAMED = re.compile(r"called\s*$", re.IGNORECASE)
_FINDS = re.compile(
    r"(?<![a-z])you (?:find|meet|see|join|pass)\s+(?:the )?$"
    r"|你(?:看见|看到|找到|遇见|撞见|发现)了?$",
    re.IGNORECASE,
)
_OTHER_AGAIN = re.compile(r"[。！？!?.][”\"]?\s*(?:[他她](?!们)|(?:He|She)\b)")
_CLOSES = '”"」』'
_LOW_VOICE = re.compile(
    r"压低(?:了)?(?:声音|嗓子|嗓音)|(?:lower|drop)(?:s|ed)? (?:his|her|their|my) voice"
    r"|under (?:his|her) breath|(?:quietly|softly)\b",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"信|纸条|字条|便条|短信|消息|手机|屏幕|日记|电报|(?<![a-z])(?:letter|note|paper|message|phone|text"
    r"|diary|telegram|screen)(?![a-z])",
    re.IGNORECASE,
)
_READS = re.compile(
    r"读[道到着]|上面?写[着道]|[信纸条]上[^，。]{0,4}写|写着|写道"
    r"|(?<![a-z])(?:reads?(?: it)?|it says|it said|is written|someone has written)\W*$",
    re.IGNORECASE,
)
_ALOUD = re.compile(
    r"念|高声|大声|读给|读出|(?<![a-z])(?:aloud|reads? (?:it )?out|to (?:us|everyone|all|them))",
    re.IGNORECASE,
)
# The card says: A. Quill. He is named, but not present.
_IS_WRITTEN = re.compile(
    r"(?:card|sign|label|plaque|letter|note|envelope|page|screen|inscription|stone) (?:says|said"
    r"|reads?|bears)(?: the name)?\W{0,3}(?:\w{1,3}\. ?)?$",
    re.IGNORECASE,
)
_NO_PLACE = re.compile("一[下上]|[我你他她](?!们?的)|[了着过]")
_FEW_THERE = 3  # persons present who hear a low voice that is addressed to nobody by name
_AT_START = 14  # characters of a message in which words for a new scene open it
_CLAUSE = re.compile(r"[，,；;：:。！？!?“”\"*（）()—\n]")


@dataclass(frozen=True, slots=True)
class Voice:
    """Characters ``start``..``end`` (not included) of a message that somebody says or thinks."""

    start: int
    end: int
    speaker: str
    is_thought: bool = False


@dataclass(frozen=True, slots=True)
class VoicedMessage:
    """A message, and the speaker of each part of it."""

    name: str
    text: str
    role: str
    voices: tuple[Voice, ...] = ()


def narrated_perceptions(
    messages: Sequence[VoicedMessage], cast: Cast, scene: Scene | None = None
) -> Iterator[tuple[Perception, Scene]]:
    """Yield the perception of each message, and the scene after it."""
    names = names_of(cast)
    scene = scene or Scene()
    for number, message in enumerate(messages):
        after = messages[number + 1] if number + 1 < len(messages) else None
        reading = _Telling(message, cast, names, scene.older())
        yield reading.judged(is_answered=after is not None and _answers(after, cast, names))
        scene = reading.after


def _answers(message: SpokenMessage, cast: Cast, names: NameFinder) -> bool:
    """Return whether the player goes on in the same scene."""
    if speaker_of(message, cast, names) != cast.player:
        return False
    return not (_opens(message.text) or RULES.search(message.text) is not None)


def _opens(text: str) -> bool:
    """Return whether a message begins with a time of day."""
    return any(opening.match(text) for opening in (OPENS, _OPENS_EN, _OPENS_ZH))


class _Telling:
    """Reads one message: who is present from which character to which."""

    def __init__(self, message: VoicedMessage, cast: Cast, names: NameFinder, scene: Scene) -> None:
        self.text = message.text
        self.cast = cast
        self.names = names
        self.speaker = speaker_of(message, cast, names)
        if self.speaker in cast.narrators:
            self.speaker = ""
        self.voices = [v for v in message.voices if v.speaker in names.all]
        self.scene = scene
        self.after = scene
        self._since = dict.fromkeys(scene.names, 0)
        self._spans: list[tuple[str, int, int]] = []
        self._shown: dict[str, float] = {}  # persons shown to be present, with confidence
        self._gone: dict[str, None] = {}
        self._actor = ""  # the last person who spoke or acted
        self._acted = ""  # the same before the narration that is read
        self._begin = 0  # where the current scene begins in this message
        self._is_elsewhere = False
        self._overhearing: set[str] = set()
        self._pieces = pieces_of(message.text)

    def judged(self, *, is_answered: bool) -> tuple[Perception, Scene]:
        """Return who perceives the message; ``is_answered``: the player speaks right after it."""
        text, player = self.text, self.cast.player
        pieces = self._pieces
        parts = [
            self._settled(part) for part in private_parts(text, self.speaker, self.names, pieces)
        ]
        if self._starts_scene():
            self._new_scene(0)
        elif back := _ONCE_BACK.match(text):
            self._left_meanwhile(back.end())
        if self.speaker and not self._stays_away(pieces):
            self._appear(self.speaker, 0, 1.0)
        parts = sorted([*parts, *self._letters(pieces, parts)], key=lambda part: part.start)
        hidden = [part for part in parts if part.kind == "thought"]
        for piece in pieces:
            is_hidden = any(p.start <= piece.start and piece.end <= p.end for p in hidden)
            self._read(piece, is_hidden=is_hidden)
        is_missed = bool(player) and player not in self._since and player not in self._gone
        if is_missed and is_answered and not self._is_elsewhere:
            self._appear(player, self._begin, _AWAITED)
        self._leave_out_absent()
        for name in list(self._since):
            self._spans.append((name, self._since[name], len(text)))
        self.after = self._scene_after()
        return self._perception(parts), self.after

    def _starts_scene(self) -> bool:
        text = self.text
        if _opens(text) or RULES.search(text):
            return True
        if _NEW_SCENE.search(text[: _AT_START * 2], 0, _AT_START * 2) is not None:
            begins = _NEW_SCENE.search(text)
            return begins is not None and begins.start() < _AT_START
        place = PLACE.match(text) if self.speaker != self.cast.player else None
        if place is None or _NO_PLACE.search(place[0]):
            return False
        return next(iter(self.names.find(text, 0, place.end())), None) is None

    def _stays_away(self, pieces: Sequence[TextPart]) -> bool:
        """Return whether an absent card's message is about other persons only."""
        scene, text = self.scene, self.text
        if self.speaker == self.cast.player or not scene.people or self.speaker in scene.names:
            return False
        told = [piece for piece in pieces if piece.kind == "told"]
        is_own = any(
            _ME.search(text, piece.start, piece.end)
            or self.names.who(self.speaker) in text[piece.start : piece.end]
            for piece in told
        )
        others = {m.name for piece in told for m in self.names.find(text, piece.start, piece.end)}
        return not is_own and bool(others & set(scene.names) - {self.cast.player})

    def _new_scene(self, at: int) -> None:
        """Begin a new scene: only persons who then speak, act or are named are present."""
        for name, since in self._since.items():
            if at > since:
                self._spans.append((name, since, at))
        self._since = {}
        self._gone = {}
        self._overhearing = set()
        self._begin = at
        if self.speaker in self._shown and at:
            self._appear(self.speaker, at, 1.0)

    def _appear(self, name: str, at: int, sureness: float, *, comes: bool = False) -> None:
        if name in self._gone and not comes:
            if at <= self._begin:
                return
            comes = True
        self._gone.pop(name, None)
        self._shown[name] = max(sureness, self._shown.get(name, 0.0))
        if name not in self._since:
            self._since[name] = at if comes else self._begin

    def _leave(self, name: str, at: int) -> None:
        since = self._since.pop(name, None)
        if since is not None and at > since:
            self._spans.append((name, since, at))
        self._gone[name] = None
        self._overhearing.discard(name)

    def _read(self, piece: TextPart, *, is_hidden: bool) -> None:
        text = self.text
        for voice in self.voices:
            if voice.start < piece.end and piece.start < voice.end:
                self._speaks(voice)
        if is_hidden or text[piece.start : piece.start + 2] in ("((", "（（"):
            return
        mentions = [
            mention
            for mention in self.names.find(text, piece.start, piece.end)
            if mention.name not in self.cast.narrators
        ]
        if piece.kind == "speech":
            # “方小满……” speaks of somebody who need not be there.
            musing = {m.name for m in mentions if text[m.end : m.end + 1] == "…"} - {*self._since}
            for name in called(text, piece, mentions):
                if name not in {*self._gone, self._actor, *musing}:
                    self._appear(name, self._begin, 0.7)
            return
        if _NEW_SCENE.search(text, piece.start, piece.end) and piece.start:
            self._new_scene(piece.start)
        if is_elsewhere(text[piece.start : piece.end]):
            self._is_elsewhere = True
        self._acted = self._actor
        self._told(piece, mentions)
        self._go(piece, mentions)

    def _go(self, piece: TextPart, mentions: Sequence[Mention]) -> None:
        """Let those leave whom the narration takes away, or leaves behind."""
        if TAKES_APART.search(self.text, piece.start, piece.end):
            apart = {mention.name for mention in mentions} or {self._actor}
            self._gone_at(piece.end, {self.speaker, self.cast.player, *apart})
        self._die(piece, mentions)
        if not self._journeys(piece, mentions):
            self._leaves(piece, mentions)

    def _speaks(self, voice: Voice) -> None:
        name = voice.speaker
        is_named = name in self._since or name == self.speaker
        if name != self.cast.player and (is_named or self._is_named(name)):
            self._appear(name, self._begin, _SPOKE)
            self._actor = name

    def _is_named(self, name: str) -> bool:
        return any(mention.name == name for mention in self.names.find(self.text))

    def _told(self, piece: TextPart, mentions: Sequence[Mention]) -> None:
        text, player = self.text, self.cast.player
        comes = COMES.search(text, piece.start, piece.end)
        overhears = OVERHEARS.search(text, piece.start, piece.end)
        for mention in mentions:
            if not self._acts(piece, mention):
                continue
            entering = comes is not None and mention.start < comes.start() < mention.end + 16
            is_new = entering and mention.name not in self._since
            listens = overhears is not None and mention.start < overhears.start()
            self._appear(mention.name, piece.start, _ACTED, comes=is_new or listens)
            if listens:
                self._overhearing.add(mention.name)
            self._actor = mention.name
        if player and self.speaker != player and player not in self._gone:
            if AWAY.search(text, piece.start, piece.end):
                self._leave(player, piece.start)
            elif YOU.search(text, piece.start, piece.end):
                self._appear(player, piece.start, 0.8)

    def _acts(self, piece: TextPart, mention: Mention) -> bool:
        """Return whether the narration shows a named person to be present and acting."""
        text = self.text
        after = text[mention.end : min(piece.end, mention.end + 20)]
        if _OWNED.match(after) or _ABSENT.match(after):
            return False
        if _IS_WRITTEN.search(text, max(0, mention.start - 40), mention.start):
            return False
        clause = _CLAUSE.split(after, maxsplit=1)[0]
        if LONG_AGO.search(clause[:12]) or _EARLIER.match(clause):
            return False
        before = text[max(piece.start, mention.start - 30) : mention.start]
        lead = _CLAUSE.split(before)[-1].lstrip()
        if AFAR.search(lead) and not _NAMED.search(lead):
            return False
        if TOWARDS.search(before) or WITH.search(before) or _FINDS.search(lead):
            return True
        return len(lead.strip()) <= (6 if text[mention.start] >= "\u2e80" else 12)

    def _leaves(self, piece: TextPart, mentions: Sequence[Mention]) -> None:
        text, start, end = self.text, piece.start, piece.end
        left = (
            LEAVES.search(text, start, end)
            or _GOES_EN.search(text, start, end)
            or _GOES_ZH.search(text, start, end)
        )
        if left is None or NOT_YET.search(text[max(start, left.start() - 8) : left.start()]):
            return
        lead = text[max(start, left.start() - _REACH) : left.start()]
        named = [
            m for m in mentions if m.end <= left.start() and left.start() - m.end < _NAMED_REACH
        ]
        is_over = _AFTER_GOING.search(lead) is not None
        if _ALL_GO.search(text, start, end):
            for name in [n for n in self._since if n != self.cast.player]:
                self._leave(name, end)
            return
        if named:
            self._named_leave(named, piece, left.start(), start if is_over else end)
            return
        if is_over:
            self._go_before(lead, start)
            return
        if YOU.search(lead) is not None and self.speaker != self.cast.player:
            self._you_go(lead, left.end(), end)
            return
        if self.speaker and (_ME.search(lead) or not HE.search(lead)):
            if self.speaker == self.cast.player and not TOGETHER.search(lead):
                self._gone_at(end, {self.speaker})
            return
        if self._actor and self._actor in self._since and self._actor != self.speaker:
            self._leave(self._actor, end)

    def _die(self, piece: TextPart, mentions: Sequence[Mention]) -> None:
        dies = _DIES.search(self.text, piece.start, piece.end)
        dead = [m for m in mentions if dies is not None and m.end <= dies.start()]
        if dies and dead and not _CLAUSE.search(self.text, dead[-1].end, dies.start()):
            self._leave(dead[-1].name, piece.end)

    def _journeys(self, piece: TextPart, mentions: Sequence[Mention]) -> bool:
        """Return whether the player goes to another place, with those whom the sentence names."""
        player = self.cast.player
        goes = _JOURNEY.search(self.text, piece.start, piece.end)
        if goes is None or not player or (goes[0][:1] in "我I" and self.speaker != player):
            return False
        self._gone_at(piece.end, {player, *(mention.name for mention in mentions)})
        return True

    def _you_go(self, lead: str, left: int, at: int) -> None:
        """Let those leave whom the player leaves behind; as a rule the others come along."""
        if _YOU_GO.search(lead):  # 你推门出去，看见裴长渊站在廊下
            ahead = {mention.name for mention in self.names.find(self.text, left)}
            self._gone_at(at, {self.cast.player, *ahead})

    def _go_before(self, lead: str, at: int) -> None:
        """Let who acted before this narration leave: When he is gone, Marrow whispers."""
        if _THEY_GONE.search(lead) and self.speaker == self.cast.player:
            self._gone_at(at, {self.speaker})  # 等他们走远了，我才出来
        elif _ONCE_GONE.search(lead) and self._acted in self._since:
            self._leave(self._acted, at)

    def _named_leave(self, named: Sequence[Mention], piece: TextPart, left: int, at: int) -> None:
        """Let the last of these leave, or all others whom the player leaves behind with them.

        With the last one goes who takes them along: 裴长渊牵着阿萝退了出去.
        """
        sentence = self.text[piece.start : left]
        is_players = bool(self.speaker) and self.speaker == self.cast.player
        if is_players and _ME.search(sentence) and TOGETHER.search(sentence):
            for mention in named:
                self._appear(mention.name, at, _ACTED, comes=True)
            but = {self.speaker, *(mention.name for mention in named)}
            self._gone_at(at, but)  # 我拉着柳娘走了出去
            return
        last = named[-1]
        before = named[-2].end if len(named) > 1 else piece.start
        if _TAKES.search(self.text[before : last.start]):
            by = named[-2].name if len(named) > 1 else self._acted
            if by in self._since and by not in (self.speaker, self.cast.player):
                self._leave(by, at)
        self._leave(last.name, at)

    def _left_meanwhile(self, end: int) -> None:
        """Let narrated persons leave, except those named before ``end``."""
        named = {mention.name for mention in self.names.find(self.text, 0, end)}
        for member in self.cast.narrated:
            if member.name in self._since and member.name not in named:
                self._leave(member.name, 0)

    def _gone_at(self, at: int, but: Set[str]) -> None:
        """Let all others leave: the player and who comes along (``but``) go on."""
        for name in [n for n in self._since if n not in but]:
            self._leave(name, at)

    def _leave_out_absent(self) -> None:
        """Remove persons whom the text says to be absent."""
        for mention in self.names.find(self.text):
            if _ABSENT.match(self.text, mention.end):
                name = mention.name
                self._since.pop(name, None)
                self._spans = [span for span in self._spans if span[0] != name]

    def _scene_after(self) -> Scene:
        scene = self.scene
        for name in scene.names:
            if name not in self._since:
                scene = scene.without(name)
        for name in self._since:
            if name in self._overhearing:
                scene = scene.overheard_by(name, _ACTED)
            elif name in self._shown:
                scene = scene.with_(name, self._shown[name])
        if SAYS_GOING.search(self.text) and self.speaker and self.speaker != self.cast.player:
            scene = scene.without(self.speaker)
        return replace(scene, is_alone=False, is_away=False)

    def _settled(self, part: PrivatePart) -> PrivatePart:
        """Resolve pronouns: who thinks, whispers or reads."""
        known = {person.name for person in part.audience}
        people = list(part.audience)
        if part.kind == "thought":
            player = self.cast.player
            if not people and self.speaker != player and YOU_THINK.match(self.text, part.start):
                return replace(part, audience=(Perceiver(player, "thought"),) if player else ())
            if not self.speaker or self.speaker not in known:
                part = self._ended(part)
            for voice in self.voices if not people else ():
                if voice.is_thought and voice.start < part.end and part.start < voice.end:
                    return replace(part, audience=(Perceiver(voice.speaker, "thought"),))
            return part
        people = self._with_whisperer(part, people)
        part = self._begun(part, people)
        known = {person.name for person in people}
        text = self.text[part.start : part.end]
        is_read = any(person.how == "read" for person in people)
        player = self.cast.player
        if _READS_SELF.match(text) and player not in known and self.speaker != player:
            people.append(Perceiver(player, "read" if is_read else "spoke"))
        for voice in self.voices:
            is_inside = voice.start < part.end and part.start < voice.end
            is_inside = is_inside and len(people) < 2
            if is_inside and not voice.is_thought and voice.speaker not in known and not is_read:
                known.add(voice.speaker)
                people.append(Perceiver(voice.speaker, "spoke"))
        return replace(part, audience=tuple(people))

    def _begun(self, part: PrivatePart, people: Sequence[Perceiver]) -> PrivatePart:
        """Return a whisper without the speech of another person that it begins with."""
        whisperer = next((person.name for person in people if person.how == "spoke"), "")
        inside = [v for v in self.voices if part.start <= v.start < part.end and not v.is_thought]
        own = [voice.start for voice in inside if voice.speaker == whisperer]
        others = [v.end for v in inside if own and v.end < own[0] and v.speaker != whisperer]
        if not others:
            return part
        end = others[-1] + (self.text[others[-1]] in _CLOSES)
        return replace(part, start=end)

    def _with_whisperer(self, part: PrivatePart, people: list[Perceiver]) -> list[Perceiver]:
        """Replace the sender as whisperer with the person named in the clause before."""
        speaks = people[0] if people else None
        if speaks is None or speaks.how != "spoke" or speaks.name != self.speaker:
            return people
        lead = re.split('[“"「]', self.text[part.start : part.end], maxsplit=1)[0]
        before = self.text[max(0, part.start - _REACH) : part.start].rstrip("*_ ")
        if _ME.search(lead) or not before.endswith(("，", ",")):
            return people
        clause = re.split("[。！？!?\n]", before)[-1]
        named = self.names.last(clause, 0, len(clause))
        if named is None or _ME.search(clause):
            return people
        others = [person for person in people[1:] if person.name != named.name]
        return [Perceiver(named.name, "spoke"), *others]

    def _letters(
        self, pieces: Sequence[TextPart], parts: Sequence[PrivatePart]
    ) -> Iterator[PrivatePart]:
        """Yield what somebody reads alone: a letter, a note, a screen."""
        text = self.text
        if not _LETTER.search(text):
            return
        for before, piece in pairwise(pieces):
            start, end = before.start, piece.end
            if piece.kind != "speech" or before.kind not in ("told", "bracket"):
                continue
            reads = _READS.search(text, start, before.end)
            is_told = any(p.start < end and start < p.end for p in parts)
            if reads is None or is_told or _ALOUD.search(text, start, before.end):
                continue
            reader = self._reader(start, reads.start())
            yield PrivatePart("whisper", start, end, (Perceiver(reader, "read"),) if reader else ())

    def _reader(self, start: int, end: int) -> str:
        """Return the reader: the last person named before, “you”, or the sender."""
        named = self.names.last(self.text, start, end)
        if named is not None:
            return named.name
        if self.speaker != self.cast.player and YOU.search(self.text, 0, end):
            return self.cast.player
        named = self.names.last(self.text, 0, end)
        return self.speaker or (named.name if named is not None else "")

    def _ended(self, part: PrivatePart) -> PrivatePart:
        """Cut from a thought what a narrator says about its thinker after it."""
        after = _OTHER_AGAIN.search(self.text, part.start + 1, part.end)
        if after is None or not _ME.search(self.text, part.start, after.start()):
            return part
        end = after.start() + 1
        while end < part.end and self.text[end] in '”"':
            end += 1
        return replace(part, end=end)

    def _perception(self, parts: Sequence[PrivatePart]) -> Perception:
        """Return who perceives the message, with its private parts."""
        present = {name for name, start, end in self._spans if end > start}
        sure = {some.name: some.sureness for some in self.scene.people} | self._shown
        order = dict.fromkeys([*self.scene.names, *self._shown, *sorted(present)])
        audience = tuple(
            Perceiver(name, "spoke", 1.0)
            if name == self.speaker
            else Perceiver(
                name,
                "overheard" if name in self._overhearing else "there",
                round(min(1.0, sure.get(name, _ACTED)), 2),
            )
            for name in order
            if name in present
        )
        parts = [self._without_gone(part) for part in parts]
        parts = [self._heard(part) for part in parts if not self._is_open(part, present)]
        cut = list(self._partly(present, audience, parts))
        whole = tuple(sorted([*parts, *cut], key=lambda part: part.start))
        return Perception(audience, whole, len(audience) > 1 or bool(self._shown))

    def _without_gone(self, part: PrivatePart) -> PrivatePart:
        """Return a private part without hearers who left before it."""
        spans = [(n, first, last) for n, first, last in self._spans if first <= part.start < last]
        here = {name for name, _first, _last in spans}
        gone = self._gone.keys() - here
        return replace(part, audience=tuple(p for p in part.audience if p.name not in gone))

    def _heard(self, part: PrivatePart) -> PrivatePart:
        """Return a whisper with a hearer: the only other person there, or “you”, the player."""
        here = {name for name, first, last in self._spans if first <= part.start < last}
        part = settled_part(part, sorted(here)) if len(here) == 2 else part
        player, people = self.cast.player, part.audience
        hows = [person.how for person in people]
        is_handed = _HANDED.search(self.text, part.start, part.end) is not None
        is_whispered = part.kind == "whisper" and hows in ([], ["spoke"], ["read"] * is_handed)
        if not (is_whispered and player) or player in (self.speaker, *(p.name for p in people)):
            return part
        told = (p for p in self._pieces if p.kind == "told" and part.start <= p.start < part.end)
        if not any(YOU.search(self.text, piece.start, piece.end) for piece in told):
            return part  # She presses something into your hand
        return replace(part, audience=(*people, Perceiver(player, "addressed")))

    def _is_open(self, part: PrivatePart, present: Collection[str]) -> bool:
        """Return whether everybody present hears a low voice that is addressed to nobody."""
        if part.kind != "whisper" or len(part.audience) > 1 or len(present) > _FEW_THERE:
            return False
        return _LOW_VOICE.search(self.text, part.start, part.end) is not None

    def _partly(
        self, present: Collection[str], audience: Iterable[Perceiver], parts: Sequence[PrivatePart]
    ) -> Iterator[PrivatePart]:
        """Yield the stretches outside of ``parts`` with only some persons present."""
        people = {person.name: person for person in audience}
        edges = {0, len(self.text)}
        edges |= {at for _n, start, end in self._spans for at in (start, end)}
        edges |= {at for part in parts for at in (part.start, part.end)}
        ordered = sorted(edges)
        begin = heading_end(self.text) if len(ordered) > 2 else 0  # a heading belongs to nobody
        for start, end in pairwise(ordered):
            if any(part.start <= start and end <= part.end for part in parts):
                continue
            here = {n for n, first, last in self._spans if first <= start and end <= last}
            words = sum(char.isalnum() for char in self.text[max(start, begin) : end])
            if here != set(present) and words >= _LEAST:
                yield PrivatePart(
                    "whisper", start, end, tuple(people[n] for n in people if n in here)
                )
