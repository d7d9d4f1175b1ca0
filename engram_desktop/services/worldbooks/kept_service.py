"""The `[Engram]` worldbook of a chat's memory: shown, and kept in step with files.

A file is written only while its SHA-256 is that of the last writing, so that nobody's edits are
lost. The hash of the next content is stored before the writing, so that after a kill in between the
file is recognised as ours.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engram_desktop.domain.errors import FileExists, InputError, NotFound, StorageError, Unreadable
from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.worldbooks.merging import KeptFault, KeptReport, KeptWorldbook
from engram_desktop.formats.plain_file import BAD_NAME, is_utf8
from engram_desktop.formats.tavern import folder as tavern_folder
from engram_desktop.jobs.context import JobContext
from engram_desktop.moving import file_name
from engram_desktop.services.library.whole_file import EMPTY, hash_of, replace_file, write_new
from engram_desktop.services.worldbooks import memory_worldbook, stored
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.followed import plain_path
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import digest

if TYPE_CHECKING:
    from engram_desktop.domain.reports import ImportReport
    from engram_desktop.services.library.session import Session


def keep(
    library: Library, ctx: JobContext, chat_id: str, branch_id: str, target: Path
) -> KeptReport:
    """Write the worldbook of a chat's memory to a new file, and keep it in step from now on.

    Raises FileExists, NotFound if its folder does not exist, StorageError.
    """
    path = plain_path(target)
    with file_errors(path):  # the name may be too long
        if path.exists():
            raise FileExists(path=path)
    if not path.parent.is_dir():
        raise NotFound("folder", path.parent)
    if not is_utf8(path):
        raise Unreadable(Phrase(BAD_NAME), path=path)
    row = KeptWorldbook(str(path), chat_id, branch_id)
    try:
        with file_errors(path):
            return _bring(library, ctx, row, is_asked=True)
    except StorageError:
        ctx.write(lambda: library.kept.remove(row.path))
        raise


def sync(library: Library, ctx: JobContext, row: KeptWorldbook, *, is_asked: bool) -> KeptReport:
    """Write a kept file from the memory, or return why it is left as it is.

    A missing file is written again only if ``is_asked``. Raises Cancelled.
    """
    try:
        with file_errors(Path(row.path)):
            return _bring(library, ctx, row, is_asked=is_asked)
    except NotFound:
        return _left(library, ctx, row, "lost")
    except (StorageError, InputError):
        return _left(library, ctx, row, "unwritable")


def _bring(library: Library, ctx: JobContext, row: KeptWorldbook, *, is_asked: bool) -> KeptReport:
    name = library.chat_name(row.chat_id)
    worldbook = memory_worldbook.memory_worldbook(
        ctx, library.chat(row.chat_id), name, row.branch_id
    )
    content = worldbook.kept_content(ctx)
    ctx.check()
    path, new_hash = Path(row.path), digest(content)
    file_hash = hash_of(path)
    fault = _fault(row, file_hash, new_hash, is_asked=is_asked)
    if fault:
        return _left(library, ctx, row, fault)
    if file_hash != new_hash:
        intent = replace(row, hash=file_hash or "", next_hash=new_hash)
        ctx.write(lambda: library.kept.put(intent))
        if file_hash is None:
            write_new(path, b"")  # claim the name: two programs cannot both make it
        replace_file(path, content)
    is_old = file_hash == new_hash and row.written_at
    written_at = row.written_at if is_old else library.clock()
    new_row = KeptWorldbook(
        row.path, row.chat_id, row.branch_id, new_hash, "", len(worldbook.rows), written_at
    )
    if new_row != row:
        ctx.write(lambda: library.kept.put(new_row))
    return KeptReport(new_row, is_written=file_hash != new_hash, is_news=bool(row.fault))


def _fault(
    row: KeptWorldbook, file_hash: str | None, new_hash: str, *, is_asked: bool
) -> KeptFault:
    """Return "changed" if a file is not what was written last, "missing" if it is gone, else "".

    With ``is_asked`` a missing file is no fault.
    """
    if file_hash is None:
        return "" if is_asked else "missing"
    ours = {row.hash, row.next_hash, new_hash}
    if not row.hash:
        ours.add(EMPTY)  # claimed by us, and killed before it was written
    return "" if file_hash in ours else "changed"


def _left(library: Library, ctx: JobContext, row: KeptWorldbook, fault: KeptFault) -> KeptReport:
    new_row = replace(row, fault=fault)
    if new_row != row:
        ctx.write(lambda: library.kept.put(new_row))
    return KeptReport(new_row, is_news=new_row != row)


class KeptWorldbookService:
    """Worldbooks of memories. The memory is the truth, the file a copy."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def title(self, chat_id: str) -> str:
        """Return the title of the worldbook of a chat's memory."""
        return memory_worldbook.worldbook_title(
            self._session.chat(chat_id), self._session.library.chat_name(chat_id)
        )

    def memory_worldbook(self, ctx: JobContext, line: Line) -> memory_worldbook.MemoryWorldbook:
        """Return the worldbook of a branch's present memory. Writes nothing."""
        name = self._session.library.chat_name(line.chat_id)
        return memory_worldbook.memory_worldbook(
            ctx, self._session.chat(line.chat_id), name, line.branch_id
        )

    def suggested_file(self, chat_id: str) -> Path:
        """Return a file name for a kept worldbook, in SillyTavern's `worlds` if that is known."""
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
        """Write a chat's memory to a new worldbook, and keep it in step.

        Raises InputError if the file exists.
        """
        return keep(self._session.library, ctx, line.chat_id, line.branch_id, target)

    def all(self, chat_id: str | None = None) -> list[KeptWorldbook]:
        """Return every file that is kept in step, or those of one chat."""
        return self._session.library.kept.rows(chat_id)

    def find(self, file: Path) -> KeptWorldbook:
        """Return the row of one kept file. Raises NotFound."""
        return self._session.library.kept.find(file)

    def sync(
        self,
        ctx: JobContext,
        chat_id: str | None = None,
        file: Path | None = None,
        *,
        is_asked: bool = False,
    ) -> list[KeptReport]:
        """Write kept files from the present memory. Raises NotFound for a file that is not kept."""
        store = self._session.library.kept
        rows = [store.find(file)] if file else store.rows(chat_id)
        reports = []
        for row in rows:
            ctx.check()
            reports.append(sync(self._session.library, ctx, row, is_asked=is_asked))
        return reports

    def keep_elsewhere(self, ctx: JobContext, file: Path, target: Path) -> KeptReport:
        """Keep a new file instead of a kept one; the old file stays as it is.

        Raises NotFound, InputError if the new one exists.
        """
        row = self._session.library.kept.find(file)
        report = keep(self._session.library, ctx, row.chat_id, row.branch_id, target)
        if report.worldbook.path != row.path:  # equal if the old file was moved away
            ctx.write(lambda: self._session.library.kept.remove(row.path))
        return report

    def take(self, ctx: JobContext, file: Path) -> ImportReport:
        """Import a kept file as a worldbook of its own, and stop keeping it in step.

        Raises NotFound, InputError.
        """
        row = self._session.library.kept.find(file)
        report = stored.import_worldbook(self._session.library, ctx, Path(row.path), None)
        ctx.write(lambda: self._session.library.kept.remove(row.path))
        return report

    def stop(self, file: Path) -> KeptWorldbook:
        """Stop keeping a file in step; the file stays. Raises NotFound."""
        row = self._session.library.kept.find(file)
        self._session.library.kept.remove(row.path)
        return row
