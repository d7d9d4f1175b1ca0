"""The parts of a message, and the words by which a text names their speakers."""

from __future__ import annotations

import re
from functools import lru_cache

from engram_desktop.domain.claims.claim import How
from engram_desktop.domain.knowledge.parts import NOT_ABBREVIATED
from engram_desktop.domain.values import dataclass


@dataclass(frozen=True, slots=True)
class Part:
    """Characters ``start``..``end`` (not included) of a message, without their quotes.

    ``speaker``: who says, thinks or writes it, "" for the narration or if unknown. ``hearers``: the
    people named by the words around it. ``depth`` 1: quoted within another's speech. ``subject``:
    of narration, the person mentioned last; of speech, the one mentioned before. ``recent``: people
    whom a pronoun may mean, the last mentioned at the end.
    """

    kind: How
    start: int
    end: int
    speaker: str = ""
    hearers: tuple[str, ...] = ()
    depth: int = 0
    subject: str = ""
    recent: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageSender:
    """The sender of a message, and their style.

    ``is_narrator``: speaks for others. ``quotes``: whether this sender puts speech in quotes.
    ``beside`` are other people who send messages of their own: in this sender's messages they speak
    only if words say so.
    """

    name: str
    is_narrator: bool = False
    quotes: bool = True
    beside: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Context:
    """The context from previous messages: last speakers and people mentioned, newest at the end.

    ``called`` is the person the player calls by name; ``other`` the last speaker among those a card
    speaks for, except the card itself, "?" for an unknown one. They are the likely next speakers.
    """

    turns: tuple[str, ...] = ()
    recent: tuple[str, ...] = ()
    called: str = ""
    other: str = ""


