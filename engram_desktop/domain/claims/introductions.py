"""Finds speakers who say their own name, and pronouns that mean the player."""

from __future__ import annotations

import re
from collections.abc import Collection

from engram_desktop.domain.claims.people import DOES_ZH, HEAD_ZH
from engram_desktop.domain.claims.speech import (
    CALLS,
    INTRODUCES,
    NAMED_ALONE,
    OWN_WORDS,
    SAYS_EN,
    SENTENCE_END,
    TITLE_BEFORE,
    tells_of_somebody,
)
from engram_desktop.domain.claims.subjects import SIGN, Mentioned, is_owner
from engram_desktop.domain.text.chinese_names import is_name_shaped

_TWICE = re.compile(r"([A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)[.,?!] (\1 [A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+)\b")
_PART_ZH = 2  # characters of a given name, or of a title
_NAMED = 14  # characters of a sentence that only names its speaker
_TO_HEARER = re.compile("[你您]")
# A name or a relative, and a verb of speech: Petrov says, your aunt adds
_STRANGER = (
    r"(?!(?:He|She|It|They|We|You|I|This|That|There|Then|And|But|So|Nobody|Everybody|Everyone|What)\b)"
    r"(?:[A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?|(?:[Yy]our|[Mm]y|[Hh]is|[Hh]er|[Tt]heir) (?:\w+ )?\w+"
    r"|[Tt]he (?!(?:\w+ )?(?:man|woman|girl|boy|lady|lass|lad|fellow|one|other)\b)(?:\w+ )?\w+)"
)
_STRANGER_LEADS = re.compile(rf"[\s*]*{_STRANGER} (?:\w+ly )?{SAYS_EN}\b[^.!?]*[,:]\s*\*?\s*$")
# Two words of a name, and an action: Coach Tanner stops Owen in the hall.
_WHOLE_ACTS = re.compile(r"[\s*]*(?:[A-ZÀ-ÖØ-Þ][a-zß-öø-ɏ]+\.? ){2}(?:\w+ly )?[a-z]+(?:s|ed)\b")
_SAYS_STRANGER = re.compile(rf"[\s,*]*(?:\w+ly )?{SAYS_EN} {_STRANGER}")
_STRANGER_SAYS = re.compile(rf"[\s,*]*{_STRANGER} (?:\w+ly )?{SAYS_EN}\b")
# An unspecified person who speaks: 有人喊道, someone laughed.
_ANYONE_ZH = "(?:(?<![所没只还])有(?:个)?人|不知(?:道)?(?:是)?谁|谁也?不知|众人|人群|旁人|全[班场])"
_ANYBODY = re.compile(
    rf"[\s*]*(?:[^，。！？：我他她你]{{0,8}}{_ANYONE_ZH}"
    r"|[^，。！？：我他她你]{0,8}(?:的声音|的嗓[音子门]|那[头边端]|[听话]筒|广播|喇叭|对讲机|收音机|电视)[^，。我他她你]*[：:]$"
    r"|(?:Some(?:one|body)|Several|Voices|A (?:\w+ )?voice)\b)"
)
_ANYBODY_SAYS = re.compile(
    rf"[\s，,*]*(?:[^，。我他她你]{{0,10}}的声音|{_ANYONE_ZH}[^，。]{{0,8}}?[说道问喊叫嚷骂笑吼喝应答念议嘀]"
    rf"|(?:{SAYS_EN} )?(?:some(?:one|body)|several|(?:a|another) (?:\w+ )?voice)\b)"
)
# A subject, a verb and the rest: 小石头背着书包, 酒肉佛收了笑.
_GOES_ON_ZH = re.compile(
    f"(?:^|[，；])(?P<name>[\u4e00-\u9fff]{{2,4}}?)(?:[\u4e00-\u9fff][着了]|{DOES_ZH})"
)
# No subject begins so, or it is a part of the body or a manner.
_NOBODY_ZH = re.compile(
    f"^{DOES_ZH}".replace("?P<does>", "?:")
    + "|[我你他她它这那其此每各就才又再也还都已很太最更被把让给对向从在到过为与和跟同而且但却"
    "却并或若如虽因所以不没有是会能可要想地得]|^[声语目眼神嘴唇脸眉头手指肩嗓音]|^.[声语目眼神嘴唇脸眉头手指肩嗓音色情气息泪汗心]$|^[起回侧俯仰垂扭歪挺甩掀用]"
)
_THIRD = frozenset(("he", "his", "him", "他", "she", "her", "她"))


def introduced(text: str, names: Mentioned, start: int, end: int, known: Collection[str]) -> str:
    """Return the person of the story who says their own name in a speech, "" for none.

    ``known`` are the persons mentioned before: a name alone addresses them.
    """
    match = INTRODUCES.search(text, start, end)
    if match is None:
        return _named_alone(text, names, start, end, known)
    at = match.end() - len(match["name"])
    mention = next(iter(names.find(text, at, end)), None)
    if mention is None or mention.start != at or is_owner(text, mention.end):
        return ""  # I'm Felix's half-sister
    if match[0] == f"我{match['name']}":  # 我闻斯年…, but not 我太太…
        return mention.name if mention.name.startswith(text[at : mention.end]) else ""
    return mention.name


