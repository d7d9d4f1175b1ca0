"""Asides of a player without content: nods, looks and silences.

Role-players set actions apart: （点点头）, (smiles), *looks away*, （頷く）. Some belong to the
story (*opens the chest*), most do not. Chinese, English and Japanese; an aside that no list has
counts as content.
"""

from __future__ import annotations

import re

from engram_desktop.domain.text.late_pattern import late_pattern

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
