"""From chosen units to sentences that say who did or said what."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.naming import is_entity_name
from engram_desktop.services.extractive.background import Background
from engram_desktop.services.extractive.lines import Line, Quote

_ACTING_TAGS = ("v", "d", "p")
_PRONOUN_START = re.compile(r"^([她他它])(?!们)")
_PRONOUN_LATER = re.compile(r"([，,；。])([她他它])(?!们)")
_EN_START = re.compile(r"^(She|He)\b(?! and)")
_I = re.compile("我(?!们)")
_YOU = re.compile("你(?!们)")
_SOMEBODY = re.compile("[她他它]")
_ACTING = re.compile("^.{1,2}[着了](?!的)")
_QUOTES = re.compile('[“”「」『』"]')
_END = tuple("。！？!?….…")


def tell(quotes: Sequence[Quote], lines: Sequence[Line], known: Background) -> str:
    """Render ``quotes`` in the order of the story; neighbours of one speaker share a mention."""
    parts: list[str] = []
    said: list[str] = []
    speaker = spoke = ""
    ordered = sorted(quotes, key=lambda quote: quote.order)
    for at, quote in enumerate(ordered):
        line = lines[quote.line]
        if quote.unit.is_speech:
            speaker = line.message.name
            said.append(_QUOTES.sub("’" if known.language == "en" else "", quote.unit.text))
            after = ordered[at + 1] if at + 1 < len(ordered) else None
            if after is not None and after.unit.is_speech and after.line == quote.line:
                continue
            parts.append(_speech(speaker, said, known, again=spoke == speaker))
            said, spoke = [], speaker
        else:
            parts.append(_ended(narrated(quote, line, known), known.language))
            spoke = ""
    return ("" if known.language == "zh" else " ").join(parts)


def _speech(speaker: str, said: Sequence[str], known: Background, *, again: bool) -> str:
    is_english = known.language == "en"
    text = " ".join(said) if is_english else _ended("".join(said), "zh")
    if again or not is_entity_name(speaker):
        return f"“{text}”"
    return f"{speaker}: “{text}”" if is_english else f"{speaker}说：“{text}”"


def _ended(text: str, language: str) -> str:
    text = text.rstrip(" ，,、：:")
    is_ended = text.rstrip('”’」』"').endswith(_END)
    return text if is_ended else text + ("。" if language == "zh" else ".")


def narrated(quote: Quote, line: Line, known: Background) -> str:
    """Put names in the place of the pronouns that can only mean the speaker or the user."""
    text = quote.unit.text
    name = line.message.name
    if line.is_narrator or not is_entity_name(name):
        return text
    is_user = line.message.role == "user"
    if known.language == "en":
        if text[:1].islower():
            return f"{name} {text}"  # *smiles and waves*
        return text if is_user else _EN_START.sub(lambda _: name, text)
    if is_user:
        text = _I.sub(lambda _: name, text)
        own = ""
    else:
        own = known.pronoun.get(name, "")
        if is_entity_name(known.user):
            text = _YOU.sub(lambda _: known.user, text)
    text = _named_once(text, name, own) if own else text
    return text if name in text else _with_subject(text, name, quote)


def _named_once(text: str, name: str, own: str) -> str:
    """Replace the pronoun that is the subject, at the beginning or after a comma."""
    if (found := _PRONOUN_START.match(text)) and found[1] == own:
        return name + text[1:]
    if name not in text and (found := _PRONOUN_LATER.search(text)) and found[2] == own:
        return text[: found.start(2)] + name + text[found.end(2) :]
    return text


def _with_subject(text: str, name: str, quote: Quote) -> str:
    """Name who acts where the sentence begins with the action: 笑着摇头."""
    first = quote.words[0].tag if quote.words else ""
    acts = first.startswith(_ACTING_TAGS) and first != "vn"
    if quote.unit.is_aside:  # in brackets it is the speaker, down to the corners of the mouth
        acts = not first.startswith(("r", "t", "m", "c", "nr")) and not _SOMEBODY.search(text[:8])
    return name + text if acts or _ACTING.match(text) else text
