"""A large JSON document, written in pieces: never held as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any


def document(value: Mapping[str, Any]) -> Iterator[str]:
    """Yield the text of an object, indented by two as `json.dumps` does it.

    Its values are JSON values, or iterators of those, written as lists one after another.
    """
    between = "{\n  "
    for name, part in value.items():
        yield f"{between}{_dumped(name)}: "
        if isinstance(part, Iterator):
            yield from _list(part)
        else:
            yield _dumped(part).replace("\n", "\n  ")
        between = ",\n  "
    yield "\n}"


def _list(items: Iterable[Any]) -> Iterator[str]:
    between = "[\n    "
    for item in items:
        yield between + _dumped(item).replace("\n", "\n    ")
        between = ",\n    "
    yield "[]" if between.startswith("[") else "\n  ]"


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)
