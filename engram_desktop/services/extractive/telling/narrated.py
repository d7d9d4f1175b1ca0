"""What a speaker tells of the deeds of somebody, with names in the place of 她, you and I."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.cut_messages import CutMessage, Quote
from engram_desktop.services.extractive.telling.persons_en import narration
from engram_desktop.services.extractive.telling.reported import name_of
from engram_desktop.services.extractive.words.times import opening_day, without_day

_ACTING_TAGS = ("v", "d", "p")
_PRONOUN_START = re.compile(r"^([她他它])(?!们)")
_PRONOUN_LATER = re.compile(r"([，,；。])([她他它])(?!们)")
_EN_START = re.compile(r"^(She|He)\b(?! and)")
_I = re.compile("我(?!们)")
_YOU = re.compile("你(?!们)")
_AFTER_END = re.compile("(?<=[。！？!?])")
_SOMEBODY = re.compile("[她他它]")
_ACTING = re.compile("^.{1,2}[着了](?!的)")
_OF_THE_BODY = re.compile(
    "眼|眉|嘴|脸|唇|手|目光|视线|声音|语气|神情|表情|身|心|头|耳|鼻|喉|嗓|肩|脚|腿|指|泪|呼吸|面"
)
_FAR = 4  # lines in which the other of a talk is looked for


def narrated(quote: Quote, message: CutMessage, background: Background) -> str:
    """Put names in the place of the pronouns that can only mean the speaker or the user."""
    text = quote.unit.text
    name = message.source.name
    if message.is_narrator or not name_of(name, ""):
        return text
    is_user = message.source.role == "user"
    if background.language == "en":
        if text[:1].islower():
            text = f"{name} {text}"  # *smiles and waves*
        text = _EN_START.sub(lambda _: name, text) if not is_user else text
        other = _other(name, background)
        return narration(text, name, other, background.pronoun.get(name, ""))
    own = background.pronoun.get(name, "")
    text = text.replace("我们", "两人" if len(background.speakers) == 2 else "大家")
    if is_user or not own:
        text = "".join(
            _I.sub("自己", _I.sub(lambda _: name, part, count=1)) for part in _AFTER_END.split(text)
        )
    if not is_user and name_of(background.user, ""):
        text = _YOU.sub(lambda _: background.user, text)
    text = _named_once(text, name, own) if own else text
    return text if name in text else _with_subject(text, name, quote)


def _named_once(text: str, name: str, own: str) -> str:
    """Replace the pronoun that is the subject, at the beginning or after a comma."""
    if (match := _PRONOUN_START.match(text)) and match[1] == own:
        return name + text[1:]
    if name not in text and (match := _PRONOUN_LATER.search(text)) and match[2] == own:
        return text[: match.start(2)] + name + text[match.end(2) :]
    return text


def _with_subject(text: str, name: str, quote: Quote) -> str:
    """Name who acts where the sentence begins with the action: 笑着摇头."""
    first = quote.words[0].tag if quote.words else ""
    is_acting = first.startswith(_ACTING_TAGS) and first != "vn"
    if quote.unit.is_aside:  # in brackets it is the speaker, down to the corners of the mouth
        is_other = first.startswith(("r", "t", "m", "c", "nr")) or bool(_SOMEBODY.search(text[:8]))
        is_other = is_other or (first.startswith("n") and not _OF_THE_BODY.match(text))
        is_acting = (is_acting and not _SOMEBODY.match(text)) or not is_other
    if without_day(text) != text or opening_day(text)[1]:
        return text
    return name + text if is_acting or _ACTING.match(text) else text


def _other(name: str, background: Background) -> str:
    """Whom a narrator calls you: the user, or for the user the only other one."""
    if name != background.user:
        return background.user
    rest = sorted(background.speakers - {name})
    return rest[0] if len(rest) == 1 else ""


def listener(at: int, block: Sequence[CutMessage], background: Background) -> str:
    """Whom a message is said to: who is called by name in it, else who spoke before, or after."""
    name = block[at].source.name
    text = block[at].text
    if len(background.speakers) > 2:
        deeds = " ".join(q.unit.text for q in block[at].quotes if not q.unit.is_speech)
        mentioned: list[str] = sorted(
            other for other in background.speakers - {name} if other in deeds
        )
        if mentioned:
            return min(mentioned, key=deeds.index)
    near = [*range(at - 1, max(-1, at - _FAR), -1), *range(at + 1, min(len(block), at + _FAR))]
    others: list[str] = [
        block[n].source.name
        for n in near
        if not block[n].is_narrator and block[n].source.name != name
    ]
    named: list[str] = list(dict.fromkeys(other for other in others if other in text))
    addressed: list[str] = [other for other in named if re.search(_call(other), text)]
    if addressed:
        return addressed[0]
    if len(set(others)) > 1 and named:
        return min(named, key=text.index)
    if others:
        return others[0]
    rest = sorted(background.speakers - {name})
    return rest[0] if len(rest) == 1 else ""


def _call(name: str) -> str:
    return rf"(?:^|[“「*）)\s，,。.!！]){re.escape(name)}[，,！!。.?？~～]"
