"""Import what was chosen in a SillyTavern folder, with everything that belongs to it.

A chat brings its character's card, a card its picture, its scripts and the worldbooks it names.
Each thing is finished before the next, so that a cancel keeps what was done, and a second run adds
nothing. The folder is never written, and its secrets are never opened.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Iterator
from dataclasses import field, replace
from functools import partial
from pathlib import Path
from typing import Any

from engram_desktop.domain.cards import CharacterRow
from engram_desktop.domain.changes import TAKE_FOLDER, Changes, StepLabel
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.reports import ImportReport
from engram_desktop.domain.tavern.folder import (
    TavernChat,
    TavernChoice,
    TavernFolder,
    TavernHandle,
    TavernPersona,
    TavernSettings,
    persona_of,
)
from engram_desktop.domain.values import dataclass
from engram_desktop.formats.json_values import parse_text, table_of
from engram_desktop.formats.tavern.folder import (
    ListingLimits,
    list_folder,
    parents_first,
    persona_key,
    script_key,
    with_metadata,
)
from engram_desktop.formats.tavern.settings import NAME, is_preset_on, read_settings
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.cards import import_card
from engram_desktop.services.characters import note_user
from engram_desktop.services.chats.import_chat import import_chat, open_source
from engram_desktop.services.chats.sync_chat import follow_file
from engram_desktop.services.library.session import OneStep
from engram_desktop.services.tavern.survey import (
    bind,
    take_preset,
    take_scripts,
    take_worldbook,
    worldbook_of_file,
)
from engram_desktop.storage.library.followed import BegunImport, key_of
from engram_desktop.storage.library.library import Library

logger = logging.getLogger(__name__)
PERSONA, PERSONA_WORLDBOOK, PERSONA_SCANNED = "persona.text", "persona.book", "persona.scanned"
OnReport = Callable[[ImportReport], object]
OnTrouble = Callable[[str, InputError], object]  # the file, and what is wrong with it


def take(
    library: Library,
    ctx: JobContext,
    folder: TavernFolder,
    choice: TavernChoice,
    on_report: OnReport,
    on_trouble: OnTrouble,
) -> Changes:
    """Import what ``choice`` names in ``folder``. Unreadable files do not stop the others."""
    changes = Changes()
    for handle in folder.handles:
        changes |= note_user(library, ctx, Path(handle.path))
    things = OneStep(library, StepLabel(TAKE_FOLDER, {"folder": Path(folder.path).name}))
    taking = [_Taking(library, handle, choice, things) for handle in folder.handles]
    units = [unit for one in taking for unit in one.units()]
    for number, (file, unit) in enumerate(units):
        ctx.report(number, len(units), "files")
        try:
            report = unit(ctx)
        except InputError as e:
            on_trouble(file, e)
        else:
            changes |= report.changes
            on_report(report)
    ctx.report(len(units), len(units), "files")
    return replace(changes, chat_id=None, undo_label=None, library=True)


def bring_along(
    library: Library, ctx: JobContext, folder: Path, paths: Collection[Path]
) -> Changes:
    """Import the cards, worldbooks and persona that belong to newly followed chats.

    Unreadable files are skipped, since the user did not choose them. Raises NoTavern.
    """
    changes = Changes()
    keys = {key_of(path) for path in paths}
    things = OneStep(library, StepLabel(TAKE_FOLDER, {"folder": folder.name}))
    for handle in list_folder(folder, ListingLimits(counted=0), ctx.check).handles:
        taking = _Taking(library, handle, TavernChoice(frozenset()), things)
        chats = [c for c in handle.chats() if key_of(Path(c.path)) in keys]
        chats = [with_metadata(chat, _metadata(library, chat)) for chat in chats]
        for file, unit in taking.belongings(chats):
            try:
                changes |= unit(ctx).changes
            except InputError as e:
                logger.warning("%s was left out: %s", file, e)
        for chat in chats:
            changes |= taking.name_player(ctx, chat)
    return replace(changes, chat_id=None, undo_label=None)


def _metadata(library: Library, chat: TavernChat) -> dict[str, Any]:
    """Return the metadata in the header of a chat's file, as last read."""
    row = library.followed.get(Path(chat.path))
    header = library.chat(row.chat_id).branches.header(row.branch_id) if row else ""
    return table_of(table_of(parse_text(header)).get("chat_metadata"))


