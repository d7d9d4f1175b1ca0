"""Delay what a quick start need not do: reading modules, and compiling patterns, until used.

``from engram_desktop.services.pipeline import consolidation`` only names a module: it is read when
``consolidation.plan`` is used. ``from engram_desktop.domain.memory.line import MAIN_BRANCH`` uses a
module and reads it at once. So a start reads only what it runs, a fifth of the program; readers,
type checkers and import-linter still see every import at the head of its file.

The standard library's ``importlib.util.LazyLoader`` gives a second thread a half-read module before
Python 3.11.9, and job lanes are threads.
"""

from __future__ import annotations

import builtins
import os
import re
import sys
import threading
from importlib.machinery import ModuleSpec, SourceFileLoader
from os.path import isfile
from types import ModuleType

TYPE_CHECKING = False  # as in typing, which takes 4 ms to import; importlib.abc takes 27
if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.abc import Loader
    from typing import Any

PROGRAM = "engram_desktop."
# Attributes that the import system reads from a module: none needs its code. PySide reads
# `__wrapped__` of every imported module.
KNOWN_UNREAD = frozenset(
    "__class__ __file__ __loader__ __name__ __package__ __path__ __spec__ __wrapped__".split()
)
_PYTHON_IMPORT = builtins.__import__
_KEPT = "__unread__"  # attribute under which a module keeps its `_Unread`


class _Unread:
    """The delayed read of a module, done once by the first thread that needs it."""

    def __init__(self, loader: Loader) -> None:
        self.loader = loader
        self.lock = threading.RLock()
        self.is_running = False


class UnreadModule(ModuleType):
    """A module that was named and not used yet. Once read it is an ordinary module."""

    def __getattribute__(self, name: str) -> Any:  # type: ignore[explicit-override]
        # Not super(): another thread may make this an ordinary module at any moment, and super()
        # refuses that.
        get = ModuleType.__getattribute__
        is_known = name in KNOWN_UNREAD
        unread: _Unread | None = None if is_known else get(self, "__dict__").get(_KEPT)
        if unread is not None:
            with unread.lock:
                # Its own code may read names defined so far; other threads wait until it is
                # complete.
                if not unread.is_running and get(self, "__class__") is UnreadModule:
                    unread.is_running = True
                    try:
                        unread.loader.exec_module(self)
                        self.__class__ = ModuleType  # type: ignore[assignment]
                        del get(self, "__dict__")[_KEPT]
                    finally:
                        unread.is_running = False
        return get(self, name)


class _LateLoader:
    """Delays another loader; it handles everything else, such as source for a traceback."""

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
    """Finds the program's modules with the other finders. Packages hold nothing but a docstring.

    A module that is a source file in its package's folder is found with one look at the disk:
    asking all finders, which list each folder, takes 5 % of `engram chats`.
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
    """Restore Python's own import function after PySide replaced it; called once Qt is imported.

    PySide's version searches the source of every imported module for ``__feature__``, which is not
    used here, and so would read modules that are only named.
    """
    builtins.__import__ = _PYTHON_IMPORT


def is_read(module: object) -> bool:
    return type(module) is not UnreadModule


def read(module: object) -> None:
    """Read a module that was only named."""
    dir(module)


def read_next(prefixes: tuple[str, ...]) -> bool:
    """Read one unread module whose name begins with one of ``prefixes``. False if none is left."""
    for name, module in list(sys.modules.items()):
        if name.startswith(prefixes) and not is_read(module):
            read(module)
            return True
    return False


class _LatePattern:
    """Compiles its pattern when its first attribute is read."""

    def __init__(self, text: str, flags: int) -> None:
        self._arguments = (text, flags)

    def __getattr__(self, name: str) -> Any:
        value = getattr(re.compile(*self._arguments), name)
        setattr(self, name, value)  # later found without `__getattr__`
        return value


if TYPE_CHECKING:

    def late_pattern(text: str, flags: int = 0) -> re.Pattern[str]: ...

else:

    def late_pattern(text: str, flags: int = 0) -> _LatePattern:
        """Return a pattern that is compiled at its first use, for use as if `re.compile` made it.

        A start defines a hundred and uses a dozen; a class of Chinese characters takes 2 to 4 ms to
        compile. The returned object is not the pattern of its matches (`Match.re`).
        """
        return _LatePattern(text, flags)
