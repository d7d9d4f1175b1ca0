"""The two whom every chat has, the player's persona and the card's character, and all who speak.

The entities of the two have fixed ids, whatever they are called and whenever they were renamed. Who
they are is read from the speakers of the messages, never guessed from texts. Whoever speaks is
somebody, whatever an answer takes them for.
"""

from __future__ import annotations

from engram_desktop.domain.graph.entity import norm_name
from engram_desktop.domain.graph.naming import (
    CHAR_ENTITY,
    USER_ENTITY,
    cast_role,
    fill_cast,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.storage.chat.chat_store import ChatStore

FIXED_ID = {"user": USER_ENTITY, "char": CHAR_ENTITY}


@dataclass(frozen=True, slots=True)
class Cast:
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


def read_cast(store: ChatStore) -> Cast:
    """Say who they are in a chat."""
    users = store.messages.user_names()
    voices = [voice for voice in store.messages.characters() if voice[0] not in users]
    names_known = {norm_name(name) for name in store.entities.names_of(CHAR_ENTITY)}
    first = next(
        (v for v in voices if norm_name(v[0]) in names_known), voices[0] if voices else None
    )
    spoken = frozenset(norm_name(name) for name in store.messages.speakers())
    if first is None:
        return Cast(users, (), spoken)
    same = [name for name, speaker in voices if speaker and speaker == first[1]]
    same += [name for name, _speaker in voices if norm_name(name) in names_known]
    return Cast(users, tuple(dict.fromkeys([first[0], *same])), spoken)
