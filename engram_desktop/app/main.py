"""The start of the window program: parse arguments; hand files to an open window or open one.

Importing what a window needs takes most of a second: a second start, which only hands its files to
the first, does not import it.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QApplication

from engram_desktop import __version__
from engram_desktop.app.single_instance import hand_over_to_window
from engram_desktop.app.zoom import with_zoom
from engram_desktop.places import APP, library_dir
from engram_desktop.widgets.window.page_stack import PAGES, START

# Input methods on Linux: the variables that let Qt type Chinese everywhere.
#
# The Qt of the Python packages brings a plugin for IBus and none for Fcitx. If the desktop asks for
# Fcitx (`QT_IM_MODULE=fcitx`, as Fcitx's own manual says), Qt finds no plugin and types Latin
# letters only. Fcitx 5 speaks IBus's protocol too: the plugin for IBus reaches it when it is listed
# after it.


_LIST = "QT_IM_MODULES"  # preferred first; Qt reads it before the older variable
_ONE = "QT_IM_MODULE"


def with_fallback(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables to set before a window is made: only if just Fcitx is asked for.

    On systems without these variables, none.
    """
    asked = [name for name in environment.get(_LIST, "").split(";") if name]
    asked = asked or [name for name in [environment.get(_ONE, "")] if name]
    if "ibus" in asked or not any(name.startswith("fcitx") for name in asked):
        return {}
    return {_LIST: ";".join([*asked, "ibus"])}


def window_parser() -> argparse.ArgumentParser:
    """Make the parser of the window's command."""
    parser = argparse.ArgumentParser(
        prog="engram-desktop", description="Long-term memory for role-play chats."
    )
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="chats to import, or a backup to restore"
    )
    parser.add_argument("--library", metavar="DIR", help="open this library")
    parser.add_argument("--language", choices=("system", "zh_CN", "ja", "en"))
    parser.add_argument("--theme", choices=("system", "light", "dark"))
    parser.add_argument("--page", choices=[spec.name for spec in PAGES], default=START)
    parser.add_argument(
        "--screenshot", metavar="FILE", help="save a picture of the window, then quit; ask nothing"
    )
    parser.add_argument(
        "--safe-mode",
        action="store_true",
        help="begin without automation, scripts and server: nothing runs by itself",
    )
    parser.add_argument("--version", action="version", version=f"Engram Desktop {__version__}")
    return parser


def read_arguments(argv: Sequence[str] | None) -> argparse.Namespace:
    return window_parser().parse_args(argv)


def run_window(arguments: argparse.Namespace) -> int:
    """Run the program with these arguments; returns its exit code."""
    library = library_dir(arguments.library)
    os.environ.update(with_fallback(os.environ))
    os.environ.update(with_zoom(os.environ, library))
    app = QApplication(sys.argv[:1])
    app.setApplicationName(APP)
    app.setQuitOnLastWindowClosed(False)
    if hand_over_to_window(library, arguments.files):
        return 0

    from engram_desktop.app.start import start  # noqa: PLC0415 - see above

    return start(app, arguments, library)
