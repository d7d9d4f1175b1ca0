"""What a text completion model would get of a chat in SillyTavern, by the templates of its user.

Told are the card, the persona, the history and examples. What SillyTavern puts among the messages
(notes, world info, what extensions inject) is not, nor is anything cut: limits are the model's.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from engram_desktop.domain.errors import InputError
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.marks import QT_TRANSLATE_NOOP
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import Phrase
from engram_desktop.domain.tavern.instruct import Spoken, Templates, TextPrompt
from engram_desktop.domain.tavern.story_string import BadStoryStringError
from engram_desktop.formats.tavern.texts import read_templates
from engram_desktop.services.prompts.chat_variables import json_object
from engram_desktop.services.prompts.macro_scope import ChatSays

_T = QT_TRANSLATE_NOOP
MAX_MESSAGES = 400  # the newest ones: more than any such model reads


def text_prompt(
    says: ChatSays, instruct: str = "", context: str = "", folder: Path | None = None
) -> str:
    """Return the prompt for the character's next answer, by the templates in use or those named.

    Of ``folder``, which is a user's, else of the one the chat lies in. Raises InputError where they
    cannot be read.
    """
    user = folder or says.files.user
    templates = read_templates(user, instruct, context) if user else None
    if templates is None:
        raise InputError(
            Phrase(
                _T("reports", "The templates of the SillyTavern this chat is of cannot be read.")
            )
        )
    try:
        return _prompt(says, templates)
    except BadStoryStringError as e:
        raise InputError(
            Phrase(_T("reports", "The story string is not written as one: {name}."), name=str(e))
        ) from e


def _prompt(says: ChatSays, templates: Templates) -> str:
    texts = says.files.texts
    prompt = TextPrompt(
        templates,
        says.filled,
        says.user(),
        says.char(),
        is_group=says.files.members is not None,
    )
    system = instruction = ""
    if texts is not None and texts.system_prompt:
        system = _over(says, says.prompt(), texts.system_prompt)
    if texts is not None:
        instruction = _over(says, says.instruction(), texts.instruction)
    values, blocks = says.scope().lookup, says.example_blocks()
    story = {
        "description": values["chardescription"],
        "personality": values["charpersonality"],
        "persona": values["persona"],
        "scenario": values["charscenario"],
        "system": system,
        "mesExamplesRaw": "".join(blocks),
        **dict.fromkeys(_UNKNOWN, ""),
    }
    return prompt.whole(story, _messages(says), blocks, instruction)


_UNKNOWN = ("wiBefore", "wiAfter", "loreBefore", "loreAfter", "anchorBefore", "anchorAfter")


def _over(says: ChatSays, own: str, usual: str) -> str:
    """The card's own text, in which ``{{original}}`` stands for the usual one; else that."""
    if not own:
        return says.of_card(usual)
    scope = says.scope()
    named: Mapping[str, str] = {"original": usual}
    return fill(own, replace(scope, values=scope.lookup.with_these(named))).text


def _messages(says: ChatSays) -> list[Spoken]:
    first = max(0, says.count - MAX_MESSAGES)
    rows = says.store.messages.as_parsed(says.branch_id, first, says.count - 1)
    messages = says.store.messages.slice(says.branch_id, first, says.count - 1)
    return [
        Spoken(message.name, says.said(message), message.role == "user", _is_narrator(row))
        for row, message in zip(rows, messages, strict=True)
        if not message.is_hidden
    ]


def _is_narrator(row: ParsedMessage) -> bool:
    extra = json_object(row.raw).get("extra")
    return isinstance(extra, dict) and extra.get("type") == "narrator"
