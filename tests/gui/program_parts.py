"""Lists taken from the program: classes of widgets, by their base."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator

from PySide6.QtWidgets import QWidget

import engram_desktop.widgets


def classes_of(base: type[QWidget]) -> set[type[QWidget]]:
    """Every class of the program's own that is used as such: derived from `base`, base of none."""
    package = engram_desktop.widgets
    for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        dir(importlib.import_module(found.name))  # a module that is only named is not read yet
    return {one for one in _derived(base) if not list(_derived(one))}


def _derived(base: type[QWidget]) -> Iterator[type[QWidget]]:
    for one in base.__subclasses__():
        if one.__module__.startswith("engram_desktop."):
            yield one
        yield from _derived(one)
