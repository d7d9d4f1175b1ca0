"""Keep what comes through the server: requests show what stands in a chat, replies go on."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from engram_desktop.domain.changes import Changes
from engram_desktop.domain.serving.kept import Kept, What
from engram_desktop.services.chats import timeline

if TYPE_CHECKING:
    from engram_desktop.domain.memory.line import Line
    from engram_desktop.domain.memory.message import Role
    from engram_desktop.domain.serving.identity import Identity
    from engram_desktop.domain.serving.request import FrontRequest
    from engram_desktop.jobs.context import JobContext
    from engram_desktop.services.library.session import Session


class RequestKeeper:
    """Writes what requests and replies say into the lines they are of."""

    def __init__(self, session: Session) -> None:
        self._session = session

    def keep_request(self, ctx: JobContext, request: FrontRequest, identity: Identity) -> Kept:
        """Keep what a request shows of its chat."""
        ctx.check()
        if request.asks_json:
            return Kept()
        line = identity.line
        if line is None or identity.wanted == "quiet" or not self._is_kept(line):
            return Kept()
        store = self._session.chat(line.chat_id)
        count = store.messages.count(line.branch_id)
        if identity.until != count - 1:
            return Kept(line)
        player = next(iter(store.messages.user_names()), "User")

        def unit() -> Changes:
            changes = Changes(chat_id=line.chat_id)
            for said in identity.unseen:
                role: Role = "assistant" if said.role == "assistant" else "user"
                name = said.name or (player if role == "user" else identity.speaker)
                changes |= timeline.append_message(store, name, role, said.text, line.branch_id)
            return changes

        changes = ctx.write(unit)
        floor = store.messages.count(line.branch_id)
        what: What = "message" if identity.unseen else ""
        return Kept(line, what, floor - 1, changes, "message", floor, identity.speaker)

    def keep_reply(self, ctx: JobContext, kept: Kept, text: str) -> Kept:
        """Keep a reply that has arrived whole."""
        line = kept.line
        if line is None or kept.reply_as != "message" or not text.strip():
            return kept
        store = self._session.chat(line.chat_id)

        def unit() -> Changes:
            return timeline.append_message(
                store, kept.speaker, "assistant", text.strip(), line.branch_id
            )

        return replace(kept, what="message", floor=kept.reply_floor, changes=ctx.write(unit))

    def _is_kept(self, line: Line) -> bool:
        session = self._session
        if not session.can_write or not session.settings(line.chat_id).serve_keep:
            return False
        rows = session.library.followed.of_chat(line.chat_id)
        return not any(row.is_followed and row.branch_id == line.branch_id for row in rows)
