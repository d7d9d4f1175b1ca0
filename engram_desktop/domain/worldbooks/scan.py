"""Which keys of a worldbook occur in a text, timed effects of entries, and reasons."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal

from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.tavern.folder import name_of_tag
from engram_desktop.domain.text.tokens import JS_BLANKS, trimmed
from engram_desktop.domain.text.words import Mentions, SearchedWord, is_mentioned
from engram_desktop.domain.values import dataclass
from engram_desktop.domain.worldbooks.worldbook import (
    CARD_FIELDS,
    CardField,
    CharacterFilter,
    Entry,
    Logic,
    Trigger,
)

# Keys that are JavaScript patterns: `/source/flags`. A slash inside must be escaped.


_FLAGS = frozenset("gimsuy")
_BARE_SLASH = re.compile(r"(?:^|[^\\])/")


def pattern(key: str) -> tuple[str, str] | None:
    """Return source and flags of a key that may be a pattern; None for plain text.

    Whether JavaScript accepts it shows when it is tried.
    """
    if not key.lstrip().startswith("/"):
        return None
    source, _slash, flags = key.strip()[1:].rpartition("/")
    if not source or not _FLAGS.issuperset(flags) or _BARE_SLASH.search(source):
        return None
    return source.replace("\\/", "/", 1), flags


# What all scans of the same entries share: their plain keys, and where those occur. Each text is
# searched once, however many scans read it: going through forty replies of a chat of 100,000
# messages costs little more than one.


_BLANKS = re.compile(f"[{JS_BLANKS}]+")
_NOTHING: frozenset[SearchedWord] = frozenset()


@dataclass(frozen=True, slots=True)
class ScanRules:
    """The settings for entries without their own."""

    depth: int = 2
    is_case_sensitive: bool = False
    match_whole_words: bool = False


class KeyIndex:
    """The plain keys of some entries, and the texts in which they occur.

    ``tick`` is called between texts and may raise to end a scan.
    """

    def __init__(
        self, entries: Iterable[Entry], rules: ScanRules, tick: Callable[[], object] = str
    ) -> None:
        self.rules = rules
        self.tick = tick
        self._needles: dict[tuple[str, bool, bool], SearchedWord] = {}
        for entry in entries:
            if not entry.is_disabled:
                for key in (*entry.keys, *entry.secondary_keys):
                    if trimmed(key) and pattern(key) is None:
                        self.needle(key, entry)
        self._mentions = Mentions(self._needles.values())
        self.has_line_breaks = any("\n" in needle.text for needle in self._needles.values())
        self._needles_by_text: dict[str, frozenset[SearchedWord]] = {}

    def find(self, text: str) -> frozenset[SearchedWord]:
        """Return the keys in a text."""
        needles = self._needles_by_text.get(text)
        if needles is None:
            self.tick()
            needles = frozenset(self._mentions.find(text)) or _NOTHING
            self._needles_by_text[text] = needles
        return needles

    def needle(self, key: str, entry: Entry) -> SearchedWord:
        """Return the searched form of an entry's key, without the blanks around it."""
        return self.needle_of(trimmed(key), entry)

    def needle_of(self, key: str, entry: Entry) -> SearchedWord:
        """Return the searched form of an entry's key, including blanks."""
        rules = self.rules
        is_exact = rules.is_case_sensitive if entry.case_sensitive is None else entry.case_sensitive
        whole = (
            rules.match_whole_words if entry.match_whole_words is None else entry.match_whole_words
        )
        identity = (key, is_exact, whole)
        known = self._needles.get(identity)
        if known is None:
            text = key if is_exact else key.lower()
            is_word = whole and len(_BLANKS.split(text)) == 1  # for several words, any place counts
            known = self._needles[identity] = SearchedWord(text, is_exact, is_word)
        return known


# The texts of a scan, and which keys of which entries occur in them, without any rule about firing.
# For a plain key only the newest message with it is stored: that decides for every depth. Patterns
# are tried by a callable that runs JavaScript, each on a whole text at once.


# Messages that SillyTavern reads at most, whatever an entry or the wish for more entries asks for.
# Only the setting for the whole scan can exceed it.
MAX_DEPTH = 1_000
_MARK = "\x01"  # begins a message, as in SillyTavern: patterns may use it


@dataclass(frozen=True, slots=True)
class NoPattern:
    """Why text between slashes is not a pattern; it is then searched as plain text."""

    why: str


# Returns whether a pattern (source, flags) is in a text, or why that is unknown.
PatternTest = Callable[[str, str, str], bool | str | NoPattern]


@dataclass(frozen=True, slots=True)
class ScanText:
    """The messages, newest first, the card's texts that entries may use, and notes.

    ``notes`` are inserted among the messages by others: they are read for every entry.
    """

    messages: Sequence[str]
    fields: Mapping[CardField, str] = field(default_factory=dict)
    notes: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class KeyPlace:
    """Where a key occurs: messages back, in a card's text, in another entry, in a note.

    ``is_blank``: the key is only blanks, which occur everywhere.
    """

    key: str
    depth: int | None = None
    field: str = ""
    entry: str = ""
    is_note: bool = False
    is_blank: bool = False