def _named_alone(text: str, names: Mentioned, start: int, end: int, known: Collection[str]) -> str:
    """Return the person who says only their name, not used before: Halloran. She's my ship."""
    before = set(names.named_before(start))
    twice = _TWICE.match(text, start, end)
    if twice is not None:  # “Grace. Grace Pritchard, at the lodge.”
        return next((m.name for m in names.find(text, twice.start(2), end)[:1]), "")
    for mention in names.find(text, start, end):
        lead = text[start : mention.start].rstrip()
        is_head = not lead or lead[-1] in ".!?"
        is_new = mention.name not in known and mention.name not in before
        if is_head and is_new and NAMED_ALONE.match(text, mention.end, end) is not None:
            return mention.name
        before.add(mention.name)
    return ""


def bare_name(text: str, names: Mentioned, start: int, end: int) -> str:
    """Return the name that begins, or is, the speech of an unnamed person."""
    mention = next(iter(names.find(text, start, end)), None)
    title = "" if mention is None else text[start : mention.start].strip()
    if mention is None or TITLE_BEFORE.sub("", title) or not CALLS.match(text, mention.end):
        return ""
    if text[mention.end : end] in ("。", ".") or OWN_WORDS.search(text, mention.end, end):
        return mention.name
    ended = SENTENCE_END.search(text, mention.end, end)  # “司徒夜，镇夜司的。”
    is_all = ended is not None and text[ended.start()] == "。" and ended.end() - start <= _NAMED
    return mention.name if is_all and not _TO_HEARER.search(text[start:end]) else ""


def means_player(text: str, names: Mentioned, own: str, pronoun: str, at: int) -> bool:
    """Return whether a pronoun at a position of a message of ``own`` means the player.

    It does if the message mentions no other person before to whom it could refer.
    """
    player = names.player
    gender = "f" if pronoun in ("she", "her", "她") else "m"
    if pronoun not in _THIRD or own == player or names.gender(player) != gender:
        return False
    told = {own, *names.named_before(at)} - {player}
    if any(names.gender(name) in (gender, "") for name in told):
        return False
    return not tells_of_somebody(text, at, gender)


def stranger_leads(words: str, own: str) -> bool:
    """Return whether a sentence before a speech says that an unknown person speaks.

    A person called by a part of the name of ``own`` is not unknown.
    """
    if _ANYBODY.match(words) is not None:
        return True
    found = _STRANGER_LEADS.match(words) or _WHOLE_ACTS.match(words)
    return _is_stranger(found, own) or _acts(words, own)


def whole_stranger(words: str, own: str) -> str:
    """Return the start of a sentence if it is an unknown whole name with an action, else ""."""
    match = _WHOLE_ACTS.match(words)
    return match[0] if match is not None and _is_stranger(match, own) else ""


def speaker_behind(words: str, own: str, ended: str) -> str:
    """Return the speaker by words behind a speech: ``own``, `SIGN` for a stranger, or "".

    The speech ``ended`` on a character: after a full stop an English sentence begins, “Free.”
    People laughed. A part of a Chinese name means its person: 莫雷说, in a message of 舰长莫雷.
    """
    parts = (own[:_PART_ZH], own[-_PART_ZH:]) if len(own) > _PART_ZH and not own.isascii() else ()
    if words.strip(" *").startswith(parts):
        return own
    first = re.split(r"(?<=[，,])", words, maxsplit=1)[0]
    tag = _SAYS_STRANGER.match(words) or (_STRANGER_SAYS.match(words) if ended != "." else None)
    is_tag = _ANYBODY_SAYS.match(words) is not None or _is_stranger(tag, own) or _acts(first, own)
    return SIGN if is_tag else ""


def _is_stranger(match: re.Match[str] | None, own: str) -> bool:
    return match is not None and set(re.findall(r"[A-Z]\w+", match[0])).isdisjoint(own.split())


def _acts(words: str, own: str) -> bool:
    """Return whether a Chinese clause begins with an apparent whole name and an action."""
    words = words.strip(" *（(")
    heads = HEAD_ZH.finditer(words)
    if any(is_name_shaped(m["name"]) and m["name"] not in own for m in heads):
        return True
    if words[-1:] not in "：，":
        return False
    return any(_is_somebody(m["name"], own) for m in _GOES_ON_ZH.finditer(words))


def _is_somebody(name: str, own: str) -> bool:
    """Return whether a Chinese clause begins with a person: 小石头背着, not 慢慢, 目光 or 转身."""
    is_word = len(set(name)) == 1 or _NOBODY_ZH.search(name) is not None
    return not is_word and name not in own
