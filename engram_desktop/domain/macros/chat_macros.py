"""The macros that tell of a chat, with what each means, for prompts, scripts and worldbooks.

`services.prompts.macro_scope` gives them their values; the macros that work something out are
those of `functions`.
"""

from __future__ import annotations

from engram_desktop.domain.marks import QT_TRANSLATE_NOOP

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
