"""By which words people are called something, and something else from then on, in both languages.

Rows are as in `states_zh` and `turns_en`: a facet, what a sentence must hold, a mark and a pattern.
The verbs and nouns of naming are few; what stands behind them is a name where a clause ends there.
"""

from __future__ import annotations

_CHAR = (
    "(?![的了着过不是我你他她它没这那什谁几很人来去做说出住得把被给吗呢啊])[\u4e00-\u9fffA-Za-z]"
)
_NAME_ZH = rf"[“‘「《]?(?P<v>{_CHAR}(?:{_CHAR}|·){{1,9}}?)"
_END_ZH = (
    r"(?:[”’」》]|(?:了|吧|好了|就行|就好|即可|便是|就是|如何)?(?=[，。！？；、…“”」\s（(—*]|$))"
)
_OWN_NAME = (
    "(?:真名|本名|原名|大名|全名|真实姓名|真正的名字|真正名字|本来的名字|原来的名字|真实身份)"
)
_FALSE = (
    "(?:幌子|化名|假名|假身份|马甲|代号|别名|艺名|笔名|伪装|面具|外衣|假的|借来的|编的|偷来的"
    "|捏造的)"
)
_SHEET = "(?:姓名|名字|落款|署名|签名|名牌|名帖|户主|持证人|收件人)"

NAMINGS_ZH: tuple[tuple[str, str, str, str], ...] = (
    (
        "named",
        "我叫|我就叫|我名叫|我便叫|我姓",
        "",
        rf"(?P<p>我)(?:就|只|便|名|姓[^，。]名)?叫(?:做|作)?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "叫",
        "states",
        r"(?:都|只|人人|一直|从小)(?:叫|喊|唤|称呼?)(?P<p>[他她我])(?:为|作"
        rf"|做)?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "他叫|她叫|就叫|只叫|名叫|便叫",
        "states",
        rf"(?P<p>[他她])(?:就|只|便|名|姓[^，。]名)?叫(?:做|作)?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "叫我|喊我|唤我|称我",
        "states",
        rf"(?:叫|喊|唤|称呼?)(?P<p>我)(?:为|作|做)?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "自称|人称|名叫|名唤|唤作|叫做|叫作|称作|称为|化名|诨号|外号|绰号|编号|代号|艺名|只知道",
        "states",
        rf"(?:自称|人称|名叫|名唤|唤作|叫做|叫作|称作|称为|化名|诨号|外号|绰号|[编代]号|艺名)"
        rf"(?:是|为|叫|作|：|:)?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "名|身份",
        "changes",
        rf"(?:(?P<p>[我他她你])的?)?{_OWN_NAME}(?:其实|原来|才|就|便)*(?:是|叫做?|唤作|：|:"
        rf"|，)+{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "改名|改姓|改称|改叫|改口|更名",
        "changes",
        r"(?:改名|改姓|改名换姓|改称|改叫|改口|更名)(?P<p>[他她它我你])?(?:为|叫|作|成|做|管|唤"
        rf"|了)*{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "叫|唤|称",
        "changes",
        r"(?:从今往后|从今以后|从此以后|从今[日天]起|往后|以后|从此|今后|如今|现在|不如"
        rf"|算了，?)[^，。！？]{{0,4}}?"
        r"(?:就|便|都|该|改|只)?(?:叫|唤|称|喊)(?:作|做"
        rf"|为)?(?P<p>[你他她我])?它?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "管|称",
        "changes",
        rf"都?管(?P<o>[\u4e00-\u9fff]{{1,4}}?)(?:叫|唤|称|喊)(?:作|做|为)?{_NAME_ZH}{_END_ZH}",
    ),
    (
        "named",
        "姓名|名字|落款|署名|签名|名牌|名帖|户主|持证|收件",
        "changes",
        rf"{_SHEET}[^，。！？我你叫]{{0,8}}?(?:却|竟|分明|赫然|清清楚楚地?)*(?:写|印|刻|签"
        rf"|填)(?:着|的是|了)[：:，]?{_NAME_ZH}{_END_ZH}"
        rf"|{_SHEET}[^，。！？我你叫]{{0,2}}(?:却|竟|分明"
        rf"|赫然)+是[：:]?{_NAME_ZH.replace('<v>', '<w>')}{_END_ZH}",
    ),
    (
        "named",
        "幌子|化名|假|马甲|代号|别名|艺名|笔名|伪装|面具|外衣|借来|编的|偷来|捏造",
        "over",
        rf"(?P<t>{_CHAR}{{2,6}}?)(?:这个?|那个?|的)?(?:名字|名号|身份)?，?(?:只|不过|原来|从来|都"
        rf"|就)*是(?:我的?|他的?|她的?)?个?{_FALSE}(?P<v>)",
    ),
)

