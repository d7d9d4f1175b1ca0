"""The speakers of a chat, the cards they are played by, and settings of SillyTavern's users."""

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

FIXED_ID = {"user": USER_ENTITY, "char": CHAR_ENTITY}


@dataclass(frozen=True, slots=True)
class ChatNames:
    """Names the persona and the character speak under, the most used one first.

    The entities of these two have fixed ids, whatever they are called. They are read from the
    speakers of the messages, never guessed from texts. A speaker is a person even under a name that
    could not name an entity otherwise, such as "You" or 妈妈.
    """

    user: tuple[str, ...] = ()
    char: tuple[str, ...] = ()
    voices: frozenset[str] = frozenset()  # normalised names of all who ever spoke

    def members(self) -> dict[str, tuple[str, ...]]:
        """Return names of persona and character by fixed entity id; without a name, no entry."""
        both = {USER_ENTITY: self.user, CHAR_ENTITY: self.char}
        return {entity_id: names for entity_id, names in both.items() if names}

    def named(self, text: str) -> str | None:
        """Return the fixed id that a name or a role word (主角, the user) refers to, else None."""
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
        """Return whether ``text`` names a speaker of the chat, or is a role word for one."""
        return norm_name(text) in self.voices or self.named(text) is not None

    def filled(self, text: str) -> str:
        """Replace ``{{user}}`` and ``{{char}}`` by names."""
        return fill_cast(text, self.user[0] if self.user else "", self.char[0] if self.char else "")


def read_cast(store: ChatStore) -> ChatNames:
    """Return the names of persona, character and all speakers of a chat."""
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


TAIL = 60  # messages searched backwards for the last speaker


def character_of(library: Library, row: CharacterRow) -> Character:
    """Parse the card of a stored character."""
    return card_of(library.characters.card(row.id), row.name).character


def characters_of_chat(library: Library, store: ChatStore) -> list[CharacterRow]:
    """Return the characters that speak in a chat: by the file their messages name, else by name."""
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
    """Return who replies after floor ``at``: in a group who did reply, else the last speaker."""
    rows = characters_of_chat(library, store)
    if len(rows) < 2:
        return next(iter(rows), None)
    count = store.messages.count(branch_id)
    floors = count if at is None else max(0, min(at + 1, count))
    first = max(0, floors - TAIL)
    near = store.messages.as_parsed(branch_id, first, floors)  # includes the reply, if there is one
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


logger = logging.getLogger(__name__)


def note_users(library: Library, ctx: JobContext, folder: Path) -> Changes:
    """Store what the settings of all users of a SillyTavern folder say. Raises NoTavern."""
    changes = Changes()
    for handle in find_handles(folder):
        changes |= note_user(library, ctx, handle)
    return changes


def note_user(library: Library, ctx: JobContext, handle: Path) -> Changes:
    """Store tags, variables and scan settings of a SillyTavern user, if the file changed.

    Settings that cannot be read change nothing.
    """
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
    """Return the scan settings that changed in SillyTavern, except those the user changed here."""
    chosen_here = library.chosen_settings()
    new: dict[str, Any] = {}
    for key, text in now.items():
        try:
            value = DECLARED[key].parse(text)
        except BadSetting:  # SillyTavern allows values that have no meaning here
            continue
        value_here = chosen_here.get(key, DECLARED[key].default)
        is_ours = key not in chosen_here or value_here == before.get(key)
        if is_ours and value_here != value:
            new[key] = value
    return new


def user_of(library: Library, chat_id: str) -> TavernUser:
    """Return the SillyTavern user in whose folder the chat's file lies, else the one known last."""
    users = library.tavern_users.all()
    files = [Path(row.path) for row in library.followed.of_chat(chat_id)]
    for user in users:
        if any(file.is_relative_to(user.folder) for file in files):
            return user
    return users[0] if users else TavernUser("")


def tag_names(library: Library, chat_id: str | None = None) -> dict[str, str]:
    """Return the names of all tags by id; those of the chat's own user win."""
    mine = user_of(library, chat_id) if chat_id else TavernUser("")
    names = dict(mine.tags)
    for user in library.tavern_users.all():
        names = {**names, **{tag: n for tag, n in user.tags.items() if tag not in names}}
    return names