class Scanner:
    """The texts of one scan. They grow: fired entries are read in the next round."""

    def __init__(
        self, entries: Iterable[Entry], text: ScanText, index: KeyIndex, is_in: PatternTest | None
    ) -> None:
        self._text = text
        self._index = index
        self._is_in = is_in
        self.skew = 0  # messages read beyond the depth until enough entries have fired
        self._troubles: dict[tuple[str, str], str] = {}  # pattern → why it could not be tried
        self._depth_of: dict[SearchedWord, int] = {}
        self._in_entries: dict[SearchedWord, str] = {}
        self._added: list[str] = []
        self._read = 0
        self._whole_texts: dict[tuple[int, frozenset[CardField], int], str] = {}
        self._answers: dict[tuple[str, str, str], bool | str | NoPattern] = {}
        self._plain_answers: dict[tuple[SearchedWord, str], bool] = {}
        depth = index.rules.depth
        self._most = max(depth, MAX_DEPTH)
        self._deepest = max([depth, *map(_own_depth, entries)], default=depth)

    @property
    def depth(self) -> int:
        return self._index.rules.depth + self.skew

    @property
    def is_exhausted(self) -> bool:
        """Whether there is no further message to read."""
        return self.depth > len(self._text.messages)

    @property
    def has_entries(self) -> bool:
        """Whether a fired entry can be read."""
        return bool(self._added)

    def trouble_of(self, key_pattern: tuple[str, str]) -> str:
        """Return why a pattern (source, flags) could not be tried; empty if it could."""
        return self._troubles.get(key_pattern, "")

    def add(self, entries: Sequence[Entry]) -> None:
        """Read the contents of fired entries: those of one round are one text."""
        text = "\n".join(entry.content for entry in entries)
        if not text:
            return
        self._added.append(text)
        for entry in entries:
            for needle in self._index.find(entry.content):
                self._in_entries.setdefault(needle, entry.title)
        if len(entries) > 1 and self._index.has_line_breaks:
            for needle in self._index.find(text):
                self._in_entries.setdefault(needle, entries[0].title)

    def find(self, key: str, entry: Entry, *, with_entries: bool) -> KeyPlace | None:
        """Return where ``key`` occurs for ``entry``, the newest message first."""
        if not trimmed(key):
            return KeyPlace(key, is_blank=True) if key else None
        key_pattern = pattern(key)
        if key_pattern is not None:
            is_there = self._test(key_pattern, key, entry, with_entries=with_entries)
            return KeyPlace(key) if is_there else None
        limit = self._depth_for(entry)
        if limit <= 0:  # without messages nothing else is read
            return None
        needle = self._index.needle(key, entry)
        depth = self._first_depth(needle, limit)
        if depth is not None:
            return KeyPlace(key, depth=depth)
        return self._elsewhere(key, needle, entry, with_entries=with_entries)

    def _elsewhere(
        self, key: str, needle: SearchedWord, entry: Entry, *, with_entries: bool
    ) -> KeyPlace | None:
        """Return where a key occurs outside of messages."""
        for name in sorted(entry.matches):
            if needle in self._index.find(self._text.fields.get(name, "")):
                return KeyPlace(key, field=name)
        if any(needle in self._index.find(note) for note in self._text.notes):
            return KeyPlace(key, is_note=True)
        if with_entries and needle in self._in_entries:
            return KeyPlace(key, entry=self._in_entries[needle])
        return None

    def has_as_it_is(self, key: str, entry: Entry, *, with_entries: bool) -> bool:
        """Return whether a key occurs including the blanks around it, for points in a group."""
        if not key:
            return True
        if key == trimmed(key) or pattern(key) is not None:
            return self.find(key, entry, with_entries=with_entries) is not None
        return self._plainly(key, entry, with_entries=with_entries)

    def _plainly(self, key: str, entry: Entry, *, with_entries: bool) -> bool:
        """Return whether a key is in the whole text literally."""
        whole = self._whole(entry, with_entries=with_entries)
        needle = self._index.needle_of(key, entry)
        answer = self._plain_answers.get((needle, whole))
        if answer is None:
            self._index.tick()
            answer = self._plain_answers[needle, whole] = is_mentioned(needle, whole)
        return answer

    def _depth_for(self, entry: Entry) -> int:
        depth = self.depth if entry.scan_depth is None else _own_depth(entry)
        return min(depth, self._most)

    def _first_depth(self, needle: SearchedWord, depth: int) -> int | None:
        self._read_to(min(max(depth, self._deepest), len(self._text.messages)))
        first = self._depth_of.get(needle)
        return first if first is not None and first < depth else None

    def _read_to(self, depth: int) -> None:
        """Search messages up to ``depth``, each only once."""
        while self._read < depth:
            for needle in self._index.find(self._text.messages[self._read]):
                self._depth_of.setdefault(needle, self._read)
            self._read += 1

    def _test(
        self, key_pattern: tuple[str, str], key: str, entry: Entry, *, with_entries: bool
    ) -> bool:
        if self._is_in is None:
            return False
        text = self._whole(entry, with_entries=with_entries)
        answer = self._answers.get((*key_pattern, text))
        if answer is None:
            self._index.tick()
            answer = self._answers[*key_pattern, text] = self._is_in(*key_pattern, text)
        if isinstance(answer, bool):
            return answer
        if isinstance(answer, str):
            self._troubles[key_pattern] = answer
            return False
        self._troubles[key_pattern] = answer.why
        return self._plainly(trimmed(key), entry, with_entries=with_entries)

    def _whole(self, entry: Entry, *, with_entries: bool) -> str:
        """Return the text for a pattern of ``entry``; always the same object."""
        depth = self._depth_for(entry)
        if depth <= 0:
            return ""
        count = len(self._added) if with_entries else 0
        identity = (depth, entry.matches, count)
        if identity not in self._whole_texts:
            texts = [trimmed(message) for message in self._text.messages[:depth]] or [""]
            names = [name for name in CARD_FIELDS if name in entry.matches]
            texts += filter(None, (self._text.fields.get(name, "") for name in names))
            texts += [*self._text.notes, *self._added[:count]]
            self._whole_texts[identity] = _MARK + f"\n{_MARK}".join(texts)
        return self._whole_texts[identity]


