"""Files of other tools that hold memories: told apart by what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.errors import InputError, Unreadable
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.tavern.adopted import Adopted
from engram_desktop.formats.adopt import engram_sync, memorybooks, risu
from engram_desktop.formats.lenient_json import read_value
from engram_desktop.formats.plain_file import read_json_text
from engram_desktop.formats.secrets_file import refuse_secrets

MAX_SIZE = 64_000_000  # bytes: bounds the memory of reading one file whole; not measured


class NoMemories(InputError):
    """``file`` holds nothing that can be taken over."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds no memories of a known tool.")
    hint = QT_TRANSLATE_NOOP(
        "errors",
        "Engram sync files, chats exported from Risu and world books of MemoryBooks can be taken"
        " over.",
    )


def read_file(path: Path) -> list[Adopted]:
    """Return the memories in a file. Raises NoMemories, HoldsKeys, InputError."""
    refuse_secrets(path)
    try:
        if path.stat().st_size > MAX_SIZE:
            raise NoMemories(file=path.name)
        value, _end = read_value(read_json_text(path, MAX_SIZE))
    except OSError as e:
        raise Unreadable(e.strerror or str(e), path=path) from e
    except (ValueError, RecursionError):
        raise NoMemories(file=path.name) from None
    memories = list(_memories(value)) if isinstance(value, dict) else []
    if not memories:
        raise NoMemories(file=path.name)
    return [one if one.is_rolling else _from_file(one, path.name) for one in memories]


def _from_file(one: Adopted, file: str) -> Adopted:
    """Say which file a memory stood in. What rolls on is the same in the next file."""
    return replace(one, place=" · ".join(filter(None, (file, one.place))))


def _memories(value: dict[str, Any]) -> Iterator[Adopted]:
    if engram_sync.is_sync(value):
        return engram_sync.of_sync(value)
    return risu.of_file(value) if risu.is_risu(value) else memorybooks.of_worldbook(value)
