"""By which words an office passes from one to another, in both languages.

Rows are as in `states_zh` and `turns_en`: a facet, what a sentence must hold, a mark and a pattern.
Of ``succeeds`` the match itself names who has the office now, or the clause does as its subject.
"""

from __future__ import annotations

import re

from engram_desktop.domain.claims.claim import Claim
from engram_desktop.domain.claims.states_en import ROLE as ROLE_EN
from engram_desktop.domain.claims.states_zh import ROLE as ROLE_ZH
from engram_desktop.domain.claims.states_zh import V

# Of these there is one at a time, in the circle of people that most stories tell of; in English the
# article says so.
OFFICES = frozenset(
    "掌门 帮主 教主 盟主 宗主 族长 皇帝 国王 女王 舰长 校长 董事长 会长 社长 班长 知府 县令"
    " 镇长 村长".split()
)
HEADS = frozenset("长主帅")  # 站长, 庄主: one at a time in most stories
_NOUN = 4  # characters of such an office
SEAT = "位"  # what somebody is given by 让位: the place of who gives it, whatever that is

_POST_ZH = (
    "(?:[\u4e00-\u9fff]{0,3}掌门人?|[\u4e00-\u9fff]{1,3}[主帅长](?!人|子|大|力|义|张|期|辈)|皇帝"
    "|国王|女王|太子|丞相|宰相"
    "|首辅|知府|县令|大?当家|总?镖头|长老|护法|统领|总管|管家|大将军|将军|都督|总督|经理|主任|掌柜"
    rf"|司令|{ROLE_ZH})"
)
_SEAT_ZH = "(?:之位|之职|一职|一位|的?职位|的?职务|的?位[子置]|的?担子|的?重任)"
_ADV_ZH = "(?:就|便|即|则|也|都|将|已经?|暂时?|正式|最终|最后|从今[日天]起|从此|今后)*"
_WHO_ZH = rf"(?P<o>{V}{{2,4}}?)"
_TAKES_ZH = (
    "(?:来)?(?:接任|继任|继承|接替|接掌|接手|担任|出任|充任|代理|暂代|兼任|代掌|执掌|顶上)了?"
)
_GIVEN_ZH = "(?:传|让|交|禅让|转)(?:给|与|予|于|到)了?|落(?:到|在)了?"
_END_ZH = r"(?=[，。！？；、：:“「”』」…!,.（(*\s]|$)"

SUCCESSIONS_ZH: tuple[tuple[str, str, str, str], ...] = (
    (  # 掌门之位由苏棠接任, 皇位传给了太子
        "work",
        "接任|继任|继承|接替|接掌|接手|担任|出任|充任|代理|暂代|兼任|代掌|执掌|顶上|传给|让给|交给"
        "|禅让|传到|落到|落在|传与|传于|让与|让于",
        "succeeds",
        rf"(?:(?P<v>{_POST_ZH}){_SEAT_ZH}?|(?P<w>[皇帝王]位))，?{_ADV_ZH}"
        rf"(?:[交转改]?由{_WHO_ZH}{_TAKES_ZH}"
        rf"|(?:{_GIVEN_ZH}){_WHO_ZH.replace('<o>', '<whom>')}(?:的?(?:手[里上中]|头上|肩上|身上))?)"
        rf"{_END_ZH}",
    ),
    (  # 远日点号由岑野指挥
        "work",
        "由",
        "succeeds",
        rf"(?P<v>{V}{{2,8}}?)，?{_ADV_ZH}(?:改|交|转)?由{_WHO_ZH}来?(?:指挥|主持|打理|掌管|执掌|统领|统管"
        rf"|带领|负责|看管|接管|当家|做主|照看|经营|管理|管|带|守|扛){_END_ZH}",
    ),
    (  # 威远镖局我来扛
        "work",
        "我来|由我|归我",
        "changes",
        rf"(?P<v>{V}{{2,8}}?)，?{_ADV_ZH}(?:我来|由我来?|归我)(?:指挥|主持|打理|掌管|执掌|统领|带领|负责|看管"
        rf"|接管|当家|做主|照看|经营|管理|管|带|守|扛|撑){_END_ZH}",
    ),
    (  # 由苏棠出任堂主
        "work",
        "接任|继任|继承|接替|接掌|接手|担任|出任|充任|代理|暂代|兼任|代掌|执掌|顶上|来做|来当",
        "succeeds",
        rf"由{_WHO_ZH}(?:{_TAKES_ZH}|来?[做当])(?:新任?|下一任|第{V}{{1,2}}任"
        rf"|代)?(?:{V}{{1,6}}?的)?"
        rf"(?P<v>{_POST_ZH}){_SEAT_ZH}?{_END_ZH}",
    ),
    (  # 苏棠接替谢渊出任掌门
        "work",
        "接替|取代|顶替|接过|接下|接了|继承|继任",
        "succeeds",
        rf"(?:(?:接替|取代|顶替)(?:了)?{V}{{1,4}}?(?:的|，?(?:出任|担任|接任|成为了?|成了|做了?"
        rf"|当上?了?))"
        rf"|(?:接过|接下|接了|继承了?|继任了?){V}{{0,4}}?的?)"
        rf"(?P<v>{_POST_ZH}){_SEAT_ZH}?{_END_ZH}",
    ),
    (  # 让位给苏棠: it is the place of who gives it
        "work",
        "让位|传位|禅位",
        "succeeds",
        rf"(?:让|传|禅)(?P<v>位)(?:给|于|与|予)了?{_WHO_ZH}{_END_ZH}",
    ),
    (
        "work",
        "让位|传位|禅位|让贤",
        "over",
        rf"(?P<v>)(?:(?:让|传|禅)位(?:给|于|与|予)了?{V}{{1,6}}?|退位让贤){_END_ZH}",
    ),
)

