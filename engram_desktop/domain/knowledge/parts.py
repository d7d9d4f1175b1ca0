"""The parts of a message: narration, speech, thoughts, whispers and letters."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import Literal

from engram_desktop.domain.knowledge.knowing import How, Perceiver, PrivatePart
from engram_desktop.domain.knowledge.thoughts import (
    RECALLS,
    THINKS,
    NameFinder,
    is_thought_bracket,
    match_thought,
    opening_of,
    subject_of,
    tells_deeds,
)
from engram_desktop.domain.text.sentences import Phrases
from engram_desktop.domain.values import dataclass

# The pieces of a role-play message: speech, narration, brackets. They are found in one pass over
# the text, however nested or unclosed they are.


PieceKind = Literal["told", "speech", "bracket", "tag"]


@dataclass(frozen=True, slots=True)
class TextPart:
    """A sentence of narration, a speech in quotes, or a bracket, on line ``line`` of the text."""

    kind: PieceKind
    start: int
    end: int
    line: int
    is_starred: bool = False


_TAG = re.compile(
    r"<(/?)(thoughts?|think|thinking|inner|内心|心声|心理)\b[^<>\n]{0,80}>", re.IGNORECASE
)
# After a full stop that ends a sentence, not an abbreviated title: Mrs. Tull, Dr. Pell.
NOT_ABBREVIATED = "".join(
    rf"(?<!\b{title}\.)" for title in "Mr Mrs Ms Dr St Capt Prof Sgt Lt".split()
)
_MARK = re.compile(
    r"[“”\"「」『』（）()*\n。！？!?…_.](?:(?<![_.])|(?<=_)(?:(?<!\w_)(?=\S)|(?<=\S_)(?!\w))"
    rf"|(?<=\.){NOT_ABBREVIATED}(?=[\s\"*”)]|$))"
)
# Stars around words within a sentence, which stress them: He was *not* there.
_STRESSED = re.compile(
    r"(?<=[A-Za-z,;’'] )([*_])(?:(?:this|that|his|its|hers|was|is|does|has|always|us|yes|yours"
    r"|these|those|nothing|something|anything|everything)"
    r"|(?![\w'’]*(?:s|ing|ed)(?![\w'’]))[A-Za-z][\w'’-]*(?: (?!\w*ing\b)[\w'’-]+)?)\1"
    r"(?= [a-z]|[.,;:!?'’])"
    r"|(?<=[\u4e00-\u9fff，])\*(?:真的?|绝对|从来|从未|永远|一定|必须|确实|根本|唯一|所有|全部|非常|真正"
    r"|[不没][会能要想是有]?|[很太只就都才也还最]|[你我他她它](?:们|自己)?|自己|[这那](?:个|样|里)?)\*"
    r"(?=[\u4e00-\u9fff，。！？])"
)
_STOPS = "。！？!?…."
_WITHIN_TEXT = frozenset("”」』")  # may close on a later line
_QUOTES = {"“": "”", '"': '"', "「": "」", "『": "』"}


def pieces_of(text: str) -> list[TextPart]:
    """Split a message into its pieces, in order; blanks between them are left out."""
    pieces: list[TextPart] = []
    at = line = 0
    for start, end in _tagged(text) if "<" in text else ():
        line = _cut(text, at, start, line, pieces)
        pieces.append(TextPart("tag", start, end, line))
        line += text.count("\n", start, end)
        at = end
    _cut(text, at, len(text), line, pieces)
    return pieces


def stars_only_head(pieces: Sequence[TextPart]) -> bool:
    """Return whether stars mark whole lines only, and other lines tell beside quotes.

    *三日后，洛阳城。* is a heading of what is told below it.
    """
    starred = {piece.line for piece in pieces if piece.is_starred}
    plain = {piece.line for piece in pieces if not piece.is_starred}
    beside = any(
        one.line == other.line and {one.kind, other.kind} == {"told", "speech"}
        for one, other in pairwise(pieces)
    )
    return bool(starred) and starred.isdisjoint(plain) and beside


def _tagged(text: str) -> list[tuple[int, int]]:
    """Yield thoughts in tags; an unclosed one reaches to the end of the text."""
    spans: list[tuple[int, int]] = []
    start = None
    for match in _TAG.finditer(text):
        if not match[1] and start is None:
            start = match.start()
        elif match[1] and start is not None:
            spans.append((start, match.end()))
            start = None
    if start is not None:
        spans.append((start, len(text)))
    return spans


def _cut(text: str, start: int, stop: int, line: int, pieces: list[TextPart]) -> int:
    """Append the pieces of a stretch without tags; returns the line it ends on."""
    cutter = _Cutter(text, start, line, pieces)
    for match in _MARK.finditer(text, start, stop):
        cutter.meet(match[0], match.start(), stop)
    cutter.end(stop)
    return cutter.line


class _Cutter:
    """Goes from mark to mark. ``_closer`` ends the current quotes or bracket, "" outside."""

    def __init__(self, text: str, start: int, line: int, pieces: list[TextPart]) -> None:
        self._text = text
        self._start = start
        self._pieces = pieces
        self._begins = self.line = line
        self._closer = ""
        self._depth = 0
        self._is_starred = False
        self._stressed = 0  # where a word ends whose stars only stress it

    def meet(self, mark: str, at: int, stop: int) -> None:
        if mark == "\n":
            self._meet_line(at)
        elif self._closer:
            self._meet_inside(mark, at)
        elif mark in _QUOTES or mark in "（(":
            self._close("told", at, at)
            self._closer, self._depth = _QUOTES.get(mark, "）"), 1
        elif mark in "*_":
            self._meet_star(at)
        elif mark in _STOPS and not (at + 1 < stop and self._text[at + 1] in _STOPS):
            self._close("told", at + 1, at + 1)

    def end(self, stop: int) -> None:
        self._close(_kind(self._closer), stop, stop)

    def _meet_line(self, at: int) -> None:
        if self._closer not in _WITHIN_TEXT:  # else a speech of several lines
            self.end(at)
            self._closer, self._is_starred = "", False
        self.line += 1
        if not self._closer:
            self._begins = self.line

    def _meet_star(self, at: int) -> None:
        stressed = None if self._is_starred else _STRESSED.match(self._text, at)
        if stressed is not None:
            self._stressed = stressed.end()
        if at >= self._stressed:
            self._close("told", at, at + 1)
            self._is_starred = not self._is_starred

    def _meet_inside(self, mark: str, at: int) -> None:
        if self._closer == "）":
            self._depth += 1 if mark in "（(" else -1 if mark in "）)" else 0
            if not self._depth:
                self._leave("bracket", at + 1)
        elif mark == self._closer:
            self._leave("speech", at + 1)
        elif _QUOTES.get(mark) == self._closer:
            self._close("speech", at, at)  # the one before was not closed
            self._begins = self.line

    def _leave(self, kind: PieceKind, end: int) -> None:
        self._close(kind, end, end)
        self._closer, self._begins = "", self.line

    def _close(self, kind: PieceKind, end: int, after: int) -> None:
        if self._start < end:
            words = self._text[self._start : end]
            bare = words.strip()
            if bare:
                left = self._start + (0 if bare[0] == words[0] else words.index(bare[0]))
                is_starred = self._is_starred and kind == "told"
                piece = TextPart(kind, left, left + len(bare), self._begins, is_starred)
                self._pieces.append(piece)
        self._start = after


def _kind(closer: str) -> PieceKind:
    if not closer:
        return "told"
    return "bracket" if closer == "）" else "speech"


# The private parts of a message: thoughts, whispers and letters, by the marks of the writer.
# Doubtful parts are private: a gesture left out costs less than a secret revealed. The words below
# say that something is said or written for some persons only, and for whom.


# Things that are read or written: letters, notes, diaries, messages.
READS = Phrases(
    r"(?:短信|微信|私信|消息|邮件|手机|屏幕|信|信纸|信封|纸条|字条|便条|便签|日记|日记本|聊天框)"
    r"(?:[上里中]|上面|里面|内容)?(?:只)?(?:写着?|显示|弹出|亮|是[:：]|说[:：]|[:：])"
    r"|[写留发回递塞传][^，。；“”]{0,8}(?:短信|微信|私信|消息|信息|邮件|语音|信|纸条|字条|便条"
    r"|便签|日记)"
    r"|(?:拆开|展开|打开|翻开|读[起着完了到]?|看[着完了到]?|翻到)[^，。；“”]{0,10}"
    r"(?:短信|微信|私信|消息|邮件|信[纸封件]?|纸条|字条|便条|便签|日记本?|密函"
    r"|密信)(?![息号任念赖])"
    r"|给[^，。；“”]{1,10}写(?:道|信|了)|密函|密信|私聊|密聊|手机(?:震|响|亮)"
    r"|(?:から|に)(?:の)?(?:メッセージ|メール|LINE|手紙)|スマホが|と(?:返信|送信)",
    r"text(?:s|ed)? (?!of|in|on|is|was)\w+|DMs?(?: |$)|DM'd|texting"
    r"|(?:sends?|sent|types?|typed|gets?|got|receives?) [^.!?\"“”]{0,30}(?:text|message|email|DM)"
    r"|(?:letter|note|text|message|diary|journal|screen|email)(?: on her phone)?"
    r" (?:reads?|says?|said)"
    r"|(?:reads?|opens?|unfolds?|writes?|wrote|slips?|slipped|slides?|slid|tucks?|presses"
    r"|pass(?:es|ed)?|hands?|leaves?|scribbles?"
    r"|scribbled|unsealed|unseals|unfolded|opened) [^.!?\"“”]{0,30}"
    r"(?:letter|note|diary|journal|slip of paper|envelope)",
)
# One person takes another to a place where nobody else hears: 把你拉到后院. Not: 把大家叫到院子里.
APART_ZH = (
    r"[把将](?!大家|众人|所有|全[体部]|[我你他她]们|几个)[^，。；“”]{1,8}[拉拽叫带领扯]到了?[^，。；“”]{0,6}"
    r"(?:后院|院子里|院里|屋后|墙角|巷[子口里]|楼道|天台|书房|内室|偏殿|廊下|河边|屋外|外面|阳台|里屋|隔壁)"
)
TAKES_APART = Phrases(APART_ZH)
# Speech for some only: in an ear, in a low voice, aside, or over the telephone.
WHISPERS = Phrases(
    r"耳语|耳边|耳旁|耳畔|[近到着向在][^，。；“”]{0,8}的?耳朵?|低语|口型|唇语|几不可闻"
    r"|几乎听不[见到]|气声"
    r"|[掩捂]着嘴[^。“”]{0,8}[对跟向和]|(?:凑|贴|挨|俯身?)[近到向](?!门|窗|桌|[烛炉]?火|蜡|光|书|图|画|花|屏|墙|灯|镜|水|锅"
    r"|看)|咬[着了]?[^，。；“”]{0,4}耳朵|附耳|耳朵[边旁]|贴着[^，。；“”]{0,8}耳|密语|传音"
    r"|(?:悄悄|偷偷|私下|单独|暗中)[^，。；“”]{0,10}(?:说|告诉|问|道|讲|透露|提醒|交代|叮嘱|嘱咐)"
    r"|悄声|(?:压低|放低|压着)了?(?:声音|嗓音|嗓门|声线|声)"
    r"|(?:低声|小声|轻声|细声)地?(?:对|向|跟|和|同|与|告诉|在|问|提醒|叮嘱)"
    r"|[对向跟和同与给][^，。；“”]{1,12}(?:低声|小声|轻声|悄声|耳语)"
    r"|只[有让给够]?[^，。；“”]{0,12}(?:听得见|听得到|能听见|能听到|听见|听到|听清|看见|看到"
    r"|看得见)"
    r"|[听看]不[见到]的(?:声音|地方|角落)|(?:瞒着|背着|避开(?![^，。；]{0,8}[目眼视])|支开)[^，。；“”]{1,14}"
    r"|[把将][^，。；“”]{1,8}[拉拽叫带]到[^，。；“”]{0,6}"
    r"(?:一旁|一边|角落|旁边|屋檐下|走廊|门外|僻静|没人|无人|暗处)"
    rf"|{APART_ZH}|(?:确定|确认|见|趁)(?:四下|周围)?(?:没有?人|无人)(?:听见|听到|注意|在)?[，,]"
    r"|[拉拽带领叫][着住]?[^，。；“”]{1,8}(?:走到|来到|去了?|到|进)[^，。；“”]{0,8}"
    r"(?:阳台|门外|屋外|外面|角落|一旁|一边|走廊|楼梯|僻静|没人|无人|隔壁|里屋|暗处|树下)"
    r"|(?:微信|QQ|短信|邮件|私信)[上里]?[^，。“”]{0,4}[跟和对给向]|打[了来去通]?(?:一?个)?电话"
    r"|电话[里那接]|接起[^，。；“”]{0,4}电话|接通|对着(?:手机|话筒|电话)|拨通|来电"
    r"|耳元|耳打ち|囁|ささや|ひそひそ|声を(?:ひそめ|潜め)|電話(?:を(?:かけ|取)|越し|口)",
    r"whisper(?:s|ed|ing)?|voice (?:very )?low|low voice|quietly,? to|softly,? to"
    r"|mouths?(?: \w+)? to|mouthed"
    r"|to \w+ only|for \w+['’]s ears|cups? a hand|hushed|sotto voce"
    r"|(?:under|below) (?:my|his|her|their|your) breath"
    r"|(?:in|into|against|near|at|(?<!ped )(?<!ed tight )(?<!held )(?<!phone )(?<!pressed )"
    r"(?<!hand )(?<!cell )to) (?:my|his|her|their|your|[\w'’]{1,30}['’]s) ears?"
    r"|(?:murmur|mutter|breathe)(?:s|ed)? back"
    r"|(?:lower|drop)(?:s|ed|ing)? (?:my|his|her|their|your) voice"
    r"|only [^.!?,;\"“”]{1,40} (?:can|could|to) hear|no one else (?:can|could|to) hear"
    r"|(?:pull|take|draw|drag|lead)(?:s|ed|ing)? [^.!?,;\"“”]{1,30} (?:aside|into (?:a"
    r"|the) corner)|took [^.!?,;\"“”]{1,30} aside"
    r"|murmur(?:s|ed|ing)? (?:\w+ )?to|in (?:private|confidence)|privately|confid(?:es|ed|ing)"
    r"|(?<!the )(?<!her )(?<!his )(?<!my )(?<!our )(?<!your )(?<!heir )(?<!\ba )(?<!own )(?<!ell )"
    r"(?<!bile )(?<!['’]s )(?:phones?|phoned|dials?|dialed|rings? up)|into the (?:phone|receiver)"
    r"|(?:calls?|called|rings?|tells?|told|(?:talks?|speaks?|talked|spoke) (?:to|with))"
    r" [^.!?,;\"“”]{1,30} on the phone"
    r"|out of (?:earshot|[\w'’]{1,30}['’]s hearing)",
)
_LOUD = re.compile(
    r"(?:大声|高声|朗声|出声来?|放声)地?(?:念|读|宣读|说)|念出[声来]|读出[声来]|念给|读给|宣读"
    r"|当众|当着[^，。]{0,6}面|(?:reads?|read) [^.!?]{0,40}(?:aloud|out loud|to everyone)|alouds?",
    re.IGNORECASE,
)
# From such a sentence on, everybody hears again.
RAISED = re.compile(
    r"大声|高声|朗声|提高了?(?:声音|嗓音|音量|嗓门)|扬声|恢复[^，。]{0,6}(?:音量|声音)|直起[身腰]"
    r"|转[向身][^，。]{0,6}(?:大家|众人|所有人|其他人)|[对向]着?(?:大家|众人|所有人|其他人|全场)"
    r"|清了清嗓子"
    r"|(?<![A-Za-z])(?:aloud|loudly|out loud|to (?:everyone|everybody|the (?:room|table|others))"
    r"|rais(?:es|ed|ing) (?:his|her|their|my) voice|straightens"
    r"|clears (?:his|her|their|my) throat)",
    re.IGNORECASE,
)
_LINK = re.compile(
    r"(?:对|向|跟|和|同|与|给|告诉|附在|贴在|凑到|凑近|凑在|靠近|靠到|靠在|俯在|伏在|贴着|拉着"
    r"|拉住|拉过|在"
    r"|只有|只让|只给|只够|只|私聊|私信|叫住|把|将|问|提醒|叮嘱|嘱咐|让|@|往|塞给|递给|发给|写给"
    r"|打给|拨通|到"
    r"|(?<![a-z])(?:to|tells?|told|texts?|texted|calls?|called|only|dms?|into|in|at|near|against|so"
    r"|that|beside|asks?|asked|pulls?|pulled|takes?|took|draws?|with|towards?|hands?|slips?|phones?"
    r"|phoned|rings|dials|confides in))\s*(?:了|着|过|the|my|自己|身边的|旁边的|身旁的|小|老)?\s*$",
    re.IGNORECASE,
)
_JOINS = re.compile(r"^\s*(?:和|、|与|跟|及|以及|还有|,|，|and|&)\s*(?:and)?\s*$", re.IGNORECASE)
_WITH_PRONOUN = re.compile(
    r"(?:你|我|他|她|you|me|him|her)\s*(?:和|与|跟|、|and)\s*$", re.IGNORECASE
)
_EAR = re.compile(
    r"^(?:的|['’]s)?\s*(?:耳|ear|听得|能听|听见|听到|听清|看得|can hear|could hear)", re.IGNORECASE
)
_HIDDEN_BEFORE = re.compile(
    r"(?:瞒着|瞒住|背着|避开|躲开|支开|不让|别让|没让|不能让|不想让|怕|绕过|除了|不告诉|别告诉"
    r"|without|behind|from|except|avoiding|out of|not|don't (?:tell|let))\s*(?:let(?:ting)?\s*)?$",
    re.IGNORECASE,
)
_HIDDEN_AFTER = re.compile(
    r"^\s*(?:听不|没听|看不|没看|没注意|不注意|不在|走后|离开后|转身|的面|背后|的背后"
    r"|[^，。]{0,4}不知"
    r"|can't|cannot|won't|doesn't|couldn't|isn't|is not|(?:['’]s)? (?:back|hearing))",
    re.IGNORECASE,
)
_YOU = re.compile(
    r"(?:对|向|跟|和|同|与|给|告诉|在|到|让|把|将|只有|拉着|拉住)你|你(?:的)?耳|你(?:能|才)?听"
    r"|(?<![a-z])(?:to|tells?|told|into|in|against|at|only|pulls?|takes?|with|texts?|calls?) your?"
    r"(?![a-z])"
    r"|(?<![a-z])(?:whisper|murmur|mutter|breathe)(?:s|ed)? back(?![a-z])",
    re.IGNORECASE,
)
_ME = re.compile(
    r"(?:对|向|跟|和|给|告诉|在|到|让|把|将|只有|拉着|拉住)我|我(?:的)?耳|我(?:能|才)?听"
    r"|(?<![a-z])(?:to|tells?|told|only|pulls?|takes?|with|texts?|calls?) me(?![a-z])|my ear",
    re.IGNORECASE,
)
_THEM = re.compile(
    r"(?:对|向|跟|和|给|告诉|在|到|把|将)[他她]|[他她](?:的)?耳"
    r"|(?<![a-z])(?:to|tells?|told|pulls?|takes?|texts?|calls?) (?:him|her)(?![a-z])"
    r"|(?:his|her) ear",
    re.IGNORECASE,
)
_PIECE = 400  # characters of a sentence that are searched for hearers: bounds the work


@dataclass(frozen=True, slots=True)
class Lead:
    """The start of a whisper: ``hearers`` by name, and pronouns that stand for some."""

    mark: int
    is_read: bool
    hearers: tuple[str, ...] = ()
    is_to_you: bool = False
    is_to_me: bool = False
    is_to_them: bool = False


def lead_of(text: str, start: int, end: int, names: NameFinder) -> Lead | None:
    """Read a sentence; None if nothing in it is for some persons only."""
    match = WHISPERS.search(text, start, end)
    reading = READS.search(text, start, end)
    if (match is None and reading is None) or _LOUD.search(text, start, end):
        return None
    first = min(some.start() for some in (match, reading) if some is not None)
    sentence = text[start : min(end, start + _PIECE)]
    return Lead(
        first,
        reading is not None and (match is None or reading.start() <= match.start()),
        tuple(dict.fromkeys(hearers_in(sentence, names))),
        bool(_YOU.search(sentence)),
        bool(_ME.search(sentence)),
        bool(_THEM.search(sentence)),
    )


def hearers_in(sentence: str, names: NameFinder) -> Iterator[str]:
    """Yield those whom a sentence addresses, without those who must not hear it."""
    last = None  # the end of the last name of a hearer
    for mention in names.find(sentence):
        before = sentence[max(0, mention.start - 16) : mention.start]
        after = sentence[mention.end : mention.end + 16]
        if _HIDDEN_BEFORE.search(before) or _HIDDEN_AFTER.search(after):
            last = None
            continue
        joins = last is not None and _JOINS.match(sentence[last : mention.start][:12])
        if joins or _LINK.search(before) or _WITH_PRONOUN.search(before) or _EAR.match(after):
            last = mention.end
            yield mention.name
        else:
            last = None


_NEAR = 30  # characters before a whisper without a named hearer: the clause before it
_CALL = 16  # characters after the start of a whisper that may name its hearer
_BACK = 200  # characters before a whisper in which “him” or “her” was named: a few sentences
_LIKELY = 0.7  # a hearer known only as “him” or “her”: the last one named before
_TO_ALL = re.compile(
    r"你们|大家|各位|诸位|\b(?:you (?:two|all|both|guys|lot)|everyone|everybody|y['’]all)\b",
    re.IGNORECASE,
)
_ENDS = ":：,，"  # at the end of a sentence: a thought or a whisper follows
_SET_OFF = re.compile("[（(*_<「『]")
_COLON = re.compile("[:：]")
_FEW = 12  # pieces at the beginning of a message that show whether it puts speech in quotes


def private_parts(
    text: str, speaker: str, names: NameFinder, pieces: Sequence[TextPart] | None = None
) -> tuple[PrivatePart, ...]:
    """Find the parts that not everybody present perceives, in text order.

    ``speaker`` is "" for a narrator, whose unattributed thoughts and whispers belong to nobody.
    ``pieces`` are those of the text, if it was split before.
    """
    is_whispered = any(mark.search(text) for mark in (WHISPERS, READS, _CONFIDES))
    if not is_whispered and not _SET_OFF.search(text) and not _tells_thoughts(text):
        return ()
    pieces = pieces_of(text) if pieces is None else pieces
    thoughts = _thoughts(text, pieces, speaker, names)
    whispers = _whispers(text, pieces, speaker, names) if is_whispered else []
    return tuple(_apart(thoughts, whispers))


def _tells_thoughts(text: str) -> bool:
    return THINKS.search(text) is not None or RECALLS.search(text) is not None


def _thoughts(
    text: str, pieces: Sequence[TextPart], speaker: str, names: NameFinder
) -> list[PrivatePart]:
    parts: list[PrivatePart] = []
    is_plain = _is_plain(pieces, speaker)
    for number, piece in enumerate(pieces):
        if parts and piece.end <= parts[-1].end:
            continue  # part of the thought before it
        bounds = _thought(text, pieces, number, is_plain=is_plain)
        if bounds is None or _is_whispered_bracket(text, piece, names):
            continue
        if piece.kind == "bracket" and _tells_of_own(text, piece, speaker, names):
            continue
        start, end = bounds
        if parts and start < parts[-1].end:
            start = parts[-1].end
        if start >= end:
            continue
        thinker = _thinker(text, piece, speaker, names)
        audience = (Perceiver(thinker, "thought"),) if thinker else ()
        parts.append(PrivatePart("thought", start, end, audience))
    return parts


def _tells_of_own(text: str, piece: TextPart, speaker: str, names: NameFinder) -> bool:
    """Return whether a bracket narrates its writer by name: （门开了。周屿站在收银台后面。）."""
    is_named = any(m.name == speaker for m in names.find(text, piece.start, piece.end))
    return is_named and tells_deeds(text[piece.start : piece.end].strip("（）() "))


def _thought(
    text: str, pieces: Sequence[TextPart], number: int, *, is_plain: bool
) -> tuple[int, int] | None:
    """Return the span of a thought that begins with a piece, or is introduced by it."""
    piece = pieces[number]
    content = text[piece.start : piece.end]
    if piece.kind == "tag":
        return piece.start, piece.end
    if piece.kind == "bracket":
        inner = content.strip("（）() ")
        if content[:2].replace("（", "(") == "((":
            return None
        return (piece.start, piece.end) if is_thought_bracket(inner) else None
    if piece.kind == "speech":
        is_thought = content[0] in "「『" and THINKS.search(content, 1, 5) is not None
        return (piece.start, piece.end) if is_thought else None
    mark = match_thought(content, is_plain=is_plain)
    if mark is None:
        is_thought = piece.is_starred and is_thought_bracket(content, stars=True)
        return _starred_run(text, pieces, number) if is_thought else None
    return _told_thought(text, pieces, number, piece.start + mark.end())


def _is_plain(pieces: Sequence[TextPart], speaker: str) -> bool:
    """Return whether a message may be unquoted speech: no quotes or stars, and not a narrator's."""
    return bool(speaker) and not any(
        piece.kind == "speech" or piece.is_starred for piece in pieces[:_FEW]
    )


