"""The entry point of the installed window: reports in one line what is missing to show a window.

Without a display Qt ends the process without a message of ours, and without a library of the system
Python shows a traceback.
"""

from __future__ import annotations

import ctypes
import gc
import os
import re
import socket
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from engram_desktop import late

# By library: its package in Debian and Ubuntu.
_PACKAGES = {
    "libGL.so.1": "libgl1",
    "libEGL.so.1": "libegl1",
    "libxkbcommon.so.0": "libxkbcommon0",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
}
_LIBRARY = re.compile(r"lib[\w.+-]*\.so[.\d]*")
_ANYWAY = "The command line (engram) works without a window."


def run(argv: Sequence[str] | None = None) -> int:
    """Run the window program; return its exit code."""
    # Until the window collects by itself: there is no garbage yet, and looking for it costs 7 %.
    gc.disable()
    try:
        import_qt()
    except ImportError as error:
        library = _LIBRARY.search(str(error))
        if library is None:
            raise
        return _refuse(missing_library(library[0]))
    from engram_desktop.app.main import read_arguments, run_window  # noqa: PLC0415 - imports Qt

    arguments = read_arguments(argv)  # answers --help and --version without a display
    if lack := what_is_missing(os.environ):
        return _refuse(lack)
    return run_window(arguments)


def import_qt() -> None:
    """Import Qt before anything that uses it. Raises ImportError."""
    import PySide6.QtWidgets  # noqa: F401, PLC0415 - may fail

    late.drop_import_hook()


def what_is_missing(environment: Mapping[str, str]) -> str:
    """Return what Qt lacks to open a window on this computer; empty if nothing is known."""
    platform = environment.get("QT_QPA_PLATFORM", "").partition(";")[0].partition(":")[0]
    is_other = not sys.platform.startswith("linux") or platform not in {"", "xcb", "wayland"}
    if is_other:
        return ""
    wayland = environment.get("WAYLAND_DISPLAY", "") if platform != "xcb" else ""
    place = Path(environment.get("XDG_RUNTIME_DIR", "")) / wayland
    if wayland and _connects(str(place)):
        return ""
    display = environment.get("DISPLAY", "") if platform != "wayland" else ""
    if not (display and _answers(display)):
        return _dead_display(wayland, display)
    if not getattr(sys, "frozen", False):  # a frozen program brings its own
        try:
            ctypes.CDLL("libxcb-cursor.so.0")
        except OSError:
            return missing_library("libxcb-cursor.so.0")
    return ""


def _dead_display(wayland: str, display: str) -> str:
    if display:
        return f"The display {display} (DISPLAY) does not answer"
    if wayland:
        return f"The display {wayland} (WAYLAND_DISPLAY) does not answer"
    return "There is no display to show a window on: neither DISPLAY nor WAYLAND_DISPLAY is set"


def missing_library(name: str) -> str:
    package = _PACKAGES.get(name)
    hint = f" Install it: sudo apt install {package} (Debian, Ubuntu)" if package else ""
    return f"The window needs the library {name}, which this computer does not have.{hint}"


def _answers(display: str) -> bool:
    """Return whether an X server of this computer answers; one elsewhere is left to Qt."""
    number = re.fullmatch(r"(.*):(\d+)(?:\.\d+)?", display)
    if number is None or number[1] not in ("", "unix"):
        return number is not None
    place = f"/tmp/.X11-unix/X{number[2]}"  # noqa: S108 - where X servers listen
    return _connects(place) or _connects(f"\0{place}")


def _connects(address: str) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
        try:
            asking.connect(address)
        except OSError:
            return False
    return True


def _refuse(lack: str) -> int:
    print(f"engram-desktop: {lack.rstrip('.')}. {_ANYWAY}", file=sys.stderr)  # noqa: T201
    return 1
