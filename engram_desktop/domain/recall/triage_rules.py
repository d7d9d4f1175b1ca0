"""Judge a player's message by rules: an event by its content, a routine if it has nothing else.

If in doubt it is usual talk: losing an event is worse than one number too many. The phrases below
mark turns whose content will be remembered, and turns that are one of many: these change a number
and are no memory.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from engram_desktop.domain.recall.query import Level, Triage
from engram_desktop.domain.text.sentences import Phrases

# The intents of a turn, and their phrases.
ROUTINES: tuple[tuple[str, Phrases], ...] = (
    (
        "headpat",
        Phrases(
            r"摸{1,3}(?:了)?(?:摸)?(?:一?[摸下])?(?:你|她|他)?的?(?:小)?(?:头|脑袋|脑瓜|头发|猫)"
            r"|摸头|再摸|揉了?揉?.{0,4}(?:头|发|脑袋)"
            r"|拍了?拍.{0,3}头|撸猫|挠了?挠",
            r"(?:head)?pats?|headpats|pats? (?:\w+ )?head|ruffles?|strokes? (?:\w+ )?hair"
            r"|scratches behind|good (?:girl|boy|kitty)",
        ),
    ),
    (
        "gift",
        Phrases(
            r"送(?:你|给|她|他)|给你(?:带|买|拿|的)?|带了(?:你|一)|递给|递过|(?:放"
            r"|摆)到.{0,6}(?:桌|手|面前)|礼物|收下",
            r"gives? (?:you|her|him) (?:a|an|some|the)|hands? (?:you|her|him)|(?:bought|got"
            r"|brought|made) you"
            r"|here you go|a (?:little )?(?:gift|present) for you",
        ),
    ),
    (
        "feed",
        Phrases(
            r"喂(?:你|她|他|食)|啊——|张嘴|倒了?(?:一)?杯|趁热|吃饭(?:了吗|啦|咯)|多喝热水"
            r"|夹(?:了)?菜|盛了?.{0,2}(?:汤|饭)",
            r"feeds?|say ah|pours? (?:you|her|him)|careful, it's hot|eat up",
        ),
    ),
    (
        "good_night",
        Phrases(
            r"晚安|早点睡|好梦|睡吧|盖好被子|关掉床头灯",
            r"good ?night|sweet dreams|sleep (?:well|tight)|night night",
        ),
    ),
    (
        "greeting",
        Phrases(
            r"早安|早上好|早呀?[，。！~啊]|午安|中午好|下午好|晚上好|你好[呀啊]?|嗨|哈喽"
            r"|我回来[啦了]|我出门[啦了]|我走[啦]|明天见|拜拜"
            r"|待会见|一会儿见|辛苦[啦了你]|欢迎回来|路上小心",
            r"good (?:morning|afternoon|evening|day)|morning|hello|hi|hey|i'm (?:home|back)|bye"
            r"|see you"
            r"|welcome (?:back|home)|have a (?:nice|good|great) (?:day|night|one)|waves",
        ),
    ),
    (
        "cuddle",
        Phrases(
            r"抱抱|抱一?[下个]|抱住|[捏戳揉](?:了)?[捏戳揉]?.{0,4}(?:脸|鼻|腮|耳)?|戳戳|捏捏|贴贴"
            r"|蹭蹭|牵(?:起|着|住).{0,3}手|么么|亲亲"
            r"|亲(?:了)?亲?.{0,3}(?:额头|脸|手背|头发)|拍{1,2}了?拍?.{0,3}(?:肩|背)|勾.{0,2}手指",
            r"hugs?|cuddles?|boops?|pokes?|pinch(?:es)? (?:\w+ )?cheeks?|holds? (?:\w+ )?hand"
            r"|nuzzles?"
            r"|kiss(?:es|ed)? (?:\w+ )?(?:cheek|forehead|hand|nose|hair)|snuggles?",
        ),
    ),
    (
        "thanks",
        Phrases(r"谢谢|多谢|谢[啦了]|加油", r"thanks?(?: you)?|thx|cheers|good luck|well done"),
    ),
    (
        "nod",
        Phrases(
            r"点{1,2}了?点?头|笑了?笑|微笑|耸肩|挥{1,2}手|眨{1,2}眼|嗯|哦|好[的呀啊吧]|^行[吧啊]?"
            r"|哈哈|嘻嘻|嘿嘿",
            r"nods?|smiles?|grins?|shrugs?|ok(?:ay)?|lol|haha\w*|yes|yeah|yep|sure|mhm|hm+|winks?"
            r"|giggles?",
        ),
    ),
)
ASSENTS = Phrases(
    r"^[\W]*(?:嗯+|好+[的啊呀吧]?|可以|行|愿意|我愿意|是|不|不要|不行|不愿意|对不起)[\W]*$",
    r"^[\W]*(?:yes|yeah|ok(?:ay)?|i do|i will|no|never|sorry|of course)[\W]*$",
)
ASKS = Phrases(
    r"[？?]|(?:怎么|什么|为什么|哪|谁|几|多少)(?!都|也|这么|那么)|(?:吗|呢|么)(?:[。~，！]|$)",
    r"what|why|how|who|where|which|when(?= (?:do|did|is|are|will))|\?",
)


# The intents of a turn, and their phrases. The first that matches counts.
TURNS: tuple[tuple[str, Phrases], ...] = (
    (
        "proposal",
        Phrases(
            r"嫁给我|娶[你我她]|我们结婚|结婚吧|求婚|戒指|单膝|订婚|一辈子|共度余生|白头",
            r"marry me|(?:a|the|your|my|her|his|wedding|engagement) ring|on one knee|proposes?"
            r"|be mine|spend (?:the rest of )?my life",
        ),
    ),
    (
        "confession",
        Phrases(
            r"[我咱].{0,6}(?:喜欢|爱上?|暗恋)(?:着|了)?(?:你|妳|您)|做我(?:的)?(?:女|男)?(?:朋友"
            r"|恋人|对象)"
            r"|喜欢(?:着)?你(?:很久|好久)|(?:表白|告白)|心里只有你|在一起(?:吧|好吗|好不好)",
            r"(?:I|I've|I have|I'm|I am) [^.!?]{0,16}(?:loved?|in love with|fallen for) (?:you"
            r"|her|him)"
            r"|(?:be|become) my (?:girl|boy)friend|love you|feelings for you",
        ),
    ),
    (
        "break_up",
        Phrases(
            r"分手|分开(?:吧|了)|离婚|一刀两断|恩断义绝|到此为止|我们(?:之间)?(?:就)?(?:结束"
            r"|完)了|绝交|不想再见",
            r"break(?:ing)? up|broke up|divorce|it's over|is over between|we're (?:done|through"
            r"|finished)"
            r"|we are (?:done|through|finished)|never want to see",
        ),
    ),
    (
        "farewell",
        Phrases(
            r"永远(?:离开|不会?再?|地?走)|走了.{0,3}永远|不会?再回来|再也不(?:会|回|见|要|想)"
            r"|最后一次(?!真)"
            r"|别来找我|别再?找我|(?:要|得|该)(?:离开|走)了|离开(?:这|你|我|大家|家乡|故乡)|别走"
            r"|不要(?:走|离开)"
            r"|诀别|永别|再也见不到|回老家|不辞而别|远走高飞",
            r"for good|won't (?:return|be back|come back)|will not return|never (?:come|coming|be"
            r"|going)"
            r" (?:back|home)|(?:the|my|our) last time|don't go|don't leave|farewell"
            r"|don't look for me"
            r"|leaving (?:you|town|the city|tomorrow|forever)|goodbye forever",
        ),
    ),
    (
        "death",
        Phrases(
            r"[他她它爸妈父母亲].{0,3}(?:死了|去世|牺牲|断气|没气了|过世)|(?:等)?我死|杀了|杀死"
            r"|杀掉|是我杀|遗[物书嘱言]"
            r"|中毒|只剩.{0,4}(?:天|个?月|年)|绝症|癌|病危|流产|怀孕|怀了",
            r"(?:he|she|they|it|mother|father|mom|dad)(?:'s| is| are) dead|kill(?:ed|s)|murder\w*"
            r"|I'm dying"
            r"|until I'm dead|when I'm dead|poison\w*|(?:months|weeks|days) (?:left )?to live"
            r"|(?:months|weeks|days) left|pregnant|passed away|last will",
        ),
    ),
    (
        "danger",
        Phrases(
            r"救命|快[跑逃走](?:!|！|，|$)|快[跑逃]|有人闯|闯进来|着火|爆炸|发现(?:了)?我们"
            r"|被发现了|追上来|流血|鲜血|昏倒|晕倒"
            r"|倒在(?:地|血)|坠|袭击|埋伏|敌袭|地震|绑架|失踪",
            r"help me|run for|run!|run, |found us|they're coming|blood\w*|bleed\w*|collaps\w+"
            r"|faints?"
            r"|ambush|explo\w+|kidnap\w*|on fire|under attack|missing since",
        ),
    ),
    (
        "fight",
        Phrases(
            r"巴掌|一把推开|拔[出剑刀枪]|举起[剑刀枪]|开枪|捅|刺向|刺入|[挥砍]剑|打(?:了)?(?:他"
            r"|她|你|我)一[拳耳巴]|别碰我"
            r"|滚[出开吧！!，]|滚$|撕[碎毁]|砸[碎烂]|摔门|背叛|复仇|报仇|决斗|吵架|掐住|出卖",
            r"slap(?:s|ped)|punch(?:es|ed)?|draws? (?:his|her|my|a|the) (?:sword|knife|gun|blade)"
            r"|lunges?"
            r"|stab(?:s|bed)?|shoots?|fires (?:the|his|her|a)|get out|don't touch me|betray\w*"
            r"|avenge"
            r"|revenge|sell(?:ing)? me out|sold me out|tears? up|attacks?|duel|slams? the door",
        ),
    ),
    (
        "accusation",
        Phrases(
            r"(?:你|妳)(?:为什么|竟然|一直|居然|怎么能|凭什么)?(?:要)?(?:一直)?(?:在)?(?:骗|欺骗"
            r"|瞒|利用)(?:了|着)?我"
            r"|凶手|叛徒|卧底|内鬼|间谍|小偷就是|你就是(?!喜欢|爱|想|太)|骗子|是你干的",
            r"you (?:\w+ )?lied|(?:you|he|she) (?:were|was|are|is|'re|'s) the (?:\w+ )?(?:spy"
            r"|killer|traitor"
            r"|thief|one who)|traitor|liar|you used me|how could you",
        ),
    ),
    (
        "revelation",
        Phrases(
            r"其实[，,]?我(?:就?是|不是|才是|的)|我(?:就)?是你(?:的|失散|亲)|我(?:根本"
            r"|其实)?不是(?:人|真的|她|他|普通)|真相"
            r"|(?:你|我)的(?:身世|真实身份|秘密)|身世|坦白|重要的(?:事|话)|一件事.{0,4}瞒|瞒了你"
            r"|有(?:件|个)事.{0,6}告诉你"
            r"|实话(?:告诉|跟|和)你",
            r"the truth is|I am your (?:father|mother|brother|sister|son|daughter)"
            r"|I'm your (?:father"
            r"|mother|brother|sister|son|daughter)|(?:your|my) (?:real|true) (?:name|identity"
            r"|secret)"
            r"|I know (?:your|what you) (?:secret|did|are)|something important|I(?:'m"
            r"| am) not (?:human"
            r"|who you)|I have to confess|I confess",
        ),
    ),
    (
        "decision",
        Phrases(
            r"我(?:已经)?(?:决定|选择?|发誓|答应|接受|同意|拒绝|宣布"
            r"|愿意)(?!了?[吗么？?])(?:[^吗？?]{1,40}|了|$)|我跟你走"
            r"|辞职|退学|加入(?:你们|反抗|公会|队伍|我们)|签(?:下|了)|投降|一言为定|约定",
            r"I (?:choose|decide|accept|swear|promise|refuse|agree|vow)\b|I've decided|I(?:'ll"
            r"| will) join"
            r"|I quit|I resign|I(?:'ll| will) go with you|we have a deal|I surrender",
        ),
    ),
    (
        "date",
        Phrases(
            r"约会|(?:带|陪|领)(?:着)?[你她他](?:去|到|来)|(?:一起|我们)去[^，。？?]{1,12}(?:吧"
            r"|好吗|好不好)|(?:天台|老地方|门口)见"
            r"|[点时]见|不见不散|私奔|第一[次个].{0,6}(?:一起|我们|你)|(?:一起"
            r"|我们).{0,6}第一[次个]",
            r"go out with me|on a date|our (?:first )?date|let's go to|take you to|meet me"
            r"|(?:will|would) you"
            r" (?:come|go) (?:with me )?to|(?:our|my|the) first (?:kiss|time together|birthday)"
            r"|elope"
            r"|for the first time",
        ),
    ),
    (
        "journey",
        Phrases(
            r"(?:我们|咱们|准备)?(?:出发|启程|动身|上路)(?:去|前往|吧|了|！|$)|前往|(?:带|拉"
            r"|牵)[^，。]{1,8}(?:来到|走进|去往|离开)"
            r"|来到(?!身|我身|你身)|跟(?:着|在)[^，。]{1,6}(?:走进|走入|进入|来到|下到|上了)"
            r"|走[进入](?:了)?[^，。厨]{2,10}"
            r"|潜入|踏入|抵达|搬(?:到|去|家)",
            r"(?:let's|we) (?:set out|leave for|head (?:to|for|out))|(?:follow|lead|guide|take)s?"
            r" (?:\w+ ){0,3}(?:in|into|down|up|to)(?:to)? (?:the|an?)|sneaks? into|enters? the"
            r"|arrives? at"
            r"|sets? (?:out|off)|moving (?:to|out)|moves? (?:out|in with)",
        ),
    ),
    (
        "kiss",
        Phrases(
            r"[吻亲]了?(?:上|下)?(?:去)?(?:[她他你我]的?)?(?:唇|嘴)|吻了(?:[她他你我]|上去"
            r"|下去)(?!的[额脸头手])|初吻|深吻|吻住",
            r"kiss(?:es|ed)? (?:\w+ )?(?:on|full on) the (?:lips|mouth)|first kiss"
            r"|kiss(?:es|ed) (?:you|her|him)(?! (?:cheek|forehead|hand|nose))(?= |$|[.*!])",
        ),
    ),
)
# With these words a text is about others, about fiction, or asks in general.
HEARSAY = Phrases(
    r"听说|据说|电影|电视|小说|漫画|动漫|新番|剧里|游戏|[男女]主|主角|隔壁|同学|别人|梦见|梦到"
    r"|做了个.{0,4}梦|做梦|相信"
    r"|老板|我[妈爸]|什么是|一般(?:都|会)?(?:送|做)|是不是应该|一定要.{0,10}吗|到底是谁|该不该"
    r"|新闻|历史上|歌[里词]|这首歌",
    r"movie|film|novel|series|tv show|anime|game|dream(?:t|ed)?|my (?:sister|friend|cousin"
    r"|colleague"
    r"|neighbou?r|boss|mom|mother|dad)(?! is (?:dead|dying))(?! (?:was|died))|do you (?:think"
    r"|believe)|people|the hero"
    r"|usually|in general|heard that|they say|in the news|in the book|song",
)


_MAX_TEXT = 4000  # characters judged: the beginning of a player's text is enough
_LOOP = 2  # earlier messages with the same routine that make it a loop
_RECENT = 6  # earlier messages checked: three rounds
_SHORT = 6  # characters of a routine without a known word: “嗯嗯呐”
_LONG_WORDS = 24  # characters, with a Latin word as one: a longer greeting has more in it
_LONG_ACT = 90  # the same for a gesture, whose description may be long
_SAID = frozenset(("greeting", "good_night", "thanks", "nod"))
_LATIN_WORD = re.compile(r"[A-Za-z']+")
_SENTENCE = re.compile(r"[。！!？?\n~…；;]+|(?<=[a-z])\.(?=\s|$)")
_BARE = re.compile(r"[\W_]+")
_DIRECTIVES: dict[Level, dict[str, str]] = {
    "ROUTINE": {
        "style": "short_cute",
        "forbidden_topics": "complex_philosophy, past_trauma",
    },
    "CHAT": {"style": "natural"},
    "EVENT": {"style": "full_scene"},
}


def triage_by_rules(text: str, recent_texts: Sequence[str] = ()) -> Triage:
    """Judge a player's message; ``recent_texts`` are the messages before it, oldest first."""
    text = text[:_MAX_TEXT].strip()
    turn = _turn(text)
    if turn:
        return _triage("EVENT", turn, "Something happens that the story goes on from.")
    if recent_texts and ASSENTS.search(text) and _is_asked(recent_texts[-1]):
        return _triage("EVENT", "answer", "It answers a question that the story turns on.")
    routine = _routine(text)
    if routine:
        return _of_routine(routine, recent_texts)
    return _triage("CHAT", "talk", "It is neither a small gesture nor a turn of the story.")