def _starred_run(text: str, pieces: Sequence[TextPart], number: int) -> tuple[int, int]:
    """Return the span of everything within the same asterisks as a piece."""
    first = last = number
    while first and _is_same_run(text, pieces[first - 1], pieces[first]):
        first -= 1
    while last + 1 < len(pieces) and _is_same_run(text, pieces[last], pieces[last + 1]):
        last += 1
    return _with_stars(text, pieces[first].start, pieces[last].end)


def _is_same_run(text: str, one: TextPart, other: TextPart) -> bool:
    if not (one.is_starred and other.is_starred):
        return False
    return not any(star in text[one.end : other.start] for star in "*_\n")


def _told_thought(
    text: str, pieces: Sequence[TextPart], number: int, mark: int
) -> tuple[int, int] | None:
    piece = pieces[number]
    start, end = _with_stars(text, piece.start, piece.end)
    after = pieces[number + 1] if number + 1 < len(pieces) else None
    follows = text[piece.end - 1] in _ENDS or text[piece.end - 2 : piece.end] in {"——", "……"}
    if after is not None and after.kind == "speech" and follows:
        return start, after.end
    before = pieces[number - 1] if number else None
    is_tail = before is not None and before.line == piece.line and mark - piece.start < _TAIL
    if before is not None and is_tail and _is_thought_before(before, piece):
        start = _with_stars(text, before.start, before.end)[0]
    if any(sign in text[mark : min(mark + 12, piece.end)] for sign in ":：,，") or follows:
        for later in pieces[number + 1 :]:  # the thought goes on, sentence by sentence
            if (later.kind, later.line, later.is_starred) != ("told", piece.line, piece.is_starred):
                break
            end = _with_stars(text, later.start, later.end)[1]
    return start, end


