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
            return _made(cls, options)
        return lambda plain: _made(plain, options)


_OPTIONS = {"frozen", "slots", "eq"}
_WRITTEN = ("__init__", "__repr__", "__eq__", "__hash__")
_OF_FROZEN = ("__setattr__", "__delattr__")
_OF_FROZEN_SLOTS = ("__getstate__", "__setstate__")
_OWN = (*_WRITTEN, *_OF_FROZEN, *_OF_FROZEN_SLOTS, "__post_init__")


def _made(plain: type, options: dict[str, bool]) -> type:
    """Return ``plain`` as a dataclass: its fields are known at once, its methods come later."""
    if not options.keys() <= _OPTIONS or dataclasses.is_dataclass(plain):
        return dataclasses.dataclass(**options)(plain)
    frozen, slots = options.get("frozen", False), options.get("slots", False)
    eq = options.get("eq", True)
    given = {
        name: value
        for name, value in vars(plain).items()
        if name in _OWN or name in plain.__annotations__
    }
    if plain.__doc__ is None:
        plain.__doc__ = plain.__name__  # else its signature is worked out: a third of the time
    made: type[Any] = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(plain)
    params = made.__dataclass_params__
    params.init = params.repr = True
    params.eq, params.frozen = eq, frozen
    late = _Methods(made, given, options)
    names = [*_WRITTEN[:2], *(("__eq__",) if eq else ()), *(("__hash__",) if eq and frozen else ())]
    names += _OF_FROZEN if frozen else ()
    names += _OF_FROZEN_SLOTS if frozen and slots else ()
    for name in names:
        if name not in given:
            setattr(made, name, _LateMethod(late, name))
    if eq and not frozen and "__hash__" not in given:
        made.__hash__ = None  # type: ignore[assignment]
    return made


class _Methods:
    """What the standard library writes for a class, fetched once."""

    def __init__(self, made: type, given: dict[str, Any], options: dict[str, bool]) -> None:
        self._made = made
        self._given = given
        self._options = options

    def method(self, name: str) -> Any:
        """Put the real methods in place of the late ones; twice, from two threads, does no harm."""
        made = self._made
        body: dict[str, Any] = {
            "__module__": made.__module__,
            "__qualname__": made.__qualname__,
            "__doc__": made.__doc__,
            "__annotations__": made.__annotations__,
            **self._given,
        }
        if hasattr(made, "__post_init__"):
            body.setdefault(
                "__post_init__", None
            )  # of a base: all that matters is that there is one
        twin: type = dataclasses.dataclass(**self._options)(type(made.__name__, (), body))
        for late in [key for key, value in vars(made).items() if isinstance(value, _LateMethod)]:
            setattr(made, late, vars(twin)[late])
        return vars(twin)[name]


class _LateMethod:
    """Stands where a method will be, and is replaced by it when it is first looked up."""

    def __init__(self, methods: _Methods, name: str) -> None:
        self._methods = methods
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        method = self._methods.method(self._name)
        return method if instance is None else method.__get__(instance, owner)
