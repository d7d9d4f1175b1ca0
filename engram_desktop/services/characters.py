"""The persons of a chat: its cast, who speaks, and the user's persona."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.cards import Character, CharacterRow
from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import BadSetting
from engram_desktop.domain.graph.entity import (
    CHAR_ENTITY,
    USER_ENTITY,
    cast_role,
    fill_cast,
    norm_name,
)
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.settings import DECLARED
from engram_desktop.domain.tavern.folder import TavernUser
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.cards import card_of
from engram_desktop.formats.tavern.folder import find_handles
from engram_desktop.formats.tavern.settings import read_settings, settings_stamp
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.chat.chat_store import ChatStore
from engram_desktop.storage.library.followed import key_of
from engram_desktop.storage.library.library import Library

# The two whom every chat has, the player's persona and the card's character, and all who speak.
#
# The entities of the two have fixed ids, whatever they are called and whenever they were renamed.
# Who they are is read from the speakers of the messages, never guessed from texts. Whoever speaks
# is somebody, whatever an answer takes them for.


FIXED_ID = {"user": USER_ENTITY, "char": CHAR_ENTITY}


@dataclass(frozen=True, slots=True)
class ChatNames:
    """Names the persona and the character speak under, the most used one first.

    A player called "You" or a card called 妈妈 is named so: speakers are not asked to have names
    that could name an entity otherwise.
    """

    user: tuple[str, ...] = ()
    char: tuple[str, ...] = ()
    voices: frozenset[str] = frozenset()  # normalised names of all who ever spoke

    def members(self) -> dict[str, tuple[str, ...]]:
        """Fixed id and names of those who are there."""
        both = {USER_ENTITY: self.user, CHAR_ENTITY: self.char}
        return {entity_id: names for entity_id, names in both.items() if names}

    def named(self, text: str) -> str | None:
        """Return the fixed id that a speaker's name or a role word (主角, the user) stands for."""
        norm = norm_name(text)
        for entity_id, names in self.members().items():
            if norm in {norm_name(name) for name in names}:
                return entity_id
        role = cast_role(text)
        if role is None:
            return None
        entity_id = FIXED_ID[role]
        return entity_id if entity_id in self.members() else None

    def speaks(self, text: str) -> bool:
        """Whether ``text`` names, or stands for, somebody who speaks in the chat."""
        return norm_name(text) in self.voices or self.named(text) is not None

    def filled(self, text: str) -> str:
        """Put the names in place of ``{{user}}`` and ``{{char}}``."""
        return fill_cast(text, self.user[0] if self.user else "", self.char[0] if self.char else "")


def read_cast(store: ChatStore) -> ChatNames:
    """Say who they are in a chat."""
    users = store.messages.user_names()
    voices = [voice for voice in store.messages.characters() if voice[0] not in users]
    names_known = {norm_name(name) for name in store.entities.names_of(CHAR_ENTITY)}
    first = next(
        (v for v in voices if norm_name(v[0]) in names_known), voices[0] if voices else None
    )
    spoken = frozenset(norm_name(name) for name in store.messages.voices())
    if first is None:
        return ChatNames(users, (), spoken)
    same = [name for name, speaker in voices if speaker and speaker == first[1]]
    same += [name for name, _speaker in voices if norm_name(name) in names_known]
    return ChatNames(users, tuple(dict.fromkeys([first[0], *same])), spoken)


# Which cards of the library speak in a chat, and whose turn it is.


TAIL = 60  # messages looked through for who spoke last


def character_of(library: Library, row: CharacterRow) -> Character:
    """Read what a stored card says."""
    return card_of(library.characters.card(row.id), row.name).character


def characters_of_chat(library: Library, store: ChatStore) -> list[CharacterRow]:
    """Characters that speak in a chat: by the file their messages name, else by their name."""
    voices = store.messages.characters()
    users = {norm_name(name) for name in store.messages.user_names()}
    avatars = {speaker for _name, speaker in voices if speaker}
    names = {norm_name(name) for name, _speaker in voices} - users
    return [
        row
        for row in library.characters.rows()
        if row.avatar in avatars or {norm_name(row.name), norm_name(row.nickname)} & names
    ]


