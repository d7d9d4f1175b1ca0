"""Words that decide to which persons and things the facts of a sentence belong."""

from __future__ import annotations

import re

from engram_desktop.domain.claims.states_zh import LIMB

CLAUSE_ZH = re.compile(r"[，。！？；：、“「\s]")
DYING = re.compile(
    "(?:已经?|早就?|都|也|老|病|战|饿|冻|就|真的?|竟|昨[夜天晚]|后来|终于|还是|最后)+$"
)
NOUN_ZH = re.compile(r"(?!.*[我你他她它咱谁了的着过在是不])[\u4e00-\u9fff]{2,4}")
BY_WEIGHT = ("states", "passes", "", "changes", "ends")  # of equal claims, the weaker first
OVER = frozenset(("ends", "refuses", "lost", "gone", "cancels", "over"))
# For these a clause must name its subject, or begin with the verb.
OF_SUBJECT = frozenset(("is", "turns", "over"))
TURNS = frozenset(("home", "work", "owner", "bond"))  # facets whose “now” means a change
_NOW_ZH = r"如今|现在|从今|往后"
_NOW_EN = r"now|these days|nowadays"
NOW = re.compile(
    rf"{_NOW_ZH}|从此|今后|以后|从[^，。]{{1,5}}起|\b(?:{_NOW_EN}|ever since|from then on"
    rf"|from now on"
    r"|from that day|since then)\b",
    re.IGNORECASE,
)
# Words with which another occupation is stated as new.
NEWLY = re.compile(
    rf"{_NOW_ZH}|眼下|已经|这会儿|新来|新任|刚|终于|不再|改|了(?=[，。！；”」…]|$)"
    rf"|\b(?:{_NOW_EN}|new|today|since|already|finally|used to|no longer|any ?more)\b",
    re.IGNORECASE,
)
# English verbs of home or work that are nouns after one of these: your bunk, the boards.
NOUNS_TOO = frozenset(
    "board boards bunk bunks lodge lodges camp camps stay stays rent rents move moves work works"
    " run runs guard guards head heads lead leads drive drives patrol patrols study watch".split()
)
DETERMINED = re.compile(
    r"\b(?:the|an?|my|your|his|her|our|their|this|that|no|its)\s+$", re.IGNORECASE
)
PERFECT = re.compile(r"(?:\b(?:have|has|had)|['’](?:ve|s|d))(?: \w+)?\s+$", re.IGNORECASE)
SINCE = re.compile(r"\b(?:for|since|all (?:my|his|her|your)|ever)\b", re.IGNORECASE)
NOW_BEHIND = 14  # characters after a value in which “now” may be
WE = re.compile(r"(?:我们|咱们|咱俩|我俩)|\bwe\b", re.IGNORECASE)
OF_LIMB = re.compile(rf"的?(?:{LIMB}|身|体)(?:上|间|部|内)?的")  # 林晚腿上的木板
OF_OTHERS = re.compile(
    r"\b(?:he|she|you|they|it|his|her|your|their|the|this|that|who|a man|a woman)\b", re.IGNORECASE
)
# Between a pronoun and its name: 他就是沈砚, her name is Mira.
IS_CALLED = re.compile(r"[是叫]|\b(?:is|was|am|name|called)\b|['’]s\b")
TO_TASK = re.compile("[你您](?:倒好|倒是|却|偏|非要|总是?|老是?|还(?:到处|敢|逞|不))")  # a reproach
ITS_WELL = re.compile(r"[\s“\"]*(?:It['’]s|It is|It has|It)\b")  # about one's own injury
OF_SPEAKER = re.compile(r"我|\b(?:I|me|[Mm]y)\b")
TO_HEARER = re.compile(r"你|您|\byou\b", re.IGNORECASE)
# For these a plan counts: a host says that a guest will sleep there.
PLANNED_TOO = frozenset(("assigns", "refuses", "reset"))
# The sign of a claim by the mark of its rule. ``states``: a state mentioned in passing.
SIGNS = {m: m for m in ("ends", "changes", "passes", "states")} | {
    "refuses": "ends",
    "is": "states",
    "turns": "changes",
    "over": "ends",
    "beside": "states",
    "reset": "changes",
    "wakes": "changes",
    "lost": "ends",
    "gone": "ends",
    "empty": "changes",
    "cancels": "ends",
}
KIN_ZH = re.compile(
    "(?P<whose>[他她])(?:的)?(?P<kin>父亲|母亲|太太|妻子|丈夫|女儿|儿子|哥哥|姐姐|妹妹|弟弟|师父"
    "|师傅|爹|娘)"
)
NAMED_KIN = re.compile(  # 我娘|当年，就是, 我男朋友|周屿，在
    r"(?:当年|那年|那时|后来|从前|早年|生前|就|也|是|，)+|[\u4e00-\u9fff]{2,3}，(?:如今|现在)?在?"
)
KIN_EN = re.compile(
    r"\b(?P<whose>his|her) (?P<kin>wife|husband|brother|sister|father|mother|son|daughter|uncle"
    r"|aunt)\b",
    re.IGNORECASE,
)
COUNTED = re.compile(
    r"(?:[一这那两几口把]|[二三四五六七八九十百]+)[把柄块只枚支本辆匹座张幅件串颗扇艘封口顶盒卷份套瓶壶盏根条](?!是)"
    r"([\u4e00-\u9fff]{1,4}?)(?=[，。！？；是在的上被从放归”」]|$)"
)
THING_EN = re.compile(
    r"\b(?:the|a|an|my|his|her|your|that"
    r"|this)\s+((?:[\w'’\-]+\s+){0,2}?[\w\-]+)(?=\s*(?:[.,;!?\"”]|$|\bfrom\b|\bis\b|\bout\b|\bin\b"
    r"|\bon\b))",
    re.IGNORECASE,
)