SAYS_ZH = (
    r"(?:[^，。！？：“”「」\n]{0,12}?(?:说道?|问道?|答道?|道|喊|叫|嚷|骂|笑|叹|吼|念|讲|开口|回答"
    r"|补充|解释|嘀咕|嘟囔"
    r"|反问|追问|承认|命令|吩咐|低语|接话|插嘴|告诉|挤出))"
)
SAYS_EN = (
    r"(?:says?|said|asks?|asked|repl(?:y|ies|ied)|answer(?:s|ed)?|whisper(?:s|ed)?|mutter(?:s|ed)?"
    r"|murmur(?:s|ed)?|shout(?:s|ed)?|cr(?:y|ies|ied)|call(?:s|ed)?|add(?:s|ed)?|continu(?:es|ed)"
    r"|explain(?:s|ed)?|tells?|told|roar(?:s|ed)?|bellow(?:s|ed)?|snap(?:s|ped)?|sigh(?:s|ed)?"
    r"|laugh(?:s|ed)?|observ(?:es|ed)|demand(?:s|ed)?|insist(?:s|ed)?|admit(?:s|ted)?|begins?|began"
    r"|went on|goes on|growl(?:s|ed)?|grunt(?:s|ed)?|breath(?:es|ed)|remark(?:s|ed)?|agree[sd]?"
    r"|declaim(?:s|ed)?|tests?|tested|echo(?:es|ed)?|offer(?:s|ed)?|hiss(?:es|ed)?|grumbl(?:es|ed)"
    r"|mumbl(?:es|ed)|yell(?:s|ed)?|scream(?:s|ed)?|bark(?:s|ed)?|rasp(?:s|ed)?|croak(?:s|ed)?|drawl(?:s|ed)?"
    r"|snort(?:s|ed)?|huff(?:s|ed)?|retort(?:s|ed)?|warn(?:s|ed)?|announc(?:es|ed)|declar(?:es|ed)"
    r"|protest(?:s|ed)?|plead(?:s|ed)?|begs?|begged|stammer(?:s|ed)?|interrupt(?:s|ed)?|suggest(?:s|ed)?|complain(?:s|ed)?)"
)
WOMEN = frozenset("woman girl lady lass".split())
MEN = frozenset("man boy lad fellow".split())
SORT = f"(?:{'|'.join(sorted(WOMEN | MEN))})"
TAG_EN = re.compile(
    rf"[\s,*]*(?:(?P<pronoun>he|she|they|I)\s+(?:\w+ly\s+)?(?:{SAYS_EN}\b|[a-z]+(?:s|ed)(?=[,.:]))"
    rf"|{SAYS_EN}\s+(?P<after>he|she|they|I|the\s+\w+)\b|{SAYS_EN}\s+(?P<new>an?\s+\w+)\b"
    rf"|(?P<who>the\s+(?:(?:old|young|other)\s+)?{SORT})\s+(?:\w+ly\s+)?[a-z]+(?:s|ed)\b"
    rf"|(?P<thing>the\s+(?:\w+\s+)?\w+)\s+(?:\w+ly\s+)?{SAYS_EN}\b)",
    re.IGNORECASE,
)
THE_SORT_SAYS = re.compile(
    rf"\b[Tt]he (?:[\w-]+ ){{0,2}}({'|'.join(sorted(WOMEN | MEN))}) (?:\w+ly )?{SAYS_EN}\b"
    r"[^.!?]*[,:]\s*$"
)
INTRODUCES = re.compile(
    r"(?:[Mm]y name(?:['’]s| is)|[Nn]ame['’]s|I['’]m|I am"
    r"|(?:我|老[子夫娘]|俺|小女子|小人|贫[僧道])(?:叫|是)"
    r"|我姓[\u4e00-\u9fff]，(?:单?名|叫)?|在下|奴家|(?:^|(?<=[，。！？、“「]))我)\s*"
    r"(?P<name>[A-Z][\w'’]*"
    r"|[\u4e00-\u9fff])"
)
YOU_SAY = re.compile(  # the player speaks
    r"[你您][^。！？”」]{0,12}(?:说|问|道|喊|答|开口|嘟囔|叫|念|笑)|\b[Yy]ou(?:\s+\w+){0,2}?\s+(?:said|says?|ask"
    r"|repl|answer|shout|whisper|mutter|murmur|call|yell|tell|told|add|snap|manage|hear yourself"
    r"|laugh|begin)"
)
YOU_TOLD = re.compile(r"[你您](?!们)|\b[Yy]our?\b")  # the narration calls the player “you”
# A name alone, then the speaker's own statement: Juno Adeyemi. I run this place.
NAMED_ALONE = re.compile(
    r"(?:, (?:[A-Z]\w+ ?){1,3})?\.\s+(?:(?:She|He|It|That|This)['’]s my\b|Old [A-Z]"
    r"|I(?!['’](?:d|ll|ve)\b| (?:need|want|know|think|hope|believe|have|had|see|saw|thought|told"
    r"|said"
    r"|heard|was|didn|don|can|could|will|would|must|should|came|brought|found|got|love|miss|beg"
    r"|asked)"
    r"\b)['’\s])"
)
TAG_ZH = re.compile("[\\s，,*]*(我(?!们)|[他她])[^，。]{0,10}[说道问]")
NAME_SAYS = re.compile(rf"\s+(?:\w+ly )?{SAYS_EN}\b|[^，。]{{0,8}}(?:说|道|问|叹|喊|答)")
SPEAKS_NOW = re.compile(
    rf"[:：]$|[说道问喊叫答嚷骂喝吼叹][^。！？]*$|\b{SAYS_EN}\b[^.!?]*$", re.IGNORECASE
)
SAID_NEAR = 40  # characters before a speech in which a verb of speech introduces it
SAYS = re.compile(rf"[说道问喊叫答嚷骂喝吼叹念]|\b{SAYS_EN}\b", re.IGNORECASE)
SAYS_THEN = re.compile(rf"(?:说|道|问|[:：])[，,]?\s*$|\b{SAYS_EN}(?: \w+ly)?,\s*$")
TITLE_BEFORE = re.compile(
    r"(?:Sir|Ser|Lord|Lady|Mr|Mrs|Ms|Miss|Dr|Doc|Doctor|Captain|Master|Mistress|King|Queen|Prince"
    r"|Princess|Brother|Sister|Father|Mother|Aunt|Uncle|dear|old)\.?$",
    re.IGNORECASE,
)
# A relative, or a person by a title, who is called at the beginning of a speech.
CALLED_EN = re.compile(
    r"(?:^|,\s*)(?:my |dear )?(?P<title>aunt(?:ie|y)?|uncle|mother|mam+a|mum(?:my)?|mom(?:my)?"
    r"|father|papa|dad(?:dy)?|gran(?:ny|dma|dpa|dmother|dfather)?|sister|brother|son|daughter|cousin"
    r"|cap(?:tain)?|doctor|professor|sergeant|inspector)(?=\s*[,.!?~…]|\s*$)",
    re.IGNORECASE,
)
CALLED_ZH = re.compile(
    "(?:大|二|三|四|五|小|老|阿)?(?P<title>师[兄姐弟妹父傅尊叔伯娘]|掌门|长老|前辈|姑[妈姑父]|姨妈?|阿姨|叔叔?|伯[伯父]"
    "|舅舅?|爷爷|奶奶|外[公婆]|爸爸?|妈妈?|父亲|母亲|爹爹?|娘|哥哥?|姐姐?|弟弟?|妹妹?|老师|医生|大夫|队长"
    "|将军|大人|殿下|陛下|公子|小姐|姑娘|老板|掌柜的?|先生|夫人|少爷|老爷)[，,！!…]"
)
INVERTED = re.compile(r"\b(?:stood|stands|sat|sits|lay|lies|came|comes|was|is|were)\s+$")
# Behind a name: it is called. Not: 赵晴？就是你那个室友？, which asks who she is.
CALLS = re.compile(r"(?:啊|呀|哪)?(?:[，,！!….。]|[？?](?!(?:就|不|是不)?是|哪个|谁|[他她]))")
HAN = re.compile("[\u3400-\u9fff]")
KANA = re.compile("[\u3041-\u3096]")
ARTICLES = frozenset(("", "The", "the", "Old", "old", "と", "と、"))
ONLY_TAG = re.compile(  # \0 is a placeholder for a name
    rf"[\s,*]*(?:{SAYS_EN}\s+\0|\0\s+(?:\w+ly\s+)?{SAYS_EN})(?:\s+\w+ly)?[.*\s]*"
    r"|[\s，,*]*\0[^，。！？]{0,4}[说道问答喊叫](?:着|了)?[。*\s]*"
)
VERB_THEN_NAME = re.compile(rf"[\s,]*{SAYS_EN}\s+(?:the\s+|old\s+)?$", re.IGNORECASE)
SENTENCE_END = re.compile(rf"[。！？!?…\n）)]|\.{NOT_ABBREVIATED}(?=\s|\*\s|$)")
INNER = re.compile(
    r"‘(?P<a>[^‘’]{2,400})’(?![a-z])|『(?P<b>[^『』]{2,400})』|「(?P<c>[^「」]{2,400})」"
    r"|(?<![A-Za-z])'(?P<d>[A-Z][^\"“”]{2,400}?[.!?,]?)'(?![A-Za-z])|“(?P<e>[^“”]{2,400})”"
)
INNER_SAYS = re.compile(
    rf"(?:{SAYS_EN}|goes|went|(?:is|was|['’]s) like|words were|{SAYS_ZH[3:-1]})"
    r"[^。！？!?\n]{0,24}[:：,，]?\s*$",
    re.IGNORECASE,
)
_WHOLE = 6  # letters: shorter quoted words are a mentioned word
TERM = 8  # characters: shorter quoted words without a stop are a name or a term
STOPS = frozenset("。！？!?…，,.~～—")
# Before quoted words of an English sentence that are a term or on a sign: called it a “gift”.
TERM_BEFORE = re.compile(
    r"(?<![A-Za-z])(?:an?|the|his|its|their|my|your|our|this|(?<!told )(?<!tells )(?<!asks )"
    r"(?<!asked )(?<!answers )(?<!answered )her|so-called|nicknamed|dubbed|known as"
    r"|call(?:s|ed|ing)? (?:it|him|her|them|me|us)|marked|label?led|stamped|(?:en)?titled"
    r"|(?:sign|plaque|poster|banner|board|label)(?: that)? (?:says|said|reads?|reading)) $",
    re.IGNORECASE,
)
TERM_EN = re.compile(r"(?!I )[\w'’&-]+(?: [\w'’&-]+){0,3}[.,]?")
NICKNAMED = re.compile(r"[A-Z][\w'’]+ $")  # Tomas “Brick” Halloran
SURNAME_BEHIND = re.compile(r" [A-Z][a-z]")
REPEATS_SELF = re.compile(
    r"(?:(?<![对跟和向给与着朝叫让])我|(?<![A-Za-z])I)(?:就|也|还)?\s?(?:说|said|told|say)"
)
AT_HEAD = 6  # characters of a bracket before the name of its person: （里屋的周婆婆…）
# In a bracket that names another person: its writer only guesses about them.
GUESSES = re.compile(
    "觉得|感觉|看来|难道|莫非|好像|似乎|大概|也许|说不定|会不会|是不是|不知道|怎么|为什么|居然|没想到|果然|[吧吗呢？][）)]"
)
OWN_DEED = ("我", "I ")  # （我压低声音） begins so
OWN_WORDS = re.compile(r"我|I(?<![A-Za-z]I)(?![A-Za-z])")
HEADED = re.compile(r"[\s*（(]*(?:他|她|(?:he|she|his|her)(?![A-Za-z]))", re.IGNORECASE)
CLOSES = frozenset('”」』"')
OPENS = frozenset('“「『"')
UNQUOTED = re.compile(r"[“”\"「」『』]")
TAGGED = re.compile(r"[,，]?\s*(?:he|she|I|they) \w+[,，:：]?\s*$")
FIRST_HEAD = re.compile(r"[\s*（(]*(?:我(?![们的])|I(?![A-Za-z]))")  # the subject of a sentence
FIRST_SAYS = re.compile(
    r"(?:(?<![对向跟朝把被给让叫和与替比])我(?![们的])|(?<![A-Za-z'’])I(?![A-Za-z'’]))"
)
LED_IN = 24  # characters before a speech in which a verb of saying leads it in
TAG = 60  # characters after a speech in which a tag names its speaker
LEAD = 160  # characters of narration around a speech that are searched for its speaker
_ROLES_ZH = (
    "男生|女生|男孩|女孩|男人|女人|男子|女子|汉子|[高矮]个子?|胖子|瘦子|少年|少女|姑娘|丫头|老头|老者|老人|老妇|妇人"
    "|大[婶妈叔爷]|助理|店员|服务员|护士|保安|司机|士兵|侍卫|侍女|丫鬟|小厮|伙计|官差|青年|孩子|家伙"
    "|和尚|僧人|道士|尼姑|书生|侍者|太监|宫女|车夫|船夫|猎户|农夫|商人|乞丐|老妪|老汉|老太太|老大爷|来人"
)
ROLES_EN = (
    r"girl|boy|man|woman|voice|kid|stranger|guard|soldier|clerk|nurse|maid|cook|fool|jester|steward"
    r"|driver|waiter|waitress|bartender|innkeeper|knight|priest|monk|nun|servant|messenger|merchant"
    r"|fisherman|sailor|butler|porter|receptionist|officer|cop|technician|medic|pilot|dwarf|elf|orc"
    r"|goblin|witch|wizard|sorcerer|lass|lad|lady|gentleman|barman|barmaid|landlord|landlady|farmer"
    r"|shepherd|miller|smith|scholar|teacher|student|secretary|neighbour|neighbor|shopkeeper|cabbie"
    r"|fellow|figure|newcomer|creature|drunk|beggar|thief|mercenary|sergeant|warden|priestess|mother"
    r"|father|husband|wife|grandmother|grandfather|teenager|toddler|child|couple"
)
_KIN_EN = (
    "mother|father|grandmother|grandfather|grandma|grandpa|mum|mom|dad|aunt|uncle|sister|brother"
)
_KIN_ZH = "妈妈|爸爸|母亲|父亲|奶奶|爷爷|外婆|外公|太太|老公|老婆|妻子|丈夫"
# A person named by a relation: his grandmother, 江屿妈妈.
KIN_OF = re.compile(
    rf"[\s*]*(?:His|Her|Their|Your|[A-Z]\w+['’]s) (?:\w+ ){{0,2}}(?:{_KIN_EN})\b(?!['’]s)"
    rf"|[\s*]*[\u4e00-\u9fff]{{2,3}}的?(?:{_KIN_ZH})(?!的?[手脸眼话]|的|们|[，。！？])"
)
# After a name: the clause is about a being that belongs to it: Joan's brother, 林夏的狗.
OF_BEING = re.compile(
    rf"['’]s (?:[\w-]+ ){{0,3}}?(?:{_KIN_EN}|{ROLES_EN}|son|daughter|friend|boss|colleague"
    r"|boyfriend|girlfriend|cousin|niece|nephew|uncle|aunt|twin|men|people|crew|partner|assistant|dog|cat|horse"
    r"|pony|bird|parrot|hound|wolf|dragon)\b(?!['’]s)"
    rf"|的[^，。！？]{{0,4}}?(?:{_KIN_ZH}|{_ROLES_ZH}|[哥姐弟妹儿女徒]|朋友|同事|手下|师父|师傅|同学|邻居|[狗猫马鸟鹦鹰狼龙])"
)
# Words with which a sentence introduces an unnamed person.
SOMEBODY_NEW = re.compile(
    rf"[\s*]*(?:A|An|Some|Another|[A-Z][\w'’]+(?: [a-z'’]+){{0,4}}, (?:an?|another))"
    rf" (?:\w+ ){{0,2}}(?:{ROLES_EN})\b(?!['’]s)"
    rf"|{KIN_OF.pattern}"
    rf"|[\s*]*(?:一[个位名]|有个|某个|那个)[^，。]{{0,6}}(?:人|{_ROLES_ZH})"
    rf"|[\s*]*(?![我他她你])[^。！？“「\n]{{0,24}}(?:是个|是位|一[个位名]|有个)[^，。！？]{{0,8}}"
    rf"(?:{_ROLES_ZH})(?!的?[手脸眼话])"
)
# Or that a narrator names by a role. A character's own message may call the sender so.
BY_ROLE = re.compile(
    rf"{SOMEBODY_NEW.pattern}|\s*The (?:\w+ ){{0,2}}(?:{ROLES_EN})\b(?!['’]s)"
    rf"|[\s*]*(?:(?![我他她你])[^。！？“「\n]{{0,24}}(?:的|那个)[^，。！？的]{{0,6}})?(?:{_ROLES_ZH})"
    r"(?!的?[手脸眼话]|的|们|[，。！？])"
)
THE_ROLE = re.compile(rf"(?:^|[.!?*]\s*)The (?:\w+ ){{0,2}}({ROLES_EN})\b(?!['’]s)")
_BY_A_NOUN = {
    gender: re.compile(
        rf"\b(?:[Tt]he|[Aa]n?|[Tt]his|[Tt]hat"
        rf"|[Aa]nother) (?:[\w'’,\-]+ ){{0,3}}?(?:{'|'.join(sorted(words))})\b"
        rf"|{zh}"
    )
    for gender, words, zh in (
        ("m", MEN, "男[人子孩生]|汉子|少年|老者|老头|小伙|青年|先生|大叔|大爷"),
        ("f", WOMEN, "女[人子孩生]|姑娘|少女|丫头|妇人|老太|大婶|大妈"),
    )
}
NEW_WITHIN = re.compile(
    rf"(?:(?<![a-z] )A|(?<=: )a)n? (?:[\w-]+,? ){{0,3}}(?:{ROLES_EN})\b"
    rf"|\b(?:in|at|on|of|by|behind|beside|from) [^.!?]{{2,40}}? an? (?:[\w-]+,? ){{0,3}}"
    rf"(?:{ROLES_EN})\b"
    rf"|一[个名位][^，。]{{0,10}}(?:{_ROLES_ZH})"
    r"|\b(?:with|into|at|from|beside|behind|by|saw|sees|met|meets|towards?)"
    r" some(?:body|one)\b(?! else)"
)


