"""Keep what the settings of SillyTavern's users say of tags, variables and scans of worldbooks.

Read when a folder is taken in or followed, and again when the file is another. Settings that
cannot be read change nothing; a folder that is gone is remembered.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import BadSetting
from engram_desktop.domain.settings.settings import DECLARED
from engram_desktop.domain.tavern.user import TavernUser
from engram_desktop.formats.tavern.folder import find_handles
from engram_desktop.formats.tavern.settings import read_settings, settings_stamp
from engram_desktop.jobs.context import JobContext
from engram_desktop.storage.library.followed import key_of
from engram_desktop.storage.library.library import Library

logger = logging.getLogger(__name__)


def note_users(library: Library, ctx: JobContext, folder: Path) -> Changes:
    """Note what the settings of all users of a folder say. Raises NoTavern."""
    changes = Changes()
    for handle in find_handles(folder):
        changes |= note_user(library, ctx, handle)
    return changes


def note_user(library: Library, ctx: JobContext, handle: Path) -> Changes:
    """Note what the settings of one user say now, if they changed."""
    user = library.tavern_users.get(handle) or TavernUser(key_of(handle))
    stamp = settings_stamp(handle)
    if stamp is None or stamp == user.stamp:
        return Changes()
    settings = read_settings(handle)
    if settings.faults:
        logger.warning("The settings of %s were left out: %s", handle, settings.faults[0])
        ctx.write(lambda: library.tavern_users.put(replace(user, stamp=stamp)))
        return Changes()
    now = TavernUser(
        user.folder,
        settings.tags,
        settings.tagged,
        settings.variables,
        settings.scan,
        settings.lore,
        stamp,
    )
    scan = _new_rules(library, user.scan, now.scan) if library.settings().tavern_scan else {}

    def unit() -> None:
        library.tavern_users.put(now)
        for key, value in scan.items():
            library.set_setting(key, value)

    ctx.write(unit)
    return Changes(worldbooks=replace(user, stamp=stamp) != now, settings=bool(scan))


def _new_rules(
    library: Library, before: Mapping[str, Any], now: Mapping[str, Any]
) -> dict[str, Any]:
    """What scans of worldbooks do otherwise now; what the user set here himself stays."""
    chosen_here = library.chosen_settings()
    new: dict[str, Any] = {}
    for key, text in now.items():
        try:
            value = DECLARED[key].parse(text)
        except BadSetting:  # SillyTavern allows more than means anything here
            continue
        value_here = chosen_here.get(key, DECLARED[key].default)
        is_ours = key not in chosen_here or value_here == before.get(key)
        if is_ours and value_here != value:
            new[key] = value
    return new


def user_of(library: Library, chat_id: str) -> TavernUser:
    """Whose chat it is: the user in whose folder its file lies, else the latest one known."""
    users = library.tavern_users.all()
    files = [Path(row.path) for row in library.followed.of_chat(chat_id)]
    for user in users:
        if any(file.is_relative_to(user.folder) for file in files):
            return user
    return users[0] if users else TavernUser("")


def tag_names(library: Library, chat_id: str | None = None) -> dict[str, str]:
    """Names of all tags by id, those of the chat's own user first."""
    mine = user_of(library, chat_id) if chat_id else TavernUser("")
    names = dict(mine.tags)
    for user in library.tavern_users.all():
        names = {**names, **{tag: n for tag, n in user.tags.items() if tag not in names}}
    return names
