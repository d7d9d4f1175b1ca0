"""Compare everything in a SillyTavern folder with the library: new, here, newer there, followed.

Opens only files that the library may have already; everything else is new without being opened.
"""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from engram_desktop.domain.errors import InputError, StorageError
from engram_desktop.domain.tavern.folder import (
    TavernChat,
    TavernFolder,
    TavernHandle,
    TavernItem,
    TavernState,
)
from engram_desktop.formats.cards import card
from engram_desktop.formats.plain_file import read_plain
from engram_desktop.formats.tavern.items import persona_key, script_key
from engram_desktop.formats.tavern.regex_script import id_of
from engram_desktop.formats.tavern.settings import read_settings
from engram_desktop.formats.worldbooks import world_info
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.prompts import scripts
from engram_desktop.services.tavern.scripts import scripts_in
from engram_desktop.services.tavern.worldbooks import worldbook_of_file
from engram_desktop.storage.library.followed import key_of
from engram_desktop.storage.library.library import Library

logger = logging.getLogger(__name__)


def survey(library: Library, ctx: JobContext, folder: TavernFolder) -> dict[str, TavernState]:
    """Return a state for every chat and card, by path, and every other thing, by key."""
    holdings = _Holdings(library)
    states: dict[str, TavernState] = {}
    for handle in folder.handles:
        for key, state in holdings.states(handle):
            ctx.check()
            states[key] = state
    return states


class _Holdings:
    """What the library holds, read once."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._followed = {row.path for row in library.followed.all() if row.is_followed}
        self._lines = _lines(library)
        self._avatars = {row.avatar for row in library.characters.rows()}
        stored_scripts = scripts.table(library).all()
        self._raws = {(s.scope, s.owner, s.script.raw) for s in stored_scripts}
        self._ids = {(s.scope, s.owner, id_of(s.script)) for s in stored_scripts}
        rows = library.chat_rows()
        self._players = {library.settings(row[0]).persona_text for row in rows}

    def states(self, handle: TavernHandle) -> Iterator[tuple[str, TavernState]]:
        for chat in handle.chats():
            yield chat.path, self._chat(chat)
        for character in handle.characters:
            if character.avatar:
                yield character.avatar, self._card(Path(character.avatar))
        for item in handle.items:
            if item.kind == "world":
                yield item.key, self._worldbook(Path(item.path))
            elif item.kind == "preset":
                yield item.key, self._preset(item)
        yield from self._of_settings(Path(handle.path))

    def _of_settings(self, handle: Path) -> Iterator[tuple[str, TavernState]]:
        settings = read_settings(handle)
        for script in settings.scripts:
            named = ("global", "", id_of(script))
            yield script_key(handle, script), self._script(("global", "", script.raw), named)
        for persona in settings.personas:
            is_here = bool(persona.text) and persona.text in self._players
            yield persona_key(handle, persona), "here" if is_here else "new"

    def _chat(self, chat: TavernChat) -> TavernState:
        if key_of(Path(chat.path)) in self._followed:
            return "followed"
        counts = self._lines.get(Path(chat.path).name)
        if counts is None:
            return "new"
        return "here" if chat.messages in (None, *counts) else "newer"

    def _card(self, path: Path) -> TavernState:
        if path.name not in self._avatars:
            return "new"
        try:
            same = self._library.characters.same_as(read_plain(path, card.MAX_FILE))
        except OSError:  # the listing told of it, or taking it in will
            return "new"
        return "newer" if same is None else "here"

    def _worldbook(self, path: Path) -> TavernState:
        try:
            if worldbook_of_file(self._library, path.stem) is None:
                return "new"
            content = read_plain(path, world_info.MAX_FILE)
            same = self._library.worldbooks.same_file(content, path.name)
        except OSError:  # as above
            return "new"
        return "newer" if same is None else "here"

    def _preset(self, item: TavernItem) -> TavernState:
        try:
            preset_scripts = scripts_in(Path(item.path)) if item.count else []
        except InputError:  # as above
            preset_scripts = []
        owner = Path(item.path).stem
        states = {
            self._script(("preset", owner, s.raw), ("preset", owner, id_of(s)))
            for s in preset_scripts
        }
        if states == {"here"}:
            return "here"
        return "new" if states <= {"new"} else "newer"

    def _script(self, content: tuple[str, str, str], identity: tuple[str, str, str]) -> TavernState:
        if content in self._raws:
            return "here"
        return "newer" if identity[2] and identity in self._ids else "new"


def _lines(library: Library) -> dict[str, set[int]]:
    """How many messages the lines have that were read of a file, by its name."""
    counts: dict[str, set[int]] = defaultdict(set)
    for chat_id, _name, source, _at in library.chat_rows():
        try:
            store = library.chat(chat_id)
            for branch_id, parent, _fork, _title, of in store.branches.rows():
                name = of if parent else source
                if name:
                    counts[name].add(store.messages.count(branch_id))
        except StorageError as e:  # one damaged chat must not hide the others
            logger.warning("Chat %s was not looked at: %s", chat_id, e)
    return counts
