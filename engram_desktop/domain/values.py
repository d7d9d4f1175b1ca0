"""`dataclass` as in the standard library, but its work on a class is done when first needed.

The standard library reads each field and compiles up to eight methods for each class: 0.8 ms. Of
the 250 classes that a window defines at its start it instantiates 30, and compares fewer.
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


_OPTIONS = {"frozen", "slots", "eq", "order"}
_OF_FIELDS = ("__init__", "__match_args__", "__dataclass_fields__", "__dataclass_params__")
_OF_ORDER = ("__lt__", "__le__", "__gt__", "__ge__")
_OF_FROZEN = ("__setattr__", "__delattr__")
_OF_FROZEN_SLOTS = ("__getstate__", "__setstate__")
_OWN = {*_OF_FIELDS[:2], "__repr__", "__eq__", "__hash__", *_OF_ORDER}
_OWN |= {*_OF_FROZEN_SLOTS, "__post_init__"}
_NO_FIELD = ("ClassVar", "InitVar", "KW_ONLY")  # in the annotation of a field


def _with_late_methods(plain: type, options: dict[str, bool]) -> type:
    """Return ``plain`` as a dataclass: its slots and defaults at once, the rest when needed."""
    types: dict[str, Any] = vars(plain).get("__annotations__", {})
    if not options.keys() <= _OPTIONS or _is_unusual(plain, types):
        return dataclasses.dataclass(**options)(plain)
    frozen, slots = options.get("frozen", False), options.get("slots", False)
    eq = options.get("eq", True)
    own = {name: value for name, value in vars(plain).items() if name in _OWN or name in types}
    if plain.__doc__ is None:
        plain.__doc__ = plain.__name__  # otherwise its signature is computed: a third of the time
    late_class = _with_slots(plain, types) if slots else _with_defaults(plain, own)
    late = _LATE[late_class] = _Rest(late_class, own, options)
    names = [*_OF_FIELDS, "__repr__", *(("__eq__",) if eq else ())]
    names += ("__hash__",) if eq and frozen else ()
    names += _OF_ORDER if options.get("order") else ()
    names += _OF_FROZEN_SLOTS if frozen and slots else ()
    for name in names:
        if name not in own:
            setattr(late_class, name, _LateAttribute(late, name))
    if eq and not frozen and "__hash__" not in own:
        late_class.__hash__ = None  # type: ignore[assignment]
    if frozen:
        _freeze(late_class)
    return late_class


def _is_unusual(plain: type, types: dict[str, Any]) -> bool:
    """Return whether a class needs the standard library: for its fields, bases or methods."""
    own = vars(plain)
    return (
        any(word in kind for kind in map(str, types.values()) for word in _NO_FIELD)
        or any("__dataclass_fields__" in vars(base) for base in plain.__mro__ if base not in _LATE)
        or any(vars(base).get("__slots__") is not None for base in plain.__mro__)
        or any(name in own for name in _OF_FROZEN)
    )


def _with_slots(plain: type, fields: dict[str, Any]) -> type[Any]:
    """Return a copy of a class with a slot for each field."""
    left = {*fields, "__dict__", "__weakref__"}
    body = {name: value for name, value in vars(plain).items() if name not in left}
    late_class = type(plain)(plain.__name__, plain.__bases__, {**body, "__slots__": tuple(fields)})
    late_class.__qualname__ = plain.__qualname__
    return late_class


def _with_defaults(plain: type, own: dict[str, Any]) -> type[Any]:
    """Set the default of each field that has one as a class attribute."""
    for name, value in own.items():
        if isinstance(value, dataclasses.Field):
            if value.default is dataclasses.MISSING:
                delattr(plain, name)
            else:
                setattr(plain, name, value.default)
    return plain


def _freeze(late_class: type[Any]) -> None:
    """Make fields read-only; a subclass may have attributes of its own."""

    def refuse(self: object, name: str, what: str) -> None:
        if type(self) is late_class or name in late_class.__dataclass_fields__:
            raise dataclasses.FrozenInstanceError(f"cannot {what} field {name!r}")

    def __setattr__(self: object, name: str, value: object) -> None:  # noqa: N807 - what it is
        refuse(self, name, "assign to")
        super(late_class, self).__setattr__(name, value)

    def __delattr__(self: object, name: str) -> None:  # noqa: N807 - what it is
        refuse(self, name, "delete")
        super(late_class, self).__delattr__(name)

    for method in (__setattr__, __delattr__):
        setattr(late_class, method.__name__, method)


class _Rest:
    """The attributes that the standard library adds to a class, taken from a twin."""

    def __init__(self, late_class: type, own: dict[str, Any], options: dict[str, bool]) -> None:
        self._class = late_class
        self.own = own
        self._options = options

    def attribute(self, name: str) -> Any:
        """Replace late attributes with real ones; doing so twice, from two threads, is harmless."""
        late_class = self._class
        body: dict[str, Any] = {
            "__module__": late_class.__module__,
            "__qualname__": late_class.__qualname__,
            "__doc__": late_class.__doc__,
            "__annotations__": {},
        }
        for base in reversed(late_class.__mro__):
            if base in _LATE:
                defaults = _LATE[base].own
                body |= {name: defaults[name] for name in defaults if name not in _OWN}
                body["__annotations__"] |= vars(base).get("__annotations__", {})
        body |= self.own
        if hasattr(late_class, "__post_init__"):
            body.setdefault("__post_init__", None)  # of a base: only its existence matters
        options = dict(self._options)
        if name in _OF_FIELDS:
            options |= {"repr": False, "eq": False, "order": False}
        twin: type = dataclasses.dataclass(**options)(type(late_class.__name__, (), body))
        made = vars(twin)
        if name in _OF_FIELDS:
            params = made["__dataclass_params__"]
            params.repr, params.eq = True, self._options.get("eq", True)
            params.order = self._options.get("order", False)
        late = [key for key, value in vars(late_class).items() if isinstance(value, _LateAttribute)]
        for key in late:
            if key in made and (key in _OF_FIELDS) == (name in _OF_FIELDS):
                setattr(late_class, key, made[key])
        return made[name]


_LATE: dict[type, _Rest] = {}  # read by subclasses


class _LateAttribute:
    """A placeholder of an attribute, which is replaced at its first access."""

    def __init__(self, rest: _Rest, name: str) -> None:
        self._rest = rest
        self._name = name

    def __get__(self, instance: object, owner: type) -> Any:
        found = self._rest.attribute(self._name)
        if instance is None or not hasattr(found, "__get__"):
            return found
        return found.__get__(instance, owner)
