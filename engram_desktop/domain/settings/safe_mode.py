"""What holds while the program runs in safe mode, whatever is stored: nothing runs by itself."""

from __future__ import annotations

from typing import Any

HELD: dict[str, Any] = {
    "auto.enabled": False,
    "reflect.auto": False,
    "native.regex": False,
    "native.ejs": False,
    "tavern.follow": "off",
    "serve.on_start": False,
    "update.check": False,
}