Work = Callable[[JobContext], ImportReport]
Unit = tuple[str, Work]  # with the file it is about


@dataclass
class _Taking:
    """The import from one user's folder."""

    library: Library
    handle: TavernHandle
    choice: TavernChoice
    things: OneStep  # the undo step of what belongs to the library, not to a chat
    settings: TavernSettings = field(init=False)

    def __post_init__(self) -> None:
        self.settings = read_settings(self._folder)

    def units(self) -> Iterator[Unit]:
        """Yield one unit of work for each thing; what others depend on comes first."""
        follow = self.choice.follow
        chats = [
            c
            for c in self.handle.chats()
            if c.path in self.choice.keys and (c.messages != 0 or follow)  # the listing named these
        ]
        yield from self.belongings(chats)
        yield from self._scripts()
        by_path = {Path(c.path): c for c in chats}
        for path in parents_first(by_path):
            yield str(path), partial(self._chat, by_path[path])
        for persona in self.settings.personas:
            if persona_key(self._folder, persona) in self.choice.keys:
                yield str(self._folder / NAME), partial(self._persona, persona)

    def belongings(self, chats: list[TavernChat]) -> Iterator[Unit]:
        """Yield units for the worldbooks and cards that were chosen or belong to these chats."""
        cards = self._cards(chats)
        for path in self._worldbooks(cards, chats):
            is_global = path.stem in self.settings.global_worldbooks
            worldbook = partial(_worldbook, self.library, path, is_global=is_global)
            yield str(path), self._in_one_step(worldbook)
        for path in cards:
            yield str(path), self._in_one_step(partial(self._card, path))

    def name_player(self, ctx: JobContext, chat: TavernChat) -> Changes:
        """Store who the player is in a chat of the library."""
        chat_id = known_chat(self.library, chat)
        if chat_id is None:
            return Changes()
        return self._fill_persona(ctx, chat, chat_id, self.settings.personas)

    @property
    def _folder(self) -> Path:
        return Path(self.handle.path)

    def _in_one_step(self, work: Work) -> Work:
        return lambda ctx: work(self.things.within(ctx))

    def _scripts(self) -> Iterator[Unit]:
        chosen_scripts = [
            s for s in self.settings.scripts if script_key(self._folder, s) in self.choice.keys
        ]
        if chosen_scripts:
            file = str(self._folder / NAME)
            yield (
                file,
                self._in_one_step(
                    lambda ctx: take_scripts(self.library, ctx, chosen_scripts, file=file)
                ),
            )
        for item in self.handle.of_kind("preset"):
            if item.key in self.choice.keys:
                is_on = is_preset_on(self.settings, item.detail, item.name)
                preset = partial(_preset, self.library, Path(item.path), is_on=is_on)
                yield item.path, self._in_one_step(preset)

    def _cards(self, chats: list[TavernChat]) -> list[Path]:
        """Return the chosen cards, and those of the speakers in chosen chats."""
        owners = {c.owner for c in chats if not c.is_group}
        names = {f"{owner}.png" for owner in owners}
        for group in self.handle.groups:
            if any(c in group.chats for c in chats):
                names.update(group.members)
        return [
            Path(character.avatar)
            for character in self.handle.characters
            if character.avatar
            and (character.avatar in self.choice.keys or Path(character.avatar).name in names)
        ]

    def _worldbooks(self, cards: list[Path], chats: list[TavernChat]) -> list[Path]:
        names = {chat.book for chat in chats}
        for card in cards:
            names.update(self._worldbooks_of(card))
        return [
            Path(item.path)
            for item in self.handle.of_kind("world")
            if item.key in self.choice.keys or item.name in names
        ]

    def _worldbooks_of(self, card: Path) -> list[str]:
        """Return the names of the worldbooks a card uses, besides its own."""
        named = next((c.book for c in self.handle.characters if c.avatar == str(card)), "")
        return [*filter(None, [named]), *self.settings.extra_books.get(card.stem, ())]

    def _card(self, path: Path, ctx: JobContext) -> ImportReport:
        worldbooks = self._worldbooks_of(path)
        names_here = {item.name for item in self.handle.of_kind("world")}
        # A worldbook the card is linked to is its own one, as SillyTavern continues it.
        report = import_card(
            self.library,
            ctx,
            path,
            with_worldbook=not (worldbooks and worldbooks[0] in names_here),
            is_allowed=path.name in self.settings.allowed_cards,
        )
        row = _character(self.library, path)
        changes = report.changes
        for name in worldbooks if row else ():
            changes |= bind(self.library, ctx, name, row.id if row else "")
        return replace(report, changes=changes)

    def _chat(self, chat: TavernChat, ctx: JobContext) -> ImportReport:
        report = _chat(self.library, ctx, Path(chat.path), self.choice)
        if report.chat_id is None:
            return report
        changes = self._fill_persona(ctx, chat, report.chat_id, self.settings.personas)
        return replace(report, changes=report.changes | changes)

    def _persona(self, persona: TavernPersona, ctx: JobContext) -> ImportReport:
        """Store a persona in every imported chat of the folder that is played with it."""
        changes, count = Changes(), 0
        for chat in self.handle.chats():
            chat_id = known_chat(self.library, chat)
            if chat_id is not None:
                filled = self._fill_persona(ctx, chat, chat_id, [persona])
                count += filled.settings
                changes |= filled
        return ImportReport(
            file=str(self._folder / NAME),
            kind="persona",
            chat_id=None,
            messages=0,
            added=count,
            skipped=0,
            changes=replace(changes, chat_id=None),
            name=persona.name,
        )

    def _fill_persona(
        self, ctx: JobContext, chat: TavernChat, chat_id: str, personas: Collection[TavernPersona]
    ) -> Changes:
        """Store who the player is in a chat, and the persona's worldbook, unless the user did."""
        settings = self.library.settings(chat_id)
        owner = ("group", chat.owner) if chat.is_group else ("character", f"{chat.owner}.png")
        names = self.library.chat(chat_id).messages.user_names()
        persona = persona_of(self.settings.personas, chat.persona, owner, names)
        if settings.persona_text or persona is None or persona not in personas:
            return Changes()
        changes = Changes()
        values: dict[str, object] = {PERSONA: persona.text} if persona.text else {}
        if persona.text and persona.is_scanned:
            values[PERSONA_SCANNED] = True
        if persona.book and not settings.persona_book:
            values[PERSONA_WORLDBOOK] = persona.book
            for item in self.handle.of_kind("world"):
                if item.name == persona.book and not worldbook_of_file(self.library, item.name):
                    things = self.things.within(ctx)
                    report = take_worldbook(
                        self.library, things, Path(item.path), is_global=item.is_on
                    )
                    changes |= report.changes
        for key, value in values.items():
            ctx.write(partial(self.library.set_setting, key, value, chat_id))
        return changes | Changes(settings=bool(values))


