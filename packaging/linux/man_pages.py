"""Write the manual pages of both programs from their parsers.

    python packaging/linux/man_pages.py FOLDER

`engram.1` tells every command with its options, `engram-desktop.1` the window's.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from argparse_manpage.manpage import Manpage

from engram_desktop import __version__
from engram_desktop.app.main import window_parser
from engram_desktop.cli.main import build_parser, every_verb


def every_command() -> argparse.ArgumentParser:
    """Return the parser of `engram` with all its commands, as `engram --help` has it."""
    return build_parser(every_verb())


def write(parser: argparse.ArgumentParser, file: Path) -> None:
    parser.man_short_description = str(parser.description)  # type: ignore[attr-defined]
    data = {
        "project_name": "Engram Desktop",
        "prog": parser.prog,
        "version": __version__,
        "manual_title": "Engram Desktop",
        "authors": ["Engram Desktop contributors"],
    }
    file.write_text(str(Manpage(parser, _data=data)), "utf-8")


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    os.environ["COLUMNS"] = "100"  # argparse wraps its usage to the terminal
    for parser in (every_command(), window_parser()):
        write(parser, folder / f"{parser.prog}.1")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