NO_PLACE_OF = re.compile(
    r"^(?:it|he|she|they|i|we|you|我|你|他|她|.*(?:手|脚|眼睛?|头|脸|身子|目光|视线|hands?"
    r"|eyes?|head|face|feet"
    r"|arms?|back))$",
    re.IGNORECASE,
)
NO_THINGS = frozenset(
    "thing things way time moment day night word 如今 现在 今天 昨天 明天 眼下 从前 后来"
    " 从此 从今 自此 这里 那里 往后 以后 今后 后来"
    " 自今日起 从今日起 从今天起 从今往后 这会儿 时候".split()
)
# What no name of a thing contains (zh) or ends in (en): particles, adverbs, verbs, persons.
NO_NOUN = re.compile(
    r"[了着过是不没也就都还很吗呢吧啊我你他她您们谁，。]|一定|肯定|大概|可能"
    r"|[递丢留还送扔走来去说道]$"
    r"|(?:\b(?:up|down|out|off|away|back|over|flat|open|shut|together|aside|much|more|this|that"
    r"|these"
    r"|those|hundred|thousand|one|two|three|boy|girl|man|woman|child|daughter|son|everything"
    r"|nothing"
    r"|something|anything|hand|hands|arms?|eyes?|head|face|home|turns?|place|seat|breath|care"
    r"|advantage)"
    r"|ly|n['’]t|[a-z]{4,}ed)$",
    re.IGNORECASE,
)
AROUND_NAME = re.compile(
    r"(?:the |old |mr\.? |mrs\.? |['’]s)*|[老小阿那这]?(?:先生|小姐|姑娘|师傅|大人|家|自己|本人)?",
    re.IGNORECASE,
)
OF_WHOM = {"mine": "my", "yours": "your", "hers": "her"} | {
    w: w for w in "his 我 你 您 他 她".split()
}
YOUR_KIN = re.compile(
    "[你您](?:的)?(父亲|母亲|爸爸?|妈妈?|爹|娘|太太|妻子|丈夫|女儿|儿子|哥哥?|姐姐?|妹妹?|弟弟?"
    "|叔叔|舅舅|外婆|外公|奶奶|爷爷|师傅|师父)"
)
GROUP = re.compile("[^我你他她这那的]{1,6}(?:公司|国|派|帮|会|府|家|局|队|军|社|院|宫|堂|门)")
HERE = re.compile("(?:就)?[这那](?:儿|里|边|个$)")
QUOTED_THING = re.compile(r"[‘“「『《]([^’”」』》]{1,6})[’”」』》]")
HEAD_THING = re.compile(
    r"[\s“「]*(?:你的|我的|他的|她的|那[把柄块只]?|这[把柄块只]?|[^我你他她这那\W]{1,6}的)?"
    r"([^我你他她了着过的在是这那把\W][^我你他她了着过的在是这那\W]{0,4}?)"
    r"(?:也|就|如今|现在|眼下|这会儿|已经|还|一直|被人?|都|正|先|暂时|暂且|便|仍|全|总算|终于)*"
)
PREPOSED = re.compile(
    r"\b(?:on|in|of|at|to|from|with|by|for)\s+$"
)  # …that grows on this wheel is yours
THAT = frozenset("it this that these those she they them 它 这 那 这个 那个 这东西".split())
ON_BODY_ZH = re.compile(  # places of things on a person's body
    r"(?:自己|(?P<p>[我你您他她])|(?P<n>[^的]{2,4}?))?的?(?:左|右)?(?:脖子|脖颈|颈|腰|手腕|手心"
    r"|手掌|手|怀|袖|衣襟|衣袋|口袋|兜|肩|胸口|胸前"
    r"|掌心|掌|耳|鬓|背|身|贴身)(?:上|里|间|中|后|边)?$"
)
IN_HAND = re.compile("掌|手")
BODY_PART = re.compile(  # of a person, and no movable thing; English: NO_NOUN
    "(?:双|左|右)?(?:手[掌心指腕臂背]?|掌心|指[尖头]|胳膊|额头?|脸[颊庞]?|下巴|眼睛?|目光|视线|头发?|嘴唇?"
    "|肩膀?|膝盖?|脚[尖踝]?|腿|鼻[尖子]|耳朵?|脖子|后背|胸口|腰)"
)
ON_BODY_EN = re.compile(
    r"(?:in|into|on|onto|at|around|round|about|under|inside|over|across|against|to)"
    r" (?:(?P<p>my|your|his|her)|(?P<n>[A-Z][\w\-]+(?: [A-Z]\w+)?)['’]s)(?: own)? (?:\w+ )?(?:nec"
    r"k|fingers?|waist|belt|hips?|wrist|hands?"
    r"|pockets?|shoulders?|arms|lap|palm|chest|sleeve|boot|pouch|coat|cloak|jacket|throat|keeping"
    r"|possession|custody"
    r"|fist|back|holster|apron)\b"
)
HELD_THING = re.compile(  # 把那封信读了…, 藏进了琴匣
    r"[把将](?:[我你他她]的)?"
    r"(?:[一这那两几]?[把柄块只枚支本辆匹座张幅件串颗扇艘封口顶盒卷份叠沓套瓶壶盏面根条粒箱袋包])?"
    r"(?!手|头|脸|眼|脚"
    r"|身)([\u4e00-\u9fff]{1,4}?)(?=[读看拿取收折叠包裹放搁摆挂藏埋塞锁交递还给丢扔翻打带捡抱装"
    r"缝夹别系插钉贴绑压])"
)
TOPIC = re.compile(  # 外婆的账本，一直搁在…
    r"[\s“「]*(?:[\u4e00-\u9fff]{1,8}的)?(?:[一这那][\u4e00-\u9fff])?"
    r"([^我你他她了着过的在是不把也就都还\W]{1,4})"
)
OF_TIME_ZH = re.compile(
    r"^(?:(?:从|自)?(?:今天|今日|今|明天|明日|现在|此|那天|那以后|即日)(?:起|开始|往后)|(?:从|自)(?:今天|今日|今|明天|现在|此|那天|那以后)|如今|现在|以后|往后|从今往后"
    r"|今后|后来|眼下"
    r"|整个|整座)+"
)
OURS_ZH = re.compile("^(?:[我你他她咱]们的?|咱家?的?)(?=..)")  # 你们超话
TIME_BEHIND_ZH = re.compile("(?:如今|现在|眼下|往后|以后|从此|已经|这会儿)+$")  # 匣子|眼下
TAKEN_ZH = re.compile(  # 沈砚把|钥匙, 解下|玉坠
    r"(?:[^，。]{0,6}?[把将])|(?:随手|顺手|亲手|轻轻|慢慢|低头|转身|伸手|默默)?"
    r"(?:解|取|摘|脱|拔|掏|拿|捧|翻|找|抽|卸|捡|拾|接|递)(?:下|出|开|起|过|来)了?(?:自己的|他的"
    r"|她的|我的)?"
)
HEAD_OF_ALL = re.compile(  # 硬盘别搁这儿了
    r"^[\s“「]*([^我你他她它这那谁\W][^我你他她它这那的了着过在是不\W]{1,2})"
    r"(?=别|不(?!是)|被|已经|还在|就在|丢了|没了)"
)
SHOWN_THING = re.compile(r"[这那](?:就)?是([\u4e00-\u9fff]{1,5})，")
MOVED_THING = re.compile(
    r"[\s“「]*(?:你的|我的|他的|她的|那[把柄块只]?"
    r"|这[把柄块只]?)?([^我你他她了着过的在是\W]{1,4}?)(?:也|被|就|还)"
)
BETWEEN = re.compile(
    r"(?:\s|,|had|has|have|is|was|are|were|been|now|also|['’]s|he|she|once|still|already|just"
    r"|\w+ly|[也就还又都已经正如今现在，一直]){0,8}",
    re.IGNORECASE,
)
PRONOUN_BEFORE = re.compile(
    r"([我你他她您])(?:也|就|还|都|已经|一直|现在|如今)?$"
    r"|\b(I|he|she|you)(?: \w+ly| also| still| now)?\s*$",
    re.IGNORECASE,
)
NOUN_BEFORE = re.compile(
    r"((?:(?:Sir|Lord|Lady|Mr\.|Mrs\.|Dr\.|Old)\s+)?(?:[A-Z][\w'’]+\s+){1,3}"
    r"|\b(?:the|a|an|my|his|her)\s+(?:\w+\s+)?\w+\s+)$"
)


