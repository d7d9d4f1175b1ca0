"""What a chat adds to the prompts, and what its messages go through before a model reads them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from engram_desktop.domain.memory.line import Line
from engram_desktop.domain.text import cleaning
from engram_desktop.services.prompts import macro_scope, program_parts, prompts, scripts

if TYPE_CHECKING:
    from engram_desktop.domain.macros.values import Value
    from engram_desktop.domain.memory.message import Message
    from engram_desktop.domain.settings.settings import Settings
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session
    from engram_desktop.services.prompts.native import Native
    from engram_desktop.services.prompts.prompts import Prompts
    from engram_desktop.storage.chat.chat_store import ChatStore

NEWEST = 6  # messages that a prompt is told of where its task tells of none


class SaidByWorldbooks(Protocol):
    """What worldbooks say at a floor of a line; made where worldbooks are known."""

    def context(self, ctx: JobContext, line: Line, floor: int, pending: str = "") -> str:
        """Return what the entries say that fire for the reply after ``floor``."""
        ...

    def outlets(self, ctx: JobContext, line: Line, floor: int) -> Mapping[str, str]:
        """Return what entries say for named places of a prompt, by name."""
        ...


class ChatPrompts:
    """The prompts and texts of one chat as a model gets them."""

    def __init__(self, session: Session, worldbooks: SaidByWorldbooks) -> None:
        self._session = session
        self._worldbooks = worldbooks

    def native(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str
    ) -> Native:
        """Return what SillyTavern itself would do to the messages of a branch."""
        session = self._session
        return scripts.native_of(
            session.library, ctx, store, settings, branch_id, session.javascript
        )

    def prompts(
        self, ctx: JobContext, store: ChatStore, settings: Settings, branch_id: str, native: Native
    ) -> Prompts:
        """Return the prompts, with what macros and programs in them may know of a chat."""
        session = self._session

        def said(message: Message) -> str:
            return cleaning.clean(native.as_sent([message])[0].text, native.rules)

        def history() -> str:
            newest = store.messages.slice(branch_id, max(0, chat.count - NEWEST), chat.count - 1)
            return prompts.chat_history(newest, [said(m) for m in newest])

        def context() -> str:
            return self._worldbooks.context(ctx, Line(store.chat_id, branch_id), chat.count - 1)

        def outlets() -> Mapping[str, str]:
            return self._worldbooks.outlets(ctx, Line(store.chat_id, branch_id), chat.count - 1)

        chat = macro_scope.ChatSays(session.library, store, settings, branch_id, said)
        values: dict[str, Value] = {
            "chatHistory": history,
            "worldbookContext": context,
            "model": session.clients.model("llm"),
        }
        scope = chat.scope()
        return replace(
            prompts.prompts_of(session.library),
            scope=replace(scope, values=scope.lookup.with_these(values), outlets=outlets),
            variables=lambda: program_parts.variables_for_programs(chat),
            parts=program_parts.parts_of(chat),
            javascript=session.javascript if settings.native_ejs else None,
        )
