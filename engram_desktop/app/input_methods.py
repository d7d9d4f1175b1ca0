"""Input methods on Linux: what Qt is asked to load, so that Chinese can be typed everywhere.

The Qt of the Python packages brings a plugin for IBus and none for Fcitx. Where the desktop asks
for Fcitx (`QT_IM_MODULE=fcitx`, as Fcitx's own manual says), Qt finds nothing and types Latin
letters only. Fcitx 5 speaks IBus's protocol too: the plugin for IBus reaches it when it is named
after the one asked for.
"""

from __future__ import annotations

from collections.abc import Mapping

_LIST = "QT_IM_MODULES"  # most wanted first; Qt reads it before the older variable of one name
_ONE = "QT_IM_MODULE"


def with_fallback(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables to set before a window is made: none, unless only Fcitx is asked for.

    Systems without these variables get none.
    """
    asked = [name for name in environment.get(_LIST, "").split(";") if name]
    asked = asked or [name for name in [environment.get(_ONE, "")] if name]
    if "ibus" in asked or not any(name.startswith("fcitx") for name in asked):
        return {}
    return {_LIST: ";".join([*asked, "ibus"])}
