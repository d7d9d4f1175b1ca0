"""Removes false names of people: words at the beginning of sentences, firms, places, ships."""

from __future__ import annotations

import re
from collections.abc import Sequence

from engram_desktop.domain.claims.speech import SAYS_EN

# Titles that name no other person when they change: Commander Holm is made Captain Holm.
RANKS = (
    "Captain|Commander|Commodore|Admiral|Lieutenant|Ensign|Sergeant|Corporal|Colonel|Inspector"
    "|Constable|Detective|Sheriff|Reverend|Chief"
)
ARTICLE = re.compile(r"\b(?:[Aa]n?|[Tt]he) $")
# Before a name at the beginning of a sentence, and no part of it: Did Leon, Ask Rosalind.
OPENS_EN = frozenset(
    "Did Was Were Is Are Has Have Had Does Do Will Would Could Should Can May Ask Tell Give Take"
    " Get Let Leave Bring Call Find Meet Poor Dear Because If As At On In For With From By Of Until"
    " While Since Unless Whether Though So Or".split()
)
NOBODY_EN = frozenset(
    "He She They It The This That These Those And But Then You What Who There Someone Somebody"
    " Nobody Everybody Everyone"
    " Something Nothing Everything One Two Three Which When Where Why How Her His My Your Our Its"
    " Yes No Well Okay Now Still"
    " Maybe Perhaps Never Always Here All Both Each Some Any Another Other Outside Inside Behind"
    " Before After Sorry Thanks"
    " Thank Please God Lord Sir Miss Major General Madame Lady Doctor Officer Commissioner"
    " Sunday Monday Tuesday Wednesday Thursday"
    " Friday Saturday January"
    " February March April May June July August September October November December Spring Summer"
    " Autumn Winter English"
    " None Eleven Twelve Thirteen Fourteen Fifteen Sixteen Seventeen Eighteen Nineteen Thirty"
    " Forty Fifty Sixty Seventy Eighty Ninety Thousand Million"
    " Ten Four Five Six Seven Eight Nine Twenty Hundred Good Look Listen Come Wait Fine Sure"
    " Right Hey Right Hello Dear Not Just Only Even"
    " Once Super Crazy Check Btw Lol Gonna Gotta Wanna Art Family Life Music Work School Home Love"
    " Progress Nature Time Money Food Dance Travel Health Parenthood Friendship Kindness Hope Fear"
    " Joy Peace Magic Death War Everyone Somebody Someone Nobody Nothing Everything People Kids"
    " Friends Parents Children Ocean Rain Snow Winter Sunset".split()
) | frozenset(RANKS.split("|"))

OF_FIRM = re.compile(
    " (?:Tower|Biotech|Corp|Corporation|Inc|Industries|Labs?|Group|Company|Bank|Station|Street|Road"
    "|Avenue|Lane|Square|Hall|House|Manor|Castle|Hotel|Hospital|Academy|School|College|University"
    "|Institute|Shipping|Systems|Security)(?![a-z])"
)
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
        and not (name.split()[0] in words and OF_FIRM.search(name))
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
        if OF_FIRM.match(text, behind) is not None:
            return True
        if ARTICLE.search(text, max(0, at - 5), at) and _THING.match(text, behind):
            return True
        at = text.find(name, behind)
    return False


_NAME_BEFORE = re.compile(r"(?<![\w'’])([A-Z][a-zà-ÿ]+)\.? $")
_BEFORE = 20  # characters before a name that hold the first name or title of somebody
_OF_MEN = frozenset("Mr Monsieur Lord Sir Uncle".split())
_OF_WOMEN = frozenset("Mrs Miss Ms Lady Madame Mademoiselle Aunt".split())
_TITLES = frozenset(
    (
        *_OF_MEN,
        *_OF_WOMEN,
        *RANKS.split("|"),
        *"Dr Doctor Doc Professor Major General Old Young Brother Sister Father Mother King"
        " Queen Prince Princess Master Mistress Little Big".split(),
    )
)

_NO_FIRST_NAMES = _TITLES | NOBODY_EN | OPENS_EN


def is_anothers(text: str, start: int, end: int, name: str, gender: str) -> bool:
    """Return whether a part of a name here names another: Edgar Sloane, Mr. Sloane, Sloane Hall.

    It is part of the person's ``name``, who is of ``gender``.
    """
    own = name.split()
    said = text[start:end]
    if said in (name, "") or said not in own:
        return False
    if OF_FIRM.match(text, end) is not None:
        return True
    before = _NAME_BEFORE.search(text, max(0, start - _BEFORE), start)
    if before is None or before[1] in own:
        return False
    if before[1] in (_OF_MEN if gender == "f" else _OF_WOMEN if gender == "m" else ()):
        return True
    is_family = len(own) > 1 and said == own[-1] and own[0] not in _TITLES
    return is_family and before[1] not in _NO_FIRST_NAMES