def _of_routine(routine: str, recent_texts: Sequence[str]) -> Triage:
    recent = [_routine(text[:_MAX_TEXT].strip()) for text in recent_texts[-_RECENT:]]
    if recent.count(routine) >= _LOOP:
        return _triage("ROUTINE", f"{routine}_loop", "The same small gesture again.")
    return _triage("ROUTINE", routine, "A small gesture or greeting, and nothing else.")


def _triage(level: Level, intent: str, reasoning: str) -> Triage:
    return Triage(level, intent, reasoning, dict(_DIRECTIVES[level]))


def _turn(text: str) -> str:
    """Return what happens in a text, "" for nothing: sentence by sentence, without hearsay."""
    hearsay = HEARSAY.search(text) is not None
    for start, end in _sentences(text):
        if hearsay and HEARSAY.search(text, start, end):
            continue
        for intent, phrases in TURNS:
            if phrases.search(text, start, end):
                return intent
    return ""


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the sentences with their closing marks."""
    start = 0
    for match in _SENTENCE.finditer(text):
        yield start, match.end()
        start = match.end()
    if start < len(text):
        yield start, len(text)


def _is_asked(text: str) -> bool:
    return ASKS.search(text[-_MAX_TEXT:]) is not None and _turn(text[-_MAX_TEXT:]) != ""


def _routine(text: str) -> str:
    """Return which routine a text is, "" if it asks or contains anything else."""
    bare = _BARE.sub("", text)
    intents = [intent for intent, phrases in ROUTINES if phrases.search(text)]
    if not intents:
        return "short" if len(bare) <= _SHORT and not ASKS.search(text) else ""
    if ASKS.search(text) and intents[0] not in {"feed", "greeting"}:
        return ""
    size = len(_LATIN_WORD.sub("x", text)) - text.count(" ")
    if size > (_LONG_WORDS if intents[0] in _SAID else _LONG_ACT):
        return ""
    return intents[0]
