"""Files of other tools that hold memories: told apart by what is in them."""

from __future__ import annotations

from pathlib import Path

from engram_desktop.domain.adopted import Adopted
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.formats.adopt import engram_sync, memorybooks
from engram_desktop.formats.chat_row import loads

MAX_SIZE = 64_000_000


class NoMemories(InputError):
    """``file`` holds nothing that can be taken over."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no memories of a known tool.")
    hint = QT_TRANSLATE_NOOP(
        "errors", "Engram sync files and world books of MemoryBooks can be taken over."
    )


def read_file(path: Path) -> list[Adopted]:
    """Return the memories in a file. Raises NoMemories, InputError."""
    try:
        if path.stat().st_size > MAX_SIZE:
            raise NoMemories(file=path.name)
        value, _end = loads(path.read_text("utf-8-sig", "replace").lstrip())
    except OSError as e:
        raise InputError(f"{path} cannot be read: {e.strerror or e}.") from e
    except (ValueError, RecursionError):
        raise NoMemories(file=path.name) from None
    if not isinstance(value, dict):
        raise NoMemories(file=path.name)
    read = engram_sync.of_sync if engram_sync.is_sync(value) else memorybooks.of_book
    found = list(read(value))
    if not found:
        raise NoMemories(file=path.name)
    return found
