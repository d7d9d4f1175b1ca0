"""Open the user's files: regular files only, and read up to a limit.

Reading a pipe would wait forever, a device never ends, and a link may lead to either. The opened
file is checked, not its path before.
"""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase

_T = QT_TRANSLATE_NOOP
_NOT_PLAIN = _T("reports", "it is no regular file")
BAD_NAME = _T("reports", "its name is not UTF-8; rename it")
_TOO_LARGE = _T("reports", "it is larger than {limit} MB")
# Opening a pipe waits for its other end unless O_NONBLOCK is set; Windows has neither name.
_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_PIECE = 8_000_000  # reading takes the requested memory, whatever the size of the file


def open_plain(path: Path) -> io.BufferedReader:
    """Open a regular file for reading. Raises OSError, also for any other file.

    A name that is not UTF-8 is refused too: it can be neither stored nor shown.
    """
    if not is_utf8(path):
        raise OSError(errno.EILSEQ, Phrase(BAD_NAME), str(path))
    if not stat.S_ISREG(path.stat().st_mode):  # some devices act when they are opened
        raise _not_plain(path)
    file = os.fdopen(os.open(path, _FLAGS), "rb")
    if stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        return file
    file.close()  # replaced between
    raise _not_plain(path)


def stamp_of(path: Path) -> tuple[int, int]:
    """Return size and time of change (ns), which show whether a file was written to."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def is_utf8(path: Path) -> bool:
    """Return whether a path can be stored in a database and shown."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        return False
    return True


def read_plain(path: Path, limit: int) -> bytes:
    """Read a regular file of at most ``limit`` bytes. Raises OSError, also for a larger one."""
    with open_plain(path) as file:
        size = os.fstat(file.fileno()).st_size
        pieces: list[bytes] = []
        while size <= limit and (piece := file.read(_PIECE)):
            pieces.append(piece)
            size = max(size, sum(map(len, pieces)))
        if size <= limit:
            return b"".join(pieces)
    raise OSError(errno.EFBIG, Phrase(_TOO_LARGE, limit=limit // 1_000_000), str(path))


def read_json_text(path: Path, limit: int) -> str:
    """Read UTF-8 text without a BOM. Raises OSError."""
    return read_plain(path, limit).decode("utf-8-sig", "replace").lstrip()


def _not_plain(path: Path) -> OSError:
    if path.is_dir():
        return IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    return OSError(errno.EINVAL, Phrase(_NOT_PLAIN), str(path))


# SillyTavern's file of API keys, which is never opened, whatever path leads to it.


NAME = "secrets.json"


class HoldsKeys(InputError):
    """``file`` is the file of API keys; it was not read."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds API keys. It is not opened.")
    hint = QT_TRANSLATE_NOOP("errors", "Chats, cards and world books lie in folders beside it.")


def is_secret(name: str) -> bool:
    """Return whether a file has the name of the keys' file, in any case."""
    return name.casefold() == NAME


def refuse_secrets(path: Path) -> None:
    """Raise HoldsKeys for the file of keys, also if a link has another name."""
    real = os.path.realpath(path)  # `Path.resolve` fails on a link to itself
    if is_secret(path.name) or is_secret(Path(real).name):
        raise HoldsKeys(file=path.name)