def _worldbook(library: Library, path: Path, ctx: JobContext, *, is_global: bool) -> ImportReport:
    return take_worldbook(library, ctx, path, is_global=is_global)


def _preset(library: Library, path: Path, ctx: JobContext, *, is_on: bool) -> ImportReport:
    return take_preset(library, ctx, path, is_on=is_on)


def _character(library: Library, path: Path) -> CharacterRow | None:
    return next((row for row in library.characters.rows() if row.avatar == path.name), None)


def _chat(library: Library, ctx: JobContext, path: Path, choice: TavernChoice) -> ImportReport:
    """Import a chat; one that is followed already is synced and stays followed."""
    row = library.followed.get(path)
    on_conflict = choice.on_conflict
    if not choice.follow and (row is None or not row.is_followed):
        with library.begun.noted(BegunImport(path)):
            return import_chat(
                library, ctx, open_source(path), into=None, name=None, on_conflict=on_conflict
            )
    report = follow_file(library, ctx, path, on_conflict)
    return ImportReport(
        file=report.path,
        kind="chat",
        chat_id=report.chat_id or None,
        messages=report.messages,
        added=report.added,
        skipped=report.messages - report.added,
        warnings=report.warnings,
        changes=report.changes,
        branch_id=report.branch_id or None,
        conflict=report.conflict,
    )


def known_chat(library: Library, chat: TavernChat) -> str | None:
    """Return the id of the chat a file was imported as, by its path or else its name."""
    row = library.followed.get(Path(chat.path))
    sources = {chat_id: source for chat_id, _name, source, _at in library.chat_rows()}
    if row is not None and row.chat_id in sources:
        return row.chat_id
    file = Path(chat.path).name
    return next((chat_id for chat_id, source in sources.items() if source == file), None)
