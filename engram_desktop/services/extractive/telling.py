"""Summaries without a model: who does what, and who says what, in their own words.

Deeds are told with names in place of pronouns; speech is quoted (ADR 71).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from engram_desktop.domain.claims.attribution import SaidBy
from engram_desktop.domain.claims.people import FIRST_PERSON, without_speech
from engram_desktop.domain.claims.speech import SAYS_EN, calls_by_title
from engram_desktop.domain.graph.entity import is_entity_name
from engram_desktop.domain.pipeline.outline import GESTURE, acts
from engram_desktop.domain.values import dataclass
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.narration import (
    beside_names,
    name_of,
    narration,
    plain,
)
from engram_desktop.services.extractive.pick import CutMessage, PickedQuote
from engram_desktop.services.extractive.quoting import quoted_words
from engram_desktop.services.extractive.words import (
    base_of,
    opening_day,
    sentences,
    third_person,
    without_day,
)

# Narration with names in place of 她, you and I.


_ACTING_TAGS = ("v", "d", "p")
_PRONOUN_START = re.compile(r"^([她他它])(?!们)")
_ON_SAYING = re.compile("(?:说[完罢着]|言罢|语罢|便(?=[\u4e00-\u9fff]着))")
_PRONOUN_LATER = re.compile(r"([，,；。])([她他它])(?!们)")
_THIRD_PERSON = re.compile(r"([她他](?!们)|(?:She|He)\b)")
_HE = re.compile(r"(?:he|she|they|his|her|their)\b", re.IGNORECASE)
_SAYS_SO = rf"(?:{SAYS_EN}|promise[sd]?|repeat(?:s|ed)?)\b"
# She says. He breathes, so low that Jun cannot hear.
_TAG = re.compile(
    rf"(?:he|she|they|I)\s+{_SAYS_SO}"
    r"(?:[^.]{0,24}|(?: \w+ly)?(?: to [\w'’-]+)?,(?! and )[^.]*)\.?$",
    re.IGNORECASE,
)
# I tell her. I wrap my jacket around her.
_TAG_HEAD = re.compile(rf"(?:he|she|they|I)\s+{_SAYS_SO}[^.]{{0,24}}\.\s+(?=[A-Z])", re.IGNORECASE)
# “He will live,” says Dr. Hollis. The speaker's name is included.
_TAG_FIRST = re.compile(
    rf"{SAYS_EN}\s+(?:(?:[A-Z][\w'’-]*\.?\s?){{1,3}}(?:\.\s*(?=[A-Z])|[.,][^.]*\.?$|$)"
    r"|(?:my|your|his|her|our|the)\s[a-z][^.]{0,48}(?:\.\s*(?=[A-Z])|\.?$))"
)
# *Juno says. Her jaw works.* The doctor says.
_TAG_NAMED = re.compile(
    r"(?:(?:[A-Z][\w'’-]*\s+){1,3}|[Tt]he (?:\w+ ){1,2})"
    r"(?:says|said|asks|asked|repl(?:ies|ied)|answers|answered|adds|added"
    r"|whispers|whispered|mutters|muttered|murmurs|murmured|breathes?|breathed|shouts|shouted"
    r"|snaps|snapped|growls|growled|hisses|hissed|insists|insisted|continues|continued)(?: \w+ly)?"
    r"(?: (?:into|in|at|against|from|over|through|under|near|behind) [^.,;:]{1,32})?(?:, low)?"
    r"(?:\.|, when [^.]*\.?|,?$)(?:\s+|$)"
)
_LEADS_IN = re.compile(r"(?:\w+ ){0,2}\w+:")  # Then louder: “…”
_TAG_AND = re.compile(r"(?P<who>[Hh]e|[Ss]he|[Tt]hey|I)\s+(?:says?|said),? and (?=[a-z])")
# A fragment in small letters that tells of no deed of its writer: *a knock at the door*.
_NO_DEED = re.compile(
    r"(?:an?|the|no|some|another|this|that|there|it|in|at|on|by|from|one|two|three|next|later|outside"
    r"|inside|behind|after|before|then|meanwhile|my|your|our|mrs?|ms|dr|miss)\b"
)
_VERB_ENDS = ("s", "ed", "ing", "ly")
_DOING = re.compile(r"(?P<verb>[a-z]+ing)\b(?P<quoted>:)?")
_EN_START = re.compile(r"^(She|He)\b(?! and)")
_I = re.compile("我(?!们)")
_YOU = re.compile("你(?!们)")
_AFTER_END = re.compile("(?<=[。！？!?])")
_SOMEBODY = re.compile("[她他它]")
_REST = re.compile("的(?![士确])")  # start of a sentence that was cut: 的文件夹
_ACTING = re.compile("^.{1,2}[着了](?!的)|^(?:心|暗)[道想说忖]")
_OF_THE_BODY = re.compile(
    "眼|眉|嘴|脸|唇|手|目光|视线|声音|语气|神情|表情|身|心|头|耳|鼻|喉|嗓|肩|脚|腿|指|泪|呼吸|面"
    "|双[手眼腿脚臂]|笑容|背影|汗|下巴|额"
)
# Actions and manners that the dictionary has as nouns or lacks: 换衣服, 仔细检查, 依言.
_SURELY_ACTS = re.compile(
    "[换接拿取解翻拉推按穿脱端捧递抱握驱]|仔细|认真|小心|依言|依次|默默|假装|轻抚|张开|正在"
    "|[抿咬努撇噘嘟咧皱挑蹙低抬垂仰歪摇点回扭转眨眯闭睁揉搓攥挥摆伸缩耸踮弯捂掩擦舔][着了]?"
    "[嘴唇眉眼头手拳肩腰脚腿泪脸舌颈]"
)
_SPAN_OF_TIME = re.compile("(?:不到|不出|没过|过了|才过|刚过)[^，,。]{1,8}[，,]")  # 不到一刻钟，
_SOMEWHAT = ("有些", "有点", "有点儿", "几乎")  # before a feeling; 他, 这 are another's
# An interrupted sentence: its last conjunction says nothing: “…，所以。”
_LOOSE_END = re.compile(
    r"(?:[，,；;]\s*(?:所以|因为|但是?|可是?|而且|然后|于是|不过|只是|并且|虽然|如果|要是|那么|还有|以及|或者|而)"
    r"|[,;]\s*(?:and|but|so|because|then|or|yet|while|although|if))+(?=[，,。.…—!！~～ ]*$)"
)


def narrated(quote: PickedQuote, message: CutMessage, background: Background) -> str:
    """Replace pronouns that can only mean the speaker or the user by names."""
    text = quote.unit.text
    if not background.is_zh_or_en:
        return text
    name = message.source.name
    if speaker := _on_saying(text, message):
        return speaker + _told_to_player(text, background)
    text = _about_named(text, message, background)
    if message.is_narrator or not name_of(name, ""):
        return _told_to_player(text, background) if message.is_narrated else text
    is_user = message.source.role == "user"
    other = _meant_by_pronoun(text, message, background)
    if other is not None:
        return other
    if background.language == "en":
        if text[:1].islower() and not _HE.match(text):
            text = _begun_en(text, name)
        text = _EN_START.sub(lambda _: name, text) if not is_user else text
        whom = _other(name, background)
        return narration(text, name, whom, background.pronoun.get(name, ""))
    own = background.pronoun.get(name, "")
    us = "两人" if len(background.speakers) == 2 and not background.narrators else "大家"

    def turned(words: str) -> str:
        words = words.replace("我们", us)
        if is_user or not own:
            words = "".join(
                _I.sub("自己", _I.sub(lambda _: name, part, count=1))
                for part in _AFTER_END.split(words)
            )
        if not is_user and name_of(background.user, ""):
            words = _YOU.sub(lambda _: background.user, words)
        return words

    text = beside_names(text, turned)
    text = _named_once(text, name, own) if own else text
    return text if name in text else _with_subject(text, name, quote)


def _about_named(text: str, message: CutMessage, background: Background) -> str:
    """Begin an English sentence of narration with the person whom its he or she surely means.

    A narrator's, or that of a player who writes in the third person.
    """
    is_users = message.source.role == "user"
    if is_users and FIRST_PERSON.search(without_speech(message.text)) is not None:
        return text
    is_told = background.language == "en" and (message.is_narrator or is_users)
    start = _EN_START.match(text) if is_told else None
    about = message.said(text).about if start is not None else ""
    if start is None or background.pronoun.get(about, "") != start[1].casefold():
        return text
    return about + text[start.end() :]


def _on_saying(text: str, message: CutMessage) -> str:
    """Return another who has spoken and goes on: 老吴说：“来了。”说完拎着冰进了仓库."""
    if not _ON_SAYING.match(text) or message.attribution is None:
        return ""
    speaker = message.attribution.speaker_before(text) or ""
    return speaker if speaker != message.source.name else ""


def _told_to_player(text: str, background: Background) -> str:
    """Return a narrator's words with the player's name in place of “you”."""
    if not background.user:
        return text
    if background.language == "zh":
        return _YOU.sub(lambda _: background.user, text)
    is_own = FIRST_PERSON.search(text) is not None
    return text if is_own else narration(text, "", background.user, "")


def _begun_en(text: str, name: str) -> str:
    """Begin a fragment in small letters with its writer's name if it reports a deed."""
    first = text.split(maxsplit=1)[0].strip(".,:")
    if first == name.casefold():
        return name + text[len(name) :]
    is_verb = first.endswith(_VERB_ENDS) or bool(base_of(first))
    if _NO_DEED.match(text) or not is_verb:
        return text[:1].upper() + text[1:]
    doing = _DOING.match(text)
    verb = base_of(doing["verb"]) if doing is not None else ""
    if doing is None or not verb:
        return f"{name} {text}"  # *smiles and waves*
    if doing["quoted"]:
        return f"{name} {third_person(verb)}{text[doing.end('verb') :]}"  # *thinking: not again*
    return f"{name} is {text}"