def _own_depth(entry: Entry) -> int:
    return max(0, min(entry.scan_depth or 0, MAX_DEPTH))


# Timed effects of entries: sticky (stays for some messages) and cooldown (rests for some). Both are
# counted in messages of the chat. The values mirror SillyTavern's in a chat's metadata, so that a
# simulation can continue from there.


Key = tuple[str, int | str]  # worldbook, number of the entry


@dataclass(frozen=True, slots=True)
class Effect:
    """The first message of an effect, and the one before which it ends.

    One that is ``is_firm`` outlives a deleted message.
    """

    start: int
    end: int
    is_firm: bool = False


@dataclass(frozen=True, slots=True)
class Timers:
    """The current effects in a chat."""

    sticky: Mapping[Key, Effect] = field(default_factory=dict)
    cooldown: Mapping[Key, Effect] = field(default_factory=dict)

    def at(self, messages: int, entries: Mapping[Key, Entry]) -> Timers:
        """Return the effects still on when the chat has ``messages``.

        When a sticky effect ends, the cooldown of the entry begins, if it has one.
        """
        sticky: dict[Key, Effect] = {}
        cooldown = {
            key: effect
            for key, effect in self.cooldown.items()
            if _is_on(effect, messages) and (key not in entries or entries[key].cooldown)
        }
        for key, effect in self.sticky.items():
            if key in entries and not entries[key].sticky:
                continue  # it must not stay any longer
            if _is_on(effect, messages):
                sticky[key] = effect
            elif messages >= effect.end and key in entries and entries[key].cooldown:
                end = messages + entries[key].cooldown
                cooldown[key] = Effect(messages, end, is_firm=True)
        return Timers(sticky, cooldown)

    def after(self, messages: int, fired: Iterable[tuple[Key, Entry]]) -> Timers:
        """Start the effects of entries that fired, unless they are on already."""
        sticky, cooldown = dict(self.sticky), dict(self.cooldown)
        for key, entry in fired:
            if entry.sticky and key not in sticky:
                sticky[key] = Effect(messages, messages + entry.sticky)
            if entry.cooldown and key not in cooldown:
                cooldown[key] = Effect(messages, messages + entry.cooldown)
        return Timers(sticky, cooldown)


def _is_on(effect: Effect, messages: int) -> bool:
    """Return whether an effect is on; not if its first message was deleted, unless it is firm."""
    return messages < effect.end and (messages > effect.start or effect.is_firm)


# Why an entry fired or did not, for a player: templates, for a window to translate.


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
    """``why`` and its details."""

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


# The entries' character filters: characters by card file, and by tags. SillyTavern stores tag ids
# in an entry, and a list of ids for each character. Where it has none for a character, and where an
# entry names a tag in words, the names of tags decide.


@dataclass(frozen=True, slots=True)
class Speaker:
    """The next speaker. ``tags`` are ids; None: SillyTavern has none for this character.

    ``tag_names`` are those of all tags, by id.
    """

    file: str = ""  # without the extension
    tags: tuple[str, ...] | None = None
    card_tags: tuple[str, ...] = ()  # by name
    tag_names: Mapping[str, str] = field(default_factory=dict)

    def has(self, tag: str) -> bool:
        """Return whether the character has a tag, given as an id or a name."""
        if self.tags is not None and (tag in self.tags or tag in self.tag_names):
            return tag in self.tags
        own_names = {name_of_tag(self.tag_names, one) for one in self.tags or ()}
        names = {name.casefold() for name in (*own_names, *self.card_tags)}
        return tag in self.card_tags or name_of_tag(self.tag_names, tag).casefold() in names


def refusal(rule: CharacterFilter, speaker: Speaker) -> Reason | None:
    """Return why an entry is not for this speaker; None if it is."""
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