_SEAT_EN = "throne|crown|captaincy|presidency|chairmanship|mayoralty|regency|chieftainship|headship"
_POST_EN = (
    rf"(?:(?:acting |head |chief |deputy |first |high )?(?:{ROLE_EN}|leader|head|skipper|boss|chief"
    r"|chieftain|chair|emperor|empress|regent|headman|alderman|superintendent|dean|elder))"
)
_NAMED_EN = r"(?:(?-i:[A-Z])\w+(?: (?-i:[A-Z])\w+){0,2}|him|her|me|you)"
_WHOM_EN = rf"(?P<whom>{_NAMED_EN})"
_SEAT_OR_POST_EN = (
    rf"(?:(?P<v>{_SEAT_EN})|(?:post|office|position|role|job|title|rank) of (?P<w>{_POST_EN}))"
)

SUCCESSIONS_EN: tuple[tuple[str, str, str, str], ...] = (
    (  # the throne passed to Anna
        "work",
        "pass|went|goes|fell|falls|devolve|descend|given|handed|came",
        "succeeds",
        rf"\b[Tt]he {_SEAT_OR_POST_EN}(?: of [\w'’ ]{{2,24}}?)? (?:had |has |then |now"
        rf" )?(?:pass(?:ed|es)|went"
        r"|goes|fell|falls|devolve[sd]|descend(?:ed|s)|came|was (?:passed|given|handed)|is"
        r" (?:passed"
        rf"|given|handed))(?: on| down| over)? (?:up)?(?:to|on) {_WHOM_EN}\b",
    ),
    (  # Anna succeeded her father as captain, took over from Tom as sheriff
        "work",
        "succeed|took over|takes over|taken over|replace|place as|stead as|steps|stepped",
        "succeeds",
        r"\b(?:succeed(?:ed|s)|(?:took|takes|taken) over|replace[sd]|(?:took|takes|taken)"
        r" [\w'’ ]{2,24}"
        rf" place|stepp(?:ed|s) (?:up|in))\b[^.,;!?]{{0,40}}? as (?:the |our |its |their )?(?:new"
        rf" )?"
        rf"(?P<v>{_POST_EN})\b",
    ),
    (  # the cargo master, Tobias Reed, and what he is no longer
        "work",
        "the ",
        "states",
        rf"\b[Tt]he (?P<v>(?:\w+ master|{_POST_EN})), (?P<whom>(?-i:[A-Z])\w+"
        r"(?: (?-i:[A-Z])\w+){0,2})(?=[,.])",
    ),
    (
        "work",
        "finished as|done as|through as|out as",
        "over",
        rf"(?:['’]re|['’]m|['’]s| are| is| am) (?:finished|done|through|out) as (?:the |my |our )?"
        rf"(?P<v>(?:\w+ master|{_POST_EN}))\b",
    ),
    (
        "work",
        "succeed",
        "succeeds",
        rf"\bsucceed(?:ed|s) to the (?P<v>{_SEAT_EN})\b",
    ),
    (  # the new captain is Anna
        "work",
        "new ",
        "succeeds",
        rf"\b(?:[Tt]he|[Oo]ur) new (?P<v>{_POST_EN})(?:['’]s| is| was|,| would be)"
        rf" (?P<whom>(?-i:[A-Z])\w+"
        r"(?: (?-i:[A-Z])\w+){0,2})\b(?=[.,;!])",
    ),
    (  # he handed the captaincy to her, abdicated in favour of Anna
        "work",
        "hand|pass|ced|yield|surrender|left|leave|abdicat|gave|give",
        "succeeds",
        rf"\b(?:hand(?:ed|s)|pass(?:ed|es)|cede[sd]|yield(?:ed|s)|surrender(?:ed|s)|left|leaves"
        rf"|gave"
        rf"|gives)(?: over| on)? (?:the |his |her )(?P<v>{_SEAT_EN})(?: over| on| down)? to"
        rf" {_WHOM_EN}\b|\babdicate[sd] (?:the (?P<w>{_SEAT_EN}) )?in favou?r of"
        rf" (?P<o>{_NAMED_EN})\b",
    ),
    (
        "work",
        "hand|pass|ced|yield|surrender",
        "over",
        rf"\b(?:hand(?:ed|s)|pass(?:ed|es)|cede[sd]|yield(?:ed|s)|surrender(?:ed|s))(?: over|"
        rf" on)? (?:the"
        rf" |his |her )(?:{_SEAT_EN})(?: over| on| down)? to {_NAMED_EN}(?P<v>)\b",
    ),
)