def _meant_by_pronoun(text: str, message: CutMessage, background: Background) -> str | None:
    """Return narration behind another's speech, with their name in place of a pronoun.

    The pronoun stays if the speaker is unknown. None if it may mean the sender of the message.
    """
    start = _THIRD_PERSON.match(text)
    if start is None or message.attribution is None:
        return None
    name = message.source.name
    speaker = message.attribution.speaker_before(text)
    if speaker is None or speaker == name:
        return None
    word = start[1].casefold()
    if speaker and background.pronoun.get(speaker, word) != word:
        return None if background.pronoun.get(name, "") == word else text
    return speaker + text[start.end() :] if name_of(speaker, "") else text


def _named_once(text: str, name: str, own: str) -> str:
    """Replace a pronoun that is the subject, at the beginning or after a comma."""
    if (match := _PRONOUN_START.match(text)) and match[1] == own:
        return name + text[1:]
    if name not in text and (match := _PRONOUN_LATER.search(text)) and match[2] == own:
        return text[: match.start(2)] + name + text[match.end(2) :]
    return text


def _with_subject(text: str, name: str, quote: PickedQuote) -> str:
    """Add the name of the actor if the sentence begins with the action: 笑着摇头."""
    first = quote.words[0].tag if quote.words else ""
    is_acting = first.startswith(_ACTING_TAGS) and first != "vn"
    if quote.unit.is_aside:  # in brackets the speaker acts, even with parts of the face
        is_acting = not _begins_with_another(quote) and not _SOMEBODY.match(text)
    if without_day(text) != text or opening_day(text)[1] or _SPAN_OF_TIME.match(text):
        return text
    return name + text if is_acting or _ACTING.match(text) else text


