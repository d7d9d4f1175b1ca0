"""Texts for the user that are translated where they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

# Mark texts for translation without importing Qt. ``pyside6-lupdate`` collects the second argument
# of every call named QT_TRANSLATE_NOOP; the window translates it when it is shown. Without a window
# the English text is shown.


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name lupdate looks for
    """Return ``text`` unchanged; ``context`` is read by the translation tool only."""
    del context
    return text


def english(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values for a template, with lists joined in English."""
    return {
        k: ", ".join(map(str, v)) if isinstance(v, list | tuple) else v for k, v in params.items()
    }


# A sentence of a report: English text with its template, for a window to translate.


class Phrase(str):
    """``template`` filled with ``params``; as a string, it is the English text.

    Lists or tuples of names or numbers are joined as in the reader's language. Mark templates with
    QT_TRANSLATE_NOOP under the same ``context``.
    """

    __slots__ = ("context", "params", "template")

    template: str
    context: str
    params: dict[str, Any]

    def __new__(cls, template: str, context: str = "reports", **params: Any) -> Self:
        phrase = super().__new__(cls, template.format_map(english(params)))
        phrase.template = template
        phrase.context = context
        phrase.params = params
        return phrase

    def __deepcopy__(self, _memo: object) -> Self:
        return self