_BEFORE_TERM = 32  # characters before a term that say it is one, or name its owner


def is_term(text: str, start: int, end: int) -> bool:
    """Return whether a quotation is a name or a term inside a sentence."""
    inner = text[start + 1 : max(start + 1, end - 1)].strip()
    if TERM_EN.fullmatch(inner):
        near = max(0, start - _BEFORE_TERM)
        is_nickname = inner[0].isupper() and SURNAME_BEHIND.match(text, end)
        if is_nickname and NICKNAMED.search(text, near, start):
            return True
        if TERM_BEFORE.search(text, near, start):
            return True
    if len(inner) > TERM or any(char in STOPS for char in inner):
        return False
    before = text[max(0, start - 1) : start]
    after = text[end : end + 1]
    return bool(before) and before not in "：:，,。！？!?\n " and after not in "\n "


def is_quotation(words: str, before: str) -> bool:
    """Return whether quoted words in a speech are a whole sentence, ``before`` which another ends.

    老师还补了一刀，‘一毛钱都没有。’ Not: a sign that says ‘Closed’, ‘暗夜’ is its name.
    """
    is_sentence = words.rstrip()[-1:] in "。！？!?…" or words.rstrip().endswith((".", ","))
    return is_sentence and len(words) >= _WHOLE and before.rstrip()[-1:] in "，,：:。？！.?!—…"