def _begins_with_another(quote: PickedQuote) -> bool:
    """Return whether words in brackets have their own subject: 几只鸟飞过, 钟声传来, 两人走了.

    In 皱眉 and 思索片刻 the noun has no predicate: the speaker acts, as in 有些不安 and 一进门.
    """
    words = quote.words
    if _SURELY_ACTS.match(quote.unit.text):
        return False
    first = words[0].tag if words else ""
    second = words[1].tag if len(words) > 1 else "x"
    if first.startswith("n") and not first.startswith("nr"):
        is_manner = words[1:] and (words[1].text == "地" or len(words[0].text) == 4)  # 聚精会神
        is_bare = second.startswith(("x", "m"))
        return not is_manner and not is_bare and not _OF_THE_BODY.match(words[0].text)
    if first.startswith("m"):
        return not second.startswith("v")
    return first.startswith(("r", "t", "nr")) and words[0].text not in _SOMEWHAT


def _other(name: str, background: Background) -> str:
    """Return who is called “you”: the user, or for the user the only other speaker."""
    if name != background.user:
        return background.user
    rest = sorted(background.speakers - background.narrators - {name})
    return rest[0] if len(rest) == 1 else ""


# Chosen units become a few sentences that say who did what, and quote who said what.


_QUOTES = re.compile('[“”「」『』"]')
_END = tuple("。！？!?….…")
_CALLED = re.compile(r"([^\W\d_][\w·]{1,7})[，,！!] ?(?=\w)")
_SAYING = re.compile(  # speech is quoted separately
    "(?:[，,][^，,。]{0,6})?(?:(?<![听小传])(?:说道|问道|[赔陪苦冷干]?笑道|答道|说|问)[：:，,。]?"
    "|(?<![知街通味])道[：:，,])$"
)
# What is left of 她认真地说, 掌柜小声对伙计说 without the verb.
_MANNER_LEFT = re.compile(
    "[，,]?(?:[^，,。！？!?]*地|(?:[轻低小大高柔厉沉哑颤冷朗失齐]声)?[对向朝冲][^，,。！？!?]{1,8}"
    "|[轻低小大高柔厉沉哑颤冷朗失齐]声)$"
)
# What is left of 走远之后，我对莉莉丝说, if nothing else happens.
_WHEN_LEFT = re.compile("^[^，,。！？!?]{1,16}(?:[之以][前后]|的?时候?|之际)$")
# Before a thought that somebody writes in brackets: （心道：不可能。）
_THINKING = re.compile("(?:心道|心想|心说|暗道|暗想|想)[：:，,]")
_THIS = re.compile("[这那它]|(?:this|these|it)\\b", re.IGNORECASE)
_ENDS_INSIDE = re.compile(r"[。！？!?]|\.\s")
_SENTENCES = 2  # reported of one unit
_HESITATES = 7  # characters before an ellipsis that begin what is behind it: a name
_TOGETHER = 2  # reports in one sentence
_OF = ("的", "'s", "’s")  # marks something that belongs to the named person
_LEAST_LETTERS = 4  # of a quote worth giving; not measured
# Characters beyond which nothing is appended to a sentence; not measured.
_LONG = {"zh": 70, "en": 190}


