"""The prompts of a library: for each task and language, and by which model it is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.errors import InputError
from engram_desktop.domain.macros.fill import fill
from engram_desktop.domain.memory.message import ParsedMessage
from engram_desktop.domain.phrase import QT_TRANSLATE_NOOP, Phrase
from engram_desktop.domain.pipeline.prompt_template import (
    LANGUAGES,
    TASKS,
    ModelOverride,
    PromptRow,
    PromptTemplate,
)
from engram_desktop.domain.tavern.instruct import (
    BadStoryStringError,
    SentMessage,
    Templates,
    TextPrompt,
)
from engram_desktop.formats.tavern.texts import read_templates
from engram_desktop.services.prompts import macro_scope
from engram_desktop.services.prompts import prompts as prompt_library
from engram_desktop.services.prompts.macro_scope import ChatSays, json_object

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.services.library.session import Session


K = TypeVar("K")


class PromptService:
    """Prompts: the user's, or the built-in ones."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def all(self) -> list[PromptRow]:
        """Return every prompt, task by task, in each language."""
        prompts = prompt_library.prompts_of(self._session.library)
        return [prompt_library.row(prompts, t, lang) for t in TASKS for lang in LANGUAGES]

    def find(self, task: str, language: str) -> PromptRow:
        """Return one prompt. Raises NotFound."""
        prompts = prompt_library.prompts_of(self._session.library)
        return prompt_library.row(prompts, task, language)

    def unknown_macros(self, template: PromptTemplate) -> tuple[str, ...]:
        """Return the macros in a template that its task does not know."""
        return prompt_library.unknown_in(template)

    def unknown_in_chat(self, line: Line, texts: Mapping[K, str]) -> dict[K, tuple[str, ...]]:
        """Return the macros in ``texts`` that a chat does not know, by the key of each text."""
        session = self._session
        store, settings = session.chat(line.chat_id), session.library.settings(line.chat_id)
        says = macro_scope.ChatSays(session.library, store, settings, line.branch_id)
        return prompt_library.unknown_in_texts(texts, says.values())

    def save(self, template: PromptTemplate, override: ModelOverride | None = None) -> Changes:
        """Store the user's prompt and its model override.

        Raises InputError, BadEndpoint.
        """
        prompt_library.save(self._session.library, template, override)
        return Changes(settings=True)

    def reset(self, task: str, language: str) -> Changes:
        """Return to the built-in prompt. Raises NotFound."""
        prompt_library.reset(self._session.library, task, language)
        return Changes(settings=True)

    def set_model(self, task: str, override: ModelOverride) -> Changes:
        """Set another model for a task; a key is sent to no other server. Raises BadEndpoint."""
        prompt_library.set_override(self._session.library, task, override)
        return Changes(settings=True)

    def as_text(
        self, line: Line, instruct: str = "", context: str = "", folder: Path | None = None
    ) -> str:
        """Return the prompt a text completion model would get of a chat in SillyTavern.

        By the templates in use there, or those of these names; ``folder`` is a user's folder, for a
        chat that lies in none. Raises InputError.
        """
        session = self._session
        store, settings = session.chat(line.chat_id), session.library.settings(line.chat_id)
        says = macro_scope.ChatSays(session.library, store, settings, line.branch_id)
        return text_prompt(says, instruct, context, folder)

    def difference(self, task: str, language: str) -> str:
        """Return the difference of a prompt to the built-in one, as a unified diff."""
        return prompt_library.difference(self.find(task, language))


_T = QT_TRANSLATE_NOOP
MAX_MESSAGES = 400  # newest messages used: more than any such model reads


def text_prompt(
    says: ChatSays, instruct: str = "", context: str = "", folder: Path | None = None
) -> str:
    """Return the prompt for the character's next reply, by the templates in use or those named.

    It holds the card, the persona, history and examples; not what SillyTavern inserts among the
    messages (notes, world info, injections). Nothing is cut, since limits depend on the model. The
    templates are those of ``folder``, a user's, else of the folder the chat lies in. Raises
    InputError if they cannot be read.
    """
    user = folder or says.files.user
    if not user:
        raise InputError(Phrase(_T("reports", "This chat lies in no SillyTavern folder.")))
    templates = read_templates(user, instruct, context)
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
        templates, says.filled, says.user(), says.char(), is_group=says.files.members is not None
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
    """Return the card's text with ``{{original}}`` filled by ``usual``; ``usual`` without one."""
    if not own:
        return says.of_card(usual)
    scope = says.scope()
    named: Mapping[str, str] = {"original": usual}
    return fill(own, replace(scope, values=scope.lookup.with_these(named))).text


def _messages(says: ChatSays) -> list[SentMessage]:
    first = max(0, says.count - MAX_MESSAGES)
    rows = says.store.messages.as_parsed(says.branch_id, first, says.count - 1)
    messages = says.store.messages.slice(says.branch_id, first, says.count - 1)
    return [
        SentMessage(message.name, says.said(message), message.role == "user", _is_narrator(row))
        for row, message in zip(rows, messages, strict=True)
        if not message.is_hidden
    ]


def _is_narrator(row: ParsedMessage) -> bool:
    extra = json_object(row.raw).get("extra")
    return isinstance(extra, dict) and extra.get("type") == "narrator"
