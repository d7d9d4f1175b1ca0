"""What macros say that only the folder of SillyTavern knows in which a chat lies.

Read when a macro asks for it. A chat whose file is not followed has no such folder: of the settings
those of the user known last are read then, and nothing says who belongs to a group.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from pathlib import Path
from typing import Self

from engram_desktop.domain.tavern.texts import Member, TavernTexts
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.tavern.settings import NAME
from engram_desktop.formats.tavern.texts import MACROS, read_members, read_texts
from engram_desktop.services.characters.tavern_user import user_of
from engram_desktop.storage.library.library import Library

_GROUPS = "group chats"


@dataclass(frozen=True)
class TavernFiles:
    """``user`` is the folder of a user, ``chat`` the chat's file; either may be unknown."""

    user: Path | None = None
    chat: Path | None = None

    @classmethod
    def of(cls, library: Library, chat_id: str) -> Self:
        folder = user_of(library, chat_id).folder
        followed = library.followed.of_chat(chat_id)
        return cls(Path(folder) if folder else None, Path(followed[0].path) if followed else None)

    @property
    def is_solo(self) -> bool:
        """Whether the chat is surely one of a single character."""
        return self.chat is not None and self.chat.parent.parent.name == "chats"

    @cached_property
    def members(self) -> tuple[Member, ...] | None:
        """Who belongs to the group; None where there is none, or no file says."""
        if self.chat is None or self.chat.parent.name != _GROUPS:
            return None
        return read_members(self.chat.parent.parent, self.chat.stem)

    @cached_property
    def texts(self) -> TavernTexts | None:
        return read_texts(self.user) if self.user else None

    def values(self) -> Mapping[str, Callable[[], str]]:
        """The macros that the settings give a text; none where there are no settings."""
        if self.user is None or not (self.user / NAME).is_file():
            return {}
        return {name: partial(self._said, name) for name in MACROS}

    def _said(self, name: str) -> str:
        """Read the settings when the first of their macros is asked for, and not before."""
        return self.texts.macros[name] if self.texts else ""