@dataclass(frozen=True, slots=True)
class Report:
    """One deed, or words that are quoted."""

    subject: str  # who does or says it; empty if unknown
    lead: str  # before quoted words: 说：
    body: str  # of quoted words: without quotation marks
    weight: float = 1.0  # value in a summary; a plain statement has 1; set by hand
    is_quote: bool = False
    position: int = 0  # index of its message in the block
    span: tuple[float, float] = (0.0, 0.0)  # of the text, counted in units of the block


def tell(
    quotes: Sequence[PickedQuote], block: Sequence[CutMessage], background: Background, room: int
) -> tuple[str, set[int]]:
    """Report ``quotes``, given best first, in story order, in about ``room`` characters.

    Returns the text, and the positions in the block that it reports.
    """
    if not background.is_zh_or_en:
        return _as_said(quotes, block, background, room)
    passages: list[tuple[int, list[Report]]] = []
    for quote in quotes:
        if quote.order in {order for order, _reports in passages}:
            continue
        reports = list(_reports(quote, block, background))
        size = sum(len(r.subject) + len(r.lead) + len(r.body) for r in reports)
        if not reports or (passages and size > room):
            continue
        shown = _shown_before(quote, block)
        if shown is not None and shown.order not in {order for order, _reports in passages}:
            before = list(_reports(shown, block, background))
            passages.append((shown.order, before))
            room -= sum(len(r.body) for r in before)
        passages.append((quote.order, reports))
        room -= size
        if room <= 0:
            break
    ordered = [
        report for _order, reports in sorted(passages, key=lambda c: c[0]) for report in reports
    ]
    return _joined(ordered, background.language), {order for order, _reports in passages}


def _as_said(
    quotes: Sequence[PickedQuote], block: Sequence[CutMessage], background: Background, room: int
) -> tuple[str, set[int]]:
    chosen: list[PickedQuote] = []
    for quote in quotes:
        is_new = all(quote.unit.text != other.unit.text for other in chosen)
        if not chosen or (is_new and len(quote.unit.text) <= room):
            chosen.append(quote)
            room -= len(quote.unit.text)
    return quoted(chosen, block, background), {quote.order for quote in chosen}


def _shown_before(quote: PickedQuote, block: Sequence[CutMessage]) -> PickedQuote | None:
    """Return the narration right before a speech that refers to it as “this”."""
    if not quote.unit.is_speech or not _THIS.match(quote.unit.text):
        return None
    return next(
        (
            q
            for q in block[quote.position].quotes
            if q.order == quote.order - 1 and not q.unit.is_speech
        ),
        None,
    )


