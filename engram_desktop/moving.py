"""Move, replace and delete files that another program may have open.

On Windows a file that somebody has open can be neither renamed nor deleted: a virus scanner, the
search index and cloud folders hold each new file for a moment. There it is tried again for a
while. Elsewhere a refusal is final, and nothing waits.

A folder is moved as a whole or not at all: what cannot be renamed is never copied piece by piece
and then half deleted, as `shutil.move` would.
"""

from __future__ import annotations

import errno
import os
import re
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")
# Seconds between the attempts, 3.1 in all. Scanners are done within tens of milliseconds; what
# holds a file longer is a program that works with it.
WAITS_S = (0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.5)
# ACCESS_DENIED (also: its deletion waits for somebody), SHARING_VIOLATION, LOCK_VIOLATION,
# DIR_NOT_EMPTY (what was in it waits for somebody).
_HELD = {5, 32, 33, 145}


def is_held(error: OSError) -> bool:
    """Whether Windows says that somebody else has the file open."""
    return getattr(error, "winerror", None) in _HELD


def patiently(do: Callable[[], T], *, wait: Callable[[float], object] | None = None) -> T:
    """Do something, again while somebody else has its file open. Raises what it raises."""
    pause = wait or threading.Event().wait
    for seconds in WAITS_S:
        try:
            return do()
        except OSError as error:
            if not is_held(error):
                raise
        pause(seconds)
    return do()


def replace(source: Path, target: Path) -> None:
    """Put ``source`` in the place of the file ``target``, at once. Raises OSError."""
    patiently(lambda: source.replace(target))


def write_private(text: str, temporary: Path, target: Path) -> None:
    """Put a text in the place of a file at once, to be read by its owner only. Raises OSError."""

    def opened(path: str, flags: int) -> int:
        return os.open(path, flags, 0o600)

    with open(temporary, "w", encoding="utf-8", errors="replace", opener=opened) as file:
        file.write(text)
    replace(temporary, target)


def move(source: Path, target: Path) -> None:
    """Move a file or a folder to ``target``, which must not be there. Raises OSError."""
    if target.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(target))
    try:
        patiently(lambda: source.rename(target))
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        shutil.move(source, target)  # a part of a library may lie on another disk


def delete(file: Path) -> None:
    """Delete a file, if it is there. Raises OSError."""
    patiently(lambda: file.unlink(missing_ok=True))


def delete_folder(folder: Path) -> None:
    """Delete a folder with all that is in it. Raises OSError; then some of it may be gone."""
    patiently(lambda: shutil.rmtree(folder))


def try_to_delete_folder(folder: Path) -> bool:
    """As `delete_folder`; whether it is gone."""
    try:
        delete_folder(folder)
    except OSError:
        return not folder.exists()
    return True


# Names of files made of names of a story: ones that every system takes, Windows too.
#
# A world book may be called “12:00 / 午夜”, a character “Con.”; Windows stores neither.


_FORBIDDEN = re.compile(r'[<>:"/\\|?*\x00-\x1f\x7f]')
_DEVICE = re.compile(r"(?i)(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\..*)?")
# Bytes of UTF-8: Linux takes 255 of them, and there is an ending and perhaps a number to come.
MAX_BYTES = 200


def file_name(title: str, ending: str) -> str:
    """Return a name for a file about ``title``; ``ending`` begins with a dot."""
    # Half a character, as a broken card may hold, is no name either.
    text = _FORBIDDEN.sub("_", title).encode(errors="ignore")[:MAX_BYTES].decode(errors="ignore")
    text = text.strip(" .")
    if _DEVICE.fullmatch(text) or not text:
        text = f"_{text}"
    return f"{text}{ending}"
