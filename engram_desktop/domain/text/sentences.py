"""Sentences, phrases, out-of-character remarks, and asides without content."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator

from engram_desktop.late import late_pattern

# Whole sentences of a text: never with half a quotation, nor ending at "Dr.".


_CLOSERS = "”’」』》）)\"'】]"
_OPEN = {"“": "”", "「": "」", "『": "』", "《": "》", "（": "）"}
_ENDS = frozenset("。！？!?…")
_SHORT = late_pattern(
    r"(?:^|[\s(“\"])(?:Mr|Mrs|Ms|Dr|St|Capt|Prof|Sgt|Lt|Jr|Sr|vs|etc|No|e\.g|i\.e|[A-Z])$"
)
_LONGEST = 400  # a quotation without an end joins no more than this
_LETTER = late_pattern(r"\w")
_SILENT = late_pattern(r"[\W_]+")


_HAN = "\u3040-\u30ff\u3400-\u9fff"
_NARROW = late_pattern(rf"(?<=[{_HAN}…”’」』）])[,?!:;]+(?!\d)|[,?!:;]+(?=[{_HAN}“「『])")
_WIDE = str.maketrans(",?!:;", "，？！：；")


def with_wide_marks(text: str) -> str:
    """Return ``text`` with wide marks between Chinese words (好的,走吧! → 好的，走吧！).

    Many people write narrow ones. Each character keeps its position.
    """
    return _NARROW.sub(lambda marks: marks[0].translate(_WIDE), text)


def bare(text: str) -> str:
    """Return the letters and digits of a text, folded: equal for spelling variants."""
    return _SILENT.sub("", text.casefold())


def split_sentences(text: str) -> list[str]:
    """Return the sentences of ``text`` with their ends; those without a letter are dropped."""
    sentences: list[str] = []
    start = at = 0
    closing = ""
    while at < len(text):
        char = text[at]
        at += 1
        if closing and at - start < _LONGEST:
            closing = "" if char in {closing, "\n"} else closing
            if closing or not (char == "\n" or _ends_inside(text, start, at)):
                continue
            char = "。" if char != "\n" else char  # “走吧。” ends with its quotation
        elif char in _OPEN:
            closing = _OPEN[char]
            continue
        if char == "\n" or char in _ENDS or (char == "." and _is_full_stop(text, start, at)):
            while at < len(text) and (text[at] in _ENDS or text[at] in _CLOSERS):
                at += 1
            sentences.append(text[start:at])
            start, closing = at, ""
    sentences.append(text[start:])
    return [s for sentence in sentences if _LETTER.search(s := " ".join(sentence.split()))]


def _ends_inside(text: str, start: int, at: int) -> bool:
    """Return whether a quotation that just closed also ends its sentence."""
    ended = at - 2 > start and text[at - 2] in "。！？!?….."
    return ended and (at == len(text) or text[at] in " \n" or "\u3400" < text[at] < "\u9fff")


def _is_full_stop(text: str, start: int, at: int) -> bool:
    after = text[at : at + 1]
    if after and not after.isspace() and after not in _CLOSERS:
        return False
    return not _SHORT.search(text[max(start, at - 8) : at - 1])


# A list of phrases in Chinese and in English, searched together, each only in its script.


_LATIN = late_pattern("[A-Za-z]{2}")


class Phrases:
    """Patterns of both languages. English ones match whole words, in any case."""

    def __init__(self, chinese: str, english: str = "") -> None:
        self._chinese = re.compile(chinese, re.MULTILINE)
        self._english = (
            re.compile(rf"(?<![A-Za-z])(?:{english})(?![A-Za-z])", re.IGNORECASE)
            if english
            else None
        )

    def search(self, text: str, start: int = 0, end: int = sys.maxsize) -> re.Match[str] | None:
        """Return the first match of either language."""
        match = self._chinese.search(text, start, end)
        if self._english is None or not _LATIN.search(text, start, end):
            return match
        english = self._english.search(text, start, end)
        if match is None or (english is not None and english.start() < match.start()):
            return english
        return match

    def finditer(self, text: str, start: int, end: int) -> Iterator[re.Match[str]]:
        """Yield the matches in both languages, one after another."""
        while (match := self.search(text, start, end)) is not None:
            yield match
            start = max(match.end(), match.start() + 1)


# Find text outside of the story: (OOC: …), and a last line that calls it all fiction. Only text
# that no story would have counts; if in doubt it stays. The time is linear in the length of the
# text.


_MAX_LINE = 600  # characters: a longer bracket is part of the story
_MARKS = " \t*_~\u3000"
_PAIRS = {"(": ")", "（": "）", "[": "]", "【": "】", "［": "］", "〔": "〕"}
_ANY = late_pattern(
    r"ooc|o\.o\.c|\(\(|（（|//|场外|皮下|题外话|作者有话|out of character"
    r"|(?<![a-z])[gd]m(?![a-z0-9])|作者大大",
    re.IGNORECASE,
)
_WORD = r"(?:ooc|o\.o\.c\.?|out of character|场外|皮下|题外话|作者有话(?:要?说)?)(?![a-z0-9])"
_OWN_WORD = re.compile(rf"\s*{_WORD}", re.IGNORECASE)
# The beginning of a remark: its closer, or None if it reaches to the end of its line.
_OPENERS = late_pattern(
    rf"(?P<double>\(\(|（（)|(?P<pair>[(（\[【［〔{{<＜]\s*(?:我?先|顺便|插一?句)?{_WORD})(?P<bare>\s*[\]】］}}>＞)）])?"
    rf"|(?P<line>(?:(?<![^\n])[ \t*_]*|(?<=[\s。！？!?…”\"」』*)）]))(?://+(?=[^/]|$)|/?{_WORD}\s*[:：]))"
    # addressed to the game master
    r"|(?<![^\n])(?P<lead>[ \t*_]*(?:p\.?s\.?|对了|话说)[，,:： ]*(?:gm|dm|作者大大)(?![a-z0-9]))",
    re.IGNORECASE,
)
_DISCLAIMERS_CLOSERS = {
    "(": ")）",
    "（": ")）",
    "[": "]］",
    "［": "]］",
    "【": "】]",
    "〔": "〕",
    "{": "}",
    "<": ">",
    "＜": "＞>",
}
_DISCLAIMERS_LETTER = late_pattern(r"[^\W_]")
_END_TAG = late_pattern(r"[\[{<(（【]\s*/\s*ooc\s*[\]}>)）】]", re.IGNORECASE)
# The subject and the statement: both must be there.
_SUBJECT = late_pattern(
    r"以上|本(?:故事|文|内容|作品|剧情|对话|角色扮演|回复)|此(?:故事|内容|剧情|对话)|免责声明|声明[：:]"
    r"|\b(?:disclaimer|the above|(?:this|these) (?:is|are|story|content|scene|roleplay|role-play"
    r"|response|work|characters?)|all characters)\b",
    re.IGNORECASE,
)
_SAID = late_pattern(
    r"虚构|请勿模仿|与现实无关|切勿当真|仅供娱乐|不代表(?:本人|作者|现实|任何)|(?:AI|人工智能|模型)生成"
    r"|\b(?:fiction|fictional|fictitious|not real|entertainment purposes"
    r"|(?:AI|model)[- ]generated)\b",
    re.IGNORECASE,
)


def without_disclaimers(text: str) -> str:
    """Return the text without disclaimer lines."""
    lines = without_remarks(text).split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip(_MARKS) or _is_disclaimer(lines[end - 1])):
        end -= 1
    is_cut = any(lines[n].strip(_MARKS) for n in range(end, len(lines)))
    return "\n".join(lines[:end] if is_cut else lines)


def remarks(text: str) -> list[tuple[int, int]]:
    """Return the spans of out-of-character remarks: ``start``..``end`` (not included).

    Known spellings: ``((…))``, ``(OOC: …)`` in any brackets, ``{ooc} … {/ooc}``, and up to the end
    of their line ``[OOC] …``, ``OOC: …``, ``// …`` and ``PS GM …``.
    """
    if _ANY.search(text) is None:
        return []
    spans: list[tuple[int, int]] = []
    start = 0
    for line in text.split("\n"):
        if _ANY.search(line) is not None:
            spans += [(start + a, start + b) for a, b in _remarks_of(line)]
        start += len(line) + 1
    return spans


def _remarks_of(line: str) -> list[tuple[int, int]]:
    spans: list[tuple[int, int]] = []
    at = 0
    last_double = max(line.rfind("))"), line.rfind("））"))
    while (match := _OPENERS.search(line, at)) is not None:
        at = match.end()
        end: int | None = len(line)
        if match["double"]:
            end = _double_closed(line, at) if at <= last_double else None
            if end is None and _OWN_WORD.match(line, at):  # closed by one bracket, or unclosed
                end = _closed(line, at - 1, match["double"][0])
        elif match["pair"] and match["bare"]:
            if match["pair"][0] in "(（<＜":  # a word in somebody's brackets; <ooc> has an end
                close = _END_TAG.search(line, at) if match["pair"][0] in "<＜" else None
                end = close.end() if close else None
            else:
                close = _END_TAG.search(line, at)
                end = close.end() if close else end
        elif match["pair"]:
            end = _closed(line, match.start(), match["pair"][0])
        if end is not None:
            spans.append((match.start(), end))
            at = end
    return spans


def _double_closed(line: str, start: int) -> int | None:
    """Return where ``((`` opened before ``start`` is closed; None if there is no word in it."""
    places = [place for c in ("))", "））") if (place := line.find(c, start)) >= 0]
    end = min(places) + 2
    while end < len(line) and line[end] in ")）":
        end += 1
    return end if _DISCLAIMERS_LETTER.search(line, start, end) else None


def _closed(line: str, start: int, opener: str) -> int:
    """Return where a bracket is closed; an unclosed one reaches to the end of the line."""
    depth = 0
    closers = _DISCLAIMERS_CLOSERS[opener]
    openers = [char for char, ends in _DISCLAIMERS_CLOSERS.items() if ends[0] in closers]
    for at in range(start, len(line)):
        if line[at] in closers:
            depth -= 1
            if not depth:
                return at + 1
        elif line[at] in openers:
            depth += 1
    return len(line)


def without_remarks(text: str) -> str:
    """Return the text without out-of-character remarks, and without lines left empty by that."""
    if _ANY.search(text) is None:
        return text
    kept: list[str] = []
    for line in text.split("\n"):
        spans = _remarks_of(line) if _ANY.search(line) is not None else []
        if not spans:
            kept.append(line)
            continue
        ends = [0, *(end for _start, end in spans)]
        starts = [*(start for start, _end in spans), len(line)]
        pieces = [line[a:b].strip() for a, b in zip(ends, starts, strict=True)]
        left = " ".join(piece for piece in pieces if piece.strip(_MARKS))
        if left:
            kept.append(left)
    return "\n".join(kept)


def _is_disclaimer(line: str) -> bool:
    inner = _inner(line)
    return inner is not None and bool(_SUBJECT.search(inner) and _SAID.search(inner))


def _inner(line: str) -> str | None:
    """Return the text in brackets around a whole line; None if there are none."""
    bare = line.strip(_MARKS)
    if not 2 < len(bare) <= _MAX_LINE or _PAIRS.get(bare[0]) != bare[-1]:
        return None
    inner = bare[1:-1]
    depth = 0
    for char in inner:  # (one) and (two) are two pairs
        depth += (char == bare[0]) - (char == bare[-1])
        if depth < 0:
            return None
    return inner.lstrip("".join(_PAIRS))


# Asides of a player without content: nods, looks and silences. Role-players set actions apart:
# （点点头）, (smiles), *looks away*, （頷く）. Some belong to the story (*opens the chest*), most
# do not. Chinese, English and Japanese; an aside that no list has counts as content.

# An unclosed bracket reaches to the next one or to the end of the line.
_ASIDES = late_pattern(r"[（(][^（()）\n]*[）)]?|\*[^*\n]*\*?|[\[【][^\[\]【】\n]*[\]】]")
_GESTURE_ZH = (
    "点了?[点一]?[点下]?头|摇了?[摇一]?[摇下]?头|[低垂抬歪偏别转回扭仰侧]了?[下起过]?头|[摇点]头"
    "|[看望盯瞧瞄瞥][着向了]?[看望]?[着向了]?|[注凝直对]视|打量|目光|视线|眼神|眼睛|眼眶|眨了?[眨一]?[眨下]?眼?|移开|躲闪"
    "|微笑|轻笑|苦笑|偷笑|坏笑|傻笑|冷笑|大笑|笑容|笑意|笑了?笑?|嘴角|勾唇|[抿咬舔]了?[抿咬]?唇|嘴唇|[撅嘟撇]嘴|扬起"
    "|[皱蹙挑扬]了?[皱挑]?眉头?|眉头|叹了?口?气|[深轻]吸了?一?口气|呼了?口气|吐舌头?"
    "|沉默|停顿|顿了?顿|愣了?[愣住]?|怔了?[怔住]?|发呆|犹豫|迟疑|思[考索]|想了?想|沉思|回过神|反应过来"
    "|[脸耳][颊朵尖根]?[微发泛]?红了?|红了?着?脸|害羞|羞涩|羞耻|紧张|慌乱|慌张|惊讶|吃惊|惊|疑惑|不解|不明所以|好奇|无奈|无语"
    "|生气|愤怒|开心|高兴|兴奋|委屈|难过|伤心|尴尬|认真|严肃|温柔|宠溺|期待|心虚|心跳|加速|得意|调侃|打趣|俏皮|撒娇|安慰"
    "|耸了?耸?肩|[摊摆挥招伸]了?[摆挥]?手|握拳|挠了?挠?头|[揉摸拍][了着]?[揉摸拍]?头?|靠近|凑近|走近|上前|后退"
    "|起身|站起身?来?|坐下|转身|跟[上着在]|附和|回[答应复]|示意|打断|开口|说话?|声音|语气|小声|轻声|低声|大声"
)
_GESTURE_EN = (
    r"nod(?:s|ded|ding)?|smil(?:es?|ed|ing)|grin(?:s|ned|ning)?|smirk(?:s|ed|ing)?|laugh(?:s|ed|ing)?"
    r"|chuckl(?:es?|ed|ing)|giggl(?:es?|ed|ing)|sigh(?:s|ed|ing)?|shrug(?:s|ged|ging)?"
    r"|blush(?:es|ed|ing)?|frown(?:s|ed|ing)?|wink(?:s|ed|ing)?|blink(?:s|ed|ing)?|paus(?:es?|ed|ing)"
    r"|look(?:s|ed|ing)?|glanc(?:es?|ed|ing)|gaz(?:es?|ed|ing)|star(?:es?|ed|ing)|watch(?:es|ed|ing)?"
    r"|lean(?:s|ed|ing)?|tilt(?:s|ed|ing)?|turn(?:s|ed|ing)?|rais(?:es?|ed|ing)|shak(?:es?|ing)|shook"
    r"|whisper(?:s|ed|ing)?|murmur(?:s|ed|ing)?|breath(?:es?|ed|ing)?|silent(?:ly)?|silence|closer"
    r"|head|face|eyes?|eyebrows?|brows?|lips?|cheeks?|shoulders?|voice|expression|hair|hands?"
    r"|softly|quietly|slowly|gently|slightly|nervously|shyly|warmly|awkwardly|curiously|thoughtfully"
)
_GESTURE_JA = (
    "(?:こくり?と?)?(?:うなず|うなづ|頷)[くきいけか]\\w*|首を(?:縦|横)?に?(?:振|ふ)\\w*|首を(?:傾|かし)げ\\w*"
    "|微笑[むみんまい]\\w*|(?:ほほ|ほお)え[むみん]\\w*|笑[うっいわみ顔]\\w*|にっこり|くすくす|くすり|ふふっ?"
    "|ため息|溜め?息|肩をすく\\w*|目を(?:伏|逸|そ|細|閉|丸|見開)\\w*|見(?:つめ|上げ|下ろ|や)\\w*|視線|瞬き"
    "|黙[っりる]\\w*|沈黙|頬を?|顔を?|赤(?:く|ら)\\w*|照れ\\w*|恥ずかし\\w*|驚[いくき]\\w*|うつむ\\w*|俯\\w*|小さく|静かに"
)
_GESTURES = late_pattern(rf"{_GESTURE_ZH}|{_GESTURE_JA}|\b(?:{_GESTURE_EN})\b", re.IGNORECASE)
# Words that accompany a gesture, or make up an assent.
_SMALL = late_pattern(
    "轻轻|缓缓|慢慢|微微|悄悄|静静|默默|忍不住|下意识|不由得?|有[些点]|突然|忽然|赶紧|连忙|不好意思|小心翼翼|继续|依旧|一[下眼直瞬]"
    "|记得|知道|明白|可以|当然|没[事关系有什么]*|是[的啊]?|好[的吧啊呀]?|行|嗯|哦|啊|呃|额|诶|欸|唔|哼|哈|嘿|呵|嘻|呀|吗|嘛|吧|呢|了|的|地|得|着"
    "|[我你您他她它]们?|咱们?|自己|对方|这样|那样|[那这][就么个里边]?|[走去来]|谁|哪[里儿个]?|会|能|要|想|怎么|什么|为什么|不|没|也|都|又|就|很|太|还|再|在|和|跟|向|对|把|被|给|与|一"
    "|うん|はい|ええ|そう(?:だね|です)?ね?|わかった|分かりました|了解|[ぁ-ゖー]"
    r"|\b(?:i|me|my|you|your|he|him|his|she|her|it|its|they|them|their|the|a|an|at|to|and|with|in|into"
    r"|of|on|up|down|away|back|off|just|then|still|again|yes|yeah|yep|no|nope|ok(?:ay)?|sure|fine|right"
    r"|well|oh|ah|hm+|mm+|uh|um+|what|why|really|is|am|are|do|does|don.t|know|remember|see)\b",
    re.IGNORECASE,
)
_TELLING = late_pattern("[\u3400-\u9fff]|[^\\W_]{2,}|\\d")
_LEFT = 1  # Chinese characters besides gestures: most words have two


def without_gestures(text: str) -> str:
    """Return a player's text without asides that only nod, look or feel.

    A text of nothing else stays.
    """
    kept = _ASIDES.sub(lambda aside: " " if is_idle(aside[0]) else aside[0], text).strip()
    return kept if _TELLING.search(kept) else text


def is_idle(text: str) -> bool:
    """Return whether a text only nods or assents, so that there is nothing to search for."""
    left = _TELLING.findall(_SMALL.sub(" ", _GESTURES.sub(" ", text)))
    return len(left) <= _LEFT and not any(word.isascii() or len(word) > 1 for word in left)


def clause_of(text: str, start: int, end: int, at: int) -> tuple[int, int]:
    """Return the start and the end (not included) of the clause that contains ``at``."""
    first = max(text.rfind("，", start, at), text.rfind(",", start, at), text.rfind(";", start, at))
    ends = [place for c in "，,;；" if (place := text.find(c, at, end)) >= 0]
    return (first + 1 if first >= 0 else start), min(ends, default=end)