def heart(
    quotes: Sequence[PickedQuote], block: Sequence[CutMessage], background: Background
) -> str:
    """Report the first of ``quotes`` that can be reported, in one sentence."""
    if not background.is_zh_or_en:
        return quoted(quotes[:1], block, background)
    for quote in quotes:
        reports = list(_reports(quote, block, background))
        if reports:
            best = max(reports, key=lambda report: report.weight)
            return _joined([best], background.language)
    return ""


def quoted(
    quotes: Sequence[PickedQuote], block: Sequence[CutMessage], background: Background
) -> str:
    """Return ``quotes`` verbatim; adjacent ones of one speaker name them once."""
    parts: list[str] = []
    spoken: list[str] = []
    spoke = ""
    ordered = sorted(quotes, key=lambda quote: quote.order)
    for at, quote in enumerate(ordered):
        message = block[quote.position]
        if quote.unit.is_speech:
            speaker = message.said(quote.unit.text).speaker
            spoken.append(_QUOTES.sub("’" if background.language == "en" else "", quote.unit.text))
            after = ordered[at + 1] if at + 1 < len(ordered) else None
            is_next = after is not None and after.order == quote.order + 1
            if (
                after is not None
                and is_next
                and after.unit.is_speech
                and after.position == quote.position
                and message.said(after.unit.text).speaker == speaker
            ):
                continue
            parts.append(_speech(speaker, spoken, background, again=spoke == speaker))
            spoken, spoke = [], speaker
        else:
            parts.append(_ended(narrated(quote, message, background), background.language))
            spoke = ""
    return ("" if background.language == "zh" else " ").join(parts)


def _reports(
    quote: PickedQuote, block: Sequence[CutMessage], background: Background
) -> Iterator[Report]:
    message = block[quote.position]
    if not quote.unit.is_speech:
        yield from _thought(quote, message, background) or _deed(quote, message, background)
        return
    reports: list[Report] = []
    called = ""
    spoken = _spoken(quote.unit.text)
    for n, sentence in enumerate(spoken):
        said = message.said(sentence)
        named = _CALLED.match(sentence)
        if named and named[1] in background.people and named[1] != said.speaker:
            called = named[1]
        said = replace(said, hearer=called) if called else said
        span = quote.order + n / len(spoken), quote.order + (n + 1) / len(spoken)
        if said.how == "narrated" or _is_thought_narrated(sentence, said, message):
            unit = replace(quote.unit, text=sentence, is_speech=False)
            told = _deed(replace(quote, unit=unit), message, background)
        elif said.how != "said" or said.repeated or not said.speaker:
            told = _otherwise(sentence, said, background)
        else:
            is_crowd = _talking(quote.position, block) > 2
            told = _said(sentence, said, background, is_crowd=is_crowd)
        reports += [replace(report, position=quote.position, span=span) for report in told]
    long = 20 if background.language == "zh" else 60
    # shorter than a clause: less weight, down to .6; set by hand
    worth = [report.weight * (0.6 + 0.4 * min(1.0, len(report.body) / long)) for report in reports]
    best = sorted(range(len(reports)), key=lambda n: (-worth[n], n))[:_SENTENCES]
    yield from (reports[n] for n in sorted(best) if worth[n] >= 0.5 * max(worth))


def _spoken(text: str) -> list[str]:
    """Return the sentences of a speech; a hesitation ends none: 柳青崖……是他的生父."""
    whole: list[str] = []
    for sentence in sentences(text):
        if whole and whole[-1].endswith("…") and len(whole[-1]) <= _HESITATES:
            whole[-1] += sentence if whole[-1].endswith("……") else f" {sentence}"
        else:
            whole.append(sentence)
    return whole


def _thought(quote: PickedQuote, message: CutMessage, background: Background) -> list[Report]:
    """Quote a thought in brackets: （心道：不可能。）; an empty list for any other narration."""
    lead = _THINKING.match(quote.unit.text)
    said = message.said(quote.unit.text)
    is_own = quote.unit.is_aside and background.language == "en" and said.how == "thought"
    if not (lead or is_own) or not said.speaker or said.how not in ("thought", "narrated"):
        return []
    words = plain(quote.unit.text[lead.end() if lead is not None else 0 :])
    span = float(quote.order), quote.order + 1.0
    lead_in = _LEADS[background.language]["thought"]
    return [Report(said.speaker, lead_in, words, 0.8, True, quote.position, span)]


