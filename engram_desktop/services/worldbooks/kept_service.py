"""The `[Engram]` worldbook, a memory as a worldbook: seen, and kept in step in files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text.file_name import file_name
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.worldbooks import memory_worldbook, stored, worldbook_keeping

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ImportReport
    from engram_desktop.domain.worldbooks.merging import KeptReport, KeptWorldbook
    from engram_desktop.services.library.session import Session


class KeptWorldbookService:
    """A memory as a worldbook. The memory stays the truth."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def title(self, chat_id: str) -> str:
        """Return what the worldbook of a chat's memory is called."""
        return memory_worldbook.worldbook_title(
            self._session.chat(chat_id), self._session.library.chat_name(chat_id)
        )

    def memory_worldbook(self, ctx: JobContext, line: Line) -> memory_worldbook.MemoryWorldbook:
        """Make the worldbook that the memory of a branch is now. Writes nothing."""
        name = self._session.library.chat_name(line.chat_id)
        return memory_worldbook.memory_worldbook(
            ctx, self._session.chat(line.chat_id), name, line.branch_id
        )

    def suggested_file(self, chat_id: str) -> Path:
        """Return a name for a kept file: in SillyTavern's `worlds` if its folder is known."""
        name = Path(file_name(self.title(chat_id), ".json"))
        folder = self._session.library.settings().tavern_folder
        if not folder:
            return name
        try:
            handles = tavern_folder.find_handles(Path(folder))
        except tavern_folder.NoTavern:
            return name
        files = [Path(row.path) for row in self._session.library.followed.of_chat(chat_id)]
        handles_followed = [h for h in handles if any(file.is_relative_to(h) for file in files)]
        worlds = [h / "worlds" for h in (*handles_followed, *handles) if (h / "worlds").is_dir()]
        return worlds[0] / name if worlds else name

    def keep(self, ctx: JobContext, line: Line, target: Path) -> KeptReport:
        """Write a chat's memory to a new worldbook, and keep that in step with it.

        Raises InputError if the file exists.
        """
        return worldbook_keeping.keep(
            self._session.library, ctx, line.chat_id, line.branch_id, target
        )

    def all(self, chat_id: str | None = None) -> list[KeptWorldbook]:
        """Every file that is kept in step, or those of one chat."""
        return self._session.library.kept.rows(chat_id)

    def sync(
        self,
        ctx: JobContext,
        chat_id: str | None = None,
        file: Path | None = None,
        *,
        is_asked: bool = False,
    ) -> list[KeptReport]:
        """Bring kept files to what memory says now. Raises NotFound for a file that is none."""
        store = self._session.library.kept
        rows = [store.find(file)] if file else store.rows(chat_id)
        reports = []
        for row in rows:
            ctx.check()
            reports.append(
                worldbook_keeping.sync(self._session.library, ctx, row, is_asked=is_asked)
            )
        return reports

    def keep_elsewhere(self, ctx: JobContext, file: Path, target: Path) -> KeptReport:
        """Keep a new file in the place of one that is kept; the old one stays as it is.

        Raises NotFound, InputError if the new one exists.
        """
        row = self._session.library.kept.find(file)
        report = worldbook_keeping.keep(
            self._session.library, ctx, row.chat_id, row.branch_id, target
        )
        if report.worldbook.path != row.path:  # the old one may have been moved away
            ctx.write(lambda: self._session.library.kept.remove(row.path))
        return report

    def take(self, ctx: JobContext, file: Path) -> ImportReport:
        """Make what a kept file holds now a worldbook of its own; it is kept in step no more.

        Raises NotFound, InputError.
        """
        row = self._session.library.kept.find(file)
        report = stored.import_worldbook(self._session.library, ctx, Path(row.path), None)
        ctx.write(lambda: self._session.library.kept.remove(row.path))
        return report

    def stop(self, file: Path) -> KeptWorldbook:
        """Keep a file in step no more; it stays where it is. Raises NotFound."""
        row = self._session.library.kept.find(file)
        self._session.library.kept.remove(row.path)
        return row