def _is_thought_before(before: TextPart, piece: TextPart) -> bool:
    return before.kind == "speech" or (before.is_starred and not piece.is_starred)


_TAIL = 24  # characters: “…” she thought, with what precedes it; a longer one tells more


def _thinker(text: str, piece: TextPart, speaker: str, names: NameFinder) -> str:
    mark = THINKS.search(text, piece.start, piece.end)
    if piece.kind == "bracket":
        before = names.last(text, max(0, piece.start - 30), piece.start)
        if before is not None and not text[before.end : piece.start].strip(" ：:"):
            return before.name
    if mark is None or piece.kind == "tag":
        return speaker
    inside = piece.start + (piece.kind == "bracket")
    return subject_of(text, inside, mark.start(), names, speaker)


def _whispers(
    text: str, pieces: Sequence[TextPart], speaker: str, names: NameFinder
) -> list[PrivatePart]:
    parts: list[PrivatePart] = []
    is_plain = _is_plain(pieces, speaker)
    number = 0
    while number < len(pieces):
        piece = pieces[number]
        lead = None
        if piece.kind in {"bracket", "told"}:
            lead = lead_of(text, piece.start, piece.end, names)
        if lead is not None and is_plain and piece.kind == "told" and not lead.hearers:
            lead = lead if _COLON.search(text, lead.mark, piece.end) else None
        lead = lead or _confided(text, pieces[number : number + 2])
        if lead is None:
            number += 1
            continue
        last = number
        if not _is_whispered_bracket(text, piece, names):
            last = _whispered_to(text, pieces, number)
        start, end = _with_stars(text, piece.start, piece.end)
        before = pieces[number - 1] if number else None
        if before is not None and before.kind == "speech" and before.line == piece.line:
            start = before.start
        end = max(end, _with_stars(text, pieces[last].start, pieces[last].end)[1])
        start = max(start, parts[-1].end) if parts else start
        audience = tuple(_audience(text, piece, lead, speaker, names))
        if len(audience) > 1 or lead.is_read or not _is_to_all(text, pieces[number : last + 1]):
            parts.append(PrivatePart("whisper", start, end, audience))
        number = last + 1
    return parts


