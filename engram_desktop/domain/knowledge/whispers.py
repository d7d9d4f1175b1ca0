"""By which words a sentence tells that something is said or written for some only, and for whom."""

from __future__ import annotations

import re
from collections.abc import Iterator

from engram_desktop.domain.knowledge.names import Names
from engram_desktop.domain.text.phrases import Phrases
from engram_desktop.domain.values import dataclass

# What is read or written: letters, notes, diaries, messages.
READS = Phrases(
    r"(?:短信|微信|私信|消息|邮件|手机|屏幕|信|信纸|信封|纸条|字条|便条|便签|日记|日记本|聊天框)"
    r"(?:[上里中]|上面|里面|内容)?(?:只)?(?:写着?|显示|弹出|亮|是[:：]|说[:：]|[:：])"
    r"|[写留发回递塞传][^，。；“”]{0,8}(?:短信|微信|私信|消息|信息|邮件|语音|信|纸条|字条|便条"
    r"|便签|日记)"
    r"|(?:拆开|展开|打开|翻开|读[起着完了到]?|看[着完了到]?|翻到)[^，。；“”]{0,10}"
    r"(?:短信|微信|私信|消息|邮件|信[纸封件]?|纸条|字条|便条|便签|日记本?|密函"
    r"|密信)(?![息号任念赖])"
    r"|给[^，。；“”]{1,10}写(?:道|信|了)|密函|密信|私聊|密聊|手机(?:震|响|亮)",
    r"text(?:s|ed)? (?!of|in|on|is|was)\w+|DMs?(?: |$)|DM'd|texting"
    r"|(?:sends?|sent|types?|typed|gets?|got|receives?) [^.!?\"“”]{0,30}(?:text|message|email|DM)"
    r"|(?:letter|note|text|message|diary|journal|screen|email)(?: on her phone)?"
    r" (?:reads?|says?|said)"
    r"|(?:reads?|opens?|unfolds?|writes?|wrote|slips?|slipped|slides?|slid|tucks?|presses"
    r"|pass(?:es|ed)?|hands?|leaves?|scribbles?"
    r"|scribbled|unsealed|unseals|unfolded|opened) [^.!?\"“”]{0,30}"
    r"(?:letter|note|diary|journal|slip of paper|envelope)",
)
# What is said for some only: in an ear, in a low voice, aside, or over the telephone.
WHISPERS = Phrases(
    r"耳语|耳边|耳旁|耳畔|[近到着向在][^，。；“”]{0,8}的?耳朵?|低语|口型|唇语|几不可闻"
    r"|几乎听不[见到]|气声"
    r"|[掩捂]着嘴[^。“”]{0,8}[对跟向和]|(?:凑|贴|挨|俯身?)[近到向](?!门|窗|桌|火|墙|灯|镜|水|锅"
    r"|看)|咬[着了]?[^，。；“”]{0,4}耳朵|附耳|耳朵[边旁]|贴着[^，。；“”]{0,8}耳|密语|传音"
    r"|(?:悄悄|偷偷|私下|单独|暗中)[^，。；“”]{0,10}(?:说|告诉|问|道|讲|透露|提醒|交代|叮嘱|嘱咐)"
    r"|悄声|(?:压低|放低|压着)了?(?:声音|嗓音|嗓门|声线|声)"
    r"|(?:低声|小声|轻声|细声)地?(?:对|向|跟|和|同|与|告诉|在|问|提醒|叮嘱)"
    r"|[对向跟和同与给][^，。；“”]{1,12}(?:低声|小声|轻声|悄声|耳语)"
    r"|只[有让给够]?[^，。；“”]{0,12}(?:听得见|听得到|能听见|能听到|听见|听到|听清|看见|看到"
    r"|看得见)"
    r"|[听看]不[见到]的(?:声音|地方|角落)|(?:瞒着|背着|避开|支开)[^，。；“”]{1,14}"
    r"|[把将][^，。；“”]{1,8}[拉拽叫带]到[^，。；“”]{0,6}"
    r"(?:一旁|一边|角落|旁边|屋檐下|走廊|门外|僻静|没人|无人|暗处)"
    r"|[拉拽带领叫][着住]?[^，。；“”]{1,8}(?:走到|来到|去了?|到|进)[^，。；“”]{0,8}"
    r"(?:阳台|门外|屋外|外面|角落|一旁|一边|走廊|楼梯|僻静|没人|无人|隔壁|里屋|暗处|树下)"
    r"|(?:微信|QQ|短信|邮件|私信)[上里]?[^，。“”]{0,4}[跟和对给向]|打[了来去通]?(?:一?个)?电话"
    r"|电话[里那接]|接起[^，。；“”]{0,4}电话|接通|对着(?:手机|话筒|电话)|拨通|来电",
    r"whisper(?:s|ed|ing)?|voice (?:very )?low|low voice|quietly,? to|softly,? to"
    r"|mouths?(?: \w+)? to|mouthed"
    r"|to \w+ only|for \w+['’]s ears|cups? a hand|hushed|sotto voce"
    r"|(?:under|below) (?:my|his|her|their|your) breath"
    r"|(?:in|into|to|against|near|at) (?:my|his|her|their|your|[\w'’]{1,30}['’]s) ears?"
    r"|(?:lower|drop)(?:s|ed|ing)? (?:my|his|her|their|your) voice"
    r"|only [^.!?,;\"“”]{1,40} (?:can|could|to) hear|no one else (?:can|could|to) hear"
    r"|(?:pull|take|draw|drag|lead)(?:s|ed|ing)? [^.!?,;\"“”]{1,30} (?:aside|into (?:a"
    r"|the) corner)|took [^.!?,;\"“”]{1,30} aside"
    r"|murmur(?:s|ed|ing)? (?:\w+ )?to|in (?:private|confidence)|privately|confid(?:es|ed|ing)"
    r"|(?:phones?|phoned|dials?|dialed|rings? up)|on the phone|into the (?:phone|receiver)"
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
    r"(?![a-z])",
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
_PIECE = 400  # characters of a sentence in which hearers are looked for: bounds the work


@dataclass(frozen=True, slots=True)
class Lead:
    """What a sentence says of a whisper: ``hearers`` by name, and pronouns that stand for some."""

    mark: int
    is_read: bool
    hearers: tuple[str, ...] = ()
    is_to_you: bool = False
    is_to_me: bool = False
    is_to_them: bool = False


def lead_of(text: str, start: int, end: int, names: Names) -> Lead | None:
    """Read a sentence; None where nothing in it is for some only."""
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


def hearers_in(sentence: str, names: Names) -> Iterator[str]:
    """Yield those whom a sentence says to be spoken to, leaving out those who must not hear."""
    last = None  # the end of the last name that hears
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
