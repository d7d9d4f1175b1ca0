"""Notice when something in a folder may have changed. Opens no file.

The system's own notices wake it within a fraction of a second. Network drives send none, and some
systems run out of them; so a tick comes in any case, and whoever listens looks for himself then.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from pathlib import Path

import watchfiles

from engram_desktop.formats.tavern.folder import CHAT_FOLDERS, find_handles, stamps

logger = logging.getLogger(__name__)

TICK_MS = 500  # how long stopping waits at most
TICKS_PER_LOOK = 4  # without any notice, a folder is looked at every two seconds
_STEP_MS = 50  # of quiet that ends a burst of notices: SillyTavern writes a file at one go
_DEBOUNCE_MS = 400  # after which a burst without quiet is told all the same


def notices(folder: Path, stop: threading.Event) -> Iterator[bool]:
    """Yield True when the system says that a chat may have changed, and False every tick.

    Ends when ``stop`` is set. Raises NoTavern.
    """
    places = [h / name for h in find_handles(folder) for name in CHAT_FOLDERS]
    try:
        batches = watchfiles.watch(
            *(place for place in places if place.is_dir()),
            watch_filter=lambda _change, path: path.lower().endswith(".jsonl"),
            debounce=_DEBOUNCE_MS,
            step=_STEP_MS,
            rust_timeout=TICK_MS,
            yield_on_timeout=True,
            stop_event=stop,
            raise_interrupt=False,
            ignore_permission_denied=True,
        )
        for changes in batches:
            yield bool(changes)
    except OSError as e:
        logger.warning("%s sends no notices (%s); it is looked at every two seconds", folder, e)
    while not stop.wait(TICK_MS / 1000):
        yield False


def changes_in(folder: Path, stop: threading.Event) -> Iterator[None]:
    """Yield at once, and then whenever a chat file or a user's settings changed.

    Ends when ``stop`` is set. Raises NoTavern.
    """
    before = stamps(folder)
    yield
    ticks = 0
    for is_noticed in notices(folder, stop):
        ticks += 1
        if is_noticed or ticks >= TICKS_PER_LOOK:
            ticks = 0
            now = stamps(folder)
            if now != before:
                before = now
                yield
