"""Memories that other tools left: found, taken over, and renewed when their source changes."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.reports import FileWarning, ImportPreview, ImportReport
from engram_desktop.domain.tavern.adopted import (
    Adopted,
    AdoptPlan,
    AdoptReport,
    OnOlder,
    by_tool,
)
from engram_desktop.formats.adopt import files as memory_files
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.adopt import adopt
from engram_desktop.services.events.renderer import renderer_of

if TYPE_CHECKING:
    from engram_desktop.domain.changes import Changes
    from engram_desktop.domain.tavern.folder import SyncReport
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.state.state_service import StateService
    from engram_desktop.services.worldbooks.worldbook_service import WorldbookService

KIND = "memories"
_HOLDS = QT_TRANSLATE_NOOP(
    "reports",
    "It also holds {count} memories of another tool. They can be taken over into the chat.",
)
_OLDER = QT_TRANSLATE_NOOP(
    "reports", "{count} memories were left out: what is here from the same place is newer."
)


class ChatNotNamed(InputError):
    """``file`` holds memories, and nobody said whose."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds memories of a chat, and no chat.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Say which chat they are of: “Take over memories…”, or --into CHAT."
    )


class AdoptService:
    """The memories of other tools. What they left is never written."""

    def __init__(self, session: Session, worldbooks: WorldbookService, state: StateService) -> None:
        self._session = session
        self._worldbooks = worldbooks
        self._state = state

    def find(self, ctx: JobContext, line: Line, files: Sequence[Path] = ()) -> list[Adopted]:
        """Return what other tools left in a chat and around it, and in ``files``.

        Around it are its worldbooks, and files of its SillyTavern folder. Raises InputError.
        """
        store = self._session.chat(line.chat_id)
        memories = adopt.find_memories(
            store, ctx, line.branch_id, files, lambda: self._state.initial(line.chat_id)
        )
        chats = adopt.sources_of(self._session.library, store, line.branch_id)
        for row in self._worldbooks.of_chat(Line.main(line.chat_id)):
            memories += adopt.in_worldbook(self._worldbooks.content(row.id), row.name, chats)
        folder = self._session.settings().tavern_folder
        return [*memories, *(adopt.in_folder(Path(folder), chats) if folder else ())]

    def plan(self, line: Line, memories: Sequence[Adopted]) -> AdoptPlan:
        """Say what taking these memories over would do."""
        return adopt.plan(self._session.chat(line.chat_id), line.branch_id, memories)

    def take_over(
        self,
        ctx: JobContext,
        line: Line,
        memories: Sequence[Adopted],
        on_older: OnOlder = "skip",
    ) -> AdoptReport:
        """Make events of what other tools left; a second run adds nothing.

        Memories of a file that tell less far than what is here from the same place are left out,
        unless ``on_older`` says that they take its place.
        """
        store = self._session.chat(line.chat_id)
        renderer = renderer_of(self._session, store)
        return adopt.adopt(store, ctx, line.branch_id, memories, renderer, on_older)

    def renew(self, ctx: JobContext, reports: Collection[SyncReport]) -> list[Changes]:
        """Take over again, in chats that were just synced, what was taken over there before.

        One undoable step a chat; what the user deleted, locked or made his own stays as it is.
        """
        changes = []
        for report in reports:
            if report.chat_id and (report.happened or report.is_noted):
                store = self._session.chat(report.chat_id)
                renderer = renderer_of(self._session, store)
                adopted = adopt.renew(store, ctx, report.branch_id, report.read_from, renderer)
                changes += [adopted.changes] if adopted.changes.events else []
        return changes

    def preview_file(self, path: Path) -> ImportPreview:
        """Say what memories a file holds. Raises InputError."""
        memories = memory_files.read_file(path)
        return ImportPreview(
            file=str(path),
            kind=KIND,
            name=path.stem,
            characters=tuple(by_tool(memories)),
            messages=0,
            hidden=0,
            swipes=0,
            first_at=None,
            last_at=None,
            sample=tuple((memory.tool, memory.text[:200]) for memory in memories[:3]),
            chat_id=None,
            chat_name=None,
            new_messages=0,
            entries=len(memories),
        )

    def holds_memories(self, path: Path) -> bool:
        """Whether a worldbook holds memories of MemoryBooks. Raises InputError."""
        try:
            return bool(memory_files.read_file(path))
        except memory_files.NoMemories:
            return False

    def import_file(self, ctx: JobContext, path: Path, chat_id: str | None) -> ImportReport:
        """Take the memories of a file over into a chat. Raises ChatNotNamed if none is named."""
        memories = adopt.read_handed(path)
        if chat_id is None:
            raise ChatNotNamed(file=path.name)
        adopted = self.take_over(ctx, Line.main(chat_id), memories)
        return ImportReport(
            file=str(path),
            kind=KIND,
            chat_id=chat_id,
            messages=0,
            added=adopted.added,
            skipped=adopted.skipped + adopted.older,
            warnings=_older_note(adopted),
            changes=adopted.changes,
        )

    def with_memories(
        self, ctx: JobContext, path: Path, report: ImportReport, chat_id: str | None
    ) -> ImportReport:
        """Say of a chat that it brings memories; take them over if the user named their chat."""
        try:
            memories = adopt.read_handed(path)
        except memory_files.NoMemories:
            return report
        if chat_id is None or report.chat_id is None or report.also:
            note = FileWarning(0, Phrase(_HOLDS, count=len(memories)))
            return replace(report, warnings=(*report.warnings, note), offered=len(memories))
        adopted = self.take_over(ctx, Line.main(report.chat_id), memories)
        return replace(
            report,
            memories=adopted.added,
            warnings=(*report.warnings, *_older_note(adopted)),
            changes=report.changes | adopted.changes,
        )


def _older_note(report: AdoptReport) -> tuple[FileWarning, ...]:
    if not report.older:
        return ()
    return (FileWarning(0, Phrase(_OLDER, count=report.older)),)