_LOW_ZH = re.compile("(?:低声|小声|轻声|悄声|小小声)[^，。；]{0,3}[说道问开口]{0,3}[：:]$")
_CONFIDES = re.compile(
    "(?:别|不要|不许|不准)(?:告诉(?!我)|说出去|[跟和对向][^，。！？]{1,5}说|让[^，。！？]{1,5}知道)"
    "|只告诉你|只跟你一个人说"
)


def _confided(text: str, pieces: Sequence[TextPart]) -> Lead | None:
    """Return a whisper of low words that others must not know: 小声说：“别告诉她们。”."""
    if len(pieces) < 2 or pieces[0].kind != "told" or pieces[1].kind != "speech":
        return None
    told, speech = pieces[0], pieces[1]
    low = _LOW_ZH.search(text, told.start, told.end)
    if low is None or _CONFIDES.search(text, speech.start, speech.end) is None:
        return None
    is_to_you = "你" in text[told.start : told.end]
    return Lead(low.start(), is_read=False, is_to_you=is_to_you)


def _is_to_all(text: str, pieces: Sequence[TextPart]) -> bool:
    """Return whether words in a low voice are for everybody there: 压低声音：“你们快来看！”."""
    said = (piece for piece in pieces if piece.kind == "speech")
    return any(_TO_ALL.search(text, piece.start, piece.end) for piece in said)


