"""Texts for the user that are translated where they are shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

# Mark user-visible source text where no Qt may be imported.
#
# ``pyside6-lupdate`` collects the second argument of every call named QT_TRANSLATE_NOOP; the
# window translates it when it is shown. Without a window the English text is shown as it stands.


def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - the name lupdate looks for
    """Return ``text`` unchanged; ``context`` is read by the translation tool only."""
    del context
    return text


def english(params: Mapping[str, Any]) -> dict[str, Any]:
    """Return what fills a template, with lists written as English lists them."""
    return {
        k: ", ".join(map(str, v)) if isinstance(v, list | tuple) else v for k, v in params.items()
    }


# A sentence of a report: English text that knows its template, for a window to translate.


class Phrase(str):
    """``template`` filled with ``params``. It is the English text wherever text is wanted.

    A list or tuple of names or numbers is written as the reader's language lists them. Mark
    templates with QT_TRANSLATE_NOOP under the same ``context``.
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
