"""A sentence of a report: English text that knows its template, for a window to translate."""

from __future__ import annotations

from typing import Any, Self


class Phrase(str):
    """``template`` filled with ``params``. It is the English text wherever text is wanted.

    Mark templates with QT_TRANSLATE_NOOP under the same ``context``.
    """

    __slots__ = ("context", "params", "template")

    template: str
    context: str
    params: dict[str, Any]

    def __new__(cls, template: str, context: str = "reports", **params: Any) -> Self:
        phrase = super().__new__(cls, template.format_map(params))
        phrase.template = template
        phrase.context = context
        phrase.params = params
        return phrase

    def __deepcopy__(self, _memo: object) -> Self:
        return self