PRONOUNS_EN = re.compile(r"(?:He|She|It|They|I|We|You|Nobody)(?:['’]\w+)?$")
# Ends of a sentence after a value: 滨江花园了, the garage now.
ENDING = re.compile(
    r"(?<=[^\W\d_]{2})(?:了|啦|呢|吧|[啊呀嘛])+$|(?<=\w) (?:now|these days|again|too)$"
)
OWED = re.compile(
    "[^，。]{0,6}欠|[^，。]{0,3}(?:债|贷款|欠款)$|还[清完了]$|结清|两清|ow(?:e|ing)|arrears|debt"
    "|(?:re)?paid$|square$|even$|quits$",
    re.IGNORECASE,
)
OF_WOMEN = ("she", "her", "她")
ONES_OWN = re.compile("[\\s“「]*[我咱你您]")
PRESENTED = re.compile(r"\b(?:this|that)(?: is|['’]s) ([A-Z][a-z]+)\b")
SOMEBODY = re.compile(r"(?:[Tt]he |a |an )?[A-Z]\w+$|(?:the|a|an) \w+$")

# Marks of a clause about its speaker.


ASKED = re.compile("什么|哪[里儿个位家]|谁|多少|怎么")  # no value, in a question or outside of one
OF_SOMEBODY = re.compile(  # 是我的老师, 是我最喜欢的歌手
    r"是(?:[我你您他她]们?|[^，。！？]{0,4}(?:喜欢|讨厌|敬佩|认识|见过))[^，。！？]{0,6}的"
)
SEES_NOTHING = re.compile("什么[也都]?(?:看|听)不见")  # of frost or noise, not blind or deaf
SCHOOLING = re.compile("学历|学位|教育|文凭|专业")
ADVERBS = re.compile(r"[\s就也还不都正可却其实，,“”*]+")
AROUND_HERE = re.compile("附近|隔壁|对面|街角|街口|门口|楼下|旁边")  # another person's shop
ANYBODY = re.compile("[我你您他她咱]")
AGED = re.compile(  # words before “is 26” if it is an age
    r"(?:\b[Ii]|\b[Hh]e|\b[Ss]he|\b[A-Z][\w’'\-]*"
    r"|\b(?:[Mm]y|[Hh]is|[Hh]er|[Oo]ur|[Yy]our) [\w’'\- ]{2,24}?)\s*$"
)

