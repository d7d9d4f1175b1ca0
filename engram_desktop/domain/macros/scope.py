"""What macros can refer to: names, the chat, variables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, MutableMapping, Sequence
from dataclasses import field
from datetime import datetime
from random import Random
from typing import Any

from engram_desktop.domain.macros.values import Value, Values
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP
from engram_desktop.domain.values import dataclass

# What macros stand for in one place of the program, and what a macro that works something out is.
#
# Time, chance and variables come from the `MacroScope` alone. Variables are values as JSON has
# them; they are read when asked for, and changed for the one filling that changes them.


Outlets = Callable[[], Mapping[str, str]]


@dataclass(slots=True)
class MacroScope:
    """What macros stand for here. ``values`` by any case of their names."""

    values: Mapping[str, Value] = field(default_factory=dict)
    variables: MutableMapping[str, Any] = field(default_factory=dict)
    shared: MutableMapping[str, Any] = field(default_factory=dict)  # variables of all chats
    now: datetime | None = None
    last_said: datetime | None = None  # by the user
    seed: str = ""
    picks: str = ""  # the hash by which SillyTavern picks in this chat; empty where none is known
    outlets: Outlets = dict  # what worldbooks have for each outlet, by its name
    greetings: Sequence[Value] = ()  # the card's other first messages
    lookup: Values = field(init=False)  # ``values`` as they are looked up

    def __post_init__(self) -> None:
        self.values = self.lookup = Values.of(self.values)


@dataclass(slots=True)
class FilledCall:
    """One macro that is filled: its arguments have their values."""

    scope: MacroScope
    arguments: Sequence[str]
    is_scoped: bool  # whether the last argument stood between an opening and a closing macro
    place: int  # in the whole text: what is picked once stays picked there
    chance: Random
    text: str = ""  # the whole one


class MacroFailedError(Exception):
    """A macro that cannot mean anything here: it stays in the text to be seen."""


class EmptyNameError(MacroFailedError):
    """A variable is to be set that has no name: by its sign, the whole text stays as it is."""


@dataclass(frozen=True, slots=True)
class Macro:
    """What a macro is: how many arguments it takes, and what it gives for them.

    ``run`` raises MacroFailedError where it cannot mean anything.
    """

    run: Callable[[FilledCall], str]
    least: int = 0
    most: int = 0
    is_list: bool = False  # any number of arguments
    is_counted: bool = False  # its first argument is a whole number

    def takes(self, count: int) -> bool:
        return self.is_list or self.least <= count <= self.most

    @property
    def takes_text(self) -> bool:
        """Whether one argument more may stand between an opening and a closing macro."""
        return not self.is_list


# The macros that tell of a chat, with what each means, for prompts, scripts and worldbooks.
#
# `services.prompts.macro_scope` gives them their values; the macros that work something out are
# those of `functions`.


_T = QT_TRANSLATE_NOOP
# Of use in any prompt.
CONTEXT: dict[str, str] = {
    "chatHistory": _T("prompts", "The newest messages"),
    "worldbookContext": _T("prompts", "What world books say now"),
    "userInput": _T("prompts", "What the player said last"),
    "engramSummaries": _T("prompts", "What is always remembered"),
}
WHO: dict[str, str] = {
    "char": _T("prompts", "The character's name"),
    "user": _T("prompts", "The player's name"),
    "persona": _T("prompts", "Who the player is, as the settings say"),
    "group": _T("prompts", "Everybody who speaks beside the player"),
    "groupNotMuted": _T("prompts", "The same"),
    "notChar": _T("prompts", "Everybody but the character, the player too"),
    "charDescription": _T("prompts", "The card's description"),
    "charPersonality": _T("prompts", "The card's personality"),
    "charScenario": _T("prompts", "The card's scenario"),
    "charPrompt": _T("prompts", "The card's system prompt"),
    "charInstruction": _T("prompts", "The card's instruction after the history"),
    "charDepthPrompt": _T("prompts", "The card's note at a depth"),
    "charCreatorNotes": _T("prompts", "What the card's maker notes"),
    "charFirstMessage": _T("prompts", "The card's greeting"),
    "charVersion": _T("prompts", "The card's version"),
    "mesExamples": _T("prompts", "The card's examples, each with its heading"),
    "mesExamplesRaw": _T("prompts", "The card's examples as they stand"),
}
MESSAGES: dict[str, str] = {
    "lastMessage": _T("prompts", "The last message"),
    "lastUserMessage": _T("prompts", "The last message of the player"),
    "lastCharMessage": _T("prompts", "The last message of a character"),
    "lastMessageId": _T("prompts", "Floor of the last message"),
    "firstIncludedMessageId": _T("prompts", "First floor a model still reads"),
    "lastSwipeId": _T("prompts", "How many swipes the last message has"),
    "currentSwipeId": _T("prompts", "Which of them is chosen"),
    "allChatRange": _T("prompts", "First and last floor of the chat"),
    "idleDuration": _T("prompts", "How long ago the player last wrote"),
    "authorsNote": _T("prompts", "The author's note of the chat"),
    "charAuthorsNote": _T("prompts", "The author's note of the card"),
    "summary": _T("prompts", "What is always remembered"),
    "systemPrompt": _T("prompts", "The card's system prompt"),
    "model": _T("prompts", "Name of the model that is asked"),
}
# A choice of the macros that work something out, for the help of the prompt editor.
RECKONING: dict[str, str] = {
    "if charDescription}}…{{else}}…{{/if": _T("prompts", "One text or another"),
    "getvar::name": _T("prompts", "A variable of the chat"),
    "setvar::name::value": _T("prompts", "Set a variable, for this request only"),
    ".name += 1": _T("prompts", "The same by a sign, with an operator"),
    "getglobalvar::name": _T("prompts", "A variable of all chats, as SillyTavern has it"),
    "setglobalvar::name::value": _T("prompts", "Set one of those, for this request only"),
    "$name": _T("prompts", "One of those by a sign"),
    "random::a::b": _T("prompts", "One of several"),
    "pick::a::b": _T("prompts", "One of several, always the same here"),
    "roll:1d6": _T("prompts", "Roll dice"),
    "isodate": _T("prompts", "Today's date"),
    "isotime": _T("prompts", "The time of day"),
    "reverse::text": _T("prompts", "A text backwards"),
    "newline": _T("prompts", "A new line"),
    "trim": _T("prompts", "Take away the empty lines around it"),
    "// note": _T("prompts", "A note that is not sent"),
}
CHAT_MACROS: dict[str, str] = CONTEXT | WHO | MESSAGES
# Those of the card: in the texts of a card themselves they say nothing.
CARD = frozenset(
    {name for name in WHO if name.startswith(("char", "mes")) and name != "char"}
    | {"persona", "systemPrompt"}
)
# Older names SillyTavern still accepts, and what the same macro is called now.
OLDER_NAMES = {
    "description": "charDescription",
    "personality": "charPersonality",
    "scenario": "charScenario",
    "charJailbreak": "charInstruction",
    "char_version": "charVersion",
    "version": "charVersion",
    "creatorNotes": "charCreatorNotes",
    "charIfNotGroup": "group",
}