# The office that a seat is of.
_OF_SEAT = {
    "皇位": "皇帝",
    "帝位": "皇帝",
    "王位": "国王",
    "掌门人": "掌门",
    "captaincy": "captain",
    "presidency": "president",
    "mayoralty": "mayor",
    "regency": "regent",
    **dict.fromkeys("throne crown king queen emperor empress".split(), "monarch"),
}
_BARE = re.compile(
    r"(?:is|was|are|am|as|made|named|elected|appointed|crowned|become|became|['’]m|['’]s) $"
)
_OF_ZH = "([\u4e00-\u9fff]{1,3}[派帮堂宗门教庄寨军队社会国府城村镇舰号院校班营部])的?"
_PROPER = re.compile(r"(?: of| in)(?: the)? ([A-Z][\w'’]+(?: [A-Z][\w'’]+)*)")


def office_of(claim: Claim) -> str:
    """Return the office that a claim gives somebody, where only one has it; "" for none."""
    if claim.facet != "work" or not claim.value or not claim.about:
        return ""
    office = claim.value.casefold()
    if not office.isascii():
        is_one = office in OFFICES or office in _OF_SEAT or f"这里的{office}" in claim.quote
        is_likely = is_one or (office[-1] in HEADS and len(office) <= _NOUN)
        return _OF_SEAT.get(office, office) if is_likely else ""
    for match in re.finditer(rf"(?i)\b{re.escape(office)}\b(?! at\b)", claim.quote):
        lead = claim.quote[: match.start()].casefold().removesuffix("new ")
        if lead.endswith(("the ", "our ")) or _BARE.search(lead):
            return _OF_SEAT.get(office, office)
    return ""


def is_one_office(one: Claim, other: Claim) -> bool:
    """Whether two claims may tell of one office: the head of one house is not that of another."""
    of = [_whose(claim) for claim in (one, other)]
    return not all(of) or of[0] == of[1]


def _whose(claim: Claim) -> str:
    """Return the house, the place or the ship that an office is of, "" where nothing says so."""
    value = re.escape(claim.value)
    if not claim.value.isascii():
        found = re.search(_OF_ZH + value, claim.quote)
        return found[1] if found is not None else ""
    found = re.search(rf"(?i:\b{value})", claim.quote)
    named = _PROPER.match(claim.quote, found.end()) if found is not None else None
    return named[1].casefold() if named is not None else ""
