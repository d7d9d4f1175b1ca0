"""People in Japanese texts: names before さん and the like, or that act as they are."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

_KANJI = "[\u4e00-\u9fff々]"
_HIRAGANA = "[\u3041-\u3096]"
_KATAKANA = "[\u30a1-\u30f6ー]"
KANA = re.compile(f"{_HIRAGANA}|{_KATAKANA}")
HONORIFIC = "(?:さん|くん|君|ちゃん|様|さま|先輩|先生)"
_NAME = (
    f"(?:(?<![おご御々\u4e00-\u9fff]){_KANJI}{{1,4}}|{_KATAKANA}{{2,8}}"
    f"|(?<!{_HIRAGANA}){_HIRAGANA}{{2,4}}?)"
)
_CALLED = re.compile(f"(?P<name>{_NAME})(?P<as>{HONORIFIC})")
# Nobody's own name, before さん or 様: kin, offices, and words that end so.
_NOBODY = frozenset(
    "皆 客 母 父 兄 姉 弟 妹 叔父 叔母 伯父 伯母 祖父 祖母 婆 爺 奥 嫁 娘 坊 嬢 神 仏 王 姫 旦那"
    " 運転手 受付 刑事 巡査 探偵 魔王 勇者 聖女 騎士 担任 顧問 保健 学生 生徒 新入生 転校生 後輩"
    " 先輩 同級生 大家 管理人 諸 主 貴 同 多 模 異 有 仕 何 赤 子 母親 父親 家政婦 二人 三人"
    " みな みんな たく おと おば おじ ねえ にい ばあ じい かあ とう ごくろう おつかれ".split()
)
_ENDS_ON_HONORIFIC = re.compile(f"{HONORIFIC}$")
_SHORT_LIKE_WORDS = frozenset(("様", "君"))  # 模様, 諸君: one character before them is no name
_POLITE = re.compile("^[おご御]")
_OFFICE = re.compile("[長員者師官]$")
_DOES = (
    "言|聞|尋|答|叫|呟|囁|笑|頷|見|立|歩|座|振|抱|握|差し|持|俯|駆|身を|肩|首|腕|顔|目を|驚|泣|怒|黙"
    "|口を|ため息|息を|机|手を|渡|寄|飛び|近づ|戻"
)
_ACTS = re.compile(
    f"(?:^|[。！？、」』\\n\u3000 ])(?P<name>{_HIRAGANA}{{2,4}}?|{_KATAKANA}{{2,8}})(?:は|が)"
    f"(?=[^。「」\\n]{{0,24}}(?:{_DOES}))"
)
_NO_NAME = frozenset(
    "これ それ あれ どれ ここ そこ あそこ どこ わたし あたし ぼく おれ かれ だれ みんな なに いま"
    " きみ あなた ところ もの こと ひと そら かぜ こえ あと まえ じつ それで では ふたり ひとり"
    " となり すべて ほか みな おかげ わけ はず ため つぎ うち おまえ どちら こちら そちら あいつ"
    " こいつ やつ こども ここに そこに それに あたり むこう あたま からだ こころ".split()
)
_DOES_JA = re.compile(
    "(?:^|[。！？、」』\n])[ \u3000]*(?P<name>[\u4e00-\u9fff\u30a1-\u30f6ー]{2,8})(?P<does>[はが])"
    "(?=[^。」\n]{0,24}"
    "(?:言|聞|尋|答|叫|呟|囁|笑|頷|見|立|歩|座|振|抱|握|差し|持))"
    "|」と[、]?(?P<said>[\u4e00-\u9fff\u30a1-\u30f6ー]{2,8})[はが](?:言|聞|尋|答|叫|呟|囁|笑)"
)
# A family name and a given name written as one: 水瀬あかり, 氷室玲奈.
_WHOLE = re.compile(
    f"(?<!{_KANJI})(?P<family>{_KANJI}{{2,3}})"
    "(?!した|して|する|しま|しな|しよ|され|させ|できる|という|として|です|でし|[をがはのにへ])"
    f"(?P<given>{_HIRAGANA}{{2,4}}?|{_KATAKANA}{{2,5}})(?={HONORIFIC}|です|と申|[がは、。」])"
)
_OF_FOUR = 4  # kanji of a whole name: two of the family, two of the person
_HALF = 2  # kanji of the family name in such a whole name
_PARTS = re.compile(f"({_KANJI}{{1,3}})({_HIRAGANA}{{2,4}}|{_KATAKANA}{{2,5}})")
_FOUR = re.compile(f"{_KANJI}{{4}}")


def is_japanese(text: str) -> bool:
    """Return whether a text has hiragana or katakana."""
    return KANA.search(text) is not None


def candidates_ja(text: str) -> Iterator[str]:
    """Yield candidates for people of a Japanese text: name, “|”, and the deed."""
    for match in _CALLED.finditer(text):
        name = match["name"]
        is_word = len(name) < _HALF and match["as"] in _SHORT_LIKE_WORDS
        if not is_word and _may_be_name(name):
            yield f"{name}|says"
            yield f"{name}|さん"
    for match in _DOES_JA.finditer(text):
        name = _ENDS_ON_HONORIFIC.sub("", match["name"] or match["said"])
        if _may_be_name(name):
            yield f"{name}|{match['does'] or 'と'}"
    for match in _ACTS.finditer(text):
        if match["name"] not in _NO_NAME:
            yield f"{match['name']}|は"
    for match in _WHOLE.finditer(text):
        yield f"{match['family']}{match['given']}|"


def _may_be_name(name: str) -> bool:
    """Return whether characters before さん may be a name: not お母さん, 店長さん."""
    return bool(name) and not (
        name in _NOBODY or _POLITE.match(name) or _OFFICE.search(name) is not None
    )


def parts_ja(name: str) -> tuple[str, ...]:
    """Return the family name and the given name of a whole Japanese name; () if it is none."""
    parts = _PARTS.fullmatch(name)
    if parts is not None:
        return parts[1], parts[2]
    return (name[:_HALF], name[_HALF:]) if _FOUR.fullmatch(name) else ()


def whole_names_ja(sure: Collection[str], named: Iterable[str]) -> dict[str, str]:
    """Return by part the whole names of which both parts are said alone: 水瀬, あかり."""
    whole: dict[str, str] = {}
    for name in named:
        parts = parts_ja(name)
        if parts and all(part in sure for part in parts):
            for part in (name, *parts):
                whole[part] = "" if whole.get(part, name) != name else name
    return {part: name for part, name in whole.items() if name}


# Behind a name: it acts, or it is called. Before it may stand what the person did before.
ACTS_JA = re.compile(f"{HONORIFIC}?(?:は|が)")
ACTS_BEHIND = re.compile(f"{HONORIFIC}?(?:は|が|も|の(?:指|手|声|目|顔|頬|肩|瞳|口))")
_CALLED_BEHIND = re.compile(f"{HONORIFIC}[、，,！!？?…。]|、(?=[^\n]{{0,6}}{_HIRAGANA})")
_HEY = re.compile("(?:.*[、…])?(?:ちょっと|ねえ|ねぇ|おい|ほら|もう|なあ|あの|さあ)?")
LEADS_JA = re.compile("と?[^、。！？「」『』\n]{1,12}")
TELLS_OF_TEXT = re.compile(
    "(?:メッセージ|メール|LINE|手紙|返信|文面|通知|着信)[^。「」『』\n]{0,10}。?$"
)


def calls_ja(text: str, head: int, start: int, end: int, last: int) -> bool:
    """Return whether the name at ``start`` calls its person in a speech ``head``..``last``."""
    behind = _CALLED_BEHIND.match(text, end, last)
    return behind is not None and _HEY.fullmatch(text, head, start) is not None
