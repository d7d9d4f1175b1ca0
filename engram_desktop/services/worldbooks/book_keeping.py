"""Keep one world book file in step with a chat's memory, and never write over anybody's work.

A file is written only while it holds exactly what was written to it last. What is about to be
written is noted first, so that a kill between the writing and the noting is no stranger's change.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.errors import FileExists, InputError, NotFound, StorageError, Unreadable
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.worldbooks.kept_book import KeptBook, KeptFault, KeptReport
from engram_desktop.formats.plain_file import BAD_NAME, is_utf8
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.library.whole_file import EMPTY, hash_of, replace_file, write_new
from engram_desktop.services.worldbooks.memory_book import memory_book
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import digest


def keep(
    library: Library, ctx: JobContext, chat_id: str, branch_id: str, target: Path
) -> KeptReport:
    """Write the book of a chat's memory to a new file, and keep it in step from now on.

    Raises FileExists, NotFound if its folder does not.
    """
    path = target.absolute()
    if path.exists():
        raise FileExists(path=path)
    if not path.parent.is_dir():
        raise NotFound("folder", path.parent)
    if not is_utf8(path):
        raise Unreadable(Phrase(BAD_NAME), path=path)
    row = KeptBook(str(path), chat_id, branch_id)
    try:
        with file_errors(path):
            return _bring(library, ctx, row, is_asked=True)
    except StorageError:
        ctx.write(lambda: library.kept.remove(row.path))
        raise


def sync(library: Library, ctx: JobContext, row: KeptBook, *, is_asked: bool) -> KeptReport:
    """Bring one file to what the memory says now, or say why it is left as it is.

    ``is_asked`` writes a file anew that is not there. Raises Cancelled.
    """
    try:
        with file_errors(Path(row.path)):
            return _bring(library, ctx, row, is_asked=is_asked)
    except NotFound:
        return _left(library, ctx, row, "lost")
    except (StorageError, InputError):
        return _left(library, ctx, row, "unwritable")


def _bring(library: Library, ctx: JobContext, row: KeptBook, *, is_asked: bool) -> KeptReport:
    name = library.chat_name(row.chat_id)
    made = memory_book(ctx, library.chat(row.chat_id), name, row.branch_id)
    content = made.content(ctx)
    ctx.check()
    path, wanted = Path(row.path), digest(content)
    held = hash_of(path)
    fault = _fault(row, held, wanted, is_asked=is_asked)
    if fault:
        return _left(library, ctx, row, fault)
    if held != wanted:
        intent = replace(row, hash=held or "", next_hash=wanted)
        ctx.write(lambda: library.kept.put(intent))
        if held is None:
            write_new(path, b"")  # claims the name: two programs cannot both make it
        replace_file(path, content)
    is_old = held == wanted and row.written_at
    written_at = row.written_at if is_old else library.clock()
    done = KeptBook(row.path, row.chat_id, row.branch_id, wanted, "", len(made.rows), written_at)
    if done != row:
        ctx.write(lambda: library.kept.put(done))
    return KeptReport(done, is_written=held != wanted, is_news=bool(row.fault))


def _fault(row: KeptBook, held: str | None, wanted: str, *, is_asked: bool) -> KeptFault:
    """Say whether the file is somebody else's now."""
    if held is None:
        return "" if is_asked else "missing"
    ours = {row.hash, row.next_hash, wanted}
    if not row.hash:
        ours.add(EMPTY)  # claimed, and killed before it was written
    return "" if held in ours else "changed"


def _left(library: Library, ctx: JobContext, row: KeptBook, fault: KeptFault) -> KeptReport:
    told = replace(row, fault=fault)
    if told != row:
        ctx.write(lambda: library.kept.put(told))
    return KeptReport(told, is_news=told != row)
