"""Why an entry fires or does not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any, Literal

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.tavern.folder import name_of_tag
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.scan import KeyPlace
from engram_desktop.domain.worldbooks.worldbook import CharacterFilter, Logic, Trigger

# Why an entry fired or did not, in words for a player: templates, for a window to translate.


_T = QT_TRANSLATE_NOOP
Why = Literal[
    "constant",
    "sticky",
    "decorator",
    "meaning",
    "key",
    "keys",
    "disabled",
    "trigger",
    "character",
    "delay",
    "cooldown",
    "waits",
    "forbidden",
    "no_key",
    "meaning_off",
    "no_mention",
    "pattern",
    "secondary",
    "group",
    "chance",
    "budget",
]
FIRING = frozenset({"constant", "sticky", "decorator", "meaning", "key", "keys"})
_SENTENCES: dict[str, str] = {
    "constant": _T("reports", "It is always on."),
    "sticky": _T("reports", "It fired before and stays for {count} more messages."),
    "decorator": _T("reports", "Its text begins with @@activate."),
    "meaning": _T("reports", "Its meaning is near to what is being said ({score:.2f})."),
    "disabled": _T("reports", "It is switched off."),
    "delay": _T("reports", "It waits until the chat has {count} messages."),
    "cooldown": _T("reports", "It fired before and rests for {count} more messages."),
    "waits": _T("reports", "It waits for other entries to mention it (level {level})."),
    "forbidden": _T("reports", "Its text begins with @@dont_activate."),
    "no_key": _T("reports", "It has no keyword."),
    "meaning_off": _T(
        "reports",
        "No keyword of it is mentioned, and meaning is not asked: Vector Storage for world info is"
        " off, as the settings have it.",
    ),
    "no_mention": _T("reports", "None of its keywords is in the last {depth} messages."),
    "chance": _T("reports", "Its chance is {probability:g} %, and {roll:.0f} was rolled."),
    "budget": _T("reports", "No room: it needs {tokens} tokens, and {budget} are all there is."),
}
_PLACES = {
    "depth": _T("reports", "“{key}” is mentioned in message {number}, counted from the last."),
    "last": _T("reports", "“{key}” is mentioned in the last message."),
    "field": _T("reports", "“{key}” is mentioned in the character card."),
    "note": _T("reports", "“{key}” is mentioned in a note among the messages."),
    "blank": _T("reports", "One of its keywords is blank, which is found everywhere."),
    "entry": _T("reports", "“{key}” is mentioned by the entry “{entry}”."),
    "pattern": _T("reports", "The pattern {key} matches."),
}
_FAILING = {
    Logic.AND_ANY: _T("reports", "“{key}” is mentioned, but none of the secondary keywords."),
    Logic.NOT_ALL: _T("reports", "“{key}” is mentioned, but so are all secondary keywords."),
    Logic.NOT_ANY: _T("reports", "“{key}” is mentioned, but so is a secondary keyword."),
    Logic.AND_ALL: _T("reports", "“{key}” is mentioned, but not all secondary keywords are."),
}
_LOSING = {
    "sticky": _T("reports", "“{winner}” of the group “{group}” still stays."),
    "present": _T("reports", "“{winner}” of the group “{group}” fired already."),
    "score": _T("reports", "“{winner}” of the group “{group}” has more keywords mentioned."),
    "priority": _T("reports", "“{winner}” of the group “{group}” goes first."),
    "chance": _T("reports", "“{winner}” of the group “{group}” was drawn."),
    "rests": _T("reports", "It stays and rests at once, and so leaves its group “{group}”."),
    "slip": _T(
        "reports",
        "“{winner}” was out already when it lost in the group “{group}” too; SillyTavern then"
        " leaves out whichever entry is the last.",
    ),
}
_REPLIES: dict[Trigger, str] = {
    "normal": _T("reports", "It is not meant for an ordinary reply."),
    "continue": _T("reports", "It is not meant for a reply that is continued."),
    "impersonate": _T("reports", "It is not meant for a reply written for the player."),
    "swipe": _T("reports", "It is not meant for another swipe."),
    "regenerate": _T("reports", "It is not meant for a reply made again."),
    "quiet": _T("reports", "It is not meant for a quiet request."),
}
_WHOM = {
    "names": _T("reports", "It is only for other characters: {wanted}."),
    "not_names": _T("reports", "It is for all characters but {wanted}."),
    "tags": _T("reports", "It is only for characters with another tag: {wanted}."),
    "not_tags": _T("reports", "It is for all characters but those with the tag {wanted}."),
}
_PATTERN = _T("reports", "Its pattern could not be tried: {detail}")
_NO_PATTERN = _T("reports", "Its keyword is a pattern, and patterns cannot be tried here.")


@dataclass(frozen=True, slots=True, init=False)
class Reason:
    """``why`` with what it is about."""

    why: Why
    params: dict[str, Any]
    mention: KeyPlace | None

    def __init__(self, why: Why, *, mention: KeyPlace | None = None, **params: Any) -> None:
        object.__setattr__(self, "why", why)
        object.__setattr__(self, "params", params)
        object.__setattr__(self, "mention", mention)

    @property
    def fires(self) -> bool:
        return self.why in FIRING

    @property
    def phrase(self) -> Phrase:
        """The reason as a sentence."""
        mention = self.mention
        if mention is not None:
            is_secondary = self.why == "secondary"
            failing = _FAILING[self.params["logic"]] if is_secondary else ""
            return Phrase(failing, key=mention.key) if is_secondary else _place(mention)
        match self.why:
            case "group":
                return Phrase(_LOSING[self.params["by"]], **self.params)
            case "trigger":
                return Phrase(_REPLIES[self.params["trigger"]])
            case "character":
                return Phrase(_WHOM[self.params["by"]], wanted=self.params["wanted"])
            case "pattern":
                detail = self.params["detail"]
                return Phrase(_PATTERN, detail=detail) if detail else Phrase(_NO_PATTERN)
        return Phrase(_SENTENCES[self.why], **self.params)


def _place(mention: KeyPlace) -> Phrase:
    if mention.depth is not None:
        template = _PLACES["depth"] if mention.depth else _PLACES["last"]
        return Phrase(template, key=mention.key, number=mention.depth + 1)
    if mention.field:
        return Phrase(_PLACES["field"], key=mention.key)
    if mention.is_note or mention.is_blank:
        return Phrase(_PLACES["note" if mention.is_note else "blank"], key=mention.key)
    if mention.entry:
        return Phrase(_PLACES["entry"], key=mention.key, entry=mention.entry)
    return Phrase(_PLACES["pattern"], key=mention.key)


# Whom an entry is for: characters by card file, and by tags.
#
# SillyTavern keeps ids of tags in an entry and a list of ids for each character. Where it says
# nothing of a character, and where an entry names a tag in words, what tags are called decides.


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