def _is_whispered_bracket(text: str, piece: TextPart, names: NameFinder) -> bool:
    """Return whether a bracket holds a whole whisper: the hearer and, after a colon, the words."""
    if piece.kind != "bracket":
        return False
    lead = lead_of(text, piece.start, piece.end, names)
    return lead is not None and any(c in text[lead.mark : piece.end] for c in ':：“「"')


def _whispered_to(text: str, pieces: Sequence[TextPart], number: int) -> int:
    """Return the number of the last piece that is whispered.

    A whisper goes on to the end of its line, and over following lines that are only speech.
    """
    line = pieces[number].line
    has_spoken = False
    last = number
    for at in range(number + 1, len(pieces)):
        piece = pieces[at]
        if piece.kind == "told" and RAISED.search(text, piece.start, piece.end):
            break
        if piece.line != line and has_spoken and piece.kind != "speech":
            break
        if piece.line != line and not has_spoken and not _opens(text, pieces[last]):
            break
        has_spoken = has_spoken or piece.kind == "speech"
        line, last = piece.line, at
    return last


def _opens(text: str, piece: TextPart) -> bool:
    """Return whether a line that ends with this piece introduces the next one."""
    return text[piece.end - 1] in ":：" or piece.is_starred or piece.kind == "bracket"


