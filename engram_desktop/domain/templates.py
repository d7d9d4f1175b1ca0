"""Fill ``{{name}}`` in a text: one pass, so a value is never read as a template itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MACRO = re.compile(r"\{\{\s*(\w+)\s*\}\}")


def expand(template: str, values: Mapping[str, str]) -> str:
    """Replace every known macro. An unknown one stays as it is, so that it is seen."""
    return _MACRO.sub(lambda m: values.get(m[1], m[0]), template)


def expand_lines(template: str, values: Mapping[str, str]) -> str:
    """As `expand`, but drop a line whose macros are all known and all empty."""
    lines = []
    for line in template.splitlines():
        names = _MACRO.findall(line)
        if names and all(values.get(name) == "" for name in names):
            continue
        lines.append(expand(line, values))
    return "\n".join(lines).strip()


def unknown_macros(template: str, known: Mapping[str, object]) -> tuple[str, ...]:
    """Names used in ``template`` that ``known`` does not hold, in order, once each."""
    return tuple(dict.fromkeys(n for n in _MACRO.findall(template) if n not in known))
