"""Every setting, declared once: the dialog, the command line, the docs and the checks read this.

A field of `Settings` is a setting; its metadata holds a `Setting`. Keys are ``section.name``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from engram_desktop.domain.errors import NotFound
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import Setting, address, setting
from engram_desktop.domain.settings.serving_settings import ServingSettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class Settings(ServingSettings):
    """All values. Immutable: `replaced` gives a changed copy.

    The order of the fields, those of the bases first, is that of the dialog and of the docs.
    """

    tavern_folder: str = setting(
        "tavern.folder",
        "",
        _T("settings", "SillyTavern folder"),
        _T("settings", "Its own folder, or “data” inside of it. It is only read."),
    )
    tavern_follow: str = setting(
        "tavern.follow",
        "chosen",
        _T("settings", "Follow chats in it"),
        _T(
            "settings",
            "chosen: those you ticked, and their branches. all: every chat, new ones too."
            " off: none.",
        ),
        choices=("off", "chosen", "all"),
    )
    tavern_scan: bool = setting(
        "tavern.scan",
        True,
        _T("settings", "Scan world books as SillyTavern does"),
        _T(
            "settings",
            "Its depth, budget and other rules are taken along with the folder and when they change"
            " there. A rule you set here yourself stays.",
        ),
    )
    ui_language: str = setting(
        "ui.language", "system", _T("settings", "Language"), choices=("system", "zh_CN", "ja", "en")
    )
    ui_theme: str = setting(
        "ui.theme", "system", _T("settings", "Theme"), choices=("system", "light", "dark")
    )
    ui_density: str = setting(
        "ui.density",
        "comfortable",
        _T("settings", "Event cards"),
        choices=("comfortable", "compact"),
    )
    ui_motion: str = setting(
        "ui.motion",
        "system",
        _T("settings", "Motion"),
        _T("settings", "What opens and closes is seen to move, for a seventh of a second."),
        choices=("system", "on", "off"),
    )
    ui_event_sort: str = setting(
        "ui.event_sort",
        "story",
        _T("settings", "Order of events"),
        choices=(
            "story",
            "newest",
            "significance",
            "created",
            "updated",
            "summary",
            "status",
            "tokens",
        ),
        per_chat=True,
    )
    ui_event_reversed: bool = setting(
        "ui.event_reversed",
        False,
        _T("settings", "Order of events turned round"),
        per_chat=True,
    )
    ui_entry_sort: str = setting(
        "ui.entry_sort",
        "file",
        _T("settings", "Order of world book entries"),
        choices=("file", "title", "tokens", "depth", "order", "uid"),
    )
    ui_zoom: int = setting(
        "ui.zoom",
        100,
        _T("settings", "Zoom in percent"),
        _T("settings", "Times the scale of the screen. From the next start on."),
        low=80,
        high=200,
    )
    ui_notify: bool = setting(
        "ui.notify",
        True,
        _T("settings", "Tell when a long task ends while the window is away"),
        _T(
            "settings",
            "After more than ten seconds, by a notification of the system: the name of the task and"
            " how it ended, nothing of a chat.",
        ),
    )
    card_template: str = setting(
        "card.template",
        "",
        _T("settings", "Card template"),
        _T("settings", "How an event reads; empty is the built-in card."),
    )
    net_proxy: str = setting(
        "net.proxy",
        "system",
        _T("settings", "Proxy"),
        _T(
            "settings",
            "For everything that is asked over the network; servers on this computer are always"
            " asked directly. The system's is that of HTTPS_PROXY, ALL_PROXY or its own settings.",
        ),
        choices=("system", "none", "own"),
    )
    net_proxy_url: str = address(
        "net.proxy_url",
        _T("settings", "Address of the proxy"),
        _T("settings", "For example http://127.0.0.1:7890"),
    )
    keys_storage: str = setting(
        "keys.storage",
        "keyring",
        _T("settings", "API keys are kept in"),
        choices=("keyring", "session", "file"),
    )
    library_wait: float = setting(
        "library.wait",
        10.0,
        _T("settings", "Seconds that a program waits for another one that writes"),
        _T(
            "settings",
            "The command line, the memory server and MCP; then they say which program holds the"
            " library. 0 does not wait.",
        ),
        low=0,
        high=3600,
    )
    backup_hours: int = setting(
        "backup.hours",
        24,
        _T("settings", "Hours between automatic backups"),
        _T("settings", "Kept: all of two days, then one a day, then one a month. 0 is never."),
        low=0,
        high=720,
    )
    undo_steps: int = setting(
        "undo.steps",
        200,
        _T("settings", "Undo steps kept, for each chat and for the library"),
        low=10,
        high=5000,
    )

    def replaced(self, values: Mapping[str, object]) -> Settings:
        """Return these with ``values`` by key; unknown keys are ignored: a newer version's."""
        if not values:
            return self
        known = {
            name: DECLARED[key].parse(v)
            for key, v in values.items()
            if (name := FIELD_OF.get(key)) is not None
        }
        return Settings(**{**{f.name: getattr(self, f.name) for f in fields(self)}, **known})

    def get(self, key: str) -> Any:
        """Value of ``key``. Raises NotFound."""
        if key not in FIELD_OF:
            raise NotFound("setting", key)
        return getattr(self, FIELD_OF[key])


FIELD_OF: dict[str, str] = {f.metadata["setting"].key: f.name for f in fields(Settings)}
DECLARED: dict[str, Setting] = {
    f.metadata["setting"].key: f.metadata["setting"] for f in fields(Settings)
}


def declared(key: str) -> Setting:
    """Return the declaration of ``key``. Raises NotFound."""
    if key not in DECLARED:
        raise NotFound("setting", key)
    return DECLARED[key]
