"""Whom an entry is for: characters by card file, and by tags.

SillyTavern keeps ids of tags in an entry and a list of ids for each character. Where it says
nothing of a character, and where an entry names a tag in words, what tags are called decides.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from engram_desktop.domain.tavern.user import name_of_tag
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.reasons import Reason
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who is about to speak. ``tags`` are ids; None: SillyTavern says nothing of this character.

    ``tag_names`` are of all tags there are, by id.
    """

    file: str = ""  # the card's file name without its ending
    tags: tuple[str, ...] | None = None
    card_tags: tuple[str, ...] = ()  # in words
    tag_names: Mapping[str, str] = field(default_factory=dict)

    def has(self, tag: str) -> bool:
        """Whether the character has a tag, which is an id or a name."""
        if self.tags is not None and (tag in self.tags or tag in self.tag_names):
            return tag in self.tags
        own_names = {name_of_tag(self.tag_names, one) for one in self.tags or ()}
        names = {name.casefold() for name in (*own_names, *self.card_tags)}
        return tag in self.card_tags or name_of_tag(self.tag_names, tag).casefold() in names


def refusal(rule: CharacterFilter, speaker: Speaker) -> Reason | None:
    """Say why an entry is not for this speaker; None if it is."""
    is_named = speaker.file in rule.names
    own_tags = [tag for tag in rule.tags if speaker.has(tag)]
    if rule.is_exclude:
        if is_named:
            return _mismatch("not_names", [speaker.file])
        return _mismatch("not_tags", _names_of_tags(own_tags, speaker)) if own_tags else None
    if rule.names and not is_named:
        return _mismatch("names", rule.names)
    if rule.tags and not own_tags:
        return _mismatch("tags", _names_of_tags(rule.tags, speaker))
    return None


def _names_of_tags(tags: tuple[str, ...] | list[str], speaker: Speaker) -> list[str]:
    return list(dict.fromkeys(name_of_tag(speaker.tag_names, tag) for tag in tags))


def _mismatch(by: str, names: tuple[str, ...] | list[str]) -> Reason:
    return Reason("character", by=by, wanted=", ".join(names))
