"""`dataclass` as in the standard library, whose methods are written when one is first needed.

The standard library compiles up to eight methods for each class: 0.6 ms, 1.2 on a busy machine. Of
the 250 classes that a window names at its start it makes instances of 60, and compares fewer.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, **options: bool) -> type | Callable[[type], type]:
        """Make a class a dataclass; ``options`` are those of `dataclasses.dataclass`."""
        if cls is not None:
            return _with_late_methods(cls, options)
        return lambda plain: _with_late_methods(plain, options)


_OPTIONS = {"frozen", "slots", "eq"}
_WRITTEN = ("__init__", "__repr__", "__eq__", "__hash__")
_OF_FROZEN = ("__setattr__", "__delattr__")
_OF_FROZEN_SLOTS = ("__getstate__", "__setstate__")
_OWN = (*_WRITTEN, *_OF_FROZEN, *_OF_FROZEN_SLOTS, "__post_init__")


def _with_late_methods(plain: type, options: dict[str, bool]) -> type:
    """Return ``plain`` as a dataclass: its fields are known at once, its methods come later."""
    if not options.keys() <= _OPTIONS or dataclasses.is_dataclass(plain):
        return dataclasses.dataclass(**options)(plain)
    frozen, slots = options.get("frozen", False), options.get("slots", False)
    eq = options.get("eq", True)
    own = {
        name: value
        for name, value in vars(plain).items()
        if name in _OWN or name in plain.__annotations__
    }
    if plain.__doc__ is None:
        plain.__doc__ = plain.__name__  # else its signature is worked out: a third of the time
    without_methods = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)
    late_class: type[Any] = without_methods(plain)
    params = late_class.__dataclass_params__
    params.init = params.repr = True
    params.eq, params.frozen = eq, frozen
    late = _Methods(late_class, own, options)
    names = [*_WRITTEN[:2], *(("__eq__",) if eq else ()), *(("__hash__",) if eq and frozen else ())]
    names += _OF_FROZEN if frozen else ()
    names += _OF_FROZEN_SLOTS if frozen and slots else ()
    for name in names:
        if name not in own:
            setattr(late_class, name, _LateMethod(late, name))
    if eq and not frozen and "__hash__" not in own:
        late_class.__hash__ = None  # type: ignore[assignment]
    return late_class


class _Methods:
    """What the standard library writes for a class, fetched once."""

    def __init__(self, late_class: type, own: dict[str, Any], options: dict[str, bool]) -> None:
        self._class = late_class
        self._own = own
        self._options = options

    def method(self, name: str) -> Any:
        """Put the real methods in place of the late ones; twice, from two threads, does no harm."""
        late_class = self._class
        body: dict[str, Any] = {
            "__module__": late_class.__module__,
            "__qualname__": late_class.__qualname__,
            "__doc__": late_class.__doc__,
            "__annotations__": late_class.__annotations__,
            **self._own,
        }
        if hasattr(late_class, "__post_init__"):
            body.setdefault(
                "__post_init__", None
            )  # of a base: all that matters is that there is one
        twin: type = dataclasses.dataclass(**self._options)(type(late_class.__name__, (), body))
        methods = vars(late_class).items()
        for late in [name for name, value in methods if isinstance(value, _LateMethod)]:
            setattr(late_class, late, vars(twin)[late])
        return vars(twin)[name]


class _LateMethod:
    """Stands where a method will be, and is replaced by it when it is first looked up."""

    def __init__(self, methods: _Methods, name: str) -> None:
        self._methods = methods
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        method = self._methods.method(self._name)
        return method if instance is None else method.__get__(instance, owner)
