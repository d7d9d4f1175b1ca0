"""Whom and where an English text names: runs of capitals, and what stands around them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engram_desktop.domain.graph.naming import is_entity_name
from engram_desktop.services.extractive.words.cutting import STOP_EN, Word
from engram_desktop.services.extractive.words.verbs_en import base_of

_SAID_EN = frozenset(
    """
    said says asked asks replied told tells smiled laughed nodded whispered came went loves
    likes wants thinks
    """.split()
)
_PLACE_BEFORE_EN = frozenset(["in", "into", "near", "visit", "visiting", "visited"])
_TOWARDS_EN = frozenset(["to", "from", "at"])  # a person as well: screams at Varric
_WITH_EN = frozenset(
    """
    with met meet named called my dear and tell tells told ask asks asked thank brother sister
    mother father friend uncle aunt cousin captain professor doctor find finds found see saw
    help helps kiss kisses love loves hate hates save saves says said
    """.split()
)
_TITLES_EN = frozenset(
    """
    Captain Professor Lord Lady Sir King Queen Prince Princess Doctor Dr Mr Mrs Ms Miss Master
    Sergeant General Commander Father Sister Brother Aunt Uncle Detective Officer Duke
    """.split()
)
_PLACES_EN = frozenset(
    """
    Gate Chapel Road Port Inn Tavern City Lake Mount Mountain River Street Castle Forest Island
    Academy School University College Hall Tower Bridge Village Town Temple Church Hotel Cafe
    Museum Park Bay Beach Harbor Harbour Square Avenue Valley Kingdom Library Market Palace
    Station
    """.split()
)
_NEVER_EN = frozenset(
    """
    Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June
    July August September October November December Christmas Halloween Easter Thanksgiving
    Valentine God Mom Dad Mum Grandma Grandpa English Chinese French Spanish Japanese American
    German Italian Korean Russian Indian British Irish Mexican Greek Thai Cantonese European
    Sorry Btw Gonna Congrats Glad Love Hope
    LGBTQ TV PM AM Mr Mrs Ms Miss Dr Sir Lady Lord Wow Haha LOL OMG Yeah Oh Ok Okay Thanks
    """.split()
)


def english_names(words: Sequence[Word]) -> Iterator[tuple[str, str, str]]:
    """Yield (name, word before, word after) for runs of capitals inside sentences."""
    at = 0
    while at < len(words):
        if not _is_name_en(words[at]):
            at += 1
            continue
        end = at + 1
        while end < len(words) and words[end].is_joined and end - at < 5:
            if not _is_name_en(words[end]):
                is_of = words[end].text in {"of", "de", "von", "van", "du", "la"}
                if not (is_of and end + 1 < len(words) and _is_name_en(words[end + 1])):
                    break
                end += 1
            end += 1
        if at and words[at].is_joined and _opens_a_name(words[at - 1]):
            at -= 1  # Victor of Victor Hale, at the beginning of a sentence
        name = _bare(" ".join(word.text for word in words[at:end]))
        before = words[at - 1].text.lower() if at else ""
        after = words[end].text.lower() if end < len(words) else ""
        yield name, before, "'s" if words[end - 1].text.endswith(("'s", "’s")) else after
        at = end


def _opens_a_name(word: Word) -> bool:
    text = word.text
    return (
        word.tag == "en"
        and text[:1].isupper()
        and len(text) > 2
        and text.lower() not in STOP_EN
        and text not in _NEVER_EN
        and not base_of(text.lower())
        and not text.endswith(("ly", "ing", "'s", "’s"))
    )


def _is_name_en(word: Word) -> bool:
    bare = _bare(word.text)
    return (
        word.tag == "En"
        and bare not in _NEVER_EN
        and not bare[1:].isupper()
        and len(bare) > 1
        and bare.lower() not in STOP_EN
        and is_entity_name(bare)
    )


def _bare(word: str) -> str:
    return word.removesuffix("'s").removesuffix("’s").rstrip("'’-")


def english_kind(name: str, contexts: Counter[tuple[str, str]]) -> str:
    """Tell a person from a place by the name or what is around it; nothing if unclear."""
    words = name.split()
    if words[0] in _TITLES_EN and len(words) > 1:
        return "char"
    if not _PLACES_EN.isdisjoint((words[0], words[-1])) and len(words) > 1:
        return "loc"
    with_article = sum(n for (before, _after), n in contexts.items() if before == "the")
    if with_article * 2 >= contexts.total():
        return "item" if len(words) > 1 and contexts.total() > 1 else ""
    if contexts.total() < 2:
        return ""
    place = person = 0.0
    for (before, after), count in contexts.items():
        place += count * (before in _PLACE_BEFORE_EN) + 0.5 * count * (before in _TOWARDS_EN)
        acts = (
            after in _SAID_EN or after == "'s" or bool(base_of(after) and base_of(after) != after)
        )
        person += count * (before in _WITH_EN or acts)
    enough = contexts.total() / 3
    if place > 2 * person and place >= enough:
        return "loc"
    return "char" if person > place and person >= enough else ""