def tells_of_somebody(text: str, end: int, gender: str) -> bool:
    """Return whether a text mentions a man (``m``) or a woman by a noun alone before ``end``."""
    return _first_noun(text, gender) <= end


@lru_cache(maxsize=4)  # it is called for each pronoun of a message
def _first_noun(text: str, gender: str) -> int:
    match = _BY_A_NOUN[gender].search(text)
    return len(text) + 1 if match is None else match.end()


_TO_EN = re.compile(rf"\b(?:{SAYS_EN}(?: \w+ly| again)? (?:to|at)|tells?|told|asks?|asked) $")
_TO_ZH = re.compile(r"[对向跟朝]着?$")
_SAYS_REST = re.compile(r"[^，。！？]{0,6}[说道问喊叫答]")  # 陆三对阿七|低声说
_TITLE_WITHIN = 24  # characters of a speech in which a title calls its hearer


def is_told(lead: str, rest: str) -> bool:
    """Return whether a tag, parted before and behind a name, says that the named is spoken to."""
    if SENTENCE_END.search(lead) is not None:
        return False
    is_named_zh = _TO_ZH.search(lead) is not None and _SAYS_REST.match(rest) is not None
    return is_named_zh or _TO_EN.search(lead) is not None


def calls_by_title(text: str, start: int) -> bool:
    """Return whether the beginning of the speech at ``start`` calls its hearer by a title."""
    words = text[start : start + _TITLE_WITHIN].lstrip(" “\"「『‘'")
    return CALLED_ZH.match(words) is not None or CALLED_EN.search(words) is not None