def _audience(
    text: str, piece: TextPart, lead: Lead, speaker: str, names: NameFinder
) -> Iterator[Perceiver]:
    whisperer = _whisperer(text, piece, lead, speaker, names)
    how: How = "read" if lead.is_read else "addressed"
    known: set[str] = set()
    if whisperer:
        known.add(whisperer)
        yield Perceiver(whisperer, "read" if lead.is_read else "spoke")
    hearers = list(lead.hearers)
    if lead.is_to_you and names.player:
        hearers.append(names.player)
    if lead.is_to_me and speaker:
        hearers.append(speaker)
    for name in hearers:
        if name not in known:
            known.add(name)
            yield Perceiver(name, how)
    if len(known) <= 1:
        for name in dict.fromkeys(_meant(text, piece, lead, known, names)):
            yield Perceiver(name, how, _LIKELY)


def _meant(
    text: str, piece: TextPart, lead: Lead, known: Collection[str], names: NameFinder
) -> Iterator[str]:
    """Yield probable hearers of a whisper without named ones, from the text around it."""
    if lead.is_to_them:
        earlier = names.find(text, max(0, piece.start - _BACK), piece.start)
        yield from [one.name for one in earlier if one.name not in known][-1:]
    elif not lead.is_to_you and not lead.is_to_me:
        called = next(names.find(text, piece.end, piece.end + _CALL), None)
        if called is not None and text[called.end : called.end + 1] in set("，,！!…"):
            yield from [called.name] if called.name not in known else []
        before = text[max(0, piece.start - _NEAR) : piece.start]
        yield from (name for name in hearers_in(before, names) if name not in known)


