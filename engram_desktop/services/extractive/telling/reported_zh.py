"""Chinese speech as a narrator tells it. Persons change, words do not."""

from __future__ import annotations

import re

from engram_desktop.services.extractive.telling.reported import Report, name_of, plain

_FILLER = (
    "嗯+|哦+|噢+|啊+|哈+|嘿+|呵+|哼+|唔+|唉+|诶+|欸+|咦+|呃+|额+|哇+塞?|呀|喂|嘻+|呜+|哎呀?|切|咳+|呼+|emm+|很好|等等|"
    "好(?:的|吧|啊|呀|呢|嘞|哒)*|行(?:吧|啊)?|是(?:的|啊|吗)?|对(?:啊|呀|了|的)?|没错|没事|当然(?:了|啦|可以)?|"
    "真的(?:吗)?|原来如此|不过|总之|那个|其实|话说|毕竟|谢谢(?:你|您)?(?:的[^，。！]{1,4})?|不用谢|不客气|"
    "对不起|抱歉|没关系|太好了|太棒了|当然|是么|那么?|可是|但是|而且|所以|于是|你好|您好|你看|你知道吗"
)
_OPENS = re.compile(rf"^(?:(?:{_FILLER})[，,、！!~～…。.？? ]+)+", re.IGNORECASE)
_JOINS = re.compile(
    "^(?:不过|但是|可是|但|而且|所以|于是|那么|那(?=[我你就还要])|总之|其实|毕竟|然后|所以说"
    "|(?:另外|此外|首先|显然|同时|还有|其次|最后|当然)(?=[，,]))[，,]?"
)
_ONLY_FILLER = re.compile(rf"^(?:{_FILLER}|拜拜|晚安|再见|早安|加油)+$", re.IGNORECASE)
_EDGES = " ，,、~～…。.！!；;：:—-*"
_PARTICLES = re.compile("(?<=..)(?:[啦呀哦喔嘛啊哇诶哟咯噢嘞哒咩捏]|呢|吧)+$")
_TAG = re.compile("[，,](?:对|好|是|行|可以)(?:吗|吧|么|不对|不好|不是)?$")
_ASKS = re.compile("[？?]|(?:吗|么)$|^(?:为什么|怎么|什么|哪|谁|多少|几)")
_WILLING = re.compile(
    "^我(?P<rest>(?:也|就|还|最|很|真|特别|非常|一直|从来|现在|已经|真的|其实|只|才|都|会)*"
    "(?:不|没)?(?:想|喜欢|爱|讨厌|害怕|怕|希望|打算|决定|准备|愿意|相信|担心|需要|后悔|记得|忘了|同意|"
    "舍不得|盼|恨|要|建议|觉得|认为))"
)
_PROMISES = re.compile("^我(?P<rest>(?:会|一定|就|也)*(?:答应|保证|发誓|承诺|向你保证))")
_FORBIDS = re.compile(
    "^(?:你|您)?(?P<rest>(?:千万|绝对|可|先|以后|也)?(?:别(?![的人处])|不要|不许|不准|不可以))"
)
_ASKS_FOR = re.compile(
    "^(?:请|麻烦|拜托)(?:你|您)?(?P<rest>.+)|^(?:你|您)?(?:能不能|可以)?(?P<help>[帮替]我.+)"
)
_BIDS = re.compile(
    "^(?:你|您)?(?P<rest>(?:一定要|务必|必须|记得|记住|小心|先|快|赶紧|赶快|过来|跟我|陪我|把|等我|"
    "给我|告诉我|听我|相信我|答应我|去把))"
)
_PROPOSES = re.compile("^(?:那|要不|不如)?(?:今晚|明天|现在)?(?:我们|咱们|咱).+$")
_TELLS = re.compile(
    "秘密|真相|原来|名字|我叫|就是|因为|发现|听说|去世|失踪|死|藏|偷|钥匙|从前|当年|小时候"
)
_WE = re.compile("(?:我们|咱们|咱俩|我俩)(?:两个|俩)?(?:人)?")
_YOU_ALL = re.compile("你们|您们")
_I = re.compile("我自己|(?<!自)我(?![国校军方省市])")
_YOU = re.compile("你自己|您自己|你|您")