def _is_thought_narrated(sentence: str, said: SaidBy, message: CutMessage) -> bool:
    """Return whether the sender narrates an own thought in the third person: 她心里一沉."""
    if said.how != "thought" or said.speaker != message.source.name:
        return False
    is_headed = sentence.startswith(said.speaker) or _THIRD_PERSON.match(sentence) is not None
    return is_headed and FIRST_PERSON.search(sentence) is None


def _deed(quote: PickedQuote, message: CutMessage, background: Background) -> Iterator[Report]:
    name = message.source.name
    text = quote.unit.text
    if _TAG.match(text) or text.endswith(("?", "？")):
        return
    if tag := _TAG_HEAD.match(text) or _TAG_FIRST.match(text) or _TAG_NAMED.match(text):
        text = text[tag.end() :]
    elif tag := _TAG_AND.match(text):
        text = f"{tag['who']} {text[tag.end() :]}"
    if _LEADS_IN.fullmatch(text):
        return
    quote = replace(quote, unit=replace(quote.unit, text=text))
    text = _deeds(plain(narrated(quote, message, background)), background).rstrip(" ，,、：:；;—-")
    if text and text not in background.people:  # “Dora说：” leaves only the speaker's name
        body = text.removeprefix(name)
        is_subject = body != text and not body.startswith(_OF) and not message.is_narrator
        subject, body = (name, body) if is_subject else ("", text)
        rest = body if background.language == "zh" else body.lstrip()
        span = float(quote.order), quote.order + 1.0
        yield Report(subject, "", rest, position=quote.position, span=span)


def _said(
    sentence: str, said: SaidBy, background: Background, *, is_crowd: bool
) -> Iterator[Report]:
    """Quote speech; among several with whom it is said to, if the words do not name them."""
    words = quoted_words(sentence, background.language)
    if not words.text:
        return
    is_to_one = is_crowd and said.hearer in background.people and said.hearer not in sentence
    is_to_one = is_to_one and not calls_by_title(sentence, 0)  # “师弟，你可算回来了。”
    whom = said.hearer if is_to_one and _SPEAKS_TO.search(words.text) else ""
    lead = _lead("asked" if words.is_question else "said", whom, background.language)
    yield Report(said.speaker, lead, words.text, words.weight, is_quote=True)


def _deeds(text: str, background: Background) -> str:
    """Remove the day, which the event has elsewhere, and gestures beside actions."""
    undated = without_day(text)
    text = _SAYING.sub("", undated)
    if text != undated:
        text = _WHEN_LEFT.sub("", _MANNER_LEFT.sub("", text))
        if len(text) < _LEAST_LETTERS:
            return ""  # only who speaks
    parts = sentences(text)
    if len(parts) > 1:
        is_zh = background.language == "zh"
        whole = [part for part in parts if not _REST.match(part)]
        deeds = [part for part in whole if acts(part, is_zh=is_zh) > GESTURE]
        if len(deeds or whole) < len(parts):
            text = ("" if is_zh else " ").join(deeds or whole)
    return text


def _talking(at: int, block: Sequence[CutMessage]) -> int:
    near = block[max(0, at - 6) : at + 6]
    return len({name for message in near for name in message.speakers})


_SPEAKS_TO = re.compile(r"[你您]|\byou", re.IGNORECASE)
_LEADS = {
    "zh": {"said": "说：", "asked": "问：", "thought": "想：", "written": "写道："},
    "en": {"said": "says:", "asked": "asks:", "thought": "thinks:", "written": "writes:"},
}
_LEADS_TO = {
    "zh": {"said": "对{}说：", "asked": "问{}："},
    "en": {"said": "says to {}:", "asked": "asks {}:"},
}


def _lead(how: str, whom: str, language: str) -> str:
    return _LEADS_TO[language][how].format(whom) if whom else _LEADS[language][how]


