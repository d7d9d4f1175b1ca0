"""Modules of ours that are only named are read when something of them is first used.

``from engram_desktop.services.pipeline import consolidation`` names a module: nothing of it is read
until ``archive.plan`` is asked for. ``from engram_desktop.domain.memory.line import MAIN_BRANCH``
uses one, and reads it at once. So a start reads what it runs, a fifth of the program; a reader, a
type checker and import-linter still see every import at the head of its file.

The standard library has this (``importlib.util.LazyLoader``), but before 3.11.9 a second thread
gets a module that is half read, and our lanes are threads.
"""

from __future__ import annotations

import builtins
import os
import sys
import threading
from importlib.machinery import ModuleSpec, SourceFileLoader
from os.path import isfile
from types import ModuleType

TYPE_CHECKING = False  # as in typing, which takes 4 ms to read; importlib.abc takes 27
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from typing import Any

PROGRAM = "engram_desktop."
# What importing and looking for a module ask of it: none of these needs its code. PySide asks every
# module that is imported for `__wrapped__`.
KNOWN_UNREAD = frozenset(
    "__class__ __file__ __loader__ __name__ __package__ __path__ __spec__ __wrapped__".split()
)
_PYTHON_IMPORT = builtins.__import__
_KEPT = "__unread__"  # under this name a module keeps what is still to be done to it


class _Unread:
    """What is still to be done to a module, once, by whichever thread asks first."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self.lock = threading.RLock()
        self.is_running = False


class UnreadModule(ModuleType):
    """A module that was named and not used yet. Once read it is a module like any other."""

    def __getattribute__(self, name: str) -> Any:  # type: ignore[explicit-override]
        get = super().__getattribute__
        unread: _Unread | None = None if name in KNOWN_UNREAD else get("__dict__").get(_KEPT)
        if unread is not None:
            with unread.lock:
                # Its own code may ask for what it has so far; other threads wait for all of it.
                if not unread.is_running and get("__class__") is UnreadModule:
                    unread.is_running = True
                    try:
                        unread.loader.exec_module(self)
                        self.__class__ = ModuleType  # type: ignore[assignment]
                        del get("__dict__")[_KEPT]
                    finally:
                        unread.is_running = False
        return get(name)


class _LateLoader:
    """Puts off what another loader does; all else, as source for a traceback, it asks of that."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader

    def __getattr__(self, name: str) -> Any:
        return getattr(self._loader, name)

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._loader.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        spec = module.__spec__
        assert spec is not None  # noqa: S101 - importlib made it
        spec.loader = module.__loader__ = self._loader
        setattr(module, _KEPT, _Unread(self._loader))
        module.__class__ = UnreadModule


class _LateFinder:
    """Finds the program's modules where the other finders do. Packages only hold a docstring.

    A module that stands in its package's folder as source is found by one look at the disk: to ask
    all finders, which list each folder, is 5 % of `engram chats`.
    """

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(PROGRAM):
            return None
        source = f"{path[0]}{os.sep}{fullname.rpartition('.')[2]}.py" if path else ""
        if isfile(source):  # noqa: PTH113 - a start reads no pathlib before it needs one
            late: Any = _LateLoader(SourceFileLoader(fullname, source))
            found = ModuleSpec(fullname, late, origin=source)
            found.has_location = True
            return found
        for finder in sys.meta_path:
            if finder is not self and (spec := finder.find_spec(fullname, path, target)):
                if spec.loader and spec.submodule_search_locations is None:
                    spec.loader = _LateLoader(spec.loader)  # type: ignore[assignment]
                return spec
        return None


def install() -> None:
    """Read the program's modules late from now on, in this process."""
    if not any(isinstance(finder, _LateFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, _LateFinder())


def drop_import_hook() -> None:
    """Put Python's own import in the place of PySide's, once Qt is imported and nothing else.

    PySide's looks for ``__feature__``, which nothing here uses, in the source of every module that
    is imported, and so reads those that are only named.
    """
    builtins.__import__ = _PYTHON_IMPORT


def read_next(prefixes: tuple[str, ...]) -> bool:
    """Read one module that was only named, if its name begins so. False if there is none."""
    for name, module in list(sys.modules.items()):
        if name.startswith(prefixes) and type(module) is UnreadModule:
            dir(module)
            return True
    return False