def _whisperer(text: str, piece: TextPart, lead: Lead, speaker: str, names: NameFinder) -> str:
    """Return the whisperer: the person with whom the sentence begins, unless a hearer."""
    start = piece.start + (piece.kind == "bracket")
    opening = opening_of(text, start, lead.mark, names)
    if opening and opening not in lead.hearers:
        return opening
    subject = subject_of(text, start, lead.mark, names, speaker)
    return speaker if subject in lead.hearers else subject


def _apart(
    thoughts: Sequence[PrivatePart], whispers: Sequence[PrivatePart]
) -> Iterator[PrivatePart]:
    """Yield all parts in order; a whisper is split around a thought inside it."""
    cut: list[PrivatePart] = []
    number = 0
    for whisper in whispers:
        at = whisper.start
        while number < len(thoughts) and thoughts[number].end <= at:
            number += 1
        inside = number
        while inside < len(thoughts) and thoughts[inside].start < whisper.end:
            if thoughts[inside].start > at:
                cut.append(PrivatePart("whisper", at, thoughts[inside].start, whisper.audience))
            at = max(at, thoughts[inside].end)
            inside += 1
        if at < whisper.end:
            cut.append(PrivatePart("whisper", at, whisper.end, whisper.audience))
    yield from sorted([*thoughts, *cut], key=lambda part: part.start)


def _with_stars(text: str, start: int, end: int) -> tuple[int, int]:
    """Include the asterisks around a piece that is alone between them."""
    if start and end < len(text) and text[start - 1] in "*_" and text[end] in "*_":
        return start - 1, end + 1
    return start, end
