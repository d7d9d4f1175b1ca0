"""The macros whose values only a running SillyTavern knows. They stay in a text and are reported.

Each with why; what they take as arguments counts for the texts they stand in.
"""

from __future__ import annotations

from collections.abc import Mapping

from engram_desktop.domain.macros.scope import Asked, Macro, MacroFailedError


def _unknown(_asked: Asked) -> str:
    raise MacroFailedError


_NONE, _ONE, _SOME = Macro(_unknown), Macro(_unknown, 1, 1), Macro(_unknown, 0, 1)
_WINDOW = "what its window shows at the moment"
_LIMITS = "limits of the model it is connected to"
_PICTURES = "an extension for pictures keeps it"
WHY: Mapping[str, tuple[Macro, str]] = {
    "maxprompt": (_NONE, _LIMITS),
    "maxprompttokens": (_NONE, _LIMITS),
    "maxcontext": (_NONE, _LIMITS),
    "maxcontexttokens": (_NONE, _LIMITS),
    "maxresponse": (_NONE, _LIMITS),
    "maxresponsetokens": (_NONE, _LIMITS),
    "lastgenerationtype": (_NONE, "what it was last asked to write"),
    "hasextension": (_ONE, "which extensions are on in it"),
    "ismobile": (_NONE, _WINDOW),
    "original": (_NONE, "the prompt that one of the card takes the place of"),
    "firstdisplayedmessageid": (_NONE, _WINDOW),
    "defaultexpression": (_NONE, _PICTURES),
    "lastexpression": (_SOME, _PICTURES),
    "availableexpressions": (_NONE, _PICTURES),
    "charprefix": (_NONE, _PICTURES),
    "charnegativeprefix": (_NONE, _PICTURES),
}
RUNNING: Mapping[str, Macro] = {name: macro for name, (macro, _why) in WHY.items()}