_PROPER = (
    r"(?:(?:the |Miss |Mrs\.? |Mr\.? |Lady |Lord |Sir |Dr\.? |Detective |Captain |Brother "
    r"|Sister |Count(?:ess)? )?"
    r"(?-i:[A-Z])[\w'’\-]+(?: (?:of |von |de |van )?(?-i:[A-Z])[\w'’\-]+){0,3})"
)
_END_EN = r"(?=[.,;:!?\"”*—…]| (?:of|from|now|and|until|after|since|these) |$)"
_NO_NAME = (
    r"(?!(?:I|Mom|Dad|Mum|God|Sir|American|French|German|Sorry|Fine|Yes|No|Not)\b|\w+(?:ish|ese"
    r"|ian)\b)"
)

NAMINGS_EN: tuple[tuple[str, str, str, str], ...] = (
    (
        "called",
        "name's|name’s|name is|call me|calling me",
        "states",
        rf"\bName(?:['’]s| is) {_NO_NAME}(?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "i'm |i’m |i am ",
        "",
        r"\b(?P<p>I)(?:['’]m| am) (?:called |named |really "
        rf"|actually )?{_NO_NAME}(?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "as |call|name|dub|christen",
        "states",
        r"\b(?:kn[eo]w[ns]?|introduced|calls?|called|calling|naming|named|dubbed|nicknamed"
        r"|christened)"
        r" (?P<whom>him|her|me|you) (?:only |just "
        rf"|simply )?(?:as )?{_NO_NAME}(?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "went by|goes by|known as|known only as|passed for|posed as|styled|calling h",
        "states",
        r"\b(?:w[ea]nt by|goes by|known (?:only |simply )?as|passed (?:for|as)|pos(?:ed|es) as"
        r"|styled (?:him|her)self"
        rf"|call(?:ed|s|ing) (?:him|her|my)self) (?:the name (?:of )?)?(?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "name",
        "turns",
        r"\b(?:(?P<p>[Mm]y|[Yy]our|[Hh]is|[Hh]er) )?(?:real|true|birth|given|full|proper|actual"
        r"|legal|maiden) name"
        rf"(?: is| was|['’]s|,|:)+ (?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "name",
        "turns",
        r"\b[Tt]he name (?:(?:under|on|printed|written|stamped|in|at|beneath|below|above|inside"
        r"|stitched|engraved|carved)\b"
        rf"[^.,;!?]{{0,30}} )?(?:was|is|read|said|reads) (?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "from that|from this|from then|from now|henceforth|ever after|since then",
        "turns",
        r"\b(?:[Ff]rom (?:then|now|that \w+|this \w+)(?: on| onward\w?)?|[Hh]enceforth"
        r"|[Ee]ver after|[Ss]ince then),? "
        r"(?:[\w'’\-]+ ){0,4}?(?:was|is|be|were|am|are|went by|answered to)"
        rf" (?:known as |called |named |to be )?{_NO_NAME}(?P<v>{_PROPER}){_END_EN}",
    ),
    (
        "called",
        "alias|mask|coat|cover|disguise|false name|fiction|costume|stage name|pen name|act|part i",
        "over",
        r"\b(?P<w>(?-i:[A-Z])\w+) (?:was|is|['’]s) (?:only |just |never |nothing but |ever "
        r"|merely |all )*(?:more than )?"
        r"an? (?:\w+ )?(?:alias|mask|coat|cover|disguise|false name|fiction|costume|stage name"
        r"|pen name|act|part I)\b",
    ),
    (
        "called",
        " it is",
        "turns",
        rf"(?<![\w'’,;] )(?<!\w)(?P<v>{_PROPER}) it is\b(?=[.,!]| then)",
    ),
)