def who_speaks(
    library: Library, store: ChatStore, branch_id: str, at: int | None
) -> CharacterRow | None:
    """Whose reply comes after floor ``at``: in a group who did reply, or who spoke last before."""
    rows = characters_of_chat(library, store)
    if len(rows) < 2:
        return next(iter(rows), None)
    count = store.messages.count(branch_id)
    floors = count if at is None else max(0, min(at + 1, count))
    first = max(0, floors - TAIL)
    near = store.messages.as_parsed(branch_id, first, floors)  # the reply too, if it is there
    before, after = near[: floors - first], near[floors - first :]
    for message in [*after, *reversed(before)]:
        if message.role == "assistant":
            for row in rows:
                if _is_of(message, row):
                    return row
    return rows[0]


def _is_of(message: ParsedMessage, row: CharacterRow) -> bool:
    if message.speaker_id:
        return message.speaker_id == row.avatar
    return norm_name(message.name) in (norm_name(row.name), norm_name(row.nickname))


# Keep what the settings of SillyTavern's users say of tags, variables and scans of worldbooks.
#
# Read when a folder is taken in or followed, and again when the file is another. Settings that
# cannot be read change nothing; a folder that is gone is remembered.


logger = logging.getLogger(__name__)


def note_users(library: Library, ctx: JobContext, folder: Path) -> Changes:
    """Note what the settings of all users of a folder say. Raises NoTavern."""
    changes = Changes()
    for handle in find_handles(folder):
        changes |= note_user(library, ctx, handle)
    return changes


def note_user(library: Library, ctx: JobContext, handle: Path) -> Changes:
    """Note what the settings of one user say now, if they changed."""
    user = library.tavern_users.get(handle) or TavernUser(key_of(handle))
    stamp = settings_stamp(handle)
    if stamp is None or stamp == user.stamp:
        return Changes()
    settings = read_settings(handle)
    if settings.faults:
        logger.warning("The settings of %s were left out: %s", handle, settings.faults[0])
        ctx.write(lambda: library.tavern_users.put(replace(user, stamp=stamp)))
        return Changes()
    now = TavernUser(
        user.folder,
        settings.tags,
        settings.tagged,
        settings.variables,
        settings.scan,
        settings.lore,
        stamp,
    )
    scan = _new_rules(library, user.scan, now.scan) if library.settings().tavern_scan else {}

    def unit() -> None:
        library.tavern_users.put(now)
        for key, value in scan.items():
            library.set_setting(key, value)

    ctx.write(unit)
    return Changes(worldbooks=replace(user, stamp=stamp) != now, settings=bool(scan))


def _new_rules(
    library: Library, before: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, Any]:
    """What scans of worldbooks do otherwise now; what the user set here himself stays."""
    chosen_here = library.chosen_settings()
    new: dict[str, Any] = {}
    for key, text in now.items():
        try:
            value = DECLARED[key].parse(text)
        except BadSetting:  # SillyTavern allows more than means anything here
            continue
        value_here = chosen_here.get(key, DECLARED[key].default)
        is_ours = key not in chosen_here or value_here == before.get(key)
        if is_ours and value_here != value:
            new[key] = value
    return new


def user_of(library: Library, chat_id: str) -> TavernUser:
    """Whose chat it is: the user in whose folder its file lies, else the latest one known."""
    users = library.tavern_users.all()
    files = [Path(row.path) for row in library.followed.of_chat(chat_id)]
    for user in users:
        if any(file.is_relative_to(user.folder) for file in files):
            return user
    return users[0] if users else TavernUser("")


def tag_names(library: Library, chat_id: str | None = None) -> dict[str, str]:
    """Names of all tags by id, those of the chat's own user first."""
    mine = user_of(library, chat_id) if chat_id else TavernUser("")
    names = dict(mine.tags)
    for user in library.tavern_users.all():
        names = {**names, **{tag: n for tag, n in user.tags.items() if tag not in names}}
    return names
