"""Import any file: a chat, worldbook, card, regex scripts, or memories of other tools."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.services.chats import import_chat
from engram_desktop.services.chats.stopped_imports import stopped_imports
from engram_desktop.storage.library.followed import BegunImport

if TYPE_CHECKING:
    from engram_desktop.domain.reports import (
        Clash,
        ImportPreview,
        ImportReport,
        OnConflict,
        StoppedImport,
    )
    from engram_desktop.formats.plain_file import FileKind
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.adopt import AdoptService
    from engram_desktop.services.cards import CharacterService
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.prompt_service import ScriptService
    from engram_desktop.services.worldbooks.worldbook_service import WorldbookService


WORLDBOOK_FILES: frozenset[FileKind] = frozenset({"world_info"})
CARD_FILES: frozenset[FileKind] = frozenset({"card_png", "card_json", "charx"})


class ImportService:
    """Imports. The kind of a file is recognised by its content; the file is never written."""

    def __init__(
        self,
        session: Session,
        worldbooks: WorldbookService,
        characters: CharacterService,
        scripts: ScriptService,
        adopt: AdoptService,
    ) -> None:
        self._session = session
        self._worldbooks = worldbooks
        self._characters = characters
        self._scripts = scripts
        self._adopt = adopt

    def preview(
        self,
        ctx: JobContext,
        path: Path,
        *,
        into: str | None = None,
        name: str | None = None,
        exact: bool = False,
        on_conflict: OnConflict | None = None,
    ) -> ImportPreview:
        """Return what importing ``path`` would do, and change nothing. Raises InputError."""
        ctx.check()
        source = import_chat.open_source(path)
        match import_chat.kind_of(source):
            case kind if kind in WORLDBOOK_FILES:
                return self._worldbooks.preview_file(path)
            case kind if kind in CARD_FILES:
                return self._characters.preview_file(path)
            case "regex_script":
                return self._scripts.preview_file(path)
            case "memories":
                return self._adopt.preview_file(path)
        return import_chat.preview(
            self._session.library,
            source,
            into,
            name=name,
            exact=exact,
            on_conflict=_choice(on_conflict, exact=exact),
        )

    def import_file(
        self,
        ctx: JobContext,
        path: Path,
        *,
        into: str | None = None,
        name: str | None = None,
        exact: bool = False,
        on_conflict: OnConflict | None = None,
        on_clash: Clash | None = None,
    ) -> ImportReport:
        """Import ``path``: into the chat ``into``, as a new chat ``name``, or where it belongs.

        ``on_conflict`` says what happens to floors that a copy of a chat changes or lacks; None
        keeps both. A file that only ends earlier than the chat removes nothing, except with
        ``exact``, which alone means replace. ``on_clash`` says what happens if the name is taken;
        None: a worldbook is kept beside the other, a card replaces an older one of the same file.

        A cancelled or killed import is listed by `stopped` until the file is imported completely.
        Raises InputError.
        """
        begun = BegunImport(path, into, name)
        with self._session.library.begun.noted(begun):
            return self._take_in(
                ctx, begun, exact=exact, on_conflict=on_conflict, on_clash=on_clash
            )

    def stopped(self, ctx: JobContext) -> list[StoppedImport]:
        """Return the imports that were stopped, with how much of each file was imported."""
        ctx.check()
        return stopped_imports(self._session.library)

    def dismiss(self, path: Path) -> None:
        """Keep what a stopped import brought in, and no longer list it."""
        self._session.library.begun.forget(path)

    def _take_in(
        self,
        ctx: JobContext,
        begun: BegunImport,
        *,
        exact: bool,
        on_conflict: OnConflict | None,
        on_clash: Clash | None,
    ) -> ImportReport:
        path, into, name = begun.file, begun.into, begun.name
        source = import_chat.open_source(path)
        kind = import_chat.kind_of(source)
        chat_id = None if into is None else self._session.library.find_chat(into)
        is_worldbook = kind in WORLDBOOK_FILES
        if kind == "memories" or (chat_id and is_worldbook and self._adopt.holds_memories(path)):
            return self._adopt.import_file(ctx, path, chat_id)
        match kind:
            case kind if kind in WORLDBOOK_FILES:
                return self._worldbooks.import_file(ctx, path, name, on_clash or "both")
            case kind if kind in CARD_FILES:
                return self._characters.import_file(ctx, path, on_clash or "replace")
            case "regex_script":
                return self._scripts.import_file(ctx, path)
        report = import_chat.import_chat(
            self._session.library,
            ctx,
            source,
            into=into,
            name=name,
            exact=exact,
            on_conflict=_choice(on_conflict, exact=exact),
        )
        if kind != "chat_json":
            return report
        return self._adopt.with_memories(ctx, path, report, chat_id)


def _choice(on_conflict: OnConflict | None, *, exact: bool) -> OnConflict:
    return on_conflict or ("replace" if exact else "branch")
