"""Macros of text: blanks, a text backwards, greetings, outlets of worldbooks, notes."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engram_desktop.domain.macros.scope import Asked, Macro, MacroFailedError

ELSE = "\0\x1fELSE\x1f\0"  # what {{else}} leaves where no {{if}} takes it; taken out at the end
# Bounds what one macro adds to a text; no template needs so many. Not measured.
MAX_REPEATED = 100_000


def _repeated(what: str) -> Callable[[Asked], str]:
    def macro(asked: Asked) -> str:
        count = int(asked.arguments[0]) if asked.arguments else 1
        if not 0 <= count <= MAX_REPEATED:
            raise MacroFailedError
        return what * count

    return macro


def _nothing(_asked: Asked) -> str:
    return ""


def _trim(asked: Asked) -> str:
    """Give back what is between, which has lost its blanks; alone it works at the very end."""
    if asked.is_scoped:
        return asked.arguments[0] if asked.arguments else ""
    return "{{trim}}"


def _input(asked: Asked) -> str:
    if "userinput" not in asked.scope.lookup:
        raise MacroFailedError
    return asked.scope.lookup["userinput"]


def _greeting(asked: Asked) -> str:
    """The card's first message, or another by its number."""
    number = int(asked.arguments[0]) if asked.arguments else 0
    if "charfirstmessage" not in asked.scope.lookup:
        raise MacroFailedError
    if number == 0:
        return asked.scope.lookup["charfirstmessage"]
    others = asked.scope.greetings
    if not 1 <= number <= len(others):
        return ""
    other = others[number - 1]
    return other if isinstance(other, str) else other()


def _outlet(asked: Asked) -> str:
    """Text that a worldbook has for this outlet; nothing where it has none."""
    return asked.scope.outlets().get(asked.arguments[0], "")


TEXT: Mapping[str, Macro] = {
    "newline": Macro(_repeated("\n"), 0, 1, is_counted=True),
    "space": Macro(_repeated(" "), 0, 1, is_counted=True),
    "noop": Macro(_nothing),
    "trim": Macro(_trim, 0, 1),
    "else": Macro(lambda _asked: ELSE),
    "//": Macro(_nothing, 1, 1),
    "comment": Macro(_nothing, 1, 1),
    "banned": Macro(_nothing, 1, 1),
    "reverse": Macro(lambda asked: asked.arguments[0][::-1], 1, 1),
    "input": Macro(_input),
    "charfirstmessage": Macro(_greeting, 0, 1, is_counted=True),
    "greeting": Macro(_greeting, 0, 1, is_counted=True),
    "outlet": Macro(_outlet, 1, 1),
}
