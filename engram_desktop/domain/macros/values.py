"""What macros stand for, by name. Some values take time, so they are worked out when asked for.

Names have no case here. A value is worked out once, however often it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from functools import cache, cached_property, partial
from typing import Any, Self

from typing_extensions import override

Value = str | Callable[[], str]


def folded(name: str) -> str:
    """Return a name as macros are looked up: case does not matter."""
    return name.lower()


class Values(Mapping[str, str]):
    """Values by folded name; ``written`` are the names as they were given."""

    def __init__(self, values: Mapping[str, Value]) -> None:
        self.written = {folded(name): name for name in values}
        self._values: dict[str, Value] = {
            folded(name): value if isinstance(value, str) else cache(value)
            for name, value in values.items()
        }

    @classmethod
    def of(cls, values: Mapping[str, Value]) -> Self:
        """Return ``values`` as they are, if they are such, or made so."""
        return values if isinstance(values, cls) else cls(values)

    def with_these(self, more: Mapping[str, Value]) -> Values:
        """Return a copy in which ``more`` takes the place of what is there."""
        new = Values(more)
        union = Values({})
        union.written = self.written | new.written
        union._values = self._values | new._values
        return union

    def mapped(self, change: Callable[[str], str]) -> Values:
        """Return a copy in which each value is changed."""

        def changed(name: str) -> str:
            return change(self[name])

        return Values({name: partial(changed, name) for name in self._values})

    @override
    def __getitem__(self, name: str) -> str:
        value = self._values[name]
        return value if isinstance(value, str) else value()

    @override
    def __contains__(self, name: object) -> bool:
        return name in self._values

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @override
    def __len__(self) -> int:
        return len(self._values)


class Variables(MutableMapping[str, Any]):
    """Variables that are read when the first of them is asked for, and then are its own copy."""

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read

    @cached_property
    def _values(self) -> dict[str, Any]:
        return dict(self._read())

    @override
    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    @override
    def __setitem__(self, name: str, value: Any) -> None:
        self._values[name] = value

    @override
    def __delitem__(self, name: str) -> None:
        del self._values[name]

    @override
    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    @override
    def __len__(self) -> int:
        return len(self._values)
