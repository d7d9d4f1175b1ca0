"""Keep one worldbook file in step with a chat's memory, and never write over anybody's work.

A file is written only while it holds exactly what was written to it last, by SHA-256. The hash of
what is about to be written is stored first, so that after a kill in between the new content is
known as ours.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.errors import FileExists, InputError, NotFound, StorageError, Unreadable
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.worldbooks.merging import (
    KeptFault,
    KeptReport,
    KeptWorldbook,
)
from engram_desktop.formats.plain_file import BAD_NAME, is_utf8
from engram_desktop.jobs.context import JobContext
from engram_desktop.services.library.whole_file import EMPTY, hash_of, replace_file, write_new
from engram_desktop.services.worldbooks.memory_worldbook import memory_worldbook
from engram_desktop.storage.database import file_errors
from engram_desktop.storage.library.library import Library
from engram_desktop.storage.library.worldbooks import digest


def keep(
    library: Library, ctx: JobContext, chat_id: str, branch_id: str, target: Path
) -> KeptReport:
    """Write the worldbook of a chat's memory to a new file, and keep it in step from now on.

    Raises FileExists, NotFound if its folder does not exist, StorageError.
    """
    path = target.absolute()
    with file_errors(path):  # a name may be longer than names can be
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


def _bring(library: Library, ctx: JobContext, row: KeptWorldbook, *, is_asked: bool) -> KeptReport:
    name = library.chat_name(row.chat_id)
    worldbook = memory_worldbook(ctx, library.chat(row.chat_id), name, row.branch_id)
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
            write_new(path, b"")  # claims the name: two programs cannot both make it
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
    """Return `changed` if the file is not what was written last, `missing` if it is gone; else "".

    A missing file is no fault where the writing was asked for.
    """
    if file_hash is None:
        return "" if is_asked else "missing"
    ours = {row.hash, row.next_hash, new_hash}
    if not row.hash:
        ours.add(EMPTY)  # claimed, and killed before it was written
    return "" if file_hash in ours else "changed"


def _left(library: Library, ctx: JobContext, row: KeptWorldbook, fault: KeptFault) -> KeptReport:
    new_row = replace(row, fault=fault)
    if new_row != row:
        ctx.write(lambda: library.kept.put(new_row))
    return KeptReport(new_row, is_news=new_row != row)
