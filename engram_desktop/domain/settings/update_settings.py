"""Whether the program asks for a newer version of itself, and where."""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.setting import address, setting
from engram_desktop.domain.settings.endpoint_settings import EndpointSettings
from engram_desktop.domain.values import dataclass

_T = QT_TRANSLATE_NOOP


@dataclass(frozen=True)
class UpdateSettings(EndpointSettings):
    """A part of `Settings`."""

    update_check: bool = setting(
        "update.check",
        False,
        _T("settings", "Ask for newer versions"),
        _T(
            "settings",
            "Once a day, some time after the program has started. Nothing of yours is sent, and"
            " nothing is installed by itself.",
        ),
    )
    update_address: str = address(
        "update.address",
        _T("settings", "Address asked for newer versions"),
        _T("settings", "Empty: the address this copy was built with; “About” shows it."),
    )