def _otherwise(sentence: str, said: SaidBy, background: Background) -> Iterator[Report]:
    """Quote thoughts, writing, repeated words of others, and speech of unknown speakers."""
    if said.how == "no_story":
        return
    words = plain(said.repeated if said.repeated and said.speaker else sentence)
    words = words.rstrip(" ,，、")
    if sum(char.isalnum() for char in words) < _LEAST_LETTERS:
        return
    if said.repeated and said.speaker:
        yield Report(said.speaker, _repeats(said, background.language), words, is_quote=True)
        return
    lead = _LEADS[background.language][said.how] if said.speaker else ""
    yield Report(said.speaker, lead, words[:1].upper() + words[1:], 0.8, is_quote=True)


def _repeats(said: SaidBy, language: str) -> str:
    """Return the lead of words that a speaker repeats, with whose they are."""
    of = said.repeated_of if said.repeated_of != said.speaker else ""
    if language == "zh":
        return f"转述{of}的话：" if of else "转述道："
    return f"quotes {of}:" if of else "quotes:"


def _joined(reports: Sequence[Report], language: str) -> str:
    """Make sentences of reports; adjacent ones of one person share a sentence."""
    groups: list[list[Report]] = []
    told: set[tuple[str, str]] = set()
    for given in reports:
        report = given if given.is_quote else replace(given, body=_LOOSE_END.sub("", given.body))
        if (report.subject, report.body) in told:
            continue
        told.add((report.subject, report.body))
        if groups and _fits(report, groups[-1], language):
            groups[-1].append(report)
        else:
            groups.append([report])
    parts = [_sentence(group, before, language) for before, group in pairwise([[], *groups])]
    return ("" if language == "zh" else " ").join(parts)


def _fits(report: Report, group: Sequence[Report], language: str) -> bool:
    """Return whether a report goes on with the sentence of ``group``."""
    last = group[-1]
    size = sum(len(r.lead) + len(r.body) for r in group) + len(report.body)
    if not report.subject or report.subject != last.subject or size > _LONG[language]:
        return False
    if report.position - last.position > 2 or len(group) == _TOGETHER:
        return False
    if last.is_quote:
        is_next = report.span[0] == last.span[1]
        is_one = report.position == last.position and report.lead == last.lead
        return report.is_quote and (is_next or is_one)
    return _ENDS_INSIDE.search(last.body.rstrip("。.！!？? ")) is None


def _sentence(group: Sequence[Report], before: Sequence[Report], language: str) -> str:
    """Tell reports of one person; with “also” if they said what is ``before`` it, too."""
    is_zh = language == "zh"
    first = group[0]
    lead = first.lead
    if lead and before and (before[-1].subject, before[-1].lead) == (first.subject, lead):
        lead = f"还{lead}" if is_zh else f"also {lead}"
    text = ("" if is_zh else " ").join(filter(None, (first.subject, lead, _marked(first))))
    for last, report in pairwise(group):
        if last.is_quote:
            text = _going_on(text, report, is_next=report.span[0] == last.span[1], is_zh=is_zh)
            continue
        more = ("" if is_zh else " ").join(filter(None, (report.lead, _marked(report))))
        text = text.rstrip("。.！!；;，,") + ("，" if is_zh else ", and ") + more
    if not is_zh:
        text = text[:1].upper() + text[1:]
    return _ended(text[:-1], language) + "”" if text.endswith("”") else _ended(text, language)


def _marked(report: Report) -> str:
    return f"“{report.body}”" if report.is_quote else report.body


def _going_on(text: str, report: Report, *, is_next: bool, is_zh: bool) -> str:
    """Append words to the quotation that ``text`` ends in, with an ellipsis for what is between."""
    text = _ended(text[:-1], "zh" if is_zh else "en")
    gap = "" if is_next else "……" if is_zh else " …"
    return f"{text}{gap}{'' if is_zh else ' '}{report.body}”"


def _speech(
    speaker: str, sentences_said: Sequence[str], background: Background, *, again: bool
) -> str:
    is_english = background.language == "en"
    text = " ".join(sentences_said) if is_english else _ended("".join(sentences_said), "zh")
    if again or not is_entity_name(speaker):
        return f"“{text}”"
    if is_english:
        return f"{speaker}: “{text}”"
    return f"{speaker}说：“{text}”" if background.is_zh_or_en else f"{speaker}「{text}」"


def _ended(text: str, language: str) -> str:
    text = text.rstrip(" ，,、：:；;~～—-")
    is_ended = text.rstrip('”’」』"').endswith(_END)
    return text if is_ended else text + ("。" if language == "zh" else ".")