def report(text: str, speaker: str, listener: str, count: int) -> Report | None:
    """Tell one sentence of ``speaker``; None where it says nothing.

    ``count`` is how many talk in the scene: of two, 我们 is 两人.
    """
    bare = plain(text).strip(_EDGES)
    sentence = _without_fillers(bare, listener)
    is_question = bool(_ASKS.search(bare))
    if len(sentence) < 4 or _ONLY_FILLER.match(sentence):
        return None
    who = name_of(speaker, "我" if speaker == "我" and count > 1 else "")
    if not who:
        return Report("", "", sentence, 0.4 if is_question else 1.0)
    whom = name_of(listener, "我" if listener == "我" else "你")
    both = "两人" if count == 2 else "大家"
    if is_question:
        return Report(who, f"问{whom}：", f"{_turned(sentence, whom, both)}？", 0.35)
    lead, body, weight = _manner(sentence, whom, is_proposal=bare.endswith("吧"))
    return Report(who, lead, _turned(body, whom, both), weight)


def _manner(sentence: str, whom: str, *, is_proposal: bool) -> tuple[str, str, float]:
    """Say how something is said: (what a narrator begins with, what was said, its worth)."""
    if _PROMISES.match(sentence):
        return "", sentence[1:], 1.5
    if _WILLING.match(sentence):
        return "", sentence[1:], 1.1
    if match := _ASKS_FOR.match(sentence):
        return f"请{whom}", match["rest"] or match["help"], 1.1
    for pattern, verb, weight in ((_FORBIDS, "叫", 1.0), (_BIDS, "让", 0.9)):
        if pattern.match(sentence):
            return verb + whom, sentence.removeprefix("你").removeprefix("您"), weight
    if is_proposal and (match := _PROPOSES.match(sentence)):
        return "提议", _WE.sub("", match[0].removeprefix("那"), count=1), 1.1
    return _statement(sentence, whom)


def _statement(sentence: str, whom: str) -> tuple[str, str, float]:
    if _TELLS.search(sentence) and len(sentence) > 8:
        return f"告诉{whom}，", sentence, 1.2
    is_long = not sentence.startswith("我") and len(sentence) > 12
    return "说，" if is_long else "说", sentence, 1.0


def _without_fillers(bare: str, listener: str) -> str:
    """Leave out what opens, closes and calls: 嗯，季泽，其实我想听音乐啦～."""
    sentence = re.sub("[~～]+(?=.)", "，", bare)
    sentence = _without_calls(_OPENS.sub("", sentence + "，").strip(_EDGES), listener)
    sentence = _JOINS.sub("", _OPENS.sub("", sentence + "，").strip(_EDGES))
    sentence = _TAG.sub("", sentence.strip(_EDGES + "？?"))
    return _PARTICLES.sub("", sentence).strip(_EDGES)


def _without_calls(sentence: str, listener: str) -> str:
    """Drop the name by which the other is called: 季泽，我想听音乐."""
    if listener and sentence.startswith(listener):
        rest = sentence[len(listener) :]
        if rest[:1] in "，,！!~～…。":
            sentence = rest.strip(_EDGES)
    if listener:
        sentence = re.sub(f"(?<=[，,]){re.escape(listener)}[，,]", "", sentence)
    if listener and sentence.endswith(listener) and sentence[: -len(listener)][-1:] in "，,":
        sentence = sentence[: -len(listener)].strip(_EDGES)
    return sentence


def _turned(body: str, whom: str, both: str) -> str:
    """Put the narrator's persons in the place of the speaker's."""
    body = _WE.sub(both, body)
    body = _YOU_ALL.sub("对方" if both == "两人" else "他们", body)
    body = _I.sub("自己", body)
    return _YOU.sub(whom, body)
