"""SillyTavern's file of API keys, which is never opened, whatever path leads to it."""

from __future__ import annotations

import os
from pathlib import Path

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP

NAME = "secrets.json"


class HoldsKeys(InputError):
    """``file`` is the file of API keys; nothing of it was read."""

    text = QT_TRANSLATE_NOOP("errors", "{file} holds API keys. It is not opened.")
    hint = QT_TRANSLATE_NOOP("errors", "Chats, cards and world books lie in folders beside it.")


def is_secret(name: str) -> bool:
    """Whether a file name is that of the keys, in any case."""
    return name.casefold() == NAME


def refuse_secrets(path: Path) -> None:
    """Raise HoldsKeys for the file of keys, also behind a link of another name."""
    real = os.path.realpath(path)  # `Path.resolve` fails on a link to itself
    if is_secret(path.name) or is_secret(Path(real).name):
        raise HoldsKeys(file=path.name)