# Before a match it is no current event: 你把它给我的那天, 灯灭了的时候.
OF_A_DAY = re.compile(
    r"[^，。！？；：\s]{0,3}?的(?:那|这)?(?:一)?(?:天|年|晚|夜|刻|瞬间|时候|日子|事情?(?!是|了)"
    r"|当天|早上|晚上|下午)"
)
TWO = re.compile("(?:他|她|我|你|咱)们|两人|二人|[他她我你咱]俩|两个人|双方|彼此")
SOMEBODY_ZH = re.compile(  # a noun for an unnamed person: 师弟, 公主, 海盗
    "[人子弟兄哥姐妹叔伯姨婶嫂爷奶爹娘爸妈婆公儿女孩徒师友学生员长兵官主王帝后妃盗匪贼商客]$"
    "|对方|室友|官府|朝廷|银行|外甥|侄|同伴|敌军|联军|警方"
)
# Before an ended fact: it is wished or denied, so it is no end.
WISHED = re.compile(
    "(?:想要?|想着|盼着?|没有?|没能|不肯|不愿|不想|别|不要|不能|不会|要不要|该不该|舍不得)$"
)
WHENEVER = re.compile(r"[\s“「]*(?:等(?!了)|哪天|只要|万一|一旦|将来)[^，。]{1,14}，")
AT_TIME = re.compile("[点分刻秒钟](?:[钟半整]|$)|时刻|瞬间|那一年|那天")
WITHIN = re.compile(r"\b(?:that|who|which|what|whose|whom|to|because|when|where|how)\b|['’]s \w+$")
NOBODY = re.compile(r"\b(?:nobody|no one|none|never|hardly)\b", re.IGNORECASE)
UNTIL = re.compile(r"\b(?:when|until|till|once|before|after|so)\b", re.IGNORECASE)
AT_WORK = re.compile(r"(?!feeling)\w+ing\b", re.IGNORECASE)  # Working in a team is fun
BOUND_BY = re.compile(
    r"(?:betrothal|engagement|marriage|alliance|friendship|partnership|oath|bond|pact|truce"
    r"|contract|understanding|treaty|vow)\b",
    re.IGNORECASE,
)
# Advice to a person: help you stay on track, when you reach it.
ADVISED = re.compile(
    r"\b(?:when|how|where|as|help|ensure|that|once|before|after|until|while|to) you\b",
    re.IGNORECASE,
)
