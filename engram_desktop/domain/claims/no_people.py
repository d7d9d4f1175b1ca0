"""Removes false names of people: words at the beginning of sentences, firms, places."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.claims.speech import SAYS_EN

_OF_FIRM = re.compile(
    " (?:Tower|Biotech|Corp|Corporation|Inc|Industries|Labs?|Group|Company|Bank|Station|Street|Road"
    "|Avenue|Hall|House|Hotel|Hospital|Academy|University|Institute|Systems|Security)(?![a-z])"
)
_ARTICLE = re.compile(r"\b(?:an?|the) $")
_THING = re.compile(" [a-z]")
_TIMES = 3  # Captain Bell is in three of 45 messages, and a bell in four
_LATIN_NAME = re.compile(r"[A-Z][a-z]{2,15}(?: [A-Z][a-z]{2,15})?")


def without_words(likely: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Remove words that begin sentences, and names of firms: Use, Add Domain, Helix.

    A word is removed if at least as many texts write it in lower case as with a capital, and more
    than `_TIMES` as many as do so inside a sentence. A name of two words is removed if both
    qualify.
    """
    parts = {part for name in likely if _LATIN_NAME.fullmatch(name) for part in name.split()}
    words = {part for part in parts if _is_word(part, texts) or _is_of_none(part, texts)}
    return [
        name
        for name in likely
        if not words.issuperset(name.split())
        and not (name.split()[0] in words and _OF_FIRM.search(name))
    ]


def _is_word(part: str, texts: Sequence[str]) -> bool:
    alone = f" {part.lower()} "
    small = sum(alone in text for text in texts)
    if small < sum(f"{part} " in text for text in texts):
        return False  # Mark nods, and once there is a mark on the wall
    return small > _TIMES * sum(_stands_within(text, part) for text in texts)


def _stands_within(text: str, name: str) -> bool:
    """Return whether a name is inside a sentence, after a word or a comma."""
    at = text.find(f" {name}")
    while at > 0:
        before, behind = text[at - 1], text[at + 1 + len(name) : at + 2 + len(name)]
        if (before.islower() or before in ",;") and not behind.isalnum():
            return True
        at = text.find(f" {name}", at + 1)
    return False


def _is_of_none(name: str, texts: Sequence[str]) -> bool:
    """Return whether a name is a firm's or a place's: it stands before things, and never speaks."""
    if not any(_names_things(text, name) for text in texts):
        return False
    acts = re.compile(
        rf"\b{SAYS_EN} {name}\b|\b{name} (?:\w+ly )?(?:{SAYS_EN}|nods?|nodded|smile[sd]?"
        rf"|grins?|grinned|shrug(?:s|ged)?|frown(?:s|ed)?|looks?|looked|sits?|sat|turns?|turned)\b"
        rf"|\b{name}['’]s (?:eyes?|hands?|voice|face|mouth|shoulders?|fingers?)\b|[\"“]{name}[,!?]"
    )
    return not any(map(acts.search, texts))


def _names_things(text: str, name: str) -> bool:
    """Return whether things are named by a name: a Helix logo, Helix Tower."""
    at = text.find(name)
    while at >= 0:
        behind = at + len(name)
        if _OF_FIRM.match(text, behind) is not None:
            return True
        if _ARTICLE.search(text, max(0, at - 5), at) and _THING.match(text, behind):
            return True
        at = text.find(name, behind)
    return False
